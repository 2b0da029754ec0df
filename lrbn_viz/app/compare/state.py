"""The comparison of one visitor: a data set, systems, test images, and results. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import param

from lrbn_viz.app.compare.figures import figures
from lrbn_viz.app.compare.measuring import SECONDS
from lrbn_viz.app.compare.offers import (
    MAX_SYSTEMS,
    Offer,
    datasets,
    first_systems,
    offer_of,
    systems_of,
)
from lrbn_viz.app.compare.own import OwnModel, OwnModels
from lrbn_viz.app.compare.work import Comparer, Measurer, Question, Seen, look_at
from lrbn_viz.app.shared.loading import USUAL, dataset_by_name, model_by_name
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.datasets.dataset import title_of
from lrbn_viz.io.background import Executor, log_error
from lrbn_viz.io.constants import MAX_SEED

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset

MIN_IMAGES, MAX_IMAGES = 6, 12
"""Bounds of the number of images."""

METHODS: dict[str, str] = {
    "usual": "the usual one of each system",
    "annealed": f"annealed over {ANNEALED_SWEEPS} sweeps, where a system can",
}
"""Kinds of inference by name; a system without the chosen one uses its usual inference."""

_drawing = Executor("drawing")  # one for all pages: HoloViews draws one figure at a time


class CompareState(param.Parameterized):
    """State of the Compare page.

    Setting a parameter starts new requests; `poll` takes over the results of the thread.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`; from a name to a fitted model. Tests give their own.
    """

    dataset_name = param.String(default=USUAL)
    systems = param.String(default="", doc="Names, as `names_to_text` writes them; empty: the first ones.")
    own = param.ClassSelector(class_=tuple, default=(), doc="Keys of the session's models that are compared.")
    images = param.Integer(
        default=8, bounds=(MIN_IMAGES, MAX_IMAGES), doc="Test images that all systems are shown."
    )
    seed = param.Integer(default=0, bounds=(0, MAX_SEED), doc="Which test images, and what is drawn.")
    method = param.Selector(default="usual", objects=list(METHODS), doc="How latents are inferred.")
    chosen = param.String(default="", doc="The system that is highlighted; empty: none.")
    found = param.Dict(default={}, constant=True, doc="What was seen so far, by the system's name.")
    measured = param.Dict(default={}, constant=True, doc="Figures of own models, by key and data set.")
    figures = param.String(default="", constant=True, doc="What `figures` returns of these systems.")
    brought = param.Integer(default=0, constant=True, doc="How often the session's models have changed.")
    progress = param.String(default="", constant=True, doc="What is being done, in words.")

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] = dataset_by_name,
        load_model: Callable[[str], Any] = model_by_name,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._load_dataset, self._load_model = load_dataset, load_model
        self._comparer = Comparer(self._answer)
        self._measurer = Measurer()
        self._own = OwnModels()
        self._drawn: Future[str] | None = None
        if not self.systems:
            self.systems = first_systems(self.dataset_name)
        if self.chosen not in self.names:
            self.chosen = ""
        self.draw()
        self.ask()

    @property
    def dataset(self) -> Dataset:
        """The data set, binary."""
        return self._images_of(self.dataset_name)

    def _images_of(self, name: str) -> Dataset:
        own = self._own.datasets(datasets())
        return own[name] if name in own else self._load_dataset(name)

    @property
    def datasets(self) -> dict[str, str]:
        """Titles by name of all data sets: those of several shipped systems, and of the session's models."""
        shipped = datasets()
        return shipped | {name: title_of(name) for name in self._own.datasets(shipped)}

    @property
    def names(self) -> list[str]:
        """The systems that are compared, in order: shipped ones, then those of the session."""
        return [*(self.systems.split(".") if self.systems else []), *self.own]

    @property
    def offered(self) -> dict[str, Offer]:
        """All systems of the data set by name."""
        shipped = {name: offer_of(info) for name, info in systems_of(self.dataset_name).items()}
        return shipped | self._own.offers(self.dataset, self.measured)

    @property
    def compared(self) -> list[Offer]:
        """The systems that are compared, in order."""
        offered = self.offered
        return [offered[name] for name in self.names]

    @property
    def left_out(self) -> str:
        """Names of the session's models that take other images, in words."""
        return self._own.left_out(self.dataset)

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of the test images, drawn without replacement by the seed."""
        n = len(self.dataset.test_X)
        drawn = np.random.default_rng(self.seed).permutation(n)[: self.images]
        return tuple(int(row) for row in drawn)

    def compare(self, dataset: str) -> None:
        """Compare the default systems of another data set; unknown names are ignored."""
        if dataset not in self.datasets or dataset == self.dataset_name:
            return
        fitting, first = list(self._own.offers(self._images_of(dataset), {})), first_systems(dataset)
        kept = [key for key in fitting if key in self.own or dataset not in datasets()]
        own = kept[: MAX_SYSTEMS - len(first.split(".") if first else ())]
        self.param.update(dataset_name=dataset, systems=first, own=tuple(own), chosen="")

    def bring(self, models: Sequence[OwnModel]) -> None:
        """Offer the session's current models; others stay as long as they are compared."""
        before = list(self._own.known)
        self._own.take(models, self.own)
        if list(self._own.known) != before:
            with param.edit_constant(self):
                self.brought += 1

    def toggle(self, name: str, on: bool) -> None:
        """Add a system to the comparison, or remove it; 1 to `MAX_SYSTEMS` systems are compared."""
        offered, names = self.offered, self.names
        if on == (name in names) or name not in offered:
            return
        wanted = {*names, name} if on else {*names} - {name}
        if not 1 <= len(wanted) <= MAX_SYSTEMS:
            return
        text = ".".join(other for other, offer in offered.items() if other in wanted and not offer.own)
        own = tuple(other for other, offer in offered.items() if other in wanted and offer.own)
        self.param.update(systems=text, own=own, chosen=self.chosen if self.chosen in wanted else "")

    def choose(self, name: str) -> None:
        """Highlight a compared system, or remove its highlight."""
        if name in self.names:
            self.chosen = "" if name == self.chosen else name

    def other_images(self) -> None:
        """Compare on other test images."""
        self.seed = (self.seed + 1) % (MAX_SEED + 1)

    @property
    def busy(self) -> bool:
        """True if results are still being computed, or have not been taken over."""
        waits = self._comparer.busy or self._measurer.busy or self._drawn is not None
        return waits or bool(self.progress)

    @param.depends("dataset_name", "systems", "own", "measured", watch=True)
    def draw(self) -> None:
        """Draw the figures of these systems."""
        if self._drawn is not None:
            self._drawn.cancel()
        self._drawn = _drawing.submit(figures, tuple(self.compared), self.dataset.is_table)
        self._drawn.add_done_callback(log_error)

    @param.depends("dataset_name", "own", watch=True)
    def measure(self) -> None:
        """Measure the compared models of the session that were not measured before."""
        data, known, keys = self.dataset, self._own.known, cast("tuple[str, ...]", self.own)
        wanted = {(key, data.name): (known[key].model, data.test_X) for key in keys}
        self._measurer.want(wanted)

    @param.depends("dataset_name", "systems", "own", "images", "seed", "method", watch=True)
    def ask(self) -> None:
        """Request inference of the images by all systems, in place of requests that have not begun."""
        rows = self.rows
        self._comparer.ask(
            [Question(name, self.dataset_name, rows, self.method, self.seed) for name in self.names]
        )
        self.poll()

    def poll(self) -> None:
        """Take over new results of the threads, and update the texts about their work."""
        busy = self._comparer.busy  # asked before the answers are read, so that none is missed
        found, measured, progress = self._comparer.answers(), self._measurer.found(), ""
        if busy:
            at = self.offered.get(self._comparer.at)
            what = f"{at.title} infers the latents" if at else "Latents are being inferred"
            progress = f"{what}: {len(found)} of {len(self.names)} systems are done."
        elif self._measurer.busy:
            (key, _), what, share = self._measurer.at
            own = self._own.known.get(key)
            done = f", {100 * share:.0f} % done" if share else ""
            who = f"{own.title} is being measured: {what}{done}" if own else "Models wait to be measured"
            progress = f"{who}. The measurement of nats stops after {2 * SECONDS:.0f} seconds."
        elif self._drawn is not None and not self._drawn.done():
            progress = "The figures are being drawn."
        changed = {key: value for key, value in found.items() if self.found.get(key) is not value}
        drawn, done = self.figures, self._drawn
        if done is not None and done.done():
            self._drawn = None
            drawn = "" if done.cancelled() or done.exception() is not None else done.result()
        with param.edit_constant(self):
            if drawn != self.figures:
                self.figures = drawn
            if changed or found.keys() != self.found.keys():
                self.found = found
            if measured.keys() != self.measured.keys():
                self.measured = measured
            if progress != self.progress:
                self.progress = progress

    def close(self) -> None:
        """Drop all requests that have not begun, as the page is closed."""
        self._comparer.close()
        self._measurer.want({})

    def _answer(self, question: Question) -> Seen:
        """Compute a result on the thread, without touching the page."""
        own = self._own.known.get(question.name)
        model = self._load_model(question.name) if own is None else own.model
        X = self._images_of(question.dataset).test_X[list(question.rows)]
        return look_at(model, X, question.name, question.method, question.seed)
