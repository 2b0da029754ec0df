"""Five hundred stored runs cost the page's thread nothing that anybody notices."""

import json
import time

from lrbn_viz.app.train.state import TrainState
from lrbn_viz.runs import LaneConfig, RunConfig
from lrbn_viz.runs.registry import RunRegistry
from lrbn_viz.runs.stored import RunFile


def test_a_refresh_with_500_runs_takes_the_pages_thread_less_than_a_frame(tmp_path, monkeypatch):
    monkeypatch.setattr("lrbn_viz.app.train.state.LIST_SECONDS", 0.0)  # at every turn, not every two seconds
    config = RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})})
    for n in range(500):
        (tmp_path / f"run-{n}").mkdir()
        (tmp_path / f"run-{n}" / "run.json").write_text(json.dumps(RunFile(config, 1e9 + n).to_json()))
        (tmp_path / f"run-{n}" / "checkpoint").write_bytes(b"0")
    registry = RunRegistry(tmp_path)
    state = TrainState(registry)
    spent = []
    deadline = time.monotonic() + 60
    while len(state.stored) < 500 or len(spent) < 200:
        began = time.thread_time()
        state.poll()
        spent.append(time.thread_time() - began)
        assert time.monotonic() < deadline
        time.sleep(0.005)
    first = state.stored
    assert sum(spent) / len(spent) < 0.002
    assert max(spent) < 0.03
    began = time.thread_time()
    registry._store.read()
    assert time.thread_time() - began < 0.2, "what has not changed is not read again"
    registry.refresh().result(60)
    state.poll()
    assert state.stored is first, "the page is told nothing where nothing has changed"
    registry.close()
    print(
        f"mean {1e3 * sum(spent) / len(spent):.2f} ms, worst {1e3 * max(spent):.2f} ms of the page's thread"
    )
