"""What every model of the catalogue must do, and so a model in one file and one line of the catalogue."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from app.training import until
from contracts.dummy_model import MeanField, means_of
from covering import kinds_for_the_gate, pairs_for_the_gate
from tiny_models import N_H, digest, tiny

from lrbn_viz import ICMTrace, exact_posterior, explain_away, load_dataset, load_model, pretrained
from lrbn_viz.app.generate.panel import DrawingSettings
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.generate.wire import passes_of, walks_of
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.app.train.blocks import run_block
from lrbn_viz.app.train.form import find_errors, form_fields
from lrbn_viz.app.train.inspection import inspection_of
from lrbn_viz.app.train.state import TrainState
from lrbn_viz.catalog import SYSTEMS, Kind, kinds, system_of
from lrbn_viz.core.model import ALL_OFF, Model, NotOffered
from lrbn_viz.core.system import System
from lrbn_viz.core.trace import ParticleTrace, visits_of
from lrbn_viz.measure import (
    ais_bracket,
    log_likelihood,
    raise_bracket,
    reconstruction_error,
    representation_quality,
)
from lrbn_viz.measure.interpolation import interpolate
from lrbn_viz.measure.passes import draw_passes, noise_image
from lrbn_viz.notebook import show_trace
from lrbn_viz.studies.runs.registry import RunRegistry
from lrbn_viz.view.player.packing import pack_models, pack_trace
from lrbn_viz.view.player.wire import unpack

DUMMY = "Mean field"
KINDS = {**kinds(), MeanField.__name__: Kind(MeanField)}
DRAWING = {name: kind for name, kind in KINDS.items() if kind.model.draws_passes}


@pytest.fixture(autouse=True)
def catalogue(monkeypatch):
    """Add the one line of the dummy model; nothing else knows of it."""
    monkeypatch.setitem(SYSTEMS, DUMMY, KINDS[MeanField.__name__])


@pytest.fixture(scope="module")
def digits():
    return load_dataset("digits")


@pytest.fixture
def fitted(tiny_model):
    """A tiny trained model of the kind that has this name."""
    return lambda name: tiny_model(KINDS[name])


every = pytest.mark.parametrize("name", KINDS)
"""All that files and lanes may hold."""
every_system = pytest.mark.parametrize("name", [*SYSTEMS, DUMMY])
"""All that the Train page offers."""


@every
def test_it_says_what_it_is(name, fitted):
    model = fitted(name)
    assert isinstance(model, Model)
    assert model.is_fitted
    assert not kinds()[name]().is_fitted
    assert model.graph in ("directed", "undirected", "mixed")
    assert (model.n_latents_, model.n_visible_) == (N_H, 64)
    assert (len(model.layer_sizes_) > 1) == model.several_layers
    assert model.trace_methods
    assert model.likelihoods
    assert isinstance(fitted(name).make_system(), System)


@every
def test_training_beats_independent_pixels_and_equal_seeds_give_equal_models(name, digits, fitted):
    X = digits.test_X
    one, other = (tiny(KINDS[name], n_iter=2).fit(digits.train_X[:400]) for _ in range(2))
    assert digest(one) == digest(other)
    on = (digits.train_X.sum(axis=0) + 0.5) / (len(digits.train_X) + 1)
    alone = (X * np.log(on) + (1 - X) * np.log1p(-on)).sum(axis=1).mean()
    assert log_likelihood(fitted(name), X, method="exact").mean > alone + 1.0


@every_system
def test_training_raises_the_score_that_it_is_judged_by(name, digits, fitted):
    kind = SYSTEMS[name]
    model, X = fitted(kind.name), digits.train_X
    assert kind.model.score_title
    system, rng = model.make_system(), np.random.default_rng(0)
    began = system.validate(system.init(X, np.random.default_rng(1)), digits.test_X, rng)["score"]
    state = model.state_from(model.params_, rng)
    assert system.validate(state, digits.test_X, np.random.default_rng(0))["score"] > began + 0.5


@every
def test_it_is_saved_and_loaded(name, digits, fitted, tmp_path):
    model = fitted(name)
    model.save(tmp_path / "model.npz", provenance={"data": "digits"})
    again = load_model(tmp_path / "model.npz")
    assert type(again) is type(model)
    assert again.provenance_ == {"data": "digits"}
    np.testing.assert_array_equal(again.transform(digits.test_X[:20]), model.transform(digits.test_X[:20]))


@every
def test_with_its_own_layers_it_is_the_same_model(name, digits, fitted):
    """As a replay asks with rounded ones."""
    model = fitted(name)
    X = digits.test_X[:5]
    again = model.with_layers(model.layers)
    for ours, theirs in zip(model.infer(X), again.infer(X), strict=True):
        np.testing.assert_allclose(theirs, ours, atol=1e-6)
    H = model.split(np.zeros((5, model.n_latents_), np.uint8))
    np.testing.assert_allclose(again.joint(X, H), model.joint(X, H), rtol=1e-6)


@every
def test_every_kind_of_inference_gives_states_or_means_of_each_layer(name, digits, fitted):
    model, X = fitted(name), digits.test_X[:10]
    for options in [{"method": method} for method in model.methods] or [{}]:
        parts = model.infer(X, **options)
        assert tuple(part.shape[1] for part in parts) == model.layer_sizes_
        H = np.hstack(parts)
        assert H.shape == (10, N_H)
        assert ((H >= 0) & (H <= 1)).all()
        assert H.dtype.kind == "f" or set(np.unique(H)) <= {0, 1}
    assert model.reconstruct(X).shape == X.shape


@every
def test_every_kind_of_trace_replays_and_survives_a_file(name, digits, fitted, tmp_path):
    model, x = fitted(name), digits.test_X[0]
    for method, kind in model.trace_methods.items():
        trace = model.trace(x, method, init="conditional", clamp={}, random_state=0)
        if kind.monotone:
            joints = np.append(trace.log_joint0, trace.log_joint)
            assert (np.diff(joints) > -1e-8).all()
        assert kind.start or "init" in model.trace_options, "players say what it starts from"
        if kind.start == ALL_OFF:
            assert not trace.latents(0).any()
        trace.save(tmp_path / "trace.npz")
        again = ICMTrace.load(tmp_path / "trace.npz")
        assert again.means == trace.means
        for k in (0, trace.n_visits // 2, trace.n_visits):
            np.testing.assert_array_equal(again.latents(k), trace.latents(k))
            guess = trace.reconstruction(k) > 0.5
            assert trace.wrong_pixels()[k] == (guess != x).sum()


@every
def test_the_log_joint_gives_posterior_interactions_and_log_odds(name, digits, fitted):
    model, x = fitted(name), digits.test_X[0]
    H = ((np.arange(2**N_H)[:, None] >> np.arange(N_H)) & 1).astype(np.uint8)
    joints = model.log_joint(np.tile(x, (len(H), 1)), H)
    posterior = exact_posterior(model, x)
    np.testing.assert_allclose(posterior.log_joints, joints, atol=1e-9)
    assert posterior.log_evidence == pytest.approx(float(model.log_marginal(model.check_images(x[None]))[0]))
    odds = np.hstack(model.conditional_log_odds(model.check_images(x[None]), model.split(H[:1])))
    by_hand = joints[1 << np.arange(N_H)] - joints[0]
    np.testing.assert_allclose(odds[0], by_hand, atol=1e-8)
    pairs = explain_away(model, x, H[0])
    both = joints[3] - joints[2] - joints[1] + joints[0]
    assert pairs[0, 1] == pytest.approx(both, abs=1e-8)
    np.testing.assert_allclose(pairs, pairs.T, atol=1e-8)
    assert model.factorised == (not pairs.any())


@pytest.mark.parametrize("name", kinds_for_the_gate(KINDS))
def test_it_is_evaluated_by_every_estimator_that_applies(name, digits, fitted):
    model, X = fitted(name), digits.test_X[:10]
    truth = log_likelihood(model, X, method="exact")
    assert truth.bound == "exact"
    for method in ("map_bound", "csl", "ais", "raise", "importance"):
        if method not in model.likelihoods:
            with pytest.raises(ValueError, match="method must be one of"):
                log_likelihood(model, X, method=method)
            continue
        found = log_likelihood(model, X, method=method, n_samples=500, n_temperatures=100, n_chains=4)
        slack = 1.0 if found.bound == "lower" else -1.0
        assert slack * (truth.mean - found.mean) > -0.5
        if method != "map_bound":
            assert found.mean == pytest.approx(truth.mean, abs=0.5)
    assert reconstruction_error(model, X).shape == (10,)
    quality = representation_quality(
        model,
        digits.train_X[:300],
        digits.train_y[:300],
        digits.test_X[:100],
        digits.test_y[:100],
        pixels=False,
    )
    assert quality.accuracy > 0.2


@every
def test_it_draws(name, digits, fitted):
    model = fitted(name)
    assert model.sample(5, random_state=0).shape == (5, 64)
    if not model.draws_passes:
        with pytest.raises(NotOffered, match=f"{name} offers no passes of independent latents"):
            draw_passes(model, 3, digits.test_X[0])
        return
    passes = draw_passes(model, 3, digits.test_X[0], clamp={1: 1}, seed=2)
    assert (passes.H[:, 1] == 1).all()
    assert passes.X.shape == (3, 64)
    walk = interpolate(model, np.zeros(N_H, np.uint8), np.ones(N_H, np.uint8))
    best = model.log_joint(model.most_probable(walk.H), walk.H)
    np.testing.assert_allclose(walk.log_joint, best, atol=1e-9)


@every
def test_what_it_does_not_offer_it_refuses_in_words(name, digits, fitted):
    model, x = fitted(name), digits.test_X[0].astype(float)
    if not model.supports_restarts:
        with pytest.raises(NotOffered, match=f"{type(model).__name__} offers no search of local optima"):
            model.climb(x, np.zeros((1, N_H), np.uint8))
    if model.graph != "directed":
        with pytest.raises(NotOffered, match="expected a directed model"):
            ais_bracket(model)
    if "raise" not in model.likelihoods:
        with pytest.raises(NotOffered, match="expected an undirected model"):
            raise_bracket(model, digits.test_X[:1])


@pytest.mark.parametrize(("name", "other"), pairs_for_the_gate(KINDS))
def test_it_is_in_a_lane_beside_any_other_by_any_inference(name, other, fitted):
    """Beside itself too: then each lane has an inference of its own."""
    model, rival = fitted(name), fitted(other)
    models = {name: model, other: rival}
    session = Session(load_model=models.__getitem__, dataset_name="digits", model_name=name, rival_name=other)
    assert session.lanes == [(name, model), (other, rival)]
    for start in session.starts:
        session.begin_from(start)
    methods = [list(each.trace_methods) for each in (model, rival)]
    many = range(max(map(len, methods)))
    # each method of either at least once, and at last the usual ones, which need no name
    asked = [tuple(names[k % len(names)] for names in methods) for k in many]
    for chosen in [*asked, ("", "")]:
        session.param.update(algorithm=chosen[0], rival_algorithm=chosen[1])
        lanes = lanes_of(session)
        for each, names, method, lane in zip((model, rival), methods, chosen, lanes, strict=True):
            assert lane.subtitle.startswith(each.trace_methods[method or names[0]].title)
        assert lanes[0].title != lanes[1].title
        expected = rival.trace(session.x, chosen[1] or None, random_state=session.seed)
        np.testing.assert_array_equal(lanes[1].trace.log_joint, expected.log_joint)
        end = expected.n_visits
        np.testing.assert_array_equal(lanes[1].trace.latents(end), expected.latents(end))
    words = words_of(session)
    meta, _ = unpack(pack_trace(lanes_of(session), words))
    packed, _ = unpack(pack_models(session.models, session.dataset.image_shape))
    assert {lane["model"] for lane in meta["lanes"]} == {each["key"] for each in packed["models"]}


@pytest.mark.parametrize(("name", "other"), pairs_for_the_gate(DRAWING))
def test_it_draws_in_a_lane_beside_any_other(name, other, fitted):
    models = {name: fitted(name), other: fitted(other)}
    page = GenerateState(
        load_model=models.__getitem__,
        dataset_name="digits",
        model_name=name,
        rival_name=other,
        passes=3,
    )
    directed = [model.graph == "directed" for model in page.models]
    assert len(page.chains) == directed.count(False)
    page.hold(1, 2, "on")
    page.walk_between("s0", "t4", "best")
    lanes = unpack(passes_of(page))[0]["lanes"]
    assert [lane["model"] for lane in lanes] == [name, other]
    assert [lane["chain"] for lane in lanes] == [not each for each in directed]
    assert lanes[0]["title"] != lanes[1]["title"]
    assert [lane["model"] for lane in unpack(walks_of(page))[0]["lanes"]] == [name, other]
    assert DrawingSettings(page).begin.visible == (not all(directed))
    for number, model in enumerate(page.models):
        expected = draw_passes(model, 3, noise_image(64, 0), clamp={2: 1} if number else {}, seed=0)
        np.testing.assert_array_equal(page.drawn[number].X, expected.X)


@every
def test_a_notebook_shows_its_trace(name, digits, fitted):
    model = fitted(name)
    trace = model.map_trace(digits.test_X[0])
    _, arrays = unpack(show_trace(trace, models=[model]).models)
    for number, (W, _, _) in enumerate(model.layers):
        shown = arrays[f"0.W{number or ''}"]
        np.testing.assert_allclose(shown.reshape(W.T.shape), W.T, atol=1e-4)
    if trace.model == "deep":
        with pytest.raises(ValueError, match="expected the model of a trace of several layers"):
            show_trace(trace)
    else:
        assert unpack(show_trace(trace).models)[0]["models"][0]["factorised"] == model.factorised
    with pytest.raises(ValueError, match="expected the model of the trace, of 6 latents and 64 visible"):
        show_trace(trace, models=[pretrained("lrbn-12-digits")])


@every_system
def test_the_form_offers_it_and_judges_its_settings(name, tmp_path):
    assert "n_components" in form_fields(name)
    state = TrainState(RunRegistry(tmp_path))
    state.edit("0.system", name)
    assert state.form.lanes[0].system == name
    assert not find_errors(state.form)
    state.edit("0.learning_rate", "-1")
    assert "0.learning_rate" in find_errors(state.form)


@every_system
def test_a_page_trains_it_and_shows_it_in_a_lane(name, tmp_path):
    registry = RunRegistry(tmp_path, probe_seconds=0.1)
    state = TrainState(registry)
    state.choose_preset("small")
    state.edit("budget", "passes")
    state.edit("0.system", name)
    state.edit("0.n_components", str(N_H))
    state.edit("amount", "1")
    assert not state.messages
    try:
        state.start()
        wait_until_done(state)
        assert state.status == "done", state.error
        live = state.live
        assert live is not None
        meta, arrays = unpack(run_block(live, {}))
        assert meta["lanes"][0]["system"] == name
        assert meta["lanes"][0]["score"] == SYSTEMS[name].model.score_title
        assert meta["lanes"][0]["score_name"] == SYSTEMS[name].model.score_name
        assert arrays["0.filters"].shape == (N_H, 64)
        found = inspection_of(live, 0)
        shown = Session()
        first, second = found.models
        shown.inspect(
            first, second, found.data, found.x, found.origin, found.algorithm, found.start, found.models
        )
        lanes = lanes_of(shown)
        assert SYSTEMS[name].model.short in [lane.title for lane in lanes]
        meta, arrays = unpack(pack_trace(lanes, words_of(shown)))
        models, weights = unpack(pack_models(shown.models, found.data.image_shape))
        for number, (lane, model) in enumerate(zip(lanes, shown.models.values(), strict=True)):
            assert models["models"][number]["factorised"] == model.factorised
            np.testing.assert_allclose(
                weights[f"{number}.W"].reshape(-1, 64), model.layers[0][0].T, atol=1e-4
            )
            assert meta["lanes"][number]["means"] == lane.trace.means
            after, trace = arrays[f"{number}.after"], lane.trace
            if isinstance(trace, ParticleTrace):
                np.testing.assert_allclose(after, trace.shares_of_latest(), atol=1e-6)
            elif lane.trace.means:
                np.testing.assert_allclose(after, visits_of(trace).after, atol=1e-6)
            else:
                np.testing.assert_array_equal(np.unpackbits(after)[: trace.n_visits], visits_of(trace).after)
    finally:
        registry.close()


@every_system
def test_it_is_begun_beside_another_paused_opened_in_lanes_and_resumed(name, tmp_path):
    systems = list(SYSTEMS)
    beside = systems[(systems.index(name) + 1) % len(systems)]
    registry = RunRegistry(tmp_path, probe_seconds=60.0)
    state = TrainState(registry)
    state.choose_preset("small")
    state.edit("budget", "passes")
    for lane, system in enumerate((name, beside)):
        state.edit(f"{lane}.system", system)
        state.edit(f"{lane}.n_components", str(N_H))
    state.edit("batch_size", "100")
    state.edit("amount", "500")
    assert not state.messages
    try:
        state.start()
        until(state, lambda: state.live is not None and state.live.run.step >= 2)
        state.pause()
        until(state, lambda: state.status == "paused")
        live = state.live
        assert live is not None
        assert [lane.error for lane in live.run.lanes.values()] == [None, None]
        at = live.run.step
        state.open_lanes([0, 1])
        session = Session()
        opened: Any = state.opened
        session.open_models(opened.models, opened.data)
        models = list(session.models.values())
        assert [system_of(model) for model in models] == [name, beside]
        everything = zip(models, session.methods, session.traces, strict=True)
        for number, (model, method, trace) in enumerate(everything):
            init = session.start_of(number) or None
            expected = model.trace(session.x, method, init=init, random_state=0)
            assert trace.to_frame().equals(expected.to_frame())
        state.start()
        until(state, lambda: live.run.step > at)
        assert state.status in ("running", "done"), state.error
    finally:
        registry.close()


def wait_until_done(state: TrainState) -> None:
    deadline = time.monotonic() + 120
    while state.status not in ("done", "failed") and time.monotonic() < deadline:
        state.poll()
        time.sleep(0.01)


def test_the_dummy_models_trace_holds_means(digits, fitted):
    model, x = fitted(MeanField.__name__), digits.test_X[3]
    trace = model.map_trace(x)
    assert trace.means
    np.testing.assert_allclose(
        trace.latents(trace.n_visits), means_of(model.params_, x[None] * 1.0)[0], atol=5e-3
    )
    truth = exact_posterior(model, x)
    assert trace.log_joint[-1] <= truth.log_evidence + 1e-9
    assert trace.log_joint[-1] > truth.log_evidence - 3
    assert isinstance(next(iter(trace)).after, float)
