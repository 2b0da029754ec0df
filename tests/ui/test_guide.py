"""The guided beginning, as somebody new meets it: on a laptop, on a phone, without a server."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from ui.journeys import WAIT, wait_for_rest
from ui.returning import ReturningBrowser
from ui.test_accessibility import audit

from lrbn_viz import export_live
from lrbn_viz.io.constants import GUIDE_COOKIE

GUIDE = ".lv-lesson"
SIZES = {"laptop": {"width": 1366, "height": 768}, "phone": {"width": 390, "height": 844}}
CARDS = """() => Array.from(
  window.lrbnPlayers[0].root.querySelectorAll('.lv-card'),
  (card) => [card.getAttribute('aria-label'), card.checkVisibility()],
).filter(([, shown]) => shown).map(([name]) => name)"""


def begun(page: Page, url: str) -> Locator:
    """Open an address, wait for the player, and return the guide."""
    page.goto(url, timeout=WAIT)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    return page.locator(GUIDE)


def step(page: Page, number: int, of: int = 7) -> None:
    """Wait for a step."""
    expect(page.locator(f"{GUIDE} header")).to_contain_text(f"Step {number} of {of}")
    wait_for_rest(page)


def go_on(page: Page) -> None:
    page.locator(GUIDE).get_by_role("button", name="Next", exact=True).click()


def answer(page: Page, words: str) -> None:
    page.locator(GUIDE).get_by_text(words).click()
    page.locator(GUIDE).get_by_role("button", name="See what happens").click()
    expect(page.locator(f"{GUIDE} h3").first).to_be_visible()


def node(page: Page, name: str) -> Locator:
    """A node of the network."""
    return page.locator("[data-part=network]").get_by_role("button", name=re.compile(f"^{name}"))


def in_sight(page: Page, wanted: str) -> bool:
    """Whether the middle of a card is within the window and above the transport."""
    return page.evaluate(
        """(wanted) => {
          const {root} = window.lrbnPlayers[0], card = root.querySelector(wanted),
            {top, left, width} = card.getBoundingClientRect();
          return card.checkVisibility() && left >= -1 && width > 100 && top < innerHeight - 150 && top > -40;
        }""",
        wanted,
    )


@pytest.mark.parametrize("size", SIZES)
def test_somebody_new_is_led_from_an_alarm_to_a_stroke_and_has_something_to_do_at_each_step(
    browser: ReturningBrowser, serve_app, size
):
    context = browser.new_visitor(viewport=SIZES[size])
    context.set_default_timeout(WAIT)
    page = context.new_page()
    complaints: list[Any] = []
    page.on("pageerror", lambda error: complaints.append(error))
    guide = begun(page, serve_app.url)
    step(page, 1)
    expect(guide).to_contain_text("In the network, press alarm")
    assert in_sight(page, "[data-part=network]")
    assert not [name for name in page.evaluate(CARDS) if name and "Why" in name]
    node(page, "alarm").click()
    expect(node(page, "burglary")).to_contain_text("0.4311")
    new, _, _ = audit(page)
    assert not new, "\n".join(new)
    go_on(page)
    step(page, 2)
    answer(page, "It becomes improbable again")
    expect(guide).to_contain_text("explained away")
    expect(node(page, "burglary")).to_contain_text("0.1130")
    go_on(page)
    step(page, 3)
    expect(node(page, "burglary")).to_contain_text("0.4311")
    for _ in range(2):
        node(page, "radio report").click()
    expect(node(page, "burglary")).to_contain_text("0.6378")
    go_on(page)
    step(page, 4)
    answer(page, "Four: the others are not needed")
    expect(page.locator(".lv-lane[data-lane='0'] .lv-latents")).to_contain_text("4 of 16 on")
    go_on(page)
    step(page, 5)
    answer(page, "It turns the unit off")
    expect(guide).to_contain_text("take 59.5 of them")
    wait_for_rest(page)
    assert in_sight(page, ".lv-why")
    go_on(page)
    step(page, 6)
    expect(page.locator(".lv-lane[data-lane='1'] h2")).to_contain_text("RBM")
    expect(page.get_by_label("Model in lane 2")).to_be_visible()
    go_on(page)
    step(page, 7)
    expect(guide).to_contain_text("To take home")
    expect(page.locator(".lv-tools [data-do=hide]")).to_be_visible()
    assert not [name for name in page.evaluate(CARDS) if name == "Explain-away matrix"]
    guide.get_by_role("button", name="Show all").click()
    expect(page.locator(".lv-matrix")).to_be_visible()
    guide.get_by_role("button", name="Close").click()
    expect(guide).to_have_count(0)
    begun(page, serve_app.url)
    expect(page.locator(GUIDE)).to_have_count(0)
    assert not complaints
    context.close()


def test_one_press_skips_it_and_it_stays_away(visitor: BrowserContext, serve_app):
    page = visitor.new_page()
    guide = begun(page, serve_app.url)
    step(page, 1)
    guide.get_by_role("button", name="Skip").click()
    expect(guide).to_have_count(0)
    assert {cookie.get("name") for cookie in visitor.cookies()} >= {GUIDE_COOKIE}
    begun(page, serve_app.url)
    expect(page.get_by_role("region", name="What is shown, in captions")).to_be_visible()
    expect(page.locator(GUIDE)).to_have_count(0)


def test_an_address_with_settings_opens_what_it_names(visitor: BrowserContext, serve_app):
    page = visitor.new_page()
    begun(page, f"{serve_app.url}?model=lrbn-2-alarm")
    wait_for_rest(page)
    expect(page.locator(GUIDE)).to_have_count(0)


def test_the_guide_of_a_live_page_ends_with_its_own_models(visitor: BrowserContext, tmp_path):
    path = tmp_path / "digits.html"
    export_live(path, "lrbn-16-digits", n_images=20)
    page = visitor.new_page()
    guide = begun(page, path.as_uri())
    expect(guide).to_contain_text("Two causes")
    go_to(page, 7, of=9)
    expect(guide).to_contain_text("Visit by visit")
    expect(page.locator(".live > header")).to_contain_text("LRBN-16, 8x8 digits")
    go_on(page)
    step(page, 8, of=9)
    expect(page.locator(".lv-why")).to_be_visible()
    go_on(page)
    step(page, 9, of=9)
    page.locator(".lv-tools [data-do=forget]").click()
    expect(page.locator(".lv-input .lv-caption")).to_contain_text("64 pixels not known")
    guide.get_by_role("button", name="Close").click()
    begun(page, path.as_uri())
    expect(page.locator(GUIDE)).to_be_hidden()


@pytest.mark.parametrize("name", ["lrbn-2-alarm", "lrbn-200-mnist-flat", "lrbn-40-digits-grey"])
def test_every_live_page_shows_an_alarm_bars_a_digit_and_a_trained_rbm(
    visitor: BrowserContext, tmp_path, name: str
):
    path = tmp_path / "page.html"
    export_live(path, name, n_images=20)
    page = visitor.new_page()
    guide = begun(page, path.as_uri())
    of = {"lrbn-2-alarm": 6}.get(name, 8 if name.endswith("grey") else 9)
    go_to(page, 4, of=of)
    expect(guide).to_contain_text("four bars")
    answer(page, "Four: the others")
    go_on(page)
    step(page, 5, of=of)
    expect(page.locator(".live > header")).to_contain_text("8x8 digits")
    answer(page, "It turns the unit off")
    expect(guide).to_contain_text("take 32.1 of them")
    expect(page.locator(".lv-why")).to_contain_text("\N{MINUS SIGN}32.10")
    go_on(page)
    step(page, 6, of=of)
    expect(guide).to_contain_text("restricted Boltzmann machine")
    expect(page.get_by_role("combobox", name="Model").nth(1)).to_have_value("rbm-16-digits")


def go_to(page: Page, number: int, of: int = 7) -> None:
    """Go on to a step; predict where it is asked."""
    for here in range(1, number):
        step(page, here, of=of)
        options = page.locator(f"{GUIDE} label")
        if options.count():
            options.first.click()
            page.locator(GUIDE).get_by_role("button", name="See what happens").click()
        go_on(page)
    step(page, number, of=of)


def test_all_steps_of_the_guide_are_in_the_live_page_and_its_menus_lead_on(visitor: BrowserContext, tmp_path):
    path = tmp_path / "live.html"
    export_live(path)
    page = visitor.new_page()
    guide = begun(page, path.as_uri())
    step(page, 1, of=7)
    node(page, "alarm").click()
    expect(node(page, "burglary")).to_contain_text("0.4311")
    go_to(page, 7)
    expect(page.locator(".live > header")).to_contain_text("MNIST")
    expect(guide.get_by_role("button", name="Close")).to_be_visible()
    guide.get_by_role("button", name="Close").click()
    menu = page.get_by_role("combobox", name="Model").first
    menu.select_option("lrbn-16-bars")
    expect(page.locator(".live > header")).to_contain_text("Crossing bars")
    page.wait_for_url("**#model=lrbn-16-bars&**")
    page.reload()
    expect(page.locator(".live > header")).to_contain_text("Crossing bars")
    menu.select_option("lrbn-200-mnist-flat")
    expect(page.locator(".live > header")).to_contain_text("MNIST")
    # it trains, too, on the small digits that it holds
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Single minibatch", exact=True).click()
    page.wait_for_function("() => window.lrbnBoards[0].status === 'paused'")
    page.evaluate("() => window.lrbnBoards[0].say({type: 'show'})")
    expect(page.locator(".live > header")).to_contain_text("LRBN in training, after minibatch 1")
    expect(page.locator(".live > header")).to_contain_text("8x8 digits")


def test_a_live_page_begins_with_the_steps_that_it_can_show(visitor: BrowserContext, tmp_path):
    path = tmp_path / "alarm.html"
    export_live(path, "lrbn-2-alarm", n_images=20)
    page = visitor.new_page()
    guide = begun(page, path.as_uri())
    step(page, 1, of=6)
    node(page, "alarm").click()
    expect(node(page, "burglary")).to_contain_text("0.4311")
    go_on(page)
    step(page, 2, of=6)
    answer(page, "It becomes improbable again")
    expect(node(page, "burglary")).to_contain_text("0.1130")
    guide.get_by_role("button", name="Skip").click()
    expect(guide).to_be_hidden()
    begun(page, path.as_uri())
    expect(page.locator(GUIDE)).to_be_hidden()
