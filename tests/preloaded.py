"""What programs of tests import: `forked` imports it once, in the process that they are forked from."""

import pytest

import lrbn_viz.app.shell
import lrbn_viz.cli
import lrbn_viz.studies.runs.registry

__all__ = ["lrbn_viz", "pytest"]
