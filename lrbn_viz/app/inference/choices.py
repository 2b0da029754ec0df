"""Choices in each lane, and the restrictions of the other lane that follow from them. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from lrbn_viz.app.inference.lanes import LANES, OwnModels, TwoLanes, one_of
from lrbn_viz.app.shared.menus import (
    FACTORISED,
    model_title,
    offered,
    partner,
    read_as,
    shipped_info,
    shown_models,
    takes_images,
)
from lrbn_viz.app.shared.texts import held_to_text, pixels_to_text
from lrbn_viz.app.shared.typed import whole_number
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.constants import MAX_SEED

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset

MAX_OPENED = 4
"""Largest number of sets of a visitor's own models that a session keeps: up to 40 MB with 400 latents."""


class LaneChoices(TwoLanes):
    """Two lanes, and the ways to choose others."""

    def models_for(self, lane: int) -> dict[str, tuple[str, str]]:
        """Return title and group of each model that a lane can show, by name.

        The second lane shows models of the same images. With another model in the first both lanes change.
        """
        other = (self.rival_name, self.model_name)[lane]
        here = title_of(self.dataset_name)
        found: dict[str, tuple[str, str]] = {}
        if (read := self._factorised(other)) is not None:
            found[read] = (read_as(not self.pixels_unknown)[1], here)
        shipped = {name: title for name, title in shown_models().items() if lane == 0 or self._fits(name)}
        for name, title in shipped.items():
            info = shipped_info(name)
            found[name] = title, here if info is None or self._fits(name) else title_of(info.dataset)
        for own in self._own:
            if lane == 0 or self._suits(own):
                found |= {name: (model_title(name), "of this session") for name in own.models}
        shown = (self.model_name, self.rival_name)[lane]
        if shown not in found:
            found = {shown: (model_title(shown), here), **found}
        return dict(sorted(found.items(), key=lambda item: item[1][1] != here))

    def choose_in(self, lane: int, part: str, value: str) -> None:
        """Choose a lane's ``"model"``, ``"algorithm"``, ``"start"`` or ``"seed"``.

        What is not on offer is ignored: it comes from a browser.
        """
        if lane not in (0, 1):
            return
        names = LANES[lane]
        if part == "model" and value in self.models_for(lane):
            self._show_model(lane, value)
        elif part == "algorithm" and value in self.lanes[lane][1].trace_methods:
            self.param.update(**{names.algorithm: value})
        elif part == "start" and value in self.starts_of(lane):
            self.begin_from(value, lane)
        elif part == "seed":
            try:
                self.param.update(**{names.seed: whole_number(value.strip(), 0, MAX_SEED)})
            except ValueError:
                return

    def compare(self, name: str) -> None:
        """Show another model in the first lane; one of other images brings them, and its partner.

        What is not on offer is ignored: it comes from a browser.
        """
        self.choose_in(0, "model", name)

    def swap(self) -> None:
        """Exchange the lanes, with all their choices."""
        mine, other = ({name: getattr(self, name) for name in names} for names in LANES)
        algorithms = self.methods
        swapped = dict(zip(LANES[1], mine.values(), strict=True))
        swapped |= dict(zip(LANES[0], other.values(), strict=True))
        swapped["algorithm"], swapped["rival_algorithm"] = algorithms[1], algorithms[0]
        lane, dot, unit = self.selected.partition(".")
        cursor = self.cursor
        # the empty text selects the unit visited in the first lane
        self.param.update(**swapped, selected=f"{1 - int(lane)}.{unit}" if dot else "")
        self.cursor = cursor  # both traces are unchanged

    def hold(self, unit: int, state: str, lane: int = 0) -> None:
        """Hold a unit of a lane ``"on"`` or ``"off"``, or release it (``"free"``); unit -1: all.

        If a decision is displayed, it remains displayed: the cursor goes to the visit of the same sweep that
        visits the selected unit, if there still is one.

        Invalid units or states, and lanes whose units cannot be held, as a browser may send, are ignored.
        """
        if lane not in (0, 1) or "clamp" not in self.lanes[lane][1].trace_options:
            return
        n_h = self.lanes[lane][1].n_latents_
        if state not in ("on", "off", "free") or not -1 <= unit < n_h:
            return
        held = self.held_in(lane)
        for j in range(n_h) if unit < 0 else [unit]:
            held.pop(j, None)
            if state != "free":
                held[j] = int(state == "on")
        asked, before, k = self._asked_in(lane), self.traces[lane], self.cursor
        self.param.update(**{LANES[lane].clamp: held_to_text(held)})
        if asked >= 0 and 0 < k <= before.n_visits and before.unit[k - 1] == asked:
            self.cursor = self.traces[lane].visit_of(asked, int(before.sweep[k - 1])) or self.cursor

    def _asked_in(self, lane: int) -> int:
        """Return the selected unit of a lane; -1 if none is selected."""
        of, dot, unit = self.selected.partition(".")
        return int(unit) if dot and int(of) == lane else -1

    def begin_from(self, start: str, lane: int = 0) -> None:
        """Choose a lane's start; ``"last"`` continues from its state at the cursor."""
        names = LANES[lane]
        if start != "last":
            self.param.update(**{names.start: start, names.state: ""})
            return
        trace = self.traces[lane]
        state = pixels_to_text(trace.latents(min(self.cursor, trace.n_visits)) > 0.5)
        self.param.update(**{names.start: start, names.state: state, "cursor": 0})

    # -- the session's own models

    def inspect(
        self,
        model_name: str,
        rival_name: str,
        data: Dataset,
        x: NDArray,
        origin: str,
        algorithm: str,
        start: str,
        models: Mapping[str, Any] = MappingProxyType({}),
    ) -> None:
        """Show two models on an image that is in no test set.

        The session keeps them until others are inspected.

        Parameters
        ----------
        model_name, rival_name : str
            Names of the models; of one in training it begins with ``"live:"``.
        data : Dataset
            Training data of the models; its test images can be chosen afterwards.
        x : (n_v,)
            An image in the units of `data`.
        origin : str
            What it is, in words.
        models : mapping, optional
            Models by name; missing ones are loaded as the session loads models.
        """
        image = {
            "index": 0,
            "drawn": pixels_to_text(x) if data.binary else "",
            "given": None if data.binary else x,
            "origin": origin,
        }
        self._own = [own for own in self._own if not own.inspected]
        own = OwnModels(dict(models), (model_name, rival_name), data, image, inspected=True)
        self._own.append(own)
        self._show_own(own, {"algorithm": algorithm, "start": start})

    def open_models(self, models: Mapping[str, Any], data: Dataset) -> None:
        """Show one or two models of this session on a test image of their data.

        A single model is shown beside its weights, factorised or, if it has none, beside itself.

        Parameters
        ----------
        models : mapping
            The models by name; a name begins with ``"live:"``.
        data : Dataset
            Their test images are shown.
        """
        self._show_own(self.offer_models(models, data), {})

    def offer_models(self, models: Mapping[str, Any], data: Dataset) -> OwnModels:
        """Keep models of this session for the menus of this page and of others, and return them.

        The parameters are those of `open_models`; models of the same names, and the oldest, are released.
        """
        names = list(models)
        beside = names[1] if len(names) > 1 else names[0]
        if len(names) == 1 and models[names[0]].has_rbm_parameters:
            beside = FACTORISED + names[0]
        image = {"index": 0, "drawn": "", "given": None, "origin": ""}
        opened = [own for own in self._own if not own.inspected and not set(own.models) & set(models)]
        seen = [own for own in self._own if own.inspected]
        self._own = [*seen, *opened[max(0, len(opened) - MAX_OPENED + 1) :]]
        self._own.append(OwnModels(dict(models), (names[0], beside), data, image, inspected=False))
        return self._own[-1]

    def _show_own(self, own: OwnModels, how: dict[str, str]) -> None:
        """Show kept models in both lanes."""
        # no loader knows a visitor's own data by name; others are loaded when needed
        same_images = self._datasets.get(own.key) is own.data
        self._datasets = {own.key: own.data}
        self._models = {}
        image = own.image if own.image["origin"] or not same_images else {}
        before = self.traces
        self._show(
            own.names, {"dataset_name": own.data.name, "binary": own.data.binary, **image}, how, new=True
        )
        if self.traces is before:  # the names are the same, but the models differ
            self.param.trigger("model_name")
        self.cursor = 0

    # -- dependencies between choices

    def _factorised(self, name: str) -> str | None:
        """Return the name of a shown model's weights, factorised; None if the model has no such form."""
        model = self.models.get(name)
        return FACTORISED + name if model is not None and model.has_rbm_parameters else None

    def _fits(self, name: str) -> bool:
        """Return whether a shipped model takes the current images."""
        info = shipped_info(name)
        return info is not None and takes_images(
            info, self.dataset_name, self.binary, self.dataset.image_shape
        )

    def _suits(self, own: OwnModels) -> bool:
        """Return whether own models take the current images."""
        return own.data.binary == self.binary and own.data.image_shape == self.dataset.image_shape

    def _partner(self, name: str) -> str:
        """Return the name of the model that is at first shown beside another."""
        if name.startswith(FACTORISED):
            return name.removeprefix(FACTORISED)
        own = self.own_with(name)
        if own is not None:
            return own.names[1 - own.names.index(name)] if name in own.names else own.names[0]
        return partner(name) if shipped_info(name) is not None else name

    def _show_model(self, lane: int, name: str) -> None:
        """Show another model in a lane; the other lane's stays unless it is the partner of the old one."""
        names = [self.model_name, self.rival_name]
        before, beside = names[lane], names[1 - lane]
        own, info = self.own_with(name.removeprefix(FACTORISED)), shipped_info(name)
        names[lane] = name
        image: dict[str, Any] = {}
        if own is not None:
            stays = self._suits(own) and (lane == 1 or own.key == (self.dataset_name, self.binary))
        else:
            stays = info is None or self._fits(name)
        if own is not None and not stays:
            self._datasets = {own.key: own.data}
            image = {"dataset_name": own.data.name, "binary": own.data.binary, **own.image}
        elif info is not None and not stays:
            image = {
                "dataset_name": info.dataset,
                "binary": info.binary,
                "index": self.index if info.dataset == self.dataset_name else info.image,
                "drawn": "",
                "origin": "",
                "given": None,
            }
        if not stays or (lane == 0 and beside == self._partner(before)):
            names[1 - lane] = self._partner(name)
        elif beside == FACTORISED + before:
            names[1 - lane] = FACTORISED + name
        if names[1 - lane] == FACTORISED + name and not self._find(name).has_rbm_parameters:
            names[1 - lane] = self._partner(name)
        self._show((names[0], names[1]), image, {}, new=False)

    def _show(self, names: tuple[str, str], image: dict[str, Any], how: dict[str, str], new: bool) -> None:
        """Show two models by name; previous choices that they offer are kept.

        `new`: True if known names may now mean other models.
        """
        changed = [
            new or name != old for name, old in zip(names, (self.model_name, self.rival_name), strict=True)
        ]
        from lrbn_viz.catalog import usual_start

        models = [self._models[name] if name in self._models else self._find(name) for name in names]
        same = models[0].n_latents_ == models[1].n_latents_
        values: dict[str, Any] = {"model_name": names[0], "rival_name": names[1], **image}
        for lane, parameters in enumerate(LANES):
            model, other = models[lane], models[1 - lane]
            algorithms, starts = offered(model, other, same)
            asked = {
                "algorithm": getattr(self, parameters.algorithm),
                "start": getattr(self, parameters.start),
            }
            asked |= how if lane == 0 else {}
            # "last" is a state of another model's units, and each model has its own usual start
            left = ("last", usual_start(getattr(self, parameters.model))) if changed[lane] else ()
            values[parameters.algorithm] = one_of(asked["algorithm"], algorithms)
            keeps = asked["start"] in starts and asked["start"] not in left
            values[parameters.start] = asked["start"] if keeps else ""
            if changed[lane]:
                values |= {parameters.state: "", parameters.clamp: ""}
        if any(changed):
            # the selected unit belonged to another model; the selected lane stays
            values["selected"] = "lane2" if self.selected.startswith(("1.", "lane2")) else ""
        self._models = dict(zip(names, models, strict=True))
        self.param.update(**values)
