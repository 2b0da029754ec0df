"""A visitor's file on its way to being a data set: pieces, preview, choices, refusal, acceptance."""

from __future__ import annotations

import base64
import io
import sys
import time
import zipfile
from dataclasses import replace
from tokenize import TokenError
from typing import Any

import numpy as np
import pytest
from fuzz.child import forget_peak, peak_memory

from lrbn_viz import read_dataset
from lrbn_viz.app.upload.panel import UploadPanel
from lrbn_viz.app.upload.preview import N_SHOWN, Choices, preview_of
from lrbn_viz.app.upload.state import MAX_STORED, OwnData, UploadState
from lrbn_viz.datasets import DATASETS
from lrbn_viz.datasets.own import LIMIT_VARIABLE, decode_own, limits
from lrbn_viz.view.player.wire import unpack

rng = np.random.default_rng(0)
GREY = rng.integers(0, 256, (60, 5, 4), dtype=np.uint8)
Y = np.repeat([0, 1, 2], 20)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def _zip_of_a_name_that_begins_with_nul() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("_a.png", b"")
    return file.getvalue().replace(b"_a.png", b"\0a.png")


ZIP_OF_A_NAME_THAT_BEGINS_WITH_NUL = _zip_of_a_name_that_begins_with_nul()


def settle(upload: UploadState) -> None:
    """Wait for the reading thread."""
    end = time.monotonic() + 30
    while upload.busy and time.monotonic() < end:
        upload.poll()
        time.sleep(0.002)
    assert not upload.busy


def send(upload: UploadState, content: bytes, filename: str = "mine.npz", piece: int = 1000) -> None:
    upload.begin(filename, len(content))
    for at in range(0, len(content), piece):
        upload.take(at, content[at : at + piece])
    settle(upload)


@pytest.fixture
def upload() -> UploadState:
    return UploadState(OwnData())


def test_a_file_in_pieces_becomes_a_preview_of_what_will_be_trained_on(upload):
    content = npz(X=GREY, y=Y)
    send(upload, content)
    assert (upload.stage, upload.received, upload.error) == ("preview", len(content), "")
    preview = upload.preview
    data = read_dataset(content, filename="mine.npz", threshold=upload.choices.threshold)
    assert (preview.n_train, preview.n_test) == (len(data.train_X), len(data.test_X))
    shown = (preview.intensity >= upload.choices.threshold).astype(np.uint8)
    np.testing.assert_array_equal(shown, data.train_X[:N_SHOWN])
    standard = read_dataset(content, filename="mine.npz", binary=False)
    np.testing.assert_allclose(preview.standard, standard.train_X[:N_SHOWN], atol=1e-5)
    assert preview.histogram.sum() == GREY.size
    assert preview.classes == (("0", 20), ("1", 20), ("2", 20))
    assert preview.image_shape == (5, 4)


def test_an_accepted_set_is_offered_by_name_and_made_as_chosen():
    own, told = OwnData(), []
    upload = UploadState(own, lambda name, binary: told.append((name, binary)))
    content = npz(X=GREY, y=Y)
    send(upload, content)
    upload.choose(name="my set", threshold=0.25, seed=4, binary=False, invert=False)
    settle(upload)
    upload.accept()
    settle(upload)
    assert told == [("my set", False)]
    assert (upload.stage, upload.preview, upload.accepted) == ("empty", None, "my set")
    assert set(own.datasets()) == {*DATASETS, "my set"}
    assert own.datasets()["my set"].n_train == 48
    for binary in (True, False):
        made = own.load("my set", binary=binary)
        wanted = read_dataset(content, filename="a.npz", threshold=0.25, seed=4, binary=binary)
        np.testing.assert_array_equal(made.train_X, wanted.train_X)
        assert made.name == "my set"
    assert own.load("digits").name == "digits"
    with pytest.raises(ValueError, match="expected the name of a data set"):
        own.load("yours")


