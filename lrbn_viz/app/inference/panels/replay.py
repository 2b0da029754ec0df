"""The two lanes: packs the session's traces for the player and follows its cursor."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import param
from panel.io import PeriodicCallback, state
from panel.viewable import Viewable
from param.parameterized import batch_call_watchers

from lrbn_viz.app.inference.component import TracePlayer
from lrbn_viz.app.inference.lanes import LANES
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.inference.wire import basins_of, lanes_of, menus_of, words_of
from lrbn_viz.app.shared.menus import FACTORISED, LIVE
from lrbn_viz.app.shared.sockets import in_one_piece
from lrbn_viz.app.shared.weights import models_block
from lrbn_viz.io.background import Executor
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.usage import count_usage

# One count at a time for everybody: each may take all cores for a moment.
_counter = Executor("usage")


class ReplayPanel(SessionView):
    """Input, lanes, curve and transport."""

    def __init__(
        self,
        session: Session,
        on_narrow: Callable[[], None] | None = None,
        on_back: Callable[[], None] | None = None,
    ) -> None:
        super().__init__(session)
        self._packed: tuple[Any, ...] = ()
        self._chosen: list[Any] = []  # what the menus in the player are of
        self._answered: tuple[Any, ...] = ()  # the question and the optima that the player has
        # A look 20 times a second, while a search runs, at where its thread puts the answer.
        self._waiting = PeriodicCallback(callback=self._show_basins, period=50)
        self.player = TracePlayer(
            on_image=session.choose,
            on_draw=session.draw,
            on_hold=session.hold,
            on_lane=session.choose_in,
            on_swap=session.swap,
            on_back=on_back,
            on_basins=self._look_for_basins,
            on_climb=self._climb,
            on_compare=session.compare,
            on_usage=lambda: state.execute(self._count_usage),
            on_narrow=on_narrow,
            sizing_mode="stretch_both",
            **self._blocks(),
            cursor=session.cursor,
            selected=session.selected,
            unit_order=session.unit_order,
            reference=session.reference,
            hidden=session.hidden,
            present=session.present,
            captions=session.captions,
        )
        self.player.param.watch(lambda event: setattr(session, "cursor", event.new), "cursor")
        # what the browser says is checked by the session; what the session says is shown
        for name, take in (
            ("selected", session.select),
            ("unit_order", session.sort),
            ("reference", session.compare_with),
            ("hidden", session.hide),
            ("present", session.present_cards),
            ("captions", session.caption),
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

    def _look_for_basins(self, question: str, lane: int) -> None:
        """Start the search for optima that the browser requests, if the image is still the same."""
        if question != self.session.question:
            return
        self.session.look_for_basins(lane)
        self._show_basins()
        if self.session.search.busy and not self._waiting.running:
            self._waiting.start()

    def _show_basins(self) -> None:
        """Show the optima once they are known; called again and again while the search runs."""
        busy = self.session.search.busy  # before the look, so that the last one cannot be missed
        known = self.session.question, *(self.session.basins_in(lane) for lane in range(len(LANES)))
        if any(known[1:]) and known != self._answered:
            self.player.basins, self._answered = basins_of(self.session), known
        if not busy and self._waiting.running:
            self._waiting.stop()

    async def _count_usage(self) -> None:
        """Count on a thread how often each unit is on, and show it when it is known."""
        models, X = self.session.models, self.session.dataset.test_X
        self.player.usage = await asyncio.wrap_future(_counter.submit(count_usage, models, X))

    def _climb(self, question: str, row: int, lane: int) -> None:
        """Show how ICM gets to one of the optima on the page."""
        found = self.session.basins_in(lane)
        if question == self.session.question and found is not None and 0 <= row < len(found):
            self.session.climb_from(found.starts[row], lane)

    def _blocks(self) -> dict[str, Any]:
        session = self.session
        blocks: dict[str, Any] = {}
        models = session.models
        # models in training may have the names of others before them
        if list(map(id, self._packed)) != list(map(id, models.values())):
            blocks["models"] = models_block(models, session.dataset.image_shape)
            self._packed = tuple(models.values())
        first = session.shown_first
        words = words_of(session)
        blocks["trace"] = pack_trace(lanes_of(session), words) if first is None else first.packed(words)
        blocks["story"] = [] if first is None else first.story
        chosen = [getattr(session, name) for names in LANES for name in names]
        key = [*chosen, session.dataset_name, session.binary, session.own_models]
        if key != self._chosen:  # else a moving pen would have the menus made again at every point
            blocks["menus"], self._chosen = menus_of(session), key
            own = any(name.removeprefix(FACTORISED).startswith(LIVE) for name in models)
            blocks["back"] = "Back to training" if own else ""
        return blocks

    def __panel__(self) -> Viewable:
        return self.player
