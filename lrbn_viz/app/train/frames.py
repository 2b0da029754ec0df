"""Format of a frame: new data of a training board in at most `FRAME_BYTES`. ``ring.js`` reads it.

Frame, little-endian: ``"LRF1" | number u32 | status u8 | lanes u8 | pieces u16 | progress f32 | seconds left
f32 | saved at f64``; for each lane ``step u32 | seconds f32 | images per second f32 | stored every u32 |
stored u32 | stored until u32 | stored MB f32 | values u8``, each value ``figure u8 | f32``; for each piece
``kind u8 | lane u8 | index u32 | length u16 | bytes``; the index is a filter's number.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lrbn_viz.io.constants import FIGURES, FRAME
from lrbn_viz.io.constants import FRAME_PIECES as KINDS

FRAME_BYTES = 1800
"""Largest size of a frame in bytes; with the message around it below 2 kB."""
WORDS_BYTES = 900
"""Largest size of the words in a frame, in bytes."""

STATUSES = ("none", "loading", "new", "running", "paused", "done", "failed", "cancelled")
HEAD = struct.Struct("<4sIBBHffd")


class Piece(NamedTuple):
    """A filter, or words."""

    kind: int
    lane: int
    index: int
    content: bytes

    @property
    def size(self) -> int:
        """Size of the piece in a frame, bytes."""
        return 8 + len(self.content)


class StoredMoments(NamedTuple):
    """Stored moments of a lane: steps between two, number, step of the last one, and size in MB."""

    every: int
    stored: int
    until: int
    mb: float


class Head(NamedTuple):
    """Contents of a frame about the whole run."""

    number: int
    status: str
    progress: float
    seconds_left: float
    saved_at: float


def words_piece(words: Mapping[str, Any]) -> Piece:
    """Return words as JSON; error messages are cut to the size that fits."""
    error = str(words["error"])
    while True:
        content = json.dumps({**words, "error": error}, separators=(",", ":")).encode()
        if len(content) <= WORDS_BYTES or not error:
            return Piece(KINDS.index("words"), 0, 0, content)
        error = error[: len(error) * 3 // 4 - 1].rstrip() + "…" if len(error) > 8 else ""


def lane_part(
    step: int, seconds: float, rate: float, history: StoredMoments, values: Mapping[str, float]
) -> bytes:
    """Return the part of a frame about one lane; `values` that are not among the `FIGURES` are left out."""
    sent = [(FIGURES.index(name), value) for name, value in values.items() if name in FIGURES]
    head = struct.pack("<IffIIIfB", step, seconds, rate, *history, len(sent))
    return head + b"".join(struct.pack("<Bf", figure, value) for figure, value in sent)


def room_beside(lanes: Sequence[bytes]) -> int:
    """Return how many bytes of pieces fit into a frame with these lanes."""
    return FRAME_BYTES - HEAD.size - sum(map(len, lanes))


def frame_of(head: Head, lanes: Sequence[bytes], pieces: Sequence[Piece]) -> bytes:
    """Return the frame."""
    number, status, *run = head
    first = HEAD.pack(FRAME, number, STATUSES.index(status), len(lanes), len(pieces), *run)
    packed = [
        struct.pack("<BBIH", kind, lane, index, len(content)) + content
        for kind, lane, index, content in pieces
    ]
    return b"".join([first, *lanes, *packed])
