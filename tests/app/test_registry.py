"""The registry pauses, ends, wakes and finds runs by who watches them."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from app.training import wait_for
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from lrbn_viz import load_dataset
from lrbn_viz.io.storage import runs_folder
from lrbn_viz.studies.runs import UNDO_SECONDS, LaneConfig, Parent, RunConfig, Tick
from lrbn_viz.studies.runs.registry import ROOM_SECONDS, TICKS_STORED, LiveRun, RunRegistry


def config(**how: Any) -> RunConfig:
    settings: dict[str, Any] = {"n_iter": 100_000, "seed": 3} | how
    return RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})}, **settings)


class Tab:
    """A page that is open until it is closed."""

    def __init__(self) -> None:
        self.open = True
        self.asked = 0

    def __call__(self) -> bool:
        self.asked += 1
        return self.open

    def looked_at(self) -> None:
        """Wait until the registry has looked after this page's run: it has once it asks a second time."""
        before = self.asked
        wait_for(lambda: self.asked >= before + 2)


class Clock:
    """The module `time`, with a clock that is set."""

    now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


@pytest.fixture
def clock(monkeypatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("lrbn_viz.studies.runs.registry.time", clock)
    return clock


PAUSE, END = 10.0, 30.0


@pytest.fixture
def registry(tmp_path, clock) -> Iterator[RunRegistry]:
    registry = RunRegistry(tmp_path, pause_seconds=PAUSE, end_seconds=END, probe_seconds=0.5)
    yield registry
    registry.close()


def begin(registry: RunRegistry, tab: Tab, **how: Any) -> LiveRun:
    live = registry.start(config(**how), load_dataset("digits"))
    registry.attach(live, tab)
    live.run.start()
    wait_for(lambda: live.run.step > 3)
    return live


def test_a_run_whose_tab_is_closed_is_paused_then_put_on_disk_and_its_thread_ends(registry, clock):
    tab = Tab()
    live = begin(registry, tab)
    clock.now += 1e6
    tab.looked_at()
    assert live.run.job.status == "running", "while the tab is open nothing happens to it"
    tab.open = False
    tab.looked_at()
    clock.now += PAUSE
    wait_for(lambda: live.run.job.status == "paused")
    assert live.run.job.alive
    clock.now += END - PAUSE
    wait_for(lambda: not live.run.job.alive)
    assert registry.live(live.name) is None
    (stored,) = registry.stored_runs()
    assert (stored.name, stored.live) == (live.name, "")
    assert live.run.saved_step == live.run.step
    again = registry.resume(live.name, lambda config: load_dataset(config.dataset))
    np.testing.assert_array_equal(again.run.model("RBM").layers[0].W, live.run.model("RBM").layers[0].W)


def test_a_run_is_paused_and_ended_when_it_has_been_alone_for_so_long_and_not_before(tmp_path, clock):
    registry = RunRegistry(tmp_path, pause_seconds=1000.0, end_seconds=3000.0)
    tab = Tab()
    live = begin(registry, tab)
    registry._look_after(live, clock.now + 1e6)
    assert live.run.job.status == "running", "it is watched"
    tab.open = False
    wait_for(lambda: live.left_alone is not None)
    alone_since = live.left_alone
    assert alone_since is not None
    for seconds, paused in ((0.0, False), (999.9, False), (1000.1, True), (2999.9, True)):
        registry._look_after(live, alone_since + seconds)
        assert live.paused_unwatched is paused
        assert registry.live(live.name) is live
    wait_for(lambda: live.run.job.status == "paused")
    registry._look_after(live, alone_since + 3000.1)
    assert not live.run.job.alive
    assert registry.live(live.name) is None
    registry.close()


def test_a_tab_that_comes_back_in_time_finds_its_run_going_on(registry, clock):
    tab = Tab()
    live = begin(registry, tab)
    tab.open = False
    tab.looked_at()
    clock.now += PAUSE
    wait_for(lambda: live.run.job.status == "paused")
    tab.open = True
    wait_for(lambda: live.run.job.status == "running")


def test_what_a_visitor_paused_stays_paused_when_he_comes_back(registry, clock):
    tab = Tab()
    live = begin(registry, tab)
    live.run.pause()
    tab.open = False
    tab.looked_at()
    clock.now += PAUSE
    tab.looked_at()
    tab.open = True
    tab.looked_at()
    assert live.run.job.status == "paused"


def test_a_run_that_was_asked_to_carries_on_and_can_be_watched_from_another_tab(registry, clock):
    first, second = Tab(), Tab()
    live = begin(registry, first)
    live.carry_on = True
    first.open = False
    first.looked_at()
    clock.now += 2 * END
    first.looked_at()
    assert live.run.job.status == "running"
    before = live.run.step
    found = registry.resume(live.name, load_dataset)
    assert found is live
    registry.attach(found, second)
    assert registry.stored_runs()[0].watched
    wait_for(lambda: live.run.step > before)


def test_a_watcher_that_raises_counts_as_gone(registry, clock):
    def broken():
        raise RuntimeError("the session is being torn down")

    live = registry.start(config(), load_dataset("digits"))
    live.run.start()
    registry.attach(live, broken)
    wait_for(lambda: live.left_alone is not None)
    clock.now += END
    wait_for(lambda: not live.run.job.alive)


def test_several_viewers_hear_every_step_in_order_and_one_who_is_late_is_told_so(registry):
    live = registry.start(config(n_iter=1), load_dataset("digits"))
    registry.attach(live, Tab())
    live.run.start()
    heard: list[list[int]] = [[], []]
    after = [0, 0]
    turn = 0
    while not live.run.job.ended or turn % 2 or turn < 4:
        viewer = turn % 2
        said = live.listen(after[viewer])
        after[viewer] = said.upto
        assert not said.missed
        heard[viewer] += [tick.event.step for tick in said.ticks]
        turn += 1
    for viewer in (0, 1):
        said = live.listen(after[viewer])
        heard[viewer] += [tick.event.step for tick in said.ticks]
        assert heard[viewer] == list(range(1, live.run.step + 1))
    live._events.clear()
    assert live.listen(0).missed


def test_many_steps_that_nobody_hears_take_no_more_room(registry):
    live = begin(registry, Tab(), batch_size=1, n_iter=100)
    live.carry_on = True
    wait_for(lambda: live.run.step > TICKS_STORED + 500)
    said = live.listen(0)
    assert said.missed
    assert len(said.ticks) <= TICKS_STORED
    assert isinstance(said.ticks[-1], Tick)
    lane = live.run.lanes["RBM"]
    assert len(lane.history) <= lane.history.most
    assert all(len(curve) < 2048 for curve in lane.curves.values())


def test_a_run_is_deleted_unless_a_page_watches_it(registry, tmp_path):
    tab = Tab()
    live = begin(registry, tab)
    live.run.save()
    with pytest.raises(ValueError, match="open on a page"):
        registry.delete(live.name)
    registry.detach(live, tab)
    deleted = registry.delete(live.name)
    assert registry.stored_runs() == []
    assert sorted(path.name for path in tmp_path.iterdir()) == [".locks", ".trash"]
    assert list((tmp_path / ".locks").iterdir()) == []
    assert live.run.job.join(60)
    assert registry.deleted()[0].key == deleted.key


def test_a_deleted_run_comes_back_as_it_was_also_under_another_keeper(registry, tmp_path):
    tab = Tab()
    live = begin(registry, tab)
    live.run.pause()
    registry.detach(live, tab)
    key = registry.delete(live.name).key
    learned = live.run.model("RBM").layers[0].W  # nothing of it was put on disk before
    with pytest.raises(FileNotFoundError, match="no run called"):
        registry.resume(live.name, lambda config: load_dataset(config.dataset))
    later = RunRegistry(tmp_path)
    (found,) = later.deleted()
    assert (found.key, found.name) == (key, live.name)
    assert later.restore(key) == (live.name, live.name)
    again = later.resume(live.name, lambda config: load_dataset(config.dataset))
    np.testing.assert_array_equal(again.run.model("RBM").layers[0].W, learned)
    later.close()


def test_what_was_deleted_is_removed_in_time_without_being_asked(registry, clock, tmp_path, monkeypatch):
    tab = Tab()
    live = begin(registry, tab)
    registry.detach(live, tab)
    registry.delete(live.name)
    assert len(list((tmp_path / ".trash").iterdir())) == 1
    monkeypatch.setattr("lrbn_viz.studies.runs.trash.UNDO_SECONDS", 0.0)  # as if that time were over
    clock.now += UNDO_SECONDS + 1.0
    wait_for(lambda: list((tmp_path / ".trash").iterdir()) == [])
    assert registry.deleted() == []


def test_a_branch_is_a_run_of_its_own_beside_its_parent(registry):
    tab = Tab()
    live = begin(registry, tab)
    wait_for(lambda: live.run.step > 25)
    live.run.pause()
    branch = registry.branch(live, 20)
    assert branch.name != live.name
    assert registry.live(live.name) is live
    assert branch.run.config.parent == Parent(live.name, 20)
    assert branch.parent is not None
    steps, _ = branch.parent.curves["RBM"]["seconds"]
    assert steps[-1] > 20, "all of its parent's past"
    kept = {stored.name: stored for stored in registry.stored_runs()}
    assert kept[branch.name].config.parent == Parent(live.name, 20)
    assert kept[branch.name].bytes > 0
    assert kept[live.name].bytes > 0


def test_a_branch_taken_up_again_finds_its_parent_or_says_that_it_is_gone(registry, tmp_path):
    live = begin(registry, Tab())
    wait_for(lambda: live.run.step > 25)
    live.run.pause()
    branch = registry.branch(live, 20)
    for each in (live, branch):
        each.watchers.clear()
        registry.release(each)
    load = load_dataset
    again = registry.resume(branch.name, lambda config: load(config.dataset))
    steps, values = again.parent.curves["RBM"]["seconds"]
    np.testing.assert_array_equal([steps, values], live.run.lanes["RBM"].curves["seconds"].points())
    registry.delete(live.name)
    again = registry.resume(branch.name, lambda config: load(config.dataset))
    assert again.parent.curves == {}
    assert "not stored any more" in again.parent.error
    registry.restore(registry.deleted()[0].key)
    path = tmp_path / live.name / "checkpoint"
    path.write_bytes(path.read_bytes()[:-5])
    again = registry.resume(branch.name, lambda config: load(config.dataset))
    assert "damaged" in again.parent.error


def test_a_branch_needs_room_in_memory(registry, monkeypatch):
    live = begin(registry, Tab())
    monkeypatch.setattr("lrbn_viz.studies.runs.registry.MAX_LIVE", 1)
    with pytest.raises(RuntimeError, match="1 runs are in memory already; stop one"):
        registry.branch(live, 2)
    assert [stored.name for stored in registry.stored_runs()] == [live.name]


def test_a_run_that_was_left_gives_its_place_to_another_and_one_that_carries_on_does_not(
    tmp_path, clock, monkeypatch
):
    registry = RunRegistry(tmp_path, pause_seconds=PAUSE, end_seconds=1e9, probe_seconds=0.5)
    monkeypatch.setattr("lrbn_viz.studies.runs.registry.MAX_LIVE", 2)
    tabs = Tab(), Tab()
    left, carried = (begin(registry, tab) for tab in tabs)
    carried.carry_on = True
    with pytest.raises(RuntimeError, match="2 runs are in memory already"):
        begin(registry, Tab())
    for tab in tabs:
        tab.open = False
        tab.looked_at()
    clock.now += max(PAUSE, ROOM_SECONDS)
    wait_for(lambda: left.run.job.status == "paused")
    third = begin(registry, Tab())
    assert registry.live(left.name) is None
    assert [registry.live(each.name) for each in (carried, third)] == [carried, third]
    assert left.run.saved_step == left.run.step
    with pytest.raises(RuntimeError, match="2 runs are in memory already"):
        begin(registry, Tab())
    registry.close()


@pytest.mark.parametrize("name", ["", "..", "../elsewhere", "a/b", ".hidden"])
def test_no_name_leads_out_of_the_folder(registry, name):
    for act in (registry.delete, lambda name: registry.resume(name, load_dataset)):
        with pytest.raises(ValueError, match="name of a run"):
            act(name)


def test_a_checkpoint_that_is_gone_or_damaged_is_named(registry, tmp_path):
    tab = Tab()
    live = begin(registry, tab)
    live.run.save()
    registry.detach(live, tab)
    registry.release(live)
    path = tmp_path / live.name / "checkpoint"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match="damaged"):
        registry.resume(live.name, load_dataset)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="does not exist"):
        registry.resume(live.name, load_dataset)


