"""Numba's cache on disk, where an older version of this package has left kernels."""

from __future__ import annotations

import functools
import logging
from typing import Any

from numba.core.caching import IndexDataCacheFile

_log = logging.getLogger(__name__)


def tolerate_older_kernels() -> None:
    """Let Numba compile a kernel again where its cache cannot be read, instead of failing.

    The list of a kernel's compiled versions is a pickle that names the classes of its arguments. Where a new
    version of the package has moved such a class, reading the list fails before Numba gets to see that the
    source has changed. Numba offers no public way to a cache that is out of date, so its reader is wrapped.
    """
    read = getattr(IndexDataCacheFile, "_load_index", None)
    if read is None or hasattr(read, "__wrapped__"):
        return

    @functools.wraps(read)
    def read_or_forget(self: Any) -> dict[Any, str]:
        try:
            return read(self)
        except Exception as error:  # unpickling can raise anything
            _log.debug("a list of compiled kernels cannot be read: %s", error)
            return {}

    cache: Any = IndexDataCacheFile
    cache._load_index = read_or_forget  # noqa: SLF001 - Numba has no public name for it
