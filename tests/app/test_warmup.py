"""What a server has compiled after its first page is what the pages need later."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from lrbn_viz.app import warmup

SCRIPT = """
import gc, json, time
from numba.core.dispatcher import Dispatcher
from lrbn_viz.app import warmup

def known():
    # every compiled version of every kernel of the package, those read from the cache too
    return {
        (each.py_func.__module__, each.py_func.__qualname__, str(signature))
        for each in gc.get_objects()
        if isinstance(each, Dispatcher) and each.py_func.__module__.startswith("lrbn_viz")
        for signature in each.signatures
    }

for act in warmup.acts():
    act()
warm = known()

from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.shared.menus import draws_exactly, shown_models
from lrbn_viz.app.train.presets import MORE_KERNELS, PRESETS
from lrbn_viz.app.inference.state import Session
from lrbn_viz import load_dataset
from lrbn_viz.runs import Run, RunConfig

session = Session()
for name in shown_models():
    session.compare(name)
    for algorithm in session.models[session.model_name].trace_methods:
        session.algorithm = algorithm
    for start in session.starts:
        session.begin_from(start)
generation = GenerateState()
for name in shown_models(draws_exactly):
    generation.compare(name)
for lanes in (*(preset.lanes for preset in PRESETS.values()), MORE_KERNELS):
    run = Run(RunConfig("mnist5k", {lane.system: lane for lane in lanes}), load_dataset("mnist5k"))
    run.advance(6)
    while run.drain().status == "running":
        time.sleep(0.01)
    run.look().result()
    run.stop()
print(json.dumps({"warm": len(warm), "missing": sorted(known() - warm)}))
"""


def test_no_page_needs_a_kernel_that_was_not_made_ready():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["warm"] > 15
    assert found["missing"] == []


def test_the_kernels_are_compiled_in_another_process():
    assert warmup.compile_elsewhere() == 0


PARENT = """
import subprocess, time
from lrbn_viz.app import warmup

class Loud(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        print(self.pid, flush=True)

subprocess.Popen = Loud
warmup.compile_elsewhere()
"""


def _alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks for the process there")
def test_the_other_process_ends_with_a_server_that_is_killed():
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        other = int(parent.stdout.readline())
        assert _alive(other)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    end = time.monotonic() + 60.0
    while _alive(other):
        assert time.monotonic() < end
        time.sleep(0.05)