def test_closing_the_keeper_leaves_a_checkpoint_and_no_worker(tmp_path):
    registry = RunRegistry(tmp_path)
    live = begin(registry, Tab())
    registry.close()
    assert not live.run.job.alive
    assert live.run.saved_step == live.run.step
    assert not [t for t in threading.enumerate() if t is live.run.job._thread]
    watchdog = registry._watchdog
    assert watchdog is not None
    wait_for(lambda: not watchdog.is_alive())


ENDS_AT_WORK = """
import time
from lrbn_viz.datasets import load_dataset
from lrbn_viz.studies.runs import LaneConfig, RunConfig, registry
registry.CLOSE_SECONDS = 0.5
runs = registry.get_registry()
lanes = {"RBM": LaneConfig("RBM", {"n_components": 4})}
live = runs.start(RunConfig("digits", lanes), load_dataset("digits"))
live.carry_on = True
live.run.start()
for _ in range(2):
    runs.ask(lambda: time.sleep(600))
while live.run.step < 3:
    time.sleep(0.01)
print(live.name, live.run.saved_step)
"""


@pytest.mark.slow
def test_a_process_that_ends_writes_last_checkpoints_and_waits_for_nothing_else(tmp_path):
    environment = {**os.environ, "LRBN_VIZ_RUNS": str(tmp_path), "LRBN_VIZ_CHECKPOINT_SECONDS": "1000"}
    command = [sys.executable, "-c", ENDS_AT_WORK]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stderr) == (0, "")
    name, saved = done.stdout.split()
    assert saved == "-1"
    (stored,) = RunRegistry(tmp_path).stored_runs()
    assert (stored.name, stored.error) == (name, "")


