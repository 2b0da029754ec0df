"""``exp`` and ``log`` for vector registers, against the C library's."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz.kernels.simd.math import HIGHEST, HIGHEST32, LOWEST, LOWEST32, exp, exp32, log

pytestmark = pytest.mark.nojit


@given(st.floats(LOWEST, HIGHEST))
def test_exp_is_right_to_the_last_bits(x):
    assert exp(x) == pytest.approx(math.exp(x), rel=1e-15, abs=0)


@given(st.floats(float(LOWEST32), float(HIGHEST32), width=32))
def test_exp_is_right_in_single_precision_too(x):
    assert float(exp32(np.float32(x))) == pytest.approx(math.exp(x), rel=3e-7, abs=0)


@pytest.mark.parametrize(("x", "taken_for"), [(-math.inf, LOWEST32), (-1e6, LOWEST32), (1e6, HIGHEST32)])
def test_exp_in_single_precision_stops_where_it_would_leave_the_ordinary_numbers(x, taken_for):
    assert float(exp32(np.float32(x))) == pytest.approx(math.exp(taken_for), rel=3e-7)
    assert math.isnan(exp32(np.float32(math.nan)))


@given(st.floats(1e-307, 1e307))
def test_log_is_right_to_the_last_bits(x):
    assert log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-15)


@pytest.mark.parametrize(
    ("x", "taken_for"), [(1e6, HIGHEST), (math.inf, HIGHEST), (-1e6, LOWEST), (-math.inf, LOWEST)]
)
def test_exp_stops_where_it_would_leave_the_ordinary_numbers(x, taken_for):
    assert exp(x) == pytest.approx(math.exp(taken_for), rel=1e-12)


def test_not_a_number_stays_visible():
    assert math.isnan(exp(math.nan))


def test_whole_numbers_of_octaves_are_exact():
    k = np.arange(-1000, 1000, 7)
    found = [log(2.0**n) for n in k.tolist()]
    np.testing.assert_allclose(found, k * math.log(2.0), rtol=1e-15)
