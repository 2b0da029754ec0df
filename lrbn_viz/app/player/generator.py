"""The Generate page's component, and what it shows as bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import param

from lrbn_viz.app.generation import WAYS, Generation
from lrbn_viz.app.player.host import _Speaking
from lrbn_viz.app.player.packing import pack, pack_models
from lrbn_viz.app.player.source import module_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

GENERATOR_PARTS = (
    "host",
    "decode",
    "theme",
    "dom",
    "draw",
    "scrub",
    "clock",
    "passes",
    "pass_lane",
    "pass_transport",
    "walk",
    "generate",
)
LANES = ("LRBN", "RBM")


class Generator(_Speaking):
    """Passes of both models, and the walk between two codes, in the browser.

    Attributes
    ----------
    models, passes, walks : bytes
        What `models_of`, `passes_of` and `walks_of` return.
    """

    models = param.Bytes(default=b"")
    passes = param.Bytes(default=b"")
    walks = param.Bytes(default=b"")

    _esm: ClassVar[str] = module_text(GENERATOR_PARTS)

    # What the browser may say: the name and type of each argument, in the callback's order.
    _WORDS: ClassVar[dict[str, dict[str, type]]] = {
        "cursor": {"shown": int, "step": int},
        "hold": {"lane": int, "unit": int, "state": str},
        "more": {},
        "walk": {"start": str, "end": str, "way": str},
        "walked": {"at": int},
        "narrow": {},
    }

    def __init__(self, answers: dict[str, Callable[..., None]], **params: Any) -> None:
        super().__init__(**params)
        self._answers = answers

    def _handle_msg(self, data: Any) -> None:
        kind = str(data.get("type")) if isinstance(data, dict) else ""
        words = self._WORDS.get(kind)
        if words is None:
            return
        values = [data.get(name) for name in words]
        if all(isinstance(value, kind) for value, kind in zip(values, words.values(), strict=True)):
            self._answers[kind](*values)


def models_of(generation: Generation) -> bytes:
    """Pack the weights of both models."""
    return pack_models(dict(zip(LANES, generation.models, strict=True)), generation.dataset.image_shape)


def passes_of(generation: Generation) -> bytes:
    """Pack what both models drew, with the nearest training images; about 1 kB a pass."""
    data = generation.dataset
    arrays: dict[str, NDArray] = {}
    lanes = []
    everything = zip(
        LANES, generation.models, generation.drawn, generation.nearest, generation.holds, strict=True
    )
    for lane, (title, model, passes, near, held) in enumerate(everything):
        arrays[f"{lane}.h"] = np.packbits(passes.H, axis=1)
        arrays[f"{lane}.x"] = np.packbits(passes.X, axis=1)
        arrays[f"{lane}.uniform"] = (passes.uniforms * 65536).astype(np.uint16)
        arrays[f"{lane}.near"] = np.packbits(data.train_X[near.row], axis=1)
        arrays[f"{lane}.row"] = near.row.astype(np.uint32)
        arrays[f"{lane}.label"] = data.train_y[near.row].astype(np.uint16)
        arrays[f"{lane}.distance"] = near.distance.astype(np.uint16)
        if passes.x0 is not None:
            arrays[f"{lane}.x0"] = np.packbits(passes.x0)
        lanes.append(
            {
                "title": title,
                "chain": passes.x0 is not None,
                "flat": title == "LRBN" and not np.any(model.params_.d),
                "held": {str(unit): state for unit, state in held.items()},
            }
        )
    begins = "noise" if generation.begin == "noise" else f"test image {generation.index}"
    meta = {
        "kind": "passes",
        "lanes": lanes,
        "passes": generation.passes,
        "begins": begins,
        "class_names": list(data.class_names),
        "dataset": data.name,
        "n_train": len(data.train_X),
        "shown": generation.shown,
        "step": generation.step,
        # what the passes are of: while it is the same, the browser's own cursor stays
        "key": f"{generation.lrbn} {generation.seed} {begins}",
    }
    return pack(meta, arrays)


def walks_of(generation: Generation) -> bytes:
    """Pack the walk of both models; pictures on the way are made from the weights in the browser."""
    arrays: dict[str, NDArray] = {}
    lanes = []
    for lane, (walk, images) in enumerate(zip(generation.walks, generation.end_images(), strict=True)):
        arrays[f"{lane}.start"] = np.packbits(walk.H[0].astype(np.uint8))
        arrays[f"{lane}.end"] = np.packbits(walk.H[-1].astype(np.uint8))
        arrays[f"{lane}.unit"] = np.maximum(walk.unit, 0).astype(np.uint16)
        arrays[f"{lane}.log_joint"] = walk.log_joint.astype(np.float32)
        arrays[f"{lane}.images"] = np.packbits(np.array(images, np.uint8), axis=1)
        lanes.append({"title": LANES[lane], "steps": len(walk.unit)})
    data = generation.dataset
    meta = {
        "kind": "walks",
        "lanes": lanes,
        "from": generation.walk_from,
        "to": generation.walk_to,
        "way": generation.walk_way,
        "ways": list(WAYS.items()),
        "at": generation.walk_at,
        "n_test": len(data.test_X),
        "passes": generation.passes,
    }
    return pack(meta, arrays)
