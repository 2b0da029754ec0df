"""What one visitor looks at: data set, image, models, algorithms, traces, cursor. No widgets here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np
import param
from numpy.typing import NDArray
from param.parameterized import batch_call_watchers

from lrbn_viz.app.image import ShownImage
from lrbn_viz.app.menus import ALGORITHMS, CONTROLS, PANELS, STARTS, UNIT_ORDERS, offered
from lrbn_viz.app.search import BasinSearch
from lrbn_viz.app.texts import (
    held_to_text,
    names_to_text,
    pixels_to_text,
    text_to_held,
    text_to_names,
    text_to_pixels,
    text_to_unit,
)

if TYPE_CHECKING:
    from lrbn_viz.basins import Basins
    from lrbn_viz.datasets import Dataset
    from lrbn_viz.trace import ICMTrace


class Session(ShownImage):
    """State of the Inference page.

    Setting a parameter is all a view ever does; `traces` then belong to the other parameters.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`, and to a fitted model. Tests give their own.
    lrbn, rbm : str
        Names of the two models compared.
    """

    lrbn = param.String(default="lrbn-200-mnist-flat")
    rbm = param.String(default="rbm-200-mnist")
    algorithm = param.Selector(default="icm", objects=list(ALGORITHMS))
    start = param.Selector(default="conditional", objects=list(STARTS))
    kept = param.String(
        default="", doc='Latents from which ``start="last"`` begins, as `pixels_to_text` writes them.'
    )
    clamp = param.String(default="", doc="Units of the LRBN that are held, as `held_to_text` writes them.")
    seed = param.Integer(default=0, bounds=(0, 2**31 - 1), doc="Of everything drawn at random in a trace.")
    cursor = param.Integer(default=0, bounds=(0, None), doc="Visits shown.")
    selected = param.String(
        default="", doc="The unit asked about, as `text_to_unit` reads it; empty: the visited."
    )
    unit_order = param.Selector(
        default="number", objects=list(UNIT_ORDERS), doc="Of units beside each other."
    )
    hidden = param.String(default="", doc="Panels and controls out of sight, as `names_to_text` writes them.")
    traces = param.ClassSelector(
        class_=tuple, default=(), doc="One trace per lane, LRBN first.", constant=True
    )

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] | None = None,
        load_model: Callable[[str], Any] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(load_dataset, **params)
        if load_model is None:
            from lrbn_viz import pretrained as load_model
        self._load_model = load_model
        self._models: dict[str, Any] = {}
        self.search = BasinSearch()
        self.infer()

    @property
    def models(self) -> dict[str, Any]:
        """The models of the lanes by name, LRBN first."""
        for name in (self.lrbn, self.rbm):
            if name not in self._models:
                self._models[name] = self._load_model(name)
        return {name: self._models[name] for name in (self.lrbn, self.rbm)}

    @property
    def layered(self) -> bool:
        """Whether the LRBN has several layers."""
        return hasattr(self.models[self.lrbn], "layers_")

    def compare(self, lrbn: str) -> None:
        """Show another of the shipped LRBNs, beside its rival and on its data set."""
        from lrbn_viz.catalog import PRETRAINED

        info = PRETRAINED[lrbn]
        kept = info.dataset == self.dataset_name
        algorithms, starts = offered(info.n_layers > 1)
        self.param.update(
            lrbn=lrbn,
            rbm=info.rival,
            dataset_name=info.dataset,
            index=self.index if kept else 0,
            drawn=self.drawn if kept else "",
            origin=self.origin if kept and self.given is None else "",
            binary=True,
            given=None,
            algorithm=self.algorithm if self.algorithm in algorithms else "icm",
            # "last" is a state of another model's units
            start=self.start if self.start in starts and self.start != "last" else "conditional",
            kept="",
            clamp="" if lrbn != self.lrbn else self.clamp,
            selected="" if lrbn != self.lrbn else self.selected,
        )

    def inspect(
        self, lrbn: str, rbm: str, data: Dataset, x: NDArray, origin: str, algorithm: str, start: str
    ) -> None:
        """Show two models that the session's provider knows by name, on an image that is in no test set.

        Parameters
        ----------
        data : Dataset
            What the models learn from; its test images are those to go on to.
        x : (n_v,)
            An image in the units of `data`.
        origin : str
            What it is, in words.
        """
        self._datasets[data.name, data.binary] = data  # a visitor's own has no name that a loader knows
        self.param.update(
            lrbn=lrbn,
            rbm=rbm,
            dataset_name=data.name,
            binary=data.binary,
            index=0,
            drawn=pixels_to_text(x) if data.binary else "",
            given=None if data.binary else x,
            origin=origin,
            algorithm=algorithm,
            start=start,
            kept="",
            clamp="",
            selected="",
        )
        self.cursor = 0

    def hide(self, text: str) -> None:
        """Put the panels and controls that `text` names out of sight, and all others in sight.

        A list with an unknown name is ignored: it comes from a browser.
        """
        known = [*PANELS, *CONTROLS]
        try:
            self.hidden = names_to_text(text_to_names(text, known), known)
        except ValueError:
            return

    def hides(self, name: str) -> bool:
        """Whether a panel or control is out of sight."""
        return name in self.hidden.split(".")

    def select(self, text: str) -> None:
        """Ask about the unit that `text` names as `text_to_unit` reads it; empty: about the one visited.

        What names no unit of both lanes is ignored: it comes from a browser.
        """
        try:
            text_to_unit(text, *(model.n_latents_ for model in self.models.values()))
        except ValueError:
            return
        self.selected = text

    def sort(self, order: str) -> None:
        """Put units beside each other in another of the `UNIT_ORDERS`; what is none changes nothing."""
        if order in UNIT_ORDERS:
            self.unit_order = order

    @property
    def held(self) -> dict[int, int]:
        """The LRBN's units that are held, and at which state."""
        return text_to_held(self.clamp, self.models[self.lrbn].n_latents_)

    def hold(self, unit: int, state: str) -> None:
        """Hold a unit of the LRBN ``"on"`` or ``"off"``, or let it go with ``"free"``; unit -1 means all.

        What names no unit or state is ignored: it comes from a browser.
        """
        n_h = self.models[self.lrbn].n_latents_
        if state not in ("on", "off", "free") or not -1 <= unit < n_h:
            return
        held = self.held
        for j in range(n_h) if unit < 0 else [unit]:
            held.pop(j, None)
            if state != "free":
                held[j] = int(state == "on")
        self.clamp = held_to_text(held)

    def begin_from(self, start: str) -> None:
        """Choose the start; ``"last"`` keeps the LRBN's state at the cursor and runs on from there."""
        if start != "last":
            self.param.update(start=start, kept="")
            return
        trace: ICMTrace = next(iter(self.traces))
        state = pixels_to_text(trace.latents(min(self.cursor, trace.n_visits)))
        self.param.update(start=start, kept=state, cursor=0)

    @property
    def question(self) -> str:
        """A name for the image and the models under inference: the same for the same, and for no other."""
        digest = blake2b(np.ascontiguousarray(self.x).tobytes(), digest_size=8).hexdigest()
        return f"{self.lrbn}.{self.rbm}.{digest}"

    @property
    def basins(self) -> Basins | None:
        """The optima that ICM reaches on this image from many starts; None while they are not known."""
        return self.search.known(self.question)

    def look_for_basins(self) -> None:
        """Have `basins` looked for, on a thread, unless they are known, or the model has several layers."""
        from lrbn_viz import find_basins

        if self.layered:
            return
        model, rival = self.models[self.lrbn], list(self.traces)[1]
        n_h = model.n_latents_
        n_starts = 1000 if n_h <= 50 else 500  # about a third of a second of two cores at 200 latents
        starts = {"rbm": rival.latents(rival.n_visits)} if rival.n_h == n_h else {}
        self.search.ask(self.question, partial(find_basins, model, self.x, n_starts, starts=starts))

    def climb_from(self, h: NDArray[np.uint8]) -> None:
        """Show the end of ICM, units in order and all free, from the state `h` (n_h,)."""
        self.param.update(
            algorithm="icm", start="last", kept=pixels_to_text(h), clamp="", cursor=self.n_visits
        )

    @param.depends(
        "index",
        "drawn",
        "given",
        "binary",
        "dataset_name",
        "lrbn",
        "rbm",
        "algorithm",
        "start",
        "kept",
        "clamp",
        "seed",
        watch=True,
    )
    def infer(self) -> None:
        """Run both lanes on the image and publish the traces.

        Raises
        ------
        ValueError
            The start is ``"last"`` and `kept` holds no state of the LRBN; `begin_from` sets both.
        """
        lrbn, rbm = self.models.values()
        algorithm = ALGORITHMS[self.algorithm]
        rival: ICMTrace = rbm.map_trace(self.x)
        init: str | NDArray[np.uint8] = self.start
        if self.start == "rbm":
            init = rival.latents(rival.n_visits)
        elif self.start == "last":
            init = text_to_pixels(self.kept, lrbn.n_latents_)
        traces: tuple[ICMTrace, ...] = (
            lrbn.map_trace(self.x, init=init, clamp=self.held, random_state=self.seed, **algorithm.arguments),
            rival,
        )
        # someone who was looking at the result goes on looking at results; else at the beginning
        at_end = (
            self.drawn != "" or self.given is not None or (self.traces != () and self.cursor >= self.n_visits)
        )
        # as `param.update` does, which copies all values first: too slow behind a moving pen
        with param.edit_constant(self), batch_call_watchers(self):
            first, self.traces = not self.traces, traces
            if not first:
                self.cursor = self.n_visits if at_end else 0

    @property
    def n_visits(self) -> int:
        """Visits of the longest trace: the end of the scrub bar."""
        return max((trace.n_visits for trace in self.traces), default=0)
