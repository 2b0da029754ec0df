"""Sigmoid belief networks with a recognition network: weights, bounds and gradients against enumeration."""

from __future__ import annotations

import itertools
import math

import naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import RWS, VIMCO, load_model
from lrbn_viz.kernels.workspace import Workspace
from lrbn_viz.lrbn.means.moments import ExactMoments, Moments
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn import particles as sbn
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.nvil import Baseline, NVILSystem
from lrbn_viz.rivals.sbn.optimiser import ascend, begin
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.rivals.sbn.system import RecognitionSystem
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem, left_out
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem

N_V, N_H = 5, 3
STATES = np.array(list(naive.states(N_H)))


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, scale: float = 0.8) -> LayerNetworks:
    """Random parameters of both networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,))
    return LayerNetworks(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def image(seed: int = 0, n_v: int = N_V) -> np.ndarray:
    return np.random.default_rng([seed, 1]).integers(0, 2, n_v).astype(np.uint8)


def model_of(params: LayerNetworks, **how) -> RWS:
    return RWS.from_params(*params[:3], V=params.V, c=params.c, **how)


@pytest.mark.nojit
@given(
    n=st.integers(1, 9),
    width=st.integers(1, 40),
    n_h=st.integers(1, 20),
    share=st.sampled_from([0.0, 0.1, 0.24, 0.5, 1.0]),
    seed=st.integers(0, 999),
)
@settings(max_examples=40, deadline=None)
def test_products_of_few_units_that_are_on_are_the_dense_products(n, width, n_h, share, seed):
    rng = np.random.default_rng(seed)
    X = (rng.random((n, width)) < share).astype(np.float32)
    V, S = (rng.standard_normal((rows, n_h)).astype(np.float32) for rows in (width, n))
    on = sbn.on_of("X", X, Workspace())
    assert (on is None) == (X.mean() > sbn.MAX_SPARSE_SHARE)
    if on is not None:
        assert [list(on.in_rows[m, : on.row_counts[m]]) for m in range(n)] == [
            list(np.flatnonzero(row)) for row in X
        ]
        assert [list(on.in_columns[i, : on.column_counts[i]]) for i in range(width)] == [
            list(np.flatnonzero(column)) for column in X.T
        ]
    with_V = sbn.product_with(X, on, V, np.full((n, n_h), np.nan, np.float32))
    against_S = sbn.product_against(X, on, S, np.full((width, n_h), np.nan, np.float32))
    np.testing.assert_allclose(with_V, X.astype(np.float64) @ V, atol=1e-5)
    np.testing.assert_allclose(against_S, X.T.astype(np.float64) @ S, atol=1e-5)


@pytest.mark.parametrize("density", [0.1, 0.6])
def test_a_step_is_the_same_whether_units_that_are_on_are_listed(monkeypatch, density):
    rng = np.random.default_rng(0)
    X = (rng.random((20, 30)) < density).astype(np.uint8)
    system = NVILSystem(7, n_baseline=5)
    state = system.init(X, rng)
    ends = []
    for share in (0.0, 1.0):
        monkeypatch.setattr(sbn, "MAX_SPARSE_SHARE", share)
        ends.append(system.step(state, X, np.random.default_rng(1))[0])
    for one, other in zip(ends[0].learned, ends[1].learned, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-5)


def weighed(system: RecognitionSystem, params: LayerNetworks, x: np.ndarray, H: np.ndarray, n_each: int):
    """Return a state, and given latents as particles of the image, `n_each` of them in each of its copies."""
    state = system.resume((params,), np.random.default_rng(0))
    X = sbn.as_floats(np.tile(x, (len(H) // n_each, 1)), system.work)
    (networks,) = state.layers
    recognised = sbn.recognise(networks, X, system.work)
    return state, sbn.weigh_states(networks, X, H.astype(np.float32), recognised, system.work)


def expected_gradients(system: RecognitionSystem, params: LayerNetworks, x: np.ndarray):
    """Return the mean of the gradients over all tuples of draws from q(h | x), of W, b, d, V and c."""
    n_each = system.n_particles
    tuples = list(itertools.product(range(len(STATES)), repeat=n_each))
    H = STATES[np.array(tuples).reshape(-1)]
    probabilities = [
        math.exp(math.fsum(naive.log_guess(params, x, STATES[s]) for s in chosen)) for chosen in tuples
    ]
    state, drawn = weighed(system, params, x, H, n_each)
    given_ = system.credit(state, drawn)
    # each tuple counts as its probability says, not one in as many as there are
    counts = np.array(probabilities)[:, None] * len(tuples)
    given_ = given_._replace(generative=given_.generative * counts, recognition=given_.recognition * counts)
    found = system.gradients(state, drawn, given_, np.random.default_rng(0))
    return [np.array(each, np.float64) for each in found]


def slopes(function, params: LayerNetworks, names: tuple[str, ...], step: float = 1e-5) -> list[np.ndarray]:
    """Return central differences of a function of parameters in all of those named."""
    found = []
    for name in names:
        slope = np.zeros(getattr(params, name).shape)
        for index in np.ndindex(slope.shape):
            sides = []
            for sign in (1, -1):
                moved = getattr(params, name).copy()
                moved[index] += sign * step
                sides.append(function(params._replace(**{name: moved})))
            slope[index] = (sides[0] - sides[1]) / (2 * step)
        found.append(slope)
    return found


# -- particles


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.5, 3.0, 40.0])
def test_particles_weigh_what_the_naive_joint_and_guess_say(scale):
    for seed in range(5):
        params, x = networks(seed, scale=scale), image(seed)
        _, drawn = weighed(RWSSystem(N_H), params, x, STATES, len(STATES))
        expected = [naive.log_weight(params, x, h) for h in STATES]
        np.testing.assert_allclose(drawn.log_weights[0], expected, rtol=2e-6, atol=2e-5)
        means = [[naive.sigmoid(a) for a in naive.activations(params, h)] for h in STATES]
        np.testing.assert_allclose(drawn.residuals, x - np.array(means), atol=1e-6)


@pytest.mark.parametrize("n_v", [1, 63, 64, 65, 1000])
def test_pixels_of_several_blocks_are_all_weighed(n_v):
    params, x = networks(1, n_v=n_v, scale=2.0), image(1, n_v)
    _, drawn = weighed(RWSSystem(N_H), params, x, STATES, 2)
    expected = [naive.log_weight(params, x, h) for h in STATES]
    np.testing.assert_allclose(drawn.log_weights.reshape(-1), expected, rtol=2e-6, atol=2e-4)


def test_the_mean_weight_is_the_probability_of_the_image():
    params, x = networks(2), image(2)
    exact = naive.posterior(params, "bernoulli", x).log_evidence
    _, drawn = weighed(RWSSystem(N_H), params, x, STATES, len(STATES))
    guesses = [naive.log_guess(params, x, h) for h in STATES]
    assert np.logaddexp.reduce(drawn.log_weights[0] + guesses) == pytest.approx(exact, abs=1e-5)
    system = RWSSystem(N_H)
    state = system.resume((params,), np.random.default_rng(0))
    sampled = np.exp(system.bounds(state, x[None], 20_000, np.random.default_rng(3)).log_weights[0] - exact)
    assert abs(sampled.mean() - 1) < 4 * sampled.std() / math.sqrt(len(sampled))


def test_bounds_are_below_log_p_and_rise_with_the_number_of_particles():
    for seed in range(4):
        params, x = networks(seed), image(seed)
        exact = naive.posterior(params, "bernoulli", x).log_evidence
        bounds = [naive.expected_bound(params, x, k) for k in (1, 2, 3)]
        assert bounds == sorted(bounds)
        assert bounds[-1] <= exact
        X = np.tile(x, (500, 1))
        for n_samples, bound in zip((1, 2), bounds, strict=False):
            found = log_likelihood(model_of(params), X, method="importance", n_samples=n_samples)
            assert found.bound == "lower"
            error = found.values.std() / math.sqrt(len(X))
            assert found.mean == pytest.approx(bound, abs=4 * error + 1e-9)


def test_draws_have_the_probabilities_that_the_networks_give():
    params, x = networks(4), image(4)
    work, rng = Workspace(), np.random.default_rng(5)
    state = RWSSystem(N_H).resume((params,), rng)
    n = 40_000
    drawn = sbn.draw_particles(state.layers[0], sbn.as_floats(x[None], work), n, rng, work)
    codes = np.bincount((drawn.H @ (1 << np.arange(N_H)[::-1])).astype(int), minlength=len(STATES))
    p = np.exp([naive.log_guess(params, x, h) for h in STATES])
    assert (np.abs(codes - n * p) < 4.5 * np.sqrt(n * p * (1 - p)) + 1).all()
    (layer,) = state.layers
    dreams = sbn.dream_of(layer, sbn.draw_states("dreamt_H", layer.d[None], n, rng, work), rng, work)
    images = np.array(list(naive.states(N_V)))
    p = np.exp([naive.posterior(params, "bernoulli", each).log_evidence for each in images])
    codes = np.bincount((dreams.X @ (1 << np.arange(N_V)[::-1])).astype(int), minlength=len(images))
    assert (np.abs(codes - n * p) < 4.5 * np.sqrt(n * p * (1 - p)) + 1).all()


# -- gradients


@pytest.mark.parametrize("n_particles", [1, 2])
def test_the_generative_gradient_is_in_expectation_that_of_the_bound(n_particles):
    params, x = networks(6), image(6)
    found = expected_gradients(RWSSystem(N_H, n_particles=n_particles, phases="wake"), params, x)
    given_guess = params  # q stays: only the generative network moves

    def bound(moved: LayerNetworks) -> float:
        return naive.expected_bound(moved._replace(V=given_guess.V, c=given_guess.c), x, n_particles)

    for mine, slope in zip(found[:3], slopes(bound, params, ("W", "b", "d")), strict=True):
        np.testing.assert_allclose(mine, slope, atol=2e-5)


def test_the_wake_gradient_is_that_of_the_guesses_by_their_shares():
    params, x, n_particles = networks(7), image(7), 2
    found = expected_gradients(RWSSystem(N_H, n_particles=n_particles, phases="wake"), params, x)

    def guessed(moved: LayerNetworks) -> float:
        terms = []
        for chosen in itertools.product(STATES, repeat=n_particles):
            p = math.exp(math.fsum(naive.log_guess(params, x, h) for h in chosen))
            weights = [math.exp(naive.log_weight(params, x, h)) for h in chosen]
            mean = math.fsum(w * naive.log_guess(moved, x, h) for w, h in zip(weights, chosen, strict=True))
            terms.append(p * mean / math.fsum(weights))
        return math.fsum(terms)

    for mine, slope in zip(found[3:], slopes(guessed, params, ("V", "c")), strict=True):
        np.testing.assert_allclose(mine, slope, atol=2e-5)


def test_the_sleep_gradient_is_in_expectation_that_of_guesses_of_dreams():
    params = networks(8)
    images = list(naive.states(N_V))

    def guessed(moved: LayerNetworks) -> float:
        return math.fsum(
            math.exp(naive.log_joint(params, "bernoulli", x, h)) * naive.log_guess(moved, x, h)
            for x in images
            for h in STATES
        )

    expected = slopes(guessed, params, ("V", "c"), 1e-4)
    system, n = RWSSystem(N_H, phases="sleep"), 4000
    state = system.resume((params,), np.random.default_rng(0))
    rng, found = np.random.default_rng(9), []
    for _ in range(20):
        X = sbn.as_floats(np.zeros((n, N_V), np.uint8), system.work)
        drawn = sbn.draw_particles(state.layers[0], X, 1, rng, system.work)
        gradients = system.gradients(state, drawn, system.credit(state, drawn), rng)
        found.append([np.array(each) for each in gradients[3:]])
    for position, slope in enumerate(expected):
        samples = np.array([each[position] for each in found], np.float64)
        error = samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
        assert (np.abs(samples.mean(axis=0) - slope) < 5 * error + 1e-6).all()


@pytest.mark.nojit
@pytest.mark.parametrize("optimiser", ["momentum", "adam"])
def test_a_step_is_that_of_the_published_formula_and_changes_nothing_that_it_is_given(optimiser):
    rng = np.random.default_rng(1)
    values = [rng.normal(size=shape).astype(np.float32) for shape in ((4, 3), (5,))]
    first, second = begin(optimiser, values)
    mean, square = ([np.zeros(each.shape) for each in values] for _ in range(2))
    now, expected = tuple(values), [each.astype(np.float64) for each in values]
    before = [each.copy() for each in values]
    for t in range(1, 4):
        gradients = [rng.normal(size=each.shape).astype(np.float32) for each in values]
        taken = ascend(optimiser, now, gradients, first, second, (0.1, 0.02), 0.9, t - 1)
        for n, (g, rate) in enumerate(zip(gradients, (0.1, 0.02), strict=True)):
            mean[n] = 0.9 * mean[n] + 0.1 * g
            square[n] = 0.999 * square[n] + 0.001 * g.astype(np.float64) ** 2
            step = mean[n]
            if optimiser == "adam":
                step = mean[n] / (1 - 0.9**t) / (np.sqrt(square[n] / (1 - 0.999**t)) + 1e-8)
            expected[n] += rate * step
        now, first, second = taken.values, taken.first, taken.second
        assert taken.total == pytest.approx(sum(each.sum(dtype=np.float64) for each in now), abs=1e-5)
    for mine, wanted in zip(now, expected, strict=True):
        np.testing.assert_allclose(mine, wanted, atol=1e-5)
    for value, was in zip(values, before, strict=True):
        np.testing.assert_array_equal(value, was)


def test_a_step_leaves_the_state_before_it_as_it_was():
    X = np.random.default_rng(0).integers(0, 2, (30, N_V)).astype(np.uint8)
    system = RWSSystem(N_H, optimiser="adam")
    state = system.init(X, np.random.default_rng(1))
    arrays = (*state.learned, *state.gradient_mean, *state.gradient_square)
    before = [array.copy() for array in arrays]
    after, figures = system.step(state, X, np.random.default_rng(2))
    system.step(after, X, np.random.default_rng(3))
    for array, was in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, was)
    assert 1 <= figures["effective_sample_size"] <= system.n_particles
    assert figures["bound"] < 0


def test_divergence_is_said():
    X = np.random.default_rng(0).integers(0, 2, (30, N_V)).astype(np.uint8)
    system = RWSSystem(N_H, learning_rate=1e39)
    state = system.init(X, np.random.default_rng(1))
    with pytest.raises(FloatingPointError, match=r"not finite after step 1, learning rate 1e\+39; use a"):
        system.step(state, X, np.random.default_rng(2))


# -- means


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0, 5.0]))
def test_the_bound_of_means_is_below_log_p_and_is_the_joint_at_states(seed, scale):
    params, x = networks(seed, scale=scale), image(seed)
    posterior = naive.posterior(params, "bernoulli", x)
    rng = np.random.default_rng(seed)
    moments = Moments(params.generative, x, rng.random(N_H))
    assert moments.bound() <= posterior.log_evidence + 1e-9
    for h in STATES:
        for j, on in enumerate(h):
            moments.move(j, float(on))
        assert moments.bound() == pytest.approx(naive.log_joint(params, "bernoulli", x, h), abs=1e-8)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.3, 1.0, 5.0]))
def test_mean_field_never_lowers_the_bound_and_the_pass_ends_at_the_guess(seed, scale):
    params, x = networks(seed, scale=scale), image(seed)
    model = model_of(params)
    guess = model.recognise(x[None])[0]
    one_pass = model.map_trace(x, init="zeros")
    np.testing.assert_allclose(one_pass.latents(one_pass.n_visits), guess, atol=1e-12)
    assert (one_pass.n_visits, one_pass.means, one_pass.converged) == (N_H, True, True)
    assert one_pass.log_joint0 == pytest.approx(
        naive.log_joint(params, "bernoulli", x, np.zeros(N_H)), abs=1e-8
    )
    field = model.map_trace(x, kind="mean-field")
    np.testing.assert_array_equal(field.after[:N_H], one_pass.after)
    assert (np.diff(field.log_joint[N_H - 1 :]) > -1e-9).all()
    log_joints = np.empty(2**N_H)  # by states whose first unit is bit 0
    log_joints[STATES @ (1 << np.arange(N_H))] = [naive.log_joint(params, "bernoulli", x, h) for h in STATES]
    for visit in range(N_H, field.n_visits):  # each goes to the best mean there is: none near is better
        before = ExactMoments(params.generative, x, field.latents(visit), log_joints)
        assert field.log_odds[visit] == pytest.approx(before.log_odds(int(field.unit[visit])), abs=1e-8)


def test_held_units_stay_and_icm_goes_on_from_the_guess():
    params, x = networks(3), image(3)
    model = model_of(params)
    trace = model.map_trace(x, kind="mean-field", clamp={1: 1})
    assert 1 not in trace.unit
    assert trace.latents(trace.n_visits)[1] == 1.0
    climbed = model.trace(x, "icm", init="recognition")
    np.testing.assert_array_equal(climbed.h0, model.recognise(x[None])[0] > 0.5)
    usual = model.trace(x, "icm")
    np.testing.assert_array_equal(usual.latents(usual.n_visits), model.transform(x[None], method="icm")[0])
    assert not climbed.means
    with pytest.raises(TypeError, match="kind='recognition' takes no order"):
        model.map_trace(x, kind="recognition", order="random")
    every = model.map_trace(x, clamp=dict.fromkeys(range(N_H), 0))
    assert every.n_visits == 0


# -- the estimator


def test_a_file_holds_both_networks(tmp_path):
    model = model_of(networks(5))
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    for mine, theirs in zip(again.params_[0], model.params_[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize(
    ("V", "c", "words"),
    [
        (np.zeros((4, N_H)), np.zeros(N_H), r"V has shape \(4, 3\); expected \(5, 3\)"),
        (np.zeros((N_V, N_H)), np.zeros(4), r"c has shape \(4,\); expected \(3,\)"),
        (np.full((N_V, N_H), np.nan), np.zeros(N_H), "V holds NaN"),
    ],
)
def test_a_recognition_network_that_does_not_fit_is_refused_in_words(V, c, words):
    with pytest.raises(ValueError, match=words):
        RWS.from_params(*networks()[:3], V=V, c=c)


def test_grey_images_are_refused_in_words():
    with pytest.raises(ValueError, match="visible must be one of 'bernoulli'; got 'gaussian'"):
        RWS(3, visible="gaussian").fit(np.random.default_rng(0).normal(size=(20, 5)))  # pyright: ignore


def test_scores_are_bounds_and_equal_for_equal_images():
    params = networks(1)
    model, X = model_of(params), np.array(list(naive.states(N_V)))
    exact = log_likelihood(model, X, method="exact").values
    found = model.score_samples(X)
    np.testing.assert_array_equal(found, model.score_samples(X))
    assert -2 < (found - exact).mean() < 0.05


# -- further methods


@pytest.mark.parametrize(
    ("system", "n_bound"),
    [
        (WakeSleepSystem(N_H), 1),
        (WakeSleepSystem(N_H, n_particles=2), 1),
        (NVILSystem(N_H, n_particles=2), 1),
        (VIMCOSystem(N_H, n_particles=2), 2),
    ],
)
def test_every_method_takes_the_generative_gradient_of_its_bound(system, n_bound):
    params, x = networks(10), image(10)
    found = expected_gradients(system, params, x)

    def bound(moved: LayerNetworks) -> float:
        return naive.expected_bound(moved._replace(V=params.V, c=params.c), x, n_bound)

    for mine, slope in zip(found[:3], slopes(bound, params, ("W", "b", "d")), strict=True):
        np.testing.assert_allclose(mine, slope, atol=2e-5)


@pytest.mark.parametrize(
    ("system", "n_bound"),
    [
        (VIMCOSystem(N_H, n_particles=2), 2),
        (VIMCOSystem(N_H, n_particles=3), 3),
        (NVILSystem(N_H, smoothing=1.0), 1),
        (NVILSystem(N_H, smoothing=1.0, n_particles=2, n_baseline=0), 1),
    ],
)
def test_what_is_subtracted_leaves_the_recognition_gradient_right_in_expectation(system, n_bound):
    """NVIL's running means are held: they follow the particles, and then it is right but for that."""
    params, x = networks(11), image(11)
    found = expected_gradients(system, params, x)
    expected = slopes(lambda moved: naive.expected_bound(moved, x, n_bound), params, ("V", "c"))
    for mine, slope in zip(found[3:], expected, strict=True):
        np.testing.assert_allclose(mine, slope, atol=5e-5)


