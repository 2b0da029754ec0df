"""Fields: what is no number of the kind is refused beside the field, kept as typed, and changes nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from lrbn_viz.app.generate.panel import DrawingSettings
from lrbn_viz.app.generate.state import MAX_PASSES, GenerateState
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared import fields as components
from lrbn_viz.app.train.form import config_of, form_fields, form_of, number_of, run_fields
from lrbn_viz.app.train.form_state import FormState
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.catalog import SYSTEMS, Kind
from lrbn_viz.core.fields import Above, Choice, Flag, Real, declare, fields_of
from lrbn_viz.core.validation import Interval
from lrbn_viz.estimators import LRBN
from lrbn_viz.studies.runs import RunConfig

ODD = [
    "",
    " ",
    "-" + "1" + "0" * 400,
    "1" + "0" * 400,
    "9" * 9000,
    "1e999",
    "-1e999",
    "nan",
    "-inf",
    "１２",
    "²",
    "1_000",
    "true",
    "0x10",
    "1;2",
    "\0",
    "\ud800",
    "<b>1</b>",
    "--1",
]
SMALL: dict[str, Any] = {
    "model_name": "lrbn-12-digits",
    "rival_name": "rbm-12-digits",
    "dataset_name": "digits",
}


def type_into(field: components.NumberField, text: object) -> None:
    field._handle_msg({"type": "edit", "text": text})


def test_a_model_that_is_too_large_is_refused_beside_its_last_layer_and_larger_images_count():
    form = FormState()
    form.edit("dataset", "digits")
    form.edit("0.system", "Two-layer LRBN")
    form.edit("0.n_components", "5000")
    form.edit("0.n_top", "5936")
    assert not form.messages  # 64 x 5000 + 5000 x 5936, just at the bound
    form.edit("0.n_top", "5937")
    assert "got 30,005,000, between layers of 64, 5,000, 5,937 units" in form.messages["0.n_top"]
    form.edit("0.n_top", "5200")
    assert not form.messages
    form.edit("dataset", "mnist5k")
    assert "784, 5,000, 5,200 units, images first" not in form.messages.get("0.n_top", "")
    form.edit("0.n_top", "5300")
    assert "784, 5,000, 5,300 units, images first; take fewer" in form.messages["0.n_top"]
    with pytest.raises(ValueError, match="expected at most 30,000,000 weights"):
        form.config()


@pytest.mark.parametrize("text", [*ODD, "inf", "0.5", "1.0", "1e3", "-1", "241", "99999999999999999999999"])
def test_a_number_field_says_in_words_what_it_refuses(text: str, caplog: pytest.LogCaptureFixture) -> None:
    field = components.NumberField(label="Passes", value=24, start=1, end=240)
    type_into(field, text)
    assert field.value == 24
    assert field.text == text.replace("\ud800", "?")
    assert field.message.startswith("Expected a whole number from 1 to 240, got ")
    assert len(field.message) < 150
    assert caplog.records == []
    type_into(field, " 24 ")
    assert (field.value, field.text, field.message) == (24, "24", "")
    type_into(field, "25")
    assert (field.value, field.text, field.message) == (25, "25", "")


@pytest.mark.parametrize("value", [True, 5, None, 5.0, b"5", ["5"], "9" * 10_001])
def test_a_forged_value_of_a_number_field_is_ignored(value: object, caplog: pytest.LogCaptureFixture) -> None:
    field = components.NumberField(value=24)
    type_into(field, value)
    field._process_events({"value": 7, "text": "7", "message": "x", "end": 10**400})
    assert (field.value, field.text, field.message) == (24, "24", "")
    assert caplog.records == []


def test_the_seed_of_the_inference_page_survives_odd_fields(caplog: pytest.LogCaptureFixture) -> None:
    session = Session(**SMALL, seed=5)
    player = ReplayPanel(session).player
    traces = session.traces

    def type_seed(lane: int, text: object) -> None:
        player._handle_msg({"type": "lane", "lane": lane, "part": "seed", "value": text})

    for text in [*ODD, "-1", "2147483648", None, 5, "9" * 10_000]:
        type_seed(0, text)
        type_seed(1, text)
        assert (session.seed, session.rival_seed, session.traces) == (5, 0, traces)
    type_seed(0, "7")
    type_seed(1, " 9 ")
    assert (session.seed, session.rival_seed) == (7, 9)
    session.algorithm = "gibbs"
    assert [menu["seed"] for menu in player.menus] == [7, None], "an RBM draws nothing"
    assert caplog.records == []


def test_the_fields_of_the_generate_page_survive_odd_text(caplog: pytest.LogCaptureFixture) -> None:
    generation = GenerateState(**SMALL, passes=3, begin="data")
    panel = DrawingSettings(generation)
    drawn = generation.drawn
    for field in (panel.passes, panel.seed, panel.index):
        for text in [*ODD, "-1", "2147483648", str(MAX_PASSES + 759) if field is panel.passes else "-0.5"]:
            type_into(field, text)
            assert field.message
    assert generation.drawn is drawn
    type_into(panel.passes, "4")
    type_into(panel.index, "359")
    assert (generation.passes, generation.index, panel.index.end) == (4, 359, 359)
    assert caplog.records == []


@pytest.mark.parametrize("value", ["kitchen", "", None, 3, True, ["icm"], {"value": "icm"}, "x" * 10**6])
def test_forged_menu_values_are_ignored(value: object, caplog: pytest.LogCaptureFixture) -> None:
    session = Session(**SMALL)
    player = ReplayPanel(session).player
    generation = GenerateState(**SMALL, passes=1)
    drawing = DrawingSettings(generation)
    menus: list[components.Choice] = [drawing.model, drawing.begin]
    before = [menu.value for menu in menus]
    traces, drawn = session.traces, generation.drawn
    for part in ("model", "algorithm", "start", "seed", "kitchen"):
        for lane in (0, 1, 2, True, "0"):
            player._handle_msg({"type": "lane", "lane": lane, "part": part, "value": value})
    player._process_events({"menus": [{"models": []}], "back": "x"})
    assert (player.menus[0]["model"], player.back) == (SMALL["model_name"], "")
    for menu in menus:
        menu._handle_msg({"type": "choose", "value": value})
        menu._process_events({"value": value, "options": [("a", "b")]})
    assert [menu.value for menu in menus] == before
    assert session.traces is traces
    assert generation.drawn is drawn
    assert caplog.records == []


@pytest.mark.parametrize("text", ODD)
def test_the_form_of_a_run_says_what_it_refuses_and_keeps_it_as_it_was_typed(text: str) -> None:
    for name in run_fields("passes"):
        state = FormState()
        state.edit("budget", "passes")
        state.edit(name, text)
        assert list(state.messages) == [name]
        assert "expected a" in state.messages[name]
        assert len(state.messages[name]) < 200
        assert state.form.texts[name] == text
    for lane, system in enumerate(("LRBN", "RBM")):
        for name, field in form_fields(system).items():
            state = FormState()
            path = f"{lane}.{name}"
            state.edit(path, text)
            shown = name in state.form.lanes[lane].texts
            assert state.form.lanes[lane].texts[name] == text
            empty_means_none = field.none and not text.strip()
            if shown and not empty_means_none and path in state.messages:
                assert len(state.messages[path]) < 300


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("seed", "2147483648"),
        ("batch_size", "1e9"),
        ("amount", "1e9"),
        ("0.n_components", "1e9"),
        ("0.max_sweeps", "999999999999999999999"),
        ("1.n_gibbs", "1e15"),
    ],
)
def test_a_number_beyond_every_range_is_refused_before_it_takes_the_memory(path: str, text: str) -> None:
    state = FormState()
    state.edit(path, text)
    assert state.messages[path].startswith("expected at most ")


@pytest.mark.parametrize("preset", PRESETS)
def test_the_form_says_of_a_setting_what_its_field_says(preset: str) -> None:
    state = TrainState()
    state.choose_preset(preset)
    groups = FormPanel(state).form.form["groups"]
    for number, lane in enumerate(state.form.lanes):
        fields = SYSTEMS[lane.system].fields
        first, *more = [group for group in groups if group.get("lane") == number]
        assert all(group["more"] for group in more)
        system, *essential = first["fields"]
        assert system["label"] == "Model"
        assert {each["label"] for each in essential} >= {"Latent units"}
        assert len(essential) <= 3
        for each in [*essential, *(each for group in more for each in group["fields"])]:
            field = fields[each["path"].partition(".")[2]]
            assert (each["label"], each["unit"]) == (field.label, field.unit or "")
            assert each["help"].startswith(field.help)
            assert field.values.lower() in each["help"].lower()
            if isinstance(field, Choice):
                assert dict(each["options"]) == dict(field.choices)
    run = fields_of(RunConfig)
    data, both = groups[0]["fields"], next(group for group in groups if group["title"] == "Both models")
    assert [each["path"] for each in data] == ["preset", "dataset", "amount"]
    assert data[-1]["label"] == run["n_iter" if state.form.budget == "passes" else "max_seconds"].label
    assert both["more"]
    assert [each["label"] for each in both["fields"]] == [
        run[name].label for name in ("binary", "level_by", "batch_size", "seed")
    ]


@dataclass(eq=False, repr=False)
class Sparse(LRBN):
    """A model with settings of its own, of every kind that a form knows."""

    sparsity: float = declare(Real("Sparsity", None, "Weight of the penalty.", bounds=Interval(0, 9)), 0.0)
    target: float = declare(
        Real(
            "Target activity",
            "of all units",
            "Mean of each latent.",
            bounds=Interval(0, 1, "neither"),
            when=({"sparsity": Above(0)},),
        ),
        0.1,
    )
    tied: bool = declare(Flag("Tied weights", None, "Whether they are."), True)


def test_a_new_model_is_offered_with_its_settings_and_nothing_is_written_in_the_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(SYSTEMS, "Sparse", Kind(Sparse))
    state = TrainState()
    state.choose_preset("small")
    state.edit("1.system", "Sparse")

    def shown() -> dict[str, dict[str, Any]]:
        groups = FormPanel(state).form.form["groups"]
        return {each["path"]: each for group in groups for each in group["fields"]}

    assert "1.sparsity" in shown()
    assert "1.target" not in shown()
    assert shown()["1.n_components"]["value"] == "12", "as many units as the model beside it"
    state.edit("1.target", "7")
    assert state.messages == {}, "it does not apply"
    state.edit("1.sparsity", "0.5")
    assert state.messages == {
        "1.target": "Target activity must be above 0 and below 1; got 7.0. The default is 0.1."
    }
    assert shown()["1.target"]["unit"] == "of all units"
    state.edit("1.target", "0.2")
    assert shown()["1.tied"]["options"] == [["on", "on"], ["off", "off"]]
    assert shown()["1.tied"]["value"] == "on"
    state.edit("1.tied", "off")
    settings = config_of(state.form).lanes["Sparse"].settings
    assert (settings["sparsity"], settings["target"], settings["tied"]) == (0.5, 0.2, False)
    assert form_of(config_of(state.form)) == state.form
    state.edit("1.tied", "maybe")
    assert "expected one of on, off, got 'maybe'" in state.messages["1.tied"]


def test_the_variance_of_a_pixel_is_asked_for_grey_images_alone() -> None:
    state = TrainState()
    state.choose_preset("gaussian")

    def shown() -> dict[str, dict[str, Any]]:
        groups = FormPanel(state).form.form["groups"]
        return {each["path"]: each for group in groups for each in group["fields"]}

    assert shown()["1.variance"]["label"] == "Variance of a pixel"
    assert "1.variance" not in {each["path"] for each in FormPanel(state).form.form["groups"][1]["fields"]}
    state.edit("1.variance", "learned")
    config = config_of(state.form)
    assert config.lanes["RBM"].settings["variance"] == "learned"
    assert form_of(config) == state.form
    state.edit("binary", "binary")
    assert "1.variance" not in shown()
    assert state.messages == {}
    assert "variance" not in config_of(state.form).lanes["RBM"].settings


def test_numbers_of_a_form_are_exact() -> None:
    assert number_of("int", "9007199254740993") == 9007199254740993
    assert number_of("int", "1e3") == 1000
    assert number_of("int", " 1,000 ") == 1000
    assert number_of("float", "inf") == math.inf
    assert type(number_of("float", "5")) is float
