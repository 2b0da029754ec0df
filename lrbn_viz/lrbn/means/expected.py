"""Mean field with the exact expected log joint: over all states of few latents, or with Gaussian visible
units.

The evidence lower bound is ``E_q log P(x, h) + H(q)`` for independent latents with means q. For Bernoulli
visible units it has no closed form: with few latents it is summed over all states, with many a bound of
:mod:`lrbn_viz.lrbn.means.moments` replaces it. Gaussian units have a closed form for any number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn.means.moments import Moments


class ExactMoments(Moments):
    """The evidence lower bound under means q of few latents, over all their states.

    ``log P(x) - bound`` is ``KL(q || P(h | x))``, and each mean moves to its minimum.

    Parameters
    ----------
    layer, x, q
        As of :class:`~lrbn_viz.lrbn.means.moments.Moments`.
    log_joints : (2**n_h,) float64
        ``log P(x, h)`` of every state, nats; bit j of the index is h_j.
    """

    def __init__(self, layer: LayerParams, x: NDArray, q: NDArray, log_joints: NDArray[np.float64]) -> None:
        self._log_joints = log_joints
        self._known = (-1, 0.0, 0.0)
        super().__init__(layer, x, q)

    def refresh(self) -> None:
        """Reset the terms of one latent, so that rounding errors do not accumulate over moves."""
        self._known = (-1, 0.0, 0.0)

    def move(self, j: int, mean: float) -> None:
        """Set the mean of latent j."""
        self.q[j] = mean
        if self._known[0] != j:
            self.refresh()

    def _expected(self, j: int) -> tuple[float, float]:
        """Return ``E log P(x, h)`` with latent j off, and on; the others are averaged out, top bit first."""
        table = self._log_joints[:, None]
        for k in range(len(self.q) - 1, -1, -1):
            low, high = table[: 1 << k], table[1 << k :]
            table = np.hstack([low, high]) if k == j else low + self.q[k] * (high - low)
        off, on = table[0]
        self._known = (j, float(off), float(on))
        return float(off), float(on)

    def bound(self) -> float:
        """Return the evidence lower bound on log P(x), nats."""
        j, off, on = self._known
        if j < 0:
            j, (off, on) = 0, self._expected(0)
        return off + float(self.q[j]) * (on - off) + self._entropy()

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of latent j that is best while the others stay."""
        off, on = self._expected(j)
        return on - off


class GaussianMoments(Moments):
    """The evidence lower bound with Gaussian visible units, in closed form.

    ``E log P(x | h) = -1/2 sum_i [(x_i - E a_i)**2 + var a_i + log(2 pi)]``. Arguments as of
    :class:`~lrbn_viz.lrbn.means.moments.Moments`, x real.
    """

    def bound(self) -> float:
        """Return the evidence lower bound on log P(x), nats."""
        squares = (self._x - self.mean) ** 2 + self.variance + np.log(2.0 * np.pi)
        return float(-0.5 * squares.sum() + self._latents())

    def log_odds(self, j: int) -> float:
        """Return the log-odds of the mean of latent j that is best while the others stay."""
        w = self._rows[j]
        rest = self.mean - self.q[j] * w
        return float(self.layer.d[j] + w @ (self._x - rest) - 0.5 * w @ w)
