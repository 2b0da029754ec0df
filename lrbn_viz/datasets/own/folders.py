"""A zip archive of PNG or JPEG images: subfolders name classes, or parts such as train and test."""

from __future__ import annotations

import io
import re
import struct
import zipfile
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.own.archives import read_entry
from lrbn_viz.datasets.own.images import (
    MAX_PIXELS,
    Limits,
    OwnImages,
    RefusedData,
    ShapeNeeded,
    assemble,
    listed,
    plain_name,
)

if TYPE_CHECKING:
    from PIL import Image, ImageFile

_ENDINGS = {".png", ".jpg", ".jpeg"}
_MAX_SIDE = 4096  # of one image before it is scaled down: 50 MB decoded
_MAX_SCANS = 50  # of a progressive JPEG, each of which goes over the whole image; programs write about ten
_ORIENTATION, _SHORT = 0x0112, 3  # EXIF: the code of a tag, and of its type
_BAND = 256  # rows of a 16-bit colour image that are converted at a time: bounds memory

_METADATA_NAMES = {
    "__macosx", "@eadir", "@__thumb", "@recycle", "@tmp", "#recycle", "$recycle.bin",
    "system volume information", "lost+found", "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r",
}  # fmt: skip
"""Folders and files in which file managers keep thumbnails and settings, in lower case."""

_TRAIN, _VALIDATION, _TEST = range(3)  # the order of rows
_PART_NAME = re.compile(
    r"(?:(?P<train>train|training)|(?P<validation>val|valid|validation|dev)|test|testing)"
    r"(?:[ _-]?(?:images?|data|set))?",
    re.IGNORECASE,
)


class _Layout(NamedTuple):
    """The structure of images that folders define.

    Attributes
    ----------
    classes : list of str, or None
        The class of each image; None without classes.
    parts : list of int
        `_TRAIN`, `_VALIDATION` or `_TEST` of each image.
    notes : list of str
        Which folders were taken as parts, as sentences.
    """

    classes: list[str] | None
    parts: list[int]
    notes: list[str]


def decode_folder(
    archive: zipfile.ZipFile, filename: str, limits: Limits, image_shape: tuple[int, int] | None
) -> OwnImages:
    """Read all images; arguments as in :func:`~lrbn_viz.datasets.own.read.decode_own`.

    Colour becomes grey, what is transparent white, and images are turned as their EXIF orientation says.
    """
    found, others = [], 0
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename.replace("\\", "/"))  # some programs for Windows write backslashes
        if entry.filename.endswith(("/", "\\")) or any(map(_is_metadata, path.parts)):
            continue
        if path.suffix.lower() in _ENDINGS:
            found.append((path, entry))
        else:
            others += 1
    if not found:
        raise RefusedData(
            f"{filename} holds no .png or .jpg among its {others} files; expected a folder of images. "
            "Save arrays as .npz."
        )
    found.sort(key=lambda pair: pair[0].as_posix())
    layout = _layout([path for path, _ in found])
    order = sorted(range(len(found)), key=layout.parts.__getitem__)  # stable: by name within each part
    entries = [found[row] for row in order]
    X, shape, notes = _read_images(archive, entries, filename, limits, image_shape)
    if others:
        notes.append(f"Files that are no images were left out: {others:,}.")
    if image_shape is not None:
        notes.append(f"Images were scaled to {image_shape[0]} x {image_shape[1]} pixels.")
    return assemble(
        X,
        None if layout.classes is None else [layout.classes[row] for row in order],
        shape,
        layout.parts.count(_TEST) or None,
        filename,
        limits,
        notes=layout.notes + notes,
        n_validation=layout.parts.count(_VALIDATION),
    )


def _is_metadata(name: str) -> bool:
    """Return whether a file or folder of this name is hidden, or metadata of a file manager."""
    return name.startswith(".") or name.lower() in _METADATA_NAMES


