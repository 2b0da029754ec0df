"""Systems that learn in stages, which follow each other within one run."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.system import Memory, System
from lrbn_viz.kernels.steps import rate_at

S = TypeVar("S")


class Stage(NamedTuple):
    """One stage of a run.

    Attributes
    ----------
    end : float
        Share of the run's steps after which it ends; that of the last stage is 1.
    learn : str
        Name of the system's method that takes a step of it, from a state, a minibatch and a generator.
    rate : float
        Factor on the learning rate.
    """

    end: float
    learn: str
    rate: float = 1.0


class StagedSystem(System[S]):
    """Training in stages, each for a share of the steps of a run.

    A subclass is a frozen dataclass with `learning_rate`, `learning_rate_end` and `stage`; its states are
    named tuples with `stage`, counted from 1, and `n_steps`. The learning rate falls within each stage.
    """

    learning_rate: Any
    learning_rate_end: Any
    stage: Any

    # -- implemented by each system

    @property
    @abstractmethod
    def stages(self) -> tuple[Stage, ...]:
        """The stages in their order."""

    @abstractmethod
    def images_of(self, state: S, batch: NDArray) -> NDArray:
        """Return the images of a minibatch as the stages take them."""

    @property
    def final_rate(self) -> float | None:
        """Learning rate at the end of each stage; None: it does not fall."""
        return self.learning_rate_end

    def entered(self, state: S, stage: int, rng: np.random.Generator) -> S:
        """Return the state at the begin of a stage; the same where it is in that stage already."""
        return state

    # -- the schedule

    @property
    def needs_step_count(self) -> tuple[str, ...]:
        """Settings that need the number of steps in advance: always, as each stage takes a share."""
        return ("first_share",)

    def at_progress(self, share: float) -> Self:
        """Return the settings in the stage, and with the learning rate, of a step after a fraction of all
        others.
        """
        stages = self.stages
        stage, within = stage_at(share, [each.end for each in stages])
        rate, last = self.learning_rate, self.final_rate
        if last is not None:
            rate = rate_at(within, float(rate), float(last))
        rate *= stages[stage - 1].rate
        if (stage, rate, self.learning_rate_end) == (self.stage, self.learning_rate, None):
            return self
        how: Any = self
        return replace(how, learning_rate=rate, learning_rate_end=None, stage=stage)

    # -- training

    def step(
        self, state: S, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[S, dict[str, float]]:
        """Return the state after one step of the present stage, and the step's figures.

        A state that is in a later stage stays there. Figures: ``stage``, and those of the stage.

        Raises
        ------
        FloatingPointError
            A parameter is no longer finite.
        """
        before: Any = state
        stage = max(before.stage, self.stage)
        X = self.images_of(state, batch)
        begun = self.entered(state, stage, rng)
        after, figures = getattr(self, self.stages[stage - 1].learn)(begun, X, rng)
        return after._replace(stage=stage, n_steps=before.n_steps + 1), {"stage": float(stage), **figures}


def stage_at(share: float, ends: Sequence[float]) -> tuple[int, float]:
    """Return the stage that a step lies in, counted from 1, and how far it is within that stage, 0 to 1.

    Parameters
    ----------
    share : float
        Of all steps but the last, how many were before it.
    ends : sequence of float
        Share at which each stage ends; the last ends at 1. A stage that ends where it begins has no steps.
    """
    stage = next((n for n, end in enumerate(ends) if share < end), list(ends).index(ends[-1]))
    begin = ends[stage - 1] if stage else 0.0
    return stage + 1, min(1.0, (share - begin) / (ends[stage] - begin))


def check_shares(shares: dict[str, float], last: str) -> None:
    """Raise ValueError where the shares of the first stages leave no steps for the last.

    Parameters
    ----------
    last : str
        Purpose of the last stage, such as "for the RBM on top".
    """
    if sum(shares.values()) > 1.0 - 1e-9:
        said = " and ".join(f"{name} = {share}" for name, share in shares.items())
        raise ValueError(f"{said} leave no steps {last}; expected a sum below 1. Lower one of them.")
