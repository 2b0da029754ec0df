"""Files of every released version open with the package of today, and give what they gave then."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from compat.opened import Values
from compat.release import RELEASED, answer, answer_of_trace, takes_grey

import lrbn_viz
from lrbn_viz import ICMTrace, load_model
from lrbn_viz.catalog import kinds
from lrbn_viz.storage import read_npz

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = sorted(path.stem for path in RELEASED.glob("*.zip"))
NAMES = {
    version: sorted(json.loads(zipfile.ZipFile(RELEASED / f"{version}.zip").read("expected.json")))
    for version in VERSIONS
}


class Opened(NamedTuple):
    """Files of one version, and what was said of them then."""

    folder: Path
    plain: dict[str, Values]
    arrays: dict[str, Any]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Opened]:
    found = {}
    for version in VERSIONS:
        folder = tmp_path_factory.mktemp(version)
        with zipfile.ZipFile(RELEASED / f"{version}.zip") as archive:
            archive.extractall(folder)
        plain = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        found[version] = Opened(folder, plain, dict(read_npz(folder / "expected.npz", "the expected arrays")))
    return found


def test_every_released_version_has_its_files():
    released = re.findall(
        r"^## \[(\d+\.\d+\.\d+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )
    # Inside: Stored files remain readable.
    assert set(released) <= set(VERSIONS), "run compat.release for the version that is released"
    assert VERSIONS


def test_the_files_of_this_version_hold_every_kind_of_model():
    expected = {f"{name}-bernoulli" for name in kinds()}
    expected |= {f"{name}-gaussian" for name, kind in kinds().items() if takes_grey(kind)}
    assert expected <= set(NAMES[lrbn_viz.__version__])


@pytest.mark.parametrize(
    ("version", "name"), [(version, name) for version in VERSIONS for name in NAMES[version]]
)
def test_a_model_and_its_trace_say_what_they_did(version: str, name: str, opened: dict[str, Opened]):
    # Inside: Models and traces that a released version wrote give the same result.
    folder, plain, arrays = opened[version]
    found = answer(load_model(folder / "models" / f"{name}.npz"))
    found |= answer_of_trace(ICMTrace.load(folder / "traces" / f"{name}.npz"))
    then = plain[name] | {
        key.removeprefix(f"{name}::"): array for key, array in arrays.items() if key.startswith(f"{name}::")
    }
    assert set(then) <= set(found)
    for key, value in then.items():
        if key.startswith("layer"):  # as they were written
            np.testing.assert_array_equal(found[key], value, err_msg=key)
        elif isinstance(value, np.ndarray):  # sums, whose order may change
            np.testing.assert_allclose(found[key], value, rtol=1e-5, atol=1e-6, err_msg=key)
        else:
            assert found[key] == value, key
