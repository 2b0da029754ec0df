"""The four terms of a unit's log-odds, against the state of the others; and who changed them since when."""

from __future__ import annotations

from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import ORDERS, VISIBLES, random_case, small_cases
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lrbn_viz import (
    LRBN,
    RBM,
    ICMTrace,
    explain_change,
    load_dataset,
    log_odds_terms,
    pretrained,
)
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.core.model import Model
from lrbn_viz.datasets import at_hand
from lrbn_viz.estimators.layered import TRACE_METHODS

REFERENCES = ("last", "start", "off")


def deep_model(visible: str = "bernoulli") -> LRBN:
    rng = np.random.default_rng(3)
    sizes = ((10, 6), (6, 4), (4, 3))
    layers = [(rng.normal(size=s), rng.normal(size=s[0]), rng.normal(size=s[1])) for s in sizes]
    return LRBN.from_layers(layers, visible=visible)  # pyright: ignore[reportArgumentType]


def odds_by_joint(model: Model, x: NDArray, h: NDArray, j: int) -> float:
    """Log-odds of one unit from nothing but log P(x, h)."""
    on, off = h.copy(), h.copy()
    on[j], off[j] = 1, 0
    joints = model.log_joint(np.stack([x, x]), np.stack([on, off]))
    return float(joints[0] - joints[1])


def shipped_image(name: str) -> tuple[Model, NDArray]:
    """Return a shipped model and a test image; the test is skipped where the data files are missing."""
    info = PRETRAINED[name]
    if not at_hand(info.dataset):
        pytest.skip("needs the original files")
    model = pretrained(name)
    return model, load_dataset(info.dataset, binary=info.binary).test_X[3]


# -- alone and others


@pytest.mark.nojit
@given(small_cases())
@settings(max_examples=60)
def test_with_all_others_off_the_others_change_nothing(case):
    for j in range(len(case.h0)):
        for own in (0, 1):
            h = np.zeros(len(case.h0), np.uint8)
            h[j] = own
            terms = log_odds_terms(case.model(), case.x, h, j)
            np.testing.assert_allclose(terms.others, 0.0, atol=1e-12)
            alone = naive.log_odds(case.params, case.visible, case.x, np.zeros(len(h), np.uint8), j)
            assert terms.prior + terms.evidence.sum() + terms.alone.sum() == pytest.approx(alone, abs=1e-9)


@pytest.mark.parametrize("name", [name for name, info in PRETRAINED.items() if info.kind.model.trace_methods])
def test_with_all_others_off_the_others_change_nothing_in_a_shipped_model(name):
    model, x = shipped_image(name)
    off = np.zeros(model.n_latents_, np.uint8)
    for j in range(model.n_latents_):
        terms = log_odds_terms(model, x, off, j)
        assert abs(terms.others.sum()) <= 1e-12
        if info_is_factorised(name):
            assert not terms.alone.any()


def info_is_factorised(name: str) -> bool:
    return PRETRAINED[name].kind.model.factorised


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_in_an_rbm_no_state_of_the_others_changes_anything(visible):
    case = random_case(visible, 12, 6, seed=2)
    rbm = RBM.from_params(*case.params, visible=visible)
    for code in range(2**6):
        h = (code >> np.arange(6) & 1).astype(np.uint8)
        for j in range(6):
            terms = log_odds_terms(rbm, case.x, h, j)
            assert not terms.alone.any()
            assert not terms.others.any()


@pytest.mark.nojit
def test_overlapping_planted_causes_explain_each_other_away_and_others_do_not():
    alarm = load_dataset("alarm").planted
    assert alarm is not None
    model = LRBN.from_params(alarm.W, alarm.b, alarm.d)
    assert log_odds_terms(model, [1, 1], [0, 1], 0).others.sum() < -0.5
    bars = load_dataset("bars").planted
    assert bars is not None
    model, x = LRBN.from_params(bars.W, bars.b, bars.d), np.ones(64, np.uint8)
    for j in range(16):
        for k in set(range(16)) - {j}:
            h = np.zeros(16, np.uint8)
            h[k] = 1
            others = log_odds_terms(model, x, h, j).others
            crossing = (j < 8) != (k < 8)
            assert (others.sum() < -0.5) == crossing, (j, k)
            assert (others <= 1e-12).all()


