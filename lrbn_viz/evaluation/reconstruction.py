"""How well a model does on held-out images."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.estimators import LRBN, RBM, DeepLRBN


def reconstruction_error(model: LRBN | RBM | DeepLRBN, X: ArrayLike, **how: Any) -> NDArray:
    """Return the reconstruction error of each image; shape (n,).

    The number of wrong pixels for Bernoulli visible units, the squared distance for Gaussian ones.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    X : (n, n_v) array
    **how
        Passed to ``model.reconstruct``, such as ``method="annealed"``.

    Notes
    -----
    Equation: (24).
    """
    X = np.asarray(X)
    guess = model.reconstruct(X, **how)
    if model.visible == "bernoulli":
        return (guess != X).sum(axis=1)
    return ((guess - X) ** 2).sum(axis=1)
