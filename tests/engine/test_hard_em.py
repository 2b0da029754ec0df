"""Hard EM: the M-step against finite differences and least squares, the priors, reproducible runs."""

import copy

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import make_params
from lrbn_viz.lrbn.regression import gaussian_statistics, gradient, solve_gaussian


def batch(visible: str, n: int, n_v: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.integers(0, 2, (n, n_v)).astype(float) if visible == "bernoulli" else rng.normal(size=(n, n_v))


def small_fit(visible: str = "bernoulli", **settings) -> LRBN:
    """Three passes over 60 images of 12 pixels."""
    given = {"n_components": 5, "n_iter": 3, "random_state": 0, "validation_size": 0} | settings
    return LRBN(visible=visible, **given).fit(batch(visible, 60, 12))  # pyright: ignore[reportArgumentType]


@pytest.mark.nojit
@given(
    st.sampled_from(VISIBLES), st.integers(1, 5), st.integers(1, 4), st.integers(1, 4), st.integers(0, 9999)
)
@settings(max_examples=25)
def test_the_gradient_equals_finite_differences(visible, n, n_v, n_h, seed):
    case = random_case(visible, n_v, n_h, seed)
    X, H = batch(visible, n, n_v, seed), np.random.default_rng(seed).integers(0, 2, (n, n_h)).astype(np.uint8)
    found = gradient(make_params(*case.params), visible, X, H)
    for slope, expected in zip(found, naive.gradient(case.params, visible, X, H), strict=True):
        np.testing.assert_allclose(slope, expected, atol=2e-7)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("prior", ["learned", "flat"])
def test_a_gradient_step_moves_along_the_gradient_at_the_inferred_states(visible, prior):
    case = random_case(visible, 6, 4, seed=1)
    X = batch(visible, 9, 6)
    system = HardEM(n_h=4, visible=visible, prior=prior, learning_rate=0.05)  # pyright: ignore[reportArgumentType]
    state = system.from_params(make_params(*case.params))
    H = system.infer(state.params, X, np.random.default_rng(0), "icm", dtype=np.float32).H
    new, figures = system.step(state, X, np.random.default_rng(0))
    assert figures["log_joint"] == pytest.approx(naive.mean_log_joint(case.params, visible, X, H))
    slope = naive.gradient(case.params, visible, X, H)
    np.testing.assert_allclose(new.params.W, case.params.W + 0.05 * slope.W, atol=1e-8)
    np.testing.assert_allclose(new.params.b, case.params.b + 0.05 * slope.b, atol=1e-8)
    np.testing.assert_allclose(
        new.params.d, case.params.d + (0.05 * slope.d if prior == "learned" else 0), atol=1e-8
    )
    assert naive.mean_log_joint(new.params, visible, X, H) > figures["log_joint"]


@pytest.mark.nojit
def test_the_learning_rate_halves_after_decay_steps_and_momentum_repeats_the_last_step():
    X = batch("bernoulli", 9, 6)
    start = make_params(*random_case("bernoulli", 6, 4, seed=1).params)
    plain, slowed = (HardEM(n_h=4, learning_rate=0.1, decay_steps=steps) for steps in (np.inf, 8.0))
    late = [system.from_params(start)._replace(step=8) for system in (plain, slowed)]
    moves = [
        system.step(state, X, np.random.default_rng(0))[0].params.W - start.W
        for system, state in zip((plain, slowed), late, strict=True)
    ]
    np.testing.assert_allclose(moves[1], moves[0] / 2)
    heavy = HardEM(n_h=4, learning_rate=0.1, momentum=0.5)
    first, _ = heavy.step(heavy.from_params(start), X, np.random.default_rng(0))
    second, _ = heavy.step(first, X, np.random.default_rng(0))
    # What is added to the plain step from the same parameters is half of the step before.
    alone, _ = plain.step(plain.from_params(first.params), X, np.random.default_rng(0))
    np.testing.assert_allclose(second.params.W - alone.params.W, 0.5 * (first.params.W - start.W), atol=1e-12)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("prior", ["learned", "flat"])
def test_the_objective_rises_over_small_steps_on_the_full_batch(visible, prior):
    X = batch(visible, 200, 16)
    model = LRBN(
        6, visible=visible, prior=prior, m_step="gradient", learning_rate=0.04, batch_size=200, n_iter=80,
        validation_size=0, random_state=0, init="zeros",
    ).fit(X)  # fmt: skip
    joints = np.array([event.metrics["log_joint"] for event in model.history_])
    # The argmax changes hands between steps and ICM may find a worse one, but hardly and rarely.
    assert (np.diff(joints) > 0).mean() > 0.9
    assert np.diff(joints).min() > -0.02
    assert joints[-1] > joints[0] + 0.3


@pytest.mark.nojit
@given(
    st.integers(1, 40),
    st.integers(1, 5),
    st.integers(1, 6),
    st.sampled_from([1e-3, 1.0, 10.0]),
    st.integers(0, 99),
)
@settings(max_examples=40)
def test_the_closed_form_equals_least_squares(n, n_v, n_h, ridge, seed):
    rng = np.random.default_rng(seed)
    X, H = rng.normal(2, 1, (n, n_v)), rng.integers(0, 2, (n, n_h))
    W, b = solve_gaussian(gaussian_statistics(X, H), ridge)
    expected_W, expected_b = naive.gaussian_m_step(X, H, ridge, 0.0)
    np.testing.assert_allclose(W, expected_W, atol=1e-8)
    np.testing.assert_allclose(b, expected_b, atol=1e-8)


@pytest.mark.nojit
def test_dead_duplicate_and_always_on_units_survive_the_closed_form():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(30, 4))
    H = rng.integers(0, 2, (30, 6))
    H[:, 1] = 0
    H[:, 3] = H[:, 2]
    H[:, 5] = 1
    W, b = solve_gaussian(gaussian_statistics(X, H), 0.5)
    assert np.isfinite(W).all()
    np.testing.assert_allclose(W[:, 1], 0, atol=1e-12)
    np.testing.assert_allclose(W[:, 2], W[:, 3], atol=1e-9)
    # An always-on unit is a second offset; the offset is free of the ridge and takes all of it.
    np.testing.assert_allclose(W[:, 5], 0, atol=1e-9)
    expected_W, expected_b = naive.gaussian_m_step(X, H, 0.5, 0.0)
    np.testing.assert_allclose(W, expected_W, atol=1e-8)
    np.testing.assert_allclose(b, expected_b, atol=1e-8)


