"""The gate of a server: who asks, by a cookie that only this server makes, and whose session may be joined.

Every request passes here before any handler of Panel's or Bokeh's sees it. A page gives its visitor a token
in a cookie; a websocket without one, or for a session of somebody else, is refused.
"""

from __future__ import annotations

import html
import logging
import time
from collections import OrderedDict
from typing import Any, NamedTuple
from weakref import WeakSet

import panel as pn
from bokeh.application.handlers import Handler
from bokeh.util.token import get_session_id, get_token_payload
from tornado.httputil import HTTPConnection, HTTPServerRequest, url_concat
from tornado.web import OutputTransform, RequestHandler, decode_signed_value

from lrbn_viz.app.host import NotServedError, current_request
from lrbn_viz.app.visitors.limits import Rate
from lrbn_viz.app.visitors.local import comes_from_here, origins_are_local
from lrbn_viz.app.visitors.who import HOME, Visitor
from lrbn_viz.server.traffic.fairness import VISITOR
from lrbn_viz.server.visitors.serving import Serving, serving
from lrbn_viz.server.visitors.tokens import LIFE_SECONDS, Signer, new_id

_log = logging.getLogger(__name__)

LECTURER = "lecturer"
"""Path, below the server's prefix, at which the lecturer's secret is given."""
NOT_OWNER = "This page belongs to another visitor, or no longer exists. Open the explorer again."
NO_TOKEN = (
    "This server identifies visitors by a cookie. Open the explorer's page first, and allow its cookie."
)
NO_GATE = "This server does not tell visitors apart. Start it with lrbn-viz serve."
NO_LECTURER = "This is not the lecturer's address. Open the one that the server printed."
_MAX_SESSIONS = 10_000
_STAMP = VISITOR  # of a session's token, and of a request


class Refusal(NamedTuple):
    """Refusal of a request, with its reason.

    Attributes
    ----------
    status : int
        Status code of HTTP.
    words : str
        What the page says.
    """

    status: int
    words: str


class _Refused(RequestHandler):
    """Handler that answers every request with a refusal."""

    def initialize(self, refusal: Refusal) -> None:
        self._refusal = refusal

    def prepare(self) -> None:
        """Send the answer at once."""
        status, words = self._refusal
        self.set_status(status)
        self.set_header("Cache-Control", "no-store")
        self.set_header("X-Content-Type-Options", "nosniff")
        self.set_header("Content-Type", "text/html; charset=utf-8")
        if status == 429:
            self.set_header("Retry-After", "10")
        self.finish(
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>lrbn_viz</title></head>'
            f"<body><p>{html.escape(words)}</p></body></html>\n"
        )


class _LecturerRedirect(RequestHandler):
    """Leads a lecturer, who has the cookie now, to the explorer: the secret stays in no address bar."""

    def initialize(self, target: str) -> None:
        self._target = target

    def prepare(self) -> None:
        """Send the answer at once."""
        self.set_header("Cache-Control", "no-store")
        self.set_header("Referrer-Policy", "no-referrer")
        self.redirect(self._target, status=303)


class Cookies(OutputTransform):
    """Transform that adds the cookies which the gate issued for a request to its answer."""

    def __init__(self, request: HTTPServerRequest) -> None:
        self._lines: list[str] = getattr(request, "lrbn_cookies", [])

    def transform_first_chunk(
        self, status_code: int, headers: Any, chunk: bytes, finishing: bool
    ) -> tuple[int, Any, bytes]:
        """Add the cookies' lines."""
        for line in self._lines:
            headers.add("Set-Cookie", line)
        return status_code, headers, chunk


class Stamp(Handler):
    """Writes into the token of a page's session whose it is."""

    def modify_document(self, doc: Any) -> None:
        """Add nothing: this handler is there for the token."""

    def process_request(self, request: Any) -> dict[str, Any]:
        """Return the token's contents beside the standard ones."""
        visitor = getattr(request, _STAMP, None)
        return {} if visitor is None else {_STAMP: visitor.id}


def _sessions_named(request: HTTPServerRequest) -> tuple[list[str], list[Any]]:
    """Return the ids of the sessions that a request names, and their owners by the tokens among these.

    Raises
    ------
    ValueError, KeyError, TypeError, AssertionError
        What is no token.
    """
    names = [value.decode("utf-8", "replace") for value in request.arguments.get("bokeh-session-id", [])]
    names += request.headers.get_list("Bokeh-Session-Id")
    tokens = [value.decode("utf-8", "replace") for value in request.arguments.get("bokeh-token", [])]
    offered = request.headers.get("Sec-WebSocket-Protocol", "").split(",")
    tokens += [each.strip() for each in offered[1:]]
    stamps = []
    for token in tokens:
        name = get_session_id(token)
        if not isinstance(name, str):
            raise TypeError("expected a text")
        names.append(name)
        stamps.append(get_token_payload(token).get(_STAMP))
    return names, stamps


