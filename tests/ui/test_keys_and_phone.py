"""Play and Next by few keys, keys on their buttons, and a header and a help that fit a finger."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from ui.conftest import ServedApp
from ui.journeys import hurry, open_page, wait_for_frames, wait_until_it_stands_still, wait_until_whole

FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.getAttribute('aria-label') ?? at.textContent;
}"""
SKIPS = {
    "Skip to what the page shows": None,
    "Skip to the captions": "Next caption",
    "Skip to Play": "Play",
    "Skip to the input image": "Input image",
    "Skip to the lanes": "latent units",
}


def stops(page: Page, n: int) -> list[str]:
    """Press Tab so often, and return the name of each stop."""
    names = []
    for _ in range(n):
        page.keyboard.press("Tab")
        names.append(page.evaluate(FOCUSED))
    return names


def test_play_and_next_are_among_the_first_stops_and_links_skip_to_parts_of_the_page(
    page: Page, seen, serve_app: ServedApp
):
    page.goto(serve_app.url)
    hurry(page)
    wait_until_whole(page)
    assert stops(page, len(SKIPS)) == list(SKIPS), "the first of all"
    for name, place in SKIPS.items():
        page.get_by_role("link", name=name).focus()
        page.keyboard.press("Enter")
        if place:
            assert place in page.evaluate(FOCUSED)
        else:
            assert "Next caption" in stops(page, 3)
    # without captions there is nothing to skip to
    open_page(page, serve_app.flat)
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED) == next(iter(SKIPS))
    assert stops(page, 1) == ["Skip to Play"]
    page.get_by_role("link", name=next(iter(SKIPS))).focus()
    page.keyboard.press("Enter")
    assert "Play" in stops(page, 3)
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_function("() => window.lrbnComparisons?.length")
    page.get_by_role("link", name=next(iter(SKIPS))).focus()
    assert not stops(page, 1)[0].startswith("Skip"), "another page has no such parts"
    seen.assert_clean()


def test_keys_stand_on_their_buttons(page: Page, serve_app: ServedApp):
    open_page(page, serve_app.flat)
    buttons = page.evaluate(
        """() => Array.from(window.lrbnPlayers[0].root.querySelectorAll('[data-do]')).flatMap((node) => {
          const keys = node.title.match(/\\(([^)]+)\\)$/)?.[1], kbd = node.querySelector('kbd');
          return keys ? [[keys, kbd?.textContent, kbd?.checkVisibility() ?? false]] : [];
        })"""
    )
    assert len(buttons) >= 12
    for keys, said, is_seen in buttons:
        assert is_seen, keys
        assert said == keys.replace("Shift+", "\u21e7").replace("Page Down", "PgDn")


def test_on_a_phone_links_of_the_header_fit_a_finger_and_help_opens_at_its_beginning(
    page: Page, seen, serve_app: ServedApp
):
    page.set_viewport_size({"width": 390, "height": 844})
    open_page(page, serve_app.flat)
    wait_until_it_stands_still(page)
    links = page.locator(".lv-nav a, .lv-theme, .MuiAppBar-root .MuiIconButton-root")
    boxes = [link.bounding_box() for link in links.all()]
    assert len(boxes) >= 7
    for box in boxes:
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.evaluate("() => window.lrbnPlayers[0].help.show()")
    wait_for_frames(page)
    help_node = page.locator("dialog.lv-help[open]").first
    expect(help_node.locator("h2").first).to_be_in_viewport(ratio=1)
    assert help_node.evaluate("node => [node.scrollTop, node.scrollHeight > node.clientHeight]") == [0, True]
    seen.assert_clean()
