"""The deep belief network: probabilities, bounds and gradients against enumeration, and its three stages."""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import naive
import numpy as np
import pytest

from lrbn_viz import DBN, RBM, load_dataset, load_model
from lrbn_viz.core.model import LayerParams, NotOffered
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.measure import bounded_log_likelihood, bracket, importance_bracket, log_likelihood
from lrbn_viz.rivals.dbn import model as dbn
from lrbn_viz.rivals.dbn.system import FIRST, TOP, UP_DOWN, DBNState, DBNSystem
from lrbn_viz.rivals.rbm.model import log_partition
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.training import Training, check_unplanned

N_V, N_H, N_TOP = 5, 3, 4
IMAGES = np.array(list(naive.states(N_V)))
STATES = np.array(list(naive.states(N_H)))


class Flat(NamedTuple):
    """Parameters of all networks by name, as the naive formulas read them."""

    W: np.ndarray
    b: np.ndarray
    d: np.ndarray
    V: np.ndarray
    c: np.ndarray
    U: np.ndarray
    e: np.ndarray

    @property
    def top(self) -> LayerParams:
        return LayerParams(self.U, self.d, self.e)

    @property
    def all(self) -> dbn.DBNParams:
        return dbn.DBNParams(LayerNetworks(*self[:5]), self.top)


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, n_top: int = N_TOP, scale: float = 0.8):
    """Random parameters of all networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,), (n_h, n_top), (n_top,))
    return Flat(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def image(seed: int = 0, n_v: int = N_V) -> np.ndarray:
    return np.random.default_rng([seed, 1]).integers(0, 2, n_v).astype(np.uint8)


def model_of(params: Flat, **how) -> DBN:
    return DBN.from_params(*params[:3], **dict(zip("VcUe", params[3:], strict=True)), **how)


def state_of(params: Flat, **how) -> tuple[DBNSystem, DBNState]:
    system = DBNSystem(len(params.d), n_top=len(params.e), **how)
    return system, system.resume(params.all, np.random.default_rng(0))


def arrays_of(model: DBN) -> list[np.ndarray]:
    return list(model.networks.by_name().values())


def log_evidence(params: Flat, x: np.ndarray) -> float:
    """log P(x) + log Z."""
    return float(np.logaddexp.reduce([naive.log_joint_of_top(params, x, h) for h in STATES]))


def slopes(function, params: Flat, name: str, step: float = 1e-5) -> np.ndarray:
    """Return central differences of a function of parameters in those of one name."""
    slope = np.zeros(getattr(params, name).shape)
    for index in np.ndindex(slope.shape):
        sides = []
        for sign in (1, -1):
            moved = getattr(params, name).copy()
            moved[index] += sign * step
            sides.append(function(params._replace(**{name: moved})))
        slope[index] = (sides[0] - sides[1]) / (2 * step)
    return slope


# -- probabilities


@pytest.mark.parametrize("scale", [0.5, 3.0, 40.0])
def test_the_joint_is_that_of_both_layers_with_the_upper_one_summed_out(scale):
    for seed in range(3):
        params, x = networks(seed, scale=scale), image(seed)
        expected = [naive.log_joint_of_top(params, x, h) for h in STATES]
        found = dbn.log_joint(params.all, np.tile(x, (len(STATES), 1)), STATES)
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-9)


def test_probabilities_of_all_images_sum_to_one():
    found = log_likelihood(model_of(networks()), IMAGES, method="exact")
    assert found.bound == "exact"
    assert math.fsum(np.exp(found.values)) == pytest.approx(1.0, abs=1e-12)


def test_log_odds_and_interactions_under_the_prior_are_differences_of_its_logarithm():
    params = networks(1, scale=2.0)
    prior = {tuple(h): naive.log_prior_of_top(params, h) for h in STATES}
    for h in STATES:
        odds = dbn.prior_log_odds(params.all, h[None])[0]
        pairs = dbn.prior_interactions(params.all, h)
        for j in range(N_H):
            on, off = naive.with_unit(h, j, 1), naive.with_unit(h, j, 0)
            assert odds[j] == pytest.approx(prior[tuple(on)] - prior[tuple(off)], abs=1e-10)
            for k in range(N_H):
                rest = [
                    prior[tuple(naive.with_unit(naive.with_unit(h, j, a), k, b))]
                    for a, b in itertools.product((0, 1), repeat=2)
                ]
                both = rest[3] - rest[2] - rest[1] + rest[0]
                assert pairs[j, k] == pytest.approx(0.0 if j == k else both, abs=1e-10)


def test_terms_of_a_units_log_odds_sum_to_them():
    params, x = networks(2), image(2)
    model = model_of(params)
    for h in STATES:
        odds = model.conditional_log_odds(x[None] * 1.0, (h[None],))[0][0]
        for j in range(N_H):
            on, off = (naive.log_joint_of_top(params, x, naive.with_unit(h, j, s)) for s in (1, 0))
            assert odds[j] == pytest.approx(on - off, abs=1e-9)
            assert model.log_odds_terms(x * 1.0, h, j).log_odds == pytest.approx(on - off, abs=1e-9)


def test_a_dbn_whose_top_is_the_first_rbm_upside_down_is_that_rbm():
    system = DBNSystem(N_H, n_top=N_V, n_particles=10)
    rng = np.random.default_rng(4)
    X = np.repeat(IMAGES[:9], 4, axis=0).astype(np.uint8)
    state = system.init(X, rng)
    for _ in range(30):
        state, _ = system.step(state, X, rng)
    assert state.stage == FIRST
    W, b, d = state.first[:3]
    expected = log_likelihood(RBM.from_params(W, b, d), IMAGES, method="exact").values
    found = log_likelihood(model_of(Flat(**state.params.by_name())), IMAGES, method="exact").values
    np.testing.assert_allclose(found, expected, atol=1e-6)


# -- bounds


def test_the_bound_of_a_trace_is_below_the_evidence_and_the_joint_itself_at_states():
    for seed in range(6):
        params, x = networks(seed, scale=1.5), image(seed)
        exact = log_evidence(params, x)
        for h in STATES:
            at = dbn.TopMoments(params.all, x, h).bound()
            assert at == pytest.approx(naive.log_joint_of_top(params, x, h), abs=1e-9)
        for q in np.random.default_rng(seed).random((20, N_H)):
            moments = dbn.TopMoments(params.all, x, q)
            assert moments.bound() <= exact + 1e-9
            moments.move(1, 0.3)
            moved = moments.bound()
            moments.refresh()
            assert moments.bound() == pytest.approx(moved, abs=1e-9)


def test_sweeps_of_mean_field_never_lower_the_bound_and_end_at_a_slope_of_zero():
    for seed in range(6):
        params, x = networks(seed, scale=1.5), image(seed)
        model = model_of(params)
        trace = model.map_trace(x, n_sweeps=2000)
        assert trace.means
        assert not trace.normalised
        np.testing.assert_allclose(trace.latents(N_H), model.transform(x[None])[0], atol=1e-12)
        after = trace.log_joint[N_H - 1 :]
        assert (np.diff(after) > -1e-9).all()
        assert after[-1] <= log_evidence(params, x)
        assert trace.converged
        ends = trace.latents(trace.n_visits)
        for j in range(N_H):
            sides = [dbn.TopMoments(params.all, x, ends).bound() for _ in range(2)]
            for number, by in enumerate((1e-4, -1e-4)):
                moments = dbn.TopMoments(params.all, x, ends)
                moments.move(j, min(1.0, max(0.0, ends[j] + by)))
                sides[number] = moments.bound()
            assert abs(sides[0] - sides[1]) < 2e-5


def test_a_held_latent_is_not_visited_and_a_method_of_a_lane_takes_it():
    model = model_of(networks(3))
    for method in model.trace_methods:
        trace = model.trace(image(3), method, clamp={1: 1}, init="conditional", random_state=0)
        assert not (trace.unit == 1).any()
        assert trace.latents(trace.n_visits)[1] == 1


def test_the_mean_weight_of_particles_is_the_probability_of_the_image():
    for seed in range(3):
        params, x = networks(seed), image(seed)
        system, state = state_of(params)
        drawn = system.bounds(state, x[None], 40_000, np.random.default_rng(5))
        sampled = np.exp(drawn.log_weights[0] - log_evidence(params, x))
        assert abs(sampled.mean() - 1) < 4 * sampled.std() / math.sqrt(len(sampled))


def test_importance_sampling_bounds_log_p_from_below_where_the_normaliser_is_known():
    params, x = networks(7), image(7)
    exact = log_evidence(params, x) - log_partition(params.top)
    guesses = [naive.log_guess(params, x, h) for h in STATES]
    weights = [naive.log_joint_of_top(params, x, h) for h in STATES]
    variational = math.fsum(math.exp(q) * (w - q) for q, w in zip(guesses, weights, strict=True))
    X = np.tile(x, (4000, 1))
    one = log_likelihood(model_of(params), X, method="importance", n_samples=1)
    assert one.bound == "lower"
    error = one.values.std() / math.sqrt(len(X))
    expected = variational - log_partition(params.top)
    assert one.mean == pytest.approx(expected, abs=4 * error)
    many = log_likelihood(model_of(params), X[:200], method="importance", n_samples=300)
    assert expected < many.mean < exact + 0.01
    assert many.settings["log_partition"] == pytest.approx(log_partition(params.top))


def test_an_annealed_normaliser_is_said_to_leave_no_bound_and_is_near_the_truth():
    n_h, n_top, tied = 22, 21, 6
    params = networks(8, n_h=n_h, n_top=n_top, scale=0.4)
    params.U[:, tied:] = 0  # these upper latents are alone, so that Z is known
    truth = log_partition(params._replace(U=params.U[:, :tied], e=params.e[:tied]).top)
    truth += math.fsum(naive.softplus(e) for e in params.e[tied:])
    model = model_of(params)
    assert model.log_normaliser() is None
    found = log_likelihood(model, IMAGES[:5], method="importance", n_samples=50, n_temperatures=400)
    assert found.bound == "neither"
    assert str(found).startswith("log P(x) ~ ")
    assert found.settings["log_partition"] == pytest.approx(truth, abs=0.2)
    assert found.settings["n_chains"] == 100
    assert found.estimator_error > 0
    with pytest.raises(ValueError, match="expected at most 20 latents"):
        log_likelihood(model, IMAGES[:5], method="exact")


def drawn(params: Flat, n: int, rng: np.random.Generator):
    """Exact draws of images with their lower latents, by enumeration."""
    log_p = np.array([naive.log_prior_of_top(params, h) for h in STATES])
    H = STATES[rng.choice(len(STATES), n, p=np.exp(log_p - np.logaddexp.reduce(log_p)))].astype(np.uint8)
    mean = 1 / (1 + np.exp(-(H @ params.W.T + params.b)))
    return (rng.random(mean.shape) < mean).astype(np.uint8), (H,)


@pytest.mark.parametrize("n_temperatures", [1, 3, 100])
def test_annealing_back_from_draws_finds_log_z_from_above_and_ais_from_below(n_temperatures):
    params, n = networks(4, scale=3.0), 3000
    model, rng, truth = model_of(params), np.random.default_rng(0), log_partition(params.top)
    back = model.reversed_normaliser(drawn(params, n, rng)[1], n_temperatures, rng)
    assert back.mean() > truth - 4 * back.std() / math.sqrt(n)
    forth = model.annealed_normaliser(n_temperatures, n, rng)
    assert forth.mean() < truth + 4 * forth.std() / math.sqrt(n)
    if n_temperatures == 100:
        assert back.mean() < truth + 0.05
    if n_temperatures == 1:
        assert back.mean() > truth + 0.01


@pytest.mark.parametrize("n_samples", [2, 5, 100])
def test_log_p_of_images_that_the_model_draws_is_between_both_sides(monkeypatch, n_samples):
    params, n = networks(4, scale=1.2), 3000
    model = model_of(params)
    monkeypatch.setattr(DBN, "sample_joint", lambda self, n, rng: drawn(params, n, rng))
    how = {"n_samples": n_samples, "n_temperatures": 20}
    both, log_z = importance_bracket(model, n, **how)
    exact = log_likelihood(model, both.X, method="exact").values
    truth = log_partition(params.top)
    assert log_z.lower < truth + 0.01
    assert log_z.upper > truth - 4 * log_z.error
    below = both.lower.values + log_z.upper - truth - exact  # what importance sampling does, log Z known
    above = both.upper.values + log_z.lower - truth - exact
    assert below.mean() < 4 * below.std() / math.sqrt(n)
    assert above.mean() > -4 * above.std() / math.sqrt(n)
    assert (both.lower.bound, both.upper.bound) == ("lower", "upper")
    if n_samples == 2:
        assert below.mean() < -0.05
        assert above.mean() > 0.05
    if n_samples == 100:
        assert both.width.mean() < 0.3
    assert "importance sampling both ways, 3000 images drawn from the model" in str(both)


@pytest.mark.slow
def test_draws_with_their_latents_have_the_probabilities_of_the_model():
    params, n = networks(5, scale=1.5), 2000
    X, (H,) = model_of(params).sample_joint(n, np.random.default_rng(0))
    log_p = np.array([naive.log_prior_of_top(params, h) for h in STATES])
    p = np.exp(log_p - np.logaddexp.reduce(log_p))
    counts = np.bincount(H @ (1 << np.arange(N_H - 1, -1, -1)), minlength=len(STATES))
    order = STATES @ (1 << np.arange(N_H - 1, -1, -1))
    np.testing.assert_allclose(counts[order] / n, p, atol=0.05)
    on = H[:, 0] == 1
    mean = 1 / (1 + np.exp(-(H[on] @ params.W.T + params.b)))
    np.testing.assert_allclose(X[on].mean(0), mean.mean(0), atol=0.08)


@pytest.mark.slow
def test_both_sides_of_log_p_are_named_where_the_normaliser_is_annealed(monkeypatch):
    params = networks(6, scale=1.0)
    model = model_of(params)
    X = drawn(params, 400, np.random.default_rng(1))[0]
    exact = log_likelihood(model, X, method="exact").mean
    monkeypatch.setattr(bracket, "MAX_EXACT", 0)
    monkeypatch.setattr(DBN, "log_normaliser", lambda self: None)
    found = bounded_log_likelihood(model, X, 200, n_temperatures=200)
    assert found.lower is not None
    assert found.upper is not None
    assert found.lower <= found.estimate.mean <= found.upper
    assert found.lower - 0.05 < exact < found.upper + 0.05
    assert found.upper - found.lower < 0.5
    assert "annealed back from draws of the RBM on top: a lower bound in expectation" in str(found.lower_is)
    assert "with the latents that an image was drawn from" in str(found.upper_is)


def test_a_model_without_such_a_normaliser_is_refused():
    with pytest.raises(NotOffered):
        importance_bracket(RBM.from_params(np.zeros((3, 2)), np.zeros(3), np.zeros(2)), 3)
    with pytest.raises(ValueError, match="n_samples"):
        importance_bracket(model_of(networks(1)), 3, n_samples=1)


def test_an_estimate_with_log_z_by_annealing_is_near_log_p():
    for n_h, n_top in ((3, 4), (12, 11)):
        params = networks(9, n_h=n_h, n_top=n_top, scale=0.5)
        system, state = state_of(params)
        found = system.estimate(state, IMAGES.astype(np.uint8), np.random.default_rng(0))
        assert found["log_partition"] == pytest.approx(log_partition(params.top), abs=0.15)
        exact = log_likelihood(model_of(params), IMAGES, method="exact").mean
        assert found["variational_bound"] < found["log_likelihood"]
        # particles are of a recognition network that learned nothing
        assert exact - 1.5 < found["log_likelihood"] < exact + 0.2


def test_samples_have_the_probabilities_of_the_model():
    params = networks(10, n_v=3)
    n, images = 20_000, np.array(list(naive.states(3)))
    X = model_of(params).sample(n, random_state=1)
    codes = np.bincount(X @ (1 << np.arange(3)[::-1]), minlength=len(images))
    p = np.exp(log_likelihood(model_of(params), images, method="exact").values)
    assert (np.abs(codes - n * p) < 4.5 * np.sqrt(n * p * (1 - p))).all()


# -- gradients


def test_the_wake_gradient_is_in_expectation_that_of_the_log_likelihood():
    params, x, n = networks(11), image(11), 40_000
    system, state = state_of(params)
    H, along_W, along_b = system.awake(state, np.tile(x, (n, 1)), np.random.default_rng(6))
    assert H.shape == (n, N_H)

    def expected(moved: Flat) -> float:
        return math.fsum(
            math.exp(naive.log_guess(params, x, h)) * naive.log_likelihood(moved, "bernoulli", x, h)
            for h in STATES
        )

    for found, name in ((along_W, "W"), (along_b, "b")):
        np.testing.assert_allclose(found, slopes(expected, params, name), atol=4 / math.sqrt(n))


def test_the_sleep_gradient_is_in_expectation_that_of_the_recognition_network():
    params, h, n = networks(12), STATES[5], 40_000
    system, state = state_of(params)
    along_V, along_c = system.asleep(state, np.tile(h, (n, 1)).astype(np.uint8), np.random.default_rng(7))

    def expected(moved: Flat) -> float:
        return math.fsum(
            math.exp(naive.log_likelihood(params, "bernoulli", x, h)) * naive.log_guess(moved, x, h)
            for x in IMAGES
        )

    for found, name in ((along_V, "V"), (along_c, "c")):
        np.testing.assert_allclose(found, slopes(expected, params, name), atol=4 / math.sqrt(n))


@pytest.mark.parametrize("method", ["pcd", "cd"])
def test_what_is_dreamt_comes_from_the_chains_of_the_top(method):
    params, n = networks(13, scale=0.5), 20_000
    system, state = state_of(params, method=method, n_particles=n, n_gibbs=50 if method == "cd" else 1)
    top = state.top
    if method == "pcd":
        top = top._replace(particles=np.tile(np.array([1, 0, 1, 1], np.uint8), (n, 1)))
        expected = [naive.sigmoid(z) for z in params.d + params.U @ [1, 0, 1, 1]]
    else:  # after many sweeps it does not matter where they began
        p = np.exp([naive.log_prior_of_top(params, h) for h in STATES])
        expected = (p / p.sum()) @ STATES
    found = system.dreamt_latents(top, np.tile(STATES[6], (n, 1)).astype(np.uint8), np.random.default_rng(8))
    np.testing.assert_allclose(found.mean(axis=0), expected, atol=2.5 / math.sqrt(n))


@pytest.mark.parametrize("gradient", ["standard", "enhanced"])
def test_up_down_takes_latents_less_their_mean_unless_the_gradient_is_the_plain_one(gradient):
    """Else all weights of a pixel step together, and its log-odds move by as much as there are latents."""
    X, rate = IMAGES.astype(np.uint8), np.float32(0.25)
    system, state = state_of(networks(15), stage=UP_DOWN, gradient=gradient, learning_rate=rate)
    H, along_W, along_b = system.awake(state, X, np.random.default_rng(9))
    after, _ = system.learn_up_down(state, X, np.random.default_rng(9))
    mean = H.mean(axis=0) if gradient == "enhanced" else np.zeros(N_H)
    np.testing.assert_allclose(after.W, state.W + rate * (along_W - np.outer(along_b, mean)), atol=1e-6)
    moved = (after.b + after.W @ mean) - (state.b + state.W @ mean)
    np.testing.assert_allclose(moved, rate * along_b, atol=1e-6)


# -- stages


def test_stages_follow_each_other_and_the_rate_falls_within_each():
    system = DBNSystem(5, first_share=0.5, up_down_share=0.2, learning_rate_end=0.001, up_down_rate=0.5)
    shares = (0.0, 0.25, 0.499999, 0.5, 0.65, 0.799999, 0.8, 1.0)
    found = [(system.at_progress(share).stage, system.at_progress(share).learning_rate) for share in shares]
    assert [stage for stage, _ in found] == [FIRST, FIRST, FIRST, TOP, TOP, TOP, UP_DOWN, UP_DOWN]
    rates = [0.1, 0.01, 0.001, 0.1, 0.01, 0.001, 0.05, 0.0005]
    np.testing.assert_allclose([rate for _, rate in found], rates, rtol=1e-3)
    greedy = DBNSystem(5, up_down_share=0.0, learning_rate_end=0.001)
    assert greedy.at_progress(1.0).stage == TOP
    assert greedy.at_progress(1.0).learning_rate == pytest.approx(0.001)


def test_each_stage_learns_what_it_says_and_the_first_is_an_rbm_alone():
    X = np.random.default_rng(0).integers(0, 2, (40, 9), np.uint8)
    system = DBNSystem(5, n_top=4, n_particles=7)
    before = system.init(X, np.random.default_rng(1))
    after, figures = system.step(before, X, np.random.default_rng(2))
    assert figures["stage"] == FIRST
    alone, _ = RBMSystem(5, gradient="enhanced", learning_rate=0.1, n_particles=7).step(
        before.first, X, np.random.default_rng(2)
    )
    for one, other in zip(after.first[:4], alone[:4], strict=True):
        np.testing.assert_array_equal(one, other)
    changed = {FIRST: "WbdVc", TOP: "dUe", UP_DOWN: "WbdVcUe"}
    for stage in (TOP, UP_DOWN):
        following, figures = DBNSystem(5, n_top=4, n_particles=7, stage=stage).step(
            after, X, np.random.default_rng(3)
        )
        assert figures["stage"] == following.stage == stage
        old, new = system.parameters(after), system.parameters(following)
        names = {name for name in old if not np.array_equal(old[name], new[name])}
        assert names == set(changed[stage])
        assert system.gradient_norm(after, following) > 0
        after = following


def test_the_means_of_the_lower_latents_are_their_prior_before_the_top_has_learned():
    X = load_dataset("digits").train_X
    system = DBNSystem(6, n_top=4, n_particles=20)
    run = Training(system, X, n_iter=2, batch_size=100, rng=np.random.default_rng(0))
    for state, _ in run:
        if state.stage != FIRST:
            break
        kept = state
    means = system.encode(kept, X).mean(axis=0)
    np.testing.assert_allclose(1 / (1 + np.exp(-kept.d)), means, atol=0.1)


def test_a_longer_budget_goes_back_to_no_stage():
    X = np.random.default_rng(0).integers(0, 2, (40, 9), np.uint8)
    run = Training(DBNSystem(5, n_top=4), X, n_iter=4, batch_size=10, rng=np.random.default_rng(0))
    stages = [state.stage for state, _ in run]
    assert stages == sorted(stages)
    assert set(stages) == {FIRST, TOP, UP_DOWN}
    run.n_iter = 20
    assert {state.stage for state, _ in run} == {UP_DOWN}


def test_a_step_that_leaves_the_finite_numbers_is_refused():
    params = networks()
    system, state = state_of(params._replace(W=np.full((N_V, N_H), 1e38)), stage=UP_DOWN)
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(FloatingPointError, match="not finite after step 1"),
    ):
        DBNSystem(N_H, n_top=N_TOP, stage=UP_DOWN, learning_rate=1e38).step(
            state, IMAGES.astype(np.uint8), np.random.default_rng(0)
        )
    assert system.stage == UP_DOWN


# -- settings and files


def test_settings_that_cannot_be_are_refused_in_words():
    with pytest.raises(ValueError, match="leave no steps for the RBM on top"):
        DBN(first_share=0.7, up_down_share=0.3).check_settings()
    with pytest.raises(ValueError, match=r"n_components is \(1, 3\) but layers of .* latents are given"):
        model_of(networks(), n_components=(1, 3))
    with pytest.raises(ValueError, match=r"U has shape \(3, 4\); expected \(3, 2\)"):
        model_of(networks()._replace(e=np.zeros(2)))
    with pytest.raises(ValueError, match="U holds NaN"):
        model_of(networks()._replace(U=np.full((N_H, N_TOP), np.nan)))
    with pytest.raises(ValueError, match="first_share needs a known number of steps"):
        DBN((4, 3)).partial_fit(IMAGES)
    with pytest.raises(ValueError, match="visible"):
        DBN(visible="gaussian").check_settings()


def test_a_file_holds_both_layers(tmp_path):
    model = model_of(networks(14))
    model.save(tmp_path / "dbn.npz")
    again = load_model(tmp_path / "dbn.npz")
    assert isinstance(again, DBN)
    assert again.n_components == (N_H, N_TOP)
    for one, other in zip(arrays_of(again), arrays_of(model), strict=True):
        np.testing.assert_array_equal(one, other)
    top = again.transform_top(IMAGES)
    assert top.shape == (len(IMAGES), N_TOP)
    assert ((top > 0) & (top < 1)).all()
    arrays = dict(np.load(tmp_path / "dbn.npz"))
    for wrong in ({"U": np.zeros((N_H + 1, N_TOP))}, {"e": np.zeros(N_TOP + 1)}, {"U": np.zeros(3)}):
        np.savez(tmp_path / "wrong.npz", **{**arrays, **wrong})
        with pytest.raises(UnreadableFile):
            load_model(tmp_path / "wrong.npz")
    copy = again.with_layers(again.layers)
    assert isinstance(copy, DBN)
    np.testing.assert_array_equal(copy.transform(IMAGES), again.transform(IMAGES))


def test_training_that_is_left_goes_on_bit_for_bit_from_its_checkpoint(tmp_path):
    X = load_dataset("digits").train_X[:200]
    path = tmp_path / "run.ckpt"

    def make() -> DBN:
        return DBN((6, 5), n_iter=5, batch_size=20, random_state=0)

    whole = make().fit(X)
    for stop in (7, 25, 40):  # one in each stage
        steps = make().fit_steps(X, checkpoint=path, checkpoint_seconds=0)
        for _ in range(stop):
            next(steps)
        del steps  # as who leaves the loop does
        again = make().fit(X, checkpoint=path)
        for one, other in zip(arrays_of(again), arrays_of(whole), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_budget_in_seconds_is_refused_and_nothing_impossible_is_advised():
    """Its stages are shares of a run: there is no setting to leave out."""
    system = DBN((6, 5)).make_system()
    with pytest.raises(ValueError, match=r"first_share needs a known number .* give passes alone\.$"):
        check_unplanned(system, "a budget in seconds")
