"""A model of a page's address that accepts any query.

Panel's Location parses every value of a query as a number or as JSON, for widgets that follow the address.
These pages have no such widgets, and some links (5,000 digits, two question marks) would raise an error.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import panel as pn
from panel.io.location import Location
from panel.util.parameters import edit_readonly


class PlainLocation(Location):
    """A location without linked parameters."""

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        for watcher in list(self.param.watchers.get("search", {}).get("value", [])):
            if watcher.fn == self._update_synced:  # another component sends the address to the browser
                self.param.unwatch(watcher)


def location_of(protocol: str, host: str, uri: str) -> PlainLocation:
    """Return the location of a request.

    Parameters
    ----------
    protocol : str
        ``"http"`` or ``"https"``.
    host : str
        Host with its port, as the browser names it.
    uri : str
        Path and query as they came.
    """
    path, _, query = uri.partition("?")
    query = query.partition("#")[0]
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname or "", "" if parts.port is None else str(parts.port)
    except ValueError:  # an invalid host; the browser knows the real one
        name, port = "", ""
    location = PlainLocation()
    with edit_readonly(location):
        location.param.update(
            protocol=f"{protocol}:",
            hostname=name,
            port=port,
            pathname=urlsplit(path).path if "://" in path else path,
            search=f"?{query}" if query else "",
            href=f"{protocol}://{host}{uri}",
        )
    return location


def use_plain_location(document: Any) -> None:
    """Give a document that a browser requested a location that accepts any address.

    Panel has no public function for this. If its private name changes, this function has no effect.
    """
    request = getattr(document.session_context, "request", None) if document is not None else None
    known = getattr(pn.state, "_locations", None)
    uri = getattr(request, "uri", None)
    if request is not None and known is not None and uri:
        known[document] = location_of(str(request.protocol), str(request.host), str(uri))
