"""What is imported is declared, and what is declared is used."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from lrbn_viz.core.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
OURS = {"lrbn_viz", "tests", "tools", "extension", *(path.stem for path in (ROOT / "tests").rglob("*"))}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def declared(requirements: list[str]) -> set[str]:
    found = [re.match(r"[\w.-]+", requirement) for requirement in requirements]
    return {canonical(name[0]) for name in found if name}


ITSELF = {canonical(PROJECT["name"])}  # whose extra "all" those of the tests and of the documentation include
RUNTIME = declared(PROJECT["dependencies"])
TESTING = declared(PROJECT["optional-dependencies"]["test"]) - ITSELF
DOCUMENTING = declared(PROJECT["optional-dependencies"]["docs"]) - ITSELF
OPTIONAL = set().union(*(declared(PROJECT["optional-dependencies"][extra]) for extra in EXTRAS))


distributions = cache(packages_distributions)  # it reads the files of everything that is installed


class Named(NamedTuple):
    """What a file names: the modules that it imports, each by its first name, and those that it looks up."""

    imported: frozenset[str]
    looked_up: frozenset[str]


LOOK_UP = {"find_spec", "files", "distribution", "import_module", "importorskip"}
EXPRESSIONS = re.compile("|".join((*LOOK_UP, "['\"]-m['\"]")))
"""What a text holds in which an expression may look up a module."""


def nodes_of(text: str) -> Iterator[ast.AST]:
    """Yield the nodes of a text: all, or of one whose expressions look up nothing its statements."""
    tree = ast.parse(text)
    if EXPRESSIONS.search(text):
        yield from ast.walk(tree)
        return
    waiting: list[Any] = [tree]
    while waiting:
        yield (node := waiting.pop())
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting += getattr(node, name, ())


@cache
def named_by(path: Path) -> Named:
    """Return what a file names; its tree is not kept, as all of them would slow down the tests after it."""
    imports, found = set(), set()
    for node in nodes_of(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            imports |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            imports.add(node.module.partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if name in LOOK_UP:
                found |= {a.value for a in node.args if isinstance(a, ast.Constant)}
        elif isinstance(node, ast.List):  # the arguments of a command
            words = [getattr(part, "value", None) for part in node.elts]
            found |= {after for word, after in pairwise(words) if word == "-m"}
    tops = {name.partition(".")[0] for name in found if isinstance(name, str)}
    return Named(frozenset(imports), frozenset(tops))


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from (ROOT / folder).rglob("*.py")


def imported_names(*folders: str) -> set[str]:
    """Return the foreign modules that modules under some folders import, at the top or within a function."""
    names = {name for path in modules(*folders) for name in named_by(path).imported}
    return names - set(sys.stdlib_module_names) - OURS


def imported(*folders: str) -> set[str]:
    """Return the distributions that modules under some folders import."""
    foreign = imported_names(*folders)
    known = distributions()
    assert foreign <= set(known), f"not installed: {foreign - set(known)}"
    return {canonical(known[name][0]) for name in foreign}


def looked_up(*folders: str) -> set[str]:
    """Return the distributions that are found by name: read without being imported, or run as a module."""
    known = distributions()
    names = {name for path in modules(*folders) for name in named_by(path).looked_up}
    return {canonical(known[name][0]) for name in names if name in known}


def test_every_import_of_the_package_is_declared():
    assert imported("lrbn_viz", "apps") <= RUNTIME | OPTIONAL


def test_the_package_imports_nothing_that_the_wheel_lacks():
    beside = {path.stem for folder in ("tests", "tools", "docs") for path in (ROOT / folder).glob("*.py")}
    imports = {name for path in modules("lrbn_viz", "apps") for name in named_by(path).imported}
    assert imports & {"tests", "tools", "extension", *beside} == set()


def test_the_modules_that_import_what_an_extra_installs_are_few():
    names = {module for modules in EXTRAS.values() for module in modules}
    found = {
        path.relative_to(ROOT / "lrbn_viz").as_posix(): needed
        for path in (ROOT / "lrbn_viz").rglob("*.py")
        if (needed := named_by(path).imported & names)
    }
    elsewhere = {name: needed for name, needed in found.items() if not name.startswith("notebook/")}
    assert elsewhere == {
        "cluster.py": {"dask", "distributed"},
        "server/metrics.py": {"prometheus_client"},
        "studies/reproduce/figures.py": {"matplotlib"},
        "studies/reproduce/report.py": {"matplotlib"},  # for type checkers
        "studies/sweep/draw.py": {"optuna"},
        "view/animation/stage.py": {"matplotlib"},
    }
    assert set().union(*found.values()) == names


def test_every_dependency_is_imported_or_read():
    assert imported("lrbn_viz", "apps") | looked_up("lrbn_viz") >= RUNTIME | OPTIONAL


def test_every_import_of_a_test_is_declared():
    assert imported("tests", "tools") <= RUNTIME | OPTIONAL | TESTING


def test_every_dependency_of_the_tests_is_imported_or_run():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    commands = {"import-linter": "lint-imports"}
    run = {name for name in TESTING if re.search(rf"\b{commands.get(name, name)}\b", gate)}
    settings = PYPROJECT["tool"]["pytest"]["ini_options"]
    plugins = {f"pytest-{name}" for name in settings}  # a setting that pytest itself has is no plugin of ours
    plugins |= {"pytest-xdist"} if "--numprocesses" in settings["addopts"] else set()
    # tests take from docs/ what runs notebooks
    imports = imported("tests", "tools", "docs") | looked_up("tests", "docs")
    assert imports | run | plugins >= TESTING


def test_the_documentation_imports_nothing_else_and_needs_all_that_it_declares():
    from lrbn_viz.cli import DOCS_NEED

    # extensions of Sphinx, and its theme, are named in strings
    written = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    named = {name for name in DOCUMENTING if f'"{name.replace("-", "_")}"' in written}
    imports = imported_names("docs")
    assert {canonical(name) for name in imports} <= RUNTIME | OPTIONAL | DOCUMENTING | {
        "pygments",
        "yaml",
        *{"nbformat", "nbclient", "jupyter-client"},  # with which MyST-NB reads and runs notebooks
    }
    assert {canonical(name) for name in imports} | named | {"pyyaml"} >= DOCUMENTING
    assert {canonical(name) for name in DOCS_NEED} | {"pyyaml"} == DOCUMENTING


@pytest.mark.parametrize("name", ["holoviews", "matplotlib", "pandas", "tqdm", "platformdirs", "filelock"])
def test_what_the_design_names_is_imported(name):
    assert name in imported("lrbn_viz")
