"""One-time notices at the top of the page, as a Panel component."""

from __future__ import annotations

from typing import Any, ClassVar

import param

from lrbn_viz.app.shared.component import Component
from lrbn_viz.app.shared.messages import Kinds
from lrbn_viz.app.shared.notices import Notices
from lrbn_viz.view.player.source import module_text


class NoticeBar(Component):
    """Sentences with a button that dismisses them; empty without sentences.

    Parameters
    ----------
    notices : Notices
        Notices to show.

    Attributes
    ----------
    texts : list of str
        The sentences.
    """

    texts = param.List(default=[], item_type=str)

    _esm: ClassVar[str] = module_text("app/shared/js/notices.js")

    kinds: ClassVar[Kinds] = {"dismiss": {}}

    def __init__(self, notices: Notices, **params: Any) -> None:
        super().__init__({"dismiss": notices.dismiss}, texts=list(notices.texts), **params)
        self.notices = notices
        notices.param.watch(lambda event: self.param.update(texts=list(event.new)), "texts")
