"""Estimators of log P(x) of held-out images: exact values, bounds, and other estimates."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.chunks import ROWS, Pool, map_images
from lrbn_viz.core.model import Model
from lrbn_viz.core.posterior import MAX_EXACT, NORMALISER_CHAINS
from lrbn_viz.core.validation import check_choice, check_integer, generator
from lrbn_viz.measure import sampling

Method = Literal["exact", "map_bound", "csl", "variational", "ais", "raise", "importance"]
Bound = Literal["exact", "lower", "upper", "neither"]

Progress = sampling.Progress


@dataclass(frozen=True, eq=False)
class LogLikelihood:
    """Estimates of log P(x), and how they were made.

    Attributes
    ----------
    values : (n,) float64
        One per image, nats.
    method : str
    bound : {"exact", "lower", "upper", "neither"}
        Kind of bound in expectation; for "raise" see :func:`log_likelihood`. Values of kind "neither" have
        errors in both directions.
    estimator_error : float
        Standard error of `mean` due to the estimator's own random draws, nats; 0 if there are none.
    effective_sample_size : (n,) float64, or float, or None
        ``(sum w)**2 / sum w**2`` of the weights behind a value (of all values, for an RBM; of one repetition
        in the mean, for CSL, whose weights are P(x | h)). None if there are no weights.
    settings : dict
        Numbers of samples, temperatures, chains, and `random_state`, as used; "given" stands for a generator.
    curve : (sizes (k,), means (n_repetitions, k)) or None
        For CSL: the mean over images as the number of samples grows.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> found = lrbn_viz.measure.log_likelihood(model, X, method="map_bound")
    >>> found.values.shape, found.bound, bool(found.mean == found.values.mean())
    ((5,), 'lower', True)
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
        sign = {"exact": "=", "lower": ">=", "upper": "<=", "neither": "~"}[self.bound]
        return (
            f"log P(x) {sign} {self.mean:.2f} nats ({self.method}, {len(self.values)} images, standard error "
            f"{self.standard_error:.2f}, of which the estimator's own {self.estimator_error:.3f})"
        )


def part_of(progress: Progress | None, done: float, share: float) -> Progress | None:
    """Return a callback that reports a part's progress as the whole's: `done` before it, of which it is
    `share`.
    """
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
    model: Model,
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
    pool: Pool | None = None,
) -> LogLikelihood:
    """Estimate log P(x) of every image.

    Parameters
    ----------
    model : Model
        Its ``likelihoods`` name the estimators that apply.
    X : (n, n_v) array
    method : {"exact", "map_bound", "csl", "variational", "ais", "raise", "importance"}
        "exact" sums over all states (at most 20 latents). "map_bound" is ``max_h log P(x, h)`` as ICM finds
        it, a lower bound. "csl" is the paper's: ``log mean P(x | h)`` over samples of the prior; a lower
        bound in expectation, and a poor one at hundreds of units. "variational" is the bound by means of
        independent latents, as mean field finds them in a deep Boltzmann machine: a lower bound if the
        normaliser is summed exactly; if it is annealed, no bound. "ais" anneals from prior to posterior, a
        lower bound in expectation; for an RBM it estimates the partition function, and the values are upper
        bounds in expectation. For a deep Boltzmann machine whose latents cannot be summed out, both the
        normaliser and each image's unnormalised P(x) are annealed; their errors have opposite effects, so
        that the values are not bounds. "raise" anneals an RBM back from each image: a lower bound in
        expectation on log P(x) of the model that annealing draws from. For images that the RBM itself draws,
        its mean is therefore a lower bound in expectation; for others that is not certain. "importance" draws
        latents from the model's proposal, the pseudo-likelihood conditionals at the MAP state or a
        recognition network: a lower bound in expectation, with one sample the variational bound. For a deep
        belief network this holds up to the normaliser of the RBM on top, which is summed exactly if one of
        its layers has at most 20 units. Otherwise it is annealed; modes that it misses raise the values, so
        that they are not bounds.
    n_samples : int, optional
        For "csl" (100,000) and "importance" (200).
    n_temperatures, n_chains : int
        For "ais" and "raise", and for a normaliser in "variational" and "importance": steps of each chain,
        and chains per image (for a normaliser in all, at least 100).
    n_repetitions : int
        For "csl": independent repetitions; `values` are of their mean, the curve holds each.
    n_sweeps : int
        Annealing sweeps before ICM, for "map_bound" and for "importance" at the MAP state.
    random_state : int, Generator or None
    progress : callable, optional
        Called with the finished share.
    pool : Pool, optional
        The pool that works on pieces of images, such as a :class:`lrbn_viz.cluster.Cluster`; this process
        when None. The values are the same, bit for bit. A normaliser is always estimated in this process.

    Raises
    ------
    ValueError
        An image does not fit the model, a setting is out of range, or the model is too large for "exact".

    Notes
    -----
    Equation: (25) for "csl".

    References
    ----------
    "ais" of an RBM: Salakhutdinov and Murray (2008), On the quantitative analysis of deep belief networks.
    "variational": Salakhutdinov and Hinton (2009), Deep Boltzmann machines.
    "raise": Burda, Grosse and Salakhutdinov (2015), Accurate and conservative estimates of MRF log-likelihood
    using reverse annealing.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> from lrbn_viz.measure import log_likelihood
    >>> exact = log_likelihood(model, X, method="exact")
    >>> annealed = log_likelihood(model, X, method="ais", n_temperatures=100)
    >>> exact.bound, annealed.bound, bool(abs(exact.mean - annealed.mean) < 2)
    ('exact', 'lower', True)
    """
    check_choice(method, "method", get_args(Method))
    for name, value in (("n_temperatures", n_temperatures), ("n_chains", n_chains)):
        check_integer(value, name, 1)
    check_integer(n_repetitions, "n_repetitions", 1)
    check_integer(n_sweeps, "n_sweeps", 0)
    if n_samples is not None:
        check_integer(n_samples, "n_samples", 1)
    images = model.check_images(X)
    if method not in model.likelihoods:
        raise ValueError(
            f"{type(model).__name__} has no normalised joint, or no samples of its prior, so method must be "
            f"one of {', '.join(map(repr, model.likelihoods))}; got {method!r}."
        )
    rng = generator(random_state)
    if method == "exact":
        # a model that is too large says so first, in words of its own
        values = map_images(_marginal, images, rng, model, pool=pool)
        return LogLikelihood(np.concatenate(values) - _exact_normaliser(model), method, "exact")
    if method == "csl":
        found = _csl(model, images, n_samples or 100_000, n_repetitions, rng, progress, pool)
    elif method == "variational":
        values = map_images(_variational, images, rng, model, pool=pool)
        found = LogLikelihood(np.concatenate(values), method, "lower")
        if model.graph != "directed":
            found = _normalised(found, model, n_temperatures, n_chains, rng)
    elif method == "ais" and model.graph != "directed" and model.sums_out_latents:
        found = _ais_of_normaliser(model, images, n_temperatures, n_chains, rng, progress)
    elif method in ("ais", "raise"):
        found = _annealed(model, images, method, n_temperatures, n_chains, rng, progress, pool)
        if method == "ais" and model.graph != "directed":
            found = _normalised(found, model, n_temperatures, n_chains, rng)
    else:
        found = _from_latents(model, images, method, n_samples or 200, n_sweeps, rng, progress, pool)
        if model.graph != "directed":
            found = _normalised(found, model, n_temperatures, n_chains, rng)
    found.settings["random_state"] = seed_setting(random_state)
    return found


