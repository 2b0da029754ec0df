"""The image picker: thumbnails of the test images, by class."""

from __future__ import annotations

import numpy as np
from panel.viewable import Viewable

from lrbn_viz.app.inference.component import ImageGallery
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.inference.wire import own_title
from lrbn_viz.io.constants import THUMBNAILS
from lrbn_viz.view.player.packing import pack_images
from lrbn_viz.view.player.wire import pack


class GalleryPanel(SessionView):
    """Thumbnails a page at a time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._shown = THUMBNAILS
        self.gallery = ImageGallery(
            on_choose=self._choose,
            on_class=self._narrow,
            on_more=self._more,
            images=self._block(-1),
            chosen=self._marked(),
            own=self._own(),
            sizing_mode="stretch_width",
        )
        session.param.watch(self._follow, ["index", "dataset_name", "binary", "origin", "drawn"])
        self.follow_hidden("gallery", self.gallery)

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self.session.dataset.test_X):
            self.session.show(row)

    def _narrow(self, label: int) -> None:
        if -1 <= label < len(self.session.dataset.class_names):
            self._shown = THUMBNAILS
            self.gallery.param.update(shown_class=label, images=self._block(label))

    def _more(self) -> None:
        self._shown += THUMBNAILS
        self.gallery.images = self._block(self.gallery.shown_class)

    def _follow(self, *events: object) -> None:
        if any(getattr(event, "name", "") == "dataset_name" for event in events):
            self._narrow(-1)
        self.gallery.param.update(chosen=self._marked(), own=self._own())

    def _marked(self) -> int:
        """Return the row of the shown image; -1 if it was edited or is in no test set."""
        return -1 if self.session.origin or self.session.pixels_changed else self.session.index

    def _own(self) -> str:
        """Return a note that the image is the visitor's own; empty for an image of the data set."""
        session = self.session
        if not session.pixels_changed:
            return ""
        row = "row" if session.dataset.is_table else "image"
        return f"{own_title(session)}, in place of {session.origin or f'{row} {session.index}'}."

    def _block(self, label: int) -> bytes:
        """Pack the shown rows of one class, or of all with -1."""
        data = self.session.dataset
        rows = self.session.rows_of_class(label)
        shown = rows[: self._shown]
        meta = {
            "kind": "gallery",
            "image_shape": list(data.image_shape),
            "binary": data.binary,
            "class_names": list(data.class_names),
            "variables": data.variables,
            "total": len(rows),
        }
        return pack(
            meta,
            {
                **pack_images(data, data.test_X[shown]),
                "index": shown.astype(np.uint32),
                "label": data.test_y[shown].astype(np.uint16),
            },
        )

    def __panel__(self) -> Viewable:
        return self.gallery
