"""The stage for frames: a figure of which only the moving parts are redrawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.extras import missing_extra
from lrbn_viz.io.theme import FONT
from lrbn_viz.view.animation.settings import Settings

try:
    import matplotlib as mpl
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import to_rgb
    from matplotlib.figure import Figure
    from matplotlib.font_manager import fontManager
    from matplotlib.patches import Rectangle
    from matplotlib.text import Text
except ModuleNotFoundError as missing:
    raise missing_extra("report", "Animations and pictures of traces need", missing) from missing

_DPI = 100
_GREY_MARGIN = 0.25  # of the range of real-valued images: what a model overshoots is seen
HATCH = 6
"""Dots across a pixel of a picture in which some are not known."""
LETTER = 1 / 46
"""Height of a letter by that of the picture: read from the back of a room."""


class Stage:
    """A figure of the settings' size, in their colours.

    Parts that never change are drawn once. Artists passed to `moving` are redrawn in each frame.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.colours = settings.colours
        self.width, self.height = settings.pixels
        self.letter = 72 * LETTER * self.height / _DPI  # points
        self.line = 1.55 * self.letter / 72 * _DPI / self.height  # from one line of words to the next
        self.figure = Figure(
            (self.width / _DPI, self.height / _DPI), dpi=_DPI, facecolor=self.colours["surface"]
        )
        self.canvas = FigureCanvasAgg(self.figure)
        self._moving: list[Artist] = []
        self._still: Any = None

    def axes(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes at shares of the picture, counted from its upper left corner."""
        return self.figure.add_axes((left, 1 - top - height, width, height))

    def text(self, left: float, top: float, words: str = "", *, bold: bool = False, **how: Any) -> Text:
        """Write words with their upper left corner at this position."""
        how = {"color": self.colours["ink"], "fontsize": self.letter} | how
        return self.figure.text(
            left, 1 - top, words, va="top", fontweight="bold" if bold else "normal", parse_math=False, **how
        )

    def picture(
        self, left: float, top: float, width: float, height: float, label: str, shape: tuple[int, int]
    ):
        """Return an image, to be given (rows, columns, 3) colours, as large as fits, over its label."""
        rows, columns = shape
        pixel = min(width * self.width / columns, height * self.height / rows)
        wide, high = columns * pixel / self.width, rows * pixel / self.height
        axes = self.axes(left, top, wide, high)
        axes.set_xticks([])
        axes.set_yticks([])
        for side in axes.spines.values():
            side.set_color(self.colours["line"])
        self.text(left, top + high + 0.012, label, color=self.colours["muted"], fontsize=0.82 * self.letter)
        return self.moving(
            axes.imshow(np.zeros((*shape, 3), np.uint8), interpolation="nearest", aspect="auto")
        )

    def chart(self, left: float, top: float, width: float, height: float) -> Axes:
        """Return axes for curves."""
        axes = self.axes(left, top, width, height)
        axes.set_facecolor(self.colours["surface"])
        axes.grid(axis="y", color=self.colours["line"], linewidth=0.8)
        axes.set_axisbelow(True)
        for name, side in axes.spines.items():
            side.set_visible(name == "bottom")
            side.set_color(self.colours["muted"])
        axes.tick_params(length=0, colors=self.colours["muted"], labelsize=0.78 * self.letter)
        axes.locator_params(nbins=4)
        return axes

    def outline(self, axes: Axes, side: int, colour: str) -> Rectangle:
        """Draw the outline of a square at the origin of axes, and return it."""
        square = Rectangle((0, 0), side, side, fill=False, edgecolor=colour, linewidth=0.16 * self.letter)
        axes.add_patch(square)
        return square

    def moving(self, artist: Any) -> Any:
        """Redraw an artist in each frame, and return it."""
        artist.set_animated(True)
        self._moving.append(artist)
        return artist

    def frame(self) -> NDArray[np.uint8]:
        """Return the picture as it is now; (height, width, 3)."""
        if self._still is None:
            self.canvas.draw()
            self._still = self.canvas.copy_from_bbox(self.figure.bbox)
        self.canvas.restore_region(self._still)
        for artist in self._moving:
            (artist.axes or self.figure).draw_artist(artist)
        return np.asarray(self.canvas.buffer_rgba())[..., :3].copy()


@contextmanager
def in_style() -> Iterator[None]:
    """Use the page's fonts in matplotlib within the context, and restore the earlier ones afterwards."""
    families = [name.strip(' "') for name in FONT.split(",") if name.strip() not in ("-apple-system",)]
    known = {entry.name for entry in fontManager.ttflist}
    usable = [name for name in families if name in known]  # it warns of each that it does not find
    with mpl.rc_context({"font.family": [*usable, "DejaVu Sans"], "axes.unicode_minus": True}):
        yield


def ramp(colours: Mapping[str, Any], shares: ArrayLike) -> NDArray[np.uint8]:
    """Return colours of shares from 0 (ground) to 1 (stroke); shape (..., 3)."""
    return between(colours["ground"], colours["stroke"], shares)


def between(start: str, end: str, shares: ArrayLike) -> NDArray[np.uint8]:
    """Return colours of shares from 0, `start`, to 1, `end`; shape (..., 3)."""
    first, last = np.array([to_rgb(start), to_rgb(end)])
    share = np.clip(np.asarray(shares, np.float64), 0.0, 1.0)[..., None]
    return np.rint(255 * (first + share * (last - first))).astype(np.uint8)


def signed(colours: Mapping[str, Any], values: ArrayLike) -> NDArray[np.uint8]:
    """Return colours of values: orange above zero, blue below, the ground at zero; the largest is full."""
    values = np.asarray(values, np.float64)
    shares = values / max(float(np.abs(values).max(initial=0.0)), 1e-12)
    above, below = (between(colours["ground"], colours[name], np.abs(shares)) for name in ("plus", "minus"))
    return np.where((shares >= 0)[..., None], above, below)


def hatched(
    colours: Mapping[str, Any],
    pixels: NDArray[np.uint8],
    unknown: NDArray[np.bool_] | None,
    filled: bool = False,
) -> NDArray[np.uint8]:
    """Return a picture in which pixels that are not known are hatched.

    Parameters
    ----------
    colours : mapping
        A palette of the theme.
    pixels : (rows, columns, 3) uint8
        Colours of the pixels.
    unknown : (rows, columns) bool or None
        Which are not known; None: all are known, and the picture stays as it is.
    filled : bool
        The colours of unknown pixels are what was filled in: they stay, under thinner lines.

    Returns
    -------
    (rows, columns, 3) or (HATCH * rows, HATCH * columns, 3) uint8
    """
    if unknown is None:
        return pixels
    square = np.ones((HATCH, HATCH), np.uint8)
    made = np.kron(pixels, square[..., None])
    mask = np.kron(unknown, square).astype(bool)
    down, across = np.indices(mask.shape)
    place = (down + across) % HATCH
    if not filled:
        made[mask] = between(colours["line"], colours["line"], 0.0)
    made[mask & (place < (1 if filled else 2))] = between(colours["muted"], colours["muted"], 0.0)
    return made


def grey(values: NDArray, images: NDArray) -> NDArray[np.float64]:
    """Return shares of black and white for values beside real-valued images; NaN is not known."""
    low, high = float(np.nanmin(images)), float(np.nanmax(images))
    margin = _GREY_MARGIN * max(high - low, 1e-9)
    return (np.asarray(values, np.float64) - low + margin) / (high - low + 2 * margin)


def number(value: float, digits: int = 1) -> str:
    """Return a number as sentences have it: with a true minus, and no zero below zero."""
    text = f"{value:.{digits}f}"
    return (text[1:] if text.strip("-0.") == "" and text.startswith("-") else text).replace(
        "-", "\N{MINUS SIGN}"
    )


def count(number_of: int, one: str) -> str:
    """Return "1 wrong pixel", "5 wrong pixels"."""
    return f"{number_of:,} {one}{'s' * (number_of != 1)}"


def thinned(moments: NDArray[np.intp], most: int) -> NDArray[np.intp]:
    """Return at most `most` of some moments, evenly, with the first and the last of them."""
    if len(moments) <= most:
        return moments
    return moments[np.unique(np.rint(np.linspace(0, len(moments) - 1, most)).astype(np.intp))]
