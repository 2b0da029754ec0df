"""Folders of runs: whatever one holds, it is listed or opened in words, and the others are as they were."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fuzz import mutate
from fuzz.harness import Target
from fuzz.target_storage import arrays_edited

from lrbn_viz import read_dataset
from lrbn_viz.app.train.panel import _offer
from lrbn_viz.app.visitors.runs import VisitorRuns
from lrbn_viz.app.visitors.who import Visitor
from lrbn_viz.datasets import DATASETS
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.studies.runs import (
    LaneConfig,
    Run,
    RunBusy,
    RunConfig,
    RunLock,
    StoredRuns,
    busy_runs,
    is_run_name,
)
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.studies.runs.trash import move_to_trash, restore

_MAGIC = {"checkpoint": b"LRBN run 1\n", "dataset": b"LRBN data 1\n"}
_SUM = 32  # bytes
_GOOD: dict[str, bytes] = {}
_NAMES = (
    "a",
    "digits-20260101-120000",
    "good2",
    "x" * 200,
    "x" * 230,
    "é",
    "a b",
    "-",
    ".a",
    "\udcff",
    "a\nb",
)
_KINDS = ("missing", "folder", "link", "loop", "pipe", "empty")

Case = dict[str, Any]
"""What lies in a folder: its name, its files by name (bytes, or one of the `_KINDS`), and the lock's kind."""


def _corpus() -> Sequence[Case]:
    with tempfile.TemporaryDirectory() as scratch:
        rng = np.random.default_rng(0)
        data_file = Path(scratch) / "mine.npz"
        np.savez(data_file, X=(rng.random((60, 4, 4)) < 0.4).astype(np.uint8), y=np.arange(60) % 3)
        data = read_dataset(data_file)
        lanes = {
            "LRBN": LaneConfig("LRBN", {"n_components": 3, "momentum": 0.5, "average": 0.5}),
            "RBM": LaneConfig("RBM", {"n_components": 3, "n_particles": 4}),
        }
        chains = {"LRBN": LaneConfig("LRBN", {"n_components": 3, "e_step": "gibbs", "persistent": True})}
        cases = []
        for number, each in enumerate((lanes, chains)):
            run = Run(RunConfig(data.name, each, n_iter=3, seed=3), data, Path(scratch) / f"{number}")
            run.advance(3 * len(each))
            run.save()
            run.stop()
            files = {path.name: path.read_bytes() for path in (Path(scratch) / f"{number}").iterdir()}
            cases.append({"name": "odd", "files": files, "lock": ""})
    _GOOD.update(cases[0]["files"])
    return cases


def _forged(name: str, content: bytes) -> bytes:
    """Return a file of arrays with a sum that is right."""
    return _MAGIC[name] + hashlib.sha256(content).digest() + content


def _make(rng: mutate.Random, corpus: Sequence[Case]) -> Case:
    case = mutate.pick(rng, corpus)
    files: dict[str, Any] = dict(case["files"])
    name, lock = case["name"], ""
    for _ in range(int(rng.integers(1, 3))):
        way = int(rng.integers(10))
        part = mutate.pick(rng, ("run.json", "checkpoint", "dataset"))
        content = files[part]
        if isinstance(content, str):
            continue
        if way < 3:
            try:
                said = mutate.edited(rng, json.loads(files["run.json"]))
            except (ValueError, TypeError, RecursionError):  # edited before, into none
                continue
            files["run.json"] = json.dumps(said).encode()
        elif way == 3:
            files[part] = mutate.damaged(rng, [content])
        elif way < 7 and part in _MAGIC and content.startswith(_MAGIC[part]):
            raw = content[len(_MAGIC[part]) + _SUM :]
            try:
                files[part] = _forged(part, arrays_edited(rng, raw))
            except Exception:  # edited before, into no archive
                continue
        elif way == 7:
            files[part] = mutate.pick(rng, _KINDS)
        elif way == 8:
            name = mutate.pick(rng, _NAMES)
        else:
            lock = mutate.pick(rng, ("file", "link", "folder", "loop", "odd", "ours"))
    return {"name": name, "files": files, "lock": lock}


def _put(path: Path, content: bytes | str) -> None:
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content == "folder":
        path.mkdir()
    elif content == "link":
        path.symlink_to("/dev/zero")
    elif content == "loop":
        path.symlink_to(path)
    elif content == "pipe":
        os.mkfifo(path)
    elif content == "empty":
        path.touch()


def _lay(runs: Path, case: Case) -> str:
    """Make the folder, and return its name as far as the system takes it."""
    name = case["name"]
    (runs / name).mkdir()
    for file, content in case["files"].items():
        _put(runs / name / file, content)
    locks = runs / ".locks"
    if case["lock"] in ("file", "link", "loop"):
        _put(locks, b"" if case["lock"] == "file" else case["lock"])
    elif case["lock"] == "folder":
        (locks / f"{name}.lock").mkdir(parents=True)
    elif case["lock"] == "odd":
        locks.mkdir()
        (locks / "\udcfe.lock").touch()
        (locks / f"{name}.lock").symlink_to("/dev/zero")
    return name


def _run(case: Case) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        runs = Path(scratch)
        (runs / "good").mkdir()
        for file, content in _GOOD.items():
            (runs / "good" / file).write_bytes(content)
        store = StoredRuns(runs)
        (good,) = store.read()
        name = _lay(runs, case)
        held = RunLock(runs, name)
        if case["lock"] == "ours" and is_run_name(name):
            held.acquire()
        busy = busy_runs(runs)
        found = {run.name: run for run in store.read()}
        assert found["good"] == good, "what lies beside a run changes nothing of it"
        assert good.config is not None
        registry = RunRegistry(runs)
        owner, other = VisitorRuns(registry), VisitorRuns(registry, Visitor("somebody"))
        for run in found.values():
            offer = _offer(run._replace(busy=run.name in busy), owner, DATASETS)
            json.dumps(offer, ensure_ascii=False).encode()
            assert bool(run.error) is (run.config is None)
            assert not (run.error and offer["can_open"])
            assert scratch not in run.error
            refused = _offer(run, other, DATASETS)
            assert not any(refused[each] for each in ("owned", "can_open", "can_end", "can_delete"))
        assert store.read() == list(found.values())
        if is_run_name(name):
            _lock(runs, name, case["lock"] == "ours")
            _delete(runs, name)
        held.release()
        if (runs / name).is_dir():
            Run.resume(runs / name)


def _lock(runs: Path, name: str, is_held: bool) -> None:
    lock = RunLock(runs, name)
    try:
        lock.acquire()
    except RunBusy:
        assert is_held
    except OSError:  # there can be no lock here
        return
    else:
        assert not is_held
    lock.release()


def _delete(runs: Path, name: str) -> None:
    deleted = move_to_trash(runs, name)
    assert name not in {run.name for run in StoredRuns(runs).read()}
    assert restore(runs, deleted.key) == name


TARGETS = [
    Target(
        "runs: folders",
        _run,
        errors=(ValueError, TypeError, FileNotFoundError, UnreadableFile),
        corpus=_corpus,
        make=_make,
    )
]
