"""How well a model does on held-out images."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike, NDArray

from lrbn_viz.model import Model


def reconstruction_error(
    model: Model,
    X: ArrayLike,
    *,
    method: str | None = None,
    layer: int = 1,
    **how: Any,
) -> NDArray:
    """Return the reconstruction error of each image; shape (n,).

    The number of wrong pixels for Bernoulli visible units, the squared distance for Gaussian ones.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    method : str, optional
        How latents are inferred, one of the model's ``methods``; the usual one when None. Those of an RBM are
        independent given the image: their most probable states are read off, and there is nothing to choose.
    layer : int
        From which layer's latents a deep model decodes, 1 the lowest; other models have no other.
    **how
        Passed to ``model.reconstruct``, such as ``n_sweeps=1000``.

    Raises
    ------
    ValueError
        An image does not fit the model, it has no such layer, or has nothing to choose and is given a method.

    Notes
    -----
    Equation: (24).
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
    guess, X = model.reconstruct(X, **how), model.check_images(X)
    if model.visible == "bernoulli":
        return (guess != X).sum(axis=1)
    return ((guess - X) ** 2).sum(axis=1)
