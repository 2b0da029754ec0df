"""The explorer served to others: health, counts, logs, and what whoever starts it is told."""

from __future__ import annotations

import argparse
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen
from uuid import uuid4

import panel as pn
import pytest
from app.training import wait_for
from prometheus_client.parser import text_string_to_metric_families
from served import Served, served

from lrbn_viz import cli
from lrbn_viz.app import host as hosts
from lrbn_viz.app.host import ONE_PROCESS, require_one_process
from lrbn_viz.app.shared.component import report_errors_on_page
from lrbn_viz.cli import build_parser
from lrbn_viz.server import health, logs, memory, options
from lrbn_viz.server.application import ServedApplication
from lrbn_viz.server.failing import make_or_fail
from lrbn_viz.server.host import ServerHost, _note_page
from lrbn_viz.server.logs import fit_to_log, session_name, write_logs
from lrbn_viz.server.metrics import METRICS, is_local, metrics_asked
from lrbn_viz.server.traffic.answers import before_sending
from lrbn_viz.server.traffic.headers import policy
from lrbn_viz.server.traffic.observed import OBSERVED, Histogram, Observed

ROOT = Path(__file__).resolve().parents[2]

PASSWORD = "a long password"


@pytest.fixture(scope="module")
def server() -> Iterator[Served]:
    """A server for this machine alone."""
    options = ("--prefix", "/team/a", "--log-level", "info", "--log-format", "json")
    with served(*options, "--address", "127.0.0.1") as found:
        yield found


