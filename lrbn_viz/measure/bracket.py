"""log P(x) from below and from above: how far an estimate can be off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import Model, NotOffered
from lrbn_viz.core.posterior import MAX_EXACT
from lrbn_viz.core.validation import check_integer, generator
from lrbn_viz.measure.likelihood import LogLikelihood, log_likelihood, part_of, seed_setting
from lrbn_viz.measure.sampling import importance


@dataclass(frozen=True, eq=False)
class AISBracket:
    """log P(x) of images by annealing both ways, as :func:`ais_bracket` and :func:`raise_bracket` find it.

    Attributes
    ----------
    X : (n, n_v)
        The images.
    lower : LogLikelihood
        Directed model: from the prior to the posterior, a lower bound in expectation. Undirected: "raise".
    upper : LogLikelihood
        An upper bound in expectation. Directed model: back from the latents that each image was drawn with,
        an exact sample of its posterior. Undirected: AIS of the normaliser.

    Examples
    --------
    >>> import lrbn_viz
    >>> bracket = lrbn_viz.measure.ais_bracket(lrbn_viz.pretrained("lrbn-12-digits"), 5, n_temperatures=50)
    >>> bracket.X.shape, bracket.lower.bound, bracket.upper.bound
    ((5, 64), 'lower', 'upper')
    """

    X: NDArray
    lower: LogLikelihood
    upper: LogLikelihood

    @property
    def width(self) -> NDArray[np.float64]:
        """Upper minus lower of each image, nats; (n,).

        For images that the model draws, its mean is not negative in expectation.
        """
        return self.upper.values - self.lower.values

    def __str__(self) -> str:
        error = self.width.std(ddof=1) / np.sqrt(len(self.X)) if len(self.X) > 1 else 0.0
        images = f"{len(self.X)} images"
        if self.lower.method == "importance":
            how = f"importance sampling both ways, {images} drawn from the model"
        elif self.lower.method == self.upper.method:
            how = f"ais both ways, {images} drawn from the model"
        else:
            how = f"raise and ais, {images}"
            error = np.hypot(error, self.upper.estimator_error)  # of the normaliser, which all images share
        return (
            f"{self.lower.mean:.2f} <= log P(x) <= {self.upper.mean:.2f} nats ({how}, width "
            f"{self.width.mean():.2f}, its standard error {error:.2f})"
        )


def ais_bracket(
    model: Model,
    n_images: int = 100,
    *,
    n_temperatures: int = 1000,
    random_state: Any = 0,
    progress: Callable[[float], None] | None = None,
) -> AISBracket:
    """Bound log P(x) of images drawn from the model from both sides.

    The width of the bracket tells how far chains so long can be off for this model; on other images, which
    are less typical of it, they may be further.

    Parameters
    ----------
    model : Model
        Directed: one that draws an image together with its latents exactly.
    n_images : int
    n_temperatures : int
        Steps of each chain; one chain each way per image.
    random_state : int, Generator or None
    progress : callable, optional
        Called with the share that is done.

    Raises
    ------
    NotOffered
        The model cannot draw an image together with its latents exactly: an RBM.
    ValueError
        A setting is out of range.

    References
    ----------
    Grosse, Ghahramani and Adams (2015), Sandwiching the marginal likelihood using bidirectional Monte Carlo.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-12-digits")
    >>> bracket = lrbn_viz.measure.ais_bracket(model, 20, n_temperatures=300)
    >>> exact = lrbn_viz.measure.log_likelihood(model, bracket.X, method="exact").mean
    >>> bool(abs(bracket.lower.mean - exact) < 2), bool(abs(bracket.upper.mean - exact) < 2)
    (True, True)
    """
    if model.graph != "directed":
        raise NotOffered(
            f"expected a directed model, which draws an image and its latents exactly; got "
            f"{type(model).__name__}. Use raise_bracket for an RBM."
        )
    check_integer(n_images, "n_images", 1)
    check_integer(n_temperatures, "n_temperatures", 1)
    rng = generator(random_state)
    X, H = model.sample_joint(n_images, rng)
    how = (X.astype(np.float64), n_temperatures, rng)
    lower = model.annealed_weights(*how, progress=part_of(progress, 0.0, 0.5))
    upper = model.annealed_weights(*how, posterior=H, progress=part_of(progress, 0.5, 0.5))
    settings = {"n_temperatures": n_temperatures, "n_chains": 1, "random_state": seed_setting(random_state)}
    alone = np.ones(n_images)  # chains per image
    return AISBracket(
        X,
        LogLikelihood(lower, "ais", "lower", float("nan"), alone, settings),
        LogLikelihood(upper, "ais", "upper", float("nan"), alone, settings),
    )


def raise_bracket(
    model: Model,
    X: ArrayLike,
    *,
    n_temperatures: int = 1000,
    n_chains: int = 1,
    random_state: Any = 0,
    progress: Callable[[float], None] | None = None,
) -> AISBracket:
    """Estimate log P(x) of images by RAISE, from below, and by AIS of the normaliser, from above.

    AIS finds too small a normaliser where its chains miss a mode, and then log P(x) is too high, with nothing
    to tell it. RAISE errs the other way. If both agree, the value is known.

    Parameters
    ----------
    model : Model
        Undirected, such as an RBM.
    X : (n, n_v) array
    n_temperatures : int
        Steps of each chain.
    n_chains : int
        Chains per image of RAISE, and in all of AIS, there at least 100.
    random_state : int, Generator or None
    progress : callable, optional
        Called with the share that is done.

    Raises
    ------
    NotOffered
        RAISE does not apply to the model.
    ValueError
        An image does not fit the model, or a setting is out of range.

    References
    ----------
    Burda, Grosse and Salakhutdinov (2015), Accurate and conservative estimates of MRF log-likelihood using
    reverse annealing.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("rbm-16-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> bracket = lrbn_viz.measure.raise_bracket(model, X, n_temperatures=300)
    >>> bracket.lower.method, bracket.upper.method, bool(bracket.lower.mean < bracket.upper.mean)
    ('raise', 'ais', True)
    """
    if "raise" not in model.likelihoods:
        raise NotOffered(
            f"expected an undirected model, such as an RBM; got {type(model).__name__}. Use ais_bracket."
        )
    how: dict[str, Any] = {"n_temperatures": n_temperatures, "n_chains": n_chains}
    how["random_state"] = random_state
    lower = log_likelihood(model, X, method="raise", progress=part_of(progress, 0.0, 0.5), **how)
    upper = log_likelihood(model, X, method="ais", progress=part_of(progress, 0.5, 0.5), **how)
    return AISBracket(model.check_images(X), lower, upper)


class NormaliserBounds(NamedTuple):
    """log Z of a model between two estimates, nats.

    Attributes
    ----------
    lower : float
        The estimate by AIS, below log Z in expectation.
    upper : float
        The mean of what annealing back from draws of the model gives, above log Z in expectation where these
        are exact.
    error : float
        Standard error of `upper`, of the draws and their chains.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DBN((8, 4), n_iter=5, random_state=0).fit(X)
    >>> _, normaliser = lrbn_viz.measure.importance_bracket(model, 20, n_samples=50, n_temperatures=50)
    >>> bool(abs(normaliser.upper - normaliser.lower) < 5), normaliser.error > 0
    (True, True)
    """

    lower: float
    upper: float
    error: float


def importance_bracket(
    model: Model,
    n_images: int = 100,
    *,
    n_samples: int = 1000,
    n_temperatures: int = 1000,
    random_state: Any = 0,
    progress: Callable[[float], None] | None = None,
) -> tuple[AISBracket, NormaliserBounds]:
    """Bound log P(x) of images drawn from a deep belief network from both sides, and log Z.

    Importance sampling errs downwards in expectation. With the latents that the image was drawn from in the
    place of one of its draws it errs upwards: they are a draw from the posterior. From the first log Z is
    taken as annealing back has it, from the second as AIS does. Both sides are bounds in expectation as far
    as the chains that draw the images have mixed.

    Parameters
    ----------
    model : Model
        One that draws images with their latents, and whose normaliser is annealed from both sides.
    n_images : int
    n_samples : int
        Draws of each image's latents.
    n_temperatures : int
        Steps of each chain of log Z; at least 100 chains of AIS, one back from each drawn image.
    random_state : int, Generator or None
    progress : callable, optional
        Called with the share that is done.

    Raises
    ------
    NotOffered
        The model has no normaliser that is annealed from both sides.
    ValueError
        A setting is out of range.

    References
    ----------
    Grosse, Ghahramani and Adams (2015), Sandwiching the marginal likelihood using bidirectional Monte Carlo.

    Examples
    --------
    >>> import lrbn_viz
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> model = lrbn_viz.DBN((8, 4), n_iter=5, random_state=0).fit(X)
    >>> bracket, normaliser = lrbn_viz.measure.importance_bracket(model, 5, n_samples=50, n_temperatures=50)
    >>> bracket.X.shape, bracket.lower.method
    ((5, 64), 'importance')
    """
    for name, value, least in (("n_images", n_images, 1), ("n_samples", n_samples, 2)):
        check_integer(value, name, least)
    check_integer(n_temperatures, "n_temperatures", 1)
    rng = generator(random_state)
    X, H = model.sample_joint(n_images, rng)
    images = X.astype(np.float64)
    back = model.reversed_normaliser(H, n_temperatures, rng)
    if progress is not None:
        progress(0.2)
    found = log_mean(model.annealed_normaliser(n_temperatures, max(n_images, 100), rng))
    error = float(back.std(ddof=1) / np.sqrt(n_images)) if n_images > 1 else float("nan")
    log_z = NormaliserBounds(float(found), float(back.mean()), error)
    if progress is not None:
        progress(0.5)
    proposal = model.proposal(images, 0, rng)
    weights = importance(model, images, proposal, n_samples, rng, part_of(progress, 0.5, 0.5))
    below = log_mean(weights)
    weights[0] = model.joint(images, H) - model.proposal_log_q(proposal, H)
    above = log_mean(weights)
    settings = {"n_samples": n_samples, "n_temperatures": n_temperatures}
    settings["random_state"] = seed_setting(random_state)
    size = np.full(n_images, float(n_samples))
    return AISBracket(
        X,
        LogLikelihood(below - log_z.upper, "importance", "lower", error, size, settings),
        LogLikelihood(above - log_z.lower, "importance", "upper", float("nan"), size, settings),
    ), log_z


def log_mean(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the mean weight over the first axis, nats."""
    return np.logaddexp.reduce(weights, axis=0) - np.log(len(weights))


BELOW = "AIS, a lower bound in expectation"
DRAWN = "as far above AIS as annealing back leads, on images that the model draws"
OF_Z = "AIS of log Z, an upper bound in expectation"
OF_BOTH = "AIS of log Z and of each image: errs both ways"
BACK = "as far below AIS as RAISE is, a lower bound in expectation on images that the model draws"
SAMPLED = "importance sampling, a lower bound in expectation"
FROM_ABOVE_Z = (
    "importance sampling, log Z annealed back from draws of the RBM on top: a lower bound in expectation, "
    "as far as its chains have mixed"
)
WITH_ITS_OWN = (
    "as far above importance sampling as with the latents that an image was drawn from, on images that the "
    "model draws, log Z by AIS"
)
N_SAMPLES = 2000
"""Draws of each image's latents where importance sampling is bounded on both sides."""
EXACT = "exact"


class Bounded(NamedTuple):
    """An estimate of log P(x), nats, and the bounds between which its mean lies, as far as any are known.

    Attributes
    ----------
    estimate : LogLikelihood
    by : str
        How it was estimated, in words.
    lower, upper : float or None
        Bounds on the mean.
    lower_is, upper_is : str or None
        What kind of a bound each is.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("rbm-16-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> found = lrbn_viz.measure.bounded_log_likelihood(model, X)
    >>> found.by, found.lower <= found.estimate.mean <= found.upper
    ('enumeration', True)
    """

    estimate: LogLikelihood
    by: str
    lower: float | None
    lower_is: str | None
    upper: float | None
    upper_is: str | None


def bounded_log_likelihood(
    model: Model,
    X: ArrayLike,
    n_bracket: int = 50,
    *,
    n_temperatures: int = 1000,
    random_state: Any = 0,
    progress: Callable[[float], None] | None = None,
) -> Bounded:
    """Estimate log P(x) of images as the model allows it best, and bound the mean from both sides.

    A model of at most 20 latents is enumerated. Directed, if its chains can be annealed: AIS, and as far
    above it as :func:`ais_bracket` is wide. Undirected: AIS of log Z, and as far below it as RAISE is on some
    of the images. Otherwise: importance sampling, with the width of :func:`importance_bracket` on either side
    unless it is a lower bound.

    Parameters
    ----------
    model : Model
    X : (n, n_v) array
    n_bracket : int
        Images that the width of the bracket is the mean of: drawn from a directed model; else the first of X.
    n_temperatures : int
        Steps of each chain.
    random_state : int, Generator or None
    progress : callable, optional
        Called with the share that is done.

    Raises
    ------
    ValueError
        An image does not fit the model, or a setting is out of range.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, X = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits").test_X[:5]
    >>> found = lrbn_viz.measure.bounded_log_likelihood(model, X)
    >>> found.by, found.lower_is, found.lower == found.upper == found.estimate.mean
    ('enumeration', 'exact', True)
    """
    images = model.check_images(X)
    if model.n_latents_ <= MAX_EXACT and "exact" in model.likelihoods:
        found = log_likelihood(model, images, method="exact", progress=progress)
        return Bounded(found, "enumeration", found.mean, EXACT, found.mean, EXACT)
    how: dict[str, Any] = {"n_temperatures": n_temperatures, "random_state": random_state}
    estimate: dict[str, Any] = {"progress": part_of(progress, 0.0, 0.6), **how}
    bracket: dict[str, Any] = {"progress": part_of(progress, 0.6, 0.4), **how}
    if model.graph == "directed" and "ais" in model.likelihoods:
        found = log_likelihood(model, images, method="ais", **estimate)
        upper = found.mean + _mean_width(ais_bracket(model, n_bracket, **bracket).width)
        return Bounded(found, "AIS", found.mean, BELOW, upper, DRAWN)
    if "raise" in model.likelihoods:
        found = log_likelihood(model, images, method="ais", **estimate)
        back = log_likelihood(model, images[:n_bracket], method="raise", **bracket)
        lower = found.mean - _mean_width(found.values[: len(back.values)] - back.values)
        above = OF_Z if found.bound == "upper" else OF_BOTH
        return Bounded(found, "AIS of log Z", lower, BACK, found.mean, above)
    found = log_likelihood(model, images, method="importance", n_samples=N_SAMPLES, **estimate)
    if found.bound == "lower":
        return Bounded(found, "importance sampling", found.mean, SAMPLED, None, None)
    both, log_z = importance_bracket(model, n_bracket, n_samples=N_SAMPLES, **bracket)
    # what importance sampling alone leaves open, without what log Z does
    width = max(float(both.width.mean()) - (log_z.upper - log_z.lower), 0.0)
    summed = found.mean + found.settings["log_partition"]
    low, high = summed - max(log_z.upper, log_z.lower), summed - log_z.lower + width
    by = "importance sampling, log Z by AIS"
    return Bounded(found, by, min(low, found.mean), FROM_ABOVE_Z, max(high, found.mean), WITH_ITS_OWN)


def _mean_width(widths: NDArray[np.float64]) -> float:
    """Return the mean width; where chains are long it may come out below 0 by chance."""
    return max(float(widths.mean()), 0.0)
