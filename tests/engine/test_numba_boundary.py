"""What holds of every compiled kernel, wherever it is."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest
from engine.cases import with_jit
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

import lrbn_viz

pytestmark = with_jit("there are no compiled kernels")
ENGINE = ("estimators", "kernels", "lrbn", "measure", "rivals")


def kernels() -> dict[str, Any]:
    """Return all compiled functions of the engine by where they are."""
    found = {}
    for package in ENGINE:
        folder = importlib.import_module(f"lrbn_viz.{package}")
        for info in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            for name, value in vars(importlib.import_module(info.name)).items():
                if isinstance(value, CPUDispatcher) and value.py_func.__module__ == info.name:
                    found[f"{info.name}.{name}"] = value
    return found


KERNELS = kernels()


def test_no_other_package_holds_kernels():
    # Inside: Numba has a boundary.
    assert len(KERNELS) > 40
    others = {
        info.name
        for info in pkgutil.walk_packages(lrbn_viz.__path__, "lrbn_viz.")
        if info.name.split(".")[1] not in (*ENGINE, "app", "browser", "notebook", "weights")
        and any(isinstance(value, CPUDispatcher) and value.py_func.__module__ == info.name
                for value in vars(importlib.import_module(info.name)).values())
    }  # fmt: skip
    assert others == set()


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_releases_the_gil_is_cached_on_disk_and_keeps_nan_visible(name):
    # Inside: Kernels release the GIL, are cached on disk, and keep NaN visible.
    kernel = KERNELS[name]
    assert kernel.targetoptions["nogil"]
    assert isinstance(kernel._cache, FunctionCache)
    fast = kernel.targetoptions.get("fastmath", set())
    assert fast is not True
    assert not {"nnan", "ninf", "fast"} & set(fast), "the compiler may then take NaN for granted"
