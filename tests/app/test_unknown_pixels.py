"""Images of which a part is not known, on the Inference page: links, lanes, captions, thumbnails."""

from __future__ import annotations

import json
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz import LRBN, exact_posterior, pretrained
from lrbn_viz.app.address import FIRST, read_page, write_page
from lrbn_viz.app.inference.panels.replay import ReplayPanel
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import lanes_of, menus_of, words_of
from lrbn_viz.app.shared.texts import pixels_to_text, text_to_latents, text_to_pixels
from lrbn_viz.view.player.packing import Lane, pack_images, pack_trace
from lrbn_viz.view.player.truth import distance_of, truth_of
from lrbn_viz.view.player.wire import unpack

HALF = np.where(np.arange(64) < 32, np.nan, 1.0)


def session(**settings: Any) -> Session:
    usual: dict[str, Any] = {"model_name": "lrbn-12-digits", "rival_name": "rbm-12-digits"}
    return Session(dataset_name="digits", **usual | settings)


def alarm(text: str = "") -> Session:
    visit = Session(dataset_name="alarm", model_name="lrbn-2-alarm", rival_name="factorised:lrbn-2-alarm")
    visit.draw(text)
    return visit


@given(st.lists(st.sampled_from([0.0, 1.0, np.nan]), min_size=1, max_size=200))
def test_three_states_of_pixels_survive_as_text(values):
    x = np.array(values)
    text = pixels_to_text(x)
    np.testing.assert_array_equal(text_to_pixels(text, len(x)), x)
    assert len(text) <= -(-4 * 2 * -(-len(x) // 8) // 3)
    if np.isnan(x).any():
        with pytest.raises(ValueError, match=f"expected {len(x)} pixels in"):
            text_to_latents(text, len(x))
    else:
        assert text_to_pixels(text, len(x)).dtype == np.uint8


def test_a_pixel_that_is_both_on_and_not_known_is_refused():
    with pytest.raises(ValueError, match="one that is on and not known"):
        text_to_pixels("gIA", 8)


def test_a_link_brings_back_what_is_not_known_and_is_short():
    first = session()
    first.draw(pixels_to_text(HALF))
    link = write_page(FIRST, first)
    assert len(link["drawn"]) == 22
    found = read_page("inference", "?" + "&".join(f"{name}={value}" for name, value in link.items()))
    assert found.ignored == []
    second = session()
    second.param.update(**found.found)
    np.testing.assert_array_equal(second.x, HALF)
    for one, other in zip(first.traces, second.traces, strict=True):
        np.testing.assert_array_equal(one.log_joint, other.log_joint)


def test_the_caption_counts_what_is_changed_and_what_is_not_known():
    visit = session()
    x = visit.x.astype(float)
    x[:10] = np.nan
    visit.draw(pixels_to_text(x))
    words = words_of(visit)
    assert words["caption"] == "8x8 digits, test image 0, 10 pixels not known"
    assert words["title"] == visit.label, "it is the same image, known in part"
    x[20] = 1 - x[20]
    visit.draw(pixels_to_text(x))
    words = words_of(visit)
    assert words["caption"] == "8x8 digits, test image 0, 1 pixel changed, 10 pixels not known"
    assert words["title"] == "Own image"
    assert (visit.pixels_changed, visit.pixels_unknown) == (1, 10)


@pytest.mark.parametrize(
    ("evidence", "burglary", "earthquake", "log_evidence"),
    [
        ([np.nan, np.nan], 0.1, 0.1, 0.0),
        ([1, np.nan], 0.4311, 0.4311, -1.5073),
        ([1, 1], 0.1130, 0.9856, -2.4395),
        ([1, 0], 0.6378, 0.0711, -2.0078),
        ([np.nan, 1], 0.1, 0.9091, -2.3126),
    ],
)
def test_the_page_is_told_the_posterior_of_the_alarm(evidence, burglary, earthquake, log_evidence):
    visit = alarm(pixels_to_text(np.array(evidence, float)))
    block = pack_trace(lanes_of(visit), words_of(visit))
    meta, arrays = unpack(block)
    marginals = arrays["0.truth.marginals"].reshape(-1, 2)[0]
    np.testing.assert_allclose(marginals, [burglary, earthquake], atol=5e-5)
    assert meta["lanes"][0]["truth"]["log_evidence"] == pytest.approx(log_evidence, abs=5e-5)
    json.dumps(meta, allow_nan=False)


def test_lanes_say_how_they_infer_what_is_known_in_part():
    visit = session()
    assert [lane.subtitle for lane in lanes_of(visit)] == ["ICM, units in order", "factorised, one pass"]
    visit.draw(pixels_to_text(HALF))
    assert [lane.subtitle for lane in lanes_of(visit)] == ["ICM, units in order", "ICM"]
    assert [menu["unknown"] for menu in menus_of(visit)] == [True, True]
    assert menus_of(visit)[1]["algorithms"] == [("factorised", "ICM")]


class _Whole(LRBN):
    """An LRBN that takes whole images only."""

    takes_unknown: ClassVar[bool] = False


def test_a_model_that_infers_whole_images_makes_the_image_whole_and_says_so():
    known = {"whole": _Whole.from_params(*pretrained("lrbn-12-digits").layers[0])}
    visit = session(load_model=lambda name: known.get(name) or pretrained(name))
    page = ReplayPanel(visit)
    x = visit.x.astype(float)
    x[:10], x[20] = np.nan, 1 - x[20]
    visit.draw(pixels_to_text(x))
    assert not visit.refused
    visit.rival_name = "whole"
    np.testing.assert_array_equal(visit.x[:10], visit.dataset.test_X[0][:10])
    assert visit.x[20] == x[20], "what was drawn stays"
    assert all(np.array_equal(trace.x, visit.x) for trace in visit.traces)
    assert "infers whole images only" in visit.refused
    assert "unknown" not in {name[2:] for name in unpack(page.player.trace)[1]}
    visit.draw(pixels_to_text(HALF))
    np.testing.assert_array_equal(visit.x[:32], visit.dataset.test_X[0][:32])


def test_wrong_pixels_are_those_that_are_known():
    visit = session()
    visit.draw(pixels_to_text(HALF))
    for trace in visit.traces:
        guess = trace.reconstruction(trace.n_visits) > 0.5
        assert trace.wrong_pixels()[-1] == (guess != 1)[32:].sum()


def test_an_unknown_pixel_travels_beside_the_image():
    trace = LRBN.from_params(np.eye(4), np.zeros(4), np.zeros(4)).map_trace([1, np.nan, 0, np.nan])
    _, arrays = unpack(pack_trace([Lane(trace, "lrbn", "LRBN")]))
    np.testing.assert_array_equal(np.unpackbits(arrays["0.x"], count=4), [1, 0, 0, 0])
    np.testing.assert_array_equal(np.unpackbits(arrays["0.unknown"], count=4), [0, 1, 0, 1])


def test_thumbnails_have_unknown_pixels_beside_the_ink():
    data = session().dataset
    X = data.test_X[:2].astype(float)
    assert set(pack_images(data, data.test_X[:2])) == {"pixels"}
    X[0, 3] = np.nan
    packed = pack_images(data, X)
    assert np.flatnonzero(np.unpackbits(packed["unknown"], axis=1)).tolist() == [3]


def test_a_small_model_has_a_posterior_and_distances_of_what_is_known():
    visit = session()
    visit.draw(pixels_to_text(HALF))
    model, trace = visit.lanes[0][1], visit.traces[0]
    truth = truth_of(model, trace)
    distance = distance_of(model, trace, truth)
    assert truth is not None
    assert distance is not None
    assert distance.rungs["factorised"].kl > distance.rungs["best"].kl
    W, b, d = model.layers[0]
    known = exact_posterior(LRBN.from_params(W[32:], b[32:], d), np.ones(32))
    np.testing.assert_allclose(truth.posterior.marginals, known.marginals, atol=1e-9)
