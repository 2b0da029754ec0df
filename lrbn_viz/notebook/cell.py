"""The explorer's page in a cell of a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from panel.viewable import Viewable


def explorer() -> Viewable:
    """Return the explorer's page, to be shown by a cell: inference, training and all else, in this kernel.

    It needs a running kernel and the extension of Panel that comes with it, and no other server. Each call
    makes a page of its own. Models that are trained are among the stored runs, as in a served explorer.
    """
    import panel as pn  # not at the top: a player needs it not

    from lrbn_viz.app.shell import build_page

    pn.extension(inline=True)  # the notebook's page is asked for no file of another host
    return build_page()
