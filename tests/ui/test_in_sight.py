"""What captions and lessons speak of is on the screen, at every size of a window."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, ViewportSize, expect
from ui.conftest import ServedApp
from ui.journeys import hurry, wait_for_answer, wait_until_whole

from lrbn_viz.app.inference.first_look import read
from lrbn_viz.view.lessons import shipped_lessons

# The first, in which pages open, is a window of 1366 by 768 pixels that is enlarged to 200 %.
SIZES: dict[str, ViewportSize] = {
    "enlarged": {"width": 683, "height": 384},
    "laptop": {"width": 1366, "height": 768},
    "projector": {"width": 1280, "height": 720},
    "phone": {"width": 390, "height": 844},
}
LEAST_ROOM = 0.35
"""Of the window's height, of what is neither header, captions nor transport."""
SMALL = ("phone", "enlarged")
"""Where cards beside a lesson may be taller than their room: then the first of them begins in sight."""

# Of each part that is spoken of: its name, its height, that of its room, and whether its middle and its
# corners are seen, and not covered.
SEEN = """(parts) => {
  const {root, inner} = window.lrbnPlayers[0];
  const deepest = (x, y) => {
    for (let tree = document, at = null; ;) {
      const next = tree.elementFromPoint(x, y);
      if (!next || next === at) return at;
      at = next;
      if (!at.shadowRoot) return at;
      tree = at.shadowRoot;
    }
  };
  return parts.flatMap(([name, selector]) => Array.from(root.querySelectorAll(selector), (node) => {
    const {left, top, width, height} = node.getBoundingClientRect();
    const [dx, dy] = [width, height].map((size) => Math.min(6, size / 5)); // within round corners
    const right = width - dx, low = height - dy;
    const places = [[dx, dy], [right, dy], [width / 2, height / 2], [dx, low], [right, low]];
    const seen = places.map(([x, y]) => node.contains(deepest(left + x, top + y)));
    return [name, height, inner.contains(node) ? inner.clientHeight : height + 1, seen];
  }));
}"""
# Nothing of it moves any more, as after another size of the window.
STILL = """() => {
  const {root, sight} = window.lrbnPlayers[0], nodes = [root, ...sight.wanted.flat()];
  const places = nodes.map((node) => JSON.stringify(node.getBoundingClientRect())).join();
  const size = [window.innerWidth, window.innerHeight].join();
  if (places + size !== window.places) [window.places, window.frames] = [places + size, 0];
  return ++window.frames > 6;
}"""
# Lines of the transport of which a part only is seen: each is either whole or scrolled out of sight.
CUT_LINES = """() => {
  const node = window.lrbnPlayers[0].root.querySelector(".lv-transport"), box = node.getBoundingClientRect();
  const low = Math.min(box.bottom, innerHeight), walk = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  const cut = [];
  while (walk.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const {top, bottom, width} of range.getClientRects())
      if (width && top < low - 3 && bottom > low + 3) cut.push(walk.currentNode.data);
  }
  return cut;
}"""
CARDS = {"image": ".lv-input", "lane1": ".lv-lane[data-lane='0']", "lane2": ".lv-lane[data-lane='1']"}


def missing(page: Page, parts: list[tuple[str, str]], where: Any, is_lesson: bool = False) -> list[Any]:
    """Return what of parts of the player is out of sight, at sizes of the window."""
    found = []
    for size in SIZES:
        page.set_viewport_size(SIZES[size])
        wait_for_answer(page)
        expect(page.locator(".MuiBackdrop-root:visible")).to_have_count(0)  # the menus make room
        page.wait_for_function(STILL)
        rows = page.evaluate(SEEN, parts)
        assert {name for name, *_ in rows} == {name for name, _ in parts}, (where, size)
        taller = (
            is_lesson
            and size in SMALL
            and page.evaluate("() => lrbnPlayers[0].sight.extent.height") > rows[0][2]
        )
        for name, height, room, seen in rows[:1] if taller else rows:
            if not all(seen[:2] if height > room else seen):
                found.append((where, size, name, height, room, seen))
        found += [(where, size, "is cut", words) for words in page.evaluate(CUT_LINES)]
        room, window = page.evaluate("() => [lrbnPlayers[0].inner.clientHeight, innerHeight]")
        if room < LEAST_ROOM * window:
            found.append((where, size, room, window))
    return found


