"""The Generate page's view, as a Panel component."""

from __future__ import annotations

from typing import ClassVar

import param

from lrbn_viz.app.generate.state import MAX_STEPS
from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Int, Kinds, OneOf, Str
from lrbn_viz.io.constants import MAX_PASSES, WALK_WAYS
from lrbn_viz.view.player.source import module_text


class Generator(Component):
    """Passes of both models, and the interpolation between two codes, in the browser.

    Attributes
    ----------
    models, passes, walks : bytes
        What `models_of`, `passes_of` and `walks_of` return.
    """

    models = param.Bytes(default=b"")
    passes = param.Bytes(default=b"")
    walks = param.Bytes(default=b"")

    _esm: ClassVar[str] = module_text("app/generate/js/generate.js")

    kinds: ClassVar[Kinds] = {
        "cursor": {"shown": Int(-1, MAX_PASSES), "step": Int(-1, MAX_STEPS)},
        "hold": {"lane": Int(0, 1), "unit": Int(-1, 2**16), "state": OneOf("on", "off", "free")},
        "more": {},
        "walk": {"start": Str(10), "end": Str(10), "way": OneOf(*WALK_WAYS)},
        "walked": {"at": Int(0, 1000)},
        "narrow": {},
    }