def test_each_visitor_has_own_sets_and_only_so_many():
    own = OwnData()
    upload = UploadState(own)
    for n in range(MAX_STORED + 2):
        send(upload, npz(X=GREY, y=Y), f"set{n}.npz")
        upload.accept()
        settle(upload)
    names = set(own.datasets()) - set(DATASETS)
    assert names == {f"set{n}" for n in range(2, MAX_STORED + 2)}
    assert set(OwnData().datasets()) == set(DATASETS)


def test_a_refused_file_is_said_so_and_the_next_one_is_taken(upload):
    send(upload, b"not an archive")
    assert upload.stage == "empty"
    assert "mine.npz does not have the format that its name gives: expected a NumPy archive" in upload.error
    send(upload, npz(X=GREY))
    assert (upload.stage, upload.error) == ("preview", "")
    send(upload, b"", "empty.csv")
    assert "empty.csv is empty" in upload.error


def test_too_large_a_file_is_refused_before_a_byte_is_sent(upload, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, "0.01")
    upload.begin("big.npz", 20_000)
    assert upload.stage == "empty"
    assert "big.npz has 20,000 bytes; expected at most 10,485 bytes." in upload.error
    assert "LRBN_VIZ_MAX_MIB" in upload.error
    upload.take(0, b"x" * 100)
    assert upload.received == 0


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux only")
def test_the_largest_file_is_looked_at_in_bounded_memory():
    X = rng.integers(0, 256, (4095, 128, 128), dtype=np.uint8)
    content = npz(X=X)
    forget_peak()
    memory = peak_memory()
    own = decode_own(content, "a.npz", limits())
    preview_of(own, Choices())
    assert peak_memory() - memory < 500e6
    np.testing.assert_array_equal(own.X, X.reshape(len(X), -1))


def test_pieces_out_of_order_or_too_many_are_ignored(upload):
    content = npz(X=GREY)
    upload.begin("a.npz", len(content))
    upload.take(10, content[:10])
    upload.take(0, content + b"more")
    assert upload.received == 0
    upload.take(0, content[:100])
    upload.take(0, content[:100])
    assert upload.received == 100
    upload.take(100, content[100:])
    settle(upload)
    assert upload.stage == "preview"
    upload.take(len(content), b"late")
    assert upload.received == len(content)


def test_what_is_cancelled_leaves_nothing_even_while_it_is_read(upload):
    content = npz(X=GREY)
    upload.begin("a.npz", len(content))
    upload.take(0, content)
    upload.cancel()
    settle(upload)
    upload.poll()
    assert (upload.stage, upload.preview, upload.filename) == ("empty", None, "")
    upload.accept()
    assert set(upload.own.datasets()) == set(DATASETS)


@pytest.mark.parametrize(
    ("filename", "content", "words"),
    [
        ("bad.npy", b"\x93NUMPY\x01\x00\x03\x00(((", "expected a NumPy array's header"),
        ("nul.zip", ZIP_OF_A_NAME_THAT_BEGINS_WITH_NUL, "holds no .png or .jpg"),
    ],
)
def test_a_file_that_confuses_its_reader_is_refused_in_words(upload, caplog, filename, content, words):
    send(upload, content, filename)
    assert words in upload.error
    assert upload.stage == "empty"
    send(upload, npz(X=GREY, y=Y))
    assert (upload.stage, upload.error) == ("preview", "")
    assert not caplog.records


