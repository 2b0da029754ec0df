"""Model files that visitors save and upload."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

import param

from lrbn_viz.app.shared.transfer import FileReceiver, Transfer
from lrbn_viz.catalog import load_model, trainable
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.io.background import Executor
from lrbn_viz.io.constants import OPEN_ON_INFERENCE
from lrbn_viz.io.storage import Budget, UnreadableFile, mib
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.training import Snapshot

MODEL_BUDGET = Budget(file_bytes=32 * 2**20, array_bytes=64 * 2**20, entries=1000, seconds=10.0)
"""Limits on the cost of reading a visitor's model file."""

# One file at a time for all visitors, which limits the memory in use.
_worker = Executor("model-files")


def model_file(live: LiveRun, lane: int, snapshot: Snapshot | None) -> tuple[str, bytes]:
    """Return name and content of a file with a lane's model, of a snapshot or, with None, of the present."""
    run = live.run
    name = list(run.lanes)[lane]
    if snapshot is None:
        model, step = run.model(name), run.lanes[name].training.step
    else:
        model, step = run.model_at(name, snapshot), snapshot.step
    provenance = {"data": run.config.dataset, "run": live.name, "minibatches": step, "seed": run.config.seed}
    kind = name.lower().replace(" ", "-")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        model.save(path, provenance=provenance)
        content = path.read_bytes()
    sizes = "-".join(map(str, model.layer_sizes_))
    return f"{kind}-{sizes}-{run.config.dataset}-{step}.npz", content


def saved_model(live: LiveRun, lane: int, snapshot: Snapshot | None) -> Future[tuple[str, bytes]]:
    """Start `model_file` on a thread, as packing a large model takes a second."""
    return _worker.submit(model_file, live, lane, snapshot)


def read_model(file: BinaryIO) -> LatentModel:
    """Read a visitor's model file, from which training begins, within `MODEL_BUDGET`.

    Raises
    ------
    UnreadableFile
        The file is too large, no model, or of a kind that the page does not train.
    """
    model = load_model(file, budget=MODEL_BUDGET)
    try:
        return trainable(model)
    except ValueError as error:
        raise UnreadableFile(str(error)) from error


class Progress(NamedTuple):
    """Progress of a visitor's model file.

    Attributes
    ----------
    stage : {"empty", "receiving", "reading"}
    lane : int
        Lane of the file, or `OPEN_ON_INFERENCE`; -1 before the first file.
    filename : str
    size, received : int
        Size of the file and received part, bytes.
    words : str
        Result, once `stage` is "empty" again.
    refused : bool
        True if `words` is an error message.
    number : int
        Number of the file on this page, by which late messages about earlier files are ignored.
    """

    stage: Literal["empty", "receiving", "reading"] = "empty"
    lane: int = -1
    filename: str = ""
    size: int = 0
    received: int = 0
    words: str = ""
    refused: bool = False
    number: int = 0


class ModelUpload(FileReceiver):
    """Upload of a visitor's model file for a lane.

    Parameters
    ----------
    accept : callable
        Function from a lane and a model to a message; ValueError if the model does not fit.
    """

    progress = param.Parameter(default=Progress(), constant=True)

    def __init__(self, accept: Callable[[int, Any], str]) -> None:
        super().__init__()
        self._accept = accept

    def _say(self, **values: object) -> None:
        self._set(progress=self.progress._replace(**values))

    @property
    def busy(self) -> bool:
        """True if a file is being sent or read."""
        return self.progress.stage != "empty"

    def begin(self, lane: int, filename: str, size: int, number: int = 0) -> None:
        """Expect a file for a lane, or `OPEN_ON_INFERENCE`, which replaces any earlier one."""
        if lane not in (0, 1, OPEN_ON_INFERENCE):  # sent by a browser
            return
        self._forget()
        most = MODEL_BUDGET.file_bytes
        about = {"lane": lane, "filename": filename[-200:], "size": size, "received": 0, "number": number}
        if not 0 < size <= most:
            words = f"{filename[-200:]} has {mib(size)}; expected more than 0 and at most {mib(most)}."
            self._say(**about, stage="empty", words=f"{words} Choose another file.", refused=True)
        elif self._expect(filename[-200:], size):
            # In one step: a page that saw the stage "empty" would stop sending.
            self._say(**about, stage="receiving", words="", refused=False)
        else:
            self._say(**about)

    def _receive(self, transfer: Transfer) -> None:
        self._say(received=transfer.received)
        if transfer.whole:
            to_open = self.progress.lane == OPEN_ON_INFERENCE
            self._work = _worker.submit(
                lambda: (
                    load_model(transfer.open(), budget=MODEL_BUDGET)
                    if to_open
                    else read_model(transfer.open())
                )
            )
            self._say(stage="reading")

    def cancel(self) -> None:
        """Discard the file."""
        self._end("")

    def _end(self, words: str, *, refused: bool = False) -> None:
        self._forget()
        self._say(stage="empty", received=0, words=words, refused=refused)

    def _take_over(self, found: LatentModel) -> None:
        self._end(f"{self._name}: {self._accept(self.progress.lane, found)}")

    def _refuse(self, words: str, error: Exception) -> None:
        before = f"{self._name} was not read: " if isinstance(error, ValueError) else ""
        self._end(before + words, refused=True)
