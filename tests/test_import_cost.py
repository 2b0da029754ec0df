"""`import lrbn_viz` stays light, and the engine never pulls in a GUI library."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from statistics import median

import pytest

import lrbn_viz

GUI = {"panel", "panel_material_ui", "holoviews", "bokeh", "param", "anywidget", "matplotlib"}


def _fresh(script: str) -> str:
    """Run `script` in a fresh interpreter; return what it printed."""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _import_seconds(name: str) -> float:
    """Seconds of the processor: what other processes take meanwhile does not count."""
    script = f"from time import process_time as now; t = now(); import {name}; print(now() - t)"
    return float(_fresh(script))


def test_importing_the_package_costs_at_most_a_fifth_of_importing_numba():
    # Inside: import lrbn_viz stays light. It loads its parts when they are first used, so that it costs a
    # thirtieth of numba, and less than any library that a part would bring.
    for name in ("lrbn_viz", "numba"):
        _import_seconds(name)  # the first of each reads the disk
    pairs = [(_import_seconds("lrbn_viz"), _import_seconds("numba")) for _ in range(3)]
    ratio = median(ours / theirs for ours, theirs in pairs)
    assert ratio <= 0.2, f"{ratio:.2f} times import numba; seconds of each pair: {pairs}"


STAGES = {
    "lrbn_viz": "import lrbn_viz",
    "a trace": "import lrbn_viz.core.trace, lrbn_viz.core.model, lrbn_viz.training",
    "every public name": "from lrbn_viz import *",
    "a notebook": "import lrbn_viz.notebook",
}
"""What one process imports, a stage after another: what is missing after a stage was not needed before."""


@pytest.fixture(scope="module")
def loaded() -> Mapping[str, set[str]]:
    """Return the modules that are loaded after each stage."""
    script = "import sys\n" + "".join(f"{stage}\nprint(*sys.modules)\n" for stage in STAGES.values())
    return {name: set(line.split()) for name, line in zip(STAGES, _fresh(script).splitlines(), strict=True)}


def test_every_public_name_is_listed_and_found_and_none_brings_a_gui_library(loaded):
    assert set(lrbn_viz.__all__) <= set(dir(lrbn_viz))
    assert len(lrbn_viz.__all__) > 10
    assert loaded["lrbn_viz"] & GUI == set()
    assert loaded["every public name"] & {"lrbn_viz.estimators", *GUI} == {"lrbn_viz.estimators"}


def test_a_trace_is_read_without_the_libraries_of_figures_and_tables(loaded):
    # scikit-learn, and so every estimator, imports pandas where it is installed.
    assert loaded["a trace"] & {"pandas", "holoviews", "matplotlib"} == set()


def test_a_notebook_brings_no_library_of_the_explorer(loaded):
    assert loaded["a notebook"] & {"lrbn_viz.notebook", "panel", "holoviews"} == {"lrbn_viz.notebook"}
