"""Markdown as a small tree of known kinds of nodes: the text of a file never becomes HTML.

A node is a text, or a list of its kind, its attribute where the kind has one, and its children.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from lrbn_viz.io.glossary import TERMS

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

Tree = list[Any]
"""Nodes: JSON values."""

PLAIN = {
    "paragraph": "p",
    "strong": "strong",
    "em": "em",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
    "heading": "h4",
}
"""Kinds of nodes without an attribute, by what markdown-it calls them."""
ELEMENTS = frozenset({*PLAIN.values(), "code", "pre", "br"})
WITH_ATTRIBUTE = frozenset({"a", "term"})
"""Kinds with one: an address, and a key of the glossary."""
MAX_LINK_LENGTH = 4000
_WEB = re.compile(r"https?://[^\s<>\"'\\]+", re.ASCII)
_MINUS = re.compile(r"(?<![\w-])-(?=\d)")  # as the page writes it
_OWN = re.compile(r"\?[^\s<>\"'\\]*", re.ASCII)

Complain = Callable[[int, str], None]
"""Callback with a line of the Markdown, from 0, and the error there."""


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20})


def read_markdown(text: str, complain: Complain) -> Tree:
    """Return Markdown as a tree.

    Parameters
    ----------
    text : str
    complain : callable
        Told of links to elsewhere than the web, the explorer and the glossary, and of images.
    """
    return list(_nodes(_markdown().parse(text), 0, complain))


def read_inline(text: str, complain: Complain) -> Tree:
    """Return one line of Markdown as a tree without blocks."""
    return list(_nodes(_markdown().parseInline(text), 0, complain))


def _nodes(tokens: Sequence[Token], line: int, complain: Complain) -> Iterator[Any]:
    """Make nodes of tokens, which nest by their openings and ends."""
    open_nodes: list[list[Any]] = [[]]
    for token in tokens:
        line = token.map[0] if token.map else line
        name, _, way = token.type.rpartition("_")
        here = open_nodes[-1]
        if way == "open":
            node: list[Any] = [PLAIN.get(name, "")]
            if name == "link":
                node = _link(str(token.attrGet("href") or ""), line, complain)
            if name == "ordered_list" and token.attrGet("start") not in (None, 1):
                words = f"expected a list that begins with 1., got {token.attrGet('start')}."
                complain(line, f"{words} Where none is meant, begin the line with a word.")
            hidden = token.hidden or not node[0]  # a paragraph of a tight list; a link to nowhere
            open_nodes.append(here if hidden else node)
            if not hidden:
                here.append(node)
        elif way == "close":
            open_nodes.pop()
        elif token.type == "inline":
            here.extend(_nodes(token.children or [], line, complain))
        elif token.type in ("text", "text_special", "entity"):
            here.append(_MINUS.sub("\u2212", token.content))
        elif token.type == "softbreak":
            here.append(" ")
            line += 1
        elif token.type == "hardbreak":
            here.append(["br"])
            line += 1
        elif token.type == "code_inline":
            here.append(["code", token.content])
        elif token.type in ("code_block", "fence"):
            here.append(["pre", token.content])
        elif token.type == "image":
            complain(line, "expected text, got an image; a lesson has none: show the page's own panels.")
        elif token.type != "hr":
            complain(line, f"expected plain Markdown, got {token.type}; leave it out.")
    yield from open_nodes[0]


def _link(href: str, line: int, complain: Complain) -> list[Any]:
    """Return the node of a link that leads where links may lead; an empty name for any other."""
    if href in TERMS:
        return ["term", href]
    if len(href) <= MAX_LINK_LENGTH and (_WEB.fullmatch(href) or _OWN.fullmatch(href)):
        return ["a", href]
    shown = href if len(href) <= 60 else href[:57] + "..."
    complain(
        line,
        "expected a link that begins with https://, with http:// or, to the explorer itself, with ?, or a "
        f"term of the glossary such as explain-away; got {shown!r}.",
    )
    return [""]


def to_text(tree: Tree) -> str:
    """Return the text of a tree, without markup."""
    parts = []
    for node in tree:
        if isinstance(node, str):
            parts.append(node)
        else:
            parts.append(to_text(node[2:] if node[0] in WITH_ATTRIBUTE else node[1:]))
            parts.append(" " if node[0] in ("p", "li", "br", "h4", "pre") else "")
    return "".join(parts)


def to_html(tree: Tree, base: str = "", term: Callable[[str], str] | None = None) -> str:
    """Return a tree as HTML, all texts escaped: for pages that have no player.

    Parameters
    ----------
    base : str
        The explorer's address, before its ``?``.
    term : callable, optional
        Function from a key of the glossary to the address of its entry; without it terms are plain words.
    """
    parts = []
    for node in tree:
        if isinstance(node, str):
            parts.append(html.escape(node))
            continue
        kind, *rest = node
        if kind == "br":
            parts.append("<br>")
        elif kind == "a":
            href = html.escape(base + rest[0] if rest[0].startswith("?") else rest[0])
            parts.append(f'<a href="{href}">{to_html(rest[1:], base, term)}</a>')
        elif kind == "term":
            words = to_html(rest[1:], base, term)
            parts.append(words if term is None else f'<a href="{html.escape(term(rest[0]))}">{words}</a>')
        else:
            parts.append(f"<{kind}>{to_html(rest, base, term)}</{kind}>")
    return "".join(parts)
