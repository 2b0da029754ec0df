"""Annealed importance sampling of log P(x), image by image, from the prior of the latents to their posterior.

The distributions between are ``p_t(h) ~ P(h) P(x | h)**beta_t``: a Gibbs visit at beta_t is the ordinary one
whose likelihood part is scaled, since the conditional's log-odds are the prior's plus the likelihood's. A
chain's weight is the product of ``P(x | h)**(beta_t - beta_(t-1))``, each taken before the move to beta_t
(Neal 2001): its mean is P(x), so that its logarithm is in expectation a lower bound. The same chain run
backwards from an exact sample of the posterior, which ancestral sampling gives together with its x, bounds
log P(x) of that x from above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.lrbn.conditional import Field, conditional_log_odds, decide, flip, refresh
from lrbn_viz.lrbn.deep import Layers, kind_of, prior_from_above, sample_latents
from lrbn_viz.lrbn.icm import make_field
from lrbn_viz.lrbn.model import Visible
from lrbn_viz.lrbn.operands import Operands, prepare
from lrbn_viz.lrbn.sweeps import work_of
from lrbn_viz.numerics import INNER, run_kernel, scalar_softplus, softplus

Progress = Callable[[float], None]


@njit(**INNER)
def _log_likelihood(ops, field, prior, base, m):
    """Return ``log P(x | h)`` of image m; `base` (n,) is its value at h = 0 without the softplus terms."""
    total = base[m]
    for j in range(field.latent.shape[1]):
        if field.latent[m, j] == 1:
            total += field.evidence[m, j] - prior[m, j]
            if ops.gaussian:
                total -= 0.5 * field.coupling[m, j]
    if not ops.gaussian:
        for i in range(ops.n_v):
            total -= scalar_softplus(float(field.activation[m, i]))
    return total


@njit(**INNER)
def _sweep_one(ops, field, prior, m, beta, backwards):
    """Visit the latents of image m once, from the last to the first if `backwards`.

    Modified in place: `field`.
    """
    n_h = field.latent.shape[1]
    for position in range(n_h):
        j = n_h - 1 - position if backwards else position
        log_odds = conditional_log_odds(ops, field, m, j)
        log_odds = prior[m, j] + beta * (log_odds - prior[m, j])
        state = field.latent[m, j]
        if decide(log_odds, state, 1.0, 0.0, field.stream, m) != state:
            flip(ops, field, m, j)


@njit(cache=True, nogil=True, error_model="numpy", parallel=True)
def _sweep(ops, field, prior, beta, backwards, fresh):
    """One Gibbs sweep of every image at `beta`; `fresh` if the activations are still to be computed.

    Modified in place: `field`.
    """
    for m in prange(field.latent.shape[0]):
        if fresh:
            refresh(ops, field, m)
        _sweep_one(ops, field, prior, m, beta, backwards)


@njit(cache=True, nogil=True, error_model="numpy")
def _sweep_serial(ops, field, prior, beta, backwards, fresh):
    """Do the same on one thread."""
    for m in range(field.latent.shape[0]):
        if fresh:
            refresh(ops, field, m)
        _sweep_one(ops, field, prior, m, beta, backwards)


@njit(cache=True, nogil=True, error_model="numpy")
def _likelihoods(ops, field, prior, base, fresh, out):
    """Compute ``log P(x | h)`` of every image. Modified in place: `out` (n,), and `field` if `fresh`."""
    for m in range(field.latent.shape[0]):
        if fresh:
            refresh(ops, field, m)
        out[m] = _log_likelihood(ops, field, prior, base, m)


class _Chains:
    """One chain per row of `X`: the latents of all layers, and the lowest layer's field."""

    def __init__(
        self,
        layers: Layers,
        visible: Visible,
        operands: Sequence[Operands],
        X: NDArray,
        H: Sequence[NDArray[np.uint8]],
        rng: np.random.Generator,
    ) -> None:
        self.layers, self.visible, self.operands, self.rng = layers, visible, operands, rng
        self.H = list(H)
        self.prior = self._prior()
        self.field = make_field(layers[0], visible, operands[0], X, self.H[0], rng, self.prior)
        self.base = self.field.base + softplus(self.prior).sum(axis=1)
        self.fresh = True

    def _prior(self) -> NDArray[np.float64]:
        above = prior_from_above(self.layers, self.H, 0)
        return np.tile(self.layers[0].d, (len(self.H[0]), 1)) if above is None else above

    def log_likelihood(self) -> NDArray[np.float64]:
        """``log P(x | h)`` of each chain's state, nats."""
        out = np.empty(len(self.base))
        _likelihoods(self.operands[0], self.field, self.prior, self.base, self.fresh, out)
        self.fresh = False
        return out

    def move(self, beta: float, backwards: bool) -> None:
        """One sweep over all layers, the lowest first, or all in reverse."""
        order = range(len(self.layers))
        for layer in reversed(order) if backwards else order:
            if layer == 0:
                self._sweep(self.operands[0], self.field, self.prior, beta, backwards, self.fresh)
                self.fresh = False
                self.H[0] = self.field.latent
            else:
                self._move_upper(layer, backwards)

    def _move_upper(self, layer: int, backwards: bool) -> None:
        """One sweep of a layer that x does not touch, and what it changes in the lowest layer's prior."""
        params, ops = self.layers[layer], self.operands[layer]
        above = prior_from_above(self.layers, self.H, layer)
        prior = np.tile(params.d, (len(self.H[layer]), 1)) if above is None else above
        below = self.H[layer - 1].astype(np.float64)
        field = make_field(params, "bernoulli", ops, below, self.H[layer], self.rng, prior)
        self._sweep(ops, field, prior, 1.0, backwards, True)
        self.H[layer] = field.latent
        if layer == 1:
            new = self._prior()
            self.field.evidence[...] += new - self.prior
            self.prior = new

    @staticmethod
    def _sweep(
        ops: Operands, field: Field, prior: NDArray, beta: float, backwards: bool, fresh: bool
    ) -> None:
        work = work_of(field, ops)
        run_kernel(_sweep, _sweep_serial, work, ops, field, prior, beta, backwards, fresh)


