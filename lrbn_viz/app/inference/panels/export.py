"""Downloads: the replay as one HTML file, rounded or exact; a live page; the first lane's trace; an animation
of both lanes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from panel.viewable import Viewable

from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.inference.wire import basins_of, lanes_of, words_of
from lrbn_viz.app.shared.animation import AnimationPanel, Work
from lrbn_viz.app.shared.downloads import Downloads, MadeFile
from lrbn_viz.app.shared.menus import FACTORISED, model_title
from lrbn_viz.view.animation.settings import Progress, Settings
from lrbn_viz.view.player.export import replay_html, saved_npz
from lrbn_viz.view.player.usage import count_usage

_FILES = [("trace", "Trace as npz"), ("model", "Model as npz")]


class ExportPanel(SessionView):
    """One button per file; a file is made when it is requested.

    Parameters
    ----------
    session : Session
    address : callable, optional
        Returns the settings that an address has for the session now; a live page opens with them.
    """

    def __init__(self, session: Session, address: Callable[[], Mapping[str, str]] = dict) -> None:
        super().__init__(session)
        self._address = address
        self.downloads = Downloads(
            {name: getattr(self, name) for name in ("replay", "whole", "live", "trace", "model")},
            files=self._files(),
            sizing_mode="stretch_width",
        )
        session.param.watch(self._follow, ["model_name", "rival_name"])
        self.follow_hidden("export", self.downloads)

    def replay(self, whole: bool = False) -> MadeFile:
        """Make a page that replays the traces, in the current view."""
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
        """Make the same page with unrounded weights, so that its numbers equal those of this page."""
        return self.replay(whole=True)

    def _follow(self, *_: object) -> None:
        self.downloads.files = self._files()

    def _files(self) -> list[tuple[str, str]]:
        """Name and title of each file that the current lanes can be written to."""
        live = [("live", "Live page")] if self._live_models() else []
        return [("replay", "Replay as HTML"), ("whole", "Exact replay"), *live, *_FILES]

    def _live_models(self) -> list[Any]:
        """Return the lanes' models that a live page can infer; it factorises weights itself."""
        from lrbn_viz.view.live.page import (
            LiveModel,
            is_live,
        )  # imports Numba, so only when a page is made

        found = {}
        for name, model in self.session.lanes:
            if is_live(model) and not name.startswith(FACTORISED):
                found[name] = LiveModel(name, model_title(name), model)
        return list(found.values())

    def live(self) -> MadeFile:
        """Make a page that infers in the browser and opens with the current view."""
        from lrbn_viz.view.live.page import live_html

        session = self.session
        page = live_html(
            self._live_models(),
            data=session.dataset,
            image=session.index,
            opening=self._address(),
        )
        return MadeFile(f"{self._image}-live.html", "text/html", page.encode())

    def _usage(self) -> bytes:
        """Return the share of images in which each unit is on, if units are ordered by it; else empty."""
        session = self.session
        if session.unit_order != "usage":
            return b""
        return count_usage(session.models, session.dataset.test_X)

    def trace(self) -> MadeFile:
        """Make the file of the first lane's trace."""
        content = saved_npz(next(iter(self.session.traces)))
        return MadeFile(f"{self._image}-trace.npz", "application/octet-stream", content)

    def model(self) -> MadeFile:
        """Make the file of the first lane's model, with the names of its units."""
        name, model = self.session.lanes[0]
        stem = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        provenance = {"data": self.session.dataset_name, **getattr(model, "provenance_", {})}
        return MadeFile(f"{stem}.npz", "application/octet-stream", saved_npz(model, provenance=provenance))

    @property
    def _image(self) -> str:
        return image_name(self.session)

    def __panel__(self) -> Viewable:
        return self.downloads


class AnimationOfLanes(SessionView):
    """Makes animations of both lanes.

    Parameters
    ----------
    session : Session
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.panel = AnimationPanel(lambda: animation_of(session))
        self.follow_hidden("export", self.panel.view)

    def __panel__(self) -> Viewable:
        return self.panel.view


def image_name(session: Session) -> str:
    """Return the name of a session's image for files, such as ``"mnist-subset-test-image-0"``."""
    return re.sub(r"[^a-z0-9]+", "-", words_of(session)["caption"].lower()).strip("-")


def animation_of(session: Session) -> Work:
    """Return the work that draws the traces of a session's lanes as an animation."""
    shape, words = session.dataset.image_shape, words_of(session)
    lanes = lanes_of(session)
    title = ", ".join(filter(None, [words["title"], words["caption"]]))

    def write(path: Path, settings: Settings, progress: Progress) -> None:
        from lrbn_viz.view.animation.traces import animate_traces  # imports Matplotlib, on a thread

        animate_traces(
            path,
            [lane.trace for lane in lanes],
            image_shape=shape,
            title=title,
            names=[f"{lane.title}: {lane.subtitle}" for lane in lanes],
            settings=settings,
            progress=progress,
        )

    return Work(image_name(session), write)
