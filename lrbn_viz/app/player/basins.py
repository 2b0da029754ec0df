"""The optima reached from many starts, as a block of bytes for the player."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lrbn_viz.app.menus import STARTS
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.session import Session

if TYPE_CHECKING:
    from lrbn_viz.basins import Basins

KINDS = {**STARTS, "ones": "all units on"}


def basins_of(session: Session) -> bytes:
    """Return the optima known of the session's image as a block; empty while they have not been found."""
    found = session.basins
    return b"" if found is None else pack_basins(found, session)


def pack_basins(found: Basins, session: Session) -> bytes:
    """Pack optima of the session's image; about 55 bytes an optimum of 200 latents."""
    from lrbn_viz.lrbn.model import most_probable_visible

    model, x = session.models[session.lrbn], session.x
    bernoulli = model.visible == "bernoulli"
    guess = most_probable_visible(model.params_, model.visible, found.H)
    wrong = (guess != x).sum(axis=1) if bernoulli else ((guess - x) ** 2).sum(axis=1)
    return pack(
        {
            "kind": "basins",
            "question": session.question,
            "kinds": [KINDS.get(kind, kind) for kind in found.kinds],
        },
        {
            # a row for each latent: most are off in nearly all optima, and such rows compress well
            "H": np.packbits(found.H.T, axis=1),
            "log_joint": found.log_joint,
            "counts": found.counts.astype(np.uint16),
            "counts_by_kind": found.counts_by_kind.astype(np.uint16),
            "wrong": wrong.astype(np.uint16 if bernoulli else np.float32),
        },
    )
