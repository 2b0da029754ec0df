"""Tables of text that users bring: what becomes of each way of writing the same images."""

from __future__ import annotations

import gzip
import io
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from forged import gzip_bomb
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from lrbn_viz import read_dataset
from lrbn_viz.app.upload.state import OwnData, UploadState
from lrbn_viz.datasets.own import OwnImages, RefusedData, decode_own, limits, tables
from lrbn_viz.datasets.own.columns import ColumnsNeeded

rng = np.random.default_rng(0)
BITS = rng.integers(0, 2, (60, 9))
GREY = rng.integers(0, 256, (60, 9))
Y = np.arange(60) % 3
SEPARATORS = {"commas": ",", "semicolons": ";", "tabs": "\t", "spaces": " ", "bars": "|"}


def read(content: bytes, filename: str = "a.csv", **how: Any) -> OwnImages:
    how.setdefault("labels", "auto")
    return decode_own(content, filename, limits(), **how)


def lines(rows: Any, separator: str = ",", header: str = "", end: str = "\n") -> bytes:
    """The rows as text, whole numbers as such."""
    body = [separator.join(str(value) for value in row) for row in np.asarray(rows).tolist()]
    return end.join([*([header] if header else []), *body, ""]).encode()


def classes_of(own: OwnImages) -> list[str] | None:
    return None if own.y is None else [own.class_names[label] for label in own.y]


def assert_read(own: OwnImages, X: NDArray, y: Sequence[Any] | NDArray | None) -> None:
    np.testing.assert_array_equal(own.X, X)
    assert classes_of(own) == (None if y is None else [str(label) for label in y])


# -- lines of names


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("0,1,2,3,4,5,6,7,8,label", np.c_[GREY, Y]),
        ("label,0,1,2,3,4,5,6,7,8", np.c_[Y, GREY]),
        ("0,1,2,3,4,5,6,7,8,digit", np.c_[GREY, Y]),
        ("0,1,2,3,4,5,6,7,8,9", np.c_[GREY, Y]),
        (",0,1,2,3,4,5,6,7,8,label", np.c_[np.arange(60), GREY, Y]),
        (",label,0,1,2,3,4,5,6,7,8", np.c_[rng.permutation(900)[:60], Y, GREY]),
        (",0,1,2,3,4,5,6,7,8,9", np.c_[np.arange(60), GREY, Y]),
        ("0,1,2,3,4,5,6,7,8,label", np.c_[np.arange(1, 61), GREY, Y]),
        ("label,12,13,14,19,20,21,26,27,28", np.c_[Y, GREY]),
        ("label,1x1,1x2,1x3,2x1,2x2,2x3,3x1,3x2,3x3", np.c_[Y, GREY]),
        ("id,p0,p1,p2,p3,p4,p5,p6,p7,p8,kind", np.c_[np.arange(60), GREY, Y]),
        ("# 0,1,2,3,4,5,6,7,8,label", np.c_[GREY, Y]),
    ],
)  # fmt: skip
def test_a_header_that_holds_numbers_is_read_as_a_header(header, rows):
    assert_read(read(lines(rows, header=header)), GREY, Y)


def test_a_header_of_numbers_above_words_is_read_as_a_header():
    words = np.array(["cat", "dog", "cow"])[Y]
    rows = np.c_[words.astype(object), GREY]
    assert_read(read(lines(rows, header="kind,0,1,2,3,4,5,6,7,8")), GREY, words)
    assert_read(read(lines(rows)), GREY, words)


def test_a_header_of_numbers_alone_is_said_to_have_been_read():
    own = read(lines(BITS, header="0,1,2,3,4,5,6,7,8"))
    assert_read(own, BITS, None)
    assert own.notes == ("The first line counts the columns and is read as their names.",)


@pytest.mark.parametrize(
    "X",
    [
        np.arange(60 * 9).reshape(60, 9),
        np.r_[np.arange(9)[None], np.arange(9)[None] * 2, GREY],
        np.r_[[[0, 1, 2, 3, 3, 5, 6, 7, 8]], GREY],
        np.r_[[[0, 1]], rng.integers(0, 2, (60, 2))],
    ],
    ids=["every image counts up", "two images count up", "one number twice", "two pixels"],
)
def test_an_image_whose_values_could_be_anothers_is_no_header(X):
    np.testing.assert_array_equal(read(lines(X), labels=None).X, X)


