"""Hard EM in whole passes: infer the latents of all images, then regress the images on all of them at once.

Given the parameters, images are inferred independently; given the codes, the pixels of an LRBN are
independent regressions. So the E-step is distributed in pieces of images, and the M-step in blocks of pixels;
in between, codes are exchanged as bits, and nothing is approximated. The results depend neither on the
division of the images into pieces nor on the pool that works on them: see :mod:`lrbn_viz.chunks`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.chunks import (
    BLOCK_ROWS,
    LOCAL_POOL,
    Abandoned,
    Bits,
    Pool,
    PoolLost,
    Streamed,
    blocks,
    bounds,
    tree_sum,
)
from lrbn_viz.core.fields import Integer, Real, declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import UNKNOWN, Memory
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.kernels.numerics import one_blas_thread, sigmoid, softplus
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.logistic import PIXELS, Fit, Piece, fit_pixels
from lrbn_viz.lrbn.m_step import HardEMState
from lrbn_viz.lrbn.model import LOG_2PI, activation, known_sums, natural_mean
from lrbn_viz.lrbn.regression import GaussianStatistics, gaussian_statistics, solve_gaussian
from lrbn_viz.training.settings import COUNT, POSITIVE

BATCH_ALONE = {"schedule": ("batch",), "visible": ("bernoulli",)}
"""Conditions under which the M-step is iterative and uses all images in each step."""


def _same(value: Any) -> Any:
    return value


class Found(NamedTuple):
    """Sums over images after the E-step.

    Attributes
    ----------
    statistics : GaussianStatistics
        ``xg`` has no rows for Bernoulli units.
    xx : (2,) float64
        Sum of the squares of all pixels, for Gaussian units, and number of the pixels that are known.
    work : (2,) float64
        Flips, and visits of latents.
    """

    statistics: GaussianStatistics
    xx: NDArray[np.float64]
    work: NDArray[np.float64]


class Seen(NamedTuple):
    """Result of the E-step for a piece of images: the bits of their codes, and sums."""

    codes: NDArray[np.uint8]
    found: Found


def _add(one: Any, other: Any) -> Any:
    """Return the sums of the arrays of two nested named tuples."""
    if isinstance(one, tuple):
        return type(one)(*map(_add, one, other))
    return one + other


def _codes(seen: Seen) -> NDArray[np.uint8]:
    return seen.codes


def _found(seen: Seen | Found) -> Found:
    return seen.found if isinstance(seen, Seen) else seen


def _add_found(one: Seen | Found, other: Seen | Found) -> Found:
    """Return the sums of two pieces, or of lists of them: few tasks, as each costs a millisecond."""
    return _add(_found(one), _found(other))


def _read(images: Any, first: int = 0) -> Iterator[tuple[int, slice, NDArray[np.float64]]]:
    """Yield the blocks of a piece of images one by one, as images in the form of numbers take most of the
    memory.

    Yields
    ------
    number, part, rows
        As :func:`lrbn_viz.chunks.blocks`, and the images.
    """
    if isinstance(images, Bits):
        for number, part in blocks(len(images.bits), first):
            yield number, part, np.asarray(images.array(part), np.float64)
        return
    stored, opened = images, _same
    if isinstance(images, Streamed):
        stored, opened = images.stored(), images.check or _same
    for number, part in blocks(len(stored), first):
        yield number, part, np.asarray(opened(stored[part]), np.float64)


def _sums_of(images: Any) -> NDArray[np.float64]:
    """Return the sums of a piece's pixels, and in how many images each is known; shape (2 n_v,)."""
    sums = (known_sums(X) for _, _, X in _read(images))
    return tree_sum(np.add, [np.append(total, np.broadcast_to(n, total.shape)) for total, n in sums])


def _packed(images: Any) -> Bits:
    """Return the bits of a piece's pixels."""
    if isinstance(images, Bits):
        return images
    return Bits.of(np.concatenate([X for _, _, X in _read(images)]))


