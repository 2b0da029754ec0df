"""Faults of Bokeh and Panel that the server mends are still there; a test that fails names what may go."""

from __future__ import annotations

import asyncio
import http.client
import inspect
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import panel as pn
import pytest
from attacks.attacker import Client
from bokeh.document import Document
from bokeh.protocol import Protocol
from bokeh.server import server as bokeh_server
from bokeh.server.connection import ServerConnection
from bokeh.server.tornado import BokehTornado
from bokeh.server.views.ws import WSHandler
from panel.io import document as writing
from panel.io.resources import Resources
from panel.io.state import set_curdoc
from tornado.httpclient import HTTPRequest
from tornado.locks import Lock
from tornado.websocket import websocket_connect

from lrbn_viz.app.shared.head import HEAD
from lrbn_viz.server import patches
from lrbn_viz.server.application import ServedApplication, _completed
from lrbn_viz.server.failing import MESSAGE_FAILED, FailureInWords
from lrbn_viz.server.patches import PATCHES, Patch, PatchError
from lrbn_viz.server.traffic import head
from lrbn_viz.server.traffic.headers import guard
from lrbn_viz.server.traffic.sending import all_that_waits
from lrbn_viz.server.visitors.gate import cookies_of
from lrbn_viz.server.visitors.serving import Serving
from lrbn_viz.server.visitors.tokens import Signer

ROOT = Path(__file__).resolve().parents[2]
BY_NAME = {patch.name: patch for patch in PATCHES}
KNOWN_OF_HEADERS = {"include_headers", "exclude_headers", "use_xheaders"}
"""Options of Bokeh's servers that name headers, of requests."""


def no_longer_needed(name: str) -> str:
    """Return the sentence of a test that finds no fault."""
    patch = BY_NAME[name]
    return f"{patch.package} does this itself now: {patch.place}.{name} may go ({patch.issue})."


def test_every_patch_is_tried_here():
    assert set(BY_NAME) == {"BokehTornado", "_dispatch_msgs", "extra_resources"}


# -- the application


@contextmanager
def served_here(**options: Any) -> Iterator[int]:
    """Serve a page on a thread of this process; the port."""
    name = f"test-patches-{uuid4().hex}"
    thread: Any = pn.serve(
        lambda: pn.pane.Str("text"), port=0, address="127.0.0.1", threaded=True, show=False, verbose=False,
        server_id=name, **options,
    )  # fmt: skip
    while name not in pn.state._servers:
        thread.join(0.05)
    try:
        yield pn.state._servers[name][0].port or 0
    finally:
        thread.stop()


@pytest.fixture(params=[BokehTornado, ServedApplication])
def answered(request, monkeypatch) -> Iterator[tuple[bool, http.client.HTTPResponse]]:
    """Whether a server's application is ours, and its answer to a request for a file of Bokeh's."""
    monkeypatch.setattr(bokeh_server, "BokehTornado", request.param)
    monkeypatch.setattr("lrbn_viz.server.traffic.headers._settings", None)
    monkeypatch.setattr("lrbn_viz.server.traffic.answers._acts", [])
    guard(all_pages=True)
    with served_here() as port:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        line.request("GET", "/static/js/bokeh.min.js")
        yield request.param is ServedApplication, line.getresponse()
        line.close()


def test_bokehs_own_answers_have_no_security_headers(answered):
    ours, answer = answered
    assert answer.status == 200
    said = answer.getheader("Content-Security-Policy") is not None
    assert said == ours, no_longer_needed("BokehTornado")


def test_bokeh_has_no_option_for_the_headers_of_answers():
    takes = {
        *inspect.signature(BokehTornado.__init__).parameters,
        *bokeh_server._ServerOpts.properties(),
    }
    assert {each for each in takes if "header" in each} == KNOWN_OF_HEADERS, no_longer_needed("BokehTornado")


def test_an_application_signs_its_sessions_and_keeps_cookies_out_of_pages():
    how = Serving()
    signer = Signer(b"a secret of one server")
    names = list(cookies_of(signer))
    found = _completed({}, how, signer)
    assert (found["sign_sessions"], found["secret_key"]) == (True, signer.session_secret())
    assert (found["exclude_cookies"], found["exclude_headers"]) == (names, ["Cookie"])
    own = _completed({"sign_sessions": True, "secret_key": b"own", "exclude_cookies": ["a"]}, how, signer)
    assert (own["secret_key"], own["exclude_cookies"]) == (b"own", ["a", *names])
    assert "exclude_cookies" not in _completed({"include_cookies": ["a"]}, how, signer)
    assert "secret_key" not in _completed({}, Serving(shared=True), signer), "nobody is kept apart"


