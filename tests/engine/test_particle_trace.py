"""Traces of importance-weighted particles, against enumeration."""

from __future__ import annotations

import math
from dataclasses import fields

import naive
import numpy as np
import pytest
from engine.test_deep_recognition import model_of as deep_of
from engine.test_deep_recognition import networks as deep_networks
from engine.test_recognition import image, model_of, networks

from lrbn_viz import exact_posterior, load_dataset, pretrained
from lrbn_viz.core.trace import ICMTrace, ParticleTrace, Trace, visits_of
from lrbn_viz.core.validation import generator
from lrbn_viz.measure.ladder import distances

N_V, N_H = 8, 6


def one_layer(seed: int = 0, scale: float = 0.5):
    return model_of(networks(seed, N_V, N_H, scale)), image(seed, N_V)


def two_layers(seed: int = 0):
    params = deep_networks(seed)
    return deep_of(params), image(seed, params.n_v)


MODELS = {"one layer": one_layer, "two layers": two_layers}
every = pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)


def particles(model, x, n: int = 40, seed: int = 0, **how) -> ParticleTrace:
    trace = model.map_trace(x, kind="particles", n_particles=n, random_state=seed, **how)
    assert isinstance(trace, ParticleTrace)
    return trace


@pytest.mark.parametrize("scale", [0.5, 3.0, 30.0])
def test_each_weighs_what_the_naive_joint_and_guess_say(scale):
    params = networks(3, N_V, N_H, scale)
    model, x = model_of(params), image(3, N_V)
    trace = particles(model, x)
    for h, log_weight in zip(trace.particles, trace.log_weights, strict=True):
        assert log_weight == pytest.approx(naive.log_weight(params, x, h), rel=1e-9, abs=1e-9)
    deep = deep_networks(3, scale=scale)
    x = image(3, deep.n_v)
    trace = particles(deep_of(deep), x)
    for both, log_weight in zip(trace.particles, trace.log_weights, strict=True):
        h, g = np.split(both, [deep.n_h])
        wanted = naive.log_joint_of_two(deep, x, h, g) - naive.log_guess_of_two(deep, x, h, g)
        assert log_weight == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_both_kinds_of_trace_keep_what_their_parent_promises_and_no_more_is_promised():
    model, x = one_layer()
    of_particles, of_visits = particles(model, x), model.map_trace(x, kind="icm")
    for trace in (of_particles, of_visits):
        assert isinstance(trace, Trace)
        end = trace.n_visits
        assert len(trace) == len(trace.changes) == len(trace.to_frame()) == end
        assert trace.latents(end).shape == trace.ever_on().shape == (trace.n_h,)
        assert trace.wrong_pixels().shape == (end + 1,)
        assert trace.log_joint_at(end) == trace.log_joint[-1]
        assert trace.counted.startswith(f"visits {end}")
    assert not {"unit", "after", "flipped", "h0", "sweep"} & {*dir(Trace), *dir(of_particles)}
    assert visits_of(of_visits) is of_visits
    with pytest.raises(TypeError, match=r"expected .* an ICMTrace; got a ParticleTrace"):
        visits_of(of_particles)


@every
def test_estimates_means_and_sizes_are_those_of_plain_sums(make):
    model, x = make()
    trace = particles(model, x)
    assert trace.n_visits == 39
    assert trace.means
    assert trace.normalised
    sizes = trace.effective_sample_sizes()
    for k in range(trace.n_visits + 1):
        w = np.exp(trace.log_weights[: k + 1])
        assert trace.shares(k).sum() == pytest.approx(1.0, abs=1e-12)
        np.testing.assert_allclose(trace.shares(k), w / w.sum(), rtol=1e-9)
        np.testing.assert_allclose(trace.latents(k), w @ trace.particles[: k + 1] / w.sum(), atol=1e-12)
        assert trace.log_joint_at(k) == pytest.approx(math.log(w.mean()), abs=1e-9)
        assert sizes[k] == pytest.approx(w.sum() ** 2 / (w**2).sum(), rel=1e-9)
        assert sizes[k] * (1 + 1e-12) >= 1.0
        assert sizes[k] <= (k + 1) * (1 + 1e-12)
        if k:
            assert trace.shares_of_latest()[k - 1] == pytest.approx(w[-1] / w.sum(), rel=1e-9)
            assert trace.changes[k - 1]


@every
def test_with_many_the_estimate_goes_to_log_p_the_mean_weight_is_p_and_the_means_are_the_marginals(make):
    for seed in (1, 2):
        model, x = make(seed)
        posterior = exact_posterior(model, x)
        trace = particles(model, x, 200_000, seed)
        ratios = np.exp(trace.log_weights - posterior.log_evidence)  # w / P(x), of mean 1
        error = ratios.std() / math.sqrt(len(ratios))
        assert error < 0.02, "the test would tell nothing"
        assert abs(ratios.mean() - 1.0) < 4 * error
        assert trace.log_joint[-1] == pytest.approx(posterior.log_evidence, abs=5 * error)
        spread = np.abs(trace.latents(trace.n_visits) - posterior.marginals)
        assert spread.max() < 4 * math.sqrt(0.25 / trace.effective_sample_sizes()[-1])


