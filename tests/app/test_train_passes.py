"""Whole passes on the Train page: who is offered a cluster, and what is said while a pass is made."""

import json
import os
import time
from typing import Any

import pytest
from app.training import until, wait_for

from lrbn_viz import load_dataset
from lrbn_viz.app.train.blocks import passes_words
from lrbn_viz.app.train.feed import Feed
from lrbn_viz.app.train.frames import FRAME_BYTES, WORDS_BYTES, words_piece
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.app.visitors.runs import VisitorRuns
from lrbn_viz.app.visitors.who import Visitor
from lrbn_viz.cli import build_parser
from lrbn_viz.server import options
from lrbn_viz.server.options import prepare_server
from lrbn_viz.server.visitors.serving import Serving
from lrbn_viz.studies.runs import LaneConfig, RunConfig
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.studies.runs.workers import CLUSTER_VARIABLE, Pass, Passes, Seen, Workers
from lrbn_viz.view.player.wire import unpack

VISITOR = Visitor("visitor-1")


def whole(folder, workers=None, visitor=None) -> TrainState:
    """The state of a form with a small LRBN alone, in whole passes."""
    more: dict[str, Any] = {} if visitor is None else {"visitor": visitor, "limits": Serving().limits}
    state = TrainState(RunRegistry(folder, workers=workers), **more)
    state.choose_preset("small")
    state.edit("budget", "passes")
    for path, text in (
        ("dataset", "digits"), ("1.system", "none"), ("0.n_components", "5"), ("0.schedule", "batch")
    ):  # fmt: skip
        state.edit(path, text)
    assert state.messages == {}
    return state


def paths(state) -> set[str]:
    return {field["path"] for group in FormPanel(state)._written()["groups"] for field in group["fields"]}


@pytest.mark.parametrize("visitor", [None, VISITOR], ids=["at home", "kept apart"])
def test_a_form_offers_a_cluster_for_whole_passes_where_the_server_has_one(tmp_path, visitor):
    offered = whole(tmp_path / "with", Workers("tcp://there:1"), visitor)
    assert "0.where" in paths(offered)
    offered.edit("0.where", "cluster")
    assert offered.messages == {}
    assert offered.config().on_cluster
    offered.edit("0.schedule", "minibatch")
    assert "0.where" not in paths(offered)
    assert not offered.config().on_cluster
    without = whole(tmp_path / "without", None, visitor)
    assert "0.where" not in paths(without)
    without.edit("0.where", "cluster")  # by a message that no page sends
    assert not without.config().on_cluster


def test_nobody_on_a_page_can_name_an_address(tmp_path):
    state = whole(tmp_path, Workers("tcp://there:1"), VISITOR)
    state.edit("0.where", "tcp://other:8786")
    assert "expected one of here, cluster" in state.messages["0.where"]
    config = RunConfig("digits", {"A": LaneConfig("LRBN", {"schedule": "batch"}, "tcp://other:8786")})  # type: ignore[arg-type]  # what a page could send
    with pytest.raises(ValueError, match="where must be one of"):
        config.check()
    fine = RunConfig("digits", {"A": LaneConfig("LRBN", {"schedule": "batch"}, "cluster")})
    with pytest.raises(ValueError, match="This server has no cluster"):
        VisitorRuns(RunRegistry(tmp_path / "none"), VISITOR).start(fine, load_dataset("digits"))


def test_fields_of_steps_by_minibatches_are_not_offered_for_whole_passes(tmp_path):
    state = whole(tmp_path)
    found = paths(state)
    gone = {"0.learning_rate", "0.momentum", "0.decay_steps", "0.weight_decay", "0.nonnegative", "batch_size"}
    assert not found & gone
    assert found >= {"0.ridge", "0.m_visits", "0.m_tolerance", "amount"}
    state.edit("1.system", "RBM")
    assert "expected one schedule for all models of a run" in state.messages["0.schedule"]
    state.edit("0.schedule", "minibatch")
    assert state.messages == {}
    assert paths(state) >= gone


