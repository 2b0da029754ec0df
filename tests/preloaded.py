"""What programs of tests import: `forked` imports it once, in the process that they are forked from."""

import sys
from importlib import import_module

import pytest

__all__ = ["WITH_APP", "pytest"]

import_module("lrbn_viz.app.shell")
WITH_APP = frozenset(sys.modules)
"""Modules that importing the app loads, in a process that has imported nothing else of the package."""
for _name in ("lrbn_viz.cli", "lrbn_viz.studies.runs.registry"):
    import_module(_name)
