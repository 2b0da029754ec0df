"""Conversion of a session for the player: its lanes, the words around them, the optima of other starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.inference.lanes import LANES
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.menus import belongs_to_data, lane_titles, model_title, offered
from lrbn_viz.core.trace import ParticleTrace
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets.dataset import image_title
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE
from lrbn_viz.view.player.beliefs import beliefs_of
from lrbn_viz.view.player.greyscale import shades
from lrbn_viz.view.player.packing import Lane
from lrbn_viz.view.player.truth import distance_of, truth_of
from lrbn_viz.view.player.wire import pack

if TYPE_CHECKING:
    from lrbn_viz.measure.basins import Basins


def own_title(session: Session) -> str:
    """Return what an image is called that was drawn, opened from a file or edited: it has no class."""
    return "Own observations" if session.dataset.is_table else "Own image"


def lanes_of(session: Session) -> list[Lane]:
    """Return the session's traces as lanes, with exact results for small models."""
    whole, grey = not session.pixels_unknown, shades(session.dataset)
    titles = lane_titles(session.lanes, whole)
    lanes = []
    everything = zip(session.lanes, session.methods, session.traces, titles, LANES, strict=True)
    for (name, model), method, trace, title, parameters in everything:
        chosen, number = model.trace_methods[method], len(lanes)
        how = chosen.called(whole) + ", layer by layer" * (len(model.layer_sizes_) > 1)
        start = session.start_of(number)
        truth = truth_of(model, trace)
        distance, held = distance_of(model, trace, truth), session.held_in(number)
        best = None if truth is None else truth.posterior.map_log_joint
        if isinstance(trace, ParticleTrace) and distance is not None and not held:
            best = distance.log_evidence
        lanes.append(
            Lane(
                trace,
                name,
                title,
                how,
                trace.normalised,
                chosen.sampled,
                best,
                truth,
                grey,
                model_title=model_title(name, whole),
                start=chosen.start or session.starts_of(number).get(start, ""),
                seed=getattr(session, parameters.seed) if _draws(session, number) else None,
                held=held,
                distance=distance,
                beliefs=beliefs_of(model, trace, held),
            )
        )
    return lanes


def _draws(session: Session, lane: int) -> bool:
    """Return whether a lane's seed has an effect, because its inference or its start is random."""
    _, model = session.lanes[lane]
    return model.trace_methods[session.methods[lane]].draws or session.start_of(lane) == "random"


def menus_of(session: Session) -> list[dict[str, Any]]:
    """Return the options in each lane's header and the chosen ones: JSON values for the player.

    ``models`` holds groups of (name, title). A lane without a choice of starts has none, and ``seed`` is
    None if it has no effect. ``note`` gives the average result of each start.
    """
    from lrbn_viz.catalog import starts_in_words

    menus = []
    for number, ((name, model), parameters) in enumerate(zip(session.lanes, LANES, strict=True)):
        groups: dict[str, list[tuple[str, str]]] = {}
        for each, (title, group) in session.models_for(number).items():
            groups.setdefault(group, []).append((each, title))
        offered = model.trace_methods_of(session.x).items()
        algorithms = [(key, method.called(not session.pixels_unknown)) for key, method in offered]
        menus.append(
            {
                "models": list(groups.items()),
                "model": name,
                "algorithms": algorithms,
                "algorithm": session.methods[number],
                "starts": list(session.starts_of(number).items()),
                "start": session.start_of(number),
                "note": starts_in_words(name) if session.starts_of(number) else "",
                "seed": getattr(session, parameters.seed) if _draws(session, number) else None,
                "holds": "clamp" in model.trace_options,
                "unknown": model.takes_unknown
                and not all(method.whole_only for method in model.trace_methods.values()),
            }
        )
    return menus


def words_of(session: Session) -> dict[str, Any]:
    """Return the metadata of a packed trace: the image's name, the cursor, and the models small enough for
    exact results.
    """
    from lrbn_viz.catalog import PRETRAINED

    changed, table = session.pixels_changed, session.dataset.is_table
    cell = "observation" if table else "pixel"
    known, unknown = "" if session.origin else session.label, session.pixels_unknown
    small = [
        info for info in PRETRAINED.values() if belongs_to_data(info) and info.n_h <= MAX_EXACT_INTERACTIVE
    ]
    return {
        "question": session.question,
        "small": [(info.name, info.title) for info in small if info.n_layers == 1],
        "title": own_title(session) if changed else known,
        "caption": (session.origin or image_title(session.dataset_name, "test", session.index, table=table))
        + (f", {changed:,} {cell}{'s' * (changed != 1)} changed" if changed else "")
        + (f", {unknown:,} {cell}{'s' * (unknown != 1)} not known" if unknown else ""),
        "cursor": session.cursor,
        # names travel with the models, which the player loads with a trace; an equal one would not be sent
        **({"named": session.times_named} if session.times_named else {}),
    }


def basins_of(session: Session) -> bytes:
    """Return the known optima of the session's image as a block; empty if there are none yet.

    ``kinds`` has an entry, and the arrays a prefix, for each lane whose optima are known; about 55 bytes an
    optimum of 200 latents.
    """
    kinds: dict[str, list[str]] = {}
    arrays: dict[str, NDArray] = {}
    for lane in range(len(LANES)):
        found = session.basins_in(lane)
        if found is not None:
            kinds[str(lane)], packed = _optima(found, session, lane)
            arrays |= {f"{lane}.{name}": array for name, array in packed.items()}
    return pack({"kind": "basins", "question": session.question, "kinds": kinds}, arrays) if kinds else b""


def _optima(found: Basins, session: Session, lane: int) -> tuple[list[str], dict[str, NDArray]]:
    """Return the names of the starts of one lane, and the arrays of its optima."""
    (_, model), (_, other), x = session.lanes[lane], session.lanes[1 - lane], session.x
    bernoulli = model.visible == "bernoulli"
    guess, titles = model.most_probable(found.H), {**offered(model, other)[1], "ones": "all units on"}
    guess, x = (guess[:, ~np.isnan(x)], x[~np.isnan(x)]) if unknown_in(x) is not None else (guess, x)
    wrong = (guess != x).sum(axis=1) if bernoulli else ((guess - x) ** 2).sum(axis=1)
    return [titles.get(kind, kind) for kind in found.kinds], {
        # a row for each latent: most are off in nearly all optima, and such rows compress well
        "H": np.packbits(found.H.T, axis=1),
        "log_joint": found.log_joint,
        "counts": found.counts.astype(np.uint16),
        "counts_by_kind": found.counts_by_kind.astype(np.uint16),
        "wrong": wrong.astype(np.uint16 if bernoulli else np.float32),
    }
