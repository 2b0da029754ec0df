"""Two layers with a recognition network: weights, bounds and gradients against enumeration."""

from __future__ import annotations

import itertools
import math
from typing import Any

import naive
import numpy as np
import pytest
from engine.networks_of_two import TwoNetworks
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

from lrbn_viz import NVIL, RWS, VIMCO, load_dataset, load_model
from lrbn_viz.core.model import LayerParams
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.lrbn.means.moments import LayerMoments
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn import particles as sbn
from lrbn_viz.rivals.sbn.model import LayerNetworks, named_parameters
from lrbn_viz.rivals.sbn.nvil import NVILSystem
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.rivals.sbn.system import RecognitionSystem
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem

N_V, N_H, N_TOP = 4, 2, 2
GENERATIVE, RECOGNITION = ("W", "b", "d", "U", "e"), ("V", "c", "V2", "c2")
PAIRS = list(itertools.product(list(naive.states(N_H)), list(naive.states(N_TOP))))
IMAGES = np.array(list(naive.states(N_V)))
SIZES: Any = {"n_h": (N_H, N_TOP)}


def networks(seed: int = 0, n_v: int = N_V, n_h: int = N_H, n_top: int = N_TOP, scale: float = 0.8):
    """Random parameters of all networks, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_v, n_h), (n_h,), (n_h, n_top), (n_top,), (n_h, n_top), (n_top,))
    return TwoNetworks(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def image(seed: int = 0, n_v: int = N_V) -> np.ndarray:
    return np.random.default_rng([seed, 1]).integers(0, 2, n_v).astype(np.uint8)


def model_of(params: TwoNetworks, kind: Any = RWS, **how):
    return kind.from_params(**params._asdict(), **how)


def log_evidence(params: TwoNetworks, x: np.ndarray) -> float:
    return float(np.logaddexp.reduce([naive.log_joint_of_two(params, x, h, g) for h, g in PAIRS]))


def log_weights(params: TwoNetworks, x: np.ndarray) -> list[float]:
    return [
        naive.log_joint_of_two(params, x, h, g) - naive.log_guess_of_two(params, x, h, g) for h, g in PAIRS
    ]


def weighed(system: RecognitionSystem, params: TwoNetworks, x: np.ndarray, chosen, n_each: int):
    """Return a state, and given latents as particles of the image, `n_each` of them in each of its copies."""
    state = system.resume(params.layers, np.random.default_rng(0))
    low, high = state.layers
    work = system.work
    H, G = (np.array([pair[n] for pair in chosen], np.float32) for n in range(2))
    X = sbn.as_floats(np.tile(x, (len(H) // n_each, 1)), work)
    above = sbn.weigh_states(high, H, G, sbn.recognise(high, H, work.above), work.above)
    return state, sbn.weigh_states(low, X, H, sbn.recognise(low, X, work), work, above)


def expected_gradients(system: RecognitionSystem, params: TwoNetworks, x: np.ndarray):
    """Return the mean of the gradients over all tuples of draws from q, by the names of the parameters."""
    n_each = system.n_particles
    tuples = list(itertools.product(range(len(PAIRS)), repeat=n_each))
    guesses = [naive.log_guess_of_two(params, x, h, g) for h, g in PAIRS]
    probabilities = [math.exp(math.fsum(guesses[s] for s in chosen)) for chosen in tuples]
    state, drawn = weighed(system, params, x, [PAIRS[s] for chosen in tuples for s in chosen], n_each)
    given = system.credit(state, drawn)
    # each tuple counts as its probability says, not one in as many as there are
    counts = np.array(probabilities)[:, None] * len(tuples)
    given = given._replace(
        generative=given.generative * counts,
        recognition=given.recognition * counts,
        upper=tuple(each * counts for each in given.upper),
    )
    found = system.gradients(state, drawn, given, np.random.default_rng(0))
    return dict(zip(params._fields, (np.array(each, np.float64) for each in found), strict=True))


def slope(function, params: TwoNetworks, name: str, step: float = 1e-5) -> np.ndarray:
    """Return central differences of a function of parameters in those of one name."""
    found = np.zeros(getattr(params, name).shape)
    for index in np.ndindex(found.shape):
        sides = []
        for sign in (1, -1):
            moved = getattr(params, name).copy()
            moved[index] += sign * step
            sides.append(function(params._replace(**{name: moved})))
        found[index] = (sides[0] - sides[1]) / (2 * step)
    return found


# -- particles


@pytest.mark.nojit
@pytest.mark.parametrize("scale", [0.5, 3.0, 40.0])
def test_particles_of_both_layers_weigh_what_the_naive_joint_and_guess_say(scale):
    for seed in range(3):
        params, x = networks(seed, scale=scale), image(seed)
        _, drawn = weighed(RWSSystem(**SIZES), params, x, PAIRS, len(PAIRS))
        np.testing.assert_allclose(drawn.log_weights[0], log_weights(params, x), rtol=2e-6, atol=4e-5)
        assert drawn.above is not None
        upper = [naive.log_weight(params.upper, h, g) for h, g in PAIRS]
        np.testing.assert_allclose(drawn.above.log_weights[:, 0], upper, rtol=2e-6, atol=2e-5)


def test_the_mean_weight_is_the_probability_of_the_image():
    params, x = networks(2), image(2)
    exact = log_evidence(params, x)
    _, drawn = weighed(RWSSystem(**SIZES), params, x, PAIRS, len(PAIRS))
    guesses = [naive.log_guess_of_two(params, x, h, g) for h, g in PAIRS]
    assert np.logaddexp.reduce(drawn.log_weights[0] + guesses) == pytest.approx(exact, abs=1e-5)
    system = RWSSystem(**SIZES)
    state = system.resume(params.layers, np.random.default_rng(0))
    sampled = np.exp(system.bounds(state, x[None], 20_000, np.random.default_rng(3)).log_weights[0] - exact)
    assert abs(sampled.mean() - 1) < 4 * sampled.std() / math.sqrt(len(sampled))


def test_bounds_are_below_log_p_rise_with_particles_and_are_those_of_importance_sampling():
    for seed in range(3):
        params, x = networks(seed, scale=1.5), image(seed)
        bounds = [naive.expected_bound_of_two(params, x, k) for k in (1, 2)]
        assert bounds[0] <= bounds[1] <= log_evidence(params, x)
        X = np.tile(x, (500, 1))
        for n_samples, bound in zip((1, 2), bounds, strict=True):
            found = log_likelihood(model_of(params), X, method="importance", n_samples=n_samples)
            assert found.bound == "lower"
            error = found.values.std() / math.sqrt(len(X))
            assert found.mean == pytest.approx(bound, abs=4 * error + 1e-9)
    exact = log_likelihood(model_of(params), IMAGES, method="exact")
    assert math.fsum(np.exp(exact.values)) == pytest.approx(1.0, abs=1e-12)


def test_samples_have_the_probabilities_that_the_network_gives():
    params, n = networks(4), 40_000
    system = RWSSystem(**SIZES)
    state = system.resume(params.layers, np.random.default_rng(0))
    drawn = system.sample(state, n, np.random.default_rng(5))
    p = np.exp([log_evidence(params, each) for each in IMAGES])
    codes = np.bincount(drawn @ (1 << np.arange(N_V)[::-1]), minlength=len(IMAGES))
    assert (np.abs(codes - n * p) < 4.5 * np.sqrt(n * p * (1 - p)) + 1).all()


# -- gradients


@pytest.mark.parametrize(
    ("system", "n_bound"),
    [
        (RWSSystem(**SIZES, n_particles=2, phases="wake"), 2),
        (WakeSleepSystem(**SIZES), 1),
        (NVILSystem(**SIZES), 1),
        (VIMCOSystem(**SIZES, n_particles=2), 2),
    ],
)
def test_every_method_takes_the_generative_gradient_of_its_bound(system, n_bound):
    params, x = networks(6), image(6)
    found = expected_gradients(system, params, x)
    own = {name: getattr(params, name) for name in RECOGNITION}  # q stays: only the generative network moves
    for name in GENERATIVE:

        def bound(moved: TwoNetworks) -> float:
            return naive.expected_bound_of_two(moved._replace(**own), x, n_bound)

        np.testing.assert_allclose(found[name], slope(bound, params, name), atol=2e-5, err_msg=name)


@pytest.mark.parametrize(
    ("system", "n_bound"),
    [
        (VIMCOSystem(**SIZES, n_particles=2), 2),
        (NVILSystem(**SIZES, smoothing=1.0), 1),
        (NVILSystem(**SIZES, smoothing=1.0, n_particles=2, n_baseline=0), 1),
    ],
)
def test_each_layers_own_signal_leaves_the_recognition_gradient_right_in_expectation(system, n_bound):
    """NVIL's running means are held: they follow the particles, and then it is right but for that."""
    params, x = networks(11), image(11)
    found = expected_gradients(system, params, x)
    for name in RECOGNITION:
        expected = slope(lambda moved: naive.expected_bound_of_two(moved, x, n_bound), params, name)
        np.testing.assert_allclose(found[name], expected, atol=5e-5, err_msg=name)


