"""The network of a small model in a real browser: its numbers, evidence by a press, what made a decision."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from ui.journeys import WAIT, save, seek, wait_for_rest, wait_until_whole
from ui.test_accessibility import audit

from lrbn_viz import export_live

ALARM = "?model=lrbn-2-alarm&image=12"
# what is observed of (alarm, radio report), then P(burglary), P(earthquake) and log P(x)
STORY = [
    ("unknown", "unknown", "0.1000", "0.1000", "0.0000"),
    ("on", "unknown", "0.4311", "0.4311", "\u22121.5073"),
    ("on", "on", "0.1130", "0.9856", "\u22122.4395"),
    ("on", "off", "0.6378", "0.0711", "\u22122.0078"),
    ("unknown", "on", "0.1000", "0.9091", "\u22122.3126"),
]
APART = {("unknown", "unknown"): "0.1000", ("unknown", "on"): "0.1000"}  # else 0.9757
MANY = 10**9


def card(page: Page) -> Locator:
    return page.get_by_role("region", name="Network", exact=True)


def node(page: Page, name: str) -> Locator:
    return card(page).locator(".lv-node").filter(has=page.locator(f".lv-node-name:text-is('{name}')"))


def shown(page: Page) -> dict[str, Any]:
    return page.evaluate("() => window.lrbnPlayers[0].panels.network.snapshot")


def bar(page: Page, name: str, title: str) -> Locator:
    """The number beside a bar of a node."""
    return node(page, name).locator(f".lv-node-bars > span:text-is('{title}') ~ b").first


def settled(page: Page) -> None:
    """Wait until nothing is unknown or under way."""
    page.wait_for_function(
        """() => {
          const player = window.lrbnPlayers?.[0], {unknown} = window.lrbnLive?.session ?? {};
          return player?.lanes && player.atRest && !player.input.sending && !unknown?.length
            && player.lanes.every(({meta}) => !meta.pending);
        }"""
    )


def observe(page: Page, name: str, state: str) -> None:
    """Press a visible unit until it is observed so."""
    for _ in range(3):
        if node(page, name).get_attribute("data-state") == state:
            break
        before = node(page, name).get_attribute("data-state")
        node(page, name).click()
        expect(node(page, name)).not_to_have_attribute("data-state", before or "")
        settled(page)
    expect(node(page, name)).to_have_attribute("data-state", state)


@pytest.fixture
def explorer(page: Page, serve_app) -> Page:
    page.goto(serve_app.url + ALARM, timeout=WAIT)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    return page


@pytest.fixture
def live(page: Page, tmp_path) -> Page:
    path = tmp_path / "alarm.html"
    export_live(path, "lrbn-2-alarm", n_images=20)
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    settled(page)
    return page


@pytest.mark.parametrize("where", ["explorer", "live"])
def test_presses_go_through_the_alarms_story_and_each_number_is_that_of_enumeration(where, request, seen):
    page = request.getfixturevalue(where)
    for alarm, radio, burglary, earthquake, evidence in STORY:
        observe(page, "alarm", alarm)
        observe(page, "radio report", radio)
        expect(bar(page, "burglary", "posterior")).to_have_text(burglary)
        expect(bar(page, "earthquake", "posterior")).to_have_text(earthquake)
        expect(bar(page, "burglary", "prior")).to_have_text("0.1000")
        expect(card(page).locator("h2")).to_contain_text(f"log\u00a0P(x) {evidence} nats")
        # beside it what the same weights say without explaining away
        by_itself = APART.get((alarm, radio), "0.9757")
        expect(bar(page, "burglary", "by itself")).to_have_text(by_itself)
    seen.assert_clean()


def test_it_is_the_first_card_of_named_variables_and_says_where_it_is_not_offered(explorer, serve_app, seen):
    first = "() => window.lrbnPlayers[0].inner.firstElementChild.dataset.part"
    assert explorer.evaluate(first) == "network"
    explorer.goto(serve_app.url + "?model=lrbn-12-digits", timeout=WAIT)
    explorer.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(explorer)
    assert explorer.evaluate(first) != "network"
    expect(card(explorer)).to_contain_text("at most 24 latents and 40 visible units that are on or off")
    expect(card(explorer)).to_contain_text("12 latents and 64 visible units")
    seen.assert_clean()


def test_the_arrows_of_a_decision_and_what_other_causes_take_sum_to_its_log_odds(explorer):
    page = explorer
    observe(page, "radio report", "on")
    observe(page, "alarm", "on")
    seek(page, MANY)
    wait_for_rest(page)
    found, why = shown(page), page.evaluate("() => window.lrbnPlayers[0].panels.why.snapshot")
    assert found["explained"] == why["unit"]
    told = sum(each["nats"] for each in [*found["nats"], *found["arcs"]])
    assert why["prior"] + told == pytest.approx(why["logOdds"], abs=1e-6)
    assert sum(each["nats"] for each in found["arcs"]) == pytest.approx(why["othersSum"], abs=1e-6)
    assert [node["name"] for node in found["nodes"] if node["decided"]] == ["burglary"]
    expect(card(page).locator(".lv-network-said")).to_contain_text(why["verdict"])
    expect(node(page, "burglary")).to_have_attribute("data-decided", "")
    # another unit is explained once it is chosen
    page.evaluate("() => window.lrbnPlayers[0].select(0, 1)")
    wait_for_rest(page)
    assert shown(page)["explained"] == 1


def test_a_press_on_a_latent_holds_it_on_then_off_then_frees_it(explorer, seen):
    page = explorer
    observe(page, "alarm", "on")
    for state, posterior in (("held on", "1.0000"), ("held off", "0.0000")):
        node(page, "earthquake").click()
        expect(node(page, "earthquake").locator(".lv-node-state")).to_have_text(state)
        settled(page)
        expect(bar(page, "earthquake", "posterior")).to_have_text(posterior)
    node(page, "earthquake").click()
    expect(node(page, "earthquake").locator(".lv-node-state")).not_to_contain_text("held")
    seen.assert_clean()


def test_by_keyboard_alone_one_observes_holds_and_hears_what_changes(explorer, seen):
    page = explorer
    settled(page)
    stops = card(page).locator(".lv-node[tabindex='0']")
    expect(stops).to_have_count(1)
    page.evaluate("() => window.lrbnPlayers[0].panels.network.slider.focus()")
    cursor = page.evaluate("() => window.lrbnPlayers[0].k")
    page.keyboard.press("Tab")
    expect(node(page, "burglary")).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(node(page, "earthquake")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(node(page, "radio report")).to_be_focused()
    assert page.evaluate("() => window.lrbnPlayers[0].k") == cursor, "arrow keys of nodes move no cursor"
    before = node(page, "radio report").get_attribute("data-state")
    page.keyboard.press("Space")
    expect(node(page, "radio report")).not_to_have_attribute("data-state", before or "")
    settled(page)
    expect(node(page, "radio report")).to_be_focused()
    heard = card(page).get_by_role("status")
    expect(heard).to_contain_text("radio report: ")
    expect(heard).to_contain_text("burglary 0.")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    expect(node(page, "burglary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(node(page, "burglary").locator(".lv-node-state")).to_have_text("held on")
    settled(page)
    label = node(page, "burglary").get_attribute("aria-label") or ""
    for words in ("burglary", "held on", "prior 0.1000", "posterior 1.0000", "Press to hold it off."):
        assert words in label
    page.keyboard.press("End")
    expect(node(page, "radio report")).to_be_focused()
    seen.assert_clean()


@pytest.mark.parametrize(
    ("size", "scheme"),
    [
        ((390, 844), "light"),
        pytest.param((1366, 768), "dark", marks=pytest.mark.slow),
        pytest.param((683, 384), "light", marks=pytest.mark.slow),  # 1366 x 768 enlarged to 200 %
    ],
)
def test_it_fits_and_axe_finds_nothing_in_it(page, serve_app, size, scheme):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(serve_app.url + ALARM + "&visit=3", timeout=WAIT)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    new, _, passed = audit(page)
    assert new == []
    assert "color-contrast" in passed
    assert card(page).evaluate("node => node.scrollWidth <= node.clientWidth")
    inside = """node => Array.from(node.querySelectorAll('.lv-node'), (each) => {
      const {left, right} = each.getBoundingClientRect();
      return left >= 0 && right <= window.innerWidth;
    }).every(Boolean)"""
    assert card(page).evaluate(inside)


def test_on_a_phone_no_arrow_passes_under_a_node(page, serve_app):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{serve_app.url}?model=lrbn-6-findings&visit=3", timeout=WAIT)
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    latents, observations = page.evaluate(
        """() => ["latent", "visible"].map((kind) =>
          Array.from(window.lrbnPlayers[0].root.querySelectorAll(`.lv-node[data-kind=${kind}]`), (node) => {
            const {left, right} = node.getBoundingClientRect();
            return [left, right];
          }))"""
    )
    assert (len(latents), len(observations)) == (6, 14)
    assert max(right for _, right in latents) + 40 < min(left for left, _ in observations)
    assert max(right for _, right in observations) <= 390


@pytest.mark.parametrize("model", [ALARM, "?model=lrbn-6-findings"])
def test_presented_it_fits_the_window_alone_and_beside_the_why_card(page, serve_app, model):
    page.set_viewport_size({"width": 1280, "height": 720})
    for cards in ("network", "why.network"):
        page.goto(f"{serve_app.url}{model}&visit=3&present={cards}", timeout=WAIT)
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        wait_until_whole(page)
        foot = page.locator(".lv-foot").bounding_box()
        box = card(page).bounding_box()
        assert foot is not None
        assert box is not None
        assert box["y"] + box["height"] <= foot["y"], cards


def test_the_slider_leaves_weak_weights_out(explorer):
    slider = explorer.get_by_label("Smallest weight that has an arrow")
    assert shown(explorer)["arrows"] == 3, "a weight of 0 has no arrow"
    slider.fill("95")
    explorer.wait_for_function("() => window.lrbnPlayers[0].panels.network.snapshot.arrows === 1")
    slider.fill("0")
    explorer.wait_for_function("() => window.lrbnPlayers[0].panels.network.snapshot.arrows === 3")


def test_a_saved_picture_has_its_names_numbers_and_arrows_as_vectors(explorer, tmp_path):
    seek(explorer, MANY)
    wait_for_rest(explorer)
    tree = ET.fromstring(save(explorer, "svg", tmp_path).read_text(encoding="utf-8"))
    name = "{http://www.w3.org/2000/svg}"
    words = ["".join(each.itertext()) for each in tree.iter(f"{name}text")]
    for word in ("burglary", "earthquake", "radio report", "0.1000"):
        assert word in words
    assert len(list(tree.iter(f"{name}path"))) >= 6, "a line and a head for each of three arrows"


def test_the_factorised_lane_is_drawn_by_itself(explorer):
    explorer.get_by_label("Lane of the network").select_option("1")
    explorer.wait_for_function("() => window.lrbnPlayers[0].panels.network.snapshot.lane === 1")
    wait_for_rest(explorer)
    found = shown(explorer)
    assert [each["title"] for each in found["nodes"][0]["bars"]] == ["prior", "posterior"]
    assert found["arcs"] == []
    assert not explorer.evaluate("() => window.lrbnPlayers[0].panels.network.network.heads")
    expect(card(explorer).locator("h2")).not_to_contain_text("log")


def test_on_paper_the_arrows_stay_with_their_nodes(live):
    seek(live, MANY)
    wait_for_rest(live)
    live.pdf(format="A4")
    wide = "() => window.lrbnPlayers[0].panels.network.stage.style.width"
    assert live.evaluate(wide) == "", "after printing it fills its card again"
    live.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    live.emulate_media(media="print")
    apart = """() => {
      const {nodes, boxes} = window.lrbnPlayers[0].panels.network;
      return Math.max(...nodes.flatMap(({button}, n) => [
        Math.abs(button.offsetLeft - boxes[n].x), Math.abs(button.offsetTop - boxes[n].y)]));
    }"""
    assert live.evaluate(apart) <= 3, "a line of text has whole pixels, at 80 % too"
