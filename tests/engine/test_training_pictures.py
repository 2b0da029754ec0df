"""Rows of pictures by which systems show how they learn: what they are of, against plain computations."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from lrbn_viz.core.system import N_SHOWN, System
from lrbn_viz.kernels.numerics import sigmoid
from lrbn_viz.lrbn.deep.staged import StagedHardEM, codes_row, units_row
from lrbn_viz.rivals.dbm.system import SETTLING_ROW, DBMSystem
from lrbn_viz.rivals.dbn.system import DBNSystem
from lrbn_viz.rivals.rbm.system import CHAINS_ROW, TEMPERED_ROW, RBMSystem
from lrbn_viz.rivals.sbn.mean_field import MeanFieldSystem
from lrbn_viz.rivals.sbn.nvil import NVILSystem
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.rivals.sbn.system import DREAMS_ROW, PARTICLES_ROW, RECOGNISED_ROW
from lrbn_viz.rivals.sbn.variational_bayes import GAMMA_ROW, VariationalBayesSystem
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem
from lrbn_viz.studies.runs.recording import probe

N_V, N_H = 12, 5
X = (np.random.default_rng(0).random((30, N_V)) < 0.4).astype(np.uint8)

SYSTEMS: dict[str, tuple[System[Any], tuple[Any, ...]]] = {
    "RWS": (RWSSystem(N_H), (PARTICLES_ROW, DREAMS_ROW, RECOGNISED_ROW)),
    "RWS awake": (RWSSystem(N_H, phases="wake"), (PARTICLES_ROW,)),
    "RWS of two layers": (RWSSystem((N_H, 3)), (PARTICLES_ROW, DREAMS_ROW, RECOGNISED_ROW)),
    "VIMCO": (VIMCOSystem(N_H), (PARTICLES_ROW,)),
    "VIMCO, many": (VIMCOSystem(N_H, n_particles=30), (PARTICLES_ROW,)),
    "wake-sleep": (WakeSleepSystem(N_H), (DREAMS_ROW, RECOGNISED_ROW)),
    "NVIL": (NVILSystem(N_H), ()),
    "mean field": (MeanFieldSystem(N_H), ()),
    "variational Bayes": (VariationalBayesSystem(N_H), (GAMMA_ROW,)),
    "variational Bayes of two layers": (VariationalBayesSystem((N_H, 3)), (GAMMA_ROW,)),
    "PCD": (RBMSystem(N_H), (CHAINS_ROW,)),
    "CD": (RBMSystem(N_H, method="cd"), ()),
    "tempered": (RBMSystem(N_H, n_temperatures=5), (CHAINS_ROW, TEMPERED_ROW)),
    "DBM": (DBMSystem(N_H, n_top=4), (SETTLING_ROW, CHAINS_ROW)),
    "DBN": (DBNSystem(N_H, n_top=4), (CHAINS_ROW,)),
    "LRBN of two layers": (StagedHardEM((N_H, 4)), (units_row(2), codes_row(2))),
    "LRBN of three layers": (
        StagedHardEM((N_H, 4, 3)),
        (units_row(2), codes_row(2), units_row(3), codes_row(3)),
    ),
}
every = pytest.mark.parametrize("name", SYSTEMS)


def trained(system: System[Any], n_steps: int = 8) -> Any:
    rng = np.random.default_rng(1)
    state = system.init(X, rng)
    for step in range(n_steps):
        state, _ = system.at_progress(step / n_steps).step(state, X, rng)
    return state


def shown(system: System[Any], state: Any, seed: int = 0) -> dict[str, Any]:
    rows = system.pictures(state, X, X[:1], np.random.default_rng(seed))
    return {row.title: each for row, each in zip(system.picture_rows, rows, strict=True)}


@every
def test_each_row_has_images_and_numbers_that_equal_seeds_repeat_and_that_change_no_state(name):
    system, rows = SYSTEMS[name]
    assert system.picture_rows == rows
    state = trained(system)
    before = copy.deepcopy(system.parameters(state))
    once, again = shown(system, state), shown(system, state)
    assert once.keys() == {row.title for row in rows}
    for row in rows:
        images, numbers = once[row.title]
        assert 1 <= len(images) == len(numbers) <= N_SHOWN
        assert images.shape[1] == N_V
        assert ((images >= 0) & (images <= (row.most or 1.0))).all()
        assert bool(row.number) == bool(np.isfinite(numbers).any())
        assert bool(row.unit) == bool(row.number)
        np.testing.assert_array_equal(images, again[row.title].images)
        np.testing.assert_array_equal(numbers, again[row.title].numbers)
    for key, array in system.parameters(state).items():
        np.testing.assert_array_equal(array, before[key])


@pytest.mark.parametrize("name", ["RWS", "RWS of two layers", "VIMCO, many"])
def test_particles_stand_behind_their_image_by_their_shares_of_the_weight(name):
    system: Any = SYSTEMS[name][0]
    state = trained(system)
    images, numbers = shown(system, state)["particles"]
    np.testing.assert_array_equal(images[0], X[0])
    assert np.isnan(numbers[0])
    shares = numbers[1:]
    assert (np.diff(shares) <= 0).all()
    if system.n_particles < N_SHOWN:
        assert shares.sum() == pytest.approx(1.0, abs=1e-6)
    else:
        assert 0 < shares.sum() < 1
    rng = np.random.default_rng(0)
    drawn = system.draw(state, X[:1].astype(np.float32), system.n_particles, rng)
    order = np.argsort(-drawn.weights.shares[0], kind="stable")[: len(shares)]
    np.testing.assert_allclose(shares, drawn.weights.shares[0][order], rtol=1e-6)
    low = state.layers[0]
    means = sigmoid(drawn.H[order].astype(float) @ low.W.T.astype(float) + low.b)
    np.testing.assert_allclose(images[1:], means, atol=1e-5)


def test_dreams_are_binary_and_what_is_recognised_of_them_counts_its_wrong_pixels():
    system, state = SYSTEMS["wake-sleep"][0], trained(SYSTEMS["wake-sleep"][0])
    rows = shown(system, state)
    dreams, again = rows["dreams"].images, rows["recognised"]
    assert set(np.unique(dreams)) <= {0, 1}
    np.testing.assert_allclose(again.images, system.decode(state, system.encode(state, dreams)), atol=1e-6)
    np.testing.assert_array_equal(again.numbers, ((again.images > 0.5) != dreams).sum(axis=1))
    assert (shown(system, state, 1)["dreams"].images != dreams).any()


def test_gamma_is_a_quarter_where_nothing_is_known_and_that_of_the_held_out_images():
    system: Any = SYSTEMS["variational Bayes"][0]
    state = trained(system)
    found = shown(system, state)["gamma"]
    np.testing.assert_array_equal(found.images, system.gammas(state, X[:N_SHOWN], 10))
    assert (found.images <= 0.25).all()
    np.testing.assert_allclose(found.numbers, found.images.mean(axis=1), rtol=1e-6)


def test_the_rbms_own_chains_and_those_of_other_temperatures_are_means_given_their_latents():
    system: Any = SYSTEMS["tempered"][0]
    state = trained(system)
    rows = shown(system, state)
    n = system.n_particles
    W, b = state.W.astype(float), state.b.astype(float)
    own = sigmoid(state.particles[:N_SHOWN].astype(float) @ W.T + b)
    np.testing.assert_allclose(rows["chains"].images, own, atol=1e-5)
    np.testing.assert_allclose(rows["tempered"].numbers, [1.0, 0.75, 0.5, 0.25, 0.0])
    for place, beta in enumerate(rows["tempered"].numbers):
        mean = sigmoid(beta * (W @ state.particles[place * n]) + b)
        np.testing.assert_allclose(rows["tempered"].images[place], mean, atol=1e-5)


def test_mean_field_settles_and_the_numbers_are_what_each_update_changed():
    system: Any = SYSTEMS["DBM"][0]
    state = trained(system, 40)
    found = shown(system, state)["mean field"]
    assert np.isnan(found.numbers[0])
    assert found.numbers[-1] < 1e-2
    for n in (1, 3, N_SHOWN - 1):
        before, after = (np.hstack(system.settled(state, X, k)) for k in (n - 1, n))
        assert found.numbers[n] == pytest.approx(np.abs(after - before).mean(), abs=1e-6)
        np.testing.assert_allclose(found.images[n], system.decode(state, after[:1])[0], atol=1e-6)


@pytest.mark.parametrize("name", ["DBM", "DBN"])
@pytest.mark.parametrize("stage", [1, 2, 3])
def test_chains_of_every_stage_are_those_of_the_network_that_learns(name, stage):
    system: Any = SYSTEMS[name][0]
    rng = np.random.default_rng(2)
    state = system.init(X, rng)
    shares = {1: 0.0, 2: system.first_share + 1e-6, 3: 1.0}
    for upto in range(1, stage + 1):
        for _ in range(3):
            state, _ = system.at_progress(shares[upto]).step(state, X, rng)
    assert state.stage == stage
    images = shown(system, state)["chains"].images
    W, b = state.W.astype(float), state.b.astype(float)
    if name == "DBM" and stage == 2:
        both = state.copies[:N_SHOWN].astype(float) @ np.vstack([state.U.T] * 2)
        lower = sigmoid(both + state.d_second)
    elif name == "DBM":
        lower = state.joined.particles[:N_SHOWN].astype(float)
    elif stage == 1:
        lower = state.first.particles[:N_SHOWN].astype(float)
    else:
        lower = sigmoid(state.top.particles[:N_SHOWN].astype(float) @ state.top.W.T + state.d)
    np.testing.assert_allclose(images, sigmoid(lower @ W.T + b), atol=1e-5)


def test_units_of_layer_2_and_its_codes_are_passed_down_as_means():
    system: Any = SYSTEMS["LRBN of two layers"][0]
    state = trained(system, 40)
    rows = shown(system, state)
    (W, b, d), (U, _, _) = state.params
    G = system.encode(state, X)[:, N_H:]
    for unit, image in enumerate(rows["layer 2, units"].images):
        np.testing.assert_allclose(image, sigmoid(W @ sigmoid(U[:, unit] + d) + b), atol=1e-9)
    np.testing.assert_allclose(rows["layer 2, units"].numbers, G.mean(axis=0))
    codes = rows["layer 2, codes"]
    assert len(codes.images) == N_SHOWN
    for n, image in enumerate(codes.images):
        np.testing.assert_allclose(image, sigmoid(W @ sigmoid(U @ G[n] + d) + b), atol=1e-9)
        assert codes.numbers[n] == ((image > 0.5) != X[n]).sum()


def test_a_probe_carries_them_of_the_image_that_it_is_given():
    system, state = SYSTEMS["RWS"][0], trained(SYSTEMS["RWS"][0])
    found = probe(system, state, 8, X, seen=X[5:6])
    assert len(found.pictures) == len(system.picture_rows)
    np.testing.assert_array_equal(found.pictures[0].images[0], X[5])
