"""One file holds the colours: Python and JavaScript read it, and write none of their own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import lrbn_viz
from lrbn_viz.app import shell
from lrbn_viz.io import theme

PACKAGE = Path(lrbn_viz.__file__).parent
COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
# Black and white as the canvas has them before anybody has chosen.
NEUTRAL = {"#000000", "#fff"}


def test_no_other_file_of_the_package_writes_a_colour() -> None:
    found = {
        f"{path.relative_to(PACKAGE)}: {colour}"
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in (".py", ".js", ".css")
        for colour in COLOUR.findall(path.read_text(encoding="utf-8"))
        if colour not in NEUTRAL
    }
    assert found == set()


def test_python_has_what_the_file_says_and_the_pages_are_made_of_it() -> None:
    said = json.loads((PACKAGE / "io" / "theme.json").read_text(encoding="utf-8"))
    assert (said["light"], said["dark"], said["header"]) == (theme.LIGHT, theme.DARK, theme.HEADER)
    assert shell.THEME["dark"]["palette"]["background"] == {
        "default": said["dark"]["page"],
        "paper": said["dark"]["surface"],
    }
    assert set(said["light"]) == set(said["dark"])
