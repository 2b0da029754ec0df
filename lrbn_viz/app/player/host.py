"""The player, the gallery and the menus as Panel components."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import param
from panel.custom import JSComponent
from panel.io import state
from panel.io.state import set_curdoc

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.events import Event

from lrbn_viz.app.player.source import CHOICE_PARTS, GALLERY_PARTS, PLAYER_PARTS, module_text


class _Speaking(JSComponent):
    """A component whose browser side sends messages.

    Attributes
    ----------
    live : bool
        Whether the page is whole, so that words from the browser and changes to it arrive. Until then the
        browser keeps what it has to say.
    """

    live = param.Boolean(default=False)

    _render_policy = "manual"

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        state.onload(self._go_live)

    def _go_live(self) -> None:
        self.live = True

    def _process_bokeh_event(self, doc: Document, event: Event) -> None:
        # Panel also keeps a list of who is busy, which nothing here shows: a third of what a message costs.
        with set_curdoc(doc):
            self._process_event(event)


class TracePlayer(_Speaking):
    """Replays packed traces in the browser.

    Attributes
    ----------
    models, trace : bytes
        What `pack_models` and `pack_trace` return. Setting `trace` shows it; `models` must hold its models.
    cursor : int
        Visits shown. The browser reports it once the cursor rests; setting it moves the player there.
    basins : bytes
        What `pack_basins` returns; shown while the trace is of the image it was made for.
    usage : bytes
        What `count_usage` returns, for the order of units by usage.
    selected, unit_order, hidden : str
        The unit asked about, the order of units, and what is out of sight, as the addresses write them. Both
        sides change them.
    offers_images, offers_drawing, offers_holding, offers_basins, offers_models, offers_usage : bool
        Whether the player shows buttons for other images, tools that change the image, buttons that hold
        a unit of the first lane on or off, asks for the optima of the image shown, offers models of
        which everything is known, and asks how often each unit is on.
    """

    models = param.Bytes(default=b"")
    trace = param.Bytes(default=b"")
    basins = param.Bytes(default=b"")
    cursor = param.Integer(default=0, bounds=(0, None))
    usage = param.Bytes(default=b"")
    selected = param.String(default="")
    unit_order = param.String(default="number")
    hidden = param.String(default="")
    offers_images = param.Boolean(default=False)
    offers_drawing = param.Boolean(default=False)
    offers_holding = param.Boolean(default=False)
    offers_basins = param.Boolean(default=False)
    offers_models = param.Boolean(default=False)
    offers_usage = param.Boolean(default=False)

    _esm: ClassVar[str] = module_text(PLAYER_PARTS)

    # What the browser may say: the name and type of each argument, in the callback's order.
    _WORDS: ClassVar[dict[str, dict[str, type]]] = {
        "image": {"way": str},
        "draw": {"bits": str},
        "hold": {"unit": int, "state": str},
        "basins": {"key": str},
        "climb": {"key": str, "row": int},
        "compare": {"model": str},
        "usage": {},
        "narrow": {},
    }

    def __init__(
        self,
        *,
        on_image: Callable[[str], None] | None = None,
        on_draw: Callable[[str], None] | None = None,
        on_hold: Callable[[int, str], None] | None = None,
        on_basins: Callable[[str], None] | None = None,
        on_climb: Callable[[str, int], None] | None = None,
        on_compare: Callable[[str], None] | None = None,
        on_usage: Callable[[], None] | None = None,
        on_narrow: Callable[[], None] | None = None,
        **params: Any,
    ) -> None:
        super().__init__(
            offers_images=on_image is not None,
            offers_drawing=on_draw is not None,
            offers_holding=on_hold is not None,
            offers_basins=on_basins is not None and on_climb is not None,
            offers_models=on_compare is not None,
            offers_usage=on_usage is not None,
            **params,
        )
        self._answers: dict[str, Callable[..., None] | None] = {
            "image": on_image,
            "draw": on_draw,
            "hold": on_hold,
            "basins": on_basins,
            "climb": on_climb,
            "compare": on_compare,
            "usage": on_usage,
            "narrow": on_narrow,
        }

    def _handle_msg(self, data: Any) -> None:
        kind = data.get("type") if isinstance(data, dict) else None
        callback = self._answers.get(str(kind))
        if callback is None:
            return
        words = self._WORDS[str(kind)]
        values = [data.get(name) for name in words]
        if all(isinstance(value, kind) for value, kind in zip(values, words.values(), strict=True)):
            callback(*values)


class ImageGallery(_Speaking):
    """Thumbnails of images, by class, one of them chosen.

    Attributes
    ----------
    images : bytes
        A packed block: ``pixels`` (one bit each), ``index`` (uint32, row in the data set) and
        ``label`` (uint16), with the class names and the image shape in its metadata.
    chosen : int
        Row of the chosen image in the data set; -1 where what is shown is none of these.
    shown_class : int
        Class to which the gallery is narrowed, -1 for all.
    """

    images = param.Bytes(default=b"")
    chosen = param.Integer(default=0, bounds=(-1, None))
    shown_class = param.Integer(default=-1, bounds=(-1, None))

    _esm: ClassVar[str] = module_text(GALLERY_PARTS)

    def __init__(
        self,
        *,
        on_choose: Callable[[int], None],
        on_class: Callable[[int], None],
        on_more: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._callbacks: dict[str, Callable[[int], None]] = {
            "choose": on_choose,
            "class": on_class,
            "more": lambda _: on_more(),
        }

    def _handle_msg(self, data: Any) -> None:
        if not isinstance(data, dict) or not isinstance(data.get("value"), int):
            return
        callback = self._callbacks.get(str(data.get("type")))
        if callback is not None:
            callback(data["value"])


class Choice(_Speaking):
    """A labelled menu, of which one entry is chosen.

    Attributes
    ----------
    label : str
        What is chosen, in words.
    options : list of (str, str)
        Value and title of each entry.
    value : str
        The chosen one.
    """

    label = param.String(default="")
    options = param.List(default=[], item_type=tuple)
    value = param.String(default="")

    _esm: ClassVar[str] = module_text(CHOICE_PARTS)

    def _handle_msg(self, data: Any) -> None:
        value = data.get("value") if isinstance(data, dict) else None
        if any(value == known for known, _ in self.options):
            self.value = value
