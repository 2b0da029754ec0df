"""Make the files of one version, and what they open with: in tests/, ``python -m compat.release``.

It writes ``released/VERSION.zip``, which stays as it is once the version is released; until then it may be
made anew. The tests open every version's files with the package of today.
"""

from __future__ import annotations

import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from compat.opened import IMAGE, OPENED, SETTINGS, Values, advance, digits, link, small

import lrbn_viz
from lrbn_viz.catalog import kinds

RELEASED = Path(__file__).with_name("released")
QUERIES = (
    "",
    "?model=lrbn-12-digits&rival=lrbn-12-digits&image=7&algorithm=gibbs&start=random&clamp=3on.11off&seed=11"
    "&rival_algorithm=icm-greedy&rival_start=zeros&rival_clamp=2on&rival_seed=5&visit=23&unit=1.5"
    "&units=contribution&since=off&hide=seed.matrix.gallery",
    "?model=lrbn-16-digits&rival=lrbn-16-digits&data=bars&image=3&start=last&from=Vko&rival_start=last"
    "&rival_from=Vko&visit=end&present=why&captions=off&theme=dark",
    "?model=lrbn-12-digits&rival=factorised:lrbn-12-digits&drawn=AAAYGBgYAAA&start=rival&unit=lane2",
    "?page=train&run=digits-branch&moment=10",
    "?page=train&preset=warmed",
    "?page=generate&generator=lrbn-12-digits&generator_beside=rbm-12-digits&draw_seed=4&chain=data"
    "&chain_image=11&passes=6&generator_clamp=3on.7off&generator_beside_clamp=0on&walk_from=t5&walk_to=s3"
    "&walk=number&walk_at=250&pass=2&pass_step=9",
    "?page=compare&compare_data=digits&systems=lrbn-12-digits.rbm-12-digits&compare_images=6&compare_seed=3"
    "&compare_by=annealed&highlight=rbm-12-digits",
    "?page=sweeps&sweep=small",
    "?page=kitchen&image=9999999&seed=-1&drawn=AAAA&start=last&from=&moment=soon&nonsense=1&pass=99",
)
"""Links of every page, with every setting, one of them with such as do not fit."""


def takes_grey(kind: Any) -> bool:
    """Whether a kind of model is also one of grey images."""
    try:
        small(kind, "gaussian").check_settings()
    except ValueError:
        return False
    return "visible" in kind.model.get_params()


def made() -> Iterator[tuple[str, Any]]:
    """Yield a trained model of each kind, and of each kind of images that it takes."""
    for name, kind in kinds().items():
        yield f"{name}-bernoulli", small(kind, "bernoulli").fit(digits()[0])
        if takes_grey(kind):
            yield f"{name}-gaussian", small(kind, "gaussian").fit(digits("gaussian")[0])


