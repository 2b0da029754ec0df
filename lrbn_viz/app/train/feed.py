"""Messages to the training board: one block when it opens, then small frames of new data.

A frame (see `frames`) carries the newest figures of each lane and as many filters as fit, in turn. Pictures
go in a block of their own as soon as they are made; so do all filters where their turn would come too late.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

from lrbn_viz.app.train.blocks import (
    LanePictures,
    filter_block,
    moment_block,
    passes_words,
    pictures_block,
    rest_block,
    run_block,
    stored_moments_of,
)
from lrbn_viz.app.train.form import seen_in_words
from lrbn_viz.app.train.frames import KINDS, Head, Piece, frame_of, lane_part, room_beside, words_piece
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs import Run, Tick
from lrbn_viz.studies.runs.recording import Glance, LaneRecord, Probe
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.view.player.greyscale import filters, shrunk_shape
from lrbn_viz.view.player.wire import pack

MAX_UNACKNOWLEDGED = 24
"""Largest number of frames without an acknowledgement; then none is sent until the browser answers."""
ROUND_SECONDS = 1.0
"""Seconds within which frames send each filter once; if that is impossible, all are sent in one block."""
HIDDEN_SECONDS = 1.0
"""Seconds between two frames to a hidden page."""


class Feed:
    """Converts the events of a page's state into messages for one board.

    Parameters
    ----------
    state : TrainState

    Attributes
    ----------
    in_sight : bool
        True if the board is visible: its tab is not hidden. Else no pictures are computed for it.
    """

    def __init__(self, state: TrainState) -> None:
        self.state = state
        self.in_sight = True
        self._number = 0
        self._framed = -math.inf  # when the last frame was sent
        self.open()

    def open(self) -> None:
        """Restart the feed for a board that has just been drawn."""
        self._known: Any = None
        self._block: Future[bytes] | None = None
        self._shown_moment: Any = None
        self._shown_filter: Any = self.state.filter_past
        self._forget()
        self._seen = self._number
        self._last_words: Any = None

    def _forget(self) -> None:
        self._pieces: deque[Piece] = deque()
        self._glances: dict[str, Glance] = {}
        self._probes: dict[str, Probe] = {}
        self._ticks: list[Tick] = []
        self._last: dict[str, int] = {}
        self._filter_at: dict[str, int] = {}
        self._round: dict[str, Any] = {}  # the state whose filters were last sent, and since when, by lane
        self._round_began: dict[str, float] = {}
        self._at_once: set[str] = set()  # lanes with too many filters for frames
        self._rates: dict[str, deque[tuple[float, float]]] = {}
        self._fine: tuple[Any, ...] = ()

    def acknowledge(self, number: int) -> None:
        """Record the last frame that the browser received."""
        self._seen = max(self._seen, min(number, self._number))

    def messages(self) -> list[bytes]:
        """Return the messages to be sent now: mostly one frame or none."""
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
        if self.in_sight and state.moment is None:
            live.run.pace.see()
        if not self.in_sight and time.monotonic() - self._framed < HIDDEN_SECONDS:
            return []
        if self._number - self._seen > MAX_UNACKNOWLEDGED:
            self._ticks = self._ticks[-2000:]
            return []
        if state.moment is not self._shown_moment:
            self._shown_moment = state.moment
            if state.moment is not None:
                return [moment_block(state.moment, live.run, self._words())]
            self._fine = ()
            self._glances, self._probes = {}, {}
        if state.filter_past is not self._shown_filter:
            self._shown_filter = state.filter_past
            if state.filter_past is not None:
                return [filter_block(state.filter_past, live.run.dataset.image_shape)]
        new_pictures = self._pictures(live.run)
        frame = self._frame(live.run)
        if frame:
            self._framed = time.monotonic()
        return new_pictures + ([frame] if frame else self._at_rest(live.run))

    def _without_run(self) -> list[bytes]:
        words = {**self._words(), "seen": seen_in_words(self.state.form)}
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
            words["passes"] = passes_words(state.live.run, state.runs.visitor.is_owner)
        return words

    def _tell(self, live: LiveRun) -> bytes:
        """Return a block with the whole run; runs between two of its steps."""
        for key, lane in live.run.lanes.items():
            self._last[key], self._probes[key], self._glances[key] = (
                lane.training.step,
                lane.probe,
                lane.glance,
            )
        # The requested moment even if it is not loaded, so that a new board waits for it.
        return run_block(live, {**self._words(), "cursor": self.state.cursor})

    def _at_rest(self, run: Run) -> list[bytes]:
        """Send whole filters when the run is paused."""
        if run.job.status == "running" or self.state.moment is not None:
            return []
        states = tuple(lane.training.state for lane in run.lanes.values())
        if len(states) == len(self._fine) and all(a is b for a, b in zip(states, self._fine, strict=True)):
            return []
        self._fine = states
        for name, state in zip(run.lanes, states, strict=True):  # whole filters replace reduced ones
            self._filter_at[name], self._round[name] = 0, state
        return [rest_block(run)]

    # -- frames

    def _frame(self, run: Run) -> bytes:
        """Return the next frame; empty if there are no new data."""
        lanes = list(run.lanes.items())
        ticks, self._ticks = self._ticks, []
        fresh = {
            name: [t.event for t in ticks if t.lane == name and t.event.step > self._last.get(name, 0)]
            for name, _ in lanes
        }
        now = time.monotonic()
        body = []
        news = False
        for name, lane in lanes:
            events = fresh[name]
            if events:
                self._last[name] = events[-1].step
                news = True
            values = dict(_means(events))
            training = lane.training
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
        """Images per second over the last two seconds."""
        seen = self._rates.setdefault(name, deque())
        if not running:
            seen.clear()
            return 0.0
        seen.append((now, images))
        while len(seen) > 2 and now - seen[0][0] > 2.0:
            seen.popleft()
        span = now - seen[0][0]
        return max(0.0, (images - seen[0][1]) / span) if span > 0.2 else 0.0

    def _pictures(self, run: Run) -> list[bytes]:
        """Return a block with the new pictures, if there are any."""
        if self.state.moment is not None or not self.in_sight:
            return []
        now = time.monotonic()
        new = [self._new_pictures(name, lane, run, now) for name, lane in run.lanes.items()]
        some = any(not (each.glance is each.probe is each.filters is None) for each in new)
        return [pictures_block(run, new)] if some else []

    def _new_pictures(self, name: str, lane: LaneRecord, run: Run, now: float) -> LanePictures:
        glance, probe = lane.glance, lane.probe
        figures: dict[str, float] = {}
        if probe is not self._probes.get(name):
            figures = {f"probe_{key}": value for key, value in probe.figures.items()}
            curve = lane.curves.get("gradient_norm")
            if curve is not None and len(curve):
                # Systems that measure it with the probe send it here; others sent it with a frame before.
                figures["gradient_norm"] = float(curve.points()[1][-1])
        step, state = lane.training.step, lane.training.state  # in this order, so that the state is not older
        late = self._filter_at.get(name, 0) != 0 or name in self._at_once
        late = late and now - self._round_began.get(name, now) > ROUND_SECONDS
        shown = None
        if late and not (name in self._at_once and self._round.get(name) is state):
            self._at_once.add(name)
            self._filter_at[name], self._round[name], self._round_began[name] = 0, state, now
            shown = filters(lane.training.system.weights(state), slice(None), run.dataset.image_shape, True)
        found = LanePictures(
            glance if glance is not self._glances.get(name) else None,
            probe if probe is not self._probes.get(name) else None,
            figures,
            shown,
            step,
        )
        self._glances[name], self._probes[name] = glance, probe
        return found

    def _take_words(self) -> Iterator[Piece]:
        if self._pieces and self._pieces[0].kind == KINDS.index("words"):
            yield self._pieces.popleft()

    def _take(self, room: int, run: Run) -> Iterator[Piece]:
        """Yield pieces that fit into the frame: words, and filters in turn."""
        sent = 0
        while self._pieces and self._pieces[0].size <= room and sent < 10:
            piece = self._pieces.popleft()
            room -= piece.size
            sent += 1
            yield piece
        shape = run.dataset.image_shape
        size = 8 + math.prod(shrunk_shape(shape))
        lanes = [
            (number, name, lane)
            for number, (name, lane) in enumerate(run.lanes.items())
            if name not in self._at_once
        ]
        if not lanes or not self.in_sight:
            return
        # Several filters of a lane at a time, as a call costs as much as a filter.
        quota = max(1, min(room // size, 24) // len(lanes))
        turn = 0
        idle = 0
        while room >= size and idle < len(lanes):
            number, name, lane = lanes[(self._number + turn) % len(lanes)]
            turn += 1
            state = lane.training.state
            W, at = lane.training.system.weights(state), self._filter_at.get(name, 0)
            if at == 0 and self._round.get(name) is state:  # all of them are shown
                idle += 1
                continue
            if at == 0:
                self._round[name], self._round_began[name] = state, time.monotonic()
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
