"""The Generate page: both models drawing and the walk; beside them the menus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.generation import BEGINNINGS, MAX_PASSES, Generation
from lrbn_viz.app.player.generator import Generator, models_of, passes_of, walks_of
from lrbn_viz.app.player.host import Choice


class GeneratePanel(Viewer):
    """Lanes, walk and transport: packs the state for the browser and takes over its cursor."""

    def __init__(self, generation: Generation, on_narrow: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.generation = generation
        self._drawn: Any = None
        self._of: tuple[str, ...] = ()
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
        # walks come after what is drawn, and anew with it
        generation.param.watch(lambda _: self.view.param.update(**self._blocks()), "walks")

    def _blocks(self) -> dict[str, bytes]:
        """Pack what has changed."""
        generation = self.generation
        blocks = {"walks": walks_of(generation)}
        names = (generation.lrbn, generation.rbm)
        if names != self._of:
            blocks["models"] = models_of(generation)
            self._of = names
        if generation.drawn is not self._drawn:
            blocks["passes"] = passes_of(generation)
            self._drawn = generation.drawn
        return blocks

    def refresh(self, shown: bool) -> None:
        """Leave the cursor with the page when it goes out of the document, so that it comes back with it."""
        if not shown:
            self.view.param.update(passes=passes_of(self.generation), walks=walks_of(self.generation))

    def __panel__(self) -> Viewable:
        return self.view


class DrawingSettings(Viewer):
    """Menus: which model, from where the chain starts, how many passes, which seed."""

    def __init__(self, generation: Generation) -> None:
        from lrbn_viz.catalog import PRETRAINED  # brings numba and scikit-learn: when a page is made

        super().__init__()
        self.generation = generation
        wide = {"sizing_mode": "stretch_width", "margin": (6, 12)}
        models = [
            (name, info.title)
            for name, info in PRETRAINED.items()
            if info.system == "LRBN" and info.n_layers == 1
        ]
        self.model = Choice(label="Model", options=models, value=generation.lrbn, **wide)
        self.model.param.watch(lambda event: generation.compare(event.new), "value")
        generation.param.watch(lambda event: self.model.param.update(value=event.new), "lrbn")
        self.begin = Choice(
            label="The RBM's chain starts from",
            options=list(BEGINNINGS.items()),
            value=generation.begin,
            **wide,
        )
        # its two spin buttons have no name for who cannot see them; arrow keys do the same
        hidden = {"& .MuiInputAdornment-root": {"display": "none"}, "& .MuiInputBase-input": {"pl": "14px"}}
        plain: dict[str, Any] = {"size": "small", "sx": hidden, **wide}
        self.index = pmui.IntInput(label="Test image", value=generation.index, start=0, **plain)
        self.passes = pmui.IntInput(
            label=f"Passes (1 to {MAX_PASSES})", value=generation.passes, start=1, end=MAX_PASSES, **plain
        )
        self.seed = pmui.IntInput(label="Seed", value=generation.seed, start=0, end=2**31 - 1, **plain)
        pairs: list[tuple[param.Parameterized, str]] = [
            (self.begin, "begin"),
            (self.index, "index"),
            (self.passes, "passes"),
            (self.seed, "seed"),
        ]
        for widget, name in pairs:
            self._bind(widget, name)
        self.another = pmui.Button(
            label="Another seed",
            on_click=lambda _: generation.param.update(seed=(generation.seed + 1) % 2**31),
            variant="outlined",
            color="primary",  # the default is dark on dark
            size="small",
            **wide,
        )
        self._bound()
        generation.param.watch(lambda _: self._bound(), ["begin", "dataset_name"])

    def _bind(self, widget: param.Parameterized, name: str) -> None:
        generation = self.generation

        def tell(event: param.parameterized.Event) -> None:
            if event.new is not None:  # an empty field says nothing
                generation.param.update(**{name: event.new})

        widget.param.watch(tell, "value")
        generation.param.watch(lambda event: widget.param.update(value=event.new), name)

    def _bound(self) -> None:
        """Offer the test image only where a chain starts from one."""
        last = len(self.generation.dataset.test_X) - 1
        self.index.param.update(
            visible=self.generation.begin == "data", end=last, label=f"Test image (0 to {last})"
        )

    def __panel__(self) -> Viewable:
        return pmui.Column(
            self.model,
            self.begin,
            self.index,
            self.passes,
            self.seed,
            self.another,
            sizing_mode="stretch_width",
            margin=0,
        )
