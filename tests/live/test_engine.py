"""The live page's engine makes the decisions that Python makes, visit by visit: of every kind of inference,
start and model that a page can offer. Its session answers as the explorer's does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from js.node_tests import passed_in_node

from lrbn_viz import (
    DBM,
    DBN,
    LRBN,
    NVIL,
    RBM,
    RWS,
    VIMCO,
    DeepLRBN,
    DeepNVIL,
    DeepRWS,
    DeepVariationalBayesSBN,
    DeepVIMCO,
    DeepWakeSleep,
    MeanFieldSBN,
    VariationalBayesSBN,
    WakeSleep,
    factorised,
    find_basins,
    load_dataset,
    pretrained,
)
from lrbn_viz.app.address import FIRST, write_page
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.datasets import at_hand
from lrbn_viz.live.kernel import kernel
from lrbn_viz.live.page import (
    LiveModel,
    described,
    live_html,
    live_images,
    live_methods,
    live_names,
    packed_models,
    rounded,
    with_factorised,
)
from lrbn_viz.player.packing import pack_models, pack_trace
from lrbn_viz.player.truth import EXACT_UNITS, distance_of, pack_distance, pack_truth, truth_of
from lrbn_viz.player.wire import pack

HERE = Path(__file__).resolve().parent
SHIPPED = [name for name in live_names() if at_hand(PRETRAINED[name].dataset)]
FEWEST = 1000
"""Traces in all."""
KINDS = (
    ("usual", 1.2, 12, 9),
    ("saturated", 60.0, 12, 9),
    ("extreme", 500.0, 40, 6),
    ("one", 1.0, 5, 1),
    ("many", 1.2, 30, 19),
)
"""Of drawn models: a name, how large the weights are, visible units and latents."""


def _shipped(name: str) -> tuple[Any, np.ndarray]:
    info = PRETRAINED[name]
    data = load_dataset(info.dataset, binary=info.binary)
    return pretrained(name), data.test_X[[info.image, 3]]


def _drawn(rng: np.random.Generator) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Yield small models of each kind: of usual weights, of saturated ones, and with few latents."""
    for name, scale, n_v, n_h in KINDS:
        W, b, d = rng.normal(0, scale, (n_v, n_h)), rng.normal(0, scale, n_v), rng.normal(0, 1, n_h)
        X = rng.integers(0, 2, (2, n_v)).astype(np.uint8)
        yield name, LRBN.from_params(W, b, d), X
        yield f"few latents {name}", LRBN.from_params(W[:, :3], b, d[:3]), X
        yield f"rbm {name}", RBM.from_params(W, b, d), X
        upper = (rng.normal(0, scale, (n_h, 5)), rng.normal(0, scale, n_h), rng.normal(0, 1, 5))
        yield f"deep {name}", DeepLRBN.from_layers([(W, b, d), upper]), X
        grey = rng.normal(0, 1, (2, n_v))
        yield f"gaussian {name}", LRBN.from_params(W / scale, b, d, visible="gaussian"), grey
        yield f"gaussian rbm {name}", RBM.from_params(W / scale, b, d, visible="gaussian"), grey
        z = rng.normal(0, 1, n_v)
        V, c = rng.normal(0, scale, (n_v, n_h)), rng.normal(0, 1, n_h)
        for kind in (RWS, WakeSleep, VIMCO, NVIL, MeanFieldSBN):
            yield f"{kind.__name__} {name}", kind.from_params(W, b, d, V=V, c=c), X
        more: Any = {"V": V, "c": c, "U": np.full(W.shape, 0.1), "n_images": 50}
        yield f"VariationalBayesSBN {name}", VariationalBayesSBN.from_params(W, b, d, **more), X
        deep: Any = {"V": V, "c": c, "U": upper[0], "e": upper[2]}
        deep |= {"V2": rng.normal(0, scale, (n_h, 5)), "c2": rng.normal(0, 1, 5)}
        for kind in (DeepRWS, DeepWakeSleep, DeepVIMCO, DeepNVIL):
            yield f"{kind.__name__} {name}", kind.from_params(W, b, d, **deep), X
        sure: Any = {"variance": np.full(W.shape, 0.1), "variance2": np.full((n_h, 5), 0.1), "n_images": 50}
        two = DeepVariationalBayesSBN.from_params(W, b, d, **deep, **sure)
        yield f"DeepVariationalBayesSBN {name}", two, X
        belief: Any = {"V": V, "c": c, "U": upper[0], "e": upper[2]}
        yield f"DBN {name}", DBN.from_params(W, b, d, **belief), X
        yield f"DBM {name}", DBM.from_params(W, b, d, U=upper[0], e=upper[2]), X
        yield f"variances {name}", RBM.from_params(W / scale, b, d, visible="gaussian", z=z), grey


