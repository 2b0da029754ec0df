"""Every entry of a lane's menus runs what it names, for every kind of model: inference and start.

What the page is sent equals, byte for byte, what the named method of Python gives for the same model, image,
start and seed; how it is called is written out here, and not read from what the model declares. Each method
then has a check of its own of what it is, which asks the model for nothing but ``log P(x, h)`` and states.
`tests/app/test_algorithms.py` proves more of an LRBN's: that no entry could be swapped for another.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from covering import cover
from numpy.typing import NDArray
from tiny_models import with_random_parameters

from lrbn_viz import load_dataset
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of
from lrbn_viz.catalog import kinds
from lrbn_viz.core.trace import ICMTrace, ParticleTrace
from lrbn_viz.view.player.packing import pack_trace

ROWS, SEED = (0, 7), 5
GIBBS_SEEDS = 80

# How Python is asked for each entry, by the name that links give it.
LRBN_WAYS: dict[str, dict[str, Any]] = {
    "icm": {"order": "sequential"},
    "icm-random": {"order": "random"},
    "icm-greedy": {"order": "greedy"},
    "icm-parallel": {"order": "parallel", "max_sweeps": 20},
    "gibbs": {"order": "sequential", "temperature": 1.0, "max_sweeps": 20},
    "annealed": {"order": "sequential", "temperature": tuple(np.geomspace(2.0, 0.1, 30))},
    "mean-field": {"kind": "mean-field"},
    "recognition": {"kind": "recognition"},
    "particles": {"kind": "particles", "n_particles": 100},
}
OTHER_WAYS: dict[str, dict[str, dict[str, Any]]] = {
    "RBM": {"factorised": {}},
    "DBN": {"recognition": {"n_sweeps": 0}, "mean-field": {"n_sweeps": 20}},
    "DBM": {"mean-field": {"guess": False}, "bottom-up": {"guess": True}},
}
ENTRIES = [(kind, name) for kind, found in kinds().items() for name in found.model.trace_methods]


def code_of(entry: tuple[str, str]) -> list[Any]:
    """What an entry runs: kinds that share these functions and the bound differ in how they learn alone."""
    kind, name = entry
    model: Any = kinds()[kind].model
    return [kind, (type(model).map_trace, type(model).joint, model.mean_field_bound, name)]


GATE = set(cover(ENTRIES, code_of))
"""Each code once, and each kind; `test_models` compares every entry of each kind with :meth:`Model.trace`."""
every_entry = pytest.mark.parametrize(
    ("kind", "name"),
    [pytest.param(*each, marks=() if each in GATE else pytest.mark.slow) for each in ENTRIES],
)


@cache
def made(kind: str) -> Any:
    """A model of six latents with weights large enough to have local optima; nothing is trained."""
    return with_random_parameters(kinds()[kind], load_dataset("digits").train_X, seed=2)


def session_with(kind: str) -> Session:
    """Two lanes of the same kind: starts from the other's last state are on offer too."""
    names = {"one": made(kind), "other": made("RBM" if not kinds()[kind].model.several_layers else kind)}
    return Session(
        load_dataset, names.__getitem__, dataset_name="digits", model_name="one", rival_name="other"
    )


def images() -> NDArray[np.uint8]:
    return load_dataset("digits").test_X[list(ROWS)]


def named_trace(kind: str, name: str, x: NDArray, **how: Any) -> ICMTrace:
    """What Python gives by the method that has this name."""
    ways = OTHER_WAYS.get(kind, LRBN_WAYS)
    model = made(kind)
    return model.map_trace(
        x, **ways[name], **{key: value for key, value in how.items() if key in model.trace_options}
    )


@every_entry
def test_the_page_is_sent_the_trace_of_the_method_named(kind, name):
    session = session_with(kind)
    session.choose_in(0, "algorithm", name)
    session.choose_in(0, "seed", str(SEED))
    for start in list(session.starts_of(0)) or [""]:
        for row, x in list(zip(ROWS, images(), strict=True))[: 2 if start in ("", "conditional") else 1]:
            session.index = row
            session.cursor = min(3, session.traces[0].n_visits)
            kept = (session.traces[0].latents(session.cursor) > 0.5).astype(np.uint8)
            if start:
                session.choose_in(0, "start", start)
                assert session.start_of(0) == start
            rival = session.traces[1]
            init: Any = {
                "last": kept,
                "rival": (rival.latents(rival.n_visits) > 0.5).astype(np.uint8),
            }.get(start, start)
            expected = named_trace(kind, name, x, init=init, random_state=SEED)
            lane, other = lanes_of(session)
            assert lane.subtitle.startswith(kinds()[kind].model.trace_methods[name].title)
            sent = pack_trace([lane, other])
            assert sent == pack_trace([lane._replace(trace=expected), other]), (start, row)
            if start == "last":
                session.choose_in(0, "start", next(iter(session.starts_of(0))))


