"""What is sent of the exact posterior and of other optima, and the search on its thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from lrbn_viz import approximations, exact_posterior, find_basins
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.search import BasinSearch
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import basins_of, lanes_of, words_of
from lrbn_viz.app.shared.texts import text_to_pixels
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.wire import unpack


@pytest.fixture
def session() -> Session:
    return Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits", index=1)


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_the_packed_truth_is_the_engines(session):
    meta, arrays = unpack(pack_trace(lanes_of(session), words_of(session)))
    model, trace = session.models["lrbn-12-digits"], session.traces[0]
    exact = exact_posterior(model, session.x)
    found = approximations(model, session.x, trace.latents(trace.n_visits))
    truth = meta["lanes"][0]["truth"]
    assert (truth["log_evidence"], truth["map_log_joint"]) == (exact.log_evidence, exact.map_log_joint)
    assert truth["approximations"] == [
        {"name": name, "kl": q.kl, "total_variation": q.total_variation, "samples": q.n_samples}
        for name, q in found.items()
    ]
    np.testing.assert_array_equal(np.unpackbits(arrays["0.truth.map"], count=12), exact.map_state)
    for row, q in enumerate([exact, *found.values()]):
        np.testing.assert_array_equal(arrays["0.truth.marginals"][row], q.marginals)
        np.testing.assert_array_equal(arrays["0.truth.covariance"][row], q.covariance.astype(np.float32))
    assert meta["lanes"][1]["truth"] is None
    assert "1.truth.map" not in arrays


def test_the_truth_adds_little_to_a_trace(session):
    session.compare("lrbn-16-digits")
    lanes = lanes_of(session)
    bare = [lane._replace(truth=None) for lane in lanes]
    assert len(pack_trace(lanes)) - len(pack_trace(bare)) < 8000


def test_the_packed_optima_are_the_engines(session):
    assert basins_of(session) == b""
    session.look_for_basins()
    wait_until(lambda: session.basins_in() is not None)
    model, rival = session.models["lrbn-12-digits"], session.traces[1]
    starts = {"rbm": rival.latents(rival.n_visits)}
    expected = find_basins(model, session.x, 1000, starts=starts)
    meta, arrays = unpack(basins_of(session))
    assert meta["question"] == session.question
    named = ["conditional at h = 0", "the paper's equation 11", "all units off", "all units on"]
    assert list(meta["kinds"]) == ["0"]
    assert meta["kinds"]["0"][:5] == [*named, "the RBM's MAP state"]
    assert len(expected) > 3
    np.testing.assert_array_equal(np.unpackbits(arrays["0.H"], axis=1, count=len(expected)).T, expected.H)
    for name in ("log_joint", "counts", "counts_by_kind"):
        np.testing.assert_array_equal(arrays[f"0.{name}"], getattr(expected, name))
    ends = [model.map_trace(session.x, init=h) for h in expected.starts]
    assert arrays["0.wrong"].tolist() == [int(trace.wrong_pixels()[-1]) for trace in ends]


def test_optima_of_two_hundred_latents_take_little_room_and_belong_to_their_image():
    session = Session()
    session.look_for_basins()
    wait_until(lambda: session.basins_in() is not None)
    found = session.basins_in()
    assert found is not None
    assert found.n_starts == 500
    assert len(basins_of(session)) < 35_000
    session.index = 1
    assert session.basins_in() is None
    assert basins_of(session) == b""


def test_climbing_from_a_start_shows_the_optimum_that_it_leads_to(session):
    session.param.update(algorithm="gibbs", clamp="3on", cursor=4)
    session.look_for_basins()
    wait_until(lambda: session.basins_in() is not None)
    found = session.basins_in()
    assert found is not None
    for row in (0, len(found) - 1):
        session.climb_from(found.starts[row])
        trace = session.traces[0]
        np.testing.assert_array_equal(trace.h0, found.starts[row])
        np.testing.assert_array_equal(trace.latents(trace.n_visits), found.H[row])
        assert (session.algorithm, session.start, session.clamp) == ("icm", "last", "")
        np.testing.assert_array_equal(text_to_pixels(session.start_state, 12), found.starts[row])
        assert session.cursor == session.n_visits


def test_the_page_gets_the_optima_it_asks_for_and_only_those_of_its_image(session):
    panel = ReplayPanel(session)
    say = panel.player._handle_msg
    say({"type": "basins", "key": "another image", "lane": 0})
    assert not session.search.busy
    assert session.basins_in() is None
    session.look_for_basins()
    wait_until(lambda: not session.search.busy)
    say({"type": "basins", "key": session.question, "lane": 0})
    assert panel.player.basins == basins_of(session) != b""
    found = session.basins_in()
    assert found is not None
    for message in (
        {"type": "climb", "key": session.question, "row": len(found), "lane": 0},
        {"type": "climb", "key": session.question, "row": -1, "lane": 0},
        {"type": "climb", "key": session.question, "row": 0, "lane": 1},
        {"type": "climb", "key": session.question, "row": 0, "lane": 2},
        {"type": "climb", "key": session.question, "row": "0", "lane": 0},
        {"type": "climb", "key": "another image", "row": 0, "lane": 0},
        {"type": "compare", "model": "rbm-12-digit"},
        {"type": "compare", "model": "none"},
        {"type": "compare"},
        "climb",
    ):
        say(message)
    assert (session.start_of(0), session.model_name) == ("conditional", "lrbn-12-digits")
    say({"type": "climb", "key": session.question, "row": 1, "lane": 0})
    np.testing.assert_array_equal(session.traces[0].latents(session.n_visits), found.H[1])
    say({"type": "compare", "model": "lrbn-16-digits"})
    assert (session.model_name, session.rival_name) == ("lrbn-16-digits", "rbm-16-digits")


def test_both_lanes_have_their_truth_and_optima(session):
    """Two LRBNs: each lane's posterior, optima and climb are its own."""
    session.choose_in(1, "model", "lrbn-16-digits")
    lanes = lanes_of(session)
    models = [model for _, model in session.lanes]
    for lane, model, trace in zip(lanes, models, session.traces, strict=True):
        exact = exact_posterior(model, session.x)
        assert lane.truth is not None
        assert lane.truth.posterior.map_log_joint == lane.optimum == exact.map_log_joint
        np.testing.assert_array_equal(lane.truth.posterior.marginals, exact.marginals)
        assert lane.truth.approximations["state"].marginals.tolist() == trace.latents(trace.n_visits).tolist()
    meta, arrays = unpack(pack_trace(lanes, words_of(session)))
    assert [entry["n_h"] for entry in meta["lanes"]] == [12, 16]
    assert (
        np.unpackbits(arrays["1.truth.map"]).tolist()
        == exact_posterior(models[1], session.x).map_state.tolist()
    )
    for lane in (1, 0):
        session.look_for_basins(lane)
        wait_until(lambda lane=lane: session.basins_in(lane) is not None)
        assert list(unpack(basins_of(session))[0]["kinds"]) == (["1"] if lane else ["0", "1"])
    for lane, model in enumerate(models):
        expected, found = find_basins(model, session.x, 1000), session.basins_in(lane)
        assert found is not None
        np.testing.assert_array_equal(found.H, expected.H)
        row = len(found) - 1
        before = session.traces[1 - lane]
        session.climb_from(found.starts[row], lane)
        trace = session.traces[lane]
        np.testing.assert_array_equal(trace.latents(trace.n_visits), found.H[row])
        np.testing.assert_array_equal(session.traces[1 - lane].after, before.after)


