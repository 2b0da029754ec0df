"""Mean field (Saul, Jaakkola and Jordan, 1996)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Integer, declare, documented
from lrbn_viz.kernels.numerics import one_blas_thread, run_kernel, sigmoid
from lrbn_viz.kernels.workspace import layer_workspaces
from lrbn_viz.lrbn.means.batch import ascend_tilted
from lrbn_viz.lrbn.means.tilted import tilted_slope
from lrbn_viz.rivals.sbn.model import LayerNetworks
from lrbn_viz.rivals.sbn.optimiser import Arrays, Optimiser
from lrbn_viz.rivals.sbn.particles import as_floats, recognise
from lrbn_viz.rivals.sbn.settings import CAUCHY_PRIOR, MOMENTUM, OPTIMISER
from lrbn_viz.rivals.sbn.system import (
    TOGETHER,
    Learned,
    NetworkSystem,
    SBNState,
    gradients_of,
)
from lrbn_viz.training.settings import COUNT, LATENT_UNITS, LEARNING_RATE, MAX_STEPS_FORM

Means = Sequence[NDArray[np.float32]]
"""Means of the latents of each layer, the lowest first; (n, n_h) each."""
EVALUATION_SWEEPS = 10
"""Sweeps of mean field for held-out images and for images that are encoded."""


class Field(NamedTuple):
    """Result of mean field for a batch; all arrays belong to the workspace.

    Attributes
    ----------
    Q : (n, n_h) float32
        Means of the latents of a layer.
    bounds : (n,) float64
        Lower bound on log P(x) of each image, nats, with all layers.
    rest : tuple of arrays
        Further arrays from which the gradients are computed.
    above : Field or None
        Result of the next layer up; None for the top layer.
    """

    Q: NDArray[np.float32]
    bounds: NDArray[np.float64]
    rest: tuple[NDArray, ...]
    above: Field | None = None

    @property
    def layers(self) -> tuple[Field, ...]:
        """Results of each layer, the lowest first."""
        return (self,) if self.above is None else (self, *self.above.layers)


@dataclass(frozen=True)
class FieldSystem(NetworkSystem):
    """Training of a sigmoid belief network by means of its latents; a method defines a bound and its
    gradients.

    The recognition network r learns, by the gradient of ``E_q log r(h | x)``, to predict the means at the end
    of the sweeps. Its predictions are the initial means of the next sweeps.

    In a single layer latents are rarely on at first. Adam takes steps of one size: while all latents were on
    half of the time, the weights of a pixel agreed, and its log-odds moved by 3 nats in the first step of 200
    latents.
    """

    start_log_odds: ClassVar[float] = -2.0

    optimiser: Optimiser = declare(OPTIMISER, "adam")
    learning_rate: float = declare(LEARNING_RATE, 0.03)
    momentum: float = declare(MOMENTUM, 0.9)
    n_sweeps: int = declare(
        Integer(
            "Mean-field sweeps",
            "per step",
            "Sweeps over the latents of each image, from the prediction of the recognition network.",
            bounds=COUNT,
            form_most=MAX_STEPS_FORM,
        ),
        2,
    )

    # -- implemented by each method

    @abstractmethod
    def infer(
        self, state: SBNState, X: NDArray[np.float32], Q: Means, n_sweeps: int, learning: bool = False
    ) -> Field:
        """Return the means after so many sweeps from `Q`, (n, n_h) for each layer, modified in place.

        `learning` is True for a step of training, and False for an evaluation of the model.
        """

    @abstractmethod
    def slopes(self, state: SBNState, X: NDArray[np.float32], field: Field, depth: int = 0) -> Arrays:
        """Return the mean slope of the bound over the batch in W, b and d of a layer.

        `X` (n, n_v) are the images, or the means of the layer below; `depth` counts from the lowest, 0. d is
        the prior of the top layer; below it the slope in d is that of the next layer's b.
        """

    # -- training

    def learn(self, state: SBNState, X: NDArray[np.float32], rng: np.random.Generator) -> Learned:
        """Return the gradients at the means of a minibatch, and the minibatch's figures.

        Figures: ``bound``, the mean lower bound on log P(x); ``activity``, the mean of the means;
        ``guess_error``, the mean absolute error of the recognition network's prediction of a mean.
        """
        field, guesses = self.field(state, X, self.n_sweeps, learning=True)
        n, below, seen, found, wrong = len(X), X, X, [], []
        works = layer_workspaces(self.work, len(guesses))
        for depth, (each, guess, work) in enumerate(zip(field.layers, guesses, works, strict=True)):
            along_W, along_b, along_d = self.slopes(state, below, each, depth)
            signal = np.subtract(each.Q, guess, out=work.array("signal", *guess.shape))
            wrong.append(np.abs(signal).sum(axis=1))
            signal /= n
            along_V = np.matmul(seen.T, signal, out=work.array("along_V", seen.shape[1], signal.shape[1]))
            found.append(LayerNetworks(along_W, along_b, along_d, along_V, signal.sum(axis=0)))
            below, seen = each.Q, guess
        figures = {
            "bound": float(field.bounds.mean()),
            "activity": float(field.Q.mean()),
            "guess_error": float(np.mean(sum(wrong)) / sum(guess.shape[1] for guess in guesses)),
        }
        if field.above is not None:
            figures["upper_activity"] = float(field.above.Q.mean())
        return Learned(gradients_of(found), state.signal_means, figures)

    def field(
        self, state: SBNState, X: NDArray[np.float32], n_sweeps: int, learning: bool = False
    ) -> tuple[Field, list[NDArray[np.float32]]]:
        """Return the result of mean field from the recognition network's prediction, and that prediction.

        An upper layer is predicted from the predicted means of the layer below it; (n, n_h) each.
        """
        guesses, Q, below = [], [], X
        for networks, work in zip(state.layers, layer_workspaces(self.work, len(state.layers)), strict=True):
            below = recognise(networks, below, work)[1]
            guesses.append(below)
            Q.append(work.array("Q", *below.shape))
            Q[-1][...] = below
        return self.infer(state, X, Q, n_sweeps, learning), guesses

    # -- inference and evaluation

    def means(self, state: SBNState, X: NDArray, n_sweeps: int) -> tuple[NDArray, NDArray]:
        """Return the means, (n, n_latents), and the bounds, (n,), of images after `n_sweeps` sweeps.

        The means of an upper layer follow those of the layer below it.
        """
        width = sum(len(networks.c) for networks in state.layers)
        Q, bounds = np.empty((len(X), width), np.float32), np.empty(len(X))
        for some, field in self.fields(state, X, n_sweeps):
            bounds[some] = field.bounds
            np.concatenate([each.Q for each in field.layers], axis=1, out=Q[some])
        return Q, bounds

    def fields(self, state: SBNState, X: NDArray, n_sweeps: int) -> Iterator[tuple[slice, Field]]:
        """Yield slices of the images (n, n_v), with the result of mean field for each."""
        for first in range(0, len(X), TOGETHER):
            some = slice(first, first + TOGETHER)
            with one_blas_thread():
                field, _ = self.field(state, as_floats(X[some], self.work), n_sweeps)
            yield some, field

    def validate(self, state: SBNState, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        """Return metrics of held-out images; a higher ``score`` is better.

        ``score``: the bound on log P(x) after `EVALUATION_SWEEPS` sweeps, nats per image. ``wrong_pixels``:
        wrong pixels of the most probable image given the means.
        """
        Q, bounds = self.means(state, X, EVALUATION_SWEEPS)
        wrong = (self.decode(state, Q) > 0.5) != X
        return {"score": float(bounds.mean()), "wrong_pixels": float(wrong.sum(axis=1).mean())}

    def encode(self, state: SBNState, X: NDArray) -> NDArray[np.float32]:
        """Return the means of the latents of each image after `EVALUATION_SWEEPS` sweeps; (n, n_latents)."""
        return self.means(state, X, EVALUATION_SWEEPS)[0]

    def encode_factorised(self, state: SBNState, X: NDArray) -> NDArray[np.float32]:
        """Return the prediction of the recognition network, which is factorised given x; (n, n_latents)."""
        return super().encode(state, X)


@documented
@dataclass(frozen=True)
class MeanFieldSystem(FieldSystem):
    """Training by mean field: coordinate ascent of the means on the tilted bound, then a gradient step.

    :mod:`lrbn_viz.lrbn.means.tilted` derives the bound, and shows that no visit of a unit lowers it. The
    published algorithm sweeps until convergence; this one takes a few sweeps from the prediction of a
    recognition network.
    """

    # Of 200 latents 4 are on at first, so that Adam's first steps agree in few weights. The same by centred
    # means, as variational Bayes has them, is not stable: from pass 4 over 4,700 images of MNIST the bound of
    # held-out ones fell by thousands of nats.
    start_log_odds: ClassVar[float] = -4.0

    n_h: int = declare(LATENT_UNITS, 200)  # the tilted bound is that of one layer
    cauchy_prior: float | None = declare(CAUCHY_PRIOR, None)

    def _step(
        self, state: SBNState, batch: NDArray, rng: np.random.Generator
    ) -> tuple[SBNState, dict[str, float]]:
        """Take a step along the gradients, and one along the slope of the log prior of W."""
        after, figures = super()._step(state, batch, rng)
        strength = self.cauchy_prior
        if strength is None:  # a few hundred images of MNIST were learned by heart without one
            strength = 0.5 if self.optimiser == "adam" else 0.0
        (learned,), W = after.layers, state.layers[0].W
        along = W / (np.float32(1.0) + W * W)
        shrunk = learned.W - np.float32(self._rate(state.n_steps) * strength) * along
        return after._replace(layers=(learned._replace(W=shrunk),)), figures

    def infer(
        self, state: SBNState, X: NDArray[np.float32], Q: Means, n_sweeps: int, learning: bool = False
    ) -> Field:
        """Return the means after so many sweeps from `Q`, (n, n_h) of the one layer, modified in place."""
        (layer,), (means,) = state.layers, Q
        bounds, rest = ascend_tilted(layer.generative, X, means, n_sweeps, self.work)
        return Field(means, bounds, rest)

    def slopes(self, state: SBNState, X: NDArray[np.float32], field: Field, depth: int = 0) -> Arrays:
        """Return the mean slope of the bound over the batch in W, b and d; there is one layer."""
        rows, scales, xi, phi = field.rest
        n = len(X)
        along = self.work.array("along", *rows.shape)
        run_kernel(tilted_slope, along.size * n, rows, scales, X, field.Q, xi, phi, along)
        along /= n
        (layer,) = state.layers
        along_W = self.work.array("along_W", *layer.W.shape)
        along_W[...] = along.T
        along_d = field.Q.mean(axis=0) - sigmoid(layer.d)
        return along_W, (X - phi).mean(axis=0), along_d.astype(np.float32)
