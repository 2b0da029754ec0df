"""A model of two layers on the page: replayed, explained and held as the engine has it."""

from __future__ import annotations

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import START, TRACES, open_page, seek, state, trace_of, wait_for_rest, wait_until_whole

from lrbn_viz import LRBN, RBM, explain_away, log_odds_terms, pretrained
from lrbn_viz.app.shared.menus import offered
from lrbn_viz.catalog import usual_start
from lrbn_viz.core.trace import ICMTrace

NAME = "lrbn-200-200-mnist"
DEEP = {"model_name": NAME, "rival_name": "rbm-200-mnist-likeliest"}


@pytest.fixture
def layers(page: Page, serve_app) -> Page:
    """The page with the model of two layers."""
    return open_page(page, f"{serve_app.url}?model={NAME}")


@pytest.fixture
def standing_layers(page: Page, shared_page, serve_app) -> Page:
    """As `layers`, for tests that move the cursor and choose units only."""
    address = f"{serve_app.url}?model={NAME}"
    shared_page.stand("standing_layers", lambda page: open_page(page, address), TRACES, START)
    wait_until_whole(page)
    return page


@pytest.fixture(scope="module")
def trace() -> ICMTrace:
    return trace_of(**DEEP)


def test_the_page_replays_both_layers_as_the_engine_went_through_them(standing_layers: Page, trace, seen):
    every = np.random.default_rng(0).permutation(np.arange(0, trace.n_visits + 1, 37)).tolist()
    visits = [*every, 0, trace.n_visits, 200, 201]
    found = standing_layers.evaluate(
        """async (visits) => {
          const player = window.lrbnPlayers[0], found = [];
          for (const k of visits) {
            player.seek(k);
            await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
            const {h, logJoint} = player.state().lanes[0];
            found.push([h, logJoint]);
          }
          return found;
        }""",
        visits,
    )
    for k, (h, log_joint) in zip(visits, found, strict=True):
        assert (h, log_joint) == (trace.latents(k).tolist(), trace.log_joint_at(k))
    seek(standing_layers, 400)
    lane = state(standing_layers)["lanes"][0]
    assert (lane["h"], lane["logJoint"]) == (trace.latents(400).tolist(), trace.log_joint_at(400))
    assert lane["wrong"] == trace.wrong_pixels()[400]
    assert state(standing_layers)["lanes"][0]["flips"] == np.flatnonzero(trace.flipped).tolist()
    seen.assert_clean()


def test_the_why_card_says_what_the_engine_says_in_either_layer(standing_layers: Page, trace):
    k = trace.n_visits // 2
    seek(standing_layers, k)
    model, h = pretrained(NAME), trace.latents(k)
    pairs = explain_away(model, trace.x, h)
    for unit in (3, 197, 200, 371):
        standing_layers.evaluate("j => window.lrbnPlayers[0].select(0, j)", unit)
        wait_for_rest(standing_layers)
        terms, shown = log_odds_terms(model, trace.x, h, unit), state(standing_layers)["why"]
        assert shown["prior"] == pytest.approx(terms.prior, abs=1e-6)
        assert shown["evidenceSum"] == pytest.approx(terms.evidence.sum(), abs=1e-5)
        assert shown["aloneSum"] == pytest.approx(terms.alone.sum(), abs=1e-5)
        assert shown["othersSum"] == pytest.approx(terms.others.sum(), abs=1e-5)
        np.testing.assert_allclose(shown["interactions"], pairs[unit], atol=1e-4)
        expect(standing_layers.locator(".lv-why")).to_contain_text(f"layer {1 + unit // 200}")
        # a map of the pixels, or of the units below
        width = standing_layers.evaluate("() => window.lrbnPlayers[0].panels.why.views.evidence.canvas.width")
        assert width == (28 if unit < 200 else 15)


@pytest.mark.slow
def test_only_what_the_engine_has_for_several_layers_is_offered(layers: Page):
    titles = {True: offered(LRBN((9, 9)), RBM()), False: offered(LRBN(9), RBM())}
    for label, which in (("Inference in lane 1", 0), ("Start in lane 1", 1)):
        menu = layers.get_by_label(label, exact=True)
        assert menu.locator("option").all_inner_texts() == list(titles[True][which].values())
    assert layers.locator(".lv-basins").is_hidden()
    layers.get_by_label("Model in lane 1").select_option("lrbn-200-mnist-flat")
    layers.wait_for_function("() => window.lrbnPlayers[0].lanes[0].n_h === 200")
    expect(layers.get_by_label("Inference in lane 1").locator("option")).to_have_text(
        list(titles[False][0].values())
    )


@pytest.mark.slow
def test_what_one_layer_has_and_two_have_not_falls_back(page: Page, serve_app):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat&algorithm=icm-greedy&start=rival")
    page.get_by_label("Model in lane 1").select_option(NAME)
    page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].n_h === 400")
    expect(page.get_by_label("Inference in lane 1")).to_have_value("icm")
    expect(page.get_by_label("Start in lane 1", exact=True)).to_have_value(usual_start(NAME))
    open_page(page, f"{serve_app.url}?model={NAME}&algorithm=icm-greedy&start=rival&unit=0.399")
    assert state(page)["lanes"][0]["h"] == trace_of(**DEEP).latents(0).tolist()
    assert page.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": 399}


FIRST, *OTHERS = LRBN((200, 200)).trace_methods


@pytest.mark.parametrize(
    "name", [*(pytest.param(name, marks=pytest.mark.slow) for name in (FIRST, *OTHERS[:-1])), OTHERS[-1]]
)
def test_every_algorithm_that_is_offered_shows_the_engines_trace(page: Page, serve_app, name):
    open_page(page, f"{serve_app.url}?model={NAME}&algorithm={name}&seed=4")
    found = trace_of(**DEEP, algorithm=name, seed=4)
    page.evaluate("() => window.lrbnPlayers[0].move('last')")
    shown = state(page)
    assert shown["end"] == found.n_visits
    assert shown["lanes"][0]["h"] == found.latents(found.n_visits).tolist()


def test_units_of_the_upper_layer_can_be_held(layers: Page):
    seek(layers, 0)
    layers.evaluate("() => window.lrbnPlayers[0].select(0, 399)")
    layers.get_by_label("Hold this unit on").click()
    layers.wait_for_function("() => window.lrbnPlayers[0].lanes[0].held.size === 1")
    expected = trace_of(**DEEP, clamp="399on")
    assert state(layers)["end"] == expected.n_visits
    assert 399 not in layers.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].unit)")
    assert layers.evaluate("k => window.lrbnPlayers[0].latents(0, k)", 500) == expected.latents(500).tolist()
    assert layers.evaluate("k => window.lrbnPlayers[0].latents(0, k)", 500)[399] == 1
