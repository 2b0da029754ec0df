"""The two lanes: packs the session's traces for the player and follows its cursor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from panel.viewable import Viewable

from lrbn_viz.app.player import Lane, TracePlayer, pack_models, pack_trace
from lrbn_viz.app.session import ALGORITHMS, STARTS, Session
from lrbn_viz.app.view import SessionView


class ReplayPanel(SessionView):
    """Input, lanes, curve and transport."""

    def __init__(self, session: Session, on_narrow: Callable[[], None] | None = None) -> None:
        super().__init__(session)
        self._packed: tuple[str, ...] = ()
        self.player = TracePlayer(
            on_image=session.choose,
            on_draw=session.draw,
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
        blocks["trace"] = pack_trace(self._lanes(), self._meta())
        return blocks

    def _lanes(self) -> list[Lane]:
        session = self.session
        algorithm = ALGORITHMS[session.algorithm]
        lrbn, rbm = list(session.traces)
        return [
            Lane(lrbn, session.lrbn, "LRBN", algorithm.title, True, algorithm.monotone),
            Lane(rbm, session.rbm, "RBM", "factorised, one pass", False, True),
        ]

    def _meta(self) -> dict[str, object]:
        session = self.session
        name = session.label
        return {
            "title": name,
            "caption": f"{session.dataset_name} test image {session.index}"
            + ", changed" * bool(session.drawn),
            "start": STARTS[session.start],
            "cursor": session.cursor,
        }

    def __panel__(self) -> Viewable:
        return self.player
