"""Visitors of one server do not disturb each other: who replays hears nothing of what others do."""

from __future__ import annotations

import pytest
from ui.journeys import (
    wait_for_answer,
    wait_for_image,
    wait_for_rest,
    wait_for_signs_of_life,
    wait_until_whole,
    without_signs_of_life,
)


@pytest.mark.slow
def test_while_one_replays_another_ones_clicks_send_it_nothing_and_are_answered(browser, serve_app):
    contexts = [browser.new_context(viewport={"width": 1440, "height": 900}) for _ in range(2)]
    try:
        one, other = (context.new_page() for context in contexts)
        spoken: list[str] = []
        one.on("websocket", lambda socket: socket.on("framesent", lambda frame: spoken.append(str(frame))))
        one.on(
            "websocket", lambda socket: socket.on("framereceived", lambda frame: spoken.append(str(frame)))
        )
        for page in (one, other):
            page.goto(serve_app.flat)
            wait_for_image(page, 0)
            wait_until_whole(page)
        wait_for_rest(one)  # its cursor, and it has told so
        wait_for_answer(one)
        one.evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(5); p.play(); }")
        wait_for_signs_of_life(one, 1)
        assert spoken, "without a word at the beginning nothing was listened to"
        spoken.clear()
        for index in (1, 2, 3):
            other.get_by_role("button", name="Next image").click()
            wait_for_image(other, index)
        wait_for_signs_of_life(one)
        assert one.evaluate("() => window.lrbnPlayers[0].clock.playing")
        assert without_signs_of_life(spoken) == []
    finally:
        for context in contexts:
            context.close()
