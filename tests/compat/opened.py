"""What opening a stored thing gives, as plain values: asked when it is stored, and by the tests."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tiny_models import sizes_of

from lrbn_viz import ICMTrace, load_dataset, load_model
from lrbn_viz.catalog import kinds

N_IMAGES = 6
IMAGE = 7
PAGES = ("inference", "train", "generate", "compare", "lessons", "sweeps")
SETTINGS = "settings.json"
"""File of a version's folder with the settings of the models whose training was left."""
Values = dict[str, Any]
"""Arrays and JSON values by name."""


def digits(visible: str = "bernoulli", side: int = 8) -> tuple[NDArray, NDArray]:
    """Return 160 images, whole or their middle, and their classes.

    Grey ones are binary ones scaled by sums of powers of two: the same bits on every machine.
    """
    data = load_dataset("digits")
    edge = (8 - side) // 2
    X = data.train_X[:160].reshape(-1, 8, 8)[:, edge : 8 - edge, edge : 8 - edge].reshape(160, side * side)
    if visible == "bernoulli":
        return X, data.train_y[:160]
    return X * 1.5 - 0.5 + 0.125 * (np.arange(side * side) % 7), data.train_y[:160]


def small(kind: Any, visible: str) -> Any:
    """Return a model of few units that is not trained yet."""
    sizes = sizes_of(kind, 4, 3, 6)
    how = {"visible": visible} if "visible" in kind.model.get_params() else {}
    return kind(**sizes, **how, n_iter=2, random_state=0)


def parameters(model: Any, prefix: str) -> Values:
    """Return the parameters of all layers of a model, by names that begin with `prefix`."""
    return {
        f"{prefix}{n}.{m}": np.asarray(array)
        for n, layer in enumerate(model.layers)
        for m, array in enumerate(layer)
    }


def model(path: Path) -> Values:
    """Return what a stored model is, and what it says of a few images."""
    found = load_model(path)
    X = digits(found.visible)[0]
    settings = {name: value for name, value in found.get_params().items() if name != "random_state"}
    values: Values = {
        "kind": type(found).__name__,
        "settings": json.loads(json.dumps(settings)),
        "provenance": found.provenance_,
        **parameters(found, "layer"),
        "reconstruct": np.asarray(found.reconstruct(X[:N_IMAGES])),
    }
    for method in found.trace_methods:
        made = found.trace(X[IMAGE], method, random_state=4)
        values[f"{method}.joint"] = np.asarray(made.log_joint_at(made.n_visits))
        values[f"{method}.visits"] = made.n_visits
    return values


def trace(path: Path) -> Values:
    """Return what a stored trace says."""
    found = ICMTrace.load(path)
    n = found.n_visits
    return {
        "visits": n,
        "made by": [found.model, found.visible, found.sampled, found.at_once, found.converged],
        "joint": np.asarray(found.log_joint_at(n)),
        "latents": np.array([found.latents(k) for k in (0, n // 2, n)]),
        "wrong": np.asarray(found.wrong_pixels()),
    }


def checkpoint(path: Path) -> Values:
    """Return how many steps training makes from a stored checkpoint on, and where it ends."""
    settings = json.loads((path.parents[1] / SETTINGS).read_text(encoding="utf-8"))
    kind: Any = kinds()[path.name]
    fitted = kind(**settings[path.name])  # whatever the defaults are by now
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, folder)
        n_steps = sum(1 for _ in fitted.fit_steps(digits(side=6)[0], checkpoint=copy, checkpoint_seconds=1e9))
    return {"steps": n_steps, **parameters(fitted, "end")}


def advance(found: Any, n: int) -> None:
    """Let every lane of a run make n steps."""
    found.advance(n * len(found.lanes))
    while found.job.status == "running":
        time.sleep(0.002)


def run(path: Path) -> Values:
    """Return how a stored run is listed, where it stands, and its models then and at the end."""
    from lrbn_viz.studies.runs import Run, stored_runs

    (listed,) = [each for each in stored_runs(path.parent) if each.name == path.name]
    assert listed.config is not None, listed.error
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(path, Path(folder) / path.name)
        data = None if (copy / "dataset").exists() else load_dataset("digits")
        found = Run.resume(copy, data, checkpoint_seconds=1e9)
        images = b"".join(X.tobytes() for X in (found.dataset.train_X, found.dataset.test_X))
        values: Values = {
            "config": json.loads(json.dumps(listed.config.to_json())),
            "began": listed.began,
            "results": {name: list(each) for name, each in listed.results.items()},
            "step": found.step,
            "images": hashlib.sha256(images).hexdigest()[:16],
            "data": [found.dataset.name, found.dataset.description, list(found.dataset.class_names)],
        }
        for name, lane in found.lanes.items():
            values |= {f"{name}.{curve}": np.array(points.points()) for curve, points in lane.curves.items()}
            values |= parameters(found.model(name), f"{name}.stored")
        found.start()
        found.job.join(60)
        for name in found.lanes:
            values |= parameters(found.model(name), f"{name}.end")
    return values


def sweep(path: Path) -> Values:
    """Return the trials of a stored sweep, the best first, and its best model."""
    from lrbn_viz.studies.sweep.results import read_sweep
    from lrbn_viz.studies.sweep.run import BEST

    found = read_sweep(path)
    assert found is not None
    rows = json.loads(json.dumps([row._asdict() for row in found.rows]))
    return {"rows": rows, **parameters(load_model(path / BEST), "best")}


def link(query: str) -> Values:
    """Return the page that a link opens, the settings of all pages, and the names of those it ignores."""
    from lrbn_viz.app.address import read_address

    address = read_address(query, PAGES)
    ignored = sorted({sentence.split(":")[0] for sentence in address.ignored})
    return json.loads(json.dumps({"page": address.page, "states": address.states, "ignored": ignored}))


OPENED = {
    "models": model, "traces": trace, "checkpoints": checkpoint, "runs": run, "sweeps": sweep,
}  # fmt: skip
"""By the folder of a version's files, the function that opens one of them."""
