"""Images side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from bokeh.plotting import figure
from numpy.typing import ArrayLike

from lrbn_viz.plots.theme import INK, LINE, ink_mapper, new_figure, signed_mapper


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
) -> figure:
    """Return images in rows of a grid, square pixels, the first row of each image at its top.

    Parameters
    ----------
    images : (n, n_v) array
        Between 0 (paper) and 1 (ink); or of either sign, on a scale shared by all and centred at 0.
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
        When the images do not have that shape, or the titles are not as many.
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
    made: Any = new_figure(
        title,
        subtitle,
        # One unit is `tile` screen pixels both ways: square pixels.
        frame_width=round(tile * columns * (1 + gap)),
        frame_height=round(tile * rows * pitch),
        x_range=(-gap / 2, columns * (1 + gap) - gap / 2),
        y_range=(-rows * pitch + gap / 2, gap / 2),
    )
    made.axis.visible = False
    made.grid.visible = False
    left = [(i % columns) * (1 + gap) for i in range(len(images))]
    bottom = [-(i // columns) * pitch - line - tall for i in range(len(images))]
    made.image(
        # A Bokeh image begins at its bottom row.
        image=[image.reshape(image_shape)[::-1] for image in images],
        x=left,
        y=bottom,
        dw=1.0,
        dh=tall,
        color_mapper=signed_mapper(float(np.abs(images).max(initial=0.0))) if signed else ink_mapper(),
    )
    made.block(x=left, y=bottom, width=1.0, height=tall, fill_color=None, line_color=LINE)
    if titles:
        made.text(
            x=left,
            y=[y + tall + 0.05 for y in bottom],
            text=list(titles),
            text_font_size="13px",
            text_color=INK,
        )
    return made
