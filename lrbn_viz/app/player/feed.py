"""What the training board is told: one block when it opens, then small frames of what is new.

A frame is at most `FRAME_BYTES` long. It carries the newest figures of each lane and as many pieces of
pictures (a filter, a reconstruction, a row of usage) as fit; what does not fit waits its turn. The layout is
read by ``ring.js``.

Frame, little-endian: ``"LRF1" | number u32 | status u8 | lanes u8 | pieces u16 | progress f32 | seconds left
f32 | saved at f64``; for each lane ``step u32 | seconds f32 | images per second f32 | kept every u32 | kept
u32 | kept until u32 | kept MB f32 | values u8``, each value ``figure u8 | f32``; for each piece ``kind u8 |
lane u8 | index u32 | length u16 | bytes``; the index is a filter's number, or where in its array the bytes
begin.
"""

from __future__ import annotations

import json
import math
import struct
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.draft import text_of
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.player.tones import TONES, filters, shrunk_shape, tones, weights
from lrbn_viz.app.studio import Studio
from lrbn_viz.datasets import Dataset
from lrbn_viz.recording import LaneRecord, Probe
from lrbn_viz.runs import Run, Tick

FRAME_BYTES = 1800
"""Of one frame; with the message around it below 2 kB."""
POINTS_SENT = 512
"""Points of each curve in a block."""
MINIBATCH_SHOWN = 40
"""Images of the last minibatch that are shown while a run is paused."""
UNSEEN = 24
"""Frames sent without an answer from the browser, after which none follows until it answers."""

FIGURES = (
    "log_joint",
    "validation_score",
    "probe_wrong_pixels",
    "probe_wrong_pixels_factorised",
    "gradient_norm",
    "probe_dead_units",
    "flips",
    "sweeps",
    "units_on",
    "activity",
    "fantasy_activity",
    "seconds",
)
STATUSES = ("none", "loading", "new", "running", "paused", "done", "failed", "cancelled")
KINDS = ("filter", "reconstruction", "sample", "usage", "words")


class _Piece(NamedTuple):
    kind: int
    lane: int
    index: int
    content: bytes


