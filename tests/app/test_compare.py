"""The Compare page without a browser: what is offered, asked, found and sent, and what links may say."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
import yaml
from bokeh.document import Document
from panel.io.state import set_curdoc

import lrbn_viz.catalog
from lrbn_viz.app.address import link_to, read_page, write_page
from lrbn_viz.app.compare import offers
from lrbn_viz.app.compare.component import Comparison
from lrbn_viz.app.compare.figures import figures
from lrbn_viz.app.compare.panel import ComparePanel, CompareSettings
from lrbn_viz.app.compare.state import CompareState
from lrbn_viz.app.compare.tables import tables
from lrbn_viz.app.compare.wire import menu_of, pictures_of, tables_of, words_of
from lrbn_viz.app.compare.work import Comparer, Question, Seen, look_at
from lrbn_viz.app.shared.messages import read_message
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.measure import reconstruction_error
from lrbn_viz.studies.reproduce.reported import PAPER
from lrbn_viz.view.player.wire import unpack

SMALL = {"dataset_name": "digits", "systems": "lrbn-12-digits.rbm-12-digits", "images": 6}


def wait(comparison: CompareState) -> CompareState:
    """Wait until all that was asked is answered, as the page's poller does."""
    end = time.monotonic() + 120
    while comparison.busy:
        assert time.monotonic() < end
        time.sleep(0.01)
        comparison.poll()
    return comparison


def seen_by(comparison: CompareState, name: str) -> Seen:
    """What one system made of the images."""
    found = comparison.found[name]
    assert isinstance(found, Seen)
    return found


@pytest.fixture
def comparison() -> Iterator[CompareState]:
    made = wait(CompareState(**SMALL))
    yield made
    made.close()


def test_at_first_the_likeliest_and_the_exactest_of_each_kind_are_compared():
    for dataset in offers.datasets():
        names = offers.first_systems(dataset).split(".")
        systems = offers.systems_of(dataset)
        assert {systems[name].system for name in names} == {info.system for info in systems.values()}
        for kind in {systems[name].system for name in names}:
            of_kind = [name for name, info in systems.items() if info.system == kind]
            found = {name: offers.figures_of(name) for name in of_kind if offers.figures_of(name)}
            wrong = {name: offers.fewest_wrong(figures) or 0.0 for name, figures in found.items()}
            assert max(found, key=lambda name: found[name]["nats"]["value"], default=names[0]) in names
            assert min(wrong, key=wrong.__getitem__, default=names[0]) in names


def test_what_was_measured_is_of_the_models_as_they_are_stored():
    measured = {name: lrbn_viz.catalog.measured(name) for name in lrbn_viz.catalog.PRETRAINED}
    assert sum(map(bool, measured.values())) >= 20
    for name, found in measured.items():
        info = lrbn_viz.catalog.PRETRAINED[name]
        if found:
            assert info.binary
            nats, told = found["nats"], lrbn_viz.pretrained(name).provenance_
            assert nats["low"] <= nats["value"] <= (nats["high"] or 0.0) <= 0.0
            wrong = {key: value for key, value in found["wrong pixels"].items() if key != "images"}
            if "annealed" in found:
                point = found["annealed"][str(ANNEALED_SWEEPS)]
                assert point["images"] == found["wrong pixels"]["images"]
                wrong["annealed"] = point["wrong pixels"]
            assert wrong == {
                key: pytest.approx(value, abs=1e-4) for key, value in told["wrong pixels, test"].items()
            }
            if info.kind.model.factorised:
                assert found["dependence"]["information"] == 0.0


def test_all_systems_are_shown_the_same_images(comparison: CompareState):
    X = lrbn_viz.load_dataset("digits").test_X[list(comparison.rows)]
    assert len(set(comparison.rows)) == 6
    for name in comparison.names:
        model: Any = lrbn_viz.pretrained(name)
        seen = seen_by(comparison, name)
        np.testing.assert_array_equal(seen.reconstructions, model.reconstruct(X))
        np.testing.assert_array_equal(seen.wrong, (model.reconstruct(X) != X).sum(axis=1))
        np.testing.assert_array_equal(seen.on, np.hstack(model.infer(X)).sum(axis=1))
        assert seen.milliseconds > 0
        np.testing.assert_array_equal(seen.samples, model.sample(6, random_state=0))
    assert comparison.progress == ""
    assert comparison.figures


