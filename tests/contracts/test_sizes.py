"""Every kind of model at odd sizes: one pixel, one latent, one image, or a thousand and more of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lrbn_viz.catalog import kinds

MANY = 1100


def made(kind: Any, n_h: int, **settings: Any) -> Any:
    """Return a model of that many latents in its first layer, fewer above."""
    sizes: dict[str, Any] = {"n_components": n_h}
    if kind.several_layers:
        n_top = max(1, n_h // 2)
        one_by_one = "layer_sizes" not in kind().get_params()
        sizes = {"n_components": n_h, "n_top": n_top} if one_by_one else {"layer_sizes": (n_h, n_top)}
    return kind(**sizes, random_state=0, **settings)


def works(model: Any, X: np.ndarray) -> None:
    """Train a model a little; all that it then says has the right shape, and is finite."""
    model.fit(X)
    for layer in model.layers:
        assert all(np.isfinite(array).all() for array in layer)
    codes = model.infer(X)
    assert [code.shape for code in codes] == [(len(X), size) for size in model.layer_sizes_]
    seen = model.reconstruct(X)
    assert seen.shape == X.shape
    assert np.isfinite(seen).all()
    trace = model.trace(X[0])
    assert np.isfinite(trace.log_odds).all()
    assert model.sample(2, random_state=0).shape == (2, X.shape[1])


@pytest.mark.parametrize("name", kinds())
@settings(max_examples=6)
@given(
    n_v=st.sampled_from([1, 2, 7, 63, 64, 65]),
    n_h=st.sampled_from([1, 2, 5, 33]),
    n=st.sampled_from([1, 2, 9]),
    blank=st.booleans(),
    seed=st.integers(0, 2**16),
)
def test_it_learns_at_any_size(name, n_v, n_h, n, blank, seed):
    X = np.random.default_rng(seed).integers(0, 2, (n, n_v)).astype(np.uint8)
    works(made(kinds()[name], n_h, n_iter=2), np.zeros_like(X) if blank else X)


@pytest.mark.parametrize("name", kinds())
def test_it_learns_with_thousands_of_pixels_and_latents(name):
    X = np.random.default_rng(0).integers(0, 2, (4, MANY)).astype(np.uint8)
    works(made(kinds()[name], MANY, n_iter=1), X)
