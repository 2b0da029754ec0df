"""Every system of the catalogue, trained for equal CPU seconds: its settings, and its row of the report.

No settings were chosen on test images. Those of `TUNED_DATA` were chosen on images held out of the
training set, in runs as long as those of the shipped models or as these, and so were those of
`SETTINGS_BY_SIZE`, which hold for one size alone. All others were carried over from another system or data
set, without a choice of their own; a system without settings here learns with its defaults.
"""

from __future__ import annotations

from typing import Any, NamedTuple

SECONDS = 60.0
"""CPU seconds of training of each system, unless others are asked for."""

ALL = "systems"
"""Name that selects all rows of systems among the names of configurations."""

BINARIZED = {"threshold": "thresholded", "stochastic": "drawn once"}
"""Kinds of binarization in words, by the names that `load_dataset` takes."""

USUAL = 200
"""Units of a layer, unless the paper reports others."""
SMALL = 24
"""Units of a layer in a quick run: too many to enumerate, so that bounds are needed, as at full size."""


class Case(NamedTuple):
    """One system of one size and binarization, which is trained, measured and stored separately."""

    system: str
    """Its key in the catalogue's ``SYSTEMS``."""
    sizes: tuple[int, ...]
    """Units of each layer, the lowest first."""
    binarize: str
    """A key of `BINARIZED`."""

    @property
    def size(self) -> str:
        """Units of its layers, such as "200-200"."""
        return "-".join(map(str, self.sizes))

    @property
    def row(self) -> str:
        """Name of its row for people and for the command, such as "DBN-200-200"."""
        return f"{self.system.replace(' ', '-')}-{self.size}"

    @property
    def name(self) -> str:
        """Name in the files of its stages."""
        return f"{self.row}.{self.binarize}"


_ADAM: dict[str, Any] = {"optimiser": "adam", "momentum": 0.9, "learning_rate_end": 0.0002, "batch_size": 100}
_NETWORK: dict[str, Any] = {**_ADAM, "learning_rate": 0.003}
# Plain steps of small minibatches: Adam at 0.003, as the others have it, leaves far too small weights.
_MEANS: dict[str, Any] = {
    "optimiser": "momentum",
    "momentum": 0.0,
    "learning_rate": 4.0,
    "learning_rate_end": 0.02,
    "batch_size": 20,
}
_BOLTZMANN: dict[str, Any] = {"batch_size": 100, "learning_rate": 0.1, "learning_rate_end": 0.001}

SETTINGS: dict[str, dict[str, Any]] = {
    "LRBN": {
        "e_step": "gibbs",
        "init": "zeros",
        "warm_sweeps": 5,
        "learning_rate": 0.25,
        "learning_rate_end": 0.02,
        "average": 0.3,
        "batch_size": 20,
    },
    "RBM": {**_BOLTZMANN, "gradient": "enhanced"},
    "DBN": {**_BOLTZMANN, "first_share": 0.4, "up_down_share": 0.3, "up_down_rate": 1.0},
    "DBM": _BOLTZMANN,
    "RWS": {**_ADAM, "learning_rate": 0.004},
    "Wake-sleep": _NETWORK,
    "VIMCO": _NETWORK,
    "NVIL": {**_NETWORK, "recognition_rate": 1.0},
    "Two-layer RWS": {**_ADAM, "learning_rate": 0.004},
    "Two-layer wake-sleep": _NETWORK,
    "Two-layer VIMCO": _NETWORK,
    "Two-layer NVIL": {**_NETWORK, "recognition_rate": 1.0},
    "Mean-field SBN": {**_MEANS, "n_sweeps": 1},
    "VB-SBN": _MEANS,
    # Plain steps at that rate come to quite different ends here, from seed to seed.
    "Two-layer VB-SBN": {
        "momentum": 0.5,
        "learning_rate": 0.05,
        "learning_rate_end": 0.003,
        "batch_size": 50,
        "n_sweeps": 1,
    },
}
"""Settings of each system, by its key in the catalogue; units and passes follow from the row and the budget.
"""

