"""The exact posterior and the optima of other starts, as the page shows them: the engine's numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from playwright.sync_api import Page, Position, expect
from ui.journeys import (
    START,
    TRACES,
    open_page,
    seek,
    state,
    wait_for_answer,
    wait_for_frames,
    wait_for_rest,
    wait_until_whole,
)

from lrbn_viz import LRBN, approximations, exact_posterior, find_basins, load_dataset, pretrained
from lrbn_viz.lrbn.model import most_probable_visible
from lrbn_viz.view.player.export import LIMIT, data_size

ROWS = {
    "end of the lane": "state",
    "feed-forward": "feed_forward",
    "mean field": "mean_field",
    "exact marginals": "marginals",
    "Gibbs, 1,000 states": "gibbs",
}
# superscripts as the page writes powers of ten
RAISED = str.maketrans("\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079", "-0123456789")
FOUND = "() => window.lrbnPlayers[0].panels.basins.found !== null"


def lrbn(name: str) -> LRBN:
    model = pretrained(name)
    assert isinstance(model, LRBN)
    return model


def image(index: int, dataset: str = "digits") -> np.ndarray:
    return load_dataset(dataset).test_X[index]


def in_words(value: float, digits: int) -> str:
    return f"{value:.{digits}f}".replace("-", "\u2212")


@pytest.fixture
def small(page: Page, serve_app) -> Page:
    """The page with 12 units on an image that has several optima, at the start."""
    page.goto(f"{serve_app.url}?model=lrbn-12-digits&image=1&start=random")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.meta?.caption === '8x8 digits, test image 1'")
    wait_until_whole(page)
    return page


@pytest.fixture
def standing_small(page: Page, shared_page, serve_app) -> Page:
    """As `small`, for tests that move the cursor and choose units only."""
    address = f"{serve_app.url}?model=lrbn-12-digits&image=1&start=random&visit=0"
    shared_page.stand("standing_small", lambda page: open_page(page, address), TRACES, START)
    wait_until_whole(page)
    return page


def card(page: Page, part: str):
    return page.locator(f"[data-part={part}]")


def show(page: Page, part: str) -> None:
    card(page, part).scroll_into_view_if_needed()


def test_the_table_shows_each_approximations_divergence_and_total_variation(standing_small):
    model, x = lrbn("lrbn-12-digits"), image(1)
    trace = model.map_trace(x, init="random", random_state=0)
    found = approximations(model, x, trace.latents(trace.n_visits))
    rows = card(standing_small, "truth").locator("tbody tr")
    shown = {}
    for text in rows.all_inner_texts():
        title, kl, variation = re.split(r"\s*\t\s*|\n+", text.strip())
        shown[title.strip()] = kl, variation
    for title, name in ROWS.items():
        q = found[name]
        assert shown.pop(title) == (in_words(q.kl, 3), in_words(q.total_variation, 3)), title
    assert list(shown) == ["state at the cursor"]


def test_the_probability_of_the_state_at_the_cursor_follows_it(standing_small):
    model, x = lrbn("lrbn-12-digits"), image(1)
    exact, trace = exact_posterior(model, x), model.map_trace(x, init="random", random_state=0)
    live, row = (
        card(standing_small, "truth").locator("header b"),
        card(standing_small, "truth").locator("tbody tr").first,
    )
    seen = set()
    turns = (np.flatnonzero(trace.flipped) + 1).tolist()
    for k in (*reversed(turns), 0, trace.n_visits):
        seek(standing_small, k)
        index = int(trace.latents(k) @ (1 << np.arange(12)))
        p = float(exact.probabilities[index])
        text = live.inner_text().replace("\u00a0", " ")
        if "%" in text:
            assert float(text.rstrip(" %")) / 100 == pytest.approx(p, abs=5.1e-4 if p >= 0.1 else 5.1e-5)
        else:
            digits, power = text.split(" \u00d7 10")
            assert float(digits) * 10.0 ** int(power.translate(RAISED)) == pytest.approx(p, rel=0.06)
        seen.add(text)
        expect(row.locator("td").first).to_have_text(in_words(-float(np.log(p)), 3))
        expect(row.locator("td").last).to_have_text(in_words(1 - p, 3))
    assert len(seen) > 2, "a state that never changes proves nothing"


def test_marginals_covariances_and_the_exact_map_in_the_page_are_the_engines(standing_small):
    model, x = lrbn("lrbn-12-digits"), image(1)
    trace, exact = model.map_trace(x, init="random", random_state=0), exact_posterior(model, x)
    found = approximations(model, x, trace.latents(trace.n_visits))
    truth = standing_small.evaluate(
        """() => { const {map, marginals, covariance} = window.lrbnPlayers[0].panels.truth.truth;
                   return [map, marginals, covariance].map((values) => Array.from(values)); }"""
    )
    everyone = [exact, *found.values()]
    assert truth[0] == exact.map_state.tolist()
    assert truth[1] == np.array([q.marginals for q in everyone]).ravel().tolist()
    np.testing.assert_allclose(truth[2], np.array([q.covariance for q in everyone]).ravel(), atol=1e-7)
    labels = (
        card(standing_small, "truth")
        .locator(".lv-maps canvas")
        .evaluate_all("all => all.map((node) => node.ariaLabel)")
    )
    strongest = [
        max((q.covariance - np.diag(np.diag(q.covariance))).ravel(), key=abs) for q in (exact, found["gibbs"])
    ]
    said = [f"strongest {'+' if value >= 0 else ''}{in_words(value, 3)}" for value in strongest]
    assert [re.sub(r".* units, ", "", label) for label in labels] == [said[0], "all zero", said[1]]


def test_the_pictures_of_the_truth_are_drawn_from_its_numbers(standing_small):
    """The covariance map's colours order the pairs as their values do; a unit pointed at says its numbers."""
    model, x = lrbn("lrbn-12-digits"), image(1)
    exact = exact_posterior(model, x)
    show(standing_small, "truth")
    wait_for_rest(standing_small)
    canvas = card(standing_small, "truth").locator(".lv-maps canvas").first
    colours = canvas.evaluate(
        "node => Array.from(node.getContext('2d').getImageData(0, 0, node.width, node.height).data)"
    )
    red_less_blue = (
        np.array(colours, int).reshape(12, 12, 4)[..., 0] - np.array(colours, int).reshape(12, 12, 4)[..., 2]
    )
    off = ~np.eye(12, dtype=bool)
    order = np.argsort(exact.covariance[off])
    assert (np.diff(red_less_blue[off][order]) >= -2).all(), (
        "orange above zero, blue below, stronger for more"
    )
    chart = card(standing_small, "truth").locator(".lv-fill canvas")
    left, wide, high = standing_small.evaluate(
        """() => { const {chart, frame: {left, wide}} = window.lrbnPlayers[0].panels.truth;
                   return [left, wide, chart.clientHeight]; }"""
    )
    middle = Position(x=left + 3.5 * wide, y=high / 2)
    chart.hover(position=middle)
    tip = standing_small.locator(".lv-tip")
    expect(tip).to_contain_text(f"unit 3 is on with probability {exact.marginals[3]:.3f}")
    chart.click(position=middle)
    expect(standing_small.get_by_role("heading", name=re.compile(r"\bunit 3\b", re.I))).to_be_visible()