def test_the_board_hears_how_far_a_pass_is_and_that_steps_are_passes(tmp_path):
    state = whole(tmp_path)
    feed, blocks, said = Feed(state), [], []
    state.edit("amount", "400")
    state.start()

    def heard():
        for content in feed.messages():
            if content[:4] == b"LRF1":
                assert len(content) <= FRAME_BYTES
                at = content.find(b'{"status"')
                if at >= 0:
                    said.append(json.JSONDecoder().raw_decode(content[at:].decode("utf-8", "replace"))[0])
            else:
                blocks.append(unpack(content)[0])
            feed.acknowledge(feed._number)
        return any(words.get("passes", {}).get("lanes") for words in said)

    wait_for(heard)
    (block,) = (block for block in blocks if block["kind"] == "run")
    assert block["whole"]
    assert block["lanes"][0]["per_pass"] == 1
    assert state.live is not None
    lane = next(each["passes"]["lanes"][0] for each in said if each.get("passes", {}).get("lanes"))
    assert lane["title"] == "LRBN"
    assert lane["what"] in ("images", "e_step", "m_step")
    assert 0 <= lane["done"] <= lane["of"]
    assert said[-1]["passes"]["workers"] is None, "in this process"
    state.stop()
    until(state, lambda: state.status == "cancelled")
    state.edit("0.m_visits", "3")
    assert state.live.run.config.lanes["LRBN"].settings["m_visits"] == 3
    wait_for(lambda: [feed.messages()] and "passes" not in feed._words())
    state.registry.close()


def test_addresses_of_workers_and_the_dashboard_are_for_whoever_keeps_the_server(tmp_path):
    state = whole(tmp_path)
    state.step()
    until(state, lambda: state.status == "paused")
    live = state.live
    assert live is not None
    run, workers = live.run, Workers("tcp://there:1")
    workers.seen = Seen(("tcp://a:1",), tuple(f"tcp://b:{n}" for n in range(5)), "http://there:8787/status")
    making = Passes(run.lanes["LRBN"], workers, lambda: None, lambda: False)
    making.now = Pass("opening", 0, 0, 0.0, 0.0)
    begun = time.monotonic() - 30.0
    assert Pass("e_step", 3, 9, 0.0, begun, begun).left == pytest.approx(60.0, rel=0.05)
    assert Pass("e_step", 0, 9, 0.0, begun, begun).left is None
    assert Pass("e_step", 3, 9, 0.0, begun, time.monotonic()).left is None
    run.passes = {"LRBN": making}
    home, visitor = (passes_words(run, is_owner) for is_owner in (True, False))
    assert home["link"] == "http://there:8787/status"
    assert home["names"] == ["tcp://b:2", "tcp://b:3", "tcp://b:4"]
    assert (visitor["workers"], visitor["gone"]) == (1, 5)
    assert "tcp://" not in json.dumps(visitor)
    assert "http" not in json.dumps(visitor)
    words = {"status": "running", "error": 900 * "x", "cursor": -1, "carry_on": False, "removed": False}
    assert words_piece({**words, "passes": home}).size <= WORDS_BYTES + 8
    run.passes = {}
    state.registry.close()


def test_the_command_names_the_cluster_and_refuses_what_is_none(monkeypatch):
    monkeypatch.setattr(options, "install", lambda *_, **__: None)
    monkeypatch.setenv(CLUSTER_VARIABLE, "")
    prepare = build_parser().parse_args(["serve", "--cluster", "local:x"])
    with pytest.raises(ValueError, match="expected the address of a Dask scheduler"):
        prepare_server(prepare)
    monkeypatch.setenv(CLUSTER_VARIABLE, "nowhere")
    with pytest.raises(ValueError, match="got 'nowhere'"):
        prepare_server(build_parser().parse_args(["serve"]))
    prepare_server(build_parser().parse_args(["serve", "--cluster"]))
    assert os.environ[CLUSTER_VARIABLE] == "local"