@pytest.mark.parametrize("error", [IndexError("odd"), TokenError("odd"), RecursionError(), KeyError("X")])
def test_an_error_that_nobody_thought_of_ends_in_words_and_once_in_the_log(
    upload, caplog, monkeypatch, error
):
    def fail(*_args: object, **_how: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr("lrbn_viz.app.upload.state.decode_own", fail)
        send(upload, npz(X=GREY), "odd.npz")
    assert (upload.stage, upload.busy) == ("empty", False)
    assert "odd.npz was not read because of an error in the program" in upload.error
    assert type(error).__name__ in upload.error
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]
    send(upload, npz(X=GREY))
    assert (upload.stage, upload.error) == ("preview", "")
    with monkeypatch.context() as patch:
        patch.setattr("lrbn_viz.app.upload.state.make_dataset", fail)
        upload.accept()
        settle(upload)
    assert (upload.stage, len(caplog.records)) == ("preview", 2)
    assert "an error in the program" in upload.error
    upload.accept()
    settle(upload)
    assert upload.accepted == "mine"


def test_what_fails_while_it_is_shown_ends_in_words_too(upload, caplog):
    def fail(*_: object) -> None:
        raise KeyError("a view")

    watcher = upload.param.watch(fail, "preview")
    send(upload, npz(X=GREY))
    assert (upload.stage, len(caplog.records)) == ("preview", 1)
    assert "an error in the program (KeyError)" in upload.error
    upload.param.unwatch(watcher)
    send(upload, npz(X=GREY))
    assert (upload.stage, upload.error) == ("preview", "")


def test_a_shape_that_nothing_tells_is_asked_for_and_then_taken(upload):
    send(upload, npz(X=GREY.reshape(60, 20)))
    assert upload.preview.image_shape is None
    assert "no square" in upload.preview.notes[-1]
    upload.accept()
    settle(upload)
    assert upload.stage == "preview"
    assert "no square" in upload.error
    upload.choose(height=4, width=5)
    settle(upload)
    assert (upload.preview.image_shape, upload.error) == ((4, 5), "")
    upload.accept()
    settle(upload)
    assert upload.own.load("mine").image_shape == (4, 5)


def test_a_table_is_read_again_for_another_column_of_classes(upload):
    rows = np.c_[GREY.reshape(60, 20)[:, :4], Y]
    content = "\n".join(",".join(map(str, row)) for row in rows).encode()
    send(upload, content, "t.csv")
    assert len(upload.preview.classes) == 3
    upload.choose(labels="none", height=5, width=1)
    settle(upload)
    assert upload.preview.classes == ()
    assert upload.preview.intensity.shape[1] == 5


N = 60
PEOPLE = {
    "id": rng.permutation(900)[:N],
    "age": rng.integers(18, 90, N),
    "smoker": np.array(["no", "yes"])[rng.integers(0, 2, N)],
    "sex": np.array(["male", "female"])[rng.integers(0, 2, N)],
    "outcome": np.array(["healthy", "ill"])[np.arange(N) % 2],
}


def people(**others: Any) -> bytes:
    columns = {**PEOPLE, **others}
    rows = [columns, *zip(*columns.values(), strict=True)]
    return "\n".join(",".join(map(str, row)) for row in rows).encode()


def test_columns_of_a_table_of_people_are_asked_about_one_after_the_other_as_python_reads_them(upload):
    send(upload, people(), "people.csv")
    assert [each.entry for each in upload.columns] == [
        "column 2, age", "column 3, smoker", "column 4, sex", "column 5, outcome",
    ]  # fmt: skip
    assert "words in column 4, sex" in upload.question
    assert "and column 5, outcome" in upload.question
    assert "labels=" not in upload.question
    assert (upload.choices.labels, upload.choices.left_out) == ("none", (2, 3))
    upload.choose(labels="3")
    settle(upload)
    assert upload.preview.classes == (("healthy", 30), ("ill", 30))
    assert upload.question.startswith("the columns have no common scale: age (")
    upload.accept()
    settle(upload)
    assert (upload.stage, upload.accepted, upload.error) == ("preview", "", "")
    assert "no common scale" in upload.question
    upload.choose(thresholds=((0, "40"), (2, "female")), left_out=())
    settle(upload)
    assert (upload.question, upload.error, upload.preview.two_valued) == ("", "", True)
    assert upload.preview.image_shape == (1, 3)
    upload.choose(left_out=(1,), height=1, width=3)  # as the page says what it shows
    settle(upload)
    assert (upload.error, upload.preview.image_shape) == ("", (1, 2))
    upload.choose(left_out=())
    upload.accept()
    settle(upload)
    data = upload.own.load(upload.accepted)
    same = read_dataset(
        people(), filename="people.csv", labels="outcome", thresholds={"age": 40, "sex": "female"}
    )
    np.testing.assert_array_equal(data.train_X, same.train_X)
    np.testing.assert_array_equal(data.test_y, same.test_y)
    assert data.class_names == same.class_names


