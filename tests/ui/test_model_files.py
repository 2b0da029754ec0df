"""A model file given on the Train page, in a real browser: sent in pieces, refused, cancelled, trained on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from ui.journeys import WAIT, budget_in_epochs, wait_until_linked
from ui.test_accessibility import audit

from lrbn_viz import LRBN

rng = np.random.default_rng(0)


def save(path: Path, n_v: int, n_h: int) -> Path:
    LRBN.from_params(rng.normal(size=(n_v, n_h)), np.zeros(n_v), np.zeros(n_h)).save(path)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A true model of more than the 15 MiB that the websocket passes in one message."""
    path = save(tmp_path_factory.mktemp("models") / "large.npz", 2500, 900)
    assert path.stat().st_size > 15 * 2**20
    return path


@pytest.fixture
def train(page: Page, frames, serve_app) -> Page:
    return go(page, serve_app.url)


def go(page: Page, address: str) -> Page:
    """Open the Train page, and wait until it takes files."""
    page.goto(address + "?page=train", timeout=WAIT)
    expect(page.get_by_role("button", name="Begin left from a file")).to_be_enabled(timeout=WAIT)
    wait_until_linked(page)
    return page


def words(page: Page) -> Locator:
    """What is said of the file, beside the field."""
    return page.locator(".lt-file").get_by_role("status")


def progress(page: Page) -> Locator:
    return page.get_by_role("progressbar", name="Progress of the model file")


def give(page: Page, file: Any, lane: str = "left") -> None:
    page.get_by_label(f"Model file for the {lane} lane").set_input_files(file)


