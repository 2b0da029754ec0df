"""The state of the Generate page, what it sends to the browser, and its part of the address."""

from __future__ import annotations

from urllib.parse import urlencode

import numpy as np
import pytest

from lrbn_viz.app.generation import MAX_PASSES, NAMES, Generation, read_generation, write_generation
from lrbn_viz.app.link import NAMES as INFERENCE_NAMES
from lrbn_viz.app.panels.generate import DrawingSettings, GeneratePanel
from lrbn_viz.app.player.generator import models_of, passes_of, walks_of
from lrbn_viz.app.player.packing import unpack

SMALL = {"lrbn": "lrbn-12-digits", "rbm": "rbm-12-digits", "dataset_name": "digits", "passes": 6}


@pytest.fixture
def generation() -> Generation:
    return Generation(**SMALL)


def test_what_is_drawn_follows_every_choice_and_is_the_engines(generation):
    from lrbn_viz.generation import ancestral_passes, gibbs_passes

    changes = [
        {"seed": 3},
        {"passes": 9},
        {"begin": "data"},
        {"index": 5},
        {"held": "3on"},
        {"rival_held": "2off.4on"},
    ]
    for change in changes:
        before = generation.drawn
        generation.param.update(**change)
        assert generation.drawn is not before, change
    lrbn, rbm = generation.models
    expected = (
        ancestral_passes(lrbn, 9, clamp={3: 1}, seed=3),
        gibbs_passes(rbm, 9, generation.dataset.test_X[5], clamp={2: 0, 4: 1}, seed=3),
    )
    for found, wanted in zip(generation.drawn, expected, strict=True):
        np.testing.assert_array_equal(found.H, wanted.H)
        np.testing.assert_array_equal(found.X, wanted.X)


def test_the_nearest_training_image_of_each_sample_is_the_one_brute_force_finds(generation):
    train = generation.dataset.train_X
    for passes, near in zip(generation.drawn, generation.nearest, strict=True):
        differ = (train[None] != passes.X[:, None]).sum(axis=2)
        np.testing.assert_array_equal(near.row, differ.argmin(axis=1))
        np.testing.assert_array_equal(near.distance, differ.min(axis=1))


def test_running_on_keeps_what_was_drawn_and_ends_at_the_most(generation):
    first = generation.drawn[1].X
    generation.run_on()
    assert generation.passes == 12
    assert (generation.shown, generation.step) == (5, -1), "the cursor stays where it was"
    np.testing.assert_array_equal(generation.drawn[1].X[:6], first)
    for _ in range(8):
        generation.run_on()
    assert generation.passes == MAX_PASSES


def test_units_are_held_and_freed_and_nonsense_from_a_browser_is_ignored(generation):
    generation.hold(0, 3, "on")
    generation.hold(0, 5, "off")
    generation.hold(1, 3, "off")
    assert generation.holds == ({3: 1, 5: 0}, {3: 0})
    assert (generation.drawn[0].H[:, [3, 5]] == [1, 0]).all()
    assert (generation.drawn[1].H[:, 3] == 0).all()
    generation.hold(0, 3, "free")
    assert generation.held == "5off"
    before = generation.held, generation.rival_held
    for lane, unit, state in ((2, 1, "on"), (0, 12, "on"), (0, -2, "on"), (0, -1, "on"), (0, 1, "maybe")):
        generation.hold(lane, unit, state)
    assert (generation.held, generation.rival_held) == before
    generation.hold(0, -1, "free")
    assert generation.held == ""


def test_the_walk_joins_inferred_codes_or_drawn_ones(generation):
    lrbn, rbm = generation.models
    codes = lrbn.transform(generation.dataset.test_X[:2])
    np.testing.assert_array_equal(generation.walks[0].H[[0, -1]], codes)
    generation.walk_between("t7", "s2", "number")
    np.testing.assert_array_equal(generation.walks[1].H[-1], generation.drawn[1].H[2])
    np.testing.assert_array_equal(generation.walks[1].H[0], rbm.transform(generation.dataset.test_X[7:8])[0])
    before = generation.walks
    for start, end, way in (
        ("t360", "t1", "best"),
        ("t1", "s6", "best"),
        ("x1", "t1", "best"),
        ("t1", "t2", "by sea"),
    ):
        generation.walk_between(start, end, way)
    assert generation.walks is before
    generation.passes = 2  # the pass that the walk leads to is no more
    assert (generation.walk_from, generation.walk_to) == ("t0", "t1")


def test_a_walk_follows_the_sample_it_leads_to(generation):
    generation.walk_between("s0", "s1", "best")
    generation.seed = 8
    np.testing.assert_array_equal(generation.walks[0].H[0], generation.drawn[0].H[0])
    np.testing.assert_array_equal(generation.walks[0].H[-1], generation.drawn[0].H[1])


def test_another_model_brings_its_rival_and_its_data_and_frees_all_units(generation):
    generation.param.update(held="3on", walk_from="t200")
    generation.compare("lrbn-200-mnist-flat")
    assert (generation.rbm, generation.dataset_name, generation.held) == ("rbm-200-mnist", "mnist5k", "")
    assert generation.walk_from == "t0"
    generation.compare("rbm-200-mnist")
    generation.compare("nothing")
    assert generation.lrbn == "lrbn-200-mnist-flat"


