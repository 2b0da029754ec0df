"""The explorer served to many visitors: who they are, their limits, classes, health, metrics, logs, fairness.

The app does not know it: it asks its host (`lrbn_viz.app.host`), which this package replaces. `lrbn-viz
serve` installs it. It is also a plug-in of Panel's: ``panel serve apps/explorer.py --plugins
lrbn_viz.server`` asks for its `ROUTES` before the server begins, which installs it with the settings of the
environment.
"""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """Return the plug-in's routes, and install the server; importing the package alone installs nothing."""
    if name != "ROUTES":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lrbn_viz.server.host import ROUTES, install
    from lrbn_viz.server.visitors.serving import serving_of_environment

    install(serving_of_environment())
    globals()[name] = ROUTES
    return ROUTES
