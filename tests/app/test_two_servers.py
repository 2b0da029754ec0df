"""Two programs on one folder of runs, each a process of its own: one at a time has a run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from app.training import until, wait_for
from forked import Forked, forked, program

from lrbn_viz import load_dataset
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs import LaneConfig, RunBusy, RunConfig, RunLock, busy_runs
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.training.checkpoint import load_checkpoint

CONFIG = RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})}, n_iter=100_000, seed=3)

SERVER = """
import json, sys
from lrbn_viz import load_dataset
from lrbn_viz.studies.runs.registry import RunRegistry
from app.test_two_servers import CONFIG

registry = RunRegistry(sys.argv[1], checkpoint_seconds=0.05, end_seconds=1e9)
live = None
for line in sys.stdin:
    try:
        order, *names = line.split()
        if order == "begin":
            live = registry.start(CONFIG, load_dataset("digits"))
        elif order == "resume":
            live = registry.resume(names[0], lambda config: load_dataset(config.dataset))
        elif order == "train":
            live.carry_on = True
            live.run.start()
        elif order == "leave":
            registry.release(live)
        elif order == "listed":
            print(json.dumps([[run.name, run.busy] for run in registry.stored_runs()]), flush=True)
            continue
        elif order == "removed":
            print(json.dumps(live.run.folder_removed), flush=True)
            continue
        print(json.dumps([live.name, live.run.step]), flush=True)
    except Exception as error:
        print(json.dumps([type(error).__name__, str(error)]), flush=True)
"""


class Server:
    def __init__(self, process: Forked) -> None:
        self.process = process

    def ask(self, order: str) -> Any:
        print(order, file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    with forked(program(SERVER, str(folder))) as process:
        yield Server(process)


def saved_step(folder: Path) -> int:
    arrays = load_checkpoint(folder / "checkpoint").arrays
    return json.loads(str(arrays["RBM.plain"]))["step"]


def advance(folder: Path, steps: list[int]) -> None:
    """Add the steps that a run's checkpoints are at, until one of them has come further."""

    def further() -> bool:
        steps.append(saved_step(folder))
        return steps[-1] > before

    before = steps[-1]
    wait_for(further)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["leave", "kill"])
def test_two_servers_never_train_one_run_in_turns(tmp_path, ending):
    with server(tmp_path) as first, server(tmp_path) as second:
        name, _ = first.ask("begin")
        first.ask("train")
        checkpoint = tmp_path / name / "checkpoint"
        wait_for(checkpoint.exists)
        steps = [saved_step(tmp_path / name)]
        for _ in range(3):
            assert second.ask("listed") == [[name, True]]
            error, words = second.ask(f"resume {name}")
            assert error == "RunBusy"
            assert "open in another program" in words
            advance(tmp_path / name, steps)
        assert first.ask("listed") == [[name, False]]
        if ending == "leave":
            first.ask("leave")
        else:
            first.process.kill()
            first.process.wait()
        steps.append(saved_step(tmp_path / name))
        assert second.ask("listed") == [[name, False]]
        assert second.ask(f"resume {name}") == [name, steps[-1]]
        second.ask("train")
        for _ in range(3):
            advance(tmp_path / name, steps)
        assert steps == sorted(steps), "no step on disk may go back"
        if ending == "leave":
            assert first.ask(f"resume {name}")[0] == "RunBusy"


@pytest.mark.slow
def test_a_lock_file_that_is_deleted_does_not_let_a_second_server_write_what_goes_back(tmp_path):
    with server(tmp_path) as first, server(tmp_path) as second:
        name, _ = first.ask("begin")
        first.ask("train")
        wait_for((tmp_path / name / "checkpoint").exists)
        steps = [saved_step(tmp_path / name)]
        for path in (tmp_path / ".locks").iterdir():
            path.unlink()
        answer = second.ask(f"resume {name}")  # before the first has seen that its lock is gone, or after
        second.ask("train")
        for _ in range(20):
            advance(tmp_path / name, steps)
        assert steps == sorted(steps), f"no step on disk may go back ({answer})"


