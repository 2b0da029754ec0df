"""Every menu entry runs the algorithm that it names, as the page runs it: through a session.

Each entry has a proof, a function of what a session did with that entry; it recomputes every log-odds from
the equations and knows nothing of the engine. What is drawn at random is judged by statistics over many
seeds, which are fixed, so that a verdict never changes by itself; a right engine would pass with nearly all
other seeds too. That each proof refuses the traces of every other entry shows that no two can be swapped.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

from lrbn_viz import LRBN, RBM, exact_posterior, load_dataset
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.menus import offered
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.estimators.layered import ANNEALING
from lrbn_viz.estimators.layered import TRACE_METHODS as ALGORITHMS

STARTS = offered(LRBN(), RBM())[1]

N_V = 64
SEEDS = 720  # thirty for each order of four units, where a seed decides anything
IMAGES = 80
Z = 4.5  # a right engine exceeds it once in 150,000
RARE = 1e-5


def lrbn_of(n_h: int, seed: int, scale: float) -> LRBN:
    rng = np.random.default_rng(seed)
    return LRBN.from_params(
        rng.normal(0, scale, (N_V, n_h)), rng.normal(-1, 0.5, N_V), rng.normal(0, 0.3, n_h)
    )


def rbm_of(n_h: int, seed: int) -> RBM:
    """An RBM of its own, so that no state of the LRBN passes for one of its states."""
    rng = np.random.default_rng(seed)
    return RBM.from_params(rng.normal(0, 0.5, (N_V, n_h)), rng.normal(-1, 0.5, N_V), np.zeros(n_h))


# The small one moves between states and can be enumerated; the larger one has local optima.
MODELS = {
    "small": lrbn_of(4, 1, 0.35),
    "small rbm": rbm_of(4, 3),
    "large": lrbn_of(16, 2, 1.5),
    "large rbm": rbm_of(16, 4),
}


def new_session(size: str) -> Session:
    return Session(
        load_dataset, MODELS.__getitem__, dataset_name="digits", model_name=size, rival_name=f"{size} rbm"
    )


def lrbn_trace(session: Session) -> ICMTrace:
    return next(iter(session.traces))


# The equations, for many states at once.


def log_joint(model: LRBN, X: NDArray, H: NDArray) -> NDArray[np.float64]:
    """log P(x, h) of each pair of rows, nats: equation 3 of the paper."""
    W, b, d = model.layers[0]
    a = H @ W.T + b
    return (X * a - np.logaddexp(0, a)).sum(axis=1) + H @ d - np.logaddexp(0, d).sum()


def log_odds(model: LRBN, x: NDArray, H: NDArray, units: NDArray) -> NDArray[np.float64]:
    """Log-odds of ``units[n]`` being on, given x and the other units of ``H[n]``."""
    on, off = H.astype(float), H.astype(float)
    rows = np.arange(len(H))
    on[rows, units], off[rows, units] = 1, 0
    return log_joint(model, x, on) - log_joint(model, x, off)


def sigmoid(a: NDArray) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-a))


def states(trace: ICMTrace) -> NDArray[np.uint8]:
    """The state before each visit, and the last one: (n_visits + 1, n_h)."""
    H = np.empty((trace.n_visits + 1, trace.n_h), np.uint8)
    H[0] = trace.h0
    for k, (unit, after) in enumerate(zip(trace.unit, trace.after, strict=True)):
        H[k + 1] = H[k]
        H[k + 1, unit] = after
    return H


class MenuTraces(NamedTuple):
    """Traces of a session with one entry of the algorithm menu.

    Attributes
    ----------
    seeded : list of ICMTrace
        Of the small model on one image from all units off, one for each seed.
    varied : list of ICMTrace
        Of the large model on many images, each from its own random state.
    """

    seeded: list[ICMTrace]
    varied: list[ICMTrace]


def with_models(traces: MenuTraces) -> Iterator[tuple[LRBN, ICMTrace]]:
    for trace in traces.varied:
        yield MODELS["large"], trace
    for trace in traces.seeded[:50]:
        yield MODELS["small"], trace


# What several proofs share.


def follows_its_own_odds(model: LRBN, trace: ICMTrace) -> None:
    """Each visit looks at the state that the visit before it left."""
    np.testing.assert_allclose(
        trace.log_odds, log_odds(model, trace.x, states(trace)[:-1], trace.unit), atol=1e-6
    )


def decides_for_the_likelier_state(trace: ICMTrace, visits: slice | NDArray = slice(None)) -> None:
    np.testing.assert_array_equal(trace.after[visits], trace.log_odds[visits] > 0)


def visits_in_order(trace: ICMTrace) -> None:
    np.testing.assert_array_equal(trace.unit, np.arange(trace.n_visits) % trace.n_h)
    np.testing.assert_array_equal(trace.sweep, np.arange(trace.n_visits) // trace.n_h)


def sweeps_of(trace: ICMTrace) -> NDArray[np.int32]:
    """The units in the order visited, one sweep a row; a last, broken sweep is left out."""
    whole = trace.n_visits // trace.n_h
    assert whole >= 1
    return trace.unit[: whole * trace.n_h].reshape(whole, trace.n_h)


def ends_where_no_flip_helps(model: LRBN, trace: ICMTrace) -> None:
    last = states(trace)[-1]
    every = np.arange(trace.n_h)
    odds = log_odds(model, trace.x, np.tile(last, (trace.n_h, 1)), every)
    np.testing.assert_array_equal(last, odds > 0)
    assert trace.converged


def draws_as_often_as(probability: NDArray, drawn: NDArray) -> None:
    """Binary draws, by bands of their probability, hit as often as they should."""
    for low, high in itertools.pairwise((0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0)):
        band = (probability >= low) & (probability < high)
        p, hits = probability[band], drawn[band].astype(float)
        if np.sum(p * (1 - p)) > 5:
            assert abs(np.sum(hits - p)) <= Z * np.sqrt(np.sum(p * (1 - p))), (low, high)
    assert np.any(drawn != (probability > 0.5)), "nothing was drawn against the odds"


def uniform(counts: NDArray) -> None:
    fits(counts, np.full(len(counts), 1 / len(counts)))


def fits(counts: NDArray, probabilities: NDArray) -> None:
    """Pearson's test, cells with fewer than five expected taken together."""
    expected = probabilities * counts.sum()
    rare = expected < 5
    if rare.any():
        counts = np.append(counts[~rare], counts[rare].sum())
        expected = np.append(expected[~rare], max(expected[rare].sum(), 1e-9))
    statistic = np.sum((counts - expected) ** 2 / expected)
    assert statistic <= chi2.isf(RARE, len(counts) - 1), statistic


