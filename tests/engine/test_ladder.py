"""The ladder of approximations: its gaps sum to the whole, and traces are as far as their ends."""

import numpy as np
import pytest
from engine.cases import small_cases, with_jit
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz import RBM, RWS, exact_posterior, factorised, load_dataset, pretrained
from lrbn_viz.core.model import NotOffered
from lrbn_viz.measure.divergence import independent, mean_field, point_mass
from lrbn_viz.measure.ladder import distances, ladder, swept

pytestmark = pytest.mark.nojit


def recognised(case, seed: int) -> RWS:
    """The case's network with a random recognition network."""
    rng = np.random.default_rng(seed)
    W, b, d = case.params
    return RWS.from_params(W, b, d, V=rng.normal(0, 1, W.shape), c=rng.normal(0, 1, d.shape))


@given(small_cases(max_h=6), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_gaps_sum_to_the_whole_and_no_product_is_better_than_the_best(case, seed):
    with_network = case.visible == "bernoulli"
    model = recognised(case, seed) if with_network else case.model()
    found = ladder(model, case.x)
    rungs = found.rungs
    assert found.explaining_away >= 0
    assert found.approximation_gap >= 0
    assert found.approximation_gap + found.explaining_away == pytest.approx(rungs["factorised"].kl)
    assert min(q.kl for q in rungs.values()) == rungs["best"].kl
    assert (found.amortisation_gap is not None) == with_network
    if found.amortisation_gap is not None:
        assert found.amortisation_gap >= 0
        whole = found.approximation_gap + found.amortisation_gap
        assert whole == pytest.approx(rungs["recognition"].kl)
    sweeps = [rungs[name].kl for name in ("mean_field_1", "mean_field_2", "mean_field_10", "best")]
    assert (np.diff(sweeps) < 1e-9).all()
    as_rbm = exact_posterior(factorised(model), case.x).marginals
    np.testing.assert_allclose(rungs["factorised"].marginals, as_rbm, atol=1e-9)


def test_independent_latents_leave_no_gap_but_what_the_recognition_network_loses():
    rng = np.random.default_rng(0)
    W = np.zeros((6, 4))
    W[:4] = np.eye(4) * 2.0  # each latent has a pixel of its own
    model = RWS.from_params(W, rng.normal(size=6), rng.normal(size=4), V=W, c=np.zeros(4))
    found = ladder(model, np.array([1, 0, 1, 0, 1, 1]))
    assert found.approximation_gap == pytest.approx(0, abs=1e-9)
    assert found.rungs["feed_forward"].kl == pytest.approx(0, abs=1e-9)
    assert found.amortisation_gap is not None
    assert found.amortisation_gap > 0.01


@given(small_cases(max_h=6), st.integers(0, 2**32 - 1))
@settings(max_examples=30, deadline=None)
def test_a_trace_is_as_far_as_what_it_shows_at_each_visit(case, seed):
    model = case.model()
    posterior = exact_posterior(model, case.x)
    start = np.random.default_rng(seed).random(len(case.h0))
    field = model.map_trace(case.x, kind="mean-field", init=start)
    found = distances(posterior, field)
    assert len(found.kl) == field.n_visits + 1
    for k in range(field.n_visits + 1):
        q = independent(posterior, field.latents(k))
        assert found.kl[k] == pytest.approx(q.kl, abs=1e-8)
        assert found.total_variation[k] == pytest.approx(q.total_variation, abs=1e-9)
    bounds = np.append(field.log_joint0, field.log_joint)
    np.testing.assert_allclose(found.kl, posterior.log_evidence - bounds, atol=1e-7)
    states = model.map_trace(case.x, init="random", temperature=1.0, max_sweeps=3, random_state=seed)
    found = distances(posterior, states)
    for k in range(states.n_visits + 1):
        q = point_mass(posterior, states.latents(k))
        assert found.kl[k] == pytest.approx(q.kl, abs=1e-8)
        assert found.total_variation[k] == pytest.approx(q.total_variation, abs=1e-9)


@given(small_cases(max_h=6))
@settings(max_examples=20, deadline=None)
def test_sweeps_of_the_ladder_are_those_of_the_lane(case):
    model = case.model()
    posterior = exact_posterior(model, case.x)
    for n in (1, 2):
        lane = model.map_trace(case.x, kind="mean-field", init="conditional", max_sweeps=n)
        begun = lane.h0
        if lane.sweep[-1] + 1 == n:
            np.testing.assert_allclose(swept(posterior, begun, n), lane.latents(lane.n_visits), atol=1e-8)
    both = [mean_field(posterior, begun, first_to_last=way) for way in (True, False)]
    for q in both:
        assert independent(posterior, q).kl <= independent(posterior, begun).kl + 1e-9


def test_a_model_without_such_weights_is_refused_in_words():
    model = RBM.from_params(np.zeros((4, 3)), np.zeros(4), np.zeros(3))
    with pytest.raises(NotOffered, match="RBM offers no ladder of approximations"):
        ladder(model, np.zeros(4))
    small = exact_posterior(model, np.zeros(4))
    other = RBM.from_params(np.zeros((4, 2)), np.zeros(4), np.zeros(2))
    with pytest.raises(ValueError, match="expected a trace of 3 latents"):
        distances(small, other.map_trace(np.zeros(4)))


@with_jit("the JIT off makes minutes of it")
def test_the_distances_on_8x8_digits_are_those_that_are_published_with_the_model():
    model, X = pretrained("lrbn-12-digits"), load_dataset("digits").test_X[:200]
    found = [ladder(model, x) for x in X]
    # means of KL in nats, of total variation, and how often the likelier states are the exact MAP state
    expected = {
        "factorised": (5.33, 0.89, 0.09),
        "icm": (2.29, 0.74, 0.55),
        "map": (1.11, 0.63, 1.0),
        "mean_field_1": (1.73, 0.60, 0.30),
        "mean_field_2": (0.71, 0.39, 0.59),
        "mean_field_10": (0.44, 0.32, 0.77),
        "marginals": (0.93, 0.34, 0.68),
    }
    for name, figures in expected.items():
        rungs = [each.rungs[name] for each in found]
        hits = [
            ((q.marginals > 0.5) == each.posterior.map_state).all()
            for q, each in zip(rungs, found, strict=True)
        ]
        by_name = [[q.kl for q in rungs], [q.total_variation for q in rungs], hits]
        np.testing.assert_allclose([np.mean(each) for each in by_name], figures, atol=0.006, err_msg=name)
