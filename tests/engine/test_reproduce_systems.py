"""Every system trained for equal seconds: all rows filled, bounds on both sides, left and resumed."""

import copy
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.estimators import dbn
from lrbn_viz.kernels.numerics import PARALLEL_LOCK
from lrbn_viz.measure import bracket
from lrbn_viz.rivals.rbm import partition
from lrbn_viz.studies.reproduce import bounds, comparison_tables, stages, timed
from lrbn_viz.studies.reproduce import run as reproduce_run
from lrbn_viz.studies.reproduce.budgets import QUICK, WIDEST
from lrbn_viz.studies.reproduce.plan import cases
from lrbn_viz.studies.reproduce.previous_versions import read_earlier
from lrbn_viz.studies.reproduce.recipes import RECIPES
from lrbn_viz.studies.reproduce.report import write_report
from lrbn_viz.studies.reproduce.reported import DISAGREEMENTS, NATS, SOURCES, WRONG_PIXELS
from lrbn_viz.studies.reproduce.run import Reproduction
from lrbn_viz.studies.reproduce.split import shortened, split
from lrbn_viz.studies.reproduce.store import DamagedResult, Result
from lrbn_viz.studies.reproduce.systems import (
    BINARIZED,
    SAME_MODEL,
    SETTINGS_BY_SIZE,
    SMALL,
    USUAL,
    Case,
    how_chosen,
)
from lrbn_viz.studies.reproduce.tables import NOT_KNOWN
from lrbn_viz.studies.reproduce.timed import offers, plan_for, planned_anew, rows, run_of, settings, spend

SECONDS = 0.1
STEP = 0.005
"""CPU seconds of a step of training, in the mean, by the clock of these tests."""
ROOT = Path(__file__).resolve().parents[2]


def reproduction(folder, **how):
    """A quick one of systems, on small digits that stand in for the letters."""
    settings = {"fast": True, "dataset": load_dataset("digits"), "only": ["systems"], "seconds": SECONDS}
    return Reproduction("ocr", folder, **(settings | how))


def shorten_chains(patch: pytest.MonkeyPatch) -> None:
    """Let AIS begin a little further from an RBM's or a DBN's means, at far less cost; bounds stay bounds."""
    patch.setattr(partition, "N_CHAINS", 50)
    patch.setattr(partition, "N_SWEEPS", 10)
    patch.setattr(dbn, "CHAIN_SWEEPS", 20)


@contextmanager
def steps_that_take(step: float, spread: float = 0.0) -> Iterator[None]:
    """Let each step of training take so many CPU seconds, whatever else this process has to do meanwhile.

    The real clock counts all of that: a search for garbage among the objects of thousands of tests takes
    longer than `SECONDS`. With a `spread` a step takes up to that share more, or less.
    """
    rng, now = np.random.default_rng(0), 0.0

    def clock() -> float:
        nonlocal now
        now += step * (1 + spread * rng.uniform(-1, 1))
        return now

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timed, "cpu_seconds_without_compiling", clock)
        shorten_chains(patch)
        yield


@pytest.fixture
def quick_steps() -> Iterator[None]:
    with steps_that_take(STEP):
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """All systems, on both binarizations."""
    made = reproduction(tmp_path_factory.mktemp("whole"))

    def once_whole(each: Reproduction) -> None:  # charts of each report on the way would take the most time
        if len(each.results) == len(each.stages):
            write_report(each)

    with steps_that_take(STEP, spread=0.5), pytest.MonkeyPatch.context() as patch:
        patch.setattr(reproduce_run, "write_report", once_whole)
        made.run()
    return made


@pytest.fixture(scope="module")
def report(whole):
    """Its report, as text and as JSON values."""
    folder = whole.store.folder
    found = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    return (folder / "report.md").read_text(encoding="utf-8"), found


def column(table, name):
    """The cells of a column of a table as JSON has it, by the row's system and size."""
    (position,) = (at for at, each in enumerate(table["columns"]) if each["name"] == name)
    return {(row[0], row[1]): row[position] for row in table["rows"]}


# -- which rows there are


