"""Files for sharing: the current replay as one HTML file that needs no server, and a trace as npz."""

from __future__ import annotations

import html
import math
import tempfile
import zlib
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.view.player.packing import Lane, marked_alike, pack_models, pack_trace, rounded_model
from lrbn_viz.view.player.source import PLAYER, module_text
from lrbn_viz.view.player.terms import Known, TermsOf

Levels = tuple[int, int]

LIMIT = 250_000
"""Largest number of characters of a page beside the player's own code: weights are rounded until they fit.
Terms are never omitted: a page whose traces alone take more is longer.
"""
LEVELS = ((127, 7), (63, 7), (31, 7), (15, 7), (15, 3), (7, 3), (7, 1), (5, 1), (3, 1), (2, 1), (1, 1))
"""Levels of rounded weights, on either side of zero: of units that are on at some visit, and of the others.
"""
_FINER = ((127, 63), (127, 31), (127, 15), *LEVELS)  # where terms of units never on depend on these, too
_GZIP = zlib.MAX_WBITS | 16
_AT_LEAST, _USUALLY = 0.7, 0.92  # of `_quick_size`, what a block is when compressed well
_SLACK = 64  # characters: how much longer a block may be once a number in it is known
_WIDEST = 888.88  # nats: as many digits as what terms are off by may take
_LETTERS = " !#$%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`abcdefghijklmnopqrstuvwxyz{|}~"
"""Digits to the base of 91: what is printed of ASCII, but what ends a string, escapes, or may begin a tag,
and the apostrophe, which HTML in an attribute escapes.
"""
_PAIR, _ONE = 13, 6
"""Bits that two letters hold, and that a last one alone does."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{head}</head>
<body>
{body}
<script type="module">
{script}
</script>
</body>
</html>
"""
_UNPACKED = """const letters = new Uint8Array(128);
for (let n = 0; n < 91; n++) letters["{letters}".charCodeAt(n)] = n;
const bytesOf = (text) => {{
  const digit = (n) => letters[text.charCodeAt(n)], {{length}} = text;
  const bytes = new Uint8Array((13 * (length >> 1) + 6 * (length & 1)) >> 3);
  for (let n = 0, at = 0, bits = 0, held = 0; n < length; n += 2) {{
    const last = n + 1 === length, more = last ? 6 : 13;
    bits = ((bits & 255) << more) | (last ? digit(n) : 91 * digit(n) + digit(n + 1));
    for (held += more; held >= 8; held -= 8) bytes[at++] = bits >> (held - 8);
  }}
  return bytes;
}};
const inflate = (text) => {{
  if (!text) return null;
  const {{readable, writable}} = new DecompressionStream("gzip"), writer = writable.getWriter();
  writer.write(bytesOf(text));
  writer.close();
  return new Response(readable).arrayBuffer();
}};
const [{names}] = await Promise.all([{blocks}].map(inflate));
{script}"""

_STYLE = "<style>html, body { margin: 0; height: 100%; } #replay { height: 100%; }</style>\n"
_START = """const address = URL.createObjectURL(new Blob([code], {type: "text/javascript"}));
const {createPlayer} = await import(address);
const player = createPlayer(document.getElementById("replay"), {});
player.setModels(models);
if (usage) player.setUsage(usage);
player.setTrace(trace);
if (basins) player.give("basins", basins);"""


def page_in_one_file(title: str, body: str, script: str, blocks: Mapping[str, str], head: str = "") -> str:
    """Return an HTML page that contains all its data and makes no requests.

    Parameters
    ----------
    title, body : str
        HTML.
    script : str
        JavaScript that is run once the blocks are unpacked.
    blocks : mapping
        Blocks of bytes, as :func:`as_text` returns them, by the names that they have in `script`, where each
        is an ``ArrayBuffer``, or null if it is empty.
    head : str
        Further lines of the page's head.
    """
    names, texts = ", ".join(blocks), ", ".join(blocks.values())
    unpacked = _UNPACKED.format(letters=_LETTERS, names=names, blocks=texts, script=script)
    return page_html(title, body, unpacked, head)


def page_html(title: str, body: str, script: str, head: str = "") -> str:
    """Return an HTML page with a title, a body and a module of JavaScript; all as HTML has them."""
    return _PAGE.format(title=title, head=head, body=body, script=script)


