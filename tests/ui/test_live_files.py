"""Files of a live page, from a disk: models for Python, models of Python, and the page with both."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Download, Locator, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.test_accessibility import NARROW, WIDE, audit_each, open_page, plain, scheme  # noqa: F401

from lrbn_viz import LRBN, RBM, export_live, load_model, pretrained
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.datasets import load_dataset

IMAGE = 3
N_LATENTS = 12
NAMES = ("\u00e9clair", 'a "quote", a \\', "<b>bold</b>", "\U0001f4a1")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page of the model of bars lies."""
    path = tmp_path_factory.mktemp("files") / "bars.html"
    export_live(path, "lrbn-16-bars", n_images=20)
    return f"{path.as_uri()}#model=lrbn-16-bars"


@pytest.fixture
def live(context: BrowserContext, seen) -> Iterator[Page]:
    """A page without a network; nothing goes wrong on it."""
    context.set_offline(True)
    page = context.new_page()
    yield page
    seen.assert_clean()


def files_of(page: Page) -> Locator:
    """Open the files, and return their dialog."""
    page.get_by_role("button", name="Files", exact=True).click()
    return page.get_by_role("dialog", name="Files")


def opened(page: Page, path: Path) -> str:
    """Open a file; return what the page says of it."""
    dialog = files_of(page)
    dialog.locator("input[type=file]").set_input_files(path)
    said = dialog.get_by_role("status")
    expect(said).not_to_have_text("")
    text = said.text_content() or ""
    dialog.get_by_role("button", name="close").click()
    return text


def saved(page: Page, name: str, path: Path) -> Path:
    """Press the button of this name among the files; return where its file lies."""
    dialog = files_of(page)
    with page.expect_download() as found:
        dialog.get_by_role("button", name=name, exact=True).click()
    download: Download = found.value
    download.save_as(path)
    expect(dialog.get_by_role("status")).to_have_text(f"{download.suggested_filename} is saved.")
    dialog.get_by_role("button", name="close").click()
    return path


def shown(page: Page) -> list[str]:
    page.wait_for_function("() => window.lrbnLive")
    return page.evaluate("() => window.lrbnLive.session.lanes.map(({model}) => model)")


def ends(page: Page) -> list[dict[str, Any]]:
    """What both lanes end with."""
    return page.evaluate(
        """() => window.lrbnLive.session.traces.map(({h0, unit, logOdds}) =>
            ({h0: Array.from(h0), unit: Array.from(unit), log_odds: Array.from(logOdds)}))"""
    )


def assert_same_parameters(model: Any, other: Any) -> None:
    for layer, expected in zip(model.layers, other.layers, strict=True):
        for ours, theirs in zip(layer, expected, strict=True):
            np.testing.assert_array_equal(ours, theirs)


def random_lrbn(rng: np.random.Generator, *sizes: int) -> LRBN:
    """A network of layers of these sizes, the visible units first."""
    layers = [
        (rng.normal(0, 1, (low, high)), rng.normal(-1, 1, low), rng.normal(-1, 1, high))
        for low, high in itertools.pairwise(sizes)
    ]
    return LRBN.from_layers(layers, "bernoulli", max_sweeps=7, init="zeros")


def test_a_shipped_model_that_the_page_saves_is_that_model(live: Page, address: str, tmp_path: Path):
    live.goto(address)
    path = saved(live, PRETRAINED["lrbn-16-bars"].title, tmp_path / "bars.npz")
    model, expected = load_model(path), pretrained("lrbn-16-bars")
    assert type(model) is type(expected)
    assert_same_parameters(model, expected)
    assert model.get_params() == expected.get_params()
    assert model.provenance_ == expected.provenance_


