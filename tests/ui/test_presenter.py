"""Presenter mode and themes: for a lecture, in a link, and as a visitor's system or own choice has it."""

from __future__ import annotations

import base64
import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from ui.journeys import (
    WAIT,
    open_elsewhere,
    open_page,
    seek,
    wait_for_frames,
    wait_for_rest,
    wait_until_it_stands_still,
)
from ui.returning import ReturningBrowser
from ui.test_accessibility import audit
from ui.test_titles import CUT

from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.view.player.export import replay_html

SMALL = "model=lrbn-12-digits"
LETTERS = "() => parseFloat(getComputedStyle(window.lrbnPlayers[0].inner).fontSize)"
# Cards in view, by name, and whether they fit into the window, which the player covers.
CARDS = """() => {
  const {presenter, root} = window.lrbnPlayers[0];
  const seen = Object.entries(presenter.nodes).filter(([, node]) => node.getBoundingClientRect().width > 0);
  return {
    cards: seen.map(([name]) => name),
    inside: seen.every(([, node]) => node.getBoundingClientRect().right <= innerWidth + 1),
    covers: root.getBoundingClientRect().width === innerWidth && root.getBoundingClientRect().top === 0,
    wide: root.scrollWidth > innerWidth || root.querySelector(".lv-in").scrollWidth > innerWidth,
  };
}"""
# What shows letters in the cards in view and below them.
LETTERED = """
  const {presenter, root} = window.lrbnPlayers[0], list = root.querySelector(".lv-in");
  const cards = [...Object.values(presenter.nodes), presenter.line].filter((node) => node.checkVisibility());
  const texts = cards.flatMap((card) => {
    const found = [], walk = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) found.push(walk.currentNode);
    return found;
  });
  const seen = texts.filter(({data, parentElement}) => data.trim() && !parentElement.closest(".lv-sr, option")
    && parentElement.checkVisibility({visibilityProperty: true}));
"""
# Remember how large they are; and how many times as large as they were those are that stood there before.
REMEMBER = f"""() => {{
  {LETTERED}
  const sizeOf = ({{parentElement}}) => parseFloat(getComputedStyle(parentElement).fontSize);
  window.lrbnLetters = new Map(seen.map((node) => [node, sizeOf(node)]));
}}"""
RATIOS = f"""() => {{
  {LETTERED}
  const known = seen.filter((node) => window.lrbnLetters.has(node));
  const sizeOf = ({{parentElement}}) => parseFloat(getComputedStyle(parentElement).fontSize);
  return known.map((node) => [node.data.trim(), sizeOf(node) / window.lrbnLetters.get(node)]);
}}"""
# Words that lie on other words.
OVERLAPS = f"""() => {{
  {LETTERED}
  const lines = seen.flatMap((node) => {{
    const range = document.createRange(), text = node.data.trim();
    range.selectNodeContents(node);
    return Array.from(range.getClientRects(), (box) => ({{box, text, of: node.parentElement}}));
  }});
  const shared = (a, b, low, high) => Math.min(a[high], b[high]) - Math.max(a[low], b[low]);
  const lies = ({{box: a}}, {{box: b}}) => shared(a, b, "left", "right") > 3
    && shared(a, b, "top", "bottom") > 0.35 * Math.min(a.height, b.height);
  const pairs = lines.flatMap((one, n) => lines.slice(n + 1).map((other) => [one, other]));
  return pairs.filter(([a, b]) => a.of !== b.of && list.contains(a.of) === list.contains(b.of) && lies(a, b))
    .map(([a, b]) => `${{a.text}} lies on ${{b.text}}`);
}}"""
# Words above the caption that reach below the edge of their room, where a caption covers them.
UNDER_THE_CAPTION = f"""() => {{
  {LETTERED}
  const room = list.getBoundingClientRect(), walk = document.createTreeWalker(list, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walk.nextNode()) {{
    const {{data, parentElement}} = walk.currentNode, range = document.createRange();
    if (!data.trim() || parentElement.closest(".lv-sr, option")) continue;
    range.selectNodeContents(walk.currentNode);
    const boxes = [...range.getClientRects()].filter(({{width, height}}) => width > 0 && height > 0);
    if (parentElement.checkVisibility({{visibilityProperty: true}})
      && boxes.some(({{bottom}}) => bottom > room.bottom + 1)) found.push(data);
  }}
  return found;
}}"""
FOCUSED = "(node) => { node.focus(); return node.getRootNode().activeElement === node; }"
DARK = "dark => window.lrbnPlayers?.[0]?.root.dataset.scheme === (dark ? 'dark' : 'light')"


def caption(page: Page) -> str:
    wait_for_rest(page)
    return page.locator(".lv-caption-line").inner_text()