@pytest.mark.parametrize("name", RECIPES)
def test_every_system_is_a_row_of_each_data_set_and_so_is_every_size_of_the_paper_that_it_can_have(name):
    found = rows(name)
    assert {system for system, _ in found} == set(SYSTEMS) - set(SAME_MODEL)
    assert {("DBN", (200, 200)), ("DBM", (200, 200)), ("LRBN", (200, 200)), ("NVIL", (200,))} <= set(found)
    large = {"mnist": ("DBN", (500, 2000)), "caltech": ("RBM", (4000,)), "ocr": ("DBM", (2000, 2000))}
    assert large[name] in found
    assert len(cases(name, fast=False)) == 2 * len(found)


def test_a_system_is_asked_for_layers_that_it_has():
    assert offers("RBM", (200,))
    assert not offers("RBM", (200, 200))
    assert not offers("DBN", (200,))


def test_settings_of_one_size_take_the_place_of_others_and_are_those_that_were_chosen():
    found = {(system, name, sizes) for name in RECIPES for system, sizes in rows(name)}
    assert SETTINGS_BY_SIZE
    assert SETTINGS_BY_SIZE.keys() <= found
    for (system, name, sizes), own in SETTINGS_BY_SIZE.items():
        usual = (USUAL,) * len(sizes)
        large, small = (settings(Case(system, each, "threshold"), name) for each in (sizes, usual))
        assert {key: large[key] for key in own} == own
        assert own.items() - small.items()
        assert how_chosen(system, sizes, name) == "on held-out images"


def test_a_size_for_which_nothing_was_chosen_is_said_to_have_settings_carried_over():
    assert how_chosen("RBM", (USUAL,), "mnist") == "on held-out images"
    assert how_chosen("RBM", (USUAL + 1,), "mnist") == "carried over, not chosen"
    assert how_chosen("DBM", (USUAL, USUAL), "ocr") == "carried over, not chosen"


def test_all_rows_are_filled_for_both_binarizations(whole, report):
    _, found = report
    for kind, wanted in (("likelihood", "nats"), ("reconstruction", "usual inference")):
        table = found["tables"][f"systems, {kind}"]
        for words in BINARIZED.values():
            cells = column(table, f"measured: {words}, {wanted}")
            for system, sizes in rows("ocr", fast=True):
                assert cells[system, "-".join(map(str, sizes))] is not None
    reported = {"likelihood": NATS["ocr"], "reconstruction": WRONG_PIXELS["ocr"]}
    for kind, published in reported.items():
        cells = column(found["tables"][f"systems, {kind}"], "reported: the paper")
        assert sorted(cell for cell in cells.values() if cell is not None) == sorted(
            row.value for row in published
        )
    assert (
        len(list((whole.store.folder / "models").iterdir())) == len(whole.cases) == 2 * len(rows("ocr", True))
    )


def test_each_case_has_stages_and_results_of_its_own(whole):
    for case in whole.cases:
        kinds = [stage.kind for stage in whole.stages if stage.config == case.name]
        assert kinds == ["plan", "timed", "errors", "nats"]
        for kind in kinds:
            assert whole.store.path(f"{case.name}.{kind}").exists()
    assert len({stage.key for stage in whole.stages}) == len(whole.stages)


# -- seconds


CHOSEN_ON_LETTERS = {("RBM", 1), ("LRBN", 2), ("VB-SBN", 1), ("Two-layer VB-SBN", 2)}


def test_no_system_is_trained_for_longer_than_the_budget_and_the_report_says_so(whole, report):
    text, found = report
    spent = {case.name: whole.figures(case.name, "timed") for case in whole.cases}
    assert {figures["budget"] for figures in spent.values()} == {SECONDS}
    seconds = {name: figures["seconds"] for name, figures in spent.items()}
    one_layer = {case.name for case in whole.cases if len(case.sizes) == 1}
    # A step beyond the budget at most, by the clock of the fixture. Stages go on until both layers are there.
    assert {
        name: found for name, found in seconds.items() if name in one_layer and found >= SECONDS + 1.5 * STEP
    } == {}
    by_budget = {name for name, figures in spent.items() if not figures["finished"]}
    assert {name: seconds[name] for name in by_budget if seconds[name] < SECONDS} == {}, "ended too soon"
    assert 0 < len(by_budget) < len(spent), "there are examples of both ends"
    assert f"{SECONDS:g} CPU seconds of training" in text
    ended = column(found["tables"]["systems, training"], "ended")
    assert all(re.fullmatch(r"as planned|by the budget, \d+% done", cell) for cell in ended.values())
    chosen = column(found["tables"]["systems, training"], "chosen")
    for case in whole.cases:  # letters: settings of all others are carried over
        by_held_out = (case.system, len(case.sizes)) in CHOSEN_ON_LETTERS
        words = "on held-out images" if by_held_out else "carried over, not chosen"
        assert chosen[case.row, BINARIZED[case.binarize]] == words


