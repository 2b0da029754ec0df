"""Accuracy of logistic regression on test digits, from the codes of each system.

Every system learns the binary 8 x 8 digits with its own defaults, with as many latents and passes: those of
several layers have half as many above the lowest. The codes are probabilities; those of an RBM's and an
LRBN's states stand beside them. An RBM and scikit-learn's BernoulliRBM also learn at the same settings.

    python tests/bench/bench_codes.py [--check] [--latents 64] [--passes 10] [--seeds 3]

With --check the exit status is 1 if an RBM's codes, at its own defaults or at BernoulliRBM's, are worse than
those of BernoulliRBM, by the mean over seeds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import BernoulliRBM

import lrbn_viz
from lrbn_viz.catalog import kinds
from lrbn_viz.measure.representation import linear_accuracy

MAX_STEPS = 1000
"""Of the classifier."""
THEIRS: dict[str, Any] = {"learning_rate": 0.1, "batch_size": 10}
"""BernoulliRBM's defaults."""
OURS: dict[str, Any] = {"gradient": "standard", "n_particles": 10}
"""What makes an RBM learn as BernoulliRBM does, at its learning rate and size of minibatches."""

Encode = Callable[[NDArray], NDArray]


def sizes_of(kind: Any, n: int) -> dict[str, Any]:
    """Return the settings that say how many latents a model of a kind has."""
    return {"n_components": n, **({"n_top": n // 2} if kind.model.several_layers else {})}


def accuracy(encode: Encode, data: Any) -> float:
    """Return the share of test images whose class is told from their codes."""
    codes = encode(data.train_X), encode(data.test_X)
    return linear_accuracy(codes[0], data.train_y, codes[1], data.test_y, max_iter=MAX_STEPS)[0]


def row(name: str, found: list[float]) -> None:
    """Print the mean over seeds and the least and the largest."""
    print(f"| {name} | {np.mean(found):.3f} | {min(found):.3f} to {max(found):.3f} |", flush=True)


def main() -> int:
    """Train, classify and print a table."""
    parser = argparse.ArgumentParser(description="Classify digits by the codes of each system.")
    parser.add_argument("--check", action="store_true", help="exit with 1 where BernoulliRBM's are better")
    parser.add_argument("--latents", type=int, default=64, help="of the lowest layer")
    parser.add_argument("--passes", type=int, default=10, help="over the training images")
    parser.add_argument("--seeds", type=int, default=3, help="models of each kind")
    options = parser.parse_args()
    data, seeds = lrbn_viz.load_dataset("digits"), range(options.seeds)
    n, passes = options.latents, options.passes
    print("| codes | mean accuracy | range over seeds |\n|---|---|---|")
    row("pixels", [accuracy(lambda X: X, data)])
    same: dict[str, Any] = {"n_components": n, "n_iter": passes, **THEIRS}
    theirs = [accuracy(BernoulliRBM(**same, random_state=s).fit(data.train_X).transform, data) for s in seeds]
    row("`BernoulliRBM`", theirs)
    every = {**same, **OURS, "validation_size": 0}
    ours = [accuracy(lrbn_viz.RBM(**every, random_state=s).fit(data.train_X).transform, data) for s in seeds]
    row("`RBM` at its settings", ours)
    worst = np.mean(ours)
    every_kind: dict[str, Any] = kinds()
    for name, kind in every_kind.items():
        settings = {**sizes_of(kind, n), "n_iter": passes}
        models = [kind(**settings, random_state=s).fit(data.train_X) for s in seeds]
        for method in ("probabilities", *(("states",) if name in ("RBM", "LRBN") else ())):
            found = [accuracy(lambda X, m=m, how=method: m.transform(X, method=how), data) for m in models]
            row(f"`{name}`" + (", states" if method == "states" else ""), found)
            if (name, method) == ("RBM", "probabilities"):
                worst = min(worst, np.mean(found))
    return int(options.check and worst < np.mean(theirs))


if __name__ == "__main__":
    sys.exit(main())
