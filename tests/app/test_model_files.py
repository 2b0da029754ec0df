"""A visitor's model file on its way to a lane: pieces, refusals, bombs, and a page that stays quick."""

from __future__ import annotations

import base64
import io
import threading
import time
from collections.abc import Iterator
from typing import Any

import forged
import numpy as np
import pytest
from engine.test_storage import deep_arrays, model_arrays, settings_of

from lrbn_viz import LRBN
from lrbn_viz.app.shared.transfer import Transfer
from lrbn_viz.app.train import model_files
from lrbn_viz.app.train.model_files import MODEL_BUDGET, ModelUpload, Progress
from lrbn_viz.app.train.panel import FormPanel
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.view.player.wire import unpack

rng = np.random.default_rng(0)


@pytest.fixture
def panel(tmp_path) -> Iterator[FormPanel]:
    registry = RunRegistry(tmp_path)
    yield FormPanel(TrainState(registry))
    registry.close()


def saved(model: Any, tmp_path, **how: Any) -> bytes:
    model.save(tmp_path / "saved.npz", **how)
    return (tmp_path / "saved.npz").read_bytes()


def digits(n_h: int = 4) -> LRBN:
    return LRBN.from_params(rng.normal(size=(784, n_h)), np.zeros(784), np.zeros(n_h))


def settle(upload: ModelUpload) -> Progress:
    """Wait for the reading thread."""
    end = time.monotonic() + 60
    while upload.busy and time.monotonic() < end:
        upload.poll()
        time.sleep(0.002)
    assert not upload.busy
    return upload.progress


def give(panel: FormPanel, content: bytes, name: str = "mine.npz", lane: int = 0) -> Progress:
    """Send a file as the browser does, in pieces that the server asks for; return what became of it."""
    say, upload = panel.form._handle_msg, panel.state.model_file
    say({"type": "begin", "lane": lane, "name": name, "size": len(content), "number": 1})
    while upload.progress.stage == "receiving":
        at = panel.form.file["received"]
        piece = base64.b64encode(content[at : at + 384 * 1024]).decode()
        say({"type": "piece", "at": at, "bytes": piece})
        assert upload.progress.stage != "receiving" or panel.form.file["received"] > at
    return settle(upload)


# -- what is true


def test_a_model_that_is_sent_in_pieces_begins_the_next_run(panel, tmp_path):
    model = digits()
    told = give(panel, saved(model, tmp_path), lane=1)
    assert told == Progress("empty", 1, "mine.npz", told.size, 0, told.words, False, 1)
    assert told.words == "mine.npz: LRBN of 4 units for images of 784 pixels. The next run begins from it."
    state = panel.state
    assert (state.given, state.form.lanes[1].texts["n_components"]) == ((1,), "4")
    np.testing.assert_array_equal(state._given[1][0].W, model.layers[0].W)
    assert panel.form.file == told._asdict()


@pytest.mark.parametrize("layer_by_layer", [False, True])
def test_an_lrbn_of_two_layers_goes_on_in_one_run_however_it_was_learned(panel, layer_by_layer, tmp_path):
    """Its stages are over: both layers learn together from the first step on, from its parameters."""
    U = rng.normal(size=(4, 3))
    layers = [digits().layers[0], (U, np.zeros(4), np.zeros(3))]
    model = LRBN.from_layers(layers, e_step="gibbs", warm_sweeps=3, layer_by_layer=layer_by_layer)
    told = give(panel, saved(model, tmp_path))
    words = "mine.npz: Two-layer LRBN of 7 units for images of 784 pixels. The next run begins from it."
    assert (told.refused, told.words) == (False, words)
    texts = panel.state.form.lanes[0].texts
    assert (texts["n_components"], texts["n_top"], texts["e_step"], texts["warm_sweeps"]) == (
        "4",
        "3",
        "gibbs",
        "3",
    )
    begun = panel.state._given[0]
    np.testing.assert_array_equal(begun[0].W, layers[0][0])
    np.testing.assert_array_equal(begun[1].W, U)
    state = LRBN((4, 3)).state_from(begun, rng)
    assert state.stage == 3
    for other in (
        LRBN.from_layers([*layers, (np.zeros((3, 2)), np.zeros(3), np.zeros(2))]),
        LRBN.from_layers(layers, classes=["a", "b", "c"]),
    ):
        told = give(panel, saved(other, tmp_path))
        assert told.refused
        assert "the model is LRBN of " in told.words
        assert "expected one of LRBN, RBM" in told.words


