"""What pages compute of weighted particles is what a trace says."""

from __future__ import annotations

import numpy as np
import pytest
from engine.test_particle_trace import MODELS, particles

from lrbn_viz.kernels.numerics import errors_of_means
from lrbn_viz.kernels.particles import means_along, weigh_along

pytestmark = pytest.mark.nojit


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
def test_the_kernels_give_the_estimates_shares_means_and_errors_of_a_trace(make):
    model, x = make()
    trace = particles(model, x)
    n, n_h = trace.particles.shape
    estimates, shares, means, errors = np.empty(n), np.empty(n), np.empty((n, n_h)), np.empty(n)
    weigh_along(trace.log_weights, estimates, shares)
    assert estimates == pytest.approx(np.append(trace.log_joint0, trace.log_joint), abs=1e-12)
    assert shares == pytest.approx(np.append(1.0, trace.shares_of_latest()), abs=1e-12)
    means_along(trace.particles, shares, means)
    assert means == pytest.approx(np.array([trace.latents(k) for k in range(n)]), abs=1e-12)
    W, b, _ = model.layers[0]
    rows, a = np.array(W.T, np.float64, order="C"), np.empty(len(b))
    b, images = np.array(b, np.float64), x.astype(np.float64)[None]
    errors_of_means(rows, b, means, images, False, a, errors)
    assert errors.tolist() == trace.wrong_pixels().tolist()
    images = np.random.default_rng(0).integers(0, 2, (n, len(b))).astype(np.float64)
    errors_of_means(rows, b, means, images, False, a, errors)  # of an image for each
    assert errors.tolist() == ((means[:, : len(rows)] @ rows + b > 0) != images).sum(axis=1).tolist()
