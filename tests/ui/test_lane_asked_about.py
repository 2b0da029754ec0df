"""Two LRBNs: the exact posterior, the other optima and the flips stepped to are of the lane asked about."""

from __future__ import annotations

import numpy as np
from playwright.sync_api import Page, expect
from ui.journeys import open_page, seek, state, wait_for_rest

from lrbn_viz import exact_posterior, find_basins, load_dataset, pretrained
from lrbn_viz.app.inference.state import Session

FOUND = "() => window.lrbnPlayers[0].panels.basins.found !== null"


def test_either_lane_has_its_posterior_its_optima_and_its_flips(page: Page, serve_app, seen):
    names = ("lrbn-12-digits", "lrbn-16-digits")
    query = f"?model={names[0]}&rival={names[1]}&image=1&start=random&rival_start=random"
    open_page(page, serve_app.url + query)
    x = load_dataset("digits").test_X[1]
    first, second = Session(
        dataset_name="digits",
        index=1,
        model_name=names[0],
        rival_name=names[1],
        start="random",
        rival_start="random",
    ).traces
    truth, basins = page.locator("[data-part=truth]"), page.locator("[data-part=basins]")
    expect(truth).to_contain_text("all 4,096 states of 12 units")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    assert state(page)["k"] == np.flatnonzero(first.flipped)[0] + 1

    lane = truth.get_by_role("combobox", name="Lane of the exact posterior")
    assert lane.locator("option").all_inner_texts() == ["LRBN-12, 8x8 digits", "LRBN-16, 8x8 digits"]
    lane.select_option("1")
    expect(truth).to_contain_text("all 65,536 states of 16 units")
    marginals = page.evaluate("() => Array.from(window.lrbnPlayers[0].panels.truth.truth.marginals)")
    exact = exact_posterior(pretrained(names[1]), x)
    assert marginals[:16] == exact.marginals.tolist()
    for k in (0, second.n_visits):
        seek(page, k)
        p = float(exact.probabilities[int(second.latents(k) @ (1 << np.arange(16)))])
        row = truth.locator("tbody tr").first.locator("td").first
        expect(row).to_have_text(f"{-np.log(p):.3f}")
    page.keyboard.press("Home")
    page.keyboard.press("Shift+ArrowRight")
    at = int(np.flatnonzero(second.flipped)[0]) + 1
    assert state(page)["k"] == at
    said = page.locator(".lv-says")
    expect(said).to_contain_text(f"LRBN-16, 8x8 digits, sweep 1: unit {second.unit[at - 1]} turned")
    expect(page.locator("[data-part=why] h2 small")).to_contain_text("LRBN-16, 8x8 digits: as visit")

    expect(basins.get_by_role("combobox", name="Lane of the other starts")).to_have_value("1")
    page.wait_for_function(f"() => location.search.includes('visit={at}&unit=lane2')")
    open_page(page, page.url)
    expect(basins.get_by_role("combobox", name="Lane of the other starts")).to_have_value("1")
    expect(truth).to_contain_text("all 65,536 states of 16 units")
    expect(page.locator("[data-part=why] h2 small")).to_contain_text("LRBN-16, 8x8 digits: as visit")
    basins.scroll_into_view_if_needed()
    page.wait_for_function(FOUND)
    found = find_basins(pretrained(names[1]), x, 1000)
    shown = page.evaluate("() => Array.from(window.lrbnPlayers[0].panels.basins.found.log_joint)")
    assert shown == found.log_joint.tolist()
    chart = basins.get_by_role("spinbutton")
    chart.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.search.includes('rival_from=')")
    wait_for_rest(page)
    lanes = state(page)["lanes"]
    assert lanes[1]["h"] == found.H[-1].tolist()
    assert lanes[0]["h"] == first.latents(first.n_visits).tolist(), "the other lane stays what it was"

    basins.get_by_role("combobox", name="Lane of the other starts").select_option("0")
    expect(truth).to_contain_text("all 4,096 states of 12 units")
    page.wait_for_function(FOUND)
    shown = page.evaluate("() => Array.from(window.lrbnPlayers[0].panels.basins.found.log_joint)")
    assert shown == find_basins(pretrained(names[0]), x, 1000).log_joint.tolist()
    seen.assert_clean()


def test_the_matrix_stands_by_interaction_with_a_scale_in_nats(page: Page, serve_app):
    open_page(page, f"{serve_app.url}?model=lrbn-200-mnist-flat")
    matrix = page.locator("[data-part=matrix]")
    matrix.scroll_into_view_if_needed()
    wait_for_rest(page)
    order, on, top, bound = page.evaluate(
        """() => {
          const {matrix} = window.lrbnPlayers[0].panels, [lane] = matrix.lanes, [values] = matrix.matrices;
          const {order} = matrix.views[0], at = (j, k) => Math.abs(values[j * lane.n_h + k]);
          const bound = (units) => units.slice(1).reduce((sum, j, n) => sum + at(units[n], j), 0);
          const on = order.toSorted((j, k) => j - k);
          return [order, Array.from(lane.h.keys()).filter((j) => lane.h[j]),
                  Math.max(...values.map(Math.abs)), [bound(order), bound(on)]];
        }"""
    )
    assert sorted(order) == on
    assert bound[0] > 1.5 * bound[1], "neighbours interact more than by number"
    digits = 2 if top < 10 else 1
    marks = [f"{share * top:+.{digits}f} nats".replace("-", "\u2212") for share in (-1, 1)]
    ticks = matrix.locator(".lv-scale span").all_inner_texts()
    assert [ticks[0], ticks[2], ticks[4]] == [marks[0], "0", marks[1]]
    middle = 0.5 ** (1 / 0.6) * top
    assert ticks[3] == f"+{middle:.{digits}f} nats"
    # the scale's colours are the matrix's: the strongest competitors have those of its left end
    same = page.evaluate(
        """() => {
          const {matrix} = window.lrbnPlayers[0].panels, [lane] = matrix.lanes, [values] = matrix.matrices;
          const {order, canvas} = matrix.views[0], m = order.length;
          const pixel = (node, x, y) => node.getContext("2d").getImageData(x, y, 1, 1).data.join();
          let worst = [0, 0], least = 0;
          order.forEach((j, r) => order.forEach((k, c) => {
            const value = values[j * lane.n_h + k];
            if (value < least) { least = value; worst = [c, r]; }
          }));
          const share = -((Math.abs(least) / Math.max(...values.map(Math.abs))) ** 0.6);
          const at = Math.round((share + 1) / 2 * (matrix.scale.width - 1));
          const near = [at - 1, at, at + 1].map((x) => pixel(matrix.scale, Math.max(0, x), 0));
          return [pixel(canvas, ...worst), near];
        }"""
    )
    colour, near = same
    parts = [np.array(list(map(int, text.split(",")))) for text in (colour, *near)]
    assert min(np.abs(parts[0] - part).max() for part in parts[1:]) <= 6
