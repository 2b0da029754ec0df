"""Several layers: the joint, its inference and its learning, against all states of small models."""

import itertools
from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES
from engine.test_temperature import assert_drawn_from, state_index

from lrbn_viz import LRBN
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import UNKNOWN
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM, params_of
from lrbn_viz.lrbn.deep.inference import infer_deep, kind_of, log_joint_deep, sample_deep
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.training import Training

SIZES = (7, 4, 3, 2)  # x, then three layers


def layers_of(depth, seed=0, scale=1.5):
    rng = np.random.default_rng(seed)
    return tuple(
        LayerParams(scale * rng.normal(size=(v, h)), rng.normal(size=v), rng.normal(size=h))
        for v, h in itertools.pairwise(SIZES[: depth + 1])
    )


def image(visible, seed=0, n=1):
    rng = np.random.default_rng(seed)
    return (rng.integers(0, 2, (n, 7)) if visible == "bernoulli" else rng.normal(size=(n, 7))).astype(float)


def all_states(layers):
    """Every joint state, one array (n, n_h) per layer."""
    widths = [params.n_h for params in layers]
    states = np.array(list(itertools.product((0, 1), repeat=sum(widths))), np.uint8)
    return np.split(states, np.cumsum(widths)[:-1], axis=1)


def naive_joint(layers, visible, x, H):
    """log P(x, h^1, ...) of one state as the product of the conditionals."""
    total = naive.log_prior(layers[-1], H[-1])
    for layer, (params, h) in enumerate(zip(layers, H, strict=True)):
        total += naive.log_likelihood(params, kind_of(layer, visible), x if layer == 0 else H[layer - 1], h)
    return total


def infer(layers, visible, X, start: Any = "conditional", warm=(), sweeps=100, rng=None, **how):
    kernel_params = [prepare_params(params, kind_of(layer, visible)) for layer, params in enumerate(layers)]
    rng = np.random.default_rng(1) if rng is None else rng
    return infer_deep(layers, visible, kernel_params, X, start, np.array(warm, float), sweeps, rng, **how)


def narrow(layers):
    """The same model with three visible units."""
    low = layers[0]
    return (low._replace(W=low.W[:3], b=low.b[:3]), *layers[1:])


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_joint_is_the_product_of_its_conditionals(visible, depth):
    layers, x = layers_of(depth), image(visible)
    H = [states[::37] for states in all_states(layers)]
    joint = log_joint_deep(layers, visible, np.repeat(x, len(H[0]), axis=0), H)
    expected = [naive_joint(layers, visible, x[0], [h[m] for h in H]) for m in range(len(H[0]))]
    np.testing.assert_allclose(joint, expected, atol=1e-9)


def test_a_deep_binary_model_is_normalised():
    layers = narrow(layers_of(2))
    total = 0.0
    for x in itertools.product((0.0, 1.0), repeat=3):
        H = all_states(layers)
        total += np.exp(log_joint_deep(layers, "bernoulli", np.tile(x, (len(H[0]), 1)), H)).sum()
    assert total == pytest.approx(1.0, abs=1e-12)


@pytest.mark.nojit
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("depth", [2, 3])
def test_joint_inference_ends_where_no_single_flip_in_any_layer_helps(visible, depth):
    for seed in range(8):
        layers, X = layers_of(depth, seed), image(visible, seed, n=5)
        found = infer(layers, visible, X)
        assert found.converged
        best = log_joint_deep(layers, visible, X, found.H)
        for layer, unit in ((layer, j) for layer, params in enumerate(layers) for j in range(params.n_h)):
            other = [h.copy() for h in found.H]
            other[layer][:, unit] ^= 1
            assert (log_joint_deep(layers, visible, X, other) <= best + 1e-9).all()


@pytest.mark.slow
def test_annealing_finds_the_joint_map_of_most_small_models():
    exact = icm = 0
    rngs = [np.random.default_rng(seed) for seed in range(5)]  # one seed's share is 15 to 18 of 20
    for seed in range(20):
        layers, X = layers_of(3, seed), image("bernoulli", seed)
        H = all_states(layers)
        best = log_joint_deep(layers, "bernoulli", np.repeat(X, len(H[0]), axis=0), H).max()
        ends = [infer(layers, "bernoulli", X).H]
        ends += [infer(layers, "bernoulli", X, warm=np.geomspace(5, 0.2, 400), rng=rng).H for rng in rngs]
        reached = [log_joint_deep(layers, "bernoulli", X, end)[0] for end in ends]
        assert max(reached) <= best + 1e-9
        icm += reached[0] > best - 1e-9
        exact += sum(joint > best - 1e-9 for joint in reached[1:])
    assert exact >= 75
    assert exact > len(rngs) * icm


def test_a_gibbs_sweep_over_all_layers_leaves_the_posterior_as_it_is():
    layers, X = layers_of(2, 3, scale=1.0), image("bernoulli", 3)
    n = 4000
    X = np.repeat(X, n, axis=0)
    H = all_states(layers)
    joint = np.exp(log_joint_deep(layers, "bernoulli", X[: len(H[0])], H))
    marginals = [(joint[:, None] * h).sum(axis=0) / joint.sum() for h in H]
    found = infer(layers, "bernoulli", X, "random", np.ones(30), 0)
    for exact, drawn in zip(marginals, found.H, strict=True):
        error = np.sqrt(exact * (1 - exact) / n)
        assert (np.abs(drawn.mean(axis=0) - exact) < 4.5 * error).all()


