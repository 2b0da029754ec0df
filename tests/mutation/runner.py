"""Runs tests on a mutant, each in a process of its own that has all libraries already.

The kernels run without the JIT, as plain Python: a mutant is tested in a second, not compiled in a minute.
What the JIT makes of them is held to the same results by the other tests of the engine.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import math
import os
import pickle
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
MEMORY = 6 * 2**30  # bytes of address space: a mutant may ask for anything


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module with another source."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._source, self.path, "exec", dont_inherit=True)


class _Finder:
    def __init__(self, module: str, source: str) -> None:
        self.name, self.path, self.source = (
            module.removesuffix(".py").replace("/", "."),
            ROOT / module,
            source,
        )

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != self.name:
            return None
        loader = _Loader(name, str(self.path), self.source)
        return importlib.util.spec_from_file_location(name, self.path, loader=loader)


@dataclass
class Outcome:
    """What the tests said of one source.

    Attributes
    ----------
    killed_by
        The test that failed first; ``"time"`` where they took too long, ``"crash"`` where the process ended,
        ``"import"`` where no test began; None if all passed.
    seconds
        Per test, how long it took.
    lines
        Per module and test, the lines that it ran; empty unless they were asked for.
    slow
        Those of the tests that the gate leaves out.
    """

    killed_by: str | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    lines: dict[str, dict[str, set[int]]] = field(default_factory=dict)
    slow: set[str] = field(default_factory=set)


class _Watch:
    """A plugin of pytest that fills in an outcome."""

    def __init__(
        self, outcome: Outcome, coverage: Any = None, limits: Mapping[str, float] | None = None
    ) -> None:
        self.outcome, self.coverage, self.limits = outcome, coverage, limits or {}

    def pytest_collection_finish(self, session: Any) -> None:
        self.outcome.slow = {item.nodeid for item in session.items if item.get_closest_marker("slow")}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.coverage is not None:
            self.coverage.switch_context(nodeid)
        if nodeid in self.limits:  # a loop that a mutant never leaves ends with the first test that enters it
            signal.signal(signal.SIGALRM, signal.SIG_DFL)  # not as pytest-timeout has it: the process ends
            signal.alarm(math.ceil(self.limits[nodeid]))

    def pytest_runtest_logreport(self, report: Any) -> None:
        seconds = self.outcome.seconds
        seconds[report.nodeid] = seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed and self.outcome.killed_by is None:
            self.outcome.killed_by = report.nodeid

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and self.outcome.killed_by is None:
            self.outcome.killed_by = report.nodeid or "import"


def load_libraries() -> None:
    """Import what the tests import of others; the package itself each forked process loads anew."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)  # what whoever runs this wants of their own tests
    os.environ.setdefault("CI", "true")  # the same examples of hypothesis each time
    os.environ.update(OPENBLAS_NUM_THREADS="1", NUMBA_NUM_THREADS="1")
    answer = _in_a_child(_libraries, 600.0)
    for name in answer or ():
        try:
            importlib.import_module(name)
        except ImportError:  # of those that another imports by hand
            continue
    if any(name.partition(".")[0] == "lrbn_viz" for name in sys.modules):
        message = "the package was loaded before its mutants"
        raise RuntimeError(message)


def _libraries() -> list[str]:
    import pytest

    pytest.main(
        ["--collect-only", "-q", "-p", "no:cacheprovider", "-m", "nojit", str(ROOT / "tests" / "engine")]
    )
    return [name for name, module in sys.modules.items() if name != "__main__" and not _ours(module)]


def _ours(module: Any) -> bool:
    path = getattr(module, "__file__", None)  # a folder of tests has none
    return str(path or ROOT).startswith(str(ROOT))


def run(module: str, source: str, limits: Mapping[str, float]) -> Outcome:
    """Run tests on a source of a module until one fails, or takes longer than its limit, seconds."""
    outcome = _in_a_child(lambda: _test(module, source, limits), 60.0 + sum(limits.values()))
    return Outcome("time") if outcome is None else outcome


def trace(modules: Sequence[str]) -> Outcome:
    """Run all tests on the code as it is, and note the lines that each runs of these modules."""
    outcome = _in_a_child(lambda: _trace(modules), 3600.0)
    return Outcome("time") if outcome is None else outcome


def _arguments(tests: Sequence[str]) -> list[str]:
    return ["-q", "-x", "-p", "no:cacheprovider", "-m", "nojit", "--slow=all", *tests]


def _test(module: str, source: str, limits: Mapping[str, float]) -> Outcome:
    import pytest

    sys.meta_path.insert(0, _Finder(module, source))
    outcome = Outcome()
    status = pytest.main(_arguments(list(limits)), plugins=[_Watch(outcome, limits=limits)])
    if status != pytest.ExitCode.OK and outcome.killed_by is None:
        outcome.killed_by = "import"  # before any test
    return outcome


def _trace(modules: Sequence[str]) -> Outcome:
    import coverage
    import pytest

    outcome = Outcome()
    followed = coverage.Coverage(data_file=None, include=[str(ROOT / module) for module in modules])
    followed.start()
    pytest.main(_arguments(["tests/engine"]), plugins=[_Watch(outcome, followed)])
    followed.stop()
    data = followed.get_data()
    for module in modules:
        for line, tests in data.contexts_by_lineno(str(ROOT / module)).items():
            for test in tests:
                outcome.lines.setdefault(module, {}).setdefault(test, set()).add(line)
    return outcome


def _in_a_child(work: Callable[[], Any], limit: float) -> Any:
    """Return what `work` does in a forked process; None where it takes longer than `limit` seconds.

    Or longer than it allows itself, by an alarm.
    """
    with tempfile.TemporaryFile() as answer:
        child = os.fork()
        if child == 0:
            try:
                os.setpgrp()
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
                silent = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(silent, stream)
                os.chdir(ROOT)
                pickle.dump(work(), answer)
                answer.flush()
            finally:
                os._exit(0)
        end = time.monotonic() + limit
        while (status := os.waitpid(child, os.WNOHANG))[0] == 0:
            if time.monotonic() > end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return None
            time.sleep(0.01)
        if os.WIFSIGNALED(status[1]) and os.WTERMSIG(status[1]) == signal.SIGALRM:
            return None
        answer.seek(0)
        try:
            return pickle.load(answer)  # our own child's
        except EOFError:
            return Outcome("crash")
