"""A page's run of two models tells the board what Python's run tells it, goes back, and branches."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from js.node_tests import passed_in_node

from lrbn_viz import export_live, load_dataset
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.studies.runs.recording import probe
from lrbn_viz.training.loop import Training
from lrbn_viz.view.live.page import described, live_html
from lrbn_viz.view.live.training import COURSES, SEED, training_blocks
from lrbn_viz.view.player.greyscale import filters, tones
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.wire import pack, unpack

IN_NODE = Path(__file__).with_name("page_run.test.js")
N_EPOCHS = 3


def _learned_run(name: str) -> tuple[bytes, bytes]:
    """Return the block of a page's run that begins with learned models, and what Python finds of these."""
    data, course = load_dataset(name, binary=True), COURSES[name]
    meta, arrays = unpack(training_blocks(data, described)["run"])
    n_v = data.n_v
    train, held = (np.unpackbits(arrays[part], axis=1)[:, :n_v] for part in ("images", "held"))
    begin, expected, models = dict(arrays), {}, {}
    scores = []
    for number, (kind, settings) in enumerate(course.lanes.items()):
        model = SYSTEMS[kind](batch_size=course.batch_size, **settings)
        system = model.make_system()
        run = Training(
            system, train, n_iter=N_EPOCHS, batch_size=course.batch_size, rng=np.random.default_rng(7)
        )
        for _ in run:
            pass
        model.adopt(run.state)
        models[kind] = model
        if hasattr(run.state, "particles"):
            begin[f"{number}.particles"] = run.state.particles
        found = probe(system, run.state, 0, held)
        expected |= {
            f"{number}.usage": found.usage,
            f"{number}.reconstructions": tones(found.reconstructions, data),
            f"{number}.filters": filters(system.weights(run.state), slice(None), data.image_shape, False),
        }
        score = system.validate(run.state, held, np.random.default_rng(0))["score"]
        scores.append({**found.figures, "score": score})
    _, parameters = unpack(pack_models(models, data.image_shape, exact=True))
    begin |= {part: np.asarray(array, np.float64) for part, array in parameters.items()}
    return pack(meta, begin), pack({"figures": scores}, expected)


def test_what_a_page_tells_of_a_run_is_pythons(tmp_path: Path):
    for name in COURSES:
        run, expected = _learned_run(name)
        (tmp_path / f"{name}.run").write_bytes(run)
        (tmp_path / f"{name}.expected").write_bytes(expected)
    (tmp_path / "names.json").write_text(json.dumps(list(COURSES)))
    ran = passed_in_node(IN_NODE, tmp_path, 300)
    assert ran["passed"] == 10 * len(COURSES) - 6  # the third data set has four of the ten


def test_a_page_begins_with_what_python_draws():
    data = load_dataset("digits", binary=True)
    meta, arrays = unpack(training_blocks(data, described)["run"])
    train = np.unpackbits(arrays["images"], axis=1)
    assert np.array_equal(train, data.train_X[: -len(arrays["held"])])
    system = SYSTEMS["RBM"](**COURSES["digits"].lanes["RBM"]).make_system()
    state = system.init(train, np.random.default_rng([SEED, 1]))
    assert np.array_equal(arrays["1.W"], state.W.T)
    assert np.array_equal(arrays["1.particles"], state.particles)
    assert [lane["title"] for lane in meta["lanes"]] == ["LRBN", "RBM"]


def test_only_a_page_that_trains_carries_what_training_needs(tmp_path: Path):
    plain, trains = tmp_path / "plain.html", tmp_path / "trains.html"
    small = export_live(plain, "lrbn-16-digits", n_images=20)
    large = export_live(trains, "lrbn-16-digits", n_images=20, train=True)
    assert small + 100_000 < large < 600_000
    assert "createTraining" not in plain.read_text(encoding="utf-8")


def test_a_page_says_on_what_it_cannot_train():
    with pytest.raises(ValueError, match=r"on digits, bars, mnist5k.*; got ocr_letters\. Choose a model"):
        live_html(("lrbn-200-ocr-strokes",), n_images=2, train=True)


def test_of_the_units_that_learn_bars_sixteen_become_these_and_the_others_die():
    data, course = load_dataset("bars"), COURSES["bars"]
    assert data.planted is not None
    train, held = data.train_X[:-200], data.train_X[-200:]
    model = SYSTEMS["LRBN"](batch_size=course.batch_size, **course.lanes["LRBN"])
    system = model.make_system()
    state = system.init(train, np.random.default_rng([SEED, 1]))  # as the page's
    rng = np.random.default_rng(SEED)
    run = Training(system, train, n_iter=course.n_iter, batch_size=course.batch_size, rng=rng, state=state)
    for _ in run:
        pass
    used = system.encode(run.state, held).any(axis=0)
    alike = np.corrcoef(run.state.params.W.T[used], data.planted.W.T)[used.sum() :, : used.sum()]
    assert used.sum() == 16
    assert alike.max(axis=1).min() > 0.95
