"""``python -m tests.architecture``: print the drawing of docs/architecture.md, or with ``--write`` write it.

The rooms are those of the contract "the package imports one way", in its order, each with the first sentence
of its docstring. The order within a folder is read from its imports.
"""

from __future__ import annotations

import argparse
import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import grimp

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "lrbn_viz"
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- drawing -->", "<!-- end of the drawing -->"


def contracts() -> list[dict[str, Any]]:
    """Return the import contracts."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return settings["tool"]["importlinter"]["contracts"]


@cache
def graph() -> grimp.ImportGraph:
    """Return the imports of the package's modules."""
    return grimp.build_graph("lrbn_viz")


def floors() -> list[list[str]]:
    """Return the names of the rooms, the uppermost first; a room may import those of later floors."""
    (contract,) = [each for each in contracts() if each.get("containers") == ["lrbn_viz"]]
    return [[name.strip(" ()") for name in layer.split("|")] for layer in contract["layers"]]


def levels(folder: str) -> list[list[str]]:
    """Return the modules of a folder, named with dots, so that each imports those of later levels only."""
    children = sorted(graph().find_children(folder))
    own = {child: {child, *graph().find_descendants(child)} for child in children}
    importers: dict[str, set[str]] = {
        child: {
            other
            for other in children
            if other != child
            and any(graph().find_modules_directly_imported_by(module) & own[child] for module in own[other])
        }
        for child in children
    }
    found: list[list[str]] = []
    placed: set[str] = set()
    while len(placed) < len(children):
        level = [child for child in children if child not in placed and importers[child] <= placed]
        if not level:
            raise ValueError(f"the modules of {folder} import each other in a circle")
        found.append([child.rpartition(".")[2] for child in level])
        placed |= set(level)
    return found


def unnamed(folder: str) -> set[str]:
    """Return the modules of a folder that its contract leaves out, as each is one of a kind."""
    found = [
        each for each in contracts() if each.get("containers") == [folder] and not each.get("exhaustive")
    ]
    named = {name.strip(" ()") for each in found for layer in each["layers"] for name in layer.split("|")}
    return {child.rpartition(".")[2] for child in graph().find_children(folder)} - named if found else set()


def _drawn(level: list[str], folder: Path, one_of_a_kind: set[str]) -> str:
    """Return a level of a folder, in which all modules that are one of a kind are called kinds."""
    names = [name + ("/" if (folder / name).is_dir() else "") for name in level if name not in one_of_a_kind]
    return " | ".join(names + ["kinds"] * (len(names) < len(level)))


def _named(path: Path) -> str:
    return f"{path.name}/" if path.is_dir() else f"{path.name}.py"


def summary(name: str) -> str:
    """Return the first sentence of a room's docstring."""
    path = PACKAGE / name
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.partition("\n\n")[0].split()).removesuffix(".")


def drawing() -> str:
    """Return the drawing: a line for each room, then one for each folder of several modules."""
    rooms = [
        f"{number:2}  {_named(PACKAGE / name):15} {summary(name)}"
        for number, names in enumerate(floors(), 1)
        for name in names
    ]
    folders = sorted(path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE)
    orders = []
    for folder in folders:
        name = ".".join(folder.relative_to(ROOT).parts)
        order = levels(name)
        if sum(map(len, order)) > 1:
            drawn = " > ".join(_drawn(level, folder, unnamed(name)) for level in order)
            orders.append(f"{folder.relative_to(PACKAGE).as_posix() + '/':23} {drawn}")
    return "\n".join(["```", *rooms, "", *orders, "```"])


def main() -> None:
    """Print the drawing, or write it into its page."""
    parser = argparse.ArgumentParser(prog="python -m tests.architecture", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the drawing into docs/architecture.md")
    if not parser.parse_args().write:
        print(drawing())
        return
    text = f"{BEGIN}\n{drawing()}\n{END}"
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(re.sub(f"{BEGIN}.*{END}", lambda _: text, page, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
