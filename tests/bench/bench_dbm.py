"""Train a deep Boltzmann machine of 200 and 200 latents, thresholded images, and estimate its log P(x).

    python tests/bench/bench_dbm.py [--data mnist] [--judged 500] [--every 1] [--check]

MNIST's settings and passes were chosen on held-out training images. Those of the other data sets were carried
over from it, and nobody has chosen them; on OCR letters they reach the bound. Passes are judged on held-out
images; then the first test images are judged once. The variational bound, and the annealed P(x) of each
image, need log Z, which is annealed twice, the second time more slowly: where both agree, little is missed.
RAISE errs the other way. With --check the exit status is 1 if the annealed nats on test images are below the
data set's bound.
"""

from __future__ import annotations

import argparse
import sys
from typing import Any

import numpy as np
from rivals import Preset, add_options, chosen, images_of, judged, training_of

import lrbn_viz
from lrbn_viz.measure import log_likelihood

N_H = N_TOP = 200
TEMPERATURES, CHAINS = (3000, 12000), 100
OF_IMAGES = 1000
"""Temperatures of the annealing of each image."""
SETTINGS: dict[str, Any] = {
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "first_share": 0.2,
    "second_share": 0.1,
    "together_rate": 1.0,
    "n_updates": 5,
    "n_gibbs": 1,
}
PRESETS = {
    "mnist": Preset(90, SETTINGS, -80.0),
    "caltech101_silhouettes": Preset(300, {**SETTINGS, "learning_rate": 0.05}, -110.0, 1, True),
    "ocr_letters": Preset(200, SETTINGS, -33.2),
}


def main() -> int:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train a deep Boltzmann machine, and judge it.")
    parser.add_argument("--check", action="store_true", help="exit with 1 below the data set's bound")
    add_options(parser)
    options = parser.parse_args()
    preset = chosen(options, PRESETS[options.data])
    data = images_of(options.data, preset.shifts, preset.mirror)
    model = lrbn_viz.DBM((N_H, N_TOP), **preset.settings)
    training = training_of(model.make_system(), model.batch_size, data, preset.passes)
    spent = 0.0
    for figures, spent in judged(training, options.every, data.held_out):
        score, log_z = figures["variational_bound"], figures["log_partition"]
        gap, wrong = figures.get("upper_layer_gap", np.nan), figures["wrong_pixels"]
        print(
            f"pass {training.epoch}, stage {training.state.stage}, {spent:.0f} CPU s: held out, bound "
            f"{score:.2f} nats, log Z {log_z:.2f}, layer 2 {gap:.2f}, {wrong:.1f} px",
            flush=True,
        )
    model.adopt(training.state)
    if not options.judged:
        return 0
    X = data.test_X[: options.judged]
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
    return 1 if options.check and nats < preset.bound else 0


if __name__ == "__main__":
    sys.exit(main())
