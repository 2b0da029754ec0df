"""Traced inference against the oracles: every number of every visit, and what Theorem 1 promises."""

import naive
import numpy as np
import pytest
from engine.cases import NEVER_DOWN, ORDERS, VISIBLES, Case, random_case, small_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import ICMTrace

pytestmark = pytest.mark.nojit


def assert_every_visit_is_right(case: Case, trace: ICMTrace, order: str, tolerance: float = 1e-9) -> None:
    """Replay an ICM trace with the oracle: log-odds, decision, log joint and sweep of each visit."""
    visible, params, x, _ = case
    h = trace.h0.copy()
    start, sweep = h.copy(), 0
    assert trace.log_joint0 == pytest.approx(naive.log_joint(params, visible, x, h), abs=tolerance)
    for visit in trace:
        if visit.sweep != sweep:
            assert visit.sweep == sweep + 1
            sweep, start = visit.sweep, h.copy()
        seen = start if order == "parallel" else h
        odds = naive.log_odds(params, visible, x, seen, visit.unit)
        assert visit.log_odds == pytest.approx(odds, abs=tolerance)
        assert visit.after == naive.likelier(visit.log_odds, h[visit.unit])
        assert visit.flipped == (visit.after != h[visit.unit])
        h[visit.unit] = visit.after
        assert visit.log_joint == pytest.approx(naive.log_joint(params, visible, x, h), abs=tolerance)
        np.testing.assert_array_equal(trace.latents(visit.k), h)
        assert trace.log_joint_at(visit.k) == visit.log_joint


