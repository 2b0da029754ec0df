"""The core works without the packages of the extras, and a sentence names the extra that is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lrbn_viz.core.extras import EXTRAS, MissingExtra, missing_extra
from lrbn_viz.server.metrics import Metrics
from tests.core_install import LIMITS

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = sorted({module for modules in EXTRAS.values() for module in modules})
WITHOUT = f"import sys\nfor name in {OPTIONAL}:\n    sys.modules[name] = None  # its import fails\n"
"""Beginning of a program for which the packages of all extras are missing."""


def run(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program without the packages of the extras."""
    command = [sys.executable, "-c", WITHOUT + program]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)


def test_the_extras_install_the_modules_that_are_named():
    declared = PROJECT["optional-dependencies"]
    known = packages_distributions()
    for extra, modules in EXTRAS.items():
        asked = {line.partition(">=")[0] for line in declared[extra]}
        assert {known[module][0].lower().replace("_", "-") for module in modules} == asked
    assert declared["all"] == [f"lrbn_viz[{','.join(sorted(EXTRAS))}]"]
    core = {line.partition(">=")[0] for line in PROJECT["dependencies"]}
    assert core & {line.partition(">=")[0] for extra in EXTRAS for line in declared[extra]} == set()
    for other in ("test", "docs"):
        assert "lrbn_viz[all]" in declared[other]


WALK = """
import json, pkgutil
from importlib import import_module
import lrbn_viz
from lrbn_viz.core.extras import MissingExtra

refused = {}
for found in pkgutil.walk_packages(lrbn_viz.__path__, "lrbn_viz.", onerror=lambda name: None):
    try:
        import_module(found.name)
    except MissingExtra as error:
        refused[found.name] = str(error)
print(json.dumps(refused))
"""


@pytest.fixture(scope="module")
def refused(tmp_path_factory) -> dict[str, str]:
    """The modules of the package that need an extra, with what they say; all others are imported."""
    done = run(WALK, tmp_path_factory.mktemp("elsewhere"))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_module_is_imported_from_the_core_or_names_its_extra(refused):
    homes = {
        "lrbn_viz.cluster": "cluster",
        "lrbn_viz.notebook": "notebook",
        "lrbn_viz.studies.reproduce": "report",
        "lrbn_viz.studies.reproduce.distribute": "cluster",
        "lrbn_viz.studies.sweep.draw": "cluster",
        "lrbn_viz.studies.sweep.run": "cluster",
        "lrbn_viz.view.animation": "report",
    }
    for name, said in refused.items():
        home = max((home for home in homes if f"{name}.".startswith(f"{home}.")), key=len, default="")
        assert home, f"{name} needs an extra: {said}"
        assert f'pip install "lrbn_viz[{homes[home]}]"' in said
        assert f'pip install -e ".[{homes[home]}]"' in said
    assert {"lrbn_viz.cluster", "lrbn_viz.notebook", "lrbn_viz.view.animation.traces"} <= refused.keys()


