"""The Train page in a real browser: runs that learn, stop, go back, are changed, left, found and killed."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import (
    WAIT,
    budget_in_epochs,
    open_more_settings,
    wait_for_answer,
    wait_for_frames,
    wait_for_signs_of_life,
    wait_until_it_stands_still,
    wait_until_linked,
)
from ui.returning import ReturningBrowser
from ui.test_accessibility import audit
from ui.test_titles import CUT

from lrbn_viz import load_dataset
from lrbn_viz.studies.runs import Run, RunConfig, stored_curves, stored_runs
from lrbn_viz.training.checkpoint import load_checkpoint


def state(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnBoards[0].state()")


# Words of each lane's legends, and of each chart with dotted lines the lanes of these, drawn and explained.
LEGENDS = """() => {
  const board = window.lrbnBoards[0], seen = (node) => node.getClientRects().length > 0;
  const colour = (node) => Number(/lane(\\d)/.exec(node.getAttribute("style"))[1]);
  const unique = (list) => Array.from(new Set(list)).sort();
  return {
    lanes: board.lanes.map(({node}) =>
      Array.from(node.querySelectorAll(".lv-legend")).filter(seen).map((each) => each.innerText).join(" ")),
    dotted: board.charts.filter(({shown}) => shown.some(({dash}) => dash)).map((chart) => [
      chart.title, unique(chart.shown.filter(({dash}) => dash).map(({lane}) => lane.index)),
      unique(Array.from(chart.node.querySelectorAll("[data-mark=broken]")).filter(seen).map(colour)),
    ]),
  };
}"""


def until(page: Page, condition: str, arg: Any = None, timeout: float = WAIT) -> None:
    """Wait until something holds of the board's state `s`."""
    page.wait_for_function(
        f"arg => {{ const s = window.lrbnBoards?.[0]?.state(); return s && ({condition}); }}",
        arg=arg,
        timeout=timeout,
    )


def press(page: Page, name: str) -> None:
    page.get_by_role("group", name="Training").get_by_role("button", name=name).click()


def open_page(page: Page, app: Any, query: str = "") -> None:
    page.goto(f"{app.url}?page=train{query}", timeout=WAIT)
    page.wait_for_function("() => window.lrbnBoards?.[0]", timeout=WAIT)


def set_up(page: Page, app: Any, passes: str = "400") -> Page:
    """A small run that is not begun yet."""
    open_page(page, app)
    page.get_by_label("Recipe").select_option("small")
    expect(page.get_by_label("Data set")).to_have_value("digits")
    budget_in_epochs(page, passes)
    for field in page.get_by_label("Latent units").all():
        field.fill("6")
    return page


@pytest.fixture
def ready(page: Page, serve_app: Any) -> Page:
    return set_up(page, serve_app)


def wait_until_nothing_is_sent(page: Page) -> None:
    """Wait until the board has heard nothing between two signs of life of its server."""
    frames = -1
    while frames != (frames := state(page)["stats"]["frames"]):
        wait_for_signs_of_life(page)


def begin(page: Page, step: int = 5) -> None:
    press(page, "Start training")
    until(page, "s.lanes.length === 2 && s.lanes.every((lane) => lane.step > arg)", step)


def pause(page: Page) -> None:
    press(page, "Pause")
    # The step in hand is still done; then the models are looked at, and their filters are sent whole.
    page.wait_for_function(
        """() => {
          const board = window.lrbnBoards[0], {lanes} = board, steps = lanes.map(({step}) => step).join();
          const looked = ({rings, step}) =>
            Array.from(rings).some(([name, ring]) => name.startsWith("probe_") && ring.lastX === step);
          if (board.status !== "paused" || !lanes.every((lane) => lane.fine && looked(lane))) return false;
          if (steps !== window.steps) [window.steps, window.times] = [steps, 0];
          return ++window.times > 6;
        }"""
    )


def weights(path: Path) -> dict[str, np.ndarray]:
    """Parameters of a run's lanes as its checkpoint holds them."""
    arrays = load_checkpoint(path / "checkpoint").arrays
    return {name: np.asarray(array) for name, array in arrays.items() if name.endswith("/W")}


def test_before_the_first_run_it_says_what_to_do(page, serve_app, seen):
    open_page(page, serve_app)
    expect(page.get_by_role("heading", name="Watch two models learn")).to_be_visible()
    expect(page.get_by_role("link", name="Train")).to_have_attribute("aria-current", "page")
    wait_until_linked(page)
    seen.assert_clean()