def _cut(packed: Bits, block: int) -> tuple[NDArray[np.uint8], ...]:
    """Return the bits of a block of pixels, (n, PIXELS / 8), and unless all are known, of those that are."""
    width = PIXELS // 8

    def own(bits: NDArray[np.uint8]) -> NDArray[np.uint8]:
        part = bits[:, block * width : (block + 1) * width]
        return np.ascontiguousarray(np.pad(part, ((0, 0), (0, width - part.shape[1]))))

    return (own(packed.bits),) if packed.known is None else (own(packed.bits), own(packed.known))


def _e_step(
    system: HardEM, params: LayerParams, images: Any, first: int, seed: int, past: Bits | None
) -> Seen:
    """Infer a piece of images, the first of which is row `first`; `past` holds the bits of its last codes."""
    codes, terms = [], []
    with one_blas_thread():
        for number, part, rows in _read(images, first):
            rng = np.random.default_rng([seed, number])
            memory = None if past is None else past.array(part)
            seen = system.infer(
                params, rows, rng, system.e_step,
                dtype=np.float32, memory=memory, weight=system.likelihood_weight,
            )  # fmt: skip
            codes.append(Bits.of(seen.H).bits)
            gaussian, unknown = system.visible == "gaussian", unknown_in(rows)
            n_known = rows.size if unknown is None else rows.size - np.count_nonzero(unknown)
            if gaussian and unknown is not None:  # replaced by its mean given the latents: a step of EM
                rows = np.where(unknown, activation(params, seen.H), rows)
            statistics = gaussian_statistics(rows if gaussian else rows[:, :0], seen.H)
            xx = np.array([np.square(rows).sum() if gaussian else 0.0, n_known])
            work = np.array([seen.flips.sum(), seen.visits.sum()], np.float64)
            terms.append(Found(statistics, xx, work))
    return Seen(np.concatenate(codes), tree_sum(_add, terms))


def _m_step(
    theta: NDArray[np.float64],
    basis: tuple[NDArray, NDArray],
    n: int,
    n_pixels: int,
    how: dict[str, Any],
    codes: Sequence[NDArray[np.uint8]],
    pixels: Sequence[tuple[NDArray[np.uint8], ...]],
) -> Fit:
    """Regress a block of pixels on the codes of all images."""
    pieces = [Piece(own, *each) for own, each in zip(codes, pixels, strict=True)]
    return fit_pixels(pieces, theta, basis, n, n_pixels, **how)


