"""Training runs: models side by side on one data set, recorded, on a worker thread, stored on disk.

A folder of runs holds one folder per run: ``run.json`` (the configuration), ``checkpoint`` (the training
state), for a user's own data ``dataset`` (a copy), and what the user saves. Deleted runs lie in ``.trash``
for a while. This package displays nothing: a page or a script drains a run at a time of its own choice.
"""

from lrbn_viz.studies.runs.config import LaneConfig, Parent, RunConfig
from lrbn_viz.studies.runs.events import Notice, Tick
from lrbn_viz.studies.runs.lock import RunBusy, RunLock, busy_runs
from lrbn_viz.studies.runs.run import FolderRemoved, Run, stored_curves, stored_models
from lrbn_viz.studies.runs.stored import (
    StoredRun,
    StoredRuns,
    is_owner_id,
    is_run_name,
    read_run_file,
    stored_owner,
    stored_runs,
)
from lrbn_viz.studies.runs.trash import UNDO_SECONDS, Deleted, deleted_runs, move_to_trash, purge, restore

__all__ = [
    "UNDO_SECONDS",
    "Deleted",
    "FolderRemoved",
    "LaneConfig",
    "Notice",
    "Parent",
    "Run",
    "RunBusy",
    "RunConfig",
    "RunLock",
    "StoredRun",
    "StoredRuns",
    "Tick",
    "busy_runs",
    "deleted_runs",
    "is_owner_id",
    "is_run_name",
    "move_to_trash",
    "purge",
    "read_run_file",
    "restore",
    "stored_curves",
    "stored_models",
    "stored_owner",
    "stored_runs",
]
