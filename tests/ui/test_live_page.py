"""A live page in a real browser, opened from a disk: it computes all, and says what the explorer says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.journeys import Evaluating, seek, state, wait_for_rest, wait_for_timers
from ui.returning import ReturningBrowser

from lrbn_viz import export_live, find_basins, load_dataset, pretrained
from lrbn_viz.app.inference.state import Session
from lrbn_viz.catalog import usual_start
from lrbn_viz.measure import reconstruction_error
from lrbn_viz.view.player.packing import rounded_model
from lrbn_viz.view.player.truth import distance_of, truth_of

WRITE_MS = 250  # after which a live page writes its address: live.js
NAME = "lrbn-200-mnist-strokes"
SMALL = "lrbn-16-digits"
BESIDE = f"factorised:{NAME}"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a live page lies, with the two models that teach most."""
    path = tmp_path_factory.mktemp("live") / "live.html"
    assert export_live(path, NAME, "rbm-200-mnist-likeliest") <= 1_000_000
    return path.as_uri()


@pytest.fixture(scope="module")
def small_address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a live page of a model lies whose posterior can be known."""
    path = tmp_path_factory.mktemp("live") / "small.html"
    export_live(path, SMALL, n_images=20)
    return path.as_uri()


@pytest.fixture
def open_live(context: BrowserContext, address: str, seen) -> Iterator[Callable[..., Page]]:
    """Open the page with settings in its address, without a network; nothing may be asked for or go wrong."""
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))

    def open_live(page: Page | None = None, at: str = address, **settings: object) -> Page:
        page = page or context.new_page()
        page.goto(f"{at}#{urlencode(settings)}" if settings else at)
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        wait_for_rest(page)
        return page

    yield open_live
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    seen.assert_clean()


def settings(page: Evaluating, drawn: bool = False) -> dict[str, str]:
    """What the address says, once it is written, and once it holds what was drawn."""
    wait_for_timers(page, WRITE_MS)
    if drawn:
        page.wait_for_function("() => location.hash.includes('drawn=')")
    return {name: value for name, (value,) in parse_qs(urlsplit(page.url).fragment).items()}


def shows(page: Evaluating, session: Session) -> None:
    """Both lanes end as the explorer's do."""
    seek(page, 10**9)
    for lane, trace in zip(state(page)["lanes"], session.traces, strict=True):
        end = trace.latents(trace.n_visits).tolist()
        # means travel in single precision, states exactly
        assert lane["h"] == (pytest.approx(end, abs=1e-6) if trace.means else end)
        assert lane["wrong"] == trace.wrong_pixels()[-1]
        assert abs(lane["logJoint"] - trace.log_joint_at(trace.n_visits)) < 1e-6


def explorer(**params: object) -> Session:
    return Session(**{"model_name": NAME, "rival_name": BESIDE, **params})


def test_a_visitor_chooses_draws_and_holds_and_a_link_brings_it_back(open_live, context):
    page = open_live()
    shows(page, explorer())
    page.get_by_role("button", name="Next image", exact=True).click()
    page.get_by_label("Inference in lane 1").select_option("annealed")
    page.get_by_label("Seed in lane 1").fill("7")
    page.get_by_label("Seed in lane 1").press("Enter")
    shows(page, explorer(index=1, algorithm="annealed", seed=7))
    page.get_by_label("Model in lane 2").select_option("rbm-200-mnist-likeliest")
    shows(page, explorer(index=1, algorithm="annealed", seed=7, rival_name="rbm-200-mnist-likeliest"))
    page.get_by_label("Inference in lane 1").select_option("icm")
    page.evaluate("() => window.lrbnPlayers[0].hold(12, 'on', 0)")
    image = page.get_by_role("application", name=re.compile("^Input image"))
    box = image.bounding_box()
    assert box
    page.get_by_role("button", name="Draw", exact=True).click()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 90, box["y"] + 60, steps=8)
    page.mouse.up()
    wait_for_rest(page)
    found = settings(page, drawn=True)
    assert found["clamp"] == "12on"
    given = explorer(
        index=1, rival_name="rbm-200-mnist-likeliest", clamp="12on", drawn=found["drawn"], seed=7
    )
    assert given.pixels_changed > 10
    shows(page, given)
    expect(page.get_by_text("Own image, in place of image 1.")).to_be_visible()
    again = open_live(**settings(page))
    assert state(again)["lanes"] == state(page)["lanes"]


