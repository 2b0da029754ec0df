"""The environment of the package: versions, threads, the kernel cache, data, models, runs, disk space."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

from lrbn_viz.doctor.report import Finding
from lrbn_viz.studies.reproduce.machine import machine

LITTLE_DISK, NO_DISK = 2 * 2**30, 200 * 2**20
"""Free bytes below which a warning is due, and below which writing will soon fail."""

_OF_DEVELOPERS = {"all", "docs", "test"}
"""Extras whose packages are not examined: those of tests and documentation, and the sum of the others."""
_NEED = re.compile(r"([\w.-]+)(?:\[[\w,-]+\])?(?:>=([\d.]+))?(?: *; *extra == ['\"](\w+)['\"])?")
"""A package of the metadata, its lowest version, and the extra that needs it."""


def versions() -> Finding:
    """Compare the versions of what is installed with those that the package asks for."""
    from lrbn_viz import __version__

    found = machine()
    values = {
        "lrbn_viz": __version__,
        **{name: found[name] for name in ("python", "system", "processor", "cores")},
    }
    try:
        asked = requires("lrbn_viz") or []
    except PackageNotFoundError:
        return Finding("versions", "warning", "lrbn_viz is not installed: nothing to compare with.", values)
    faults, packages, absent = [], {}, set()
    for line in asked:
        need = _NEED.fullmatch(line)
        if need is None or need[3] in _OF_DEVELOPERS:
            continue
        name, least, extra = need.groups()
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            if extra:
                absent.add(extra)
            else:
                faults.append(f"{name} is missing")
            continue
        if least and _numbers(packages[name]) < _numbers(least):
            faults.append(f"{name} {packages[name]} is older than {least}")
    values |= {"packages": packages, "absent extras": sorted(absent)}
    if faults:
        return Finding("versions", "wrong", f"{'; '.join(faults)}: install lrbn_viz anew.", values)
    head = ", ".join(
        f"{name} {packages[name]}" for name in ("numpy", "numba", "panel", "bokeh") if name in packages
    )
    words = f"lrbn_viz {__version__}, Python {found['python']}, {head}; {found['system']}"
    without = f"; without the extras {', '.join(sorted(absent))}" if absent else ""
    return Finding("versions", "ok", f"{words}, {found['processor']}{without}", values)


def _numbers(text: str) -> tuple[int, ...]:
    """Return a version's leading numbers."""
    found = re.match(r"[\d.]+", text)
    return tuple(int(part) for part in (found[0] if found else "0").split(".") if part)


def threads() -> Finding:
    """Start the threads of kernels, and say by which layer; the self-test runs kernels on them."""
    from numba import get_num_threads
    from numba.core import config as numba_config
    from numba.np.ufunc import threading_layer

    config: Any = numba_config  # its names are made as it is imported
    if config.DISABLE_JIT:
        return Finding("threads", "warning", "NUMBA_DISABLE_JIT is set: kernels run uncompiled, far slower.")
    count, layer = get_num_threads(), threading_layer()  # the first call starts them
    values = {"layer": layer, "threads": count, "cores": os.cpu_count()}
    return Finding("threads", "ok", f"{count} of {os.cpu_count()} cores, by {layer}", values)


def kernel_cache() -> Finding:
    """Check the folder of compiled kernels."""
    folder = _cache_folder()
    if folder is None:
        return Finding("kernel cache", "warning", "nothing is cached: each start compiles anew, for minutes.")
    sizes, whole = kernel_sizes(), is_compiled()
    values = {"files": len(sizes), "bytes": sum(sizes), "writable": can_write(folder), "complete": whole}
    where_words = f"{len(sizes)} files, {_size(sum(sizes))}, in {folder}"
    if not values["writable"]:
        words = f"{where_words}, which cannot be written to: set NUMBA_CACHE_DIR to a folder that can."
        return Finding("kernel cache", "warning" if whole else "wrong", words, values)
    if not whole:
        return Finding(
            "kernel cache",
            "warning",
            f"{where_words}; not complete: first pages compile. lrbn-viz compile does it beforehand.",
            values,
        )
    return Finding("kernel cache", "ok", f"{where_words}; complete", values)


