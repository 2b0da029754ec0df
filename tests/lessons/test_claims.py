"""Every claim of every shipped lesson is true of what the explorer shows; a false one is named by line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lrbn_viz import cli
from lrbn_viz.app.address import read_page
from lrbn_viz.app.claims import VOCABULARY, PageWorld, Shown, check_claims, check_folder
from lrbn_viz.app.inference.state import Session
from lrbn_viz.measure.explanation import log_odds_terms
from lrbn_viz.view.lessons import ClaimError
from lrbn_viz.view.lessons.files import SHIPPED, read_file, read_folder
from lrbn_viz.view.lessons.language import AT_VISIT, FACTS, OF_UNIT
from lrbn_viz.view.lessons.markup import to_text
from lrbn_viz.view.live import page
from lrbn_viz.view.live.lessons import lessons_on_training
from tools.first_look import best_found

pytestmark = pytest.mark.filterwarnings("error")

LESSONS, BAD = read_folder(SHIPPED, VOCABULARY)
SMALL_DIGITS = read_file(Path(page.__file__).with_name("digits.md"), VOCABULARY)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SMALL = "?model=lrbn-12-digits&image=5"


@pytest.fixture(scope="module")
def shown() -> Shown:
    return Shown()


def test_the_shipped_lessons_show_states_that_the_page_takes_whole():
    assert BAD == []


@pytest.mark.parametrize("lesson", [*LESSONS, SMALL_DIGITS], ids=lambda lesson: lesson.id)
def test_every_claim_is_true(lesson, shown):
    assert check_claims(lesson, shown) == []
    assert all(step.claims for step in lesson.steps)


@pytest.mark.parametrize(
    "lesson", [*LESSONS, *lessons_on_training("digits"), SMALL_DIGITS], ids=lambda lesson: lesson.id
)
def test_each_wrong_option_has_a_word_with_no_figure_of_its_own(lesson):
    for step in lesson.steps:
        told = [step.text, step.question, step.reveal, *(option.text for option in step.options)]
        known = NUMBER.findall(" ".join((*map(to_text, told), *(claim.text for claim in step.claims))))
        for option in step.options:
            assert bool(option.why) != option.right, to_text(option.text)
            assert set(NUMBER.findall(to_text(option.why))) <= set(known), to_text(option.why)


def test_each_step_about_small_digits_stands_for_one_of_the_guide():
    [guide] = (lesson for lesson in LESSONS if lesson.guide)
    assert {step.title for step in SMALL_DIGITS.steps} < {step.title for step in guide.steps}


@pytest.mark.parametrize(
    ("file", "step", "part", "lane"), [("02-one-pass", 1, "then", 0), ("03-surest-unit", 2, "state", 1)]
)
def test_an_end_is_as_far_below_the_best_that_long_searches_find_as_the_lesson_says(file, step, part, lane):
    path = SHIPPED / f"{file}.md"
    said = re.search(
        r"the best end that long searches find is ([0-9.]+) nats", path.read_text(encoding="utf-8")
    )
    [lesson] = [lesson for lesson in LESSONS if lesson.id == file[3:]]
    session = Session(**read_page("inference", getattr(lesson.steps[step], part)).found)
    model, trace = session.lanes[lane][1], session.traces[lane]
    gap = best_found(model, trace.x) - trace.log_joint[-1]
    assert said is not None
    assert round(gap, 1) == float(said[1])
    assert gap < 10, "an image that ICM draws well"
    if lane:  # what is held off there would not turn on by itself
        [unit] = session.held_in(lane)
        assert log_odds_terms(model, trace.x, trace.latents(trace.n_visits), unit).log_odds < 0


def test_a_false_claim_and_one_that_cannot_be_answered_are_named_with_their_lines(tmp_path, capsys):
    claims = ["lane0.n_units == 13", "log_odds_at(lane0, 999999) == 0", "lane0.n_units == 12"]
    text = LESSON.replace("! lane0.n_units == 12\n", "".join(f"! {claim}\n" for claim in claims))
    text += "\n## Two\nstate: ?model=lrbn-40-digits-grey\n\n! lane0.p_best > 0\n"
    (tmp_path / "a.md").write_text(text, encoding="utf-8")
    at = [text[: text.index(claim)].count("\n") + 1 for claim in (*claims[:2], "lane0.p_best")]
    lessons, bad = check_folder(tmp_path)
    assert lessons == []
    assert [problem.line for problem in bad[0].problems] == at
    assert "lane0.n_units is 12" in bad[0].problems[0].words
    assert "has visits 1 to" in bad[0].problems[1].words
    assert "small models" in bad[0].problems[2].words
    assert cli.main(["lessons", "check", str(tmp_path)]) == 1
    assert f"a.md:{at[0]}: expected lane0.n_units == 13" in capsys.readouterr().err


def test_the_commands_say_what_there_is(tmp_path, capsys):
    assert cli.main(["lessons", "list"]) == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) == len(LESSONS)
    assert all(lesson.id in out and lesson.title in out for lesson in LESSONS)
    (tmp_path / "one.md").write_text(LESSON, encoding="utf-8")
    assert cli.main(["lessons", "check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "one.md: 1 steps, 1 claims, all true\n"
    assert cli.main(["lessons", "list", str(tmp_path / "nowhere")]) == 1
    (tmp_path / "one.md").unlink()
    assert cli.main(["lessons", "check", str(tmp_path)]) == 1
    assert "name another folder" in capsys.readouterr().err


LESSON = f"""---
id: one
title: One
minutes: 1
summary: One.
take_home: One.
---