# -- what needs no patch of its own, as the application uses its own classes


def test_bokeh_answers_a_message_that_failed_with_a_traceback_and_we_in_words(monkeypatch):
    protocol = Protocol()
    asked = protocol.create("PULL-DOC-REQ")
    try:
        Path("/somewhere/of/the/server").read_bytes()
    except OSError as error:
        connection: Any = SimpleNamespace(protocol=protocol)
        answer = ServerConnection.error(connection, asked, repr(error))
    assert "somewhere" in answer.content_json, "Bokeh sends no traceback now: FailureInWords may go (#6884)."
    sent: list[Any] = []

    async def keep(_: object, message: Any) -> None:
        sent.append(message)

    monkeypatch.setattr(WSHandler, "send_message", keep)
    socket: Any = FailureInWords.__new__(FailureInWords)
    done = protocol.create("OK", asked.header["msgid"])
    for message in (answer, done):
        asyncio.run(socket.send_message(message))
    assert sent == [answer, done]
    assert answer.content == {"text": MESSAGE_FAILED}
    assert "somewhere" not in answer.content_json
    assert answer.header.get("reqid") == asked.header["msgid"]
    assert done.content == {}


def test_bokehs_signs_of_life_part_with_a_page_twice_and_are_tornados_here():
    handler: Any = WSHandler.__new__(WSHandler)
    session: Any = SimpleNamespace(subscribe=lambda _: None, unsubscribe=lambda _: None)
    nothing: Any = None
    handler.connection = ServerConnection(nothing, handler, nothing, session)
    handler.close_code = handler.close_reason = None
    handler.connection.detach_session()  # as BokehTornado does where a sign of life finds the socket closed
    try:
        handler.on_close()
    except AssertionError:
        pass
    else:
        pytest.fail("Bokeh parts once now: keep_alive_milliseconds may be left to it (#13654).")
    signer = Signer(b"a secret of one server")
    found = _completed({"keep_alive_milliseconds": 5000}, Serving(), signer)
    assert (found["keep_alive_milliseconds"], found["websocket_ping_interval"]) == (0, 5.0)
    assert found["websocket_ping_timeout"] == 0, "a proxy may answer none"
    assert "websocket_ping_interval" not in _completed({"keep_alive_milliseconds": 0}, Serving(), signer)


def test_a_page_has_signs_of_life_and_one_that_leaves_is_no_error(monkeypatch, caplog):
    pongs: list[bytes] = []
    monkeypatch.setattr(WSHandler, "on_pong", lambda self, data: pongs.append(data))
    monkeypatch.setattr(bokeh_server, "BokehTornado", ServedApplication)

    async def stay(port: int) -> None:
        client = Client(f"http://127.0.0.1:{port}")
        asked = HTTPRequest(f"ws://127.0.0.1:{port}/ws", headers={"Origin": client.url})
        token = await asyncio.to_thread(client.token, "/")
        socket = await websocket_connect(
            asked, subprotocols=["bokeh", token], on_message_callback=lambda message: None
        )
        while len(pongs) <= 2:
            await asyncio.sleep(0.02)
        socket.close()

    with served_here(keep_alive_milliseconds=50) as port:
        asyncio.run(asyncio.wait_for(stay(port), 30))
        seen = len(pongs)
        time.sleep(0.5)
        assert len(pongs) <= seen + 1, "it has left"
    assert set(pongs) == {b""}, "they are Tornado's"
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


# -- what waits to be sent


class Line:
    """A connection, and its socket, whose first message takes its time; another is written meanwhile."""

    def __init__(self, change: Callable[[], None]) -> None:
        self._socket = self
        self.protocol = SimpleNamespace(create=lambda kind, events: events[0])
        self.write_lock = Lock()
        self.sent: list[str] = []
        self._change = change

    async def write(self, message: str) -> None:
        """Send a message; during the first, Bokeh begins to write one of its own, and the page changes."""
        self.sent.append(message)
        if message == "first":
            await self.write_lock.acquire()
            self._change()
            await asyncio.sleep(0.005)


