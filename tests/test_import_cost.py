"""`import lrbn_viz` stays light, and the engine never pulls in a GUI library."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

GUI = "{'panel', 'panel_material_ui', 'holoviews', 'bokeh', 'param', 'anywidget', 'matplotlib'}"


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


def test_every_public_name_is_listed_and_found_and_none_brings_a_gui_library():
    script = f"import sys, lrbn_viz; assert not {GUI} & set(sys.modules), {GUI} & set(sys.modules)\n"
    script += "assert set(lrbn_viz.__all__) <= set(dir(lrbn_viz)) and len(lrbn_viz.__all__) > 10\n"
    script += "from lrbn_viz import *\n"
    script += f"assert not {GUI} & set(sys.modules), {GUI} & set(sys.modules)"
    _fresh(script)


def test_a_trace_is_read_without_the_libraries_of_figures_and_tables():
    # scikit-learn, and so every estimator, imports pandas where it is installed.
    script = "import sys, lrbn_viz, lrbn_viz.core.trace, lrbn_viz.core.model, lrbn_viz.training\n"
    script += "found = {'pandas', 'holoviews', 'matplotlib'} & set(sys.modules); assert not found, found"
    _fresh(script)
