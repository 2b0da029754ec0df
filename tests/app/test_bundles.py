"""The bundles that browsers get: each belongs to its sources, holds all of them, and is asked for."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest
from js.node_tests import BUILD, build_bundles

from lrbn_viz.view.player.source import PLAYER, ROOT, BundleError, bundle_path, module_text

BUNDLES = ROOT / "bundles"
SOURCES = json.loads((BUNDLES / "sources.json").read_text(encoding="utf-8"))
FILES = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.js")}
ASKED = {
    found
    for path in ROOT.rglob("*.py")
    for found in re.findall(r'module_text\("([^"]+)"\)', path.read_text(encoding="utf-8"))
} | {PLAYER}
# no components: they run before all of them, or in a page or a worker of their own
SCRIPTS = {
    "server/classroom/js/board.js",
    "server/classroom/js/presenter.js",
    "app/shared/js/libraries.js",
    "app/shared/js/scheme.js",
    "view/live/js/compare_worker.js",
    "view/live/js/run_worker.js",
    "view/live/js/worker.js",
    "browser/js/training_worker.js",
}
CALLED = {
    "view/live/js/live.js": "createPage",
    "view/live/js/train.js": "createTraining",
    "view/live/js/generate.js": "createView",
    "view/live/js/compare.js": "createView",
}
"""What a live page calls of its code."""
HELD = "lrbn-skip"
"""What is in the module of all pages alone, `view/player/js/page.js`."""
PARTS = ("view/live/js/generate.js", "view/live/js/train.js")
"""Code that a live page loads after its own, from which it takes the modules that both hold."""


def stale(package: Path) -> set[str]:
    """Return the files whose bundles are of other sources, or another builder, than those there are."""
    wrong = set()
    for entry, inputs in SOURCES["bundles"].items():
        held = hashlib.sha256(f"esbuild {SOURCES['esbuild']}\n".encode() + BUILD.read_bytes())
        for path in inputs:
            content = (package / path).read_bytes() if (package / path).is_file() else b""
            held.update(f"\n{path}\n".encode() + content)
        bundle = (package / "bundles" / entry).with_suffix(".mjs").read_text(encoding="utf-8")
        if bundle.partition("\n")[0] != f"// {held.hexdigest()}":
            wrong.add(entry)
    return wrong


def test_each_bundle_belongs_to_the_sources_that_are_there():
    assert stale(ROOT) == set(), "older than their sources: run npm run build"
    pinned = json.loads((BUILD.parents[1] / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert SOURCES["esbuild"] == pinned["esbuild"]


def test_a_bundle_that_is_older_than_its_sources_is_found(tmp_path):
    for path in {file for inputs in SOURCES["bundles"].values() for file in inputs}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    shutil.copytree(BUNDLES, tmp_path / "bundles")
    assert stale(tmp_path) == set()
    changed = tmp_path / "io/glossary.json"
    changed.write_bytes(changed.read_bytes() + b"\n")
    assert stale(tmp_path) == {
        entry for entry, held in SOURCES["bundles"].items() if "io/glossary.json" in held
    }
    (tmp_path / "app/shared/js/scheme.js").unlink()
    assert "app/shared/js/scheme.js" in stale(tmp_path)


def test_every_file_is_in_a_bundle_and_every_bundle_is_asked_for():
    assert len(ASKED) > 20
    assert SOURCES["bundles"].keys() == ASKED
    assert {path for path in BUNDLES.rglob("*.*") if path.is_file()} == {
        BUNDLES / "sources.json",
        *map(bundle_path, ASKED),
    }
    held = {path for inputs in SOURCES["bundles"].values() for path in inputs}
    assert {path for path in held if path.endswith(".js")} == FILES


@pytest.mark.parametrize("entry", sorted(ASKED))
def test_a_bundle_imports_nothing_and_exports_what_its_host_calls(entry):
    text = module_text(entry)
    assert not re.search(r"^import\b", text, re.M)
    exported = re.findall(r"\bexport ?\{([^}]*)\};$", text, re.M)
    if entry in SCRIPTS:
        assert exported == []
        assert re.match(r'//.*\n"use strict";\s*\(\(\) ?=> ?\{', text), "no name of it is the page's"
        return
    (names,) = exported
    assert CALLED.get(entry, " as default") in names
    assert ("createPlayer" in names) == (entry == PLAYER)


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_live_page_has_no_module_that_the_page_has(part):
    page = module_text("view/live/js/live.js")
    handed = set(re.findall(r'"([\w/]+\.js)":', page[page.rindex("globalThis.lrbnModules=") :]))
    taken = set(re.findall(r'globalThis\.lrbnModules\["([^"]+)"\]', module_text(part)))
    assert len(taken) > 5
    assert taken <= handed
    assert HELD in page
    assert HELD not in module_text(part)


RULE = re.compile(r"^\s*[.:#@*\[a-z][^{};=]*\{+\s*[a-z-]+: [^{}]*;[^{}]*\}", re.M)
"""A rule of a style sheet."""


def test_style_sheets_are_files_and_every_one_is_in_a_bundle():
    """Three rules may stand where they are used: those of a page before its script has run."""
    sources = [path for path in ROOT.rglob("*") if path.suffix in (".py", ".js")]
    many = {path.name for path in sources if len(RULE.findall(path.read_text(encoding="utf-8"))) > 3}
    assert many == set()
    sheets = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*/js/*.css")}
    assert all(len(RULE.findall((ROOT / path).read_text(encoding="utf-8"))) > 3 for path in sheets)
    assert sheets <= {path for inputs in SOURCES["bundles"].values() for path in inputs}
    assert len(sheets) > 20


def test_each_shared_constant_is_read_by_the_javascript():
    read = "".join((ROOT / path).read_text(encoding="utf-8") for path in FILES)
    shared = json.loads((ROOT / "io" / "constants.json").read_text(encoding="utf-8"))
    assert [name for name in shared if not re.search(rf"\b{name}\b", read)] == []
    assert len(shared) > 10


def test_a_file_without_a_bundle_is_named_with_the_command_that_builds_it():
    with pytest.raises(BundleError, match=r"the bundle of view/player/js/dom\.js\. Run npm run build"):
        module_text("view/player/js/dom.js")


def written(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text)
    return folder


def test_a_bundle_is_built_for_each_file_that_no_other_one_imports(tmp_path):
    package = written(
        tmp_path,
        entry='// A comment.\nimport {one} from "./held.js";\nexport default {one};\n',
        held="const n = 1;\nexport const one = () => n;\n",
        alone="const n = 2; // its own\nglobalThis.n = n;\n",
    )
    assert build_bundles(package) == (0, "")
    bundles = package / "bundles"
    assert {path.name for path in bundles.iterdir()} == {"entry.mjs", "alone.mjs", "sources.json"}
    known = json.loads((bundles / "sources.json").read_text())["bundles"]
    assert known == {"alone.js": ["alone.js"], "entry.js": ["entry.js", "held.js"]}
    text = (bundles / "entry.mjs").read_text()
    assert text.count("comment") == 0
    assert "var one = () => n;\n" in text
    assert "(() => {\n  var n = 2;" in (bundles / "alone.mjs").read_text()
    # a bundle that was edited, one that is missing, and one that nothing builds are told of
    (bundles / "entry.mjs").write_text(text + "\n")
    (bundles / "alone.mjs").rename(bundles / "other.mjs")
    rc, said = build_bundles(package, "--check")
    assert rc == 1
    assert said.splitlines()[1:] == [
        "alone.mjs: missing",
        "entry.mjs: not what its sources give",
        "other.mjs: nothing builds it",
    ]
    assert build_bundles(package) == (0, "")
    assert build_bundles(package, "--check") == (0, "")
    assert not (bundles / "other.mjs").exists()


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (
            {
                "a": 'import "./b.js";\n',
                "b": 'import {x} from "./c.js";\nx();\n',
                "c": 'import "./b.js";\nexport const x = () => 1;\n',
            },
            "in a circle: b.js > c.js > b.js",
        ),
        ({"a": 'import {x, y} from "./b.js";\nx(y);\n', "b": "export const x = 1;\n"}, '"y"'),
        ({"a": 'import {x} from "./b.js";\nx();\n'}, 'Could not resolve "./b.js"'),
        (
            {"a": 'import {x} from "../b.js";\nx();\n', "../b": "export const x = 1;\n"},
            "outside of the package",
        ),
    ],
    ids=["circle", "name", "file", "outside"],
)
def test_what_cannot_be_bundled_is_refused_in_words(tmp_path, files, says):
    folder = tmp_path / "package"
    folder.mkdir()
    rc, said = build_bundles(written(folder, **files))
    assert rc == 1
    assert says in said
    assert not (folder / "bundles").exists()
