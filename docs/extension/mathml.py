"""Mathematics as MathML, which browsers draw by themselves: no script and no network.

The converter comes with docutils, which Sphinx is built on.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

SIZES = re.compile(r"\\[bB]igg?(?![A-Za-z])")  # of brackets, which the browser chooses
LOG = logging.getLogger(__name__)


def mathml(tex: str, node: nodes.Node, block: bool) -> str:
    """Return TeX as MathML; a warning, and the TeX itself, where it cannot be read."""
    try:
        # entities of MathML, of which HTML knows other names, as the characters that they stand for
        return tex2mathml(SIZES.sub("", tex), as_block=block).replace("&ApplyFunction;", "\u2061")
    except MathError as error:
        LOG.warning("cannot read the formula %r: %s", tex, error, location=node)
        return f"<code>{escape(tex)}</code>"


def inline(self: Any, node: nodes.math) -> None:
    """Write a formula within a line."""
    self.body.append(mathml(node.astext(), node, block=False))
    raise nodes.SkipNode


def displayed(self: Any, node: nodes.math_block) -> None:
    """Write a formula on lines of its own."""
    self.body.append(f'<div class="math">{mathml(node.astext(), node, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer by the name that `html_math_renderer` gives."""
    app.add_html_math_renderer("mathml", (inline, None), (displayed, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
