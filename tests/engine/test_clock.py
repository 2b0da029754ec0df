"""The clocks of training, which leave out the compilation of kernels."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from functools import partial
from threading import Thread
from types import SimpleNamespace
from typing import Any

import numba
import numpy as np
import pytest
from numba.core.event import trigger_event

from lrbn_viz.kernels.clock import cpu_seconds_without_compiling, seconds_without_compiling
from lrbn_viz.studies.reproduce.timed import spend
from lrbn_viz.studies.sweep import trial

PAUSE = 0.1


def compile_for(seconds: float) -> None:
    """Hold Numba's lock as a compilation does, with another one within it."""
    with trigger_event("numba:compiler_lock"), trigger_event("numba:compiler_lock"):
        time.sleep(seconds)


def test_the_clock_stands_still_while_its_thread_compiles_and_in_no_other_thread():
    real, own = time.perf_counter(), seconds_without_compiling()
    compile_for(PAUSE)
    left_out = (time.perf_counter() - real) - (seconds_without_compiling() - own)
    assert left_out >= PAUSE, "as long as the compilation; the one within it does not count again"
    assert left_out <= time.perf_counter() - real
    before = time.perf_counter() - seconds_without_compiling()
    other = Thread(target=partial(compile_for, PAUSE))
    other.start()
    other.join()
    assert time.perf_counter() - seconds_without_compiling() == pytest.approx(before, abs=1e-3)


def left_out_of_the_cpu_seconds(work: Callable[[], None]) -> float:
    """Return the CPU seconds of some work that the clock leaves out."""
    before = time.process_time() - cpu_seconds_without_compiling()
    work()
    return time.process_time() - cpu_seconds_without_compiling() - before


def compile_on_the_cpu(seconds: float) -> None:
    """Hold Numba's lock while the CPU works for this thread."""
    end = time.thread_time() + seconds
    with trigger_event("numba:compiler_lock"), trigger_event("numba:compiler_lock"):
        while time.thread_time() < end:
            pass


def test_the_clock_of_cpu_seconds_leaves_out_the_cpu_seconds_of_a_compilation_alone():
    assert left_out_of_the_cpu_seconds(partial(compile_on_the_cpu, PAUSE)) == pytest.approx(PAUSE, abs=0.02)
    waiting = left_out_of_the_cpu_seconds(partial(compile_for, PAUSE))  # for the lock: the CPU does nothing
    assert waiting == pytest.approx(0, abs=0.02)


# a kernel that the tests compile: there is none without the JIT
compiles = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")


def compile_a_kernel() -> None:
    numba.njit(lambda x: np.sqrt(x) + 1.0)(3.0)


@compiles
def test_a_kernel_that_is_compiled_when_it_is_first_called_costs_no_seconds_by_this_clock():
    real, own = time.perf_counter(), seconds_without_compiling()
    compile_a_kernel()
    took = time.perf_counter() - real
    assert seconds_without_compiling() - own < 0.5 * took


class OneStep:
    """A training, of a sweep or of a reproduction, whose only step is the first to need a kernel."""

    passes, whole = 0, True
    n_steps = 0

    def __iter__(self) -> OneStep:
        return self

    def __next__(self) -> str:
        if self.n_steps:
            raise StopIteration
        self.n_steps += 1
        compile_a_kernel()
        return "a step"


def seconds_of_a_trial(training: Any) -> float:
    budget: Any = SimpleNamespace(passes=None, cpu_seconds=math.inf)
    return trial._go_on(training, budget, share=1.0, spent=0.0)


def seconds_of_a_reproduction(run: Any) -> float:
    (spent,) = spend(run, math.inf)
    return spent


@compiles
@pytest.mark.parametrize("seconds_of", [seconds_of_a_trial, seconds_of_a_reproduction])
def test_a_step_that_is_the_first_to_need_a_kernel_costs_a_budget_no_compilation(seconds_of):
    training, real = OneStep(), time.process_time()
    spent = seconds_of(training)
    assert training.n_steps == 1
    assert spent < 0.5 * (time.process_time() - real)