def small(case_size=(SMALL,)):
    data = load_dataset("digits")
    return shortened(split(data), 300, 40), case_size


def test_a_budget_ends_a_run_and_leaves_a_model():
    data, _ = small()
    case = Case("RBM", (SMALL,), "threshold")
    run = run_of(case, "ocr", data, {"passes": [100_000], "images": 300}, 0)
    with steps_that_take(0.02):
        assert list(spend(run, 0.05)) == pytest.approx([0.02, 0.04, 0.06])
    assert run.progress < 0.1
    assert run.model().layer_sizes_ == (SMALL,)


def test_a_step_on_a_budget_keeps_to_one_thread():
    """Else seconds are charged in which one thread waits for another; between steps others may have them."""
    within = []

    class Watched:
        whole = True

        def __iter__(self):
            for _ in range(3):
                within.append(PARALLEL_LOCK.locked())
                yield

    watched: Any = Watched()
    for _ in spend(watched, np.inf):
        assert not PARALLEL_LOCK.locked()
    assert within == [True, True, True]


def test_a_budget_is_planned_in_whole_passes_of_as_many_images_as_fit(quick_steps):
    data, _ = small()
    case = Case("RBM", (SMALL,), "threshold")
    few, many = (plan_for(case, "ocr", data, seconds, 0) for seconds in (1e-6, 3.0))
    assert (few["passes"], few["images"]) == ([1], 100)
    assert many["passes"][0] > 10
    assert 200 <= many["images"] <= 300
    staged = plan_for(Case("LRBN", (SMALL, SMALL), "threshold"), "ocr", data, 1e-6, 0)
    assert set(staged["passes"]) == {0, 1}
    assert staged["images"] == 1


@pytest.mark.parametrize(
    ("planned", "spent", "anew"),
    [
        ({"passes": [10], "images": 300}, 0.5, {"passes": [19], "images": 300}),
        ({"passes": [1], "images": 100}, 0.5, {"passes": [1], "images": 190}),
        ({"passes": [2, 0, 4], "images": 150}, 0.19, {"passes": [5, 0, 10], "images": 300}),
    ],
)
def test_what_a_whole_run_took_tells_how_much_fits_the_budget(planned, spent, anew):
    found = planned_anew(planned, spent, 1.0, 300)
    assert found["seconds"] == pytest.approx(0.95, rel=0.06)
    assert {name: found[name] for name in anew} == anew


def test_a_run_that_ends_far_below_its_budget_is_planned_anew_and_made_again(
    tmp_path, monkeypatch, quick_steps
):
    monkeypatch.setattr(stages, "plan_for", lambda *_: {"passes": [2], "images": 300, "seconds": 0.5})
    made = reproduction(tmp_path, only=["RBM-24"], seconds=0.5)
    made.run()
    for case in made.cases:
        plan, timed = made.figures(case.name, "plan"), made.figures(case.name, "timed")
        assert plan is not None
        assert timed is not None
        assert plan["anew"]
        assert timed["passes"] == plan["passes"]
        assert timed["passes"][0] > 4
        assert timed["done"] > 0.1
    assert all(moment.found for moment in reproduction(tmp_path, only=["RBM-24"], seconds=0.5).steps())


def test_a_row_is_asked_for_with_or_without_a_binarization(tmp_path):
    def asked(*words, **how):
        return [case.name for case in reproduction(tmp_path, only=words, **how).cases]

    assert asked("RBM-24") == ["RBM-24.threshold", "RBM-24.stochastic"]
    assert asked("RBM-24.stochastic", "NVIL-24.threshold") == ["NVIL-24.threshold", "RBM-24.stochastic"]
    with pytest.raises(ValueError, match=r"choose from .* RBM-24, "):
        asked("RBM-24.drawn")
    with pytest.raises(ValueError, match=r"binary by threshold only, got RBM-24\.stochastic"):
        asked("RBM-24.stochastic", drawn=load_dataset("digits"))


