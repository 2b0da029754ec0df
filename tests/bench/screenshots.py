"""Pictures of every page at three widths, light and dark, to be looked at.

``python tests/bench/screenshots.py`` writes them to ``screenshots/`` and names each with the errors that the
page has logged, if any; ``--only train upload`` takes some. Windows are as high as their pages are long, but
at 3840 pixels, which is a wall. ``--docs`` writes the pictures of the documentation and of README.md instead,
into docs/: light, always of one size, and in few colours so that they stay small.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from explorer_probe import ROOT, Server, launch
from playwright.sync_api import Browser, Page, sync_playwright

from lrbn_viz.cli import main as main_of_package
from lrbn_viz.io.constants import GUIDE_COOKIE

SIZES = {360: (360, 4200), 1440: (1440, 2500), 3840: (3840, 2160)}
SCHEMES = ("light", "dark")
WHOLE = "() => { const p = window.lrbnPlayers?.[0]; return p?.whole() && p.atRest && p.meta; }"


def guide(page: Page, url: str) -> None:
    """The guided beginning, once its first step is done; as a browser sees it that has not been here."""
    page.context.clear_cookies()
    page.goto(url)
    page.wait_for_function(WHOLE)
    page.locator("[data-part=network]").get_by_role("button", name=re.compile("^alarm")).click()
    page.wait_for_timeout(2000)
    page.wait_for_function(WHOLE)


def hidden(page: Page, url: str) -> None:
    """A digit of which the lower half is not known."""
    page.goto(f"{url}&model=lrbn-200-mnist-learned&rival=rbm-200-mnist-likeliest&image=2")
    page.wait_for_function(WHOLE)
    page.locator(".lv-tools [data-do=hide]").click()
    box = page.locator(".lv-input canvas.lv-pixels").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2 + 1)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] - 1, steps=4)
    page.mouse.up()
    page.wait_for_timeout(2500)
    page.wait_for_function(WHOLE)


def first(page: Page, url: str) -> None:
    """The bare address, once it has played."""
    page.goto(url.partition("?")[0])
    page.wait_for_function(WHOLE)
    if "theme=dark" in url and page.evaluate("() => window.lrbnPlayers[0].root.dataset.scheme") == "light":
        page.get_by_label("Toggle theme").click()
    page.wait_for_timeout(2500)
    page.wait_for_function(WHOLE)


def inference(page: Page, url: str) -> None:
    """A digit's trace, half way, its unit selected."""
    page.goto(url if "model=" in url else f"{url}&model=lrbn-200-mnist-flat")
    page.wait_for_function(WHOLE)
    page.evaluate(
        """() => {
      const p = window.lrbnPlayers[0];
      p.seek(Math.round(p.clock.end / 2));
      p.select(0, Math.min(7, p.lanes[0].n_h - 1));
    }"""
    )
    page.wait_for_timeout(2500)  # other optima are looked for
    page.wait_for_function(WHOLE)


def model(name: str) -> Callable[[Page, str], None]:
    """Return a view of one model's trace, half way."""
    return lambda page, url: inference(page, f"{url}&model={name}")


def presenter(page: Page, url: str) -> None:
    """Presenter mode, as the key opens it."""
    inference(page, url)
    page.keyboard.press("f")
    page.wait_for_timeout(1500)


def drawing(page: Page, url: str) -> None:
    """An image drawn by a visitor, by keys."""
    inference(page, url)
    page.get_by_role("button", name="Start from an empty image").click()
    page.get_by_role("application", name=re.compile("^Input image")).focus()
    for key in ("ArrowUp", "Space", *("ArrowRight", "Space") * 5):
        page.keyboard.press(key)
    page.wait_for_timeout(2500)
    page.wait_for_function(WHOLE)


def keys(page: Page, url: str) -> None:
    """The dialog of keys."""
    inference(page, url)
    page.keyboard.press("?")
    page.wait_for_timeout(400)


def open_drawer(page: Page) -> bool:
    """Open the side bar where it is not open anyway; whether that had to be done."""
    if page.viewport_size is None or page.viewport_size["width"] >= 600:
        return False
    page.get_by_role("button", name="Open drawer").click()
    page.wait_for_timeout(600)
    return True


def menus(page: Page, url: str) -> None:
    """The side bar: open anyway where there is room."""
    inference(page, url)
    open_drawer(page)


def idle(page: Page, url: str) -> None:
    """The Train page before a run."""
    page.goto(f"{url}&page=train")
    page.wait_for_function("() => window.lrbnBoards?.[0]")
    page.wait_for_timeout(1200)


