"""The why card: the decision as it was made, what changed it, and one sentence that is true."""

from __future__ import annotations

import base64
import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect
from ui.journeys import open_page, seek, state, trace_of, wait_for_rest

from lrbn_viz import LRBN, explain_change, load_dataset, pretrained
from lrbn_viz.core.trace import visits_of
from lrbn_viz.estimators.layered import TRACE_METHODS
from lrbn_viz.view.player.export import replay_html
from lrbn_viz.view.player.packing import Lane, pack_models, pack_trace, rounded_model
from lrbn_viz.view.player.terms import Known, TermsOf

SMALL = "lrbn-12-digits"

# The card and the transport at every visit of a trace, without a picture of anything else.
AT_EVERY_VISIT = """block => {
  const player = window.lrbnPlayers[0], {why} = player.panels;
  player.select(0, -1);
  player.setTrace(Uint8Array.from(atob(block), (letter) => letter.charCodeAt(0)).buffer);
  const [lane] = player.lanes, found = [];
  const number = (text) => Number(text.replace("\\u2212", "-"));
  for (let k = 0; k <= lane.n_visits; k++) {
    lane.seek(k);
    why.paint(k, player.colours);
    const {unit, decided, now, logOdds, title, note, verdict} = why.snapshot;
    const said = player.transport.said(k), told = number(said.split("log-odds ")[1] ?? "NaN");
    const read = number(why.values.logOdds.textContent);
    const bars = Object.fromEntries(Array.from(why.table.querySelectorAll(".lv-term[data-term]"), (term) =>
      [term.textContent, term.parentElement.nextElementSibling?.textContent]));
    found.push({unit, decided, now, logOdds, title, note, verdict, said, read, told, bars});
  }
  player.seek(0);
  return found;
}"""


