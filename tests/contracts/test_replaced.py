"""Only `lrbn_viz/server/patches.py` replaces parts of what serves pages, each with its upstream issue."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import pytest

import lrbn_viz
from lrbn_viz.server.patches import PATCHES

FOLDER = Path(lrbn_viz.__file__).parent
PATCHES_FILE = FOLDER / "server" / "patches.py"
OF_NUMBA = {
    "kernels/cache.py": {
        "numba.core.caching.IndexDataCacheFile",  # a list of kernels that an older version wrote fails else
        "numba.core.config",  # Numba's settings, which have this place alone
    },
}
"""What the engine sets of Numba wherever it runs; it may not import the server."""


def names_of(tree: ast.AST) -> dict[str, str]:
    """Return what the names of a module mean that come from other packages: full names, by name."""
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                known[each.asname or each.name.partition(".")[0]] = (
                    each.name if each.asname else each.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and not node.level:
            known |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    known = {name: full for name, full in known.items() if full.partition(".")[0] != "lrbn_viz"}
    for _ in range(3):  # names for these names
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                full = full_name(node.value, known)
                if full is not None:
                    known |= {each.id: full for each in targets if isinstance(each, ast.Name)}
    return known


def full_name(node: ast.AST, known: dict[str, str]) -> str | None:
    """Return the full name of an expression that names a part of another package."""
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = full_name(node.value, known)
        return None if owner is None else f"{owner}.{node.attr}"
    if isinstance(node, ast.Call) and node.args:
        called = full_name(node.func, known) or ""
        first = node.args[0]
        if called in ("importlib.import_module", "pkgutil.resolve_name") and isinstance(first, ast.Constant):
            return str(first.value)
        if isinstance(node.func, ast.Name) and node.func.id == "vars":
            return full_name(first, known)
    return None


def is_shared(full: str) -> bool:
    """Return whether a name is that of a module, a class or a function, which all code has in common."""
    first, *rest = full.split(".")
    try:
        found: Any = import_module(first)
        for n, part in enumerate(rest, 2):
            if not hasattr(found, part):
                import_module(".".join([first, *rest][:n]))
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return False
    return isinstance(found, ModuleType | type | FunctionType | BuiltinFunctionType)


def replacements(source: str) -> Iterator[str]:
    """Yield what a source replaces of other packages' modules, classes and functions."""
    tree = ast.parse(source)
    known = names_of(tree)

    def stored(node: ast.AST) -> str | None:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            return full_name(node.value, known)
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            inner = node.value
            if isinstance(inner, ast.Attribute) and inner.attr == "__dict__":
                return full_name(inner.value, known)
            return full_name(inner, known) if isinstance(inner, ast.Call) else None
        if isinstance(node, ast.Call) and node.args:
            name = node.func.id if isinstance(node.func, ast.Name) else ""
            if name in ("setattr", "delattr"):
                return full_name(node.args[0], known)
        return None

    for node in ast.walk(tree):
        full = stored(node)
        if full is not None and is_shared(full):
            yield full


@pytest.mark.parametrize(
    "line",
    [
        "WSHandler.on_close = mine",
        "writing._dispatch_msgs = mine",
        "bokeh.server.server.BokehTornado = mine",
        "setattr(WSHandler, 'on_close', mine)",
        "other: Any = WSHandler\nother.on_close = mine",
        "def go():\n    from panel.io.resources import Resources as R\n    R.extra_resources = mine",
        "del WSHandler.on_close",
        "vars(writing)['_dispatch_msgs'] = mine",
        "writing.__dict__['_dispatch_msgs'] = mine",
        "import_module('panel.io.document')._dispatch_msgs = mine",
        "logging.raiseExceptions = False",
    ],
)
def test_a_replacement_is_found(line: str) -> None:
    source = (
        "import bokeh.server.server\nimport logging\nfrom importlib import import_module\n"
        "from bokeh.server.views.ws import WSHandler\nfrom panel.io import document as writing\n"
    )
    assert not list(replacements(source))
    assert len(list(replacements(source + line))) == 1


@pytest.mark.parametrize("line", ["config.theme = 'dark'", "mine.on_close = 1", "self.on_close = WSHandler"])
def test_what_is_set_of_an_object_is_no_replacement(line: str) -> None:
    source = "from panel import config\nfrom bokeh.server.views.ws import WSHandler\nmine = WSHandler()\n"
    assert not list(replacements(source + line))


def test_one_module_replaces_parts_of_what_serves_pages() -> None:
    files = sorted(set(FOLDER.rglob("*.py")) - {PATCHES_FILE})
    assert len(files) > 300
    found = {
        path.relative_to(FOLDER).as_posix(): set(replacements(path.read_text(encoding="utf-8")))
        for path in files
    }
    assert {path: each for path, each in found.items() if each} == OF_NUMBA


def test_each_patch_has_a_reason_and_an_upstream_issue_of_its_own_package() -> None:
    repositories = {"bokeh": "bokeh/bokeh", "panel": "holoviz/panel"}
    for patch in PATCHES:
        assert re.fullmatch(rf"https://github\.com/{repositories[patch.package]}/issues/\d+", patch.issue), (
            patch.name
        )
        assert patch.says
        assert re.fullmatch(r"[A-Z].{30,}\.", patch.why), patch.name
        assert bool(patch.report) == ("closed" in patch.says), "what a closed issue leaves is to be reported"
    assert len({patch.issue for patch in PATCHES}) == len(PATCHES)
