"""The page recorder must see what it promises to see, or the journeys' clean bill means nothing."""

import pytest

OFFENDING_PAGE = """
<img src="http://example.invalid/picture.png">
<script>
  console.warn("a warning");
  setTimeout(() => { throw new Error("nothing catches this") }, 0);
  new WebSocket("ws://socket.invalid/");
</script>
"""


def test_a_page_that_misbehaves_is_caught_at_every_point(page, seen):
    with (
        page.expect_event("pageerror"),
        page.expect_websocket(),
        page.expect_console_message(lambda said: said.type == "warning"),
        page.expect_console_message(lambda said: said.type == "error"),
        page.expect_event("requestfailed"),
    ):
        page.set_content(OFFENDING_PAGE)
    assert set(seen.outside_requests) == {"http://example.invalid/picture.png", "ws://socket.invalid/"}
    assert seen.page_errors == ["nothing catches this"]
    assert any(line.startswith("warning: a warning") for line in seen.console_problems)
    assert any(line.startswith("error: ") for line in seen.console_problems)
    with pytest.raises(AssertionError, match="outside hosts"):
        seen.assert_clean()


def test_a_quiet_page_is_clean(page, seen):
    with page.expect_console_message():
        page.set_content("<p>quiet</p><script>console.log('said in passing')</script>")
    seen.assert_clean()
