"""1,000 inputs to every target; ``python -m tests.fuzz --inputs 50000`` runs more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fuzz.harness import Runner, targets

N_INPUTS = 1000
MORE = {"lessons": 4000}  # inputs of targets that are quick
KNOWN = targets()


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner() as runner:
        yield runner


@pytest.mark.parametrize("name", KNOWN)
def test_only_documented_errors_come_of_damaged_and_forged_inputs(name, runner):
    inputs = MORE.get(name, N_INPUTS)
    result = runner.fuzz(KNOWN[name][0], name, inputs=inputs)
    print(result)
    assert not result.faults, f"\n{result}"
    assert result.n_inputs >= inputs