def test_one_press_trains_the_default_recipe_to_its_end_and_the_page_says_how_to_go_on(
    page, serve_app, tmp_path, seen
):
    open_page(page, serve_app)
    expect(page.get_by_label("Recipe")).to_have_value("small")
    expect(page.get_by_label("Data set").locator("option:checked")).to_have_text("8x8 digits")
    for name in ("Data set", "Recipe", "Model", "Latent units", "Learning rate"):
        expect(page.get_by_label(name, exact=True).first).to_be_visible()
    expect(page.get_by_label("Training time (seconds)")).to_have_value("5")
    for name in ("Budget in", "Random seed", "Images", "E-step"):
        expect(page.get_by_label(name, exact=True).first).to_be_hidden()
    tops = [
        page.get_by_text(words, exact=True).first.bounding_box()["y"]
        for words in ("Models", "What to train", "More settings")
    ]
    assert tops == sorted(tops), "open and save come first, what few need last"
    page.get_by_label("Training time (seconds)").fill("0.2")  # else the same, for ten seconds
    page.get_by_role("main").get_by_role("button", name="Start training").first.click()
    card = page.get_by_role("region", name="What next")
    expect(card).to_be_visible(timeout=WAIT)
    until(page, "s.status === 'done'")
    expect(card).to_contain_text("train on, 0.2 s more for each model")
    for lane in state(page)["lanes"]:
        assert lane["seconds"] >= 0.2
        assert lane["stamps"] == {"glance": lane["step"], "probe": lane["step"], "filters": lane["step"]}
        shown = page.get_by_role("region", name=lane["title"], exact=True)
        expect(shown).to_contain_text(f"{lane['seconds']:.1f} s in its own steps, by the clock")
        expect(shown.locator(".lt-stamp")).to_have_text(f"at minibatch {lane['step']}")
    with page.expect_download() as download:
        card.get_by_role("button", name="Save LRBN").click()
    assert download.value.suggested_filename.startswith("lrbn-12-digits-")
    steps = [lane["step"] for lane in state(page)["lanes"]]
    card.get_by_role("button", name="Train on").click()
    until(page, "s.status === 'done' && s.lanes.every((lane, n) => lane.step > arg[n])", steps)
    run = page.evaluate("() => window.lrbnBoards[0].meta.name")
    for name, query in (
        ("Link to", "page=train&run="),
        ("Models of", "run="),
        ("Samples of", "page=generate&run="),
    ):
        link = page.get_by_role("link", name=f"{name} {run}", exact=True)
        expect(link).to_have_attribute("href", f"?{query}{run}", timeout=WAIT)
    models = [f"live:{run} {lane['title']}, minibatch {lane['step']}" for lane in state(page)["lanes"]]
    drawn = (
        "models => window.lrbnGenerators?.[0]?.timeline?.lanes.map(({meta}) => meta.model).join() === models"
    )
    card.get_by_role("button", name="Watch these models draw in Generate").click()
    page.wait_for_function(drawn, arg=",".join(models), timeout=WAIT)
    page.wait_for_url(re.compile(r"[?&]page=generate&.*generator=live%3A"), timeout=WAIT)
    page.get_by_role("link", name="Train", exact=True).click()
    card.get_by_role("button", name="Look at these models in Inference").click()
    shown = "() => window.lrbnPlayers?.[0]?.lanes?.map?.(({n_h}) => n_h).join() === '12,12'"
    page.wait_for_function(shown, timeout=WAIT)
    page.wait_for_url(re.compile(r"[?&]model=live%3A"), timeout=WAIT)
    name = page.evaluate("() => window.lrbnPlayers[0].meta.lanes[0].model")
    page.reload(timeout=WAIT)
    page.wait_for_function(shown, timeout=WAIT)
    assert page.evaluate("() => window.lrbnPlayers[0].meta.lanes[0].model") == name
    seen.assert_clean()


