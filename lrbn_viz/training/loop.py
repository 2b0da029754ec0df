"""The one training loop: an iterator that can be left at any step and resumed there, bit for bit.

A :class:`~lrbn_viz.training.Snapshot` contains everything that a run needs to continue.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.system import UNKNOWN, Memory, System
from lrbn_viz.core.trace import FitStep
from lrbn_viz.io.constants import CHECK_INTERVAL, MAX_PARAMETER
from lrbn_viz.kernels.clock import seconds_without_compiling
from lrbn_viz.kernels.steps import first_averaged, share_done
from lrbn_viz.training.snapshot import Snapshot

S = TypeVar("S")

Augment = Callable[[NDArray, np.random.Generator], NDArray]
"""Function that takes images, one in each row, and returns augmented ones."""


def check_unplanned(system: System[Any], budget: str) -> None:
    """Raise ValueError if a system must know the number of a run's steps, which `budget` leaves open."""
    for name in system.needs_step_count:
        needed = bool(getattr(type(system), name, None))  # a default that itself needs the number of steps
        raise ValueError(
            f"{name} needs a known number of steps, which {budget} leaves open; give passes alone"
            + ("." if needed else f", or leave {name} out.")
        )


def check_not_diverged(system: System[S], state: S, X: NDArray, n_steps: int) -> None:
    """Raise FloatingPointError if a parameter is too large for a model that has learned, or is not finite.

    Parameters
    ----------
    system : System
        System that took the last step.
    state : S
        State after that step.
    X : (n, n_v)
        Its images.
    n_steps : int
        Steps so far.
    """
    grey = getattr(system, "visible", "bernoulli") == "gaussian" and isinstance(X, np.ndarray)
    limit = MAX_PARAMETER * (max(1.0, float(np.nanmax(np.abs(X), initial=0.0))) if grey else 1.0)
    for name, value in system.parameters(state).items():
        largest = float(max(np.max(value), -np.min(value)))
        if largest <= limit:  # not so of NaN
            continue
        rate = getattr(system, "learning_rate", None)
        raise FloatingPointError(
            f"training diverged: {name} reached {largest:.3g} in step {n_steps}"
            f"{'' if rate is None else f', at a learning rate of {rate:.3g}'}; expected at most {limit:.3g}. "
            f"Lower learning_rate, for example to a tenth{', or standardise the images' if grey else ''}."
        )


