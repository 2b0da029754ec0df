"""Images that are moved and mirrored while a model learns: what may come out, and runs that are resumed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engine.test_resume import assert_same

from lrbn_viz.lrbn.deep.hard_em import DeepHardEM
from lrbn_viz.lrbn.deep.training import DeepTraining
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.studies.reproduce.augment import Augmentation
from lrbn_viz.studies.reproduce.budgets import QUICK
from lrbn_viz.studies.reproduce.plan import plan
from lrbn_viz.studies.reproduce.recipes import Recipe
from lrbn_viz.studies.reproduce.split import Split
from lrbn_viz.studies.reproduce.train import training_of
from lrbn_viz.training import Training

pytestmark = pytest.mark.nojit

SHAPE = (4, 5)
RNG = np.random.default_rng(3)
X = RNG.integers(0, 2, (40, 20), np.uint8)
LAYERS = ({"n_h": 5, "prior": "flat", "n_iter": 2}, {"n_h": 3, "n_iter": 2})
RECIPE = Recipe("small", LAYERS, {"n_iter": 2}, batch_size=8, n_stop=6, shifts=1, mirror=True)


def moved(image, down, right):
    """By padding with the border and cutting out, one image at a time."""
    padded = np.pad(image, 2, mode="edge")
    return padded[2 - down : 2 - down + SHAPE[0], 2 - right : 2 - right + SHAPE[1]]


@pytest.mark.parametrize("mirror", [False, True])
def test_every_move_within_bounds_happens_and_no_other(mirror):
    image = np.arange(20).reshape(SHAPE)
    found = Augmentation(SHAPE, 2, mirror)(np.tile(image.ravel(), (3000, 1)), np.random.default_rng(0))
    originals = [image, image[:, ::-1]] if mirror else [image]
    possible = {
        moved(one, down, right).tobytes()
        for one in originals
        for down in range(-2, 3)
        for right in range(-2, 3)
    }
    assert len(possible) == 25 * len(originals)
    assert {row.reshape(SHAPE).tobytes() for row in found} == possible


def test_moves_are_drawn_anew_equal_seeds_draw_equally_and_no_move_is_none():
    change = Augmentation(SHAPE, 1, True)
    first, again = (change(X, np.random.default_rng(4)) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    rng = np.random.default_rng(4)
    assert not np.array_equal(change(X, rng), change(X, rng))
    np.testing.assert_array_equal(Augmentation(SHAPE)(X, rng), X)
    assert first.dtype == X.dtype


@pytest.mark.parametrize("shifts", [-1, 4])
def test_a_shift_out_of_sight_is_refused(shifts):
    with pytest.raises(ValueError, match=rf"below the sides of the image, \(4, 5\); got {shifts}"):
        Augmentation(SHAPE, shifts)


@pytest.mark.parametrize("mirror", [False, True])
def test_copies_are_the_image_its_mirror_image_and_then_each_move_of_both_once(mirror):
    image = np.arange(20).reshape(SHAPE)
    faces = [image, image[:, ::-1]] if mirror else [image]
    change = Augmentation(SHAPE, 1, mirror)
    copies = change.copies(np.tile(image.ravel(), (50, 1)), 9 * len(faces), np.random.default_rng(0))
    copies = copies.reshape(9, len(faces), 50, *SHAPE)
    for number, face in enumerate(faces):
        possible = {moved(face, down, right).tobytes() for down in (-1, 0, 1) for right in (-1, 0, 1)}
        assert (copies[0, number] == face).all()
        for own in copies[:, number].swapaxes(0, 1):
            assert {copy.tobytes() for copy in own} == possible
    # each image has an order of its own
    assert len({copy.tobytes() for copy in copies[1, 0]}) > 4


@pytest.mark.parametrize(
    ("shifts", "mirror", "n", "most"), [(0, True, 3, 2), (1, False, 10, 9), (1, True, 0, 18)]
)
def test_more_copies_than_there_are_are_refused(shifts, mirror, n, most):
    with pytest.raises(ValueError, match=f"expected 1 to {most} copies .* got {n}"):
        Augmentation(SHAPE, shifts, mirror).copies(X, n, np.random.default_rng(0))


def make(recipe=RECIPE):
    return training_of(recipe, X[6:], X[:6], 1, SHAPE)


def test_what_is_learned_from_is_changed_and_what_is_held_out_is_not():
    seen: list[np.ndarray] = []

    class Watching(HardEM):
        def step(self, state, batch, rng, memory=None):
            seen.append(batch)
            return super().step(state, batch, rng, memory)

    change = Augmentation(SHAPE, 1)
    run = Training(
        Watching(4),
        X,
        n_iter=2,
        batch_size=40,
        rng=np.random.default_rng(0),
        augment=change,
        validation=X[:3],
    )
    list(run)
    sets = [{row.tobytes() for row in batch} for batch in (X, *seen)]
    assert len(seen) == 2
    assert sets[0] != sets[1] != sets[2] != sets[0]
    assert run.validation is not None
    np.testing.assert_array_equal(run.validation, X[:3])


def test_a_deep_run_on_changed_images_is_resumed_bit_for_bit(tmp_path):
    whole, plain = make(), make(RECIPE._replace(shifts=0, mirror=False))
    n_steps = len(list(whole))
    list(plain)
    for one, other in zip(whole.state, plain.state, strict=True):
        assert not np.array_equal(one.params.W, other.params.W)
    for left_after in (3, 11, 14, n_steps - 2):  # within each stage
        begun = make()
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "run")
        resumed = make()
        resumed.resume(tmp_path / "run")
        assert len(list(resumed)) == n_steps - left_after
        assert_same(resumed.state, whole.state)


def test_the_key_of_a_result_tells_recipes_that_change_images_apart_and_no_others():
    y = np.zeros(40, np.int64)
    data = Split(X, y, X, y, X, y, SHAPE, "")

    def training(recipe):
        return next(stage for stage in plan({"a": recipe}, data, QUICK, 0) if stage.kind == "training")

    off = RECIPE._replace(shifts=0, mirror=False)
    keys = [training(recipe).key for recipe in (off, RECIPE, RECIPE._replace(shifts=2))]
    assert len(set(keys)) == 3
    assert training(RECIPE._replace(title="another title")).key == training(RECIPE).key


CHAINS: dict[str, Any] = {"e_step": "gibbs", "persistent": True, "warm_sweeps": 1}
COPIED = RECIPE._replace(
    layers=(
        {"n_h": 5, "prior": "flat", **CHAINS, "stages": [{"n_iter": 1, "warm_sweeps": 3}, {"n_iter": 1}]},
        {"n_h": 3, "prior": "flat", "n_iter": 0},
    ),
    fine_tune={**CHAINS, "n_iter": 2},
    copies=4,
)


def test_each_copy_has_chains_of_its_own_that_go_on_in_the_next_stage(tmp_path):
    whole = make(COPIED)
    assert whole.augment is None
    np.testing.assert_array_equal(whole.X[:34], X[6:])
    np.testing.assert_array_equal(whole.X[34:68].reshape(34, *SHAPE), X[6:].reshape(34, *SHAPE)[:, :, ::-1])
    while whole.stage < 1:  # has made the second stage's first step
        next(whole)
    left, begun = whole.memory[0].copy(), whole._current().memory.copy()
    assert left.shape == (4 * 34, 5)
    assert not np.array_equal(left[:34], left[34:68])
    # all but the images of the stage's first step stand where the stage before left them
    assert (begun == left).all(axis=1).sum() >= 4 * 34 - 8
    list(whole)
    n_steps = sum(1 for _ in make(COPIED))
    resumed = make(COPIED)
    for _ in range(n_steps - 5):  # while all layers learn
        next(resumed)
    resumed.save(tmp_path / "run")
    again = make(COPIED)
    again.resume(tmp_path / "run")
    assert len(list(again)) == 5
    assert_same(again.state, whole.state)


def test_copies_are_more_work_and_a_key_of_their_own():
    y = np.zeros(40, np.int64)
    data = Split(X, y, X, y, X, y, SHAPE, "")
    once, more = (
        next(stage for stage in plan({"a": recipe}, data, QUICK, 0) if stage.kind == "training")
        for recipe in (COPIED._replace(copies=0, shifts=0, mirror=False), COPIED)
    )
    assert once.key != more.key
    assert more.work == 4 * once.work


def test_remembered_latents_and_targets_are_refused_beside_it():
    change = Augmentation(SHAPE, 1)
    how: Any = {"n_iter": 1, "batch_size": 8}
    chains = HardEM(4, persistent=True)
    with pytest.raises(ValueError, match="set persistent=False"):
        Training(chains, X, rng=np.random.default_rng(0), augment=change, **how)
    system = DeepHardEM((replace(chains, persistent=False), HardEM(3)), n_targets=3)
    with pytest.raises(ValueError, match="last columns of X are targets"):
        DeepTraining(system, X, n_fine_tune=1, seed=0, augment=change, **how)
