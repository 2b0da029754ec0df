"""Images in rows: what is reconstructed, what is drawn from a model, and its filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.lrbn.model import most_probable_visible
from lrbn_viz.reproduce.drawing import DENSITY, GROUND, INK, LINE, MINUS, MUTED, PLUS, Canvas, rgb, text_width
from lrbn_viz.reproduce.measure import Model, codes

COLUMNS = 16
GAP = 6
LEFT = 96
"""Points for the names of rows."""

SWEEPS = 200
"""Of annealing, in the strips."""

PICKS = 3
"""Seed of the images that are shown: not chosen by their looks."""


def ink(image: NDArray, image_shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return colours of pixels from 0 (paper) to 1 (ink); (height, width, 3)."""
    share = image.reshape(image_shape)[..., None].astype(np.float64)
    return (rgb(GROUND) + share * (rgb(INK) - rgb(GROUND))).round().astype(np.uint8)


def marked(guess: NDArray, image: NDArray, image_shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return colours of a reconstruction: ink that is too much in orange, ink that is missing in blue."""
    colours = ink(guess, image_shape)
    wrong = guess.astype(int).reshape(image_shape) - image.astype(int).reshape(image_shape)
    colours[wrong > 0], colours[wrong < 0] = rgb(PLUS), rgb(MINUS)
    return colours


def signed(values: NDArray, image_shape: tuple[int, int], limit: float) -> NDArray[np.uint8]:
    """Return colours of values of either sign: orange above 0, blue below, paper at 0."""
    share = np.clip(values.reshape(image_shape)[..., None] / max(limit, 1e-9), -1.0, 1.0)
    ends = np.where(share > 0, rgb(PLUS), rgb(MINUS))
    return (rgb(GROUND) + np.abs(share) * (ends - rgb(GROUND))).round().astype(np.uint8)


class Row:
    """Images beside each other.

    Parameters
    ----------
    name : str
        At the left.
    pictures : sequence of (height, width, 3) uint8
    captions : sequence of str
        Below each, or none.
    heading : str
        Above the row; empty for none.
    """

    def __init__(
        self, name: str, pictures: Sequence[NDArray], captions: Sequence[str] = (), heading: str = ""
    ) -> None:
        self.name, self.pictures, self.captions, self.heading = name, pictures, captions, heading


def rows_of_images(title: str, subtitle: str, rows: Sequence[Row], image_shape: tuple[int, int]) -> Canvas:
    """Return a page with a title and rows of images of one size."""
    zoom = max(1, 84 // max(image_shape))
    tall, wide = (zoom * side / DENSITY for side in image_shape)
    n = max(len(row.pictures) for row in rows)
    heights = [tall + GAP + 11 * bool(row.captions) + 22 * bool(row.heading) for row in rows]
    width = LEFT + n * (wide + GAP) + 12
    page = Canvas(max(width, text_width(subtitle) + 28), 62 + sum(heights) + 8)
    page.text(14, 26, title, size=15)
    page.text(14, 45, subtitle, size=11, colour=MUTED)
    y = 60.0
    for row, height in zip(rows, heights, strict=True):
        top = y + 22 * bool(row.heading)
        if row.heading:
            page.text(14, top - 6, row.heading, size=12)
        page.text(LEFT - 10, top + tall / 2, row.name, colour=MUTED, anchor="rm")
        for column, picture in enumerate(row.pictures):
            x = LEFT + column * (wide + GAP)
            page.picture(x, top, picture, zoom)
            page.box(x - 0.5, top - 0.5, wide + 0.5, tall + 0.5, LINE)
            if row.captions:
                below = (x + wide / 2, top + tall + 2)
                page.text(*below, row.captions[column], size=9, colour=MUTED, anchor="ma")
        y += height
    return page


def _shown(n: int) -> NDArray[np.int64]:
    """Return which of n test images are shown."""
    return np.sort(np.random.default_rng(PICKS).permutation(n)[:COLUMNS])


def reconstruction_strips(
    models: dict[str, Model], titles: dict[str, str], X: NDArray, image_shape: tuple[int, int]
) -> Canvas:
    """Return test images above what each model makes of them, by ICM and by annealing.

    Parameters
    ----------
    models : dict from configuration to model
    titles : dict from configuration to what it is
    X : (n, n_v)
        Test images, of which some are shown.
    """
    X = X[_shown(len(X))]
    rows = [Row("original", [ink(x, image_shape) for x in X])]
    for config, model in models.items():
        title = f"{config}: {titles[config]}"
        for heading, method, name in ((title, "icm", "ICM"), ("", "annealed", "annealed")):
            H = codes(model, X, lambda share: None, method, SWEEPS)
            guess = most_probable_visible(model._layers()[0], "bernoulli", H[0])
            wrong = (guess != X).sum(axis=1)
            pictures = [marked(g, x, image_shape) for g, x in zip(guess, X, strict=True)]
            rows.append(Row(name, pictures, [str(n) for n in wrong], heading))
    subtitle = (
        "Test images picked at random; wrong pixels counted below. Orange: too much ink. Blue: missing ink."
    )
    return rows_of_images("Reconstructions", subtitle, rows, image_shape)


def samples(
    models: dict[str, Model],
    titles: dict[str, str],
    X: NDArray,
    image_shape: tuple[int, int],
    seed: int,
) -> Canvas:
    """Return images drawn from each model by ancestral sampling, below test images to compare with."""
    rows = [Row("test images", [ink(x, image_shape) for x in X[_shown(len(X))]])]
    for config, model in models.items():
        drawn: Any = model.sample(2 * COLUMNS, random_state=seed)
        for half in range(2):
            part = drawn[half * COLUMNS : (half + 1) * COLUMNS]
            heading = "" if half else f"{config}: {titles[config]}"
            rows.append(Row("", [ink(x, image_shape) for x in part], heading=heading))
    subtitle = "Ancestral samples: latents from the prior, then pixels given the latents. None was chosen."
    return rows_of_images("Samples", subtitle, rows, image_shape)


def filters(
    models: dict[str, Model], titles: dict[str, str], X: NDArray, image_shape: tuple[int, int]
) -> Canvas:
    """Return the filters of the lowest layer's units that are on most often in the codes of some images."""
    rows = []
    for config, model in models.items():
        used = codes(model, X[:500], lambda share: None)[0].mean(axis=0)
        most = np.argsort(-used, kind="stable")[: 2 * COLUMNS]
        W = model._layers()[0].W[:, most]
        limit = float(np.quantile(np.abs(W), 0.995))
        for half in range(2):
            part = slice(half * COLUMNS, (half + 1) * COLUMNS)
            if not len(most[part]):
                continue
            pictures = [signed(w, image_shape, limit) for w in W.T[part]]
            captions = [f"{used[j]:.0%}" for j in most[part]]
            rows.append(Row("", pictures, captions, "" if half else f"{config}: {titles[config]}"))
    subtitle = (
        "Weights of the latents that are on most often, and in what share of test images. Orange: towards "
        "ink. Blue: away from it."
    )
    return rows_of_images("Filters of the first layer", subtitle, rows, image_shape)
