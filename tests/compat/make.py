"""Write the stored set: files and links of older versions, and what they open with.

It was run once, by older versions, in the folder ``tests``: OLD is a checkout of the version named, and
FOLDER is where the files are made before they are packed. (``opened.link`` then imported that version.) First
by commit a6e61cb, without the marks that came later; then, for all others and all answers, by the last
version before models had capabilities::

    PYTHONPATH=OLD:. python -m compat.make FOLDER oldest
    PYTHONPATH=OLD:. python -m compat.make FOLDER

Since then only the settings of RBMs were named in runs and checkpoints, as their defaults changed. Do not run
it by this version: what the tests compare would then be this version with itself. A version that writes
another format adds a folder of its own.
"""

# The modules of links have moved since: this file is of the version that it was run by.
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import platform
import shutil
import sys
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from compat.opened import (
    DATA,
    FITS,
    TRACES,
    Values,
    advance,
    digits,
    link,
    model,
    resumed,
    run,
    steps,
    stored,
    trace,
    traced,
)

from lrbn_viz import LRBN, RBM, DeepLRBN, ICMTrace
from lrbn_viz.runs import LaneConfig, Run, RunConfig

SHORT: Values = {"n_iter": 2, "validation_size": 0, "random_state": 2}


def make_models(folder: Path) -> None:
    """Train and save models of 6 to 16 latents, in all precisions."""
    X, y = digits()
    grey = digits("gaussian")[0]
    made: dict[str, tuple[Any, type]] = {
        "lrbn-flat": (LRBN(8, prior="flat", **SHORT).fit(X), np.float64),
        "lrbn-learned": (LRBN(6, average=0.5, learning_rate_end=0.1, **SHORT).fit(X), np.float32),
        "lrbn-gaussian": (LRBN(6, visible="gaussian", **SHORT).fit(grey), np.float64),
        "rbm": (RBM(8, n_particles=7, **SHORT).fit(X), np.float16),
        "rbm-gaussian": (RBM(6, visible="gaussian", learning_rate=0.01, **SHORT).fit(grey), np.float64),
        "deep": (DeepLRBN((6, 4), **SHORT).fit(X), np.float64),
        "deep-gaussian": (DeepLRBN([6, 4, 3], visible="gaussian", **SHORT).fit(grey), np.float32),
        "deep-classes": (DeepLRBN((6,), weight_decay=[0.001], **SHORT).fit(X, y), np.float64),
    }
    for name, (trained, dtype) in made.items():
        said = {"data": "digits", "passes": 2, "by": {"method": name}}
        trained.save(folder / "models" / f"{name}.npz", dtype=dtype, provenance=said)


def make_checkpoints(folder: Path) -> None:
    """Leave training at different steps and stages."""
    for name, fit in FITS.items():
        for left in fit.left:
            path = folder / "checkpoints" / f"{name}.{left}"
            training = steps(name, path)
            for _ in range(left + 1):  # the file is of the step before the last one that was asked for
                next(training)
            training.close()


LANES = {
    "LRBN": LaneConfig("LRBN", {"n_components": 6, "momentum": 0.5}),
    "RBM": LaneConfig(
        "RBM", {"n_components": 6, "n_particles": 7, "learning_rate": 0.05, "gradient": "standard"}
    ),
}


def make_runs(folder: Path) -> None:
    """Train a run, a branch of it, and one on a user's own grey images; all left half-way."""
    from lrbn_viz import load_dataset, read_dataset

    folder /= "runs"
    parent = Run(RunConfig("digits", LANES, n_iter=1, seed=3), load_dataset("digits"), folder / "digits")
    advance(parent, 14)
    branch = parent.branch(10, folder / "digits-branch")
    branch.change("LRBN", learning_rate=0.1)
    advance(branch, 6)
    X, y = digits("gaussian", 6)
    source = folder / "own.npz"
    np.savez(source, X=X[:60], y=y[:60])
    data = read_dataset(source, name="mine", binary=False, image_shape=(6, 6))
    source.unlink()
    grey = {
        "Gaussian LRBN": LaneConfig("LRBN", {"n_components": 4}),
        "RBM": LaneConfig(
            "RBM",
            {
                "n_components": 4,
                "method": "cd",
                "learning_rate": 0.01,
                "gradient": "standard",
                "n_particles": 5,
            },
        ),
    }
    config = RunConfig("mine", grey, binary=False, batch_size=5, n_iter=3, seed=1, validation_size=8)
    own = Run(config, data, folder / "own")
    advance(own, 5)
    for each in (parent, branch, own):
        each.stop()