@pytest.mark.slow
def test_a_tab_that_is_hidden_lets_the_worker_alone(ready):
    begin(ready)
    turn = """to => {
      Object.defineProperty(document, "visibilityState", {value: to, configurable: true});
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    ready.evaluate(turn, "hidden")
    ready.wait_for_function(  # a frame a second comes; in the time of three there would be four looks
        """() => {
          const {lanes: [lane], stats} = window.lrbnBoards[0], shown = lane.stamps.glance;
          if (shown !== window.glance) [window.glance, window.since] = [shown, stats.frames];
          return stats.frames >= window.since + 4;
        }""",
        timeout=WAIT,
    )
    ready.evaluate(turn, "visible")
    until(ready, "s.lanes[0].stamps.glance > arg", ready.evaluate("() => window.glance"))


def test_curves_filters_and_figures_move_while_it_trains_and_rest_when_paused(ready, seen):
    begin(ready)
    first = state(ready)
    until(
        ready,
        "s.lanes.every((lane, i) => lane.points.seconds > arg[i])",
        [l["points"]["seconds"] for l in first["lanes"]],
    )
    until(
        ready,
        "s.lanes.some((lane, i) => lane.filterSum !== arg[i])",
        [l["filterSum"] for l in first["lanes"]],
    )
    until(ready, "s.lanes[0].points.probe_wrong_pixels > 1")
    now = state(ready)
    assert now["stats"]["inOrder"]
    assert now["stats"]["largest"] <= 1800
    assert now["progress"] > 0
    expect(ready.get_by_text("left", exact=False).last).to_be_visible()
    pause(ready)
    until(ready, "s.lanes.every((lane) => lane.fine)")
    steps = [lane["step"] for lane in state(ready)["lanes"]]
    legends = ready.evaluate(LEGENDS)
    for words in legends["lanes"]:
        for meaning in (
            "too much",
            "too little",
            "share of held-out images",
            "dead",
            "adds ink",
            "takes it away",
        ):
            assert meaning in words
    assert [title for title, *_ in legends["dotted"]] == ["Wrong pixels", "Share of units on"]
    for title, drawn, explained in legends["dotted"]:
        assert drawn == explained != [], title
    # once the last pictures have arrived nothing is sent while nothing moves
    wait_until_nothing_is_sent(ready)
    assert [lane["step"] for lane in state(ready)["lanes"]] == steps
    seen.assert_clean()


def test_a_single_step_trains_both_models_on_one_minibatch_that_can_be_inspected(ready):
    press(ready, "Single minibatch")
    until(ready, "s.status === 'paused' && s.lanes.every((lane) => lane.step === 1)")
    expect(ready.get_by_role("button", name="Slow motion")).to_have_count(0)  # only live pages have it
    ready.keyboard.press("s")
    ready.keyboard.press("ArrowRight")
    until(ready, "s.status === 'paused' && s.lanes.every((lane) => lane.step === 2)")
    thumbs = ready.get_by_role("button", name="Inspect training image")
    expect(ready.get_by_role("region", name="Last minibatch")).to_contain_text("minibatch 2: press an image")
    expect(thumbs).to_have_count(20)
    drawn = thumbs.nth(3).locator("img").get_attribute("src")
    ready.get_by_label("Toggle theme").first.click()
    expect(thumbs.nth(3).locator("img")).not_to_have_attribute("src", drawn or "")  # light on dark
    label = thumbs.nth(3).get_attribute("aria-label") or ""
    row = int("".join(filter(str.isdigit, label)))
    thumbs.nth(3).click()
    ready.wait_for_function("() => window.lrbnPlayers?.[0]?.meta", timeout=WAIT)
    caption = ready.evaluate("() => window.lrbnPlayers[0].meta.caption")
    assert caption == f"8x8 digits, training image {row}, in minibatch 2"
    pixels = ready.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].x)")
    np.testing.assert_array_equal(pixels, load_dataset("digits").train_X[row])
    assert ready.evaluate("() => window.lrbnPlayers[0].lanes[0].n_h") == 6
    ready.get_by_role("link", name="Train").click()
    until(ready, "s.lanes.length === 2 && s.lanes[0].step === 2")


@pytest.mark.slow
def test_an_image_of_a_grey_run_is_inspected_in_its_tones(page, serve_app, seen):
    open_page(page, serve_app)
    page.get_by_label("Recipe").select_option("gaussian")
    open_more_settings(page)
    expect(page.get_by_label("Images", exact=True)).to_have_value("grey")
    for field in page.get_by_label("Latent units").all():
        field.fill("6")
    press(page, "Single minibatch")
    until(page, "s.status === 'paused' && s.lanes.every((lane) => lane.step === 1)")
    thumbs = page.get_by_role("button", name="Inspect training image")
    expect(thumbs.nth(2)).to_be_visible()
    row = int("".join(filter(str.isdigit, thumbs.nth(2).get_attribute("aria-label") or "")))
    thumbs.nth(2).click()
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta?.caption.includes('minibatch')", timeout=WAIT)
    grey = load_dataset("digits", binary=False)
    shown = page.evaluate(
        """() => { const {input: {canvas}, lanes: [lane]} = window.lrbnPlayers[0];
             window.lrbnPlayers[0].clock.frame(performance.now());
             const {data} = canvas.getContext("2d").getImageData(0, 0, 8, 8);
             return {x: Array.from(lane.x), tones: Array.from({length: 64}, (_, i) => data[4 * i])}; }"""
    )
    np.testing.assert_allclose(shown["x"], grey.train_X[row], rtol=1e-6)
    intensity = grey.to_intensity(grey.train_X[row])
    order = np.corrcoef(shown["tones"], intensity)[0, 1]
    assert order < -0.99, "ink is dark, as strong as it is grey"
    expect(page.get_by_text("squared error").first).to_be_visible()
    expect(page.get_by_text("Residual").first).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("n")
    page.wait_for_function("() => window.lrbnPlayers[0].meta.caption.includes('test image 1')")
    np.testing.assert_allclose(
        page.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].x)"), grey.test_X[1], rtol=1e-6
    )
    seen.assert_clean(ignore=("willReadFrequently",))  # that is this test, reading a canvas


def test_validation_scores_share_a_chart_only_where_they_mean_the_same_and_its_title_names_them(ready):
    press(ready, "Single minibatch")
    until(ready, "s.lanes.length === 2 && s.lanes.every((lane) => lane.step === 1)")
    titles = "() => window.lrbnBoards[0].charts.map(({title}) => title).filter((t) => t.includes('Valid'))"
    assert ready.evaluate(titles) == [
        "Validation log P(x, h), LRBN",
        "Validation pseudo-log-likelihood, RBM",
    ]


def test_the_past_is_looked_at_and_the_run_branches_from_it(ready):
    begin(ready, 60)
    pause(ready)
    slider = ready.get_by_role("slider", name="Moment of the run")
    slider.fill("33")
    until(ready, "s.shown === 30")
    expect(ready.get_by_text("Looking back")).to_be_visible()
    past = state(ready)["lanes"][0]["filterSum"]
    press(ready, "Back to the present")
    until(ready, "s.cursor === -1 && s.lanes[0].fine && s.lanes[0].filterSum !== arg", past)
    slider.fill("33")
    until(ready, "s.shown === 30")
    press(ready, "Branch")
    until(ready, "s.cursor === -1 && s.lanes.every((lane) => lane.step === 30)")
    press(ready, "Start training")
    until(ready, "s.lanes.every((lane) => lane.step > 35)")


SHOWN = """() => {
  const root = window.lrbnBoards[0].root, all = (selector) => Array.from(root.querySelectorAll(selector));
  return {
    cards: all(".lt-lane .lt-numbers").map((node) => node.textContent),
    dead: all(".lt-usage .lv-label").map((node) => node.textContent),
    headings: Object.fromEntries(all(".lt-chart").filter((node) => !node.hidden).map((node) => [
      node.querySelector("figcaption > span").firstChild.textContent,
      Array.from(node.querySelectorAll("figcaption b span"), (span) => span.textContent)])),
    labels: all(".lt-chart").filter((node) => !node.hidden)
      .map((node) => node.querySelector("canvas").getAttribute("aria-label")),
    usage: all(".lt-usage canvas").map((node) => node.getAttribute("aria-label")),
    says: root.querySelector(".lv-says").textContent, kept: root.querySelector(".lt-kept").textContent,
    sums: window.lrbnBoards[0].state().lanes.map((lane) => lane.filterSum),
    thumb: root.querySelector(".lv-scrub input").getAttribute("aria-valuetext"),
  };
}"""


@pytest.mark.slow
def test_while_looking_back_every_figure_on_the_page_is_the_one_that_was_recorded_then(
    ready, runs_folder, tmp_path
):
    seen_at = {}
    for target in (10, 20, 30):
        while state(ready)["lanes"] == [] or state(ready)["lanes"][0]["step"] < target:
            step = state(ready)["lanes"][0]["step"] if state(ready)["lanes"] else 0
            press(ready, "Single minibatch")
            until(
                ready,
                "s.status === 'paused' && s.lanes.length === 2 && s.lanes.every((lane) => lane.step === arg)",
                step + 1,
            )
        # paused: the models are probed, the filters are whole, and nothing follows
        until(ready, "s.lanes.every((lane) => lane.fine)")
        wait_until_nothing_is_sent(ready)
        seen_at[target] = ready.evaluate(SHOWN)
    press(ready, "Stop")
    until(ready, "s.status === 'cancelled'")
    curves = stored_curves(runs_folder / state(ready)["name"])
    slider = ready.get_by_role("slider", name="Moment of the run")
    charts = {
        "Training log P(x, h)": "log_joint",
        "Wrong pixels": "probe_wrong_pixels",
        "Gradient norm": "gradient_norm",
        "Dead units": "probe_dead_units",
        "Flips per E-step": "flips",
    }
    for target in (20, 10):
        slider.fill(str(target + 4))
        until(ready, "s.shown === arg", target)
        wait_for_frames(ready)
        now, then = ready.evaluate(SHOWN), seen_at[target]
        for part in ("cards", "dead", "headings", "labels", "usage"):
            if part == "headings":  # a figure that was measured later for the first time has no value then
                shown = {name: values for name, values in now[part].items() if name in then[part]}
                later = {text for name in now[part].keys() - shown.keys() for text in now[part][name]}
                assert later <= {"\u2013"}
                assert shown == then[part]
            elif part == "labels":
                assert set(then[part]) <= set(now[part])
            else:
                assert now[part] == then[part]
        np.testing.assert_allclose(now["sums"], then["sums"])
        for title, figure in charts.items():
            recorded = []
            for lane in curves.values():
                if figure in lane:
                    steps, values = lane[figure].points()
                    recorded.append(values[list(steps).index(target)])
            shown = [float(text.replace("\u2212", "-").replace(",", "")) for text in now["headings"][title]]
            np.testing.assert_allclose(shown, recorded, rtol=0.01, atol=0.006, err_msg=title)
        assert f"minibatch {target}, epoch {target / 62:.2f}" in now["says"]
        assert "Now: minibatch 30" in now["says"]
        assert "left" not in now["says"]
        assert now["kept"].startswith("Now: ")
        assert "images/s" not in "".join(now["cards"])
        assert now["thumb"] == f"minibatch {target} of 30"
        button = ready.get_by_role("button", name=f"Save LRBN of minibatch {target}")
        with ready.expect_download() as caught:
            button.click()
        assert caught.value.suggested_filename.endswith(f"-{target}.npz")
    press(ready, "Back to the present")
    until(ready, "s.shown === null")
    wait_for_frames(ready)
    now = ready.evaluate(SHOWN)
    assert now["headings"] == seen_at[30]["headings"]


@pytest.mark.slow
def test_a_moment_asked_for_is_kept_when_the_board_is_drawn_anew_before_the_server_has_heard_of_it(ready):
    begin(ready, 40)
    pause(ready)
    ready.evaluate(
        """() => {
          const board = window.lrbnBoards[0], load = board.load.bind(board);
          window.drawn = 0;
          board.load = (...block) => { load(...block); window.drawn += 1; };
          board.scrub(20);
          window.dispatchEvent(new CustomEvent("lrbn-connection", {detail: {open: true, since: 0}}));
        }"""
    )
    ready.wait_for_function("() => window.drawn > 0", timeout=WAIT)
    until(ready, "s.cursor === 20 && s.shown !== null && s.shown <= 20")


def test_every_setting_is_explained_to_who_cannot_see_it_and_to_who_can(ready):
    rate = ready.get_by_label("Learning rate", exact=True).first
    said = "Step size along the mean gradient of a minibatch. Above 0 and finite."
    expect(rate).to_have_accessible_description(said)
    expect(ready.get_by_label("Minibatch size (images)", exact=True)).to_have_accessible_description(
        "Images per gradient step. At least 1 and at most 1,000,000,000."
    )
    rate.fill("0")
    expect(rate).to_have_accessible_description(
        f"{said} Learning rate must be above 0 and finite; got 0.0. The default is 0.25."
    )
    words = ready.get_by_text(said).first
    expect(words).to_be_hidden()
    explain = ready.get_by_role("button", name="Explain the settings")
    for shown in (True, False):
        explain.focus()
        ready.keyboard.press("Enter")
        expect(explain).to_have_attribute("aria-pressed", str(shown).lower())
        expect(words).to_be_visible(visible=shown)
    ready.get_by_label("Budget in").select_option("seconds")
    expect(ready.get_by_label("Training time (seconds)", exact=True)).to_have_value("60")
    expect(ready.get_by_label("Number of epochs")).to_have_count(0)


def test_a_hyper_parameter_is_judged_as_typed_and_changes_a_paused_run(ready, runs_folder):
    rate = ready.get_by_label("Learning rate").first
    rate.fill("fast")
    expect(ready.get_by_text("expected a number, got 'fast'")).to_be_visible()
    expect(rate).to_have_attribute("aria-invalid", "true")
    rate.fill("0.2")
    expect(rate).to_have_attribute("aria-invalid", "false")
    begin(ready)
    expect(rate).to_be_disabled()
    expect(ready.get_by_label("Latent units").first).to_be_disabled()
    pause(ready)
    expect(rate).to_be_enabled()
    rate.fill("0.07")
    expect(ready.get_by_label("Latent units").first).to_be_disabled()
    press(ready, "Stop")
    until(ready, "s.status === 'cancelled'")
    name = state(ready)["name"]
    config = next(run.config for run in stored_runs(runs_folder) if run.name == name)
    assert config is not None
    assert config.lanes["LRBN"].settings["learning_rate"] == 0.07


@pytest.mark.slow
def test_reset_gives_the_same_run_bit_for_bit(page, serve_app, runs_folder):
    set_up(page, serve_app, "1")
    press(page, "Start training")
    until(page, "s.status === 'done'")
    first = state(page)["name"]
    press(page, "Reset")
    until(page, "s.status === 'new' && s.name !== arg", first)
    press(page, "Start training")
    until(page, "s.status === 'done'")
    one, other = (weights(runs_folder / name) for name in (first, state(page)["name"]))
    assert one.keys() == other.keys() != set()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


def saved_step(folder: Path) -> int:
    """Minibatches that the lane furthest ahead had seen at a run's checkpoint."""
    checkpoint = load_checkpoint(folder / "checkpoint")
    return max(json.loads(str(checkpoint.arrays[f"{lane}.plain"]))["step"] for lane in checkpoint.lanes)


