"""What is not known, in a real browser: hidden, pressed, told, sent in a link, and shown by a live page."""

from __future__ import annotations

import re

import numpy as np
from playwright.sync_api import Page, expect
from ui.journeys import open_page, wait_for_rest
from ui.test_accessibility import audit

from lrbn_viz import export_live

STATES = "() => Array.from(window.lrbnPlayers[0].input.states)"
UNKNOWN = "() => Array.from(window.lrbnPlayers[0].lanes[0].x, Number.isNaN)"
MARGINALS = """() => {
  const [{truth, n_h}] = window.lrbnPlayers[0].lanes;
  return [...truth.marginals.slice(0, n_h), truth.log_evidence];
}"""
EVIDENCE = {
    (2, 2): (0.1000, 0.1000, 0.0),
    (1, 2): (0.4311, 0.4311, -1.5073),
    (1, 1): (0.1130, 0.9856, -2.4395),
    (1, 0): (0.6378, 0.0711, -2.0078),
    (2, 1): (0.1000, 0.9091, -2.3126),
}
"""P(burglary), P(earthquake) and log P of the alarm's two observations; 2: not known."""


def drag(page: Page) -> None:
    """A rectangle over the lower half of the image."""
    box = page.locator(".lv-input canvas.lv-pixels").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 1, box["y"] + box["height"] / 2 + 1)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] - 1, steps=4)
    page.mouse.up()


def unknown(page: Page, n: int) -> np.ndarray:
    """Wait until the lanes have an image with so many unknown pixels, and return which they are."""
    page.wait_for_function(f"n => ({UNKNOWN})().filter(Boolean).length === n", arg=n)
    return np.array(page.evaluate(UNKNOWN))


def pressed(page: Page, wanted: tuple[int, ...]) -> None:
    """Press the observations until they are as wanted."""
    buttons = page.locator(".lv-variable-switch")
    for n, state in enumerate(wanted):
        for _ in range(2):
            if page.evaluate(STATES)[n] == state:
                break
            buttons.nth(n).click()
        assert page.evaluate(STATES)[n] == state
    page.wait_for_function(
        "want => { const x = window.lrbnPlayers[0].lanes[0].x; return Array.from(x, (v) => "
        "Number.isNaN(v) ? 2 : v).join() === want; }",
        arg=",".join(map(str, wanted)),
    )


def says_the_table(page: Page) -> None:
    """The page's exact posterior is that of the table, for each evidence."""
    for wanted, figures in EVIDENCE.items():
        pressed(page, wanted)
        page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].truth")
        np.testing.assert_allclose(page.evaluate(MARGINALS), figures, atol=5e-5)


def test_what_is_covered_is_off_and_by_one_press_not_known(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat&image=3")
    tool = {name: page.locator(f".lv-tools [data-do={name}]") for name in ("occlude", "hide", "unknown")}
    tool["occlude"].click()
    drag(page)
    unknown(page, 0)
    covered = np.array(page.evaluate(STATES)).reshape(28, 28)
    assert not covered[15:].any()
    tool["hide"].click()
    hidden = unknown(page, 14 * 28).reshape(28, 28)
    assert hidden[14:].all()
    assert not hidden[:14].any()
    caption = page.locator(".lv-input .lv-caption")
    expect(caption).to_have_text("7 MNIST subset, test image 3, 392 pixels not known")
    expect(page.get_by_label("Inference in lane 2")).to_have_text("ICM")
    expect(page.locator(".lv-legends").first).to_contain_text("not known; in the reconstruction, filled in")
    wait_for_rest(page)
    # hatched: more dots than pixels, and both colours of the hatch; filled in: other colours as well
    colours = page.evaluate(
        """() => [window.lrbnPlayers[0].input.view, window.lrbnPlayers[0].cards[0].views.reconstruction].map(
          ({pixels, rows, columns}) =>
            [pixels.length / (rows * columns), new Set(pixels.slice(pixels.length / 2)).size])"""
    )
    assert colours[0] == [36, 2]
    assert colours[1][0] == 36
    assert colours[1][1] > 20
    tool["occlude"].click()
    unknown(page, 0)
    np.testing.assert_array_equal(np.reshape(page.evaluate(STATES), (28, 28)), covered)
    seen.assert_clean()


def test_a_brush_and_a_key_make_pixels_unknown_and_a_link_keeps_them(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat&image=3")
    canvas = page.get_by_role("application", name=re.compile("^Input image.*U makes the pixel unknown"))
    canvas.focus()
    page.keyboard.press("u")
    expect(page.locator(".lv-input [role=status]")).to_have_text("row 15, column 15: not known")
    expect(page.get_by_role("button", name=re.compile("^Not known"))).to_have_attribute(
        "aria-pressed", "false"
    )
    brushed = np.array(page.evaluate(STATES)) == 2
    assert brushed.sum() == 5
    was = unknown(page, 5)
    np.testing.assert_array_equal(was, brushed)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".lv-input [role=status]")).to_have_text("row 16, column 15: not known")
    page.wait_for_function("() => location.search.includes('drawn=')")
    link = page.url
    new, _, _ = audit(page)
    assert not new, "\n".join(new)
    open_page(page, link)
    np.testing.assert_array_equal(unknown(page, 5), was)
    page.get_by_role("button", name=re.compile("^Nothing known")).click()
    unknown(page, 784)
    page.get_by_role("button", name="Back to the data set's image").click()
    unknown(page, 0)
    seen.assert_clean()


def test_the_alarm_says_what_the_table_says_in_the_explorer(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-2-alarm")
    says_the_table(page)
    report = page.locator(".lv-input").get_by_role("button", name="alarm")
    expect(report).to_have_attribute("aria-pressed", "mixed")
    expect(report).to_have_accessible_name("alarm: not known")
    row = page.locator("[data-lane='0'] .lv-reconstruction li").first
    expect(row).to_have_attribute("data-state", "unknown")
    wait_for_rest(page)
    expect(row.locator(".lv-sr")).to_have_text(re.compile(r": probability 0\.\d\d, not known"))
    expect(page.locator(".lv-check").last).not_to_contain_text("units do not interact")
    # what is not known ties the units of an undirected model together, and the Why card says so
    page.evaluate("() => window.lrbnPlayers[0].select(1, 0)")
    pressed(page, (2, 2))
    wait_for_rest(page)
    interactions = page.evaluate("() => window.lrbnPlayers[0].panels.why.snapshot.interactions")
    assert abs(interactions[1]) > 1e-3
    seen.assert_clean()


def test_the_alarm_says_what_the_table_says_without_a_server(context, seen, tmp_path):
    path = tmp_path / "alarm.html"
    export_live(path, "lrbn-2-alarm", n_images=20)
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    says_the_table(page)
    seen.assert_clean()


def test_a_model_that_takes_whole_images_makes_the_image_whole_and_says_so(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat&image=3")
    page.get_by_role("button", name=re.compile("^Nothing known")).click()
    unknown(page, 784)
    page.get_by_label("Model in lane 2").select_option("dbm-200-200-mnist")
    expect(
        page.get_by_text("infers whole images only, so that every pixel has a value again")
    ).to_be_visible()
    unknown(page, 0)
    expect(page.get_by_role("button", name=re.compile("^Nothing known"))).to_be_hidden()
    expect(page.locator(".lv-tools [data-do=hide]")).to_be_hidden()
    seen.assert_clean()
