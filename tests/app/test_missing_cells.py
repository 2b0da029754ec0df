"""Tables with empty cells on the Train page: what is offered for them, and a run that learns from them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from app.training import until

from lrbn_viz import LRBN, RBM, read_dataset
from lrbn_viz.app.compare.work import look_at
from lrbn_viz.app.train.blocks import run_block, tones_of
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.app.upload.panel import UploadPanel
from lrbn_viz.app.upload.state import OwnData, UploadState
from lrbn_viz.datasets import Dataset
from lrbn_viz.datasets.own.images import RefusedData
from lrbn_viz.io.constants import UNKNOWN_TONE
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.view.animation import learning
from lrbn_viz.view.animation.runs import animate_run
from lrbn_viz.view.animation.settings import Settings
from lrbn_viz.view.player.wire import unpack

NAMES = ("cough", "fever", "rash", "ache", "thirst", "chills")
MISSING = ("", "NA", "?")


def table(n: int = 120, share: float = 0.25, words: tuple[str, str] = ("no", "yes")) -> bytes:
    """Return a table of yes and no, of which a share is missing."""
    rng = np.random.default_rng(3)
    rows = [
        [MISSING[rng.integers(3)] if rng.random() < share else words[int(rng.random() < 0.4)] for _ in NAMES]
        for _ in range(n)
    ]
    return "\n".join(map(",".join, [list(NAMES), *rows])).encode()


def dataset(binary: bool = True) -> Dataset:
    return read_dataset(table(), filename="symptoms.csv", labels=None, binary=binary)


@pytest.fixture
def own() -> OwnData:
    """What a visitor's upload of the table leaves."""
    kept = OwnData()
    upload = UploadState(kept)
    content = table()
    upload.begin("symptoms.csv", len(content))
    upload.take(0, content)
    while upload.busy:
        upload.poll()
    assert (upload.stage, upload.error, upload.question) == ("preview", "", "")
    panel = UploadPanel(upload)
    panel._show()
    meta, arrays = unpack(panel.box.preview)
    data = dataset()
    assert meta["n_unknown"] == data.n_unknown > 100
    assert (meta["low"], meta["high"], meta["least"], meta["most"]) == ("0", "1", 0.0, 1.0)
    shown = arrays["intensity"].reshape(-1, len(NAMES))
    np.testing.assert_array_equal(shown, data.train_X[: len(shown)].astype(np.float32))
    assert arrays["histogram"].sum() == 120 * len(NAMES) - data.n_unknown, "of what is known"
    upload.accept()
    while upload.busy:
        upload.poll()
    return kept


@pytest.fixture
def state(own: OwnData, tmp_path: Path) -> Iterator[TrainState]:
    registry = RunRegistry(tmp_path / "runs", probe_seconds=0.05)
    yield TrainState(registry, load=own.load, datasets=own.datasets)
    registry.close()


def menu(panel: FormPanel, path: str) -> list[str]:
    """Return the values in a menu of the form."""
    fields = [field for group in panel.form.form["groups"] for field in group["fields"]]
    return [value for field in fields if field["path"] == path for value, _ in field["options"]]


def test_the_menu_offers_what_learns_from_missing_cells_and_says_why_not_the_others(state):
    panel = FormPanel(state)
    assert "RBM" in menu(panel, "0.system")
    assert state.form.lanes[1].system == "RBM"
    state.edit("dataset", "symptoms")
    assert state.datasets()["symptoms"].n_unknown == dataset().n_unknown
    able = ["LRBN", "Two-layer LRBN"]
    assert (menu(panel, "0.system"), menu(panel, "1.system")) == (able, [*able, "none"])
    assert state.form.lanes[1].system == "none", "the RBM beside it was of the recipe"
    assert state.messages == {}
    about = panel.form.form["about"]
    assert (
        f"{dataset().n_unknown} values of this data set are not known: LRBN and Two-layer LRBN learn" in about
    )
    assert "RBM" in about
    assert "learn from whole rows only, and are not offered" in about
    state.edit("1.system", "RBM")
    assert state.messages == {"1.system": "RBM learns from whole rows only; choose LRBN or Two-layer LRBN."}
    assert "RBM" in menu(panel, "1.system"), "it is chosen"
    state.start()
    assert "The run cannot start: RBM learns from whole rows only" in state.error
    state.edit("dataset", "digits")
    assert state.messages == {}
    assert "not known" not in panel.form.form["about"]


def test_a_run_on_a_table_with_missing_cells_trains_and_its_figures_count_what_is_known(state):
    state.edit("dataset", "symptoms")
    state.edit("0.n_components", "3")
    state.edit("amount", "4")
    state.start()
    until(state, lambda: state.status == "done")
    assert state.error == ""
    live = state.live
    assert live is not None
    (lane,) = live.run.lanes.values()
    unknown = np.isnan(lane.images)
    assert unknown.any()
    mean = lane.training.system.decode(
        lane.training.state, lane.training.system.encode(lane.training.state, lane.images)
    )
    wrong = (((mean > 0.5) != (lane.images > 0.5)) & ~unknown).sum(axis=1).mean()
    lane.look()
    assert lane.probe.figures["wrong_pixels"] == wrong
    for name, curve in lane.curves.items():
        if name != "validation_upper_layer_gap":
            assert np.isfinite(curve.points()[1]).all(), name
    original = unpack(run_block(live, {}))[1]["0.original"].reshape(-1, len(NAMES))
    np.testing.assert_array_equal(original == UNKNOWN_TONE, unknown[: len(original)])
    model = live.run.model(next(iter(live.run.lanes)))
    assert isinstance(model, LRBN)
    assert model.visible_names_ == NAMES


