"""Visitors of one server do not disturb each other: who replays hears nothing of what others do."""

from __future__ import annotations

from ui.journeys import wait_for_image, wait_until_whole, without_signs_of_life


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
        told = -1
        while told != len(without_signs_of_life(spoken)):  # its cursor has come to rest, and told so
            told = len(without_signs_of_life(spoken))
            one.wait_for_timeout(1500)
        one.evaluate("() => { const p = window.lrbnPlayers[0]; p.setSpeed(30); p.play(); }")
        one.wait_for_timeout(200)
        assert spoken, "without a word at the beginning nothing was listened to"
        spoken.clear()
        for index in (1, 2, 3):
            other.get_by_role("button", name="Next image").click()
            wait_for_image(other, index)
        one.wait_for_timeout(300)
        assert one.evaluate("() => window.lrbnPlayers[0].clock.playing")
        assert without_signs_of_life(spoken) == []
    finally:
        for context in contexts:
            context.close()
