"""How well a model does on held-out images."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.estimators import LRBN, RBM, DeepLRBN


def reconstruction_error(
    model: LRBN | RBM | DeepLRBN,
    X: ArrayLike,
    *,
    method: Literal["icm", "annealed"] | None = None,
    layer: int = 1,
    **how: Any,
) -> NDArray:
    """Return the reconstruction error of each image; shape (n,).

    The number of wrong pixels for Bernoulli visible units, the squared distance for Gaussian ones.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    X : (n, n_v) array
    method : {"icm", "annealed"}, optional
        How the latents of an LRBN are inferred; "icm" when None. Those of an RBM are independent given the
        image: their most probable states are read off, and there is nothing to choose.
    layer : int
        From which layer's latents a deep model decodes, 1 the lowest; other models have no other.
    **how
        Passed to ``model.reconstruct``, such as ``n_sweeps=1000``.

    Raises
    ------
    ValueError
        An image does not fit the model, it has no such layer, or is an RBM and given a method.

    Notes
    -----
    Equation: (24).
    """
    X = np.asarray(X)
    if isinstance(model, DeepLRBN):
        how["layer"] = layer
    elif layer != 1:
        raise ValueError(f"layer must be 1 for a model of one layer; got {layer!r}.")
    if isinstance(model, RBM) and method is not None:
        raise ValueError(f"an RBM's inference is exact: method must be left out, got {method!r}.")
    if method is not None:
        how["method"] = method
    guess = model.reconstruct(X, **how)
    if model.visible == "bernoulli":
        return (guess != X).sum(axis=1)
    return ((guess - X) ** 2).sum(axis=1)
