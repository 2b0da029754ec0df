"""The harness sees every kind of failure, says of which input it is, and goes on with the next."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator

import numpy as np
import pytest
from fuzz import mutate
from fuzz.faulty import BOUNDS
from fuzz.harness import Result, Runner


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


def fuzz(runner: Runner, name: str, inputs: int = 12, **how) -> Result:
    return runner.fuzz("fuzz.faulty", name, inputs=inputs, **{"bounds": BOUNDS, **how})


only_linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux only")


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("a crash", "the process died (exit -11)"),
        ("an exit", "the process died (exit 3)"),
        pytest.param("a hang", "no end after 3 s by the clock", marks=pytest.mark.slow),
        ("much time", "more than 0.5 s"),
        pytest.param("much memory", "more than 50 MB", marks=only_linux),
        pytest.param("too much memory", "MemoryError at", marks=only_linux),
        ("an error", "KeyError at"),
        ("an error of a subclass", "UnicodeDecodeError at"),
        ("an error of a library", "JSONDecodeError not raised by this package"),
    ],
)
def test_a_failure_is_seen_and_belongs_to_its_input(runner, name, what):
    bounds = BOUNDS._replace(clock_seconds=3.0) if name == "a hang" else BOUNDS
    result = fuzz(runner, name, bounds=bounds)
    (found,) = result.faults
    assert what in found
    assert [fault.number for fault in result.faults[found]] == [7]
    assert result.n_inputs == 12, "the inputs after it run as well"
    assert f'--target "{name}" --seed 0 --only 7' in str(result)
    if name == "a hang":  # once is long enough
        return
    alone = fuzz(runner, name, only=7, bounds=bounds)
    assert list(alone.faults) == [found]
    assert alone.n_inputs == 1
    assert not fuzz(runner, name, only=8).faults


@only_linux
def test_what_is_never_let_go_of_is_seen(runner):
    result = fuzz(runner, "a leak")
    assert "all inputs together hold more than 50 MB" in result.faults


def test_a_documented_error_is_none(runner):
    result = fuzz(runner, "a documented error")
    assert not result.faults
    assert result.outcomes == {"accepted": 11, "ValueError": 1}


def test_a_corpus_that_is_refused_is_a_failure(runner):
    assert [what.endswith("of a valid input") for what in fuzz(runner, "a bad corpus").faults] == [True]


def test_a_strategy_is_drawn_alike_each_time(runner):
    result = fuzz(runner, "a strategy", inputs=300)
    (found,) = result.faults.values()
    assert result.n_inputs == 300
    again = fuzz(runner, "a strategy", inputs=300, only=found[-1].number)
    assert list(again.faults) == list(result.faults)
    assert fuzz(runner, "a strategy", inputs=300, seed=1).faults != result.faults


def test_nothing_is_stored(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with Runner() as runner:
        fuzz(runner, "a crash")
        fuzz(runner, "an error")
        assert os.listdir(tmp_path), "the child has a folder of its own"
    assert not os.listdir(tmp_path)


def test_mutators_return_something_new_of_the_same_kind_and_keep_what_they_are_given():
    rng = np.random.default_rng(0)
    array = mutate.npy(np.arange(6).reshape(2, 3))
    archive = mutate.zipped({"X.npy": array, "y.npy": array})
    value = {"a": [1, 2.5, {"b": None}], "c": "text"}
    as_it_was = repr(value)
    for make, start in (
        (lambda: mutate.damaged(rng, [archive, array]), b""),
        (lambda: mutate.npy_edited(rng, array), b"\x93NUMPY"),
        (lambda: mutate.zip_edited(rng, archive, mutate.npy_edited), b"PK"),
    ):
        made = [make() for _ in range(300)]
        assert len(set(made)) > 200
        assert sum(one.startswith(start) for one in made) > 200
    edited = [repr(mutate.edited(rng, value)) for _ in range(300)]
    assert len(set(edited)) > 200
    assert repr(value) == as_it_was
