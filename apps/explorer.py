"""The explorer: `panel serve apps/explorer.py --show`."""

from lrbn_viz.app.shell import build_page

build_page().servable()
