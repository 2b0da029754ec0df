"""What `import lrbn_viz` offers: public submodules, short listings, and names that editors complete."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import get_args, get_overloads, get_type_hints

import pytest

import lrbn_viz
from lrbn_viz.catalog import PRETRAINED, pretrained

ROOT = Path(__file__).resolve().parents[1]
PUBLIC = lrbn_viz._PUBLIC_MODULES
SUBMODULES = sorted(set(dir(lrbn_viz)) - {*lrbn_viz.__all__, "__version__"})


def named_in_docs() -> set[str]:
    """Return the dotted names below the package that pages, the reference and notebooks hold."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "howto").glob("*.md")]
    pages += [ROOT / "docs" / "api" / "index.rst", *(ROOT / "notebooks").glob("*.ipynb")]
    words = "\n".join(path.read_text(encoding="utf-8") for path in pages)
    return set(re.findall(r"\blrbn_viz((?:\.[A-Za-z_]\w*)+)", words))


def test_every_submodule_that_a_page_names_is_there_after_importing_the_package():
    first = sorted({name.split(".")[1] for name in named_in_docs()} - {*lrbn_viz.__all__})
    assert {"notebook", "plots", "measure", "studies"} <= {*first}
    script = "import lrbn_viz; lrbn_viz.import_module = str\n"  # that they can be imported, other tests say
    homes = {name: PUBLIC.get(name, name) for name in first}
    script += f"for name, home in {homes}.items(): assert getattr(lrbn_viz, name) == f'lrbn_viz.{{home}}'"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)


def test_every_name_of_a_public_submodule_that_a_page_names_is_there():
    named = [name.split(".")[1:] for name in named_in_docs()]
    named = [parts for parts in named if parts[0] in SUBMODULES and len(parts) > 1]
    assert ["notebook", "show_trace"] in named
    for module, name, *_ in named:
        assert hasattr(getattr(lrbn_viz, module), name), f"lrbn_viz.{module}.{name}"


def test_listings_show_public_names_alone():
    assert {"notebook", "plots", "measure", "datasets"} <= {*SUBMODULES}
    assert dir(lrbn_viz) == sorted([*lrbn_viz.__all__, *SUBMODULES, "__version__"])
    for name in SUBMODULES:
        module = getattr(lrbn_viz, name)
        assert module is import_module(f"lrbn_viz.{PUBLIC[name]}")
        assert dir(module) == sorted(module.__all__)
        assert all(hasattr(module, each) for each in module.__all__)


@pytest.mark.parametrize("name", ["nothing", "_nothing", "Notebook", "os"])
def test_a_name_that_is_none_is_said_to_be_none(name):
    with pytest.raises(AttributeError, match=f"module 'lrbn_viz' has no attribute '{name}'"):
        getattr(lrbn_viz, name)
    assert not hasattr(lrbn_viz, name)


def test_a_type_checker_knows_each_shipped_model_by_its_name_and_class():
    hints = [get_type_hints(each) for each in get_overloads(pretrained)]
    known = {name: hint["return"] for hint in hints for name in get_args(hint["name"])}
    assert known == {name: info.kind.estimator for name, info in PRETRAINED.items()}
    assert hints[-1]["name"] is str  # a name that is computed
    for name in ("lrbn-16-bars", "rbm-12-digits", "lrbn-12-digits-recognition"):
        assert type(pretrained(name)) is known[name]
    assert pretrained("lrbn-16-bars") is pretrained("lrbn-16-bars")


def test_a_type_checker_is_told_of_every_public_name_and_submodule():
    tree = ast.parse(Path(lrbn_viz.__file__).read_text(encoding="utf-8"))
    (block,) = (each for each in tree.body if isinstance(each, ast.If))
    assert isinstance(block.test, ast.Name)
    assert block.test.id == "TYPE_CHECKING"
    told = {alias.name for each in block.body if isinstance(each, ast.ImportFrom) for alias in each.names}
    assert told == {*lrbn_viz.__all__, *SUBMODULES} - {"__version__"}
