"""Scalar functions, random bits and the lock shared by every kernel."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, cast

import numpy as np
from numba import njit
from numba.np.ufunc import parallel as numba_threads
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from lrbn_viz.kernels.ways import Ways

KERNEL: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Options of a kernel. Division by zero gives infinity, as in NumPy.

Kernels are not called from C by their address; the wrappers for such calls would be a tenth of the compiled
code.
"""

INNER: dict[str, Any] = {**KERNEL, "_nrt": False}
"""Options of a function that only kernels call.

It allocates nothing and its caller owns every array, so references need not be counted; counting them takes
longer than a visit (measured: 1,000 ns against 220).
"""

INLINED: dict[str, Any] = {**INNER, "forceinline": True}
"""The same for the few lines that run at every visit."""

SUMS: dict[str, Any] = {**INLINED, "fastmath": {"reassoc", "contract", "nsz", "arcp"}}
"""The same for sums whose order is free; not-a-number and infinity are preserved."""

FIRST = cast(int, np.int64(0))
"""The 0 that a kernel passes to another one: the index of the only image, or of the first.

Numba compiles a function once for each type of its arguments. A literal has a type of its own, and so have an
index of `prange`, which is unsigned, and a read-only array. Kernels therefore pass each other ``FIRST`` and
``np.int64(index)``, and take arrays that they only read from :func:`fixed`. (Measured: the first start
compiles 156 functions instead of 225.)
"""

PARALLEL_LOCK = threading.Lock()
"""Held around every ``parallel=True`` kernel: numba's workqueue layer aborts when two threads enter one."""

WAYS = Ways(PARALLEL_LOCK)
"""Which kernels are faster on all threads, and which on one, at present."""

MIN_THREADED_WORK = 1 << 20
"""Number of multiplications in one sweep over a batch above which several threads can be faster than one."""


Twins = tuple[Callable[..., None], Callable[..., None]]
"""A kernel compiled twice: for all threads, and for one."""


def keep_to_one_thread() -> None:
    """Run each kernel of this process on the calling thread, from now on.

    The variable ``NUMBA_NUM_THREADS`` has this effect only before Numba is imported; if it changes later,
    Numba's next compilation raises an error.
    """
    PARALLEL_LOCK.acquire(blocking=False)


def _after_fork() -> None:
    """Keep a forked child to one thread: it lacks its parent's threads, and OpenMP ends a child that uses
    them.
    """
    if getattr(numba_threads, "_is_initialized", True):  # Numba has no public name for it
        keep_to_one_thread()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


@contextmanager
def on_one_thread() -> Iterator[None]:
    """Run each kernel on the calling thread within the context.

    Threads of OpenMP spin while they wait for the next kernel: where only some of the work is in kernels, two
    threads cost up to 1.8 times the CPU seconds of one, and more on a busy machine.
    """
    taken = PARALLEL_LOCK.acquire(blocking=False)
    try:
        yield
    finally:
        if taken:
            PARALLEL_LOCK.release()


def for_threads(**options: Any) -> Callable[[Any], Twins]:
    """Compile a loop over ``prange`` twice: for all threads, and for the calling thread.

    Running the parallel version on a single thread instead would make OpenMP end its threads and restart
    them.
    """

    def compiled(loop: FunctionType) -> Twins:
        alone = FunctionType(loop.__code__, loop.__globals__)
        alone.__qualname__ = f"{loop.__name__}_alone"  # Numba names its file in the cache by it
        return njit(**options, parallel=True)(loop), njit(**options)(alone)

    return compiled


def run_kernel(kernel: Twins, work: int, *args: Any) -> None:
    """Run a kernel on all threads if that is faster and no other kernel uses them, else on the calling
    thread.

    Both compute the same, image by image, so that the choice does not affect the results. Waiting for the
    threads would make several runs in one process take turns; a small batch is finished before threads
    have started; of larger ones the times decide.

    Parameters
    ----------
    kernel : pair of compiled functions
    work : int
        Multiplications of one sweep.
    """
    parallel, alone = kernel
    # Random streams wrap around by design; where the kernels run uncompiled, NumPy would warn of it.
    with np.errstate(over="ignore"):
        if work < MIN_THREADED_WORK:
            alone(*args)
            return
        with WAYS.threads_for((kernel, _precision(args)), work) as threads:
            (parallel if threads else alone)(*args)


