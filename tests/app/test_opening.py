"""Own models on the Inference page: none is lost that a menu names, and a link says what is gone."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, load_dataset, pretrained
from lrbn_viz.app.address import read_beside_own, read_page, write_address
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.inference.choices import MAX_OPENED
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.app.train.linked import (
    BESIDE_GENERATORS,
    bring_back,
    bring_back_generators,
    linked_generators,
    linked_models,
)
from lrbn_viz.app.train.opening import opened_file
from lrbn_viz.app.visitors.runs import VisitorRuns
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.datasets import DATASETS
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.studies.runs.registry import RunRegistry

SMALL: dict[str, Any] = {
    "model_name": "lrbn-12-digits",
    "rival_name": "rbm-12-digits",
    "dataset_name": "digits",
}


def made(kind: type[LRBN] | type[RBM], seed: int, n_h: int = 5) -> Any:
    rng = np.random.default_rng(seed)
    return kind.from_params(rng.normal(0, 1.0, (64, n_h)), rng.normal(-1, 0.5, 64), np.zeros(n_h))


def named(session: Session, lane: int) -> list[str]:
    return list(session.models_for(lane))


def test_an_opened_model_stands_beside_its_own_weights_factorised_and_beside_any_shipped_one():
    session = Session(**SMALL, index=7)
    model = made(LRBN, 0)
    session.open_models({"live:mine.npz": model}, load_dataset("digits"))
    assert (session.model_name, session.rival_name) == ("live:mine.npz", FACTORISED + "live:mine.npz")
    assert session.index == 7, "the image of the same data stays"
    assert session.lanes[0][1] is model
    session.choose_in(1, "model", "lrbn-16-digits")
    assert session.model_name == "live:mine.npz"
    session.choose_in(0, "model", "lrbn-200-mnist-flat")
    assert (session.dataset_name, session.rival_name) == ("mnist5k", "rbm-200-mnist-likeliest")
    assert "live:mine.npz" not in named(session, 1), "it takes other images"
    session.choose_in(0, "model", "live:mine.npz")
    assert session.dataset_name == "digits"
    assert session.lanes[0][1] is model


def test_every_own_model_that_a_menu_names_can_be_shown_however_many_were_opened():
    session, data = Session(**SMALL), load_dataset("digits")
    panel, refs = ReplayPanel(session), []
    for n in range(3 * MAX_OPENED):
        model = made(LRBN, n)
        refs.append(weakref.ref(model))
        session.open_models({f"live:{n}.npz": model}, data)
        del model
    own = [name for name in named(session, 0) if name.startswith("live:")]
    assert len(own) == MAX_OPENED
    for lane in (0, 1):
        for name in own:
            session.choose_in(lane, "model", name)
            assert session.models[name] is not None
            sent: Any = panel.player.menus[lane]
            assert set(own) <= {each for _, entries in sent["models"] for each, _ in entries}
    gc.collect()
    assert sum(ref() is not None for ref in refs) == MAX_OPENED


def test_a_run_opens_as_it_is_and_its_inspections_leave_opened_models_alone():
    session, data = Session(**SMALL), load_dataset("digits")
    pair = {"live:run LRBN, minibatch 3": made(LRBN, 1), "live:run RBM, minibatch 3": made(RBM, 2)}
    session.open_models(pair, data)
    assert (session.model_name, session.rival_name) == tuple(pair)
    for step in range(3):
        models = {f"live:run LRBN, before step {step}": made(LRBN, step)}
        session.inspect(
            next(iter(models)), "rbm-12-digits", data, data.train_X[0], "x", "icm", "conditional", models
        )
    assert set(session.own_models) == {*pair, "live:run LRBN, before step 2"}
    session.choose_in(0, "model", next(iter(pair)))
    assert session.models == {name: pair[name] for name in pair}, "its partner comes with it"


def test_opening_a_file_again_shows_the_new_one_under_the_old_name():
    session, data = Session(**SMALL), load_dataset("digits")
    for n in range(2):
        model = made(LRBN, n)
        session.open_models({"live:mine.npz": model}, data)
        np.testing.assert_array_equal(session.traces[0].W, model.layers[0].W)
        np.testing.assert_array_equal(session.traces[1].W, model.layers[0].W)


def test_a_link_to_own_models_says_that_they_are_gone():
    session = Session(**SMALL)
    session.open_models({"live:mine.npz": made(LRBN, 0)}, load_dataset("digits"))
    session.choose_in(1, "model", "lrbn-16-digits")
    reading = read_page("inference", write_address(session))
    assert reading.ignored[0].startswith("model: ")
    assert "a session that has ended" in reading.ignored[0]
    Session(**reading.found)
    session.swap()
    reading = read_page("inference", write_address(session))
    assert [sentence.partition(":")[0] for sentence in reading.ignored] == ["rival"]
    assert (reading.found["model_name"], reading.found["rival_name"]) == ("lrbn-16-digits", "rbm-16-digits")


@pytest.fixture(scope="module")
def stored(tmp_path_factory) -> Any:
    """A registry's folder with a run of two models on disk, and what they are."""
    folder = tmp_path_factory.mktemp("runs")
    lanes = {name: LaneConfig(name, {"n_components": 5}) for name in ("LRBN", "RBM")}
    run = Run(RunConfig("digits", lanes, n_iter=1), load_dataset("digits"), folder / "digits-1")
    run.start()
    assert run.job.join(240)
    return folder, run