# What each method is, told from log P(x, h) alone.


def odds_of(model: Any, x: NDArray, h: NDArray) -> NDArray[np.float64]:
    """The log-odds of each unit given all others, (n,): what the log joint gains when it is on."""
    n = len(h)
    on, off = np.tile(h, (n, 1)), np.tile(h, (n, 1))
    on[np.arange(n), np.arange(n)], off[np.arange(n), np.arange(n)] = 1, 0
    X = np.tile(x, (n, 1))
    return model.log_joint(X, on) - model.log_joint(X, off)


def looks_at_what_the_visits_before_left(model: Any, trace: ICMTrace) -> None:
    h = trace.h0.copy()
    for k, unit in enumerate(trace.unit):
        assert trace.log_odds[k] == pytest.approx(odds_of(model, trace.x, h)[unit], abs=1e-6)
        h[unit] = trace.after[k]


def no_flip_gains(model: Any, trace: ICMTrace) -> None:
    last = trace.latents(trace.n_visits).astype(np.uint8)
    np.testing.assert_array_equal(last, odds_of(model, trace.x, last) > 0)


def climbs(model: Any, trace: ICMTrace) -> None:
    looks_at_what_the_visits_before_left(model, trace)
    np.testing.assert_array_equal(trace.after, trace.log_odds > 0)
    no_flip_gains(model, trace)


def in_order(trace: ICMTrace) -> None:
    np.testing.assert_array_equal(trace.unit, np.arange(trace.n_visits) % trace.n_h)


