"""Hand-outs: small, self-contained, and the numbers of the trace to the bit."""

from __future__ import annotations

import base64
import gzip
import io
import re
import time

import numpy as np
import pytest

from lrbn_viz import ICMTrace
from lrbn_viz.app.export import replay_html, trace_npz
from lrbn_viz.app.player.basins import basins_of
from lrbn_viz.app.player.lanes import lanes_of, words_of
from lrbn_viz.app.player.packing import unpack
from lrbn_viz.app.session import Session


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(dataset_name="digits", lrbn="lrbn-12-digits", rbm="rbm-12-digits", index=5, cursor=9)


@pytest.fixture(scope="module")
def page(session) -> str:
    return replay_html(session.models, session.dataset.image_shape, lanes_of(session), words_of(session))


def blocks(page: str) -> list[bytes]:
    texts = re.search(r"Promise\.all\(\[(.*?)\]\.map", page)
    assert texts is not None
    packed = [base64.b64decode(text.strip(' "')) for text in texts[1].split(",")]
    return [gzip.decompress(block) if block else b"" for block in packed]


def test_the_page_names_no_address_from_which_anything_could_be_fetched(page):
    code = blocks(page)[0].decode()
    addresses = set(re.findall(r"https?://[^\s\"'`)]+", page + code))
    languages = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert addresses <= languages, "the name of a language is no address"
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", page)
    assert "import " not in re.sub(r"//.*", "", code)


def test_the_trace_in_the_page_is_the_sessions_to_the_bit(page, session):
    meta, arrays = unpack(blocks(page)[2])
    assert meta["cursor"] == session.cursor
    for lane, trace in enumerate(session.traces):
        np.testing.assert_array_equal(arrays[f"{lane}.unit"], trace.unit)
        np.testing.assert_array_equal(arrays[f"{lane}.log_joint"][1:], trace.log_joint)
        np.testing.assert_array_equal(arrays[f"{lane}.wrong"], trace.wrong_pixels())


def test_rounded_weights_stay_within_half_a_step(page, session):
    meta, arrays = unpack(blocks(page)[1])
    for position, (entry, model) in enumerate(zip(meta["models"], session.models.values(), strict=True)):
        rows, scale = arrays[f"{position}.W"], arrays[f"{position}.scale"]
        error = np.abs(rows * scale[:, None] - model.params_.W.T)
        assert np.all(error <= 0.5001 * scale[:, None]), entry["key"]
        trace = list(session.traces)[position]
        on = np.zeros(trace.n_h, bool)
        for k in range(trace.n_visits + 1):
            on |= trace.latents(k).astype(bool)
        top = np.abs(model.params_.W.T).max(axis=1)
        np.testing.assert_allclose(scale, top / np.where(on, 127, 7), rtol=1e-6)


def test_the_largest_page_stays_below_three_hundred_kilobytes():
    session = Session()
    session.look_for_basins()
    while session.search.busy:
        time.sleep(0.01)
    optima = basins_of(session)
    page = replay_html(
        session.models, session.dataset.image_shape, lanes_of(session), words_of(session), optima
    )
    assert len(page.encode()) <= 300_000
    assert blocks(page)[3] == optima != b""


def test_a_title_cannot_break_out_of_the_page(session):
    words = words_of(session) | {"title": "</title><script>alert(1)</script>"}
    page = replay_html(session.models, session.dataset.image_shape, lanes_of(session), words)
    assert "<script>alert" not in page


def test_the_npz_is_the_trace(session, tmp_path):
    (tmp_path / "trace.npz").write_bytes(trace_npz(session.traces[0]))
    back = ICMTrace.load(tmp_path / "trace.npz")
    for name in ("x", "h0", "unit", "after", "log_odds", "log_joint", "W"):
        np.testing.assert_array_equal(getattr(back, name), getattr(session.traces[0], name))
    assert "W" in np.load(io.BytesIO(trace_npz(session.traces[0])), allow_pickle=False)
