"""A job runs an iterator on its own thread, and stops, steps, goes on and ends when told."""

import itertools
import threading
import time

import pytest

from lrbn_viz.studies.runs.job import Job


def wait_for(condition, seconds=60.0):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.002)


def drained(job):
    return job.drain().events


def test_all_items_arrive_in_order_and_the_last_always_does():
    job = Job(iter(range(5000)))
    assert job.status == "new"
    job.start()
    seen = []
    while not job.ended:
        seen += drained(job)
    seen += drained(job)
    assert seen == list(range(5000))
    assert job.status == "done"
    assert job.join(60)


def test_a_full_buffer_drops_the_oldest_and_says_how_many():
    job = Job(iter(range(100)), keep=10)
    job.start()
    job.join()
    last = job.drain()
    assert last.events == list(range(90, 100))
    assert last.dropped == 90
    assert job.drain().dropped == 0


def test_it_advances_by_single_items_pauses_and_goes_on():
    job = Job(itertools.count())
    job.advance()
    wait_for(lambda: job.status == "paused")
    assert drained(job) == [0]
    job.advance(3)
    wait_for(lambda: job.status == "paused")
    assert drained(job) == [1, 2, 3]
    job.start()
    wait_for(lambda: drained(job))
    job.pause()
    assert job.status == "paused"
    job.call(int).result(60)  # the item that it was at when it was told is done
    drained(job)
    for _ in range(3):
        job.call(int).result(60)
    assert drained(job) == []
    job.cancel()
    assert job.status == "cancelled"
    assert job.join(60)
    job.start()
    assert job.status == "cancelled", "what has ended stays so"
    with pytest.raises(ValueError, match="at least 1"):
        job.advance(0)


def test_what_the_iterator_raises_is_kept_for_who_drains():
    def items():
        yield 1
        raise FloatingPointError("diverged")

    job = Job(items())
    job.start()
    job.join()
    last = job.drain()
    assert last.events == [1]
    assert last.status == "failed"
    assert isinstance(last.error, FloatingPointError)
    assert str(last.error) == "diverged"


@pytest.mark.parametrize("paused", [True, False])
def test_a_call_runs_on_the_worker_between_two_items(paused):
    inside, threads = [], set()

    def items():
        for n in itertools.count():
            inside.append(n)
            threads.add(threading.current_thread())
            time.sleep(0.001)
            yield n
            inside.pop()

    job = Job(items())
    job.start()
    wait_for(lambda: drained(job))
    if paused:
        job.pause()
    thread = job.call(threading.current_thread).result(60)
    assert thread in threads
    failed = job.call(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        failed.result(60)
    job.cancel()
    job.join(60)
    assert job.call(lambda: 7).result(60) == 7, "after the end it runs at once, here"


def test_cancelling_closes_the_generator_also_one_that_never_began():
    closed = []

    def items():
        try:
            while True:
                yield 0
        finally:
            closed.append(True)

    job = Job(items())
    job.start()
    wait_for(lambda: drained(job))
    job.cancel()
    assert job.join(60)
    assert closed == [True]
    Job(items()).cancel()
