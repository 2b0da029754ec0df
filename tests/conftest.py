"""What every test shares: where the original data lie, where runs go, and the hypothesis profile."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# Before any test module is imported, so that data tests see it at collection. A checkout may lie beside a
# folder of original files; without one the loaders' own rules apply.
_beside = ROOT.parent / "shared" / "data" / "original"
if "LRBN_VIZ_DATA" not in os.environ and _beside.is_dir():
    os.environ["LRBN_VIZ_DATA"] = str(_beside)

# What tests train is not to stand among the runs of whoever runs them.
_runs = tempfile.TemporaryDirectory(prefix="lrbn-viz-runs-", ignore_cleanup_errors=True)
os.environ["LRBN_VIZ_RUNS"] = _runs.name
_sweeps = tempfile.TemporaryDirectory(prefix="lrbn-viz-sweeps-", ignore_cleanup_errors=True)
os.environ["LRBN_VIZ_SWEEPS"] = _sweeps.name

# A kernel's first call compiles it for seconds, so a time limit per example would fail at random. Under CI
# the examples are the same in every run: a red run can be repeated.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


@pytest.fixture(autouse=True)
def environment_as_before() -> Iterator[None]:
    """What a test sets in the environment ends with it: servers of later tests inherit what there is."""
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        if name.startswith("LRBN_VIZ"):
            del os.environ[name]
    os.environ.update({name: value for name, value in before.items() if name.startswith("LRBN_VIZ")})
