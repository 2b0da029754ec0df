"""Images side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.view.plots import theme


def image_grid(
    images: ArrayLike,
    image_shape: tuple[int, int],
    *,
    titles: Sequence[str] = (),
    columns: int = 8,
    title: str = "",
    subtitle: str = "",
    signed: bool = False,
    tile: int = 104,
) -> hv.Overlay:
    """Return images in rows of a grid, square pixels, the first row of each image at its top.

    Parameters
    ----------
    images : (n, n_v) array
        Values between 0 (paper) and 1 (ink); or signed values, on a common scale centred at 0.
    image_shape : (int, int)
        Height and width of one image, n_v = height * width.
    titles : sequence of str
        One above each image, or none.
    columns : int
        Images in a row.
    signed : bool
        Orange above 0, blue below, in place of ink.
    tile : int
        Width of one image on the screen, in pixels of the screen.

    Raises
    ------
    ValueError
        The images do not have that shape, or their number is not that of the titles.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> lrbn_viz.plots.image_grid(model.reconstruct(X), (8, 8), titles=["0", "1", "2", "3", "4"])
    :Overlay
    ...
    """
    images = np.asarray(images, np.float32)
    height, width = image_shape
    if images.ndim != 2 or images.shape[1] != height * width:
        raise ValueError(
            f"expected images of shape (n, {height * width}) for image_shape {image_shape}, "
            f"got {images.shape}; flatten each image into one row."
        )
    if titles and len(titles) != len(images):
        raise ValueError(f"expected one title for each of the {len(images)} images, got {len(titles)}.")
    columns = max(1, min(columns, len(images)))
    rows = -(-len(images) // columns)
    # In units of one image's width: a gap between neighbours, and a line of text above each.
    gap, line = 0.12, 0.24 if titles else 0.0
    tall = height / width
    pitch = tall + line + gap
    left = (1 + gap) * (np.arange(len(images)) % columns)
    top = -pitch * (np.arange(len(images)) // columns) - line
    colours = theme.signed(images) if signed else {"cmap": theme.GREYS, "clim": (0, 1)}
    parts: list[Any] = [
        hv.Image(image.reshape(image_shape), bounds=(x, y - tall, x + 1, y)).opts(**colours)
        for image, x, y in zip(images, left, top, strict=True)
    ]
    frames = hv.Rectangles((left, top - tall, left + 1, top))
    parts.append(frames.opts(fill_color=None, line_color=theme.LINE))
    if titles:
        text = hv.Labels((left, top + 0.05, list(titles)))
        parts.append(text.opts(text_align="left", text_baseline="bottom", **theme.NUMBERS))
    return theme.styled(
        hv.Overlay(parts), title, subtitle, xaxis=None, yaxis=None, show_legend=False,
        # One unit is `tile` screen pixels both ways: square pixels.
        frame_width=round(tile * columns * (1 + gap)), frame_height=round(tile * rows * pitch),
        xlim=(-gap / 2, columns * (1 + gap) - gap / 2), ylim=(-rows * pitch + gap / 2, gap / 2),
    )  # fmt: skip
