"""Titles and labels are never cut, on any page and in a replay, from a phone to a wide screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page
from ui.journeys import open_page, wait_for_rest, wait_until_it_stands_still

from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, words_of
from lrbn_viz.view.player.export import replay_html

WIDTHS = (360, 768, 1440)
# What names something, in all shadow trees, whose letters have less room than they need; and what sticks out.
CUT = """() => {
  const trees = (root) => [root, ...Array.from(root.querySelectorAll('*')).flatMap(
    ({shadowRoot}) => (shadowRoot ? trees(shadowRoot) : []))];
  const named = 'h1, h2, h3, h2 *, figcaption, figcaption *, .lv-label, .lv-label *, .title, nav a, ' +
    'legend, th, label, dt, summary, .lv-btn, .lv-theme, .lv-why-title, .lv-check, .lv-says .lv-box';
  const all = trees(document).flatMap((tree) => Array.from(tree.querySelectorAll(named)));
  const seen = all.filter((node) => node.checkVisibility({visibilityProperty: true}) && node.clientWidth > 1
    && !node.closest('.lv-sr') && (node.textContent.trim() || node.tagName === 'BUTTON'));
  const cut = seen.filter((node) => node.scrollWidth > node.clientWidth + 1);
  const out = seen.filter((node) => node.getBoundingClientRect().right > innerWidth + 1);
  const name = (node) => (node.textContent.trim() || node.ariaLabel).slice(0, 60);
  const say = (node) => `${node.className || node.tagName}: ${name(node)}`;
  return {seen: seen.length, cut: [...new Set([...cut, ...out].map(say))]};
}"""


def check(page: Page, least: int) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until_it_stands_still(page)
        found = page.evaluate(CUT)
        assert found["seen"] >= least
        assert found["cut"] == [], f"at {width} pixels"


@pytest.mark.parametrize(
    "query",
    [
        "",
        *(
            pytest.param(query, marks=pytest.mark.slow)
            for query in (
                "?model=lrbn-200-mnist-flat&rival=factorised:lrbn-200-mnist-flat&algorithm=icm-random&unit=0.7"
                "&units=usage",
                "?model=lrbn-16-digits&algorithm=gibbs&rival=lrbn-12-digits&seed=2&visit=40",
            )
        ),
    ],
)
def test_on_the_inference_page(page: Page, serve_app, query):
    page.emulate_media(reduced_motion="reduce")  # a first look stands at once
    open_page(page, serve_app.url + query)
    wait_for_rest(page)
    check(page, 30)


@pytest.mark.slow
def test_on_the_generate_page(page: Page, serve_app):
    page.goto(f"{serve_app.url}?page=generate")
    page.wait_for_function(
        """() => {
          const page = window.lrbnGenerators?.[0];
          return page?.whole() && page.clock.stats.painted;
        }"""
    )
    check(page, 15)


def test_in_a_replay(page: Page, tmp_path: Path):
    session = Session()
    path = tmp_path / "replay.html"
    words = words_of(session)
    path.write_text(
        replay_html(session.models, session.dataset.image_shape, lanes_of(session), words), encoding="utf-8"
    )
    page.goto(path.as_uri())
    page.wait_for_function("() => window.lrbnPlayers?.[0]?.lanes")
    wait_for_rest(page)
    check(page, 30)
