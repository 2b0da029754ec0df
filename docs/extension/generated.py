"""Text that has one source elsewhere: ``<!-- generated: NAME WORDS -->`` on a line of a page gives its place.

So the glossary's terms stand in `glossary.json` only, the options of the command line in its parser, and the
lessons in their own files.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

import nbformat
import yaml
from sphinx.application import Sphinx

from lrbn_viz.io.glossary import EQUATIONS, TERMS
from lrbn_viz.notebook import stand_alone

from .equations import PACKAGE, ROOT, anchor, written_all
from .executed import executed

PLACE = re.compile(r"^<!-- generated: (\w+) ?([^>]*?) ?-->$", re.MULTILINE)
GLOSSARY = PACKAGE / "io" / "glossary.json"
LESSONS = PACKAGE / "view" / "lessons"
NOTEBOOKS = ROOT / "notebooks"
CITATION = ROOT / "CITATION.cff"
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
LIVE_PAGE = "live-page.html"
LIVE_SITE = "live-site"
MADE_OF = {".py", ".js", ".json", ".npz", ".md"}
"""Suffixes of what live pages are made of."""
UNFOLD = "Predict, then see the answer"


def equation_name(key: str) -> str:
    """Return the name of an equation, as in the explorer."""
    number = EQUATIONS[key].number
    return f"equation {number}" if number[0].isdigit() else number


def glossary(words: list[str]) -> str:
    """Return every term that has a definition on the pages, with its meaning and its equation."""
    entries = []
    for key, term in sorted(TERMS.items(), key=lambda each: each[1].name.lower()):
        said = f"{term.name}\n: {term.text}"
        if term.equation:
            said += f"\n  Said exactly by [{equation_name(term.equation)}](#{anchor(term.equation)})."
        entries.append(f"(term-{key})=\n{said}")
    return "\n\n".join(entries)


def equations(words: list[str]) -> str:
    """Return the equations of these keys."""
    return written_all(words)


def lessons(words: list[str]) -> str:
    """Return the texts and questions of each lesson, without their answers."""
    from lrbn_viz.view.lessons import shipped_lessons
    from lrbn_viz.view.lessons.markup import Tree, to_html

    def raw(tree: Tree) -> list[str]:
        return ["```{raw} html", to_html(tree, term=lambda key: f"glossary.html#term-{key}"), "```", ""]

    parts = []
    for lesson in shipped_lessons():
        parts += [f"## {lesson.title}", "", f"{lesson.minutes} minutes. {lesson.summary}", ""]
        link = f'<p><a href="{LIVE_PAGE}#lesson={lesson.id}">Take this lesson here, in a live page</a></p>'
        parts += ["```{raw} html", link, "```", ""]
        parts += raw(lesson.opening)
        for number, step in enumerate(lesson.steps, 1):
            parts += [f"### {step.title}", "", *raw(step.text)]
            if step.do:
                parts += raw([["p", ["strong", "Do: "], *step.do]])
            if step.question:
                asked = to_html(step.question)
                choices = "".join(f"<li>{to_html(option.text)}</li>" for option in step.options)
                parts += ["```{raw} html", f"<p><b>{asked}</b></p><ul>{choices}</ul>", "```", ""]
            parts += [f"In the explorer: `?lesson={lesson.id}&step={number}`", ""]
    return "\n".join(parts)


def lesson_table(words: list[str]) -> str:
    """Return a row for each lesson: its minutes, its steps, and its conclusion."""
    from lrbn_viz.view.lessons import shipped_lessons
    from lrbn_viz.view.lessons.markup import to_text

    rows = ["| lesson | minutes | steps | take home |", "| --- | ---: | ---: | --- |"]
    for lesson in shipped_lessons():
        kept = " ".join(to_text(lesson.take_home).split()).replace("|", "\\|")
        rows.append(f"| {lesson.title} | {lesson.minutes} | {len(lesson.steps)} | {kept} |")
    return "\n".join(rows)


def notebooks(words: list[str]) -> str:
    """Return the notebooks with the question that each asks."""
    items = []
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        first = nbformat.read(path, 4).cells[0].source
        title = first.splitlines()[0].lstrip("# ")
        question = re.search(r"\*\*(.+?\?)\*\*", first, re.DOTALL)
        items.append(f"- [{title}](notebooks/{path.name}). {question[1] if question else ''}")
    return "\n".join(items)


def commands(words: list[str]) -> str:
    """Return the help of each subcommand, as the command prints it."""
    from lrbn_viz.cli import build_parser

    def printed(name: str) -> str:
        text = io.StringIO()
        width = {"COLUMNS": "100"}  # as wide as a page
        shown = contextlib.redirect_stdout(text)
        with mock.patch.dict(os.environ, width), shown, contextlib.suppress(SystemExit):
            build_parser().parse_args([name, "--help"])
        return text.getvalue().strip()

    names = re.findall(r"^    (\w+)\b", build_parser().format_help(), re.MULTILINE)
    return "\n\n".join(f"## `lrbn-viz {name}`\n\n```text\n{printed(name)}\n```" for name in names)


def limits(words: list[str]) -> str:
    """Return a row for each limit of a visitor: its name, its default value, its meaning, and advice."""
    from lrbn_viz.app.visitors.limits import Limits, limit_rows

    rows = ["| limit | at most | of | when it is reached |", "| --- | ---: | --- | --- |"]
    rows += [f"| `{row.name}` | {row.value} | {row.what} | {row.advice} |" for row in limit_rows(Limits())]
    return "\n".join(rows)


def citation(words: list[str]) -> str:
    """Return the citation of the software and the paper, as text and as BibTeX."""
    said = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    paper, *_ = said["references"]
    authors = " and ".join(f"{each['family-names']}, {each['given-names']}" for each in paper["authors"])
    software = ", ".join(each["name"] for each in said["authors"])
    return "\n".join(
        [
            f"- The software: {software}, *{said['title']}*, version {said['version']}.",
            f"- The paper whose model it explores: {authors}, *{paper['title']}*.",
            "",
            "```text",
            f"@software{{{said['title']},\n  author = {{{software}}},\n  title = {{{said['title']}}},",
            f"  version = {{{said['version']}}},\n  license = {{{said['license']}}}\n}}",
            "",
            f"@article{{lrbn,\n  author = {{{authors}}},\n  title = {{{paper['title']}}}\n}}",
            "```",
        ]
    )


def contributing(words: list[str]) -> str:
    """Return the page for contributors, as a section: of its links those that stay are into these pages."""
    _, text = CONTRIBUTING.read_text(encoding="utf-8").split("\n", 1)
    text = re.sub(r"^##", "###", text, flags=re.MULTILINE)
    text = re.sub(r"\]\(docs/", "](../", text)
    return re.sub(r"\[([^\]]+)\]\((?!https:|\.\./)[^)]+\)", r"`\1`", text)


GENERATED: dict[str, tuple[Callable[[list[str]], str], Path]] = {
    "glossary": (glossary, GLOSSARY),
    "equations": (equations, GLOSSARY),
    "lessons": (lessons, LESSONS),
    "lesson_table": (lesson_table, LESSONS),
    "notebooks": (notebooks, NOTEBOOKS),
    "commands": (commands, PACKAGE / "cli.py"),
    "limits": (limits, PACKAGE / "app" / "visitors" / "limits.py"),
    "citation": (citation, CITATION),
    "contributing": (contributing, CONTRIBUTING),
}
"""The function that makes each text, and the file or folder that it reads."""


def filled(text: str) -> str:
    """Return a page with its generated texts in place."""
    return PLACE.sub(lambda place: GENERATED[place[1]][0](place[2].split()), text)


def fill(app: Sphinx, docname: str, content: list[str]) -> None:
    """Replace what stands for generated text. Modified: `content`."""
    for place in PLACE.finditer(content[0]):
        source = GENERATED[place[1]][1]
        for path in sorted(source.glob("*")) if source.is_dir() else [source]:
            app.env.note_dependency(str(path))
    content[0] = filled(content[0])


def copy_notebooks(app: Sphinx) -> None:
    """Put the notebooks, with outputs, where Sphinx reads them; what they link to is nearer there.

    Their players and predictions need no kernel. Cells that reveal the answer of a prediction are collapsed.
    """
    folder = Path(app.srcdir) / "notebooks"
    folder.mkdir(exist_ok=True)
    sources = {path.name: path for path in NOTEBOOKS.glob("*.ipynb")}
    for old in folder.glob("*.ipynb"):
        if old.name not in sources:
            old.unlink()
    with ThreadPoolExecutor(2) as threads:
        run = list(threads.map(executed, sources.values()))
    for notebook, name in zip(run, sources, strict=True):
        copy = folder / name
        if copy.exists() and nbformat.read(copy, 4).metadata.get("made_of") == notebook.metadata["made_of"]:
            continue  # else it is read again
        notebook, _ = stand_alone(notebook)
        for cell in notebook.cells:
            if cell.cell_type == "code" and ".reveal(" in cell.source:
                cell.metadata |= {"tags": ["hide-output"], "mystnb": {"code_prompt_show": UNFOLD}}
        text = nbformat.writes(notebook).replace("](../docs/", "](../")
        copy.write_text(text, encoding="utf-8")


def write_live_page(app: Sphinx) -> None:
    """Write the live page in which lessons are taken, where the package has changed.

    One file, which opens from a disk, too; and a static site, which is shown where these pages are served.
    """
    from lrbn_viz.view.live.page import export_live
    from lrbn_viz.view.live.site import PAGE, export_site

    page = Path(app.doctreedir).parent / "extra" / LIVE_PAGE
    page.parent.mkdir(parents=True, exist_ok=True)
    changed = max(path.stat().st_mtime for path in PACKAGE.rglob("*") if path.suffix in MADE_OF)
    if not page.exists() or page.stat().st_mtime < changed:
        export_live(page)
    site = page.with_name(LIVE_SITE)
    if not (site / PAGE).exists() or (site / PAGE).stat().st_mtime < changed:
        export_site(site)
    app.config.html_extra_path = [*app.config.html_extra_path, str(page.parent)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what fills pages, and what writes the live page."""
    app.connect("source-read", fill)
    app.connect("builder-inited", copy_notebooks)
    app.connect("builder-inited", write_live_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
