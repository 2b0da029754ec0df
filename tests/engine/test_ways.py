"""All threads or one: the times of both decide, and the slower way is tried again."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from lrbn_viz.kernels.numerics import _precision
from lrbn_viz.kernels.ways import AGAIN, EVERY, FIRST_TRIAL, Times, Ways

pytestmark = pytest.mark.nojit


class Machine:
    """A clock that computations move on, by what all threads and one take of each unit of work."""

    def __init__(self, threads: float, one: float) -> None:
        self.cost, self.now = {True: threads, False: one}, 0.0
        self.ways = Ways(threading.Lock(), lambda: self.now)

    def work(self, n: int, size: int = 1000, what: str = "work") -> list[bool]:
        taken = []
        for _ in range(n):
            with self.ways.threads_for(what, size) as threads:
                self.now += self.cost[threads] * size
            taken.append(threads)
        return taken


def test_short_work_is_on_all_threads_and_one_is_not_tried():
    machine = Machine(1e-6, 1e-9)
    assert all(machine.work(int(FIRST_TRIAL / 1e-3) - 1))
    assert not any(machine.work(100)[4:]), "one thread is a thousand times as fast"


@pytest.mark.parametrize(("threads", "one", "better"), [(1e-6, 1.8e-6, True), (5e-6, 1e-6, False)])
def test_the_faster_way_is_taken_and_what_trials_of_the_slower_one_cost_is_small(threads, one, better):
    machine = Machine(threads, one)
    machine.work(2000)
    began = machine.now
    taken = machine.work(20_000)
    assert 0 < np.mean(np.array(taken) != better) < 0.05
    best = min(threads, one) * 1000 * 20_000
    assert machine.now - began < (1.0 + 1.5 / AGAIN) * best


@pytest.mark.parametrize("busy_first", [True, False])
def test_a_machine_that_becomes_busy_or_idle_is_noticed(busy_first):
    idle, busy = {True: 0.6e-6, False: 1e-6}, {True: 5e-6, False: 1e-6}
    machine = Machine(0.0, 0.0)
    for cost in (busy, idle, busy) if busy_first else (idle, busy, idle):
        machine.cost = cost
        machine.work(4000)
        assert np.mean(machine.work(1000)) == pytest.approx(float(cost is idle), abs=0.05)


def test_short_works_are_not_all_timed_and_count_all_the_same():
    readings = []
    machine = Machine(1e-9, 3e-9)
    machine.ways = Ways(threading.Lock(), lambda: readings.append(machine.now) or machine.now)
    taken = machine.work(int(2.5 * FIRST_TRIAL / 1e-6))
    tried = taken.count(False)
    assert tried >= 2, "one thread has been tried after FIRST_TRIAL seconds"
    assert len(readings) == pytest.approx(2 * (tried + (len(taken) - tried) / EVERY), rel=0.01)


def test_the_first_time_of_each_way_is_left_out():
    machine = Machine(0.0, 0.0)
    machine.cost = {True: 1.0, False: 1.0}  # it loads the code
    machine.work(1)
    machine.cost = {True: 1e-6, False: 2e-6}
    assert np.mean(machine.work(2000)) > 0.95


def test_one_slow_time_does_not_decide():
    times = Times()
    for _ in range(2000):
        times.add(threads := times.next(1), 1e-3 if threads else 2e-3, 1)
    times.add(True, 60.0, 1)  # the machine slept meanwhile
    assert times.mean[True] == pytest.approx(1.75e-3)
    for _ in range(100):
        times.add(threads := times.next(1), 1e-3 if threads else 2e-3, 1)
    assert times.faster


def test_each_computation_and_size_has_times_of_its_own():
    machine = Machine(5e-6, 1e-6)
    machine.work(2000)
    assert not np.mean(machine.work(100)) > 0.1
    assert all(machine.work(5, size=10_000))
    assert all(machine.work(5, what="other"))


def test_single_and_double_precision_have_times_of_their_own():
    single, double, bytes_ = (np.zeros((2, 2), kind) for kind in ("f", "d", "B"))
    assert _precision((bytes_, single)) == "f"
    assert _precision(((double,), single)) == "d"
    assert _precision((1, ("a",))) == ""


def test_where_another_has_the_threads_it_is_one_and_its_time_does_not_count():
    lock = threading.Lock()
    ways = Ways(lock)
    with lock, ways.threads_for("work", 10) as threads:
        assert not threads
    with ways.threads_for("work", 10) as threads:
        assert threads
        assert lock.locked()
        with ways.threads_for("within", 10) as inner:
            assert not inner
    assert not lock.locked()


def test_the_threads_are_given_back_when_it_fails():
    lock = threading.Lock()
    with pytest.raises(ZeroDivisionError), Ways(lock).threads_for("work", 10):
        raise ZeroDivisionError
    assert not lock.locked()
