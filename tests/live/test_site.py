"""A live page as a static site: its files, and when they are written."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

import lrbn_viz.view.live.site as site_module
from lrbn_viz.cli import main
from lrbn_viz.view.live.page import live_blocks
from lrbn_viz.view.live.site import PAGE, export_site

SMALL = "lrbn-2-alarm"


def listed(folder: Path) -> dict[str, str]:
    """The files of a site, by the names of their blocks, as its page lists them."""
    (found,) = re.findall(r"const files = (\{.*?\}), later", (folder / PAGE).read_text(encoding="utf-8"))
    return json.loads(found)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_each_block_of_the_page_is_a_file_with_a_hash_of_its_content_in_its_name(tmp_path: Path):
    folder = tmp_path / "made" / "site"
    size = export_site(folder, SMALL, n_images=2)
    blocks = live_blocks((SMALL,), n_images=2, apart=True).blocks
    files = listed(folder)
    assert names(folder) == {PAGE, *files.values()}
    assert size == sum(path.stat().st_size for path in folder.iterdir())
    for name, file in files.items():
        content = (folder / file).read_bytes()
        assert hashlib.sha256(content).hexdigest()[:12] == file.split(".")[1]
        assert (content if file.endswith(".js") else gzip.decompress(content)) == blocks[name]
    assert files.keys() == {name for name, block in blocks.items() if block}


def test_models_that_are_not_shown_first_are_files_of_their_own():
    blocks = live_blocks(("lrbn-12-digits", "lrbn-16-digits", "rbm-16-digits"), n_images=2, apart=True).blocks
    whole = live_blocks(("lrbn-12-digits", "lrbn-16-digits", "rbm-16-digits"), n_images=2).blocks
    assert [name for name in blocks if name.startswith("models")] == [
        "models",
        "models1",
        "models2",
        "models3",
    ]  # of the lessons on digits, too
    assert [name for name in whole if name.startswith("models")] == ["models"]
    assert len(blocks["models"]) < len(whole["models"]) / 2


def test_a_site_takes_the_place_of_an_older_one_and_leaves_other_files(tmp_path: Path):
    export_site(tmp_path, SMALL, n_images=2)
    old = listed(tmp_path)
    (tmp_path / "CNAME").write_text("example.org", encoding="utf-8")
    export_site(tmp_path, SMALL, n_images=3)
    new = listed(tmp_path)
    assert old["images"] != new["images"]
    assert old["code"] == new["code"]
    assert names(tmp_path) == {PAGE, "CNAME", *new.values()}


@pytest.mark.parametrize("taken", ["notes.txt", PAGE])
def test_a_folder_with_other_files_is_refused(tmp_path: Path, taken: str, capsys: pytest.CaptureFixture):
    (tmp_path / taken).write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a new or an empty folder"):
        export_site(tmp_path, SMALL, n_images=2)
    assert main(["export", "--site", str(tmp_path / taken), "--model", SMALL]) == 1
    assert "expected a folder for the site, got a file" in capsys.readouterr().err
    assert names(tmp_path) == {taken}


@pytest.mark.parametrize("there", [False, True])
def test_a_site_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool, capsys: pytest.CaptureFixture
):
    folder = tmp_path / "site"
    if there:
        export_site(folder, SMALL, n_images=2)
    before = {path.name: path.read_bytes() for path in folder.iterdir()} if there else {}
    write, written = site_module.write_atomic, []

    def full(path: Path, content: bytes) -> int:
        if path.name == PAGE:
            raise OSError("no space left on the disk")
        written.append(path)
        return write(path, content)

    monkeypatch.setattr(site_module, "write_atomic", full)
    assert main(["export", "--site", str(folder), "--model", SMALL, "--images", "4"]) == 1
    assert "no space left on the disk; pass another folder with --site" in capsys.readouterr().err
    assert written
    assert folder.exists() == there
    if there:
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_command_writes_one_file_or_a_site(tmp_path: Path, capsys: pytest.CaptureFixture):
    folder = tmp_path / "site"
    assert main(["export", "--site", str(folder), "--model", SMALL, "--images", "2"]) == 0
    assert "open index.html by a web server" in capsys.readouterr().out
    for wrong in (["export"], ["export", "--live", "--site", str(folder)]):
        assert main(wrong) == 2
