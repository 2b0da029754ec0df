"""Every kind of model at odd sizes, from one pixel to a thousand and more, and with huge weights."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from covering import kinds_for_the_gate, slow_but
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import sizes_of

from lrbn_viz.catalog import kinds

MANY = 1100


def made(kind: Any, n_h: int, **settings: Any) -> Any:
    """Return a model of that many latents in its first layer, fewer above."""
    return kind(**sizes_of(kind, n_h, max(1, n_h // 2)), random_state=0, **settings)


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
    assert np.isfinite(trace.to_frame().to_numpy(float)).all()
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


# Kinds with the same capabilities share their kernels, and every kind learns at the other sizes.
@pytest.mark.parametrize("name", kinds_for_the_gate(kinds()))
def test_it_learns_with_thousands_of_pixels_and_latents(name):
    X = np.random.default_rng(0).integers(0, 2, (4, MANY)).astype(np.uint8)
    works(made(kinds()[name], MANY, n_iter=1), X)


def scaled(params: Any, most: float) -> Any:
    """Return parameters whose largest is `most`, be they a tuple of arrays or of such tuples."""
    if isinstance(params, np.ndarray):
        return params * (most / max(np.abs(params).max(), 1e-9))
    parts = [scaled(part, most) for part in params]
    return type(params)(*parts) if hasattr(params, "_fields") else type(params)(parts)


def with_weights_up_to(name: str, visible: str, most: float, X: np.ndarray) -> Any:
    """Return a trained model, its parameters scaled."""
    model = made(kinds()[name], 6, n_iter=2, visible=visible).fit(X)
    model._set_params(scaled(model.params_, most))
    return model


CHOICES: dict[str, Any] = {name: kind.fields["visible"] for name, kind in kinds().items()}
VISIBLE = [(name, each) for name, field in CHOICES.items() for each in field.choices]


# Weights up to 1 are what training gives, as in many tests.
@pytest.mark.parametrize("most", slow_but([1e3], [1.0, 30.0, 1e3]))
@pytest.mark.parametrize(("name", "visible"), VISIBLE)
def test_every_inference_from_every_start_stays_finite_with_weights_up_to_a_thousand(name, visible, most):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(8, 9)) if visible == "gaussian" else rng.integers(0, 2, (8, 9)).astype(np.uint8)
    model = with_weights_up_to(name, visible, most, X)
    for code, size in zip(model.infer(X), model.layer_sizes_, strict=True):
        assert code.shape == (len(X), size)
        assert ((code >= 0) & (code <= 1)).all()
    assert np.isfinite(model.reconstruct(X)).all()
    for method, how in model.trace_methods.items():
        for start in model.starts if "init" in model.trace_options else [None]:
            trace = model.trace(X[0], method, init=start, random_state=3)
            assert np.isfinite(trace.to_frame().to_numpy(float)).all(), (method, start)
            curve = np.append(trace.log_joint0, trace.log_joint)
            assert np.isfinite(curve).all(), (method, start)
            if how.monotone:
                falls = np.diff(curve)
                assert falls.min(initial=0.0) >= -1e-9 * (1.0 + np.abs(curve).max()), (method, start)
