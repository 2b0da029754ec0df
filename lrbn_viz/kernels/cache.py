"""Numba's cache on disk: where an older version of this package has left kernels, and where all are there."""

from __future__ import annotations

import functools
import logging
import sys
from hashlib import blake2b
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
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


def mark_of_all_compiled(kernel: Any, needed: object) -> Path | None:
    """Return the path of the file that says that everything needed was compiled; there is none before.

    It lies in the cache, so that it goes when that goes. It is named by what Numba asks before it reads a
    kernel from there: this machine's processor, Numba's version and the sources, here those of all modules.

    Parameters
    ----------
    kernel : numba dispatcher
        Any kernel of this package that is cached.
    needed : object
        Whatever else says what is needed; its `repr` counts.

    Returns
    -------
    Path or None
        None where nothing is cached, as with the JIT off.
    """
    folder = getattr(getattr(kernel, "stats", None), "cache_path", None)
    if folder is None:
        return None
    package = Path(__file__).resolve().parents[1]
    files = ((path, path.stat()) for path in sorted(package.rglob("*.py")))
    sources = [(str(path), stat.st_mtime_ns, stat.st_size) for path, stat in files]
    machine = llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()
    digest = blake2b(
        repr((machine, numba.__version__, sys.version, sources, needed)).encode(), digest_size=16
    )
    return Path(folder) / f"all-compiled-{digest.hexdigest()}"
