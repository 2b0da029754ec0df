"""A view added in one JavaScript file and two lines: shown, hidden, in step and in pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from playwright.sync_api import Page, expect
from ui.journeys import open_elsewhere, open_page, save, seek, wait_for_rest, wait_until_whole


def words_in(path: Path) -> list[str]:
    tree = ET.fromstring(path.read_text(encoding="utf-8"))
    return ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_a_view_of_one_file_and_two_lines_does_what_views_do(page: Page, workshop, tmp_path, seen):
    page.set_viewport_size(
        {"width": 1440, "height": 4000}
    )  # every view is in sight, so painted at each frame
    open_page(page, f"{workshop.url}?model=lrbn-12-digits")
    card = page.get_by_role("region", name="A dummy")
    order = page.evaluate("() => Object.keys(window.lrbnPlayers[0].panels)")
    assert order[-1] == "dummy", "the last line is the last view"
    # it follows the cursor, resting and playing
    for k in (7, 0, 30):
        seek(page, k)
        wait_for_rest(page)
        expect(card).to_contain_text(f"2 lanes at visit {k} of ")
    page.wait_for_function("() => !window.lrbnPlayers[0].far.has('dummy')")
    page.evaluate(
        "() => { const player = window.lrbnPlayers[0]; player.setSpeed(2); player.seek(0); player.play(); }"
    )
    page.wait_for_function(
        """() => { const player = window.lrbnPlayers[0], shown = player.panels.dummy.words.textContent;
                   return player.clock.playing && player.k > 1 && shown.includes(` visit ${player.k} `); }"""
    )
    page.evaluate("() => window.lrbnPlayers[0].pause()")
    # it is in the picture
    seek(page, 30)
    wait_for_rest(page)
    assert any(text.startswith("2 lanes at visit 30 of") for text in words_in(save(page, "svg", tmp_path)))
    # the menu hides it, here and in the address, and brings it back
    tick = page.get_by_role("checkbox", name="A dummy view")
    tick.uncheck()
    expect(card).to_be_hidden()
    page.wait_for_function("() => location.search.includes('hide=dummy')")
    assert not any("lanes at visit" in text for text in words_in(save(page, "svg", tmp_path)))
    open_elsewhere(page, page.url)
    wait_until_whole(page)
    expect(card).to_be_hidden()
    expect(tick).not_to_be_checked()
    tick.check()
    expect(card).to_be_visible()
    page.wait_for_function("() => !location.search.includes('hide')")
    seen.assert_clean()
