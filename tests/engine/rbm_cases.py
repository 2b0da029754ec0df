"""Small RBMs, and what enumeration says of them."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from lrbn_viz.rivals.rbm import model as rbm
from lrbn_viz.rivals.rbm.model import Visible
from lrbn_viz.rivals.rbm.system import RBMState
from lrbn_viz.training import Training

VISIBLE = ["bernoulli", "gaussian"]


def all_states(n: int) -> np.ndarray:
    return (np.arange(1 << n)[:, None] >> np.arange(n) & 1).astype(np.uint8)


def small_model(n_v: int, n_h: int, seed: int = 0, scale: float = 1.0) -> RBMState:
    rng = np.random.default_rng(seed)
    W, b, d = (scale * rng.standard_normal(shape) for shape in ((n_v, n_h), n_v, n_h))
    particles = rng.integers(0, 2, (5, n_h), dtype=np.uint8)
    return RBMState(W.astype(np.float32), b.astype(np.float32), d.astype(np.float32), particles, 0)


def joint_by_loops(params, x, h, visible) -> float:
    """The exponent of equations (4) and (7), term by term."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * params.b[i] if visible == "bernoulli" else -0.5 * (x[i] - params.b[i]) ** 2
        for j in range(len(h)):
            total += x[i] * params.W[i, j] * h[j]
    return float(total + sum(params.d[j] * h[j] for j in range(len(h))))


def bernoulli_table(params) -> np.ndarray:
    """P(x, h) for every x (rows) and h (columns)."""
    n_v, n_h = params.W.shape
    X, H = all_states(n_v), all_states(n_h)
    table = np.array([[joint_by_loops(params, x, h, "bernoulli") for h in H] for x in X])
    return np.exp(table - np.logaddexp.reduce(table, axis=None))


def exact_log_likelihood(params, X, visible: Visible = "bernoulli") -> float:
    return float(-rbm.free_energy(params, X, visible).mean() - rbm.log_partition(params, visible))


def exact_gradient(params, X, visible):
    """The gradient of the mean exact log-likelihood with respect to W, b and d, by central differences."""
    gradient = []
    arrays = [a.astype(np.float64) for a in params[:3]]
    for which, array in enumerate(arrays):
        g = np.zeros_like(array)
        for index in np.ndindex(array.shape):
            values = []
            for step in (1e-5, -1e-5):
                moved = [a.copy() for a in arrays]
                moved[which][index] += step
                values.append(
                    exact_log_likelihood(params._replace(W=moved[0], b=moved[1], d=moved[2]), X, visible)
                )
            g[index] = (values[0] - values[1]) / 2e-5
        gradient.append(g)
    return gradient


def exact_means(params, visible) -> tuple[np.ndarray, np.ndarray]:
    """The means of x and h under the model."""
    H = all_states(params.W.shape[1])
    if visible == "bernoulli":
        table = bernoulli_table(params)
        return table.sum(1) @ all_states(len(params.b)), table.sum(0) @ H
    p = gaussian_prior(params)
    return p @ rbm.visible_mean(params, H, visible), p @ H


def gaussian_prior(params) -> np.ndarray:
    """P(h) of a Gaussian RBM for every h: the integral over x is a Gaussian's."""
    H = all_states(params.W.shape[1])
    a = H @ params.W.T.astype(np.float64)
    weights = H @ params.d + a @ params.b + 0.5 * (a**2).sum(1)
    return np.exp(weights - np.logaddexp.reduce(weights))


def images(params, visible, n=6, seed=1) -> Any:
    rng = np.random.default_rng(seed)
    n_v = len(params.b)
    return (
        rng.integers(0, 2, (n, n_v), dtype=np.uint8) if visible == "bernoulli" else rng.normal(size=(n, n_v))
    )


def bars(n: int, seed: int = 0) -> np.ndarray:
    """3x3 images in which each row and each column is inked with probability 0.3."""
    rng = np.random.default_rng(seed)
    rows, columns = rng.random((2, n, 3)) < 0.3
    return (rows[:, :, None] | columns[:, None, :]).reshape(n, 9).astype(np.uint8)


def run(system, X, *, n_iter=20, batch_size=20, seed=0) -> RBMState:
    """The state at the end of training."""
    steps = Training(system, X, n_iter=n_iter, batch_size=batch_size, rng=np.random.default_rng(seed))
    return deque(steps, maxlen=1)[0][0]
