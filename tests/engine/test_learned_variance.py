"""The Gaussian RBM with learned variances, against enumeration of its latents."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from engine.rbm_cases import all_states, run
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import RBM, load_dataset, load_model
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.measure import log_likelihood, raise_bracket
from lrbn_viz.measure.passes import gibbs_passes
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.adaptive import CANDIDATES, Adapted, best_end, gains
from lrbn_viz.rivals.rbm.model import MIN_LOG_VARIANCE
from lrbn_viz.rivals.rbm.partition import partition_weights, reverse_weights, start_of
from lrbn_viz.rivals.rbm.sampling import gibbs
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig

GRADIENTS = ["standard", "enhanced", "centred"]
NAMES = ("W", "b", "d", "z")


def small(n_v=4, n_h=3, seed=0, scale=0.6) -> Any:
    rng = np.random.default_rng(seed)
    W, b, d, z = (scale * rng.standard_normal(size) for size in ((n_v, n_h), n_v, n_h, n_v))
    W, b, d, z = (a.astype(np.float32) for a in (W, b, d, z))
    return RBMState(W, b, d, rng.integers(0, 2, (5, n_h), dtype=np.uint8), 0, z=z)


def model_of(params, **how: Any) -> Any:
    return RBM.from_params(*params[:3], visible="gaussian", z=params.z, **how)


def mixture(params) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """log P(h) of every h, the means of x given each, and the variances: by the energy as published."""
    W, b, d, z = (np.asarray(getattr(params, name), np.float64) for name in NAMES)
    H, variance = all_states(len(d)).astype(np.float64), np.exp(z)
    means = b + H @ W.T
    # the integral over x of exp(-(x - b)^2 / 2 s^2 + x w_i h / s^2), pixel by pixel
    of_x = 0.5 * (means**2 - b**2) / variance + 0.5 * np.log(2 * np.pi * variance)
    log_p = H @ d + of_x.sum(1)
    return log_p, means, variance


def exact(params, X) -> np.ndarray:
    """log P(x) as a mixture of Gaussians, one for each state of the latents."""
    log_p, means, variance = mixture(params)
    densities = -0.5 * ((X[:, None] - means) ** 2 / variance + np.log(2 * np.pi * variance)).sum(2)
    return np.logaddexp.reduce(densities + log_p - np.logaddexp.reduce(log_p), axis=1)


def drawn(params, n, rng) -> np.ndarray:
    """Exact samples of the model's images."""
    log_p, means, variance = mixture(params)
    p = np.exp(log_p - np.logaddexp.reduce(log_p))
    return means[rng.choice(len(p), n, p=p)] + np.sqrt(variance) * rng.standard_normal((n, len(variance)))


@pytest.mark.nojit
@given(seed=st.integers(0, 10_000), n_v=st.integers(1, 6), n_h=st.integers(1, 6))
@settings(max_examples=30)
def test_log_p_is_that_of_the_mixture_of_gaussians(seed, n_v, n_h):
    params = small(n_v, n_h, seed, 1.0)
    X = np.random.default_rng(seed).normal(size=(5, n_v))
    log_z = rbm.log_partition(params, "gaussian")
    assert log_z == pytest.approx(np.logaddexp.reduce(mixture(params)[0]))
    np.testing.assert_allclose(-rbm.free_energy(params, X, "gaussian") - log_z, exact(params, X), atol=1e-9)
    H = all_states(n_h)
    for x in X:
        log_joints = rbm.log_joint(params, np.tile(x, (len(H), 1)), H, "gaussian")
        p = np.exp(log_joints - np.logaddexp.reduce(log_joints))
        np.testing.assert_allclose(rbm.posterior(params, x), p @ H, atol=1e-9)


@pytest.mark.nojit
def test_log_variances_of_zero_are_the_model_of_unit_variance():
    params = small()._replace(z=np.zeros(4, np.float32))
    fixed, X = params._replace(z=()), np.random.default_rng(0).normal(size=(6, 4))
    for ask in (rbm.free_energy, rbm.log_odds):
        how = ("gaussian",) if ask is rbm.free_energy else ()
        np.testing.assert_array_equal(ask(params, X, *how), ask(fixed, X, *how))
    assert rbm.log_partition(params, "gaussian") == pytest.approx(rbm.log_partition(fixed, "gaussian"))


def gradient_of(params, X) -> list[np.ndarray]:
    """The gradient of the mean exact log P(x), by central differences."""
    arrays = {name: np.asarray(getattr(params, name), np.float64) for name in NAMES}
    found = []
    for name, array in arrays.items():
        g = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            values = []
            for step in (1e-5, -1e-5):
                moved = array.copy()
                moved[index] += step
                values.append(exact(params._replace(**{**arrays, name: moved}), X).mean())
            g[index] = (values[0] - values[1]) / 2e-5
        found.append(g)
    return found