def numbers(H: NDArray) -> NDArray[np.int64]:
    """Each row of bits as a number."""
    return H.astype(np.int64) @ (1 << np.arange(H.shape[1]))


# The proofs.


def is_icm(traces: MenuTraces) -> None:
    for model, trace in with_models(traces):
        visits_in_order(trace)
        follows_its_own_odds(model, trace)
        decides_for_the_likelier_state(trace)
        ends_where_no_flip_helps(model, trace)
    assert len({trace.after.tobytes() for trace in traces.seeded}) == 1, "nothing in it is drawn"


def is_icm_in_random_order(traces: MenuTraces) -> None:
    for model, trace in with_models(traces):
        for sweep in sweeps_of(trace):
            assert sorted(sweep) == list(range(trace.n_h)), "a sweep visits every unit once"
        follows_its_own_odds(model, trace)
        decides_for_the_likelier_state(trace)
        ends_where_no_flip_helps(model, trace)
    orders = list(itertools.permutations(range(4)))
    assert all(len(sweeps_of(trace)) > 1 for trace in traces.seeded), (
        "the last sweep only finds nothing to do"
    )
    first, second = ([tuple(sweeps_of(trace)[t]) for trace in traces.seeded] for t in (0, 1))
    for drawn in (first, second):
        uniform(np.array([drawn.count(order) for order in orders]))
    both = np.zeros((4, 4))
    for one, other in zip(first, second, strict=True):
        both[one[0], other[0]] += 1
    uniform(both.ravel())  # the order of a sweep says nothing of the next one's