@pytest.mark.slow
def test_a_closed_tab_ends_its_run_on_disk_and_another_takes_it_up(
    browser: ReturningBrowser, serve_app, runs_folder
):
    page = browser.new_page()
    set_up(page, serve_app)
    begin(page)
    name = state(page)["name"]
    closed = time.time()
    page.close()
    folder = runs_folder / name
    deadline = time.monotonic() + WAIT / 1000
    while not (folder / "checkpoint").exists() or (folder / "checkpoint").stat().st_mtime < closed + 20:
        assert time.monotonic() < deadline, "no last checkpoint of a run whose tab was closed"
        time.sleep(0.5)
    steps = saved_step(folder)
    page = browser.new_page()
    open_page(page, serve_app)
    page.get_by_role("button", name=f"Resume {name}").click()
    until(page, "s.name === arg && s.status === 'new'", name)
    assert max(lane["step"] for lane in state(page)["lanes"]) == steps, (
        "it rested from the moment it was paused"
    )
    press(page, "Start training")
    until(page, "s.lanes.every((lane) => lane.step > arg)", steps + 5)
    page.close()


def test_a_run_that_is_to_carry_on_does_and_is_attached_from_another_tab(page: Page, serve_app):
    set_up(page, serve_app, "100000")
    # not `check`: the server's answer to what was typed before may come between the click and its own
    carry = page.get_by_label("Go on when I close this tab")
    carry.click()
    expect(carry).to_be_checked()
    begin(page)
    at = state(page)
    page.goto("about:blank")
    open_page(page, serve_app)
    wait_for_signs_of_life(page)  # a run that is not to carry on is paused by then, one that nobody watches
    page.get_by_role("button", name=f"Attach {at['name']}").click()
    until(
        page,
        "s.status === 'running' && s.lanes.every((lane) => lane.step > arg)",
        at["lanes"][0]["step"] + 20,
    )
    expect(page.get_by_label("Go on when I close this tab")).to_be_checked()
    page.get_by_label("Go on when I close this tab").click()
    press(page, "Stop")
    until(page, "s.status === 'cancelled'")


