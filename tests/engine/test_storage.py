"""Files are written whole or not at all, and read without trusting a byte of them."""

from __future__ import annotations

import gc
import io
import json
import os
import resource
import threading
import time
import zipfile
from collections.abc import Callable
from typing import Any

import forged
import numpy as np
import pytest
from engine.cases import random_case
from engine.test_files import some_trace
from engine.test_resume import make
from forked import finish, program

from lrbn_viz import ICMTrace, load_model
from lrbn_viz.estimators import LRBN
from lrbn_viz.io.storage import (
    LOCAL,
    Budget,
    UnreadableFile,
    read_array_header,
    read_checksummed,
    read_json,
    read_npz,
    write_atomic,
    write_checksummed,
)
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

pytestmark = pytest.mark.nojit

SMALL = Budget(file_bytes=2**20, array_bytes=2**20, entries=10, seconds=5.0)
MAGIC = b"LRBN run 1\n"


DEEP = LRBN((3, 2), layer_by_layer=True)


def settings_of(model: Any, **changed: Any) -> str:
    """The settings that a model's file holds, with some of them changed."""
    stored = {k: v for k, v in model.get_params().items() if k != "random_state"}
    return json.dumps(stored | changed)


def model_arrays(**changed: Any) -> dict[str, Any]:
    """What a small LRBN's file holds."""
    arrays = {"kind": "LRBN", "settings": settings_of(LRBN(3)), "provenance": "{}"}
    arrays |= {f"{name}0": a for name, a in random_case("bernoulli", 5, 3).params._asdict().items()}
    return {**arrays, "n_layers": np.array(1), **changed}


def deep_arrays(**changed: Any) -> dict[str, Any]:
    low, high = (random_case("bernoulli", *sizes).params for sizes in ((5, 3), (3, 2)))
    arrays = {"kind": "LRBN", "settings": settings_of(DEEP), "provenance": "{}"}
    arrays |= {f"{name}{n}": a for n, layer in enumerate((low, high)) for name, a in layer._asdict().items()}
    return {**arrays, "n_layers": np.array(2), **changed}


def trace_arrays(**changed: Any) -> dict[str, Any]:
    trace = some_trace()
    arrays = {"kind": "ICMTrace"} | {name: getattr(trace, name) for name in trace.__dataclass_fields__}
    return {**arrays, **changed}


# -- writing


def test_what_is_written_replaces_the_old_file_whole(tmp_path):
    path = tmp_path / "file"
    assert write_atomic(path, b"old") == 3
    assert write_atomic(path, lambda file: file.write(b"newer")) == 5
    assert path.read_bytes() == b"newer"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("fails", ["writing", "syncing", "replacing"])
