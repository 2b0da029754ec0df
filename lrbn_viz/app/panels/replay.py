"""The two lanes: packs the session's traces for the player and follows its cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from panel.io import state
from panel.viewable import Viewable

from lrbn_viz.app.player.host import TracePlayer
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.player.packing import pack_models, pack_trace
from lrbn_viz.app.player.usage import count_usage
from lrbn_viz.app.session import Session
from lrbn_viz.app.view import SessionView


class ReplayPanel(SessionView):
    """Input, lanes, curve and transport."""

    def __init__(self, session: Session, on_narrow: Callable[[], None] | None = None) -> None:
        super().__init__(session)
        self._packed: tuple[str, ...] = ()
        self.player = TracePlayer(
            on_image=session.choose,
            on_draw=session.draw,
            on_hold=session.hold,
            on_usage=lambda: state.execute(self._count_usage),
            on_narrow=on_narrow,
            sizing_mode="stretch_both",
            **self._blocks(),
            cursor=session.cursor,
            selected=session.selected,
            unit_order=session.unit_order,
            hidden=session.hidden,
        )
        self.bind(self.player, "cursor", "cursor")
        # what the browser says is checked by the session; what the session says is shown
        for name, take in (
            ("selected", session.select),
            ("unit_order", session.sort),
            ("hidden", session.hide),
        ):
            self.player.param.watch(lambda event, take=take: take(event.new), name)
            session.param.watch(lambda event: self.player.param.update(**{event.name: event.new}), name)
        session.param.watch(self._show, "traces")

    def _show(self, *_: object) -> None:
        self.player.param.update(**self._blocks())

    async def _count_usage(self) -> None:
        """Count on a thread how often each unit is on, and show it when it is known."""
        session = self.session
        self.player.usage = await asyncio.to_thread(count_usage, session.models, session.dataset.test_X)

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
