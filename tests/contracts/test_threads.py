"""What is computed does not depend on how many threads compute it, nor, but for rounding, on the JIT."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from lrbn_viz.catalog import kinds

SCRIPT = Path(__file__).with_name("alike.py")
WITHOUT_JIT = {"weights": 1e-5, "latents": 1e-4, "log-odds": 1e-5, "log P(x)": 1e-5}
"""By how much the same may differ: sums are taken in another order, in single precision where training is."""


def run(path: Path, *arguments: object, **environment: str) -> Mapping[str, np.ndarray]:
    env = {**os.environ, "NUMBA_NUM_THREADS": "4", "OPENBLAS_NUM_THREADS": "1", **environment}
    subprocess.run([sys.executable, str(SCRIPT), str(path), *map(str, arguments)], check=True, env=env)
    return np.load(path)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, np.ndarray]:
    """Arrays of 130 images by 1 to 4 threads of Numba, and by one where BLAS has two."""
    return run(tmp_path_factory.mktemp("threads") / "found.npz", 130, 1, 2, 3, 4, "1+2")


@pytest.mark.parametrize("name", kinds())
def test_one_to_four_threads_give_the_same_bits(name: str, found):
    # Inside: One to four threads give the same bits.
    for what in WITHOUT_JIT:
        one = found[f"1 {name} {what}"]
        assert one.size > 0
        for threads in (2, 3, 4, "1+2"):
            assert one.tobytes() == found[f"{threads} {name} {what}"].tobytes(), (what, threads)


@pytest.fixture(scope="module")
def compiled_or_not(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping[str, np.ndarray], ...]:
    """Arrays of 12 images with the JIT, and without it."""
    folder = tmp_path_factory.mktemp("jit")
    return tuple(run(folder / f"{off}.npz", 12, 1, NUMBA_DISABLE_JIT=off) for off in ("0", "1"))


# The gate runs all small tests of the engine without the JIT: each kernel against its oracle.
@pytest.mark.slow
@pytest.mark.parametrize("name", kinds())
def test_without_the_jit_numbers_differ_by_rounding_alone(name: str, compiled_or_not):
    # Inside: Without the JIT numbers differ only by rounding: by at most 1e-5 of the largest, means of
    # latents by 1e-4, log-odds of the tilted bound, which chooses between nearly equal tilts, by 1e-2.
    with_jit, without = compiled_or_not
    tilted = {"log-odds": 1e-2} if kinds()[name].model.mean_field_bound == "tilted" else {}
    for what, most in (WITHOUT_JIT | tilted).items():
        one, other = with_jit[f"1 {name} {what}"], without[f"1 {name} {what}"]
        scale = np.abs(one).max()
        np.testing.assert_allclose(other.astype(float), one.astype(float), rtol=0, atol=most * scale)
        if one.dtype == np.uint8:
            np.testing.assert_array_equal(other, one)
