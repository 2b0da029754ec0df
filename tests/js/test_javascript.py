"""The JavaScript without a browser, on bytes that Python wrote a moment ago.

`*.test.js` are run by Node, which comes with the package's test extra; they read packed blocks, and what the
engine says of them, from a folder that is written here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contracts.dummy_model import MeanField
from js.node_tests import passed_in_node

from lrbn_viz import (
    DBM,
    LRBN,
    RBM,
    RWS,
    explain_away,
    explain_change,
    factorised,
    log_odds_terms,
)
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.generate.wire import models_of, passes_of
from lrbn_viz.app.train.frames import KINDS, STATUSES, Head, Piece, StoredMoments, frame_of, lane_part
from lrbn_viz.datasets import load_dataset
from lrbn_viz.datasets.own.columns import TableChoices
from lrbn_viz.datasets.own.images import Limits
from lrbn_viz.datasets.own.tables import decode_csv
from lrbn_viz.estimators.noisy_or import NoisyOrNetwork
from lrbn_viz.view.live.page import described
from lrbn_viz.view.live.training import training_blocks
from lrbn_viz.view.player.packing import Lane, pack_models, pack_trace, rounded_model
from lrbn_viz.view.player.terms import Known, TermsOf
from lrbn_viz.view.player.truth import distance_of, pack_distance
from lrbn_viz.view.player.wire import pack, unpack

LOCAL_POOL = Path(__file__).resolve().parent
N_V, N_H = 12, 9
KNOWN_IN_PART = ("lrbn", "rbm", "gaussian", "deep", "learned")
"""Models of which a trace of an image with unknown pixels is replayed too."""


def _models(rng: np.random.Generator) -> dict[str, Any]:
    """One of each kind that the player replays; weights that float32 holds exactly, so that sums agree."""

    def draw(*shape: int) -> np.ndarray:
        return rng.normal(0, 1.2, shape).astype(np.float32).astype(float)

    layers = [(draw(N_V, N_H), draw(N_V), draw(N_H)), (draw(N_H, 5), draw(N_H), draw(5))]
    lrbn = LRBN.from_params(draw(N_V, N_H), draw(N_V), draw(N_H))
    return {
        "lrbn": lrbn,
        "rbm": RBM.from_params(draw(N_V, N_H), draw(N_V), draw(N_H)),
        "gaussian": LRBN.from_params(draw(N_V, N_H), draw(N_V), draw(N_H), visible="gaussian"),
        "deep": LRBN.from_layers(layers),
        "same": factorised(lrbn).name_units([f"cause {j}" for j in range(N_H)]),
        "learned": RBM.from_params(draw(N_V, N_H), draw(N_V), draw(N_H), visible="gaussian", z=draw(N_V)),
        "noisy_or": NoisyOrNetwork.from_params(*_noisy_or()),
    }


def _noisy_or() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Parameters of noisy-or units, by numbers of their own: those of the other cases stay."""
    rng = np.random.default_rng(12)
    drawn = [rng.normal(0, 1.2, shape).astype(np.float32).astype(float) for shape in ((N_V, N_H), N_V, N_H)]
    return np.abs(drawn[0]), np.abs(drawn[1]), drawn[2]


