"""The notebooks: committed without outputs, run from top to bottom, and show the player offline."""

from __future__ import annotations

import base64
import gzip
import re
import sys
from pathlib import Path

import nbformat
import pytest
from extension.executed import executed

from lrbn_viz.notebook import ask, load_figures, show_figure
from lrbn_viz.view.player.wire import unpack

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
PLAYERS = {
    "01_explaining_away.ipynb": 2,
    "02_stepping_icm.ipynb": 3,
    "03_hard_em_and_dead_units.ipynb": 0,
    "04_flat_or_learned_prior.ipynb": 0,
    "05_how_good_is_an_estimate.ipynb": 0,
    "06_several_layers.ipynb": 1,
    "07_your_own_data_in_a_pipeline.ipynb": 0,
    "08_the_gaussian_model.ipynb": 0,
    "09_tables_read_critically.ipynb": 0,
    "10_your_own_inference.ipynb": 0,
    "11_what_is_not_known.ipynb": 1,
}
ASKING = [path for path in NOTEBOOKS if path.name > "03"]
"""Those that ask for predictions."""

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, 4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_the_notebooks_are_there():
    assert {path.name for path in NOTEBOOKS} == set(PLAYERS)


@each
def test_a_notebook_is_committed_without_outputs(path):
    for cell in code_cells(read(path)):
        assert cell.outputs == []
        assert cell.execution_count is None


@each
def test_a_notebook_asks_one_question_in_its_first_cell(path):
    first = read(path).cells[0]
    assert first.cell_type == "markdown"
    assert first.source.count("?") == 1


@pytest.mark.slow  # the gate runs them in a step of their own
@each
def test_a_notebook_runs_and_shows_its_players_offline(path):
    notebook = executed(path)  # a cell that raises ends the run with its traceback

    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    views = [output.data[VIEW]["model_id"] for output in outputs if VIEW in output.get("data", {})]
    states = notebook.metadata.widgets[STATE]["state"]
    shown = [model_id for model_id in views if "_esm" in states[model_id]["state"]]
    assert len(shown) == PLAYERS[path.name]
    for model_id in shown:
        meta, arrays = unpack(block_of(states[model_id], "trace"))
        models, _ = unpack(block_of(states[shared_id(states[model_id], "weights")], "content"))
        assert {lane["model"] for lane in meta["lanes"]} == {model["key"] for model in models["models"]}
        assert all(len(arrays[f"{i}.unit"]) == lane["n_visits"] for i, lane in enumerate(meta["lanes"]))
        code = block_of(states[shared_id(states[model_id], "code")], "content")
        assert b"NotebookSession" in code
    assert len({shared_id(states[model_id], "code") for model_id in shown}) == bool(shown)

    shown_as_html = [output.data for output in outputs if "text/html" in output.get("data", {})]
    stills = [data for data in shown_as_html if "data-lrbn-still" in data["text/html"]]
    assert len(stills) == len(shown)
    assert all("To get it moving" in data["text/plain"] for data in stills)
    figures = [data["text/html"] for data in shown_as_html if data not in stills and VIEW not in data]
    if path in ASKING:
        assert figures
        assert all("<svg" in html and "<script" not in html for html in figures), "each stands alone"
        assert len(views) == len(shown) + len(predictions(notebook))
        return
    assert "Bokeh" in figures[0], "BokehJS must come before the figures, from the package"
    assert len(figures) > 3
    for html in figures[1:]:
        assert "data-root-id" in html
        assert re.findall(r"https?://", html) == []


def block_of(widget, name: str) -> bytes:
    """Return a trait of a stored widget that is bytes, open."""
    (data,) = [each["data"] for each in widget["buffers"] if each["path"] == [name]]
    return gzip.decompress(base64.b64decode(data))


def shared_id(widget, name: str) -> str:
    """Return which other widget a trait of a stored widget names."""
    return widget["state"][name].removeprefix("IPY_MODEL_")


def predictions(notebook) -> dict[str, int]:
    """Return the names of a notebook's predictions, and the cell in which each is asked for."""
    found = {}
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "code" and (asked := re.fullmatch(r"(\w+) = ask\(.*\)\n\1", cell.source)):
            found[asked[1]] = number
    return found


@pytest.mark.parametrize("path", ASKING, ids=lambda path: path.stem)
def test_each_prediction_is_asked_for_in_words_and_in_a_cell_of_its_own_before_its_reveal(path):
    notebook = read(path)
    asked = predictions(notebook)
    assert len(asked) >= 2
    for name, number in asked.items():
        words = notebook.cells[number - 1]
        assert words.cell_type == "markdown"
        assert re.search(r"\*\*[^*]+\?\*\*|\?$", words.source), "the question stands above the options"
        reveals = [at for at, cell in enumerate(notebook.cells) if f"{name}.reveal(" in cell.source]
        assert reveals == [number + 1], name
    assert sum(cell.source.count(".reveal(") for cell in notebook.cells) == len(asked)


@each
def test_a_notebook_says_how_to_install_what_it_needs_and_where_it_can_be_opened(path):
    first = read(path).cells[0].source
    assert "%pip install -e .." in first
    assert "](https://colab.research.google.com/)" in first


def test_a_prediction_is_compared_with_the_answer(capsys):
    guess = ask("it rises", "it falls")
    guess.reveal("it falls")
    guess.chosen = "it falls"
    guess.reveal("it falls")
    guess.chosen = "it rises"
    guess.reveal("it falls")
    said = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in said] == [
        "You have not predicted; the answer is",
        "As you predicted",
        "You predicted",
    ]
    with pytest.raises(ValueError, match="expected one of it rises, it falls"):
        guess.reveal("it stays")
    for options in ((), ("one",), ("one", "one")):
        with pytest.raises(ValueError, match="expected two options or more"):
            ask(*options)


@pytest.mark.parametrize("host", ["google.colab", "marimo"])
def test_a_figure_stands_alone_where_cells_know_nothing_of_each_other(host, monkeypatch):
    from lrbn_viz.view.plots import interaction_matrix

    def shown() -> str:
        return show_figure(interaction_matrix([[0.0, -1.0], [-1.0, 0.0]], names=("a", "b")))._repr_html_()

    loader = load_figures()._repr_html_()
    assert len(loader) > 500_000, "BokehJS"
    assert loader not in shown()
    monkeypatch.setitem(sys.modules, host, sys)
    assert loader in shown()
    assert load_figures()._repr_html_() == ""


def test_what_was_run_is_kept_for_the_same_notebook_and_run_anew_for_another(tmp_path, monkeypatch):
    runs: list[str] = []

    def run(notebook, where):
        runs.append(notebook.cells[0].source)
        return notebook

    monkeypatch.setattr("extension.executed._run", run)
    path, folder = tmp_path / "one.ipynb", tmp_path / "kept"
    for source in ("1", "1", "2"):
        nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source, id="a")]), path)
        assert executed(path, folder).cells[0].source == source
    assert runs == ["1", "2"]
    monkeypatch.setattr("extension.executed._state", lambda: b"another package")
    executed(path, folder)
    assert runs == ["1", "2", "2"]
