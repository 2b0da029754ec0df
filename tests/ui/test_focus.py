"""By the Tab key alone: past the header at once, and at every stop one sees where one is."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import WAIT, wait_until_it_stands_still, wait_until_linked
from ui.test_accessibility import wait_for_colours

from lrbn_viz.io.theme import DARK, HEADER, LIGHT
from lrbn_viz.view import player

READY = {
    "inference": "() => window.lrbnPlayers?.[0]?.whole() && window.lrbnPlayers[0].atRest",
    "train": "() => window.lrbnBoards?.[0]",
    "generate": "() => window.lrbnGenerators?.[0]?.clock.stats.painted > 0",
}
MIN_CONTRAST = 3.0  # WCAG 2.2, success criteria 1.4.11 and 2.4.13

# What has the focus, how a node looks, and what is beside its outline.
LOOKS = """
  const inner = () => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at;
  };
  const named = (node) => {
    const words = node.getAttribute("aria-label") || node.textContent || node.title || "";
    return `${node.tagName}.${node.className}: ${words.trim().slice(0, 60)}`;
  };
  const look = (node) => {
    const {outlineStyle, outlineWidth, outlineColor, boxShadow} = getComputedStyle(node);
    const width = parseFloat(outlineWidth);
    return {outline: outlineStyle === "none" || !width ? "" : outlineColor, width, boxShadow};
  };
  const ground = (node) => {
    const within = parseFloat(getComputedStyle(node).outlineOffset) < 0;
    for (let at = node; at; at = at.parentNode ?? at.host) {
      if (at instanceof Element && (at !== node || within)) {
        const {backgroundColor} = getComputedStyle(at);
        if (!/, 0\\)$/.test(backgroundColor) && backgroundColor !== "transparent") return backgroundColor;
      }
    }
    return "rgb(255, 255, 255)";
  };
