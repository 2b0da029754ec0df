"""Each page opens in the same state by its address, by its link in the header, and by going there."""

from __future__ import annotations

from typing import Any

import pytest
from app.explorers import explorer
from bokeh.document import Document
from panel.io.state import set_curdoc

from lrbn_viz.app import shell
from lrbn_viz.app.address import FIRST, SETTINGS, link_to, names_of_first, settings_of
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.state import Session

LOOK = first_look.read()


def states(found: shell.Explorer) -> dict[str, Any]:
    """Return the page that is shown, and the parameters of its state and of the Inference page's."""
    state = found.lessons if found.shown == "lessons" else found._parts_of(found.shown).state
    shown = {FIRST: found.session, found.shown: found.session if found.shown == FIRST else state}
    return {"shown": found.shown} | {
        f"{page}.{name}": getattr(shown[page], name) for page in shown for name in settings_of(page)
    }


@pytest.mark.parametrize("page", shell.PAGES)
def test_the_address_of_a_page_opens_it_as_the_header_does(page):
    assert link_to(page) == f"?page={page}"
    by_address = explorer(link_to(page)[1:])
    gone_there = explorer("")
    with set_curdoc(Document()):
        gone_there.go(page)
        found = states(gone_there)
        assert found["shown"] == page
        assert states(by_address) == found
    assert by_address.session.shown_first is LOOK
    assert not by_address.notices.texts


def test_going_on_from_the_address_of_another_page_opens_each_as_its_own_address_does():
    found = explorer("page=lessons")
    with set_curdoc(Document()):
        for page in ("generate", FIRST):
            found.go(page)
            assert states(found) == states(explorer(f"page={page}"))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_an_address_with_a_theme_alone_shows_the_first_look_in_it(theme):
    found = explorer(f"theme={theme}")
    assert (found.session.theme, found.session.shown_first) == (theme, LOOK)


@pytest.mark.parametrize("name", [row.name for row in SETTINGS[FIRST] if row.name != "theme"])
def test_an_address_that_names_any_other_setting_means_the_defaults_of_the_others(name):
    assert names_of_first(f"?page=train&theme=dark&{name}=") == [name]
    assert names_of_first("?page=train&theme=dark&run=x&preset=warmed&nonsense=1") == []


def test_a_setting_that_does_not_fit_opens_the_defaults_that_its_notice_names():
    found = explorer("model=nothing")
    assert found.session.shown_first is None
    assert found.session.model_name == Session().model_name
    assert "lrbn-200-mnist-flat is shown" in found.notices.texts[-1]
