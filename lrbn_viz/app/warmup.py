"""Compilation of kernels before pages need them: in another process, whose results a thread then loads.

A kernel that is compiled where a page first needs it keeps all visitors waiting: tens of seconds on a new
machine, one or two later. The acts here do on small models what the pages do, so that the pages find their
kernels compiled.

The compiler holds the interpreter for long, and a lock that every first call of a kernel waits for. So the
server does not compile: a process of its own does (``python -m lrbn_viz.app.warmup``), at a low priority, and
leaves the kernels in Numba's cache, with a list of them: while that stands, no server begins such a process.
Then a thread of the server reads what is listed from there, at the priority of all others: one of a low
priority that holds the interpreter would keep the page waiting on a busy machine.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lrbn_viz.io import background

if TYPE_CHECKING:
    from lrbn_viz.studies.runs import LaneConfig

_log = logging.getLogger(__name__)

NICENESS = 10
_SMALL = "digits"
_SMALL_MODELS = ("lrbn-12-digits", "lrbn-40-digits-grey")  # models of binary images, and of grey ones
_TRAINED = (("mnist5k", None), (_SMALL, 6))  # data sets, and the latent units of models of them
_begun, _compiled, _done = threading.Event(), threading.Event(), threading.Event()
_asked, _downloading = threading.Event(), threading.Event()


def warm_up_once() -> None:
    """Start to compile the kernels of other pages, if this is a server's first page; returns at once."""
    import panel as pn  # imported here, as the command line needs only the cache

    document = pn.state.curdoc
    if document is not None and document.session_context is not None:
        warm_up()


def warm_up() -> None:
    """Start to compile the kernels that pages need, unless this has begun; returns at once."""
    if not _begun.is_set():
        _begun.set()
        background.start(_warm_up, "warm-up")


def download_once() -> None:
    """Start to download the images that pages begin with, if this is a server's first page; returns at once.

    They are 10 MB. Nothing is downloaded if they are at hand or if a data folder is named. Without a network
    nothing is lost: pages then begin with 8x8 digits, and say how to get these images.
    """
    import panel as pn

    from lrbn_viz.app.shared.loading import USUAL
    from lrbn_viz.datasets import DATA_VARIABLE, at_hand

    document = pn.state.curdoc
    if document is None or document.session_context is None or _asked.is_set():
        return
    _asked.set()
    if not at_hand(USUAL) and not os.environ.get(DATA_VARIABLE):
        _downloading.set()
        background.start(_download, "download")


def is_downloading() -> bool:
    """Return whether the images that pages begin with are being downloaded."""
    return _downloading.is_set()


def _download() -> None:
    from lrbn_viz.app.shared.loading import USUAL, dataset_by_name
    from lrbn_viz.datasets import DataFileError

    try:
        dataset_by_name(USUAL)
    except DataFileError as problem:
        _log.info("%s", problem)
    finally:
        _downloading.clear()


def is_compiling() -> bool:
    """Return whether the kernels are being compiled, which happens once for an installation."""
    return _begun.is_set() and not _compiled.is_set()


def is_warm() -> bool:
    """Return whether the kernels that pages need are compiled and loaded."""
    return _done.is_set()


def _warm_up() -> None:
    try:
        compile_elsewhere()
        _compiled.set()
        run_acts(acts(compiled=_load()))
    finally:
        _compiled.set()
        _done.set()


def _load() -> bool:
    """Load all compiled code from the cache; return whether this was possible."""
    from lrbn_viz.kernels.cache import load_compiled

    path = compiled_path()
    if path is None or not path.is_file():
        return False
    try:
        load_compiled(path.read_bytes())
    except Exception:  # unpickling can raise any error; missing kernels are compiled when they are needed
        _log.debug("reading compiled kernels", exc_info=True)
        return False
    return True


def compiled_path() -> Path | None:
    """Return the file that lists all kernels once they are compiled, and None where nothing is cached."""
    from lrbn_viz.datasets import at_hand
    from lrbn_viz.kernels.cache import list_of_compiled
    from lrbn_viz.kernels.numerics import errors_along

    return list_of_compiled(errors_along, [name for name, _ in _TRAINED if at_hand(name)])


def compile_elsewhere(waiting: Callable[[], object] = lambda: None) -> int | None:
    """Compile in a process of its own, which ends when this one does; returns its exit status.

    None where there can be no other process. 0 without one where everything has been compiled before.
    `waiting` is called each second until then.
    """
    path = compiled_path()
    if path is not None and path.is_file():
        return 0
    # Python's own path, because the package may not be installed but found beside the script that is served.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    command = (sys.executable, "-m", "lrbn_viz.app.warmup")
    try:
        with subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        ) as process:
            while True:
                try:
                    return process.wait(1.0)
                except subprocess.TimeoutExpired:
                    waiting()
    except OSError:
        _log.debug("compiling in another process", exc_info=True)
        return None


def run_acts(to_do: Iterable[Callable[[], object]]) -> bool:
    """Run one act after another; return whether all of them succeeded."""
    done = True
    for act in to_do:
        try:
            act()
        except Exception:  # a page will report the same error
            _log.debug("warming up", exc_info=True)
            done = False
    return done


def acts(compiled: bool = False) -> Iterator[Callable[[], object]]:
    """Yield small versions of the pages' actions, in the usual order of their use.

    Parameters
    ----------
    compiled : bool
        True if all kernels are there. Then one run is trained, and not one for each kernel.
    """
    yield _observe
    yield _infer
    yield _infer_layers
    yield _recognise
    yield _generate
    yield _explain
    yield _train_one if compiled else _train_all


