"""Blocks of data for a training board: a run, a stored moment of it, and its state while paused."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.app.train.filter_view import FilterPast
from lrbn_viz.app.train.frames import STATUSES, StoredMoments
from lrbn_viz.app.train.history_view import Moment
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import fields_of, in_words
from lrbn_viz.core.system import N_SHOWN, System
from lrbn_viz.core.validation import unknown_in
from lrbn_viz.datasets import Dataset
from lrbn_viz.io.constants import FIGURES, UNKNOWN_TONE
from lrbn_viz.studies.runs import Run
from lrbn_viz.studies.runs.recording import Glance, LaneRecord, Probe
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.view.player.greyscale import TONES, filters, shrunk_shape, tones
from lrbn_viz.view.player.wire import pack

POINTS_SENT = 512
"""Largest number of points of each curve in a block."""
NAMES_SENT = 3
"""Largest number of addresses of lost workers in a block, the last ones."""
MINIBATCH_SHOWN = 40
"""Images of the last minibatch that are shown while a run is paused."""


def run_block(live: LiveRun, words: dict[str, Any]) -> bytes:
    """Pack the description and the history of a run; to be called between two of its steps."""
    run, parent = live.run, live.run.config.parent
    data, config = run.dataset, run.config
    arrays: dict[str, NDArray] = {}
    lanes = []
    for number, (key, lane) in enumerate(run.lanes.items()):
        training, settings = lane.training, config.lanes[key].settings
        kind = SYSTEMS[config.lanes[key].system].model
        glance, probe = lane.glance, lane.probe
        arrays[f"{number}.original"] = tones_of(lane.images[: len(glance.reconstructions)], data)
        arrays |= _numbered(
            number, glance_pictures(glance, training.system, data) | probe_pictures(probe, data)
        )
        W = training.system.weights(training.state)
        arrays[f"{number}.filters"] = filters(W, slice(None), data.image_shape, True)
        arrays |= {f"{number}.{figure}": points for figure, points in _curves(lane).items()}
        if parent is not None and live.parent is not None:
            later = _later(live.parent.curves.get(key, {}), parent.step)
            arrays |= {f"{number}.parent.{figure}": points for figure, points in later.items()}
        rows = training.system.picture_rows
        lanes.append(
            {
                "title": key,
                "rows": [row._asdict() for row in rows],
                "system": config.lanes[key].system,
                "score": kind.score_title,
                "score_name": kind.score_name,
                "settings": in_words(settings, fields_of(kind)),
                "n_h": W.shape[1],
                "n_train": len(training.X),
                "per_pass": 1 if training.system.full_batch else -(-len(training.X) // config.batch_size),
                "step": training.step,
                "glance": glance.step,
                "probe": probe.step,
                "seconds": training.seconds,
                "history": list(stored_moments_of(lane)),
                "error": "" if lane.error is None else str(lane.error),
            }
        )
    meta = {
        "kind": "run",
        "name": live.name,
        "parent": None
        if parent is None
        else {"name": parent.name, "step": parent.step, "error": live.parent.error if live.parent else ""},
        "dataset": config.dataset,
        "binary": data.binary,
        "tones": [0.0, 1.0] if data.binary else list(TONES),
        "image_shape": list(data.image_shape),
        "coarse_shape": list(shrunk_shape(data.image_shape)),
        "variables": data.variables,
        "figures": list(FIGURES),
        "statuses": list(STATUSES),
        "batch_size": config.batch_size,
        "n_iter": config.n_iter,
        "max_seconds": config.max_seconds if math.isfinite(config.max_seconds) else None,
        "level_by": config.level_by,
        "whole": run.whole,
        "seed": config.seed,
        "checkpoint_seconds": run.checkpoint_seconds,
        "budget_mb": sum(lane.history.budget for lane in run.lanes.values()) / 2**20,
        "saved_at": run.saved_at,
        "words": words,
        "lanes": lanes,
    }
    return pack(meta, arrays)


def passes_words(run: Run, is_owner: bool) -> dict[str, Any]:
    """Return the progress of passes over all images; for the operator, also details of the cluster."""
    going = list(run.passes.items())
    lanes = []
    for name, each in going:
        now = each.now
        if now is not None:
            making = each.lane.training.making or now.what == "opening"
            what, done, pieces = now[:3] if making else ("between", 0, 0)
            left = now.left if making else None
            lanes.append(
                {"title": name, "what": what, "done": done, "of": pieces}
                | ({} if left is None else {"left": round(left)})
            )
    words: dict[str, Any] = {"lanes": lanes, "workers": None}
    found = next((each.workers.seen for _, each in going if each.workers is not None), None)
    if found is not None:
        words |= {"workers": len(found.there), "gone": len(found.gone), "link": "", "names": []}
        if is_owner:
            words |= {"link": found.link, "names": list(found.gone[-NAMES_SENT:])}
    return words


def _curves(lane: LaneRecord) -> dict[str, NDArray[np.float32]]:
    """Return the curves of a lane, thinned out from the newest point backwards; (2, n <= POINTS_SENT)."""
    points = {figure: np.array(lane.curves[figure].points()) for figure in FIGURES if figure in lane.curves}
    return {figure: _thinned(each) for figure, each in points.items()}


def _later(curves: Mapping[str, NDArray], step: int) -> dict[str, NDArray[np.float32]]:
    """Return the curves of a parent after the step at which its branch began."""
    found = {}
    for figure in FIGURES:
        if figure in curves:
            points = curves[figure]
            at = int(np.searchsorted(points[0], step, side="right"))
            if at < points.shape[1]:
                found[figure] = _thinned(points[:, max(0, at - 1) :])
    return found


def _thinned(points: NDArray) -> NDArray[np.float32]:
    """Return at most POINTS_SENT points of a curve, from the newest backwards."""
    stride = max(1, -(-points.shape[1] // POINTS_SENT))
    return points[:, ::-1][:, ::stride][:, ::-1].astype(np.float32)


def tones_of(images: NDArray, data: Dataset) -> NDArray[np.uint8]:
    """Return images of a data set as bytes between black and white; a tone of its own stands for a value that
    is not known.
    """
    unknown, found = unknown_in(images), tones(images, data)
    found[found == UNKNOWN_TONE] -= 1  # which nobody sees
    return found if unknown is None else np.where(unknown, np.uint8(UNKNOWN_TONE), found)


def _numbered(number: int, arrays: Mapping[str, NDArray]) -> dict[str, NDArray]:
    """Return a lane's arrays by their names in a block."""
    return {f"{number}.{name}": array for name, array in arrays.items()}


