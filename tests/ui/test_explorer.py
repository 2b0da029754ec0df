"""The explorer in a real browser: every journey of a person who steps, plays and scrubs an inference."""

from __future__ import annotations

import io
import itertools
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect
from ui.conftest import WIDE
from ui.journeys import (
    back_to_the_image,
    open_elsewhere,
    state,
    wait_for_answer,
    wait_for_frames,
    wait_for_image,
    wait_for_rest,
    wait_for_signs_of_life,
    wait_until_whole,
    without_signs_of_life,
)
from ui.test_accessibility import set_window

from lrbn_viz import LRBN, load_dataset, pretrained
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.view.player.export import LIMIT, data_size


def lrbn_trace(name: str, x: np.ndarray, **how: Any) -> ICMTrace:
    """What the engine says of an image, by the menus' first entries unless told otherwise."""
    model = pretrained(name)
    assert isinstance(model, LRBN)
    return model.map_trace(x, **({"init": "conditional", "random_state": 0} | how))


def traces_of(index: int, **how: Any) -> tuple[ICMTrace, ICMTrace]:
    """Both lanes' traces of a test image."""
    x = load_dataset("mnist5k").test_X[index]
    return lrbn_trace("lrbn-200-mnist-flat", x, **how), pretrained("rbm-200-mnist-likeliest").map_trace(x)


def test_what_is_asked_before_the_page_is_whole_is_done_once_it_is(page, context, serve_app):
    free, _ = traces_of(0)
    unit = int(np.flatnonzero(free.latents(free.n_visits))[0])
    page.add_init_script(
        """const wait = setInterval(() => {
          const player = window.lrbnPlayers?.[0];
          if (player) { clearInterval(wait); player.hold(UNIT, "off"); }
        }, 1);""".replace("UNIT", str(unit))
    )
    page.goto(serve_app.flat)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes?.[0]?.held.size === 1")


@pytest.mark.slow
def test_an_image_picked_before_the_page_is_whole_is_shown_once_it_is(page, context, serve_app):
    page.add_init_script(
        """const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
             (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
           const wait = setInterval(() => {
             const thumb = nodes(document).find((node) => node.dataset?.index === "3");
             if (!thumb) return;
             clearInterval(wait);
             window.early = !window.lrbnPlayers?.[0]?.whole();
             thumb.click();
           }, 1);"""
    )
    page.goto(serve_app.flat)
    wait_for_image(page, 3)
    assert page.evaluate("() => window.early"), "picked too late to prove anything"


def picker(page: Page) -> Locator:
    return page.get_by_role("listbox", name="Images")


def press(page: Page, key: str) -> dict[str, Any]:
    page.keyboard.press(key)
    return state(page)


def test_it_loads_without_asking_any_other_host_and_without_a_complaint(explorer, seen):
    # Inside: No request leaves the machine.
    expect(explorer).to_have_title("lrbn_viz")
    for lane, title in enumerate(("LRBN", "RBM")):
        expect(explorer.locator(f".lv-lane[data-lane='{lane}'] h2")).to_contain_text(title)
    for text in ("Reconstruction", "px wrong", "Competitors (below"):
        expect(explorer.get_by_role("main").get_by_text(text).first).to_be_visible()
    explorer.wait_for_load_state("networkidle")
    seen.assert_clean()


def test_both_error_counts_are_the_engines_at_every_cursor_tried(standing_explorer):
    lrbn, rbm = traces_of(0)
    counts = lrbn.wrong_pixels(), rbm.wrong_pixels()
    for k in (0, 1, 50, 199, 200, 201, lrbn.n_visits):
        standing_explorer.evaluate("k => window.lrbnPlayers[0].seek(k)", k)
        expected = [int(counts[0][k]), int(counts[1][min(k, rbm.n_visits)])]
        shown = standing_explorer.locator(".lv-error .lv-label b")
        expect(shown).to_have_text([f"{count} px wrong" for count in expected])
    assert counts[0][-1] != counts[0][0], "an image whose count never changes proves nothing"


def test_states_equal_the_traces_forwards_backwards_and_by_jumps(standing_explorer):
    # Inside: A kernel fills an ICMTrace, and the state after k visits is a function of the trace and k.
    for lane, trace in enumerate(traces_of(0)):
        n = trace.n_visits
        jumps = np.random.default_rng(0).integers(0, n + 1, 200).tolist()
        for order in (range(n + 1), range(n, -1, -1), jumps):
            shown = standing_explorer.evaluate(
                "([lane, order]) => order.map((k) => window.lrbnPlayers[0].latents(lane, k).join(''))",
                [lane, list(order)],
            )
            for k, bits in zip(order, shown, strict=True):
                assert bits == "".join(map(str, trace.latents(k))), f"lane {lane}, visit {k}"


def test_the_reconstruction_drawn_is_the_engines(standing_explorer):
    lrbn, _ = traces_of(0)
    for k in (0, 300, lrbn.n_visits, 77):
        means = standing_explorer.evaluate(
            """k => { const lane = window.lrbnPlayers[0].lanes[0]; lane.seek(k);
                      return Array.from({length: lane.n_v}, (_, i) => lane.mean(i)); }""",
            k,
        )
        np.testing.assert_allclose(means, lrbn.reconstruction(k), atol=1e-6)


