"""Visibility of panels and controls: the list of panels, and the link that hides controls."""

from __future__ import annotations

from panel.viewable import Viewable

from lrbn_viz.app.inference.component import ViewsMenu
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.view import SessionView
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.view.player.panels import PANELS


class ViewsPanel(SessionView):
    """Check boxes for the panels, and a button for a teacher's link.

    Parameters
    ----------
    session : Session
    setting : str
        Name in addresses of the list of hidden panels and controls.
    """

    def __init__(self, session: Session, setting: str) -> None:
        super().__init__(session)
        self.menu = ViewsMenu(
            panels=list(PANELS.items()),
            tools=list(CONTROLS.items()),
            hidden=session.hidden,
            setting=setting,
            sizing_mode="stretch_width",
        )
        self.menu.param.watch(lambda event: session.hide(event.new), "hidden")
        session.param.watch(lambda event: self.menu.param.update(hidden=event.new), "hidden")
        self.follow_hidden("view", self.menu)

    def __panel__(self) -> Viewable:
        return self.menu