def glance_pictures(found: Glance, system: System[Any], data: Dataset) -> dict[str, NDArray]:
    """Return the pictures of a glance as bytes."""
    rows = np.frombuffer(rows_of(found, system, data), np.uint8)
    return {"reconstructions": tones(found.reconstructions, data), "rows": rows}


def probe_pictures(found: Probe, data: Dataset) -> dict[str, NDArray]:
    """Return the pictures of a probe, without those of its glance, as bytes."""
    return {
        "samples": tones(found.samples, data),
        "usage": np.clip(np.rint(255 * found.usage), 0, 255).astype(np.uint8),
    }


class LanePictures(NamedTuple):
    """New pictures of one lane; None or empty if the board has the newest.

    Attributes
    ----------
    glance : Glance or None
    probe : Probe or None
    figures : dict
        Figures that were measured with the probe.
    filters : (n_h, rows * columns) int8 or None
        All filters at reduced size, of the model after `step` minibatches.
    """

    glance: Glance | None
    probe: Probe | None
    figures: dict[str, float]
    filters: NDArray[np.int8] | None
    step: int


def pictures_block(run: Run, lanes: Sequence[LanePictures]) -> bytes:
    """Pack the current pictures of the lanes, each part with the number of its minibatch."""
    data, arrays, told = run.dataset, {}, []
    for number, (new, lane) in enumerate(zip(lanes, run.lanes.values(), strict=True)):
        steps = {}
        if new.glance is not None:
            arrays |= _numbered(number, glance_pictures(new.glance, lane.training.system, data))
            steps["glance"] = new.glance.step
        if new.probe is not None:
            arrays |= _numbered(number, probe_pictures(new.probe, data))
            steps["probe"] = new.probe.step
        if new.filters is not None:
            arrays[f"{number}.filters"] = new.filters
            steps["filters"] = new.step
        figures = {
            key: float(value) for key, value in new.figures.items() if key in FIGURES and math.isfinite(value)
        }
        told.append({"steps": steps, "figures": figures})
    return pack({"kind": "pictures", "lanes": told}, arrays)


