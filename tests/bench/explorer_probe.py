"""What `bench_explorer.py` measures with: a server of its own, Chromium, and timers inside the page."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
EMPTY = 'import panel_material_ui as pmui\n\npmui.Page(title="empty").servable()\n'

# The first node of a selector in a page or in the shadows of its nodes.
DEEP = """function deep(root, selector) {
  const found = root.querySelector(selector);
  if (found) return found;
  for (const {shadowRoot} of root.querySelectorAll("*")) {
    const within = shadowRoot && deep(shadowRoot, selector);
    if (within) return within;
  }
  return null;
}"""

# Times from an event of the visitor until what it shows is painted: a message posted while a frame is made
# arrives when style, layout and paint of that frame are done. Where the player paints before the frame (a
# trace is painted as it comes), the message is posted in the frame after. `clicks` are answered in the page,
# `picks` by a trace of another image, `strokes` by the trace of the image as it was at the newest event sent;
# `trips` are the times until that trace is back in the page, before it is painted.
PROBES = """() => {
  const player = window.lrbnPlayers[0], {clock} = player, {paint} = clock, {draw} = player.callbacks;
  const load = player.setTrace.bind(player), {port1, port2} = new MessageChannel();
  const probe = window.probe = {picking: false, clicks: [], picks: [], strokes: [], trips: []};
  const {requestAnimationFrame: ask} = window;
  let clicks = [], move = 0, sent = [], loaded = [], picked = 0, done = [], inFrame = false;
  window.requestAnimationFrame = (callback) => ask((now) => {
    inFrame = true;
    try { callback(now); } finally { inFrame = false; }
  });
  port1.onmessage = () => { const now = performance.now(); for (const tell of done.splice(0)) tell(now); };
  clock.paint = (k) => {
    paint(k);
    const answered = [["picks", picked], ...(probe.picking ? [] : clicks.map((at) => ["clicks", at]))];
    for (const at of loaded) answered.push(["strokes", at]);
    for (const [name, at] of answered) if (at) done.push((now) => probe[name].push(now - at));
    if (!probe.picking) clicks = []; // one frame may answer several
    picked = 0;
    loaded = [];
    if (done.length && inFrame) port2.postMessage(0);
    else if (done.length) ask(() => port2.postMessage(0));
  };
  player.setTrace = (data) => {
    if (probe.picking) [picked, clicks] = [clicks.at(-1) ?? 0, []];
    else if (sent.length) { // before it is loaded: a trace that answers is painted at once
      const at = sent.shift();
      loaded.push(at);
      probe.trips.push(performance.now() - at);
    }
    load(data);
  };
  player.callbacks.draw = (bits) => { sent.push(move); draw(bits); };
  addEventListener("click", (event) => { clicks.push(event.timeStamp); }, true);
  for (const name of ["pointerdown", "pointermove", "pointerrawupdate"]) {
    addEventListener(name, (event) => { if (event.buttons) move = event.timeStamp; }, true);
  }
}"""

# Plays over and over for so many seconds; how many animation frames there were, and how many were painted.
PLAY = """async (seconds) => {
  const {clock} = window.lrbnPlayers[0], {stats} = clock, begin = performance.now();
  const before = {...stats}, ms = [], paint = clock.paint;
  clock.paint = (k) => { const at = performance.now(); paint(k); ms.push(performance.now() - at); };
  clock.speed = 120; // more visits a second than frames: each frame has something new to paint
  while (performance.now() - begin < 1000 * seconds) {
    if (!clock.playing) { clock.seek(0); clock.play(); }
    await new Promise(requestAnimationFrame);
  }
  clock.pause();
  clock.paint = paint;
  return {
    frames: stats.frames - before.frames, painted: stats.painted - before.painted,
    seconds: (performance.now() - begin) / 1000, ms,
  };
}"""


class Server:
    """A running ``panel serve`` of the explorer and of an empty page.

    Parameters
    ----------
    folder : Path
        For the empty page.
    **environment : str
        Variables of the server.

    Attributes
    ----------
    explorer, empty : str
        Their addresses.
    """

    def __init__(self, folder: Path, **environment: str) -> None:
        (folder / "empty.py").write_text(EMPTY, encoding="utf-8")
        scripts = [str(ROOT / "apps" / "explorer.py"), str(folder / "empty.py")]
        self._process = subprocess.Popen(
            [
                *(sys.executable, str(ROOT / "tests" / "bench" / "explorer_server.py"), *scripts),
                *("--port", "0", "--address", "127.0.0.1", "--plugins", "lrbn_viz.server"),
                *("--unused-session-lifetime", "8000", "--check-unused-sessions", "1000"),
            ],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", **environment},
        )
        self._answers: queue.Queue[Any] = queue.Queue()
        self._addresses: queue.Queue[str] = queue.Queue()
        self.log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        addresses = []
        while len(addresses) < len(scripts):
            try:
                addresses.append(self._addresses.get(timeout=1))
            except queue.Empty:
                if self._process.poll() is not None:
                    raise SystemExit("panel serve ended before it was ready:\n" + "".join(self.log)) from None
        self.explorer = next(address for address in addresses if address.endswith("/explorer"))
        self.empty = next(address for address in addresses if address.endswith("/empty"))

    def _read(self) -> None:
        for line in self._process.stdout or ():
            found = re.search(r"app running at: (\S+)", line)
            if found:
                self._addresses.put(found[1])
            elif line.startswith("ANSWER "):
                self._answers.put(json.loads(line.removeprefix("ANSWER ")))
            else:
                self.log.append(line)

    def ask(self, question: str) -> Any:
        """Put a question of `explorer_server.answer` and return its answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        return self._answers.get(timeout=60)

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)


