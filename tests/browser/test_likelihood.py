"""log P(x) in the browser is Python's: exact where it is summed, by the same chains where it is estimated."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from js.node_tests import passed_in_node

from lrbn_viz import LRBN, RBM, load_dataset, pretrained
from lrbn_viz.browser import likelihood
from lrbn_viz.browser.module import module
from lrbn_viz.lrbn.ais import schedule
from lrbn_viz.measure import log_likelihood
from lrbn_viz.measure.bracket import bounded_log_likelihood
from lrbn_viz.measure.likelihood import _mean_weight
from lrbn_viz.rivals.rbm.partition import partition_weights, start_of
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.wire import pack

MEASURES_IN_NODE = Path(__file__).with_name("likelihood.test.js")
SEED, N_TEMPERATURES, N_CHAINS, MORE, N_BRACKET = 3, 200, 100, 15, 7
SHIPPED = ("lrbn-12-digits", "lrbn-16-digits", "rbm-12-digits", "rbm-16-digits")
PARTLY = {"LRBN, in part": SHIPPED[0], "RBM, in part": SHIPPED[2]}
"""Models that are given images of which not all is known."""
EXACT = (*SHIPPED, "LRBN of 18", *PARTLY)
SMALL = ("lrbn-12-digits", "rbm-12-digits")
"""Models of which an estimate is compared with the exact value."""


def _drawn(n_h: int, more: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(1)
    shapes = [(64, n_h), (64,), (n_h,)]
    arrays = [rng.normal(0, 0.7, shape) for shape in shapes]
    return [*arrays, rng.normal(0, 1, (n_h, more)), rng.normal(0, 1, more)] if more else arrays


def _models() -> dict[str, Any]:
    """Return the models that are compared, by name; all take images of 64 pixels."""
    W, b, d, U, e = _drawn(24, 9)
    rbm: Any = RBM
    return {
        **{name: pretrained(name) for name in SHIPPED},
        **{name: pretrained(other) for name, other in PARTLY.items()},
        "LRBN of 18": LRBN.from_params(W[:, :18], b, d[:18]),
        "LRBN of 24": LRBN.from_params(W, b, d),
        "LRBN of two layers": LRBN.from_params(W, b, d, U=U, e=e),
        "RBM of 24": rbm.from_params(*_drawn(24)),
    }


def _widened(model: Any) -> Any:
    """Return a model with more latents of weight 0."""
    W, b, d = model.layers[0]
    wide = np.hstack([W, np.zeros((len(b), MORE))]), b, np.append(d, np.zeros(MORE))
    return type(model).from_params(*wide)


def _bounded(model: Any, X: np.ndarray) -> tuple[float, ...]:
    """Return the mean of log P(x), and the bounds between which Python finds it."""
    how: dict[str, Any] = {"n_temperatures": N_TEMPERATURES, "random_state": SEED}
    found = bounded_log_likelihood(model, X, N_BRACKET, **how)
    assert found.lower is not None
    assert found.upper is not None
    return found.estimate.mean, found.lower, found.upper


def write_measured(folder: Path, kernels: bytes | None = None) -> int:
    """Write what Python measures and draws, for the test in Node; return the number of its tests."""
    models, X = _models(), load_dataset("digits", binary=True).test_X
    arrays: dict[str, np.ndarray] = {}
    means, estimates, bounds = {}, {}, {}
    for name, model in models.items():
        images = X[:9] if name in EXACT else X[:60]
        if name in PARTLY:
            images = np.where(np.random.default_rng(6).random(images.shape) < 0.2, np.nan, images)
        if name in EXACT:
            found = log_likelihood(model, images, method="exact")
            arrays[f"{name}.values"] = found.values
            means[name] = found.mean, found.standard_error
        else:
            rng = np.random.default_rng(SEED)
            if model.graph == "directed":
                weights = model.annealed_weights(images.astype(float), N_TEMPERATURES, rng)
            else:
                weights = model.annealed_normaliser(N_TEMPERATURES, N_CHAINS, rng)
            arrays[f"{name}.weights"] = weights
            bounds[name] = _bounded(model, images)
        arrays[f"{name}.X"] = np.asarray(images, np.float64).ravel()
        arrays[f"{name}.samples"] = model.sample(7, random_state=SEED).ravel()
    for name in SMALL:
        wide = _widened(models[name])
        found = log_likelihood(wide, X[:9], method="ais", n_temperatures=N_TEMPERATURES, random_state=SEED)
        own = found.estimator_error
        if np.isnan(own):  # a chain an image: of several chains its own spread is known
            more = log_likelihood(wide, X[:9], method="ais", n_temperatures=N_TEMPERATURES, n_chains=50)
            own = more.estimator_error * 50**0.5
        estimates[name] = own, *_bounded(wide, X[:9])
    (folder / "kernels.wasm").write_bytes(module("measuring") if kernels is None else kernels)
    (folder / "models").write_bytes(pack_models(models, (8, 8), exact=True))
    (folder / "arrays").write_bytes(pack({}, arrays))
    names = ("n_particles", "batch_size", "n_temperatures", "n_sample_sweeps")
    settings = {name: getattr(models["rbm-12-digits"], name) for name in names}
    sampled = [name for name in models if models[name].graph == "directed"] + ["rbm-12-digits"]
    annealed = [name for name in models if name not in EXACT]
    expected = {
        "exact": EXACT, "means": means, "annealed": annealed, "estimated": SMALL, "estimates": estimates,
        "seed": SEED, "n_temperatures": N_TEMPERATURES, "n_bracket": N_BRACKET, "more": MORE,
        "sampled": sampled, "settings": settings, "bounds": bounds,
    }  # fmt: skip
    (folder / "expected.json").write_text(json.dumps(expected))
    return len(EXACT) + 2 * len(annealed) + len(SMALL) + len(sampled)


def test_log_likelihoods_and_samples_in_a_browser_are_pythons(tmp_path: Path):
    n = write_measured(tmp_path)
    assert passed_in_node(MEASURES_IN_NODE, tmp_path, 300)["passed"] == n


@pytest.mark.nojit
def test_uniform_numbers_are_numpys():
    rng = np.random.default_rng(7)
    at = rng.bit_generator.state["state"]
    halves = [number >> shift & (1 << 64) - 1 for number in (at["state"], at["inc"]) for shift in (64, 0)]
    generator, found = np.array(halves, np.uint64), np.empty((40, 5))
    with np.errstate(over="ignore"):  # as they wrap around
        likelihood.draw_uniforms(generator, found)
    np.testing.assert_array_equal(found, rng.random((40, 5)))
    assert int(generator[0]) << 64 | int(generator[1]) == rng.bit_generator.state["state"]["state"]


@pytest.mark.nojit
def test_statistics_of_weights_are_those_of_the_estimators():
    weights, found = np.random.default_rng(2).normal(-300, 2, 50), np.empty(2)
    likelihood.mean_weight(weights, found)
    value, _, error = _mean_weight(weights)
    np.testing.assert_allclose(found, np.array([value, error], float), rtol=1e-12)
    likelihood.summarise(weights, found)
    np.testing.assert_allclose(found, [weights.mean(), weights.std(ddof=1) / 50**0.5], rtol=1e-12)
    betas = np.empty(31)
    likelihood.fill_betas(3, betas)
    np.testing.assert_allclose(betas, schedule(30), atol=1e-15)


@pytest.mark.nojit
def test_chains_of_an_rbm_are_those_that_python_anneals():
    kind: Any = RBM
    model, n, steps = kind.from_params(*_drawn(5)), 6, 8
    params = model.params_
    start, betas = start_of(params), np.linspace(0.0, 1.0, steps + 1)
    wanted = partition_weights(params, "bernoulli", start, betas, n, np.random.default_rng(4))
    rng, total = np.random.default_rng(4), np.empty(n)
    X, H = np.empty((n, 64), np.uint8), np.empty((n, 5), np.uint8)
    fields, sums = np.empty((n, 5)), np.empty((n, 64))
    W = np.ascontiguousarray(params.W, np.float64)
    likelihood.begin_machines(start.b, start.d, rng.random((n, 64)), X, total)
    for t in range(1, steps + 1):
        likelihood.fill_fields(W, params.d, X, fields)
        likelihood.weigh_machines(params.b, start.b, start.d, betas[t - 1], betas[t], X, fields, total)
        if t < steps:
            likelihood.draw_latents(start.d, betas[t], fields, rng.random((n, 5)), H)
            likelihood.fill_fields(np.ascontiguousarray(W.T), np.zeros(64), H, sums)
            likelihood.draw_visibles(params.b, start.b, betas[t], sums, rng.random((n, 64)), X)
    np.testing.assert_allclose(total, wanted, rtol=1e-10)
    totals = np.empty(n)
    likelihood.fill_free_energies(params.b, X, fields, totals)
    np.testing.assert_allclose(totals, model.log_marginal(X), rtol=1e-10)
    offsets, states = np.empty(64), np.random.default_rng(5).integers(0, 2, (500, 64), dtype=np.uint8)
    likelihood.fill_offsets(states, offsets)
    mean = (states.sum(axis=0) + 1.0) / 502.0
    np.testing.assert_allclose(offsets, np.log(mean) - np.log1p(-mean), rtol=1e-12)