def test_the_wake_gradient_is_that_of_the_guesses_by_their_shares():
    params, x, n_each = networks(7), image(7), 2
    found = expected_gradients(RWSSystem(**SIZES, n_particles=n_each, phases="wake"), params, x)
    weights = np.exp(log_weights(params, x))
    p = np.exp([naive.log_guess_of_two(params, x, h, g) for h, g in PAIRS])
    # how much each pair counts, over all pairs of draws
    share = 2 * p * ((p / (weights[:, None] + weights)).sum(axis=1) * weights)

    def guessed(moved: TwoNetworks) -> float:
        log_q = [naive.log_guess_of_two(moved, x, h, g) for h, g in PAIRS]
        return math.fsum(share * np.array(log_q))

    for name in RECOGNITION:
        np.testing.assert_allclose(found[name], slope(guessed, params, name), atol=2e-5, err_msg=name)


def test_the_sleep_gradient_is_in_expectation_that_of_guesses_of_dreams():
    params = networks(8)
    dreams = [(x, h, g, math.exp(naive.log_joint_of_two(params, x, h, g))) for x in IMAGES for h, g in PAIRS]

    def guessed(moved: TwoNetworks) -> float:
        return math.fsum(p * naive.log_guess_of_two(moved, x, h, g) for x, h, g, p in dreams)

    system, n = WakeSleepSystem(**SIZES), 4000
    state = system.resume(params.layers, np.random.default_rng(0))
    rng, found = np.random.default_rng(9), []
    for _ in range(20):
        X = sbn.as_floats(np.zeros((n, N_V), np.uint8), system.work)
        drawn = system.draw(state, X, 1, rng)
        gradients = system.gradients(state, drawn, system.credit(state, drawn), rng)
        copies = (np.array(each, np.float64) for each in gradients)
        found.append(dict(zip(params._fields, copies, strict=True)))
    for name in RECOGNITION:
        samples = np.array([each[name] for each in found])
        error = samples.std(axis=0, ddof=1) / math.sqrt(len(samples))
        off = np.abs(samples.mean(axis=0) - slope(guessed, params, name, 1e-4))
        assert (off < 5 * error + 1e-6).all(), name


