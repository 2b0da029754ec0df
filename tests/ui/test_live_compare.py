"""The Compare view of a live page, from a disk: its own models and those trained in it, beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.journeys import Evaluating
from ui.test_accessibility import NARROW, SIZES, audit_each, open_page, plain, scheme  # noqa: F401
from ui.test_live_files import opened
from ui.test_live_own_table import learn_from
from ui.test_live_training import press, train, wait_for

from lrbn_viz import LRBN, export_live, load_dataset, pretrained
from lrbn_viz.io.constants import IMAGES_BRACKETED, NARROW_NATS
from lrbn_viz.measure import log_likelihood, reconstruction_error
from lrbn_viz.measure.bracket import bounded_log_likelihood

COMPARE = "#page=compare"
SEEN = """() => {
  const state = window.lrbnComparisons?.[0]?.state();
  return state && state.done.length && state.done.length === state.systems.length;
}"""
IMAGES = """(name) => {
  const [board] = window.lrbnComparisons, {rows, seen} = board.pictures;
  const place = seen.findIndex((each) => each.name === name);
  const of = (kind) => rows.map((_, m) => Array.from(board.image(`${place}.${kind}`, m)));
  return {rows, wrong: seen[place].wrong, on: seen[place].on, made: of("made"), samples: of("samples")};
}"""
DIGITS = ("lrbn-16-digits", "rbm-16-digits", "lrbn-16-digits-strokes")
N_IMAGES = 20


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page lies that trains on digits, and compares."""
    path = tmp_path_factory.mktemp("comparing") / "compares.html"
    assert export_live(path, n_images=N_IMAGES, train=True) <= 1_000_000
    return path.as_uri()


@pytest.fixture
def open_comparison(context: BrowserContext, address: str, seen) -> Iterator[Callable[..., Page]]:
    """Open the page without a network; nothing may be asked for or go wrong."""
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))

    def open_comparison(query: str = COMPARE) -> Page:
        page = context.new_page()
        page.goto(address + query)
        if query.startswith(COMPARE):
            page.wait_for_function(SEEN)
        return page

    yield open_comparison
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    seen.assert_clean()


