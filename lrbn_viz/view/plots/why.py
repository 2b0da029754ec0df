"""Figures that explain why one unit is on or off."""

from __future__ import annotations

from typing import Any

import holoviews as hv
import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.posterior import LogOddsTerms
from lrbn_viz.io.glossary import TERMS
from lrbn_viz.view.plots.theme import LINE, MINUS, MUTED, NUMBERS, PLUS, signed, styled


def why_bars(terms: LogOddsTerms, *, title: str = "", subtitle: str = "", width: int = 310) -> hv.Overlay:
    """Return the four terms of one unit's log-odds as bars, each beginning where the one above ends.

    The fourth is what the other latents do: below 0 they explain the unit away, above 0 they support it.

    Parameters
    ----------
    terms : LogOddsTerms
        What ``log_odds_terms(model, x, h, j)`` returns.

    Examples
    --------
    >>> import lrbn_viz
    >>> from lrbn_viz import plots
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> (H,) = model.infer(x[None])
    >>> terms = lrbn_viz.log_odds_terms(model, x, H[0], 3)
    >>> plots.why_bars(terms, title="Why is unit 3 as it is?")
    :Overlay
    ...
    """
    names = [TERMS[key].name.lower() for key in ("prior", "evidence", "alone", "others", "log-odds")]
    parts_of = [terms.prior, *(float(term.sum()) for term in (terms.evidence, terms.alone, terms.others))]
    values = np.array([*parts_of, terms.log_odds])
    ends = np.append(np.cumsum(parts_of), terms.log_odds)
    begins = np.concatenate([[0.0], ends[:3], [0.0]])
    room = 0.3 * max(np.ptp([0.0, *ends]), 1.0)  # for the numbers beyond the bars; noise is not spread out
    rows = np.array([4, 3, 2, 1, 0])
    signs = np.where(values >= 0, PLUS, MINUS)
    bars = hv.Rectangles(
        (begins, rows - 0.3, ends, rows + 0.3, names, values, signs),
        ["from", "bottom", "to", "top"], ["term", hv.Dimension("value", unit="nats"), "colour"],
    )  # fmt: skip
    parts = [hv.VLine(0).opts(color=MUTED, line_width=1), hv.HLine(0.5).opts(color=LINE, line_width=1)]
    parts.append(bars.opts(color="colour", line_color=None, tools=["hover"]))
    joints = (ends[:4], rows[1:] + 0.3, ends[:4], rows[:4] - 0.3)  # where a bar ends, the next begins
    parts.append(hv.Segments(joints).opts(color=MUTED, line_width=1))
    for side, align in ((values >= 0, "left"), (values < 0, "right")):
        text = [f" {value:+.2f} ".replace("-", "\u2212") for value in values[side]]
        parts.append(hv.Labels((ends[side], rows[side], text)).opts(text_align=align, **NUMBERS))
    return styled(
        hv.Overlay(parts), title, subtitle, frame_width=width, frame_height=235, xlabel="nats", ylabel="",
        xlim=(min(0.0, ends.min()) - room, max(0.0, ends.max()) + room), ylim=(-0.5, 4.5),
        yticks=[(row, name) for row, name in zip(rows.tolist(), names, strict=True)],
        show_legend=False, grid="x",
    )  # fmt: skip


def pixel_map(
    values: NDArray,
    image_shape: tuple[int, int],
    *,
    limit: float | None = None,
    title: str = "",
    bar: bool = True,
    size: int = 170,
) -> hv.Image:
    """Return one signed value per pixel as an image: orange above 0, blue below, square pixels.

    Parameters
    ----------
    values : (n_v,) array
        Contributions in nats.
    limit : float, optional
        The value in full colour; the largest of all when None.
    bar : bool
        Draw the colour bar.
    size : int
        Width of the image on the screen, in pixels of the screen.

    Examples
    --------
    >>> import lrbn_viz
    >>> from lrbn_viz import plots
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> (H,) = model.infer(x[None])
    >>> terms = lrbn_viz.log_odds_terms(model, x, H[0], 3)
    >>> plots.pixel_map(terms.evidence, (8, 8), title="evidence")
    :Image [column,row] (value)
    """
    height, width = image_shape
    image = np.asarray(values, np.float32).reshape(image_shape)
    made = hv.Image(
        image, ["column", "row"], hv.Dimension("value", unit="nats"), bounds=(0, 0, width, height)
    )
    return styled(
        made, title, frame_width=size, frame_height=round(size * height / width), xaxis=None, yaxis=None,
        colorbar=bar, tools=["hover"], **signed(image, limit, "nats"),
    )  # fmt: skip


def why(
    terms: LogOddsTerms, image_shape: tuple[int, int], *, title: str = "", subtitle: str = "", size: int = 170
) -> hv.Layout:
    """Return the bars of :func:`why_bars` beside the evidence and the effect of the others, pixel by pixel.

    The two maps share one scale. Where the second is as blue as the first is orange, another latent already
    accounts for the pixel; where it is orange, the others support the unit.

    Examples
    --------
    >>> import lrbn_viz
    >>> from lrbn_viz import plots
    >>> model, x = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[0]
    >>> (H,) = model.infer(x[None])
    >>> terms = lrbn_viz.log_odds_terms(model, x, H[0], 3)
    >>> plots.why(terms, (8, 8))
    :Layout
    ...
    """
    limit = float(max(np.abs(terms.evidence).max(), np.abs(terms.others).max()))
    options: dict[str, Any] = {"limit": limit, "size": size}
    return (
        why_bars(terms, title=title, subtitle=subtitle)
        + pixel_map(terms.evidence, image_shape, title="evidence", bar=False, **options)
        + pixel_map(terms.others, image_shape, title="others", **options)
    )
