"""Train a deep Boltzmann machine of 200 and 200 latents on MNIST, thresholded, and estimate its log P(x).

    python tests/bench/bench_dbm.py [--passes 90] [--judged 500] [--check]

Settings and passes were chosen on the last 1,000 training images, on which each pass is judged; then the
first test images are judged once. The variational bound, and the annealed P(x) of each image, need log Z,
which is annealed twice, the second time more slowly: where both agree, little is missed. RAISE errs the other
way. With --check the exit status is 1 if the annealed nats on test images are below the bound.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

import lrbn_viz
from lrbn_viz.evaluation import log_likelihood
from lrbn_viz.training import Training

N_H = N_TOP = 200
BOUND = -80.0
TEMPERATURES, CHAINS = (3000, 12000), 100
OF_IMAGES = 1000
"""Temperatures of the annealing of each image."""
RECIPE: dict[str, Any] = {
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "first_share": 0.2,
    "second_share": 0.1,
    "together_rate": 1.0,
    "n_updates": 5,
    "n_gibbs": 1,
}


def main() -> int:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train a deep Boltzmann machine on MNIST, and judge it.")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 below {BOUND:g} nats")
    parser.add_argument("--passes", type=int, default=90)
    parser.add_argument("--judged", type=int, default=500, help="test images, the first ones; 0: none")
    parser.add_argument("--every", type=int, default=1, help="print each so many passes")
    for name, value in RECIPE.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    options = parser.parse_args()
    digits = lrbn_viz.load_dataset("mnist")
    model = lrbn_viz.DBM(N_H, n_top=N_TOP, **{name: getattr(options, name) for name in RECIPE})
    training = Training(
        model.make_system(),
        digits.train_X[:-1000],
        n_iter=options.passes,
        batch_size=model.batch_size,
        rng=np.random.default_rng(0),
        validation=digits.train_X[-1000:],
    )
    began = time.process_time()
    for state, event in training:
        figures = event.metrics
        if "validation_score" in figures and (event.epoch + 1) % options.every == 0:
            score, log_z = figures["validation_score"], figures["validation_log_partition"]
            gap, wrong = figures["validation_upper_layer_gap"], figures["validation_wrong_pixels"]
            print(
                f"pass {event.epoch + 1}, stage {state.stage}, {time.process_time() - began:.0f} CPU s: held "
                f"out, bound {score:.2f} nats, log Z {log_z:.2f}, layer 2 {gap:.2f}, {wrong:.1f} px",
                flush=True,
            )
    spent = time.process_time() - began
    model.adopt(training.state)
    if not options.judged:
        return 0
    X = digits.test_X[: options.judged]
    print(f"trained in {spent:.0f} CPU s; the first {len(X)} test images:", flush=True)
    how: dict[str, Any] = {"n_temperatures": OF_IMAGES}
    images = model.check_images(X)
    bound = float(model.variational_bound(images).mean())
    weights_of_images = model.annealed_weights(images, OF_IMAGES, np.random.default_rng(1))
    annealed, nats = float(weights_of_images.mean()), np.inf
    for n_temperatures in TEMPERATURES:
        weights = model.annealed_normaliser(n_temperatures, CHAINS, np.random.default_rng(2))
        log_z = float(np.logaddexp.reduce(weights) - np.log(CHAINS))
        nats = min(nats, annealed - log_z)
        print(
            f"{n_temperatures} temperatures: log Z {log_z:.2f}, log P(x) ~ {annealed - log_z:.2f} nats by "
            f"AIS, variational bound {bound - log_z:.2f}",
            flush=True,
        )
    print(f"{log_likelihood(model, X[:100], method='raise', n_chains=10, **how)}", flush=True)
    print(f"the same images by AIS: {weights_of_images[:100].mean() - log_z:.2f} nats", flush=True)
    print(f"layer 2: {model.upper_layer_gap(X).mean():.2f} nats", flush=True)
    print(f"{(model.reconstruct(X) != X).sum(axis=1).mean():.1f} px wrong by mean field", flush=True)
    return 1 if options.check and nats < BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
