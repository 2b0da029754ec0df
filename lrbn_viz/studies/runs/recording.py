"""Recordings of a run while it trains: curves of its figures, its states, and probes of its quality."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.system import N_SHOWN, Pictures, System
from lrbn_viz.core.trace import FitStep
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.studies.runs.history import Curve, History
from lrbn_viz.training import Snapshot, Training


class Glance(NamedTuple):
    """Results of a model on the few displayed images, at one moment; nothing in it changes the run.

    Attributes
    ----------
    step : int
        Minibatches that the model had seen.
    latents : (n_shown, n_h)
        Latent states of the images, or their means.
    reconstructions : (n_shown, n_v) float64
        Means of x given these.
    pictures : tuple of Pictures
        What each of the system's `picture_rows` shows.
    """

    step: int
    latents: NDArray[Any]
    reconstructions: NDArray[np.float64]
    pictures: tuple[Pictures, ...] = ()


class Probe(NamedTuple):
    """Results of a model on held-out images, at one moment; nothing in it changes the run.

    Attributes
    ----------
    step : int
        Minibatches that the model had seen.
    figures : dict
        ``wrong_pixels`` and ``wrong_pixels_factorised``, means per image, of the reconstruction from the
        model's own inference and from one pass over units that ignore each other (squared distance for
        Gaussian units), of the pixels that are known; ``dead_units``, those on for none of the images.
    usage : (n_h,) float64
        Share of the images for which each unit is on; where latents are means, likelier on than off.
    latents, reconstructions, pictures
        As in a `Glance` at the first images.
    samples : (n_shown, n_v)
        Drawn from the model.
    """

    step: int
    figures: dict[str, float]
    usage: NDArray[np.float64]
    latents: NDArray[np.uint8]
    reconstructions: NDArray[np.float64]
    samples: NDArray[Any]
    pictures: tuple[Pictures, ...] = ()

    @property
    def glance(self) -> Glance:
        """Its results on the first images."""
        return Glance(self.step, self.latents, self.reconstructions, self.pictures)


def glance(
    system: System[Any], state: Any, step: int, X: NDArray, seed: int = 0, seen: NDArray | None = None
) -> Glance:
    """Evaluate the first images of `X` only; the arguments are those of `probe`."""
    shown = X[:N_SHOWN]
    H = system.encode(state, shown)
    return Glance(step, H, system.decode(state, H), _pictures(system, state, shown, seed, seen))


def _pictures(
    system: System[Any], state: Any, shown: NDArray, seed: int, seen: NDArray | None
) -> tuple[Pictures, ...]:
    rng = np.random.default_rng([seed, 1])
    return system.pictures(state, shown, shown[:1] if seen is None else seen, rng)


def probe(
    system: System[Any], state: Any, step: int, X: NDArray, seed: int = 0, seen: NDArray | None = None
) -> Probe:
    """Ask a model about images; equal arguments give equal answers.

    Parameters
    ----------
    X : (n, n_v)
        Held-out images, the shown ones first.
    seed : int
        Seed of the samples and of the draws for pictures.
    seen : (1, n_v), optional
        An image of the last minibatch; the first one of `X` when None.
    """
    H = system.encode(state, X)
    usage = usage_of(H)
    mean = system.decode(state, H)
    factorised = system.encode_factorised(state, X)
    # An RBM's own inference is the factorised one: decoding the same states twice would cost as much again.
    naive = mean if np.array_equal(factorised, H) else system.decode(state, factorised)
    figures = {
        "wrong_pixels": float(_errors(mean, X, system).mean()),
        "wrong_pixels_factorised": float(_errors(naive, X, system).mean()),
        "dead_units": float((usage == 0.0).sum()),
    }
    samples = system.sample(state, N_SHOWN, np.random.default_rng(seed))
    rows = _pictures(system, state, X[:N_SHOWN], seed, seen)
    return Probe(step, figures, usage, H[:N_SHOWN], mean[:N_SHOWN], samples, rows)


def usage_of(H: NDArray) -> NDArray[np.float64]:
    """Return the share of images for which each unit is on, as (n_h,): its state, or a mean above 1/2."""
    return (H > 0.5).mean(axis=0)


def _errors(mean: NDArray, X: NDArray, system: System[Any]) -> NDArray:
    """Wrong pixels of each image, of what is known, or the squared distance where images are real-valued."""
    unknown = unknown_in(X)
    grey = getattr(system, "visible", "bernoulli") == "gaussian"
    wrong = np.square(X - mean) if grey else (mean > 0.5) != (X > 0.5)
    return (wrong if unknown is None else np.where(unknown, 0, wrong)).sum(axis=1)


class Position(NamedTuple):
    """Position of a lane, and its history up to that position.

    Attributes
    ----------
    snapshot : Snapshot
    curves : dict from a figure's name to its Curve
    history : History
    error : Exception or None
        Exception that ended the lane before its budget; None if there was none.
    """

    snapshot: Snapshot
    curves: dict[str, Curve]
    history: History
    error: Exception | None = None


class LaneRecord:
    """The record of one of the runs that go side by side.

    Parameters
    ----------
    training : Training
        The run.
    images : (n, n_v)
        Held-out images for probes.
    budget : int
        Bytes that stored states may take.
    every : int
        Steps between two stored states at first.

    Attributes
    ----------
    curves : dict from a figure's name to its Curve
        Those of probes begin with ``probe_``; ``seconds`` is the time spent.
    history : History
    glance : Glance
        The latest, at or after the probe.
    probe : Probe
        The latest.
    error : Exception or None
        Exception that ended the run before its budget; None if there was none.
    """

    def __init__(self, training: Training, images: NDArray, budget: int, every: int = 10) -> None:
        self.training, self.images = training, images
        self.curves: dict[str, Curve] = {}
        self.history = History(budget, every)
        self.history.add(training.snapshot())
        self.error: Exception | None = None
        self._measured: Collection[str] = ()
        self.probe = probe(training.system, training.state, training.step, images)
        self.glance = self.probe.glance
        # not their steps: the average that ends a run has the last step's
        self._probed = self._glanced = training.state

    def add(self, event: FitStep) -> None:
        """Take in one step."""
        for name, value in event.metrics.items():
            self._curve(name).add(event.step, value)
        self._curve("seconds").add(event.step, event.seconds)
        self._measured = event.metrics.keys()
        if self.history.wants(self.training.step):
            self.history.add(self.training.snapshot())

    def peek(self) -> None:
        """Evaluate the displayed images with the current model; cheap compared with `look`."""
        run = self.training
        if self._glanced is not run.state:
            self.glance = glance(run.system, run.state, run.step, self.images, seen=self._seen)
            self._glanced = run.state

    @property
    def _seen(self) -> NDArray | None:
        """An image of the last minibatch, if there is one."""
        run = self.training
        return run.X[run.rows[-1:]] if len(run.rows) else None

    def look(self) -> None:
        """Probe the model as it is now."""
        run = self.training
        if self._probed is not run.state:
            # only some systems measure it at each step; a run that was just resumed has no step yet
            if "gradient_norm" not in self._measured and run.before is not run.state:
                norm = run.acting.gradient_norm(run.before, run.state)
                self._curve("gradient_norm").add(run.step, norm)
            self.probe = probe(run.system, run.state, run.step, self.images, seen=self._seen)
            self.glance = self.probe.glance
            self._probed = self._glanced = run.state
            for name, value in self.probe.figures.items():
                self._curve(f"probe_{name}").add(run.step, value)

    def _curve(self, name: str) -> Curve:
        curve = self.curves.get(name)
        if curve is None:  # `setdefault` would make, at every step, arrays that nobody needs
            curve = self.curves[name] = Curve()
        return curve

    def snapshots(self) -> list[Snapshot]:
        """Return the stored states, and the present one."""
        found = [self.history.at(step) for step in self.history.steps]
        now = self.training.snapshot()
        return found if found and found[-1].step == now.step else [*found, now]

    def probe_of(self, snapshot: Snapshot) -> Probe:
        """Return the probe of a stored state."""
        # between two passes it is not stored which image was the last
        seen = self.training.X[snapshot.order[snapshot.offset - 1 : snapshot.offset]]
        return probe(
            self.training.system,
            snapshot.state,
            snapshot.step,
            self.images,
            seen=seen if len(seen) else None,
        )

    def recorded_at(self, snapshot: Snapshot) -> dict[str, tuple[float, float]]:
        """Return each figure as of a stored state: its value and the minibatch that it was measured at.

        The step that led there has measured some; of the others it is the last value before it. Call it
        between two steps.
        """
        found: dict[str, tuple[float, float]] = {}
        for name, curve in self.curves.items():
            steps, values = curve.points()
            at = int(np.searchsorted(steps, snapshot.step, side="right")) - 1
            if at >= 0:
                found[name] = float(values[at]), float(steps[at])
        for name, value in snapshot.last_metrics.items():
            if not math.isnan(value):
                found[name] = float(value), snapshot.step
        if snapshot.step:
            found["seconds"] = snapshot.seconds, snapshot.step
        return found

    def position(self) -> Position:
        """Return where the lane stands now; it shares nothing that later steps change."""
        return Position(self.training.snapshot(), copy.deepcopy(self.curves), self.history.copy(), self.error)

    def position_at(self, step: int) -> Position:
        """Return where the lane stood at the stored state nearest before `step`, with its past until then."""
        snapshot = self.history.at(step)
        past = self.position()
        past.history.cut(snapshot.step)
        for curve in past.curves.values():
            curve.cut(snapshot.step)
        return past._replace(snapshot=snapshot, error=None)

    def move_to(self, position: Position) -> None:
        """Continue from a position of this lane, or of one with the same model and images.

        A model that cannot be probed there, such as one that has diverged, has that as its `error`.
        """
        self.training.restore(position.snapshot)
        self.curves, self.history = dict(position.curves), position.history
        self.error = position.error
        try:
            self.look()
        except Exception as error:
            self.error = error

    def arrays(self) -> dict[str, NDArray]:
        """Return the curves as arrays that :meth:`resume` reads."""
        return {name: curve.to_array() for name, curve in self.curves.items()}

    def resume(self, snapshot: Snapshot, arrays: Mapping[str, NDArray]) -> None:
        """Continue from a snapshot, with the curves that `arrays` returned; older states are not stored."""
        history = History(self.history.budget, self.history.every)
        history.add(snapshot)
        self.move_to(Position(snapshot, curves_from(arrays), history))

    @property
    def seconds_left(self) -> float:
        """Estimate of the time that the rest of its budget takes, seconds; not-a-number before the first
        step.
        """
        share = self.training.progress
        return self.training.seconds * (1.0 - share) / share if share > 0 else math.nan


def curves_from(arrays: Mapping[str, NDArray]) -> dict[str, Curve]:
    """Return the curves that :meth:`LaneRecord.arrays` wrote, by the name of their figure."""
    return {name: Curve.from_array(array) for name, array in arrays.items()}