def test_presenter_mode_fills_the_page_says_what_happens_and_is_in_the_link(
    page: Page, serve_app, artifacts, seen
):
    open_page(page, f"{serve_app.url}?{SMALL}&start=random&seed=1")
    before = page.evaluate(LETTERS)
    page.keyboard.press("f")
    page.wait_for_function("() => location.search.includes('present=')")
    wait_until_it_stands_still(page)  # the cards have been given their sizes
    assert 2 * before <= page.evaluate(LETTERS) < 2.3 * before, "twice those of so wide a player"
    assert page.evaluate(CARDS) == {
        "cards": ["lane1", "why"],
        "inside": True,
        "covers": True,
        "wide": False,
    }
    expect(page.get_by_role("button", name="Leave presenter mode")).to_be_focused()
    for hidden in ("Generate", "Train"):
        link = page.get_by_role("link", name=hidden)
        assert not link.evaluate(FOCUSED), "covered, so out of reach"
    seek(page, 3)
    first = caption(page)
    why = page.evaluate("() => window.lrbnPlayers[0].panels.why.verdict.textContent")
    assert first == f"{page.evaluate('() => window.lrbnPlayers[0].transport.said(3)')}. {why}"
    page.keyboard.press("ArrowRight")
    second = caption(page)
    assert second != first
    assert second.startswith("Visit 4 of")
    page.get_by_label("Second card").select_option("matrix")
    assert page.evaluate(CARDS)["cards"] == ["lane1", "matrix"]
    verdict = "() => window.lrbnPlayers[0].panels.why.caption()"
    assert caption(page).endswith(page.evaluate(verdict)), "in sight or not"
    page.get_by_role("button", name="captions").click()
    expect(page.locator(".lv-caption-line")).to_be_hidden()
    page.get_by_role("button", name="dark", exact=True).click()
    page.wait_for_function(DARK, arg=True)
    page.wait_for_function(
        """() => {
          const asked = new URLSearchParams(location.search);
          return asked.get("present") === "lane1.matrix" && asked.get("captions") === "off"
            && asked.get("theme") === "dark" && asked.get("visit") === "4";
        }"""
    )
    wait_until_it_stands_still(page)
    link, cards = page.url, page.evaluate(CARDS)
    page.keyboard.press("Escape")
    page.wait_for_function("() => !location.search.includes('theme=')")
    page.evaluate("() => localStorage.clear()")
    open_elsewhere(page, link)
    again = open_page(page, link)
    again.wait_for_function(DARK, arg=True)
    wait_until_it_stands_still(again)
    assert again.evaluate(CARDS) == cards
    expect(again.locator(".lv-caption-line")).to_be_hidden()
    again.get_by_role("button", name="captions").click()
    expect(again.locator(".lv-caption-line")).to_be_visible()
    found, _, passed = audit(again)
    assert not found, "\n".join(found)
    assert "color-contrast" in passed
    for width, height in ((360, 740), (3840, 2160), (1440, 900)):
        again.set_viewport_size({"width": width, "height": height})
        wait_until_it_stands_still(again)
        shown = again.evaluate(CARDS)
        assert (shown["inside"], shown["wide"]) == (True, False), width
        artifacts(again, f"presenter-{width}")
    again.keyboard.press("Escape")
    assert len(again.evaluate(CARDS)["cards"]) > 4
    assert again.evaluate(LETTERS) == before
    expect(again.get_by_role("button", name="Presenter mode")).to_be_focused()
    assert again.get_by_role("link", name="Generate").evaluate(FOCUSED)
    again.wait_for_function("() => !location.search.includes('present=')")
    assert "theme=dark" in again.url, "its link named it"
    seen.assert_clean()


