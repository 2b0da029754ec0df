"""The training protocol of every kind of model: a System, hyper-parameters with functions of a state.

A system is frozen, and a state is never modified, so that a view may keep any state it was given.
:mod:`lrbn_viz.core.model` defines the protocol of trained models.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Literal, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.chunks import Pool
from lrbn_viz.io import constants

S = TypeVar("S")

UNKNOWN = 2
"""Value in an image's memory before its first visit; a latent is 0 or 1."""

Memory = NDArray[np.uint8] | None
"""Latents of the images of a minibatch after their last visit, (n, memory_width); None: none are stored."""

N_SHOWN = constants.N_SHOWN
"""Images of a row that shows how a system learns."""


class PictureRow(NamedTuple):
    """A row of `N_SHOWN` images, or fewer, by which a system shows how it learns.

    Attributes
    ----------
    title, help : str
        What people read.
    unit : str
        What the numbers under the images are, in a word or two.
    number : {"", "share", "count", "value"}
        How they are written: none, as a share in per cent, a whole number or any other.
    most : float
        Of a map of values from 0 on, such as precisions: the value of full colour. 0: these are images.
    """

    title: str
    help: str
    unit: str = ""
    number: Literal["", "share", "count", "value"] = ""
    most: float = 0.0


class Pictures(NamedTuple):
    """Current pictures of one row.

    Attributes
    ----------
    images : (n, n_v)
        At most `N_SHOWN`.
    numbers : (n,) float64
        Not-a-number where there is none.
    """

    images: NDArray[Any]
    numbers: NDArray[np.float64]


class System(ABC, Generic[S]):
    """Training of a latent-variable model: hyper-parameters, and functions of a state S."""

    full_batch: ClassVar[bool] = False
    """True if a step is a pass over all images, in their order, and not over a minibatch of them."""

    @abstractmethod
    def init(self, X: NDArray, rng: np.random.Generator) -> S:
        """Return the state before training; `X` (n, n_v) gives the means that the offsets start from."""

    @abstractmethod
    def step(
        self, state: S, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[S, dict[str, float]]:
        """Return the state after one minibatch, and figures about it.

        Parameters
        ----------
        memory : (n, memory_width) uint8, optional
            Latents of these images after the last visit; rows of :data:`UNKNOWN` for images not yet visited.
            Given only where `memory_width` is above 0. Modified in place: the states after this visit.
        """

    @abstractmethod
    def validate(self, state: S, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return figures on held-out images; the one named ``score`` decides early stopping (higher is
        better).
        """

    @abstractmethod
    def encode(self, state: S, X: NDArray) -> NDArray:
        """Return the latent states or means of each image; shape (n, n_h)."""

    @abstractmethod
    def decode(self, state: S, H: NDArray) -> NDArray:
        """Return the mean of x given each row of `H`; shape (n, n_v)."""

    @abstractmethod
    def sample(self, state: S, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images from the model; shape (n, n_v)."""

    def with_pool(self, pool: Pool) -> Self:
        """Return this with its passes on a pool.

        Raises
        ------
        ValueError
            Its steps are over minibatches, one after another.
        """
        raise ValueError(
            f"pool is for training in whole passes; {type(self).__name__} learns minibatch by minibatch. "
            'Leave pool out, or use LRBN(schedule="batch").'
        )

    def parameters(self, state: S) -> dict[str, NDArray]:
        """Return the parameters by name, which are averaged and measured by `gradient_norm`.

        W, b and d of a state that is a named tuple with these.
        """
        return {name: getattr(state, name) for name in ("W", "b", "d")}

    def with_parameters(self, state: S, parameters: Mapping[str, NDArray]) -> S:
        """Return the state with these in the place of its own."""
        named: Any = state
        return named._replace(**parameters)

    def weights(self, state: S) -> NDArray:
        """Return the filters, (n_v, n_h): column j is the effect of latent j on each visible unit."""
        return self.parameters(state)["W"]

    def encode_factorised(self, state: S, X: NDArray) -> NDArray:
        """Return the latents when each unit ignores the others, (n, n_h); the same, unless they interact."""
        return self.encode(state, X)

    @property
    def picture_rows(self) -> tuple[PictureRow, ...]:
        """Rows of images by which this shows how it learns, beside reconstructions and samples."""
        return ()

    def pictures(self, state: S, X: NDArray, seen: NDArray, rng: np.random.Generator) -> tuple[Pictures, ...]:
        """Return the current pictures of a state for each of the `picture_rows`.

        Parameters
        ----------
        X : (n, n_v)
            Held-out images.
        seen : (1, n_v)
            An image of the last minibatch.
        """
        return ()

    def gradient_norm(self, before: S, after: S) -> float:
        """Return the size of the change that one step made to all parameters, per unit of learning rate."""
        old, new = self.parameters(before), self.parameters(after)
        return float(np.sqrt(sum(np.square(new[name] - old[name]).sum() for name in old)))

    @property
    def memory_width(self) -> int:
        """Number of latents that training stores per image, to continue from in a later pass; 0: none."""
        return 0

    @property
    def needs_step_count(self) -> tuple[str, ...]:
        """Names of those settings that need to know how many steps a run has."""
        return ()

    def at_progress(self, share: float) -> Self:
        """Return the system as it takes one step, after a share of all others, 0 to 1."""
        return self

    average: float = 0.0
    """Share of a run's steps, its last ones, over which parameters are averaged; 0: none."""
