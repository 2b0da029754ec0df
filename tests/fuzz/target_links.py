"""Links of every page: each page can be made of any query, and all that was ignored is named."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote_plus, unquote_to_bytes

from bokeh.document import Document
from fuzz import mutate
from fuzz.harness import Target
from panel.io.state import set_curdoc

from lrbn_viz.app.address import (
    ELSEWHERE,
    END,
    NAMES,
    SETTINGS,
    Address,
    read_address,
    settings_of,
    shortened,
)
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.location import location_of
from lrbn_viz.app.shared.query import MAX_NAMES, MAX_QUERY_LENGTH

PAGES = ("inference", "train", "generate", "compare", "lessons", "sweeps")
MODEL = "model=lrbn-12-digits"
GENERATOR = "generator=lrbn-12-digits"
SMALL = ("lrbn-12-digits", "lrbn-16-digits")

LINKS = (
    "?image=7&algorithm=gibbs&start=random&seed=11&visit=23&unit=1.5&units=contribution&hide=matrix.seed",
    "?image=3&drawn=AAAAAAAAAAA&algorithm=icm-greedy&start=conditional&clamp=3on.7off&seed=0&visit=0",
    "?start=last&from=qqo&drawn=__________8&image=359",
    "?page=train&run=digits-20261122-101010",
    "?page=train&preset=warmed",
    "?lesson=surest-unit&step=2",
    "?page=generate&draw_seed=4&chain=data&chain_image=12&passes=3&generator_clamp=1on"
    "&generator_beside_clamp=2off.3on&walk_from=s1&walk_to=t17&walk=straight&walk_at=333&pass=2&pass_step=12",
    "?model=lrbn-16-digits&generator=lrbn-16-digits&passes=2&theme=dark",
    "?page=compare&compare_data=digits&systems=lrbn-12-digits.rbm-12-digits&compare_images=6&compare_seed=3"
    "&compare_by=annealed&highlight=rbm-12-digits",
    "?too_long=drawn.from",
)

ODD = (
    "",
    "9" * 5000,
    "-1" + "0" * 400,
    "%EF%BC%91%EF%BC%92",
    "%C2%B2",
    "%ff",
    "%ed%a0%80",
    "%00",
    "%00" * 300,
    "1e999",
    "nan",
    "inf",
    "true",
    "-0",
    "007",
    "1.0",
    "live:x%20LRBN,%20before%20step%207",
    "lrbn-200-mnist-flat",
    "rbm-12-digits",
    "lrbn-12-digits.lrbn-12-digits",
    "end",
    ".".join(["rbm-12-digits"] * 200),
    "last",
    "s99",
    "t999999",
    "[" * 500,
    "a?b=c?d",
    "x" * 20_000,
    "<script>",
    "..",
    "\u00e9",
    "\ud800",
    "%",
    "%zz",
    ";",
    "#",
)


def _pairs(query: str) -> list[tuple[bytes, bytes]]:
    """Read a query in the plainest way: what it sets, as bytes."""
    text = query.removeprefix("?").encode(errors="surrogatepass").replace(b"+", b" ")
    parts = [part.partition(b"=") for part in text.split(b"&") if part]
    return [(unquote_to_bytes(name), unquote_to_bytes(value)) for name, _, value in parts]


def _a_link(rng: mutate.Random, corpus: Sequence[str]) -> str:
    pairs = [part.partition("=")[::2] for part in mutate.pick(rng, corpus)[1:].split("&")]
    names = [*sorted(NAMES), "page", "too_long"]
    for _ in range(int(rng.integers(0, 5))):
        name = (
            mutate.pick(rng, names)
            if rng.random() < 0.9
            else quote_plus(str(mutate.odd_value(rng))[:60], errors="replace")
        )
        values = ODD if rng.random() < 0.6 else [value for _, value in pairs] or ODD
        value = mutate.pick(rng, values)
        if rng.random() < 0.15:
            value = quote_plus(mutate.damaged(rng, [value.encode(errors="replace")]))
        pairs.insert(int(rng.integers(0, len(pairs) + 1)), (name, value))
    for name, value in (MODEL.split("="), GENERATOR.split("=")):
        if all(name != other for other, _ in pairs) and rng.random() < 0.95:
            pairs.append((name, value))
    if rng.random() < 0.01:
        pairs *= 300
    query = "?" + "&".join(f"{name}={value}" for name, value in pairs)
    if rng.random() < 0.1:
        query = mutate.damaged(rng, [query.encode(errors="surrogatepass")]).decode("utf-8", "surrogateescape")
    return query


@functools.cache
def _document() -> Document:
    return Document()


def _open(query: str) -> None:
    query = query.replace("\0", "") if query.startswith("?") else query
    with set_curdoc(_document()):
        location_of("http", "localhost:5006", "/explorer" + query)
    if len(query) > MAX_QUERY_LENGTH:
        query = shortened(query)
        assert len(query) <= MAX_QUERY_LENGTH
    address = read_address(query, PAGES)
    assert address.page in ("", *PAGES)
    assert len(address.words) <= 13
    assert all(len(sentence) < 1500 and "\0" not in sentence for sentence in address.ignored)
    applied = _applied(address, zlib.crc32(query.encode(errors="replace")))
    looked_at = _pairs(query)[:MAX_NAMES] if len(_pairs(query)) <= MAX_NAMES else []
    seen: set[bytes] = set()
    for raw, value in looked_at:
        name = raw.decode("latin-1")
        named = any(sentence.startswith(f"{name}: ") for sentence in address.ignored)
        if raw in seen:
            assert len(address.ignored) > 0
        elif name in applied:
            as_sent = value.decode("utf-8", "replace")
            assert named or not as_sent or _same(applied[name], as_sent), (name, as_sent, applied[name])
        elif name in NAMES:
            assert named or not value, name  # neither taken nor named
        elif name not in ("page", "too_long", "bokeh-session-id", "bokeh-token"):
            assert address.ignored, name
        seen.add(raw)


def _applied(address: Address, number: int) -> dict[str, Any]:
    """Make the pages' states, where their models are small, and return what they hold by the link's names.

    Each takes ten times as long as reading the link, so that only each fourth link makes one of them.
    """
    inference, generate = address.states["inference"], address.states["generate"]
    held = {
        row.name: address.states[page][row.parameter]
        for page, rows in SETTINGS.items()
        for row in rows
        if row.parameter in address.states[page]
    }
    if number % 4 == 0 and inference.get("model_name") in SMALL:
        session = Session(**inference)
        held |= {row.name: getattr(session, name) for name, row in settings_of("inference").items()}
        if session.origin == ELSEWHERE:
            held.pop("image", None)
    few = generate.get("passes", 24) <= 24
    if number % 4 == 1 and few and generate.get("model_name") in SMALL:
        state = GenerateState(**generate)
        made = {row.name: getattr(state, name) for name, row in settings_of("generate").items()}
        held |= made
    return held


def _same(value: Any, text: str) -> bool:
    if value == END:
        return text == "end"
    if isinstance(value, int):
        return text.lstrip("+-").isdecimal() and int(text) == value
    return value == text or {*str(value).split(".")} == {*_plain(text).split(".")}


def _plain(text: str) -> str:
    """Return held units without zeros before their numbers."""
    return ".".join(
        part.lstrip("0") if part[:1] == "0" and part[1:2].isdecimal() else part for part in text.split(".")
    )


def _links() -> Sequence[str]:
    return tuple(f"{link}&{MODEL}&{GENERATOR}" if "model=" not in link else link for link in LINKS)


TARGETS = [Target("links", _open, (), _links, _a_link)]
