"""How latents move each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.models import FixedTicker, HoverTool
from bokeh.plotting import figure
from numpy.typing import ArrayLike

from lrbn_viz.plots.theme import colour_bar, new_figure, signed_mapper


def interaction_matrix(
    J: ArrayLike,
    *,
    names: Sequence[str] = (),
    limit: float | None = None,
    title: str = "",
    subtitle: str = "",
    unit: str = "nats",
    size: int = 360,
) -> figure:
    """Return a signed square matrix: blue where two units compete, orange where they help each other.

    Parameters
    ----------
    J : (n, n) array
        Such as ``explain_away(model, x, h)``; row 0 is at the top.
    names : sequence of str
        Of the units; their numbers when empty.
    limit : float, optional
        The value in full colour; the largest of all when None. Give two matrices the same limit to compare
        them. The scale is centred at 0 always.
    unit : str
        Of the values.
    size : int
        Width and height of the matrix on the screen, in pixels of the screen.

    Raises
    ------
    ValueError
        When J is not square, or the names are not as many as its rows.
    """
    J = np.asarray(J, np.float32)
    n = len(J)
    if J.shape != (n, n):
        raise ValueError(f"expected a square matrix (n, n), got shape {J.shape}.")
    if names and len(names) != n:
        raise ValueError(f"expected one name for each of the {n} units, got {len(names)}.")
    # Unit j fills j - 1/2 to j + 1/2, so that a position rounds to the unit's number.
    limits = (-0.5, n - 0.5)
    made: Any = new_figure(
        title,
        subtitle,
        frame_width=size,
        frame_height=size,
        x_range=limits,
        y_range=limits[::-1],
        x_axis_label="" if names else "unit k",
        y_axis_label="" if names else "unit j",
    )
    made.grid.visible = False
    mapper = signed_mapper(float(np.abs(J).max(initial=0.0)) if limit is None else limit)
    drawn = made.image(image=[J], x=-0.5, y=-0.5, dw=n, dh=n, color_mapper=mapper)
    made.add_tools(
        HoverTool(renderers=[drawn], tooltips=[("units j, k", "$y{0}, $x{0}"), (unit, "@image{+0.00}")])
    )
    if names:
        labels = dict(enumerate(names))
        for axis in (*made.xaxis, *made.yaxis):
            axis.ticker = FixedTicker(ticks=list(labels))
            axis.major_label_overrides = labels
        made.xaxis.major_label_orientation = "vertical" if n > 3 else "horizontal"
    made.add_layout(colour_bar(mapper, unit), "right")
    return made