def test_the_keyboard_moves_by_visits_flips_sweeps_and_ends(standing_explorer):
    lrbn, _ = traces_of(0)
    flips = np.flatnonzero(lrbn.flipped)
    assert press(standing_explorer, "ArrowRight")["k"] == 1
    assert press(standing_explorer, "ArrowRight")["k"] == 2
    assert press(standing_explorer, "ArrowLeft")["k"] == 1
    first = int(flips[flips >= 1][0]) + 1
    assert press(standing_explorer, "Shift+ArrowRight")["k"] == first
    second = int(flips[flips >= first][0]) + 1
    assert press(standing_explorer, "Shift+ArrowRight")["k"] == second
    assert press(standing_explorer, "Shift+ArrowLeft")["k"] == first
    assert press(standing_explorer, "End")["k"] == lrbn.n_visits
    assert press(standing_explorer, "Home")["k"] == 0
    assert press(standing_explorer, "PageDown")["k"] == 200
    assert press(standing_explorer, "PageDown")["k"] == 400
    assert press(standing_explorer, "PageUp")["k"] == 200


def test_the_transports_buttons_do_what_their_names_say(standing_explorer):
    lrbn, _ = traces_of(0)
    transport = standing_explorer.get_by_role("group", name="Transport")

    def click(name: str) -> int:
        transport.get_by_role("button", name=name, exact=True).click()
        return state(standing_explorer)["k"]

    assert click("Step") == 1
    assert click("Step") == 2
    assert click("Step back") == 1
    assert click("Next flip") == int(np.flatnonzero(lrbn.flipped)[np.flatnonzero(lrbn.flipped) >= 1][0]) + 1
    assert click("Next sweep") == 200
    assert click("Last") == lrbn.n_visits
    assert click("First") == 0


def test_play_runs_at_the_chosen_speed_and_pause_stops_it(explorer):
    explorer.get_by_role("combobox", name="Speed").select_option("300")
    explorer.evaluate(
        """() => {
          const {clock} = window.lrbnPlayers[0];
          window.times = [];
          clock.frame = (now) => {
            if (clock.playing) window.times.push([clock.before, now, clock.position]);
            Object.getPrototypeOf(clock).frame.call(clock, now);
          };
        }"""
    )
    explorer.get_by_role("button", name="Play", exact=True).click()
    explorer.wait_for_function("() => window.times.length > 20")
    explorer.get_by_role("button", name="Pause", exact=True).click()
    # a frame that comes late is not made up for: a busy machine plays slower
    times = explorer.evaluate("() => window.times")
    passed = np.clip([(now - before) / 1000 for before, now, _ in times], 0, 0.1)
    np.testing.assert_allclose(np.diff([at for *_, at in times]), 300 * passed[:-1], atol=1e-6)
    assert passed.sum() > 0
    played = state(explorer)
    assert not played["playing"]
    wait_for_frames(explorer, 5)
    assert state(explorer)["k"] == played["k"]
    explorer.locator("body").click(
        position={"x": 700, "y": 8}
    )  # away from the button, whose own key is space
    assert press(explorer, "Space")["playing"]
    assert not press(explorer, "Space")["playing"]


@pytest.mark.slow
def test_nearly_every_frame_is_painted_and_nothing_is_sent_while_it_plays(page, serve_app, frames):
    # Inside: While it plays, the page sends only a check of the connection, once a second.
    page.goto(f"{serve_app.flat}&algorithm=annealed")  # so long that it does not end here
    wait_for_image(page, 0)
    wait_until_whole(page)
    wait_for_answer(page)
    page.evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(120); p.play(); }")
    wait_for_signs_of_life(page, 1)
    sent = frames.all
    assert any("document_ready" in frame for frame in sent), "was anything heard?"
    before, spoken = state(page)["stats"], len(sent)
    wait_for_signs_of_life(page, 2)
    page.wait_for_function(
        "frames => window.lrbnPlayers[0].clock.stats.frames >= frames", arg=before["frames"] + 30
    )
    after = state(page)["stats"]
    assert state(page)["playing"]
    assert without_signs_of_life(sent[spoken:]) == []
    assert len(sent) - spoken < 4 * 10  # one a second, there and back, of six to ten frames
    frames, painted = after["frames"] - before["frames"], after["painted"] - before["painted"]
    assert frames >= 30
    assert painted / frames >= 0.95


def test_scrubbing_follows_the_mouse_on_the_bar_and_on_the_curve(standing_explorer):
    lrbn, _ = traces_of(0)
    scrub = standing_explorer.get_by_label("Visit", exact=True)
    box = scrub.bounding_box()
    assert box is not None
    standing_explorer.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    standing_explorer.mouse.down()
    standing_explorer.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=5)
    standing_explorer.mouse.up()
    assert abs(state(standing_explorer)["k"] - lrbn.n_visits / 2) < 0.03 * lrbn.n_visits
    curve = standing_explorer.locator(".lv-curve canvas").first
    box = curve.bounding_box()
    assert box is not None
    standing_explorer.mouse.click(box["x"] + box["width"] - 4, box["y"] + 30)
    assert state(standing_explorer)["k"] >= lrbn.n_visits - 20


