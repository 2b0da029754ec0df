"""Sweeps: one kind of model trained with many settings, ``lrbn-viz sweep space.toml``.

Read in this order: `space` (what a file asks for, checked), `draw` (which settings are tried), `trial` (what
a worker does), `run` (all trials, left and resumed at will), `results` (what a folder holds), `report`.
This module imports none of them, so that looking for sweeps costs nothing.
"""

FILE = "sweep.json"
"""Description of a sweep in its folder."""
MAX_TRIALS = 10_000
"""Largest number of trials of a sweep."""
