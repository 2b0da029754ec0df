"""First views of the page without an address: two lanes at a visit that explains away, and captions; or the
first step of the guided beginning, and what its first presses lead to.

The traces are stored in files, so that a first view needs no compiled kernel, and the first presses of the
guide wait for none. Only this module names the model; ``python -m tools.first_look`` searches for an image
and a visit, and writes the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.core.names import visible_names_of
from lrbn_viz.core.trace import NAMES, ICMTrace
from lrbn_viz.io.glossary import NAME, TERMS
from lrbn_viz.io.storage import read_npz, write_npz
from lrbn_viz.view.player.wire import pack, unpack

MODEL = "lrbn-200-mnist-strokes"
"""The shipped model that is shown first, beside its own weights, factorised."""
START = "zeros"
INFERENCE = "icm-greedy"
"""Inference of the first view: from all units off, the best flip first. Each visit changes a unit, so that
the image is drawn stroke by stroke; on this image it ends near the result of long searches, unlike other
starts.
"""
FILE = Path(__file__).with_name("first_look.npz")
BEGINNING = Path(__file__).with_name("beginning.npz")
"""What the guided beginning shows first, without captions: its text is the guide's. Then the same models with
every other observation of the alarm and of the radio.
"""
ALARM = "lrbn-2-alarm"
"""The model that the first caption leads to."""
LESSON = "explaining-away"
"""The lesson that the last caption leads to."""
KNOWN = ("W", "b", "d")  # of a trace, as the model has them


class Facts(NamedTuple):
    """Facts of the two traces for the captions; nats, and numbers of units, visits and pixels.

    Attributes
    ----------
    visit, unit : int
        The visit that turns a unit off for good, from 1.
    prior, evidence, alone, others, log_odds : float
        Terms of the log-odds at that visit, and their sum.
    others_on : int
        Number of other units that were on at that visit.
    named, nats : list of int, list of float
        The other units that changed its log-odds most, in the order of the Why card, and the changes in nats.
    share : float
        Share of the unit's weights that the named units cover: the sum over the pixels of the smaller of its
        weight and the sum of theirs, divided by the sum of its weights.
    turned_on, on_log_odds : int, float
        The visit that had turned the unit on, and its log-odds at that visit.
    n_h, n_ink : int
        Latent units; pixels of ink.
    on_end, wrong_end, end : int, int, float
        Units on at the end of the first lane, its wrong pixels and log P(x, h) then.
    best : float
        The highest log P(x, h) that many starts and long annealings find.
    factorised_on, factorised_wrong : int
        Units on and wrong pixels at the end of the second lane.
    rival, rival_on, rival_wrong : str, int, int
        Title of the trained RBM; its units on and its wrong pixels after its one pass over the same image.
    """

    visit: int
    unit: int
    prior: float
    evidence: float
    alone: float
    others: float
    log_odds: float
    others_on: int
    named: list[int]
    nats: list[float]
    share: float
    turned_on: int
    on_log_odds: float
    n_h: int
    n_ink: int
    on_end: int
    wrong_end: int
    end: float
    best: float
    factorised_on: int
    factorised_wrong: int
    rival: str
    rival_on: int
    rival_wrong: int


@dataclass(frozen=True, eq=False)
class FirstLook:
    """The first view of the page.

    Attributes
    ----------
    settings : dict
        Parameters of the page's state.
    facts : Facts or None
        None: it has no captions.
    traces : tuple of ICMTrace
        Traces of both lanes.
    block : bytes
        The traces as `pack_trace` packs them.
    """

    settings: dict[str, Any]
    facts: Facts | None
    traces: tuple[ICMTrace, ...]
    block: bytes

    def packed(self, words: Mapping[str, Any]) -> bytes:
        """Return the packed traces for the player, with the page's words."""
        meta, arrays = unpack(self.block)
        return pack({**meta, **words, "lanes": meta["lanes"]}, arrays)

    @property
    def story(self) -> list[dict[str, Any]]:
        """The captions in order, as the player receives them."""
        if self.facts is None:
            return []
        return captions(self.facts, max(trace.n_visits for trace in self.traces))


