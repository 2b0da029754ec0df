"""What the network shows of each unit of a small model: the sums over all states, one by one."""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from lrbn_viz import LRBN, RBM, factorised, load_dataset, pretrained
from lrbn_viz.core.units import UNITS
from lrbn_viz.view.player.beliefs import Beliefs, beliefs_of, pack_beliefs

NAN = float("nan")
# evidence of (alarm, radio report), then P(burglary), P(earthquake) and log P(x)
ALARM = [
    ((NAN, NAN), 0.1000, 0.1000, 0.0),
    ((1, NAN), 0.4311, 0.4311, -1.5073),
    ((1, 1), 0.1130, 0.9856, -2.4395),
    ((1, 0), 0.6378, 0.0711, -2.0078),
    ((NAN, 1), 0.1000, 0.9091, -2.3126),
]
# each by itself, by its offset and what is observed
APART = {(NAN, NAN): (0.1000, 0.1000), (1, NAN): (0.9757, 0.9757), (1, 1): (0.9757, 1.0000)}


def by_themselves(model: Any, x: Any, held: dict[int, int]) -> Any:
    """P(on) of each latent by its offset and the known visibles that are on, in plain loops."""
    W, _, d = model.layers[0]
    found = []
    for j, offset in enumerate(d):
        odds = offset + sum(W[i, j] for i, value in enumerate(x) if value == 1)
        found.append(float(held[j]) if j in held else 1.0 / (1.0 + np.exp(-odds)))
    return found


def beliefs(model: Any, x: Any, held: dict[int, int] | None = None) -> Beliefs:
    """What is believed of an image of which parts may be unknown."""
    x = np.array(x, float)
    trace: Any = SimpleNamespace(x=x, n_v=len(x), units=UNITS[model.visible])
    found = beliefs_of(model, trace, held or {})
    assert found is not None
    return found


@pytest.mark.parametrize(("x", "burglary", "earthquake", "log_evidence"), ALARM)
def test_the_alarms_causes_have_the_probabilities_of_the_story(x, burglary, earthquake, log_evidence):
    found = beliefs(pretrained("lrbn-2-alarm"), x)
    assert_allclose(found.latents, [[0.1, 0.1], [burglary, earthquake]], atol=5e-5)
    assert found.log_evidence == pytest.approx(log_evidence, abs=5e-5)


@pytest.mark.parametrize(("x", "probabilities"), APART.items())
def test_the_same_weights_as_an_rbm_do_not_explain_away(x, probabilities):
    found = beliefs(pretrained("lrbn-2-alarm"), x)
    assert found.apart is not None
    assert_allclose(found.apart, [APART[next(iter(APART))], probabilities], atol=5e-5)


def by_sums(model: Any, x: np.ndarray, held: dict[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """The probabilities of latents and visible units given what is known, by sums over latents and images."""
    n_h, n_v = model.n_latents_, len(x)
    latents, visibles, total = np.zeros(n_h), np.zeros(n_v), 0.0
    for h in product((0, 1), repeat=n_h):
        if any(h[unit] != state for unit, state in held.items()):
            continue
        for image in product((0, 1), repeat=n_v):
            if any(not np.isnan(value) and value != bit for value, bit in zip(x, image, strict=True)):
                continue
            H = model.split(np.array([h], np.uint8))
            weight = float(np.exp(model.joint(np.array([image], np.uint8), H)[0]))
            total += weight
            latents += weight * np.array(h)
            visibles += weight * np.array(image)
    return latents / total, visibles / total


@pytest.mark.parametrize("held", [{}, {1: 1}, {0: 0, 2: 1}])
@pytest.mark.parametrize("kind", ["directed", "undirected", "two layers"])
def test_probabilities_are_sums_over_all_states_that_agree_with_what_is_known_and_held(kind, held):
    rng = np.random.default_rng(3)
    x = np.array([1, NAN, 0, NAN])
    W, b, d = rng.normal(0, 2, (4, 3)), rng.normal(size=4), rng.normal(size=3)
    model: Any = LRBN.from_params(W, b, d)
    if kind == "undirected":
        model = RBM.from_params(W, b, d)
    elif kind == "two layers":
        model = LRBN((3, 2), random_state=0).fit(load_dataset("alarm").train_X.repeat(2, axis=1))
    found = beliefs(model, x, held)
    for row, (image, fixed) in enumerate([(np.full(4, NAN), {}), (x, held)]):
        latents, visibles = by_sums(model, image, fixed)
        assert_allclose(found.latents[row], latents, atol=1e-9)
        assert_allclose(found.visibles[row], visibles, atol=1e-9)
    if kind == "directed":
        assert found.apart is not None
        assert_allclose(found.apart[1], by_themselves(model, x, held), atol=1e-9)
        whole = np.ones(4)
        of_whole = beliefs(model, whole).apart
        assert of_whole is not None
        assert_allclose(of_whole[1], by_sums(factorised(model), whole, {})[0], atol=1e-9)
    else:
        assert found.apart is None


def test_large_models_grey_images_and_those_that_need_whole_images_have_none():
    trace: Any = SimpleNamespace(x=np.zeros(784), n_v=784, units=UNITS["bernoulli"])
    assert beliefs_of(pretrained("lrbn-200-mnist-flat"), trace) is None
    bars: Any = pretrained("lrbn-16-bars")
    x = load_dataset("bars").test_X[0]
    many: Any = SimpleNamespace(x=x, n_v=len(x), units=UNITS["bernoulli"])
    assert beliefs_of(bars, many) is None
    grey: Any = LRBN.from_params(np.ones((2, 1)), np.zeros(2), np.zeros(1), visible="gaussian")
    real: Any = SimpleNamespace(x=np.zeros(2), n_v=2, units=UNITS["gaussian"])
    assert beliefs_of(grey, real) is None


def test_packed_beliefs_leave_out_the_other_reading_where_there_is_none():
    found = beliefs(pretrained("lrbn-2-alarm"), (1, NAN))
    meta, arrays = pack_beliefs(found)
    assert meta == {"log_evidence": found.log_evidence}
    assert set(arrays) == {"beliefs.latents", "beliefs.visibles", "beliefs.apart"}
    assert "beliefs.apart" not in pack_beliefs(found._replace(apart=None))[1]
