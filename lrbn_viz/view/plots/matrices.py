"""Influence of the latents on each other."""

from __future__ import annotations

from collections.abc import Sequence

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.view.plots.theme import signed, styled


def interaction_matrix(
    J: ArrayLike,
    *,
    names: Sequence[str] = (),
    limit: float | None = None,
    title: str = "",
    subtitle: str = "",
    unit: str = "nats",
    size: int = 360,
) -> hv.Image:
    """Return a signed square matrix: blue where two latents compete, orange where they help each other.

    Parameters
    ----------
    J : (n, n) array
        Such as ``explain_away(model, x, h)``; row 0 is at the top.
    names : sequence of str
        Names of the latents; their numbers when empty.
    limit : float, optional
        The value in full colour; by default the largest one. Give two matrices the same limit to compare
        them. The scale is centred at 0.
    unit : str
        Unit of the values.
    size : int
        Width and height of the matrix on the screen, in pixels of the screen.

    Raises
    ------
    ValueError
        J is not square, or its number of rows is not that of the names.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> trace = model.map_trace(x)
    >>> J = lrbn_viz.explain_away(model, x, trace.latents(trace.n_visits))
    >>> lrbn_viz.plots.interaction_matrix(J)
    :Image [k,j] (interaction)
    """
    J = np.asarray(J, np.float32)
    n = len(J)
    if J.shape != (n, n):
        raise ValueError(f"expected a square matrix (n, n), got shape {J.shape}.")
    if names and len(names) != n:
        raise ValueError(f"expected one name for each of the {n} latents, got {len(names)}.")
    value = hv.Dimension("J", label="interaction", unit=unit)
    made = hv.Image((np.arange(n), np.arange(n), J), ["k", "j"], value)
    ticks = list(enumerate(names)) if names else 6
    return styled(
        made, title, subtitle, frame_width=size, frame_height=size, invert_yaxis=True, colorbar=True,
        xticks=ticks, yticks=ticks, xlabel="" if names else "latent k", ylabel="" if names else "latent j",
        xrotation=90 if names and n > 3 else 0, tools=["hover"], **signed(J, limit, unit),
    )  # fmt: skip
