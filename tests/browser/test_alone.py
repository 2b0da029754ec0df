"""Steps of training on one thread and in place are those of Python's systems."""

from __future__ import annotations

import numpy as np
import pytest

from lrbn_viz.browser.networks import (
    FIGURES,
    Uniforms,
    dream_alone,
    generate_alone,
    recognise_alone,
    rws_step_alone,
)
from lrbn_viz.browser.rbm import decode_alone, encode_alone, gibbs_alone, predict_alone, step_alone
from lrbn_viz.rivals.rbm.centring import KINDS, Centres
from lrbn_viz.rivals.rbm.pseudo_likelihood import predicted_pixels, pseudo_log_likelihood
from lrbn_viz.rivals.rbm.sampling import gibbs, keys_for
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.rws import RWSSystem

pytestmark = pytest.mark.nojit

N, N_V, N_H = 6, 37, 5


def images(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, (N, N_V), dtype=np.uint8)


@pytest.mark.parametrize("method", ["pcd", "cd"])
@pytest.mark.parametrize("gradient", ["standard", "centred", "enhanced"])
def test_a_step_of_an_rbm_in_place_is_that_of_its_system(gradient, method):
    system = RBMSystem(n_h=N_H, gradient=gradient, method=method, n_gibbs=2, weight_decay=1e-3)
    state = system.init(images(0), np.random.default_rng(1))
    W, b, d = (np.array(each) for each in state[:3])
    particles = np.array(state.particles)
    centred = gradient == "centred"
    centres = Centres(*(np.zeros(n if centred else 0, np.float32) for n in (N_V, N_H)))
    theirs, ours, figures = np.random.default_rng(2), np.random.default_rng(2), np.empty(5)
    for step in range(3):
        before = state
        state, said = system.step(state, images(step), theirs)
        step_alone(
            W, b, d, images(step), particles, method == "pcd", keys_for(4, ours),
            system.learning_rate, system.decay_steps, system.weight_decay, step,
            KINDS[gradient], centres, figures,
        )  # fmt: skip
        np.testing.assert_array_equal(particles, state.particles)
        for one, other in zip((W, b, d), state[:3], strict=True):
            np.testing.assert_array_equal(one, other)
        wanted = [said[name] for name in ("learning_rate", "activity", "fantasy_activity")]
        np.testing.assert_allclose(figures[:3], wanted, rtol=1e-6)
        np.testing.assert_allclose(figures[4], system.gradient_norm(before, state), rtol=1e-4)
    totals, fields, pixels = np.empty(N), np.empty(N_H), predicted_pixels(N_V, 20)
    predict_alone(W, b, d, images(9), pixels, fields, totals)
    np.testing.assert_allclose(totals, pseudo_log_likelihood(state, images(9), pixels=pixels), rtol=1e-6)
    H = np.zeros((N, N_H), np.uint8)
    encode_alone(W, d, images(9), H)
    np.testing.assert_array_equal(H, system.encode(state, images(9)))
    means = np.empty((N, N_V))
    decode_alone(W, b, H, means)
    np.testing.assert_allclose(means, system.decode(state, H), atol=1e-6)
    wanted = gibbs(state, H, 3, np.random.default_rng(5))
    X = np.empty((N, N_V), np.uint8)
    gibbs_alone(W, b, d, H, keys_for(6, np.random.default_rng(5)), X)
    np.testing.assert_array_equal(X, wanted[0])
    np.testing.assert_array_equal(H, wanted[1])


@pytest.mark.parametrize("phases", ["both", "wake", "sleep"])
def test_a_step_of_rws_in_place_is_that_of_its_system(phases):
    system = RWSSystem(n_h=N_H, phases=phases, n_particles=3, recognition_rate=0.5)
    state = system.init(images(0), np.random.default_rng(1))
    of = LayerNetworks(*(np.array(each) for each in state.layers[0]))
    mean, gradient = (LayerNetworks(*map(np.zeros_like, of)) for _ in range(2))
    theirs, ours, figures = np.random.default_rng(2), np.random.default_rng(2), np.empty(5)
    names = ("learning_rate", "decay_steps", "momentum", "generative_rate", "recognition_rate")
    settings = {name: float(getattr(system, name)) for name in names}
    for step in range(3):
        state, said = system.step(state, images(step), theirs)
        sizes = ((3 * N, N_H), (N, N_H), (N, N_V)) if system.sleeps else ((3 * N, N_H),)
        drawn = [ours.random(size, dtype=np.float32) for size in sizes]
        none = [np.zeros((0, width), np.float32) for width in (N_H, N_H, N_V)]
        uniforms = Uniforms(*drawn, *none[len(drawn) :])
        X = images(step).astype(np.float32)
        rws_step_alone(
            of,
            mean,
            gradient,
            X,
            uniforms,
            3,
            system.wakes,
            system.sleeps,
            **settings,
            step=step,
            figures=figures,
        )
        for one, other in zip(of, state.layers[0], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
        assert figures[:3] == pytest.approx([said[name] for name in FIGURES], rel=1e-5)
    X = images(9).astype(np.float32)
    means, again = np.empty((N, N_H), np.float32), np.empty((N, N_V))
    recognise_alone(of, X, means)
    np.testing.assert_allclose(means, system.encode(state, images(9)), atol=1e-6)
    generate_alone(of, means, again)
    np.testing.assert_allclose(again, system.decode(state, means), atol=1e-6)
    numbers = np.random.default_rng(5)
    H, dreams = (numbers.random((N, width), dtype=np.float32) for width in (N_H, N_V))
    dream_alone(of, Uniforms(np.zeros((0, N_H), np.float32), H, dreams))
    np.testing.assert_array_equal(dreams, system.sample(state, N, np.random.default_rng(5)))
