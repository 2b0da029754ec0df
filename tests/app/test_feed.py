"""What the training board is told: small frames, in order, that together show everything."""

import json
import re
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from app.training import training_state, wait_for

from lrbn_viz.app.train.blocks import rows_of
from lrbn_viz.app.train.feed import MAX_UNACKNOWLEDGED, Feed
from lrbn_viz.app.train.form import SEEN
from lrbn_viz.app.train.frames import (
    FIGURES,
    FRAME_BYTES,
    KINDS,
    STATUSES,
    words_piece,
)
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.core.system import N_SHOWN
from lrbn_viz.datasets import load_dataset
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.training import race
from lrbn_viz.view import board
from lrbn_viz.view.player.greyscale import filters, shrink, shrunk_shape, tones
from lrbn_viz.view.player.wire import unpack


class Frame(NamedTuple):
    number: int
    status: str
    progress: float
    lanes: list[dict[str, Any]]
    pieces: list[tuple[str, int, int, bytes]]


def read(raw: bytes) -> Frame:
    """Read a frame as the module's text describes it."""
    magic, number, status, n_lanes, n_pieces, progress, _left, _saved = struct.unpack_from("<4sIBBHffd", raw)
    assert magic == b"LRF1"
    at = struct.calcsize("<4sIBBHffd")
    lanes = []
    for _ in range(n_lanes):
        step, seconds, rate, _every, kept, _until, _mb, count = struct.unpack_from("<IffIIIfB", raw, at)
        at += struct.calcsize("<IffIIIfB")
        values = {}
        for _ in range(count):
            figure, value = struct.unpack_from("<Bf", raw, at)
            values[FIGURES[figure]] = value
            at += 5
        lanes.append({"step": step, "seconds": seconds, "rate": rate, "kept": kept, "values": values})
    pieces = []
    for _ in range(n_pieces):
        kind, lane, index, length = struct.unpack_from("<BBIH", raw, at)
        at += 8
        pieces.append((KINDS[kind], lane, index, raw[at : at + length]))
        at += length
    assert at == len(raw)
    return Frame(number, STATUSES[status], progress, lanes, pieces)


@pytest.fixture
def state(tmp_path) -> Iterator[TrainState]:
    with training_state(tmp_path, 0.2, 40) as made:
        yield made


class Board:
    """Takes in what a feed sends, as a browser would."""

    def __init__(self, state: TrainState) -> None:
        self.feed, self.blocks, self.frames = Feed(state), [], []

    def listen(self, condition, seconds: float = 240.0, answer: bool = True) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "waited too long"
            self.take(answer)
            time.sleep(0.01)

    def take(self, answer: bool = True) -> None:
        """Take in what the feed sends now."""
        for raw in self.feed.messages():
            if raw[:4] == b"LRF1":
                assert len(raw) <= FRAME_BYTES
                self.frames.append(read(raw))
                if answer:
                    self.feed.acknowledge(self.frames[-1].number)
            else:
                self.blocks.append(unpack(raw))

    def kinds(self) -> list[str]:
        return [meta["kind"] for meta, _ in self.blocks]


def of_kind(board: Board, kind: str, part: str) -> list[list[dict[str, Any]]]:
    """Return what the blocks of a kind say of the lanes, where a part of the first lane is new."""
    return [
        meta["lanes"]
        for meta, _ in board.blocks
        if meta["kind"] == kind and part in meta["lanes"][0]["steps"]
    ]


def newest_step(board: Board, part: str) -> int | None:
    """Return the step that the newest picture of a part shows; None before the first."""
    told = of_kind(board, "pictures", part)
    return told[-1][0]["steps"][part] if told else None


def test_before_a_run_there_is_one_word_and_then_silence(state):
    board = Board(state)
    board.listen(lambda: board.blocks)
    assert board.kinds() == ["none"]
    assert board.feed.messages() == []


def test_the_page_says_what_both_models_see_as_the_budget_of_the_form_has_it(state):
    def said() -> str:
        [block] = Feed(state).messages()
        return unpack(block)[0]["seen"]

    for name, preset in PRESETS.items():
        state.choose_preset(name)
        assert said() == SEEN["seconds" if "max_seconds" in preset.run else "passes"], name
    feed = Feed(state)
    assert len(feed.messages()) == 1
    state.edit("budget", "seconds" if state.form.budget == "passes" else "passes")
    [block] = feed.messages()
    assert unpack(block)[0]["seen"] == SEEN[state.form.budget]
    state.edit("1.system", "none")
    assert said() == "", "one model has none beside it"