def queries() -> list[str]:
    """Return links of every page, with every setting, also such as do not fit."""
    from lrbn_viz.app.link import write_link
    from lrbn_viz.app.menus import ALGORITHMS, STARTS, UNIT_ORDERS
    from lrbn_viz.app.session import Session
    from lrbn_viz.app.texts import pixels_to_text

    small = {"lrbn": "lrbn-12-digits", "rbm": "rbm-12-digits", "dataset_name": "digits"}
    drawn = Session(**small, index=7, algorithm="gibbs", start="random", seed=11, cursor=23)
    image = drawn.x.copy()
    image[:20] = 1 - image[:20]
    drawn.draw(pixels_to_text(image))
    drawn.select("1.5")
    drawn.sort("contribution")
    drawn.hide("seed.matrix.gallery")
    drawn.hold(3, "on")
    drawn.hold(11, "off")
    going_on = Session(**small, algorithm="gibbs", start="random", seed=3)
    going_on.cursor = 17
    going_on.begin_from("last")
    return [
        "",
        write_link(drawn),
        write_link(drawn).replace("image=7&", ""),
        write_link(going_on),
        *(f"?model=lrbn-12-digits&image=3&algorithm={name}&seed=5&visit=9" for name in ALGORITHMS),
        *(f"?model=lrbn-16-digits&start={name}" for name in STARTS),
        *(f"?model=lrbn-16-digits&unit=0.15&units={name}" for name in UNIT_ORDERS),
        "?model=lrbn-200-200-mnist&image=999&algorithm=icm-random&start=zeros&seed=2147483647&unit=0.399",
        "?page=inference&model=lrbn-200-mnist-learned&clamp=3on.17off&hide=why.raster&theme=dark",
        "?page=train&run=digits-branch&moment=10",
        "?page=train",
        "?page=generate&generator=lrbn-12-digits&draw_seed=4&chain=data&chain_image=11&passes=6"
        "&lrbn_hold=3on.7off&rbm_hold=0on&walk_from=t5&walk_to=s3&walk=number&walk_at=250&pass=2&step=9",
        "?page=generate&generator=lrbn-16-digits&walk=straight&walk_from=s0&walk_to=t359",
        "?page=generate",
        "?page=kitchen&image=9999999&seed=-1&drawn=AAAA&start=last&from=&moment=soon&nonsense=1&pass=99",
        "?model=lrbn-12-digits&model=rbm-12-digits&image=1&image=2&seed=%FF&unit=0.12&too_long=drawn.clamp",
    ]


def make_oldest(folder: Path) -> None:
    """Write a model, traces and a run as they were before formats were marked."""
    from lrbn_viz import load_dataset

    folder /= "oldest"
    folder.mkdir(parents=True)
    X = digits()[0]
    lrbn, rbm = LRBN(6, **SHORT).fit(X), RBM(6, **SHORT).fit(X)
    lrbn.save(folder / "lrbn.npz")
    lrbn.map_trace(X[7]).save(folder / "trace-lrbn.npz")
    lrbn.map_trace(X[7], temperature=1.0, max_sweeps=5, random_state=4).save(folder / "trace-gibbs.npz")
    rbm.map_trace(X[7]).save(folder / "trace-rbm.npz")
    left = Run(RunConfig("digits", LANES, n_iter=1, seed=3), load_dataset("digits"), folder / "runs" / "old")
    advance(left, 12)
    left.stop()


def answers(folder: Path) -> Values:
    """Return what every stored thing opens with."""
    found: Values = {}
    for path in sorted(folder.glob("**/*.npz")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        found[name] = trace(ICMTrace.load(path)) if "trace" in name else model(path)
    with TemporaryDirectory() as scratch:
        for path in sorted((folder / "checkpoints").iterdir()):
            copy = Path(shutil.copy(path, scratch))
            found[f"checkpoints/{path.name}"] = resumed(path.name.rsplit(".", 1)[0], copy)
        for runs in (folder / "runs", folder / "oldest" / "runs"):
            found[runs.relative_to(folder).as_posix()] = stored(runs)
            for path in sorted(runs.iterdir()):
                copy = Path(shutil.copytree(path, Path(scratch) / path.name))
                found[path.relative_to(folder).as_posix()] = run(copy)
    for query in queries():
        found[f"links/{query}"] = link(query)
    return found


def machine() -> dict[str, str]:
    """Return what bits depend on."""
    import llvmlite.binding
    import numba

    return {
        "machine": platform.machine(),
        "processor": llvmlite.binding.get_host_cpu_name(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }


def main(folder: Path, *what: str) -> None:
    """Make the files in `folder`, ask what they open with, and pack both."""
    if what == ("oldest",):
        make_oldest(folder)
        return
    for part in ("models", "traces", "checkpoints", "runs"):
        (folder / part).mkdir()
    make_models(folder)
    for name in TRACES:
        traced(name, folder / "models").save(folder / "traces" / f"{name}.npz")
    make_checkpoints(folder)
    make_runs(folder)
    plain: dict[str, Values] = {}
    arrays = {}
    for name, values in answers(folder).items():
        plain[name] = {key: value for key, value in values.items() if not isinstance(value, np.ndarray)}
        arrays |= {f"{name}::{key}": value for key, value in values.items() if isinstance(value, np.ndarray)}
    np.savez(folder / "expected.npz", **arrays)
    said = {"machine": machine(), "answers": plain}
    (DATA / "expected.json").write_text(json.dumps(said, indent=1) + "\n")
    with zipfile.ZipFile(DATA / "stored.zip", "w", zipfile.ZIP_LZMA) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
