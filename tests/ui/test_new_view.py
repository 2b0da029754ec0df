"""A view added in one JavaScript file and one line: shown, hidden, in step and in pictures."""

from __future__ import annotations

import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_page, save, seek, wait_for_rest

from lrbn_viz.player.source import ROOT

VIEW = """\
import {element, setText} from "./dom.js";
import {registerView} from "./registry.js";

class Dummy {
  constructor(player) {
    this.player = player;
    this.words = element("p");
    this.node = element("section", {class: "lv-card", "aria-label": "A dummy"}, this.words);
  }

  load(lanes, meta) { this.meta = meta; this.lanes = lanes; }

  paint(k) { setText(this.words, `${this.lanes.length} lanes at visit ${k} of ${this.meta.title}`); }
}

registerView("dummy", "A dummy view", (player) => new Dummy(player));
"""
LINE = 'import "./dummy.js";\n'

SCRIPT = """\
from pathlib import Path

from lrbn_viz.player import source

source.ROOT = Path({root!r})

from lrbn_viz.app.shell import build_page

build_page().servable()
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, serve_script) -> Iterator[str]:
    """The explorer, with the JavaScript in a copy to which one file and one line were added."""
    folder = tmp_path_factory.mktemp("package")
    for path in (*ROOT.rglob("*.js"), *ROOT.rglob("*.json")):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (folder / "player/js/dummy.js").write_text(VIEW)
    with (folder / "player/js/views.js").open("a") as views:
        views.write(LINE)
    script: Path = tmp_path_factory.mktemp("app") / "explorer.py"
    script.write_text(SCRIPT.format(root=str(folder)))
    served = serve_script(script)
    yield next(served).url
    served.close()


def words_in(path: Path) -> list[str]:
    tree = ET.fromstring(path.read_text(encoding="utf-8"))
    return ["".join(node.itertext()) for node in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_a_view_of_one_file_and_one_line_does_what_views_do(page: Page, address, tmp_path, seen):
    page.set_viewport_size(
        {"width": 1440, "height": 4000}
    )  # every view is in sight, so painted at each frame
    open_page(page, f"{address}?model=lrbn-12-digits")
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
    other = page.context.new_page()
    open_page(other, page.url)
    expect(other.get_by_role("region", name="A dummy")).to_be_hidden()
    expect(other.get_by_role("checkbox", name="A dummy view")).not_to_be_checked()
    other.close()
    tick.check()
    expect(card).to_be_visible()
    page.wait_for_function("() => !location.search.includes('hide')")
    seen.assert_clean()
