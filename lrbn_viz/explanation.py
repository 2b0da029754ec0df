"""Why a unit turned on or off, and what the exact answer is."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.estimators import LRBN, RBM, DeepLRBN
from lrbn_viz.lrbn.exact import ExactPosterior, LogOddsTerms
from lrbn_viz.validation import check_image, check_integer, check_latents


def _check(model: LRBN | RBM | DeepLRBN, x: ArrayLike, h: ArrayLike | None = None) -> tuple[NDArray, NDArray]:
    if not isinstance(model, LRBN | RBM | DeepLRBN):
        raise TypeError(f"model must be an LRBN, a DeepLRBN or an RBM; got {type(model).__name__}.")
    if not (hasattr(model, "params_") or hasattr(model, "layers_")):
        raise ValueError(
            "The model has no parameters yet; fit it, or load one with load_model or pretrained."
        )
    lowest = model.layers_[0] if isinstance(model, DeepLRBN) else model.params_
    x = check_image(x, model.visible, lowest.n_v)
    n_h = model.n_latents_
    h = np.zeros(n_h, np.uint8) if h is None else check_latents(h, (n_h,))
    return x, h


def exact_posterior(model: LRBN | RBM, x: ArrayLike) -> ExactPosterior:
    """Return P(h | x) by enumeration of all states, for models of at most 20 latents.

    Parameters
    ----------
    model : LRBN or RBM
        For an RBM ``log_joints`` and ``log_evidence`` lack the constant ``log Z``.
    x : (n_v,) array

    Raises
    ------
    ValueError
        When the model has more than 20 latents, or x does not fit it.
    """
    if isinstance(model, DeepLRBN):
        raise TypeError("model must be an LRBN or an RBM, of one layer; got a DeepLRBN.")
    x, _ = _check(model, x)
    return model._exact_posterior(x)


def explain_away(model: LRBN | RBM | DeepLRBN, x: ArrayLike, h: ArrayLike) -> NDArray[np.float64]:
    """Return how much each pair of latents moves each other's log-odds given x and the rest; (n_h, n_h),
    nats.

    Entry (j, k) is the change of ``logit P(h_j = 1 | x, rest)`` when h_k goes from 0 to 1. Negative: they
    compete for the same pixels. Positive: allies. Zero everywhere for an RBM. The diagonal is 0. Units of a
    DeepLRBN are numbered through all layers, the lowest first.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    x : (n_v,) array
        Checked, but no value depends on it: the evidence of x enters each unit's log-odds on its own.
    h : (n_h,) array of 0 and 1
        The state at which the others are held.
    """
    _, h = _check(model, x, h)
    return model._interactions(h)


def log_odds_terms(model: LRBN | RBM | DeepLRBN, x: ArrayLike, h: ArrayLike, j: int) -> LogOddsTerms:
    """Return the three terms of ``logit P(h_j = 1 | x, h_-j)``: prior, evidence and explained away, in nats.

    Of a DeepLRBN's unit the prior is what the layer above generates, and the evidence what is below it.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    x : (n_v,) array
    h : (n_h,) array of 0 and 1
        The state of all latents; that of unit j itself does not matter.
    j : int
        The unit.
    """
    x, h = _check(model, x, h)
    return model._log_odds_terms(x, h, check_integer(j, "j", 0, len(h) - 1))