def test_what_is_sent_holds_what_was_drawn(generation):
    generation.hold(1, 2, "on")
    meta, arrays = unpack(passes_of(generation))
    assert [lane["chain"] for lane in meta["lanes"]] == [False, True]
    assert meta["lanes"][1]["held"] == {"2": 1}
    for lane, (passes, near) in enumerate(zip(generation.drawn, generation.nearest, strict=True)):
        np.testing.assert_array_equal(np.unpackbits(arrays[f"{lane}.h"], axis=1, count=12), passes.H)
        np.testing.assert_array_equal(np.unpackbits(arrays[f"{lane}.x"], axis=1, count=64), passes.X)
        np.testing.assert_array_equal(arrays[f"{lane}.distance"], near.distance)
        np.testing.assert_array_equal(
            np.unpackbits(arrays[f"{lane}.near"], axis=1, count=64), generation.dataset.train_X[near.row]
        )
        assert np.abs(arrays[f"{lane}.uniform"] / 65536 - passes.uniforms).max() < 1e-4
    meta, arrays = unpack(walks_of(generation))
    for lane, walk in enumerate(generation.walks):
        np.testing.assert_array_equal(arrays[f"{lane}.unit"], walk.unit)
        np.testing.assert_allclose(arrays[f"{lane}.log_joint"], walk.log_joint, rtol=1e-6)
    assert [model["key"] for model in unpack(models_of(generation))[0]["models"]] == ["LRBN", "RBM"]


def test_only_what_has_changed_is_sent(generation):
    panel = GeneratePanel(generation)
    before = (panel.view.models, panel.view.passes, panel.view.walks)
    generation.walk_way = "straight"
    assert panel.view.models is before[0]
    assert panel.view.passes is before[1]
    assert panel.view.walks is not before[2]
    generation.seed = 4
    assert panel.view.models is before[0]
    assert panel.view.passes is not before[1]
    generation.compare("lrbn-16-digits")
    assert panel.view.models is not before[0]


def test_the_browsers_words_reach_the_state_and_nonsense_does_not(generation):
    view = GeneratePanel(generation).view
    view._handle_msg({"type": "cursor", "shown": 2, "step": 7})
    assert (generation.shown, generation.step) == (2, 7)
    view._handle_msg({"type": "hold", "lane": 0, "unit": 1, "state": "on"})
    assert generation.held == "1on"
    view._handle_msg({"type": "walked", "at": 250})
    assert generation.walk_at == 250
    view._handle_msg({"type": "more"})
    assert generation.passes == 12
    nonsense = (
        None,
        3,
        {},
        {"type": "cursor"},
        {"type": "cursor", "shown": "2", "step": 1},
        {"type": "cursor", "shown": -5, "step": 0},
        {"type": "walked", "at": 2000},
    )
    for words in nonsense:
        view._handle_msg(words)
    assert (generation.shown, generation.walk_at) == (5, 250)


def test_the_menus_and_the_state_follow_each_other(generation):
    menus = DrawingSettings(generation)
    assert not menus.index.visible
    menus.begin.value = "data"
    assert menus.index.visible
    assert menus.index.end == 359
    menus.index.value = 12
    assert generation.index == 12
    menus.seed.value = None
    assert generation.seed == 0
    generation.seed = 44
    assert menus.seed.value == 44
    menus.another.clicks += 1
    assert generation.seed == 45
    menus.model.value = "lrbn-16-digits"
    assert generation.rbm == "rbm-16-digits"


STATE = {
    "seed": 12,
    "begin": "data",
    "index": 31,
    "passes": 9,
    "held": "3on.7off",
    "rival_held": "1on",
    "walk_from": "s4",
    "walk_to": "t17",
    "walk_way": "straight",
    "walk_at": 333,
    "shown": 3,
    "step": 12,
}


def test_a_link_brings_everything_back():
    generation = Generation(**{**SMALL, **STATE})
    again = Generation(**read_generation(urlencode(write_generation(generation))))
    for name in NAMES.values():
        assert getattr(again, name) == getattr(generation, name), name
    np.testing.assert_array_equal([*again.drawn][1].X, [*generation.drawn][1].X)
    assert again.dataset_name == "digits"


def test_a_link_names_only_what_differs_and_nothing_of_the_inference_page():
    assert write_generation(Generation()) == {}
    assert not set(NAMES) & {*INFERENCE_NAMES, "page"}
    assert read_generation("?model=lrbn-12-digits&seed=4") == read_generation("")


@pytest.mark.parametrize(
    "query",
    [
        "generator=rbm-200-mnist",
        "generator=nothing",
        "draw_seed=-1",
        "draw_seed=99999999999",
        "draw_seed=٣",
        "chain=tea",
        "chain_image=1000",
        "passes=0",
        "passes=100000",
        "lrbn_hold=200on",
        "rbm_hold=1maybe",
        "walk_from=t1000",
        "walk_to=s24",
        "walk_to=x",
        "walk=by+sea",
        "walk_at=x",
        "step=",
        "pass=1.5",
    ],
)
def test_what_a_link_gets_wrong_is_left_out(query):
    assert read_generation(query) == read_generation("")
    Generation(**read_generation(query))
