"""Every answer of a server of this process, seen before it leaves: for what all answers say, and for counts.

Neither Bokeh nor Panel lets anybody add to the answers of a server that runs already, and a page is made
while its request is being answered. So this wraps a public method of Tornado's, which every answer passes.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable
from typing import Any

from tornado.web import RequestHandler

_log = logging.getLogger(__name__)

Act = Callable[[RequestHandler], None]
_acts: list[Act] = []


def before_sending(act: Act) -> None:
    """Call `act` with each request handler once, before its answer leaves; the same act is added once.

    Only with handlers of Bokeh's servers: a notebook's own server may be in the same process.
    """
    _wrap()
    if act not in _acts:
        _acts.append(act)


@functools.cache
def _wrap() -> None:
    from bokeh.server.tornado import BokehTornado

    flush = RequestHandler.flush

    @functools.wraps(flush)
    def flush_after_acts(self: RequestHandler, include_footers: bool = False) -> Any:
        if isinstance(self.application, BokehTornado) and not getattr(self, "_lrbn_seen", False):
            self._lrbn_seen = True  # pyright: ignore[reportAttributeAccessIssue] - gone with the request
            for act in _acts:
                _try(act, self)
        return flush(self, include_footers)

    RequestHandler.flush = flush_after_acts


def _try(act: Act, handler: RequestHandler) -> None:
    """Call an act, so that its failure does not affect the answer."""
    try:
        act(handler)
    except Exception:
        _log.exception("error while preparing an answer")
