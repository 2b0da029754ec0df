"""Downloads: the replay on the page as one HTML file, and the LRBN's trace as npz."""

from __future__ import annotations

import io

import panel_material_ui as pmui
from panel.viewable import Viewable

from lrbn_viz.app.export import replay_html, trace_npz
from lrbn_viz.app.player.basins import basins_of
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.session import Session
from lrbn_viz.app.view import SessionView


class ExportPanel(SessionView):
    """Two buttons; a file is made when it is asked for."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        shared = {"variant": "outlined", "size": "small", "sizing_mode": "stretch_width", "margin": (6, 12)}
        self.replay = pmui.FileDownload(
            callback=self._replay, filename="replay.html", label="Replay as HTML", **shared
        )
        self.trace = pmui.FileDownload(
            callback=self._trace, filename="trace.npz", label="Trace as npz", **shared
        )

    def _replay(self) -> io.BytesIO:
        session = self.session
        page = replay_html(
            session.models,
            session.dataset.image_shape,
            lanes_of(session),
            words_of(session),
            basins_of(session),
        )
        return io.BytesIO(page.encode())

    def _trace(self) -> io.BytesIO:
        return io.BytesIO(trace_npz(next(iter(self.session.traces))))

    def __panel__(self) -> Viewable:
        return pmui.Column(self.replay, self.trace, sizing_mode="stretch_width", margin=0)
