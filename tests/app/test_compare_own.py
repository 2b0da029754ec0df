"""Models of the session on the Compare page: offered, measured in bounds, and never named by a link."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from app.test_compare import wait
from bokeh.document import Document
from panel.io.state import set_curdoc

import lrbn_viz
from lrbn_viz import LRBN, RBM, load_dataset
from lrbn_viz.app.address import read_page, write_page
from lrbn_viz.app.compare import measuring
from lrbn_viz.app.compare.measuring import MeasurementAbandoned, measure
from lrbn_viz.app.compare.offers import MAX_SYSTEMS
from lrbn_viz.app.compare.own import OwnModel
from lrbn_viz.app.compare.panel import ComparePanel, CompareSettings
from lrbn_viz.app.compare.state import CompareState
from lrbn_viz.app.compare.tables import tables
from lrbn_viz.app.compare.wire import menu_of, pictures_of
from lrbn_viz.app.compare.work import Measurer
from lrbn_viz.measure import log_likelihood, posterior_dependence, reconstruction_error
from lrbn_viz.measure.figures import nats_figures
from lrbn_viz.view.player.wire import unpack


def made(kind: Any = LRBN, n_h: int = 6, seed: int = 0, n_v: int = 64) -> Any:
    rng = np.random.default_rng(seed)
    return kind.from_params(rng.normal(0, 1, (n_v, n_h)), rng.normal(-1, 0.5, n_v), rng.normal(0, 0.5, n_h))


def own(title: str, model: Any = None, data: str = "digits") -> OwnModel:
    return OwnModel(title, made() if model is None else model, load_dataset(data))


@pytest.fixture
def comparison() -> Iterator[CompareState]:
    state = CompareState(dataset_name="digits", systems="rbm-12-digits", images=6)
    yield wait(state)
    state.close()


def entry_of(comparison: CompareState, title: str) -> dict[str, Any]:
    (found,) = (each for each in menu_of(comparison)["systems"] if each["title"] == title)
    return found


def test_a_model_of_the_session_is_shown_the_same_images_and_measured(comparison: CompareState):
    model = made()
    comparison.bring([own("run-1 LRBN, minibatch 40", model)])
    entry = entry_of(comparison, "run-1 LRBN, minibatch 40")
    assert (entry["own"], entry["number"]) == (True, 0)
    assert entry["words"] == "nats are measured once it is ticked"
    comparison.toggle(entry["name"], True)
    assert entry_of(comparison, "run-1 LRBN, minibatch 40")["words"] == "nats are being measured"
    wait(comparison)
    data = load_dataset("digits")
    seen: Any = comparison.found[entry["name"]]
    X = data.test_X[list(comparison.rows)]
    np.testing.assert_array_equal(seen.reconstructions, model.reconstruct(X))
    found: Any = comparison.measured[entry["name"], "digits"]
    exact = log_likelihood(model, data.test_X[:100], method="exact")
    assert found["nats"]["method"] == "exact"
    assert found["nats"]["value"] == pytest.approx(exact.mean)
    assert found["wrong pixels"]["icm"] == pytest.approx(
        reconstruction_error(model, data.test_X[:200]).mean()
    )
    assert found["dependence"]["information"] == pytest.approx(
        posterior_dependence(model, data.test_X[:5]).mean
    )
    words = f"{exact.mean:.1f} nats (measured here, exact, 100 images)".replace("-", "\u2212", 1)
    assert entry_of(comparison, "run-1 LRBN, minibatch 40")["words"] == words
    rows = [row for table in tables("digits", comparison.compared) for row in table["rows"]]
    assert [row[1] for row in rows if row[0] == "run-1 LRBN, minibatch 40"] == ["6", "6"]
    pixels, dependence = (json.loads(comparison.figures)[place] for place in (1, 2))
    assert entry["name"] in pixels["systems"]
    assert entry["name"] in dependence["systems"]
    assert "over 200" in pixels["caption"]


def test_a_model_that_is_compared_stays_and_others_go_with_the_session(comparison: CompareState):
    comparison.bring([own("a"), own("b", made(seed=1))])
    first = entry_of(comparison, "a")["name"]
    comparison.toggle(first, True)
    comparison.bring([own("a"), own("c", made(seed=2))])  # a run gives its models anew each time
    titles = [each["title"] for each in menu_of(comparison)["systems"] if each["own"]]
    assert titles == ["a", "c"]
    assert entry_of(comparison, "a")["name"] == first
    comparison.bring(
        [own("a", made(seed=9))]
    )  # gone back and learned another way: another model of that name
    assert [each["title"] for each in menu_of(comparison)["systems"] if each["own"]] == ["a", "a"]
    comparison.toggle(first, False)
    comparison.bring([])
    assert not any(each["own"] for each in menu_of(comparison)["systems"])
    assert comparison.names == ["rbm-12-digits"]


def test_models_of_other_images_are_named_with_what_to_choose(comparison: CompareState):
    grey = LRBN.from_params(np.ones((64, 2)), np.zeros(64), np.zeros(2), "gaussian")
    comparison.bring([own("m", made(n_v=784), "mnist5k"), own("g", grey), own("b", made(seed=3), "bars")])
    assert menu_of(comparison)["leftOut"] == (
        "Of this session, for other images: m (choose the data set MNIST subset); "
        "g (of grey images, which are not compared)."
    )
    assert entry_of(comparison, "b")["words"] == (  # bars have the shape of digits
        "nats are measured once it is ticked; of Crossing bars, whose training images may be among these"
    )
    assert "mnist5k" in comparison.datasets
    assert comparison.datasets["bars"] == "Crossing bars"


@pytest.mark.slow
def test_a_data_set_of_the_session_alone_compares_its_own_models(comparison: CompareState):
    with set_curdoc(Document()):
        settings = CompareSettings(comparison)
        comparison.bring([own("b", made(seed=3), "bars"), own("c", made(RBM), "bars")])
        assert ("bars", "Crossing bars") in settings.dataset.options
        comparison.compare("bars")
        assert [offer.title for offer in comparison.compared] == ["16 planted bars", "b", "c"]
        wait(comparison)
        comparison.choose("lrbn-16-bars")
        assert write_page("compare", comparison).keys() <= {"compare_images"}
        meta, arrays = unpack(pictures_of(comparison))
        X = load_dataset("bars").test_X[list(comparison.rows)]
        np.testing.assert_array_equal(np.unpackbits(arrays["x"], axis=1), X)
        assert [seen["done"] for seen in meta["seen"]] == [True, True, True]


def test_a_link_names_no_model_of_the_session(comparison: CompareState):
    comparison.bring([own("a.npz")])
    name = entry_of(comparison, "a.npz")["name"]
    comparison.toggle(name, True)
    comparison.choose(name)
    assert comparison.chosen == name
    reading = read_page("compare", urlencode(write_page("compare", comparison)))
    assert reading.ignored == []
    assert (reading.found["systems"], reading.found.get("chosen", "")) == ("rbm-12-digits", "")
    comparison.toggle("rbm-12-digits", False)
    assert comparison.names == [name]
    assert "systems" not in write_page("compare", comparison)


def test_no_more_systems_than_fit_are_compared(comparison: CompareState):
    comparison.bring([own(f"m{seed}", made(seed=seed)) for seed in range(MAX_SYSTEMS + 2)])
    for key in [name for name, offer in comparison.offered.items() if offer.own]:
        comparison.toggle(key, True)
    assert len(comparison.names) == MAX_SYSTEMS
    comparison.close()


def test_the_page_asks_for_the_models_each_time_it_is_shown():
    with set_curdoc(Document()):
        comparison = CompareState(dataset_name="digits", systems="rbm-12-digits", images=6)
        given: list[OwnModel] = []
        panel = ComparePanel(comparison, lambda: given)
        panel.refresh(True)
        assert not any(each["own"] for each in panel.view.menu["systems"])
        given.append(own("new"))
        panel.refresh(True)
        assert [each["title"] for each in panel.view.menu["systems"] if each["own"]] == ["new"]
        comparison.close()


def test_what_the_time_does_not_allow_is_said_and_not_guessed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measuring, "N_WRONG", 5)
    monkeypatch.setattr(measuring, "N_NATS", 5)
    X, now = load_dataset("digits").test_X, [0.0]

    def clock() -> float:
        now[0] += 30.0
        return now[0]

    for model in (made(), made(n_h=24)):
        figures = measure(model, X, lambda what, share: None, clock)
        assert "nats" not in figures
        assert figures["why no nats"] == "it would take more than 20 seconds"
        assert figures["wrong pixels"]["images"] == 5


@pytest.mark.parametrize(
    ("name", "method", "bounded"),
    [
        ("rws-200-mnist", "AIS", True),
        pytest.param("dbn-200-200-mnist", "importance sampling, log Z by AIS", True, marks=pytest.mark.slow),
    ],
)
def test_nats_are_named_after_the_estimator_that_applies(name: str, method: str, bounded: bool):
    X = load_dataset("mnist5k").test_X[:3]
    found = nats_figures(lrbn_viz.pretrained(name), X, 2, n_temperatures=3)
    assert found["method"] == method
    assert (found["high"] is not None) is bounded
    assert found["images"] == 3


def test_what_nobody_compares_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch):
    begun, go_on, ended = threading.Event(), threading.Event(), []

    def slow(model: Any, X: Any, say: Any) -> dict[str, Any]:
        begun.set()
        assert go_on.wait(30)
        try:
            say("nats", 0.5)
        except MeasurementAbandoned:
            ended.append(model)
            raise
        return {"wrong pixels": {}}

    monkeypatch.setattr("lrbn_viz.app.compare.work.measure", slow)
    measurer: Any = Measurer()
    measurer.want({("a", "digits"): ("model a", None)})
    assert begun.wait(30)
    measurer.want({("b", "digits"): ("model b", None)})
    go_on.set()
    end = time.monotonic() + 30
    while measurer.busy:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert ended == ["model a"]
    assert list(measurer.found()) == [("b", "digits")]


@pytest.mark.slow
def test_an_error_of_measuring_is_said_in_the_row_of_the_model(monkeypatch: pytest.MonkeyPatch, comparison):
    def broken(*_: Any) -> Any:
        raise RuntimeError("no such luck")

    monkeypatch.setattr("lrbn_viz.app.compare.work.measure", broken)
    comparison.bring([own("a")])
    comparison.toggle(entry_of(comparison, "a")["name"], True)
    wait(comparison)
    assert entry_of(comparison, "a")["words"] == "nats not measured: RuntimeError: no such luck"
    rows = [row for row in tables("digits", comparison.compared)[1]["rows"] if row[0] == "a"]
    assert rows[0][2] == "not measured: RuntimeError: no such luck"
