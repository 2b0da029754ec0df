"""Make the files of one version, and what they open with: in tests/, ``python -m compat.release``.

It writes ``released/VERSION.zip``, which stays as it is once the version is released; until then it may be
made anew. The tests open every version's files with the package of today.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from compat.opened import Values, digits

import lrbn_viz
from lrbn_viz import ICMTrace, load_model
from lrbn_viz.catalog import kinds

RELEASED = Path(__file__).with_name("released")
N_IMAGES = 6
IMAGE = 7


def small(kind: Any, visible: str) -> Any:
    """Return a model of few units that is not trained yet."""
    sizes: dict[str, Any] = {"n_components": 6}
    if kind.several_layers:
        one_by_one = "layer_sizes" not in kind().get_params()
        sizes = {"n_components": 4, "n_top": 3} if one_by_one else {"layer_sizes": (4, 3)}
    how = {"visible": visible} if "visible" in kind().get_params() else {}
    return kind(**sizes, **how, n_iter=2, random_state=0)


def takes_grey(kind: Any) -> bool:
    """Whether a kind of model is also one of grey images."""
    try:
        small(kind, "gaussian").check_settings()
    except ValueError:
        return False
    return "visible" in kind().get_params()


def made() -> Iterator[tuple[str, Any]]:
    """Yield a trained model of each kind, and of each kind of images that it takes."""
    for name, kind in kinds().items():
        yield f"{name}-bernoulli", small(kind, "bernoulli").fit(digits()[0])
        if takes_grey(kind):
            yield f"{name}-gaussian", small(kind, "gaussian").fit(digits("gaussian")[0])


def answer(model: Any) -> Values:
    """Return what a model is, and what it says of a few images."""
    X = digits(model.visible)[0][:N_IMAGES]
    found: Values = {"kind": type(model).__name__, "visible": model.visible}
    for n, layer in enumerate(model.layers):
        for m, array in enumerate(layer):
            found[f"layer{n}.{m}"] = np.asarray(array)
    found["reconstruct"] = np.asarray(model.reconstruct(X))
    for method in model.trace_methods:
        trace = model.trace(digits(model.visible)[0][IMAGE], method, random_state=4)
        found[f"{method}.joint"] = np.asarray(trace.log_joint_at(trace.n_visits))
        found[f"{method}.visits"] = trace.n_visits
    return found


def answer_of_trace(trace: ICMTrace) -> Values:
    """Return what a stored trace says."""
    n = trace.n_visits
    return {
        "trace.visits": n,
        "trace.joint": np.asarray(trace.log_joint_at(n)),
        "trace.latents": np.array([trace.latents(k) for k in (0, n // 2, n)]),
        "trace.wrong": np.asarray(trace.wrong_pixels()),
    }


def write(path: Path) -> None:
    """Write the files of this version."""
    arrays: dict[str, np.ndarray] = {}
    plain: dict[str, Values] = {}
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:

        def add(name: str, content: bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_LZMA)

        for name, model in made():
            file = Path(folder) / f"{name}.npz"
            model.save(file)
            add(f"models/{name}.npz", file.read_bytes())
            said = answer(load_model(file))
            model.trace(digits(model.visible)[0][IMAGE], random_state=4).save(file)
            add(f"traces/{name}.npz", file.read_bytes())
            said |= answer_of_trace(ICMTrace.load(file))
            arrays |= {
                f"{name}::{key}": value for key, value in said.items() if isinstance(value, np.ndarray)
            }
            plain[name] = {key: value for key, value in said.items() if not isinstance(value, np.ndarray)}
        file = io.BytesIO()
        save: Any = np.savez
        save(file, **arrays)
        add("expected.npz", file.getvalue())
        add("expected.json", json.dumps(plain, indent=1).encode())


if __name__ == "__main__":
    RELEASED.mkdir(exist_ok=True)
    write(RELEASED / f"{lrbn_viz.__version__}.zip")
