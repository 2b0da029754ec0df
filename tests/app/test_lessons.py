"""A visitor's way through lessons: what the page shows, what the browser may know, and what links say."""

from __future__ import annotations

import json

import pytest
from app.explorers import explorer

from lrbn_viz.app import shell
from lrbn_viz.app.address import read_address, write_lesson, write_page
from lrbn_viz.app.claims import offered_lessons
from lrbn_viz.app.inference import first_look
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.lessons.state import LessonRun
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.app.train.presets import PRESETS
from lrbn_viz.view.lessons import shipped_lessons
from lrbn_viz.view.lessons.markup import to_text
from lrbn_viz.view.player.panels import PANELS

GUIDE, *LESSONS = shipped_lessons()


class Page:
    """What a run of lessons has to do with: a page's state."""

    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []
        self.hidden = "matrix"

    def show(self, query: str, hidden: str) -> None:
        self.shown.append((query, hidden))
        self.hidden = hidden

    def unhide(self, hidden: str) -> None:
        self.hidden = hidden


@pytest.fixture
def page() -> Page:
    return Page()


@pytest.fixture
def run(page) -> LessonRun:
    names = tuple(PANELS), tuple(CONTROLS)
    return LessonRun(lambda: (LESSONS, ()), page.show, lambda: page.hidden, page.unhide, names)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_nothing_of_what_is_revealed_is_sent_before_the_prediction(lesson, run):
    run.begin(lesson.id)
    for number, step in enumerate(lesson.steps, 1):
        before = json.dumps(run.view)
        assert run.step == number
        assert not {"right", "reveal", "take_home", "after", "chosen"} & run.view.keys()
        for hidden in (step.reveal, lesson.take_home):
            assert json.dumps(hidden)[1:-1] not in before
            assert to_text(hidden)[:40] not in before
        run.walk("next")
        assert run.step == number, "a question comes before what follows"
        run.predict(number, len(step.options) - 1)
        assert run.view["right"] == step.right
        assert run.view["chosen"] == len(step.options) - 1
        assert run.view["reveal"] == step.reveal
        assert run.view.get("take_home") == (lesson.take_home if number == len(lesson.steps) else [])
        run.walk("next")
    assert run.step == len(lesson.steps)


def test_a_step_shows_its_state_and_an_answer_what_follows(run, page):
    lesson = LESSONS[0]
    run.begin(lesson.id, 2)
    assert page.shown[-1][0] == lesson.steps[1].state
    assert set(page.hidden.split(".")) == {*PANELS, *CONTROLS} - {"speed", "pages"}
    run.predict(1, 0)  # of a step that is not shown
    run.predict(2, 9)  # no option
    assert run.chosen == -1
    run.predict(2, 1)
    assert page.shown[-1][0] == lesson.steps[1].then
    assert set(page.hidden.split(".")) == {*PANELS, *CONTROLS} - {"why", "speed", "pages"}
    assert run.view["look"] == ["lane1", "why"]
    run.predict(2, 0)
    assert run.chosen == 1, "a prediction stands"
    run.walk("next")
    assert (run.step, run.chosen) == (3, -1)
    assert page.shown[-1][0] == lesson.steps[2].state
    run.walk("back")
    assert (run.step, run.chosen) == (2, -1)
    assert page.shown[-1][0] == lesson.steps[1].state
    assert len(page.shown) == 4


def test_a_guide_has_something_to_do_and_shows_the_rest_of_the_page_when_asked(page):
    names = tuple(PANELS), tuple(CONTROLS)
    run = LessonRun(lambda: ([GUIDE], ()), page.show, lambda: page.hidden, page.unhide, names)
    run.begin(GUIDE.id)
    assert to_text(run.view["do"]).startswith("In the network, press alarm")
    assert (run.view["guide"], run.view["everything"]) == (True, False)
    assert {"matrix", "why"} < set(page.hidden.split("."))
    shown = len(page.shown)
    run.show_all()
    assert (page.hidden, run.view["everything"]) == ("", True)
    assert len(page.shown) == shown, "what was pressed stays"
    run.walk("next")
    assert page.hidden == "", "at the steps that follow, too"
    run.show_all()
    assert "matrix" in page.hidden.split(".")
    run.show_all()
    run.leave()
    assert (page.hidden, run.everything) == ("matrix", False)
    run.show_all()
    assert not run.everything, "without a lesson there is nothing to show beside"


def test_a_lesson_that_is_left_leaves_the_page_as_it_is(run, page):
    run.begin(LESSONS[0].id)
    n = len(page.shown)
    run.leave()
    assert len(page.shown) == n
    assert page.hidden == "matrix", "panels in sight before are in sight again"
    assert (run.lesson, run.step, run.chosen, run.view) == ("", 1, -1, {})
    run.leave()
    run.walk("next")
    run.predict(1, 0)
    assert run.view == {}


