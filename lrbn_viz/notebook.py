"""The trace player and the static figures in a notebook, without a network.

The player is the explorer's own, hosted by an anywidget; figures of HoloViews and Bokeh are plain HTML beside
one copy of BokehJS, those of Matplotlib are drawings that need none. Neither needs an extension of the
notebook beyond those that come with the package. Of models that a live page can hold the player infers anew
in the browser, by the live page's engine: it asks no kernel. A prediction is asked for before what it is
about is shown. Of a notebook that was run, players and predictions are written so that they need no kernel
and no network.
"""

from __future__ import annotations

import base64
import copy
import html
import io
import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

import anywidget
import numpy as np
import traitlets
from bokeh.embed import components
from bokeh.model import Model
from bokeh.resources import Resources
from ipywidgets import Layout, RadioButtons
from matplotlib.figure import Figure
from numpy.typing import NDArray

from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.live.kernel import kernel
from lrbn_viz.live.page import described, is_live
from lrbn_viz.model import Model as LatentVariableModel
from lrbn_viz.player.export import as_text
from lrbn_viz.player.packing import Lane, pack_models, pack_trace, same_parameters
from lrbn_viz.player.panels import PANELS
from lrbn_viz.player.source import module_text
from lrbn_viz.player.truth import distance_of, truth_of
from lrbn_viz.player.wire import pack
from lrbn_viz.trace import ICMTrace

__all__ = ["NotebookPlayer", "Prediction", "ask", "load_figures", "show_figure", "show_trace", "stand_alone"]

# What does not fit in a player's height scrolls, so that its transport stays in sight. In the width of a
# notebook's cell one lane takes about 400 pixels of the screen.
HEIGHTS = {1: 660, 2: 910}

# What of a widget's state a page begins with
_SHOWN = {"cursor", "hidden", "selected", "unit_order", "reference", "offers_images", "offers_drawing"}

# A widget's model of the page's own: it keeps what the player sets, and sends nothing.
_PIECE = """<div id="{number}" style="height: {height}"></div>
<script type="module">
const inflate = async (text) => {{
  if (!text) return new ArrayBuffer(0);
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}};
const [code, models, trace, engine] = await Promise.all([{blocks}].map(inflate));
const state = {{models, trace, engine, ...{values}}};
const model = {{get: (name) => state[name], set: (name, value) => {{ state[name] = value; }}}};
for (const name of ["save_changes", "on", "off", "send"]) model[name] = () => {{}};
const {{render}} = await import(URL.createObjectURL(new Blob([code], {{type: "text/javascript"}})));
render({{model, el: document.getElementById("{number}")}});
</script>
"""


class NotebookPlayer(anywidget.AnyWidget):
    """The trace player as a notebook widget.

    Attributes
    ----------
    models, trace : bytes
        Packed blocks.
    cursor : int
        Visits shown. The browser reports it once the cursor rests; setting it moves the player there.
    hidden, selected, unit_order, reference : str
        Panels out of sight, the unit asked about (such as ``"0.49"``: lane and unit), the order of units and
        what its log-odds are compared with, as the explorer's addresses write them. Both sides change them.
    engine : bytes
        What the engine in the browser knows of the models beside their weights; empty for a replay.
    in_notebook : bool
        True: the player listens to keys only while it has the focus, and is dark where JupyterLab is.
    """

    _esm = module_text("live/js/notebook.js")

    models = traitlets.Bytes(b"").tag(sync=True)
    trace = traitlets.Bytes(b"").tag(sync=True)
    engine = traitlets.Bytes(b"").tag(sync=True)
    cursor = traitlets.Int(0, min=0).tag(sync=True)
    hidden = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    unit_order = traitlets.Unicode("number").tag(sync=True)
    reference = traitlets.Unicode("last").tag(sync=True)
    offers_images = traitlets.Bool(False).tag(sync=True)
    offers_drawing = traitlets.Bool(False).tag(sync=True)
    in_notebook = traitlets.Bool(True, read_only=True).tag(sync=True)

    def to_html(self) -> str:
        """Return the player as a piece of HTML for a page: it needs no kernel, no network, no other script.

        It begins as the widget is now. Weights are in it once.
        """
        return _piece(self.get_state(), (self.models, self.trace, self.engine), self.layout.height)


def _piece(state: Mapping[str, Any], blocks: Sequence[bytes], height: str) -> str:
    """Return a player as a piece of HTML: of its state, its blocks and its height."""
    values = {name: value for name, value in state.items() if name in _SHOWN}
    code = module_text("live/js/notebook.js").encode()
    return _PIECE.format(
        number=f"lrbn-{uuid4().hex}",
        height=height,
        values=json.dumps(values | {"in_notebook": True}).replace("</", "<\\/"),
        blocks=", ".join(map(as_text, (code, *blocks))),
    )


