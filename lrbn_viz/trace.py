"""What happened during inference and training, as data.

An inference runs at millions of visits a second, so its record is a struct of arrays that a kernel fills, and
every view is a function of (trace, k). Training runs at tens of steps a second, so its record is one small
event per step.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

Made = Literal["lrbn", "rbm", "deep"]
"""Kinds of models that make traces; "deep" is an LRBN of several layers."""


class Visit(NamedTuple):
    """One visit of inference to one latent unit."""

    k: int
    """Number of visits made once this one is done: ``trace.latents(k)`` is the state it leaves."""
    sweep: int
    unit: int
    after: int
    flipped: bool
    log_odds: float
    log_joint: float


class FitStep(NamedTuple):
    """One step of training."""

    step: int
    """Minibatches seen, from 1."""
    epoch: int
    """Passes over the training set, from 0."""
    seconds: float
    """Since training began, in seconds."""
    metrics: dict[str, float]
    """Named figures of this step, such as ``log_joint`` in nats per image."""


@dataclass(frozen=True, eq=False)
class ICMTrace:
    """Every visit of the inference of one image's latents; row k of an array is the visit that follows k
    others.

    Attributes
    ----------
    x : (n_v,) uint8 or float64
        The image.
    h0 : (n_h,) uint8
        The start.
    log_joint0 : float
        ``log P(x, h0)``, nats.
    unit : (n_visits,) int32
        The latent visited.
    after : (n_visits,) uint8
        Its state after the visit.
    flipped : (n_visits,) bool
        Whether the visit changed it.
    log_odds : (n_visits,) float64
        ``logit P(h_j = 1 | x, h_-j)`` on which the visit decided, nats.
    log_joint : (n_visits,) float64
        ``log P(x, h)`` after the visit, nats; normalised for an LRBN, up to the constant ``log Z`` for an
        RBM.
    sweep : (n_visits,) int32
        Sweep to which the visit belongs, from 0.
    converged : bool
        No unit wanted to change when it was last looked at.
    W, b, d, visible
        The parameters used, so that a trace explains itself.
    model : {"lrbn", "rbm", "deep"}
        Which kind of model made the trace; ``log_joint`` of an "rbm" is not normalised. Of a "deep" one, W
        holds zeros for all units but the lowest layer's.
    sampled : bool
        Some state was drawn at a temperature above 0: then the log joint may fall without breaking Theorem 1.
    """

    x: NDArray
    h0: NDArray[np.uint8]
    log_joint0: float
    unit: NDArray[np.int32]
    after: NDArray[np.uint8]
    flipped: NDArray[np.bool_]
    log_odds: NDArray[np.float64]
    log_joint: NDArray[np.float64]
    sweep: NDArray[np.int32]
    converged: bool
    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]
    visible: str
    model: Made
    sampled: bool

    @property
    def n_visits(self) -> int:
        """Number of visits recorded."""
        return len(self.unit)

    @property
    def n_v(self) -> int:
        """Number of visible units."""
        return len(self.x)

    @property
    def n_h(self) -> int:
        """Number of latent units."""
        return len(self.h0)

    def _check(self, k: int) -> int:
        if not isinstance(k, (int, np.integer)):
            raise TypeError(f"k must be an integer, the number of visits; got {k!r}.")
        if not 0 <= k <= self.n_visits:
            raise IndexError(
                f"k = {k} is outside the trace; expected 0 (the start) to {self.n_visits} (the end)."
            )
        return int(k)

    def latents(self, k: int) -> NDArray[np.uint8]:
        """Return the state after k visits, k = 0 the start; shape (n_h,)."""
        k = self._check(k)
        h = self.h0.copy()
        # Repeated units: NumPy assigns in order, so the last visit to a unit decides.
        h[self.unit[:k]] = self.after[:k]
        return h

    def log_joint_at(self, k: int) -> float:
        """Return ``log P(x, h)`` after k visits, nats."""
        k = self._check(k)
        return float(self.log_joint[k - 1]) if k else float(self.log_joint0)

    def reconstruction(self, k: int) -> NDArray[np.float64]:
        """Return the mean of x given the state after k visits; shape (n_v,), probabilities for Bernoulli
        units.
        """
        a = self.W @ self.latents(k) + self.b
        return a if self.visible == "gaussian" else 1.0 / (1.0 + np.exp(-np.clip(a, -700, 700)))

    def wrong_pixels(self) -> NDArray:
        """Return the reconstruction error at k = 0, ..., n_visits: pixels in which ``argmax_x P(x|h)``
        differs from x.

        For Gaussian units the squared distance to the mean. Shape (n_visits + 1,). Equation: (24).
        """
        from lrbn_viz.numerics import errors_along  # not at the top: traces are read without numba

        squared = self.visible == "gaussian"
        flips = np.flatnonzero(self.flipped)
        errors = np.empty(len(flips) + 1)
        target = self.x.astype(np.float64)
        errors_along(*(self.W, self.b, self.h0, self.unit[flips], self.after[flips], target, squared, errors))
        found = errors[np.append(0, np.cumsum(self.flipped))]
        return found if squared else found.astype(np.int64)

    def __len__(self) -> int:
        return self.n_visits

    def __iter__(self) -> Iterator[Visit]:
        for k in range(self.n_visits):
            yield Visit(
                k + 1,
                int(self.sweep[k]),
                int(self.unit[k]),
                int(self.after[k]),
                bool(self.flipped[k]),
                float(self.log_odds[k]),
                float(self.log_joint[k]),
            )

    def save(self, path: str | os.PathLike) -> None:
        """Write the trace to a ``.npz`` file; the file appears whole or not at all."""
        save_arrays(path, {"kind": "ICMTrace"} | {f.name: getattr(self, f.name) for f in fields(self)})

    @classmethod
    def load(cls, path: str | os.PathLike) -> ICMTrace:
        """Read a trace that :meth:`save` wrote.

        Earlier versions did not write `model` and `sampled`; they are found from the trace itself.

        Raises
        ------
        ValueError
            When the file is not such a trace or is damaged.
        """
        names = [f.name for f in fields(cls)]
        _, arrays = load_arrays(path, ("ICMTrace",), [name for name in names if name not in _ADDED])
        missing = [name for name in _ADDED if name not in arrays]
        if len(missing) == 1:
            raise ValueError(f"{path} lacks {missing[0]}; it was not written whole. Save it again.")
        scalars: dict[str, Any] = {"log_joint0": float, "converged": bool, "sampled": bool}
        scalars |= {"visible": str, "model": str}
        columns: dict[str, Any] = {n: scalars.get(n, np.asarray)(arrays[n]) for n in names if n in arrays}
        trace = cls(**({"model": "lrbn", "sampled": False} | columns))
        if trace.model not in get_args(Made):
            raise ValueError(
                f"{path} is a trace of a model called {trace.model!r}; expected one of {get_args(Made)}. "
                "A newer version may have written it: load it there."
            )
        n_visits, n_h = len(trace.unit), len(trace.h0)
        lengths = {
            len(getattr(trace, name)) for name in ("after", "flipped", "log_odds", "log_joint", "sweep")
        }
        if (
            lengths != {n_visits}
            or trace.W.shape != (len(trace.x), n_h)
            or not np.isin(trace.unit, range(n_h)).all()
        ):
            raise ValueError(
                f"{path} is not a whole trace: its arrays do not fit each other. Save the trace again."
            )
        return replace(trace, model=_maker(trace), sampled=_against_odds(trace)) if missing else trace


_ADDED = ("model", "sampled")


def _maker(trace: ICMTrace) -> Made:
    """Return the kind of model whose formula the recorded log joint follows.

    An RBM's is not normalised and an LRBN's has terms in softplus, so that they differ in every state.
    """
    field = trace.x @ trace.W + trace.d
    bias = trace.x @ trace.b if trace.visible == "bernoulli" else -0.5 * ((trace.x - trace.b) ** 2).sum()
    by_rbm = bias + np.array([trace.h0 @ field, trace.latents(trace.n_visits) @ field])
    recorded = [trace.log_joint0, trace.log_joint_at(trace.n_visits)]
    return "rbm" if np.allclose(by_rbm, recorded, rtol=1e-7, atol=1e-6) else "lrbn"


def _against_odds(trace: ICMTrace) -> bool:
    """Whether some visit chose the less probable state."""
    return bool((np.where(trace.after == 1, -trace.log_odds, trace.log_odds) > 1e-6).any())


def save_arrays(path: str | os.PathLike, arrays: dict) -> None:
    """Write named arrays to a compressed ``.npz`` by way of a temporary file beside it."""
    path = os.fspath(path)
    partial = f"{path}.{os.getpid()}.partial"
    try:
        with open(partial, "wb") as file:
            np.savez_compressed(file, **arrays)
        os.replace(partial, path)
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def load_arrays(
    path: str | os.PathLike, kinds: tuple[str, ...], names: list[str]
) -> tuple[str, dict[str, NDArray]]:
    """Read the kind and all arrays of a file that :func:`save_arrays` wrote; nothing is unpickled.

    The named arrays must be among them.

    Raises
    ------
    ValueError
        When the file is no ``.npz``, is damaged, is of another kind, or lacks a name.
    """
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path} does not exist; expected a file written by save().")
    wanted = " or ".join(kinds)
    try:
        with zipfile.ZipFile(path):
            pass  # np.load would also read a bare array
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(
            f"{path} is damaged or no .npz file ({error}); expected {wanted} written by save()."
        ) from error
    found = str(arrays.get("kind", "no kind"))
    if found not in kinds:
        raise ValueError(f"{path} holds {found}; expected {wanted}. Load it with what wrote it.")
    missing = [name for name in names if name not in arrays]
    if missing:
        raise ValueError(f"{path} lacks {', '.join(missing)}; it was not written whole. Save it again.")
    return found, arrays
