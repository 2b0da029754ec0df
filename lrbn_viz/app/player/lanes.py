"""What the player shows of a session: its lanes and the words around them."""

from __future__ import annotations

from typing import Any

from lrbn_viz.app.menus import ALGORITHMS, STARTS
from lrbn_viz.app.player.packing import Lane
from lrbn_viz.app.session import Session

EXACT_UNITS = 16  # 65,536 states: enumerated while the page waits, it must not wait long


def lanes_of(session: Session) -> list[Lane]:
    """Return the session's traces as lanes, LRBN first."""
    algorithm = ALGORITHMS[session.algorithm]
    lrbn, rbm = list(session.traces)
    return [
        Lane(lrbn, session.lrbn, "LRBN", algorithm.title, True, algorithm.sampled, optimum(session)),
        Lane(rbm, session.rbm, "RBM", "factorised, one pass", False),
    ]


def optimum(session: Session) -> float | None:
    """Return log P(x, h) of the LRBN's exact MAP state, nats; None where there are too many states to try."""
    from lrbn_viz import exact_posterior

    model = session.models[session.lrbn]
    if model.params_.n_h > EXACT_UNITS:
        return None
    return float(exact_posterior(model, session.x).map_log_joint)


def words_of(session: Session) -> dict[str, Any]:
    """Return the metadata of a packed trace: what the image is, the start, and the cursor."""
    return {
        "title": session.label,
        "caption": f"{session.dataset_name} test image {session.index}" + ", changed" * bool(session.drawn),
        "start": STARTS[session.start],
        "cursor": session.cursor,
        "held": {str(unit): state for unit, state in session.held.items()},
    }
