"""Lecture plans: their files, their way through a class, and the two that ship."""

from __future__ import annotations

import pytest

from lrbn_viz import cli
from lrbn_viz.app.claims import offered_lessons, wrong_with
from lrbn_viz.server import options
from lrbn_viz.server.classroom.plan import Lecture, Plan, open_plan, read_plan, shipped_plans
from lrbn_viz.server.classroom.room import Classroom
from lrbn_viz.server.classroom.tally import options_of
from lrbn_viz.server.classroom.voting import NotLecturer, Phase, Question, Refused, Voting
from lrbn_viz.view.lessons import LessonError
from lrbn_viz.view.lessons.markup import to_text

GOOD = """# A lecture

## Talk
minutes: 2

Say *this*.

## Look
minutes: 3
show: ?model=lrbn-12-digits&image=3

## Ask
minutes: 5
question: start 1

Wait.
"""
LESSONS = {lesson.id: lesson for lesson in offered_lessons()[0]}
ASKED = Question("start", 1)


def read(text: str) -> Plan:
    return read_plan(text, "a.md", lambda question: bool(options_of(LESSONS, question)), wrong_with)


def test_a_plan_has_all_that_its_file_says():
    plan = read(GOOD)
    assert (plan.title, plan.minutes) == ("A lecture", 10)
    talk, look, ask = plan.parts
    assert (talk.title, talk.minutes, talk.question, talk.show) == ("Talk", 2, None, "")
    assert talk.notes == [["p", "Say ", ["em", "this"], "."]]
    assert (look.show, look.notes) == ("?model=lrbn-12-digits&image=3", [])
    assert (ask.question, to_text(ask.notes)) == (ASKED, "Wait. ")


@pytest.mark.parametrize(
    ("before", "after", "line", "said"),
    [
        ("# A lecture", "A lecture", 1, "a first line # Title"),
        ("minutes: 2", "minutes: soon", 3, "a whole number from 1 to 90"),
        ("minutes: 2\n", "", 3, "a whole number from 1 to 90"),
        ("minutes: 3", "minutes: 3\nminutes: 4", 10, "once in a part"),
        ("show: ?model", "show: model", 8, "from its ? on"),
        ("lrbn-12-digits", "lrbn-13-digits", 8, "no model called"),
        ("start 1", "start", 12, "with a lesson and a step"),
        ("start 1", "start 9", 12, "got start 9"),
        ("start 1", "nothing 1", 12, "got nothing 1"),
        ("question: start 1", "question: start 1\nshow: ?image=3", 12, "got both"),
        ("Wait.", "[x](ftp://example.org)", 16, "begins with https://"),
        ("Say *this*.", "<b>x</b>\n\n![x](https://example.org/a.png)", 8, "an image"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(before: str, after: str, line: int, said: str):
    with pytest.raises(LessonError) as error:
        read(GOOD.replace(before, after, 1))
    found = [(problem.line, problem.words) for problem in error.value.problems]
    assert any(at == line and said in words for at, words in found), found


@pytest.mark.parametrize(
    "text", ["", "# Only a title\n", "# T\n" + "## P\nminutes: 1\n" * 61, "# T\n" + "x" * 70_000]
)
def test_a_plan_without_parts_or_with_too_many_is_refused(text: str):
    with pytest.raises(LessonError):
        read(text)


@pytest.mark.parametrize(("name", "minutes"), [("20-minutes", 20), ("90-minutes", 90)])
def test_the_plans_that_ship_take_their_time_and_are_shown_by_the_live_page(name: str, minutes: int):
    assert name in shipped_plans()
    plan = open_plan(name, lambda question: bool(options_of(LESSONS, question)), wrong_with)
    assert plan.minutes == minutes
    room = Classroom(LESSONS, (), "http://127.0.0.1:9", plan)
    room.live.result()
    for part in plan.parts:
        room.go(1, is_lecturer=True)
        assert room.board_state()["led"]["show"] == part.show
        assert room.voting.question == part.question
        while room.lecture is not None and room.lecture.asks:
            room.go(1, is_lecturer=True)
    with pytest.raises(Refused, match="no further part"):
        room.go(1, is_lecturer=True)


def test_a_plan_leads_through_its_parts_and_counts_their_time():
    now = 100.0
    voting = Voting(lambda _: 2)
    lecture = Lecture(read(GOOD), voting, lambda: now)
    assert (lecture.part, lecture.asks, lecture.seconds()) == (None, False, (0.0, 0.0))
    assert lecture.go(1) == ("wait", None)
    now = 130.0
    assert lecture.go(1) == ("wait", None)
    now = 140.0
    assert lecture.seconds() == (40.0, 10.0)
    assert lecture.go(1) == ("open", ASKED)
    voting.lead("lead", is_lecturer=True)
    voting.lead("open", ASKED, is_lecturer=True)
    assert lecture.asks
    assert lecture.go(-1) == ("wait", None)
    with pytest.raises(Refused):
        lecture.go(-2)
    assert lecture.at == 1


def test_one_command_goes_on_through_the_votes_and_from_the_class_s_own_pace():
    room = Classroom(LESSONS, (), "http://127.0.0.1:9", read(GOOD))
    room.live.result()
    phases = []
    for _ in range(8):
        room.go(1, is_lecturer=True)
        phases.append(room.voting.phase)
    assert phases == [
        *[Phase.WAITING] * 2,
        Phase.ASKED,
        *[Phase.VOTING, Phase.CLOSED] * 2,
        Phase.REVEALED,
    ]
    room.lead("own", None, is_lecturer=True)
    room.go(-1, is_lecturer=True)
    assert (room.voting.phase, room.board_state()["lecture"]["at"]) == (Phase.WAITING, 1)
    with pytest.raises(NotLecturer):
        room.go(1, is_lecturer=False)
    assert "lecture" not in room.state_of(None), "notes are the lecturer's"


def test_a_class_without_a_plan_has_none_to_follow():
    room = Classroom(LESSONS, (), "http://127.0.0.1:9")
    with pytest.raises(Refused, match="--plan"):
        room.go(1, is_lecturer=True)
    assert room.board_state()["lecture"] is None


def test_a_plan_that_cannot_be_read_is_refused_before_anything_is_served(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(options, "write_logs", lambda *_: None)
    serve = ["serve", "--no-show", "--port", "0"]
    assert cli.main([*serve, "--plan", "20-minutes"]) == 1
    assert "--class" in capsys.readouterr().err
    assert cli.main([*serve, "--class", "--plan", str(tmp_path / "none.md")]) == 1
    assert "20-minutes, 90-minutes" in capsys.readouterr().err
    (tmp_path / "bad.md").write_text("# T\n", encoding="utf-8")
    assert cli.main([*serve, "--class", "--plan", str(tmp_path / "bad.md")]) == 1
    assert "bad.md:1: expected 1 to 60 parts" in capsys.readouterr().err
