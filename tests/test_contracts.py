"""A folder of many modules has an import contract, and the architecture is drawn from the code."""

from __future__ import annotations

import re
import tomllib
from copy import deepcopy
from itertools import permutations
from pathlib import Path

import pytest

from lrbn_viz.catalog import kinds
from tests.architecture import BEGIN, END, PAGE, contracts, drawing, floors, graph, levels, unnamed

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
KINDS = "lrbn_viz.estimators"
MANY = 16
"""Modules of a folder from which its order is declared, in a contract that names all of them."""


def modules_of(folder: Path) -> set[str]:
    return {
        path.stem
        for path in folder.iterdir()
        if path.name != "__init__.py" and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }


FOLDERS = {
    ".".join(path.parent.relative_to(ROOT).parts): modules_of(path.parent)
    for path in (ROOT / "lrbn_viz").rglob("__init__.py")
}


def test_a_folder_of_many_modules_has_a_contract_that_names_all_of_them() -> None:
    held = {
        container
        for each in contracts()
        if each.get("exhaustive")
        for container in each.get("containers", ())
    }
    many = {name for name, modules in FOLDERS.items() if len(modules) >= MANY}
    assert many <= held | {KINDS}


def test_a_file_of_estimators_that_its_contract_does_not_name_is_of_kinds_that_know_no_other_kind() -> None:
    """So a new kind is a file, and a line of the catalogue."""
    homes = {kind.estimator.__module__.rpartition(".")[2] for kind in kinds().values()}
    shared = FOLDERS[KINDS] - unnamed(KINDS)
    assert unnamed(KINDS)
    assert not homes & shared
    for one in unnamed(KINDS):
        names = graph().find_modules_directly_imported_by(f"{KINDS}.{one}")
        assert not names & {f"{KINDS}.{other}" for other in unnamed(KINDS)}, one
        assert one in homes or not graph().find_modules_that_directly_import(f"{KINDS}.{one}"), one
    below = {f"{KINDS}.{name}" for name in shared - {"amortise"}}
    for name in unnamed(KINDS):
        assert not graph().find_modules_that_directly_import(f"{KINDS}.{name}") & below


def test_no_circle_is_allowed_and_imports_for_type_checking_count() -> None:
    assert SETTINGS["exclude_type_checking_imports"] is False
    [acyclic] = [each for each in contracts() if each["type"] == "acyclic_siblings"]
    assert acyclic["ancestors"] == ["lrbn_viz"]
    # What draws is loaded when it is first used; the package names it for type checkers.
    ignored = {f"lrbn_viz -> lrbn_viz.{name}" for name in ("notebook", "view.plots")}
    assert all(
        ignored >= {*each.get("ignore_imports", ())} for each in contracts() if each["type"] != "forbidden"
    )


def test_the_drawing_is_that_of_the_code() -> None:
    # Inside: The drawing is made from the code, by python -m tests.architecture --write.
    page = PAGE.read_text(encoding="utf-8")
    assert page.split(f"{BEGIN}\n")[1].split(f"\n{END}")[0] == drawing(), (
        "python -m tests.architecture --write"
    )
    assert {name for names in floors() for name in names} == FOLDERS["lrbn_viz"]


@pytest.mark.parametrize("folder", sorted(FOLDERS.keys() - {"lrbn_viz"}))
def test_no_level_of_a_folder_imports_one_above_it_or_itself(folder: str) -> None:
    # Inside: Within a folder, a > b says that b imports nothing of a, and a | b that neither imports the
    # other.
    order = [[f"{folder}.{name}" for name in level] for level in levels(folder)]
    assert {name.rpartition(".")[2] for level in order for name in level} == FOLDERS[folder]
    for n, level in enumerate(order):
        for lower in level:
            upper = [name for above in order[: n + 1] for name in above if name != lower]
            assert not [name for name in upper if _imports(lower, name)]


def _imports(importer: str, imported: str) -> bool:
    return graph().direct_import_exists(importer=importer, imported=imported, as_packages=True)


def test_core_loads_no_module_by_its_name() -> None:
    """Import contracts do not see such an import: it could reach what draws."""
    for path in (ROOT / "lrbn_viz" / "core").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"importlib|import_module|__import__|sys\.modules", text), path.name


def test_panels_of_the_inference_page_do_not_know_each_other() -> None:
    # Inside: Panels do not know each other.
    folder = "lrbn_viz.app.inference.panels"
    panels = [f"{folder}.{name}" for name in FOLDERS[folder]]
    assert len(panels) > 3
    loaded = deepcopy(graph())
    for late in (
        "notebook",
        "view.plots",
    ):  # which the package names for type checkers, and loads when it is asked
        loaded.remove_import(importer="lrbn_viz", imported=f"lrbn_viz.{late}")
    for one, other in permutations(panels, 2):
        assert loaded.find_shortest_chain(one, other, as_packages=True) is None
