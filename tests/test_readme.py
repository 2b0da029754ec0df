"""What README.md and the page of the architecture promise is true of this checkout."""

from __future__ import annotations

import ast
import importlib
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from PIL import Image

from lrbn_viz import cli
from lrbn_viz.app.inference import first_look
from lrbn_viz.core.trace import ICMTrace

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
START = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
INSIDE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "lrbn_viz"
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
    "contracts"
]
ARCHITECTURE = INSIDE.split("## Architecture\n")[1].split("\n## ")[0]
EQUATION_ROWS = re.findall(r"^\| ([\d, ]+) \| .* \| `([\w.]+)` \|$", INSIDE, re.MULTILINE)


def _blocks(language: str, page: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_the_readme_is_one_screen_a_picture_two_commands_and_three_links():
    assert len(README.splitlines()) <= 40
    assert len(re.findall(r"^!\[", README, re.MULTILINE)) == 1
    assert re.findall(r"(?<!!)\[[^\]]+\]\(([^)]+)\)", README) == [
        "docs/start.md",
        "docs/teaching.md",
        "CONTRIBUTING.md",
    ]


def test_its_picture_moves_and_is_small_enough_to_load():
    path = ROOT / "docs" / "explaining-away.webp"
    with Image.open(path) as picture:
        assert getattr(picture, "n_frames", 1) > 20
    assert path.stat().st_size < 300_000


def test_the_figures_below_the_picture_are_those_of_the_first_look():
    look = first_look.read()
    if look is None or look.facts is None:
        pytest.skip("no folder of published data files: set LRBN_VIZ_DATA")
    facts = look.facts
    said = " ".join(README.split())
    assert f"{facts.on_end} of {facts.n_h} end on, and {facts.wrong_end} pixels are wrong." in said
    assert f"{facts.factorised_on} are on, and {facts.factorised_wrong} pixels are wrong." in said
    assert f"makes {facts.rival_wrong} pixels wrong." in said


def test_the_two_commands_stand_as_they_are_typed():
    assert _blocks("sh") == [
        "pip install -e . && panel serve apps/explorer.py --show\n",
        'pip install -e ".[test]" && pytest && pytest tests/ui\n',
    ]


def test_the_gate_runs_the_test_commands_as_they_are_typed():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    _, *commands = _blocks("sh")[1].strip().split(" && ")
    assert len(commands) == 2
    for command in commands:
        step = rf'^ *step "[^"]+" (timeout \d+ )?{re.escape(command)}$'
        assert re.search(step, gate, re.MULTILINE), command


def test_the_python_example_is_five_lines_and_runs(capsys):
    (example,) = _blocks("python", START)
    assert len([line for line in example.splitlines() if line]) == 5
    names: dict = {}
    exec(compile(example, "start.md", "exec"), names)
    trace = names["trace"]
    assert isinstance(trace, ICMTrace)
    assert trace.log_joint[-1] >= trace.log_joint0
    visits, rose = capsys.readouterr().out.splitlines()
    assert visits.startswith(f"{len(trace)} visits, ")
    assert rose.endswith(f" to {trace.log_joint[-1]:.1f} nats")


def test_every_linked_file_exists():
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert "docs/explaining-away.webp" in links
    assert [link for link in links if "://" not in link and not (ROOT / link).is_file()] == []


def test_every_command_line_named_is_one_the_command_takes():
    calls = [call.replace("\n", " ") for call in re.findall(r"`lrbn-viz\s([^`]+)`", START)]
    named = {"serve", "datasets", "docs"}  # the others are on their own page
    assert {call.split()[0] for call in calls} == named
    for call in calls:
        cli.build_parser().parse_args(shlex.split(call))


def test_the_architecture_section_is_at_most_100_lines():
    assert len(ARCHITECTURE.splitlines()) <= 100


def test_every_file_that_the_architecture_names_exists():
    named = re.findall(r"`([\w./]+\.(?:py|json|js)|[\w./]+/)`", ARCHITECTURE)
    assert "lrbn/icm.py" in named
    places = (ROOT, PACKAGE)
    assert [path for path in named if not any((place / path).exists() for place in places)] == []


# -- every sentence of the architecture is held

# Paragraphs and items of lists: neither the drawing nor the table, whose tests are their own.
PROSE = [
    block.strip().removeprefix("- ").replace("\n", " ")
    for block in re.split(
        r"\n\n|\n(?=- )", re.sub(r"```.*?```|<!--.*?-->", "", ARCHITECTURE, flags=re.DOTALL)
    )
    if block.strip() and not block.lstrip().startswith("|")
]
HOLDER = re.compile(
    r'`(?P<file>[\w/.]+)::(?P<test>\w+)`|contract "(?P<contract>[^"]+)"|step "(?P<step>[^"]+)"'
)


def plain(text: str) -> str:
    """Return text without the marks of Markdown, on one line."""
    return " ".join(re.sub(r"[*`]|\]\([^)]*\)|\[", "", text).split())


def sentences_held() -> list[tuple[str, list[dict[str, str]]]]:
    """Return each sentence of the architecture with what holds it: one holder, or several joined by "and"."""
    found = []
    for block in PROSE:
        if " Held by " not in block:
            continue
        said, held_by = block.split(" Held by ")
        sentences = [plain(each) for each in re.split(r"(?<=[.;])\**\s", said.strip())]
        holders: list[list[dict[str, str]]] = []
        end = 0
        for match in HOLDER.finditer(held_by):
            between = held_by[end : match.start()].strip()
            assert between in ("", ",", "and"), f"nothing else is named: {between}"
            if between == "and":
                holders[-1].append(match.groupdict())
            else:
                holders.append([match.groupdict()])
            end = match.end()
        assert held_by[end:].strip() == "."
        found += zip(sentences, holders, strict=True)
    return found


SENTENCES = sentences_held()
SAID_BY_TESTS = [
    (said, one["file"], one["test"]) for said, holders in SENTENCES for one in holders if one["file"]
]


def test_every_paragraph_and_invariant_says_what_holds_it():
    (heading,) = [block for block in PROSE if " Held by " not in block]
    assert heading.startswith("Invariants. Each sentence is held")
    assert len(SENTENCES) > 30


def test_the_contracts_and_steps_that_hold_a_sentence_exist():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for said, holders in SENTENCES:
        for one in holders:
            if one["contract"]:
                assert one["contract"] in [each["name"] for each in CONTRACTS], said
            elif one["step"]:
                assert re.search(rf'^ *step "{one["step"]}" ', gate, re.MULTILINE), said


def functions(tree: ast.Module) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module by name."""
    return {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}


def asserts(node: ast.AST, known: dict[str, ast.FunctionDef], seen: frozenset[str] = frozenset()) -> bool:
    """Whether a function can fail: by itself, or by a function that it calls."""
    for each in ast.walk(node):
        if isinstance(each, ast.Assert):
            return True
        if isinstance(each, ast.Call):
            name = getattr(each.func, "id", getattr(each.func, "attr", ""))
            if name.startswith(("assert", "raises", "expect")):
                return True
            if name in known and name not in seen and asserts(known[name], known, seen | {name}):
                return True
    return False


@pytest.mark.parametrize(("said", "file", "test"), SAID_BY_TESTS, ids=[each[2] for each in SAID_BY_TESTS])
def test_a_test_that_holds_a_sentence_repeats_it_can_fail_and_is_not_skipped(said, file, test):
    source = (ROOT / "tests" / file).read_text(encoding="utf-8")
    tree = ast.parse(source)
    known = functions(tree)
    node = known[test]
    segment = ast.get_source_segment(source, node) or ""
    comments = plain(" ".join(re.findall(r"^ +# (.*)$", segment, re.MULTILINE)))
    assert f"Inside: {said}" in comments, f"write it into the test, on lines of its own: # Inside: {said}"
    assert asserts(node, known)
    marks = [ast.unparse(each) for each in node.decorator_list]
    marks += [
        ast.unparse(each.value)
        for each in tree.body
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == "pytestmark"
    ]
    assert [mark for mark in marks if re.search(r"\.(skip|skipif|xfail)\b", mark)] == []
    assert not re.search(r"pytest\.(skip|xfail|importorskip)\(", segment)


@pytest.mark.slow
def test_pytest_collects_every_test_that_holds_a_sentence():
    """Under the node that the page names: not in a class, a file or a function that pytest passes over."""
    nodes = sorted({f"tests/{file}::{test}" for _, file, test in SAID_BY_TESTS})
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *nodes]
    plain = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    collected = {re.sub(r"\[.*", "", line) for line in done.stdout.splitlines() if "::" in line}
    assert collected == set(nodes)


def test_the_engine_and_the_player_are_all_that_is_drawn_but_figures_and_pages():
    """What the sentence "The engine imports no GUI library" speaks of is in the contract that holds it."""
    (contract,) = [
        each for each in CONTRACTS if each["name"] == "the engine and the player import no GUI library"
    ]
    modules = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    drawn = modules - {"__init__", "cli", "notebook", "app", "server", "view", "doctor"}
    parts = ("animation", "board", "compare", "generate", "player", "lessons", "live")
    drawn |= {f"view.{part}" for part in parts}
    assert {name.removeprefix("lrbn_viz.") for name in contract["source_modules"]} == drawn


def test_the_names_in_code_type_of_the_invariants_are_in_the_package():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {name for said in PROSE for name in re.findall(r"`([A-Za-z]\w+?)`", said.split(" Held by ")[0])}
    assert {"ICMTrace", "FitStep", "fit"} <= named
    assert [
        name for name in named if not re.search(rf"^ *(?:class|def) {name}\b", sources, re.MULTILINE)
    ] == []


@pytest.mark.parametrize(("numbers", "home"), EQUATION_ROWS, ids=[row[1] for row in EQUATION_ROWS])
def test_an_equation_is_where_the_table_says(numbers, home):
    module, name = home.rsplit(".", 1)
    docstring = getattr(importlib.import_module(module), name).__doc__
    stated = re.search(r"Equation: ([()\d, and]+)", docstring)
    assert stated, f"{home} states no equation"
    assert re.findall(r"\d+", stated.group(1)) == re.findall(r"\d+", numbers)


def test_the_equation_table_is_read():
    assert len(EQUATION_ROWS) >= 9
