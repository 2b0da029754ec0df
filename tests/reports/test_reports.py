"""The table of reports: each says what happens now, and names tests that are there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
TEXT = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
HEAD = ["action of the user", "current behaviour", "tests"]


def rows() -> list[list[str]]:
    """Return the cells of every line of a table."""
    lines = [line for line in TEXT.splitlines() if line.startswith("|")]
    found = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if "---" not in line]
    return [row for row in found if row != HEAD]


@cache
def names_in(path: Path) -> set[str]:
    """Return the names of the tests of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:60])
def test_a_report_says_what_happens_now_and_names_tests_that_are_there(row):
    did, now, held_by = row
    assert did
    assert now
    addresses = held_by.split(", ")
    for address in addresses:
        found = re.fullmatch(r"`([\w/]+\.py)::(test_\w+)`", address)
        assert found, f"expected `file.py::test_name` below tests/, got {address}"
        assert found[2] in names_in(TESTS / found[1])
    assert len(set(addresses)) == len(addresses)


def test_every_table_has_reports_and_no_report_stands_twice():
    reports = [row[0] for row in rows()]
    assert len(set(reports)) == len(reports) > 20
    assert TEXT.count("| " + " | ".join(HEAD) + " |") == TEXT.count("\n## ")
