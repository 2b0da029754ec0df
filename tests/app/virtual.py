"""Time that passes only when it is told to: an event loop that waits for nothing, and its clock."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from types import SimpleNamespace
from typing import Any


class _Selector(selectors.DefaultSelector):
    """Answers at once, and sets the loop's clock to the moment until which it was to wait."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[Any]:
        ready = super().select(0)
        if not ready:
            if timeout is None:
                raise RuntimeError("nothing would ever happen again")
            self.loop.now += max(0.0, timeout)
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop in which a pause takes no time, and work takes the time that it says.

    Attributes
    ----------
    now : float
        What its clock says, seconds.
    """

    def __init__(self) -> None:
        self.now = 0.0
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Return what the clock says."""
        return self.now

    def work(self, seconds: float) -> None:
        """Keep the loop from everything else for so long."""
        self.now += seconds


def run_virtually(
    monkeypatch: Any, module: Any, go: Callable[[VirtualLoop], Coroutine[Any, Any, Any]]
) -> Any:
    """Run a coroutine in such a loop; the clock of `module`, which asks `time.monotonic`, is the loop's."""
    loop = VirtualLoop()
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=loop.time))
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(go(loop))
