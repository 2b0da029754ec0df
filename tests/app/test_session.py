"""The session alone: what follows from what, without a browser or a widget."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, load_dataset, pretrained
from lrbn_viz.app.address import read_page, write_address
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import words_of
from lrbn_viz.app.shared.menus import (
    FACTORISED,
    known_models,
    offered,
    partner,
    shipped_info,
    shown_models,
)
from lrbn_viz.catalog import PRETRAINED, measured
from lrbn_viz.datasets import DATASETS
from lrbn_viz.estimators.layered import TRACE_METHODS as ALGORITHMS

STARTS = offered(LRBN(), RBM())[1]


def read(query: str) -> dict[str, Any]:
    return read_page("inference", query).found


N_H = 12


@pytest.fixture(scope="module")
def models() -> dict[str, LRBN | RBM]:
    rng = np.random.default_rng(0)
    W, b, d = rng.normal(0, 1.0, (64, N_H)), rng.normal(-1, 0.5, 64), np.zeros(N_H)
    other = rng.normal(0, 1.0, (64, N_H)), b, d  # of its own, so that no state of one passes for the other's
    return {"lrbn": LRBN.from_params(W, b, d), "rbm": RBM.from_params(*other)}


@pytest.fixture
def session(models) -> Session:
    return Session(
        load_dataset, models.__getitem__, dataset_name="digits", model_name="lrbn", rival_name="rbm"
    )


def test_a_new_session_has_both_traces_of_its_image(session):
    lrbn, rbm = session.traces
    np.testing.assert_array_equal(lrbn.x, session.dataset.test_X[0])
    np.testing.assert_array_equal(rbm.x, session.dataset.test_X[0])
    assert rbm.n_visits == N_H
    assert session.cursor == 0


def test_another_image_brings_its_traces_in_one_update(session):
    heard = []
    session.param.watch(lambda *events: heard.append([event.name for event in events]), ["traces", "cursor"])
    session.cursor = session.n_visits
    heard.clear()
    session.index = 7
    assert len(heard) == 1
    np.testing.assert_array_equal(session.traces[0].x, session.dataset.test_X[7])
    np.testing.assert_array_equal(session.traces[1].x, session.dataset.test_X[7])


def test_who_looked_at_the_end_goes_on_at_the_end_and_others_at_the_start(session):
    session.cursor = session.n_visits
    session.index = 3
    assert session.cursor == session.n_visits
    session.cursor = 5
    session.index = 4
    assert session.cursor == 0


def test_previous_and_next_go_round_and_random_stays_inside(session):
    n = len(session.dataset.test_X)
    session.choose("previous")
    assert session.index == n - 1
    session.choose("next")
    assert session.index == 0
    session.choose("random")
    assert 0 <= session.index < n


def test_rows_of_a_class_are_exactly_those_of_that_class(session):
    y = session.dataset.test_y
    assert session.rows_of_class(-1).tolist() == list(range(len(y)))
    rows = session.rows_of_class(3)
    assert len(rows) > 0
    assert set(y[rows].tolist()) == {3}
    assert len(rows) == np.count_nonzero(y == 3)


def test_the_same_seed_gives_the_same_trace_and_another_seed_another(session):
    session.param.update(algorithm="gibbs", seed=5)
    first = session.traces[0]
    session.seed = 6
    other = session.traces[0]
    session.seed = 5
    again = session.traces[0]
    np.testing.assert_array_equal(first.after, again.after)
    assert not np.array_equal(first.after, other.after)


def conditional(model, x):
    """P(h_j = 1 | x, all others off) > 1/2, unit by unit, from the log joint alone."""
    H = np.vstack([np.zeros(N_H), np.eye(N_H)]).astype(np.uint8)
    joint = model.log_joint(np.tile(x, (len(H), 1)), H)
    return (joint[1:] > joint[0]).astype(np.uint8)


@pytest.mark.parametrize("start", list(STARTS))
def test_every_start_of_the_menu_is_the_state_it_names(session, models, start):
    lrbn, rbm = models.values()
    session.index = 5
    session.cursor = 7
    x, before = session.x, session.traces[0].latents(7)
    session.begin_from(start)
    h0 = session.traces[0].h0
    W, _, d = lrbn.layers[0]
    expected = {
        "conditional": lambda: conditional(lrbn, x),
        "paper": lambda: (W.T @ x + d > 0).astype(np.uint8),
        "zeros": lambda: np.zeros(N_H, np.uint8),
        "random": lambda: lrbn.map_trace(x, init="random", random_state=session.seed).h0,
        "rival": lambda: rbm.transform(x[None], method="states")[0],
        "last": lambda: before,
    }[start]()
    np.testing.assert_array_equal(h0, expected)
    assert session.traces[0].n_visits > 0


def test_no_start_of_the_menu_can_pass_for_another(session):
    seen = {}
    for start in STARTS:
        session.param.update(algorithm="gibbs", start="zeros", start_state="")
        session.cursor = 30
        session.begin_from(start)
        seen[start] = session.traces[0].h0.tobytes()
    assert len(set(seen.values())) == len(STARTS)


def test_a_random_start_tosses_a_fair_coin_for_every_unit(session):
    session.start = "random"
    heads = np.zeros(N_H)
    for seed in range(200):
        session.seed = seed
        heads += session.traces[0].h0
    assert np.all(np.abs(heads - 100) < 5 * np.sqrt(50)), heads


def test_running_on_begins_where_the_cursor_was_and_again_from_there(session):
    session.param.update(algorithm="gibbs", start="zeros")
    session.cursor = 40
    first = session.traces[0].latents(40)
    session.begin_from("last")
    assert session.cursor == 0
    np.testing.assert_array_equal(session.traces[0].h0, first)
    session.algorithm = "icm"  # the same start, so that algorithms can be compared
    np.testing.assert_array_equal(session.traces[0].h0, first)
    session.algorithm = "gibbs"
    session.cursor = session.n_visits
    last = session.traces[0].latents(session.traces[0].n_visits)
    session.begin_from("last")
    np.testing.assert_array_equal(session.traces[0].h0, last)
    session.begin_from("zeros")
    assert session.start_state == ""


@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_held_units_keep_their_state_and_are_never_visited(session, name):
    session.param.update(algorithm=name, start="random")
    before = session.traces[0].latents(session.traces[0].n_visits)
    session.hold(3, "on" if before[3] == 0 else "off")
    session.hold(8, "off" if before[8] else "on")
    assert session.held == {3: 1 - before[3], 8: 1 - before[8]}
    trace = session.traces[0]
    assert not np.isin(trace.unit, [3, 8]).any()
    for k in (0, trace.n_visits):
        assert {j: int(trace.latents(k)[j]) for j in (3, 8)} == session.held
    assert len(np.unique(trace.unit)) > 0
    session.hold(3, "free")
    assert session.held == {8: 1 - before[8]}
    session.hold(-1, "free")
    assert (session.held, session.clamp) == ({}, "")
    np.testing.assert_array_equal(session.traces[0].latents(session.traces[0].n_visits), before)


def test_whoever_looks_at_a_decision_looks_at_it_again_once_another_unit_is_held(session):
    for index, sweep in ((0, 0), (1, 1)):  # an image, and a sweep that asks unit 5
        session.param.update(algorithm="icm", start="zeros", index=index, clamp="")
        k = session.traces[0].visit_of(5, sweep)
        assert k
        session.param.update(selected="0.5", cursor=k)
        session.hold(2, "on")
        trace = session.traces[0]
        assert session.cursor == k - sweep - 1, "unit 2, which stands before unit 5, is visited no more"
        assert trace.unit[session.cursor - 1] == 5
        assert trace.sweep[session.cursor - 1] == sweep
    session.hold(5, "on")  # there is no decision of it any more
    assert session.cursor == 0
    session.param.update(selected="", cursor=4)
    session.hold(1, "off")
    assert session.cursor == 0, "nothing was asked about"


def test_holding_what_is_no_unit_or_no_state_changes_nothing(session):
    session.hold(2, "on")
    for unit, state in ((N_H, "on"), (-2, "off"), (1, "maybe"), (1, "")):
        session.hold(unit, state)
        assert session.held == {2: 1}


def test_every_shipped_rival_but_one_has_states_from_which_the_lrbn_can_start():
    others = []
    for name, info in PRETRAINED.items():
        if info.system == "LRBN" and info.n_layers == 1:  # of several layers none starts there
            beside = shipped_info(partner(name))
            assert beside is not None
            others += [name] * (beside.n_h != info.n_h)
    assert others == ["lrbn-400-caltech-flat"], (
        "its rival is half its size, and better than one of its size was"
    )


def test_the_rbm_beside_a_model_is_the_likeliest_of_its_images_and_size():
    for name, info in PRETRAINED.items():
        beside = shipped_info(partner(name))
        assert beside is not None
        if beside.system != "RBM" or beside.name.startswith(FACTORISED) or not measured(beside.name):
            continue
        rivals = [
            other
            for other, each in PRETRAINED.items()
            if each.system == "RBM" and each.dataset == info.dataset and each.n_h <= info.n_h
        ]
        tried = [other for other in rivals if PRETRAINED[other].n_h == info.n_h] or rivals
        assert beside.name == max(tried, key=lambda other: measured(other)["nats"]["value"]), name


@pytest.mark.parametrize("name", [name for name, entry in ALGORITHMS.items() if entry.monotone])
def test_where_the_menu_claims_the_theorem_the_log_joint_never_falls(session, name):
    session.param.update(algorithm=name, start="random")
    for index in range(10):
        session.index = index
        trace = session.traces[0]
        steps = np.diff(np.concatenate([[trace.log_joint0], trace.log_joint]))
        assert steps.min(initial=0) >= -1e-9


def test_the_menu_entries_run_the_algorithms_they_name(session):
    session.param.update(start="random", seed=1)
    traces = {}
    for name in ALGORITHMS:
        session.algorithm = name
        traces[name] = session.traces[0]
    in_order = np.arange(N_H)
    assert traces["icm"].unit[:N_H].tolist() == in_order.tolist()
    assert sorted(traces["icm-random"].unit[:N_H].tolist()) == in_order.tolist()
    assert traces["icm-random"].unit[:N_H].tolist() != in_order.tolist()
    np.testing.assert_array_equal(traces["icm"].after, traces["icm"].log_odds > 0)
    np.testing.assert_array_equal(traces["icm-parallel"].after, traces["icm-parallel"].log_odds > 0)
    # Gibbs now and then decides against the odds, and never stops by itself
    gibbs = traces["gibbs"]
    assert np.any(gibbs.after != (gibbs.log_odds > 0))
    assert gibbs.sweep[-1] + 1 == ALGORITHMS["gibbs"].arguments["max_sweeps"]
    # an annealed run ends in what single flips cannot improve
    annealed = traces["annealed"]
    warm = len(ALGORITHMS["annealed"].arguments["temperature"])
    assert annealed.sweep[-1] >= warm
    cold = annealed.sweep >= warm
    np.testing.assert_array_equal(annealed.after[cold], annealed.log_odds[cold] > 0)


def test_greedy_takes_the_best_flip_each_time(session, models):
    session.param.update(algorithm="icm-greedy", start="random", seed=2)
    trace, model = session.traces[0], models["lrbn"]
    assert trace.flipped.any()
    for k in np.flatnonzero(trace.flipped)[:5]:
        h = trace.latents(int(k))
        neighbours = np.abs(h[None, :].astype(int) - np.eye(N_H, dtype=int)).astype(np.uint8)
        gains = model.log_joint(np.tile(trace.x, (N_H, 1)), neighbours)
        assert trace.unit[k] == np.argmax(gains)


def test_models_and_data_are_loaded_once_however_often_they_are_used(models):
    asked = []

    def load(name):
        asked.append(name)
        return models[name]

    session = Session(load_dataset, load, dataset_name="digits", model_name="lrbn", rival_name="rbm")
    session.index = 1
    session.algorithm = "annealed"
    assert asked == ["lrbn", "rbm"]


def test_a_model_whose_images_are_not_at_hand_is_not_offered(tmp_path, monkeypatch):
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    shown = shown_models()
    assert {PRETRAINED[name].dataset for name in shown} == {"digits", "alarm", "findings", "bars"}
    assert read("?model=lrbn-200-200-ocr") == read("")
    for file in DATASETS["ocr_letters"].files:
        (tmp_path / file.names[-1]).touch()
    assert set(shown_models()) - set(shown) == {
        "lrbn-200-200-ocr",
        "lrbn-200-200-ocr-likeliest",
        "lrbn-200-ocr-flat",
        "lrbn-200-ocr-strokes",
        "rbm-200-ocr-likeliest",
    }
    assert read("?model=lrbn-200-200-ocr")["dataset_name"] == "ocr_letters"


def test_a_link_that_names_no_rival_shows_the_one_that_a_choice_brings():
    for name in known_models():
        link = read(f"?model={name}")
        assert link["rival_name"] == partner(name)
        session = Session(**link)
        assert "rival=" not in write_address(session)
        assert read(write_address(session))["rival_name"] == partner(name)


def test_a_model_chosen_from_a_menu_stands_beside_the_better_rival():
    session = Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
    session.choose_in(0, "model", "lrbn-200-mnist-learned")
    assert session.rival_name == "rbm-200-mnist-likeliest"


def test_starts_and_algorithms_that_one_layer_has_and_two_have_not_are_left_out_of_links():
    found = read_page(
        "inference", "?model=lrbn-200-200-mnist&algorithm=icm-greedy&start=rival&unit=1.200"
    ).found
    assert not {"algorithm", "start", "selected"} & set(found)
    found = read_page(
        "inference", "?model=lrbn-200-200-mnist&algorithm=gibbs&start=zeros&unit=0.399&clamp=399on"
    ).found
    assert {
        "algorithm": "gibbs",
        "start": "zeros",
        "selected": "0.399",
        "clamp": "399on",
    }.items() <= found.items()


def test_a_latent_is_named_for_this_session_alone_in_both_readings_and_at_the_cursor():
    where: Any = {
        "model_name": "lrbn-2-alarm",
        "rival_name": "factorised:lrbn-2-alarm",
        "dataset_name": "alarm",
    }
    session, other = Session(**where), Session(**where)
    session.cursor = 1
    panel = ReplayPanel(session)
    before = panel.player.trace
    session.name_unit(0, " thief ", 1)
    assert [model.latent_names_ for _, model in session.lanes] == [("thief", "earthquake")] * 2
    assert [trace.latent_names for trace in session.traces] == [("thief", "earthquake")] * 2
    assert session.cursor == 1
    assert b'"thief"' in panel.player.models
    assert panel.player.trace != before, (
        "an equal trace would not be sent, and the player would keep its models"
    )
    for unit, name, lane in ((0, "earthquake", 0), (2, "a", 0), (0, "x" * 61, 0), (1, "a\x00", 0)):
        session.name_unit(unit, name, lane)
        assert session.lanes[0][1].latent_names_ == ("thief", "earthquake")
    session.name_unit(0, "")
    assert session.lanes[0][1].latent_names_ == ("unit 0", "earthquake")
    session.name_unit(1, "")
    assert session.lanes[0][1].latent_names_ == (), "all units have numbers again"
    assert other.lanes[0][1].latent_names_ == pretrained("lrbn-2-alarm").latent_names_
    assert words_of(other)["caption"] == "Alarm, test row 0"
    other.draw("wA")
    assert words_of(other)["title"] in ("Own observations", other.label)
