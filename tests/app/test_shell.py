"""The page around the panels, in a document that no browser shows."""

from __future__ import annotations

from collections.abc import Iterator

import panel as pn
import pytest
from bokeh.document import Document
from bokeh.server.callbacks import TimeoutCallback
from panel.io.state import set_curdoc

from lrbn_viz.app.address import write_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shell import ADDRESS_MS, Explorer


@pytest.fixture
def document() -> Iterator[Document]:
    document = Document()
    with set_curdoc(document):
        yield document


@pytest.fixture
def explorer(document: Document) -> Explorer:
    return Explorer(Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits"))


def due(document: Document) -> list[TimeoutCallback]:
    callbacks = [one for one in document.session_callbacks if isinstance(one, TimeoutCallback)]
    return [one for one in callbacks if one.timeout == ADDRESS_MS]


def test_the_address_follows_changes_once_they_rest(document, explorer):
    location = pn.state.location
    assert location is not None
    before = location.search
    for index in range(1, 11):
        explorer.session.index = index
    assert location.search == before
    (once,) = due(document)
    once.callback()
    assert location.search == write_address(explorer.session)
    assert "image=10" in location.search


def test_a_page_without_controls_has_no_side_bar_and_the_next_has_it_as_it_was(explorer):
    page = explorer.page
    for was_open in (True, False):
        page.sidebar_open = was_open
        assert page.sidebar
        explorer.go("lessons")
        assert (list(page.sidebar), page.sidebar_open) == ([], False)
        explorer.go("inference")
        assert page.sidebar_open == was_open
        assert page.sidebar
    explorer.go("train")
    assert page.sidebar_open is False, "from one page with controls to another it stays as it is"


def test_a_page_does_not_follow_what_other_visitors_make_the_server_do(document, explorer):
    heard = []
    explorer.page.param.watch(lambda event: heard.append(event.new), "busy")
    pn.state._add_busy_event("someone's click")
    pn.state._remove_busy_event("someone's click")
    assert heard == []
