"""Learning by hard EM (Algorithm 1): infer the latents of a minibatch, then regress x on them.

The E-step is any inference of :mod:`lrbn_viz.lrbn.icm`; the M-step is a logistic or a linear regression with
complete data. The prior is learned with the other parameters, or held flat: the former gives a likelier
model, the latter a richer code.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Choice, Flag, Integer, Real, When, declare, documented
from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.system import UNKNOWN, Memory, System
from lrbn_viz.kernels.steps import weighed
from lrbn_viz.lrbn.batch_kernel import BatchInference, infer_batch
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.m_step import HardEMState, MStep
from lrbn_viz.lrbn.model import (
    Start,
    known_sums,
    log_joint,
    most_probable_visible,
    natural_mean,
    sample_prior,
    sample_visible,
    visible_mean,
)
from lrbn_viz.lrbn.parts import parts_of
from lrbn_viz.lrbn.traced import cooling
from lrbn_viz.training.settings import COUNT, MAX_STEPS_FORM, NON_NEGATIVE, POSITIVE

EStep = Literal["icm", "annealed", "gibbs"]
ANNEALED: When = ({"e_step": ("annealed",)},)


@documented
@dataclass(frozen=True)
class HardEM(MStep, System[HardEMState]):
    """Hard EM of one layer, behind the System protocol."""

    weight_scale: float = declare(
        Real(
            "Initial weight scale",
            None,
            "Standard deviation of the weights before training.",
            bounds=NON_NEGATIVE,
        ),
        0.1,
    )
    start: Start = declare(
        Choice(
            "Start of inference",
            None,
            "The latents from which the inference of each image starts.",
            details='"conditional": the exact conditional of each unit with the others off; "paper": the '
            'feed-forward start of equation 11; "zeros": all off; "random": fair coins.',
            choices={
                "conditional": "conditional",
                "paper": "equation 11",
                "zeros": "all off",
                "random": "fair coins",
            },
        ),
        "conditional",
    )
    e_step: EStep = declare(
        Choice(
            "E-step",
            None,
            "How latents are inferred while learning.",
            details='"icm" is the paper\'s. "annealed" cools for `warm_sweeps` before it. "gibbs" takes the '
            "state after `warm_sweeps` of Gibbs sampling: stochastic EM.",
            choices={"icm": "ICM", "annealed": "annealed", "gibbs": "Gibbs sampling"},
        ),
        "icm",
    )
    max_sweeps: int = declare(
        Integer(
            "Maximum ICM sweeps", None, "Bound on the sweeps of ICM.", bounds=COUNT, form_most=MAX_STEPS_FORM
        ),
        50,
    )
    warm_sweeps: int = declare(
        Integer(
            "Sampling sweeps",
            None,
            "Sweeps of annealing or Gibbs sampling in the E-step.",
            bounds=COUNT,
            form_most=MAX_STEPS_FORM,
            when=({"e_step": ("annealed", "gibbs")},),
        ),
        10,
    )
    hottest: float = declare(
        Real(
            "Initial temperature",
            None,
            "Temperature at which annealing begins.",
            bounds=POSITIVE,
            when=ANNEALED,
        ),
        3.0,
    )
    coldest: float = declare(
        Real(
            "Final temperature", None, "Temperature at which annealing ends.", bounds=POSITIVE, when=ANNEALED
        ),
        0.1,
    )
    persistent: bool = declare(
        Flag(
            "Persistent chains",
            None,
            "Inference of a training image starts where it ended an epoch before.",
            details="With Gibbs sampling one sweep per epoch then samples the posterior ever better while "
            "the parameters settle, and more units stay in use.",
            in_form=False,  # each stored moment of a run would contain the chains of all images
        ),
        False,
    )
    likelihood_weight: float = declare(
        Real(
            "Likelihood weight",
            None,
            "Exponent of P(x | h) in the E-step; above 1: fewer wrong pixels, a less likely model.",
            details="As if every image were seen so many times. At 1 this is hard or stochastic EM proper. "
            "Inference with the trained model has none of it, nor have validation and the log joint.",
            bounds=POSITIVE,
        ),
        1.0,
    )

    precision: ClassVar[type] = np.float32
    """Of the conditionals of a minibatch: their error of 1e-4 nats is far below what a step changes."""

    @property
    def memory_width(self) -> int:
        """Number of latents that training stores for each image."""
        return self.n_h if self.persistent else 0

    def init_params(self, X: NDArray, rng: np.random.Generator) -> LayerParams:
        """Small random weights, and offsets that reproduce the mean image; nonnegative: parts of images."""
        if self.nonnegative:
            return parts_of(X, self.n_h, self.visible, self.prior != "flat", rng)
        return self.params_around(natural_mean(*known_sums(X), self.visible), rng)

    def params_around(self, b: NDArray[np.float64], rng: np.random.Generator) -> LayerParams:
        """Return small random weights, and offsets with which the mean image is that of `b` (n_v,) alone."""
        rows = rng.normal(0.0, self.weight_scale, (self.n_h, len(b)))
        # Half of the units are initially on: without this correction half of the sum of all weights would
        # shift the mean image.
        return LayerParams(rows.T, b - 0.5 * rows.sum(axis=0), np.zeros(self.n_h))

    def infer(
        self,
        params: LayerParams,
        X: NDArray,
        rng: np.random.Generator,
        method: EStep,
        *,
        dtype: type = np.float64,
        memory: Memory = None,
        weight: float = 1.0,
    ) -> BatchInference:
        """Return the latents of each image by the named method.

        Inference starts as `start` defines, or from the states in `memory` (n, n_h) where it holds any.
        `weight` is the exponent of the likelihood.
        """
        params = params._replace(d=weighed(params.d, weight))
        kernel_params = prepare_params(params, self.visible, dtype)
        start: Start | NDArray[np.uint8] = self.start
        if memory is not None:
            start = memory.copy()
            new = memory[:, 0] == UNKNOWN
            if new.any():
                begun = infer_batch(
                    params, self.visible, kernel_params, X[new], self.start, np.zeros(0), 0, rng
                )
                start[new] = begun.H
        temperatures, max_sweeps = self.schedule(method)
        return infer_batch(
            params, self.visible, kernel_params, X, start, weighed(temperatures, weight), max_sweeps, rng
        )

    def schedule(self, method: EStep) -> tuple[NDArray[np.float64], int]:
        """Return the temperature of each sweep before ICM, and the bound on ICM's own sweeps."""
        if method == "gibbs":
            return np.ones(self.warm_sweeps), 0
        n_warm = self.warm_sweeps if method == "annealed" else 0
        return cooling(n_warm, self.hottest, self.coldest), self.max_sweeps

    def init(self, X: NDArray, rng: np.random.Generator) -> HardEMState:
        """Return the state before training."""
        return self.from_params(self.init_params(X, rng))

    def step(
        self, state: HardEMState, batch: NDArray, rng: np.random.Generator, memory: Memory = None
    ) -> tuple[HardEMState, dict[str, float]]:
        """One round of Algorithm 1 on a minibatch. Modified in place: `memory`, the latents' last states."""
        X = batch.astype(np.float64)
        inference = self.infer(
            state.params,
            X,
            rng,
            self.e_step,
            dtype=self.precision,
            memory=memory,
            weight=self.likelihood_weight,
        )
        if memory is not None:
            memory[...] = inference.H
        new, figures = self.learn(state, X, inference.H.astype(np.float64))
        work = {
            "flips": float(inference.flips.mean()),
            "sweeps": float(inference.visits.mean() / self.n_h),
        }
        return new, figures | work

    def validate(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return the mean log joint (the score), wrong pixels and dead units of held-out images, by ICM."""
        X = X.astype(np.float64)
        H = self.infer(state.params, X, rng, "icm").H
        guess = most_probable_visible(state.params, self.visible, H)
        joint = float(log_joint(state.params, self.visible, X, H).mean())
        return {
            "score": joint,
            "log_joint": joint,
            "wrong_pixels": float(np.nansum((guess - X) ** 2, axis=1).mean()),  # of what is known
            "dead_units": float((~H.any(axis=0)).sum()),
        }

    def encode(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return MAP states by ICM from the start that `start` names; shape (n, n_h)."""
        return self.infer(state.params, X.astype(np.float64), np.random.default_rng(0), "icm").H

    def codes(self, state: HardEMState, X: NDArray, rng: np.random.Generator) -> NDArray[np.uint8]:
        """Return the training data of a layer above: the states that the E-step infers; shape (n, n_h).

        A sampled E-step that starts from memory in training has no memory here, and makes as many sweeps as
        ICM may.
        """
        how = replace(self, warm_sweeps=max(self.warm_sweeps, self.max_sweeps)) if self.persistent else self
        X = X.astype(np.float64)
        return how.infer(state.params, X, rng, self.e_step, weight=self.likelihood_weight).H

    def encode_factorised(self, state: HardEMState, X: NDArray) -> NDArray[np.uint8]:
        """Return the more probable state of each unit given x and all others off; shape (n, n_h)."""
        params = state.params
        kernel_params = prepare_params(params, self.visible)
        rng = np.random.default_rng(0)
        X = X.astype(np.float64)
        return infer_batch(params, self.visible, kernel_params, X, "conditional", np.zeros(0), 0, rng).H

    def decode(self, state: HardEMState, H: NDArray) -> NDArray[np.float64]:
        """Return the mean of x given each row of `H`."""
        return visible_mean(state.params, self.visible, H)

    def sample(self, state: HardEMState, n: int, rng: np.random.Generator) -> NDArray:
        """Draw n images by ancestral sampling."""
        return sample_visible(state.params, self.visible, sample_prior(state.params, n, rng), rng)