@pytest.mark.slow
def test_two_hundred_units_are_too_many_and_a_small_model_is_offered(explorer):
    truth = card(explorer, "truth")
    expect(truth).to_contain_text("too many to enumerate")
    expect(truth.locator("table")).to_be_hidden()
    truth.get_by_role("button", name="LRBN-16, 8x8 digits").click()
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].n_h === 16")
    expect(truth).to_contain_text("all 65,536 states of 16 units enumerated")
    expect(truth.locator("table")).to_be_visible()


@pytest.mark.slow
def test_a_start_that_is_an_optimum_is_drawn_without_a_complaint(page, serve_app, seen):
    """Its log joint and the exact optimum differ by rounding alone, which no axis can show."""
    model = lrbn("lrbn-12-digits")
    trace = model.map_trace(image(1), init="conditional")
    assert not trace.flipped.any()
    assert abs(exact_posterior(model, image(1)).map_log_joint - trace.log_joint0) < 1e-9
    page.goto(f"{serve_app.url}?model=lrbn-12-digits&image=1")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.clock.stats.painted > 0")
    wait_until_whole(page)
    expect(page.locator(".lv-lane .lv-check").first).to_contain_text("never decreased")
    show(page, "basins")
    page.wait_for_function(FOUND)
    seen.assert_clean()


