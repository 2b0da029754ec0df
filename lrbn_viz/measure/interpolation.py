"""Interpolation from one code to another: the images on the path, and the joint probability of each with its
code.
"""

from __future__ import annotations

import itertools
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import Model
from lrbn_viz.core.validation import check_choice, check_integer, check_latents
from lrbn_viz.kernels.numerics import one_blas_thread, softplus
from lrbn_viz.kernels.paths import flip_along

Way = Literal["best", "number", "straight"]


class Interpolation(NamedTuple):
    """The codes from a start to an end, with their images and probabilities.

    Attributes
    ----------
    H : (n + 1, n_h)
        Codes: uint8 states, or float64 between 0 and 1 on a straight line.
    unit : (n,) int32
        The unit that flips from one code to the next; -1 on a straight line, where all change a little.
    mean : (n + 1, n_v) float64
        Mean of x given each code.
    log_joint : (n + 1,) float64
        ``max_x log P(x, h)`` of each code, nats; not normalised for an RBM. Not-a-number for a code that
        is no state of the model.
    """

    H: NDArray
    unit: NDArray[np.int32]
    mean: NDArray[np.float64]
    log_joint: NDArray[np.float64]


def interpolate(
    model: Model, start: ArrayLike, end: ArrayLike, way: Way = "best", *, n_steps: int = 40
) -> Interpolation:
    """Interpolate from one code to another.

    Parameters
    ----------
    model : Model
    start, end : (n_h,) arrays of 0 and 1
        Codes of all layers beside each other, the lowest first.
    way : {"best", "number", "straight"}
        "best" flips the units that differ one at a time, each time the one after which ``max_x log P(x, h)``
        is largest; "number" flips them in their order; "straight" moves all of them a little at every step.
    n_steps : int
        Steps of a straight line.
    """
    n_h = model.n_latents_
    h0, h1 = check_latents(start, (n_h,), "start"), check_latents(end, (n_h,), "end")
    check_choice(way, "way", get_args(Way))
    if way == "straight":
        share = np.linspace(0.0, 1.0, check_integer(n_steps, "n_steps", 1) + 1)[:, None]
        H = (1 - share) * h0 + share * h1
        joint = np.full(len(H), np.nan)
        joint[[0, -1]] = best_log_joint(model, np.array([h0, h1]))
        return Interpolation(H, np.full(len(H) - 1, -1, np.int32), model.inverse_transform(H), joint)
    units = np.flatnonzero(h0 != h1)
    if way == "best":
        units = _best_order(model, h0, units)
    H = np.repeat(h0[None], len(units) + 1, axis=0)
    for step, unit in enumerate(units):
        H[step + 1 :, unit] ^= 1
    return Interpolation(H, units.astype(np.int32), model.inverse_transform(H), best_log_joint(model, H))


def best_log_joint(model: Model, H: NDArray) -> NDArray[np.float64]:
    """Return ``max_x log P(x, h)`` of each row of `H` in nats, not normalised for an RBM; shape (n,)."""
    lowest, parts = model.layers[0], model.split(H)
    return model.best_log_joint(parts[0] @ lowest.W.T + lowest.b, model.prior_term(parts))


def _log_bernoulli(h: NDArray, a: NDArray) -> NDArray:
    """Return the log-probability of each row of states that are on with log-odds `a`, nats."""
    return (h * a - softplus(a)).sum(axis=-1)


def _best_order(model: Model, h: NDArray[np.uint8], units: NDArray) -> NDArray:
    """Return the units in the order in which each flip is the best of those left."""
    if model.graph != "directed" and not model.factorised:
        return _best_order_by_joint(model, h, units)
    if (model.visible_units or model.visible) == "bernoulli":
        return flipped_along(model, h, units, best=True)[0].astype(np.int64)
    (W, b, d), *above = model.layers
    if above:
        return _best_order_of_layers(model, h, units)
    left = units.tolist()
    sign = np.where(h[units] == 0, 1.0, -1.0)
    change = dict(zip(left, (sign[:, None] * W.T[units]).astype(np.float32), strict=True))
    gain = dict(zip(left, sign * d[units], strict=True))
    a = (W @ h + b).astype(np.float32)
    order = []
    while left:
        reached = model.best_log_joint(
            a + np.array([change[unit] for unit in left]), np.array([gain[unit] for unit in left])
        )
        unit = left.pop(int(np.argmax(reached)))
        a = a + change[unit]
        order.append(unit)
    return np.array(order, np.int64)


