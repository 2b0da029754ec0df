"""A recognition network for a model that is trained already: amortised inference beside its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike

from lrbn_viz.core.model import Model
from lrbn_viz.core.validation import check_choice, check_images, generator
from lrbn_viz.estimators.nvil import NVIL
from lrbn_viz.estimators.rws import RWS
from lrbn_viz.training import Training

Method = Literal["bound", "wake", "sleep"]


class _Recipe(NamedTuple):
    """A kind of model that learns a recognition network, and its settings that do not follow from others."""

    kind: type[RWS] | type[NVIL]
    settings: Mapping[str, Any]


# Rates and passes were chosen on validation images of the 8x8 digits, for lrbn-12-digits.
_SHARED = {"optimiser": "adam", "momentum": 0.9, "batch_size": 50, "recognition_rate": 1.0}
_RECIPES: dict[str, _Recipe] = {
    "bound": _Recipe(NVIL, MappingProxyType({**_SHARED, "n_particles": 10})),
    "wake": _Recipe(RWS, MappingProxyType({**_SHARED, "n_particles": 20, "phases": "wake"})),
    "sleep": _Recipe(RWS, MappingProxyType({**_SHARED, "n_particles": 1, "phases": "sleep"})),
}


def with_recognition(
    model: Model,
    X: ArrayLike,
    *,
    method: Method = "bound",
    n_iter: int = 100,
    learning_rate: float = 0.01,
    learning_rate_end: float | None = 0.0003,
    random_state: Any = 0,
    **settings: Any,
) -> NVIL | RWS:
    """Train a recognition network for a fixed LRBN, and return both; W, b and d are not changed.

    The recognition network is linear, ``q(h_j = 1 | x) = sigmoid(v_j'x + c_j)``. It starts at the conditional
    of each latent with all others off, which is linear in x.

    Parameters
    ----------
    model : Model
        A model with binary images and one layer of latents, such as an LRBN or an RWS.
    X : (n, n_v) array
        Images to learn from.
    method : {"bound", "wake", "sleep"}
        "bound": the variational bound on log P(x) of the images, by NVIL; this lowers the mean of ``KL(q(h |
        x) || P(h | x))``, which mean field lowers too. "wake": particles of the images by their importance
        weights, RWS's wake phase; it lowers ``KL(P || q)`` over the images. "sleep": samples of images and
        latents from the model, wake-sleep's sleep phase; it lowers ``KL(P || q)`` over samples of the model,
        and uses `X` only for the number of steps.
    n_iter : int
        Passes over `X`.
    learning_rate, learning_rate_end : float
        Adam's rate at the start and at the end; it falls exponentially, or is constant if the last is None.
    random_state : int, Generator or None
        Seed of minibatches and particles.
    **settings
        Others of :class:`~lrbn_viz.NVIL`, for "bound", or of :class:`~lrbn_viz.RWS`.

    Returns
    -------
    NVIL or RWS
        A model with the same W, b and d, to the last bit, which infers by its recognition network too.

    Raises
    ------
    NotOffered
        The model has several layers, Gaussian visible units or is an RBM.
    ValueError
        `X` or a setting cannot be.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> X = lrbn_viz.load_dataset("bars").train_X[:200]
    >>> both = lrbn_viz.with_recognition(model, X, n_iter=2)
    >>> type(both).__name__, both.recognise(X).shape
    ('NVIL', (200, 16))
    """
    check_choice(method, "method", get_args(Method))
    if not model.has_rbm_parameters or model.visible != "bernoulli":
        model.refuse("recognition network", "that takes a single directed layer of binary images")
    kind, own = _RECIPES[method]
    layer = model.layers[0]
    check_images(X, "bernoulli", layer.n_v)
    images = np.ascontiguousarray(model.check_images(X), np.uint8)
    blank = np.zeros((1, layer.n_v)), (np.zeros((1, layer.n_h), np.uint8),)
    asked: dict[str, Any] = {
        **own,
        "n_iter": n_iter,
        "learning_rate": learning_rate,
        "learning_rate_end": learning_rate_end,
        "generative_rate": 0.0,
        **settings,
    }
    begun = kind.from_params(*layer, V=layer.W, c=model.conditional_log_odds(*blank)[0][0], **asked)
    rng = generator(random_state)
    steps = Training(
        begun.make_system(),
        images,
        n_iter=begun.n_iter,
        batch_size=begun.batch_size,
        rng=rng,
        state=begun.state_from(begun.params_, rng),
    )
    history = [event for _, event in steps]
    # W, b and d in the precision that they came in; the state of training has them in single precision.
    (learned,) = steps.state.layers
    found = kind.from_params(*layer, V=learned.V, c=learned.c, **asked)
    found.history_, found.n_iter_ = history, steps.epoch
    return found.named_as(model)
