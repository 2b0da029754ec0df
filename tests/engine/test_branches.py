"""A branch is a run of its own, its parent is left as it was, and both resume bit for bit."""

import json
import os
import random
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from engine.test_runs import LANES, assert_same, config, finish, make, parameters
from forked import finish as completed
from forked import forked, program

from lrbn_viz import load_dataset, read_dataset
from lrbn_viz.studies.runs import LaneConfig, Parent, Run, RunConfig, stored_curves, stored_runs
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

TESTS = Path(__file__).parents[1]
BRANCHED = 60
"""The kept state nearest before step 63."""

KINDS: dict[str, tuple[bool, dict[str, LaneConfig]]] = {
    "annealed": (
        True,
        {
            "LRBN": LaneConfig(
                "LRBN",
                {
                    "n_components": 5,
                    "e_step": "annealed",
                    "warm_sweeps": 3,
                    "momentum": 0.5,
                    "average": 0.6,
                    "learning_rate_end": 0.01,
                },
            ),
            "RBM": LaneConfig("RBM", {"n_components": 5, "n_particles": 7}),
        },
    ),
    "chains": (
        True,
        {
            "LRBN": LaneConfig(
                "LRBN", {"n_components": 5, "e_step": "gibbs", "warm_sweeps": 2, "persistent": True}
            ),
            "RBM": LaneConfig("RBM", {"n_components": 5, "n_gibbs": 2, "weight_decay": 1e-3}),
        },
    ),
    "two layers": (
        True,
        {
            "LRBN": LaneConfig("Two-layer LRBN", {"n_components": 5, "n_top": 4, "learning_rate_end": 0.01}),
            "RBM": LaneConfig("RBM", {"n_components": 5}),
        },
    ),
    "gaussian": (
        False,
        {
            "LRBN": LaneConfig("LRBN", {"n_components": 5}),
            "RBM": LaneConfig("RBM", {"n_components": 5, "method": "cd", "learning_rate": 0.01}),
        },
    ),
}


def of_kind(kind: str, folder: Path | None = None) -> Run:
    binary, lanes = KINDS[kind]
    made = RunConfig("digits", lanes, binary=binary, n_iter=2, seed=3)
    return Run(made, load_dataset("digits", binary=binary), folder, probe_seconds=0.2)


def advance(run: Run, steps: int) -> None:
    """Let every lane make so many steps."""
    run.advance(steps * len(run.lanes))
    while run.job.status == "running":
        time.sleep(0.005)


def held(path: Path) -> dict[str, Any]:
    """All that a checkpoint holds of its lanes, but for the time that they took."""
    checkpoint = load_checkpoint(path)
    found: dict[str, Any] = {
        name: array for name, array in checkpoint.arrays.items() if not name.startswith("extra/")
    }
    for lane in checkpoint.lanes:
        plain = json.loads(str(found.pop(f"{lane}.plain")))
        del plain["seconds"]
        found[f"{lane}.plain"] = plain
    return found


def assert_equal_on_disk(one: Path, other: Path) -> None:
    left, right = held(one / "checkpoint"), held(other / "checkpoint")
    assert left.keys() == right.keys() != set()
    for name, value in left.items():
        if isinstance(value, dict):
            assert value == right[name], name
        else:
            np.testing.assert_array_equal(value, right[name], err_msg=name)


def with_this_module(code: str) -> str:
    return f"import os, sys\nfrom engine.test_branches import *\n{code}"


def process(code: str, *arguments: str) -> None:
    """Run code that may use this module in a process of its own."""
    completed(program(with_this_module(code), *arguments))