def test_a_word_among_pixels_of_the_first_line_is_an_error_and_no_header():
    with pytest.raises(RefusedData, match=r"line 1, column 2 of a\.csv holds '0x'; expected a number"):
        read(b"7,0x,3,3\n" + lines(GREY[:, :4]), labels=None)


# -- columns of classes


def real_digits() -> tuple[NDArray, NDArray]:
    """Images of 8 x 8 with 17 levels, whose last pixel varies, and their classes."""
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    return np.asarray(X).astype(int), np.asarray(y)


def with_border(n: int) -> NDArray:
    """Images of 5 x 5 with an empty border, as handwritten digits have."""
    X = np.zeros((n, 5, 5), int)
    X[:, 1:-1, 1:-1] = rng.integers(0, 256, (n, 3, 3))
    return X.reshape(n, 25)


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("images", ["digits", "border", "binary", "fractions"])
def test_classes_are_found_in_the_first_and_in_the_last_column(images, first):
    digits, target = real_digits()
    X = {
        "digits": digits,
        "border": with_border(400),
        "binary": rng.integers(0, 2, (400, 25)),
        "fractions": rng.random((400, 25)),
    }[images]
    y = target if images == "digits" else np.arange(400) % 10
    rows = [[label, *row] if first else [*row, label] for label, row in zip(y, X.tolist(), strict=True)]
    own = read("\n".join(",".join(map(str, row)) for row in rows).encode())
    assert_read(own, X, y)
    column = 1 if first else X.shape[1] + 1
    values = ", ".join(map(str, y[:5]))
    assert own.notes == (f"Classes are from column {column} ({values}, ...).",)


def test_a_table_of_pixels_alone_keeps_its_first_and_last_pixel():
    for X in (real_digits()[0], BITS, GREY, with_border(60)):
        assert_read(read(lines(X)), X, None)


def test_two_columns_that_could_hold_the_classes_are_asked_about_and_each_answer_is_taken():
    content = lines(np.c_[Y % 2, BITS])
    last = ", ".join(map(str, BITS[:5, -1]))
    with pytest.raises(ColumnsNeeded) as caught:
        read(content)
    words = str(caught.value)
    assert f"column 1 (0, 1, 0, 0, 1, ...) or column 10 ({last}, ...) of a.csv may contain" in words
    assert "labels=0 (the first column), labels=-1 (the last) or labels=None (none)" in words
    with pytest.raises(
        ColumnsNeeded, match=r"column 2 .* or column 11 .* labels=0 \(the first after the index\)"
    ):
        read(lines(np.c_[np.arange(60), Y % 2, BITS]))
    assert_read(read(content, labels=0), BITS, Y % 2)
    assert_read(read(content, labels=-1), np.c_[Y % 2, BITS[:, :-1]], BITS[:, -1])
    assert_read(read(content, labels=None), np.c_[Y % 2, BITS], None)
    assert_read(read(lines(np.c_[Y % 2, BITS], header="p0,a1,a2,a3,a4,a5,a6,a7,a8,a9")), BITS, Y % 2)
    with pytest.raises(ColumnsNeeded, match=r"column 1, label and column 11, y; expected one\. Say which"):
        read(lines(np.c_[Y, BITS, Y], header="label,0,1,2,3,4,5,6,7,8,y"))


def test_a_height_and_a_width_say_which_columns_are_pixels():
    X = GREY[:, :6]
    assert_read(read(lines(np.c_[X, Y]), image_shape=(2, 3)), X, Y)
    assert_read(read(lines(np.c_[X, Y, Y]), image_shape=(2, 4)), np.c_[X, Y, Y], None)
    data = read_dataset(lines(np.c_[Y, X]), filename="a.csv", image_shape=(3, 2))
    assert (data.image_shape, data.class_names) == ((3, 2), ("0", "1", "2"))