def captions_missing(page: Page, app: ServedApp, numbers: list[int]) -> list[Any]:
    look = read()
    assert look is not None
    page.goto(app.url)
    hurry(page)
    wait_until_whole(page)
    found = []
    for number, caption in enumerate(look.story):
        expect(page.locator(".lv-told-texts > [data-shown=true] h2")).to_have_text(caption["title"])
        n_parts = len(caption["parts"])
        page.wait_for_function("n => lrbnPlayers[0].story.pointed.length >= n", arg=n_parts)
        if number in numbers:
            found += missing(page, [("parts", ".lv-pointed")], caption["title"])
        if number == max(numbers):
            break
        if number + 1 < len(look.story):
            page.evaluate("() => { const {story} = window.lrbnPlayers[0]; story.go(story.at + 1); }")
    return found


def lessons_missing(page: Page, app: ServedApp, steps: list[tuple[int, int]]) -> list[Any]:
    lessons, found = list(shipped_lessons()), []
    for at, number in steps:
        lesson = lessons[at]
        step = lesson.steps[number - 1]
        page.goto("about:blank")
        page.set_viewport_size(SIZES["enlarged"])
        page.goto(f"{app.url}?lesson={lesson.id}&step={number}")
        page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
        wait_until_whole(page)
        for names in (step.look, step.after or step.look):
            parts = [(name, CARDS.get(name, f"[data-part={name}]")) for name in names]
            n = len({*step.look, *(names if names != step.look else ())})
            page.wait_for_function(
                "n => lrbnPlayers[0].root.querySelectorAll('.lv-pointed').length >= n", arg=n
            )
            found += missing(page, parts, (lesson.id, number, names), is_lesson=True)
            if not step.options or page.locator(".lv-lesson fieldset[data-answered]").count():
                break
            page.locator(".lv-lesson label input").first.check()
            page.get_by_role("button", name="See what happens").click()
            expect(page.locator(".lv-lesson fieldset[data-answered]")).to_have_count(1)
    return found


def test_what_a_caption_and_a_step_of_a_lesson_speak_of_is_in_sight_at_every_size(
    page: Page, seen, serve_app: ServedApp
):
    look, lessons = read(), list(shipped_lessons())
    assert look is not None
    steps = [(at, number) for at, each in enumerate(lessons) for number in range(1, len(each.steps) + 1)]
    explains = next(step for step in steps if "why" in lessons[step[0]].steps[step[1] - 1].after)
    assert captions_missing(page, serve_app, [0]) == []
    assert lessons_missing(page, serve_app, [explains]) == []
    page.set_viewport_size(SIZES["enlarged"])
    page.wait_for_function(STILL)
    assert page.evaluate("() => lrbnPlayers[0].sight.fits"), "the whole card, at 200 % too"
    seen.assert_clean()


def test_a_card_whose_sentence_grows_stays_whole_in_sight_until_somebody_scrolls(
    page: Page, serve_app: ServedApp
):
    page.set_viewport_size(SIZES["enlarged"])
    page.goto(f"{serve_app.url}?lesson=surest-unit&step=1")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    assert page.evaluate("() => lrbnPlayers[0].sight.tight"), "the lane and the card have no room together"
    grow = """(pixels) => {
      const {root} = window.lrbnPlayers[0], why = root.querySelector("[data-part=why]");
      why.querySelector("[data-test-line]")?.remove();
      const line = document.createElement("div");
      line.dataset.testLine = "";
      line.style.height = `${pixels}px`;
      why.append(line);
    }"""
    places = """() => {
      const {root, inner} = window.lrbnPlayers[0], room = inner.getBoundingClientRect();
      const {top, bottom, height} = root.querySelector("[data-part=why]").getBoundingClientRect();
      return [top >= room.top, bottom <= room.bottom, height];
    }"""
    heights = []
    for pixels in (0, 19, 38, 0, 38):  # lines of the sentence come and go with the visits
        page.evaluate(grow, pixels)
        page.wait_for_function(STILL)
        *inside, height = page.evaluate(places)
        assert inside == [True, True], pixels
        heights.append(height)
    assert heights[2] - heights[0] >= 30
    page.evaluate("() => lrbnPlayers[0].inner.scrollTo({top: 0, behavior: 'instant'})")
    page.wait_for_function(STILL)
    page.evaluate(grow, 19)
    page.wait_for_function(STILL)
    assert page.evaluate("() => lrbnPlayers[0].inner.scrollTop") == 0


