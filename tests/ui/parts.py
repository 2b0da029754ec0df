"""Parts that others would add to the explorer, and where its server of such parts differs from README's.

Apart from the tests, since `workshop.py` is served by a process of its own.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from bokeh.application.application import SessionContext
from js.node_tests import build_bundles

from lrbn_viz.datasets.own import decode_own
from lrbn_viz.view.player.source import ROOT

PREFIX = "team/explorers"
KEPT_SECONDS = 15
"""How long the server keeps a page that is away; Panel's default."""

SESSION_ENDED = "the server has let go of a page"
"""Printed by it for each, with the session's name."""

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

registerView("dummy", (player) => new Dummy(player));
"""
LINE = 'import "./dummy.js";\n'
TITLE = ' "dummy": "A dummy view"'

LESSON_FILES = {
    "own.md": """---
id: own
title: My own <b>lesson</b>
minutes: 3
summary: <img src=x onerror="window.hostile = 1">
take_home: <script>window.hostile = 1</script>
---
<script>window.hostile = 1</script> [x](javascript:window.hostile=1)

## One <script>window.hostile = 1</script>
state: ?model=lrbn-12-digits&image=3
look: lane1

? Why <img src=x onerror="window.hostile = 1">?
- no
* <svg onload="window.hostile = 1">

Because <iframe src="javascript:window.hostile=1"></iframe>.
""",
    "bad.md": "no lesson",
}


def say_that_it_ended(session: SessionContext) -> None:
    """Print that the server has let go of a page."""
    print(SESSION_ENDED, session.id, flush=True)


def decode_own_or_fail(content: bytes, filename: str, *args: Any, **how: Any) -> Any:
    """Read a visitor's file; fail at some as a fault of the program would."""
    if filename.startswith("odd"):
        raise IndexError("a fault that nobody thought of")
    return decode_own(content, filename, *args, **how)


def copy_with_another_view(folder: Path) -> None:
    """Copy the package's JavaScript, with one file and two lines that add a view, and build its bundles."""
    for path in (file for file in ROOT.rglob("*") if file.suffix in (".js", ".json", ".css")):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    (folder / "view/player/js/dummy.js").write_text(VIEW)
    with (folder / "view/player/js/views.js").open("a") as views:
        views.write(LINE)
    titles = folder / "view/player/views.json"
    titles.write_text(titles.read_text(encoding="utf-8").replace("\n}", f",\n{TITLE}\n}}"), encoding="utf-8")
    status, said = build_bundles(folder)
    assert status == 0, said
