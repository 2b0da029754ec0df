"""The trace player as a widget of a notebook: the explorer's own, hosted by an anywidget.

It needs no extension of the notebook beyond those that come with the package, and asks no network. For models
that a live page supports, it infers again in the browser, by the live page's engine, without a kernel.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any, NamedTuple
from uuid import uuid4

import anywidget
import numpy as np
import traitlets
from IPython.display import display, update_display
from ipywidgets import Layout, widget_serialization
from numpy.typing import NDArray

from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.app.shared.texts import pixels_to_text, text_to_names, text_to_pixels, text_to_unit
from lrbn_viz.browser.module import module
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.model import Model as LatentVariableModel
from lrbn_viz.core.trace import ICMTrace, Trace
from lrbn_viz.core.units import UNITS, VisibleUnits
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.notebook.blocks import Block, compressed, shared
from lrbn_viz.notebook.page import BLOCKS, LOADER, piece
from lrbn_viz.notebook.still import Shown
from lrbn_viz.view.live.page import described, is_live
from lrbn_viz.view.player.beliefs import beliefs_of
from lrbn_viz.view.player.packing import Lane, pack_models, pack_trace, same_parameters
from lrbn_viz.view.player.panels import PANELS, REFERENCES, UNIT_ORDERS
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.truth import distance_of, truth_of
from lrbn_viz.view.player.wire import pack

# Content that exceeds a player's height scrolls, so that its transport stays visible. In the width of a
# notebook's cell one lane takes about 400 pixels of the screen.
HEIGHTS = {1: 660, 2: 910}
MIN_HEIGHT = 120
"""Pixels: room for the transport."""

_HIDDEN = (*PANELS, *CONTROLS)


def _packed_bytes(value: bytes, player: NotebookPlayer) -> bytes:
    return compressed(value)


def _drawing_to_json(value: NDArray | None, player: NotebookPlayer) -> str:
    return "" if value is None else pixels_to_text(value)


def _drawing_from_json(text: str, player: NotebookPlayer) -> NDArray[np.uint8] | None:
    return text_to_pixels(text, player.n_visible) if text else None


class NotebookPlayer(anywidget.AnyWidget):
    """The trace player as a notebook widget: :func:`show_trace` makes one.

    Attributes that are not read only can be changed by the browser and by Python; values set in Python are
    checked.

    Attributes
    ----------
    cursor : int
        Visits shown. The browser reports it once the cursor rests; setting it moves the player there, -1 to
        the end.
    end : int
        Visits of the longest lane. Read only.
    drawing : (n_v,) uint8 array or None
        The image as drawn in the player; None if it was not changed. Read only.
    hidden : str
        Hidden panels and controls, joined by points, such as ``"matrix.seed"``.
    selected : str
        The selected unit: lane and unit, such as ``"0.49"``, or ``"lane2"``; empty: the one just visited.
    unit_order : {"number", "weight", "usage", "contribution", "cluster"}
        The order of the units.
    reference : {"last", "start", "off"}
        The reference for the log-odds of the selected unit.
    height : int
        Height in pixels of the screen.
    trace, engine : bytes
        Packed blocks: the traces, and the data of the models for the engine in the browser beside their
        weights, which are empty for a replay.
    code, kernels, weights : Block
        Data that players share: JavaScript, the engine's kernels, and the weights of a set of models.
    in_notebook : bool
        True: the player listens to keys only while it has the focus, and is dark where JupyterLab is.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> trace = model.map_trace(x)
    >>> player = lrbn_viz.notebook.show_trace(trace)
    >>> player.cursor = -1  # the end
    >>> player.cursor == player.end == trace.n_visits
    True
    """

    _esm = LOADER

    code = traitlets.Instance(Block).tag(sync=True, **widget_serialization)
    kernels = traitlets.Instance(Block).tag(sync=True, **widget_serialization)
    weights = traitlets.Instance(Block).tag(sync=True, **widget_serialization)
    trace = traitlets.Bytes(b"").tag(sync=True, to_json=_packed_bytes)
    engine = traitlets.Bytes(b"").tag(sync=True, to_json=_packed_bytes)
    turn = traitlets.Int(0).tag(sync=True)  # counts what was shown: the browser waits for it
    cursor = traitlets.Int(0).tag(sync=True)
    end = traitlets.Int(0, read_only=True).tag(sync=True)
    drawing = traitlets.Instance(np.ndarray, allow_none=True, read_only=True).tag(
        sync=True, to_json=_drawing_to_json, from_json=_drawing_from_json
    )
    hidden = traitlets.Unicode("").tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    unit_order = traitlets.Unicode("number").tag(sync=True)
    reference = traitlets.Unicode("last").tag(sync=True)
    height = traitlets.Int(HEIGHTS[1]).tag(sync=True)
    still = traitlets.Unicode("", read_only=True).tag(sync=True)  # its mark on the picture that stands in
    in_notebook = traitlets.Bool(True, read_only=True).tag(sync=True)

    def __init__(self, shown: Shown, **values: Any) -> None:
        self._shown = shown
        self._from_browser = False
        self._is_displayed = False
        self.set_trait("end", shown.end)
        self.set_trait("still", uuid4().hex)
        code = shared(module_text("view/live/js/notebook.js").encode())
        super().__init__(code=code, kernels=shared(module()), layout=Layout(width="100%"), **values)

    @property
    def models(self) -> bytes:
        """The packed block of the models' parameters."""
        return self.weights.unpacked()

    @property
    def n_visible(self) -> int:
        """Pixels of the image."""
        return self._shown.traces[0].n_v

    def show(self, trace: Trace, other: Trace | None = None, **options: Any) -> None:
        """Show another trace, or two, in place of those shown.

        Parameters
        ----------
        trace, other, **options
            As of :func:`show_trace`. The height, and which panels are hidden, stay as they are where they are
            not given.

        Raises
        ------
        TypeError, ValueError
            As by :func:`show_trace`; nothing is changed then.
        """
        given = signature(show_trace).bind(trace, other, **options)
        given.apply_defaults()
        shown, values = _packed(**given.arguments)
        for trait, option in (("height", "height"), ("hidden", "hide")):
            if option not in options:
                del values[trait]
        self._shown = shown
        with self.hold_sync():  # all in one message
            self.set_trait("end", shown.end)
            self.set_trait("drawing", None)
            self.selected = ""
            for name, value in values.items():
                setattr(self, name, value)
            self.turn += 1
        if self._is_displayed:
            update_display(shown.still(self.still), display_id=self.still, raw=True)

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take over the state from the browser."""
        self._from_browser = True
        try:
            super().set_state(sync_data)
        finally:
            self._from_browser = False

    @traitlets.validate("cursor")
    def _check_cursor(self, proposal: Any) -> int:
        cursor = proposal["value"]
        if self._from_browser or 0 <= cursor <= self.end:
            return cursor
        if cursor == -1:
            return self.end
        raise traitlets.TraitError(
            f"cursor = {cursor} is outside what is shown; expected 0 to {self.end} visits, or -1 for the end."
        )

    @traitlets.validate("hidden", "selected", "unit_order", "reference")
    def _check_choice(self, proposal: Any) -> str:
        name, text = proposal["trait"].name, proposal["value"]
        if self._from_browser:
            return text
        try:
            if name == "hidden":
                text_to_names(text, _HIDDEN)
            elif name == "selected":
                text_to_unit(text, *(trace.n_h for trace in self._shown.traces))
            elif text not in (known := UNIT_ORDERS if name == "unit_order" else REFERENCES):
                raise ValueError(f"expected one of {', '.join(known)}, got {text!r}.")
        except ValueError as error:
            raise traitlets.TraitError(f"{name}: {error}") from None
        return text

    @traitlets.validate("height")
    def _check_height(self, proposal: Any) -> int:
        if proposal["value"] < MIN_HEIGHT:
            raise traitlets.TraitError(
                f"height = {proposal['value']} is too low; expected at least {MIN_HEIGHT} pixels."
            )
        return proposal["value"]

    def __repr__(self) -> str:
        traces = " | ".join(self._shown.in_words().splitlines())
        return f"<NotebookPlayer at visit {self.cursor:,}: {traces}>"

    def _ipython_display_(self) -> None:
        """Display the player, and the picture that replaces it, hidden while the player is there."""
        found: Any = self._repr_mimebundle_()
        data, metadata = found if isinstance(found, tuple) else (found, {})
        display(data, metadata=metadata, raw=True)
        display(self._shown.still(self.still), display_id=self.still, raw=True)
        self._is_displayed = True

    def _display_(self) -> Any:
        """Return the output of marimo: the player, and the picture that replaces it, hidden beside it."""
        marimo: Any = sys.modules["marimo"]  # which calls this
        self._in_marimo = marimo.ui.anywidget(self)  # kept: marimo refers to it by its number alone
        return marimo.Html(self._in_marimo.text + self._shown.still(self.still)["text/html"])

    def to_html(self) -> str:
        """Return the player as a piece of HTML for a page: it needs no kernel, no network, no other script.

        It starts in the current state of the widget. Weights are in it once. If scripts cannot run, it shows
        a picture.
        """
        blocks: dict[str, Block] = {name: getattr(self, name) for name in BLOCKS}
        digests = {name: block.digest for name, block in blocks.items()}
        contents = {block.digest: block.content for block in blocks.values()}
        return piece(self.get_state() | digests, contents) + self._shown.still(self.still)["text/html"]


def show_trace(
    trace: Trace,
    other: Trace | None = None,
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
    trace, other : Trace
        Results of ``map_trace``.
    image_shape : (int, int), optional
        Rows and columns of the image; a square if n_v is one, else a single row, when None.
    title : str
        Name of the image.
    models : sequence of Model, optional
        The model of each trace. Traces of several layers need theirs, as they hold the lowest layer's
        parameters only; others are shown from the parameters that they hold.
    names : sequence of str
        Names of the lanes, such as ``("ICM", "annealed")``; by default the kinds of the models, with a number
        if both are of one kind.
    cursor : int
        Visits shown at first; -1 is the end.
    optimum : float, optional
        ``log P(x, h)`` of the exact MAP state, nats, to mark in the first lane.
    height : int, optional
        Height of the player, in pixels of the screen; room for the lanes when None.
    hide : sequence of str
        Panels to leave out, of ``why``, ``raster``, ``truth``, ``ladder``, ``basins``, ``matrix``, ``mosaic``
        and ``network``; ``?`` in the player brings them back.
    live : bool
        True if the player can infer again in the browser, for models that a live page supports: one can draw
        on the image, hold units, and choose inference, start and seed. The notebook then contains the exact
        weights, which for a trained model take twice as much space. No kernel is needed.

    Raises
    ------
    TypeError
        When an argument is not a trace.
    ValueError
        When the traces are of different images, the shape, the models or the names do not fit them, a model
        is missing, or there is no such panel.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> trace = model.map_trace(x)
    >>> from lrbn_viz.notebook import show_trace
    >>> show_trace(trace, title="a test digit")
    <NotebookPlayer at visit 0: a test digit | LRBN: ...>
    """
    options = {"cursor": cursor, "optimum": optimum, "height": height, "hide": hide, "live": live}
    shown, values = _packed(trace, other, image_shape, title, models=models, names=names, **options)
    return NotebookPlayer(shown, **values)


