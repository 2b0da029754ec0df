"""What is left of a player where nothing plays: a picture of the traces' end, with its figures in words.

It stands beside the player as an output of its own, out of sight while the player is shown.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from lrbn_viz.animation.settings import Settings
from lrbn_viz.animation.traces import draw_traces, standing
from lrbn_viz.theme import LIGHT
from lrbn_viz.trace import ICMTrace

HOW_TO_MOVE = (
    "To get it moving, run this cell: the player then steps through every visit. A page whose players move "
    "is written by jupyter nbconvert --to html --execute "
    "--HTMLExporter.preprocessors=lrbn_viz.notebook.stand_alone"
)
MARK = "data-lrbn-still"
"""The attribute that says of which player a picture is: notebook.js looks for it."""

_FIGURE = (
    "margin: 0; padding: 6px; width: fit-content; max-width: 100%; "
    f"background: {LIGHT['surface']}; color: {LIGHT['ink']}"
)


class Shown(NamedTuple):
    """What a player shows.

    Attributes
    ----------
    traces : sequence of ICMTrace
        One or two.
    names : sequence of str
        What their lanes are called.
    image_shape : (int, int)
    title : str
        What the image is.
    """

    traces: Sequence[ICMTrace]
    names: Sequence[str]
    image_shape: tuple[int, int]
    title: str

    @property
    def end(self) -> int:
        """Visits of the longest trace."""
        return max(trace.n_visits for trace in self.traces)

    def in_words(self) -> str:
        """Return what there is to see, with its figures, a line for each trace."""
        lines = [self.title] if self.title else []
        return "\n".join([*lines, *map(_figures, self.names, self.traces)])

    def png(self) -> bytes:
        """Return the end of the traces as a picture."""
        frame = draw_traces(
            self.traces,
            self.end,
            image_shape=self.image_shape,
            title=self.title,
            names=self.names,
            settings=Settings("small"),
        )
        file = io.BytesIO()
        # a picture of few colours: half as many bytes
        Image.fromarray(frame).quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
        return file.getvalue()

    def still(self, mark: str) -> dict[str, Any]:
        """Return the picture and its words, as what a notebook shows: by the name of each form.

        `mark` says of which player it is.
        """
        words, png = self.in_words(), base64.b64encode(self.png()).decode()
        lines = "<br>".join(map(html.escape, words.splitlines()))
        return {
            "text/plain": f"{words}\n{HOW_TO_MOVE}",
            "image/png": png,
            "text/html": f'<figure {MARK}="{mark}" style="{_FIGURE}">'
            f'<img alt="{html.escape(words)}" src="data:image/png;base64,{png}" style="max-width: 100%">'
            f"<figcaption>{lines}<br><small>{html.escape(HOW_TO_MOVE)}</small></figcaption></figure>",
        }


def _figures(name: str, trace: ICMTrace) -> str:
    """Return the length of a trace and where it ends, in words."""
    visits, flips = f"{trace.n_visits:,} visits", f"{int(np.count_nonzero(trace.flipped)):,} flips"
    counted = visits if trace.means else f"{visits}, {flips}"
    return f"{name}: {counted}; at the end {standing(trace, trace.n_visits, trace.wrong_pixels())}"
