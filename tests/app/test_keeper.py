"""The keeper pauses, ends, wakes and finds runs by who watches them."""

import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lrbn_viz import load_dataset
from lrbn_viz.app.keeper import Keeper, LiveRun, runs_folder
from lrbn_viz.runs import LaneConfig, RunConfig, Tick


def config(**how: Any) -> RunConfig:
    settings: dict[str, Any] = {"n_iter": 100_000, "seed": 3} | how
    return RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})}, **settings)


class Tab:
    """A page that is open until it is closed."""

    def __init__(self) -> None:
        self.open = True

    def __call__(self) -> bool:
        return self.open


def wait_for(condition, seconds=20.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.005)


@pytest.fixture
def keeper(tmp_path) -> Iterator[Keeper]:
    keeper = Keeper(tmp_path, pause_seconds=0.2, end_seconds=1.0, probe_seconds=0.5)
    yield keeper
    keeper.close()


def begin(keeper: Keeper, tab: Tab, **how: Any) -> LiveRun:
    live = keeper.start(config(**how), load_dataset("digits"))
    keeper.attach(live, tab)
    live.run.start()
    wait_for(lambda: live.run.step > 3)
    return live


def test_a_run_whose_tab_is_closed_is_paused_then_put_on_disk_and_its_thread_ends(keeper):
    tab = Tab()
    live = begin(keeper, tab)
    time.sleep(0.6)
    assert live.run.job.status == "running", "while the tab is open nothing happens to it"
    keeper.end_seconds = 1e9  # it is not to end before it was seen paused
    tab.open = False
    wait_for(lambda: live.run.job.status == "paused", 2.0)
    assert live.run.job.alive
    keeper.end_seconds = 1.0
    wait_for(lambda: not live.run.job.alive, 10.0)
    assert keeper.live(live.name) is None
    (stored,) = keeper.kept()
    assert (stored.name, stored.live) == (live.name, "")
    assert live.run.saved_step == live.run.step
    again = keeper.resume(live.name, lambda config: load_dataset(config.dataset))
    np.testing.assert_array_equal(again.run.model("RBM").params_.W, live.run.model("RBM").params_.W)


def test_a_run_is_paused_and_ended_when_it_has_been_alone_for_so_long_and_not_before(tmp_path):
    keeper = Keeper(tmp_path, pause_seconds=1000.0, end_seconds=3000.0)
    tab = Tab()
    live = begin(keeper, tab)
    keeper._look_after(live, time.monotonic() + 1e6)
    assert live.run.job.status == "running", "it is watched"
    tab.open = False
    wait_for(lambda: live.left_alone is not None)
    alone_since = live.left_alone
    assert alone_since is not None
    for seconds, paused in ((0.0, False), (999.9, False), (1000.0, True), (2999.9, True)):
        keeper._look_after(live, alone_since + seconds)
        assert live.put_to_sleep is paused
        assert keeper.live(live.name) is live
    wait_for(lambda: live.run.job.status == "paused")
    keeper._look_after(live, alone_since + 3000.0)
    assert not live.run.job.alive
    assert keeper.live(live.name) is None
    keeper.close()


def test_a_tab_that_comes_back_in_time_finds_its_run_going_on(keeper):
    tab = Tab()
    live = begin(keeper, tab)
    tab.open = False
    wait_for(lambda: live.run.job.status == "paused")
    tab.open = True
    wait_for(lambda: live.run.job.status == "running")


def test_what_a_visitor_paused_stays_paused_when_he_comes_back(keeper):
    tab = Tab()
    live = begin(keeper, tab)
    live.run.pause()
    tab.open = False
    time.sleep(0.5)
    tab.open = True
    time.sleep(0.5)
    assert live.run.job.status == "paused"


def test_a_run_that_was_asked_to_carries_on_and_can_be_watched_from_another_tab(keeper):
    first, second = Tab(), Tab()
    live = begin(keeper, first)
    live.carry_on = True
    first.open = False
    time.sleep(1.6)
    assert live.run.job.status == "running"
    before = live.run.step
    found = keeper.resume(live.name, load_dataset)
    assert found is live
    keeper.attach(found, second)
    assert keeper.kept()[0].watched
    wait_for(lambda: live.run.step > before)


def test_a_watcher_that_raises_counts_as_gone(keeper):
    def broken():
        raise RuntimeError("the session is being torn down")

    live = keeper.start(config(), load_dataset("digits"))
    live.run.start()
    keeper.attach(live, broken)
    wait_for(lambda: not live.run.job.alive)


def test_several_viewers_hear_every_step_in_order_and_one_who_is_late_is_told_so(keeper):
    live = keeper.start(config(n_iter=1), load_dataset("digits"))
    keeper.attach(live, Tab())
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
    live._said.clear()
    assert live.listen(0).missed


def test_ten_thousand_steps_that_nobody_hears_take_no_more_room(keeper):
    live = begin(keeper, Tab(), batch_size=1, n_iter=100)
    live.carry_on = True
    wait_for(lambda: live.run.step > 12_000, 120.0)
    said = live.listen(0)
    assert said.missed
    assert len(said.ticks) <= 4000
    assert isinstance(said.ticks[-1], Tick)
    lane = live.run.lanes["RBM"]
    assert len(lane.history) <= lane.history.most
    assert all(len(curve) < 2048 for curve in lane.curves.values())


def test_a_run_is_deleted_unless_a_page_watches_it(keeper, tmp_path):
    tab = Tab()
    live = begin(keeper, tab)
    live.run.save()
    with pytest.raises(ValueError, match="open on a page"):
        keeper.delete(live.name)
    keeper.detach(live, tab)
    keeper.delete(live.name)
    assert keeper.kept() == []
    assert list(tmp_path.iterdir()) == []
    assert live.run.job.join(5)


@pytest.mark.parametrize("name", ["", "..", "../elsewhere", "a/b", ".hidden"])
def test_no_name_leads_out_of_the_folder(keeper, name):
    for act in (keeper.delete, lambda name: keeper.resume(name, load_dataset)):
        with pytest.raises(ValueError, match="name of a run"):
            act(name)


def test_a_checkpoint_that_is_gone_or_damaged_is_named(keeper, tmp_path):
    tab = Tab()
    live = begin(keeper, tab)
    live.run.save()
    keeper.detach(live, tab)
    keeper.release(live)
    path = tmp_path / live.name / "checkpoint"
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ValueError, match="damaged"):
        keeper.resume(live.name, load_dataset)
    path.unlink()
    with pytest.raises(FileNotFoundError, match="does not exist"):
        keeper.resume(live.name, load_dataset)


def test_closing_the_keeper_leaves_a_checkpoint_and_no_worker(tmp_path):
    keeper = Keeper(tmp_path)
    live = begin(keeper, Tab())
    keeper.close()
    assert not live.run.job.alive
    assert live.run.saved_step == live.run.step
    assert not [t for t in threading.enumerate() if t is live.run.job._thread]


def test_the_folder_is_the_one_that_the_environment_names(monkeypatch, tmp_path):
    monkeypatch.setenv("LRBN_VIZ_RUNS", str(tmp_path))
    assert runs_folder() == tmp_path
    monkeypatch.delenv("LRBN_VIZ_RUNS")
    assert runs_folder().parts[-2:] == ("lrbn_viz", "runs")
