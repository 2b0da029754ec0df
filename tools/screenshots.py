"""Photograph the explorer: `python tools/screenshots.py` writes screenshots/ at three widths, light and dark.

With `--readme` it writes docs/explorer.png instead, the picture in the README. Needs the `test` extra,
a Chromium on the PATH, and nothing from outside this machine.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SIZES = ((360, 780), (1440, 900), (3840, 2160))
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
MIDWAY = """(share) => { const p = window.lrbnPlayers[0]; p.seek(share * p.clock.end); }"""


@contextmanager
def served() -> Iterator[str]:
    """Serve apps/explorer.py on a free port; yields its address."""
    command = [sys.executable, "-m", "panel", "serve", str(ROOT / "apps" / "explorer.py")]
    server = subprocess.Popen(
        [*command, "--port", "0", "--address", "127.0.0.1"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert server.stdout is not None
        for line in server.stdout:
            if found := re.search(r"app running at: (\S+)", line):
                yield found.group(1)
                return
        raise SystemExit("panel serve ended before it was ready")
    finally:
        server.terminate()
        server.wait()


def photograph(
    browser: Browser, url: str, size: tuple[int, int], dark: bool, share: float, path: Path
) -> None:
    """Write one picture of the page with the cursor at `share` of the trace."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(url)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    if dark:
        page.get_by_label("Toggle theme").click()
        page.mouse.move(size[0] / 2, 5)
    page.wait_for_timeout(1500)  # fonts, and on a phone the picker steps aside
    page.evaluate(MIDWAY, share)
    page.wait_for_timeout(800)
    page.screenshot(path=path)
    context.close()
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB")


def main() -> None:
    """Parse the command line and take the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--readme", action="store_true", help="write docs/explorer.png only")
    parser.add_argument("--share", type=float, default=0.22, help="where the cursor stands, 0 to 1")
    arguments = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        raise SystemExit("no Chromium on the PATH; install one (Debian: apt-get install chromium)")
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        if arguments.readme:
            (ROOT / "docs").mkdir(exist_ok=True)
            photograph(browser, url, (1440, 900), False, arguments.share, ROOT / "docs" / "explorer.png")
        else:
            (ROOT / "screenshots").mkdir(exist_ok=True)
            for size in SIZES:
                for dark in (False, True):
                    name = f"explorer-{size[0]}-{'dark' if dark else 'light'}.png"
                    photograph(browser, url, size, dark, arguments.share, ROOT / "screenshots" / name)
        browser.close()


if __name__ == "__main__":
    main()
