"""The end of inference as one picture with its figures in words, for where nothing moves and offline."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

from lrbn_viz.core.trace import Trace
from lrbn_viz.io.theme import LIGHT
from lrbn_viz.view.animation.settings import Settings
from lrbn_viz.view.animation.traces import draw_traces, state_in_words

_STYLE = (
    "margin: 0; padding: 6px; width: fit-content; max-width: 100%; "
    f"background: {LIGHT['surface']}; color: {LIGHT['ink']}"
)


def figures_in_words(trace: Trace, name: str = "") -> str:
    """Return the length of a trace and its final state, in words."""
    counted = f"{trace.n_visits:,} visits"
    if not trace.means:
        counted += f", {int(np.count_nonzero(trace.changes)):,} flips"
    words = f"{counted}; at the end {state_in_words(trace, trace.n_visits, trace.wrong_pixels())}"
    return f"{name}: {words}" if name else words


def draw_end(
    traces: Sequence[Trace],
    *,
    image_shape: tuple[int, int] | None = None,
    title: str = "",
    names: Sequence[str] = (),
) -> bytes:
    """Return the end of the longest trace as a PNG file; the arguments are those of `draw_traces`."""
    end = max(trace.n_visits for trace in traces)
    settings = Settings("small")
    frame = draw_traces(traces, end, image_shape=image_shape, title=title, names=names, settings=settings)
    file = io.BytesIO()
    # a picture of few colours: half as many bytes
    Image.fromarray(frame).quantize(64, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def figure_html(png: bytes, words: str, hint: str, attributes: str = "") -> str:
    """Return a picture as HTML that asks for nothing else.

    Parameters
    ----------
    png : bytes
    words : str
        Description: the picture's alternative text, and its caption.
    hint : str
        What to do next, below the caption.
    attributes : str
        HTML attributes of the element.
    """
    lines = "<br>".join(map(html.escape, words.splitlines()))
    encoded = base64.b64encode(png).decode()
    return (
        f'<figure style="{_STYLE}" {attributes}>'
        f'<img alt="{html.escape(words)}" src="data:image/png;base64,{encoded}" style="max-width: 100%">'
        f"<figcaption>{lines}<br><small>{html.escape(hint)}</small></figcaption></figure>"
    )


def trace_html(trace: Trace) -> str:
    """Return the end of a trace as HTML; an image that is not square is shown as a row of pixels."""
    n_v = len(trace.x)
    side = round(n_v**0.5)
    shape = (side, side) if side * side == n_v else (1, n_v)
    words = f"Inference of {trace.n_h:,} latents: {figures_in_words(trace)}"
    hint = "lrbn_viz.notebook.show_trace(trace) steps through every visit."
    if shape[0] == 1:
        hint += " Pixels stand in a row here; there, image_shape gives them their places."
    return figure_html(draw_end([trace], image_shape=shape), words, hint)
