"""The kernel of whole batches makes the visits of Algorithm 1: identical flips, log-odds within 1e-9 nats.

Algorithm 1 itself is held to the oracles in ``test_traces.py`` and ``test_saturation.py``.
"""

from pathlib import Path

import numpy as np
import pytest
from covering import cover, slow_but
from engine.cases import VISIBLES, Case, random_case, small_cases
from engine.test_saturation import KINDS, extreme_case, extreme_cases
from hypothesis import given, settings
from hypothesis import strategies as st

import lrbn_viz
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.core.model import LayerParams
from lrbn_viz.kernels import numerics
from lrbn_viz.lrbn import icm
from lrbn_viz.lrbn.batch_kernel import batch_log_odds, infer_batch
from lrbn_viz.lrbn.kernel_params import TOLERANCE, prepare_params
from lrbn_viz.lrbn.model import make_params
from lrbn_viz.lrbn.traced import Stepper

STARTS = ("conditional", "paper", "zeros", "random", "given")
WARM = {"icm": (), "gibbs": (1.0, 1.0), "annealed": (3.0, 1.0, 0.3)}


def algorithm_1(params, visible, x, start, warm, sweeps, rng, prior):
    """Algorithm 1's trace of one image."""
    temperatures = np.array([*warm, *[0.0] * sweeps])
    stepper = Stepper(
        params, visible, prepare_params(params, visible), x, start, "sequential", temperatures, {}, rng, prior
    )
    stepper.run()
    return stepper.trace()


def assert_the_batch_makes_the_visits_of_algorithm_1(
    params, visible, X, start, warm=(), sweeps=6, seed=0, prior=None
):
    """Compare every visit of every image: which latents flip in which sweep, and all log-odds on the way."""
    X, warm, n = np.asarray(X, float), np.array(warm, float), len(X)
    kernel_params = prepare_params(params, visible)

    def infer(part, generator, n_warm, n_icm):
        here = start[part] if isinstance(start, np.ndarray) else start
        own = None if prior is None else prior[part]
        return infer_batch(
            params, visible, kernel_params, X[part], here, warm[:n_warm], n_icm, generator, own
        )

    traces = []
    for m in range(n):
        generator = np.random.default_rng(seed)
        generator.integers(0, 2**64, m, np.uint64)  # the streams of the images before it
        own = None if prior is None else prior[m]
        here = start[m : m + 1] if isinstance(start, np.ndarray) else start
        traces.append(algorithm_1(params, visible, X[m], here, warm, sweeps, generator, own))

    # A sweep visits each latent once, so the states after each sweep tell which visits flipped it.
    for t in range(len(warm) + sweeps + 1):
        found = infer(slice(None), np.random.default_rng(seed), min(t, len(warm)), max(0, t - len(warm)))
        for m, trace in enumerate(traces):
            k = min(t * params.n_h, trace.n_visits)
            np.testing.assert_array_equal(found.H[m], trace.latents(k))
            assert found.visits[m] == k
            assert found.flips[m] == trace.flipped[:k].sum()
    assert [bool(c) for c in found.converged] == [trace.converged for trace in traces]

    for m, trace in enumerate(traces):
        if trace.n_visits == 0:
            continue
        H = np.stack([trace.latents(k) for k in range(trace.n_visits)])
        images = np.broadcast_to(X[m], (len(H), len(X[m])))
        own = None if prior is None else np.broadcast_to(prior[m], H.shape)
        odds = batch_log_odds(params, visible, kernel_params, images, H, own)
        visited = odds[np.arange(len(H)), trace.unit]
        np.testing.assert_allclose(visited, trace.log_odds, rtol=1e-12, atol=1e-9)
    return traces


