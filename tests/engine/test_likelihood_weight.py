"""An E-step that weighs the image: what it infers, by enumeration; weight 1, and runs resumed."""

import itertools
from dataclasses import replace
from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES, random_case
from engine.test_bottom_up import data
from engine.test_deep import all_states, image, layers_of
from engine.test_persistent import assert_close
from engine.test_resume import assert_same

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import log_joint_deep
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import make_params
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

WEIGHT = 2.5
STATES = np.array(list(itertools.product((0, 1), repeat=3)))


def weighed(case, x, h, weight=WEIGHT):
    """``log P(x | h)**weight P(h)``."""
    return weight * naive.log_likelihood(case.params, case.visible, x, h) + naive.log_prior(case.params, h)


def left_by(system, state, X):
    """States that one E-step leaves, as training remembers them."""
    memory = np.zeros((len(X), system.memory_width), np.uint8)
    system.step(state, X, np.random.default_rng(0), memory)
    return memory


@pytest.mark.parametrize("visible", VISIBLES)
def test_gibbs_samples_the_posterior_of_an_image_seen_so_many_times(visible):
    case = random_case(visible, 5, 3, seed=2, scale=0.5)
    system = HardEM(
        3, visible, e_step="gibbs", warm_sweeps=30, persistent=True, likelihood_weight=WEIGHT,
        learning_rate=1e-12,
    )  # fmt: skip
    X = np.repeat(case.x[None].astype(float), 20_000, axis=0)
    found = left_by(system, system.from_params(make_params(*case.params)), X) @ [4, 2, 1]
    shares = np.bincount(found, minlength=8) / len(X)
    expected = np.array([weighed(case, case.x, h) for h in STATES])
    assert_close(shares, expected, 4 * len(X))
    once = np.array([weighed(case, case.x, h, 1.0) for h in STATES])
    with pytest.raises(AssertionError):
        assert_close(shares, once, 4 * len(X))


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("e_step", ["icm", "annealed"])
def test_icm_ends_where_no_flip_gains_of_the_weighted_joint(visible, e_step):
    differs = False
    for seed in range(20):
        case = random_case(visible, 7, 5, seed, scale=0.7)
        params = make_params(*case.params)
        system = HardEM(5, visible, e_step=e_step, persistent=True, likelihood_weight=WEIGHT)
        h = left_by(system, system.from_params(params), case.x[None].astype(float))[0]
        here = weighed(case, case.x, h)
        for j in range(5):
            assert weighed(case, case.x, np.where(np.arange(5) == j, 1 - h, h)) <= here + 1e-3
        plain = left_by(
            replace(system, likelihood_weight=1.0), system.from_params(params), case.x[None] * 1.0
        )
        differs |= bool((plain[0] != h).any())
    assert differs


def test_in_a_deep_model_only_the_images_are_weighed():
    layers = layers_of(2)
    X = np.repeat(image("bernoulli"), 5_000, axis=0)
    how = HardEM(layers[0].n_h, e_step="gibbs", warm_sweeps=40, persistent=True, likelihood_weight=WEIGHT)
    system = DeepHardEM((how, replace(how, n_h=layers[1].n_h)))
    assert [layer.likelihood_weight for layer in system.layers] == [WEIGHT, 1.0]
    state = tuple(h.from_params(p) for h, p in zip(system.layers, layers, strict=True))
    width = system.memory_width
    found = left_by(system, state, X) @ 2 ** np.arange(width)[::-1]
    H = all_states(layers)
    x = np.repeat(X[:1], len(H[0]), axis=0)
    joint = log_joint_deep(layers, "bernoulli", x, H)
    likelihood = np.array([naive.log_likelihood(layers[0], "bernoulli", X[0], h) for h in H[0]])
    place = np.hstack(H).astype(int) @ 2 ** np.arange(width)[::-1]
    expected = np.empty(2**width)
    expected[place] = joint + (WEIGHT - 1.0) * likelihood
    assert_close(np.bincount(found, minlength=2**width) / len(X), expected, 4 * len(X))


@pytest.mark.parametrize("scheme", ["joint", "three layers"])
@pytest.mark.parametrize("e_step", ["icm", "annealed", "gibbs"])
def test_a_weight_of_one_is_no_weight_and_any_other_changes_what_is_learned(scheme, e_step):
    def learned(**weight):
        how = HardEM(5, e_step=e_step, warm_sweeps=3, **weight)
        system = DeepHardEM((how, replace(how, n_h=3)), scheme)
        run = DeepTraining(system, data(), n_iter=1, n_fine_tune=1, batch_size=25, seed=4)
        return [step.event.metrics for step in run], run.state

    plain, one, two = learned(), learned(likelihood_weight=1.0), learned(likelihood_weight=2.0)
    assert plain[0] == one[0]
    assert_same(plain[1], one[1])
    assert not np.array_equal(plain[1][0].params.W, two[1][0].params.W)


@pytest.mark.parametrize("deep", [False, True])
def test_a_run_left_and_resumed_keeps_its_weight(deep, tmp_path):
    how = HardEM(5, e_step="gibbs", warm_sweeps=2, likelihood_weight=3.0)
    system: Any = DeepHardEM((how, replace(how, n_h=3))) if deep else how

    def make():
        return Training(system, data(), n_iter=2, batch_size=25, rng=np.random.default_rng(5))

    whole, begun = make(), make()
    end = list(whole)[-1][0]
    for _ in range(3):
        next(begun)
    save_checkpoint(tmp_path / "run", {"a": begun}, {})
    resumed = make()
    resumed.restore(load_checkpoint(tmp_path / "run").snapshot("a", resumed.state))
    assert_same(list(resumed)[-1][0], end)


def test_a_larger_weight_buys_fewer_wrong_pixels():
    X = load_dataset("digits").train_X[:600]
    figures = []
    for weight in (1.0, 4.0):
        how: dict[str, Any] = {"e_step": "gibbs", "init": "zeros", "n_iter": 15, "validation_size": 0}
        model = LRBN(12, **how, likelihood_weight=weight, random_state=0).fit(X)
        figures.append([event.metrics["wrong_pixels"] for event in model.history_[-30:]])
    assert np.mean(figures[1]) < 0.95 * np.mean(figures[0])


def test_settings_are_kept_and_a_trained_model_infers_without_weight(tmp_path):
    case = random_case("bernoulli", 6, 4, seed=3)
    plain, weighty = (case.model(likelihood_weight=w) for w in (1.0, 9.0))
    X = np.array(list(itertools.product((0, 1), repeat=6)), np.uint8)
    np.testing.assert_array_equal(plain.transform(X), weighty.transform(X))
    weighty.save(tmp_path / "m.npz")
    from lrbn_viz import load_model

    assert load_model(tmp_path / "m.npz").likelihood_weight == 9.0
    with pytest.raises(ValueError, match="likelihood_weight"):
        LRBN((4, 3), layer_by_layer=True, likelihood_weight=0.0).fit(X)
