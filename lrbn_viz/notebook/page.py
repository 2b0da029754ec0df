"""Notebooks as pages: players, predictions and formulas, with no kernel, no network and no other script."""

from __future__ import annotations

import base64
import copy
import json
import warnings
from collections.abc import Collection, Mapping
from typing import Any
from uuid import uuid4

from lrbn_viz.notebook.mathematics import with_mathml
from lrbn_viz.notebook.prediction import UNCHOSEN, as_html
from lrbn_viz.view.player.source import module_text

LOADER = module_text("view/live/js/loader.js")
"""Script in each player that looks for the code that all players share."""

PLAYER = "lrbn_viz.notebook.widget.NotebookPlayer"
"""Name of the player in the state of a widget."""

_SHARED = "IPY_MODEL_"  # how the state of a widget names another
BLOCKS = ("code", "kernels", "weights")
"""What a player shares with others, by its name in the state of the widget."""

_VIEW = "application/vnd.jupyter.widget-view+json"
_STATE = "application/vnd.jupyter.widget-state+json"
_NOTHING = "data:text/javascript,"
"""An address that causes no request."""
_LINKS = ("require_js_url", "mathjax_url", "jquery_url")
"""Other hosts' scripts that nbconvert names in a page, by what it calls them."""

# The part of a widget's state with which a page begins.
_KEPT = {
    *("cursor", "hidden", "selected", "unit_order", "reference", "height"),
    *("still", "turn", "end", "drawing", "in_notebook"),
}

# A widget's model of the page's own: it keeps what the player sets, and sends nothing. Data that players
# share are in the page once, under their digest.
_PIECE = """{blocks}<div id="{number}"></div>
<script type="module">
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const textOf = (digest) => document.getElementById(`lrbn-${{digest}}`).textContent;
const shared = (digest) => ({{content: bytes(textOf(digest)), digest}});
const state = {{trace: bytes("{trace}"), engine: bytes("{engine}"), ...{values}}};
const over = (state) => ({{get: (name) => state[name], set: (name, value) => {{ state[name] = value; }}}});
const model = {{...over(state), widget_manager: {{get_model: async (digest) => over(shared(digest))}}}};
for (const name of ["save_changes", "on", "off", "send"]) model[name] = () => {{}};
const code = new Blob([{loader}], {{type: "text/javascript"}});
const {{default: loader}} = await import(URL.createObjectURL(code));
loader.render({{model, el: document.getElementById("{number}")}});
</script>
"""


def piece(state: Mapping[str, Any], blocks: Mapping[str, bytes], known: Collection[str] = ()) -> str:
    """Return a player as a piece of HTML.

    Parameters
    ----------
    state : mapping
        Of its widget; those of :data:`BLOCKS` are digests.
    blocks : mapping from digest to bytes
        What players share, compressed.
    known : collection of str
        Digests of the blocks that the page has already.
    """
    given = "".join(
        f'<script type="text/plain" id="lrbn-{digest}">{base64.b64encode(content).decode()}</script>\n'
        for digest, content in blocks.items()
        if digest not in known
    )
    values = {name: state[name] for name in _KEPT & set(state)}
    values |= {name: _SHARED + state[name] for name in BLOCKS}
    return _PIECE.format(
        blocks=given,
        number=f"lrbn-{uuid4().hex}",
        trace=base64.b64encode(state["trace"]).decode(),
        engine=base64.b64encode(state["engine"]).decode(),
        values=_in_script(values),
        loader=_in_script(LOADER),
    )


def _in_script(value: Any) -> str:
    """Return a value as JSON that ends no element of a page."""
    return json.dumps(value).replace("</", "<\\/")


