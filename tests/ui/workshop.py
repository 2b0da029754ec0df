"""An explorer with parts that its contributors might add, and pages of another make beside it.

Served by the fixture `workshop`. Panel runs this for each page anew, and clears its names with the page: what
stays is in `parts.py`, and is added once.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import panel as pn
from dummy_data_set import RECORD
from ui.parts import decode_own_or_fail, say_that_it_ended

from lrbn_viz.view.player import source

source.ROOT = Path(os.environ["LRBN_VIZ_TEST_PACKAGE"])

# after that, since they make components of the JavaScript there
from lrbn_viz.app.generate.panel import DrawingSettings, GeneratePanel  # noqa: E402
from lrbn_viz.app.generate.state import GenerateState  # noqa: E402
from lrbn_viz.app.inference.state import Session  # noqa: E402
from lrbn_viz.app.shell import build_page  # noqa: E402
from lrbn_viz.app.upload import state as upload  # noqa: E402
from lrbn_viz.datasets import DATASETS  # noqa: E402
from lrbn_viz.datasets.own import decode_own  # noqa: E402

DATASETS[RECORD.name] = RECORD
if upload.decode_own is decode_own:
    upload.decode_own = decode_own_or_fail

settings = {name: values[0].decode() for name, values in pn.state.session_args.items()}
lanes: dict[str, Any] = {
    name.removeprefix("s_"): value for name, value in settings.items() if name.startswith("s_")
}
pn.state.on_session_destroyed(say_that_it_ended)
if "plain" in settings:
    pn.Row(pn.widgets.IntSlider(name="A slider"), "Some text").servable()
elif "replay" in settings:
    build_page(Session(dataset_name="digits", **lanes)).servable()
elif "draw" in settings:
    state = GenerateState(dataset_name="digits", passes=4, **lanes)
    parts = DrawingSettings(state), GeneratePanel(state)
    pn.Column(*parts, height=900, sizing_mode="stretch_width").servable()
else:
    build_page().servable()
