"""A visitor's table in a live page that trains: learned from, explained and saved by name, from a disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.test_accessibility import NARROW, WIDE, audit_each, open_page, plain, scheme  # noqa: F401
from ui.test_live_files import assert_same_parameters, ends, files_of, opened, saved, shown

from lrbn_viz import export_live, load_model, pretrained
from lrbn_viz.datasets import load_dataset

STATUS = "(status) => window.lrbnBoards?.[0]?.status === status"
N_ROWS = 3000
LIKENESS = 0.85
"""Correlation of the weights of five of the six planted causes with those of some unit."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page lies that trains."""
    path = tmp_path_factory.mktemp("own") / "trains.html"
    export_live(path, n_images=20, train=True)
    return path.as_uri()


@pytest.fixture(scope="module")
def patients(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table of findings, in which every fiftieth row has an empty cell."""
    data = load_dataset("findings")
    rows = [["yes" if value else "no" for value in x] for x in data.train_X[:N_ROWS]]
    for n in range(0, N_ROWS, 50):
        rows[n][n % 14] = ""
    path = tmp_path_factory.mktemp("table") / "my patients.csv"
    path.write_text(
        "\n".join(",".join(cells) for cells in ([*(data.variables or ())], *rows)), encoding="utf-8"
    )
    return path


@pytest.fixture
def open_training(context: BrowserContext, address: str, seen) -> Iterator[Callable[[], Page]]:
    """Open the page without a network; nothing may be asked for or go wrong."""
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))

    def open_training() -> Page:
        page = context.new_page()
        page.goto(address)
        page.wait_for_function(STATUS, arg="new")
        page.get_by_role("button", name="Inference", exact=True).click()
        return page

    yield open_training
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    seen.assert_clean()


def learn_from(page: Page, path: Path | list[Path]) -> None:
    files_of(page).locator("input[type=file]").set_input_files(path)
    expect(page.get_by_role("main", name="Train")).to_be_visible()
    page.wait_for_function(STATUS, arg="new")


def trained(page: Page) -> None:
    """Learn to the end, and open the models in the Inference view."""
    page.get_by_role("button", name="Start training").click()
    page.wait_for_function(STATUS, arg="done")
    page.get_by_role("button", name="Look at these models in Inference").click()
    page.wait_for_function("() => window.lrbnLive.session.lanes[0].model.includes('after minibatch')")


def test_a_table_of_named_columns_is_learned_from_explained_and_saved_by_name(
    open_training, context: BrowserContext, patients: Path, tmp_path: Path
):
    page = open_training()
    learn_from(page, patients)
    settings = page.get_by_role("group", name="Settings of the run")
    expect(settings).to_contain_text("60 rows have cells that are not known")
    expect(settings).to_contain_text(f"{N_ROWS - 60 - 200:,} training rows, 200 held out")
    board = page.get_by_role("main", name="Train")
    expect(board).to_contain_text("runny nose")
    expect(board).not_to_contain_text("px wrong")
    trained(page)
    expect(page.locator(".live > header")).to_contain_text("my patients: 2,000 rows")
    network = page.locator(".lv-network")
    expect(network).to_contain_text("itchy eyes")
    # a row whose finding is not known
    assert page.evaluate("() => window.lrbnLive.session.seen.unknown") == 1
    name, rival = shown(page)
    lrbn = load_model(saved(page, name, tmp_path / "lrbn.npz"))
    rbm = load_model(saved(page, rival, tmp_path / "rbm.npz"))
    data = load_dataset("findings")
    for model in (lrbn, rbm):
        assert tuple(model.feature_names_in_) == model.visible_names_ == tuple(data.variables or ())
        assert model.provenance_["data"] == "my patients"
    planted = pretrained("lrbn-6-findings").layers[0].W
    learned = lrbn.layers[0].W
    likeness = np.corrcoef(planted.T, learned.T)[:6, 6:].max(axis=1)
    assert np.sort(likeness)[1] > LIKENESS, likeness
    # the page that is saved has the rows and the models
    again = context.new_page()
    again.goto(saved(page, "this page", tmp_path / "page.html").as_uri())
    assert shown(again) == [name, rival]
    assert ends(again) == ends(page)
    expect(again.locator(".lv-network")).to_contain_text("itchy eyes")
    # Python's file opens there, too, on the same rows
    again.get_by_role("button", name="Inference", exact=True).click()
    lrbn.save(tmp_path / "from python.npz", provenance={"data": "my patients"})
    opened(again, tmp_path / "from python.npz")
    assert shown(again)[0] == "from python"
    expect(again.locator(".lv-network")).to_contain_text("itchy eyes")
    assert_same_parameters(load_model(saved(again, "from python", tmp_path / "back.npz")), lrbn)


def test_the_number_of_latents_is_chosen_and_the_page_goes_back_to_its_own_images(
    open_training, patients: Path
):
    page = open_training()
    learn_from(page, patients)
    page.get_by_role("combobox", name="Latents of each model").select_option("4")
    page.wait_for_function("() => window.lrbnBoards[0]?.meta?.lanes[0].n_h === 4")
    assert page.evaluate("() => window.lrbnBoards.length") == 1
    trained(page)
    assert (
        page.evaluate("() => window.lrbnLive.session.modelOf(window.lrbnLive.session.lanes[0].model).n_h")
        == 4
    )
    menu = page.get_by_role("combobox", name="Model").first
    menu.select_option("lrbn-16-digits")
    expect(page.locator(".live > header")).to_contain_text("8x8 digits: 21 test images")
    # the same file once more is another data set
    learn_from(page, patients)
    expect(page.get_by_role("group", name="Settings of the run")).to_contain_text("my patients 2")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("age,smokes\n40,yes\n31,no", "got \u201c40\u201d in row 1, column age"),
        ("a,b\n" + "1,0\n" * 10, "at least 20 rows of which all is known, to learn from, got 10"),
        ("", "expected a table of 2 to 1,000 columns, got 0"),
    ],
    ids=["numbers", "few rows", "empty"],
)
def test_a_table_that_nothing_can_be_learned_from_is_refused_in_words(
    open_training, tmp_path: Path, text: str, words: str
):
    page = open_training()
    course = page.locator(".live-course summary")
    before = shown(page), course.text_content()
    assert "8x8 digits" in (before[1] or "")
    (tmp_path / "bad.csv").write_text(text, encoding="utf-8")
    said = opened(page, tmp_path / "bad.csv")
    assert words in said
    assert said.endswith("Nothing has changed.")
    assert (shown(page), course.text_content()) == before


def test_rows_of_pixels_are_images(open_training, tmp_path: Path):
    X = load_dataset("bars").train_X[:300].astype(int)
    (tmp_path / "squares.csv").write_text("\n".join(",".join(map(str, x)) for x in X), encoding="utf-8")
    page = open_training()
    learn_from(page, tmp_path / "squares.csv")
    trained(page)
    assert page.evaluate("() => window.lrbnLive.session.meta.image_shape") == [8, 8]
    expect(page.locator(".live > header")).to_contain_text("squares: 300 images")


def test_models_learn_from_pictures(open_training, tmp_path: Path):
    X = load_dataset("bars").train_X
    bars = X[(X.mean(axis=1) > 0) & (X.mean(axis=1) < 0.4)][:30].reshape(-1, 8, 8)
    paths = [tmp_path / f"{n}.png" for n in range(len(bars))]
    for path, pixels in zip(paths, bars, strict=True):
        image = Image.fromarray(np.kron(255 * (1 - pixels), np.ones((10, 10))).astype(np.uint8))
        image.save(path)
    page = open_training()
    learn_from(page, paths)
    expect(page.get_by_role("group", name="Settings of the run")).to_contain_text("24 training images")
    trained(page)
    expect(page.locator(".live > header")).to_contain_text("30 pictures: 30 images")
    shown_pixels = page.evaluate("() => Array.from(window.lrbnLive.session.x)")
    assert shown_pixels == np.kron(bars[0], np.ones((2, 2))).ravel().tolist()
    # one that is none is named, and nothing changes
    (tmp_path / "none.png").write_text("none")
    files_of(page).locator("input[type=file]").set_input_files([*paths, tmp_path / "none.png"])
    expect(page.get_by_role("dialog", name="Files").get_by_role("status")).to_contain_text("got none.png")
    assert page.evaluate("() => window.lrbnBoards[0].meta.lanes[0].n_h") == 8


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_run_on_a_table_has_no_grave_finding(open_page, address: str, patients: Path, size):  # noqa: F811
    page = open_page(address, size)
    page.wait_for_function(STATUS, arg="new")
    page.get_by_role("button", name="Inference", exact=True).click()

    def run(page: Page) -> None:
        learn_from(page, patients)
        page.get_by_role("button", name="Single minibatch", exact=True).click()
        page.wait_for_function(STATUS, arg="paused")

    assert not audit_each(page, (run,))


PAGE_IS_MADE = """() => {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (blob.type === "text/html") blob.text().then((text) => { window.madePage = text; });
    return make(blob);
  };
  const buttons = [...document.querySelectorAll(".live-files button")];
  buttons.find(({textContent}) => textContent === "this page").click();
}"""


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_learns_from_a_table_and_its_page_is_saved(tmp_path: Path, address: str, patients: Path):
    with firefox_page(tmp_path) as page:
        page.goto(address)
        page.wait_for_function(STATUS, arg="new")
        page.evaluate(
            """(text) => {
              const input = document.querySelector(".live-files input"), chosen = new DataTransfer();
              chosen.items.add(new File([text], "my patients.csv"));
              input.files = chosen.files;
              input.dispatchEvent(new Event("change"));
            }""",
            patients.read_text(encoding="utf-8"),
        )
        page.wait_for_function(
            "() => document.querySelector('.live-course summary')?.textContent.includes('my patients')"
        )
        page.wait_for_function(STATUS, arg="new")
        page.evaluate("() => window.lrbnBoards[0].say({type: 'start'})")
        page.wait_for_function(STATUS, arg="done")
        page.evaluate("() => window.lrbnBoards[0].say({type: 'show'})")
        page.wait_for_function("() => window.lrbnLive.session.lanes[0].model.includes('my patients')")
        names = page.evaluate("() => window.lrbnLive.session.lanes.map(({model}) => model)")
        found = page.evaluate("() => Array.from(window.lrbnLive.session.traces[0].unit)")
        page.evaluate(PAGE_IS_MADE)
        page.wait_for_function("() => window.madePage")
        saved_page = tmp_path / "page.html"
        saved_page.write_text(page.evaluate("() => window.madePage"), encoding="utf-8")
        page.goto(saved_page.as_uri())
        page.wait_for_function("() => window.lrbnLive?.session.traces.length === 2")
        assert page.evaluate("() => window.lrbnLive.session.lanes.map(({model}) => model)") == names
        assert page.evaluate("() => Array.from(window.lrbnLive.session.traces[0].unit)") == found
        assert page.errors == []
        assert all(url.startswith(("file:", "blob:", "data:")) for url in page.requests), page.requests
