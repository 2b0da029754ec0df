"""Folders of pictures: which folders are parts, how pictures are turned, and what their values mean."""

from __future__ import annotations

import io
import struct
import time
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from fuzz.child import forget_peak, peak_memory
from PIL import Image, ImageOps

from lrbn_viz import read_dataset
from lrbn_viz.datasets import RefusedData, store_dataset, stored_dataset
from lrbn_viz.datasets.own import OwnImages, decode_own, limits, make_dataset
from lrbn_viz.datasets.own.images import value_range

rng = np.random.default_rng(0)
GREY = rng.integers(0, 256, (60, 6, 4), dtype=np.uint8)
CLASSES = ("cat", "dog")


def picture(image: Any, kind: str = "PNG", **how: Any) -> bytes:
    file = io.BytesIO()
    Image.fromarray(np.asarray(image)).save(file, kind, **how)
    return file.getvalue()


def zipped(files: Mapping[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


def read(files: Mapping[str, bytes], **how: Any) -> OwnImages:
    return decode_own(zipped(files), "a.zip", limits(), **how)


def in_folders(counts: Mapping[str, int]) -> dict[str, bytes]:
    """So many pictures in each folder, all different."""
    rows = iter(GREY)
    return {
        f"{folder}/{n:03}.png": picture(next(rows))
        for folder, n_images in counts.items()
        for n in range(n_images)
    }


def in_classes(parts: Mapping[str, int], pattern: str = "{part}/{label}") -> dict[str, bytes]:
    """So many pictures of each class in each part."""
    return in_folders(
        {pattern.format(part=part, label=label): n for part, n in parts.items() for label in CLASSES}
    )


def rows_of(own: OwnImages) -> list[bytes]:
    return [row.tobytes() for row in own.X]


def rows_in(files: Mapping[str, bytes], *folders: str) -> set[bytes]:
    """The pixels of the pictures below some folder."""
    return {
        np.asarray(Image.open(io.BytesIO(content))).tobytes()
        for name, content in files.items()
        if set(name.split("/")) & set(folders)
    }


# -- parts and classes


@pytest.mark.parametrize(
    ("train", "test"),
    [
        ("train", "test"),
        ("Train", "TEST"),
        ("training", "testing"),
        ("train_images", "test_images"),
        ("train-images", "test-images"),
        ("training_set", "test_set"),
        ("trainset", "testset"),
        ("train data", "test data"),
        ("train", "valid"),
        ("train", "val"),
        ("training", "Validation"),
        ("train", "dev"),
    ],
)
@pytest.mark.parametrize(
    "pattern", ["{part}/{label}", "all/{part}/{label}", "a/b/{part}/{label}", "{label}/{part}"]
)
def test_usual_names_of_parts_divide_the_images_wherever_they_stand(train, test, pattern):
    files = in_classes({train: 12, test: 3}, pattern)
    own = read(files)
    assert own.class_names == CLASSES
    assert own.n_test == 6
    assert own.n_validation == 0
    assert set(rows_of(own)[:-6]) == rows_in(files, train)
    assert set(rows_of(own)[-6:]) == rows_in(files, test)
    data = make_dataset(own, threshold=0.5)
    assert (len(data.train_X), len(data.test_X)) == (24, 6)
    np.testing.assert_array_equal(data.test_y, [0, 0, 0, 1, 1, 1])
    first, second = sorted((train, test))
    assert f"Folders that are parts of the data, not classes: {first}, {second}." in own.notes
    no_test = "No folder is for testing: the images for validation are the test images."
    assert (no_test in own.notes) == ("test" not in test.lower())


def test_parts_without_classes_divide_the_images_too():
    files = in_folders({"train-images": 20, "test-images": 5})
    own = read(files)
    assert (own.y, own.n_test) == (None, 5)
    assert set(rows_of(own)[-5:]) == rows_in(files, "test-images")


def test_images_for_validation_are_the_last_to_train_on_and_are_named():
    files = in_classes({"train": 10, "val": 4, "test": 3})
    own = read(files)
    assert own.class_names == CLASSES
    assert (own.n_test, own.n_validation) == (6, 8)
    rows = rows_of(own)
    assert set(rows[:20]) == rows_in(files, "train")
    assert set(rows[20:28]) == rows_in(files, "val")
    assert set(rows[28:]) == rows_in(files, "test")
    assert "The images for validation are the last of those to train on." in own.notes
    data = make_dataset(own)
    assert (len(data.train_X), data.validation_start, len(data.test_X)) == (28, 20, 6)
    assert "28 for training (the last 8 of them for validation) and 6 for testing" in data.description


def test_where_validation_begins_is_kept_with_a_stored_data_set(tmp_path):
    data = make_dataset(read(in_classes({"train": 10, "val": 4, "test": 3})))
    store_dataset(data, tmp_path / "dataset")
    assert stored_dataset(tmp_path / "dataset").validation_start == 20


def test_parts_that_are_packed_twice_are_read_once():
    files = in_classes({"train": 10, "test": 3}, "{part}_set/{part}_set/{label}")
    own = read(files)
    assert own.class_names == CLASSES
    assert own.n_test == 6
    assert set(rows_of(own)[-6:]) == rows_in(files, "test_set")


def test_a_part_within_a_part_decides():
    files = in_folders({"train/train/cat": 20, "train/val/cat": 5, "test/test/cat": 6})
    own = read(files)
    assert own.y is None
    assert (own.n_test, own.n_validation) == (6, 5)


@pytest.mark.parametrize(
    ("folders", "classes"),
    [
        (("cat", "dog", "test"), ("cat", "dog", "test")),
        (("cat", "train"), ("cat", "train")),
        (("test", "val"), ("test", "val")),  # none is to train on
        (("train/cat", "train/dog"), CLASSES),
        (("test/cat", "test/dog"), CLASSES),
        (("trainer/cat", "tester/dog"), ("tester/dog", "trainer/cat")),
        (("train/cat", "test/dog", "extra/dog"), ("extra/dog", "test/dog", "train/cat")),
    ],
)
def test_folders_are_classes_unless_all_of_a_level_name_parts_and_one_trains(folders, classes):
    own = read(in_folders(dict.fromkeys(folders, 15)))
    assert own.class_names == classes
    assert own.n_test is None
    assert own.notes == ()


def test_training_folders_alone_leave_the_test_images_to_be_drawn():
    own = read(in_classes({"train": 10, "training": 5}))
    assert (own.class_names, own.n_test) == (CLASSES, None)
    assert len(make_dataset(own).test_X) == 6


def test_a_test_folder_without_classes_beside_one_with_them_is_refused():
    files = in_folders({"train/cat": 20, "train/dog": 20, "test": 5})
    with pytest.raises(RefusedData, match=r"test/000\.png lies in no class folder while other images do"):
        read(files)


@pytest.mark.parametrize(
    "litter",
    [
        "train/cat/@eaDir/000.png/SYNOPHOTO_THUMB_M.jpg",
        "@eaDir/x.png",
        "__MACOSX/train/cat/._000.png",
        "train/.DS_Store",
        "Thumbs.db",
        "test/dog/thumbs.db",
        "train/desktop.ini",
        ".ipynb_checkpoints/000.png",
        "train/cat/.ipynb_checkpoints/000-checkpoint.png",
        ".thumbnails/a.jpg",
        "train/@__thumb/000.png",
        "$RECYCLE.BIN/a.png",
        "Icon\r",
    ],
)
def test_what_file_managers_leave_is_neither_a_class_nor_an_image_and_is_not_mentioned(litter):
    files = in_classes({"train": 12, "test": 3})
    clean, littered = read(files), read({litter: b"no image", **files})
    np.testing.assert_array_equal(littered.X, clean.X)
    assert (littered.class_names, littered.n_test, littered.notes) == (CLASSES, 6, clean.notes)


def test_other_files_that_are_no_images_are_counted():
    own = read(in_classes({"train": 12, "test": 3}) | {"readme.txt": b"hello"})
    assert "Files that are no images were left out: 1." in own.notes


def test_names_with_backslashes_are_folders_too():
    files = {
        name.replace("/", "\\"): content for name, content in in_classes({"train": 12, "test": 3}).items()
    }
    own = read(files)
    assert (own.class_names, own.n_test) == (CLASSES, 6)


def test_folders_in_folders_without_end_cost_little_time():
    deep = "/".join(["test"] * 10_000)
    files = {f"train/{deep}/{n}.png": picture(GREY[n]) for n in range(20)}
    files |= {f"test/{deep}/{n}.png": picture(GREY[n + 20]) for n in range(20)}
    content = zipped(files)
    cpu = time.thread_time()
    own = decode_own(content, "a.zip", limits())
    assert time.thread_time() - cpu < 3
    assert own.n_test == 20


# -- turned pictures


UPRIGHT = np.kron(rng.permutation(6).reshape(2, 3) * 50, np.ones((8, 8))).astype(np.uint8)
STORED_AS = {
    1: UPRIGHT,
    2: UPRIGHT[:, ::-1],
    3: UPRIGHT[::-1, ::-1],
    4: UPRIGHT[::-1],
    5: UPRIGHT.T,
    6: np.rot90(UPRIGHT),  # shown turned clockwise
    7: UPRIGHT[::-1, ::-1].T,
    8: np.rot90(UPRIGHT, -1),
}
"""How a camera stores an upright picture, by the orientation that it states."""


def exif(orientation: int) -> Image.Exif:
    data = Image.Exif()
    data[0x0112] = orientation
    return data


@pytest.mark.parametrize("orientation", STORED_AS)
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "PNG of 16 bits"])
def test_pictures_are_turned_as_their_orientation_says(orientation, kind):
    stored = STORED_AS[orientation].astype(np.uint16) * 257 if "16" in kind else STORED_AS[orientation]
    how = {"quality": 100} if kind == "JPEG" else {}
    content = picture(stored, kind[:4].strip(), exif=exif(orientation), **how)
    files = {f"{n}.{'jpg' if kind == 'JPEG' else 'png'}": content for n in range(20)}
    with pytest.raises(RefusedData, match="all 20 images are the same"):
        read(files)
    own = read(files | {"other.png": picture(255 - UPRIGHT)})
    assert own.image_shape == UPRIGHT.shape
    shown = own.X[0].reshape(UPRIGHT.shape) / (257 if "16" in kind else 1)
    np.testing.assert_allclose(shown, UPRIGHT, atol=2 if kind == "JPEG" else 0)
    if "16" not in kind:
        with Image.open(io.BytesIO(content)) as image:
            np.testing.assert_array_equal(shown, np.asarray(ImageOps.exif_transpose(image)))


