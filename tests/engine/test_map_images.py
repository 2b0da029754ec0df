"""What is measured in pieces: the same values wherever the pieces are worked on, and after them."""

import pickle
from typing import Any

import numpy as np
import pytest

from lrbn_viz import (
    DBM,
    DBN,
    LRBN,
    RBM,
    RWS,
    find_basins,
    find_basins_of_images,
    load_dataset,
)
from lrbn_viz.chunks import ROWS, Here, bounds, map_images
from lrbn_viz.core.model import NotOffered
from lrbn_viz.measure import log_likelihood, reconstruction_error

N = 2 * ROWS + 70


class Elsewhere(Here):
    """A pool that hands over what it is given as another process would get it."""

    def submit(self, what, function, *args):
        return super().submit(what, *pickle.loads(pickle.dumps((function, *args))))


def images():
    X = load_dataset("digits").train_X
    return X[np.arange(N) % len(X)]


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    X = images()[:500]
    how: dict[str, Any] = {"n_iter": 1, "random_state": 0}
    return {
        "LRBN": LRBN(6, **how).fit(X),
        "fair coins": LRBN(6, init="random", **how).fit(X),
        "two layers": LRBN((5, 4), layer_by_layer=True, **how).fit(X),
        "RBM": RBM(6, **how).fit(X),
        "RWS": RWS(6, **how).fit(X),
        "DBN": DBN((5, 4), **how).fit(X),
        "DBM": DBM((5, 4), **how).fit(X),
    }


MEASURED = [
    ("LRBN", {"method": "exact"}),
    ("LRBN", {"method": "map_bound", "n_sweeps": 2}),
    ("LRBN", {"method": "csl", "n_samples": 600, "n_repetitions": 2}),
    ("LRBN", {"method": "ais", "n_temperatures": 5}),
    ("LRBN", {"method": "ais", "n_temperatures": 4, "n_chains": 3}),
    ("LRBN", {"method": "importance", "n_samples": 4}),
    ("two layers", {"method": "ais", "n_temperatures": 5}),
    ("RBM", {"method": "raise", "n_temperatures": 5}),
    ("RBM", {"method": "ais", "n_temperatures": 5}),
    ("RWS", {"method": "importance", "n_samples": 4}),
    ("DBN", {"method": "importance", "n_samples": 4}),
    ("DBM", {"method": "variational", "n_temperatures": 5}),
]


@pytest.mark.parametrize(("name", "how"), MEASURED, ids=str)
def test_log_likelihoods_are_those_of_one_process_and_so_is_what_the_generator_gives_next(models, name, how):
    X, model = images(), models[name]
    found, told = [], []
    for pool in (None, Elsewhere()):
        rng = np.random.default_rng(5)
        shares: list[float] = []
        values = log_likelihood(model, X, **how, random_state=rng, pool=pool, progress=shares.append)
        found.append((values.values, values.effective_sample_size, rng.random(3)))
        told.append(shares)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(np.asarray(one, float), np.asarray(other, float))
    for shares in told:
        assert shares == sorted(shares)
        assert not shares or shares[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("LRBN", {}),
        ("LRBN", {"method": "annealed", "n_sweeps": 3}),
        ("LRBN", {"method": "gibbs", "n_sweeps": 2, "random_state": 4}),
        ("fair coins", {}),
        ("two layers", {"layer": 2}),
        ("two layers", {"method": "annealed", "n_sweeps": 3}),
        ("RBM", {}),
        ("RWS", {}),
        ("RWS", {"method": "gibbs", "n_sweeps": 2}),
        ("DBN", {}),
        ("DBM", {}),
    ],
    ids=str,
)
def test_reconstruction_errors_are_those_of_one_process(models, name, how):
    X = images()
    here, there = (reconstruction_error(models[name], X, **how, pool=pool) for pool in (None, Elsewhere()))
    assert len(here) == N
    np.testing.assert_array_equal(here, there)


def test_latents_are_those_of_one_process_and_pieces_have_random_numbers_of_their_own(models):
    X, how = np.repeat(images()[:1], N, axis=0), {"method": "gibbs", "n_sweeps": 1}
    here, there = (models["LRBN"].transform(X, **how, pool=pool) for pool in (None, Elsewhere()))
    np.testing.assert_array_equal(here, there)
    assert not np.array_equal(here[:ROWS], here[ROWS : 2 * ROWS])
    for one, other in zip(
        *(models["two layers"].infer(X, pool=pool) for pool in (None, Elsewhere())), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def test_one_piece_has_the_generator_itself():
    rng, same = np.random.default_rng(0), np.random.default_rng(0)
    (found,) = map_images(lambda X, rng: rng.random(len(X)), np.zeros(5), rng)
    np.testing.assert_array_equal(found, same.random(5))
    assert rng.random() == same.random()


def test_a_pool_is_asked_for_every_image_once():
    assert bounds(10, 4) == [(0, 4), (4, 8), (8, 10)]
    found = map_images(lambda X, rng: X, np.arange(10), np.random.default_rng(0), rows=4)
    np.testing.assert_array_equal(np.concatenate(found), np.arange(10))


def test_the_optima_of_many_images_are_those_of_each_wherever_they_are_looked_for(models):
    X, told = images()[:5], []
    here = find_basins_of_images(models["LRBN"], X, 400, random_state=3, progress=told.append)
    there = find_basins_of_images(models["LRBN"], X, 400, random_state=3, pool=Elsewhere())
    for one, other in zip(here, there, strict=True):
        for name in ("H", "log_joint", "counts", "counts_by_kind", "distance", "starts"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_array_equal(
        here[0].starts, find_basins(models["LRBN"], X[0], 400, random_state=3).starts
    )
    assert [basins.n_starts for basins in here] == [400] * 5
    assert not np.array_equal(here[0].starts, here[2].starts), "each image has random starts of its own"
    np.testing.assert_allclose(told, np.arange(1, 6) / 5)


def test_what_cannot_be_searched_for_optima_is_refused_before_any_work(models):
    with pytest.raises(NotOffered, match="one optimum"):
        find_basins_of_images(models["RBM"], images()[:2])
    with pytest.raises(ValueError, match="n_starts"):
        find_basins_of_images(models["LRBN"], images()[:2], 0)
    with pytest.raises(ValueError, match="64"):
        find_basins_of_images(models["LRBN"], np.zeros((2, 7)))