def test_large_numbers_beside_bytes_leave_the_bytes_what_they_are():
    for rows in (np.c_[np.arange(60), GREY, Y * 1000], np.c_[GREY, Y * 1000]):
        own = read(lines(rows))
        assert_read(own, GREY, Y * 1000)
        assert own.X.dtype == np.uint8
    X = np.c_[GREY[:, :8], np.arange(60) * 1000]
    own = read(lines(X))
    assert_read(own, X, None)


def test_the_largest_images_may_have_an_index_and_a_class_beside_them():
    X, y = rng.integers(0, 10, (20, 128 * 128)), np.arange(20) % 2
    assert_read(read(lines(np.c_[np.arange(20), X, y]), labels=-1), X, y)
    with pytest.raises(RefusedData, match="the images have 16,386 pixels; expected at most 16,384"):
        read(lines(np.c_[X, X[:, :3]]))


# -- lines, cells and what stands between them


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS)
@pytest.mark.parametrize("ending", ["csv", "tsv", "txt"])
def test_values_may_stand_between_commas_semicolons_tabs_spaces_or_bars(separator, ending):
    for header in ("", separator.join(["label", *(f"p{i}" for i in range(9))])):
        own = read(lines(np.c_[Y, GREY], separator, header), f"a.{ending}")
        assert_read(own, GREY, Y)


def test_spaces_may_be_many_and_stand_at_both_ends():
    content = "\n".join("  " + "   ".join(f"{v:3}" for v in row) + " \t " for row in np.c_[GREY, Y])
    assert_read(read(content.encode()), GREY, Y)
    words = "\n".join(f'"a cat" {" ".join(map(str, row))}' for row in GREY)
    assert_read(read(words.encode()), GREY, ["a cat"] * 60)


def test_a_comma_is_a_decimal_mark_where_another_sign_parts_the_values():
    X = GREY / 8
    for separator in ";\t |":
        own = read(lines(np.c_[X, Y], separator).replace(b".", b","))
        assert_read(own, X, Y)
    mixed = lines(X, ";").replace(b".", b",").replace(b";", b";1.5;", 1)
    with pytest.raises(RefusedData, match=r"line 1, column \d of a.csv holds .*expected the decimal mark"):
        read(mixed)


def test_a_spreadsheets_mark_of_the_separator_is_no_image():
    for separator in ";\t":
        content = lines(np.c_[GREY, Y], separator, f"sep={separator}", end="\r\n")
        assert_read(read(content), GREY, Y)


def test_true_and_false_are_the_two_values_of_a_pixel_and_alone_beside_numbers_a_class():
    for change in (bytes, bytes.lower, bytes.upper):
        assert_read(read(change(lines(BITS == 1))), BITS, None)
        assert_read(read(change(lines(BITS == 1, header="0,1,2,3,4,5,6,7,8"))), BITS, None)
    kinds = np.array(["False", "True"])[Y % 2]
    assert_read(read(lines(np.c_[GREY.astype(object), kinds])), GREY, kinds)


def test_a_separator_at_the_end_of_every_line_makes_no_column():
    for n in (1, 3):
        for header in ("", "label,0,1,2,3,4,5,6,7,8", "label,0,1,2,3,4,5,6,7,8" + "," * n):
            content = lines(np.c_[Y, GREY]).replace(b"\n", b"," * n + b"\n")
            content = (header + "\n").encode() + content if header else content
            assert_read(read(content + b",,,\n"), GREY, Y)
    counted = lines(np.c_[np.arange(60), GREY], header=",0,1,2,3,4,5,6,7,8").replace(b"\n", b",\n")
    assert_read(read(counted), GREY, None)
    assert_read(read(b"0,\n1,\n" * 10), np.array([[0], [1]] * 10), None)


@pytest.mark.parametrize(
    ("first", "others", "message"),
    [
        ("", ",5", "line 7 of a.csv has 11 columns; expected 10"),
        (",", "", "line 7 of a.csv has 10 columns; expected 11"),
        (",", ",4", "line 7, column 11 of a.csv holds '4'; expected nothing as in the first image"),
    ],
)
@pytest.mark.parametrize("label", [str, "c{}".format])
def test_lines_that_end_otherwise_than_the_first_are_named(first, others, message, label):
    rows = [",".join(map(str, [*row, label(y)])) for row, y in zip(GREY, Y, strict=True)]
    content = "\n".join(row + (first if n < 6 else others) for n, row in enumerate(rows))
    with pytest.raises(RefusedData, match=message):
        read(content.encode())


