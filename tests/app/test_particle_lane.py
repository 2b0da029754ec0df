"""A lane of importance-weighted particles: its menu, its words, links, replays and notebooks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from app.test_export import blocks

from lrbn_viz.app.address import read_page, write_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.core.posterior import MAX_EXACT_INTERACTIVE
from lrbn_viz.core.trace import ParticleTrace
from lrbn_viz.measure.ladder import distances
from lrbn_viz.notebook import show_trace
from lrbn_viz.view.player.export import LIMIT, data_size, replay_html
from lrbn_viz.view.player.packing import pack_trace
from lrbn_viz.view.player.wire import unpack

NAME = "lrbn-12-digits-recognition"


def session(**params: Any) -> Session:
    asked: dict[str, Any] = {"model_name": NAME, "rival_name": NAME, "dataset_name": "digits"}
    return Session(**{**asked, "algorithm": "particles", **params})


def shown_in(page: Session) -> ParticleTrace:
    trace = page.traces[0]
    assert isinstance(trace, ParticleTrace)
    return trace


def test_it_starts_from_one_particle_has_no_start_to_choose_and_a_seed_that_decides():
    page = session(start="random", seed=3)
    ours, other = menus_of(page)
    assert (ours["algorithm"], ours["starts"], ours["start"], ours["seed"]) == ("particles", [], "", 3)
    assert other["starts"]
    assert ("particles", "Importance-weighted particles") in ours["algorithms"]
    lane = lanes_of(page)[0]
    assert (lane.start, lane.sampled, lane.seed, lane.truth) == ("one particle", True, 3, None)
    np.testing.assert_array_equal(shown_in(page).particles, shown_in(session(seed=3)).particles)
    assert (shown_in(session(seed=4)).particles != shown_in(page).particles).any()


def test_a_link_brings_it_back_with_its_seed_and_held_units():
    first = session(seed=5, clamp="2on", cursor=17, index=4)
    again = Session(**read_page("inference", write_address(first)).found)
    assert again.cursor == 17
    np.testing.assert_array_equal(shown_in(again).particles, shown_in(first).particles)
    np.testing.assert_array_equal(shown_in(again).log_weights, shown_in(first).log_weights)
    assert (shown_in(again).particles[:, 2] == 1).all()


def test_what_is_packed_gives_back_every_particle_and_weight_and_its_distance():
    page = session()
    trace, lane = shown_in(page), lanes_of(page)[0]
    meta, arrays = unpack(pack_trace(lanes_of(page), words_of(page)))
    assert meta["lanes"][0]["particles"] is True
    assert "particles" not in meta["lanes"][1]
    bits = np.unpackbits(arrays["0.particles"])[: trace.n_visits * trace.n_h]
    np.testing.assert_array_equal(bits.reshape(trace.n_visits, trace.n_h), trace.particles[1:])
    np.testing.assert_array_equal(arrays["0.h0"], trace.particles[0])
    np.testing.assert_allclose(arrays["0.log_odds"], trace.log_weights[1:], rtol=1e-6)
    np.testing.assert_allclose(arrays["0.after"], trace.shares_of_latest(), rtol=1e-6)
    assert lane.distance is not None
    posterior = page.lanes[0][1].exact_posterior(trace.x.astype(float))
    np.testing.assert_allclose(lane.distance.kl, distances(posterior, trace).kl)
    np.testing.assert_allclose(arrays["0.distance.kl"], lane.distance.kl, rtol=1e-6)
    assert trace.n_h <= MAX_EXACT_INTERACTIVE
    assert meta["lanes"][0]["optimum"] == lane.optimum == posterior.log_evidence
    assert lanes_of(session(clamp="2on"))[0].optimum is None  # then they estimate something else


@pytest.mark.parametrize("how", [{}, {"rival_algorithm": "gibbs"}])
def test_a_replay_holds_it_within_the_limit(how):
    page = session(**how)
    text = replay_html(page.models, page.dataset.image_shape, lanes_of(page), words_of(page))
    assert data_size(text) <= LIMIT
    meta, arrays = unpack(blocks(text)[2])
    assert meta["lanes"][0]["particles"] is True
    np.testing.assert_allclose(arrays["0.log_joint"][1:], shown_in(page).log_joint)


def test_a_notebook_plays_it():
    page = session()
    model = page.lanes[0][1]
    widget = show_trace(shown_in(page), models=[model], image_shape=(8, 8))
    meta, _ = unpack(widget.trace)
    assert meta["lanes"][0]["particles"] is True
