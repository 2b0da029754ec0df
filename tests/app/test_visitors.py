"""Who is who, whose a run is, and how much each may take: the parts, without a server."""

from __future__ import annotations

import gc
import itertools
import json
import logging
import math
import os
import threading
import time
import weakref
from collections import Counter
from types import SimpleNamespace
from typing import Any, cast

import pytest
from app.training import until, wait_for
from bokeh.document import Document
from hypothesis import given
from hypothesis import strategies as st
from panel.io.state import set_curdoc
from tornado.httputil import HTTPConnection, HTTPHeaders, HTTPServerRequest, RequestStartLine
from tornado.web import create_signed_value

from lrbn_viz import load_dataset
from lrbn_viz.app.host import NotServedError
from lrbn_viz.app.train.form_state import FormState
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.app.visitors.excess import excess
from lrbn_viz.app.visitors.limits import NO_LIMITS, LimitReached, Limits, Rate, limit_rows
from lrbn_viz.app.visitors.local import is_local
from lrbn_viz.app.visitors.runs import VisitorRuns
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.server.traffic.log_limit import LogLimit
from lrbn_viz.server.traffic.pace import Pace, pace_of, set_pace
from lrbn_viz.server.visitors import serving
from lrbn_viz.server.visitors.gate import Gate, enter
from lrbn_viz.server.visitors.serving import Serving, serving_of_environment
from lrbn_viz.server.visitors.tokens import Signer, new_id, server_secret
from lrbn_viz.studies.runs import LaneConfig, RunConfig, read_run_file
from lrbn_viz.studies.runs.estimate import estimate
from lrbn_viz.studies.runs.registry import LiveRun, RunRegistry
from lrbn_viz.studies.runs.turns import FairTurns

CONFIG = RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})}, n_iter=1000, seed=3)
ANNA, BERT = Visitor("a" * 24), Visitor("b" * 24)
TEACHER = Visitor("c" * 24, "lecturer")


# -- tokens


def test_a_token_says_who_it_is_for_until_it_ends():
    signer = Signer(b"a secret of one server")
    token = signer.sign("visitor", "anna", 1000.0)
    assert signer.read("visitor", token, now=999.0) == ("anna", 1000.0)
    assert signer.read("visitor", token, now=1000.0) is None
    assert signer.read("lecturer", token, now=999.0) is None
    assert Signer(b"the secret of another").read("visitor", token, now=999.0) is None


@given(st.text(max_size=500))
def test_no_text_is_a_token(text: str):
    assert Signer(b"a secret of one server").read("visitor", text) is None


@given(st.integers(0, 10**6), st.characters(min_codepoint=32, max_codepoint=126))
def test_a_token_with_one_letter_changed_is_none(at: int, letter: str):
    signer = Signer(b"a secret of one server")
    token = signer.sign("visitor", new_id(), 10.0**10)
    at %= len(token)
    changed = token[:at] + letter + token[at + 1 :]
    assert changed == token or signer.read("visitor", changed) is None


def test_servers_of_one_folder_share_a_secret_that_nobody_else_reads(tmp_path):
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda: found.append(server_secret(tmp_path))) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 8
    assert len(set(found)) == 1
    (path,) = (tmp_path / ".visitors").iterdir()
    assert path.stat().st_mode & 0o077 == 0
    assert server_secret(tmp_path / "elsewhere") != found[0]


def test_where_no_secret_can_be_stored_there_is_one_for_this_program(tmp_path):
    (tmp_path / ".visitors").write_text("no folder")
    assert server_secret(tmp_path) != server_secret(tmp_path)


# -- who asks


class Connection(HTTPConnection):
    """The line on which a request came."""

    def __init__(self, ip: str) -> None:
        self.context = SimpleNamespace(remote_ip=ip, protocol="http")

    def set_close_callback(self, _: object) -> None:
        """It stays open."""


