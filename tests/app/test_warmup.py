"""What a server has compiled after its first page is what the pages need later."""

from __future__ import annotations

import json
import os
import subprocess
from types import SimpleNamespace

import pytest
from app.training import wait_for
from forked import finish, forked, program

from lrbn_viz.app import warmup
from lrbn_viz.kernels import cache
from lrbn_viz.kernels.cache import list_of_compiled

SCRIPT = """
import gc, json, sys, time
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

warmup._warm_up()  # as a server does
warm = known()

from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.shared.menus import is_drawn, shown_models
from lrbn_viz.app.train.presets import MORE_KERNELS, PRESETS
from lrbn_viz.app.inference.state import Session
from lrbn_viz import load_dataset, pretrained
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.studies.runs import Run, RunConfig

few = sys.argv[1] == "few"

def one_of_each_kind(names):
    # the first of the menu, or a small one;
    # what a kernel is compiled for: not the numbers of a model, and not how many
    kinds = {}
    for name in sorted(names, key=lambda name: PRETRAINED[name].n_h) if few else names:
        model = pretrained(name)
        kinds.setdefault((type(model), getattr(model, "visible", ""), len(model.layer_sizes_)), name)
    return kinds.values()

session = Session()
for name in one_of_each_kind(shown_models()):
    session.compare(name)
    for algorithm in session.models[session.model_name].trace_methods:
        session.algorithm = algorithm
    for start in session.starts:
        session.begin_from(start)
generation = GenerateState()
for name in one_of_each_kind(shown_models(is_drawn)):
    generation.compare(name)
recipes = *(preset.lanes for preset in PRESETS.values()), MORE_KERNELS
for lanes in recipes[:1] if few else recipes:
    run = Run(RunConfig("mnist5k", {lane.system: lane for lane in lanes}), load_dataset("mnist5k"))
    run.advance(6)
    while run.drain().status == "running":
        time.sleep(0.01)
    run.look().result()
    run.stop()
print(json.dumps({"warm": len(warm), "missing": sorted(known() - warm)}))
"""


@pytest.mark.parametrize("which", ["few", pytest.param("all", marks=pytest.mark.slow)])
def test_no_page_needs_a_kernel_that_was_not_made_ready(which):
    printed = finish(program(SCRIPT, which), seconds=900.0)
    found = json.loads(printed.splitlines()[-1])
    assert found["warm"] > 15
    assert found["missing"] == []


def test_the_kernels_are_compiled_in_another_process_and_once(monkeypatch, tmp_path):
    path = warmup.compiled_path()
    assert path is not None
    assert warmup.compile_elsewhere() == 0
    assert path.is_file()  # only the other process leaves it

    def begins(*arguments, **options):
        raise AssertionError("there is nothing left to compile")

    monkeypatch.setattr(subprocess, "Popen", begins)
    assert warmup.compile_elsewhere() == 0
    assert warmup._load()
    copy = tmp_path / "damaged"
    monkeypatch.setattr(warmup, "compiled_path", lambda: copy)
    assert not warmup._load()
    copy.write_bytes(b"damaged")
    assert not warmup._load()


def test_the_list_is_of_these_sources_on_this_machine(monkeypatch, tmp_path):
    def kernel(cache):
        return SimpleNamespace(stats=SimpleNamespace(cache_path=cache))

    paths = {list_of_compiled(kernel(tmp_path), ["digits"])}
    assert paths == {list_of_compiled(kernel(str(tmp_path)), ["digits"])}  # the same when asked again
    paths.add(list_of_compiled(kernel(tmp_path), ["digits", "mnist"]))
    package = tmp_path / "package" / "kernels"
    package.mkdir(parents=True)
    monkeypatch.setattr(cache, "__file__", str(package / "cache.py"))
    paths.add(list_of_compiled(kernel(tmp_path), ["digits"]))
    module = package / "cache.py"
    for text in ("x = 1", "x = 22"):
        module.write_text(text)
        paths.add(list_of_compiled(kernel(tmp_path), ["digits"]))
    os.utime(module, (1, 1))
    paths.add(list_of_compiled(kernel(tmp_path), ["digits"]))
    monkeypatch.setattr(cache.llvm, "get_host_cpu_name", lambda: "another")
    paths.add(list_of_compiled(kernel(tmp_path), ["digits"]))
    assert len(paths) == 7
    assert list_of_compiled(lambda x: x, []) is None  # with the JIT off nothing is cached


def test_work_that_fails_is_told_and_the_rest_is_done():
    def fails():
        raise RuntimeError

    done = []
    assert warmup.run_acts([lambda: done.append(1)])
    assert not warmup.run_acts([fails, lambda: done.append(2)])
    assert done == [1, 2]


PARENT = """
import subprocess, time
from lrbn_viz.app import warmup

warmup.compiled_path = lambda: None

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
    with forked(program(PARENT)) as parent:
        other = int(parent.stdout.readline())
        assert _alive(other)
        parent.kill()
        parent.wait()
    wait_for(lambda: not _alive(other))
