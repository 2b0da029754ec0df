"""What older versions stored opens with the same result; `make.py` says how it was made.

States, choices and texts are equal, numbers to 1e-9 (they are sums, whose order may change). On the kind of
machine and with the libraries that made the set, parameters and drawn images are equal bit for bit. Another
processor adds up in another order: there, parameters trained in single precision are equal to 1e-6.
"""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compat.lessons import STORED, opened
from compat.make import machine
from compat.opened import DATA, FITS, TRACES, Values, link, model, resumed, run, stored, trace, traced
from covering import slow_but

from lrbn_viz import ICMTrace
from lrbn_viz.lessons import shipped_lessons
from lrbn_viz.storage import read_npz
from lrbn_viz.training.checkpoint import load_checkpoint

SAID = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
ANSWERS: dict[str, Values] = SAID["answers"]
QUERIES = [name.removeprefix("links/") for name in ANSWERS if name.startswith("links/")]
LESSON_LINKS: dict[str, Values] = json.loads(STORED.read_text(encoding="utf-8"))
SAME_MACHINE = SAID["machine"] == machine()


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """The stored files, unpacked."""
    folder = tmp_path_factory.mktemp("stored")
    with zipfile.ZipFile(DATA / "stored.zip") as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="session")
def arrays(data: Path) -> dict[str, Any]:
    return read_npz(data / "expected.npz", "the expected arrays")


def names(kind: str) -> list[str]:
    return [name for name in ANSWERS if name.startswith(f"{kind}/")]


def in_single_precision(value: np.ndarray) -> bool:
    return np.array_equal(value, value.astype(np.float32))


def check(found: Values, name: str, arrays: dict[str, Any]) -> None:
    """Raise AssertionError where an answer of the older version is not the one of today."""
    expected = ANSWERS[name] | {
        key.removeprefix(f"{name}::"): array for key, array in arrays.items() if key.startswith(f"{name}::")
    }
    assert expected
    for key, value in expected.items():
        got = found[key]
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            tolerance = 1e-9 if SAME_MACHINE or not in_single_precision(value) else 1e-6
            np.testing.assert_allclose(got, value, rtol=tolerance, atol=tolerance, err_msg=key)
        elif isinstance(value, np.ndarray):
            np.testing.assert_array_equal(got, value, err_msg=key)
        elif key in ("settings", "inference", "generate"):  # a newer version may have more
            assert {setting: got[setting] for setting in value} == value
        elif key == "digests":
            assert got == value or not SAME_MACHINE, key
        else:
            assert got == value, key


@pytest.mark.parametrize("name", [*names("models"), "oldest/lrbn"])
def test_a_stored_model_predicts_what_it_did(name, data, arrays):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    check(model(data / f"{name}.npz"), name, arrays)


@pytest.mark.parametrize("name", [name for name in ANSWERS if "trace" in name])
def test_a_stored_trace_says_what_it_did(name, data, arrays):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    check(trace(ICMTrace.load(data / f"{name}.npz")), name, arrays)


@pytest.mark.parametrize("name", TRACES)
def test_a_stored_model_makes_the_stored_trace(name, data, arrays):
    check(trace(traced(name, data / "models")), f"traces/{name}", arrays)


@pytest.mark.parametrize("name", names("checkpoints"))
def test_training_goes_on_from_a_stored_checkpoint(name, data, arrays, tmp_path):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    path = Path(shutil.copy(data / name, tmp_path / "run"))
    check(resumed(name.split("/")[1].rsplit(".", 1)[0], path), name, arrays)


@pytest.mark.parametrize("folder", ["runs", "oldest/runs"])
def test_stored_runs_are_listed(folder, data, arrays, tmp_path):
    copy = shutil.copytree(data / folder, tmp_path / "runs")
    check(stored(copy), folder, arrays)


@pytest.mark.parametrize("name", [*names("runs"), *names("oldest/runs")])
def test_a_stored_run_goes_on(name, data, arrays, tmp_path):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    check(run(Path(shutil.copytree(data / name, tmp_path / "run"))), name, arrays)


@pytest.mark.parametrize("query", slow_but(QUERIES[::5], QUERIES))
def test_a_link_opens_what_it_did(query, arrays):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    check(link(query), f"links/{query}", arrays)


@pytest.mark.parametrize("query", LESSON_LINKS)
def test_a_link_of_a_lesson_opens_its_step_and_the_state_of_its_page(query):
    # Inside: Links, models, traces, checkpoints and runs of older versions give the same result.
    found, expected = opened(query), LESSON_LINKS[query]
    assert {**found, "shown": None} == {**expected, "shown": None}
    for now, before in zip(found["shown"], expected["shown"], strict=True):
        assert now["ignored"] == before["ignored"]
        inference = now["inference"]  # a newer version may have more settings
        assert {setting: inference[setting] for setting in before["inference"]} == before["inference"]


# -- the set covers what it says


def test_every_step_of_every_lesson_has_its_link_in_the_set():
    steps = {
        f"?lesson={lesson.id}&step={step}"
        for lesson in shipped_lessons()
        for step in range(1, len(lesson.steps) + 1)
    }
    assert steps <= LESSON_LINKS.keys(), "python -m compat.lessons adds those of a new lesson"


def test_everything_stored_is_asked_for(data):
    # Inside: Stored files remain readable.
    files = {path.relative_to(data).as_posix() for path in data.rglob("*") if path.is_file()}
    asked = {f"{name}.npz" for name in ANSWERS} | {*names("checkpoints"), "expected.npz"}
    asked |= {
        f"{name}/{part}"
        for name in [*names("runs"), *names("oldest/runs")]
        for part in ("run.json", "checkpoint", "dataset")
    }
    assert files - asked == set()
    assert {name.split("/")[1] for name in names("traces")} == set(TRACES)
    assert {name.split("/")[1].rsplit(".", 1)[0] for name in names("checkpoints")} == set(FITS)


def test_the_set_is_small():
    assert sum(path.stat().st_size for path in DATA.iterdir()) < 700_000


def test_the_oldest_formats_that_are_read_are_in_the_set(data):
    """Each lacks a mark that files have today, and that a reader fills in."""
    marks = {"model", "sampled"}
    for path in (data / "oldest").glob("trace-*.npz"):
        assert not marks & read_npz(path, path.name).keys()
    assert all(marks <= read_npz(path, path.name).keys() for path in (data / "traces").iterdir())
    old, new = data / "oldest" / "runs" / "old", data / "runs" / "digits"
    assert "version" not in json.loads((old / "run.json").read_text())
    assert "version" in json.loads((new / "run.json").read_text())
    for folder, marked in ((old, False), (new, True)):
        held = load_checkpoint(folder / "checkpoint").arrays
        assert ("n_averaged" in json.loads(str(held["LRBN.plain"]))) == marked
    settings = json.loads(str(read_npz(data / "oldest" / "lrbn.npz", "the model")["settings"]))
    assert not {"average", "learning_rate_end"} & settings.keys()


def test_links_of_every_page_have_every_setting():
    """A setting that comes later needs no link here: no older version wrote one."""
    linked = {part.split("=")[0] for query in QUERIES for part in query[1:].split("&")}
    known = ANSWERS["links/"]["inference"].keys() | ANSWERS["links/"]["generate"].keys()
    assert linked >= (known - {"rival", "data"}) | {"page", "run", "moment", "theme"}
