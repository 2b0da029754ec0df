"""A table of named yes/no columns with empty cells in a real browser: from the file to a live page."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from ui.journeys import WAIT, wait_for_answer, wait_for_rest, wait_until_whole
from ui.test_accessibility import audit
from ui.test_upload import accept, choose, dialog, wait_for_preview

from lrbn_viz import load_model, read_dataset

NAMES = ("cough", "fever", "rash", "ache", "thirst", "chills")
rng = np.random.default_rng(5)
ILL = rng.random((160, 2)) < 0.4
SEEN = rng.random((160, 6)) < np.where(np.repeat(ILL, 3, axis=1), 0.9, 0.05)
UNKNOWN = rng.random(SEEN.shape) < 0.2
CELLS = np.where(
    UNKNOWN, np.array(["", "NA", "?"])[rng.integers(0, 3, SEEN.shape)], np.where(SEEN, "yes", "no")
)
TABLE = "\n".join(map(",".join, [NAMES, *CELLS])).encode()
N_UNKNOWN = int(UNKNOWN.sum())


def facts(page: Page) -> str:
    """What the dialog says of the file."""
    return " ".join(dialog(page).locator("dl").inner_text().split())


def shades_of(canvas: Locator, n_v: int) -> np.ndarray:
    """Red of all dots of each cell of a table of variables: (columns, n_v, dots)."""
    width, height, painted = canvas.evaluate(
        """node => [node.width, node.height,
             Array.from(node.getContext('2d').getImageData(0, 0, node.width, node.height).data)]"""
    )
    dots = height // n_v
    found = np.array(painted).reshape(n_v, dots, width // dots, dots, 4)[..., 0]
    return found.transpose(2, 0, 1, 3).reshape(width // dots, n_v, dots * dots)


@pytest.fixture
def train(page: Page, serve_app) -> Page:
    """The Train page, with the table chosen in the dialog."""
    page.goto(serve_app.url + "?page=train", timeout=WAIT)
    page.get_by_role("button", name="Use your own data").click()
    choose(page, TABLE, "symptoms.csv")
    wait_for_preview(page)
    return page


def test_a_table_with_empty_cells_is_previewed_offered_and_trained(train, context, seen, tmp_path):
    page = train
    assert f"Not known {N_UNKNOWN} of {SEEN.size} values, hatched" in facts(page)
    for name in NAMES:
        expect(dialog(page).get_by_label(f"Read {name}")).to_be_checked()
    data = read_dataset(TABLE, filename="symptoms.csv", labels=None)
    assert dialog(page).locator(".lv-columns-names > li").all_inner_texts() == list(NAMES)
    cells = shades_of(dialog(page).locator(".lv-columns-cells"), len(NAMES))
    shown = data.train_X[: len(cells)]
    assert np.isnan(shown).any()
    shades = [{shade for cell in cells[where] for shade in cell} for where in (shown == 1, shown == 0)]
    assert all(len(known) == 1 for known in shades), "one colour for each value"
    for cell in cells[np.isnan(shown)]:
        assert len(set(cell)) == 2, "what is not known is hatched"
        assert not set(cell) & set.union(*shades)
    new, _, _ = audit(page)
    assert not [line for line in new if "own" in line], "\n".join(new)
    accept(page).click()
    expect(dialog(page)).to_be_hidden(timeout=WAIT)
    wait_for_answer(page)
    # what learns from it is offered, and the others are named with the reason
    expect(page.get_by_label("Data set")).to_have_value("symptoms")
    said = page.get_by_text(f"{N_UNKNOWN} values of this data set are not known")
    expect(said).to_contain_text("learn from whole rows only, and are not offered")
    models = page.get_by_label("Model", exact=True)
    assert models.first.locator("option").all_inner_texts() == ["LRBN", "Two-layer LRBN"]
    assert models.nth(1).locator("option:checked").inner_text() == "none"
    page.get_by_label("Latent units").first.fill("4")
    page.get_by_label("Latent units").first.press("Tab")
    wait_for_answer(page)
    controls = page.get_by_role("group", name="Training")
    for _ in range(3):
        controls.get_by_role("button", name="Single minibatch").click()
        wait_for_answer(page)
    expect(page.get_by_text(re.compile(r"^[\d.]+ observations wrong$")).first).to_be_visible(timeout=WAIT)
    lane = page.locator(".lt-lane").first
    tables = [*lane.locator(".lv-columns").all(), page.locator(".lt-thumbs .lv-columns")]
    assert len(tables) == 3, "observations, filters and the last minibatch"
    for table in tables:
        assert table.locator(".lv-columns-names > li").all_inner_texts() == list(NAMES)
    held_out = shades_of(lane.locator(".lt-strips .lv-columns-cells").first, len(NAMES))
    assert any(len(set(cell)) == 2 for row in held_out for cell in row), "hatched here, too"
    with page.expect_download() as download:
        page.get_by_role("button", name="Save LRBN").first.click()
    download.value.save_as(tmp_path / "mine.npz")
    model = load_model(tmp_path / "mine.npz")
    assert model.visible_names_ == tuple(model.feature_names_in_) == NAMES
    assert "symptoms" in str(model.provenance_), "where its data came from"
    only_cough = np.full(len(NAMES), np.nan)
    only_cough[0] = 1.0
    assert model.exact_posterior(model.check_image(only_cough)).marginals.shape == (4,)
    # explained by name, with what is not known of the row, and so without a server
    page.get_by_role("button", name=re.compile("^Open (both|LRBN)")).first.click()
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes", timeout=WAIT)
    wait_until_whole(page)
    told = data.test_X[np.isnan(data.test_X).any(axis=1).argmax()]
    page.get_by_role("option", name=f"row {np.isnan(data.test_X).any(axis=1).argmax()}").first.click()
    shown_in_three_states(page, told)
    with page.expect_download() as download:
        page.get_by_role("button", name="Live page").click()
    download.value.save_as(tmp_path / "live.html")
    live = context.new_page()
    live.goto((tmp_path / "live.html").as_uri())
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    shown_in_three_states(live, told)
    seen.assert_clean(ignore=("willReadFrequently",))


def shown_in_three_states(page: Page, row: np.ndarray) -> None:
    """Each observation is on, off or not known, by name, beside its reconstruction and in the Why card."""
    wanted = ["unknown" if np.isnan(value) else "on" if value else "off" for value in row]
    buttons = page.locator(".lv-variable-switch")
    page.wait_for_function(
        """wanted => Array.from(window.lrbnPlayers[0].root.querySelectorAll('.lv-variable-switch'),
             (button) => button.dataset.state).join() === wanted""",
        arg=",".join(wanted),
    )
    wait_for_rest(page)
    words = {"unknown": "not known"}
    for n, (name, state) in enumerate(zip(NAMES, wanted, strict=True)):
        expect(buttons.nth(n)).to_have_accessible_name(f"{name}: {words.get(state, state)}")
        listed = page.locator("[data-lane='0'] .lv-reconstruction li").nth(n)
        expect(listed).to_have_attribute("data-state", state)
        expect(listed).to_contain_text(name)
        expect(page.locator(".lv-maps li").nth(n)).to_contain_text(name)
    unknown = wanted.count("unknown")
    expect(page.locator(".lv-input .lv-caption")).to_contain_text(
        f"{unknown} observation{'s' * (unknown > 1)} not known"
    )
