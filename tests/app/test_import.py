"""Importing the app defines every component, and stays light: what is slow to import waits for its page."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from forked import finish, program
from panel.custom import ReactiveESM

import lrbn_viz.app

UNWANTED = {"numba", "sklearn", "holoviews", "pandas"}


def loaded_with_app() -> set[str]:
    """Names of the modules that importing the app loads."""
    return set(finish(program("import preloaded; print(*preloaded.WITH_APP)")).split())


def kinds_of(component: type) -> Iterator[type]:
    for kind in component.__subclasses__():
        yield kind
        yield from kinds_of(kind)


def test_what_is_slow_to_import_is_left_out():
    assert {"lrbn_viz.app.shell", *UNWANTED} & loaded_with_app() == {"lrbn_viz.app.shell"}


def test_every_component_is_defined_before_a_page_is_open():
    for module in pkgutil.walk_packages(lrbn_viz.app.__path__, "lrbn_viz.app."):
        import_module(module.name)
    defining = {kind.__module__ for kind in kinds_of(ReactiveESM) if kind.__module__.startswith("lrbn_viz.")}
    assert "lrbn_viz.app.inference.component" in defining
    assert defining - loaded_with_app() == set(), "a notebook's cell cannot draw a component defined later"