def test_the_explorer_is_made_and_a_live_page_is_written_without_any_extra(tmp_path):
    program = """
import lrbn_viz
from lrbn_viz import *
from lrbn_viz import cli
from lrbn_viz.app.shell import build_page
import lrbn_viz.server

build_page()
assert cli.main(["export", "--live", "--model", "lrbn-16-digits", "--images", "3", "--out", "a.html"]) == 0
assert cli.main(["export", "--site", "site", "--model", "lrbn-16-digits", "--images", "3"]) == 0
"""
    done = run(program, tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.html").stat().st_size > 100_000
    assert (tmp_path / "site" / "index.html").is_file()


COMMANDS = [
    (["animate", "?model=lrbn-16-digits&image=0", "--out", "a.webp"], "report"),
    (["reproduce", "mnist", "--quick"], "report"),
    (["reproduce", "mnist", "--quick", "--cluster"], "report"),
    (["sweep", str(ROOT / "examples" / "sweep.toml"), "--workers", "0"], "cluster"),
    (["serve", "--no-show", "--metrics"], "serve"),
    (["serve", "--no-show", "--cluster"], "cluster"),
]


def test_every_command_that_needs_an_extra_fails_with_a_sentence(tmp_path):
    program = (
        "from lrbn_viz import cli\n"
        f"for arguments in {[arguments for arguments, _ in COMMANDS]}:\n"
        "    print('--', file=sys.stderr)\n"
        "    assert cli.main(arguments) == 1\n"
    )
    done = run(program, tmp_path)
    assert done.returncode == 0, done.stderr
    said = done.stderr.split("--\n")[1:]
    for (arguments, extra), words in zip(COMMANDS, said, strict=True):
        assert f'install it with pip install "lrbn_viz[{extra}]"' in words, arguments
        assert "Traceback" not in words
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [], "nothing is begun"


def test_a_live_page_without_its_usual_images_has_the_model_of_small_digits(tmp_path, monkeypatch, capsys):
    from lrbn_viz import cli

    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    assert cli.main(["export", "--live", "--images", "3", "--out", str(tmp_path / "a.html")]) == 0
    said = capsys.readouterr()
    assert "the images of mnist5k are not at hand: the page has the model of 8x8 digits" in said.err
    assert "lrbn-viz datasets --download mnist5k" in said.err
    assert (tmp_path / "a.html").stat().st_size > 100_000


class Asked(Metrics):
    """The handler of metrics without a request, and what it sends."""

    def __init__(self) -> None:
        self.request, self.status, self.sent = cast(Any, SimpleNamespace(headers={})), 200, ""

    def set_status(self, status_code: int, reason: str | None = None) -> None:
        self.status = status_code

    def finish(self, chunk: Any = None) -> Any:
        self.sent = chunk


def test_metrics_are_answered_with_the_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    monkeypatch.setattr("lrbn_viz.server.metrics._listens_on", lambda handler: "127.0.0.1")
    asked = Asked()
    asked.get()
    assert asked.status == 501
    assert "Metrics need prometheus_client, which is not installed" in asked.sent
    assert "lrbn_viz[serve]" in asked.sent


def test_the_button_that_makes_an_animation_shows_the_sentence(monkeypatch):
    from lrbn_viz.app.shared.animation import AnimationPanel, Work

    def write(*_: object) -> None:
        raise missing_extra("report", "animations need", ModuleNotFoundError(name="matplotlib"))

    panel = AnimationPanel(lambda: Work("a", write))
    panel._make("webp", "small", 8.0, "light")
    assert panel._work is not None
    panel._work.exception(60)
    panel.poll()
    assert 'pip install "lrbn_viz[report]"' in panel.view.words
    assert panel.view.made == b""


def test_a_trace_is_shown_as_text_and_its_animation_names_the_extra(tmp_path):
    program = """
import lrbn_viz
model, digits = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits")
trace = model.map_trace(digits.test_X[0])
print(trace._repr_html_())
try:
    lrbn_viz.export_animation("a.webp", trace)
except ImportError as error:
    print(error)
"""
    done = run(program, tmp_path)
    assert done.returncode == 0, done.stderr
    shown, raised = done.stdout.split("</pre>")
    assert "ICMTrace" in shown
    for words in (shown, raised):
        assert "matplotlib, which is not installed" in words
        assert "lrbn_viz[report]" in words


def test_a_module_of_no_extra_is_a_fault_of_its_own():
    error = ModuleNotFoundError("no module", name="lrbn_viz.nowhere")
    assert missing_extra("report", "animations need", error) is error
    missing = missing_extra("report", "animations need", ModuleNotFoundError(name="matplotlib.figure"))
    assert isinstance(missing, MissingExtra)
    assert str(missing).startswith("animations need matplotlib, which is not installed")
    assert missing.name == "matplotlib"


def test_the_first_page_has_a_row_for_each_extra():
    page = (ROOT / "docs" / "start.md").read_text(encoding="utf-8")
    stated = f"at most {LIMITS['packages']} packages and {LIMITS['megabytes']} MB"
    assert stated in " ".join(page.split())
    assert stated in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", page, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted([*EXTRAS, "all"])
