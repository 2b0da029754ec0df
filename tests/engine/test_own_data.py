# ruff: noqa: E501 - the table of bad files reads line by line
"""Users' own files: what becomes of good ones, and that every bad one is refused in words that help."""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import time
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fuzz.child import forget_peak, peak_memory

import lrbn_viz
from lrbn_viz import Dataset, read_dataset
from lrbn_viz.datasets import DATASETS, RefusedData, store_dataset, stored_dataset
from lrbn_viz.datasets.own import LIMIT_VARIABLE, Limits, decode_own, limits, make_dataset
from lrbn_viz.datasets.own.make import intensity_histogram, otsu_threshold

rng = np.random.default_rng(0)
GREY = rng.integers(0, 256, (60, 6, 4), dtype=np.uint8)
Y = np.repeat([3, 5, 9], 20)


def npy(array: Any, **how: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array, **how)
    return file.getvalue()


def npz(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def csv(rows: Any, header: str = "") -> bytes:
    lines = [",".join(str(value) for value in row) for row in rows]
    return "\n".join([*([header] if header else []), *lines]).encode()


def png(image: Any, kind: str = "PNG") -> bytes:
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(np.asarray(image)).save(file, kind)
    return file.getvalue()


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def folder(images: Any = GREY, names: Any = None, **more: bytes) -> bytes:
    names = names or [f"{label}/{row:03}.png" for row, label in enumerate(Y)]
    return zipped({name: png(image) for name, image in zip(names, images, strict=True)} | more)


def everything(data: Dataset) -> np.ndarray:
    return np.concatenate([data.train_X, data.test_X])


# -- good files


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("mine.npz", npz(X=GREY, y=Y)),
        ("mine.npz", npz(images=GREY[..., None], labels=Y[:, None])),
        ("mine.npz", npz(X=np.asfortranarray(GREY), y=Y)),
        ("mine.zip", folder()),
        ("mine.zip", folder(names=[f"top/{label}/{row:03}.PNG" for row, label in enumerate(Y)])),
    ],
)
def test_images_classes_and_shape_come_out_of_every_format(filename, content):
    data = read_dataset(content, filename=filename, threshold=0.5)
    assert data.name == "mine"
    assert data.own
    assert data.image_shape == (6, 4)
    assert data.class_names == ("3", "5", "9")
    assert (len(data.train_X), len(data.test_X)) == (48, 12)
    expected = {
        (label, image.tobytes()) for label, image in zip(Y, (GREY >= 127.5).astype(np.uint8), strict=True)
    }
    y = np.concatenate([data.train_y, data.test_y])
    found = {(int(data.class_names[c]), row.tobytes()) for c, row in zip(y, everything(data), strict=True)}
    assert found == expected


def test_tables_and_bare_arrays_read_the_same_images():
    rows = GREY.reshape(60, 24)
    plain = read_dataset(npy(rows), filename="a.npy", image_shape=(6, 4), threshold=0.5)
    for content in (
        csv(rows),
        csv(rows, ",".join(f"p{i}" for i in range(24))),
        csv(rows).replace(b",", b";"),
        csv(rows).replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + csv(rows) + b"\n\n",
    ):
        table = read_dataset(content, filename="a.csv", image_shape=(6, 4), threshold=0.5)
        np.testing.assert_array_equal(everything(table), everything(plain))
        assert table.class_names == ("image",)


@pytest.mark.parametrize(
    ("header", "rows", "labels"),
    [
        ("label,a,b,c,d", np.c_[Y, GREY.reshape(60, 24)[:, :4]], "auto"),
        ("a,b,Class,c,d", np.c_[GREY.reshape(60, 24)[:, :2], Y, GREY.reshape(60, 24)[:, 2:4]], "auto"),
        ("a,b,c,d,kind", np.c_[GREY.reshape(60, 24)[:, :4], Y], "kind"),
        ("", np.c_[GREY.reshape(60, 24)[:, :4], Y], "auto"),
        ("", np.c_[Y, GREY.reshape(60, 24)[:, :3], np.full(60, 7)], "auto"),
        ("", np.c_[GREY.reshape(60, 24)[:, :4], Y], -1),
        ("", np.c_[Y, GREY.reshape(60, 24)[:, :4]], 0),
    ],
)
def test_a_tables_classes_are_found_by_name_by_place_or_as_told(header, rows, labels):
    data = read_dataset(csv(rows, header), filename="t.csv", labels=labels)
    assert data.class_names == ("3", "5", "9")
    assert data.n_v == 4


def test_words_in_a_tables_last_column_are_classes():
    words = np.array(["cat", "dog"])[np.arange(60) % 2]
    content = csv([[*row, word] for row, word in zip(GREY.reshape(60, 24), words, strict=True)])
    data = read_dataset(content, filename="t.csv", image_shape=(6, 4))
    assert data.class_names == ("cat", "dog")


def test_the_files_own_split_is_kept():
    arrays = {"train_X": GREY[:45], "train_y": Y[:45], "test_X": GREY[45:], "test_y": Y[45:]}
    data = read_dataset(npz(**arrays), filename="a.npz", threshold=0.5)
    np.testing.assert_array_equal(data.test_X, (GREY[45:] >= 127.5).reshape(15, 24))
    np.testing.assert_array_equal(data.test_y, 2)
    assert "split as in the file" in data.description
    names = [f"{'test' if row >= 45 else 'train'}/{label}/{row:03}.png" for row, label in enumerate(Y)]
    from_folder = read_dataset(folder(names=names), filename="a.zip", threshold=0.5)
    np.testing.assert_array_equal(from_folder.test_X, data.test_X)


