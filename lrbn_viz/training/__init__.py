"""The one training loop, where a run stands between two of its steps, and runs side by side."""

from lrbn_viz.training.loop import Augment, Training, check_unplanned
from lrbn_viz.training.race import race
from lrbn_viz.training.snapshot import Snapshot

__all__ = ["Augment", "Snapshot", "Training", "check_unplanned", "race"]
