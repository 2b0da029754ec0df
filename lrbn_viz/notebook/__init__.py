"""The trace player and the static figures in a notebook, without a network.

The player is the explorer's own, hosted by an anywidget; figures of HoloViews and Bokeh are plain HTML beside
one copy of BokehJS, those of Matplotlib are drawings that need none. Neither needs an extension of the
notebook beyond those that come with the package. A prediction is asked for before what it is about is shown.
Players and predictions of an executed notebook are exported so that they need no kernel and no network.
"""

from lrbn_viz.core.extras import missing_extra

try:
    from lrbn_viz.notebook.cell import explorer
    from lrbn_viz.notebook.figures import load_figures, show_figure
    from lrbn_viz.notebook.page import stand_alone
    from lrbn_viz.notebook.prediction import Prediction, ask
    from lrbn_viz.notebook.widget import NotebookPlayer, show_trace
except ModuleNotFoundError as missing:
    raise missing_extra("notebook", "lrbn_viz.notebook needs", missing) from missing

__all__ = [
    "NotebookPlayer",
    "Prediction",
    "ask",
    "explorer",
    "load_figures",
    "show_figure",
    "show_trace",
    "stand_alone",
]


def __dir__() -> list[str]:
    return sorted(__all__)
