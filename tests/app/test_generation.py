"""The state of the Generate page, what it sends to the browser, and its part of the address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, load_dataset
from lrbn_viz.app.address import NAMES, SETTINGS, read_page, settings_of, write_page
from lrbn_viz.app.generate.panel import DrawingSettings, GeneratePanel
from lrbn_viz.app.generate.state import MAX_PASSES, GenerateState
from lrbn_viz.app.generate.wire import models_of, passes_of, walks_of
from lrbn_viz.app.train.opening import Opened
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.datasets import at_hand
from lrbn_viz.measure.passes import draw_passes, noise_image
from lrbn_viz.view.player.greyscale import tones
from lrbn_viz.view.player.wire import unpack

SMALL = {"model_name": "lrbn-12-digits", "rival_name": "rbm-12-digits", "dataset_name": "digits", "passes": 6}


@pytest.fixture
def generation() -> GenerateState:
    return GenerateState(**SMALL)


def test_what_is_drawn_follows_every_choice_and_is_the_engines(generation):
    from lrbn_viz.measure.passes import ancestral_passes, gibbs_passes

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
    states = rbm.transform(generation.dataset.test_X[7:8], method="states")
    np.testing.assert_array_equal(generation.walks[1].H[0], states[0])
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
    assert (generation.rival_name, generation.dataset_name, generation.held) == (
        "rbm-200-mnist-likeliest",
        "mnist5k",
        "",
    )
    assert generation.walk_from == "t0"
    generation.compare("rbm-200-mnist-likeliest")
    generation.compare("nothing")
    assert generation.model_name == "lrbn-200-mnist-flat"


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
    models = unpack(models_of(generation))[0]["models"]
    lanes = unpack(passes_of(generation))[0]["lanes"]
    assert (
        [model["key"] for model in models] == [lane["model"] for lane in lanes] == [*dict(generation.lanes)]
    )
    assert [lane["title"] for lane in lanes] == [lane["title"] for lane in meta["lanes"]] == ["LRBN", "RBM"]


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
    menus.seed.edit("")
    assert generation.seed == 0
    generation.seed = 44
    assert menus.seed.value == 44
    menus.another.clicks += 1
    assert generation.seed == 45
    menus.model.value = "lrbn-16-digits"
    assert generation.rival_name == "rbm-16-digits"


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
    generation = GenerateState(**{**SMALL, **STATE})
    again = GenerateState(**read_page("generate", urlencode(write_page("generate", generation))).found)
    for name in settings_of("generate"):
        assert getattr(again, name) == getattr(generation, name), name
    np.testing.assert_array_equal([*again.drawn][1].X, [*generation.drawn][1].X)
    assert again.dataset_name == "digits"


def test_a_link_without_the_model_beside_means_the_one_that_a_choice_brings():
    link = "generator=lrbn-200-200-mnist-likeliest"
    assert read_page("generate", link).found["rival_name"] == "rbm-200-mnist-likeliest"
    chosen: Any = GenerateState(**SMALL)
    chosen.compare("lrbn-200-mnist-flat")
    found = read_page("generate", urlencode(write_page("generate", chosen))).found
    assert (found["model_name"], found["rival_name"]) == ("lrbn-200-mnist-flat", "rbm-200-mnist-likeliest")


def test_a_link_names_only_what_differs_and_nothing_of_the_inference_page():
    assert write_page("generate", GenerateState()) == {}
    assert len(NAMES - {"page"}) == sum(map(len, SETTINGS.values())), "no name is of two pages"
    assert read_page("generate", "?model=lrbn-12-digits&seed=4").found == read_page("generate", "").found


@pytest.mark.parametrize(
    "query",
    [
        "generator=rbm-200-mnist-likeliest",
        "generator_beside=rbm-200-ocr-likeliest",
        "generator_beside=rbm-12-digits",
        "generator_beside=nothing",
        "generator=nothing",
        "draw_seed=-1",
        "draw_seed=99999999999",
        "draw_seed=٣",
        "chain=tea",
        "chain_image=1000",
        "passes=0",
        "passes=100000",
        "generator_clamp=400on",
        "generator_beside_clamp=1maybe",
        "walk_from=t1000",
        "walk_to=s24",
        "walk_to=x",
        "walk=by+sea",
        "walk_at=x",
        "pass_step=",
        "pass=1.5",
    ],
)
def test_what_a_link_gets_wrong_is_left_out(query):
    assert read_page("generate", query).found == read_page("generate", "").found
    [sentence] = read_page("generate", query).ignored
    assert sentence.startswith(query.partition("=")[0] + ": ")
    GenerateState(**read_page("generate", query).found)


GREY = {**SMALL, "model_name": "lrbn-40-digits-grey", "rival_name": "rbm-40-digits-grey"}


@pytest.mark.parametrize("begin", ["noise", "data"])
def test_what_models_of_grey_images_draw_is_sent_as_it_is(begin):
    from lrbn_viz.measure.passes import ancestral_passes, gibbs_passes, noise_image

    generation = GenerateState(**GREY, begin=begin, index=3)
    data = generation.dataset
    assert not data.binary
    x0 = noise_image(64, 0, "gaussian") if begin == "noise" else data.test_X[3]
    assert set(np.unique(x0)) != {0, 1}
    lrbn, rbm = generation.models
    drawn = (ancestral_passes(lrbn, 6), gibbs_passes(rbm, 6, x0))
    _, arrays = unpack(passes_of(generation))
    for lane, passes in enumerate(drawn):
        np.testing.assert_array_equal(arrays[f"{lane}.x"], passes.X.astype(np.float32))
        apart = np.linalg.norm(data.train_X[None] - passes.X[:, None], axis=2)
        np.testing.assert_array_equal(arrays[f"{lane}.row"], apart.argmin(axis=1))
        np.testing.assert_allclose(arrays[f"{lane}.distance"], apart.min(axis=1), rtol=1e-5)
        near = data.train_X[arrays[f"{lane}.row"]]
        np.testing.assert_array_equal(arrays[f"{lane}.near"], near.astype(np.float32))
    np.testing.assert_array_equal(arrays["1.x0"], x0.astype(np.float32))
    _, walks = unpack(walks_of(generation))
    for lane in (0, 1):
        np.testing.assert_array_equal(walks[f"{lane}.images"], data.test_X[:2].astype(np.float32))
    for block in (arrays, walks):
        slope, offset = block["shades"]
        ink = slope * data.test_X[0] + offset
        np.testing.assert_allclose(np.rint(255 * np.clip(ink, 0, 1)), tones(data.test_X[0], data), atol=1)


def test_from_grey_images_to_binary_ones_and_back_each_model_has_its_own(generation):
    generation.compare("lrbn-40-digits-grey")
    assert (generation.rival_name, generation.dataset.binary) == ("rbm-40-digits-grey", False)
    assert generation.drawn[0].X.dtype == np.float64
    assert "shades" in unpack(passes_of(generation))[1]
    generation.compare("lrbn-12-digits")
    assert generation.dataset.binary
    assert generation.drawn[0].X.dtype == np.uint8
    assert "shades" not in unpack(passes_of(generation))[1]


def test_a_link_brings_grey_models_back():
    generation = GenerateState(**GREY, begin="data", index=4)
    again = GenerateState(**read_page("generate", urlencode(write_page("generate", generation))).found)
    np.testing.assert_array_equal([*again.drawn][1].X, [*generation.drawn][1].X)


def test_a_model_without_a_rival_stands_beside_the_rbm_that_has_its_weights():
    from lrbn_viz.catalog import factorised, pretrained
    from lrbn_viz.measure.passes import gibbs_passes, noise_image

    generation: Any = GenerateState(**SMALL)
    for name in ("lrbn-2-alarm", "lrbn-16-bars"):
        generation.compare(name)
        assert (generation.model_name, generation.rival_name) == (name, f"factorised:{name}")
        assert generation.titles == ["LRBN", "RBM"]
        rbm = factorised(pretrained(name))
        expected = gibbs_passes(rbm, 6, noise_image(rbm.n_visible_, 0), seed=0)
        np.testing.assert_array_equal(generation.drawn[1].X, expected.X)
        lanes = unpack(passes_of(generation))[0]["lanes"]
        assert [(lane["same"], lane["chain"], lane["flat"]) for lane in lanes] == [
            (False, False, False),
            (True, True, False),
        ]
        packed = unpack(models_of(generation))[0]["models"]
        assert [model["names"] for model in packed] == [list(rbm.latent_names_)] * 2
        again: Any = GenerateState(
            **read_page("generate", urlencode(write_page("generate", generation))).found
        )
        np.testing.assert_array_equal(again.drawn[0].X, generation.drawn[0].X)


def test_models_of_two_layers_are_offered_and_drawn_from_the_top():
    generation: Any = GenerateState(passes=3)
    deep = generation.models[0]
    assert generation.titles == ["Two-layer LRBN", "RBM"]
    h, u = generation.drawn[0].H, generation.drawn[0].uniforms
    top, low = deep.layers[1], deep.layers[0]
    p = 1 / (1 + np.exp(-np.tile(top.d, (3, 1))))
    np.testing.assert_array_equal(h[:, 200:], u[:, 200:] < p)
    p = 1 / (1 + np.exp(-(h[:, 200:] @ top.W.T + top.b)))
    np.testing.assert_array_equal(h[:, :200], u[:, :200] < p)
    np.testing.assert_allclose(deep.inverse_transform(h), 1 / (1 + np.exp(-(h[:, :200] @ low.W.T + low.b))))
    codes = np.hstack(deep.infer(generation.dataset.test_X[:2]))
    np.testing.assert_array_equal(generation.walks[0].H[[0, -1]], codes)
    lanes = unpack(passes_of(generation))[0]["lanes"]
    assert [(lane["flat"], lane["same"]) for lane in lanes] == [(False, False)] * 2
    named = ("lrbn-200-200-mnist-likeliest", "lrbn-200-200-caltech-likeliest")
    for name in (name for name in named if at_hand(PRETRAINED[name].dataset)):
        assert read_page("generate", f"generator={name}").found["model_name"] == name


@pytest.mark.parametrize(
    ("name", "state", "latents"),
    [("dbn-200-200-mnist", "latents", 200), ("dbm-200-200-mnist", "image and latents", 400)],
)
def test_models_with_a_chain_of_two_layers_are_offered_and_sent_as_they_draw(name, state, latents):
    generation: Any = GenerateState(passes=2)
    generation.compare(name)
    assert generation.model_name == name
    model, passes = generation.models[0], generation.drawn[0]
    assert generation.titles[0] in generation.chains
    meta, arrays = unpack(passes_of(generation))
    lane = meta["lanes"][0]
    assert (lane["state"], lane["sizes"], lane["latents"]) == (state, [200, 200], latents)
    np.testing.assert_allclose(arrays["0.p"], passes.probabilities, atol=1e-6)
    np.testing.assert_array_equal(np.unpackbits(arrays["0.h"], axis=1, count=400), passes.H)
    mean = 1 / (1 + np.exp(-(passes.H[:, :200] @ model.layers[0].W.T + model.layers[0].b)))
    np.testing.assert_allclose(model.inverse_transform(passes.H[:, :latents]), mean)
    generation.walk_between("t0", "s1", "number")
    np.testing.assert_array_equal(generation.walks[0].H[-1], passes.H[1, :latents])
    assert unpack(walks_of(generation))[0]["lanes"][0]["constant"]
    generation.hold(0, 3, "on")
    assert (generation.drawn[0].H[:, 3] == 1).all()
    link = urlencode(write_page("generate", generation))
    assert read_page("generate", link).ignored == []
    assert read_page("generate", link).found["model_name"] == name


def test_another_model_of_the_same_images_is_chosen_beside_it(generation):
    menus = DrawingSettings(generation)
    assert {"rbm-12-digits", "lrbn-16-digits", "factorised:lrbn-12-digits"} <= set(generation.others)
    generation.rival_held = "3on"
    menus.rival.value = "lrbn-16-digits"
    assert (generation.rival_name, generation.rival_held) == ("lrbn-16-digits", "")
    for name in ("lrbn-200-mnist-flat", "nothing", ""):
        generation.stand_beside(name)
    assert generation.rival_name == "lrbn-16-digits"
    generation.compare("lrbn-16-digits")
    assert menus.rival.value == generation.rival_name


# -- models of the session


def own_model(kind: Any, seed: int, n_h: int = 5, visible: str = "bernoulli") -> Any:
    rng = np.random.default_rng(seed)
    return kind.from_params(
        rng.normal(0, 1.0, (64, n_h)), rng.normal(-1, 0.5, 64), np.zeros(n_h), visible=visible
    )


RUN = ("live:run-1 LRBN, minibatch 3", "live:run-1 RBM, minibatch 3")


def of_a_run(seed: int = 0) -> Opened:
    models: dict[str, Any] = dict(zip(RUN, (own_model(LRBN, seed), own_model(RBM, seed + 1)), strict=True))
    return Opened(models, load_dataset("digits"))


def test_models_of_the_session_are_offered_in_both_lanes_and_draw_as_the_engine_does(generation):
    menus: Any = DrawingSettings(generation)
    panel, opened = GeneratePanel(generation), of_a_run()
    models: dict[str, Any] = dict(opened.models)
    mine = own_model(LRBN, 7, 9)
    alone = Opened({"live:mine.npz": mine}, opened.data)
    grey = Opened({"live:grey.npz": own_model(LRBN, 8, 4, "gaussian")}, load_dataset("digits", binary=False))
    generation.bring([opened, alone, grey])
    own = {*RUN, "live:mine.npz", "live:grey.npz"}
    assert {name for name, _ in menus.model.options if name.startswith("live:")} == own
    assert dict(menus.model.options)[RUN[0]] == "run-1 LRBN, minibatch 3 (of this session)"
    assert {name for name, _ in menus.rival.options if name.startswith("live:")} == own - {"live:grey.npz"}
    menus.rival.value = RUN[1]
    assert generation.models[1] is opened.models[RUN[1]]
    menus.model.value = RUN[0]
    assert (generation.model_name, generation.rival_name, generation.dataset_name) == (*RUN, "digits")
    x0 = noise_image(64, generation.seed, "bernoulli")
    for model, drawn in zip(opened.models.values(), generation.drawn, strict=True):
        expected = draw_passes(model, generation.passes, x0, clamp={}, seed=generation.seed)
        np.testing.assert_array_equal(drawn.X, expected.X)
        np.testing.assert_array_equal(drawn.H, expected.H)
    assert {meta["model"] for meta in unpack(panel.view.passes)[0]["lanes"]} == set(RUN)
    sent = unpack(panel.view.models)[1]["0.W"]
    np.testing.assert_array_equal(sent, models[RUN[0]].layers[0].W.T.astype(sent.dtype))
    menus.rival.value = "lrbn-16-digits"
    assert generation.titles == ["run-1 LRBN, minibatch 3", "LRBN-16, 8x8 digits"]
    menus.model.value = "live:mine.npz"
    assert generation.rival_name == "factorised:live:mine.npz"
    np.testing.assert_array_equal(generation.models[1].layers[0].W, mine.layers[0].W)
    menus.model.value = "live:grey.npz"
    assert (generation.dataset.binary, generation.models[1].visible) == (False, "gaussian")
    menus.model.value = "lrbn-200-mnist-learned"
    assert (generation.rival_name, generation.dataset_name) == ("rbm-200-mnist-likeliest", "mnist5k")
    assert not [name for name, _ in menus.rival.options if name.startswith("live:")], "of other images"


def test_a_model_that_is_shown_stays_until_another_is_chosen_and_one_of_its_name_takes_its_place(generation):
    generation.bring([of_a_run()])
    generation.compare(RUN[0])
    generation.hold(0, 3, "on")
    drawn = generation.drawn
    generation.bring([of_a_run()])  # a run makes its models anew
    assert generation.drawn is drawn
    generation.bring([])
    assert generation.drawn is drawn
    assert set(RUN) <= generation.offered.keys()
    generation.bring([of_a_run(5)])
    assert generation.held == ""
    np.testing.assert_array_equal(generation.models[0].layers[0].W, own_model(LRBN, 5).layers[0].W)
    expected = draw_passes(
        generation.models[0], 6, noise_image(64, 0, "bernoulli"), clamp={}, seed=generation.seed
    )
    np.testing.assert_array_equal(generation.drawn[0].X, expected.X)
    generation.compare("lrbn-12-digits")
    generation.bring([])
    assert not set(RUN) & generation.offered.keys()


def test_a_link_with_one_model_of_the_session_shows_it_beside_what_takes_its_images():
    opened = of_a_run()
    cases: Any = (
        ({"model_name": RUN[0]}, RUN),
        ({"model_name": RUN[0], "rival_name": "lrbn-200-mnist-flat"}, RUN),
        ({"model_name": RUN[0], "rival_name": "lrbn-16-digits"}, (RUN[0], "lrbn-16-digits")),
        ({"model_name": "nothing", "rival_name": RUN[1]}, RUN),
        ({"model_name": "lrbn-12-digits", "rival_name": RUN[1]}, ("lrbn-12-digits", RUN[1])),
    )
    for named, shown in cases:
        generation = GenerateState(own=[opened], passes=2, **named)
        assert (generation.model_name, generation.rival_name) == shown, named
        assert generation.dataset_name == "digits"
        assert [len(passes.X) for passes in generation.drawn] == [2, 2]