def test_a_file_of_more_than_15_mib_is_taken_in_and_no_call_takes_long(panel, tmp_path):
    # the websocket passes no message so large
    model = LRBN.from_params(rng.normal(size=(2500, 900)), np.zeros(2500), np.zeros(900))
    content = saved(model, tmp_path)
    assert len(content) > 15 * 2**20
    calls, take = [], panel.state.model_file.take

    def timed(at: int, piece: str) -> None:
        began = time.perf_counter()
        take(at, piece)
        calls.append(time.perf_counter() - began)

    panel.form._answers["piece"] = timed
    assert "LRBN of 900 units" in give(panel, content).words
    assert len(calls) == -(-len(content) // (384 * 1024))
    assert max(calls) < 0.25  # what the server does between two clicks of another visitor


# -- what is not

WITH_CLASSES = deep_arrays(classes=np.arange(2), settings=settings_of(LRBN(3, layer_by_layer=True)))
REFUSED: dict[str, tuple[bytes, str]] = {
    "nothing of a model": (b"PK no model", "the file is damaged or no file of arrays"),
    "6,000,000 layers": (forged.npz(deep_arrays(n_layers=np.array(6_000_000))), "got n_layers = 6000000"),
    "layers with classes": (forged.npz(WITH_CLASSES), "expected one of LRBN, RBM, "),
    "a bomb": (
        forged.archive([
            *(forged.entry(name, forged.npy(a)) for name, a in model_arrays().items() if name != "W"),
            forged.bomb("W", 15 * 2**28)]), "would take 3,840.0 MiB in memory; expected at most 64.0 MiB"),
    "settings: null": (forged.npz(model_arrays(settings="null")), "expected named values, got nothing"),
    "settings nested deep": (forged.npz(model_arrays(settings="[" * 10**5)), "nested too deep"),
    "a huge number": (
        forged.npz(model_arrays(settings='{"visible": "bernoulli", "learning_rate": 1' + "0" * 400 + "}")),
        "a number of 401 digits"),
    "an unknown packing": (
        forged.archive([forged.entry("kind", forged.npy("LRBN"), method=99)]), "method 99"),
    "no deflate": (
        forged.archive([forged.entry("kind", forged.npy("LRBN"), packed=b"\xff" * 30)]), "is damaged"),
    "half floats that double fourfold": (
        forged.npz(model_arrays(W=np.zeros((4000, 2200), np.float16))), r"would take 67.1 MiB"),
    "grey images": (
        forged.npz(model_arrays(settings=settings_of(LRBN(3), visible="gaussian"))),
        "has gaussian units; expected a model"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_model_is_refused_in_words_beside_the_field(panel, name, caplog):
    content, words = REFUSED[name]
    form = panel.state.form
    began = time.monotonic()
    told = give(panel, content)
    assert time.monotonic() - began < 5
    assert told.refused
    assert told.words.startswith("mine.npz was not read: ")
    assert words in told.words
    assert "tmp" not in told.words, "and nothing of where it lay"
    assert len(told.words) < 400
    assert (panel.state.form, panel.state.given, panel.state.error) == (form, (), "")
    assert panel.form.file["refused"]
    assert not caplog.records
    assert not give(panel, forged.npz(model_arrays())).refused, "and the next file is read"


@pytest.mark.parametrize("size", [0, MODEL_BUDGET.file_bytes + 1, 2**53])
def test_a_file_that_cannot_be_taken_in_is_refused_before_it_is_sent(panel, size):
    panel.form._handle_msg({"type": "begin", "lane": 0, "name": "large.npz", "size": size, "number": 1})
    told = panel.state.model_file.progress
    assert (told.stage, told.refused) == ("empty", True)
    assert "expected more than 0 and at most 32.0 MiB" in told.words


NO_PIECES: list[dict[str, Any]] = [
    {"at": 0, "bytes": "é"}, {"at": 0, "bytes": "AAA"}, {"at": 0, "bytes": "no base64!"},
    {"at": 0, "bytes": ""}, {"at": 0, "bytes": "\ud800"}, {"at": 0, "bytes": None}, {"at": 0, "bytes": 7},
    {"at": 0, "bytes": "A" * 2**21}, {"at": 4, "bytes": "AAAA"}, {"at": -1, "bytes": "AAAA"},
    {"at": 10**30, "bytes": "AAAA"}, {"at": 0.0, "bytes": "AAAA"}, {"at": True, "bytes": "AAAA"},
    {"at": 0, "bytes": "A" * 1000}, {"at": 0}, {},
]  # fmt: skip


@pytest.mark.parametrize("piece", NO_PIECES, ids=lambda piece: repr(piece)[:40])
def test_a_piece_that_is_none_or_not_due_changes_nothing_and_never_raises(panel, tmp_path, piece, caplog):
    say, upload = panel.form._handle_msg, panel.state.model_file
    say({"type": "piece", **piece})
    say({"type": "begin", "lane": 0, "name": "mine.npz", "size": 100, "number": 1})
    before = upload.progress
    say({"type": "piece", **piece})
    assert upload.progress == before
    assert before.stage == "receiving"
    assert not caplog.records
    assert not give(panel, saved(digits(), tmp_path)).refused


def test_a_model_file_may_be_cancelled_while_it_is_sent_and_while_it_is_read(panel, tmp_path, monkeypatch):
    say, upload, content = panel.form._handle_msg, panel.state.model_file, saved(digits(), tmp_path)
    say({"type": "begin", "lane": 0, "name": "mine.npz", "size": len(content), "number": 1})
    say({"type": "piece", "at": 0, "bytes": base64.b64encode(content[:300]).decode()})
    say({"type": "cancel"})
    assert (upload.progress.stage, upload.progress.words, upload.busy) == ("empty", "", False)
    say({"type": "piece", "at": 300, "bytes": base64.b64encode(content[300:]).decode()})
    assert not upload.busy
    read, begun, go_on = model_files.read_model, threading.Event(), threading.Event()

    def slowly(file: Any) -> Any:
        begun.set()
        go_on.wait(30)
        return read(file)

    monkeypatch.setattr(model_files, "read_model", slowly)
    upload.begin(0, "mine.npz", len(content))
    upload.take(0, content)
    assert (upload.progress.stage, begun.wait(30)) == ("reading", True)
    panel.state.start()
    assert "A model file is being uploaded" in panel.state.error
    say({"type": "cancel"})
    go_on.set()
    upload.poll()
    assert (upload.progress.words, panel.state.given) == ("", ())
    monkeypatch.undo()
    assert not give(panel, content).refused


def test_an_error_that_nobody_thought_of_ends_in_words_and_once_in_the_log(panel, monkeypatch, caplog):
    def fail(file: Any) -> Any:
        raise IndexError("odd")

    with monkeypatch.context() as patch:
        patch.setattr(model_files, "read_model", fail)
        told = give(panel, b"PK")
    assert told.refused
    assert "mine.npz was not read because of an error in the program (IndexError)" in told.words
    assert len(caplog.records) == 1


def test_a_full_disk_is_said_so(panel, monkeypatch):
    def full(self: Transfer, at: int, piece: str) -> bool:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Transfer, "take", full)
    told = give(panel, b"PK")
    assert told.refused
    assert "No space left on device" in told.words


def test_other_calls_are_answered_while_bombs_are_refused(panel):
    content = REFUSED["a bomb"][0]
    told: list[Progress] = []
    others = [ModelUpload(lambda lane, model: "") for _ in range(8)]
    for upload in others:
        upload.begin(0, "bomb.npz", len(content))
        for at in range(0, len(content), 384 * 1024):
            upload.take(at, content[at : at + 384 * 1024])
    worst = 0.0
    while any(upload.busy for upload in others):
        began = time.perf_counter()
        for upload in others:
            upload.poll()
        panel.state.edit("seed", "7")
        worst = max(worst, time.perf_counter() - began)
        time.sleep(0.001)
    told = [upload.progress for upload in others]
    assert all("would take 3,840.0 MiB" in each.words for each in told)
    assert worst < 0.5


def test_a_model_is_written_for_its_download_off_the_pages_thread(panel, monkeypatch):
    said, go_on, threads = [], threading.Event(), []

    def written(live: Any, lane: int, snapshot: Any) -> tuple[str, bytes]:
        threads.append(threading.current_thread().name)
        go_on.wait(30)
        return f"{live}-{lane}.npz", b"content"

    monkeypatch.setattr(model_files, "model_file", written)
    monkeypatch.setattr(panel.form, "_send_msg", said.append)
    monkeypatch.setattr(
        panel.state,
        "saved_model",
        lambda lane: model_files.saved_model("run", lane, None),  # pyright: ignore[reportArgumentType]
    )
    panel.form._handle_msg({"type": "save", "lane": 1})
    panel.form._handle_msg({"type": "save", "lane": 1})  # pressed twice
    panel.poll_saving()
    assert (panel.form.saving, said) == ([1], [])
    go_on.set()
    end = time.monotonic() + 30
    while panel.form.saving and time.monotonic() < end:
        panel.poll_saving()
    meta, arrays = unpack(said[0])
    assert (meta["name"], arrays["content"].tobytes(), len(said)) == ("run-1.npz", b"content", 1)
    assert threads == ["model-files"]


def test_a_transfer_holds_what_was_sent_and_nothing_else():
    transfer = Transfer(10)
    assert [transfer.take(0, b"abcd"), transfer.take(0, b"abcd"), transfer.take(4, b"efghijkl")] == [1, 0, 0]
    assert (transfer.received, transfer.whole) == (4, False)
    assert transfer.take(4, base64.b64encode(b"efghij").decode())
    assert (transfer.whole, transfer.content(), transfer.open().read(3)) == (True, b"abcdefghij", b"abc")
    assert isinstance(transfer.open(), io.IOBase)
