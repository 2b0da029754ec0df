"""A trace as a table: a row per visit that says the same as the visits themselves."""

import sys

import numpy as np
import pytest
from engine.cases import random_case


@pytest.mark.parametrize("order", ["sequential", "random", "parallel"])
def test_the_table_has_a_row_for_every_visit(order):
    case = random_case("bernoulli", 9, 6, seed=3)
    trace = case.model().map_trace(case.x, init=case.h0, order=order, max_sweeps=4, random_state=1)
    table = trace.to_frame()
    names = ["k", "sweep", "latent", "before", "after", "flipped", "log_odds", "log_joint"]
    assert list(table) == names
    assert len(table) == trace.n_visits > 6
    for row, visit in zip(table.itertuples(index=False), trace, strict=True):
        before = trace.latents(visit.k - 1)[visit.unit]
        assert tuple(row) == (visit.k, visit.sweep, visit.unit, before, *visit[3:])
    assert table["before"].dtype == table["after"].dtype == np.uint8


def test_a_trace_without_a_visit_is_an_empty_table():
    case = random_case("bernoulli", 5, 3, seed=0)
    table = case.model().map_trace(case.x, max_sweeps=0).to_frame()
    assert len(table) == 0
    assert "before" in table


def test_without_pandas_it_is_said_what_to_do(monkeypatch):
    case = random_case("bernoulli", 5, 3, seed=0)
    trace = case.model().map_trace(case.x)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        trace.to_frame()
