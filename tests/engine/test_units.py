"""Each kind of visible units: likelihood and terms of log-odds equal the joint, evaluated directly."""

from __future__ import annotations

import itertools
import math

import naive
import numpy as np
import pytest

from lrbn_viz.core.units import UNITS

N_V, N_H = 5, 3

every = pytest.mark.parametrize("name", UNITS)


def made(name: str, seed: int = 0) -> tuple[naive.Params, np.ndarray, np.ndarray]:
    """Return parameters of a layer, images and latent states."""
    rng = np.random.default_rng(seed)
    W, b, d = rng.normal(0, 1, (N_V, N_H)), rng.normal(0, 1, N_V), rng.normal(0, 1, N_H)
    if name == "noisy-or":
        W, b = np.abs(W), np.abs(b) + 1e-3
    X = rng.integers(0, 2, (8, N_V)) if UNITS[name].binary else rng.normal(size=(8, N_V))
    H = np.array(list(itertools.product((0, 1), repeat=N_H)), np.uint8)
    return naive.Params(W, b, d), X.astype(np.float64), H


@every
def test_the_likelihood_is_that_of_the_definition_and_an_exponential_family(name):
    params, X, H = made(name)
    units, a = UNITS[name], H @ params.W.T + params.b
    found = units.log_likelihood(X, a)
    expected = [naive.log_likelihood(params, name, x, h) for x, h in zip(X, H, strict=True)]
    np.testing.assert_allclose(found, expected, atol=1e-12)
    family = X * units.natural(a) - units.log_normaliser(a)
    np.testing.assert_allclose(family.sum(axis=1) + units.log_base(X), expected, atol=1e-12)
    assert units.canonical == (units.natural(a) is a)


@every
def test_the_terms_of_log_odds_sum_to_the_joint_evaluated_twice(name):
    params, X, H = made(name)
    units = UNITS[name]
    for (x, h), j in itertools.product(zip(X, H, strict=True), range(N_H)):
        terms = units.log_odds_terms(*params, x, h, j)
        assert terms.log_odds == pytest.approx(naive.log_odds(params, name, x, h, j), abs=1e-10)
        off = units.log_odds_terms(*params, x, np.zeros(N_H), j)
        assert not off.others.any()
        np.testing.assert_array_equal(off.evidence, terms.evidence)
        np.testing.assert_array_equal(off.alone, terms.alone)
        silent = units.log_odds_terms(*params, units.silent(params.b), h, j)
        assert not silent.evidence.any()


@every
def test_the_most_probable_image_has_the_best_likelihood(name):
    params, _, H = made(name)
    units, a = UNITS[name], H @ params.W.T + params.b
    best = units.most_probable(a)
    np.testing.assert_allclose(units.log_likelihood(best, a), units.log_best(a), atol=1e-12)
    if units.binary:
        every_image = np.array(list(itertools.product((0, 1), repeat=N_V)), np.float64)
        for row in a:
            joint = units.log_likelihood(every_image, np.tile(row, (len(every_image), 1)))
            assert joint.max() == pytest.approx(units.log_best(row[None])[0])
            assert np.exp(joint) @ every_image == pytest.approx(units.mean(row))
            assert math.fsum(np.exp(joint)) == pytest.approx(1.0)


def test_noisy_or_units_that_are_off_explain_nothing_away_and_those_that_are_on_never_support():
    params, X, H = made("noisy-or")
    for (x, h), j in itertools.product(zip(X, H, strict=True), range(N_H)):
        others = UNITS["noisy-or"].log_odds_terms(*params, x, h, j).others
        assert not others[x == 0].any()
        assert (others <= 1e-15).all()
