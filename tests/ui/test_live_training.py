"""A live page that trains, from a disk: two models learn in it, and the Inference view shows them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect
from ui.firefox import firefox_page, firefox_path
from ui.journeys import Evaluating
from ui.test_accessibility import NARROW, SIZES, audit_each, open_page, plain, scheme  # noqa: F401

from lrbn_viz import export_live

LEARNED = 1.7  # wrong pixels of held-out digits
SECONDS = 10.0
PAINTED_SHARE = 55 / 60  # of the frames that are asked for
PER_PASS = 62  # minibatches of digits
LAST = 17  # images of the last minibatch of a pass; others have 20
STATUS = "(status) => window.lrbnBoards[0].status === status"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a page lies that trains on digits."""
    path = tmp_path_factory.mktemp("training") / "trains.html"
    assert export_live(path, n_images=20, train=True) <= 1_000_000
    return path.as_uri()


@pytest.fixture
def open_training(context: BrowserContext, address: str, seen) -> Iterator[Callable[..., Page]]:
    """Open the page without a network; nothing may be asked for or go wrong."""
    context.set_offline(True)
    requests: list[str] = []
    context.on("request", lambda request: requests.append(request.url))

    def open_training(**size: Any) -> Page:
        page = context.new_page()
        if size:
            page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(address)
        page.wait_for_function(f"() => window.lrbnBoards && ({STATUS})('new')")
        return page

    yield open_training
    assert all(url.startswith(("file:", "blob:")) for url in requests), requests
    seen.assert_clean()


def wait_for(page: Evaluating, status: str) -> None:
    page.wait_for_function(STATUS, arg=status)


def lanes(page: Evaluating) -> list[dict[str, Any]]:
    return page.evaluate("() => window.lrbnBoards[0].state().lanes")


def press(page: Page, name: str) -> None:
    page.get_by_role("group", name="Training").get_by_role("button", name=name, exact=True).click()


def settings(page: Page) -> Locator:
    return page.get_by_role("group", name="Settings of the run")


def train(page: Page, epochs: int) -> None:
    """Train until so many passes are over, then pause."""
    press(page, "Start training")
    pause_at(page, epochs * PER_PASS)


def pause_at(page: Page, step: int) -> None:
    """Pause as soon as training is so far, from within the page: a slow test may find its end."""
    page.wait_for_function(
        """(step) => {
          const [{lanes, root}] = window.lrbnBoards;
          if (lanes[0].step < step) return false;
          root.querySelector("[data-do=play][data-face=pause]").click();
          return true;
        }""",
        arg=step,
    )
    wait_for(page, "paused")


def frames_in(page: Page, seconds: float) -> int:
    """Frames that the browser paints in so many seconds; nothing else is asked meanwhile."""
    return page.evaluate(
        """(seconds) => new Promise((done) => {
            let painted = 0;
            const began = performance.now();
            const paint = () => {
                if (performance.now() - began > 1000 * seconds) return done(painted);
                painted += 1;
                requestAnimationFrame(paint);
            };
            requestAnimationFrame(paint);
        })""",
        seconds,
    )


def n_images(step: int) -> int:
    """Return how many images a minibatch has."""
    return 20 if step % PER_PASS else LAST