def test_the_folder_is_the_one_that_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("LRBN_VIZ_RUNS", str(tmp_path))
    assert runs_folder() == tmp_path


@pytest.mark.parametrize(
    ("system", "environment", "folder"),
    [
        (Unix, {}, "home/.local/share/lrbn_viz/runs"),
        (Unix, {"XDG_DATA_HOME": "data"}, "data/lrbn_viz/runs"),
        (MacOS, {}, "home/Library/Application Support/lrbn_viz/runs"),
        (Windows, {"LOCALAPPDATA": "local"}, "local/lrbn_viz/runs"),
    ],
)
def test_the_folder_is_that_of_the_users_data(system, environment, folder, monkeypatch, tmp_path):
    for name in ("LRBN_VIZ_RUNS", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "home", **environment}.items():
        monkeypatch.setenv(name, str(tmp_path / value))
    bases = {"CSIDL_LOCAL_APPDATA": str(tmp_path / environment.get("LOCALAPPDATA", ""))}
    monkeypatch.setattr("platformdirs.windows.get_win_folder", bases.__getitem__)
    path_of = lambda *args, **how: system(*args, **how).user_data_path
    monkeypatch.setattr("lrbn_viz.io.storage.user_data_path", path_of)
    assert runs_folder() == tmp_path / folder