@pytest.mark.parametrize("mended", [False, True])
def test_panel_leaves_what_comes_while_it_sends_and_we_send_it(mended: bool, monkeypatch):
    plain = inspect.unwrap(writing._dispatch_msgs)
    monkeypatch.setattr(writing, "_dispatch_msgs", all_that_waits(plain, writing) if mended else plain)
    document = Document()
    say: Any = lambda text: writing.schedule_write_events(document, [line], [text])
    line: Any = Line(lambda: say("second"))
    write = lambda connection, msg: [asyncio.ensure_future(connection.write(msg))]
    monkeypatch.setitem(writing.extra_socket_handlers, Line, write)

    async def go() -> None:
        say("first")
        await asyncio.sleep(0.05)
        line.write_lock.release()
        await asyncio.sleep(0.1)
        assert line.sent == (["first", "second"] if mended else ["first"]), no_longer_needed("_dispatch_msgs")
        say("third")
        await asyncio.sleep(0.1)

    asyncio.run(go())
    assert line.sent == ["first", "second", "third"]
    assert document not in writing._WRITE_BLOCK
    assert document not in writing._WRITE_MSGS


# -- files of all components


def test_panel_lists_the_styles_of_all_components_and_we_those_of_a_page(monkeypatch):
    monkeypatch.setattr(head, "kept_address", lambda content, name, kind: f"./{name}")
    plain = inspect.unwrap(Resources.extra_resources)
    monkeypatch.setattr(Resources, "extra_resources", head.own_files_alone(plain))
    own, other = Document(), Document()
    own.template_variables[HEAD] = head.lean_head(own)
    assert own.template_variables[HEAD] is not None

    def styles(document: Document) -> list[str]:
        """Return the addresses of other components that a page without any of them has."""
        with set_curdoc(document):
            listed = Resources(mode="server").css_files
        return [each for each in listed if "panel-material-ui" in each or "_bundle_css" in each]

    assert styles(other), no_longer_needed("extra_resources")
    assert not styles(own)


# -- how patches are made


class Place:
    """A class of another package."""

    def part(self, one: int) -> int:
        """Return a number."""
        return one


@pytest.fixture
def made_up(monkeypatch) -> Callable[..., Patch]:
    """A patch of the class above, with other values of its fields."""
    monkeypatch.setattr(patches, "version", lambda package: "9.0.0")

    def make(**fields: Any) -> Patch:
        replace = lambda original, place: lambda self, one: original(self, one) + 1
        usual = PATCHES[0]._replace(
            place=f"{__name__}.Place", name="part", parameters=("self", "one"), others=(), replace=replace,
            tested="1.2.3",
        )  # fmt: skip
        return usual._replace(**fields)

    return make


def test_all_patches_are_made_or_none(made_up, monkeypatch):
    monkeypatch.setattr(Place, "part", Place.part)  # put back at the end
    apply = inspect.unwrap(patches.apply_patches)
    wrongs = {"name": "parts", "parameters": ("self", "two"), "place": "nothing.here", "others": ("other",)}
    for wrong in wrongs.items():
        monkeypatch.setattr(patches, "PATCHES", (made_up(), made_up(**dict([wrong]))))
        with pytest.raises(PatchError, match=r"9\.0\.0.*tested with \S+ 1\.2\.3") as found:
            apply()
        assert "lrbn_viz.server" in str(found.value)
        assert Place().part(1) == 1
    monkeypatch.setattr(patches, "PATCHES", (made_up(),))
    apply()
    assert Place().part(1) == 2


# -- one's own machine

OWN = """
import json, sys
sys.path.insert(0, {tests!r})
from replaced import replaced
import panel, panel_material_ui, bokeh.server.server, panel.io.server, tornado.web
before = replaced()
from lrbn_viz.app.shell import build_page
build_page()
ours = sorted(name for name in sys.modules if name.startswith("lrbn_viz.server"))
print(json.dumps([before, replaced(), ours, "lrbn_viz.app.shell" in sys.modules]))
"""


def test_the_explorer_on_ones_own_machine_imports_nothing_of_the_server_and_replaces_nothing():
    program = OWN.format(tests=str(ROOT / "tests"))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1]) == [[], [], [], True]


# -- its page


def test_the_page_about_serving_lists_every_patch():
    page = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    section = page.partition("## What the server replaces\n")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [patch.row() for patch in PATCHES]
    said = " ".join(section.split())
    assert [patch.report in said for patch in PATCHES] == [True] * len(PATCHES)
