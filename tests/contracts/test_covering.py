"""The few pairs that the gate tries show what all pairs show; checked here by brute force."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from contracts.dummy_model import MeanField
from covering import capabilities, cover, covering_pairs, kinds_for_the_gate, pairs_for_the_gate, square

from lrbn_viz.catalog import SYSTEMS, Kind, kinds

ALL: dict[str, Mapping[str, Kind]] = {
    "kinds of files": kinds(),
    "systems": SYSTEMS,
    "kinds and a new one": {**kinds(), MeanField.__name__: Kind(MeanField)},
}
every = pytest.mark.parametrize("which", ALL)


class OnlyOne(MeanField):
    """A kind with a choice that no other kind makes."""

    chain_state: ClassVar[Any] = "odd"


@every
def test_each_kind_stands_on_either_side_and_beside_a_partner_of_each_capability(which):
    models = ALL[which]
    pairs = covering_pairs(models)
    assert {left for left, _ in pairs} == {right for _, right in pairs} == set(models)
    values = {pair for kind in models.values() for pair in capabilities(kind).items()}
    for name in models:
        partners = {right for left, right in pairs if left == name}
        partners |= {left for left, right in pairs if right == name}
        met = {pair for partner in partners for pair in capabilities(models[partner]).items()}
        assert met == values, name


@every
def test_each_capability_on_the_left_stands_beside_each_on_the_right(which):
    models, found = ALL[which], set[Any]()
    for left, right in covering_pairs(models):
        found |= set(
            itertools.product(capabilities(models[left]).items(), capabilities(models[right]).items())
        )
    values = {pair for kind in models.values() for pair in capabilities(kind).items()}
    assert found == set(itertools.product(values, values))


@every
def test_kinds_of_each_capability_stand_beside_themselves(which):
    models = ALL[which]
    alike = [left for left, right in covering_pairs(models) if left == right]
    values = {pair for kind in models.values() for pair in capabilities(kind).items()}
    assert {pair for name in alike for pair in capabilities(models[name]).items()} == values


@every
def test_the_pairs_are_few_and_always_the_same(which):
    models = ALL[which]
    pairs = covering_pairs(models)
    assert len(pairs) <= len(models) ** 2 / 3
    assert pairs == covering_pairs(models)
    assert len(set(pairs)) == len(pairs)


@every
def test_the_gates_pairs_and_the_slow_ones_are_the_square(which):
    models = ALL[which]
    params = pairs_for_the_gate(models)
    fast = [param.values for param in params if not param.marks]
    slow = [param.values for param in params if param.marks]
    assert fast == covering_pairs(models)
    assert all([mark.name for mark in param.marks] == ["slow"] for param in params if param.marks)
    assert sorted([*fast, *slow]) == sorted(square(list(models)))
    assert len({param.id for param in params}) == len(params)


@every
def test_the_gates_kinds_have_every_capability(which):
    models = ALL[which]
    params = kinds_for_the_gate(models)
    fast = [param.values[0] for param in params if not param.marks]
    values = {pair for kind in models.values() for pair in capabilities(kind).items()}
    assert {pair for name in fast for pair in capabilities(models[name]).items()} == values
    assert 0 < len(fast) < len(models) / 2
    assert [param.values[0] for param in params] == list(models)


def test_what_a_new_kind_alone_can_do_stands_beside_every_kind():
    assert capabilities(Kind(OnlyOne)) != capabilities(Kind(MeanField))
    models = {**kinds(), "new": Kind(OnlyOne)}
    pairs = covering_pairs(models)
    assert all((name, "new") in pairs or ("new", name) in pairs for name in models)


def test_capabilities_are_what_the_class_declares():
    found = capabilities(kinds()["RBM"])
    assert found["graph"] == "undirected"
    assert found["factorised"] is True
    assert found["several_layers"] is False
    assert found["usual"] == "factorised"
    assert capabilities(kinds()["DBM"])["several_layers"] is True
    assert {
        "supports_restarts",
        "draws_passes",
        "chain_state",
        "has_rbm_parameters",
        "grey",
        "trace_options",
    } <= set(found)
    assert not {"short", "score_title", "methods", "likelihoods"} & set(found)


def test_a_cover_leaves_nothing_out_and_takes_the_first_of_what_shows_as_much():
    shows = {"a": "12", "b": "123", "c": "34", "d": "456", "e": "", "f": "456"}
    assert cover(shows, shows.__getitem__) == ["b", "d"]
    assert cover("abc", lambda _: "x") == ["a"]
    assert cover("abc", lambda _: "") == []
    assert cover([], lambda _: "x") == []


def test_a_cover_is_as_the_plain_greedy_rule_gives_it():
    # as cover, but looking at every candidate again each time
    shows = {n: {(n * k * k + k) % 31 for k in range(n % 7 + 1)} for n in range(60)}
    missing, taken = set[int]().union(*shows.values()), list[int]()
    while missing:
        best = max(shows, key=lambda n: len(shows[n] & missing))
        taken.append(best)
        missing -= shows[best]
    assert cover(shows, shows.__getitem__) == sorted(taken)
