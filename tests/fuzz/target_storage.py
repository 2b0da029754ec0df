"""Files that this package writes and reads: models, traces, and checkpoints with sums that are right."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import mutate
from fuzz.harness import Target, scratch
from hypothesis import strategies

from lrbn_viz import LRBN, RBM, ICMTrace, load_model
from lrbn_viz.app.train.model_files import MODEL_BUDGET
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

_MAGIC = b"LRBN run 1\n"


def _file() -> Path:
    return scratch() / "file"


Arrays = dict[str, np.ndarray]


# -- arrays by name, edited, and packed again


def arrays_of(content: bytes) -> Arrays:
    with np.load(io.BytesIO(content)) as archive:
        return dict(archive)


def packed(arrays: Arrays) -> bytes:
    return mutate.zipped({f"{name}.npy": mutate.npy(array) for name, array in arrays.items()})


def arrays_edited(rng: mutate.Random, content: bytes) -> bytes:
    """Return an archive with one to three arrays changed, dropped, added or put in others' places."""
    arrays = arrays_of(content)
    for _ in range(int(rng.integers(1, 4))):
        if not arrays:
            break
        name = mutate.pick(rng, list(arrays))
        way = int(rng.integers(8))
        if way == 0:
            del arrays[name]
        elif way == 1:
            arrays[mutate.pick(rng, (name + "2", name[:-1] + "9", "classes", "W7", "extra/a"))] = arrays[name]
        elif way == 2:
            arrays[name] = arrays[mutate.pick(rng, list(arrays))]
        elif arrays[name].dtype.kind == "U" and arrays[name].ndim == 0:
            arrays[name] = np.array(_text_edited(rng, str(arrays[name])))
        else:
            arrays[name] = _array_edited(rng, arrays[name])
    return packed(arrays)


def _text_edited(rng: mutate.Random, text: str) -> str:
    if text[:1] in ("{", "[") and rng.random() < 0.85:
        with contextlib.suppress(ValueError, RecursionError):  # edited before
            return json.dumps(mutate.edited(rng, json.loads(text)))
    edited = mutate.damaged(rng, [text.encode()]).decode("utf-8", "ignore").replace("\0", "")
    return mutate.pick(rng, (edited, "[" * 50_000, "null", "[]", '{"a": 1e999}', "9" * 3000, "LRBN", "RBM"))


def _array_edited(rng: mutate.Random, array: np.ndarray) -> np.ndarray:
    way = int(rng.integers(6))
    if way == 0:
        kinds = ("u1", "i1", "i4", "u8", "f2", "f4", "f8", "?", "U3", "S2", "c8", ">f8")
        with np.errstate(all="ignore"), contextlib.suppress(ValueError):  # a word that is no number
            return array.astype(mutate.pick(rng, kinds))
        return array.astype("S")
    if way == 1:
        shapes = ((), (0,), (1,), (0, 0), (1, array.size), (array.size,), (array.size + 1,), (2, 3, 4))
        return np.resize(array, mutate.pick(rng, shapes))
    if way == 2:
        return array[:-1] if array.ndim else array[None]
    if way == 3:
        return array[None] if rng.random() < 0.5 else array.T
    if way == 4 and array.dtype.kind in "iuf" and array.size:
        changed, at = array.copy(), int(rng.integers(array.size))
        values = (0, 1, -1, 2, 255, 2**31, -(2**31), 1e308, np.nan, np.inf, -np.inf)
        with np.errstate(all="ignore"):
            changed.reshape(-1)[at] = np.float64(mutate.pick(rng, values)).astype(array.dtype)
        return changed
    return np.array(mutate.pick(rng, (0, 6_000_000, -1, 2**62, 0.5, np.nan, True, "word")))