def settings_of(model: str, dataset: str, row: int, visit: int) -> dict[str, Any]:
    """Return the parameters of the page's state that show a model and its weights, factorised, at a visit."""
    return {
        "model_name": model,
        "rival_name": FACTORISED + model,
        "dataset_name": dataset,
        "index": row,
        "algorithm": INFERENCE,
        "start": START,
        "reference": "off",  # the effects of the others then add up to the bar "others"
        "cursor": visit,
    }


def write(looks: Iterable[FirstLook], path: Path = FILE) -> int:
    """Write a file of views, the first of which `read` returns; returns its bytes."""
    arrays: dict[str, Any] = {}
    for number, look in enumerate(looks):
        arrays |= {
            f"{number}.settings": json.dumps(look.settings),
            f"{number}.facts": json.dumps(look.facts and look.facts._asdict()),
            f"{number}.block": np.frombuffer(look.block, np.uint8),
        }
        for lane, trace in enumerate(look.traces):
            arrays |= {f"{number}.{lane}.{name}": getattr(trace, name) for name in _stored()}
    return write_npz(path, arrays)


def read(path: Path = FILE) -> FirstLook | None:
    """Return what is shown first; None if the images of its model are not available."""
    return next(iter(read_all(path)), None)


def read_all(path: Path) -> tuple[FirstLook, ...]:
    """Return all views of a file; none if the images of their models are not available."""
    from lrbn_viz.datasets import at_hand

    looks = _all(path)
    return looks if all(at_hand(look.settings["dataset_name"]) for look in looks) else ()


@cache
def _all(path: Path) -> tuple[FirstLook, ...]:
    """Return all views of a file."""
    from lrbn_viz.catalog import factorised, pretrained

    arrays = read_npz(path, str(path))
    looks: list[FirstLook] = []
    while f"{len(looks)}.settings" in arrays:
        number = len(looks)
        settings: dict[str, Any] = json.loads(str(arrays[f"{number}.settings"]))
        model = pretrained(settings["model_name"])
        traces = tuple(
            _trace(arrays, f"{number}.{lane}", model.layers[0]).named(
                model.latent_names_, visible_names_of(model)
            )
            for lane, model in enumerate((model, factorised(model)))
        )
        told = json.loads(str(arrays[f"{number}.facts"]))
        facts = None if told is None else Facts(**told)
        looks.append(FirstLook(settings, facts, traces, arrays[f"{number}.block"].tobytes()))
    return tuple(looks)


def _stored() -> list[str]:
    """Return the fields of a trace that the file holds: its model has the others, and no names of units."""
    return [field.name for field in fields(ICMTrace) if field.name not in (*KNOWN, *NAMES)]


def _trace(arrays: Mapping[str, NDArray], lane: str, layer: Any) -> ICMTrace:
    """Return a lane's trace, with the parameters of its model."""
    values: dict[str, Any] = {name: np.asarray(getattr(layer, name), np.float64) for name in KNOWN}
    for name in _stored():
        value = arrays[f"{lane}.{name}"]
        values[name] = value if value.ndim else value.item()
    return ICMTrace(**values)


def signed(nats: float, digits: int = 2) -> str:
    """Return nats as text in the format of the page's bars; with one digit, in that of its tiles."""
    return f"{round(nats, digits) + 0.0:+.{digits}f}".replace("-", "\u2212")  # without a negative zero


