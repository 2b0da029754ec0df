"""Why one unit is on or off."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from bokeh.layouts import row
from bokeh.models import ColumnDataSource, LabelSet, Row, Span
from bokeh.plotting import figure
from numpy.typing import NDArray

from lrbn_viz.plots.theme import INK, LINE, MINUS, MUTED, PLUS, colour_bar, new_figure, signed_mapper


class Terms(Protocol):
    """What `log_odds_terms` returns."""

    @property
    def prior(self) -> float: ...  # noqa: D102
    @property
    def evidence(self) -> NDArray[np.float64]: ...  # noqa: D102
    @property
    def explained_away(self) -> NDArray[np.float64]: ...  # noqa: D102
    @property
    def log_odds(self) -> float: ...  # noqa: D102


def why_bars(terms: Terms, *, title: str = "", subtitle: str = "", width: int = 280) -> figure:
    """Return the three terms of one unit's log-odds as bars, each beginning where the one above ends.

    Parameters
    ----------
    terms : LogOddsTerms
        What ``log_odds_terms(model, x, h, j)`` returns.
    """
    prior, seen, away = terms.prior, float(terms.evidence.sum()), -float(terms.explained_away.sum())
    names = ["prior", "evidence", "explained away", "log-odds"]
    begins = np.array([0.0, prior, prior + seen, 0.0])
    values = np.array([prior, seen, away, terms.log_odds])
    ends = begins + values
    low, high = min(0.0, ends.min()), max(0.0, ends.max())
    room = 0.22 * max(high - low, 1e-9)  # for the numbers beyond the bars
    made: Any = new_figure(
        title,
        subtitle,
        frame_width=width,
        frame_height=200,
        x_axis_label="nats",
        x_range=(low - room, high + room),
        y_range=names[::-1],
    )
    made.ygrid.visible = False
    source = ColumnDataSource(
        {
            "name": names,
            "from": begins,
            "to": ends,
            "colour": [PLUS if value >= 0 else MINUS for value in values],
            "text": [f"{value:+.2f}".replace("-", "\u2212") for value in values],
            "align": ["left" if value >= 0 else "right" for value in values],
            "offset": [6 if value >= 0 else -6 for value in values],
        }
    )
    made.hbar(
        y="name", left="from", right="to", height=0.6, fill_color="colour", line_color=None, source=source
    )
    made.add_layout(Span(location=0.0, dimension="height", line_color=MUTED))
    made.add_layout(Span(location=1.0, dimension="width", line_color=LINE))
    made.add_layout(
        LabelSet(
            x="to",
            y="name",
            text="text",
            text_align="align",
            x_offset="offset",
            text_baseline="middle",
            text_font_size="14px",
            text_color=INK,
            source=source,
        )
    )
    made.yaxis.major_label_text_color = INK
    return made


def pixel_map(
    values: NDArray,
    image_shape: tuple[int, int],
    *,
    limit: float | None = None,
    title: str = "",
    bar: bool = True,
    size: int = 170,
) -> figure:
    """Return one signed value per pixel as an image: orange above 0, blue below, square pixels.

    Parameters
    ----------
    values : (n_v,) array
        In nats.
    limit : float, optional
        The value in full colour; the largest of all when None.
    bar : bool
        Draw the colour bar.
    size : int
        Width of the image on the screen, in pixels of the screen.
    """
    height, width = image_shape
    image = np.asarray(values, np.float32).reshape(image_shape)
    mapper = signed_mapper(float(np.abs(image).max(initial=0.0)) if limit is None else limit)
    made: Any = new_figure(
        title,
        frame_width=size,
        frame_height=round(size * height / width),
        x_range=(0, width),
        y_range=(height, 0),
    )
    made.axis.visible = False
    made.grid.visible = False
    made.outline_line_color = LINE
    made.image(image=[image], x=0, y=0, dw=width, dh=height, color_mapper=mapper)
    if bar:
        made.add_layout(colour_bar(mapper, "nats"), "right")
    return made


def why(
    terms: Terms, image_shape: tuple[int, int], *, title: str = "", subtitle: str = "", size: int = 170
) -> Row:
    """Return the bars of :func:`why_bars` beside the evidence and the explained-away term, pixel by pixel.

    The two maps share one scale, and the second shows what is taken away with its minus sign: where it is as
    blue as the first is orange, another unit already accounts for the pixel.
    """
    limit = float(max(np.abs(terms.evidence).max(), np.abs(terms.explained_away).max()))
    return row(
        why_bars(terms, title=title, subtitle=subtitle),
        pixel_map(terms.evidence, image_shape, limit=limit, title="evidence", bar=False, size=size),
        pixel_map(-terms.explained_away, image_shape, limit=limit, title="explained away", size=size),
        spacing=12,
    )
