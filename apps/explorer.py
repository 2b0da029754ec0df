"""The explorer: `panel serve apps/explorer.py --show`."""

from lrbn_viz.app.serving.failing import failing_in_words
from lrbn_viz.app.serving.routes import watch_servers
from lrbn_viz.app.shell import build_page

watch_servers()
failing_in_words(build_page)().servable()
