"""Posterior of the weights in variational Bayes beyond their means: the data terms, and the prior."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.kernels.numerics import run_kernel
from lrbn_viz.rivals.sbn.horseshoe import fit_prior
from lrbn_viz.rivals.sbn.system import SBNState

UNUSED_UNIT_PRECISION = 0.125
"""Gamma at an activation of 0, times the mean 1/2 of a latent."""


class Beliefs(NamedTuple):
    """Posterior of the weights of a layer beyond their means.

    Attributes
    ----------
    n_images : (1,) float64
        Images of the training set.
    use : (n_v, n_h) float32
        Running mean of ``g_i q_j``: the precision that one image adds to a weight.
    shrinkage : (n_v, n_h) float32
        ``E 1 / zeta_ij``: the precision of the prior.
    rate : (n_v, n_h) float32
        ``E xi_ij``.
    column_rate : (n_h,) float64
        ``E phi_j``.
    scale : (1,) float64
        ``E omega``.
    """

    n_images: NDArray[np.float64]
    use: NDArray[np.float32]
    shrinkage: NDArray[np.float32]
    rate: NDArray[np.float32]
    column_rate: NDArray[np.float64]
    scale: NDArray[np.float64]

    @property
    def variance(self) -> NDArray[Any]:
        """Variance of each weight: one over the precisions of the prior and of all images; (n_v, n_h)
        float32.
        """
        return 1.0 / (self.shrinkage + np.float32(self.n_images[0]) * self.use)

    def fitted(self, W: NDArray[np.float32], variance: NDArray[np.float32]) -> Beliefs:
        """Return a copy whose prior has been fitted once to the means and variances of the weights; (n_v,
        n_h) each.

        ``w_ij ~ N(0, zeta_ij)``, ``zeta_ij ~ Gamma(1/2, xi_ij)``, ``xi_ij ~ Gamma(1/2, phi_j)``, ``phi_j ~
        Gamma(1/2, omega)``, ``omega ~ Gamma(1/2, 1)``, second arguments rates: the three-parameter beta
        normal prior with both shapes 1/2, which is the horseshoe. Given w and xi, zeta is generalised inverse
        Gaussian of index 0, whose means are ratios of Bessel functions.
        """
        n_v, n_h = W.shape
        shrinkage, rate = np.empty_like(self.shrinkage), np.empty_like(self.rate)
        run_kernel(fit_prior, W.size, W, variance, self.column_rate, self.rate, shrinkage, rate)
        column_rate = 0.5 * (n_v + 1) / (rate.sum(axis=0, dtype=np.float64) + self.scale)
        scale = 0.5 * (n_h + 1) / (1.0 + column_rate.sum(keepdims=True))
        return self._replace(shrinkage=shrinkage, rate=rate, column_rate=column_rate, scale=scale)


def first_beliefs(n_v: int, n_h: int, n_images: float) -> Beliefs:
    """Return the posterior before any image is seen, with latent means of 1/2 and prior precisions of 1."""
    shape, ones = (n_v, n_h), np.ones((n_v, n_h), np.float32)
    use = np.full(shape, UNUSED_UNIT_PRECISION, np.float32)
    return Beliefs(np.array([float(n_images)]), use, ones, ones, np.ones(n_h), np.ones(1))


def beliefs_of(state: SBNState) -> list[Beliefs]:
    """Return the posterior of the weights of each layer, the lowest first."""
    n = len(Beliefs._fields)
    return [Beliefs(*state.posterior[first : first + n]) for first in range(0, len(state.posterior), n)]


def posterior_of(beliefs: Sequence[Beliefs]) -> tuple[NDArray[Any], ...]:
    """Return the arrays of a state in which the posteriors of all layers are stored."""
    return tuple(array for each in beliefs for array in each)
