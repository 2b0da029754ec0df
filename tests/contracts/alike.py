"""``python tests/contracts/alike.py``: what each kind of model learns and infers, with 1 to 4 threads: for its test.

Prints, per kind and number of threads, a digest of the bits of what it learned and of what it then says.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numba
import numpy as np

from lrbn_viz import log_likelihood
from lrbn_viz.catalog import kinds

N_V, N_H, N = 70, 9, 130


def images() -> np.ndarray:
    """Return images of a few overlapping patterns, so that latents have something to say."""
    rng = np.random.default_rng(0)
    on = rng.random((N, 5)) < 0.4
    return ((on @ (rng.random((5, N_V)) < 0.2)) > 0).astype(np.uint8)


def said(kind: Any, X: np.ndarray) -> dict[str, list[np.ndarray]]:
    """Return arrays, under the name of what they are."""
    sizes: dict[str, Any] = {"n_components": N_H}
    if kind.several_layers:
        one_by_one = "layer_sizes" not in kind().get_params()
        sizes = {"n_components": N_H, "n_top": 4} if one_by_one else {"layer_sizes": (N_H, 4)}
    model = kind(**sizes, n_iter=3, batch_size=50, random_state=0).fit(X)
    trace = model.trace(X[0], random_state=1)
    nats = log_likelihood(model, X[:20], method=model.likelihoods[-1], random_state=2)
    return {
        "weights": [array for layer in model.layers for array in layer],
        "latents": list(model.infer(X)),
        "log-odds": [trace.log_odds],
        "log P(x)": [np.asarray(nats)],
    }


def main() -> None:
    """Print digests, or with ``--values`` the arrays themselves, as JSON."""
    X, found = images(), {}
    for name, kind in kinds().items():
        for threads in (1, 2, 3, 4):
            numba.set_num_threads(threads)
            for what, arrays in said(kind, X).items():
                digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:16]
                found.setdefault(name, {}).setdefault(what, []).append(digest)
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