"""
# What has the focus, and how what had it before looks without it.
LOOK = f"""() => {{
  {LOOKS}
  const now = inner(), before = window.lrbnBefore;
  const unfocused = before && before !== now ? look(before) : null;
  window.lrbnBefore = now;
  const stops = window.lrbnStops ||= new Set();
  const again = stops.has(now);
  stops.add(now);
  if (now === document.body || again) return {{name: "", again, unfocused}};
  return {{name: named(now), again, unfocused, look: look(now), ground: ground(now)}};
}}"""
# Every stop of the Tab key there is now: how it looks without the focus, and with it. After a press of that
# key, what a script focuses shows it, too.
EACH = f"""() => {{
  {LOOKS}
  const trees = (root) => [root, ...Array.from(root.querySelectorAll("*")).flatMap(
    ({{shadowRoot}}) => (shadowRoot ? trees(shadowRoot) : []))];
  const stops = trees(document).flatMap((tree) => Array.from(tree.querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]")))
    .filter((node) => node.tabIndex >= 0 && !node.disabled)
    .filter((node) => node.checkVisibility({{visibilityProperty: true}}));
  return stops.flatMap((node) => {{
    node.blur();
    const unfocused = look(node);
    node.focus({{preventScroll: true}});
    return inner() === node ? [{{name: named(node), unfocused, look: look(node), ground: ground(node)}}] : [];
  }});
}}"""


def unseen(look: dict[str, Any], unfocused: dict[str, Any], ground: str) -> bool:
    """Whether an eye cannot tell where the focus is."""
    colour, width = look["outline"], look["width"]
    return look == unfocused or not colour or width < 2 or contrast(colour, ground) < MIN_CONTRAST


def luminance(colour: str) -> float:
    if colour.startswith("#"):
        values = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    else:
        values = [float(part) for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    shares = [v / 255 for v in values]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_the_colour_of_the_focus_is_seen_on_every_ground(palette):
    for ground in ("page", "surface", "faint", "ground"):
        assert contrast(palette["focus"], palette[ground]) >= MIN_CONTRAST, ground
    assert contrast(HEADER["focus"], HEADER["ground"]) >= MIN_CONTRAST


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name != "inference" else name for name in READY]
)
def test_every_stop_of_the_tab_key_is_seen(page: Page, serve_app, name):
    page.goto(f"{serve_app.url}?page={name}")
    page.wait_for_function(READY[name], timeout=WAIT)
    expect(page.get_by_role("link", name="Generate")).to_be_visible()
    wait_until_linked(page)
    wait_until_it_stands_still(page)
    stops, hidden = [], []
    last = None
    for _ in range(400):
        page.keyboard.press("Tab")
        found = page.evaluate(LOOK)
        if (
            last is not None
            and found["unfocused"] is not None
            and unseen(last["look"], found["unfocused"], last["ground"])
        ):
            hidden.append(last)
        if found["again"]:
            break
        if not stops:
            assert "Skip to what the page shows" in found["name"]
        stops.append(found["name"])
        last = found if found["name"] else None
    else:
        pytest.fail("the Tab key never came round")
    assert len(stops) > 20
    assert [found["name"] for found in hidden] == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => window.lrbnTheme.dark")
    wait_for_colours(page)
    dark = page.evaluate(EACH)
    assert len(dark) >= 0.9 * len(stops), "what the key comes to, but what has gone since"
    assert any("Skip to what the page shows" in each["name"] for each in dark)
    hidden = [each for each in dark if unseen(each["look"], each["unfocused"], each["ground"])]
    assert [each["name"] for each in hidden] == []


def test_the_skip_link_leads_past_the_header_and_the_side_bar(page: Page, serve_app):
    page.goto(serve_app.url)
    page.wait_for_function(READY["inference"], timeout=WAIT)
    link = page.get_by_role("link", name="Skip to what the page shows")
    page.keyboard.press("Tab")
    expect(link).to_be_focused()
    box = link.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    assert box["width"] > 50
    page.keyboard.press("Enter")
    within = """() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return window.lrbnPlayers[0].root.contains(at);
    }"""
    assert page.evaluate(within)
    page.keyboard.press("Tab")
    assert page.evaluate(within)


# A node in a box that scrolls, in a page that does: where both stand after a scroll.
NESTED = """
<button>first</button><div style="height: 900px"></div>
<div id="box" style="height: 300px; overflow-y: auto; border: 7px solid"><div id="host"></div></div>
<div style="height: 1800px"></div><button>last</button>
"""
SCROLLS = """([height, before, pageAt, boxAt]) => {
  const box = document.getElementById("box"), host = document.getElementById("host");
  const tree = host.shadowRoot ?? host.attachShadow({mode: "open"});
  tree.innerHTML = `<div style="height: ${before}px"></div><p style="height: ${height}px; margin: 0">here</p>
    <div style="height: 700px"></div>`;
  const node = tree.querySelector("p");
  const after = (scroll) => {
    window.scrollTo(0, pageAt);
    box.scrollTop = boxAt;
    scroll();
    return [window.scrollY, box.scrollTop];
  };
  return [
    after(() => window.bringIntoView(node)),
    after(() => node.scrollIntoView({block: "nearest"})),
  ];
}"""


def test_what_is_brought_into_view_stands_where_browsers_scroll_it_and_tab_does_not_go_there(page: Page):
    page.set_viewport_size({"width": 800, "height": 600})
    page.set_content(NESTED)
    source = (Path(player.__file__).parent / "js" / "scroll.js").read_text(encoding="utf-8")
    page.add_script_tag(type="module", content=f"{source}\nwindow.bringIntoView = bringIntoView;")
    page.wait_for_function("() => window.bringIntoView")
    for case in itertools.product((40, 500), (0, 400), (0, 700, 2000), (0, 250, 600)):
        ours, theirs = page.evaluate(SCROLLS, list(case))
        assert ours == pytest.approx(theirs, abs=1), case
    page.reload()
    page.set_content(NESTED)
    page.add_script_tag(type="module", content=f"{source}\nwindow.bringIntoView = bringIntoView;")
    page.wait_for_function("() => window.bringIntoView")
    page.evaluate("() => window.bringIntoView(document.querySelector('button:last-of-type'))")
    assert page.evaluate("() => window.scrollY") > 0
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.textContent") == "first"
