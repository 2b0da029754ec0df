"""Names travel: from a table to a data set, a model, its file and its traces."""

from __future__ import annotations

import io
import json
import re
from itertools import product
from typing import Any

import numpy as np
import pytest

from lrbn_viz import LRBN, RBM, ICMTrace, load_dataset, load_model, pretrained, read_dataset
from lrbn_viz.core.names import check_names, unit_name, visible_names_of
from lrbn_viz.core.trace import ParticleTrace, Trace
from lrbn_viz.datasets.own import RefusedData
from lrbn_viz.datasets.own.stored import store_dataset, stored_dataset
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.notebook import show_trace
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.view.animation.traces import caption
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.wire import unpack

NAMES = ("fever", "cough", "rash")


def table(*names: str) -> bytes:
    """A table of yes and no: all combinations, several times."""
    rows = [",".join(cells) for cells in product(("yes", "no"), repeat=len(names))]
    return "\n".join([",".join(names), *rows * 8]).encode()


def read(*names: str):
    return read_dataset(table(*names), filename="findings.csv", labels=None)


def described(model) -> dict:
    """The metadata of a model as a page receives it."""
    block = pack_models({"it": model}, (1, model.n_visible_))
    size = int.from_bytes(block[4:8], "little")
    return json.loads(block[8 : 8 + size])["meta"]["models"][0]


def test_columns_of_a_table_are_names_of_the_data_its_copy_on_disk_and_the_model_that_learns_from_them(
    tmp_path,
):
    data = read(*NAMES)
    assert (data.visible_names, data.is_table, data.image_shape) == (NAMES, True, (1, 3))
    assert "rows of 3 variables" in data.description
    store_dataset(data, tmp_path / "data")
    again = stored_dataset(tmp_path / "data")
    assert again.visible_names == NAMES
    config = RunConfig("findings", {"LRBN": LaneConfig("LRBN", {"n_components": 2, "n_iter": 1})})
    model = Run(config, again).model("LRBN")
    model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    assert loaded.visible_names_ == tuple(loaded.feature_names_in_) == NAMES
    assert described(loaded)["pixels"] == list(NAMES)
    assert loaded.map_trace(data.test_X[0]).visible_names == NAMES


def test_columns_of_a_data_frame_are_names_on_the_page():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame(load_dataset("alarm").train_X[:50], columns=["it rings", "it is said"])
    model = LRBN(2, n_iter=1, random_state=0).fit(X)
    assert visible_names_of(model) == model.visible_names_ == tuple(model.feature_names_in_)
    assert model.visible_names_ == ("it rings", "it is said")
    assert described(model)["pixels"] == ["it rings", "it is said"]
    model.name_units(visibles=("alarm", "radio"))
    assert visible_names_of(model) == ("alarm", "radio"), "names that were given go before those of columns"
    long = LRBN(2, n_iter=1, random_state=0).fit(X.set_axis(["a" * 100, "b"], axis=1))
    assert visible_names_of(long) == (), "and names that a page cannot show are left out"
    assert model.name_units(["cause", "other cause"]).visible_names_ == ("it rings", "it is said")
    assert LRBN(2, n_iter=1).fit(X).fit(X.to_numpy()).visible_names_ == ()


def test_names_of_a_numpy_file_are_those_of_the_columns():
    X = np.array([*product((0, 1), repeat=3)] * 8)

    def packed(names) -> bytes:
        file = io.BytesIO()
        np.savez(file, X=X, names=names)
        return file.getvalue()

    data = read_dataset(packed(np.array(NAMES)), filename="findings.npz")
    assert (data.visible_names, data.image_shape) == (NAMES, (1, 3))
    assert read_dataset(packed(np.array(NAMES, "S")), filename="findings.npz").visible_names == NAMES
    for names, words in (
        (np.array(NAMES[:2]), r"shape \(2,\); expected text of shape \(3,\)"),
        (np.arange(3), "dtype int64"),
        (np.array(["fever", "fever", "rash"]), "two columns called 'fever', 1 and 2"),
    ):
        with pytest.raises(RefusedData, match=words):
            read_dataset(packed(names), filename="findings.npz")


def test_odd_names_of_columns_are_refused_or_text_that_can_be_shown():
    with pytest.raises(RefusedData, match="two columns called 'fever', 1 and 3; expected names that differ"):
        read("fever", "cough", "fever")
    odd = read("<b>fever</b>", "", "a\x07b", "x" * 70 + "1", "x" * 70 + "2")
    assert odd.visible_names[:3] == ("<b>fever</b>", "column 2", "a?b")
    assert [len(name) for name in odd.visible_names[3:]] == [60, 60]
    assert odd.visible_names[3] != odd.visible_names[4], "beginnings that are the same are told apart"
    check_names(odd.visible_names, 5)