def test_a_link_of_the_explorer_opens_and_one_that_does_not_fit_says_so(open_live):
    page = open_live(model=NAME, rival=BESIDE, image=4, algorithm="gibbs", seed=3, start="paper", visit=50)
    assert state(page)["k"] == 50
    shows(page, explorer(index=4, algorithm="gibbs", seed=3, start="paper"))
    page = open_live(page, image=4, algorithm="gallop", visit="end", unit="0.7")
    notice = page.get_by_role("status").filter(has_text="Some of this link was ignored")
    expect(notice).to_contain_text("has no inference called \u201cgallop\u201d")
    assert state(page)["k"] == state(page)["end"]
    expect(page.get_by_role("heading", name=re.compile(r"\bunit 7\b"))).to_be_visible()
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_be_hidden()


def test_local_optima_are_looked_for_beside_the_page(open_live):
    page = open_live(image=2)
    page.get_by_role("heading", name="Where other starts end").scroll_into_view_if_needed()
    page.wait_for_function("() => window.lrbnLive.optima.known.size > 0")
    image = load_dataset("mnist5k").test_X[2]
    rival = explorer(index=2).traces[1]
    found = find_basins(pretrained(NAME), image, 500, starts={"rbm": rival.latents(rival.n_visits)})
    shown = page.evaluate("() => window.lrbnPlayers[0].panels.basins.found.log_joint.length")
    assert shown == len(found)


# Four moves of a pen in one task, as on a slow computer; what was shown after each, and after the next frame.
PEN = """() => new Promise((done) => {
  const player = window.lrbnPlayers[0], {input} = player, {canvas} = input;
  const box = canvas.getBoundingClientRect();
  const shown = () => input.states.every((state, i) => state === Number(player.lanes[0].x[i])), seen = [];
  const {setTrace} = player;
  let answers = 0;
  player.setTrace = (...given) => { answers++; return setTrace.apply(player, given); };
  canvas.setPointerCapture = () => {};
  input.hold("draw");
  const tell = (type, share) => {
    const at = {buttons: 1, clientX: box.left + share * box.width, clientY: box.top + 0.06 * box.height};
    const coalescedEvents = [new PointerEvent(type, at)];
    canvas.dispatchEvent(new PointerEvent(type, {...at, coalescedEvents}));
    seen.push([answers, shown()]);
  };
  tell("pointerdown", 0.1);
  for (const share of [0.3, 0.5, 0.7]) tell("pointerrawupdate", share);
  requestAnimationFrame(() => {
    seen.push([answers, shown()]);
    tell("pointerup", 0.7);
    done(seen);
  });
})"""


def test_moves_of_a_pen_within_a_frame_are_inferred_together_in_the_next(open_live):
    page = open_live()
    assert page.evaluate(PEN)[:5] == [[1, True], [1, False], [1, False], [1, False], [2, True]]


# What a stroke changes in the page's elements before its frame is painted, but for texts in boxes, which
# limit a layout.
CHANGED = """() => {
  const player = window.lrbnPlayers[0], {transport, input} = player, {showSpeed} = transport, found = [];
  transport.showSpeed = (speed) => { found.push(`speed ${speed}`); return showSpeed.call(transport, speed); };
  const observer = new MutationObserver(() => {});
  const all = {subtree: true, childList: true, attributes: true, characterData: true};
  observer.observe(player.root, all);
  input.stroke([4, 3], [6, 4], "draw");
  let texts = 0;
  for (const {type, target, attributeName} of observer.takeRecords()) {
    if (type === "characterData" && target.parentElement?.closest(".lv-box")) texts++;
    else found.push(`${type} ${attributeName} of ${target.parentElement?.className}`);
  }
  return {found, texts, rest: player.unloaded};
}"""


def test_a_stroke_changes_only_texts_in_boxes_before_it_is_painted(open_live):
    page = open_live()
    page.evaluate("() => window.lrbnPlayers[0].input.stroke([4, 20], [9, 22], 'draw')")
    wait_for_rest(page)
    changed = page.evaluate(CHANGED)
    assert changed["found"] == []
    assert changed["rest"]
    assert changed["texts"] > 2


def test_strokes_are_rehearsed_while_the_page_is_idle_and_nothing_shows_it(open_live):
    page = open_live()
    page.wait_for_function("() => window.lrbnPlayers[0].rehearsals.length === 2")
    page.wait_for_url(re.compile("#.+"))  # it is written a moment after the page has opened
    before = state(page), page.url
    player = "window.lrbnPlayers[0]"
    kept = page.evaluate(f"""() => {{
      const {{session}} = window.lrbnLive, {{traces, cursor}} = session, {{lanes}} = {player};
      {player}.rehearse(session.rehearsed());
      const card = {player}.rehearsals[0], {{width}} = {player}.cards[0].latents.canvas;
      return [
        session.traces === traces, session.cursor === cursor, {player}.lanes === lanes, card.node.isConnected,
        card.lane.k === card.lane.n_visits, card.latents.canvas.width === width,
      ];
    }}""")
    assert kept == [True, True, True, False, True, True]
    assert (state(page), page.url) == before