def train(page: Page, url: str) -> None:
    """A run, paused."""
    idle(page, url)
    opened = open_drawer(page)
    page.get_by_label("Recipe").select_option("small")
    page.wait_for_timeout(500)
    if opened:
        page.keyboard.press("Escape")
        page.wait_for_timeout(600)
    training = page.get_by_role("group", name="Training")
    training.get_by_role("button", name="Start training").click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0]?.step > 40")
    training.get_by_role("button", name="Pause").click()
    page.wait_for_timeout(2500)


def large_filter(page: Page, url: str) -> None:
    """A filter of the paused run, large, with its past."""
    train(page, url)
    page.get_by_role("spinbutton", name=re.compile("filters of ")).first.focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(1500)


def opened(page: Page, url: str) -> None:
    """A model of the paused run on the Inference page."""
    train(page, url)
    page.get_by_role("button", name="Inspect training image").first.click()
    page.wait_for_function(WHOLE)
    page.wait_for_timeout(2500)


def generate(page: Page, url: str, generator: str = "lrbn-200-mnist-learned") -> None:
    """Both models drawing, and an interpolation."""
    page.goto(f"{url}&page=generate&generator={generator}")
    page.wait_for_selector(".lv-walk-pictures img")
    page.wait_for_timeout(2000)


def compare(page: Page, url: str) -> None:
    """Systems beside each other, one of them highlighted."""
    page.goto(f"{url}&page=compare")
    page.wait_for_function(
        """() => {
      const state = window.lrbnComparisons?.[0]?.state();
      return state?.systems.length && state.done.length === state.systems.length
        && state.figures.length && state.figures.every(({drawn}) => drawn);
    }"""
    )
    page.get_by_role("group", name="Highlight a system").get_by_role("button").first.click()
    page.wait_for_timeout(1500)


def upload(page: Page, url: str) -> None:
    """The dialog for data of one's own, with grey images in it."""
    import numpy as np

    idle(page, url)
    open_drawer(page)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stripes.npy"
        rows = np.sin(np.arange(12)[None, :, None] * np.linspace(0.2, 1.5, 300)[:, None, None])
        np.save(path, np.round(127 + 120 * np.tile(rows, (1, 1, 12))).astype(np.uint8))
        page.get_by_role("button", name="Use your own data").click()
        page.get_by_role("dialog", name="Your own data").locator("input[type=file]").set_input_files(path)
        page.wait_for_timeout(2500)


def lessons(page: Page, url: str) -> None:
    """The list of lessons."""
    page.goto(f"{url}&page=lessons")
    page.locator(".lv-lessons li a").first.wait_for()
    page.wait_for_timeout(600)


def sweeps(page: Page, url: str) -> None:
    """Trials of a sweep that is made for it, the best one chosen."""
    example = ROOT / "examples" / "sweep.toml"
    if main_of_package(["sweep", str(example), "--workers", "0"]):
        raise SystemExit("the sweep failed; what was wrong is said above")
    page.goto(f"{url}&page=sweeps&sweep={example.stem}")
    page.wait_for_function("() => window.lrbnSweeps?.[0]?.state().rows.length")
    page.evaluate("() => { const page = window.lrbnSweeps[0]; page.choose(page.state().rows[0]); }")
    page.wait_for_timeout(1500)


def lesson(page: Page, url: str) -> None:
    """A step of a lesson, with a prediction that was not right."""
    page.goto(f"{url}&lesson=explaining-away&step=3")
    page.locator(".lv-lesson label").first.click()
    page.get_by_role("button", name="See what happens").click()
    page.wait_for_timeout(1500)
    page.wait_for_function(WHOLE)


def glossary(page: Page, url: str) -> None:
    """The dialog of terms."""
    keys(page, url)
    page.get_by_role("button", name="glossary").click()
    page.wait_for_timeout(400)


def why(page: Page, url: str) -> None:
    """The last visit that turns a unit off, in presenter mode."""
    page.goto(f"{url}&model=lrbn-200-mnist-strokes&start=conditional")
    page.wait_for_function(WHOLE)
    for key in ("End", "Shift+O", "f"):
        page.keyboard.press(key)
    page.wait_for_timeout(2500)
    page.wait_for_function(WHOLE)


VIEWS: dict[str, Callable[[Page, str], None]] = {
    **{view.__name__: view for view in (guide, first, inference, hidden, presenter, drawing, keys, glossary)},
    **{view.__name__: view for view in (why, menus)},
    **{view.__name__: view for view in (idle, train, large_filter, opened, generate, compare, upload)},
    **{view.__name__: view for view in (lessons, lesson)},
    "strokes": model("lrbn-200-mnist-strokes"),
    "planted": model("lrbn-2-alarm"),  # causes with names
    "pair": model("lrbn-200-mnist-flat&rival=lrbn-200-200-mnist"),
    "small": model("lrbn-12-digits"),  # of which everything is known
    "grey": model("lrbn-40-digits-grey"),
    "layers": model("lrbn-200-200-mnist"),
    "generate-grey": lambda page, url: generate(page, url, "lrbn-40-digits-grey"),
    "sweeps": sweeps,  # last: with a sweep there is one more link in every header
}


