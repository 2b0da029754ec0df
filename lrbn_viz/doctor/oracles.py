"""The formulas in plain NumPy, slow and short: what kernels are compared with. Nothing here is compiled."""

from __future__ import annotations

import itertools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Params(NamedTuple):
    """Weights (n_v, n_h), offsets (n_v,) and prior log-odds (n_h,) of one layer, float64."""

    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]


def draw_params(n_v: int, n_h: int, scale: float = 0.7, seed: int = 0) -> Params:
    """Return random parameters that single precision holds as well."""
    rng = np.random.default_rng(seed)
    shapes = (n_v, n_h), (n_v,), (n_h,)
    return Params(*(rng.normal(0, scale, shape).astype(np.float32).astype(np.float64) for shape in shapes))


def softplus(a: NDArray) -> NDArray:
    """Return ``log(1 + exp(a))``."""
    return np.logaddexp(0.0, a)


def sigmoid(a: NDArray) -> NDArray:
    """Return ``1 / (1 + exp(-a))``."""
    return np.exp(-softplus(-np.asarray(a, dtype=float)))


def states(n_h: int) -> NDArray[np.uint8]:
    """Return all ``2**n_h`` states; the first latent changes fastest."""
    return np.array(list(itertools.product((0, 1), repeat=n_h)), np.uint8)[:, ::-1]


def log_joint(params: Params, visible: str, x: NDArray, H: NDArray) -> NDArray:
    """Return ``log P(x, h)`` of one image with each row of `H`. Paper's equations 3 and 6."""
    a = H @ params.W.T + params.b
    prior = (H * params.d - softplus(params.d)).sum(axis=-1)
    if visible == "bernoulli":
        return (x * a - softplus(a)).sum(axis=-1) + prior
    return (-0.5 * (x - a) ** 2 - 0.5 * np.log(2 * np.pi)).sum(axis=-1) + prior


def log_odds(params: Params, visible: str, x: NDArray, h: NDArray, j: int) -> float:
    """Return ``logit P(h_j = 1 | x, h_-j)``: the joint evaluated twice. Paper's equation 10."""
    both = np.array([h, h], dtype=float)
    both[:, j] = 0.0, 1.0
    off, on = log_joint(params, visible, x, both)
    return float(on - off)


def log_evidence(params: Params, visible: str, x: NDArray) -> float:
    """Return ``log P(x)``: the joint summed over all states."""
    return float(np.logaddexp.reduce(log_joint(params, visible, x, states(len(params.d)))))


def sequential_icm(params: Params, visible: str, x: NDArray, h: NDArray) -> NDArray[np.uint8]:
    """Return where visits in turn end from `h`, when none changes anything any more."""
    h, changed = np.array(h, np.uint8), True
    while changed:
        changed = False
        for j in range(len(h)):
            after = int(log_odds(params, visible, x, h, j) > 0)
            changed |= after != h[j]
            h[j] = after
    return h


def split_mix(state: int) -> float:
    """Return the number that belongs to a state of a random stream, in Python's own whole numbers."""
    mask = 2**64 - 1
    z = state & mask
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & mask
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
    return (((z ^ (z >> 31)) >> 11) + 0.5) * 2.0**-53


def entropy_and_prior(params: Params, q: NDArray) -> float:
    """Return the entropy of independent latents with means q, and their mean log P(h), together."""
    entropy = -(q * np.log(q) + (1 - q) * np.log(1 - q)).sum()
    return float(entropy + (q * params.d - softplus(params.d)).sum())


def tilted_bound(params: Params, x: NDArray, q: NDArray, tilts: NDArray) -> float:
    """Return the bound of Saul, Jaakkola and Jordan (1996) on log P(x), by sums over all states."""
    H = states(len(q))
    p = np.prod(np.where(H == 1, q, 1 - q), axis=1)
    a = H @ params.W.T + params.b
    low, high = p @ np.exp(-tilts * a), p @ np.exp((1 - tilts) * a)
    return float(((x - tilts) * (p @ a) - np.log(low + high)).sum() + entropy_and_prior(params, q))


def quadratic_bound(params: Params, x: NDArray, q: NDArray) -> float:
    """Return the bound of Jaakkola and Jordan (2000) on log P(x) at its best xi, for sure weights."""
    mean = params.W @ q + params.b
    variance = params.W**2 @ (q * (1 - q))
    xi = np.sqrt(mean**2 + variance)
    return float(((x - 0.5) * mean - 0.5 * xi - softplus(-xi)).sum() + entropy_and_prior(params, q))
