"""How far lanes are from the exact posterior, and the ladder of approximations: the engine's numbers."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import seek, wait_until_whole

from lrbn_viz import exact_posterior, ladder, load_dataset, pretrained
from lrbn_viz.measure.ladder import distances

NAME = "lrbn-12-digits-recognition"


def in_words(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "\u2212")


@pytest.fixture
def card(page: Page, serve_app):
    """The card of the LRBN with its recognition network, beside the same LRBN by ICM, at the start."""
    asked = f"?model={NAME}&rival=lrbn-12-digits&algorithm=mean-field&image=1&visit=0"
    page.goto(f"{serve_app.url}{asked}")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta?.caption === '8x8 digits, test image 1'")
    wait_until_whole(page)
    found = page.locator("[data-part=ladder]")
    found.scroll_into_view_if_needed()
    return found


def test_the_ladder_and_the_curves_show_the_engines_distances_at_the_cursor(card, page, seen):
    model, x = pretrained(NAME), load_dataset("digits").test_X[1]
    found = ladder(model, x)
    for name, q in found.rungs.items():
        row = card.locator(f"tr[data-rung={name}]")
        expect(row.locator("b").first).to_have_text(in_words(q.kl, 3))
        expect(row.locator("b").last).to_have_text(in_words(q.total_variation, 3))
    shown = [float(text) for text in card.locator("tbody td:nth-child(2) b").all_inner_texts()]
    assert shown == sorted(shown, reverse=True)
    assert found.amortisation_gap is not None
    for words, gap in (
        ("Approximation gap", found.approximation_gap),
        ("Explaining away", found.explaining_away),
        ("Amortisation gap", found.amortisation_gap),
    ):
        expect(card).to_contain_text(f"{words} {in_words(gap, 2)} nats")
    trace = model.trace(x, "mean-field")
    along = distances(exact_posterior(model, x), trace)
    charts = card.get_by_role("img")
    for k in (0, 5, 12, trace.n_visits):
        seek(page, k)
        expect(charts.first).to_have_attribute("aria-label", re.compile(f" {along.kl[k]:.3f}"))
        expect(charts.last).to_have_attribute("aria-label", re.compile(f" {along.total_variation[k]:.3f}"))
    # a press in a curve goes to the visit under it, as in a lane's own curve
    box = charts.first.bounding_box()
    assert box is not None
    charts.first.click(position={"x": box["width"] * 0.6, "y": box["height"] / 2})
    k = page.evaluate("() => window.lrbnPlayers[0].k")
    assert 0 < k < page.evaluate("() => window.lrbnPlayers[0].clock.end")
    expect(charts.first).to_have_attribute("aria-label", re.compile(f"at visit {k} of "))
    seen.assert_clean()


def test_with_more_than_16_units_the_card_says_that_the_posterior_is_not_known(page: Page, serve_app):
    page.goto(f"{serve_app.url}?model=lrbn-200-mnist-flat&image=1")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta?.caption === 'MNIST subset, test image 1'")
    wait_until_whole(page)
    found = page.locator("[data-part=ladder]")
    expect(found).to_contain_text("With more units the exact posterior is not known")
    expect(found.locator("table")).to_be_hidden()


def test_cards_out_of_sight_keep_their_room_on_a_narrow_page(page: Page, serve_app):
    page.set_viewport_size({"width": 360, "height": 780})
    page.goto(f"{serve_app.url}?model=lrbn-12-digits&rival=rbm-12-digits&image=1&visit=20")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta?.caption === '8x8 digits, test image 1'")
    heights = page.evaluate(
        """() => Object.fromEntries(
          [...window.lrbnPlayers[0].inner.querySelectorAll(":scope > [data-part]")]
            .filter((node) => !node.hidden).map((node) => [node.dataset.part, node.offsetHeight])
        )"""
    )
    assert {"why", "ladder", "truth", "matrix"} <= set(heights)
    assert min(heights.values()) > 60, heights
