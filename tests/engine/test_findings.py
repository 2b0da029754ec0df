"""The table of findings: what its model says of evidence, and that its causes are found back."""

from __future__ import annotations

import numpy as np
import pytest
from bench.bench_unknown import CAUSES, LEAST_COSINE, cosines_of, hidden

from lrbn_viz import LRBN, exact_posterior, load_dataset, log_odds_terms, pretrained
from lrbn_viz.datasets.planted import FINDINGS, ILLNESSES

MODEL = pretrained("lrbn-6-findings")


def posterior(**seen: int) -> dict[str, float]:
    """Return the probability of each illness given some findings; of all others nothing is known."""
    x = np.full(MODEL.n_visible_, np.nan)
    for name, value in seen.items():
        x[MODEL.visible_names_.index(name.replace("_", " "))] = value
    return dict(zip(MODEL.latent_names_, exact_posterior(MODEL, x).marginals.tolist(), strict=True))


def test_the_model_is_the_one_that_drew_the_table_with_its_names():
    data = load_dataset("findings")
    truth = data.planted
    assert truth is not None
    for own, drew in zip(MODEL.layers[0], (truth.W, truth.b, truth.d), strict=True):
        np.testing.assert_array_equal(own, drew)
    assert MODEL.latent_names_ == truth.latent_names == tuple(ILLNESSES)
    assert MODEL.visible_names_ == data.visible_names == tuple(FINDINGS)
    assert data.is_table
    assert data.validation_start == 5000
    assert (truth.W >= 0).all(), "an illness makes no finding less probable"
    alone = truth.train_H.sum(axis=1) == 1
    assert {data.class_names[y] for y in data.train_y[alone]} == set(ILLNESSES)
    kinds = [data.class_names[y] for y in data.train_y]
    assert [kind == "healthy" for kind in kinds] == (truth.train_H.sum(axis=1) == 0).tolist()
    assert [kind == "several" for kind in kinds] == (truth.train_H.sum(axis=1) > 1).tolist()


def test_each_finding_has_the_written_probability_in_each_illness_alone():
    for i, (alone, signs) in enumerate(FINDINGS.values()):
        means = MODEL.inverse_transform(np.vstack([np.zeros(6, int), np.eye(6, dtype=int)]))[:, i]
        expected = [alone, *(signs.get(illness, alone) for illness in ILLNESSES)]
        np.testing.assert_allclose(means, expected)


def test_evidence_moves_the_illnesses_as_it_should():
    nothing, cough = posterior(), posterior(cough=1)
    for illness, probability in ILLNESSES.items():
        assert nothing[illness] == pytest.approx(probability)
    assert max(cough, key=lambda name: cough[name]) == "cold", "the commonest cause of a cough"
    fever = posterior(cough=1, fever=1)
    assert max(fever, key=lambda name: fever[name]) == "flu"
    assert (round(cough["flu"], 2), round(fever["flu"], 2)) == (0.30, 0.56)
    no_fever = posterior(cough=1, fever=0)
    assert no_fever["flu"] < 0.05 < cough["flu"]
    # wheezing is a sign of bronchitis alone of those two, which then explains the cough and the fever
    wheezing = posterior(cough=1, fever=1, wheezing=1)
    assert wheezing["bronchitis"] > 0.9
    assert round(wheezing["flu"], 2) == 0.23, "explained away"
    # itchy eyes explain a runny nose by hay fever, and the cold becomes less probable
    assert posterior(runny_nose=1)["cold"] > 0.5
    itchy = posterior(runny_nose=1, itchy_eyes=1)
    assert itchy["hay fever"] > 0.95
    assert itchy["cold"] < 0.25
    assert posterior(nausea=1, light_hurts=1)["stomach bug"] < 0.2 < 0.5 < posterior(nausea=1)["stomach bug"]


def test_the_rival_takes_evidence_from_the_other_cause_in_the_terms_of_its_log_odds():
    x = np.full(MODEL.n_visible_, np.nan)
    for name in ("cough", "fever"):
        x[MODEL.visible_names_.index(name)] = 1.0
    flu, bronchitis = (MODEL.latent_names_.index(name) for name in ("flu", "bronchitis"))
    h = np.zeros(6, np.uint8)
    alone = log_odds_terms(MODEL, x, h, flu)
    h[bronchitis] = 1
    beside = log_odds_terms(MODEL, x, h, flu)
    assert alone.evidence == pytest.approx(beside.evidence)
    assert beside.others.sum() < -1.0 < alone.others.sum() == 0.0


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_an_lrbn_finds_the_illnesses_back_from_a_whole_table_and_from_one_with_missing_cells(share):
    data = load_dataset("findings")
    truth = data.planted
    assert truth is not None
    X = hidden(data.train_X, share) if share else data.train_X
    model = LRBN(12, random_state=0, **{**CAUSES, "n_iter": 20}).fit(X)
    cosines = cosines_of(model, truth.W)
    assert (cosines > LEAST_COSINE).all(), cosines
