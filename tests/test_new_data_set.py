"""A data set that is one record loads, trains, is listed and can be chosen on the page."""

from __future__ import annotations

import time

import numpy as np
import pytest
from dummy_data_set import RECORD

from lrbn_viz import LRBN, RBM, cli, load_dataset
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.datasets import DATASETS, at_hand
from lrbn_viz.studies.runs.registry import RunRegistry


@pytest.fixture(autouse=True)
def record(monkeypatch):
    """Add the record for one test; nothing else knows of the data set."""
    monkeypatch.setitem(DATASETS, RECORD.name, RECORD)


def test_it_loads_binary_and_standardised():
    binary, grey = load_dataset("checks"), load_dataset("checks", binary=False)
    assert at_hand("checks")
    for data in (binary, grey):
        assert (data.info, data.own, data.image_shape) == (RECORD, False, (5, 7))
        assert (len(data.train_X), len(data.test_X), data.n_v) == (100, 20, 35)
        assert data.class_names == ("NW", "NE", "SW", "SE")
    assert (binary.train_X.sum(axis=1) == 4).all()
    np.testing.assert_allclose(grey.train_X.mean(axis=0), 0, atol=1e-12)


@pytest.mark.parametrize("family", [LRBN, RBM])
def test_models_learn_it(family):
    data = load_dataset("checks")
    model = family(8, n_iter=60, learning_rate=0.2, random_state=0).fit(data.train_X)
    wrong = (model.reconstruct(data.test_X) != data.test_X).sum(axis=1)
    assert wrong.mean() < 2, "a blank image has four wrong pixels"


def test_the_command_line_lists_and_checks_it(capsys):
    assert cli.main(["datasets"]) == 0
    assert f"included  {RECORD.description}" in capsys.readouterr().out
    assert cli.main(["datasets", "--download", "checks"]) == 0
    assert capsys.readouterr().out == "checks: 100 training and 20 test images, checked\n"


def test_a_run_on_the_train_page_is_made_of_it(tmp_path):
    registry = RunRegistry(tmp_path)
    state = TrainState(registry)
    assert "checks" in state.datasets()
    state.choose_preset("small")
    state.edit("budget", "passes")
    for path, text in (("dataset", "checks"), ("amount", "2"), ("batch_size", "10")):
        state.edit(path, text)
    assert state.messages == {}
    try:
        state.start()
        deadline = time.monotonic() + 120
        while state.status not in ("done", "failed") and time.monotonic() < deadline:
            state.poll()
            time.sleep(0.01)
        assert state.status == "done", state.error
        assert state.live is not None
        assert state.live.run.dataset.name == "checks"
    finally:
        registry.close()


def test_a_record_without_a_function_says_what_it_lacks(monkeypatch):
    from dataclasses import replace

    monkeypatch.setitem(DATASETS, "nothing", replace(RECORD, name="nothing", read=None))
    with pytest.raises(TypeError, match="the record of nothing must have a function in read; got None"):
        load_dataset("nothing")