def test_a_split_is_drawn_by_class_and_is_the_same_for_the_same_seed():
    first, again, other = (read_dataset(npz(X=GREY, y=Y), filename="a.npz", seed=s) for s in (1, 1, 2))
    np.testing.assert_array_equal(first.train_X, again.train_X)
    assert not np.array_equal(first.train_X, other.train_X)
    assert np.bincount(first.test_y).tolist() == [4, 4, 4]
    assert "48 for training and 12 for testing, drawn by class with seed 1" in first.description


def test_binary_data_stay_as_they_are_whatever_their_two_values():
    bits = (GREY > 100).astype(np.uint8)
    for low, high in ((0, 1), (0, 255), (-1, 1), (7, 9)):
        data = read_dataset(npy(np.where(bits, high, low)), filename="a.npy")
        plain = read_dataset(npy(bits), filename="a.npy")
        np.testing.assert_array_equal(data.train_X, plain.train_X)
    assert set(np.unique(plain.train_X)) == {0, 1}
    dark = read_dataset(npy(bits), filename="a.npy", invert=True)
    np.testing.assert_array_equal(dark.train_X, 1 - plain.train_X)


def test_otsu_parts_two_groups_as_trying_every_threshold_does():
    X = np.concatenate([rng.normal(60, 12, 3000), rng.normal(180, 25, 1500)]).clip(0, 255).astype(np.uint8)
    own = decode_own(npy(X.reshape(500, 9)), "a.npy", limits())
    own = type(own)(own.X, None, own.class_names, None, None, "a", 0.0, 255.0)
    found = otsu_threshold(intensity_histogram(own))
    x = np.floor(X / 255 * 256).clip(0, 255)

    def within(bin: int) -> float:
        low, high = x[x < bin], x[x >= bin]
        return low.var() * len(low) + high.var() * len(high) if len(low) and len(high) else np.inf

    best = min(within(bin) for bin in range(1, 256))
    assert within(round(found * 256)) == pytest.approx(best)
    assert 0.3 < found < 0.6