@pytest.mark.parametrize(
    "width", [360, *(pytest.param(width, marks=pytest.mark.slow) for width in (720, 1440, 3840))]
)
def test_letters_are_twice_as_large_at_every_width_and_nothing_is_cut_or_lies_on_anything(
    page: Page, tmp_path, artifacts, width
):
    session = Session(
        dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits", cursor=20
    )
    path = tmp_path / "replay.html"
    path.write_text(
        replay_html(session.models, session.dataset.image_shape, lanes_of(session), words_of(session)),
        encoding="utf-8",
    )
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    names = page.evaluate("() => Object.keys(window.lrbnPlayers[0].presenter.nodes)")
    assert {"image", "lane1", "lane2", "why", "matrix", "raster", "truth"} <= set(names)
    present = "cards => { window.lrbnPlayers[0].presenter.show(cards); }"
    compared, faults = 0, []
    page.set_viewport_size({"width": width, "height": 1200})
    page.evaluate(present, [])
    wait_for_rest(page)
    page.evaluate(REMEMBER)
    for cards in (*([name] for name in names), ["lane1", "why"]):
        page.evaluate(present, cards)
        wait_for_frames(page)
        wait_for_rest(page)
        wait_for_frames(page)
        ratios = page.evaluate(RATIOS)
        compared += len(ratios)
        for what, ratio in ratios:
            if not 1.99 <= ratio <= 2.3:
                faults.append(f"{cards}: {what} is {ratio:.2f} times as large")
        faults += [f"{cards}: {what} is cut" for what in page.evaluate(CUT)["cut"]]
        faults += [f"{cards}: {what}" for what in page.evaluate(OVERLAPS)]
        shown = page.evaluate(CARDS)
        if not shown["inside"] or shown["wide"]:
            faults.append(f"{cards}: wider than the page")
        artifacts(page, f"presenter-{width}-{'-'.join(cards)}")
    assert compared > 50
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize(
    ("width", "height"),
    [(1440, 900), *(pytest.param(*size, marks=pytest.mark.slow) for size in ((1920, 1080), (3840, 2160)))],
)
def test_a_lane_and_why_its_unit_is_as_it_is_are_in_view_at_once(page: Page, serve_app, width, height):
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat&visit=300&unit=7")
    page.keyboard.press("f")
    page.wait_for_function("() => window.lrbnPlayers[0].presenter.on")
    wait_for_rest(page)
    places = page.evaluate(
        """() => {
          const {root} = window.lrbnPlayers[0];
          const bars = [...root.querySelectorAll(".lv-bars > b")].at(-1).getBoundingClientRect();
          const curve = root.querySelector(".lv-curve canvas").getBoundingClientRect();
          const foot = root.querySelector(".lv-foot").getBoundingClientRect();
          return [curve.top, curve.bottom, bars.bottom, foot.top];
        }"""
    )
    assert places == sorted(places), "the curve, the sum of the bars, and then the line below"
    assert places[0] > 0
    assert page.evaluate(OVERLAPS) == []
    assert page.evaluate(CUT)["cut"] == []


def test_a_lane_of_named_variables_and_why_are_on_the_screen_of_a_projector_whole(page: Page, serve_app):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(page, f"{serve_app.url}?model=lrbn-6-findings&visit=3&present=lane1.why")
    wait_for_rest(page)
    wait_until_it_stands_still(page)
    scrolling = """() => [...window.lrbnPlayers[0].root.querySelectorAll("*")].filter((node) =>
      node.checkVisibility() && /auto|scroll/.test(getComputedStyle(node).overflowY)
      && node.scrollHeight > node.clientHeight + 1).map((node) => node.className)"""
    assert page.evaluate(scrolling) == []
    assert page.locator("[data-lane='0'] .lv-reconstruction li").count() == 14
    assert page.evaluate(OVERLAPS) == []


def test_cards_of_a_link_fit_the_screen_although_their_pictures_come_later(page: Page, serve_app, seen):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(
        page,
        f"{serve_app.url}?model=lrbn-200-mnist-flat&rival=factorised:lrbn-200-mnist-flat&visit=300"
        "&present=why.matrix",
    )
    expect(page.locator(".lv-who .lv-chips-row img").nth(2)).to_be_visible()
    wait_for_rest(page)
    wait_until_it_stands_still(page)
    heights = page.evaluate(
        "() => { const {inner: n} = lrbnPlayers[0]; return [n.scrollHeight, n.clientHeight]; }"
    )
    assert heights[0] <= heights[1], "nothing scrolls"
    seen.assert_clean()


