"""Joint inference of one image through several layers, recorded visit by visit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.units import LOG_2PI
from lrbn_viz.kernels.numerics import KERNEL, scalar_softplus
from lrbn_viz.lrbn.deep.inference import Layers, infer_deep, kind_of, prior_from_above
from lrbn_viz.lrbn.kernel_params import KernelParams
from lrbn_viz.lrbn.model import Start, Visible
from lrbn_viz.lrbn.regression import activate_image
from lrbn_viz.lrbn.traced import Order, Stepper


@njit(**KERNEL)
def log_joint_of_layer(gaussian, rows, b, d, below, latent, top, a):
    """Return what a layer adds to ``log P(x, h^1, ..., h^L)`` of one image, nats. Equation: (19).

    That is ``log P(below | latent)``, and of the top layer also ``log P(latent)``.

    Parameters
    ----------
    gaussian : bool
        Whether the units below are Gaussian ones.
    rows : (n_h, n_v) float64
        Rows ``w_j`` of weights.
    b, d : (n_v,), (n_h,) float64
    below, latent : (n_v,) float64, (n_h,) uint8
        States of the units below, where NaN is not known, and of the layer.
    top : bool
        Whether no layer is above, so that d is the prior.
    a : (n_v,) float64
        Overwritten.
    """
    activate_image(rows, b, latent, a)
    total = 0.0
    for i in range(len(a)):
        if math.isnan(below[i]):
            continue
        if gaussian:
            total -= 0.5 * ((below[i] - a[i]) ** 2 + LOG_2PI)
        else:
            total += below[i] * a[i] - scalar_softplus(a[i])
    if top:
        for j in range(len(d)):
            total += latent[j] * d[j] - scalar_softplus(d[j])
    return total


COLUMNS = ("unit", "after", "flipped", "log_odds", "log_joint", "sweep")


def apart(layers: Layers, joint: NDArray) -> list[NDArray]:
    """Split a joint state (..., n) into the states of the layers, the lowest first."""
    return np.split(joint, np.cumsum([params.n_h for params in layers])[:-1], axis=-1)


def trace_deep(
    layers: Layers,
    visible: Visible,
    kernel_params: Sequence[KernelParams],
    x: NDArray,
    start: Start | NDArray[np.uint8],
    order: Order,
    temperatures: NDArray[np.float64],
    held: Mapping[int, int],
    rng: np.random.Generator,
) -> ICMTrace:
    """Record the joint inference of one image, visit by visit.

    Units of all layers are numbered consecutively, the lowest layer's first. W is 0 for the units of upper
    layers, so that replay and reconstruction are those of a one-layer trace. ``log_joint`` is that of the
    whole model.

    Parameters
    ----------
    kernel_params : sequence of KernelParams
        One per layer, in double precision.
    x : (n_v,)
    start : {"conditional", "paper", "zeros", "random"} or (1, n) uint8
        Initial states; a name applies to each layer given the one below it, bottom-up.
    order : {"sequential", "random", "greedy", "parallel"}
        Order of the units of a layer within a sweep, in which the lowest layer comes first. "greedy" and
        "parallel" require a single layer.
    temperatures : (n_sweeps,) float64
        One per sweep over all layers; 0 is ICM.
    held : mapping from unit to state
        Clamped latents, by their number among all layers; they are not visited.
    """
    if len(layers) == 1:
        alone = Stepper(layers[0], visible, kernel_params[0], x, start, order, temperatures, held, rng)
        alone.run()
        return alone.trace()
    X = x[None].astype(np.float64)
    if isinstance(start, str):
        H = list(infer_deep(layers, visible, kernel_params, X, start, np.zeros(0), 0, rng).H)
    else:
        H = [part.copy() for part in apart(layers, np.asarray(start, np.uint8))]
    first = np.cumsum([0, *(params.n_h for params in layers)])
    holds: list[dict[int, int]] = [{} for _ in layers]
    for unit, state in held.items():
        layer = int(np.searchsorted(first, unit, side="right")) - 1
        holds[layer][unit - int(first[layer])] = state
        H[layer][0, unit - first[layer]] = state
    h0 = np.concatenate([latent[0] for latent in H])
    joint0 = joint = _log_joint(layers, visible, x, H)
    columns: dict[str, list[NDArray]] = {name: [] for name in COLUMNS}
    converged = False
    for t, temperature in enumerate(temperatures):
        moved = False
        for layer, params in enumerate(layers):
            below = x if layer == 0 else H[layer - 1][0]
            prior = prior_from_above(layers, H, layer)
            stepper = Stepper(
                params, kind_of(layer, visible), kernel_params[layer], below, H[layer], order,
                np.array([temperature]), holds[layer], rng, None if prior is None else prior[0],
            )  # fmt: skip
            stepper.advance(params.n_h)
            part = stepper.trace()
            H[layer] = part.latents(part.n_visits)[None]
            # all other terms of the joint stay constant while this layer changes
            shifted = part.log_joint + (joint - part.log_joint0)
            for name in columns:
                columns[name].append(shifted if name == "log_joint" else getattr(part, name))
            columns["unit"][-1] = part.unit + np.int32(first[layer])
            columns["sweep"][-1] = np.full(part.n_visits, t, np.int32)
            joint = _log_joint(layers, visible, x, H)
            moved = moved or bool(part.flipped.any())
        if temperature == 0.0 and not moved:
            converged = True
            break
    empty = Stepper(
        layers[0], visible, kernel_params[0], x, H[0], "sequential", np.zeros(0), {}, rng
    ).trace()  # dtypes of the columns if there are no sweeps
    joined: dict[str, Any] = {
        name: np.concatenate([getattr(empty, name), *parts]) for name, parts in columns.items()
    }
    others = np.zeros((layers[0].n_v, first[-1] - first[1]))
    return ICMTrace(
        x=x,
        h0=h0,
        log_joint0=joint0,
        converged=converged,
        W=np.hstack([layers[0].W, others]),
        b=layers[0].b,
        d=np.concatenate([params.d for params in layers]),
        visible=visible,
        model="deep",
        sampled=bool((temperatures[joined["sweep"]] > 0).any()),
        **joined,
    )


def _log_joint(layers: Layers, visible: Visible, x: NDArray, H: Sequence[NDArray]) -> float:
    """Return ``log P(x, h^1, ..., h^L)`` of one image; H as of :func:`trace_deep`."""
    total, below = 0.0, np.array(x, np.float64)
    for layer, (params, latent) in enumerate(zip(layers, H, strict=True)):
        # Writeable, so that one compiled kernel serves a loaded model's parameters and a trained one's.
        rows, b, d = (np.require(p, np.float64, ("C", "W")) for p in (params.W.T, params.b, params.d))
        gaussian, top = kind_of(layer, visible) == "gaussian", layer == len(layers) - 1
        total += log_joint_of_layer(gaussian, rows, b, d, below, latent[0], top, np.empty(len(b)))
        below = latent[0].astype(np.float64)
    return total
