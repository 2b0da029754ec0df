"""The Compare page: systems side by side; in the side bar the data set, the inference and the images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import panel_material_ui as pmui
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.compare.component import Comparison
from lrbn_viz.app.compare.own import OwnModel
from lrbn_viz.app.compare.state import MAX_IMAGES, METHODS, MIN_IMAGES, CompareState
from lrbn_viz.app.compare.wire import menu_of, pictures_of, tables_of
from lrbn_viz.app.shared.fields import Choice, NumberField, bind
from lrbn_viz.app.shared.polling import Poller
from lrbn_viz.datasets.dataset import in_rows
from lrbn_viz.io.constants import MAX_SEED


class ComparePanel(Viewer):
    """Sends the state to the browser, and takes over the results of the threads.

    Parameters
    ----------
    comparison : CompareState
    own_models : callable
        Returns the models that the session has now; asked each time the page is shown.
    on_narrow : callable
    """

    def __init__(
        self,
        comparison: CompareState,
        own_models: Callable[[], Sequence[OwnModel]] = tuple,
        on_narrow: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__()
        self.comparison, self._own_models = comparison, own_models
        self.view = Comparison(
            {
                "compare": comparison.toggle,
                "highlight": comparison.choose,
                "other": comparison.other_images,
                "narrow": on_narrow,
            },
            menu=menu_of(comparison),
            pictures=pictures_of(comparison),
            figures=comparison.figures,
            tables=tables_of(comparison),
            progress=comparison.progress,
            sizing_mode="stretch_both",
        )
        self._poller = Poller(self._poll, lambda: comparison.busy)
        watch = comparison.param.watch
        watch(self._systems, ["dataset_name", "systems", "own", "measured", "brought"])
        watch(lambda _: self.view.param.update(menu=menu_of(comparison)), "chosen")
        watch(self._images, ["found", "seed", "images", "method"])
        watch(lambda event: self.view.param.update(figures=event.new), "figures")
        watch(lambda event: self.view.param.update(progress=event.new), "progress")
        self._poller.follow()

    def _poll(self) -> None:
        """Take over results once the page is complete: earlier changes may not reach the browser."""
        if self.view.live:
            self.comparison.poll()

    def _systems(self, *_: object) -> None:
        menu, shown = menu_of(self.comparison), pictures_of(self.comparison)
        self.view.param.update(menu=menu, pictures=shown, tables=tables_of(self.comparison))
        self._poller.follow()

    def _images(self, *_: object) -> None:
        self.view.param.update(pictures=pictures_of(self.comparison))
        self._poller.follow()

    def refresh(self, shown: bool) -> None:
        """Take over the results that arrived while another page was shown."""
        if shown:
            self.comparison.bring(self._own_models())
            self.comparison.poll()
            self._poller.follow()

    def __panel__(self) -> Viewable:
        return self.view


IMAGES, OTHER_IMAGES = f"Test images ({MIN_IMAGES} to {MAX_IMAGES})", "Other images"
"""Labels of the number of images, and of the button for others."""


class CompareSettings(Viewer):
    """Menus for the data set, the inference, the number of images and their choice."""

    def __init__(self, comparison: CompareState) -> None:
        super().__init__()
        self.comparison = comparison
        wide: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": (6, 12)}
        self.dataset = Choice(
            label="Data set", options=list(comparison.datasets.items()), value=comparison.dataset_name, **wide
        )
        comparison.param.watch(
            lambda _: self.dataset.param.update(options=list(comparison.datasets.items())), "brought"
        )
        self.dataset.param.watch(lambda event: comparison.compare(event.new), "value")
        comparison.param.watch(self._name, "dataset_name")
        self.method = Choice(
            label="Inference", options=list(METHODS.items()), value=comparison.method, **wide
        )
        self.images = NumberField(
            label=self._said(IMAGES),
            value=comparison.images,
            start=MIN_IMAGES,
            end=MAX_IMAGES,
            **wide,
        )
        self.seed = NumberField(label="Seed", value=comparison.seed, end=MAX_SEED, **wide)
        bind(comparison, method=self.method, images=self.images, seed=self.seed)
        self.other = pmui.Button(
            label=self._said(OTHER_IMAGES),
            on_click=lambda _: comparison.other_images(),
            variant="outlined",
            color="primary",  # the default is dark on a dark page
            size="small",
            **wide,
        )

    def _said(self, text: str) -> str:
        """Return a label in the words of the data that are compared."""
        return in_rows(text, self.comparison.dataset.is_table)

    def _name(self, event: Any) -> None:
        self.dataset.param.update(value=event.new)
        self.images.param.update(label=self._said(IMAGES))
        self.other.param.update(label=self._said(OTHER_IMAGES))

    def __panel__(self) -> Viewable:
        return pmui.Column(
            self.dataset,
            self.method,
            self.images,
            self.seed,
            self.other,
            sizing_mode="stretch_width",
            margin=0,
        )
