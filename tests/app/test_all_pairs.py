"""Every pair of (model, algorithm) that lanes offer opens, is handed out, and comes back from its link.

The gate tries few pairs of models, each algorithm of either once: `tests/covering.py` says which, and the
nightly tries all.
"""

from __future__ import annotations

import copy
import functools
import itertools
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from covering import beside, capabilities, cover

from lrbn_viz import factorised, load_dataset, pretrained
from lrbn_viz.app.address import read_page, write_address
from lrbn_viz.app.inference.panels.export import ExportPanel
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.app.shared.menus import FACTORISED, RIVAL_STATE, can_trace, shipped_info, shown_models
from lrbn_viz.catalog import PRETRAINED, Kind, usual_start
from lrbn_viz.io.constants import MAX_EXACT_INTERACTIVE
from lrbn_viz.view.player.export import LIMIT, data_size
from lrbn_viz.view.player.packing import columns_of, pack_models, pack_trace
from lrbn_viz.view.player.wire import unpack

SETS = sorted({(info.dataset, info.binary) for info in PRETRAINED.values() if info.name in shown_models()})
SMALL = {("digits", True), ("digits", False), ("alarm", True), ("findings", True), ("bars", True)}
sets = pytest.mark.parametrize(("dataset", "binary"), SETS)


class Pair(NamedTuple):
    """Names of the models of two lanes."""

    first: str
    second: str

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        return kind_of(self.first), kind_of(self.second)

    @property
    def images(self) -> tuple[str, bool]:
        """Data set, and whether its images are binary."""
        info = PRETRAINED[self.first]
        return info.dataset, info.binary


def kind_of(name: str) -> Kind:
    info = shipped_info(name)
    assert info is not None
    return info.kind


def every_pair() -> Iterator[Pair]:
    """Yield the pairs that headers offer: models of the same images, or one and its weights, factorised."""
    shown = [(name, PRETRAINED[name]) for name in shown_models()]
    for first, info in shown:
        for second, other in shown:
            if (other.dataset, other.binary) == (info.dataset, info.binary):
                yield Pair(first, second)
        if info.kind.model.has_rbm_parameters:
            yield Pair(first, FACTORISED + first)


def shown_by(pair: Pair) -> Iterator[Hashable]:
    """Yield what a pair shows: each model in either lane, and what its kinds and its images do."""
    (left, right), read = pair.kinds, pair.second.startswith(FACTORISED)
    yield "first", pair.first
    yield "second", (left, "factorised") if read else pair.second
    can = {kind.name: capabilities(kind) for kind in (left, right)}
    yield from beside(left.name, right.name, can)
    yield "itself", pair.first == pair.second
    yield pair.images, left.model.factorised, right.model.factorised, read


PAIRS = list(every_pair())
GATE = cover(PAIRS, shown_by)
pairs = pytest.mark.parametrize(
    "pair",
    [
        pytest.param(pair, id=f"{pair.first}-{pair.second}", marks=() if pair in GATE else pytest.mark.slow)
        for pair in PAIRS
    ],
)


@functools.cache
def model_of(name: str) -> Any:
    """A shipped model that makes each trace once: a pair asks for what another pair has asked before."""
    model = copy.copy(pretrained(name))
    made, traces = model.trace, {}

    def trace(x: np.ndarray, method: str, **how: Any) -> Any:
        if "init" not in how:
            return made(x, method, **how)
        init, rest = how.pop("init"), sorted((name, str(value)) for name, value in how.items())
        key = (x.tobytes(), method, init if isinstance(init, str | None) else init.tobytes(), *rest)
        if key not in traces:
            traces[key] = made(x, method, init=init, **how)
        return traces[key]

    model.trace = trace
    return model


def session_of(dataset: str, binary: bool, **params: Any) -> Session:
    name = next(
        name
        for name in shown_models()
        if (PRETRAINED[name].dataset, PRETRAINED[name].binary) == (dataset, binary)
    )
    session = Session(
        load_model=model_of, dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits"
    )
    session.compare(name)
    session.param.update(**params)
    return session


def session_with(pair: Pair) -> Session:
    """A session in which a pair of models is chosen, as the headers offer them."""
    session = session_of(*pair.images)
    session.choose_in(0, "model", pair.first)
    session.choose_in(1, "model", pair.second)
    assert (session.model_name, session.rival_name) == pair
    return session


@functools.cache
def shown_with(pair: Pair) -> Session:
    """The same session for all tests that change nothing in it."""
    return session_with(pair)


