"""Records of inference and training, as data.

An inference runs at millions of visits a second, so its record is a struct of arrays that a kernel fills, and
every view is a function of (trace, k). Training runs at tens of steps a second, so its record is one small
event per step.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.display import html_of
from lrbn_viz.core.names import check_names, checked_names_in, names_as_text, unit_name
from lrbn_viz.core.units import UNITS, VisibleUnits
from lrbn_viz.io.storage import UnreadableFile, check_array, check_text, quoted, read_kind, write_npz

if TYPE_CHECKING:
    from pandas import DataFrame

Made = Literal["lrbn", "rbm", "deep", "directed", "undirected", "mixed"]
"""Kinds of models that make traces; "deep" is directed, of several layers; the last three are any others."""


NAMES = ("latent_names", "visible_names")
"""Fields of a trace that a file holds as one text, and only where units have names."""


class Visit(NamedTuple):
    """One visit of inference to one latent unit."""

    k: int
    """Number of visits made once this one is done: ``trace.latents(k)`` is the state it leaves."""
    sweep: int
    unit: int
    after: float
    """The latent's state, 0 or 1, or its mean."""
    flipped: bool
    log_odds: float
    log_joint: float


class FitStep(NamedTuple):
    """One step of training.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> step = lrbn_viz.LRBN(8, n_iter=5, random_state=0).fit(X).history_[0]
    >>> step.step, step.epoch, "log_joint" in step.metrics
    (1, 0, True)
    """

    step: int
    """Minibatches seen, from 1."""
    epoch: int
    """Passes over the training set, from 0."""
    seconds: float
    """Time since training began, in seconds."""
    metrics: dict[str, float]
    """Named figures of this step, such as ``log_joint`` in nats per image."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Trace(ABC):
    """Inference of one image's latents, visit by visit, with log P(x, h) or a bound on log P(x) after each.

    What a visit is, each kind of trace says: to one latent, or to a particle.

    Attributes
    ----------
    x : (n_v,) uint8 or float64
        The image; NaN where it is not known.
    log_joint0 : float
        The same as `log_joint`, of the start.
    log_joint : (n_visits,) float64
        The `quantity` after each visit, nats.
    W, b, d
        The parameters used, so that a trace explains itself.
    visible : str
        Kind of the visible units, a key of ``lrbn_viz.core.units.UNITS``.
    model : {"lrbn", "rbm", "deep", "directed", "undirected", "mixed"}
        Which kind of model made the trace; ``log_joint`` of an "rbm", an "undirected" or a "mixed" one is not
        normalised. For a "deep" one, W holds zeros for all units except those of the lowest layer.
    sampled : bool
        States were drawn at random, so that `log_joint` may fall.
    latent_names, visible_names : tuple of str
        Name of each unit, where the model has any; else empty.
    """

    x: NDArray
    log_joint0: float
    log_joint: NDArray[np.float64]
    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    visible: str
    model: Made
    sampled: bool
    latent_names: tuple[str, ...] = ()
    visible_names: tuple[str, ...] = ()

    def named(self, latents: Sequence[str] = (), visibles: Sequence[str] = ()) -> Self:
        """Return the same trace with names of its units: one for each, or none.

        Raises
        ------
        ValueError
            Names do not fit, as in `LatentModel.name_units`.
        """
        names = check_names(latents, self.n_h, "latent"), check_names(visibles, self.n_v)
        if names == (self.latent_names, self.visible_names):
            return self
        return replace(self, latent_names=names[0], visible_names=names[1])

    def unit_name(self, unit: int) -> str:
        """Return what a latent is called: its name, or ``"unit 7"``."""
        return unit_name(unit, self.latent_names)

    @property
    def n_visits(self) -> int:
        """Number of visits recorded."""
        return len(self.log_joint)

    @property
    def n_v(self) -> int:
        """Number of visible units."""
        return len(self.x)

    @property
    def n_h(self) -> int:
        """Number of latent units."""
        return self.W.shape[1]

    @property
    def units(self) -> VisibleUnits:
        """The kind of visible units: their mean and likelihood given the latents."""
        return UNITS[self.visible]

    @property
    def normalised(self) -> bool:
        """True if ``log_joint`` is normalised; otherwise it lacks a constant of the model, log Z."""
        return self.model not in ("rbm", "undirected", "mixed")

    # -- what each kind of trace says

    @property
    @abstractmethod
    def means(self) -> bool:
        """True if latents are means in [0, 1]; otherwise they are 0 or 1."""

    @property
    @abstractmethod
    def quantity(self) -> str:
        """Meaning of ``log_joint``, in words."""

    @property
    @abstractmethod
    def counted(self) -> str:
        """Number of visits, and of what happened in them, in words."""

    @property
    @abstractmethod
    def changes(self) -> NDArray[np.bool_]:
        """Whether latents changed with each visit; (n_visits,)."""

    @abstractmethod
    def latents(self, k: int) -> NDArray:
        """Return the states or means after k visits, k = 0 the start; shape (n_h,)."""

    @abstractmethod
    def _errors(self, squared: bool, b: NDArray) -> NDArray[np.float64]:
        """Return `wrong_pixels` of every k: squared distances to the means, or the number of activations with
        the wrong sign, from offsets `b`, with which one above 0 says that 1 is more probable.
        """

    @abstractmethod
    def ever_on(self) -> NDArray[np.bool_]:
        """Return which latents are on, or have a mean of 1, in some state of the trace; shape (n_h,)."""

    @abstractmethod
    def to_frame(self) -> DataFrame:
        """Return the visits as a pandas table, a row each, with columns `k` and `log_joint` and those of its
        kind.
        """

    @abstractmethod
    def save(self, path: str | os.PathLike) -> None:
        """Write the trace to a ``.npz`` file; the file appears whole or not at all."""

    def _named(self) -> dict[str, str]:
        """Return the names of units for a file: empty if there are none."""
        return names_as_text(self.latent_names, self.visible_names)

    # -- what follows from it

    def __repr__(self) -> str:
        name = type(self).__name__
        nats = f"from {self.log_joint0:.1f} to {self.log_joint_at(self.n_visits):.1f} nats"
        seen = "named visibles" if self.visible_names else "pixels"
        units = f"{self.n_v:,} {seen}, {self.n_h:,} latents"
        return f"<{name} of {units}: {self.counted}, {self.quantity} {nats}{self._ended}>"

    @property
    def _ended(self) -> str:
        """How it ended, for `repr`."""
        return ""

    def _repr_html_(self) -> str | None:
        """Return the display of a notebook, as registered; None, and so the line of `repr`, if none is."""
        return html_of(self)

    def __len__(self) -> int:
        return self.n_visits

    def _check(self, k: int) -> int:
        if not isinstance(k, (int, np.integer)):
            raise TypeError(f"k must be an integer, the number of visits; got {k!r}.")
        if not 0 <= k <= self.n_visits:
            raise IndexError(
                f"k = {k} is outside the trace; expected 0 (the start) to {self.n_visits} (the end)."
            )
        return int(k)

    def log_joint_at(self, k: int) -> float:
        """Return `log_joint` after k visits, nats."""
        k = self._check(k)
        return float(self.log_joint[k - 1]) if k else float(self.log_joint0)

    def reconstruction(self, k: int) -> NDArray[np.float64]:
        """Return the mean of x given the state after k visits; shape (n_v,), probabilities for Bernoulli
        units.
        """
        return self.units.mean(self.W @ self.latents(k) + self.b)

    def wrong_pixels(self) -> NDArray:
        """Return the reconstruction error at k = 0, ..., n_visits: pixels in which ``argmax_x P(x|h)``
        differs from x.

        For Gaussian units the squared distance to the mean. Of pixels that are known. Shape (n_visits + 1,).
        Equation: (24).
        """
        errors = self._errors(not self.units.binary, self.b - self.units.threshold)
        return errors.astype(np.int64) if self.units.binary else errors

    def _table(self, **columns: Any) -> DataFrame:
        """Return a pandas table with a row for each visit: k from 1, and these columns."""
        try:
            import pandas as pd  # not at the top: only who asks for a table needs it
        except ImportError as error:
            raise ImportError(
                "to_frame needs pandas, which is not here; run `pip install pandas`."
            ) from error

        return pd.DataFrame({"k": np.arange(1, self.n_visits + 1), **columns})

    @classmethod
    def load(cls, path: str | os.PathLike) -> Any:
        """Read a trace that :meth:`save` wrote: of states, of means or of particles.

        Raises
        ------
        FileNotFoundError
            When there is no such file.
        ValueError
            When the file is not such a trace or is damaged.
        """
        kind, what, arrays = read_kind(path, ("ICMTrace", "ParticleTrace"))
        trace = (
            _read_particles(arrays, what) if kind == "ParticleTrace" else ICMTrace(**_checked(arrays, what))
        )
        return trace.named(*checked_names_in(arrays, what, trace.n_h, trace.n_v))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ICMTrace(Trace):
    """Every visit of the inference of one image's latents; row k of an array is the visit that follows k
    others.

    Latents are binary states, or with mean field and recognition networks their means in [0, 1]: then `h0`
    and `after` are float64, and ``log_joint`` is the lower bound on log P(x) that inference raises.

    Attributes
    ----------
    x, log_joint0, log_joint, W, b, d, visible, model, sampled
        As of every :class:`~lrbn_viz.core.trace.Trace`; ``log_joint`` is log P(x, h), normalised for an LRBN,
        up to the constant ``log Z`` for an RBM. If `sampled`, some state was drawn at a temperature above 0:
        then it may fall without breaking Theorem 1.
    h0 : (n_h,) uint8 or float64
        The start.
    unit : (n_visits,) int32
        The latent visited.
    after : (n_visits,) uint8 or float64
        Its state, or its mean, after the visit.
    flipped : (n_visits,) bool
        True if the visit changed it.
    log_odds : (n_visits,) float64
        ``logit P(h_j = 1 | x, h_-j)`` on which the visit decided, nats.
    sweep : (n_visits,) int32
        Sweep to which the visit belongs, from 0.
    converged : bool
        True if no unit changed at its last visit.
    at_once : bool
        All visits of a sweep decided on the state at its start (the parallel order).
    z : (n_v,) float64
        Log variance of each Gaussian visible unit given the latents; of length 0 where all are 0.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> trace = model.map_trace(lrbn_viz.load_dataset("bars").test_X[15])
    >>> trace.latents(trace.n_visits).shape, trace.converged
    ((16,), True)
    >>> bool((trace.log_joint[1:] >= trace.log_joint[:-1] - 1e-9).all())  # no visit lowers log P(x, h)
    True
    """

    h0: NDArray
    unit: NDArray[np.int32]
    after: NDArray
    flipped: NDArray[np.bool_]
    log_odds: NDArray[np.float64]
    sweep: NDArray[np.int32]
    converged: bool
    at_once: bool = False
    z: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def means(self) -> bool:
        """True if latents are means in [0, 1]; otherwise they are 0 or 1."""
        return self.after.dtype.kind == "f"

    @property
    def quantity(self) -> str:
        """Meaning of ``log_joint``, in words: ``log P(x, h)``, the same without log Z, or a bound."""
        if self.means:
            return "bound on log P(x)"
        return "log P(x, h)" if self.normalised else "log P*(x, h)"

    @property
    def counted(self) -> str:
        """Number of visits, and of flips of states, in words."""
        visits = f"visits {self.n_visits:,}"
        return visits if self.means else f"{visits}, flips {int(np.count_nonzero(self.flipped)):,}"

    @property
    def changes(self) -> NDArray[np.bool_]:
        """Whether the visited latent changed with each visit; means change at every visit."""
        return np.ones(self.n_visits, np.bool_) if self.means else self.flipped

    @property
    def _ended(self) -> str:
        return ", converged" if self.converged else ""

    def latents(self, k: int) -> NDArray:
        """Return the states or means after k visits, k = 0 the start; shape (n_h,)."""
        k = self._check(k)
        h = self.h0.copy()
        # Repeated units: NumPy assigns in order, so the last visit to a unit decides.
        h[self.unit[:k]] = self.after[:k]
        return h

    def ever_on(self) -> NDArray[np.bool_]:
        """Return which latents are on, or have a mean of 1, in some state of the trace; shape (n_h,)."""
        on = self.h0.astype(bool)
        on[self.unit[self.after == 1]] = True
        return on

    def decided_on(self, k: int) -> int:
        """Return how many visits had been made in the state on which visit k, from 1, decided.

        That is ``k - 1``; where a sweep decides at once, the visits before the sweep. ``latents`` of it is
        that state, and ``log_odds[k - 1]`` are its log-odds.
        """
        if self._check(k) == 0:
            raise IndexError("k = 0 is the start, where nothing was decided; expected 1 or more.")
        return int(np.searchsorted(self.sweep, self.sweep[k - 1])) if self.at_once else int(k) - 1

    def visit_of(self, unit: int, sweep: int) -> int:
        """Return the first visit, from 1, to a unit in a sweep, from 0; 0 where there is none."""
        visits = np.flatnonzero((self.unit == unit) & (self.sweep == sweep))
        return int(visits[0]) + 1 if len(visits) else 0

    def _errors(self, squared: bool, b: NDArray) -> NDArray[np.float64]:
        from lrbn_viz.kernels.numerics import errors_along  # not at the top: traces are read without numba

        changes = self.changes  # other visits leave the error as it is
        unit, after = self.unit[changes], self.after[changes].astype(np.float64)
        needed = self.h0 != 0  # latents that are off throughout need no row of weights
        needed[unit] = True
        rows = np.ascontiguousarray(self.W.T[np.flatnonzero(needed)], np.float64)
        errors = np.empty(len(unit) + 1)
        h, number = self.h0[needed].astype(np.float64), np.cumsum(needed) - 1
        errors_along(rows, h, number[unit], after, self.x.astype(np.float64), squared, b, errors)
        return errors[np.concatenate([[0], np.cumsum(changes)])]

    def __iter__(self) -> Iterator[Visit]:
        for k in range(self.n_visits):
            yield Visit(
                k + 1,
                int(self.sweep[k]),
                int(self.unit[k]),
                self.after[k].item(),
                bool(self.flipped[k]),
                float(self.log_odds[k]),
                float(self.log_joint[k]),
            )

    def to_frame(self) -> DataFrame:
        """Return the visits as a pandas table, a row each.

        Returns
        -------
        pandas.DataFrame
            Columns `k` (visits made, from 1), `sweep` (from 0), `latent`, `before` and `after` (its state),
            `flipped`, `log_odds` and `log_joint` (after the visit), both in nats. After `latent`, where
            latents have names, its `name`.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        frame = self._table(
            sweep=self.sweep,
            latent=self.unit,
            after=self.after,
            flipped=self.flipped,
            log_odds=self.log_odds,
            log_joint=self.log_joint,
        )
        # The state after the last visit to the same latent, or the start before its first visit.
        left = frame.groupby("latent")["after"].shift().to_numpy()
        before = np.where(np.isnan(left), self.h0[self.unit], left).astype(self.after.dtype)
        frame.insert(3, "before", before)
        if self.latent_names:
            frame.insert(3, "name", np.array(self.latent_names, object)[self.unit])
        return frame

    def save(self, path: str | os.PathLike) -> None:
        """Write the trace to a ``.npz`` file; the file appears whole or not at all."""
        kept = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in NAMES}
        write_npz(path, {"kind": "ICMTrace"} | kept | self._named())


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ParticleTrace(Trace):
    """Particles of one image's latents, one more with each visit, and the means that their weights give.

    A particle is a state ``h_k ~ q(h | x)`` of a recognition network; its weight is ``w_k = P(x, h_k) / q(h_k
    | x)``. After k visits there are k + 1 particles: one stands at the start. Latents are then the
    self-normalised means ``sum_l w_l h_l / sum_l w_l``, which go to the marginals of P(h | x), and
    ``log_joint`` is ``log (1 / (k + 1)) sum_l w_l``, in expectation a lower bound on log P(x). The mean
    weight itself is P(x) in expectation. If units are held, x and their states take the place of x.

    Attributes
    ----------
    x, log_joint0, log_joint, W, b, d, visible, model, sampled
        As of every :class:`~lrbn_viz.core.trace.Trace`.
    particles : (n_visits + 1, n_h) uint8
        States 0 and 1, of all layers beside each other.
    log_weights : (n_visits + 1,) float64
        ``log P(x, h_k) - log q(h_k | x)``, nats.

    References
    ----------
    Y. Burda, R. Grosse and R. Salakhutdinov (2016). Importance weighted autoencoders. International
    Conference on Learning Representations.
    """

    particles: NDArray[np.uint8]
    log_weights: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        x: NDArray,
        layer: Mapping[str, NDArray],
        particles: NDArray[np.uint8],
        log_weights: NDArray[np.float64],
        model: Made,
        visible: str = "bernoulli",
    ) -> ParticleTrace:
        """Return the trace of particles (K, n_h) in their order; K is at least 1.

        Parameters
        ----------
        layer : mapping
            W, b and d, as a trace holds them.
        """
        estimates, _ = _weighed(log_weights)
        return cls(
            x=x,
            log_joint0=float(estimates[0]),
            log_joint=estimates[1:],
            visible=visible,
            model=model,
            sampled=True,
            particles=particles,
            log_weights=log_weights,
            W=layer["W"],
            b=layer["b"],
            d=layer["d"],
        )

    @property
    def means(self) -> bool:
        """True: latents are means."""
        return True

    @property
    def quantity(self) -> str:
        """Meaning of ``log_joint``, in words: an estimate of log P(x), of one particle a bound."""
        return "estimate of log P(x)" if self.n_visits else "bound on log P(x)"

    @property
    def counted(self) -> str:
        """Number of particles after the first, in words."""
        return f"visits {self.n_visits:,}"

    @property
    def changes(self) -> NDArray[np.bool_]:
        """Whether the means changed with each visit: they always do."""
        return np.ones(self.n_visits, np.bool_)

    def shares(self, k: int) -> NDArray[np.float64]:
        """Return the shares of the weight that the particles have after k visits; (k + 1,), of sum 1."""
        from lrbn_viz.kernels.posterior import probability_of  # not at the top: traces are read without numba

        k = self._check(k)
        total = self.log_joint_at(k) + np.log(k + 1.0)  # log of the sum of weights
        return np.array([probability_of(each, total) for each in self.log_weights[: k + 1].tolist()])

    @cached_property
    def _shares(self) -> NDArray[np.float64]:
        """Share of the weight so far that each particle has when it joins; (n_visits + 1,)."""
        return _weighed(self.log_weights)[1]

    @cached_property
    def _means(self) -> NDArray[np.float64]:
        """The weighted means after each number of visits; (n_visits + 1, n_h)."""
        from lrbn_viz.kernels.particles import means_along  # not at the top: traces are read without numba

        means = np.empty(self.particles.shape)
        means_along(np.require(self.particles, np.uint8, ("C", "W")), self._shares, means)
        return means

    def shares_of_latest(self) -> NDArray[np.float64]:
        """Return the share of the weight so far that each visit's particle has; (n_visits,)."""
        return self._shares[1:]

    def _errors(self, squared: bool, b: NDArray) -> NDArray[np.float64]:
        from lrbn_viz.kernels.numerics import errors_of_means  # not at the top: traces are read without numba

        rows, errors = np.require(self.W.T, np.float64, ("C", "W")), np.empty(self.n_visits + 1)
        targets, a = self.x.astype(np.float64)[None], np.empty(self.n_v)
        errors_of_means(rows, b, self._means, targets, squared, a, errors)
        return errors

    def latents(self, k: int) -> NDArray[np.float64]:
        """Return the weighted means after k visits, k = 0 the first particle; shape (n_h,)."""
        return self._means[self._check(k)].copy()

    def effective_sample_sizes(self) -> NDArray[np.float64]:
        """Return ``(sum_l w_l)**2 / sum_l w_l**2`` after k visits, 1 to k + 1; shape (n_visits + 1,)."""
        from lrbn_viz.kernels.particles import sizes_along  # not at the top: traces are read without numba

        sizes = np.empty(self.n_visits + 1)
        sizes_along(self._shares, sizes)
        return sizes

    def ever_on(self) -> NDArray[np.bool_]:
        """Return which latents are on in some particle; shape (n_h,)."""
        return np.asarray(self.particles.any(axis=0))

    def to_frame(self) -> DataFrame:
        """Return the particles as a pandas table, a row each, but for the one at the start.

        Returns
        -------
        pandas.DataFrame
            Columns `k` (visits made, from 1), `log_weight` (of the visit's particle), `share` (of the weight
            so far that it has), `effective_sample_size` and `log_joint` (the estimate of log P(x) after the
            visit); weights and estimates in nats.
        """
        return self._table(
            log_weight=self.log_weights[1:],
            share=self.shares_of_latest(),
            effective_sample_size=self.effective_sample_sizes()[1:],
            log_joint=self.log_joint,
        )

    def save(self, path: str | os.PathLike) -> None:
        """Write the trace to a ``.npz`` file; the file appears whole or not at all."""
        kept = {name: getattr(self, name) for name in _PARTICLES}
        write_npz(path, {"kind": "ParticleTrace"} | kept | self._named())


