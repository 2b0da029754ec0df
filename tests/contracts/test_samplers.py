"""What a model draws has the probabilities that the model says, for every kind of the catalogue."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from engine.test_temperature import assert_drawn_from

from lrbn_viz import load_dataset
from lrbn_viz.catalog import kinds
from lrbn_viz.evaluation import log_likelihood

N_V, N_DRAWN = 6, 20_000


@pytest.fixture(scope="module")
def images():
    """The six pixels of the digits that differ most from image to image: (n, N_V)."""
    X = load_dataset("digits").train_X
    return np.ascontiguousarray(X[:, np.argsort(X.var(axis=0))[-N_V:]])


def trained(kind: Any, X: np.ndarray) -> Any:
    sizes: dict[str, Any] = {"n_components": 4}
    if kind.several_layers:
        one_by_one = "layer_sizes" not in kind().get_params()
        sizes = {"n_components": 3, "n_top": 2} if one_by_one else {"layer_sizes": (3, 2)}
    return kind(**sizes, n_iter=10, random_state=0).fit(X)


@pytest.mark.parametrize("name", kinds())
def test_images_are_drawn_as_often_as_the_model_says(name, images):
    model = trained(kinds()[name], images)
    all_images = np.array(list(itertools.product((0, 1), repeat=N_V)), np.uint8)
    log_p = log_likelihood(model, all_images, method="exact").values
    assert np.exp(log_p).sum() == pytest.approx(1.0, abs=1e-6)
    drawn = model.sample(N_DRAWN, random_state=1)
    assert_drawn_from(drawn, np.exp(log_p))
