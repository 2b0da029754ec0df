"""The Generate page in a real browser: drawing step by step, holding units, walking between codes."""

from __future__ import annotations

import re
import shutil
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_elsewhere, wait_until_it_stands_still
from ui.test_accessibility import audit, set_window

from lrbn_viz import load_dataset
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.measure.passes import draw_passes, noise_image
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig

N_H, ROWS = 12, 8
QUERY = "?page=generate&generator=lrbn-12-digits&passes=6"

WHOLE = """() => {
  const page = window.lrbnGenerators?.[0];
  if (!page?.whole() || !page.timeline || !page.walk.meta) return false;
  return page.clock.stats.painted > 0 && page.live.textContent !== "";
}"""


def drawing(**how: Any) -> Any:
    """The page's state as the server makes it."""
    small = {
        "model_name": "lrbn-12-digits",
        "rival_name": "rbm-12-digits",
        "dataset_name": "digits",
        "passes": 6,
    }
    return GenerateState(**(small | how))


def go(page: Page, serve_app: Any, more: str = "") -> Page:
    page.goto(serve_app.url + QUERY + more)
    page.wait_for_function(WHOLE)
    return page


@pytest.fixture
def generate(page: Page, serve_app) -> Page:
    """The page, whole, with two small models that have drawn six passes."""
    return go(page, serve_app)


# What is drawn, and nothing held; and back to where the page opens, with the walk in its middle.
DRAWN = """() => {
  const {key, passes, lanes, walk: {from, to, way}} = window.lrbnGenerators[0].state();
  return [key, passes, lanes.map(({held}) => held), from, to, way];
}"""
OPENING_PLACE = """() => {
  const page = window.lrbnGenerators[0];
  page.pause();
  page.walk.seek(0.5, true);
  page.seek(page.timeline.starts.at(-1));
}"""


@pytest.fixture
def standing_generate(page: Page, shared_page, serve_app) -> Page:
    """As `generate`, for tests that move the cursor and the walk only."""
    shared_page.stand("standing_generate", lambda page: go(page, serve_app), DRAWN, OPENING_PLACE)
    page.wait_for_function(WHOLE)
    return page