def test_gibbs_batches_of_several_layers_are_drawn_from_their_posterior():
    layers, X = layers_of(2, 3, scale=1.0), image("bernoulli", 3)
    H = all_states(layers)
    joint = np.exp(log_joint_deep(layers, "bernoulli", np.repeat(X, len(H[0]), axis=0), H))
    exact = np.zeros(len(joint))
    exact[state_index(np.hstack(H).astype(int))] = joint / joint.sum()
    images = np.repeat(X, 20_000, axis=0)
    drawn = LRBN.from_layers(layers).infer(images, method="gibbs", n_sweeps=30)
    assert_drawn_from(np.hstack(drawn), exact)


@pytest.mark.nojit
def test_observed_targets_stay_and_the_rest_follows_them():
    layers, X = layers_of(2), image("bernoulli", n=2)
    X[1] = X[0]
    top = np.array([[0, 1, 0], [1, 0, 1]], np.uint8)
    found = infer(layers, "bernoulli", X, "zeros", top=top)
    np.testing.assert_array_equal(found.H[1], top)
    for m in range(2):
        options = np.array(list(itertools.product((0, 1), repeat=4)), np.uint8)
        joints = log_joint_deep(
            layers,
            "bernoulli",
            np.repeat(X[m : m + 1], 16, axis=0),
            (options, np.repeat(top[m : m + 1], 16, axis=0)),
        )
        reached = log_joint_deep(layers, "bernoulli", X[m : m + 1], [h[m : m + 1] for h in found.H])[0]
        neighbours = joints[(options != found.H[0][m]).sum(axis=1) <= 1]
        assert reached == pytest.approx(neighbours.max())


def test_ancestral_samples_have_the_frequencies_of_the_model():
    layers = narrow(layers_of(2))
    X, H = sample_deep(layers, "bernoulli", 40_000, np.random.default_rng(0))
    assert [h.shape for h in H] == [(40_000, 4), (40_000, 3)]
    states = all_states(layers)
    codes = X @ [4, 2, 1]
    for code, x in enumerate(itertools.product((0.0, 1.0), repeat=3)):
        p = np.exp(log_joint_deep(layers, "bernoulli", np.tile(x, (len(states[0]), 1)), states)).sum()
        assert abs((codes == code).mean() - p) < 4.5 * np.sqrt(p * (1 - p) / 40_000)


@pytest.mark.parametrize("scheme", ["joint", "three layers"])
@pytest.mark.parametrize("visible", VISIBLES)
def test_learning_all_layers_raises_the_joint_and_resumes_bit_for_bit(scheme, visible, tmp_path):
    from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

    m_step = "gradient" if visible == "bernoulli" else "closed_form"
    how = DeepHardEM(
        (
            HardEM(5, visible=visible, prior="flat", m_step=m_step, e_step="annealed", warm_sweeps=3),
            HardEM(4, prior="flat"),
            HardEM(3, prior="learned"),
        ),
        scheme,
    )
    truth = layers_of(3, 9)
    X, _ = sample_deep(truth, visible, 300, np.random.default_rng(0))

    def make():
        return Training(
            how, X[60:], n_iter=6, batch_size=20, rng=np.random.default_rng(1), validation=X[:60], patience=6
        )

    run = make()
    events = list(run)
    scores = [event.metrics["validation_score"] for _, event in events if "validation_score" in event.metrics]
    assert max(scores[1:]) > scores[0]
    assert scores[-1] > np.mean(how.validate(make().state, X[:60], np.random.default_rng(0))["score"])
    begun = make()
    for _ in range(7):
        next(begun)
    save_checkpoint(tmp_path / "deep", {"deep": begun}, {})
    resumed = make()
    resumed.restore(load_checkpoint(tmp_path / "deep").snapshot("deep", resumed.state))
    for left, right in zip(list(resumed)[-1][0], events[-1][0], strict=True):
        for one, other in zip(left.params, right.params, strict=True):
            np.testing.assert_array_equal(one, other)
    codes = how.encode(run.state, X[:4])
    assert codes.shape == how.encode_factorised(run.state, X[:4]).shape == (4, 12)
    assert (
        how.decode(run.state, codes).shape
        == how.sample(run.state, 4, np.random.default_rng(0)).shape
        == (4, 7)
    )
    assert how.gradient_norm(events[-2][0], events[-1][0]) >= 0


@pytest.mark.nojit
@pytest.mark.parametrize("visible", ["bernoulli", "gaussian"])
def test_the_joint_that_a_step_tells_is_that_of_all_layers_before_it(visible):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (9, 12)).astype(float) if visible == "bernoulli" else rng.normal(size=(9, 12))
    how: dict[str, Any] = {"e_step": "gibbs", "persistent": True, "warm_sweeps": 2}
    layers = HardEM(n_h=6, **{**how, "visible": visible}), HardEM(n_h=4, **how)
    system = DeepHardEM(layers)
    params = []
    for n_v, layer in ((12, layers[0]), (6, layers[1])):
        W, b, d = (rng.normal(size=shape) for shape in ((n_v, layer.n_h), n_v, layer.n_h))
        params.append(layer.from_params(LayerParams(W, b, d)))
    memory = np.full((9, 10), UNKNOWN, np.uint8)
    _, figures = system.step(tuple(params), X, rng, memory)
    codes = np.split(memory.astype(float), [6], axis=1)
    joint = log_joint_deep(params_of(params), visible, X, codes)
    assert figures["log_joint"] == pytest.approx(joint.mean(), rel=1e-10)
