"""What contributors and users rely on beside the code: version, hooks, changelog, how to add a part."""

from __future__ import annotations

import ast
import importlib
import re
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from bench.count_lines import by_room, count

import lrbn_viz
from lrbn_viz.catalog import PRETRAINED

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


AT_LENGTH = ("wheel", "core", "JavaScript tools", "kernels of pages", "documentation")
"""Steps of the gate that run no tests, and take the network or a minute."""


def gate_steps() -> dict[str, str]:
    """Return the commands of the gate's steps by name."""
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    return dict(re.findall(r'^ *step "([^"]+)" (.+)$', gate, re.MULTILINE))


def test_the_version_has_one_source_and_all_places_agree():
    assert "version" not in PYPROJECT["project"]
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert PYPROJECT["tool"]["hatch"]["version"] == {"path": "lrbn_viz/__init__.py"}
    assert re.fullmatch(r"\d+\.\d+\.\d+", lrbn_viz.__version__)
    assert version("lrbn_viz") == lrbn_viz.__version__, "install the checkout again: pip install -e ."
    assert citation()["version"] == lrbn_viz.__version__
    written = [
        str(path.relative_to(ROOT))
        for path in [*(ROOT / "lrbn_viz").rglob("*.py"), ROOT / "pyproject.toml"]
        if lrbn_viz.__version__ in re.findall(r'"(\d+\.\d+\.\d+)"', path.read_text(encoding="utf-8"))
    ]
    assert written == ["lrbn_viz/__init__.py"]


def citation() -> dict:
    return yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_citation_has_what_its_format_asks_for_and_says_what_the_package_says():
    found, project = citation(), PYPROJECT["project"]
    assert found["cff-version"] == "1.2.0"
    assert found["title"] == project["name"]
    assert found["license"] == project["license"]
    assert [each["name"] for each in found["authors"]] == [each["name"] for each in project["authors"]]
    assert {"message", "type", "abstract"} <= found.keys()


def test_types_travel_with_the_package_and_the_programs_that_train_its_models_do_not():
    """The gate's step "wheel" holds that it has every tracked file of the package, and no other."""
    package = Path(lrbn_viz.__file__).parent
    assert (package / "py.typed").is_file()
    assert gate_steps()["wheel"] == 'python -m tests.release --out "$scratch/dist"'
    assert PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["lrbn_viz"]}
    assert {path.suffix for path in (package / "weights").iterdir() if path.is_file()} == {".npz", ".json"}
    assert (ROOT / "tools" / "weights" / "train.py").is_file()


def test_the_hooks_before_a_commit_are_the_steps_of_the_gate_that_run_no_tests():
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    hooks = {hook["name"]: hook["entry"] for hook in local["hooks"]}
    steps = {
        name: command
        for name, command in gate_steps().items()
        if "pytest" not in command and name not in AT_LENGTH
    }
    assert {"format", "lint", "imports", "types"} <= steps.keys()
    assert hooks == steps
    for hook in local["hooks"]:
        assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("system", False, True)


def test_the_changelog_is_in_its_form():
    headings = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    first = CHANGELOG[CHANGELOG.index("## [0.1.0]") :]
    assert first.count("\n") <= 60
    assert f"- {len(PRETRAINED)} trained models come with the package" in first
    kinds = re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)
    assert set(kinds) <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert headings[1].startswith(f"[{lrbn_viz.__version__}]")


@pytest.mark.parametrize(
    "form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda p: p.stem
)
def test_an_issue_form_has_what_its_host_asks_for(form):
    found = yaml.safe_load(form.read_text(encoding="utf-8"))
    if form.stem == "config":
        assert found == {"blank_issues_enabled": True}
        return
    assert {"name", "description", "labels", "body"} == found.keys()
    fields = [each for each in found["body"] if each["type"] != "markdown"]
    assert {each["type"] for each in fields} <= {"textarea", "input", "dropdown"}
    assert len({each["id"] for each in fields}) == len(fields)
    assert all(each["attributes"]["label"] for each in fields)
    assert any(each.get("validations", {}).get("required") for each in fields)


def test_what_forms_and_the_code_of_conduct_refer_to_is_there():
    from lrbn_viz.cli import build_parser

    conduct = (ROOT / "CODE_OF_CONDUCT.md").read_text(encoding="utf-8")
    assert "(SECURITY.md)" in conduct
    assert "## Report a vulnerability" in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    fault = (ROOT / ".github" / "ISSUE_TEMPLATE" / "fault.yml").read_text(encoding="utf-8")
    assert "`lrbn-viz doctor --quick`" in fault
    assert build_parser().parse_args(["doctor", "--quick"]).quick


# -- how to add a part