def view(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Views").get_by_role("button", name=name, exact=True)


def systems(page: Evaluating) -> list[str]:
    return page.evaluate("() => window.lrbnComparisons[0].state().systems")


def table(page: Page) -> dict[str, list[str]]:
    """Return the cells of log P(x), by the title of the system."""
    rows = page.locator(".lv-papers tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


def measured(page: Page, n: int) -> dict[str, list[str]]:
    """Return the same once so many systems are measured."""
    page.wait_for_function(
        "(n) => [...document.querySelectorAll('.lv-papers tbody tr')].filter((row) => /\\d/.test("
        "row.children[1].textContent)).length === n",
        arg=n,
    )
    return table(page)


def value(text: str) -> float:
    return float(text.split(" ")[0].replace("\u2212", "-"))


def test_reconstructions_and_samples_are_pythons(open_comparison):
    page = open_comparison()
    assert systems(page) == list(DIGITS)
    X = load_dataset("digits", binary=True).test_X
    for name in DIGITS:
        found, model = page.evaluate(IMAGES, name), pretrained(name)
        shown = X[found["rows"]]
        assert found["made"] == model.reconstruct(shown).tolist()
        assert found["wrong"] == reconstruction_error(model, shown).tolist()
        assert found["on"] == np.hstack(model.infer(shown)).sum(axis=1).tolist()
        assert found["samples"] == model.sample(len(shown), random_state=0).tolist()


def test_log_likelihoods_of_small_models_are_exact_and_pythons(open_comparison):
    page = open_comparison()
    found = measured(page, len(DIGITS))
    rows = page.evaluate(IMAGES, DIGITS[0])["rows"]
    X = load_dataset("digits", binary=True).test_X
    own = page.evaluate("() => Array.from(window.lrbnLive.session.arrays.index)")
    for name, (mean, lower, upper, how, error, *each) in zip(DIGITS, found.values(), strict=True):
        wanted = log_likelihood(pretrained(name), X[own], method="exact")
        assert lower == upper == mean.split(" ")[0]
        assert (how, error) == ("exact, summed over states", "")
        assert mean == f"{wanted.mean:.2f} ± {wanted.standard_error:.2f}".replace("-", "\u2212")
        values = log_likelihood(pretrained(name), X[rows], method="exact").values
        assert [value(text) for text in each] == pytest.approx(values, abs=0.0051)
    expect(page.get_by_role("button", name="Estimate by AIS")).to_be_disabled()


def test_models_that_the_page_trains_are_compared_with_those_that_it_came_with(open_comparison):
    page = open_comparison("")
    page.wait_for_function("() => window.lrbnBoards?.[0].status === 'new'")
    train(page, 3)
    step = page.evaluate("() => window.lrbnBoards[0].lanes[0].step")
    view(page, "Compare").click()
    page.wait_for_function(SEEN)
    assert "page=compare" in page.url
    add = page.get_by_role("button", name="Add the models in training as they are now")
    add.click()
    page.wait_for_function("() => window.lrbnComparisons[0].state().systems.length === 5")
    page.wait_for_function(SEEN)
    own = [f"{kind} in training, after minibatch {step:,}" for kind in ("LRBN", "RBM")]
    assert set(own) < set(systems(page))
    assert set(systems(page)) & set(DIGITS)
    page.get_by_role("button", name="Estimate by AIS").click()
    n = len(systems(page))
    found = measured(page, n)
    lrbn, rbm = (found[title] for title in own)
    assert lrbn[3] == "AIS, 300 temperatures"
    assert rbm[3] == "AIS of log Z, 300 temperatures, 100 chains"
    assert rbm[4].startswith("± 0.")
    for mean, *bounds in (lrbn[:3], rbm[:3]):
        lower, upper = map(value, bounds)
        assert -40 < lower <= upper < -15
        assert mean.startswith("between") == (upper - lower > NARROW_NATS)
    # further training, and the models that it leaves, are offered too
    view(page, "Train").click()
    press(page, "Single minibatch")
    wait_for(page, "paused")
    view(page, "Compare").click()
    add.click()
    page.wait_for_function(f"() => window.lrbnComparisons[0].state().systems.length === {n + 2}")
    page.wait_for_function(SEEN)
    assert "Inference" in page.get_by_role("navigation", name="Views").inner_text()
    view(page, "Inference").click()  # where they are offered, too
    assert page.evaluate("(key) => window.lrbnLive.session.infos.has(key)", own[0])


def test_an_estimate_tells_how_far_it_is_and_stops(tmp_path: Path, context: BrowserContext, seen):
    path = tmp_path / "all.html"
    export_live(path, n_images=100)
    page = context.new_page()
    page.goto(path.as_uri() + COMPARE)
    page.wait_for_function(SEEN)
    page.get_by_label("Temperatures of AIS").select_option("1000")
    page.get_by_role("button", name="Estimate by AIS").click()
    bar = page.get_by_role("progressbar", name="Measurement of log P(x)")
    page.wait_for_function("() => document.querySelector('.live-ais progress').value > 0.02")
    expect(page.get_by_label("Temperatures of AIS")).to_be_disabled()
    page.get_by_role("button", name="Stop").click()
    expect(bar).to_be_hidden()
    assert all(cells[0] == "" and cells[3] == "not estimated yet" for cells in table(page).values())
    page.get_by_label("Temperatures of AIS").select_option("100")
    page.get_by_role("button", name="Estimate by AIS").click()
    found = measured(page, len(table(page)))
    X = load_dataset("mnist5k").test_X[:100]
    name = "lrbn-200-mnist-learned"
    how: dict[str, Any] = {"n_temperatures": 100, "random_state": 0}
    bounded = bounded_log_likelihood(pretrained(name), X, IMAGES_BRACKETED, **how)
    bounds = [value(cell) for cell in found["LRBN-200, learned prior"][1:3]]
    assert bounds == pytest.approx([bounded.lower, bounded.upper], abs=0.1)
    assert found["RBM-200"][0].startswith("between \u2212")
    seen.assert_clean()


def test_a_model_of_two_layers_that_is_opened_is_estimated_as_in_python(open_comparison, tmp_path: Path):
    rng, path = np.random.default_rng(1), tmp_path / "two layers.npz"
    shapes = [(64, 30), (64,), (30,), (30, 8), (8,)]
    W, b, d, U, e = (rng.normal(0, 0.5, shape) for shape in shapes)
    model = LRBN.from_params(W, b, d, U=U, e=e)
    model.save(path)
    page = open_comparison("")
    page.wait_for_function("() => window.lrbnTraining")
    view(page, "Inference").click()
    assert "two layers is shown" in opened(page, path)
    view(page, "Compare").click()
    page.wait_for_function(SEEN)
    page.get_by_role("button", name="Estimate by AIS").click()
    found = measured(page, len(systems(page)))["two layers"]
    own = page.evaluate("() => Array.from(window.lrbnLive.session.arrays.index)")
    X = load_dataset("digits", binary=True).test_X[own]
    how: dict[str, Any] = {"n_temperatures": 300, "random_state": 0}
    bounded = bounded_log_likelihood(model, X, min(IMAGES_BRACKETED, len(X)), **how)
    assert [value(cell) for cell in found[1:3]] == pytest.approx([bounded.lower, bounded.upper], abs=0.1)


def test_models_of_a_visitors_table_with_unknown_cells_are_exact(open_comparison, tmp_path: Path):
    X, path = np.random.default_rng(2).random((60, 7)) < 0.4, tmp_path / "mine.csv"
    rows = [["yes" if value else "no" for value in x] for x in X]
    for row in rows[::9]:
        row[3] = ""
    path.write_text("\n".join(",".join(row) for row in ["abcdefg", *rows]), encoding="utf-8")
    page = open_comparison("")
    page.wait_for_function("() => window.lrbnTraining")
    view(page, "Inference").click()
    learn_from(page, path)
    view(page, "Compare").click()
    page.wait_for_function(SEEN)
    found = measured(page, 2)
    assert all(cells[3] == "exact, summed over states" for cells in found.values())
    expect(page.get_by_text("The rows are those of the file")).to_be_visible()
    expect(page.get_by_role("group", name="test rows", exact=False).first).to_be_visible()


def test_the_address_says_what_is_compared(open_comparison):
    page = open_comparison()
    page.get_by_role("button", name="Other images").click()
    page.get_by_label("RBM-16, 8x8 digits").uncheck()
    page.wait_for_function(SEEN)
    shown = page.evaluate("() => window.lrbnComparisons[0].state()")
    query = page.url[page.url.index("#") :]
    assert query == f"{COMPARE}&data=digits&systems=lrbn-16-digits.lrbn-16-digits-strokes&seed=1"
    again = open_comparison(query)
    other = again.evaluate("() => window.lrbnComparisons[0].state()")
    assert [other[part] for part in ("systems", "rows")] == [shown[part] for part in ("systems", "rows")]
    view(again, "Inference").click()
    expect(again.get_by_role("main", name="Inference")).to_be_visible()
    assert "page=" not in again.url
    again.wait_for_function("() => location.hash.startsWith('#model=')")  # and goes on to be written
    again.keyboard.press("End")
    again.wait_for_function("() => /visit=[1-9]/.test(location.hash)")
    strange = open_comparison(f"{COMPARE}&data=none&systems=none.x&seed=-3")
    assert systems(strange) == list(DIGITS)


def test_another_data_set_is_chosen(open_comparison):
    page = open_comparison()
    data = page.get_by_label("Data set", exact=True)
    for option in data.locator("option").all_inner_texts():
        data.select_option(label=option)
        page.wait_for_function(SEEN)
    assert page.evaluate("() => window.lrbnComparisons[0].state().dataset") != "digits"


def test_a_name_that_is_pressed_highlights_a_system_by_keys(open_comparison):
    page = open_comparison()
    button = page.locator(".lv-seen .lv-name").nth(1)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".lv-seen .lv-name").nth(1)).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("() => window.lrbnComparisons[0].state().chosen") == DIGITS[1]


def test_a_page_of_two_models_carries_nothing_that_compares(tmp_path: Path):
    path = tmp_path / "plain.html"
    export_live(path, "lrbn-16-digits", n_images=20)
    text = path.read_text(encoding="utf-8")
    assert "createComparison" not in text


@SIZES
def test_the_comparison_has_no_grave_finding(open_page, address, size):  # noqa: F811
    page = open_page(address + COMPARE, size)
    page.wait_for_function(SEEN)

    def compared(_: Page) -> None:
        measured(page, len(DIGITS))

    assert not audit_each(page, (compared,))
    if size == NARROW:
        width = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        assert width <= 0


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_compares(tmp_path: Path, address: str):
    with firefox_page(tmp_path) as page:
        page.goto(address + COMPARE)
        page.wait_for_function(SEEN)
        page.wait_for_function(
            "() => document.querySelectorAll('.lv-papers tbody tr').length === 3 && "
            "[...document.querySelectorAll('.lv-papers tbody tr')].every((row) => "
            "row.children[4].textContent.startsWith('exact'))"
        )
        assert page.errors == []
        assert all(url.startswith(("file:", "blob:", "data:")) for url in page.requests), page.requests
