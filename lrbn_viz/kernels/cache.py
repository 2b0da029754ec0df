"""Numba's cache on disk: the choice of its folder, repairs to how it is read, and a list of all kernels."""

from __future__ import annotations

import atexit
import functools
import logging
import os
import pickle
import shutil
import sys
import tempfile
import warnings
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import config as numba_config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

_log = logging.getLogger(__name__)


def find_room() -> None:
    """Use a temporary folder for kernels, with a warning, if Numba finds no other writable folder.

    This is the case where the package is installed read-only and the user has no home folder: Numba would
    refuse to compile the first kernel. Child processes use the same folder, which is removed when this
    process ends.
    """
    config: Any = numba_config  # its names are made as it is imported
    if config.DISABLE_JIT:
        return
    try:
        FunctionCache(find_room)
    except RuntimeError:
        folder = tempfile.mkdtemp(prefix="lrbn-viz-kernels-")
        owner = os.getpid()
        atexit.register(lambda: os.getpid() == owner and shutil.rmtree(folder, ignore_errors=True))
        # set both: Numba reads the variable again whenever another of its variables has changed
        os.environ["NUMBA_CACHE_DIR"] = config.CACHE_DIR = folder
        warnings.warn(
            "Compiled kernels can be kept neither beside the package nor in a home folder, so each start "
            "compiles them anew, for some minutes. Set NUMBA_CACHE_DIR to a folder that can be written to.",
            stacklevel=2,
        )


def patch_index_reading() -> None:
    """Patch Numba's reading of its cache, which could otherwise fail or end the process.

    The list of a kernel's compiled versions is a pickle that names the classes of its arguments. If a new
    version of the package has moved such a class, reading the list fails before Numba can see that the source
    has changed: the kernel is compiled again instead.

    Numba starts its threads when a parallel kernel is compiled or read, but not when a kernel is read that
    only calls a parallel one; running it would then end the process. The threads are therefore started before
    any kernel is read (3 ms, once).

    Numba has no public interface for either repair, so its reader is wrapped.
    """
    read = getattr(IndexDataCacheFile, "_load_index", None)
    if read is None or hasattr(read, "__wrapped__"):
        return

    @functools.wraps(read)
    def read_or_forget(self: Any) -> dict[Any, str]:
        numba.get_num_threads()
        try:
            return read(self)
        except Exception as error:  # unpickling can raise anything
            _log.debug("a list of compiled kernels cannot be read: %s", error)
            return {}

    cache: Any = IndexDataCacheFile
    cache._load_index = read_or_forget  # noqa: SLF001 - Numba has no public name for it


def list_of_compiled(kernel: Any, needed: object) -> Path | None:
    """Return the path of the file that lists the compiled kernels; it exists once all that are needed are
    compiled.

    It is inside the cache, so that it is deleted along with it. Its name is a hash of what Numba checks
    before it reads a kernel from the cache: the processor, Numba's version and the sources, here those of all
    modules.

    Parameters
    ----------
    kernel : numba dispatcher
        Any kernel of this package that is cached.
    needed : object
        Further description of what is needed; its `repr` is part of the hash.

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
    return Path(folder) / f"compiled-{digest.hexdigest()}"


def compiled() -> bytes:
    """List the compiled versions of all cached kernels of this process, in the format of `load_compiled`."""
    package = __name__.partition(".")[0]
    modules = [name for name in list(sys.modules) if name.partition(".")[0] == package]
    return pickle.dumps(
        {
            (module, name): kernel.signatures
            for module in modules
            for name, kernel in _kernels_of(module).items()
            if kernel.signatures
        }
    )


def load_compiled(listed: bytes) -> None:
    """Load the compiled code named in a list from Numba's cache, so that first calls need not load it.

    Parameters
    ----------
    listed : bytes
        A pickle, like Numba's own lists in that folder: it names the classes of the kernels' arguments.
    """
    found = pickle.loads(listed)
    for (module, name), signatures in found.items():
        for signature in signatures:
            _kernels_of(module)[name].compile(signature)


def _kernels_of(module: str) -> dict[str, Any]:
    """Return the cached kernels of a module by their names, including both kernels of each pair of twins."""
    values = vars(import_module(module)).values()
    flat = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    return {
        each.py_func.__qualname__: each
        for each in flat
        if isinstance(each, Dispatcher)
        and each.py_func.__module__ == module
        and each.stats.cache_path is not None
    }
