"""Estimators of log P(x): each against enumeration, each bound on its right side."""

from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES

from lrbn_viz import LRBN, RBM, exact_posterior, load_dataset, pretrained
from lrbn_viz.lrbn.deep.inference import sample_deep
from lrbn_viz.measure import ais_bracket, log_likelihood

SMALL: dict[str, Any] = {"n_samples": 400, "n_temperatures": 60, "n_chains": 4, "n_repetitions": 20}


def model_of(kind, visible, n_h=5, seed=0):
    rng = np.random.default_rng(seed)
    W, b, d = rng.normal(size=(7, n_h)), rng.normal(size=7), rng.normal(size=n_h)
    return kind.from_params(W, b, d, visible=visible)


def images(model, n=40):
    if isinstance(model, RBM):
        rng = np.random.default_rng(1)
        return rng.normal(size=(n, 7)) if model.visible == "gaussian" else rng.integers(0, 2, (n, 7))
    return sample_deep(model.layers, model.visible, n, np.random.default_rng(1))[0]


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_the_exact_values_are_those_of_the_posteriors_enumeration(visible):
    model = model_of(LRBN, visible)
    X = images(model, 6)
    found = log_likelihood(model, X, method="exact")
    np.testing.assert_allclose(found.values, [exact_posterior(model, x).log_evidence for x in X], atol=1e-9)
    assert found.bound == "exact"
    assert found.estimator_error == 0.0
    assert found.standard_error == pytest.approx(found.values.std(ddof=1) / np.sqrt(6))


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("method", ["map_bound", "csl", "ais", "importance"])
def test_lower_bounds_are_below_the_truth_within_their_error(visible, method):
    model = model_of(LRBN, visible)
    X = images(model)
    truth = log_likelihood(model, X, method="exact")
    found = log_likelihood(model, X, method=method, **SMALL)
    assert found.bound == "lower"
    difference = found.values - truth.values
    if method == "map_bound":
        assert (difference <= 1e-9).all()
        return
    error = found.estimator_error
    assert np.isfinite(error)
    assert difference.mean() < 4 * error + 1e-9
    assert abs(difference.mean()) < 0.5
    assert found.effective_sample_size is not None
    size = np.asarray(found.effective_sample_size)
    n = 4 if method == "ais" else 400
    assert size.shape == (len(X),)
    assert ((size >= 1 - 1e-6) & (size <= n + 1e-6)).all()


@pytest.mark.nojit
def test_the_curve_of_csl_rises_to_the_truth_as_samples_are_added():
    model = pretrained("lrbn-12-digits")
    X = load_dataset("digits").test_X[:40]
    truth = log_likelihood(model, X, method="exact").mean
    found = log_likelihood(model, X, method="csl", n_samples=20_000, n_repetitions=10)
    assert found.curve is not None
    sizes, means = found.curve
    assert sizes.tolist() == [100, 1000, 10_000, 20_000]
    assert means.shape == (10, 4)
    curve = means.mean(axis=0)
    assert curve[0] < curve[1] < curve[2]
    assert -0.5 < curve[-1] - truth < 0.05
    assert found.mean == pytest.approx(curve[-1])


@pytest.mark.nojit
def test_csl_of_samples_by_hand():
    from lrbn_viz.kernels.numerics import softplus
    from lrbn_viz.lrbn.deep.inference import sample_latents
    from lrbn_viz.lrbn.model import log_joint, sample_prior
    from lrbn_viz.measure.sampling import conservative

    for visible in VISIBLES:
        model = model_of(LRBN, visible)
        params, X = model.layers[0], images(model, 5).astype(float)
        (H,) = sample_latents((params,), 300, np.random.default_rng(4))
        np.testing.assert_array_equal(H, sample_prior(params, 300, np.random.default_rng(4)))
        given = [
            log_joint(params, visible, np.tile(x, (300, 1)), H) - (H @ params.d - softplus(params.d).sum())
            for x in X
        ]
        found, size = conservative(model, X, [10, 300], np.random.default_rng(4))
        expected = [[np.logaddexp.reduce(g[:n]) - np.log(n) for g in given] for n in (10, 300)]
        np.testing.assert_allclose(found, expected, atol=1e-4)
        by_hand = [np.exp(2 * np.logaddexp.reduce(g) - np.logaddexp.reduce(2 * g)) for g in given]
        np.testing.assert_allclose(size, by_hand, rtol=1e-4)


@pytest.mark.parametrize("visible", VISIBLES)
def test_the_partition_function_of_an_rbm_is_sampled_without_bias(visible):
    model = model_of(RBM, visible, seed=2)
    if visible == "gaussian":  # weights of unit size would make its latents pull without bound
        model = RBM.from_params(
            0.4 * model.layers[0].W, model.layers[0].b, model.layers[0].d, visible=visible
        )
    X = images(model)
    truth = log_likelihood(model, X, method="exact")
    found = log_likelihood(model, X, method="ais", n_chains=2000, n_temperatures=50)
    assert found.bound == "upper"
    assert found.mean == pytest.approx(truth.mean, abs=4 * found.estimator_error)
    assert found.estimator_error < 0.1
    with pytest.raises(ValueError, match="no normalised joint"):
        log_likelihood(model, X, method="csl")