def test_a_missing_label_is_named_by_its_line():
    content = lines(np.c_[Y.astype(object), GREY], header="label,0,1,2,3,4,5,6,7,8")
    with pytest.raises(RefusedData, match=r"line 2, column 1 of a\.csv holds no label; expected the class"):
        read(content.replace(b"\n0,", b"\n,", 1))
    words = "\n".join(",".join(map(str, [*row, "cat" if n != 6 else ""])) for n, row in enumerate(GREY))
    with pytest.raises(RefusedData, match=r"line 7, column 10 of a\.csv holds no label"):
        read(words.encode())


def test_lines_whose_cells_are_all_empty_are_left_out_and_said_so():
    first, *rest = lines(BITS).splitlines(keepends=True)
    empty = b"," * (BITS.shape[1] - 1) + b"\n"
    own = read(b"".join([first, empty, b"\n", *rest, empty]), labels=None)
    assert_read(own, BITS, None)
    assert own.notes == ("Lines without any value were left out: 2.",)
    assert read(lines(BITS) + b"\n\n", labels=None).notes == ()


def test_a_column_that_numbers_the_lines_is_left_out_and_said_so():
    own = read(lines(np.c_[np.arange(60), GREY]))
    assert_read(own, GREY, None)
    assert own.notes == ("Column 1 numbers the lines and is left out.",)
    for labels in (0, -1):
        rows = np.c_[np.arange(60), Y, BITS] if labels == 0 else np.c_[np.arange(60), BITS, Y]
        assert_read(read(lines(rows), labels=labels), BITS, Y)
    y = np.arange(60) % 30  # counts as lines do, for longer than the rows that are looked at first
    assert_read(read(lines(np.c_[y, BITS])), BITS, y)


# -- other files


def test_an_array_with_the_images_along_its_last_axis_is_told_how_to_turn_it():
    def npy(array: NDArray) -> bytes:
        file = io.BytesIO()
        np.save(file, array)
        return file.getvalue()

    X = rng.integers(0, 256, (60, 3, 5))
    for array in (X, X[:, None], X[..., None]):
        own = read(npy(array), "a.npy")
        assert_read(own, X.reshape(60, 15), None)
        assert own.image_shape == (3, 5)
    with pytest.raises(RefusedData, match=r"\(60, 1, 5, 3\); expected .*Make colour grey: X.mean\(axis=3\)"):
        read(npy(np.zeros((60, 1, 5, 3))), "a.npy")
    with pytest.raises(RefusedData, match=r"\(3, 3, 6000\); expected .*numpy.moveaxis\(X, -1, 0\)"):
        read(npy(np.zeros((3, 3, 6000))), "a.npy")
    for shape in ((60, 2, 2, 9), (60, 2, 2, 2, 3)):
        with pytest.raises(RefusedData, match=r"Reshape it: X.reshape\(len\(X\), -1\), and give image_shape"):
            read(npy(np.zeros(shape)), "a.npy")
    with pytest.raises(
        RefusedData, match=r"shape \(60,\); expected .*Reshape it, so that each image is a row"
    ):
        read(npy(Y), "a.npy")


def test_text_in_utf_16_is_told_from_utf_8():
    with pytest.raises(
        RefusedData, match="expected a table of numbers as text, got text in UTF-16, not UTF-8"
    ):
        read(lines(GREY).decode().encode("utf-16"))


def idx(array: NDArray) -> bytes:
    return (
        struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.astype(np.uint8).tobytes()
    )


