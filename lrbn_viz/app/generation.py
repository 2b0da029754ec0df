"""What one visitor lets the models draw: passes, held units, the walk between two codes. No widgets here."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

import param
from numpy.typing import NDArray

from lrbn_viz.app.texts import held_to_text, text_to_held

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset
    from lrbn_viz.generation import Passes
    from lrbn_viz.neighbours import Nearest, Neighbours
    from lrbn_viz.walks import Walk

MAX_PASSES = 240

BEGINNINGS: dict[str, str] = {"noise": "noise: fair coins", "data": "a test image"}

WAYS: dict[str, str] = {
    "best": "flip by flip, the likeliest next",
    "number": "flip by flip, by number",
    "straight": "all units a little at a time",
}

# Names in the link, in their order there; none is also one of the Inference page, whose state follows.
NAMES = {
    "generator": "lrbn",
    "draw_seed": "seed",
    "chain": "begin",
    "chain_image": "index",
    "passes": "passes",
    "lrbn_hold": "held",
    "rbm_hold": "rival_held",
    "walk_from": "walk_from",
    "walk_to": "walk_to",
    "walk": "walk_way",
    "walk_at": "walk_at",
    "pass": "shown",
    "step": "step",
}


class Generation(param.Parameterized):
    """State of the Generate page.

    Setting a parameter is all a view ever does; `drawn` and `walks` then belong to the other parameters.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`, and to a fitted model. Tests give their own.
    """

    dataset_name = param.String(default="mnist5k")
    # A learned prior: of a flat one every code is as likely, and its samples are no digits.
    lrbn = param.String(default="lrbn-200-mnist-learned")
    rbm = param.String(default="rbm-200-mnist")
    seed = param.Integer(default=0, bounds=(0, 2**31 - 1))
    begin = param.Selector(default="noise", objects=list(BEGINNINGS), doc="What the RBM's chain starts from.")
    index = param.Integer(default=0, bounds=(0, None), doc="Row of the test image it starts from.")
    passes = param.Integer(default=24, bounds=(1, MAX_PASSES))
    held = param.String(default="", doc="Units of the LRBN that are held, as `held_to_text` writes them.")
    rival_held = param.String(default="", doc="The same of the RBM.")
    shown = param.Integer(default=-1, bounds=(-1, None), doc="Pass at the cursor, from 0; -1: the last.")
    step = param.Integer(default=-1, bounds=(-1, None), doc="Steps of it that are done; -1: all.")
    walk_from = param.String(default="t0", doc="t and a test image's row, or s and the number of a pass.")
    walk_to = param.String(default="t1")
    walk_way = param.Selector(default="best", objects=list(WAYS))
    walk_at = param.Integer(default=-1, bounds=(-1, None), doc="Thousandths of the way; -1: the middle.")
    drawn = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Passes` of LRBN and RBM.")
    nearest = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Nearest` training images.")
    walks = param.ClassSelector(class_=tuple, default=(), constant=True, doc="`Walk` of LRBN and RBM.")

    def __init__(
        self,
        load_dataset: Callable[[str], Dataset] | None = None,
        load_model: Callable[[str], Any] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        if load_dataset is None or load_model is None:
            import lrbn_viz

            load_dataset = load_dataset or lrbn_viz.load_dataset
            load_model = load_model or lrbn_viz.pretrained
        self._load_dataset, self._load_model = load_dataset, load_model
        self._neighbours: tuple[str, Neighbours] | None = None
        self.draw()

    @property
    def dataset(self) -> Dataset:
        """The data set that the models were trained on."""
        return self._load_dataset(self.dataset_name)

    @property
    def models(self) -> tuple[Any, Any]:
        """LRBN and RBM."""
        return self._load_model(self.lrbn), self._load_model(self.rbm)

    @property
    def holds(self) -> tuple[dict[int, int], dict[int, int]]:
        """Units that are held, and at which state: of the LRBN, and of the RBM."""
        lrbn, rbm = self.models
        return text_to_held(self.held, lrbn.params_.n_h), text_to_held(self.rival_held, rbm.params_.n_h)

    def hold(self, lane: int, unit: int, state: str) -> None:
        """Hold a unit of a lane ``"on"`` or ``"off"``, or let it go with ``"free"``; unit -1 means all.

        What names no lane, unit or state is ignored: it comes from a browser.
        """
        if lane not in (0, 1) or state not in ("on", "off", "free"):
            return
        n_h, held = self.models[lane].params_.n_h, self.holds[lane]
        if not -1 <= unit < n_h or (unit < 0 and state != "free"):
            return
        if unit < 0:
            held.clear()
        elif state == "free":
            held.pop(unit, None)
        else:
            held[unit] = int(state == "on")
        self.param.update(**{("held", "rival_held")[lane]: held_to_text(held)})

    def compare(self, lrbn: str) -> None:
        """Let another of the shipped LRBNs draw, beside its rival; what is none is ignored."""
        from lrbn_viz.catalog import PRETRAINED

        info = PRETRAINED.get(lrbn)
        if info is None or info.system != "LRBN" or info.n_layers > 1 or lrbn == self.lrbn:
            return
        kept = info.dataset == self.dataset_name
        self.param.update(
            lrbn=lrbn,
            rbm=info.rival,
            dataset_name=info.dataset,
            index=self.index if kept else 0,
            held="",
            rival_held="",
            walk_from=self.walk_from if kept else "t0",
            walk_to=self.walk_to if kept else "t1",
        )

    def run_on(self) -> None:
        """Draw as many passes again, up to `MAX_PASSES`; those drawn stay what they are."""
        self.param.update(passes=min(MAX_PASSES, 2 * self.passes), shown=self.passes - 1, step=-1)

    def look(self, shown: int, step: int) -> None:
        """Take over the cursor of the browser."""
        if shown >= -1 and step >= -1:
            self.param.update(shown=shown, step=step)

    def walk_between(self, start: str, end: str, way: str) -> None:
        """Walk elsewhere, or in another way; what cannot be is ignored: it comes from a browser."""
        try:
            for text in (start, end):
                self._check_end(text)
        except ValueError:
            return
        if way in WAYS:
            self.param.update(walk_from=start, walk_to=end, walk_way=way)

    def walk_on(self, at: int) -> None:
        """Take over the walk's cursor of the browser, in thousandths."""
        if 0 <= at <= 1000:
            self.walk_at = at

    def _check_end(self, text: str) -> tuple[str, int]:
        """Return kind and number of one end of the walk; ValueError if there is none such."""
        match = re.fullmatch(r"([ts])([0-9]{1,6})", text)
        bound = {"t": len(self.dataset.test_X), "s": self.passes}
        if match is None or int(match[2]) >= bound[match[1]]:
            raise ValueError(
                f"expected t and a number below {bound['t']}, or s and one below {bound['s']}, got {text!r}."
            )
        return match[1], int(match[2])

    def end_images(self) -> tuple[tuple[NDArray, NDArray], tuple[NDArray, NDArray]]:
        """Return the images at the ends of the walk: those of the LRBN, then those of the RBM."""
        found: list[tuple[NDArray, NDArray]] = []
        for lane in (0, 1):
            pair = []
            for text in (self.walk_from, self.walk_to):
                kind, number = self._check_end(text)
                pair.append(self.dataset.test_X[number] if kind == "t" else self.drawn[lane].X[number])
            found.append((pair[0], pair[1]))
        return found[0], found[1]

    @param.depends(
        "dataset_name", "lrbn", "rbm", "seed", "begin", "index", "passes", "held", "rival_held", watch=True
    )
    def draw(self) -> None:
        """Let both models draw, look up the nearest training images, and publish both."""
        from lrbn_viz.generation import ancestral_passes, gibbs_passes, noise_image

        (lrbn, rbm), (held, rival_held) = self.models, self.holds
        data = self.dataset
        x0 = noise_image(data.n_v, self.seed) if self.begin == "noise" else data.test_X[self.index]
        drawn: tuple[Passes, ...] = (
            ancestral_passes(lrbn, self.passes, clamp=held, seed=self.seed),
            gibbs_passes(rbm, self.passes, x0, clamp=rival_held, seed=self.seed),
        )
        known = self._known()
        nearest: tuple[Nearest, ...] = tuple(known.nearest(passes.X) for passes in drawn)
        with param.edit_constant(self):
            self.param.update(drawn=drawn, nearest=nearest)

    def _known(self) -> Neighbours:
        """Return the training images, ready to be searched."""
        from lrbn_viz.neighbours import Neighbours

        if self._neighbours is None or self._neighbours[0] != self.dataset_name:
            self._neighbours = (self.dataset_name, Neighbours(self.dataset.train_X))
        return self._neighbours[1]

    @param.depends("walk_from", "walk_to", "walk_way", "drawn", watch=True)
    def walk(self) -> None:
        """Walk between the codes of both models and publish the walks."""
        from lrbn_viz.walks import walk_codes

        try:
            ends = self.end_images()
        except ValueError:  # fewer passes or images than there were
            self.param.update(walk_from="t0", walk_to="t1")
            return
        walks: list[Walk] = []
        for model, images, passes in zip(self.models, ends, self.drawn, strict=True):
            codes = [
                passes.H[number] if kind == "s" else model.transform(x[None])[0]
                for (kind, number), x in zip(
                    map(self._check_end, (self.walk_from, self.walk_to)), images, strict=True
                )
            ]
            walks.append(walk_codes(model, codes[0], codes[1], self.walk_way))
        with param.edit_constant(self):
            self.walks = tuple(walks)


def write_generation(generation: Generation) -> dict[str, str]:
    """Return what of an address brings this state back, by name; what is as by default is left out."""
    values = {short: getattr(generation, name) for short, name in NAMES.items()}
    return {
        short: str(value)
        for short, value in values.items()
        if value != Generation.param[NAMES[short]].default
    }


def read_generation(query: str) -> dict[str, Any]:
    """Return the parameters that a query names; what it gets wrong is left out.

    A link is typed, cut and mailed by people: a value that does not fit falls back to its default.
    """
    from lrbn_viz.catalog import DATASETS, PRETRAINED

    found: dict[str, Any] = {}
    for short, text in parse_qsl(query.lstrip("?")):
        parameter = Generation.param[NAMES[short]] if short in NAMES else None
        value: Any = text
        if isinstance(parameter, param.Integer):
            value = int(text) if re.fullmatch(r"[0-9]{1,10}", text) else None
        try:
            if parameter is not None and value is not None:
                parameter._validate(value)
                found[NAMES[short]] = value
        except ValueError:
            continue
    if "lrbn" in found:
        info = PRETRAINED.get(found["lrbn"])
        if info is None or info.system != "LRBN" or info.n_layers > 1:
            del found["lrbn"]
    info = PRETRAINED[found.get("lrbn", Generation.param["lrbn"].default)]
    found |= {"rbm": info.rival, "dataset_name": info.dataset}
    n_test = DATASETS[info.dataset].n_test
    if found.get("index", 0) >= n_test:
        del found["index"]
    for name, n_h in (("held", info.n_h), ("rival_held", PRETRAINED[str(info.rival)].n_h)):
        try:
            text_to_held(found.get(name, ""), n_h)
        except ValueError:
            del found[name]
    bounds = {"t": n_test, "s": found.get("passes", Generation.param["passes"].default)}
    for name in ("walk_from", "walk_to"):
        match = re.fullmatch(r"([ts])([0-9]{1,6})", found.get(name, "t0"))
        if match is None or int(match[2]) >= bounds[match[1]]:
            del found[name]
    return found
