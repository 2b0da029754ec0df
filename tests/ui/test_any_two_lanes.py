"""Any two models of a data set are lanes of both pages: a chain first, two of one kind, one model twice.

On the Inference page the lanes are chosen in their headers. test_all_pairs.py has every pair.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_page, save, seek, state, wait_for_rest

from lrbn_viz.app.address import read_page
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.inference.state import Session
from lrbn_viz.core.trace import ParticleTrace
from lrbn_viz.datasets.dataset import image_title

PAIRS = [
    (
        {"model_name": "rbm-12-digits", "rival_name": "lrbn-12-digits"},
        ["RBM", "LRBN"],
        "the RBM's chain begins with noise, the LRBN with its prior",
        "The RBM's chain starts from",
    ),
    pytest.param(
        {"model_name": "lrbn-12-digits", "rival_name": "lrbn-16-digits"},
        ["LRBN-12, 8x8 digits", "LRBN-16, 8x8 digits"],
        "the LRBN-12, 8x8 digits begins with its prior, the LRBN-16, 8x8 digits with its prior",
        None,
        marks=pytest.mark.slow,
    ),
    pytest.param(
        {"model_name": "lrbn-12-digits", "rival_name": "lrbn-12-digits"},
        ["LRBN 1", "LRBN 2"],
        "the LRBN 1 begins with its prior, the LRBN 2 with its prior",
        None,
        marks=pytest.mark.slow,
    ),
    pytest.param(
        {"model_name": "rbm-16-digits", "rival_name": "rbm-12-digits"},
        ["RBM-16, 8x8 digits", "RBM-12, 8x8 digits"],
        "the RBM-16, 8x8 digits's chain begins with noise, the RBM-12, 8x8 digits's chain with noise",
        "Chains start from",
        marks=pytest.mark.slow,
    ),
]


def query(how: dict[str, Any]) -> str:
    return urlencode({f"s_{name}": value for name, value in how.items()})


@pytest.mark.parametrize(("pair", "titles", "words", "start"), PAIRS)
def test_the_player_replays_both_traces(page: Page, workshop, pair, titles, words, start):
    how = {**pair, "algorithm": "gibbs", "rival_algorithm": "annealed"}
    session = Session(dataset_name="digits", **how)
    page.goto(f"{workshop.url}?replay=1&{query(how)}")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.length === 2")
    for lane, title in enumerate(titles):
        expect(page.locator(f".lv-lane[data-lane='{lane}'] h2 > span")).to_have_text(title)
    for k in (0, 7, session.n_visits):
        page.evaluate("(k) => window.lrbnPlayers[0].seek(k)", k)
        page.wait_for_function("(k) => window.lrbnPlayers[0].state().k === k", arg=k)
        lanes = page.evaluate("() => window.lrbnPlayers[0].state().lanes")
        for lane, trace in zip(lanes, session.traces, strict=True):
            assert lane["h"] == trace.latents(min(k, trace.n_visits)).tolist()


@pytest.mark.parametrize(("pair", "titles", "words", "start"), PAIRS)
def test_the_generate_page_draws_in_both(page: Page, workshop, pair, titles, words, start):
    generation = GenerateState(dataset_name="digits", passes=4, **pair)
    page.goto(f"{workshop.url}?draw=1&{query(pair)}")
    page.wait_for_function("() => window.lrbnGenerators?.[0]?.timeline && window.lrbnGenerators[0].walk.meta")
    shown = page.evaluate("() => window.lrbnGenerators[0].state()")
    assert [lane["title"] for lane in shown["lanes"]] == titles
    for lane, passes, walk in zip(shown["lanes"], generation.drawn, shown["walk"]["lanes"], strict=True):
        assert lane["x"] == passes.X[-1].tolist()
        assert lane["h"] == passes.H[-1].tolist()
        assert walk["steps"] > 0
    for walk, expected in zip(shown["walk"]["lanes"], generation.walks, strict=True):
        np.testing.assert_array_equal(walk["unit"], expected.unit)
    page.evaluate("() => window.lrbnGenerators[0].seek(0)")
    expect(page.locator(".lv-says")).to_have_text(f"Nothing is drawn yet: {words}")
    label = page.get_by_text(re.compile("chains? starts? from", re.IGNORECASE))
    if start is None:
        expect(label).to_be_hidden()
    else:
        expect(label).to_have_text(start)
        expect(label).to_be_visible()


# -- the headers of the lanes

ALARM = "lrbn-2-alarm"
CHOSEN = [
    # model and inference of each lane: sequential beside parallel, one layer beside two,
    # the same weights, and names
    ("lrbn-12-digits", "icm", "lrbn-12-digits", "icm-parallel"),
    *(
        pytest.param(*chosen, marks=pytest.mark.slow)
        for chosen in (
            ("rbm-12-digits", "factorised", "lrbn-16-digits", "gibbs"),
            ("lrbn-12-digits", "annealed", "factorised:lrbn-12-digits", "factorised"),
            ("lrbn-40-digits-grey", "icm-random", "factorised:lrbn-40-digits-grey", "factorised"),
            ("lrbn-200-mnist-flat", "icm", "lrbn-200-200-mnist", "icm"),
            (ALARM, "icm", f"factorised:{ALARM}", "factorised"),
            ("lrbn-16-bars", "icm-greedy", "lrbn-16-bars", "gibbs"),
        )
    ),
]


def choose(page: Page, lane: int, part: str, value: str) -> None:
    menu = page.get_by_role("combobox", name=f"{part} in lane {lane + 1}", exact=True)
    if menu.input_value() != value:
        menu.select_option(value)
        page.wait_for_function(
            "([lane, part, value]) => window.lrbnPlayers[0].menus[lane][part] === value",
            arg=[lane, {"Model": "model", "Inference": "algorithm", "Start": "start"}[part], value],
        )
    if part == "Model":  # its weights are a file of their own, and come after the menus
        page.wait_for_function(
            "([lane, value]) => window.lrbnPlayers[0].lanes[lane].model.key === value", arg=[lane, value]
        )


def at_the_end(page: Page) -> list[dict[str, Any]]:
    page.keyboard.press("End")
    wait_for_rest(page)
    return state(page)["lanes"]


@pytest.mark.parametrize(("model", "algorithm", "other", "beside"), CHOSEN)
def test_what_is_chosen_in_the_headers_plays_is_handed_out_and_comes_back(
    page: Page, serve_app, seen, tmp_path, model, algorithm, other, beside
):
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits")
    choose(page, 0, "Model", model)
    choose(page, 1, "Model", other)
    choose(page, 0, "Inference", algorithm)
    choose(page, 1, "Inference", beside)
    session = Session(**read_page("inference", f"?model={model}").found)
    session.choose_in(1, "model", other)
    caption = page.evaluate("() => window.lrbnPlayers[0].meta.caption")
    session.index = int(caption.removeprefix(image_title(session.dataset_name, "test")))
    session.choose_in(0, "algorithm", algorithm)
    session.choose_in(1, "algorithm", beside)
    shown = at_the_end(page)
    for lane, trace in zip(shown, session.traces, strict=True):
        assert lane["h"] == trace.latents(trace.n_visits).tolist()
        assert lane["logJoint"] == pytest.approx(trace.log_joint_at(trace.n_visits), abs=1e-6)
    page.wait_for_function("() => location.search.includes('visit=' + window.lrbnPlayers[0].k)")
    again = open_page(page.context.new_page(), page.url)
    assert at_the_end(again) == shown
    expect(again.get_by_text("Some of this link was ignored")).to_have_count(0)
    with page.expect_download() as download:
        page.get_by_role("button", name="Replay as HTML").click()
    path = tmp_path / "replay.html"
    download.value.save_as(path)
    replay = page.context.new_page()
    replay.goto(path.as_uri())
    replay.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    assert [lane["h"] for lane in state(replay)["lanes"]] == [lane["h"] for lane in shown]
    for lane, method in enumerate((algorithm, beside)):
        words = replay.locator(f".lv-lane[data-lane='{lane}'] h2")
        expect(words).to_contain_text(session.lanes[lane][1].trace_methods[method].title)
    assert save(page, "png", tmp_path).stat().st_size > 10_000
    seen.assert_clean()


def test_the_headers_are_worked_by_keys_and_say_what_they_refuse(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits&algorithm=gibbs")
    menu = page.get_by_role("combobox", name="Inference in lane 1", exact=True)
    menu.focus()
    page.keyboard.press("End")  # the last entry, and no move of the cursor
    page.wait_for_function("() => window.lrbnPlayers[0].menus[0].algorithm === 'mean-field'")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("() => window.lrbnPlayers[0].menus[0].algorithm === 'annealed'")
    assert state(page)["k"] == 0
    seed = page.get_by_role("textbox", name="Seed in lane 1")
    seed.fill("many")
    seed.press("Enter")
    expect(page.locator(".lv-lane-menus [role=alert]").first).to_contain_text(
        "whole number from 0 to 2,147,483,647"
    )
    expect(seed).to_have_attribute("aria-invalid", "true")
    seed.fill("5")
    seed.press("Enter")
    page.wait_for_function("() => location.search.includes('seed=5')")
    expect(seed).to_have_attribute("aria-invalid", "false")
    expect(page.get_by_role("textbox", name="Seed in lane 2")).to_be_hidden()  # an RBM draws nothing
    expect(page.get_by_role("combobox", name="Start in lane 2")).to_be_hidden()
    page.get_by_role("button", name="Swap the lanes").click()
    page.wait_for_function("() => location.search.includes('model=rbm-12-digits&')")
    expect(page.get_by_role("textbox", name="Seed in lane 2")).to_have_value("5")
    seen.assert_clean()


@pytest.mark.slow
def test_planted_causes_are_called_by_their_names(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model={ALARM}&image=12")
    for name in ("alarm", "radio report"):
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lv-says")).to_contain_text("burglary turned off")
    grid = page.get_by_role("spinbutton", name="latent units").first
    expect(grid).to_have_attribute("aria-valuetext", re.compile("^burglary: off"))
    page.keyboard.press("End")
    shown = state(page)["lanes"]
    assert [lane["h"] for lane in shown] == [[0, 1], [1, 1]], "factorised, the same weights keep both causes"
    assert [lane["title"] for lane in shown] == ["LRBN", "Factorised"]
    seen.assert_clean()


def test_a_lane_of_particles_plays_steps_and_scrubs_and_says_what_they_weigh(page: Page, serve_app, seen):
    name = "lrbn-12-digits-recognition"
    where = f"?model={name}&algorithm=particles&seed=3&rival=lrbn-12-digits&image=2"
    open_page(page, f"{serve_app.url}{where}&visit=0")
    session = Session(**read_page("inference", where).found)
    trace = session.traces[0]
    assert isinstance(trace, ParticleTrace)
    card = page.locator(".lv-lane[data-lane='0']")
    expect(card).to_contain_text("estimate of log P(x)")
    expect(page.get_by_role("combobox", name="Start in lane 1")).to_be_hidden()
    page.get_by_role("button", name="Step", exact=True).click()
    for k in (1, 70, trace.n_visits, 12):
        if k != 1:
            seek(page, k)
        lane = state(page)["lanes"][0]
        assert lane["h"] == pytest.approx(trace.latents(k).tolist(), abs=1e-5)
        assert lane["logJoint"] == pytest.approx(trace.log_joint_at(k), abs=1e-9)
        size = f"effective sample size {trace.effective_sample_sizes()[k]:.1f} of {k + 1}"
        expect(card).to_contain_text(size)
        said = f"particle {k + 1}: log weight {trace.log_weights[k]:.2f}".replace("-", "\u2212")
        expect(page.locator(".lv-says")).to_contain_text(said)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function("() => window.lrbnPlayers[0].k > 14")
    seen.assert_clean()