# -- left and resumed


@pytest.mark.parametrize(
    ("case", "planned"),
    [
        (Case("RWS", (SMALL,), "threshold"), {"passes": [3], "images": 300}),
        (Case("LRBN", (SMALL, SMALL), "threshold"), {"passes": [1, 1, 1, 0, 1, 1, 1, 1], "images": 60}),
    ],
    ids=["one run", "stages"],
)
def test_a_run_left_and_resumed_ends_with_the_same_model(case, planned, tmp_path):
    data, _ = small()
    expected = run_of(case, "ocr", data, planned, 0)
    n = sum(1 for _ in spend(expected, np.inf))
    left = run_of(case, "ocr", data, planned, 0)
    steps = spend(left, np.inf, 1.5)
    for _ in range(n // 2):
        spent = next(steps)
    left.save(tmp_path / "run", spent)
    resumed = run_of(case, "ocr", data, planned, 0)
    assert resumed.resume(tmp_path / "run") == spent > 1.5
    assert sum(1 for _ in spend(resumed, np.inf, spent)) == n - n // 2
    for ours, theirs in zip(resumed.model().layers, expected.model().layers, strict=True):
        for array, other in zip(ours, theirs, strict=True):
            np.testing.assert_array_equal(array, other)


def test_a_reproduction_left_in_training_goes_on_and_does_nothing_twice(tmp_path, quick_steps):
    asked = {"only": ["DBN-24-24"], "seconds": 0.15, "checkpoint_seconds": 0.0}
    steps = reproduction(tmp_path, **asked).steps()
    moment = next(moment for moment in steps if moment.stage.kind == "timed" and moment.share > 0.3)
    steps.close()
    again = reproduction(tmp_path, **asked)
    rest = list(again.steps())
    assert rest[0].found
    assert (rest[0].stage.kind, rest[1].stage.kind) == ("plan", "timed")
    assert moment.share <= rest[1].share
    assert all(moment.found for moment in reproduction(tmp_path, **asked).steps())
    assert not list(tmp_path.rglob("*.checkpoint"))
    (first, *_) = again.stages
    again.store.path(first.name).write_bytes(b"something else")
    with pytest.raises(DamagedResult, match=re.escape(first.name)):
        list(reproduction(tmp_path, **asked).steps())


def test_other_seconds_are_other_results(whole):
    other = reproduction(whole.store.folder, seconds=2 * SECONDS)
    assert not {stage.key for stage in other.stages} & {stage.key for stage in whole.stages}


# -- bounds


@pytest.mark.parametrize("name", ["lrbn-12-digits", "lrbn-12-digits-recognition", "rbm-12-digits"])
def test_the_bounds_hold_the_exact_nats_between_them(name, monkeypatch):
    model, data = pretrained(name), split(load_dataset("digits"))
    how = QUICK._replace(nats_images=40, nats_drawn=20, nats_temperatures=(300, 300))
    exact, _ = bounds.nats(model, data, how, 0, lambda part: None)
    assert exact["lower"] == exact["value"] == exact["upper"]
    assert exact["by"] == "enumeration"
    monkeypatch.setattr(bracket, "MAX_EXACT", 0)
    found, arrays = bounds.nats(model, data, how, 0, lambda part: None)
    assert found["lower"] - 0.15 < exact["value"] < found["upper"] + 0.15
    assert found["by"].startswith("AIS")
    assert len(arrays["values"]) == 40
    bound = found["variational"]
    assert bound is None or bound["mean"] < exact["value"] + 2 * 0.2


def drawn(system, n_v, n_h=30):
    """A model of a system, of two layers where it has them, that is too large to enumerate."""
    rng = np.random.default_rng(0)
    lower = (rng.normal(0, 0.1, (n_v, n_h)), np.zeros(n_v), np.zeros(n_h))
    upper = {"U": rng.normal(0, 0.1, (n_h, n_h)), "e": np.zeros(n_h)}
    read = {"V": lower[0], "c": np.zeros(n_h)}
    more = {"LRBN": {}, "RBM": {}, "DBM": upper, "DBN": upper | read}[system]
    return SYSTEMS[system].estimator.from_params(*lower, **more)


@pytest.mark.parametrize("system", ["LRBN", "DBM", "DBN"])
def test_chains_are_made_longer_until_bounds_are_near_or_the_cost_is_too_high(system, monkeypatch):
    data = split(load_dataset("digits"))
    model = drawn(system, data.train_X.shape[1])
    shorten_chains(monkeypatch)
    monkeypatch.setattr(partition, "N_SWEEPS", 2)
    how = QUICK._replace(nats_images=4, nats_drawn=2, nats_temperatures=(3, 3))
    n, told = len(model.layers), []

    def steps(most, widest):
        monkeypatch.setattr(bounds, "WIDEST", widest)
        told.clear()
        found, _ = bounds.nats(model, data, how._replace(nats_work=(most, most)), 0, told.append)
        assert told == sorted(told)
        return found["n_temperatures"]

    one = bounds._work(model, data.test_X[:4], how, n)
    assert one == pytest.approx(8 * n * sum(layer.W.size for layer in model.layers) * 1e-9)
    assert steps(47 * one, -1e6) == 12 * n  # 48 would cost more
    assert steps(48 * one, -1e6) == 48 * n
    assert steps(48 * one, 1e6) == 3 * n


def test_a_model_says_itself_what_bounds_it(monkeypatch):
    shorten_chains(monkeypatch)
    data = split(load_dataset("digits"))
    how = QUICK._replace(nats_images=4, nats_drawn=2, nats_temperatures=(3, 3))
    named = []
    for system in ("LRBN", "RBM", "DBM", "DBN"):
        model = drawn(system, data.train_X.shape[1])
        found, _ = bounds.nats(model, data, how, 0, lambda part: None)
        named.append((found["lower_is"], found["upper_is"]))
    assert named == [
        (bracket.BELOW, bracket.DRAWN),
        (bracket.BACK, bracket.OF_Z),
        (bracket.BACK, bracket.OF_BOTH),
        (bracket.FROM_ABOVE_Z, bracket.WITH_ITS_OWN),
    ]
    small_one, _ = bounds.nats(pretrained("rbm-12-digits"), data, how, 0, lambda part: None)
    assert small_one["lower_is"] == small_one["upper_is"] == bracket.EXACT


def test_a_wide_bracket_is_printed_as_an_interval_with_its_bounds_beside(whole, report):
    _, found = report
    shown = found["tables"]["systems, bounds"]
    known = {row[0]: row[-1] for row in shown["rows"] if row[1] == BINARIZED["threshold"]}
    cells = column(found["tables"]["systems, likelihood"], f"measured: {BINARIZED['threshold']}, nats")
    for case in (case for case in whole.cases if case.binarize == "threshold"):
        nats, cell = whole.figures(case.name, "nats"), cells[case.system, case.size]
        wide = nats["upper"] is None or nats["upper"] - nats["lower"] > WIDEST
        assert (cell["value"] is None) == wide
        assert known[case.row] == (NOT_KNOWN if wide else "yes")
        if wide:
            assert (cell["lower"], cell["upper"]) == (nats["lower"], nats["upper"])
    # one that is known becomes one that is not, and is printed as such
    case = next(case for case in whole.cases if known.get(case.row) == "yes")
    wide = copy.copy(whole)
    nats = whole.results[f"{case.name}.nats"]
    less = nats.figures["lower"] - 2 * WIDEST
    wide.results = {
        **whole.results,
        f"{case.name}.nats": nats._replace(figures={**nats.figures, "lower": less}),
    }
    rows = {
        row[0]: row[-1]
        for row in comparison_tables.bounds_table(wide).rows
        if row[1] == BINARIZED["threshold"]
    }
    assert rows == {**known, case.row: NOT_KNOWN}
    printed = comparison_tables.likelihood_table(wide).markdown()
    assert f"| between {less:.1f} and {nats.figures['upper']:.1f} |" in printed


# -- who is likeliest, and what is published


def having(whole, figures):
    """The run as if it had found these nats: by row, (lower, value, upper)."""
    made = copy.copy(whole)
    made.by = {"threshold": whole.by["threshold"]}
    made.cases = [Case(row, (200,), "threshold") for row in figures]
    made.results = {}
    for case, (low, value, high) in zip(made.cases, figures.values(), strict=True):
        found = {"lower": low, "value": value, "upper": high, "by": "importance sampling"}
        values = np.full(20, float(value))
        made.results[f"{case.name}.nats"] = Result(found, {"values": values}, 0.0)
    return made


def test_the_first_words_name_the_likeliest_and_all_who_may_be(whole):
    said = comparison_tables.first_words(
        having(
            whole,
            {
                "A": (-80.0, -80.0, -79.5),
                "B": (-80.6, -80.6, -79.9),
                "C": (-83.0, -83.0, -82.5),
                "D": (-84.0, -79.0, -79.0),
                "E": (None, -75.0, None),
                "F": (-99.0, -90.0, -90.0),
            },
        )
    )
    assert said.startswith("**Who is likeliest: A-200**, of 6 systems after 0.1 CPU seconds of training each")
    assert "-80.0 nats, between -80.0 and -79.5" in said
    assert "Not told apart from it: B-200 -80.6." in said
    assert "may be likelier, but are not known within 1.5 nats: E-200, about -75.0 by importance" in said
    assert "D-200, between -84.0 and -79.0" in said
    assert "Behind: C-200 -83.0, F-200 (between -99.0 and -90.0)." in said


def test_where_nothing_is_known_no_one_is_named(whole):
    said = comparison_tables.first_words(
        having(whole, {"A": (-90.0, -80.0, -80.0), "B": (None, -75.0, None)})
    )
    assert said.startswith("**Who is likeliest is not known**")
    assert "A-200 between -90.0 and -80.0" in said


def test_a_report_begins_with_who_is_likeliest_on_each_binarization(whole, report):
    said = [part for part in report[0].split("\n\n")[1:4] if "Who is likeliest" in part]
    assert len(said) == 2
    for words, how in zip(said, BINARIZED.values(), strict=True):
        assert f"images {how}" in words
        for system in set(SYSTEMS) - set(SAME_MODEL):
            assert f"{system.replace(' ', '-')}-{SMALL}" in words, "every kind of system is named"


def test_the_paper_and_its_sources_stand_apart_and_disagreements_are_said(whole):
    made = copy.copy(whole)
    made.name = "mnist"
    table = comparison_tables.sources_table(made)
    assert table is not None
    text = table.markdown()
    assert [column.source for column in table.columns].count("reported") == 2
    assert "| NVIL | 200 | variational bound | -113.10 |" in text
    assert "| -104.40 |" in text
    assert all(words in text for words in DISAGREEMENTS["mnist"])
    assert all(row.source for published in SOURCES.values() for row in published)
    assert comparison_tables.sources_table(whole) is None, "no source of figures of these letters was read"


@pytest.mark.parametrize("when", ["rehearsed", "trained"])
def test_a_system_that_diverges_is_left_out_and_said_and_the_others_go_on(
    tmp_path, monkeypatch, when, quick_steps
):
    made = reproduction(tmp_path, only=["NVIL", "RBM"], checkpoint_seconds=0.0)
    known = {"plan_for": stages.plan_for, "run_of": stages.run_of, "spend": stages.spend}
    bad = []

    def rehearse(case, *how):
        if when == "rehearsed" and case.system == "NVIL":
            raise FloatingPointError("a parameter is not finite after step 3")
        return known["plan_for"](case, *how)

    def begin(case, *how):
        begun = known["run_of"](case, *how)
        bad.extend([begun] if case.system == "NVIL" else [])
        return begun

    def spend_on(begun, *how):
        for number, spent in enumerate(known["spend"](begun, *how)):
            yield spent
            if begun in bad and number:
                assert list((tmp_path / "stages").glob("*.checkpoint")), "it was stored"
                raise FloatingPointError("a parameter is not finite after step 3")

    for name, own in (("plan_for", rehearse), ("run_of", begin), ("spend", spend_on)):
        monkeypatch.setattr(stages, name, own)
    stream = io.StringIO()
    made.run(stream)
    rows = {case.name: case.system for case in made.cases}
    assert set(made.diverged) == {name for name, system in rows.items() if system == "NVIL"}
    assert stream.getvalue().count(
        "diverged, and is left out: a parameter is not finite after step 3"
    ) == len(made.diverged)
    assert "about 0 s left" in stream.getvalue().splitlines()[-1]
    assert not list((tmp_path / "stages").glob("*.checkpoint"))
    for name, system in rows.items():
        assert (tmp_path / "models" / f"{name}.npz").exists() == (system == "RBM")
        assert (f"{name}.timed" in made.results) == (system == "RBM")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Training diverged, and nothing was kept, of:" in text
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert found["diverged"] == made.diverged
    cells = column(found["tables"]["systems, likelihood"], f"measured: {BINARIZED['threshold']}, nats")
    assert {cell for (system, _), cell in cells.items() if system == "NVIL" and cell} == {"diverged"}
    assert any(isinstance(cell, dict) for (system, _), cell in cells.items() if system == "RBM")
    ended = column(found["tables"]["systems, training"], "ended")
    assert {words for (row, _), words in ended.items() if row.startswith("NVIL")} == {"diverged"}


# -- one row measured again, the others as an earlier report has them


def stored_as(folder, text):
    path = folder / "earlier.md"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def one_row(whole, report, tmp_path_factory):
    """A run of one row alone, beside the report of all, in which that row's figures are told apart."""
    folder = tmp_path_factory.mktemp("one row")
    text, _ = report
    marked = "\n".join(
        re.sub(r"-\d+\.\d\d", "-12345.00", line)
        if line.startswith(("| DBN | 24-24 |", "| DBN-24-24 |"))
        else line
        for line in text.splitlines()
    )
    made = reproduction(folder, only=["DBN-24-24"], earlier=stored_as(folder, marked))
    with steps_that_take(STEP):
        made.run()
    return made


def tables_in(text):
    """Lines of each table, by its title."""
    parts = (part.partition("\n") for part in text.split("\n### ")[1:])
    return {title: [line for line in rest.splitlines() if line.startswith("|")] for title, _, rest in parts}


@pytest.mark.slow
def test_rows_that_are_not_run_stand_word_for_word_as_the_earlier_report_has_them(one_row, report):
    made = (one_row.store.folder / "report.md").read_text(encoding="utf-8")
    here, there = tables_in(made), tables_in(report[0])
    titles = [title for title in there if there[title]]
    assert len(titles) == 4
    for title in titles:
        ours = re.compile(r"\| DBN( \| |-)24-24 ")
        others = [line for line in there[title] if not ours.match(line)]
        assert [line for line in here[title] if not ours.match(line)] == others
        assert len(here[title]) == len(there[title])
    assert "-12345.00" not in made, "figures of this run take the place of the earlier ones"
    assert {case.row for case in one_row.cases} == {"DBN-24-24"}


def test_figures_of_this_run_are_compared_with_the_earlier_ones_and_told_apart_from_them(one_row, report):
    made = (one_row.store.folder / "report.md").read_text(encoding="utf-8")
    assert "Not of this run, but as an earlier report of the same systems has them (earlier.md): " in made
    (said,) = (part for part in made.split("\n\n") if part.startswith("Not of this run"))
    assert "DBN-24-24" not in said
    assert f"RBM-{SMALL}" in said
    for how in BINARIZED:
        found = comparison_tables.nats_of(one_row, how)
        assert len(found) == len(rows("ocr", True))
        for row, (nats, values) in found.items():
            assert (values is None) == (row != "DBN-24-24")
            near = nats["upper"] is not None and nats["upper"] - nats["lower"] <= WIDEST
            assert nats["known"] == near or values is None
    assert len(comparison_tables.ranges(one_row)[BINARIZED["threshold"]]) == len(rows("ocr", True))
    words = [part for part in made.split("\n\n")[1:4] if "Who is likeliest" in part]
    assert len(words) == 2
    assert all(f"of {len(rows('ocr', True))} systems" in each for each in words)
    assert made.count("cores") == 2, "both machines are named"


def test_what_an_earlier_report_could_tell_apart_image_by_image_stays_so(whole, tmp_path):
    figures = {"A": (-80.0, -80.0, -79.5), "B": (-80.6, -80.6, -80.5)}
    made = having(whole, figures)
    made.cases = []
    about = "of 2 systems, images binary as published"
    said = f"**Who is likeliest: A-200**, {about}: -80.0 nats. Behind: B-200 -80.6."
    line = "| {}-200 | binary as published | AIS | {} ± 2.00 | {} |  | {} |  | 0.5 | 100 | none | yes |"
    lines = [line.format(row, value, low, high) for row, (low, value, high) in figures.items()]
    head = "\n".join(["| system |", "| --- |", *lines])
    for words, expected in ((said, "Behind: B-200"), ("", "Not told apart from it: B-200")):
        text = f"# A report\n\n{words}\n\n### {comparison_tables.BOUNDS}\n\n{head}\n"
        made.earlier = read_earlier(stored_as(tmp_path, text))
        assert expected in comparison_tables.first_words(made)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda text: "no table", "found none; give the file report.md"),
        (lambda text: text.replace("0.1 CPU seconds of", "60 CPU seconds of"), "systems and seconds"),
        (lambda text: text.replace("measured: width", "measured: breadth"), "expected the columns"),
        (lambda text: re.sub(r"Nats: \d+ test images", "Nats: 7 test images", text), "the same images"),
    ],
    ids=["no report", "other seconds", "other columns", "other images"],
)
def test_an_earlier_report_of_something_else_is_refused_before_anything_runs(
    whole, report, tmp_path, change, complaint
):
    path = stored_as(tmp_path, change(report[0]))
    with pytest.raises(ValueError, match=complaint):
        reproduction(tmp_path / "run", only=["DBN-24-24"], earlier=path)
    with pytest.raises(ValueError, match="cannot be read"):
        reproduction(tmp_path / "run", only=["DBN-24-24"], earlier=tmp_path / "nowhere.md")