def show_trace(
    trace: ICMTrace,
    other: ICMTrace | None = None,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    *,
    models: Sequence[LatentVariableModel] = (),
    names: Sequence[str] = (),
    cursor: int = 0,
    optimum: float | None = None,
    height: int | None = None,
    hide: Sequence[str] = (),
    live: bool = True,
) -> NotebookPlayer:
    """Return a player of one trace, or of two over the same image in lock-step.

    Space plays, the arrow keys step, shift and an arrow key go to the next flip, once the player was clicked.

    Parameters
    ----------
    trace, other : ICMTrace
        What ``map_trace`` returns.
    image_shape : (int, int), optional
        Rows and columns of the image; a square if n_v is one, else a single row, when None.
    title : str
        What the image is.
    models : sequence of Model, optional
        The model of each trace. Traces of several layers need theirs, as they hold the lowest layer's
        parameters only; others are shown from the parameters that they hold.
    names : sequence of str
        What each lane is called, such as ``("ICM", "annealed")``; else after the model, with a number where
        both are of one kind.
    cursor : int
        Visits shown at first; -1 is the end.
    optimum : float, optional
        ``log P(x, h)`` of the exact MAP state, nats, to mark in the first lane.
    height : int, optional
        Of the player, in pixels of the screen; room for the lanes when None.
    hide : sequence of str
        Panels to leave out, of ``why``, ``raster``, ``truth``, ``ladder``, ``basins``, ``matrix`` and
        ``mosaic``; ``?`` in the player brings them back.
    live : bool
        Whether the player infers anew in the browser, where its models are such that a live page can hold:
        the image is drawn on, units are held, and inference, start and seed are chosen. The notebook then
        carries each bit of the weights, which of a trained model are twice as many. No kernel is asked.

    Raises
    ------
    ValueError
        When the traces are of different images, the shape, the models or the names do not fit them, a model
        is missing, or there is no such panel.
    """
    traces = [trace] if other is None else [trace, other]
    if other is not None and not np.array_equal(trace.x, other.x):
        raise ValueError("expected two traces of one image, got different x; call map_trace with the same x.")
    shape = _image_shape(trace.n_v, image_shape)
    for what, given in (("name", names), ("model", models)):
        if given and len(given) != len(traces):
            raise ValueError(f"expected one {what} for each of the {len(traces)} traces, got {len(given)}.")
    packed: dict[str, Any] = {}
    lanes = []
    makers = [
        _checked(models[number], shown) if models else _model_of(shown) for number, shown in enumerate(traces)
    ]
    titles = names or _titles([made.short for made in makers])
    for number, (shown, made) in enumerate(zip(traces, makers, strict=True)):
        lanes.append(
            Lane(
                trace=shown,
                model=_key_of(made, packed),
                title=titles[number],
                subtitle="factorised, one pass" if made.factorised else f"{shown.n_visits} visits",
                normalised=shown.normalised,
                sampled=shown.sampled,
                optimum=optimum if number == 0 else None,
                truth=truth_of(made, shown) if isinstance(made, LatentVariableModel) else None,
                distance=distance_of(made, shown) if isinstance(made, LatentVariableModel) else None,
            )
        )
    end = max(shown.n_visits for shown in traces)
    if not -1 <= cursor <= end:
        raise ValueError(f"cursor = {cursor} is outside the trace; expected 0 to {end}, or -1 for the end.")
    cursor = end if cursor == -1 else cursor
    live = live and all(isinstance(made, LatentVariableModel) and is_live(made) for made in makers)
    if isinstance(hide, str) or not set(hide) <= set(PANELS):
        raise ValueError(f"hide = {hide!r} is no sequence of panels; expected some of {', '.join(PANELS)}.")
    return NotebookPlayer(
        models=pack_models(packed, shape, exact=live),
        engine=_engine(packed, [lane.model for lane in lanes], trace, shape) if live else b"",
        trace=pack_trace(lanes, {"title": title, "cursor": cursor}),
        cursor=cursor,
        hidden=".".join(panel for panel in PANELS if panel in hide),
        layout=Layout(width="100%", height=f"{height or HEIGHTS[len(lanes)]}px"),
    )