def get(address: str, **headers: str) -> tuple[int, Any, str]:
    try:
        with urlopen(Request(address, headers=headers), timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except HTTPError as error:
        return error.code, error.headers, error.read().decode()


def test_a_server_is_alive_at_once_and_says_what_it_waits_for(server: Served):
    status, headers, body = get(f"{server.url}/health/live")
    assert (status, json.loads(body)) == (200, {"status": "ok", "alive": True})
    assert headers["Cache-Control"] == "no-store"
    # It asks itself for a page, for so long at most, and again where none came.
    wait_for(lambda: json.loads(get(f"{server.url}/health")[2])["page"])
    for path in ("/health/ready", "/health"):
        status, _, body = get(server.url + path)
        found = json.loads(body)
        assert status == (200 if found["kernels"] else 503)
        assert found["status"] == ("ok" if found["kernels"] else "not ready")


@pytest.fixture
def small(monkeypatch) -> Iterator[tuple[str, dict[str, bool]]]:
    """A server of a small page, on a thread of this process, and what makes it ready."""
    how = {"warm": False, "broken": False}
    monkeypatch.setattr(health, "warm_up", lambda: None)
    monkeypatch.setattr(health, "is_warm", lambda: how["warm"])
    monkeypatch.setattr(health, "READINESS", health.Readiness())

    def page() -> Any:
        require_one_process()
        if how["broken"]:
            raise RuntimeError("broken")
        return pn.pane.Str("text")

    monkeypatch.setattr("bokeh.server.server.BokehTornado", ServedApplication)
    before_sending(_note_page)
    name = f"test-serving-{uuid4().hex}"
    thread: Any = pn.serve(
        lambda: make_or_fail(page),
        port=0,
        address="127.0.0.1",
        threaded=True,
        show=False,
        verbose=False,
        server_id=name,
        extra_patterns=list(health.ROUTES),
    )
    while name not in pn.state._servers:
        thread.join(0.05)
    yield f"http://127.0.0.1:{pn.state._servers[name][0].port}", how
    thread.stop()


def test_a_server_is_ready_once_it_is_warm_and_answers_with_a_page(small):
    base, how = small
    assert get(f"{base}/health/ready")[0] == 503
    how["warm"] = True
    status, _, body = get(f"{base}/health/ready")
    assert (status, json.loads(body)) == (200, {"status": "ok", "kernels": True, "page": True})
    assert get(f"{base}/health")[0] == 200


def test_a_server_whose_page_fails_is_alive_and_not_ready(small):
    base, how = small
    how.update(warm=True, broken=True)
    status, _, body = get(f"{base}/health/ready")
    assert (status, json.loads(body)) == (503, {"status": "not ready", "kernels": True, "page": False})
    assert get(f"{base}/health/live")[0] == 200
    status, _, body = get(f"{base}/")
    assert status == 500
    assert "Something went wrong" in body
    assert "Traceback" not in body
    assert "test_serving" not in body


def test_a_process_of_several_answers_with_words_and_makes_no_page(small, monkeypatch, caplog):
    base, _ = small
    monkeypatch.setattr("tornado.process._task_id", 1)
    status, _, body = get(f"{base}/")
    assert status == 500
    assert ONE_PROCESS in body
    assert ONE_PROCESS in caplog.messages
    monkeypatch.setattr("tornado.process._task_id", None)
    assert get(f"{base}/")[0] == 200


@pytest.mark.slow
def test_each_page_of_a_server_of_two_processes_says_that_the_explorer_needs_one():
    words = ("serve", str(ROOT / "apps" / "explorer.py"), "--port", "0", "--address", "127.0.0.1")
    command = [sys.executable, "-m", "panel", *words, "--num-procs", "2"]
    command += ["--plugins", "lrbn_viz.server"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        try:
            url = next(
                found[1] for line in process.stdout if (found := re.search(r"running at: (\S+)", line))
            )
            answers = [get(url) for _ in range(6)]
        finally:
            os.killpg(process.pid, signal.SIGTERM)
        log = process.stdout.read()
    assert {status for status, _, _ in answers} == {500}
    assert all(ONE_PROCESS in body for _, _, body in answers)
    assert ONE_PROCESS in log
    assert "Traceback" not in log


def test_metrics_are_in_prometheus_format_and_name_nobody(server: Served):
    get(f"{server.url}/?drawn=secret")
    status, headers, body = get(f"{server.url}/metrics")
    assert status == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    families = {family.name: family for family in text_string_to_metric_families(body)}
    assert families["lrbn_viz_sessions"].samples[0].value >= 1
    pages = {sample.name: sample.value for sample in families["lrbn_viz_page_seconds"].samples}
    assert pages["lrbn_viz_page_seconds_count"] >= 1
    answers = {sample.labels["status"]: sample.value for sample in families["lrbn_viz_answers"].samples}
    assert answers["2xx"] >= 2
    assert {sample.value for sample in families["lrbn_viz_errors"].samples} == {0.0}
    assert "lrbn_viz_message_seconds" in families
    assert "lrbn_viz_runs" in families
    if sys.platform == "linux":
        assert families["process_resident_memory_bytes"].samples[0].value > 1e7
    assert "secret" not in body
    labels = {name for family in families.values() for sample in family.samples for name in sample.labels}
    assert labels <= {"version", "status", "component", "where", "le"}


def test_every_answer_of_the_server_is_guarded(server: Served):
    for path in ("/", "/health", "/metrics", "/nothing"):
        _, headers, _ = get(server.url + path)
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert "default-src 'none'" in headers["Content-Security-Policy"], path


def test_pages_travel_packed_and_are_never_kept(server: Served):
    get(f"{server.url}/")
    with urlopen(Request(f"{server.url}/", headers={"Accept-Encoding": "gzip"}), timeout=60) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert answer.headers["Cache-Control"] == "no-store"


# -- served to others


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server for others, with a login."""
    users = tmp_path_factory.mktemp("users") / "users.json"
    users.write_text(json.dumps({"ada": PASSWORD}))
    origin = "https://moodle.example.org"
    options = ("--auth", "basic", "--users", str(users), "--embed", origin)
    with served(*options, "--address", "0.0.0.0") as found:
        yield found


def test_who_is_not_signed_in_is_asked_to(public: Served):
    status, headers, body = get(f"{public.url}/")
    assert status == 200
    assert 'name="password"' in body
    assert "http" not in body.partition("<body>")[2]  # nothing comes from elsewhere
    assert headers["Content-Security-Policy"].endswith("frame-ancestors 'self' https://moodle.example.org")
    assert headers["X-Frame-Options"] is None


@pytest.mark.parametrize(("password", "title"), [(PASSWORD, "LRBN explorer"), ("wrong", "Sign in")])
def test_only_the_right_password_leads_to_the_explorer(public: Served, password: str, title: str):
    browser = build_opener(HTTPCookieProcessor())
    browser.open(f"{public.url}/", timeout=60).read()
    form = urlencode({"name": "", "username": "ada", "password": password}).encode()
    answer = browser.open(f"{public.url}/login", form, timeout=60).read().decode()
    assert f"<title>{title}" in answer


def test_on_a_public_address_metrics_are_off_unless_asked_for(public: Served):
    assert get(f"{public.url}/metrics")[0] == 404


def test_behind_a_proxy_metrics_are_off_unless_asked_for(monkeypatch):
    monkeypatch.setenv(METRICS, "")
    for name in ("write_logs", "install"):
        monkeypatch.setattr(options, name, lambda *_, **__: None)
    arguments = build_parser().parse_args(["serve", "--behind-proxy"])
    how, found = options.prepare_server(arguments)
    assert (how.shared, found["use_xheaders"]) == (False, True)
    assert os.environ[METRICS] == "0"


def test_whoever_serves_others_is_warned_and_told_what_is_exposed(public: Served):
    assert get(f"{public.url}/health/live")[0] == 200
    printed = "\n".join(public.printed)
    asked = ["serve", "--address", "0.0.0.0", "--allow-websocket-origin", "localhost:5006"]
    to_all = options.exposure(build_parser().parse_args(asked))
    for text in (printed, to_all):
        assert "Warning: this server is open to others." in text
        for name in ("Listens on", "Lets in", "Travels", "Websockets", "In frames", "Health", "Metrics"):
            assert re.search(rf"^  {name}\s+\S", text, re.MULTILINE), text
    assert "everybody who reaches the port" in to_all
    assert "everybody who reaches the port" not in printed, "it asks for a password"


def test_who_serves_only_this_machine_is_not_warned():
    arguments = build_parser().parse_args(["serve"])
    assert options.exposure(arguments) == ""


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--auth", "basic"], "needs --users FILE"),
        (["--auth", "github"], "PANEL_OAUTH_KEY"),
        (["--auth", "nobody"], "expected --auth none, basic"),
        (["--users", "users.json"], "--auth basic"),
        (["--embed", "https://a.org/path"], "expected an origin"),
        (["--prefix", "a/../b"], "expected a prefix"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_words(asked, said, capsys, monkeypatch):
    for name in ("LRBN_VIZ_PASSWORD", "PANEL_OAUTH_KEY", "PANEL_OAUTH_SECRET"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(options, "write_logs", lambda *_: None)
    assert cli.main(["serve", "--no-show", *asked]) == 1
    assert said in capsys.readouterr().err


def test_weak_passwords_are_refused(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(options, "write_logs", lambda *_: None)
    path = tmp_path / "users.json"
    path.write_text('{"ada": "short"}')
    arguments = build_parser().parse_args(["serve", "--auth", "basic", "--users", str(path)])
    with pytest.raises(ValueError, match="at least 8 characters"):
        options.prepare_server(arguments)


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("localhost", True),
        ("127.0.0.1", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("192.168.1.2", False),
        (None, False),
    ],
)
def test_which_addresses_are_of_this_machine(address, local, monkeypatch):
    monkeypatch.delenv(METRICS, raising=False)
    assert is_local(address) is local
    assert metrics_asked(address) is local
    monkeypatch.setenv(METRICS, "1")
    assert metrics_asked(address)
    monkeypatch.setenv(METRICS, "yes")
    with pytest.raises(ValueError, match="0 or 1"):
        metrics_asked(address)


# -- what is written of it


def test_the_page_names_every_exception_of_the_policy_and_every_option():
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    sources = {source for part in policy("blob:").split("; ") for source in part.split()[1:]}
    for source in sources - {"'self'", "'none'"}:
        assert source in text, source
    for option in (
        "--auth",
        "--users",
        "--embed",
        "--prefix",
        "--behind-proxy",
        "--metrics",
        "--log-format",
        "--log-level",
    ):
        assert option in text, option


def test_the_page_names_every_metric(server: Served):
    text = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(lrbn_viz_\w+?)(?:_total)?(?:{\w+})?`", text))
    _, _, body = get(f"{server.url}/metrics")
    found = {family.name for family in text_string_to_metric_families(body) if family.name.startswith("lrbn")}
    assert found - {"lrbn_viz_info"} == named


def test_the_container_runs_a_command_that_is_taken_and_not_as_root():
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    command = json.loads(re.findall(r"^ENTRYPOINT (.+)$", text, re.MULTILINE)[0])
    assert command[0] == "lrbn-viz"
    arguments = build_parser().parse_args(command[1:])
    assert (arguments.address, arguments.port, arguments.show) == ("0.0.0.0", 5006, False)
    (uid,) = re.findall(r"--uid (\d+)", text)
    assert re.search(rf"^USER {uid}$", text, re.MULTILINE)
    assert int(uid) > 0
    assert "health/live" in re.findall(r"^HEALTHCHECK .+\n.+", text, re.MULTILINE)[0]


# -- counts


def test_times_are_counted_in_classes():
    times = Histogram((0.1, 1.0))
    for seconds in (0.05, 0.1, 0.5, 7.0):
        times.add(seconds)
    assert times.read() == ([("0.1", 2.0), ("1.0", 3.0), ("+Inf", 4.0)], pytest.approx(7.65))


def test_answers_and_errors_are_counted_by_kind():
    observed = Observed()
    observed.count_answer(200, page=True, seconds=0.2)
    observed.count_answer(503, page=False, seconds=0.2)
    observed.count_answer(500, page=True, seconds=0.2)
    assert observed.answers == {"2xx": 1, "5xx": 2}
    assert observed.errors == {"page": 1}
    assert observed.pages.read()[1] == pytest.approx(0.2)
    with observed.message("Player"):
        pass
    assert observed.messages["Player"].read()[0][-1] == ("+Inf", 1.0)


def test_an_error_in_an_answer_is_counted(monkeypatch):
    monkeypatch.setattr(hosts, "_current", [ServerHost()])
    before = OBSERVED.errors["message"]
    with report_errors_on_page("answering", log=False):
        raise RuntimeError("broken")
    assert OBSERVED.errors["message"] == before + 1


# -- logs


@pytest.fixture
def log(request) -> Iterator[io.StringIO]:
    """What is logged, in the form that the test names."""
    root, stream = logging.getLogger(), io.StringIO()
    loggers = [
        root,
        *map(logging.getLogger, ("bokeh", "panel", "tornado", "tornado.access", "lrbn_viz", "numba")),
    ]
    before = [(each, list(each.handlers), each.level, each.propagate) for each in loggers]
    write_logs(request.param, "info", stream)
    yield stream
    for each, handlers, level, propagate in before:
        each.handlers, each.propagate = handlers, propagate
        each.setLevel(level)


@pytest.mark.parametrize("log", ["json"], indirect=True)
def test_a_json_line_holds_time_level_session_and_words(log: io.StringIO, monkeypatch):
    document = SimpleNamespace(session_context=SimpleNamespace(id="a-very-secret-session-id"))
    monkeypatch.setattr(type(logs.state), "curdoc", property(lambda _: document))
    logger = logging.getLogger("lrbn_viz.test")
    logger.debug("dropped")
    try:
        raise ValueError(f"in {Path.home()}/private/file")
    except ValueError:
        logger.exception("reading %s/private/file", Path.home())
    first, *more = log.getvalue().splitlines()
    assert more == []
    line = json.loads(first)
    assert line["level"] == "error"
    assert line["session"] == session_name("a-very-secret-session-id")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"])
    assert line["message"] == "reading ~/private/file"
    assert "ValueError: in ~/private/file" in line["error"]
    assert str(Path(__file__).parents[2]) not in first
    assert "very-secret" not in first


@pytest.mark.parametrize("log", ["text"], indirect=True)
def test_a_line_of_text_says_the_same(log: io.StringIO):
    before = OBSERVED.errors["log"]
    logging.getLogger("bokeh.server").error("Token for session %r had invalid signature", "x" * 44)
    logging.getLogger("tornado.access").error("503 GET /health")
    first, second = log.getvalue().splitlines()
    assert re.fullmatch(r"\S+Z error bokeh\.server: Token for session '\.\.\.' had invalid signature", first)
    assert second.endswith("503 GET /health")
    assert OBSERVED.errors["log"] == before + 1  # answers are counted elsewhere


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("200 GET /explorer?image=0110&model=x (127.0.0.1) 3 ms", "200 GET /explorer (127.0.0.1) 3 ms"),
        (
            'File "/a/lib/python3/site-packages/panel/io/server.py", line 3',
            'File "panel/io/server.py", line 3',
        ),
        ('File "/somebody/lrbn_viz/app/shell.py", line 3', 'File "lrbn_viz/app/shell.py", line 3'),
        ('File "/somebody/script.py", line 3', 'File "script.py", line 3'),
    ],
)
def test_what_is_private_is_left_out(text: str, said: str):
    assert fit_to_log(text) == said


def test_a_long_message_is_cut():
    assert len(fit_to_log("ab " * 10_000)) < logs.MAX_MESSAGE_LENGTH + 10


def test_options_of_the_command_are_those_that_the_server_reads():
    arguments = build_parser().parse_args(["serve", "--address", "0.0.0.0"])
    assert isinstance(arguments, argparse.Namespace)
    assert arguments.address == "0.0.0.0"


@pytest.mark.parametrize(
    ("command", "said", "glibc", "anew"),
    [
        (["python", "-m", "lrbn_viz.cli", "serve"], None, True, True),
        (["/usr/bin/python3", "/usr/bin/lrbn-viz", "serve", "--port", "0"], None, True, True),
        (["python", "/usr/bin/lrbn-viz", "serve"], "malloc", True, False),  # it has, or was told to
        (["python", "/usr/bin/lrbn-viz", "serve"], "debug", True, False),
        (["python", "/usr/bin/lrbn-viz", "serve"], None, False, False),
        (["python", "/usr/bin/pytest"], None, True, False),
    ],
)
def test_the_command_begins_anew_with_the_systems_memory_once(command, said, glibc, anew, monkeypatch):
    begun: list[tuple[Any, ...]] = []
    monkeypatch.setattr(memory.sys, "orig_argv", command)
    monkeypatch.setattr(memory, "_can_be_trimmed", lambda: glibc)
    monkeypatch.setattr(memory.os, "execve", lambda *how: begun.append(how))
    monkeypatch.delenv("PYTHONMALLOC", raising=False)
    if said:
        monkeypatch.setenv("PYTHONMALLOC", said)
    memory.use_system_allocator()
    if not anew:
        assert not begun
        return
    ((program, arguments, environment),) = begun
    assert (program, arguments) == (sys.executable, [sys.executable, *command[1:]])
    assert environment["PYTHONMALLOC"] == "malloc"
    assert environment["PATH"] == os.environ["PATH"]
