"""Menus: which algorithm, from which start, with which seed."""

from __future__ import annotations

import panel_material_ui as pmui
import param
from panel.viewable import Viewable

from lrbn_viz.app.menus import offered, shown_models
from lrbn_viz.app.player.host import Choice
from lrbn_viz.app.session import Session
from lrbn_viz.app.view import SessionView

# Its two buttons have no name for who cannot see them, and no property gives one; arrow keys do the same.
NO_SPIN_BUTTONS = {
    "& .MuiInputAdornment-root": {"display": "none"},
    "& .MuiInputBase-input": {"pl": "14px", "py": "0.53rem"},
}


class SettingsPanel(SessionView):
    """One menu per choice; each is two-way bound to the session."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        models = list(shown_models().items())
        wide = {"sizing_mode": "stretch_width", "margin": (6, 12)}
        shared = {"size": "small", **wide}
        self.model = Choice(label="Model", options=models, value=session.lrbn, **wide)
        self.algorithm = Choice(label="Inference in the LRBN", value=session.algorithm, **wide)
        self.start = Choice(label="Start from", value=session.start, **wide)
        self._follow_model()
        self.model.param.watch(self._compare, "value")
        session.param.watch(self._follow_model, "lrbn")
        self.seed = pmui.IntInput(label="Seed", value=session.seed, start=0, sx=NO_SPIN_BUTTONS, **shared)
        for widget, name in ((self.algorithm, "algorithm"), (self.seed, "seed")):
            self.bind(widget, name)
        self.start.param.watch(self._begin, "value")
        session.param.watch(lambda event: self.start.param.update(value=event.new), "start")
        self.run_on = pmui.Button(
            label="Run on from the cursor",
            on_click=lambda _: session.begin_from("last"),
            variant="outlined",
            **shared,
        )
        self.follow_hidden("model", self.model)
        self.follow_hidden("algorithm", self.algorithm)
        self.follow_hidden("start", self.start, self.run_on)
        self.follow_hidden("seed", self.seed)

    def _compare(self, event: param.parameterized.Event) -> None:
        if event.new != self.session.lrbn:  # not what the session itself has just told the menu
            self.session.compare(event.new)

    def _follow_model(self, *_: object) -> None:
        name = self.session.lrbn
        if all(name != known for known, _ in self.model.options):  # one that is being trained
            shipped = [option for option in self.model.options if ":" not in str(option[0])]
            self.model.options = [*shipped, (name, name.split(":", 1)[-1])]
        self.model.value = name
        algorithms, starts = offered(self.session.layered)
        self.algorithm.param.update(options=list(algorithms.items()), value=self.session.algorithm)
        self.start.param.update(options=list(starts.items()), value=self.session.start)

    def _begin(self, event: param.parameterized.Event) -> None:
        if event.new != self.session.start:  # not what the session itself has just told the menu
            self.session.begin_from(event.new)

    def __panel__(self) -> Viewable:
        return pmui.Column(
            self.model,
            self.algorithm,
            self.start,
            self.run_on,
            self.seed,
            sizing_mode="stretch_width",
            margin=0,
        )
