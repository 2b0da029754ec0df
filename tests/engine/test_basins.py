"""The optima that ICM reaches from many starts."""

import naive
import numba
import numpy as np
import pytest
from engine.cases import random_case, small_cases
from hypothesis import given, settings

from lrbn_viz import RBM, exact_posterior, find_basins


@pytest.mark.nojit
@given(small_cases(max_h=8))
@settings(max_examples=40)
def test_every_optimum_is_one_and_the_best_is_at_most_the_exact_map(case):
    model = case.model()
    found = find_basins(model, case.x, 60)
    exact = exact_posterior(model, case.x)
    assert found.counts.sum() == found.n_starts == found.counts_by_kind.sum() == 60
    np.testing.assert_array_equal(found.counts_by_kind.sum(axis=1), found.counts)
    assert (found.counts > 0).all()
    assert len(np.unique(found.H, axis=0)) == len(found) == len(found.H)
    assert (np.diff(found.log_joint) <= 0).all()
    assert found.log_joint[0] <= exact.map_log_joint + 1e-9
    np.testing.assert_array_equal(found.distance, np.abs(found.H.astype(int) - found.H[0]).sum(axis=1))
    for h, value in zip(found.H, found.log_joint, strict=True):
        assert value == pytest.approx(naive.log_joint(case.params, case.visible, case.x, h), abs=1e-9)
        for j, state in enumerate(h):
            odds = naive.log_odds(case.params, case.visible, case.x, h, j)
            assert (odds if state == 0 else -odds) <= 2e-9, f"turning unit {j} over gains {odds} nats"


@pytest.mark.nojit
def test_each_start_kept_leads_to_its_optimum_by_the_trace_that_people_see():
    case = random_case("bernoulli", 8, 30, seed=3, scale=3.0)  # few pixels, many ways to make them
    model = case.model()
    found = find_basins(model, case.x, 200)
    assert len(found) > 20, "few basins prove little"
    for start, end in zip(found.starts, found.H, strict=True):
        trace = model.map_trace(case.x, init=start, max_sweeps=1000)
        assert trace.converged
        np.testing.assert_array_equal(trace.latents(trace.n_visits), end)


@pytest.mark.nojit
def test_the_named_starts_and_those_given_are_among_the_starts_and_counted_by_name():
    case = random_case("bernoulli", 40, 10, seed=2)
    model = case.model()
    given_start = np.ones(10, np.uint8) - case.h0
    found = find_basins(model, case.x, 50, starts={"mine": given_start})
    assert found.kinds == (
        "conditional", "paper", "zeros", "ones", "mine",
        "random, 5 % on", "random, 10 % on", "random, 25 % on", "random, 50 % on",
    )  # fmt: skip
    np.testing.assert_array_equal(found.counts_by_kind.sum(axis=0), [1, 1, 1, 1, 1, 12, 11, 11, 11])
    starts = {
        **{name: naive.starts(case.params, "bernoulli", case.x, name) for name in ("conditional", "paper")},
        "zeros": np.zeros(10),
        "ones": np.ones(10),
        "mine": given_start,
    }
    for name, h in starts.items():
        end = model.map_trace(case.x, init=h, max_sweeps=1000)
        row = int(np.flatnonzero((end.latents(end.n_visits) == found.H).all(axis=1))[0])
        assert found.counts_by_kind[row, found.kinds.index(name)] == 1


def test_random_starts_have_the_densities_that_they_are_named_for():
    # No weights and no prior: every state is an optimum, so ICM stays where it begins.
    model = random_case("bernoulli", 5, 60, scale=0.0).model()
    found = find_basins(model, np.zeros(5), 4004)
    np.testing.assert_array_equal(found.starts, found.H)
    for share, name in zip((0.05, 0.1, 0.25, 0.5), found.kinds[-4:], strict=True):
        n = found.counts_by_kind[:, found.kinds.index(name)]
        assert n.sum() == 1000
        # four standard errors of 60,000 coins
        assert n @ found.H.mean(axis=1) / 1000 == pytest.approx(
            share, abs=4 * np.sqrt(share * (1 - share) / 6e4)
        )


def test_seeds_decide_and_threads_do_not():
    case = random_case("bernoulli", 8, 30, seed=3, scale=3.0)
    model = case.model()
    one = find_basins(model, case.x, 300, random_state=5)
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        two = find_basins(model, case.x, 300, random_state=5)
    finally:
        numba.set_num_threads(before)
    for name in ("H", "log_joint", "counts", "counts_by_kind", "distance", "starts"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
    other = find_basins(model, case.x, 300, random_state=6)
    assert not np.array_equal(one.starts, other.starts)


@pytest.mark.nojit
def test_a_gaussian_model_has_basins_too():
    case = random_case("gaussian", 12, 10, seed=4)
    found = find_basins(case.model(), case.x, 100)
    oracle = naive.posterior(case.params, "gaussian", case.x)
    assert found.log_joint[0] == pytest.approx(oracle.map_log_joint, abs=1e-9)


@pytest.mark.nojit
def test_what_has_no_basins_is_refused_in_words():
    case = random_case("bernoulli", 8, 4)
    with pytest.raises(TypeError, match="latents interact; got RBM"):
        find_basins(RBM.from_params(*case.params), case.x)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="n_starts must be at least 4"):
        find_basins(case.model(), case.x, 3)
    with pytest.raises(ValueError, match=r"mine has shape \(3,\); expected \(4,\)"):
        find_basins(case.model(), case.x, 10, starts={"mine": [0, 0, 1]})
    with pytest.raises(ValueError, match="n_v = 8"):
        find_basins(case.model(), np.zeros(7), 10)
