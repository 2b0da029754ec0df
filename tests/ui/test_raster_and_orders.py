"""The raster and the orders of units: what is drawn is the trace's, and each place leads to its unit."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_elsewhere, open_page, seek, state, trace_of, wait_for_rest, wait_until_whole

from lrbn_viz import LRBN, explain_away, load_dataset, log_odds_terms, pretrained
from lrbn_viz.app.address import read_page
from lrbn_viz.app.inference.state import Session
from lrbn_viz.view.player.panels import UNIT_ORDERS


def model(name: str) -> LRBN:
    found = pretrained(name)
    assert isinstance(found, LRBN)
    return found


def raster(page: Page, lane: int) -> dict[str, Any]:
    return page.evaluate(
        """lane => { const {raster} = window.lrbnPlayers[0].panels.raster.views[lane];
                     const {rows, lane: of} = raster;
                     return {byVisit: rows.byVisit, ends: rows.ends, states: Array.from(rows.states),
                             turns: Array.from(rows.turns), n_h: of.n_h}; }""",
        lane,
    )


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("?algorithm=annealed&start=random&seed=4", marks=pytest.mark.slow),
        "?model=lrbn-12-digits&algorithm=gibbs&start=random&seed=1",
        pytest.param("?image=0", marks=pytest.mark.slow),
        pytest.param("?algorithm=icm-greedy&start=random", marks=pytest.mark.slow),
        pytest.param("?model=lrbn-16-digits&image=7", marks=pytest.mark.slow),
    ],
)
def test_the_rasters_rows_are_the_states_of_the_trace_and_its_marks_the_turns(page, serve_app, query):
    open_page(page, serve_app.url + query)
    for lane, trace in enumerate(Session(**read_page("inference", query).found).traces):
        shown = raster(page, lane)
        ends, n_h = shown["ends"], shown["n_h"]
        if shown["byVisit"]:
            assert ends == list(range(trace.n_visits + 1))
        else:
            starts = np.flatnonzero(np.diff(trace.sweep)) + 1
            assert ends == [0, *starts.tolist(), trace.n_visits]
        assert len(ends) > 1
        rows = np.reshape(shown["states"], (len(ends), n_h))
        turns = np.reshape(shown["turns"], (len(ends), n_h))
        assert not turns[0].any()
        for row, end in enumerate(ends):
            np.testing.assert_array_equal(rows[row], trace.latents(end), err_msg=f"lane {lane}, row {row}")
            if row:
                flips = np.bincount(
                    trace.unit[ends[row - 1] : end][trace.flipped[ends[row - 1] : end]], minlength=n_h
                )
                net = rows[row].astype(int) - rows[row - 1]
                expected = np.where(net != 0, net, np.where(flips > 0, 2, 0))
                np.testing.assert_array_equal(turns[row], expected, err_msg=f"lane {lane}, row {row}")


def test_each_cell_of_the_raster_has_the_colour_of_its_state_and_the_cursors_row_a_frame(standing_explorer):
    seek(standing_explorer, 400)
    shown = standing_explorer.evaluate(
        """() => {
          const {raster, canvas} = window.lrbnPlayers[0].panels.raster.views[0];
          const context = canvas.getContext("2d");
          const {palette, accent, rows, lane} = raster;
          const at = (x, y) => '#' + Array.from(context.getImageData(x, y, 1, 1).data.slice(0, 3),
            (value) => value.toString(16).padStart(2, '0')).join('');
          const cells = [];
          for (let r = 0; r < rows.count; r++) for (let p = 0; p < lane.n_h; p++) {
            const middle = Math.floor((raster.x(p) + raster.x(p + 1)) / 2);
            cells.push([r, p, at(middle, Math.floor(raster.y(r) + 0.72 * raster.pitch)),
              at(middle, Math.floor(raster.y(r) + 0.2 * raster.pitch))]);
          }
          const edge = Math.floor(raster.frame.right - 1), half = raster.pitch / 2, frames = [];
          for (let r = 0; r < rows.count; r++) frames.push(at(edge, Math.floor(raster.y(r) + half)));
          const {faint: off, plus, minus, now} = palette;
          return {cells, frames, on: accent, off, plus, minus, now};
        }"""
    )
    rows = raster(standing_explorer, 0)
    states = np.reshape(rows["states"], (-1, rows["n_h"]))
    turns = np.reshape(rows["turns"], (-1, rows["n_h"]))
    assert (turns == 1).any()
    assert (turns == -1).any(), "choose a trace in which a unit turns off again"
    for row, unit, low, high in shown["cells"]:
        if rows["ends"][row] > 400:
            assert low not in (shown["on"],), "what is still to come is faint"
            continue
        assert low == shown["on" if states[row, unit] else "off"], (row, unit)
        mark = {1: shown["plus"], -1: shown["minus"]}.get(int(turns[row, unit]))
        assert high == (mark or low), (row, unit)
    framed = [row for row, colour in enumerate(shown["frames"]) if colour == shown["now"]]
    assert framed == [2], "400 visits are two sweeps"


def test_a_click_in_the_raster_goes_to_the_end_of_that_sweep_and_selects_that_unit(standing_explorer):
    canvas = standing_explorer.locator(".lv-raster canvas").first
    canvas.scroll_into_view_if_needed()

    def centre(row: int, unit: int) -> dict[str, float]:
        x, y = standing_explorer.evaluate(
            """([row, unit]) => { const {raster, canvas} = window.lrbnPlayers[0].panels.raster.views[0];
                 const ratio = canvas.width / canvas.clientWidth, place = raster.order.indexOf(unit);
                 const x = (raster.x(place) + raster.x(place + 1)) / 2, y = raster.y(row) + raster.pitch / 2;
                 return [x / ratio, y / ratio]; }""",
            [row, unit],
        )
        return {"x": x, "y": y}

    trace = trace_of(index=0)
    canvas.hover(position=centre(2, 14))
    tip = standing_explorer.locator(".lv-tip")
    expect(tip).to_contain_text(f"unit 14 after sweep 2: {'on' if trace.latents(400)[14] else 'off'}")
    canvas.click(position=centre(2, 57))
    assert state(standing_explorer)["k"] == 400
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": 57}
    expect(standing_explorer.get_by_role("heading", name=re.compile(r"\bunit 57\b", re.I))).to_be_visible()
    canvas.click(position=centre(0, 3))
    assert state(standing_explorer)["k"] == 0
    # the pen down, it scrubs without selecting
    box = canvas.bounding_box()
    assert box is not None
    begin, end = centre(0, 9), centre(3, 120)
    standing_explorer.mouse.move(box["x"] + begin["x"], box["y"] + begin["y"])
    standing_explorer.mouse.down()
    standing_explorer.mouse.move(box["x"] + end["x"], box["y"] + end["y"], steps=4)
    standing_explorer.mouse.up()
    standing_explorer.wait_for_function("() => window.lrbnPlayers[0].k === 600")
    assert standing_explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == 9


def chain(matrix: np.ndarray) -> list[int]:
    """Each next unit the one most bound to the last, beginning with the most bound of all."""
    strength = np.abs(matrix)
    order = [int(np.argmax(strength.sum(axis=1)))]
    while len(order) < len(matrix):
        left = [j for j in range(len(matrix)) if j not in order]
        order.append(max(left, key=lambda j: strength[order[-1], j]))
    return order


def test_units_stand_in_the_order_asked_for_which_is_the_engines(page, serve_app):
    open_page(page, serve_app.url + "?model=lrbn-16-digits&image=7")
    lrbn, k = model("lrbn-16-digits"), 20
    seek(page, k)
    trace = trace_of(dataset_name="digits", model_name="lrbn-16-digits", rival_name="rbm-16-digits", index=7)
    h = trace.latents(k)
    odds = np.array([log_odds_terms(lrbn, trace.x, h, j).log_odds for j in range(16)])
    without = np.tile(h, (16, 1))
    np.fill_diagonal(without, 0)
    lost = lrbn.log_joint(np.tile(trace.x, (16, 1)), np.tile(h, (16, 1))) - lrbn.log_joint(
        np.tile(trace.x, (16, 1)), without
    )
    assert 2 < h.sum() < 14
    usage = lrbn.transform(load_dataset("digits").test_X[:300]).mean(axis=0)
    expected = {
        "number": list(range(16)),
        "weight": np.argsort(-odds, kind="stable").tolist(),
        "usage": np.argsort(-usage.astype(np.float32), kind="stable").tolist(),
        "contribution": [
            *sorted(np.flatnonzero(h).tolist(), key=lambda j: -lost[j]),
            *np.flatnonzero(h == 0).tolist(),
        ],
        "cluster": chain(explain_away(lrbn, trace.x, h)),
    }
    assert set(expected) == set(UNIT_ORDERS)
    menu = page.get_by_label("Order of the filters")
    words = set()
    for name, order in expected.items():
        menu.select_option(name)
        page.wait_for_function(
            "order => String(window.lrbnPlayers[0].lanes[0].order) === String(order)", arg=order
        )
        expect(page.get_by_label("Order of the columns")).to_have_value(name)
        wait_for_rest(page)
        words.add(page.locator(".lv-meaning").text_content())  # below the fold nothing is rendered
        # the unit in the corner of the grid, of the filters and of the raster
        for selector in (".lv-latents canvas", ".lv-mosaic canvas"):
            page.locator(selector).first.click(position={"x": 8, "y": 8})
            assert page.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": order[0]}
            page.keyboard.press("Escape")
        first = page.evaluate(
            """() => { const {raster} = window.lrbnPlayers[0].panels.raster.views[0];
                       return raster.at((raster.frame.left + 2) / devicePixelRatio, 5).unit; }"""
        )
        assert first == order[0]
        # and the arrow keys walk the places, not the numbers
        page.evaluate("j => window.lrbnPlayers[0].select(0, j)", order[0])
        page.locator(".lv-latents canvas").first.focus()
        page.keyboard.press("ArrowRight")
        assert page.evaluate("() => window.lrbnPlayers[0].selected.unit") == order[1]
        page.keyboard.press("Escape")
    assert len(words) == len(expected), "each order is said in words of its own"


@pytest.mark.slow
def test_the_unit_and_the_order_are_in_the_address_and_come_back(explorer):
    explorer.evaluate("() => window.lrbnPlayers[0].select(1, 17)")
    explorer.get_by_label("Order of the filters").select_option("usage")
    explorer.wait_for_function("() => location.search.includes('unit=1.17&units=usage')")
    explorer.wait_for_function("() => !window.lrbnPlayers[0].lacksUsage")
    orders = "() => window.lrbnPlayers[0].lanes.map((lane) => lane.order)"
    wait_for_rest(explorer)
    before = explorer.evaluate(orders)
    open_elsewhere(explorer, explorer.url)
    wait_until_whole(explorer)
    explorer.wait_for_function("() => window.lrbnPlayers[0].usage.size === 2")
    expect(explorer.get_by_role("heading", name=re.compile(r"\bunit 17\b", re.I))).to_be_visible()
    wait_for_rest(explorer)
    assert explorer.evaluate(orders) == before
    assert before[0] != list(range(200))


@pytest.mark.slow
def test_a_unit_that_the_next_model_lacks_is_let_go(explorer):
    explorer.evaluate("() => window.lrbnPlayers[0].select(0, 150)")
    explorer.get_by_role("combobox", name="Model in lane 1", exact=True).select_option("LRBN-12, 8x8 digits")
    explorer.wait_for_function("() => window.lrbnPlayers[0].lanes[0].n_h === 12")
    wait_for_rest(explorer)
    assert explorer.evaluate("() => window.lrbnPlayers[0].selected.unit") == -1
    assert np.isfinite(state(explorer)["why"]["logOdds"])