@given(small_cases(), st.sampled_from(ORDERS), st.integers(0, 2**31))
@settings(max_examples=60)
def test_every_visit_has_the_log_odds_and_log_joint_of_the_paper(case, order, seed):
    trace = case.model().map_trace(case.x, init=case.h0, order=order, max_sweeps=6, random_state=seed)
    np.testing.assert_array_equal(trace.h0, case.h0)
    assert_every_visit_is_right(case, trace, order)


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("order", ORDERS)
def test_every_visit_at_twelve_latents_equals_the_enumerated_posterior(visible, order):
    case = random_case(visible, 21, 12, seed=12)
    exact = naive.posterior(case.params, visible, case.x)
    joint = {h.tobytes(): value for h, value in zip(exact.states, exact.log_joints, strict=True)}
    trace = case.model().map_trace(case.x, init=case.h0, order=order, max_sweeps=5, random_state=0)
    assert trace.n_visits > 0
    for visit in trace:
        before = trace.latents(visit.k - 1)
        if order == "parallel":
            before = trace.latents((visit.k - 1) // 12 * 12)
        on, off = (joint[naive.with_unit(before, visit.unit, value).tobytes()] for value in (1, 0))
        assert visit.log_odds == pytest.approx(on - off, abs=1e-9)
        assert visit.log_joint == pytest.approx(joint[trace.latents(visit.k).tobytes()], abs=1e-9)


@given(
    small_cases(), st.sampled_from(NEVER_DOWN), st.sampled_from(["conditional", "paper", "zeros", "random"])
)
@settings(max_examples=100)
def test_no_sequential_random_or_greedy_trace_ever_lowers_the_joint(case, order, init):
    # Inside: Sequential, random and greedy order never lower log P(x, h);
    trace = case.model().map_trace(case.x, init=init, order=order, random_state=1)
    joints = np.concatenate([[trace.log_joint0], trace.log_joint])
    assert (np.diff(joints) >= 0).all()
    assert (np.diff(joints)[trace.flipped] > 0).all()
    assert (np.diff(joints)[~trace.flipped] == 0).all()


@given(small_cases(), st.sampled_from(ORDERS))
@settings(max_examples=60)
def test_no_single_flip_improves_a_converged_state(case, order):
    trace = case.model(max_sweeps=200).map_trace(case.x, init=case.h0, order=order, random_state=2)
    assert trace.converged or order == "parallel"
    if trace.converged:
        end = trace.latents(trace.n_visits)
        for j in range(trace.n_h):
            odds = naive.log_odds(case.params, case.visible, case.x, end, j)
            assert (odds if end[j] == 0 else -odds) <= 1e-8


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("visible", VISIBLES)
def test_a_trace_is_the_same_as_the_naive_algorithm_run_on_its_own(visible, order):
    # Inside: Traces run the readable implementation in lrbn/icm.py, for Bernoulli and Gaussian units.
    for seed in range(5):
        case = random_case(visible, 14, 9, seed)
        trace = case.model().map_trace(case.x, init=case.h0, order=order, max_sweeps=8, random_state=seed)
        permutations = [list(trace.unit[n : n + 9]) for n in range(0, trace.n_visits, 9)]
        visits, end, converged = naive.icm(
            case.params, visible, case.x, case.h0, order, max_sweeps=8, permutations=permutations
        )
        # A sequential trace may stop within a sweep, as soon as every unit has been found content.
        assert trace.n_visits <= len(visits)
        assert trace.n_visits > len(visits) - 9
        for expected, row in zip(visits, trace, strict=False):
            assert (row.unit, row.after, row.flipped) == (expected.unit, expected.after, expected.flipped)
            assert row.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
            assert row.log_joint == pytest.approx(expected.log_joint, abs=1e-9)
            assert row.sweep == expected.sweep
        np.testing.assert_array_equal(trace.latents(trace.n_visits), end)
        assert trace.converged or not converged


def test_each_order_visits_the_units_it_is_named_for():
    case = random_case("bernoulli", 40, 10, seed=3, scale=0.7)
    traces = {
        order: case.model().map_trace(case.x, init="random", order=order, random_state=5) for order in ORDERS
    }
    for order in ("sequential", "parallel"):
        np.testing.assert_array_equal(traces[order].unit, np.arange(traces[order].n_visits) % 10)
    shuffled = traces["random"].unit
    sweeps = [shuffled[n : n + 10] for n in range(0, len(shuffled), 10)]
    assert len(sweeps) > 1
    assert all(sorted(sweep) == list(range(10)) for sweep in sweeps)
    assert len({tuple(sweep) for sweep in sweeps}) == len(sweeps)
    greedy = traces["greedy"]
    assert greedy.flipped.all()
    assert greedy.n_visits > 1
    for visit in greedy:
        before = greedy.latents(visit.k - 1)
        odds = [naive.log_odds(case.params, "bernoulli", case.x, before, j) for j in range(10)]
        gains = np.where(before == 0, odds, np.negative(odds))
        assert visit.unit == gains.argmax()


# Two units that each explain the whole image of three pixels: one of them is right, both explain it twice.
# Alone a unit moves P(x_i = 1) from sigmoid(-3) = 0.05 to sigmoid(3) = 0.95, at a prior cost of 2 nats.
TWINS = Case(
    "bernoulli",
    naive.Params(np.full((3, 2), 6.0), np.full(3, -3.0), np.full(2, -2.0)),
    np.ones(3, np.uint8),
    np.zeros(2, np.uint8),
)
NEITHER_ON, ONE_ON, BOTH_ON = -9.39961807680717, -2.39961807680717, -4.25422623


def test_the_parallel_order_lowers_the_joint_on_a_stored_case():
    # Inside: parallel order can.
    # Seen from "neither" each unit wants to be on, from "both" each wants to be off: they blink for ever.
    parallel = TWINS.model().map_trace(TWINS.x, init="zeros", order="parallel", max_sweeps=4)
    joints = [parallel.log_joint_at(k) for k in range(9)]
    assert joints == pytest.approx([NEITHER_ON, *[ONE_ON, BOTH_ON, ONE_ON, NEITHER_ON] * 2], abs=1e-8)
    assert not parallel.converged
    # The theorem fails over a whole sweep, not only within one: the second goes from "both" to "neither".
    assert joints[4] < joints[2] - 5
    for order in NEVER_DOWN:
        trace = TWINS.model().map_trace(TWINS.x, init="zeros", order=order, random_state=0)
        assert trace.converged
        assert trace.log_joint_at(trace.n_visits) == pytest.approx(ONE_ON, abs=1e-8)


def test_the_parallel_order_lowers_the_joint_of_a_fair_share_of_random_images():
    fell = 0
    for seed in range(60):
        case = random_case("bernoulli", 24, 12, seed)
        trace = case.model().map_trace(case.x, order="parallel", max_sweeps=10)
        at_sweeps = [trace.log_joint_at(k) for k in range(0, trace.n_visits + 1, 12)]
        fell += bool((np.diff(at_sweeps) < -1e-9).any())
    assert fell >= 10


@given(small_cases(), st.sampled_from(ORDERS), st.sampled_from([0.0, 1.0, (2.0, 0.5)]))
@settings(max_examples=60)
def test_replaying_the_visits_gives_every_state_and_the_end(case, order, temperature):
    # Inside: Inference is data.
    if order == "greedy":
        temperature = 0.0
    trace = case.model().map_trace(
        case.x, init=case.h0, order=order, temperature=temperature, max_sweeps=5, random_state=3
    )
    h = trace.h0.copy()
    np.testing.assert_array_equal(trace.latents(0), h)
    for k, (unit, after) in enumerate(zip(trace.unit, trace.after, strict=True), start=1):
        assert trace.flipped[k - 1] == (h[unit] != after)
        h[unit] = after
        np.testing.assert_array_equal(trace.latents(k), h)
    assert trace.log_joint_at(trace.n_visits) == pytest.approx(
        naive.log_joint(case.params, case.visible, case.x, h), abs=1e-9
    )


@given(small_cases(max_h=8), st.sampled_from(ORDERS), st.sampled_from([0.0, 1.0, (2.0, 0.5)]))
@settings(max_examples=40)
def test_chunks_of_one_three_seven_and_a_thousand_visits_give_identical_traces(case, order, temperature):
    # Inside: One resumable kernel serves step, sweep and run: any chunking gives the same trace.
    if order == "greedy":
        temperature = 0.0
    how = {"init": "random", "order": order, "temperature": temperature, "max_sweeps": 7, "random_state": 4}
    whole = case.model().map_trace(case.x, **how)
    for chunk in (1, 3, 7, 1000):
        stepper = case.model().stepper(case.x, **how)
        while not stepper.done:
            stepper.advance(chunk)
        stepped = stepper.trace()
        for column in ("h0", "unit", "after", "flipped", "log_odds", "log_joint", "sweep"):
            assert getattr(stepped, column).tobytes() == getattr(whole, column).tobytes()
        assert stepped.converged == whole.converged


def test_a_stepper_stops_after_the_visits_it_was_asked_for_and_the_trace_so_far_is_a_prefix():
    case = random_case("bernoulli", 70, 12, seed=6)
    whole = case.model().map_trace(case.x, init="random", random_state=0)
    stepper = case.model().stepper(case.x, init="random", random_state=0)
    for n in (1, 2, 6):
        stepper.advance(n)
    part = stepper.trace()
    assert part.n_visits == 9
    assert not part.converged
    np.testing.assert_array_equal(part.log_odds, whole.log_odds[:9])


@pytest.mark.parametrize("order", ORDERS)
def test_clamped_units_keep_their_state_and_are_never_visited(order):
    case = random_case("bernoulli", 30, 8, seed=7)
    trace = case.model().map_trace(case.x, init="random", order=order, clamp={2: 1, 5: 0}, random_state=0)
    assert not np.isin(trace.unit, [2, 5]).any()
    for k in range(trace.n_visits + 1):
        assert (trace.latents(k)[2], trace.latents(k)[5]) == (1, 0)
    if order != "parallel":
        assert trace.converged
        end = trace.latents(trace.n_visits)
        for j in (0, 1, 3, 4, 6, 7):
            assert naive.likelier(naive.log_odds(case.params, "bernoulli", case.x, end, j), end[j]) == end[j]


def test_clamping_every_unit_leaves_nothing_to_do():
    case = random_case("bernoulli", 30, 2, seed=7)
    trace = case.model().map_trace(case.x, clamp={0: 1, 1: 0})
    assert trace.n_visits == 0
    assert trace.converged
    np.testing.assert_array_equal(trace.latents(0), [1, 0])


def test_too_few_sweeps_are_reported_as_not_converged():
    case = random_case("bernoulli", 70, 12, seed=8)
    short = case.model().map_trace(case.x, init="random", max_sweeps=1, random_state=0)
    assert short.flipped.any()
    assert not short.converged
    assert short.n_visits == 12
    none = case.model().map_trace(case.x, max_sweeps=0)
    assert (none.n_visits, none.converged) == (0, False)


@pytest.mark.parametrize("visible", VISIBLES)
def test_the_reconstruction_after_k_visits_is_the_mean_of_x_given_that_state(visible):
    case = random_case(visible, 33, 7, seed=9)
    trace = case.model().map_trace(case.x, init="random", random_state=1)
    for k in range(trace.n_visits + 1):
        a = naive.activations(case.params, trace.latents(k))
        mean = [naive.sigmoid(ai) for ai in a] if visible == "bernoulli" else a
        np.testing.assert_allclose(trace.reconstruction(k), mean, atol=1e-12)
        if visible == "bernoulli":
            wrong = sum((ai > 0) != bool(xi) for ai, xi in zip(a, case.x, strict=True))
            assert trace.wrong_pixels()[k] == wrong


def test_equal_seeds_give_equal_random_traces_and_other_seeds_others():
    # Inside: Random numbers come from states that are passed in: equal seeds give equal results.
    case = random_case("bernoulli", 20, 10, seed=10)
    how = {"init": "random", "order": "random", "temperature": 1.0, "max_sweeps": 4}
    traces = [case.model().map_trace(case.x, random_state=seed, **how) for seed in (0, 0, 1)]
    for column in ("h0", "unit", "after", "log_odds"):
        assert getattr(traces[0], column).tobytes() == getattr(traces[1], column).tobytes()
    assert traces[0].unit.tobytes() != traces[2].unit.tobytes()