def test_the_cursor_reaches_the_server_only_once_it_rests(explorer):
    reports = "() => { const p = window.lrbnPlayers[0]; window.reports = []; const old = p.callbacks.rested;"
    explorer.evaluate(reports + " p.callbacks.rested = (k) => { window.reports.push(k); old(k); }; }")
    # in one go, as keys held down come: a test that presses them one by one lets the cursor rest in between
    explorer.evaluate(
        """() => {
          const press = () => document.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight"}));
          for (let n = 0; n < 10; n++) press();
        }"""
    )
    explorer.wait_for_function("() => window.reports.includes(10)")
    wait_for_rest(explorer)
    heard = explorer.evaluate("() => window.reports")
    assert heard[-1] == 10
    assert len(heard) <= 3


def test_picking_an_image_shows_it_its_class_and_its_own_trace(explorer):
    data = load_dataset("mnist5k")
    picker(explorer).get_by_role("option", name=", image 4").first.click()
    wait_for_image(explorer, 4)
    lrbn, _ = traces_of(4)
    assert state(explorer)["end"] == lrbn.n_visits
    assert picker(explorer).get_by_role("option", selected=True).get_attribute("data-index") == "4"
    # narrow to one class and take its second image
    explorer.get_by_role("button", name="7", exact=True).click()
    row = int(np.flatnonzero(data.test_y == 7)[1])
    explorer.get_by_role("option", name=f"7, image {row}", exact=True).click()
    wait_for_image(explorer, row)
    assert explorer.evaluate("() => window.lrbnPlayers[0].meta.title") == "7"


def test_next_previous_and_random_images_by_button_and_key(explorer):
    explorer.get_by_role("button", name="Next image").click()
    wait_for_image(explorer, 1)
    explorer.keyboard.press("n")
    wait_for_image(explorer, 2)
    explorer.keyboard.press("p")
    wait_for_image(explorer, 1)
    explorer.keyboard.press("r")
    explorer.wait_for_function("() => !window.lrbnPlayers[0].meta.caption.endsWith(' 1')")


def test_the_gallery_is_walked_with_the_arrow_keys(explorer):
    picker(explorer).get_by_role("option", selected=True).focus()
    explorer.keyboard.press("ArrowRight")
    explorer.keyboard.press("ArrowRight")
    explorer.keyboard.press("Enter")
    wait_for_image(explorer, 2)
    assert state(explorer)["k"] == 0, "the gallery's arrows must not step the inference"


def test_the_why_card_agrees_with_the_engine(standing_explorer):
    from lrbn_viz import explain_away, log_odds_terms

    model = pretrained("lrbn-200-mnist-flat")
    lrbn, _ = traces_of(0)
    for k, unit in ((0, 3), (150, 57), (lrbn.n_visits, 120)):
        standing_explorer.evaluate(
            "([k, j]) => { const p = window.lrbnPlayers[0]; p.seek(k); p.select(0, j); }", [k, unit]
        )
        wait_for_rest(standing_explorer)
        shown = state(standing_explorer)["why"]
        terms = log_odds_terms(model, lrbn.x, lrbn.latents(k), unit)
        assert shown["unit"] == unit
        assert shown["prior"] == pytest.approx(terms.prior, abs=1e-4)
        assert shown["evidenceSum"] == pytest.approx(terms.evidence.sum(), abs=1e-3)
        assert shown["aloneSum"] == pytest.approx(terms.alone.sum(), abs=1e-3)
        assert shown["othersSum"] == pytest.approx(terms.others.sum(), abs=1e-3)
        assert shown["logOdds"] == pytest.approx(terms.log_odds, abs=1e-3)
        np.testing.assert_allclose(shown["alone"], terms.alone, atol=1e-4)
        np.testing.assert_allclose(shown["others"], terms.others, atol=1e-4)
        pairs = explain_away(model, lrbn.x, lrbn.latents(k))[unit]
        np.testing.assert_allclose(shown["interactions"], pairs, atol=2e-3)


def test_the_units_of_the_rbm_are_shown_to_explain_nothing_away(standing_explorer):
    standing_explorer.evaluate("() => window.lrbnPlayers[0].select(1, 17)")
    wait_for_rest(standing_explorer)
    shown = state(standing_explorer)["why"]
    assert shown["lane"] == 1
    assert shown["aloneSum"] == shown["othersSum"] == 0
    assert not any(shown["interactions"])
    expect(
        standing_explorer.get_by_text("Given the image, the units of this model do not depend on each other")
    ).to_be_visible()


