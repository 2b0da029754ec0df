"""Train a deep belief network of 200 and 200 latents, thresholded images, and estimate its log P(x).

    python tests/bench/bench_dbn.py [--data mnist] [--judged 500] [--every 1] [--check]

MNIST's settings and passes were chosen on held-out training images. Those of OCR letters were carried over
from it, and reach the bound. Of Caltech the shares of the stages are the best of several on held-out images;
half of the training images are mirrored. Passes are judged on held-out images; then the first test images are
judged once: by importance sampling from the recognition network, and by the variational bound. Both need log
Z of the RBM on top, which is annealed twice, the second time more slowly: where both agree, little is missed.
With --check the exit status is 1 if the nats on test images are below the data set's bound.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
from rivals import Preset, add_options, chosen, images_of, judged, training_of

import lrbn_viz
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.dbn.system import DBNSystem

N_H = N_TOP = 200
PARTICLES = 1000
BOUND_PARTICLES = 20
TEMPERATURES, CHAINS = (3000, 12000), 100
SETTINGS: dict[str, Any] = {
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "first_share": 0.4,
    "up_down_share": 0.3,
    "up_down_rate": 1.0,
}
LONGER_TOGETHER: dict[str, Any] = {"first_share": 0.15, "up_down_share": 0.7, "n_particles": 200}
PRESETS = {
    "mnist": Preset(140, SETTINGS, -78.5),
    "caltech101_silhouettes": Preset(600, {**SETTINGS, **LONGER_TOGETHER}, -106.0, 0, True),
    "ocr_letters": Preset(300, SETTINGS, -32.3),
}


def main() -> int:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train a deep belief network, and judge it.")
    parser.add_argument("--check", action="store_true", help="exit with 1 below the data set's bound")
    add_options(parser)
    options = parser.parse_args()
    preset = chosen(options, PRESETS[options.data])
    data = images_of(options.data, preset.shifts, preset.mirror)
    model = lrbn_viz.DBN((N_H, N_TOP), **preset.settings)
    system = model.make_system()
    assert isinstance(system, DBNSystem)
    training = training_of(system, model.batch_size, data, preset.passes)
    for figures, seconds in judged(training, options.every, data.held_out):
        score, bound = figures["log_likelihood"], figures["variational_bound"]
        log_z, wrong = figures["log_partition"], figures["wrong_pixels"]
        print(
            f"pass {training.epoch}, stage {training.state.stage}, {seconds:.0f} CPU s: held out, "
            f"{score:.2f} nats, bound {bound:.2f}, log Z {log_z:.2f}, {wrong:.1f} px",
            flush=True,
        )
    model.adopt(training.state)
    if not options.judged:
        return 0
    X = data.test_X[: options.judged]
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
    return 1 if options.check and found.mean + log_z - max(log_z, again) < preset.bound else 0


if __name__ == "__main__":
    sys.exit(main())
