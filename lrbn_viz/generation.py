"""What models draw, pass by pass: ancestral samples of an LRBN, and the Gibbs chain of an RBM.

One pass draws every latent and then every visible, in both models: the same work. An LRBN's latents come from
its prior, so that every pass is an exact and independent sample; an RBM's come from the image before, so that
passes resemble each other and are samples only after many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.baselines import rbm_model
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.lrbn import model as lrbn_model
from lrbn_viz.numerics import sigmoid
from lrbn_viz.validation import check_clamp, check_image, check_integer


class Passes(NamedTuple):
    """What a model drew in T passes.

    Attributes
    ----------
    H : (T, n_h) uint8
        Latents of each pass.
    X : (T, n_v)
        Image drawn at the end of each pass: uint8 for Bernoulli units, float64 for Gaussian ones.
    uniforms : (T, n_h) float64
        The number in [0, 1) drawn for each latent, which is on where it is below its probability; those of
        held latents are drawn and not looked at, so that holding one changes no other's number.
    x0 : (n_v,) or None
        Image that the first pass starts from; None where passes start from nothing.
    """

    H: NDArray[np.uint8]
    X: NDArray
    uniforms: NDArray[np.float64]
    x0: NDArray | None


def ancestral_passes(model: LRBN, n: int, *, clamp: Mapping[int, int] | None = None, seed: int = 0) -> Passes:
    """Draw n samples of an LRBN: latents from the prior, then x given them.

    Parameters
    ----------
    model : LRBN
    n : int
    clamp : mapping from unit to state, optional
        Latents that are held, such as ``{3: 1}``. As the prior factorises, the samples are then exact ones of
        ``P(x, h | held)``.
    seed : int
        A pass depends on it and on the pass's number only: the first passes of a longer draw are the same.
    """
    held = check_clamp(clamp, model.params_.n_h)
    p = sigmoid(model.params_.d)
    H, X, U = [], [], []
    for rng in _generators(seed, 0, n):
        h, u = _draw_latents(p, held, rng)
        H.append(h)
        U.append(u)
        X.append(lrbn_model.sample_visible(model.params_, model.visible, h[None], rng)[0])
    return Passes(np.array(H), np.array(X), np.array(U), None)


def gibbs_passes(
    model: RBM, n: int, x0: ArrayLike, *, clamp: Mapping[int, int] | None = None, seed: int = 0
) -> Passes:
    """Run the block Gibbs chain of an RBM for n sweeps: latents given the image, then the image given them.

    Parameters
    ----------
    model : RBM
    n : int
    x0 : (n_v,) array
        Image that the chain starts from.
    clamp : mapping from unit to state, optional
        Latents that are held; the chain's limit is then ``P(x, h | held)``.
    seed : int
        As in :func:`ancestral_passes`.
    """
    held = check_clamp(clamp, model.params_.n_h)
    x = check_image(x0, model.visible, model.params_.n_v)
    start = x.astype(np.uint8) if model.visible == "bernoulli" else x
    H, X, U = [], [], []
    x = start
    for rng in _generators(seed, 1, n):
        h, u = _draw_latents(rbm_model.posterior(model.params_, x), held, rng)
        mean = rbm_model.visible_mean(model.params_, h, model.visible)
        if model.visible == "bernoulli":
            x = (rng.random(len(mean)) < mean).astype(np.uint8)
        else:
            x = mean + rng.standard_normal(len(mean))
        H.append(h)
        U.append(u)
        X.append(x)
    return Passes(np.array(H), np.array(X), np.array(U), start)


def noise_image(n_v: int, seed: int = 0) -> NDArray[np.uint8]:
    """Return an image of fair coins, (n_v,) uint8, for a chain to start from."""
    return np.random.default_rng([seed, 2]).integers(0, 2, n_v, dtype=np.uint8)


def _generators(seed: int, model: int, n: int) -> list[np.random.Generator]:
    check_integer(n, "n", 1)
    check_integer(seed, "seed", 0)
    return [np.random.default_rng([seed, model, t]) for t in range(n)]


def _draw_latents(
    p: NDArray[np.float64], held: Mapping[int, int], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    u = rng.random(len(p))
    h = (u < p).astype(np.uint8)
    for unit, state in held.items():
        h[unit] = state
    return h, u
