"""Train a deep belief network of 200 and 200 latents on MNIST, thresholded, and estimate its log P(x).

    python tests/bench/bench_dbn.py [--passes 140] [--judged 500] [--check]

Settings and passes were chosen on the last 1,000 training images, on which each pass is judged; then the
first test images are judged once: by importance sampling from the recognition network, and by the variational
bound. Both need log Z of the RBM on top, which is annealed twice, the second time more slowly: where both
agree, little is missed. With --check the exit status is 1 if the nats on test images are below the bound.
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
BOUND = -78.5
PARTICLES = 1000
BOUND_PARTICLES = 20
TEMPERATURES, CHAINS = (3000, 12000), 100
RECIPE: dict[str, Any] = {
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "first_share": 0.4,
    "up_down_share": 0.3,
    "up_down_rate": 1.0,
}


def main() -> int:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train a deep belief network on MNIST, and judge it.")
    parser.add_argument("--check", action="store_true", help=f"exit with 1 below {BOUND:g} nats")
    parser.add_argument("--passes", type=int, default=140)
    parser.add_argument("--judged", type=int, default=500, help="test images, the first ones; 0: none")
    options = parser.parse_args()
    digits = lrbn_viz.load_dataset("mnist")
    model = lrbn_viz.DBN(N_H, n_top=N_TOP, **RECIPE)
    system = model.make_system()
    training = Training(
        system,
        digits.train_X[:-1000],
        n_iter=options.passes,
        batch_size=model.batch_size,
        rng=np.random.default_rng(0),
        validation=digits.train_X[-1000:],
    )
    began = time.process_time()
    for state, event in training:
        figures = event.metrics
        if "validation_score" in figures:
            model.adopt(state)
            score, bound = figures["validation_score"], figures["validation_variational_bound"]
            log_z, wrong = figures["validation_log_partition"], figures["validation_wrong_pixels"]
            print(
                f"pass {event.epoch + 1}, stage {state.stage}, {time.process_time() - began:.0f} CPU s: held "
                f"out, {score:.2f} nats, bound {bound:.2f}, log Z {log_z:.2f}, {wrong:.1f} px",
                flush=True,
            )
    if not options.judged:
        return 0
    X = digits.test_X[: options.judged]
    drawn = system.bounds(training.state, X, BOUND_PARTICLES, np.random.default_rng(1)).log_weights.mean()
    found = log_likelihood(model, X, method="importance", n_samples=PARTICLES, n_temperatures=TEMPERATURES[0])
    log_z = found.settings["log_partition"]
    print(f"{found}, {found.settings}", flush=True)
    slower = model.annealed_normaliser(TEMPERATURES[1], CHAINS, np.random.default_rng(2))
    again = float(np.logaddexp.reduce(slower) - np.log(CHAINS))
    for n_temperatures, each in zip(TEMPERATURES, (log_z, again), strict=True):
        nats, bound = found.mean + log_z - each, drawn - each
        print(
            f"{n_temperatures} temperatures: log Z {each:.2f}, log P(x) ~ {nats:.2f} nats, variational bound "
            f"{bound:.2f}",
            flush=True,
        )
    wrong = (model.reconstruct(X) != X).sum(axis=1).mean()
    print(f"{wrong:.1f} px wrong in one pass", flush=True)
    return 1 if options.check and found.mean + log_z - max(log_z, again) < BOUND else 0


if __name__ == "__main__":
    sys.exit(main())