def test_a_page_loaded_anew_goes_on_with_its_run(ready):
    begin(ready)
    at = state(ready)
    ready.wait_for_url(f"**run={at['name']}**")
    ready.reload()
    until(
        ready,
        "s.name === arg[0] && s.status === 'running' && s.lanes[0].step > arg[1]",
        [at["name"], at["lanes"][0]["step"] + 5],
    )


def test_a_model_that_diverges_is_told_in_words_and_the_other_goes_on(ready, seen):
    ready.get_by_label("Learning rate").first.fill("1.7e308")
    press(ready, "Start training")
    expect(ready.get_by_role("alert").filter(has_text="LRBN stopped")).to_be_visible(timeout=WAIT)
    until(ready, "s.status === 'running' && s.lanes[1].step > 20")
    seen.assert_clean()


@pytest.mark.slow
def test_a_checkpoint_that_is_gone_is_told_in_words_and_the_page_goes_on(ready, runs_folder):
    press(ready, "Single minibatch")
    until(ready, "s.status === 'paused'")
    name = state(ready)["name"]
    press(ready, "New run")
    button = ready.get_by_role("button", name=f"Resume {name}")
    expect(button).to_be_visible(timeout=WAIT)
    (runs_folder / name / "checkpoint").unlink()
    button.click()
    expect(ready.get_by_role("alert").filter(has_text="does not exist")).to_be_visible()
    begin(ready)