@pytest.mark.parametrize(
    "name",
    [
        "rws-200-mnist",
        "meanfield-200-mnist",
        "dbn-200-200-mnist",
        pytest.param("dbm-200-200-mnist", marks=pytest.mark.slow),
        "rbm-200-mnist-likeliest",
    ],
)
def test_rivals_are_decoded_as_their_measured_figures_are(name: str):
    model, X = lrbn_viz.pretrained(name), lrbn_viz.load_dataset("mnist5k").test_X[:12]
    seen = look_at(model, X, name, "usual", 0)
    np.testing.assert_array_equal(seen.wrong, reconstruction_error(model, X))


def test_other_images_are_other_ones_and_a_seed_brings_the_same_back(comparison: CompareState):
    rows = comparison.rows
    comparison.other_images()
    assert comparison.seed == 1
    assert comparison.rows != rows
    comparison.seed = 0
    assert wait(comparison).rows == rows


def test_annealing_is_used_where_a_system_has_it(comparison: CompareState):
    before = seen_by(comparison, "lrbn-12-digits")
    comparison.method = "annealed"
    after = seen_by(wait(comparison), "lrbn-12-digits")
    assert after.how == f"annealed over {ANNEALED_SWEEPS} sweeps, then ICM"
    assert after.wrong.sum() <= before.wrong.sum() + 6
    assert seen_by(comparison, "rbm-12-digits").how == "exact, one pass"


def test_systems_are_added_and_taken_away_but_one_stays(comparison: CompareState):
    comparison.toggle("lrbn-16-digits", True)
    assert comparison.names == ["lrbn-12-digits", "lrbn-16-digits", "rbm-12-digits"]
    comparison.choose("lrbn-12-digits")
    comparison.toggle("lrbn-12-digits", False)
    assert comparison.chosen == ""
    for name in ("lrbn-16-digits", "rbm-12-digits"):
        comparison.toggle(name, False)
    assert comparison.names == ["rbm-12-digits"]
    for name in ("lrbn-200-mnist-flat", "", "x" * 100, "rbm-12-digits.lrbn-12-digits"):
        comparison.toggle(name, True)
        comparison.choose(name)
    assert (comparison.names, comparison.chosen) == (["rbm-12-digits"], "")


def test_a_system_is_highlighted_until_it_is_chosen_again(comparison: CompareState):
    comparison.choose("rbm-12-digits")
    assert menu_of(comparison)["chosen"] == "rbm-12-digits"
    comparison.choose("rbm-12-digits")
    assert comparison.chosen == ""


def test_another_data_set_brings_its_own_first_systems(comparison: CompareState):
    comparison.compare("nothing of the kind")
    assert comparison.dataset_name == "digits"
    comparison.compare("mnist5k")
    assert comparison.systems == offers.first_systems("mnist5k")
    comparison.close()


def test_what_is_sent_is_what_was_found(comparison: CompareState):
    meta, arrays = unpack(pictures_of(comparison))
    X = lrbn_viz.load_dataset("digits").test_X[list(comparison.rows)]
    np.testing.assert_array_equal(np.unpackbits(arrays["x"], axis=1)[:, :64], X)
    for place, name in enumerate(comparison.names):
        seen = seen_by(comparison, name)
        np.testing.assert_array_equal(
            np.unpackbits(arrays[f"{place}.made"], axis=1)[:, :64], seen.reconstructions
        )
        np.testing.assert_array_equal(np.unpackbits(arrays[f"{place}.samples"], axis=1)[:, :64], seen.samples)
        assert meta["seen"][place]["wrong"] == seen.wrong.tolist()
    assert [system["number"] for system in menu_of(comparison)["systems"] if system["number"]] == [1, 2]
    json.dumps([menu_of(comparison), tables_of(comparison)])


def test_an_image_that_is_not_done_is_sent_without_pictures():
    comparison = CompareState(**SMALL)
    comparison.close()
    meta, arrays = unpack(pictures_of(comparison))
    for place, seen in enumerate(meta["seen"]):
        assert seen["done"] is (f"{place}.made" in arrays)


