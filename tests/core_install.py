"""``python -m tests.core_install``: install the package without extras in an empty environment; measure it.

It prints the number of packages and their megabytes, and the processor time of imports, makes the explorer's
page, and writes a live page. Then it follows README and the page Start and, with the extra `report`, the
first tutorial. A wheel carries the images that pages begin with: they are read without a data folder, and the
first look is offered. With ``--check``, as the gate calls it, it fails if a figure is above its limit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import venv
from pathlib import Path
from statistics import median

from lrbn_viz.datasets import DATA_VARIABLE

ROOT = Path(__file__).resolve().parents[1]
LIMITS = {"packages": 50, "megabytes": 860}
"""The second is that of all files of the environment's packages, compiled modules, pip and setuptools too."""
INSTALLERS = {"pip", "setuptools", "wheel"}
BLOCK_PAGES, TUTORIALS = ("start.md",), ("tutorials/reason.md",)
"""Pages whose Python is run here; `.ci/nightly` runs that of all pages with the wheel."""
COMMAND_PAGES = ("README.md", "start.md")
BLOCK = 512
"""Bytes of one block of `st_blocks`."""
N_IMPORTS = 5
IMPORTED = ("lrbn_viz", "lrbn_viz.app.shell")
WORK = """
from lrbn_viz import cli
from lrbn_viz.app.shell import build_page

build_page()
raise SystemExit(cli.main(["export", "--live", "--model", "lrbn-16-digits", "--images", "3"]))
"""


IMAGES = """
from lrbn_viz.app.inference import first_look
from lrbn_viz.datasets import load_dataset

assert first_look.read() is not None, "the images that pages begin with are not at hand"
assert len(load_dataset("mnist5k").train_X) == 4000
"""


def megabytes(folder: Path) -> float:
    """Return the disk space of all files of a folder, as du counts it."""
    return sum(path.lstat().st_blocks for path in folder.rglob("*")) * BLOCK / 2**20


def measure(folder: Path, source: str) -> dict[str, float]:
    """Install a source into an environment in a folder, try it there, and return its figures."""
    venv.create(folder / "environment", with_pip=True)
    python = str(folder / "environment" / "bin" / "python")
    away = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", DATA_VARIABLE)}

    def run(*arguments: str, **more: str) -> str:
        done = subprocess.run(
            [python, *arguments], cwd=folder, env=away | more, stdout=subprocess.PIPE, text=True, check=True
        )
        return done.stdout

    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", source)
    listed = json.loads(run("-m", "pip", "list", "--format", "json", "--disable-pip-version-check"))
    (packages,) = (folder / "environment" / "lib").glob("python*/site-packages")
    size = megabytes(packages)
    run("-c", WORK)
    if source.endswith(".whl"):
        run("-c", IMAGES, XDG_CACHE_HOME=str(folder / "cache"))  # where no download has been kept
    found: dict[str, float] = {
        "packages": sum(each["name"] not in INSTALLERS for each in listed),
        "megabytes": round(size),
    }
    for name in IMPORTED:
        script = f"from time import process_time as now; t = now(); import {name}; print(now() - t)"
        found[f"seconds of import {name}"] = round(
            median(float(run("-c", script)) for _ in range(N_IMPORTS)), 3
        )
    blocks, commands = (str(ROOT / "tests" / f"doc_{what}.py") for what in ("blocks", "commands"))
    followed = [run(commands, *COMMAND_PAGES), run(blocks, "--installed", *BLOCK_PAGES)]
    # of the package that is installed: with the source pip would install it again
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "lrbn_viz[report]")
    followed.append(run(blocks, "--installed", *TUTORIALS))
    print(*(each.splitlines()[-1] for each in followed), sep="\n")
    return found


def main() -> int:
    """Measure, and return 1 if asked to check and a figure is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail if a figure is above its limit")
    parser.add_argument("source", nargs="?", default=str(ROOT), help="checkout or wheel (this checkout)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(Path(folder), arguments.source)
    for what, number in found.items():
        print(f"{what:40} {number:8,} {LIMITS.get(what, '-'):>8}")
    above = [what for what, most in LIMITS.items() if found[what] > most]
    return int(arguments.check and bool(above))


if __name__ == "__main__":
    raise SystemExit(main())
