"""Mathematics as MathML, which browsers draw by themselves: no script and no network."""

from __future__ import annotations

import re
from collections.abc import Callable

from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml

_SIZES = re.compile(r"\\[bB]igg?(?![A-Za-z])")  # of brackets, which the browser chooses
# Formulas as nbconvert finds them, and code, in which none are.
_WRITTEN = re.compile(
    r"(?P<code>^(?P<fence>```+|~~~+).*?^(?P=fence)|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))"
    r"|(?<!\\)\$\$(?P<block>.*?)(?<!\\)\$\$"
    r"|(?<![$\\])\$(?P<inline>.+?)(?<![$\\])\$",
    re.DOTALL | re.MULTILINE,
)
_MARKDOWN = re.compile(r"[*_\[\]`\\~|!]")


def mathml(tex: str, *, block: bool) -> str:
    """Return a formula as MathML.

    Parameters
    ----------
    tex : str
    block : bool
        True if it stands on lines of its own.

    Raises
    ------
    ValueError
        The formula cannot be read.
    """
    try:
        found = tex2mathml(_SIZES.sub("", tex), as_block=block)
    except MathError as error:
        raise ValueError(f"cannot read the formula {tex!r}: {error}") from error
    # entities of MathML, of which HTML knows other names, as the characters that they stand for
    return found.replace("&ApplyFunction;", "\u2061")


def with_mathml(markdown: str, unread: Callable[[str], object]) -> str:
    """Return Markdown with its formulas as MathML; unreadable ones are kept and reported to `unread`."""

    def written(match: re.Match[str]) -> str:
        if match["code"] is not None:
            return match[0]
        block = match["block"] is not None
        try:
            found = mathml(match["block"] if block else match["inline"], block=block)
        except ValueError as error:
            unread(str(error))
            return match[0]
        # within Markdown, and so on one line, with nothing that would be read as Markdown
        return _MARKDOWN.sub(lambda sign: f"&#{ord(sign[0])};", " ".join(found.split()))

    return _WRITTEN.sub(written, markdown)