@pytest.mark.slow
def test_what_every_caption_speaks_of_is_in_sight_at_every_size(page: Page, serve_app: ServedApp):
    assert captions_missing(page, serve_app, list(range(100))) == []


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(list(shipped_lessons()))))
def test_what_every_step_of_a_lesson_speaks_of_is_in_sight_at_every_size(
    page: Page, serve_app: ServedApp, at
):
    n_steps = len(list(shipped_lessons())[at].steps)
    assert lessons_missing(page, serve_app, [(at, number) for number in range(1, n_steps + 1)]) == []


# Words beside the lanes' pictures that reach beyond their card, and pairs of them that lie on each other.
LABELS = """() => {
  const {root} = window.lrbnPlayers[0], faults = [];
  for (const lane of root.querySelectorAll(".lv-lane.lv-pointed")) {
    const card = lane.getBoundingClientRect(), lines = [];
    for (const label of lane.querySelectorAll(".lv-label")) {
      const walk = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(walk.currentNode);
        for (const box of range.getClientRects()) lines.push([walk.currentNode.data, box]);
      }
    }
    const cut = lines.filter(([, {left, right}]) => left < card.left || right > card.right);
    faults.push(...cut.map(([text]) => [text, "is cut"]));
    lines.forEach(([one, a], n) => lines.slice(n + 1).forEach(([other, b]) => {
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const tall = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 1 && tall > 0.4 * Math.min(a.height, b.height)) faults.push([one, other]);
    }));
  }
  return [faults, root.querySelectorAll(".lv-lane.lv-pointed").length];
}"""
# What was drawn of the exact optimum, -2.47 nats, and whether that is within its canvas.
DRAWN = """
  window.drawn = [];
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...rest) {
    const {actualBoundingBoxLeft: left, actualBoundingBoxRight: right} = this.measureText(text);
    const within = x - left >= -1 && x + right <= this.canvas.width + 1;
    if (text.endsWith("\u22122.47")) window.drawn.push([text, within]);
    return draw.call(this, text, x, ...rest);
  };
"""


@pytest.mark.parametrize(
    ("lesson", "step", "n_lanes", "size"),
    [
        ("explaining-away", 2, 1, "enlarged"),  # "exact optimum" is wider than its curve
        ("surest-unit", 2, 2, "enlarged"),  # a unit is held
        ("one-pass", 3, 2, "laptop"),  # "nats + constant" is wider than its curve
        ("higher-is-not-better", 2, 2, "enlarged"),  # long titles beside long verdicts
        ("all-at-once", 3, 1, "enlarged"),  # a verdict that has a line of its own
    ],
)
def test_words_beside_lanes_are_neither_cut_nor_overprinted_beside_a_lesson(
    context: BrowserContext, serve_app: ServedApp, lesson: str, step: int, n_lanes: int, size: str
):
    page = context.new_page()
    page.add_init_script(DRAWN)
    page.set_viewport_size(SIZES[size])
    page.goto(f"{serve_app.url}?lesson={lesson}&step={step}")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    assert page.evaluate(LABELS) == [[], n_lanes]
    assert page.evaluate("() => lrbnPlayers[0].sight.fits")
    whole = "(checks) => checks.every(({scrollWidth, clientWidth}) => scrollWidth <= clientWidth)"
    verdicts = page.locator(".lv-lane.lv-pointed .lv-check")
    assert n_lanes > 1 or verdicts.evaluate_all(whole), "only two lanes may have too little room for it"
    if lesson == "explaining-away":
        assert page.evaluate("() => window.drawn.at(-1)") == ["optimum \u22122.47", True]