@sets
def test_the_headers_offer_every_pair_and_no_other(dataset, binary):
    session, offered = session_of(dataset, binary), set()
    for first in [name for name in session.models_for(0) if session._fits(name)]:
        session.choose_in(0, "model", first)
        offered |= {(first, second) for second in session.models_for(1)}
    assert offered == {pair for pair in PAIRS if pair.images == (dataset, binary)}


def test_the_gates_pairs_are_few_and_hold_every_model_in_either_lane_and_every_kind_beside_every_ability():
    assert len(GATE) <= len(PAIRS) / 3
    names = {pair.first for pair in PAIRS}
    assert {pair.first for pair in GATE} == names
    assert {pair.second for pair in GATE} >= names
    for kind in {kind for pair in PAIRS for kind in pair.kinds}:
        partners = [
            {other for pair in some for one, other in (pair.kinds, pair.kinds[::-1]) if one is kind}
            for some in (GATE, PAIRS)
        ]
        met, possible = (
            {each for other in others for each in capabilities(other).items()} for others in partners
        )
        assert met == possible, kind


def each_once(ours: list[str], theirs: list[str]) -> list[tuple[str, str]]:
    """Return pairs of algorithms in which each stands at least once."""
    many = range(max(len(ours), len(theirs)))
    return [(ours[k % len(ours)], theirs[k % len(theirs)]) for k in many]


@pytest.mark.parametrize("together", [each_once, pytest.param(itertools.product, marks=pytest.mark.slow)])
@pairs
def test_every_pair_opens_and_comes_back_from_its_link(pair, together):
    session = session_with(pair)
    dataset, binary = pair.images
    for ours, theirs in together(*(list(model.trace_methods) for _, model in session.lanes)):
        session.choose_in(0, "algorithm", ours)
        session.choose_in(1, "algorithm", theirs)
        assert session.methods == [ours, theirs]
        for lane, (name, model) in enumerate(session.lanes):
            trace, start = session.traces[lane], session.start_of(lane) or None
            alone = model.trace(session.x, session.methods[lane], init=start, clamp={}, random_state=0)
            assert trace.to_frame().equals(alone.to_frame()), name
        link = write_address(session)
        reading = read_page("inference", link)
        assert reading.ignored == [], link
        again = Session(load_model=model_of, **reading.found)
        assert write_address(again) == link
        assert again.dataset_name == dataset
        assert again.binary == binary
        for before, after in zip(session.traces, again.traces, strict=True):
            np.testing.assert_array_equal(after.x, before.x)
            assert after.to_frame().equals(before.to_frame())


@pairs
def test_every_pair_of_models_is_packed(pair):
    """What the browser makes of the blocks is tested by tests/js and tests/ui."""
    session = shown_with(pair)
    if pair.images not in SMALL:  # the truth of small models is enumerated in the first lane alone
        assert session.lanes[0][1].n_latents_ > MAX_EXACT_INTERACTIVE
    lanes = lanes_of(session)
    assert lanes[0].title != lanes[1].title
    assert all(lane.model_title for lane in lanes)
    meta, arrays = unpack(pack_trace(lanes, words_of(session)))
    packed, weights = unpack(pack_models(session.models, session.dataset.image_shape))
    by_key = {each["key"]: position for position, each in enumerate(packed["models"])}
    for number, (lane, (name, model)) in enumerate(zip(meta["lanes"], session.lanes, strict=True)):
        assert lane["model"] == name
        position = by_key[name]
        position = packed["models"][position].get("of", position)
        W = weights[f"{position}.W"].reshape(model.layers[0].W.T.shape)
        np.testing.assert_allclose(W, model.layers[0].W.T, atol=1e-6)
        after = arrays[f"{number}.after"]
        states = after if lane["means"] else np.unpackbits(after, count=lane["n_visits"])
        expected = columns_of(session.traces[number])["after"]
        np.testing.assert_allclose(states, expected, atol=1e-6)
    mine, other = (model.layers for _, model in session.lanes)
    same = len(session.models) > 1 and all(
        len(mine) == len(other) and np.array_equal(a, b)
        for layers in zip(mine, other, strict=False)
        for a, b in zip(*layers, strict=True)
    )
    assert ("of" in packed["models"][-1]) == same, "the same weights travel once"


def visits(session: Session, name: str) -> int:
    """How long the usual trace of a model is; it decides how large a page is."""
    if name.startswith(FACTORISED):
        return session.lanes[0][1].n_latents_
    model = model_of(name)
    usual = next(iter(model.trace_methods))
    return model.trace(session.x, usual, init=usual_start(name) or None, clamp={}, random_state=0).n_visits


