"""What the pages ask of the server around them: whole messages, and a short search for garbage."""

from __future__ import annotations

import asyncio
import gc
import socket
from contextlib import contextmanager
from types import SimpleNamespace

import panel as pn
import pytest
from app.virtual import VirtualLoop
from tornado.iostream import StreamClosedError
from tornado.websocket import WebSocketClosedError

from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared import sockets
from lrbn_viz.io.background import trim_memory
from lrbn_viz.server.traffic import gc as garbage
from lrbn_viz.server.traffic.gc import RELEASE_SECONDS, spare_the_imported
from lrbn_viz.server.traffic.sending import forgive_pages_that_left


@pytest.fixture
def pair():
    """Two ends of a TCP connection, as a websocket has them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ours = socket.create_connection(listening.getsockname())
        theirs, _ = listening.accept()
    ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    theirs.settimeout(60)
    with ours, theirs:
        yield ours, theirs


def document_with(*ours):
    """A document as Bokeh's server makes one, with these sockets."""
    connections = [
        SimpleNamespace(
            _socket=SimpleNamespace(ws_connection=SimpleNamespace(stream=SimpleNamespace(socket=each)))
        )
        for each in ours
    ]
    session = SimpleNamespace(_subscribed_connections=connections)
    return SimpleNamespace(session_context=SimpleNamespace(session=session))


def show(monkeypatch, document):
    monkeypatch.setattr(type(pn.state), "curdoc", property(lambda _: document))


@pytest.mark.skipif(not hasattr(socket, "TCP_CORK"), reason="this system cannot hold packets back")
def test_frames_written_in_one_piece_arrive_together_at_its_end(monkeypatch, pair):
    ours, theirs = pair
    show(monkeypatch, document_with(ours))
    held = lambda: ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_CORK)
    before = held()
    with sockets.in_one_piece():
        for frame in (b"header", b"metadata", b"content"):
            ours.sendall(frame)
            assert held() != before, "the system holds it back, for a fifth of a second at most"
    assert held() == before == 0
    came = b""
    while len(came) < len(b"headermetadatacontent"):
        came += theirs.recv(100)
    assert came == b"headermetadatacontent"
    ours.sendall(b"next")
    assert theirs.recv(100) == b"next"


def test_a_new_trace_leaves_whole(monkeypatch):
    session = Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
    panel, now, seen = ReplayPanel(session), [], []

    @contextmanager
    def whole():
        now.append(True)
        yield
        now.clear()

    monkeypatch.setattr("lrbn_viz.app.inference.panels.replay.in_one_piece", whole)
    panel.player.param.watch(lambda *events: seen.append(bool(now)), ["trace", "cursor"])
    session.show(3)
    assert seen == [True]


@pytest.mark.parametrize("document", [None, SimpleNamespace(session_context=None)])
def test_without_a_server_nothing_is_held_back(monkeypatch, document):
    show(monkeypatch, document)
    with sockets.in_one_piece():
        pass


def test_a_socket_that_is_closed_meanwhile_is_left_alone(monkeypatch, pair):
    ours, _ = pair
    show(monkeypatch, document_with(ours))
    with sockets.in_one_piece():
        ours.close()


@pytest.mark.parametrize(("served", "times"), [(True, 1), (False, 0)])
def test_the_imported_is_spared_once_and_only_on_a_server(monkeypatch, served, times):
    calls = []
    monkeypatch.setattr(gc, "freeze", lambda: calls.append("freeze"))
    monkeypatch.setattr(gc, "set_threshold", lambda *numbers: None)
    monkeypatch.setattr(garbage, "_spared", False)
    show(monkeypatch, document_with() if served else None)
    spare_the_imported()
    spare_the_imported()
    assert calls == ["freeze"] * times


def test_memory_is_given_back_once_after_visitors_have_left(monkeypatch):
    calls = []
    monkeypatch.setattr(garbage, "_giver", SimpleNamespace(submit=calls.append))

    async def go() -> None:
        for times in (1, 2):
            garbage.give_memory_back()
            garbage.give_memory_back()  # goes in the same moment
            await asyncio.sleep(0.9 * RELEASE_SECONDS)
            assert len(calls) == times - 1, "what has gone is garbage still"
            await asyncio.sleep(0.2 * RELEASE_SECONDS)
            assert calls == times * [trim_memory]

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(go())
    trim_memory()  # here, or not, where there is no such function


# -- pages that leave


@pytest.mark.parametrize(
    ("error", "logged"),
    [(WebSocketClosedError(), False), (StreamClosedError(), False), (OSError("disk"), True)],
)
def test_a_page_that_leaves_is_no_error_in_the_log(error: Exception, logged: bool, caplog):
    async def go() -> None:
        forgive_pages_that_left()
        handler = asyncio.get_running_loop().get_exception_handler()
        forgive_pages_that_left()
        assert asyncio.get_running_loop().get_exception_handler() is handler
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        future.set_exception(error)
        del future
        gc.collect()

    asyncio.run(go())
    assert bool([record for record in caplog.records if record.levelname == "ERROR"]) == logged
