"""Runs notebooks for their outputs: once for each state of the package, for the site and for the tests."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

import nbformat
from filelock import FileLock
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from lrbn_viz.io.storage import write_atomic

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "lrbn_viz"
FOLDER = ROOT / "docs" / "_build" / "executed"
LIMIT_S = 300
"""Time limit of a cell, seconds."""
_DRAWN_BY = ("anywidget", "bokeh", "ipywidgets", "matplotlib", "numba", "numpy", "scikit-learn")


@cache
def _state() -> bytes:
    """Return a digest of the package and of the libraries for computing and drawing."""
    digest = hashlib.sha256(" ".join([sys.version, *map(version, _DRAWN_BY)]).encode())
    for path in sorted(
        path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    ):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.digest()


def executed(path: Path, folder: Path = FOLDER) -> nbformat.NotebookNode:
    """Return a notebook with outputs: run now, or kept of a run of the same notebook and package.

    It is run by this very interpreter, whichever kernels the machine has, with the data that come with the
    package only.

    Parameters
    ----------
    path : Path
        Of the notebook.
    folder : Path
        Where notebooks with outputs are kept: one of each name.

    Raises
    ------
    nbclient.exceptions.CellExecutionError
        A cell raises; nothing is kept.
    """
    text = path.read_text(encoding="utf-8")
    digest = hashlib.sha256(_state() + text.encode()).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / path.name
    with FileLock(folder / f"{path.stem}.lock"):  # the other who asks waits, and takes what was made
        if kept.exists():
            notebook = nbformat.read(kept, 4)
            if notebook.metadata.get("made_of") == digest:
                return notebook
        notebook = _run(nbformat.reads(text, 4), path.parent)
        notebook.metadata["made_of"] = digest
        write_atomic(kept, nbformat.writes(notebook).encode())
    return notebook


def _run(notebook: nbformat.NotebookNode, where: Path) -> nbformat.NotebookNode:
    """Run all cells of a notebook in a folder. Modified: `notebook`, which is returned."""
    with tempfile.TemporaryDirectory() as scratch:
        kernel = Path(scratch) / "own" / "kernel.json"
        kernel.parent.mkdir()
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=40"]
        said = {"argv": argv, "display_name": "own", "language": "python"}
        kernel.write_text(json.dumps(said), encoding="utf-8")
        specs = KernelSpecManager(kernel_dirs=[scratch])
        manager = AsyncKernelManager(kernel_name="own", kernel_spec_manager=specs)
        resources = {"metadata": {"path": str(where)}}
        client = NotebookClient(notebook, km=manager, timeout=LIMIT_S, resources=resources)
        client.execute(env=dict(os.environ))
    return notebook
