"""Threads that work never touch an object of Panel or Bokeh: what they find is fetched from them."""

from __future__ import annotations

import threading

import pytest
from app.training import wait_for
from bokeh.core.has_props import HasProps
from bokeh.models import Div
from panel.reactive import Syncable

from lrbn_viz.app.compare.state import _drawing as drawing
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.train.panel import BoardPanel, FormPanel
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs.registry import RunRegistry


@pytest.fixture
def touched(monkeypatch) -> set[str]:
    """Names of the threads that have set a property of Bokeh's or changed a component of Panel's."""
    names: set[str] = set()
    drawing.submit(lambda: None).result(300)  # the figures that pages of other tests asked for are drawn
    for owner, method in ((HasProps, "__setattr__"), (Syncable, "_param_change")):
        original = getattr(owner, method)

        def noted(self, *args, original=original, **named):
            names.add(threading.current_thread().name)
            return original(self, *args, **named)

        monkeypatch.setattr(owner, method, noted)
    return names


def test_only_the_main_thread_touches_the_page_while_a_run_trains(touched, tmp_path):
    # Inside: Worker threads never touch a Panel object, or a Bokeh object of a page.
    registry = RunRegistry(tmp_path)
    state = TrainState(registry)
    panels = BoardPanel(state, lambda inspection: None, lambda: None), FormPanel(state)
    state.choose_preset("small")
    state.edit("budget", "passes")
    for path in ("0.n_components", "1.n_components"):
        state.edit(path, "5")
    workers = set()

    def done() -> bool:
        workers.update(thread.name for thread in threading.enumerate())
        state.poll()
        return state.status == "done"

    try:
        state.start()
        wait_for(done)
    finally:
        registry.close()
    assert "training" in workers
    assert panels[1].form.form["lanes"] == ["LRBN", "RBM"]
    assert touched == {"MainThread"}


def test_only_the_main_thread_touches_the_page_while_optima_are_looked_for(touched):
    # Inside: The interface pulls.
    session = Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
    panel = ReplayPanel(session)
    before = threading.active_count()
    session.look_for_basins()
    assert threading.active_count() > before
    wait_for(lambda: not session.search.busy)
    panel.player._handle_msg({"type": "basins", "key": session.question, "lane": 0})
    assert panel.player.basins
    assert touched == {"MainThread"}


def test_a_touch_by_another_thread_is_noticed(touched):
    thread = threading.Thread(target=lambda: setattr(Div(), "text", "now"), name="another")
    thread.start()
    thread.join()
    assert "another" in touched