def _read_images(
    archive: zipfile.ZipFile,
    entries: list[tuple[PurePosixPath, zipfile.ZipInfo]],
    filename: str,
    limits: Limits,
    image_shape: tuple[int, int] | None,
) -> tuple[NDArray[Any], tuple[int, int], list[str]]:
    """Return images of one shape, (n, n_v) uint8 or uint16, with that shape and notes."""
    shape, n_decoded = image_shape, 0
    X: NDArray[Any] = np.empty((0, 0), np.uint8)
    deep = np.zeros(len(entries), bool)  # images of 16 bits
    if shape is not None:
        limits.check_images(len(entries), shape[0] * shape[1])
    for row, (path, entry) in enumerate(entries):
        image, n_pixels = _read_image(read_entry(archive, entry), plain_name(str(path)), image_shape)
        limits.check_time(filename)
        n_decoded += n_pixels
        limits.check_inflated(n_decoded, f"the images of {filename}")
        if shape is None:
            shape = image.shape
            if shape[0] * shape[1] > MAX_PIXELS:
                raise ShapeNeeded(
                    f"the images have {shape[0]:,} x {shape[1]:,} pixels; expected at most {MAX_PIXELS:,}, "
                    "such as 128 x 128. Give the height and width to scale all images to."
                )
            limits.check_images(len(entries), shape[0] * shape[1])
        if image.shape != shape:
            first = plain_name(str(entries[0][0]))
            raise ShapeNeeded(
                f"{plain_name(str(path))} has {image.shape[0]} x {image.shape[1]} pixels; "
                f"expected {shape[0]} x {shape[1]} as {first}. "
                "Give the height and width to scale all images to."
            )
        if row == 0:
            X = np.empty((len(entries), image.size), np.uint8)
        deep[row] = image.dtype == np.uint16
        if deep[row] and X.dtype == np.uint8 and image.max() > 255:
            wider = np.empty(X.shape, np.uint16)
            wider[:row] = X[:row]
            X = wider
        X[row] = image.reshape(-1)
    assert shape is not None
    return X, shape, _join_depths(X, deep)


