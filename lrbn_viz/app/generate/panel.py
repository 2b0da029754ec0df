"""The Generate page: samples of both models and an interpolation; in the side bar the menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.generate.component import Generator
from lrbn_viz.app.generate.state import GenerateState, SessionModels
from lrbn_viz.app.generate.wire import models_of, passes_of, walks_of
from lrbn_viz.app.shared.fields import Choice, NumberField, bind
from lrbn_viz.io.constants import CHAIN_STARTS, MAX_PASSES, MAX_SEED


class GeneratePanel(Viewer):
    """Lanes, interpolation and transport, from the packed state; the browser reports the cursor.

    Parameters
    ----------
    generation : GenerateState
    own_models : callable
        Returns the models that the session has now; asked each time the page is shown.
    on_narrow : callable
    """

    def __init__(
        self,
        generation: GenerateState,
        own_models: Callable[[], Iterable[SessionModels]] = tuple,
        on_narrow: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.generation, self._own_models = generation, own_models
        self._drawn: Any = None
        self._of: tuple[Any, ...] = ()
        self.view = Generator(
            {
                "cursor": generation.look,
                "hold": generation.hold,
                "more": generation.run_on,
                "walk": generation.walk_between,
                "walked": generation.walk_on,
                "narrow": on_narrow,
            },
            sizing_mode="stretch_both",
            **self._blocks(),
        )
        # interpolations are published after the samples, and again with new ones
        generation.param.watch(lambda _: self.view.param.update(**self._blocks()), "walks")

    def _blocks(self) -> dict[str, bytes]:
        """Pack what has changed."""
        generation = self.generation
        blocks = {"walks": walks_of(generation)}
        shown = (generation.model_name, generation.rival_name, generation.brought)
        if shown != self._of:
            blocks["models"] = models_of(generation)
            self._of = shown
        if generation.drawn is not self._drawn:
            blocks["passes"] = passes_of(generation)
            self._drawn = generation.drawn
        return blocks

    def refresh(self, shown: bool) -> None:
        """Offer the session's models when the page is shown. When it is hidden, store the cursor in its data,
        so that it returns with them.
        """
        if shown:
            self.generation.bring(self._own_models())
        else:
            self.view.param.update(passes=passes_of(self.generation), walks=walks_of(self.generation))

    def __panel__(self) -> Viewable:
        return self.view


class DrawingSettings(Viewer):
    """Menus for the models, the start of the chain, the number of passes and the seed."""

    def __init__(self, generation: GenerateState) -> None:
        super().__init__()
        self.generation = generation
        wide = {"sizing_mode": "stretch_width", "margin": (6, 12)}
        self.model = Choice(label="Model", options=self._models(), value=generation.model_name, **wide)
        self.model.param.watch(lambda event: generation.compare(event.new), "value")
        generation.param.watch(
            lambda *_: self.model.param.update(options=self._models(), value=generation.model_name),
            ["model_name", "brought"],
        )
        self.rival = Choice(label="Beside it", options=self._others(), value=generation.rival_name, **wide)
        self.rival.param.watch(lambda event: generation.stand_beside(event.new), "value")
        generation.param.watch(
            lambda *_: self.rival.param.update(options=self._others(), value=generation.rival_name),
            ["model_name", "rival_name", "brought"],
        )
        self.begin = Choice(options=list(CHAIN_STARTS.items()), value=generation.begin, **wide)
        self.index = NumberField(label="Test image", value=generation.index, **wide)
        self.passes = NumberField(
            label=f"Passes (1 to {MAX_PASSES})", value=generation.passes, start=1, end=MAX_PASSES, **wide
        )
        self.seed = NumberField(label="Seed", value=generation.seed, end=MAX_SEED, **wide)
        bind(generation, begin=self.begin, index=self.index, passes=self.passes, seed=self.seed)
        self.another = pmui.Button(
            label="Another seed",
            on_click=lambda _: generation.param.update(seed=(generation.seed + 1) % (MAX_SEED + 1)),
            variant="outlined",
            color="primary",  # the default is dark on a dark page
            size="small",
            **wide,
        )
        self._bound()
        generation.param.watch(
            lambda *_: self._bound(), ["begin", "dataset_name", "model_name", "rival_name"]
        )

    def _models(self) -> list[tuple[str, str]]:
        return list(self.generation.offered.items())

    def _others(self) -> list[tuple[str, str]]:
        return list(self.generation.others.items())

    def _bound(self) -> None:
        """Show starts only if a lane draws a chain, and the test image only if a chain starts from it."""
        chains, last = self.generation.chains, len(self.generation.dataset.test_X) - 1
        label = f"The {chains[0]}'s chain starts from" if len(chains) == 1 else "Chains start from"
        self.begin.param.update(visible=bool(chains), label=label)
        from_data = bool(chains) and self.generation.begin == "data"
        self.index.param.update(visible=from_data, end=last, label=f"Test image (0 to {last})")

    def __panel__(self) -> Viewable:
        return pmui.Column(
            self.model,
            self.rival,
            self.begin,
            self.index,
            self.passes,
            self.seed,
            self.another,
            sizing_mode="stretch_width",
            margin=0,
        )