def test_a_model_is_downloaded_and_a_run_begins_from_it(ready, tmp_path):
    begin(ready, 30)
    pause(ready)
    with ready.expect_download() as caught:
        ready.get_by_role("button", name="Save LRBN").click()
    path = tmp_path / caught.value.suggested_filename
    caught.value.save_as(path)
    press(ready, "New run")
    until(ready, "s.status === 'none'")
    ready.get_by_label("Model file for the left lane").set_input_files(path)
    expect(ready.get_by_role("button", name="Left: from a file")).to_be_visible()
    press(ready, "Single minibatch")
    until(ready, "s.status === 'paused' && s.lanes[0].last.probe_wrong_pixels !== null")


@pytest.mark.slow
def test_a_server_that_is_killed_loses_at_most_an_interval_and_the_run_ends_as_if_it_had_not(
    browser: ReturningBrowser, tmp_path, serve_explorer
):
    serving = serve_explorer(LRBN_VIZ_RUNS=str(tmp_path), LRBN_VIZ_CHECKPOINT_SECONDS="0.5")
    app = next(serving)
    page = browser.new_page()
    set_up(page, app, "30")
    press(page, "Start training")
    deadline = time.monotonic() + WAIT / 1000
    while not (found := [run for run in stored_runs(tmp_path) if run.config]):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(app.process.pid, signal.SIGKILL)
    page.close()
    serving.close()
    name, config = found[0].name, found[0].config
    assert config is not None
    assert saved_step(tmp_path / name) < 30 * 62, "it was to be killed in the middle"

    serving = serve_explorer(LRBN_VIZ_RUNS=str(tmp_path))
    app = next(serving)
    page = browser.new_page()
    open_page(page, app)
    page.get_by_role("button", name=f"Resume {name}").click()
    until(page, "s.name === arg && s.status === 'new' && s.lanes[0].step > 0", name)
    press(page, "Start training")
    until(page, "s.status === 'done'")
    page.close()
    serving.close()

    straight = Run(RunConfig.from_json(config.to_json()), load_dataset("digits"), tmp_path / "straight")
    straight.start()
    assert straight.job.join(120)
    one, other = weights(tmp_path / name), weights(tmp_path / "straight")
    assert one.keys() == other.keys() != set()
    for key in one:
        np.testing.assert_array_equal(one[key], other[key])


