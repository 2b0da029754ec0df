"""The two lanes: the model, the inference, the start and the seed of each. No widgets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

import param

from lrbn_viz.app.inference.image import ShownImage
from lrbn_viz.app.shared.loading import dataset_by_name, model_by_name
from lrbn_viz.app.shared.menus import (
    FACTORISED,
    LIVE,
    RIVAL_STATE,
    offered,
)
from lrbn_viz.app.shared.texts import text_to_held
from lrbn_viz.core.names import check_names, unit_name
from lrbn_viz.io.constants import MAX_SEED

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset


class LaneParameters(NamedTuple):
    """Names of the parameters of a session that define one lane."""

    model: str
    algorithm: str
    start: str
    state: str
    clamp: str
    seed: str


LANES = (
    LaneParameters("model_name", "algorithm", "start", "start_state", "clamp", "seed"),
    LaneParameters(
        "rival_name", "rival_algorithm", "rival_start", "rival_start_state", "rival_clamp", "rival_seed"
    ),
)


class OwnModels(NamedTuple):
    """Models of this session only: of a run in training, or from a file.

    Attributes
    ----------
    models : dict
        The models by name.
    names : (str, str)
        Names of the models that the two lanes show at first, from `models` or others.
    data : Dataset
        Training data of the models; its test images can be chosen afterwards.
    image : dict
        Parameters of the session that show an image with them.
    inspected : bool
        True if they are an inspection of the state before a training step; the next inspection replaces them.
    """

    models: dict[str, Any]
    names: tuple[str, str]
    data: Dataset
    image: dict[str, Any]
    inspected: bool

    @property
    def key(self) -> tuple[str, bool]:
        """Name and kind of the images."""
        return self.data.name, self.data.binary


class TwoLanes(ShownImage):
    """The choice of an image and of the two lanes that infer it.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`, and to a fitted model. Tests give their own.
    model_name, rival_name : str
        Names of the models of the two lanes: any two of one data set that offer traces.
    """

    model_name = param.String(default="lrbn-200-mnist-flat")
    rival_name = param.String(default="rbm-200-mnist-likeliest")
    algorithm = param.String(default="icm", doc="One of the first model's ``trace_methods``.")
    rival_algorithm = param.String(default="", doc="One of the other's; its usual one when it has none such.")
    start = param.String(
        default="", doc="One of the first's starts, or the page's own; empty: its usual one."
    )
    rival_start = param.String(default="", doc="One of the other's.")
    start_state = param.String(
        default="", doc='Latents from which ``start="last"`` begins, as `pixels_to_text` writes them.'
    )
    rival_start_state = param.String(default="", doc="The same of the other.")
    clamp = param.String(default="", doc="Units of the first that are held, as `held_to_text` writes them.")
    rival_clamp = param.String(default="", doc="The same of the other.")
    seed = param.Integer(default=0, bounds=(0, MAX_SEED), doc="Of all that is drawn in the first lane.")
    rival_seed = param.Integer(default=0, bounds=(0, MAX_SEED), doc="The same of the other.")
    cursor = param.Integer(default=0, bounds=(0, None), doc="Visits shown.")
    selected = param.String(default="", doc="The lane and the unit asked about, as `text_to_unit` reads it.")
    traces = param.ClassSelector(class_=tuple, default=(), doc="One trace per lane.", constant=True)

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] = dataset_by_name,
        load_model: Callable[[str], Any] = model_by_name,
        **params: Any,
    ) -> None:
        super().__init__(load_dataset, **params)
        self._load_model = load_model
        self._models: dict[str, Any] = {}  # of the lanes
        self._own: list[OwnModels] = []  # all others that the session's menus name
        self._latent_names: dict[str, tuple[str, ...]] = {}  # given on the page, by the model that has them
        self.times_named = 0  # changes of these

    # -- models, inference and starts

    @property
    def lanes(self) -> list[tuple[str, Any]]:
        """Name and model of each lane; both may show the same."""
        names = (self.model_name, self.rival_name)
        for name in names:
            if name not in self._models:
                self._models[name] = self._find(name)
        if len(self._models) > len(set(names)):
            self._models = {name: self._models[name] for name in names}
        return [(name, self._models[name]) for name in names]

    def rename_unit(self, lane: int, unit: int, name: str) -> bool:
        """Name a latent of a lane's model for this session; an empty name takes its name away.

        The same weights read factorised have the same names. Returns False, and changes nothing, where there
        is no such unit, or where `check_names` refuses the name: both may come from a browser.
        """
        key, model = self.lanes[lane]
        if not 0 <= unit < model.n_latents_:
            return False
        names = [unit_name(j, model.latent_names_) for j in range(model.n_latents_)]
        names[unit] = name.strip() or unit_name(unit)
        try:
            given = check_names(names, model.n_latents_, "latent")
        except ValueError:
            return False
        numbers = tuple(unit_name(j) for j in range(model.n_latents_))
        self._latent_names[key.removeprefix(FACTORISED)] = () if given == numbers else given
        self._models = {}
        self.times_named += 1
        return True

    def _find(self, name: str) -> Any:
        """Return a model by name, with the names of units that the session has for it."""
        model, given = self._unnamed(name), self._latent_names.get(name)
        if given is None or len(given) not in (0, model.n_latents_) or given == model.latent_names_:
            return model
        return copy(model).name_units(given, model.visible_names_)  # the model itself belongs to all visitors

    def _unnamed(self, name: str) -> Any:
        if name.startswith(FACTORISED):
            from lrbn_viz.catalog import factorised

            other = name.removeprefix(FACTORISED)
            return factorised(self._models[other] if other in self._models else self._find(other))
        own = self.own_with(name)
        return self._load_model(name) if own is None else own.models[name]

    @property
    def models(self) -> dict[str, Any]:
        """The models of the lanes by name."""
        return dict(self.lanes)

    @property
    def methods(self) -> list[str]:
        """The kind of inference in each lane: the one chosen, or the usual one of a model without it."""
        asked = zip(self.lanes, (self.algorithm, self.rival_algorithm), strict=True)
        return [one_of(name, model.trace_methods_of(self.x)) for (_, model), name in asked]

    @property
    def starts(self) -> dict[str, str]:
        """Titles by name of the first lane's possible starts."""
        return self.starts_of(0)

    def starts_of(self, lane: int) -> dict[str, str]:
        """Return titles by name of a lane's possible starts; empty without a choice.

        The last state of the other lane is one of them, unless that lane starts from this one's.
        """
        (_, model), (_, other) = self.lanes[lane], self.lanes[1 - lane]
        if model.trace_methods[self.methods[lane]].start:
            return {}
        same = model.n_latents_ == other.n_latents_
        starts = offered(model, other, same)[1]
        for start in model.whole_starts if self.pixels_unknown else ():
            starts.pop(start, None)
        waits = getattr(self, LANES[1 - lane].start) == RIVAL_STATE
        if waits and RIVAL_STATE in offered(other, model, same)[1]:
            starts.pop(RIVAL_STATE, None)
        return starts

    def start_of(self, lane: int) -> str:
        """Return a lane's start: the chosen one, or the usual one; empty without a choice.

        The usual start of a shipped model was chosen by measurement; that of others is the first one.
        """
        from lrbn_viz.catalog import usual_start

        starts = self.starts_of(lane)
        for start in (getattr(self, LANES[lane].start), usual_start(getattr(self, LANES[lane].model))):
            if start in starts:
                return start
        return next(iter(starts), "")

    def held_in(self, lane: int) -> dict[int, int]:
        """Return the held units of a lane, with their states."""
        return text_to_held(getattr(self, LANES[lane].clamp), self.lanes[lane][1].n_latents_)

    @property
    def held(self) -> dict[int, int]:
        """Held units of the first lane, with their states."""
        return self.held_in(0)

    # -- the session's own models

    @property
    def inspected(self) -> str:
        """Name of the last inspected model in training, which can be shown again; empty: none."""
        seen = next((own for own in self._own if own.inspected), None)
        return "" if seen is None or not seen.names[0].startswith(LIVE) else seen.names[0]

    @property
    def own_models(self) -> list[str]:
        """Names of the session's own models in its menus."""
        return [name for own in self._own for name in own.models]

    @property
    def opened(self) -> list[OwnModels]:
        """Own models that were opened from files, and not inspected before a training step."""
        return [own for own in self._own if not own.inspected]

    def own_with(self, name: str) -> OwnModels | None:
        """Return the own models that include this name; None if there are none."""
        return next((own for own in self._own if name in own.models), None)


def one_of(name: str, known: Mapping[str, str]) -> str:
    """Return a name if it is known, else the first known name; the name itself if none is known."""
    return name if name in known else next(iter(known), name)