def _join_depths(X: NDArray[Any], deep: NDArray[np.bool_]) -> list[str]:
    """Scale images of 8 bits in place where others have 16, and return notes.

    A full pixel is 255 in 8 bits. In 16 bits it is the largest number of as many bits as are in use: cameras
    store 10, 12 or 14 bits in files of 16.
    """
    if deep.all() or not deep.any():
        return []
    said = f"{int(deep.sum()):,} of {len(deep):,} images have 16 bits and the others 8"
    if X.dtype == np.uint8:
        return [f"{said}; no value is above 255, so all were read alike."]
    highest = max(int(X[row].max()) for row in np.flatnonzero(deep))
    full = next(2**bits - 1 for bits in (10, 12, 14, 16) if highest < 2**bits)
    scaled = ((np.arange(256) * full + 127) // 255).astype(np.uint16)
    for row in np.flatnonzero(~deep):
        X[row] = scaled[X[row]]
    return [f"{said}: 255 in these counts as {full:,} in those."]


def _part_of(name: str) -> int | None:
    """Return the part that a folder's name stands for, or None."""
    match = _PART_NAME.fullmatch(name.strip())
    if match is None:
        return None
    return _TRAIN if match["train"] else _VALIDATION if match["validation"] else _TEST


def _layout(paths: list[PurePosixPath]) -> _Layout:
    """Return the classes and parts that the folders of images define.

    Folders that hold all of the images say nothing. Those of one depth are parts if the names of all of them
    are names of parts and some are of training; where parts lie in parts, the later one decides ("train/val"
    is for validation, "test/train" for testing). All other folders are classes.

    Raises
    ------
    RefusedData
        Some images lie in class folders and some do not.
    """
    folders = [path.parts[:-1] for path in paths]
    parts, named, kept = [_TRAIN] * len(paths), set[str](), list[int]()
    for depth in range(min(map(len, folders))):
        names = {folder[depth] for folder in folders}
        if len(names) == 1 and not kept:
            continue
        of = {name: part for name in names if (part := _part_of(name)) is not None}
        if len(of) == len(names):
            joined = [max(part, of[folder[depth]]) for part, folder in zip(parts, folders, strict=True)]
            if _TRAIN in joined:
                parts, named = joined, named | names
                continue
        kept.append(depth)
    n_common = min(map(len, folders))
    tails = [(*(folder[depth] for depth in kept), *folder[n_common:]) for folder in folders]
    parts, notes = _settled(parts, named)
    if not any(tails):
        return _Layout(None, parts, notes)
    if not all(tails):
        loose = next(path for path, tail in zip(paths, tails, strict=True) if not tail)
        raise RefusedData(
            f"{plain_name(str(loose))} lies in no class folder while other images do; expected all images in "
            "folders named by class, or none. Move it."
        )
    return _Layout(["/".join(tail) for tail in tails], parts, notes)


def _settled(parts: list[int], named: set[str]) -> tuple[list[int], list[str]]:
    """Return the parts with some for testing where any are held out, and notes; `named` are the folders."""
    if not named:
        return parts, []
    notes = [f"Folders that are parts of the data, not classes: {listed(named)}."]
    if _VALIDATION in parts and _TEST in parts:
        notes.append("The images for validation are the last of those to train on.")
    elif _VALIDATION in parts:
        notes.append("No folder is for testing: the images for validation are the test images.")
        parts = [_TEST if part == _VALIDATION else part for part in parts]
    return parts, notes


def _read_image(content: bytes, name: str, image_shape: tuple[int, int] | None) -> tuple[NDArray[Any], int]:
    """Return one image in grey, (height, width) uint8 or uint16, and how many pixels it had in its file."""
    from PIL import Image  # 0.1 s to import, so only where it is needed

    n_scans = content.count(b"\xff\xda") if content.startswith(b"\xff\xd8") else 0
    if n_scans > _MAX_SCANS:
        raise RefusedData(
            f"{name} is a JPEG of {n_scans:,} scans; expected at most {_MAX_SCANS}. Save it again."
        )
    try:
        with _opened(content) as image:
            width, height = image.size  # from the header, before a pixel is decoded
            if max(width, height) > _MAX_SIDE:
                raise RefusedData(
                    f"{name} has {height:,} x {width:,} pixels; expected at most {_MAX_SIDE:,} a side. "
                    "Scale it down."
                )
            grey = _deep_grey(image, content) if _is_deep(image) else _grey(image)
            # After the pixels are decoded, since a PNG may have its EXIF behind them.
            grey = _turned(grey, _orientation(image.info.get("exif", b"")))
        if image_shape is not None and grey.shape != image_shape:
            # Pillow resizes modes of 8 and of 32 bits in every version.
            scalable = Image.fromarray(grey if grey.dtype == np.uint8 else grey.astype(np.int32))
            scaled = scalable.resize((image_shape[1], image_shape[0]), Image.Resampling.BOX)
            grey = np.asarray(scaled).astype(grey.dtype)
        return grey, width * height
    except RefusedData:
        raise
    except Image.DecompressionBombError as error:
        raise RefusedData(
            f"{name} declares far more than {_MAX_SIDE:,} x {_MAX_SIDE:,} pixels; expected at most "
            f"{_MAX_SIDE:,} a side. Scale it down."
        ) from error
    except Exception as error:  # Pillow's decoders raise all kinds for what is damaged
        raise RefusedData(
            f"{name} is no PNG or JPEG image that can be read ({type(error).__name__}); expected the "
            "format of its extension. Save it again."
        ) from error


def _opened(content: bytes) -> ImageFile.ImageFile:
    """Return an image whose pixels are not decoded yet."""
    from PIL import Image

    # Only these two decoders are ever run, whatever the file says it is.
    return Image.open(io.BytesIO(content), formats=("PNG", "JPEG"))


def _grey(image: Image.Image) -> NDArray[np.uint8]:
    """Return an image of at most 8 bits in grey, on white."""
    from PIL import Image

    if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
        whole = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole)
    return np.asarray(image.convert("L"))


def _raw_mode(image: ImageFile.ImageFile) -> str:
    """Return how a file stores its pixels, in Pillow's words; ask before they are decoded."""
    return str(image.tile[0][3]) if image.tile else ""


def _is_deep(image: ImageFile.ImageFile) -> bool:
    """Return whether a file is a PNG with 16 bits per channel."""
    return _raw_mode(image).endswith(";16B")


