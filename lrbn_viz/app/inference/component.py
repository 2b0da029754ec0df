"""The player, the gallery, and the list of panels in sight, as Panel components."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Int, Kinds, OneOf, Str, Typed
from lrbn_viz.io.constants import MAX_NAME_LENGTH
from lrbn_viz.view.player.source import PLAYER, module_text

_UNITS = 2**16  # above the units of any model
_ROWS = 2**31 - 1


class TracePlayer(Component):
    """Replay of packed traces in the browser.

    Attributes
    ----------
    models, trace : bytes
        What `pack_models` and `pack_trace` return. Setting `trace` shows it; `models` must hold its models.
    cursor : int
        Number of visits shown. The browser reports it when the cursor rests; setting it moves the cursor.
    basins : bytes
        Result of `basins_of`; shown as long as the trace is of the same image.
    usage : bytes
        Result of `count_usage`, for the order of units by usage.
    selected, unit_order, reference, hidden, present, captions : str
        The selected unit, the order of units, the reference of its log-odds, the hidden parts, and presenter
        mode with its captions, as in addresses. Both sides change them.
    menus : list of dict
        Options in each lane's header and the chosen ones, as `menus_of` returns them.
    story : list of dict
        Captions of the first traces, as in `FirstLook.story`; empty: none.
    back : str
        Title of the page that a button leads back to, from which the models came; empty: no button.
    offers_images, offers_drawing, offers_holding, offers_names, offers_basins, offers_models, offers_usage
        True if the player shows buttons for other images, tools that change the image, buttons that hold
        a unit on or off, a field that names a unit, asks for the optima of the image shown, offers models of
        which everything is known, and asks how often each unit is on.
    """

    models = param.Bytes(default=b"")
    trace = param.Bytes(default=b"")
    basins = param.Bytes(default=b"")
    cursor = param.Integer(default=0, bounds=(0, 2**31 - 1))
    usage = param.Bytes(default=b"")
    selected = param.String(default="")
    unit_order = param.String(default="number")
    reference = param.String(default="last")
    hidden = param.String(default="")
    present = param.String(default="")
    captions = param.String(default="on")
    menus = param.List(default=[], item_type=dict)
    story = param.List(default=[], item_type=dict)
    back = param.String(default="")
    offers_images = param.Boolean(default=False)
    offers_drawing = param.Boolean(default=False)
    offers_holding = param.Boolean(default=False)
    offers_names = param.Boolean(default=False)
    offers_basins = param.Boolean(default=False)
    offers_models = param.Boolean(default=False)
    offers_usage = param.Boolean(default=False)

    _esm: ClassVar[str] = module_text(PLAYER)

    kinds: ClassVar[Kinds] = {
        "image": {"way": OneOf("previous", "next", "random")},
        "draw": {"bits": Str(2**16)},
        "hold": {"unit": Int(-1, _UNITS), "state": OneOf("on", "off", "free"), "lane": Int(0, 1)},
        "name": {"unit": Int(0, _UNITS), "name": Str(MAX_NAME_LENGTH), "lane": Int(0, 1)},
        "lane": {
            "lane": Int(0, 1),
            "part": OneOf("model", "algorithm", "start", "seed"),
            "value": Typed(300),
        },
        "swap": {},
        "to_training": {},
        "basins": {"key": Str(300), "lane": Int(0, 1)},
        "climb": {"key": Str(300), "row": Int(0, _ROWS), "lane": Int(0, 1)},
        "compare": {"model": Str(100)},
        "usage": {},
        "narrow": {},
    }
    set_by_browser: ClassVar[frozenset[str]] = frozenset(
        {"cursor", "selected", "unit_order", "reference", "hidden", "present", "captions"}
    )

    def __init__(
        self,
        *,
        on_image: Callable[[str], None] | None = None,
        on_draw: Callable[[str], None] | None = None,
        on_hold: Callable[[int, str, int], None] | None = None,
        on_name: Callable[[int, str, int], None] | None = None,
        on_lane: Callable[[int, str, str], None] | None = None,
        on_swap: Callable[[], None] | None = None,
        on_back: Callable[[], None] | None = None,
        on_basins: Callable[[str, int], None] | None = None,
        on_climb: Callable[[str, int, int], None] | None = None,
        on_compare: Callable[[str], None] | None = None,
        on_usage: Callable[[], None] | None = None,
        on_narrow: Callable[[], None] | None = None,
        **params: Any,
    ) -> None:
        answers = {
            "image": on_image,
            "draw": on_draw,
            "hold": on_hold,
            "name": on_name,
            "lane": on_lane,
            "swap": on_swap,
            "to_training": on_back,
            "basins": on_basins,
            "climb": on_climb,
            "compare": on_compare,
            "usage": on_usage,
            "narrow": on_narrow,
        }
        super().__init__(
            {kind: answer for kind, answer in answers.items() if answer is not None},
            offers_images=on_image is not None,
            offers_drawing=on_draw is not None,
            offers_holding=on_hold is not None,
            offers_names=on_name is not None,
            offers_basins=on_basins is not None and on_climb is not None,
            offers_models=on_compare is not None,
            offers_usage=on_usage is not None,
            **params,
        )


class ImageGallery(Component):
    """Thumbnails of images, by class, one of them chosen.

    Attributes
    ----------
    images : bytes
        A packed block: ``pixels`` (one bit each), ``index`` (uint32, row in the data set) and
        ``label`` (uint16), with the class names and the image shape in its metadata.
    chosen : int
        Row of the chosen image in the data set; -1 if the shown image is none of these.
    own : str
        Note that the image is the visitor's own; empty for an image of the data set.
    shown_class : int
        Class whose images are shown; -1 for all.
    """

    images = param.Bytes(default=b"")
    chosen = param.Integer(default=0, bounds=(-1, None))
    own = param.String(default="")
    shown_class = param.Integer(default=-1, bounds=(-1, None))

    _esm: ClassVar[str] = module_text("app/inference/js/gallery.js")

    kinds: ClassVar[Kinds] = {
        "choose": {"row": Int(0, _ROWS)},
        "class": {"label": Int(-1, _UNITS)},
        "more": {},
    }

    def __init__(
        self,
        *,
        on_choose: Callable[[int], None],
        on_class: Callable[[int], None],
        on_more: Callable[[], None],
        **params: Any,
    ) -> None:
        super().__init__({"choose": on_choose, "class": on_class, "more": on_more}, **params)


class ViewsMenu(Component):
    """A check box for each panel, and a dialog that writes a link without some controls.

    Attributes
    ----------
    panels, tools : list of (str, str)
        Name and title of each panel, and of each control that a link may leave out.
    hidden : str
        Hidden panels and controls, as `names_to_text` writes them; both sides change it.
    setting : str
        Its name in addresses.
    """

    panels = param.List(default=[], item_type=tuple)
    tools = param.List(default=[], item_type=tuple)
    hidden = param.String(default="")
    setting = param.String(default="")

    set_by_browser: ClassVar[frozenset[str]] = frozenset({"hidden"})

    _esm: ClassVar[str] = module_text("app/inference/js/views.js")
