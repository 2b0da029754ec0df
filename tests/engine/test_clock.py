"""The clock of training, which leaves out the compilation of kernels."""

from __future__ import annotations

import os
import time
from functools import partial
from threading import Thread

import numba
import numpy as np
import pytest
from numba.core.event import trigger_event

from lrbn_viz.kernels.clock import seconds_without_compiling

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


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled")
def test_a_kernel_that_is_compiled_when_it_is_first_called_costs_no_seconds_by_this_clock():
    kernel = numba.njit(lambda x: np.sqrt(x) + 1.0)
    real, own = time.perf_counter(), seconds_without_compiling()
    kernel(3.0)
    took = time.perf_counter() - real
    assert seconds_without_compiling() - own < 0.5 * took
