"""``python -m tests.tiers``: the lines of the package that only slow tests run.

Runs the gate's tests, then the slow ones, each with and without a browser side by side, and follows the
processes that tests start. Kernels are followed where they run without the JIT. An hour on two cores; with
``--folder`` a second call leaves out the runs that have passed. With ``--write`` the list goes into
docs/tiers.md: by function, as numbers of lines change with every commit.
"""

from __future__ import annotations

import argparse
import ast
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "tiers.md"
BEGIN, END = "<!-- lines -->", "<!-- end of lines -->"
SETTINGS = """
[run]
source_pkgs = lrbn_viz
data_file = {data}
parallel = true
patch = subprocess
sigterm = true
concurrency = thread
"""
GATE: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    ((), {}),
    (("tests/ui",), {}),
    (("-m", "nojit", "tests/engine"), {"NUMBA_DISABLE_JIT": "1"}),
)
"""What the gate gives pytest, and in which environment."""
SLOW: tuple[tuple[tuple[str, ...], dict[str, str]], ...] = (
    (("--slow=only",), {}),
    (("--slow=only", "tests/ui"), {}),
    (("--slow=only", "-m", "nojit", "tests/engine"), {"NUMBA_DISABLE_JIT": "1"}),
)


def lines_of(runs: Sequence[tuple[tuple[str, ...], dict[str, str]]], folder: Path) -> dict[str, set[int]]:
    """Run tests; return the lines of each file of the package that they ran, by its path in the project."""
    folder.mkdir(parents=True, exist_ok=True)
    data = folder / "data"
    settings = folder / "settings"
    settings.write_text(SETTINGS.format(data=data), encoding="utf-8")
    command = [sys.executable, "-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q"]

    def run(number: int) -> int:
        arguments, environment = runs[number]
        passed = folder / f"passed{number}"
        if passed.exists():
            return pytest.ExitCode.OK
        environment = {**os.environ, "PYTEST_XDIST_AUTO_NUM_WORKERS": "0", **environment}
        chosen = [*command, "-o", f"cache_dir={folder / f'cache{number}'}", *arguments]
        status = subprocess.run(chosen, cwd=ROOT, env=environment).returncode
        if status == pytest.ExitCode.TESTS_FAILED:  # following lines takes time, and some tests have a limit
            status = subprocess.run([*chosen, "--last-failed"], cwd=ROOT, env=environment).returncode
        if status == pytest.ExitCode.OK:
            passed.touch()
        return status

    with ThreadPoolExecutor(2) as lanes:
        statuses = list(lanes.map(run, range(len(runs))))
    for (arguments, _), status in zip(runs, statuses, strict=True):
        if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            message = f"pytest {' '.join(arguments)} failed twice: lines are counted of tests that pass"
            raise RuntimeError(message)
    return read(data, settings)


def read(data: Path, settings: Path) -> dict[str, set[int]]:
    """Return the lines that were run, of all processes that wrote beside a file of data."""
    found = coverage.Coverage(data_file=str(data), config_file=str(settings))
    found.combine([str(data.parent)], keep=True)
    lines = found.get_data()
    return {
        str(Path(path).relative_to(ROOT)): set(lines.lines(path) or ())
        for path in sorted(lines.measured_files())
    }


def only(slow: dict[str, set[int]], gate: dict[str, set[int]]) -> dict[str, list[int]]:
    """Return the lines that slow tests run and none of the gate's, by file."""
    found = {path: sorted(lines - gate.get(path, set())) for path, lines in slow.items()}
    return {path: lines for path, lines in found.items() if lines}


def functions(source: str) -> list[tuple[str, int, int]]:
    """Return the qualified name, first and last line of each function, those within others after them."""
    found: list[tuple[str, int, int]] = []

    def follow(node: ast.AST, outer: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = outer
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{outer}.{child.name}" if outer else child.name
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                found.append((name, child.lineno, child.end_lineno or child.lineno))
            follow(child, name)

    follow(ast.parse(source), "")
    return found


def by_function(source: str, lines: Sequence[int]) -> dict[str, int]:
    """Return how many of the lines each function has, the innermost; those of none are the module's."""
    spans = functions(source)
    names = [
        next((name for name, first, last in reversed(spans) if first <= line <= last), "module")
        for line in lines
    ]
    return {name: names.count(name) for name in dict.fromkeys(names)}


def table(found: dict[str, list[int]], n_run: int) -> str:
    """Return the page's table of lines."""
    rows = []
    for path, lines in found.items():
        names = by_function((ROOT / path).read_text(encoding="utf-8"), lines)
        told = ", ".join(f"`{name}` {number}" for name, number in names.items())
        rows.append(f"| `{path}` | {len(lines)} | {told} |")
    count = sum(map(len, found.values()))
    words = (
        f"{count:,} of the {n_run:,} lines that tests run ({count / n_run:.1%}) are run by slow tests alone."
    )
    return "\n".join(
        [BEGIN, "", words, "", "| File | Lines | Of which functions |", "| --- | --- | --- |", *rows, "", END]
    )


def main() -> None:
    """Run all tests with their lines followed, and say which of them only slow tests run."""
    parser = argparse.ArgumentParser(prog="python -m tests.tiers", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the list into docs/tiers.md")
    parser.add_argument(
        "--folder", type=Path, help="where data are kept, of runs that passed too (default: nowhere)"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (asked.folder or Path(scratch)).absolute()
        gate, slow = lines_of(GATE, folder / "gate"), lines_of(SLOW, folder / "slow")
    n_run = sum(len(lines | slow.get(path, set())) for path, lines in gate.items())
    text = table(only(slow, gate), n_run)
    print(text)
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        page = re.sub(f"{BEGIN}.*{END}", lambda _: text, page, flags=re.DOTALL)
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