def test_a_folder_that_was_removed_while_its_run_is_live_does_not_come_back(tmp_path):
    with server(tmp_path) as first, server(tmp_path) as second:
        name, _ = first.ask("begin")
        first.ask("train")
        wait_for((tmp_path / name / "checkpoint").exists)
        (tmp_path / name).rename(tmp_path.parent / "elsewhere")
        wait_for(lambda: first.ask("removed"))
        assert not (tmp_path / name).exists()
        assert second.ask("listed") == []
        first.ask("leave")
        assert not (tmp_path / name).exists()


def test_the_page_says_that_a_folder_was_removed_and_writes_it_again_when_asked(tmp_path):
    registry = RunRegistry(tmp_path, checkpoint_seconds=0.05)
    state = TrainState(registry)
    state.choose_preset("small")
    state.edit("budget", "passes")
    state.edit("amount", "100000")
    state.start()

    until(state, lambda: state.live is not None and (tmp_path / state.run_name / "checkpoint").exists())
    folder = tmp_path / state.run_name
    assert not state.folder_removed
    folder.rename(tmp_path.parent / "elsewhere-too")
    until(state, lambda: state.folder_removed and state.error)  # what the worker knows is said a look later
    assert "folder of this run was removed" in state.error
    assert state.status == "running"
    assert not folder.exists()
    state.write_again()
    until(state, lambda: not state.folder_removed and (folder / "checkpoint").exists() and not state.error)
    assert state.live is not None
    run = state.live.run
    before = run.saved_step

    def saved_again() -> bool:
        assert state.error == "", "no word of the time before comes later"
        return run.saved_step > before

    until(state, saved_again)
    state.leave()
    registry.close()


def test_a_page_refuses_in_words_a_run_that_is_busy_elsewhere_and_opens_it_when_it_is_free(tmp_path):
    registry = RunRegistry(tmp_path)
    live = registry.start(CONFIG, load_dataset("digits"))
    live.run.save()
    name = live.name
    registry.close()
    other = RunLock(tmp_path, name)
    other.acquire()
    registry = RunRegistry(tmp_path)
    state = TrainState(registry, load=lambda name, binary: load_dataset(name))

    until(state, lambda: [run.busy for run in state.stored] == [True])
    state.open(name)
    until(state, lambda: state.error)
    assert "open in another program" in state.error
    state.delete(name)
    until(state, lambda: "could not be deleted" in state.error)
    assert (tmp_path / name / "checkpoint").exists()
    other.release()
    until(state, lambda: [run.busy for run in state.stored] == [False])
    state.open(name)
    until(state, lambda: state.run_name == name)
    registry.close()


def test_a_lock_excludes_and_its_file_goes_with_it(tmp_path):
    one, other = RunLock(tmp_path, "a"), RunLock(tmp_path, "a")
    one.acquire()
    one.acquire()
    assert one.held
    with pytest.raises(RunBusy, match="a is open in another program"):
        other.acquire(0.1)
    assert busy_runs(tmp_path) == {"a"}
    assert busy_runs(tmp_path, {"a"}) == set()
    one.release()
    assert not one.held
    assert busy_runs(tmp_path) == set()
    other.acquire()
    next((tmp_path / ".locks").iterdir()).unlink()
    assert not other.held, "its file was deleted: another could take it"
    one.acquire()
    with pytest.raises(RunBusy):
        other.acquire()
    one.release()
    assert list((tmp_path / ".locks").iterdir()) == []


def test_where_there_can_be_no_lock_a_run_is_trained_and_it_is_said_that_it_is_not_saved(tmp_path):
    (tmp_path / ".locks").write_text("no folder")
    registry = RunRegistry(tmp_path)
    live = registry.start(CONFIG, load_dataset("digits"))
    with pytest.raises(OSError, match="exists"):
        live.run.save()
    live.run.advance(2)
    wait_for(lambda: live.run.step == 2)
    registry.close()
    assert [path.name for path in tmp_path.iterdir()] == [".locks"]
