"""Networks of two layers, their arrays by name: what finite differences change one after another."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from lrbn_viz.rivals.sbn.model import LayerNetworks


class TwoNetworks(NamedTuple):
    """Both networks of two layers; the names are those of a model's file."""

    W: np.ndarray
    b: np.ndarray
    d: np.ndarray
    V: np.ndarray
    c: np.ndarray
    U: np.ndarray
    e: np.ndarray
    V2: np.ndarray
    c2: np.ndarray

    @property
    def n_v(self) -> int:
        return self.W.shape[0]

    @property
    def n_h(self) -> int:
        return self.W.shape[1]

    @property
    def lower(self) -> LayerNetworks:
        return LayerNetworks(*self[:5])

    @property
    def upper(self) -> LayerNetworks:
        return LayerNetworks(self.U, self.d, self.e, self.V2, self.c2)

    @property
    def layers(self) -> tuple[LayerNetworks, LayerNetworks]:
        return self.lower, self.upper
