"""The stages in which a deep model learns: each stage, one step of it, and the usual plan of stages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lrbn_viz.core.trace import FitStep
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.hard_em import HardEM


class Stage(NamedTuple):
    """One stage of a plan.

    Attributes
    ----------
    layer : int or None
        Index of the layer that learns, 0 for the lowest; None: all together.
    how : HardEM or DeepHardEM
        Training of the layer, or of all layers.
    n_iter : int
        Number of passes. With 0 a layer enters the joint training untrained.
    n_images : int or None
        Number of images, the first ones, from which the stage learns; None: all.
    restart_chains : bool
        True if persistent chains begin again. They do so too where a stage learns from more or fewer images
        than the one before.
    """

    layer: int | None
    how: HardEM | DeepHardEM
    n_iter: int
    n_images: int | None = None
    restart_chains: bool = False

    @property
    def name(self) -> str:
        """Name of the stage, such as "layer 1" or "all layers"."""
        return "all layers" if self.layer is None else f"layer {self.layer + 1}"

    @property
    def learners(self) -> tuple[HardEM, ...]:
        """Training of each layer that belongs to the stage."""
        return self.how.layers if isinstance(self.how, DeepHardEM) else (self.how,)


class StageStep(NamedTuple):
    """One step of a stage: ``stage`` counts from 0, ``name`` is such as "layer 1" or "all layers"."""

    stage: int
    name: str
    event: FitStep


def bottom_up(
    layers: Sequence[HardEM], n_iter: int | Sequence[int], together: DeepHardEM, n_together: int
) -> list[Stage]:
    """Return the plan of learning each layer on the one below, and then all of them together.

    Parameters
    ----------
    layers : sequence of HardEM
        Training of each layer, the lowest first.
    n_iter : int or sequence of int
        Passes per layer; one number for all layers, or one for each.
    together : DeepHardEM
        Training of all layers together.
    n_together : int
        Passes of all layers together; 0 leaves that stage out.

    Raises
    ------
    ValueError
        The length of `n_iter` is not the number of layers.
    """
    each = list(n_iter) if isinstance(n_iter, Sequence) else [n_iter] * len(layers)
    if len(each) != len(layers):
        raise ValueError(f"expected n_iter for each of {len(layers)} layers, got {each}.")
    plan = [Stage(layer, how, passes) for layer, (how, passes) in enumerate(zip(layers, each, strict=True))]
    return [*plan, Stage(None, together, n_together)] if n_together else plan
