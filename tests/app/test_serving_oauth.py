"""Signing in at another server: the path of OAuth 2, against a provider of these tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from served import Served, served

KEY, SECRET, CODE, TOKEN = "the-explorer", "known to both servers", "granted", "of ada"


class Provider(BaseHTTPRequestHandler):
    """Grants everybody who asks a code, takes it for a token, and says whose the token is."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(asked.query).items()}
        if asked.path == "/authorize":
            assert query["client_id"] == KEY
            back = f"{query['redirect_uri']}?{urlencode({'code': CODE, 'state': query['state']})}"
            self.send_response(302)
            self.send_header("Location", back)
            self.end_headers()
        else:
            assert self.headers["Authorization"] == f"Bearer {TOKEN}"
            self._say({"email": "ada@example.org"})

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        known = form.get("client_secret") == [SECRET] and form.get("code") == [CODE]
        self._say({"access_token": TOKEN} if known else {"error": "unknown"}, 200 if known else 400)

    def _say(self, what: dict[str, Any], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(what).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server that lets in who has signed in at the provider."""
    provider = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    thread = threading.Thread(target=provider.serve_forever)
    thread.start()
    base = f"http://127.0.0.1:{provider.server_port}"
    try:
        with served(
            *("--auth", "generic", "--address", "0.0.0.0"),
            PANEL_OAUTH_KEY=KEY,
            PANEL_OAUTH_SECRET=SECRET,
            PANEL_OAUTH_AUTHORIZE_URL=f"{base}/authorize",
            PANEL_OAUTH_TOKEN_URL=f"{base}/token",
            PANEL_OAUTH_USER_URL=f"{base}/user",
        ) as found:
            yield found
    finally:
        provider.shutdown()
        thread.join()
        provider.server_close()


def browser() -> OpenerDirector:
    return build_opener(HTTPCookieProcessor())


def test_who_signs_in_there_comes_to_the_explorer(server: Served):
    visitor = browser()
    with visitor.open(f"{server.url}/?image=7", timeout=60) as answer:
        assert "<title>LRBN explorer" in answer.read().decode()
        assert urlsplit(answer.url).netloc == urlsplit(server.url).netloc
        assert "code=" not in answer.url
    with visitor.open(f"{server.url}/", timeout=60) as answer:
        assert "<title>LRBN explorer" in answer.read().decode()


def test_a_code_that_was_sent_for_another_browser_lets_nobody_in(server: Served):
    with pytest.raises(HTTPError) as refused:
        browser().open(f"{server.url}/login?{urlencode({'code': CODE, 'state': 'forged'})}", timeout=60)
    assert refused.value.code == 401
    page = refused.value.read().decode()
    assert "You are not signed in" in page
    assert "Traceback" not in page
    assert "://" not in page.replace(server.url, ""), "nothing comes from elsewhere"


def test_a_forged_cookie_lets_nobody_in(server: Served):
    address = urlsplit(server.url)
    connection = HTTPConnection(str(address.hostname), address.port, timeout=60)
    connection.request("GET", "/", headers={"Cookie": "user=ada@example.org"})
    answer = connection.getresponse()
    assert answer.status == 302
    assert answer.headers["Location"].startswith("./login")
    connection.close()
