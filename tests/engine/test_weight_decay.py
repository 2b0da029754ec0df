"""Weight decay: a step down the penalty's slope, apart from momentum; b only above the first layer."""

from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case

from lrbn_viz import LRBN
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import make_params

pytestmark = pytest.mark.nojit

RNG = np.random.default_rng(2)
X = RNG.integers(0, 2, (40, 6)).astype(float)


def penalised(params: naive.Params, visible: str, H, decay: float, on_b: bool) -> float:
    """What a step climbs: the mean log joint less the penalty."""
    size = (params.W**2).sum() + (params.b**2).sum() * on_b
    return naive.mean_log_joint(params, visible, X[:5], H) - 0.5 * decay * size


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("on_b", [False, True])
def test_a_step_goes_along_finite_differences_of_the_penalised_objective(visible, on_b):
    case = random_case(visible, 6, 3, seed=4)
    H = RNG.integers(0, 2, (5, 3)).astype(float)
    how = HardEM(3, visible, weight_decay=0.3, decay_b=on_b, learning_rate=0.1)
    new, _ = how.learn(how.from_params(make_params(*case.params)), X[:5], H)
    for position in range(3):
        for index in np.ndindex(case.params[position].shape):
            sides = []
            for sign in (1, -1):
                moved = [np.array(a) for a in case.params[:3]]
                moved[position][index] += sign * 1e-5
                sides.append(penalised(naive.Params(*moved), visible, H, 0.3, on_b))
            slope = (sides[0] - sides[1]) / 2e-5
            moved_by = new.params[position][index] - case.params[position][index]
            assert moved_by == pytest.approx(0.1 * slope, abs=1e-7)


def test_it_stays_out_of_the_momentum_and_falls_with_the_rate():
    case = random_case("bernoulli", 6, 3, seed=4)
    H = RNG.integers(0, 2, (40, 3)).astype(float)
    how: dict[str, Any] = {"momentum": 0.9, "learning_rate": 0.2, "decay_steps": 10.0}
    free, decayed = HardEM(3, **how), HardEM(3, **how, weight_decay=0.5)
    state = free.from_params(make_params(*case.params))._replace(step=10)  # half of the rate
    ends = [each.learn(state, X, H)[0] for each in (free, decayed)]
    np.testing.assert_array_equal(ends[0].velocity.W, ends[1].velocity.W)
    np.testing.assert_allclose(ends[0].params.W - ends[1].params.W, 0.1 * 0.5 * state.params.W, atol=1e-14)


def test_layers_above_the_first_shrink_towards_fair_coins_and_the_first_keeps_its_offsets():
    how = HardEM(4, weight_decay=0.1)
    system = DeepHardEM((how, how, how))
    assert [layer.decay_b for layer in system.layers] == [False, True, True]
    strong = LRBN(
        (4, 3),
        layer_by_layer=True,
        weight_decay=(0.0, 3.0),
        n_iter=60,
        n_fine_tune=0,
        random_state=0,
        validation_size=0,
    ).fit(X)
    free = LRBN((4, 3), layer_by_layer=True, n_iter=60, n_fine_tune=0, random_state=0, validation_size=0).fit(
        X
    )
    np.testing.assert_array_equal(strong.params_[0].W, free.params_[0].W)
    activations = [layers[1].b + layers[1].W @ np.full(3, 0.5) for layers in (strong.params_, free.params_)]
    assert np.abs(activations[0]).max() < 0.2
    assert np.abs(activations[1]).max() > 0.4


def test_a_number_is_for_every_layer_and_targets_have_the_last_layers():
    both = LRBN((4, 3), layer_by_layer=True, weight_decay=0.2).make_system(n_targets=2)
    assert [layer.weight_decay for layer in both.layers] == [0.2, 0.2, 0.2]
    each = LRBN((4, 3), layer_by_layer=True, weight_decay=[0.0, 0.2]).make_system(n_targets=2)
    assert [layer.weight_decay for layer in each.layers] == [0.0, 0.2, 0.2]


def test_the_closed_form_refuses_it_and_names_the_ridge():
    real = RNG.normal(size=(40, 6))
    with pytest.raises(
        ValueError, match=r"weight_decay applies to the gradient M-step only, got 0\.1.*set ridge"
    ):
        LRBN(3, visible="gaussian", weight_decay=0.1).fit(real)
    LRBN(3, visible="gaussian", weight_decay=0.1, m_step="gradient", n_iter=1).fit(real)
    with pytest.raises(
        ValueError, match=r"layer of Gaussian data, got 0\.1; set ridge.*weight_decay=\(0, 0\.2\)"
    ):
        LRBN((4, 3), layer_by_layer=True, visible="gaussian", weight_decay=(0.1, 0.2)).fit(real)
    alone = LRBN((4, 3), layer_by_layer=True, visible="gaussian", weight_decay=0.1).make_system()
    assert [layer.weight_decay for layer in alone.layers] == [0.0, 0.1]
    LRBN((4, 3), layer_by_layer=True, visible="gaussian", weight_decay=(0, 0.1), n_iter=1, n_fine_tune=1).fit(
        real
    )


@pytest.mark.parametrize("given", [(0.1,), "0.1", None, (0.1, -0.2), (0.1, 0.2, 0.3)])
def test_anything_but_one_number_or_one_for_each_layer_is_refused(given: Any):
    with pytest.raises((TypeError, ValueError), match="weight_decay must be"):
        LRBN((4, 3), layer_by_layer=True, weight_decay=given).fit(X)