def chromium() -> str:
    """Return the path of the system's Chromium."""
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"):
        found = shutil.which(name)
        if found:
            return found
    raise SystemExit("no Chromium on the PATH; install one (Debian: apt-get install chromium)")


def launch(playwright: Playwright) -> Browser:
    """Start a Chromium of its own."""
    return playwright.chromium.launch(executable_path=chromium(), headless=True, args=FLAGS)


FLAT = "?model=lrbn-200-mnist-flat"
"""A link to what is measured: the bare address tells a story of its own."""


def open_explorer(browser: Browser, url: str, size: tuple[int, int] = (1440, 900)) -> Page:
    """Open the explorer in a context of its own, and wait until it is whole and still."""
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.set_default_timeout(60_000)
    page.goto(url)
    page.wait_for_function(
        "() => { const p = window.lrbnPlayers?.[0]; return p?.whole() && p.clock.stats.painted > 0; }"
    )
    page.wait_for_timeout(600)  # the cursor has come to rest, and told so
    return page


def step_clicks(page: Page, count: int) -> list[float]:
    """Step through a trace by mouse; milliseconds from each click until its frame was painted."""
    page.evaluate("() => window.lrbnPlayers[0].seek(0)")
    page.wait_for_timeout(500)
    page.evaluate(PROBES)
    box = page.locator("[data-do=step]").bounding_box()
    assert box is not None
    for _ in range(count):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(90)
    page.wait_for_timeout(500)
    found = page.evaluate("() => window.probe.clicks")
    assert len(found) >= count - 2, f"{len(found)} of {count} clicks were painted"
    return found[3:]


def close(page: Page) -> None:
    """Close a page with the context that `open_explorer` made for it."""
    page.context.close()


def step_back(browser: Browser) -> None:
    """Give a browser's processes the lowest priority: they get the processor time that nobody else wants."""
    session = browser.new_browser_cdp_session()
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        for thread in Path(f"/proc/{process['id']}/task").iterdir():
            os.setpriority(os.PRIO_PROCESS, int(thread.name), 19)
    session.detach()


class Wire:
    """Counts the bytes that go over a page's websockets, both ways; begin before the page is opened or after.

    Attributes
    ----------
    bytes : int
        Of what the page and the server have to say to each other.
    beat : int
        Of the question, once a second, whether the server is still there, and of its answers.
    """

    def __init__(self, page: Page) -> None:
        self.bytes = self.beat = 0
        self._kinds: dict[str, str] = {}
        self._session = page.context.new_cdp_session(page)
        self._session.send("Network.enable")
        for name in ("webSocketFrameSent", "webSocketFrameReceived"):
            self._session.on(f"Network.{name}", partial(self._count, name))

    def _count(self, way: str, event: dict[str, Any]) -> None:
        content = event["response"]["payloadData"]
        header = re.match(r'\{.*"msgtype": ?"([A-Z-]+)"', content)  # it, and two frames after it
        if header:
            self._kinds[way] = header[1]
        if self._kinds.get(way, "").startswith("SERVER-INFO"):
            self.beat += len(content)
        else:
            self.bytes += len(content)


def heap_bytes(page: Page) -> int:
    """Return what scripts and elements of the page hold after a collection, arrays included."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    session.detach()
    return sum(int(usage.get(name, 0)) for name in ("usedSize", "embedderHeapUsedSize", "backingStorageSize"))