@pytest.mark.nojit
@given(small_cases(), st.integers(0, 99))
@settings(max_examples=60)
def test_where_no_weight_is_below_0_the_others_never_support(case, seed):
    """Softplus is convex: a theorem for weights of at least 0."""
    W, b, d = case.params
    model = LRBN.from_params(np.abs(W), b, d, visible=case.visible)
    h = np.random.default_rng(seed).integers(0, 2, len(d))
    for j in range(len(d)):
        assert (log_odds_terms(model, case.x, h, j).others <= 1e-12).all()


# -- what a visit decided on


def traces() -> list[tuple[str, Model, ICMTrace]]:
    found: list[tuple[str, Model, ICMTrace]] = []
    for name in ("lrbn-12-digits", "lrbn-200-mnist-flat", "lrbn-40-digits-grey", "lrbn-200-200-mnist"):
        if name not in PRETRAINED:
            continue
        model, x = shipped_image(name)
        for method in model.trace_methods:
            made = model.trace(x, method, init="random", random_state=1)
            if not made.means:  # terms are of states
                found.append((f"{name} {method}", model, made))
    return found


@pytest.mark.slow
def test_the_terms_sum_to_the_log_odds_at_every_visit_of_stored_traces_of_every_algorithm(tmp_path):
    seen = set()
    for name, model, made in traces():
        made.save(tmp_path / "trace.npz")
        trace = ICMTrace.load(tmp_path / "trace.npz")
        assert trace.at_once == made.at_once == name.endswith("parallel")
        for k in np.unique(np.linspace(1, trace.n_visits, 400).astype(int)):
            j = int(trace.unit[k - 1])
            terms = log_odds_terms(model, trace.x, trace.latents(trace.decided_on(int(k))), j)
            total = terms.prior + terms.evidence.sum() + terms.alone.sum() + terms.others.sum()
            assert total == pytest.approx(trace.log_odds[k - 1], abs=1e-9), (name, k)
        seen.add(name.split()[-1])
    assert seen == set(TRACE_METHODS)


@pytest.mark.nojit
@given(small_cases(), st.sampled_from(ORDERS), st.integers(0, 99))
@settings(max_examples=60)
def test_every_visit_decided_on_the_state_that_is_named(case, order, seed):
    trace = case.model().map_trace(case.x, init="random", order=order, random_state=seed, max_sweeps=4)
    for k in range(1, trace.n_visits + 1):
        h = trace.latents(trace.decided_on(k))
        odds = naive.log_odds(case.params, case.visible, case.x, h, trace.unit[k - 1])
        assert odds == pytest.approx(trace.log_odds[k - 1], abs=1e-8)


@pytest.mark.nojit
def test_nothing_was_decided_at_the_start():
    case = random_case("bernoulli", 8, 4)
    with pytest.raises(IndexError, match="the start"):
        case.model().map_trace(case.x).decided_on(0)


# -- who did it


def assert_explained(model: Model, trace: ICMTrace, j: int, k: int, reference: Any) -> None:
    change = explain_change(model, trace, j, k, reference)
    decided = k > 0 and trace.unit[k - 1] == j
    now = trace.decided_on(k) if decided else k
    h = trace.latents(now)
    assert change.decided == decided
    assert change.after == pytest.approx(odds_by_joint(model, trace.x, h, j), abs=1e-8)
    if decided:
        assert change.after == pytest.approx(trace.log_odds[k - 1], abs=1e-8)
    assert sum(cause.nats for cause in change.causes) == pytest.approx(change.after - change.before, abs=1e-9)
    # one flip after the other, by nothing but the joint
    if reference == "off":
        assert change.since == -1
        assert change.after - change.before == pytest.approx(
            log_odds_terms(model, trace.x, h, j).others.sum(), abs=1e-9
        )
        states = [h.copy()]
        for cause in change.causes:
            states[0][cause.unit] = 0
        assert {cause.unit for cause in change.causes} == set(np.flatnonzero(h != states[0]))
        assert [cause.k for cause in change.causes] == sorted(cause.k for cause in change.causes)
        for cause in change.causes:
            assert trace.latents(cause.k)[cause.unit] == 1
            assert cause.k == 0 or trace.latents(cause.k - 1)[cause.unit] == 0
            states.append(states[-1].copy())
            states[-1][cause.unit] = 1
    else:
        states = [trace.latents(change.since)]
        for cause in change.causes:
            assert trace.flipped[cause.k - 1]
            states.append(states[-1].copy())
            states[-1][cause.unit] = cause.after
        np.testing.assert_array_equal(np.delete(states[-1], j), np.delete(h, j))
    odds = [odds_by_joint(model, trace.x, state, j) for state in states]
    assert change.before == pytest.approx(odds[0], abs=1e-8)
    np.testing.assert_allclose([cause.nats for cause in change.causes], np.diff(odds), atol=1e-8)


