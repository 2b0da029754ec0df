"""The components' JavaScript: ES modules, joined into the text of one module that imports nothing.

A component names the file that it begins with; the files themselves say what they import. Each file becomes
a function that returns what it exports, so that two files may use one name for different things. Panel,
notebooks and exported pages get the same text. There is no build step: Node and the type checker read the
files as they are.

A file writes its imports and exports, each at the beginning of a line, in one of these forms, which can be
found without parsing the language: ``import {a, b as c} from "./x.js";``, ``import "./x.js";``,
``import * as a from "./x.js";``,
``import a from "./x.json" with {type: "json"};``, ``export`` before ``function``, ``class`` or ``const``,
``export {a, b as c};`` and ``export default``.
"""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""The folder to which paths are relative: that of the package."""

PLAYER = "view/player/js/adapters.js"
"""The trace player of notebooks and exported pages."""

_IMPORT = re.compile(
    r'import (?:(?:(\{[^}]*\})|\* as (\w+)|(\w+)) from )?"([^"\n]+)"( with \{type: "json"\})?;$', re.M
)
_DECLARED = re.compile(r"export (?=(?:async )?(?:function\*?|class|const) (\w+))")
_LISTED = re.compile(r"export (\{[^}]*\});$", re.M)
_DEFAULT = re.compile(r"export default (?!function|class|async)")
_STATEMENT = re.compile(r"^(?:import|export)\b", re.M)
_VIEW = re.compile(r'^registerView\((?:"(\w+)", "([^"\n]+)", )?', re.M)
# Comments, on lines of their own and behind code, and types within a line: nobody reads them in the joined
# text. One with a quote stays: whether it stands within a string would have to be known.
_COMMENT = re.compile(
    r"^[ \t]*//.*\n|^[ \t]*/\*\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n|/\*\* @type (?:(?!\*/).)*\*/ ?"
    r"|(?<=[;,{}()\[\]]) +// [^\n\"'`]*$",
    re.M,
)


class ModuleError(ValueError):
    """Error for modules that cannot be joined: the message names the file, what was expected and what was
    found.
    """


@dataclass(frozen=True)
class _Module:
    path: str
    body: str
    imports: tuple[tuple[str, str, str], ...]  # path, pattern on the left of =, names taken (blank for all)
    exports: dict[str, str]  # exported name -> name inside


@cache
def module_text(entry: str) -> str:
    """Join a file and all its imports into the text of one ES module, with the exports of that file.

    Parameters
    ----------
    entry : str
        Path of the file within the package, such as ``"view/player/js/adapters.js"``.

    Raises
    ------
    ModuleError
        For an import of a file that is not there, is outside of the package, or imports this one, directly or
        not; for a name that the other file does not export; and for another form of import or export.
    """
    modules = _in_order(entry)
    number = {module.path: f"$m{n}" for n, module in enumerate(modules)}
    parts = []
    for module in modules:
        taken = "".join(f"const {left} = {number[path]};\n" for path, left, _ in module.imports if left)
        given = ", ".join(
            name if name == inner else f"{name}: {inner}" for name, inner in module.exports.items()
        )
        parts.append(
            f"const {number[module.path]} = (() => {{\n{taken}{module.body}\nreturn {{{given}}};\n}})();\n"
        )
    last, exports = number[entry], modules[-1].exports
    names = ", ".join(name for name in exports if name != "default")
    if names:
        parts.append(f"export const {{{names}}} = {last};\n")
    if "default" in exports:
        parts.append(f"export default {last}.default;\n")
    return "".join(parts)


@cache
def views() -> dict[str, str]:
    """Return the player's views: their titles by name, in their order on the page.

    Each view's file says both where it registers the view.

    Raises
    ------
    ModuleError
        For a view whose name and title cannot be read there, and for two of one name.
    """
    found: dict[str, str] = {}
    for module in _in_order(PLAYER):
        for name, title in _VIEW.findall(module.body):
            if not name or name in found:
                raise ModuleError(
                    f"{module.path} registers {f'a second view {name!r}' if name else 'a view'}; "
                    'expected registerView("name", "Title", ...) on one line, with a name of its own.'
                )
            found[name] = title
    return found


def _in_order(entry: str) -> list[_Module]:
    """Read a file and all its imports, each once, and after its own imports."""
    done: dict[str, _Module] = {}
    above: list[str] = []

    def visit(path: str, asker: str) -> None:
        if path in done:
            return
        if path in above:
            raise ModuleError(
                f"modules import each other in a circle: {' > '.join([*above[above.index(path) :], path])}. "
                "Move what both need into a file of its own."
            )
        above.append(path)
        module = _read(path, asker)
        for other, _, _ in module.imports:
            visit(other, path)
        for other, _, names in module.imports:
            for name in names.split():
                if name not in done[other].exports:
                    known = ", ".join(done[other].exports) or "nothing"
                    raise ModuleError(f"{path} imports {name} from {other}, which exports {known}.")
        done[path] = module
        above.pop()

    visit(entry, "a component")
    return list(done.values())


def _read(path: str, asker: str) -> _Module:
    if path.startswith("../"):
        raise ModuleError(f"{asker} imports {path}, which is outside of the package.")
    try:
        text = (ROOT / path).read_text(encoding="utf-8")
    except OSError as error:
        raise ModuleError(f"{asker} imports {path}, which cannot be read ({error}).") from error
    if path.endswith(".json"):
        return _Module(path, f"const $default = {json.dumps(json.loads(text))};", (), {"default": "$default"})
    text = _COMMENT.sub("", text)
    imports: list[tuple[str, str, str]] = []
    exports: dict[str, str] = {}
    body: list[str] = []
    at = 0
    for found in _STATEMENT.finditer(text):
        begin = found.start()
        body.append(text[at:begin])
        if match := _IMPORT.match(text, begin):
            imports.append(_import(path, match))
        elif match := _DECLARED.match(text, begin):
            exports[match[1]] = match[1]
        elif match := _LISTED.match(text, begin):
            exports.update((outer, inner) for inner, outer in _pairs(match[1]))
        elif match := _DEFAULT.match(text, begin):
            body.append("const $default = ")
            exports["default"] = "$default"
        else:
            line = text[begin:].partition("\n")[0]
            raise ModuleError(
                f"{path} says {line!r}; expected an import or export as {__name__} describes them."
            )
        at = match.end()
    body.append(text[at:])
    return _Module(path, re.sub(r"\s*\n\s*", "\n", "".join(body)).strip(), tuple(imports), exports)


def _import(path: str, match: re.Match[str]) -> tuple[str, str, str]:
    listed, everything, default, other, typed = match.groups()
    if not other.startswith("./") and not other.startswith("../"):
        raise ModuleError(f"{path} imports {other!r}; expected a path such as './decode.js'.")
    if other.endswith(".json") != bool(typed):
        raise ModuleError(
            f'{path} imports {other}; a .json file, and no other, needs: with {{type: "json"}}.'
        )
    found = posixpath.normpath(posixpath.join(posixpath.dirname(path), other))
    if listed:
        pairs = _pairs(listed)
        names = ", ".join(outer if outer == inner else f"{outer}: {inner}" for outer, inner in pairs)
        return found, f"{{{names}}}", " ".join(outer for outer, _ in pairs)
    return found, everything or (f"{{default: {default}}}" if default else ""), "default" if default else ""


def _pairs(listed: str) -> list[tuple[str, str]]:
    """Split the names in braces into pairs: the one before ``as`` and the one after it."""
    words = [part.split() for part in listed.strip("{}").split(",") if part.strip()]
    return [(word[0], word[-1]) for word in words]
