"""The Sweeps page."""

from __future__ import annotations

from collections.abc import Callable

from panel.viewable import Viewable, Viewer

from lrbn_viz.app.sweeps.component import SweepView
from lrbn_viz.app.sweeps.state import SweepsState
from lrbn_viz.studies.runs import RunConfig


class SweepsPanel(Viewer):
    """Sends the sweeps, and opens the Train page with a trial's settings.

    Parameters
    ----------
    state : SweepsState
    on_train : callable
        Called with the initial configuration for the Train page.
    """

    def __init__(self, state: SweepsState, on_train: Callable[[RunConfig], None]) -> None:
        super().__init__()
        self.state, self._on_train = state, on_train
        self.view = SweepView(
            {"sweep": self._choose, "again": self._look, "train": self._train},
            view=state.view,
            sizing_mode="stretch_both",
        )

    def _choose(self, name: str) -> None:
        if name in self.state.names:  # it comes from a browser
            self.state.choose(name)
            self.view.view = self.state.view

    def _look(self) -> None:
        self.state.look()
        self.view.view = self.state.view

    def _train(self, number: int) -> None:
        config = self.state.config(number)
        if config is not None:
            self._on_train(config)

    def refresh(self, shown: bool) -> None:
        """Take over the results that arrived while another page was shown."""
        if shown and self.view.live:
            self._look()

    def __panel__(self) -> Viewable:
        return self.view
