"""The host of the pages on a server for many visitors; `patches` lists what it replaces of other packages."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import Any

from panel.viewable import Viewable

from lrbn_viz.app.host import Host, set_host
from lrbn_viz.app.shared.notices import notices_of
from lrbn_viz.app.visitors.limits import Limits
from lrbn_viz.app.visitors.who import Visitor
from lrbn_viz.server.failing import make_or_fail
from lrbn_viz.server.health import READINESS
from lrbn_viz.server.health import ROUTES as HEALTH
from lrbn_viz.server.metrics import Metrics
from lrbn_viz.server.patches import apply_patches
from lrbn_viz.server.traffic.answers import Answer, before_sending
from lrbn_viz.server.traffic.fairness import charge_later_work, share_pages
from lrbn_viz.server.traffic.files import ROUTES as KEPT
from lrbn_viz.server.traffic.files import kept_address
from lrbn_viz.server.traffic.gc import give_memory_back, spare_the_imported
from lrbn_viz.server.traffic.head import lean_head
from lrbn_viz.server.traffic.headers import guard, note_scripts
from lrbn_viz.server.traffic.observed import OBSERVED, observe_answers
from lrbn_viz.server.traffic.pace import pace_of, set_pace
from lrbn_viz.server.traffic.sending import forgive_pages_that_left
from lrbn_viz.server.visitors.gate import enter
from lrbn_viz.server.visitors.serving import Serving, serve_as, serving

ROUTES = [*HEALTH, (r"/metrics", Metrics), *KEPT]
"""Handlers by address below a server's prefix, which it is started with."""


class ServerHost(Host):
    """A server for many visitors, as the pages see it."""

    def make(self, build: Callable[[], Viewable]) -> Viewable:
        """Return the page that `build` makes, or one that says what failed."""
        return make_or_fail(build)

    def admit(self) -> Visitor:
        """Return who asks, as the gate has found."""
        return enter()

    def trusts(self, application: Any) -> bool:
        """Return True: the gate has seen the request."""
        return True

    def limits_of(self, visitor: Visitor) -> Limits:
        """Return the limits of a visitor."""
        return serving().limits_of(visitor)

    def begin_page(self, document: Any, visitor: Visitor) -> None:
        """Let a page and its messages take turns, and return its memory when its visitor has left."""
        spare_the_imported()
        if document is None:
            return
        if document.session_context is not None:
            share_pages(document.session_context)
        forgive_pages_that_left()
        document.on_session_destroyed(lambda _: give_memory_back())
        limits = self.limits_of(visitor)
        set_pace(
            document,
            limits.messages_a_second,
            lambda: notices_of(document).add(limits.words("messages_a_second")),
            charge_later_work(document),
        )

    def answer(self, document: Any, key: Hashable, answer: Callable[[], None]) -> None:
        """Answer a message at its page's pace."""
        pace = pace_of(document)
        if pace is None:
            answer()
        else:
            pace.take(key, answer)

    def time_message(self, component: str) -> AbstractContextManager[None]:
        """Count a message and its time."""
        return OBSERVED.message(component)

    def count_error(self, where: str) -> None:
        """Count an error."""
        OBSERVED.count_error(where)

    def kept_address(self, content: bytes, name: str, kind: str) -> str | None:
        """Return the address of a file that this server keeps."""
        return kept_address(content, name, kind)

    def head(self, document: Any) -> Any:
        """Return the addresses of what a page loads first."""
        return lean_head(document)

    def note_scripts(self, html: str, own_scripts: tuple[str, ...], context: dict[str, Any]) -> None:
        """Name a page's own scripts in its policy."""
        note_scripts(html, own_scripts, context)


def install(how: Serving, embed: tuple[str, ...] | None = None, *, all_pages: bool = False) -> None:
    """Serve many visitors in this process from now on; called before its servers begin.

    Parameters
    ----------
    how : Serving
    embed : tuple of str, optional
        Origins whose pages may show the explorer in a frame; what the environment says by default.
    all_pages : bool
        True if every page of the process is the explorer's or a part of its server.

    Raises
    ------
    ValueError
        The environment names an origin that is none.
    PatchError
        Bokeh or Panel has a version whose parts cannot be replaced.
    """
    guard(embed, all_pages=all_pages)
    serve_as(how)
    set_host(ServerHost())
    observe_answers()
    before_sending(_note_page)
    apply_patches()


def _note_page(answer: Answer) -> None:
    """Record a page that is served as evidence of readiness."""
    if answer.is_page and answer.status == 200:
        READINESS.note_page()
