"""Base class of the views of a session: they show it and set its parameters."""

from __future__ import annotations

from abc import ABCMeta, abstractmethod

import param
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.inference.state import Session


class _AbstractViewer(ABCMeta, type(Viewer)):
    """Allows abstract views: Panel's viewers have a metaclass of their own."""


class SessionView(Viewer, metaclass=_AbstractViewer):
    """A view of a session; a subclass builds its objects once and then follows the session's parameters."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def bind(self, widget: param.Parameterized, name: str, parameter: str = "value") -> None:
        """Keep a widget's parameter and the session's parameter `name` equal, whichever changes."""
        session = self.session
        widget.param.watch(lambda event: session.param.update(**{name: event.new}), parameter)
        session.param.watch(lambda event: widget.param.update(**{parameter: event.new}), name)

    def follow_hidden(self, name: str, *parts: Viewable) -> None:
        """Hide `parts` while the session hides the panel or control of this name."""

        def follow(*_: object) -> None:
            for part in parts:
                part.visible = not self.session.hides(name)

        follow()
        self.session.param.watch(follow, "hidden")

    @abstractmethod
    def __panel__(self) -> Viewable:
        """Return what is shown."""
