"""Zip archives: opened without trusting what they declare, and counted before anything is inflated."""

from __future__ import annotations

import io
import zipfile

from lrbn_viz.datasets.own.images import Limits, RefusedData, plain_name, reason

MAX_ENTRIES = 100_000
"""Files in one archive."""


def open_archive(content: bytes, filename: str, limits: Limits) -> zipfile.ZipFile:
    """Open a zip archive whose declared contents are within the limits.

    zipfile hands out no more bytes of an entry than it declares, for the two methods allowed here.
    """
    # Counted by the mark of a directory's records: zipfile makes an object of each before it can be asked.
    n_entries = content.count(b"PK\x01\x02")
    if n_entries > MAX_ENTRIES:
        raise RefusedData(
            f"{filename} holds {n_entries:,} files; expected at most {MAX_ENTRIES:,}. Use fewer images."
        )
    try:
        archive = zipfile.ZipFile(io.BytesIO(content))
    except Exception as error:  # zipfile has no family of errors for what is damaged
        raise RefusedData(
            f"{filename} is damaged: expected a zip archive, got one that cannot be read "
            f"({reason(error)}). Make or download it again."
        ) from error
    entries = archive.infolist()
    for entry in entries:
        if entry.flag_bits & 1:
            raise RefusedData(f"{filename} is encrypted; expected an open archive. Pack it without password.")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RefusedData(
                f"{plain_name(entry.filename)} in {filename} is packed by an unusual method "
                f"({entry.compress_type}); expected stored or deflated. "
                "Pack it again with an ordinary zip program."
            )
    limits.check_inflated(sum(entry.file_size for entry in entries), filename)
    return archive


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return one file of an archive; RefusedData if it is damaged."""
    try:
        return archive.read(entry)
    except Exception as error:  # as above, and zlib's own
        raise RefusedData(
            f"{plain_name(entry.filename)} is damaged ({reason(error)}); expected a whole file. "
            "Make or download it again."
        ) from error