def a_request(
    host: str = "localhost:5006", ip: str = "127.0.0.1", address: str = "/?page=train", **more: str
) -> Any:
    headers = HTTPHeaders({name.replace("_", "-"): value for name, value in more.items()})
    headers["Host"] = host
    line = RequestStartLine("GET", address, "HTTP/1.1")
    return HTTPServerRequest(start_line=line, headers=headers, connection=Connection(ip))


def a_gate(how: Serving, origins: tuple[str, ...] = ("localhost:5006",), **auth: Any) -> Gate:
    application = SimpleNamespace(
        prefix="", applications={"/": None}, websocket_origins=set(origins),
        auth_provider=SimpleNamespace(**auth), settings={"cookie_secret": "of the cookies"},
    )  # fmt: skip
    return Gate(application, how, Signer(how.secret()))


def test_who_sits_at_this_machine_is_at_home_and_nobody_else():
    # Inside: On a local machine the user has full access.
    gate = a_gate(Serving())
    assert gate.visitor_of(a_request()) == HOME
    assert gate.visitor_of(a_request("127.0.0.1:5006")) == HOME
    assert gate.visitor_of(a_request("[::1]:5006", "::1")) == HOME
    assert gate.visitor_of(a_request(ip="192.168.1.7")) is None
    assert gate.visitor_of(a_request("lectures.example")) is None
    assert gate.visitor_of(a_request(X_Forwarded_For="127.0.0.1")) is None
    assert gate.visitor_of(a_request(Forwarded="for=127.0.0.1")) is None
    assert gate.visitor_of(a_request(X_Real_Ip="127.0.0.1")) is None


def test_where_other_hosts_may_open_the_page_nobody_is_at_home():
    assert a_gate(Serving(), ("localhost:5006", "lectures.example")).visitor_of(a_request()) is None
    assert a_gate(Serving(), ("*",)).visitor_of(a_request()) is None
    assert a_gate(Serving(), get_user=lambda handler: None).visitor_of(a_request()) is None
    assert a_gate(Serving(shared=False)).visitor_of(a_request()) is None
    assert a_gate(Serving(shared=True), ("*",)).visitor_of(a_request("a.example", "8.8.8.8")) == HOME


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:80", "app.localhost", "127.0.0.1:1", "127.9.9.9", "[::1]:2"]
)
def test_names_of_this_machine(host: str):
    assert is_local(host)


@pytest.mark.parametrize(
    "host", ["", "*", "0.0.0.0", "10.0.0.1", "localhost.example", "notlocalhost", "[::2]", "a b"]
)
def test_names_of_others(host: str):
    assert not is_local(host)


def test_who_comes_to_a_server_without_its_gate_is_told_so_where_visitors_are_kept_apart(monkeypatch):
    document: Any = Document()
    request = a_request()
    document._session_context = lambda: SimpleNamespace(request=request)
    with set_curdoc(document), pytest.raises(NotServedError, match="tell visitors apart"):
        enter()
    request.connection = None  # a server of another make, such as Jupyter's
    with set_curdoc(document):
        monkeypatch.setattr(serving, "_chosen", [Serving()])
        assert enter() == HOME
        monkeypatch.setattr(serving, "_chosen", [Serving(shared=False)])
        with pytest.raises(NotServedError):
            enter()
    assert enter() == HOME, "no server"


def test_who_has_logged_in_is_known_by_a_signed_cookie_and_not_by_a_name():
    gate = a_gate(Serving(shared=False), get_user=lambda handler: None)
    signed = create_signed_value("of the cookies", "user", "anna").decode()
    anna = gate.visitor_of(a_request(Cookie=f"user={signed}"))
    assert anna is not None
    assert anna.id.startswith("user-")
    assert "anna" not in anna.id
    assert gate.visitor_of(a_request(Cookie=f"user={signed}", Host="other.example")) == anna
    forged = signed[:-1] + ("1" if signed[-1] == "0" else "0")
    for cookie in ("user=anna", "is_guest=1; user=anna", f"user={forged}", "username=anna"):
        assert gate.visitor_of(a_request(Cookie=cookie)) is None
    other = create_signed_value("another secret", "user", "anna").decode()
    assert gate.visitor_of(a_request(Cookie=f"user={other}")) is None
    assert a_gate(Serving(shared=False)).visitor_of(a_request(Cookie=f"user={signed}")) is None, (
        "no login here"
    )


