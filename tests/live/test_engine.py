"""The live page's engine makes the decisions that Python makes, visit by visit: of every kind of inference,
start and model that a page can offer. Its session answers as the explorer's does.

The gate compares each inference of each kind of model from each start, and with units held and without; each
kind and each inference in each of the families of `KINDS`; the nightly compares all traces.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
from covering import cover
from js.node_tests import passed_in_node

from lrbn_viz import (
    DBM,
    DBN,
    LRBN,
    NVIL,
    RBM,
    RWS,
    VIMCO,
    MeanFieldSBN,
    VariationalBayesSBN,
    WakeSleep,
    factorised,
    find_basins,
    load_dataset,
    log_odds_terms,
    pretrained,
)
from lrbn_viz.app.address import FIRST, write_page
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.app.shared.texts import pixels_to_text
from lrbn_viz.browser.module import module
from lrbn_viz.catalog import PRETRAINED
from lrbn_viz.datasets import at_hand
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE
from lrbn_viz.measure.interpolation import interpolate
from lrbn_viz.measure.passes import draw_passes, noise_image
from lrbn_viz.view.live.page import (
    LiveModel,
    described,
    draws_passes,
    live_html,
    live_images,
    live_methods,
    live_names,
    packed_models,
    rounded,
    with_factorised,
)
from lrbn_viz.view.player.beliefs import beliefs_of, pack_beliefs
from lrbn_viz.view.player.packing import columns_of, pack_models, pack_trace
from lrbn_viz.view.player.truth import distance_of, pack_distance, pack_truth, truth_of
from lrbn_viz.view.player.wire import pack

HERE = Path(__file__).resolve().parent
SHIPPED = [name for name in live_names() if at_hand(PRETRAINED[name].dataset)]
MIN_TRACES = {"some": 550, "drawn": 6000, "shipped": 1000}
"""Traces that the gate compares, and the nightly: of drawn models, and of those that are shipped."""
LARGE = 50
"""Latents from which on mean field takes a second."""
KINDS = (
    ("usual", 1.2, 12, 9),
    ("saturated", 60.0, 12, 9),
    ("extreme", 500.0, 40, 6),
    ("one", 1.0, 5, 1),
    ("many", 1.2, 30, 19),
)
"""Of drawn models: a name, how large the weights are, visible units and latents."""


class Case(NamedTuple):
    """A model whose traces are compared.

    Attributes
    ----------
    name, family : str
        The family is one of `KINDS`, or says how large a shipped model is.
    X : (n, n_v)
        Images to infer, one after another.
    seeds : int
        As many traces of each inference from each start; in every second one units are held.
    """

    name: str
    family: str
    model: Any
    X: np.ndarray
    seeds: int


class Way(NamedTuple):
    """How a trace is made."""

    method: str
    start: str
    held: Mapping[int, int]
    seed: int
    part: bool = False  # of the image is not known


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
        yield f"deep {name}", LRBN.from_layers([(W, b, d), upper]), X
        grey = rng.normal(0, 1, (2, n_v))
        yield f"gaussian {name}", LRBN.from_params(W / scale, b, d, visible="gaussian"), grey
        yield f"gaussian rbm {name}", RBM.from_params(W / scale, b, d, visible="gaussian"), grey
        z = rng.normal(0, 1, n_v)
        V, c = rng.normal(0, scale, (n_v, n_h)), rng.normal(0, 1, n_h)
        for kind in (RWS, WakeSleep, VIMCO, NVIL, MeanFieldSBN):
            yield f"{kind.__name__} {name}", kind.from_params(W, b, d, V=V, c=c), X
        more: Any = {"V": V, "c": c, "variance": np.full(W.shape, 0.1), "n_images": 50}
        yield f"VariationalBayesSBN {name}", VariationalBayesSBN.from_params(W, b, d, **more), X
        deep: Any = {"V": V, "c": c, "U": upper[0], "e": upper[2]}
        deep |= {"V2": rng.normal(0, scale, (n_h, 5)), "c2": rng.normal(0, 1, 5)}
        for kind in (RWS, WakeSleep, VIMCO, NVIL):
            yield f"{kind.__name__} of 2 layers {name}", kind.from_params(W, b, d, **deep), X
        sure: Any = {"variance": np.full(W.shape, 0.1), "variance2": np.full((n_h, 5), 0.1), "n_images": 50}
        two = VariationalBayesSBN.from_params(W, b, d, **deep, **sure)
        yield f"VariationalBayesSBN of 2 layers {name}", two, X
        belief: Any = {"V": V, "c": c, "U": upper[0], "e": upper[2]}
        yield f"DBN {name}", DBN.from_params(W, b, d, **belief), X
        yield f"DBM {name}", DBM.from_params(W, b, d, U=upper[0], e=upper[2]), X
        yield f"variances {name}", RBM.from_params(W / scale, b, d, visible="gaussian", z=z), grey


def _cases() -> list[Case]:
    """Return all models, the small ones first."""
    cases = []
    for name, model, X in _drawn(np.random.default_rng(5)):
        seeds = 2 if model.mean_field_bound else 4  # these have most kinds of traces
        cases.append(Case(name, name.split()[-1], model, X, seeds))
    for name in SHIPPED:
        model, X = _shipped(name)
        cases.append(Case(name, "large" if model.n_latents_ > LARGE else "small", model, X, 2))
    return cases


def _ways(model: Any, seeds: int) -> Iterator[Way]:
    """Yield how each trace is made: each method from each start, free and with units held."""
    last = model.n_latents_ - 1
    in_part = model.trace_methods_of(np.full(model.n_features_in_, np.nan))
    for method in live_methods(model):
        slow = method == "mean-field" and model.n_latents_ > LARGE
        for start in ["conditional"] if slow else model.starts or [""]:
            for seed in range(1 if slow else seeds):
                held = {0: 1, last: 0} if seed % 2 and "clamp" in model.trace_options else {}
                yield Way(method, start, held, seed)
                if method in in_part and start not in model.whole_starts:
                    yield Way(method, start, held, seed, part=True)


def _shown(case: Case, way: Way) -> Iterator[Hashable]:
    """Yield what comparing a trace shows."""
    kind = type(case.model), case.model.several_layers, case.model.visible
    yield case.name
    if case.family == "large":
        yield case.family, case.model.several_layers, way.method
    else:
        yield kind, way.method, way.start
        yield kind, way.method, bool(way.held)
        yield kind, way.method, way.part
        yield way.method, way.start, bool(way.held)
        yield case.family, kind
        yield case.family, way.method, bool(way.held)


def _chosen(which: str) -> list[tuple[Case, list[Way]]]:
    """Return models and how their traces are made: "some" of any model, one at least, or all of a part."""
    cases = _cases()
    if which != "some":
        cases = [case for case in cases if (case.name in SHIPPED) == (which == "shipped")]
    every = [(case, way) for case in cases for way in _ways(case.model, case.seeds)]
    if which == "some":
        every = cover(every, lambda one: _shown(*one))
    found: dict[str, tuple[Case, list[Way]]] = {}
    for case, way in every:
        found.setdefault(case.name, (case, []))[1].append(way)
    return list(found.values())


def _block(name: str, model: Any, X: np.ndarray, ways: list[Way]) -> bytes:
    """Return a block of the traces of a model that are made in these ways."""
    how, arrays = [], {}
    for n, way in enumerate(ways):
        x, start = X[way.seed % len(X)], way.start or None
        if way.part:
            x = np.where(np.arange(len(x)) % 3 == 1, np.nan, x)
        trace = model.trace(x, way.method, init=start, clamp=way.held, random_state=way.seed)
        made = {**way._asdict(), "held": list(way.held.items())}
        how.append({**made, "converged": bool(getattr(trace, "converged", False)), "sampled": trace.sampled})
        arrays |= {
            f"{n}.x": trace.x.astype(np.float64),
            **{f"{n}.{name}": column for name, column in columns_of(trace).items()},
            f"{n}.log_joint": np.append(trace.log_joint0, trace.log_joint),
            f"{n}.wrong": trace.wrong_pixels().astype(np.float64),
        }
        if model.graph == "directed" and not model.factorised:
            h = (trace.latents(trace.n_visits) > 0.5).astype(np.uint8)
            terms = log_odds_terms(model, trace.x, h, way.seed % model.n_latents_)
            arrays |= {f"{n}.terms.{name}": np.atleast_1d(part) for name, part in terms._asdict().items()}
    return pack({"name": name, "model": described(name, name, model), "traces": how}, arrays)


def write_traces(folder: Path, which: str, kernels: bytes | None = None) -> None:
    """Write models and their traces, as `MIN_TRACES` names them, optima, and what a session answers.

    The module of kernels is the committed one unless another is given.
    """
    every = _chosen(which)
    for n, (case, ways) in enumerate(every):
        own = pack_models({case.name: case.model}, (1, case.X.shape[1]), exact=True)
        (folder / f"model{n}.bin").write_bytes(own)
        (folder / f"traces{n}.bin").write_bytes(_block(case.name, case.model, case.X, ways))
    count = sum(len(ways) for _, ways in every)
    assert count >= MIN_TRACES[which]
    count += _write_rounded(folder, len(every), which)
    # which the other tests of JavaScript have
    (folder / "expected.json").write_text(json.dumps({"traces": count}))
    (folder / "kernel.wasm").write_bytes(module() if kernels is None else kernels)
    (folder / "random.bin").write_bytes(_random_numbers())
    known = [case for case, _ in every if _is_small(case.model)]
    if which == "some":
        known = cover(known, _known_by)
        assert {case.model.visible for case in known} == {"bernoulli", "gaussian"}
        assert max(case.model.n_latents_ for case in known) == MAX_EXACT_INTERACTIVE
    for n, (name, _, model, X, _) in enumerate(known):
        (folder / f"known_model{n}.bin").write_bytes(pack_models({name: model}, (1, X.shape[1]), exact=True))
        (folder / f"known{n}.bin").write_bytes(_known(name, model, X))
    _write_optima(folder)
    _write_answers(folder)
    _write_passes(folder)


def _write_passes(folder: Path) -> None:
    """Write samples of models of each kind that a page draws from, some of them with units held."""
    cases = [(name, model) for name, model, _ in _drawn(np.random.default_rng(5))]
    cases += [(name, pretrained(name)) for name in SHIPPED]
    cases += [(f"{name}, factorised", factorised(model)) for name, model in cases[:1]]
    draws, arrays, seen = [], {}, set()
    for name, model in cases:
        if not draws_passes(model):
            continue
        seen.add(type(model))
        small = model.n_latents_ <= LARGE
        if not small and (type(model), len(model.layer_sizes_)) in seen:
            continue  # a shipped one of each kind and depth is enough
        seen.add((type(model), len(model.layer_sizes_)))
        models = f"passes_model{len(draws)}.bin"
        (folder / models).write_bytes(pack_models({name: model}, (1, model.n_visible_), exact=True))
        for seed, held in ((0, {}), (2**32 - 1, {0: 1, model.n_latents_ - 1: 0})):
            noise = seed == 0
            x0 = noise_image(model.n_visible_, seed if noise else 9, model.visible)
            made = draw_passes(model, 5, x0, clamp=held, seed=seed)
            found = {"x0": x0, "H": made.H, "X": made.X, "uniforms": made.uniforms}
            found["probabilities"] = made.probabilities
            seen.add(model.visible)
            way: Any = ""
            if (model.graph == "directed" or model.factorised) and model.visible == "bernoulli":
                way = ("best", "number", "straight")[len(draws) % 3]
                path = interpolate(model, made.H[0], made.H[1], way)
                found |= {"unit": np.maximum(path.unit, 0).astype(np.uint16), "log_joint": path.log_joint}
            arrays |= {f"{len(draws)}.{part}": np.ravel(array) for part, array in found.items()}
            draws.append({
                "name": name, "models": models, "directed": model.graph == "directed", "n": 5,
                "held": list(held.items()), "seed": seed, "noise": noise, "way": way,
            })  # fmt: skip
    assert {LRBN, RBM, DBN, DBM, RWS, "bernoulli", "gaussian"} <= seen
    (folder / "passes.bin").write_bytes(pack({"draws": draws}, arrays))


def _write_rounded(folder: Path, n: int, which: str) -> int:
    """Write a page's models with rounded weights, the last ones, and the traces that Python makes of them.

    Return how many these are. Some are one of each method but mean field.
    """
    count = 0
    # the smaller one of two layers, if its images are at hand
    deep = next(name for name in ("lrbn-200-200-ocr", "lrbn-200-200-mnist") if name in SHIPPED)
    for place, name in enumerate(("lrbn-200-mnist-flat", deep, "rbm-12-digits")):
        _, X = _shipped(name)
        exact = LiveModel(name, name, pretrained(name))
        found = packed_models({name: exact}, load_dataset(PRETRAINED[name].dataset), small=True)
        (folder / f"model{n + place}.bin").write_bytes(found)
        model = rounded(exact).model
        ways = list(_ways(model, 1))
        if which == "some":
            ways = cover([way for way in ways if way.method != "mean-field"], lambda way: [way.method])
        (folder / f"traces{n + place}.bin").write_bytes(_block(f"{name} rounded", model, X, ways))
        count += len(ways)
    return count


def _is_small(model: Any) -> bool:
    few = model.n_latents_ <= MAX_EXACT_INTERACTIVE and len(model.layer_sizes_) == 1
    return few and model.graph == "directed"


def _known_by(case: Case) -> Iterator[Hashable]:
    """Yield what the truth of a model shows."""
    yield type(case.model), case.model.visible
    yield case.family
    yield case.model.n_latents_


def _known(name: str, model: Any, X: np.ndarray) -> bytes:
    """Return a block of what is exactly known of some traces of a small model."""
    lanes, arrays = [], {}
    for n, (method, x) in enumerate(
        [
            *(("icm", X[0]), ("annealed", X[1]), ("mean-field", X[0]), ("icm-parallel", X[1])),
            *(("particles", x) for x in X if "particles" in model.trace_methods),
            *(
                ("icm", np.where(np.arange(X.shape[1]) % 3 == 1, np.nan, X[0]))
                for _ in range(model.takes_unknown)
            ),
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
        held = {0: 1} if n == 1 else {}
        beliefs = beliefs_of(model, trace, held)
        lane["held"], lane["beliefs"] = list(held.items()), None
        if beliefs is not None:
            lane["beliefs"], more = pack_beliefs(beliefs)
            found |= more
        lanes.append(lane)
        arrays |= {f"{n}.{part}": array.ravel() for part, array in found.items()}
    return pack({"name": name, "model": described(name, name, model), "lanes": lanes}, arrays)


def _random_numbers() -> bytes:
    seeds = [0, 1, 7, 12345, 2**31 - 1]
    arrays = {}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        arrays |= {
            f"{seed}.normals": np.random.default_rng(seed).standard_normal(20000),
            f"{seed}.first": rng.random(3),
            f"{seed}.coins": rng.integers(0, 2, (1, 13), dtype=np.uint8)[0],
            f"{seed}.order": rng.permuted(np.arange(20, dtype=np.int32)[None], axis=1)[0].astype(np.uint16),
            f"{seed}.again": rng.permuted(np.arange(7, dtype=np.int32)[None], axis=1)[0].astype(np.uint16),
            f"{seed}.below": rng.integers(0, 20, 9).astype(np.uint16),
            f"{seed}.floats": rng.random(5, dtype=np.float32),
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


HIDDEN = pixels_to_text(np.where(np.arange(64) % 5 == 1, np.nan, np.arange(64) % 2))
"""An image of which a part is not known."""
ACTS: list[tuple[Any, ...]] = [
    ("lane", 0, "algorithm", "annealed"),
    ("lane", 0, "seed", "5"),
    ("image", "next"),
    ("hold", 3, "on", 0),
    ("hold", 5, "off", 0),
    ("lane", 0, "algorithm", "icm-random"),
    ("lane", 0, "start", "rival"),
    ("swap",),
    ("lane", 1, "model", "lrbn-16-digits-strokes"),
    ("swap",),
    ("lane", 0, "start", "random"),
    ("cursor", 20),
    ("lane", 0, "start", "last"),
    ("lane", 1, "model", "lrbn-16-digits"),
    ("lane", 1, "start", "rival"),
    ("draw", "AAAAAAAAAAA"),
    ("image", "previous"),
    ("draw", HIDDEN),
    ("lane", 0, "model", "lrbn-16-digits"),
    ("draw", ""),
    ("hold", -1, "free", 0),
    ("lane", 1, "algorithm", "mean-field"),
    ("lane", 1, "model", "factorised:lrbn-16-digits"),
    ("draw", HIDDEN),
    ("lane", 0, "model", "lrbn-16-digits-strokes"),
    ("lane", 1, "model", "lrbn-12-digits-recognition"),
    ("lane", 1, "algorithm", "particles"),
    ("lane", 1, "seed", "3"),
    ("hold", 2, "on", 1),
    ("cursor", 40),
    ("lane", 1, "algorithm", "icm"),
    ("lane", 0, "algorithm", "icm"),
    ("lane", 0, "start", "conditional"),
    ("select", "0.6"),
    ("cursor", 7),  # a visit to unit 6, which the next act leaves one earlier
    ("hold", 1, "off", 0),
    ("hold", 6, "on", 0),  # and this one away
]
MODELS = {"lrbn-16-digits": 8, "lrbn-16-digits-strokes": 8, "lrbn-12-digits-recognition": 6}
"""By name, how many of its latents a session's model keeps: of few, all is exactly known at once."""