# -- training


def test_a_step_leaves_the_state_before_it_as_it_was_and_names_what_it_learns():
    X = np.random.default_rng(0).integers(0, 2, (30, N_V)).astype(np.uint8)
    system = NVILSystem(**SIZES, optimiser="adam", n_baseline=3)
    state = system.init(X, np.random.default_rng(1))
    assert [array.shape for array in state.baseline] == [(4, 3), (3,), (3,), (1,), (2, 3), (3,), (3,), (1,)]
    arrays = (*state.learned, *state.gradient_mean, *state.gradient_square)
    before = [array.copy() for array in arrays]
    after, figures = system.step(state, X, np.random.default_rng(2))
    for array, was in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(array, was)
    assert {"bound", "signal_variance", "upper_activity"} < figures.keys()
    assert tuple(system.parameters(after)) == TwoNetworks._fields
    for now, was in zip(after.learned[:9], state.learned[:9], strict=True):
        assert (now != was).any()
    same = system.with_parameters(state, system.parameters(after))
    for array, expected in zip(same.learned[:9], after.learned[:9], strict=True):
        np.testing.assert_array_equal(array, expected)
    assert system.encode(after, X).shape == (30, N_H + N_TOP)


def test_a_network_begins_with_the_first_order_of_the_posterior_as_its_guess():
    """With weights of its own the guess of 200 upper latents began 6 nats below log P(x)."""
    X = (np.random.default_rng(0).random((50, 6)) < 0.8).astype(np.uint8)
    state = RWSSystem((5, 4)).init(X, np.random.default_rng(1))
    (W, _, d, V, c), (U, _, e, V2, c2) = state.layers
    on = (X.sum(axis=0) + 1.0) / (len(X) + 2.0)
    np.testing.assert_array_equal(V, W)
    np.testing.assert_array_equal(V2, U)
    np.testing.assert_allclose(c, -W.T @ on, rtol=1e-5)
    np.testing.assert_allclose(c2, -U.T @ np.full(5, 0.5), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(d, -U @ np.full(4, 0.5), rtol=1e-5, atol=1e-7)
    small = 1e-3
    upper = LayerParams(*(np.asarray(each, np.float64) for each in (small * U, small * d, e)))
    for h in naive.states(5):
        joints = [(g, naive.log_joint(upper, "bernoulli", h, g)) for g in naive.states(4)]
        guess = small * (h @ V2 + c2)
        for j in range(4):
            sums = [np.logaddexp.reduce([found for g, found in joints if g[j] == state]) for state in (0, 1)]
            assert sums[1] - sums[0] == pytest.approx(guess[j], abs=20 * small**2)


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (RWSSystem, {}),
        (WakeSleepSystem, {}),
        (VIMCOSystem, {"optimiser": "momentum"}),
        (NVILSystem, {"recognition_rate": 0.5}),
    ],
)
def test_a_step_takes_the_inputs_of_an_upper_layers_weights_less_their_mean(kind, settings):
    """Else all weights of a unit step together, and its log-odds move by as much as there are weights."""
    X = np.random.default_rng(0).integers(0, 2, (30, 6)).astype(np.uint8)
    rate = 0.25
    system = kind((5, 3), learning_rate=rate, momentum=0.0, **settings)
    state = system.init(X, np.random.default_rng(1))
    particles = system.draw(state, X.astype(np.float32), system.n_particles, np.random.default_rng(2))
    assert particles.above is not None
    lower, upper = particles.means.mean(axis=0), particles.above.means.mean(axis=0)
    along = [
        np.array(each, np.float64) for each in system.learn(state, X, np.random.default_rng(2)).gradients
    ]
    after, _ = system.step(state, X, np.random.default_rng(2))
    low, (U, d, e, V2, c2) = (
        LayerNetworks(*(np.asarray(array, np.float64) for array in each)) for each in state.layers
    )
    new_low, (new_U, new_d, new_e, new_V2, new_c2) = after.layers
    of_q = rate * system.recognition_rate
    np.testing.assert_allclose(new_U, U + 0.3 * rate * (along[5] - np.outer(along[2], upper)), atol=1e-6)
    np.testing.assert_allclose(new_V2, V2 + 0.3 * of_q * (along[7] - np.outer(lower, along[8])), atol=1e-6)
    np.testing.assert_allclose(new_e, e + rate * along[6], atol=1e-6)
    # At the mean inputs log-odds move by the offsets' steps alone.
    moved = (new_d + new_U @ upper) - (d + U @ upper)
    np.testing.assert_allclose(moved, rate * along[2], atol=1e-6)
    moved = (new_c2 + lower @ new_V2) - (c2 + lower @ V2)
    np.testing.assert_allclose(moved, of_q * along[8], atol=1e-6)
    np.testing.assert_allclose(new_low.W, low.W + rate * along[0], atol=1e-6)


