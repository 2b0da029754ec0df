"""What README.md promises is true of this checkout."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from lrbn_viz import cli
from lrbn_viz.trace import ICMTrace

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
ARCHITECTURE = README.split("## Architecture\n")[1].split("\n## ")[0]
EQUATION_ROWS = re.findall(r"^\| ([\d, ]+) \| .* \| `([\w.]+)` \|$", ARCHITECTURE, re.MULTILINE)


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_two_commands_stand_as_they_are_typed():
    assert _blocks("sh") == [
        "pip install -e . && panel serve apps/explorer.py --show\n",
        'pip install -e ".[test]" && pytest -m "not ui" && pytest -m ui\n',
    ]


def test_the_gate_runs_the_test_commands_as_they_are_typed():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    _, *commands = _blocks("sh")[1].strip().split(" && ")
    assert len(commands) == 2
    for command in commands:
        assert re.search(rf'^(step|beside \d+) "[^"]+" {re.escape(command)}$', gate, re.MULTILINE), command


def test_the_python_example_is_five_lines_and_runs(capsys):
    (example,) = _blocks("python")
    assert len([line for line in example.splitlines() if line]) == 5
    names: dict = {}
    exec(compile(example, "README.md", "exec"), names)
    trace = names["trace"]
    assert isinstance(trace, ICMTrace)
    assert trace.log_joint[-1] >= trace.log_joint0
    visits, rose = capsys.readouterr().out.splitlines()
    assert visits.startswith(f"{len(trace)} visits, ")
    assert rose.endswith(f" to {trace.log_joint[-1]:.1f} nats")


def test_every_linked_file_exists():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert "docs/explorer.png" in links
    assert [link for link in links if "://" not in link and not (ROOT / link).is_file()] == []


def test_every_command_line_named_is_one_the_command_takes():
    calls = re.findall(r"`lrbn-viz ([^`]+)`", README)
    assert {call.split()[0] for call in calls} == {"serve", "datasets", "reproduce"}
    for call in calls:
        cli.build_parser().parse_args(call.split())


def test_the_architecture_section_is_at_most_80_lines():
    assert len(ARCHITECTURE.splitlines()) <= 80


def test_every_module_drawn_exists_and_every_module_is_drawn():
    folder = ROOT / "lrbn_viz"
    drawn, homes = set(), []
    for line in ARCHITECTURE.split("```")[1].strip().splitlines():
        column, words = re.split(r" {2,}", line, maxsplit=1)
        if column:  # else it goes on with the line before
            homes = [home.strip() for home in column.split(",")]
        drawn.update(home.rstrip("/") for home in homes)
        parts = [
            homes[0] + name
            for name in re.findall(r"\b[a-z_]+(?:/[a-z_]+)*(?:\.py|/)", words)
            if homes[0][-1] == "/"
        ]
        assert [path for path in homes + parts if not (folder / path).exists()] == []
    there = {path.name for path in folder.iterdir() if path.name[0] not in "_."}
    assert drawn == there


@pytest.mark.parametrize(("numbers", "home"), EQUATION_ROWS, ids=[row[1] for row in EQUATION_ROWS])
def test_an_equation_is_where_the_table_says(numbers, home):
    module, name = home.rsplit(".", 1)
    docstring = getattr(importlib.import_module(module), name).__doc__
    stated = re.search(r"Equation: ([()\d, and]+)", docstring)
    assert stated, f"{home} states no equation"
    assert re.findall(r"\d+", stated.group(1)) == re.findall(r"\d+", numbers)


def test_the_equation_table_is_read():
    assert len(EQUATION_ROWS) >= 9
