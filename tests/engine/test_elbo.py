"""Mean field on an LRBN: the evidence lower bound, means that raise it, and traces of them."""

import naive
import numpy as np
import pytest
from engine.cases import random_case, small_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import LRBN, ICMTrace, exact_posterior, pretrained
from lrbn_viz.lrbn.means.moments import ExactMoments, GaussianMoments, TiltedMoments

pytestmark = pytest.mark.nojit


def by_hand(case, q) -> float:
    """``E_q log P(x, h) + H(q)`` as a sum over all states."""
    oracle = naive.posterior(case.params, case.visible, case.x)
    return oracle.log_evidence - naive.divergence(naive.product(q), oracle.log_joints - oracle.log_evidence)


@given(small_cases(max_h=6), st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_the_bound_is_the_sum_over_all_states_and_each_visit_goes_to_the_best_mean(case, seed):
    model, rng = case.model(), np.random.default_rng(seed)
    n_h = len(case.h0)
    q = rng.random(n_h)
    moments = model.moments_of(model.check_image(case.x), q)
    assert type(moments) is (GaussianMoments if case.visible == "gaussian" else ExactMoments)
    assert moments.bound() == pytest.approx(by_hand(case, q), rel=1e-9, abs=1e-8)
    for j in rng.permutation(n_h):
        odds = moments.log_odds(j)
        on, off = (np.where(np.arange(n_h) == j, state, moments.q) for state in (1.0, 0.0))
        assert odds == pytest.approx(by_hand(case, on) - by_hand(case, off), rel=1e-8, abs=1e-8)
        moments.move(j, float(naive.sigmoid(odds)))
        assert moments.bound() == pytest.approx(by_hand(case, moments.q), rel=1e-9, abs=1e-8)
        nearby = moments.q.copy()
        nearby[j] = np.clip(nearby[j] + rng.choice([-0.01, 0.01]), 0, 1)
        assert by_hand(case, nearby) <= moments.bound() + 1e-8


@given(small_cases(max_h=6), st.sampled_from(["conditional", "paper", "zeros", "random"]))
@settings(max_examples=40, deadline=None)
def test_a_trace_of_mean_field_never_lowers_the_bound_and_stays_below_log_p(case, init):
    model = case.model()
    trace = model.trace(case.x, "mean-field", init=init, random_state=0)
    assert trace.means
    assert trace.visible == case.visible
    bounds = np.append(trace.log_joint0, trace.log_joint)
    assert (np.diff(bounds) > -1e-8).all()
    assert bounds[-1] <= exact_posterior(model, case.x).log_evidence + 1e-8
    for k in (0, trace.n_visits // 2, trace.n_visits):
        assert bounds[k] == pytest.approx(by_hand(case, trace.latents(k)), rel=1e-9, abs=1e-8)
    again = model.trace(case.x, "mean-field", init=init, random_state=0)
    np.testing.assert_array_equal(again.after, trace.after)


def test_starts_are_the_probabilities_whose_likelier_states_icm_starts_from():
    for visible in ("bernoulli", "gaussian"):
        case = random_case(visible, 8, 5, 3)
        model = case.model()
        for init in ("conditional", "paper", "zeros", "random"):
            means = model.map_trace(case.x, kind="mean-field", init=init, random_state=1).h0
            states = model.map_trace(case.x, init=init, random_state=1).h0
            np.testing.assert_array_equal(means > 0.5, states)
    given_ = model.map_trace(case.x, kind="mean-field", init=np.full(5, 0.3), max_sweeps=0)
    np.testing.assert_array_equal(given_.h0, np.full(5, 0.3))
    assert given_.n_visits == 0


def test_held_units_stay_and_are_not_visited():
    case = random_case("bernoulli", 8, 5, 1)
    trace = case.model().map_trace(case.x, kind="mean-field", clamp={2: 1}, max_sweeps=1)
    assert trace.unit.tolist() == [0, 1, 3, 4]
    assert trace.latents(trace.n_visits)[2] == 1.0


def test_with_many_latents_the_bound_is_the_tilted_one_below_the_evidence_lower_bound(tmp_path):
    model, x = pretrained("lrbn-12-digits"), np.zeros(64, np.uint8)
    few = model.moments_of(x.astype(float), np.full(12, 0.4))
    tilted = TiltedMoments(model.layers[0], x, np.full(12, 0.4))
    assert isinstance(few, ExactMoments)
    assert tilted.bound() < few.bound()
    rng = np.random.default_rng(0)
    large = LRBN.from_params(rng.normal(0, 1, (30, 17)), rng.normal(0, 1, 30), np.zeros(17))
    image = rng.integers(0, 2, 30)
    trace = large.map_trace(image, kind="mean-field")
    assert isinstance(large.moments_of(image.astype(float), np.full(17, 0.5)), TiltedMoments)
    assert (np.diff(np.append(trace.log_joint0, trace.log_joint)) > -1e-8).all()
    posterior = exact_posterior(large, image)
    exact = ExactMoments(large.layers[0], image, trace.latents(trace.n_visits), posterior.log_joints)
    assert trace.log_joint[-1] <= exact.bound() + 1e-9 <= posterior.log_evidence + 1e-8
    trace.save(tmp_path / "trace.npz")
    np.testing.assert_array_equal(ICMTrace.load(tmp_path / "trace.npz").after, trace.after)


def test_what_mean_field_cannot_take_is_refused_in_words():
    case = random_case("bernoulli", 8, 5, 1)
    model = case.model()
    with pytest.raises(ValueError, match=r"init must be 5 means in \[0, 1\], one per latent"):
        model.map_trace(case.x, kind="mean-field", init=np.full(5, 1.5))
    with pytest.raises(TypeError, match="kind='mean-field' takes no temperature"):
        model.map_trace(case.x, kind="mean-field", temperature=1.0)
    with pytest.raises(ValueError, match="kind must be one of"):
        model.map_trace(case.x, kind="nothing")  # pyright: ignore[reportArgumentType]
