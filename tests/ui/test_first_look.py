"""A bare address plays once, tells its story in captions, and needs no kernel; terms explain themselves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import hurry, open_page, state, wait_for_rest, wait_until_whole
from ui.test_accessibility import set_window

from lrbn_viz.app.inference import first_look

LOOK: Any = first_look.read()
VISIT = LOOK.facts.visit

NO_KERNEL = """\
import threading

from numba.core.dispatcher import Dispatcher

from lrbn_viz.app import warmup
from lrbn_viz.app.shell import build_page

warmup._begun.set()
Dispatcher.compile = lambda *_: threading.Event().wait()  # whoever needs a kernel waits for ever
build_page().servable()
"""


def region(page: Page) -> Any:
    return page.get_by_role("region", name="What is shown, in captions")


@pytest.mark.slow
def test_a_first_start_shows_and_plays_before_any_kernel_is_there(
    page: Page, serve_script: Callable[..., Any], tmp_path: Path, seen
):
    script = tmp_path / "cold.py"
    script.write_text(NO_KERNEL)
    serving = serve_script(script, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    served = next(serving)
    try:
        page.goto(served.url)
        hurry(page)
        # it plays by itself, as far as the visit that the captions tell of
        page.wait_for_function("k => window.lrbnPlayers[0].k === k", arg=VISIT)
        wait_for_rest(page)
        shown = state(page)
        for lane, trace in zip(shown["lanes"], LOOK.traces, strict=True):
            assert lane["h"] == trace.latents(min(VISIT, trace.n_visits)).tolist()
        assert shown["why"]["logOdds"] == pytest.approx(LOOK.facts.log_odds, abs=1e-4)
        assert list((tmp_path / "cache").rglob("*.nb?")) == []
        seen.assert_clean()
    finally:
        served.process.kill()  # a thread of it waits for a kernel
        serving.close()


def test_captions_tell_the_story_and_are_dismissed_for_good(page: Page, serve_app, seen):
    page.goto(serve_app.url)
    hurry(page)
    page.wait_for_function("k => window.lrbnPlayers?.[0]?.k === k", arg=VISIT)
    expect(page.locator(".lv-nav-name")).to_have_text("Latent Regression Bayesian Network")
    told = region(page)
    for number, caption in enumerate(LOOK.story, 1):
        expect(told).to_contain_text(f"{number} of {len(LOOK.story)}")
        expect(told.get_by_role("heading", name=caption["title"])).to_be_visible()
        assert state(page)["k"] == caption["visit"]
        pointed = page.evaluate(
            """() => Array.from(window.lrbnPlayers[0].root.querySelectorAll('.lv-pointed'),
                 (node) => node.getClientRects().length)"""
        )
        assert len(pointed) >= 2
        assert all(pointed), "it points at what is there"
        if number < 3:
            page.keyboard.press("c")
        elif number < len(LOOK.story):
            told.get_by_role("button", name="Next caption").click()
    page.keyboard.press("Shift+C")
    expect(told).to_contain_text(f"{len(LOOK.story) - 1} of")
    told.get_by_role("button", name="Back: previous caption").click()
    expect(told).to_contain_text(f"{len(LOOK.story) - 2} of")
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    assert page.locator(".lv-pointed").count() == 0
    page.goto(serve_app.url)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.clock.stats.painted > 0")
    assert state(page)["k"] == VISIT
    assert not state(page)["playing"]
    expect(region(page)).to_be_hidden()
    page.keyboard.press("?")
    page.get_by_role("button", name="the first look, with captions").click()
    expect(region(page)).to_be_visible()
    hurry(page)
    page.wait_for_function("k => window.lrbnPlayers?.[0]?.k === k", arg=VISIT)
    page.get_by_role("button", name="Next image").click()  # of which the captions would not be true
    expect(region(page)).to_be_hidden()
    seen.assert_clean()


@pytest.mark.slow
def test_it_stands_at_the_visit_where_less_motion_is_asked_for_and_says_nothing_of_a_link(
    page: Page, context, serve_app
):
    set_window(page, (360, 740), "light")
    page.add_init_script(
        """const wait = setInterval(() => {
          const player = window.lrbnPlayers?.[0];
          if (!player) return;
          clearInterval(wait);
          window.cursors = [];
          const {paint} = player;
          player.paint = (k) => { if (player.lanes) window.cursors.push(k); paint.call(player, k); };
        }, 1);"""
    )
    page.goto(serve_app.url)
    expect(region(page)).to_be_visible()
    wait_for_rest(page)
    assert state(page)["k"] == VISIT
    assert set(page.evaluate("() => window.cursors")) == {VISIT}
    open_page(page, serve_app.flat)
    expect(region(page)).to_be_hidden()
    assert state(page)["k"] == 0


def test_terms_explain_themselves_on_hover_focus_and_touch_and_lead_to_their_equation(
    page: Page, serve_app, seen
):
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits&visit=5")
    explained = page.get_by_role("group", name="What it means")
    for term, words in (
        ("nats", "natural logarithms"),
        ("visit", "One look at one unit"),
        ("sweep", "every unit that is not held"),
        ("theorem", "never lowers"),
        ("icm", "iterated conditional modes"),
        ("conditional", "with all others off"),
        ("explain-away", "needed less"),
        ("lrbn", "Latent Regression Bayesian Network"),
    ):
        word = page.locator(f"[data-term='{term}']").locator("visible=true").first
        if term == "explain-away":  # the word stands there when the others explain the unit away
            page.evaluate(
                """() => { const p = window.lrbnPlayers[0];
                  for (let k = 1; k <= p.clock.end && !(p.panels.why.terms?.othersSum < -0.1); k++)
                    { p.seek(k); p.clock.frame(performance.now()); } }"""
            )
        # a card is filled once it is near, which moves what stands below it: also from under the pointer
        wait_until_whole(page)
        word.scroll_into_view_if_needed()
        wait_until_whole(page)
        word.hover()
        expect(explained).to_contain_text(words)
        page.mouse.move(5, 300)
        expect(explained).to_be_hidden()
    word = page.get_by_role("button", name="others", exact=True)
    word.focus()
    page.keyboard.press("Enter")  # as a touch does
    expect(explained).to_contain_text("Below 0 they explain this unit away")
    moved = page.evaluate(
        """() => new Promise((done) => { const {inner} = window.lrbnPlayers[0];
          inner.addEventListener("scroll", () => done(inner.scrollTop), {once: true});
          inner.scrollBy(0, inner.scrollTop > 9 ? -9 : 9); })"""
    )
    assert moved >= 0
    expect(explained).to_be_visible()  # it stays beside its word, and the next key leads into it
    word_at, box = word.bounding_box(), explained.bounding_box()
    assert word_at
    assert box
    gap = max(box["y"] - word_at["y"] - word_at["height"], word_at["y"] - box["y"] - box["height"])
    assert 0 <= gap < 12
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    equations = page.get_by_role("dialog", name="Equations")
    expect(equations).to_be_visible()
    expect(equations.locator("[data-asked]")).to_contain_text("The four bars")
    expect(equations.locator("[data-asked]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(equations).to_be_hidden()
    page.keyboard.press("Escape")
    expect(explained).to_be_hidden()
    seen.assert_clean()


def test_the_next_unit_that_turns_off_is_a_key_and_a_button_away(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits&start=random&seed=3")
    visits = page.evaluate(
        """() => { const [{flips, after}] = window.lrbnPlayers[0].lanes;
                   return flips.filter((k) => !after[k]); }"""
    )
    assert visits
    page.keyboard.press("o")
    assert state(page)["k"] == visits[0] + 1
    transport = page.get_by_role("group", name="Transport")
    transport.get_by_role("button", name="Next turned-off unit").click()
    last = visits[1] + 1 if len(visits) > 1 else state(page)["end"]
    assert state(page)["k"] == last
    page.keyboard.press("Shift+O")
    assert state(page)["k"] == visits[0] + 1
    transport.get_by_role("button", name="Previous turned-off unit").click()
    assert state(page)["k"] == 0
    expect(transport.locator(".lv-flips")).to_contain_text("turns on")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_contain_text("next, previous unit that turns off")
    seen.assert_clean()
