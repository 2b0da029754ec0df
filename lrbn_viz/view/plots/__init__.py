"""Static figures: pure functions from traces and arrays to HoloViews elements.

The results of functions are composed by ``+`` and ``*``, changed by ``.opts`` and linked by
``holoviews.link_selections``; no widget, no session, no state.
"""

from lrbn_viz.view.plots.charts import grouped_bars, optima_found
from lrbn_viz.view.plots.curves import log_joint_curve
from lrbn_viz.view.plots.images import image_grid
from lrbn_viz.view.plots.matrices import interaction_matrix
from lrbn_viz.view.plots.systems import dependence_bars, nats_against
from lrbn_viz.view.plots.why import pixel_map, why, why_bars

__all__ = [
    "dependence_bars",
    "grouped_bars",
    "image_grid",
    "interaction_matrix",
    "log_joint_curve",
    "nats_against",
    "optima_found",
    "pixel_map",
    "why",
    "why_bars",
]


def __dir__() -> list[str]:
    return sorted(__all__)