def test_divergence_is_said():
    X = np.random.default_rng(0).integers(0, 2, (30, N_V)).astype(np.uint8)
    system = RWSSystem(**SIZES, learning_rate=1e39)
    state = system.init(X, np.random.default_rng(1))
    with pytest.raises(FloatingPointError, match=r"not finite after step 1, learning rate 1e\+39; use a"):
        system.step(state, X, np.random.default_rng(2))


@pytest.mark.slow
@pytest.mark.parametrize("kind", [NVIL, RWS])
def test_two_layers_learn_structure_that_independent_upper_units_would_not_have(kind):
    """Above the bound of the same network with its upper layer cut off: the upper layer is used."""
    X = load_dataset("digits").train_X
    how = {"optimiser": "adam", "learning_rate": 0.02, "momentum": 0.9, "recognition_rate": 1.0}
    model = kind((12, 6), n_iter=60, batch_size=50, patience=None, random_state=0, **how).fit(X)
    means = model.recognise(X)[:, :12].mean(axis=0)
    learned = TwoNetworks(**named_parameters(model.params_))
    without = {name: np.zeros_like(getattr(learned, name)) for name in ("U", "e", "V2", "c2")}
    cut = learned._replace(**without, d=np.log(means / (1 - means)))
    assert model.score(X[:400]) > kind.from_params(**cut._asdict()).score(X[:400]) + 0.4


