"""One image of a run's last minibatch, as the Inference page takes it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from lrbn_viz import load_dataset
from lrbn_viz.app.inference.panels.gallery import GalleryPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of
from lrbn_viz.app.train.inspection import inspection_of
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.wire import unpack


@pytest.fixture(params=[True, False], ids=["binary", "grey"])
def live(request, tmp_path) -> Iterator[LiveRun]:
    """An LRBN and an RBM on digits after two minibatches."""
    lanes = {
        "LRBN": LaneConfig("LRBN", {"n_components": 6}),
        "RBM": LaneConfig("RBM", {"n_components": 6, "learning_rate": 0.005}),
    }
    config = RunConfig("digits", lanes, binary=request.param, batch_size=10)
    run = Run(config, load_dataset("digits", binary=request.param), tmp_path)
    run.advance(4)
    deadline = time.monotonic() + 240
    while run.job.status != "paused":
        assert time.monotonic() < deadline
        time.sleep(0.005)
    yield LiveRun("trial", run)
    run.stop()


def show(live: LiveRun, number: int) -> tuple[Session, Any]:
    found = inspection_of(live, number)
    session = Session(load_model=lambda name: found.models.get(name) or pretrained(name))
    lrbn, rbm = found.models
    session.inspect(lrbn, rbm, found.data, found.x, found.origin, found.algorithm, found.start)
    return session, found


def pretrained(name: str) -> Any:
    from lrbn_viz import pretrained

    return pretrained(name)


def test_the_gallery_marks_no_image_while_one_of_a_minibatch_is_shown(live):
    session, _ = show(live, 3)
    gallery = GalleryPanel(session).gallery
    assert gallery.chosen == -1
    session.show(2)
    assert gallery.chosen == 2
    session.param.update(origin="of a minibatch", index=0)
    assert gallery.chosen == -1


def test_the_session_infers_the_very_image_with_the_models_before_the_step(live):
    session, found = show(live, 3)
    row = int(next(iter(live.run.lanes.values())).training.rows[3])
    np.testing.assert_array_equal(session.x, live.run.dataset.train_X[row])
    assert session.dataset is live.run.dataset
    lrbn, rbm = list(session.traces)
    for trace, model in zip((lrbn, rbm), found.models.values(), strict=True):
        np.testing.assert_array_equal(trace.W, model.layers[0].W)
        np.testing.assert_array_equal(trace.x, session.x)
    assert session.cursor == 0
    np.testing.assert_allclose(lrbn.log_joint[-1], model_joint(found, session, lrbn), rtol=1e-9)


def model_joint(found: Any, session: Session, trace: Any) -> float:
    """log P(x, h) of the trace's end by the public method, not by the trace."""
    model = next(iter(found.models.values()))
    return float(model.log_joint(session.x[None], trace.latents(trace.n_visits)[None])[0])


def test_other_images_of_that_data_follow_in_its_own_units(live):
    session, _ = show(live, 0)
    session.choose("next")
    np.testing.assert_array_equal(session.x, live.run.dataset.test_X[1])
    assert session.origin == ""
    session.draw("AAAA")
    np.testing.assert_array_equal(session.x, live.run.dataset.test_X[1])
    session.compare("lrbn-12-digits")
    assert session.binary
    assert set(np.unique(session.x)) <= {0, 1}


def test_the_player_is_told_how_values_become_tones_only_where_they_are_real(live):
    session, _ = show(live, 5)
    _, arrays = unpack(pack_trace(lanes_of(session)))
    if live.run.config.binary:
        assert "0.shades" not in arrays
        return
    data = live.run.dataset
    for lane in ("0", "1"):
        slope, offset = arrays[f"{lane}.shades"]
        shown = arrays[f"{lane}.x"] * slope + offset
        np.testing.assert_allclose(shown, (data.to_intensity(session.x) + 0.5) / 2, atol=1e-5)
        assert shown.min() > 0.24
        assert shown.max() < 0.76
