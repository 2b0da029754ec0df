"""A process forked after kernels ran on threads has none of them, and computes the same on one."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys

import pytest
from engine.cases import with_jit

from lrbn_viz.catalog import kinds

pytestmark = [
    with_jit("there are no threads without it"),
    pytest.mark.skipif(
        "fork" not in multiprocessing.get_all_start_methods(), reason="processes are not forked here"
    ),
]

PROGRAM = """
import multiprocessing, signal, sys
from concurrent.futures import ProcessPoolExecutor
from joblib import Parallel, delayed
import numpy as np
from tiny_models import tiny
from lrbn_viz.catalog import kinds
from lrbn_viz import load_dataset
from lrbn_viz.rivals.rbm import sampling
from lrbn_viz.kernels import numerics

signal.alarm(300)  # a child that hangs ends the test
numerics.MIN_THREADED_WORK = sampling.PARALLEL_FROM = 1  # all that can run on threads does
fork = multiprocessing.get_context("fork")
X = load_dataset("digits").train_X[:60]
parts = [X[:40], X[40:]]


def pool(work):
    with fork.Pool(2) as pool:
        return pool.map(work, parts)


def executor(work):
    with ProcessPoolExecutor(2, mp_context=fork) as executor:
        return list(executor.map(work, parts))


def joblib(work):
    return Parallel(2, backend="multiprocessing")(delayed(work)(part) for part in parts)


methods = sys.argv[1].split()
for kind in map(kinds().get, sys.argv[2:]):
    model = tiny(kind).fit(X)
    for name in methods:
        work = getattr(model, name)
        expected = [work(part) for part in parts]
        for way in (pool, executor, joblib):
            for found, right in zip(way(work), expected, strict=True):
                np.testing.assert_array_equal(found, right, f"{kind.name}.{name} by {way.__name__}")
    print(kind.name)
"""


FEW = ("LRBN", "DBN")


@pytest.mark.parametrize(
    ("names", "methods"),
    [(FEW, "transform"), pytest.param(tuple(kinds()), "transform reconstruct", marks=pytest.mark.slow)],
    ids=["few", "all"],
)
def test_models_compute_the_same_in_processes_forked_after_they_were_trained_on_threads(names, methods):
    # not forked itself: such a process may have no children
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, methods, *names], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == list(names)
