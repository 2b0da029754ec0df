"""Numba's cache: what an older version has left does no harm, and any kernel may be the first to be read."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from engine.cases import with_jit
from forked import finish, program
from numba.core.dispatcher import Dispatcher

import lrbn_viz

SCRIPT = """
import numpy as np
from lrbn_viz.kernels.numerics import next_uniform
print(0.0 <= next_uniform(np.zeros(2, np.uint64), 0) < 1.0)
"""


def _run(folder):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder)}
    return subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, env=environment)


pytestmark = with_jit("nothing is compiled without it")


def test_a_list_of_kernels_that_names_a_class_that_has_moved_is_made_again(tmp_path):
    assert _run(tmp_path).returncode == 0
    lists = sorted(tmp_path.rglob("*.nbi"))
    assert lists
    for path in lists:
        with open(path, "rb") as file:
            version = pickle.load(file)
        # names a module that is not there, as a list of before a move does
        path.write_bytes(pickle.dumps(version) + b"clrbn_viz.lrbn.operands\nOperands\n.")
    done = _run(tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "True"
    assert any(b"operands" not in path.read_bytes() for path in lists)


# As where the package is installed for all to read, and there is no home.
NOWHERE = """
import os, warnings
import numpy as np
from numba.core.caching import CompileResultCacheImpl
CompileResultCacheImpl._locator_classes = CompileResultCacheImpl._locator_classes[:1]  # the variable's alone
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from lrbn_viz.kernels.numerics import next_uniform
next_uniform(np.zeros(2, np.uint64), 0)
folder = os.environ["NUMBA_CACHE_DIR"]
print(*[each.message for each in said if "kernels" in str(each.message)])
print(folder)
print(len(os.listdir(folder)) > 0)
"""


def test_where_nothing_can_be_kept_kernels_are_in_a_temporary_folder_and_one_warning_says_what_to_set():
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    done = subprocess.run([sys.executable, "-c", NOWHERE], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    warning, folder, works = done.stdout.splitlines()
    assert "Set NUMBA_CACHE_DIR to a folder" in warning
    assert works == "True"
    assert not Path(folder).exists()


def is_parallel(kernel: Any) -> bool:
    return bool(kernel.targetoptions.get("parallel"))


def called_by(kernel: Any) -> Iterator[Any]:
    """Yield the kernels that a kernel's source names."""
    function = kernel.py_func
    for name in function.__code__.co_names:
        if isinstance(found := function.__globals__.get(name), Dispatcher):
            yield found


def needs_threads(kernel: Any) -> bool:
    """Return whether a kernel calls a parallel one, itself or by another."""
    return any(is_parallel(other) or needs_threads(other) for other in called_by(kernel))


def kernels() -> Iterator[tuple[str, Any]]:
    """Yield all kernels of the package that are cached, with the module of each."""
    root = Path(lrbn_viz.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if "njit" in (text := path.read_text(encoding="utf-8")) or "for_threads" in text:
            module = ".".join(path.relative_to(root.parent).with_suffix("").parts)
            for value in vars(import_module(module)).values():
                if isinstance(value, Dispatcher) and value.py_func.__module__ == module:
                    yield module, value


CALLS = {
    "kernels.sample_visible": "W, b, H, key, False",
    "kernels._sums": "W, d, X, V, 0, 12, False",
    "kernels.fill_means": "W, d, X, V, 0, 12, means[:12].copy(), False",
    "kernels.latent_means": "W, d, X, False",
    "kernels.latent_fields": "W, d, X, False",
    "kernels.sample_bernoulli": "means, key, False",
    "gradient.ascend": "W, b, d, X, V, means, rate, keep, False",
    "gradient.learn": "W, b, d, X, V, means, rate, keep, 0, none, rate, False",
    "gradient.sgd_step": "W, b, d, X, H, True, keys, rate, keep, 0, none, rate, False",
    "rbm.step_alone": "W, b, d, V, H, True, keys, 0.1, np.inf, 0.0, 0, 0, none, np.zeros(4)",
    "rbm.gibbs_alone": "W, b, d, H, keys, V",
    "rbm.encode_alone": "W, d, V, H",
    "centring.centre": "W, keep, rate, phases, centring.Centres(b, d), W.copy(), b.copy(), d.copy(), False",
}
"""Each kernel that calls a parallel one, with small arguments."""

ARGUMENTS = """
import numpy as np
from lrbn_viz.browser import rbm
from lrbn_viz.kernels.numerics import fixed
from lrbn_viz.rivals.rbm import centring, gradient, kernels
rng = np.random.default_rng(0)
W, b, d = (rng.normal(size=shape).astype(np.float32) for shape in ((9, 4), 9, 4))
V, H = (rng.integers(0, 2, shape, dtype=np.uint8) for shape in ((12, 9), (12, 4)))
X = fixed(V.copy())  # as all callers pass images: another kind of array would compile each kernel again
means, none = np.full((24, 4), .5, np.float32), centring.NO_CENTRES
phases = centring.Phases(b, b, d, d)
keys, key = np.arange(1, 3, dtype=np.uint64), np.uint64(1)
rate, keep = np.float32(.1), np.float32(1)
"""

# Each call in a process of its own, forked from one that has not started Numba's threads.
FIRST = """
import json, os, sys
for name, arguments in json.loads(sys.argv[1]).items():
    child = os.fork()
    if child == 0:
        eval(f"{name}({arguments})")
        os._exit(0 if sum(eval(name).stats.cache_hits.values()) == 1 else 1)
    print(name, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_kernel_that_calls_a_parallel_one_may_be_the_first_that_a_process_reads():
    needing = {
        f"{module.rpartition('.')[2]}.{kernel.py_func.__name__}"
        for module, kernel in kernels()
        if needs_threads(kernel)
    }
    assert set(CALLS) == needing, "all of them are called here"
    names: dict[str, Any] = {}
    exec(ARGUMENTS, names)
    for name, arguments in CALLS.items():
        eval(f"{name}({arguments})", names)  # now it is in the cache
    ended = finish(program(ARGUMENTS + FIRST, json.dumps(CALLS))).splitlines()
    assert ended == [f"{name} 0" for name in CALLS], "each was read, and did its work"
