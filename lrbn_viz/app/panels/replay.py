"""The two lanes: packs the session's traces for the player and follows its cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panel.viewable import Viewable

from lrbn_viz.app.player.host import TracePlayer
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.player.packing import pack_models, pack_trace
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
            on_narrow=on_narrow,
            sizing_mode="stretch_both",
            **self._blocks(),
            cursor=session.cursor,
        )
        self.bind(self.player, "cursor", "cursor")
        session.param.watch(self._show, "traces")

    def _show(self, *_: object) -> None:
        self.player.param.update(**self._blocks())

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