def images_of(case: Case, n: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    shape = (n, len(case.x))
    return rng.integers(0, 2, shape) if case.visible == "bernoulli" else rng.normal(size=shape)


@pytest.mark.nojit
@given(small_cases(), st.sampled_from(STARTS), st.sampled_from(sorted(WARM)), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_on_random_models_from_every_start_at_every_temperature(case, start, method, seed):
    # Inside: Batches run the fast implementation in lrbn/batch_kernel.py, with the same flips and log-odds
    # equal within 1e-9.
    given_start = case.h0[None] if start == "given" else start
    assert_the_batch_makes_the_visits_of_algorithm_1(
        make_params(*case.params), case.visible, case.x[None], given_start, WARM[method], seed=seed
    )


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("method", WARM)
@pytest.mark.parametrize("n", [2, 3, 4, 5, 11])
def test_on_several_images_at_a_time(visible, method, n):
    case = random_case(visible, 100, 9, seed=n)
    H0 = np.random.default_rng(2).integers(0, 2, (n, 9)).astype(np.uint8)
    traces = assert_the_batch_makes_the_visits_of_algorithm_1(
        make_params(*case.params), visible, images_of(case, n), H0, WARM[method], sweeps=8, seed=n
    )
    assert (method, n) != ("icm", 11) or len({trace.n_visits for trace in traces}) > 1, (
        "images end at different visits"
    )


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
def test_with_each_image_s_own_prior_as_a_layer_above_gives_it(visible):
    case = random_case(visible, 40, 7, seed=3)
    H0, prior = (
        np.random.default_rng(4).integers(0, 2, (5, 7)).astype(np.uint8),
        np.random.default_rng(5).normal(0, 3, (5, 7)),
    )
    assert_the_batch_makes_the_visits_of_algorithm_1(
        make_params(*case.params), visible, images_of(case, 5), H0, (2.0,), prior=prior
    )


@pytest.mark.nojit
@given(extreme_cases, st.sampled_from([(), (200.0, 1.0)]), st.integers(0, 2**32 - 1))
@settings(max_examples=40)
def test_on_saturated_models(case, warm, seed):
    # Inside: Batches run the fast implementation in lrbn/batch_kernel.py, with the same flips and log-odds
    # equal within 1e-9.
    H0 = np.random.default_rng(seed).integers(0, 2, (3, len(case.h0))).astype(np.uint8)
    assert_the_batch_makes_the_visits_of_algorithm_1(
        make_params(*case.params), "bernoulli", images_of(case, 3), H0, warm, sweeps=4, seed=seed
    )


@pytest.mark.parametrize("kind", KINDS)
def test_on_saturated_models_of_the_size_of_a_digit(kind):
    case = extreme_case(kind, 784, 12, seed=1)
    H0 = np.random.default_rng(6).integers(0, 2, (5, 12)).astype(np.uint8)
    assert_the_batch_makes_the_visits_of_algorithm_1(
        make_params(*case.params), "bernoulli", images_of(case, 5), H0, (500.0, 50.0), sweeps=4
    )


SHIPPED = [name for name, info in PRETRAINED.items() if info.system == "LRBN"]
SIZES = cover(SHIPPED, lambda name: [(PRETRAINED[name].n_h > 64, PRETRAINED[name].n_layers)])
each_shipped = pytest.mark.parametrize("name", slow_but(SIZES, SHIPPED))
"""All; the gate tries a small and a large one of one layer, and one of two."""


def layers_of(name: str) -> list[tuple[LayerParams, np.ndarray]]:
    """Each layer of a shipped model, and images of the layer below it."""
    model = lrbn_viz.pretrained(name)
    X = lrbn_viz.load_dataset(PRETRAINED[name].dataset).test_X[:4]
    layers = model.layers
    codes = np.split(model.transform(X), np.cumsum([params.n_h for params in layers])[:-1], axis=1)
    return list(zip(layers, [X, *codes[:-1]], strict=True))


@pytest.mark.parametrize("method", WARM)
@each_shipped
def test_on_every_layer_of_every_shipped_model(name, method):
    # Inside: One algorithm is implemented twice.
    for params, X in layers_of(name):
        for start in ("conditional", "zeros"):
            if method == "icm":
                assert_the_batch_makes_the_visits_of_algorithm_1(params, "bernoulli", X, start, sweeps=4)
        H0 = np.random.default_rng(7).integers(0, 2, (len(X), params.n_h)).astype(np.uint8)
        assert_the_batch_makes_the_visits_of_algorithm_1(
            params, "bernoulli", X, H0, WARM[method], sweeps=2, seed=8
        )


def test_with_several_threads(monkeypatch):
    monkeypatch.setattr(numerics, "MIN_THREADED_WORK", 1)
    params, X = layers_of("lrbn-200-mnist-flat")[0]
    assert_the_batch_makes_the_visits_of_algorithm_1(params, "bernoulli", X, "zeros", sweeps=3)


@each_shipped
def test_in_single_precision_within_its_tolerance(name):
    for params, X in layers_of(name):
        H = np.random.default_rng(9).integers(0, 2, (len(X), params.n_h)).astype(np.uint8)
        exact, single = (
            batch_log_odds(
                params, "bernoulli", prepare_params(params, "bernoulli", dtype), X.astype(float), H
            )
            for dtype in (np.float64, np.float32)
        )
        # The evidence, a sum of hundreds of nats, is rounded to single precision as well.
        bound = TOLERANCE[np.dtype(np.float32)]
        np.testing.assert_allclose(single, exact, rtol=0, atol=5 * bound)


def test_the_file_to_be_read_beside_the_paper_fits_on_two_screens():
    assert len(Path(icm.__file__).read_text(encoding="utf-8").splitlines()) <= 2 * 72
