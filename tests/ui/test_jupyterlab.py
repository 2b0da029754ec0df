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
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
LIVE = "01_explaining_away.ipynb"
WAIT_MS = 180_000
OPEN = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', {path}); }"
CLOSE = """async () => {
  const {shell} = window.jupyterapp, open = Array.from(shell.widgets("main")).filter(({context}) => context);
  open.forEach((document) => document.dispose()); // it is not asked about changes
  await window.jupyterapp.serviceManager.sessions.shutdownAll();
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory) -> Iterator[str]:
    """JupyterLab over a copy of the notebooks, with no settings but its own; its address."""
    home = tmp_path_factory.mktemp("lab")
    folder = home / "notebooks"
    shutil.copytree(ROOT / "notebooks", folder)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "JUPYTER_RUNTIME_DIR": "runtime"}
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab"
    for name, values in {
        "notebook-extension/tracker": {"windowingMode": "none"},  # cells out of sight are in the page, too
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
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
    end = time.monotonic() + WAIT_MS / 1000
    while True:
        try:
            urlopen(address, timeout=10).read()
            break
        except OSError:
            assert process.poll() is None, "JupyterLab did not start"
            assert time.monotonic() < end, "JupyterLab does not answer"
            time.sleep(0.3)
    yield address
    process.terminate()
    process.wait(30)


def cells_of(name: str) -> list[dict]:
    return json.loads((ROOT / "notebooks" / name).read_text(encoding="utf-8"))["cells"]


@pytest.fixture(scope="module")
def whole_lab(browser, lab) -> Iterator[Page]:
    """JupyterLab in a browser, loaded once for all notebooks."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(WAIT_MS)
    page.goto(lab)
    page.wait_for_function("() => window.jupyterapp")
    page.evaluate("async () => { await window.jupyterapp.restored; }")
    yield page
    page.close()


@pytest.fixture
def page(whole_lab) -> Iterator[Page]:
    """JupyterLab without an open notebook, and without a kernel."""
    yield whole_lab
    whole_lab.evaluate(CLOSE)


def open_notebook(page: Page, name: str) -> None:
    page.evaluate(OPEN, name)
    expect(page.locator(".jp-Notebook .jp-Cell")).to_have_count(len(cells_of(name)), timeout=WAIT_MS)


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