@pytest.mark.parametrize("how", [{}, {"n_temperatures": 3}, {"method": "cd"}], ids=str)
@pytest.mark.parametrize("gradient", GRADIENTS)
def test_the_mean_step_is_the_exact_gradient(gradient, how):
    """With chains, or images, that are draws from the model; enhanced and centred, turned as published."""
    n = 40_000
    params, rng = small(seed=14, scale=0.5), np.random.default_rng(15)
    chains = how.get("n_temperatures", 1)
    system = RBMSystem(
        3, visible="gaussian", variance="learned", learning_rate=1.0, gradient=gradient, n_gibbs=2, **how
    )
    own = [
        gibbs(
            params._replace(W=beta * params.W, d=beta * params.d),
            rng.integers(0, 2, (n, 3), dtype=np.uint8),
            40,
            rng,
            "gaussian",
        )[1]
        for beta in np.linspace(1, 0, chains, dtype=np.float32)
    ]
    X = drawn(params, 5, rng).astype(np.float32) + np.float32(0.3)
    # CD's chains begin at the images, which then are to be the model's own: a gradient of 0
    images = drawn(params, n, rng).astype(np.float32) if "method" in how else np.repeat(X, n // 5, axis=0)
    after, _ = system.step(params._replace(particles=np.concatenate(own)), images, rng)
    dW, db, dd, dz = gradient_of(params, images[:: n // 5] if "method" not in how else images[:2000])
    if gradient != "standard":
        precision = np.exp(-np.asarray(params.z, np.float64))
        x_data, h_data = images.mean(0), rbm.posterior(params, images).mean(0)
        log_p, means, _ = mixture(params)
        p = np.exp(log_p - np.logaddexp.reduce(log_p))
        x_model, h_model = p @ means, p @ all_states(3)
        mu, lam = (
            (x_data, h_data) if gradient == "centred" else ((x_data + x_model) / 2, (h_data + h_model) / 2)
        )
        dW = dW - np.outer(precision * mu, dd) - np.outer(db, lam)
        db, dd = db - dW @ lam, dd - dW.T @ (precision * mu)
    assert np.abs(dz).max() > 0.05 or "method" in how, "the images ask for other variances"
    for name, step in zip(NAMES, (dW, db, dd, dz), strict=True):
        moved = getattr(after, name) - getattr(params, name)
        np.testing.assert_allclose(moved, step, atol=0.15 if "method" in how else 0.03, err_msg=name)


@pytest.mark.nojit
def test_an_adapted_step_is_judged_by_log_p_at_each_candidates_end():
    before, rng = small(seed=3), np.random.default_rng(0)
    after = before._replace(
        **{
            name: getattr(before, name)
            + 0.1 * rng.standard_normal(getattr(before, name).shape).astype(np.float32)
            for name in NAMES
        }
    )
    X, V = (rng.normal(size=(n, 4)).astype(np.float32) for n in (6, 7))
    adapted = Adapted(1.0, before.W, before.b, before.d, V, before.z)
    found = gains(adapted, after, X, "gaussian")
    for share, nats in zip(CANDIDATES, found, strict=True):
        end = before._replace(
            **{
                name: getattr(before, name) + share * (getattr(after, name) - getattr(before, name))
                for name in NAMES
            }
        )
        ratios = rbm.free_energy(before, V, "gaussian") - rbm.free_energy(end, V, "gaussian")
        expected = -rbm.free_energy(end, X, "gaussian").mean() - np.log(np.exp(ratios).mean())
        assert nats == pytest.approx(expected, abs=1e-4)
    best: Any = best_end(adapted, after, X, "gaussian")
    assert best.share == CANDIDATES[int(np.argmax(found))]
    np.testing.assert_allclose(best.z, before.z + best.share * (after.z - before.z), atol=1e-6)


@pytest.mark.nojit
@pytest.mark.parametrize("n_temperatures", [1, 3, 30])
def test_raise_is_below_and_ais_above_the_truth_of_the_models_own_images(n_temperatures):
    params, rng = small(6, 4, seed=5), np.random.default_rng(1)
    X = drawn(params, 3000, rng)
    start, betas = start_of(params, "gaussian"), np.linspace(0, 1, n_temperatures + 1)
    below = reverse_weights(params, "gaussian", start, X, betas, rng) - exact(params, X)
    assert below.mean() < 4 * below.std() / np.sqrt(len(X))
    above = rbm.log_partition(params, "gaussian") - partition_weights(
        params, "gaussian", start, betas, 3000, rng
    )
    assert above.mean() > -4 * above.std() / np.sqrt(3000)
    if n_temperatures == 30:
        assert below.mean() > -0.3
        assert above.mean() < 0.3
    if n_temperatures == 1:
        assert below.mean() < -0.1
        assert above.mean() > 0.1


def test_estimators_of_the_likelihood_agree_with_enumeration():
    params, rng = small(6, 4, seed=5), np.random.default_rng(2)
    model, X = model_of(params), drawn(params, 300, rng)
    np.testing.assert_allclose(log_likelihood(model, X, method="exact").values, exact(params, X), atol=1e-8)
    ais = log_likelihood(model, X, method="ais", n_chains=2000, n_temperatures=100)
    assert ais.mean == pytest.approx(exact(params, X).mean(), abs=0.05)
    bracket = raise_bracket(model, X, n_temperatures=100, n_chains=20)
    assert bracket.lower.mean == pytest.approx(exact(params, X).mean(), abs=0.1)


def test_samples_and_passes_have_the_models_moments():
    params = small(4, 3, seed=2)
    model = model_of(params, n_sample_sweeps=30)
    log_p, means, variance = mixture(params)
    p = np.exp(log_p - np.logaddexp.reduce(log_p))
    mean = p @ means
    spread = p @ (means - mean) ** 2 + variance
    X = model.sample(20_000, random_state=0)
    for moment, found in ((mean, X.mean(0)), (spread, X.var(0))):
        np.testing.assert_allclose(found, moment, atol=0.06)
    passes = gibbs_passes(model, 6000, np.zeros(4), seed=1)
    np.testing.assert_allclose(passes.X.var(0), spread, rtol=0.15)


@pytest.mark.nojit
def test_what_a_model_says_of_one_image_sums_up():
    params = small(5, 4, seed=7)
    model, x = model_of(params), np.random.default_rng(1).normal(size=5)
    trace = model.map_trace(x)
    H = all_states(4)
    joints = model.joint(np.tile(x, (16, 1)), (H,))
    np.testing.assert_array_equal(trace.latents(4), H[int(np.argmax(joints))])
    assert trace.log_joint_at(4) == pytest.approx(joints.max())
    np.testing.assert_allclose(trace.log_odds, rbm.log_odds(params, x))
    for j in range(4):
        terms = model.log_odds_terms(x, np.zeros(4, np.uint8), j)
        assert terms.prior + terms.evidence.sum() == pytest.approx(trace.log_odds[j])
    a = H @ np.asarray(params.W, np.float64).T + params.b
    best = [model.joint(each[None], (h[None],))[0] for each, h in zip(a, H, strict=True)]
    np.testing.assert_allclose(model.best_log_joint(a, H @ params.d), best, atol=1e-6)
    posterior = model.exact_posterior(x)
    np.testing.assert_allclose(posterior.marginals, rbm.posterior(params, x), atol=1e-9)


def test_files_of_models_and_traces_keep_the_variances(tmp_path):
    model = model_of(small())
    model.save(tmp_path / "model.npz")
    read = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(read.params_.z, model.params_.z)
    assert (read.variance, read.with_layers(read.layers).variance) == ("learned", "learned")
    trace = model.map_trace(np.zeros(4))
    trace.save(tmp_path / "trace.npz")
    np.testing.assert_array_equal(ICMTrace.load(tmp_path / "trace.npz").z, model.params_.z)
    arrays = dict(np.load(tmp_path / "model.npz"))
    del arrays["z"]
    np.savez(tmp_path / "lacks.npz", **arrays)
    with pytest.raises(ValueError, match="z"):
        load_model(tmp_path / "lacks.npz")
    assert not hasattr(RBM.from_params(*small()[:3]).params_, "z")


def planted(n, rng) -> np.ndarray:
    """Pixels of three planted causes, with noise of 0.2 in the one half and of 1 in the other."""
    H = (rng.random((n, 3)) < 0.3).astype(np.float64)
    W = 1.5 * np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, 1]], np.float64)
    return H @ W.T + np.array([0.2, 0.2, 0.2, 1, 1, 1]) ** 0.5 * rng.standard_normal((n, 6))


