"""An animation for slides, as a visitor makes one: chosen, made, stopped, refused."""

from __future__ import annotations

import pytest
from PIL import Image
from ui.journeys import open_page


def test_both_lanes_become_a_moving_picture_in_the_pages_colours(page, serve_app, tmp_path, seen):
    open_page(page, serve_app.url + "?model=lrbn-12-digits&image=3&theme=dark")
    part = page.locator(".lv-animation")
    part.get_by_label("Size").select_option("small")
    part.get_by_label("Frames a second").select_option("16")
    with page.expect_download() as download:
        part.get_by_role("button").press("Enter")
    assert download.value.suggested_filename == "8x8-digits-test-image-3.webp"
    path = tmp_path / "made.webp"
    download.value.save_as(path)
    with Image.open(path) as image:
        assert image.size == (640, 360)
        assert image.n_frames > 2  # pyright: ignore[reportAttributeAccessIssue]
        assert max(image.convert("RGB").getpixel((0, 0))) < 60, "dark, as the page is"  # pyright: ignore
    assert part.get_by_role("status").inner_text() == "8x8-digits-test-image-3.webp is made."
    seen.assert_clean()


def test_what_is_being_made_can_be_stopped(page, serve_app, seen):
    open_page(page, serve_app.url + "?model=lrbn-200-mnist-strokes&image=0")
    part = page.locator(".lv-animation")
    part.get_by_label("Size").select_option("large")
    part.get_by_role("button", name="Make the animation").click()
    part.get_by_role("progressbar").wait_for()
    part.get_by_role("button", name="Stop").click()
    part.get_by_role("button", name="Make the animation").wait_for()
    assert part.get_by_role("status").inner_text() == ""
    seen.assert_clean()


@pytest.mark.slow
def test_before_training_the_train_page_says_what_to_do(page, serve_app, seen):
    page.goto(serve_app.url + "?page=train")
    part = page.locator(".lv-animation")
    part.get_by_role("button", name="Make the animation").click()
    part.get_by_text("No model is trained yet; press Start, or open a stored run.").wait_for()
    page.get_by_role("button", name="Single minibatch").first.click()
    page.wait_for_function("() => window.lrbnBoards[0].state().lanes.map(({step}) => step).join() === '1,1'")
    part.get_by_label("Size").select_option("small")
    with page.expect_download() as download:
        part.get_by_role("button", name="Make the animation").click()
    assert download.value.suggested_filename.endswith("-training.webp")
    seen.assert_clean()
