"""Numbers that choose models: what `score` is, its values against enumeration, and that no nonsense wins."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import naive
import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from tiny_models import largest_rate, tiny, with_random_parameters

from lrbn_viz import DBM, DBN, RBM, load_dataset
from lrbn_viz.catalog import SYSTEMS, Kind, kinds
from lrbn_viz.core.model import LayerParams
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.dbm import model as dbm
from lrbn_viz.rivals.dbn import model as dbn
from lrbn_viz.rivals.rbm.model import GaussianParams
from lrbn_viz.rivals.rbm.pseudo_likelihood import (
    GRID_POINTS,
    GRID_STEP,
    predicted_pixels,
    pseudo_log_likelihood,
)
from lrbn_viz.studies.sweep.space import Space
from lrbn_viz.studies.sweep.trial import measured

N_V = 6
IMAGES = np.array(list(naive.states(N_V)), np.float64)
UNNORMALISED = {"RBM": Kind(RBM), "DBN": Kind(DBN), "DBM": Kind(DBM)}


@pytest.fixture(scope="module")
def digits():
    return load_dataset("digits").train_X[:300]


def layer(n_v: int, n_h: int, seed: int, scale: float = 1.0) -> LayerParams:
    rng = np.random.default_rng(seed)
    return LayerParams(*(rng.normal(0, scale, shape) for shape in ((n_v, n_h), n_v, n_h)))


def undirected(name: str, seed: int, scale: float = 1.0) -> Any:
    """Return a small model with random parameters; the DBN's recognition network is its first RBM's."""
    low, high = layer(N_V, 4, seed, scale), layer(4, 3, seed + 1, scale)
    if name == "RBM":
        return RBM.from_params(*low)
    if name == "DBM":
        return DBM.from_params(*low, U=high.W, e=high.d)
    return DBN.from_params(*low, V=low.W, c=low.d, U=high.W, e=high.d)


def exact_pseudo_log_likelihood(model: Any) -> np.ndarray:
    """Return the sum of log P(x_i | x_-i) of each of `IMAGES`, from log P(x) of all of them."""
    log_p = log_likelihood(model, IMAGES, method="exact").values
    turned = np.arange(len(IMAGES))[:, None] ^ (1 << np.arange(N_V)[::-1])
    np.testing.assert_array_equal(IMAGES[turned[5, 2]], np.abs(IMAGES[5] - np.eye(N_V)[2]))
    return (log_p[:, None] - np.logaddexp(log_p[:, None], log_p[turned])).sum(axis=1)


# -- values


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.5, 5.0])
def test_the_score_of_an_rbm_is_its_exact_pseudo_log_likelihood(scale):
    model = undirected("RBM", 1, scale)
    np.testing.assert_allclose(model.score_samples(IMAGES), exact_pseudo_log_likelihood(model), rtol=1e-9)
    assert model.score(IMAGES) == pytest.approx(exact_pseudo_log_likelihood(model).mean())


@pytest.mark.nojit
@pytest.mark.parametrize("name", ["DBN", "DBM"])
def test_the_score_of_two_layers_is_near_the_pseudo_log_likelihood(name):
    model = undirected(name, 3)
    exact, found = exact_pseudo_log_likelihood(model), model.score_samples(IMAGES)
    assert found.mean() == pytest.approx(exact.mean(), abs=0.25)
    assert np.corrcoef(exact, found)[0, 1] > 0.9


@pytest.mark.nojit
def test_with_many_particles_a_dbn_s_pseudo_log_likelihood_is_exact():
    model = undirected("DBN", 3)
    directed = model.networks.directed._replace(V=np.zeros((N_V, 4)), c=np.zeros(4))
    params = model.networks._replace(directed=directed)  # draws every state equally often
    found = dbn.pseudo_log_likelihood(params, IMAGES[::8], 4000, N_V)
    np.testing.assert_allclose(found, exact_pseudo_log_likelihood(model)[::8], atol=0.1)


@pytest.mark.nojit
def test_where_latents_are_not_linked_a_dbm_s_pseudo_log_likelihood_is_exact():
    """Without an upper layer's weights mean field is exact."""
    low = layer(N_V, 4, 5)
    params = low, LayerParams(np.zeros((4, 3)), low.d, np.ones(3))
    found = dbm.pseudo_log_likelihood(params, IMAGES, 1, N_V)
    np.testing.assert_allclose(found, RBM.from_params(*low).score_samples(IMAGES), rtol=1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize("learned", [False, True])
@pytest.mark.parametrize("scale", [0.5, 30.0])
def test_a_gaussian_visible_given_all_others_is_the_mixture_that_its_latents_make(scale, learned):
    rng = np.random.default_rng(0)
    W, b, d = layer(3, 4, 0, scale)
    z = rng.normal(0, 0.5, 3) if learned else np.zeros(3)
    params: Any = GaussianParams(W, b, d, z) if learned else LayerParams(W, b, d)
    H, variance = np.array(list(naive.states(4)), np.float64), np.exp(z)
    X = rng.normal(0, 1, (4, 3)) + H[[0, 3, 9, 15]] @ W.T
    for x, found in zip(X, pseudo_log_likelihood(params, X, "gaussian"), strict=True):
        expected = 0.0
        for i, rest in ((i, np.delete(np.arange(3), i)) for i in range(3)):
            means = b[i] + H @ W[i]
            # a state of the latents weighs as much as they do with the other pixels, and as x_i integrates to
            log_w = H @ d + H @ (W[rest].T @ (x[rest] / variance[rest]))
            log_w += 0.5 * (np.square(means) - b[i] ** 2) / variance[i]
            log_p = -0.5 * np.square(x[i] - means) / variance[i] - 0.5 * np.log(2 * np.pi * variance[i])
            expected += np.logaddexp.reduce(log_w + log_p) - np.logaddexp.reduce(log_w)
        assert found == pytest.approx(expected, rel=1e-9)


@pytest.mark.nojit
def test_of_gaussian_components_too_far_apart_to_sum_the_pseudo_log_likelihood_is_bounded_from_below():
    W, x, b = np.array([[3.0 * GRID_STEP * GRID_POINTS]]), np.array([[0.3]]), np.zeros(1)
    for d in (0.0, -0.5 * W[0, 0] ** 2):  # the component at W weighs all, or as much as that at 0
        found = pseudo_log_likelihood(LayerParams(W, b, np.array([d])), x, "gaussian")[0]
        exact = np.logaddexp(0.0, d + 0.3 * W[0, 0]) - np.logaddexp(0.0, d + 0.5 * W[0, 0] ** 2)
        exact += -0.5 * 0.09 - 0.5 * np.log(2 * np.pi)
        assert exact - 5.0 < found < exact + 1e-9 * abs(exact)


@pytest.mark.nojit
def test_pixels_that_are_predicted_are_the_same_for_all_and_spread_over_rows_and_columns():
    np.testing.assert_array_equal(predicted_pixels(9, 64), np.arange(9))
    for side, most in ((8, 16), (20, 64), (28, 16), (28, 64)):
        chosen = predicted_pixels(side * side, most)
        assert len(set(chosen)) == most
        for places in (chosen // side, chosen % side):
            halves = np.bincount(2 * places // side)
            assert halves.min() >= 0.4 * most


@pytest.mark.nojit
def test_from_fewer_pixels_the_sum_is_scaled_to_all():
    low = layer(N_V, 4, 5)
    chosen = predicted_pixels(N_V, 3)
    log_p = log_likelihood(RBM.from_params(*low), IMAGES, method="exact").values
    turned = np.arange(len(IMAGES))[:, None] ^ (1 << (N_V - 1 - chosen))
    expected = 2.0 * (log_p[:, None] - np.logaddexp(log_p[:, None], log_p[turned])).sum(axis=1)
    np.testing.assert_allclose(pseudo_log_likelihood(low, IMAGES, pixels=chosen), expected, rtol=1e-9)
    params = low, LayerParams(np.zeros((4, 3)), low.d, np.ones(3))
    np.testing.assert_allclose(dbm.pseudo_log_likelihood(params, IMAGES, 1, 3), expected, rtol=1e-9)


# -- what is chosen


@pytest.mark.parametrize("name", UNNORMALISED)
def test_grid_search_does_not_choose_a_destroyed_model(name, digits):
    kind = UNNORMALISED[name]
    sizes = {} if name == "RBM" else {"n_top": 4}
    rates = [0.05, 1000.0]
    # scores of runs that end in an error count as the worst
    search = GridSearchCV(
        kind(8, n_iter=5, random_state=0, **sizes), {"learning_rate": rates}, cv=2, error_score=-np.inf
    )
    search.fit(digits)
    best = search.best_estimator_
    assert search.best_params_["learning_rate"] == 0.05
    assert log_likelihood(best, digits, method="exact").mean > -26.0
    nonsense = with_random_parameters(kind, digits, 0, 1000.0)
    assert log_likelihood(nonsense, digits, method="exact").mean < -500.0


@pytest.mark.parametrize("name", kinds())
def test_a_destroyed_model_never_scores_above_a_good_one(name, digits):
    kind, X, held_out = kinds()[name], digits[:150], digits[150:170]
    good = tiny(kind).fit(X).score(held_out)
    destroyed = [with_random_parameters(kind, X, 0, scale) for scale in (30.0, 1000.0)]
    if largest_rate(kind) == 1000.0:  # else no rate that it takes destroys it
        with suppress(FloatingPointError):  # training may say so itself
            destroyed.append(tiny(kind, learning_rate=1000.0).fit(X))
    for model in destroyed:
        assert model.score(held_out) < good - 20.0


@pytest.mark.parametrize("name", UNNORMALISED)
def test_scores_of_few_latents_and_of_many_mean_the_same(name, digits):
    """With 8 latents log P(x) could be summed; with 32 not: numbers of one search are not mixed."""
    kind, X = UNNORMALISED[name], digits[:40]
    sizes = {} if name == "RBM" else {"n_top": 4}
    few = kind(8, n_iter=2, random_state=0, **sizes).fit(digits)
    W, b, d = few.layers[0]
    padding = np.zeros((64, 24))  # latents that are linked to nothing leave the model as it is
    more: dict[str, Any] = {}
    if name != "RBM":
        top = few.top_layer if name == "DBN" else few.layers[1]
        more = {"U": np.vstack([top.W, np.zeros((24, 4))]), "e": top.d}
    if name == "DBN":
        networks = few.networks.directed
        more |= {"V": np.hstack([networks.V, padding]), "c": np.concatenate([networks.c, np.zeros(24)])}
    many = kind.estimator.from_params(np.hstack([W, padding]), b, np.concatenate([d, np.zeros(24)]), **more)
    assert many.score(X) == pytest.approx(few.score(X), abs=0.3 if name == "DBN" else 1e-6)


@pytest.mark.parametrize("name", UNNORMALISED)
def test_a_sweep_does_not_prefer_a_destroyed_model(name, digits):
    """Annealing finds too small a normaliser of a wild model, which raises its estimate."""
    kind, X = UNNORMALISED[name], digits[150:160]
    sizes: dict[str, Any] = {} if name == "RBM" else {"n_top": 24}
    space = Space(name, passes=1, temperatures=50)
    good = measured(kind(24, n_iter=3, random_state=0, **sizes).fit(digits), space, X)[0]
    assert -35.0 < good < -15.0
    for scale in (30.0, 1000.0):
        system = kind(24, **sizes).make_system()
        rng = np.random.default_rng(0)
        state = system.init(digits, rng)
        drawn = {n: a + rng.normal(0, scale, a.shape) for n, a in system.parameters(state).items()}
        wild = kind(24, **sizes)
        wild.adopt(system.with_parameters(state, {n: a.astype(np.float32) for n, a in drawn.items()}))
        assert measured(wild, space, X)[0] < good - 20.0


@pytest.mark.parametrize("name", ["DBN", "DBM"])
def test_fit_anneals_nothing_for_its_validation_scores(name, digits, monkeypatch):
    """AIS of log Z after each pass took 98 % of the time of a small DBN; it is there for who asks."""
    asked = []
    for estimator in ("partition_weights", "log_partition"):
        monkeypatch.setattr(
            f"lrbn_viz.rivals.rbm.stacked.{estimator}", lambda *args: asked.append(1) or np.zeros(1)
        )
    model = UNNORMALISED[name](12, n_top=12, n_iter=3, random_state=0).fit(digits[:60])
    assert sum("validation_score" in event.metrics for event in model.history_) == 3
    assert not asked
    model.make_system().estimate(model._state, digits[:5].astype(np.uint8), np.random.default_rng(0))
    assert asked


def test_in_single_precision_a_dbn_s_validation_score_is_the_same():
    model, X = undirected("DBN", 3), IMAGES.astype(np.uint8)
    system = model.make_system()
    found = system.validate(model.state_from(model.params_, np.random.default_rng(0)), X, None)["score"]
    assert found == pytest.approx(dbn.pseudo_log_likelihood(model.params_, IMAGES, 5, N_V).mean(), abs=1e-4)


@pytest.mark.parametrize("name", SYSTEMS)
def test_scores_of_one_meaning_have_one_name_and_others_another(name):
    """The Train page puts scores side by side where their meaning is the same, under the name of it."""
    kind = SYSTEMS[name].model
    meanings = {other.model.score_title: other.model.score_name for other in SYSTEMS.values()}
    assert meanings[kind.score_title] == kind.score_name
    has_normaliser = kind.graph != "directed"
    assert ("pseudo" in kind.score_name) == ("pseudo" in kind.score_title) == has_normaliser
