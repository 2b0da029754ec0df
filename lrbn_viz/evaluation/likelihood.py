"""log P(x) of held-out images, by several estimators that say what they are: exact, a bound, or neither."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.baselines.rbm import MAX_ENUMERATED, free_energy, log_partition
from lrbn_viz.estimators import LRBN, RBM, DeepLRBN
from lrbn_viz.evaluation import sampling
from lrbn_viz.evaluation.partition import partition_weights
from lrbn_viz.lrbn.ais import log_weights, schedule
from lrbn_viz.lrbn.deep import Layers, log_joint_deep
from lrbn_viz.lrbn.exact import MAX_EXACT
from lrbn_viz.lrbn.model import Start
from lrbn_viz.validation import check_choice, check_integer, generator

Method = Literal["exact", "map_bound", "csl", "ais", "importance"]
Bound = Literal["exact", "lower", "upper"]

Progress = sampling.Progress

ROWS = 2048
"""Chains that run at a time: their pixel probabilities take 20 MB in single precision."""


@dataclass(frozen=True, eq=False)
class LogLikelihood:
    """Estimates of log P(x), and how they were made.

    Attributes
    ----------
    values : (n,) float64
        One per image, nats.
    method : str
    bound : {"exact", "lower", "upper"}
        What the values are in expectation.
    estimator_error : float
        Standard error of `mean` due to the estimator's own random draws, nats; 0 where there are none.
    effective_sample_size : (n,) float64, or float, or None
        ``(sum w)**2 / sum w**2`` of the weights behind a value (of all values, for an RBM; of one repetition
        in the mean, for CSL, whose weights are P(x | h)). None where nothing is weighed.
    settings : dict
        Numbers of samples, temperatures, chains, and `random_state`, as used; "given" stands for a generator.
    curve : (sizes (k,), means (n_repetitions, k)) or None
        For CSL: the mean over images as the number of samples grows.
    """

    values: NDArray[np.float64]
    method: Method
    bound: Bound
    estimator_error: float = 0.0
    effective_sample_size: NDArray[np.float64] | float | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    curve: tuple[NDArray[np.int64], NDArray[np.float64]] | None = None

    @property
    def mean(self) -> float:
        """Mean over the images, nats."""
        return float(self.values.mean())

    @property
    def standard_error(self) -> float:
        """Standard error of `mean` as an estimate for all images of the kind: of the images' own spread."""
        return float(self.values.std(ddof=1) / np.sqrt(len(self.values))) if len(self.values) > 1 else 0.0

    def __str__(self) -> str:
        sign = {"exact": "=", "lower": ">=", "upper": "<="}[self.bound]
        return (
            f"log P(x) {sign} {self.mean:.2f} nats ({self.method}, {len(self.values)} images, standard error "
            f"{self.standard_error:.2f}, of which the estimator's own {self.estimator_error:.3f})"
        )


def part_of(progress: Progress | None, done: float, share: float) -> Progress | None:
    """Return what reports a part's progress as the whole's: `done` before it, of which it is `share`."""
    return None if progress is None else lambda part: progress(done + share * part)