def cookies_of(signer: Signer) -> tuple[str, str]:
    """Return the names of a server's cookies: of a visitor's token, and of the lecturer's."""
    return f"lrbn_viz_visitor_{signer.tag}", f"lrbn_viz_lecturer_{signer.tag}"


class Sessions:
    """Owners of a server's sessions: the first visitor that names each, as long as it exists."""

    def __init__(self) -> None:
        self._owners: OrderedDict[str, str] = OrderedDict()
        self._open: dict[str, str] = {}

    def bind(self, session: str, visitor: Visitor) -> bool:
        """Bind a session to a visitor, unless it is another's; return whether it is theirs."""
        owner = self._owners.setdefault(session, visitor.id)
        while len(self._owners) > _MAX_SESSIONS:
            self._owners.popitem(last=False)
        return visitor.is_owner or owner == visitor.id

    def opened(self, session: str, visitor: Visitor) -> None:
        """Take note that a session has a page."""
        self.bind(session, visitor)
        self._open[session] = visitor.id

    def is_open(self, session: str) -> bool:
        """Return whether a session has a page."""
        return session in self._open

    def forget(self, session: str) -> None:
        """Take note that a session is gone."""
        self._owners.pop(session, None)
        self._open.pop(session, None)

    def pages(self, visitor: Visitor | None = None) -> int:
        """Return how many pages are open, of a visitor or of all."""
        return sum(visitor is None or owner == visitor.id for owner in list(self._open.values()))