def test_clicking_a_latent_selects_it_and_escape_follows_the_visits_again(standing_explorer):
    grid = standing_explorer.locator(".lv-latents canvas").first
    grid.click(position={"x": 5, "y": 5})
    expect(standing_explorer.get_by_role("heading", name=re.compile(r"\bunit 0\b", re.I))).to_be_visible()
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == 0
    grid.focus()
    standing_explorer.keyboard.press("ArrowRight")
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == 1
    standing_explorer.keyboard.press("Escape")
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == -1


def test_parallel_updates_light_the_theorems_check_red_and_icm_keeps_it_green(explorer):
    check = explorer.locator(".lv-check").first
    explorer.keyboard.press("End")
    expect(check).to_have_attribute("data-ok", "yes")
    expect(check).to_contain_text("log P never decreased")
    explorer.get_by_role("combobox", name="Inference in lane 1", exact=True).select_option(
        "All units at once"
    )
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].meta.subtitle === 'All units at once'")
    trace, _ = traces_of(0, order="parallel", max_sweeps=20)
    steps = np.diff(np.concatenate([[trace.log_joint0], trace.log_joint]))
    falls = int(np.count_nonzero(steps < -1e-6))
    assert falls > 0, "choose an image on which the parallel order breaks the theorem"
    explorer.evaluate("() => window.lrbnPlayers[0].seek(1e9)")
    expect(check).to_have_attribute("data-ok", "no")
    expect(check).to_contain_text(
        f"log P decreased {'once' if falls == 1 else f'{falls} times'}: Theorem 1 does not hold here"
    )


@pytest.mark.slow
def test_no_theorem_is_claimed_for_samples_before_they_fall(explorer):
    check = explorer.locator(".lv-check").first
    explorer.get_by_role("combobox", name="Inference in lane 1", exact=True).select_option("Gibbs sampling")
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].meta.sampled")
    explorer.evaluate("() => window.lrbnPlayers[0].seek(0)")
    expect(check).to_have_text("log P has not decreased; sampling may lower it")
    expect(check).to_have_attribute("data-ok", "")


def test_the_step_is_told_in_words_to_who_cannot_see_it(standing_explorer):
    lrbn, rbm = traces_of(0)
    standing_explorer.evaluate("() => window.lrbnPlayers[0].seek(5)")
    live = standing_explorer.locator(".lv-sr[role=status]", has_text="Visit")
    expect(live).to_contain_text("Visit 5 of")
    said = live.inner_text()
    turned = f"turned {'on' if lrbn.after[4] else 'off'}" if lrbn.flipped[4] else "stays"
    assert said.startswith(f"Visit 5 of {lrbn.n_visits}, sweep 1: unit {lrbn.unit[4]} {turned}")
    assert f"LRBN {lrbn.wrong_pixels()[5]} wrong pixels, RBM {rbm.wrong_pixels()[5]} wrong pixels" in said


def test_every_button_has_a_name_and_focus_shows(standing_explorer):
    nameless = standing_explorer.evaluate(
        """() => {
          const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
            (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
          return nodes(document)
            .filter((node) => node.tagName === 'BUTTON' && node.getClientRects().length)
            .filter((node) => !(node.getAttribute('aria-label') || node.textContent.trim()))
            .map((node) => node.outerHTML.slice(0, 80));
        }"""
    )
    assert nameless == []
    button = standing_explorer.get_by_role("button", name="Step", exact=True)
    button.focus()
    standing_explorer.keyboard.press("Tab")
    outline = standing_explorer.evaluate(
        """() => { let n = document.activeElement; while (n.shadowRoot) n = n.shadowRoot.activeElement;
                   return getComputedStyle(n).outlineStyle; }"""
    )
    assert outline == "solid"