def _packed(
    trace: Any, other: Any, image_shape: Any, title: str, *, models: Any, names: Any, cursor: int,
    optimum: Any, height: int | None, hide: Sequence[str], live: bool,
) -> tuple[Shown, dict[str, Any]]:  # fmt: skip
    """Return the contents of a player for the arguments of `show_trace`, and its traits."""
    traces = [_checked_trace(each) for each in ([trace] if other is None else [trace, other])]
    if other is not None and not np.array_equal(trace.x, other.x, equal_nan=True):
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
                beliefs=beliefs_of(made, shown) if isinstance(made, LatentVariableModel) else None,
            )
        )
    shown = Shown(traces, titles, shape, title)
    if not -1 <= cursor <= shown.end:
        raise ValueError(
            f"cursor = {cursor} is outside the trace; expected 0 to {shown.end}, or -1 for the end."
        )
    cursor = shown.end if cursor == -1 else cursor
    live = live and all(isinstance(made, LatentVariableModel) and is_live(made) for made in makers)
    if isinstance(hide, str) or not set(hide) <= set(PANELS):
        raise ValueError(f"hide = {hide!r} is no sequence of panels; expected some of {', '.join(PANELS)}.")
    return shown, {
        "weights": shared(pack_models(packed, shape, exact=live)),
        "engine": _engine(packed, [lane.model for lane in lanes], trace, shape) if live else b"",
        "trace": pack_trace(lanes, {"title": title, "cursor": cursor}),
        "cursor": cursor,
        "height": height or HEIGHTS[len(lanes)],
        "hidden": ".".join(panel for panel in PANELS if panel in hide),
    }