def schedule(n: int) -> NDArray[np.float64]:
    """Return n + 1 values of beta from 0 to 1, closer together near 0, where P(x | h) varies most."""
    return np.linspace(0.0, 1.0, n + 1) ** 2


def log_weights(
    layers: Layers,
    visible: Visible,
    X: NDArray,
    betas: NDArray[np.float64],
    rng: np.random.Generator,
    *,
    posterior: Sequence[NDArray[np.uint8]] | None = None,
    dtype: type = np.float64,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the log weight of one chain per row of `X`, nats; shape (n,).

    Parameters
    ----------
    layers : tuple of LRBNParams
    X : (n, n_v) float64
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.
    posterior : sequence of (n, n_h) uint8 arrays, optional
        Exact samples of the latents given X; the chains then run backwards from them, and the weights bound
        log P(x) from above in expectation. None: forwards from the prior, from below.
    dtype : float64 or float32
        Precision of the conditionals.
    progress : callable, optional
        Told the share that is done, 0 to 1.
    """
    operands = [prepare(p, kind_of(layer, visible), dtype) for layer, p in enumerate(layers)]
    backwards = posterior is not None
    H = [np.array(h, np.uint8, order="C") for h in (posterior or sample_latents(layers, len(X), rng))]
    chains = _Chains(layers, visible, operands, X, H, rng)
    total = np.zeros(len(X))
    n_steps = len(betas) - 1
    for done in range(n_steps):
        step = n_steps - done if backwards else done + 1
        total += (betas[step] - betas[step - 1]) * chains.log_likelihood()
        next_beta = betas[step - 1] if backwards else betas[step]
        if done < n_steps - 1:
            chains.move(float(next_beta), backwards)
        if progress is not None:
            progress((done + 1) / n_steps)
    return total
