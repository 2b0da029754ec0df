"""Training runs: models side by side on one data set, recorded, on a worker thread, kept on disk.

A folder of runs holds one folder per run: ``run.json`` (what it is), ``checkpoint`` (how to go on), for a
user's own data ``dataset`` (a copy), and what the user saves. Nothing here shows anything: a page or a script
drains a run when it likes.
"""

from lrbn_viz.runs.config import LaneConfig, RunConfig
from lrbn_viz.runs.events import Notice, Tick
from lrbn_viz.runs.kept import Kept, kept_runs
from lrbn_viz.runs.run import Run

__all__ = ["Kept", "LaneConfig", "Notice", "Run", "RunConfig", "Tick", "kept_runs"]
