"""Mean field as the usual inference of a sigmoid belief network, by which it is scored."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import fields_of
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.estimators.recognition import TraceKind, Usual
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS, FieldSystem
from lrbn_viz.rivals.sbn.model import networks_of_known
from lrbn_viz.rivals.sbn.system import SBNState

FIELD = fields_of(FieldSystem)
SCORE_NAME = "mean-field bound"
BOUND_TITLE = f"bound on log P(x) of held-out images, {EVALUATION_SWEEPS} sweeps of mean field"
"""Title of a validation score, in words, without the name of its bound."""
HALVED_AFTER = 1000.0
"""Minibatches after which the default learning rate of Adam is halved: at a constant one held-out images of
MNIST are 3 to 5 nats less likely after 40 passes than after 10.
"""
DECAY_STEPS = replace(
    FIELD["decay_steps"],
    default=None,
    none=f"{HALVED_AFTER:g} with Adam if learning_rate_end is None, else inf",
    unset="auto",
)


def decay_steps_of(model: Any) -> float:
    """Return the minibatches after which the learning rate of a model's training is halved; inf: never."""
    if model.decay_steps is not None:
        return model.decay_steps
    falls = model.optimiser == "adam" and model.learning_rate_end is None
    return HALVED_AFTER if falls else math.inf


class MeanField(Usual):
    """Means after sweeps of mean field from the recognition network's prediction, and their bound.

    A bound compares networks of the same kind on the same images: how far it is below log P(x) depends on
    what bounds it.
    """

    name: ClassVar[TraceKind] = "mean-field"
    title: ClassVar[str] = "mean field"

    def means(self, model: Any, X: NDArray, options: Mapping[str, Any]) -> tuple[NDArray, ...]:
        """Return the means after ``n_sweeps`` sweeps, (n, n_h) of each layer, which are never 0 or 1."""
        return model.split(_means(model, X, int(options.get("n_sweeps", EVALUATION_SWEEPS)))[0])

    def scores(self, model: Any, X: NDArray) -> NDArray[np.float64]:
        """Return the bound on log P(x) after sweeps of mean field, nats; (n,)."""
        return _means(model, X, EVALUATION_SWEEPS)[1]

    def proposal(self, model: Any, X: NDArray) -> tuple[NDArray, ...]:
        """Return the log-odds of the means of each layer."""
        q = _means(model, X, EVALUATION_SWEEPS)[0]
        return model.split(np.log(q) - np.log1p(-q))


def judged_state(model: Any) -> SBNState:
    """Return a state of a model's networks alone, of which means are asked."""
    return model.make_system().resume(model.recognition_layers, np.random.default_rng(0))


def _means(model: Any, X: NDArray, n_sweeps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return means (n, n_latents_) and bounds (n,) of checked images, of what is known of them."""
    unknown, system = unknown_in(X), model.make_system()
    if unknown is None:
        Q, bounds = system.means(judged_state(model), X, n_sweeps)
        return Q.astype(np.float64), bounds
    # Unknown pixels drop out of the bound: images with the same ones have a network without them.
    Q, bounds = np.empty((len(X), model.n_latents_)), np.empty(len(X))
    patterns, which = np.unique(unknown, axis=0, return_inverse=True)
    for number, hidden in enumerate(patterns):
        rows = which == number
        if hidden.any():
            state = system.resume(
                networks_of_known(model.recognition_layers, ~hidden), np.random.default_rng(0)
            )
        else:
            state = judged_state(model)
        Q[rows], bounds[rows] = system.means(state, X[rows][:, ~hidden], n_sweeps)
    return Q, bounds
