"""What is in sight: hidden panels and controls, the links that hide them, letters to be read from afar."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from ui.journeys import (
    open_elsewhere,
    open_page,
    save,
    seek,
    state,
    trace_of,
    wait_for_answer,
    wait_for_rest,
    wait_for_timers,
    wait_until_whole,
)

from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.view.player.panels import PANELS

NODES = """const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
  (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);"""

# What each control is found by: a role and the beginning of its name.
ROLES: dict[str, tuple[Any, str]] = {
    "gallery": ("listbox", "Images"),
    "images": ("button", "Next image"),
    "draw": ("group", "Change the image"),
    "model": ("combobox", "Model"),
    "algorithm": ("combobox", "Inference"),
    "start": ("button", "Continue from the cursor"),
    "seed": ("textbox", "Seed"),
    "hold": ("group", "Hold the unit"),
    "order": ("combobox", "Order of the filters"),
    "speed": ("combobox", "Speed"),
    "export": ("button", "Save this view as PNG"),
    "view": ("button", "Teacher's link"),
    "pages": ("link", "Train"),
}


def shown_panels(page: Page) -> set[str]:
    """Names of the panels that take up room."""
    return set(
        page.evaluate(
            """() => Object.entries(window.lrbnPlayers[0].panels)
                 .filter(([, panel]) => panel.node.getClientRects().length).map(([name]) => name)"""
        )
    )


def test_every_control_hidden_by_a_link_is_gone_for_eyes_keys_and_screen_readers(page, serve_app, seen):
    assert set(ROLES) == set(CONTROLS)
    url = serve_app.url + "?model=lrbn-12-digits&algorithm=gibbs"  # one that a seed decides
    open_page(page, url)
    for role, label in ROLES.values():
        expect(page.get_by_role(role, name=label).first).to_be_visible()  # found, while it is there
    everything = ".".join(CONTROLS)
    open_page(page, f"{url}&hide={everything}")
    for name, (role, label) in ROLES.items():
        assert page.get_by_role(role, name=label).count() == 0, name
    # one round of the Tab key meets none of them
    page.evaluate("() => document.activeElement.blur()")
    met = []
    for _ in range(60):
        page.keyboard.press("Tab")
        met.append(
            page.evaluate(
                """() => {
                  let node = document.activeElement;
                  while (node.shadowRoot?.activeElement) node = node.shadowRoot.activeElement;
                  const words = node.getAttribute('aria-label') || node.textContent.trim();
                  return words.slice(0, 40) || node.tagName;
                }"""
            )
        )
    for label in [label for _, label in ROLES.values()]:
        assert not any(words.startswith(label) for words in met), (label, met)
    assert "Step" in met, "the round was a round"
    # what they did is not done by other ways either
    before = state(page)
    for key in ("n", "p", "r"):
        page.keyboard.press(key)
    box = page.locator(".lv-input canvas").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 60, box["y"] + 60, steps=5)
    page.mouse.up()
    wait_for_timers(page, 300)  # by when a pen that pauses would have told what it drew
    wait_for_rest(page)
    wait_for_answer(page)
    assert page.evaluate("() => window.lrbnPlayers[0].meta.caption") == "8x8 digits, test image 0"
    assert state(page)["lanes"][0]["h"] == before["lanes"][0]["h"]
    assert "Toggle theme" in met, "the theme stays everyone's own"
    # and the help brings all of it back
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_role("button", name="show all panels and controls").click()
    page.wait_for_function("() => !location.search.includes('hide')")
    for role, label in ROLES.values():
        expect(page.get_by_role(role, name=label).first).to_be_visible()
    seen.assert_clean()


@pytest.mark.slow
def test_each_panel_is_hidden_alone(page, serve_app):
    url = serve_app.url + "?model=lrbn-12-digits"
    open_page(page, url)
    everything = shown_panels(page)
    assert everything == set(PANELS)
    for name in PANELS:
        page.evaluate("name => window.lrbnPlayers[0].hide(name)", name)
        assert shown_panels(page) == everything - {name}
    page.keyboard.press("?")
    expect(page.get_by_role("button", name="show all panels and controls")).to_be_visible()


@pytest.mark.slow
def test_ticks_hide_panels_here_and_for_whoever_opens_the_address(explorer):
    explorer.get_by_role("checkbox", name="Filters").uncheck()
    explorer.get_by_role("checkbox", name="Explain-away matrix").uncheck()
    explorer.wait_for_function("() => location.search.includes('hide=matrix.mosaic')")
    assert shown_panels(explorer) == set(PANELS) - {"matrix", "mosaic"}
    open_elsewhere(explorer, explorer.url)
    page = explorer
    wait_until_whole(page)
    assert shown_panels(page) == set(PANELS) - {"matrix", "mosaic"}
    expect(page.get_by_role("checkbox", name="Filters")).not_to_be_checked()
    expect(page.get_by_role("checkbox", name="Units over sweeps")).to_be_checked()
    page.get_by_role("checkbox", name="Filters").check()
    page.wait_for_function("() => location.search.endsWith('hide=matrix')")
    assert shown_panels(page) == set(PANELS) - {"matrix"}


@pytest.mark.slow
def test_an_unknown_name_in_the_list_hides_nothing(page, serve_app):
    open_page(page, serve_app.url + "?hide=matrix.kitchen")
    assert shown_panels(page) == set(PANELS)


def test_a_teachers_link_is_written_copied_and_opens_without_what_was_ticked(explorer):
    explorer.context.grant_permissions(["clipboard-read", "clipboard-write"])
    seek(explorer, 123)
    explorer.wait_for_function("() => location.search.includes('visit=123')")
    explorer.get_by_role("checkbox", name="Filters").uncheck()
    explorer.wait_for_function("() => location.search.includes('hide=mosaic')")
    explorer.get_by_role("button", name="Teacher's link").click()
    dialog = explorer.get_by_role("dialog", name="Teacher's link")
    for title in ("Seed", "Gallery of images", "Panels shown, and this link"):
        dialog.get_by_role("checkbox", name=title).check()
    explorer.keyboard.press("ArrowRight")
    assert state(explorer)["k"] == 123, "the player's keys rest while one chooses"
    dialog.get_by_role("button", name="copy").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    link = dialog.get_by_role("textbox", name="Link").input_value()
    assert explorer.evaluate("() => navigator.clipboard.readText()") == link
    assert re.search(r"hide=mosaic.gallery.seed.view$", link)
    explorer.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    expect(explorer.get_by_role("listbox", name="Images")).to_be_visible()
    open_elsewhere(explorer, link)
    page = explorer
    wait_until_whole(page)
    assert state(page)["k"] == 123
    assert shown_panels(page) == set(PANELS) - {"mosaic"}
    expect(page.get_by_label("Model in lane 1", exact=True)).to_be_visible()
    for name in ("gallery", "seed", "view"):
        role, label = ROLES[name]
        assert page.get_by_role(role, name=label).count() == 0
    # its reader may go on with what is left, and hides no more and no less
    page.get_by_label("Inference in lane 1", exact=True).select_option("All units at once")
    page.wait_for_function("() => location.search.includes('algorithm=icm-parallel')")
    assert "hide=mosaic.gallery.seed.view" in page.evaluate("() => location.search")


@pytest.mark.slow
def test_a_side_bar_with_nothing_left_in_it_goes_and_comes_back(page, serve_app):
    hidden = "gallery.model.algorithm.start.seed.export.view"
    open_page(page, f"{serve_app.url}?hide={hidden}")
    assert page.get_by_role("button", name="Close drawer").count() == 0
    assert page.evaluate("() => window.lrbnPlayers[0].root.getBoundingClientRect().left") == 0
    page.keyboard.press("?")
    page.get_by_role("button", name="show all panels and controls").click()
    expect(page.get_by_role("listbox", name="Images")).to_be_visible()
    expect(page.get_by_label("Model in lane 1", exact=True)).to_be_visible()


@pytest.mark.slow
def test_the_replay_that_is_handed_out_shows_the_same_panels_order_and_unit_and_saves_pictures(
    explorer, tmp_path, seen
):
    explorer.get_by_role("checkbox", name="Explain-away matrix").uncheck()
    explorer.get_by_label("Order of the filters").select_option("usage")
    explorer.evaluate("() => window.lrbnPlayers[0].select(0, 33)")
    explorer.wait_for_function("() => location.search.includes('hide=matrix')")
    explorer.wait_for_function("() => location.search.includes('unit=0.33')")
    seek(explorer, 250)
    explorer.wait_for_function("() => location.search.includes('visit=250')")
    names = []
    for _ in range(2):  # asked for twice, it is handed out twice
        with explorer.expect_download() as download:
            explorer.get_by_role("button", name="Trace as npz").click()
        names.append(download.value.suggested_filename)
    assert names == ["mnist-subset-test-image-0-trace.npz"] * 2
    with explorer.expect_download() as download:
        explorer.get_by_role("button", name="Replay as HTML").click()
    assert download.value.suggested_filename == "mnist-subset-test-image-0-visit-250.html"
    path = tmp_path / "replay.html"
    download.value.save_as(path)
    page = explorer.context.new_page()
    page.goto(path.as_uri())
    wait_until_whole(page)
    assert "matrix" not in shown_panels(page)
    assert {"why", "raster", "mosaic"} <= shown_panels(page)
    assert page.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": 33}
    orders = "() => window.lrbnPlayers[0].lanes.map((lane) => lane.order)"
    assert page.evaluate(orders) == explorer.evaluate(orders)
    for kind in ("png", "svg"):
        saved = save(page, kind, tmp_path)
        assert saved.name == f"mnist-subset-test-image-0-visit-250.{kind}"
        assert saved.stat().st_size > 100_000
    page.get_by_role("button", name="Keys and help").click()
    page.get_by_role("button", name="show all panels and controls").click()
    assert "matrix" in shown_panels(page)
    seen.assert_clean()


@pytest.mark.slow
def test_the_name_of_the_exact_optimum_is_above_all_that_is_drawn_of_the_curve(page, serve_app):
    open_page(page, serve_app.url + "?model=lrbn-16-digits&image=0")
    for k in (0, 10, 42):
        seek(page, k)
        name, highest = page.evaluate(
            """() => {
              const {canvas} = window.lrbnPlayers[0].cards[0].curve, ys = [], texts = [];
              const real = document.createElement('canvas').getContext('2d');
              const spy = new Proxy(real, {
                get: (target, key) => {
                  const value = target[key];
                  if (typeof value !== 'function') return value;
                  return (...args) => {
                    if (key === 'fillText') texts.push(args);
                    if (key === 'moveTo' || key === 'lineTo') ys.push(args[1]);
                    if (key === 'arc') ys.push(args[1] - args[2]);
                    return value.apply(target, args);
                  };
                },
                set: (target, key, value) => { target[key] = value; return true; },
              });
              canvas.vector(spy);
              return [texts.find(([text]) => text.startsWith('exact optimum')), Math.min(...ys)];
            }"""
        )
        text, _, baseline = name
        trace = trace_of(
            dataset_name="digits", model_name="lrbn-16-digits", rival_name="rbm-16-digits", index=0
        )
        assert float(text.split()[-1].replace("\u2212", "-")) >= trace.log_joint.max() - 0.005
        assert baseline < highest


@pytest.mark.slow
def test_the_side_bars_letters_grow_with_the_window_as_the_players_do(page, serve_app):
    for width, letters, side in ((1440, 14, 288), (3840, 22.75, 468)):
        page.set_viewport_size({"width": width, "height": width * 9 // 16})
        open_page(page, serve_app.flat)
        page.wait_for_function(
            f"() => {{ {NODES} return nodes(document).find((node) => node.matches('.MuiDrawer-paper'))"
            f".getBoundingClientRect().width === {side}; }}"
        )
        sizes = page.evaluate(
            f"""() => {{ {NODES}
              const parts = '.lv-gallery, .lv-views-menu, .lv-downloads, .lv-nav';
              return nodes(document).filter((node) => node.matches(parts))
                .map((node) => parseFloat(getComputedStyle(node).fontSize)); }}"""
        )
        assert sizes == [letters] * 4


def test_the_inference_page_comes_back_where_it_was_left(page, serve_app, seen):
    open_page(page, serve_app.flat)
    seek(page, 17)
    page.wait_for_function("() => new URLSearchParams(location.search).get('visit') === '17'")
    page.get_by_role("link", name="Generate").click()
    page.wait_for_function("() => window.lrbnGenerators?.length === 1 && window.lrbnPlayers.length === 0")
    page.get_by_role("link", name="Inference").click()
    page.wait_for_function("() => window.lrbnPlayers[0]?.clock.stats.painted")
    wait_until_whole(page)
    assert state(page)["k"] == 17
    seen.assert_clean()
