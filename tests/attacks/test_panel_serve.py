"""The explorer under ``panel serve`` with the server's plug-in, and with Panel's login."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from urllib.parse import urlencode

import pytest
from attacks.attacker import Client, Refused
from attacks.attempts import attach, got, tells
from attacks.conftest import ROOT
from forked import forked, program

SERVE = """
import sys
from panel.command import main

sys.argv[0] = "panel"
main()
"""


@contextmanager
def panel_serve(runs: Path, *options: str, **environment: str) -> Iterator[str]:
    """Serve the explorer to many visitors; the address of its page."""
    plugin = ("--plugins", "lrbn_viz.server")
    where = ("--port", "0", "--address", "127.0.0.1")
    words = ("serve", str(ROOT / "apps" / "explorer.py"), *plugin, *where, *options)
    how = {"LRBN_VIZ_RUNS": str(runs), "LRBN_VIZ_CHECKPOINT_SECONDS": "0.5", **environment}
    with forked(program(SERVE, *words), **how) as process:
        for line in process.stdout:
            if found := re.search(r"app running at: (\S+)/explorer", line):
                break
        else:
            pytest.fail("the explorer did not start")
        yield found[1]


@pytest.mark.slow
def test_visitors_are_apart_from_the_first_page_on(tmp_path):
    with panel_serve(tmp_path, LRBN_VIZ_SHARED="0", LRBN_VIZ_LECTURER_KEY="a-lecturers-own-key") as url:
        anna, bert = Client(url, "/explorer"), Client(url, "/explorer")
        page = anna.open()
        assert len(anna.cookies) == 1
        assert "." in page.token, "signed"
        name = page.train()
        other = bert.open()
        other.settle()
        assert not got(other, tells(other, name), 2.5)
        assert not attach(other, name)
        with pytest.raises(Refused):
            bert.join(page.token)
        assert bert.get("/lecturer?key=a-lecturers-own-key").status == 303
        assert attach(bert.open(), name)
        for client in (anna, bert):
            client.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("origins", "name", "origin"),
    [
        (["localhost:{}", "127.0.0.1:{}"], "127.0.0.1", "http://127.0.0.1:{}"),
        (["127.0.0.1:{}", "localhost:{}"], "localhost", "http://localhost:{}"),
        (["lectures.example", "localhost:{}"], "localhost", "http://localhost:{}"),
        (["localhost:{}", "lectures.example"], "lectures.example", "https://lectures.example"),
        (["*"], "localhost", "https://lectures.example"),  # by a proxy that asks by a name of its own
    ],
)
def test_the_first_page_of_a_server_opens_by_whichever_name_it_is_asked_for(tmp_path, origins, name, origin):
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [each for origin in origins for each in ("--allow-websocket-origin", origin.format(port))]
    with panel_serve(tmp_path, *options, "--port", str(port)) as url:
        client = Client(url, "/explorer")
        page = client.join(client.token("?page=train", Host=name), Host=name, Origin=origin.format(port))
        assert "TrainBoard" in page.components
        client.close()


@pytest.mark.slow
def test_with_a_login_a_visitor_is_who_has_logged_in_whichever_browser_they_use(tmp_path):
    (tmp_path / "people.json").write_text(json.dumps({"anna": "a-word", "bert": "another"}))
    options = ("--basic-auth", str(tmp_path / "people.json"), "--cookie-secret", "of the cookies")
    with panel_serve(tmp_path / "runs", *options) as url:

        def log_in(name: str, word: str) -> Client:
            client = Client(url, "/explorer")
            assert client.get("/explorer?page=train").status == 302
            client.post("/login", urlencode({"username": name, "password": word}))
            return client

        anna, again, bert = log_in("anna", "a-word"), log_in("anna", "a-word"), log_in("bert", "another")
        name = anna.open().train()
        assert attach(again.open(), name)
        assert not attach(bert.open(), name)
        nobody = log_in("anna", "wrong")
        nobody.cookies |= {"user": "anna", "is_guest": "1"}
        assert nobody.get("/explorer?page=train").status == 302
        saved = tmp_path / "runs" / name / "run.json"
        anna.pages[0].wait(saved.exists)
        owner = json.loads(saved.read_text())["owner"]
        assert owner.startswith("user-")
        assert "anna" not in owner
        for client in (anna, again, bert, nobody):
            client.close()