def test_colour_and_transparency_are_turned_too():
    rgba = np.zeros((*STORED_AS[6].shape, 4), np.uint8)
    rgba[..., 0] = rgba[..., 3] = STORED_AS[6]
    content = picture(rgba, exif=exif(6))
    own = read({f"{n}.png": content for n in range(20)} | {"other.png": picture(UPRIGHT)})
    with Image.open(io.BytesIO(content)) as image:
        turned = ImageOps.exif_transpose(image)
        whole = Image.alpha_composite(Image.new("RGBA", turned.size, "white"), turned)
    np.testing.assert_array_equal(own.X[0].reshape(UPRIGHT.shape), np.asarray(whole.convert("L")))


def test_pictures_are_turned_before_they_are_scaled():
    content = picture(STORED_AS[6], exif=exif(6))
    own = read(
        {f"{n}.png": content for n in range(20)} | {"other.png": picture(UPRIGHT.T)}, image_shape=(2, 3)
    )
    np.testing.assert_array_equal(own.X[0].reshape(2, 3), UPRIGHT[::8, ::8])


def png(
    header: bytes, rows: bytes, *chunks: tuple[bytes, bytes], last: Sequence[tuple[bytes, bytes]] = ()
) -> bytes:
    """A PNG by hand; `rows` have their filter bytes, `last` comes after them."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    parts = [(b"IHDR", header), *chunks, (b"IDAT", zlib.compress(rows)), *last, (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def tags(*entries: tuple[int, int, int, int], order: str = "<", data: bytes = b"") -> bytes:
    """EXIF data by hand: (code, type, count, value or place) of each tag."""
    mark = b"II*\0" if order == "<" else b"MM\0*"
    return (
        mark
        + struct.pack(order + "LH", 8, len(entries))
        + b"".join(
            struct.pack(order + "HHLHxx" if kind == 3 else order + "HHLL", *(code, kind, *rest))
            for code, kind, *rest in entries
        )
        + bytes(4)
        + data
    )


def grey_png(exif_data: bytes, *, behind: bool = False) -> bytes:
    rows = b"".join(b"\0" + row.tobytes() for row in STORED_AS[3])
    header = struct.pack(">IIBBBBB", UPRIGHT.shape[1], UPRIGHT.shape[0], 8, 0, 0, 0, 0)
    chunk = (b"eXIf", exif_data)
    return png(header, rows, last=[chunk]) if behind else png(header, rows, chunk)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("behind", [False, True])
def test_orientation_is_read_in_both_byte_orders_and_behind_the_pixels(order, behind):
    content = grey_png(tags((0x010E, 2, 4, 0), (0x0112, 3, 1, 3), order=order), behind=behind)
    own = read({f"{n}.png": content for n in range(20)} | {"other.png": picture(255 - UPRIGHT)})
    np.testing.assert_array_equal(own.X[0].reshape(UPRIGHT.shape), UPRIGHT)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"II",
        b"II*\0\xff\xff\xff\xff",
        b"no EXIF at all",
        tags((0x0112, 3, 1, 0)),
        tags((0x0112, 3, 1, 9)),
        tags((0x0112, 3, 0, 3)),
        tags((0x0112, 12, 1, 3)),
        tags((0x0112, 3, 1, 3))[:12],
        b"MM*\0" + tags((0x0112, 3, 1, 3))[4:],
    ],
)
def test_orientation_that_cannot_be_read_leaves_a_picture_as_it_is(data):
    own = read({f"{n}.png": grey_png(data) for n in range(20)} | {"other.png": picture(255 - UPRIGHT)})
    np.testing.assert_array_equal(own.X[0].reshape(UPRIGHT.shape), STORED_AS[3])


def test_tags_that_share_their_data_take_neither_memory_nor_time():
    """A reader that copies the data of each tag would take 2.5 GB for each of these pictures."""
    many = [(code, 7, 50_000, 600_000) for code in range(0x2000, 0x2000 + 50_000)]
    content = grey_png(tags(*many, (0x0112, 3, 1, 3), data=bytes(50_100)))
    files = zipped({f"{n}.png": content for n in range(20)} | {"other.png": picture(255 - UPRIGHT)})
    forget_peak()
    memory, cpu = peak_memory(), time.thread_time()
    own = decode_own(files, "a.zip", limits())
    assert peak_memory() - memory < 200e6
    assert time.thread_time() - cpu < 3  # 0.4 s; the slack is for slow machines
    np.testing.assert_array_equal(own.X[0].reshape(UPRIGHT.shape), UPRIGHT)


@pytest.mark.parametrize("orientation", [1, 3, 6])
def test_orientation_is_no_way_round_the_limits_of_size(orientation):
    wide = picture(np.zeros((10, 4097), np.uint8), exif=exif(orientation))
    with pytest.raises(RefusedData, match="10 x 4,097 pixels; expected at most 4,096 a side"):
        read({f"{n}.png": wide for n in range(20)})
    large = picture(np.zeros((200, 100), np.uint8), exif=exif(orientation))
    turned = "100 x 200" if orientation == 6 else "200 x 100"
    with pytest.raises(RefusedData, match=f"have {turned} pixels; expected at most 16,384"):
        read({f"{n}.png": large for n in range(20)})


# -- what values mean


def npz(X: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, X=X)
    return file.getvalue()


def csv(X: Any) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in X.reshape(len(X), -1).tolist()).encode()


@pytest.mark.parametrize(
    ("dtype", "largest"),
    [(np.uint8, most) for most in (1, 16, 200, 255)]
    + [(np.uint16, most) for most in (1, 16, 200, 255, 256, 4095, 65535)],
)
def test_the_same_numbers_are_the_same_images_in_pictures_arrays_and_tables(dtype, largest):
    X = rng.integers(0, largest + 1, (30, 6, 4)).astype(dtype)
    X[0, 0, 0] = largest
    own = read({f"{n:02}.png": picture(image) for n, image in enumerate(X)})
    np.testing.assert_array_equal(own.X, X.reshape(30, 24))
    assert own.notes == ()
    for content, filename in ((npz(X), "a.npz"), (csv(X), "a.csv")):
        other = decode_own(content, filename, limits(), labels=None)
        np.testing.assert_array_equal(own.X, other.X)
        assert (own.low, own.high) == (other.low, other.high) == (0.0, float(largest))
        for binary in (True, False):
            mine = make_dataset(own, binary=binary)
            theirs = make_dataset(other, binary=binary, image_shape=(6, 4))
            np.testing.assert_array_equal(mine.train_X, theirs.train_X)
            np.testing.assert_array_equal(mine.test_X, theirs.test_X)


def test_a_mask_in_16_bits_is_binary_as_it_is():
    bits = rng.integers(0, 2, (30, 6, 4)).astype(np.uint16)
    for full in (1, 255, 65535):
        pictures = {f"{n:02}.png": picture(image * full) for n, image in enumerate(bits)}
        data = read_dataset(zipped(pictures), filename="a.zip")
        assert "with two values as they are" in data.description
        assert {row.tobytes() for row in np.concatenate([data.train_X, data.test_X])} == {
            image.astype(np.uint8).tobytes() for image in bits
        }


def test_full_is_the_largest_value_or_1_and_empty_0_or_the_smallest_below():
    assert value_range(0, 200) == (0, 200)
    assert value_range(50, 200) == (0, 200)
    assert value_range(0, 0.5) == (0, 1)
    assert value_range(-2, 0.5) == (-2, 1)


def test_16_bits_keep_all_their_levels_when_they_are_scaled_to_a_size():
    X = rng.integers(0, 65536, (30, 12, 8)).astype(np.uint16)
    own = read({f"{n:02}.png": picture(image) for n, image in enumerate(X)}, image_shape=(6, 4))
    means = X.reshape(30, 6, 2, 4, 2).mean(axis=(2, 4)).reshape(30, 24)
    np.testing.assert_allclose(own.X, means, atol=1)
    assert own.X.dtype == np.uint16


@pytest.mark.parametrize(
    ("largest", "full"), [(65535, 65535), (40_000, 65535), (4095, 4095), (3000, 4095), (256, 1023)]
)
def test_8_bits_beside_16_are_scaled_to_the_bits_in_use_there(largest, full):
    deep = rng.integers(0, largest + 1, (15, 6, 4)).astype(np.uint16)
    deep[0, 0, 0] = largest
    flat = GREY[:15].copy()
    flat[0, 0, :2] = 0, 255
    files = {f"a{n:02}.png": picture(image) for n, image in enumerate(flat)}
    files |= {f"b{n:02}.png": picture(image) for n, image in enumerate(deep)}
    own = read(files)
    np.testing.assert_array_equal(own.X[15:], deep.reshape(15, 24))
    np.testing.assert_array_equal(own.X[:15], np.rint(flat.reshape(15, 24) / 255 * full))
    assert own.notes == (
        f"15 of 30 images have 16 bits and the others 8: 255 in these counts as {full:,} in those.",
    )
    mirrored = read({name.translate({97: 98, 98: 97}): content for name, content in files.items()})
    np.testing.assert_array_equal(mirrored.X, np.roll(own.X, 15, axis=0))


def test_8_bits_beside_16_that_hold_no_more_are_read_alike():
    files = {
        f"{n:02}.png": picture(image.astype(np.uint16 if n % 2 else np.uint8)) for n, image in enumerate(GREY)
    }
    own = read(files)
    np.testing.assert_array_equal(own.X, GREY.reshape(60, 24))
    assert own.notes == (
        "30 of 60 images have 16 bits and the others 8; no value is above 255, so all were read alike.",
    )


COLOUR_TYPES = {"grey": (0, 1), "RGB": (2, 3), "grey and opacity": (4, 2), "RGBA": (6, 4)}
WEIGHTS = np.array([19595, 38470, 7471])  # of Pillow


def deep_png(image: np.ndarray, colour_type: int, *chunks: tuple[bytes, bytes]) -> bytes:
    """A PNG of 16 bits, whose rows are filtered by their left neighbours."""
    big = image.reshape(*image.shape[:2], -1).astype(">u2")
    flat = np.frombuffer(big.tobytes(), np.uint8).reshape(len(image), image.shape[1], -1)
    left = np.zeros_like(flat)
    left[:, 1:] = flat[:, :-1]
    rows = b"".join(b"\x01" + row.tobytes() for row in flat - left)
    return png(
        struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 16, colour_type, 0, 0, 0), rows, *chunks
    )


def on_white(grey: np.ndarray, opacity: np.ndarray) -> np.ndarray:
    return np.rint((grey.astype(float) * opacity + 65535.0 * (65535 - opacity)) / 65535)


@pytest.mark.parametrize("kind", COLOUR_TYPES)
@pytest.mark.parametrize("largest", [1, 255, 4095, 65535])
def test_all_kinds_of_16_bits_are_read_with_the_numbers_that_they_store(kind, largest):
    colour_type, n_channels = COLOUR_TYPES[kind]
    X = rng.integers(0, largest + 1, (20, 6, 4, n_channels)).astype(np.uint16)
    if n_channels in (2, 4):
        X[..., -1] = 65535
    own = read({f"{n:02}.png": deep_png(image, colour_type) for n, image in enumerate(X)})
    colours = X[..., :3].astype(np.int64)
    grey = (colours @ WEIGHTS + 32768) // 65536 if n_channels >= 3 else colours[..., 0]
    np.testing.assert_array_equal(own.X, grey.reshape(20, 24))


@pytest.mark.parametrize("kind", ["grey and opacity", "RGBA"])
def test_what_is_transparent_in_16_bits_is_white(kind):
    colour_type, n_channels = COLOUR_TYPES[kind]
    X = rng.integers(0, 65536, (20, 300, 4, n_channels)).astype(np.uint16)
    X[0, ..., -1] = 0
    X[1, ..., -1] = 65535
    own = read({f"{n:02}.png": deep_png(image, colour_type) for n, image in enumerate(X)})
    colours = X[..., :3].astype(np.int64)
    grey = (colours @ WEIGHTS + 32768) // 65536 if n_channels == 4 else colours[..., 0]
    np.testing.assert_array_equal(own.X, on_white(grey, X[..., -1]).reshape(20, -1))
    assert (own.X[0] == 65535).all()


@pytest.mark.parametrize(("kind", "key"), [("grey", (300,)), ("RGB", (300, 2, 65000))])
def test_a_transparent_colour_of_16_bits_is_white_and_its_neighbours_are_not(kind, key):
    colour_type, n_channels = COLOUR_TYPES[kind]
    X = rng.integers(0, 65536, (20, 6, 4, n_channels)).astype(np.uint16)
    X[:, 0, 0], X[:, 0, 1] = key, key
    X[:, 0, 1, 0] += 1  # the same upper byte
    chunk = (b"tRNS", struct.pack(f">{n_channels}H", *key))
    own = read({f"{n:02}.png": deep_png(image, colour_type, chunk) for n, image in enumerate(X)})
    plain = read({f"{n:02}.png": deep_png(image, colour_type) for n, image in enumerate(X)})
    np.testing.assert_array_equal(own.X[:, 0], 65535)
    np.testing.assert_array_equal(own.X[:, 1:], plain.X[:, 1:])


def test_a_large_picture_of_16_bits_costs_little_memory():
    rows = bytes((1 + 4096 * 8) * 4096)
    large = png(struct.pack(">IIBBBBB", 4096, 4096, 16, 6, 0, 0, 0), rows)
    forget_peak()
    memory, cpu = peak_memory(), time.thread_time()
    with pytest.raises(RefusedData, match="4,096 x 4,096 pixels; expected at most 16,384"):
        read({f"{n}.png": large for n in range(2)})
    assert peak_memory() - memory < 500e6
    assert time.thread_time() - cpu < 5
