"""Whatever lies in a folder of runs: each is listed, or it is said why it cannot be read."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from lrbn_viz.studies.runs import LaneConfig, RunConfig, StoredRun, StoredRuns, stored_runs
from lrbn_viz.studies.runs.stored import FORMAT, RUN_FILE_BYTES, RunFile

CONFIG = RunConfig("digits", {"RBM": LaneConfig("RBM", {"n_components": 4})})
LANE = CONFIG.to_json()["lanes"]["RBM"]


def store(folder: Path, name: str = "good", **changes: Any) -> Path:
    """Make a run's folder that can be listed, with other values in its run.json where that is wished."""
    path = folder / name
    path.mkdir()
    said = RunFile(CONFIG, 1e9).to_json() | changes
    (path / "run.json").write_text(json.dumps(said))
    (path / "checkpoint").write_bytes(b"0123456789")
    return path


def only_error(folder: Path) -> str:
    """The one run that cannot be read says why; the good one is listed as ever."""
    store(folder)
    found = {run.name: run for run in stored_runs(folder)}
    assert found.pop("good") == StoredRun("good", CONFIG, 1e9, 10)
    ((_, odd),) = found.items()
    assert odd.config is None
    assert str(folder) not in odd.error
    assert 0 <= odd.began < 253_402_300_800
    return odd.error


def result(**changes: Any) -> dict[str, Any]:
    return {"results": {"RBM": {"step": 1, "seconds": 1.0, "wrong_pixels": None} | changes}}


def config(**changes: Any) -> dict[str, Any]:
    return {"config": CONFIG.to_json() | changes}


def lane(**changes: Any) -> dict[str, Any]:
    return config(lanes={"RBM": LANE | changes})


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {other: value for other, value in values.items() if other != name}


def test_every_value_is_written_and_one_that_is_lacking_is_named(tmp_path):
    whole = RunFile(CONFIG, 1e9).to_json()
    lacking = {
        **{name: without(whole, name) for name in ("began", "config", "owner", "listed", "results")},
        **{name: whole | {"config": without(whole["config"], name)} for name in whole["config"]},
        **{name: whole | config(lanes={"RBM": without(LANE, name)}) for name in LANE},
    }
    assert RunFile.from_json(json.loads(json.dumps(whole))) == RunFile(CONFIG, 1e9)
    for name, values in lacking.items():
        with pytest.raises(ValueError, match=f"lacks '{name}'"):
            RunFile.from_json(values)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"began": None}, "began must be a time"),
        ({"results": []}, "results must be those of RBM"),
        ({"results": {"LRBN": {"step": 1, "seconds": 1.0}}}, "results must be those of RBM"),
        ({"results": {"RBM": {"step": 1}}}, "results of RBM must be step, seconds, wrong_pixels; got"),
        (result(step=-1), "step must be a whole number"),
        (result(seconds="x"), "seconds must be a number"),
        (result(wrong_pixels=-1), "wrong_pixels must be a number"),
        ({"began": "now"}, "began must be a time"),
        ({"began": float("nan")}, "began must be a time"),
        ({"began": float("inf")}, "began must be a time"),
        ({"began": -1}, "began must be a time"),
        ({"began": 1e300}, "began must be a time"),
        ({"began": True}, "began must be a time"),
        ({"version": FORMAT + 1}, "its version must be 1; got 2. Open it with the program that wrote it"),
        ({"version": 10**80}, "its version must be 1; got 1000"),
        ({"version": "1"}, "its version must be 1; got '1'"),
        ({"version": True}, "its version must be 1; got True"),
        ({"version": None}, "its version must be 1; got None"),
        ({"config": None}, "config must be an object"),
        ({"config": []}, "config must be an object"),
        ({"config": {}}, "config lacks 'dataset'"),
        ({"more": 1}, "it has 'more', which is not known; expected version, config, began, owner"),
        (config(lanes=[]), "lanes must be an object"),
        (config(lanes={}), "at least one model"),
        (config(lanes={"a": None}), "lane a must be an object"),
        (config(lanes={"a": {}}), "lane a lacks 'system'"),
        (config(lanes={f"a{n}": LANE for n in range(99)}), "at most 16 models"),
        (config(lanes={"": LANE}), "the name of a lane"),
        (lane(system="VAE"), "system must be one of"),
        (lane(system=["RBM"]), "system must be one of"),
        (lane(settings=[]), "settings of RBM must be an object"),
        (lane(settings={"n_components": "4"}), "n_components"),
        (lane(settings={"n_components": None}), "n_components"),
        (lane(settings={"learning_rate": -(10**90)}), "learning_rate"),
        (lane(settings={"learning_rate": []}), "learning_rate"),
        (lane(settings={"no_such": 1}), "no setting 'no_such'"),
        (lane(settings={"visible": "gaussian"}), "visible must be"),
        (lane(more=1), "not known; expected system, settings, where"),
        (config(dataset=None), "dataset must be a text"),
        (config(dataset=7), "dataset must be a text"),
        (config(dataset="x" * 5000), "dataset must be a text"),
        (config(dataset="\ud800"), "dataset must be a text"),
        (config(binary="yes"), "binary must be true or false"),
        (config(batch_size=True), "batch_size"),
        (config(batch_size=10**30), "batch_size must be at most"),
        (config(n_iter=1.5), "n_iter"),
        (config(seed=-1), "seed"),
        (config(seed=None), "seed"),
        (config(max_seconds="long"), "max_seconds"),
        (config(level_by="luck"), "level_by"),
        (config(level_by=None), "level_by"),
        (config(parent=[]), "parent must be an object"),
        (config(parent={"name": 3, "step": 1}), "parent.name must be a text"),
        (config(parent={"name": "a", "step": -1}), "parent.step"),
        (config(colour="blue"), "not known; expected dataset, lanes, binary"),
    ],
)
def test_a_wrong_value_anywhere_is_named_and_disturbs_no_other_run(tmp_path, changes, says):
    store(tmp_path, "odd", **changes)
    assert says in only_error(tmp_path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "expected JSON"),
        (b"{", "expected JSON"),
        (b"null", "expected"),
        (b"[]", "expected"),
        (b"\xff\xfe\x00", "no text in UTF-8"),
        (b"\x00" * 100, "expected JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"began": ' + b"9" * 5000 + b"}", "run.json"),
        (b" " * (RUN_FILE_BYTES + 1), "more than 256 kB"),
    ],
)
def test_a_run_file_that_holds_no_run_is_refused_in_words(tmp_path, content, says):
    (store(tmp_path, "odd") / "run.json").write_bytes(content)
    assert says in only_error(tmp_path)


