"""The trace player and the static figures in a notebook, without a network.

The player is the explorer's own, hosted by an anywidget; figures are plain HTML beside one copy of BokehJS.
Neither needs an extension of the notebook beyond those that come with the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import anywidget
import numpy as np
import traitlets
from bokeh.embed import components
from bokeh.model import Model
from bokeh.resources import Resources
from ipywidgets import Layout

from lrbn_viz.app.menus import PANELS
from lrbn_viz.app.player.packing import Lane, pack_models, pack_trace
from lrbn_viz.app.player.source import PLAYER_PARTS, module_text
from lrbn_viz.app.player.truth import truth_of
from lrbn_viz.app.texts import names_to_text
from lrbn_viz.estimators import LRBN, RBM
from lrbn_viz.trace import ICMTrace

__all__ = ["NotebookPlayer", "load_figures", "show_figure", "show_trace"]

# What does not fit in a player's height scrolls, so that its transport stays in sight. In the width of a
# notebook's cell one lane takes about 400 pixels of the screen.
HEIGHTS = {1: 660, 2: 910}


class NotebookPlayer(anywidget.AnyWidget):
    """The trace player as a notebook widget.

    Attributes
    ----------
    models, trace : bytes
        Packed blocks.
    cursor : int
        Visits shown. The browser reports it once the cursor rests; setting it moves the player there.
    hidden, selected, unit_order : str
        Panels out of sight, the unit asked about (such as ``"0.49"``: lane and unit) and the order of units,
        as the explorer's addresses write them. Both sides change them.
    in_notebook : bool
        True: the player listens to keys only while it has the focus, and is dark where JupyterLab is.
    """

    _esm = module_text(PLAYER_PARTS)

    models = traitlets.Bytes(b"").tag(sync=True)
    trace = traitlets.Bytes(b"").tag(sync=True)
    cursor = traitlets.Int(0, min=0).tag(sync=True)
    hidden = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    unit_order = traitlets.Unicode("number").tag(sync=True)
    offers_images = traitlets.Bool(False).tag(sync=True)
    offers_drawing = traitlets.Bool(False).tag(sync=True)
    in_notebook = traitlets.Bool(True, read_only=True).tag(sync=True)


def show_trace(
    trace: ICMTrace,
    other: ICMTrace | None = None,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    *,
    names: Sequence[str] = (),
    cursor: int = 0,
    optimum: float | None = None,
    height: int | None = None,
    hide: Sequence[str] = (),
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
    names : sequence of str
        What each lane is called, such as ``("ICM", "annealed")``; else after the model.
    cursor : int
        Visits shown at first; -1 is the end.
    optimum : float, optional
        ``log P(x, h)`` of the exact MAP state, nats, to mark in the first lane.
    height : int, optional
        Of the player, in pixels of the screen; room for the lanes when None.
    hide : sequence of str
        Panels to leave out, of ``why``, ``raster``, ``truth``, ``basins``, ``matrix`` and ``mosaic``; ``?``
        in the player brings them back.

    Raises
    ------
    ValueError
        When the traces are of different images, the shape or the names do not fit them, or there is no such
        panel.
    """
    traces = [trace] if other is None else [trace, other]
    if other is not None and not np.array_equal(trace.x, other.x):
        raise ValueError("expected two traces of one image, got different x; call map_trace with the same x.")
    shape = _image_shape(trace.n_v, image_shape)
    if names and len(names) != len(traces):
        raise ValueError(f"expected one name for each of the {len(traces)} traces, got {len(names)}.")
    models: dict[str, LRBN | RBM] = {}
    lanes = []
    for number, shown in enumerate(traces):
        made = _model_of(shown)
        factorised = shown.model == "rbm"
        kind = "RBM" if factorised else "LRBN"
        lanes.append(
            Lane(
                trace=shown,
                model=_key_of(made, models),
                title=names[number] if names else kind,
                subtitle="factorised, one pass" if factorised else f"{shown.n_visits} visits",
                normalised=not factorised,
                sampled=shown.sampled,
                optimum=optimum if number == 0 else None,
                truth=truth_of(made, shown) if isinstance(made, LRBN) else None,
            )
        )
    end = max(shown.n_visits for shown in traces)
    if not -1 <= cursor <= end:
        raise ValueError(f"cursor = {cursor} is outside the trace; expected 0 to {end}, or -1 for the end.")
    cursor = end if cursor == -1 else cursor
    if isinstance(hide, str) or not set(hide) <= set(PANELS):
        raise ValueError(f"hide = {hide!r} is no sequence of panels; expected some of {', '.join(PANELS)}.")
    return NotebookPlayer(
        models=pack_models(models, shape),
        trace=pack_trace(lanes, {"title": title, "cursor": cursor}),
        cursor=cursor,
        hidden=names_to_text(hide, PANELS),
        layout=Layout(width="100%", height=f"{height or HEIGHTS[len(lanes)]}px"),
    )


def _image_shape(n_v: int, given: tuple[int, int] | None) -> tuple[int, int]:
    if given is None:
        side = round(n_v**0.5)
        return (side, side) if side * side == n_v else (1, n_v)
    rows, columns = given
    if rows * columns != n_v:
        raise ValueError(f"image_shape {given} has {rows * columns} pixels, but the trace's image has {n_v}.")
    return rows, columns


def _model_of(trace: ICMTrace) -> LRBN | RBM:
    """Return the model that made a trace."""
    if trace.model == "deep":
        raise ValueError(
            'expected traces of an LRBN or an RBM, got one of a "deep" model; show one layer\'s.'
        )
    visible: Any = trace.visible
    return (RBM if trace.model == "rbm" else LRBN).from_params(trace.W, trace.b, trace.d, visible)


def _key_of(made: LRBN | RBM, models: dict[str, LRBN | RBM]) -> str:
    """Return the key of an equal model, so that it travels once, or of this one. Modified: `models`."""
    for key, known in models.items():
        same = all(map(np.array_equal, made.params_, known.params_))
        if type(known) is type(made) and same:
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


def show_figure(figure: Model) -> _Html:
    """Return a Bokeh figure or layout as something a notebook shows; call :func:`load_figures` before.

    The figure needs no extension of the notebook and asks no server for anything.
    """
    script, div = components(figure)
    return _Html(f"{div}\n{script}", f"a figure ({type(figure).__name__})")
