"""The page around the panels: header, picker at the side, lanes in the middle, theme, fast sockets."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlencode

import panel as pn
import panel_material_ui as pmui

from lrbn_viz.app.link import NAMES, read_link, write_link
from lrbn_viz.app.panels.export import ExportPanel
from lrbn_viz.app.panels.gallery import GalleryPanel
from lrbn_viz.app.panels.replay import ReplayPanel
from lrbn_viz.app.panels.settings import SettingsPanel
from lrbn_viz.app.session import Session

_log = logging.getLogger(__name__)

FONT = (
    'Inter, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", '
    '"Liberation Sans", Arial, sans-serif'
)
BAR: dict[str, Any] = {
    "& .MuiAppBar-root": {
        "backgroundColor": "#17202a",
        "backgroundImage": "none",
        "color": "#e8edf2",
        "boxShadow": "none",
    },
    "& .MuiToolbar-root": {"minHeight": "48px !important"},
}
THEME: dict[str, Any] = {
    "light": {
        "palette": {"primary": {"main": "#17202a"}, "background": {"default": "#f3f5f7", "paper": "#ffffff"}}
    },
    "dark": {
        "palette": {"primary": {"main": "#8ecbff"}, "background": {"default": "#0f1419", "paper": "#182028"}}
    },
}
for _scheme in THEME.values():
    _scheme["typography"] = {"fontFamily": FONT, "h3": {"fontSize": "1.05rem", "fontWeight": 650}}


def send_small_packets_at_once(session_context: Any) -> int:
    """Switch Nagle's algorithm off on the websockets of a Bokeh session, for answers without its 40 ms wait.

    Bokeh offers no public way to its sockets, so a change in its private names makes this do nothing.

    Returns
    -------
    int
        Number of sockets set.
    """
    done = 0
    try:
        for connection in session_context.session._subscribed_connections:
            connection._socket.set_nodelay(True)
            done += 1
    except (AssertionError, AttributeError, OSError) as error:
        _log.debug("TCP_NODELAY not set: %s", error)
    return done


def _on_load() -> None:
    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        send_small_packets_at_once(document.session_context)


def _query() -> str:
    """Return the query string with which the page was asked for."""
    return urlencode([(name, value.decode()) for name, (value, *_) in pn.state.session_args.items()])


def build_page(session: Session | None = None) -> pmui.Page:
    """Make the Inference page for one visitor."""
    session = session or Session(**read_link(_query()))
    if pn.state.location is not None:
        location = pn.state.location
        session.param.watch(lambda *_: setattr(location, "search", write_link(session)), list(NAMES.values()))
    pn.state.onload(_on_load)
    page = pmui.Page(
        title="lrbn_viz",
        main=[ReplayPanel(session, on_narrow=lambda: setattr(page, "sidebar_open", False))],
        sidebar=[GalleryPanel(session), SettingsPanel(session), ExportPanel(session)],
        sidebar_width=288,
        theme_config=THEME,
        sx=BAR,
        busy_indicator=None,
        meta_description="Step, play and scrub inference in an LRBN beside an RBM.",
    )
    return page
