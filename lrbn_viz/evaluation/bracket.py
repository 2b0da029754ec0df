"""log P(x) from below and from above: how far AIS can be off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.evaluation.likelihood import LogLikelihood, log_likelihood, part_of, seed_setting
from lrbn_viz.model import Model, NotOffered
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
