"""A visitor's own data: the dialog, and what follows the file on its way."""

from __future__ import annotations

import base64
import binascii
from typing import Any

import panel as pn
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.own_data import Upload
from lrbn_viz.app.player.upload_box import UploadBox, preview_block

_POLL_MS = 50


class UploadPanel(Viewer):
    """A button that opens the dialog; nothing is kept before it is accepted."""

    def __init__(self, upload: Upload) -> None:
        super().__init__()
        self.upload = upload
        self._polling: Any = None
        self._seen: Any = None
        self._turn = 0  # of the browser's newest choices
        self.box = UploadBox(
            {
                "begin": upload.begin,
                "piece": self._take,
                "choose": self._choose,
                "accept": upload.accept,
                "cancel": upload.cancel,
            },
            limit=upload.limit,
            sizing_mode="stretch_width",
            margin=0,
        )
        upload.param.watch(
            self._show, ["stage", "received", "filename", "trouble", "choices", "preview", "accepted"]
        )

    def _take(self, at: int, text: str) -> None:
        try:
            piece = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return
        self.upload.take(at, piece)

    def _choose(
        self,
        turn: int,
        name: str,
        labels: str,
        height: int,
        width: int,
        binary: bool,
        threshold: float,
        invert: bool,
        share: float,
        seed: int,
    ) -> None:
        self._turn = turn
        self.upload.choose(
            name=name.strip(),
            labels=labels if labels in ("auto", "none", "first", "last") else "auto",
            height=height,
            width=width,
            binary=binary,
            threshold=float(threshold),
            invert=invert,
            test_share=float(share),
            seed=seed,
        )

    def _show(self, *_: object) -> None:
        upload = self.upload
        values: dict[str, Any] = {
            name: getattr(upload, name)
            for name in ("stage", "received", "filename", "trouble", "asks_shape", "accepted")
        }
        if upload.preview is not self._seen:
            self._seen = upload.preview
            values["preview"] = preview_block(upload, self._turn)
        self.box.param.update(**values)
        if upload.busy and self._polling is None and pn.state.curdoc is not None:
            self._polling = pn.state.add_periodic_callback(self.poll, period=_POLL_MS)

    def poll(self) -> None:
        """Take over what the reading thread has found, and stop asking once it has."""
        self.upload.poll()
        if not self.upload.busy and self._polling is not None:
            self._polling.stop()
            self._polling = None

    def __panel__(self) -> Viewable:
        return self.box
