"""Notebooks with players in their outputs, as JupyterLab stores them, without a kernel."""

from __future__ import annotations

from typing import Any
from unittest import mock

import nbformat
from ipywidgets import Widget

from lrbn_viz.notebook import NotebookPlayer, widget
from lrbn_viz.notebook.page import BLOCKS

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"


def outputs_of(shown: Any) -> list[dict[str, Any]]:
    """Return what a cell shows of a player or another widget: the data of its outputs, by their forms."""
    if not isinstance(shown, NotebookPlayer):
        return [shown._repr_mimebundle_()]
    with mock.patch.object(widget, "display") as display:
        shown._ipython_display_()
    return [call.args[0] for call in display.call_args_list]


def saved(*shown: Any, text: str = "", state: bool = True) -> Any:
    """Return a notebook of a text and of cells that show these, with or without the state of its widgets."""
    cells = [nbformat.v4.new_markdown_cell(text)]
    for each in shown:
        outputs = [nbformat.v4.new_output("display_data", data) for data in outputs_of(each)]
        cells.append(nbformat.v4.new_code_cell("show()", outputs=outputs))
    notebook = nbformat.v4.new_notebook(cells=cells)
    if state:
        widgets = [each if isinstance(each, Widget) else each._buttons for each in shown]
        players = [each for each in shown if isinstance(each, NotebookPlayer)]
        parts = [getattr(each, name) for each in players for name in BLOCKS]
        notebook.metadata["widgets"] = {STATE: Widget.get_manager_state(widgets=[*widgets, *parts])}
    return nbformat.reads(nbformat.writes(notebook), 4)
