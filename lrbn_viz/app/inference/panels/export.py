"""Downloads: the replay on the page as one HTML file, short or exact, and the first lane's trace as npz."""

from __future__ import annotations

import re

from panel.viewable import Viewable

from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.inference.wire import basins_of, lanes_of, words_of
from lrbn_viz.app.shared.downloads import Downloads, MadeFile
from lrbn_viz.player.export import replay_html, trace_npz
from lrbn_viz.player.usage import count_usage


class ExportPanel(SessionView):
    """Three buttons; a file is made when it is asked for."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.downloads = Downloads(
            {"replay": self.replay, "whole": self.whole, "trace": self.trace},
            files=[
                ("replay", "Replay as HTML"),
                ("whole", "Exact replay"),
                ("trace", "Trace as npz"),
            ],
            sizing_mode="stretch_width",
        )
        self.follow_hidden("export", self.downloads)

    def replay(self, whole: bool = False) -> MadeFile:
        """Make the page that replays these traces, and shows them as they are shown now."""
        session = self.session
        names = ("selected", "unit_order", "reference", "hidden", "present", "captions")
        choices = {name: getattr(session, name) for name in names}
        page = replay_html(
            session.models,
            session.dataset.image_shape,
            lanes_of(session),
            {**words_of(session), "choices": choices},
            basins_of(session),
            self._usage(),
            whole=whole,
        )
        exact = "-exact" if whole else ""
        return MadeFile(f"{self._image}-visit-{session.cursor}{exact}.html", "text/html", page.encode())

    def whole(self) -> MadeFile:
        """Make the same page with the models' own weights, so that each of its numbers is this page's."""
        return self.replay(whole=True)

    def _usage(self) -> bytes:
        """How often each unit is on, where the page is to show units in that order."""
        session = self.session
        if session.unit_order != "usage":
            return b""
        return count_usage(session.models, session.dataset.test_X)

    def trace(self) -> MadeFile:
        """Make the file of the first lane's trace."""
        content = trace_npz(next(iter(self.session.traces)))
        return MadeFile(f"{self._image}-trace.npz", "application/octet-stream", content)

    @property
    def _image(self) -> str:
        """What the image is, as a file's name: ``"mnist5k-test-image-0"``."""
        return re.sub(r"[^a-z0-9]+", "-", words_of(self.session)["caption"].lower()).strip("-")

    def __panel__(self) -> Viewable:
        return self.downloads
