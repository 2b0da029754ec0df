"""The data sets, by name, in one form: `load_dataset(name)` returns a `Dataset`.

Nothing here needs more than NumPy until a data set that does is asked for. Read in this order: `dataset`
(what one is, and the list), `load` (from a name), `raw`, `decode` and `planted` (one function per data set),
`files` (download and checks), `corruption`, `own` (users' own files).
"""

from lrbn_viz.datasets.corruption import add_noise, invert, occlude
from lrbn_viz.datasets.dataset import DATASETS, Dataset, DatasetInfo
from lrbn_viz.datasets.files import DATA_VARIABLE, DataFileError
from lrbn_viz.datasets.load import at_hand, load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.datasets.own import RefusedData, read_dataset, store_dataset, stored_dataset
from lrbn_viz.datasets.raw import PlantedCauses, RawImages

__all__ = [
    "DATASETS",
    "DATA_VARIABLE",
    "DataFileError",
    "Dataset",
    "DatasetInfo",
    "PlantedCauses",
    "RawImages",
    "RefusedData",
    "add_noise",
    "at_hand",
    "invert",
    "load_dataset",
    "mnist5k_rows_in_mnist",
    "occlude",
    "read_dataset",
    "store_dataset",
    "stored_dataset",
]


def __dir__() -> list[str]:
    return sorted(__all__)
