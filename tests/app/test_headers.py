"""What answers forbid: the policy names the page's own scripts, and no other."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import panel as pn
import pytest
from bokeh.document import Document
from jinja2 import Template
from panel.io.state import set_curdoc
from tornado.http1connection import HTTP1Connection

from lrbn_viz.app import host as hosts
from lrbn_viz.app.shared.head import PageTemplate
from lrbn_viz.server.application import ServedApplication
from lrbn_viz.server.host import ServerHost
from lrbn_viz.server.traffic import answers, headers
from lrbn_viz.server.traffic.headers import (
    EMBED,
    HeaderSettings,
    guard,
    policy,
    read_origins,
    script_hashes,
)

BASE = "<html><script>base()</script>{% block more %}{% endblock %}{{ plot_script | indent(4) }}</html>"


@pytest.fixture(autouse=True)
def as_at_start(monkeypatch):
    monkeypatch.setattr(headers, "_settings", None)
    monkeypatch.setattr(answers, "_acts", [])
    monkeypatch.setattr(hosts, "_current", [ServerHost()])
    monkeypatch.delenv(EMBED, raising=False)


def test_only_the_pages_own_inline_scripts_are_named():
    document: Any = Document()
    connection = HTTP1Connection.__new__(HTTP1Connection)
    context: Any = SimpleNamespace(request=SimpleNamespace(connection=connection))
    document._session_context = lambda: context
    template = PageTemplate(
        "{% extends base %}{% block more %}<script>own()</script><p>{{ title }}</p>"
        '<script type="application/json">{"a": 1}</script><script src="x.js"></script>{% endblock %}'
    )
    template.own_scripts = ("own()",)
    with set_curdoc(document):
        html = template.render(
            {
                "base": Template(BASE),
                "plot_script": "<script>\n  begin()\n</script>",
                "title": "<script>steal()</script>",
                "docs": [],
            }
        )
    named = headers._known[connection]
    scripts = script_hashes(html)
    assert sorted(text.strip() for source, text in scripts.items() if source in named) == [
        "base()", "begin()", "own()",
    ]  # fmt: skip
    assert any("steal()" in text for text in scripts.values())


def test_a_page_that_no_server_answers_with_needs_no_policy():
    template = PageTemplate("{% extends base %}")
    assert "base()" in template.render(base=Template(BASE), plot_script="")


def test_a_policy_lets_no_script_in_that_is_not_named():
    said = dict(part.split(" ", 1) for part in policy("'sha256-x'").split("; "))
    assert said["default-src"] == "'none'"
    assert said["script-src"] == "'self' 'sha256-x'"
    assert said["frame-ancestors"] == said["base-uri"] == said["connect-src"] == "'self'"


@pytest.mark.parametrize(
    "text",
    ["moodle.example.org", "https://a.org/path", "https://a.org; script-src *", "*", "data:", "http://"],
)
def test_what_is_no_origin_is_refused(text: str):
    with pytest.raises(ValueError, match="expected an origin"):
        read_origins(text)


def test_origins_are_read_from_the_environment(monkeypatch):
    monkeypatch.setenv(EMBED, "https://moodle.example.org http://[::1]:8000 https://*.example.org")
    guard()
    assert headers._settings == HeaderSettings(
        ("https://moodle.example.org", "http://[::1]:8000", "https://*.example.org"), False
    )
    assert policy().endswith(
        "frame-ancestors 'self' https://moodle.example.org http://[::1]:8000 https://*.example.org"
    )


# -- served


def page() -> Any:
    document = pn.state.curdoc
    assert document is not None
    document.template = PageTemplate("{% extends base %}")
    return pn.pane.Str("text")


def serve(pages: dict[str, Any]) -> Iterator[int]:
    name = f"test-headers-{uuid4().hex}"
    thread: Any = pn.serve(
        pages, port=0, address="127.0.0.1", threaded=True, show=False, verbose=False, server_id=name
    )
    while name not in pn.state._servers:
        thread.join(0.05)
    yield pn.state._servers[name][0].port or 0
    thread.stop()


@pytest.fixture
def port(monkeypatch) -> Iterator[int]:
    monkeypatch.setattr("bokeh.server.server.BokehTornado", ServedApplication)
    guard()
    yield from serve({"ours": page, "other": lambda: pn.pane.Str("other")})


def ask(port: int, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    return answer


def test_from_its_first_page_on_every_answer_of_a_server_is_guarded(port: int):
    assert ask(port, "/other").getheader("Content-Security-Policy") is None  # not ours to decide
    first = ask(port, "/ours")
    said = first.getheader("Content-Security-Policy") or ""
    assert first.status == 200
    assert len(re.findall(r"'sha256-[\w+/=]{44}'", said)) >= 1
    assert "unsafe-inline" not in said.split("style-src")[0]
    for path, status in (("/ours", 200), ("/nothing-here", 404), ("/static/js/bokeh.min.js", 200)):
        answer = ask(port, path)
        assert answer.status == status
        assert answer.getheader("X-Content-Type-Options") == "nosniff", path
        assert answer.getheader("X-Frame-Options") == "SAMEORIGIN"
        assert answer.getheader("Referrer-Policy") == "same-origin"
        assert "camera=()" in (answer.getheader("Permissions-Policy") or "")
        assert "frame-ancestors 'self'" in (answer.getheader("Content-Security-Policy") or "")
    other = ask(port, "/other").getheader("Content-Security-Policy") or ""
    assert "script-src" not in other  # another application beside it runs what it likes


def test_where_every_page_is_ours_the_first_answer_is_guarded_too(port: int):
    guard(("https://moodle.example.org",), all_pages=True)
    answer = ask(port, "/nothing-here")
    said = answer.getheader("Content-Security-Policy") or ""
    assert "script-src 'self' blob:;" in said
    assert said.endswith("frame-ancestors 'self' https://moodle.example.org")
    assert answer.getheader("X-Frame-Options") is None  # it could not name the other origin


def test_an_act_that_fails_leaves_the_answer_whole(port: int, caplog):
    def fail(handler: Any) -> None:
        raise RuntimeError("broken")

    answers.before_sending(fail)
    assert ask(port, "/other").status == 200
    assert "preparing an answer" in caplog.text