def write_checkpoints(folder: Path) -> None:
    """Leave the training of each kind half-way: one that learns in stages has a part of them behind it."""
    X = digits(side=6)[0]
    settings = {name: small(kind, "bernoulli").get_params() for name, kind in kinds().items()}
    (folder.parent / SETTINGS).write_text(json.dumps(settings), encoding="utf-8")
    for name, kind in kinds().items():
        n_steps = sum(1 for _ in small(kind, "bernoulli").fit_steps(X))
        training = small(kind, "bernoulli").fit_steps(X, checkpoint=folder / name, checkpoint_seconds=0.0)
        for _ in range(n_steps // 2 + 1):  # the file is of the step before the last one that was asked for
            next(training)
        training.close()


def write_runs(folder: Path) -> None:
    """Train a run, a branch of it, and one on a user's own grey images; all left half-way."""
    from lrbn_viz import load_dataset, read_dataset
    from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig

    of_the_run = {
        "visible",
        "batch_size",
        "n_iter",
        "validation_size",
        "patience",
        "random_state",
        "binarize",
    }
    lanes = {}
    for kind in ("LRBN", "RBM"):  # each setting is named: a default may be another later
        whole = kinds()[kind].settings_of(small(kinds()[kind], "bernoulli")).items()
        lanes[kind] = LaneConfig(kind, {name: value for name, value in whole if name not in of_the_run})
    parent = Run(RunConfig("digits", lanes, n_iter=1, seed=3), load_dataset("digits"), folder / "digits")
    advance(parent, 14)
    branch = parent.branch(10, folder / "digits-branch")
    branch.change("LRBN", learning_rate=0.1)
    advance(branch, 6)
    X, y = digits("gaussian", 6)
    with tempfile.TemporaryDirectory() as scratch:
        source = Path(scratch) / "own.npz"
        np.savez(source, X=X[:60], y=y[:60])
        data = read_dataset(source, name="mine", binary=False, image_shape=(6, 6))
    config = RunConfig("mine", lanes, binary=False, batch_size=5, n_iter=3, seed=1, validation_size=8)
    own = Run(config, data, folder / "own")
    advance(own, 5)
    for each in (parent, branch, own):
        each.stop()


def write_sweeps(folder: Path) -> None:
    """Try two settings of an LRBN."""
    from lrbn_viz.studies.sweep.run import SweepRun
    from lrbn_viz.studies.sweep.space import space_of

    asked: Values = {
        "model": "LRBN", "dataset": "digits", "method": "grid", "passes": 1, "temperatures": 10,
        "validation_images": 20, "fixed": {"n_components": 6, "batch_size": 100},
        "space": {"init": ["zeros", "conditional"]},
    }  # fmt: skip
    SweepRun(space_of(asked), folder / "small").run()


def write_files(folder: Path) -> None:
    """Write the files of this version into the folders of `OPENED`."""
    for kind in OPENED:
        (folder / kind).mkdir()
    for name, model in made():
        model.save(folder / "models" / name)
        model.trace(digits(model.visible)[0][IMAGE], random_state=4).save(folder / "traces" / name)
    write_checkpoints(folder / "checkpoints")
    write_runs(folder / "runs")
    write_sweeps(folder / "sweeps")


def links() -> Iterator[str]:
    """Yield links of every page, and of every step of every lesson."""
    from lrbn_viz.view.lessons import shipped_lessons

    yield from QUERIES
    for lesson in shipped_lessons():
        yield from (f"?lesson={lesson.id}&step={step}" for step in range(1, len(lesson.steps) + 1))


def answers(folder: Path) -> dict[str, Values]:
    """Return what everything in the folders of `OPENED` opens with, and every link."""
    found = {
        f"{kind}/{path.name}": opened(path)
        for kind, opened in OPENED.items()
        for path in sorted((folder / kind).iterdir())
        if not path.name.startswith(".")
    }
    return found | {f"links/{query}": link(query) for query in links()}


def write(path: Path) -> None:
    """Write the archive of this version."""
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        folder = Path(scratch)
        write_files(folder)
        plain: dict[str, Values] = {}
        arrays: dict[str, np.ndarray] = {}
        for name, values in answers(folder).items():
            plain[name] = {key: value for key, value in values.items() if not isinstance(value, np.ndarray)}
            arrays |= {f"{name}::{key}": value for key, value in values.items() if key not in plain[name]}
        save: Any = np.savez
        save(folder / "expected.npz", **arrays)
        (folder / "expected.json").write_text(json.dumps(plain, indent=1), encoding="utf-8")
        for file in sorted(folder.rglob("*")):
            if file.is_file() and not any(part.startswith(".") for part in file.relative_to(folder).parts):
                name = file.relative_to(folder).as_posix()
                entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
                archive.writestr(entry, file.read_bytes(), zipfile.ZIP_LZMA)


if __name__ == "__main__":
    RELEASED.mkdir(exist_ok=True)
    write(RELEASED / f"{lrbn_viz.__version__}.zip")
