"""Learning in the browser takes Python's steps: the same latents, the same parameters, from the same seed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from js.node_tests import passed_in_node

from lrbn_viz import load_dataset
from lrbn_viz.browser.module import module
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.training.loop import Training
from lrbn_viz.view.live.training import settings_of
from lrbn_viz.view.player.wire import pack

RUNS_IN_NODE = Path(__file__).with_name("training.test.js")
N_STEPS = 200
BATCH = 20
SEED = 5
RUNS: Mapping[str, Mapping[str, Any]] = {
    "ICM, learned prior": {},
    "ICM from zeros, flat prior, momentum": {"start": "zeros", "prior": "flat", "momentum": 0.5},
    "ICM from fair coins, weight decay": {"start": "random", "weight_decay": 1e-3, "decay_b": True},
    "annealed, equation 11": {"start": "paper", "e_step": "annealed", "warm_sweeps": 6},
    "Gibbs sampling, warmed prior": {
        "e_step": "gibbs",
        "warm_sweeps": 3,
        "prior": "warmed",
        "warm_up": 40.0,
        "decay_steps": 100.0,
    },
    "weights at or above 0": {"nonnegative": True, "momentum": 0.3},
    "weighted likelihood": {"likelihood_weight": 1.5, "e_step": "annealed", "warm_sweeps": 4},
    "values missing": {},
}


class Doubly(HardEM):
    """The same learning with all of it in double precision, which keeps its latents."""

    precision = np.float64
    seen: list[np.ndarray]

    def infer(self, *arguments: Any, **more: Any) -> Any:
        found = super().infer(*arguments, **more)
        self.seen.append(found.H)
        return found


def _run(name: str, settings: Mapping[str, Any]) -> bytes:
    """Return a block of a run in Python: where it begins, what it infers and learns."""
    data = load_dataset("digits")
    X = (data.train_X[:400] > 0.5).astype(np.float64)
    if name == "values missing":
        X[np.random.default_rng(1).random(X.shape) < 0.2] = np.nan
    system = Doubly(n_h=24, **settings)
    object.__setattr__(system, "seen", [])
    first = system.init(X, np.random.default_rng(2))
    run = Training(system, X, n_iter=100, batch_size=BATCH, rng=np.random.default_rng(SEED), state=first)
    figures = [next(run)[1].metrics for _ in range(N_STEPS)]
    names = list(figures[0])
    start, end = first.params, run.state.params
    arrays = {
        "X": X,
        "rows": np.ascontiguousarray(start.W.T),
        "b": start.b,
        "d": start.d,
        "end_rows": np.ascontiguousarray(end.W.T),
        "end_b": end.b,
        "end_d": end.d,
        "H": np.concatenate(system.seen).ravel(),
        "figures": np.array([[each[name] for name in names] for each in figures]).ravel(),
        "codes": HardEM.infer(system, end, X, np.random.default_rng(9), "icm").H.ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    validated = system.validate(run.state, X, np.random.default_rng(0))
    meta = _described(name, settings_of(system, "lrbn")) | {"figures": names, "validated": validated}
    return pack(meta, arrays)


RBM_RUNS: Mapping[str, Mapping[str, Any]] = {
    "RBM, PCD": {},
    "RBM, CD-3, weight decay": {"method": "cd", "n_gibbs": 3, "weight_decay": 1e-3},
    "RBM, enhanced gradient": {"gradient": "enhanced", "learning_rate": 0.1, "decay_steps": 100.0},
    "RBM, centred gradient": {"gradient": "centred", "n_gibbs": 2},
}


def _rbm_run(name: str, settings: Mapping[str, Any]) -> bytes:
    """Return a block of a run of an RBM in Python: where it begins, its chains and what it learns."""
    X = (load_dataset("digits").train_X[:400] > 0.5).astype(np.uint8)
    system = RBMSystem(n_h=24, n_sample_sweeps=30, **settings)
    first = system.init(X, np.random.default_rng(2))
    run = Training(system, X, n_iter=100, batch_size=BATCH, rng=np.random.default_rng(SEED), state=first)
    figures, chains = [], []
    for _ in range(N_STEPS):
        figures.append(next(run)[1].metrics)
        chains.append(run.state.particles)
    names = list(figures[0])
    H = system.encode(run.state, X)
    arrays = {
        "X": X,
        **{f"begin.{part}": getattr(first, part) for part in ("W", "b", "d", "particles")},
        **{f"end.{part}": getattr(run.state, part) for part in ("W", "b", "d")},
        "chains": np.concatenate(chains).ravel(),
        "figures": np.array([[each[part] for part in names] for each in figures]).ravel(),
        "codes": H.ravel(),
        "means": system.decode(run.state, H[:5]).ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    return pack(_described(name, settings_of(system, "rbm")) | {"figures": names}, arrays)


RWS_RUNS: Mapping[str, Mapping[str, Any]] = {
    "RWS, both phases": {},
    "RWS, wake alone": {"phases": "wake", "n_particles": 3, "decay_steps": 100.0},
    "RWS, sleep alone": {"phases": "sleep", "n_particles": 1, "recognition_rate": 0.5},
}


def _rws_run(name: str, settings: Mapping[str, Any]) -> bytes:
    """Return a block of a run of RWS in Python: where it begins, its figures and what it learns."""
    X = (load_dataset("digits").train_X[:400] > 0.5).astype(np.uint8)
    system = RWSSystem(n_h=24, **settings)
    first = system.init(X, np.random.default_rng(2))
    run = Training(system, X, n_iter=100, batch_size=BATCH, rng=np.random.default_rng(SEED), state=first)
    figures = [next(run)[1].metrics for _ in range(N_STEPS)]
    names = list(figures[0])
    means = system.encode(run.state, X)
    arrays = {
        "X": X,
        **{f"begin.{part}": array for part, array in first.layers[0]._asdict().items()},
        **{f"end.{part}": array for part, array in run.state.layers[0]._asdict().items()},
        "figures": np.array([[each[part] for part in names] for each in figures]).ravel(),
        "codes": means.ravel(),
        "means": system.decode(run.state, means[:5]).ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    return pack(_described(name, settings_of(system, "rws")) | {"figures": names}, arrays)


def _described(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a browser needs to know of a run."""
    return {
        "name": name,
        "settings": settings,
        "seed": SEED,
        "batch": BATCH,
        "steps": N_STEPS,
    }


