"""Every notebook runs from its first cell to its last, and is committed without outputs."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(params=NOTEBOOKS, ids=[path.stem for path in NOTEBOOKS])
def notebook(request: pytest.FixtureRequest) -> nbformat.NotebookNode:
    return nbformat.read(request.param, as_version=4)


def test_a_notebook_runs_to_its_end(notebook, tmp_path):
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()  # raises CellExecutionError at the first cell that fails


def test_a_notebook_is_committed_without_outputs(notebook):
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert code, "no code"
    assert [cell.source for cell in code if cell.outputs or cell.execution_count] == []


def test_a_notebook_asks_its_question_in_the_first_cell(notebook):
    first = notebook.cells[0]
    assert first.cell_type == "markdown"
    assert "?" in first.source
