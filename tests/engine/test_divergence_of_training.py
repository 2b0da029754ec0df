"""Training that diverges ends in an error that says what to do, whatever learns."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from tiny_models import largest_rate, tiny

from lrbn_viz import RBM, load_dataset
from lrbn_viz.catalog import kinds
from lrbn_viz.io.constants import CHECK_INTERVAL, MAX_PARAMETER
from lrbn_viz.training import Training

KINDS = kinds()
FEW = 150


def takes_gaussian(kind: Any) -> bool:
    """Whether a kind of model is also one of grey images."""
    try:
        tiny(kind, visible="gaussian").check_settings()
    except (TypeError, ValueError):
        return False
    return True


PLAIN: dict[str, dict[str, Any]] = {"RBM": {"gradient": "standard"}}
"""Settings of grey cases: a centred gradient stays finite at a rate of 1, where the plain one diverges."""
CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, {"learning_rate": largest_rate(KINDS[name])}) for name in KINDS),
    *(
        (name, {"visible": "gaussian", "learning_rate": rate, **PLAIN.get(name, {})})
        for name in KINDS
        if takes_gaussian(KINDS[name])
        for rate in (1.0, 1000.0)
    ),
    *(
        ("RBM", {"visible": "gaussian", "variance": "learned", "learning_rate": rate, **PLAIN["RBM"]})
        for rate in (1.0, 1e3)
    ),
    *(
        ("LRBN", {"visible": "gaussian", "m_step": "gradient", "learning_rate": rate})
        for rate in (1.0, 1000.0)
    ),
]


@pytest.fixture(scope="module")
def images():
    """Binary and grey images, learned and held out."""
    digits = load_dataset("digits").train_X[: 2 * FEW]
    noise = np.random.default_rng(0).normal(0, 0.3, digits.shape)
    return {"bernoulli": digits, "gaussian": digits - digits.mean(axis=0) + noise}


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_a_rate_that_is_too_large_ends_in_words_or_in_a_good_model(name, settings, images):
    """In a good one where the rate does not matter, as with an M-step in closed form."""
    X = images[settings.get("visible", "bernoulli")]
    error, model = "", tiny(KINDS[name], **settings)
    try:
        model.fit(X[:FEW])
    except FloatingPointError as raised:
        error = str(raised)
    if error:
        assert re.search("[Ll]ower learning_rate|smaller learning rate", error)
        return
    well = tiny(KINDS[name], **{**settings, "learning_rate": 0.02}).fit(X[:FEW])
    assert model.score(X[FEW:]) > well.score(X[FEW:]) - 1.0


def test_the_gaussian_rbm_that_ended_with_weights_of_1e36_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 16))
    words = (
        r"training diverged: \w reached .* in step \d+, at a learning rate of 1; expected at most .* Lower"
    )
    for n_iter in (2, 3):
        with pytest.raises(FloatingPointError, match=words):
            RBM(
                8,
                visible="gaussian",
                gradient="standard",
                batch_size=20,
                n_particles=20,
                learning_rate=1.0,
                n_iter=n_iter,
                random_state=0,
            ).fit(X)


def test_grey_images_of_a_large_scale_may_have_large_parameters():
    X = np.random.default_rng(0).normal(0, 200.0, (100, 9)) + 5000.0
    model = RBM(3, visible="gaussian", variance="learned", learning_rate=1e-3, n_iter=2, random_state=0).fit(
        X
    )
    assert np.abs(model.layers[0].b).max() > MAX_PARAMETER


@pytest.mark.nojit
def test_between_the_ends_of_passes_parameters_are_looked_at_too():
    class Doubling:
        """A system whose parameter doubles with each step."""

        full_batch, memory_width, average, needs_step_count = False, 0, 0.0, ()

        def at_progress(self, share):
            return self

        def step(self, state, X, rng):
            return 2.0 * state, {}

        def parameters(self, state):
            return {"W": np.array([state])}

    system: Any = Doubling()
    X = np.zeros((10 * CHECK_INTERVAL, 1), np.uint8)
    run = Training(system, X, n_iter=1, batch_size=1, rng=np.random.default_rng(0), state=1.0)
    with pytest.raises(FloatingPointError, match=f"W reached 1.27e\\+30 in step {CHECK_INTERVAL}; exp"):
        list(run)
    for wrong in (math.nan, -math.inf):
        run = Training(system, X[:1], n_iter=1, batch_size=1, rng=np.random.default_rng(0), state=wrong)
        with pytest.raises(FloatingPointError, match=r"training diverged: W reached (nan|inf) in step 1"):
            list(run)
