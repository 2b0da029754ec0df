"""A table of named yes/no columns in a real browser: its variables and units are called by name."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import WAIT, save, seek, wait_for_answer, wait_for_rest, wait_until_whole
from ui.test_accessibility import audit
from ui.test_upload import accept, choose, dialog, wait_for_preview

from lrbn_viz import ICMTrace, export_live, load_model

FINDINGS = ("fever", "cough", "<b>rash</b>")
ROWS = [(ill, "no" if ill == "yes" else other, other) for ill, other in product(("yes", "no"), repeat=2)]
TABLE = "\n".join([",".join(FINDINGS), *[",".join(row) for row in ROWS * 20]]).encode()


def rows_of(page: Page, place: str) -> list[str]:
    """The names in a list of variables, as text."""
    return page.locator(f"{place} .lv-variables .lv-variable-name").all_inner_texts()


def shown_by_name(page: Page) -> None:
    """Input, reconstruction and Why card list the variables; nothing is said of pixels or ink."""
    wait_for_rest(page)
    for place in (".lv-input", "[data-lane='0'] .lv-reconstruction", ".lv-maps"):
        assert rows_of(page, place) == list(FINDINGS)
    said = page.locator(".lv-in").evaluate(
        "node => [node.innerText, ...Array.from(node.querySelectorAll('[aria-label]'),"
        " (one) => (one.checkVisibility() ? one.ariaLabel : ''))].join(' ')"
    )
    for word in ("pixel", " ink", "Input image", "px wrong"):
        assert word not in said, word
    assert page.locator(".lv b:text-is('rash')").count() == 0, "a name is never markup"


@pytest.fixture
def trained(page: Page, serve_app) -> Page:
    """The Inference page with both models of a run on the table."""
    page.goto(serve_app.url + "?page=train", timeout=WAIT)
    page.get_by_role("button", name="Use your own data").click()
    choose(page, TABLE, "findings.csv")
    wait_for_preview(page)
    dialog(page).get_by_label("Column of the classes").select_option("none")
    wait_for_answer(page)
    wait_for_preview(page)
    accept(page).click()
    expect(dialog(page)).to_be_hidden(timeout=WAIT)
    for field in page.get_by_label("Latent units").all():
        field.fill("3")
        field.press("Tab")
    wait_for_answer(page)
    page.get_by_role("group", name="Training").get_by_role("button", name="Single minibatch").click()
    page.get_by_role("button", name="Open both").click()
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.length === 2", timeout=WAIT)
    wait_until_whole(page)
    return page


def test_a_table_of_findings_is_shown_explained_named_saved_and_exported_by_name(
    trained, context, seen, tmp_path: Path
):
    page = trained
    shown_by_name(page)
    # a press changes an observation, and keys do the same
    fever = page.locator(".lv-input").get_by_role("button", name="fever")
    after = {"true": "false", "false": "mixed", "mixed": "true"}
    before = fever.get_attribute("aria-pressed")
    assert before in ("true", "false")
    for _ in range(2 if before == "false" else 1):
        now = fever.get_attribute("aria-pressed")
        fever.click()
        expect(fever).to_have_attribute("aria-pressed", after[str(now)])
    expect(page.locator(".lv-input .lv-caption")).to_contain_text("1 observation changed")
    fever.press("ArrowDown")
    cough = page.locator(".lv-input").get_by_role("button", name="cough")
    expect(cough).to_be_focused()
    for _ in range(2 if cough.get_attribute("aria-pressed") == "false" else 1):
        cough.press(" ")
    expect(page.locator(".lv-input .lv-caption")).to_contain_text("2 observations changed")
    # a latent gets a name
    page.get_by_role("button", name="Name unit 0").click()
    field = page.get_by_label("Name of unit 0")
    field.fill("unit 1")
    field.press("Enter")
    expect(page.get_by_text("Another unit is called \u201cunit 1\u201d")).to_be_visible()
    field.fill("<i>flu</i>")
    field.press("Enter")
    page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].model.names?.[0] === '<i>flu</i>'")
    wait_for_rest(page)
    page.evaluate("() => window.lrbnPlayers[0].select(0, 0)")
    wait_for_rest(page)
    expect(page.locator(".lv-why-title")).to_contain_text("<i>flu</i>")
    expect(page.get_by_role("button", name="Name <i>flu</i>")).to_be_visible()
    new, _, _ = audit(page)
    assert not [line for line in new if "variable" in line or "namer" in line], "\n".join(new)
    # files keep it
    for button, path in (("Trace as npz", tmp_path / "trace.npz"), ("Model as npz", tmp_path / "mine.npz")):
        with page.expect_download() as download:
            page.get_by_role("button", name=button).click()
        download.value.save_as(path)
    trace, model = ICMTrace.load(tmp_path / "trace.npz"), load_model(tmp_path / "mine.npz")
    assert (trace.visible_names, model.visible_names_) == (FINDINGS, FINDINGS)
    assert trace.latent_names == model.latent_names_ == ("<i>flu</i>", "unit 1", "unit 2")
    picture = save(page, "svg", tmp_path).read_text(encoding="utf-8")
    assert "fever" in picture
    assert "&lt;i&gt;flu&lt;/i&gt;" in picture or "<i>flu</i>".replace("<", "&lt;") in picture
    # a live page, without a server
    with page.expect_download() as download:
        page.get_by_role("button", name="Live page").click()
    download.value.save_as(tmp_path / "live.html")
    live = context.new_page()
    live.goto((tmp_path / "live.html").as_uri())
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    shown_by_name(live)
    assert live.evaluate("() => window.lrbnPlayers[0].lanes[0].model.names")[0] == "<i>flu</i>"
    # the model file opens by name
    page.get_by_role("button", name="Back to training").click()
    page.get_by_label("Model file for the Inference page").set_input_files(tmp_path / "mine.npz")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.[0]?.meta.model === 'live:mine.npz'")
    shown_by_name(page)
    assert page.evaluate("() => window.lrbnPlayers[0].lanes[0].model.names")[0] == "<i>flu</i>"
    seen.assert_clean(ignore=("willReadFrequently",))


def names_of(page: Page, place: str) -> list[list[str]]:
    """Return the names of the rows of each table in sight within a place."""
    tables = [one for one in page.locator(f"{place} .lv-columns").all() if one.is_visible()]
    return [one.locator(".lv-columns-names > li").all_text_contents() for one in tables]


def nothing_of_pictures(page: Page, place: str) -> None:
    """No word in sight speaks of pixels or ink."""
    said = page.locator(place).first.inner_text()
    for word in ("pixel", " ink", "px "):
        assert word not in said, (word, said)


def test_a_run_of_a_table_shows_filters_observations_and_samples_by_name(trained, seen):
    page = trained
    # the weights of a pair, beside the matrix
    page.get_by_label("Units shown").select_option("index")
    wait_for_rest(page)
    assert page.locator(".lv-pair .lv-variable-name").all_text_contents() == list(FINDINGS)
    page.get_by_role("button", name="Back to training").click()
    expect(page.locator(".lt-lane")).to_have_count(2)
    names = [list(FINDINGS)]
    # observations and filters of two models, and the rows of the last minibatch
    expect(page.locator(".lt-lane .lv-columns:visible")).to_have_count(4)
    expect(page.locator(".lt-thumbs .lv-columns:visible")).to_have_count(1)
    assert names_of(page, ".lt-lane") == names * 4
    assert names_of(page, ".lt-thumbs") == names
    nothing_of_pictures(page, ".lt-lane")
    nothing_of_pictures(page, ".lt")
    # one filter, enlarged
    filters = page.get_by_role("spinbutton", name="filters of 3 units").first
    filters.focus()
    filters.press("ArrowRight")
    filters.press("Enter")
    large = page.get_by_role("dialog", name="Filter")
    expect(large).to_contain_text("Unit 1 of")
    expect(large.locator(".lv-columns-names > li")).to_have_text(list(FINDINGS))
    assert rows_of(page, ".lt-large") == list(FINDINGS)
    new, _, _ = audit(page)
    assert not [line for line in new if "lv-columns" in line or "lv-variable" in line], "\n".join(new)
    large.get_by_role("button", name="Close").click()
    # one of the last minibatch
    page.locator(".lt-thumbs").get_by_role("button", name="Inspect training row").first.click()
    expect(page.locator(".lv-input .lv-caption")).to_contain_text("training row")
    wait_for_rest(page)
    assert rows_of(page, ".lv-input") == list(FINDINGS)
    page.get_by_role("button", name="Back to training").click()
    # what the models draw
    page.get_by_role("button", name="Draw with both").click()
    page.wait_for_function("() => window.lrbnGenerators?.[0]?.timeline", timeout=WAIT)
    page.evaluate("() => window.lrbnGenerators[0].seek(window.lrbnGenerators[0].timeline.end)")
    assert names_of(page, ".lv-pass") == names * 2
    for strip in page.locator(".lv-strip-box > .lv-columns-names").all():
        assert strip.locator("li").all_text_contents() == list(FINDINGS)
    assert names_of(page, ".lv-walk") == names * 2
    nothing_of_pictures(page, ".lv-pass")
    page.locator(".lv-walk").get_by_role("button", name="Go to 100 % of the way").first.click()
    expect(page.locator(".lv-walk-lane [aria-current=true]").first).to_have_attribute(
        "aria-label", "Go to 100 % of the way"
    )
    new, _, _ = audit(page)
    assert not [line for line in new if "lv-columns" in line or "lv-sample" in line], "\n".join(new)
    # what they reconstruct, beside each other
    page.get_by_role("link", name="Compare").click()
    page.get_by_label("Data set").last.select_option(label="findings (own)")
    expect(page.locator(".lv-compare .lv-columns").first).to_contain_text("fever")
    assert names_of(page, ".lv-compare") == names * len(names_of(page, ".lv-compare"))
    expect(page.get_by_text("wrong observations").first).to_be_visible(timeout=WAIT)
    nothing_of_pictures(page, ".lv-compare .lv-card:has(.lv-columns)")
    expect(page.get_by_role("button", name="Other rows")).to_have_count(2)  # in the sidebar and on the page
    expect(page.get_by_role("button", name="Other images")).to_have_count(0)
    figure = page.locator(".lv-figure h3", has_text="Nats against wrong observations")
    expect(figure).to_be_visible(timeout=WAIT)
    expect(page.locator(".lv-compare h3", has_text="Wrong observations per test row")).to_have_count(2)
    seen.assert_clean(ignore=("willReadFrequently",))


def test_the_alarm_is_a_list_of_two_observations_and_a_unit_is_named_without_a_server(
    context, seen, tmp_path
):
    path = tmp_path / "alarm.html"
    export_live(path, "lrbn-2-alarm", n_images=20)
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_for_rest(page)
    assert rows_of(page, ".lv-input") == ["alarm", "radio report"]
    for name in ("alarm", "radio report"):
        page.locator(".lv-input").get_by_role("button", name=name).dblclick()  # not known, then on
    seek(page, 10**9)
    expect(page.locator("[data-lane='0'] .lv-reconstruction li").first).to_have_attribute("data-state", "on")
    shares = page.locator("[data-lane='0'] .lv-reconstruction .lv-variable-value").all_inner_texts()
    assert [round(float(share), 2) for share in shares] == [0.95, 0.90]
    expect(page.locator("[data-lane='0'] .lv-reconstruction .lv-sr").first).to_have_text(
        ": probability 0.95, observed on"
    )
    expect(page.locator(".lv-lane[data-lane='0'] .lv-error")).to_be_hidden()
    expect(page.get_by_role("option", name="burglary, row", exact=False).first).to_contain_text("alarm")
    # along the axes of the matrix, too
    axes = page.locator(".lv-matrices figure").first.locator(".lv-axis")
    shown = page.evaluate(
        """() => { const {views: [{order}], lanes: [lane]} = window.lrbnPlayers[0].panels.matrix;
                  return order.map((j) => lane.unitName(j)); }"""
    )
    assert set(shown) <= {"burglary", "earthquake"}
    assert [axis.locator("li").all_text_contents() for axis in axes.all()] == [shown, shown]
    page.get_by_label("Units shown").select_option("index")
    for axis in axes.all():
        expect(axis.locator("li")).to_have_text(["burglary", "earthquake"])
    page.get_by_role("button", name="Name burglary").or_(
        page.get_by_role("button", name="Name earthquake")
    ).click()
    field = page.locator(".lv-namer input")
    field.press("Escape")
    expect(field).to_be_hidden()
    page.locator(".lv-name-it").press("Enter")
    field.fill("thief")
    field.press("Enter")
    assert "thief" in json.dumps(page.evaluate("() => window.lrbnPlayers[0].lanes[1].model.names"))
    seen.assert_clean()