def test_a_file_that_is_missing_or_no_file_is_named(tmp_path):
    def made(name: str) -> str:
        folder = tmp_path / name
        folder.mkdir()
        return str(store(folder, "odd"))

    at = made("missing")
    os.unlink(f"{at}/run.json")
    assert "run.json is missing" in only_error(Path(at).parent)
    at = made("never saved")
    os.unlink(f"{at}/checkpoint")
    assert "before its first checkpoint" in only_error(Path(at).parent)
    at = made("folder")
    os.unlink(f"{at}/run.json")
    os.mkdir(f"{at}/run.json")
    assert "run.json is not a file" in only_error(Path(at).parent)
    at = made("folder as checkpoint")
    os.unlink(f"{at}/checkpoint")
    os.mkdir(f"{at}/checkpoint")
    assert "checkpoint is not a file" in only_error(Path(at).parent)


@pytest.mark.skipif(os.name == "nt", reason="needs links and pipes")
def test_links_and_pipes_are_neither_followed_nor_waited_for(tmp_path):
    real = store(tmp_path / ".." / tmp_path.name, "real")
    shutil.move(real, tmp_path / ".elsewhere")
    cases = {
        "link": lambda at: at.symlink_to(tmp_path / ".elsewhere"),
        "loop": lambda at: at.symlink_to(at),
        "nowhere": lambda at: at.symlink_to(tmp_path / "nothing"),
    }
    for name, make in cases.items():
        make(tmp_path / name)
    store(tmp_path, "linked-file")
    os.unlink(tmp_path / "linked-file" / "run.json")
    (tmp_path / "linked-file" / "run.json").symlink_to("/dev/zero")
    store(tmp_path, "pipe")
    os.unlink(tmp_path / "pipe" / "run.json")
    os.mkfifo(tmp_path / "pipe" / "run.json")
    store(tmp_path)
    found = {run.name: run.error for run in stored_runs(tmp_path)}
    assert found == {
        "good": "",
        "link": "its folder is a link; move the folder itself here to open it",
        "linked-file": "run.json is a link; expected a file",
        "pipe": "run.json is not a file",
    }


def test_a_folder_whose_name_no_run_can_have_is_listed_in_letters_that_can_be_sent(tmp_path):
    store(tmp_path)
    for name in ("a b", "é", "-x", "x" * 220):
        store(tmp_path, name)
    os.rename(store(tmp_path, "bytes"), os.fsencode(tmp_path) + b"/\xff\xfe")
    found = [run for run in stored_runs(tmp_path) if run.name != "good"]
    assert len(found) == 5
    for run in found:
        assert "name of its folder" in run.error
        run.name.encode()


def test_other_folders_and_what_is_hidden_are_no_runs(tmp_path):
    store(tmp_path, ".hidden")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "todo.txt").write_text("buy milk")
    (tmp_path / "file").write_text("")
    assert stored_runs(tmp_path) == []
    assert stored_runs(tmp_path / "nothing") == []
    assert stored_runs(tmp_path / "file") == []


def test_only_what_has_changed_is_read_again(tmp_path, monkeypatch):
    for n in range(20):
        store(tmp_path, f"run-{n}", began=1e9 + n)
    store(tmp_path, "odd", began=None)
    runs = StoredRuns(tmp_path)
    read = []
    real = os.open

    def count(path: Any, *args: Any, **how: Any) -> int:
        if Path(path).name == "run.json":
            read.append(Path(path).parent.name)
        return real(path, *args, **how)

    monkeypatch.setattr(os, "open", count)
    first = runs.read()
    assert len(read) == 21
    assert [run.name for run in first if run.config] == [f"run-{n}" for n in range(19, -1, -1)]
    read.clear()
    assert runs.read() == first
    assert read == []
    (tmp_path / "run-3" / "run.json").write_text("{")
    os.replace(tmp_path / "run-4" / "run.json", tmp_path / "run-5" / "run.json")
    shutil.rmtree(tmp_path / "run-6")
    store(tmp_path, "new")
    found = {run.name: run.error for run in runs.read()}
    assert set(read) == {"run-3", "run-4", "run-5", "new"}
    assert "run-6" not in found
    assert "expected JSON" in found["run-3"]
    assert "missing" in found["run-4"]
