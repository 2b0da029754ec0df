"""What the player shows of a session: its lanes and the words around them."""

from __future__ import annotations

from typing import Any

from lrbn_viz.app.menus import ALGORITHMS, STARTS
from lrbn_viz.app.player.packing import Lane
from lrbn_viz.app.player.tones import shades
from lrbn_viz.app.player.truth import EXACT_UNITS, truth_of
from lrbn_viz.app.session import Session


def lanes_of(session: Session) -> list[Lane]:
    """Return the session's traces as lanes, LRBN first."""
    algorithm = ALGORITHMS[session.algorithm]
    lrbn, rbm = list(session.traces)
    truth = truth_of(session.models[session.lrbn], lrbn)
    best = None if truth is None else truth.posterior.map_log_joint
    grey = shades(session.dataset)
    how = algorithm.title + ", layer by layer" * session.layered
    return [
        Lane(lrbn, session.lrbn, "LRBN", how, True, algorithm.sampled, best, truth, grey),
        Lane(rbm, session.rbm, "RBM", "factorised, one pass", False, shades=grey),
    ]


def words_of(session: Session) -> dict[str, Any]:
    """Return the metadata of a packed trace: what the image is, the start, the cursor, and which models are
    small enough for the truth to be known.
    """
    from lrbn_viz.catalog import PRETRAINED

    small = [(info.name, info.title) for info in PRETRAINED.values() if info.n_h <= EXACT_UNITS]
    return {
        "question": session.question,
        "small": [(name, title) for name, title in small if PRETRAINED[name].system == "LRBN"],
        "title": "" if session.origin else session.label,
        "caption": session.origin
        or f"{session.dataset_name} test image {session.index}" + ", changed" * bool(session.drawn),
        "start": STARTS[session.start],
        "cursor": session.cursor,
        "held": {str(unit): state for unit, state in session.held.items()},
    }
