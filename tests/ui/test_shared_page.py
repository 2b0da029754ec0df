"""The page that most browser tests share: what one emulates, the next does not find."""

from __future__ import annotations

MEDIA = """() => [
  "print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)", "(forced-colors: active)",
  "(prefers-contrast: more)",
].map((query) => matchMedia(query).matches)"""


def test_media_that_a_test_emulates_are_gone_after_it(page, shared_page):
    page.emulate_media(
        media="print", color_scheme="dark", reduced_motion="reduce", forced_colors="active", contrast="more"
    )
    assert page.evaluate(MEDIA) == [True] * 5
    shared_page.clear()
    assert page.evaluate(MEDIA) == [False] * 5