def test_standardised_data_have_the_training_rows_statistics_and_come_back():
    X = GREY.astype(float) / 100 - 0.3
    data = read_dataset(npz(X=X, y=Y), filename="a.npz", binary=False)
    assert not data.binary
    np.testing.assert_allclose(data.train_X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(data.train_X.std(axis=0), 1)
    back = data.to_intensity(everything(data))
    assert back.min() == pytest.approx(0)
    assert back.max() == pytest.approx(1)
    np.testing.assert_allclose(
        np.sort(back * np.ptp(X) + X.min(), axis=None), np.sort(X, axis=None), atol=1e-12
    )
    turned = read_dataset(npz(X=X, y=Y), filename="a.npz", binary=False, invert=True)
    np.testing.assert_allclose(turned.to_intensity(turned.train_X), 1 - data.to_intensity(data.train_X))


def test_colour_transparency_and_sizes_of_images_are_dealt_with():
    colour = np.stack([GREY, GREY, GREY], axis=-1)
    from_colour = read_dataset(folder(colour), filename="a.zip", threshold=0.5)
    np.testing.assert_array_equal(
        everything(from_colour), everything(read_dataset(folder(), filename="a.zip", threshold=0.5))
    )
    clear = np.concatenate([colour, np.zeros((*GREY.shape, 1), np.uint8)], axis=-1)
    clear[::2, :, :, 3] = 255
    own = decode_own(folder(clear), "a.zip", limits())
    np.testing.assert_array_equal(own.X[1], 255)
    np.testing.assert_array_equal(own.X[0], GREY[0].reshape(-1))
    uneven = [GREY[0].repeat(2, 0), *GREY[1:]]
    scaled = decode_own(folder(uneven), "a.zip", limits(), image_shape=(6, 4))
    np.testing.assert_array_equal(scaled.X[0], GREY[0].reshape(-1))
    assert "scaled to 6 x 4" in scaled.notes[0]


def test_a_path_is_read_like_its_bytes(tmp_path):
    path = tmp_path / "mine.npz"
    path.write_bytes(npz(X=GREY, y=Y))
    data = read_dataset(path, name="my letters")
    assert data.name == "my letters"
    np.testing.assert_array_equal(data.train_X, read_dataset(path.read_bytes(), filename="a.npz").train_X)


def test_an_own_data_set_says_what_it_is_and_never_takes_a_built_in_name():
    data = read_dataset(npz(X=GREY, y=Y), filename="digits.npz")
    assert data.name == "digits (own)"
    info = data.info
    assert (info.name, info.image_shape, info.n_train, info.n_test, info.n_classes) == (
        "digits (own)",
        (6, 4),
        48,
        12,
        3,
    )
    assert info.description == data.description
    assert not lrbn_viz.load_dataset("digits").own
    with pytest.raises(ValueError, match=r"'mnist5k' is the name of a data set that is built in"):
        read_dataset(npz(X=GREY), filename="a.npz", name="mnist5k")
    with pytest.raises(ValueError, match="choose one of"):
        lrbn_viz.load_dataset(data.name)


@pytest.mark.parametrize("binary", [True, False])
def test_a_kept_data_set_is_the_same_bit_for_bit(tmp_path, binary):
    data = read_dataset(npz(X=GREY, y=Y), filename="a.npz", binary=binary)
    path = tmp_path / "dataset"
    assert store_dataset(data, path) == path.stat().st_size
    again = stored_dataset(path)
    for name in ("train_X", "test_X", "train_y", "test_y", "mean", "scale"):
        old, new = getattr(data, name), getattr(again, name)
        assert (old is None) == (new is None)
        if old is not None:
            assert old.dtype == new.dtype
            np.testing.assert_array_equal(old, new)
    assert (again.name, again.image_shape, again.class_names) == (
        data.name,
        data.image_shape,
        data.class_names,
    )
    assert [file.name for file in tmp_path.iterdir()] == ["dataset"]


def test_a_damaged_copy_is_named_and_a_full_disk_leaves_the_old_one(tmp_path, monkeypatch):
    data = read_dataset(npz(X=GREY, y=Y), filename="a.npz")
    path = tmp_path / "dataset"
    store_dataset(data, path)
    whole = path.read_bytes()

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        store_dataset(data, path)
    assert path.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == ["dataset"]
    for damaged in (whole[:-5], whole[:100] + b"\xff" + whole[101:]):
        path.write_bytes(damaged)
        with pytest.raises(
            ValueError, match="dataset is damaged: expected a data set whose checksum matches"
        ):
            stored_dataset(path)
    path.write_bytes(b"hello")
    with pytest.raises(ValueError, match="dataset is no data set: expected it to begin with"):
        stored_dataset(path)


@pytest.mark.parametrize("binary", [True, False])
def test_a_copy_holds_what_is_not_known(tmp_path, binary):
    X = GREY.reshape(60, 24).astype(float)
    X[np.random.default_rng(2).random(X.shape) < 0.2] = np.nan
    data = read_dataset(npz(X=X, y=Y), filename="a.npz", binary=binary, image_shape=(6, 4))
    store_dataset(data, tmp_path / "a")
    same = stored_dataset(tmp_path / "a")
    assert same.n_unknown == data.n_unknown == np.isnan(X).sum()
    assert f"{data.n_unknown} values not known" in repr(same)
    for part in ("train_X", "test_X", "train_y", "mean", "scale"):
        np.testing.assert_array_equal(getattr(same, part), getattr(data, part))


def forged(tmp_path: Any, said: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """A copy with some of it replaced, or left out where None is given, whose sum is right again."""
    path = tmp_path / "dataset"
    store_dataset(read_dataset(npz(X=GREY, y=Y), filename="a.npz"), path)
    magic = b"LRBN data 1\n"
    with np.load(io.BytesIO(path.read_bytes()[len(magic) + 32 :])) as archive:
        whole = dict(archive)
    text = json.loads(str(whole["said"])) | said
    whole |= {"said": np.array(json.dumps(text))} | arrays
    raw = npz(**{name: array for name, array in whole.items() if array is not None})
    path.write_bytes(magic + hashlib.sha256(raw).digest() + raw)
    return path


@pytest.mark.parametrize(
    ("said", "arrays", "message"),
    [
        ({}, {"said": None}, "lacks 'said'"),
        ({}, {"train_X": None}, "lacks 'train_X'"),
        ({}, {"said": np.array("[" * 1000)}, "the description in .* is damaged: expected JSON"),
        ({}, {"said": np.array("null")}, "expected named values, got nothing"),
        ({}, {"said": np.array([1, 2])}, "expected 'said' to hold text"),
        ({"name": None}, {}, "expected a name, got None"),
        ({"name": "\ud800"}, {}, "expected a name"),
        ({"description": 5}, {}, "expected a description, got 5"),
        ({"image_shape": [6]}, {}, "expected a height and a width, got .6."),
        ({"image_shape": [True, 24]}, {}, "expected a height and a width"),
        ({"image_shape": [6, 10**300]}, {}, "expected"),
        ({"image_shape": [6, 5]}, {}, "expected train_X to hold rows of 4 values"),
        ({"image_shape": [2**30, 2**30]}, {}, "expected train_X to hold rows of"),
        ({"class_names": "abc"}, {}, "expected names of classes, got 'abc'"),
        ({"class_names": ["a"]}, {}, "expected train_y to hold 0 to 0, got 0 to 2"),
        ({"validation_start": "x"}, {}, "expected where validation images begin, got 'x'"),
        ({"validation_start": 10**9}, {}, "expected validation images among those for training"),
        ({}, {"train_y": np.zeros(3, int)}, "expected 'train_y' to hold whole numbers"),
        ({}, {"train_y": np.full(48, -1)}, "expected train_y to hold 0 to 2, got -1 to -1"),
        ({}, {"train_X": np.zeros((48, 3), np.uint16)}, "expected train_X to hold rows of 3 values, got uint16"),
        ({}, {"train_X": np.zeros((48, 24))}, "expected 'train_X' to hold whole numbers from 0"),
        ({}, {"mean": np.zeros(24)}, "lacks 'scale'"),
        ({}, {"mean": np.zeros(24), "scale": np.zeros(24)}, "expected finite means and positive scales"),
        ({}, {"mean": np.zeros(24), "scale": np.ones(24), "train_X": np.full((48, 24), np.nan), "test_X": np.zeros((12, 24))}, "expected a known value in every column of train_X"),
        ({}, {"mean": np.zeros(24), "scale": np.ones(24), "train_X": np.full((48, 24), np.inf)}, "train_X to be finite or NaN"),
        ({}, {"train_X_unknown": np.zeros((47, 3), np.uint8)}, "train_X_unknown to hold 48 rows, got 47"),
        ({}, {"train_X_unknown": np.full((48, 3), 255, np.uint8)}, "expected a known value in every column of train_X"),
        ({"image_shape": [1, 8]}, {"train_X": np.zeros((2**25, 1), np.uint8)}, "expected at most 134,217,728 pixels, got 268,435,456"),
        pytest.param({}, {"train_X": np.zeros((2**28, 3), np.uint8)}, "would take 768.0 MiB in memory", marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_a_forged_copy_with_a_right_sum_is_refused_in_words_and_costs_little(tmp_path, said, arrays, message):
    path = forged(tmp_path, said, arrays)
    forget_peak()
    memory, cpu = peak_memory(), time.thread_time()
    with pytest.raises(ValueError, match=message):
        stored_dataset(path)
    assert time.thread_time() - cpu < 2
    assert peak_memory() - memory < 500e6


def test_the_limit_is_the_arguments_the_environments_or_64_mib(monkeypatch):
    monkeypatch.delenv(LIMIT_VARIABLE, raising=False)
    assert limits().file_bytes == 64 * 2**20
    monkeypatch.setenv(LIMIT_VARIABLE, "0.5")
    assert limits().file_bytes == 2**19
    assert limits(100).file_bytes == 100
    for wrong in ("much", "0", "-3", "inf", "nan"):
        monkeypatch.setenv(LIMIT_VARIABLE, wrong)
        with pytest.raises(ValueError, match=LIMIT_VARIABLE):
            limits()
    no_sizes: list[Any] = [0, -1, 2.5, True, "64"]
    for wrong in no_sizes:
        with pytest.raises(ValueError, match="max_bytes must be a positive integer"):
            limits(wrong)


# -- bad files


class Bomb:
    """Something that does harm when it is unpickled."""

    armed = False

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return setattr, (Bomb, "armed", True)


def pickled() -> bytes:
    return npy(np.array([Bomb()] * 30, dtype=object), allow_pickle=True)


def header(shape: tuple[int, ...], dtype: str = "|u1") -> bytes:
    """A .npy file that is all promise."""
    text = str({"descr": dtype, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text


def png_of_size(width: int, height: int) -> bytes:
    """A PNG that declares a size and holds nothing of it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0"))
        + chunk(b"IEND", b"")
    )


def lying_zip() -> bytes:
    """An archive whose directory declares fewer bytes than its file holds once inflated."""
    content = bytearray(zipped({"X.npy": npy(np.arange(24 * 40).reshape(40, 24) % 251)}))
    at = content.index(b"PK\x01\x02") + 24
    content[at : at + 4] = struct.pack("<I", 200)
    return bytes(content)


def encrypted_zip() -> bytes:
    content = bytearray(zipped({"a/1.png": png(GREY[0])}))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


SMALL = 20_000  # bytes of the limit in this table
ROWS = GREY.reshape(60, 24)
WITH_NAN = np.where(np.arange(24) == 3, np.nan, ROWS.astype(float))
WITH_INF = np.where((np.arange(60) == 7)[:, None], np.inf, ROWS.astype(float))
NAMES = ",".join(f"p{i}" for i in range(24))

BAD: list[tuple[str, str, bytes, dict[str, Any], str]] = [
    # (what, file name, content, how, what the message must say: expected ... got ... do ...)
    ("an unknown ending", "a.xlsx", b"abc", {}, r"a\.xlsx ends in \.xlsx; expected \.npz, .*Convert it"),
    ("no ending", "data", b"abc", {}, r"ends in nothing; expected \.npz"),
    ("a packed file", "a.npz.gz", b"\x1f\x8b", {}, r"ends in \.gz; expected .*Unpack it first"),
    ("a pickle", "a.pkl", b"\x80\x04", {}, r"ends in \.pkl; expected"),
    ("nothing", "a.csv", b"", {}, "empty.*expected a table.*Choose another"),
    ("too many bytes", "a.csv", b"1," * SMALL, {}, r"a\.csv has .*expected at most.*LRBN_VIZ_MAX_MIB"),
    ("a png as npz", "a.npz", png(GREY[0]), {}, "does not have the format that its name gives: expected a NumPy archive, got a PNG"),
    ("a zip as npy", "a.npy", folder(), {"max_bytes": 10**6}, "expected a NumPy array, got a zip archive"),
    ("an array as csv", "a.csv", npy(ROWS), {}, "expected a table.*got a NumPy array"),
    ("a pdf as zip", "a.zip", b"%PDF-1.7 ...", {}, "expected a zip archive of images, got a PDF"),
    ("binary data as csv", "a.csv", b"1,2\0,3", {}, "expected a table.*got other data"),
    ("a pickle as csv", "a.csv", b"\x80\x04\x95", {}, "expected a table.*got a Python pickle"),
    ("latin-1 text", "a.csv", "größe\n1".encode("latin-1"), {}, "expected text .UTF-8., got the byte 0xf6"),
    ("text as npz", "a.npz", b"1,2,3", {}, "expected a NumPy archive, got other data"),
    ("an empty zip", "a.zip", zipped({}), {}, "expected a zip archive of images, got an empty zip"),
    ("a zip cut short", "a.zip", folder()[:-400], {"max_bytes": 10**6}, "damaged: expected a zip archive.*again"),
    ("an encrypted zip", "a.zip", encrypted_zip(), {}, "encrypted; expected an open archive"),
    ("a rare method", "a.npz", zipped({"X.npy": npy(ROWS)}, zipfile.ZIP_LZMA), {}, "unusual method .14.; expected"),
    ("a zip bomb", "a.npz", zipped({"X.npy": bytes(10**6)}), {}, "would take .*decompressed; expected at most"),
    ("many small bombs", "a.zip", zipped({f"{n}.png": bytes(9000) for n in range(20)}), {}, "would take"),
    ("a zip that lies", "a.npz", lying_zip(), {}, "damaged"),
    ("no arrays", "a.npz", zipped({"readme.txt": b"hi"}), {}, "expected arrays saved by numpy.savez, got readme"),
    ("unknown arrays", "a.npz", npz(a=ROWS, b=ROWS), {}, "holds a, b; expected X and y.*Rename"),
    ("X twice", "a.npz", npz(X=ROWS, images=ROWS), {}, "holds X twice"),
    ("a pickled array", "a.npy", pickled(), {}, "pickled Python objects.*expected plain numbers.*astype"),
    ("a pickle in npz", "a.npz", zipped({"X.npy": pickled()}), {}, "pickled Python objects"),
    ("a huge promise", "a.npy", header((10**9, 10**6)), {}, "would take .*decompressed; expected at most"),
    ("a promise in npz", "a.npz", zipped({"X.npy": header((10**12,))}), {}, "would take"),
    ("a negative length", "a.npy", header((-1, 4)), {}, "shape .-1, 4.; expected lengths"),
    ("an array cut short", "a.npy", npy(ROWS)[:-9], {}, "header promises 1,440 bytes, expected as many, got 1,431"),
    ("an array with a tail", "a.npy", npy(ROWS) + b"tail", {}, "promises 1,440 bytes, expected as many, got 1,444"),
    ("a broken header", "a.npy", b"\x93NUMPY\x01\x00\x10\x00{'shape': (", {}, "damaged: expected a NumPy array's"),
    ("a long header", "a.npy", b"\x93NUMPY\x01\x00\xff\xff" + b"(" * 65535, {"max_bytes": 10**6}, "damaged: expected"),
    ("a new format", "a.npy", b"\x93NUMPY\x09\x00" + bytes(100), {}, "damaged: expected.*9.0"),
    ("a header only", "a.npy", b"\x93NUMPY\x01\x00", {}, "damaged: expected"),
    ("records", "a.npy", npy(np.zeros(30, [("a", "f8"), ("b", "i4")])), {}, "expected plain numbers"),
    ("dates", "a.npy", npy(np.zeros(30, "M8[s]")), {}, "datetime64.*expected plain numbers"),
    ("complex numbers", "a.npy", npy(ROWS * 1j), {"max_bytes": 10**6}, "complex128; expected"),
    ("words", "a.npy", npy(np.full((30, 4), "a")), {}, "<U1; expected numbers"),
    ("one dimension", "a.npy", npy(np.arange(30)), {}, r"shape \(30,\); expected .images, pixels.*Reshape"),
    ("colour", "a.npy", npy(np.zeros((30, 4, 4, 3))), {"max_bytes": 10**6}, r"\(30, 4, 4, 3\); expected.*mean"),
    ("no pixels", "a.npy", npy(np.zeros((30, 0))), {}, r"\(30, 0\); expected"),
    ("no images", "a.npy", npy(np.zeros((0, 16))), {}, "got 0 images; expected at least 20"),
    ("few images", "a.npy", npy(ROWS[:19]), {}, "got 19 images; expected at least 20.*Add more"),
    ("one image", "a.npy", npy(ROWS[:1]), {}, "got 1 image; expected at least 20"),
    ("large images", "a.npy", npy(np.zeros((20, 129, 128), np.uint8)), {"max_bytes": 10**6}, "16,512 pixels; expected at most 16,384"),
    ("many values", "a.npz", npz(X=np.zeros((900, 25), np.uint8)), {}, "22,500 values; expected at most 20,000"),
    ("not a number", "a.npy", npy(WITH_NAN), {}, "column 3 of X: no row has a value there; expected some known values.*Leave out"),
    ("infinity", "a.npy", npy(WITH_INF), {}, "1 of 60 images hold infinity, the first in row 7; expected finite numbers, or NaN"),
    ("one value", "a.npy", npy(np.full((40, 16), 7)), {}, "all 40 images are the same, .*7 to 7; expected"),
    ("one image again and again", "a.npy", npy(ROWS[:1].repeat(40, 0)), {"image_shape": (6, 4)}, "all 40 images are the same"),
    ("too few labels", "a.npz", npz(X=GREY, y=Y[:59]), {}, r"y has shape \(59,\); expected \(60,\), one label"),
    ("one-hot labels", "a.npz", npz(X=GREY, y=np.eye(60)), {"max_bytes": 10**6}, r"\(60, 60\); expected \(60,\)"),
    ("labels between", "a.npz", npz(X=GREY, y=Y + 0.5), {}, "a label is 3.5; expected whole numbers"),
    ("labels missing", "a.npz", npz(X=GREY, y=np.where(Y > 5, np.nan, Y)), {}, "a label is nan; expected whole"),
    ("too many classes", "a.npz", npz(X=rng.integers(0, 2, (1200, 16)), y=np.arange(1200)), {"max_bytes": 10**6}, "1,200 classes; expected at most 1,000"),
    ("half the labels", "a.npz", npz(train_X=GREY[:40], train_y=Y[:40], test_X=GREY[40:]), {}, "expected train_y and test_y"),
    ("unlike parts", "a.npz", npz(train_X=GREY[:40], test_X=GREY[40:, :5]), {}, r"\(20, 5, 4\); expected.*\(40, 6, 4\)"),
    ("nothing to test", "a.npz", npz(train_X=GREY, test_X=GREY[:0]), {}, "0 of 60 images aside for testing; expected at least 1"),
    ("nothing to train", "a.npz", npz(train_X=GREY[:5], test_X=GREY[5:]), {}, "55 of 60 images aside.*at least 10"),
    ("no square", "a.npy", npy(ROWS), {}, "24 pixels, which is no square; expected its height and width. Possible are 4 x 6"),
    ("another shape", "a.npy", npy(ROWS), {"image_shape": (5, 5)}, "24 pixels; expected a height and a width.*got 5 x 5. Possible"),
    ("ragged rows", "a.csv", csv([[1, 2, 3, 4], [1, 2, 3]] * 20), {}, "line 2 of a.csv has 3 columns; expected 4"),
    ("a word in a table", "a.csv", csv([[1, 2, 3, 4]] * 30 + [[1, "two", 3, 4]]), {}, "line 31, column 2 of a.csv holds 'two'; expected a number"),
    ("a gap in a table", "a.csv", csv([[1, "", 3, 4]] * 30), {"labels": None}, "column 2: no row has a value there; expected some known"),
    ("nan in a table", "a.csv", csv(WITH_NAN), {"labels": None, "image_shape": (6, 4)}, "column 4: no row has a value there"),
    ("names only", "a.csv", b"a,b,c\n", {}, "names only; expected images below"),
    ("blank lines", "a.csv", b"\n \n\n", {}, "no lines; expected one image a line"),
    ("no such column", "a.csv", csv(ROWS, NAMES), {"labels": "kind"}, "no column 'kind'; expected one of its own: p0, p1"),
    ("no names", "a.csv", csv(ROWS), {"labels": "kind"}, "no column 'kind'; expected.*no line of names"),
    ("a short quoted row", "a.csv", b'"1","2","3"\n' * 30 + b'"1,2","3"\n', {"labels": None}, "line 31 of a.csv has 2 columns; expected 3"),
    ("an open quote", "a.csv", b"1,2,3,4\n" * 30 + b'1,"2,3,4\n' + b"5,6,7,8\n" * 5, {}, "line 36 of a.csv cannot be read .unexpected end.*Export it again"),
    ("a quote too many", "a.csv", b"1,2,3,4\n" * 30 + b'1,"2"3,4,5\n', {}, "line 31 of a.csv cannot be read .*after.*expected values between ','"),
    ("a huge quoted field", "a.csv", b"1,2\n" * 30 + b'"' + b"a" * 140_000 + b'",2\n', {"max_bytes": 10**6}, "line 31 of a.csv cannot be read .field larger than field limit"),
    ("a huge field", "a.csv", b"1,2,3,4\n" * 30 + b"1," + b"a" * 5000 + b",3,4\n", {}, "line 31, column 2 of a.csv holds 'a{20}'; expected a number"),
    ("a number of many digits", "a.csv", b"1,2,3,4\n" * 30 + b"1," + b"9" * 5000 + b",3,4\n", {}, "1 of 31 images hold infinity, the first in row 30"),
    ("a programmer's number", "a.csv", b"1,2,3,4\n" * 30 + b"1,1_000,3,4\n", {}, "line 31, column 2 of a.csv holds '1_000'; expected a number"),
    ("a number in another script", "a.csv", b"1,2,3,4\n" * 30 + "1,٣,3,4\n".encode(), {}, "line 31, column 2 of a.csv holds '٣'; expected a number"),
    ("nul in a table", "a.csv", b"1,2,3,4\n" * 9000 + b"1,2\0,3,4\n", {"max_bytes": 10**6}, "line 9001, column 2 of a.csv holds '2.x00'; expected a number"),
    ("a byte far down", "a.csv", b"1,2,3,4\n" * 9000 + b"1,\xff,3,4\n", {"max_bytes": 10**6}, "expected text .UTF-8., got the byte 0xff at 72,002"),
    ("labels of all kinds", "a.csv", csv([[1, 2, 3, n / 7] for n in range(1200)]), {"labels": 3, "max_bytes": 10**6}, "more than 1,000 classes by line 1,001; expected at most 1,000"),
    ("wide images in a table", "a.csv", (b",".join([b"1"] * 17_000) + b"\n") * 3, {"max_bytes": 10**6}, "16,999 pixels; expected at most 16,384"),
    ("a header in no Python", "a.npy", b"\x93NUMPY\x01\x00\x03\x00(((", {}, "damaged: expected a NumPy array's header"),
    ("a type of no size", "a.npy", npy(ROWS).replace(b"'|u1'", b"'|S0'"), {}, "dtype .S0; expected plain numbers"),
    ("too many axes", "a.npy", npy(np.zeros((1,) * 20)), {}, "20 axes; expected at most"),
    ("no length by a huge one", "a.npy", header((0, 2**62)), {}, "would take .*decompressed; expected at most"),
    ("words of no letters", "a.npz", npz(X=GREY, y=np.full(60, 0xD800, np.uint32).view("U1")), {}, "y is damaged: expected text, got an invalid character"),
    ("labels beyond whole numbers", "a.npz", npz(X=GREY, y=Y * 1e300), {}, "a label is 3e.300; expected whole numbers"),
    ("values without bounds", "a.npy", npy(ROWS * 1e200), {}, "values from 0 to .*e.202; expected at most 1e.100"),
    ("a name that begins with nul", "a.zip", zipped({"_a.png": b""}).replace(b"_a.png", b"\0a.png"), {}, "no .png or .jpg among its 1 files"),
    ("a name in no letters", "a.zip", zipped({"é.png": b""}).replace("é".encode(), b"\xff\xff"), {}, "damaged: expected a zip archive"),
    ("a column too far", "a.csv", csv(ROWS), {"labels": 24}, "labels = 24, but a.csv has 24 columns; expected -24 to 23"),
    ("labels only", "a.csv", csv([[n % 3] for n in range(40)]), {"labels": 0}, "labels only; expected pixels"),
    ("a wide line", "a.csv", b"1," * 9000 + b"1\n", {}, "got 1 image; expected"),
    ("no images in a zip", "a.zip", zipped({"a.txt": b"1", "b.gif": b"2"}), {}, "no .png or .jpg among its 2 files; expected"),
    ("a broken image", "a.zip", folder() and zipped({"a/1.png": png(GREY[0])[:40]} | {f"a/{n}.png": png(GREY[n]) for n in range(2, 30)}), {}, "a/1.png is no PNG or JPEG.*expected the format of its extension"),
    ("a gif as png", "a.zip", zipped({f"a/{n}.png": png(GREY[n], "GIF") for n in range(30)}), {}, "is no PNG or JPEG image"),
    ("images of all sizes", "a.zip", folder([*GREY[:-1], GREY[0].repeat(2, 0)]), {"max_bytes": 10**6}, "9/059.png has 12 x 4 pixels; expected 6 x 4 as 3/000.png. Give the height"),
    ("loose images", "a.zip", folder(names=["x.png", *(f"c/{n}.png" for n in range(59))]), {"max_bytes": 10**6}, "x.png lies in no class folder.*expected all"),
    ("a picture bomb", "a.zip", zipped({f"{n}.png": png_of_size(60_000, 60_000) for n in range(20)}), {}, "declares far more than 4,096 x 4,096 pixels; expected at most 4,096"),
    ("a wide picture", "a.zip", zipped({f"{n}.png": png_of_size(5000, 100) for n in range(20)}), {}, "has 100 x 5,000 pixels; expected at most 4,096 a side"),
    ("a hidden picture bomb", "a.zip", zipped({f"{n}.png": png(np.zeros((600, 600), np.uint8)) for n in range(20)}), {"image_shape": (4, 4)}, "would take .*decompressed"),
    ("photographs", "a.zip", zipped({f"{n}.png": png(np.zeros((300, 200), np.uint8)) for n in range(20)}), {}, "300 x 200 pixels; expected at most 16,384.*scale all"),
    ("a threshold above all", "a.npz", npz(train_X=np.arange(120).reshape(30, 4) % 7, test_X=np.full((5, 4), 9)), {"threshold": 0.9}, "all training images are the same once binarised"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("filename", "content", "how", "message"), [row[1:] for row in BAD], ids=[row[0] for row in BAD]
)
def test_a_bad_file_is_refused_in_words(filename, content, how, message, tmp_path):
    with pytest.raises(RefusedData, match=re.compile(message, re.DOTALL)):
        read_dataset(content, filename=filename, **({"max_bytes": SMALL} | how))
    assert not Bomb.armed
    path = tmp_path / filename
    path.write_bytes(content)
    with pytest.raises(RefusedData, match=re.compile(message, re.DOTALL)):
        read_dataset(path, **({"max_bytes": SMALL} | how))
    assert [file.name for file in tmp_path.iterdir()] == [filename]


# -- what a file costs


MAX = 64 * 2**20  # bytes of a file, as limited


def one_character_lines() -> bytes:
    return b"1\n" * (MAX // 2)


def one_line() -> bytes:
    return b"1," * (MAX // 2 - 1) + b"1"


def a_quoted_text_without_end() -> bytes:
    return b'1,2\n"' + b"a" * (MAX - 10)


def tiny_images() -> bytes:
    return npy(np.zeros((MAX - 200, 1), np.uint8))


def many_entries() -> bytes:
    record = zipped({"a.png": b""})
    start = record.index(b"PK\x01\x02")
    directory = record[start : record.index(b"PK\x05\x06")]
    n = (MAX - 1000) // len(directory)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, n % 65536, n % 65536, n * len(directory), start, 0)
    return record[:start] + directory * n + end


def a_bomb_of_arrays() -> bytes:
    return npz(X=np.zeros((4000, 8000)))


def a_bomb_in_two_parts() -> bytes:
    return npz(train_X=np.zeros((2000, 8000)), test_X=np.zeros((2000, 8000)))


def a_bomb_of_labels() -> bytes:
    return npz(X=GREY, y=np.full((60, 1), "x" * 10**6))


def a_jpeg_of_many_scans() -> bytes:
    picture = io.BytesIO()
    from PIL import Image

    Image.fromarray(np.zeros((2048, 2048), np.uint8)).save(picture, "JPEG", progressive=True)
    content = picture.getvalue()
    last = content[content.rindex(b"\xff\xda") : -2]
    return zipped({f"{n}.jpg": content[:-2] + last * 3000 + content[-2:] for n in range(20)})


def a_large_picture() -> bytes:
    return zipped({f"{n}.png": png(np.zeros((4096, 4096, 4), np.uint8)) for n in range(2)})


@pytest.mark.parametrize(
    ("make", "filename", "message"),
    [
        (one_character_lines, "a.csv", "33,554,433 lines; expected at most 1,000,000, one image a line"),
        (
            one_line,
            "a.csv",
            "line 1 of a.csv has more than 1,048,576 characters; expected one image of at most",
        ),
        (a_quoted_text_without_end, "a.csv", "line 2 of a.csv has more than 1,048,576 characters"),
        (tiny_images, "a.npy", "images; expected at most 1,000,000"),
        (many_entries, "a.zip", "holds 1,.* files; expected at most 100,000"),
        (a_bomb_of_arrays, "a.npz", "all 4000 images are the same"),
        pytest.param(a_bomb_in_two_parts, "a.npz", "all 4000 images are the same", marks=pytest.mark.slow),
        (a_bomb_of_labels, "a.npz", "y has texts of 1,000,000 characters; expected at most 1,000"),
        (a_jpeg_of_many_scans, "a.zip", "0.jpg is a JPEG of 3,0.. scans; expected at most 50"),
        (a_large_picture, "a.zip", "4,096 x 4,096 pixels; expected at most 16,384"),
    ],
)
def test_a_bomb_costs_little_time_and_memory(make, filename, message):
    content = make()
    forget_peak()
    memory, cpu = peak_memory(), time.thread_time()
    with pytest.raises(RefusedData, match=message):
        decode_own(content, filename, limits())
    assert time.thread_time() - cpu < 3  # at most 0.8 s; the slack is for slow machines
    assert peak_memory() - memory < 500e6


def test_a_file_that_takes_too_long_is_refused_whatever_its_kind(monkeypatch):
    """The clock is of the reading thread alone, so that a busy machine refuses nothing."""
    monkeypatch.setattr(Limits, "seconds", 0.0)
    rows = rng.integers(0, 256, (600, 24))
    for filename, content in (
        ("a.csv", csv(rows)),
        ("a.npz", npz(X=rows)),
        ("a.zip", folder()),
    ):
        with pytest.raises(RefusedData, match=r"a\.... takes more than 0 seconds to read; expected less"):
            decode_own(content, filename, limits())


def test_quoted_cells_are_read_as_tables_write_them():
    names = ["class", *(f'"pixel ""{i}"", right"' for i in range(24))]
    rows = [
        [f'"the ""{label}"", {label}"', *(f' "{v}"' for v in row)] for label, row in zip(Y, ROWS, strict=True)
    ]
    data = read_dataset(csv(rows, ",".join(names)), filename="a.csv", image_shape=(6, 4), threshold=0.5)
    np.testing.assert_array_equal(
        everything(data).sum(axis=0),
        everything(read_dataset(npy(GREY), filename="a.npy", threshold=0.5)).sum(axis=0),
    )
    assert data.class_names == ('the "3", 3', 'the "5", 5', 'the "9", 9')
    assert "column 1, class" in " ".join(decode_own(csv(rows, ",".join(names)), "a.csv", limits()).notes)


def test_a_table_goes_from_bytes_to_fractions_where_it_must_and_loses_nothing():
    values = rng.integers(0, 256, (1000, 9)).astype(float)
    values[700, 4] = 0.125
    own = decode_own(csv(values.tolist()), "a.csv", limits(), labels=None)
    np.testing.assert_array_equal(own.X, values)
    assert own.X.dtype == np.float64
    own = decode_own(csv(values[:700].astype(int)), "a.csv", limits(), labels=None)
    np.testing.assert_array_equal(own.X, values[:700])
    assert own.X.dtype == np.uint8


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_end_of_line_is_one(end):
    own = decode_own(csv(ROWS).replace(b"\n", end.encode()), "a.csv", limits())
    np.testing.assert_array_equal(own.X, ROWS)


def test_a_folder_is_told_to_be_packed(tmp_path):
    with pytest.raises(RefusedData, match="is a folder; expected a file"):
        read_dataset(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_dataset(tmp_path / "none.npz")
    with pytest.raises(ValueError, match="without a file name"):
        read_dataset(b"1,2")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"threshold": 0}, "threshold must be.*got 0"),
        ({"threshold": 1.5}, "threshold must be"),
        ({"threshold": "best"}, "'best'"),
        ({"test_share": 0}, "test_share must be above 0"),
        ({"test_share": 0.9}, "at most 0.5"),
        ({"seed": -1}, "seed must be"),
        ({"name": ""}, "name of 1 to 80"),
    ],
)
def test_bad_choices_are_refused_in_words(how, message):
    with pytest.raises(ValueError, match=message):
        read_dataset(npz(X=GREY, y=Y), filename="a.npz", **how)


def test_the_built_in_table_is_untouched_by_own_names():
    data = make_dataset(decode_own(npz(X=GREY), "bars.npz", limits()))
    assert data.name not in DATASETS
    assert json.loads(json.dumps(list(DATASETS))) == list(DATASETS)


def test_a_run_on_own_data_is_resumed_from_its_folder_alone(tmp_path):
    from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig

    data = read_dataset(npz(X=GREY, y=Y), filename="mine.npz", binary=False)
    lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 3})}
    config = RunConfig(data.name, lanes, binary=data.binary, n_iter=4)

    def run_to_the_end(run: Run) -> Any:
        run.start()
        assert run.job.join(60)
        return run.model("LRBN").layers[0]

    whole = run_to_the_end(Run(config, data))
    run = Run(config, data, tmp_path / "run")
    run.advance(3)
    run.stop()
    resumed = Run.resume(tmp_path / "run")
    assert resumed.dataset.name == "mine"
    for one, other in zip(whole, run_to_the_end(resumed), strict=True):
        np.testing.assert_array_equal(one, other)
    (tmp_path / "run" / "dataset").write_bytes(b"gone")
    with pytest.raises(ValueError, match="dataset is no data set: expected it to begin with"):
        Run.resume(tmp_path / "run")


def test_a_run_on_a_built_in_data_set_keeps_no_copy(tmp_path):
    from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig

    config = RunConfig("digits", {"LRBN": LaneConfig("LRBN", {"n_components": 3})})
    Run(config, lrbn_viz.load_dataset("digits"), tmp_path).save()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["checkpoint", "run.json"]