def flipped_along(
    model: Model, h: NDArray[np.uint8], units: NDArray, *, best: bool
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Flip units of a code one after another, of a model of binary images: an LRBN or an RBM.

    Return the units in the order in which they flip, `best` first or as they are, and the log joint of each
    code with its most probable image, as :func:`best_log_joint`.
    """
    layers = model.layers
    sizes = [len(layers[0].b), *model.layer_sizes_]
    first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    weights = np.concatenate([np.ascontiguousarray(layer.W.T, np.float64).ravel() for layer in layers])
    bias = np.concatenate([*(layer.b for layer in layers), layers[-1].d]).astype(np.float64)
    order, joints = units.astype(np.int32), np.empty(len(units) + 1)
    flip_along(
        model.graph == "directed", best, first, weights, bias, h.copy(), np.empty_like(bias), order, joints
    )
    return order, joints


def _best_order_by_joint(model: Model, h: NDArray[np.uint8], units: NDArray) -> NDArray:
    """Return the order of flips for any model, by evaluating every state that one more flip reaches, at each
    step.
    """
    W, b, _ = model.layers[0]
    rows, n = np.ascontiguousarray(W.T, np.float32), W.shape[1]
    left, now, order = units.tolist(), h.astype(np.float64), []
    a = (W @ now[:n] + b).astype(np.float32)
    with one_blas_thread():  # products so small that threads would only wait for each other
        while left:
            H, each = np.repeat(now[None], len(left), axis=0), np.arange(len(left))
            sign = 1 - 2 * now[left]
            H[each, left] += sign
            reached = np.repeat(a[None], len(left), axis=0)  # units above the lowest layer change none
            lowest = [k for k in each if left[k] < n]
            reached[lowest] += sign[lowest, None].astype(np.float32) * rows[[left[k] for k in lowest]]
            best = int(np.argmax(model.best_log_joint(reached, model.prior_term(model.split(H)))))
            now, a = H[best], reached[best]
            order.append(left.pop(best))
    return np.array(order, np.int64)


def _best_order_of_layers(model: Model, h: NDArray[np.uint8], units: NDArray) -> NDArray:
    """Return the order of flips for several layers: a flip changes the terms of both adjacent layers."""
    layers, state = model.layers, h.astype(np.float32)
    first = np.cumsum([0, *model.layer_sizes_])
    parts = [state[begin:end] for begin, end in itertools.pairwise(first)]  # views: a flip is seen in them
    W = [np.ascontiguousarray(layer.W.T, np.float32) for layer in layers]
    # activation of what each layer generates, and log-odds of the top layer's own
    a = [
        (part @ rows + layer.b).astype(np.float32) for part, rows, layer in zip(parts, W, layers, strict=True)
    ]
    a.append(layers[-1].d.astype(np.float32))
    left = [units[(units >= begin) & (units < end)] - begin for begin, end in itertools.pairwise(first)]
    below = [np.zeros(0)] * len(layers)  # by how much each flip left would raise what its layer generates
    stale, order = set(range(len(layers))), []
    while any(map(len, left)):
        for n in stale:
            changed = a[n] + (1 - 2 * parts[n][left[n]])[:, None] * W[n][left[n]]
            if n == 0:
                before = model.best_log_joint(a[0][None], np.zeros(1))
                below[n] = model.best_log_joint(changed, np.zeros(len(changed))) - before
            else:
                below[n] = _log_bernoulli(parts[n - 1], changed) - _log_bernoulli(parts[n - 1], a[n])
        gains = [below[n] + (1 - 2 * parts[n][each]) * a[n + 1][each] for n, each in enumerate(left)]
        n = int(np.argmax([gain.max(initial=-np.inf) for gain in gains]))
        place = int(np.argmax(gains[n]))
        j = int(left[n][place])
        a[n] = a[n] + (1 - 2 * parts[n][j]) * W[n][j]
        parts[n][j] = 1 - parts[n][j]
        left[n] = np.delete(left[n], place)
        stale = {n, min(n + 1, len(layers) - 1)}  # of the layer above, this unit is what it generates
        order.append(first[n] + j)
    return np.array(order, np.int64)
