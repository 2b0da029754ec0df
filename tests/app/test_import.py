"""Importing the app stays light: what is slow to import waits until a page needs it."""

from __future__ import annotations

import subprocess
import sys


def test_the_app_is_imported_without_the_engine_or_plots():
    program = (
        "import sys, lrbn_viz.app.shell; "
        "print(*[name for name in ('numba', 'sklearn', 'holoviews', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
