"""How far AIS can be off on images of the model itself: their log P(x) from below and from above."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.estimators import LRBN, DeepLRBN
from lrbn_viz.evaluation.likelihood import LogLikelihood, part_of, told_seed
from lrbn_viz.lrbn.ais import log_weights, schedule
from lrbn_viz.lrbn.deep import sample_deep
from lrbn_viz.validation import check_integer, generator


@dataclass(frozen=True, eq=False)
class AISBracket:
    """log P(x) of images drawn from a model, by AIS both ways.

    Attributes
    ----------
    X : (n, n_v)
        The images.
    lower : LogLikelihood
        From the prior to the posterior: a lower bound in expectation.
    upper : LogLikelihood
        Back from the latents that each image was drawn with, an exact sample of its posterior: an upper bound
        in expectation.
    """

    X: NDArray
    lower: LogLikelihood
    upper: LogLikelihood

    @property
    def width(self) -> NDArray[np.float64]:
        """Upper minus lower of each image, nats; (n,). Its mean is not negative in expectation."""
        return self.upper.values - self.lower.values

    def __str__(self) -> str:
        error = self.width.std(ddof=1) / np.sqrt(len(self.X)) if len(self.X) > 1 else 0.0
        return (
            f"{self.lower.mean:.2f} <= log P(x) <= {self.upper.mean:.2f} nats (ais both ways, {len(self.X)} "
            f"images drawn from the model, width {self.width.mean():.2f}, its standard error {error:.2f})"
        )


def ais_bracket(
    model: LRBN | DeepLRBN,
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
    model : LRBN or DeepLRBN
    n_images : int
    n_temperatures : int
        Steps of each chain; one chain each way per image.
    random_state : int, Generator or None
    progress : callable, optional
        Told the share that is done.

    Raises
    ------
    TypeError
        The model cannot draw an image together with its latents exactly: an RBM.
    ValueError
        A setting is out of range.

    References
    ----------
    Grosse, Ghahramani and Adams (2015), Sandwiching the marginal likelihood using bidirectional Monte Carlo.
    """
    if not isinstance(model, (LRBN, DeepLRBN)):
        raise TypeError(
            f"expected an LRBN or DeepLRBN, which draw an image and its latents exactly; got "
            f"{type(model).__name__}. Use log_likelihood, whose AIS estimates an RBM's partition function."
        )
    check_integer(n_images, "n_images", 1)
    check_integer(n_temperatures, "n_temperatures", 1)
    layers, rng = model._layers(), generator(random_state)
    X, H = sample_deep(layers, model.visible, n_images, rng)
    images, betas = X.astype(np.float64), schedule(n_temperatures)

    shared = (layers, model.visible, images, betas, rng)
    lower = log_weights(*shared, dtype=np.float32, progress=part_of(progress, 0.0, 0.5))
    upper = log_weights(*shared, posterior=H, dtype=np.float32, progress=part_of(progress, 0.5, 0.5))
    told = {"n_temperatures": n_temperatures, "n_chains": 1, "random_state": told_seed(random_state)}
    alone = np.ones(n_images)  # chains per image
    return AISBracket(
        X,
        LogLikelihood(lower, "ais", "lower", float("nan"), alone, told),
        LogLikelihood(upper, "ais", "upper", float("nan"), alone, told),
    )