@pytest.mark.parametrize("by", ["passes", "seconds"])
def test_models_see_what_the_page_says_that_they_see(tmp_path, by):
    lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 8}), "RBM": LaneConfig("RBM", {"n_components": 8})}
    most: dict[str, Any] = {"n_iter": 1} if by == "passes" else {"n_iter": 10**6, "max_seconds": 0.05}
    run = Run(
        RunConfig("digits", lanes, batch_size=100, level_by=by, **most), load_dataset("digits"), tmp_path
    )
    order: dict[str, list[list[int]]] = {name: [] for name in lanes}
    race_by = {name: lane.training for name, lane in run.lanes.items()}
    for name, _, _ in race(race_by, by=by):
        order[name].append(race_by[name].rows.tolist())
    short, long = sorted(order.values(), key=len)
    assert long[: len(short)] == short, "the order is the same"
    if by == "passes":
        assert "both models see the same minibatches" in SEEN[by]
        assert len(long) == len(short)
    else:
        assert "each model takes steps for as long as the other" in SEEN[by]
        assert all(training.seconds >= 0.05 for training in race_by.values())


def test_documents_say_that_models_see_the_same_minibatches_of_a_budget_in_epochs_only():
    root = Path(__file__).parents[2]
    texts = [
        *(root / "docs").glob("*.md"),
        *(root / "lrbn_viz/view/lessons").glob("*.md"),
        root / "README.md",
    ]
    scripts = [
        path
        for folder in ("app/train", "view/board", "view/live")
        for path in (root / "lrbn_viz" / folder).rglob("*.[jp][sy]")
    ]
    for path in [*texts, *scripts]:
        text = " ".join(path.read_text(encoding="utf-8").split())
        for sentence in re.split(r"(?<=[.;])\s", text):
            assert "same minibatches" not in sentence or "epochs" in sentence, (path.name, sentence)


def test_frames_are_small_in_order_and_bring_every_filter_picture_and_figure(state):
    board = Board(state)
    state.edit("amount", "100000")
    state.start()
    board.listen(lambda: len(board.frames) > 60 and len(of_kind(board, "pictures", "probe")) > 3)
    assert [kind for kind in board.kinds() if kind != "pictures"][-1] == "run"
    numbers = [frame.number for frame in board.frames]
    assert numbers == list(range(1, len(numbers) + 1))
    for lane in (0, 1):
        steps = [frame.lanes[lane]["step"] for frame in board.frames]
        assert steps == sorted(steps)
        assert steps[-1] > steps[0]
    shown = {(kind, lane, index) for frame in board.frames for kind, lane, index, _ in frame.pieces}
    assert {index for kind, lane, index in shown if (kind, lane) == ("filter", 0)} == set(range(40))
    assert {index for kind, lane, index in shown if (kind, lane) == ("filter", 1)} == set(range(12))
    probed = {figure for lanes in of_kind(board, "pictures", "probe") for figure in lanes[0]["figures"]}
    assert {"probe_wrong_pixels", "probe_wrong_pixels_factorised", "probe_dead_units"} <= probed
    told = {name for frame in board.frames for name in frame.lanes[0]["values"]}
    assert {"log_joint", "flips", "sweeps"} <= told
    assert "gradient_norm" in told | probed
    assert "log_joint" not in {name for frame in board.frames for name in frame.lanes[1]["values"]}


def test_rows_of_pictures_arrive_whole_and_are_those_of_the_model_at_rest(state):
    state.edit("0.system", "RWS")
    state.edit("amount", "100000")
    board = Board(state)
    state.start()
    board.listen(lambda: len(of_kind(board, "pictures", "glance")) > 2)
    state.pause()
    assert state.live is not None
    lane = state.live.run.lanes["RWS"]
    size = N_SHOWN * (64 + 4)

    def whole() -> bool:
        wanted = rows_of(lane.probe, lane.training.system, state.live.run.dataset)
        return state.status == "paused" and newest_rows(board) == wanted

    board.listen(whole)
    shown = newest_rows(board)
    assert len(shown) == 3 * size
    meta = next(meta for meta, _ in board.blocks if meta["kind"] == "run")
    assert [row["title"] for row in meta["lanes"][0]["rows"]] == ["particles", "dreams", "recognised"]
    assert [row["title"] for row in meta["lanes"][1]["rows"]] == ["chains"]
    numbers = np.frombuffer(bytes(shown[:size]), "<f4", N_SHOWN, N_SHOWN * 64)
    assert np.isnan(numbers[0])
    assert numbers[1:6].sum() == pytest.approx(1.0, abs=1e-5)


def newest_rows(board: Board) -> bytes:
    """Return the first lane's rows as a board has them."""
    return [arrays["0.rows"] for _, arrays in board.blocks if "0.rows" in arrays][-1].tobytes()