BRANCHING = """
kind, folder = sys.argv[1], Path(sys.argv[2])
run = of_kind(kind, folder / "parent")
advance(run, 75)
run.branch(63, folder / "branch")
changed = run.branch(63, folder / "changed")
changed.change("LRBN", **CHANGES[kind])
changed.save()
in_memory = run.branch(63, folder / "in_memory")
in_memory.change("LRBN", **CHANGES[kind])
finish(in_memory)
os._exit(0)  # nothing else is put on disk
"""
CHANGES: dict[str, dict[str, Any]] = {
    "annealed": {"warm_sweeps": 5},
    "chains": {"learning_rate": 0.01},
    "two layers": {"fine_tune_rate": 0.7},
    "gaussian": {"ridge": 2.0},
}
RESUMING = """
binary = KINDS[sys.argv[1]][0]
finish(Run.resume(sys.argv[2], load_dataset("digits", binary=binary)))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", ["chains", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS if kind != "chains")]
)
def test_a_branch_and_its_parent_resume_bit_for_bit_in_processes_of_their_own(kind, tmp_path):
    process(BRANCHING, kind, str(tmp_path))
    kept = {kept.name: kept.config for kept in stored_runs(tmp_path) if kept.config}
    assert kept["parent"].parent is None
    assert kept["branch"].parent == Parent("parent", BRANCHED)
    assert {"parent", "branch", "changed"} <= kept.keys()
    for name in ("parent", "branch", "changed"):
        process(RESUMING, kind, str(tmp_path / name))
    straight = of_kind(kind, tmp_path / "straight")
    finish(straight)
    assert_equal_on_disk(tmp_path / "parent", tmp_path / "straight")
    assert_equal_on_disk(tmp_path / "branch", tmp_path / "straight")
    assert_equal_on_disk(tmp_path / "changed", tmp_path / "in_memory")
    W = "LRBN.state/layers/0/params/W" if kind == "two layers" else "LRBN.state/params/W"
    assert not np.array_equal(
        held(tmp_path / "changed/checkpoint")[W], held(tmp_path / "branch/checkpoint")[W]
    )


def test_the_parent_is_left_as_it_was_with_a_checkpoint_of_its_present(tmp_path):
    run = make(tmp_path / "parent")
    advance(run, 75)
    before = {name: lane.arrays() for name, lane in run.lanes.items()}
    kept, learned = run.lanes["LRBN"].history.steps, parameters(run)
    branch = run.branch(63, tmp_path / "branch")
    assert run.step == run.saved_step == 75, "it was never saved before"
    assert run.config.parent is None
    assert run.lanes["LRBN"].history.steps == kept
    assert_same(parameters(run), learned)
    for name, lane in run.lanes.items():
        for figure, points in lane.arrays().items():
            np.testing.assert_array_equal(points, before[name][figure])
    assert branch.step == branch.saved_step == BRANCHED
    assert branch.lanes["LRBN"].history.steps == list(range(0, 61, 10))
    finish(branch)
    assert run.lanes["LRBN"].history.steps == kept, "nor by what the branch does"
    finish(run)
    assert_same(parameters(run), parameters(branch))


def test_a_branch_has_its_parents_curves_until_then_also_after_it_is_resumed(tmp_path):
    run = make(tmp_path / "parent")
    advance(run, 75)
    run.branch(63, tmp_path / "branch")
    own, parents = stored_curves(tmp_path / "branch"), stored_curves(tmp_path / "parent")
    for lane in LANES:
        steps, values = own[lane]["seconds"].points()
        assert steps.tolist() == list(range(1, 61))
        later, further = parents[lane]["seconds"].points()
        assert later.tolist() == list(range(1, 76))
        np.testing.assert_array_equal(values, further[:60])
    resumed = Run.resume(tmp_path / "branch", load_dataset("digits"))
    assert resumed.config.parent == Parent("parent", BRANCHED)
    assert resumed.lanes["RBM"].curves["seconds"].points()[0].tolist() == list(range(1, 61))


def test_branches_have_branches(tmp_path):
    run = make(tmp_path / "first")
    advance(run, 45)
    second = run.branch(40, tmp_path / "second")
    advance(second, 15)
    third = second.branch(51, tmp_path / "third")
    assert third.config.parent == Parent("second", 50)
    assert third.lanes["LRBN"].curves["seconds"].points()[0].tolist() == list(range(1, 51))
    earlier = second.branch(23, tmp_path / "earlier")
    assert earlier.config.parent == Parent("second", 20)
    for branch in (third, earlier):
        finish(branch)
    finish(run)
    assert_same(parameters(third), parameters(run))
    assert_same(parameters(earlier), parameters(run))


def test_a_run_that_has_ended_or_lies_nowhere_is_branched_as_well(tmp_path):
    run = make()
    finish(run)
    branch = run.branch(63)
    assert branch.folder is None
    assert branch.config.parent == Parent("", BRANCHED)
    finish(branch)
    assert_same(parameters(branch), parameters(run))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # overflow is what is provoked
def test_a_lane_that_failed_is_branched_from_what_it_was(tmp_path):
    run = make(tmp_path / "parent")
    advance(run, 45)
    run.change("LRBN", learning_rate=1e308)
    finish(run)
    assert isinstance(run.lanes["LRBN"].error, FloatingPointError)
    branch = run.branch(63, tmp_path / "branch")
    assert branch.lanes["LRBN"].error is None
    assert branch.lanes["LRBN"].training.step <= 50
    assert branch.lanes["RBM"].training.step == 60
    branch.change("LRBN", learning_rate=0.05)
    assert finish(branch).status == "done"
    assert branch.lanes["LRBN"].training.step == branch.lanes["RBM"].training.step == 124
    assert isinstance(run.lanes["LRBN"].error, FloatingPointError)


def test_a_branch_of_a_run_on_own_data_has_a_copy_of_them(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "mine.npz"
    np.savez(path, X=rng.integers(0, 2, (400, 5, 5)), y=rng.integers(0, 2, 400))
    run = Run(config(n_iter=4), read_dataset(path), tmp_path / "parent")
    advance(run, 15)
    run.branch(10, tmp_path / "branch")
    for file in (tmp_path / "parent").iterdir():
        file.unlink()
    path.unlink()
    branch = Run.resume(tmp_path / "branch")
    finish(branch)
    finish(run)
    assert_same(parameters(branch), parameters(run))


def disk_with_room_for(files: int) -> Any:
    """Stand in for the call that puts a file on disk: after so many the disk is full."""
    write, left = os.fsync, [files]

    def fills(descriptor: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        write(descriptor)

    return fills


def test_a_disk_that_cannot_be_written_leaves_the_parent_and_no_half_of_a_branch(tmp_path, monkeypatch):
    run = make(tmp_path / "parent")
    advance(run, 35)
    learned = parameters(run)
    failed = 0
    for room in range(10):
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", disk_with_room_for(room))
            try:
                run.branch(23, tmp_path / "branch")
            except OSError:
                failed += 1
            else:
                break
        assert not (tmp_path / "branch").exists()
        assert_same(parameters(run), learned)
    assert failed >= 2, "the parent's checkpoint, and then the branch's"
    shutil.rmtree(tmp_path / "branch")
    branch = run.branch(23, tmp_path / "branch")
    finish(run)
    finish(branch)
    assert_same(parameters(run), parameters(branch))


def test_a_folder_that_is_there_already_is_not_branched_into(tmp_path):
    run = make(tmp_path / "parent")
    advance(run, 5)
    (tmp_path / "branch").mkdir()
    (tmp_path / "branch/mine.txt").write_text("kept")
    with pytest.raises(FileExistsError):
        run.branch(3, tmp_path / "branch")
    assert (tmp_path / "branch/mine.txt").read_text() == "kept"


def test_going_back_in_place_leaves_the_file_as_the_run_is(tmp_path):
    run = make(tmp_path / "run")
    advance(run, 75)
    run.save()
    assert run.go_back(63) == 60
    assert run.saved_step == 60
    resumed = Run.resume(tmp_path / "run", load_dataset("digits"))
    assert resumed.step == 60
    assert resumed.lanes["LRBN"].curves["seconds"].points()[0].tolist() == list(range(1, 61))
    finish(run)
    finish(resumed)
    assert_same(parameters(run), parameters(resumed))


def test_going_back_that_cannot_be_written_changes_nothing(tmp_path, monkeypatch):
    run = make(tmp_path / "run")
    advance(run, 75)
    run.save()
    learned, kept = parameters(run), run.lanes["LRBN"].history.steps
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", disk_with_room_for(0))
        with pytest.raises(OSError, match="No space left"):
            run.go_back(63)
    assert run.step == 75
    assert run.lanes["LRBN"].history.steps == kept
    assert_same(parameters(run), learned)
    expected = make()
    finish(expected)
    finish(run)
    assert_same(parameters(run), parameters(expected))


def test_a_branch_that_goes_back_beyond_where_it_left_parts_from_its_parent_earlier(tmp_path):
    run = make(tmp_path / "parent")
    advance(run, 75)
    branch = run.branch(63, tmp_path / "branch")
    branch.go_back(35)
    assert branch.config.parent == Parent("parent", 30)
    (kept,) = [kept.config for kept in stored_runs(tmp_path) if kept.name == "branch"]
    assert kept is not None
    assert kept.parent == Parent("parent", 30)


def test_a_configuration_is_read_with_its_parent_or_without_and_an_odd_parent_is_refused():
    values = config().to_json()
    assert values["parent"] is None
    assert RunConfig.from_json(values) == config()
    told = RunConfig.from_json({**values, "parent": {"name": "a", "step": 3}})
    assert RunConfig.from_json(json.loads(json.dumps(told.to_json()))) == told
    for parent in ({"name": "a", "step": -1}, {"name": "a", "step": "3"}, {"name": 4, "step": 3}):
        with pytest.raises((ValueError, TypeError), match=r"parent|name"):
            RunConfig.from_json({**values, "parent": parent})


BRANCHING_ON = """
import random
folder = Path(sys.argv[1])
rng = random.Random(int(sys.argv[2]))
runs = [make(folder / "0", checkpoint_seconds=0.05)]
while True:
    print(len(runs), flush=True)
    run = runs[-1] if rng.random() < 0.5 else rng.choice(runs)
    advance(run, rng.randint(1, 20))
    if len(runs) < 4:
        runs.append(run.branch(rng.randint(0, 40), folder / str(len(runs))))
