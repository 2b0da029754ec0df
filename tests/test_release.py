"""What a release consists of: a README that holds outside the repository, and builds that are compared."""

from __future__ import annotations

import re
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

from tests import release

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RELATIVE = re.compile(r"\]\((?!https://)[^)]*\)")
ADDRESS = "https://example.org/owner/lrbn_viz"


@pytest.fixture
def hatch_build(monkeypatch):
    """The program that makes the metadata."""
    pytest.importorskip("hatchling")
    monkeypatch.syspath_prepend(str(ROOT))
    return import_module("hatch_build")


def metadata(hatch_build, repository: str) -> dict:
    hook = hatch_build.AddressesHook(str(ROOT), {"repository": repository})
    found = {"version": "0.1.0"}
    hook.update(found)
    return found


def test_without_an_address_the_long_description_has_words_in_the_place_of_links(hatch_build):
    assert len(RELATIVE.findall(README)) == 4, "three links and the picture"
    found = metadata(hatch_build, "")
    text = found["readme"]["text"]
    assert found["urls"] == {}
    assert RELATIVE.findall(text) == []
    assert "![" not in text
    assert "\n- Start: five lines of Python" in text
    assert "pip install -e . && panel serve apps/explorer.py --show" in text


def test_with_an_address_links_and_the_picture_lead_to_the_files_of_the_tag(hatch_build):
    found = metadata(hatch_build, ADDRESS + "/")
    text = found["readme"]["text"]
    assert RELATIVE.findall(text) == []
    assert f"]({ADDRESS}/raw/v0.1.0/docs/explaining-away.webp)" in text
    led_to = re.findall(rf"\]\({ADDRESS}/(?:blob|raw)/v0\.1\.0/([^)#]+)", text)
    assert len(led_to) == len(RELATIVE.findall(README))
    assert [path for path in led_to if not (ROOT / path).is_file()] == []
    assert found["urls"]["Repository"] == ADDRESS
    assert all(address.startswith("https://") for address in found["urls"].values())


def test_the_address_is_a_field_to_fill_in_and_the_program_travels_with_the_source():
    hatch = PROJECT["tool"]["hatch"]
    assert hatch["metadata"]["hooks"]["custom"].keys() == {"repository"}
    assert {"readme", "urls"} <= set(PROJECT["project"]["dynamic"])
    assert "hatch_build.py" in hatch["build"]["targets"]["sdist"]["include"]


def wheel(path: Path, names: set[str], content: str = "") -> Path:
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name in sorted(names):
            archive.writestr(zipfile.ZipInfo(name), content)
    return path


def test_builds_that_differ_and_files_that_are_missing_or_foreign_are_named(tmp_path):
    package = {"lrbn_viz/a.py", "lrbn_viz/b.py"}
    whole = package | {"lrbn_viz-0.1.0.dist-info/METADATA"}
    one, same = (wheel(tmp_path / folder / "a.whl", whole) for folder in ("first", "second"))
    assert release.faults([one], [same], package) == []
    other = wheel(tmp_path / "third" / "a.whl", whole, "other")
    assert release.faults([one], [other], package) == [
        "a.whl cannot be built again: the second a.whl has other bytes"
    ]
    wrong = wheel(tmp_path / "fourth" / "a.whl", {"lrbn_viz/a.py", "tools/b.py"})
    assert release.faults([wrong], [wrong], package) == [
        "lrbn_viz/b.py is missing from the wheel",
        "tools/b.py is in the wheel and not of the package",
    ]


def test_the_steps_of_a_release_name_the_program_and_the_present_version():
    page = (ROOT / "docs" / "release.md").read_text(encoding="utf-8")
    from lrbn_viz import __version__

    assert "python -m tests.release --out dist" in page
    assert set(re.findall(r"\d+\.\d+\.\d+", page)) == {__version__}
