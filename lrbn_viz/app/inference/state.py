"""State of the Inference page of one visitor: data set, image, lanes, traces, cursor. No widgets here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import param
from numpy.typing import NDArray
from param.parameterized import batch_call_watchers

from lrbn_viz.app.inference.choices import LaneChoices
from lrbn_viz.app.inference.first_look import BEGINNING, FirstLook, read_all
from lrbn_viz.app.inference.lanes import LANES
from lrbn_viz.app.inference.search import BasinSearch
from lrbn_viz.app.shared.loading import dataset_by_name, model_by_name
from lrbn_viz.app.shared.menus import CAPTIONS, CONTROLS, RIVAL_STATE, THEMES, model_title
from lrbn_viz.app.shared.texts import (
    names_to_text,
    pixels_to_text,
    text_to_cards,
    text_to_latents,
    text_to_names,
    text_to_unit,
)
from lrbn_viz.core.names import visible_names_of
from lrbn_viz.view.player.panels import CARDS, PANELS, REFERENCES, UNIT_ORDERS

if TYPE_CHECKING:
    from lrbn_viz.core.trace import Trace
    from lrbn_viz.datasets import Dataset
    from lrbn_viz.measure.basins import Basins

_INFERRED_BY = ("dataset_name", "binary", "given", *(name for lane in LANES for name in lane))
"""Settings that an inference depends on, besides the image."""


class Session(LaneChoices):
    """State of the Inference page.

    Views only set parameters; `traces` then follow the other parameters.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`, and to a fitted model. Tests give their own.
    first_look : FirstLook, optional
        First view, whose traces are stored.
    """

    unit_order = param.Selector(
        default="number", objects=list(UNIT_ORDERS), doc="Of units beside each other."
    )
    reference = param.Selector(
        default="last", objects=list(REFERENCES), doc="What the why card compares a unit's log-odds with."
    )
    hidden = param.String(default="", doc="Panels and controls out of sight, as `names_to_text` writes them.")
    present = param.String(
        default="", doc="Cards that presenter mode shows, in the same way; empty: it is off."
    )
    captions = param.Selector(default="on", objects=list(CAPTIONS), doc="Of presenter mode.")
    theme = param.Selector(
        default="",
        objects=["", *THEMES],
        doc="Of the link; empty: the visitor's own, which the browser knows.",
    )
    refused = param.String(default="", doc="What could not be inferred last, in words.")

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] = dataset_by_name,
        load_model: Callable[[str], Any] = model_by_name,
        first_look: FirstLook | None = None,
        **params: Any,
    ) -> None:
        settings = {} if first_look is None else first_look.settings
        super().__init__(load_dataset, load_model, **settings, **params)
        self.search = BasinSearch()
        self._first_look = first_look
        if first_look is None:
            self.infer()
        else:
            with param.edit_constant(self):
                self.traces = first_look.traces

    @property
    def shown_first(self) -> FirstLook | None:
        """The first view while it is shown, else None."""
        first = self._first_look
        return first if first is not None and self.traces is first.traces else None

    def hide(self, text: str) -> None:
        """Hide the panels and controls that `text` names, and show all others.

        A list with an unknown name is ignored: it comes from a browser.
        """
        known = [*PANELS, *CONTROLS]
        try:
            self.hidden = names_to_text(text_to_names(text, known), known)
        except ValueError:
            return

    def hides(self, name: str) -> bool:
        """Return whether a panel or control is hidden."""
        return name in self.hidden.split(".")

    def select(self, text: str) -> None:
        """Select the unit that `text` names, as `text_to_unit` reads it.

        Invalid units, as a browser may send, are ignored.
        """
        try:
            text_to_unit(text, *(model.n_latents_ for _, model in self.lanes))
        except ValueError:
            return
        self.selected = text

    def name_unit(self, unit: int, name: str, lane: int = 0) -> None:
        """Name a latent of a lane's model, as :meth:`rename_unit` does, and the units of the traces."""
        if not self.rename_unit(lane, unit, name):
            return
        named = tuple(
            trace.named(model.latent_names_, visible_names_of(model))
            for (_, model), trace in zip(self.lanes, self.traces, strict=True)
        )
        with param.edit_constant(self):
            self.traces = named

    def sort(self, order: str) -> None:
        """Order units by one of the `UNIT_ORDERS`; any other value is ignored."""
        if order in UNIT_ORDERS:
            self.unit_order = order

    def compare_with(self, reference: str) -> None:
        """Set the reference of the why card to one of the `REFERENCES`; any other value is ignored."""
        if reference in REFERENCES:
            self.reference = reference

    def present_cards(self, text: str) -> None:
        """Show the cards that `text` names in presenter mode; the empty text leaves it.

        Invalid cards, as a browser may send, are ignored.
        """
        try:
            self.present = names_to_text(text_to_cards(text), CARDS)
        except ValueError:
            return

    def caption(self, captions: str) -> None:
        """Show or hide the captions of presenter mode, by one of `CAPTIONS`; any other value is ignored."""
        if captions in CAPTIONS:
            self.captions = captions

    @property
    def question(self) -> str:
        """Key of the image and the models under inference; equal only for the same image and models."""
        digest = blake2b(np.ascontiguousarray(self.x).tobytes(), digest_size=8).hexdigest()
        return f"{self.model_name}.{self.rival_name}.{digest}"

    def basins_in(self, lane: int = 0) -> Basins | None:
        """Return the optima that ICM reaches in a lane from many starts; None if they are not known yet."""
        return self.search.known(f"{self.question}.{lane}")

    def look_for_basins(self, lane: int = 0) -> None:
        """Search for a lane's optima on a thread, unless they are known or the lane has no such search."""
        from lrbn_viz import find_basins
        from lrbn_viz.measure.basins import page_starts

        (_, model), (_, rival) = self.lanes[lane], self.lanes[1 - lane]
        if not model.supports_restarts:
            return
        n_h = model.n_latents_
        # the other lane's last state depends on its algorithm and seed, which are not in the key
        fits = rival.factorised and rival.n_latents_ == n_h
        starts = {RIVAL_STATE: _last_state(self.traces[1 - lane])} if fits else {}
        self.search.ask(
            f"{self.question}.{lane}", partial(find_basins, model, self.x, page_starts(n_h), starts=starts)
        )

    def climb_from(self, h: NDArray[np.uint8], lane: int = 0) -> None:
        """Show the end of a lane's usual inference, with all units free, from the state `h` (n_h,)."""
        names, usual = LANES[lane], next(iter(self.lanes[lane][1].trace_methods))
        chosen = {
            names.algorithm: usual,
            names.start: "last",
            names.state: pixels_to_text(h),
            names.clamp: "",
        }
        self.param.update(**chosen, cursor=self.n_visits)

    @param.depends(
        "index",
        "drawn",
        "given",
        "binary",
        "dataset_name",
        "model_name",
        "rival_name",
        "algorithm",
        "rival_algorithm",
        "start",
        "start_state",
        "clamp",
        "seed",
        "rival_start",
        "rival_start_state",
        "rival_clamp",
        "rival_seed",
        watch=True,
    )
    def infer(self) -> None:
        """Run both lanes on the image and publish the traces.

        Raises
        ------
        ValueError
            A start is ``"last"`` and there is no state of its model; `begin_from` sets both.
        """
        if self.pixels_unknown and (whole := self._infer_whole_images_only()):
            self.refused = (
                f"{' and '.join(whole)} infer{'s' * (len(whole) == 1)} whole images only, so that every "
                "pixel has a value again. An LRBN or an RBM takes images of which a part is not known."
            )
            self.make_whole()  # which infers
            return
        look = self._stored()
        if look is not None:
            self._first_look = look
        traces = self._inferred() if look is None else look.traces
        # a cursor at the end stays at the end; any other returns to the beginning
        at_end = (
            self.drawn != "" or self.given is not None or (self.traces != () and self.cursor >= self.n_visits)
        )
        # instead of `param.update`, which copies all values first and is too slow while a pen moves
        with param.edit_constant(self), batch_call_watchers(self):
            first, self.traces = not self.traces, traces
            if not first:
                self.cursor = self.n_visits if at_end else 0

    def _stored(self) -> FirstLook | None:
        """Return the stored view of what the lanes would infer, which needs no compiled kernel.

        None if there is none. A session that began with the guide has those of its first presses.
        """
        begun = self._first_look
        if begun is None or begun.facts is not None or self.times_named:
            return None
        return next(
            (
                look
                for look in read_all(BEGINNING)
                if all(
                    getattr(self, name) == look.settings.get(name, self.param[name].default)
                    for name in _INFERRED_BY
                )
                and np.array_equal(look.traces[0].x, self.x, equal_nan=True)
            ),
            None,
        )

    def _inferred(self) -> tuple[Any, Any]:
        """Run inference in both lanes."""
        found: dict[int, Any] = {}  # of the kind that each method makes
        for lane in (1, 0) if self.start_of(0) == RIVAL_STATE else (0, 1):
            found[lane] = self._trace(lane, found.get(1 - lane))
        return found[0], found[1]

    def _infer_whole_images_only(self) -> list[str]:
        """Return the titles of the lanes' models that take no image of which a part is not known."""
        refusing = [model_title(name) for name, model in self.lanes if not model.trace_methods_of(self.x)]
        return list(dict.fromkeys(refusing))

    def _trace(self, lane: int, other: Trace | None) -> Any:
        """Run inference in one lane; `other` is the other lane's trace, if that ran first."""
        (_, model), names, start = self.lanes[lane], LANES[lane], self.start_of(lane)
        init: str | NDArray[np.uint8] | None = start or None
        if start == RIVAL_STATE and other is not None:
            init = _last_state(other)
        elif start == "last":
            init = text_to_latents(getattr(self, names.state), model.n_latents_)
        return model.trace(
            self.x,
            self.methods[lane],
            init=init,
            clamp=self.held_in(lane),
            random_state=getattr(self, names.seed),
        )

    @property
    def n_visits(self) -> int:
        """Visits of the longest trace: the end of the scrub bar."""
        return max((trace.n_visits for trace in self.traces), default=0)


def _last_state(trace: Trace) -> NDArray[np.uint8]:
    """Return the final states (n_h,) of a trace; of means, the more probable states."""
    return (trace.latents(trace.n_visits) > 0.5).astype(np.uint8)