@pytest.mark.parametrize("name", RECIPES)
def test_the_stored_reports_can_be_gone_on_from(name):
    stored = read_earlier(ROOT / "docs" / "reproduction" / name / "systems.md")
    assert len(stored.tables) >= 4
    nats = stored.nats(comparison_tables.BOUNDS)
    assert len(nats) >= 15
    assert all(found["lower"] <= found["upper"] for found in nats.values() if found["lower"] is not None)
    assert "cores" in stored.machine


# -- what the documentation says of it

TITLED = {"MNIST": "mnist", "Caltech": "caltech", "OCR letters": "ocr"}


def cells_of(text, beginning):
    """Rows of the first table of Markdown whose head begins so, the head first."""
    lines = text[text.index(beginning) :].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


@pytest.mark.parametrize("title", TITLED)
def test_the_page_of_results_gives_the_nats_and_bounds_of_the_stored_reports(title):
    page = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    head, *shown = cells_of(page, "| system, latents |")
    folder = ROOT / "docs" / "reproduction" / TITLED[title]
    stored = (folder / "systems.md").read_text(encoding="utf-8")
    assert "figures/systems.svg" in stored
    assert (folder / "figures" / "systems.svg").exists()
    assert f"reproduction/{TITLED[title]}/systems.md" in page
    measured = {f"{row[0]}, {row[1]}": row[4] for row in cells_of(stored, "| system | latents |")[1:]}
    first = "binary as published" if title != "MNIST" else BINARIZED["threshold"]
    bounded = {row[0]: row for row in cells_of(stored, "| system | images | by |")[1:] if row[1] == first}
    for row in shown:
        (name, size), cell, here = row[0].split(", "), row[head.index(title)], measured.pop(row[0], "")
        if here == NOT_KNOWN:
            found = bounded[f"{name.replace(' ', '-')}-{size}"]
            here = f"{found[4]} {found[6]}" if found[4] else here
        said, told = (re.findall(r"-\d+\.\d+", each.split("±")[0]) for each in (cell, here))
        assert [float(each) for each in said] == pytest.approx([float(each) for each in told], abs=0.06)
        assert said or cell == here  # "not known", or nothing
    assert not any(measured.values())  # none is left out
