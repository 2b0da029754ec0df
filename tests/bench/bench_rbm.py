"""Time an epoch of RBM training against scikit-learn's BernoulliRBM at the same work.

Same images, 784 visibles and 200 latents, same batch size, PCD with one Gibbs step, as many chains as the
batch has rows: the same five matrix products a step, both with all the threads they take. Both times
include creating the model. Runs alternate, so that other load falls on both; the ratio is the median over
rounds.

    python tests/bench/bench_rbm.py [--check] [--images 5000] [--rounds 5]

With --check the exit status is 1 if the ratio to scikit-learn's default (float64 images) is below its bound
at any batch size.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import BernoulliRBM

import lrbn_viz
from lrbn_viz.kernels.numerics import on_one_thread
from lrbn_viz.rivals.rbm import kernels
from lrbn_viz.rivals.rbm.centring import Gradient
from lrbn_viz.rivals.rbm.gradient import ascend
from lrbn_viz.rivals.rbm.sampling import threads_for
from lrbn_viz.rivals.rbm.system import RBMSystem

N_H = 200
BOUNDS = {10: 8.0, 20: 8.0, 100: 8.0}
"""By images in a minibatch, of which scikit-learn's default is 10. Float64 is its own choice, too: it keeps
float32 where it gets it, and makes float64 of all else, such as these images' bytes."""
ENHANCED = 6.0
"""Bound for the enhanced gradient, which does more work."""


def epoch_here(X: NDArray[np.uint8], batch_size: int, gradient: Gradient = "standard") -> float:
    """Return the seconds of one epoch of this package's RBM."""
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    system = RBMSystem(N_H, learning_rate=0.05, n_particles=batch_size, gradient=gradient)
    state = system.init(X, rng)
    for first in range(0, len(X), batch_size):
        state, _ = system.step(state, X[first : first + batch_size], rng)
    return time.perf_counter() - start


def epoch_sklearn(X: NDArray, batch_size: int) -> float:
    """Return the seconds of one epoch of scikit-learn's, on images already of the type it computes in."""
    model = BernoulliRBM(N_H, learning_rate=0.05, batch_size=batch_size, n_iter=1, random_state=0)
    start = time.perf_counter()
    model.fit(X)
    return time.perf_counter() - start


def phase_shares(X: NDArray[np.uint8], batch_size: int) -> dict[str, float]:
    """Return the share of each kernel, called one by one, in the time of an epoch's steps, and the rest."""
    rng = np.random.default_rng(0)
    system = RBMSystem(N_H, learning_rate=0.05, n_particles=batch_size)
    state = system.init(X, rng)
    seconds: dict[str, float] = defaultdict(float)

    def timed(label, kernel, *args):
        start = time.perf_counter()
        result = kernel(*args)
        seconds[label] += time.perf_counter() - start
        return result

    key, rate, keep = np.uint64(1), np.float32(0.05), np.float32(1.0)
    for first in range(0, len(X), batch_size):
        W, b, d, H = state[:4]
        batch = X[first : first + batch_size]
        means = np.empty((len(batch) + len(H), N_H), np.float32)
        with threads_for(len(batch), W, "bench") as threads:
            V = timed("visibles of the chains", kernels.sample_visible, W, b, H, key, threads)
            timed("latent means of both", kernels.fill_means, W, d, batch, V, 0, len(means), means, threads)
            timed("latents of the chains", kernels.sample_bernoulli, means[len(batch) :], key, threads)
            timed("gradient step", ascend, W, b, d, batch, V, means, rate, keep, threads)
        state, _ = timed("", system.step, state, batch, rng)
    total = seconds.pop("")
    shares = {label: time_spent / total for label, time_spent in seconds.items()}
    return shares | {"Python around them": 1.0 - sum(shares.values())}


def rest() -> None:
    """Let the other library's idle threads stop spinning before the clock starts."""
    time.sleep(0.2)


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description="Time the RBM against scikit-learn's at the same work.")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    parser.add_argument("--images", type=int, default=5000, help="images per epoch")
    parser.add_argument("--rounds", type=int, default=5, help="epochs of each, alternating")
    options = parser.parse_args()

    train_X = lrbn_viz.load_dataset("mnist5k").train_X
    X = np.ascontiguousarray(np.resize(train_X, (options.images, train_X.shape[1])))
    X64, X32 = X.astype(np.float64), X.astype(np.float32)
    for warm_up in (epoch_here, phase_shares):  # compiles, or loads what an earlier run compiled
        warm_up(X[:200], 10)
        with on_one_thread():  # the other way to compute, which is tried after a while
            warm_up(X[:200], 10)
    print(f"{len(X)} images, {X.shape[1]} visibles, {X.mean():.3f} of them on, {N_H} latents, PCD-1")
    slow = []
    for batch_size, bound in BOUNDS.items():
        times: dict[str, list[float]] = defaultdict(list)
        for _ in range(options.rounds):
            rest()
            times["here"].append(epoch_here(X, batch_size))
            times["float64"].append(epoch_sklearn(X64, batch_size))
            rest()
            times["here again"].append(epoch_here(X, batch_size))
            times["float32"].append(epoch_sklearn(X32, batch_size))
            rest()
            times["enhanced"].append(epoch_here(X, batch_size, "enhanced"))
        ratio = float(np.median(np.divide(times["float64"], times["here"])))
        ratio32 = float(np.median(np.divide(times["float32"], times["here again"])))
        enhanced = float(np.median(np.divide(times["float64"], times["enhanced"])))
        here, f64, f32 = (np.median(times[name]) for name in ("here", "float64", "float32"))
        print(
            f"batch {batch_size:3d}: epoch {here:.3f} s, scikit-learn {f64:.3f} s (float32 {f32:.3f} s): "
            f"{ratio:.1f} times as fast (float32 {ratio32:.1f}); by the enhanced gradient, which it has not, "
            f"{enhanced:.1f}"
        )
        rest()
        for label, share in phase_shares(X, batch_size).items():
            print(f"    {share:4.0%} {label}")
        if ratio < bound or enhanced < ENHANCED:
            slow.append(f"batch {batch_size}: {ratio:.1f} of {bound:g}, enhanced {enhanced:.1f}")
    if slow and options.check:
        print(f"below its bound: {', '.join(slow)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
