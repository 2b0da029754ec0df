"""What a checkpoint holds and refuses, value by value, and when it is written."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from lrbn_viz.chunks import PoolLost
from lrbn_viz.training import checkpoint
from lrbn_viz.training.checkpoint import check_same_run, fingerprint, with_checkpoints

pytestmark = pytest.mark.nojit
PLAIN: dict[str, Any] = {
    "step": 0, "epoch": 0, "offset": 0, "best_epoch": -1, "n_averaged": 0, "seconds": 0.5, "best_score": 1,
    "rng": {}, "shuffler": None, "stalled": False, "last_metrics": {"log_joint": -1.0},
}  # fmt: skip


@pytest.mark.parametrize(("name", "least"), [(n, -1 if n == "best_epoch" else 0) for n in checkpoint._COUNTS])
def test_counts_are_whole_numbers_from_their_least_to_what_a_float_holds(name, least):
    for value in (least, 2**53 - 1):
        assert checkpoint._checked_plain({**PLAIN, name: value}, "it") == {**PLAIN, name: value}
    for value in (least - 1, 2**53, 1.0, True):
        with pytest.raises(ValueError, match=name):
            checkpoint._checked_plain({**PLAIN, name: value}, "it")


def test_the_first_of_what_is_wrong_is_named_with_what_was_expected():
    with pytest.raises(ValueError, match=r"what a run writes there.*'?step'? = nothing"):
        checkpoint._checked_plain({k: v for k, v in PLAIN.items() if k not in ("step", "rng")}, "it")
    with pytest.raises(ValueError, match=r"only step, epoch, offset.*'?other'? = 3"):
        checkpoint._checked_plain({**PLAIN, "other": 3}, "it")
    with pytest.raises(ValueError, match=r"shuffler.*nothing"):
        checkpoint._checked_plain({k: v for k, v in PLAIN.items() if k != "shuffler"}, "it")
    with pytest.raises(ValueError, match="shuffler"):
        checkpoint._checked_plain({**PLAIN, "shuffler": 3}, "it")
    for name in PLAIN:
        with pytest.raises(ValueError, match=f"'{name}' = nothing"):
            checkpoint._checked_plain({k: v for k, v in PLAIN.items() if k != name}, "it")


class Clock:
    """A clock that goes on by a second whenever it is looked at."""

    now = 1000.0

    def monotonic(self) -> float:
        self.now += 1.0
        return self.now


def run(monkeypatch, path: Any, seconds: float, steps: Any) -> tuple[list[Any], list[Any]]:
    monkeypatch.setattr(checkpoint, "time", Clock())
    written: list[Any] = []
    made: list[Any] = []
    for step in with_checkpoints(iter(steps), path, seconds, written.append, written.append):
        made.append((step, len(written)))
    return made, written


def test_a_file_is_written_when_its_time_has_come_and_removed_in_the_end(monkeypatch, tmp_path):
    path = tmp_path / "run.npz"
    made, written = run(monkeypatch, path, 2.0, range(6))
    # the clock is looked at after each step, and once more after each file
    assert written == [path] * 3
    assert [n for _, n in made] == [0, 0, 1, 1, 2, 2]
    path.write_bytes(b"")
    made, written = run(monkeypatch, path, 1e9, range(2))
    assert written == [path], "gone on with"
    assert not path.exists()
    assert run(monkeypatch, None, 0.0, range(3))[1] == []


def lost():
    yield 1
    message = "the workers are lost."
    raise PoolLost(message)


def test_lost_workers_leave_the_last_whole_pass_or_say_that_nothing_was_kept(monkeypatch, tmp_path):
    with pytest.raises(PoolLost, match=r"lost. No checkpoint was asked for"):
        run(monkeypatch, None, 1e9, lost())
    path, saved = tmp_path / "run.npz", []
    with pytest.raises(PoolLost, match=r"run.npz holds the last whole pass"):
        list(with_checkpoints(lost(), path, 1e9, saved.append, saved.append))
    assert saved == [path]


@pytest.mark.parametrize(("n", "more"), [(2, None), (3, None), (4, 1), (6, 3)])
def test_settings_that_differ_are_named_three_at_most(n, more):
    mine, theirs = {f"s{k}": k for k in range(n)}, {f"s{k}": -k - 1 for k in range(n)}
    with pytest.raises(ValueError, match="is of another run") as found:
        check_same_run("run.npz", mine, theirs)
    words = str(found.value)
    named = "; ".join(f"s{k} = {k}, got {-k - 1}" for k in range(min(n, 3)))
    rest = f" (and {more} other settings)" if more else ""
    assert f"expected {named}{rest}. Resume" in words


def test_a_setting_that_one_side_lacks_is_another_wherever_it_is():
    whole, lacks = {"plan": [{"n_iter": 3, "rate": 0.5}]}, {"plan": [{"n_iter": 3}]}
    check_same_run("run.npz", whole, whole)
    with pytest.raises(ValueError, match=r"plan.0.rate = 0.5, got None"):
        check_same_run("run.npz", whole, lacks)
    with pytest.raises(ValueError, match=r"plan.0.rate = None, got 0.5"):
        check_same_run("run.npz", lacks, whole)


def test_a_fingerprint_is_sixteen_letters_of_all_that_an_array_is():
    X = np.arange(6, dtype=np.uint8)
    found = [fingerprint(each) for each in (X, X.reshape(2, 3), X.astype(np.int8), X[::-1])]
    assert len(set(found)) == 4
    assert {len(each) for each in found} == {16}


class State(NamedTuple):
    H: Any
    n: int


def test_states_of_units_are_0_and_1():
    arrays = {"a/H": np.array([0, 1], np.uint8), "a/n": np.asarray(3)}
    like = State(np.zeros(2, np.uint8), 0)
    assert checkpoint._build(like, arrays, "a").n == 3
    arrays["a/H"] = np.array([0, 2], np.uint8)
    with pytest.raises(ValueError, match="states of units, 0 or 1"):
        checkpoint._build(like, arrays, "a")
    empty = State(np.zeros(0, np.uint8), 0)
    assert checkpoint._build(empty, {"a/H": np.zeros(0, np.uint8), "a/n": np.asarray(0)}, "a").H.size == 0
