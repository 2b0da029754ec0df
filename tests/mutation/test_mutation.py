"""The tool that changes the engine's code: a change that matters is killed, none that does not is made."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from mutation import report
from mutation.mutants import mutants

ROOT = Path(__file__).resolve().parents[2]

SOURCE = '''"""A module."""

LIMIT = 3


@cached(size=3)
def clip(x: int | None, low: float = 0) -> int | float:
    """Return x, at most LIMIT."""
    for i in range(2):
        if x is not None and x + i > LIMIT:
            return LIMIT
    if (
        i > 0
    ):
        low = low * i
    return (
        x
        - low
    )
'''


def test_each_mutant_differs_in_one_line_that_runs(tmp_path):
    (tmp_path / "module.py").write_text(SOURCE, encoding="utf-8")
    made = mutants(tmp_path, "module.py")
    assert {(one.before, one.after.replace(" ", "")) for one in made} >= {
        ("LIMIT = 3", "LIMIT=4"),
        ("- low", "+low"),
        ("if x is not None and x + i > LIMIT:", "ifxisnotNoneandx-i>LIMIT:"),
        ("if x is not None and x + i > LIMIT:", "ifxisnotNoneandx+i>=LIMIT:"),
    }
    for one in made:
        ast.parse(one.source)
        assert "int | None" in one.source, "annotations stay"
        assert "@cached(size=3)" in one.source, "decorators stay"
        assert one.before != one.after
    assert len({one.name for one in made}) == len(made)
    (low,) = (one for one in made if one.before == "- low")
    assert (low.line, low.statement) == (18, 16)
    of_condition = [one.statement for one in made if one.before in ("if (", "i > 0")]
    assert of_condition == [13] * 5, "nothing runs on the line of the bracket before it"
    assert {one.statement for one in made if one.before == "low = low * i"} == {15}


@pytest.mark.slow
def test_a_change_of_a_decision_is_killed_and_none_is_not():
    """As the command does it, in a process that has not loaded the package."""
    code = """
import sys
sys.path.insert(0, "tests")
from mutation.runner import ROOT, load_libraries, run
load_libraries()
module, file = "lrbn_viz/lrbn/icm.py", "tests/engine/test_algorithm_1.py"
test = file + "::test_on_several_images_at_a_time[4-annealed-bernoulli]"
source = (ROOT / module).read_text(encoding="utf-8")
turned = source.replace("evidence[m, j] - explained(", "evidence[m, j] + explained(")
assert turned != source
ENDLESS = "\\ndef endless():\\n    while True: pass\\n"
print(run(module, source, {test: 300.0}).killed_by)
print(run(module, turned, {test: 300.0}).killed_by)
print(run(module, "raise ImportError", {test: 300.0}).killed_by)
endless = source.replace("explained(params, state, m, j, 1.0)", "endless()") + ENDLESS
print(run(module, endless, {test: 5.0}).killed_by)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, text=True, capture_output=True, timeout=500)
    assert done.returncode == 0, done.stderr
    plain, turned, broken, endless = done.stdout.split("\n")[:4]
    assert plain == "None"
    assert turned.startswith("tests/engine/test_algorithm_1.py::")
    assert broken != "None"
    assert endless == "time"


KNOWN = sorted({name[0] for name in report.survivors()})


def test_each_known_survivor_has_a_reason():
    for known, why in report.survivors().items():
        assert (ROOT / known[0]).exists(), known
        assert len(why.reason.split()) >= 3, known


@pytest.mark.slow
@pytest.mark.parametrize("name", KNOWN)
def test_each_known_survivor_is_a_mutant_of_today(name):
    """One that is gone, as its line was changed, leaves the list."""
    today = {one.name for one in mutants(ROOT, name)}
    assert {known for known in report.survivors() if known[0] == name} <= today