def longest(session: Session, some: list[Pair]) -> Pair:
    return max(some, key=lambda pair: sum(visits(session, name) for name in pair))


@sets
def test_the_longest_pair_is_handed_out_as_a_page_of_few_bytes(dataset, binary):
    session = session_of(dataset, binary)
    pair = longest(session, [pair for pair in PAIRS if pair.images == (dataset, binary)])
    page = ExportPanel(session_with(pair)).replay()
    assert data_size(page.content.decode()) <= LIMIT


@pytest.mark.slow  # to compress a page takes half a second
@sets
def test_the_longest_pair_of_any_two_kinds_is_handed_out_as_a_page_of_few_bytes(dataset, binary):
    session, alike = session_of(dataset, binary), dict[Hashable, list[Pair]]()
    for pair in PAIRS:
        if pair.images == (dataset, binary):
            alike.setdefault((pair.kinds, pair.second.startswith(FACTORISED)), []).append(pair)
    for some in alike.values():
        page = ExportPanel(session_with(longest(session, some))).replay()
        assert data_size(page.content.decode()) <= LIMIT


@pairs
def test_each_lane_names_what_it_shows_and_offers_what_its_model_can(pair):
    session = shown_with(pair)
    for number, (menu, (name, model), lane) in enumerate(
        zip(menus_of(session), session.lanes, lanes_of(session), strict=True)
    ):
        assert menu["model"] == name == lane.model
        assert [key for key, _ in menu["algorithms"]] == list(model.trace_methods)
        assert menu["algorithm"] in model.trace_methods
        assert bool(menu["starts"]) == ("init" in model.trace_options)
        starts = [model.trace_methods[menu["algorithm"]].start, *(title for _, title in menu["starts"])]
        assert lane.start in starts
        assert lane.start, "what it starts from is said, chosen or not"
        listed = dict(entry for _, entries in menu["models"] for entry in entries)
        assert name in listed
        assert set(listed) == set(session.models_for(number))
        shipped = [each for each in listed if not each.startswith(FACTORISED)]
        for each in shipped:
            info = shipped_info(each)
            assert info is not None
            assert can_trace(info)
            if number == 1:
                assert (info.dataset, info.binary) == pair.images


def test_the_same_weights_factorised_are_those_weights_and_follow_the_other_lane():
    session = session_of("digits", True)
    session.choose_in(1, "model", FACTORISED + "lrbn-12-digits")
    (_, model), (_, read) = session.lanes
    for ours, theirs in zip(model.layers[0], read.layers[0], strict=True):
        np.testing.assert_array_equal(ours, theirs)
    states = read.transform(session.x[None], method="states")
    np.testing.assert_array_equal(states[0], session.traces[1].latents(12))
    assert read.factorised
    session.choose_in(0, "model", "lrbn-16-digits")
    assert session.rival_name == FACTORISED + "lrbn-16-digits"
    session.choose_in(0, "model", "rbm-16-digits")
    assert session.rival_name == "lrbn-16-digits", "an RBM is factorised already"
    session.choose_in(0, "model", "lrbn-200-mnist-flat")
    session.choose_in(1, "model", FACTORISED + "lrbn-200-mnist-flat")
    session.choose_in(0, "model", "lrbn-200-200-mnist")
    assert session.rival_name == "rbm-200-mnist-likeliest", "two layers are no RBM's"


def test_a_model_that_is_no_other_cannot_be_chosen_and_changes_nothing():
    session = session_of("digits", True)
    before = write_address(session), session.traces
    for lane in (0, 1):
        for name in (
            "",
            "nothing",
            FACTORISED,
            FACTORISED + "rbm-12-digits",
            FACTORISED * 2 + "lrbn-12-digits",
            "live:x",
        ):
            session.choose_in(lane, "model", name)
    session.choose_in(1, "model", "lrbn-200-mnist-flat")
    session.choose_in(1, "model", FACTORISED + "lrbn-16-digits")  # the other lane shows another
    session.choose_in(1, "start", "zeros")
    session.choose_in(2, "model", "lrbn-16-digits")
    assert (write_address(session), session.traces) == before