class _Placed:
    """Images in a pool of workers: in pieces and, if binary, also in blocks of pixels."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._X: Any = None
        self._made: tuple[list[Any], list[list[Any]]] = ([], [])

    def of(self, X: Any, visible: str) -> tuple[list[Any], list[list[Any]]]:
        """Return the pieces of a data set, and the bits of each block, piece by piece; computed once."""
        if X is not self._X:
            self._X, self._made = X, self._place(X, visible)
        return self._made

    def _place(self, X: Any, visible: str) -> tuple[list[Any], list[list[Any]]]:
        pool, n_v = self.pool, X.shape[1]
        blocks = len(bounds(n_v, PIXELS)) if visible == "bernoulli" else 0
        pieces: list[Any] = []
        cuts: list[list[Any]] = [[] for _ in range(blocks)]
        parts = bounds(len(X), BLOCK_ROWS * pool.span)
        pool.begin("images", len(parts))
        for first, last in parts:
            if isinstance(X, Streamed):
                own: Any = X.part(first, last)
            else:
                own = Bits.of(X[first:last]) if blocks else X[first:last]
            pieces.append(pool.submit("images", _same, own))
            bits = pool.submit("bits", _packed, pieces[-1]) if cuts else None
            for block, its in enumerate(cuts):
                its.append(pool.submit("cut", _cut, bits, block))
        return pieces, cuts


@documented
@dataclass(frozen=True)
class BatchEM(HardEM):
    """Hard EM whose step is a pass: an E-step over all images, then an M-step over all of them.

    Bernoulli units: each pixel's penalised logistic regression, by L-BFGS; Gaussian ones in closed form; the
    prior from counts. No setting of the gradient M-step applies, nor does the size of a minibatch.
    """

    ridge: float = declare(
        Real(
            "Ridge penalty (L2)",
            "images",
            "Shrinkage of W in the M-step of all images, or in the closed form.",
            bounds=POSITIVE,
        ),
        1.0,
    )
    m_tolerance: float = declare(
        Real(
            "Tolerance of the M-step",
            "per image",
            "A pixel has arrived where no part of its mean gradient is larger.",
            bounds=POSITIVE,
            when=(BATCH_ALONE,),
        ),
        1e-4,
    )
    m_visits: int = declare(
        Integer(
            "Visits of an M-step",
            None,
            "How often the M-step of one pass sees all images, at most.",
            details="Each is one gradient; the next pass goes on from where it has come.",
            bounds=COUNT,
            form_most=1000,
            when=(BATCH_ALONE,),
        ),
        10,
    )
    placed: _Placed = field(default_factory=lambda: _Placed(LOCAL_POOL), compare=False, repr=False)

    full_batch: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nonnegative:
            raise ValueError(
                'nonnegative=True has no full-batch M-step; use schedule="minibatch", or set '
                "nonnegative=False."
            )

    def with_pool(self, pool: Pool) -> Self:
        """Return a copy whose passes run on a pool."""
        return replace(self, placed=_Placed(pool))

    def from_params(self, params: LayerParams) -> HardEMState:
        """Return the state that continues training from given parameters, without statistics of earlier
        steps.
        """
        none = GaussianStatistics(np.zeros((0, 0)), np.zeros((0, 0)))
        return super().from_params(params)._replace(statistics=none)

    def init_params(self, X: Any, rng: np.random.Generator) -> LayerParams:
        """Small random weights, and offsets that reproduce the mean image."""
        pool, (pieces, _) = self.placed.pool, self.placed.of(X, self.visible)
        each = [pool.submit("sums", _sums_of, piece) for piece in pieces]
        (total,) = pool.gather([tree_sum(lambda one, other: pool.submit("add", _add, one, other), each)])
        sums, counts = np.split(total, 2)
        return self.params_around(natural_mean(sums, counts, self.visible), rng)

    def step(
        self,
        state: HardEMState,
        batch: Any,
        rng: np.random.Generator,
        memory: Memory = None,
    ) -> tuple[HardEMState, dict[str, float]]:
        """One pass over all images. Modified in place: `memory`, the latents' last states."""
        before = rng.bit_generator.state
        try:
            return self._pass(state, batch, int(rng.integers(2**63)), memory)
        except (PoolLost, Abandoned):  # a run that continues from here draws the same numbers
            rng.bit_generator.state = before
            raise

    def infer_all(
        self, params: LayerParams, X: Any, seed: int, memory: Memory = None
    ) -> tuple[Found, list[Any]]:
        """Return the sums over all images after an E-step, and the handles of the codes of each piece.

        Parameters
        ----------
        seed : int
            Of the random numbers of all images.
        memory : (n, n_h) uint8, optional
            Latents from which inference continues; rows of :data:`~lrbn_viz.core.system.UNKNOWN` before the
            first visit.
        """
        pool, (pieces, _) = self.placed.pool, self.placed.of(X, self.visible)
        how = pool.submit("share", _same, HardEM(**{f.name: getattr(self, f.name) for f in fields(HardEM)}))
        shared = pool.submit("share", _same, params)
        going_on = memory is not None and not (memory[:, 0] == UNKNOWN).any()
        seen = []
        pool.begin("e_step", len(pieces))
        for (first, last), piece in zip(bounds(len(X), BLOCK_ROWS * pool.span), pieces, strict=True):
            past = Bits.of(memory[first:last]) if memory is not None and going_on else None
            seen.append(pool.submit("e_step", _e_step, how, shared, piece, first, seed, past))
        codes = [pool.submit("codes", _codes, one) for one in seen]
        (found,) = pool.gather(
            [tree_sum(lambda one, other: pool.submit("add", _add_found, one, other), seen)]
        )
        return _found(found), codes

    def _pass(
        self, state: HardEMState, X: Any, seed: int, memory: NDArray[np.uint8] | None
    ) -> tuple[HardEMState, dict[str, float]]:
        pool, (_, cuts) = self.placed.pool, self.placed.of(X, self.visible)
        found, codes = self.infer_all(state.params, X, seed, memory)
        learned = self._learn_gaussian if self.visible == "gaussian" else self._learn_bernoulli
        (W, b), loss, wrong, squares = learned(state.params, found, codes, cuts)
        if memory is not None:
            for (first, last), own in zip(
                bounds(len(X), BLOCK_ROWS * pool.span), pool.gather(codes), strict=True
            ):
                memory[first:last] = Bits(own, self.n_h).array()
        counts, old = found.statistics.gg[-1], state.params.d
        n, on = counts[-1], counts[:-1]
        joint = float((on @ old - loss) / n - softplus(old).sum())
        if not np.isfinite(joint):
            raise FloatingPointError(
                f"log P(x, h) became {joint} in pass {state.step + 1}: training diverged. Raise ridge."
            )
        d = old
        if self._prior_share(state.step) > 0.5:
            # As in the closed form: a unit that is never on keeps finite log-odds.
            share = (on + 1.0) / (n + 2.0)
            d = np.log(share) - np.log1p(-share)
        squares += float(np.square(on / n - sigmoid(old)).sum())
        figures = {
            "log_joint": joint,
            "wrong_pixels": float(wrong / n),
            "gradient_norm": float(np.sqrt(squares)),
            "units_on": float(on.sum() / (n * self.n_h)),
            "flips": float(found.work[0] / n),
            "sweeps": float(found.work[1] / (n * self.n_h)),
        }
        return state._replace(params=LayerParams(W, b, d), step=state.step + 1), figures

    def _learn_gaussian(
        self, old: LayerParams, found: Found, codes: Any, cuts: Any
    ) -> tuple[tuple[NDArray, NDArray], float, float, float]:
        """Return W and b, and at the parameters before: the loss, the errors and the mean gradient's square.

        The first two are sums over images.
        """
        gg, xg = found.statistics
        theta = np.column_stack([old.W, old.b])
        with one_blas_thread():
            through = theta @ gg
            errors = float(found.xx[0] - 2.0 * (theta * xg).sum() + (theta * through).sum())
            squares = float(np.square((xg - through) / gg[-1, -1]).sum())
            learned = solve_gaussian(found.statistics, self.ridge)
        return learned, 0.5 * errors + 0.5 * float(found.xx[1]) * LOG_2PI, errors, squares

    def _learn_bernoulli(
        self, old: LayerParams, found: Found, codes: Sequence[Any], cuts: Sequence[Sequence[Any]]
    ) -> tuple[tuple[NDArray, NDArray], float, float, float]:
        """Return the result of :meth:`_learn_gaussian` for Bernoulli pixels, by regression of each block on
        `codes`.

        `cuts` hold the bits of each block, piece by piece.
        """
        pool, n_v, gg = self.placed.pool, old.n_v, found.statistics.gg
        n = int(gg[-1, -1])
        with one_blas_thread():
            basis = pool.submit("share", _same, tuple(np.linalg.eigh(gg)))
        theta = np.zeros((self.n_h + 1, len(cuts) * PIXELS))
        theta[:-1, :n_v], theta[-1, :n_v] = old.W.T, old.b
        how = {"ridge": self.ridge, "tolerance": self.m_tolerance, "most": self.m_visits}
        tasks = []
        pool.begin("m_step", len(cuts))
        for (first, last), pixels in zip(bounds(n_v, PIXELS), cuts, strict=True):
            own = np.ascontiguousarray(theta[:, first : first + PIXELS])
            tasks.append(pool.submit("m_step", _m_step, own, basis, n, last - first, how, codes, pixels))
        fits: list[Fit] = pool.gather(tasks)
        theta = np.concatenate([fit.theta for fit in fits], axis=1)[:, :n_v]
        loss, wrong = (
            float(np.concatenate([getattr(fit.before, name) for fit in fits])[:n_v].sum())
            for name in ("loss", "wrong")
        )
        gradient = np.concatenate([fit.before.gradient for fit in fits], axis=1)[:, :n_v]
        return (theta[:-1].T, theta[-1]), loss, wrong, float(np.square(gradient / n).sum())

    def gradient_norm(self, before: HardEMState, after: HardEMState) -> float:
        """Return the size of the change that a pass makes to all parameters; a pass has no learning rate."""
        pairs = zip(before.params, after.params, strict=True)
        return float(np.sqrt(sum(np.square(new - old).sum() for old, new in pairs)))
