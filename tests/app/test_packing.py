"""Blocks of bytes: what goes in comes out, traces and models arrive whole, and bad blocks are refused."""

from __future__ import annotations

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM
from lrbn_viz.view.player.packing import Lane, pack_models, pack_trace
from lrbn_viz.view.player.wire import pack, unpack

N_V, N_H = 12, 9


@pytest.fixture(scope="module")
def models() -> dict[str, LRBN | RBM]:
    rng = np.random.default_rng(3)
    params = rng.normal(0, 1.5, (N_V, N_H)), rng.normal(0, 0.5, N_V), rng.normal(0, 0.5, N_H)
    return {"lrbn": LRBN.from_params(*params), "rbm": RBM.from_params(*params)}


@pytest.fixture(scope="module")
def x() -> np.ndarray:
    return np.random.default_rng(5).integers(0, 2, N_V).astype(np.uint8)


def test_arrays_of_every_allowed_type_come_back_equal_and_aligned():
    rng = np.random.default_rng(0)
    arrays = {
        kind: rng.integers(0, 100, (3, 5)).astype(kind) for kind in ("u1", "u2", "u4", "f2", "f4", "f8")
    }
    meta, back = unpack(pack({"title": "a trace"}, arrays))
    assert meta == {"title": "a trace"}
    for kind, array in arrays.items():
        np.testing.assert_array_equal(back[kind], array)
        assert back[kind].dtype == array.dtype
    block = pack({}, arrays)
    header = int.from_bytes(block[4:8], "little")
    assert (8 + header) % 8 == 0, "the browser views arrays in place, which needs multiples of 8"


def test_an_empty_array_survives():
    _, back = unpack(pack({}, {"none": np.empty(0, np.float64), "after": np.arange(3, dtype=np.uint8)}))
    assert back["none"].shape == (0,)
    assert back["after"].tolist() == [0, 1, 2]


def test_a_type_the_browser_cannot_view_is_refused():
    with pytest.raises(TypeError, match="int64"):
        pack({}, {"rows": np.arange(3)})


def test_a_block_of_something_else_is_refused():
    with pytest.raises(ValueError, match="LRB1"):
        unpack(b"\x93NUMPY and so on")


def test_a_packed_trace_gives_back_every_state_and_number(models, x):
    # Inside: A finished trace goes to the browser once, as bytes.
    trace = models["lrbn"].map_trace(x, init="random", random_state=1)
    assert trace.flipped.any(), "a trace without flips would prove little"
    meta, arrays = unpack(pack_trace([Lane(trace, "lrbn", "LRBN")], {"cursor": 3}))
    assert meta["cursor"] == 3
    assert meta["lanes"][0]["n_visits"] == trace.n_visits
    assert meta["lanes"][0]["converged"] == trace.converged
    h = np.unpackbits(arrays["0.h0"], count=N_H)
    after = np.unpackbits(arrays["0.after"], count=trace.n_visits)
    np.testing.assert_array_equal(np.unpackbits(arrays["0.x"], count=N_V), x)
    for k in range(trace.n_visits):
        np.testing.assert_array_equal(h, trace.latents(k))
        h[arrays["0.unit"][k]] = after[k]
    np.testing.assert_array_equal(h, trace.latents(trace.n_visits))
    np.testing.assert_array_equal(arrays["0.log_joint"][1:], trace.log_joint)
    assert arrays["0.log_joint"][0] == trace.log_joint0
    np.testing.assert_allclose(arrays["0.log_odds"], trace.log_odds, rtol=1e-6)
    np.testing.assert_array_equal(arrays["0.sweep"], trace.sweep)


def test_the_wrong_pixels_sent_are_those_of_each_reconstruction(models, x):
    trace = models["lrbn"].map_trace(x, init="random", random_state=1)
    _, arrays = unpack(pack_trace([Lane(trace, "lrbn", "LRBN")]))
    expected = [
        np.count_nonzero((trace.reconstruction(k) > 0.5) != x.astype(bool)) for k in range(trace.n_visits + 1)
    ]
    assert arrays["0.wrong"].tolist() == expected


def test_two_lanes_of_2000_visits_take_at_most_200_kB():
    rng = np.random.default_rng(0)
    model = LRBN.from_params(rng.normal(0, 0.4, (784, 200)), rng.normal(0, 1, 784), np.zeros(200))
    image = rng.integers(0, 2, 784).astype(np.uint8)
    trace = model.map_trace(image, temperature=1.0, max_sweeps=10, random_state=0)
    assert trace.n_visits == 2000
    block = pack_trace([Lane(trace, "a", "A"), Lane(trace, "b", "B")])
    assert len(block) <= 200_000


def test_weights_travel_as_float16_exactly_when_nothing_is_lost(models):
    half = LRBN.from_params(*(part.astype(np.float16).astype(float) for part in models["lrbn"].layers[0]))
    meta, arrays = unpack(pack_models({"exact": half, "full": models["lrbn"]}, (3, 4)))
    assert arrays["0.W"].dtype == np.float16
    np.testing.assert_array_equal(arrays["0.W"].astype(float), half.layers[0].W.T)
    assert arrays["1.W"].dtype == np.float32
    np.testing.assert_allclose(arrays["1.W"], models["lrbn"].layers[0].W.T, rtol=1e-6)
    np.testing.assert_array_equal(arrays["1.b"], models["lrbn"].layers[0].b)
    assert [model["key"] for model in meta["models"]] == ["exact", "full"]


def test_only_an_rbm_is_marked_as_factorised(models):
    meta, _ = unpack(pack_models(models, (3, 4)))
    assert {model["key"]: model["factorised"] for model in meta["models"]} == {"lrbn": False, "rbm": True}


def test_real_valued_images_and_their_squared_errors_travel_as_numbers():
    rng = np.random.default_rng(2)
    model = LRBN.from_params(rng.normal(size=(N_V, N_H)), np.zeros(N_V), np.zeros(N_H), visible="gaussian")
    image = rng.normal(size=N_V)
    trace = model.map_trace(image, init="zeros")
    _, arrays = unpack(pack_trace([Lane(trace, "g", "Gaussian")]))
    np.testing.assert_allclose(arrays["0.x"], image, rtol=1e-6)
    expected = [np.sum((trace.reconstruction(k) - image) ** 2) for k in range(trace.n_visits + 1)]
    np.testing.assert_allclose(arrays["0.wrong"], expected, rtol=1e-5)
