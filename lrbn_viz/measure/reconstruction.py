"""Reconstruction of held-out images."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import Pool, map_images
from lrbn_viz.core.model import Model
from lrbn_viz.core.validation import dense, unknown_in


def reconstruction_error(
    model: Model,
    X: ArrayLike,
    *,
    method: str | None = None,
    layer: int = 1,
    pool: Pool | None = None,
    **how: Any,
) -> NDArray:
    """Return the reconstruction error of each image; shape (n,).

    The number of wrong pixels for Bernoulli visible units, the squared distance for Gaussian ones; of pixels
    that are known.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    method : str, optional
        How latents are inferred, one of the model's ``methods``; the usual one when None. Those of an RBM are
        independent given the image: their most probable states are read off, and there is nothing to choose.
    layer : int
        The layer from whose latents a deep model decodes, 1 the lowest; other models have only one.
    pool : Pool, optional
        Where pieces of images are worked on, such as a :class:`lrbn_viz.cluster.Cluster`; this process when
        None. The errors are the same.
    **how
        Passed to ``model.reconstruct``, such as ``n_sweeps=1000``.

    Raises
    ------
    ValueError
        An image does not fit the model, it has no such layer, or has nothing to choose and is given a method.

    Notes
    -----
    Equation: (24).

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> lrbn_viz.measure.reconstruction_error(model, X)
    array([3, 8, 4, 8, 2])
    """
    if len(model.layer_sizes_) > 1:
        how["layer"] = layer
    elif layer != 1:
        raise ValueError(f"layer must be 1 for a model of one layer; got {layer!r}.")
    if method is not None:
        if not model.methods:
            raise ValueError(
                f"the inference of this {type(model).__name__} is exact: method must be left out, got "
                f"{method!r}."
            )
        how["method"] = method
    if pool is None:
        return _errors(X, model, how)
    if (method or next(iter(model.methods), "")) in model.pooled_methods:
        return _errors(X, model, {**how, "pool": pool})
    model.check_images(X)
    # such inference draws nothing
    parts = map_images(_errors_of, np.asarray(dense(X)), np.random.default_rng(0), model, how, pool=pool)
    return np.concatenate(parts)


def _errors_of(X: NDArray, rng: np.random.Generator, model: Model, how: dict[str, Any]) -> NDArray:
    return _errors(X, model, how)


def _errors(X: ArrayLike, model: Model, how: dict[str, Any]) -> NDArray:
    guess, X = model.reconstruct(X, **how), model.check_images(X)
    wrong = guess != X if model.visible == "bernoulli" else (guess - X) ** 2
    unknown = unknown_in(X)
    return (wrong if unknown is None else np.where(unknown, 0, wrong)).sum(axis=1)
