"""log P(x) from below and from above: how far an estimate can be off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.evaluation.likelihood import LogLikelihood, log_likelihood, part_of, seed_setting
from lrbn_viz.model import Model, NotOffered
from lrbn_viz.posterior import MAX_EXACT
from lrbn_viz.validation import check_integer, generator


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
        if self.lower.method == self.upper.method:
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
    to tell it. RAISE errs the other way. What both agree on is known.

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


BELOW = "AIS, a lower bound in expectation"
DRAWN = "as far above AIS as annealing back leads, on images that the model draws"
OF_Z = "AIS of log Z, an upper bound in expectation"
OF_BOTH = "AIS of log Z and of each image: errs both ways"
BACK = "as far below AIS as RAISE is, a lower bound in expectation on images that the model draws"
SAMPLED = "importance sampling, a lower bound in expectation"
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

    A model of at most 20 latents is enumerated. Directed: AIS, and as far above it as :func:`ais_bracket` is
    wide. Undirected: AIS of log Z, and as far below it as RAISE is on some of the images. Where neither
    applies: importance sampling, whose normaliser is annealed, so that nothing bounds it.

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
    """
    images = model.check_images(X)
    if model.n_latents_ <= MAX_EXACT and "exact" in model.likelihoods:
        found = log_likelihood(model, images, method="exact", progress=progress)
        return Bounded(found, "enumeration", found.mean, EXACT, found.mean, EXACT)
    how: dict[str, Any] = {"n_temperatures": n_temperatures, "random_state": random_state}
    estimate: dict[str, Any] = {"progress": part_of(progress, 0.0, 0.6), **how}
    bracket: dict[str, Any] = {"progress": part_of(progress, 0.6, 0.4), **how}
    if model.graph == "directed":
        found = log_likelihood(model, images, method="ais", **estimate)
        upper = found.mean + _mean_width(ais_bracket(model, n_bracket, **bracket).width)
        return Bounded(found, "AIS", found.mean, BELOW, upper, DRAWN)
    if "raise" in model.likelihoods:
        found = log_likelihood(model, images, method="ais", **estimate)
        back = log_likelihood(model, images[:n_bracket], method="raise", **bracket)
        lower = found.mean - _mean_width(found.values[: len(back.values)] - back.values)
        above = OF_Z if found.bound == "upper" else OF_BOTH
        return Bounded(found, "AIS of log Z", lower, BACK, found.mean, above)
    found = log_likelihood(model, images, method="importance", progress=progress, **how)
    if found.bound == "lower":
        return Bounded(found, "importance sampling", found.mean, SAMPLED, None, None)
    return Bounded(found, "importance sampling with annealed log Z, no bound", None, None, None, None)


def _mean_width(widths: NDArray[np.float64]) -> float:
    """Return the mean width; where chains are long it may come out below 0 by chance."""
    return max(float(widths.mean()), 0.0)
