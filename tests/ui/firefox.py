"""The system's Firefox, driven by WebDriver BiDi, which it speaks itself."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import websocket

START_SECONDS, WAIT_SECONDS = 60.0, 60.0


def firefox_path() -> str | None:
    """Return where Firefox is, if it is installed."""
    return shutil.which("firefox") or shutil.which("firefox-esr")


class FirefoxPage:
    """One page, with the few methods of Playwright's that the journeys need."""

    def __init__(self, address: str) -> None:
        # Firefox refuses whoever names an origin, as pages do
        self._socket = websocket.create_connection(
            f"{address}/session", timeout=WAIT_SECONDS, suppress_origin=True
        )
        self._n = 0
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        self._context = self._ask("browsingContext.getTree")["contexts"][0]["context"]

    def _ask(self, method: str, **params: Any) -> Any:
        self._n += 1
        self._socket.send(json.dumps({"id": self._n, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv())
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.errors.append(said["params"]["text"])
            elif said.get("method") == "network.beforeRequestSent":
                self.requests.append(said["params"]["request"]["url"])
            elif said.get("id") == self._n:
                if said["type"] == "error":
                    message = f"{method}: {said['message']}"
                    raise AssertionError(message)
                return said["result"]

    def set_viewport_size(self, width: int, height: int) -> None:
        """Give the page this many CSS pixels."""
        size = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._context, viewport=size)

    def goto(self, url: str) -> None:
        """Open an address and wait until it is loaded."""
        self._ask("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """Call a function of the page; what it returns travels as JSON."""
        code = f"async () => JSON.stringify(await ({expression})({json.dumps(arg)}) ?? null)"
        target = {"context": self._context}
        said = self._ask("script.callFunction", functionDeclaration=code, awaitPromise=True, target=target)
        if said["type"] == "exception":
            raise AssertionError(said["exceptionDetails"]["text"])
        return json.loads(said["result"]["value"])

    def wait_for_function(self, expression: str, *, arg: Any = None) -> None:
        """Wait until a function of the page returns something true."""
        end = time.monotonic() + WAIT_SECONDS
        while not self.evaluate(f"async (arg) => Boolean(await ({expression})(arg))", arg):
            assert time.monotonic() < end, f"waited too long for {expression}"
            time.sleep(0.05)

    def press(self, key: str) -> None:
        """Press and release a key."""
        keys = [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        self._ask("input.performActions", context=self._context, actions=actions)

    def drag(self, path: list[tuple[float, float]]) -> None:
        """Move the mouse along points of the page with its button down."""
        (x, y), *rest = [(round(x), round(y)) for x, y in path]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 20} for x, y in rest]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        steps = [{"type": "pointerMove", "x": x, "y": y}, down, *moves, up]
        actions = [{"type": "pointer", "id": "mouse", "actions": steps}]
        self._ask("input.performActions", context=self._context, actions=actions)

    @property
    def url(self) -> str:
        """The address of the page."""
        return self.evaluate("() => location.href")

    def close(self) -> None:
        """Close the browser."""
        with contextlib.suppress(AssertionError, websocket.WebSocketException, OSError):
            self._ask("browser.close")
        self._socket.close()


@contextlib.contextmanager
def firefox_page(folder: Path) -> Iterator[FirefoxPage]:
    """Start Firefox without a window, with a new profile in `folder`, and close it at the end."""
    path = firefox_path()
    assert path
    command = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    log = folder / "firefox.log"
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
    try:
        end = time.monotonic() + START_SECONDS
        while not (found := re.search(rb"WebDriver BiDi listening on (ws://\S+)", log.read_bytes())):
            assert process.poll() is None, log.read_text(errors="replace")
            assert time.monotonic() < end, "Firefox did not start in time"
            time.sleep(0.1)
        page = FirefoxPage(found[1].decode())
        try:
            yield page
        finally:
            page.close()
    finally:
        process.terminate()
        try:
            process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
