"""Traces and models as bytes: one binary form, read by Python's tests and by the player's `decode.js`.

A packed block is ``magic | header length (uint32) | JSON header | arrays``, little-endian; every array starts
at a multiple of 8 bytes, so that the browser can view it without a copy. The header carries only names,
numbers and the place of each array, never array contents.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.player.truth import Truth, pack_truth

if TYPE_CHECKING:
    from lrbn_viz.trace import ICMTrace

MAGIC = b"LRB1"
_ALIGN = 8
_DTYPES = {"i1", "u1", "u2", "u4", "f2", "f4", "f8"}


class Lane(NamedTuple):
    """One lane of the player: a trace of one model, and how to name it.

    Attributes
    ----------
    trace : ICMTrace
        What the lane replays.
    model : str
        Key of the model among those given to `pack_models`.
    title, subtitle : str
        What the lane is called, for instance ``"LRBN"`` and ``"ICM, one unit at a time"``.
    normalised : bool
        Whether `trace.log_joint` is log P(x, h), or the same up to a constant of the model (an RBM).
    sampled : bool
        Whether states were drawn at random, so that the log joint may fall without breaking Theorem 1.
    optimum : float, optional
        The log joint of the exact MAP state, nats, where it is known.
    truth : Truth, optional
        What is exactly known of the image's latents, for a model small enough.
    shades : (2, n_v) float32, optional
        Slope and offset of each pixel that turn real values into shares of black and white.
    """

    trace: ICMTrace
    model: str
    title: str
    subtitle: str = ""
    normalised: bool = True
    sampled: bool = False
    optimum: float | None = None
    truth: Truth | None = None
    shades: NDArray[np.float32] | None = None


def pack(meta: Mapping[str, Any], arrays: Mapping[str, NDArray]) -> bytes:
    """Pack `meta` (JSON values) and `arrays` (uint8/16/32, float16/32/64) into one block of bytes.

    Raises
    ------
    TypeError
        An array has a type that the browser cannot view.
    """
    entries, parts, offset = {}, [], 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        if kind not in _DTYPES:
            raise TypeError(f"array {name!r} has dtype {array.dtype}; expected one of {sorted(_DTYPES)}.")
        raw = array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        entries[name] = {"dtype": kind, "shape": list(array.shape), "offset": offset}
        padding = -len(raw) % _ALIGN
        parts.append(raw + b"\0" * padding)
        offset += len(raw) + padding
    header = json.dumps({"meta": dict(meta), "arrays": entries}, separators=(",", ":")).encode()
    header += b" " * (-(len(MAGIC) + 4 + len(header)) % _ALIGN)
    return b"".join([MAGIC, struct.pack("<I", len(header)), header, *parts])


def unpack(block: bytes) -> tuple[dict[str, Any], dict[str, NDArray]]:
    """Read what `pack` wrote: the metadata, and the arrays as read-only views of `block`.

    Raises
    ------
    ValueError
        The block does not begin with this format's magic, or is shorter than its header says.
    """
    if block[: len(MAGIC)] != MAGIC:
        raise ValueError(f"expected a block that begins with {MAGIC!r}, got {block[:4]!r}.")
    start = len(MAGIC) + 4
    (length,) = struct.unpack_from("<I", block, len(MAGIC))
    header = json.loads(block[start : start + length])
    arrays = {}
    for name, entry in header["arrays"].items():
        count = int(np.prod(entry["shape"], dtype=np.int64))
        flat = np.frombuffer(block, np.dtype("<" + entry["dtype"]), count, start + length + entry["offset"])
        arrays[name] = flat.reshape(entry["shape"])
    return header["meta"], arrays


def layers_of(model: Any) -> tuple[Any, ...]:
    """Return the parameters (W, b, d) of each layer of a fitted model, the lowest first."""
    return model.layers_ if hasattr(model, "layers_") else (model.params_,)


def pack_models(
    models: Mapping[str, Any],
    image_shape: tuple[int, int],
    rounded: Mapping[str, NDArray[np.bool_]] | None = None,
    levels: int = 127,
) -> bytes:
    """Pack the parameters of several models, each once, layer by layer.

    Weights travel one row per latent, as float16 where that loses nothing (the shipped models), else float32.

    Parameters
    ----------
    models : mapping from key to fitted model
        LRBN, RBM or DeepLRBN.
    image_shape : (int, int)
        Rows and columns of one image; their product is n_v.
    rounded : mapping from key to (n_latents_,) bool, optional
        Round weights so that they compress well: to 4 bits, but finer for the units marked.
    levels : int
        Levels on either side of zero for the units marked; 127 are 8 bits.
    """
    from lrbn_viz.estimators import (
        RBM,
    )  # not at the top: numba and scikit-learn are not needed to import the app

    meta, arrays = {"kind": "models", "image_shape": list(image_shape), "models": []}, {}
    for position, (key, model) in enumerate(models.items()):
        meta["models"].append({"key": key, "visible": model.visible, "factorised": isinstance(model, RBM)})
        first = 0
        for layer, (W, b, d) in enumerate(layers_of(model)):
            name = {part: f"{position}.{part}{layer or ''}" for part in ("W", "scale", "b", "d")}
            if rounded is None:
                arrays[name["W"]] = _shortest_float(np.asarray(W).T)
            else:
                fine = rounded[key][first : first + len(d)]
                arrays[name["W"]], arrays[name["scale"]] = _round(np.asarray(W).T, np.where(fine, levels, 7))
            arrays[name["b"]] = np.asarray(b, np.float64)
            arrays[name["d"]] = np.asarray(d, np.float64)
            first += len(d)
    return pack(meta, arrays)


def _shortest_float(array: NDArray) -> NDArray:
    """Return `array` as float16 if every value survives the way there and back, else as float32."""
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    return half if np.array_equal(half.astype(np.float64), array) else array.astype(np.float32)


def _round(rows: NDArray, levels: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return int8 multiples of each row's own step, and the steps: `levels` on either side of zero."""
    scale = np.maximum(np.abs(rows).max(axis=1), 1e-30) / levels
    return np.rint(rows / scale[:, None]).astype(np.int8), scale.astype(np.float32)