@every
def test_estimates_are_below_log_p_in_expectation_and_rise_with_particles(make):
    model, x = make(1)
    posterior, rng = exact_posterior(model, x), np.random.default_rng(0)
    found = np.array([particles(model, x, 30, int(seed)).log_joint for seed in rng.integers(0, 2**31, 2000)])
    few, many = found[:, 0], found[:, -1]
    assert few.mean() + 4 * few.std() / math.sqrt(2000) < many.mean()
    assert many.mean() < posterior.log_evidence + 4 * many.std() / math.sqrt(2000)


@every
def test_a_seed_decides_all_and_fewer_particles_of_it_are_not_another_image(make):
    model, x = make()
    ours, again, other = (particles(model, x, seed=seed) for seed in (4, 4, 5))
    for name in (each.name for each in fields(ParticleTrace)):
        np.testing.assert_array_equal(getattr(ours, name), getattr(again, name))
    assert (ours.particles != other.particles).any()
    begun = particles(model, x, seed=4, init="zeros")
    np.testing.assert_array_equal(begun.particles, ours.particles)  # a start decides nothing


def test_a_seed_of_the_protocol_is_that_of_the_estimator():
    model, x = one_layer()
    assert model.trace_methods["particles"].draws
    asked = model.trace(x, "particles", init="zeros", clamp={}, random_state=7)
    direct = model.map_trace(x, kind="particles", random_state=generator(7))
    np.testing.assert_array_equal(asked.log_joint, direct.log_joint)
    assert asked.n_visits == 99


@every
def test_held_units_are_held_in_every_particle_which_weigh_the_image_with_them(make):
    model, x = make(2)
    last = model.n_latents_ - 1
    held = {0: 1, last: 0}
    trace = particles(model, x, 200_000, clamp=held)
    assert (trace.particles[:, 0] == 1).all()
    assert (trace.particles[:, last] == 0).all()
    states = np.array(list(naive.states(model.n_latents_)))
    fit = (states[:, 0] == 1) & (states[:, last] == 0)
    joints = model.log_joint(np.tile(x, (int(fit.sum()), 1)), states[fit])
    wanted = float(np.logaddexp.reduce(joints))
    ratios = np.exp(trace.log_weights - wanted)
    assert abs(ratios.mean() - 1.0) < 4 * ratios.std() / math.sqrt(len(ratios))


def test_distances_are_those_of_the_particles_themselves():
    model, x = one_layer(1)
    posterior = exact_posterior(model, x)
    trace = particles(model, x, 30)
    found = distances(posterior, trace)
    codes = trace.particles.astype(int) @ (1 << np.arange(N_H))
    for k in range(trace.n_visits + 1):
        q = np.zeros(2**N_H)
        np.add.at(q, codes[: k + 1], trace.shares(k))
        on = q > 0
        kl = float(q[on] @ (np.log(q[on]) - np.log(posterior.probabilities[on])))
        assert found.kl[k] == pytest.approx(kl, abs=1e-9)
        half = 0.5 * np.abs(q - posterior.probabilities).sum()
        assert found.total_variation[k] == pytest.approx(half, abs=1e-9)
    many = distances(posterior, particles(model, x, 3000))
    assert many.kl[-1] < 0.1 * many.kl[0]
    assert many.total_variation[-1] < 0.2


@every
def test_a_file_holds_the_particles_and_the_table_has_a_row_for_each_visit(make, tmp_path):
    model, x = make()
    trace = particles(model, x)
    trace.save(tmp_path / "trace.npz")
    again = ICMTrace.load(tmp_path / "trace.npz")
    assert isinstance(again, ParticleTrace)
    for each in fields(ParticleTrace):
        np.testing.assert_array_equal(getattr(again, each.name), getattr(trace, each.name))
    table = trace.to_frame()
    assert list(table) == ["k", "log_weight", "share", "effective_sample_size", "log_joint"]
    np.testing.assert_array_equal(table["log_joint"], trace.log_joint)
    np.testing.assert_array_equal(trace.ever_on(), trace.particles.any(axis=0))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("particles", np.full((3, N_H), 2, np.uint8)),
        ("particles", np.zeros((2, N_H), np.uint8)),
        ("log_weights", np.array([0.0, np.nan, 0.0])),
        ("x", np.full(N_V, 3, np.uint8)),
        ("model", "nothing"),
    ],
)
def test_a_damaged_file_is_refused_in_words(name, value, tmp_path):
    model, x = one_layer()
    particles(model, x, 3).save(tmp_path / "trace.npz")
    with np.load(tmp_path / "trace.npz") as stored:
        arrays = dict(stored)
    np.savez(tmp_path / "bad.npz", **(arrays | {name: value}))
    with pytest.raises(ValueError, match=r"bad\.npz"):
        ICMTrace.load(tmp_path / "bad.npz")


def test_one_particle_is_the_least_and_options_of_icm_are_refused():
    model, x = one_layer()
    assert particles(model, x, 1).n_visits == 0
    with pytest.raises(ValueError, match="n_particles"):
        particles(model, x, 0)
    with pytest.raises(TypeError, match="takes no order"):
        particles(model, x, order="random")


def test_a_recognition_network_that_misses_states_is_far_away_however_many_particles_seem_to_count():
    """What the lane is there to show: the size is of the particles that were drawn, not of the posterior."""
    data = load_dataset("digits")
    model, x = pretrained("lrbn-12-digits-recognition"), data.test_X[0]
    posterior = exact_posterior(model, x)
    trace = particles(model, x, 100)
    assert trace.effective_sample_sizes()[-1] > 50
    assert distances(posterior, trace).total_variation[-1] > 0.5
