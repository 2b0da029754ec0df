"""A folder of PNG or JPEG images, as a zip archive: subfolders name the classes, train and test the parts."""

from __future__ import annotations

import io
import zipfile
from pathlib import PurePosixPath

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
    plain_name,
)

_ENDINGS = {".png", ".jpg", ".jpeg"}
_MAX_SIDE = 4096  # of one image before it is scaled down: 50 MB decoded
_MAX_SCANS = 50  # of a progressive JPEG, each of which goes over the whole image; programs write about ten


def decode_folder(
    archive: zipfile.ZipFile, filename: str, limits: Limits, image_shape: tuple[int, int] | None
) -> OwnImages:
    """Read all images; arguments as in :func:`~lrbn_viz.datasets.own.read.decode_own`.

    Colour becomes grey, and what is transparent white.
    """
    entries, others = [], 0
    for entry in archive.infolist():
        path = PurePosixPath(entry.filename)
        if entry.filename.endswith("/") or any(part.startswith((".", "__MACOSX")) for part in path.parts):
            continue
        if path.suffix.lower() in _ENDINGS:
            entries.append((path, entry))
        else:
            others += 1
    if not entries:
        raise RefusedData(
            f"{filename} holds no .png or .jpg among its {others} files; expected a folder of images. "
            "Arrays go by .npz."
        )
    entries.sort(key=lambda pair: pair[0].as_posix())
    folders, parts = _folders([path for path, _ in entries])
    shape = image_shape
    images: list[NDArray[np.uint8]] = []
    n_decoded = 0
    if shape is not None:
        limits.check_images(len(entries), shape[0] * shape[1])
    for path, entry in entries:
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
        images.append(image.reshape(-1))
    notes = []
    if others:
        notes.append(f"{others} file{'s' * (others != 1)} that are no images were left out.")
    if image_shape is not None:
        notes.append(f"Images were scaled to {image_shape[0]} x {image_shape[1]} pixels.")
    X = np.stack(images)
    order = np.argsort(np.array(parts) == "test", kind="stable")
    n_test = sum(part == "test" for part in parts) if "test" in parts else None
    labels = None if folders is None else [folders[row] for row in order]
    return assemble(X[order], labels, shape, n_test, filename, limits, full=255.0, notes=notes)


def _folders(paths: list[PurePosixPath]) -> tuple[list[str] | None, list[str]]:
    """Return each image's class (None without classes) and part ("train", "test" or "").

    Raises
    ------
    RefusedData
        Some images lie in class folders and some do not.
    """
    tails = [list(path.parts[:-1]) for path in paths]
    while all(tails) and len({tail[0] for tail in tails}) == 1:  # folders that hold all of the images
        for tail in tails:
            del tail[0]
    parts = [""] * len(paths)
    if all(tails) and {tail[0].lower() for tail in tails} == {"train", "test"}:
        parts = [tail.pop(0).lower() for tail in tails]
    if not any(tails):
        return None, parts
    if not all(tails):
        loose = next(path for path, tail in zip(paths, tails, strict=True) if not tail)
        raise RefusedData(
            f"{plain_name(str(loose))} lies in no class folder while other images do; expected all images in "
            "folders named by class, or none. Move it."
        )
    return ["/".join(tail) for tail in tails], parts


def _read_image(
    content: bytes, name: str, image_shape: tuple[int, int] | None
) -> tuple[NDArray[np.uint8], int]:
    """Return one image in grey, (height, width) uint8, and how many pixels it had before it was scaled."""
    from PIL import Image  # 0.1 s to import, so only where it is needed

    n_scans = content.count(b"\xff\xda") if content.startswith(b"\xff\xd8") else 0
    if n_scans > _MAX_SCANS:
        raise RefusedData(
            f"{name} is a JPEG of {n_scans:,} scans; expected at most {_MAX_SCANS}. Save it again."
        )
    try:
        # Only these two decoders are ever run, whatever the file says it is.
        with Image.open(io.BytesIO(content), formats=("PNG", "JPEG")) as image:
            width, height = image.size  # from the header, before a pixel is decoded
            if max(width, height) > _MAX_SIDE:
                raise RefusedData(
                    f"{name} has {height:,} x {width:,} pixels; expected at most {_MAX_SIDE:,} a side. "
                    "Scale it down."
                )
            if image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info:
                whole = image.convert("RGBA")
                image = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole)
            if image.mode.startswith(("I", "F")):  # 16 bits: keep the upper eight
                image = Image.fromarray((np.asarray(image) // 256).clip(0, 255).astype(np.uint8))
            grey = image.convert("L")
            if image_shape is not None and grey.size != image_shape[::-1]:
                grey = grey.resize((image_shape[1], image_shape[0]), Image.Resampling.BOX)
            return np.asarray(grey), width * height
    except RefusedData:
        raise
    except Image.DecompressionBombError as error:
        raise RefusedData(
            f"{name} declares far more than {_MAX_SIDE:,} x {_MAX_SIDE:,} pixels; expected at most "
            f"{_MAX_SIDE:,} a side. Scale it down."
        ) from error
    except Exception as error:  # Pillow's decoders raise all kinds for what is damaged
        raise RefusedData(
            f"{name} is no PNG or JPEG image that can be read ({type(error).__name__}); expected what its "
            "ending says. Save it again."
        ) from error
