"""What the training board is sent: one block when it opens, then small frames of what is new.

A frame (see `frames`) carries the newest figures of each lane and as many pieces of pictures (a filter, a
reconstruction, a row of usage) as fit; what does not fit waits its turn.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from lrbn_viz.app.train.blocks import (
    filter_block,
    moment_block,
    passes_words,
    pictures,
    rest_block,
    rows_of,
    run_block,
    stored_moments_of,
)
from lrbn_viz.app.train.frames import KINDS, Head, Piece, frame_of, lane_part, room_beside, words_piece
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.datasets import Dataset
from lrbn_viz.player.tones import filters, shrunk_shape
from lrbn_viz.player.wire import pack
from lrbn_viz.runs import Run, Tick
from lrbn_viz.runs.recording import Probe
from lrbn_viz.runs.registry import LiveRun

UNSEEN = 24
"""Frames sent without an answer from the browser, after which none follows until it answers."""


class Feed:
    """Turns what a page's state hears into messages for one board.

    Parameters
    ----------
    state : TrainState
    """

    def __init__(self, state: TrainState) -> None:
        self.state = state
        self._number = 0
        self.open()

    def open(self) -> None:
        """Begin again: a board has just been drawn."""
        self._known: Any = None
        self._block: Future[bytes] | None = None
        self._shown_moment: Any = None
        self._shown_filter: Any = self.state.filter_past
        self._forget()
        self._seen = self._number
        self._last_words: Any = None

    def _forget(self) -> None:
        self._pieces: deque[Piece] = deque()
        self._probes: dict[str, Probe | None] = {}
        self._rows: dict[str, Probe | None] = {}
        self._ticks: list[Tick] = []
        self._last: dict[str, int] = {}
        self._filter_at: dict[str, int] = {}
        self._round: dict[str, Any] = {}
        self._rates: dict[str, deque[tuple[float, float]]] = {}
        self._fine: tuple[Any, ...] = ()

    def acknowledge(self, number: int) -> None:
        """Take in which frame the browser has seen."""
        self._seen = max(self._seen, min(number, self._number))

    def messages(self) -> list[bytes]:
        """Return what is to be sent now: mostly one frame, or nothing."""
        new = self.state.poll()
        state, live = self.state, self.state.live
        if live is None:
            return self._without_run()
        known = (live.name, live.epoch_id)
        if known != self._known or (new is not None and new.missed):
            self._known = known
            self._forget()
            self._block = live.run.job.call(lambda: self._tell(live))
        if self._block is not None:
            if not self._block.done():
                return []
            block, self._block = self._block.result(), None
            return [block]
        if new is not None:
            self._ticks += new.ticks
        if self._number - self._seen > UNSEEN:
            self._ticks = self._ticks[-2000:]
            return []
        if state.moment is not self._shown_moment:
            self._shown_moment = state.moment
            if state.moment is not None:
                return [moment_block(state.moment, live.run, self._words())]
            self._fine = ()
            self._probes = {}
        if state.filter_past is not self._shown_filter:
            self._shown_filter = state.filter_past
            if state.filter_past is not None:
                return [filter_block(state.filter_past, live.run.dataset.image_shape)]
        frame = self._frame(live.run)
        return [frame] if frame else self._at_rest(live.run)

    def _without_run(self) -> list[bytes]:
        words = self._words()
        if words == self._last_words:
            return []
        self._known, self._last_words = None, words
        return [pack({"kind": "none", **words}, {})]

    def _words(self) -> dict[str, Any]:
        state = self.state
        words = {
            "status": state.status,
            "error": state.error,
            "cursor": state.moment.step if state.moment is not None else -1,
            "carry_on": state.carry_on,
            "removed": state.folder_removed,
        }
        if state.live is not None and state.live.run.passes:
            words["passes"] = passes_words(state.live.run, state.runs.visitor.at_home)
        return words

    def _tell(self, live: LiveRun) -> bytes:
        """Tell all of a run; runs between two of its steps."""
        for key, lane in live.run.lanes.items():
            self._last[key], self._probes[key] = lane.training.step, lane.probe
            self._rows[key] = lane.probe
        # The moment asked for, found or not: else a board drawn meanwhile would not wait for it.
        return run_block(live, {**self._words(), "cursor": self.state.cursor})

    def _at_rest(self, run: Run) -> list[bytes]:
        """Send whole filters once the run stands still."""
        if run.job.status == "running" or self.state.moment is not None:
            return []
        states = tuple(lane.training.state for lane in run.lanes.values())
        if len(states) == len(self._fine) and all(a is b for a, b in zip(states, self._fine, strict=True)):
            return []
        self._fine = states
        return [rest_block(run)]

    # -- frames

    def _frame(self, run: Run) -> bytes:
        """Return the next frame, or nothing where nothing is new."""
        lanes = list(run.lanes.items())
        ticks, self._ticks = self._ticks, []
        fresh = {
            name: [t.event for t in ticks if t.lane == name and t.event.step > self._last.get(name, 0)]
            for name, _ in lanes
        }
        now = time.monotonic()
        body = []
        news = False
        for number, (name, lane) in enumerate(lanes):
            events = fresh[name]
            if events:
                self._last[name] = events[-1].step
                news = True
            values = dict(_means(events))
            if lane.probe is not self._probes.get(name):
                probe = self._probes[name] = lane.probe
                values |= {f"probe_{key}": value for key, value in probe.figures.items()}
                curve = lane.curves.get("gradient_norm")
                if curve is not None and "gradient_norm" not in values and len(curve):
                    values["gradient_norm"] = float(curve.points()[1][-1])
                self._queue_probe(number, probe, run.dataset)
            training = lane.training
            if lane.probe is not self._rows.get(name) and not self._waits("picture", number):
                self._rows[name] = lane.probe
                self._queue("picture", number, rows_of(lane.probe, training.system, run.dataset), run.dataset)
            if (making := run.passes.get(name)) is None:
                rate = self._rate(name, now, training.passes * len(training.X), run.job.status == "running")
            else:
                rate = making.rate
            body.append(lane_part(training.step, training.seconds, rate, stored_moments_of(lane), values))
        words = self._words()
        if words != self._last_words:
            self._last_words = words
            self._pieces.appendleft(words_piece(words))
        room = room_beside(body)
        pieces = list(self._take(room, run)) if self.state.moment is None else list(self._take_words())
        if not (news or pieces):
            return b""
        self._number += 1
        head = Head(self._number, self.state.status, run.progress, run.seconds_left, run.saved_at)
        return frame_of(head, body, pieces)

    def _rate(self, name: str, now: float, images: float, running: bool) -> float:
        """Images a second over the last two seconds."""
        seen = self._rates.setdefault(name, deque())
        if not running:
            seen.clear()
            return 0.0
        seen.append((now, images))
        while len(seen) > 2 and now - seen[0][0] > 2.0:
            seen.popleft()
        span = now - seen[0][0]
        return max(0.0, (images - seen[0][1]) / span) if span > 0.2 else 0.0

    def _queue_probe(self, number: int, probe: Probe, data: Dataset) -> None:
        """Let the pictures of a probe wait for frames with room, in the place of the lane's older ones."""
        kinds = {KINDS.index(kind) for kind in ("reconstruction", "sample", "usage")}
        self._pieces = deque(
            piece for piece in self._pieces if piece.lane != number or piece.kind not in kinds
        )
        found = pictures(probe, data)
        for kind, name in (("usage", "usage"), ("reconstruction", "reconstructions"), ("sample", "samples")):
            self._queue(kind, number, found[name].tobytes(), data)

    def _queue(self, kind: str, number: int, raw: bytes, data: Dataset) -> None:
        """Let the bytes of a lane's pictures wait, behind all others."""
        size = min(data.n_v, 1024)  # so that a large image takes several frames
        for at in range(0, len(raw), size):
            self._pieces.append(Piece(KINDS.index(kind), number, at, raw[at : at + size]))

    def _waits(self, kind: str, number: int) -> bool:
        """Whether a lane's older pictures of a kind wait still: those are shown whole before newer ones."""
        return any((piece.kind, piece.lane) == (KINDS.index(kind), number) for piece in self._pieces)

    def _take_words(self) -> Iterator[Piece]:
        if self._pieces and self._pieces[0].kind == KINDS.index("words"):
            yield self._pieces.popleft()

    def _take(self, room: int, run: Run) -> Iterator[Piece]:
        """Yield pieces that fit: what waits, and filters round-robin."""
        sent = 0
        while self._pieces and self._pieces[0].size <= room and sent < 10:
            piece = self._pieces.popleft()
            room -= piece.size
            sent += 1
            yield piece
        shape = run.dataset.image_shape
        size = 8 + math.prod(shrunk_shape(shape))
        lanes = list(run.lanes.items())
        # Several at a time of each lane: every call costs as much as a filter.
        quota = max(1, min(room // size, 24) // len(lanes))
        turn = 0
        idle = 0
        while room >= size and idle < len(lanes):
            number = (self._number + turn) % len(lanes)
            turn += 1
            name, lane = lanes[number]
            state = lane.training.state
            W, at = lane.training.system.weights(state), self._filter_at.get(name, 0)
            if at == 0 and self._round.get(name) is state:  # all of them are shown as they are
                idle += 1
                continue
            if at == 0:
                self._round[name] = state
            count = min(room // size, quota, W.shape[1] - at)
            content = filters(W, slice(at, at + count), shape, True)
            for index, row in enumerate(content):
                room -= size
                yield Piece(KINDS.index("filter"), number, at + index, row.tobytes())
            self._filter_at[name] = (at + count) % W.shape[1]
            idle = 0
            if turn > 8:
                return


def _means(events: list[Any]) -> Iterator[tuple[str, float]]:
    """Yield the mean of each figure over the steps that belong to one frame."""
    for name in {name for event in events for name in event.metrics}:
        found = [event.metrics[name] for event in events if name in event.metrics]
        found = [value for value in found if not math.isnan(value)]
        if found:
            yield name, sum(found) / len(found)