@pytest.mark.parametrize(
    "how",
    [
        {},
        *(
            pytest.param(how, marks=pytest.mark.slow)
            for how in (
                {"method": "cd"},
                {"gradient": "enhanced", "adaptive_rate": True, "learning_rate": 0.01, "n_particles": 100},
                {"gradient": "centred", "n_temperatures": 3},
            )
        ),
    ],
    ids=str,
)
def test_training_finds_planted_variances_and_is_likelier_for_it(how):
    rng = np.random.default_rng(0)
    X, held_out = planted(2000, rng), planted(1000, rng)
    found: dict[str, Any] = {}
    for variance in ("fixed", "learned"):
        system = RBMSystem(3, visible="gaussian", variance=variance, **{"learning_rate": 0.03, **how})
        found[variance] = run(system, X, n_iter=30)
    s2 = np.exp(found["learned"].z)
    assert s2[:3].max() < 0.6 < 0.9 < s2[3:].min(), s2
    params = found["fixed"]._replace(z=np.zeros(6, np.float32))
    assert exact(found["learned"], held_out).mean() > exact(params, held_out).mean() + 0.2


def test_a_pixel_that_never_changes_keeps_the_least_variance():
    X = planted(400, np.random.default_rng(0))
    X[:, 0] = 0.0
    system = RBMSystem(3, visible="gaussian", variance="learned", learning_rate=0.01)
    end: Any = run(system, X, n_iter=100)
    assert end.z[0] == np.float32(MIN_LOG_VARIANCE)
    assert np.isfinite(end.W).all()


