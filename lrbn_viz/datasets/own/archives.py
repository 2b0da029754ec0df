"""Zip archives: opened without trusting what they declare, and counted before anything is inflated."""

from __future__ import annotations

import io
import zipfile
import zlib

from lrbn_viz.datasets.own.images import Limits, RefusedData

MAX_ENTRIES = 100_000
"""Files in one archive."""


def open_archive(content: bytes, filename: str, limits: Limits) -> zipfile.ZipFile:
    """Open a zip archive whose declared contents are within the limits.

    zipfile hands out no more bytes of an entry than it declares, for the two methods allowed here.
    """
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise RefusedData(
            f"{filename} is damaged: expected a zip archive, got one that cannot be read ({error}). "
            "Make or download it again."
        ) from error
    entries = archive.infolist()
    if len(entries) > MAX_ENTRIES:
        raise RefusedData(f"{filename} holds {len(entries):,} files; expected at most {MAX_ENTRIES:,}.")
    for entry in entries:
        if entry.flag_bits & 1:
            raise RefusedData(f"{filename} is encrypted; expected an open archive. Pack it without password.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RefusedData(
                f"{entry.filename} in {filename} is packed by an unusual method ({entry.compress_type}); "
                "expected stored or deflated. Pack it again with an ordinary zip program."
            )
    limits.check_inflated(sum(entry.file_size for entry in entries), filename)
    return archive


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return one file of an archive; RefusedData if it is damaged."""
    try:
        return archive.read(entry)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError, zlib.error) as error:
        raise RefusedData(
            f"{entry.filename} is damaged ({error}); expected a whole file. Make or download it again."
        ) from error