def _engine(
    models: Mapping[str, Any], shown: Sequence[str], trace: ICMTrace, shape: tuple[int, int]
) -> bytes:
    """Return what the engine in the browser reads beside weights and traces: a packed block."""
    binary = trace.visible == "bernoulli"
    arrays: dict[str, NDArray] = {
        "pixels": np.packbits(trace.x.astype(np.uint8)) if binary else np.zeros(1, np.uint8),
        "index": np.zeros(1, np.uint32),
        "label": np.zeros(1, np.uint16),
        "kernel": np.frombuffer(kernel(), np.uint8),
    }
    if not binary:
        arrays["x"] = trace.x.astype(np.float64)
    meta = {
        "models": [described(key, model.short, model) for key, model in models.items()],
        "shown": [shown[0], shown[-1]],
        "data": "",
        "image": 0,
        "class_names": [""],
        "image_shape": list(shape),
        "binary": binary,
        "title": "",
        "rounded": "",
        "opening": {},
    }
    return pack(meta, arrays)


def _titles(kinds: Sequence[str]) -> list[str]:
    """Return what lanes of models of these kinds are called: no two alike."""
    if len(set(kinds)) == len(kinds):
        return list(kinds)
    return [f"{kind} {number}" for number, kind in enumerate(kinds, 1)]


def _image_shape(n_v: int, given: tuple[int, int] | None) -> tuple[int, int]:
    if given is None:
        side = round(n_v**0.5)
        return (side, side) if side * side == n_v else (1, n_v)
    rows, columns = given
    if rows * columns != n_v:
        raise ValueError(f"image_shape {given} has {rows * columns} pixels, but the trace's image has {n_v}.")
    return rows, columns


class _Parameters(NamedTuple):
    """What the player asks of a model, as far as a trace says it."""

    short: str
    visible: str
    layers: tuple[tuple[NDArray, NDArray, NDArray], ...]
    factorised: bool = False
    graph: str = "directed"
    latent_names_: tuple[str, ...] = ()
    visible_names_: tuple[str, ...] = ()
    deviations_: None = None


def _model_of(trace: ICMTrace) -> Any:
    """Return the model that made a trace, or its parameters where the catalogue lacks its kind."""
    if trace.model == "deep":
        raise ValueError(
            f"expected the model of a trace of several layers, got the trace alone, of {trace.n_h} units; "
            "give models=[model], a model for each trace."
        )
    kinds = {kind.short.lower(): kind for kind in SYSTEMS.values()}
    layer = (trace.W, trace.b, trace.d)
    if trace.model not in kinds:
        return _Parameters(f"{trace.model} model", trace.visible, (layer,))
    visible: Any = trace.visible
    return kinds[trace.model].from_params(*layer, visible, **({"z": trace.z} if trace.z.size else {}))


def _checked(model: LatentVariableModel, trace: ICMTrace) -> LatentVariableModel:
    """Return a model if it can have made a trace."""
    sizes, expected = (model.n_latents_, model.n_visible_), (trace.n_h, trace.n_v)
    if sizes != expected:
        raise ValueError(
            f"expected the model of the trace, of {expected[0]} latents and {expected[1]} visible units; got "
            f"one of {sizes[0]} and {sizes[1]}."
        )
    return model


def _key_of(made: Any, models: dict[str, Any]) -> str:
    """Return the key of an equal model, so that it travels once, or of this one. Modified: `models`."""
    for key, known in models.items():
        if type(known) is type(made) and same_parameters(known, made):
            return key
    models[key := str(len(models))] = made
    return key


class _Html:
    """HTML that a notebook shows."""

    def __init__(self, html: str, text: str) -> None:
        self._html, self._text = html, text

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        return self._html


def load_figures() -> _Html:
    """Return BokehJS itself, 1.3 MB, to be shown once, before the first figure of a notebook."""
    scripts = Resources(mode="inline", components=["bokeh"], log_level="warn").js_raw
    return _Html("".join(f"<script>{script}</script>" for script in scripts), "figures are ready")


def show_figure(figure: Any) -> _Html:
    """Return a figure as something a notebook shows.

    The figure needs no extension of the notebook and asks no server for anything. One of Matplotlib stands
    alone, in any cell. Others need :func:`load_figures` before them; in Colab, whose cells know nothing of
    each other, they bring BokehJS themselves.

    Parameters
    ----------
    figure : HoloViews element, overlay or layout; Bokeh figure or layout; or Matplotlib figure
    """
    if isinstance(figure, Figure):
        drawn = io.StringIO()
        figure.savefig(drawn, format="svg", bbox_inches="tight", metadata={"Date": None})
        text = drawn.getvalue()
        return _Html(f'<div style="{_SHEET}">{text[text.index("<svg") :]}</div>', "a figure")
    bokeh = figure
    if not isinstance(figure, Model):
        import holoviews as hv  # not at the top: a player needs it not

        bokeh = hv.render(
            figure.opts(toolbar=None) if isinstance(figure, hv.Layout) else figure, backend="bokeh"
        )
    script, div = components(bokeh)
    alone = load_figures()._repr_html_() if "google.colab" in sys.modules else ""
    return _Html(f'{alone}<div style="{_SHEET}">{div}</div>\n{script}', f"a figure ({type(figure).__name__})")