def _traces(model: Any, X: np.ndarray, seeds: int) -> Iterator[tuple[dict[str, Any], Any]]:
    """Yield how each trace is made, and the trace: each method from each start, free and with units held."""
    last = model.n_latents_ - 1
    for method in live_methods(model):
        slow = method == "mean-field" and last > 50  # a second each
        for start in ["conditional"] if slow else model.starts or [""]:
            for seed in range(1 if slow else seeds):
                held: Mapping[int, int] = (
                    {0: 1, last: 0} if seed % 2 and "clamp" in model.trace_options else {}
                )
                x = X[seed % len(X)]
                trace = model.trace(x, method, init=start or None, clamp=held, random_state=seed)
                yield {"method": method, "start": start, "held": list(held.items()), "seed": seed}, trace


def _block(name: str, model: Any, X: np.ndarray, seeds: int) -> tuple[bytes, int]:
    """Return a block of all traces of a model, and how many they are."""
    how, arrays = [], {}
    for n, (options, trace) in enumerate(_traces(model, X, seeds)):
        how.append({**options, "converged": bool(trace.converged), "sampled": trace.sampled})
        arrays |= {
            f"{n}.x": trace.x.astype(np.float64),
            f"{n}.h0": trace.h0,
            f"{n}.unit": np.maximum(trace.unit, 0).astype(np.uint16),  # particles: to none
            f"{n}.after": trace.after,
            f"{n}.sweep": trace.sweep.astype(np.uint16),
            f"{n}.log_odds": trace.log_odds,
            f"{n}.log_joint": np.append(trace.log_joint0, trace.log_joint),
            f"{n}.wrong": trace.wrong_pixels().astype(np.float64),
        }
    return pack({"name": name, "model": described(name, name, model), "traces": how}, arrays), len(how)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of models and their traces, of optima, and of what a session answers."""
    folder, rng = tmp_path_factory.mktemp("live"), np.random.default_rng(5)
    every = [(name, *_shipped(name), 2) for name in SHIPPED] + [
        (*each, 2 if each[1].mean_field_bound else 4)
        for each in _drawn(rng)  # these have most kinds of traces
    ]
    count = 0
    for n, (name, model, X, seeds) in enumerate(every):
        (folder / f"model{n}.bin").write_bytes(pack_models({name: model}, (1, X.shape[1]), exact=True))
        block, found = _block(name, model, X, seeds)
        (folder / f"traces{n}.bin").write_bytes(block)
        count += found
    assert count >= FEWEST
    _write_rounded(folder, len(every))
    (folder / "expected.json").write_text("{}")  # which the other tests of JavaScript have
    (folder / "kernel.wasm").write_bytes(kernel())
    (folder / "random.bin").write_bytes(_random_numbers())
    small = [(name, model, X) for name, model, X, _ in every if _is_small(model)]
    assert {"lrbn-16-digits", "gaussian usual", "saturated"} <= {name for name, *_ in small}
    for n, (name, model, X) in enumerate(small):
        (folder / f"known_model{n}.bin").write_bytes(pack_models({name: model}, (1, X.shape[1]), exact=True))
        (folder / f"known{n}.bin").write_bytes(_known(name, model, X))
    _write_optima(folder)
    _write_answers(folder)
    return folder


def _write_rounded(folder: Path, n: int) -> None:
    """Write a page's models with rounded weights, the last ones, and the traces that Python makes of them."""
    for place, name in enumerate(("lrbn-200-mnist-flat", "lrbn-200-200-ocr", "rbm-12-digits")):
        _, X = _shipped(name)
        exact = LiveModel(name, name, pretrained(name))
        found = packed_models({name: exact}, load_dataset(PRETRAINED[name].dataset), small=True)
        (folder / f"model{n + place}.bin").write_bytes(found)
        block, _ = _block(f"{name} rounded", rounded(exact).model, X, 1)
        (folder / f"traces{n + place}.bin").write_bytes(block)