def test_an_error_of_one_system_is_said_in_its_row_and_the_others_go_on():
    def load(name: str) -> Any:
        if name.startswith("lrbn"):
            raise RuntimeError("no such luck")
        return lrbn_viz.pretrained(name)

    comparison = wait(CompareState(load_model=load, load_dataset=lrbn_viz.load_dataset, **SMALL))
    meta, _ = unpack(pictures_of(comparison))
    assert [seen["error"] for seen in meta["seen"]] == ["RuntimeError: no such luck", ""]
    assert [seen["done"] for seen in meta["seen"]] == [False, True]


def test_what_nobody_waits_for_any_more_is_not_begun():
    asked, gate, begun = [], threading.Event(), threading.Event()

    def answer(question: Question) -> Any:
        asked.append(question.seed)
        begun.set()
        assert gate.wait(30)
        return look_at(lrbn_viz.pretrained("rbm-12-digits"), np.zeros((1, 64), np.uint8), "a", "usual", 0)

    comparer = Comparer(answer)
    questions = [Question(f"system {seed}", "digits", (0,), "usual", seed) for seed in range(6)]
    comparer.ask(questions[:5])
    assert begun.wait(30)
    assert comparer.at == "system 0"
    comparer.ask(questions[5:])
    gate.set()
    while comparer.busy:
        time.sleep(0.01)
    assert asked == [0, 5]
    assert list(comparer.answers()) == ["system 5"]
    comparer.close()
    assert not comparer.busy


def test_a_link_brings_the_same_comparison_back(comparison: CompareState):
    comparison.choose("rbm-12-digits")
    comparison.param.update(seed=3, images=7, method="annealed")
    link = urlencode(write_page("compare", comparison))
    reading = read_page("compare", link)
    assert reading.ignored == []
    again = CompareState(**reading.found)
    for name in ("dataset_name", "systems", "images", "seed", "method", "chosen", "rows"):
        assert getattr(again, name) == getattr(comparison, name), name
    again.close()
    assert link_to("compare") == "?page=compare"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("compare_data=digit", "compare_data: expected one of "),
        ("compare_data=alarm", "compare_data: expected one of "),
        ("systems=lrbn-12-digits", "systems: expected different names out of "),
        ("compare_data=digits&systems=lrbn-12-digits.lrbn-12-digits", "systems: expected different names "),
        ("compare_data=digits&systems=lrbn-40-digits-grey", "systems: expected different names out of "),
        ("compare_data=digits&systems=.", "systems: expected different names out of "),
        ("compare_images=5", "compare_images: expected a whole number from 6 to 12"),
        ("compare_by=gibbs", "compare_by: expected one of usual, annealed"),
        ("highlight=rbm-12-digits", "highlight: expected one of "),
        ("compare_data=digits&systems=lrbn-12-digits&highlight=rbm-12-digits", "highlight: expected one of "),
    ],
)
def test_what_a_forged_link_gets_wrong_is_named_and_left_out(query: str, said: str):
    reading = read_page("compare", query)
    (sentence,) = reading.ignored
    assert sentence.startswith(said)
    assert len(sentence) < 500


@pytest.mark.parametrize(
    "message",
    [
        {"type": "compare", "system": "a", "on": 1},
        {"type": "compare", "system": "a" * 101, "on": True},
        {"type": "compare", "system": None, "on": True},
        {"type": "highlight"},
        {"type": "other", "more": 1},
        {"type": "go"},
    ],
)
def test_a_forged_message_is_none(message: dict[str, Any]):
    assert read_message(message, Comparison.kinds, None) is None


def test_the_tables_keep_reported_and_measured_apart():
    names = offers.first_systems("mnist5k").split(".")
    for table in tables("mnist5k", [offers.offer_of(offers.systems_of("mnist5k")[name]) for name in names]):
        sources = [column["source"] for column in table["columns"]]
        assert {"label", "reported", "measured"} == set(sources)
        for row in table["rows"]:
            given = {source for source, cell in zip(sources, row, strict=True) if cell is not None}
            assert not {"reported", "measured"} <= given
        titles = [row[0] for row in table["rows"]]
        assert {offers.systems_of("mnist5k")[name].title for name in names} <= set(titles)
        assert "LRBN" in titles


def test_nats_between_bounds_that_are_far_apart_count_as_not_known():
    assert offers.is_known({"value": -80.0, "low": -80.0, "high": -79.1})
    assert not offers.is_known({"value": -80.0, "low": -80.0, "high": -78.9})
    assert not offers.is_known({"value": -80.0, "low": -80.0, "high": None})
    assert not offers.is_known({})


