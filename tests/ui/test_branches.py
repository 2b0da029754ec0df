"""Branches with their parent's ghost, going back after a question, and undoing a deletion, in a browser."""

from __future__ import annotations

import json
import os
import signal
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import WAIT
from ui.returning import ReturningBrowser
from ui.test_accessibility import audit
from ui.test_train_page import (
    begin,
    open_page,
    pause,
    press,
    saved_step,
    set_up,
    state,
    until,
)


@pytest.fixture
def ready(page: Page, serve_app: Any) -> Page:
    return set_up(page, serve_app, "20")


def look_back(page: Page, step: int) -> None:
    page.get_by_role("slider", name="Moment of the run").fill(str(step))
    until(page, "s.shown === arg", step // 10 * 10)


def branch(page: Page, step: int = 33) -> tuple[str, str]:
    """Branch from a moment of the run on the page; the names of the parent and of the branch."""
    parent = state(page)["name"]
    look_back(page, step)
    press(page, "Branch")
    until(page, "s.name !== arg && s.status === 'new' && s.cursor === -1", parent)
    return parent, state(page)["name"]


# Minibatches along the first chart at which something is painted in a lane's colour.
COLOURED = """() => {
  const board = window.lrbnBoards[0], chart = board.charts[0], {canvas} = chart, {width, height} = canvas;
  const {data} = canvas.getContext("2d").getImageData(0, 0, width, height), found = [];
  const {left, right} = chart.frame, end = board.endX() * board.lanes[0].meta.per_pass;
  for (let x = 0; x < width; x++) for (let y = 0; y < height; y++) {
    const at = 4 * (y * width + x), [r, g, b, a] = data.slice(at, at + 4);
    if (a > 60 && Math.max(r, g, b) - Math.min(r, g, b) > 60) {
      found.push((x - left) / (right - left) * end);
      break;
    }
  }
  return found;
}"""


def test_a_branch_is_a_run_of_its_own_with_its_parents_ghost_beside_it(ready, runs_folder, seen, artifacts):
    begin(ready, 90)
    pause(ready)
    at = max(lane["step"] for lane in state(ready)["lanes"])
    parent, name = branch(ready)
    now = state(ready)
    assert {lane["step"] for lane in now["lanes"]} == {30}
    assert now["parent"] == {"name": parent, "step": 30, "error": ""}
    assert all(lane["parentPoints"]["seconds"] > 10 for lane in now["lanes"])
    expect(ready.get_by_text(f"parent: {parent}")).to_be_visible()
    expect(ready.get_by_text(f"Branch of {parent} at minibatch 30.")).to_be_visible()
    # the ghost goes on where the branch's own line ends
    ready.wait_for_function(f"at => Math.max(...({COLOURED})()) > 0.8 * at", arg=at)
    artifacts(ready, "branch")
    assert max(ready.evaluate(COLOURED)) < 1.2 * at
    row = ready.locator(f'[data-run="{name}"]')
    expect(row).to_contain_text(f"branch of {parent} at minibatch 30")
    expect(ready.locator(f'[data-run="{parent}"]')).not_to_contain_text("branch of")
    assert saved_step(runs_folder / parent) == at, "nothing of the parent is lost"
    press(ready, "Start training")
    until(ready, "s.lanes.every((lane) => lane.step > 35)")
    pause(ready)
    press(ready, "New run")
    until(ready, "s.status === 'none'")
    ready.get_by_role("button", name=f"Resume {parent}").click()
    until(ready, "s.name === arg && s.lanes.length === 2", parent)
    assert max(lane["step"] for lane in state(ready)["lanes"]) == at
    assert state(ready)["parent"] is None
    expect(ready.get_by_text(f"parent: {parent}")).to_have_count(0)
    ready.get_by_role("button", name=f"Resume {name}").click()
    until(ready, "s.name === arg && s.lanes[0].parentPoints.seconds > 10", name)
    seen.assert_clean(ignore=("willReadFrequently",))  # that is this test, reading a canvas


@pytest.mark.slow
def test_a_branch_whose_parent_was_deleted_says_so_and_goes_on(ready):
    begin(ready, 50)
    pause(ready)
    parent, name = branch(ready)
    press(ready, "New run")
    button = ready.get_by_role("button", name=f"Delete {parent}")
    expect(button).to_be_visible()
    button.click()
    dialog = ready.get_by_role("alertdialog", name="Delete this run?")
    expect(dialog).to_contain_text("Its branch stays, without this run's curves")
    dialog.get_by_role("button", name="Delete").click()
    expect(ready.get_by_text(f"{parent} was deleted.").last).to_be_visible()
    ready.get_by_role("button", name=f"Resume {name}").click()
    until(ready, "s.name === arg", name)
    expect(ready.get_by_text(f"{parent} is not stored any more")).to_be_visible()
    assert state(ready)["lanes"][0]["parentPoints"] == {}
    press(ready, "Start training")
    until(ready, "s.lanes.every((lane) => lane.step > 35)")


@pytest.mark.slow
def test_going_back_asks_says_what_it_discards_and_is_refused_by_escape(ready, runs_folder):
    begin(ready, 60)
    pause(ready)
    back = ready.get_by_role("group", name="Training").get_by_role("button", name="Go back here")
    expect(back).to_be_disabled()
    look_back(ready, 33)
    now = state(ready)
    reached = max(lane["step"] for lane in now["lanes"])
    back.focus()
    ready.keyboard.press("Enter")
    dialog = ready.get_by_role("alertdialog", name="Go back to minibatch 30?")
    expect(dialog).to_contain_text(f"{reached - 30} minibatches")
    expect(dialog).to_contain_text(f"{(reached - 30) / 62:.2f} epochs")
    expect(dialog).to_contain_text("seconds of training, in memory and on disk")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    ready.keyboard.press("b")  # what would branch
    ready.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(back).to_be_focused()
    assert state(ready)["cursor"] == 33
    assert state(ready)["name"] == now["name"]
    ready.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    ready.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Go back and discard")).to_be_focused()
    ready.keyboard.press("Enter")
    until(ready, "s.cursor === -1 && s.lanes.every((lane) => lane.step === 30)")
    expect(ready.get_by_role("button", name="Start training")).to_be_focused()
    assert state(ready)["name"] == now["name"]
    assert saved_step(runs_folder / now["name"]) == 30
    press(ready, "Start training")
    until(ready, "s.lanes.every((lane) => lane.step > 35)")


def put_aside(page: Page, step: int = 20) -> str:
    """Train a little and leave the run on disk; its name."""
    begin(page, step)
    pause(page)
    name = state(page)["name"]
    press(page, "New run")
    expect(page.get_by_role("button", name=f"Resume {name}")).to_be_visible()
    return name


def delete(page: Page, name: str) -> None:
    page.get_by_role("button", name=f"Delete {name}").click()
    dialog = page.get_by_role("alertdialog", name="Delete this run?")
    expect(dialog).to_contain_text(name)
    dialog.get_by_role("button", name="Delete").click()


def test_a_run_is_deleted_after_a_question_and_undo_brings_it_back(ready, runs_folder, seen):
    name = put_aside(ready)
    steps = saved_step(runs_folder / name)
    button = ready.get_by_role("button", name=f"Delete {name}")
    button.click()
    ready.keyboard.press("Escape")
    expect(ready.get_by_role("alertdialog")).to_have_count(0)
    expect(button).to_be_focused()
    assert (runs_folder / name).exists()
    delete(ready, name)
    undo = ready.get_by_role("button", name=f"Undo: restore {name}")
    expect(undo).to_be_focused()
    expect(ready.locator(".lt-trash")).to_contain_text("min")
    expect(ready.locator(".lt-trash")).to_contain_text("left to undo")
    expect(button).to_have_count(0)
    assert not (runs_folder / name).exists()
    undo.click()
    resume = ready.get_by_role("button", name=f"Resume {name}")
    expect(resume).to_be_focused()
    expect(undo).to_have_count(0)
    resume.click()
    until(ready, "s.name === arg && s.lanes.length === 2", name)
    assert max(lane["step"] for lane in state(ready)["lanes"]) == steps
    seen.assert_clean()


@pytest.mark.slow
def test_undo_outlives_the_server(browser: ReturningBrowser, tmp_path, serve_explorer):
    serving = serve_explorer(LRBN_VIZ_RUNS=str(tmp_path))
    app = next(serving)
    page = browser.new_page()
    set_up(page, app)
    name = put_aside(page)
    content = (tmp_path / name / "checkpoint").read_bytes()
    delete(page, name)
    expect(page.get_by_role("button", name=f"Undo: restore {name}")).to_be_visible()
    os.kill(app.process.pid, signal.SIGKILL)
    page.close()
    serving.close()

    serving = serve_explorer(LRBN_VIZ_RUNS=str(tmp_path))
    app = next(serving)
    page = browser.new_page()
    open_page(page, app)
    page.get_by_role("button", name=f"Undo: restore {name}").click()
    expect(page.get_by_role("button", name=f"Resume {name}")).to_be_visible()
    assert (tmp_path / name / "checkpoint").read_bytes() == content
    assert json.loads((tmp_path / name / "run.json").read_text())["config"]["dataset"] == "digits"
    page.close()
    serving.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1440, 900), pytest.param(360, 740, marks=pytest.mark.slow)])
def test_axe_finds_nothing_grave_in_the_questions_the_ghost_and_the_undo(
    page, serve_app, width, height, artifacts
):
    set_up(page, serve_app)
    begin(page, 90)
    pause(page)
    parent, name = branch(page)
    press(page, "Start training")
    until(page, "s.lanes.every((lane) => lane.step > 60)")
    pause(page)
    delete(page, parent) if page.get_by_role("button", name=f"Delete {parent}").count() else None
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{serve_app.url}?page=train&run={name}", timeout=WAIT)
    until(page, "s.name === arg && s.lanes.length === 2", name)
    look_back(page, 30)
    for dark in (False, True):
        if dark:
            page.get_by_label("Toggle theme").first.click()
            page.mouse.move(width / 2, height / 2)
            page.wait_for_function("() => window.lrbnBoards[0].root.dataset.scheme === 'dark'")
        press(page, "Go back here")
        expect(page.get_by_role("alertdialog")).to_be_visible()
        artifacts(page, f"go-back-{width}-{'dark' if dark else 'light'}")
        new, _, passed = audit(page)
        assert not new, "\n".join(new)
        assert "color-contrast" in passed
        page.keyboard.press("Escape")
    expect(page.get_by_role("alertdialog")).to_have_count(0)
