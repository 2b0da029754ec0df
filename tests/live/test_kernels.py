"""The kernels for browsers: their module is that of the sources, and what cannot be compiled is refused."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser.test_likelihood import MEASURES_IN_NODE, write_measured
from browser.test_training import RUNS_IN_NODE, write_runs
from js.node_tests import passed_in_node
from numba import njit

from lrbn_viz.browser.arguments import n_axes
from lrbn_viz.browser.build import OUTPUTS
from lrbn_viz.browser.compiler import Entry, compiled
from lrbn_viz.browser.entries import MODULES, TUPLES
from lrbn_viz.browser.module import NAMES, is_current, module


def test_the_committed_module_belongs_to_the_sources():
    # Inside: The browser runs the same kernels.
    assert is_current(), "a kernel has changed: python -m lrbn_viz.browser.build builds the module anew"


def test_a_module_that_is_built_anew_is_the_committed_one(tmp_path: Path):
    # Inside: Those of inference, of particles, of exact posteriors, of training and of log P(x) are
    # compiled from their Python source into three modules, which ship with the package.
    # Numba and LLVM of another version may write other code: then its decisions count (test_engine.py)
    subprocess.run(
        [sys.executable, "-m", "lrbn_viz.browser.build", "--folder", str(tmp_path)], check=True, timeout=550
    )
    written = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(written) == {path.name for path in OUTPUTS}
    for path in OUTPUTS:
        if path.suffix != ".wasm" and path.name != "origin.json":
            assert written[path.name] == path.read_bytes(), path.name
    # these cost a second, and are of use to one machine in many
    if written["kernels.wasm"] != module():
        from live.test_engine import write_traces

        write_traces(tmp_path, "some", kernels=written["kernels.wasm"])
        assert passed_in_node(Path(__file__).with_name("engine.test.js"), tmp_path)["passed"] > 0
    if written["learning.wasm"] != module("learning"):
        write_runs(tmp_path, kernels=written["learning.wasm"])
        assert passed_in_node(RUNS_IN_NODE, tmp_path)["passed"] > 0
    if written["measuring.wasm"] != module("measuring"):
        write_measured(tmp_path, kernels=written["measuring.wasm"])
        assert passed_in_node(MEASURES_IN_NODE, tmp_path)["passed"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_module_holds_no_path_of_the_machine_that_built_it(name: str):
    # so that it is the same wherever it is built; errors of Python would bring them
    assert b".py" not in module(name)


def test_every_entry_names_the_arguments_of_its_kernel():
    for name, entry in [pair for of in MODULES.values() for pair in of().items()]:
        code = entry.kernel.py_func.__code__
        assert tuple(entry.arguments) == code.co_varnames[: code.co_argcount], name


def test_a_kernel_in_two_modules_takes_the_same_arguments():
    # the table has one line for both
    for one, other in combinations([of() for of in MODULES.values()], 2):
        for name in one.keys() & other.keys():
            assert one[name].arguments == other[name].arguments, name


def test_every_tuple_names_its_fields():
    for each in TUPLES:
        assert tuple(each.fields) == each.kind._fields  # type: ignore[attr-defined]


@pytest.mark.parametrize("written", ["f9", "f8[", "f8[:;:]", "array", ""])
def test_a_type_that_is_none_is_refused(written: str):
    with pytest.raises(ValueError, match="expected a number or an array, such as f8"):
        n_axes(written)


def test_a_kernel_may_allocate_arrays():
    @njit
    def doubled(x: Any) -> float:
        twice = np.empty(len(x))
        for i in range(len(x)):
            twice[i] = 2.0 * x[i]
        return twice[0]

    assert compiled({"doubled": Entry(doubled, {"x": "f8[:]"})}, {})[:4] == b"\0asm"


def test_a_kernel_that_calls_a_library_is_refused():
    @njit
    def wave(x: float) -> float:
        return np.sin(x)

    with pytest.raises(ValueError, match="which no browser has"):
        compiled({"wave": Entry(wave, {"x": "f8"})}, {})


def test_arrays_in_the_kernels_memory_pass_the_tests_in_node():
    assert passed_in_node(Path(__file__).with_name("memory.test.js"), Path(__file__).parent)["passed"] == 8