@pytest.mark.nojit
@pytest.mark.parametrize(
    "how", [{}, {"gradient": "enhanced"}, {"n_temperatures": 3}, {"adaptive_rate": True}]
)
def test_divergence_is_detected_and_said(how):
    system = RBMSystem(3, visible="gaussian", variance="learned", n_particles=4, **how)
    X, rng = planted(20, np.random.default_rng(0)), np.random.default_rng(1)
    start = system.init(X, rng)
    for name in NAMES:
        broken = getattr(start, name).copy()
        broken.reshape(-1)[-1] = np.nan
        with pytest.raises(FloatingPointError, match="not finite after step 1"):
            system.step(start._replace(**{name: broken}), X, rng)
    fast = RBMSystem(3, visible="gaussian", variance="learned", learning_rate=50.0, **how)
    with pytest.raises(FloatingPointError, match=r"diverged: .* Lower learning_rate"):
        run(fast, X, n_iter=50)


def test_what_does_not_apply_is_refused():
    with pytest.raises(ValueError, match='variance="learned" requires visible="gaussian"'):
        RBMSystem(3, variance="learned")
    with pytest.raises(ValueError, match="variance"):
        RBM(3, variance="wide", visible="gaussian").fit(np.zeros((4, 2)))  # pyright: ignore[reportArgumentType]
    params = small()
    with pytest.raises(ValueError, match='expected none with variance="fixed"'):
        model_of(params, variance="fixed")
    with pytest.raises(ValueError, match='expected none with variance="fixed"'):
        RBMSystem(3, visible="gaussian").resume(params, np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"z has shape \(3,\); expected \(4,\)"):
        RBM.from_params(*params[:3], visible="gaussian", z=np.zeros(3))
    with pytest.raises(ValueError, match="log variances out of range"):
        RBM.from_params(*params[:3], visible="gaussian", z=np.full(4, 1e4))
    with pytest.raises(ValueError, match='variance="learned" requires'):
        RBM.from_params(*params[:3], z=np.zeros(4))


def test_an_estimator_goes_on_from_its_own_variances():
    X = planted(200, np.random.default_rng(0))
    how: dict[str, Any] = {"visible": "gaussian", "variance": "learned", "learning_rate": 0.005}
    model: Any = RBM(3, random_state=0, n_iter=3, **how).fit(X)
    before = model.params_
    assert np.abs(before.z).max() > 0
    again: Any = RBM.from_params(
        *before[:3], z=before.z, random_state=0, learning_rate=1e-6, visible="gaussian"
    )
    again.partial_fit(X)
    np.testing.assert_allclose(again.params_.z, before.z, atol=1e-3)
    averaged: Any = RBM(3, random_state=0, n_iter=3, average=0.5, **how).fit(X)
    assert not np.array_equal(averaged.params_.z, before.z)


def finished(run: Run) -> Any:
    run.start()
    assert run.job.join(60)
    return run.model("RBM").params_


def test_a_run_goes_on_bit_for_bit_and_begins_from_a_model_of_its_own(tmp_path):
    data = load_dataset("digits", binary=False)
    lane = LaneConfig("RBM", {"n_components": 5, "variance": "learned", "learning_rate": 0.005})
    config = RunConfig("digits", {"RBM": lane}, binary=False, n_iter=2, validation_size=50)
    whole = finished(Run(config, data))
    begun = Run(config, data, tmp_path / "run")
    begun.advance(30)
    while begun.job.status == "running":
        time.sleep(0.005)
    begun.save()
    assert begun.stop()
    resumed = finished(Run.resume(tmp_path / "run", data))
    for name in NAMES:
        np.testing.assert_array_equal(getattr(whole, name), getattr(resumed, name))
    again: Any = Run(config, data, start_from={"RBM": whole}).model("RBM").params_
    np.testing.assert_array_equal(again.z, whole.z)
