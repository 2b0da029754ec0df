"""Occlusion, noise and inversion: what they change, what they leave, what they refuse."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz.datasets import add_noise, invert, load_dataset, occlude

BINARY = np.random.default_rng(0).integers(0, 2, (6, 12), dtype=np.uint8)
REAL = np.random.default_rng(1).normal(size=(6, 12))


@given(st.data(), st.booleans(), st.booleans())
def test_occlude_sets_the_rectangle_and_nothing_else(data, real, single):
    X = REAL if real else BINARY
    X = X[2] if single else X
    top, left = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 3))
    height, width = data.draw(st.integers(1, 3 - top)), data.draw(st.integers(1, 4 - left))
    value = data.draw(st.sampled_from([0.0, 1.0, -2.5] if real else [0, 1]))
    covered = occlude(X, (3, 4), top, left, height, width, value)
    assert covered.shape == X.shape
    assert covered.dtype == X.dtype
    expected = X.copy().reshape(-1, 3, 4)
    for row in range(top, top + height):
        for column in range(left, left + width):
            expected[:, row, column] = value
    np.testing.assert_array_equal(covered.reshape(-1, 3, 4), expected)


@pytest.mark.parametrize("X", [BINARY, REAL, BINARY[0], REAL[0], BINARY.astype(bool), REAL[:, ::-1]])
def test_no_function_changes_its_input_or_returns_a_view_of_it(X):
    before = X.copy()
    for result in (occlude(X, (3, 4), 0, 0, 3, 4, 1), add_noise(X, 0.7, 3), invert(X)):
        assert not np.shares_memory(result, X)
        assert result.shape == X.shape
        assert result.flags.writeable
        assert result.dtype == (np.float64 if X.dtype == np.float64 else np.uint8)
        np.testing.assert_array_equal(X, before)


def test_read_only_images_of_a_data_set_are_accepted():
    X = load_dataset("digits").test_X
    assert occlude(X, (8, 8), 0, 0, 8, 4)[:, :4].sum() == 0
    np.testing.assert_array_equal(invert(X), 1 - X)
    assert add_noise(X, 0.0, 0).tobytes() == X.tobytes()


def test_inverting_twice_gives_the_original():
    for X in (BINARY, REAL):
        assert (invert(X) != X).all()
        np.testing.assert_array_equal(invert(invert(X)), X)


def test_binary_noise_flips_at_its_rate_and_both_ways():
    X = np.repeat(np.array([[0], [1]], dtype=np.uint8), 100_000, axis=1)
    flipped = add_noise(X, 0.1, np.random.default_rng(5)) != X
    # Five standard errors of 100,000 flips of probability 0.1.
    np.testing.assert_allclose(flipped.mean(axis=1), 0.1, atol=5 * np.sqrt(0.09 / 100_000))
    np.testing.assert_array_equal(add_noise(BINARY, 0, 1), BINARY)
    np.testing.assert_array_equal(add_noise(BINARY, 1, 1), 1 - BINARY)


def test_real_noise_is_gaussian_with_the_given_deviation():
    X = np.full((1, 100_000), 3.0)
    noise = add_noise(X, 2.0, 7) - X
    assert noise.mean() == pytest.approx(0, abs=5 * 2 / np.sqrt(100_000))
    assert noise.std() == pytest.approx(2, rel=0.02)
    assert (np.abs(noise) > 2).mean() == pytest.approx(0.3173, abs=0.01)
    np.testing.assert_array_equal(add_noise(REAL, 0, 1), REAL)


def test_noise_is_reproducible_from_a_seed_and_advances_a_generator():
    for X in (BINARY, REAL):
        np.testing.assert_array_equal(add_noise(X, 0.5, 4), add_noise(X, 0.5, np.random.default_rng(4)))
        rng = np.random.default_rng(4)
        assert (add_noise(X, 0.5, rng) != add_noise(X, 0.5, rng)).any()


def test_a_pixel_that_is_not_known_stays_so_unless_it_is_hidden():
    X = np.array([[0.0, 1, np.nan, 1], [1, np.nan, 0, 0]])
    np.testing.assert_array_equal(invert(X), [[1, 0, np.nan, 0], [0, np.nan, 1, 1]])
    np.testing.assert_array_equal(add_noise(X, 1.0, 0), invert(X))
    np.testing.assert_array_equal(occlude(X, (2, 2), 1, 0, 1, 2, 1), [[0, 1, 1, 1], [1, np.nan, 1, 1]])
    grey = np.array([0.5, np.nan, -2.0])
    np.testing.assert_array_equal(invert(grey), -grey)
    assert np.isnan(add_noise(grey, 0.1, 0)).tolist() == [False, True, False]


NOT_IMAGES = [
    (np.array([0, 2]), ValueError, "expected binary X of 0 and 1, got integers from 0 to 2"),
    (np.array([-1, 1]), ValueError, "integers from -1 to 1"),
    (np.array([0.5, np.inf]), ValueError, "finite"),
    (np.zeros((2, 2, 2)), ValueError, r"\(n, n_v\)"),
    (np.zeros((0, 2)), ValueError, "empty"),
    (np.zeros(0, dtype=np.uint8), ValueError, "empty"),
    (np.uint8(1), ValueError, r"\(n, n_v\)"),
    (np.array(["0", "1"]), TypeError, "dtype"),
    (np.array([1j, 0]), TypeError, "complex"),
]


@pytest.mark.parametrize(("X", "error", "message"), NOT_IMAGES)
def test_what_is_not_images_is_refused(X, error, message):
    with pytest.raises(error, match=message):
        invert(X)
    with pytest.raises(error, match=message):
        add_noise(X, 0.1, 0)
    with pytest.raises(error, match=message):
        occlude(X, (1, 2), 0, 0, 1, 1)


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        ({"image_shape": (3, 5)}, ValueError, r"height \* width = 12"),
        ({"image_shape": (-3, -4)}, ValueError, "height must be at least 1; got -3"),
        ({"image_shape": 12}, ValueError, r"\(height, width\)"),
        ({"image_shape": (3.0, 4.0)}, TypeError, "integer"),
        ({"top": -1}, ValueError, "top must be at least 0; got -1"),
        ({"left": -1}, ValueError, "left must be at least 0; got -1"),
        ({"top": 3}, ValueError, "inside the 3x4 image"),
        ({"height": 0}, ValueError, "height must be at least 1; got 0"),
        ({"width": -2}, ValueError, "width must be at least 1; got -2"),
        ({"height": 4}, ValueError, "height=4"),
        ({"left": 2, "width": 3}, ValueError, "width=3"),
        ({"top": 0.5}, TypeError, "top must be an integer"),
        ({"width": True}, TypeError, "width must be an integer"),
        ({"value": 0.5}, ValueError, "0 or 1 for binary"),
        ({"value": 7}, ValueError, "0 or 1 for binary"),
        ({"value": "1"}, TypeError, "number"),
        ({"X": REAL, "value": np.nan}, ValueError, "finite"),
    ],
)
def test_occlude_refuses_bad_arguments(changed, error, message):
    good = {"X": BINARY, "image_shape": (3, 4), "top": 0, "left": 0, "height": 1, "width": 1}
    occlude(**good)
    with pytest.raises(error, match=message):
        occlude(**{**good, **changed})


@pytest.mark.parametrize(
    ("X", "rate", "rng", "error", "message"),
    [
        (BINARY, 1.5, 0, ValueError, "probability"),
        (BINARY, -0.1, 0, ValueError, "probability"),
        (BINARY, np.nan, 0, ValueError, "probability"),
        (REAL, -1, 0, ValueError, "standard deviation"),
        (REAL, np.inf, 0, ValueError, "standard deviation"),
        (REAL, np.nan, 0, ValueError, "standard deviation"),
        (BINARY, "0.1", 0, TypeError, "number"),
        (BINARY, True, 0, TypeError, "number"),
        (BINARY, 0.1, None, TypeError, "Generator or an integer seed"),
        (BINARY, 0.1, -1, ValueError, "at least 0; got -1"),
    ],
)
def test_add_noise_refuses_bad_arguments(X, rate, rng, error, message):
    with pytest.raises(error, match=message):
        add_noise(X, rate, rng)