def test_a_cookie_is_set_once_and_secure_behind_https():
    gate = a_gate(Serving(shared=False))
    first = a_request(X_Forwarded_Proto="https")
    assert gate.admit(first) is None
    (line,) = first.lrbn_cookies
    assert line.endswith("HttpOnly; SameSite=Lax; Secure")
    again = a_request(Cookie=line.partition(";")[0])
    assert gate.admit(again) is None
    assert again.lrbn_visitor == first.lrbn_visitor
    assert not hasattr(again, "lrbn_cookies")
    framed = a_request(X_Forwarded_Proto="https")
    a_gate(Serving(shared=False, framed=True)).admit(framed)
    assert framed.lrbn_cookies[0].endswith("HttpOnly; SameSite=None; Partitioned; Secure")
    plain = a_request()
    gate.admit(plain)
    assert not plain.lrbn_cookies[0].endswith("Secure")


def test_variables_that_cannot_be_meant_are_refused(monkeypatch):
    for name, value in (
        ("LRBN_VIZ_SHARED", "yes"),
        ("LRBN_VIZ_LECTURER_KEY", "short"),
        ("LRBN_VIZ_LIMITS", "rums=3"),
        ("LRBN_VIZ_LIMITS", "runs=many"),
    ):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            with pytest.raises(ValueError, match=r"must|expected"):
                serving_of_environment()
    monkeypatch.setenv("LRBN_VIZ_SHARED", "0")
    monkeypatch.setenv("LRBN_VIZ_LIMITS", "runs=5, units=inf")
    how = serving_of_environment()
    assert (how.shared, how.limits.runs, how.limits.units) == (False, 5.0, float("inf"))


# -- whose a run is


@pytest.fixture
def registry(tmp_path):
    registry = RunRegistry(tmp_path)
    yield registry
    registry.close()


def begun(runs: VisitorRuns) -> Any:
    live = runs.start(CONFIG, load_dataset("digits"))
    live.run.save()
    return live


def test_a_run_is_its_owners_in_memory_on_disk_and_in_the_trash(registry: RunRegistry):
    anna, bert, teacher = (VisitorRuns(registry, each) for each in (ANNA, BERT, TEACHER))
    home = VisitorRuns(registry)
    live = begun(anna)
    name = live.name
    assert read_run_file(registry.folder / name / "run.json").owner == ANNA.id
    registry.refresh().result()
    for runs, seen in ((anna, True), (bert, False), (teacher, True), (home, True)):
        assert ([run.name for run in runs.stored] == [name]) is seen
    assert [runs.steers(live) for runs in (anna, bert, teacher, home)] == [True, False, False, True]
    registry.release(live)
    wait_for(lambda: registry.live(name) is None and name not in registry._locks)
    for act in (lambda: bert.resume(name, lambda config: load_dataset("digits")), lambda: bert.delete(name)):
        with pytest.raises(FileNotFoundError, match="that you may open"):
            act()
    with pytest.raises(FileNotFoundError):
        teacher.delete(name)
    key = anna.delete(name).key
    assert [run.key for run in anna.deleted()] == [key]
    assert bert.deleted() == teacher.deleted() == []
    with pytest.raises(ValueError, match="that you deleted"):
        bert.restore(key)
    assert anna.restore(key) == (name, name)
    assert anna.resume(name, lambda config: load_dataset("digits")).run.owner == ANNA.id