def test_each_picture_comes_whole_as_soon_as_it_is_made_with_the_minibatch_that_it_is_of(state):
    board = Board(state)
    state.step()
    board.listen(lambda: state.status == "paused" and board.kinds()[-1] == "rest")
    live = state.live
    assert live is not None
    lane = live.run.lanes["LRBN"]
    for _ in range(2):
        known = len(board.blocks)
        live.run.advance(2)
        board.listen(lambda: live.run.job.status == "paused")
        live.run.job.call(lane.peek).result()  # makes nothing if the pause was long enough for a picture
        board.take()
        told = [each for each in board.blocks[known:] if each[0]["kind"] == "pictures"]
        meta, arrays = [each for each in told if "glance" in each[0]["lanes"][0]["steps"]][-1]
        assert meta["lanes"][0]["steps"]["glance"] == lane.training.step
        np.testing.assert_array_equal(
            arrays["0.reconstructions"], tones(lane.glance.reconstructions, live.run.dataset)
        )
        board.listen(lambda: lane.probe.step == lane.training.step)
        board.listen(lambda: newest_step(board, "probe") == lane.probe.step)


def test_filters_that_do_not_fit_frames_in_time_come_all_at_once_once_a_second(state, monkeypatch):
    clock = [100.0]
    monkeypatch.setattr("lrbn_viz.app.train.feed.time.monotonic", lambda: clock[0])
    state.edit("0.n_components", "400")
    state.edit("amount", "100000")
    board = Board(state)
    state.start()
    board.listen(lambda: board.frames and any(kind == "filter" for kind, *_ in board.frames[-1].pieces))
    state.pause()
    board.listen(lambda: state.status == "paused")
    live = state.live
    assert live is not None
    feed = Feed(state)
    while not feed.messages():
        time.sleep(0.005)
    sent: list[tuple[float, int]] = []
    for _ in range(60):
        clock[0] += 0.1
        live.run.advance(1)
        while live.run.job.status == "running":
            time.sleep(0.001)
        for raw in feed.messages():
            if raw[:4] == b"LRF1":
                feed.acknowledge(2**31)
                continue
            meta, arrays = unpack(raw)
            if "0.filters" in arrays and meta["kind"] == "pictures":
                sent.append((clock[0], meta["lanes"][0]["steps"]["filters"]))
                assert len(arrays["0.filters"]) == 400
    moments = [at for at, _ in sent]
    assert len(sent) >= 3
    assert max(np.diff(moments)) <= 1.2
    assert [step for _, step in sent] == sorted({step for _, step in sent})


def test_a_board_that_nobody_sees_asks_for_no_look_and_gets_a_frame_a_second(state):
    board = Board(state)
    state.edit("amount", "100000")
    state.step()
    board.listen(lambda: state.status == "paused" and board.kinds()[-1] == "rest")
    live = state.live
    assert live is not None
    live.run.pace.seen_until = 0.0
    board.feed.in_sight = False
    for _ in range(5):
        board.feed.messages()
    assert live.run.pace.seen_until == 0.0
    board.feed.in_sight = True
    board.feed.messages()
    assert live.run.pace.seen_until > 0.0


def test_the_last_frame_after_a_pause_shows_the_models_as_they_are(state):
    board = Board(state)
    state.step()
    board.listen(lambda: state.status == "paused" and board.kinds()[-1] == "rest")
    assert state.live is not None
    meta, arrays = board.blocks[-1]
    for number, lane in enumerate(state.live.run.lanes.values()):
        W = lane.training.system.weights(lane.training.state).T
        shown = arrays[f"{number}.filters"].astype(float)
        np.testing.assert_allclose(
            shown / 127, W / np.abs(W).max(axis=1, keepdims=True), atol=0.5 / 127 + 1e-6
        )
    first = state.live.run.lanes["LRBN"].training
    assert meta["rows"] == first.rows.tolist()
    np.testing.assert_array_equal(arrays["minibatch"], 255 * first.X[first.rows])
    board.listen(lambda: state.live.run.lanes["RBM"].probe.step == 1)
    quiet = [board.feed.messages() for _ in range(50)][-5:]
    assert quiet == [[]] * 5, "at rest nothing is sent"


@pytest.mark.parametrize("error", ["", "Training stopped: 1 / 0", 300 * "Größe 12 × 9, ", 40 * "\U0001f600"])
def test_words_of_any_length_arrive_whole_or_are_told_as_far_as_they_fit(error):
    piece = words_piece({"status": "failed", "error": error, "cursor": -1, "carry_on": False})
    assert len(piece.content) <= 900
    told = json.loads(piece.content)["error"]
    assert told == error or (told[-1] == "…" and error.startswith(told[:-1]) and len(told) > 20)


