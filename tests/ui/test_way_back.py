"""Links of the header, the address, the side bar and the browser's way back."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from ui.journeys import WAIT, open_page, wait_for_answer

PAGES = ("Train", "Generate", "Compare", "Lessons")
# Whether something stands at the side, and where the middle begins.
SIDE = """() => {
  const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
    (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
  const seen = nodes(document).filter((node) => node.checkVisibility({visibilityProperty: true}));
  const drawers = seen.filter((node) => node.matches('.MuiDrawer-paper')
    && node.getBoundingClientRect().right > 0);
  const main = seen.find((node) => node.matches('main'));
  return [drawers.length, main.getBoundingClientRect().left];
}"""


def marked(page: Page, title: str) -> None:
    expect(page.locator(".lv-nav a[aria-current]")).to_have_text(title, timeout=WAIT)


def test_each_link_changes_the_address_and_back_goes_to_the_page_before(context, serve_app, seen):
    page = context.new_page()
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits")
    page.evaluate("() => window.lrbnPlayers[0].seek(3)")
    page.wait_for_function("() => location.search.includes('visit=3')")  # a change of a page is no step back
    for title in PAGES:
        page.get_by_role("link", name=title, exact=True).click()
        page.wait_for_function("name => location.search.includes(`page=${name}`)", arg=title.lower())
        marked(page, title)
        if title == "Lessons":
            page.wait_for_function(f"() => ({SIDE})().every((place) => place === 0)")  # nothing, and no gap
        else:
            page.wait_for_function(f"() => ({SIDE})()[0] === 1 && ({SIDE})()[1] > 200")
    for title in (*reversed(PAGES[:-1]), "Inference"):
        page.go_back()
        marked(page, title)
        said = "model=lrbn-12-digits" if title == "Inference" else f"page={title.lower()}"
        page.wait_for_function("said => location.search.includes(said)", arg=said)
    assert re.search(r"visit=3\b", page.url)
    assert "page=" not in page.url
    page.go_forward()
    marked(page, "Train")
    page.close()
    seen.assert_clean()


def settled(page: Page, title: str, said: str) -> None:
    """Wait until the server has answered the newest navigation; then the page and its address are those."""
    page.wait_for_function("() => !lrbnWayBack.wanted && lrbnWayBack.answered === lrbnWayBack.asked")
    wait_for_answer(page)
    marked(page, title)
    assert said in page.url
    assert page.evaluate("() => lrbnWayBack.here.page") == title.lower()


def test_back_soon_after_a_link_leaves_the_page_before_and_lessons_are_steps(context, serve_app, seen):
    page = context.new_page()
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits")
    page.get_by_role("link", name="Compare", exact=True).click()
    settled(page, "Compare", "page=compare")
    # a link and Back before any answer can have come, and both once more
    page.evaluate(
        """async () => {
          const nodes = (root) => Array.from(root.querySelectorAll('*')).flatMap(
            (node) => [node, ...(node.shadowRoot ? nodes(node.shadowRoot) : [])]);
          for (let n = 0; n < 2; n++) {
            const links = nodes(document).filter((node) => node.matches('.lv-nav a'));
            links.find((node) => node.textContent === 'Lessons').click();
            const back = new Promise((done) => addEventListener('popstate', done, {once: true}));
            history.back();
            await back;
          }
        }"""
    )
    settled(page, "Compare", "page=compare")
    page.get_by_role("link", name="Lessons", exact=True).click()
    settled(page, "Lessons", "page=lessons")
    page.locator(".lv-lessons li a").nth(1).click()  # behind the guide
    page.wait_for_function("() => location.search.startsWith('?lesson=')")
    lesson = page.url.partition("?")[2]
    marked(page, "Inference")
    page.go_back()
    settled(page, "Lessons", "page=lessons")
    page.go_forward()
    settled(page, "Inference", lesson)
    expect(page.locator(".lv-lesson")).to_have_count(1)
    page.get_by_role("button", name="Leave the lesson").click()
    page.wait_for_function("() => location.search.startsWith('?model=')")
    page.go_back()
    settled(page, "Inference", lesson)
    expect(page.locator(".lv-lesson")).to_have_count(1)
    page.reload()  # a lesson has nothing at the side, from the first moment on
    expect(page.locator(".lv-lesson")).to_have_count(1)
    page.wait_for_function(f"() => ({SIDE})().every((place) => place === 0)")
    page.close()
    # BokehJS, of parts of a page that is left before they are drawn
    seen.assert_clean(ignore=("must be under <body>",))
