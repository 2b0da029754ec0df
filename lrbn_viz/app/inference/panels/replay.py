"""The two lanes: the session's traces, packed for the player, and the player's cursor."""

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
from lrbn_viz.app.shared.notices import notices_of
from lrbn_viz.app.shared.sockets import in_one_piece
from lrbn_viz.app.shared.weights import models_block
from lrbn_viz.io.background import Executor
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.usage import count_usage

# One count at a time for all visitors, as each may occupy all cores for a moment.
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
        self._chosen: list[Any] = []  # state of which the player has the menus
        self._answered: tuple[Any, ...] = ()  # question and optima that the player has received
        # Polls for the answer 20 times a second while a search runs.
        self._waiting = PeriodicCallback(callback=self._show_basins, period=50)
        self.player = TracePlayer(
            on_image=session.choose,
            on_draw=session.draw,
            on_hold=session.hold,
            on_name=session.name_unit,
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
        # the session checks values from the browser; the browser shows values of the session
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
        session.param.watch(
            lambda event: notices_of(state.curdoc).add(event.new), "refused", onlychanged=False
        )
        if session.refused:  # by the image of a link
            notices_of(state.curdoc).add(session.refused)

    def _show(self, *events: param.parameterized.Event) -> None:
        """Send changed traces and a changed cursor, in one message if both changed."""
        blocks = self._blocks() if any(event.name == "traces" for event in events) else {}
        # instead of `param.update`, which is too slow while a pen moves
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
        """Show the optima once they are known; polled while the search runs."""
        busy = self.session.search.busy  # asked before the answer is read, so that the last one is not missed
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
        """Show the ICM trace that ends in one of the optima."""
        found = self.session.basins_in(lane)
        if question == self.session.question and found is not None and 0 <= row < len(found):
            self.session.climb_from(found.starts[row], lane)

    def _blocks(self) -> dict[str, Any]:
        session = self.session
        blocks: dict[str, Any] = {}
        models = session.models
        # models in training may have names that other models had before
        if list(map(id, self._packed)) != list(map(id, models.values())):
            blocks["models"] = models_block(models, session.dataset.image_shape)
            self._packed = tuple(models.values())
        first = session.shown_first
        words = words_of(session)
        blocks["trace"] = pack_trace(lanes_of(session), words) if first is None else first.packed(words)
        blocks["story"] = [] if first is None else first.story
        chosen = [getattr(session, name) for names in LANES for name in names]
        unknown = session.pixels_unknown > 0
        key = [*chosen, session.dataset_name, session.binary, session.own_models, unknown]
        if key != self._chosen:  # so that menus are not made again at every point of a stroke
            blocks["menus"], self._chosen = menus_of(session), key
            own = any(name.removeprefix(FACTORISED).startswith(LIVE) for name in models)
            blocks["back"] = "Back to training" if own else ""
        return blocks

    def __panel__(self) -> Viewable:
        return self.player
