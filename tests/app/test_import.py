"""Importing the app stays light: what is slow to import waits until a page needs it."""

from __future__ import annotations

from forked import finish, program

UNWANTED = {"numba", "sklearn", "holoviews", "pandas"}


def test_what_is_slow_to_import_is_left_out():
    printed = finish(program("import preloaded; print(*preloaded.WITH_APP)"))
    assert {"lrbn_viz.app.shell", *UNWANTED}.intersection(printed.split()) == {"lrbn_viz.app.shell"}
