"""The Compare page in a real browser: choosing systems, the figures, links, and without a server."""

from __future__ import annotations

import itertools
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import WAIT, wait_for_frames, wait_until_it_stands_still
from ui.proxy import CLOSED
from ui.test_accessibility import audit, set_window
from ui.test_connection import cut, until, words
from ui.test_titles import CUT, WIDTHS

from lrbn_viz.app.compare.offers import MAX_SYSTEMS, systems_of
from lrbn_viz.catalog import annealed_points, measured

CURVE = "wrong-pixels-over-sweeps"
N_POINTS = len(annealed_points(measured("lrbn-12-digits")))
"""Points of the curve of the LRBN; the RBM has none."""
QUERY = "?page=compare&compare_data=digits&systems=lrbn-12-digits.rbm-12-digits&compare_images=6"
WHOLE = """() => {
  const page = window.lrbnComparisons?.[0], state = page?.whole() && page.state();
  return state && state.systems.length && state.done.length === state.systems.length
    && state.progress === "" && state.figures.length === 4 && state.figures.every(({drawn}) => drawn);
}"""


def state(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnComparisons[0].state()")


def go(page: Page, address: str) -> Page:
    page.goto(address)
    page.wait_for_function(WHOLE, timeout=WAIT)
    return page


@pytest.fixture
def compare(page: Page, serve_app) -> Page:
    """The page, whole: two small models, six images, four figures."""
    return go(page, serve_app.url + QUERY)


# What is compared; and nothing highlighted.
COMPARED = """() => {
  const {dataset, systems, done} = window.lrbnComparisons[0].state();
  return [dataset, systems, done, location.search.replace(/&?highlight=[^&]*/, "")];
}"""
LET_GO = """() => {
  const page = window.lrbnComparisons[0];
  page.root.querySelector(".lv-choose [aria-pressed=true]")?.click();
}"""


@pytest.fixture
def standing_compare(page: Page, shared_page, serve_app) -> Page:
    """As `compare`, for tests that highlight systems and save what is shown only."""
    shared_page.stand("standing_compare", lambda page: go(page, serve_app.url + QUERY), COMPARED, LET_GO)
    page.wait_for_function("() => !window.lrbnComparisons[0].state().chosen")
    page.wait_for_function(WHOLE)
    return page


def wait_for_query(page: Page, name: str, value: str | None) -> None:
    page.wait_for_function(
        "([name, value]) => new URLSearchParams(location.search).get(name) === value", arg=[name, value]
    )


def test_it_opens_from_the_header_without_a_complaint_or_another_host(page: Page, serve_app, seen):
    page.goto(serve_app.url + "?model=lrbn-12-digits")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_function(WHOLE, timeout=WAIT)
    wait_for_query(page, "page", "compare")
    found = state(page)
    assert found["dataset"] == "mnist5k"
    assert len(found["systems"]) >= 2
    seen.assert_clean()


def test_every_system_has_a_picture_of_every_image_with_its_wrong_pixels_counted(standing_compare: Page):
    table = standing_compare.get_by_role("table").first
    expect(table.get_by_role("img", name=re.compile("^test image"))).to_have_count(6)
    expect(
        table.get_by_role("img", name=re.compile("^reconstruction of test image .* pixels wrong"))
    ).to_have_count(12)
    expect(standing_compare.get_by_role("img", name=re.compile("^sample "))).to_have_count(12)
    expect(table).to_contain_text(re.compile(r"[\d.]+ wrong pixels\s*[\d.]+ latents on"))
    expect(table).to_contain_text(re.compile(r"ms an image"))


WIDTHS_OF_PICTURES = """() => {
  const {root} = window.lrbnComparisons[0];
  const rows = [...root.querySelectorAll(".lv-seen tr"), ...root.querySelectorAll(".lv-strip-now")];
  return rows.map((row) => Array.from(row.querySelectorAll("img"), (img) => {
    const {width, height} = img.getBoundingClientRect();
    return [Math.round(4 * width) / 4, Math.round(4 * height) / 4];
  })).filter((sizes) => sizes.length);
}"""


@pytest.mark.parametrize("width", [390, 1366])
def test_all_pictures_of_a_row_and_of_a_column_have_one_size(page: Page, serve_app, width: int):
    page.set_viewport_size({"width": width, "height": 800})
    systems = "lrbn-400-caltech-flat.rbm-200-caltech-likeliest"  # class names of 4 to 15 letters
    go(page, f"{serve_app.url}?page=compare&compare_data=caltech101_silhouettes&systems={systems}")
    rows = page.evaluate(WIDTHS_OF_PICTURES)
    table, strips = rows[:3], rows[3:]
    assert [len(row) for row in rows] == [8] * 5
    for part in (table, strips):
        assert len({tuple(size) for row in part for size in row}) == 1, part
    assert table[0][0][0] >= 40
    labels = page.locator(".lv-seen small")
    assert labels.evaluate_all("(nodes) => nodes.every((node) => node.scrollWidth <= node.clientWidth + 1)")


# Of each row of figures the pixels between its last figure and the edge.
EMPTY_PLACES = """() => {
  const grid = window.lrbnComparisons[0].root.querySelector(".lv-figures"), rows = new Map();
  const edge = grid.getBoundingClientRect().right;
  for (const figure of grid.children) {
    const {top, right} = figure.getBoundingClientRect(), row = Math.round(top);
    rows.set(row, Math.max(rows.get(row) ?? 0, right));
  }
  return Array.from(rows.values(), (right) => Math.round(edge - right));
}"""


def test_figures_leave_no_place_empty_at_any_width(standing_compare: Page):
    for width, n_rows in ((390, 4), (1366, 3), (1440, 3), (1920, 3)):
        standing_compare.set_viewport_size({"width": width, "height": 900})
        wait_until_it_stands_still(standing_compare)
        assert standing_compare.evaluate(EMPTY_PLACES) == [0] * n_rows, width


# Of each system whether the corners of its mark are painted as a square has them, in the first figure.
CORNERS = """() => {
  const [card] = window.lrbnComparisons[0].cards, {view} = card, [source] = card.sources;
  const {x_scale, y_scale} = view.frame, {canvas, pixel_ratio: ratio} = view.canvas_view.primary;
  const pen = canvas.getContext("2d"), names = Array.from(source.get_column("system"));
  const paper = pen.getImageData(3, 3, 1, 1).data.join();
  return names.map((name, i) => {
    const x = x_scale.compute(source.get_column("x")[i]), y = y_scale.compute(source.get_column("nats")[i]);
    const at = (dx, dy) => pen.getImageData((x + dx) * ratio, (y + dy) * ratio, 1, 1).data.join() !== paper;
    return [name, at(-6.5, -6.5) && at(6.5, 6.5)];
  });
}"""


def test_a_mark_keeps_its_shape_when_another_system_is_highlighted(page: Page, serve_app):
    systems = "rbm-12-digits.lrbn-12-digits.lrbn-16-digits"
    go(page, f"{serve_app.url}?page=compare&compare_data=digits&systems={systems}&compare_images=6")
    shapes = page.evaluate(CORNERS)
    assert sorted(square for _, square in shapes) == [False, False, True], shapes
    for name, _ in shapes:
        page.evaluate("name => window.lrbnComparisons[0].highlight(name)", name)
        page.wait_for_function("name => window.lrbnComparisons[0].state().chosen === name", arg=name)
        wait_for_frames(page, 3)
        assert page.evaluate(CORNERS) == shapes, name


def test_a_click_on_a_mark_highlights_its_system_everywhere_and_shows_its_images(standing_compare: Page):
    figure = standing_compare.get_by_role("group", name=re.compile("^Nats against wrong pixels"))
    figure.scroll_into_view_if_needed()
    place = standing_compare.evaluate(
        """() => {
          const card = window.lrbnComparisons[0].cards[1], {view} = card, [source] = card.sources;
          const {x_scale, y_scale} = view.frame, box = view.canvas_view.events_el.getBoundingClientRect();
          const at = [source.get_column('x')[1], source.get_column('nats')[1]];
          return [box.x + x_scale.compute(at[0]), box.y + y_scale.compute(at[1])];
        }"""
    )
    standing_compare.mouse.click(*place)
    standing_compare.wait_for_function("() => window.lrbnComparisons[0].state().chosen === 'rbm-12-digits'")
    for found in state(standing_compare)["figures"]:
        assert found["selected"] == ([[]] if found["name"] == CURVE else [[1]]), found["name"]
    expect(standing_compare.locator("tr[data-chosen=true]")).to_have_count(1)
    expect(standing_compare.locator(".lv-now-chosen")).to_contain_text("RBM-12")
    expect(standing_compare.locator(".lv-now-chosen img")).to_have_count(6)
    wait_for_query(standing_compare, "highlight", "rbm-12-digits")


@pytest.mark.slow
def test_as_many_systems_as_fit_can_be_ticked_and_the_page_says_why_no_more_can(page: Page, serve_app):
    names = list(systems_of("mnist5k"))
    assert len(names) > MAX_SYSTEMS
    chosen = ".".join(names[: MAX_SYSTEMS - 1])
    go(page, f"{serve_app.url}?page=compare&compare_data=mnist5k&systems={chosen}&compare_images=4")
    said = page.get_by_text(f"{MAX_SYSTEMS} systems are compared, as many as fit.")
    ticks = page.get_by_role("checkbox")
    expect(ticks.and_(page.locator(":disabled"))).to_have_count(0)
    expect(said).to_have_count(0)
    ticks.nth(MAX_SYSTEMS - 1).check()
    expect(said).to_be_visible()
    others = ticks.and_(page.locator(":not(:checked)"))
    expect(others).to_have_count(len(names) - MAX_SYSTEMS)
    expect(others.and_(page.locator(":disabled"))).to_have_count(len(names) - MAX_SYSTEMS)
    ticks.nth(0).uncheck()
    expect(said).to_have_count(0)
    expect(ticks.and_(page.locator(":disabled"))).to_have_count(0)


@pytest.mark.slow
def test_the_paper_is_named_and_linked_beside_its_tables(standing_compare: Page):
    link = standing_compare.get_by_role("link", name=re.compile("Latent Regression Bayesian Network"))
    expect(link).to_have_attribute("href", "https://arxiv.org/abs/1506.04720")
    assert "Siqi Nie and Qiang Ji" in link.inner_text()


def test_keys_highlight_a_system_and_take_the_highlight_away(standing_compare: Page):
    group = standing_compare.get_by_role("group", name="Highlight a system")
    button = group.get_by_role("button", name=re.compile("LRBN-12"))
    button.focus()
    standing_compare.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_be_focused()
    for found in state(standing_compare)["figures"]:
        points = list(range(N_POINTS)) if found["name"] == CURVE else [0]
        assert found["selected"] == [points], found["name"]
    standing_compare.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert [found["selected"] for found in state(standing_compare)["figures"]] == [[[]]] * 4


def test_the_curve_over_sweeps_has_its_figures_in_a_table_beside_it(standing_compare: Page):
    figure = standing_compare.locator(".lv-figure", has_text="Wrong pixels over sweeps of annealing")
    row = figure.get_by_role("table").get_by_role("row").filter(has_text="LRBN-12")
    points = annealed_points(measured("lrbn-12-digits"))
    expect(row.get_by_role("cell").nth(1)).to_have_text("{:.2f} ± {:.2f}".format(*points[200]))
    expect(row.get_by_role("cell")).to_have_count(1 + N_POINTS)
    expect(figure).to_contain_text("since their latents are not searched for: RBM-12")
    ticks = standing_compare.evaluate(
        """name => {
          const {view} = window.lrbnComparisons[0].cards.find(({data}) => data.name === name);
          return [view.model.x_scale.type, view.model.below[0].ticker.ticks];
        }""",
        CURVE,
    )
    assert ticks == ["LogScale", list(points)]


def test_a_link_brings_systems_images_and_highlight_back(compare: Page, serve_app):
    compare.get_by_role("checkbox", name=re.compile("LRBN-16, 8x8")).check()
    compare.wait_for_function("() => window.lrbnComparisons[0].state().done.length === 3", timeout=WAIT)
    compare.get_by_role("button", name="Other images").first.click()
    wait_for_query(compare, "compare_seed", "1")
    group = compare.get_by_role("group", name="Highlight a system")
    group.get_by_role("button", name=re.compile("LRBN-16")).click()
    wait_for_query(compare, "highlight", "lrbn-16-digits")
    compare.wait_for_function(WHOLE, timeout=WAIT)
    before = state(compare)
    assert "lrbn-16-digits" in parse_qs(urlsplit(compare.url).query)["systems"][0]
    go(compare, compare.url)
    assert {name: value for name, value in state(compare).items() if name != "progress"} == {
        name: value for name, value in before.items() if name != "progress"
    }


def test_each_figure_is_saved_as_a_picture_and_as_data(standing_compare: Page):
    kinds = ("png", "svg", "csv")
    for kind in kinds:
        expect(standing_compare.locator(f".lv-figure button[data-kind={kind}]")).to_have_count(4)
    # of each kind that of one figure and of the curve: Chromium asks before an eleventh file of one page
    for kind, place in itertools.product(kinds, (2, 3)):
        with standing_compare.expect_download() as download:
            standing_compare.locator(f".lv-figure button[data-kind={kind}]").nth(place).click()
        assert download.value.suggested_filename.endswith(f"-digits.{kind}")
        content = download.value.path().read_bytes()
        if kind == "png":
            assert content.startswith(b"\x89PNG")
            assert len(content) > 5000
        elif kind == "svg":
            assert b"<svg" in content[:200]
            assert len(content) > 3000
        else:
            assert content.startswith(b"number,system,title,")
            assert content.count(b"\n") == 1 + (N_POINTS if place == 3 else 2)
    with standing_compare.expect_download() as download:  # one that is being drawn again is saved after that
        standing_compare.evaluate(
            "() => { const [card] = window.lrbnComparisons[0].cards; card.embed(false); card.save('png'); }"
        )
    assert download.value.suggested_filename.endswith(".png")


@pytest.mark.slow
def test_figures_follow_the_theme(compare: Page):
    ground = "() => window.lrbnComparisons[0].cards.map(({view}) => view?.model.background_fill_color)"
    before = compare.evaluate(ground)
    compare.get_by_label("Toggle theme").click()
    compare.wait_for_function(WHOLE, timeout=WAIT)
    compare.wait_for_function(f"before => !({ground})().includes(before)", arg=before[0])


# As high as the page is long: axe-core leaves out cells of a table that is scrolled and half out of sight.
@pytest.mark.parametrize(
    ("scheme", "size"),
    [
        ("light", (360, 4800)),
        pytest.param("light", (1440, 2600), marks=pytest.mark.slow),
        pytest.param("dark", (360, 4800), marks=pytest.mark.slow),
        pytest.param("dark", (1440, 2600), marks=pytest.mark.slow),
    ],
)
def test_it_has_no_grave_finding(page: Page, serve_app, scheme: str, size: tuple[int, int]):
    set_window(page, size, scheme)
    go(page, f"{serve_app.url}{QUERY}&highlight=rbm-12-digits")
    new, _, passed = audit(page)
    assert new == []
    assert {"color-contrast", "button-name", "image-alt"} <= set(passed)


@pytest.mark.slow
def test_no_title_is_cut_but_in_tables_that_are_scrolled(standing_compare: Page):
    for width in WIDTHS:
        standing_compare.set_viewport_size({"width": width, "height": 900})
        wait_until_it_stands_still(standing_compare)
        found = standing_compare.evaluate(CUT.replace("'.lv-sr'", "'.lv-sr, .lv-scroll'"))
        assert found["seen"] >= 15
        assert found["cut"] == [], f"at {width} pixels"
        assert standing_compare.evaluate("() => document.documentElement.scrollWidth") <= width


@pytest.mark.slow
def test_without_the_server_the_page_stays_and_refuses_in_words(page: Page, workshop):
    go(page, workshop.behind_proxy + QUERY)
    before = state(page)
    with cut(workshop.proxy, CLOSED):
        until(page, "() => !window.lrbnConnection.open")
        stays_and_refuses(page, before)


def stays_and_refuses(page: Page, before: dict[str, Any]) -> None:
    """The figures stand as before and can be saved; what needs the server is refused."""
    page.locator(".lv-compare button", has_text="Other images").click()
    assert "Not done" in words(page)
    assert state(page) == before
    with page.expect_download() as download:
        page.locator(".lv-figure button[data-kind=csv]").first.click()
    assert download.value.path().read_bytes().startswith(b"number,system")


# The bits of the first image in its picture that was saved: dark where there is ink, in a light page.
READ = """async ([bytes, left, top, times, rows, columns]) => {
  const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)], {type: "image/png"}));
  const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  pen.drawImage(picture, 0, 0);
  const at = (i) => {
    const x = left + (i % columns + .5) * times, y = top + (Math.floor(i / columns) + .5) * times;
    return pen.getImageData(x, y, 1, 1).data[0];
  };
  return [picture.width, picture.height, Array.from({length: rows * columns}, (_, i) => Number(at(i) < 128))];
}"""


def test_images_of_all_systems_are_saved_as_one_picture(standing_compare: Page):
    content: list[int] = []
    for what in ("Reconstructions", "Samples"):
        with standing_compare.expect_download() as download:
            standing_compare.get_by_role("button", name=f"{what} of all systems: save as PNG").click()
        assert download.value.suggested_filename == f"{what.lower()}-digits.png"
        content = list(download.value.path().read_bytes())
        width, height, first = standing_compare.evaluate(READ, [content, 272, 64, 14, 8, 8])
        assert width == 272 + 6 * (8 * 14 + 12)
        assert height > 3 * 8 * 14
        assert first == standing_compare.evaluate("() => Array.from(window.lrbnComparisons[0].image('x', 0))")
    # of samples, the row of the first system, below that of the test images with their words
    below = 64 + 8 * 14 + 20 + 12
    _, _, drawn = standing_compare.evaluate(READ, [content, 272, below, 14, 8, 8])
    assert drawn == standing_compare.evaluate(
        "() => Array.from(window.lrbnComparisons[0].image('0.samples', 0))"
    )
