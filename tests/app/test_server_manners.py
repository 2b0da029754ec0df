"""What the pages ask of the server around them: whole messages, and a short search for garbage."""

from __future__ import annotations

import gc
import select
import socket
from contextlib import contextmanager
from types import SimpleNamespace

import panel as pn
import pytest

from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.server import gc as garbage
from lrbn_viz.app.shared.server import websocket as sockets
from lrbn_viz.app.shared.server.gc import spare_the_imported


@pytest.fixture
def pair():
    """Two ends of a TCP connection, as a websocket has them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        ours = socket.create_connection(listening.getsockname())
        theirs, _ = listening.accept()
    ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    theirs.settimeout(5)
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
    with sockets.in_one_piece():
        for frame in (b"header", b"metadata", b"content"):
            ours.sendall(frame)
        assert select.select([theirs], [], [], 0.05)[0] == []
    assert theirs.recv(100) == b"headermetadatacontent"
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
