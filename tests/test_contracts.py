"""Every folder of the package with more than one module has an import contract that names all of them."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
CONTRACTS = SETTINGS["contracts"]


def modules_of(folder: Path) -> set[str]:
    return {
        path.stem
        for path in folder.iterdir()
        if path.name != "__init__.py" and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }


def test_every_folder_has_a_contract_that_names_all_of_its_modules() -> None:
    held = {
        container for each in CONTRACTS if each.get("exhaustive") for container in each.get("containers", ())
    } | {name[: -len(".*")] for each in CONTRACTS for name in each.get("modules", ()) if name.endswith(".*")}
    folders = [path.parent for path in (ROOT / "lrbn_viz").rglob("__init__.py")]
    missing = {
        ".".join(folder.relative_to(ROOT).parts)
        for folder in folders
        if len(modules_of(folder)) > 1 and ".".join(folder.relative_to(ROOT).parts) not in held
    }
    assert missing == set()


def test_no_circle_is_allowed_and_imports_for_type_checking_count() -> None:
    assert SETTINGS["exclude_type_checking_imports"] is False
    [acyclic] = [each for each in CONTRACTS if each["type"] == "acyclic_siblings"]
    assert acyclic["ancestors"] == ["lrbn_viz"]
    # What draws is loaded when it is first used; the package names it for type checkers.
    ignored = {f"lrbn_viz -> lrbn_viz.{name}" for name in ("notebook", "plots")}
    assert all(
        ignored >= {*each.get("ignore_imports", ())} for each in CONTRACTS if each["type"] != "forbidden"
    )
