"""Importing the app stays light: what is slow to import waits until a page needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("lrbn_viz.app.shell", ("numba", "sklearn", "holoviews", "pandas")),
        ("lrbn_viz.notebook", ("panel", "holoviews")),
    ],
)
def test_what_is_slow_to_import_is_left_out(module: str, unwanted: tuple[str, ...]):
    program = f"import sys, {module}; print(*[name for name in {unwanted} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
