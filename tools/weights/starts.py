"""Measure from which start ICM ends highest: ``python -m tools.weights.starts [NAME ...]``.

The Inference page opens each shipped model with a start, and says what another would have given. Both are
read from ``starts.json``, which this writes. The images are training images: no test image chooses anything.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.catalog import PRETRAINED, pretrained
from lrbn_viz.core.model import Model
from lrbn_viz.datasets import load_dataset
from lrbn_viz.io.storage import write_atomic
from tools.weights import FOLDER

PATH = FOLDER / "starts.json"
N_IMAGES = 100
"""Training images: the first ones."""
MIN_GAIN = 3.0
"""Nats by which another start has to end above the model's first one, on average: strong evidence, as Kass
and Raftery (1995) call it. Less is no reason to open a model otherwise than it was trained."""
MIN_STANDARD_ERRORS = 2.0
"""Standard errors of the mean gain by which it has to be above 0."""
INFERENCE = "icm"
"""The inference with which a model opens and by which each start is measured. It remains the paper's: each of
its visits has a reason, and none lowers log P(x, h). Annealing ends higher, after many more visits, which are
random.
"""
ANNEALED = "annealed"
"""The inference that is measured in addition, from the chosen start."""


def has_choice(model: Model) -> bool:
    """Return whether the start of a model's ICM can be chosen."""
    return "init" in model.trace_options and INFERENCE in model.trace_methods


def ends(model: Model, X: NDArray, method: str, start: str) -> tuple[NDArray, NDArray]:
    """Return log P(x, h) at the end of inference, and wrong pixels or the squared error; of each image."""
    traces = [model.trace(x, method, init=start, random_state=row) for row, x in enumerate(X)]
    H = np.array([trace.latents(trace.n_visits) for trace in traces])
    errors = np.square(model.most_probable(H) - X).sum(axis=1)
    return np.array([trace.log_joint[-1] for trace in traces]), errors


def figures(model: Model, X: NDArray) -> dict[str, Any]:
    """Return the mean result of each start of a model, and the chosen start.

    ``gain`` is the mean by which a start ends above the model's first one, nats, and ``gain_error`` its
    standard error.
    """
    found: dict[str, dict[str, float]] = {}
    first: NDArray | None = None
    for start in model.starts:
        nats, errors = ends(model, X, INFERENCE, start)
        first = nats if first is None else first
        gain = nats - first
        found[start] = {
            "log_joint": nats.mean(),
            "errors": errors.mean(),
            "gain": gain.mean(),
            "gain_error": gain.std(ddof=1) / len(gain) ** 0.5,
        }
    starts = {start: _rounded(each) for start, each in found.items()}
    chosen = choice(starts)
    nats, errors = ends(model, X, ANNEALED, chosen)
    annealed = _rounded({"log_joint": nats.mean(), "errors": errors.mean()})
    annealed["sweeps"] = len(model.trace_methods[ANNEALED].arguments["temperature"])
    return {"images": len(X), "chosen": chosen, "starts": starts, "annealed": annealed}


def _rounded(values: dict[str, float]) -> dict[str, float]:
    return {key: round(float(value), 4) for key, value in values.items()}


def choice(starts: dict[str, dict[str, float]]) -> str:
    """Return the start that ends highest, if it is surely and noticeably above the first one; else the first.

    A random start is never chosen: what a link opens must not be drawn.
    """
    usual = next(iter(starts))
    named = {start: each for start, each in starts.items() if start != "random"}
    best = max(named, key=lambda start: named[start]["gain"])
    gain, error = named[best]["gain"], named[best]["gain_error"]
    return best if gain >= MIN_GAIN and gain > MIN_STANDARD_ERRORS * error else usual


def main() -> None:
    """Measure the named models, or all that have a choice."""
    names = [name for name in PRETRAINED if has_choice(pretrained(name))]
    parser = argparse.ArgumentParser(description="Measure from which start ICM ends highest.")
    parser.add_argument("names", nargs="*", choices=[[], *names], help="models; all when none is named")
    asked = parser.parse_args().names or names
    stored = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    for name in asked:
        info = PRETRAINED[name]
        X = load_dataset(info.dataset, binary=info.binary).train_X[:N_IMAGES]
        stored[name] = figures(pretrained(name), X)
        print(f"{name}: {stored[name]}", flush=True)
    text = json.dumps({name: stored[name] for name in names if name in stored}, indent=1)
    write_atomic(PATH, f"{text}\n".encode())


if __name__ == "__main__":
    main()