def seed_setting(random_state: Any) -> Any:
    """Return a seed for the settings of an estimate: a generator is recorded as "given"."""
    return random_state if random_state is None or isinstance(random_state, Integral) else "given"


def _exact_normaliser(model: Model) -> float:
    found = model.log_normaliser()
    if found is None:
        raise ValueError(
            'method="exact" needs the normaliser, which is summed over the states of a layer of at most '
            f"{MAX_EXACT} units; expected such a layer, got n_v = {model.n_visible_} and n_h = "
            f'{model.n_latents_}. Use method="ais".'
        )
    return found


# The computation for a piece of images, possibly in another process.


def _marginal(
    X: NDArray, rng: np.random.Generator, model: Model, progress: Progress | None = None
) -> NDArray[np.float64]:
    return model.log_marginal(X)


def _variational(
    X: NDArray, rng: np.random.Generator, model: Model, progress: Progress | None = None
) -> NDArray[np.float64]:
    return model.variational_bound(X)


def _joint_at_map(
    X: NDArray, rng: np.random.Generator, model: Model, n_sweeps: int, progress: Progress | None = None
) -> NDArray[np.float64]:
    return model.joint(X, model.map_states(X, n_sweeps, rng))


def _importance(
    X: NDArray,
    rng: np.random.Generator,
    model: Model,
    n_samples: int,
    n_sweeps: int,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    proposal = model.proposal(X, n_sweeps, rng)
    return sampling.importance(model, X, proposal, n_samples, rng, progress)


def _conservative(
    X: NDArray, rng: np.random.Generator, model: Model, sizes: list[int], progress: Progress | None = None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return sampling.conservative(model, X, sizes, rng, progress)


def _chains(
    X: NDArray,
    rng: np.random.Generator,
    model: Model,
    method: Literal["ais", "raise"],
    n_temperatures: int,
    n_chains: int,
    progress: Progress | None = None,
) -> NDArray[np.float64]:
    """Return the log weights of so many chains of each image; (n_chains, n)."""
    weigh = model.annealed_weights if method == "ais" else model.reverse_weights
    weights = weigh(np.repeat(X, n_chains, axis=0), n_temperatures, rng, progress=progress)
    return weights.reshape(len(X), n_chains).T


def _from_latents(
    model: Model,
    X: NDArray,
    method: Method,
    n_samples: int,
    n_sweeps: int,
    rng: np.random.Generator,
    progress: Progress | None,
    pool: Pool | None,
) -> LogLikelihood:
    """Return the joint at the MAP states, or importance sampling from the model's proposal."""
    if method == "map_bound":
        values = map_images(_joint_at_map, X, rng, model, n_sweeps, pool=pool)
        return LogLikelihood(np.concatenate(values), method, "lower", settings={"n_sweeps": n_sweeps})
    weights = map_images(_importance, X, rng, model, n_samples, n_sweeps, pool=pool, progress=progress)
    values, size, error = _mean_weight(np.concatenate(weights, axis=1))
    settings = {"n_samples": n_samples, "n_sweeps": n_sweeps}
    return LogLikelihood(values, method, "lower", error, size, settings)


def _normalised(
    found: LogLikelihood, model: Model, n_temperatures: int, n_chains: int, rng: np.random.Generator
) -> LogLikelihood:
    """Return estimates of an unnormalised P(x) less the normaliser's logarithm, exact or annealed."""
    log_z, error, bound, settings = model.log_normaliser(), 0.0, found.bound, dict(found.settings)
    if log_z is None:
        log_z, _, error, more = _log_normaliser(model, n_temperatures, n_chains, rng, None)
        bound, settings = "neither", settings | more
    return replace(
        found,
        values=found.values - log_z,
        bound=bound,
        estimator_error=float(np.hypot(found.estimator_error, error)),
        settings=settings | {"log_partition": log_z},
    )


def _csl(
    model: Model,
    X: NDArray,
    n_samples: int,
    n_repetitions: int,
    rng: np.random.Generator,
    progress: Progress | None,
    pool: Pool | None,
) -> LogLikelihood:
    sizes = [*(10**power for power in range(2, 9) if 10**power < n_samples), n_samples]
    curves, last, effective = [], [], []
    for repetition in range(n_repetitions):
        report = part_of(progress, repetition / n_repetitions, 1.0 / n_repetitions)
        # All images share the samples: in this process these are drawn once, elsewhere once for each piece.
        rows = len(X) if pool is None else ROWS
        parts = map_images(
            _conservative, X, rng, model, sizes, rows=rows, pool=pool, progress=report, alike=True
        )
        curve, size = (np.concatenate(part, axis=-1) for part in zip(*parts, strict=True))
        curves.append(curve.mean(axis=1))
        last.append(curve[-1])
        effective.append(size)
    values = np.mean(last, axis=0)
    means = np.array(curves)
    error = float(means[:, -1].std(ddof=1) / np.sqrt(n_repetitions)) if n_repetitions > 1 else float("nan")
    settings = {"n_samples": n_samples, "n_repetitions": n_repetitions}
    size = np.mean(effective, axis=0)
    return LogLikelihood(values, "csl", "lower", error, size, settings, (np.array(sizes), means))


def _annealed(
    model: Model,
    X: NDArray,
    method: Literal["ais", "raise"],
    n_temperatures: int,
    n_chains: int,
    rng: np.random.Generator,
    progress: Progress | None,
    pool: Pool | None,
) -> LogLikelihood:
    """Return an estimate by chains of each image: from the prior to its posterior, or back from it."""
    how = (model, method, n_temperatures, n_chains)
    rows = max(1, ROWS // n_chains)
    weights = map_images(_chains, X, rng, *how, rows=rows, pool=pool, progress=progress)
    values, size, error = _mean_weight(np.concatenate(weights, axis=1))
    settings = {"n_temperatures": n_temperatures, "n_chains": n_chains}
    return LogLikelihood(values, method, "lower", error, size, settings)


def _ais_of_normaliser(
    model: Model,
    X: NDArray,
    n_temperatures: int,
    n_chains: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> LogLikelihood:
    unnormalised = model.log_marginal(X)
    log_z, size, error, settings = _log_normaliser(model, n_temperatures, n_chains, rng, progress)
    return LogLikelihood(unnormalised - log_z, "ais", "upper", error, size, settings)


def _log_normaliser(
    model: Model,
    n_temperatures: int,
    n_chains: int,
    rng: np.random.Generator,
    progress: Progress | None,
) -> tuple[float, float, float, dict[str, Any]]:
    """Return log Z by AIS, its effective sample size, its standard error and its settings."""
    n_chains = max(n_chains, NORMALISER_CHAINS)
    log_z, size, error = _mean_weight(model.annealed_normaliser(n_temperatures, n_chains, rng, progress))
    settings = {"n_temperatures": n_temperatures, "n_chains": n_chains, "log_partition": float(log_z)}
    return float(log_z), float(size), error, settings