def _is_small(model: Any) -> bool:
    few = model.n_latents_ <= EXACT_UNITS and len(model.layer_sizes_) == 1
    return few and model.graph == "directed"


def _known(name: str, model: Any, X: np.ndarray) -> bytes:
    """Return a block of what is exactly known of some traces of a small model."""
    lanes, arrays = [], {}
    for n, (method, x) in enumerate(
        [
            *(("icm", X[0]), ("annealed", X[1]), ("mean-field", X[0]), ("icm-parallel", X[1])),
            *(("particles", x) for x in X if "particles" in model.trace_methods),
        ]
    ):
        trace = model.trace(x, method, init="conditional", random_state=3)
        truth = truth_of(model, trace)
        distance = distance_of(model, trace, truth)
        lane: dict[str, Any] = {"method": method, "truth": None, "rungs": None}
        found = {"x": trace.x.astype(np.float64)}
        if truth is not None:
            lane["truth"], more = pack_truth(truth)
            found |= more
        if distance is not None:
            known, more = pack_distance(distance)
            lane["rungs"], found = known["rungs"], {**found, **more}
        lanes.append(lane)
        arrays |= {f"{n}.{part}": array.ravel() for part, array in found.items()}
    return pack({"name": name, "model": described(name, name, model), "lanes": lanes}, arrays)


def _random_numbers() -> bytes:
    seeds = [0, 1, 7, 12345, 2**31 - 1]
    arrays = {}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        arrays |= {
            f"{seed}.first": rng.random(3),
            f"{seed}.coins": rng.integers(0, 2, (1, 13), dtype=np.uint8)[0],
            f"{seed}.order": rng.permuted(np.arange(20, dtype=np.int32)[None], axis=1)[0].astype(np.uint16),
            f"{seed}.again": rng.permuted(np.arange(7, dtype=np.int32)[None], axis=1)[0].astype(np.uint16),
            f"{seed}.last": rng.random(5),
        }
    return pack({"seeds": seeds}, arrays)


def _write_optima(folder: Path) -> None:
    model, x = pretrained("lrbn-16-digits"), load_dataset("digits").test_X[8]
    rival = (factorised(model).infer(x[None])[0][0] > 0).astype(np.uint8)
    found = find_basins(model, x, 60, starts={"rbm": rival})
    arrays = {
        "x": x.astype(np.float64),
        "rival": rival,
        "H": found.H.ravel(),
        "log_joint": found.log_joint,
        "counts_by_kind": found.counts_by_kind.astype(np.uint16).ravel(),
        "starts": found.starts.ravel(),
    }
    (folder / "optima_model.bin").write_bytes(pack_models({"small": model}, (8, 8)))
    (folder / "optima.bin").write_bytes(pack({"kinds": list(found.kinds), "n": len(found)}, arrays))


