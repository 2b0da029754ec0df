"""Sizes of the steps of training."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz.kernels.steps import falling_rate, first_averaged, kept_share, rate_at, share_done, weighed

pytestmark = pytest.mark.nojit

rates = st.floats(1e-6, 10.0)


@given(rate=rates, half=st.floats(1.0, 1e5), step=st.integers(0, 10**6))
def test_a_rate_has_halved_after_so_many_steps_and_falls(rate, half, step):
    assert falling_rate(rate, half, int(half)) == pytest.approx(rate / (1 + int(half) / half), rel=1e-12)
    assert falling_rate(rate, half, step + 1) < falling_rate(rate, half, step) <= rate
    assert falling_rate(rate, math.inf, step) == rate


@given(first=rates, last=rates, n_steps=st.integers(2, 10**6), data=st.data())
def test_a_rate_with_an_end_begins_and_ends_as_given_and_its_logarithm_is_even(first, last, n_steps, data):
    step = data.draw(st.integers(0, n_steps - 1))
    share = share_done(step, n_steps)
    assert share == step / (n_steps - 1)
    assert rate_at(share, first, last) == pytest.approx(first ** (1 - share) * last**share, rel=1e-12)
    assert rate_at(share_done(n_steps - 1, n_steps), first, last) == pytest.approx(last, rel=1e-12)


def test_a_run_of_one_step_has_the_first_rate():
    assert share_done(0, 1) == 0.0


@given(average=st.floats(0.001, 1.0), n_steps=st.integers(1, 10**5))
def test_at_least_the_last_step_is_averaged_and_at_most_all(average, n_steps):
    before = first_averaged(average, n_steps)
    assert 0 <= before <= n_steps - 1
    assert abs((n_steps - before) - average * n_steps) <= 0.5 or before == n_steps - 1


def test_what_a_step_keeps_and_what_a_weight_divides():
    assert kept_share(0.5, 0.2) == pytest.approx(0.9, rel=1e-15)
    assert weighed(np.array([[3.0, -1.5]]), 1.5).tolist() == [[2.0, -1.0]]