def test_a_run_of_nobody_is_for_home_and_for_a_lecturer(registry: RunRegistry):
    name = begun(VisitorRuns(registry)).name
    assert json.loads((registry.folder / name / "run.json").read_text())["owner"] == ""
    registry.refresh().result()
    assert VisitorRuns(registry, ANNA).stored == []
    assert [run.name for run in VisitorRuns(registry, TEACHER).stored] == [name]


def test_who_is_shown_a_run_watches_it_and_nothing_else(registry: RunRegistry):
    live = begun(VisitorRuns(registry, ANNA))
    anna, bert = TrainState(registry, visitor=ANNA), TrainState(registry, visitor=BERT)
    anna.open(live.name)
    wait_for(lambda: anna.poll() is not None and anna.run_name)
    anna.start()
    assert anna.listed is False
    anna.show_to_others(True)
    wait_for(
        lambda: live.run.listed and live.name in {run.name for run in VisitorRuns(registry, BERT).stored}
    )
    # the run is written by a thread, after it has changed
    wait_for(lambda: read_run_file(registry.folder / live.name / "run.json").listed)
    bert.open(live.name)
    wait_for(lambda: bert.poll() is not None and bert.run_name)
    assert bert.listed is None
    assert [FormPanel(each).form.form["lanes"] for each in (anna, bert)] == [["RBM"], []], "nothing to save"
    assert live.run.job.status == "running"
    amount = live.run.config.n_iter
    for act in (
        bert.pause, bert.stop, bert.start, bert.step, lambda: bert.edit("amount", "7"), bert.write_again,
        lambda: bert.show_to_others(False), lambda: bert.saved_model(0), lambda: bert.open_lanes([0]),
        lambda: bert.inspection(0), bert.models_now, lambda: (bert.look(1), bert.branch(), bert.go_back(1)),
        lambda: setattr(bert, "carry_on", True),
    ):  # fmt: skip
        act()
    for _ in range(2):  # what was left to threads is done, and taken in
        registry.ask(int).result(60)
        registry.refresh().result(60)
        bert.poll()
    assert live.run.job.status == "running"
    assert (live.run.config.n_iter, live.run.listed, live.carry_on, bert.opened) == (
        amount,
        True,
        False,
        None,
    )
    bert.leave()
    assert registry.live(live.name) is live, "who only watched does not end it"
    bert.open(live.name)
    wait_for(lambda: bert.poll() is not None and bert.run_name)
    anna.show_to_others(False)
    wait_for(lambda: (bert.poll(), not bert.run_name)[1])
    assert "no longer shown" in bert.error


def test_a_lecturer_ends_a_run_and_does_not_steer_it(registry: RunRegistry):
    anna, teacher = TrainState(registry, visitor=ANNA), TrainState(registry, visitor=TEACHER)
    live = begun(anna.runs)
    live.run.start()
    teacher.open(live.name)
    wait_for(lambda: teacher.poll() is not None and teacher.run_name)
    teacher.pause()
    assert live.run.job.status == "running"
    assert teacher.saved_model(0) is None
    teacher.end(live.name)
    wait_for(lambda: live.run.job.ended)
    with pytest.raises(FileNotFoundError):
        VisitorRuns(registry, BERT).end(live.name)


# -- how much


def test_limits_refuse_what_is_too_much_in_words_and_home_has_none(registry: RunRegistry):
    anna = VisitorRuns(registry, ANNA, Limits(runs=1, stored_runs=2))
    live = begun(anna)
    with pytest.raises(LimitReached, match=r"at most 1, runs that a visitor has in memory. End one"):
        begun(anna)
    begun(VisitorRuns(registry, BERT, Limits(runs=1)))
    begun(VisitorRuns(registry))
    live.run.stop(240.0)
    registry.release(live)
    begun(anna)
    with pytest.raises(LimitReached, match="on disk"):
        VisitorRuns(registry, ANNA, Limits(stored_runs=2)).start(CONFIG, load_dataset("digits"))


