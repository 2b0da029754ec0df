"""What every model is to the training loop, the evaluation and the pages: a System.

A system is a frozen set of hyper-parameters whose methods are functions of a state; a state is never
modified, so that a view may keep any state it was given.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.trace import FitStep

S = TypeVar("S")


class System(Protocol[S]):
    """A trainable latent-variable model with binary latents."""

    def init(self, X: NDArray, rng: np.random.Generator) -> S:
        """Return the state before training; `X` (n, n_v) gives the means that the offsets start from."""
        ...

    def step(self, state: S, batch: NDArray, rng: np.random.Generator) -> tuple[S, dict[str, float]]:
        """Return the state after one minibatch, and figures about it."""
        ...

    def validate(self, state: S, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images; the one named ``score`` decides early stopping (higher is
        better).
        """
        ...

    def encode(self, state: S, X: NDArray) -> NDArray:
        """Return the latent states or means of each image; shape (n, n_h)."""
        ...

    def decode(self, state: S, H: NDArray) -> NDArray:
        """Return the mean of x given each row of `H`; shape (n, n_v)."""
        ...

    def sample(self, state: S, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images from the model; shape (n, n_v)."""
        ...


def train(
    system: System[S],
    X: NDArray,
    *,
    n_iter: int,
    batch_size: int,
    rng: np.random.Generator,
    state: S | None = None,
    validation: NDArray | None = None,
    patience: int | None = None,
) -> Iterator[tuple[S, FitStep]]:
    """Train by passes over shuffled minibatches, yielding every state with what happened.

    Parameters
    ----------
    X : (n, n_v)
        Training images.
    n_iter : int
        Passes over `X`.
    batch_size : int
        Images per step; the last step of a pass takes what is left.
    rng : numpy.random.Generator
        All randomness of the run: equal generators give equal runs.
    state : optional
        Where to go on from; a fresh state when None.
    validation : (n_val, n_v), optional
        Held-out images. The last step of each pass carries their figures, named ``validation_...``.
    patience : int, optional
        Stop after so many passes without a better ``validation_score``. The state of the best pass is then
        yielded once more, last, with ``restored`` = its pass.

    Yields
    ------
    state, FitStep
    """
    if state is None:
        state = system.init(X, rng)
    started = time.perf_counter()
    step = 0
    best_score, best_state, best_epoch = -np.inf, state, -1
    for epoch in range(n_iter):
        order = rng.permutation(len(X))
        for start in range(0, len(X), batch_size):
            state, metrics = system.step(state, X[order[start : start + batch_size]], rng)
            step += 1
            if start + batch_size >= len(X) and validation is not None:
                figures = system.validate(state, validation, rng)
                metrics = metrics | {f"validation_{name}": value for name, value in figures.items()}
            yield state, FitStep(step, epoch, time.perf_counter() - started, metrics)
        if validation is None or patience is None:
            continue
        if metrics["validation_score"] > best_score:
            best_score, best_state, best_epoch = metrics["validation_score"], state, epoch
        elif epoch - best_epoch >= patience:
            break
    if patience is not None and best_epoch >= 0:
        restored = metrics | {"restored": float(best_epoch), "validation_score": best_score}
        yield best_state, FitStep(step, epoch, time.perf_counter() - started, restored)
