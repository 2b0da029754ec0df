"""Recipes: configurations of runs to start from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from lrbn_viz.studies.runs import LaneConfig


@dataclass(frozen=True)
class Preset:
    """A recipe: the configuration of a run to start from.

    Attributes
    ----------
    title, about : str
        Its name, and one sentence on what it shows.
    lanes : tuple of LaneConfig
        The left and the right model.
    binary : bool
        True if images are binary.
    run : mapping
        Other settings of the run: ``batch_size``, and its budget: ``n_iter``, or ``max_seconds`` where both
        models have the same seconds.
    dataset : str
        Initial data set; empty: the current one is kept or, if it came from another recipe, becomes the one
        that pages begin with.
    """

    title: str
    about: str
    lanes: tuple[LaneConfig, LaneConfig]
    binary: bool = True
    run: Mapping[str, Any] = field(default_factory=dict)
    dataset: str = ""


# The rate falls by decay, as with a budget in seconds the number of steps is not known in advance.
_RIVAL = LaneConfig(
    "RBM", {"n_components": 200, "gradient": "standard", "learning_rate": 0.1, "decay_steps": 3000.0}
)
_SAME_TIME: dict[str, Any] = {"batch_size": 20, "max_seconds": 60.0}
_FLAT: dict[str, Any] = {
    "n_components": 200,
    "prior": "flat",
    "e_step": "annealed",
    "warm_sweeps": 8,
    "hottest": 1.5,
    "coldest": 0.2,
    "decay_steps": 4000.0,
}

_SMALL: dict[str, Any] = {
    "n_components": 16,
    "e_step": "gibbs",
    "init": "zeros",
    "warm_sweeps": 5,
    "likelihood_weight": 1.5,
    "learning_rate": 1.0,
    "learning_rate_end": 0.02,
    "average": 0.3,
}

_BEST_RBM: dict[str, Any] = {
    "n_components": 200,
    "gradient": "standard",
    "learning_rate": 0.1,
    "learning_rate_end": 0.002,
}

_ENHANCED_RBM = LaneConfig("RBM", {**_BEST_RBM, "learning_rate_end": 0.001, "gradient": "enhanced"})

_RWS: dict[str, Any] = {
    "n_components": 200,
    "optimiser": "adam",
    "momentum": 0.9,
    "learning_rate": 0.002,
    "learning_rate_end": 0.0002,
}

_TWO_LAYERS: dict[str, Any] = {**_RWS, "n_top": 200, "learning_rate": 0.003}

_TWO_LAYER_LRBN: dict[str, Any] = {
    "n_components": 200,
    "n_top": 200,
    "e_step": "annealed",
    "warm_sweeps": 8,
    "hottest": 1.5,
    "coldest": 0.2,
    "learning_rate_end": 0.02,
}

_DBN: dict[str, Any] = {"n_components": 200, "n_top": 200, "learning_rate_end": 0.001}

_DBM: dict[str, Any] = {
    "n_components": 200,
    "n_top": 200,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
}

PRESETS: dict[str, Preset] = {
    "small": Preset(
        "Small and quick: digits, 10 seconds",
        "12 units on 8x8 digits, 5 seconds for each model: small enough to see every filter.",
        (
            LaneConfig(
                "LRBN",
                {
                    "n_components": 12,
                    "e_step": "gibbs",
                    "init": "zeros",
                    "warm_sweeps": 5,
                    "learning_rate": 1.0,
                    "decay_steps": 500.0,
                },
            ),
            LaneConfig(
                "RBM",
                {"n_components": 12, "gradient": "standard", "learning_rate": 0.3, "decay_steps": 2000.0},
            ),
        ),
        run={"batch_size": 20, "max_seconds": 5.0},
        dataset="digits",
    ),
    "flat": Preset(
        "Flat prior, annealed E-step",
        "Units stay alive and reconstructions are good: its latents are annealed for each minibatch.",
        (LaneConfig("LRBN", _FLAT), _RIVAL),
        run=_SAME_TIME,
    ),
    "paper": Preset(
        "The paper's recipe",
        "Hard EM with ICM from the paper's start, rate 0.25, minibatches of 20; beside it a tuned RBM.",
        (LaneConfig("LRBN", {"n_components": 200, "init": "paper", "learning_rate": 0.25}), _RIVAL),
        run=_SAME_TIME,
    ),
    "gibbs": Preset(
        "Learned prior, Gibbs E-step",
        "A sampled E-step from all off keeps units alive under a learned prior.",
        (
            LaneConfig(
                "LRBN",
                {
                    "n_components": 200,
                    "e_step": "gibbs",
                    "init": "zeros",
                    "warm_sweeps": 5,
                    "learning_rate": 0.2,
                    "decay_steps": 8000.0,
                },
            ),
            _RIVAL,
        ),
        run=_SAME_TIME,
    ),
    "warmed": Preset(
        "Prior warmed up against learned",
        "Two LRBNs: on the left d is held at 0 at first. Watch the dead units on the right.",
        (
            LaneConfig("LRBN", {**_FLAT, "prior": "warmed", "warm_up": 300.0}),
            LaneConfig("LRBN", {**_FLAT, "prior": "learned"}),
        ),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "inference": Preset(
        "ICM against an annealed E-step",
        "The same model and minibatches; only the inference of the latents differs.",
        (
            LaneConfig("LRBN", {**_FLAT, "e_step": "icm"}),
            LaneConfig("LRBN", _FLAT),
        ),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "gaussian": Preset(
        "Gaussian units, closed form",
        "Grey digits, standardised. The LRBN's M-step is a linear regression; the RBM follows its gradient.",
        (
            LaneConfig("LRBN", {"n_components": 100, "prior": "flat"}),
            LaneConfig(
                "RBM",
                {
                    "n_components": 100,
                    "gradient": "standard",
                    "learning_rate": 0.005,
                    "learning_rate_end": 0.0005,
                },
            ),
        ),
        binary=False,
        run={"batch_size": 50, "n_iter": 20},
        dataset="digits",
    ),
    "strokes": Preset(
        "Strokes against dense filters",
        "Weights kept at or above 0, on the left, make strokes, which can only explain each other away.",
        (LaneConfig("LRBN", {**_SMALL, "nonnegative": True}), LaneConfig("LRBN", _SMALL)),
        run={"batch_size": 50, "n_iter": 100},
        dataset="digits",
    ),
    "recognition": Preset(
        "Recognition network: RWS",
        "Reweighted wake-sleep on the left learns to predict the latents; the LRBN on the right infers them.",
        (LaneConfig("RWS", _RWS), LaneConfig("LRBN", _FLAT)),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "two-layers": Preset(
        "Two layers: RWS and NVIL",
        "Two layers and a recognition network each: weighted particles on the left, a baseline on the right.",
        (LaneConfig("Two-layer RWS", _TWO_LAYERS), LaneConfig("Two-layer NVIL", _TWO_LAYERS)),
        run={"batch_size": 100, "n_iter": 15},
    ),
    "second-layer": Preset(
        "RWS: two layers against one",
        "What a second layer adds: the same method, 200 latents on top of 200 on the left.",
        (LaneConfig("Two-layer RWS", _TWO_LAYERS), LaneConfig("RWS", _RWS)),
        run={"batch_size": 100, "n_iter": 15},
    ),
    "two-layers-lrbn": Preset(
        "Two layers with a recognition network, and an LRBN",
        "Wake-sleep learns two layers on the left; the LRBN on the right infers one, unit by unit.",
        (LaneConfig("Two-layer wake-sleep", _TWO_LAYERS), LaneConfig("LRBN", _FLAT)),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "deep-lrbn": Preset(
        "LRBN of two layers",
        "The lower layer learns, then the upper one on its latents, then both; beside it one layer alone.",
        (LaneConfig("Two-layer LRBN", _TWO_LAYER_LRBN), LaneConfig("LRBN", _FLAT)),
        run={"batch_size": 20, "n_iter": 10},
    ),
    "dbn": Preset(
        "Deep belief network",
        "Two layers, learned as RBMs one after the other, then together; beside it the RBM that it began as.",
        (LaneConfig("DBN", _DBN), _ENHANCED_RBM),
        run={"batch_size": 100, "n_iter": 30},
    ),
    "dbm": Preset(
        "Deep Boltzmann machine",
        "Two layers, all connections undirected, learned as RBMs and then together; beside it an RBM.",
        (LaneConfig("DBM", _DBM), _ENHANCED_RBM),
        run={"batch_size": 100, "n_iter": 30},
    ),
    "mean-field": Preset(
        "Mean field: two bounds",
        "Latents as means: by the tilted bound on the left, by variational Bayes on the right.",
        (
            LaneConfig("Mean-field SBN", {"n_components": 200}),
            LaneConfig("VB-SBN", {"n_components": 200}),
        ),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "variational-bayes": Preset(
        "Variational Bayes: two layers against one",
        "Two VB-SBNs. Watch the bound, and how many units are used: the prior can turn off whole units.",
        (
            LaneConfig("Two-layer VB-SBN", {"n_components": 200, "n_top": 200}),
            LaneConfig("VB-SBN", {"n_components": 200, "learning_rate_end": 0.003, "momentum": 0.5}),
        ),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "enhanced": Preset(
        "RBM: two gradients",
        "The same RBM twice, by the plain gradient on the left and by the enhanced one on the right.",
        (LaneConfig("RBM", _BEST_RBM), LaneConfig("RBM", {**_BEST_RBM, "gradient": "enhanced"})),
        run={"batch_size": 100, "n_iter": 10},
    ),
}
"""Recipes by their names in addresses; the first is the default."""

MORE_KERNELS = (LaneConfig("RBM", {"n_components": 200, "n_temperatures": 2}),)
"""Models whose training needs compiled kernels that no recipe needs."""
