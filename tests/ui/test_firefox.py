"""The explorer in Firefox: every page opens, and the player steps and infers what is drawn."""

from __future__ import annotations

import pytest
from ui.firefox import FirefoxPage, firefox_page, firefox_path
from ui.journeys import seek, state, wait_for_rest
from ui.test_live_page import BEGIN_TO_DRAW

pytestmark = pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")

# How many controls a page has, those inside its components too.
CONTROLS = """() => {
  const count = (root) => {
    let n = root.querySelectorAll("button, a[href], input, select").length;
    for (const {shadowRoot} of root.querySelectorAll("*")) if (shadowRoot) n += count(shadowRoot);
    return n;
  };
  return count(document);
}"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory):
    with firefox_page(tmp_path_factory.mktemp("profile")) as page:
        page.set_viewport_size(1440, 900)
        yield page
        # a page that is left says so, when something of it was on its way
        assert [error for error in page.errors if "not connected so cannot send" not in error] == []


def test_the_player_steps_and_infers_what_is_drawn(page: FirefoxPage, serve_app):
    page.goto(serve_app.flat)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.length === 2")
    wait_for_rest(page)
    seek(page, 0)
    page.evaluate("() => window.lrbnPlayers[0].root.focus()")
    page.press("\ue014")  # arrow right
    wait_for_rest(page)
    assert state(page)["k"] == 1
    before = page.evaluate("() => window.lrbnPlayers[0].meta.title")
    box = page.evaluate(BEGIN_TO_DRAW)
    page.drag([(box["x"] + 15 + 8 * n, box["y"] + 20 + 4 * n) for n in range(7)])
    page.wait_for_function("before => window.lrbnPlayers[0].meta.title !== before", arg=before)
    wait_for_rest(page)
    seek(page, 10**9)
    assert state(page)["k"] == state(page)["end"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["train", "generate", "compare", "lessons"])
def test_a_page_opens(page: FirefoxPage, serve_app, name):
    page.goto(f"{serve_app.url}?page={name}")
    page.wait_for_function("name => location.search.includes(`page=${name}`)", arg=name)
    page.wait_for_function(f"() => ({CONTROLS})() > 10")
