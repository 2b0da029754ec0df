"""``python tests/contracts/alike.py FILE IMAGES THREADS ...``: what each kind of model learns and says.

Writes arrays into an ``.npz`` file: per number of threads and kind the weights, the latents, the log-odds of
a trace and log P(x). THREADS is a number of Numba's threads, or of these and of BLAS's: ``1+2``.
"""

from __future__ import annotations

import sys
from typing import Any

import numba
import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from lrbn_viz.catalog import kinds
from lrbn_viz.measure import log_likelihood

N_V, N_H = 70, 9


def images(n: int) -> np.ndarray:
    """Return images of a few overlapping patterns, so that latents have something to say."""
    rng = np.random.default_rng(0)
    on = rng.random((n, 5)) < 0.4
    return ((on @ (rng.random((5, N_V)) < 0.2)) > 0).astype(np.uint8)


def said(kind: Any, X: np.ndarray) -> dict[str, np.ndarray]:
    """Train a model of a kind, and return what it learned and says."""
    sizes: dict[str, Any] = {"n_components": N_H}
    if kind.model.several_layers:
        sizes["n_top"] = 4
    model = kind(**sizes, n_iter=2, batch_size=50, random_state=0).fit(X)
    # without the JIT the chains with which an RBM's AIS begins would take minutes
    method: Any = "ais" if model.graph == "directed" and "ais" in model.likelihoods else model.likelihoods[0]
    nats = log_likelihood(model, X[:10], method=method, n_samples=20, n_temperatures=20, random_state=2)
    return {
        "weights": np.concatenate([array.ravel() for layer in model.layers for array in layer]),
        "latents": np.concatenate(model.infer(X), axis=1),
        "log-odds": model.trace(X[0], random_state=1).log_odds,
        "log P(x)": nats.values,
    }


def main() -> None:
    """Write what there is for each number of threads."""
    path, n, *numbers = sys.argv[1:]
    X, found = images(int(n)), {}
    for threads in numbers:
        own, _, blas = threads.partition("+")
        numba.set_num_threads(int(own))
        with threadpool_limits(int(blas or 1), "blas"):
            pools = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
            assert set(pools) <= {int(blas or 1)}
            for name, kind in kinds().items():
                for what, array in said(kind, X).items():
                    found[f"{threads} {name} {what}"] = array
    np.savez(path, **found)


if __name__ == "__main__":
    main()
