"""The Generate view of a live page, from a disk: its samples are those that Python draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.journeys import Evaluating
from ui.test_accessibility import SIZES, audit_each, open_page, scheme  # noqa: F401

from lrbn_viz import LRBN, RBM, export_live, factorised, load_dataset, pretrained
from lrbn_viz.io.constants import WALK_WAYS
from lrbn_viz.measure.interpolation import interpolate
from lrbn_viz.measure.nearest import NearestImages
from lrbn_viz.measure.passes import draw_passes, noise_image

NAME = "lrbn-16-digits"
DRAWN = "() => window.lrbnGenerators?.[0]?.timeline"
# What the view shows of all passes; the draw that is under way is waited for.
PASSES = """() => {
  const {meta, lanes} = window.lrbnGenerators[0].timeline;
  return {key: meta.key, lanes: lanes.map((lane) => ({
    title: lane.meta.title,
    h: lane.h.map((row) => Array.from(row)),
    x: lane.x.map((row) => Array.from(row)),
    rows: lane.nearest && Array.from(lane.nearest.row),
    distances: lane.nearest && Array.from(lane.nearest.distance),
  }))};
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page lies that trains on digits."""
    path = tmp_path_factory.mktemp("generate") / "page.html"
    export_live(path, n_images=20, train=True)
    return path.as_uri()


@pytest.fixture
def open_view(context: BrowserContext, address: str, seen) -> Iterator[Callable[..., Page]]:
    """Open the view without a network; nothing may be asked for or go wrong."""
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))

    def open_view(more: str = "", of: str = address, **size: Any) -> Page:
        page = context.new_page()
        if size:
            page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(f"{of}#page=generate{more}")
        page.wait_for_function(DRAWN)
        return page

    yield open_view
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    seen.assert_clean()


def wait_for_draw(page: Evaluating, passes: int, seed: int = 0, held: Sequence[Mapping[int, int]] = ({}, {})):
    """Wait until the view shows so many passes of this seed, and these units are held."""
    page.wait_for_function(
        """([passes, seed, held]) => {
          const {meta, lanes} = window.lrbnGenerators[0].timeline;
          return lanes[0].h.length === passes && meta.key.includes(` ${seed} `)
            && held.every((of, n) => JSON.stringify(of) === JSON.stringify(lanes[n].meta.held));
        }""",
        arg=[passes, seed, [{str(unit): state for unit, state in of.items()} for of in held]],
    )


def check_samples(
    page: Evaluating,
    models: Sequence[Any],
    n: int,
    x0: np.ndarray,
    seed: int = 0,
    held: Sequence[Mapping[int, int]] = ({}, {}),
) -> list[dict[str, Any]]:
    """Compare the view's samples with Python's, bit by bit; return its lanes."""
    lanes = page.evaluate(PASSES)["lanes"]
    for lane, model, clamp in zip(lanes, models, held, strict=True):
        wanted = draw_passes(model, n, x0, clamp=clamp, seed=seed)
        assert np.array_equal(lane["h"], wanted.H), lane["title"]
        assert np.array_equal(lane["x"], wanted.X), lane["title"]
    return lanes


def pair(name: str = NAME) -> list[Any]:
    """Return a shipped model, and what stands beside it at first: a trained RBM, else its own weights."""
    model = pretrained(name)
    return [model, pretrained("rbm-16-digits") if name == NAME else factorised(model)]


def test_samples_and_their_nearest_training_images_are_pythons(open_view):
    page = open_view()
    expect(page.get_by_role("button", name="Generate", exact=True)).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => window.lrbnGenerators[0].timeline.lanes[0].nearest")
    data = load_dataset("digits")
    lanes = check_samples(page, pair(), 24, noise_image(data.n_v))
    known = NearestImages(data.train_X)
    for lane in lanes:
        nearest = known.nearest(np.array(lane["x"], np.uint8))
        assert lane["rows"] == nearest.row.tolist()
        assert lane["distances"] == nearest.distance.tolist()


def test_units_are_held_more_passes_drawn_and_another_seed_taken(open_view, address):
    page = open_view()
    data = load_dataset("digits")
    grid = page.get_by_role("spinbutton", name="LRBN: latent units")
    grid.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    wait_for_draw(page, 24, held=({0: 1}, {}))
    page.keyboard.press("Enter")
    held = ({0: 0}, {})
    wait_for_draw(page, 24, held=held)
    check_samples(page, pair(), 24, noise_image(data.n_v), held=held)
    page.get_by_role("button", name="Draw more").click()
    wait_for_draw(page, 48, held=held)
    page.get_by_role("button", name="Another seed").click()
    wait_for_draw(page, 48, 1, held)
    check_samples(page, pair(), 48, noise_image(data.n_v, 1), 1, held)
    shown = page.evaluate("() => location.hash")
    assert "draw_seed=1" in shown
    assert "generator_clamp=0off" in shown
    again = open_view(shown.removeprefix("#page=generate"))
    wait_for_draw(again, 48, 1, held)
    assert again.evaluate(PASSES)["lanes"][0]["x"] == page.evaluate(PASSES)["lanes"][0]["x"]
    again.get_by_role("button", name="Free all units").click()
    wait_for_draw(again, 48, 1)


def test_a_chain_starts_from_a_test_image(open_view):
    page = open_view("&passes=5")
    settings = page.get_by_role("group", name="Settings of the samples")
    expect(settings.get_by_label("Test image")).to_be_hidden()
    settings.get_by_label("Chains start from").select_option("data")
    index = settings.get_by_label("Test image")
    index.fill("300")
    index.press("Tab")
    expect(index).to_have_attribute("aria-invalid", "true")
    expect(settings.get_by_role("status")).to_have_text("Test image: this page has no image 300.")
    index.fill("3")
    index.press("Tab")
    page.wait_for_function("() => window.lrbnGenerators[0].timeline.meta.begins === 'test image 3'")
    check_samples(page, pair(), 5, load_dataset("digits").test_X[3])
    assert "chain=data&chain_image=3&passes=5" in page.url


def test_two_layers_are_drawn_and_no_nearest_image_is_shown_where_none_is_at_hand(open_view, tmp_path):
    name, rival = "lrbn-200-200-mnist-likeliest", "rbm-200-mnist-likeliest"
    path = tmp_path / "deep.html"
    export_live(path, name, rival, n_images=5)
    page = open_view("&passes=3&draw_seed=7", of=path.as_uri())
    wait_for_draw(page, 3, 7)
    check_samples(page, [pretrained(name), pretrained(rival)], 3, noise_image(784, 7), 7)
    expect(page.get_by_text("Nearest", exact=True)).to_have_count(2)
    expect(page.get_by_text("Nearest", exact=True).first).to_be_hidden()
    expect(page.get_by_role("option", name="pass 2")).to_have_count(2)
    model = page.get_by_role("group", name="Settings of the samples").get_by_label("Model", exact=True)
    model.select_option("lrbn-16-bars")  # of another data set of the page
    page.wait_for_function("() => window.lrbnGenerators[0].timeline.meta.key.startsWith('lrbn-16-bars ')")
    check_samples(page, pair("lrbn-16-bars"), 3, noise_image(64, 7), 7)


def test_real_valued_images_are_drawn(open_view, tmp_path):
    names = ["lrbn-40-digits-grey", "rbm-40-digits-grey"]
    export_live(tmp_path / "grey.html", *names, n_images=5)
    page = open_view(
        f"&generator={names[0]}&generator_beside={names[1]}&passes=3", of=(tmp_path / "grey.html").as_uri()
    )
    wait_for_draw(page, 3)
    for lane, name in zip(page.evaluate(PASSES)["lanes"], names, strict=True):
        wanted = draw_passes(pretrained(name), 3, noise_image(64, 0, "gaussian"))
        assert np.array_equal(lane["h"], wanted.H), name
        assert np.allclose(lane["x"], wanted.X, atol=1e-5), name
    expect(page.get_by_role("region", name="Interpolation between two codes")).to_be_hidden()


@pytest.mark.parametrize("name", [NAME, "lrbn-200-200-mnist-likeliest"])
def test_interpolations_are_pythons(open_view, tmp_path, address, name):
    of, data, models = address, load_dataset("digits"), pair()
    if name != NAME:
        of, data = (tmp_path / "deep.html").as_uri(), load_dataset("mnist5k")
        rival = "rbm-200-mnist-likeliest"
        export_live(tmp_path / "deep.html", name, rival, n_images=5)
        models = [pretrained(name), pretrained(rival)]
    page = open_view("&passes=4&walk_from=t2&walk_to=s3", of=of)
    card = page.get_by_role("region", name="Interpolation between two codes")
    way: Any
    for way in WALK_WAYS:
        card.get_by_label("Kind of interpolation").select_option(way)
        page.wait_for_function("(way) => window.lrbnGenerators[0].walk.meta.way === way", arg=way)
        lanes = page.evaluate("() => window.lrbnGenerators[0].state().walk.lanes")
        for lane, model in zip(lanes, models, strict=True):
            trace = model.trace(data.test_X[2])  # as the Inference view infers it
            start = trace.latents(trace.n_visits) > 0.5
            end = draw_passes(model, 4, noise_image(data.n_v)).H[3]
            wanted = interpolate(model, start, end, way)
            assert lane["steps"] == len(wanted.unit) > 0
            if way != "straight":
                assert lane["unit"] == wanted.unit.tolist()
            found = np.array([np.nan if value is None else value for value in lane["joint"]], float)
            assert np.allclose(found, wanted.log_joint, rtol=1e-5, equal_nan=True)
    assert "walk_from=t2&walk_to=s3&walk=straight" in page.url
    number = card.get_by_label("To: number")
    number.fill("2")
    number.press("Tab")
    page.wait_for_function("() => window.lrbnGenerators[0].walk.meta.to === 's1'")


def test_models_that_were_trained_in_the_page_draw(open_view):
    page = open_view()
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Start training", exact=True).click()
    page.wait_for_function("() => window.lrbnBoards[0].status === 'done'")
    page.get_by_role("button", name="Watch these models draw in Generate").click()
    expect(page.get_by_role("main", name="Generate")).to_be_visible()
    page.wait_for_function("() => window.lrbnGenerators[0].timeline.meta.key.startsWith('LRBN in training')")
    weights = page.evaluate(
        """() => window.lrbnLive.session.lanes.map(({model}) => {
          const {exact, b, d, n_h} = window.lrbnLive.session.modelOf(model).layers[0];
          return [[...exact], [...b], [...d], n_h];
        })"""
    )
    models = [
        kind.from_params(np.reshape(rows, (n_h, -1)).T, np.array(b), np.array(d))
        for kind, (rows, b, d, n_h) in zip((LRBN, RBM), weights, strict=True)
    ]
    assert [model.n_latents_ for model in models] == [32, 32]
    lanes = check_samples(page, models, 24, noise_image(64))
    assert [lane["title"] for lane in lanes] == ["LRBN", "RBM"]
    assert all(lane["rows"] for lane in lanes)
    page.get_by_role("button", name="Inference", exact=True).click()
    expect(page.get_by_role("main", name="Inference")).to_be_visible()
    expect(page.get_by_role("main", name="Generate")).to_be_hidden()


def test_what_a_link_says_that_the_page_has_not_is_named(open_view):
    page = open_view("&generator=lrbn-9-moons&passes=9999&draw_seed=3&generator_clamp=99on")
    said = page.get_by_role("group", name="Settings of the samples").get_by_role("status")
    expect(said).to_contain_text("this page draws nothing of a model called \u201clrbn-9-moons\u201d")
    expect(said).to_contain_text("passes: expected a whole number from 1 to 240")
    expect(said).to_contain_text("generator_clamp: expected units with their states")
    wait_for_draw(page, 24, 3)


def test_the_address_of_each_view_is_its_own(open_view, address):
    page = open_view("&draw_seed=2")
    page.wait_for_timeout(500)  # Inference writes its address, too
    assert page.url.startswith(f"{address}#page=generate&generator={NAME}")
    page.get_by_role("button", name="Inference", exact=True).click()
    assert page.url.startswith(f"{address}#model={NAME}")
    page.keyboard.press("End")
    page.wait_for_function("() => location.hash.includes('visit=') && !location.hash.includes('visit=0')")
    page.evaluate("() => { location.hash = '#page=generate&draw_seed=5'; }")
    wait_for_draw(page, 24, 5)
    page.keyboard.press("Home")  # of the view that is shown
    page.wait_for_function("() => window.lrbnGenerators[0].state().k === 0")
    expect(page.get_by_text("Nothing is drawn yet").first).to_be_visible()  # a live region says it later, too
    assert "generator_beside=rbm-16-digits" in page.url


def test_a_phone_shows_samples_first_and_nothing_wider_than_itself(open_view):
    page = open_view(width=390, height=844)
    settings = page.get_by_role("group", name="Settings of the samples")
    expect(settings).to_be_hidden()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.get_by_text("Models and settings of the samples").click()
    expect(settings.get_by_label("Seed", exact=True)).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


def unfolded(page: Page) -> None:
    """With the settings, which a phone folds."""
    page.get_by_text("Models and settings of the samples").evaluate(
        "(node) => { node.parentNode.open = true; }"
    )


@SIZES
def test_the_view_has_no_grave_finding(open_page, address, size):  # noqa: F811
    def drawn(page: Page) -> None:
        page.get_by_role("button", name="Generate", exact=True).click()
        page.wait_for_function(DRAWN)
        page.wait_for_function("() => window.lrbnGenerators[0].live.textContent")

    page = open_page(f"{address}#image=3", size)
    assert not audit_each(page, (drawn, unfolded))


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_draws_the_same(tmp_path: Path, address: str):
    with firefox_page(tmp_path) as page:
        page.goto(f"{address}#page=generate&draw_seed=3")
        page.wait_for_function(DRAWN)
        wait_for_draw(page, 24, 3)
        check_samples(page, pair(), 24, noise_image(64, 3), 3)
        assert page.errors == []
        assert all(url.startswith(("file:", "blob:", "data:")) for url in page.requests), page.requests