@pytest.mark.parametrize("binary", [True, False])
def test_a_run_of_missing_cells_is_stored_and_resumed(tmp_path, binary):
    data = dataset(binary)
    how = RunConfig(data.name, {"LRBN": LaneConfig("LRBN", {"n_components": 3})}, binary=binary, n_iter=4)
    run = Run(how, data, tmp_path / "a")
    run.advance(5)
    run.save()
    again = Run.resume(tmp_path / "a", data)
    whole = Run(how, data)
    for each in (again, whole):
        while not all(lane.training.over for lane in each.lanes.values()):
            each.advance(1)
    for one, other in zip(
        again.lanes["LRBN"].training.state.params, whole.lanes["LRBN"].training.state.params, strict=True
    ):
        np.testing.assert_array_equal(one, other)
        assert np.isfinite(one).all()


def test_a_model_that_needs_whole_images_is_refused_before_its_first_step():
    how = RunConfig("symptoms", {"RBM": LaneConfig("RBM", {"n_components": 3})})
    with pytest.raises(
        ValueError, match=r"RBM learns from whole images only; got symptoms, .* Use LRBN or Two-layer LRBN"
    ):
        Run(how, dataset())
    with pytest.raises(ValueError, match="NaN"):
        RBM(3, n_iter=1).fit(dataset().train_X)


def test_pages_of_whole_images_fill_in_what_is_likeliest():
    for binary in (True, False):
        data = dataset(binary)
        filled, unknown = data.filled(data.test_X), np.isnan(data.test_X)
        np.testing.assert_array_equal(filled[~unknown], data.test_X[~unknown])
        often = np.nanmean(data.train_X, axis=0) > 0.5 if binary else np.zeros(len(NAMES))
        np.testing.assert_array_equal(filled[unknown], np.broadcast_to(often, unknown.shape)[unknown])
        assert data.filled(filled) is filled


def test_a_table_without_any_value_in_a_column_is_refused_by_name(own):
    content = b"\n".join(
        line + (b",tired" if not n else b",NA") for n, line in enumerate(table().split(b"\n"))
    )
    with pytest.raises(RefusedData, match="column 7, tired: no row has a value there"):
        read_dataset(content, filename="a.csv", labels=None)
    upload = UploadState(own)
    upload.begin("a.csv", len(content))
    upload.take(0, content)
    while upload.busy:
        upload.poll()
    assert "column 7, tired: no row has a value there" in upload.error
    upload.choose(left_out=(6,))
    while upload.busy:
        upload.poll()
    assert (upload.error, upload.stage) == ("", "preview")


def test_pictures_of_learning_show_what_is_not_known_in_grey(tmp_path):
    data = dataset()
    run = Run(RunConfig(data.name, {"LRBN": LaneConfig("LRBN", {"n_components": 3})}, n_iter=1), data)
    while not run.lanes["LRBN"].training.over:
        run.advance(1)
    lane = run.lanes["LRBN"]
    made: list[Any] = []
    with pytest.MonkeyPatch.context() as patch:
        usual = learning.ramp
        patch.setattr(
            learning, "ramp", lambda colours, shares: made.append(np.array(shares)) or usual(colours, shares)
        )
        animate_run(tmp_path / "made.png", run, settings=Settings(size=(320, 180), n_frames=2))
    shown = lane.images[: learning.SHOWN]
    np.testing.assert_array_equal(np.array(made[: len(shown)]), np.where(np.isnan(shown), 0.5, shown))


def test_the_compare_page_counts_wrong_pixels_of_what_is_known():
    data = dataset()
    model = LRBN(3, n_iter=2, random_state=0).fit(data.train_X)
    X = data.test_X[:6]
    seen = look_at(model, X, "mine", "icm", 0)
    wrong = (seen.reconstructions != X) & ~np.isnan(X)
    np.testing.assert_array_equal(seen.wrong, wrong.sum(axis=1))


@pytest.mark.parametrize("binary", [True, False])
def test_a_tone_says_that_a_value_is_not_known_and_of_no_other(binary):
    data = dataset(binary)
    every = np.linspace(-4.0, 4.0, 2001)  # all tones
    known = np.tile(every[:, None], len(NAMES)) if not binary else data.test_X.copy()
    known[np.isnan(known)] = 0.0
    assert (tones_of(known, data) != UNKNOWN_TONE).all()
    known[0, 1] = np.nan
    assert np.argwhere(tones_of(known, data) == UNKNOWN_TONE).tolist() == [[0, 1]]