def is_greedy(traces: MenuTraces) -> None:
    for model, trace in with_models(traces):
        every = np.arange(trace.n_h)
        for h, unit in zip(states(trace)[:-1], trace.unit, strict=True):
            odds = log_odds(model, trace.x, np.tile(h, (trace.n_h, 1)), every)
            gains = np.where(h == 1, -odds, odds)
            assert gains[unit] > 0
            assert unit == np.argmax(gains)
        assert trace.flipped.all()
        ends_where_no_flip_helps(model, trace)
    assert sum(trace.n_visits for trace in traces.varied) > IMAGES, "hardly a choice was made"


def is_parallel(traces: MenuTraces) -> None:
    falls = 0
    for model, trace in with_models(traces):
        visits_in_order(trace)
        before = states(trace)[:-1]
        at_once = before[trace.sweep * trace.n_h]  # as the sweep found it
        np.testing.assert_allclose(trace.log_odds, log_odds(model, trace.x, at_once, trace.unit), atol=1e-6)
        decides_for_the_likelier_state(trace)
        assert trace.n_visits % trace.n_h == 0
        values = np.append(trace.log_joint0, trace.log_joint)
        falls += bool(np.any(np.diff(values) < -1e-6))
    assert falls > 0, "on no image did the theorem fail"


def is_gibbs(traces: MenuTraces) -> None:
    for model, trace in with_models(traces):
        visits_in_order(trace)
        follows_its_own_odds(model, trace)
        assert trace.n_visits == trace.n_h * ALGORITHMS["gibbs"].arguments["max_sweeps"]
    for kind in traces:
        draws_as_often_as(
            sigmoid(np.concatenate([trace.log_odds for trace in kind])),
            np.concatenate([trace.after for trace in kind]),
        )
    # after twenty sweeps the start is forgotten: the last states are draws from the posterior
    x = traces.seeded[0].x
    H = (np.arange(16)[:, None] >> np.arange(4) & 1).astype(float)
    joint = log_joint(MODELS["small"], x, H)
    posterior = np.exp(joint - np.logaddexp.reduce(joint))
    last = np.array([states(trace)[-1] for trace in traces.seeded])
    fits(np.bincount(numbers(last), minlength=16), posterior)
    marginals = exact_posterior(MODELS["small"], x).marginals
    np.testing.assert_allclose(marginals, posterior @ H, atol=1e-9)
    errors = np.sqrt(marginals * (1 - marginals) / len(last))
    assert np.all(np.abs(last.mean(axis=0) - marginals) <= Z * errors)


def is_annealed(traces: MenuTraces) -> None:
    schedule = np.array(ANNEALING)
    assert np.all(np.diff(schedule) < 0), "it cools"
    for model, trace in with_models(traces):
        visits_in_order(trace)
        follows_its_own_odds(model, trace)
        decides_for_the_likelier_state(trace, trace.sweep >= len(schedule))
        ends_where_no_flip_helps(model, trace)
        assert trace.sweep[-1] >= len(schedule), "ICM follows"
    sweep, odds, after = (
        np.concatenate([getattr(trace, name) for trace in traces.seeded + traces.varied])
        for name in ("sweep", "log_odds", "after")
    )
    third = len(schedule) // 3
    for begin in range(0, len(schedule), third):
        warm = (sweep >= begin) & (sweep < begin + third)
        draws_as_often_as(sigmoid(odds[warm] / schedule[sweep[warm]]), after[warm])
    gains = []
    for trace in traces.varied:
        model = MODELS["large"]
        reached = log_joint(model, trace.x, states(trace)[-1:])[0]
        gains.append(reached - icm_reaches(model, trace.x, trace.h0))
    assert np.mean(gains) > 3 * np.std(gains) / np.sqrt(len(gains)), "no better than ICM from the same states"
    assert np.mean(gains) > 0


def icm_reaches(model: LRBN, x: NDArray, h0: NDArray) -> float:
    """log P(x, h) where one unit after the other, in order, has nothing left to gain."""
    h, before = h0.astype(float), None
    while before is None or not np.array_equal(h, before):
        before = h.copy()
        for j in range(len(h)):
            h[j] = log_odds(model, x, h[None], np.array([j]))[0] > 0
    return float(log_joint(model, x, h[None])[0])


PROOFS: dict[str, Callable[[MenuTraces], None]] = {
    "icm": is_icm,
    "icm-random": is_icm_in_random_order,
    "icm-greedy": is_greedy,
    "icm-parallel": is_parallel,
    "gibbs": is_gibbs,
    "annealed": is_annealed,
}