class Gate:
    """The gate of one server.

    Parameters
    ----------
    application : bokeh.server.tornado.BokehTornado
    how : Serving
    signer : Signer
    """

    def __init__(self, application: Any, how: Serving, signer: Signer) -> None:
        self._how, self._application, self._signer = how, application, signer
        self.sessions = Sessions()
        limits = how.limits
        self._pages_opened = Rate(limits.pages_a_second, 10)
        self._newcomers = Rate(limits.newcomers_a_second, 100)
        self._cookie, self._role_cookie = cookies_of(signer)
        self._prefix = application.prefix
        self._pages = [self._prefix + ("" if key == "/" else key) for key in application.applications]
        _gates.add(self)

    @property
    def _logs_in(self) -> bool:
        """True if visitors log in through Panel."""
        return getattr(self._application.auth_provider, "get_user", None) is not None

    def owns(self, session_context: Any) -> bool:
        """Return whether a session belongs to this server."""
        context = session_context.server_context.application_context
        return any(context is each for each in self._application.applications.values())

    def visitor_of(self, request: HTTPServerRequest) -> Visitor | None:
        """Return who asks; None where that is not known yet."""
        if self._how.shared is not None:
            is_owner = self._how.shared
        else:
            here = origins_are_local(self._application.websocket_origins) and comes_from_here(request)
            is_owner = here and not self._logs_in
        if is_owner:
            return HOME
        name = self._user_of(request)
        if not name:
            token = self._read("visitor", request, self._cookie)
            name = None if token is None else token.id
        if name is None:
            return None
        role = self._read("lecturer", request, self._role_cookie)
        return Visitor(name, "lecturer" if role is not None and role.id == name else "visitor")

    def _user_of(self, request: HTTPServerRequest) -> str | None:
        """Return the id of who has logged in, if somebody has, by Panel's signed cookie."""
        secret = self._application.settings.get("cookie_secret")
        cookie = request.cookies.get("user")
        if not self._logs_in or not secret or cookie is None:
            return None
        user = decode_signed_value(secret, "user", cookie.value, max_age_days=pn.config.oauth_expiry)
        return None if user is None else self._signer.alias("user", user.decode())

    def _read(self, kind: str, request: HTTPServerRequest, cookie: str) -> Any:
        found = request.cookies.get(cookie)
        return None if found is None else self._signer.read(kind, found.value)

    def stop(self, request: HTTPServerRequest) -> tuple[type[RequestHandler], dict[str, Any]] | None:
        """Return the handler, and its arguments, of a request that goes no further; None if it may."""
        if self.is_lecturers(request):
            led = self.lead_lecturer(request)
            if isinstance(led, str):
                return _LecturerRedirect, {"target": led}
            return _Refused, {"refusal": led}
        refusal = self.admit(request)
        if refusal is None:
            return None
        _log.info("refused %s: %d", request.path, refusal.status)
        return _Refused, {"refusal": refusal}

    def admit(self, request: HTTPServerRequest) -> Refusal | None:
        """Take note of who asks, give a token to who has none, and say why a request goes no further."""
        visitor = self.visitor_of(request)
        page = self._page_of(request.path)
        if page is None:
            setattr(request, _STAMP, visitor)
            return None
        if visitor is None:
            if page == "/ws":
                return Refusal(403, NO_TOKEN)
            if not self._newcomers.allows(""):
                return self._reached("newcomers_a_second")
            visitor = Visitor(new_id())
            self._give(request, self._cookie, "visitor", visitor.id)
        else:
            self._renew(request, visitor)
        setattr(request, _STAMP, visitor)
        return self._check_session(request, visitor) or self._check_room(request, visitor)

    def _reached(self, name: str) -> Refusal:
        return Refusal(429, self._how.limits.words(name))

    def _check_room(self, request: HTTPServerRequest, visitor: Visitor) -> Refusal | None:
        """Say why a visitor may have no further page now; one that is there may be joined."""
        names = _sessions_named(request)[0]
        if visitor.is_owner or (names and all(map(self.sessions.is_open, names))):
            return None
        limits = self._how.limits
        if not self._pages_opened.allows(visitor.id):
            return self._reached("pages_a_second")
        if self.sessions.pages(visitor) >= limits.pages:
            return self._reached("pages")
        if self.sessions.pages() >= limits.all_pages:
            return self._reached("all_pages")
        return None

    def _page_of(self, path: str) -> str | None:
        """Return what follows the address of an app in a request for its page or its session; else None."""
        for page in self._pages:
            rest = path.removeprefix(page) if path.startswith(page) else None
            if rest in ("", "/", "/ws", "/autoload.js", "/metadata"):
                return rest
        return None

    def _renew(self, request: HTTPServerRequest, visitor: Visitor) -> None:
        token = self._read("visitor", request, self._cookie)
        if token is not None and token.id == visitor.id and token.expiry - time.time() < LIFE_SECONDS / 2:
            self._give(request, self._cookie, "visitor", visitor.id)

    def _give(self, request: HTTPServerRequest, cookie: str, kind: str, name: str) -> None:
        """Set a cookie with a token in the answer."""
        token = self._signer.sign(kind, name, time.time() + LIFE_SECONDS)
        secure = request.protocol == "https" or request.headers.get("X-Forwarded-Proto") == "https"
        line = f"{cookie}={token}; Path=/; Max-Age={int(LIFE_SECONDS)}; HttpOnly; SameSite="
        # In a frame of another site a browser takes it over https only, and keeps it for that site.
        line += "None; Partitioned" if secure and self._how.framed else "Lax"
        lines = getattr(request, "lrbn_cookies", [])
        lines = [*lines, line + ("; Secure" if secure else "")]
        request.lrbn_cookies = lines  # pyright: ignore[reportAttributeAccessIssue] - gone with the request

    def _check_session(self, request: HTTPServerRequest, visitor: Visitor) -> Refusal | None:
        """Say why a request may not have the session that it names."""
        try:
            names, stamps = _sessions_named(request)
        except (ValueError, KeyError, TypeError, AssertionError):
            return Refusal(403, NOT_OWNER)
        theirs = visitor.is_owner or all(stamp == visitor.id for stamp in stamps)
        if not theirs or not all(self.sessions.bind(each, visitor) for each in names):
            return Refusal(403, NOT_OWNER)
        return None

    # -- the lecturer

    def is_lecturers(self, request: HTTPServerRequest) -> bool:
        """Return whether a request is for the lecturer's role."""
        return request.path == f"{self._prefix}/{LECTURER}" and self._how.shared is not True

    def lead_lecturer(self, request: HTTPServerRequest) -> Refusal | str:
        """Give the lecturer's role to who has the secret: the address that the browser goes to next."""
        keys = request.arguments.get("key", [])
        if request.method != "GET" or len(keys) != 1 or not self._how.has_lecturer_key(keys[0]):
            return Refusal(403, NO_LECTURER)
        visitor = self.visitor_of(request)
        if visitor is None:
            visitor = Visitor(new_id())
            self._give(request, self._cookie, "visitor", visitor.id)
        if not visitor.is_owner:
            self._give(request, self._role_cookie, "lecturer", visitor.id)
        page = self._pages[0].removeprefix(self._prefix).lstrip("/")
        return url_concat(f"./{page}", {"page": "train"})


_gates: WeakSet[Gate] = WeakSet()


def enter() -> Visitor:
    """Return who visits the page that is being made.

    Without a server, or with one that is not Bokeh's, the visitor is the owner.

    Raises
    ------
    NotServedError
        Visitors are kept apart, and the page is asked for by way of a server without a gate.
    """
    request = current_request()
    if request is None:
        return HOME
    visitor = getattr(request, _STAMP, None)
    if visitor is None:
        if isinstance(getattr(request, "connection", None), HTTPConnection) or serving().shared is False:
            raise NotServedError(NO_GATE)
        return HOME
    document: Any = pn.state.curdoc
    context = document.session_context
    name: str = context.id
    sessions = next(gate.sessions for gate in _gates if gate.owns(context))
    sessions.opened(name, visitor)
    pn.state.on_session_destroyed(lambda _: sessions.forget(name))
    return visitor
