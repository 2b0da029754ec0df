"""Nobody outside its own home asks which concrete model something is, by its class or by its name."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import lrbn_viz
from lrbn_viz.catalog import SYSTEMS, kinds

PACKAGE = Path(lrbn_viz.__file__).parent
CONCRETE = {
    *("LRBN", "LayerParams", "LayerParams", "HardEM", "HardEMState", "MStep"),
    *("DeepHardEM", "OnTargets"),
    *("RBM", "RBMSystem", "RBMState"),
}
HOMES = ("lrbn", "rivals", "estimators", "catalog.py")
NAMES = {
    *SYSTEMS,
    *(kind.estimator.__name__ for kind in kinds().values()),
    *(kind.model.short for kind in kinds().values()),
}
LOWER = {name.lower() for name in NAMES}
NAMES |= LOWER
"""What kinds of models are called."""

MAY_NAME = {
    "__init__.py": "the package's public names, imported when first asked for",
    "app/shared/menus.py": "an address calls the start from the other lane's state after its first model",
    "app/train/presets.py": "recipes: which models to train, and how",
    "studies/reproduce/reported.py": "the paper's tables",
    "studies/reproduce/systems.py": "how each kind of model is trained for a report",
    "studies/sweep/space.py": "the kind that a sweep trains where its file names none",
    "core/trace.py": "files call the maker of a trace so",
    "browser/js/engine.js": "ways of learning that a page asks its worker for",
    "view/live/files.py": "files hold classes: those whose arrays a live page reads",
    "view/live/training.py": "recipes: which models a live page trains, and how",
}
"""Modules that may hold the name of a kind of model, and why."""


def asked_types(source: str) -> set[str]:
    """Return the names that a module gives to isinstance and issubclass as classes."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Name) and called.id in ("isinstance", "issubclass"):
            for part in ast.walk(node.args[1]):  # pyright: ignore[reportAttributeAccessIssue]
                found |= {part.id} if isinstance(part, ast.Name) else set()
                found |= {part.attr} if isinstance(part, ast.Attribute) else set()
    return found


def test_the_walk_sees_every_way_of_asking():
    assert asked_types("isinstance(m, LRBN | m.RBM); issubclass(k, (A, B)); other(m, C)") == {
        *"AB",
        "m",
        "LRBN",
        "RBM",
    }


def test_no_module_asks_for_a_concrete_model():
    wrong = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        where = path.relative_to(PACKAGE)
        if where.parts[0] in HOMES:
            continue
        asked = asked_types(path.read_text()) & CONCRETE
        if asked:
            wrong[str(where)] = asked
    assert wrong == {}


def kinds_named(source: str) -> set[str]:
    """Return what kinds of models a module names: texts that are such a name, and variables called so."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        words = [getattr(node, part, None) for part in ("id", "attr", "arg")]
        found |= {word for word in words if isinstance(word, str)} & LOWER
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} & NAMES
    return found


def kinds_named_in_js(source: str) -> set[str]:
    """Return what kinds of models JavaScript names: whole texts, keys of objects, and fields."""
    some = "|".join(sorted(NAMES))
    patterns = (rf"""["'`]({some})["'`]""", rf"\b({some})\s*:", rf"\.({some})\b")
    code = re.sub(r"//[^\n]*", "", source)
    return {name for pattern in patterns for name in re.findall(pattern, code)}


def test_the_walk_sees_every_way_of_naming_a_kind():
    for source in (
        'LANES = ("LRBN", "x")',
        'if info.system == "LRBN": pass',
        "session.lrbn",
        "def f(lrbn): pass",
        "f(lrbn=1)",
        "lrbn, other = models",
    ):
        assert {name.upper() for name in kinds_named(source)} == {"LRBN"}, source
    assert kinds_named('"""An LRBN beside an RBM."""; lrbn_viz.lrbn_of(x)') == set()
    for source in ("{LRBN: 1}", 'x === "LRBN"', "help.LRBN", "`LRBN`"):
        assert kinds_named_in_js(source) == {"LRBN"}, source
    assert kinds_named_in_js('"an LRBN beside it" // LRBN: x') == set()


def test_no_module_names_a_kind_of_model_but_for_a_reason():
    named = {}
    for path in sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]):
        where = path.relative_to(PACKAGE)
        if where.parts[0] in HOMES:
            continue
        find = kinds_named if path.suffix == ".py" else kinds_named_in_js
        if found := find(path.read_text(encoding="utf-8")):
            named[where.as_posix()] = found
    assert {where: found for where, found in named.items() if where not in MAY_NAME} == {}
    assert set(MAY_NAME) == set(named), "an exception that nothing needs does not stay"
