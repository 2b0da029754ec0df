"""20 inputs to every target, and in the nightly more; ``python -m tests.fuzz --inputs 50000`` runs most."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fuzz.harness import Runner, targets

FEW, MANY = 20, 1000
MORE = {"lessons": 4000}  # inputs of targets that are quick, in the place of `MANY`
KNOWN = targets()


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.mark.parametrize("many", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["few", "many"])
@pytest.mark.parametrize("name", KNOWN)
def test_only_documented_errors_come_of_damaged_and_forged_inputs(name, many, runner):
    inputs = MORE.get(name, MANY) if many else FEW
    result = runner.fuzz(KNOWN[name][0], name, inputs=inputs)
    print(result)
    assert not result.faults, f"\n{result}"
    assert result.n_inputs >= inputs