def _weighed(log_weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what particles give one after another: estimates of log P(x), and each one's share of the weight
    so far.
    """
    from lrbn_viz.kernels.particles import weigh_along  # not at the top: traces are read without numba

    estimates, shares = np.empty(len(log_weights)), np.empty(len(log_weights))
    weigh_along(np.require(log_weights, np.float64, ("C", "W")), estimates, shares)
    return estimates, shares


def visits_of(trace: Trace) -> ICMTrace:
    """Return a trace whose visits are to units; TypeError where they are not."""
    if not isinstance(trace, ICMTrace):
        raise TypeError(f"expected a trace that visits units, an ICMTrace; got a {type(trace).__name__}.")
    return trace


_PARTICLES = ("x", "W", "b", "d", "particles", "log_weights", "model", "visible")
"""Contents of a file of particles; the rest of the trace follows from them."""


def _read_particles(arrays: Mapping[str, NDArray], what: str) -> ParticleTrace:
    """Return the trace of a file of particles after checking that its arrays are valid and consistent."""
    n_v, n_h = check_array(arrays, "W", what, "f", 2).shape
    shapes = {"W": (n_v, n_h), "b": (n_v,), "d": (n_h,)}
    layer = {name: check_array(arrays, name, what, "f", len(shape), shape) for name, shape in shapes.items()}
    x = check_array(arrays, "x", what, "uf", 1, (n_v,))
    log_weights = check_array(arrays, "log_weights", what, "f", 1)
    particles = check_array(arrays, "particles", what, "iu", 2, (len(log_weights), n_h))
    visible = _choice(arrays, "visible", what, tuple(UNITS))
    model: Any = _choice(arrays, "model", what, get_args(Made))
    numbers = (x, log_weights, *layer.values())
    binary = np.isin(particles, (0, 1)).all() and (not UNITS[visible].binary or np.isin(x, (0, 1)).all())
    if not (len(log_weights) and n_v and n_h and binary and all(np.isfinite(a).all() for a in numbers)):
        raise UnreadableFile(
            f"{what} is not a whole trace of particles: expected at least one particle, states of 0 and 1, "
            "and finite numbers. Save the trace again."
        )
    return ParticleTrace.of(
        x.astype(np.uint8) if x.dtype.kind == "u" else x,
        {name: array.astype(np.float64) for name, array in layer.items()},
        particles.astype(np.uint8),
        log_weights.astype(np.float64),
        model,
        visible,
    )


def _checked(arrays: Mapping[str, NDArray], what: str) -> dict[str, Any]:
    """Return the fields of a trace after checking that its arrays are valid and consistent."""

    def array(name: str, kinds: str, dtype: type, *shape: int) -> NDArray:
        return check_array(arrays, name, what, kinds, len(shape), shape).astype(dtype, copy=False)

    def check(name: str, good: bool | np.bool_, wanted: str) -> None:
        if not good:
            raise UnreadableFile(
                f"{what} is not a whole trace: its {name} is out of range; expected {wanted}. Save the trace "
                "again."
            )

    n_v, n_h = check_array(arrays, "W", what, "f", 2).shape
    n_visits = check_array(arrays, "unit", what, "iu", 1).size
    check("W", n_v > 0 and n_h > 0, "visible units and latents")
    means = all(name in arrays and arrays[name].dtype.kind == "f" for name in ("h0", "after"))
    kinds = "f" if means else "iu"
    values = np.float64 if means else np.uint8
    for name, low, high in (("unit", 0, n_h - 1), ("sweep", 0, n_visits), ("h0", 0, 1), ("after", 0, 1)):
        found = check_array(arrays, name, what, kinds if name in ("h0", "after") else "iu", 1)
        check(name, ((found >= low) & (found <= high)).all(), f"{low} to {high}")
    columns: dict[str, Any] = {
        "visible": _choice(arrays, "visible", what, tuple(UNITS)),
        "x": check_array(arrays, "x", what, "uf", 1, (n_v,)),
        "log_joint0": float(array("log_joint0", "f", np.float64)),
        "converged": bool(array("converged", "b", np.bool_)),
        "W": array("W", "f", np.float64, n_v, n_h),
        "b": array("b", "f", np.float64, n_v),
        "d": array("d", "f", np.float64, n_h),
        "h0": array("h0", kinds, values, n_h),
        "unit": array("unit", "iu", np.int32, n_visits),
        "after": array("after", kinds, values, n_visits),
        "flipped": array("flipped", "b", np.bool_, n_visits),
        "log_odds": array("log_odds", "f", np.float64, n_visits),
        "log_joint": array("log_joint", "f", np.float64, n_visits),
        "sweep": array("sweep", "iu", np.int32, n_visits),
        "model": _choice(arrays, "model", what, get_args(Made)),
        "sampled": bool(array("sampled", "b", np.bool_)),
        "at_once": bool(array("at_once", "b", np.bool_)),
        "z": check_array(arrays, "z", what, "f", 1).astype(np.float64, copy=False),
    }
    n_z = 0 if UNITS[columns["visible"]].binary else n_v
    check("z", columns["z"].size in (0, n_z), "one for each visible unit")
    for name in ("W", "b", "d", "log_joint0", "z"):
        check(name, np.isfinite(columns[name]).all(), "finite numbers")
    x, binary = columns["x"], UNITS[columns["visible"]].binary
    check("x", not np.isinf(x).any(), "finite numbers, and NaN where it is not known")
    check("x", not binary or ((x == 0) | (x == 1) | np.isnan(x)).all(), "0 and 1, and NaN where not known")
    columns["x"] = x.astype(np.uint8 if binary and x.dtype.kind == "u" else np.float64, copy=False)
    check("sweep", (np.diff(columns["sweep"]) >= 0).all(), "sweeps in order")
    return columns


def _choice(arrays: Mapping[str, NDArray], name: str, what: str, choices: tuple[str, ...]) -> str:
    found = check_text(arrays, name, what)
    if found not in choices:
        raise UnreadableFile(
            f"{what} is a trace whose {name} is called {quoted(found)}; expected one of {choices}. Load "
            "it with the program that wrote it."
        )
    return found
