"""Latents that training remembers of each image: what they sample, where they start, and runs resumed."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.cases import VISIBLES, random_case
from engine.test_deep import all_states, image, layers_of

from lrbn_viz.core.system import UNKNOWN
from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.inference import log_joint_deep, sample_deep
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import log_joint, make_params
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

CHAINS = HardEM(3, e_step="gibbs", warm_sweeps=1, persistent=True)
STANDING = 1e-12
"""A learning rate at which parameters stand still."""


def deep(*sizes, **settings):
    low, *rest = sizes
    how = CHAINS if not settings else replace(CHAINS, **settings)
    return DeepHardEM((replace(how, n_h=low, prior="flat"), *(replace(how, n_h=size) for size in rest)))


def frequencies(run, n_passes, n_burn):
    """Share of each latent state over passes and rows, all of which hold one image."""
    counts = np.zeros(2**run.system.memory_width)
    place = 2 ** np.arange(run.system.memory_width)[::-1]
    for _, event in run:
        if event.epoch >= n_burn:
            counts += np.bincount(run.memory @ place, minlength=len(counts))
    return counts / counts.sum()


def assert_close(shares, log_weights, n_samples):
    p = np.exp(log_weights - np.logaddexp.reduce(log_weights))
    # a quarter of the samples counted as independent: one sweep lies between two of a chain
    np.testing.assert_allclose(shares, p, atol=4.5 * np.sqrt(0.25 / (n_samples / 4)))


@pytest.mark.parametrize("visible", VISIBLES)
def test_one_sweep_per_pass_samples_the_exact_posterior_as_the_passes_go_on(visible):
    case = random_case(visible, 5, 3, seed=2)
    params = make_params(*case.params)
    x = image(visible)[:, :5]
    system = replace(CHAINS, visible=visible, learning_rate=STANDING, prior="flat", start="zeros")
    run = Training(
        system, np.repeat(x, 400, axis=0), n_iter=60, batch_size=400, rng=np.random.default_rng(0),
        state=system.from_params(params),
    )  # fmt: skip
    states = np.array(list(itertools.product((0, 1), repeat=3)))
    expected = log_joint(params, visible, np.repeat(x, 8, axis=0), states)
    assert_close(frequencies(run, 60, 10), expected, 400 * 50)


def test_chains_of_several_layers_sample_their_joint_posterior():
    layers = layers_of(2, scale=0.8)
    x = image("bernoulli")
    system = deep(4, 3, learning_rate=STANDING)
    state = tuple(how.from_params(params) for how, params in zip(system.layers, layers, strict=True))
    run = Training(
        system,
        np.repeat(x, 400, axis=0),
        n_iter=80,
        batch_size=400,
        rng=np.random.default_rng(0),
        state=state,
    )
    states = all_states(layers)
    expected = log_joint_deep(layers, "bernoulli", np.repeat(x, len(states[0]), axis=0), states)
    assert_close(frequencies(run, 80, 20), expected, 400 * 60)


def test_a_visit_goes_on_from_memory_and_a_first_one_from_the_start():
    X = image("bernoulli", n=40)
    system = HardEM(6, persistent=True, start="random")
    state = system.init(X, np.random.default_rng(0))
    memory = np.full((40, 6), UNKNOWN, np.uint8)
    system.step(state, X, np.random.default_rng(1), memory)
    found = memory.copy()
    assert set(np.unique(found)) <= {0, 1}
    # ICM from where ICM ended stays there, whatever the random start would now be; a new image does start
    memory[:5] = UNKNOWN
    _, figures = system.step(state, X, np.random.default_rng(2), memory)
    np.testing.assert_array_equal(memory[5:], found[5:])
    assert set(np.unique(memory[:5])) <= {0, 1}
    assert figures["sweeps"] < 2
    plain = replace(system, persistent=False)
    assert plain.memory_width == 0
    _, started = plain.step(state, X, np.random.default_rng(2))
    assert started["sweeps"] > figures["sweeps"]


def test_a_sampled_start_bottom_up_fills_the_memory_of_all_layers():
    X = image("bernoulli", n=30)
    system = deep(4, 3)
    state = system.init(X, np.random.default_rng(0))
    memory = np.full((30, 7), UNKNOWN, np.uint8)
    system.step(state, X, np.random.default_rng(1), memory)
    assert set(np.unique(memory)) == {0, 1}


@pytest.mark.parametrize(
    "system", [CHAINS, deep(4, 3), HardEM(3, persistent=True)], ids=["one", "deep", "icm"]
)
def test_runs_restored_from_a_file_or_a_snapshot_go_on_with_their_chains(system, tmp_path):
    X = image("bernoulli", n=30).astype(np.uint8)

    def make():
        return Training(system, X, n_iter=4, batch_size=8, rng=np.random.default_rng(5))

    whole = make()
    end = list(whole)[-1][0]
    begun = make()
    for _ in range(6):
        next(begun)
    save_checkpoint(tmp_path / "run", {"a": begun}, {})
    kept = begun.snapshot()
    list(begun)  # goes on; what was kept must not change with it
    for snapshot in (load_checkpoint(tmp_path / "run").snapshot("a", make().state), kept):
        resumed = make()
        resumed.restore(snapshot)
        again = list(resumed)[-1][0]
        np.testing.assert_array_equal(resumed.memory, whole.memory)
        for one, other in zip(flat(again), flat(end), strict=True):
            np.testing.assert_array_equal(one, other)


def flat(state):
    return (
        [leaf for part in state for leaf in flat(part)] if isinstance(state, tuple) else [np.asarray(state)]
    )


def stages(n_targets=0, n_rounds=2):
    X, _ = sample_deep(layers_of(2, 9), "bernoulli", 100, np.random.default_rng(0))
    system = deep(5, 4)
    if n_targets:
        X = np.hstack([X, np.eye(n_targets, dtype=np.uint8)[X[:, :2].sum(axis=1) % n_targets]])
        system = DeepHardEM((*system.layers, HardEM(n_targets, persistent=True)), n_targets=n_targets)
    how: dict[str, Any] = {"n_iter": 2, "n_fine_tune": 2, "batch_size": 25, "seed": 4, "n_rounds": n_rounds}
    return DeepTraining(system, X, **how, validation=X[:20], patience=2)


def test_a_layer_learns_from_the_chains_of_the_one_below_and_all_go_on_from_theirs():
    run = stages(n_rounds=1)
    while run.stage < 1:
        next(run)
    np.testing.assert_array_equal(run._current().X, run.memory[0])
    while run.stage < 2:
        next(run)
    together = run._make()
    np.testing.assert_array_equal(together.memory, np.hstack([run.memory[0], run.memory[1]]))
    assert together.memory.shape == (100, 9)


@pytest.mark.parametrize("n_targets", [0, 3])
def test_deep_runs_with_chains_left_in_any_stage_are_resumed_bit_for_bit(n_targets, tmp_path):
    whole = stages(n_targets)
    n_steps = len(list(whole))
    for left_after in (0, 5, 9, 18, 21, n_steps - 3):
        begun = stages(n_targets)
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "deep")
        resumed = stages(n_targets)
        resumed.resume(tmp_path / "deep")
        assert len(list(resumed)) == n_steps - left_after
        for one, other in zip(resumed.state, whole.state, strict=True):
            for a, b in zip(one.params, other.params, strict=True):
                np.testing.assert_array_equal(a, b)


def test_learning_together_follows_the_e_step_it_is_told():
    X = image("bernoulli", n=200)
    ends = {}
    for e_step in ("icm", "gibbs", "annealed"):
        system = deep(4, 3, persistent=False, e_step=e_step)
        state = system.init(X, np.random.default_rng(0))
        ends[e_step], _ = system.step(state, X, np.random.default_rng(1))
    assert not np.allclose(ends["icm"][0].params.W, ends["gibbs"][0].params.W)
    assert not np.allclose(ends["annealed"][0].params.W, ends["gibbs"][0].params.W)