def _mean_weight(weights: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return ``log mean exp`` over the first axis, its effective sample sizes, the error of their mean."""
    top = weights.max(axis=0)
    relative = np.exp(weights - top)
    mean = relative.mean(axis=0)
    size = relative.sum(axis=0) ** 2 / np.square(relative).sum(axis=0)
    n = len(weights)
    # delta method: the relative error of the mean weight is the error of its logarithm
    errors = relative.std(axis=0, ddof=1) / (mean * np.sqrt(n)) if n > 1 else np.full(top.shape, np.nan)
    error = float(np.sqrt(np.square(errors).sum()) / max(errors.size, 1))
    return top + np.log(mean), size, error


def log_likelihood(
    model: LRBN | RBM | DeepLRBN,
    X: ArrayLike,
    *,
    method: Method = "ais",
    n_samples: int | None = None,
    n_temperatures: int = 1000,
    n_chains: int = 1,
    n_repetitions: int = 1,
    n_sweeps: int = 0,
    random_state: Any = 0,
    progress: Progress | None = None,
) -> LogLikelihood:
    """Estimate log P(x) of every image.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    X : (n, n_v) array
    method : {"exact", "map_bound", "csl", "ais", "importance"}
        "exact" sums over all states (at most 20 latents). "map_bound" is ``max_h log P(x, h)`` as ICM finds
        it, a lower bound. "csl" is the paper's: ``log mean P(x | h)`` over samples of the prior; a lower
        bound in expectation, and a poor one at hundreds of units. "ais" anneals from prior to posterior, a
        lower bound in expectation; of an RBM it estimates the partition function, and the values are upper
        bounds in expectation. "importance" draws latents from the pseudo-likelihood conditionals at the MAP
        state.
    n_samples : int, optional
        For "csl" (100,000) and "importance" (200).
    n_temperatures, n_chains : int
        For "ais": steps of each chain, and chains per image (or in all, for an RBM: at least 100).
    n_repetitions : int
        For "csl": independent repetitions; `values` are of their mean, the curve holds each.
    n_sweeps : int
        Annealing sweeps before ICM, for "map_bound" and "importance".
    random_state : int, Generator or None
    progress : callable, optional
        Told the share that is done.

    Raises
    ------
    ValueError
        An image does not fit the model, a setting is out of range, or the model is too large for "exact".

    Notes
    -----
    Equation: (25) for "csl".
    """
    check_choice(method, "method", get_args(Method))
    for name, value in (("n_temperatures", n_temperatures), ("n_chains", n_chains)):
        check_integer(value, name, 1)
    check_integer(n_repetitions, "n_repetitions", 1)
    check_integer(n_sweeps, "n_sweeps", 0)
    if n_samples is not None:
        check_integer(n_samples, "n_samples", 1)
    images = model._images(X)
    rng = generator(random_state)
    if isinstance(model, RBM):
        found = _of_rbm(model, images, method, n_temperatures, n_chains, rng, progress)
    else:
        found = _of_lrbn(
            model, images, method, n_samples, n_temperatures, n_chains, n_repetitions, n_sweeps, rng, progress
        )
    if method != "exact":
        found.settings["random_state"] = told_seed(random_state)
    return found


def told_seed(random_state: Any) -> Any:
    """Return a seed as settings tell it: what is no number cannot be told, so that it is merely "given"."""
    return random_state if random_state is None or isinstance(random_state, Integral) else "given"


def _of_lrbn(
    model: LRBN | DeepLRBN,
    images: NDArray,
    method: Method,
    n_samples: int | None,
    n_temperatures: int,
    n_chains: int,
    n_repetitions: int,
    n_sweeps: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> LogLikelihood:
    layers: Layers = model._layers()
    if method == "exact":
        return LogLikelihood(_enumerated(layers, model.visible, images), method, "exact")
    if method == "csl":
        return _csl(layers, model, images, n_samples or 100_000, n_repetitions, rng, progress)
    if method == "ais":
        return _ais(layers, model, images, n_temperatures, n_chains, rng, progress)
    H = sampling.map_states(layers, model.visible, images, cast("Start", model.init), n_sweeps, rng)
    if method == "map_bound":
        values = log_joint_deep(layers, model.visible, images, H)
        return LogLikelihood(values, method, "lower", settings={"n_sweeps": n_sweeps})
    n = n_samples or 200
    proposal = sampling.conditionals(layers, model.visible, images, H)
    weights = sampling.importance(layers, model.visible, images, proposal, n, rng, progress)
    values, size, error = _mean_weight(weights)
    settings = {"n_samples": n, "n_sweeps": n_sweeps}
    return LogLikelihood(values, method, "lower", error, size, settings)


def _enumerated(layers: Layers, visible: Any, X: NDArray) -> NDArray[np.float64]:
    widths = [params.n_h for params in layers]
    if sum(widths) > MAX_EXACT:
        raise ValueError(
            f'method="exact" sums over 2**n_h states: expected at most {MAX_EXACT} latents, got '
            f'{sum(widths)}. Use method="ais".'
        )
    values = np.full(len(X), -np.inf)
    n_states = 2 ** sum(widths)
    for first in range(0, n_states, 1 << 14):
        numbers = np.arange(first, min(first + (1 << 14), n_states))
        codes = ((numbers[:, None] >> np.arange(sum(widths))) & 1).astype(np.uint8)
        H = np.split(codes, np.cumsum(widths)[:-1], axis=1)
        for m, x in enumerate(X):
            joint = log_joint_deep(layers, visible, np.broadcast_to(x, (len(codes), len(x))), H)
            values[m] = np.logaddexp(values[m], np.logaddexp.reduce(joint))
    return values


def _csl(
    layers: Layers,
    model: LRBN | DeepLRBN,
    X: NDArray,
    n_samples: int,
    n_repetitions: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> LogLikelihood:
    sizes = [*(10**power for power in range(2, 9) if 10**power < n_samples), n_samples]
    curves, last, effective = [], [], []
    for repetition in range(n_repetitions):
        told = part_of(progress, repetition / n_repetitions, 1.0 / n_repetitions)
        curve, size = sampling.conservative(layers, model.visible, X, sizes, rng, told)
        curves.append(curve.mean(axis=1))
        last.append(curve[-1])
        effective.append(size)
    values = np.mean(last, axis=0)
    means = np.array(curves)
    error = float(means[:, -1].std(ddof=1) / np.sqrt(n_repetitions)) if n_repetitions > 1 else float("nan")
    settings = {"n_samples": n_samples, "n_repetitions": n_repetitions}
    size = np.mean(effective, axis=0)
    return LogLikelihood(values, "csl", "lower", error, size, settings, (np.array(sizes), means))


def _ais(
    layers: Layers,
    model: LRBN | DeepLRBN,
    X: NDArray,
    n_temperatures: int,
    n_chains: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> LogLikelihood:
    rows = np.repeat(np.arange(len(X)), n_chains)
    weights = np.empty(len(rows))
    betas = schedule(n_temperatures)
    for first in range(0, len(rows), ROWS):
        part = slice(first, min(first + ROWS, len(rows)))
        told = part_of(progress, first / len(rows), (part.stop - first) / len(rows))
        weights[part] = log_weights(
            layers, model.visible, X[rows[part]], betas, rng, dtype=np.float32, progress=told
        )
    values, size, error = _mean_weight(weights.reshape(len(X), n_chains).T)
    settings = {"n_temperatures": n_temperatures, "n_chains": n_chains}
    return LogLikelihood(values, "ais", "lower", error, size, settings)


def _of_rbm(
    model: RBM,
    X: NDArray,
    method: Method,
    n_temperatures: int,
    n_chains: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> LogLikelihood:
    free = -free_energy(model.params_, X, model.visible)
    if method == "exact":
        return LogLikelihood(free - log_partition(model.params_, model.visible), method, "exact")
    if method != "ais":
        raise ValueError(
            f'an RBM has no normalised joint, so method must be "ais", or "exact" with a layer of at most '
            f"{MAX_ENUMERATED} units; got {method!r}."
        )
    n_chains = max(n_chains, 100)
    weights = partition_weights(
        model.params_, model.visible, np.linspace(0.0, 1.0, n_temperatures + 1), n_chains, rng, progress
    )
    log_z, size, error = _mean_weight(weights)
    settings = {"n_temperatures": n_temperatures, "n_chains": n_chains, "log_partition": float(log_z)}
    return LogLikelihood(free - log_z, method, "upper", error, float(size), settings)
