"""Animations for slides: options, rendering on a thread, and a download."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import param
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.shared.component import Component, report_errors_on_page
from lrbn_viz.app.shared.messages import Float, Kinds, Offered, OneOf
from lrbn_viz.app.shared.polling import Poller
from lrbn_viz.core.extras import MissingExtra
from lrbn_viz.io.background import Executor
from lrbn_viz.view.animation.settings import Progress, Settings
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.wire import pack

Write = Callable[[Path, Settings, Progress], object]

TYPES = {"webp": "image/webp", "png": "image/png", "mp4": "video/mp4"}
_TITLES = {"webp": "WebP", "png": "PNG", "mp4": "MP4"}
_SIZES = {"small": "640 × 360", "medium": "960 × 540", "large": "1280 × 720"}

# One at a time for all visitors, as each occupies a core for seconds.
_worker = Executor("animations")


class Work(NamedTuple):
    """An animation that can be made from the current state.

    Attributes
    ----------
    name : str
        Name of its file, without the suffix.
    write : callable
        Function that writes the file to a path with settings, and reports progress; runs on a thread.
    """

    name: str
    write: Write


class AnimationCancelled(Exception):
    """Error that ends the making of an animation that was cancelled."""


class Animation(Component):
    """Options of an animation, a button that makes it, and its progress.

    Attributes
    ----------
    formats, sizes : list of (str, str)
        Name and title of each.
    share : float
        Finished share of the work, 0 to 1; -1 if no work is in progress.
    words : str
        Reason why no animation can be made.
    made : bytes
        The newest file: a packed block with its ``name`` and ``type`` in the metadata, and its ``content``.
    """

    formats = param.List(default=[], item_type=tuple)
    sizes = param.List(default=list(_SIZES.items()), item_type=tuple)
    share = param.Number(default=-1.0)
    words = param.String(default="")
    made = param.Bytes(default=b"")

    _esm: ClassVar[str] = module_text("app/shared/js/animation.js")

    kinds: ClassVar[Kinds] = {
        "make": {
            "format": Offered("formats"),
            "size": Offered("sizes"),
            "speed": Float(0.5, 60),
            "theme": OneOf("light", "dark"),
        },
        "stop": {},
    }


class AnimationPanel(Viewer):
    """Makes animations of a page's contents.

    Parameters
    ----------
    prepare : callable
        Returns the `Work` for the current state; ValueError with a message if there is nothing.
    """

    def __init__(self, prepare: Callable[[], Work]) -> None:
        super().__init__()
        self._prepare = prepare
        self._work: Future[tuple[str, str, bytes]] | None = None
        self._stop = False
        self._share = 0.0
        self._count = 0
        formats = [(name, _TITLES[name]) for name in TYPES if name != "mp4" or shutil.which("ffmpeg")]
        self.view = Animation(
            {"make": self._make, "stop": self.stop}, formats=formats, sizing_mode="stretch_width"
        )
        self._poller = Poller(self.poll, lambda: self._work is not None)

    def _make(self, ending: str, size: str, speed: float, theme: str) -> None:
        if self._work is not None:
            return
        try:
            name, write = self._prepare()
        except ValueError as error:
            self.view.words = str(error)
            return
        settings = Settings(size=size, frames_per_second=speed, theme=theme)
        self._stop, self._share = False, 0.0
        self.view.param.update(share=0.0, words="")
        self._work = _worker.submit(self._written, f"{name}.{ending}", TYPES[ending], write, settings)
        self._poller.follow()

    def _written(self, name: str, kind: str, write: Write, settings: Any) -> tuple[str, str, bytes]:
        """Make the file; on the thread."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            write(path, settings, self._tell)
            return name, kind, path.read_bytes()

    def _tell(self, done: int, total: int) -> None:
        if self._stop:
            raise AnimationCancelled
        self._share = done / max(total, 1)

    def stop(self) -> None:
        """Cancel the animation that is being made."""
        self._stop = True
        if self._work is not None:
            self._work.cancel()  # if it has not begun

    def poll(self) -> None:
        """Show the progress, and offer the file when it is finished."""
        work = self._work
        if work is None:
            return
        if not work.done():
            self.view.share = round(self._share, 2)
            return
        self._work = None
        self.view.share = -1.0
        if work.cancelled() or isinstance(work.exception(), AnimationCancelled):
            return
        with report_errors_on_page("making an animation"):
            try:
                name, kind, content = work.result()
            except (ValueError, MissingExtra) as error:
                self.view.words = str(error)
                return
            self._count += 1  # an equal value would not be sent again
            meta = {"name": name, "type": kind, "count": self._count}
            self.view.made = pack(meta, {"content": np.frombuffer(content, np.uint8)})

    def __panel__(self) -> Viewable:
        return self.view
