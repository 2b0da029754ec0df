"""A visitor's file on its way to being a data set: pieces, preview, choices, refusal, acceptance."""

from __future__ import annotations

import base64
import io
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lrbn_viz import read_dataset
from lrbn_viz.app.own_data import MAX_KEPT, OwnData, Upload
from lrbn_viz.app.panels.upload import UploadPanel
from lrbn_viz.app.player.packing import unpack
from lrbn_viz.app.preview import N_SHOWN
from lrbn_viz.datasets import DATASETS
from lrbn_viz.datasets.own import LIMIT_VARIABLE

rng = np.random.default_rng(0)
GREY = rng.integers(0, 256, (60, 5, 4), dtype=np.uint8)
Y = np.repeat([0, 1, 2], 20)


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def settle(upload: Upload) -> None:
    """Wait for the reading thread."""
    end = time.monotonic() + 30
    while upload.busy and time.monotonic() < end:
        upload.poll()
        time.sleep(0.002)
    assert not upload.busy


def send(upload: Upload, content: bytes, filename: str = "mine.npz", piece: int = 1000) -> None:
    upload.begin(filename, len(content))
    for at in range(0, len(content), piece):
        upload.take(at, content[at : at + piece])
    settle(upload)


@pytest.fixture
def upload() -> Upload:
    return Upload(OwnData())


def test_a_file_in_pieces_becomes_a_preview_of_what_will_be_trained_on(upload):
    content = npz(X=GREY, y=Y)
    send(upload, content)
    assert (upload.stage, upload.received, upload.trouble) == ("preview", len(content), "")
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
    upload = Upload(own, lambda name, binary: told.append((name, binary)))
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
    upload = Upload(own)
    for n in range(MAX_KEPT + 2):
        send(upload, npz(X=GREY, y=Y), f"set{n}.npz")
        upload.accept()
        settle(upload)
    names = set(own.datasets()) - set(DATASETS)
    assert names == {f"set{n}" for n in range(2, MAX_KEPT + 2)}
    assert set(OwnData().datasets()) == set(DATASETS)


def test_a_refused_file_is_said_so_and_the_next_one_is_taken(upload):
    send(upload, b"not an archive")
    assert upload.stage == "empty"
    assert "mine.npz is not what it says it is: expected a NumPy archive" in upload.trouble
    send(upload, npz(X=GREY))
    assert (upload.stage, upload.trouble) == ("preview", "")
    send(upload, b"", "empty.csv")
    assert "empty.csv is empty" in upload.trouble


def test_too_large_a_file_is_refused_before_a_byte_is_sent(upload, monkeypatch):
    monkeypatch.setenv(LIMIT_VARIABLE, "0.01")
    upload.begin("big.npz", 20_000)
    assert upload.stage == "empty"
    assert "big.npz has 20,000 bytes; expected at most 10,485 bytes." in upload.trouble
    assert "LRBN_VIZ_MAX_MIB" in upload.trouble
    upload.take(0, b"x" * 100)
    assert upload.received == 0


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


def test_a_shape_that_nothing_tells_is_asked_for_and_then_taken(upload):
    send(upload, npz(X=GREY.reshape(60, 20)))
    assert upload.preview.image_shape is None
    assert "no square" in upload.preview.notes[-1]
    upload.accept()
    settle(upload)
    assert upload.stage == "preview"
    assert "no square" in upload.trouble
    upload.choose(height=4, width=5)
    settle(upload)
    assert (upload.preview.image_shape, upload.trouble) == ((4, 5), "")
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


def test_a_choice_that_cannot_be_is_said_and_the_preview_stays(upload):
    send(upload, npz(X=GREY))
    upload.choose(test_share=0.9)
    settle(upload)
    assert "test_share must be" in upload.trouble
    assert upload.stage == "preview"
    upload.choose(test_share=0.1, name="mnist")
    settle(upload)
    upload.accept()
    settle(upload)
    assert "built in; choose another" in upload.trouble
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
    assert (upload.stage, upload.trouble, upload.choices.test_share) == ("preview", "", 0.2)


def test_the_panel_takes_pieces_as_base64_and_shows_the_preview(upload):
    panel = UploadPanel(upload)
    content = npz(X=GREY, y=Y)
    say = panel.box._handle_msg
    say({"type": "begin", "name": "mine.npz", "size": len(content)})
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
    assert "Give the height and width" in upload.trouble
    upload.choose(height=5, width=4)
    settle(upload)
    assert (upload.stage, upload.asks_shape, upload.trouble) == ("preview", False, "")
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
