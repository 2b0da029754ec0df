"""Traces and models as bytes for the player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.model import LayerParams
from lrbn_viz.core.names import visible_names_of
from lrbn_viz.core.trace import ICMTrace, ParticleTrace, Trace, visits_of
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.view.player.beliefs import Beliefs, pack_beliefs
from lrbn_viz.view.player.truth import Distance, Truth, pack_distance, pack_truth
from lrbn_viz.view.player.wire import pack

if TYPE_CHECKING:
    from lrbn_viz.core.model import Model
    from lrbn_viz.datasets import Dataset
    from lrbn_viz.view.player.terms import Known


class Lane(NamedTuple):
    """One lane of the player: a trace of one model, and its names.

    Attributes
    ----------
    trace : Trace
        What the lane replays.
    model : str
        Key of the model among those given to `pack_models`.
    title, subtitle : str
        What the lane is called, for instance ``"LRBN"`` and ``"ICM, one unit at a time"``.
    normalised : bool
        True if `trace.log_joint` is log P(x, h), or the same up to a constant of the model (an RBM).
    sampled : bool
        True if states were drawn at random, so that the log joint may fall without breaking Theorem 1.
    optimum : float, optional
        The log joint of the exact MAP state, nats, where it is known; of particles log P(x), which their
        estimate goes to.
    truth : Truth, optional
        What is exactly known of the image's latents, for a model small enough.
    shades : (2, n_v) float32, optional
        Slope and offset of each pixel that turn real values into shares of black and white.
    model_title : str
        What the model is called; empty where the title says all.
    start : str
        What the trace starts from, in words.
    seed : int, optional
        Of what is drawn, where anything is.
    held : mapping from unit to state, optional
        Units that are held.
    distance : Distance, optional
        How far the lane is from the exact posterior, for a model small enough.
    beliefs : Beliefs, optional
        Probabilities of each unit, for a model small enough.
    """

    trace: Trace
    model: str
    title: str
    subtitle: str = ""
    normalised: bool = True
    sampled: bool = False
    optimum: float | None = None
    truth: Truth | None = None
    shades: NDArray[np.float32] | None = None
    model_title: str = ""
    start: str = ""
    seed: int | None = None
    held: Mapping[int, int] = MappingProxyType({})
    distance: Distance | None = None
    beliefs: Beliefs | None = None


def pack_models(
    models: Mapping[str, Model],
    image_shape: tuple[int, int],
    rounded: Mapping[str, NDArray[np.bool_]] | None = None,
    levels: tuple[int, int] = (127, 7),
    *,
    exact: bool = False,
    own: bool = False,
) -> bytes:
    """Pack the parameters of several models, each once, layer by layer.

    Weights travel one row per latent, as float16 where that loses nothing (the shipped models), else float32.
    Of Gaussian visible units whose variances are not 1, 1 / variance travels too.
    A model with the weights of one before it brings none: its metadata says ``of`` which it has them.

    Parameters
    ----------
    models : mapping from key to fitted model
    image_shape : (int, int)
        Rows and columns of one image; their product is n_v.
    rounded : mapping from key to (n_latents_,) bool, optional
        Round weights so that they compress well, less for the units marked; as :func:`marked_alike` has it.
    levels : (int, int)
        Levels on either side of zero for the units marked, and for the others; 127 are 8 bits, 7 are 4.
    exact : bool, optional
        Send weights that float32 does not hold as float64: what infers with them needs each bit. Weights and
        offsets of recognition networks travel too.
    own : bool, optional
        Rounded weights are those of the models that the page shows, and not about those of others.
    """
    meta: dict[str, Any] = {"kind": "models", "image_shape": list(image_shape), "models": []}
    arrays: dict[str, NDArray] = {}
    owners = _owners(models)
    for position, (key, model) in enumerate(models.items()):
        described = {"key": key, "visible": model.units.name, "factorised": model.factorised}
        if model.graph == "undirected" and not model.factorised:
            described["restricted"] = True  # several layers, and no links within one
        if model.graph == "mixed":
            described["without"] = "the layer above"  # whose part in a unit's log-odds no terms say
        if own:
            described["own"] = True
        meta["models"].append(described)
        for what, names in (("names", model.latent_names_), ("pixels", visible_names_of(model))):
            if names:
                described[what] = list(names)
        if exact or own:
            for layer, networks in enumerate(getattr(model, "recognition_layers", ())):
                arrays[f"{position}.V{layer or ''}"] = _shortest_float(networks.V.T, True)
                arrays[f"{position}.c{layer or ''}"] = np.asarray(networks.c, np.float64)
            top = getattr(model, "top_layer", None)
            if top is not None:
                arrays[f"{position}.U"] = _shortest_float(top.W, True)
                arrays[f"{position}.e"] = np.asarray(top.d, np.float64)
        if owners[position] < position:
            described["of"] = owners[position]
            continue
        first = 0
        for layer, (W, b, d) in enumerate(model.layers):
            name = {part: f"{position}.{part}{layer or ''}" for part in ("W", "scale", "b", "d")}
            if rounded is None:
                arrays[name["W"]] = _shortest_float(np.asarray(W).T, exact)
            else:
                fine = rounded[key][first : first + len(d)]
                arrays[name["W"]], arrays[name["scale"]] = _round(np.asarray(W).T, np.where(fine, *levels))
            arrays[name["b"]] = np.asarray(b, np.float64)
            arrays[name["d"]] = np.asarray(d, np.float64)
            first += len(d)
        if model.deviations_ is not None:
            arrays[f"{position}.precision"] = model.deviations_**-2.0
    return pack(meta, arrays)


def marked_alike(
    models: Mapping[str, Model], marks: Mapping[str, NDArray[np.bool_]]
) -> dict[str, NDArray[np.bool_]]:
    """Return the units to be rounded less, by key: for models with the same weights those of either."""
    by_owner: dict[int, NDArray[np.bool_]] = {}
    owners = _owners(models)
    for owner, key in zip(owners, models, strict=True):
        by_owner[owner] = marks[key] | by_owner.get(owner, np.False_)
    return {key: by_owner[owner] for owner, key in zip(owners, models, strict=True)}


def rounded_model(model: Model, fine: NDArray[np.bool_], levels: tuple[int, int]) -> Model:
    """Return a model with the rounded weights that the player receives.

    `fine` (n_latents_,) are the units marked, and `levels` as :func:`pack_models` takes them.
    """
    layers, first = [], 0
    for W, b, d in model.layers:
        multiples, scale = _round(np.asarray(W).T, np.where(fine[first : first + len(d)], *levels))
        single = (multiples * scale.astype(np.float64)[:, None]).astype(np.float32)  # as decode.js has them
        layers.append(LayerParams(single.T.astype(np.float64), np.asarray(b, float), np.asarray(d, float)))
        first += len(d)
    return model.with_layers(layers)


def _owners(models: Mapping[str, Model]) -> list[int]:
    """Return for each model the position of the first one with its weights."""
    packed = list(models.values())
    return [next(n for n, other in enumerate(packed) if same_parameters(other, model)) for model in packed]


def same_parameters(model: Model, other: Model) -> bool:
    """Return whether two models have equal parameters, layer by layer."""
    pairs = list(zip(model.layers, other.layers, strict=False))
    equal = all(a is b or np.array_equal(a, b) for pair in pairs for a, b in zip(*pair, strict=True))
    spread = [np.ones(1) if each.deviations_ is None else each.deviations_ for each in (model, other)]
    return len(model.layers) == len(other.layers) and equal and np.array_equal(spread[0], spread[1])


def _shortest_float(array: NDArray, exact: bool) -> NDArray:
    """Return `array` as float16 if every value is exact in it, else as float32.

    With `exact` as float64 where values do not survive that way either.
    """
    with np.errstate(over="ignore"):
        half, single = array.astype(np.float16), array.astype(np.float32)
    if np.array_equal(half.astype(np.float64), array):
        return half
    return array if exact and not np.array_equal(single.astype(np.float64), array) else single


def _round(rows: NDArray, levels: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 multiples of each row's own step, and the steps: `levels` on either side of zero."""
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-30) / levels
    return np.rint(rows / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def _values(latents: NDArray) -> NDArray:
    """Return states as bits, and means unchanged."""
    return latents.astype(np.float32) if latents.dtype.kind == "f" else np.packbits(latents)


def columns_of(trace: Trace) -> dict[str, NDArray]:
    """Return the columns of a trace that the player reads, unrounded: ``h0`` (n_h,), and a value each visit.

    A visit of particles is to no unit in particular: ``unit`` is 0, ``after`` the share of the weight so far
    that its particle has, and ``log_odds`` the particle's log weight.
    """
    if isinstance(trace, ParticleTrace):
        none = np.zeros(trace.n_visits, np.uint16)
        after, odds = trace.shares_of_latest(), trace.log_weights[1:]
        return {"h0": trace.latents(0), "unit": none, "after": after, "log_odds": odds, "sweep": none}
    trace = visits_of(trace)
    unit, sweep = trace.unit.astype(np.uint16), trace.sweep.astype(np.uint16)
    return {"h0": trace.h0, "unit": unit, "after": trace.after, "log_odds": trace.log_odds, "sweep": sweep}


def pack_images(data: Dataset, X: NDArray) -> dict[str, NDArray]:
    """Return images (n, n_v) of a data set as arrays of a block for thumbnails and the live page.

    ``pixels``: a bit a pixel of binary images, else bytes of ink. ``unknown``: a bit a pixel, where any is
    not known, NaN.
    """
    ink, unknown = np.nan_to_num(data.to_intensity(X)), unknown_in(X)
    pixels = np.packbits(ink >= 0.5, axis=1) if data.binary else np.rint(255 * ink).astype(np.uint8)
    return {"pixels": pixels} | ({} if unknown is None else {"unknown": np.packbits(unknown, axis=1)})


def pack_trace(
    lanes: Sequence[Lane],
    meta: Mapping[str, Any] | None = None,
    known: Sequence[Known] = (),
) -> bytes:
    """Pack the traces of all lanes, over one image, for the player.

    Parameters
    ----------
    lanes : sequence of Lane
        Traces of the same image x, to be replayed in lock-step.
    meta : mapping, optional
        JSON values for the player: ``caption`` (what the image is), ``cursor`` (where to begin).
    known : sequence of Known, optional
        What numbers of each lane travel too, where weights are rounded.

    Returns
    -------
    bytes
        About 18 bytes a visit and lane.
    """
    arrays: dict[str, NDArray] = {}
    described = []
    for number, lane in enumerate(lanes):
        trace = lane.trace
        binary, unknown = trace.units.binary, unknown_in(trace.x)
        if unknown is not None:
            arrays[f"{number}.unknown"] = np.packbits(unknown)
        arrays[f"{number}.x"] = np.packbits(trace.x == 1) if binary else trace.x.astype(np.float32)
        columns = columns_of(trace)
        columns["log_odds"] = columns["log_odds"].astype(np.float32)
        columns |= {name: _values(columns[name]) for name in ("h0", "after")}
        arrays |= {f"{number}.{name}": column for name, column in columns.items()}
        if isinstance(trace, ParticleTrace):
            arrays[f"{number}.particles"] = np.packbits(trace.particles[1:])
        arrays[f"{number}.log_joint"] = np.concatenate([[trace.log_joint0], trace.log_joint])
        arrays[f"{number}.wrong"] = trace.wrong_pixels().astype(np.uint16 if binary else np.float32)
        if known:
            arrays |= {f"{number}.{name}": array for name, array in known[number].arrays.items()}
            if "decided_steps" in known[number].arrays:
                del arrays[f"{number}.log_odds"]  # these are among them
        if lane.shades is not None:
            arrays[f"{number}.shades"] = lane.shades
        truth: dict[str, Any] | None = None
        if lane.truth is not None:
            truth, more = pack_truth(lane.truth)
            arrays |= {f"{number}.{name}": array for name, array in more.items()}
        exact: dict[str, Any] = {}
        if lane.distance is not None:
            exact["distance"], more = pack_distance(lane.distance)
            arrays |= {f"{number}.{name}": array for name, array in more.items()}
        if lane.beliefs is not None:
            exact["beliefs"], more = pack_beliefs(lane.beliefs)
            arrays |= {f"{number}.{name}": array for name, array in more.items()}
        described.append(
            {
                "model": lane.model,
                "title": lane.title,
                "subtitle": lane.subtitle,
                "model_title": lane.model_title,
                "start": lane.start,
                "seed": lane.seed,
                "held": {str(unit): state for unit, state in lane.held.items()},
                "normalised": lane.normalised,
                "sampled": lane.sampled,
                "means": trace.means,
                **({"particles": True} if isinstance(trace, ParticleTrace) else {}),
                "at_once": isinstance(trace, ICMTrace) and bool(trace.at_once),
                "off": known[number].off if known else 0.0,
                "optimum": lane.optimum,
                "truth": truth,
                **exact,
                "converged": isinstance(trace, ICMTrace) and bool(trace.converged),
                "n_h": int(trace.n_h),
                "n_v": int(trace.n_v),
                "n_visits": int(trace.n_visits),
            }
        )
    return pack({"kind": "trace", **(meta or {}), "lanes": described}, arrays)
