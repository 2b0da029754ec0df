"""What models that always have two layers of latents share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lrbn_viz.core.model import LayerParams
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.estimators.parameters import taken, upper_layer


class BothLayers(LatentModel):
    """A model of two layers of latents; its parameters are the layers, unless a kind says otherwise.

    Attributes
    ----------
    params_ : tuple of LayerParams
        W, b and d of both layers, the lower one first: W is (n_v, n_h) and (n_h, n_top). The d of the lower
        layer is the b of the upper one. :meth:`from_params` calls the upper layer's W and d U and e.
    """

    n_components: Any

    def _shared_with(self, system: Any) -> dict[str, Any]:
        """Return the settings that a system has too, and the latents of both layers as it calls them."""
        n_h, n_top = self._each_layer(self.n_components)
        return {**super()._shared_with(system), "n_h": n_h, "n_top": n_top}

    @classmethod
    def _params_of(cls, state: Any) -> Any:
        return state.params

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> Any:
        return low, upper_layer(low, *taken(given, "Ue", cls.__name__))

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of U and e; as many upper latents as the file has."""
        return {"U": (layer.n_h, None), "e": (None,)}
