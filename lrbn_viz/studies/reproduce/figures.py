"""The report's figures, by matplotlib: images in rows as PNG, charts as SVG. Equal results, equal files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.extras import missing_extra
from lrbn_viz.core.model import Model
from lrbn_viz.io.storage import write_atomic
from lrbn_viz.io.theme import LIGHT, SERIES
from lrbn_viz.lrbn.model import most_probable_visible
from lrbn_viz.studies.reproduce.measure import codes

try:
    import matplotlib as mpl
    from matplotlib.axes import Axes
    from matplotlib.colors import LinearSegmentedColormap, to_rgb
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine
    from matplotlib.ticker import FuncFormatter
except ModuleNotFoundError as missing:
    raise missing_extra("report", "The report of a reproduction needs", missing) from missing

INK, MUTED, LINE, PAPER = (LIGHT[name] for name in ("ink", "muted", "line", "surface"))
PLUS, MINUS = LIGHT["plus"], LIGHT["minus"]
AIS, CSL = SERIES[:2]
PRIORS: dict[str, str] = dict(zip(("flat", "learned", "warmed", "layer above"), SERIES, strict=False))
"""Colour of a configuration by the prior of its lowest latents."""

STYLE: dict[Any, Any] = {
    "font.size": 8.5,
    "text.color": INK,
    "axes.labelcolor": MUTED,
    "axes.edgecolor": MUTED,
    "axes.unicode_minus": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 9,
    "grid.color": LINE,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "svg.fonttype": "none",  # text that can be searched and read aloud, in a third of the bytes
    "svg.hashsalt": "lrbn_viz",  # the names of clip paths, else random
}
DPI = 144
"""Pixels of a PNG per inch: two per point."""
COLUMNS, LEFT, GAP = 16, 192, 12
"""Images in a row; pixels for the names of rows and between images."""
SWEEPS = 200
"""Sweeps of annealing before a reconstruction is shown."""
PICTURE_SEED = 3
"""Seed of the test images that are shown: not chosen by their looks."""


def in_style(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Return `draw` so that matplotlib uses `STYLE` while it draws, and the earlier settings afterwards."""
    return mpl.rc_context(STYLE)(draw)


def save(figure: Figure, path: Path) -> None:
    """Write a figure whole or not at all, without the date and the version that would make files differ."""
    unsaid = {"Date": None, "Creator": None} if path.suffix == ".svg" else {"Software": None}
    with mpl.rc_context(STYLE):
        write_atomic(
            path, lambda file: figure.savefig(file, format=path.suffix[1:], dpi=DPI, metadata=unsaid)
        )


# -- images in rows


def ink(image: NDArray) -> NDArray[np.uint8]:
    """Return the colours of values from 0 (paper) to 1 (ink); shape (..., 3)."""
    return _INK(np.asarray(image, np.float64), bytes=True)[..., :3]


def marked(guess: NDArray, image: NDArray) -> NDArray[np.uint8]:
    """Return the colours of a reconstruction: a pixel too many in orange, a missing one in blue."""
    colours, wrong = ink(guess), np.asarray(guess, int) - image
    colours[wrong > 0], colours[wrong < 0] = (255 * np.array([to_rgb(PLUS), to_rgb(MINUS)])).round()
    return colours


def signed(values: NDArray, limit: float) -> NDArray[np.uint8]:
    """Return the colours of values from -limit (blue) by way of 0 (paper) to limit (orange)."""
    return _SIGNED(0.5 + 0.5 * np.asarray(values, np.float64) / max(limit, 1e-9), bytes=True)[..., :3]


_INK = LinearSegmentedColormap.from_list("ink", [PAPER, INK])
_SIGNED = LinearSegmentedColormap.from_list("signed", [MINUS, PAPER, PLUS], N=255)  # odd: 0 is paper


class Row(NamedTuple):
    """Images beside each other.

    Attributes
    ----------
    pictures : (n, n_v, 3) uint8
    name : str
        At the left.
    heading : str
        Above the row; empty for none.
    captions : sequence of str
        Captions below each image, or none.
    """

    pictures: NDArray[np.uint8]
    name: str = ""
    heading: str = ""
    captions: Sequence[str] = ()


