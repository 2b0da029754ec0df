"""A canvas for figures that need no browser and no plotting library: text, lines, pixels, and axes."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

INK = "#17202a"
MUTED = "#566270"
LINE = "#dbe0e6"
GROUND = "#ffffff"
PLUS = "#c94f00"
MINUS = "#0067b0"
SERIES = ("#00755a", "#7b4bb3", "#d98a00", "#0067b0", "#b3261e", "#566270")

DENSITY = 2
"""Pixels of the picture per point."""

_DRAWN = 2 * DENSITY
"""Pixels per point while drawing; halved at the end, so that slanted lines have smooth edges."""


def rgb(colour: str) -> NDArray[np.float64]:
    """Return red, green and blue, 0 to 255, of a colour such as "#c94f00"."""
    return np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)], np.float64)


def text_width(text: str, size: float = 11) -> float:
    """Return how many points wide a line of text is."""
    return ImageFont.load_default(size * _DRAWN).getlength(text) / _DRAWN


class Canvas:
    """A white page; all lengths are points, from its upper left corner.

    Parameters
    ----------
    width, height : float
    """

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        size = (math.ceil(width) * _DRAWN, math.ceil(height) * _DRAWN)
        self._page = Image.new("RGB", size, GROUND)
        self._draw = ImageDraw.Draw(self._page)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 11,
        colour: str = INK,
        anchor: str = "ls",
        halo: float = 0,
    ) -> None:
        """Write a line; `anchor` names the point of the text at (x, y): l, m, r and a, m, s (baseline).

        With a `halo` of so many points nothing that was drawn before runs through the letters.
        """
        font = ImageFont.load_default(size * _DRAWN)
        self._draw.text(
            (x * _DRAWN, y * _DRAWN),
            text,
            fill=colour,
            font=font,
            anchor=anchor,
            stroke_width=halo * _DRAWN,
            stroke_fill=GROUND,
        )

    def line(
        self, points: Sequence[tuple[float, float]], colour: str = INK, width: float = 1.5, dash: float = 0
    ) -> None:
        """Draw a line through points; dashes and gaps of `dash` points each, if any."""
        drawn = [(x * _DRAWN, y * _DRAWN) for x, y in points]
        if not dash:
            self._draw.line(drawn, colour, round(width * _DRAWN), joint="curve")
            return
        for (x0, y0), (x1, y1) in pairwise(drawn):
            length, step = math.hypot(x1 - x0, y1 - y0), dash * _DRAWN
            for at in np.arange(0.0, length, 2 * step):
                ends = (at / length, min(at + step, length) / length)
                self._draw.line(
                    [(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in ends], colour, round(width * _DRAWN)
                )

    def area(self, points: Sequence[tuple[float, float]], colour: str) -> None:
        """Fill a polygon."""
        self._draw.polygon([(x * _DRAWN, y * _DRAWN) for x, y in points], fill=colour)

    def box(self, x: float, y: float, width: float, height: float, colour: str = LINE) -> None:
        """Draw a thin frame."""
        corners = (x * _DRAWN, y * _DRAWN, (x + width) * _DRAWN, (y + height) * _DRAWN)
        self._draw.rectangle(corners, outline=colour, width=_DRAWN // 2)

    def dot(self, x: float, y: float, colour: str, radius: float = 4, filled: bool = True) -> None:
        """Draw a disc, or a ring."""
        around = [(v + s * radius) * _DRAWN for s in (-1, 1) for v in (x, y)]
        self._draw.ellipse(around, fill=colour if filled else GROUND, outline=colour, width=3 * _DRAWN // 2)

    def diamond(self, x: float, y: float, colour: str, radius: float = 6) -> None:
        """Draw a hollow diamond."""
        corners = [(x, y - radius), (x + radius, y), (x, y + radius), (x - radius, y)]
        self.area(corners, GROUND)
        self.line([*corners, corners[0]], colour, 1.5)

    def picture(self, x: float, y: float, colours: NDArray[np.uint8], zoom: int) -> None:
        """Put pixels, (height, width, 3) uint8, `zoom` pixels of the finished picture wide each."""
        large = colours.repeat(zoom * _DRAWN // DENSITY, axis=0).repeat(zoom * _DRAWN // DENSITY, axis=1)
        at = (round(x * DENSITY) * _DRAWN // DENSITY, round(y * DENSITY) * _DRAWN // DENSITY)
        self._page.paste(Image.fromarray(large), at)

    def save(self, path: Path) -> None:
        """Write the page as PNG, whole or not at all."""
        partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
        try:
            self._page.reduce(_DRAWN // DENSITY).save(partial, format="PNG")
            os.replace(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers between two, at most so many."""
    span = max(high - low, 1e-9)
    step = 10.0 ** math.floor(math.log10(span / most))
    while span / step > most:
        step *= 2.5 if f"{step:e}"[0] == "2" else 2.0
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


