"""What a training board is told at once: a run, a past moment of it, and how it stands when it rests."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.draft import text_of
from lrbn_viz.app.past import Moment
from lrbn_viz.app.player.frames import FIGURES, STATUSES, History
from lrbn_viz.app.player.packing import pack
from lrbn_viz.app.player.tones import TONES, filters, shrunk_shape, tones, weights
from lrbn_viz.datasets import Dataset
from lrbn_viz.recording import LaneRecord, Probe
from lrbn_viz.runs import Run

POINTS_SENT = 512
"""Points of each curve in a block."""
MINIBATCH_SHOWN = 40
"""Images of the last minibatch that are shown while a run is paused."""


def run_block(name: str, run: Run, words: dict[str, Any]) -> bytes:
    """Pack what a run is and has been; call it between two of its steps."""
    data, config = run.dataset, run.config
    arrays: dict[str, NDArray] = {}
    lanes = []
    for number, (key, lane) in enumerate(run.lanes.items()):
        training, settings = lane.training, config.lanes[key].settings
        arrays[f"{number}.original"] = tones(lane.images[: len(lane.probe.reconstructions)], data)
        arrays |= {f"{number}.{part}": array for part, array in pictures(lane.probe, data).items()}
        arrays[f"{number}.filters"] = filters(training.state, slice(None), data.image_shape, True)
        arrays |= {f"{number}.{figure}": points for figure, points in _curves(lane).items()}
        lanes.append(
            {
                "title": key,
                "system": config.lanes[key].system,
                "settings": {part: text_of(value) for part, value in settings.items()},
                "n_h": weights(training.state).shape[1],
                "n_train": len(training.X),
                "per_pass": -(-len(training.X) // config.batch_size),
                "step": training.step,
                "seconds": training.seconds,
                "history": list(history_of(lane)),
                "error": "" if lane.error is None else str(lane.error),
            }
        )
    meta = {
        "kind": "run",
        "name": name,
        "dataset": config.dataset,
        "binary": data.binary,
        "tones": [0.0, 1.0] if data.binary else list(TONES),
        "image_shape": list(data.image_shape),
        "coarse_shape": list(shrunk_shape(data.image_shape)),
        "figures": list(FIGURES),
        "statuses": list(STATUSES),
        "batch_size": config.batch_size,
        "n_iter": config.n_iter,
        "max_seconds": config.max_seconds if math.isfinite(config.max_seconds) else None,
        "level_by": config.level_by,
        "seed": config.seed,
        "checkpoint_seconds": run.checkpoint_seconds,
        "budget_mb": sum(lane.history.budget for lane in run.lanes.values()) / 2**20,
        "saved_at": run.saved_at,
        "words": words,
        "lanes": lanes,
    }
    return pack(meta, arrays)


def _curves(lane: LaneRecord) -> dict[str, NDArray[np.float32]]:
    """Return the curves of a lane, thinned out from their newest point on; (2, at most POINTS_SENT) each."""
    found = {}
    for figure in FIGURES:
        if figure in lane.curves:
            points = np.array(lane.curves[figure].points())
            stride = max(1, -(-points.shape[1] // POINTS_SENT))
            found[figure] = points[:, ::-1][:, ::stride][:, ::-1].astype(np.float32)
    return found


def pictures(found: Probe, data: Dataset) -> dict[str, NDArray]:
    """Return what a probe shows, as bytes."""
    return {
        "reconstructions": tones(found.reconstructions, data),
        "samples": tones(found.samples, data),
        "usage": np.clip(np.rint(255 * found.usage), 0, 255).astype(np.uint8),
    }


def history_of(lane: LaneRecord) -> History:
    """Return what is kept of a lane's past."""
    steps = lane.history.steps
    return History(lane.history.every, len(steps), steps[-1] if steps else 0, lane.history.nbytes / 2**20)


def moment_block(moment: Moment, data: Dataset, words: dict[str, Any]) -> bytes:
    """Pack a past moment: pictures and figures of each lane."""
    arrays: dict[str, NDArray] = {}
    lanes = []
    for number, (state, found) in enumerate(moment.lanes.values()):
        arrays |= {f"{number}.{part}": array for part, array in pictures(found, data).items()}
        arrays[f"{number}.filters"] = filters(state, slice(None), data.image_shape, False)
        lanes.append({"step": found.step, "figures": found.figures})
    return pack({"kind": "moment", "step": moment.step, "lanes": lanes, "words": words}, arrays)


def rest_block(run: Run) -> bytes:
    """Pack whole filters, and the last minibatch."""
    shape = run.dataset.image_shape
    arrays: dict[str, NDArray] = {
        f"{number}.filters": filters(lane.training.state, slice(None), shape, False)
        for number, lane in enumerate(run.lanes.values())
    }
    training = next(iter(run.lanes.values())).training
    rows = training.rows[:MINIBATCH_SHOWN]
    arrays["minibatch"] = tones(training.X[rows], run.dataset)
    return pack({"kind": "rest", "rows": rows.tolist(), "step": training.step}, arrays)
