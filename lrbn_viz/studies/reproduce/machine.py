"""Processor and versions of a run, without the name of the machine or of its owner."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

PACKAGES = ("lrbn_viz", "numpy", "numba", "scikit-learn", "scipy")


def machine() -> dict[str, Any]:
    """Return processor, cores, threads in use, operating system and versions."""
    from numba import get_num_threads

    return {
        "processor": _processor(),
        "cores": os.cpu_count() or 1,
        "threads": get_num_threads(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def _processor() -> str:
    """Return the processor's name as the system gives it."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"