@pytest.mark.parametrize(
    ("width", "height", "scheme"),
    [
        (360, 740, "dark"),
        pytest.param(1440, 900, "dark", marks=pytest.mark.slow),
        pytest.param(3840, 2160, "light", marks=pytest.mark.slow),
        pytest.param(360, 740, "light", marks=pytest.mark.slow),
        pytest.param(1440, 900, "light", marks=pytest.mark.slow),
        pytest.param(3840, 2160, "dark", marks=pytest.mark.slow),
    ],
)
def test_it_fits_the_screen_in_light_and_dark(page, serve_app, width, height, scheme):
    page.set_viewport_size({"width": width, "height": height})
    page.goto(serve_app.flat)
    wait_for_image(page, 0)
    wait_until_whole(page)
    if scheme == "dark":
        page.get_by_label("Toggle theme").click()
        page.wait_for_function("() => window.lrbnPlayers[0].root.dataset.scheme === 'dark'")
    if width < 600:
        expect(picker(page)).not_to_be_visible()  # the picker steps aside
    for name in ("First", "Play", "Last"):
        button = page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_in_viewport()
    overflow = page.evaluate(
        "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0, "the page scrolls sideways"
    inside = page.evaluate(
        """() => {
          const root = window.lrbnPlayers[0].root, box = root.getBoundingClientRect();
          return Array.from(root.querySelectorAll('.lv-card, .lv-transport')).every((card) => {
            const at = card.getBoundingClientRect();
            return at.left >= box.left - 1 && at.right <= box.right + 1;
          });
        }"""
    )
    assert inside, "a card sticks out of the page"


def test_the_explain_away_matrix_is_the_engines_within_150_ms_and_the_rbms_is_zero(standing_explorer):
    from lrbn_viz import explain_away

    lrbn, _ = traces_of(0)
    standing_explorer.evaluate("() => window.lrbnPlayers[0].seek(300)")
    wait_for_rest(standing_explorer)
    shown, zeros, milliseconds = standing_explorer.evaluate(
        """() => { const {matrices, ms} = window.lrbnPlayers[0].panels.matrix;
                   return [...matrices.map((values) => Array.from(values)), ms]; }"""
    )
    expected = explain_away(pretrained("lrbn-200-mnist-flat"), lrbn.x, lrbn.latents(300))
    np.testing.assert_allclose(np.reshape(shown, (200, 200)), expected, atol=2e-3)
    assert not any(zeros)
    assert milliseconds > 0


def test_a_stroke_on_the_input_is_followed_by_the_inference(explorer):
    box = explorer.locator(".lv-input canvas").bounding_box()
    assert box is not None
    explorer.evaluate(
        """() => { const p = window.lrbnPlayers[0], load = p.setTrace.bind(p);
                  window.updates = window.behind = 0;
                  p.setTrace = (data) => { load(data); window.updates++; window.behind += p.unloaded; }; }"""
    )
    explorer.mouse.move(box["x"] + 4, box["y"] + 4)
    explorer.mouse.down()
    for step in range(40):
        explorer.mouse.move(box["x"] + 4 + step, box["y"] + 4)
        wait_for_frames(explorer, 1)
    # the pen is still down: the result must follow it, not wait for its end, however busy the machine is
    explorer.wait_for_function("() => window.updates >= 1")
    for step in itertools.count():
        if explorer.evaluate("() => window.updates") >= 3:
            break
        explorer.mouse.move(box["x"] + 4 + step % 40, box["y"] + 4)
        wait_for_frames(explorer, 1)
    assert explorer.evaluate("() => window.behind") >= 1, "what is not beside the pen does not slow it"
    explorer.mouse.up()
    explorer.wait_for_function("() => window.lrbnPlayers[0].meta.caption.endsWith('changed')")
    wait_for_answer(explorer)
    wait_for_rest(explorer)
    ours = explorer.evaluate("() => Array.from(window.lrbnPlayers[0].input.states)")
    theirs = explorer.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].x)")
    assert ours == theirs, "what is drawn is what is inferred"
    assert not explorer.evaluate("() => window.lrbnPlayers[0].unloaded"), "all has followed the pen"
    x = np.array(theirs, np.uint8)
    assert x[:28].sum() > 5
    trace = lrbn_trace("lrbn-200-mnist-flat", x)
    assert state(explorer)["lanes"][0]["wrong"] == trace.wrong_pixels()[-1]
    back_to_the_image(explorer, 0)


def test_covering_inverting_and_noise_change_the_pixels_they_should(explorer):
    original = load_dataset("mnist5k").test_X[0]
    get = "() => Array.from(window.lrbnPlayers[0].input.states)"
    explorer.get_by_role("button", name="Invert").click()
    np.testing.assert_array_equal(explorer.evaluate(get), 1 - original)
    back_to_the_image(explorer, 0)
    box = explorer.locator(".lv-input canvas").bounding_box()
    assert box is not None
    explorer.get_by_role("button", name="Cover a rectangle").click()
    explorer.mouse.move(box["x"] + 1, box["y"] + 1)
    explorer.mouse.down()
    explorer.mouse.move(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2 - 1, steps=4)
    explorer.mouse.up()
    covered = np.reshape(explorer.evaluate(get), (28, 28))
    assert covered[:14].sum() == 0
    np.testing.assert_array_equal(covered[14:], original.reshape(28, 28)[14:])
    explorer.get_by_role("button", name="Flip one pixel in twenty").click()
    flipped = np.count_nonzero(np.array(explorer.evaluate(get)) != covered.ravel())
    assert 15 <= flipped <= 75


def test_a_link_opened_elsewhere_shows_the_same_bits(explorer):
    explorer.get_by_role("button", name="Invert").click()
    explorer.wait_for_function("() => window.lrbnPlayers[0].meta.caption.endsWith('changed')")
    explorer.evaluate("() => window.lrbnPlayers[0].seek(123)")
    explorer.wait_for_function("() => location.search.includes('visit=123')")
    before = state(explorer)["lanes"]
    open_elsewhere(explorer, explorer.url)
    explorer.wait_for_function("() => window.lrbnPlayers?.[0]?.k === 123")
    for mine, its in zip(before, state(explorer)["lanes"], strict=True):
        assert mine["h"] == its["h"]
        assert mine["logJoint"] == its["logJoint"]
        assert mine["wrong"] == its["wrong"]