def rows_of(found: Glance | Probe, system: System[Any], data: Dataset) -> bytes:
    """Return a probe's rows of pictures: `N_SHOWN` images of each row, and as many float32 numbers.

    Bytes of images are greys, those of maps shares of the full colour. Missing images of a row are blank, and
    their numbers NaN.
    """
    parts = []
    for row, shown in zip(system.picture_rows, found.pictures, strict=True):
        images, numbers = np.zeros((N_SHOWN, data.n_v), np.uint8), np.full(N_SHOWN, np.nan, "<f4")
        n = len(shown.images)
        if row.most:
            images[:n] = np.clip(np.rint(255 * np.nan_to_num(shown.images) / row.most), 0, 255)
        else:
            images[:n] = tones_of(shown.images, data)
        numbers[:n] = shown.numbers
        parts += [images.tobytes(), numbers.tobytes()]
    return b"".join(parts)


def stored_moments_of(lane: LaneRecord) -> StoredMoments:
    """Return the stored moments of a lane."""
    history = lane.history
    return StoredMoments(history.every, len(history), history.last_step, history.nbytes / 2**20)


def moment_block(moment: Moment, run: Run, words: dict[str, Any]) -> bytes:
    """Pack a past moment: pictures, figures and counters of each lane."""
    data = run.dataset
    arrays: dict[str, NDArray] = {}
    lanes = []
    for number, (name, (state, found)) in enumerate(moment.lanes.items()):
        system = run.lanes[name].training.system
        arrays |= _numbered(number, glance_pictures(found.glance, system, data) | probe_pictures(found, data))
        arrays[f"{number}.filters"] = filters(
            run.lanes[name].training.system.weights(state), slice(None), data.image_shape, False
        )
        figures = {  # float32 as in frames, so that equal values are shown alike
            key: (float(np.float32(value)), step)
            for key, (value, step) in moment.figures[name].items()
            if key in FIGURES and math.isfinite(value)
        }
        snapshot = moment.snapshots[name]
        lanes.append(
            {
                "step": snapshot.step,
                "passes": snapshot.epoch + snapshot.offset / len(run.lanes[name].training.X),
                "seconds": snapshot.seconds,
                "figures": figures,
            }
        )
    meta = {"kind": "moment", "step": moment.step, "asked": moment.asked, "lanes": lanes, "words": words}
    return pack(meta, arrays)


def filter_block(past: FilterPast, shape: tuple[int, int]) -> bytes:
    """Pack a unit's filter at stored moments: int8 shares of each one's largest weight, and that weight."""
    largest = np.abs(past.weights).max(axis=0)
    arrays: dict[str, NDArray] = {
        "filters": filters(past.weights, slice(None), shape, False),
        "largest": np.nan_to_num(largest).astype(np.float32),
        "usage": past.usage.astype(np.float32),
        "steps": past.steps.astype(np.uint32),
        "passes": past.passes.astype(np.float32),
    }
    return pack({"kind": "filter", "lane": past.lane, "unit": past.unit}, arrays)


def rest_block(run: Run) -> bytes:
    """Pack whole filters, and the last minibatch."""
    shape = run.dataset.image_shape
    arrays: dict[str, NDArray] = {
        f"{number}.filters": filters(
            lane.training.system.weights(lane.training.state), slice(None), shape, False
        )
        for number, lane in enumerate(run.lanes.values())
    }
    steps = [lane.training.step for lane in run.lanes.values()]
    training = next(iter(run.lanes.values())).training
    rows = training.rows[:MINIBATCH_SHOWN]
    arrays["minibatch"] = tones_of(training.X[rows], run.dataset)
    return pack({"kind": "rest", "rows": rows.tolist(), "steps": steps}, arrays)
