"""A data set that is one record is chosen, trained on and seen in a browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect
from ui.journeys import budget_in_epochs
from ui.test_train_page import open_page, press, until

PIXELS = """image => {
  const {data} = image.getContext("2d").getImageData(0, 0, image.width, image.height);
  return Array.from(new Uint32Array(data.buffer));
}"""


def test_it_is_in_the_menu_and_its_images_are_drawn_while_models_learn_it(page: Page, workshop: Any) -> None:
    open_page(page, workshop)
    page.get_by_label("Recipe").select_option("small")
    expect(page.get_by_label("Data set")).to_have_value("digits")
    page.get_by_label("Data set").select_option("checks", timeout=120_000)
    expect(page.get_by_label("Data set")).to_have_value("checks")
    budget_in_epochs(page, "3")
    press(page, "Start")
    until(page, "s.status === 'done'")
    expect(page.get_by_label("Last minibatch").get_by_role("button")).to_have_count(20)
    for lane in ("LRBN", "RBM"):
        filters = page.get_by_label(f"{lane}: filters of 12 units")
        expect(filters).to_be_visible()
        page.wait_for_function(f"image => new Set(({PIXELS})(image)).size > 12", arg=filters.element_handle())
