"""The explorer's page in a cell of a notebook."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from panel.viewable import Viewable


def explorer() -> Viewable:
    """Return the explorer's page, to be shown by a cell: inference, training and all else, in this kernel.

    It needs a running kernel and the extension of Panel that comes with it, and no other server. Each call
    makes a page of its own. Models that are trained are among the stored runs, as in a served explorer.

    Raises
    ------
    ImportError
        In Voila, where jupyter_bokeh is not installed.

    Examples
    --------
    >>> from lrbn_viz.notebook import explorer
    >>> page = explorer()  # as the last line of a cell: the page is shown
    >>> page.title
    'lrbn_viz'
    """
    import panel as pn  # not at the top: a player needs it not

    from lrbn_viz.app.shell import build_page

    pn.extension(inline=True, **_comms())  # inline: the notebook's page asks no other host for a file
    return build_page()


IN_VOILA = "VOILA_REQUEST_URL"
"""Environment variable that Voila sets for its kernels."""


def _comms() -> dict[str, Any]:
    """Return how a page reaches its kernel: as a widget where the extension of Panel does not work."""
    if IN_VOILA not in os.environ:
        return {}
    try:
        import_module("jupyter_bokeh")
    except ImportError:
        raise ImportError(
            "expected jupyter_bokeh, by which the explorer's page reaches its kernel in Voila, and it is not "
            "installed; pip install jupyter_bokeh."
        ) from None
    return {"comms": "ipywidgets"}