# All that the why card says; of its sentence, which names units, the numbers.
ASK = """([k, unit, reference]) => {
  const player = window.lrbnPlayers[0];
  player.select(0, unit);
  player.compareWith(reference);
  player.seek(k);
}"""
CARD = """() => {
  const {why, root} = {...window.lrbnPlayers[0].panels, root: window.lrbnPlayers[0].root};
  const text = (selector) => Array.from(root.querySelectorAll(selector), (node) => node.innerText);
  const numbers = (words) => words.match(/[+\u2212]?[0-9]+[.][0-9]+/g) ?? [];
  return {
    title: why.title.textContent, note: why.note.textContent, bars: why.table.ariaLabel,
    who: text(".lv-who .lv-partner"), sum: text(".lv-who-head b"), caption: text(".lv-who .lv-caption"),
    says: text(".lv-says"), lanes: text(".lv-views .lv-label b"),
    numbers: numbers([why.verdict.textContent, why.table.innerText, ...text(".lv-who")].join(" ")),
  };
}"""


def test_the_downloaded_replay_plays_without_a_server(explorer, tmp_path, seen):
    with explorer.expect_download() as download:
        explorer.get_by_role("button", name="Replay as HTML").click()
    path = tmp_path / "replay.html"
    download.value.save_as(path)
    assert data_size(path.read_text(encoding="utf-8")) <= LIMIT
    page = explorer.context.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    assert all(url.startswith(("file:", "blob:")) for url in requests)
    lrbn, rbm = traces_of(0)
    page.evaluate("() => window.lrbnPlayers[0].seek(1e9)")
    shown = state(page)["lanes"]
    assert shown[0]["h"] == lrbn.latents(lrbn.n_visits).tolist()
    assert shown[1]["wrong"] == rbm.wrong_pixels()[-1]
    page.get_by_role("button", name="First", exact=True).click()
    assert state(page)["k"] == 0
    # its numbers are the page's, though its weights are rounded: what they gave alone is marked
    flips = np.flatnonzero(lrbn.flipped) + 1
    visits = [0, 1, int(flips[1]), int(flips[-1]), lrbn.n_visits - 1, lrbn.n_visits]
    compared = 0
    for reference in ("last", "start"):
        for k, unit in [(k, -1) for k in visits] + [(int(flips[2]), 7), (int(flips[-2]), 150)]:
            said = []
            for each in (explorer, page):
                each.evaluate(ASK, [k, unit, reference])
                wait_for_rest(each)
                said.append(each.evaluate(CARD))
            assert said[0] == said[1]
            compared += len(said[0]["numbers"])
    assert compared > 150
    assert "\u2248" in page.locator(".lv-partners").inner_text()
    assert "\u2248" not in explorer.locator(".lv-partners").inner_text()
    seen.assert_clean()


@pytest.mark.slow
def test_a_small_model_brings_its_own_images(explorer):
    explorer.get_by_role("combobox", name="Model in lane 1", exact=True).select_option("LRBN-12, 8x8 digits")
    explorer.wait_for_function("() => window.lrbnPlayers[0].meta.caption === '8x8 digits, test image 0'")
    assert len(state(explorer)["lanes"][0]["h"]) == 12
    x = load_dataset("digits").test_X[0]
    trace = lrbn_trace("lrbn-12-digits", x)
    explorer.keyboard.press("End")
    assert state(explorer)["lanes"][0]["h"] == trace.latents(trace.n_visits).tolist()


def test_the_filters_are_shown_by_log_odds_and_a_click_selects_one(standing_explorer):
    standing_explorer.keyboard.press("End")
    standing_explorer.get_by_label("Order of the filters").select_option("weight")
    wait_for_rest(standing_explorer)
    order = standing_explorer.evaluate("() => window.lrbnPlayers[0].lanes[0].order")
    lrbn, _ = traces_of(0)
    last = {int(j): float(odds) for j, odds in zip(lrbn.unit, lrbn.log_odds, strict=True)}
    on = set(np.flatnonzero(lrbn.latents(lrbn.n_visits)).tolist())
    assert set(order[: len(on)]) == on, "at the optimum the units that are on have the highest log-odds"
    assert sorted(order) == sorted(last)
    mosaic = standing_explorer.locator(".lv-mosaic canvas").first
    mosaic.scroll_into_view_if_needed()
    mosaic.click(position={"x": 6, "y": 6})
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": order[0]}


def test_a_question_mark_lists_the_keys_and_they_rest_meanwhile(standing_explorer):
    standing_explorer.keyboard.press("?")
    dialog = standing_explorer.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    assert press(standing_explorer, "ArrowRight")["k"] == 0
    standing_explorer.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    assert press(standing_explorer, "ArrowRight")["k"] == 1


