"""Snapshots of a run, which contain everything that it needs to continue.

States are never modified, so a snapshot costs no copy: a history is a list of them, and a branch is a run
restored to one.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S")


class Snapshot(NamedTuple, Generic[S]):
    """Position of a run between two steps; never modified."""

    state: S
    """Parameters and whatever else the system carries from step to step."""
    step: int
    """Minibatches seen."""
    epoch: int
    """Passes completed."""
    offset: int
    """Images of the current pass already seen."""
    order: NDArray[np.int64]
    """(n,) Rows in the order of the current pass; empty between two passes."""
    seconds: float
    """Time spent in steps and validation."""
    rng: dict[str, Any]
    """State of the bit generator that the system draws from."""
    shuffler: dict[str, Any] | None
    """State of the one that shuffles, where it is another."""
    best_score: float
    """Best ``validation_score`` of any pass so far; minus infinity before the first."""
    best_state: S
    best_epoch: int
    """Pass of `best_state`, from 0; -1 before the first."""
    last_metrics: dict[str, float]
    """Figures of the last step."""
    stalled: bool
    """True if patience has run out."""
    memory: NDArray[np.uint8]
    """(n, width) Latents of each image after its last visit, for a system that remembers them."""
    total: tuple[NDArray, ...] = ()
    """Sums of the parameters over the last steps, for a system that averages them."""
    n_averaged: int = 0
    """Steps in these sums."""