def test_mnists_own_files_of_images_are_read():
    X = GREY.reshape(60, 3, 3)
    for name, content in (
        ("t10k-images-idx3-ubyte.gz", gzip.compress(idx(X))),
        ("t10k-images-idx3-ubyte", idx(X)),
        ("t10k-images.idx3-ubyte", idx(X)),
    ):
        own = read(content, name)
        assert_read(own, GREY, None)
        assert own.image_shape == (3, 3)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(idx(Y)), "holds labels only; expected images.*numpy.savez"),
        (gzip.compress(idx(GREY))[:-20], "damaged: expected a whole gzip file"),
        (gzip.compress(idx(GREY)[:-1]), "promises 540 bytes, expected as many, got 539"),
        (gzip.compress(b"1,2,3"), "expected MNIST's format, with values of one byte, got other data"),
        (gzip_bomb(300 * 2**20), "would take 256.0 MiB decompressed; expected at most 256.0 MiB"),
        (idx(GREY)[:9], "damaged: expected 12 bytes of lengths first"),
        (struct.pack(">HBB3I", 0, 8, 3, *[2**32 - 1] * 3), "would take"),
        (b"1,2,3", "expected images in MNIST's format, got other data"),
    ],
    ids=[
        "labels",
        "cut short",
        "a byte less",
        "other data",
        "a bomb",
        "no lengths",
        "a huge promise",
        "no gzip",
    ],
)
def test_a_damaged_file_of_mnists_is_refused_in_words(content, message):
    with pytest.raises(RefusedData, match=re.compile(message, re.DOTALL)):
        read(content, "a-ubyte.gz")


# -- on the page


def settled(content: bytes, filename: str) -> UploadState:
    upload = UploadState(OwnData())
    upload.begin(filename, len(content))
    upload.take(0, content)
    wait(upload)
    return upload


def wait(upload: UploadState) -> None:
    while upload.busy:
        upload.poll()


def test_the_page_asks_which_column_holds_the_classes_and_shows_the_images_meanwhile():
    upload = settled(lines(np.c_[Y % 2, BITS]), "a.csv")
    last = ", ".join(map(str, BITS[:5, -1]))
    assert upload.question == (
        f"column 1 (0, 1, 0, 0, 1, ...) or column 10 ({last}, ...) of a.csv may contain the classes or "
        "the values of a pixel; expected numbers that only one reading fits. Choose 'column 1', 'column 10' "
        "or 'none' as the column of the classes."
    )
    entries = [each.entry for each in upload.columns]
    assert entries == [f"column {n}" for n in range(1, 11)], "the question names what is on offer"
    assert not any(each.separate for each in upload.columns), "pixels are on one scale"
    assert (upload.stage, upload.choices.labels, upload.preview.classes) == ("preview", "none", ())
    upload.choose(labels="0")
    wait(upload)
    assert (upload.question, upload.preview.classes) == ("", (("0", 40), ("1", 20)))
    assert upload.preview.notes == ("Classes are from column 1 (0, 1, 0, 0, 1, ...).",)
    upload.choose(labels="auto")
    upload.accept()  # before the question is known
    wait(upload)
    assert "may contain the classes" in upload.question
    assert (upload.error, upload.stage, upload.accepted) == ("", "preview", "")


def test_the_question_about_a_wide_table_names_the_first_and_the_last_column():
    X = rng.integers(0, 2, (60, 64))
    upload = settled(lines(np.c_[Y % 2, X]), "a.csv")
    assert upload.columns == ()
    assert upload.question.endswith("Choose 'the first', 'the last' or 'none' as the column of the classes.")
    for labels, y in (("0", Y % 2), ("-1", X[:, -1])):
        upload.choose(labels=labels)
        wait(upload)
        assert [n for _, n in upload.preview.classes] == np.bincount(y).tolist()


def test_the_page_reads_a_table_of_any_ending_again_for_another_column():
    upload = settled(lines(np.c_[Y, with_border(60)], "\t"), "a.tsv")
    assert upload.preview.classes == (("0", 20), ("1", 20), ("2", 20))
    upload.choose(labels="none", height=13, width=2)
    wait(upload)
    assert (upload.error, upload.preview.classes, upload.preview.image_shape) == ("", (), (13, 2))


# -- the same images, written in every way


@dataclass(frozen=True)
class Written:
    """A table, and what it holds."""

    content: bytes
    X: NDArray
    y: NDArray | None
    labels: str | int | None
    """What tells the reader where the classes are."""
    gap: int = 0
    """Line of a cell that is missing."""
    first_gap: bool = False
    """Whether it is in the first image, by which the others are judged."""
    unlabelled: bool = False
    """Whether the missing cell is the class."""
    spaces: bool = False
    """Whether cells are between spaces, where an empty one is none."""


