"""The samples of one visitor: passes, held units, interpolation between two codes. No widgets."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import param
from numpy.typing import NDArray
from param.parameterized import discard_events

from lrbn_viz.app.shared.loading import USUAL, dataset_by_name, model_by_name
from lrbn_viz.app.shared.menus import (
    BY_ITSELF,
    FACTORISED,
    draws,
    is_drawn,
    known_models,
    lane_titles,
    model_title,
    partner,
    shipped_info,
    shown_models,
    takes_images,
)
from lrbn_viz.app.shared.texts import held_to_text, text_to_held
from lrbn_viz.app.shared.typed import quoted
from lrbn_viz.app.shared.weights import same_weights
from lrbn_viz.io.constants import CHAIN_STARTS, MAX_PASSES, MAX_SEED, WALK_WAYS

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset
    from lrbn_viz.measure.interpolation import Interpolation
    from lrbn_viz.measure.nearest import Nearest, NearestImages
    from lrbn_viz.measure.passes import Passes

MAX_STEPS = 2**20
"""Upper limit on the steps of a pass, above those of any model: one for each unit, filter and pixel."""


class SessionModels(Protocol):
    """Models of one session, from one run or file, with the images that they are shown with."""

    @property
    def models(self) -> Mapping[str, Any]:
        """Fitted models by name."""
        ...

    @property
    def data(self) -> Dataset:
        """Images that the models take."""
        ...


class GenerateState(param.Parameterized):
    """State of the Generate page.

    Views only set parameters; `drawn` and `walks` then follow the other parameters.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name, and ``binary=False`` for real values, to a `Dataset`; from a name to a fitted model.
        Tests give their own.
    own : iterable of SessionModels
        Models of the session, as `bring` takes them.
    model_name, rival_name : str
        Names of the models of the two lanes: any two of one data set that draw pass by pass.
    """

    dataset_name = param.String(default=USUAL)
    # A model of two layers draws the best digits; one with a flat prior draws noise.
    model_name = param.String(default="lrbn-200-200-mnist-likeliest")
    rival_name = param.String(default="rbm-200-mnist-likeliest")
    seed = param.Integer(default=0, bounds=(0, MAX_SEED))
    begin = param.Selector(default="noise", objects=list(CHAIN_STARTS), doc="What a chain starts from.")
    index = param.Integer(default=0, bounds=(0, None), doc="Row of the test image it starts from.")
    passes = param.Integer(default=24, bounds=(1, MAX_PASSES))
    held = param.String(default="", doc="Units of the first that are held, as `held_to_text` writes them.")
    rival_held = param.String(default="", doc="The same of the other.")
    shown = param.Integer(default=-1, bounds=(-1, None), doc="Pass at the cursor, from 0; -1: the last.")
    step = param.Integer(default=-1, bounds=(-1, None), doc="Steps of it that are done; -1: all.")
    walk_from = param.String(default="t0", doc="t and a test image's row, or s and the number of a pass.")
    walk_to = param.String(default="t1")
    walk_way = param.Selector(default="best", objects=list(WALK_WAYS))
    walk_at = param.Integer(default=-1, bounds=(-1, None), doc="Thousandths of the way; -1: the middle.")
    drawn = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Passes` of each lane.")
    nearest = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Nearest` training images.")
    walks = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Interpolation` of each lane.")
    brought = param.Integer(default=0, constant=True, doc="How often the session's models have changed.")

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] = dataset_by_name,
        load_model: Callable[[str], Any] = model_by_name,
        own: Iterable[SessionModels] = (),
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._load_dataset, self._load_model = load_dataset, load_model
        self._data: tuple[tuple[str, bool], Dataset] | None = None
        self._factorised: dict[str, Any] = {}
        self._own = drawing_models(own)
        with discard_events(self):  # nothing is drawn yet
            self._mend_lanes()
        self._nearest: tuple[Dataset, NearestImages] | None = None
        self.draw()

    @property
    def dataset(self) -> Dataset:
        """The data set that the models were trained on: its binary images, or its standardised ones."""
        if (own := self._own_with(self.model_name)) is not None:
            return own.data
        key = self.dataset_name, self.models[0].visible == "bernoulli"
        if self._data is None or self._data[0] != key:
            kind = {} if key[1] else {"binary": False}
            self._data = key, self._load_dataset(self.dataset_name, **kind)
        return self._data[1]

    @property
    def lanes(self) -> list[tuple[str, Any]]:
        """Name and model of each lane."""
        return [(name, self._find(name)) for name in (self.model_name, self.rival_name)]

    def _find(self, name: str) -> Any:
        """Return a model by name; with the prefix of factorised models, an RBM with the model's weights."""
        other = name.removeprefix(FACTORISED)
        if other == name:
            own = self._own_with(name)
            return self._load_model(name) if own is None else own.models[name]
        if name not in self._factorised:
            from lrbn_viz.catalog import factorised

            self._factorised = {name: factorised(self._find(other))}
        return self._factorised[name]

    def _own_with(self, name: str) -> SessionModels | None:
        """Return the session's models that include this name, perhaps factorised; None if there are none."""
        return self._own.get(name.removeprefix(FACTORISED))

    def _mend_lanes(self) -> None:
        """Make both lanes show models of the same images if a link names models of the session."""
        if not self.shows_own:
            return
        if self.model_name not in self.offered:
            self.model_name = next(iter(self._own))
        own, info = self._own_with(self.model_name), shipped_info(self.model_name)
        if own is not None:
            self.dataset_name = own.data.name
        elif info is not None:
            self.dataset_name = info.dataset
        if self.rival_name not in self._suitable():
            self.rival_name = self._beside(self.model_name)

    def _beside(self, name: str) -> str:
        """Return the name of the model that one on offer is shown beside at first: of one of the session
        another of the same run, or its own weights, factorised.
        """
        own = self._own_with(name)
        if own is None:
            return partner(name)
        others = [other for other in drawing_models([own]) if other != name]
        if others:
            return others[0]
        return FACTORISED + name if own.models[name].has_rbm_parameters else name

    @property
    def shows_own(self) -> bool:
        """True if a lane shows a model of the session, which only the link of its run restores."""
        return any(self._own_with(name) is not None for name in (self.model_name, self.rival_name))

    def bring(self, own: Iterable[SessionModels]) -> None:
        """Offer the session's current models; those that are shown stay until others are chosen."""
        found, known, changed = drawing_models(own), self._own, False
        for name in {each.removeprefix(FACTORISED) for each in (self.model_name, self.rival_name)}:
            if name not in known:
                continue
            if name in found and not same_weights(found[name].models[name], known[name].models[name]):
                changed = True  # a file of this name was opened again
            else:
                found[name] = known[name]
        if not changed and found.keys() == known.keys():
            return
        self._own = found
        with param.edit_constant(self):
            self.brought += 1
        if changed:
            self._factorised = {}
            self.param.update(**_FREE)
            self.param.trigger("model_name")

    @property
    def titles(self) -> list[str]:
        """Titles of the lanes: the kinds of the models, or their names if both are of one kind."""
        return lane_titles([(name.removeprefix(FACTORISED), model) for name, model in self.lanes])

    @property
    def models(self) -> list[Any]:
        """The model of each lane."""
        return [model for _, model in self.lanes]

    @property
    def chains(self) -> list[str]:
        """Titles of the lanes that draw a chain, which starts from an image."""
        titles = zip(self.titles, self.models, strict=True)
        return [title for title, model in titles if model.graph != "directed"]

    @property
    def holds(self) -> tuple[dict[int, int], ...]:
        """Held units of each lane, with their states."""
        held = zip((self.held, self.rival_held), self.models, strict=True)
        return tuple(text_to_held(text, model.n_latents_) for text, model in held)

    def hold(self, lane: int, unit: int, state: str) -> None:
        """Hold a unit of a lane ``"on"`` or ``"off"``, or release it with ``"free"``; unit -1 means all.

        Invalid lanes, units or states, as a browser may send, are ignored.
        """
        if lane not in (0, 1) or state not in ("on", "off", "free"):
            return
        n_h, held = self.models[lane].n_latents_, self.holds[lane]
        if not -1 <= unit < n_h or (unit < 0 and state != "free"):
            return
        if unit < 0:
            held.clear()
        elif state == "free":
            held.pop(unit, None)
        else:
            held[unit] = int(state == "on")
        self.param.update(**{("held", "rival_held")[lane]: held_to_text(held)})

    def compare(self, name: str) -> None:
        """Show another offered model beside its rival; other names are ignored."""
        if name not in self.offered or name == self.model_name:
            return
        own, info = self._own_with(name), shipped_info(name)
        before = self.dataset
        dataset = own.data.name if own is not None else info.dataset if info is not None else before.name
        same = own.data is before if own is not None else dataset == before.name
        self.param.update(
            model_name=name,
            rival_name=self._beside(name),
            dataset_name=dataset,
            index=self.index if same else 0,
            **_FREE,
            walk_from=self.walk_from if same else "t0",
            walk_to=self.walk_to if same else "t1",
        )

    @property
    def offered(self) -> dict[str, str]:
        """Titles by name of the models that the first lane can show."""
        return shown_models(is_drawn) | {name: _own_title(name) for name in self._own}

    @property
    def others(self) -> dict[str, str]:
        """Titles by name of the models that can stand beside the first one."""
        found = self._suitable()
        if self.rival_name not in found:  # of a link
            found[self.rival_name] = model_title(self.rival_name)
        return found

    def _suitable(self) -> dict[str, str]:
        """Return titles by name of the models that draw images of the first one's data."""
        data = self.dataset
        same = data.name, data.binary, data.image_shape
        found = {name: info.title for name, info in known_models(draws).items() if takes_images(info, *same)}
        for name, own in self._own.items():
            if (own.data.binary, own.data.image_shape) == same[1:]:
                found[name] = _own_title(name)
        if self.models[0].has_rbm_parameters:
            found[FACTORISED + self.model_name] = BY_ITSELF
        return found

    def stand_beside(self, name: str) -> None:
        """Show another offered model in the second lane; other names are ignored."""
        if name in self.others and name != self.rival_name:
            self.param.update(rival_name=name, rival_held="")

    def show(self, name: str, beside: str = "") -> None:
        """Show an offered model, and a second one beside it if it is named; other names are ignored."""
        self.compare(name)
        if beside:
            self.stand_beside(beside)

    def run_on(self) -> None:
        """Double the number of passes, up to `MAX_PASSES`; existing passes stay the same."""
        self.param.update(passes=min(MAX_PASSES, 2 * self.passes), shown=self.passes - 1, step=-1)

    def look(self, shown: int, step: int) -> None:
        """Set the cursor to its position in the browser."""
        if -1 <= shown < self.passes and -1 <= step <= MAX_STEPS:
            self.param.update(shown=shown, step=step)

    def walk_between(self, start: str, end: str, way: str) -> None:
        """Interpolate between other codes, or by another path; invalid requests are ignored."""
        try:
            for text in (start, end):
                self._check_end(text)
        except ValueError:
            return
        if way in WALK_WAYS:
            self.param.update(walk_from=start, walk_to=end, walk_way=way)

    def walk_on(self, at: int) -> None:
        """Set the cursor of the interpolation to its position in the browser, in thousandths."""
        if 0 <= at <= 1000:
            self.walk_at = at

    def _check_end(self, text: str) -> tuple[str, int]:
        """Return kind and number of one end of the interpolation; ValueError if there is none such."""
        checked_end(text, len(self.dataset.test_X), self.passes)
        return text[0], int(text[1:])

    def end_images(self) -> list[list[NDArray]]:
        """Return the images at the ends of the interpolation of each lane."""
        ends = [self._check_end(text) for text in (self.walk_from, self.walk_to)]
        test_X, drawn = self.dataset.filled(self.dataset.test_X), self.drawn
        return [[(test_X if kind == "t" else passes.X)[row] for kind, row in ends] for passes in drawn]

    @param.depends(
        *("dataset_name", "model_name", "rival_name", "seed", "begin", "index", "passes"),
        *("held", "rival_held"),
        watch=True,
    )
    def draw(self) -> None:
        """Draw samples of both models, find their nearest training images, and publish both."""
        from lrbn_viz.measure.passes import draw_passes, noise_image

        if self.shown >= self.passes:
            self.param.update(shown=-1, step=-1)
        models, data = self.models, self.dataset
        noise = noise_image(data.n_v, self.seed, models[0].visible)
        x0 = noise if self.begin == "noise" else data.filled(data.test_X[self.index])
        drawn: tuple[Passes, ...] = tuple(
            draw_passes(model, self.passes, x0, clamp=held, seed=self.seed)
            for model, held in zip(models, self.holds, strict=True)
        )
        known = self._known()
        nearest: tuple[Nearest, ...] = tuple(known.nearest(passes.X) for passes in drawn)
        with param.edit_constant(self):
            self.param.update(drawn=drawn, nearest=nearest)

    def _known(self) -> NearestImages:
        """Return the training images, ready to be searched."""
        from lrbn_viz.measure.nearest import NearestImages

        data = self.dataset
        if self._nearest is None or self._nearest[0] is not data:
            self._nearest = (data, NearestImages(data.filled(data.train_X)))
        return self._nearest[1]

    @param.depends("walk_from", "walk_to", "walk_way", "drawn", watch=True)
    def walk(self) -> None:
        """Interpolate between the codes of both models and publish the results."""
        from lrbn_viz.measure.interpolation import interpolate

        try:
            ends = self.end_images()
        except ValueError:  # fewer passes or images than before
            self.param.update(walk_from="t0", walk_to="t1")
            return
        walks: list[Interpolation] = []
        numbers = [self._check_end(text) for text in (self.walk_from, self.walk_to)]
        for model, images, passes in zip(self.models, ends, self.drawn, strict=True):
            start, end = (
                passes.H[number, : model.n_latents_]
                if kind == "s"
                else np.hstack(model.infer(x[None]))[0] > 0.5
                for (kind, number), x in zip(numbers, images, strict=True)
            )
            walks.append(interpolate(model, start, end, self.walk_way))
        with param.edit_constant(self):
            self.walks = tuple(walks)


_FREE = {"held": "", "rival_held": ""}
"""Parameters of lanes in which no unit is held."""


def drawing_models(own: Iterable[SessionModels]) -> dict[str, SessionModels]:
    """Return by name the models of a session that draw pass by pass, each with those of its run or file."""
    return {name: each for each in own for name, model in each.models.items() if model.draws_passes}


def _own_title(name: str) -> str:
    return f"{model_title(name)} (of this session)"


def checked_end(text: str, n_test: int, passes: int) -> str:
    """Return one end of an interpolation; ValueError if there is none such."""
    match = re.fullmatch(r"([ts])([0-9]{1,6})", text)
    bound = {"t": n_test, "s": passes}
    if match is None or int(match[2]) >= bound[match[1]]:
        raise ValueError(
            f"expected t and a number below {n_test}, or s and one below {passes}, got {quoted(text)}."
        )
    return text
