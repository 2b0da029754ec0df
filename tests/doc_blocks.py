"""Blocks of Python in README and docs, run as a reader runs them.

``python tests/doc_blocks.py [--installed] [PAGE ...]`` runs those of the named pages, or of all. With
``--installed`` the package must not be the checkout's: `.ci/nightly` runs all pages with a wheel. What a
tutorial prints and draws is compared with what its page shows; ``--write`` puts both into the page instead.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
import traceback
from pathlib import Path
from unittest import mock

import numpy as np
from PIL import Image

import lrbn_viz

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(DOCS.rglob("*.md"))
    if not {"_build", "reproduction", "generated", "notebooks"} & set(path.relative_to(DOCS).parts)
}
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(text: str) -> list[str]:
    """Return the lines of all shell blocks of a page, and what it names within a line."""
    lines = [line for block in blocks(text, "sh") for line in block.splitlines() if line.strip()]
    return lines + re.findall(r"`((?:lrbn-viz|python) [^`]+)`", text)


SNIPPETS = {
    page: found for page, text in {"README.md": README, **PAGES}.items() if (found := blocks(text, "python"))
}


TUTORIALS = [page for page in SNIPPETS if page.startswith("tutorials/")]
PRINTED = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
"""A block of Python, and directly below it what it prints."""
SHOWN = re.compile(r"^```{image} (\S+)$", re.MULTILINE)
TOLERANCE = 1.0
"""Mean difference of two pictures, of 255 levels, up to which they count as equal."""


def run_one_after_the_other(page: str, names: dict | None = None) -> list[str]:
    """Run the blocks of a page in the current folder, with no data but those that come with the package.

    Return what each has printed; `names` is filled with what they define.
    """
    names = {} if names is None else names
    names["__name__"] = "__main__"
    printed = []
    with mock.patch.dict(os.environ, {"LRBN_VIZ_DATA": os.getcwd()}):
        for number, snippet in enumerate(SNIPPETS[page], 1):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(snippet, f"{page}, snippet {number}", "exec"), names)
            printed.append(out.getvalue())
            print(printed[-1], end="")
    return printed


def alike(one: Path, other: Path) -> bool:
    """Return whether two pictures have the same size, and the same pixels but for rounding."""
    with Image.open(one) as first, Image.open(other) as second:
        if first.size != second.size:
            return False
        pixels = [np.asarray(each.convert("RGB"), dtype=float) for each in (first, second)]
    return bool(np.abs(pixels[0] - pixels[1]).mean() <= TOLERANCE)


def differences(page: str, text: str, printed: list[str], made: Path) -> list[str]:
    """Return in words how what was printed and drawn differs from what a tutorial shows.

    Parameters
    ----------
    page, text : str
        Its path below docs, and what it says.
    printed : list of str
        By each of its blocks.
    made : Path
        The folder that has the pictures.
    """
    found = []
    said = [match[2] or "" for match in PRINTED.finditer(text)]
    for number, (is_said, was_printed) in enumerate(zip(said, printed, strict=True), 1):
        if is_said != was_printed:
            found.append(f"block {number} printed {was_printed!r}, and the page says {is_said!r}")
    shown = {Path(path).name: (DOCS / page).parent / path for path in SHOWN.findall(text)}
    drawn = {path.name for path in made.glob("*.png")}
    found += [f"{name} is shown, and no block draws it" for name in sorted(shown.keys() - drawn)]
    found += [f"{name} is drawn, and not shown" for name in sorted(drawn - shown.keys())]
    found += [
        f"{name} is not as it is shown"
        for name in sorted(drawn & shown.keys())
        if not alike(made / name, shown[name])
    ]
    return found


def write(page: str, printed: list[str], made: Path) -> None:
    """Put into a tutorial what its blocks have printed, and beside it what they have drawn."""
    outputs = iter(printed)

    def filled(match: re.Match[str]) -> str:
        output = next(outputs)
        return f"```python\n{match[1]}```\n" + (f"\n```text\n{output}```\n" if output else "")

    (DOCS / page).write_text(PRINTED.sub(filled, PAGES[page]), encoding="utf-8")
    for path in SHOWN.findall(PAGES[page]):
        shutil.copy(made / Path(path).name, (DOCS / page).parent / path)


def main(arguments: list[str]) -> int:
    """Run the blocks of pages, each page in an empty folder; return 1 if one fails."""
    pages = [each for each in arguments if not each.startswith("--")] or list(SNIPPETS)
    package = Path(lrbn_viz.__file__).parent
    if "--installed" in arguments and package.parent == ROOT:
        sys.exit(f"expected an installed package, got that of the checkout, {package}; unset PYTHONPATH.")
    failed, before = [], Path.cwd()
    for page in pages:
        print(f"-- {page}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                printed = run_one_after_the_other(page)
                if page in TUTORIALS and "--write" in arguments:
                    write(page, printed, Path(folder))
                elif page in TUTORIALS and (found := differences(page, PAGES[page], printed, Path(folder))):
                    print(*found, sep="\n", file=sys.stderr)
                    failed.append(page)
            except Exception:  # the other pages are run all the same
                traceback.print_exc()
                failed.append(page)
            finally:
                os.chdir(before)
    print(f"{len(pages) - len(failed)} pages ran", *(f"FAILED: {page}" for page in failed))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
