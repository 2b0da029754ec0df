"""What of the page is in sight: the list of panels, and the link that leaves controls out."""

from __future__ import annotations

from panel.viewable import Viewable

from lrbn_viz.app.menus import CONTROLS, PANELS
from lrbn_viz.app.player.views import ViewsMenu
from lrbn_viz.app.session import Session
from lrbn_viz.app.view import SessionView


class ViewsPanel(SessionView):
    """Ticks for the panels, and a button for a teacher's link."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.menu = ViewsMenu(
            panels=list(PANELS.items()),
            tools=list(CONTROLS.items()),
            hidden=session.hidden,
            sizing_mode="stretch_width",
        )
        self.menu.param.watch(lambda event: session.hide(event.new), "hidden")
        session.param.watch(lambda event: self.menu.param.update(hidden=event.new), "hidden")
        self.follow_hidden("view", self.menu)

    def __panel__(self) -> Viewable:
        return self.menu