def test_wake_sleep_learns_to_recognise_from_dreams_alone():
    params, x = networks(12), image(12)
    state, drawn = weighed(WakeSleepSystem(N_H), params, x, STATES, 1)
    given_ = WakeSleepSystem(N_H).credit(state, drawn)
    assert not given_.recognition.any()
    np.testing.assert_array_equal(given_.generative, 1.0)


def test_a_particles_bound_without_it_is_made_of_the_others():
    log_weights = np.random.default_rng(0).normal(-50, 5, (4, 3))
    for m, row in enumerate(log_weights):
        for k in range(3):
            others = [row[i] for i in range(3) if i != k]
            weights = [*map(math.exp, others), math.exp(sum(others) / 2)]
            assert left_out(log_weights)[m, k] == pytest.approx(math.log(math.fsum(weights) / 3), abs=1e-12)
    far = left_out(np.array([[-2000.0, -1000.0], [-1000.0, -1000.0]]))
    np.testing.assert_allclose(far, [[-1000.0, -2000.0], [-1000.0, -1000.0]])


def test_vimco_needs_two_particles():
    with pytest.raises(ValueError, match=r"n_particles must be at least 2 for VIMCO, .*; got 1"):
        VIMCO(3, n_particles=1).fit(np.zeros((20, 5), np.uint8))