def pack_trace(lanes: Sequence[Lane], meta: Mapping[str, Any] | None = None) -> bytes:
    """Pack the traces of all lanes, over one image, for the player.

    Parameters
    ----------
    lanes : sequence of Lane
        Traces of the same image x, to be replayed in lock-step.
    meta : mapping, optional
        JSON values for the player: ``caption`` (what the image is), ``cursor`` (where to begin).

    Returns
    -------
    bytes
        About 18 bytes a visit and lane.
    """
    arrays: dict[str, NDArray] = {}
    described = []
    for number, lane in enumerate(lanes):
        trace = lane.trace
        bernoulli = trace.visible == "bernoulli"
        arrays[f"{number}.x"] = (
            np.packbits(trace.x.astype(np.uint8)) if bernoulli else trace.x.astype(np.float32)
        )
        arrays[f"{number}.h0"] = np.packbits(trace.h0)
        arrays[f"{number}.unit"] = trace.unit.astype(np.uint16)
        arrays[f"{number}.after"] = np.packbits(trace.after)
        arrays[f"{number}.log_odds"] = trace.log_odds.astype(np.float32)
        arrays[f"{number}.log_joint"] = np.concatenate([[trace.log_joint0], trace.log_joint])
        arrays[f"{number}.sweep"] = trace.sweep.astype(np.uint16)
        arrays[f"{number}.wrong"] = trace.wrong_pixels().astype(np.uint16 if bernoulli else np.float32)
        if lane.shades is not None:
            arrays[f"{number}.shades"] = lane.shades
        known: dict[str, Any] | None = None
        if lane.truth is not None:
            known, more = pack_truth(lane.truth)
            arrays |= {f"{number}.{name}": array for name, array in more.items()}
        described.append(
            {
                "model": lane.model,
                "title": lane.title,
                "subtitle": lane.subtitle,
                "normalised": lane.normalised,
                "sampled": lane.sampled,
                "optimum": lane.optimum,
                "truth": known,
                "converged": bool(trace.converged),
                "n_h": int(trace.n_h),
                "n_v": int(trace.n_v),
                "n_visits": int(trace.n_visits),
            }
        )
    return pack({"kind": "trace", **(meta or {}), "lanes": described}, arrays)