class Training(Generic[S]):
    """Passes over shuffled minibatches; an iterator of (state, FitStep).

    Between two steps it may be left for good, asked for a :meth:`snapshot`, or given other hyper-parameters
    by setting `system`, `n_iter`, `batch_size`, `max_seconds` or `patience`; the next step uses them.

    A system that averages its parameters (Polyak and Juditsky, "Acceleration of stochastic approximation by
    averaging", 1992) goes through the run as it would without. At the end the average is yielded once more,
    last, with ``averaged`` = the number of steps it is over. It is over the steps of the last share of
    ``n_iter`` passes that were made; with `patience`, the best pass comes last if its ``validation_score`` is
    better than the average's.

    Parameters
    ----------
    system : System
        Training system.
    X : (n, n_v)
        Training images; a :class:`~lrbn_viz.chunks.Streamed` for a system whose step is a pass.
    n_iter : int
        Passes over `X`.
    batch_size : int
        Images per step; the last step of a pass takes what is left. Ignored for a system whose step is a full
        pass.
    rng : numpy.random.Generator
        All randomness of the run: equal generators give equal runs.
    state : optional
        Initial state; a fresh state when None.
    validation : (n_val, n_v), optional
        Held-out images. The last step of each pass carries their figures, named ``validation_...``.
    patience : int, optional
        Stop after so many passes without a better ``validation_score``. At the end the state of the best pass
        is yielded once more, last, with ``restored`` = its pass.
    max_seconds : float
        Stop once so much time has been spent in steps, compiling kernels aside.
    shuffler : numpy.random.Generator, optional
        Shuffles in the place of `rng`: runs with equal shufflers see the same minibatches.
    memory : (n, width) uint8, optional
        Latents to begin from, for a system that remembers those of each image.
    augment : callable, optional
        Takes the images of a minibatch and the run's generator, and returns as many others, such as shifted
        ones, to learn from in their place.

    Attributes
    ----------
    state : S
        State after the last step.
    rows : (n_batch,) int64
        Rows of `X` in the last minibatch; empty before the first.
    before : S
        The state that the last step began from.
    acting : System
        `system` as the last step used it: how far the run is may decide, for one, its learning rate.
    memory : (n, width) uint8
        Latents of each image after its last visit; width 0 if the system remembers none. A run writes into
        it.

    Raises
    ------
    ValueError
        The system must know how many steps the run will have, and `max_seconds` leaves that open; or it
        remembers latents of images, which `augment` would change from visit to visit.
    FloatingPointError
        Training has diverged, in a step.
    """

    def __init__(
        self,
        system: System[S],
        X: NDArray,
        *,
        n_iter: int,
        batch_size: int,
        rng: np.random.Generator,
        state: S | None = None,
        validation: NDArray | None = None,
        patience: int | None = None,
        max_seconds: float = math.inf,
        shuffler: np.random.Generator | None = None,
        memory: Memory = None,
        augment: Augment | None = None,
    ) -> None:
        if math.isfinite(max_seconds):
            check_unplanned(system, "max_seconds")
        if augment is not None and system.memory_width:
            raise ValueError(
                "augment changes an image at every visit, but inference starts from its latents at the "
                "previous visit; leave augment out, or set persistent=False."
            )
        if augment is not None and system.full_batch:
            raise ValueError(
                "augment changes images of a minibatch, but each step here uses all images; leave it out."
            )
        self._augment = augment
        self.system, self.X, self.validation = system, X, validation
        self.n_iter, self.batch_size = n_iter, batch_size
        self.patience, self.max_seconds = patience, max_seconds
        self._rng, self._shuffler = rng, shuffler
        self.acting = system
        self.state = self.before = system.init(X, rng) if state is None else state
        self.rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self.step = self.epoch = self._offset = 0
        self.seconds = 0.0
        self._order: NDArray[np.int64] = np.zeros(0, np.int64)
        self._best_score, self._best_state, self._best_epoch = -math.inf, self.state, -1
        self._last_metrics: dict[str, float] = {}
        self._stalled = False
        self.memory = np.zeros((len(X), 0), np.uint8) if memory is None else memory.copy()
        self._total: tuple[NDArray, ...] = ()
        self._n_averaged = 0
        self._before_pass: Snapshot[S] | None = None

    @property
    def making(self) -> bool:
        """True if a step over all images is in progress."""
        return self._before_pass is not None

    @property
    def over(self) -> bool:
        """True if no more minibatches follow."""
        return self._stalled or self.epoch >= self.n_iter or self.seconds >= self.max_seconds

    @property
    def passes(self) -> float:
        """Passes over the images so far, with the current one's share."""
        return self.epoch + self._offset / len(self.X)

    @property
    def progress(self) -> float:
        """Share of the budget that is used, in passes or in seconds, whichever is nearer its end; 0 to 1."""
        if self.over:
            return self._n_done / (self._n_done + 1) if self._n_averaged else 1.0  # the average is due
        return max(self.passes / self.n_iter, self.seconds / self.max_seconds)

    def __iter__(self) -> Iterator[tuple[S, FitStep]]:
        return self

    def __next__(self) -> tuple[S, FitStep]:
        if self.over:
            return self._end()
        if not self.system.full_batch:
            return self._step()
        self._before_pass = self.snapshot()
        try:
            return self._step()
        finally:
            self._before_pass = None

    def _step(self) -> tuple[S, FitStep]:
        began = seconds_without_compiling()
        if self.system.full_batch:
            rows = np.arange(len(self.X))
        else:
            if not len(self._order):
                self._order = (self._shuffler or self._rng).permutation(len(self.X))
            rows = self._order[self._offset : self._offset + self.batch_size]
        state, metrics = self._visit(rows)
        self.before, self.state, self.rows = self.state, state, rows
        self.step += 1
        self._offset += len(rows)
        self._take_into_average()
        ends = self._offset >= len(self.X)
        if ends or self.step % CHECK_INTERVAL == 0:
            check_not_diverged(
                self.acting, state, self.X if self.system.full_batch else self.X[rows], self.step
            )
        epoch = self.epoch
        if ends:
            metrics = metrics | self._end_pass()
        self.seconds += seconds_without_compiling() - began
        self._last_metrics = metrics
        return self.state, FitStep(self.step, epoch, self.seconds, metrics)

    def _visit(self, rows: NDArray[np.int64]) -> tuple[S, dict[str, float]]:
        """Return the state after a step on these images, and store their latents if the system remembers
        them.
        """
        self.acting = self.system.at_progress(share_done(self._n_done, self._n_steps))
        X = self.X if self.system.full_batch else self.X[rows]
        if self._augment is not None:
            X = self._augment(X, self._rng)
        width = self.system.memory_width
        if width != self.memory.shape[1]:  # at first, or given another system on the way
            self.memory = np.full((len(self.X), width), UNKNOWN, np.uint8)
        if not width:
            return self.acting.step(self.state, X, self._rng)
        memory = self.memory[rows]
        found = self.acting.step(self.state, X, self._rng, memory)
        self.memory[rows] = memory
        return found

    @property
    def _n_steps(self) -> int:
        """Steps of the whole run, if neither time nor patience ends it."""
        return self.n_iter * self._per_pass

    @property
    def _n_done(self) -> int:
        """Steps so far of these; not `step`, in case that an earlier part had minibatches of another size."""
        return self.epoch * self._per_pass + math.ceil(self._offset / self._step_size)

    @property
    def _per_pass(self) -> int:
        return math.ceil(len(self.X) / self._step_size)

    @property
    def _step_size(self) -> int:
        """Images of a step."""
        return len(self.X) if self.system.full_batch else self.batch_size

    def _take_into_average(self) -> None:
        """Count the state that a step has left, if it is among the last ones."""
        share = self.system.average
        if not share or self._n_done <= first_averaged(float(share), self._n_steps):
            self._total, self._n_averaged = (), 0
            return
        now = tuple(self.system.parameters(self.state).values())
        # New sums, not in place: a snapshot holds the old ones.
        self._total = tuple(a + b for a, b in zip(self._total, now, strict=True)) if self._total else now
        self._n_averaged += 1

    def _validated(self, state: S) -> dict[str, float]:
        if self.validation is None:
            return {}
        found = self.system.validate(state, self.validation, self._rng)
        return {f"validation_{name}": value for name, value in found.items()}

    def _end_pass(self) -> dict[str, float]:
        """Validate, decide whether to stop, and make ready for the next pass."""
        figures = self._validated(self.state)
        if figures and self.patience is not None:
            if figures["validation_score"] > self._best_score:
                self._best_score = figures["validation_score"]
                self._best_state, self._best_epoch = self.state, self.epoch
            elif self.epoch - self._best_epoch >= self.patience:
                self._stalled = True
        self.epoch += 1
        self._offset, self._order = 0, np.zeros(0, np.int64)
        return figures

    def _end(self) -> tuple[S, FitStep]:
        """Yield once more, last, the average or the best pass, if there is either; then end."""
        if self._last_metrics.keys() & {"averaged", "restored"}:
            raise StopIteration
        if self._n_averaged:
            began = seconds_without_compiling()
            names = self.system.parameters(self.state)
            mean = {name: total / self._n_averaged for name, total in zip(names, self._total, strict=True)}
            state = self.system.with_parameters(self.state, mean)
            figures = {"averaged": float(self._n_averaged), **self._validated(state)}
            self.seconds += seconds_without_compiling() - began
            if figures.get("validation_score", math.inf) >= self._best_score:
                return self._end_with(state, figures)
        if self.patience is None or self._best_epoch < 0:
            raise StopIteration
        figures = {"restored": float(self._best_epoch), "validation_score": self._best_score}
        return self._end_with(self._best_state, figures)

    def _end_with(self, state: S, figures: dict[str, float]) -> tuple[S, FitStep]:
        self.state = self.before = state
        self._total, self._n_averaged = (), 0  # what a longer budget adds is averaged by itself
        self._last_metrics = self._last_metrics | figures
        return state, FitStep(self.step, max(self.epoch - 1, 0), self.seconds, self._last_metrics)

    def snapshot(self) -> Snapshot[S]:
        """Return where the run stands; call it between two steps, or while one over all images is made."""
        if self._before_pass is not None:
            return self._before_pass
        return Snapshot(
            self.state,
            self.step,
            self.epoch,
            self._offset,
            self._order,
            self.seconds,
            copy.deepcopy(dict(self._rng.bit_generator.state)),
            None if self._shuffler is None else copy.deepcopy(dict(self._shuffler.bit_generator.state)),
            self._best_score,
            self._best_state,
            self._best_epoch,
            self._last_metrics,
            self._stalled,
            self.memory.copy(),
            self._total,
            self._n_averaged,
        )

    def restore(self, snapshot: Snapshot[S]) -> None:
        """Continue from a snapshot of a run on the same images: the next steps are those that followed it
        there.

        Raises
        ------
        ValueError
            The snapshot is of a run on another number of images, or with other random generators, or it is
            damaged.
        """
        if len(snapshot.order) not in (0, len(self.X)):
            raise ValueError(
                f"the snapshot was taken on {len(snapshot.order)} images, this run has {len(self.X)}; "
                "restore it to a run on the same images."
            )
        if (snapshot.shuffler is None) != (self._shuffler is None):
            raise ValueError(
                "one of the snapshot and this run has a shuffler, the other none; expected both or neither."
            )
        self._check_progress(snapshot)
        for generator, kept in ((self._rng, snapshot.rng), (self._shuffler, snapshot.shuffler)):
            if generator is None or kept is None:
                continue
            try:
                generator.bit_generator.state = copy.deepcopy(kept)
            except (TypeError, ValueError, KeyError, OverflowError) as error:
                raise ValueError(
                    f"the snapshot's random generator is damaged ({error}); expected the state of a "
                    f"{type(generator.bit_generator).__name__}. Use an older snapshot."
                ) from error
        self.state = self.before = snapshot.state
        self.rows = np.zeros(0, np.int64)
        self.step, self.epoch, self._offset = snapshot.step, snapshot.epoch, snapshot.offset
        self._order, self.seconds = snapshot.order, snapshot.seconds
        self._best_score, self._best_state = snapshot.best_score, snapshot.best_state
        self._best_epoch, self._last_metrics = snapshot.best_epoch, snapshot.last_metrics
        self._stalled = snapshot.stalled
        self.memory = snapshot.memory.copy()
        self._total, self._n_averaged = snapshot.total, snapshot.n_averaged

    def _check_progress(self, snapshot: Snapshot[S]) -> None:
        """Raise ValueError if a snapshot has an impossible position."""
        n, memory, total = len(self.X), snapshot.memory, snapshot.total
        order = np.sort(snapshot.order)
        wrong = {
            "rows in another order": not np.array_equal(order, np.arange(len(order))),
            "images seen": not 0 <= snapshot.offset <= len(order),
            "remembered latents": memory.size > 0
            and (len(memory) != n or not np.isin(memory, (0, 1, UNKNOWN)).all()),
            "sums of parameters": bool(total) != bool(snapshot.n_averaged),
        }
        if total:
            expected = self.system.parameters(snapshot.state).values()
            wrong["shapes of the sums"] = [a.shape for a in expected] != [a.shape for a in total]
        found = [name for name, is_wrong in wrong.items() if is_wrong]
        if found:
            raise ValueError(
                f"the snapshot is damaged: expected {' and '.join(found)} as a run on {n} images leaves "
                "them, got others. Use an older snapshot."
            )