def _precision(args: tuple[Any, ...]) -> str:
    """Return the letter of the type of the first floating-point array among arguments, or within one of them;
    empty if there is none. A kernel takes twice as long in double precision.
    """
    for each in args:
        for array in each if isinstance(each, tuple) else (each,):
            if isinstance(array, np.ndarray) and array.dtype.kind == "f":
                return array.dtype.char
    return ""


class _OneBlasThread:
    """State of :func:`one_blas_thread`: the number of active contexts, and the settings to restore after the
    last.
    """

    def __init__(self) -> None:
        self._lock, self._within = threading.Lock(), 0
        self._controller: Any = None
        self._limit: Any = None

    @contextmanager
    def __call__(self) -> Iterator[None]:
        with self._lock:
            self._within += 1
            if self._within == 1:
                self._controller = self._controller or ThreadpoolController()  # finds the libraries, once
                self._limit = self._controller.limit(limits=1, user_api="blas")
        try:
            yield
        finally:
            with self._lock:
                self._within -= 1
                if self._within == 0:
                    self._limit.restore_original_limits()


one_blas_thread = _OneBlasThread()
"""Context in which NumPy's matrix products run on the calling thread, whichever threads enter it.

Their sums then do not depend on the number of cores. Besides, the threads of BLAS wait for each other in busy
loops: on two cores with five busy threads, products of 500 x 200 and 200 x 784 took 14 to 28 times as long.
"""


def softplus(a: NDArray | float) -> NDArray:
    """Return ``log(1 + exp(a))`` element by element, without overflow; the error is below 3e-16 max(1, |a|).

    This is four times as fast as ``logaddexp`` or ``log1p``, which do not run in vector registers.
    """
    return np.maximum(a, 0.0) + np.log(1.0 + np.exp(-np.abs(a)))


def sigmoid(a: NDArray | float) -> NDArray:
    """Return ``1 / (1 + exp(-a))`` element by element, without overflow."""
    t = np.exp(-np.abs(a))
    return np.where(np.asarray(a) >= 0, 1.0, t) / (1.0 + t)


@njit(**INLINED)
def scalar_sigmoid(a: float) -> float:
    """Return ``1 / (1 + exp(-a))`` of one number, in double precision, without overflow."""
    a = np.float64(a)
    t = math.exp(-abs(a))
    return (1.0 if a >= 0 else t) / (1.0 + t)


@njit(**INLINED)
def scalar_softplus(a: float) -> float:
    """Return ``log(1 + exp(a))`` of one number, in double precision."""
    a = np.float64(a)
    return max(a, 0.0) + math.log1p(math.exp(-abs(a)))


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""Increment of a random stream's state for every number: SplitMix64 (Steele, Lea and Flood 2014)."""

ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))
"""The three rounds that mix a state: bits by which it is shifted and xored with itself, and a factor."""
_MIX1, _MIX2, _ = (np.uint64(factor) for _, factor in ROUNDS)


@njit(**INLINED)
def mixed_uniform(z: np.uint64) -> float:
    """Return the number, strictly between 0 and 1, that a state of a random stream gives."""
    z = (z ^ (z >> np.uint64(30))) * _MIX1
    z = (z ^ (z >> np.uint64(27))) * _MIX2
    z = z ^ (z >> np.uint64(31))
    return (float(z >> np.uint64(11)) + 0.5) * 2.0**-53


@njit(**INLINED)
def next_uniform(state: NDArray[np.uint64], m: int) -> float:
    """Advance the m-th random stream and return a number strictly between 0 and 1.

    Each image owns a stream, so results depend neither on the number of threads nor on the size of the batch.
    Modified in place: ``state[m]``.
    """
    state[m] += GOLDEN
    return mixed_uniform(state[m])


