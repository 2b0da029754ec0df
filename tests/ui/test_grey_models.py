"""Models of grey images in a real browser: the why card, and what they draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_page, state, wait_for_rest
from ui.test_accessibility import audit
from ui.test_generate_page import WHOLE, wait_for, wait_for_query
from ui.test_generate_page import state as drawn_state

from lrbn_viz import LRBN, RBM, load_dataset, log_odds_terms, pretrained
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.lrbn.model import evidence
from lrbn_viz.view.player.greyscale import tones

LRBN_NAME, RBM_NAME = "lrbn-40-digits-grey", "rbm-40-digits-grey"
INK = """(canvas) => {
  const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return Array.from({length: data.length / 4}, (_, i) => data[4 * i]);
}"""


def why_of(page: Page, lane: int, k: int, unit: int) -> dict[str, Any]:
    page.evaluate(
        "([lane, k, j]) => { const p = window.lrbnPlayers[0]; p.seek(k); p.select(lane, j); }",
        [lane, k, unit],
    )
    wait_for_rest(page)
    return state(page)["why"]


def test_the_why_card_of_a_gaussian_unit_shows_pythons_terms(page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model={LRBN_NAME}&image=3")
    x = load_dataset("digits", binary=False).test_X[3]
    lrbn, rbm = pretrained(LRBN_NAME), pretrained(RBM_NAME)
    assert isinstance(lrbn, LRBN)
    assert isinstance(rbm, RBM)
    trace = lrbn.map_trace(x, init="conditional")
    for k, unit in ((0, 3), (20, 17), (trace.n_visits, 39)):
        shown, terms = why_of(page, 0, k, unit), log_odds_terms(lrbn, x, trace.latents(k), unit)
        assert shown["prior"] == pytest.approx(terms.prior, abs=1e-6)
        np.testing.assert_allclose(shown["evidence"], terms.evidence, atol=1e-5)
        np.testing.assert_allclose(shown["alone"], terms.alone, atol=1e-5)
        np.testing.assert_allclose(shown["others"], terms.others, atol=1e-4)
        assert shown["logOdds"] == pytest.approx(terms.log_odds, abs=1e-3)
        # equation 12: what the log-odds are with all others off
        alone = evidence(lrbn.layers[0], "gaussian", x[None])[0, unit]
        thrice = shown["prior"] + shown["evidenceSum"] + shown["aloneSum"]
        assert thrice == pytest.approx(alone, abs=1e-3)
    shown, terms = why_of(page, 1, 40, 5), log_odds_terms(rbm, x, rbm.map_trace(x).latents(40), 5)
    assert shown["aloneSum"] == shown["othersSum"] == 0
    np.testing.assert_allclose(shown["evidence"], terms.evidence, atol=1e-5)
    assert shown["logOdds"] == pytest.approx(terms.log_odds, abs=1e-3)
    seen.assert_clean()


@pytest.mark.slow
def test_with_all_others_off_nothing_is_explained_away(page, serve_app):
    open_page(page, f"{serve_app.url}?model={LRBN_NAME}&image=3&start=zeros")
    shown = why_of(page, 0, 0, 8)
    assert not any(state(page)["lanes"][0]["h"])
    assert shown["othersSum"] == 0
    assert shown["evidenceSum"] != 0
    assert "no other unit is on" in shown["verdict"]


def test_competitors_lower_the_log_odds_and_allies_raise_them(page, serve_app):
    """Also where there are few of a kind: one of the other is never listed in its place."""
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits")
    for unit in range(12):
        values = [value for k, value in enumerate(why_of(page, 0, 5, unit)["interactions"]) if k != unit]
        card = page.get_by_role("region", name="Why is this unit on or off?")
        lists = [card.locator(".lv-partners .lv-chips-row").nth(n).get_by_role("button") for n in (0, 1)]
        listed = [[float(label.replace("\u2212", "-")) for label in each.all_inner_texts()] for each in lists]
        lower = sorted(v for v in values if v < -0.5)
        raise_ = sorted((v for v in values if v > 0.5), reverse=True)
        assert listed[0] == pytest.approx(lower[:8], abs=0.051)
        assert listed[1] == pytest.approx(raise_[:8], abs=0.051)


def test_thumbnails_of_grey_images_have_their_tones(page, serve_app):
    open_page(page, f"{serve_app.url}?model={LRBN_NAME}")
    data = load_dataset("digits", binary=False)
    ink = np.rint(255 * data.to_intensity(data.test_X[0])).astype(int)
    shown = (
        page.get_by_role("listbox", name="Images")
        .locator("img")
        .first.evaluate(
            """async (image) => {
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
          const pen = canvas.getContext("2d");
          pen.drawImage(image, 0, 0);
          const {data} = pen.getImageData(0, 0, canvas.width, canvas.height);
          return Array.from({length: data.length / 4}, (_, i) => data[4 * i]);
        }"""
        )
    )
    assert len(shown) == len(ink)
    tone_of = dict(zip(ink, shown, strict=True))
    assert [tone_of[value] for value in ink] == shown, "equal ink has an equal tone"
    assert len(set(shown)) > 5
    tones_by_ink = [tone_of[value] for value in sorted(tone_of)]
    assert tones_by_ink == sorted(tones_by_ink, reverse=True), "more ink is darker"


def open_generate(page: Page, serve_app: Any) -> Any:
    """Choose the grey models from the menu, and return what they draw in Python."""
    page.goto(f"{serve_app.url}?page=generate&generator=lrbn-12-digits&passes=6&chain=data&chain_image=4")
    page.wait_for_function(WHOLE)
    page.get_by_role("combobox", name="Model").select_option("LRBN-40, grey 8x8 digits")
    wait_for(page, "state.key.startsWith(arg)", LRBN_NAME)
    page.wait_for_function("() => window.lrbnGenerators[0].walk.lanes[0].model.visible === 'gaussian'")
    return GenerateState(
        model_name=LRBN_NAME, rival_name=RBM_NAME, dataset_name="digits", passes=6, begin="data", index=4
    )


def test_both_grey_models_draw_in_lock_step_what_the_engine_draws(page, serve_app, seen):
    generation = open_generate(page, serve_app)
    wait_for_query(page, "generator", LRBN_NAME)
    page.keyboard.press("End")
    shown = drawn_state(page)
    assert (shown["t"], shown["whole"]) == (5, True)
    data = generation.dataset
    for lane, passes, near in zip(shown["lanes"], generation.drawn, generation.nearest, strict=True):
        np.testing.assert_allclose(lane["x"], passes.X[-1], rtol=1e-6)
        np.testing.assert_array_equal(lane["h"], passes.H[-1])
        np.testing.assert_allclose(lane["near"], data.train_X[near.row[-1]], rtol=1e-6)
        assert lane["distance"] == pytest.approx(near.distance[-1], rel=1e-6)
    lrbn, rbm = generation.models
    for lane, model in enumerate((lrbn, rbm)):
        mean = model.inverse_transform(generation.drawn[lane].H[-1:])[0]
        np.testing.assert_allclose(shown["lanes"][lane]["mean"], mean, atol=1e-4)
    for text in ("from the one before", "Gibbs chain", "ancestral sampling"):
        expect(page.get_by_text(text).first).to_be_visible()
    assert "px" not in page.locator(".lv-passes").inner_text()
    # the chain: latents of each pass are drawn from the grey image before
    page.keyboard.press("Home")
    p = rbm.posterior(generation.drawn[1].x0[None])[0]
    np.testing.assert_allclose(drawn_state(page)["lanes"][1]["p"], p, atol=1e-4)
    seen.assert_clean()


@pytest.mark.slow
def test_samples_are_grey_between_the_limits_of_the_training_board(page, serve_app):
    generation = open_generate(page, serve_app)
    page.keyboard.press("End")
    page.wait_for_function("() => window.lrbnGenerators[0].clock.stale === false")
    data = generation.dataset
    scale = page.evaluate("() => Array.from(window.lrbnGenerators[0].colours.tables.ink, (c) => c & 255)")
    for lane, passes in enumerate(generation.drawn):
        mean = generation.models[lane].inverse_transform(passes.H[-1:])[0]
        for name, image in (("drawn", passes.X[-1]), ("mean", mean)):
            found = page.locator(f".lv-pass[data-lane='{lane}'] .lv-{name} canvas").evaluate(INK)
            expected = np.array(scale)[tones(image, data).astype(int)]
            assert np.abs(np.array(found) - expected).max() <= 2, name
            assert len(set(found)) > 8, "shades of grey, not two"


@pytest.mark.slow
def test_the_page_of_grey_models_passes_the_audit_narrow_and_dark(page, serve_app):
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{serve_app.url}?page=generate&generator={LRBN_NAME}&passes=6")
    page.wait_for_function(WHOLE)
    overflow = page.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0
    new, _, passed = audit(page)
    assert new == []
    assert "color-contrast" in passed
