"""What one visitor compares: a data set, systems, test images; and what was found so far. No widgets here."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from lrbn_viz.app.compare.figures import figures
from lrbn_viz.app.compare.offers import MOST_SYSTEMS, comparable, datasets, first_systems, systems_of
from lrbn_viz.app.compare.work import Comparer, Question, Seen, look_at
from lrbn_viz.app.shared.menus import shown_models
from lrbn_viz.background import Executor, log_error

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset

FEWEST, MOST = 6, 12
"""Bounds of the number of images."""

METHODS: dict[str, str] = {
    "usual": "the usual one of each system",
    "annealed": "annealed, where a system can",
}
"""Kinds of inference by name; a system without the one that is chosen does what it usually does."""

_drawing = Executor("drawing")  # one for all pages: HoloViews draws one figure at a time


class CompareState(param.Parameterized):
    """State of the Compare page.

    Setting a parameter asks anew; `poll` takes over what the thread has found.

    Parameters
    ----------
    load_dataset, load_model : callables
        From a name to a `Dataset`; from a name to a fitted model. Tests give their own.
    """

    dataset_name = param.String(default="mnist5k")
    systems = param.String(default="", doc="Names, as `names_to_text` writes them; empty: the first ones.")
    images = param.Integer(default=8, bounds=(FEWEST, MOST), doc="Test images that all systems are shown.")
    seed = param.Integer(default=0, bounds=(0, 2**31 - 1), doc="Which test images, and what is drawn.")
    method = param.Selector(default="usual", objects=list(METHODS), doc="How latents are inferred.")
    chosen = param.String(default="", doc="The system that is highlighted; empty: none.")
    found = param.Dict(default={}, constant=True, doc="What was seen so far, by the system's name.")
    figures = param.String(default="", constant=True, doc="What `figures` returns of these systems.")
    progress = param.String(default="", constant=True, doc="What is being done, in words.")

    def __init__(
        self,
        load_dataset: Callable[..., Dataset] | None = None,
        load_model: Callable[[str], Any] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        if load_dataset is None or load_model is None:
            import lrbn_viz

            load_dataset = load_dataset or lrbn_viz.load_dataset
            load_model = load_model or lrbn_viz.pretrained
        self._load_dataset, self._load_model = load_dataset, load_model
        self._comparer = Comparer(self._answer)
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
        return self._load_dataset(self.dataset_name)

    @property
    def names(self) -> list[str]:
        """The systems that are compared, in order."""
        return self.systems.split(".") if self.systems else []

    @property
    def offered(self) -> dict[str, str]:
        """Titles by name of all systems of the data set; an older one only where a link named it."""
        shown = shown_models(comparable)
        systems = systems_of(self.dataset_name)
        return {name: info.title for name, info in systems.items() if name in shown or name in self.names}

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of the test images: different ones, which the seed draws."""
        n = len(self.dataset.test_X)
        drawn = np.random.default_rng(self.seed).permutation(n)[: self.images]
        return tuple(int(row) for row in drawn)

    def compare(self, dataset: str) -> None:
        """Compare the first systems of another data set; what is no such data set is ignored."""
        if dataset in datasets() and dataset != self.dataset_name:
            self.param.update(dataset_name=dataset, systems=first_systems(dataset), chosen="")

    def toggle(self, name: str, on: bool) -> None:
        """Compare one more system, or one fewer; one at least stays, and some at most."""
        names = [other for other in self.offered if other in self.names]
        if on == (name in names) or name not in self.offered:
            return
        wanted = {*names, name} if on else {*names} - {name}
        if not 1 <= len(wanted) <= MOST_SYSTEMS:
            return
        text = ".".join(other for other in self.offered if other in wanted)
        self.param.update(systems=text, chosen=self.chosen if self.chosen in wanted else "")

    def choose(self, name: str) -> None:
        """Highlight a system that is compared, or none where it was highlighted already."""
        if name in self.names:
            self.chosen = "" if name == self.chosen else name

    def other_images(self) -> None:
        """Look at other test images."""
        self.seed = (self.seed + 1) % 2**31

    @property
    def busy(self) -> bool:
        """Whether something is still being looked at, or to be taken over."""
        return self._comparer.busy or self._drawn is not None or bool(self.progress)

    @param.depends("dataset_name", "systems", watch=True)
    def draw(self) -> None:
        """Have the figures drawn for these systems."""
        if self._drawn is not None:
            self._drawn.cancel()
        self._drawn = _drawing.submit(figures, self.dataset_name, tuple(self.names))
        self._drawn.add_done_callback(log_error)

    @param.depends("dataset_name", "systems", "images", "seed", "method", watch=True)
    def ask(self) -> None:
        """Have all systems shown the images; what was asked before and has not begun is dropped."""
        rows = self.rows
        self._comparer.ask(
            [Question(name, self.dataset_name, rows, self.method, self.seed) for name in self.names]
        )
        self.poll()

    def poll(self) -> None:
        """Take over what the thread has found since, and say what it is doing."""
        busy = self._comparer.busy  # asked first: what is done by then is among the answers
        found, titles = self._comparer.answers(), self.offered
        progress = ""
        if busy:
            at = titles.get(self._comparer.at, "")
            what = f"{at} is shown the images" if at else "The images are being looked at"
            progress = f"{what}: {len(found)} of {len(self.names)} systems are done."
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
            if progress != self.progress:
                self.progress = progress

    def close(self) -> None:
        """Drop what has not begun: the page is gone."""
        self._comparer.close()

    def _answer(self, question: Question) -> Seen:
        """Answer on the thread; nothing of the page is touched."""
        X = self._load_dataset(question.dataset).test_X[list(question.rows)]
        return look_at(self._load_model(question.name), X, question.name, question.method, question.seed)
