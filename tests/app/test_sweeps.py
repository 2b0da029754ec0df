"""What the Sweeps page is told, and what it makes of what a browser asks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from lrbn_viz.app import shell
from lrbn_viz.app.address import read_address, write_page
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.sweeps.names import sweep_name, sweep_names
from lrbn_viz.app.sweeps.panel import SweepsPanel
from lrbn_viz.app.sweeps.state import MAX_ROWS, NONE, OPERATOR_ONLY, SweepsState
from lrbn_viz.app.train.form import config_of, form_of
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.studies.sweep import FILE
from lrbn_viz.studies.sweep.draw import drawn
from lrbn_viz.studies.sweep.results import Plan, write_plan
from lrbn_viz.studies.sweep.run import SweepRun
from lrbn_viz.studies.sweep.space import space_of

TOLD = {
    "model": "LRBN",
    "dataset": "digits",
    "method": "grid",
    "passes": 1,
    "seed": 3,
    "temperatures": 5,
    "validation_images": 10,
    "fixed": {"n_components": 5, "batch_size": 300},
    "space": {"learning_rate": [0.01, 1.0], "e_step": ["icm", "gibbs"]},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """One sweep that is done and one that has only begun."""
    folder = tmp_path_factory.mktemp("sweeps")
    SweepRun(space_of(TOLD), folder / "done").run()
    begun = space_of({**TOLD, "cpu_seconds": 2.0, "passes": None} | {"fixed": {}})
    (folder / "begun").mkdir()
    write_plan(folder / "begun", Plan(begun, drawn(begun), "of no images"))
    os.utime(folder / "begun" / FILE, (1, 1))
    (folder / ".hidden").mkdir()
    (folder / "empty").mkdir()
    return folder


def test_sweeps_are_found_the_newest_first_and_what_is_none_is_left_out(folder, tmp_path):
    assert sweep_names(folder) == ["done", "begun"]
    assert sweep_names(tmp_path / "nowhere") == []
    for name in ("", "..", "../done", "a/b", ".hidden", "x" * 101):
        with pytest.raises(ValueError, match="expected the name of a sweep"):
            sweep_name(name)


def test_the_page_is_told_of_axes_and_of_rows_the_best_first(folder):
    state = SweepsState(folder=folder)
    view = state.view
    assert json.loads(json.dumps(view)) == view
    assert (view["shown"], view["names"], view["words"]) == ("done", ["done", "begun"], "")
    sweep = view["sweep"]
    assert [(axis["name"], axis["words"], axis["log"]) for axis in sweep["axes"]] == [
        ("learning_rate", [], True),
        ("e_step", ["icm", "gibbs"], False),
    ]
    objectives = [row["objective"] for row in sweep["rows"]]
    assert len(objectives) == 4 <= MAX_ROWS
    assert objectives == sorted(objectives, reverse=True)
    assert sweep["left"] == 0
    state.choose("begun")
    assert state.view["sweep"]["left"] == 4
    assert {row["objective"] for row in state.view["sweep"]["rows"]} == {None}


def test_a_trial_becomes_the_form_of_the_train_page(folder):
    state = SweepsState(folder=folder)
    assert state.config(99) is None
    for number, settings in enumerate(drawn(space_of(TOLD))):
        config = state.config(number)
        assert config is not None
        config.check()
        again = config_of(form_of(config))
        assert (again.batch_size, again.n_iter, again.seed, again.dataset) == (300, 1, 3, "digits")
        kept = again.lanes["LRBN"].settings
        assert {name: kept[name] for name in settings} == settings
        assert kept["n_components"] == 5
    state.choose("begun")
    config = state.config(0)
    assert config is not None
    assert (config.max_seconds, config.level_by) == (2.0, "seconds")


def test_what_is_not_there_or_damaged_or_the_operators_is_said(folder, tmp_path):
    assert SweepsState(folder=tmp_path).words == NONE
    assert SweepsState(is_owner=False, folder=folder).view == {
        "names": [],
        "shown": "",
        "words": OPERATOR_ONLY,
    }
    assert "no sweep called lost" in SweepsState(folder=folder, chosen="lost").words
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / FILE).write_text("{", encoding="utf-8")
    assert "The sweep bad cannot be shown: sweep.json is damaged" in SweepsState(folder=tmp_path).words


def test_a_browser_may_name_only_what_is_listed(folder):
    asked = []
    state = SweepsState(folder=folder)
    panel = SweepsPanel(state, asked.append)
    panel.view._handle_msg({"type": "sweep", "name": "../done"})
    assert state.shown == "done"
    panel.view._handle_msg({"type": "sweep", "name": "begun"})
    assert (state.shown, panel.view.view["shown"]) == ("begun", "begun")
    panel.view._handle_msg({"type": "train", "trial": 4})
    panel.view._handle_msg({"type": "train", "trial": -1})
    assert asked == []
    panel.view._handle_msg({"type": "train", "trial": 3})
    assert [config.dataset for config in asked] == ["digits"]


def test_the_header_has_a_link_where_there_are_sweeps_for_who_may_see_them(folder, monkeypatch):
    def links(visitor: Visitor = HOME, query: str = "") -> list[str]:
        address = read_address(query, shell.PAGES)
        session = Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
        explorer = shell.Explorer(session, address, visitor=visitor)
        return [str(name) for name, *_ in list(explorer._links.pages)]

    assert "sweeps" not in links()
    monkeypatch.setenv("LRBN_VIZ_SWEEPS", str(folder))
    assert links()[-1] == "sweeps"
    assert "sweeps" not in links(Visitor("somebody"))
    assert "sweeps" in links(Visitor("somebody"), "?page=sweeps")  # and says why there is nothing


def test_a_link_names_the_sweep(folder):
    state = SweepsState(folder=folder, chosen="begun")
    assert write_page("sweeps", state) == {"sweep": "begun"}
    assert read_address("?page=sweeps&sweep=begun", shell.PAGES).states["sweeps"] == {"chosen": "begun"}
    assert read_address("?sweep=..", shell.PAGES).ignored == [
        "sweep: expected the name of a sweep, which has no slash and does not begin with a point; the one "
        "begun last is shown."
    ]
