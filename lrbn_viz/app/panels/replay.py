"""The two lanes: packs the session's traces for the player and follows its cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import param
from panel.io import PeriodicCallback, state
from panel.viewable import Viewable
from param.parameterized import batch_call_watchers

from lrbn_viz.app.player.basins import basins_of
from lrbn_viz.app.player.host import TracePlayer
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.player.packing import pack_models, pack_trace
from lrbn_viz.app.player.usage import count_usage
from lrbn_viz.app.session import Session
from lrbn_viz.app.sockets import in_one_piece
from lrbn_viz.app.view import SessionView


class ReplayPanel(SessionView):
    """Input, lanes, curve and transport."""

    def __init__(self, session: Session, on_narrow: Callable[[], None] | None = None) -> None:
        super().__init__(session)
        self._packed: tuple[str, ...] = ()
        self._answered = ""  # of which question the player has the optima
        # A look 20 times a second, while a search runs, at where its thread puts the answer.
        self._waiting = PeriodicCallback(callback=self._show_basins, period=50)
        self.player = TracePlayer(
            on_image=session.choose,
            on_draw=session.draw,
            on_hold=session.hold,
            on_basins=self._look_for_basins,
            on_climb=self._climb,
            on_compare=self._compare,
            on_usage=lambda: state.execute(self._count_usage),
            on_narrow=on_narrow,
            sizing_mode="stretch_both",
            **self._blocks(),
            cursor=session.cursor,
            selected=session.selected,
            unit_order=session.unit_order,
            hidden=session.hidden,
        )
        self.player.param.watch(lambda event: setattr(session, "cursor", event.new), "cursor")
        # what the browser says is checked by the session; what the session says is shown
        for name, take in (
            ("selected", session.select),
            ("unit_order", session.sort),
            ("hidden", session.hide),
        ):
            self.player.param.watch(lambda event, take=take: take(event.new), name)
            session.param.watch(lambda event: self.player.param.update(**{event.name: event.new}), name)
        session.param.watch(self._show, ["traces", "cursor"])

    def _show(self, *events: param.parameterized.Event) -> None:
        """Follow traces and cursor, in one message when both change."""
        blocks = self._blocks() if any(event.name == "traces" for event in events) else {}
        # as `param.update` does, which is too slow behind a moving pen
        with in_one_piece(), batch_call_watchers(self.player):
            for name, block in blocks.items():
                setattr(self.player, name, block)
            self.player.cursor = self.session.cursor

    def _look_for_basins(self, question: str) -> None:
        """Have the optima looked for that the browser asks for, if that image is still shown."""
        if question != self.session.question:
            return
        self.session.look_for_basins()
        self._show_basins()
        if self.session.search.busy and not self._waiting.running:
            self._waiting.start()

    def _show_basins(self) -> None:
        """Show the optima once they are known; called again and again while the search runs."""
        busy = self.session.search.busy  # before the look, so that the last one cannot be missed
        if self._answered != self.session.question and (block := basins_of(self.session)):
            self.player.basins = block
            self._answered = self.session.question
        if not busy and self._waiting.running:
            self._waiting.stop()

    async def _count_usage(self) -> None:
        """Count on a thread how often each unit is on, and show it when it is known."""
        session = self.session
        self.player.usage = await asyncio.to_thread(count_usage, session.models, session.dataset.test_X)

    def _climb(self, question: str, row: int) -> None:
        """Show how ICM gets to one of the optima on the page."""
        found = self.session.basins
        if question == self.session.question and found is not None and 0 <= row < len(found):
            self.session.climb_from(found.starts[row])

    def _compare(self, name: str) -> None:
        from lrbn_viz.catalog import PRETRAINED

        if name in PRETRAINED and PRETRAINED[name].system == "LRBN":
            self.session.compare(name)

    def _blocks(self) -> dict[str, Any]:
        session = self.session
        blocks: dict[str, Any] = {}
        names = tuple(session.models)
        if names != self._packed:
            blocks["models"] = pack_models(session.models, session.dataset.image_shape)
            self._packed = names
        blocks["trace"] = pack_trace(lanes_of(session), words_of(session))
        return blocks

    def __panel__(self) -> Viewable:
        return self.player