def test_beside_a_lesson_the_bar_of_visits_is_wide_at_200_percent_and_every_button_comes_into_sight(
    page: Page, serve_app: ServedApp
):
    page.set_viewport_size(SIZES["enlarged"])
    page.goto(f"{serve_app.url}?lesson=surest-unit&step=1")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    bar, transport = page.locator(".lv-scrub"), page.locator(".lv-transport")
    expect(bar).to_be_in_viewport(ratio=1)
    width, room = (node.evaluate("({clientWidth}) => clientWidth") for node in (bar, transport))
    assert width >= 0.4 * room
    buttons = page.locator(".lv-buttons button")
    expect(page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    for n in range(buttons.count()):
        buttons.nth(n).focus()
        expect(buttons.nth(n)).to_be_in_viewport(ratio=0.95)
    wide = "({scrollWidth, clientWidth}) => scrollWidth > clientWidth"
    assert not transport.evaluate(wide)


@pytest.mark.parametrize("width", [730, 768, 1000, 1366])
def test_no_button_of_the_input_card_reaches_beyond_it(page: Page, serve_app: ServedApp, width: int):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{serve_app.url}?model=lrbn-12-digits")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_until_whole(page)
    card = page.locator(".lv-input")
    edge = card.evaluate("(node) => node.getBoundingClientRect().right")
    boxes = card.locator("button:visible").evaluate_all(
        """(nodes) => nodes.map((node) => {
          const {right, width, height} = node.getBoundingClientRect();
          const appears = Boolean(node.closest(".lv-save-card")); // with the pointer
          return [node.getAttribute("aria-label"), right, appears || Math.min(width, height) >= 24];
        })"""
    )
    assert len(boxes) > 8
    assert [name for name, right, _ in boxes if right > edge] == []
    assert [name for name, _, fits_a_finger in boxes if not fits_a_finger] == []


@pytest.mark.parametrize("size", ["phone", "laptop"])
def test_a_unit_that_is_asked_about_beside_a_caption_is_answered_in_sight(
    page: Page, seen, serve_app: ServedApp, size: str
):
    page.goto(serve_app.url)
    page.set_viewport_size(SIZES[size])
    hurry(page)
    wait_until_whole(page)
    page.wait_for_function("() => lrbnPlayers[0].story.pointed.length > 0")
    page.wait_for_function(STILL)
    expect(page.locator(".lv-told")).to_be_visible()
    latents = page.locator(".lv-lane[data-lane='0'] .lv-latents canvas")
    latents.click(position={"x": 6, "y": 6})
    page.wait_for_function("() => lrbnPlayers[0].selected.unit >= 0")
    page.wait_for_function(STILL)
    why = page.locator("[data-part=why]")
    unit = page.evaluate("() => lrbnPlayers[0].selected.unit")
    expect(why.get_by_role("heading")).to_contain_text(f"unit {unit}")
    expect(why).to_be_in_viewport(ratio=0.99)
    expect(page.locator(".lv-told")).to_be_visible()
    page.keyboard.press("Escape")
    page.wait_for_function("() => lrbnPlayers[0].selected.unit < 0")
    page.wait_for_function(STILL)
    for part in page.locator(".lv-pointed").all():
        expect(part).to_be_in_viewport(ratio=0.9)
    seen.assert_clean()


def test_no_line_of_a_lesson_begins_with_the_punctuation_after_a_word_or_within_a_formula(
    page: Page, serve_app: ServedApp
):
    page.goto(f"{serve_app.url}?lesson=one-pass&step=1")
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    page.locator(".lv-lesson .lv-term").first.wait_for()
    ends = page.evaluate(
        """() => {
          const {glossary} = window.lrbnPlayers[0], div = document.createElement("div");
          const [left, right] = ["left", "right"].map((name) => glossary.word("rbm", name));
          div.append(...glossary.glued(["one (", left, "), two ", right, " three log P(x, h)"]));
          const plain = div.innerHTML.replaceAll("&nbsp;", "~");
          return plain.replace(/<button[^>]*>/g, "<b>").replaceAll("button", "b");
        }"""
    )
    assert ends == 'one <span class="lv-glued">(<b>left</b>),</span> two <b>right</b> three log~P(x,~h)'
    expect(page.locator(".lv-lesson .lv-glued")).to_have_text(["(RBM)."])
    expect(page.locator(".lv-lesson .lv-glued")).to_have_css("white-space", "nowrap")


# Values of a lane's observations that reach beyond their list, of those that are drawn.
CUT_VALUES = """() => Array.from(
  lrbnPlayers[0].root.querySelectorAll(".lv-lane .lv-variable-value"), (value) => {
    const list = value.closest(".lv-variables").getBoundingClientRect();
    const {width, right} = value.getBoundingClientRect();
    return [value.textContent, width > 0 && right > list.right + 0.5];
  })"""


def test_beside_a_lesson_the_value_of_each_observation_is_whole(page: Page, serve_app: ServedApp):
    # On a phone the list has a third of the window, and the numbers were cut after their first decimal.
    for step in (2, 3):
        page.goto("about:blank")
        page.goto(f"{serve_app.url}?lesson=explaining-away&step={step}")
        wait_until_whole(page)
        for size in SIZES.values():
            page.set_viewport_size(size)
            wait_for_answer(page)
            rows = page.evaluate(CUT_VALUES)
            assert len(rows) == 4, "two of each lane"
            assert not [text for text, cut in rows if cut], size
