"""What the page shows when its address says nothing: two lanes at a visit that explains away, and captions.

The traces are in a file, so that the first picture of a first start needs no kernel. The model is named here
and nowhere else; ``python -m lrbn_viz.weights.first_look`` then looks for an image and a visit, and writes
the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.glossary import NAME, TERMS
from lrbn_viz.player.wire import pack, unpack
from lrbn_viz.storage import read_npz, write_npz
from lrbn_viz.trace import ICMTrace

MODEL = "lrbn-200-mnist-strokes"
"""The shipped model that is shown first, beside its own weights, factorised."""
FILE = Path(__file__).with_name("first_look.npz")
ALARM = "lrbn-2-alarm"
"""The model that the first caption leads to."""
LESSON = "explaining-away"
"""The lesson that the last caption leads to."""
KNOWN = ("W", "b", "d")  # of a trace: the model has them


class Facts(NamedTuple):
    """What the captions tell of the two traces; nats, and numbers of units, visits and pixels.

    Attributes
    ----------
    visit, unit : int
        The visit that turns a unit off, from 1.
    prior, evidence, alone, others, log_odds : float
        On which it decided.
    others_on : int
        Units that were on then, without it.
    partner, share : int, float
        Of the units on then, the one whose filter has most in common with the unit's; how much: the sum over
        the pixels of the smaller of the two weights, as a share of all weights of the unit.
    n_h, n_ink : int
        Latent units; pixels of ink.
    on_start, on_end, wrong_end : int
        Units on at the start and at the end of the first lane, and its wrong pixels then.
    factorised_on, factorised_wrong : int
        The same of the second lane's end.
    """

    visit: int
    unit: int
    prior: float
    evidence: float
    alone: float
    others: float
    log_odds: float
    others_on: int
    partner: int
    share: float
    n_h: int
    n_ink: int
    on_start: int
    on_end: int
    wrong_end: int
    factorised_on: int
    factorised_wrong: int


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What is shown first.

    Attributes
    ----------
    settings : dict
        Parameters of the page's state.
    facts : Facts
    traces : tuple of ICMTrace
        Of both lanes.
    block : bytes
        The traces as `pack_trace` packs them.
    """

    settings: dict[str, Any]
    facts: Facts
    traces: tuple[ICMTrace, ...]
    block: bytes

    def packed(self, words: Mapping[str, Any]) -> bytes:
        """Return the traces as the player is sent them, with the page's words around them."""
        meta, arrays = unpack(self.block)
        return pack({**meta, **words, "lanes": meta["lanes"]}, arrays)

    @property
    def story(self) -> list[dict[str, Any]]:
        """The captions, in order, as the player is sent them."""
        return captions(self.facts, self.traces[0].n_visits)


def settings_of(model: str, dataset: str, row: int, visit: int) -> dict[str, Any]:
    """Return the parameters of the page's state that show a model and its weights, factorised, at a visit."""
    return {
        "model_name": model,
        "rival_name": FACTORISED + model,
        "dataset_name": dataset,
        "index": row,
        "algorithm": "icm",
        "start": "conditional",
        "reference": "off",  # then the sum of what the others do is the bar called others
        "cursor": visit,
    }


def write(settings: Mapping[str, Any], facts: Facts, traces: tuple[ICMTrace, ...], block: bytes) -> int:
    """Write the file; returns its bytes."""
    arrays: dict[str, Any] = {
        "settings": json.dumps(dict(settings)),
        "facts": json.dumps(facts._asdict()),
        "block": np.frombuffer(block, np.uint8),
    }
    for lane, trace in enumerate(traces):
        names = [field.name for field in fields(trace) if field.name not in KNOWN]
        arrays |= {f"{lane}.{name}": getattr(trace, name) for name in names}
    return write_npz(FILE, arrays)


@cache
def read() -> FirstLook | None:
    """Return what is shown first; None where the images of its model are not at hand."""
    from lrbn_viz.catalog import factorised, pretrained
    from lrbn_viz.datasets import at_hand

    arrays = read_npz(FILE, str(FILE))
    settings: dict[str, Any] = json.loads(str(arrays["settings"]))
    if not at_hand(settings["dataset_name"]):
        return None
    model = pretrained(settings["model_name"])
    traces = tuple(
        _trace(arrays, lane, model.layers[0]) for lane, model in enumerate((model, factorised(model)))
    )
    facts = Facts(**json.loads(str(arrays["facts"])))
    return FirstLook(settings, facts, traces, arrays["block"].tobytes())


