"""Train every system at its defaults, and print its scores of held-out images after 1, 4 and 40 passes.

    python tests/bench/bench_defaults.py [SYSTEM ...] [--data digits bars] [--passes 1 4 40] [--images 900]
    python tests/bench/bench_defaults.py --check

The last 100 training images are held out, and all others learned unless --images says how many; test images
are not used. Scores are those that training is judged by, in nats per image: bounds on log P(x), and of an
RBM, a DBN and a DBM the pseudo-log-likelihood, so that rows are not compared with each other. "worst fall" is
by how much a score lies below the best one before it, at most.
With --check the exit status is 1 if a score falls by more than the bound. Seconds are the process's own.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz import load_dataset
from lrbn_viz.catalog import SYSTEMS

N_HELD_OUT = 100
MOST = 0.5
"""Nats by which a score may fall: of luck, and of learning by heart."""


def images_of(data: str, n_images: int | None) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return training images and held-out images; "table" is a random one of independent columns."""
    if data == "table":
        rng = np.random.default_rng(0)
        X = (rng.random((300, 12)) < rng.uniform(0.1, 0.9, 12)).astype(np.uint8)
    else:
        X = load_dataset(data).train_X
    return X[:-N_HELD_OUT][:n_images], X[-N_HELD_OUT:]


def scores_of(
    name: str, X: NDArray[np.uint8], held_out: NDArray[np.uint8], passes: Sequence[int]
) -> list[float]:
    """Return the scores of held-out images before training, and after each number of passes."""
    kind: Any = SYSTEMS[name]
    system = kind(random_state=0).make_system()
    states = [system.init(X, np.random.default_rng(0))]
    states += [kind(n_iter=n, validation_size=0, random_state=0).fit(X)._state for n in passes]
    return [system.validate(state, held_out, np.random.default_rng(0))["score"] for state in states]


def worst_fall(scores: Sequence[float]) -> float:
    """Return by how much scores fall below the best one before, at most."""
    return float((np.maximum.accumulate(scores) - scores).max())


def main() -> int:
    """Train, print a row for each system and data set, and return 1 if a bound is missed."""
    parser = argparse.ArgumentParser(description="Train every system at its defaults.")
    parser.add_argument("systems", nargs="*", metavar="SYSTEM", help=f"of {', '.join(SYSTEMS)}; none: all")
    parser.add_argument("--data", nargs="+", default=["digits", "bars"], help="data sets, or table")
    parser.add_argument("--passes", nargs="+", type=int, default=[1, 4, 40], help="over the training images")
    parser.add_argument("--images", type=int, help="training images at most, the first ones; all")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 if a score falls by {MOST} nats")
    options = parser.parse_args()
    unknown = set(options.systems) - SYSTEMS.keys()
    if unknown:
        parser.error(f"expected systems of {', '.join(SYSTEMS)}; got {', '.join(sorted(unknown))}")
    heads = ["start", *(f"{n} passes" for n in options.passes), "worst fall", "CPU s"]
    print(f"{'system':22}{'data':9}" + "".join(f"{head:>11}" for head in heads))
    missed = False
    for name in options.systems or SYSTEMS:
        for data in options.data:
            X, held_out = images_of(data, options.images)
            began = time.process_time()
            scores = scores_of(name, X, held_out, options.passes)
            fall, spent = worst_fall(scores), time.process_time() - began
            missed |= fall > MOST
            cells = "".join(f"{score:11.2f}" for score in [*scores, fall])
            print(f"{name:22}{data:9}{cells}{spent:11.1f}", flush=True)
    return int(options.check and missed)


if __name__ == "__main__":
    raise SystemExit(main())