# A sheet of paper where the notebook is dark, and what is wider than the cell scrolls.
_SHEET = "background: #fff; border-radius: 6px; width: fit-content; max-width: 100%; overflow-x: auto"


class Prediction:
    """What a reader expects, chosen before it is shown.

    Attributes
    ----------
    options : tuple of str
        What can be expected.
    chosen : str or None
        What the reader expects; None before a choice. May be set.
    """

    def __init__(self, options: tuple[str, ...]) -> None:
        self.options = options
        self._buttons = RadioButtons(options=options, value=None, layout=Layout(width="max-content"))

    @property
    def chosen(self) -> str | None:
        """What the reader expects."""
        return self._buttons.value

    @chosen.setter
    def chosen(self, option: str) -> None:
        self._buttons.value = option

    def __repr__(self) -> str:
        return f"choose one: {', '.join(self.options)}"

    def _repr_mimebundle_(self, **how: Any) -> Any:
        return self._buttons._repr_mimebundle_(**how)

    def reveal(self, answer: str) -> None:
        """Print what is the case, beside what was expected.

        Raises
        ------
        ValueError
            When the answer is none of the options.
        """
        if answer not in self.options:
            raise ValueError(f"expected one of {', '.join(self.options)}, got {answer!r}.")
        if self.chosen is None:
            print(f"{_UNCHOSEN}: {answer}.")
        elif self.chosen == answer:
            print(f"As you predicted: {answer}.")
        else:
            print(f"You predicted: {self.chosen}. The answer is: {answer}. What did you not think of?")


def ask(*options: str) -> Prediction:
    """Return buttons with which a reader says what they expect, before a later cell reveals it.

    Parameters
    ----------
    *options : str
        At least two, no two alike.

    Raises
    ------
    ValueError
        When there are fewer, or two are alike.
    """
    if len(set(options)) < max(2, len(options)):
        raise ValueError(f"expected two options or more, no two alike, got {options!r}.")
    return Prediction(options)


_VIEW = "application/vnd.jupyter.widget-view+json"
_STATE = "application/vnd.jupyter.widget-state+json"
_UNCHOSEN = "You have not predicted; the answer is"


def stand_alone(notebook: Any, resources: Any = None) -> tuple[Any, Any]:
    """Return a notebook that was run, with players and predictions that need no kernel and no network.

    Widgets of an exported notebook are otherwise loaded from another host. ``jupyter nbconvert`` takes it by
    its name: ``--HTMLExporter.preprocessors=lrbn_viz.notebook.stand_alone``.

    Parameters
    ----------
    notebook : notebook of nbformat
        With outputs, and with the state of its widgets. A run stores both; JupyterLab does so where "Save
        Widget State Automatically" is on. Other widgets stay as they are.
    resources : mapping, optional
        What nbconvert hands on.

    Returns
    -------
    notebook, resources
        A copy with HTML in place of widgets, and `resources` as they were.
    """
    alone = copy.deepcopy(notebook)
    states = alone.metadata.get("widgets", {}).get(_STATE, {}).get("state", {})
    others = False
    for cell in alone.cells:
        for output in cell.get("outputs", ()):
            if output.output_type == "stream":
                output.text = output.text.replace(_UNCHOSEN, "The answer is")
            data = output.get("data", {})
            if _VIEW not in data:
                continue
            written = _written(data[_VIEW]["model_id"], states)
            if written is None:
                others = True
            else:
                del data[_VIEW]
                data["text/html"] = written
    if not others:
        alone.metadata.pop("widgets", None)
    return alone, resources


def _written(model_id: str, states: Mapping[str, Any]) -> str | None:
    """Return a stored widget as HTML: a player or a prediction. None for others, or without its state."""
    widget = states.get(model_id, {"state": {}})
    state = widget["state"]
    if state.get("_anywidget_id") == f"{__name__}.{NotebookPlayer.__name__}":
        stored = {each["path"][0]: base64.b64decode(each["data"]) for each in widget["buffers"]}
        layout = states[state["layout"].removeprefix("IPY_MODEL_")]["state"]
        return _piece(
            state, [stored.get(name, b"") for name in ("models", "trace", "engine")], layout["height"]
        )
    if widget.get("model_name") == "RadioButtonsModel":
        name = f"lrbn-{model_id}"
        options = "".join(
            f'<label style="display: block; padding: .2em 0"><input type="radio" name="{name}"'
            f"{' checked' * (number == state.get('index'))}> {html.escape(option)}</label>"
            for number, option in enumerate(state["_options_labels"])
        )
        return f'<div role="radiogroup" aria-label="Your prediction">{options}</div>'
    return None
