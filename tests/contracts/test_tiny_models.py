"""Tests that share a model notice when one of them changes it: the digest sees all that a file would hold."""

from __future__ import annotations

import copy

import pytest
from tiny_models import digest

from lrbn_viz.catalog import kinds


@pytest.mark.parametrize("name", kinds())
def test_every_change_of_a_model_changes_its_digest(name, tiny_model):
    model = tiny_model(kinds()[name])
    known = digest(model)
    assert digest(copy.deepcopy(model)) == known
    longer, named = copy.deepcopy(model).set_params(n_iter=99), copy.deepcopy(model)
    named.name_units([f"unit {j}" for j in range(model.n_latents_)])
    assert len({known, digest(longer), digest(named)}) == 3
    for layer in range(len(model.layers)):
        other = copy.deepcopy(model)
        other.layers[layer].W[0, 0] += 1e-9
        assert digest(other) != known