def test_a_column_that_is_found_to_hold_the_classes_is_shown_as_chosen(upload):
    content = people()
    send(upload, b"\n".join(line.rpartition(b",")[0] for line in content.split(b"\n")), "people.csv")
    assert upload.choices.labels == "2", "sex, the only words that are not yes and no"
    assert "no common scale" in upload.question
    upload.choose(binary=False)
    settle(upload)
    assert (upload.question, upload.error) == ("", "")


def test_a_table_that_cannot_be_read_lists_its_columns_so_that_one_may_be_left_out(upload):
    ages = PEOPLE["age"].astype(object)
    ages[30] = "old"
    send(upload, people(age=ages, outcome=PEOPLE["age"] % 2), "people.csv")
    assert upload.error.startswith("line 32, column 2 of people.csv holds 'old'; expected a number")
    assert (upload.stage, upload.preview) == ("empty", None)
    assert [each.title for each in upload.columns] == ["age", "smoker", "sex", "outcome"]
    upload.choose(left_out=(0,), labels="2")
    settle(upload)
    assert (upload.stage, upload.error, upload.preview.image_shape) == ("preview", "", (1, 2))
    upload.choose(left_out=(), thresholds=((0, "x"),))
    settle(upload)
    assert upload.error == "age is 1 from 'x' on; expected a number. Fill in another."
    assert upload.stage == "preview"


def test_the_panel_tells_the_page_of_the_columns_and_takes_what_is_chosen_about_them(upload):
    panel = UploadPanel(upload)
    say = panel.box._handle_msg
    send(upload, people(), "people.csv")
    assert panel.box.question == upload.question != ""
    table = panel.box.table
    assert [column[1] for column in table["columns"]] == ["age", "smoker", "sex", "outcome"]
    assert (table["labels"], table["left_out"], table["thresholds"]) == ("none", [2, 3], [])
    defaults = {"name": "", "height": 0, "width": 0, "binary": True, "threshold": 0.5, "invert": False}
    chosen = {"labels": "3", "left_out": [1], "thresholds": [" 40 ", "", "male", ""]}
    say({"type": "choose", "turn": 4, **defaults, **chosen, "share": 0.2, "seed": 0})
    settle(upload)
    assert (upload.choices.labels, upload.choices.left_out) == ("3", (1,))
    assert upload.choices.thresholds == ((0, "40"), (2, "male"))
    assert (panel.box.question, panel.box.table["turn"]) == ("", 4)
    say({"type": "choose", "turn": 5, **defaults, **chosen, "labels": "9" * 7, "share": 0.2, "seed": 0})
    settle(upload)
    assert upload.error == ""
    send(upload, npz(X=GREY))
    assert panel.box.table == {}


def test_a_choice_that_cannot_be_is_said_and_the_preview_stays(upload):
    send(upload, npz(X=GREY))
    upload.choose(test_share=0.9)
    settle(upload)
    assert "test_share must be" in upload.error
    assert upload.stage == "preview"
    upload.choose(test_share=0.1, name="mnist")
    settle(upload)
    upload.accept()
    settle(upload)
    assert "built in; choose another" in upload.error
    assert upload.stage == "preview"


