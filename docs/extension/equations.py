r"""The paper's equations: as TeX, with the lines of code that state them, and back.

``{line}`lrbn_viz.lrbn.icm.conditional_log_odds` `` is a link to the line on which that function begins, in a
page of the site that shows the file. There `Equation: (10)` of a docstring links to the equation, and so it
does in the API reference.
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers.python import PythonLexer
from sphinx.application import Sphinx

from lrbn_viz.io.glossary import EQUATIONS, Equation

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "lrbn_viz"
MODEL_PAGE = "model"
STATED = re.compile(r"Equation: (\(\d+\)(?:(?:, | and )\(\d+\))*)")

# TeX commands for the letters and signs in the glossary's formulas.
SIGNS = {
    "Σ": r"\sum ", "Π": r"\prod ", "σ": r"\sigma", "π": r"\pi", "−": "-", "½": r"\tfrac{1}{2}", "‖": r"\|",
    "≥": r"\ge ", "≈": r"\approx ", "←": r"\leftarrow ", "…": r"\ldots", "|": r"\mid ", "~": r"\sim ",
    "*": "^{*}", "   ": r"\qquad ",
}  # fmt: skip
OPERATORS = {"log", "max", "min", "argmax", "softplus", "logit", "mean"}
WORDS = {"where", "others"}


def tex(formula: str) -> str:
    """Return a line of a formula of the glossary as TeX.

    Raises
    ------
    ValueError
        When it has a word or a sign that is not known.
    """

    def word(match: re.Match[str]) -> str:
        found = match[0]
        if found in OPERATORS:
            return rf"\operatorname{{{found}}}"
        if found in WORDS:
            return rf"\text{{ {found} }}" if found == "where" else rf"\text{{{found}}}"
        if len(found) == 1 or found in {"ij", "nv"}:
            return found
        raise ValueError(f"expected a variable or a known word, got {found!r} in {formula!r}")

    text = re.sub(r"[A-Za-z]+", word, formula)
    for sign, written in SIGNS.items():
        text = text.replace(sign, written)
    if not text.isascii():
        raise ValueError(f"expected signs of {''.join(SIGNS)}, got {formula!r}")
    return text


def numbers(text: str) -> list[str]:
    """Return the numbers of equations that a text names."""
    return re.findall(r"\d+", text)


def anchor(number: str) -> str:
    """Return the name of the place on the page of the model where an equation is."""
    return f"equation-{number}"


class Home(NamedTuple):
    """A function or class that states an equation.

    Attributes
    ----------
    name : str
        With its module.
    line : int
        On which it begins.
    numbers : list of str
        Of the equations.
    """

    name: str
    line: int
    numbers: list[str]


def _definitions(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """Yield the definitions of a module: dotted name, line, and docstring if it has one."""

    def within(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, int, str]]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                name = f"{prefix}{node.name}"
                yield name, node.lineno, ast.get_docstring(node) or ""
                yield from within(node.body, f"{name}.")

    yield from within(tree.body, "")


def path_of(module: str) -> Path:
    """Return the file of a module of the package."""
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def lines_of(module: str) -> dict[str, int]:
    """Return the line on which each function and class of a module begins."""
    tree = ast.parse(path_of(module).read_text(encoding="utf-8"))
    return {name: line for name, line, _ in _definitions(tree)}


@cache
def homes() -> tuple[Home, ...]:
    """Return all that states an equation in its docstring; the paper's model first."""
    rooms = ("lrbn_viz.lrbn.", "lrbn_viz.rivals.", "lrbn_viz.measure.")
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for name, line, docstring in _definitions(ast.parse(path.read_text(encoding="utf-8"))):
            if stated := [number for match in STATED.finditer(docstring) for number in numbers(match[1])]:
                found.append(Home(f"{module}.{name}", line, stated))
    return tuple(sorted(found, key=lambda home: not home.name.startswith(rooms)))


def written(equation: Equation) -> str:
    """Return an equation as Markdown: its places, its meaning, its formula, and the lines that state it."""
    own = [equation.key] if not equation.number[0].isdigit() or "," in equation.number else []
    stated = numbers(equation.number) if re.fullmatch(r"[\d, ]+", equation.number) else []
    places = dict.fromkeys([anchor(equation.key), *map(anchor, stated), *map(anchor, own)])
    title = f"Equation {equation.number}" if equation.number[0].isdigit() else equation.number
    lines = [f"({place})=" for place in places]
    lines += ["", f"**{title}.** {equation.what}.", "", "```{math}"]
    formulas = [tex(line) for line in equation.formula.split("\n")]
    if len(formulas) == 1:
        lines += formulas
    else:
        lines += [r"\begin{aligned}", r" \\ ".join(line.replace("=", "&=", 1) for line in formulas)]
        lines += [r"\end{aligned}"]
    lines += ["```", ""]
    if code := [home.name for home in homes() if set(home.numbers) & set(stated)]:
        lines += ["In code: " + ", ".join(f"{{line}}`{name}`" for name in code) + ".", ""]
    return "\n".join(lines)


def written_all(keys: list[str]) -> str:
    """Return equations as Markdown, by their keys."""
    return "\n".join(written(EQUATIONS[key]) for key in keys)


# -- pages that show a file of the package


def source_page(module: str) -> str:
    """Return the name of the page that shows a module."""
    return f"source/{module.replace('.', '/')}"


