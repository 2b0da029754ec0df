"""The data sets, by name, in one form: `load_dataset(name)` returns a `Dataset`.

Nothing here needs more than NumPy until a data set that does is asked for. Read in this order: `dataset`
(what one is), `load` (from a name), `decode` and `planted` (one function per data set), `files` (download and
checks), `corruption`, `own` (users' own files).
"""

from lrbn_viz.datasets.corruption import add_noise, invert, occlude
from lrbn_viz.datasets.dataset import DATASETS, Dataset, DatasetInfo
from lrbn_viz.datasets.files import DATA_VARIABLE, DataFileError, at_hand
from lrbn_viz.datasets.load import load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.datasets.own import RefusedData, keep_dataset, kept_dataset, read_dataset
from lrbn_viz.datasets.planted import PlantedCauses

__all__ = [
    "DATASETS",
    "DATA_VARIABLE",
    "DataFileError",
    "Dataset",
    "DatasetInfo",
    "PlantedCauses",
    "RefusedData",
    "add_noise",
    "at_hand",
    "invert",
    "keep_dataset",
    "kept_dataset",
    "load_dataset",
    "mnist5k_rows_in_mnist",
    "occlude",
    "read_dataset",
]
