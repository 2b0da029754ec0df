"""Traced inference: every visit of one image's latents, in any order, recorded.

One resumable kernel fills the trace; a step, a sweep and a whole run are the same code path, and chunks of
any number of visits give identical traces. The kernel is Algorithm 1 itself, :mod:`lrbn_viz.lrbn.icm`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_integer, check_numbers
from lrbn_viz.kernels.numerics import KERNEL, random_streams
from lrbn_viz.kernels.simd.math import exp, log
from lrbn_viz.lrbn.icm import CONVERGED, DONE, PARALLEL, K, Record, update_latents
from lrbn_viz.lrbn.kernel_params import ICM_SWEEPS, KernelParams, own_gram_pays
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.lrbn.start import begin, state_of, with_own_gram

Order = Literal["sequential", "random", "greedy", "parallel"]


def _longer(record: Record | None, size: int) -> Record:
    """Return a record of `size` rows that begins with the given one."""
    columns: list[Any] = [np.empty(size, dtype) for dtype in ("i4", "u1", "?", "f8", "f8", "i4")]
    if record is not None:
        for column, old in zip(columns, record, strict=True):
            column[: len(old)] = old
    return Record(*columns)


class Stepper:
    """Inference of one image, advanced visit by visit.

    Parameters
    ----------
    params, visible, kernel_params
        The model; `kernel_params` in double precision.
    x : (n_v,)
    start : {"conditional", "paper", "zeros", "random"} or (1, n_h) uint8
    order : {"sequential", "random", "greedy", "parallel"}
        Order of the visits. "parallel" decides all units of a sweep from the state at its start, which
        Theorem 1 does not cover; its visits are recorded one by one.
    temperatures : (n_sweeps,) float64
        One per sweep; 0 is ICM.
    held : mapping from unit to state
        Latents that are clamped and never visited.
    rng : numpy.random.Generator
    prior : (n_h,), optional
        Prior log-odds of the latents in the place of d, as a layer above gives them.
    """

    def __init__(
        self,
        params: LayerParams,
        visible: Visible,
        kernel_params: KernelParams,
        x: NDArray,
        start: Start | NDArray[np.uint8],
        order: Order,
        temperatures: NDArray[np.float64],
        held: Mapping[int, int],
        rng: np.random.Generator,
        prior: NDArray[np.float64] | None = None,
    ) -> None:
        self._params, self._visible, self._x = params, visible, x
        self._kernel_params = kernel_params
        self._order = get_args(Order).index(order)
        self._temperatures = np.ascontiguousarray(temperatures, np.float64)
        self._state = state_of(kernel_params, x, start, rng, prior)
        if held:
            self._state.latent[0, list(held)] = list(held.values())
            self._state.stream[:] = random_streams(1, rng)
        n_sweeps = int(np.count_nonzero(self._temperatures)) + min(len(self._temperatures), ICM_SWEEPS)
        if visible == "gaussian" and (unknown := np.isnan(self._x)).any():
            n_known = params.n_v - int(np.count_nonzero(unknown))
            if own_gram_pays(n_sweeps * params.n_h, params.n_v, params.n_h, n_known):
                self._kernel_params, self._state = with_own_gram(kernel_params, self._state)
        self._h0 = self._state.latent[0].copy()
        units = np.delete(np.arange(params.n_h, dtype=np.int32), list(held))[None]
        if order == "random":
            units = rng.permuted(np.repeat(units, len(temperatures), axis=0), axis=1)
        self._units = np.ascontiguousarray(units)
        self._at_once = np.zeros(self._units.shape[1])
        self._cursor = np.zeros(6, np.int64)
        if self._units.shape[1] == 0 or len(temperatures) == 0:
            self._cursor[DONE] = 1
            self._cursor[CONVERGED] = self._units.shape[1] == 0
        with np.errstate(over="ignore"):
            self._log_joint0 = float(begin(self._kernel_params, self._state))
        self._total = np.array([self._log_joint0])
        self._record = _longer(None, 0)

    @property
    def done(self) -> bool:
        """True if inference has converged or has made all its sweeps."""
        return bool(self._cursor[DONE])

    def advance(self, n_visits: int) -> None:
        """Make up to `n_visits` further visits."""
        check_integer(n_visits, "n_visits", 0)
        needed = int(self._cursor[K]) + n_visits
        have = len(self._record.unit)
        if needed > have:
            size = max(needed, have + have // 2)
            self._record = _longer(self._record, size)
        with np.errstate(over="ignore"):
            update_latents(
                self._kernel_params,
                self._state,
                self._order,
                self._units,
                self._temperatures,
                self._at_once,
                self._total,
                self._cursor,
                self._record,
                n_visits,
            )

    def run(self) -> None:
        """Continue until inference is done."""
        while not self.done:
            self.advance(8 * max(self._units.shape[1], 64))

    def trace(self) -> ICMTrace:
        """Return the record so far."""
        k = int(self._cursor[K])
        columns: dict[str, Any] = {
            name: column[:k].copy() for name, column in zip(Record._fields, self._record, strict=True)
        }
        return ICMTrace(
            x=self._x,
            h0=self._h0,
            log_joint0=self._log_joint0,
            converged=bool(self._cursor[CONVERGED]),
            W=self._params.W,
            b=self._params.b,
            d=self._params.d,
            visible=self._visible,
            model="lrbn",
            sampled=bool((self._temperatures[columns["sweep"]] > 0).any()),
            at_once=self._order == PARALLEL,
            **columns,
        )


def schedule(temperature: float | Sequence[float] | NDArray, max_sweeps: int) -> NDArray[np.float64]:
    """Return the temperature of every sweep.

    Parameters
    ----------
    temperature : float or sequence of float
        A number is the temperature of all `max_sweeps` sweeps. A sequence gives one sweep at each, and then
        at most `max_sweeps` of ICM.

    Raises
    ------
    ValueError
        When a temperature is negative or not a number.
    """
    message = (
        f"temperature must be a number >= 0 (0: ICM, 1: Gibbs) or a sequence of them; got {temperature!r}."
    )
    try:
        values = check_numbers(temperature, "temperature").astype(np.float64)
    except (TypeError, ValueError) as error:
        raise type(error)(message) from error
    if values.ndim > 1 or not np.isfinite(values).all() or (values < 0).any():
        raise ValueError(message)
    if values.ndim == 0:
        return np.full(max_sweeps, float(values))
    return np.concatenate([values, np.zeros(max_sweeps)])


@njit(**KERNEL)
def fill_cooling(hottest, coldest, temperatures):
    """Fill `temperatures` (n_sweeps,) with a geometric schedule that begins and ends at the given ones."""
    last = len(temperatures) - 1
    for t in range(last + 1):
        share = t / last if last > 0 else 0.0
        temperatures[t] = exp((1.0 - share) * log(hottest) + share * log(coldest))
    if last > 0:
        temperatures[last] = coldest
    if last >= 0:
        temperatures[0] = hottest


@lru_cache(maxsize=64)
def _cooling(n_sweeps: int, hottest: float, coldest: float) -> NDArray[np.float64]:
    temperatures = np.empty(n_sweeps)
    fill_cooling(hottest, coldest, temperatures)
    return temperatures


def cooling(n_sweeps: int, hottest: float = 3.0, coldest: float = 0.1) -> NDArray[np.float64]:
    """Return a geometric annealing schedule of `n_sweeps` temperatures from `hottest` to `coldest`."""
    # Every minibatch uses the same schedule, and computing it takes as long as inferring an image.
    return _cooling(n_sweeps, hottest, coldest).copy()
