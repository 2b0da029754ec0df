"""The choice of an image: a test image of a data set, unchanged or edited. No models, no widgets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import param
from numpy.typing import NDArray

from lrbn_viz.app.shared.loading import USUAL, dataset_by_name
from lrbn_viz.app.shared.texts import pixels_to_text, text_to_pixels
from lrbn_viz.core.validation import unknown_in

if TYPE_CHECKING:
    from lrbn_viz.datasets import Dataset


class ShownImage(param.Parameterized):
    """The choice of an image.

    Parameters
    ----------
    load_dataset : callable, optional
        From a name, and ``binary=False`` for real values, to a `Dataset`; by default that of the package.
    """

    dataset_name = param.String(default=USUAL)
    index = param.Integer(default=0, bounds=(0, None), doc="Row of the test images.")
    binary = param.Boolean(default=True, doc="Whether images are 0 and 1, or standardised intensities.")
    drawn = param.String(default="", doc="The changed image as `pixels_to_text` writes it; empty: unchanged.")
    given = param.Array(default=None, doc="An image (n_v,) of real values that is in no test set.")
    origin = param.String(default="", doc="What a changed image is, where it is no image of the test set.")

    def __init__(self, load_dataset: Callable[..., Dataset] = dataset_by_name, **params: Any) -> None:
        super().__init__(**params)
        self._load_dataset = load_dataset
        self._datasets: dict[tuple[str, bool], Dataset] = {}
        self._unchanged = ""  # of an image that is in no test set
        self._follow_origin()

    @param.depends("origin", watch=True)
    def _follow_origin(self) -> None:
        self._unchanged = self.drawn if self.origin else ""

    @property
    def dataset(self) -> Dataset:
        """The data set by its name."""
        key = self.dataset_name, self.binary
        if key not in self._datasets:
            kind = {} if self.binary else {"binary": False}
            self._datasets[key] = self._load_dataset(self.dataset_name, **kind)
        return self._datasets[key]

    @property
    def x(self) -> NDArray:
        """The image under inference, (n_v,), NaN where not known: from the data set, edited, or given."""
        if self.given is not None:
            return self.given
        if self.drawn:
            return text_to_pixels(self.drawn, self.dataset.n_v)
        return self._test_image

    @property
    def _test_image(self) -> NDArray:
        return self.dataset.test_X[self.index]

    @property
    def label(self) -> str:
        """Name of the image's class."""
        return self.dataset.class_names[int(self.dataset.test_y[self.index])]

    def draw(self, text: str) -> None:
        """Change the image to the one in `text`; an empty `text` restores the test image.

        Invalid texts, as a browser may send, are ignored, and all texts if images are not binary.
        """
        if not self.binary:
            return
        try:
            if text:
                text_to_pixels(text, self.dataset.n_v)
        except ValueError:
            return
        self.drawn = text or self._unchanged

    @property
    def pixels_changed(self) -> int:
        """Number of known pixels changed since the image was chosen, or since it was shown with `origin`."""
        if self.drawn == self._unchanged:
            return 0
        x, unknown = self.x, unknown_in(self.x)
        differ = x != self._image_before
        return int(np.count_nonzero(differ if unknown is None else differ & ~unknown))

    @property
    def pixels_unknown(self) -> int:
        """Number of pixels that are not known, NaN."""
        return int(np.isnan(self.x).sum()) if self.x.dtype.kind == "f" else 0

    @property
    def _image_before(self) -> NDArray:
        """The image (n_v,) as it was chosen, or shown with `origin`."""
        return text_to_pixels(self._unchanged, self.dataset.n_v) if self._unchanged else self._test_image

    def make_whole(self) -> None:
        """Give each pixel that is not known the value that it was chosen with, or 0 if that is not known."""
        unknown = unknown_in(self.x)
        if unknown is None:
            return
        x = np.nan_to_num(np.where(unknown, self._image_before, self.x))
        if self.given is not None:
            self.given = x
        elif np.array_equal(x, self._image_before):
            self.drawn = self._unchanged
        else:
            self.drawn = pixels_to_text(x)

    def choose(self, way: str) -> None:
        """Show the ``"previous"``, the ``"next"`` or a ``"random"`` image; any other word is ignored."""
        n, steps = len(self.dataset.test_X), {"previous": -1, "next": 1}
        if way == "random":
            self.show(int(np.random.default_rng().integers(n)))
        elif way in steps:
            self.show((self.index + steps[way]) % n)

    def show(self, row: int) -> None:
        """Show one of the test images, as it is in the data set."""
        self.param.update(index=row, drawn="", origin="", given=None)

    def rows_of_class(self, label: int) -> NDArray[np.int64]:
        """Return the rows of the test images of one class; of all with -1."""
        y = self.dataset.test_y
        return np.arange(len(y)) if label < 0 else np.flatnonzero(y == label)
