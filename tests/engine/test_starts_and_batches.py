"""Where inference starts, and that a batch ends where each image's trace ends."""

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case, small_cases, with_jit
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.model import make_params

pytestmark = pytest.mark.nojit

INITS = ("conditional", "paper", "zeros", "random")


def images(visible: str, n: int, n_v: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (
        rng.integers(0, 2, (n, n_v)).astype(np.uint8) if visible == "bernoulli" else rng.normal(size=(n, n_v))
    )


@given(small_cases(), st.sampled_from(["conditional", "paper", "zeros"]))
@settings(max_examples=60)
def test_each_start_is_the_one_it_is_named_for(case, init):
    started = case.model().map_trace(case.x, init=init, max_sweeps=0).latents(0)
    expected = naive.starts(case.params, case.visible, case.x, init)
    # On an exact tie, such as that of a dead unit with a flat prior, either state is right.
    zeros = np.zeros(len(expected))
    n_h = len(expected)
    odds = [naive.log_odds(case.params, case.visible, case.x, zeros, j) for j in range(n_h)]
    evidence = case.x @ case.params.W + case.params.d
    tied = np.abs(evidence if (init, case.visible) == ("paper", "bernoulli") else odds) < 1e-9
    assert init != "zeros" or not started.any()
    np.testing.assert_array_equal(started[~tied], expected[~tied])


def test_the_two_named_starts_of_a_bernoulli_model_differ_and_those_of_a_gaussian_one_do_not():
    for visible, same in (("bernoulli", False), ("gaussian", True)):
        case = random_case(visible, 30, 12, seed=1)
        starts = [case.model().map_trace(case.x, init=init).h0 for init in ("conditional", "paper")]
        assert np.array_equal(starts[0], starts[1]) == same


def test_a_random_start_draws_fair_and_independent_coins():
    case = random_case("bernoulli", 4, 6, seed=2)
    rng = np.random.default_rng(0)
    model = case.model()
    H = np.array(
        [model.map_trace(case.x, init="random", max_sweeps=0, random_state=rng).h0 for _ in range(4000)]
    )
    # Four standard errors of 4,000 fair coins, and of the product of two.
    np.testing.assert_allclose(H.mean(axis=0), 0.5, atol=4 * 0.5 / np.sqrt(4000))
    np.testing.assert_allclose(np.cov(H.T) - 0.25 * np.eye(6), 0, atol=4 * 0.25 / np.sqrt(4000))


def test_the_exact_conditional_is_a_better_start_than_the_paper_s():
    gains = []
    for seed in range(40):
        case = random_case("bernoulli", 60, 10, seed)
        conditional, paper = (
            case.model().map_trace(case.x, init=init, max_sweeps=0).log_joint0
            for init in ("conditional", "paper")
        )
        gains.append(conditional - paper)
    assert np.mean(gains) > 5


def test_a_given_array_is_the_start_and_is_not_changed():
    case = random_case("bernoulli", 30, 6, seed=3)
    for init in (case.h0, case.h0.astype(bool), case.h0.astype(float), list(map(int, case.h0))):
        trace = case.model().map_trace(case.x, init=init)
        np.testing.assert_array_equal(trace.h0, case.h0)
    before = case.h0.copy()
    trace.h0[:] = 0
    np.testing.assert_array_equal(case.h0, before)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("init", ["conditional", "paper", "zeros"])
@pytest.mark.parametrize(("n_v", "n_h"), [(1, 1), (64, 5), (65, 12), (130, 9)])
def test_a_batch_ends_in_the_states_of_the_traces(visible, init, n_v, n_h):
    case = random_case(visible, n_v, n_h, seed=4)
    X = images(visible, 9, n_v)
    model = case.model(init=init)
    H = model.transform(X)
    assert (H.shape, H.dtype) == ((9, n_h), np.dtype(np.uint8))
    for x, h in zip(X, H, strict=True):
        trace = model.map_trace(x)
        np.testing.assert_array_equal(trace.h0, model.map_trace(x, init=init).h0)
        np.testing.assert_array_equal(trace.latents(trace.n_visits), h)
        _, end, _ = naive.icm(case.params, visible, x, naive.starts(case.params, visible, x, init))
        np.testing.assert_array_equal(h, end)


@given(small_cases(), st.integers(1, 3))
@settings(max_examples=40)
def test_a_batch_started_from_given_states_ends_where_the_traces_end_even_when_cut_short(case, max_sweeps):
    rng = np.random.default_rng(0)
    X = np.stack([case.x] * 5)
    H0 = rng.integers(0, 2, (5, len(case.h0))).astype(np.uint8)
    params = make_params(*case.params)
    kernel_params = prepare_params(params, case.visible)
    batch = infer_batch(
        params, case.visible, kernel_params, X.astype(float), H0, np.zeros(0), max_sweeps, rng
    )
    for x, h0, h, visits, flips, converged in zip(X, H0, *batch, strict=True):
        trace = case.model().map_trace(x, init=h0, max_sweeps=max_sweeps)
        np.testing.assert_array_equal(trace.latents(trace.n_visits), h)
        assert (trace.n_visits, trace.flipped.sum(), trace.converged) == (visits, flips, converged)


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_warm_batch_makes_the_visits_of_a_warm_trace(visible):
    case = random_case(visible, 70, 8, seed=5)
    params = make_params(*case.params)
    kernel_params = prepare_params(params, visible)
    temperatures = np.array([3.0, 1.0, 0.3])
    for seed in range(10):
        batch = infer_batch(
            params, visible, kernel_params, case.x[None].astype(float), case.h0[None], temperatures, 50,
            np.random.default_rng(seed),
        )  # fmt: skip
        trace = case.model().map_trace(case.x, init=case.h0, temperature=[3.0, 1.0, 0.3], random_state=seed)
        np.testing.assert_array_equal(batch.H[0], trace.latents(trace.n_visits))
        assert batch.visits[0] == trace.n_visits


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("method", ["icm", "annealed", "gibbs"])
def test_an_image_s_states_do_not_depend_on_the_images_after_it(visible, method):
    case = random_case(visible, 20, 6, seed=6)
    X = images(visible, 300, 20)
    model = case.model()
    how = {"method": method, "n_sweeps": 3, "random_state": 3}
    whole = model.transform(X, **how)
    np.testing.assert_array_equal(model.transform(X, **how), whole)
    # Random streams are drawn for blocks of images in turn; what a block holds changes none before it.
    np.testing.assert_array_equal(model.transform(X[:256], **how), whole[:256])
    np.testing.assert_array_equal(model.transform(X[:7], **how), whole[:7])


@pytest.mark.parametrize("order", ["C", "F", "reversed", "list"])
def test_the_memory_layout_and_type_of_the_images_do_not_matter(order):
    case = random_case("bernoulli", 70, 6, seed=7)
    X = images("bernoulli", 11, 70)
    other = {
        "C": X.astype(bool),
        "F": np.asfortranarray(X.astype(np.float32)),
        "reversed": X[:, ::-1].copy()[:, ::-1],
        "list": X.tolist(),
    }[order]
    np.testing.assert_array_equal(case.model().transform(other), case.model().transform(X))
    np.testing.assert_array_equal(
        case.model().map_trace(other[3]).log_odds, case.model().map_trace(X[3]).log_odds
    )


def test_inference_never_changes_the_images_or_the_parameters():
    case = random_case("gaussian", 20, 6, seed=8)
    X = images("gaussian", 5, 20)
    model = case.model()
    before = [a.tobytes() for a in (X, *model.layers[0])]
    for method in ("icm", "annealed", "gibbs"):
        model.reconstruct(X, method=method, n_sweeps=2)
    model.map_trace(X[0], order="random", temperature=1.0, max_sweeps=3)
    assert [a.tobytes() for a in (X, *model.layers[0])] == before


@pytest.mark.parametrize("visible", VISIBLES)
def test_means_reconstructions_and_joints_of_a_batch_are_those_of_the_paper(visible):
    case = random_case(visible, 33, 5, seed=9)
    X, H = images(visible, 6, 33), np.random.default_rng(1).integers(0, 2, (6, 5))
    model = case.model()
    A = np.array([naive.activations(case.params, h) for h in H])
    means = 1 / (1 + np.exp(-A)) if visible == "bernoulli" else A
    np.testing.assert_allclose(model.inverse_transform(H), means, atol=1e-12)
    joints = [naive.log_joint(case.params, visible, x, h) for x, h in zip(X, H, strict=True)]
    np.testing.assert_allclose(model.log_joint(X, H), joints, atol=1e-9)
    ends = model.transform(X)
    guess = model.reconstruct(X)
    A = np.array([naive.activations(case.params, h) for h in ends])
    if visible == "bernoulli":
        assert guess.dtype == np.uint8
        np.testing.assert_array_equal(guess, A > 0)
    else:
        np.testing.assert_allclose(guess, A, atol=1e-12)
    best = [naive.log_joint(case.params, visible, x, h) for x, h in zip(X, ends, strict=True)]
    np.testing.assert_allclose(model.score_samples(X), best, atol=1e-9)
    assert model.score(X) == pytest.approx(np.mean(best))


@pytest.mark.parametrize("visible", VISIBLES)
def test_samples_have_the_means_and_covariances_of_the_model(visible):
    case = random_case(visible, 4, 3, seed=10, scale=0.8)
    n = 40_000
    X = case.model().sample(n, random_state=0).astype(float)
    prior = np.exp([naive.log_prior(case.params, h) for h in naive.states(3)])
    A = np.array([naive.activations(case.params, h) for h in naive.states(3)])
    means = 1 / (1 + np.exp(-A)) if visible == "bernoulli" else A
    noise = means * (1 - means) if visible == "bernoulli" else np.ones_like(means)
    mean = prior @ means
    covariance = (means - mean).T @ (prior[:, None] * (means - mean)) + np.diag(prior @ noise)
    spread = np.sqrt(np.diag(covariance))
    # Five standard errors; those of a product of two are at most about those of a fourth moment of 3.
    np.testing.assert_array_less(np.abs(X.mean(axis=0) - mean), 5 * spread / np.sqrt(n))
    bound = 5 * np.sqrt(3) * np.outer(spread, spread) / np.sqrt(n)
    np.testing.assert_array_less(np.abs(np.cov(X.T) - covariance), bound)


@with_jit("there are no threads with the JIT off")
def test_small_batches_and_batches_while_the_threads_are_taken_are_inferred_alike():
    # Inside: Parallel kernels run under one lock, because two threads inside them abort the process.
    from lrbn_viz import LRBN
    from lrbn_viz.kernels.numerics import MIN_THREADED_WORK, PARALLEL_LOCK

    rng = np.random.default_rng(0)
    model = LRBN.from_params(rng.normal(size=(200, 30)), rng.normal(size=200), rng.normal(size=30))
    X = rng.integers(0, 2, (400, 200))
    assert 256 * 256 * 30 >= MIN_THREADED_WORK > 20 * 256 * 30, "one batch of each kind"
    for method in ("icm", "annealed", "gibbs"):
        how = {"method": method, "n_sweeps": 10, "random_state": 1}
        together = model.transform(X, **how)
        with PARALLEL_LOCK:
            np.testing.assert_array_equal(model.transform(X, **how), together)
    one_by_one = np.vstack([model.transform(X[m : m + 20], method="icm") for m in range(0, 400, 20)])
    np.testing.assert_array_equal(one_by_one, model.transform(X, method="icm"))