def test_shipped_models_are_estimated_and_say_how():
    model = pretrained("lrbn-16-digits")
    X = load_dataset("digits").test_X[:20]
    told: list[float] = []
    exact = log_likelihood(model, X, method="exact")
    ais = log_likelihood(model, X, n_temperatures=300, n_chains=3, progress=told.append)
    assert ais.mean == pytest.approx(exact.mean, abs=0.3)
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    assert ais.settings == {"n_temperatures": 300, "n_chains": 3, "random_state": 0}
    assert str(ais).startswith("log P(x) >= ")
    again = log_likelihood(model, X, n_temperatures=300, n_chains=3)
    np.testing.assert_array_equal(again.values, ais.values)
    bound = log_likelihood(model, X, method="map_bound")
    deeper = log_likelihood(model, X, method="map_bound", n_sweeps=100)
    assert bound.mean <= deeper.mean <= exact.mean


def test_settings_tell_the_seed():
    model = pretrained("lrbn-12-digits")
    X = load_dataset("digits").test_X[:3]
    for given, told in ((7, 7), (None, None), (np.random.default_rng(0), "given")):
        found = log_likelihood(model, X, method="csl", n_samples=5, random_state=given)
        assert found.settings["random_state"] == told
    assert log_likelihood(model, X, method="exact").settings == {}
    of_rbm = log_likelihood(pretrained("rbm-12-digits"), X, n_temperatures=3, random_state=4)
    assert of_rbm.settings["random_state"] == 4


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("n_layers", [1, 2])
def test_images_drawn_from_a_model_are_bracketed(visible, n_layers):
    rng = np.random.default_rng(0)
    layers = [
        (rng.normal(size=(below, 6)), rng.normal(size=below), rng.normal(size=6))
        for below in (7, 6)[:n_layers]
    ]
    model = (
        LRBN.from_params(*layers[0], visible=visible) if n_layers == 1 else LRBN.from_layers(layers, visible)
    )
    told: list[float] = []
    found = ais_bracket(model, 150, n_temperatures=40, random_state=3, progress=told.append)
    truth = log_likelihood(model, found.X, method="exact").values
    assert (found.lower.bound, found.upper.bound) == ("lower", "upper")
    # each by one chain per image, so that what is random averages out over images only
    for bound, sign in ((found.lower, 1), (found.upper, -1)):
        below = sign * (truth - bound.values)
        error = below.std() / np.sqrt(150)
        assert -4 * error < below.mean() < 0.5 + 4 * error
        assert bound.settings == {"n_temperatures": 40, "n_chains": 1, "random_state": 3}
    longer = ais_bracket(model, 150, n_temperatures=1000, random_state=3)
    assert longer.width.mean() < found.width.mean()
    assert str(found).startswith(f"{found.lower.mean:.2f} <= log P(x) <= {found.upper.mean:.2f} nats")
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.nojit
def test_only_models_that_draw_exactly_are_bracketed():
    with pytest.raises(TypeError, match=r"expected a directed model, .* got RBM"):
        ais_bracket(pretrained("rbm-12-digits"))  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="n_images"):
        ais_bracket(model_of(LRBN, "bernoulli"), 0)


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_deep_model_of_6_6_units_is_estimated_around_its_enumeration(visible):
    rng = np.random.default_rng(5)
    low, top = ((rng.normal(size=(below, 6)), rng.normal(size=below), rng.normal(size=6)) for below in (8, 6))
    model = LRBN.from_layers([low, top], visible)
    X = images(model, 60)
    truth = log_likelihood(model, X, method="exact")
    # All states of both layers, a factor at a time: P(h2), P(h1 | h2), P(x | h1).
    states = (np.arange(64)[:, None] >> np.arange(6)) & 1
    W, b, d = top
    a = states @ W.T + b
    prior = states @ a.T - np.logaddexp(0, a).sum(axis=1) + states @ d - np.logaddexp(0, d).sum()  # (h1, h2)
    prior = np.logaddexp.reduce(prior, axis=1)
    assert np.logaddexp.reduce(prior) == pytest.approx(0.0, abs=1e-12)
    coins = LRBN.from_params(*low[:2], np.zeros(6), visible=visible)
    given = [coins.log_joint(np.tile(x, (64, 1)), states.astype(np.uint8)) + 6 * np.log(2) for x in X]
    by_hand = [np.logaddexp.reduce(likelihood + prior) for likelihood in given]
    np.testing.assert_allclose(truth.values, by_hand, atol=1e-9)
    for method in ("map_bound", "csl", "ais", "importance"):
        found = log_likelihood(model, X, method=method, **SMALL)
        error = 0.0 if method == "map_bound" else found.estimator_error
        at_least = truth.mean - (6.0 if method == "map_bound" else 1.0)
        assert at_least < found.mean <= truth.mean + 4 * error + 1e-9, method


@pytest.mark.nojit
def test_what_cannot_be_estimated_is_refused():
    model = pretrained("lrbn-200-mnist-flat")
    with pytest.raises(ValueError, match="at most 20 latents, got 200"):
        log_likelihood(model, np.zeros((1, 784)), method="exact")
    with pytest.raises(ValueError, match="method must be"):
        log_likelihood(model, np.zeros((1, 784)), method="guess")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="n_chains"):
        log_likelihood(model, np.zeros((1, 784)), n_chains=0)
    with pytest.raises(ValueError, match="783"):
        log_likelihood(model, np.zeros((1, 783)))
