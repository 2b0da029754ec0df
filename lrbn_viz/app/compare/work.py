"""Evaluation of systems one after another, on a thread: their results on the images, and their samples."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.compare.measuring import MeasurementAbandoned, measure
from lrbn_viz.io.background import Executor, log_error

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model

MAX_RETIMED_SECONDS = 0.25
"""Inference that takes longer, in seconds, is timed once; quicker inference is timed again."""
MAX_ANSWERS = 64
"""Number of answers that one visitor's page keeps."""


class Question(NamedTuple):
    """A question about one system; equal questions have equal answers, except for the milliseconds."""

    name: str
    """Name of the system."""
    dataset: str
    rows: tuple[int, ...]
    """Rows of the test images."""
    method: str
    """Kind of inference, if the system has it."""
    seed: int
    """Seed of its samples."""


class Seen(NamedTuple):
    """Results of one system on the images.

    Attributes
    ----------
    name : str
    reconstructions : (n, n_v) uint8
        The most probable image given the latents inferred of each.
    wrong : (n,) int
        Pixels in which it differs from the image.
    on : (n,) int
        Latents that are on, of all layers.
    milliseconds : float
        Milliseconds of inference per image, in one batch; the minimum of up to three measurements.
    samples : (n, n_v) uint8
        Images that the system draws.
    how : str
        The inference, in words.
    """

    name: str
    reconstructions: NDArray[np.uint8]
    wrong: NDArray[np.int64]
    on: NDArray[np.int64]
    milliseconds: float
    samples: NDArray[np.uint8]
    how: str


def look_at(model: Model, X: NDArray[Any], name: str, method: str, seed: int) -> Seen:
    """Infer the latents of images, decode them again, and draw as many new ones.

    Parameters
    ----------
    model : Model
        Of binary images.
    X : (n, n_v)
        NaN is not known.
    name : str
        Of the model.
    method : str
        One of its ``methods``; otherwise its usual inference is used.
    seed : int
        Seed of its samples.
    """
    options: dict[str, Any] = {"method": method} if method in model.methods else {}
    H = model.infer(X, **options)  # reading and compilation are not timed
    shortest, begun = np.inf, time.perf_counter()
    for _ in range(3):
        at = time.perf_counter()
        model.infer(X, **options)
        shortest = min(shortest, time.perf_counter() - at)
        if time.perf_counter() - begun > MAX_RETIMED_SECONDS:
            break
    codes = (np.hstack(H) > 0.5).astype(np.uint8)
    # means are decoded as means, as for the measured figures
    made = np.asarray(model.most_probable(codes if model.factorised else np.hstack(H))).astype(np.uint8)
    usual = next(iter(model.methods), "")
    # the title of a lane, without its part about other cards
    named = (
        "exact, one pass"
        if model.factorised
        else next(iter(model.trace_methods.values())).title.split(";")[0]
    )
    how = model.methods.get(options.get("method", usual), named)
    return Seen(
        name,
        made,
        (made != np.where(np.isnan(X), made, X)).sum(axis=1),  # of what is known
        codes.sum(axis=1, dtype=np.int64),
        1000.0 * shortest / len(X),
        np.asarray(model.sample(len(X), random_state=seed)).astype(np.uint8),
        how,
    )


class Comparer:
    """Answers questions one after another on a thread, and drops those that are no longer requested.

    Only one thread, that of the page, may call its methods.

    Parameters
    ----------
    answer : callable
        Function from a question to its result; called on the thread.
    """

    def __init__(self, answer: Callable[[Question], Seen]) -> None:
        self._answer = answer
        self._executor = Executor("comparing")
        self._lock = Lock()
        self._known: OrderedDict[Question, Seen | str] = OrderedDict()
        self._wanted: tuple[Question, ...] = ()
        self._at: Question | None = None

    def ask(self, questions: Sequence[Question]) -> None:
        """Request answers to these questions, and to no others."""
        with self._lock:
            self._wanted = tuple(questions)
            missing = [question for question in questions if question not in self._known]
        for question in missing:
            self._executor.submit(self._work, question).add_done_callback(log_error)

    def _work(self, question: Question) -> None:
        with self._lock:
            if question not in self._wanted or question in self._known:
                return
            self._at = question
        try:
            found: Seen | str = self._answer(question)
        except Exception as error:  # the page shows it in the system's row; the others continue
            found = f"{type(error).__name__}: {error}"
        with self._lock:
            self._at = None
            self._known[question] = found
            while len(self._known) > MAX_ANSWERS:
                self._known.popitem(last=False)

    def answers(self) -> dict[str, Seen | str]:
        """Return the answers so far to the requested questions, by the system's name; errors as words."""
        with self._lock:
            return {q.name: self._known[q] for q in self._wanted if q in self._known}

    @property
    def at(self) -> str:
        """Name of the system that is being evaluated; empty if none is."""
        with self._lock:
            return "" if self._at is None else self._at.name

    @property
    def busy(self) -> bool:
        """True if an answer is still outstanding."""
        with self._lock:
            return any(question not in self._known for question in self._wanted)

    def close(self) -> None:
        """Withdraw all requests."""
        self.ask(())


_measuring = Executor("measuring")  # one for all pages, as a measurement keeps a core busy

Subject = tuple[str, str]
"""A model's key and the data set on whose images it is measured."""


class Measurer:
    """Measures models of one session, one after another, and stores the figures of each."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._wanted: dict[Subject, tuple[Model, NDArray]] = {}
        self._begun: set[Subject] = set()
        self._known: dict[Subject, dict[str, Any] | str] = {}
        self._at: tuple[Subject, str, float] = ("", ""), "", 0.0

    def want(self, subjects: Mapping[Subject, tuple[Model, NDArray]]) -> None:
        """Request figures of these models on these images, and of no others; earlier results are kept."""
        with self._lock:
            self._wanted = dict(subjects)
            new = [each for each in subjects if each not in self._known and each not in self._begun]
            self._begun.update(new)
        for subject in new:
            _measuring.submit(self._work, subject).add_done_callback(log_error)

    def _work(self, subject: Subject) -> None:
        def say(what: str, share: float) -> None:
            with self._lock:
                if subject not in self._wanted:
                    raise MeasurementAbandoned
                self._at = subject, what, share

        found: dict[str, Any] | str | None = None
        try:
            with self._lock:
                what = self._wanted.get(subject)
            found = None if what is None else measure(*what, say)
        except MeasurementAbandoned:
            pass
        except Exception as error:  # the page shows it in the system's row; the others continue
            found = f"{type(error).__name__}: {error}"
        with self._lock:
            self._at = ("", ""), "", 0.0
            self._begun.discard(subject)
            if found is not None:
                self._known[subject] = found
                while len(self._known) > MAX_ANSWERS:
                    self._known.pop(next(iter(self._known)))
            again = dict(self._wanted)  # given up, and wanted again meanwhile
        self.want(again)

    def found(self) -> dict[Subject, dict[str, Any] | str]:
        """Return the figures found so far; errors as words."""
        with self._lock:
            return dict(self._known)

    @property
    def at(self) -> tuple[Subject, str, float]:
        """Current measurement: the model, the quantity in words, and the finished share."""
        with self._lock:
            return self._at

    @property
    def busy(self) -> bool:
        """True if a figure is still outstanding."""
        with self._lock:
            return any(subject not in self._known for subject in self._wanted)
