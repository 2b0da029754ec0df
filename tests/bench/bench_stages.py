"""Time the stages of a deep belief network and of a deep Boltzmann machine against their own dense products.

784 visibles, 200 latents in each layer, minibatches and chains of 100. The products are those of one step of
the stage, in its shapes, by NumPy's BLAS in single precision on one thread into arrays that are there
already. A step of the stage runs on one thread too. Runs alternate, and times are those of this thread, so
that other load falls on neither; the ratio is the median over rounds.

    python tests/bench/bench_stages.py [--check] [--images 2000] [--rounds 7]

With --check the exit status is 1 if a stage takes more than the bound times its products.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import Any

os.environ["NUMBA_NUM_THREADS"] = "1"  # before Numba is imported

import numpy as np
from numpy.typing import NDArray

import lrbn_viz
from lrbn_viz.kernels.numerics import one_blas_thread
from lrbn_viz.rivals.dbm.system import DBMSystem
from lrbn_viz.rivals.dbn.system import DBNSystem

N_V, N_H, BATCH_SIZE = 784, 200, 100
BOUND = 1.5
Product = tuple[int, int]
"""What is between rows of a minibatch: units below and above; of a gradient, the shape of the weights."""


def _of_rbm(below: int, above: int) -> list[Product]:
    """The products of one step: latents of data and chains, the chains' visibles, and both phases."""
    return 5 * [(below, above)]


LOW, TOP = (N_V, N_H), (N_H, N_H)
DBM_UPDATES = DBMSystem(N_H, n_top=N_H).n_updates
STAGES: dict[str, tuple[Any, float, list[Product]]] = {
    "DBN, first RBM": (DBNSystem, 0.1, _of_rbm(*LOW)),
    "DBN, RBM on top": (DBNSystem, 0.5, [LOW, *_of_rbm(*TOP)]),
    # recognition, image, residuals; the top, and half a sweep of its chains; dream, recognition, signal
    "DBN, up-down": (DBNSystem, 0.9, [*(6 * [LOW]), *_of_rbm(*TOP), TOP]),
    "DBM, first RBM": (DBMSystem, 0.1, _of_rbm(2 * N_V, N_H)),
    "DBM, second RBM": (DBMSystem, 0.25, [LOW, *_of_rbm(N_H, 2 * N_H)]),
    # fields, a pass up, mean field; the chains' sweep and both phases of x and g beside each other
    "DBM, together": (
        DBMSystem,
        0.9,
        [LOW, TOP, *(2 * DBM_UPDATES * [TOP]), *(4 * [(N_V + N_H, N_H)])],
    ),
}
"""The system, a share of its run that is within the stage, and the products of a step."""


def seconds_here(system: Any, state: Any, X: NDArray[np.uint8]) -> float:
    """Return the seconds of this thread in an epoch of the stage."""
    rng = np.random.default_rng(0)
    start = time.thread_time()
    with one_blas_thread():
        for first in range(0, len(X), BATCH_SIZE):
            state, _ = system.step(state, X[first : first + BATCH_SIZE], rng)
    return time.thread_time() - start


def seconds_of_products(products: list[Product], n_images: int) -> float:
    """Return the seconds of this thread in an epoch's dense products alone."""
    rng = np.random.default_rng(0)
    made = [
        (rng.random((BATCH_SIZE, below), np.float32), rng.random((below, above), np.float32),
         np.empty((BATCH_SIZE, above), np.float32))
        for below, above in products
    ]  # fmt: skip
    start = time.thread_time()
    with one_blas_thread():
        for _ in range(0, n_images, BATCH_SIZE):
            for below, weights, above in made:
                np.matmul(below, weights, out=above)
    return time.thread_time() - start


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description="Time stages of a DBN and a DBM against their products.")
    parser.add_argument(
        "--check", action="store_true", help=f"exit with 1 above {BOUND:g} times the products"
    )
    parser.add_argument("--images", type=int, default=2000, help="images per epoch")
    parser.add_argument("--rounds", type=int, default=7, help="epochs of each, alternating")
    options = parser.parse_args()
    train_X = lrbn_viz.load_dataset("mnist5k").train_X
    X = np.ascontiguousarray(np.resize(train_X, (options.images, N_V)))
    slow = []
    for name, (kind, share, products) in STAGES.items():
        system = kind(N_H, n_top=N_H, n_particles=BATCH_SIZE).at_progress(share)
        state = system.init(X, np.random.default_rng(0))
        state, _ = system.step(state, X[:BATCH_SIZE], np.random.default_rng(1))  # compiles, enters the stage
        seconds_of_products(products, BATCH_SIZE)
        times = [
            (seconds_here(system, state, X), seconds_of_products(products, len(X)))
            for _ in range(options.rounds)
        ]
        here, alone = 1e3 * BATCH_SIZE / len(X) * np.median(times, axis=0)
        ratio = float(np.median([mine / theirs for mine, theirs in times]))
        print(f"{name}: a step {here:.2f} ms, its products {alone:.2f} ms: {ratio:.2f} times", flush=True)
        if ratio > BOUND:
            slow.append(f"{name}: {ratio:.2f}")
    if slow and options.check:
        print(f"above the bound of {BOUND:g}: {', '.join(slow)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
