"""The page's connection to the server: detection of its loss, and restoring the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import uuid4

import param
from bokeh.document.events import ModelChangedEvent
from bokeh.util.token import generate_jwt_token, get_token_payload
from panel.io import state

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Kinds
from lrbn_viz.app.shared.sockets import drop_older_connections, signing_of
from lrbn_viz.view.player.source import module_text

if TYPE_CHECKING:
    from bokeh.document import Document

TOKEN_SECONDS = 300
"""Seconds for which a page that lost its connection may reconnect with its last token."""
RETURNING = "returning"
"""Argument in a token that admits only pages that were open before."""


def is_returning() -> bool:
    """Return whether this session was made for a page whose own session the server no longer has."""
    return RETURNING in state.session_args


class ConnectionWatch(Component):
    """Reports on the page when the server does not answer, and restores the page when it does.

    It has no height while there is nothing to say.

    Attributes
    ----------
    born : str
        Unique name of this session.
    token : str
        Token that admits the page again for `token_seconds` seconds.
    offline : str
        Sentence on the functions that work without the server, and on those that do not.
    unsaved : list of str
        Parts of the page that its address would not restore, in words.
    task : str
        Longer work of the server for the page, in words; empty: none.
    compiling : bool
        True while the server compiles its kernels: what needs one of them waits for it.
    """

    born = param.String(default="")
    token = param.String(default="")
    token_seconds = param.Integer(default=TOKEN_SECONDS)
    offline = param.String(default="")
    unsaved = param.List(default=[], item_type=str)
    task = param.String(default="")
    compiling = param.Boolean(default=False)

    _esm: ClassVar[str] = module_text("app/shared/js/connection.js")

    kinds: ClassVar[Kinds] = {"token": {}, "back": {}}

    def __init__(self, **params: Any) -> None:
        super().__init__({"token": self._renew, "back": self._take_up}, born=uuid4().hex, **params)
        self._changed: set[tuple[str, str]] = set()
        if state.curdoc is not None:
            state.curdoc.on_change(self._note)

    def _note(self, event: Any) -> None:
        """Record the properties that have changed since the page was made."""
        if isinstance(event, ModelChangedEvent):
            self._changed.add((str(event.model.id), event.attr))

    def _take_up(self) -> None:
        """Bring a page that was disconnected up to date."""
        document: Any = state.curdoc
        drop_older_connections(document.session_context)
        self._renew()
        document.add_next_tick_callback(lambda: self._say_again(document))  # changes need the document's lock

    def _renew(self) -> None:
        """Give the page a new token: the token with which it was opened is valid for five minutes only."""
        document: Any = state.curdoc
        context = document.session_context
        if context is None or context.session is None:  # no browser shows this document
            return
        payload: Any = dict(get_token_payload(context.session.token))
        payload.pop("session_expiry", None)
        payload["arguments"] = {RETURNING: [b"1"]}
        self.token = generate_jwt_token(
            context.id, extra_payload=payload, expiration=TOKEN_SECONDS, **signing_of(context)
        )

    def _say_again(self, document: Document) -> None:
        """Send all properties that have changed, as the browser missed some changes."""
        models: dict[str, Any] = {str(model.id): model for model in document.models}
        self._changed = {(name, attr) for name, attr in self._changed if name in models}
        for name, attr in sorted(self._changed):
            model = models[name]
            document.callbacks.trigger_on_change(
                ModelChangedEvent(document, model, attr, getattr(model, attr))
            )
