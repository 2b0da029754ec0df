"""Small models and images that the engine tests share."""

from __future__ import annotations

import os
from typing import NamedTuple

import naive
import numpy as np
import pytest
from hypothesis import strategies as st
from numpy.typing import NDArray

from lrbn_viz import LRBN

VISIBLES = ("bernoulli", "gaussian")
ORDERS = ("sequential", "random", "greedy", "parallel")
NEVER_DOWN = ("sequential", "random", "greedy")


def with_jit(reason: str) -> pytest.MarkDecorator:
    """Return the mark of a test that is left out where the JIT is off, for a reason."""
    return pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason=reason)


class Case(NamedTuple):
    """Parameters, one image (n_v,) and one state (n_h,) to start from."""

    visible: str
    params: naive.Params
    x: NDArray
    h0: NDArray[np.uint8]

    def model(self, **settings) -> LRBN:
        """The engine's model with these parameters."""
        return LRBN.from_params(*self.params, visible=self.visible, **settings)  # pyright: ignore[reportArgumentType]


def random_case(visible: str, n_v: int, n_h: int, seed: int = 0, scale: float = 1.0) -> Case:
    """Normal weights and offsets of the given scale, fair-coin images and states."""
    rng = np.random.default_rng(seed)
    params = naive.Params(
        rng.normal(0, scale, (n_v, n_h)), rng.normal(0, scale, n_v), rng.normal(0, min(scale, 2.0), n_h)
    )
    x = rng.integers(0, 2, n_v).astype(np.uint8) if visible == "bernoulli" else rng.normal(0, scale, n_v)
    return Case(visible, params, x, rng.integers(0, 2, n_h).astype(np.uint8))


@st.composite
def small_cases(draw, max_h: int = 12) -> Case:
    """Models of up to `max_h` latents: widths around multiples of 64, dead units, duplicates, exact ties."""
    n_v = draw(st.one_of(st.integers(1, 20), st.sampled_from([1, 63, 64, 65, 100, 128, 130])))
    n_h = draw(st.integers(1, max_h))
    scale = draw(st.sampled_from([0.05, 0.5, 1.0, 4.0]))
    case = random_case(draw(st.sampled_from(VISIBLES)), n_v, n_h, draw(st.integers(0, 2**32 - 1)), scale)
    W, b, d = (a.copy() for a in case.params)
    special = draw(st.sampled_from(["none", "none", "dead", "duplicate", "integers"]))
    j, k = draw(st.integers(0, n_h - 1)), draw(st.integers(0, n_h - 1))
    if special == "dead":
        W[:, j] = 0.0
        d[j] = draw(st.sampled_from([0.0, -3.0]))
    elif special == "duplicate":
        W[:, k], d[k] = W[:, j], d[j]
    elif special == "integers":
        W, b, d = np.round(W), np.round(b), np.round(d)
    return case._replace(params=naive.Params(W, b, d))