@pytest.mark.slow
def test_the_posterior_of_a_small_model_is_known_and_follows_the_image(open_live, small_address):
    page = open_live(at=small_address, image=8, visit="end")

    def known_of(session: Session) -> None:
        page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].truth")
        trace, model = session.traces[0], pretrained(SMALL)
        truth = truth_of(model, trace)
        distance = distance_of(model, trace)
        assert truth
        assert distance
        shown = page.evaluate(
            """() => { const {truth, distance, meta} = window.lrbnPlayers[0].lanes[0];
                return {evidence: truth.log_evidence, optimum: meta.optimum,
                        marginals: Array.from(truth.marginals.slice(0, 16)),
                        rungs: Object.fromEntries(distance.rungs.map(({name, kl}) => [name, kl])),
                        end: distance.kl.at(-1)}; }"""
        )
        assert shown["evidence"] == pytest.approx(truth.posterior.log_evidence, abs=1e-8)
        assert shown["optimum"] == pytest.approx(truth.posterior.map_log_joint, abs=1e-8)
        assert shown["marginals"] == pytest.approx(truth.posterior.marginals.tolist(), abs=1e-8)
        assert shown["rungs"] == pytest.approx({name: q.kl for name, q in distance.rungs.items()}, abs=1e-6)
        assert shown["end"] == pytest.approx(distance.kl[-1], abs=1e-4)
        for name in ("The exact posterior", "Distance from the exact posterior"):
            expect(page.get_by_role("region", name=name, exact=True)).to_have_attribute("data-stale", "false")

    small: dict[str, Any] = {
        "dataset_name": "digits",
        "model_name": SMALL,
        "rival_name": f"factorised:{SMALL}",
        "index": 8,
    }
    known_of(Session(**small))
    expect(page.get_by_role("region", name="The exact posterior", exact=True)).to_contain_text("1,000 states")
    page.evaluate("() => window.lrbnPlayers[0].input.stroke([1, 1], [6, 6], 'draw')")
    page.wait_for_function("() => window.lrbnPlayers[0].meta.title === 'Own image'")
    known_of(Session(**small, drawn=settings(page, drawn=True)["drawn"]))
    page.get_by_label("Inference in lane 1").select_option("mean-field")
    page.wait_for_function("() => window.lrbnPlayers[0].lanes[0].distance?.rungs.length")
    assert page.evaluate("() => window.lrbnPlayers[0].lanes[0].truth") is None, "means are no state"


@pytest.mark.slow
def test_a_small_file_says_that_its_models_are_others_and_what_they_reconstruct(open_live, tmp_path):
    path, whole = tmp_path / "rounded.html", tmp_path / "whole.html"
    size = export_live(path, NAME, n_images=30, small=True)
    assert size < 0.75 * export_live(whole, NAME, n_images=30)
    page = open_live(at=path.as_uri(), image=2)
    said = page.get_by_text("The weights in this file are rounded to 8 bits").inner_text()
    X = load_dataset("mnist5k").test_X[:1000]
    model: Any = pretrained(NAME)
    rounded: Any = rounded_model(model, np.ones(200, bool), (127, 127))
    rounded.set_params(**model.get_params())
    errors = [reconstruction_error(each, X).mean() for each in (rounded, model)]
    assert f"{errors[0]:.2f}, with all bits {errors[1]:.2f};" in said
    states = [each.infer(X)[0] for each in (rounded, model)]
    assert f"{100 * (states[0] != states[1]).any(axis=1).mean():.0f} % of the images" in said
    seek(page, 10**9)
    trace = rounded.trace(X[2], init=usual_start(NAME))
    assert state(page)["lanes"][0]["h"] == trace.latents(trace.n_visits).tolist()
    assert state(page)["lanes"][0]["wrong"] == trace.wrong_pixels()[-1]
    options = page.get_by_label("Model in lane 1").locator("option")
    expect(options.first).to_contain_text("weights of 8 bits")
    assert "\u2248" not in page.locator("main").inner_text(), "its numbers are its own, and exact"


