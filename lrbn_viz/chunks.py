"""Images in pieces: their sources, the pools that work on them, and the reproducibility of results.

Images lie in blocks of `BLOCK_ROWS` rows. The results of a block, its random numbers included, depend only on
its place, and sums over blocks follow one tree: results are the same for any number of blocks in a piece, and
for any pool. `LOCAL_POOL` works in this process, a :class:`lrbn_viz.cluster.Cluster` on others.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["Abandoned", "Here", "Pool", "PoolLost", "Streamed", "Watched", "WorkLost", "map_images"]


def __dir__() -> list[str]:
    return sorted(__all__)


T = TypeVar("T")

BLOCK_ROWS = 1024
"""Number of images whose results, random numbers included, are computed as a unit."""

ROWS = 1024
"""Number of images inferred or annealed at a time, one task of a cluster: pixel probabilities of a few MB.

Few enough for 10,000 images to be shared evenly: twice as many leave two workers at most 0.81 of their speed.
"""

Progress = Callable[[float], None]


class PoolLost(ConnectionError):
    """Error for lost workers; its message says what was lost and what to do.

    Examples
    --------
    >>> from lrbn_viz.chunks import PoolLost
    >>> from lrbn_viz.cluster import Cluster
    >>> try:
    ...     cluster = Cluster("tcp://127.0.0.1:1", timeout=0.5)
    ... except PoolLost:
    ...     print("train in this process, or start a scheduler")
    train in this process, or start a scheduler
    """


class WorkLost(PoolLost):
    """Error for a piece of work that ended all workers that tried it; the pool itself still exists.

    Examples
    --------
    >>> from lrbn_viz.chunks import PoolLost, WorkLost
    >>> issubclass(WorkLost, PoolLost)  # who catches the other catches it, too
    True
    """


class Abandoned(RuntimeError):
    """Error for work that was abandoned on request; none of it is kept.

    Examples
    --------
    >>> from lrbn_viz.chunks import Abandoned, Here, Watched
    >>> def stop(what: str, finished: int, pieces: int) -> None:
    ...     raise Abandoned("no longer wanted")
    >>> pool = Watched(Here(), stop)
    >>> try:
    ...     pool.begin("add", 1)
    ... except Abandoned as reason:
    ...     print(reason)
    no longer wanted
    """


class Pool(Protocol):
    """Protocol of a pool that processes pieces of images. Values stay there until they are gathered.

    Examples
    --------
    >>> from lrbn_viz.chunks import Here, Pool
    >>> def double(pool: Pool, numbers: list[int]) -> list[int]:
    ...     return pool.gather([pool.submit("double", lambda number: 2 * number, each) for each in numbers])
    >>> double(Here(), [1, 2])
    [2, 4]
    """

    span: int
    """Grains of a piece: a power of two."""

    def begin(self, what: str, pieces: int) -> None:
        """Announce a number of pieces of work of a name, for reports of progress."""
        ...

    def submit(self, what: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function; return a handle of its result, which may be an argument or part of a list of
        arguments.

        Parameters
        ----------
        what : str
            Its name, such as "e_step".
        """
        ...

    def gather(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of handles.

        Raises
        ------
        PoolLost
            It cannot be had any more.
        """
        ...

    def finished(self, value: Any) -> bool:
        """Return whether the value of a handle exists, or will never exist."""
        ...

    def wait(self, values: Sequence[Any], seconds: float, first: bool = False) -> bool:
        """Wait until values are finished, or the `first` of them, but at most for some seconds.

        Returns
        -------
        bool
            True if they are.

        Raises
        ------
        PoolLost
            They cannot be had any more.
        """
        ...


class Here:
    """Work in this process, at once.

    Parameters
    ----------
    span : int
        Grains of a piece.

    Examples
    --------
    >>> from lrbn_viz.chunks import Here
    >>> pool = Here()
    >>> pool.gather([pool.submit("add", sum, [1, 2])])
    [3]
    """

    def __init__(self, span: int = 1) -> None:
        self.span = span

    def begin(self, what: str, pieces: int) -> None:
        """Do nothing: no observer is attached."""

    def submit(self, what: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function."""
        return function(*args)

    def gather(self, values: Sequence[Any]) -> list[Any]:
        """Return the values."""
        return list(values)

    def finished(self, value: Any) -> bool:
        """Return True."""
        return True

    def wait(self, values: Sequence[Any], seconds: float, first: bool = False) -> bool:
        """Return True."""
        return True


LOCAL_POOL = Here()

Tell = Callable[[str, int, int], None]


class Watched:
    """A pool that reports its finished pieces of work. Without an observer the pool itself is used.

    Parameters
    ----------
    pool : Pool
    tell : callable
        Called with the name of the work, the number of finished pieces, and their total, several times a
        second on the thread that works with the pool. An error that it raises, such as :class:`Abandoned`,
        ends the wait, and the tasks that are no longer needed are released.

    Examples
    --------
    >>> from lrbn_viz.chunks import Here, Watched
    >>> pool = Watched(Here(), lambda what, finished, pieces: print(what, finished, "of", pieces))
    >>> pool.begin("add", 1)
    add 0 of 1
    >>> pool.gather([pool.submit("add", sum, [1, 2])])
    add 1 of 1
    add 1 of 1
    [3]
    """

    EVERY = 0.2
    """Interval between two reports, seconds."""

    def __init__(self, pool: Pool, tell: Tell) -> None:
        self.pool, self.span = pool, pool.span
        self._tell = tell
        self._what, self._pieces, self._submitted = "", 0, 0
        self._open: list[Any] = []  # of this work, what was not finished when last looked at
        self._looked = -math.inf

    def begin(self, what: str, pieces: int) -> None:
        """Count the pieces of this work from now on."""
        self._what, self._pieces, self._submitted, self._open = what, pieces, 0, []
        self._look()

    def submit(self, what: str, function: Callable[..., Any], *args: Any) -> Any:
        """Call a function; see :class:`Pool`."""
        value = self.pool.submit(what, function, *args)
        if what == self._what:
            self._submitted += 1
            self._open.append(value)
            if time.monotonic() - self._looked >= self.EVERY or self._submitted == self._pieces:
                self._look()
        return value

    def gather(self, values: Sequence[Any]) -> list[Any]:
        """Return the values of handles, and report the progress of the work meanwhile."""
        while not self.wait(values, self.EVERY):
            self._look()
        found = self.pool.gather(values)
        self._look()
        return found

    def finished(self, value: Any) -> bool:
        """Return whether a value exists; see :class:`Pool`."""
        return self.pool.finished(value)

    def wait(self, values: Sequence[Any], seconds: float, first: bool = False) -> bool:
        """Wait for values; see :class:`Pool`."""
        return self.pool.wait(values, seconds, first)

    def _look(self) -> None:
        self._looked = time.monotonic()
        self._open = [value for value in self._open if not self.pool.finished(value)]
        self._tell(self._what, self._submitted - len(self._open), self._pieces)


@dataclass(frozen=True, eq=False)
class Streamed:
    """Images that are read piece by piece, by the process that works on them: data larger than memory.

    Parameters
    ----------
    source : object with ``shape`` (n, n_v) and slices of rows
        ``source[first:last]`` is an array, or can be computed: a memory map, a Zarr or Dask array, or
        whatever makes its rows when they are asked for. It travels to other processes, so it must be possible
        to pickle it, and files must be there under the same name.
    first, last : int
        Which of its rows; `last` is None for all that follow.
    check : callable, optional
        What becomes of rows once they are read; it raises ValueError where they cannot be.

    Examples
    --------
    >>> import numpy as np
    >>> from lrbn_viz.chunks import Streamed
    >>> np.save("images.npy", np.ones((300, 64), np.uint8))
    >>> streamed = Streamed.folder(".")
    >>> streamed.shape, streamed.part(0, 10).read().shape
    ((300, 64), (10, 64))
    """

    source: Any
    first: int = 0
    last: int | None = None
    check: Callable[[NDArray], NDArray] | None = None

    @classmethod
    def folder(cls, path: Path | str) -> Streamed:
        """Return the images of a folder: all of its files ``*.npy``, by their names, each (n, n_v)."""
        return cls(_Folder.of(Path(path)))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of images and of pixels."""
        return len(self), self.source.shape[1]

    def __len__(self) -> int:
        return (self.source.shape[0] if self.last is None else self.last) - self.first

    def part(self, first: int, last: int) -> Streamed:
        """Return some of the images, unread: a Dask array's without the others."""
        first, last = self.first + first, self.first + min(last, len(self))
        if hasattr(self.source, "__dask_graph__"):
            return replace(self, source=self.source[first:last], first=0, last=last - first)
        return replace(self, first=first, last=last)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        return np.asarray(self.read(), dtype)

    def stored(self) -> NDArray:
        """Return the images as the source has them."""
        rows = self.source[self.first : self.first + len(self)]
        if hasattr(rows, "compute"):
            rows = rows.compute(scheduler="synchronous")  # it is a task already
        return np.asarray(rows)

    def read(self) -> NDArray:
        """Return the images, checked."""
        return self.stored() if self.check is None else self.check(self.stored())


@dataclass(frozen=True)
class _Folder:
    """Files of images, one after another.

    Attributes
    ----------
    files : tuple of str
    ends : tuple of int
        Images up to the end of each.
    """

    files: tuple[str, ...]
    ends: tuple[int, ...]
    shape: tuple[int, int]

    @classmethod
    def of(cls, path: Path) -> _Folder:
        files = sorted(path.glob("*.npy"))
        if not files:
            raise ValueError(f"expected files *.npy in {path}, got none; name a folder that holds some.")
        ends, widths = [0], set()
        for file in files:
            array = np.load(file, mmap_mode="r", allow_pickle=False)
            if array.ndim != 2:
                raise ValueError(
                    f"{file} holds an array of shape {array.shape}; expected (n, n_v), one flattened image "
                    "per row. Reshape it."
                )
            ends.append(ends[-1] + len(array))
            widths.add(array.shape[1])
        if len(widths) > 1:
            raise ValueError(f"files of {path} hold images of {sorted(widths)} pixels; expected one number.")
        return cls(tuple(map(str, files)), tuple(ends[1:]), (ends[-1], widths.pop()))

    def __getitem__(self, rows: slice) -> NDArray:
        first, last, _ = rows.indices(self.shape[0])
        parts, begin = [], 0
        for file, end in zip(self.files, self.ends, strict=True):
            if begin < last and first < end:
                array = np.load(file, mmap_mode="r", allow_pickle=False)
                parts.append(array[max(first - begin, 0) : last - begin])
            begin = end
        return np.concatenate(parts) if parts else np.zeros((0, self.shape[1]))


def bounds(n: int, rows: int) -> list[tuple[int, int]]:
    """Return the first and the last row, the latter excluded, of each piece of n rows."""
    return [(first, min(first + rows, n)) for first in range(0, n, rows)]


def blocks(n: int, first: int = 0) -> Iterator[tuple[int, slice]]:
    """Return the number and the slice of each block of a piece of n rows, which begins at the row `first`."""
    for begin, end in bounds(n, BLOCK_ROWS):
        yield (first + begin) // BLOCK_ROWS, slice(begin, end)


def tree_sum(add: Callable[[T, T], T], terms: Sequence[T]) -> T:
    """Return the sum of terms along a tree of pairs: the same for pieces of 2, 4, 8, ... terms each."""
    while len(terms) > 1:
        pairs = [add(terms[k], terms[k + 1]) for k in range(0, len(terms) - 1, 2)]
        terms = [*pairs, *terms[len(terms) // 2 * 2 :]]
    return terms[0]


class Bits(NamedTuple):
    """Binary images or codes in transfer: one bit each, the lowest first.

    Attributes
    ----------
    bits : (n, ceil(width / 8)) uint8
    width : int
        How many there are in a row.
    dtype : dtype
        Of the array that they were.
    known : (n, ceil(width / 8)) uint8 or None
        Which of them are known; None: all. The others are NaN.
    """

    bits: NDArray[np.uint8]
    width: int
    dtype: Any = np.uint8
    known: NDArray[np.uint8] | None = None

    @classmethod
    def of(cls, array: NDArray) -> Bits:
        """Return the bits of an array of 0, 1 and, if it is of floating-point numbers, NaN."""
        known = None if array.dtype.kind != "f" else ~np.isnan(array)
        if known is not None:
            known = None if known.all() else np.packbits(known, axis=1, bitorder="little")
        bits = np.packbits(array > 0, axis=1, bitorder="little")
        return cls(bits, array.shape[1], array.dtype, known)

    def array(self, rows: slice = slice(None)) -> NDArray:
        """Return some rows as they were."""
        found = self._opened(self.bits[rows]).astype(self.dtype, copy=False)
        if self.known is not None:
            found[self._opened(self.known[rows]) == 0] = np.nan
        return found

    def _opened(self, bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.unpackbits(bits, axis=1, count=self.width, bitorder="little")


def _light(images: NDArray) -> NDArray | Bits:
    """Return images in the form in which they are sent."""
    binary = images.ndim == 2 and ((images == 0) | (images == 1)).all()
    return Bits.of(images) if binary else images


def _call(
    function: Callable[..., T],
    images: NDArray | Bits,
    rng: np.random.Generator,
    args: Sequence[Any],
    more: Any,
) -> tuple[T, Any]:
    """Return the result of a function on a piece, and the final state of its generator."""
    from lrbn_viz.kernels.numerics import one_blas_thread  # not at the top: this is read without numba

    if isinstance(images, Bits):
        images = images.array()
    with one_blas_thread():  # sums of products do not depend on how many cores there are
        return function(images, rng, *args, **more), rng.bit_generator.state


def map_images(
    function: Callable[..., T],
    X: NDArray,
    rng: np.random.Generator,
    *args: Any,
    rows: int = ROWS,
    pool: Pool | None = None,
    progress: Progress | None = None,
    alike: bool = False,
) -> list[T]:
    """Call a function for each piece of a batch of images; return its results in their order.

    Parameters
    ----------
    function : callable
        Takes a piece of `X`, a generator and `args`; it can be pickled. The first piece has `rng` itself,
        each of the others one of its own, so that its numbers do not depend on where the pieces before it are
        worked on.
    rows : int
        Images of a piece.
    pool : Pool, optional
        Where the pieces are worked on; None: in this process, one after another.
    progress : callable, optional
        Called with the share that is done. In this process the function is given, as a keyword ``progress``,
        what reports its own share.
    alike : bool
        True if all pieces have the same random numbers, those of `rng`.

    Examples
    --------
    >>> import numpy as np
    >>> from lrbn_viz.chunks import map_images
    >>> X = np.ones((2500, 64), np.uint8)
    >>> map_images(lambda piece, rng: len(piece), X, np.random.default_rng(0))
    [1024, 1024, 452]
    """
    parts = bounds(len(X), rows)
    if alike:
        generators = [copy.deepcopy(rng) for _ in parts]
    else:
        generators = [rng, *(rng.spawn(len(parts) - 1) if len(parts) > 1 else ())]
    if pool is not None:
        shared = [pool.submit("share", _same, value) for value in args]
        tasks = [
            pool.submit("map_images", _call, function, _light(X[first:last]), own, shared, {})
            for (first, last), own in zip(parts, generators, strict=True)
        ]
    else:
        tasks = [None] * len(parts)
    found: list[T] = []
    for number, ((first, last), own, task) in enumerate(zip(parts, generators, tasks, strict=True)):
        if pool is not None:
            ((result, state),) = pool.gather([task])
            if progress is not None:
                progress(last / len(X))
        else:
            more = {} if progress is None else {"progress": _part_of(progress, first, last, len(X))}
            result, state = _call(function, X[first:last], own, args, more)
        found.append(result)
        if number == 0:  # a caller's generator goes on from there, wherever it was used
            rng.bit_generator.state = state
    return found


def _same(value: T) -> T:
    return value


def _part_of(progress: Progress, first: int, last: int, n: int) -> Progress:
    return lambda share: progress((first + share * (last - first)) / n)