def test_the_optima_in_the_page_are_the_engines(standing_small):
    show(standing_small, "basins")
    standing_small.wait_for_function(FOUND)
    model, x, rbm = lrbn("lrbn-12-digits"), image(1), pretrained("rbm-12-digits")
    rival = rbm.map_trace(x)
    found = find_basins(model, x, 1000, starts={"rbm": rival.latents(rival.n_visits)})
    shown = standing_small.evaluate(
        """() => { const {found, states, own} = window.lrbnPlayers[0].panels.basins;
                   const list = (values) => Array.from(values);
                   return {joints: list(found.log_joint), counts: list(found.counts), own,
                           wrong: list(found.wrong), states: states.map(list)}; }"""
    )
    assert shown["joints"] == found.log_joint.tolist()
    assert shown["counts"] == found.counts.tolist()
    assert shown["states"] == found.H.tolist()
    guess = most_probable_visible(model.layers[0], "bernoulli", found.H)
    assert shown["wrong"] == (guess != x).sum(axis=1).tolist()
    trace = model.map_trace(x, init="random", random_state=0)
    assert shown["states"][shown["own"]] == trace.latents(trace.n_visits).tolist()
    note = card(standing_small, "basins").locator("h2 small")
    expect(note).to_have_text(f"ICM from 1,000 starts ends in {len(found)} optima")


def test_arrow_keys_walk_the_optima_and_enter_goes_to_one(small):
    show(small, "basins")
    small.wait_for_function(FOUND)
    model, x, rbm = lrbn("lrbn-12-digits"), image(1), pretrained("rbm-12-digits")
    rival = rbm.map_trace(x)
    found = find_basins(model, x, 1000, starts={"rbm": rival.latents(rival.n_visits)})
    last = len(found) - 1
    chart = card(small, "basins").get_by_role("spinbutton")
    chart.focus()
    before = state(small)["k"]
    small.keyboard.press("End")
    assert int(chart.get_attribute("aria-valuenow") or 0) == 1
    small.keyboard.press("Home")
    assert int(chart.get_attribute("aria-valuenow") or 0) == last + 1
    small.keyboard.press("ArrowRight")
    assert int(chart.get_attribute("aria-valuenow") or 0) == last
    said = chart.get_attribute("aria-valuetext") or ""
    assert f"{in_words(found.log_joint[last - 1], 2)} nats" in said
    assert f"reached from {found.counts[last - 1]} of 1,000" in said
    assert state(small)["k"] == before, "keys on the chart do not move the cursor"
    small.keyboard.press("Enter")
    end = found.H[last - 1].tolist()
    small.wait_for_function(
        """end => { const p = window.lrbnPlayers[0], [lane] = p.lanes;
                    return p.k > 0 && p.k >= lane.n_visits && lane.h.join() === end; }""",
        arg=",".join(map(str, end)),
    )
    trace = model.map_trace(x, init=found.starts[last - 1])
    assert state(small)["lanes"][0]["logJoint"] == pytest.approx(float(trace.log_joint[-1]), abs=1e-9)
    small.wait_for_function("() => location.search.includes('from=')")
    assert "start=last" in small.url
    expect(card(small, "basins")).to_contain_text("The end of this lane")


