"""The copy of own data in a run's folder: damaged, and forged with right sums."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from fuzz import mutate
from fuzz.harness import Target, scratch

from lrbn_viz.datasets import read_dataset, store_dataset, stored_dataset
from lrbn_viz.io.storage import UnreadableFile

_MAGIC = b"LRBN data 1\n"


def _path() -> Path:
    return scratch() / "dataset"


def _copies() -> Sequence[bytes]:
    rng = np.random.default_rng(0)
    file = io.BytesIO()
    np.savez(file, X=rng.integers(0, 256, (24, 4, 3), dtype=np.uint8), y=np.arange(24) % 3)
    copies = []
    for binary in (True, False):
        store_dataset(read_dataset(file.getvalue(), filename="mine.npz", binary=binary), _path())
        copies.append(_path().read_bytes())
    return copies


def _described_otherwise(rng: mutate.Random, array: bytes) -> bytes:
    """Edit the text of the description, or the array if it is another."""
    try:
        text = json.dumps(mutate.edited(rng, json.loads(str(np.load(io.BytesIO(array))))))
    except Exception:  # another array, or one that was edited before
        return mutate.npy_edited(rng, array)
    if rng.random() < 0.2:
        text = mutate.damaged(rng, [text.encode()]).decode("utf-8", "replace")
    return mutate.npy(np.array(text))


def _a_copy(rng: mutate.Random, corpus: Sequence[bytes]) -> bytes:
    if rng.random() < 0.1:
        return mutate.damaged(rng, corpus)
    raw = mutate.pick(rng, corpus)[len(_MAGIC) + 32 :]
    raw = (
        mutate.zip_edited(rng, raw, _described_otherwise)
        if rng.random() < 0.8
        else mutate.damaged(rng, [raw])
    )
    return _MAGIC + hashlib.sha256(raw).digest() + raw


def _read(content: bytes) -> None:
    _path().write_bytes(content)
    data = stored_dataset(_path())
    # What is accepted is whole: whoever trains on it looks at no more than this.
    assert data.info.n_train == len(data.train_y)
    assert data.train_X.shape[1] == data.test_X.shape[1] == data.image_shape[0] * data.image_shape[1]


TARGETS = [Target("stored data", _read, (UnreadableFile,), _copies, _a_copy)]