SETTINGS_BY_DATA: dict[tuple[str, str], dict[str, Any]] = {
    ("RBM", "caltech"): {"learning_rate": 0.05},
    ("RBM", "ocr"): {"learning_rate": 0.2},
    # Half of the pixels are on: bare images leave NVIL's baseline nothing to tell them apart by, and a
    # recognition network learns from them slowly, whatever the method.
    ("NVIL", "caltech"): {"centre_inputs": True, "learning_rate": 0.01},
    ("RWS", "caltech"): {"centre_inputs": True, "learning_rate": 0.01},
    ("Wake-sleep", "caltech"): {"centre_inputs": True, "learning_rate": 0.01},
    ("VIMCO", "caltech"): {"centre_inputs": True, "learning_rate": 0.01},
    ("Two-layer NVIL", "caltech"): {"centre_inputs": True},
    ("Two-layer RWS", "caltech"): {"centre_inputs": True},
    ("Two-layer wake-sleep", "caltech"): {"centre_inputs": True},
    ("Two-layer VIMCO", "caltech"): {"centre_inputs": True},
    ("Two-layer VB-SBN", "ocr"): {"learning_rate": 0.02},
}
"""Settings that replace these on one data set."""

SETTINGS_BY_SIZE: dict[tuple[str, str, tuple[int, ...]], dict[str, Any]] = {
    # Steps take as long as they have images: so few seconds pay for more steps of small minibatches.
    ("RBM", "caltech", (4000,)): {
        "batch_size": 20,
        "learning_rate": 0.015,
        "learning_rate_end": 0.0005,
        "average": 0.3,
    },
    ("DBN", "mnist", (500, 2000)): {
        "batch_size": 20,
        "learning_rate": 0.03,
        "first_share": 0.3,
        "up_down_share": 0.2,
    },
    # Small shares and rates of the last stage: learned together for longer or faster, the layers diverged.
    ("DBM", "mnist", (500, 1000)): {
        "batch_size": 50,
        "learning_rate": 0.15,
        "first_share": 0.6,
        "second_share": 0.2,
        "together_rate": 0.2,
    },
    ("DBM", "ocr", (2000, 2000)): {
        "batch_size": 20,
        "first_share": 0.5,
        "second_share": 0.3,
        "together_rate": 0.3,
    },
}
"""Settings that replace these for one size: all chosen on held-out images (``tests/bench/bench_rows.py``)."""

STAGED: dict[str, dict[str, str]] = {"LRBN": {"mnist": "likeliest", "caltech": "likeliest", "ocr": "both"}}
"""Systems whose models of two layers learn in stages: the configuration that is scaled to the budget, by data
set."""

SAME_MODEL = {"Two-layer LRBN": "LRBN"}
"""Systems without rows: their model is that of another one's rows, which learn it in stages."""

_ALL_DATA = frozenset({"mnist", "caltech", "ocr"})
_MNIST = frozenset({"mnist"})

TUNED_DATA: dict[tuple[str, int], frozenset[str]] = {
    ("LRBN", 2): _ALL_DATA,
    ("RBM", 1): _ALL_DATA,
    ("DBN", 2): _MNIST,
    ("DBM", 2): _MNIST,
    ("RWS", 1): frozenset({"mnist", "caltech"}),
    ("Wake-sleep", 1): frozenset({"caltech"}),
    ("VIMCO", 1): frozenset({"caltech"}),
    ("NVIL", 1): frozenset({"mnist", "caltech"}),
    ("Mean-field SBN", 1): _MNIST,
    ("VB-SBN", 1): _ALL_DATA,
    ("Two-layer VB-SBN", 2): _ALL_DATA,
}
"""Data sets on whose held-out images settings of the usual size were chosen, by system and number of
layers."""


def how_chosen(system: str, sizes: tuple[int, ...], data: str) -> str:
    """Return where the settings of a system of these sizes come from, in words."""
    usual = set(sizes) <= {USUAL, SMALL} and data in TUNED_DATA.get((system, len(sizes)), ())
    chosen = usual or (system, data, sizes) in SETTINGS_BY_SIZE
    return "on held-out images" if chosen else "carried over, not chosen"


def settings_of(system: str, data: str, sizes: tuple[int, ...]) -> dict[str, Any]:
    """Return how a system of these sizes learns on a data set, which has the command's name."""
    on_size = SETTINGS_BY_SIZE.get((system, data, sizes), {})
    return SETTINGS.get(system, {}) | SETTINGS_BY_DATA.get((system, data), {}) | on_size
