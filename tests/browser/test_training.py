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
from lrbn_viz.training.loop import Training
from lrbn_viz.view.player.wire import pack

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
    shown = {each: getattr(system, each) for each in SETTINGS}
    meta = {
        "name": name,
        "settings": {each: None if value == np.inf else value for each, value in shown.items()},
        "seed": SEED,
        "batch": BATCH,
        "steps": N_STEPS,
        "figures": names,
        "validated": validated,
    }
    return pack(meta, arrays)


SETTINGS = (
    "n_h",
    "prior",
    "warm_up",
    "learning_rate",
    "momentum",
    "decay_steps",
    "weight_decay",
    "decay_b",
    "nonnegative",
    "start",
    "e_step",
    "max_sweeps",
    "warm_sweeps",
    "hottest",
    "coldest",
    "likelihood_weight",
)
"""Settings that a browser has."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("training")
    (folder / "expected.json").write_text(json.dumps({"runs": len(RUNS)}))
    (folder / "kernel.wasm").write_bytes(module())
    for n, (name, settings) in enumerate(RUNS.items()):
        (folder / f"run{n}.bin").write_bytes(_run(name, settings))
    return folder


def test_every_step_is_pythons(folder):
    ran = passed_in_node(Path(__file__).with_name("training.test.js"), folder, 500)
    assert ran["passed"] == 2 * len(RUNS)
    print(*re.findall(r"^.*decisions.*$", ran["written"], re.M), sep="\n")
