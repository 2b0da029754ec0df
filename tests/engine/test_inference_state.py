"""What inference keeps of an image, number by number: a right result does not show all of it."""

from __future__ import annotations

from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import random_case

from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn import icm
from lrbn_viz.lrbn.batch_kernel import run_sweeps, work_of
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.start import make_state
from lrbn_viz.lrbn.state import flip, log_joint_of, refresh
from lrbn_viz.lrbn.traced import Stepper

PRECISIONS = pytest.mark.parametrize("dtype", [np.float64, np.float32])


def state_of(W: Any, b: Any, dtype: Any = np.float64, **changed: Any):
    """Return the kernel's parameters and the state of an image whose latents are all off."""
    W, b = np.asarray(W, float), np.asarray(b, float)
    params = LayerParams(W, b, np.zeros(W.shape[1]))
    kernel = prepare_params(params, "bernoulli", dtype)._replace(**changed)
    start = np.zeros((1, W.shape[1]), np.uint8)
    state = make_state(params, "bernoulli", kernel, np.ones((1, len(b))), start, np.random.default_rng(0))
    refresh(kernel, state, 0)
    return kernel, state


def assert_fresh(kernel, state, precision: float = 1e-5) -> None:
    """Hold the probabilities to the activations, and these to the latents."""
    a = kernel.b + state.latent[0].astype(float) @ kernel.W
    np.testing.assert_allclose(state.activation[0], a, rtol=precision, atol=precision)
    with np.errstate(over="ignore"):
        on, off = 1.0 / (1.0 + np.exp(-a)), 1.0 / (1.0 + np.exp(a))
    np.testing.assert_allclose(state.on[0], np.maximum(on, kernel.floor), rtol=1e3 * precision)
    np.testing.assert_allclose(state.off[0], np.maximum(off, kernel.floor), rtol=1e3 * precision)


@pytest.mark.nojit
@PRECISIONS
def test_a_state_says_whether_a_pixel_had_to_be_floored(dtype):
    far = 1000.0
    for b, hopeless in (([0.5, -1.0, 2.0], False), ([0.5, -far, 2.0], True), ([-far, far, -far], True)):
        kernel, state = state_of(np.full((3, 2), 0.1), b, dtype)
        assert state.saturated.tolist() == [hopeless]
        assert_fresh(kernel, state)
        flip(kernel, state, 0, 0)
        assert state.saturated.tolist() == [hopeless]
        assert_fresh(kernel, state)


@pytest.mark.nojit
@PRECISIONS
def test_a_flip_that_makes_a_pixel_hopeless_says_so_and_the_next_comes_back(dtype):
    most = 40.0 if dtype == np.float32 else 290.0
    W = [[most, most, most], [0.3, -0.2, 0.1], [-most, -most, -most]]
    kernel, state = state_of(W, [0.0, 0.1, 0.2], dtype)
    assert (kernel.chunk > 0).all()
    for j, hopeless in ((0, False), (1, False), (2, True), (0, False)):
        flip(kernel, state, 0, j)
        assert state.saturated.tolist() == [hopeless]
        assert (min(state.on[0].min(), state.off[0].min()) == dtype(kernel.floor)) == hopeless
    assert_fresh(kernel, state)


@pytest.mark.nojit
@PRECISIONS
def test_a_weight_too_large_for_a_factor_moves_its_pixels_all_the_same(dtype):
    kernel, state = state_of([[900.0, 0.2], [0.1, -0.3], [-900.0, 0.4]], [-899.0, 0.5, 899.5], dtype)
    assert kernel.chunk[0] == 0 < kernel.chunk[1]
    for j in (0, 1, 0):
        flip(kernel, state, 0, j)
        assert_fresh(kernel, state, 1e-4)


@pytest.mark.nojit
def test_what_no_pixel_needs_afresh_is_gone_on_with():
    kernel, state = state_of([[0.4, -0.7], [0.1, 0.2]], [0.3, -0.1])
    state.activation[0] += 1.0  # the fast update never reads it
    before = state.on[0, :2] / state.off[0, :2]
    flip(kernel, state, 0, 1)
    np.testing.assert_allclose(state.on[0, :2] / state.off[0, :2], before * np.exp([-0.7, 0.2]), rtol=1e-12)


@pytest.mark.nojit
def test_flips_are_counted_and_after_so_many_all_is_computed_afresh():
    kernel, state = state_of([[0.4, -0.7], [0.1, 0.2]], [0.3, -0.1], refresh=3)
    assert state.since_refresh.tolist() == [0]
    state.on[0], state.off[0] = 0.25, 0.75  # wrong, until then
    for n, j in enumerate((0, 1), 1):
        flip(kernel, state, 0, j)
        assert state.since_refresh.tolist() == [n]
        assert abs(state.on[0, 0] - 1.0 / (1.0 + np.exp(-state.activation[0, 0]))) > 0.01
    flip(kernel, state, 0, 0)
    assert state.since_refresh.tolist() == [0]
    assert_fresh(kernel, state, 1e-12)
    assert [flip(kernel, state, 0, 1), state.since_refresh.tolist()][1] == [1]