@pytest.mark.nojit
def test_a_closed_form_step_solves_for_its_batch_and_lets_past_ones_fade():
    case = random_case("gaussian", 5, 3, seed=3)
    system = HardEM(n_h=3, visible="gaussian", m_step="closed_form", ridge=0.7, memory=0.6)
    state = system.from_params(make_params(*case.params))
    batches = [batch("gaussian", n, 5, seed=n) for n in (20, 11)]
    designs, images, weights = [], [], [0.6, 1.0]
    for X in batches:
        designs.append(system.infer(state.params, X, np.random.default_rng(0), "icm", dtype=np.float32).H)
        images.append(X)
        state, _ = system.step(state, X, np.random.default_rng(0))
        if len(designs) == 1:
            W, b = naive.gaussian_m_step(X, designs[0], 0.7, 0.0)
            np.testing.assert_allclose(state.params.W, W, atol=1e-8)
            np.testing.assert_allclose(state.params.b, b, atol=1e-8)
    # Weighted least squares: rows of the older batch count 0.6 each, so each row is scaled by its root.
    roots = np.concatenate([np.full(len(X), np.sqrt(w)) for X, w in zip(images, weights, strict=True)])[
        :, None
    ]
    G = np.vstack([np.column_stack([H, np.ones(len(H))]) for H in designs]) * roots
    penalty = np.sqrt(0.7) * np.eye(3, 4)
    target = np.vstack([np.vstack(images) * roots, np.zeros((3, 5))])
    solution = np.linalg.lstsq(np.vstack([G, penalty]), target, rcond=None)[0]
    np.testing.assert_allclose(state.params.W, solution[:3].T, atol=1e-8)
    np.testing.assert_allclose(state.params.b, solution[3], atol=1e-8)
    # The learned prior is the faded share of images in which a unit is on, one imagined image on either side.
    on, total = 0.6 * designs[0].sum(axis=0) + designs[1].sum(axis=0), 0.6 * 20 + 11
    np.testing.assert_allclose([naive.sigmoid(d) for d in state.params.d], (on + 1) / (total + 2))