def test_a_unit_is_held_from_the_keyboard_marked_in_the_grid_and_let_go(explorer):
    free, _ = traces_of(0)
    end = free.latents(free.n_visits)
    unit = int(np.flatnonzero(end)[0])
    explorer.evaluate("j => window.lrbnPlayers[0].select(0, j)", unit)
    off = explorer.get_by_role("button", name="Hold this unit off")
    off.focus()
    explorer.keyboard.press("Enter")
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].held.size === 1")
    expect(off).to_have_attribute("aria-pressed", "true")
    explorer.keyboard.press("End")
    held, _ = traces_of(0, clamp={unit: 0})
    assert state(explorer)["lanes"][0]["h"] == held.latents(held.n_visits).tolist()
    expect(explorer.get_by_text("1 held (\u00d7)")).to_be_visible()
    explorer.wait_for_function("j => location.search.includes(`clamp=${j}off`)", arg=unit)
    explorer.get_by_role("button", name="free all 1").click()
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].held.size === 0")
    explorer.keyboard.press("End")
    assert state(explorer)["lanes"][0]["h"] == end.tolist()
    explorer.wait_for_function("() => !location.search.includes('clamp')")


@pytest.mark.slow
def test_a_held_unit_is_crossed_in_the_grid_and_others_are_not(explorer):
    explorer.evaluate("() => window.lrbnPlayers[0].seek(1e9)")
    wait_for_rest(explorer)
    # the same state painted with and without unit 5 held: only its own square may differ
    changed = explorer.evaluate(
        """() => {
          const p = window.lrbnPlayers[0], canvas = p.cards[0].latents.canvas, lane = p.lanes[0];
          const {width, height} = canvas, ratio = width / canvas.clientWidth, at = [];
          const picture = () => {
            p.paint(p.k);
            return new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
          };
          const before = picture();
          lane.held.set(5, lane.h[5]);
          picture().forEach((pixel, i) => {
            if (pixel !== before[i]) at.push([(i % width) / ratio, Math.floor(i / width) / ratio]);
          });
          return at;
        }"""
    )
    assert len(changed) > 8, "a mark of a few pixels is not seen"
    xs, ys = np.array(changed).T
    grid = explorer.locator(".lv-latents canvas").first
    for x, y in ((xs.min(), ys.min()), (xs.max(), ys.max())):
        grid.click(position={"x": float(x), "y": float(y)})
        assert explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == 5
        explorer.keyboard.press("Escape")
    assert np.ptp(xs) > 4
    assert np.ptp(ys) > 4, "two strokes across the square, not a change of its colour alone"


# Cursors painted in 1.5 s at 60 visits a second, in frames of this test's own, sixty in each second.
WATCH_A_PLAY = """() => {
  const p = window.lrbnPlayers[0], {clock} = p, {paint} = clock, seen = [];
  p.seek(0);
  p.setSpeed(60);
  clock.paint = (k) => { if (clock.playing && seen.at(-1) !== k) seen.push(k); paint(k); };
  p.play();
  const begin = clock.before;
  for (let n = 1; n <= 90; n++) clock.frame(begin + n * 1000 / 60);
  p.pause();
  clock.paint = paint;
  return seen;
}"""


def moving(page: Page) -> list[str]:
    """What on the page has a transition or an animation, whoever made it."""
    return page.evaluate(
        """() => {
          const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
            (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
          return nodes(document).filter((node) => {
            const style = getComputedStyle(node);
            const lasts = style.transitionDuration.split(',').some((text) => parseFloat(text) > 0.001);
            return lasts || (style.animationName !== 'none' && parseFloat(style.animationDuration) > 0.001);
          }).map((node) => `${node.tagName} ${node.className}`);
        }"""
    )


@pytest.mark.slow
def test_who_asks_for_less_motion_gets_still_pictures_and_no_transitions(page, serve_app):
    set_window(page, (1440, 900), "light")
    page.goto(serve_app.flat)
    wait_for_image(page, 0)
    wait_until_whole(page)
    still = page.evaluate(WATCH_A_PLAY)
    assert moving(page) == []
    # and the end is reached all the same
    page.evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(1000); p.play(); }")
    page.wait_for_function("() => { const {clock} = window.lrbnPlayers[0]; return !clock.playing; }")
    assert page.evaluate("() => window.lrbnPlayers[0].k === window.lrbnPlayers[0].clock.end")
    page.emulate_media(reduced_motion="no-preference")
    assert moving(page), "a page without any transition proves nothing"
    played = page.evaluate(WATCH_A_PLAY)
    assert len(still) <= 4, "at most one picture every 400 ms"
    assert len(played) > 10 * len(still)
    assert still[-1] >= 60, "slower pictures, not a slower replay"


