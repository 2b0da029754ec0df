"""The joint inference of one image through several layers, visit by visit, against the joint itself."""

from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES
from engine.test_deep import all_states, image, layers_of, narrow

from lrbn_viz import LRBN, exact_posterior, explain_away, log_odds_terms
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn.deep.inference import log_joint_deep


def joint_of(layers, visible, x, h):
    """log P(x, h) of one joint state over all layers."""
    parts = np.split(h[None], np.cumsum([p.n_h for p in layers])[:-1], axis=1)
    return float(log_joint_deep(layers, visible, x[None], parts)[0])


def model_of(layers, visible: Any = "bernoulli", **settings):
    return LRBN.from_layers(layers, visible=visible, **settings)


WAYS: dict[str, dict[str, Any]] = {
    "icm": {},
    "random order": {"order": "random"},
    "annealed": {"temperature": tuple(np.geomspace(2, 0.2, 5))},
    "gibbs": {"temperature": 1.0, "max_sweeps": 5},
    "held": {"clamp": {1: 1, 5: 0, 8: 1}},
    "from a state": {"init": np.array([1, 0, 1, 1, 0, 1, 0, 0, 1])},
    "no sweep": {"max_sweeps": 0},
}


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("way", WAYS)
def test_every_visit_is_what_the_joint_says(visible, way):
    layers, x = layers_of(3, 5), image(visible, 5)[0]
    how = WAYS[way]
    trace = model_of(layers, visible).map_trace(x, random_state=2, **how)
    h = trace.latents(0)
    if way == "from a state":
        np.testing.assert_array_equal(h, how["init"])
    assert trace.log_joint0 == pytest.approx(joint_of(layers, visible, x, h), abs=1e-9)
    for k, visit in enumerate(trace, 1):
        on, off = h.copy(), h.copy()
        on[visit.unit], off[visit.unit] = 1, 0
        gain = joint_of(layers, visible, x, on) - joint_of(layers, visible, x, off)
        assert visit.log_odds == pytest.approx(gain, abs=1e-8)
        assert visit.flipped == (visit.after != h[visit.unit])
        if not trace.sampled:
            assert visit.after == (gain > 0)
        h = trace.latents(k)
        assert trace.log_joint_at(k) == pytest.approx(joint_of(layers, visible, x, h), abs=1e-9)
        a = layers[0].W @ h[: layers[0].n_h] + layers[0].b
        np.testing.assert_allclose(
            trace.reconstruction(k), sigmoid(a) if visible == "bernoulli" else a, atol=1e-12
        )
    held = how.get("clamp", {})
    assert set(trace.unit.tolist()) == (set() if way == "no sweep" else set(range(9)) - set(held))
    assert all(trace.latents(k)[j] == s for k in (0, trace.n_visits) for j, s in held.items())
    assert trace.converged == (way not in ("gibbs", "no sweep"))
    assert trace.sampled == (way in ("gibbs", "annealed"))


@pytest.mark.nojit
def test_units_of_a_layer_are_visited_in_the_order_asked_for():
    layers, x = layers_of(2, 3), image("bernoulli", 3)[0]
    in_order = model_of(layers).map_trace(x, max_sweeps=1)
    np.testing.assert_array_equal(in_order.unit, np.arange(7))
    mixed = [
        model_of(layers).map_trace(x, order="random", max_sweeps=1, random_state=seed).unit
        for seed in range(9)
    ]
    assert all(set(unit[:4]) == set(range(4)) and set(unit[4:]) == {4, 5, 6} for unit in mixed)
    assert len({tuple(unit) for unit in mixed}) > 4


@pytest.mark.parametrize("sweeps", [6_000, pytest.param(30_000, marks=pytest.mark.slow)])
def test_gibbs_sampling_visits_joint_states_as_often_as_the_posterior_says(sweeps):
    layers = narrow(layers_of(2, 4, scale=0.8))
    x = np.array([1.0, 0.0, 1.0])
    trace = model_of(layers).map_trace(x, temperature=1.0, max_sweeps=sweeps, random_state=0)
    states = all_states(layers)
    joints = log_joint_deep(layers, "bernoulli", np.tile(x, (len(states[0]), 1)), states)
    exact = np.exp(joints - joints.max())
    marginals = (exact / exact.sum()) @ np.hstack(states)
    ends = np.empty((sweeps, 7))
    for j in range(7):
        ends[:, j] = trace.after[trace.unit == j]
    # successive sweeps are not independent: blocks of 300 nearly are
    blocks = ends[300:].reshape(-1, 300, 7).mean(axis=1)
    error = blocks.std(axis=0, ddof=1) / np.sqrt(len(blocks))
    assert (np.abs(blocks.mean(axis=0) - marginals) < 4.5 * error + 1e-3).all()


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_terms_and_interactions_are_differences_of_the_joint(visible):
    layers, x = layers_of(3, 6), image(visible, 6)[0]
    model: Any = model_of(layers, visible)
    h = np.random.default_rng(1).integers(0, 2, 9).astype(np.uint8)

    def gain(j, **fixed):
        states = []
        for state in (1, 0):
            g = h.copy()
            for k, other in fixed.items():
                g[int(k[1:])] = other
            g[j] = state
            states.append(joint_of(layers, visible, x, g))
        return states[0] - states[1]

    M = explain_away(model, x, h)
    for j in range(9):
        terms = log_odds_terms(model, x, h, j)
        total = terms.prior + terms.evidence.sum() + terms.alone.sum() + terms.others.sum()
        assert total == pytest.approx(gain(j), abs=1e-9)
        assert len(terms.evidence) == (7 if j < 4 else 4 if j < 7 else 3)
        for k in range(9):
            moved = 0.0 if j == k else gain(j, **{f"h{k}": 1}) - gain(j, **{f"h{k}": 0})
            assert M[j, k] == pytest.approx(moved, abs=1e-8)
    states = (np.arange(2**9)[:, None] >> np.arange(9) & 1).astype(np.uint8)
    joints = np.array([joint_of(layers, visible, x, state) for state in states])
    posterior = exact_posterior(model, x)
    np.testing.assert_allclose(posterior.log_joints, joints, atol=1e-9)
    np.testing.assert_array_equal(posterior.map_state, states[joints.argmax()])
    weights = np.exp(joints - joints.max())
    np.testing.assert_allclose(posterior.marginals, weights @ states / weights.sum(), atol=1e-9)
    assert posterior.log_evidence == pytest.approx(joints.max() + np.log(weights.sum()), abs=1e-9)


def test_what_cannot_be_traced_is_refused_in_words():
    model, x = model_of(layers_of(2)), image("bernoulli")[0]
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({"order": "greedy"}, "order must be one of 'sequential', 'random'"),
        ({"init": "somewhere"}, "init must be one of"),
        ({"init": np.zeros(4)}, r"init has shape \(4,\); expected \(7,\)"),
        ({"clamp": {7: 1}}, "a clamped unit"),
        ({"temperature": -1.0}, "temperature must be"),
    )
    for how, words in cases:
        with pytest.raises(ValueError, match=words):
            model.map_trace(x, **how)