def test_of_many_questions_the_newest_is_answered_next_and_the_thread_ends(session):
    basins = find_basins(session.models[session.model_name], session.x, 10)
    search, gate, asked = BasinSearch(remembered=2), threading.Event(), []

    def find(name: str):
        def look():
            asked.append(name)
            gate.wait(20)
            return basins

        return look

    for name in "abcd":
        search.ask(name, find(name))
        wait_until(lambda: bool(asked))
    assert search.busy
    gate.set()
    wait_until(lambda: not search.busy)
    assert asked == ["a", "d"], "b and c were overtaken while the thread was at a"
    assert search.known("d") is search.known("a") is basins
    assert search.known("b") is None
    search.ask("a", find("a"))
    assert asked == ["a", "d"], "what is known is not looked for again"
    search.ask("e", find("e"))
    wait_until(lambda: not search.busy)
    assert search.known("d") is None, "the answer that was asked for longest ago makes room"
    assert search.known("a") is basins
    wait_until(lambda: "basins" not in [thread.name for thread in threading.enumerate()])


def test_a_search_that_fails_is_logged_and_leaves_the_next_one_free(session, caplog):
    search = BasinSearch()

    def fail():
        raise MemoryError

    search.ask("a", fail)
    wait_until(lambda: bool(caplog.records) and not search.busy)
    assert "MemoryError" in caplog.text
    assert search.known("a") is None
    basins = find_basins(session.models[session.model_name], session.x, 10)
    search.ask("a", lambda: basins)
    wait_until(lambda: search.known("a") is basins)