def test_choices_made_during_a_look_are_followed_and_only_the_last_look_is_shown(upload):
    send(upload, npz(X=GREY, y=Y))
    seen = []
    upload.param.watch(lambda event: seen.append(upload.choices), "preview")
    upload.choose(threshold=0.1)
    upload.choose(invert=not upload.choices.invert)
    upload.choose(test_share=0.5)
    wanted = replace(upload.choices, invert=not upload.choices.invert, test_share=0.5)
    settle(upload)
    assert (upload.stage, upload.choices.threshold) == ("preview", 0.1)
    assert seen == [upload.choices] == [wanted]
    upload.choose(test_share=7.0)
    upload.choose(test_share=0.2)  # before the refusal is known
    settle(upload)
    assert (upload.stage, upload.error, upload.choices.test_share) == ("preview", "", 0.2)


def test_the_panel_takes_pieces_as_base64_and_shows_the_preview(upload):
    panel = UploadPanel(upload)
    content = npz(X=GREY, y=Y)
    say = panel.box._handle_msg
    say({"type": "begin", "name": "mine.npz", "size": len(content), "number": 1})
    say({"type": "piece", "at": 0, "bytes": "not base64!"})
    assert panel.box.received == 0
    for at in range(0, len(content), 500):
        say({"type": "piece", "at": at, "bytes": base64.b64encode(content[at : at + 500]).decode()})
    settle(upload)
    meta, arrays = unpack(panel.box.preview)
    assert (meta["n_train"], meta["n_test"], meta["image_shape"]) == (48, 12, [5, 4])
    np.testing.assert_array_equal(arrays["intensity"], upload.preview.intensity)
    choices = {
        "name": "n",
        "labels": "auto",
        "left_out": [],
        "thresholds": [],
        "height": 0,
        "width": 0,
        "binary": True,
        "threshold": 1,
        "invert": True,
    }
    say({"type": "choose", "turn": 1, **choices, "share": 0.5, "seed": 3})
    settle(upload)
    meta = unpack(panel.box.preview)[0]
    assert (meta["n_test"], meta["turn"]) == (30, 1)
    for nonsense in (
        None,
        7,
        {},
        {"type": "choose"},
        {"type": "piece", "at": "0", "bytes": ""},
        {"type": "go"},
    ):
        say(nonsense)
    say({"type": "cancel"})
    assert panel.box.preview == b""
    assert panel.box.stage == "empty"


def test_a_folder_of_images_of_all_sizes_asks_for_one_and_scales_to_it(upload):
    import zipfile

    from PIL import Image

    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for row, image in enumerate(GREY[:30]):
            picture = io.BytesIO()
            Image.fromarray(image if row else image.repeat(2, 0)).save(picture, "PNG")
            archive.writestr(f"{row}.png", picture.getvalue())
    send(upload, file.getvalue(), "pictures.zip")
    assert (upload.stage, upload.asks_shape) == ("empty", True)
    assert "Give the height and width" in upload.error
    upload.choose(height=5, width=4)
    settle(upload)
    assert (upload.stage, upload.asks_shape, upload.error) == ("preview", False, "")
    assert upload.preview.image_shape == (5, 4)


def test_accepting_right_after_a_choice_waits_for_it(upload):
    send(upload, npz(X=GREY))
    upload.choose(name="late")
    assert upload.stage == "reading"
    upload.accept()
    settle(upload)
    assert upload.accepted == "late"
    send(upload, npz(X=GREY))
    upload.choose(test_share=0.9)
    upload.accept()
    settle(upload)
    assert (upload.accepted, upload.stage) == ("", "preview")


def test_a_file_that_is_called_as_a_data_set_of_the_package_has_another_name_to_begin_with(upload):
    send(upload, npz(X=GREY, y=Y), "digits.npz")
    assert upload.choices.name == "digits (own)"
    upload.accept()
    settle(upload)
    assert (upload.error, upload.accepted) == ("", "digits (own)")