def brought(query: str, folder: Path, visitor: Visitor = HOME) -> tuple[Session, list[str]]:
    """What a page of an address shows, and says."""
    linked = linked_models(query)
    assert linked is not None
    session = Session(**read_page("inference", linked.rest).found)
    registry = RunRegistry(folder)
    try:
        return session, bring_back(linked, session, VisitorRuns(registry, visitor), load_dataset)
    finally:
        registry.close()


def test_a_page_loaded_anew_shows_the_models_of_a_run_again_with_what_was_chosen(stored):
    folder, run = stored
    session = Session(**SMALL)
    opened = {f"live:digits-1 {name}, minibatch {run.step}": run.model(name) for name in run.lanes}
    session.open_models(opened, run.dataset)
    session.choose_in(0, "algorithm", "icm-greedy")
    session.index = 11
    session.cursor = 4
    session.select("1.3")
    again, words = brought(write_address(session), folder)
    assert words == []
    assert (again.model_name, again.rival_name) == (session.model_name, session.rival_name)
    assert (again.index, again.cursor, again.algorithm, again.selected) == (11, 4, "icm-greedy", "1.3")
    for one, other in zip(again.traces, session.traces, strict=True):
        np.testing.assert_array_equal(one.W, other.W)
        np.testing.assert_array_equal(one.unit, other.unit)
    assert write_address(again) == write_address(session)


def test_a_link_to_a_run_shows_all_its_models_and_one_model_stands_beside_its_weights_factorised(stored):
    folder, run = stored
    session, words = brought("?run=digits-1", folder)
    names = [f"live:digits-1 {name}, minibatch {run.step}" for name in ("LRBN", "RBM")]
    assert ([session.model_name, session.rival_name], words) == (names, [])
    session.open_models({names[0]: run.model("LRBN")}, run.dataset)
    again, words = brought(write_address(session), folder)
    assert (again.model_name, again.rival_name, words) == (names[0], FACTORISED + names[0], [])