def traced(case, kernel, n_sweeps: int, order: Any = "sequential", temperature: float = 0.0) -> Stepper:
    params = LayerParams(*case.params)
    temperatures, rng = np.full(n_sweeps, temperature), np.random.default_rng(0)
    return Stepper(params, case.visible, kernel, case.x, case.h0[None], order, temperatures, {}, rng)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_the_log_joint_is_summed_up_flip_by_flip_and_anew_whenever_the_pixels_are(visible):
    case = random_case(visible, 12, 6, seed=2)
    kernel = prepare_params(LayerParams(*case.params), visible)._replace(refresh=4)
    run = traced(case, kernel, 40, temperature=2.0)
    run._total[0] += 100.0  # wrong, until it is computed anew
    wrong = []
    while not run.done and len(wrong) < 12:
        run.advance(1)
        k = int(run._cursor[icm.K]) - 1
        if run._record.flipped[k]:
            true = naive.log_joint(case.params, visible, case.x, run._state.latent[0])
            assert true == pytest.approx(log_joint_of(kernel, run._state, 0), abs=1e-9)
            wrong.append(float(run._record.log_joint[k]) - true)
    anew = 3 if visible == "bernoulli" else len(wrong)
    np.testing.assert_allclose(wrong[:anew], 100.0, atol=1e-9)
    np.testing.assert_allclose(wrong[anew:], 0.0, atol=1e-9)
    assert len(wrong) == 12


@pytest.mark.nojit
def test_each_of_two_sweeps_has_an_order_of_its_own():
    case = random_case("bernoulli", 12, 9, seed=2)
    run = traced(case, prepare_params(LayerParams(*case.params), "bernoulli"), 2, "random", 5.0)
    run.run()
    visited = run._record.unit[:18].reshape(2, 9)
    assert visited.tolist() == run._units.tolist()
    assert visited[0].tolist() != visited[1].tolist()
    assert [sorted(row) for row in visited.tolist()] == [list(range(9))] * 2


def batch_of(W: Any, b: Any, n: int = 9, dtype: Any = np.float64, **changed: Any):
    """Return the kernel's parameters and the state of images all of whose latents are off."""
    W, b = np.asarray(W, float), np.asarray(b, float)
    rng = np.random.default_rng(1)
    params = LayerParams(W, b, rng.normal(size=W.shape[1]))
    kernel = prepare_params(params, "bernoulli", dtype)._replace(**changed)
    X = rng.integers(0, 2, (n, len(b))).astype(float)
    return kernel, make_state(params, "bernoulli", kernel, X, np.zeros((n, W.shape[1]), np.uint8), rng)


def sweep(kernel, state, temperatures, max_sweeps: int = 0):
    n = len(state.latent)
    visits, flips, converged = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_)
    run_sweeps(kernel, state, np.array(temperatures, float), max_sweeps, visits, flips, converged)
    return flips


@pytest.mark.nojit
def test_a_batch_counts_the_flips_of_each_image_since_its_pixels_were_computed_afresh():
    rng = np.random.default_rng(0)
    kernel, state = batch_of(0.3 * rng.normal(size=(6, 7)), rng.normal(size=6), refresh=5)
    flips = sweep(kernel, state, [2.0] * 6)
    assert len(set(flips.tolist())) > 2
    assert flips.min() > 5
    np.testing.assert_array_equal(state.since_refresh, flips % 5)
    for m in range(len(flips)):
        a = kernel.b + state.latent[m].astype(float) @ kernel.W
        np.testing.assert_allclose(state.on[m], 1.0 / (1.0 + np.exp(-a)), rtol=1e-12)


@pytest.mark.nojit
@PRECISIONS
def test_pixels_of_a_batch_become_hopeless_and_come_back_as_flips_say(dtype):
    most = 40.0 if dtype == np.float32 else 290.0
    W = np.zeros((5, 8))
    W[0], W[1:] = most, 0.1
    kernel, state = batch_of(W, [-3.0 * most, 0.1, 0.2, 0.3, 0.4], dtype=dtype)
    assert (kernel.chunk > 0).all()
    np.copyto(state.evidence, np.where(np.arange(8) < 6, 1e5, -1e5))  # six go on, one by one
    flips = sweep(kernel, state, [], 3)
    assert (flips == 6).all()
    a = kernel.b + state.latent.astype(float) @ kernel.W
    np.testing.assert_allclose(state.off[:, 1:], 1.0 / (1.0 + np.exp(a[:, 1:])), rtol=1e-2)
    assert state.saturated.tolist() == [True] * len(flips), "a pixel is far on"
    np.copyto(state.evidence, np.where(np.arange(8) < 3, 1e5, -1e5))  # three go off again
    sweep(kernel, state, [], 3)
    assert state.latent.sum(axis=1).tolist() == [3] * len(flips)
    assert not state.saturated.any()
    np.testing.assert_allclose(state.on[:, 0], 0.5, rtol=1e-3)


@pytest.mark.nojit
def test_the_work_of_a_sweep_is_the_multiplications_that_it_takes():
    kernel, state = batch_of(np.zeros((5, 7)), np.zeros(5), 9)
    assert work_of(state, kernel) == 9 * 7 * kernel.W.shape[1]
    params = LayerParams(np.zeros((5, 7)), np.zeros(5), np.zeros(7))
    gaussian = prepare_params(params, "gaussian")
    start = np.zeros((9, 7), np.uint8)
    state = make_state(params, "gaussian", gaussian, np.zeros((9, 5)), start, np.random.default_rng(0))
    assert work_of(state, gaussian) == 9 * 7 * 7