## One
state: {SMALL}

! lane0.n_units == 12
"""


def test_a_lane_of_particles_has_facts_of_the_whole_and_none_of_units(shown):
    world = PageWorld(shown, "?model=lrbn-12-digits-recognition&algorithm=particles&dataset=digits", "")
    assert world.fact("lane0", "n_visits") == 99
    assert (world.fact("lane0", "converged"), world.fact("lane0", "n_flips")) == (False, 0)
    for asked in (lambda: world.at_visit("lane0", "unit_at", 1), lambda: world.fact("lane0", "turns_on")):
        with pytest.raises(ClaimError, match=r"lane0 has no .*expected a trace that visits units"):
            asked()


def test_facts_are_those_of_the_traces_that_the_page_shows(shown):
    session = Session(model_name="lrbn-12-digits", rival_name="rbm-12-digits", dataset_name="digits", index=5)
    world = PageWorld(shown, SMALL, "")
    for number, trace in enumerate(session.traces):
        lane = f"lane{number}"
        assert world.fact(lane, "n_visits") == trace.n_visits
        assert world.fact(lane, "log_joint") == trace.log_joint[-1]
        assert world.fact(lane, "wrong_pixels") == trace.wrong_pixels()[-1]
        assert world.at_visit(lane, "unit_at", 1) == trace.unit[0]
        parts = sum(
            world.at_visit(lane, f"{name}_at", 3) for name in ("prior", "evidence", "alone", "others")
        )
        assert parts == pytest.approx(world.at_visit(lane, "log_odds_at", 3), abs=1e-9)
        assert parts == pytest.approx(trace.log_odds[2], abs=1e-9)
    end = session.traces[0].latents(session.traces[0].n_visits)
    assert [world.of_unit("lane0", "is_on", unit) for unit in range(12)] == [bool(h) for h in end]


def test_every_fact_can_be_told_of_a_small_model_and_in_words_of_none_other(shown):
    world = PageWorld(shown, SMALL, "")
    for name in FACTS:
        assert world.fact("lane0", name) == world.fact("before0", name)
    for name in AT_VISIT:
        world.at_visit("lane0", name, 1)
    for name in OF_UNIT:
        world.of_unit("lane0", name, 11)
    with pytest.raises(ClaimError, match="units 0 to 11"):
        world.of_unit("lane0", "is_on", 12)
    with pytest.raises(ClaimError, match="cannot be compared"):
        PageWorld(shown, SMALL, "?model=lrbn-16-digits").of_two("changed", "before0", "lane0")


def test_best_states_are_those_of_enumeration(shown):
    world = PageWorld(shown, SMALL, "")
    total = world.fact("lane0", "p_best")
    assert 0 < world.fact("lane0", "p_reached") <= total <= 1
    assert world.fact("lane0", "best_log_joint") >= world.fact("lane0", "log_joint") - 1e-9


def test_other_images_are_inferred_as_links_to_them_show(shown):
    other = PageWorld(shown, SMALL + "&drawn=AAAAAAAAAAA", "").on_image(7)
    link = PageWorld(shown, "?model=lrbn-12-digits&image=7", "")
    assert other.fact("lane0", "log_joint") == link.fact("lane0", "log_joint")
