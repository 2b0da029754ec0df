"""What every view is: made of one session, shows it, sets its parameters, and nothing else."""

from __future__ import annotations

import param
from panel.viewable import Viewable, Viewer

from lrbn_viz.app.session import Session


class SessionView(Viewer):
    """A view of a session; a subclass builds its objects once and then follows the session's parameters."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def bind(self, widget: param.Parameterized, name: str, parameter: str = "value") -> None:
        """Keep a widget's parameter and the session's parameter `name` equal, whichever changes."""
        session = self.session
        widget.param.watch(lambda event: session.param.update(**{name: event.new}), parameter)
        session.param.watch(lambda event: widget.param.update(**{parameter: event.new}), name)

    def __panel__(self) -> Viewable:
        raise NotImplementedError