def stand_alone(notebook: Any, resources: Any = None) -> tuple[Any, Any]:
    """Return a notebook that was run, with players and predictions that need no kernel and no network.

    Widgets of an exported notebook are otherwise loaded from another host. ``jupyter nbconvert`` takes it by
    its name: ``--HTMLExporter.preprocessors=lrbn_viz.notebook.stand_alone``. Then the page's formulas are
    drawn by the browser alone, too, and the page asks no other host for a script, unless other widgets need
    it. A warning names each widget that could not be restored, and each formula that could not be read.

    Parameters
    ----------
    notebook : notebook of nbformat
        With outputs, and with the state of its widgets. A run stores both; JupyterLab does so where "Save
        Widget State Automatically" is on. Without its state a player leaves its picture, and a prediction its
        buttons. Other widgets stay as they are.
    resources : mapping, optional
        What nbconvert hands on.

    Returns
    -------
    notebook, resources
        A copy with HTML in place of widgets, and a copy of `resources`, without other hosts.

    Examples
    --------
    >>> import nbformat
    >>> from lrbn_viz.notebook import stand_alone
    >>> notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("words")])
    >>> page, resources = stand_alone(notebook)
    >>> page.cells[0].source
    'words'
    """
    alone = copy.deepcopy(notebook)
    states = alone.metadata.get("widgets", {}).get(_STATE, {}).get("state", {})
    page = _Page(states)
    for number, cell in enumerate(alone.cells, 1):
        page.cell = f"cell {number}"
        if cell.cell_type == "markdown" and resources is not None:
            cell.source = with_mathml(cell.source, page.warn)
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = output.text.replace(UNCHOSEN, "The answer is")
            if _VIEW in output.get("data", {}):
                page.restore(output.data)
    if not page.keeps_others:
        alone.metadata.pop("widgets", None)
        if resources is not None:
            resources = {**resources, **{name: _NOTHING for name in _LINKS if name in resources}}
    return alone, resources


class _Page:
    """A page that a notebook becomes, as its outputs are read one after the other.

    Attributes
    ----------
    cell : str
        Which one is read, in words.
    keeps_others : bool
        True if widgets are left that the page does not hold.
    """

    def __init__(self, states: Mapping[str, Any]) -> None:
        self.states = states
        self.cell = ""
        self.keeps_others = False
        self._known: set[str] = set()

    def warn(self, words: str) -> None:
        """Warn about parts that the page cannot contain."""
        warnings.warn(f"{self.cell}: {words}", stacklevel=3)

    def restore(self, data: dict[str, Any]) -> None:
        """Put HTML in place of a widget. Modified: `data`, the forms of an output."""
        model_id = data[_VIEW]["model_id"]
        widget = self.states.get(model_id)
        called = data.get("text/plain", "a widget")
        if widget is None or self._lacks_blocks(widget):
            del data[_VIEW]
            self.warn(
                f"the notebook does not hold the state of {called}; what stays is what its other outputs "
                "show. Run the notebook with nbconvert's --execute, or save it with its widgets' state."
            )
        elif written := self._written(widget):
            del data[_VIEW]
            data["text/html"] = written
        else:
            self.keeps_others = True
            self.warn(f"{called} is no widget of lrbn_viz; the page asks another host for it.")

    def _written(self, widget: Mapping[str, Any]) -> str | None:
        """Return a stored widget as HTML: a player or a prediction; None for others."""
        state = widget["state"]
        if state.get("_anywidget_id") == PLAYER:
            return self._player(widget)
        if widget.get("model_name") == "RadioButtonsModel":
            return as_html(state["_options_labels"], state.get("index"))
        return None

    def _lacks_blocks(self, widget: Mapping[str, Any]) -> bool:
        """Return whether a widget is a player and the notebook lacks the data that it shares with others."""
        state = widget["state"]
        return state.get("_anywidget_id") == PLAYER and any(
            state[name].removeprefix(_SHARED) not in self.states for name in BLOCKS
        )

    def _player(self, widget: Mapping[str, Any]) -> str:
        state: dict[str, Any] = {**widget["state"], "trace": b"", "engine": b"", **_buffers(widget)}
        blocks = {}
        for name in BLOCKS:
            block = self.states[state[name].removeprefix(_SHARED)]
            state[name] = block["state"]["digest"]
            blocks[state[name]] = _buffers(block)["content"]
        written = piece(state, blocks, self._known)
        self._known |= set(blocks)
        return written


def _buffers(widget: Mapping[str, Any]) -> dict[str, bytes]:
    """Return the traits of a stored widget that are bytes."""
    return {each["path"][0]: base64.b64decode(each["data"]) for each in widget.get("buffers", ())}
