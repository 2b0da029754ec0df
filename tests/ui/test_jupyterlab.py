"""The notebooks in a real JupyterLab: each opens whole, and the player lives in one that runs there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit
from urllib.request import urlopen

import nbformat
import pytest
from playwright.sync_api import Page, expect
from ui.test_notebook_player import count_nodes

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
LIVE = "01_explaining_away.ipynb"
MADE = """import lrbn_viz
from IPython.display import display
from traitlets import link
from lrbn_viz.notebook import show_trace

model = lrbn_viz.pretrained("lrbn-16-digits")
trace = model.map_trace(lrbn_viz.load_dataset("digits").test_X[0], init="random", random_state=0)
"""
PLAYERS = {
    "explorer.ipynb": ["from lrbn_viz.notebook import explorer\n\nexplorer()"],
    "two.ipynb": [
        MADE,
        "first = show_trace(trace, title='the first')\nfirst",
        "second = show_trace(trace, title='the second')\nlink((first, 'cursor'), (second, 'cursor'))\nsecond",
    ],
    # of a cell JupyterLab shows fifty outputs at once
    "fifty.ipynb": [MADE, *["for _ in range(10):\n    display(show_trace(trace))"] * 5],
}
WAIT_MS = 180_000
OPEN = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', {path}); }"
CLOSE = """async () => {
  const {shell} = window.jupyterapp, open = Array.from(shell.widgets("main")).filter(({context}) => context);
  open.forEach((document) => document.dispose()); // it is not asked about changes
  await window.jupyterapp.serviceManager.sessions.shutdownAll();
}"""


class Lab(NamedTuple):
    """A JupyterLab: its address, and the folder of its notebooks."""

    address: str
    folder: Path


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[Lab]:
    """JupyterLab over a copy of the notebooks, with no settings but these."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder)
    for name, sources in PLAYERS.items():
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        kernel = {"name": "python3", "display_name": "Python 3"}  # else it asks which
        notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
        nbformat.write(notebook, folder / name)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    settings = home / "config" / "lab" / "user-settings"
    for name, values in {
        # cells out of sight are in the page, too
        "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
        "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
    }.items():
        path = settings / f"{name}.jupyterlab-settings"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values))
    options = [f"--port={port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    options += ["--ServerApp.disable_check_xsrf=True", "--LabApp.expose_app_in_browser=True"]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--ip=127.0.0.1", "--allow-root", *options]
    env = {**os.environ, **{name: str(home / place) for name, place in places.items()}}
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}/lab"
    lab = Lab(address, folder)
    end = time.monotonic() + WAIT_MS / 1000
    while True:
        try:
            urlopen(address, timeout=10).read()
            break
        except OSError:
            assert process.poll() is None, "JupyterLab did not start"
            assert time.monotonic() < end, "JupyterLab does not answer"
            time.sleep(0.3)
    yield lab
    process.terminate()
    process.wait(30)


def cells_of(name: str, folder: Path = ROOT / "notebooks") -> list[dict]:
    return json.loads((folder / name).read_text(encoding="utf-8"))["cells"]


