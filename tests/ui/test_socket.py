"""The websocket's manners, seen from inside a server as Panel makes it: small packets leave at once."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator

import panel as pn
import pytest
from bokeh.server.server import Server
from ui.journeys import WAIT, wait_for_answer, wait_until_linked

from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.sockets import send_small_packets_at_once
from lrbn_viz.app.shell import build_page


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The page on a thread of this process, with the smallest models; a test may add options."""

    def page():
        return build_page(
            Session(dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits")
        )

    name = request.node.name  # none that has been served before
    options = getattr(request, "param", {})
    thread = pn.serve(
        page, port=0, address="127.0.0.1", threaded=True, show=False, verbose=False, server_id=name, **options
    )
    deadline = time.monotonic() + WAIT / 1000
    while name not in pn.state._servers and time.monotonic() < deadline:
        time.sleep(0.05)
    yield pn.state._servers[name][0]
    thread.stop()


def test_every_websocket_has_nagles_algorithm_off_once_the_page_is_loaded(server, page):
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta")
    (session,) = server.get_sessions("/")

    def flags() -> list[int]:
        return [
            connection._socket.ws_connection.stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            for connection in session._subscribed_connections
        ]

    wait_until_linked(page)  # it reports that it is whole a little after it is painted
    wait_for_answer(page)
    assert flags()
    assert all(flags())


# The session of the page asked for is given up before the browser has read it and opens the websocket.
GIVEN_UP = {"unused_session_lifetime_milliseconds": 1, "check_unused_sessions_milliseconds": 10}


@pytest.mark.parametrize("server", [GIVEN_UP], indirect=True)
def test_a_page_that_is_made_again_for_its_websocket_asks_no_outside_host(page, seen, server):
    # Inside: Fonts, scripts and styles of every page come from its own server.
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta")
    page.wait_for_load_state("networkidle")
    seen.assert_clean()


@pytest.mark.slow
@pytest.mark.parametrize("plugin", [True, False])
def test_so_it_is_where_panel_serves_the_explorer(page, seen, serve_explorer, plugin):
    given_up = ("--unused-session-lifetime", "1", "--check-unused-sessions", "10")
    serving = serve_explorer(*given_up, plugin=plugin)
    try:
        page.goto(next(serving).url)
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta")
        page.wait_for_load_state("networkidle")
        seen.assert_clean()
    finally:
        serving.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])
def test_the_first_page_of_a_server_that_others_reach_opens_by_either_name(page, seen, serve_explorer, name):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    origins = ["lectures.example", f"127.0.0.1:{port}", f"localhost:{port}"]
    options = [each for origin in origins for each in ("--allow-websocket-origin", origin)]
    serving = serve_explorer("--port", str(port), *options)
    try:
        page.goto(next(serving).url.replace("127.0.0.1", name))
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta")
        seen.assert_clean()
    finally:
        serving.close()


def test_a_server_of_another_make_is_left_alone():
    assert send_small_packets_at_once(object()) == 0