@pytest.mark.parametrize("centred", [False, True])
def test_the_baseline_of_nvil_follows_its_gradient(centred):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (6, N_V)).astype(np.float64)
    baseline = Baseline(rng.normal(size=(N_V, 4)), rng.normal(size=4), rng.normal(size=4), rng.normal(size=1))
    along = rng.normal(size=6)
    centre = X.mean(axis=0) if centred else None
    foretold, units = baseline.foretell(X, None, centre)
    naively = np.tanh((X - X.mean(axis=0) if centred else X) @ baseline.U + baseline.u) @ baseline.v
    np.testing.assert_allclose(foretold, naively + baseline.v0)
    found = baseline.gradient(X, units, along, None, centre)
    for n, mine in enumerate(found):
        for index in np.ndindex(mine.shape):
            sides = []
            for sign in (1, -1):
                moved = [array.copy() for array in baseline]
                moved[n][index] += sign * 1e-6
                sides.append(along @ Baseline(*moved).foretell(X, None, centre)[0])
            assert mine[index] == pytest.approx((sides[0] - sides[1]) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("centred", [False, True])
def test_the_signal_of_nvil_is_centred_scaled_and_less_noisy_than_it_was(centred):
    X = (np.random.default_rng(0).random((400, 20)) < np.linspace(0.1, 0.9, 20)).astype(np.uint8)
    system = NVILSystem(4, optimiser="adam", learning_rate=0.01, recognition_rate=1.0, centre_inputs=centred)
    state, rng = system.init(X, np.random.default_rng(1)), np.random.default_rng(2)
    drawn = sbn.draw_particles(state.layers[0], sbn.as_floats(X, system.work), 1, rng, system.work)
    mean = drawn.X.mean(axis=0) if centred else None
    foretold, units = Baseline(*state.baseline).foretell(drawn.X, None, mean)
    signal = drawn.log_weights[:, 0] - foretold
    # the means run from 0 with a share of 0.2; in the first steps they are plain means
    for n_steps, share in ((0, 1.0), (2, 1 / 3), (100, 0.2)):
        given_ = system.credit(state._replace(n_steps=n_steps), drawn)
        centre, spread = share * signal.mean(), share * signal.var()
        np.testing.assert_allclose(given_.signal_means, (centre, spread), rtol=1e-5)
        expected = (signal - centre) / max(1.0, math.sqrt(spread))
        np.testing.assert_allclose(given_.recognition[:, 0], expected, rtol=1e-4, atol=1e-5)
        along = Baseline(*state.baseline).gradient(drawn.X, units, expected / len(X), None, mean)
        for one, other in zip(given_.baseline, along, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
    figures: dict[str, float] = {}
    for _ in range(300):
        state, figures = system.step(state, X[rng.integers(0, len(X), 50)], rng)
    assert figures["signal_variance"] < 0.7 * figures["signal_variance_raw"]
    assert len(state.learned) == len(state.gradient_mean) == 9


def test_the_baseline_of_nvil_foretells_the_signal_where_most_pixels_are_on():
    """A running mean that began at 0 drove the units of one on bare images to their ends: 0.999 was left."""
    rng = np.random.default_rng(0)
    shapes = rng.random((4, 300)) < 0.8  # most pixels are on: the steps of all weights of a unit agree
    noise = np.array([0.02, 0.2])[rng.integers(0, 2, (400, 1))]  # the noisier images are the less likely ones
    X = (shapes[rng.integers(0, 4, 400)] ^ (rng.random((400, 300)) < noise)).astype(np.uint8)
    left = {}
    for centred in (False, True):
        system = NVILSystem(4, optimiser="adam", learning_rate=0.01, centre_inputs=centred)
        rng = np.random.default_rng(1)
        state = system.init(X, rng)
        for _ in range(200):
            state, figures = system.step(state, X[rng.integers(0, len(X), 50)], rng)
            left[centred] = figures["signal_variance"] / figures["signal_variance_raw"]
    assert max(left.values()) < 0.95


@pytest.mark.parametrize("n_h", [4, (4, 3)])
@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (NVILSystem, {"recognition_rate": 1.0, "n_baseline": 0}),
        (VIMCOSystem, {"optimiser": "momentum", "n_particles": 3}),
        (RWSSystem, {}),
        (RWSSystem, {"phases": "wake"}),
        (WakeSleepSystem, {}),
    ],
)
def test_a_step_with_centred_inputs_is_that_of_a_network_of_images_less_their_mean(kind, settings, n_h):
    X = (np.random.default_rng(0).random((12, 9)) < 0.7).astype(np.uint8)
    rate, mean, log_odds = 0.5, X.mean(axis=0), {}
    left: dict[bool, list] = {}
    for centred in (False, True):
        how = {"learning_rate": rate, "momentum": 0.0, "centre_inputs": centred, **settings}
        system = kind(n_h, **how)
        before = system.init(X, np.random.default_rng(1))
        after, _ = system.step(before, X, np.random.default_rng(2))
        now, was = after.layers[0], before.layers[0]
        log_odds[centred] = X @ now.V + now.c
        left[centred] = [*now.generative, *(array for layer in after.layers[1:] for array in layer)]
        if not centred:  # the gradient, from a step along it
            along_V, along_c = (now.V - was.V) / rate, (now.c - was.c) / rate
            V = was.V + rate * (along_V - np.outer(mean, along_c))
            expected = (X - mean) @ V + (was.c + mean @ was.V) + rate * along_c
    np.testing.assert_allclose(log_odds[True], expected, atol=1e-5)
    assert np.abs(log_odds[True] - log_odds[False]).max() > 1e-3
    for bare, same in zip(left[False], left[True], strict=True):  # all else learns as it does without
        np.testing.assert_array_equal(bare, same)


def test_training_goes_on_from_parameters_however_they_lie_in_memory():
    params, X = networks(12), np.array(list(naive.states(N_V)))
    turned = params._replace(W=np.asfortranarray(params.W), V=np.asfortranarray(params.V))
    system = RWSSystem(N_H, learning_rate=0.01)
    found = []
    for each in (params, turned):
        state = system.resume((each,), np.random.default_rng(0))
        found.append(system.step(state, X, np.random.default_rng(1))[0])
    for mine, theirs in zip(found[0].learned, found[1].learned, strict=True):
        np.testing.assert_array_equal(mine, theirs)