def _lane(model: Any, x: np.ndarray, trace: Any) -> dict[str, Any]:
    """What the engine says of a trace, visit by visit."""
    states = [trace.latents(k) for k in range(trace.n_visits + 1)]
    some = sorted({0, 1, trace.n_visits // 2, trace.n_visits})
    terms = [[log_odds_terms(model, x, states[k], j) for j in range(trace.n_h)] for k in some]
    return {
        "latents": [state.tolist() for state in states],
        "log_joint": [trace.log_joint_at(k) for k in range(trace.n_visits + 1)],
        "log_odds": trace.log_odds.tolist(),
        "unit": trace.unit.tolist(),
        "flips": np.flatnonzero(trace.flipped).tolist(),
        "wrong": trace.wrong_pixels().tolist(),
        "reconstructions": [trace.reconstruction(k).tolist() for k in some],
        "some": some,
        "logits": [[float(term.log_odds) for term in row] for row in terms],
        "terms": {
            name: [[np.ravel(getattr(term, name)).tolist() for term in row] for row in terms]
            for name in ("prior", "evidence", "alone", "others")
        },
        "decided_on": [trace.decided_on(k) for k in range(1, trace.n_visits + 1)],
        "decisions": [
            _sums(model, x, states[trace.decided_on(k)], int(trace.unit[k - 1]))
            for k in range(1, trace.n_visits + 1)
        ],
        "states": [
            {"k": int(k), "terms": [_sums(model, x, states[k], j) for j in range(trace.n_h)]}
            for k in [0, *(np.flatnonzero(trace.flipped) + 1)]
        ],
        "changes": _changes(model, trace, some),
        "interactions": [explain_away(model, x, states[k]).tolist() for k in some],
    }


def _sums(model: Any, x: np.ndarray, h: np.ndarray, j: int) -> list[float]:
    """The prior, the evidence, alone, the others and the log-odds of a unit in a state."""
    terms = log_odds_terms(model, x, h, j)
    sums = [terms.prior, terms.evidence.sum(), terms.alone.sum(), terms.others.sum(), terms.log_odds]
    return [float(value) for value in sums]


def _changes(model: Any, trace: Any, some: list[int]) -> list[dict[str, Any]]:
    """Who changed the log-odds: of the unit of each visit, and of every unit at some."""
    asked = {(int(trace.unit[k - 1]), k) for k in range(1, trace.n_visits + 1)}
    asked |= {(j, k) for j in range(trace.n_h) for k in some}
    return [
        explain_change(model, trace, j, k, reference)._asdict() | {"k": k, "reference": reference}
        for j, k in sorted(asked)
        for reference in ("last", "start", "off")
    ]


@pytest.fixture(scope="session")
def blocks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of blocks that Python packed, and expected.json."""
    folder, rng = tmp_path_factory.mktemp("blocks"), np.random.default_rng(11)
    kinds = ("i1", "u1", "u2", "u4", "f2", "f4", "f8")
    arrays = {
        kind: (rng.normal(0, 40, (3, 5)) if kind[0] != "u" else rng.integers(0, 200, (3, 5))).astype(kind)
        for kind in kinds
    }
    half = np.array([0, -0.0, 1, -2, 65504, 6e-8, -6e-8, 6.1e-5, np.inf, -np.inf], "f2")
    (folder / "arrays.bin").write_bytes(
        pack({"title": "Umlaut \u00e4"}, {**arrays, "half": half, "none": np.empty(0)})
    )
    expected: dict[str, Any] = {name: array.astype(float).ravel().tolist() for name, array in arrays.items()}
    expected["half"] = [str(value) for value in half.astype("f4")]

    models = _models(rng)
    (folder / "models.bin").write_bytes(pack_models(models, (3, 4)))
    x = rng.integers(0, 2, N_V).astype(np.uint8)
    images = {
        name: x if model.visible == "bernoulli" else rng.normal(size=N_V).astype("f4").astype(float)
        for name, model in models.items()
    }
    random: dict[str, Any] = {"init": "random", "random_state": 1}
    starts = {name: {} if model.factorised else random for name, model in models.items()}
    traces = {name: model.map_trace(images[name], **starts[name]) for name, model in models.items()}
    made = {name: name for name in models}
    made |= {"parallel": "lrbn", "gibbs": "lrbn", "annealed": "lrbn", "deep_gibbs": "deep"}
    traces["parallel"] = models["lrbn"].map_trace(x, order="parallel", max_sweeps=5, **random)
    traces["gibbs"] = models["lrbn"].map_trace(x, temperature=1.0, max_sweeps=5, **random)
    traces["annealed"] = models["lrbn"].map_trace(x, temperature=[2.0, 1.0, 0.3], **random)
    traces["deep_gibbs"] = models["deep"].map_trace(x, temperature=1.0, max_sweeps=9, **random)
    for name in KNOWN_IN_PART:
        shown = np.where(np.arange(N_V) % 3 == 1, np.nan, images[name])
        made[f"{name}_in_part"] = name
        traces[f"{name}_in_part"] = models[name].map_trace(shown, **starts[name])
    words: dict[str, Any] = {"subtitle": "by ICM", "start": "a state", "seed": 7}
    lanes = [
        Lane(trace, made[name], name.upper(), optimum=-1.5, **words, held={2: 1} if name == "same" else {})
        for name, trace in traces.items()
    ]
    (folder / "trace.bin").write_bytes(pack_trace(lanes, {"cursor": 3}))
    coarse = {name: np.zeros(model.n_latents_, bool) for name, model in models.items()}
    (folder / "rounded_models.bin").write_bytes(pack_models(models, (3, 4), rounded=coarse, levels=(127, 1)))
    (folder / "rounded_trace.bin").write_bytes(
        pack_trace(lanes, {}, [Known(TermsOf(models[made[name]], traces[name]).states) for name in traces])
    )
    decided = []
    for name, trace in traces.items():
        model = models[made[name]]
        off = TermsOf(model, trace).most_off(rounded_model(model, coarse[made[name]], (127, 1)))
        decided.append(Known(TermsOf(model, trace).decisions, off))
    (folder / "rounded_decided.bin").write_bytes(pack_trace(lanes, {}, decided))
    expected["lanes"] = [_lane(models[made[name]], trace.x, trace) for name, trace in traces.items()]

    model = MeanField.from_params(*models["lrbn"].layers[0])
    trace = model.map_trace(x)
    (folder / "means_models.bin").write_bytes(pack_models({"means": model}, (3, 4)))
    (folder / "means.bin").write_bytes(pack_trace([Lane(trace, "means", "MEANS")]))
    expected["means"] = {
        "latents": [trace.latents(k).tolist() for k in range(trace.n_visits + 1)],
        "reconstruction": trace.reconstruction(trace.n_visits).tolist(),
        "wrong": trace.wrong_pixels().tolist(),
    }

    low, high = models["deep"].layers
    model = DBM.from_params(*low, U=high[0], e=high[2])
    trace = model.map_trace(x)
    end = trace.latents(trace.n_visits)
    terms = [model.log_odds_terms(x * 1.0, end, j) for j in range(trace.n_h)]
    (folder / "dbm_models.bin").write_bytes(pack_models({"dbm": model}, (3, 4)))
    (folder / "dbm.bin").write_bytes(pack_trace([Lane(trace, "dbm", "DBM", normalised=trace.normalised)]))
    expected["dbm"] = {
        "latents": end.tolist(),
        "prior": [term.prior for term in terms],
        "evidence": [float(term.evidence.sum()) for term in terms],
        "log_odds": [float(term.log_odds) for term in terms],
        "interactions": model.interactions(x * 1.0, end).tolist(),
    }

    W, b, d = models["lrbn"].layers[0]
    upper = {"U": high[0], "e": high[2], "V2": high[0], "c2": high[2]}
    weighing = {
        "flat": RWS.from_params(W, b, d, V=W, c=d),
        "layers": RWS.from_params(low[0], low[1], high[1], V=low[0], c=high[1], **upper),
    }
    made_of: dict[str, Any] = {
        name: model.trace(x, "particles", random_state=2) for name, model in weighing.items()
    }
    (folder / "particle_models.bin").write_bytes(pack_models(weighing, (3, 4)))
    (folder / "particles.bin").write_bytes(
        pack_trace([Lane(trace, name, name.upper(), sampled=True) for name, trace in made_of.items()])
    )
    expected["particles"] = [
        {
            "latents": [trace.latents(k).tolist() for k in range(trace.n_visits + 1)],
            "sizes": trace.effective_sample_sizes().tolist(),
            "estimates": [trace.log_joint_at(k) for k in range(trace.n_visits + 1)],
            "log_weights": trace.log_weights.tolist(),
            "wrong": trace.wrong_pixels().tolist(),
            "reconstruction": trace.reconstruction(trace.n_visits).tolist(),
        }
        for trace in made_of.values()
    ]

    both = {name: models[name] for name in ("lrbn", "rbm")}
    (folder / "distance_models.bin").write_bytes(pack_models(both, (3, 4)))
    field = models["lrbn"].map_trace(x, kind="mean-field")
    distance = distance_of(models["lrbn"], field)
    assert distance is not None
    assert distance_of(models["rbm"], traces["rbm"]) is None
    lanes = [Lane(field, "lrbn", "LRBN", distance=distance), Lane(traces["rbm"], "rbm", "RBM")]
    (folder / "distance.bin").write_bytes(pack_trace(lanes))
    expected["distance"] = {
        "kl": distance.kl.tolist(),
        "variation": distance.total_variation.tolist(),
        "rungs": pack_distance(distance)[0]["rungs"],
    }

    expected["passes"] = {}
    generations = {
        "flat": GenerateState(model_name="lrbn-200-mnist-learned"),
        "layers": GenerateState(passes=4),
    }
    for name, generation in generations.items():
        (folder / f"{name}_generation.bin").write_bytes(models_of(generation))
        (folder / f"{name}_passes.bin").write_bytes(passes_of(generation))
        expected["passes"][name] = [
            {"h": drawn.H.tolist(), "x_on": drawn.X.sum(axis=1).tolist(), "chain": drawn.x0 is not None}
            for drawn in generation.drawn
        ]

    values = {"log_joint": -12.5, "flips": 3.0}
    pieces = [
        Piece(KINDS.index("filter"), 1, 7, bytes(range(20))),
        Piece(KINDS.index("words"), 0, 0, b'{"trouble":""}'),
    ]
    lane = lane_part(40, 2.5, 810.0, StoredMoments(10, 4, 40, 1.25), values)
    head = Head(7, "running", 0.25, 90.0, 1.7e9)
    (folder / "frame.bin").write_bytes(frame_of(head, [lane, lane], pieces))
    expected["frame"] = {"statuses": STATUSES, "kinds": KINDS, "values": list(values.values())}
    expected["tables"] = _tables()
    expected["own_run"] = unpack(training_blocks(load_dataset("bars"), described)["run"])[0]["own"]
    expected["arrays"] = _stored_arrays(folder / "arrays.npz")
    (folder / "expected.json").write_text(json.dumps(expected))
    return folder


TABLES = {
    "names and words": "alarm,radio report\n" + 8 * "yes,no\nno,yes\nYES,No\n",
    "other words": "a|b|c\n" + 8 * "true|y|1\nFalse|n|0\nTRUE|Y|1.0\n",
    "cells that are empty": "a;b;c\r\n" + 5 * "1;;0\r\n;1;NA\r\n0;n/a;?\r\n1;1;1\r\n0;0;1\r\n",
    "quotes": '"a, first","b ""second"""\n' + 8 * '"1","0"\n0,1\n1,1\n',
    "tabs and a mark of Unicode": "\ufeffx\t\u00e9t\u00e9\n" + 8 * "1.0\t0\n0\t1.0\n1\t1\n",
    "pixels without names": "\n".join(",".join(str((m * i) % 2) for i in range(16)) for m in range(20))
    + "\n",
}
"""Tables of columns that are on or off."""


def _tables() -> dict[str, Any]:
    """What Python's reader makes of `TABLES`: states, the third of which is not known."""
    found = {}
    for name, text in TABLES.items():
        own = decode_csv(text.encode(), "table.csv", Limits(10_000), TableChoices(labels=None))
        X = own.X.astype(float)
        states = np.where(np.isnan(X), 2, X).astype(int)
        shape = (1, X.shape[1]) if own.columns else (4, 4)
        names = list(own.columns) or None
        found[name] = {"text": text, "names": names, "states": states.ravel().tolist(), "shape": shape}
    return found


def _stored_arrays(path: Path) -> dict[str, Any]:
    """Write numbers of all types and a text, as ``save`` writes them; return what they are."""
    rng = np.random.default_rng(3)
    arrays = {kind: rng.integers(0, 100, (2, 3)).astype(kind) for kind in ("u1", "u2", "u4", "u8", "?")}
    arrays |= {kind: rng.normal(0, 30, (2, 3)).astype(kind) for kind in ("i1", "i2", "i4", "i8", "f4", "f8")}
    arrays["f2"] = np.array([0.1, -6e-8, 65504, -0.0], np.float16)
    arrays |= {"single": np.array(2), "none": np.zeros((0, 3)), "long": np.zeros(1000)}
    text = "\u00e9, a \U0001f4a1 and 'quotes'"
    np.savez_compressed(path, **arrays, text=text)  # pyright: ignore[reportArgumentType]
    found = {name: {"shape": array.shape, "values": array.ravel().tolist()} for name, array in arrays.items()}
    return {**found, "text": {"shape": (), "text": text}}


@pytest.mark.parametrize("name", sorted(path.name for path in LOCAL_POOL.glob("*.test.js")))
def test_node_finds_no_fault(name, blocks):
    assert passed_in_node(LOCAL_POOL / name, blocks)["passed"] > 0