def test_digits_are_learned_within_ten_seconds(open_training):
    page = open_training()
    press(page, "Start training")
    began = time.monotonic()
    page.wait_for_function(
        "(least) => window.lrbnBoards[0].lanes[0].rings.get('probe_wrong_pixels').last <= least", arg=LEARNED
    )
    assert time.monotonic() - began < SECONDS
    wait_for(page, "done")
    lrbn, rbm = lanes(page)
    assert lrbn["last"]["probe_wrong_pixels"] <= LEARNED < rbm["last"]["probe_wrong_pixels"] < 7
    assert lrbn["step"] == rbm["step"] == 80 * PER_PASS
    expect(page.get_by_role("button", name="Train on", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Save", exact=False)).to_have_count(0)


@pytest.mark.slow  # it measures, and others may take the time of all windows
def test_the_page_is_painted_while_both_models_learn(open_training):
    page = open_training()
    asked = frames_in(page, 1)  # 60, on a machine that has time
    press(page, "Start training")
    painted = [frames_in(page, 1) for _ in range(3)]  # of these the best: others may take the machine's time
    assert lanes(page)[0]["step"] > PER_PASS
    assert max(painted) >= PAINTED_SHARE * asked, painted


def test_one_step_takes_one_minibatch_whose_images_are_shown(open_training):
    page = open_training()
    press(page, "Single minibatch")
    wait_for(page, "paused")
    assert [lane["step"] for lane in lanes(page)] == [1, 1]
    expect(page.get_by_label("Last minibatch").get_by_role("button")).to_have_count(20)
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => window.lrbnBoards[0].lanes[0].step === 2")


def test_a_branch_with_another_setting_is_drawn_beside_what_it_left(open_training):
    page = open_training()
    train(page, 6)
    before = lanes(page)[0]["step"]
    page.get_by_label("Moment of the run, in minibatches").focus()
    page.keyboard.press("Home")
    page.evaluate("() => window.lrbnBoards[0].scrub(100)")
    page.wait_for_function(
        "() => window.lrbnBoards[0].state().shown !== null && window.lrbnBoards[0].shown <= 100"
    )
    shown = page.evaluate("() => window.lrbnBoards[0].shown")
    assert 0 < shown <= 100
    settings(page).get_by_label("LRBN: learning rate").select_option("0.02")
    page.get_by_role("button", name="Branch: learn on from the moment shown", exact=False).click()
    page.wait_for_function("() => window.lrbnBoards[0].meta.name === 'Run 2'")
    state = page.evaluate("() => window.lrbnBoards[0].state()")
    assert state["parent"] == {"name": "Run 1", "step": shown, "error": ""}
    assert state["lanes"][0]["step"] == shown < before
    assert state["lanes"][0]["parentPoints"]["log_joint"] > 1
    expect(page.get_by_text(f"Branch of Run 1 at minibatch {shown}.")).to_be_visible()
    epoch = f"{shown / PER_PASS:.2f}"
    expect(page.get_by_text(f"Changed: LRBN, learning rate 0.02 from epoch {epoch}.")).to_be_visible()
    page.keyboard.press(" ")
    wait_for(page, "running")
    pause_at(page, shown + PER_PASS + 1)
    page.evaluate("(step) => window.lrbnBoards[0].scrub(step)", shown + 40)
    page.wait_for_function("() => window.lrbnBoards[0].state().shown !== null")
    page.keyboard.press("b")
    page.wait_for_function("() => window.lrbnBoards[0].meta.name === 'Run 3'")
    expect(page.get_by_text(f"Run 2 is a branch of Run 1 at minibatch {shown}.")).to_be_visible()


def test_both_models_have_a_validation_score_and_a_gradient_norm(open_training):
    page = open_training()
    train(page, 2)
    for name in ("validation_score", "gradient_norm", "probe_wrong_pixels_factorised"):
        assert all(lane["last"][name] is not None for lane in lanes(page)), name
    charts = page.get_by_label("Curves").get_by_role("figure")
    titles = [" ".join(text.split()) for text in charts.all_inner_texts()]  # spaces that do not break, too
    for title in ("Validation log P(x, h), LRBN", "Validation pseudo-log-likelihood, RBM"):
        assert any(text.startswith(title) for text in titles), titles


def test_what_came_later_is_forgotten_only_when_this_is_confirmed(open_training):
    page = open_training()
    train(page, 2)
    page.evaluate("() => window.lrbnBoards[0].scrub(50)")
    page.get_by_role("button", name="Go back here and forget what came later", exact=True).click()
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text("and its curves")
    dialog.get_by_role("button", name="Go back and discard").click()
    page.wait_for_function("() => window.lrbnBoards[0].lanes[0].step <= 50")
    assert page.evaluate("() => window.lrbnBoards[0].meta.name") == "Run 1"


def test_with_a_learned_prior_half_of_the_units_die(open_training):
    page = open_training()
    settings(page).get_by_label("LRBN: prior").select_option("learned")
    press(page, "Reset: from the beginning, with the chosen seed")
    press(page, "Start training")
    wait_for(page, "done")
    lrbn, rbm = lanes(page)
    assert lrbn["last"]["probe_dead_units"] == pytest.approx(16, abs=4)
    assert rbm["last"]["probe_dead_units"] == 0


def test_a_seed_is_chosen_for_the_next_run_which_is_the_same_again(open_training):
    page = open_training()
    seed = settings(page).get_by_label("Seed")
    says = page.get_by_text("holds from the next Reset")

    def learned() -> Any:
        for _ in range(5):
            press(page, "Single minibatch")
        page.wait_for_function("() => window.lrbnBoards[0].lanes[0].step === 5")
        return [lane["last"]["probe_wrong_pixels"] for lane in lanes(page)], page.evaluate(
            "() => window.lrbnBoards[0].minibatch && [...window.lrbnBoards[0].lanes[0].filters]"
        )

    def reset() -> None:
        press(page, "Reset: from the beginning, with the chosen seed")
        page.wait_for_function("() => window.lrbnBoards[0].lanes[0].step === 0")

    usual = learned()
    seed.fill("12")
    seed.press("Enter")
    expect(says).to_have_text("Seed 12 holds from the next Reset; this run has seed 0.")
    reset()
    expect(says).to_be_hidden()
    other = learned()
    assert other != usual
    reset()
    assert learned() == other
    seed.fill("-1")
    seed.press("Tab")
    expect(seed).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Seed: a whole number from 0 to 2,147,483,647.")).to_be_visible()
    reset()
    seed.fill("0")
    seed.press("Tab")
    expect(seed).to_have_attribute("aria-invalid", "false")
    assert learned() == usual


def test_an_image_of_the_last_minibatch_is_opened_with_the_models_that_its_e_step_had(open_training):
    page = open_training()
    train(page, 3)
    step = lanes(page)[0]["step"]
    page.get_by_label("Last minibatch").get_by_role("button").nth(4).click()
    expect(page.get_by_role("button", name="Inference", exact=True)).to_have_attribute("aria-pressed", "true")
    titles = page.evaluate("() => window.lrbnLive.session.lanes.map(({model}) => model)")
    assert titles == [f"{kind} in training, before minibatch {step:,}" for kind in ("LRBN", "RBM")]
    expect(page.get_by_text(f"of minibatch {step}")).to_be_visible()
    assert page.evaluate("() => window.lrbnLive.session.traces[0].unit.length") > 32
    page.keyboard.press("ArrowRight")  # a visit of the player, and no minibatch
    page.wait_for_function("() => window.lrbnPlayers[0].k === 1")
    page.get_by_role("button", name="Train", exact=True).click()
    assert lanes(page)[0]["step"] == step
    assert "page=train" in page.url


def test_slow_motion_takes_one_minibatch_and_shows_its_flips_and_the_change_of_filters(open_training):
    page = open_training()
    press(page, "Start training")
    page.wait_for_function("(step) => window.lrbnBoards[0].lanes[0].step >= step", arg=PER_PASS)
    page.keyboard.press("s")
    card = page.get_by_role("region", name="Slow motion")
    expect(card).to_be_focused()
    wait_for(page, "paused")
    step = lanes(page)[0]["step"]
    expect(card).to_contain_text(f"minibatch {step:,}, {n_images(step)} images")
    e_step = card.get_by_role("region", name="LRBN: E-step")
    images = e_step.get_by_role("group", name="Images of the minibatch").get_by_role("button")
    expect(images).to_have_count(n_images(step))
    expect(images.first).to_have_attribute("aria-pressed", "true")
    images.nth(2).click()
    flips = int(images.nth(2).get_attribute("aria-label").split(", ")[1].split()[0])
    said = e_step.get_by_role("status")
    expect(said).to_contain_text(f"The E-step makes {flips} flip")
    slider = e_step.get_by_role("slider", name="LRBN: flip of the E-step")
    slider.focus()
    for flip in range(1, flips + 1):  # each changes one latent, and ICM never lowers the joint
        page.keyboard.press("ArrowRight")
        expect(said).to_contain_text(f"Flip {flip} of {flips}, sweep ")
    assert lanes(page)[0]["step"] == step, "arrow keys of the slider take no minibatch"
    joints = page.evaluate(
        "() => { const [{arrays}] = window.lrbnBoards[0].slow.flips;"
        " return [...arrays.log_joint].slice(arrays.ends[1], arrays.ends[2]); }"
    )
    assert joints == sorted(joints)
    assert len(joints) == flips + 1
    expect(e_step.get_by_role("button", name="Next flip")).to_be_disabled()
    e_step.get_by_role("button", name="Play").click()  # from the start again
    expect(said).to_contain_text(f"Flip 2 of {flips}", timeout=5000)
    e_step.get_by_role("button", name="Pause").click()
    for name in ("LRBN: M-step", "RBM: gradient step"):
        units = card.get_by_role("region", name=name).get_by_role("listitem")
        expect(units).to_have_count(12)
        sizes = [float(text.split()[-1]) for text in units.locator("small").all_inner_texts()]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] > 0
    e_step.get_by_role("button", name="Every visit of this image, in Inference").click()
    expect(page.get_by_text(f"of minibatch {step}")).to_be_visible()
    page.get_by_role("button", name="Train", exact=True).click()
    press(page, "Slow motion: a single minibatch in its two parts, E-step and M-step")
    expect(card).to_contain_text(f"minibatch {step + 1:,}, {n_images(step + 1)} images")
    card.get_by_role("button", name="Close slow motion").click()
    expect(card).to_be_hidden()
    page.keyboard.press("s")
    expect(card).to_be_visible()
    page.keyboard.press("ArrowRight")  # of the page: another step is shown
    expect(card).to_be_hidden()


def test_slow_motion_of_latents_that_are_drawn_shows_the_draws_of_training(tmp_path: Path, context, seen):
    path = tmp_path / "bars.html"
    export_live(path, "lrbn-16-bars", n_images=20, train=True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function(f"() => window.lrbnBoards && ({STATUS})('new')")
    page.keyboard.press("s")
    e_step = page.get_by_role("region", name="LRBN: E-step")
    expect(e_step).to_contain_text("Gibbs sampling visits one latent after another, and draws each")
    assert page.evaluate("() => window.lrbnBoards[0].slow.flips[0].flips(0)") > 5
    seen.assert_clean()


def test_a_filter_is_enlarged_with_its_past(open_training):
    page = open_training()
    train(page, 2)
    page.evaluate("() => window.lrbnBoards[0].lanes[0].mosaic.open(3)")
    dialog = page.get_by_role("dialog", name="Filter")
    expect(dialog.get_by_role("listitem")).to_have_count(12)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_a_slow_run_shows_each_minibatch(open_training):
    page = open_training()
    settings(page).get_by_label("Speed").select_option("10 minibatches a second")
    began = page.evaluate("() => performance.now()")
    press(page, "Start training")
    pause_at(page, 15)
    step = lanes(page)[0]["step"]
    seconds = (page.evaluate("() => performance.now()") - began) / 1000
    assert step <= 10 * (seconds + 1)


def test_who_wants_few_movements_sees_a_picture_a_second(open_training):
    page = open_training()
    page.emulate_media(reduced_motion="reduce")
    settings(page).get_by_label("Speed").select_option("an epoch a second")
    page.evaluate(
        """() => {
            const board = window.lrbnBoards[0], {pictures} = board;
            window.shown = 0;
            board.pictures = (...given) => { window.shown += 1; return pictures.apply(board, given); };
        }"""
    )
    began = page.evaluate("() => performance.now()")
    press(page, "Start training")
    page.wait_for_function(
        "(step) => window.shown >= 4 && window.lrbnBoards[0].lanes[0].step > step", arg=2 * PER_PASS
    )
    shown, now = page.evaluate("() => [window.shown, performance.now()]")
    assert shown <= 2 * ((now - began) / 1000 + 1)  # of what it learns, and of held-out images


def test_an_address_opens_the_view(open_training, address):
    page = open_training()
    page.goto(f"{address}#image=3")
    expect(page.get_by_role("button", name="Inference", exact=True)).to_have_attribute("aria-pressed", "true")
    page.evaluate("() => { location.hash = '#page=train'; }")
    expect(page.get_by_role("main", name="Train")).to_be_visible()
    # the view writes its own address after the next one was opened, and before that is read
    page.evaluate("() => { location.hash = '#image=4'; window.lrbnLive.views.write(); }")
    expect(page.get_by_role("button", name="Inference", exact=True)).to_have_attribute("aria-pressed", "true")
    page.wait_for_function("() => String(window.lrbnLive.session.address.image) === '4'")


def test_a_phone_shows_models_first_and_nothing_wider_than_itself(open_training):
    page = open_training(width=390, height=844)
    expect(page.get_by_text("Settings of the run: 8x8 digits")).to_be_visible()
    expect(settings(page).get_by_label("LRBN: prior")).to_be_hidden()
    train(page, 1)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    page.get_by_text("Settings of the run: 8x8 digits").click()
    expect(settings(page).get_by_label("LRBN: prior")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("region", name="Slow motion")).to_be_in_viewport()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390


@SIZES
def test_a_page_that_trains_has_no_grave_finding(open_page, address, size):  # noqa: F811
    def paused(page: Page) -> None:
        page.wait_for_function(f"() => window.lrbnBoards && ({STATUS})('new')")
        train(page, 1)
        plain(page)

    def slowed(page: Page) -> None:
        page.evaluate("() => window.lrbnBoards[0].say({type: 'slow'})")
        expect(page.get_by_role("region", name="Slow motion")).to_be_visible()
        plain(page)

    page = open_page(address, size)
    if size == NARROW:
        page.get_by_text("Settings of the run: 8x8 digits").click()
    assert not audit_each(page, (paused, slowed))


@pytest.mark.skipif(firefox_path() is None, reason="no Firefox is installed")
def test_firefox_trains_looks_back_and_opens_an_image(tmp_path: Path, address: str):
    with firefox_page(tmp_path) as page:
        page.goto(address)
        page.wait_for_function(f"() => window.lrbnBoards && ({STATUS})('new')")
        page.press(" ")
        page.wait_for_function(
            "(least) => window.lrbnBoards[0].lanes[0].rings.get('probe_wrong_pixels').last <= least",
            arg=LEARNED,
        )
        wait_for(page, "done")
        page.evaluate("() => window.lrbnBoards[0].scrub(100)")
        page.wait_for_function("() => window.lrbnBoards[0].state().shown !== null")
        page.evaluate("() => window.lrbnBoards[0].scrub(-1)")
        page.evaluate("() => window.lrbnBoards[0].say({type: 'inspect', number: 0})")
        page.wait_for_function("() => window.lrbnLive.session.lanes[0].model.startsWith('LRBN in training')")
        assert page.errors == []
        assert all(url.startswith(("file:", "blob:", "data:")) for url in page.requests), page.requests


@pytest.mark.slow  # a minute of training
def test_strokes_of_mnist_are_learned_within_a_minute(context: BrowserContext, tmp_path: Path, seen):
    path = tmp_path / "strokes.html"
    assert export_live(path, "lrbn-200-mnist-strokes", n_images=20, train=True) <= 1_200_000
    context.set_offline(True)
    page = context.new_page()
    page.goto(path.as_uri())
    page.wait_for_function(f"() => window.lrbnBoards && ({STATUS})('new')")
    press(page, "Start training")
    began = time.monotonic()
    page.wait_for_function("() => window.lrbnBoards[0].status === 'done'", timeout=120_000)
    assert time.monotonic() - began < 60
    lrbn, rbm = (lane["last"]["probe_wrong_pixels"] for lane in lanes(page))
    assert lrbn < 23
    assert rbm < 31, "an RBM that learns as well as the best of those that were tried"
    seen.assert_clean()