def test_more_units_than_images_and_constant_images_train_in_closed_form():
    X = np.ones((3, 4))
    model = LRBN(12, visible="gaussian", n_iter=5, random_state=0).fit(X)
    assert all(np.isfinite(a).all() for a in model.layers[0])
    np.testing.assert_allclose(model.reconstruct(X), X, atol=0.2)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("e_step", ["icm", "annealed", "gibbs"])
def test_a_flat_prior_keeps_d_at_zero_and_a_learned_one_moves_it(visible, e_step):
    assert (small_fit(visible, prior="flat", e_step=e_step).layers[0].d == 0).all()
    assert (small_fit(visible, prior="learned", e_step=e_step).layers[0].d != 0).all()


@pytest.mark.parametrize("m_step", ["gradient", "closed_form"])
def test_a_learned_prior_settles_at_how_often_each_unit_is_on(m_step):
    rng = np.random.default_rng(4)
    causes = rng.random((200, 3)) < [0.5, 0.3, 0.2]
    X = causes @ rng.normal(0, 2, (3, 10)) + rng.normal(0, 0.3, (200, 10))
    model = LRBN(
        3, visible="gaussian", prior="learned", m_step=m_step, learning_rate=0.5, batch_size=200, n_iter=150,
        validation_size=0, random_state=0,
    ).fit(X)  # fmt: skip
    share = model.transform(X).mean(axis=0)
    assert 0.1 < share.min() < share.max() < 0.9
    np.testing.assert_allclose([naive.sigmoid(d) for d in model.layers[0].d], share, atol=0.03)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("e_step", ["icm", "annealed", "gibbs"])
@pytest.mark.parametrize("init", ["conditional", "random"])
def test_equal_seeds_reproduce_a_run_bit_for_bit_and_other_seeds_do_not(visible, e_step, init):
    runs = [small_fit(visible, e_step=e_step, init=init, random_state=seed) for seed in (7, 7, 8)]
    raw = [b"".join(a.tobytes() for a in run.layers[0]) for run in runs]
    assert raw[0] == raw[1]
    assert raw[0] != raw[2]
    figures = [[event.metrics for event in run.history_] for run in runs]
    assert figures[0] == figures[1]


def test_a_model_learns_to_describe_bars():
    bars = load_dataset("bars")
    model = LRBN(16, prior="flat", n_iter=5, random_state=0, learning_rate=0.5).fit(bars.train_X[:500])
    wrong = (model.reconstruct(bars.test_X) != bars.test_X).sum(axis=1).mean()
    by_the_mean_image = (bars.test_X != (bars.train_X.mean(axis=0) > 0.5)).sum(axis=1).mean()
    assert by_the_mean_image > 12
    assert wrong < 6


@pytest.mark.nojit
def test_training_never_changes_a_state_it_has_given_out():
    # Inside: A state is never modified, so a reference to it stays valid.
    X = batch("gaussian", 40, 6)
    for m_step in ("gradient", "closed_form"):
        system = HardEM(n_h=3, visible="gaussian", m_step=m_step, momentum=0.5)  # pyright: ignore[reportArgumentType]
        states = [system.init(X, np.random.default_rng(0))]
        copies = [copy.deepcopy(states[0])]
        for _ in range(4):
            states.append(system.step(states[-1], X, np.random.default_rng(0))[0])
            copies.append(copy.deepcopy(states[-1]))
        for state, kept in zip(states, copies, strict=True):
            for a, b in zip(state.params, kept.params, strict=True):
                np.testing.assert_array_equal(a, b)
            np.testing.assert_array_equal(state.statistics.gg, kept.statistics.gg)


@pytest.mark.nojit
def test_a_run_that_diverges_is_an_error_that_names_the_step():
    X = 10 * batch("gaussian", 40, 6)
    model = LRBN(3, visible="gaussian", m_step="gradient", learning_rate=50.0, validation_size=0)
    model.set_params(n_iter=500, random_state=0)
    with (
        pytest.raises(FloatingPointError, match=r"training diverged.* step \d+.* Lower learning_rate"),
        np.errstate(all="ignore"),
    ):
        model.fit(X)