@pytest.mark.slow
def test_a_model_of_more_than_15_mib_goes_in_pieces_with_progress_and_begins_the_next_run(
    train, frames, large, seen
):
    words(train).evaluate(
        """(node) => {
          window.noted = [];
          new MutationObserver(() => window.noted.push(node.textContent))
            .observe(node, {childList: true, characterData: true, subtree: true});
        }"""
    )
    give(train, large)
    expect(train.get_by_role("button", name="Begin left from a file")).to_be_disabled()
    expect(words(train)).to_have_text(
        "large.npz: LRBN of 900 units for images of 2,500 pixels. The next run begins from it."
    )
    shown = train.evaluate("() => window.noted")
    mib = large.stat().st_size / 2**20
    sent = [re.fullmatch(r"Sending large\.npz: ([\d.]+) of ([\d.]+) MiB", text) for text in shown]
    parts = [float(match[1]) for match in sent if match]
    assert len(set(parts)) > 10
    assert parts == sorted(parts)
    assert {match[2] for match in sent if match} == {f"{mib:.1f}"}
    assert "Reading large.npz\u2026" in shown
    expect(progress(train)).to_be_hidden()
    expect(train.get_by_role("button", name="Left: from a file")).to_be_enabled()
    expect(train.get_by_label("Latent units").first).to_have_value("900")
    assert max(frames.lengths) < 2**20
    assert sum(length > 100_000 for length in frames.lengths) == -(-large.stat().st_size // (384 * 1024))
    seen.assert_clean()


@pytest.mark.slow
def test_the_page_answers_while_a_model_is_sent(train, large):
    give(train, large)
    expect(words(train)).to_contain_text("Sending large.npz")
    budget_in_epochs(train, "many")
    expect(train.get_by_text("got 'many'")).to_be_visible()
    train.get_by_role("group", name="Training").get_by_role("button", name="Start training").click()
    expect(words(train)).to_contain_text("LRBN of 900 units")


def test_what_cannot_be_read_is_refused_before_anything_is_sent(train, frames, tmp_path, seen):
    for name, size, refusal in (
        ("huge.npz", 40 * 2**20, "huge.npz has 40.0 MiB; at most 32.0 MiB can be read."),
        ("notes.txt", 5, "notes.txt is no .npz file. Choose a model that was saved here"),
        ("empty.npz", 0, "empty.npz is empty. Choose another file."),
    ):
        with open(tmp_path / name, "wb") as file:
            file.truncate(size)
        n_frames = len(frames.lengths)
        give(train, tmp_path / name)
        expect(words(train)).to_contain_text(refusal)
        expect(progress(train)).to_be_hidden()
        assert sum(frames.lengths[n_frames:]) < 5000
    give(train, save(tmp_path / "true.npz", 784, 3))
    expect(words(train)).to_contain_text("true.npz: LRBN of 3 units")
    seen.assert_clean()


def test_a_file_that_is_no_model_is_refused_in_words_beside_the_field(train, tmp_path, seen):
    give(train, {"name": "bad.npz", "mimeType": "application/zip", "buffer": b"PK no model"}, "right")
    expect(words(train)).to_contain_text("bad.npz was not read: the file is damaged")
    expect(words(train)).to_have_attribute("data-kind", "bad")
    new, _, passed = audit(train)
    assert not [line for line in new if "lt-file" in line], "\n".join(new)
    assert "color-contrast" in passed
    seen.assert_clean()


@pytest.mark.slow
def test_sending_can_be_cancelled_and_begun_again(page, context, serve_app, large):
    held: list[Any] = []  # what does not arrive for a while: a slow line
    line = {"slow": True, "pieces": 0, "server": None}

    def route(socket: WebSocketRoute) -> None:
        server = line["server"] = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            line["pieces"] += len(message) > 100_000
            if held or (line["slow"] and line["pieces"] == 3):
                held.append(message)
            else:
                server.send(message)

        socket.on_message(pass_on)

    page.route_web_socket(re.compile(r".*/ws.*"), route)
    go(page, serve_app.url)
    give(page, large)
    expect(words(page)).to_contain_text("Sending large.npz: 0.8 of")
    page.locator(".lt-file").get_by_role("button", name="Cancel").click()
    expect(words(page)).to_have_text("")
    expect(progress(page)).to_be_hidden()
    line["slow"] = False
    for message in held:
        line["server"].send(message)
    held.clear()
    # a page that has heard nothing for two seconds says so, and sends nothing until it has an answer
    page.wait_for_function("() => !['silent', 'lost'].includes(window.lrbnConnection.state)")
    give(page, large)
    expect(words(page)).to_contain_text("LRBN of 900 units")


@pytest.mark.slow
def test_a_message_fits_a_phone(page, serve_app, tmp_path):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(serve_app.url + "?page=train", timeout=WAIT)
    page.get_by_role("button", name="Open drawer").click()
    name = "a-model-with-a-long-name-and-no-place-to-break-it" * 3 + ".npz"
    give(page, {"name": name, "mimeType": "application/zip", "buffer": b"PK no model"})
    expect(words(page)).to_contain_text("was not read")
    box = page.locator(".lt-form").evaluate("(node) => node.scrollWidth - node.clientWidth")
    assert box <= 0, f"{box} px wider than the form"


# -- on the Inference page


def test_a_model_file_opens_on_the_inference_page_and_the_way_back_leads_back(train, tmp_path, seen):
    path = tmp_path / "mine.npz"
    LRBN.from_params(rng.normal(size=(784, 9)), np.zeros(784), np.zeros(9)).save(
        path, provenance={"data": "mnist5k"}
    )
    train.get_by_label("Model file for the Inference page").set_input_files(path)
    train.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.[0]?.n_h === 9")
    menu = train.get_by_role("combobox", name="Model in lane 1", exact=True)
    expect(menu).to_have_value("live:mine.npz")
    expect(train.get_by_role("combobox", name="Model in lane 2", exact=True)).to_have_value(
        "factorised:live:mine.npz"
    )
    # beside a shipped one, and back again: what the menu names is there
    menu.select_option("lrbn-200-mnist-flat")
    train.wait_for_function("() => window.lrbnPlayers[0].lanes[0].n_h === 200")
    train.get_by_role("combobox", name="Model in lane 2", exact=True).select_option("live:mine.npz")
    train.wait_for_function("() => window.lrbnPlayers[0].lanes[1].n_h === 9")
    train.get_by_role("button", name="Back to training").click()
    expect(train.get_by_role("button", name="Open a file")).to_be_enabled()
    said = "mine.npz: LRBN of 9 units, on the Inference page with images of MNIST subset."
    expect(words(train)).to_contain_text(said)
    train.get_by_role("link", name="Inference").click()
    train.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.[1]?.n_h === 9")
    seen.assert_clean()


@pytest.mark.slow
def test_both_models_of_a_run_open_on_the_inference_page(train, seen):
    group = train.get_by_role("group", name="Training")
    group.get_by_role("button", name="Single minibatch").click()
    train.get_by_role("button", name="Open both").click()
    train.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.length === 2")
    for lane in (1, 2):
        menu = train.get_by_role("combobox", name=f"Model in lane {lane}", exact=True)
        expect(menu).to_have_value(re.compile(r"^live:digits-.*, minibatch \d+$"))
    train.get_by_role("button", name="Back to training").click()
    expect(group).to_be_visible()
    seen.assert_clean()