def fixed(X: NDArray) -> NDArray:
    """Return a read-only view of an array, whether or not the array is writeable: see :data:`FIRST`."""
    view = X.view()
    view.flags.writeable = False
    return view


def random_streams(n: int, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Draw `n` independent starting states for :func:`next_uniform`."""
    return rng.integers(0, 2**64, size=n, dtype=np.uint64)


@njit(**KERNEL)
def activate_image(rows: NDArray, b: NDArray, h: NDArray, a: NDArray) -> None:
    """Fill `a` (n_v,) with ``a = W h + b``: the offsets, and the `rows` (n_h, n_v) of units that are on."""
    pixels = range(np.uintp(rows.shape[1]))
    for i in pixels:
        a[i] = b[i]
    for j in range(len(h)):
        if h[j] != 0:
            for i in pixels:
                a[i] += rows[j, i]


@njit(**KERNEL)
def errors_along(
    rows: NDArray,
    h: NDArray,
    unit: NDArray,
    after: NDArray,
    target: NDArray,
    squared: bool,
    a: NDArray,
    errors: NDArray,
) -> None:
    """Write the reconstruction error before and after each of several visits. Equation: (24).

    Parameters
    ----------
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights.
    h : (n_h,) float64
        States or means before the first visit. Overwritten by those after the last.
    unit, after : (n_visits,) integers, float64
        Which latent is visited, and its state or mean afterwards. Units beyond the rows change no activation.
    target : (n_v,) float64
        The image; pixels of NaN are not known, and left out.
    squared : bool
        True: squared distances; False: the number of activations with the wrong sign.
    a : (n_v,) float64
        The offsets. Overwritten.
    errors : (n_visits + 1,) float64
        Filled.
    """
    for j in range(len(h)):  # only the rows of units that are on: most are off
        if h[j] != 0.0:
            for i in range(np.uintp(len(a))):
                a[i] += h[j] * rows[j, i]
    errors[0] = _error(a, target, squared)
    for k in range(len(unit)):
        j = unit[k]
        if j >= len(h) or h[j] == after[k]:
            errors[k + 1] = errors[k]
            continue
        step = after[k] - h[j]
        h[j] = after[k]
        for i in range(np.uintp(len(a))):
            a[i] += step * rows[j, i]
        errors[k + 1] = _error(a, target, squared)


@njit(**KERNEL)
def errors_of_means(
    rows: NDArray,
    b: NDArray,
    means: NDArray,
    targets: NDArray,
    squared: bool,
    a: NDArray,
    errors: NDArray,
) -> None:
    """Write the reconstruction error of each of several states or means. Equation: (24).

    Parameters
    ----------
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights.
    b : (n_v,) float64
        The offsets.
    means : (n, at least n_h) float64
        States or means; those of upper layers come after, and change no activation.
    targets : (n, n_v) or (1, n_v) float64
        The image of each, or one image of all; pixels of NaN are not known, and left out.
    squared : bool
        True: squared distances; False: the number of activations with the wrong sign.
    a : (n_v,) float64
        Overwritten.
    errors : (n,) float64
        Filled.
    """
    one = len(targets) == 1
    for k in range(len(errors)):
        for i in range(len(a)):
            a[i] = b[i]
        for j in range(len(rows)):
            if means[k, j] != 0.0:
                for i in range(len(a)):
                    a[i] += means[k, j] * rows[j, i]
        errors[k] = _error(a, targets[0 if one else k], squared)


@njit(**SUMS)
def _error(a: NDArray, target: NDArray, squared: bool) -> float:
    """Return the error of activations over the known pixels of an image."""
    total, wrong = 0.0, 0
    if squared:
        for i in range(np.uintp(len(a))):
            total += 0.0 if math.isnan(target[i]) else (a[i] - target[i]) ** 2
        return total
    for i in range(np.uintp(len(a))):  # without a branch, so that several pixels are compared at once
        wrong += int((not math.isnan(target[i])) & ((a[i] > 0.0) != (target[i] > 0.0)))
    return float(wrong)