def is_icm(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        in_order(trace)
        climbs(made(kind), trace)


def is_icm_in_random_order(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        climbs(made(kind), trace)
    orders = {tuple(trace.unit[: trace.n_h]) for trace in traces}
    assert len(orders) == len(traces), "each seed has its order"
    assert all(len(set(order)) == len(order) for order in orders), "a sweep visits a unit once"


def is_greedy(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        climbs(made(kind), trace)
        h = trace.h0.copy()
        for unit, after in zip(trace.unit, trace.after, strict=True):
            odds = odds_of(made(kind), trace.x, h)
            assert unit == np.argmax(np.where(h == 1, -odds, odds))
            h[unit] = after


def is_parallel(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        in_order(trace)
        for first in range(0, trace.n_visits, trace.n_h):
            odds = odds_of(made(kind), trace.x, trace.latents(first).astype(np.uint8))
            np.testing.assert_allclose(trace.log_odds[first : first + trace.n_h], odds, atol=1e-6)
        np.testing.assert_array_equal(trace.after, trace.log_odds > 0)


def is_gibbs(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        in_order(trace)
        assert trace.n_visits == 20 * trace.n_h
        looks_at_what_the_visits_before_left(made(kind), trace)
    x = traces[0].x
    last = [
        named_trace(kind, "gibbs", x, init="random", random_state=seed).latents(20 * traces[0].n_h)
        for seed in range(GIBBS_SEEDS)
    ]
    p = made(kind).exact_posterior(x.astype(float)).marginals
    errors = np.sqrt(p * (1 - p) / GIBBS_SEEDS) + 1 / GIBBS_SEEDS
    assert np.all(np.abs(np.mean(last, axis=0) - p) <= 4.5 * errors)


def is_annealed(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        in_order(trace)
        looks_at_what_the_visits_before_left(made(kind), trace)
        cold = trace.sweep >= 30
        assert cold.any(), "ICM follows"
        np.testing.assert_array_equal(trace.after[cold], trace.log_odds[cold] > 0)
        no_flip_gains(made(kind), trace)


def is_one_pass_of_recognition(kind: str, traces: list[ICMTrace]) -> None:
    model = made(kind)
    for trace in traces:
        assert sorted(trace.unit) == list(range(trace.n_h)), "one pass, each unit once"
        means, layers = trace.latents(trace.n_visits), np.cumsum([0, *model.layer_sizes_])
        pairs = [(networks.V, networks.c) for networks in model.recognition_layers]
        below = trace.x.astype(float)
        for (V, c), first, end in zip(pairs, layers[:-1], layers[1:], strict=True):
            below = 1 / (1 + np.exp(-(below @ V + c)))
            np.testing.assert_allclose(means[first:end], below, atol=1e-6)


def is_particles_by_their_weights(kind: str, traces: list[ICMTrace]) -> None:
    model = made(kind)
    for trace in traces:
        assert isinstance(trace, ParticleTrace)
        particles, below = trace.particles, np.tile(trace.x.astype(float), (len(trace.particles), 1))
        layers, log_q = np.cumsum([0, *model.layer_sizes_]), np.zeros(len(particles))
        pairs = [(networks.V, networks.c) for networks in model.recognition_layers]
        for (V, c), first, end in zip(pairs, layers[:-1], layers[1:], strict=True):
            odds, drawn = below @ V + c, particles[:, first:end].astype(float)
            log_q += (drawn * odds - np.logaddexp(0, odds)).sum(axis=1)
            p = 1 / (1 + np.exp(-odds))
            spread = 5 * np.sqrt((p * (1 - p)).mean(axis=0) / len(p)) + 1e-3
            assert np.all(np.abs(drawn.mean(axis=0) - p.mean(axis=0)) < spread), "drawn from the network"
            below = drawn
        joint = model.log_joint(np.tile(trace.x, (len(particles), 1)), particles)
        np.testing.assert_allclose(trace.log_weights, joint - log_q, atol=1e-6)
        weights = np.exp(joint - log_q - np.max(joint - log_q))
        np.testing.assert_allclose(
            trace.latents(trace.n_visits), weights @ particles / weights.sum(), atol=1e-9
        )
        estimate = np.log(weights.mean()) + np.max(joint - log_q)
        assert trace.log_joint[-1] == pytest.approx(estimate, abs=1e-6)


def is_factorised(kind: str, traces: list[ICMTrace]) -> None:
    for trace in traces:
        assert sorted(trace.unit) == list(range(trace.n_h)), "one pass, each unit once"
        marginals = made(kind).exact_posterior(trace.x.astype(float)).marginals
        found = 1 / (1 + np.exp(-trace.log_odds))
        np.testing.assert_allclose(found, marginals[trace.unit], atol=1e-9)
        np.testing.assert_array_equal(trace.after, marginals[trace.unit] > 0.5)


def is_mean_field(kind: str, traces: list[ICMTrace]) -> None:
    model = made(kind)
    for trace in traces:
        best = model.log_marginal(trace.x[None].astype(float))[0]
        means, before = trace.latents(trace.n_visits), trace.latents(trace.n_visits - trace.n_h)
        assert trace.means
        assert np.all(trace.log_joint <= best + 1e-9), "it raises a lower bound"
        went_up = trace.sweep[1:] > (0 if "recognition" in model.trace_methods or kind == "DBM" else -1)
        assert np.all(np.diff(trace.log_joint)[went_up] >= -1e-9)
        assert np.abs(means - before).max() < 0.05, "a fixed point, or nearly"
        if kind == "DBM":
            odds = np.hstack(
                model.conditional_log_odds(trace.x[None].astype(float), model.split(means[None]))
            )
            np.testing.assert_allclose(1 / (1 + np.exp(-odds[0])), means, atol=0.02)


def is_a_pass_up_then_mean_field(kind: str, traces: list[ICMTrace]) -> None:
    (W, _, d), (U, _, e) = made(kind).layers
    for trace in traces:
        first = trace.latents(trace.n_h)
        lower = 1 / (1 + np.exp(-(2 * trace.x @ W + d)))
        np.testing.assert_allclose(first, np.hstack([lower, 1 / (1 + np.exp(-(lower @ U + e)))]), atol=1e-9)
    is_mean_field(kind, traces)


PROOFS = {
    "icm": is_icm,
    "icm-random": is_icm_in_random_order,
    "icm-greedy": is_greedy,
    "icm-parallel": is_parallel,
    "gibbs": is_gibbs,
    "annealed": is_annealed,
    "recognition": is_one_pass_of_recognition,
    "mean-field": is_mean_field,
    "particles": is_particles_by_their_weights,
    "factorised": is_factorised,
    "bottom-up": is_a_pass_up_then_mean_field,
}


@every_entry
def test_each_method_is_what_its_name_says(kind, name):
    seeds = {"init": "random"} if "init" in kinds()[kind].model.trace_options else {}
    PROOFS[name](
        kind,
        [named_trace(kind, name, x, random_state=seed, **seeds) for seed, x in enumerate(images())],
    )