def test_what_is_not_on_offer_begins_nothing(run):
    for name, step in (("nothing", 1), (LESSONS[0].id, 9), (LESSONS[0].id, 0), ("", 1)):
        run.begin(name, step)
        assert run.running is None


def test_a_step_of_the_same_state_goes_on_from_what_was_shown(run, page):
    lesson = next(lesson for lesson in LESSONS if any(not step.state for step in lesson.steps))
    number = next(n for n, step in enumerate(lesson.steps, 1) if not step.state)
    run.begin(lesson.id, number)
    assert page.shown[-1][0] == lesson.shown_at(number - 1)[1]


def test_a_link_opens_a_step_of_a_lesson():
    page = explorer("lesson=surest-unit&step=3")
    lesson = page.lessons.running
    assert lesson is not None
    assert (lesson.id, page.lessons.step, page.shown) == ("surest-unit", 3, "inference")
    assert (page.session.rival_name, page.session.rival_clamp) == ("lrbn-200-mnist-strokes", "86off")
    assert page.session.cursor == page.session.n_visits
    assert page.session.hides("gallery")
    assert not page.notices.texts
    assert write_lesson(page.lessons) == "?lesson=surest-unit&step=3"
    assert explorer("page=lessons").lessons.running is None
    assert explorer("page=lessons").shown == "lessons"
    assert explorer("page=lessons&lesson=start").shown == "inference"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("lesson=nothing", "lesson: there is no lesson called nothing here"),
        ("lesson=surest-unit&step=9", "step: expected a step from 1 to 3, got 9"),
        ("lesson=../x", "lesson: expected the id of a lesson"),
        ("lesson=start&step=x", "step: expected a whole number from 1 to 12"),
        ("lesson=start&image=3", "image: a lesson says itself what the page shows"),
    ],
)
def test_what_a_link_gets_wrong_is_named(query, said):
    page = explorer(query)
    assert any(said in text for text in page.notices.texts), page.notices.texts


def test_a_step_of_a_lesson_and_one_of_a_pass_have_their_own_names():
    address = read_address("?page=generate&pass_step=12", shell.PAGES)
    assert (address.states["generate"], address.states["lessons"]) == ({"step": 12}, {})
    address = read_address("?lesson=start&step=2", shell.PAGES)
    assert (address.states["generate"], address.states["lessons"]) == ({}, {"lesson": "start", "step": 2})


def test_the_end_of_a_trace_has_a_name_in_links():
    page = explorer("model=lrbn-12-digits&image=3&visit=end")
    assert page.session.cursor == page.session.n_visits > 0
    assert not page.notices.texts


def test_a_link_opens_the_train_page_with_a_recipe():
    page = explorer("page=train&preset=warmed")
    state = page._parts["train"].state
    assert (page.shown, state.preset) == ("train", "warmed")
    assert write_page("train", state) == {"preset": "warmed"}
    state.choose_preset(next(iter(PRESETS)))
    assert write_page("train", state) == {}
    assert not page.notices.texts


def test_the_last_caption_of_the_first_look_leads_to_the_first_lesson():
    look = first_look.read()
    assert look is not None
    last = look.story[-1]
    assert last["link"] == f"?lesson={LESSONS[0].id}"
    assert last["words"] == "Begin the first lesson"
    assert read_address(last["link"], shell.PAGES).ignored == []


def test_a_teachers_own_lessons_are_offered_and_bad_files_are_listed(tmp_path, monkeypatch):
    text = """---
id: own
title: My own
minutes: 3
summary: Mine.
take_home: Mine.
---

## One
state: ?model=lrbn-12-digits&image=3

? Why <b>not</b>?
- no
* <script>alert(1)</script>

Because.
"""
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    (tmp_path / "b.md").write_text(text.replace("minutes: 3", "minutes: x"), encoding="utf-8")
    (tmp_path / "c.md").write_text(text.replace("id: own", "id: start"), encoding="utf-8")
    monkeypatch.setenv("LRBN_VIZ_LESSONS", str(tmp_path))
    lessons, bad = offered_lessons()
    assert [lesson.id for lesson in lessons][-2:] == ["own", "start"]
    assert [each.file for each in bad] == ["b.md"]
    page = explorer("page=lessons")
    listed = [each["id"] for each in page.lessons.listed]
    assert listed == [lesson.id for lesson in (GUIDE, *LESSONS)] + ["own"]
    assert [each["file"] for each in page.lessons.refused] == ["b.md", "c.md"]
    assert "line 4: expected a whole number" in page.lessons.refused[0]["words"][0]
    page.begin_lesson("own")
    assert page.shown == "inference"
    assert page.lessons.view["options"][1] == ["<script>alert(1)</script>"], "text, and no node"
    assert isinstance(page.session, Session)
    monkeypatch.setenv("LRBN_VIZ_LESSONS", str(tmp_path / "nowhere"))
    assert "a folder of lessons" in offered_lessons()[1][0].problems[0].words
