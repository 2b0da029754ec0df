"""The explorer: `panel serve apps/explorer.py --show`, for others with `--plugins lrbn_viz.server`."""

from lrbn_viz.app.shell import build_page

build_page().servable()