@pytest.mark.slow
def test_a_recognition_network_is_inferred_by_its_pass_and_by_what_follows(open_live, tmp_path):
    path = tmp_path / "network.html"
    export_live(path, "lrbn-12-digits-recognition", n_images=20)
    page = open_live(at=path.as_uri(), image=3)
    network: dict[str, Any] = {
        "dataset_name": "digits",
        "model_name": "lrbn-12-digits-recognition",
        "rival_name": "factorised:lrbn-12-digits-recognition",
        "index": 3,
    }
    for algorithm in ("recognition", "mean-field", "icm-greedy"):
        page.get_by_label("Inference in lane 1").select_option(algorithm)
        shows(page, Session(**network, algorithm=algorithm))
    page.get_by_label("Start in lane 1").select_option("recognition")
    shows(page, Session(**network, algorithm="icm-greedy", start="recognition"))
    page = open_live(page, at=path.as_uri(), image=3, algorithm="particles", seed=4)
    expect(page.get_by_role("status").filter(has_text="ignored")).to_be_hidden()
    expect(page.get_by_label("Start in lane 1")).to_be_hidden()
    particles = Session(**network, algorithm="particles", seed=4)
    shows(page, particles)
    expect(page.get_by_text(re.compile(r"^effective sample size \d+\.\d of 100$"))).to_be_visible()
    page.evaluate("() => window.lrbnPlayers[0].input.stroke([1, 1], [6, 6], 'draw')")
    page.wait_for_function("() => location.hash.includes('drawn=')")
    shows(page, Session(**network, algorithm="particles", seed=4, drawn=settings(page, drawn=True)["drawn"]))


@pytest.mark.slow
def test_a_deep_belief_network_stands_beside_a_deep_boltzmann_machine(open_live, tmp_path):
    path = tmp_path / "deep.html"
    export_live(path, "dbn-200-200-mnist", "dbm-200-200-mnist", n_images=4)
    page = open_live(at=path.as_uri(), image=1)
    both: dict[str, Any] = {"model_name": "dbn-200-200-mnist", "rival_name": "dbm-200-200-mnist", "index": 1}
    assert page.title() == "DBN live"
    header = page.get_by_role("banner")
    expect(header).to_contain_text("DBN-200-200 (deep belief network). DBM-200-200 (deep Boltzmann machine).")
    assert "Latent Regression" not in page.locator("body").inner_text(), "no model here is one"
    expect(page.get_by_role("group", name="Transport")).to_contain_text("the start (all units off)")
    why = page.get_by_role("region", name="Why is this unit on or off?")
    expect(why).to_contain_text("DBN, without what the layer above says: the start")
    expect(page.locator(".lv-board").get_by_text("turned on", exact=True)).to_be_hidden()
    expect(page.get_by_role("region", name="Units over sweeps")).to_contain_text("a mean counts as its")
    expect(page.get_by_text("turns on", exact=True)).to_be_hidden()
    shows(page, Session(**both))
    expect(
        page.get_by_text(re.compile(r"^the bound decreased (once|\d+ times), as an upward pass may"))
    ).to_be_visible()
    expect(page.get_by_text("Theorem 1 does not hold here")).to_have_count(0)
    page.get_by_label("Inference in lane 1").select_option("mean-field")
    page.get_by_label("Inference in lane 2").select_option("bottom-up")
    shows(page, Session(**both, algorithm="mean-field", rival_algorithm="bottom-up"))
    assert page.evaluate("() => window.lrbnPlayers[0].lanes.map(({meta}) => meta.normalised)") == [
        False,
        False,
    ]
    page.evaluate("() => window.lrbnPlayers[0].hold(205, 'on', 1)")
    held = Session(**both, algorithm="mean-field", rival_algorithm="bottom-up", rival_clamp="205on")
    shows(page, held)
    expect(page.get_by_role("region", name="Where other starts end")).to_be_hidden()


def test_it_is_used_by_keys_and_on_a_phone(open_live, context):
    page = context.new_page()
    page.set_viewport_size({"width": 360, "height": 740})
    open_live(page)
    images = page.get_by_role("button", name="Images", exact=True)
    expect(images).to_have_attribute("aria-expanded", "false")
    images.press("Enter")
    chosen = page.get_by_role("option", name=re.compile("image 5$"))
    chosen.focus()
    chosen.press("Enter")
    page.wait_for_function("() => window.lrbnPlayers[0].meta.caption === 'MNIST subset, test image 5'")
    page.keyboard.press("n")
    page.wait_for_function("() => window.lrbnPlayers[0].meta.caption === 'MNIST subset, test image 6'")
    page.keyboard.press("End")
    wait_for_rest(page)
    shows(page, explorer(index=6))
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 360, "nothing is wider than a phone"


