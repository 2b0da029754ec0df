"""What a visit of mean field of one image costs, by each bound; 200 latents, 784 pixels, one thread.

    python tests/bench/bench_means.py [--check]

Prints microseconds, the least of `REPETITIONS` traces. With --check the exit status is 1 if a bound's visits
take longer than its limit.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

import numpy as np

from lrbn_viz import pretrained
from lrbn_viz.lrbn.means.moments import ExactMoments, GaussianMoments, LayerMoments, Moments, TiltedMoments
from lrbn_viz.lrbn.means.trace import guess_trace
from lrbn_viz.rivals.dbm.model import LayerMeans
from lrbn_viz.rivals.dbn.model import DBNParams, TopMoments
from lrbn_viz.rivals.sbn.model import LayerNetworks

LIMITS = {
    "quadratic": 15.0,
    "layers": 15.0,
    "gaussian": 10.0,
    "tilted": 100.0,
    "exact": 40.0,
    "RBM above": 15.0,
    "undirected": 10.0,
}
"""Microseconds of a visit, at most: about three times those of one core at 2.5 GHz."""
REPETITIONS = 5
N_SWEEPS = 6
N_FEW = 14


def makers() -> dict[str, Callable[[], LayerMoments]]:
    """Return functions that place an image and means under each bound."""
    low, rng = pretrained("lrbn-200-mnist-strokes").layers[0], np.random.default_rng(1)
    x, q = (rng.random(low.n_v) < 0.15).astype(float), 0.3 * rng.random(low.n_h + 100)
    high = low._replace(W=rng.normal(0, 0.1, (low.n_h, 100)), b=low.d, d=rng.normal(0, 1, 100))
    few, log_joints = low._replace(W=low.W[:, :N_FEW], d=low.d[:N_FEW]), rng.normal(0, 9, 2**N_FEW)
    lower, networks = q[: low.n_h], LayerNetworks(*low, low.W, low.d)
    return {
        "quadratic": lambda: Moments(low, x, lower),
        "layers": lambda: LayerMoments([low, high], x, q),
        "gaussian": lambda: GaussianMoments(low, x, lower),
        "tilted": lambda: TiltedMoments(low, x, lower),
        "exact": lambda: ExactMoments(few, x, q[:N_FEW], log_joints),
        "RBM above": lambda: TopMoments(DBNParams(networks, high), x, lower),
        "undirected": lambda: LayerMeans((low, high), x, q),
    }


def microseconds(make: Callable[[], LayerMoments]) -> float:
    """Return the least time of a visit."""
    found = []
    for _ in range(REPETITIONS):
        moments = make()
        begun = time.perf_counter()
        trace = guess_trace(None, moments, {}, N_SWEEPS, "lrbn")
        found.append((time.perf_counter() - begun) / trace.n_visits)
    return 1e6 * min(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a visit takes too long")
    options = parser.parse_args()
    slow = False
    for name, make in makers().items():
        took = microseconds(make)
        slow |= took > LIMITS[name]
        print(f"{name:12} {took:6.1f} us a visit, at most {LIMITS[name]:.0f}", flush=True)
    return int(options.check and slow)


if __name__ == "__main__":
    sys.exit(main())