@pytest.mark.nojit
@given(small_cases(max_h=7), st.sampled_from(ORDERS), st.sampled_from([0.0, 1.0]), st.data())
@settings(max_examples=60)
def test_the_flips_sum_to_the_change_and_each_is_a_difference_of_the_joint(case, order, temperature, data):
    how: dict[str, Any] = {"temperature": 0.0 if order == "greedy" else temperature, "max_sweeps": 4}
    trace = case.model().map_trace(case.x, init="random", order=order, random_state=5, **how)
    k = data.draw(st.integers(0, trace.n_visits))
    units = {
        data.draw(st.integers(0, trace.n_h - 1)),
        int(trace.unit[max(0, k - 1)]) if trace.n_visits else 0,
    }
    for j in units:
        for reference in REFERENCES:
            assert_explained(case.model(), trace, j, k, reference)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_of_several_layers_flips_above_change_the_prior_and_flips_below_the_evidence(visible, temperature):
    model, rng = deep_model(visible), np.random.default_rng(4)
    x = rng.integers(0, 2, 10).astype(np.uint8) if visible == "bernoulli" else rng.normal(size=10)
    trace = model.map_trace(x, init="random", temperature=temperature, max_sweeps=6, random_state=0)
    layers = set()
    for k in range(trace.n_visits + 1):
        j = int(trace.unit[k - 1]) if k else 7
        for reference in REFERENCES:
            assert_explained(model, trace, j, k, reference)
        for cause in explain_change(model, trace, j, k).causes:
            layers.add(
                int(np.searchsorted([6, 10], cause.unit, "right") - np.searchsorted([6, 10], j, "right"))
            )
    assert layers >= {-1, 0, 1}


def test_at_visits_of_shipped_models_the_change_is_that_of_the_recorded_log_odds():
    for name, model, trace in traces():
        before: dict[int, int] = {}
        for k in range(1, trace.n_visits + 1):
            j = int(trace.unit[k - 1])
            if k % 197 == 0 and j in before:
                change = explain_change(model, trace, j, k)
                wanted = trace.log_odds[k - 1] - trace.log_odds[before[j] - 1]
                assert sum(cause.nats for cause in change.causes) == pytest.approx(wanted, abs=1e-9), (
                    name,
                    k,
                )
            before[j] = k


@pytest.mark.nojit
def test_in_an_rbm_no_flip_changes_anything():
    case = random_case("bernoulli", 12, 6, seed=2)
    rbm = RBM.from_params(*case.params)
    change = explain_change(rbm, rbm.map_trace(case.x), 3, 6, "start")
    assert all(cause.nats == 0 for cause in change.causes)


@pytest.mark.nojit
def test_what_cannot_be_explained_is_refused_in_words():
    case = random_case("bernoulli", 12, 6, seed=2)
    trace = case.model().map_trace(case.x)
    refused: list[tuple[tuple[Any, ...], type[Exception], str]] = [
        ((case.model(), trace, 6, 0), ValueError, "5"),
        ((case.model(), trace, 0, trace.n_visits + 1), ValueError, str(trace.n_visits)),
        ((case.model(), trace, 0, 0, "yesterday"), ValueError, "last"),
        ((random_case("bernoulli", 12, 5).model(), trace, 0, 0), ValueError, "5"),
        ((random_case("bernoulli", 11, 6).model(), trace, 0, 0), ValueError, "11"),
    ]
    for bad, error, said in refused:
        with pytest.raises(error, match=said):
            explain_change(*bad)
