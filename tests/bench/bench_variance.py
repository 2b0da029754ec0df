"""Compare Gaussian RBMs of fixed and of learned variance on real-valued 8 x 8 digits.

Both learn the same images, by the same gradient in as many steps; each takes that of several learning rates
which is likeliest on validation images, and log P(x) is given of other images, the test images. It is exact:
by enumeration of the latents. Images have 17 grey levels, on which a density could grow without end. So each
pixel gets a random number below the distance of two levels, and log P(x) is of these, in standard deviations
of the pixel in the training images.

    python tests/bench/bench_variance.py [--check] [--latents 16] [--passes 300]

With --check the exit status is 1 if the learned variances are not likelier.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

import lrbn_viz
from lrbn_viz.measure import log_likelihood

LEVELS = 16
N_VALIDATION = 300
RATES = (0.003, 0.01, 0.03, 0.1, 0.3)
BATCH_SIZE = 20
VARIANCES: tuple[Literal["fixed", "learned"], ...] = ("fixed", "learned")


class Parts(NamedTuple):
    """Standardised images, (n, 64) each."""

    train_X: NDArray[np.float64]
    validation_X: NDArray[np.float64]
    test_X: NDArray[np.float64]


def digits() -> Parts:
    """Return the digits with noise below one grey level, standardised by the training images."""
    data, rng = lrbn_viz.load_dataset("digits", binary=False), np.random.default_rng(0)
    train, test = (
        (np.rint(LEVELS * data.to_intensity(X)) + rng.random(X.shape)) / LEVELS
        for X in (data.train_X, data.test_X)
    )
    kept = train[:-N_VALIDATION]
    mean, scale = kept.mean(axis=0), kept.std(axis=0)
    return Parts(*((X - mean) / scale for X in (kept, train[-N_VALIDATION:], test)))


def trained(variance: Literal["fixed", "learned"], rate: float, n_h: int, passes: int, X: NDArray) -> Any:
    """Return a model, or None where training diverges."""
    how: dict[str, Any] = {"visible": "gaussian", "gradient": "enhanced", "n_particles": 100}
    model = lrbn_viz.RBM(
        n_h,
        variance=variance,
        learning_rate=rate,
        learning_rate_end=rate / 30,
        batch_size=BATCH_SIZE,
        n_iter=passes,
        validation_size=0,
        random_state=0,
        **how,
    )
    try:
        return model.fit(X)
    except FloatingPointError:
        return None


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description="Compare fixed and learned variances of a Gaussian RBM.")
    parser.add_argument("--check", action="store_true", help="exit with 1 if the learned are not likelier")
    parser.add_argument("--latents", type=int, default=16, help="at most 20: log P(x) is by enumeration")
    parser.add_argument("--passes", type=int, default=300, help="over the training images")
    options = parser.parse_args()
    parts, found = digits(), {}
    print(
        f"{len(parts.train_X)} training images, {options.latents} latents, {options.passes} passes; rates "
        f"chosen on {len(parts.validation_X)} validation images, log P(x) of {len(parts.test_X)} test images"
    )
    for variance in VARIANCES:
        best, judged = None, []
        for rate in RATES:
            model = trained(variance, rate, options.latents, options.passes, parts.train_X)
            nats = -np.inf
            if model is not None:
                nats = log_likelihood(model, parts.validation_X, method="exact").mean
            judged.append(f"{rate:g}: {nats:.2f}" if np.isfinite(nats) else f"{rate:g}: diverged")
            if best is None or nats > best[0]:
                best = nats, rate, model
        print(f"{variance} variance, validation nats by rate: {', '.join(judged)}", flush=True)
        assert best is not None
        rate = best[1]
        model: Any = best[2]
        result = log_likelihood(model, parts.test_X, method="exact")
        error = float(np.square(model.reconstruct(parts.test_X) - parts.test_X).sum(axis=1).mean())
        found[variance] = result.mean
        print(f"{variance} variance, rate {rate:g}: {result}, squared error {error:.1f}", flush=True)
        if model.deviations_ is not None:
            low, middle, high = np.quantile(model.deviations_**2, [0, 0.5, 1])
            print(f"learned variances: {low:.3f} to {high:.3f}, median {middle:.3f}")
    gain = found["learned"] - found["fixed"]
    print(f"learned variance is {gain:+.2f} nats an image")
    return 1 if options.check and not gain > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