@pytest.fixture(scope="module")
def whole_lab(browser, lab) -> Iterator[Page]:
    """JupyterLab in a browser, loaded once for all notebooks."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(WAIT_MS)
    page.goto(lab.address)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    yield page
    page.close()


@pytest.fixture
def page(whole_lab) -> Iterator[Page]:
    """JupyterLab without an open notebook, and without a kernel."""
    yield whole_lab
    whole_lab.evaluate(CLOSE)


def open_notebook(page: Page, name: str, folder: Path = ROOT / "notebooks") -> None:
    page.evaluate(OPEN, name)
    cells = page.locator(".jp-Notebook .jp-Cell")
    expect(cells).to_have_count(len(cells_of(name, folder)), timeout=WAIT_MS)


def run_all(page: Page) -> None:
    """Run all cells of the open notebook, once its kernel is there: cells that are run before are not run."""
    page.get_by_text("| Idle").first.wait_for()
    page.evaluate("async () => { await window.jupyterapp.commands.execute('notebook:run-all-cells'); }")


def clear_outputs(page: Page) -> None:
    page.evaluate("window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')")
    page.wait_for_function("() => window.lrbnPlayers.length === 0")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_opens_whole(page, name):
    open_notebook(page, name)
    heading = cells_of(name)[0]["source"]
    title = "".join(heading).splitlines()[0].lstrip("# ")
    expect(page.locator(".jp-Notebook h1").first).to_contain_text(title, timeout=WAIT_MS)
    assert page.locator(".jp-Dialog").count() == 0


def test_the_player_lives_in_a_notebook_that_runs_there(page):
    open_notebook(page, LIVE)
    page.get_by_text("| Idle").first.wait_for()  # cells that are run before their kernel is there are not run
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    player = page.locator(".jp-OutputArea .lv-lane")
    expect(player.first).to_be_attached(timeout=WAIT_MS)
    assert page.locator(".jp-OutputArea-output[data-mime-type='application/vnd.jupyter.stderr']").count() == 0
    cursors = "() => window.lrbnPlayers.map((player) => player.k).join()"
    before = page.evaluate(cursors)
    transport = page.locator(".jp-OutputArea .lv-transport").first
    transport.get_by_role("button", name="Step", exact=True).click()
    page.wait_for_function(f"(before) => ({cursors})() !== before", arg=before)


PLAYERS_ARE = "(n) => window.lrbnPlayers?.length === n && window.lrbnPlayers.every(({lanes}) => lanes)"


def test_fifty_players_run_three_times_hold_the_nodes_of_once_and_none_when_cleared(page, lab):
    open_notebook(page, "fifty.ipynb", lab.folder)
    before, counts = count_nodes(page), []
    for _ in range(3):
        run_all(page)
        page.wait_for_function(PLAYERS_ARE, arg=50)
        page.wait_for_function("() => window.lrbnPlayers.every((player) => player.atRest)")
        counts.append(count_nodes(page))
    clear_outputs(page)
    cleared = count_nodes(page)
    print(f"nodes: {before} before, {counts} with fifty players, {cleared} when cleared")
    assert max(counts[1:]) <= 1.2 * counts[0], counts
    assert cleared - before <= 0.05 * (counts[0] - before), (before, counts, cleared)


def test_a_saved_notebook_plays_when_it_is_reopened_and_shows_pictures_without_its_state(page, lab):
    open_notebook(page, "two.ipynb", lab.folder)
    run_all(page)
    page.wait_for_function(PLAYERS_ARE, arg=2)
    first = page.locator("[data-lrbn-still] img").first
    expect(first).to_be_attached()
    expect(first).to_be_hidden()
    page.locator(".lv-transport").first.get_by_role("button", name="Step", exact=True).click()
    page.wait_for_function("() => window.lrbnPlayers.every(({k}) => k === 1)")  # they are linked in Python
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save'); }")
    shutil.copy(lab.folder / "two.ipynb", lab.folder / "kept.ipynb")

    page.evaluate("() => { window.jupyterapp.commands.execute('notebook:restart-kernel'); }")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    page.get_by_text("| Idle").first.wait_for()
    page.locator(".lv-transport").first.get_by_role("button", name="Step", exact=True).click()
    page.wait_for_function("() => window.lrbnPlayers[0].k === 2")  # it asks no kernel

    page.evaluate(CLOSE)
    page.wait_for_function(PLAYERS_ARE, arg=0)

    open_notebook(page, "kept.ipynb", lab.folder)
    page.wait_for_function(PLAYERS_ARE, arg=2)
    expect(page.locator("[data-lrbn-still] img").first).to_be_hidden()
    page.evaluate(CLOSE)

    notebook = nbformat.read(lab.folder / "kept.ipynb", 4)
    del notebook.metadata["widgets"]
    nbformat.write(notebook, lab.folder / "stateless.ipynb")
    open_notebook(page, "stateless.ipynb", lab.folder)
    pictures = page.locator(".jp-OutputArea img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        expect(picture).to_be_visible()
    expect(page.get_by_text("To get it moving, run this cell").first).to_be_visible()


def test_the_explorer_infers_and_trains_in_a_cell_and_asks_no_other_host(page, lab):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    open_notebook(page, "explorer.ipynb", lab.folder)
    run_all(page)
    page.wait_for_function(PLAYERS_ARE, arg=1)
    caption = "() => window.lrbnPlayers[0].meta.caption"
    before = page.evaluate(caption)
    page.get_by_role("button", name="Dismiss the captions").click()  # they leave out what they do not tell of
    page.get_by_role("button", name="Next image").first.click()
    page.wait_for_function(f"(before) => ({caption})() !== before", arg=before)
    page.locator(".jp-OutputArea").get_by_text("Train", exact=True).first.click()
    page.locator("button.lt-go").click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes[0]?.step > 20")
    assert "?" not in page.url, "the address is JupyterLab's own"
    for name in ("Generate", "Compare", "Lessons", "Inference"):
        link = page.locator(".jp-OutputArea .lv-nav").get_by_text(name, exact=True)
        link.click()
        expect(link).to_have_attribute("aria-current", "page")
    for width, name in ((1100, "Open drawer"), (1440, "Close drawer")):  # a narrow cell, a wide window
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.get_by_role("button", name=name)).to_be_visible()
    assert {urlsplit(url).hostname for url in asked if url.startswith("http")} == {"127.0.0.1"}
