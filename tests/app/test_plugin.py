"""The server for many visitors is a plug-in: what it replaces of the libraries; the explorer without it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import panel as pn
import pytest
from attacks.attacker import Client
from bokeh.document import Document
from forked import Forked, forked, program
from panel.io.state import set_curdoc
from tornado.httputil import HTTPConnection, HTTPHeaders

from lrbn_viz.app import host as hosts
from lrbn_viz.app import shell
from lrbn_viz.app.host import ONE_PROCESS, ONLY_OWNER, Host, NotServedError
from lrbn_viz.app.visitors.limits import NO_LIMITS
from lrbn_viz.app.visitors.local import SHARED_VARIABLE
from lrbn_viz.app.visitors.who import HOME
from lrbn_viz.server.patches import PATCHES

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = ("--plugins", "lrbn_viz.server")
REPLACED = sorted(f"{patch.place}.{patch.name}" for patch in PATCHES)

SERVE = """
import json, sys, threading
import lrbn_viz.server.options  # which replaces nothing yet
from lrbn_viz.app import warmup
from panel.command import main
from replaced import replaced

def answer():
    for _ in sys.stdin:
        print("REPLACED", json.dumps(replaced()), flush=True)

warmup._begun.set()
threading.Thread(target=answer, daemon=True).start()
sys.argv[0] = "panel"
main()
"""


class Plain(NamedTuple):
    """A ``panel serve`` of the explorer.

    Attributes
    ----------
    url : str
        Of the server, without a path.
    process : Forked
    """

    url: str
    process: Forked

    def replaced(self) -> list[str]:
        """Return the functions of the libraries that are replaced in it."""
        print("?", file=self.process.stdin, flush=True)
        return next(json.loads(line[9:]) for line in self.process.stdout if line.startswith("REPLACED "))


@contextmanager
def panel_serve(runs: Path, *options: str) -> Iterator[Plain]:
    words = ("serve", str(ROOT / "apps" / "explorer.py"), "--port", "0", "--address", "127.0.0.1", *options)
    with forked(program(SERVE, *words), LRBN_VIZ_RUNS=str(runs)) as process:
        url = next(
            found[1] for line in process.stdout if (found := re.search(r"running at: (\S+)/explorer", line))
        )
        yield Plain(url, process)


@pytest.mark.parametrize(("options", "replaced", "health"), [((), [], 404), (PLUGIN, REPLACED, 200)])
def test_panel_serve_alone_replaces_nothing_of_the_libraries_and_the_plugin_does(
    tmp_path: Path, options: tuple[str, ...], replaced: list[str], health: int
):
    # Inside: The server for many visitors is a plug-in.
    # Inside: panel serve apps/explorer.py replaces no function of Bokeh, Panel or Tornado.
    with panel_serve(tmp_path, *options) as server:
        client = Client(server.url, "/explorer")
        page = client.open()
        page.settle()  # a message was answered
        assert "TrainBoard" in page.components
        assert client.get("/health/live").status == health
        elsewhere = client.get("/explorer?page=train", Host="lectures.example")
        assert (ONLY_OWNER[:40] in elsewhere.body) == (not options)
        assert ('"token":"' in elsewhere.body) == bool(options), "nobody else gets a session"
        assert bool(elsewhere.cookies()) == bool(options)
        client.close()
        assert server.replaced() == replaced


# -- the host of one's own machine


class Line(HTTPConnection):
    """The line on which a request came."""


def asked(host: str = "localhost:5006", ip: str = "127.0.0.1", **headers: str) -> Any:
    """A document that was asked for by such a request."""
    document: Any = Document()
    named = HTTPHeaders({name.replace("_", "-"): value for name, value in headers.items()})
    request = SimpleNamespace(host=host, remote_ip=ip, headers=named, connection=Line(), arguments={})
    context = SimpleNamespace(request=request)
    document._session_context = lambda: context
    return document


def test_on_ones_own_machine_there_is_no_limit_and_nothing_is_kept_counted_or_put_off():
    own = Host()
    assert own.limits_of(HOME) == NO_LIMITS
    assert (own.kept_address(b"a", "a.js", "text/javascript"), own.head(Document())) == (None, None)
    said: list[str] = []
    document = Document()
    for number in range(1000):
        own.answer(document, "same", lambda number=number: said.append(str(number)))
    assert said == [str(number) for number in range(1000)]


def test_on_ones_own_machine_a_page_is_made_for_its_owner_and_for_nobody_else(monkeypatch):
    monkeypatch.delenv(SHARED_VARIABLE, raising=False)
    assert Host().admit() == HOME, "no server"
    for document in (asked(), asked("127.0.0.1:5006"), asked("[::1]:5006", "::1")):
        with set_curdoc(document):
            assert Host().admit() == HOME
    for document in (asked(ip="192.168.1.7"), asked("lectures.example"), asked(X_Forwarded_For="127.0.0.1")):
        with set_curdoc(document), pytest.raises(NotServedError, match="lrbn-viz serve"):
            Host().admit()
    with set_curdoc(asked()):
        monkeypatch.setenv(SHARED_VARIABLE, "0")
        with pytest.raises(NotServedError):
            Host().admit()
        monkeypatch.setenv(SHARED_VARIABLE, "1")
        monkeypatch.setattr(pn.config, "basic_auth", "people.json")
        with pytest.raises(NotServedError):
            Host().admit()


@pytest.mark.parametrize(
    ("origins", "trusted"),
    [({"localhost:5006"}, True), ({"localhost:5006", "lectures.example"}, False), ({"*"}, False)],
)
def test_a_page_keeps_its_websocket_only_where_no_other_host_may_open_one(origins, trusted):
    assert Host().trusts(SimpleNamespace(websocket_origins=origins)) == trusted


@pytest.mark.parametrize("trusted", [True, False])
def test_a_page_that_another_host_has_opened_is_closed_when_it_is_loaded(trusted: bool, monkeypatch):
    monkeypatch.setattr(hosts, "_current", [Host()])
    did: list[str] = []
    origins = {"localhost:5006"} if trusted else {"lectures.example"}
    handler = SimpleNamespace(
        application=SimpleNamespace(websocket_origins=origins),
        close=lambda: did.append("close"),
        set_nodelay=lambda on: did.append("no delay"),
    )
    document = asked()
    connections = [SimpleNamespace(_socket=handler)]
    document.session_context.session = SimpleNamespace(_subscribed_connections=connections)
    with set_curdoc(document):
        shell._on_load()
    assert did == (["no delay"] if trusted else ["close"])


def test_a_process_of_several_says_that_the_explorer_needs_one(monkeypatch):
    monkeypatch.setattr(hosts, "_current", [Host()])
    monkeypatch.setattr("tornado.process._task_id", 1)
    document = asked()
    with set_curdoc(document):
        shell.build_page()
    assert document.template_variables["words"] == ONE_PROCESS
    assert ONE_PROCESS in document.template.render(document.template_variables)