TABLE = {
    part: (files, tests)
    for part, files, tests in re.findall(
        r"^\| a (\w[\w ]*) \| (.+?) \| (.+?) \|$", CONTRIBUTING, re.MULTILINE
    )
}


def paths(cell: str) -> list[str]:
    """Return the paths in backticks of a cell."""
    return [path for path in re.findall(r"`([^`]+)`", cell) if "/" in path]


def test_the_table_says_how_to_add_each_kind_of_part():
    assert list(TABLE) == [
        *("model", "view", "data set", "lesson", "notebook", "kernel"),
        "kernel in the browser",
    ]


@pytest.mark.parametrize("part", TABLE)
def test_the_files_of_the_table_and_their_tests_exist(part):
    # Inside: CONTRIBUTING.md lists them, for a model, a view, a data set, a lesson, a notebook and a kernel.
    files, tests = map(paths, TABLE[part])
    assert files
    assert tests
    assert [path for path in files + tests if not (ROOT / path).exists()] == []
    assert all(path.startswith("tests/") for path in tests)


def test_the_commands_and_links_of_the_contributors_page_lead_somewhere():
    named = re.findall(r"\b(?:tests|notebooks|lrbn_viz)/[\w./]+\w", CONTRIBUTING)
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", CONTRIBUTING)
    assert [path for path in {*named, *links} if not (ROOT / path).exists()] == []
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in ("NUMBA_DISABLE_JIT=1 pytest", "pytest -m"):
        assert command.split()[-1] in gate


def test_each_file_that_leaves_tests_to_the_nightly_is_named_with_the_reason():
    text = CONTRIBUTING.split("## Two tiers of tests\n")[1].split("\n## ")[0]
    named = set(re.findall(r"`(tests/[\w/]+(?:\.py)?)`", text))
    marking = re.compile(r"mark\.slow|\b(slow_but|pairs_for_the_gate|kinds_for_the_gate)\(")
    own = {Path(__file__), ROOT / "tests" / "contracts" / "test_covering.py"}  # they speak of marking
    slow = {
        "tests/ui/" if path.parent.name == "ui" else path.relative_to(ROOT).as_posix()
        for path in {*(ROOT / "tests").rglob("test_*.py")} - own
        if marking.search(path.read_text(encoding="utf-8"))
    }
    assert len(slow) > 10
    assert slow - named == set()


def homes(module: str, name: str) -> set[str]:
    """Return the path of the file that holds a module's name, wherever it was imported from."""
    found = importlib.import_module(module)
    value = getattr(found, name)
    holders = {found.__file__} | {
        other.__file__
        for label, other in list(sys.modules.items())
        if label.startswith("lrbn_viz.") and getattr(other, name, None) is value
    }
    return {Path(file).relative_to(ROOT).as_posix() for file in holders if file}


def test_the_contract_tests_add_their_part_in_the_files_of_the_table_and_nowhere_else():
    """What a test of a new part puts into the package lies in a file that the table names."""
    # Inside: A new part touches few files.
    for part in ("model", "data set"):
        files, tests = map(paths, TABLE[part])
        changed = set()
        for path in tests:
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            imported = {
                alias.asname or alias.name: node.module
                for node in ast.walk(tree)
                if isinstance(node, ast.ImportFrom) and node.module
                for alias in node.names
            }
            for node in ast.walk(tree):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Attribute)
                    and isinstance(node.func.value, ast.Name)
                    and node.func.value.id == "monkeypatch"
                    and node.func.attr in ("setitem", "setattr")
                ):
                    (target, *_) = node.args
                    assert isinstance(target, ast.Name), f"{path}: name what is changed"
                    changed.add((imported[target.id], target.id))
        assert changed, f"the tests of a new {part} add none"
        for module, name in changed:
            assert homes(module, name) & set(files), f"{name} is in no file that the table names"


def test_the_contract_test_of_a_view_adds_its_file_and_lines_where_the_table_says():
    files, tests = map(paths, TABLE["view"])
    text = "".join((ROOT / test).read_text(encoding="utf-8") for test in tests)
    written = {f"lrbn_viz/{path}" for path in re.findall(r'folder / "([^"]+)"', text)}
    folder, *listed = files
    assert {path for path in written if path not in listed and path.startswith(folder)}
    assert {path for path in written if not path.startswith(folder)} | {listed[0]} == set(listed)
    assert len(written) == 3


def test_executable_lines_are_those_on_which_a_statement_begins():
    text = '"""A docstring."""\n\n# a comment\nfor x in (\n    1,\n):\n    """Text."""\n    y = x; z = x\n'
    assert count(text) == 2
    assert by_room(None)["lrbn_viz/estimators"] > 100
