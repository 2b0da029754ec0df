"""Enumeration, interactions and the anatomy of one decision, against the oracles."""

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case, small_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import LRBN, RBM, exact_posterior, explain_away, log_odds_terms
from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn import exact as enumeration
from lrbn_viz.lrbn.kernel_params import prepare_params


@pytest.mark.nojit
@given(small_cases(max_h=7))
@settings(max_examples=40)
def test_the_exact_posterior_equals_naive_enumeration(case):
    exact = exact_posterior(case.model(), case.x)
    oracle = naive.posterior(case.params, case.visible, case.x)
    assert exact.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-9)
    assert exact.map_log_joint == pytest.approx(oracle.map_log_joint, abs=1e-9)
    # Where states tie, any of the best is right.
    found = naive.log_joint(case.params, case.visible, case.x, exact.map_state)
    assert found == pytest.approx(oracle.map_log_joint, abs=1e-9)
    assert exact.map_state.dtype == np.uint8
    np.testing.assert_allclose(exact.marginals, oracle.marginals, atol=1e-9)
    np.testing.assert_allclose(exact.covariance, oracle.covariance, atol=1e-9)
    np.testing.assert_allclose(np.diag(exact.covariance), exact.marginals * (1 - exact.marginals), atol=1e-9)
    assert exact.probabilities.sum() == pytest.approx(1)
    for index in (0, 1, 2 ** len(case.h0) - 1):
        h = [(index >> j) & 1 for j in range(len(case.h0))]
        joint = naive.log_joint(case.params, case.visible, case.x, h)
        assert exact.log_joints[index] == pytest.approx(joint, abs=1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_the_exact_posterior_of_twelve_latents_equals_naive_enumeration(visible):
    case = random_case(visible, 20, 12, seed=1)
    exact, oracle = exact_posterior(case.model(), case.x), naive.posterior(case.params, visible, case.x)
    # The oracle's last unit changes fastest, the engine's bit 0 is the first unit.
    order = oracle.states @ (2 ** np.arange(12))
    np.testing.assert_allclose(exact.log_joints[order], oracle.log_joints, atol=1e-9)
    np.testing.assert_array_equal(exact.map_state, oracle.map_state)
    np.testing.assert_allclose(exact.covariance, oracle.covariance, atol=1e-9)


@pytest.mark.nojit
def test_the_evidence_of_all_images_sums_to_one():
    case = random_case("bernoulli", 5, 4, seed=2)
    model = case.model()
    total = sum(np.exp(exact_posterior(model, x).log_evidence) for x in naive.states(5))
    assert total == pytest.approx(1, abs=1e-12)


def test_twenty_latents_are_enumerated():
    case = random_case("gaussian", 3, 20, seed=3, scale=0.3)
    exact = exact_posterior(case.model(), case.x)
    assert exact.log_joints.shape == (2**20,)
    for index in (0, 5, 2**20 - 1, int(exact.log_joints.argmin())):
        h = [(index >> j) & 1 for j in range(20)]
        assert exact.log_joints[index] == pytest.approx(
            naive.log_joint(case.params, "gaussian", case.x, h), abs=1e-9
        )
    # x is Gaussian given h, so its density is at most that of the best fit.
    assert exact.map_log_joint < exact.log_evidence < -1.5 * np.log(2 * np.pi)


@pytest.mark.nojit
def test_twenty_one_latents_are_refused():
    case = random_case("gaussian", 3, 21, seed=3)
    with pytest.raises(ValueError, match=r"expected n_h <= 20, got 21"):
        exact_posterior(case.model(), case.x)
    with pytest.raises(ValueError, match=r"expected n_h <= 20, got 21"):
        exact_posterior(RBM.from_params(*case.params, visible="gaussian"), case.x)


@pytest.mark.nojit
@given(small_cases(max_h=6))
@settings(max_examples=40)
def test_explain_away_is_the_second_difference_of_the_joint(case):
    J = explain_away(case.model(), case.x, case.h0)
    n_h = len(case.h0)
    assert J.shape == (n_h, n_h)
    np.testing.assert_array_equal(np.diag(J), 0)
    np.testing.assert_array_equal(J, J.T)
    for j in range(n_h):
        for k in range(n_h):
            if j != k:
                second = naive.interaction(case.params, case.visible, case.x, case.h0, j, k)
                assert J[j, k] == pytest.approx(second, abs=1e-9)


@pytest.mark.nojit
def test_explain_away_of_gaussian_units_is_minus_the_product_of_their_weights():
    case = random_case("gaussian", 17, 6, seed=4)
    expected = -(case.params.W.T @ case.params.W)
    np.fill_diagonal(expected, 0)
    for h in (np.zeros(6), np.ones(6), case.h0):
        np.testing.assert_allclose(explain_away(case.model(), case.x, h), expected, atol=1e-12)


@pytest.mark.nojit
def test_bernoulli_units_that_push_the_same_pixels_the_same_way_explain_each_other_away():
    # softplus is convex: the second unit gains less where the first has already raised the activation.
    params = naive.Params(np.full((5, 2), 2.0), np.full(5, -1.0), np.zeros(2))
    model = LRBN.from_params(*params)
    assert explain_away(model, np.ones(5), [0, 0])[0, 1] < -0.5
    params.W[:, 1] = -2.0
    assert explain_away(LRBN.from_params(*params), np.ones(5), [0, 0])[0, 1] > 0.5


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_an_rbm_never_explains_away(visible):
    case = random_case(visible, 12, 5, seed=5)
    rbm = RBM.from_params(*case.params, visible=visible)
    J = explain_away(rbm, case.x, case.h0)
    assert J.shape == (5, 5)
    assert (J == 0).all()
    for j in range(5):
        terms = log_odds_terms(rbm, case.x, case.h0, j)
        assert (terms.alone == 0).all()
        assert (terms.others == 0).all()
        assert terms.log_odds == pytest.approx(case.params.d[j] + case.params.W[:, j] @ case.x)


@pytest.mark.nojit
@given(small_cases(), st.data())
@settings(max_examples=60)
def test_the_terms_of_a_decision_sum_to_its_log_odds(case, data):
    j = data.draw(st.integers(0, len(case.h0) - 1))
    terms = log_odds_terms(case.model(), case.x, case.h0, j)
    n_v = len(case.x)
    assert terms.evidence.shape == terms.alone.shape == terms.others.shape == (n_v,)
    assert terms.prior == case.params.d[j]
    total = terms.prior + terms.evidence.sum() + terms.alone.sum() + terms.others.sum()
    assert total == pytest.approx(naive.log_odds(case.params, case.visible, case.x, case.h0, j), abs=1e-9)
    assert terms.log_odds == pytest.approx(total, abs=1e-12)
    # The unit's own state does not matter.
    other = log_odds_terms(case.model(), case.x, naive.with_unit(case.h0, j, 1 - case.h0[j]), j)
    np.testing.assert_array_equal(other.others, terms.others)


@pytest.mark.nojit
def test_the_terms_of_a_decision_are_right_pixel_by_pixel():
    case = random_case("bernoulli", 9, 4, seed=6)
    terms = log_odds_terms(case.model(), case.x, case.h0, 2)
    without = naive.activations(case.params, naive.with_unit(case.h0, 2, 0))
    for i in range(9):
        w = case.params.W[i, 2]
        assert terms.evidence[i] == pytest.approx(w * case.x[i], abs=1e-12)
        b = case.params.b[i]
        alone = naive.softplus(b) - naive.softplus(b + w)
        assert terms.alone[i] == pytest.approx(alone, abs=1e-12)
        others = naive.softplus(without[i]) - naive.softplus(without[i] + w) - alone
        assert terms.others[i] == pytest.approx(others, abs=1e-12)
    case = random_case("gaussian", 9, 4, seed=6)
    terms = log_odds_terms(case.model(), case.x, case.h0, 2)
    without = naive.activations(case.params, naive.with_unit(case.h0, 2, 0))
    for i in range(9):
        w, b = case.params.W[i, 2], case.params.b[i]
        assert terms.evidence[i] == pytest.approx(w * (case.x[i] - b), abs=1e-12)
        assert terms.alone[i] == pytest.approx(-(w**2) / 2, abs=1e-12)
        assert terms.others[i] == pytest.approx(-w * (without[i] - b), abs=1e-12)


@pytest.mark.nojit
def test_the_terms_equal_what_the_trace_decided_on():
    case = random_case("bernoulli", 70, 8, seed=7)
    model = case.model()
    for visit in (trace := model.map_trace(case.x, init="random", random_state=0)):
        terms = log_odds_terms(model, case.x, trace.latents(visit.k - 1), visit.unit)
        assert terms.log_odds == pytest.approx(visit.log_odds, abs=1e-9)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_the_exact_posterior_of_an_rbm_factorises(visible):
    case = random_case(visible, 12, 5, seed=8, scale=0.7)
    rbm = RBM.from_params(*case.params, visible=visible)
    exact = exact_posterior(rbm, case.x)
    odds = case.params.d + case.x @ case.params.W
    np.testing.assert_allclose(exact.marginals, [naive.sigmoid(value) for value in odds], atol=1e-12)
    np.testing.assert_allclose(exact.covariance, np.diag(exact.marginals * (1 - exact.marginals)), atol=1e-12)
    np.testing.assert_array_equal(exact.map_state, odds > 0)


@pytest.mark.nojit
def test_as_many_latents_as_are_allowed_are_enumerated_and_no_more(monkeypatch):
    monkeypatch.setattr(enumeration, "MAX_EXACT", 3)
    for n_h in (3, 4):
        case = random_case("bernoulli", 5, n_h)
        params = LayerParams(*case.params)
        if n_h == 3:
            found = enumeration.enumerate_posterior(
                params, "bernoulli", prepare_params(params, "bernoulli"), case.x
            )
            assert len(found.probabilities) == 8
        else:
            with pytest.raises(ValueError, match="expected n_h <= 3, got 4"):
                enumeration.enumerate_posterior(
                    params, "bernoulli", prepare_params(params, "bernoulli"), case.x
                )
