"""What can be set for a training run, in words, and settings worth beginning from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lrbn_viz.runs import LaneConfig


@dataclass(frozen=True)
class Field:
    """One setting of a model.

    Attributes
    ----------
    name : str
        The estimator's name for it.
    label, help : str
        What people read; `help` says what it does and in which unit.
    kind : {"int", "float", "choice"}
    choices : mapping from a value to its title
    fixed : str
        Why it cannot change during a run; empty where it can.
    when : mapping from a setting to the values under which this one matters
    visible : str
        Kind of images under which it matters; empty: both.
    optional : bool
        Whether "none" may stand in the place of a number.
    """

    name: str
    label: str
    kind: Literal["int", "float", "choice"]
    help: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    fixed: str = ""
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    visible: str = ""
    optional: bool = False


_UNITS = Field(
    "n_components",
    "Latent units",
    "int",
    "n_h: causes that an image is explained by",
    fixed="The number of units is part of the model: begin a new run to change it.",
)
_RATE = Field("learning_rate", "Learning rate", "float", "step along the mean gradient of a minibatch")
_DECAY = Field("decay_steps", "Rate halves after", "float", "minibatches; inf keeps the rate constant")

FIELDS: dict[str, tuple[Field, ...]] = {
    "LRBN": (
        _UNITS,
        Field(
            "prior",
            "Prior",
            "choice",
            "learned: likelier; flat: a richer code",
            {"learned": "learned", "flat": "flat", "warmed": "warmed up"},
        ),
        Field(
            "warm_up",
            "Prior held for",
            "float",
            "minibatches for which d stays 0",
            when={"prior": ("warmed",)},
        ),
        Field(
            "e_step",
            "E-step",
            "choice",
            "how latents are filled in",
            {"icm": "ICM", "annealed": "annealed", "gibbs": "Gibbs sampling"},
        ),
        Field(
            "init",
            "Inference starts from",
            "choice",
            "",
            {
                "conditional": "conditional",
                "paper": "equation 11",
                "zeros": "all units off",
                "random": "fair coins",
            },
        ),
        Field("max_sweeps", "Sweeps at most", "int", "of ICM", when={"e_step": ("icm", "annealed")}),
        Field(
            "warm_sweeps",
            "Warm sweeps",
            "int",
            "of annealing or sampling",
            when={"e_step": ("annealed", "gibbs")},
        ),
        Field("hottest", "Hottest", "float", "first temperature", when={"e_step": ("annealed",)}),
        Field("coldest", "Coldest", "float", "last temperature", when={"e_step": ("annealed",)}),
        Field(
            "likelihood_weight",
            "Image counts",
            "float",
            "times in the E-step; above 1: fewer wrong pixels, a less likely model",
        ),
        Field(
            "m_step",
            "M-step",
            "choice",
            "",
            {"auto": "closed form", "gradient": "gradient"},
            fixed="The closed form carries its own statistics: begin a new run to change it.",
            visible="gaussian",
        ),
        _RATE,
        Field("momentum", "Momentum", "float", "share of the last step repeated, below 1"),
        _DECAY,
        Field(
            "learning_rate_end",
            "Rate falls to",
            "float",
            "by the last step, in the place of halving; none: it does not",
            optional=True,
        ),
        Field("weight_decay", "Weight decay", "float", "L2 shrinkage of W", visible="bernoulli"),
        Field(
            "average", "Averaged share", "float", "of the run, its end: the mean of its steps is the model"
        ),
    ),
    "RBM": (
        _UNITS,
        Field(
            "method",
            "Chains",
            "choice",
            "",
            {"pcd": "PCD", "cd": "CD"},
        ),
        Field("n_gibbs", "Gibbs steps", "int", "per minibatch"),
        _RATE,
        _DECAY,
        Field("weight_decay", "Weight decay", "float", "L2 shrinkage of W"),
    ),
}
"""Settings of each system, in the order in which they are shown."""


@dataclass(frozen=True)
class Preset:
    """A run to begin from.

    Attributes
    ----------
    title, about : str
        Its name, and one sentence on what it shows.
    lanes : tuple of LaneConfig
        The left and the right model.
    binary : bool
        Whether images are binary.
    run : mapping
        Other settings of the run: ``batch_size``, ``n_iter``.
    dataset : str
        Where it begins; empty: the data set stays.
    """

    title: str
    about: str
    lanes: tuple[LaneConfig, LaneConfig]
    binary: bool = True
    run: Mapping[str, Any] = field(default_factory=dict)
    dataset: str = ""


_RIVAL = LaneConfig("RBM", {"n_components": 200, "learning_rate": 0.05, "method": "pcd", "n_gibbs": 1})
_FLAT: dict[str, Any] = {
    "n_components": 200,
    "prior": "flat",
    "e_step": "annealed",
    "warm_sweeps": 8,
    "hottest": 1.5,
    "coldest": 0.2,
    "decay_steps": 4000.0,
}

PRESETS: dict[str, Preset] = {
    "paper": Preset(
        "The paper's recipe",
        "Hard EM with ICM from the paper's start, rate 0.25, minibatches of 20; beside it an RBM, by PCD-1.",
        (LaneConfig("LRBN", {"n_components": 200, "init": "paper", "learning_rate": 0.25}), _RIVAL),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "flat": Preset(
        "Flat prior, annealed E-step",
        "How the model of the Inference page was trained: few dead units and the best reconstructions.",
        (LaneConfig("LRBN", _FLAT), _RIVAL),
        run={"batch_size": 20, "n_iter": 5},
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
        run={"batch_size": 20, "n_iter": 5},
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
        "The same model and minibatches; only how latents are filled in differs.",
        (
            LaneConfig("LRBN", {**_FLAT, "e_step": "icm"}),
            LaneConfig("LRBN", _FLAT),
        ),
        run={"batch_size": 20, "n_iter": 5},
    ),
    "gaussian": Preset(
        "Gaussian units, closed form",
        "Grey digits, standardised. The LRBN's M-step is a linear regression; the RBM climbs its gradient.",
        (
            LaneConfig("LRBN", {"n_components": 100, "prior": "flat"}),
            LaneConfig("RBM", {"n_components": 100, "learning_rate": 0.005}),
        ),
        binary=False,
        run={"batch_size": 50, "n_iter": 20},
        dataset="digits",
    ),
    "small": Preset(
        "Small and quick",
        "12 units on 8x8 digits: a pass takes a moment, and every filter can be looked at.",
        (
            LaneConfig(
                "LRBN",
                {
                    "n_components": 12,
                    "e_step": "gibbs",
                    "init": "zeros",
                    "learning_rate": 0.2,
                    "decay_steps": 2000.0,
                },
            ),
            LaneConfig("RBM", {"n_components": 12, "learning_rate": 0.05, "decay_steps": 2000.0}),
        ),
        run={"batch_size": 20, "n_iter": 60},
        dataset="digits",
    ),
}
"""Runs to begin from, by the name that addresses give them; the first is what a visitor finds."""