def split_name(name: str) -> tuple[str, str]:
    """Return module and the rest of a dotted name of the package.

    Raises
    ------
    ValueError
        When there is nothing of that name.
    """
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        module = ".".join(parts[:end])
        if path_of(module).exists():
            rest = ".".join(parts[end:])
            if rest and rest not in lines_of(module):
                break
            return module, rest
    raise ValueError(f"expected a module, function or class of the package, got {name!r}")


def address(app: Sphinx, page: str, name: str, line: int | None = None) -> str:
    """Return the address of a line, seen from a page, and have its file shown."""
    module, rest = split_name(name) if line is None else (name, "")
    vars(app.env).setdefault("lrbn_sources", set()).add(module)  # Sphinx keeps what is put there
    line = lines_of(module)[rest] if rest else line
    relative = app.builder.get_relative_uri(page, source_page(module))
    return relative + (f"#L-{line}" if line else "")


def line_role(
    name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = ()
) -> tuple[list[nodes.Node], list[nodes.system_message]]:
    """Return a link to the line on which a function begins."""
    app = inliner.document.settings.env.app
    try:
        target = address(app, app.env.docname, text)
    except ValueError as error:
        return [], [inliner.reporter.error(str(error), line=lineno)]
    shown = text.removeprefix("lrbn_viz.")
    return [nodes.reference("", "", nodes.literal(text=shown), refuri=target, internal=True)], []


def linkcode_resolve(app: Sphinx, domain: str, info: dict[str, str]) -> str | None:
    """Return the address of the line on which an object of the API begins; None for what has none."""
    import importlib
    import inspect

    if domain != "py" or not info["module"]:
        return None
    found: Any = importlib.import_module(info["module"])
    for part in info["fullname"].split("."):
        found = getattr(found, part, None)
    found = inspect.unwrap(getattr(found, "py_func", found))
    found = getattr(found, "fget", found)
    try:
        path = Path(inspect.getsourcefile(found) or "").resolve()
        line = inspect.getsourcelines(found)[1]
    except (TypeError, OSError):
        return None
    if not path.is_relative_to(PACKAGE):
        return None
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    return address(app, app.env.docname, module, line)


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the pages of files that a link leads to."""
    formatter = HtmlFormatter(linespans="L", cssclass="highlight")
    for module in sorted(getattr(app.env, "lrbn_sources", ())):
        path = path_of(module)
        page = source_page(module)
        shown = highlight(path.read_text(encoding="utf-8"), PythonLexer(), formatter)
        model = app.builder.get_relative_uri(page, MODEL_PAGE)

        def linked(match: re.Match[str], model: str = model) -> str:
            return re.sub(r"\((\d+)\)", rf'<a href="{model}#{anchor("")}\1">(\1)</a>', match[0])

        name = html.escape(path.relative_to(ROOT).as_posix())
        body = f"<h1>{name}</h1>\n{STATED.sub(linked, shown)}"
        yield page, {"title": name, "body": body, "parents": []}, "page.html"


@cache
def _modules_with(name: str) -> tuple[str, ...]:
    """Return the modules of the package that define a function or class."""
    word = re.compile(rf"^ *(?:class|def) {re.escape(name.rpartition('.')[2])}\b", re.MULTILINE)
    modules = (
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(PACKAGE.rglob("*.py"))
        if word.search(path.read_text(encoding="utf-8"))
    )
    return tuple(module for module in modules if name in lines_of(module))


def lead_to_its_line(
    app: Sphinx, env: Any, node: nodes.Element, content: nodes.TextElement
) -> nodes.reference | None:
    """Resolve what a docstring names and the API reference leaves out: it leads to the line of code."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"]
    found = [name] if name.startswith("lrbn_viz.") else [f"{one}.{name}" for one in _modules_with(name)]
    if len(found) != 1:
        return None
    try:
        target = address(app, node["refdoc"], found[0])
    except ValueError:
        return None
    return nodes.reference("", "", content, refuri=target, internal=True)


def tidy_docstring(
    app: Sphinx, what: str, name: str, found: object, options: object, lines: list[str]
) -> None:
    """Make a link of `Equation: (10)`, and none of names such as n_latents_. Modified: `lines`."""
    for at, line in enumerate(lines):
        parts = re.split(r"(`+[^`]*`+_?)", line)  # code, which stays as it is, is at odd places
        parts[::2] = [re.sub(r"(\w)_(?!\w)", r"\1\\_", part) for part in parts[::2]]
        lines[at] = STATED.sub(
            lambda match: re.sub(r"\((\d+)\)", rf":ref:`(\1) <{anchor('')}\1>`", match[0]), "".join(parts)
        )


def leave_out(app: Sphinx, what: str, name: str, found: Any, skip: bool, options: object) -> bool | None:
    """Leave out what estimators inherit from scikit-learn, whose own pages describe it."""
    return True if str(getattr(found, "__module__", "")).startswith("sklearn.") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the role, the pages of files and what links docstrings."""
    app.add_role("line", line_role)
    app.connect("html-collect-pages", source_pages)
    app.connect("autodoc-process-docstring", tidy_docstring)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("missing-reference", lead_to_its_line)
    app.connect(
        "config-inited",
        lambda app, config: setattr(
            config, "linkcode_resolve", lambda domain, info: linkcode_resolve(app, domain, info)
        ),
    )
    return {"parallel_read_safe": False, "parallel_write_safe": True}
