"""Blocks of Python in README and docs, run as a reader runs them.

``python tests/doc_blocks.py [--installed] [PAGE ...]`` runs those of the named pages, or of all. With
``--installed`` the package must not be the checkout's: `.ci/nightly` runs all pages with a wheel.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import traceback
from pathlib import Path
from unittest import mock

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


SNIPPETS = {
    page: found for page, text in {"README.md": README, **PAGES}.items() if (found := blocks(text, "python"))
}


def run_one_after_the_other(page: str) -> None:
    """Run the blocks of a page in the current folder, with no data but those that come with the package."""
    names: dict = {"__name__": "__main__"}
    with mock.patch.dict(os.environ, {"LRBN_VIZ_DATA": os.getcwd()}):
        for number, snippet in enumerate(SNIPPETS[page], 1):
            exec(compile(snippet, f"{page}, snippet {number}", "exec"), names)


def main(arguments: list[str]) -> int:
    """Run the blocks of pages, each page in an empty folder; return 1 if one fails."""
    pages = [each for each in arguments if each != "--installed"] or list(SNIPPETS)
    package = Path(lrbn_viz.__file__).parent
    if "--installed" in arguments and package.parent == ROOT:
        sys.exit(f"expected an installed package, got that of the checkout, {package}; unset PYTHONPATH.")
    failed, before = [], Path.cwd()
    for page in pages:
        print(f"-- {page}", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                run_one_after_the_other(page)
            except Exception:  # the other pages are run all the same
                traceback.print_exc()
                failed.append(page)
            finally:
                os.chdir(before)
    print(f"{len(pages) - len(failed)} pages ran", *(f"FAILED: {page}" for page in failed))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