def test_the_explorers_button_writes_what_is_shown(page, serve_app, context, tmp_path: Path):
    page.goto(f"{serve_app.url}?model={NAME}&rival={BESIDE}&image=230&algorithm=icm-greedy&visit=9")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_for_rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Live page").click()
    path = tmp_path / "live.html"
    download.value.save_as(path)
    assert download.value.suggested_filename == "mnist-subset-test-image-230-live.html"
    live = context.new_page()
    live.goto(path.as_uri())
    live.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    assert state(live)["k"] == 9
    assert live.evaluate("() => window.lrbnPlayers[0].meta.caption") == "MNIST subset, test image 230"
    shows(live, explorer(index=230, algorithm="icm-greedy"))


@pytest.fixture
def phone(browser: ReturningBrowser) -> Iterator[Page]:
    """A page of 360 pixels that is touched; nothing may go wrong in it."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    context.set_offline(True)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def test_it_is_drawn_on_and_held_by_touch(phone, address):
    phone.goto(address)
    phone.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_for_rest(phone)
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 360
    phone.get_by_role("button", name="Images", exact=True).tap()
    phone.get_by_role("option", name=re.compile("image 5$")).tap()
    phone.wait_for_function("() => window.lrbnPlayers[0].meta.caption === 'MNIST subset, test image 5'")
    phone.get_by_role("button", name="Images", exact=True).tap()
    phone.get_by_role("button", name="Draw", exact=True).tap()
    box = phone.get_by_role("application", name=re.compile("^Input image")).bounding_box()
    assert box
    at = phone.evaluate("() => window.scrollY")
    session = phone.context.new_cdp_session(phone)
    for n, kind in enumerate(["touchStart", *["touchMove"] * 6, "touchEnd"]):
        points = [] if kind == "touchEnd" else [{"x": box["x"] + 15 + 8 * n, "y": box["y"] + 20 + 4 * n}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    wait_for_rest(phone)
    assert phone.evaluate("() => window.scrollY") == at, "a finger that draws does not scroll"
    found = settings(phone, drawn=True)
    given = explorer(index=5, rival_name=BESIDE, drawn=found["drawn"])
    assert given.pixels_changed > 10
    shows(phone, given)
    unit = phone.evaluate("() => Math.max(0, window.lrbnPlayers[0].lanes[0].currentUnit)")
    phone.get_by_role("button", name="Hold this unit off").tap()
    shows(phone, explorer(index=5, drawn=found["drawn"], clamp=f"{unit}off"))
    assert phone.evaluate("() => document.documentElement.scrollWidth") <= 360


BEGIN_TO_DRAW = """() => {
  const {root} = window.lrbnPlayers[0];
  root.querySelector("button[aria-label='Draw']").click();
  const image = root.querySelector("[role=application][aria-label^='Input image']");
  image.scrollIntoView({block: "center"});
  const {x, y} = image.getBoundingClientRect();
  return {x, y};
}"""


@pytest.mark.slow
@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
@pytest.mark.parametrize("width", [1440, 360])
def test_firefox_opens_it_from_a_disk(address, tmp_path, width):
    with firefox_page(tmp_path) as page:
        page.set_viewport_size(width, 900)
        page.goto(f"{address}#{urlencode({'image': 4, 'algorithm': 'gibbs', 'seed': 3})}")
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        wait_for_rest(page)
        shows(page, explorer(index=4, algorithm="gibbs", seed=3))
        seek(page, 0)
        page.evaluate("() => window.lrbnPlayers[0].root.focus()")
        page.press("\ue014")  # arrow right
        wait_for_rest(page)
        assert state(page)["k"] == 1
        box = page.evaluate(BEGIN_TO_DRAW)
        page.drag([(box["x"] + 15 + 8 * n, box["y"] + 20 + 4 * n) for n in range(7)])
        page.wait_for_function("() => window.lrbnPlayers[0].meta.title === 'Own image'")
        wait_for_rest(page)
        given = explorer(index=4, algorithm="gibbs", seed=3, drawn=settings(page, drawn=True)["drawn"])
        assert given.pixels_changed > 10
        shows(page, given)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= width
        assert page.errors == []
        assert all(url.startswith(("file:", "blob:", "data:", "about:")) for url in page.requests), (
            page.requests
        )


def test_a_browser_without_vectors_gets_words(context: BrowserContext, small_address: str, seen, artifacts):
    page = context.new_page()
    page.add_init_script("WebAssembly.Module = class { constructor() { throw new Error('no vectors'); } };")
    page.goto(small_address)
    expect(page.get_by_role("alert")).to_contain_text("WebAssembly with vectors of 128 bits")
    expect(page.get_by_role("main")).to_have_count(0)
    artifacts(page, "live-without-vectors")
    seen.assert_clean()