def test_a_run_that_has_computed_too_long_is_stopped_with_a_checkpoint_and_words(
    registry: RunRegistry, monkeypatch
):
    ticks = itertools.count()  # a step takes a hundredth of a second
    monkeypatch.setattr("lrbn_viz.training.loop.seconds_without_compiling", lambda: 0.01 * next(ticks))

    def taken(live: LiveRun) -> int:
        return sum(lane.training.step for lane in live.run.lanes.values())

    limits = Limits(computed_seconds=0.2)
    state = TrainState(registry, visitor=ANNA, limits=limits)
    state.choose_preset("small")
    state.edit("budget", "passes")
    state.edit("amount", "20000")
    state.start()
    until(state, lambda: state.status == "cancelled")
    assert "stopped after 1 s of computing: this server allows" in state.error
    live = state.live
    assert live is not None
    reached = taken(live)
    assert 0 < live.run.step == live.run.saved_step
    assert (registry.folder / live.name / "checkpoint").exists()
    assert 0.195 < live.run.computed_seconds < 0.215, "after the first step that is too much"
    state.start()  # pressed again, it says so again
    until(state, lambda: live.run.job.ended and taken(live) > reached)
    assert taken(live) == reached + 1
    registry.release(live)
    again = VisitorRuns(registry, ANNA, limits).resume(live.name, lambda config: load_dataset("digits"))
    assert again.run.most_seconds == 0.2
    assert registry.branch(again, 1).run.most_seconds == 0.2
    assert VisitorRuns(registry).start(CONFIG, load_dataset("digits")).run.most_seconds == math.inf


@pytest.mark.parametrize(
    "name", ["memory_mib", "disk_mib", "all_disk_mib", "free_mib", "images", "run_mib", "run_seconds"]
)
def test_each_limit_of_room_is_kept(registry: RunRegistry, name: str):
    begun(VisitorRuns(registry, ANNA))
    value = float("inf") if name == "free_mib" else 0.0
    runs = VisitorRuns(registry, ANNA, NO_LIMITS.with_values([f"{name}={value}"]))
    with pytest.raises(LimitReached) as error:
        runs.start(CONFIG, load_dataset("digits"))
    what = next(row.what for row in limit_rows(Limits()) if row.name == name)
    assert what in str(error.value)


def test_the_form_says_what_a_run_takes_and_which_limit_it_is_over():
    form = FormState(limits=Limits(units=100))
    form.choose_preset("small")
    assert "of computing and" in form.estimate
    form.edit("0.n_components", "101")
    assert "at most 100, latent units of a layer, got 101. Take fewer" in form.messages["0.n_components"]
    form.edit("0.n_components", "100")
    assert form.messages == {}
    form = FormState()
    form.edit("0.n_components", "5000")
    assert form.messages == {}


def test_an_estimate_grows_with_what_is_asked_for():
    less = estimate(CONFIG, 64, 1000)
    more = estimate(
        RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 400})}, n_iter=2000), 64, 5000
    )
    assert more.seconds > 10 * less.seconds
    assert more.bytes > less.bytes
    assert (
        estimate(RunConfig("digits", CONFIG.lanes, max_seconds=60.0, level_by="seconds"), 64, 9).seconds
        == 60.0
    )
    assert excess(NO_LIMITS, CONFIG, 64, 10**9) == {}


def test_runs_that_nobody_opens_expire_and_only_those_that_somebody_owns(registry: RunRegistry):
    names = {}
    for visitor in (HOME, ANNA):
        live = begun(VisitorRuns(registry, visitor))
        names[visitor] = live.name
        registry.release(live)
        wait_for(lambda name=live.name: name not in registry._locks)
    assert registry.expire(1.0) == []
    for name in names.values():
        for path in (registry.folder / name).iterdir():
            os.utime(path, (0, 0))
    assert registry.expire(1.0) == [names[ANNA]]
    assert (registry.folder / names[HOME]).exists()


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_rate_lets_some_come_at_once_and_the_others_one_after_another():
    clock = Clock()
    rate = Rate(2.0, 3, clock)
    assert [rate.allows("a") for _ in range(5)] == [True] * 3 + [False] * 2
    assert rate.allows("b")
    clock.now = 0.5
    assert [rate.allows("a") for _ in range(2)] == [True, False]