def _checked_trace(given: Any) -> Trace:
    """Return a trace, if it is one."""
    if isinstance(given, Trace):
        return given
    kind, call = type(given).__name__, "call show_trace(model.map_trace(x))"
    what = f"a model, {kind}" if isinstance(given, LatentVariableModel) else kind
    raise TypeError(f"expected a trace, as model.map_trace(x) returns it, got {what}; {call}.")


def _engine(models: Mapping[str, Any], shown: Sequence[str], trace: Trace, shape: tuple[int, int]) -> bytes:
    """Return the data for the engine in the browser beside weights and traces: a packed block."""
    binary = trace.units.binary
    arrays: dict[str, NDArray] = {
        "pixels": np.packbits(trace.x == 1) if binary else np.zeros(1, np.uint8),
        "index": np.zeros(1, np.uint32),
        "label": np.zeros(1, np.uint16),
    }
    if not binary:
        arrays["x"] = trace.x.astype(np.float64)
    unknown = unknown_in(trace.x)
    if unknown is not None:
        arrays["unknown"] = np.packbits(unknown)
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
    """Return distinct titles for lanes of models of these kinds."""
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
    """Parameters that the player needs of a model, as far as a trace contains them."""

    short: str
    visible: str
    layers: tuple[tuple[NDArray, NDArray, NDArray], ...]
    factorised: bool = False
    graph: str = "directed"
    latent_names_: tuple[str, ...] = ()
    visible_names_: tuple[str, ...] = ()
    deviations_: None = None

    @property
    def units(self) -> VisibleUnits:
        """The kind of visible units."""
        return UNITS[self.visible]


def _model_of(trace: Trace) -> Any:
    """Return the model that made a trace, or its parameters where the catalogue lacks its kind."""
    if trace.model == "deep":
        raise ValueError(
            f"expected the model of a trace of several layers, got the trace alone, of {trace.n_h} units; "
            "give models=[model], a model for each trace."
        )
    kinds = {kind.model.short.lower(): kind.estimator for kind in SYSTEMS.values()}
    layer = (trace.W, trace.b, trace.d)
    if trace.model not in kinds:
        names: Any = {"latent_names_": trace.latent_names, "visible_names_": trace.visible_names}
        return _Parameters(f"{trace.model} model", trace.visible, (layer,), **names)
    visible: Any = trace.visible
    z = trace.z if isinstance(trace, ICMTrace) else np.zeros(0)
    model = kinds[trace.model].from_params(*layer, visible, **({"z": z} if z.size else {}))
    return model.name_units(trace.latent_names, trace.visible_names)


def _checked(model: LatentVariableModel, trace: Trace) -> LatentVariableModel:
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
