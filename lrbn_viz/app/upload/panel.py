"""A visitor's own data: the dialog, and its connection to the upload."""

from __future__ import annotations

import re
from typing import Any

from panel.viewable import Viewable, Viewer

from lrbn_viz.app.shared.polling import Poller
from lrbn_viz.app.upload.component import UploadBox
from lrbn_viz.app.upload.state import UploadState
from lrbn_viz.app.upload.wire import preview_block, table_of

SHOWN = ("stage", "number", "received", "filename", "error", "question", "asks_shape", "accepted")
"""Parameters of an upload that the dialog shows unchanged."""


class UploadPanel(Viewer):
    """A button that opens the dialog; data are stored only when they are accepted."""

    def __init__(self, upload: UploadState) -> None:
        super().__init__()
        self.upload = upload
        self._poller = Poller(upload.poll, lambda: upload.busy)
        self._seen: Any = None
        self._turn = 0  # number of the browser's newest choices
        self.box = UploadBox(
            {
                "begin": upload.begin,
                "piece": upload.take,
                "choose": self._choose,
                "accept": upload.accept,
                "cancel": upload.cancel,
            },
            limit=upload.limit,
            sizing_mode="stretch_width",
            margin=0,
        )
        upload.param.watch(self._show, [*SHOWN, "columns", "choices", "preview"])

    def _choose(
        self,
        turn: int,
        name: str,
        labels: str,
        left_out: list[int],
        thresholds: list[str],
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
            labels=labels if re.fullmatch(r"none|-?\d{1,6}", labels) else "auto",
            left_out=tuple(sorted(set(left_out))),
            thresholds=tuple((n, text.strip()) for n, text in enumerate(thresholds) if text.strip()),
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
        values: dict[str, Any] = {name: getattr(upload, name) for name in SHOWN}
        if upload.preview is not self._seen:
            self._seen = upload.preview
            values["preview"] = preview_block(upload, self._turn)
        if upload.stage in ("preview", "empty"):
            values["table"] = table_of(upload, self._turn)
        self.box.param.update(**values)
        self._poller.follow()

    def __panel__(self) -> Viewable:
        return self.box
