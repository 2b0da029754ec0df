"""``python -m tests.release``: build what a release consists of, twice, and check it.

The wheel and the source distribution are built from two copies of the tracked files, whose times and rights
differ, and have to be equal to the byte. The wheel carries all tracked files of the package, the images of
`mnist5k`, and nothing else. ``twine check`` accepts both. With ``--out FOLDER`` they are written there; their
sums are printed.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from lrbn_viz.datasets import DataFileError, decode
from lrbn_viz.datasets.files import MNIST as PUBLISHED
from lrbn_viz.datasets.files import MNIST5K, locate, read_checked

ROOT = Path(__file__).resolve().parents[1]
IMAGES = f"lrbn_viz/datasets/{MNIST5K.name}"
EPOCH = "SOURCE_DATE_EPOCH"
"""Environment variable with the time of all files in an archive; by default that of the last commit."""


def tracked() -> list[str]:
    """Return the paths of all tracked files."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path]


def copy(paths: list[str], folder: Path, rights: int) -> None:
    """Copy files to a folder, with these rights and times of now."""
    for path in paths:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, target)
        target.chmod(rights)


def packed_images() -> bytes:
    """Return the content of the file of images, from MNIST's published files."""
    images, labels = (read_checked(file, locate(file)) for file in PUBLISHED[:2])
    return gzip.compress(decode.pack_mnist5k(images, labels), mtime=0)


def build(source: Path, out: Path, epoch: str) -> list[Path]:
    """Build the source distribution of a folder, and the wheel from it; return their paths."""
    command = [sys.executable, "-m", "build", "--outdir", str(out), str(source)]
    away = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, env=away | {EPOCH: epoch}, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"building failed:\n{done.stdout}{done.stderr}")
    return sorted(out.iterdir())


def faults(first: list[Path], second: list[Path], package: set[str]) -> list[str]:
    """Return in words what is wrong with two builds of the same files."""
    found = []
    for one, other in zip(first, second, strict=True):
        if one.name != other.name or one.read_bytes() != other.read_bytes():
            found.append(f"{one.name} cannot be built again: the second {other.name} has other bytes")
    for wheel in (path for path in first if path.suffix == ".whl"):
        with zipfile.ZipFile(wheel) as archive:
            carried = {name for name in archive.namelist() if ".dist-info/" not in name}
        found += [f"{name} is missing from the wheel" for name in sorted(package - carried)]
        found += [f"{name} is in the wheel and not of the package" for name in sorted(carried - package)]
    return found


def main() -> int:
    """Build and check; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="folder for the wheel and the source distribution")
    out = parser.parse_args().out
    paths = tracked()
    last = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    epoch = os.environ.get(EPOCH) or last.stdout.strip()
    try:
        images = packed_images()
    except DataFileError as problem:
        raise SystemExit(f"a distribution carries the images of mnist5k.\n{problem}") from problem
    with tempfile.TemporaryDirectory() as scratch:
        builds: list[list[Path]] = []
        for number, rights in enumerate((0o644, 0o600)):
            source, target = Path(scratch, f"source{number}"), Path(scratch, f"dist{number}")
            copy(paths, source, rights)
            (source / IMAGES).write_bytes(images)
            builds.append(build(source, target, epoch))
        first, second = builds
        package = {path for path in paths if path.startswith("lrbn_viz/")}
        wrong = faults(first, second, package | {IMAGES})
        checked = subprocess.run([sys.executable, "-m", "twine", "check", "--strict", *map(str, first)])
        for path in first:
            print(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}")
            if out is not None and not wrong:
                out.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, out)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    return int(bool(wrong) or checked.returncode != 0)


if __name__ == "__main__":
    raise SystemExit(main())
