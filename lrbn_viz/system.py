"""What every model is to the training loop, the evaluation and the pages: a System.

A system is a frozen set of hyper-parameters whose methods are functions of a state; a state is never
modified, so that a view may keep any state it was given.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S")

UNKNOWN = 2
"""What stands in an image's memory before its first visit; a latent is 0 or 1."""


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

    def encode_factorised(self, state: S, X: NDArray) -> NDArray:
        """Return the latent states when each unit ignores the others; shape (n, n_h) uint8."""
        ...

    def gradient_norm(self, before: S, after: S) -> float:
        """Return the size of the change that one step made to all parameters, per unit of learning rate."""
        ...

    def decode(self, state: S, H: NDArray) -> NDArray:
        """Return the mean of x given each row of `H`; shape (n, n_v)."""
        ...

    def sample(self, state: S, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images from the model; shape (n, n_v)."""
        ...


class Remembering(System[S], Protocol[S]):
    """A system that goes on inferring each training image where it left off a pass before."""

    @property
    def memory_width(self) -> int:
        """Latents remembered per image; 0: none, and `step` is the plain one."""
        ...

    def step(
        self, state: S, batch: NDArray, rng: np.random.Generator, memory: NDArray[np.uint8] | None = None
    ) -> tuple[S, dict[str, float]]:
        """Do as :meth:`System.step` does, from the remembered latents of the minibatch's images.

        Parameters
        ----------
        memory : (n, memory_width) uint8, optional
            States after the last visit; rows of :data:`UNKNOWN` for images not yet visited. Modified in
            place: the states after this visit.
        """
        ...


class Planned(System[S], Protocol[S]):
    """A system that may depend on how far a run is, of a number of steps known beforehand."""

    @property
    def planned(self) -> tuple[str, ...]:
        """Names of those of its settings that need that number."""
        ...

    def at(self, share: float) -> System[S]:
        """Return the system as it takes one step, after a share of all others, 0 to 1."""
        ...


class Averaging(System[S], Protocol[S]):
    """A system whose parameters may be averaged over the last steps of a run."""

    @property
    def average(self) -> float:
        """Share of a run's steps, its last ones, over which parameters are averaged; 0: none."""
        ...

    def parameters(self, state: S) -> tuple[NDArray, ...]:
        """Return what is averaged."""
        ...

    def with_parameters(self, state: S, parameters: tuple[NDArray, ...]) -> S:
        """Return the state with these in the place of its own."""
        ...