def test_a_browser_that_does_not_answer_is_not_flooded(state):
    board = Board(state)
    state.edit("amount", "100000")
    state.start()
    board.listen(lambda: len(board.frames) > MAX_UNACKNOWLEDGED, answer=False)
    count = len(board.frames)
    run = state.live.run
    step = run.step

    def goes_on() -> bool:
        assert board.feed.messages() == []
        return run.step > step + 20

    wait_for(goes_on)
    before = board.frames[-1].lanes[0]["step"]
    board.feed.acknowledge(board.frames[-1].number)
    board.listen(lambda: len(board.frames) > count)
    assert board.frames[count].lanes[0]["step"] > before
    assert "log_joint" in board.frames[count].lanes[0]["values"], (
        "what happened meanwhile is in the next frame"
    )


def test_a_board_drawn_anew_and_a_branch_are_told_everything_again(state):
    board = Board(state)
    state.edit("amount", "1")
    state.start()
    board.listen(lambda: state.status == "done" and not board.feed.messages())
    assert board.kinds().count("run") == 1
    board.feed.open()
    board.listen(lambda: board.kinds().count("run") == 2)
    meta, arrays = board.blocks[[i for i, kind in enumerate(board.kinds()) if kind == "run"][-1]]
    assert meta["lanes"][0]["step"] == 62
    x, y = arrays["0.log_joint"]
    assert x[-1] == 62
    assert np.isfinite(y).all()
    state.look(20)
    board.listen(lambda: "moment" in board.kinds())
    state.branch()
    board.listen(lambda: board.kinds().count("run") == 3)
    meta, arrays = board.blocks[[i for i, kind in enumerate(board.kinds()) if kind == "run"][-1]]
    assert meta["lanes"][0]["step"] == 20
    assert arrays["0.log_joint"][0].max() <= 20
    assert (meta["parent"]["step"], meta["parent"]["error"]) == (20, "")
    x, y = arrays["0.parent.log_joint"]
    assert x[0] == 20, "it begins where the branch left it"
    assert x[-1] == 62
    assert np.isfinite(y).all()
    state.look(10)
    board.listen(lambda: board.kinds()[-1] == "moment")
    assert board.blocks[-1][0]["lanes"][0]["seconds"] < meta["lanes"][0]["seconds"]
    state.go_back(10)
    board.listen(lambda: board.kinds().count("run") == 4)
    meta, arrays = board.blocks[[i for i, kind in enumerate(board.kinds()) if kind == "run"][-1]]
    assert meta["lanes"][0]["step"] == meta["parent"]["step"] == 10
    assert arrays["0.parent.log_joint"][0][0] == 10


def test_a_board_drawn_while_a_moment_is_looked_for_waits_for_it(state):
    board = Board(state)
    state.edit("amount", "1")
    state.start()
    board.listen(lambda: state.status == "done" and not board.feed.messages())
    held = threading.Event()
    state.registry.ask(held.wait)  # what looks for moments has other work
    state.look(20)
    board.feed.open()
    board.listen(lambda: board.kinds().count("run") == 2)
    assert state.moment is None
    assert board.blocks[-1][0]["words"]["cursor"] == 20
    held.set()
    board.listen(lambda: board.kinds()[-1] == "moment")
    assert board.blocks[-1][0]["step"] == 20


@pytest.mark.parametrize("shape", [(8, 8), (28, 28), (16, 8), (33, 20), (1, 2)])
def test_shrunk_filters_are_means_and_small(shape):
    rows, columns = shrunk_shape(shape)
    assert max(rows, columns) <= 16
    images = np.ones((3, shape[0] * shape[1]))
    small = shrink(images, shape)
    assert small.shape == (3, rows * columns)
    if max(shape) <= 16:
        np.testing.assert_array_equal(small, images)
    assert small[0, 0] == 1.0


def test_a_filter_that_is_not_finite_or_zero_is_drawn_as_nothing():
    W = np.zeros((4, 2))
    W[:, 1] = np.nan
    assert not filters(W, slice(None), (2, 2), True).any()


def test_every_figure_that_a_chart_draws_is_sent():
    charts = (Path(board.__file__).parent / "js" / "charts.js").read_text(encoding="utf-8")
    listed = charts.partition("export const CHARTS = [")[2].partition("\n];")[0]
    series = " ".join(re.findall(r"series: (\[\[.*?\]\])[,}]", listed))
    drawn = set(re.findall(r'"([a-z_]+)"', series))
    assert {"log_joint", "stage", "near_zero", "validation_upper_layer_gap", "upper_activity"} <= drawn
    assert drawn - set(FIGURES) == set()
