"""The notebooks: committed without outputs, run from top to bottom, and show the player offline."""

from __future__ import annotations

import base64
import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from lrbn_viz.player.wire import unpack

NOTEBOOKS = sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb"))
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
PLAYERS = {"01_explaining_away.ipynb": 2, "02_stepping_icm.ipynb": 3}

each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.fixture
def kernel_name(tmp_path, monkeypatch) -> str:
    """A kernel of this very interpreter, whichever kernels the machine has."""
    folder = tmp_path / "kernels" / "tested"
    folder.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (folder / "kernel.json").write_text(
        json.dumps({"argv": argv, "display_name": "tested", "language": "python"}), encoding="utf-8"
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    return "tested"


def test_the_two_notebooks_are_there():
    assert {path.name for path in NOTEBOOKS} == set(PLAYERS)


@each
def test_a_notebook_is_committed_without_outputs(path):
    for cell in code_cells(nbformat.read(path, 4)):
        assert cell.outputs == []
        assert cell.execution_count is None


@each
def test_a_notebook_asks_one_question_in_its_first_cell(path):
    first = nbformat.read(path, 4).cells[0]
    assert first.cell_type == "markdown"
    assert first.source.count("?") == 1


@each
def test_a_notebook_runs_and_shows_its_players_offline(path, kernel_name, tmp_path, monkeypatch):
    # Only what comes with the package may be needed.
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    notebook = nbformat.read(path, 4)
    resources = {"metadata": {"path": str(path.parent)}}
    # A cell that raises ends the run with its traceback.
    NotebookClient(notebook, timeout=300, kernel_name=kernel_name, resources=resources).execute()

    outputs = [output for cell in code_cells(notebook) for output in cell.outputs]
    assert [output for output in outputs if output.output_type == "error"] == []
    shown = [output.data[VIEW]["model_id"] for output in outputs if VIEW in output.get("data", {})]
    assert len(shown) == PLAYERS[path.name]
    states = notebook.metadata.widgets[STATE]["state"]
    for model_id in shown:
        blocks = {
            buffer["path"][0]: base64.b64decode(buffer["data"]) for buffer in states[model_id]["buffers"]
        }
        meta, arrays = unpack(blocks["trace"])
        models, _ = unpack(blocks["models"])
        assert {lane["model"] for lane in meta["lanes"]} == {model["key"] for model in models["models"]}
        assert all(len(arrays[f"{i}.unit"]) == lane["n_visits"] for i, lane in enumerate(meta["lanes"]))
        assert "createPlayer" in states[model_id]["state"]["_esm"]

    figures = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    assert "Bokeh" in figures[0], "BokehJS must come before the figures, from the package"
    assert len(figures) > 3
    for html in figures[1:]:
        assert "data-root-id" in html
        assert re.findall(r"https?://", html) == []
