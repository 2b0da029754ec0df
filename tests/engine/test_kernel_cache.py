"""Kernels that an older version of the package has left in Numba's cache do no harm."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

from engine.cases import with_jit

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