@pytest.fixture(scope="module")
def traces() -> dict[str, MenuTraces]:
    """What the page does when an entry is chosen, entry by entry."""
    done: dict[str, MenuTraces] = {}
    small, large = new_session("small"), new_session("large")
    for name in ALGORITHMS:
        seeded, varied = [], []
        small.param.update(algorithm=name, start="zeros")
        for seed in range(SEEDS if ALGORITHMS[name].draws else IMAGES):
            small.seed = seed
            seeded.append(lrbn_trace(small))
        large.param.update(algorithm=name, start="random")
        for index in range(IMAGES):
            large.param.update(index=index, seed=index)
            varied.append(lrbn_trace(large))
        done[name] = MenuTraces(seeded, varied)
    return done


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_a_menu_entry_runs_the_algorithm_that_it_names(traces, name):
    PROOFS[name](traces[name])


@pytest.mark.parametrize(("name", "other"), list(itertools.permutations(ALGORITHMS, 2)))
def test_no_menu_entry_could_be_swapped_for_another(traces, name, other):
    with pytest.raises(AssertionError):
        PROOFS[name](traces[other])


class Begun(NamedTuple):
    """Where one inference began: the image, what the cursor showed before, and the first state."""

    x: NDArray[np.uint8]
    kept: NDArray[np.uint8]
    h0: NDArray[np.uint8]


def every_h0(begun: list[Begun], expected: Callable[[Begun], NDArray]) -> None:
    for one in begun:
        np.testing.assert_array_equal(one.h0, expected(one))


def odds_with_all_others_off(one: Begun) -> NDArray[np.bool_]:
    n_h = len(one.h0)
    return log_odds(MODELS["large"], one.x, np.zeros((n_h, n_h)), np.arange(n_h)) > 0


def a_fair_coin_for_each_unit(begun: list[Begun]) -> None:
    H = np.array([one.h0 for one in begun])
    assert np.all(np.abs(H.sum(axis=0) - len(H) / 2) <= Z * np.sqrt(len(H)) / 2)
    for j, k in itertools.combinations(range(H.shape[1]), 2):
        uniform(np.bincount(2 * H[:, j] + H[:, k], minlength=4))


def likeliest_in_the_rbm(one: Begun) -> NDArray[np.bool_]:
    W, _, d = MODELS["large rbm"].params_
    return one.x @ W + d > 0


def equation_11_of_the_paper(one: Begun) -> NDArray[np.bool_]:
    W, _, d = MODELS["large"].layers[0]
    return one.x @ W + d > 0


START_PROOFS: dict[str, Callable[[list[Begun]], None]] = {
    "conditional": lambda begun: every_h0(begun, odds_with_all_others_off),
    "paper": lambda begun: every_h0(begun, equation_11_of_the_paper),
    "zeros": lambda begun: every_h0(begun, lambda one: np.zeros(len(one.h0))),
    "random": a_fair_coin_for_each_unit,
    "rival": lambda begun: every_h0(begun, likeliest_in_the_rbm),
    "last": lambda begun: every_h0(begun, lambda one: one.kept),
}


@pytest.fixture(scope="module")
def begun() -> dict[str, list[Begun]]:
    """Where the page begins, start by start: on every image, and more often where it draws."""
    found: dict[str, list[Begun]] = {start: [] for start in STARTS}
    session = new_session("large")
    every = ((start, seed) for start in STARTS for seed in range(400 if start == "random" else IMAGES))
    for start, seed in every:
        session.param.update(algorithm="gibbs", start="zeros", start_state="", index=seed % IMAGES, seed=seed)
        session.cursor = 30 + seed % 200
        kept = states(lrbn_trace(session))[session.cursor]
        session.begin_from(start)
        found[start].append(Begun(session.x.copy(), kept, lrbn_trace(session).h0))
    return found


@pytest.mark.parametrize("start", list(STARTS))
def test_a_start_of_the_menu_is_the_state_that_it_names(begun, start):
    START_PROOFS[start](begun[start])


@pytest.mark.parametrize(("start", "other"), list(itertools.permutations(STARTS, 2)))
def test_no_start_of_the_menu_could_be_swapped_for_another(begun, start, other):
    with pytest.raises(AssertionError):
        START_PROOFS[start](begun[other])