DOCS: dict[str, tuple[str, tuple[int, int]]] = {
    "explorer.png": ("inference", (1440, 900)),
    "pictures/guide.png": ("guide", (1440, 900)),
    "pictures/first.png": ("first", (1440, 900)),
    "pictures/hidden.png": ("hidden", (1440, 900)),
    "pictures/lesson.png": ("lesson", (1440, 900)),
    "pictures/why.png": ("why", (1440, 900)),
    "pictures/glossary.png": ("glossary", (1440, 900)),
    "pictures/train.png": ("train", (1440, 1100)),
    "pictures/generate.png": ("generate", (1440, 1000)),
    "pictures/compare.png": ("compare", (1440, 1100)),
    "pictures/upload.png": ("upload", (1440, 900)),
}
"""Pictures under docs/: the view that each shows, and its size."""


def explaining_away(path: Path) -> None:
    """Write README's moving picture: the first look's two lanes, visit by visit."""
    from lrbn_viz.app.inference.first_look import read

    look = read()
    assert look is not None, "its images are missing: lrbn-viz datasets --download mnist5k"
    shown = look.settings
    address = f"?model={shown['model_name']}&rival={shown['rival_name']}&image={shown['index']}"
    address += f"&algorithm={shown['algorithm']}&start={shown['start']}"
    settings = ["--size", "medium", "--speed", "4", "--frames", "60"]
    if main_of_package(["animate", address, *settings, "--out", str(path)]):
        raise SystemExit(f"{path} was not written")


def shrink(path: Path) -> None:
    """Write a picture again in 256 colours, which is a third of its bytes.

    The most frequent half is kept as it is, colours of marks and legends among them; the other half are
    averages of the other pixels. Each pixel takes the nearest colour.
    """
    import numpy as np
    from PIL import Image

    with Image.open(path) as picture:
        pixels = np.asarray(picture.convert("RGB"))
    colours, places, counts = np.unique(
        pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True
    )
    is_frequent = counts >= np.sort(counts)[-128:].min()
    frequent = colours[is_frequent][:255]
    others = Image.fromarray(np.repeat(colours[~is_frequent], counts[~is_frequent], axis=0)[None])
    averages = others.quantize(256 - len(frequent)).getpalette() or []
    palette = np.vstack([frequent, np.array(averages, dtype=np.uint8).reshape(-1, 3)])[:256]
    distances = ((colours[:, None].astype(float) - palette.astype(float)) ** 2).sum(2)
    few = Image.fromarray(distances.argmin(1).astype(np.uint8)[places].reshape(pixels.shape[:2]), mode="P")
    few.putpalette(palette.tobytes())
    few.save(path, optimize=True)


def take(browser: Browser, url: str, name: str, size: tuple[int, int], scheme: str, path: Path) -> None:
    """Open a view in a window of its own and save its picture."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if scheme == "dark" else "light"
    )
    context.add_cookies([{"name": GUIDE_COOKIE, "value": "1", "url": url}])  # it has been here before
    page = context.new_page()
    page.set_default_timeout(90_000)
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    VIEWS[name](page, f"{url}?theme={scheme}")
    path.parent.mkdir(exist_ok=True)
    page.screenshot(path=path)
    context.close()
    print(path.relative_to(ROOT), *errors, flush=True)


def main() -> int:
    """Take all pictures, or some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=VIEWS, default=list(VIEWS), metavar="VIEW")
    parser.add_argument("--width", nargs="+", type=int, choices=SIZES, default=list(SIZES))
    parser.add_argument("--docs", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for what in ("runs", "sweeps"):  # none of the machine's own
            os.environ[f"LRBN_VIZ_{what.upper()}"] = str(Path(folder) / what)
        server, browser = Server(Path(folder)), launch(playwright)
        try:
            if arguments.docs:
                explaining_away(ROOT / "docs" / "explaining-away.webp")
                for file, (name, size) in DOCS.items():
                    path = ROOT / "docs" / file
                    if name in arguments.only:
                        take(browser, server.explorer, name, size, "light", path)
                        shrink(path)
                return 0
            for name in arguments.only:
                for width in arguments.width:
                    for scheme in SCHEMES:
                        path = ROOT / "screenshots" / f"{name}-{width}-{scheme}.png"
                        take(browser, server.explorer, name, SIZES[width], scheme, path)
        finally:
            browser.close()
            server.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
