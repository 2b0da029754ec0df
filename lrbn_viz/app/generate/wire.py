"""Conversion of the Generate page's state to blocks of bytes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.shared.menus import FACTORISED
from lrbn_viz.app.shared.weights import models_block
from lrbn_viz.datasets import Dataset
from lrbn_viz.io.constants import WALK_WAYS
from lrbn_viz.view.player.greyscale import shades
from lrbn_viz.view.player.wire import pack


def models_of(generation: GenerateState) -> bytes:
    """Pack the weights of both models."""
    return models_block(dict(generation.lanes), generation.dataset.image_shape)


def _images(X: NDArray, data: Dataset) -> NDArray:
    """Return images in the format of the block: packed bits for binary ones, else float32."""
    return np.packbits(X.astype(np.uint8), axis=-1) if data.binary else X.astype(np.float32)


def _shades(data: Dataset) -> dict[str, NDArray]:
    """Return the conversion of real values to shares of ink by its name in a block; empty for binary ones."""
    grey = shades(data)
    return {} if grey is None else {"shades": grey}


def passes_of(generation: GenerateState) -> bytes:
    """Pack the samples of both models with the nearest training images; about 2 kB per binary pass.

    Probabilities are those with which the model drew, so that the page need not compute them.
    """
    data = generation.dataset
    arrays = _shades(data)
    lanes = []
    everything = zip(
        generation.lanes,
        generation.titles,
        generation.drawn,
        generation.nearest,
        generation.holds,
        strict=True,
    )
    for lane, ((name, model), title, passes, near, held) in enumerate(everything):
        arrays[f"{lane}.h"] = np.packbits(passes.H, axis=1)
        arrays[f"{lane}.x"] = _images(passes.X, data)
        arrays[f"{lane}.uniform"] = (passes.uniforms * 65536).astype(np.uint16)
        arrays[f"{lane}.p"] = passes.probabilities.astype(np.float32)
        arrays[f"{lane}.near"] = _images(data.filled(data.train_X[near.row]), data)
        arrays[f"{lane}.row"] = near.row.astype(np.uint32)
        arrays[f"{lane}.label"] = data.train_y[near.row].astype(np.uint16)
        arrays[f"{lane}.distance"] = near.distance.astype(np.uint16 if data.binary else np.float32)
        if passes.x0 is not None:
            arrays[f"{lane}.x0"] = _images(passes.x0, data)
        lanes.append(
            {
                "model": name,
                "title": title,
                "chain": passes.x0 is not None,
                "state": model.chain_state,
                "sizes": list(model.pass_sizes),
                "latents": model.n_latents_,
                "same": name.startswith(FACTORISED),
                "flat": model.graph == "directed"
                and len(model.layers) == 1
                and not np.any(model.layers[0].d),
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
        "shown": generation.shown,
        "step": generation.step,
        # identifies the passes: the browser keeps its cursor while it is the same
        "key": f"{generation.model_name} {generation.rival_name} {generation.seed} {begins}",
    }
    return pack(meta, arrays)


def walks_of(generation: GenerateState) -> bytes:
    """Pack the interpolation of both models; the browser computes its pictures from the weights."""
    data = generation.dataset
    arrays = _shades(data)
    lanes = []
    named = zip(generation.lanes, generation.titles, strict=True)
    everything = zip(named, generation.walks, generation.end_images(), strict=True)
    for lane, (((name, model), title), walk, images) in enumerate(everything):
        arrays[f"{lane}.start"] = np.packbits(walk.H[0].astype(np.uint8))
        arrays[f"{lane}.end"] = np.packbits(walk.H[-1].astype(np.uint8))
        arrays[f"{lane}.unit"] = np.maximum(walk.unit, 0).astype(np.uint16)
        arrays[f"{lane}.log_joint"] = walk.log_joint.astype(np.float32)
        arrays[f"{lane}.images"] = _images(np.array(images), data)
        constant = model.graph != "directed"  # what its joint is known up to
        lanes.append({"model": name, "title": title, "steps": len(walk.unit), "constant": constant})
    meta = {
        "kind": "walks",
        "lanes": lanes,
        "from": generation.walk_from,
        "to": generation.walk_to,
        "way": generation.walk_way,
        "ways": list(WALK_WAYS.items()),
        "at": generation.walk_at,
        "n_test": len(data.test_X),
        "passes": generation.passes,
    }
    return pack(meta, arrays)