@in_style
def rows_of_images(title: str, subtitle: str, rows: Sequence[Row], image_shape: tuple[int, int]) -> Figure:
    """Return a page with a title and rows of images, every pixel a whole number of the page's."""
    zoom = max(1, 84 // max(image_shape))
    height, width = (zoom * side for side in image_shape)
    heights = [height + GAP + 22 * bool(row.captions) + 44 * bool(row.heading) for row in rows]
    total = 124 + sum(heights) + 16
    page = Figure((max(LEFT + COLUMNS * (width + GAP) + 24, 1300) / DPI, total / DPI), dpi=DPI)

    def write(x: float, y: float, text: str, **how: Any) -> None:
        page.text(x, total - y, text, transform=None, **how)  # in pixels, from the upper left

    write(28, 52, title, size=12)
    write(28, 90, subtitle, color=MUTED)
    top = 120
    for row, row_height in zip(rows, heights, strict=True):
        if row.heading:
            write(28, top + 32, row.heading, size=9)
        y = top + 44 * bool(row.heading)
        write(LEFT - 20, y + height / 2, row.name, color=MUTED, ha="right", va="center")
        strip = np.full((height + 2, len(row.pictures) * (width + GAP), 3), 255, np.uint8)
        for n, picture in enumerate(row.pictures):
            x = n * (width + GAP)
            strip[:, x : x + width + 2] = (255 * np.array(to_rgb(LINE))).round()
            image = picture.reshape(*image_shape, 3).repeat(zoom, 0).repeat(zoom, 1)
            strip[1 : height + 1, x + 1 : x + width + 1] = image
            if row.captions:
                below = {"size": 7, "color": MUTED, "ha": "center", "va": "top"}
                write(LEFT + x + width / 2, y + height + 6, row.captions[n], **below)
        page.figimage(strip, LEFT - 1, total - y - height - 1, origin="upper")
        top += row_height
    return page


def reconstructions(
    models: dict[str, Model], titles: dict[str, str], X: NDArray, image_shape: tuple[int, int]
) -> Figure:
    """Return test images above the reconstruction of each model, by ICM and by annealing.

    Parameters
    ----------
    models : dict from configuration to model
    titles : dict from configuration to what it is
    X : (n, n_v)
        Test images, of which some are shown.
    """
    X = X[_shown(len(X))]
    rows = [Row(ink(X), "original")]
    for config, model in models.items():
        heading = f"{config}: {titles[config]}"
        for method, name in (("icm", "ICM"), ("annealed", "annealed")):
            H = codes(model, X, lambda share: None, method, SWEEPS)
            guess = most_probable_visible(model.layers[0], "bernoulli", H[0])
            rows.append(Row(marked(guess, X), name, heading, [str(n) for n in (guess != X).sum(axis=1)]))
            heading = ""
    caption = (
        "Test images picked at random; wrong pixels counted below. Orange: too much ink. Blue: missing ink."
    )
    return rows_of_images("Reconstructions", caption, rows, image_shape)


def samples(
    models: dict[str, Model], titles: dict[str, str], X: NDArray, image_shape: tuple[int, int], seed: int
) -> Figure:
    """Return images drawn from each model by ancestral sampling, below test images to compare with."""
    rows = [Row(ink(X[_shown(len(X))]), "test images")]
    for config, model in models.items():
        drawn: Any = model.sample(2 * COLUMNS, random_state=seed)
        rows.append(Row(ink(drawn[:COLUMNS]), heading=f"{config}: {titles[config]}"))
        rows.append(Row(ink(drawn[COLUMNS:])))
    caption = "Ancestral samples: latents from the prior, then pixels given the latents. None was chosen."
    return rows_of_images("Samples", caption, rows, image_shape)


def filters(
    models: dict[str, Model], titles: dict[str, str], X: NDArray, image_shape: tuple[int, int]
) -> Figure:
    """Return the filters of the lowest layer's units that are on most often in the codes of some images."""
    rows = []
    for config, model in models.items():
        used = codes(model, X[:500], lambda share: None)[0].mean(axis=0)
        most = np.argsort(-used, kind="stable")[: 2 * COLUMNS]
        W = model.layers[0].W[:, most]
        pictures = signed(W.T, float(np.quantile(np.abs(W), 0.995)))
        heading = f"{config}: {titles[config]}"
        for part in (slice(None, COLUMNS), slice(COLUMNS, None)):
            if len(most[part]):
                rows.append(Row(pictures[part], "", heading, [f"{used[j]:.0%}" for j in most[part]]))
            heading = ""
    caption = (
        "Weights of the latents that are on most often, and in what share of test images. Orange: towards "
        "ink. Blue: away from it."
    )
    return rows_of_images("Filters of the first layer", caption, rows, image_shape)


def _shown(n: int) -> NDArray[np.int64]:
    """Return which of n test images are shown."""
    return np.sort(np.random.default_rng(PICTURE_SEED).permutation(n)[:COLUMNS])


# -- charts


class Likelihoods(NamedTuple):
    """Contents of one panel: the figures of three stages, as `measure` returns them."""

    config: str
    ais: dict[str, Any]
    map_bound: dict[str, Any]
    csl: dict[str, Any]


@in_style
def csl_curves(panels: Sequence[Likelihoods]) -> Figure:
    """Return CSL over the number of samples, one panel per configuration, on one scale."""
    columns = min(3, len(panels))
    n_rows = -(-len(panels) // columns)
    page = _chart(
        (max(3.5 * columns, 7.5), 1.0 + 1.9 * n_rows), "CSL beside AIS and the MAP bound",
        "Mean log P(x) of test images, nats. Where CSL still rises with the samples it is no estimate yet.",
    )  # fmt: skip
    grid = page.subplots(n_rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        sizes, curve = panel.csl["curve"]["n_samples"], np.array(panel.csl["curve"]["means"])
        means = curve.mean(axis=0)
        axes.set_title(panel.config)
        axes.set_xscale("log")
        axes.fill_between(sizes, curve.min(axis=0), curve.max(axis=0), color=CSL, alpha=0.2, linewidth=0)
        axes.plot(sizes, means, "o-", color=CSL, markersize=3.5)
        axes.axhline(panel.ais["mean"], color=AIS)
        axes.axhline(panel.map_bound["mean"], color=PLUS, linestyle="--")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}"))
        axes.tick_params(labelbottom=True, labelleft=True)
        axes.minorticks_off()
    for axes in grid[len(panels) :]:
        axes.remove()
    grid[len(panels) - 1].set_xlabel("samples", loc="right")
    for axes, panel in zip(grid, panels, strict=False):
        values = {
            "AIS": (panel.ais["mean"], AIS),
            "MAP bound": (panel.map_bound["mean"], PLUS),
            "CSL": (float(np.mean(panel.csl["curve"]["means"], axis=0)[-1]), CSL),
        }
        right = axes.get_xlim()[1]
        _label(
            axes, [(right, value, f"{name} {value:.1f}", colour) for name, (value, colour) in values.items()]
        )
    return page


class Range(NamedTuple):
    """Nats of one system: an estimate, and its bounds, if there are any."""

    name: str
    lower: float | None
    value: float
    upper: float | None
    known: bool


@in_style
def ranges(panels: dict[str, Sequence[Range]]) -> Figure:
    """Return the nats of every system, the likeliest on top, with bounds; a panel for each binarization."""
    most = max(len(panel) for panel in panels.values())
    page = _chart(
        (4.6 * max(2, len(panels)), 1.2 + 0.26 * most), "log P(x) of test images, every system",
        "Nats; more is better. Bar: between the bounds. Disc: known. Ring: not known, the bounds are too far "
        "apart or missing.",
    )  # fmt: skip
    grid = page.subplots(1, len(panels), squeeze=False).ravel()
    for axes, (title, panel) in zip(grid, panels.items(), strict=True):
        order = sorted(panel, key=lambda each: each.value)
        for y, each in enumerate(order):
            colour = AIS if each.known else PLUS
            low, high = (each.value if bound is None else bound for bound in (each.lower, each.upper))
            axes.plot([low, high], [y, y], color=colour, linewidth=4, alpha=0.4, solid_capstyle="butt")
            axes.plot(each.value, y, "o", color=colour, markerfacecolor=colour if each.known else PAPER)
        axes.set_title(title)
        axes.set_yticks(range(len(order)), [each.name for each in order])
        axes.grid(axis="x")
    return page


class Point(NamedTuple):
    """One configuration on the frontier; `error` is the standard error of `nats`."""

    config: str
    prior: str
    icm: float
    annealed: float
    nats: float
    error: float


@in_style
def frontier(points: Sequence[Point], paper: tuple[float, float]) -> Figure:
    """Return reconstruction error against log-likelihood: upper left is better.

    Parameters
    ----------
    points : sequence of Point
        Measured.
    paper : (wrong pixels, nats)
        Reported, drawn as a hollow diamond.
    """
    page = _chart(
        (8.5, 5.2), "Reconstruction error against log-likelihood",
        "Disc: annealed MAP. Ring: ICM. Bar: two standard errors of AIS. "
        "Dashes: surpassed on both by no other.",
    )  # fmt: skip
    axes = page.subplots()
    axes.set_xlabel("wrong pixels per test image (less is better)", loc="right")
    axes.set_title("log P(x), nats", color=MUTED)
    best = sorted((p for p in points if not any(_beats(q, p) for q in points)), key=lambda p: p.annealed)
    axes.plot([p.annealed for p in best], [p.nats for p in best], "--", color=MUTED, linewidth=1)
    labels = [(*paper, "paper, reported (ICM, CSL)", PLUS)]
    for p in points:
        colour = PRIORS.get(p.prior, INK)
        axes.plot([p.annealed, p.icm], [p.nats, p.nats], color=colour, alpha=0.5)
        axes.plot(p.icm, p.nats, "o", color=colour, markerfacecolor=PAPER)
        axes.errorbar(p.annealed, p.nats, 2 * p.error, fmt="o", color=colour, elinewidth=1)
        labels.append((max(p.icm, p.annealed), p.nats, p.config, colour))
    axes.plot(*paper, "D", color=PLUS, markerfacecolor=PAPER, markersize=7)
    for prior in (prior for prior in PRIORS if any(p.prior == prior for p in points)):
        axes.plot([], [], "o", color=PRIORS[prior], label=prior)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(title="prior", loc="upper left", bbox_to_anchor=(1.08, 1), alignment="left")
    axes.set_xlim(left=-0.02 * axes.get_xlim()[1])  # errors begin at 0
    _label(axes, labels)
    return page


@in_style
def errors_over_sweeps(curves: Mapping[str, Mapping[int, tuple[float, float]]]) -> Figure:
    """Return wrong pixels over the sweeps of annealing, a line for each model, with its standard errors.

    Parameters
    ----------
    curves : mapping from the model's name
        To mean wrong pixels and their standard error by the number of sweeps.
    """
    page = _chart(
        (8.5, 4.2), "Wrong pixels over sweeps of annealing",
        "Mean of all test images; fewer is better. Bar: one standard error to either side.",
    )  # fmt: skip
    axes = page.subplots()
    axes.set_xscale("log")
    axes.set_xlabel("sweeps", loc="right")
    labels = []
    for (name, points), colour in zip(curves.items(), cycle(SERIES), strict=False):
        sweeps, (wrong, errors) = list(points), zip(*points.values(), strict=True)
        axes.errorbar(sweeps, wrong, errors, fmt="o-", color=colour, elinewidth=1, markersize=3.5)
        labels.append((sweeps[-1], wrong[-1], name, colour))
    counts = sorted({sweeps for points in curves.values() for sweeps in points})
    axes.set_xticks(counts, [f"{sweeps:,}" for sweeps in counts])
    axes.minorticks_off()
    axes.set_ylim(bottom=0)
    _label(axes, labels)
    return page


def _chart(size: tuple[float, float], title: str, subtitle: str) -> Figure:
    """Return an empty page, inches wide and high, with a title and a note for the reader below it."""
    page = Figure(size, layout=ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.08, hspace=0.03))
    page.suptitle(f"{title}\n", x=0.016, ha="left", size=12)
    page.text(0.016, 1 - 0.44 / size[1], subtitle, va="center", color=MUTED)
    return page


def _label(axes: Axes, points: Sequence[tuple[float, float, str, str]]) -> None:
    """Write (x, y, text, colour) to the right of points, moved apart where texts would overlap."""
    page: Any = axes.figure
    page.draw_without_rendering()  # the layout is made here, and only then is it known what overlaps
    pixels = page.dpi / 72
    heights = axes.transData.transform([point[:2] for point in points])[:, 1] / pixels
    for (x, y, text, colour), up in zip(points, apart(heights, 11) - heights, strict=True):
        axes.annotate(
            text, (x, y), (10, up), textcoords="offset points", color=colour, va="center",
            annotation_clip=False, arrowprops={"arrowstyle": "-", "color": LINE} if up > 4 else None,
        )  # fmt: skip


def apart(heights: ArrayLike, least: float) -> NDArray[np.float64]:
    """Return heights of which some are raised, so that all are at least so far apart, in the same order."""
    moved = np.array(heights, np.float64)
    for lower, upper in pairwise(np.argsort(moved, kind="stable")):
        moved[upper] = max(moved[upper], moved[lower] + least)
    return moved


def _beats(one: Point, other: Point) -> bool:
    """Return whether one is at least as good on both counts and better on one."""
    return (
        one.annealed <= other.annealed
        and one.nats >= other.nats
        and (one.annealed, one.nats) != (other.annealed, other.nats)
    )
