"""Mathematics as MathML, which browsers draw by themselves: no script and no network."""

from __future__ import annotations

from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from lrbn_viz.notebook import mathematics

LOG = logging.getLogger(__name__)


def mathml(tex: str, node: nodes.Node, block: bool) -> str:
    """Return TeX as MathML; if it cannot be read, issue a warning and return the TeX itself."""
    try:
        return mathematics.mathml(tex, block=block)
    except ValueError as error:
        LOG.warning("%s", error, location=node)
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
