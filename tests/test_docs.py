"""What the documentation says is true: snippets run, commands are taken, equations and terms are there."""

from __future__ import annotations

import inspect
import posixpath
import re
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import core_install
import doc_blocks
import doc_commands
import pytest
from covering import slow_but
from doc_blocks import (
    DOCS,
    PAGES,
    README,
    ROOT,
    SNIPPETS,
    TUTORIALS,
    blocks,
    commands,
    run_one_after_the_other,
)
from PIL import Image

import lrbn_viz
from lrbn_viz import cli
from lrbn_viz.io.glossary import EQUATIONS, TERMS

OTHERS = [page for page in SNIPPETS if page not in TUTORIALS]


@pytest.mark.parametrize("page", slow_but(set(OTHERS) - {"cluster.md"}, OTHERS))
def test_the_snippets_of_a_page_run_one_after_the_other(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_one_after_the_other(page)


def test_a_page_that_fails_is_named_and_the_others_are_run_all_the_same(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    run = "from pathlib import Path; assert not list(Path().iterdir()); Path('made').touch()"
    pages = {"first.md": [run, "1 / 0"], "second.md": [run, "assert Path('made').exists()"]}
    monkeypatch.setattr("doc_blocks.SNIPPETS", pages)
    assert doc_blocks.main([]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-1] == "1 pages ran FAILED: first.md"
    assert 'File "first.md, snippet 2", line 1' in said.err
    assert doc_blocks.main(["second.md"]) == 0
    with pytest.raises(SystemExit, match="expected an installed package, got that of the checkout"):
        doc_blocks.main(["--installed", "second.md"])
    assert list(tmp_path.iterdir()) == [], "each page has a folder of its own"


def test_tutorials_followed_literally_print_and_draw_what_they_show(tmp_path):
    """In a process that has nothing but the package, each in an empty folder."""
    assert len(TUTORIALS) >= 2
    for page in TUTORIALS:
        assert doc_blocks.SHOWN.findall(PAGES[page]), f"{page} shows no picture"
    program = ROOT / "tests" / "doc_blocks.py"
    command = [sys.executable, str(program), *TUTORIALS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == f"{len(TUTORIALS)} pages ran"


def test_what_differs_from_a_tutorial_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("doc_blocks.DOCS", tmp_path / "docs")
    (tmp_path / "docs" / "tutorials").mkdir(parents=True)
    made = tmp_path / "made"
    made.mkdir()
    text = "```python\nprint(1)\n```\n\n```text\n1\n```\n\n```python\nx = 2\n```\n\n```text\nhttps\n```\n"
    text = text.replace("\n```text\nhttps", "\nWords.\n\n```text\nhttps")  # of no block
    names = ("same", "other", "larger", "missing")
    text += "".join(f"```{{image}} pictures/{name}.png\n```\n" for name in names)

    def draw(folder, name, level, size=10):
        folder.mkdir(exist_ok=True)
        Image.new("L", (size, size), level).save(folder / f"{name}.png")

    shown = tmp_path / "docs" / "tutorials" / "pictures"
    for name in names:
        draw(shown, name, 100)
    draw(made, "same", 101)  # rounding
    draw(made, "other", 110)
    draw(made, "larger", 100, 11)
    draw(made, "unseen", 100)
    assert doc_blocks.differences("tutorials/a.md", text, ["1\n", "3\n"], made) == [
        "block 2 printed '3\\n', and the page says ''",
        "missing.png is shown, and no block draws it",
        "unseen.png is drawn, and not shown",
        "larger.png is not as it is shown",
        "other.png is not as it is shown",
    ]


def toctree(page: str) -> list[str]:
    """Return the pages that a page has in its toctrees, by their paths below docs; without patterns."""
    listed = re.findall(r"^```{toctree}\n(.*?)^```$", PAGES[page], re.MULTILINE | re.DOTALL)
    rows = [row for each in listed for row in each.splitlines() if row and row[0] != ":" and "*" not in row]
    return [posixpath.normpath(posixpath.join(posixpath.dirname(page), row)) for row in rows]


SECTIONS = ["Start", "Tutorials", "How-tos", "Explanation", "Reference", "Project"]


def test_each_page_is_in_one_section_and_none_is_an_orphan():
    sections = [f"{name}.md" for name in toctree("index.md")]
    assert [PAGES[page].splitlines()[0] for page in sections] == [f"# {name}" for name in SECTIONS]
    listed = [name for page in sections for name in toctree(page)]
    assert sorted({*listed}) == sorted(listed), "a page is in two sections"
    below = {f"{name}.md" for name in listed if name != "api/index"}  # which is no Markdown
    assert below | {*sections, "index.md"} == set(PAGES)
    assert [page for page in PAGES if "orphan: true" in PAGES[page]] == []


def test_tutorials_and_how_tos_are_in_the_sections_of_their_folders():
    for folder in ("tutorials", "howto"):
        own = {page.removesuffix(".md") for page in PAGES if page.startswith(f"{folder}/")}
        assert own == {name for name in toctree(f"{folder}/index.md") if name.startswith(folder)} | {
            f"{folder}/index"
        }


def test_the_nightly_runs_the_snippets_with_a_wheel_outside_the_checkout():
    nightly = (ROOT / ".ci" / "nightly").read_text(encoding="utf-8")
    ((name, body),) = re.findall(r"^(\w+)\(\) \{ # every block of Python.*?\n(.*?)^\}", nightly, re.M | re.S)
    assert re.search(rf'^step "[^"]+" {name}$', nightly, re.M)
    assert "pip wheel" in body
    assert 'env -u PYTHONPATH -C "$scratch' in body
    assert "doc_blocks.py" in body
    assert "doc_commands.py" in body
    assert "--installed" in body


def test_the_gate_follows_readme_start_and_a_tutorial_with_an_installed_package():
    gate = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert 'step "core" python -m tests.core_install --check "$scratch"/dist/*.whl\n' in gate
    assert {*core_install.TUTORIALS} <= {*TUTORIALS}
    assert {"README.md", "start.md"} <= {*core_install.BLOCK_PAGES, *core_install.COMMAND_PAGES}
    body = inspect.getsource(core_install.measure)
    assert body.count('"--installed"') == 2
    for pages in ("*COMMAND_PAGES", "*BLOCK_PAGES", "*TUTORIALS"):
        assert pages in body


def test_each_documented_command_is_run_or_the_reason_is_said():
    said = doc_commands.documented([])
    assert len(said) > 25
    left_out = {command: doc_commands.reason(command) for command in said}
    assert sum(not why for why in left_out.values()) > 15
    for beginning in (*doc_commands.NOT_RUN, *doc_commands.RUN):
        assert any(f"{command} ".startswith(beginning) for command in said), f"no page has it: {beginning}"
    assert doc_commands.reason("lrbn-viz reproduce mnist") == "takes hours; `--quick --seconds 1` is run"
    assert doc_commands.reason("lrbn-viz reproduce mnist --quick --seconds 1") == ""


@pytest.mark.slow
def test_a_documented_command_that_fails_and_a_server_that_does_not_answer_are_named(monkeypatch, capsys):
    shell = "```sh\nlrbn-viz lessons list\nlrbn-viz animate none --out x.png\n```\n"
    pages = {"a.md": f"{shell}`lrbn-viz serve --auth x`"}
    monkeypatch.setattr("doc_commands.PAGES", pages)
    assert doc_commands.main(["a.md"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "FAILED: lrbn-viz animate none --out x.png, lrbn-viz serve --auth x"
    assert any(line.startswith("-- lrbn-viz lessons list: ") for line in said)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_is_one_that_is_taken(page):
    for line in commands(PAGES[page]):
        for command in line.split(" && "):
            words = command.split()
            if words[0] == "lrbn-viz":
                if set(words[1:]) & {"COMMAND", "--help"}:
                    continue
                cli.build_parser().parse_args([word.strip('"') for word in words[1:]])
            elif words[0] == "python":
                named = words[1] if words[1] != "-m" else words[2].replace(".", "/")
                files = (named, f"{named}.py", f"{named}/__main__.py")
                assert any((ROOT / file).is_file() for file in files), command
            elif words[0] == "jupyter":
                ((module, name),) = re.findall(r"preprocessors=([\w.]+)\.(\w+)", command)
                assert callable(getattr(import_module(module), name))
            elif words[0] == "pytest":
                files = [word for word in words[1:] if word.startswith("tests")]
                assert [file for file in files if not (ROOT / file).exists()] == []
            else:
                here = r"pip install -e |panel serve apps/explorer\.py|npm ci$|cd tests$"
                release = r"git (tag|push) |twine upload dist/|podman build |rattler-build build "
                is_script = command.startswith(".ci/") and (ROOT / command).is_file()
                assert is_script or re.match(f"{here}|{release}", command), (
                    f"say in this test how to check it: {command}"
                )


def test_every_command_is_named_on_some_page_that_says_what_it_is_for():
    said = " ".join([README, *PAGES.values()])
    named = set(re.findall(r"\blrbn-viz (\w+)", said))
    known = set(re.findall(r"^    (\w+)\b", cli.build_parser().format_help(), re.MULTILINE))
    assert len(known) > 6
    assert known - {"version"} <= named


@pytest.mark.parametrize("page", PAGES)
def test_every_address_of_a_page_is_well_formed_and_secure(page):
    for address in re.findall(r"https?://[^\s)>\]\"'`]+", PAGES[page]):
        parts = urlsplit(address)
        if parts.hostname == "localhost":
            continue
        assert parts.scheme == "https", address
        assert re.fullmatch(r"[\w-]+(\.[\w-]+)+", parts.netloc), address


def test_every_picture_of_the_tour_is_one_that_the_command_makes_and_is_small_enough_to_load():
    script = (ROOT / "tests" / "bench" / "screenshots.py").read_text(encoding="utf-8")
    made = set(re.findall(r'^    "([\w/]+\.png)": \("', script, re.MULTILINE))
    shown = set(re.findall(r"^```{image} (\S+)$", PAGES["tour.md"], re.MULTILINE))
    assert shown == made
    for path in shown:
        assert 10_000 < (DOCS / path).stat().st_size < 150_000, path


MAKERS = {
    "explaining-away.webp": "tests/bench/screenshots.py",
    "load/curves.svg": "tests/bench/soak_page.py",
    "reproduction/mnist/figures/systems.svg": "lrbn_viz/studies/reproduce/report.py",
}
"""Pictures of pages, and the programs that draw them; the tour and tutorials have tests of their own."""


def test_every_picture_of_a_page_is_made_by_a_script():
    picture = re.compile(r"^```{(?:image|figure)} (\S+)$|!\[[^\]]*\]\(([^)]+)\)", re.MULTILINE)
    others = PAGES.keys() - {"tour.md", *TUTORIALS}
    assert {"".join(path) for page in others for path in picture.findall(PAGES[page])} == set(MAKERS)
    for path, program in MAKERS.items():
        assert Path(path).name in (ROOT / program).read_text(encoding="utf-8")
        assert (DOCS / path).is_file()


def test_the_first_page_has_the_readmes_commands_and_an_example():
    start = PAGES["start.md"]
    assert blocks(start, "sh") == blocks(README, "sh")
    assert blocks(start, "python")


def test_every_public_name_is_in_the_reference():
    reference = (DOCS / "api" / "index.rst").read_text(encoding="utf-8")
    from lrbn_viz import chunks, cluster, measure, notebook, plots

    listed = set(re.findall(r"^   (\w+)$", reference, re.MULTILINE))
    rooms = (lrbn_viz, measure, plots, notebook, chunks, cluster)
    assert listed == {name for room in rooms for name in room.__all__}


def test_what_is_missing_to_build_is_said_and_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "myst_nb", None)  # as if it were not installed
    assert cli.main(["docs", "--no-show", "--strict"]) == 1
    said = capsys.readouterr().err
    assert "MyST-NB" in said
    assert 'pip install -e ".[docs]"' in said


@pytest.fixture
def checkout(tmp_path, monkeypatch) -> Path:
    """The documentation of a small checkout, and what was opened in a browser."""
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "lrbn_viz" / "cli.py"))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "conf.py").write_text('project = "small"\n', encoding="utf-8")
    return tmp_path / "docs"


@pytest.fixture
def opened(monkeypatch) -> list[str]:
    addresses: list[str] = []
    monkeypatch.setattr("webbrowser.open", addresses.append)
    return addresses


@pytest.mark.slow
def test_the_documentation_is_built_and_opened_and_fails_where_a_page_is_wrong(checkout, opened, capfd):
    pytest.importorskip("sphinx")
    pytest.importorskip("pydata_sphinx_theme")
    page = checkout / "index.rst"
    page.write_text("Small\n=====\n\nWords.\n", encoding="utf-8")
    assert cli.main(["docs"]) == 0
    site = checkout / "_build" / "html" / "index.html"
    assert "Words." in site.read_text(encoding="utf-8")
    assert opened == [site.as_uri()]
    page.write_text("Small\n=====\n\n:doc:`nowhere`\n", encoding="utf-8")
    assert cli.main(["docs", "--strict"]) == 1
    said = capfd.readouterr().err
    assert "nowhere" in said
    assert "was not built" in said
    assert len(opened) == 1


def test_without_sphinx_what_was_built_before_is_opened(checkout, opened, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sphinx", None)
    assert cli.main(["docs"]) == 1
    assert 'pip install -e ".[docs]"' in capsys.readouterr().err
    site = checkout / "_build" / "html" / "index.html"
    site.parent.mkdir(parents=True)
    site.write_text("built", encoding="utf-8")
    assert cli.main(["docs"]) == 0
    assert "built before" in capsys.readouterr().out
    assert opened == [site.as_uri()]


def test_an_install_without_the_pages_says_where_they_are(checkout, opened, capsys):
    (checkout / "conf.py").unlink()
    assert cli.main(["docs"]) == 1
    said = capsys.readouterr().err
    assert all(
        words in said for words in ("folder docs of a checkout", "source distribution", "docs/index.md")
    )
    assert opened == []


# -- what pages are filled with


@pytest.fixture
def extension(monkeypatch):
    """The pages' own extension, where what it needs is installed."""
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(DOCS))
    import extension.equations
    import extension.executed
    import extension.generated
    import extension.links
    import extension.mathml

    return extension


def test_the_live_page_is_written_as_one_file_and_as_a_site(extension, tmp_path):
    config = types.SimpleNamespace(html_extra_path=[])
    app = types.SimpleNamespace(doctreedir=str(tmp_path / "doctrees"), config=config)
    extension.generated.write_live_page(app)
    assert config.html_extra_path == [str(tmp_path / "extra")]
    page = PAGES["index.md"]
    written = "live-page.html", "live-site/index.html"
    for name in written:
        assert name in page
        assert (tmp_path / "extra" / name).stat().st_size > 1000
    kept = [(tmp_path / "extra" / name).stat().st_mtime_ns for name in written]
    extension.generated.write_live_page(app)
    assert kept == [(tmp_path / "extra" / name).stat().st_mtime_ns for name in written]


def test_every_equation_is_typeset_and_leads_to_all_that_states_it(extension):
    homes = {home.name for home in extension.equations.homes()}
    asked = re.findall(r"generated: equations ([^>]*?) -->", PAGES["model.md"])
    assert sorted(key for line in asked for key in line.split()) == sorted(EQUATIONS), "each once"
    led_to = set()
    for equation in EQUATIONS.values():
        for line in equation.formula.split("\n"):
            drawn = extension.mathml.mathml(extension.equations.tex(line), None, block=True)
            assert drawn.startswith("<math")
            assert "<mi>" in drawn
        said = extension.equations.written(equation)
        assert f"({extension.equations.anchor(equation.key)})=" in said
        led_to |= set(re.findall(r"{line}`([^`]+)`", said))
    assert led_to == homes
    for name in homes:
        module, rest = extension.equations.split_name(name)
        line = (
            extension.equations.path_of(module)
            .read_text(encoding="utf-8")
            .splitlines()[extension.equations.lines_of(module)[rest] - 1]
        )
        assert re.match(rf" *(def|class) {rest.rpartition('.')[2]}\b", line)


def test_the_home_of_an_equation_that_the_architecture_names_is_among_them(extension):
    rows = re.findall(r"^\| ([\d, ]+) \| .* \| `([\w.]+)` \|$", PAGES["architecture.md"], re.MULTILINE)
    homes = {home.name: home.numbers for home in extension.equations.homes()}
    assert len(rows) > 10
    for numbers, name in rows:
        assert homes[name] == re.findall(r"\d+", numbers)


def test_a_formula_that_cannot_be_drawn_is_a_warning_and_stands_as_it_is(extension):
    assert extension.mathml.mathml(r"\Big(x\Big)", None, block=False).startswith("<math")
    assert extension.mathml.mathml(r"\nonsense{x}", None, block=False) == r"<code>\nonsense{x}</code>"


def test_a_word_or_a_sign_that_nobody_knows_is_refused(extension):
    for formula in ("P(x) = quux(y)", "∇ log P(x)"):
        with pytest.raises(ValueError, match="expected"):
            extension.equations.tex(formula)


def test_the_glossary_has_every_term_with_its_equation(extension):
    page = extension.generated.filled(PAGES["glossary.md"])
    for key, term in TERMS.items():
        entry = page.split(f"(term-{key})=\n")[1].split("\n\n")[0]
        assert entry.startswith(f"{term.name}\n: {term.text}")
        assert (f"(#equation-{term.equation})" in entry) is (term.equation is not None)


def test_every_place_for_generated_text_is_known_and_filled(extension):
    for page, text in PAGES.items():
        assert text.count("<!-- generated:") == len(extension.generated.PLACE.findall(text)), page
        assert "<!-- generated:" not in extension.generated.filled(text), page


def test_the_lessons_are_there_and_give_nothing_away(extension):
    from lrbn_viz.view.lessons import shipped_lessons
    from lrbn_viz.view.lessons.markup import to_html, to_text

    page, table = extension.generated.lessons([]), extension.generated.lesson_table([])
    for lesson in shipped_lessons():
        assert f"## {lesson.title}\n" in page
        assert f"| {lesson.title} | {lesson.minutes} | {len(lesson.steps)} |" in table
        assert " ".join(to_text(lesson.take_home).split()) in table
        for step in lesson.steps:
            assert to_html(step.question) in page
            for option in step.options:
                assert f"<li>{to_html(option.text)}</li>" in page
            assert not step.reveal or to_html(step.reveal)[:60] not in page


@pytest.mark.slow
def test_a_notebooks_page_has_live_players_and_folds_up_what_tells_the_answers(
    extension, tmp_path, monkeypatch
):
    nbformat = pytest.importorskip("nbformat")
    name = "06_several_layers.ipynb"  # one with a player
    monkeypatch.setattr(extension.generated, "NOTEBOOKS", tmp_path / "asked")
    (tmp_path / "asked").mkdir()
    source = ROOT / "notebooks" / name
    (tmp_path / "asked" / name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(extension.generated, "executed", lambda path: extension.executed.executed(source))
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "gone.ipynb").write_text("{}")
    extension.generated.copy_notebooks(SimpleNamespace(srcdir=tmp_path))
    assert [path.name for path in (tmp_path / "notebooks").iterdir()] == [name]
    notebook = nbformat.read(tmp_path / "notebooks" / name, 4)
    assert "widgets" not in notebook.metadata
    shown = [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "text/html" in output.get("data", {})
    ]
    asked = [cell for cell in notebook.cells if " = ask(" in cell.source]
    assert sum('role="radiogroup"' in html for html in shown) == len(asked) > 2
    assert sum("DecompressionStream" in html for html in shown) == 1
    for cell in notebook.cells:
        folded = "hide-output" in cell.metadata.get("tags", ())
        assert folded == (".reveal(" in cell.source)
    assert "You have not predicted" not in (tmp_path / "notebooks" / name).read_text(encoding="utf-8")


def test_every_lesson_leads_to_the_live_page(extension):
    from lrbn_viz.view.lessons import shipped_lessons

    said = extension.generated.lessons([])
    linked = re.findall(r'<a href="live-page.html#lesson=([\w-]+)">', said)
    assert linked == [lesson.id for lesson in shipped_lessons()]


def test_every_command_is_described(extension):
    page = extension.generated.filled(PAGES["commands.md"])
    names = re.findall(r"^## `lrbn-viz (\w+)`$", page, re.MULTILINE)
    assert {"serve", "export", "lessons", "datasets", "reproduce", "docs"} <= set(names)
    for name in names:
        assert f"usage: lrbn-viz {name}" in page


def test_a_link_that_leads_nowhere_and_a_page_that_asks_another_host_are_found(extension, tmp_path):
    (tmp_path / "a.html").write_text(
        """<a href="b.html#here">1</a><a href="b.html#there">2</a><a href="c.html">3</a><a href="#top">4</a>
        <a href="https://example.org/x">5</a><a href="http://example.org">6</a>
        <img src="//example.org/x.png"><iframe src="b.html" title="b"></iframe>
        <iframe title="" src="b.html"></iframe>""",
        encoding="utf-8",
    )
    (tmp_path / "b.html").write_text('<h1 id="here">b</h1>', encoding="utf-8")
    assert extension.links.faults(tmp_path) == [
        'a.html asks another host: <img src="//',
        'a.html has a frame without a title: <iframe title="" src="b.html">',
        "a.html: b.html#there leads to no place in its page",
        "a.html: c.html leads to no file",
        "a.html: #top leads to no place in its page",
        "a.html: http://example.org is no secure address",
        "a.html: //example.org/x.png is no secure address",
    ]