def image_file(tones: np.ndarray, kind: str) -> bytes:
    """A grey image of (rows, columns) tones as the bytes of a PNG or JPEG file."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(tones.astype(np.uint8)).save(out, kind, quality=95)
    return out.getvalue()


def test_an_image_file_is_fitted_and_inferred_and_what_is_none_is_refused(explorer, seen):
    chooser = explorer.locator(".lv-input input[type=file]")
    x = load_dataset("mnist5k").test_X[3].reshape(28, 28)
    files = {
        "as-it-is.png": image_file(255 * x, "PNG"),
        "ink-on-paper-and-larger.png": image_file(np.kron(230 - 200 * x, np.ones((8, 8))), "PNG"),
        "photograph.jpg": image_file(np.kron(230 - 200 * x, np.ones((8, 8))), "JPEG"),
    }
    for name, content in files.items():
        back_to_the_image(explorer, 0)
        chooser.set_input_files({"name": name, "mimeType": "image/" + name[-3:], "buffer": content})
        explorer.wait_for_function("() => window.lrbnPlayers[0].meta.caption.endsWith('changed')")
        assert (
            explorer.evaluate("() => Array.from(window.lrbnPlayers[0].lanes[0].x)") == x.ravel().tolist()
        ), name
    trace = lrbn_trace("lrbn-200-mnist-flat", x.ravel())
    explorer.keyboard.press("End")
    assert state(explorer)["lanes"][0]["h"] == trace.latents(trace.n_visits).tolist()
    alert = explorer.locator(".lv-input .lv-complaint")
    chooser.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no image at all"})
    expect(alert).to_have_text("notes.txt is no image that the browser can read. Choose a PNG or JPEG file.")
    chooser.set_input_files(
        {"name": "grey.png", "mimeType": "image/png", "buffer": image_file(np.full((40, 40), 128), "PNG")}
    )
    expect(alert).to_contain_text("grey.png shows one even tone")
    assert explorer.evaluate("() => Array.from(window.lrbnPlayers[0].input.states)") == x.ravel().tolist()
    with explorer.expect_file_chooser():
        explorer.get_by_role("button", name="Open an image file").click()
    expect(alert).to_be_empty()
    seen.assert_clean()


def test_the_menu_starts_from_the_rbms_state_and_the_button_runs_on_from_the_cursor(explorer):
    _, rbm = traces_of(0)
    explorer.get_by_role("combobox", name="Start in lane 1", exact=True).select_option("the RBM's MAP state")
    explorer.wait_for_function('() => window.lrbnPlayers[0].lanes[0].meta.start === "the RBM\'s MAP state"')
    start = rbm.latents(rbm.n_visits)
    assert state(explorer)["lanes"][0]["h"] == start.tolist()
    trace, _ = traces_of(0, init=start)
    explorer.evaluate("() => window.lrbnPlayers[0].seek(100)")
    explorer.wait_for_function("() => location.search.includes('visit=100')")
    explorer.get_by_role("button", name="Continue from the cursor in lane 1").click()
    explorer.wait_for_function(
        "() => window.lrbnPlayers[0].lanes[0].meta.start === 'the state at the cursor'"
    )
    shown = state(explorer)
    assert shown["k"] == 0
    assert shown["lanes"][0]["h"] == trace.latents(100).tolist()
    assert not np.array_equal(trace.latents(100), start), "a state that had not changed proves nothing"
    explorer.wait_for_function("() => location.search.includes('start=last&from=')")


def test_keys_work_while_the_slider_has_the_focus(standing_explorer, seen):
    standing_explorer.get_by_role("slider", name="Visit").focus()
    standing_explorer.keyboard.press("ArrowRight")
    standing_explorer.keyboard.press("ArrowRight")
    standing_explorer.wait_for_function("() => window.lrbnPlayers[0].k === 2")
    standing_explorer.keyboard.press("Shift+ArrowRight")
    first = state(standing_explorer)["lanes"][0]["flips"]
    after = next(k + 1 for k in first if k >= 2)
    standing_explorer.wait_for_function("k => window.lrbnPlayers[0].k === k", arg=after)
    standing_explorer.keyboard.press(" ")
    standing_explorer.wait_for_function("() => window.lrbnPlayers[0].clock.playing")
    seen.assert_clean()


# The box in which Panel draws the page: as wide as the window, or in a notebook as the cell
BOX = """() => {
  let box;
  for (let at = window.lrbnPlayers[0].root; at; at = at.parentNode ?? at.host) {
    if (at.classList?.contains("mui-light")) box = at;
  }
  return box;
}"""

# Counts what the server is told of the width of the page.
LISTEN = """() => {
  const {send} = WebSocket.prototype;
  window.narrow = 0;
  WebSocket.prototype.send = function (data) {
    if (String(data).includes('"narrow"')) window.narrow++;
    return send.call(this, data);
  };
}"""
FRAMES = (
    "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))"
)


def test_the_side_bar_makes_room_where_the_page_is_narrower_than_its_window(standing_explorer):
    page = standing_explorer
    page.evaluate(LISTEN)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # paper
    page.evaluate(FRAMES)
    page.set_viewport_size(WIDE)
    page.emulate_media(media="null")
    page.evaluate(FRAMES)
    assert page.evaluate("() => window.narrow") == 0
    box = page.evaluate_handle(BOX)
    assert box.evaluate("(box) => box.offsetWidth") == page.viewport_size["width"] > 900
    for width, name in (("800px", "Open drawer"), ("", "Close drawer")):
        box.evaluate("(box, width) => { box.style.width = width; }", width)
        expect(page.get_by_role("button", name=name)).to_be_visible()
    assert page.evaluate("() => window.narrow") == 2