def offered(low: float, high: float | None) -> offers.Offer:
    nats = {
        "method": "AIS of log Z", "value": -76.82, "low": low, "high": high, "standard error": 1.5,
        "images": 200, "temperatures": 1000, "images of the bracket": 50,
    }  # fmt: skip
    figures = {"nats": nats, "wrong pixels": {"exact MAP": 13.2, "images": 10000}, "CPU seconds": 180.0}
    return offers.Offer("dbm", "DBM", "means", "200", figures)


def test_nats_between_bounds_that_are_far_apart_are_printed_as_an_interval():
    wide, near, half = offered(-80.07, -76.82), offered(-77.7, -76.82), offered(-76.82, None)
    assert words_of(wide, True) == "between \u221280.1 and \u221276.8 nats"
    assert words_of(near, True) == "\u221276.8 nats"
    assert words_of(half, True) == "about \u221276.8 nats by AIS of log Z; no upper bound is known"
    _, nats = tables("mnist5k", [wide, near, half])
    column = [said["name"] for said in nats["columns"]].index("measured: nats")
    assert [row[column] for row in nats["rows"] if row[column] is not None] == [
        "between \u221280.1 and \u221276.8", {"value": -76.82, "standard_error": 1.5}, "no upper bound",
    ]  # fmt: skip
    assert not any("not known" in str(cell) for row in nats["rows"] for cell in row)


def test_the_paper_is_named_and_linked_as_it_is_to_be_cited(comparison: CompareState):
    root = Path(__file__).parents[2]
    (cited,) = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))["references"]
    assert (PAPER.title, PAPER.address) == (cited["title"], cited["url"])
    assert all(author["family-names"] in PAPER.authors for author in cited["authors"])
    assert menu_of(comparison)["paper"] == {
        "words": f"{PAPER.authors}: {PAPER.title}", "address": "https://arxiv.org/abs/1506.04720",
    }  # fmt: skip


def test_what_is_said_of_dependence_is_true_of_units_that_go_together_too():
    """Two pairs of latents with the same information: of one, one explains the other away."""
    p = np.array([[0.4, 0.1], [0.1, 0.4]])  # on together
    away = p[:, ::-1]

    def information(q):
        return float((q * np.log(q / np.outer(q.sum(axis=1), q.sum(axis=0)))).sum())

    assert information(p) == pytest.approx(information(away))
    assert information(p) > 0.1
    small = offers.offer_of(offers.systems_of("digits")["lrbn-12-digits"])
    caption = json.loads(figures((small,)))[2]["caption"]
    assert "explain each other away contribute, and so do latents that are on together" in caption


@pytest.mark.parametrize("dataset", ["digits", "mnist5k"])
def test_each_figure_has_its_data_and_says_what_it_leaves_out(dataset: str):
    names = tuple(name for name, info in offers.systems_of(dataset).items())[: offers.MAX_SYSTEMS]
    systems = offers.systems_of(dataset)
    made = json.loads(figures(tuple(offers.offer_of(systems[name]) for name in names)))
    assert [one["name"] for one in made] == [
        "nats-against-cpu-seconds", "nats-against-wrong-pixels", "posterior-dependence",
        "wrong-pixels-over-sweeps",
    ]  # fmt: skip
    for one in made:
        header, *rows = one["csv"].splitlines() or [""]
        assert len(rows) == len(one["systems"])
        assert bool(one["item"]) is bool(rows)
        assert header.startswith("number,system,title,") or not rows
        left = set(names) - set(one["systems"])
        assert all(offers.systems_of(dataset)[name].title in one["missing"] for name in left)
        assert "http" not in json.dumps(one["item"])