def test_a_link_to_a_model_of_a_run_stands_beside_the_shipped_one_that_it_names(stored):
    folder, run = stored
    name = f"live:digits-1 LRBN, minibatch {run.step}"
    session, words = brought(f"?model={name}&rival=lrbn-16-digits", folder)
    assert (session.model_name, session.rival_name, words) == (name, "lrbn-16-digits", [])


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("?run=gone-1", "There is no run called gone-1 on this server; it may have been deleted."),
        ("?model=live:gone-1 LRBN, minibatch 3", "There is no run called gone-1 on this server; "),
        ("?model=live:digits-1 DBN, minibatch 3", "digits-1 has no model called DBN; it has LRBN, RBM."),
        (
            "?model=live:digits-1 LRBN, minibatch 3",
            "digits-1 is stored at minibatch 63, which is shown instead of 3.",
        ),
        ("?run=digits-1&image=999", "image: expected a whole number from 0 to 359"),
        (
            "?run=digits-1&unit=0.171",
            "unit: expected a lane and a unit below 5 and 5, such as 0.49, or lane2, got '0.171'; the unit "
            "visited in lane 1 is explained.",
        ),
        ("?run=digits-1&visit=x", "visit: expected a whole number"),
        ("?run=digits-1&clamp=3on", "clamp: not restored with the model of a run."),
    ],
)
def test_a_link_to_a_run_says_in_one_sentence_what_it_does_not_bring_back(stored, query, says):
    folder, run = stored
    session, [words] = brought(query.replace("63", str(run.step)), folder)
    assert words.startswith(says.replace("63", str(run.step)))
    assert words.count(". ") == 0
    assert session.selected == ""


def test_a_run_of_somebody_else_is_not_there_for_who_follows_its_link(stored):
    folder, _ = stored
    other = Visitor("anna-1")
    session, [words] = brought("?run=digits-1", folder, other)
    assert words.startswith("There is no run called digits-1 that you may open; ")
    assert not session.model_name.startswith("live:")


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?run=..",
        "?run=a/b",
        "?page=train&run=digits-1",
        "?model=live:mine.npz",
        "?model=lrbn-12-digits&run=x",
    ],
)
def test_other_addresses_name_no_model_of_a_run(query):
    assert linked_models(query) is None


def generated(query: str, folder: Path) -> tuple[GenerateState, Session, list[str]]:
    """What the Generate page of an address shows, and says."""
    linked = linked_generators(query)
    assert linked is not None
    session, registry = Session(**SMALL), RunRegistry(folder)
    try:
        names, words = bring_back_generators(linked, session, VisitorRuns(registry, HOME), load_dataset)
    finally:
        registry.close()
    state = GenerateState(own=session.opened, **{**read_page("generate", linked.rest).found, **names})
    texts = {name: linked.settings[name] for name in BESIDE_GENERATORS if name in linked.settings}
    beside = read_beside_own(texts, state)
    state.param.update(**beside.found)
    return state, session, words + beside.ignored


def test_a_link_to_a_run_opens_its_models_on_the_generate_page_and_its_address_does_too(stored):
    folder, run = stored
    names = [f"live:digits-1 {name}, minibatch {run.step}" for name in ("LRBN", "RBM")]
    state, session, words = generated("?page=generate&run=digits-1&passes=3", folder)
    assert ([state.model_name, state.rival_name, state.dataset_name], words) == ([*names, "digits"], [])
    assert session.own_models == names, "the menus of the Inference page offer them"
    assert session.model_name == SMALL["model_name"], "and it shows what it showed"
    np.testing.assert_array_equal(state.models[0].layers[0].W, run.model("LRBN").layers[0].W)
    state.param.update(held="3on", rival_held="2off", begin="data", index=300, walk_to="s2", seed=4)
    query = write_address(session, "generate", state)
    again, _, words = generated(query, folder)
    assert words == []
    for name in ("model_name", "rival_name", "held", "rival_held", "index", "walk_to", "seed", "passes"):
        assert getattr(again, name) == getattr(state, name), name
    for one, other in zip(again.drawn, state.drawn, strict=True):
        np.testing.assert_array_equal(one.X, other.X)


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("generator=live:digits-1 RBM, minibatch 3", "digits-1 is stored at minibatch 63, which is shown"),
        ("run=digits-1&generator_clamp=7on", "generator_clamp: "),
        ("run=digits-1&chain_image=360", "chain_image: expected a whole number from 0 to 359"),
        ("run=digits-1&walk_to=s24", "walk_to: expected t and a number below 360"),
        ("generator=live:digits-1 DBN, minibatch 3", "digits-1 has no model called DBN; it has LRBN, RBM."),
        ("run=gone-1", "There is no run called gone-1 on this server"),
    ],
)
def test_a_link_to_the_generate_page_says_what_it_does_not_bring_back(stored, query, says):
    folder, run = stored
    state, _, [words] = generated("?page=generate&passes=2&" + query, folder)
    assert words.startswith(says.replace("63", str(run.step)))
    assert state.held == ""


