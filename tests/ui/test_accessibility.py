"""axe-core on every page, light and dark, wide and narrow: grave findings are mended, not listed.

The rules are those of the axe-core that axe-playwright-python carries, so nothing is fetched.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page
from ui.journeys import wait_for_rest
from ui.test_notebook_player import host

from lrbn_viz import export_live, load_dataset, pretrained
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.notebook import show_trace
from lrbn_viz.view.player.export import replay_html

WIDE, NARROW = (1440, 900), (360, 740)
GRAVE = ("critical", "serious")


class Known(NamedTuple):
    """A serious finding inside panel-material-ui that no property of its Page can change.

    Attributes
    ----------
    rule : str
        What axe-core calls it.
    target : str
        Selector of the one element that has it.
    """

    rule: str
    target: str


KNOWN = (
    Known("aria-progressbar-name", ".MuiLinearProgress-root"),
    Known("aria-prohibited-attr", "[aria-label='Resize sidebar']"),
)

# Grave findings as [rule, impact, place, position in KNOWN or -1], and how many rules were passed.
AUDIT = """async ([known, grave]) => {
  const {violations, passes} = await axe.run(document, {elementRef: true});
  const found = [];
  for (const {id, nodes} of violations) {
    for (const node of nodes.filter(({impact}) => grave.includes(impact))) {
      const where = `${node.target.flat().join(' ')} ${node.html.slice(0, 120)} ${node.failureSummary}`;
      const place = known.findIndex(([rule, target]) => rule === id && node.element.matches(target));
      found.push([id, node.impact, where, place]);
    }
  }
  return {found, passed: passes.map(({id}) => id)};
}"""


# A colour on its way from light to dark passes through ones of too little contrast. It may set out late: what
# draws the buttons hears of a new theme after the page does.
COLOURS_REST = """() => {
  const trees = (root) => [root, ...Array.from(root.querySelectorAll('*')).flatMap(
    ({shadowRoot}) => (shadowRoot ? trees(shadowRoot) : []))];
  const all = trees(document), words = 'button, a, label, select, h1, h2, p';
  const moves = ({playState, effect}) =>
    playState === 'running' && effect.getComputedTiming().iterations !== Infinity;
  const colours = all.flatMap((tree) => Array.from(
    tree.querySelectorAll(words), (node) => getComputedStyle(node).color)).join();
  if (colours !== window.colours || all.some((tree) => tree.getAnimations().some(moves))) {
    [window.colours, window.looks] = [colours, 0];
  }
  return ++window.looks > 8;
}"""


def wait_for_colours(page: Page) -> None:
    """Wait until no colour changes any more."""
    page.evaluate("() => { window.colours = null; }")
    page.wait_for_function(COLOURS_REST, polling=50)


def audit(page: Page) -> tuple[list[str], set[Known], list[str]]:
    """Run axe-core: the grave findings that are new, those of KNOWN, and the names of the rules passed."""
    wait_for_colours(page)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8"))
    result = page.evaluate(AUDIT, [[list(entry) for entry in KNOWN], list(GRAVE)])
    new = [f"{impact} {rule}: {place}" for rule, impact, place, known in result["found"] if known < 0]
    print(*new, sep="\n")  # whole: pytest cuts what it says of a list that should be empty
    return new, {KNOWN[known] for *_, known in result["found"] if known >= 0}, result["passed"]


def wait_until_still(page: Page) -> None:
    """Wait until the player is painted, has told its words, and no answer is under way that would change it.

    A card that waits for one is pale, so that its words have too little contrast.
    """
    page.wait_for_function(
        """() => {
          const player = window.lrbnPlayers?.[0], live = window.lrbnLive;
          if (!player?.whole() || !player.clock.stats.painted || !player.live.textContent) return false;
          if (live && (live.session.unknown.length || live.optima.asked !== null)) return false;
          return player.atRest && player.lanes.every(({meta}) => !meta.pending);
        }"""
    )


def plain(page: Page) -> None:
    """The page as it opens."""
    wait_for_rest(page)


def unit_selected(page: Page) -> None:
    """With the card of a unit: captions that need its room, as on a phone, hide it until dismissed."""
    if not page.evaluate("() => window.lrbnPlayers[0].root.querySelector('.lv-why').checkVisibility()"):
        page.get_by_role("button", name="Dismiss the captions").click()
    page.evaluate("() => { const p = window.lrbnPlayers[0]; p.seek(p.clock.end / 2); p.select(0, 7); }")
    page.get_by_role("heading", name=re.compile(r"\bunit 7\b", re.I)).wait_for()
    wait_until_still(page)  # the words and the partners follow when the cursor rests


def help_open(page: Page) -> None:
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").wait_for()


def glossary_open(page: Page) -> None:
    page.get_by_role("button", name="glossary").click()
    page.get_by_role("dialog", name="Glossary").wait_for()


def drawer_open(page: Page) -> None:
    if page.get_by_role("button", name="Open drawer").count():
        page.get_by_role("button", name="Open drawer").click()
    page.get_by_role("dialog", name="Settings").wait_for()
    page.get_by_role("listbox", name="Images").wait_for()


def set_window(page: Page, size: tuple[int, int], scheme: Any) -> None:
    """Give a page its size and colours before it is opened, and nothing that moves."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")