class Feed:
    """Turns what a studio hears into messages for one board.

    Parameters
    ----------
    studio : Studio
    """

    def __init__(self, studio: Studio) -> None:
        self.studio = studio
        self._number = 0
        self._seen = 0
        self._told: Any = None
        self.open()

    def open(self) -> None:
        """Begin anew: a board has just been drawn."""
        self._known: Any = None
        self._block: Future[bytes] | None = None
        self._shown_moment: Any = None
        self._forget()
        self._seen = self._number
        self._told = None

    def _forget(self) -> None:
        self._pieces: deque[_Piece] = deque()
        self._probes: dict[str, Probe | None] = {}
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
        heard = self.studio.poll()
        studio, live = self.studio, self.studio.live
        if live is None:
            return self._without_run()
        known = (live.name, live.era)
        if known != self._known or (heard is not None and heard.missed):
            self._known = known
            self._forget()
            self._block = live.run.job.call(lambda: self._pack_run(live.name, live.run))
        if self._block is not None:
            if not self._block.done():
                return []
            block, self._block = self._block.result(), None
            return [block]
        if heard is not None:
            self._ticks += heard.ticks
        if self._number - self._seen > UNSEEN:
            self._ticks = self._ticks[-2000:]
            return []
        if studio.moment is not self._shown_moment:
            self._shown_moment = studio.moment
            if studio.moment is not None:
                return [self._pack_moment()]
            self._fine = ()
            self._probes = {}
        frame = self._frame(live.run)
        return [frame] if frame else self._at_rest(live.run)

    def _without_run(self) -> list[bytes]:
        words = self._words()
        if words == self._told:
            return []
        self._known, self._told = None, words
        return [pack({"kind": "none", **words}, {})]

    def _words(self) -> dict[str, Any]:
        studio = self.studio
        return {
            "status": studio.status,
            "trouble": studio.trouble,
            "cursor": studio.moment.step if studio.moment is not None else -1,
            "carry_on": studio.carry_on,
        }

    # -- everything at once

    def _pack_run(self, name: str, run: Run) -> bytes:
        """Pack what the run is and has been; runs between two steps."""
        data, config = run.dataset, run.config
        meta: dict[str, Any] = {
            "kind": "run",
            "name": name,
            "dataset": config.dataset,
            "binary": data.binary,
            "tones": [0.0, 1.0] if data.binary else list(TONES),
            "image_shape": list(data.image_shape),
            "coarse_shape": list(shrunk_shape(data.image_shape)),
            "figures": list(FIGURES),
            "statuses": list(STATUSES),
            "batch_size": config.batch_size,
            "n_iter": config.n_iter,
            "max_seconds": config.max_seconds if math.isfinite(config.max_seconds) else None,
            "level_by": config.level_by,
            "seed": config.seed,
            "checkpoint_seconds": run.checkpoint_seconds,
            "budget_mb": sum(lane.history.budget for lane in run.lanes.values()) / 2**20,
            "saved_at": run.saved_at,
            "words": self._words(),
            "lanes": [],
        }
        arrays: dict[str, NDArray] = {}
        for number, (key, lane) in enumerate(run.lanes.items()):
            training = lane.training
            arrays[f"{number}.original"] = tones(lane.images[: len(lane.probe.reconstructions)], data)
            arrays |= {f"{number}.{name}": array for name, array in self._pictures(lane, data).items()}
            arrays[f"{number}.filters"] = filters(training.state, slice(None), data.image_shape, True)
            for figure in FIGURES:
                if figure in lane.curves:
                    points = np.array(lane.curves[figure].points())
                    stride = max(1, -(-points.shape[1] // POINTS_SENT))
                    arrays[f"{number}.{figure}"] = points[:, ::-1][:, ::stride][:, ::-1].astype(np.float32)
            meta["lanes"].append(
                {
                    "title": key,
                    "system": config.lanes[key].system,
                    "settings": {name: text_of(value) for name, value in config.lanes[key].settings.items()},
                    "n_h": weights(training.state).shape[1],
                    "n_train": len(training.X),
                    "per_pass": -(-len(training.X) // config.batch_size),
                    "step": training.step,
                    "seconds": training.seconds,
                    "history": self._history(lane),
                    "error": "" if lane.error is None else str(lane.error),
                }
            )
            self._last[key] = training.step
            self._probes[key] = lane.probe
        return pack(meta, arrays)

    def _pictures(self, lane: LaneRecord, data: Dataset, found: Probe | None = None) -> dict[str, NDArray]:
        found = found or lane.probe
        return {
            "reconstructions": tones(found.reconstructions, data),
            "samples": tones(found.samples, data),
            "usage": np.clip(np.rint(255 * found.usage), 0, 255).astype(np.uint8),
        }

    @staticmethod
    def _history(lane: LaneRecord) -> list[float]:
        steps = lane.history.steps
        return [lane.history.every, len(steps), steps[-1] if steps else 0, lane.history.nbytes / 2**20]

    def _pack_moment(self) -> bytes:
        """Pack a past moment: pictures and figures of each lane."""
        moment, live = self._shown_moment, self.studio.live
        assert live is not None
        data = live.run.dataset
        arrays: dict[str, NDArray] = {}
        lanes = []
        for number, (name, (state, found)) in enumerate(moment.lanes.items()):
            pictures = self._pictures(live.run.lanes[name], data, found)
            arrays |= {f"{number}.{key}": array for key, array in pictures.items()}
            arrays[f"{number}.filters"] = filters(state, slice(None), data.image_shape, False)
            lanes.append({"step": found.step, "figures": found.figures})
        return pack({"kind": "moment", "step": moment.step, "lanes": lanes, "words": self._words()}, arrays)

    def _at_rest(self, run: Run) -> list[bytes]:
        """Send whole filters once the run stands still."""
        if run.job.status == "running" or self.studio.moment is not None:
            return []
        states = tuple(lane.training.state for lane in run.lanes.values())
        if len(states) == len(self._fine) and all(a is b for a, b in zip(states, self._fine, strict=True)):
            return []
        self._fine = states
        shape = run.dataset.image_shape
        arrays: dict[str, NDArray] = {
            f"{number}.filters": filters(state, slice(None), shape, False)
            for number, state in enumerate(states)
        }
        training = next(iter(run.lanes.values())).training
        rows = training.rows[:MINIBATCH_SHOWN]
        arrays["minibatch"] = tones(training.X[rows], run.dataset)
        return [pack({"kind": "rest", "rows": rows.tolist(), "step": training.step}, arrays)]

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
                self._queue_probe(number, lane, probe, run.dataset)
            known = [(FIGURES.index(key), value) for key, value in values.items() if key in FIGURES]
            every, count, until, mb = self._history(lane)
            training = lane.training
            rate = self._rate(name, now, training.passes * len(training.X), run.job.status == "running")
            body.append(
                struct.pack(
                    "<IffIIIfB",
                    training.step,
                    training.seconds,
                    rate,
                    int(every),
                    int(count),
                    int(until),
                    mb,
                    len(known),
                )
            )
            body += [struct.pack("<Bf", figure, value) for figure, value in known]
        words = self._words()
        if words != self._told:
            self._told = words
            raw = json.dumps(words, separators=(",", ":")).encode()[:900]
            self._pieces.appendleft(_Piece(KINDS.index("words"), 0, 0, raw))
        head = 32
        room = FRAME_BYTES - head - sum(map(len, body))
        pieces = list(self._take(room, run)) if self.studio.moment is None else list(self._take_words())
        if not (news or pieces):
            return b""
        self._number += 1
        header = struct.pack(
            "<4sIBBHffd",
            b"LRF1",
            self._number,
            STATUSES.index(run.job.status),
            len(lanes),
            len(pieces),
            run.progress,
            run.seconds_left,
            run.saved_at,
        )
        packed = [
            struct.pack("<BBIH", piece.kind, piece.lane, piece.index, len(piece.content)) + piece.content
            for piece in pieces
        ]
        return b"".join([header, *body, *packed])

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

    def _queue_probe(self, number: int, lane: LaneRecord, probe: Probe, data: Dataset) -> None:
        """Let the pictures of a probe wait for frames with room, in the place of the lane's older ones."""
        kinds = {KINDS.index(kind) for kind in ("reconstruction", "sample", "usage")}
        self._pieces = deque(
            piece for piece in self._pieces if piece.lane != number or piece.kind not in kinds
        )
        pictures = self._pictures(lane, data, probe)
        size = min(data.n_v, 1024)  # so that a large image takes several frames
        for kind, name in (("usage", "usage"), ("reconstruction", "reconstructions"), ("sample", "samples")):
            raw = pictures[name].tobytes()
            for at in range(0, len(raw), size):
                self._pieces.append(_Piece(KINDS.index(kind), number, at, raw[at : at + size]))

    def _take_words(self) -> Iterator[_Piece]:
        if self._pieces and self._pieces[0].kind == KINDS.index("words"):
            yield self._pieces.popleft()

    def _take(self, room: int, run: Run) -> Iterator[_Piece]:
        """Yield pieces that fit: what waits, and filters round-robin."""
        sent = 0
        while self._pieces and len(self._pieces[0].content) + 8 <= room and sent < 10:
            piece = self._pieces.popleft()
            room -= len(piece.content) + 8
            sent += 1
            yield piece
        shape = run.dataset.image_shape
        size = 8 + math.prod(shrunk_shape(shape))
        lanes = list(run.lanes.items())
        turn = 0
        idle = 0
        while room >= size and idle < len(lanes):
            number = (self._number + turn) % len(lanes)
            turn += 1
            name, lane = lanes[number]
            state = lane.training.state
            n_h, at = weights(state).shape[1], self._filter_at.get(name, 0)
            if at == 0 and self._round.get(name) is state:  # all of them are shown as they are
                idle += 1
                continue
            if at == 0:
                self._round[name] = state
            count = min(room // size, 24 // len(lanes), n_h - at) if size < 100 else 1
            content = filters(state, slice(at, at + count), shape, True)
            for index, row in enumerate(content):
                room -= size
                yield _Piece(KINDS.index("filter"), number, at + index, row.tobytes())
            self._filter_at[name] = (at + count) % n_h
            idle = 0
            if turn > 8:
                return


def _means(events: list[Any]) -> Iterator[tuple[str, float]]:
    """Yield the mean of each figure over the steps that belong to one frame."""
    if not events:
        return
    if len(events) == 1:
        yield from ((name, value) for name, value in events[0].metrics.items() if not math.isnan(value))
        return
    for name in {name for event in events for name in event.metrics}:
        found = [event.metrics[name] for event in events if name in event.metrics]
        found = [value for value in found if not math.isnan(value)]
        if found:
            yield name, sum(found) / len(found)
