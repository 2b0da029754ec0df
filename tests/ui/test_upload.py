"""A visitor's own data in a real browser: chosen, previewed, refused, accepted, trained on."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from ui.journeys import wait_for_answer
from ui.test_accessibility import audit

from lrbn_viz import read_dataset

rng = np.random.default_rng(0)
# Blobs that move about, so that there is something to learn
PLACES = rng.integers(0, 7, (400, 2))
GREY = np.zeros((400, 12, 10), np.uint8)
for _image, (_top, _left) in zip(GREY, PLACES, strict=True):
    _image[_top : _top + 5, _left : _left + 4] = 200
GREY += rng.integers(0, 50, GREY.shape, dtype=np.uint8)
Y = PLACES[:, 0] > 3


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


CONTENT = npz(X=GREY, y=Y.astype(int))


@pytest.fixture
def train(page: Page, frames, serve_app) -> Page:
    """The Train page with the dialog open."""
    page.goto(serve_app.url + "?page=train")
    page.get_by_role("button", name="Use your own data").click()
    expect(dialog(page)).to_be_visible()
    return page


def dialog(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Your own data")


def choose(page: Page, content: bytes, name: str = "blobs.npz") -> None:
    files = dialog(page).locator("input[type=file]")
    files.set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": content})


def accept(page: Page) -> Locator:
    return dialog(page).get_by_role("button", name="Accept")


def wait_for_preview(page: Page) -> None:
    """Wait until the file is in, read and shown; a busy machine takes its time."""
    expect(accept(page)).to_be_enabled(timeout=60_000)


def expect_refusal(page: Page, words: str) -> None:
    expect(dialog(page).get_by_role("alert")).to_contain_text(words)


def painted(page: Page, n: int) -> np.ndarray:
    """The first n images of the preview as painted: 1 where a pixel is nearer to ink than to paper.

    Of a table the first n columns.
    """
    return np.array(
        dialog(page).evaluate(
            """(dialog, n) => {
              const canvases = Array.from(dialog.querySelectorAll(".lv-own-images canvas")).slice(0, n);
              const bits = (canvas) => {
                const {width, height} = canvas;
                const {data} = canvas.getContext("2d").getImageData(0, 0, width, height);
                return Array.from({length: width * height}, (_, i) => (data[4 * i] < 128 ? 1 : 0));
              };
              if (canvases.length) return canvases.map(bits);
              const table = dialog.querySelector(".lv-columns-cells"), found = bits(table);
              return Array.from({length: Math.min(n, table.width)}, (_, column) =>
                found.filter((_, i) => i % table.width === column));
            }""",
            n,
        )
    )


def set_range(slider: Locator, value: float) -> None:
    slider.evaluate(
        """(slider, value) => {
          slider.value = String(value);
          for (const name of ["input", "change"]) slider.dispatchEvent(new Event(name, {bubbles: true}));
        }""",
        value,
    )


def test_a_file_is_previewed_as_it_will_be_trained_on_and_the_threshold_acts_at_once(train, seen):
    choose(train, CONTENT)
    wait_for_preview(train)
    for text in ("400: 320 for training and 80 for testing", "12 × 10", "0 (", "1 ("):
        expect(dialog(train).get_by_text(text).first).to_be_visible()
    slider = dialog(train).get_by_role("slider", name="Threshold")
    threshold = float(slider.input_value())
    expected = read_dataset(CONTENT, filename="a.npz", threshold=threshold)
    np.testing.assert_array_equal(painted(train, 24), expected.train_X[:24])
    set_range(slider, 0.1)
    low = read_dataset(CONTENT, filename="a.npz", threshold=0.1)
    np.testing.assert_array_equal(painted(train, 24), low.train_X[:24])
    wait_for_answer(train)  # which may move what is clicked next
    dialog(train).get_by_label("Ink is dark").check()
    np.testing.assert_array_equal(painted(train, 24), 1 - low.train_X[:24])
    dialog(train).get_by_role("button", name="Best").click()
    expect(slider).to_have_value(f"{threshold:g}")
    wait_for_answer(train)
    dialog(train).get_by_label("standardised").check()
    expect(slider).to_be_hidden()
    expect(dialog(train).get_by_text("orange above each pixel's mean")).to_be_visible()
    seen.assert_clean(ignore=("willReadFrequently",))  # that is this test, reading canvases


class Delay:
    """Holds back what the server says, when told to; not its answers whether it is there."""

    def __init__(self) -> None:
        self.holds = False
        self.held: list[tuple[str | bytes, Callable[[], None]]] = []
        self._alive = False

    def route(self, socket: WebSocketRoute) -> None:
        """Stand between a page and its server."""

        def answer(message: str | bytes) -> None:
            if isinstance(message, str) and '"msgtype"' in message:  # a message begins; what follows is of it
                self._alive = "SERVER-INFO" in message
            if self.holds and not self._alive:
                self.held.append((message, lambda: socket.send(message)))
            else:
                socket.send(message)

        socket.connect_to_server().on_message(answer)

    def wait_for(self, page: Page, words: str) -> int:
        """Wait until a message with these words is held, and all that came with it; how many are."""
        while not any(isinstance(message, str) and words in message for message, _ in self.held):
            page.wait_for_timeout(50)
        wait_for_answer(page)
        return len(self.held)


@pytest.mark.slow
def test_an_answer_to_older_choices_does_not_undo_newer_ones(page, context, serve_app):
    delay = Delay()
    page.route_web_socket(re.compile("/ws"), delay.route)
    page.goto(serve_app.url + "?page=train")
    page.get_by_role("button", name="Use your own data").click()
    choose(page, CONTENT)
    wait_for_preview(page)
    count = "(dialog) => dialog.querySelectorAll('.lv-own-images canvas').length"
    assert dialog(page).evaluate(count) > 0
    wait_for_answer(page)
    delay.holds = True
    dialog(page).get_by_label("Ink is dark").check()
    older = delay.wait_for(page, '"preview"')
    dialog(page).get_by_label("standardised").check()
    dialog(page).evaluate("(dialog) => dialog.querySelector('.lv-own-images').replaceChildren()")
    for _, send in delay.held[:older]:
        send()
    expect(dialog(page).locator(".lv-own-images canvas").first).to_be_attached()
    expect(dialog(page).get_by_label("standardised")).to_be_checked()
    delay.holds = False
    for _, send in delay.held[older:]:
        send()
    wait_for_preview(page)
    expect(dialog(page).get_by_label("standardised")).to_be_checked()
    expect(dialog(page).get_by_label("Ink is dark")).to_be_checked()


def test_an_accepted_set_is_chosen_in_the_menu_and_can_be_trained_on(train):
    choose(train, CONTENT)
    wait_for_preview(train)
    dialog(train).get_by_label("Name").fill("my blobs")
    dialog(train).get_by_label("Name").press("Enter")
    wait_for_preview(train)
    accept(train).click()
    expect(dialog(train)).to_be_hidden(timeout=60_000)
    expect(train.get_by_text("my blobs is in the menu of data sets.")).to_be_visible()
    expect(train.get_by_label("Data set")).to_have_value("my blobs")
    train.get_by_role("button", name="Start training").first.click()
    train.wait_for_function(
        "() => new URLSearchParams(location.search).get('run')?.startsWith('my-blobs-')",
    )


def test_a_bad_file_is_refused_in_words_and_another_may_follow(train):
    choose(train, b"hello, I am no archive", "photos.zip")
    expect_refusal(train, "photos.zip does not have the format that its name gives: expected a zip")
    expect(accept(train)).to_be_hidden()
    choose(train, CONTENT)
    wait_for_preview(train)
    expect(dialog(train).get_by_role("alert")).to_be_hidden()


def zip_of_a_name_that_begins_with_nul() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("_a.png", b"")
    return file.getvalue().replace(b"_a.png", b"\0a.png")


@pytest.mark.slow
def test_a_file_that_confuses_its_reader_is_refused_and_another_may_follow(train, serve_app):
    n_lines = len(serve_app.log)
    for name, content, words in (
        ("bad.npy", b"\x93NUMPY\x01\x00\x03\x00(((", "bad.npy is damaged: expected a NumPy array's header"),
        ("nul.zip", zip_of_a_name_that_begins_with_nul(), "nul.zip holds no .png or .jpg among its 1 files"),
        ("long.csv", b"1\n" * 2**20, "long.csv has 1,048,577 lines; expected at most 1,000,000"),
    ):
        choose(train, content, name)
        expect_refusal(train, words)
        choose(train, CONTENT)
        wait_for_preview(train)
        expect(dialog(train).get_by_role("alert")).to_be_hidden()
    assert not [line for line in serve_app.log[n_lines:] if "Traceback" in line or "ERROR" in line]


def test_a_fault_of_the_program_ends_in_words_and_once_in_the_log_and_the_next_file_works(page, workshop):
    before = len(workshop.log)
    page.goto(workshop.url + "?page=train")
    page.get_by_role("button", name="Use your own data").click()
    choose(page, CONTENT, "odd.npz")
    expect_refusal(page, "odd.npz was not read because of an error in the program (IndexError)")
    expect(dialog(page).get_by_role("button", name="Choose a file")).to_be_visible()
    choose(page, CONTENT)
    wait_for_preview(page)
    expect(dialog(page).get_by_role("alert")).to_be_hidden()
    said = [line for line in workshop.log[before:] if "IndexError: a fault that nobody thought of" in line]
    assert len(said) == 1


@pytest.mark.slow
def test_a_file_over_the_limit_is_refused_before_it_is_sent(train, frames):
    dialog(train).evaluate(
        """dialog => {
          const files = dialog.querySelector("input[type=file]"), carrier = new DataTransfer();
          carrier.items.add(new File([new Uint8Array(65 * 2 ** 20)], "huge.npy"));
          files.files = carrier.files;
          files.dispatchEvent(new Event("change"));
        }"""
    )
    expect_refusal(train, "huge.npy has 65.0 MiB; expected at most 64.0 MiB")
    assert max(frames.lengths) < 10_000


def test_cancelling_forgets_the_file(train):
    choose(train, CONTENT)
    wait_for_preview(train)
    dialog(train).get_by_role("button", name="Cancel").click()
    expect(dialog(train)).to_be_hidden(timeout=60_000)
    train.get_by_role("button", name="Use your own data").click()
    expect(dialog(train).get_by_role("button", name="Choose a file")).to_be_visible()
    expect(accept(train)).to_be_hidden()


def test_a_large_file_goes_in_pieces(train, frames):
    images = rng.integers(0, 256, (4000, 28, 28), dtype=np.uint8)
    content = npz(X=images)
    choose(train, content, "noise.npz")
    wait_for_preview(train)
    expect(dialog(train).get_by_text("4,000: 3,200 for training and 800 for testing")).to_be_visible()
    assert max(frames.lengths) < 2**20
    assert sum(length > 100_000 for length in frames.lengths) == -(-len(content) // (384 * 1024))


def test_a_folder_of_images_names_its_classes_and_asks_for_a_size_if_they_differ(train):
    from PIL import Image

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for row, image in enumerate(GREY[:40]):
            picture = io.BytesIO()
            shown = image if row else image.repeat(2, 0).repeat(2, 1)
            Image.fromarray(shown).save(picture, "PNG")
            archive.writestr(f"blobs/{'low' if Y[row] else 'high'}/{row:03}.png", picture.getvalue())
    choose(train, file.getvalue(), "pictures.zip")
    expect_refusal(train, "Give the height and width to scale all images to")
    form = dialog(train).locator("form")
    form.get_by_label("Height, pixels").fill("12")
    form.get_by_label("Width, pixels").fill("10")
    form.get_by_role("button", name="Scale to this size").click()
    wait_for_preview(train)
    for text in ("high (", "low (", "Images were scaled to 12 x 10 pixels."):
        expect(dialog(train).get_by_text(text).first).to_be_visible()


@pytest.mark.parametrize("dark", [pytest.param(False, marks=pytest.mark.slow), True])
def test_axe_finds_nothing_grave_in_the_dialog(train, dark):
    if dark:
        dialog(train).get_by_role("button", name="Cancel").click()
        train.get_by_label("Toggle theme").first.click()
        train.get_by_role("button", name="Use your own data").click()
    choose(train, CONTENT)
    wait_for_preview(train)
    new, _, passed = audit(train)
    assert not [line for line in new if "lv-own" in line or "own-title" in line], "\n".join(new)
    assert "color-contrast" in passed


@pytest.mark.slow
def test_the_dialog_fits_a_phone(page, serve_app):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(serve_app.url + "?page=train")
    page.get_by_role("button", name="Open drawer").click()
    page.get_by_role("button", name="Use your own data").click()
    name = "_".join(["a_name_that_somebody_gave_to_a_file"] * 3)
    choose(page, b"no archive", f"{name}.npz")
    expect_refusal(page, f"{name}.npz does not have the format that its name gives")
    too_wide = dialog(page).evaluate("(node) => node.scrollWidth - node.clientWidth")
    assert too_wide <= 0, f"a refusal is {too_wide} px wider than the dialog"
    choose(page, CONTENT, f"{name}.npz")
    wait_for_preview(page)
    too_wide = dialog(page).evaluate("(node) => node.scrollWidth - node.clientWidth")
    assert too_wide <= 0, f"{too_wide} px wider than the dialog"


PEOPLE = {
    "id": rng.permutation(900)[:60],
    "age": rng.integers(18, 90, 60),
    "smoker": np.array(["no", "yes"])[rng.integers(0, 2, 60)],
    "sex": np.array(["male", "female"])[rng.integers(0, 2, 60)],
    "outcome": np.array(["healthy", "ill"])[np.arange(60) % 2],
}
ROWS = [PEOPLE, *zip(*PEOPLE.values(), strict=True)]
PEOPLE_CSV = "\n".join(",".join(map(str, row)) for row in ROWS).encode()


@pytest.mark.parametrize(
    "size", [pytest.param((1440, 900), marks=pytest.mark.slow), (390, 844)], ids=["wide", "phone"]
)
def test_what_columns_of_a_table_are_is_asked_beside_their_controls_and_each_answer_is_taken(
    page, serve_app, seen, size
):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(serve_app.url + "?page=train")
    if size[0] < 600:
        page.get_by_role("button", name="Open drawer").click()
    page.get_by_role("button", name="Use your own data").click()
    choose(page, PEOPLE_CSV, "people.csv")
    wait_for_preview(page)
    box = dialog(page)
    question = box.locator(".lv-own-table [role=alert]")
    expect(question).to_contain_text("people.csv holds words in column 4, sex")
    control = box.get_by_label("Column of the classes")
    entries = control.locator("option").all_inner_texts()
    named = ["column 2, age", "column 3, smoker", "column 4, sex", "column 5, outcome"]
    assert entries == ["detect automatically", "none", *named]
    for part in (question, control):
        where = part.bounding_box()
        assert where is not None
        assert where["y"] + where["height"] <= size[1], "it is in sight"
    control.select_option("column 5, outcome")
    expect(question).to_contain_text("no common scale: age")
    expect(box.get_by_text("healthy (30), ill (30)")).to_be_visible()
    expect(box.get_by_label("Read outcome")).to_be_disabled()
    box.get_by_label("age is 1 from").fill("40")
    box.get_by_label("age is 1 from").press("Tab")
    expect(question).to_be_hidden()
    box.get_by_label("sex is 1 for").select_option("female")
    expect(box.locator("dl")).to_contain_text("Variables3")
    expected = read_dataset(
        PEOPLE_CSV, filename="people.csv", labels="outcome", thresholds={"age": 40, "sex": "female"}
    )
    np.testing.assert_array_equal(painted(page, 24), expected.train_X[:24])
    box.get_by_label("Read smoker").uncheck()
    expect(box.locator("dl")).to_contain_text("Variables2")
    np.testing.assert_array_equal(painted(page, 24), expected.train_X[:24, [0, 2]])
    too_wide = box.evaluate("(node) => node.scrollWidth - node.clientWidth")
    assert too_wide <= 0, f"{too_wide} px wider than the dialog"
    new, _, _ = audit(page)
    assert not [line for line in new if "lv-own" in line or "own-title" in line], "\n".join(new)
    seen.assert_clean(ignore=("willReadFrequently",))


def test_a_column_with_a_word_among_numbers_can_be_left_out_though_the_table_cannot_be_read(train):
    ages = PEOPLE["age"].astype(object)
    ages[30] = "old"
    rows = [["age", "smoker", "drinks"], *zip(ages, PEOPLE["smoker"], PEOPLE["smoker"][::-1], strict=True)]
    choose(train, "\n".join(",".join(map(str, row)) for row in rows).encode(), "people.csv")
    complaint = dialog(train).get_by_role("alert").filter(has_text="line 32, column 1 of people.csv")
    expect(complaint).to_be_visible()
    dialog(train).get_by_label("Read age").uncheck()
    wait_for_preview(train)
    expect(complaint).to_be_hidden()
    expect(dialog(train).locator("dl")).to_contain_text("Variables2")