@pytest.mark.parametrize("sizes", [(64, N_LATENTS), (64, 9, 5)], ids=["one layer", "two layers"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_a_model_of_python_is_inferred_as_python_infers_it(
    live: Page, address: str, tmp_path: Path, sizes: tuple[int, ...], dtype: type
):
    model = random_lrbn(np.random.default_rng(8), *sizes)
    path = tmp_path / "mine.npz"
    model.save(path, dtype=dtype, provenance={"data": "bars"})
    model = load_model(path)  # rounded as its file is
    live.goto(f"{address}&image={IMAGE}")
    assert opened(live, path).startswith("mine is shown: mine")
    factorised = ["factorised:mine"] if len(sizes) == 2 else []
    assert shown(live)[: 1 + len(factorised)] == ["mine", *factorised]
    expect(live.locator(".live > header")).to_contain_text("Crossing bars")
    trace = model.trace(load_dataset("bars").test_X[IMAGE])
    found = ends(live)[0]
    assert found["h0"] == trace.latents(0).tolist() == [0] * sum(sizes[1:])
    assert found["unit"] == trace.unit.tolist()
    np.testing.assert_allclose(found["log_odds"], trace.log_odds, atol=1e-9)
    assert_same_parameters(load_model(saved(live, "mine", tmp_path / "again.npz")), model)


def test_names_of_units_are_kept_and_shown_as_text(live: Page, address: str, tmp_path: Path):
    model = random_lrbn(np.random.default_rng(2), 64, len(NAMES)).name_units(NAMES)
    model.save(tmp_path / "named.npz")
    live.goto(address)
    opened(live, tmp_path / "named.npz")
    assert live.evaluate("() => window.lrbnLive.session.modelOf('named').names") == list(NAMES)
    assert live.locator("b", has_text="bold").count() == 0
    again = load_model(saved(live, "named", tmp_path / "again.npz"))
    assert again.latent_names_ == NAMES
    assert again.max_sweeps == 7


def test_an_rbm_stands_below_the_model_that_was_shown(live: Page, address: str, tmp_path: Path):
    rng = np.random.default_rng(4)
    model = RBM.from_params(rng.normal(0, 1, (64, 5)), rng.normal(0, 1, 64), rng.normal(0, 1, 5))
    model.save(tmp_path / "rbm.npz", provenance={"data": "bars"})
    live.goto(address)
    assert "restricted Boltzmann machine" in opened(live, tmp_path / "rbm.npz")
    assert shown(live) == ["lrbn-16-bars", "rbm"]
    again = load_model(saved(live, "rbm", tmp_path / "again.npz"))
    assert type(again) is RBM
    assert_same_parameters(again, model)


def test_a_model_is_shown_with_the_images_that_it_learned_from(live: Page, address: str, tmp_path: Path):
    pretrained("lrbn-12-digits").save(tmp_path / "digits.npz")
    pretrained("lrbn-16-bars").save(tmp_path / "bars.npz")
    live.goto(address)
    opened(live, tmp_path / "digits.npz")
    expect(live.locator(".live > header")).to_contain_text("8x8 digits")
    expect(live.locator("#live-images")).to_contain_text("9")
    expect(live.locator("#live-images")).not_to_contain_text("bars")
    opened(live, tmp_path / "bars.npz")
    expect(live.locator(".live > header")).to_contain_text("Crossing bars")


def bad_files(folder: Path) -> dict[str, str]:
    """Write files that the page cannot open; return what it says of each."""
    pretrained("dbn-200-200-mnist").save(folder / "dbn.npz")
    random_lrbn(np.random.default_rng(1), 10, 3).save(folder / "ten.npz")
    random_lrbn(np.random.default_rng(1), 64, 3).save(folder / "whole.npz")
    content = (folder / "whole.npz").read_bytes()
    (folder / "cut.npz").write_bytes(content[:-40])
    (folder / "text.npz").write_text("no archive")
    (folder / "empty.npz").write_bytes(b"")
    with np.load(folder / "whole.npz") as arrays:
        np.savez(folder / "lacks.npz", **{name: arrays[name] for name in arrays.files if name != "b0"})
        np.savez(folder / "odd.npz", **{**dict(arrays), "d0": np.zeros(4)})
        np.savez(folder / "infinite.npz", **{**dict(arrays), "d0": np.array([0, np.inf, 0])})
    return {
        "dbn": "expected an LRBN or an RBM, got DBN",
        "ten": "visible units, got 10",
        "cut": "expected a file that save() wrote",
        "text": "expected a file that save() wrote",
        "empty": "expected a file that save() wrote",
        "lacks": "expected numbers called b0, got none",
        "odd": "expected d0 of shape 3, got 4",
        "infinite": "expected finite numbers in d0",
    }


def test_a_file_that_is_no_model_is_refused_in_words_and_changes_nothing(
    live: Page, address: str, tmp_path: Path
):
    live.goto(address)
    before = shown(live), ends(live)
    for name, words in bad_files(tmp_path).items():
        said = opened(live, tmp_path / f"{name}.npz")
        assert said.startswith(f"{name}.npz: "), said
        assert words in said, said
        assert said.endswith("Nothing has changed."), said
        assert (shown(live), ends(live)) == before, name


def test_the_page_is_saved_with_its_models_and_opens_where_it_was(
    live: Page, address: str, context: BrowserContext, tmp_path: Path
):
    random_lrbn(np.random.default_rng(8), 64, N_LATENTS).save(tmp_path / "mine.npz")
    live.goto(address)
    opened(live, tmp_path / "mine.npz")
    live.keyboard.press("End")
    path = saved(live, "this page", tmp_path / "page.html")
    again = context.new_page()
    again.goto(path.as_uri())
    again.wait_for_function("() => window.lrbnLive")
    assert shown(again) == ["mine", "factorised:mine"]
    assert ends(again) == ends(live)
    cursor = "() => window.lrbnLive.player.k"
    assert again.evaluate(cursor) == live.evaluate(cursor) > 0
    # and so is that page: of one size, not larger with each time
    third = saved(again, "this page", tmp_path / "third.html")
    assert abs(third.stat().st_size - path.stat().st_size) < 200
    assert third.read_text("utf-8").count('id="added"') == 1


def test_a_model_that_the_page_trained_infers_in_python_as_it_does_there(live: Page, tmp_path: Path):
    path = tmp_path / "trains.html"
    export_live(path, n_images=20, train=True)
    live.goto(path.as_uri())
    status = "(status) => window.lrbnBoards[0].status === status"
    live.wait_for_function(f"() => window.lrbnBoards && ({status})('new')")
    live.get_by_role("combobox", name="LRBN: prior").select_option("learned")
    live.get_by_role("textbox", name="Seed").fill("5")
    live.keyboard.press("Tab")
    live.get_by_role("button", name="Reset").click()
    live.get_by_role("button", name="Start training").click()
    live.wait_for_function("() => window.lrbnBoards[0].lanes[0].step > 200")
    live.get_by_role("combobox", name="RBM: learning rate").select_option("0.05")
    live.get_by_role("button", name="Pause").click()
    live.wait_for_function(status, arg="paused")
    live.evaluate("() => window.lrbnBoards[0].say({type: 'inspect', number: 0})")
    live.wait_for_function("() => window.lrbnLive.session.lanes[0].model.startsWith('LRBN in training')")
    found, (name, rival) = ends(live), shown(live)
    x = np.array(live.evaluate("() => Array.from(window.lrbnLive.session.x)"))
    lrbn = load_model(saved(live, name, tmp_path / "lrbn.npz"))
    rbm = load_model(saved(live, rival, tmp_path / "rbm.npz"))
    assert (type(lrbn), type(rbm)) == (LRBN, RBM)
    assert lrbn.provenance_["data"] == "digits"
    assert lrbn.provenance_["minibatches"] > 200
    assert lrbn.provenance_["seed"] == 5
    assert (lrbn.prior, rbm.learning_rate, lrbn.learning_rate) == ("learned", 0.05, 0.5)
    assert rbm.provenance_["changes"][0].startswith("RBM, learning rate 0.05, from minibatch ")
    for model, end in zip((lrbn, rbm), found, strict=True):
        trace = model.trace(x)
        assert end["unit"] == trace.unit.tolist()
        np.testing.assert_allclose(end["log_odds"], trace.log_odds, atol=1e-9)
    # the page that is saved has learned
    again = saved(live, "this page", tmp_path / "learned.html")
    live.goto(again.as_uri())
    live.wait_for_function("() => window.lrbnLive")
    assert shown(live) == [name, rival]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_files_have_no_grave_finding(open_page, address: str, size):  # noqa: F811
    page = open_page(address, size)

    def files(page: Page) -> None:
        expect(files_of(page)).to_be_visible()
        width = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
        assert width <= 0

    assert not audit_each(page, (files,))
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Files")).to_be_hidden()


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_opens_a_model(tmp_path: Path, address: str):
    random_lrbn(np.random.default_rng(8), 64, N_LATENTS).save(tmp_path / "mine.npz")
    content = (tmp_path / "mine.npz").read_bytes()
    with firefox_page(tmp_path) as page:
        page.goto(address)
        page.wait_for_function("() => window.lrbnLive")
        page.evaluate(
            """(content) => {
                const input = document.querySelector(".live-files input"), files = new DataTransfer();
                files.items.add(new File([new Uint8Array(content)], "mine.npz"));
                input.files = files.files;
                input.dispatchEvent(new Event("change"));
            }""",
            list(content),
        )
        page.wait_for_function("() => window.lrbnLive.session.lanes[0].model === 'mine'")
        assert page.errors == []
