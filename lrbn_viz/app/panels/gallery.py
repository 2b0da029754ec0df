"""The image picker: thumbnails of the test images, by class."""

from __future__ import annotations

import numpy as np
from panel.viewable import Viewable

from lrbn_viz.app.player.host import ImageGallery
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.session import Session
from lrbn_viz.app.view import SessionView

PAGE = 60  # thumbnails a page: two screens of a phone, and 6 kB


class GalleryPanel(SessionView):
    """Thumbnails a page at a time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._shown = PAGE
        self.gallery = ImageGallery(
            on_choose=self._choose,
            on_class=self._narrow,
            on_more=self._more,
            images=self._block(-1),
            chosen=self._marked(),
            sizing_mode="stretch_width",
        )
        session.param.watch(self._follow, ["index", "dataset_name", "binary", "origin"])
        self.follow_hidden("gallery", self.gallery)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self.session.dataset.test_X):
            self.session.show(row)

    def _narrow(self, label: int) -> None:
        if -1 <= label < len(self.session.dataset.class_names):
            self._shown = PAGE
            self.gallery.param.update(shown_class=label, images=self._block(label))

    def _more(self) -> None:
        self._shown += PAGE
        self.gallery.images = self._block(self.gallery.shown_class)

    def _follow(self, *events: object) -> None:
        if any(getattr(event, "name", "") == "dataset_name" for event in events):
            self._narrow(-1)
        self.gallery.chosen = self._marked()

    def _marked(self) -> int:
        """Return the row of the shown image, changed or not; -1 for an image that is in no test set."""
        return -1 if self.session.origin else self.session.index

    def _block(self, label: int) -> bytes:
        """Pack the shown rows of one class, or of all with -1."""
        data = self.session.dataset
        rows = self.session.rows_of_class(label)
        shown = rows[: self._shown]
        meta = {
            "kind": "gallery",
            "image_shape": list(data.image_shape),
            "class_names": list(data.class_names),
            "total": len(rows),
        }
        return pack(
            meta,
            {
                "pixels": np.packbits(data.to_intensity(data.test_X[shown]) >= 0.5, axis=1),
                "index": shown.astype(np.uint32),
                "label": data.test_y[shown].astype(np.uint16),
            },
        )

    def __panel__(self) -> Viewable:
        return self.gallery
