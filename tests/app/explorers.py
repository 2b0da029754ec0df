"""The explorer as a visitor gets it, in a document that no browser shows."""

from __future__ import annotations

import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from lrbn_viz.app import shell


def explorer(query: str) -> shell.Explorer:
    """The explorer at an address, as a visitor gets it."""
    made: list[shell.Explorer] = []
    shell_explorer = shell.Explorer

    class Kept(shell_explorer):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            made.append(self)

    class Context:
        def __init__(self) -> None:
            self.request = None
            self.session = None

    with pytest.MonkeyPatch.context() as patch, set_curdoc(Document()):
        patch.setattr(shell, "Explorer", Kept)
        patch.setattr(shell, "query_of", lambda arguments: query)
        patch.setattr(shell, "warm_up_once", lambda: None)
        shell.build_page()
    return made[0]