def _pretrained(name: str) -> Any:
    """Return a shipped model, of the kind that its name says."""
    from lrbn_viz.catalog import pretrained

    return pretrained(name)


def _observe() -> None:
    """Infer from what is known, as the presses of the guided beginning do, which are a visitor's first."""
    from lrbn_viz.app.inference.first_look import BEGINNING, read
    from lrbn_viz.app.inference.state import Session
    from lrbn_viz.app.inference.wire import lanes_of

    look = read(BEGINNING)
    if look is None:
        return
    session = Session(**look.settings)
    lanes_of(session)
    session.hold(0, "on", 0)
    lanes_of(session)


def _infer() -> None:
    """Trace small models, of binary and of grey images, by every algorithm, from every start."""
    import lrbn_viz
    from lrbn_viz.catalog import PRETRAINED

    for name in _SMALL_MODELS:
        info = PRETRAINED[name]
        x = lrbn_viz.load_dataset(_SMALL, binary=info.binary).test_X[0]
        model, rival = _pretrained(name), _pretrained(str(info.rival)).trace(x)
        rival.wrong_pixels()
        for method in model.trace_methods:
            model.trace(x, method, init="conditional", random_state=0)
        for start in (*model.starts, rival.latents(rival.n_visits)):
            model.trace(x, init=start, clamp={0: 1}, random_state=0)


def _infer_layers() -> None:
    """Trace the smallest model of several layers, and infer a row of images, as the Generate page does."""
    import numpy as np

    from lrbn_viz.catalog import DATASETS, PRETRAINED

    deep = (
        (name, info)
        for name, info in PRETRAINED.items()
        if info.n_layers > 1 and info.kind.model.draws_passes
    )
    name, info = min(deep, key=lambda pair: pair[1].n_h)
    height, width = DATASETS[info.dataset].image_shape
    model, x = _pretrained(name), np.zeros(height * width, np.uint8)
    for method in model.trace_methods:
        model.trace(x, method, init="conditional", random_state=0)
    model.infer(x[None])


def _recognise() -> None:
    """Trace a model with a recognition network, from an image and from one that is known in part."""
    import numpy as np

    import lrbn_viz

    W, b, d = np.zeros((4, 2)), np.zeros(4), np.zeros(2)
    model = lrbn_viz.RWS.from_params(W, b, d, V=W, c=d)
    whole, part = [0.0, 0.0, 1.0, 1.0], [np.nan, 0.0, 1.0, 1.0]
    for x, method in ((whole, "mean-field"), (part, "mean-field"), (whole, "particles")):
        model.trace(x, method)


def _train_all() -> None:
    """Train every recipe's models for a few minibatches: as they are, and small, which other kernels do.

    And models with settings that no recipe has.
    """
    from lrbn_viz.app.train.presets import MORE_KERNELS, PRESETS
    from lrbn_viz.datasets import at_hand

    for name, n_h in _TRAINED:
        for binary in (True, False):
            if at_hand(name):
                for recipe in (*(preset.lanes for preset in PRESETS.values()), MORE_KERNELS):
                    _train(recipe, name, binary, n_h)


def _train_one() -> None:
    """Train one recipe's models for a few minibatches."""
    from lrbn_viz.app.train.presets import PRESETS

    _train(next(iter(PRESETS.values())).lanes, _SMALL, True, 6)


def _train(recipe: Iterable[LaneConfig], dataset: str, binary: bool, n_h: int | None) -> None:
    from dataclasses import replace

    from lrbn_viz.datasets import load_dataset
    from lrbn_viz.studies.runs import Run, RunConfig

    settings = {} if n_h is None else {"n_components": n_h}
    visible = "bernoulli" if binary else "gaussian"
    lanes = {
        lane.system: replace(lane, settings={**lane.settings, **settings})
        for lane in recipe
        if lane.takes(visible)
    }
    if not lanes:  # both need binary images
        return
    run = Run(RunConfig(dataset, lanes, binary=binary), load_dataset(dataset, binary=binary))
    run.advance(2 * len(lanes))
    while run.drain().status == "running":
        time.sleep(0.01)
    run.look().result()
    run.stop()


def _generate() -> None:
    """Draw from small models, and interpolate between two codes."""
    from lrbn_viz.app.generate.state import GenerateState
    from lrbn_viz.catalog import PRETRAINED

    for name in _SMALL_MODELS:
        GenerateState(model_name=name, rival_name=PRETRAINED[name].rival, dataset_name=_SMALL)


def _explain() -> None:
    """Ask for the exact posterior, the other optima and the interactions of a small model."""
    import lrbn_viz

    x = lrbn_viz.load_dataset(_SMALL).test_X[0]
    model = _pretrained("lrbn-12-digits")
    h = model.transform(x[None])[0]
    lrbn_viz.approximations(model, x, h)
    lrbn_viz.exact_posterior(model, x)
    lrbn_viz.explain_away(model, x, h)
    lrbn_viz.log_odds_terms(model, x, h, 0)


def _end_with_parent() -> None:
    """Exit when the parent process has ended, which closes the other end of this process's input."""
    os.read(0, 1)  # not by `sys.stdin`, whose lock would be held when this process ends by itself
    os._exit(1)


if __name__ == "__main__":
    from lrbn_viz.io.storage import write_atomic
    from lrbn_viz.kernels.cache import compiled

    background.start(_end_with_parent, "end-with-parent")
    with contextlib.suppress(AttributeError, OSError):  # some systems have no niceness
        os.nice(NICENESS)
    path = compiled_path()  # of the sources as they are read now
    if run_acts(acts()) and path is not None:
        write_atomic(path, compiled())
