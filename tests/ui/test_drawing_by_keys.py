"""The visitor's own image: drawn without a pointer, named as own, with tools that stay where they are."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Page, expect
from ui.journeys import back_to_the_image, open_page

from lrbn_viz import load_dataset

BITS = "() => Array.from(window.lrbnPlayers[0].input.states)"
PLACES = """() => Array.from(
  window.lrbnPlayers[0].root.querySelectorAll('.lv-input-side .lv-btn:not([data-part])'),
  (node) => { const {x, y} = node.getBoundingClientRect(); return [x, y]; })"""
SHOWN = (
    "() => { const {lanes, meta} = window.lrbnPlayers[0]; return [Array.from(lanes[0].x), meta.caption]; }"
)


def test_an_image_is_drawn_by_keys_and_called_the_visitors_own(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat")
    original = load_dataset("mnist5k").test_X[0]
    caption, own = page.locator(".lv-input .lv-caption"), page.locator(".lv-own")
    gallery = page.get_by_role("listbox", name="Images")
    expect(caption).to_contain_text("MNIST subset, test image 0")
    expect(own).to_have_text("")
    expect(gallery.get_by_role("option", selected=True)).to_have_attribute("data-index", "0")
    places = [page.evaluate(PLACES)]
    assert len(places[0]) > 8

    pen = page.get_by_role("button", name="Draw", exact=True)
    expect(pen).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Start from an empty image").click()
    expect(pen).to_have_attribute("aria-pressed", "true")
    expect(caption).to_contain_text(f"Own image MNIST subset, test image 0, {original.sum()} pixels changed")
    expect(own).to_have_text("Own image, in place of image 0.")
    expect(gallery.get_by_role("option", selected=True)).to_have_count(0)
    places.append(page.evaluate(PLACES))

    canvas = page.get_by_role("application", name=re.compile("^Input image.*arrow keys"))
    said, cursor = page.locator(".lv-input [role=status]"), page.locator(".lv-drawing-cursor")
    expect(cursor).to_be_hidden()
    k = page.evaluate("() => window.lrbnPlayers[0].k")
    canvas.focus()
    page.keyboard.press("ArrowUp")
    expect(cursor).to_be_visible()
    expect(said).to_have_text("row 14, column 15: empty")
    assert page.evaluate("() => window.lrbnPlayers[0].k") == k, "the replay does not move"
    page.keyboard.press("Space")
    expect(said).to_have_text("row 14, column 15: drawn")
    drawn = np.zeros((28, 28), np.uint8)
    drawn[12:15, 14] = drawn[13, 13:16] = 1
    np.testing.assert_array_equal(np.reshape(page.evaluate(BITS), (28, 28)), drawn)
    for _ in range(3):
        page.keyboard.press("Shift+ArrowRight")
    expect(said).to_have_text("row 14, column 18: drawn")
    drawn[12:15, 14:18] = drawn[13, 13:19] = 1
    np.testing.assert_array_equal(np.reshape(page.evaluate(BITS), (28, 28)), drawn)
    page.keyboard.press("e")
    drawn[12:15, 17] = drawn[13, 16:19] = 0
    np.testing.assert_array_equal(np.reshape(page.evaluate(BITS), (28, 28)), drawn)
    changed = int((drawn.ravel() != original).sum())
    expect(caption).to_contain_text(f"{changed} pixels changed")
    page.wait_for_function(
        f"want => {{ const [x, caption] = ({SHOWN})(); return x.join() === want; }}",
        arg=",".join(map(str, drawn.ravel())),
    )

    page.get_by_role("button", name="Cover a rectangle").click()
    canvas.focus()
    page.keyboard.press("Enter")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    drawn[12:14, 14:18] = 0
    np.testing.assert_array_equal(np.reshape(page.evaluate(BITS), (28, 28)), drawn)
    places.append(page.evaluate(PLACES))

    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_contain_text("space or Enter draws there")
    page.keyboard.press("Escape")
    back_to_the_image(page, 0)
    expect(own).to_have_text("")
    places.append(page.evaluate(PLACES))
    assert all(place == places[0] for place in places), "no tool has moved"
    seen.assert_clean()
