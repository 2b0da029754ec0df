"""What every test shares: where the original data lie, where runs go, hypothesis' profile, and the tiers."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from itertools import compress
from operator import not_
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]

# Before any test module is imported, so that data tests see it at collection. A checkout may lie beside a
# folder of original files; without one the loaders' own rules apply.
_beside = ROOT.parent / "shared" / "data" / "original"
if "LRBN_VIZ_DATA" not in os.environ and _beside.is_dir():
    os.environ["LRBN_VIZ_DATA"] = str(_beside)

_HAS_IMAGES = "LRBN_VIZ_DATA" in os.environ

# What tests train is not to stand among the runs of whoever runs them.
_runs = tempfile.TemporaryDirectory(prefix="lrbn-viz-runs-", ignore_cleanup_errors=True)
os.environ["LRBN_VIZ_RUNS"] = _runs.name
_sweeps = tempfile.TemporaryDirectory(prefix="lrbn-viz-sweeps-", ignore_cleanup_errors=True)
os.environ["LRBN_VIZ_SWEEPS"] = _sweeps.name

# nbformat imports jsonschema, which would compile grammars of addresses, for more than a second of each
# process; where they are missing it leaves out these forms, which no notebook has.
sys.modules.setdefault("rfc3987_syntax", ModuleType("rfc3987_syntax"))

# A kernel's first call compiles it for seconds, so a time limit per example would fail at random. Under CI
# the examples are the same in every run: a red run can be repeated.
settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--slow``, which says what becomes of the tests that carry the mark `slow`."""
    parser.addoption(
        "--slow",
        default="none",
        metavar="none|all|only|K/N",
        help="tests marked slow: leave them out (default), run them too, alone, or the K-th of N parts",
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Share all tests among processes, one a core; a few run in this one, before others have started.

    PYTEST_XDIST_AUTO_NUM_WORKERS, where it is set, says how many; 0: none but this one.
    """
    asked = os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS")
    if asked:
        return int(asked)
    chosen = config.option.keyword or config.option.markexpr or getattr(config.option, "lf", False)
    if chosen or config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return 0
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, 4)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the slow tests, unless ``--slow`` or a test's own address asks for them."""
    asked = _asked_for(str(config.getoption("--slow")))
    named = tuple(argument for argument in config.args if "::" in argument)
    runs = [asked(item) or item.nodeid.startswith(named or ("::",)) for item in items]
    config.hook.pytest_deselected(items=list(compress(items, map(not_, runs))))
    items[:] = compress(items, runs)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect tests without garbage collection, and keep what their modules hold out of later ones.

    Hardly anything becomes garbage while modules are imported, and looking for it took a fifth of the time;
    a full collection of all modules would take half a second. Later ones are made a tenth as often as usual,
    and full ones more rarely still; they took a tenth of the time of all tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        young, middle, old = gc.get_threshold()
        gc.set_threshold(10 * young, middle, 5 * old)
        gc.enable()


def _asked_for(which: str) -> Callable[[pytest.Item], bool]:
    """Return whether ``--slow=which`` runs a test."""

    def slow(item: pytest.Item) -> bool:
        return item.get_closest_marker("slow") is not None

    if which == "none":
        return lambda item: not slow(item)
    if which == "all":
        return lambda item: True
    if which == "only":
        return slow
    part, _, parts = which.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        message = f"expected --slow=none, all, only or K/N with 1 <= K <= N, got --slow={which}"
        raise pytest.UsageError(message)
    # by the name, so that a test stays in its part whatever else is added
    return lambda item: not slow(item) or zlib.crc32(item.nodeid.encode()) % int(parts) == int(part) - 1


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call() -> Iterator[Any]:
    """Skip a test whose published images are not there and cannot be downloaded."""
    return (yield from _skipped_without_images())


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup() -> Iterator[Any]:
    """Skip the tests of a fixture in the same way."""
    return (yield from _skipped_without_images())


def _skipped_without_images() -> Iterator[Any]:
    from lrbn_viz.datasets import DATASETS, DataFileError

    try:
        return (yield)
    except DataFileError as error:
        names = {file.name for info in DATASETS.values() for file in info.files}
        if _HAS_IMAGES or not any(name in str(error) for name in names):
            raise
        pytest.skip(str(error).splitlines()[0])


@pytest.fixture(autouse=True)
def environment_as_before() -> Iterator[None]:
    """What a test sets in the environment ends with it: servers of later tests inherit what there is."""
    before = dict(os.environ)
    yield
    for name in os.environ.keys() - before.keys():
        if name.startswith("LRBN_VIZ"):
            del os.environ[name]
    os.environ.update({name: value for name, value in before.items() if name.startswith("LRBN_VIZ")})


@pytest.fixture(scope="session")
def _tiny_models() -> dict[str, tuple[Any, str]]:
    """Tiny trained models by their kind, with their digests."""
    return {}


@pytest.fixture
def tiny_model(_tiny_models: dict[str, tuple[Any, str]]) -> Iterator[Callable[[Any], Any]]:
    """A tiny trained model of a kind, the same for all tests: a test that changes one fails."""
    from tiny_models import digest, kind_of, tiny

    from lrbn_viz import load_dataset

    asked: set[str] = set()

    def get(kind: Any) -> Any:
        name = kind_of(kind).name
        if name not in _tiny_models:
            model = tiny(kind).fit(load_dataset("digits").train_X)
            _tiny_models[name] = model, digest(model)
        asked.add(name)
        return _tiny_models[name][0]

    yield get
    changed = [name for name in asked if digest(_tiny_models[name][0]) != _tiny_models[name][1]]
    for name in changed:
        del _tiny_models[name]  # the next test trains it anew
    assert not changed, f"the test changed {', '.join(changed)}, which tests share"
