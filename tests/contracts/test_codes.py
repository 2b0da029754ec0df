"""Every kind of model gives probabilities of its latents and states by name, by one rule."""

from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.catalog import kinds
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE

KINDS: dict[str, Any] = kinds()
X = load_dataset("digits").test_X[:12]
N_V = 12


@pytest.mark.parametrize("name", KINDS)
def test_probabilities_are_in_the_open_interval_in_the_precision_of_the_images(name, tiny_model):
    model = tiny_model(KINDS[name])
    p = model.transform(X, method="probabilities")
    assert (p.shape, p.dtype) == ((len(X), model.n_latents_), np.dtype(np.float64))
    assert 0.0 < p.min() < p.max() < 1.0
    single = model.transform(X.astype(np.float32), method="probabilities")
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, p, rtol=1e-6)


@pytest.mark.parametrize("name", KINDS)
def test_states_are_the_likelier_ones_of_what_inference_finds_and_reconstruct_uses_that(name, tiny_model):
    model = tiny_model(KINDS[name])
    inferred = np.hstack(model.infer(X))
    states = model.transform(X, method="states")
    assert states.dtype == np.uint8
    np.testing.assert_array_equal(states, inferred > 0.5)
    np.testing.assert_array_equal(model.reconstruct(X), model.most_probable(inferred))


@pytest.mark.parametrize("name", KINDS)
def test_the_default_is_the_first_kind_of_inference_or_probabilities_where_there_is_none(name, tiny_model):
    model = tiny_model(KINDS[name])
    usual = next(iter(model.methods), "probabilities")
    np.testing.assert_array_equal(model.transform(X), model.transform(X, method=usual))
    with pytest.raises(ValueError, match="'probabilities', 'states'"):
        model.transform(X, method="means")


@pytest.mark.parametrize("name", KINDS)
def test_probabilities_are_exact_or_the_means_of_inference(name, tiny_model):
    model = tiny_model(KINDS[name])
    found = model.transform(X, method="probabilities")
    (*inferred,) = model.infer(X)
    if name == "RBM" or inferred[0].dtype == np.uint8:  # an RBM's means are exact
        exact = [model.exact_posterior(x).marginals for x in X.astype(float)]
        np.testing.assert_allclose(found, exact, atol=1e-9)
    else:
        np.testing.assert_array_equal(found, np.hstack(inferred))


# -- large LRBNs, by mean field


def layers(*sizes: int, scale: float = 0.5) -> list[tuple[np.ndarray, ...]]:
    rng, below, made = np.random.default_rng(0), N_V, []
    for n in sizes:
        made.append((rng.normal(0, scale, (below, n)), rng.normal(0, 0.3, below), rng.normal(0, 0.5, n)))
        below = n
    return made


def images(visible: str, n: int = 30) -> np.ndarray:
    rng = np.random.default_rng(1)
    return rng.integers(0, 2, (n, N_V)) if visible == "bernoulli" else rng.normal(size=(n, N_V))


@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_mean_field_of_one_layer_ends_where_its_traces_do(visible):
    model = LRBN.from_params(*layers(MAX_EXACT_INTERACTIVE + 2)[0], visible=visible)
    data = images(visible)
    found = model.transform(data, method="probabilities")
    for x, means in zip(data[:6], found, strict=False):
        trace = model.map_trace(x, kind="mean-field")
        np.testing.assert_allclose(means, trace.latents(trace.n_visits), atol=0.02)


@pytest.mark.parametrize(("visible", "sizes"), product(["bernoulli", "gaussian"], [(11, 6), (9, 5, 3)]))
def test_mean_field_of_several_layers_is_near_the_exact_marginals(visible, sizes):
    model = LRBN.from_layers(layers(*sizes, scale=0.3), visible)
    data = images(visible, 4)
    found = model.transform(data, method="probabilities")
    exact = np.array([model.exact_posterior(x).marginals for x in np.asarray(data, float)])
    assert np.abs(found - exact).mean() < 0.02
    assert np.corrcoef(found.ravel(), exact.ravel())[0, 1] > 0.99
    # Nobody stands beside an image: alone it has the same means.
    np.testing.assert_allclose(model.transform(data[3:4], method="probabilities")[0], found[3], atol=1e-6)


def test_more_sweeps_of_mean_field_come_to_rest():
    model = LRBN.from_layers(layers(12, 6))
    at = [model.transform(images("bernoulli"), method="probabilities", n_sweeps=n) for n in (0, 1, 40, 80)]
    moved = [np.abs(b - a).max() for a, b in pairwise(at)]
    assert moved[0] > moved[2]
    assert moved[2] < 1e-3
    with pytest.raises(ValueError, match="at least 0"):
        model.transform(images("bernoulli"), method="probabilities", n_sweeps=-1)
