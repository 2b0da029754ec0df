"""Each hyper-parameter is declared once: signature, check, docstring and form read the same field."""

from __future__ import annotations

import dataclasses
import inspect
import math
from dataclasses import dataclass
from typing import Any, get_args, get_type_hints

import pytest
from sklearn.base import clone

from lrbn_viz import LRBN, RBM
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import (
    Above,
    Choice,
    Field,
    Flag,
    Integer,
    Interval,
    Real,
    Seed,
    Several,
    check_fields,
    declare,
    documented,
    fields_of,
    in_words,
)
from lrbn_viz.lrbn.deep.staged import StagedHardEM
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.studies.runs import LaneConfig, RunConfig

pytestmark = pytest.mark.nojit

ESTIMATORS = (LRBN, RBM)
OWNERS = (HardEM, RBMSystem, RunConfig, *ESTIMATORS)
ALL = [
    pytest.param(owner, name, field, id=f"{owner.__name__}.{name}")
    for owner in OWNERS
    for name, field in fields_of(owner).items()
]
NOT_HYPER_PARAMETERS = {"dataset", "lanes", "parent"}  # of a run: what is trained, and on what


@pytest.mark.parametrize(("owner", "name", "field"), ALL)
def test_every_field_has_a_label_a_unit_or_none_a_help_sentence_and_bounds(owner, name, field):
    assert field.label[0].isupper()
    assert field.label.strip(". ") == field.label
    assert field.unit is None or field.unit.strip()
    assert field.help.endswith(".")
    assert field.help[0].isupper()
    assert len(field.help) < 120
    assert field.values or isinstance(field, (Choice, Flag))
    assert field.check(field.default, name) == field.default
    if isinstance(field, Choice):
        assert len(field.choices) > 1
        assert all(field.choices.values())


@pytest.mark.parametrize("owner", OWNERS)
def test_everything_that_can_be_set_is_a_field(owner):
    names = {each.name for each in dataclasses.fields(owner)} - NOT_HYPER_PARAMETERS
    assert fields_of(owner).keys() == names


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_signature_of_an_estimator_is_its_fields(estimator: Any):
    parameters = list(inspect.signature(estimator.__init__).parameters.values())[1:]
    fields = fields_of(estimator)
    assert {each.name: each.default for each in parameters} == {n: f.default for n, f in fields.items()}
    assert [each.name for each in parameters] == list(fields)
    positional, *named = parameters
    assert positional.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert {each.kind for each in named} == {inspect.Parameter.KEYWORD_ONLY}
    assert estimator().get_params() == {name: field.default for name, field in fields.items()}
    copied: Any = clone(estimator())
    assert copied.get_params() == estimator().get_params()


@pytest.mark.parametrize(
    ("estimator", "system"), [(LRBN, HardEM), (LRBN, StagedHardEM), (RBM, RBMSystem)], ids=str
)
def test_an_estimator_offers_what_its_system_declares_under_the_same_label_and_bounds(estimator, system):
    renamed = {"n_components": "n_h", "init": "start"}
    shared = 0
    theirs = fields_of(system)
    for name, field in fields_of(estimator).items():
        mine = theirs.get(renamed.get(name, name))
        if mine is None:
            continue
        shared += 1
        assert (field.label, field.unit) == (mine.label, mine.unit)
        if isinstance(field, (Integer, Real)):
            assert isinstance(mine, (Integer, Real))
            assert field.bounds == mine.bounds
    assert shared > 8


@pytest.mark.parametrize(("owner", "name", "field"), ALL)
def test_choices_are_those_of_the_type(owner, name, field):
    hint = get_type_hints(owner)[name]
    if isinstance(field, Choice):
        assert set(get_args(hint)) == set(field.choices)
    elif isinstance(field, (Integer, Real, Flag)):
        kind = {Integer: int, Real: float, Flag: bool}[type(field)]
        assert hint is kind or set(get_args(hint)) == {kind, type(None)}
        assert bool(field.none) == (hint is not kind)


