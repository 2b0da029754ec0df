"""Samples of models, pass by pass: ancestral samples of an LRBN, and the Gibbs chains of an RBM, DBN and DBM.

One pass draws every latent and then every visible, in all models: the same work. An LRBN's latents come from
its prior, the top layer first, so that every pass is an exact and independent sample; an RBM's come from the
image before, a DBN's from its lower latents before, a DBM's from both. Their passes resemble each other, and
are samples only after many.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import Model, PassInput, draw_binary
from lrbn_viz.core.validation import check_clamp, check_integer, unknown_in


class Passes(NamedTuple):
    """The samples that a model draws in T passes.

    Attributes
    ----------
    H : (T, n) uint8
        Units of each pass, the model's latents first; of a DBN also those of the RBM on top that it sums out.
    X : (T, n_v)
        Image drawn at the end of each pass: uint8 for Bernoulli units, float64 for Gaussian ones.
    uniforms : (T, n) float64
        The number in [0, 1) drawn for each unit, which is on where it is below its probability; those of
        held latents are drawn and not looked at, so that holding one changes no other's number.
    probabilities : (T, n) float64
        Those that the units were drawn with, given what was drawn before them.
    x0 : (n_v,) or None
        Image that the first pass starts from; None where passes start from nothing.
    """

    H: NDArray[np.uint8]
    X: NDArray
    uniforms: NDArray[np.float64]
    probabilities: NDArray[np.float64]
    x0: NDArray | None


def draw_passes(
    model: Model, n: int, x0: ArrayLike, *, clamp: Mapping[int, int] | None = None, seed: int = 0
) -> Passes:
    """Draw n images from a model: ancestral samples of a directed one, else a Gibbs chain from `x0`."""
    if model.graph == "directed":
        return ancestral_passes(model, n, clamp=clamp, seed=seed)
    return gibbs_passes(model, n, x0, clamp=clamp, seed=seed)


def ancestral_passes(
    model: Model, n: int, *, clamp: Mapping[int, int] | None = None, seed: int = 0
) -> Passes:
    """Draw n samples of a directed model: latents from the prior, then x given them.

    Parameters
    ----------
    model : Model
        Such as an LRBN of one layer or several.
    n : int
    clamp : mapping from unit to state, optional
        Latents that are held, such as ``{3: 1}``. Held in the top layer, whose prior factorises, they give
        exact samples of ``P(x, h | held)``. In a layer below they are set by hand: what is drawn below
        follows, and the layers above are drawn as if nothing were held.
    seed : int
        A pass depends on it and on the pass's number only: the first passes of a longer draw are the same.
    """
    return _passes(model, None, clamp, _generators(seed, 0, n))


def gibbs_passes(
    model: Model, n: int, x0: ArrayLike, *, clamp: Mapping[int, int] | None = None, seed: int = 0
) -> Passes:
    """Run the block Gibbs chain of a model that is not directed, for n sweeps.

    An RBM draws latents given the image, and the image given them. A DBM draws upper latents given lower
    ones, these given the upper ones and the image, and the image. A DBN draws upper latents of the RBM on
    top, lower ones, and from these the image, which the chain itself does not look at. The lower latents
    before the first pass are then the likeliest of one pass up from `x0`.

    Parameters
    ----------
    model : Model
        An RBM, a DBN or a DBM.
    n : int
    x0 : (n_v,) array
        Image that the chain starts from.
    clamp : mapping from unit to state, optional
        Latents that are held; the chain's limit is then ``P(x, h | held)``.
    seed : int
        As in :func:`ancestral_passes`.
    """
    x = model.check_image(x0)
    if unknown_in(x) is not None:
        raise ValueError(
            "x0 contains NaN, values that are not known; a chain starts from a whole image. Fill it in with "
            "impute."
        )
    start = x.astype(np.uint8) if model.visible == "bernoulli" else x
    return _passes(model, start, clamp, _generators(seed, 1, n))


def _passes(
    model: Model,
    x0: NDArray | None,
    clamp: Mapping[int, int] | None,
    generators: list[np.random.Generator],
) -> Passes:
    held = check_clamp(clamp, model.n_latents_)
    H, X, U, P = [], [], [], []
    n = sum(model.pass_sizes)
    x, h = x0, np.zeros(n, np.uint8) if x0 is None else model.pass_start(x0)
    for rng in generators:
        u = rng.random(n)
        h, p = model.draw_pass(PassInput(x, h, u, held))
        mean = model.inverse_transform(h[None, : model.n_latents_])
        if model.visible == "bernoulli":
            x = draw_binary(rng.random(mean.size), mean[0], {})
        else:
            x = model.draw_around(mean, rng)[0]
        H.append(h)
        U.append(u)
        X.append(x)
        P.append(p)
    return Passes(np.array(H), np.array(X), np.array(U), np.array(P), x0)


def noise_image(n_v: int, seed: int = 0, visible: str = "bernoulli") -> NDArray:
    """Return noise, (n_v,), for a chain to start from: fair coins (uint8), or standard normal numbers."""
    rng = np.random.default_rng([seed, 2])
    return rng.integers(0, 2, n_v, dtype=np.uint8) if visible == "bernoulli" else rng.standard_normal(n_v)


def _generators(seed: int, model: int, n: int) -> list[np.random.Generator]:
    check_integer(n, "n", 1)
    check_integer(seed, "seed", 0)
    return [np.random.default_rng([seed, model, t]) for t in range(n)]