@pytest.mark.parametrize("query", ["?page=train&run=digits-1", "?run=digits-1", "?page=generate"])
def test_a_link_to_another_page_names_no_model_that_draws(query):
    assert linked_generators(query) is None


def test_a_file_s_model_on_the_generate_page_belongs_to_a_session_that_has_ended():
    assert linked_generators("?page=generate&generator=live:mine.npz") is None
    [words] = read_page("generate", "generator=live:mine.npz").ignored
    assert words.startswith("generator: 'mine.npz' belongs to a session that has ended")


@pytest.mark.parametrize("binary", [True, False])
def test_a_file_finds_the_images_that_it_learned_from_or_such_as_it_takes(binary):
    visible = "bernoulli" if binary else "gaussian"
    model = LRBN.from_params(np.zeros((64, 3)), np.zeros(64), np.zeros(3), visible=visible)
    asked = []

    def load(name: str, binary: bool) -> Any:
        asked.append((name, binary))
        return load_dataset(name, binary=binary)

    for said, first, found in (
        ("bars", "mnist5k", "bars"),
        ("", "digits", "digits"),
        ("nothing", "mnist5k", "digits"),
    ):
        model.provenance_ = {"data": said}
        opened = opened_file(model, "mine.npz", DATASETS, first, load)
        assert list(opened.models) == ["live:mine.npz"]
        assert opened.data.name == found
    assert {each for _, each in asked} == {binary}


def test_a_file_for_images_that_nobody_has_is_refused_in_words():
    model = LRBN.from_params(np.zeros((65, 3)), np.zeros(65), np.zeros(3))
    with pytest.raises(ValueError, match="images of 65 pixels, which no data set here has"):
        opened_file(model, "mine.npz", DATASETS, "digits", load_dataset)


def test_a_model_of_two_layers_opens_beside_itself():
    rng = np.random.default_rng(0)
    layers = [
        (rng.normal(size=(64, 4)), np.zeros(64), np.zeros(4)),
        (rng.normal(size=(4, 2)), np.zeros(4), np.zeros(2)),
    ]
    session = Session(**SMALL)
    session.open_models({"live:deep.npz": LRBN.from_layers(layers)}, load_dataset("digits"))
    assert session.rival_name == "live:deep.npz"
    assert [trace.n_h for trace in session.traces] == [6, 6]


def test_names_of_units_are_kept_in_a_file_and_refused_where_they_do_not_fit(tmp_path):
    from lrbn_viz import load_model

    model = made(LRBN, 0).name_units([f"cause {j}" for j in range(5)])
    model.save(tmp_path / "named.npz")
    again = load_model(tmp_path / "named.npz")
    assert (again.latent_names_, again.visible_names_) == (model.latent_names_, ())
    assert pretrained("lrbn-2-alarm").visible_names_ == ("alarm", "radio report")
    for wrong in (["one"], ["a", "b", "c", "d", ""], ["a", "b", "c", "d", "x" * 61], [1, 2, 3, 4, 5]):
        with pytest.raises(ValueError, match=r"names|name for each"):
            model.name_units(wrong)