@pytest.mark.parametrize(("owner", "name", "field"), ALL)
def test_the_bounds_are_what_is_checked(owner, name, field):
    if isinstance(field, (Integer, Real)):
        low, high, closed = dataclasses.astuple(field.bounds)
        kind = int if isinstance(field, Integer) else float
        ends = [(low, closed in ("left", "both")), (high, closed in ("right", "both"))]
        for end, is_in in ends:
            if kind is int and math.isinf(end):
                continue
            if is_in:
                assert field.check(kind(end), name) == end
            else:
                with pytest.raises(ValueError, match=f"^{name} must be .*; got .*The default is"):
                    field.check(kind(end), name)
        with pytest.raises(ValueError, match=f"^{name} must be"):
            field.check(kind(low - 1), name)
        with pytest.raises(ValueError, match=f"^{name} must be"):
            field.check(math.nan, name) if kind is float else field.check(low - 2, name)
    for wrong in ("words", [], object(), True if not isinstance(field, Flag) else 1):
        with pytest.raises((TypeError, ValueError), match=name):
            field.check(wrong, name)
    if not field.none and not isinstance(field, Seed):
        with pytest.raises((TypeError, ValueError), match=name):
            field.check(None, name)


@pytest.mark.parametrize("owner", OWNERS)
def test_help_shows_every_field_in_the_manner_of_numpydoc(owner):
    doc = inspect.getdoc(owner) or ""
    assert doc.count("Parameters\n----------") == 1
    table = doc.split("Parameters\n----------\n")[1].split("\n\n")[0]
    entries = [line for line in table.splitlines() if not line.startswith("    ")]
    fields = fields_of(owner)
    assert [entry.split(" : ")[0] for entry in entries] == list(fields)
    for entry, field in zip(entries, fields.values(), strict=True):
        assert entry.endswith(f"default={field.default!r}")
        assert field.help in " ".join(table.split())
    assert max(map(len, doc.splitlines())) <= 130
    if owner in ESTIMATORS:
        assert doc.index("Parameters\n") < doc.index("Attributes\n")


def test_a_docstring_entry_says_type_unit_bounds_and_when():
    text = fields_of(LRBN)["warm_up"].docstring("warm_up")
    assert text.startswith("warm_up : float, default=1000.0\n    A warmed prior")
    for words in ("Above 0 and finite. In minibatches.", "Only with prior='warmed'."):
        assert words in " ".join(text.split())
    text = " ".join(fields_of(LRBN)["patience"].docstring("patience").split())
    assert text.startswith("patience : int or None, default=5 ")
    assert text.endswith(
        "At least 1. None: no early stopping. In epochs. Only with validation_size > 0 and n_components of "
        "one layer, or validation_size > 0 and layer_by_layer=True."
    )
    assert fields_of(RBM)["method"].docstring("method").startswith("method : {'pcd', 'cd'}, default='pcd'")


@pytest.mark.parametrize(
    ("name", "settings", "applies"),
    [
        ("warm_up", {"prior": "flat"}, False),
        ("warm_up", {"prior": "warmed"}, True),
        (
            "learning_rate",
            {"visible": "bernoulli", "m_step": "auto", "schedule": "minibatch", "n_components": 3},
            True,
        ),
        (
            "learning_rate",
            {"visible": "gaussian", "m_step": "auto", "schedule": "minibatch", "n_components": 3},
            False,
        ),
        ("learning_rate", {"visible": "gaussian", "m_step": "gradient", "schedule": "minibatch"}, True),
        ("learning_rate", {"visible": "bernoulli", "m_step": "auto", "schedule": "batch"}, False),
        ("learning_rate", {"visible": "gaussian", "m_step": "auto", "n_components": (3, 2)}, True),
        ("ridge", {"visible": "gaussian", "m_step": "auto", "n_components": 3}, True),
        ("ridge", {"visible": "bernoulli", "m_step": "auto", "n_components": 3}, False),
        ("ridge", {"visible": "gaussian", "n_components": (3, 2)}, True),
        ("first_share", {"n_components": (3,), "layer_by_layer": False}, False),
        ("first_share", {"n_components": (3, 2), "layer_by_layer": False}, True),
        ("n_rounds", {"n_components": (3, 2), "layer_by_layer": False}, False),
        ("hottest", {"e_step": "gibbs"}, False),
        ("patience", {"validation_size": 0, "n_components": 3}, False),
        ("patience", {"validation_size": 1, "n_components": 3}, True),
        ("patience", {"validation_size": 1, "n_components": (3, 2)}, False),
        ("n_components", {}, True),
    ],
)
def test_a_field_says_when_it_applies(name, settings, applies):
    assert fields_of(LRBN)[name].applies(settings) is applies


