"""The optima of log P(x, h) that ICM reaches from many starts: how many, how often, and how good."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import ROWS, Pool, Progress, map_images
from lrbn_viz.core.model import Model, NotOffered
from lrbn_viz.core.validation import check_integer, check_latents, generator

# the live page searches alike, and reads it, too
_constants: dict[str, Any] = json.loads(Path(__file__).with_name("basins.json").read_text(encoding="utf-8"))
DENSITIES: tuple[float, ...] = tuple(_constants["densities"])
"""Shares of latents that are on in a random start: from nearly none to as many as fair coins give."""


def page_starts(n_h: int) -> int:
    """Return from how many starts a page looks for the optima of a model of `n_h` latents.

    This takes about a third of a second of two cores at 200 latents.
    """
    return _constants["starts" if n_h <= _constants["few_latents"] else "starts_of_many"]


@dataclass(frozen=True, eq=False, repr=False)
class Basins:
    """Distinct optima, the best first; row r belongs to the r-th.

    Attributes
    ----------
    H : (n, n_h) uint8
        The optima: no single flip raises ``log P(x, h)``.
    log_joint : (n,) float64
        Their ``log P(x, h)``, nats, falling.
    counts : (n,) int64
        Starts from which ICM ends there; they sum to `n_starts`.
    kinds : tuple of str
        Kinds of starts: the named ones, then ``"random, 5 % on"`` and so on.
    counts_by_kind : (n, n_kinds) int64
        The same per kind.
    distance : (n,) int64
        Latents that differ from the best optimum.
    starts : (n, n_h) uint8
        The first start that led to each optimum.

    Examples
    --------
    >>> import lrbn_viz
    >>> bars = lrbn_viz.load_dataset("bars")
    >>> basins = lrbn_viz.find_basins(lrbn_viz.pretrained("lrbn-16-bars"), bars.test_X[15], 50)
    >>> len(basins) == len(basins.H), int(basins.counts.sum())
    (True, 50)
    """

    H: NDArray[np.uint8]
    log_joint: NDArray[np.float64]
    counts: NDArray[np.int64]
    kinds: tuple[str, ...]
    counts_by_kind: NDArray[np.int64]
    distance: NDArray[np.int64]
    starts: NDArray[np.uint8]

    def __repr__(self) -> str:
        found = "1 optimum" if len(self) == 1 else f"{len(self):,} optima"
        best = f"log P(x, h) {self.log_joint[0]:.2f} nats, found {self.counts[0]:,} times"
        return f"<Basins: {found} from {self.n_starts:,} starts; the best: {best}>"

    def __len__(self) -> int:
        return len(self.H)

    @property
    def n_starts(self) -> int:
        """Number of starts tried."""
        return int(self.counts.sum())


def find_basins(
    model: Model,
    x: ArrayLike,
    n_starts: int = 1000,
    *,
    starts: Mapping[str, ArrayLike] | None = None,
    random_state: Any = 0,
) -> Basins:
    """Run ICM, units in order, from many starts until nothing changes, and collect the optima that it
    reaches.

    Parameters
    ----------
    model : Model
    x : (n_v,) array
    n_starts : int
        How many in all. The model's named starts (each unit's conditional, the paper's, all off, all on) and
        those of `starts` come first; the rest are random, in equal parts with 5, 10, 25 and 50 % of the
        latents on.
    starts : mapping from name to (n_h,) array, optional
        Further starts.
    random_state : int, Generator or None
        Seed of the random starts; equal seeds give equal results, whatever the number of threads.

    Raises
    ------
    NotOffered
        When latents do not interact given the image, as an RBM's do not: then there is one optimum; or when
        the model has no search of its own.
    ValueError
        When `n_starts` has no room for the named starts, or x or a start does not fit the model.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> x = lrbn_viz.load_dataset("bars").test_X[15]
    >>> basins = lrbn_viz.find_basins(model, x, 50)
    >>> bool(basins.log_joint[0] == basins.log_joint.max())
    True
    """
    if model.factorised:
        raise NotOffered(
            f"expected a model whose latents interact; got {type(model).__name__}, which has one optimum."
        )
    n_h = model.n_latents_
    image = model.check_image(x)
    named = model.start_states(image)
    named |= {name: check_latents(h, (n_h,), name) for name, h in (starts or {}).items()}
    check_integer(n_starts, "n_starts", len(named))
    rng = generator(random_state)
    density = np.arange(n_starts - len(named)) % len(DENSITIES)
    drawn = rng.random((len(density), n_h)) < np.asarray(DENSITIES)[density, None]
    begin = np.concatenate([np.array(list(named.values())), drawn.astype(np.uint8)])
    kind = np.concatenate([np.arange(len(named)), len(named) + density])
    kinds = (*named, *(f"random, {100 * share:.0f} % on" for share in DENSITIES))
    return _gather(model, image, begin, model.climb(image, begin), kind, kinds)


def find_basins_of_images(
    model: Model,
    X: ArrayLike,
    n_starts: int = 1000,
    *,
    random_state: Any = 0,
    pool: Pool | None = None,
    progress: Progress | None = None,
) -> list[Basins]:
    """Find the optima of each of many images: :func:`find_basins` image by image, in order.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    n_starts : int
        Starts for each image: the model's named starts, and random ones.
    random_state : int, Generator or None
        Seed of the random starts; equal seeds give equal results, here and on any workers. The first image's
        starts are those that :func:`find_basins` draws of the same seed.
    pool : Pool, optional
        Where the images are worked on, such as a :class:`lrbn_viz.cluster.Cluster`; None: in this process.
    progress : callable, optional
        Called with the share that is done.

    Raises
    ------
    NotOffered, ValueError
        As :func:`find_basins` does.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> X = lrbn_viz.load_dataset("bars").test_X[:3]
    >>> [basins.n_starts for basins in lrbn_viz.find_basins_of_images(model, X, 20)]
    [20, 20, 20]
    """
    model.check_images(X)
    check_integer(n_starts, "n_starts", 1)
    rows = max(1, ROWS // n_starts)  # as many chains of ICM as other measurements run at a time
    how = (model, n_starts)
    parts = map_images(
        _of_images, np.asarray(X), generator(random_state), *how, rows=rows, pool=pool, progress=progress
    )
    return [basins for part in parts for basins in part]


def _of_images(
    X: NDArray, rng: np.random.Generator, model: Model, n_starts: int, progress: Progress | None = None
) -> list[Basins]:
    found = []
    for number, x in enumerate(X, 1):
        found.append(find_basins(model, x, n_starts, random_state=rng))
        if progress is not None:
            progress(number / len(X))
    return found


def _gather(
    model: Model, x: NDArray, begin: NDArray, end: NDArray, kind: NDArray, kinds: tuple[str, ...]
) -> Basins:
    H, first, which = np.unique(end, axis=0, return_index=True, return_inverse=True)
    log_joint = model.joint(np.broadcast_to(x, (len(H), len(x))), (H,))
    order = np.argsort(-log_joint, kind="stable")  # ties stay in the order of their bits
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    by_kind = np.zeros((len(H), len(kinds)), np.int64)
    np.add.at(by_kind, (place[which.reshape(-1)], kind), 1)
    H = H[order]
    return Basins(
        H=H,
        log_joint=log_joint[order],
        counts=by_kind.sum(axis=1),
        kinds=kinds,
        counts_by_kind=by_kind,
        distance=(H[0] != H).sum(axis=1),
        starts=begin[first[order]],
    )