def replay_html(
    models: Mapping[str, Any],
    image_shape: tuple[int, int],
    lanes: Sequence[Lane],
    meta: Mapping[str, Any],
    basins: bytes = b"",
    usage: bytes = b"",
    *,
    whole: bool = False,
) -> str:
    """Write a page that holds the player, the models and the traces, and makes no requests.

    Numbers and states are those of the traces, and weights those of the page where there is room for them. If
    they would take more than `LIMIT`, weights are used only to draw pictures: they are rounded to 8 bits, or
    as few as it takes, for units that are on at some visit, to 4 bits or fewer for the others. The log-odds
    of all units in all states, and their terms, then come with the trace (:mod:`lrbn_viz.view.player.terms`);
    where a trace is so long that there is no room for them, those of each visit's unit, as it decided. These
    come in any case: where even the coarsest weights have no room beside them, the file is longer. Values
    that still depend on rounded weights are marked as approximate, and the page gives their largest error in
    nats for states of the trace; for pairs of units, and for states with all others off, the error is not
    known. With `whole` the weights are those of the page however long the file is, and so is every number.
    `basins` is what `basins_of` returns, where the optima of other starts are known, and `usage` what
    `count_usage` returns.
    """
    title = html.escape(f"{meta.get('title', '')} {meta.get('caption', '')} - lrbn_viz".strip())
    code, more = _code(), {"basins": as_text(basins), "usage": as_text(usage)}

    def page_with(weights: str, trace: str) -> str:
        blocks = {"code": code, "models": weights, "trace": trace, **more}
        return page_in_one_file(title, '<main id="replay"></main>', _START, blocks, head=_STYLE)

    trace = as_text(pack_trace(lanes, meta))
    block = pack_models(models, image_shape)
    if whole:
        return page_with(as_text(block), trace)
    room = LIMIT - data_size(page_with("", trace))
    if _AT_LEAST * _quick_size(block) <= room and len(exact := as_text(block)) <= room:
        return page_with(exact, trace)

    seen = {name: _ever_on(name, lanes, model.n_latents_) for name, model in models.items()}
    marks = marked_alike(models, seen)

    def rounded(levels: Levels) -> bytes:
        return pack_models(models, image_shape, rounded=marks, levels=levels)

    room = LIMIT - data_size(page_with("", ""))
    terms = [TermsOf(models[lane.model], lane.trace) for lane in lanes]
    if sum(each.n_terms for each in terms) < room:  # one takes more than a character
        block, levels = pack_trace(lanes, meta, [Known(each.states) for each in terms]), LEVELS[:7]
        if _AT_LEAST * (_quick_size(block) + _quick_size(rounded(levels[-1]))) <= room:
            trace = as_text(block)
            if found := _finest(rounded, levels, room - len(trace)):
                return page_with(found[1], trace)
    known = [Known(each.decisions, _WIDEST) for each in terms]
    found = _finest(rounded, _FINER, room - _SLACK - len(as_text(pack_trace(lanes, meta, known))))
    levels, weights = found or (_FINER[-1], as_text(rounded(_FINER[-1]), zlib.Z_FILTERED))
    for n, lane in enumerate(lanes):
        coarse = rounded_model(models[lane.model], marks[lane.model], levels) if known[n].arrays else None
        off = terms[n].most_off(coarse) if coarse else 0.0
        known[n] = Known(known[n].arrays, math.ceil(100 * off) / 100)
    return page_with(weights, as_text(pack_trace(lanes, meta, known)))


def data_size(page: str) -> int:
    """Return the number of characters of a page of :func:`replay_html` outside of the player's code."""
    return len(page) - len(_code())


def _finest(
    block_of: Callable[[Levels], bytes], levels: Sequence[Levels], room: int
) -> tuple[Levels, str] | None:
    """Return the first levels whose block fits as text, and that text; None if none fits.

    A block is compressed well once or twice: which levels to try is seen from quick looks.
    """
    sizes: dict[int, int] = {}

    def quick(at: int) -> int:
        if at not in sizes:
            sizes[at] = _quick_size(block_of(levels[at]))
        return sizes[at]

    # the first that may have room when it is compressed well; what is rounded more is smaller
    at = bisect_left(range(len(levels)), -room, key=lambda n: -_USUALLY * quick(n))
    if at == len(levels):
        at -= 1
        if _AT_LEAST * quick(at) > room:
            return None
    found, ahead = None, at > 0
    while at < len(levels):
        text = as_text(block_of(levels[at]), zlib.Z_FILTERED)
        if len(text) <= room:
            found = levels[at], text
            break
        at, ahead = at + 1, False
    while found and ahead and quick(at - 1) * len(found[1]) / quick(at) <= 1.02 * room:
        at -= 1  # a finer one, which has room if it is compressed as this one was
        text = as_text(block_of(levels[at]), zlib.Z_FILTERED)
        if len(text) > room:
            break
        found, ahead = (levels[at], text), at > 0
    return found


@cache
def _code() -> str:
    """Return the player's code, as text."""
    return as_text(module_text(PLAYER).encode())


def _quick_size(block: bytes) -> int:
    """Return an estimate of the characters that `as_text` makes of a block, up to a fifth too large."""
    return 16 * len(zlib.compress(block, 4)) // 13


def as_text(block: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> str:
    """Return a block as a JavaScript string: compressed, to the base of 91; empty for none.

    Thirteen bytes are sixteen letters, with base64 more than seventeen.

    `strategy` is zlib's: ``Z_FILTERED`` suits numbers that are mostly small.
    """
    if not block:
        return '""'
    # level 9 takes twice as long for a half per cent
    packer = zlib.compressobj(8, zlib.DEFLATED, _GZIP, zlib.DEF_MEM_LEVEL, strategy)
    return f'"{_in_letters(packer.compress(block) + packer.flush())}"'


def _in_letters(content: bytes) -> str:
    """Return bytes as letters: each two of them are 13 bits, a last one alone 6."""
    letters = np.frombuffer(_LETTERS.encode(), np.uint8)
    bits = np.unpackbits(np.frombuffer(content, np.uint8))
    n_pairs, rest = divmod(len(bits), _PAIR)
    alone = 0 < rest <= _ONE
    n_pairs += rest > _ONE
    words = np.zeros((n_pairs + alone, _PAIR), np.uint8)
    words.reshape(-1)[: len(bits)] = bits
    numbers = words @ (1 << np.arange(_PAIR)[::-1])
    pairs = np.stack(np.divmod(numbers[:n_pairs], len(letters)), axis=1).reshape(-1)
    last = numbers[n_pairs:] >> (_PAIR - _ONE)
    return letters[np.concatenate([pairs, last])].tobytes().decode()


def _ever_on(name: str, lanes: Sequence[Lane], n_h: int) -> NDArray[np.bool_]:
    """Return the units of model `name` that are on at some visit of its lanes."""
    on = np.zeros(n_h, bool)
    for lane in lanes:
        if lane.model == name:
            on |= lane.trace.ever_on()
    return on


def saved_npz(saved: Any, **options: Any) -> bytes:
    """Return the bytes of a file of ``save`` of a trace or a model, with its options."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.npz"
        saved.save(path, **options)
        return path.read_bytes()
