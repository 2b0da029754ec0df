"""A model in one file: a sigmoid belief network of one layer, learned by mean field.

x given h is Bernoulli with log-odds ``a = W h + b``, and latents are independent with log-odds d. Given x
they are held to be independent with means q, of which coordinate ascent raises the bound of Jaakkola
and Jordan on log P(x): with ``lam(xi) = tanh(xi / 2) / (4 xi)`` and ``xi**2 = E[a**2]``,

    log P(x | h) >= sum_i (x_i - 1/2) a_i - lam_i (a_i**2 - xi_i**2) + xi_i / 2 - softplus(xi_i).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import Interval, Real, declare, documented
from lrbn_viz.core.model import LayerParams, TraceMethod
from lrbn_viz.core.system import System
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.training.settings import (
    BATCH_SIZE,
    BINARIZE,
    LATENT_UNITS,
    N_ITER,
    PATIENCE,
    RANDOM_STATE,
    VALIDATION_SIZE,
    VISIBLE,
)

SWEEPS = 30


def lam(xi: NDArray) -> NDArray:
    return np.tanh(xi / 2) / (4 * np.maximum(xi, 1e-12))


def moments(params: LayerParams, Q: NDArray) -> tuple[NDArray, NDArray]:
    """Return the mean and the mean square of each activation, (n, n_v), under means Q (n, n_h)."""
    mean = Q @ params.W.T + params.b
    return mean, mean**2 + (Q * (1 - Q)) @ (params.W**2).T


def bound(params: LayerParams, X: NDArray, Q: NDArray) -> NDArray:
    """Return the lower bound on log P(x) at means Q, nats; (n,)."""
    mean, square = moments(params, Q)
    xi = np.sqrt(square)
    likelihood = ((X - 0.5) * mean + xi / 2 - softplus(xi)).sum(axis=1)
    both = np.concatenate([Q, 1 - Q], axis=1)
    entropy = -(both * np.log(np.clip(both, 1e-300, 1))).sum(axis=1)
    return likelihood + Q @ params.d - softplus(params.d).sum() + entropy


def visit(params: LayerParams, X: NDArray, Q: NDArray, j: int) -> NDArray:
    """Return the log-odds of the mean of latent j that raises the bound most, the others as in Q; (n,)."""
    mean, square = moments(params, Q)
    w, rate = params.W[:, j], lam(np.sqrt(square))
    rest = mean - Q[:, [j]] * w
    return params.d[j] + (X - 0.5) @ w - (rate * (2 * w * rest + w**2)).sum(axis=1)


def means_of(params: LayerParams, X: NDArray, sweeps: int = SWEEPS) -> NDArray[np.float64]:
    """Return the means of the latents of each image, (n, n_h), by sweeps of coordinate ascent."""
    Q = np.full((len(X), len(params.d)), 0.5)
    for _ in range(sweeps):
        for j in range(Q.shape[1]):
            Q[:, j] = sigmoid(visit(params, X, Q, j))
    return Q


@dataclass(frozen=True)
class MeanFieldSystem(System[LayerParams]):
    """How it is trained: means by coordinate ascent, then a step along the gradient of the bound."""

    n_h: int = 8
    learning_rate: float = 0.1

    def init(self, X: NDArray, rng: np.random.Generator) -> LayerParams:
        on = (X.sum(axis=0, dtype=np.float64) + 0.5) / (len(X) + 1)
        W = rng.normal(0, 0.1, (X.shape[1], self.n_h))
        return LayerParams(W, np.log(on) - np.log1p(-on) - W.sum(axis=1) / 2, np.zeros(self.n_h))

    def step(
        self, state: LayerParams, batch: NDArray, rng: np.random.Generator, memory: NDArray | None = None
    ) -> tuple[LayerParams, dict[str, float]]:
        X = batch.astype(np.float64)
        Q = means_of(state, X, 5)
        mean, square = moments(state, Q)
        rate = 2 * lam(np.sqrt(square))
        spread = Q * (1 - Q)
        along_b = X - 0.5 - rate * mean
        along_W = along_b.T @ Q - (rate.T @ spread) * state.W
        step = self.learning_rate / len(X)
        new = LayerParams(
            state.W + step * along_W,
            state.b + step * along_b.sum(axis=0),
            state.d + step * (Q - sigmoid(state.d)).sum(axis=0),
        )
        return new, {"bound": float(bound(state, X, Q).mean()), "units_on": float(Q.mean())}

    def validate(self, state: LayerParams, X: NDArray, rng: np.random.Generator) -> dict[str, float]:
        X = X.astype(np.float64)
        return {"score": float(bound(state, X, means_of(state, X)).mean())}

    def encode(self, state: LayerParams, X: NDArray) -> NDArray:
        return means_of(state, X.astype(np.float64))

    def decode(self, state: LayerParams, H: NDArray) -> NDArray:
        return sigmoid(H @ state.W.T + state.b)

    def sample(self, state: LayerParams, n: int, rng: np.random.Generator) -> NDArray:
        H = rng.random((n, len(state.d))) < sigmoid(state.d)
        return (rng.random((n, len(state.b))) < self.decode(state, H)).astype(np.uint8)


@documented
@dataclass(eq=False, repr=False)
class MeanField(LatentModel):
    """Sigmoid belief network, learned by mean field."""

    short: ClassVar[str] = "MF"
    draws_passes: ClassVar[bool] = True
    methods: ClassVar[Mapping[str, str]] = {"mean-field": "mean field"}
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        "mean-field": TraceMethod("mean field", {}, True, start="every mean a half")
    }
    likelihoods: ClassVar[tuple[str, ...]] = ("exact", "map_bound", "csl", "importance")

    n_components: int = declare(LATENT_UNITS, 8)
    _: KW_ONLY
    visible: str = declare(VISIBLE, "bernoulli")
    binarize: float | None = declare(BINARIZE)
    learning_rate: float = declare(
        Real("Learning rate", None, "Step along the gradient of the bound.", bounds=Interval(0, np.inf)), 0.1
    )
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 5)
    validation_size: int = declare(VALIDATION_SIZE, 100)
    patience: int | None = declare(PATIENCE)
    random_state: Any = declare(RANDOM_STATE)

    def check_settings(self) -> None:
        super().check_settings()
        if self.visible != "bernoulli":
            raise ValueError(f"visible must be 'bernoulli' for mean field; got {self.visible!r}.")

    def make_system(self) -> MeanFieldSystem:
        return MeanFieldSystem(self.n_components, self.learning_rate)

    def infer(self, X: ArrayLike, *, method: str = "mean-field", **_: Any) -> tuple[NDArray, ...]:
        return (means_of(self.params_, self.check_images(X)),)

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        a = H[0] @ self.layers[0].W.T + self.layers[0].b
        prior = H[0] @ self.layers[0].d - softplus(self.layers[0].d).sum()
        return (X * a - softplus(a)).sum(axis=1) + prior

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        images = self.check_images(X)
        return bound(self.params_, images, means_of(self.params_, images))

    def pass_probabilities(self, x: NDArray | None) -> NDArray[np.float64]:
        return sigmoid(self.layers[0].d)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        return prior - softplus(-np.abs(a)).sum(axis=-1) - softplus(self.layers[0].d).sum()

    def map_trace(self, x: ArrayLike, **_: Any) -> ICMTrace:
        image, n = self.check_image(x), self.n_latents_
        Q, rows = np.full((1, n), 0.5), []
        start = float(bound(self.params_, image[None], Q)[0])
        for sweep in range(SWEEPS):
            before = Q.copy()
            for j in range(n):
                odds = float(visit(self.params_, image[None], Q, j)[0])
                mean = float(sigmoid(np.array(odds)))
                moved = abs(mean - Q[0, j]) > 1e-3
                Q[0, j] = mean
                rows.append((j, mean, moved, odds, float(bound(self.params_, image[None], Q)[0]), sweep))
            if converged := bool(np.abs(Q - before).max() < 1e-3):
                break
        unit, after, flipped, log_odds, log_joint, sweeps = zip(*rows, strict=True)
        return ICMTrace(
            x=image.astype(np.uint8),
            h0=np.full(n, 0.5),
            log_joint0=start,
            unit=np.array(unit, np.int32),
            after=np.array(after),
            flipped=np.array(flipped),
            log_odds=np.array(log_odds),
            log_joint=np.array(log_joint),
            sweep=np.array(sweeps, np.int32),
            converged=converged,
            visible="bernoulli",
            model="directed",
            sampled=False,
            **self.params_._asdict(),
        )
