"""Polling for the results of a thread: threads themselves never touch a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

_EVERY_MS = 50


class Poller:
    """Calls a function about twenty times a second while a result is pending.

    Parameters
    ----------
    poll : callable
        Takes over the result of a thread, if there is one.
    busy : callable
        Returns True while a result is pending.
    """

    def __init__(self, poll: Callable[[], None], busy: Callable[[], bool]) -> None:
        self._poll, self._busy = poll, busy
        self._callback: Any = None

    def follow(self) -> None:
        """Start polling if a result is pending; to be called on the page whenever that may have changed."""
        if self._busy() and self._callback is None and pn.state.curdoc is not None:
            self._callback = pn.state.add_periodic_callback(self._turn, period=_EVERY_MS)

    def _turn(self) -> None:
        self._poll()
        if not self._busy() and self._callback is not None:
            self._callback.stop()
            self._callback = None