VALUES: dict[str, Callable[[np.random.Generator, tuple[int, int]], NDArray]] = {
    "binary": lambda rng, shape: rng.integers(0, 2, shape),
    "of 16 levels": lambda rng, shape: rng.integers(0, 16, shape),
    "bytes": lambda rng, shape: rng.integers(0, 256, shape),
    "fractions": lambda rng, shape: rng.integers(0, 1000, shape) / 1000,
    "standardised": lambda rng, shape: rng.normal(size=shape).round(3),
}


@st.composite
def images(draw: st.DrawFn, words: bool = True) -> tuple[NDArray, NDArray | None]:
    """Draw small square images and their classes, numbers or words, or none."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, side, n_classes = draw(st.integers(20, 60)), draw(st.integers(2, 4)), draw(st.integers(2, 5))
    X = draw(st.sampled_from([*VALUES.values()]))(rng, (n, side * side))
    y = rng.permutation(np.arange(n) % n_classes)
    kind = draw(st.sampled_from(["numbers", "words", "none"] if words else ["numbers", "none"]))
    if kind == "none":
        return X, None
    return X, np.array(["cat", "a dog", "cow", "hen", "emu"])[y] if kind == "words" else y


MISSING = ["", "NA", "nan", "?", "N/A", "NULL", "#N/A", "<NA>"]
"""Cells without a value, as programs write them."""


def test_a_word_for_what_is_not_known_is_found_wherever_it_stands(monkeypatch):
    monkeypatch.setattr(tables, "_SEARCHED", 8)
    for word in filter(None, MISSING):
        for before in range(20):
            assert tables._has_unknown_words(b"0" * before + word.encode() + b"\n" * (20 - before))
    assert not tables._has_unknown_words(b"no,ne,on\n" * 9)


def test_a_large_table_is_searched_in_pieces_between_which_other_threads_run(monkeypatch):
    class Pieces:
        def search(self, content: bytes, begin: int, end: int) -> None:
            pieces.append((begin, min(end, len(content))))

    pieces: list[tuple[int, int]] = []
    monkeypatch.setattr(tables, "_MAY_BE_UNKNOWN", Pieces())
    content = b"1\n" * 2**20
    assert not tables._has_unknown_words(content)
    assert max(end - begin for begin, end in pieces) < 300_000
    assert pieces[0][0] == 0
    assert pieces[-1][1] == len(content)
    assert all(later <= end for (_, end), (later, _) in pairwise(pieces))


def with_hole(
    X: NDArray, row: int, place: int, gap: bool, labelled: bool, first: bool
) -> tuple[NDArray, bool]:
    """Return the images without the value of a cell, and whether that cell is the class instead."""
    column = place - (labelled and first)
    if not gap or (labelled and place == (0 if first else X.shape[1])):
        return X, gap
    X = X.astype(float)
    X[row, column] = np.nan
    return X, False


def told(y: NDArray | None, first: bool, named: bool) -> str | int | None:
    return None if y is None else "label" if named else 0 if first else -1


@st.composite
def by_pandas(draw: st.DrawFn, gap: bool = False) -> Written:
    X, y = draw(images())
    first, header, index = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    names = draw(st.sampled_from([None, "p{}".format, "pixel_{}".format]))
    table = pd.DataFrame(X, columns=None if names is None else [names(i) for i in range(X.shape[1])])
    if y is not None:
        table.insert(0 if first else X.shape[1], "label", y)
    if draw(st.booleans()):  # a part of a larger table keeps the numbers of its rows
        table.index = (
            pd.Index(np.random.default_rng(len(X)).permutation(1000)[: len(X)]) if header else table.index
        )
    row, place, missing = draw(st.integers(0, len(X) - 1)), 0, ""
    if gap:
        place = draw(st.integers(0, table.shape[1] - 1))
        missing = draw(st.sampled_from(MISSING))
        table = table.astype(object)
        table.iat[row, place] = None
    separator = draw(st.sampled_from([*SEPARATORS.values()]))
    decimal = draw(st.sampled_from([".", ","])) if separator != "," else "."
    end = draw(st.sampled_from(["\n", "\r\n"]))
    text = table.to_csv(
        sep=separator, decimal=decimal, header=header, index=index, lineterminator=end, na_rep=missing
    )
    content = text.encode(draw(st.sampled_from(["utf-8", "utf-8-sig"])))
    X, unlabelled = with_hole(X, row, place, gap, y is not None, first)
    spaces = separator == " " and not missing
    return Written(content, X, y, told(y, first, header), row + 1 + header, row == 0, unlabelled, spaces)


@st.composite
def by_numpy(draw: st.DrawFn) -> Written:
    X, y = draw(images(words=False))
    first, header = draw(st.booleans()), draw(st.booleans())
    rows = X if y is None else np.c_[y, X] if first else np.c_[X, y]
    separator = draw(st.sampled_from([*SEPARATORS.values()]))
    names = [f"p{i}" for i in range(X.shape[1])]
    names = names if y is None else ["label", *names] if first else [*names, "label"]
    formats = ["%.18e", "%g", "%8.3f"] if X.dtype.kind == "f" else ["%d", "%5d", "%.18e", "%g"]
    file = io.StringIO()
    np.savetxt(
        file,
        rows,
        fmt=draw(st.sampled_from(formats)),
        delimiter=separator,
        header=separator.join(names) if header else "",
        comments=draw(st.sampled_from(["# ", "#", ""])),
    )
    return Written(file.getvalue().encode(), X, y, told(y, first, header))


@st.composite
def by_a_spreadsheet(draw: st.DrawFn, gap: bool = False) -> Written:
    X, y = draw(images())
    first, header, count = draw(st.booleans()), draw(st.booleans()), draw(st.booleans())
    separator = draw(st.sampled_from(",;\t|"))
    comma = separator == ";" and draw(st.booleans())
    rows = [[str(value).replace(".", "," if comma else ".") for value in row] for row in X.tolist()]
    names = [f"Pixel {i + 1}" for i in range(X.shape[1])]
    if y is not None:
        place = 0 if first else X.shape[1]
        names.insert(place, "Label")
        for row, label in zip(rows, y, strict=True):
            row.insert(place, str(label))
    line, hole = draw(st.integers(0, len(rows) - 1)), draw(st.integers(0, len(names) - 1))
    if gap:
        rows[line][hole] = draw(st.sampled_from(MISSING))
    rows = [names, *rows] if header else rows
    if count:
        rows = [[str(n) if n or not header else "", *row] for n, row in enumerate(rows)]
    if draw(st.booleans()):  # all cells quoted
        rows = [[f'"{cell}"' for cell in row] for row in rows]
    empty = draw(st.integers(0, 2))  # columns that were formatted and are empty
    rows = [[*row, *[""] * empty] for row in rows] + [[""] * len(rows[0])] * draw(st.integers(0, 2))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join([*(separator.join(row) for row in rows), ""])
    mark = "sep=;\r\n" if separator == ";" and draw(st.booleans()) else ""
    content = (mark + text).encode(draw(st.sampled_from(["utf-8", "utf-8-sig"])))
    labels = told(y, first, named=False)
    X, unlabelled = with_hole(X, line, hole, gap, y is not None, first)
    return Written(content, X, y, labels, line + 1 + header + bool(mark), line == 0, unlabelled)


WRITERS = st.one_of(by_pandas(), by_numpy(), by_a_spreadsheet())


@settings(max_examples=400)
@given(WRITERS)
def test_the_same_images_come_out_of_every_way_to_write_them_or_the_reader_asks(written):
    assert_read(read(written.content, labels=written.labels), written.X, written.y)
    try:
        own = read(written.content)
    except ColumnsNeeded as error:
        assert written.y is not None
        assert written.labels in (0, -1)
        assert "may contain the classes" in str(error)  # noqa: PT017 - both ends are right
    else:
        assert_read(own, written.X, written.y)


def test_a_missing_class_of_the_first_image_is_named_where_row_numbers_have_no_name():
    rows = [f"{n} {n % 2} 1 0 {'NA' if n == 0 else n % 2}" for n in range(20)]
    content = "\n".join([" 0 1 2 label", *rows]).encode()
    with pytest.raises(RefusedData, match=r"line 2, column 5 of a\.csv holds no label"):
        read(content, labels="label")


@settings(max_examples=200)
@given(st.one_of(by_pandas(gap=True), by_a_spreadsheet(gap=True)))
def test_a_pixel_that_is_missing_is_not_known_and_a_missing_class_is_named_in_every_way_to_write_a_table(
    written,
):
    for labels in (written.labels, "auto"):
        own, error = read_or_error(written.content, labels)
        if own is not None:
            assert not written.unlabelled or labels is None
            assert_read(own, written.X, written.y)
            assert own.n_unknown == 1
        elif isinstance(error, ColumnsNeeded):
            assert labels == "auto"
            assert written.y is not None
        else:
            # An empty cell between spaces is none; at the end of the first image it says nothing of a column.
            assert written.unlabelled or written.spaces or written.first_gap
            found = re.search(r"\b(line|image) (\d+)\b", str(error))
            assert found is not None, error
            others = {written.gap - 1, written.gap + 1} if written.first_gap else set()
            assert found[1] == "image" or int(found[2]) in {written.gap, *others}, error


def read_or_error(content: bytes, labels: Any) -> tuple[OwnImages | None, RefusedData | None]:
    """Return what is read of a table, or the error that refuses it."""
    try:
        return read(content, labels=labels), None
    except RefusedData as error:
        return None, error


def test_a_cell_that_is_missing_between_spaces_is_no_question_about_words():
    rows = [f"{n} cat 0 1 1 {n % 2}" for n in range(1, 30)]
    content = "\n".join(["label 0 1 2 3", "0 cat  1 1 0", *rows]).encode()
    for labels in ("label", "auto"):
        with pytest.raises(RefusedData, match=r"line 3 of a\.csv has 6 columns; expected 5 as in the first"):
            read(content, labels=labels)


@settings(max_examples=200)
@given(images(), st.booleans(), st.sampled_from(",;\t|"), st.sampled_from(MISSING), st.data())
def test_a_pixel_that_is_missing_is_not_known_whatever_word_stands_for_it(
    found, header, separator, word, data
):
    X, y = found
    row, column = data.draw(st.integers(0, len(X) - 1)), data.draw(st.integers(0, X.shape[1] - 1))
    rows = X.astype(object)
    rows[row, column] = word
    rows = rows if y is None else np.c_[rows, y]
    names = separator.join(f"p{i}" for i in range(rows.shape[1])) if header else ""
    content, labels = lines(rows, separator, names), told(y, first=False, named=False)
    if not word and y is None and not header and (row, column) == (0, X.shape[1] - 1):
        with pytest.raises(RefusedData, match=rf"line 2, column {column + 1} of a\.csv holds .* write NA"):
            read(content, labels=labels)
        return
    own = read(content, labels=labels)
    expected = X.astype(float)
    expected[row, column] = np.nan
    assert_read(own, expected, y)


@pytest.mark.parametrize("header", ["", ",0,1,2,3,4,5,6,7,8"])
def test_a_column_that_numbers_the_lines_may_lack_a_few_numbers(header):
    content = (
        lines(np.c_[np.arange(60), GREY], header=header).replace(b"\n7,", b"\n,").replace(b"\n41,", b"\nNA,")
    )
    assert_read(read(content, labels=None), GREY, None)


CELLS = st.sampled_from(
    ["0", "1", "2", "255", "", "", "x", "label", "0,5", "0.5", '"', '"1"', "#", " ", "nan", "1e400", "é"]
)
ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=4)


@settings(max_examples=400)
@given(
    ROWS,
    st.integers(0, 20),
    st.sampled_from(",;\t |"),
    st.sampled_from(["", "\n"]),
    st.sampled_from(["auto", None, 0, -1]),
)
def test_nothing_but_a_refusal_in_words_comes_of_odd_cells(rows, at, separator, end, labels):
    good = [[str(n % 2), "1", str(n % 5)] for n in range(20)]
    text = "\n".join(separator.join(row) for row in [*good[:at], *rows, *good[at:]]) + end
    for content in (text, "\n".join(separator.join(row) for row in rows * 20)):
        try:
            read(content.encode(), labels=labels)
        except RefusedData as error:
            assert "broadcast" not in str(error)  # noqa: PT017 - a good table is as right
