"""Five hundred stored runs cost the page's thread nothing that anybody notices."""

import gc
import json
import os
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from app.training import wait_for

from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs import LaneConfig, RunConfig
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.studies.runs.stored import RunFile


@pytest.fixture
def no_garbage() -> Iterator[None]:
    """No search for garbage among the objects of all tests: a server spares what it has imported, too."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.slow
def test_a_refresh_with_500_runs_takes_the_pages_thread_less_than_a_frame(tmp_path, monkeypatch, no_garbage):
    monkeypatch.setattr("lrbn_viz.app.train.state.LIST_SECONDS", 0.0)  # at every turn, not every two seconds
    config = RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})})
    for n in range(500):
        (tmp_path / f"run-{n}").mkdir()
        (tmp_path / f"run-{n}" / "run.json").write_text(json.dumps(RunFile(config, 1e9 + n).to_json()))
        (tmp_path / f"run-{n}" / "checkpoint").write_bytes(b"0")
    asked: Counter[str] = Counter()  # what is asked of the disk, by the name of the thread that asks

    def counting(real: Any, *arguments: Any, **how: Any) -> Any:
        asked[threading.current_thread().name] += 1
        return real(*arguments, **how)

    for name in ("open", "stat", "lstat", "scandir", "listdir"):
        monkeypatch.setattr(os, name, partial(counting, getattr(os, name)))
    registry = RunRegistry(tmp_path)
    state = TrainState(registry)
    spent: list[float] = []

    def polled() -> bool:
        began = time.thread_time()
        state.poll()
        spent.append(time.thread_time() - began)
        return len(state.stored) == 500 and len(spent) >= 200

    wait_for(polled)
    first = state.stored
    assert asked.total() > 1000
    assert asked[threading.current_thread().name] == 0, "a page's thread waits for no disk"
    assert np.median(spent) < 0.002
    assert np.percentile(spent, 90) < 0.03
    registry.refresh().result(60)
    state.poll()
    assert state.stored is first, "the page is told nothing where nothing has changed"
    registry.close()