@pytest.fixture
def replay(page: Page, tmp_path: Path) -> Page:
    """A page of the player alone, with a small model, whose weights have room in it."""
    models, shape = {SMALL: pretrained(SMALL)}, load_dataset("digits").image_shape
    trace = models[SMALL].trace(load_dataset("digits").test_X[0])
    path = tmp_path / "replay.html"
    path.write_text(replay_html(models, shape, [Lane(trace, SMALL, "LRBN")], {}), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    return page


def replayed(page: Page, trace: Any, sampled: bool, *known: Known) -> list[dict[str, Any]]:
    block = pack_trace([Lane(trace, SMALL, "LRBN", sampled=sampled)], {"title": "test"}, known)
    return page.evaluate(AT_EVERY_VISIT, base64.b64encode(block).decode())


ALIKE = ("icm", "icm-random", "annealed")  # in order, each by the state before it, as others that are tried


@pytest.mark.parametrize(
    "method",
    [pytest.param(name, marks=pytest.mark.slow) if name in ALIKE else name for name in TRACE_METHODS],
)
def test_card_transport_and_trace_agree_at_every_visit_of_20_traces(replay, seen, method):
    model, X = pretrained(SMALL), load_dataset("digits").test_X
    flips = 0
    for index in range(20):
        trace = model.trace(X[index], method, init="random", random_state=index)
        found = replayed(replay, trace, TRACE_METHODS[method].sampled)
        assert len(found) == trace.n_visits + 1
        assert found[0]["unit"] == trace.unit[0]
        assert not found[0]["decided"]
        assert (
            found[0]["title"]
            == f"Will unit {trace.unit[0]} turn {'off' if trace.h0[trace.unit[0]] else 'on'}?"
        )
        for k, card in enumerate(found[1:], 1):
            said_nats = re.findall(r"(\w+) \((?:(\w+) )?([+\u2212][\d.]+)\)", card["verdict"])
            bars = {name: card["bars"][name] for name in ("evidence", "prior", "threshold", "others")}
            assert {name or before: nats for before, name, nats in said_nats} == {
                name: nats for name, nats in bars.items() if nats != "+0.00"
            }, card
            at = f"image {index}, visit {k}: {card}"
            assert (card["unit"], card["decided"]) == (trace.unit[k - 1], True), at
            assert card["now"] == trace.decided_on(k), at
            assert card["logOdds"] == pytest.approx(trace.log_odds[k - 1], abs=1e-4), at
            assert abs(card["read"] - card["told"]) < 0.011, at
            on, flipped = ("on" if trace.after[k - 1] else "off"), trace.flipped[k - 1]
            does, turned = (f"did unit {trace.unit[k - 1]} turn", "turned") if flipped else ("", "stays")
            assert card["title"] == f"Why {does or f'does unit {trace.unit[k - 1]} stay'} {on}?", at
            assert f"{turned} {on}" in card["said"], at
            assert f": it {'turns' if flipped else 'stays'} {on}" in card["verdict"], at
            odds = trace.log_odds[k - 1]
            if abs(odds) > 1e-6:
                assert ("all the same" in card["verdict"]) == ((odds > 0) != (on == "on")), at
            assert f"as visit {k} decided" in card["note"], at
            assert ("whole sweep" in card["note"]) == (method == "icm-parallel"), at
            flips += int(flipped)
    assert flips > 40, "traces in which nothing happens prove nothing"
    seen.assert_clean()


# What the legend of the latents says of likelier units, and what their colours are beside those that are off.
LIKELIER = """() => {
  const {root} = window.lrbnPlayers[0], style = getComputedStyle(root);
  const light = (name) => style.getPropertyValue(name).match(/[0-9a-f]{2}/g)
    .reduce((sum, hex) => sum + parseInt(hex, 16), 0);
  const said = Array.from(root.querySelectorAll(".lv-legend"), (node) => node.innerText)
    .find((text) => text.includes("likelier on")).match(/off; the (\\w+), the likelier on/)[1];
  return [said, light("--lv-lane0") > light("--lv-faint") ? "lighter" : "darker"];
}"""


def test_the_legend_says_what_is_lighter_on_a_dark_page(replay):
    for theme, word in (("light", "darker"), ("dark", "lighter"), ("light", "darker")):
        replay.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        replay.wait_for_function("theme => window.lrbnPlayers[0].root.dataset.scheme === theme", arg=theme)
        assert replay.evaluate(LIKELIER) == [word, word], "what is said, and what the colours are"


def test_many_units_that_explain_one_away_together_are_no_empty_list(page, serve_app):
    """The card said "Competitors: none" where the others took 179 nats."""
    open_page(
        page,
        f"{serve_app.url}?model=lrbn-200-mnist-strokes&start=conditional&image=0&since=off&visit=0&unit=0.118",
    )
    wait_for_rest(page)
    shown = state(page)["why"]
    assert shown["unit"] == 118
    assert min(shown["interactions"]) > -0.5, "no competitor"
    assert shown["othersSum"] < -250
    words = page.locator(".lv-partners > div").first.inner_text()
    assert "None by itself: no single unit lowers the log-odds by more than half a nat." in words
    others = f"{shown['othersSum']:.2f}".replace("-", "\u2212")
    strongest = sorted(shown["change"]["causes"], key=lambda cause: cause["nats"])[:3]
    names = "units {}, {} and {} most".format(*(cause["unit"] for cause in strongest))
    assert f"explain unit 118 away together (others {others}); {names}." in words


def test_terms_by_rounded_weights_are_said_to_be_and_by_how_much_they_may_be_off(replay):
    model, x = pretrained(SMALL), load_dataset("digits").test_X[0]
    trace = model.trace(x)
    found = replayed(replay, trace, False)
    assert not any("rounded" in card["note"] for card in found)
    marks = np.zeros(12, bool)
    rounded = pack_models({SMALL: model}, load_dataset("digits").image_shape, rounded={SMALL: marks})
    replay.evaluate(
        """block => window.lrbnPlayers[0].setModels(
             Uint8Array.from(atob(block), (letter) => letter.charCodeAt(0)).buffer)""",
        base64.b64encode(rounded).decode(),
    )
    assert all("terms by rounded weights" in card["note"] for card in replayed(replay, trace, False))
    told = replayed(replay, trace, False, Known(TermsOf(model, trace).states))
    assert not any("rounded" in card["note"] or "off" in card["note"] for card in told)
    for card, before in zip(told, found, strict=True):
        assert card["logOdds"] == pytest.approx(before["logOdds"], abs=6e-6)
    off = TermsOf(model, trace).most_off(rounded_model(model, marks, (127, 7)))
    told = replayed(replay, trace, False, Known(TermsOf(model, trace).decisions, off))
    assert f"LRBN, terms at most {off:.2f} nats off: the start" in told[0]["note"]
    assert all(": as visit" in card["note"] and "off" not in card["note"] for card in told[1:])
    for card, before in zip(told[1:], found[1:], strict=True):
        assert (card["read"], card["verdict"]) == (before["read"], before["verdict"])
    assert abs(told[0]["logOdds"] - found[0]["logOdds"]) <= off
    replay.evaluate("() => { const [player] = window.lrbnPlayers; player.seek(9); player.select(0, 3); }")
    wait_for_rest(replay)
    expect(replay.locator(".lv-why header")).to_contain_text(f"terms at most {off:.2f} nats off")
    for reference, says in (
        ("start", f"\u2248: at most {off:.2f} nats off."),
        ("off", "\u2248: by rounded weights."),
    ):
        replay.get_by_label("Compared with", exact=True).select_option(reference)
        wait_for_rest(replay)
        expect(replay.locator(".lv-who .lv-caption")).to_contain_text(says)
    expect(replay.locator(".lv-matrix .lv-matrix-body")).to_contain_text("\u2248: by rounded weights.")


def test_a_unit_that_the_lanes_lack_is_asked_about_once_lanes_have_it(replay, seen):
    model, x = pretrained(SMALL), load_dataset("digits").test_X[0]
    trace = model.trace(x)
    asked = "() => { const [{selected, choices}] = window.lrbnPlayers; return [selected, choices.selected]; }"
    for lacked in ("0.171", "1.3", "lane2"):
        replay.evaluate("unit => window.lrbnPlayers[0].adopt('selected', unit)", lacked)
        wait_for_rest(replay)
        assert replay.evaluate(asked) == [{"lane": 0, "unit": -1}, lacked]
        assert replay.evaluate("() => window.lrbnPlayers[0].panels.why.snapshot.unit") == trace.unit[0]
    replay.evaluate("() => window.lrbnPlayers[0].adopt('selected', '1.3')")
    block = pack_trace([Lane(trace, SMALL, "LRBN"), Lane(trace, SMALL, "again")], {"title": "test"}, ())
    replay.evaluate(
        """block => window.lrbnPlayers[0].setTrace(
             Uint8Array.from(atob(block), (letter) => letter.charCodeAt(0)).buffer)""",
        base64.b64encode(block).decode(),
    )
    wait_for_rest(replay)
    assert replay.evaluate(asked) == [{"lane": 1, "unit": 3}, "1.3"]
    assert replay.evaluate("() => window.lrbnPlayers[0].panels.why.snapshot.unit") == 3
    seen.assert_clean()


def in_writing(value: float) -> str:
    """A number with two digits and its sign, as JavaScript rounds: halves go away from zero."""
    rounded = Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{rounded if rounded else abs(rounded):+}"


DECISIONS = """ks => {
  const player = window.lrbnPlayers[0], {why} = player.panels, [lane] = player.lanes;
  player.select(0, -1);
  const number = (text) => text.replace("\u2212", "-");
  return ks.map((k) => {
    lane.seek(k);
    why.paint(k, player.colours);
    const terms = Object.values(why.values).map(({textContent}) => number(textContent));
    return [...terms, number(player.transport.said(k).split("log-odds ")[1])];
  });
}"""


@pytest.mark.parametrize(
    ("name", "method"),
    [
        pytest.param("lrbn-200-mnist-flat", "icm-parallel", marks=pytest.mark.slow),
        ("lrbn-200-200-mnist", "gibbs"),
        pytest.param("lrbn-200-mnist-strokes", "annealed", marks=pytest.mark.slow),
        pytest.param("lrbn-200-200-mnist", "annealed", marks=pytest.mark.slow),
        pytest.param("rbm-200-mnist-likeliest", "factorised", marks=pytest.mark.slow),
    ],
)
def test_a_handed_out_replay_of_a_large_model_writes_each_decision_as_the_page_does(
    page, tmp_path, name, method
):
    data = load_dataset("mnist5k")
    models = {
        name: pretrained(name),
        "lrbn-200-200-mnist-likeliest": pretrained("lrbn-200-200-mnist-likeliest"),
    }
    lanes = [
        Lane(model.trace(data.test_X[3], method if key == name else "gibbs", random_state=1), key, key)
        for key, model in models.items()
    ]
    path = tmp_path / "replay.html"
    path.write_text(replay_html(models, data.image_shape, lanes, {}), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    assert page.evaluate("() => window.lrbnPlayers[0].lanes[0].model.rounded")
    trace, model = visits_of(lanes[0].trace), models[name]
    ks = [int(k) for k in np.linspace(1, trace.n_visits, 250)]
    for k, found in zip(ks, page.evaluate(DECISIONS, ks), strict=True):
        terms = model.log_odds_terms(trace.x, trace.latents(trace.decided_on(k)), int(trace.unit[k - 1]))
        exact = [terms.prior, terms.evidence.sum(), terms.alone.sum(), terms.others.sum(), terms.log_odds]
        written = [in_writing(value) for value in (*exact, exact[-1])]
        assert found == written, f"visit {k}"


def test_a_unit_that_is_not_the_one_visited_shows_the_present_and_says_so(page, serve_app):
    open_page(page, f"{serve_app.url}?model={SMALL}&algorithm=icm-parallel&start=random&visit=7")
    trace = trace_of(
        model_name=SMALL,
        rival_name="rbm-12-digits",
        dataset_name="digits",
        algorithm="icm-parallel",
        start="random",
    )
    model = pretrained(SMALL)
    other = next(j for j in range(12) if j != trace.unit[6])
    page.evaluate("j => window.lrbnPlayers[0].select(0, j)", other)
    wait_for_rest(page)
    shown = state(page)["why"]
    assert not shown["decided"]
    assert "the state after visit 7, not a decision" in shown["note"]
    present = explain_change(model, trace, other, 7)
    assert shown["logOdds"] == pytest.approx(present.after, abs=1e-4)
    page.evaluate("j => window.lrbnPlayers[0].select(0, j)", int(trace.unit[6]))
    wait_for_rest(page)
    shown = state(page)["why"]
    assert shown["decided"]
    assert shown["logOdds"] == pytest.approx(trace.log_odds[6], abs=1e-4)
    assert "with its whole sweep" in shown["note"]


def test_the_changes_are_the_engines_and_a_click_or_key_goes_to_the_flip(page, serve_app, seen):
    open_page(page, serve_app.flat)
    trace, model = trace_of(index=0), pretrained("lrbn-200-mnist-flat")
    flips = np.flatnonzero(trace.flipped & (trace.after == 0))
    k = int(flips[flips > 200][0]) + 1
    unit = int(trace.unit[k - 1])
    for reference in ("last", "start", "off"):
        page.get_by_label("Compared with", exact=True).select_option(reference)
        seek(page, k)
        wait_for_rest(page)
        change, shown = explain_change(model, trace, unit, k, reference), state(page)["why"]["change"]
        assert shown["sum"] == pytest.approx(change.after - change.before, abs=1e-4)
        assert [(c["visit"], c["unit"], c["after"]) for c in shown["causes"]] == [
            c[:3] for c in change.causes
        ]
        np.testing.assert_allclose(
            [c["nats"] for c in shown["causes"]], [c[3] for c in change.causes], atol=1e-5
        )
        named = "" if reference == "last" else f"since={reference}"
        page.wait_for_function("since => location.search.includes(since)", arg=named)
    strongest = max(explain_change(model, trace, unit, k, "off").causes, key=lambda cause: abs(cause.nats))
    first = page.locator(".lv-who .lv-partner").first
    assert first.get_attribute("data-unit") == str(strongest.unit)
    expect(page.locator(".lv-verdict")).to_contain_text(str(strongest.unit))
    first.focus()
    page.keyboard.press("Enter")
    wait_for_rest(page)
    assert state(page)["k"] == strongest.k
    seen.assert_clean()


def test_a_unit_that_did_it_is_held_as_it_was_before_and_the_question_and_the_list_stay(page, serve_app):
    open_page(page, f"{serve_app.url}?model={SMALL}&start=random&since=start")
    trace = trace_of(model_name=SMALL, rival_name="rbm-12-digits", dataset_name="digits", start="random")
    k = trace.n_visits - 1
    seek(page, k)
    wait_for_rest(page)
    asked, sweep = int(trace.unit[k - 1]), int(trace.sweep[k - 1])
    listed = """() => Array.from(window.lrbnPlayers[0].panels.why.who.tiles.children,
      (tile) => tile.querySelector(".lv-partner").dataset.unit)"""
    units = page.evaluate(listed)
    button = (
        page.locator(".lv-who")
        .get_by_role("button", name=re.compile(r"^Hold unit \d+ (on|off), and see$"))
        .first
    )
    name = button.get_attribute("aria-label") or ""
    held, how = re.findall(r"\d+|on|off", name.removeprefix("Hold"))[:2]
    button.click()
    page.wait_for_function("j => window.lrbnPlayers[0].lanes[0].held.has(j)", arg=int(held))
    wait_for_rest(page)
    assert page.evaluate("j => window.lrbnPlayers[0].lanes[0].held.get(j)", int(held)) == int(how == "on")
    assert page.evaluate("() => window.lrbnPlayers[0].selected") == {"lane": 0, "unit": asked}
    session = {"start": "random", "clamp": f"{held}{how}"}
    now = trace_of(model_name=SMALL, rival_name="rbm-12-digits", dataset_name="digits", **session)
    visit = now.visit_of(asked, sweep)
    assert visit, "the unit is asked in the same sweep again"
    page.wait_for_function("k => window.lrbnPlayers[0].k === k", arg=visit)
    wait_for_rest(page)
    assert state(page)["why"]["note"].endswith(f"as visit {visit} decided")
    assert page.evaluate(listed) == units
    free = page.locator(".lv-who").get_by_role("button", name=f"Free unit {held}", exact=True)
    expect(free).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_function("j => !window.lrbnPlayers[0].lanes[0].held.has(j)", arg=int(held))
    page.wait_for_function("k => window.lrbnPlayers[0].k === k", arg=k)
    wait_for_rest(page)
    assert page.evaluate(listed) == units
    seek(page, 1)
    assert page.evaluate(listed) != units


@pytest.mark.slow
def test_what_is_compared_with_comes_with_the_link_which_means_the_last_visit_where_it_says_nothing(
    page, serve_app
):
    open_page(page, f"{serve_app.url}?model={SMALL}&since=off")
    expect(page.get_by_label("Compared with", exact=True)).to_have_value("off")
    open_page(page, f"{serve_app.url}?model={SMALL}")
    expect(page.get_by_label("Compared with", exact=True)).to_have_value("last")


@pytest.mark.slow
def test_the_matrix_counts_as_competitors_what_the_card_lists(page, serve_app):
    open_page(page, f"{serve_app.url}?model={SMALL}&visit=30")
    page.locator(".lv-matrix select").select_option("index")
    wait_for_rest(page)
    listed = 0
    model = pretrained(SMALL)
    assert isinstance(model, LRBN)
    for unit in range(12):
        page.evaluate("j => window.lrbnPlayers[0].select(0, j)", unit)
        wait_for_rest(page)
        listed += min(11, page.locator(".lv-partners > div").first.get_by_role("button").count())
        values = state(page)["why"]["interactions"]
        assert page.locator(".lv-partners > div").first.get_by_role("button").count() == min(
            8, sum(value < -0.5 for value in values)
        )
    words = page.locator(".lv-matrix .lv-label b").first.text_content()  # drawn or not yet
    competing = sum(
        value < -0.5
        for unit in range(12)
        for value in page.evaluate(
            "j => Array.from(window.lrbnPlayers[0].lanes[0].interactions.row(j))", unit
        )
    )
    assert words == f"{competing // 2} of 66 pairs compete"
    expect(page.locator(".lv-matrix header")).to_contain_text("below \u22120.5 they compete")


@pytest.mark.slow
def test_bars_do_not_scale_noise_to_the_full_width_and_join(page, serve_app):
    """A dead unit's terms are all near 0; its bars stay small."""
    open_page(page, f"{serve_app.url}?model={SMALL}")
    rows = page.evaluate(
        """async () => {
          const {panels: {why}, colours: {palette}} = window.lrbnPlayers[0], {bars} = why, drawn = [];
          const noise = {prior: 1e-7, evidenceSum: 2e-7, aloneSum: -1e-7, othersSum: 0, logOdds: 2e-7};
          why.paintBars(noise, palette);
          bars.vector({set fillStyle(_) {}, fillRect: (...box) => drawn.push(box)});
          return {drawn, width: bars.width};
        }"""
    )
    widths = [width for _, _, width, height in rows["drawn"] if height > 1 and width < rows["width"] * 0.9]
    assert len(widths) >= 9
    assert max(widths) <= 4
