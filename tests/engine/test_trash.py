"""Deleted runs lie whole in the trash, come back from it, and leave it in time."""

import os
import random
import time
from pathlib import Path

import pytest
from engine.test_runs import assert_same, finish, make, parameters
from forked import forked, program

from lrbn_viz import load_dataset
from lrbn_viz.studies.runs import UNDO_SECONDS, Run, deleted_runs, move_to_trash, purge, restore, stored_runs
from lrbn_viz.studies.runs.trash import TRASH


def a_run(folder: Path) -> dict:
    """Put a run on disk; what it has learned."""
    run = make(folder)
    run.advance(6)
    while run.job.status == "running":
        time.sleep(0.005)
    run.save()
    return parameters(run)


def age(runs: Path, key: str, seconds: float) -> str:
    """Make a deletion look older."""
    moment, _, name = key.partition("-")
    older = f"{int(moment) - int(1000 * seconds)}-{name}"
    os.rename(runs / TRASH / key, runs / TRASH / older)
    return older


def test_a_deleted_run_is_listed_no_more_and_comes_back_whole(tmp_path):
    learned = a_run(tmp_path / "a")
    files = sorted(path.name for path in (tmp_path / "a").iterdir())
    deleted = move_to_trash(tmp_path, "a")
    assert stored_runs(tmp_path) == []
    (found,) = deleted_runs(tmp_path)
    assert (found.key, found.name) == (deleted.key, "a")
    assert UNDO_SECONDS - 30 < found.seconds_left <= UNDO_SECONDS == 600
    assert restore(tmp_path, found.key) == "a"
    assert deleted_runs(tmp_path) == []
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == files
    assert_same(parameters(Run.resume(tmp_path / "a", load_dataset("digits"))), learned)


def test_a_run_that_comes_back_takes_nobodys_name(tmp_path):
    learned = a_run(tmp_path / "a")
    key = move_to_trash(tmp_path, "a").key
    (tmp_path / "a").mkdir()
    (tmp_path / "a/another.txt").write_text("mine")
    assert restore(tmp_path, key, taken=("a-2",)) == "a-3"
    assert (tmp_path / "a/another.txt").read_text() == "mine"
    assert_same(parameters(Run.resume(tmp_path / "a-3", load_dataset("digits"))), learned)


def test_the_same_name_is_deleted_twice_and_both_come_back(tmp_path):
    keys = []
    for content in ("first", "second"):
        (tmp_path / "a").mkdir()
        (tmp_path / "a/run.json").write_text(content)
        keys.append(move_to_trash(tmp_path, "a").key)
    assert [deleted.key for deleted in deleted_runs(tmp_path)] == keys[::-1]
    assert [restore(tmp_path, key) for key in keys] == ["a", "a-2"]
    assert (tmp_path / "a-2/run.json").read_text() == "second"


def test_what_was_deleted_long_ago_is_removed_and_the_rest_is_left(tmp_path):
    for name in ("old", "new"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "checkpoint").write_text("x")
    assert purge(tmp_path) == float("inf")
    old, new = (move_to_trash(tmp_path, name).key for name in ("old", "new"))
    old = age(tmp_path, old, 700)
    assert [deleted.key for deleted in deleted_runs(tmp_path)] == [new]
    with pytest.raises(ValueError, match="old cannot be restored: it was removed for good 10 minutes after"):
        restore(tmp_path, old)
    assert 0 < purge(tmp_path) <= UNDO_SECONDS
    assert os.listdir(tmp_path / TRASH) == [new]
    assert restore(tmp_path, new) == "new"


def test_what_is_left_of_a_removal_that_was_killed_goes_and_is_never_offered(tmp_path):
    half = tmp_path / TRASH / "removing-1790000000000-a"
    half.mkdir(parents=True)
    (half / "dataset").write_text("x")
    (tmp_path / TRASH / "somebody's notes").write_text("not ours")
    assert deleted_runs(tmp_path) == []
    purge(tmp_path)
    assert os.listdir(tmp_path / TRASH) == ["somebody's notes"]


@pytest.mark.parametrize(
    "key", ["", "a", "../a", "12345-../a", "12345-.hidden", "123-a/b", "12345678901234567-a"]
)
def test_no_key_leads_out_of_the_trash(tmp_path, key):
    (tmp_path / "a").mkdir()
    with pytest.raises(ValueError, match="expected a run that was deleted"):
        restore(tmp_path, key)


def test_what_is_gone_is_said_in_words(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no run a"):
        move_to_trash(tmp_path, "a")
    with pytest.raises(ValueError, match="a is not deleted any more"):
        restore(tmp_path, f"{int(1000 * time.time())}-a")


def test_a_clock_that_was_put_back_gives_no_more_time_than_there_is(tmp_path):
    (tmp_path / "a").mkdir()
    age(tmp_path, move_to_trash(tmp_path, "a").key, -5000)
    assert deleted_runs(tmp_path)[0].seconds_left == UNDO_SECONDS


def test_a_folder_that_cannot_be_written_keeps_its_run(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a/run.json").write_text("{}")
    (tmp_path / TRASH).write_text("a file where the trash should be")
    with pytest.raises(OSError, match="File exists"):
        move_to_trash(tmp_path, "a")
    (tmp_path / TRASH).unlink()
    key = move_to_trash(tmp_path, "a").key

    def read_only(source, target):
        raise OSError(30, "Read-only file system")

    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", read_only)
        with pytest.raises(OSError, match="Read-only file system"):
            restore(tmp_path, key)
        purge(tmp_path)
    assert restore(tmp_path, key) == "a"
    with monkeypatch.context() as patch:
        patch.setattr(os, "rename", read_only)
        with pytest.raises(OSError, match="Read-only file system"):
            move_to_trash(tmp_path, "a")
    assert (tmp_path / "a/run.json").read_text() == "{}"


MOVING = """
import sys
from lrbn_viz.studies.runs.trash import deleted_runs, move_to_trash, purge, restore
print("ready", flush=True)
while True:
    move_to_trash(sys.argv[1], "a")
    purge(sys.argv[1])
    restore(sys.argv[1], deleted_runs(sys.argv[1])[0].key)
"""


def test_a_kill_at_any_moment_leaves_the_run_whole_in_one_place(tmp_path):
    learned = a_run(tmp_path / "a")
    rng = random.Random(0)
    for _ in range(4):
        with forked(program(MOVING, str(tmp_path))) as mover:
            assert mover.stdout.readline() == "ready\n"
            time.sleep(rng.random() * 0.1)
            mover.kill()
            mover.wait()
        found = deleted_runs(tmp_path)
        assert len(found) + len(stored_runs(tmp_path)) == 1
        for deleted in found:
            restore(tmp_path, deleted.key)
    resumed = Run.resume(tmp_path / "a", load_dataset("digits"))
    assert_same(parameters(resumed), learned)
    finish(resumed)
