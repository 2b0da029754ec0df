"""Frames as a file: animated WebP and PNG by Pillow, MP4 by ffmpeg where it is found."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lrbn_viz.io.storage import write_atomic
from lrbn_viz.view.animation.settings import Progress

FORMATS: Mapping[str, str] = {
    ".webp": "animated WebP",
    ".png": "animated PNG",
    ".apng": "animated PNG",
    ".mp4": "MP4",
}
"""File formats, by the suffix of a file's name."""
_VIDEO_RATE = 30  # frames a second at least: players stumble over videos of a few
_ENCODE_SECONDS = 600
_PALETTE_FRAMES = 6  # frames whose colours make a palette


def check_format(path: str | os.PathLike[str]) -> str:
    """Return the end of a file's name, in small letters, if an animation can be written to it here.

    Raises
    ------
    ValueError
        It is none of `FORMATS`, or an MP4 and ffmpeg is not found.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        raise ValueError(
            f"expected a file that ends in {', '.join(FORMATS)}; got {Path(path).name!r}. "
            "Name it so, to choose what is written."
        )
    if suffix == ".mp4" and shutil.which("ffmpeg") is None:
        raise ValueError("an MP4 needs ffmpeg, which is not found here; install it, or write a .webp.")
    return suffix


def write_animation(
    path: str | os.PathLike[str],
    frame: Callable[[int], NDArray[np.uint8]],
    milliseconds: Sequence[int],
    progress: Progress | None = None,
    *,
    exact: bool = True,
) -> int:
    """Write frames, which play again and again; return the number of bytes.

    The file appears whole or not at all.

    Parameters
    ----------
    path : path
        Ends in one of `FORMATS`.
    frame : callable
        Returns frame n, from 0, (height, width, 3) uint8; all of one size, of even numbers.
    milliseconds : sequence of int
        Milliseconds for which each frame is shown.
    progress : callable, optional
        Called after each frame.
    exact : bool
        True if a WebP is without loss: smaller, too, where little changes; where much does, half as large
        with a loss that is not seen.

    Raises
    ------
    ValueError
        The file's name ends in another way, or ffmpeg is not found or refuses.
    OSError
        The file cannot be written.
    """
    suffix = check_format(path)

    def drawn() -> Iterator[NDArray[np.uint8]]:
        for n in range(len(milliseconds)):
            yield np.ascontiguousarray(frame(n))
            if progress is not None:
                progress(n + 1, len(milliseconds))

    if suffix == ".mp4":
        return _write_video(path, drawn(), milliseconds)
    webp = suffix == ".webp"  # all frames of a PNG share one palette
    palette = None if webp else _palette(frame, len(milliseconds))
    pictures = (_image(picture, palette) for picture in drawn())
    how: dict[str, Any] = {"disposal": 0, "blend": 0}
    if webp:
        how = {"lossless": True, "method": 3} if exact else {"quality": 85, "method": 2}
    first, *rest = pictures

    def save(file: BinaryIO) -> None:
        first.save(
            file, format="WEBP" if webp else "PNG", save_all=True, append_images=rest,
            duration=list(milliseconds), loop=0, **how,
        )  # fmt: skip

    return write_atomic(path, save)


def _image(picture: NDArray[np.uint8], palette: Image.Image | None) -> Image.Image:
    image = Image.fromarray(picture)
    return image if palette is None else image.quantize(palette=palette, dither=Image.Dither.NONE)


def _palette(frame: Callable[[int], NDArray[np.uint8]], n: int) -> Image.Image:
    """Return the most frequent colours of a few frames from the beginning to the end."""
    looked = np.unique(np.linspace(0, n - 1, _PALETTE_FRAMES).astype(int))
    pixels = np.concatenate([frame(int(each)).reshape(-1, 3) for each in looked]).astype(np.int32)
    colours, counts = np.unique(pixels @ (1 << 16, 1 << 8, 1), return_counts=True)
    found = colours[np.argsort(-counts, kind="stable")[:256]]
    palette = Image.new("P", (1, 1))
    palette.putpalette(np.stack([found >> 16, found >> 8 & 255, found & 255], 1).astype(np.uint8).tobytes())
    return palette


def _write_video(
    path: str | os.PathLike[str], drawn: Iterator[NDArray[np.uint8]], milliseconds: Sequence[int]
) -> int:
    """Write an MP4 that any player and any slide shows: H.264, its index at the beginning."""
    pictures = _repeated(drawn, milliseconds)
    first = next(pictures)
    height, width = first.shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.mp4"
        errors = Path(folder) / "errors.txt"
        command = [
            "ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24",
            "-s", f"{width}x{height}", "-r", str(_VIDEO_RATE), "-i", "-", "-an", "-c:v", "libx264",
            "-pix_fmt", "yuv420p", "-crf", "18", "-movflags", "+faststart", str(made),
        ]  # fmt: skip
        with open(errors, "wb") as told:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=told, stderr=told)
            assert process.stdin is not None  # it was asked for
            try:
                process.stdin.write(first.tobytes())
                for picture in pictures:
                    process.stdin.write(picture.tobytes())
                process.stdin.close()
            except BrokenPipeError:  # it has ended, and says why
                pass
            except BaseException:
                process.kill()
                raise
            finally:
                process.wait(_ENCODE_SECONDS)
        if process.returncode:
            words = errors.read_text(errors="replace").strip().splitlines()
            raise ValueError(
                f"ffmpeg could not write the MP4: {words[-1] if words else process.returncode}; "
                "write a .webp instead."
            )
        return write_atomic(path, made.read_bytes())


def _repeated(
    frames: Iterator[NDArray[np.uint8]], milliseconds: Sequence[int]
) -> Iterator[NDArray[np.uint8]]:
    """Yield each frame as often as a video of `_VIDEO_RATE` shows it, so that no rounding adds up."""
    shown, until = 0, 0.0
    for frame, lasts in zip(frames, milliseconds, strict=True):
        until += lasts * _VIDEO_RATE / 1000
        while shown < round(until):
            shown += 1
            yield frame