# -- means


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
def test_the_bound_of_means_is_below_log_p_and_is_the_joint_at_states(scale):
    for seed in range(4):
        params, x = networks(seed, scale=scale), image(seed)
        q = np.random.default_rng(seed).random(N_H + N_TOP)
        moments = LayerMoments([each.generative for each in params.layers], x, q)
        assert moments.bound() <= log_evidence(params, x) + 1e-9
        for h, g in PAIRS:
            for j, on in enumerate(np.concatenate([h, g])):
                moments.move(j, float(on))
            assert moments.bound() == pytest.approx(naive.log_joint_of_two(params, x, h, g), abs=1e-8)


@pytest.mark.parametrize("scale", [0.3, 1.0, 5.0])
def test_mean_field_never_lowers_the_bound_and_the_pass_ends_at_the_guess(scale):
    n = N_H + N_TOP
    for seed in range(4):
        params, x = networks(seed, scale=scale), image(seed)
        model = model_of(params)
        one_pass = model.map_trace(x, init="zeros")
        lower = [naive.sigmoid(a) for a in params.lower.V.T @ x + params.c]
        upper = [naive.sigmoid(a) for a in params.V2.T @ lower + params.c2]
        np.testing.assert_allclose(one_pass.latents(n), [*lower, *upper], atol=1e-12)
        np.testing.assert_allclose(model.recognise(x[None])[0], [*lower, *upper], atol=1e-12)
        off = naive.log_joint_of_two(params, x, np.zeros(N_H), np.zeros(N_TOP))
        assert one_pass.log_joint0 == pytest.approx(off, abs=1e-8)
        field = model.map_trace(x, kind="mean-field")
        np.testing.assert_array_equal(field.after[:n], one_pass.after)
        assert (np.diff(field.log_joint[n - 1 :]) > -1e-9).all()
        assert (field.model, field.means, field.normalised) == ("deep", True, True)


def test_held_units_stay_and_tell_the_upper_layer_and_icm_goes_on_from_the_guess():
    params, x = networks(3, scale=2.0), image(3)
    model = model_of(params)
    trace = model.map_trace(x, clamp={0: 1, 3: 0})
    assert not {0, 3} & set(trace.unit)
    end = trace.latents(trace.n_visits)
    expected = naive.sigmoid(float(params.V2[:, 0] @ [1.0, end[1]] + params.c2[0]))
    assert (end[0], end[3]) == (1.0, 0.0)
    assert end[2] == pytest.approx(expected)
    climbed = model.trace(x, "icm", init="recognition")
    np.testing.assert_array_equal(climbed.h0, model.recognise(x[None])[0] > 0.5)
    assert not climbed.means
    with pytest.raises(TypeError, match="kind='recognition' takes no order"):
        model.map_trace(x, kind="recognition", order="random")


# -- files


