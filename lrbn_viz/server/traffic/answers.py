"""Every answer of a server, seen before it leaves: for what all answers say, and for counts.

`acts_on` gives Tornado's own place for this, a transform of an application's answers.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, NamedTuple

from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

_log = logging.getLogger(__name__)


class Answer(NamedTuple):
    """Beginning of an answer, before it leaves.

    Attributes
    ----------
    application : bokeh.server.tornado.BokehTornado
    request : HTTPServerRequest
    headers : HTTPHeaders
        Headers set so far; an act adds to them.
    status : int
        Status code of HTTP.
    """

    application: Any
    request: HTTPServerRequest
    headers: HTTPHeaders
    status: int = 200

    @property
    def is_page(self) -> bool:
        """True if a page of an application was asked for."""
        return getattr(self.request, _PAGE, False)


Act = Callable[[Answer], None]
_acts: list[Act] = []
_PAGE = "lrbn_page"  # attribute of a request


def before_sending(act: Act) -> None:
    """Call `act` with each answer once, before it leaves; the same act is added once."""
    if act not in _acts:
        _acts.append(act)


def mark_page(request: HTTPServerRequest) -> None:
    """Take note that a request is for the page of an application."""
    setattr(request, _PAGE, True)


def acts_on(application: Any) -> type[OutputTransform]:
    """Return the transform by which the acts see each answer of an application."""

    class Acts(OutputTransform):
        """Calls the acts."""

        def __init__(self, request: HTTPServerRequest) -> None:
            self._request = request

        def transform_first_chunk(
            self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
        ) -> tuple[int, HTTPHeaders, bytes]:
            """Show the answer to each act."""
            answer = Answer(application, self._request, headers, status_code)
            for act in _acts:
                _try(act, answer)
            return status_code, headers, chunk

    return Acts


def _try(act: Act, answer: Answer) -> None:
    """Call an act, so that its failure does not affect the answer."""
    try:
        act(answer)
    except Exception:
        _log.exception("error while preparing an answer")
