"""Users' own data: `read_dataset` turns a file into a `Dataset` without trusting a byte of it.

Read in this order: `images` (what a file holds, limits, shared checks), `archives`, `arrays`, `columns` and
`tables`, and `folders` (one per format), `make` (choices: shape, threshold, split), `read` (the public
function), `stored` (a copy on disk).
"""

from lrbn_viz.datasets.own.images import Limits, OwnImages, RefusedData
from lrbn_viz.datasets.own.make import make_dataset
from lrbn_viz.datasets.own.read import LIMIT_VARIABLE, decode_own, limits, read_dataset
from lrbn_viz.datasets.own.stored import store_dataset, stored_dataset

__all__ = [
    "LIMIT_VARIABLE",
    "Limits",
    "OwnImages",
    "RefusedData",
    "decode_own",
    "limits",
    "make_dataset",
    "read_dataset",
    "store_dataset",
    "stored_dataset",
]
