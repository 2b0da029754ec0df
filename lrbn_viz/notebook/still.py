"""Static replacement of a player: a picture of the traces' final states, with their figures in words.

It stands beside the player as an output of its own, out of sight while the player is shown.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, NamedTuple

from lrbn_viz.core.trace import Trace
from lrbn_viz.view.animation.still import draw_end, figure_html, figures_in_words
from lrbn_viz.view.player.panels import STILL

HOW_TO_MOVE = (
    "To get it moving, run this cell: the player then steps through every visit. A page whose players move "
    "is written by jupyter nbconvert --to html --execute "
    "--HTMLExporter.preprocessors=lrbn_viz.notebook.stand_alone"
)


class Shown(NamedTuple):
    """The contents of a player.

    Attributes
    ----------
    traces : sequence of Trace
        One or two.
    names : sequence of str
        What their lanes are called.
    image_shape : (int, int)
    title : str
        What the image is.
    """

    traces: Sequence[Trace]
    names: Sequence[str]
    image_shape: tuple[int, int]
    title: str

    @property
    def end(self) -> int:
        """Visits of the longest trace."""
        return max(trace.n_visits for trace in self.traces)

    def in_words(self) -> str:
        """Return a description with figures, one line for each trace."""
        lines = [self.title] if self.title else []
        return "\n".join([*lines, *map(figures_in_words, self.traces, self.names)])

    def still(self, mark: str) -> dict[str, Any]:
        """Return the picture and its words as a notebook's display data, by MIME type.

        `mark` says of which player it is.
        """
        words = self.in_words()
        png = draw_end(self.traces, image_shape=self.image_shape, title=self.title, names=self.names)
        return {
            "text/plain": f"{words}\n{HOW_TO_MOVE}",
            "image/png": base64.b64encode(png).decode(),
            "text/html": figure_html(png, words, HOW_TO_MOVE, f'{STILL}="{mark}"'),
        }