def test_the_curve_over_sweeps_and_its_table_have_the_measured_points_and_name_those_that_are_missing():
    points = {200: (6.5, 0.04), 64_000: (5.25, 0.11)}
    found = {
        "wrong pixels": {"icm": 9.0, "images": 10_000},
        "annealed": {
            str(n): {"wrong pixels": wrong, "standard error": error, "images": 100}
            for n, (wrong, error) in points.items()
        },
    }
    found["annealed"]["1000"] = {"wrong pixels": 6.0, "standard error": None, "images": 10_000}
    one = offers.Offer("a", "System A", "states", "200", found, own=True)
    other = {"200": {"wrong pixels": 3.0, "standard error": 0.5, "images": 100}}
    two = one._replace(name="b", title="System B", figures={**found, "annealed": other})
    none = one._replace(name="c", title="System C", figures={"wrong pixels": found["wrong pixels"]})
    rbm = none._replace(name="d", title="System D", inference="exact")
    made = next(
        each for each in json.loads(figures((one, two, none, rbm))) if each["name"].endswith("over-sweeps")
    )
    assert made["systems"] == ["a", "a", "b"]
    assert made["csv"].splitlines()[1:] == [
        "1,a,System A,200,6.5,0.04", "1,a,System A,64000,5.25,0.11", "2,b,System B,200,3.0,0.5",
    ]  # fmt: skip
    table = made["table"]
    assert [column["name"] for column in table["columns"]][2:] == [
        "measured: 200 sweeps", "measured: 64,000 sweeps",
    ]  # fmt: skip
    assert table["rows"] == [
        ["System A", "200", {"value": 6.5, "standard_error": 0.04}, {"value": 5.25, "standard_error": 0.11}],
        ["System B", "200", {"value": 3.0, "standard_error": 0.5}, "not measured"],
    ]
    assert made["missing"] == (
        "Not in this figure, since annealing was not measured: System C. "
        "Not in this figure, since their latents are not searched for: System D."
    )


def test_the_panel_sends_what_changes_and_the_menus_follow():
    with set_curdoc(Document()):
        comparison = CompareState(**SMALL)
        panel, settings = ComparePanel(comparison), CompareSettings(comparison)
        wait(comparison)
        assert panel.view.progress == ""
        assert panel.view.figures == comparison.figures
        assert panel.view.pictures == pictures_of(comparison)
        panel.view._handle_msg({"type": "highlight", "system": "rbm-12-digits"})
        assert panel.view.menu["chosen"] == "rbm-12-digits"
        panel.view._handle_msg({"type": "compare", "system": "rbm-12-digits", "on": False})
        assert comparison.names == ["lrbn-12-digits"]
        panel.view._handle_msg({"type": "other"})
        assert settings.seed.value == comparison.seed == 1
        settings.images.edit("9")
        assert comparison.images == len(comparison.rows) == 9
        comparison.close()


def test_the_table_of_all_systems_has_the_measured_figures():
    text = (Path(__file__).parents[2] / "docs" / "explorer.md").read_text(encoding="utf-8")
    table = text.split("| `pretrained(...)` | nats | lower bound |")[1].split("\n\n")[0].splitlines()[2:]
    assert len(table) >= 10
    for row in table:
        name, *cells = (cell.strip().strip("`") for cell in row.strip("|").split("|"))
        found = lrbn_viz.catalog.measured(name)
        nats, wrong = found["nats"], found["wrong pixels"]
        usual = next(value for key, value in wrong.items() if key != "images")
        annealed = lrbn_viz.catalog.annealed_of(found)
        bounds = [f"{nats[side]:.1f}" for side in ("low", "high")]
        far = nats["high"] - nats["low"] > 1.0
        said = f"between {bounds[0]} and {bounds[1]}" if far else f"{nats['value']:.1f}"
        figures = (f"{usual:.2f}", "" if annealed is None else f"{annealed['wrong pixels']:.2f}")
        seconds = "" if found["CPU seconds"] is None else f"{found['CPU seconds']:.0f}"
        assert cells == [said, *bounds, *figures, seconds], name


def test_tables_and_figures_of_named_variables_speak_of_rows_and_observations(comparison: CompareState):
    compared = tuple(comparison.compared)
    shown = json.dumps([figures(compared, table=True), tables("findings", compared, table=True)])
    assert "Nats against wrong observations" in shown
    assert "wrong observations per test row" in shown
    words = re.sub(r'"(?:images?|image_\w+|n_images)\W', "", shown)
    assert "wrong pixels" not in words
    assert " image " not in words
    assert " images " not in words


def test_settings_name_the_rows_of_the_data_that_are_compared(comparison: CompareState, monkeypatch):
    monkeypatch.setattr(type(comparison.dataset), "is_table", property(lambda _: True))
    with set_curdoc(Document()):
        settings = CompareSettings(comparison)
    assert settings.other.label == "Other rows"
    assert settings.images.label.startswith("Test rows (")
