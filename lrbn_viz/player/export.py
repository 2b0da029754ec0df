"""Hand-outs: the current replay as one HTML file that needs no server, and a trace as npz."""

from __future__ import annotations

import base64
import gzip
import html
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.player.packing import Lane, pack_models, pack_trace
from lrbn_viz.player.source import PLAYER, module_text

LIMIT = 300_000  # characters of a page: small enough for any mail
LEVELS = ((127, 7), (63, 7), (31, 7), (15, 7), (15, 3), (7, 3), (7, 1), (5, 1), (3, 1), (1, 1))
"""Of rounded weights, on either side of zero: of units that are on at some visit, and of the others."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>html, body {{ margin: 0; height: 100%; }} #replay {{ height: 100%; }}</style>
</head>
<body>
<main id="replay"></main>
<script type="module">
const inflate = async (text) => {{
  if (!text) return null;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}};
const [code, models, trace, basins, usage] = await Promise.all([{blocks}].map(inflate));
const address = URL.createObjectURL(new Blob([code], {{type: "text/javascript"}}));
const {{createPlayer}} = await import(address);
const player = createPlayer(document.getElementById("replay"), {{}});
player.setModels(models);
if (usage) player.setUsage(usage);
player.setTrace(trace);
if (basins) player.give("basins", basins);
</script>
</body>
</html>
"""


def replay_html(
    models: Mapping[str, Any],
    image_shape: tuple[int, int],
    lanes: Sequence[Lane],
    meta: Mapping[str, Any],
    basins: bytes = b"",
    usage: bytes = b"",
) -> str:
    """Write a page that holds the player, the models and the traces, and asks no one for anything.

    Numbers and states are those of the traces, to the bit, and weights those of the page where there is room
    for them. Where the file would be longer than `LIMIT`, weights only draw pictures: they are rounded to 8
    bits, or as few as it takes, for units that are on at some visit, to 4 bits or fewer for the others, and
    the log-odds of all units come with the trace (:mod:`lrbn_viz.player.terms`). What is asked of the weights
    all the same (pairs of units, all others off) is marked as about right; so is everything where a trace is
    so long that its log-odds have no room. `basins` is what `basins_of` returns, where the optima of
    other starts are known, and `usage` what `count_usage` returns.
    """
    seen = {name: _ever_on(name, lanes, model.n_latents_) for name, model in models.items()}
    code = module_text(PLAYER).encode()
    title = html.escape(f"{meta.get('title', '')} {meta.get('caption', '')} - lrbn_viz".strip())
    texts = [_as_text(block) for block in (code, basins, usage)]

    def page_with(weights: bytes, trace: str) -> str:
        blocks = ", ".join([texts[0], _as_text(weights), trace, *texts[1:]])
        return _PAGE.format(title=title, blocks=blocks)

    trace = _as_text(pack_trace(lanes, meta))
    page = page_with(pack_models(models, image_shape), trace)
    if len(page) <= LIMIT:
        return page
    with_terms = _as_text(pack_trace(lanes, meta, models))
    for known, levels in [(with_terms, each) for each in LEVELS[:-3]] + [(trace, each) for each in LEVELS]:
        page = page_with(pack_models(models, image_shape, rounded=seen, levels=levels), known)
        if len(page) <= LIMIT:
            break
    return page


def _as_text(block: bytes) -> str:
    """Return a block as a JavaScript string of compressed base64; empty for none."""
    return f'"{base64.b64encode(gzip.compress(block, 9)).decode()}"' if block else '""'


def _ever_on(name: str, lanes: Sequence[Lane], n_h: int) -> NDArray[np.bool_]:
    """Units of model `name` that are on at some visit of its lanes."""
    on = np.zeros(n_h, bool)
    for lane in lanes:
        if lane.model == name:
            on |= lane.trace.h0.astype(bool)
            on[lane.trace.unit[lane.trace.after == 1]] = True
    return on


def trace_npz(trace: Any) -> bytes:
    """Return the bytes of the file that ``trace.save`` writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.npz"
        trace.save(path)
        return path.read_bytes()