class Axes:
    """Coordinates of a chart on a canvas.

    Parameters
    ----------
    canvas : Canvas
    box : (left, top, width, height)
        Of the inside, in points.
    x_range, y_range : (low, high)
    log_x : bool
        Powers of ten at equal distances.
    """

    def __init__(
        self,
        canvas: Canvas,
        box: tuple[float, float, float, float],
        x_range: tuple[float, float],
        y_range: tuple[float, float],
        log_x: bool = False,
    ) -> None:
        self.canvas, self.box, self.log_x = canvas, box, log_x
        self.x_range = tuple(map(math.log10, x_range)) if log_x else x_range
        self.y_range = y_range

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the page."""
        left, top, width, height = self.box
        across = (math.log10(x) if self.log_x else x) - self.x_range[0]
        up = (y - self.y_range[0]) / (self.y_range[1] - self.y_range[0])
        return left + width * across / (self.x_range[1] - self.x_range[0]), top + height * (1.0 - up)

    def frame(self, x_label: str = "", y_label: str = "") -> None:
        """Draw grid, numbers and the names of the axes."""
        left, top, width, height = self.box
        low, high = self.x_range
        exponents = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
        marks = [10.0**e for e in exponents] if self.log_x else ticks(low, high)
        for value in ticks(*self.y_range):
            y = self.at(10.0**low if self.log_x else low, value)[1]
            self.canvas.line([(left, y), (left + width, y)], LINE, 0.75)
            self.canvas.text(left - 6, y, f"{value:g}", size=10, colour=MUTED, anchor="rm")
        for value in marks:
            x = self.at(value, self.y_range[0])[0]
            self.canvas.line([(x, top + height), (x, top + height + 3)], MUTED, 0.75)
            told = f"{value:,.0f}" if self.log_x else f"{value:g}"
            self.canvas.text(x, top + height + 6, told, size=10, colour=MUTED, anchor="ma")
        self.canvas.line([(left, top + height), (left + width, top + height)], MUTED, 0.75)
        if x_label:
            self.canvas.text(left + width, top + height + 22, x_label, colour=MUTED, anchor="ra")
        if y_label:
            self.canvas.text(left - 30, top - 10, y_label, colour=MUTED)


def apart(heights: Sequence[float], least: float, lowest: float = math.inf) -> list[float]:
    """Return heights moved so that neighbours are at least so far apart and none is below `lowest`."""
    order = np.argsort(heights)
    moved = [float(heights[n]) for n in order]
    for n in range(1, len(moved)):
        moved[n] = max(moved[n], moved[n - 1] + least)
    if moved and moved[-1] > lowest:
        moved[-1] = lowest
        for n in range(len(moved) - 2, -1, -1):
            moved[n] = min(moved[n], moved[n + 1] - least)
    found = [0.0] * len(moved)
    for n, height in zip(order, moved, strict=True):
        found[n] = height
    return found