def write_runs(folder: Path, kernels: bytes | None = None) -> None:
    """Write runs; the module of kernels is the committed one unless another is given."""
    (folder / "expected.json").write_text(
        json.dumps({"runs": len(RUNS), "rbms": len(RBM_RUNS), "networks": len(RWS_RUNS)})
    )
    (folder / "kernel.wasm").write_bytes(module("learning") if kernels is None else kernels)
    for n, (name, settings) in enumerate(RUNS.items()):
        (folder / f"run{n}.bin").write_bytes(_run(name, settings))
    for n, (name, settings) in enumerate(RBM_RUNS.items()):
        (folder / f"rbm{n}.bin").write_bytes(_rbm_run(name, settings))
    for n, (name, settings) in enumerate(RWS_RUNS.items()):
        (folder / f"network{n}.bin").write_bytes(_rws_run(name, settings))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    write_runs(folder)
    return folder


def test_every_step_is_pythons(folder):
    # Inside: From the same start, seed and minibatches a browser's training infers the same latents, and
    # learns the same parameters but for rounding.
    ran = passed_in_node(RUNS_IN_NODE, folder, 500, forced=False)
    assert ran["passed"] == 2 * (len(RUNS) + len(RBM_RUNS) + len(RWS_RUNS))
    print(*re.findall(r"^.*other (?:decisions|draws)$", ran["written"], re.M), sep="\n")


def test_a_run_that_messages_steer_passes_its_tests_in_node():
    ran = passed_in_node(Path(__file__).with_name("learner.test.js"), Path(__file__).parent, forced=False)
    assert ran["passed"] == 6
