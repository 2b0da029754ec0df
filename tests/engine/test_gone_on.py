"""Stages that learn from some of the images, chains that begin again, and runs that go on after another's."""

from typing import Any

import numpy as np
import pytest
from engine.test_augment import COPIED, SHAPE, X
from engine.test_growing import PLAN, TOGETHER, make
from engine.test_resume import assert_same

from lrbn_viz.lrbn.deep.stages import Stage
from lrbn_viz.studies.reproduce.recipes import RECIPES, quick
from lrbn_viz.studies.reproduce.train import begins_with, training_of, training_work

FEWER: list[Stage] = [*PLAN, Stage(None, TOGETHER, 1, n_images=40), Stage(None, TOGETHER, 1)]
MORE = [{"n_iter": 1, "anew": True, "copies": 1}, {"n_iter": 1, "copies": 1}]


def followed_by(*stages):
    return COPIED._replace(fine_tune={**(COPIED.fine_tune or {}), "stages": [{"n_iter": 2}, *stages]})


GONE_ON = followed_by(*MORE)


def copied(recipe=GONE_ON, **how):
    return training_of(recipe, X[6:], X[:6], 4, SHAPE, **how)


def at(run, stage):
    """The training of a stage, after its first step."""
    while run.stage < stage or run._training is None:
        next(run)
    return run._current()


@pytest.mark.nojit
def test_a_stage_may_learn_from_the_first_images_alone():
    run = make(FEWER)
    fewer = at(run, 5)
    np.testing.assert_array_equal(fewer.X, run.X[:40])
    assert fewer.memory.shape == (40, 8)
    again = at(run, 6)
    np.testing.assert_array_equal(again.X, run.X)
    assert again.memory.shape == (len(run.X), 8)
    list(run)
    assert run.passes == [2, 1, 0, 1, 2, 1, 1]


@pytest.mark.nojit
def test_chains_go_on_from_stage_to_stage_unless_one_restarts_them():
    def where_chains_are(restarted):
        plan = [*PLAN, Stage(None, TOGETHER, 1, restart_chains=restarted)]
        run = make(plan)
        before = np.zeros(0)
        while run.stage < 5:
            before = run._current().memory
            next(run)
        return before, np.asarray(run._make().memory)

    left, begun = where_chains_are(False)
    np.testing.assert_array_equal(begun, left)
    left, begun = where_chains_are(True)
    assert not np.array_equal(begun, left)
    assert set(np.unique(begun)) <= {0, 1}


@pytest.mark.parametrize("which", ["fewer", "copies"])
def test_such_a_run_left_in_any_stage_is_resumed_bit_for_bit(which, tmp_path):
    def begin():
        return make(FEWER) if which == "fewer" else copied()

    whole = begin()
    starts = [0]
    for n_steps, step in enumerate(whole):
        if step.stage != len(starts) - 1:
            starts += [n_steps] * (step.stage - len(starts) + 1)
    n_steps += 1
    for left_after in sorted({*starts, *(start + 1 for start in starts), n_steps}):
        begun = begin()
        for _ in range(left_after):
            next(begun)
        begun.save(tmp_path / "run")
        resumed = begin()
        resumed.resume(tmp_path / "run")
        assert len(list(resumed)) == n_steps - left_after
        assert_same(resumed.state, whole.state)


def test_a_recipe_learns_from_copies_and_then_from_the_images_as_they_are():
    run = copied()
    assert [stage.n_images for stage in run.plan] == [None] * 4 + [34, 34]
    assert len(at(run, 3).X) == 4 * 34
    np.testing.assert_array_equal(at(run, 4).X, X[6:])
    left = run._current().memory.copy()
    np.testing.assert_array_equal(at(run, 5).X, X[6:])
    assert (run._current().memory != left).any(axis=1).sum() > 0


@pytest.mark.parametrize("copies", [0, 5])
@pytest.mark.nojit
def test_a_stage_of_more_copies_than_are_made_is_refused(copies):
    wrong = followed_by({"n_iter": 1, "copies": copies})
    with pytest.raises(ValueError, match=f"expected a stage of 1 to 4 copies, .* got {copies}"):
        copied(wrong)


@pytest.mark.nojit
def test_a_stage_of_fewer_copies_is_less_work():
    works = [training_work(recipe, 34, 16) for recipe in (COPIED, GONE_ON)]
    all_copies = training_work(followed_by({"n_iter": 1}, {"n_iter": 1}), 34, 16)
    assert works[1] - works[0] == pytest.approx((all_copies - works[0]) / 4)


def test_a_run_warm_after_all_stages_of_another_is_the_one_that_makes_them_itself():
    before = copied(COPIED)
    list(before)
    n = begins_with(GONE_ON, COPIED)
    assert n == len(before.plan) == 4
    warm = copied()
    warm.warm_start([state.params for state in before.layers], before.passes)
    whole = copied()
    n_steps = len(list(whole))
    assert 0 < len(list(warm)) < n_steps
    assert warm.passes == whole.passes
    assert_same(warm.state, whole.state)


def test_a_run_that_needs_what_another_remembers_is_not_warm_started():
    needing = followed_by(*({**stage, "anew": False} for stage in MORE))
    assert begins_with(needing, COPIED) == 0
    assert begins_with(COPIED, COPIED) == 0  # nothing would follow
    assert begins_with(COPIED, GONE_ON) == 0
    others: list[dict[str, Any]] = [{"batch_size": 7}, {"copies": 3}, {"n_stop": 5}, {"n_rounds": 2}]
    for other in others:
        assert begins_with(GONE_ON, COPIED._replace(**other)) == 0
    assert begins_with(GONE_ON._replace(n_rounds=2), COPIED._replace(n_rounds=2)) == 0


@pytest.mark.parametrize("name", ["mnist", "caltech"])
def test_the_likeliest_goes_on_with_the_model_of_both_counts(name):
    both, likeliest = (RECIPES[name][config] for config in ("both", "likeliest"))
    images = np.zeros((40, 16), np.uint8), np.zeros((4, 16), np.uint8)
    run = training_of(likeliest, *images, 0, (4, 4))
    n = begins_with(likeliest, both)
    before, *more = run.plan[n - 1 :]
    assert n == len(training_of(both, *images, 0, (4, 4)).plan)
    assert begins_with(quick(likeliest), quick(both)) == n
    assert [stage.restart_chains for stage in more] == [True, False]
    learners: list[Any] = [stage.how for stage in more]
    hows = [how.layers[0] for how in learners]
    assert [how.e_step for how in hows] == ["annealed", "gibbs"]
    assert all(how.persistent for how in hows)
    assert {how.learning_rate for how in hows} == {hows[0].learning_rate}
    assert hows[1].learning_rate_end < 0.25 * hows[1].learning_rate
    earlier: Any = before.how
    assert {how.likelihood_weight for how in hows} == {1.0} != {earlier.layers[0].likelihood_weight}
    as_they_are = name == "caltech"
    assert {stage.n_images for stage in more} == {40 if as_they_are else None}
    assert before.n_images is None