def state(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnGenerators[0].state()")


def wait_for(page: Page, condition: str, arg: Any = None) -> dict[str, Any]:
    """Wait until `condition` holds of the page's `state`, and return that."""
    page.wait_for_function(
        f"arg => {{ const state = window.lrbnGenerators[0].state(); return {condition}; }}", arg=arg
    )
    return state(page)


def query(page: Page) -> dict[str, str]:
    return {name: value[0] for name, value in parse_qs(urlsplit(page.url).query).items()}


def wait_for_query(page: Page, name: str, value: str | None) -> None:
    page.wait_for_function(
        "([name, value]) => new URLSearchParams(location.search).get(name) === value", arg=[name, value]
    )


def grid(page: Page, lane: str) -> Any:
    return page.get_by_role("spinbutton", name=f"{lane}: latent units")


def click_unit(page: Page, lane: int, unit: int) -> None:
    """Click the middle of a unit's square, once the grid stands still."""
    wait_until_it_stands_still(page)
    x, y = page.evaluate(
        """([lane, unit]) => {
          const card = window.lrbnGenerators[0].cards[lane], {columns, size} = card.shape();
          const ratio = card.grid.width / card.grid.clientWidth, box = card.grid.getBoundingClientRect();
          const row = Math.floor(unit / columns);
          return [box.x + (unit % columns + 0.5) * size / ratio, box.y + (row + 0.5) * size / ratio];
        }""",
        [lane, unit],
    )
    page.mouse.click(x, y)


def test_it_opens_from_the_header_and_shows_what_the_engine_draws(page, serve_app, seen):
    page.goto(serve_app.flat)
    page.get_by_role("link", name="Generate").or_(page.get_by_role("button", name="Generate")).first.click()
    page.wait_for_function(WHOLE)
    wait_for_query(page, "page", "generate")
    wait_for_query(page, "generator", None)  # the usual one
    drawn = GenerateState()
    for text in (
        "ancestral sampling",
        "Gibbs chain",
        "Interpolation between two codes",
        "px differ from the one before",
    ):
        expect(page.get_by_text(text).first).to_be_visible()
    for shown, passes, near in zip(state(page)["lanes"], drawn.drawn, drawn.nearest, strict=True):
        np.testing.assert_array_equal(shown["x"], passes.X[-1])
        np.testing.assert_array_equal(shown["h"], passes.H[-1])
        np.testing.assert_array_equal(shown["near"], drawn.dataset.train_X[near.row[-1]])
        assert shown["distance"] == near.distance[-1]
    seen.assert_clean()


def test_a_pass_draws_latents_then_adds_filters_then_draws_pixels(standing_generate):
    generation = drawing()
    standing_generate.keyboard.press("Home")
    assert wait_for(standing_generate, "state.k === 0")["phase"] == 0
    on = [int(passes.H[0].sum()) for passes in generation.drawn]
    for k in range(1, N_H + 1):
        standing_generate.keyboard.press("ArrowRight")
        at = state(standing_generate)
        assert (at["k"], at["phase"], at["drawn"], at["added"]) == (k, 0, k, 0)
    lrbn, rbm = generation.models
    for lane, p in (
        (0, 1 / (1 + np.exp(-lrbn.layers[0].d))),
        (1, rbm.posterior(generation.drawn[1].x0[None])[0]),
    ):
        np.testing.assert_allclose(state(standing_generate)["lanes"][lane]["p"], p, atol=1e-5)
    for added in range(1, max(on) + 1):
        standing_generate.keyboard.press("ArrowRight")
        shown = state(standing_generate)
        assert (shown["phase"], shown["added"]) == (1, added)
        for lane, (model, passes) in enumerate(zip(generation.models, generation.drawn, strict=True)):
            h = np.where(np.cumsum(passes.H[0]) <= added, passes.H[0], 0)
            mean = 1 / (1 + np.exp(-(h @ model.layers[0].W.T + model.layers[0].b)))
            np.testing.assert_allclose(shown["lanes"][lane]["mean"], mean, atol=1e-5)
    for row in range(1, ROWS + 1):
        standing_generate.keyboard.press("ArrowRight")
        assert state(standing_generate)["rows"] == row
    assert state(standing_generate)["whole"]
    standing_generate.keyboard.press("ArrowRight")
    assert (state(standing_generate)["t"], state(standing_generate)["drawn"]) == (1, 1)


@pytest.mark.slow
def test_a_legend_names_only_the_colours_that_are_there(page, serve_app):
    told = page.locator(".lv-pass .lv-legend").filter(has_text="in the sample alone").first
    page.goto(f"{serve_app.url}?page=generate&generator=lrbn-40-digits-grey&passes=3")
    page.wait_for_function(WHOLE)
    expect(told).to_be_hidden()  # grey: the nearest image is shown as it is
    page.goto(f"{serve_app.url}?page=generate&generator=lrbn-12-digits&passes=3")
    page.wait_for_function(WHOLE)
    expect(told).to_be_visible()


def test_causes_and_events_are_called_by_their_names(page, serve_app, seen):
    page.goto(f"{serve_app.url}?page=generate&generator=lrbn-2-alarm&passes=6")
    page.wait_for_function(WHOLE)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lv-says")).to_contain_text("LRBN burglary: drew")
    unit = grid(page, "LRBN")
    unit.focus()
    page.keyboard.press("ArrowRight")
    expect(unit).to_have_attribute("aria-valuetext", re.compile(r"^burglary: (on|off), P\(on\) 0\.100"))
    page.keyboard.press("Enter")
    wait_for_query(page, "generator_clamp", "0on")
    expect(unit).to_have_attribute("aria-valuetext", re.compile("^burglary: held on"))
    expect(page.locator(".lv-pass").nth(1)).to_contain_text("the same weights in an RBM, Gibbs chain")
    expect(page.locator(".lv-pass .lv-check").first).to_have_text("exact samples given what is held")
    assert [lane["title"] for lane in state(page)["lanes"]] == ["LRBN", "RBM"]
    new, _, _ = audit(page)
    assert new == []
    seen.assert_clean()


def test_the_keyboard_and_the_buttons_move_by_steps_phases_and_passes(standing_generate):
    transport = standing_generate.get_by_role("group", name="Transport")
    stops = standing_generate.evaluate("() => window.lrbnGenerators[0].timeline.stops()")
    starts = standing_generate.evaluate("() => window.lrbnGenerators[0].timeline.starts")

    def press(key: str) -> int:
        standing_generate.keyboard.press(key)
        return state(standing_generate)["k"]

    def click(name: str) -> int:
        transport.get_by_role("button", name=name, exact=True).click()
        return state(standing_generate)["k"]

    assert press("Home") == 0
    assert press("Shift+ArrowRight") == stops[0]
    assert press("Shift+ArrowRight") == stops[1]
    assert press("Shift+ArrowLeft") == stops[0]
    assert press("PageDown") == starts[1]
    assert press("PageDown") == starts[2]
    assert press("PageUp") == starts[1]
    assert press("ArrowLeft") == starts[1] - 1
    assert press("End") == starts[-1]
    assert click("First") == 0
    assert click("Step") == 1
    assert click("Step back") == 0
    assert click("Next phase") == stops[0]
    assert click("Next pass") == starts[1]
    assert click("Last") == starts[-1]


def test_it_plays_from_the_beginning_when_at_the_end_and_stops_there(standing_generate):
    standing_generate.get_by_role("combobox", name="Speed").select_option("3000")
    standing_generate.get_by_role("button", name="Play", exact=True).click()
    end = state(standing_generate)["end"]
    standing_generate.wait_for_function("() => window.lrbnGenerators[0].clock.stats.frames > 0")
    done = wait_for(standing_generate, "!state.playing && state.k === state.end")
    assert done["end"] == end
    expect(standing_generate.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_a_click_on_a_unit_holds_it_on_then_off_then_lets_it_go_and_samples_follow(generate):
    generate.evaluate("() => window.lrbnGenerators[0].seek(window.lrbnGenerators[0].timeline.starts[3])")
    for held, hold in (({"5": 1}, {"held": "5on"}), ({"5": 0}, {"held": "5off"}), ({}, {})):
        click_unit(generate, 0, 5)
        shown = wait_for(
            generate,
            "JSON.stringify(state.lanes[0].held) === arg",
            str(held).replace("'", '"').replace(" ", ""),
        )
        expected = drawing(**hold)
        assert (shown["t"], shown["whole"]) == (2, True), "the pass shown stays"
        np.testing.assert_array_equal(shown["lanes"][0]["x"], expected.drawn[0].X[2])
        np.testing.assert_array_equal(shown["lanes"][1]["x"], expected.drawn[1].X[2])
        wait_for_query(generate, "generator_clamp", hold.get("held"))


@pytest.mark.slow
def test_units_of_the_rbm_are_held_by_the_keyboard_and_all_let_go_at_once(generate):
    grid(generate, "RBM").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        generate.keyboard.press(key)
    shown = wait_for(generate, "Object.keys(state.lanes[1].held).length === 1")
    assert shown["lanes"][1]["held"] == {"2": 1}
    assert shown["lanes"][0]["held"] == {}
    expect(grid(generate, "RBM")).to_have_attribute("aria-valuetext", "unit 2: held on, Enter to hold it off")
    generate.get_by_role("button", name="Free all units").click()
    wait_for(generate, "Object.keys(state.lanes[1].held).length === 0")


def test_a_sample_of_the_strip_is_gone_to_by_click_and_by_arrows(standing_generate):
    strip = standing_generate.get_by_role("listbox", name="Samples").first
    options = strip.get_by_role("option")
    expect(options).to_have_count(6)
    options.nth(2).click()
    assert (state(standing_generate)["t"], state(standing_generate)["whole"]) == (2, True)
    expect(options.nth(2)).to_have_attribute("aria-selected", "true")
    options.nth(2).focus()
    standing_generate.keyboard.press("ArrowLeft")
    assert state(standing_generate)["t"] == 1
    distance = int(drawing().nearest[0].distance[1])
    expect(options.nth(1)).to_have_attribute(
        "aria-label", f"pass 2: nearest training image {drawing().nearest[0].row[1]}, class "
        f"{drawing().dataset.class_names[drawing().dataset.train_y[drawing().nearest[0].row[1]]]}, "
        f"{distance} pixels differ",
    )  # fmt: skip


def test_drawing_more_draws_as_many_passes_again_and_keeps_those_drawn(generate):
    before = state(generate)
    generate.get_by_role("button", name="Draw more", exact=True).click()
    after = wait_for(generate, "state.passes === 12")
    assert (after["t"], after["whole"]) == (5, True)
    assert after["lanes"][1]["x"] == before["lanes"][1]["x"]
    expect(generate.get_by_role("listbox", name="Samples").first.get_by_role("option")).to_have_count(12)


def test_the_menus_start_the_chain_from_a_test_image_with_another_seed(generate):
    expect(generate.get_by_label("Test image (0 to 359)")).to_be_hidden()
    generate.get_by_label("The RBM's chain starts from").select_option("data")
    field = generate.get_by_label("Test image (0 to 359)")
    field.fill("7")
    field.press("Enter")
    generate.get_by_role("button", name="Another seed").click()
    shown = wait_for(generate, "state.key.endsWith(' 1 test image 7')")
    expected = drawing(begin="data", index=7, seed=1)
    np.testing.assert_array_equal(shown["lanes"][1]["x"], expected.drawn[1].X[-1])


def test_a_link_to_a_run_opens_its_models_which_the_menus_offer(page, serve_app, runs_folder, seen):
    lanes = {name: LaneConfig(name, {"n_components": 5}) for name in ("LRBN", "RBM")}
    run = Run(RunConfig("digits", lanes, n_iter=1), load_dataset("digits"), runs_folder / "drawn-1")
    run.start()
    assert run.job.join(240)
    try:
        page.goto(f"{serve_app.url}?page=generate&run=drawn-1&passes=6")
        page.wait_for_function(WHOLE)
        shown, name = state(page), f"live:drawn-1 LRBN, minibatch {run.step}"
        assert shown["key"].startswith(f"{name} live:drawn-1 RBM")
        x0 = noise_image(64, 0, "bernoulli")
        for lane, own in zip(shown["lanes"], ("LRBN", "RBM"), strict=True):
            drawn = draw_passes(run.model(own), 6, x0, clamp={}, seed=0)
            np.testing.assert_array_equal(lane["x"], drawn.X[-1])
        model = page.get_by_label("Model", exact=True)
        expect(model).to_have_value(name)
        model.select_option("lrbn-12-digits")
        wait_for(page, "state.key.startsWith('lrbn-12-digits ')")
        page.get_by_label("Beside it", exact=True).select_option(
            label=f"drawn-1 LRBN, minibatch {run.step} (of this session)"
        )
        wait_for(page, "state.key.startsWith(`lrbn-12-digits ${arg}`)", name)
        seen.assert_clean()
    finally:
        shutil.rmtree(runs_folder / "drawn-1")


# Tops of the parts that are fixed below, and bottoms of what the first lane shows of a pass.
EDGES = """() => {
  const {transport, cards} = window.lrbnGenerators[0], edge = (node) => node.getBoundingClientRect();
  const bottoms = ({node}, selector) => Array.from(node.querySelectorAll(selector), (at) => edge(at).bottom);
  const shown = bottoms(cards[0], ".lv-pass-views > figure");
  const buttons = bottoms(transport, ".lv-buttons button");
  return [edge(transport.node).top, innerHeight, Math.max(...shown), Math.max(...buttons), shown.length];
}"""


def test_at_200_percent_a_lane_and_the_buttons_that_step_are_in_sight_together(standing_generate):
    standing_generate.set_viewport_size({"width": 683, "height": 384})  # 1366 x 768, enlarged
    wait_until_it_stands_still(standing_generate)
    top, height, pictures, buttons, n_shown = standing_generate.evaluate(EDGES)
    assert n_shown == 5
    assert pictures <= top
    assert buttons <= height
    assert height - top <= 0.2 * height


@pytest.mark.slow
def test_the_walk_is_the_engines_along_its_whole_way(generate):
    generate.get_by_label("From: kind of image").select_option("s")
    generate.get_by_label("From: number").fill("3")
    generate.get_by_label("From: number").press("Enter")
    generate.get_by_label("To: number").fill("9")
    generate.get_by_label("To: number").press("Enter")
    wait_for(generate, "state.walk.from === 's2' && state.walk.to === 't9'")
    expected = drawing(walk_from="s2", walk_to="t9")
    for share in (0, 0.4, 1):
        shown = generate.evaluate(
            """share => {
              const page = window.lrbnGenerators[0];
              page.walk.seek(share, true);
              return page.state().walk;
            }""",
            share,
        )
        for lane, walk in zip(shown["lanes"], expected.walks, strict=True):
            assert lane["unit"] == walk.unit.tolist()
            step = int(np.floor(share * len(walk.unit) + 0.5))
            np.testing.assert_allclose(lane["mean"], walk.mean[step], atol=1e-5)
            np.testing.assert_allclose(lane["joint"], walk.log_joint, rtol=1e-5)
    wait_for_query(generate, "walk_at", "1000")
    generate.get_by_label("Kind of interpolation").select_option("straight")
    shown = wait_for(generate, "state.walk.way === 'straight'")
    assert shown["walk"]["share"] == 1, "the place on the walk stays"
    expect(generate.get_by_text("100 % of the way").first).to_be_visible()


def test_the_slider_of_the_walk_says_where_it_is(standing_generate):
    slider = standing_generate.get_by_label("Position between the two codes")
    slider.focus()
    slider.press("Home")
    wait_for(standing_generate, "state.walk.share === 0")
    steps = state(standing_generate)["walk"]["lanes"][0]["steps"]
    standing_generate.wait_for_function(
        "([range, words]) => range.getAttribute('aria-valuetext')?.startsWith(words)",
        arg=[slider.element_handle(), f"LRBN {steps} units differ"],
    )
    k = state(standing_generate)["k"]
    slider.press("ArrowRight")
    assert state(standing_generate)["k"] == k, "the slider's keys are its own"


def test_a_link_shows_the_same_again(generate):
    click_unit(generate, 0, 4)
    wait_for(generate, "state.lanes[0].held['4'] === 1")
    generate.get_by_role("button", name="Another seed").click()
    wait_for(generate, "state.key.includes(' 1 ')")
    generate.evaluate("() => window.lrbnGenerators[0].seek(20)")
    wait_for_query(generate, "pass_step", "20")
    generate.get_by_label("Kind of interpolation").select_option("number")
    wait_for_query(generate, "walk", "number")
    shown = state(generate)
    open_elsewhere(generate, generate.url)
    generate.wait_for_function(WHOLE)
    again = state(generate)
    for name in ("k", "lanes", "walk", "key"):
        assert again[name] == shown[name], name


@pytest.mark.slow
def test_the_page_comes_back_as_it_was_left(generate):
    generate.evaluate("() => window.lrbnGenerators[0].seek(17)")
    wait_for_query(generate, "pass_step", "17")
    links = generate.get_by_role("navigation").or_(generate.get_by_role("banner"))
    links.get_by_text("Inference", exact=True).first.click()
    generate.wait_for_function("() => window.lrbnGenerators.length === 0 && window.lrbnPlayers?.length === 1")
    links.get_by_text("Generate", exact=True).first.click()
    generate.wait_for_function(WHOLE)
    assert wait_for(generate, "state.k === 17")["t"] == 0


def test_it_fits_a_phone_and_a_wall(page, serve_app):
    for width, height in ((360, 740), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        go(page, serve_app)
        overflow = page.evaluate(
            """() => {
              const root = window.lrbnGenerators[0].root.querySelector('.lv-in');
              return root.scrollWidth - root.clientWidth;
            }"""
        )
        assert overflow <= 0, f"{overflow} px too wide at {width} x {height}"
        expect(page.get_by_role("group", name="Transport")).to_be_in_viewport()


def test_who_asks_for_less_motion_sees_still_pictures(page, serve_app):
    set_window(page, (1440, 900), "light")
    go(page, serve_app, "&pass=0&pass_step=0")
    painted, k = page.evaluate(  # in frames of this test's own, sixty in each second
        """() => {
          const {clock} = window.lrbnGenerators[0], {painted} = clock.stats;
          clock.speed = 30;
          clock.play();
          const begin = clock.before;
          for (let n = 1; clock.k < 20 && n < 600; n++) clock.frame(begin + n * 1000 / 60);
          return [clock.stats.painted - painted, clock.k];
        }"""
    )
    assert k >= 20
    assert painted <= 6, f"{painted} paints in {k} steps"


@pytest.mark.parametrize(
    ("width", "height", "dark"),
    [
        (360, 740, False),
        pytest.param(360, 740, True, marks=pytest.mark.slow),
        pytest.param(1440, 900, False, marks=pytest.mark.slow),
        pytest.param(1440, 900, True, marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_grave(page, serve_app, width, height, dark):
    page.set_viewport_size({"width": width, "height": height})
    go(page, serve_app, "&generator_clamp=3on&pass=2")
    if dark:
        page.get_by_label("Toggle theme").first.click()
        page.wait_for_function("() => window.lrbnGenerators[0].root.dataset.scheme === 'dark'")
    new, _, passed = audit(page)
    assert not new, "\n".join(new)
    assert "color-contrast" in passed