@pytest.mark.slow
def test_filters_are_large_enough_to_read_and_one_opens_with_its_past(ready, artifacts, seen):
    for field in ready.get_by_label("Latent units").all():
        field.fill("200")
    begin(ready, 45)
    pause(ready)
    sides = "() => window.lrbnBoards[0].state().lanes.map((lane) => lane.filterSide)"
    for width in (360, 768, 1440, 3840):
        ready.set_viewport_size({"width": width, "height": 900})
        wait_until_it_stands_still(ready)
        assert min(ready.evaluate(sides)) >= 24, f"at {width} pixels"
        if width < 1920:  # beyond it the side bar takes its width when the page is opened
            assert ready.evaluate(CUT)["cut"] == [], f"at {width} pixels"
        artifacts(ready, f"train-filters-{width}")
    ready.set_viewport_size({"width": 1440, "height": 900})
    mosaic = ready.get_by_role("spinbutton", name="filters of 200 units").first
    mosaic.focus()
    step = state(ready)["lanes"][0]["step"]
    ready.keyboard.press("End")
    ready.keyboard.press("ArrowLeft")
    expect(mosaic).to_have_attribute("aria-valuenow", "198")
    ready.keyboard.press("Enter")
    dialog = ready.get_by_role("dialog", name="Filter")
    expect(dialog.get_by_role("heading", name="Unit 198 of LRBN")).to_be_visible()
    ready.keyboard.press("ArrowRight")
    expect(dialog.get_by_role("heading", name="Unit 199 of LRBN")).to_be_visible()
    moments = dialog.get_by_role("listitem").get_by_role("button")
    stored = state(ready)["lanes"][0]["history"][1]
    expect(moments).to_have_count(min(12, stored))
    assert stored > 3
    expect(moments.first).to_contain_text("epoch 0.00")
    artifacts(ready, "train-filter-large")
    new, _, passed = audit(ready)
    assert not new, "\n".join(new)
    assert "color-contrast" in passed
    moments.nth(1).click()
    until(ready, "s.shown === 10")
    expect(moments.nth(1)).to_have_attribute("aria-current", "true")
    ready.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(ready.get_by_text("moment looked at", exact=True)).to_be_visible()
    expect(mosaic).to_be_focused()
    assert state(ready)["lanes"][0]["step"] == step, "the page's own keys rested"
    seen.assert_clean()


def test_nothing_is_wider_than_the_screen(page, serve_app):
    set_up(page, serve_app)
    begin(page)
    for width in (1440, 2560, 360):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(
            """(width) => window.innerWidth === width && Array.from(
                 window.lrbnBoards[0].root.querySelectorAll("section, canvas, .lv-transport"),
                 (node) => node.getBoundingClientRect().right).every((right) => right <= width + 1)""",
            arg=width,
        )


@pytest.mark.parametrize(("width", "height"), [(1440, 900), pytest.param(360, 740, marks=pytest.mark.slow)])
def test_axe_finds_nothing_grave_light_or_dark_with_the_form_in_reach(page, serve_app, width, height):
    page.set_viewport_size({"width": width, "height": height})
    open_page(page, serve_app)
    if width < 600:
        page.get_by_role("button", name="Open drawer").click()
        expect(page.get_by_label("Recipe")).to_be_visible()
        wait_until_linked(page)
        wait_for_answer(page)
        wait_until_it_stands_still(page)
        expect(page.get_by_label("Recipe")).to_be_visible()  # and it stays open
    page.get_by_label("Recipe").select_option("small")
    expect(page.get_by_label("Data set")).to_have_value("digits")
    new, _, passed = audit(page)
    assert not new, "\n".join(new)
    assert "select-name" in passed, "the form is there"
    if width < 600:
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Open drawer")).to_be_visible()
    press(page, "Start training")
    until(page, "s.lanes.length === 2 && s.lanes[0].step > 60")
    press(page, "Pause")
    # the last minibatch of an epoch has fewer than 20
    expect(page.get_by_role("button", name="Inspect training image").nth(16)).to_be_visible()
    for dark in (False, True):
        if dark:
            page.get_by_label("Toggle theme").first.click()
            page.mouse.move(width / 2, height / 2)
            page.wait_for_function("() => window.lrbnBoards[0].root.dataset.scheme === 'dark'")
        new, _, passed = audit(page)
        assert not new, "\n".join(new)
        assert "color-contrast" in passed


