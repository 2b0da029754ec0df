"""One stage, done in a folder: here, or in turns on a worker that has a folder of its own."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Generator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from lrbn_viz.io.storage import write_atomic
from lrbn_viz.studies.reproduce import bounds, measure
from lrbn_viz.studies.reproduce.experiment import Experiment
from lrbn_viz.studies.reproduce.plan import Stage
from lrbn_viz.studies.reproduce.store import DamagedResult, Result, Store
from lrbn_viz.studies.reproduce.systems import Case
from lrbn_viz.studies.reproduce.timed import MIN_USED_SHARE, plan_for, planned_anew, run_of, settings, spend
from lrbn_viz.studies.reproduce.train import begins_with, model_of, training_of

TRAINING_STAGES = ("training", "plan", "timed")
"""Kinds of stages in which models learn; a plan is rehearsed."""


def do(
    made: Experiment, stage: Stage, tell: measure.Progress, checkpoint_seconds: float
) -> Generator[float, None, None]:
    """Run a stage and store its result, as a generator that may be left at any moment.

    Parameters
    ----------
    made : Experiment
    stage : Stage
    tell : callable
        Takes the share of the stage that is done, and of training the seconds that it took.
    checkpoint_seconds : float
        How often training writes where it stands.

    Yields
    ------
    float
        The share of training that is done, after each of its steps.

    Raises
    ------
    FloatingPointError
        Training diverged.
    DamagedResult
        The checkpoint of training cannot be read.
    """
    if stage.kind == "training":
        yield from _train(made, stage, tell, checkpoint_seconds)
    elif stage.kind == "timed":
        yield from _train_for_seconds(made, stage, tell, checkpoint_seconds)
    else:
        _measure(made, stage, tell)


def _train(
    made: Experiment, stage: Stage, tell: Any, checkpoint_seconds: float
) -> Generator[float, None, None]:
    recipe = made.recipes[stage.config]
    data = made.data
    run = training_of(recipe, data.train_X, data.validation_X, made.seed, data.image_shape)
    path = made.store.checkpoint(stage.name, stage.key)
    known = known_stages(made, stage.config)
    if known and not path.exists():
        learned = made.results[f"{known}.training"].figures
        run.warm_start(made.model(known).layers, [part["passes"] for part in learned["passes"]])
    if path.exists():
        _resume(run, path)
    saved = time.monotonic()
    for _ in run:
        if time.monotonic() - saved >= checkpoint_seconds:
            run.save(path)
            saved = time.monotonic()
        share = min(run.progress, 0.999)
        tell(share, run.seconds)
        yield share
    layers = [state.params for state in run.layers]
    arrays = {
        f"{n}.{part}": array for n, layer in enumerate(layers) for part, array in layer._asdict().items()
    }
    passes = [{"stage": name, "passes": n} for name, n in zip(run.stages, run.passes, strict=True)]
    figures = {"passes": passes, "n_images": len(made.data.train_X), "n_layers": len(layers)}
    figures |= {"begun_with": known} if known else {}
    model_of(recipe, layers).save(
        made.store.folder / "models" / f"{stage.config}.npz",
        provenance={"data": made.dataset_name, "recipe": recipe._asdict(), "seed": made.seed},
    )
    _keep(made, stage, Result(figures, arrays, run.seconds))
    path.unlink(missing_ok=True)


def _train_for_seconds(
    made: Experiment, stage: Stage, tell: Any, checkpoint_seconds: float
) -> Generator[float, None, None]:
    """Train a system until its plan is finished, or its budget is spent."""
    case = _case(made, stage)
    planned = made.results[f"{case.name}.plan"].figures
    run = run_of(case, made.name, made.by[case.binarize], planned, made.seed)
    path = made.store.checkpoint(stage.name, stage.key)
    before = spent = _resume(run, path) if path.exists() else 0.0
    saved = time.monotonic()
    for spent in spend(run, made.seconds, before):
        if time.monotonic() - saved >= checkpoint_seconds:
            run.save(path, spent)
            saved = time.monotonic()
        share = min(max(run.progress, spent / made.seconds), 0.999)
        tell(share, spent)
        yield share
    if run.progress == 1.0 and spent < MIN_USED_SHARE * made.seconds and not planned.get("anew"):
        planning = next(each for each in made.stages if each.name == f"{case.name}.plan")
        n_images = len(made.by[case.binarize].train_X)
        path.unlink(missing_ok=True)
        anew = planned_anew(planned, spent, made.seconds, n_images)
        before = made.results[planning.name].seconds
        _keep(made, planning, Result(anew, {}, before + spent))
        yield from _train_for_seconds(made, stage, tell, checkpoint_seconds)
        return
    figures: dict[str, Any] = {
        "seconds": spent, "budget": made.seconds, "finished": run.progress == 1.0, "done": run.progress,
        "passes": planned["passes"], "n_images": planned["images"],
    }  # fmt: skip
    kept = made.store.folder / "models" / f"{case.name}.npz"
    told = {"data": made.dataset_name, "binarize": case.binarize, "settings": settings(case, made.name)}
    run.model().save(kept, provenance={**told, **figures, "seed": made.seed})
    _keep(made, stage, Result(figures, {"file": np.frombuffer(kept.read_bytes(), np.uint8)}, spent))
    path.unlink(missing_ok=True)


def _case(made: Experiment, stage: Stage) -> Case:
    return next(case for case in made.cases if case.name == stage.config)


def _beginnings(made: Experiment, config: str) -> list[str]:
    """Return the earlier configurations that share first stages with this one, those with most of them first.

    Later ones are not among them, though they may be trained: so what a configuration begins with does not
    depend on what was finished first.
    """
    configs = list(made.recipes)
    shared = {other: begins_with(made.recipes[config], made.recipes[other])
              for other in configs[: configs.index(config)]}  # fmt: skip
    return sorted((other for other in shared if shared[other]), key=lambda other: -shared[other])


def known_stages(made: Experiment, config: str) -> str:
    """Return the trained configuration with most of the stages that this one would make first, if any."""
    return next((other for other in _beginnings(made, config) if f"{other}.training" in made.results), "")


def needs(made: Experiment, stage: Stage) -> list[str]:
    """Return the names of the stages that are done, or have diverged, before one can begin."""
    if stage.kind in ("pixels", "plan"):
        return []
    if stage.kind == "training":
        return [f"{other}.training" for other in _beginnings(made, stage.config)]
    if stage.kind == "timed":
        return [f"{stage.config}.plan"]
    return [f"{stage.config}.{'training' if stage.config in made.recipes else 'timed'}"]


def _measure(made: Experiment, stage: Stage, tell: measure.Progress) -> None:
    began = time.perf_counter()
    if stage.kind == "pixels":
        figures, arrays = measure.pixels(made.data, made.budget)
    elif stage.kind == "plan":
        case = _case(made, stage)
        data = made.by[case.binarize]
        figures, arrays = plan_for(case, made.name, data, made.seconds, made.seed), {}
    elif stage.kind in bounds.MEASURES:
        data, how = made.by[_case(made, stage).binarize], bounds.MEASURES[stage.kind]
        figures, arrays = how(made.model(stage.config), data, made.budget, made.seed, tell)
    else:
        model = made.model(stage.config)
        how = measure.MEASURES[stage.kind]
        figures, arrays = how(model, made.data, made.budget, made.seed, tell)
    _keep(made, stage, Result(figures, arrays, time.perf_counter() - began))


def _keep(made: Experiment, stage: Stage, result: Result) -> None:
    made.store.write(stage.name, stage.key, stage.settings, result)
    made.results[stage.name] = result


def _resume(run: Any, path: Path) -> Any:
    """Resume a run from its checkpoint; return the result of its ``resume``."""
    try:
        return run.resume(path)
    except (ValueError, KeyError) as error:
        raise DamagedResult(
            f"expected a checkpoint of training in {path}, got a file that cannot be read ({error}). "
            "Remove it to train from the start."
        ) from error


# -- on a worker


class Turn(NamedTuple):
    """Work of a worker on a stage.

    Attributes
    ----------
    done : bool
        True if it is all of it.
    share, seconds : float
        How far training is, and what it took.
    results : dict from stage name to Result
        What was found.
    files : dict from path to bytes
        Files to keep below the folder: models, and the checkpoint of a stage that is not done.
    """

    done: bool
    share: float
    seconds: float
    results: dict[str, Result]
    files: dict[str, bytes]


def alone(made: Experiment) -> Experiment:
    """Return the experiment that is sent to workers, without results."""
    left = {"results", "diverged", "earlier", "_models"}
    return Experiment(
        **{each.name: getattr(made, each.name) for each in fields(Experiment) if each.name not in left}
    )


def known_to(made: Experiment, stage: Stage) -> dict[str, Result]:
    """Return the results that a stage reads."""
    if stage.kind == "training":
        known = known_stages(made, stage.config)
        return {name: made.results[name] for name in [f"{known}.training"] if known}
    return {name: made.results[name] for name in needs(made, stage)}


def turn(
    made: Experiment, stage: Stage, known: Mapping[str, Result], checkpoint: bytes, seconds: float
) -> Turn:
    """Run a stage, or some seconds of its training, in a folder of this process; raises as `do` does.

    Parameters
    ----------
    made : Experiment
        As `alone` returns it.
    stage : Stage
    known : mapping from stage name to Result
        As `known_to` returns it.
    checkpoint : bytes
        Checkpoint of an earlier turn; empty if there was none.
    seconds : float
        Seconds of training, after which it is left with a checkpoint.
    """
    with tempfile.TemporaryDirectory() as name:
        here = replace(made, store=Store(name), results=dict(known))
        path = here.store.checkpoint(stage.name, stage.key)
        if checkpoint:
            path.write_bytes(checkpoint)
        before, reached = _written(path), [0.0, 0.0]

        def tell(share: float, seconds: float = 0.0) -> None:
            reached[:] = share, seconds

        try:
            for _ in do(here, stage, tell, seconds):
                if path.exists() and _written(path) != before:
                    break
        except DamagedResult as error:
            raise DamagedResult(str(error).replace(name, str(made.store.folder))) from error
        folder = here.store.folder
        files = [path, *(folder / "models").iterdir()] if path.exists() else (folder / "models").iterdir()
        return Turn(
            stage.name in here.results,
            reached[0],
            reached[1],
            {name: result for name, result in here.results.items() if result is not known.get(name)},
            {each.relative_to(folder).as_posix(): each.read_bytes() for each in files},
        )


def _written(path: Path) -> tuple[int, int]:
    """Return a signature that changes when a file is rewritten."""
    found = path.stat() if path.exists() else None
    return (0, 0) if found is None else (found.st_mtime_ns, found.st_ino)


def keep(made: Experiment, stage: Stage, found: Turn) -> None:
    """Keep in the experiment's folder what a worker has done of a stage."""
    for name, content in found.files.items():
        write_atomic(made.store.folder / name, content)
    for other in made.stages:
        if other.name in found.results:
            _keep(made, other, found.results[other.name])
    if found.done:
        made.store.checkpoint(stage.name, stage.key).unlink(missing_ok=True)