def test_a_file_holds_all_networks_and_one_of_one_layer_is_of_one(tmp_path):
    model = model_of(networks(5), NVIL)
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert type(again) is NVIL
    for mine, theirs in zip(again.params_, model.params_, strict=True):
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_array_equal(one, other)
    lower = model.params_[0]
    flat = NVIL.from_params(*lower.generative, V=lower.V, c=lower.c)
    flat.save(tmp_path / "flat.npz")
    assert load_model(tmp_path / "flat.npz").layer_sizes_ == (N_H,)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        (
            {"U": np.zeros((3, N_TOP))},
            r"U has shape \(3, 2\); expected \(2, 2\), a row for each of 2 units",
        ),
        ({"c2": np.zeros(3)}, r"c2 has shape \(3,\); expected \(2,\)"),
        ({"V2": np.full((N_H, N_TOP), np.nan)}, "V2 holds NaN"),
        ({"n_components": (2, 3)}, r"n_components is \(2, 3\) but layers of \(2, 2\) latents are given"),
        ({"n_components": 2}, r"n_components is 2 but layers of \(2, 2\) latents are given"),
    ],
)
def test_an_upper_layer_that_does_not_fit_is_refused_in_words(changed, words):
    with pytest.raises(ValueError, match=words):
        RWS.from_params(**{**networks()._asdict(), **changed})


def test_a_damaged_file_is_refused_in_words(tmp_path):
    path = tmp_path / "model.npz"
    model_of(networks()).save(path)
    with np.load(path) as found:
        kept = {name: found[name] for name in found.files if name != "V2"}
    np.savez(path, **kept)
    with pytest.raises(UnreadableFile, match="V2"):
        load_model(path)


def test_an_upper_layer_needs_all_of_its_arrays():
    params = networks()._asdict()
    with pytest.raises(TypeError, match="RWS of 2 layers lacks V2; expected all of W, b, d, V, c, U, e, V2"):
        RWS.from_params(**{name: array for name, array in params.items() if name != "V2"})


def test_the_number_of_layers_is_a_setting_of_one_estimator():
    assert RWS().make_system().sizes == RWS((200,)).make_system().sizes == (200,)
    assert RWS((200, 100)).make_system().sizes == (200, 100)
    assert not RWS((8,)).several_layers
    assert RWS((8, 4)).several_layers
    assert (RWS(8).short, RWS((8, 4)).short, RWS((8, 4, 2)).short) == (
        "RWS",
        "Two-layer RWS",
        "Three-layer RWS",
    )
    assert "icm-greedy" in RWS(8).trace_methods
    assert "icm-greedy" not in RWS((8, 4)).trace_methods


def test_a_search_over_settings_tries_numbers_of_layers():
    X = load_dataset("bars").train_X[:60]
    sizes = [3, (3,), (3, 2), (3, 2, 2)]
    search = GridSearchCV(RWS(n_iter=1, random_state=0), {"n_components": sizes}, cv=2).fit(X)
    assert search.best_params_["n_components"] in sizes
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    copied: Any = clone(RWS((3, 2)))
    assert copied.n_components == (3, 2)
    one = search.best_estimator_.set_params(n_components=(4, 3)).fit(X)
    assert [codes.shape[1] for codes in one.infer(X[:2])] == [4, 3]


@pytest.mark.parametrize(
    ("n_components", "words"),
    [
        (0, "n_components must be at least 1"),
        ((4, 0), "n_components must be at least 1"),
        ((), "n_components must be a number, or hold one for each layer"),
        ("8-4", "n_components must be a number, or hold one for each layer"),
        ((4, 2.5), "n_components must be an integer"),
        (None, "n_components must be a number, or hold one for each layer"),
        ((1,) * 101, "n_components must hold at most 100 values"),
    ],
)
def test_numbers_of_latents_that_cannot_be_are_refused_in_words(n_components, words):
    with pytest.raises((TypeError, ValueError), match=words):
        RWS(n_components).fit(load_dataset("bars").train_X[:60])


def test_three_layers_learn_infer_and_are_stored(tmp_path):
    X = load_dataset("bars").train_X[:60]
    model = VIMCO((6, 4, 3), n_iter=3, random_state=0).fit(X)
    assert [codes.shape[1] for codes in model.infer(X[:2])] == [6, 4, 3]
    model.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert again.n_components == (6, 4, 3)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    trace = again.trace(X[0], "mean-field")
    assert (np.diff(trace.log_joint[2 * 13 :]) > -1e-9).all()