def _deep_grey(image: ImageFile.ImageFile, content: bytes) -> NDArray[np.uint16]:
    """Return a PNG of 16 bits in grey with the numbers that it stores, on white (65,535).

    Pillow reads all 16 bits of grey, but only the upper eight of colour or with opacity: 0 where a file uses
    the lower ones alone. There each byte is read as a channel of its own.
    """
    clear = image.info.get("transparency")
    if image.mode.startswith("I"):  # "I;16", and "I" in older versions
        grey = np.asarray(image).astype(np.uint16)
        return grey if clear is None else np.where(grey == clear, np.uint16(65535), grey)
    raw_mode = _raw_mode(image)
    if raw_mode == "LA;16B":
        _decode_as(image, "RGBA")  # four bytes a pixel: grey and opacity, the upper byte of each first
        sources = (image,)
    else:
        lower = _opened(content)
        # As if little-endian: Pillow then keeps the other byte.
        _decode_as(lower, raw_mode.replace("16B", "16L"))
        sources = (image, lower)
    width, height = image.size
    grey = np.empty((height, width), np.uint16)
    for top in range(0, height, _BAND):
        box = (0, top, width, min(top + _BAND, height))
        grey[top : top + _BAND] = _grey_of_bytes([np.asarray(source.crop(box)) for source in sources], clear)
    return grey


def _decode_as(image: ImageFile.ImageFile, raw_mode: str) -> None:
    """Let Pillow read an image's stored bytes as those of another mode with as many bytes per pixel."""
    codec, extents, offset, _ = image.tile[0]
    image.tile = [(codec, extents, offset, raw_mode)]  # pyright: ignore[reportAttributeAccessIssue] - as Pillow 10


def _grey_of_bytes(sources: list[NDArray[np.uint8]], clear: tuple[int, ...] | None) -> NDArray[np.uint16]:
    """Return some rows of a 16-bit image in grey, on white.

    Parameters
    ----------
    sources : list of (rows, width, n_channels) uint8
        The upper and the lower bytes; or one array, of grey and opacity, the upper byte of each first.
    clear : (int, int, int) or None
        The colour that stands for transparency.
    """
    if len(sources) == 1:
        upper, lower = sources[0][..., ::2], sources[0][..., 1::2]
    else:
        upper, lower = sources
    channels = [upper[..., c].astype(np.uint32) << 8 | lower[..., c] for c in range(upper.shape[2])]
    grey = channels[0]
    if len(channels) >= 3:
        red, green, blue = channels[:3]
        grey = (
            19595 * red + 38470 * green + 7471 * blue + 32768
        ) >> 16  # weights as in Pillow's convert("L")
    if clear is not None:
        is_clear = np.logical_and.reduce([c == value for c, value in zip(channels, clear, strict=False)])
        grey[is_clear] = 65535
    if len(channels) in (2, 4):
        opacity = channels[-1]
        # At most 65535 * 65535 + 32767, which fits 32 bits.
        grey = (grey * opacity + 65535 * (65535 - opacity) + 32767) // 65535
    return grey.astype(np.uint16)


def _orientation(exif: bytes) -> int:
    """Return the orientation, 1 to 8, that EXIF data state; 1 where they state none that can be read.

    Only this number is looked up. Pillow's own reader copies the data of every tag: where many tags share
    them, some versions take far more memory than the file has bytes.
    """
    tiff = exif.removeprefix(b"Exif\0\0")
    order = {b"II": "<", b"MM": ">"}.get(tiff[:2], "")
    try:
        start = struct.unpack_from(order + "L", tiff, 4)[0]
        n_tags = struct.unpack_from(order + "H", tiff, start)[0]
        for tag in range(n_tags):
            code, kind, count, value = struct.unpack_from(order + "HHLH", tiff, start + 2 + 12 * tag)
            if code == _ORIENTATION:
                return value if (kind, count) == (_SHORT, 1) and 1 <= value <= 8 else 1
    except struct.error:  # cut short
        pass
    return 1


def _turned(image: NDArray[Any], orientation: int) -> NDArray[Any]:
    """Return an image, rotated according to its EXIF orientation."""
    if orientation >= 5:
        image = image.T
    flip_rows, flip_columns = orientation in (3, 4, 7, 8), orientation in (2, 3, 6, 7)
    return image[:: -1 if flip_rows else 1, :: -1 if flip_columns else 1]