def _trace(arrays: Mapping[str, NDArray], lane: int, layer: Any) -> ICMTrace:
    """Return a lane's trace; its model's parameters it has from the model.

    What traces did not have when the file was written is as in any trace that does not say it.
    """
    values: dict[str, Any] = {name: np.asarray(getattr(layer, name), np.float64) for name in KNOWN}
    for field in fields(ICMTrace):
        value = arrays.get(f"{lane}.{field.name}")
        if value is not None:
            values[field.name] = value if value.ndim else value.item()
    return ICMTrace(**values)


def signed(nats: float) -> str:
    """Return nats as the page's bars write them."""
    return f"{round(nats, 2) + 0.0:+.2f}".replace("-", "\u2212")  # and no zero below zero


def captions(facts: Facts, n_visits: int) -> list[dict[str, Any]]:
    """Return what is told of the traces: five captions.

    Each has a ``title``; a ``text``, in which ``[word](key)`` marks a term of the glossary; the ``visit`` at
    which it is told; ``parts`` of the page that it points at, by the names that story.js knows; and, where
    it leads elsewhere, ``link`` and its ``words``, and ``here`` where that is in this page's place.
    """
    from lrbn_viz.catalog import PRETRAINED

    s = facts
    bars = {
        "prior": "how often it is on before an image is seen",
        "evidence": "the ink where it draws",
        "alone": "what the evidence has to exceed",
        "others": "what the units that are on draw already",
    }
    sums = "; ".join(
        f"[{TERMS[key].name.lower()}]({key}) {signed(getattr(s, key))}, {what}" for key, what in bars.items()
    )
    return [
        {
            "title": "Two causes, one alarm",
            "text": "An alarm rings: a burglar, or an earthquake? Once the radio reports an earthquake, no "
            "burglar is needed: he is [explained away](explain-away). Here the image is the alarm, "
            f"{s.n_ink} pixels of ink, and {s.n_h} latent units are its possible causes. Each draws a part. "
            "Both lanes have the same weights. In the upper one, an [LRBN](lrbn), units explain each other "
            "away; in the lower one, an [RBM](rbm), each unit decides alone.",
            "visit": s.visit,
            "parts": ["input", "latents", "latents below"],
            "link": f"?model={ALARM}&image={PRETRAINED[ALARM].image}",
            "words": "See the alarm",
        },
        {
            "title": "Two filters, one stroke",
            "text": f"At [the start](conditional) each unit looks at the image alone: {s.on_start} of "
            f"{s.n_h} are on. But some want the same pixels: {s.share:.0%} of what unit {s.unit} draws, "
            f"unit {s.partner} draws too. At visit {s.visit} the card of reasons shows the filter of "
            f"unit {s.unit}, and who draws its pixels already.",
            "visit": s.visit,
            "parts": ["filter", "who"],
        },
        {
            "title": "A unit that was on turns off",
            "text": f"[Visit](visit) {s.visit} asks unit {s.unit} while {s.others_on} others are on. Four "
            f"bars are its reasons, in [nats](nats): {sums}. In sum {signed(s.log_odds)}: below 0, so it "
            "turns off. The others explain it away.",
            "visit": s.visit,
            "parts": ["bars", "verdict"],
        },
        {
            "title": "The same weights, read factorised, keep them all",
            "text": f"In the upper lane, the [LRBN](lrbn) ({NAME}), [ICM](icm) leaves {s.on_end} units on, "
            f"and {_pixels(s.wrong_end)} wrong. The lower lane reads the same weights as an [RBM](rbm) does, "
            f"where units do not look at each other: {s.factorised_on} units are on, unit {s.unit} too, and "
            f"{_pixels(s.factorised_wrong)} wrong.",
            "visit": n_visits,
            "parts": ["latents", "latents below", "errors"],
        },
        {
            "title": "Draw your own",
            "text": "Draw on the image, or erase: both lanes answer every stroke. Then go to the next unit "
            "that turns off (O), and see why. Words with a dotted line explain themselves.",
            "visit": s.visit,
            "parts": ["input", "tools", "turned off"],
            "link": f"?lesson={LESSON}",
            "words": "Begin the first lesson",
            "here": True,
        },
    ]


def _pixels(number: int) -> str:
    return f"{number} pixel is" if number == 1 else f"{number} pixels are"