def test_each_lane_has_its_own_start_seed_and_held_units():
    session = session_of("digits", True)
    session.choose_in(1, "model", "lrbn-12-digits")
    session.param.update(algorithm="gibbs", rival_algorithm="gibbs", seed=1, rival_seed=1)
    np.testing.assert_array_equal(session.traces[0].after, session.traces[1].after)
    session.choose_in(1, "seed", "2")
    assert not np.array_equal(session.traces[0].after, session.traces[1].after)
    session.choose_in(1, "start", "zeros")
    assert session.traces[1].h0.sum() == 0
    session.hold(3, "on", 1)
    assert (session.held_in(0), session.held_in(1)) == ({}, {3: 1})
    assert 3 not in session.traces[1].unit
    assert 3 in session.traces[0].unit
    session.cursor = 20
    state = session.traces[1].latents(20)
    session.choose_in(1, "start", "last")
    np.testing.assert_array_equal(session.traces[1].h0, state)
    again = Session(**read_page("inference", write_address(session)).found)
    for before, after in zip(session.traces, again.traces, strict=True):
        assert after.to_frame().equals(before.to_frame())


def test_lanes_start_from_each_other_one_way_at_a_time():
    session = session_of("digits", True)
    session.choose_in(1, "model", "lrbn-12-digits")
    session.choose_in(1, "algorithm", "annealed")
    session.choose_in(0, "start", RIVAL_STATE)
    last = session.traces[1].latents(session.traces[1].n_visits)
    np.testing.assert_array_equal(session.traces[0].h0, last)
    assert RIVAL_STATE not in session.starts_of(1)
    session.choose_in(1, "start", RIVAL_STATE)
    assert session.start_of(1) == "conditional", "as before"
    session.choose_in(0, "start", "zeros")
    session.choose_in(1, "start", RIVAL_STATE)
    last = session.traces[0].latents(session.traces[0].n_visits)
    np.testing.assert_array_equal(session.traces[1].h0, last)
    crossed = write_address(session).replace("start=zeros", f"start={RIVAL_STATE}", 1)
    assert len(read_page("inference", crossed).ignored) == 1
    Session(**read_page("inference", crossed).found)


def test_lanes_swap_with_all_that_was_chosen_and_back():
    session = session_of("digits", True, algorithm="gibbs", seed=4, clamp="3on")
    session.cursor = 9
    session.select("0.5")
    link, traces = write_address(session), session.traces
    session.swap()
    assert session.model_name == "rbm-12-digits"
    assert (session.selected, session.cursor) == ("1.5", 9)
    for before, after in zip(reversed(traces), session.traces, strict=True):
        assert after.to_frame().equals(before.to_frame())
    again = Session(**read_page("inference", write_address(session)).found)
    np.testing.assert_array_equal(again.traces[1].after, traces[0].after)
    session.swap()
    assert write_address(session) == link


def test_names_of_planted_causes_come_with_the_model_and_its_factorised_reading():
    session = session_of("alarm", True)
    assert session.model_name == "lrbn-2-alarm"
    assert session.rival_name == FACTORISED + "lrbn-2-alarm"
    np.testing.assert_array_equal(session.x, [1, 1])
    packed, _ = unpack(pack_models(session.models, session.dataset.image_shape))
    for each in packed["models"]:
        assert each["names"] == ["burglary", "earthquake"]
        assert each["pixels"] == ["alarm", "radio report"]
    # both causes are likely alone; the report of an earthquake explains the alarm, and the burglary with it
    lrbn, rbm = session.traces
    assert lrbn.h0.tolist() == [1, 1]
    assert lrbn.latents(lrbn.n_visits).tolist() == [0, 1]
    assert rbm.latents(rbm.n_visits).tolist() == [1, 1]


@pytest.mark.parametrize("name", ["lrbn-2-alarm", "lrbn-16-bars"])
def test_a_planted_model_is_what_drew_its_data(name):
    info, model = PRETRAINED[name], pretrained(name)
    truth = load_dataset(info.dataset).planted
    assert truth is not None
    for ours, theirs in zip(model.layers[0], (truth.W, truth.b, truth.d), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert model.latent_names_ == factorised(model).latent_names_ == truth.latent_names
    assert model.visible_names_ == truth.visible_names


def test_menus_are_sent_when_something_is_chosen_and_not_behind_a_pen():
    session = session_of("digits", True)
    player = ReplayPanel(session).player
    sent = []
    player.param.watch(lambda *events: sent.extend(event.name for event in events), ["menus", "trace"])
    session.draw("AAAAAAAAAAA")
    assert sent == ["trace"]
    session.choose_in(1, "model", "rbm-16-digits")
    assert sorted(sent) == ["menus", "trace", "trace"]
    assert player.menus[1]["model"] == "rbm-16-digits"
