"""Annealed importance sampling of log P(x), image by image, from the prior of the latents to their posterior.

The intermediate distributions are ``p_t(h) ~ P(h) P(x | h)**beta_t``: a Gibbs visit at beta_t is an ordinary
one with its likelihood term scaled, since the conditional's log-odds are the prior's plus the likelihood's.
It equals a visit at temperature 1 / beta_t of a model whose prior log-odds are divided by beta_t, so that the
sweeps of inference serve here too. A chain's weight is the product of ``P(x | h)**(beta_t - beta_(t-1))``,
each taken before the move to beta_t (Neal 2001): its mean is P(x), so that its logarithm is in expectation a
lower bound. The same chain run backwards from an exact sample of the posterior, which ancestral sampling
gives together with its x, bounds log P(x) of that x from above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numba import njit, prange
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.kernels.numerics import INNER, KERNEL, for_threads, run_kernel, softplus
from lrbn_viz.kernels.simd.math import exp, log
from lrbn_viz.lrbn.batch_kernel import run_sweeps, work_of
from lrbn_viz.lrbn.deep.inference import Layers, kind_of, prior_from_above, sample_latents
from lrbn_viz.lrbn.kernel_params import KernelParams, prepare_params
from lrbn_viz.lrbn.model import Visible
from lrbn_viz.lrbn.start import fixed_log_odds, make_state
from lrbn_viz.lrbn.state import coupling_of, refresh

Progress = Callable[[float], None]


@njit(**INNER, fastmath={"reassoc", "contract", "nsz"})
def _all_softplus(params, state, m):
    """Return ``sum_i softplus(a_i)`` of image m after the last sweep."""
    total = 0.0
    pixels = range(np.uintp(params.n_v))
    if state.saturated[m]:  # its probabilities were floored, but its activations are exact
        for i in pixels:
            if state.partly[m] and state.unknown[m, i]:
                continue
            a = float(state.activation[m, i])
            total += (a if a > 0.0 else 0.0) + log(1.0 + exp(-abs(a)))
    else:  # sweeps do not update the activations, only the probabilities
        for i in pixels:
            total -= log(float(state.off[m, i]))
    return total


@njit(**INNER)
def _log_likelihood(params, state, evidence, base, m):
    """Return ``log P(x | h)`` of image m; `base` (n,) is its value at h = 0 without the softplus terms."""
    total = base[m]
    for j in range(state.latent.shape[1]):
        if state.latent[m, j] == 1:
            total += evidence[m, j]
            if params.gaussian:
                total -= 0.5 * coupling_of(params, state, m, j)
    return total if params.gaussian else total - _all_softplus(params, state, m)


@for_threads(**KERNEL)
def _likelihoods(params, state, evidence, base, fresh, out):
    """Compute ``log P(x | h)`` of every image; `fresh` is True if no sweep has been made yet.

    Modified in place: `out` (n,), and `state` if `fresh`.
    """
    for image in prange(len(out)):
        m = np.int64(image)
        if fresh:
            refresh(params, state, m)
        out[m] = _log_likelihood(params, state, evidence, base, m)


weigh_images = _likelihoods[1]
"""The same on the calling thread."""


class _Chains:
    """One chain per row of `X`, with a state for each layer."""

    def __init__(
        self,
        layers: Layers,
        visible: Visible,
        kernel_params: Sequence[KernelParams],
        X: NDArray,
        H: Sequence[NDArray[np.uint8]],
        rng: np.random.Generator,
    ) -> None:
        self.layers, self.kernel_params = layers, kernel_params
        self.states = []
        below = X
        for layer, (params, own, latent) in enumerate(zip(layers, kernel_params, H, strict=True)):
            self.states.append(make_state(params, kind_of(layer, visible), own, below, latent, rng))
            below = latent
        low, d = self.states[0], kernel_params[0].d
        self.base = low.base + softplus(d).sum()
        self.evidence = low.evidence - d  # depends on x only, which does not change
        self.fresh = True

    def log_likelihood(self) -> NDArray[np.float64]:
        """``log P(x | h)`` of each chain's state, nats."""
        kernel_params, low, out = self.kernel_params[0], self.states[0], np.empty(len(self.base))
        arrays = (kernel_params, low, self.evidence, self.base, self.fresh, out)
        run_kernel(_likelihoods, work_of(low, kernel_params), *arrays)
        self.fresh = False
        return out

    def move(self, beta: float, backwards: bool) -> None:
        """Make one sweep over all layers, the lowest first, or last if `backwards`."""
        order = range(len(self.layers))
        for layer in reversed(order) if backwards else order:
            self._sweep(layer, beta)

    def _sweep(self, layer: int, beta: float) -> None:
        kernel_params, state = self.kernel_params[layer], self.states[layer]
        H = [each.latent for each in self.states]
        prior = prior_from_above(self.layers, H, layer)
        if layer == 0:
            # A temperature of 1 / beta scales all log-odds by beta; the prior's are not to be scaled.
            temperature = 1.0 / beta
            state.evidence[:] = self.evidence + (kernel_params.d if prior is None else prior) * temperature
        else:
            temperature = 1.0
            state.evidence[:] = fixed_log_odds(
                self.layers[layer], "bernoulli", kernel_params, H[layer - 1], prior
            )
        n = len(self.base)
        visits, flips, converged = np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n, np.bool_)
        run_sweeps(kernel_params, state, np.array([temperature]), 0, visits, flips, converged)


def _turned_round(layers: Layers) -> Layers:
    """Return the layers with their latents in reverse order, so that a sweep visits the last one first."""
    turned = []
    for number, params in enumerate(layers):
        rows = slice(None, None, -1 if number else 1)
        W, b = params.W[rows, ::-1], params.b[rows]
        turned.append(LayerParams(np.ascontiguousarray(W), np.ascontiguousarray(b), params.d[::-1].copy()))
    return tuple(turned)


# On held-out images of MNIST and 500 steps of the shipped model of two layers, the powers 1, 1.5, 2, 3 and 4
# give bounds of -86.6, -82.8, -82.2, -81.8 and -81.9 nats.
POWER = 3
"""Power of equal steps from 0 to 1 that the values of beta are."""


def schedule(n: int) -> NDArray[np.float64]:
    """Return n + 1 values of beta from 0 to 1, closer together near 0, where P(x | h) varies most."""
    return np.linspace(0.0, 1.0, n + 1) ** POWER


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
    layers : tuple of LayerParams
    X : (n, n_v) float64
    betas : (n_temperatures + 1,) float64
        From 0 to 1, rising.
    posterior : sequence of (n, n_h) uint8 arrays, optional
        Exact samples of the latents given X; the chains then run backwards from them, and the weights bound
        log P(x) from above in expectation. None: the chains run forwards from the prior, and bound it from
        below.
    dtype : float64 or float32
        Precision of the conditionals.
    progress : callable, optional
        Called with the share that is done, 0 to 1.
    """
    backwards = posterior is not None
    H: Sequence[NDArray] = sample_latents(layers, len(X), rng) if posterior is None else posterior
    if backwards:  # the moves of a forward chain in reverse order, within each sweep too
        layers, H = _turned_round(layers), [h[:, ::-1] for h in H]
    kernel_params = [prepare_params(p, kind_of(layer, visible), dtype) for layer, p in enumerate(layers)]
    chains = _Chains(layers, visible, kernel_params, X, [np.array(h, np.uint8, order="C") for h in H], rng)
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
