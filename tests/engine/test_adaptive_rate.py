"""The adaptive learning rate of the RBM against enumeration and formulas."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from engine.rbm_cases import VISIBLE, all_states, bars, bernoulli_table, images, small_model

from lrbn_viz import RBM
from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.adaptive import CANDIDATES, Adapted, best_end, gains
from lrbn_viz.rivals.rbm.system import RBMState, RBMSystem
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

ADAPTIVE: dict[str, Any] = {"gradient": "enhanced", "adaptive_rate": True, "n_particles": 5}


def along(before: Adapted, after: RBMState, share: float) -> RBMState:
    """The parameters that a step of another length leads to."""
    ends = [old + share * (new - old) for old, new in zip(before[1:4], after[:3], strict=True)]
    return after._replace(W=ends[0], b=ends[1], d=ends[2])


def test_each_candidate_is_judged_by_the_exact_log_likelihood():
    """Fantasies in proportion to their probability under the model that the step began from."""
    before, after = small_model(4, 3, seed=1, scale=0.5), small_model(4, 3, seed=2, scale=0.5)
    counts = np.round(bernoulli_table(before).sum(1) * 50_000).astype(int)
    V = np.repeat(all_states(4), counts, axis=0)
    begun = Adapted(1.0, *before[:3], V)
    X = images(after, "bernoulli", 5)
    found = gains(begun, after, X, "bernoulli")
    for share, nats in zip(CANDIDATES, found, strict=True):
        end = along(begun, after, share)
        exact = -rbm.free_energy(end, X).mean() - rbm.log_partition(end) + rbm.log_partition(before)
        assert nats == pytest.approx(exact, abs=2e-3)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
def test_the_likeliest_candidate_is_taken(visible):
    before, after = small_model(5, 3, seed=3, scale=0.3), small_model(5, 3, seed=4, scale=0.3)
    begun = Adapted(1.0, *before[:3], images(before, visible, 40, seed=5).astype(before.W.dtype))
    if visible == "bernoulli":
        begun = begun._replace(V=begun.V.astype(np.uint8))
    taken = set()
    for seed in range(12):
        X = images(after, visible, 2, seed)
        X = X if visible == "bernoulli" else X.astype(np.float32)
        nats = []
        for share in CANDIDATES:
            end = along(begun, after, share)
            ratios = rbm.free_energy(begun, begun.V, visible) - rbm.free_energy(end, begun.V, visible)
            nats.append(-rbm.free_energy(end, X, visible).mean() - np.log(np.exp(ratios).mean()))
        end = best_end(begun, after, X, visible)
        assert end.share == CANDIDATES[int(np.argmax(nats))]
        expected = along(begun, after, end.share)
        for found, wanted in zip(end[1:4], expected[:3], strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-6)
        taken.add(end.share)
    assert taken == {0.99, 1.01}


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLE)
@pytest.mark.parametrize("n_temperatures", [1, 3])
def test_each_step_multiplies_the_rate_by_a_candidate_and_changes_no_state(visible, n_temperatures):
    system = RBMSystem(4, visible=visible, learning_rate=0.02, n_temperatures=n_temperatures, **ADAPTIVE)
    X, rng = bars(40), np.random.default_rng(0)
    state = system.init(X, rng)
    rates, copies = [], []
    for first in range(0, 40, 10):
        copies.append((state, [np.array(a) for a in (*state[:3], *(state.adapted or ())[1:])]))
        state, metrics = system.step(state, X[first : first + 10], rng)
        rates.append(metrics["learning_rate"])
    assert rates[0] == 0.02
    assert all(min(abs(b / a - c) for c in CANDIDATES) < 1e-9 for a, b in pairwise(rates))
    assert len(set(rates)) > 1
    for old, arrays in copies:
        for array, copy in zip((*old[:3], *(old.adapted or ())[1:]), arrays, strict=True):
            np.testing.assert_array_equal(array, copy)


def test_a_rate_that_is_too_small_grows_and_one_that_is_too_large_shrinks():
    X = bars(2000)
    ends = []
    for rate in (0.001, 3.0):
        how = {**ADAPTIVE, "n_particles": 100}
        training = Training(
            RBMSystem(8, learning_rate=rate, **how),
            X,
            n_iter=2,
            batch_size=20,
            rng=np.random.default_rng(0),
        )
        rates = [event.metrics["learning_rate"] for _, event in training]
        ends.append(rates[-1])
    assert ends[0] > 0.0015
    assert ends[1] < 2.0


@pytest.mark.nojit
def test_it_goes_on_from_a_checkpoint_bit_for_bit(tmp_path):
    def begun() -> Training:
        system = RBMSystem(4, learning_rate=0.05, learning_rate_end=0.01, **ADAPTIVE)
        return Training(system, bars(40), n_iter=2, batch_size=10, rng=np.random.default_rng(0))

    whole = begun()
    for _ in range(5):
        next(whole)
    save_checkpoint(tmp_path / "run", {"run": whole}, {})
    for _ in whole:
        pass
    resumed = begun()
    resumed.restore(load_checkpoint(tmp_path / "run").snapshot("run", resumed.state))
    for _ in resumed:
        pass
    for one, other in zip(whole.state[:4], resumed.state[:4], strict=True):
        np.testing.assert_array_equal(one, other)
    assert whole.state.adapted
    assert resumed.state.adapted
    assert whole.state.adapted.factor == resumed.state.adapted.factor != 1.0


@pytest.mark.nojit
def test_contrastive_divergence_keeps_the_rate_of_its_settings():
    system, rng = RBMSystem(4, method="cd", adaptive_rate=True), np.random.default_rng(0)
    state = system.init(bars(10), rng)
    for _ in range(3):
        state, metrics = system.step(state, bars(10), rng)
        assert metrics["learning_rate"] == 0.05
    assert state.adapted == ()


@pytest.mark.nojit
def test_a_step_that_diverges_says_so():
    system, rng = RBMSystem(4, **ADAPTIVE), np.random.default_rng(0)
    state, _ = system.step(system.init(bars(10), rng), bars(10), rng)
    W = state.W.copy()
    W[0, 0] = np.nan
    with pytest.raises(FloatingPointError, match="not finite after step 2"):
        system.step(state._replace(W=W), bars(10), rng)


def test_the_estimator_has_it():
    model = RBM(4, n_iter=1, adaptive_rate=True, gradient="enhanced", random_state=0).fit(bars(60))
    rates = [event.metrics["learning_rate"] for event in model.history_]
    assert len(set(rates)) > 1
