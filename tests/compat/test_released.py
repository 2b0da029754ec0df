"""Links and files of every released version open with the package of today, and give what they gave then.

States, choices and texts are equal, and parameters as they were written; numbers are equal but for the order
in which another processor adds up.
"""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from compat.opened import OPENED, Values, link
from compat.release import QUERIES, RELEASED, links, takes_grey

import lrbn_viz
from lrbn_viz.app.address import NAMES
from lrbn_viz.catalog import kinds
from lrbn_viz.io.storage import read_npz

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = sorted(path.stem for path in RELEASED.glob("*.zip"))
STORED: dict[str, dict[str, Values]] = {
    version: json.loads(zipfile.ZipFile(RELEASED / f"{version}.zip").read("expected.json"))
    for version in VERSIONS
}


def stored(*kinds: str) -> list[tuple[str, str]]:
    """Return the versions and names of all that is stored in some folders."""
    return [(version, name) for version in VERSIONS for name in STORED[version] if name.startswith(kinds)]


class Opened(NamedTuple):
    """Files of one version, and the arrays of what they gave then."""

    folder: Path
    arrays: dict[str, Any]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Opened]:
    found = {}
    for version in VERSIONS:
        folder = tmp_path_factory.mktemp(version)
        with zipfile.ZipFile(RELEASED / f"{version}.zip") as archive:
            archive.extractall(folder)
        found[version] = Opened(folder, dict(read_npz(folder / "expected.npz", "the expected arrays")))
    return found


def check(version: str, name: str, opened: dict[str, Opened]) -> None:
    """Raise AssertionError where a stored thing gives something else than then."""
    folder, arrays = opened[version]
    found = OPENED[name.split("/")[0]](folder / name)
    then = STORED[version][name] | {
        key.removeprefix(f"{name}::"): array for key, array in arrays.items() if key.startswith(f"{name}::")
    }
    assert set(then) <= set(found)
    for key, value in then.items():
        if key == "settings":  # a newer version may have more
            assert {setting: found[key][setting] for setting in value} == value
        elif key.startswith(("layer", "best")) or ".stored" in key:  # as they were written
            np.testing.assert_array_equal(found[key], value, err_msg=key)
        elif isinstance(value, np.ndarray):
            np.testing.assert_allclose(found[key], value, rtol=1e-5, atol=1e-6, err_msg=key)
        else:
            assert found[key] == value, key


@pytest.mark.parametrize(("version", "name"), stored("models/", "traces/"))
def test_a_model_and_a_trace_say_what_they_did(version: str, name: str, opened: dict[str, Opened]):
    # Inside: Links, models, traces, checkpoints, runs and sweeps of released versions give the same result.
    check(version, name, opened)


@pytest.mark.parametrize(("version", "name"), stored("checkpoints/", "runs/"))
def test_training_goes_on_as_it_would_have(version: str, name: str, opened: dict[str, Opened]):
    # Inside: Links, models, traces, checkpoints, runs and sweeps of released versions give the same result.
    check(version, name, opened)


@pytest.mark.parametrize(("version", "name"), stored("sweeps/"))
def test_a_sweep_has_the_trials_that_it_had(version: str, name: str, opened: dict[str, Opened]):
    # Inside: Links, models, traces, checkpoints, runs and sweeps of released versions give the same result.
    check(version, name, opened)


@pytest.mark.parametrize(("version", "name"), stored("links/"))
def test_a_link_opens_the_page_and_the_settings_that_it_did(version: str, name: str):
    # Inside: Links, models, traces, checkpoints, runs and sweeps of released versions give the same result.
    assert link(name.removeprefix("links/")) == STORED[version][name]


# -- the files of this version are all that it writes


def test_every_released_version_has_its_files():
    # Inside: Stored files remain readable.
    released = re.findall(
        r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )
    assert set(released) <= set(VERSIONS), "run compat.release for the version that is released"
    assert lrbn_viz.__version__ in VERSIONS


def test_the_files_of_this_version_hold_every_kind_of_model():
    names = {f"{name}-bernoulli" for name in kinds()}
    names |= {f"{name}-gaussian" for name, kind in kinds().items() if takes_grey(kind)}
    expected = {f"{folder}/{name}" for folder in ("models", "traces") for name in names}
    expected |= {f"checkpoints/{name}" for name in kinds()}
    assert expected <= set(STORED[lrbn_viz.__version__])


def test_the_links_of_this_version_have_every_setting_and_every_step_of_the_lessons():
    linked = {part.split("=")[0] for query in links() for part in query[1:].split("&")}
    assert linked >= NAMES | {"page"}
    assert {f"links/{query}" for query in links()} <= set(STORED[lrbn_viz.__version__])
    ignored = [query for query in QUERIES if STORED[lrbn_viz.__version__][f"links/{query}"]["ignored"]]
    assert ignored == [QUERIES[-1]], "all others fit"


def test_the_files_of_all_versions_are_small():
    assert sum(path.stat().st_size for path in RELEASED.iterdir()) < 700_000 * len(VERSIONS)