def test_a_write_that_fails_leaves_the_old_file_and_no_other(fails, tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomic(path, b"old")

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    if fails == "syncing":
        monkeypatch.setattr(os, "fsync", full)
    elif fails == "replacing":
        monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomic(path, full if fails == "writing" else b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["file"]


def test_two_threads_that_write_one_file_leave_one_of_theirs_whole(tmp_path):
    path = tmp_path / "file"
    contents = [bytes([n]) * 50_000 for n in range(4)]

    def write(content: bytes) -> None:
        for _ in range(10):
            write_atomic(path, content)

    threads = [threading.Thread(target=write, args=(content,)) for content in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert os.listdir(tmp_path) == ["file"]


# -- reading what is true

TRUE_ARRAYS = {
    "half": np.arange(6, dtype=np.float16).reshape(2, 3), "double": np.linspace(0, 1, 7),
    "columns": np.asfortranarray(np.arange(12.0).reshape(3, 4)), "nothing": np.zeros((0, 5)),
    "number": np.float32(3), "text": np.array("größer"), "names": np.array(["a", "bc"]),
    "truth": np.array([True, False]), "other_order": np.arange(5, dtype=">i4"), "count": np.array(7),
    "empty_text": np.array(""), "large": np.arange(3, dtype=np.uint64),
}  # fmt: skip


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_what_numpy_writes_is_read_as_numpy_reads_it(save, tmp_path):
    save(tmp_path / "a.npz", **TRUE_ARRAYS)
    found = read_npz(tmp_path / "a.npz", "a.npz", LOCAL)
    with np.load(tmp_path / "a.npz") as expected:
        assert list(found) == list(expected.files)
        for name, array in found.items():
            assert array.dtype == expected[name].dtype.newbyteorder("=")
            assert array.flags.f_contiguous == expected[name].flags.f_contiguous
            assert array.flags.writeable
            np.testing.assert_array_equal(array, expected[name])


def test_what_is_checksummed_comes_back_and_says_when_it_is_of_another_kind(tmp_path):
    n_bytes = write_checksummed(tmp_path / "a", b"KIND 1\n", {"x": np.arange(3)}, compressed=True)
    assert n_bytes == (tmp_path / "a").stat().st_size
    np.testing.assert_array_equal(read_checksummed(tmp_path / "a", b"KIND 1\n", "list")["x"], [0, 1, 2])
    with pytest.raises(
        UnreadableFile, match=r"a is no checkpoint: expected it to begin with b'RUN', got b'KIN'"
    ):
        read_checksummed(tmp_path / "a", b"RUN", "checkpoint")
    with pytest.raises(FileNotFoundError, match="does not exist; expected a list"):
        read_checksummed(tmp_path / "none", b"KIND 1\n", "list")


# -- refusing what is not

LIE = forged.npy(np.arange(4.0))


def many(n: int) -> bytes:
    return forged.archive([forged.entry(f"a{i}", LIE) for i in range(n)])


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "an array larger than the budget": (
        lambda: forged.archive([forged.bomb("a", 2**24)]), "would take 16.0 MiB in memory"),
    "half floats that become too large": (
        lambda: forged.npz({"a": np.zeros(2**18, np.float16)}), r"\(262144,\) float16.* would take 2.0 MiB"),
    "too many arrays": (lambda: many(11), "holds 11 arrays; expected at most 10"),
    "a directory too long": (lambda: many(200), "expected a list of at most 10 arrays"),
    "a directory that lies about its length": (
        lambda: forged.archive([forged.entry("a", LIE)], length=2**31), "expected a list of at most 10"),
    "no archive": (lambda: b"something else", "without a zip archive's end"),
    "nothing": (lambda: b"", "got 0 bytes"),
    "a name twice": (lambda: forged.archive([forged.entry("a", LIE)] * 2), "each once"),
    "another ending": (
        lambda: forged.archive([forged.entry("a", LIE)._replace(name=b"a.txt")]), "entries NAME.*'a.txt'"),
    "a name that begins with NUL": (
        lambda: forged.archive([forged.entry("a", LIE)._replace(name=b"\0.npy")]), "entries NAME.npy"),
    "bzip2": (lambda: forged.archive([forged.entry("a", LIE, method=12)]), "method 12"),
    "an unknown method": (lambda: forged.archive([forged.entry("a", LIE, method=99)]), "method 99"),
    "a password": (lambda: forged.archive([forged.entry("a", LIE, flags=1)]), "flags 1"),
    "patched data": (lambda: forged.archive([forged.entry("a", LIE, flags=0x20)]), "flags 32"),
    "more than deflate can pack": (
        lambda: forged.archive([forged.entry("a", LIE, size=2**20)]), r"declares 1,048,576 bytes; expected"),
    "more than is stored": (
        lambda: forged.archive([forged.stored("a", LIE, size=2**18)]), "declares 262,144 bytes"),
    "entries that overlap": (
        lambda: forged.archive([forged.entry("a", LIE, packed_size=1000), forged.entry("b", LIE)]),
        "overlap"),
    "a stream that is no deflate": (
        lambda: forged.archive([forged.entry("a", LIE, packed=b"\xff" * 60)]), "is damaged"),
    "a stream that ends early": (
        lambda: forged.archive([forged.entry("a", LIE, packed=forged.deflated(LIE)[:40])]), "is damaged"),
    "another sum": (lambda: forged.archive([forged.entry("a", LIE, crc=1)]), "Bad CRC-32"),
    "an entry elsewhere": (lambda: forged.archive([forged.entry("a", LIE, offset=10)]), "is damaged"),
    "objects": (lambda: forged.archive([forged.entry("a", forged.header("|O", "(1,)"))]), "holds objects"),
    "a structured type": (
        lambda: forged.archive([forged.entry("a", forged.header("[('a', '<f8')]", "()"))]), "plain numbers"),
    "complex numbers": (
        lambda: forged.archive([forged.entry("a", forged.header("<c16", "(0,)"))]), "plain numbers"),
    "a header without end": (
        lambda: forged.archive([forged.stored("a", b"\x93NUMPY\2\0" + b"\xff\xff\xff\x7f" + bytes(99))]),
        "a length of 2,147,483,647"),
    "a header nested deep": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", "(" * 300 + ")" * 300))]),
        "plain numbers"),
    "a shape larger than any memory": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", f"({10**30},)"))]), "an exabyte"),
    "a length in an empty array": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", f"(0, {10**15})"))]), "in memory"),
    "texts of no letters": (
        lambda: forged.archive([forged.entry("a", forged.header("<U0", f"({10**9},)"))]), "plain numbers"),
    "a negative length": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", "(-1,)"))]), "plain numbers"),
    "a shape that needs more than there is": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", "(5,)") + bytes(8))]),
        "needs 40 bytes, got 8"),
    "truth values that are neither": (
        lambda: forged.archive([forged.entry("a", forged.header("|b1", "(2,)") + b"\1\2")]), "0 and 1"),
    "letters beyond Unicode": (
        lambda: forged.archive([forged.entry("a", forged.header("<U1", "()") + b"\xff" * 4)]),
        "Unicode characters"),
    "33 dimensions": (
        lambda: forged.archive([forged.entry("a", forged.header("<f8", "(" + "1," * 33 + ")") + bytes(8))]),
        "33 dimensions"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_an_archive_that_is_not_true_to_itself_is_refused_in_words(name):
    content, words = REFUSED[name]
    with pytest.raises(UnreadableFile, match=words):
        read_npz(io.BytesIO(content()), "the file", SMALL)


def test_a_file_larger_than_the_budget_is_refused_before_it_is_read(tmp_path):
    with open(tmp_path / "a.npz", "wb") as file:
        file.truncate(10 * 2**30)
    for read in (read_npz, lambda path, what, budget: read_checksummed(path, b"KIND", what, budget)):
        with pytest.raises(UnreadableFile, match=r"expected at most 1\.0 MiB"):
            read(tmp_path / "a.npz", "a.npz", SMALL)


def test_reading_ends_in_words_when_its_time_is_up():
    content = forged.npz({"a": np.random.default_rng(0).normal(size=2**18)})
    with pytest.raises(UnreadableFile, match="longer than 0 seconds"):
        read_npz(io.BytesIO(content), "the file", Budget(2**22, 2**22, 10, 0.0))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[" * 100_000, "nested too deep"),
        ('{"a":' + "[" * 70 + "]" * 70 + "}", "nested at most 64"),
        ('{"a": ' + "9" * 101 + "}", "a number of 101 digits"),
        ("null", "expected named values, got nothing"),
        ("[1]", "expected named values, got a list"),
        ("{", "expected JSON"),
        (" " * (5 * 2**20), "5,242,880 characters"),
        (b"\xff\xfe{", "expected JSON"),
    ],
)
def test_json_that_is_not_what_it_must_be_is_refused_in_words(text, words):
    with pytest.raises(UnreadableFile, match=words):
        read_json(text, "the settings")


# -- models

BAD_TEXTS = {
    "null": "named values", "[]": "named values", "{": "JSON", "{}": "got no average",
    f'{{"learning_rate": {"9" * 400}}}': "400 digits",
}  # fmt: skip
BAD_SETTINGS: list[tuple[dict[str, Any], str]] = [
    ({"visible": None}, "visible must be one of"), ({"n_components": None}, "is None"),
    ({"n_components": np.inf}, "is inf"), ({"learning_rate": "fast"}, "must be a number"),
    ({"batch_size": []}, "must be an integer"), ({"random_state": 1}, "'random_state', which is none"),
    ({"copy": True}, "'copy', which is none"),
]  # fmt: skip


@pytest.mark.parametrize("text", BAD_TEXTS)
@pytest.mark.parametrize("arrays", [model_arrays, deep_arrays])
def test_texts_that_are_no_settings_are_refused_in_words(arrays, text):
    with pytest.raises(UnreadableFile, match=BAD_TEXTS[text]):
        load_model(io.BytesIO(forged.npz(arrays(settings=text))))


@pytest.mark.parametrize(("changed", "words"), BAD_SETTINGS)
@pytest.mark.parametrize(("arrays", "model"), [(model_arrays, LRBN(3)), (deep_arrays, DEEP)])
def test_settings_that_are_none_are_refused_in_words(arrays, model, changed, words):
    with pytest.raises(UnreadableFile, match=words):
        load_model(io.BytesIO(forged.npz(arrays(settings=settings_of(model, **changed)))))


@pytest.mark.parametrize(("arrays", "model"), [(model_arrays, LRBN(3)), (deep_arrays, DEEP)])
def test_a_model_file_that_lacks_a_setting_is_refused_with_its_name(arrays, model):
    whole = json.loads(settings_of(model))
    assert load_model(io.BytesIO(forged.npz(arrays()))).get_params().keys() >= whole.keys()
    for name in whole:
        text = json.dumps({other: value for other, value in whole.items() if other != name})
        with pytest.raises(UnreadableFile, match=f"expected the settings of .*, got no {name}"):
            load_model(io.BytesIO(forged.npz(arrays(settings=text))))


def test_a_deep_models_number_of_layers_is_checked_against_what_is_there():
    # 24 seconds and 2.2 GB before
    for n_layers in (6_000_000, 3, 0, -1):
        began = time.thread_time()
        with pytest.raises(UnreadableFile, match=f"it holds weights of, 2, got n_layers = {n_layers}"):
            load_model(io.BytesIO(forged.npz(deep_arrays(n_layers=np.array(n_layers)))))
        assert time.thread_time() - began < 2
    for n_layers in (np.array([2]), np.array(2.0), np.array("2"), np.array(True)):
        with pytest.raises(UnreadableFile, match="expected 'n_layers' to hold whole numbers"):
            load_model(io.BytesIO(forged.npz(deep_arrays(n_layers=n_layers))))


BAD_PARAMETERS = [
    (model_arrays, {"W0": np.array(["a"])}, "expected 'W0' to hold floating-point numbers in 2 dimensions"),
    (model_arrays, {"W0": np.zeros((0, 3))}, "expected 'b0'"),
    (model_arrays, {"W0": np.zeros((0, 0)), "b0": np.zeros(0), "d0": np.zeros(0)}, r"W has shape \(0, 0\)"),
    (model_arrays, {"b0": np.zeros(4)}, r"expected 'b0' .* shape \(5,\), got float64 in shape \(4,\)"),
    (model_arrays, {"d0": np.full(3, np.nan)}, "NaN or infinity"),
    (model_arrays, {"kind": np.array(["LRBN"])}, "expected 'kind' to hold text"),
    (model_arrays, {"kind": "L" * 10**5}, r"holds 'LLL.*\.\.\.; expected LRBN"),
    (model_arrays, {"provenance": "[]"}, "expected named values, got a list"),
    (deep_arrays, {"W1": np.zeros((4, 2)), "b1": np.zeros(4)}, "layer 1 has 3 latents but layer 2 expects 4"),
    (deep_arrays, {"d1": np.zeros(3)}, "expected 'd1'"),
    (deep_arrays, {"classes": np.zeros(7)}, r"expected 'classes' .* shape \(2,\), got float64"),
    (deep_arrays, {"classes": np.zeros((2, 1))}, "expected 'classes'"),
]


@pytest.mark.parametrize(("arrays", "changed", "words"), BAD_PARAMETERS)
def test_parameters_that_are_none_are_refused_in_words(arrays, changed, words):
    with pytest.raises(UnreadableFile, match=words):
        load_model(io.BytesIO(forged.npz(arrays(**changed))))


def test_true_models_are_read_from_files_that_are_open(tmp_path):
    layers = [random_case("bernoulli", *sizes).params for sizes in ((5, 3), (3, 2))]
    LRBN.from_layers(layers, classes=["a", "b"]).save(tmp_path / "deep.npz", dtype=np.float16)
    with open(tmp_path / "deep.npz", "rb") as file:
        loaded = load_model(file)
    assert list(loaded.classes_) == ["a", "b"]
    np.testing.assert_array_equal(loaded.params_[1].W, layers[1].W.astype(np.float16))
    assert load_model(io.BytesIO(forged.npz(model_arrays()))).n_components == 3


# -- traces

BAD_TRACES = [
    ({"W": np.zeros(20)}, "'W' to hold floating-point"), ({"W": np.zeros((20, 0))}, "expected visible units"),
    ({"h0": np.uint8(1)}, "'h0' to hold whole numbers"), ({"h0": np.full(6, 2, np.uint8)}, "0 to 1"),
    ({"unit": np.zeros((3, 2), np.int32)}, "'unit' to hold whole numbers"),
    ({"unit": np.array([2.5] * 12)}, "'unit' to hold whole numbers"),
    ({"unit": np.full(12, -1, np.int32)}, "unit is out of range; expected 0 to 5"),
    ({"log_joint0": np.zeros(2)}, "'log_joint0'"), ({"log_joint0": "much"}, "'log_joint0'"),
    ({"log_joint0": np.inf}, "finite"), ({"converged": np.array([])}, "'converged' to hold truth values"),
    ({"visible": "poisson"}, "whose visible is called 'poisson'"), ({"visible": 3}, "'visible' to hold text"),
    ({"x": np.array(["a"] * 20)}, "'x' to hold"), ({"x": np.full(20, 7, np.uint8)}, "expected 0 and 1"),
    ({"W": np.full((20, 6), np.nan)}, "finite"), ({"b": np.zeros(3)}, "'b' to hold"),
    ({"after": np.zeros(5, np.uint8)}, "'after' to hold"), ({"model": 3}, "'model' to hold text"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "words"), BAD_TRACES)
def test_arrays_that_are_no_trace_are_refused_in_words(changed, words, tmp_path):
    n_visits = some_trace().n_visits
    changed = {
        name: np.resize(value, n_visits) if name == "unit" and np.ndim(value) == 1 else value
        for name, value in changed.items()
    }
    (tmp_path / "trace.npz").write_bytes(forged.npz(trace_arrays(**changed)))
    with pytest.raises(UnreadableFile, match=words):
        ICMTrace.load(tmp_path / "trace.npz")


def test_a_sweep_that_no_inference_makes_is_refused(tmp_path):
    n_visits = some_trace().n_visits
    for sweep in (np.full(n_visits, 2**31 - 1, np.int32), np.arange(n_visits, dtype=np.int32)[::-1]):
        (tmp_path / "trace.npz").write_bytes(forged.npz(trace_arrays(sweep=sweep)))
        with pytest.raises(UnreadableFile, match="its sweep is out of range"):
            ICMTrace.load(tmp_path / "trace.npz")


@pytest.mark.parametrize("load", [ICMTrace.load, load_model])
def test_a_stream_that_is_no_deflate_is_refused_in_words(load, tmp_path):
    # zlib.error before
    arrays = trace_arrays() if load == ICMTrace.load else model_arrays()
    entries = [forged.entry(name, forged.npy(value)) for name, value in arrays.items()]
    entries = [
        each._replace(packed=b"\xff" * len(each.packed)) if b"W" in each.name else each for each in entries
    ]
    (tmp_path / "bad.npz").write_bytes(forged.archive(entries))
    with pytest.raises(UnreadableFile, match=r"bad\.npz is damaged"):
        load(tmp_path / "bad.npz")


# -- checkpoints: damaged, with a sum that is right


def checkpoint_arrays(tmp_path) -> dict[str, Any]:
    run = make("pcd")
    for _ in range(3):
        next(run)
    save_checkpoint(tmp_path / "run", {"lane": run}, {"name": "pcd"}, {"lane/curve": np.zeros((2, 3))})
    with np.load(io.BytesIO((tmp_path / "run").read_bytes()[len(MAGIC) + 32 :])) as found:
        return dict(found)


def plain_with(arrays: dict[str, Any], **changed: Any) -> str:
    return json.dumps({**json.loads(str(arrays["lane.plain"])), **changed})


def weights_of(arrays: dict[str, Any]) -> str:
    return next(name for name in arrays if name.endswith("/W"))


BAD_CHECKPOINTS: dict[str, tuple[Callable[[dict[str, Any]], dict[str, Any]], str]] = {
    "no config": (lambda a: {k: v for k, v in a.items() if k != "config"}, "lacks 'config'"),
    "config null": (lambda a: a | {"config": "null"}, "expected named values, got nothing"),
    "lanes of numbers": (lambda a: a | {"lanes": "[1]"}, "expected names of its lanes"),
    "lanes that are none": (lambda a: a | {"lanes": "{}"}, "expected a list"),
    "no plain values": (lambda a: {k: v for k, v in a.items() if k != "lane.plain"}, "lacks 'lane.plain'"),
    "plain values null": (lambda a: a | {"lane.plain": "null"}, "expected named values"),
    "a step null": (lambda a: a | {"lane.plain": plain_with(a, step=None)}, "'step' = None"),
    "a step too large": (lambda a: a | {"lane.plain": plain_with(a, step=10**60)}, "'step' = 1000"),
    "an unknown value": (lambda a: a | {"lane.plain": plain_with(a, more=1)}, "'more' = 1"),
    "a generator null": (lambda a: a | {"lane.plain": plain_with(a, rng=None)}, "'rng' = None"),
    "no generator": (lambda a: a | {"lane.plain": plain_with(a, rng={})}, "random generator is damaged"),
    "another generator": (
        lambda a: a | {"lane.plain": plain_with(a, rng={"bit_generator": "MT19937", "state": {}})},
        "expected the state of a PCG64"),
    "metrics of words": (lambda a: a | {"lane.plain": plain_with(a, last_metrics={"": "b"})}, "last_metric"),
    "sums of nothing": (lambda a: a | {"lane.plain": plain_with(a, n_averaged=4)}, "sums of parameters"),
    "sums of another shape": (
        lambda a: a | {"lane.plain": plain_with(a, n_averaged=1), "lane.total/0": np.zeros(2)}, "shapes"),
    "sums with a gap": (lambda a: a | {"lane.total/7": np.zeros(2)}, "lacks 'lane.total/0'"),
    "too many seen": (lambda a: a | {"lane.plain": plain_with(a, offset=10**6)}, "images seen"),
    "another shape": (
        lambda a: a | {weights_of(a): np.zeros((2, 2))}, r"of shape \(2, 2\); expected"),
    "another type": (
        lambda a: a | {weights_of(a): np.zeros((9, 5), np.float16)}, "as float16"),
    "chains of other states": (
        lambda a: a | {"lane.state/particles": np.full_like(a["lane.state/particles"], 255)},
        "expected states of units, 0 or 1, in 'lane.state/particles', got 255"),
    "rows out of range": (lambda a: a | {"lane.order": np.full(24, 10**9, np.uint32)}, "rows in another"),
    "an order of words": (lambda a: a | {"lane.order": np.array(["a"])}, "'lane.order' to hold whole"),
    "memory of words": (lambda a: a | {"lane.memory": np.array(["a"])}, "'lane.memory' to hold"),
    "memory of others": (lambda a: a | {"lane.memory": np.zeros((3, 5), np.uint8)}, "remembered latents"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD_CHECKPOINTS)
def test_a_forged_checkpoint_whose_sum_is_right_is_refused_in_words(name, tmp_path):
    change, words = BAD_CHECKPOINTS[name]
    arrays = change(checkpoint_arrays(tmp_path))
    (tmp_path / "run").write_bytes(forged.checksummed(MAGIC, forged.npz(arrays)))
    run = make("pcd")
    with pytest.raises(ValueError, match=words):
        run.restore(load_checkpoint(tmp_path / "run").snapshot("lane", run.state))


def test_a_checkpoint_whose_sum_is_right_may_hold_anything(tmp_path):
    raw = [b"", b"PK", forged.archive([forged.bomb("config", 2**29)]), zipped(b"config.npy", b"text")]
    for content in raw:
        (tmp_path / "run").write_bytes(forged.checksummed(MAGIC, content))
        with pytest.raises(UnreadableFile, match="run"):
            load_checkpoint(tmp_path / "run")


def zipped(name: bytes, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name.decode(), content)
    return file.getvalue()


# -- in all: time and memory

BOMBS = """
import resource, sys, time
from lrbn_viz import ICMTrace, load_model
from lrbn_viz.training.checkpoint import load_checkpoint
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for path, load in zip(sys.argv[1:], (load_model, ICMTrace.load, load_checkpoint)):
    began = time.process_time()
    try:
        load(path)
    except ValueError as error:
        print(f"{time.process_time() - began:.2f} {error}")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.skipif(not hasattr(resource, "RUSAGE_SELF"), reason="no resource limits here")
def test_a_zip_bomb_is_refused_at_once_and_costs_no_memory(tmp_path):
    # a model file of 1.5 MB took 71 seconds and 3.9 GB
    huge = forged.bomb("W", 15 * 2**28)
    assert len(huge.packed) < 4 * 2**20
    paths = []
    for name, arrays in (("model", model_arrays()), ("trace", trace_arrays()), ("run", {"config": "{}"})):
        entries = [forged.entry(key, forged.npy(value)) for key, value in arrays.items() if key != "W"]
        content = forged.archive([*entries, huge])
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content if name != "run" else forged.checksummed(MAGIC, content))
    *refused, kilobytes = finish(program(BOMBS, *map(str, paths))).splitlines()
    assert [" would take 3,840.0 MiB in memory; expected at most" in line for line in refused] == [True] * 3
    assert all(float(line.split()[0]) < 2 for line in refused), refused
    assert int(kilobytes) < 100_000


HONEST = [
    np.arange(6, dtype=">i2").reshape(2, 3), np.asfortranarray(np.zeros((4, 5), np.float16)), np.array(True),
    np.zeros((0, 7)), np.array(["a", "longer"]), np.array([b"ab"]), np.zeros(3, np.complex64),
    np.zeros(2, "M8[s]"), np.zeros((1,) * 20, np.uint8),
]  # fmt: skip


@pytest.mark.parametrize("array", HONEST, ids=lambda array: f"{array.dtype}{array.shape}")
@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
def test_an_honest_header_is_read_as_numpy_reads_it(array, version):
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version)
    file.seek(0)
    header = read_array_header(file)
    assert (header.shape, header.dtype, header.n_bytes) == (array.shape, array.dtype, file.tell())
    file.seek(8)
    read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}[version[0]]
    assert read(file) == (header.shape, header.fortran, header.dtype)


@pytest.mark.parametrize(
    ("text", "shape", "dtype"),
    [
        ("{'shape': (3L, 4L), 'fortran_order': True, 'descr': '<f8'}\n", (3, 4), "<f8"),  # by Python 2
        ('{"descr":"|u1","shape":(2,),"fortran_order":False}', (2,), "u1"),
        ("{'descr': [('a', '<f8'), ('b', '|O')], 'fortran_order': False, 'shape': (1,), }", (1,), "O"),
        ("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (-1,), }", (-1,), "V"),
    ],
)
def test_a_header_may_have_another_order_and_tells_records_and_objects_apart(text, shape, dtype):
    raw = b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text.encode()
    header = read_array_header(io.BytesIO(raw))
    assert (header.shape, header.dtype, header.n_bytes) == (shape, np.dtype(dtype), len(raw))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"", "format version"),
        (b"\x93NUMPY\x09\x00", "9.0"),
        (b"\x93NUMPY\1\0" + (5000).to_bytes(2, "little") + b" " * 5000, "5,000, expected at most 4,096"),
        (forged.header("<f8", "(1 2,)"), "1 2"),
        (forged.header("<f7", "(1,)"), "<f7"),
        (forged.header("<f8", "()").replace(b"'shape'", b"'descr'"), "descr"),
        (forged.header("<f8", "(__import__('os'),)"), "import"),
    ],
)
def test_what_is_no_header_is_said(raw, words):
    with pytest.raises(ValueError, match=words):
        read_array_header(io.BytesIO(raw))


@pytest.mark.parametrize(
    "text",
    [
        "{'descr': '<f8'" + " " * 4000,
        "{" + "'descr': []," * 300,
        "{'descr': " + "[" * 2000 + "]" * 2000,
        "{'shape': (" + "1," * 190 + "('descr'" * 400,
    ],
)
def test_a_header_made_to_take_long_does_not(text):
    raw = b"\x93NUMPY\2\0" + len(text).to_bytes(4, "little") + text.encode()
    gc.disable()  # a search for garbage among the objects of thousands of tests would count
    try:
        began = time.thread_time()
        with pytest.raises(ValueError, match=r"descr|shape"):
            read_array_header(io.BytesIO(raw))
        assert time.thread_time() - began < 0.1
    finally:
        gc.enable()
