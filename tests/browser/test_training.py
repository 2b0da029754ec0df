"""Learning in the browser takes Python's steps: the same latents, the same parameters, from the same seed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

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
    "averaged, falling to a given rate": {
        "average": 0.15,
        "learning_rate_end": 0.02,
        "prior": "warmed",
        "warm_up": 60.0,
    },
}


class Doubly(HardEM):
    """The same learning with all of it in double precision, which keeps its latents."""

    precision = np.float64
    seen: ClassVar[list[np.ndarray]] = []

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
    Doubly.seen = []  # of the class: a falling rate makes another system for each step
    first = system.init(X, np.random.default_rng(2))
    run = _training(system, X, first)
    figures = _steps(run)
    seen = np.concatenate(Doubly.seen).ravel()
    averaged = _ended(run)
    start, end = first.params, run.state.params
    arrays = {
        "X": X,
        "begin.rows": np.ascontiguousarray(start.W.T),
        "begin.b": start.b,
        "begin.d": start.d,
        "end.W": np.ascontiguousarray(end.W.T),
        "end.b": end.b,
        "end.d": end.d,
        "H": seen,
        "figures": _numbers(figures),
        "codes": HardEM.infer(system, end, X, np.random.default_rng(9), "icm").H.ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    validated = system.validate(run.state, X, np.random.default_rng(0))
    meta = _described(name, run, "lrbn", figures, averaged) | {"validated": validated}
    return pack(meta, arrays)


def _training(system: Any, X: np.ndarray, state: Any) -> Training:
    """Return a run of many passes, or of as many as the steps need if these are averaged at its end."""
    n_iter = N_STEPS * BATCH // len(X) if system.average else 100
    return Training(system, X, n_iter=n_iter, batch_size=BATCH, rng=np.random.default_rng(SEED), state=state)


def _steps(run: Training) -> list[dict[str, float]]:
    return [next(run)[1].metrics for _ in range(N_STEPS)]


def _ended(run: Training) -> int:
    """Return the number of steps whose parameters took the last one's place; 0 if none did."""
    return int(next(run)[1].metrics["averaged"]) if run.over else 0


def _numbers(figures: list[dict[str, float]]) -> np.ndarray:
    return np.array([list(each.values()) for each in figures]).ravel()


RBM_RUNS: Mapping[str, Mapping[str, Any]] = {
    "RBM, PCD": {},
    "RBM, CD-3, weight decay": {"method": "cd", "n_gibbs": 3, "weight_decay": 1e-3},
    "RBM, enhanced gradient": {"gradient": "enhanced", "learning_rate": 0.1, "decay_steps": 100.0},
    "RBM, centred gradient": {"gradient": "centred", "n_gibbs": 2},
    "RBM, averaged, falling to a given rate": {"average": 0.2, "learning_rate_end": 0.01},
}


def _rbm_run(name: str, settings: Mapping[str, Any]) -> bytes:
    """Return a block of a run of an RBM in Python: where it begins, its chains and what it learns."""
    X = (load_dataset("digits").train_X[:400] > 0.5).astype(np.uint8)
    system = RBMSystem(n_h=24, n_sample_sweeps=30, **settings)
    first = system.init(X, np.random.default_rng(2))
    run = _training(system, X, first)
    figures, chains = [], []
    for _ in range(N_STEPS):
        figures.append(next(run)[1].metrics)
        chains.append(run.state.particles)
    averaged = _ended(run)
    H = system.encode(run.state, X)
    arrays = {
        "X": X,
        **{f"begin.{part}": getattr(first, part) for part in ("W", "b", "d", "particles")},
        **{f"end.{part}": getattr(run.state, part) for part in ("W", "b", "d")},
        "chains": np.concatenate(chains).ravel(),
        "figures": _numbers(figures),
        "codes": H.ravel(),
        "means": system.decode(run.state, H[:5]).ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    return pack(_described(name, run, "rbm", figures, averaged), arrays)


RWS_RUNS: Mapping[str, Mapping[str, Any]] = {
    "RWS, both phases": {},
    "RWS, wake alone": {"phases": "wake", "n_particles": 3, "decay_steps": 100.0},
    "RWS, sleep alone": {"phases": "sleep", "n_particles": 1, "recognition_rate": 0.5},
    "RWS, falling to a given rate": {"learning_rate_end": 0.02},
}


def _rws_run(name: str, settings: Mapping[str, Any]) -> bytes:
    """Return a block of a run of RWS in Python: where it begins, its figures and what it learns."""
    X = (load_dataset("digits").train_X[:400] > 0.5).astype(np.uint8)
    system = RWSSystem(n_h=24, **settings)
    first = system.init(X, np.random.default_rng(2))
    run = _training(system, X, first)
    figures = _steps(run)
    averaged = _ended(run)
    means = system.encode(run.state, X)
    arrays = {
        "X": X,
        **{f"begin.{part}": array for part, array in first.layers[0]._asdict().items()},
        **{f"end.{part}": array for part, array in run.state.layers[0]._asdict().items()},
        "figures": _numbers(figures),
        "codes": means.ravel(),
        "means": system.decode(run.state, means[:5]).ravel(),
        "samples": system.sample(run.state, 7, np.random.default_rng(11)).ravel(),
    }
    return pack(_described(name, run, "rws", figures, averaged), arrays)


def _described(
    name: str, run: Training, kind: str, figures: list[dict[str, float]], averaged: int
) -> dict[str, Any]:
    """Return what a browser needs to know of a run."""
    return {
        "name": name,
        "settings": settings_of(run.system, kind),
        "seed": SEED,
        "batch": BATCH,
        "n_iter": run.n_iter,
        "steps": N_STEPS,
        "figures": list(figures[0]),
        "averaged": averaged,
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
    ran = passed_in_node(RUNS_IN_NODE, folder, 500)
    assert ran["passed"] == 2 * (len(RUNS) + len(RBM_RUNS) + len(RWS_RUNS))
    print(*re.findall(r"^.*other (?:decisions|draws)$", ran["written"], re.M), sep="\n")


def test_a_run_that_messages_steer_passes_its_tests_in_node():
    ran = passed_in_node(Path(__file__).with_name("learner.test.js"), Path(__file__).parent)
    assert ran["passed"] == 8


def test_turns_pass_their_tests_in_node():
    ran = passed_in_node(Path(__file__).with_name("turns.test.js"), Path(__file__).parent)
    assert ran["passed"] == 4