ACTS: list[tuple[Any, ...]] = [
    ("lane", 0, "algorithm", "annealed"),
    ("lane", 0, "seed", "5"),
    ("image", "next"),
    ("hold", 3, "on", 0),
    ("hold", 5, "off", 0),
    ("lane", 0, "algorithm", "icm-random"),
    ("lane", 0, "start", "rbm"),
    ("swap",),
    ("lane", 1, "model", "lrbn-16-digits-strokes"),
    ("swap",),
    ("lane", 0, "start", "random"),
    ("cursor", 20),
    ("lane", 0, "start", "last"),
    ("lane", 1, "model", "lrbn-16-digits"),
    ("lane", 1, "start", "rbm"),
    ("draw", "AAAAAAAAAAA"),
    ("image", "previous"),
    ("lane", 0, "model", "lrbn-16-digits"),
    ("hold", -1, "free", 0),
    ("lane", 1, "algorithm", "mean-field"),
    ("lane", 1, "model", "factorised:lrbn-16-digits"),
    ("lane", 0, "model", "lrbn-16-digits-strokes"),
    ("lane", 1, "model", "lrbn-12-digits-recognition"),
    ("lane", 1, "algorithm", "particles"),
    ("lane", 1, "seed", "3"),
    ("hold", 2, "on", 1),
    ("cursor", 40),
    ("lane", 1, "algorithm", "icm"),
]
MODELS = ("lrbn-16-digits", "lrbn-16-digits-strokes", "lrbn-12-digits-recognition")


def _write_answers(folder: Path) -> None:
    """Write what the explorer's session shows after each act, for a page with the same models."""
    data = load_dataset("digits")
    session = Session(
        dataset_name="digits", model_name=MODELS[0], rival_name=f"factorised:{MODELS[0]}", index=7
    )
    every = with_factorised([LiveModel(name, PRETRAINED[name].title, pretrained(name)) for name in MODELS])
    own = {name: each.model for name, each in every.items()}
    (folder / "session_models.bin").write_bytes(pack_models(own, data.image_shape, exact=True))
    meta, arrays = live_images(every.values(), data, len(data.test_X), 7)
    (folder / "session_page.bin").write_bytes(pack(meta, arrays))
    answers = []
    for n, act in enumerate((("cursor", 0), *ACTS)):
        kind, *rest = act
        {
            "lane": session.choose_in,
            "image": session.choose,
            "hold": lambda unit, state, lane: session.hold(unit, state, lane),
            "swap": session.swap,
            "draw": session.draw,
            "cursor": lambda k: session.param.update(cursor=k),
        }[kind](*rest)
        (folder / f"answer{n}.bin").write_bytes(pack_trace(lanes_of(session), words_of(session)))
        menus = menus_of(session)
        for menu in menus:  # a page has its own models alone
            menu["models"] = sorted(name for _, group in menu["models"] for name, _ in group if name in own)
        answers.append({"act": act, "menus": menus, "address": write_page(FIRST, session)})
    (folder / "answers.bin").write_bytes(pack({"answers": answers}, {}))


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.js")))
def test_node_finds_no_fault(name, folder):
    # Inside: The live page's engine decides as Python's does, for every inference, start and kind of model
    # that the page offers.
    ran = passed_in_node(HERE / name, folder, 500)
    assert ran["passed"] > 0
    print(*re.findall(r"^.*traces are equal.*$", ran["written"], re.M), sep="\n")


class _Odd(LRBN):
    """An LRBN with a start that the engine does not know."""

    starts: ClassVar[Mapping[str, str]] = {"odd": "an odd start"}


def test_a_model_that_no_page_can_hold_is_refused_with_those_that_can():
    data = load_dataset("digits")
    odd = _Odd.from_params(np.zeros((64, 3)), np.zeros(64), np.zeros(3))
    with pytest.raises(ValueError, match="odd is a LRBN; a live page does not know how it infers") as refused:
        live_html([LiveModel("odd", "Odd", odd)], data=data)
    for name in live_names():
        assert (f" {name}" in str(refused.value)) == (PRETRAINED[name].dataset == "digits"), name


def test_every_kind_of_model_that_is_shipped_can_be_in_a_page():
    assert set(live_names()) == {name for name, info in PRETRAINED.items() if not info.successor}
