"""Polling for the results of a thread: threads themselves never touch a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel as pn

_EVERY_MS = 50


class Poller:
    """Calls a function about twenty times a second as long as there is something to wait for.

    Parameters
    ----------
    poll : callable
        Takes over what a thread has found, if it has.
    busy : callable
        True if there is something to wait for.
    """

    def __init__(self, poll: Callable[[], None], busy: Callable[[], bool]) -> None:
        self._poll, self._busy = poll, busy
        self._callback: Any = None

    def follow(self) -> None:
        """Start polling if there is something to wait for; call it on a page when that may have changed."""
        if self._busy() and self._callback is None and pn.state.curdoc is not None:
            self._callback = pn.state.add_periodic_callback(self._turn, period=_EVERY_MS)

    def _turn(self) -> None:
        self._poll()
        if not self._busy() and self._callback is not None:
            self._callback.stop()
            self._callback = None