def _cache_folder() -> Path | None:
    """Return where one of the modules keeps its compiled kernels; None where nothing is kept."""
    from lrbn_viz.kernels.numerics import errors_along

    where = getattr(getattr(errors_along, "stats", None), "cache_path", None)
    return None if where is None else Path(where)


def is_compiled() -> bool:
    """Return whether all kernels that pages need are compiled."""
    from lrbn_viz.app.warmup import compiled_path

    path = compiled_path()
    return path is not None and path.is_file()


def kernel_sizes() -> list[int]:
    """Return the bytes of each file that holds compiled kernels."""
    folder = _cache_folder()
    if folder is None:
        return []
    package = Path(__file__).resolve().parents[1]
    root = package if package in folder.parents else folder.parent  # the package's own, or Numba's
    sizes = []
    for path in root.rglob("*.nb[ci]"):
        with contextlib.suppress(OSError):  # gone meanwhile
            sizes.append(path.stat().st_size)
    return sizes


def can_write(folder: Path) -> bool:
    """Return whether a file can be created in a folder, or in the parent in which the folder would be
    created.
    """
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def data() -> Iterator[Finding]:
    """Read every data set that needs no download."""
    from lrbn_viz.datasets import DATASETS, DataFileError, at_hand, load_dataset

    for name in DATASETS:
        part = f"data {name}"
        if not at_hand(name):
            yield Finding(part, "ok", "not here; it is downloaded when it is asked for", {"here": False})
            continue
        try:
            dataset = load_dataset(name)
        except (DataFileError, ValueError) as error:
            yield Finding(part, "wrong", str(error), {"here": True})
            continue
        n_train, n_test = len(dataset.train_X), len(dataset.test_X)
        values = {"here": True, "train": n_train, "test": n_test}
        yield Finding(part, "ok", f"{n_train:,} and {n_test:,} images, as published", values)


def models() -> Finding:
    """Open every shipped model."""
    from lrbn_viz.catalog import PRETRAINED, pretrained

    faults = []
    for name in PRETRAINED:
        try:
            pretrained(name)
        except Exception as error:  # whatever is wrong with a file is to be said
            faults.append(f"{name}: {error}")
    values = {"models": len(PRETRAINED), "unreadable": len(faults)}
    if faults:
        return Finding("models", "wrong", f"{'; '.join(faults)} Install lrbn_viz anew.", values)
    return Finding("models", "ok", f"all {len(PRETRAINED)} shipped ones open", values)


def runs() -> Finding:
    """Check the folder of runs."""
    from lrbn_viz.io.storage import runs_folder
    from lrbn_viz.studies.runs.stored import stored_runs

    folder = runs_folder()
    stored = stored_runs(folder)
    unreadable = sum(bool(run.error) for run in stored)
    size = sum(run.bytes for run in stored)
    values = {"runs": len(stored), "unreadable": unreadable, "bytes": size, "writable": can_write(folder)}
    words = f"{len(stored)} of {_size(size)}, in {folder}"
    if not values["writable"]:
        return Finding("runs", "wrong", f"{words}, which cannot be written to: set LRBN_VIZ_RUNS.", values)
    if unreadable:
        return Finding(
            "runs", "warning", f"{words}; {unreadable} cannot be read: the Train page says why.", values
        )
    return Finding("runs", "ok", words, values)


def disk() -> Finding:
    """Check the free space for runs."""
    from lrbn_viz.io.storage import runs_folder

    folder = runs_folder()
    while not folder.is_dir():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    values = {"free_bytes": free}
    if free < NO_DISK:
        return Finding("disk", "wrong", f"{_size(free)} free for runs: checkpoints will soon fail.", values)
    if free < LITTLE_DISK:
        return Finding("disk", "warning", f"{_size(free)} free for runs", values)
    return Finding("disk", "ok", f"{_size(free)} free for runs", values)


def _size(n_bytes: float) -> str:
    for unit in ("bytes", "kB", "MB"):
        if n_bytes < 1000:
            return f"{n_bytes:.0f} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:.1f} GB"