"""


@pytest.mark.parametrize("n_kills", [1, pytest.param(4, marks=pytest.mark.slow)])
def test_runs_and_branches_that_are_killed_at_any_moment_all_end_as_if_they_had_not(n_kills, tmp_path):
    expected = make()
    finish(expected)
    rng = random.Random(14)
    n_branches = 0
    for kill in range(n_kills):
        folder = tmp_path / str(kill)
        with forked(program(with_this_module(BRANCHING_ON), str(folder), str(kill))) as trainer:
            for line in trainer.stdout:
                if int(line) >= 2:
                    break
            time.sleep(rng.random() * 0.3)
            trainer.kill()
            trainer.wait()
        for kept in stored_runs(folder):
            if kept.config is None:
                assert "before its first checkpoint" in kept.error
                continue
            resumed = Run.resume(folder / kept.name, load_dataset("digits"))
            n_branches += resumed.config.parent is not None
            finish(resumed)
            assert_same(parameters(resumed), parameters(expected))
    assert n_branches >= n_kills


def test_a_file_of_another_run_has_no_curves_to_show(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        stored_curves(tmp_path)
    run = make()
    save_checkpoint(tmp_path / "checkpoint", {"lane": run.lanes["LRBN"].training}, {})
    assert stored_curves(tmp_path) == {"lane": {}}