def _with_few(name: str, n_h: int) -> Any:
    """Return a shipped model of one layer with its first latents alone."""
    model = pretrained(name)
    W, b, d = model.layers[0]
    networks: dict[str, Any] = {}
    if model.mean_field_bound:
        (both,) = model.recognition_layers
        networks = {"V": both.V[:, :n_h], "c": both.c[:n_h]}
    return type(model).from_params(W[:, :n_h], b, d[:n_h], **networks)


def _write_answers(folder: Path) -> None:
    """Write what the explorer's session shows after each act, for a page with the same models."""
    data = load_dataset("digits")
    models, first = {name: _with_few(name, n_h) for name, n_h in MODELS.items()}, next(iter(MODELS))
    session = Session(
        load_model=models.__getitem__,
        dataset_name="digits",
        model_name=first,
        rival_name=f"factorised:{first}",
        index=7,
    )
    every = with_factorised(
        [LiveModel(name, PRETRAINED[name].title, model) for name, model in models.items()]
    )
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
            "select": lambda unit: session.param.update(selected=unit),
        }[kind](*rest)
        (folder / f"answer{n}.bin").write_bytes(pack_trace(lanes_of(session), words_of(session)))
        menus = menus_of(session)
        for menu in menus:  # a page has its own models alone
            menu["models"] = sorted(name for _, group in menu["models"] for name, _ in group if name in own)
        answers.append({"act": act, "menus": menus, "address": write_page(FIRST, session)})
    (folder / "answers.bin").write_bytes(pack({"answers": answers}, {}))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the gate compares."""
    folder = tmp_path_factory.mktemp("live")
    write_traces(folder, "some")
    return folder


def passes_all(name: str, folder: Path) -> None:
    ran = passed_in_node(HERE / name, folder, 500)
    assert ran["passed"] > 0
    print(*re.findall(r"^.*traces are equal.*$", ran["written"], re.M), sep="\n")


@pytest.mark.parametrize("name", sorted(path.name for path in HERE.glob("*.test.js")))
def test_node_finds_no_fault(name, folder):
    # Inside: The live page's engine makes the same decisions as Python's, for every inference, start and kind
    # of model that the page offers.
    passes_all(name, folder)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["drawn", "shipped"])
def test_node_finds_no_fault_in_any_trace(part, tmp_path):
    write_traces(tmp_path, part)
    passes_all("engine.test.js", tmp_path)


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
    assert set(live_names()) == set(PRETRAINED)
