"""Links: the state comes back from the address, and no address breaks the page."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lrbn_viz.app.address import read_page, settings_of, write_address
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.shared.menus import CONTROLS
from lrbn_viz.app.shared.texts import pixels_to_text, text_to_pixels
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.view.player.panels import PANELS

SMALL: dict[str, Any] = {
    "model_name": "lrbn-12-digits",
    "rival_name": "rbm-12-digits",
    "dataset_name": "digits",
}


def session(**params: Any) -> Session:
    return Session(**(SMALL | params))


def lrbn_trace(visit: Session) -> ICMTrace:
    return next(iter(visit.traces))


def test_a_link_brings_back_everything_bit_for_bit():
    first = session(index=7, algorithm="gibbs", start="random", seed=11, cursor=23)
    image = first.x.copy()
    image[:20] = 1 - image[:20]
    first.draw(pixels_to_text(image))
    second = Session(**read_page("inference", write_address(first)).found)
    assert second.drawn == first.drawn
    np.testing.assert_array_equal(second.x, image)
    assert second.cursor == first.cursor
    for ours, theirs in zip(first.traces, second.traces, strict=True):
        np.testing.assert_array_equal(ours.after, theirs.after)
        np.testing.assert_array_equal(ours.log_joint, theirs.log_joint)


def test_the_rival_and_the_data_set_follow_the_model():
    found = read_page("inference", "?model=lrbn-16-digits").found
    assert found == {"model_name": "lrbn-16-digits", "rival_name": "rbm-16-digits", "dataset_name": "digits"}


def test_a_link_brings_back_the_state_run_on_from():
    first = session(algorithm="gibbs", start="random", seed=3)
    first.cursor = 17
    state = lrbn_trace(first).latents(17)
    first.begin_from("last")
    second = Session(**read_page("inference", write_address(first)).found)
    np.testing.assert_array_equal(lrbn_trace(second).h0, state)
    np.testing.assert_array_equal(lrbn_trace(second).after, lrbn_trace(first).after)
    second.compare("lrbn-16-digits")
    assert (second.start, second.start_state) == ("", ""), "a state of 12 units is none of 16"


def test_a_link_brings_back_the_units_that_are_held_and_another_model_frees_them():
    first = session()
    first.hold(3, "on")
    first.hold(11, "off")
    assert "clamp=3on.11off" in write_address(first)
    second = Session(**read_page("inference", write_address(first)).found)
    assert second.held == {3: 1, 11: 0}
    np.testing.assert_array_equal(lrbn_trace(second).after, lrbn_trace(first).after)
    second.compare("lrbn-16-digits")
    assert second.held == {}


@pytest.mark.parametrize(
    "query",
    [
        "?image=-3",
        "?image=99999999",
        "?image=one",
        "?seed=1e9",
        "?seed=99999999999999",
        "?algorithm=<script>",
        "?start=",
        "?start=last",
        "?start=last&from=AAAA",
        "?from=AAAA",
        "?clamp=3",
        "?clamp=3on17off",
        "?clamp=200on",
        "?clamp=-1on",
        "?clamp=\u0663on",
        "?model=../../etc/passwd",
        "?drawn=AAAA",
        "?drawn=%F0%9F%98%80",
        "?visit=٣",
        "?unit=12",
        "?unit=2.3",
        "?unit=0.200",
        "?unit=0.-1",
        "?units=weightiest",
        "?hide=kitchen",
        "?hide=matrix.kitchen",
        "?hide=matrix.matrix",
        "?hide=matrix,seed",
        "?hide=.",
        "?nonsense=1&&&=",
        "",
    ],
)
def test_what_does_not_fit_is_left_out(query):
    assert read_page("inference", query).found == {}
    names = {part.partition("=")[0] for part in query.removeprefix("?").split("&") if part} & {
        row.name for row in settings_of("inference").values()
    }
    assert {sentence.partition(":")[0] for sentence in read_page("inference", query).ignored} == names


@pytest.mark.parametrize("n_v", [1, 8, 64, 128, 784])
def test_images_survive_as_text(n_v):
    image = np.random.default_rng(n_v).integers(0, 2, n_v).astype(np.uint8)
    text = pixels_to_text(image)
    assert text.replace("-", "").replace("_", "").isalnum()
    np.testing.assert_array_equal(text_to_pixels(text, n_v), image)


def test_text_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="784 pixels"):
        text_to_pixels("AAAA", 784)


def test_a_drawing_that_is_no_image_changes_nothing():
    visit = session()
    before = visit.x.copy()
    for text in ("AAAA", "not base64 at all!", "é"):
        visit.draw(text)
        assert visit.drawn == ""
    np.testing.assert_array_equal(visit.x, before)


def test_another_image_or_back_to_this_one_drops_the_drawing():
    visit = session(index=2)
    blank = pixels_to_text(np.zeros(64))
    visit.draw(blank)
    assert visit.x.sum() == 0
    visit.draw("")
    np.testing.assert_array_equal(visit.x, visit.dataset.test_X[2])
    visit.draw(blank)
    visit.choose("next")
    np.testing.assert_array_equal(visit.x, visit.dataset.test_X[3])


def test_after_a_stroke_the_result_is_shown_not_the_start():
    visit = session()
    visit.draw(pixels_to_text(1 - visit.x))
    assert visit.cursor == visit.n_visits


def test_a_link_brings_back_the_panels_the_hidden_controls_the_unit_and_the_order():
    first = session()
    first.hide("seed.matrix.gallery")
    first.select("1.5")
    first.sort("contribution")
    query = write_address(first)
    assert query.endswith("&unit=1.5&units=contribution&hide=matrix.gallery.seed")
    second = Session(**read_page("inference", query).found)
    assert (second.selected, second.unit_order) == ("1.5", "contribution")
    assert [name for name in [*PANELS, *CONTROLS] if second.hides(name)] == ["matrix", "gallery", "seed"]


def test_every_panel_and_control_can_be_hidden_by_a_link_and_all_at_once():
    names = [*PANELS, *CONTROLS]
    assert len(set(names)) == len(names), "one list, so no name twice"
    for name in names:
        assert read_page("inference", f"?hide={name}").found == {"hidden": name}
    everything = ".".join(names)
    assert read_page("inference", f"?hide={everything}").found == {"hidden": everything}


def test_what_a_browser_says_that_fits_nothing_changes_nothing():
    visit = session()
    visit.hide("matrix")
    visit.select("0.3")
    visit.sort("usage")
    for text in ("matrix.kitchen", "why..matrix", "why.why", "why seed", "."):
        visit.hide(text)
    for text in ("0.12", "2.0", "3", "0.-1", "0.3.4"):
        visit.select(text)
    visit.sort("by weight")
    assert (visit.hidden, visit.selected, visit.unit_order) == ("matrix", "0.3", "usage")
    visit.hide("")
    visit.select("")
    assert (visit.hidden, visit.selected) == ("", "")


def test_another_model_has_other_units_so_none_stays_selected_and_the_lane_does():
    visit = session()
    visit.select("0.11")
    visit.compare("lrbn-16-digits")
    assert visit.selected == ""
    visit.select("1.5")
    visit.choose_in(1, "model", "lrbn-12-digits")
    assert visit.selected == "lane2"
    visit.swap()
    assert visit.selected == ""


def test_a_link_brings_back_the_lane_whose_visited_unit_is_asked_about():
    first = session()
    first.select("lane2")
    query = write_address(first)
    assert "&unit=lane2&" in query
    again = read_page("inference", query)
    assert (again.found["selected"], again.ignored) == ("lane2", [])
    assert "selected" not in read_page("inference", write_address(session())).found
    for text in ("lane1", "lane3", "lane2.5", "lane", "LANE2"):
        assert len(read_page("inference", f"?unit={text}").ignored) == 1