@pytest.mark.slow
def test_a_click_on_a_bar_goes_to_its_optimum_and_pointing_at_it_says_which(small):
    show(small, "basins")
    small.wait_for_function(FOUND)
    wait_for_rest(small)
    target = small.evaluate(
        """() => { const {basins} = window.lrbnPlayers[0].panels;
                   const {chart, own} = basins, row = basins.found.n - 1;
                   const ratio = chart.width / chart.clientWidth, [x, y, width, height] = basins.box(row);
                   return {row, own, x: (x + width / 2) / ratio, y: (y + height / 2) / ratio}; }"""
    )
    assert target["row"] != target["own"]
    chart = card(small, "basins").get_by_role("spinbutton")
    chart.hover(position={"x": target["x"], "y": target["y"]})
    detail = card(small, "basins").locator(".lv-optimum")
    expect(detail.locator("h3")).to_have_text(re.compile(rf"Optimum {target['row'] + 1} of \d+"))
    chart.click(position={"x": target["x"], "y": target["y"]})
    small.wait_for_function("row => window.lrbnPlayers[0].panels.basins.own === row", arg=target["row"])
    assert state(small)["k"] > 0


@pytest.mark.slow
def test_two_hundred_units_get_their_optima_without_holding_up_the_trace(explorer):
    """Nothing is looked for until the card is in sight, and the page answers while the search runs."""
    wait_for_answer(explorer)
    wait_for_frames(explorer, 5)
    assert explorer.evaluate("() => window.lrbnPlayers[0].panels.basins.asked") is None
    explorer.evaluate(
        """() => { const {basins} = window.lrbnPlayers[0].panels, {settle} = basins;
                   const news = window.messages = [];
                   basins.settle = function () {
                     settle.call(this);
                     news.push(this.found ? "found" : "trace");
                   }; }"""
    )
    show(explorer, "basins")
    expect(card(explorer, "basins")).to_contain_text("Looking for other optima")
    explorer.keyboard.press("n")
    explorer.wait_for_function("() => window.messages.includes('trace')")
    assert explorer.evaluate("() => window.messages[0]") == "trace", "the next image's trace does not wait"
    explorer.wait_for_function(FOUND)
    expect(card(explorer, "basins").locator("h2 small")).to_have_text(
        re.compile(r"ICM from 500 starts ends in \d+ optima")
    )
    shown = explorer.evaluate("() => Array.from(window.lrbnPlayers[0].panels.basins.found.log_joint)")
    model, x, rbm = lrbn("lrbn-200-mnist-flat"), image(1, "mnist5k"), pretrained("rbm-200-mnist-likeliest")
    rival = rbm.map_trace(x)
    found = find_basins(model, x, 500, starts={"rbm": rival.latents(rival.n_visits)})
    assert shown == found.log_joint.tolist()
    explorer.keyboard.press("p")
    explorer.wait_for_function("() => window.lrbnPlayers[0].meta.caption === 'MNIST subset, test image 0'")
    expect(card(explorer, "basins").locator("h2 small")).to_have_text(re.compile("ICM from 500"))


def test_the_exported_page_shows_truth_and_optima_without_a_server(standing_small, tmp_path, seen):
    show(standing_small, "basins")
    standing_small.wait_for_function(FOUND)
    joints = standing_small.evaluate("() => Array.from(window.lrbnPlayers[0].panels.basins.found.log_joint)")
    table = card(standing_small, "truth").locator("tbody").inner_text()
    with standing_small.expect_download() as download:
        standing_small.get_by_text("Replay as HTML").click()
    path = tmp_path / "replay.html"
    download.value.save_as(path)
    assert data_size(path.read_text(encoding="utf-8")) <= LIMIT
    page = standing_small.context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.panels.basins.found")
    assert page.evaluate("() => Array.from(window.lrbnPlayers[0].panels.basins.found.log_joint)") == joints
    seek(page, state(standing_small)["k"])
    assert card(page, "truth").locator("tbody").inner_text() == table
    assert card(page, "basins").locator("button:not(.lv-save-card *)").count() == 0
    seen.assert_clean()
