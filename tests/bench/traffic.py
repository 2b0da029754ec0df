"""What travels between a page and its server: every request and every message, by the browser's own count.

For the bench and the tests of the first load. Begins with the page, in a Chromium whose cache is on.
"""

from __future__ import annotations

import re
from base64 import b64decode
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Page, ViewportSize

THERE = """() => {
  const player = window.lrbnPlayers?.[0];
  return player?.whole() && player.clock.stats.painted > 0;
}"""
SETTLED_MS = 1500  # nothing more is asked for that long after the page is whole

# Tasks of more than 50 ms, and what the frame they were in was about.
LONG_TASKS = """(() => {
  const tasks = window.longTasks = [], frames = [];
  const last = (address) => (address || "").split("/").pop().slice(0, 60);
  const name = ({invoker, invokerType, sourceURL, sourceFunctionName, duration}) =>
    [invokerType, last(invoker), last(sourceURL), sourceFunctionName, Math.round(duration), "ms"].join(" ");
  const overlap = (a, b) => a.start < b.end && b.start < a.end;
  const tell = () => {
    for (const task of tasks) {
      const scripts = frames.filter((frame) => overlap(frame, task)).flatMap((frame) => frame.scripts);
      const during = scripts.filter((script) => overlap(script, task)).map((script) => script.what);
      task.what = during.join("; ") || "parsing, style or layout";
    }
  };
  new PerformanceObserver((list) => {
    for (const {startTime: start, duration} of list.getEntries()) {
      tasks.push({start, end: start + duration, duration, what: ""});
    }
    tell();
  }).observe({type: "longtask", buffered: true});
  if (PerformanceObserver.supportedEntryTypes.includes("long-animation-frame")) {
    new PerformanceObserver((list) => {
      for (const {startTime, duration, scripts} of list.getEntries()) {
        frames.push({start: startTime, end: startTime + duration, scripts: scripts.map((script) => (
          {start: script.startTime, end: script.startTime + script.duration, what: name(script)}))});
      }
      tell();
    }).observe({type: "long-animation-frame", buffered: true});
  }
})()"""

_PACKABLE = ("text/", "application/javascript", "application/json", "image/svg")
_AS_IT_IS = 2000  # bytes: what is smaller gains nothing


@dataclass
class Asked:
    """One request: its address, what came over the wire for it, and how."""

    url: str
    kind: str = ""
    coding: str = ""
    bytes: int = 0
    from_cache: bool = False

    @property
    def loose(self) -> bool:
        """Whether it came over the wire as it is, although packing it would have helped."""
        return (
            not self.from_cache
            and not self.coding
            and self.bytes > _AS_IT_IS
            and self.kind.startswith(_PACKABLE)
        )

    def __str__(self) -> str:
        parts = urlsplit(self.url)
        how = "cache" if self.from_cache else self.coding or "as it is"
        return f"{self.bytes:>9,} bytes  {how:<8}  {self.kind:<24}  {parts.path or self.url}"


@dataclass
class Traffic:
    """Counts what goes over the wire for a page, both ways on the websocket.

    Attributes
    ----------
    asked : list of Asked
        Requests in their order, those that the cache answered too.
    websocket : int
        Bytes of messages; not those of the question, once a second, whether the server is there.
    messages : list of (str, int)
        What each is, and its bytes.
    """

    asked: list[Asked] = field(default_factory=list)
    websocket: int = 0
    messages: list[tuple[str, int]] = field(default_factory=list)
    _by_id: dict[str, Asked] = field(default_factory=dict)
    _kinds: dict[str, str] = field(default_factory=dict)

    @property
    def http(self) -> int:
        """Bytes of answers, their headers included."""
        return sum(each.bytes for each in self.asked)

    @property
    def total(self) -> int:
        """Bytes of answers and messages."""
        return self.http + self.websocket

    def watch(self, page: Page) -> None:
        """Count from now on."""
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._request)
        session.on("Network.responseReceived", self._response)
        session.on("Network.requestServedFromCache", self._cached)
        session.on("Network.loadingFinished", self._finished)
        for way in ("Sent", "Received"):
            session.on(f"Network.webSocketFrame{way}", lambda event, way=way: self._frame(way, event))

    def largest(self, count: int) -> list[str]:
        """Describe the largest requests and messages."""
        lines = [(each.bytes, str(each)) for each in self.asked]
        lines += [(size, f"{size:>9,} bytes  websocket  {what}") for what, size in self.messages]
        return [line for _, line in sorted(lines, key=lambda pair: -pair[0])[:count]]

    def _request(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"]
        if url.startswith(("http:", "https:")):
            self._by_id[event["requestId"]] = asked = Asked(url)
            self.asked.append(asked)

    def _response(self, event: dict[str, Any]) -> None:
        if asked := self._by_id.get(event["requestId"]):
            response = event["response"]
            headers = {name.lower(): value for name, value in response["headers"].items()}
            asked.kind = response["mimeType"]
            asked.coding = headers.get("content-encoding", "")
            asked.from_cache |= bool(response.get("fromDiskCache") or response.get("fromPrefetchCache"))

    def _cached(self, event: dict[str, Any]) -> None:
        if asked := self._by_id.get(event["requestId"]):
            asked.from_cache = True

    def _finished(self, event: dict[str, Any]) -> None:
        if asked := self._by_id.get(event["requestId"]):
            asked.bytes = 0 if asked.from_cache else int(event["encodedDataLength"])

    def _frame(self, way: str, event: dict[str, Any]) -> None:
        frame = event["response"]
        content = frame["payloadData"]
        size = len(b64decode(content)) if frame["opcode"] == 2 else len(content.encode())
        header = re.match(r'\{.*"msgtype": ?"([A-Z-]+)"', content[:300])  # it, and frames after it
        if header:
            self._kinds[way] = header[1]
        kind = self._kinds.get(way, "")
        if not kind.startswith("SERVER-INFO"):
            self.websocket += size
            self.messages.append((f"{way.lower()} {kind}", size))


class OpensContexts(Protocol):
    """A browser."""

    def new_context(self, *, viewport: ViewportSize) -> BrowserContext:
        """Return a new context."""
        ...


def visit(of: OpensContexts | BrowserContext, url: str) -> tuple[Page, Traffic]:
    """Open the explorer, in a new context or in one whose cache knows it; wait until all of it is there."""
    context = (
        of if isinstance(of, BrowserContext) else of.new_context(viewport={"width": 1440, "height": 900})
    )
    page, traffic = context.new_page(), Traffic()
    traffic.watch(page)
    page.goto(url, timeout=120_000)
    page.wait_for_function(THERE, timeout=120_000)
    page.wait_for_timeout(SETTLED_MS)
    return page, traffic