@pytest.mark.slow
def test_odd_and_busy_runs_are_listed_with_the_reason_and_a_removed_folder_is_said(
    page: Page, workshop, artifacts
):
    folder = workshop.runs
    whole = {"config": {}, "owner": "", "listed": False, "results": {}}
    odd, newer = {"version": 1, "began": None, **whole}, {"version": 9}
    for name, said in (("odd", odd), ("newer", newer)):
        (folder / name).mkdir()
        (folder / name / "run.json").write_text(json.dumps(said))
    set_up(page, workshop)
    expect(page.get_by_text("cannot be read: its version must be 1; got 9")).to_be_visible()
    expect(page.get_by_text("cannot be read: began must be a time")).to_be_visible()
    expect(page.get_by_role("button", name="Resume odd")).to_have_count(0)
    expect(page.get_by_role("button", name="Delete odd")).to_be_visible()
    begin(page)
    name = state(page)["name"]
    page.wait_for_function("() => window.lrbnBoards[0].savedAt > 0")
    (folder / name).rename(folder / ".elsewhere")
    button = page.get_by_role("button", name="Write it to disk again")
    expect(button).to_be_visible()
    page.get_by_role("button", name="Delete odd").scroll_into_view_if_needed()
    artifacts(page, "odd-runs")
    assert not (folder / name).exists()
    button.click()
    expect(button).to_be_hidden()
    deadline = time.monotonic() + WAIT / 1000
    while not (folder / name / "checkpoint").exists():
        assert time.monotonic() < deadline, "the run was to be written again"
        page.wait_for_timeout(50)
    for odd in ("odd", "newer", ".elsewhere"):
        shutil.rmtree(folder / odd)


STAGES = """() => window.lrbnBoards[0].lanes.flatMap(({rings}) => rings.get("stage")?.n
  ? [rings.get("stage").last] : [])"""


@pytest.mark.slow
def test_whether_layer_2_is_used_is_said_once_both_layers_learn_together(page: Page, serve_app, seen):
    set_up(page, serve_app, passes="8")
    models = page.get_by_label("Model", exact=True)
    models.first.select_option(label="Two-layer LRBN")
    models.last.select_option(label="DBM")
    press(page, "Start training")
    expect(page.get_by_text("Layer 2: bound gap")).to_be_visible(timeout=WAIT)
    until(page, "s.status === 'done'")
    assert page.evaluate(STAGES) == [3, 3]
    left = page.locator(".lt-lane").first
    units = left.get_by_role("img", name="Two-layer LRBN: layer 2, units")
    expect(units).to_have_attribute("aria-label", re.compile(r"on: (<?\d+ %, ){7}<?\d+ %$"), timeout=WAIT)
    codes = left.get_by_role("img", name="Two-layer LRBN: layer 2, codes")
    expect(codes).to_have_attribute("aria-label", re.compile(r"wrong: (\d+, ){7}\d+$"))
    expect(page.get_by_text("Layer 2: share of units on")).to_be_visible()
    assert state(page)["stats"]["largest"] <= 1800


@pytest.mark.slow
def test_each_system_shows_what_it_learns_by_now_and_at_a_past_moment(page: Page, serve_app, seen):
    set_up(page, serve_app)
    models = page.get_by_label("Model", exact=True)
    models.first.select_option(label="RWS")
    models.last.select_option(label="DBM")
    begin(page, 40)
    left, right = page.locator(".lt-lane").all()
    particles = left.get_by_role("img", name="RWS: particles, an image of the last minibatch")
    expect(particles).to_have_attribute(
        "aria-label", re.compile(r"weight: \d+ %, \d+ %, \d+ %"), timeout=WAIT
    )
    expect(left.get_by_role("img", name="RWS: dreams, images that the model draws")).to_be_visible()
    expect(left.get_by_role("img", name="RWS: recognised,")).to_have_attribute(
        "aria-label", re.compile(r"px wrong: (\d+, ){7}\d+$")
    )
    expect(right.get_by_role("img", name="DBM: mean field,")).to_have_attribute(
        "aria-label", re.compile(r"change: ([<\d.]+, ){6}[<\d.]+$")
    )
    expect(right.get_by_role("img", name="DBM: chains,")).to_be_visible()
    rows = "() => window.lrbnBoards[0].lanes.map((lane) => lane.pictures.rows.join())"
    begun = page.evaluate(rows)
    page.wait_for_function(
        f"begun => ({rows})().every((row, lane) => row !== begun[lane])", arg=begun, timeout=WAIT
    )
    pause(page)
    assert all(stage < 3 for stage in page.evaluate(STAGES)), "what follows is of the first stages"
    expect(page.get_by_text("layer 2 is")).to_have_count(0)  # it has not learned yet: that is not known
    now = page.evaluate(rows)
    page.get_by_label("Moment of the run, in minibatches").press("Home")
    until(page, "s.shown === 0")
    then = page.evaluate(rows)
    assert [len(each) > 0 for each in then] == [True, True]
    assert now[0] != then[0]
    assert now[1] != then[1]
    assert state(page)["stats"]["largest"] <= 1800
    seen.assert_clean()
