"""The one training loop, its snapshots and checkpoints, and races of several models."""

from lrbn_viz.training.loop import Augment, Training, check_unplanned
from lrbn_viz.training.race import race
from lrbn_viz.training.snapshot import Snapshot

__all__ = ["Augment", "Snapshot", "Training", "check_unplanned", "race"]
