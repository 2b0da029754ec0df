"""How large filters are and how far they reach: of figures that are known, wherever they lie."""

import numpy as np
import pytest

from lrbn_viz.measure import extent

pytestmark = pytest.mark.nojit


def square(top: int, left: int, side: int) -> np.ndarray:
    image = np.zeros((9, 7))
    image[top : top + side, left : left + side] = 2.5
    return image.ravel()


def test_a_pixel_a_pair_and_a_square_have_the_extent_that_is_known():
    pair = np.zeros((9, 7))
    pair[0, 0] = pair[4, 3] = 1.0  # five pixels apart
    filters = np.stack([square(3, 2, 1), pair.ravel(), square(1, 2, 3), np.zeros(63)])
    found = extent(filters, (9, 7))
    assert found.pixels.tolist() == [1, 2, 9, 0]
    np.testing.assert_allclose(found.spread, [0.0, 2.5, np.sqrt(2 * 2 / 3), 0.0], atol=1e-7)


def test_neither_the_place_nor_the_scale_nor_the_sign_matters():
    here, there = square(0, 0, 3), square(5, 4, 3)
    found = extent(np.stack([here, there, 10 * here, -here]), (9, 7))
    assert set(found.pixels) == {9}
    np.testing.assert_allclose(found.spread, found.spread[0], atol=1e-6)


def test_weights_below_half_of_the_largest_are_not_counted():
    filters = np.stack([square(0, 0, 2) + 0.49 * square(6, 4, 3), square(0, 0, 2) + 0.5 * square(6, 4, 3)])
    assert extent(filters, (9, 7)).pixels.tolist() == [4, 13]


def test_filters_of_another_shape_are_refused_in_words():
    with pytest.raises(
        ValueError, match=r"filters must be of shape \(n, 63\), one image a row; got \(2, 64\)"
    ):
        extent(np.zeros((2, 64)), (9, 7))