def _an_archive(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    way = rng.random()
    if way < 0.5:
        return arrays_edited(rng, mutate.pick(rng, corpus))
    if way < 0.8:
        edit = mutate.npy_edited if rng.random() < 0.7 else mutate.flip_bits
        return mutate.zip_edited(rng, mutate.pick(rng, corpus), edit)
    return mutate.damaged(rng, corpus)


# -- models


def _parameters(n_v: int, n_h: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(n_v, n_h)), rng.normal(size=n_v), rng.normal(size=n_h)


def _content(save: Callable[..., object], **how: Any) -> bytes:
    save(_file(), **how)
    return _file().read_bytes()


def _models() -> Sequence[bytes]:
    deep = LRBN.from_layers([_parameters(6, 3), _parameters(3, 2)])
    classes = LRBN.from_layers([_parameters(6, 3), _parameters(3, 2)], classes=["a", "b"])
    return [
        _content(LRBN.from_params(*_parameters(6, 3)).save),
        _content(RBM.from_params(*_parameters(6, 3), visible="gaussian").save, dtype=np.float16),
        _content(deep.save, provenance={"data": "digits", "passes": 3}),
        _content(classes.save, dtype=np.float32),
    ]


def _read_model(content: bytes) -> None:
    load_model(io.BytesIO(content), budget=MODEL_BUDGET)
    load_model(io.BytesIO(content))


# -- traces


def _traces() -> Sequence[bytes]:
    x = (np.random.default_rng(1).random(6) < 0.5).astype(np.uint8)
    deep = LRBN.from_layers([_parameters(6, 3), _parameters(3, 2)])
    models = [LRBN.from_params(*_parameters(6, 3)), RBM.from_params(*_parameters(6, 3)), deep]
    whole = [_content(model.map_trace(x).save) for model in models]
    grey = LRBN.from_params(*_parameters(6, 3), visible="gaussian").map_trace(x + 0.5)
    return [*whole, _content(grey.save)]


def _read_trace(content: bytes) -> None:
    _file().write_bytes(content)
    trace = ICMTrace.load(_file())
    with np.errstate(all="ignore"):  # the parameters may be any finite numbers
        trace.latents(trace.n_visits)
        trace.reconstruction(trace.n_visits)
        trace.wrong_pixels()


# -- checkpoints

_SYSTEMS: tuple[Any, ...] = (
    HardEM(3, average=0.5),
    HardEM(3, persistent=True, momentum=0.5),
    RBMSystem(3, n_particles=4),
)
_X = (np.random.default_rng(2).random((20, 6)) < 0.5).astype(np.uint8)


def _run(system: Any) -> Training:
    rngs: Any = {"rng": np.random.default_rng(0), "shuffler": np.random.default_rng(1)}
    return Training(system, _X, n_iter=3, batch_size=6, validation=_X[:5], patience=2, **rngs)


def _checkpoints() -> Sequence[bytes]:
    """Contents without their mark and sum: these are made anew, so that they are right."""
    found = []
    for number, system in enumerate(_SYSTEMS):
        run = _run(system)
        for _ in range(7):
            next(run)
        extra = {"lane/curve": np.zeros((2, 3))}
        save_checkpoint(_file(), {"lane": run}, {"system": number, "data": "digits"}, extra)
        found.append(_file().read_bytes()[len(_MAGIC) + 32 :])
    return found


def _read_checkpoint(raw: bytes) -> None:
    sum_ = hashlib.sha256(raw).digest()
    if raw.endswith(b"wrong sum"):
        sum_ = sum_[::-1]
    _file().write_bytes(_MAGIC + sum_ + raw)
    found = load_checkpoint(_file())
    number = found.config.get("system")
    run = _run(_SYSTEMS[number if type(number) is int and 0 <= number < len(_SYSTEMS) else 0])
    found.extra("lane")
    run.restore(found.snapshot("lane", run.state))


def _a_checkpoint(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    return _an_archive(rng, corpus) + (b"wrong sum" if rng.random() < 0.02 else b"")


# -- whatever else bytes can be


def _headers() -> Any:
    """Archives of one array whose header is written by hand: any type, shape and length."""
    numbers = strategies.integers(0, 2**70) | strategies.sampled_from([0, 1, 2, 3, 2**31, 2**62])
    shapes = strategies.lists(numbers, max_size=6).map(lambda shape: str(tuple(shape)))
    types = strategies.sampled_from(["<f8", "<f2", "|b1", "<U1", "<U0", "|S0", "|O", "<c8", "|V4", "<i8"])
    digits = strategies.integers(0, 10**9).map(lambda n: f"<f{n}")
    texts = strategies.tuples(types | digits, shapes, strategies.booleans(), strategies.binary(max_size=80))

    def made(parts: tuple[str, str, bool, bytes]) -> bytes:
        descr, shape, fortran, data = parts
        text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
        return mutate.zipped({"kind.npy": b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + data})

    return texts.map(made) | strategies.binary(max_size=400)


TARGETS = [
    Target("model file", _read_model, (UnreadableFile,), _models, _an_archive),
    Target("model file by header", _read_model, (UnreadableFile,), _models, strategy=_headers),
    Target("trace", _read_trace, (UnreadableFile,), _traces, _an_archive),
    Target("checkpoint", _read_checkpoint, (UnreadableFile, ValueError), _checkpoints, _a_checkpoint),
]
