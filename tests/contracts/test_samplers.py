"""What a model draws has the probabilities that the model says, for every kind of the catalogue."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numba
import numpy as np
import pytest
from engine.test_temperature import assert_drawn_from
from tiny_models import with_random_parameters

from lrbn_viz import load_dataset
from lrbn_viz.catalog import kinds
from lrbn_viz.measure import log_likelihood

N_V = 6


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Sweeps of so few units wait for other threads longer than they compute; the bits are the same."""
    before = numba.get_num_threads()
    numba.set_num_threads(1)
    yield
    numba.set_num_threads(before)


@pytest.fixture(scope="module")
def images():
    """The six pixels of the digits that differ most from image to image: (n, N_V)."""
    X = load_dataset("digits").train_X
    return np.ascontiguousarray(X[:, np.argsort(X.var(axis=0))[-N_V:]])


# A quarter of the draws finds errors twice as large.
@pytest.mark.parametrize("n_drawn", [5_000, pytest.param(20_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", kinds())
def test_images_are_drawn_as_often_as_the_model_says(name, n_drawn, images):
    model = with_random_parameters(kinds()[name], images, seed=3)
    all_images = np.array(list(itertools.product((0, 1), repeat=N_V)), np.uint8)
    log_p = log_likelihood(model, all_images, method="exact").values
    assert np.exp(log_p).sum() == pytest.approx(1.0, abs=1e-6)
    drawn = model.sample(n_drawn, random_state=2)
    assert_drawn_from(drawn, np.exp(log_p))
