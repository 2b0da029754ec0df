"""Variational Bayes in sigmoid belief networks: bounds, gradients and prior against slow sums."""

from __future__ import annotations

import math

import naive
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import k0e, k1e

from lrbn_viz import VariationalBayesSBN, load_dataset, load_model
from lrbn_viz.lrbn.means.moments import Moments
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn.beliefs import Beliefs, first_beliefs
from lrbn_viz.rivals.sbn.horseshoe import bessel_ratio
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.particles import as_floats
from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem

N_V, N_H, N = 5, 3, 50
IMAGES = np.array(list(naive.states(N_V)))


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, scale: float = 0.8) -> LayerNetworks:
    """Random parameters of both networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,))
    return LayerNetworks(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def unsure(params: LayerNetworks, system: VariationalBayesSystem, seed: int = 0):
    """Return a state with random beliefs about the weights."""
    rng = np.random.default_rng(seed)
    use = rng.uniform(0.01, 0.2, params.W.shape).astype(np.float32)
    shrinkage = rng.uniform(0.5, 3.0, params.W.shape).astype(np.float32)
    beliefs = first_beliefs(params.n_v, params.n_h, N)._replace(use=use, shrinkage=shrinkage)
    state = system.resume((params,), np.random.default_rng(0))
    return state._replace(posterior=tuple(beliefs)), beliefs


def small(params: LayerNetworks, **how) -> VariationalBayesSBN:
    more = {"variance": np.full(params.W.shape, 0.01), "n_images": N}
    return VariationalBayesSBN.from_params(*params[:3], V=params.V, c=params.c, **more, **how)


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.3, 2.0, 8.0])
@pytest.mark.parametrize("learning", [False, True])
def test_the_bound_is_the_sum_over_all_states(scale, learning):
    for seed in range(3):
        params, system = networks(seed, scale=scale), VariationalBayesSystem(N_H)
        state, beliefs = unsure(params, system, seed)
        Q = np.random.default_rng(seed).uniform(0.02, 0.98, (6, N_H)).astype(np.float32)
        field = system.infer(state, as_floats(IMAGES[:6], system.work), (Q,), 0, learning)
        variances = beliefs.variance if learning else np.zeros(params.W.shape)
        for x, q, bound in zip(IMAGES, field.Q, field.bounds, strict=False):
            assert bound == pytest.approx(naive.quadratic_bound(params, x, q, variances), rel=3e-6, abs=3e-5)
            if not learning:
                assert bound <= naive.posterior(params, "bernoulli", x).log_evidence + 1e-4


def test_the_bound_of_unsure_weights_is_below_the_mean_log_p_of_weights_drawn():
    params, system = networks(3), VariationalBayesSystem(N_H)
    state, beliefs = unsure(params, system)
    Q = np.full((4, N_H), 0.5, np.float32)
    bounds = system.infer(state, as_floats(IMAGES[:4], system.work), (Q,), 20, True).bounds
    rng, drawn = np.random.default_rng(0), []
    for _ in range(400):
        W = params.W + np.sqrt(beliefs.variance) * rng.normal(size=params.W.shape)
        drawn.append([naive.posterior(params._replace(W=W), "bernoulli", x).log_evidence for x in IMAGES[:4]])
    assert (bounds <= np.mean(drawn, axis=0) + 4 * np.std(drawn, axis=0) / 20).all()


@pytest.mark.parametrize("learning", [False, True])
def test_no_sweep_lowers_the_bound(learning):
    for seed in range(4):
        system = VariationalBayesSystem(N_H)
        state, _ = unsure(networks(seed, scale=2.0), system, seed)
        Q = np.random.default_rng(seed).uniform(0.02, 0.98, (len(IMAGES), N_H)).astype(np.float32)
        images = as_floats(IMAGES, system.work)
        bounds = [system.infer(state, images, (Q.copy(),), n, learning).bounds.copy() for n in range(6)]
        assert (np.diff(bounds, axis=0) > -2e-5).all()


@pytest.mark.nojit
@pytest.mark.parametrize("n", [1, 3, 4])
def test_each_image_is_visited_as_if_it_were_alone(n):
    params, system = networks(4, n_v=37, n_h=6), VariationalBayesSystem(6)
    rng = np.random.default_rng(n)
    X, Q = rng.integers(0, 2, (n, 37)), rng.uniform(0.1, 0.9, (n, 6)).astype(np.float32)
    state = system.resume((params,), rng)
    means, bounds = [], []
    for some in ([k] for k in range(n)):
        field = system.infer(state, as_floats(X[some], system.work), (Q[some],), 3)
        means.append(field.Q[0].copy())
        bounds.append(field.bounds[0])
    field = system.infer(state, as_floats(X, system.work), (Q.copy(),), 3)
    np.testing.assert_allclose(field.Q, means, atol=2e-6)
    np.testing.assert_allclose(field.bounds, bounds, rtol=1e-6)


def test_the_batch_makes_the_visits_that_one_image_makes():
    params, rng = networks(2, n_v=70, n_h=6), np.random.default_rng(0)
    system, x, q = VariationalBayesSystem(6), rng.integers(0, 2, 70), rng.uniform(0.1, 0.9, 6)
    state = system.resume((params,), rng)
    images = as_floats(np.tile(x, (3, 1)), system.work)
    field = system.infer(state, images, (np.tile(q, (3, 1)).astype(np.float32),), 1)
    moments = Moments(params.generative, x, q)
    mean = params.W @ q + params.b
    xi = np.sqrt(mean**2 + params.W**2 @ (q * (1.0 - q)))
    gamma = np.tanh(0.5 * xi) / (2.0 * xi)
    for j in range(6):  # Moments takes xi anew at each visit, the batch once a sweep
        w = params.W[:, j]
        rest = params.W @ moments.q + params.b - moments.q[j] * w
        odds = params.d[j] + (x - 0.5) @ w - gamma @ (w * rest + 0.5 * w**2)
        moments.move(j, naive.sigmoid(float(odds)))
    np.testing.assert_allclose(field.Q, np.tile(moments.q, (3, 1)), atol=2e-5)


def test_the_gradients_are_the_slopes_of_the_bound_with_the_prior():
    system = VariationalBayesSystem(N_H)
    params, X = networks(5, scale=1.2), IMAGES[[3, 17, 28]]
    state, beliefs = unsure(params, system)
    Q = np.random.default_rng(1).uniform(0.05, 0.95, (3, N_H)).astype(np.float32)
    images = as_floats(X, system.work)
    field = system.infer(state, images, (Q,), 1, True)
    mine = [np.array(each, np.float64) for each in system.slopes(state, images, field)]
    means, variance = field.Q.astype(float), beliefs.variance.astype(float)

    def objective(moved: LayerNetworks) -> float:
        each = [naive.quadratic_bound(moved, x, q, variance) for x, q in zip(X, means, strict=True)]
        prior = -0.5 * float((beliefs.shrinkage * moved.W**2).sum()) + naive.log_prior_of_offsets(moved.b)
        return math.fsum(each) / len(X) + prior / N

    for name, along in zip(("W", "b", "d"), mine, strict=True):
        for index in np.ndindex(along.shape):
            sides = []
            for sign in (1, -1):
                array = getattr(params, name).copy()
                array[index] += sign * 1e-5
                sides.append(objective(params._replace(**{name: array})))
            assert along[index] == pytest.approx((sides[0] - sides[1]) / 2e-5, abs=3e-5)


@pytest.mark.parametrize("optimiser", ["adam", "momentum"])
def test_a_step_of_adam_takes_means_less_their_average_over_the_minibatch(optimiser):
    """Else all weights of a pixel step together, and its log-odds move by as much as there are latents."""
    rate = 0.25
    system = VariationalBayesSystem(N_H, optimiser=optimiser, learning_rate=rate, momentum=0.0)
    params, X = networks(7), IMAGES[[3, 17, 28, 30]]
    state, _ = unsure(params, system)
    learned = system.learn(state, as_floats(X, system.work), np.random.default_rng(0))
    along_W, along_b = (np.array(each, np.float64) for each in learned.gradients[:2])
    average = np.zeros(N_H)
    if optimiser == "adam":
        average = system.work.array("Q", len(X), N_H).mean(axis=0).astype(np.float64)
        along_W -= np.outer(along_b, average)
        along_W, along_b = np.sign(along_W), np.sign(along_b)  # the first steps have one size
    after, _ = system.step(state, X, np.random.default_rng(0))
    W, b = (np.asarray(each, np.float64) for each in after.layers[0][:2])
    close = 1e-3 if optimiser == "adam" else 1e-5  # nearly one size: Adam adds a constant to a root
    np.testing.assert_allclose(W, params.W + rate * along_W, atol=close)
    moved = (b + W @ average) - (params.b + params.W @ average)
    np.testing.assert_allclose(moved, rate * along_b, atol=close)


def test_the_offset_of_a_pixel_that_is_never_on_ends_where_one_image_more_would_have_it():
    X = load_dataset("digits").train_X[:200]
    never = X.sum(axis=0) == 0
    model = VariationalBayesSBN(6, n_iter=40, decay_steps=np.inf, random_state=0).fit(X)
    n_seen = len(X) - 20  # a tenth is held out
    np.testing.assert_allclose(model.layers[0].b[never], -np.log(n_seen + 1), atol=0.05)
    assert never.sum() > 10


def test_the_precision_is_where_the_bound_with_the_prior_has_no_slope():
    """Its slope in a variance is ``1 / (2 U) - (E 1/zeta + N mean g q) / 2`` nats for all images."""
    system = VariationalBayesSystem(N_H, forgetting=1.0, sparse=False)
    params = networks(6)
    state, beliefs = unsure(params, system)
    learned = system.learn(state, as_floats(IMAGES, system.work), np.random.default_rng(0))
    Q = system.work.array("Q", len(IMAGES), N_H).astype(float)
    variance, step = beliefs.variance.astype(float), 1e-4
    slope = np.zeros(variance.shape)
    for index in np.ndindex(slope.shape):
        sides = []
        for sign in (1, -1):
            moved = variance.copy()
            moved[index] += sign * step
            sides.append(
                np.mean([naive.quadratic_bound(params, x, q, moved) for x, q in zip(IMAGES, Q, strict=True)])
            )
        slope[index] = (sides[0] - sides[1]) / (2 * step)
    use = Beliefs(*learned.posterior).use
    np.testing.assert_allclose(slope, -0.5 * use, atol=1e-5)
    expected = 1.0 / (beliefs.shrinkage + N * use)
    np.testing.assert_allclose(Beliefs(*learned.posterior).variance, expected, rtol=1e-6)


def test_the_prior_is_fitted_by_the_means_of_its_own_densities():
    rng = np.random.default_rng(0)
    squares = rng.uniform(0.01, 4.0, (4, 2)).astype(np.float32)
    before = first_beliefs(4, 2, 10)._replace(
        rate=rng.uniform(0.2, 3.0, (4, 2)).astype(np.float32), column_rate=np.array([0.5, 2.0])
    )
    after = before.fitted(np.sqrt(squares), np.zeros_like(squares))
    zetas = np.zeros((4, 2))
    for index in np.ndindex(zetas.shape):
        square, rate = float(squares[index]), float(before.rate[index])

        def density(log_zeta: float, power: int, square: float = square, rate: float = rate) -> float:
            zeta = math.exp(log_zeta)  # zeta^(-1/2) of the prior, zeta^(-1/2) of the weight, zeta of d log
            return zeta**power * math.exp(-rate * zeta - square / (2 * zeta))

        total, inverse, mean = (quad(density, -12, 8, args=(k,), limit=400)[0] for k in (0, -1, 1))
        zetas[index] = mean / total
        assert after.shrinkage[index] == pytest.approx(inverse / total, rel=1e-4)
    np.testing.assert_allclose(after.rate, 1.0 / (zetas + before.column_rate), rtol=1e-4)
    expected = (4 / 2 + 0.5) / (after.rate.sum(axis=0) + 1.0)
    np.testing.assert_allclose(after.column_rate, expected, rtol=1e-5)
    np.testing.assert_allclose(after.scale, (2 / 2 + 0.5) / (1.0 + expected.sum()), rtol=1e-5)


@pytest.mark.nojit
def test_the_ratio_of_bessel_functions_is_that_of_scipy():
    xs = np.concatenate([np.geomspace(1e-9, 1e6, 400), 2.0 + np.linspace(-1e-6, 1e-6, 21)])
    found = [bessel_ratio(float(x)) for x in xs]
    np.testing.assert_allclose(found, k1e(xs) / k0e(xs), rtol=1e-9)


def test_the_prior_shrinks_small_weights_and_leaves_large_ones():
    squares = np.array([[0.001, 4.0]], np.float32)
    beliefs = first_beliefs(1, 2, 10)
    for _ in range(50):
        beliefs = beliefs.fitted(np.sqrt(squares), np.zeros_like(squares))
    assert beliefs.shrinkage[0, 0] > 100 * beliefs.shrinkage[0, 1]


def test_a_step_leaves_the_state_before_it_as_it_was():
    system = VariationalBayesSystem(N_H)
    state = system.init(IMAGES, np.random.default_rng(1))
    arrays = (*state.learned, *state.gradient_mean, *state.gradient_square, *state.posterior)
    before = [array.copy() for array in arrays]
    after, figures = system.step(state, IMAGES, np.random.default_rng(2))
    system.step(after, IMAGES, np.random.default_rng(3))
    for array, was in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, was)
    assert figures["weight_sd"] > 0
    assert 0 <= figures["near_zero"] <= 1


# -- the estimator


def test_scores_are_bounds_of_the_model_with_mean_weights():
    model = small(networks(1))
    exact = log_likelihood(model, IMAGES, method="exact").values
    scores = model.score_samples(IMAGES)
    assert (scores <= exact + 1e-5).all()
    trace = model.map_trace(IMAGES[7])
    assert trace.log_joint[-1] == pytest.approx(scores[7], abs=1e-3)
    gamma = model.gamma(IMAGES)
    assert gamma.shape == IMAGES.shape
    assert ((gamma > 0) & (gamma <= 0.25)).all()


def test_a_file_holds_how_unsure_the_weights_are(tmp_path):
    model = VariationalBayesSBN(N_H, n_iter=3, random_state=0, validation_size=0).fit(IMAGES)
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    for mine, theirs in zip(again.params_.layers[0], model.params_.layers[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    np.testing.assert_array_equal(again.params_.variances[0], model.params_.variances[0])
    assert again.params_.n_images == len(IMAGES)
    again.partial_fit(IMAGES)
    assert again.params_.n_images == len(IMAGES)


@pytest.mark.parametrize(
    ("variance", "n_images", "words"),
    [
        (np.zeros((N_V, N_H)), 10, "variance must hold a finite variance above 0 of each weight"),
        (np.ones((N_V, 2)), 10, r"shape \(5, 3\); got shape \(5, 2\)"),
        (np.ones((N_V, N_H)), 0, "n_images must be a number of images, at least 1; got 0"),
    ],
)
def test_variances_that_do_not_fit_are_refused_in_words(variance, n_images, words):
    W, b, d, V, c = networks()
    with pytest.raises(ValueError, match=words):
        VariationalBayesSBN.from_params(W, b, d, V=V, c=c, variance=variance, n_images=n_images)