def test_columns_that_are_pixels_have_no_names():
    names = [f"p{n}" for n in range(9)]
    rows = [",".join(str((n >> i) & 1) for i in range(9)) for n in range(100)]
    data = read_dataset("\n".join([",".join(names), *rows]).encode(), filename="pixels.csv", labels=None)
    assert (data.visible_names, data.is_table, data.image_shape) == ((), False, (3, 3))
    assert load_dataset("bars").visible_names[9] == "row 1, column 1"
    assert not load_dataset("bars").is_table
    assert load_dataset("alarm").is_table


@pytest.mark.parametrize(
    "wrong",
    [["one"], ["a", ""], ["a", " "], ["a", "x" * 61], [1, 2], ["a", "a"], ["a", "b\n"], ["a", "\x00"], "abc"],
)
def test_names_that_cannot_be_shown_are_refused(wrong):
    model = pretrained("lrbn-2-alarm")
    before = model.latent_names_
    with pytest.raises(ValueError, match=r"names|name for each"):
        LRBN.from_params(*model.layers[0]).name_units(wrong)
    assert model.latent_names_ == before


def test_a_named_unit_is_called_by_its_name_and_another_by_its_number():
    assert [unit_name(1, ("burglary", "earthquake")), unit_name(7)] == ["earthquake", "unit 7"]
    trace = pretrained("lrbn-2-alarm").map_trace([1, 1], init="zeros")
    assert "burglary" in caption(trace, 1)
    assert "unit 0" in caption(trace.named(), 1)
    assert "2 named visibles" in repr(trace)


def test_the_table_of_a_trace_names_the_latent_of_each_visit():
    pytest.importorskip("pandas")
    trace = pretrained("lrbn-2-alarm").map_trace([1, 1], init="zeros")
    frame = trace.to_frame()
    assert list(frame.columns[:4]) == ["k", "sweep", "latent", "name"]
    assert list(frame["name"]) == [("burglary", "earthquake")[unit] for unit in trace.unit]
    assert "name" not in trace.named().to_frame().columns


def traces() -> list[Trace]:
    """A trace of visits, one of an RBM, and one of particles, of named models."""
    W, b, d = pretrained("lrbn-2-alarm").layers[0]
    named = [kind.from_params(W, b, d).name_units(["one", "two"], ["a", "b"]) for kind in (LRBN, RBM)]
    visits = [model.map_trace([1, 0]) for model in named]
    particles = ParticleTrace.of(
        np.array([1, 0], np.uint8), {"W": W, "b": b, "d": d}, np.eye(2, dtype=np.uint8), np.zeros(2), "lrbn"
    )
    return [*visits, particles.named(["one", "two"], ["a", "b"])]


@pytest.mark.parametrize("trace", traces(), ids=["lrbn", "rbm", "particles"])
def test_a_trace_keeps_its_names_in_its_file(trace, tmp_path):
    assert (trace.latent_names, trace.visible_names) == (("one", "two"), ("a", "b"))
    trace.save(tmp_path / "trace.npz")
    again = ICMTrace.load(tmp_path / "trace.npz")
    assert (again.latent_names, again.visible_names) == (("one", "two"), ("a", "b"))
    arrays = dict(np.load(tmp_path / "trace.npz"))
    for names in (
        '{"latents": ["one"], "visibles": []}',
        '{"latents": 3}',
        "[]",
        '{"latents": [1, 2], "visibles": []}',
    ):
        np.savez(tmp_path / "forged.npz", **{**arrays, "names": names})
        with pytest.raises(UnreadableFile, match=re.escape("forged.npz")):
            ICMTrace.load(tmp_path / "forged.npz")
    trace.named().save(tmp_path / "plain.npz")
    assert "names" not in np.load(tmp_path / "plain.npz")


def test_a_notebooks_player_shows_the_names_that_a_trace_alone_has():
    model = pretrained("lrbn-2-alarm")
    trace = model.map_trace([1, 1])
    ways: Any = ({}, {"models": [model]})
    for given in ways:
        (shown,) = unpack(show_trace(trace, image_shape=(1, 2), **given).models)[0]["models"]
        assert shown["names"] == ["burglary", "earthquake"]
        assert shown["pixels"] == ["alarm", "radio report"]