def test_conditions_on_what_is_fixed_are_gone_or_rule_a_field_out():
    fields = fields_of(LRBN)
    one, two = {"n_components": (3,)}, {"n_components": (3, 2)}
    rate: Any = fields["learning_rate"].given(one)
    assert [set(each) for each in rate.when] == [{"visible", "schedule"}, {"m_step", "schedule"}]
    rate = fields["learning_rate"].given(two)
    assert rate.applies({})
    assert fields["schedule"].given(two) is None
    assert fields["first_share"].given(one) is None
    assert fields["max_sweeps"].given(one) is fields["max_sweeps"]


def test_what_a_condition_names_is_a_field():
    for owner in OWNERS:
        fields = fields_of(owner)
        for name, field in fields.items():
            for each in field.when:
                assert each.keys() <= fields.keys(), f"{owner.__name__}.{name}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_part_of_the_model_says_so_and_cannot_be_changed(system):
    fixed = [name for name, field in SYSTEMS[system].fields.items() if field.fixed]
    assert {"n_components", "visible"} <= set(fixed)
    for name in fixed:
        assert "begin a new" in SYSTEMS[system].fields[name].fixed


def test_settings_are_written_with_labels_titles_and_units():
    settings = {"prior": "warmed", "warm_up": 300.0, "learning_rate_end": None, "persistent": True, "x": 1}
    assert in_words(settings, fields_of(LRBN)) == (
        "Prior = warmed up, Prior held for = 300 minibatches, Final learning rate = none, "
        "Persistent chains = on, x = 1"
    )


def test_a_settings_class_of_a_new_model_needs_nothing_but_its_declarations():
    @documented
    @dataclass(frozen=True)
    class Sparse:
        """A model.

        Attributes
        ----------
        mean : float
        """

        sparsity: float = declare(Real("Sparsity", None, "Weight of it.", bounds=Interval(0)), 0.0)
        target: float = declare(
            Real(
                "Target activity",
                None,
                "Mean of a latent.",
                bounds=Interval(0, 1, "neither"),
                when=({"sparsity": Above(0)},),
            ),
            0.1,
        )
        sizes: tuple[int, ...] = declare(
            Several("Sizes", "units", "Of each.", of=Integer("Size", None, "Of one.", bounds=Interval(1))),
            (3,),
        )

        def __post_init__(self) -> None:
            check_fields(self)

    fields: dict[str, Field] = fields_of(Sparse)
    assert not fields["target"].applies({"sparsity": 0.0})
    assert fields["target"].applies({"sparsity": 0.5})
    doc = Sparse.__doc__ or ""
    assert "Only with sparsity > 0." in doc
    assert doc.index("Parameters") < doc.index("Attributes")
    wrong: list[dict[str, Any]] = [
        {"sparsity": -1},
        {"target": 1.0},
        {"sizes": (1, 0)},
        {"sizes": ()},
        {"sizes": 3},
    ]
    for settings in wrong:
        with pytest.raises(ValueError, match=next(iter(settings))):
            Sparse(**settings)
    assert Sparse(sizes=(2, 5), target=0.5).sizes == (2, 5)


def test_a_lane_says_which_settings_there_are():
    with pytest.raises(
        ValueError, match="RBM has no setting 'prior'; it has adaptive_rate, average, batch_size"
    ):
        LaneConfig("RBM", {"prior": "flat"}).estimator(RunConfig("digits", {}))