def test_of_messages_that_come_too_soon_the_newest_of_each_kind_is_answered_in_order():
    clock, later, said, told = Clock(), [], [], []
    pace = Pace(2.0, lambda go_on, seconds: later.append(go_on), lambda: told.append(1), clock=clock)
    for n in range(10):
        pace.take("draw", lambda n=n: said.append(f"draw {n}"))
        pace.take("look", lambda n=n: said.append(f"look {n}"))
    assert said == ["draw 0", "look 0"]
    assert told == [1]
    while later:
        clock.now += 0.5
        later.pop()()
    assert said == ["draw 0", "look 0", "draw 9", "look 9"]


def test_work_for_messages_that_waited_is_charged_and_the_next_waits_as_long_as_that_asks_for():
    clock, later, charged = Clock(), [], []

    def charge(seconds: float) -> float:
        charged.append(seconds)
        return 3.0

    def work() -> None:
        clock.now += 0.25

    pace = Pace(2.0, lambda go_on, seconds: later.append((go_on, seconds)), charge=charge, clock=clock)
    for kind in range(8):
        pace.take(kind, work)
    assert charged == []  # those that need not wait have a turn of their own
    (go_on, seconds), *_ = later
    clock.now += seconds
    go_on()
    assert charged == [0.25]
    assert later[-1][1] == 3.0


def test_the_pace_of_a_page_goes_with_it():
    document = Document()
    set_pace(document, 2.0, lambda: None, lambda seconds: 0.0)
    assert pace_of(document) is not None
    gone = weakref.ref(document)
    for callback in document.session_destroyed_callbacks:
        callback(cast("Any", None))
    assert pace_of(document) is None
    del document, callback
    gc.collect()
    assert gone() is None


def test_a_log_says_how_many_lines_it_left_out(caplog):
    clock = Clock()
    limit = LogLimit(3, clock)
    record = lambda: logging.LogRecord("a", logging.ERROR, "", 0, "line %d", (1,), None)
    assert [limit.filter(record()) for _ in range(10)] == [True] * 3 + [False] * 7
    clock.now = 1.0
    last = record()
    assert limit.filter(last)
    assert last.getMessage() == "line 1 [7 lines before were left out]"


def test_an_owner_of_one_run_trains_as_fast_beside_an_owner_of_many():
    """Each turn takes one tick of a clock, which ticks once nobody else can have a turn meanwhile."""
    turns, counts, tick = FairTurns(places=2), Counter(), threading.Condition()
    now, going = 0, True
    owners = ("many",) * 6 + ("one",)
    begun: dict[threading.Thread, int] = {}  # the tick since which each thread has its turn

    def work(owner: str) -> None:
        me = threading.current_thread()
        while going:
            with turns.turn(owner), tick:
                begun[me] = now
                tick.wait_for(lambda: now > begun[me])
                del begun[me]
                counts[owner] += 1

    def settled() -> bool:
        with turns._changed, tick:
            waiting = list(turns._waiting)
            everybody = len(begun) + len(waiting) == len(owners)
            return everybody and set(begun.values()) == {now} and not any(map(turns._is_next, waiting))

    threads = [threading.Thread(target=work, args=(owner,)) for owner in owners]
    for each in threads:
        each.start()
    for _ in range(40):
        wait_for(settled)
        with tick:
            now += 1
            tick.notify_all()
    going = False
    while any(each.is_alive() for each in threads):
        with tick:
            now += 1
            tick.notify_all()
        time.sleep(0.001)
    assert counts["one"] >= 40
    assert 0.5 < counts["many"] / counts["one"] <= 2.0