def captions(facts: Facts, n_visits: int) -> list[dict[str, Any]]:
    """Return the six captions about the traces.

    Each has a ``title``; a ``text``, in which ``[word](key)`` marks a term of the glossary; the ``visit`` at
    which it is told; ``parts`` of the page that it points at, by the names of `STORY_PARTS`; and, where
    it leads elsewhere, ``link`` and its ``words``, and ``here`` where that is in this page's place.
    """
    from lrbn_viz.catalog import PRETRAINED

    s = facts
    bars = {
        "prior": "how often it is on before an image is seen",
        "evidence": "the ink where it draws",
        "alone": "what the evidence has to exceed",
        "others": "the ink that the other units draw already",
    }
    sums = "; ".join(
        f"[{TERMS[key].name.lower()}]({key}) {signed(getattr(s, key))}, {what}" for key, what in bars.items()
    )
    *first, last = (f"{unit} ({signed(nats, 1)})" for unit, nats in zip(s.named, s.nats, strict=True))
    return [
        {
            "title": "Two causes, one alarm",
            "text": "An alarm rings. Was it a burglar, or an earthquake? Once the radio reports an "
            "earthquake, a burglar is no longer needed to explain the alarm: he is "
            f"[explained away](explain-away). Here the image is the alarm, with {s.n_ink} pixels of ink, and "
            f"{s.n_h} latent units are its possible causes. Each draws a stroke. Both lanes have the same "
            "weights. In the upper lane, an [LRBN](lrbn), units explain each other away; in the lower lane "
            "each unit decides by itself.",
            "visit": s.visit,
            "parts": ["input", "latents", "latents below"],
            "link": f"?model={ALARM}&image={PRETRAINED[ALARM].image}",
            "words": "See the alarm",
        },
        {
            "title": "The image turns a unit on",
            "text": "In the upper lane all units are off at first. Each [visit](visit) then changes the one "
            f"unit that raises [log P(x, h)](log-joint) most. Visit {s.turned_on} turns unit {s.unit} on: "
            f"its stroke lies on ink that the units before it hardly draw. Its [log-odds](log-odds) are "
            f"{signed(s.on_log_odds)} [nats](nats).",
            "visit": s.turned_on,
            "parts": ["filter", "verdict"],
        },
        {
            "title": "Later the same unit turns off",
            "text": f"At visit {s.visit} the image is the same, but {s.others_on} other units are on. The "
            f"log-odds of unit {s.unit} are the sum of four bars, in nats: {sums}. The sum is "
            f"{signed(s.log_odds)}. It is below 0, so that the unit turns off.",
            "visit": s.visit,
            "parts": ["bars", "verdict"],
        },
        {
            "title": "Other units explain it away",
            "text": f"Of these {s.others_on} units, {', '.join(first)} and {last} take most nats from unit "
            f"{s.unit}. Together they draw {s.share:.0%} of its stroke. They stay on to the end, and unit "
            f"{s.unit} stays off.",
            "visit": s.visit,
            "parts": ["filter", "who"],
        },
        {
            "title": "The same weights, each unit by itself",
            "text": f"At the end the [LRBN](lrbn) ({NAME}) has {s.on_end} units on and "
            f"{_pixels(s.wrong_end)}. In the lower lane each unit ignores the others: {s.factorised_on} "
            f"units are on, unit {s.unit} among them, and {s.factorised_wrong} pixels are wrong. These "
            "weights were not trained for this. A restricted Boltzmann machine ([RBM](rbm)), whose "
            f"units also decide by themselves, learns weights for it: the trained {s.rival} has {s.rival_on} "
            f"units on and {_pixels(s.rival_wrong)} on this image.",
            "visit": n_visits,
            "parts": ["latents", "latents below", "errors"],
        },
        {
            "title": "Draw your own",
            "text": "Draw on the image, or erase: both lanes infer the image again after every stroke. Then "
            "go to the next unit that turns off (O), and see why. Words with a dotted line show their "
            "definitions.",
            "visit": s.visit,
            "parts": ["input", "tools", "turned off"],
            "link": f"?lesson={LESSON}",
            "words": "Begin the first lesson",
            "here": True,
        },
    ]


def _pixels(number: int) -> str:
    return f"{number} wrong pixel" + "s" * (number != 1)