def test_both_lanes_or_two_cards_and_the_image_are_on_the_screen_of_a_projector(page: Page, serve_app, seen):
    page.set_viewport_size({"width": 1280, "height": 720})
    open_page(
        page, f"{serve_app.url}?model=lrbn-200-mnist-flat&rival=factorised:lrbn-200-mnist-flat&visit=300"
    )
    pairs = (["lane1", "lane2"], ["lane1", "why"], ["why", "matrix"])
    without_captions = (["lane2", "why"], ["image", "lane1"])
    for width, height, captions, all_cards in (
        (1280, 720, True, pairs),
        (1280, 720, False, (*pairs, *without_captions)),
        (1366, 768, True, pairs),
        (1920, 1080, True, pairs),
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("on => { window.lrbnPlayers[0].presenter.say(on); }", captions)
        for cards in all_cards:
            page.evaluate("cards => { window.lrbnPlayers[0].presenter.choose(cards); }", cards)
            wait_until_it_stands_still(page)
            wait_for_rest(page)
            wait_until_it_stands_still(page)
            top, bottom, wide, image, foot = page.evaluate(
                """() => {
                  const {presenter, inner} = window.lrbnPlayers[0], room = inner.getBoundingClientRect();
                  const boxes = presenter.cards.map((name) => presenter.nodes[name].getBoundingClientRect());
                  const {picture, nodes} = presenter;
                  const shown = picture.hidden ? nodes.image.querySelector("canvas") : picture;
                  const image = shown.getBoundingClientRect();
                  return [Math.min(...boxes.map(({top}) => top)) - room.top,
                    room.bottom - Math.max(...boxes.map(({bottom}) => bottom)),
                    inner.scrollWidth - inner.clientWidth, [image.width, image.height],
                    picture.hidden || image.top >= room.bottom];
                }"""
            )
            case = width, captions, cards
            assert (top >= 0, bottom >= 0, wide) == (True, True, 0), (case, top, bottom)
            assert min(image) >= 60, "the image is among the cards or below them"
            assert foot
            assert page.evaluate(OVERLAPS) == [], case
            assert page.evaluate(CUT)["cut"] == [], case
            assert page.evaluate(UNDER_THE_CAPTION) == [], case
            if "why" in cards:
                tiles = page.locator(".lv-who .lv-chips-row > *")
                assert tiles.count() >= 3
                for n in range(3):
                    expect(tiles.nth(n).locator("img")).to_be_in_viewport(ratio=1)
                    expect(tiles.nth(n).locator("span").last).to_be_in_viewport(ratio=1)
    seen.assert_clean()


@pytest.mark.slow
def test_the_systems_theme_is_followed_until_one_is_chosen_and_a_link_says_its_own(
    browser: ReturningBrowser, serve_app
):
    context = browser.new_context(color_scheme="dark")
    context.set_default_timeout(WAIT)
    page = open_page(context.new_page(), f"{serve_app.url}?{SMALL}")
    page.wait_for_function(DARK, arg=True)
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(15, 20, 25)"
    page.emulate_media(color_scheme="light")
    page.wait_for_function(DARK, arg=False)
    assert "theme" not in page.url
    toggle = page.get_by_role("button", name="Toggle theme")
    expect(toggle).to_have_attribute("aria-pressed", "false")
    toggle.click()
    page.wait_for_function(DARK, arg=True)
    page.reload()
    page.wait_for_function(DARK, arg=True)
    linked = open_page(context.new_page(), f"{serve_app.url}?{SMALL}&theme=light")
    linked.wait_for_function(DARK, arg=False)
    other = context.new_page()
    other.goto(f"{serve_app.url}?page=train&theme=light")
    scheme = "scheme => window.lrbnBoards?.[0]?.root.dataset.scheme === scheme"
    other.wait_for_function(scheme, arg="light")
    other.goto(f"{serve_app.url}?page=train")
    other.wait_for_function(scheme, arg="dark")
    # Panel's components may tell each other of a theme that they had before: then the page's is said anew
    other.evaluate(
        """() => {
          window.schemes = []; // those that were, each when another follows
          const left = (records) => window.schemes.push(...records.map((record) => record.oldValue));
          const said = {attributeFilter: ["data-scheme"], attributeOldValue: true};
          new MutationObserver(left).observe(window.lrbnBoards[0].root, said);
        }"""
    )
    tell = """() => {
      const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
      models.find((model) => model.class_name === "Page").data.dark_theme = false;
      return window.schemes.includes("light");
    }"""
    other.wait_for_function(tell, polling=1000)  # what still arrives may speak against the first
    other.wait_for_function(scheme, arg="dark")
    linked.get_by_role("button", name="Toggle theme").click()  # the link follows, and so do later pages
    linked.wait_for_function("() => location.search.includes('theme=dark')")
    linked.get_by_role("button", name="Toggle theme").click()
    other.wait_for_function(scheme, arg="light")
    context.close()


@pytest.mark.slow
def test_no_frame_of_a_page_opened_dark_is_light(browser: ReturningBrowser, serve_app):
    """A page keeps its light parts out of sight until they are dark; what the browser paints is looked at."""
    context = browser.new_context(color_scheme="dark", viewport={"width": 1000, "height": 700})
    context.set_default_timeout(WAIT)
    page = open_page(
        context.new_page(), f"{serve_app.url}?{SMALL}"
    )  # before the next page this one is in sight
    wire = context.new_cdp_session(page)
    frames: list[str] = []

    def take(event: dict[str, Any]) -> None:
        frames.append(event["data"])
        wire.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    wire.on("Page.screencastFrame", take)
    wire.send("Page.startScreencast", {"format": "png", "everyNthFrame": 1})
    open_page(page, f"{serve_app.url}?{SMALL}&image=3")
    wire.send("Page.stopScreencast")
    pictures = [np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("L")) for data in frames]
    light = [float((picture > 200).mean()) for picture in pictures]
    assert len(light) > 2
    assert max(light) < 0.2, [round(share, 2) for share in light]
    context.close()