@pytest.fixture(params=["light", pytest.param("dark", marks=pytest.mark.slow)])
def scheme(request) -> str:
    return request.param


@pytest.fixture
def open_page(page: Page, scheme: str) -> Callable[[str, tuple[int, int]], Page]:
    """Open an address in a window of a given size, in this test's colours."""

    def open_page(address: str, size: tuple[int, int]) -> Page:
        set_window(page, size, scheme)
        page.goto("about:blank")  # addresses may differ in what follows # alone
        page.goto(address)
        wait_until_still(page)
        # Panel's page may first settle in another theme, on a slow machine
        page.wait_for_function("scheme => window.lrbnPlayers[0].root.dataset.scheme === scheme", arg=scheme)
        return page

    return open_page


FIRST_LOOK, SMALL = "", "?model=lrbn-12-digits&visit=5"


Reach = Callable[[Page], None]
REACHES: dict[str, tuple[Reach, ...]] = {
    "page": (plain, unit_selected),
    "dialogs": (help_open, glossary_open),
}


def audit_each(page: Page, reaches: Sequence[Reach]) -> set[Known]:
    """Nothing new and grave is found at any place that one reaches; return which of KNOWN are."""
    found: set[Known] = set()
    for reach in reaches:
        reach(page)
        new, known, passed = audit(page)
        assert new == [], reach.__name__
        assert {"color-contrast", "button-name"} <= set(passed), "was anything looked at?"
        found |= known
    return found


@pytest.mark.parametrize(
    ("scheme", "size", "query", "where"),
    [
        pytest.param(*case, marks=() if case == ("light", WIDE, FIRST_LOOK, "page") else pytest.mark.slow)
        for case in itertools.product(("light", "dark"), (WIDE, NARROW), (FIRST_LOOK, SMALL), REACHES)
    ],
    indirect=["scheme"],
)
def test_the_explorer_has_no_grave_finding_but_the_two_known_ones(serve_app, open_page, size, query, where):
    page = open_page(serve_app.url + query, size)
    known = audit_each(page, REACHES[where])
    if (where, size) == ("page", WIDE):
        assert known == set(KNOWN), "a finding that is gone must leave the list"


def test_the_open_drawer_of_a_phone_has_no_grave_finding(serve_app, open_page):
    page = open_page(serve_app.url, NARROW)
    page.get_by_role("listbox", name="Images").wait_for(state="hidden")  # it has stepped aside
    drawer_open(page)
    wait_until_still(page)
    new, _, passed = audit(page)
    assert new == []
    assert "select-name" in passed, "the menus are in the drawer"


SIZES = pytest.mark.parametrize("size", [NARROW, pytest.param(WIDE, marks=pytest.mark.slow)])


@SIZES
def test_the_exported_replay_has_no_grave_finding(open_page, tmp_path, size):
    session = Session(index=3)
    text = replay_html(session.models, session.dataset.image_shape, lanes_of(session), words_of(session))
    path = tmp_path / "replay.html"
    path.write_text(text, encoding="utf-8")
    page = open_page(path.as_uri(), size)
    assert not audit_each(page, (plain, unit_selected, help_open))


@SIZES
def test_a_live_page_has_no_grave_finding(open_page, tmp_path, size):
    path = tmp_path / "live.html"
    export_live(path, "lrbn-16-digits-strokes", n_images=30)
    page = open_page(f"{path.as_uri()}#algorithm=none", size)  # with what it says of a link
    if size == NARROW:
        page.get_by_role("button", name="Images", exact=True).click()
    assert not audit_each(page, (plain, unit_selected, help_open))


def test_the_notebooks_player_has_no_grave_finding(open_page, scheme, tmp_path):
    model: Any = pretrained("lrbn-12-digits")
    trace = model.map_trace(load_dataset("digits").test_X[0])
    widget = show_trace(trace, title="a test digit", height=900)
    page = open_page(host(tmp_path / "notebook.html", widget, light=scheme == "light"), WIDE)
    assert not audit_each(page, (plain, unit_selected))


def test_a_page_with_grave_findings_is_caught(page):
    page.set_content(
        "<html lang='en'><title>t</title><main><button></button><p style='color: #aaa'>pale</p></main>"
    )
    new, _, _ = audit(page)
    assert [line.split(":")[0] for line in sorted(new)] == [
        "critical button-name",
        "serious color-contrast",
    ]
