"""Hand-outs: small, self-contained, and the numbers of the trace to the bit."""

from __future__ import annotations

import gzip
import io
import re
import time
from typing import Any

import numpy as np
import pytest

from lrbn_viz import ICMTrace
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.inference.wire import basins_of, lanes_of, words_of
from lrbn_viz.view.player import export
from lrbn_viz.view.player.export import replay_html, saved_npz
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.terms import FINE, STEP
from lrbn_viz.view.player.wire import unpack


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(
        dataset_name="digits", model_name="lrbn-12-digits", rival_name="rbm-12-digits", index=5, cursor=9
    )


@pytest.fixture(scope="module")
def page(session) -> str:
    return replay_html(session.models, session.dataset.image_shape, lanes_of(session), words_of(session))


def blocks(page: str) -> list[bytes]:
    texts = re.search(r'Promise\.all\(\[((?:"[^"]*"(?:, )?)*)\]\.map', page)
    assert texts is not None
    return [block_of(text) for text in re.findall(r'"[^"]*"', texts[1])]


def block_of(text: str) -> bytes:
    """The block of bytes that a string of a page's script is."""
    digits = [export._LETTERS.index(letter) for letter in text[1:-1]]
    pairs = zip(digits[::2], digits[1::2], strict=False)
    bits = "".join(f"{91 * first + second:013b}" for first, second in pairs)
    bits += "".join(f"{digit:06b}" for digit in digits[len(digits) // 2 * 2 :])
    packed = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8))
    return gzip.decompress(packed) if packed else b""


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 10_000])
def test_a_block_comes_back_from_a_string_in_which_nothing_ends_the_string_or_begins_a_tag(size):
    block = np.random.default_rng(size).bytes(size)
    text = export.as_text(block)
    assert block_of(text) == block
    assert not set('<"\\\n') & set(text[1:-1])


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


def test_weights_that_have_room_are_those_of_the_page_to_the_bit(page, session):
    meta, arrays = unpack(blocks(page)[1])
    of_page, known = unpack(pack_models(session.models, session.dataset.image_shape))
    assert meta == of_page
    assert arrays.keys() == known.keys()
    for name, array in known.items():
        np.testing.assert_array_equal(arrays[name], array)
    assert "0.log_odds_steps" not in unpack(blocks(page)[2])[1]


def test_rounded_weights_stay_within_half_a_step(session, monkeypatch):
    found = []
    monkeypatch.setattr(export, "LIMIT", 0)  # no page has room for all, and each is tried

    def packed(*args, **how):
        found.append(how.get("levels"))
        return pack_models(*args, **how)

    monkeypatch.setattr(export, "pack_models", packed)
    shape = session.dataset.image_shape
    replay_html(session.models, shape, lanes_of(session), words_of(session))
    assert set(found) <= {None, *export._FINER}
    assert found[-1] == (1, 1)
    on = {name: export._ever_on(name, lanes_of(session), 12) for name in session.models}
    meta, arrays = unpack(pack_models(session.models, shape, rounded=on, levels=(127, 7)))
    for position, (entry, model) in enumerate(zip(meta["models"], session.models.values(), strict=True)):
        rows, scale = arrays[f"{position}.W"], arrays[f"{position}.scale"]
        error = np.abs(rows * scale[:, None] - model.layers[0].W.T)
        assert np.all(error <= 0.5001 * scale[:, None]), entry["key"]
        trace = list(session.traces)[position]
        on = np.zeros(trace.n_h, bool)
        for k in range(trace.n_visits + 1):
            on |= trace.latents(k).astype(bool)
        top = np.abs(model.layers[0].W.T).max(axis=1)
        np.testing.assert_allclose(scale, top / np.where(on, 127, 7), rtol=1e-6)


def test_a_page_with_rounded_weights_brings_the_log_odds_of_every_state():
    session = Session()
    shape = session.dataset.image_shape
    page = replay_html(session.models, shape, lanes_of(session), words_of(session))
    assert "0.scale" in unpack(blocks(page)[1])[1], "these models are too large to be sent to the bit"
    _, arrays = unpack(blocks(page)[2])
    rng = np.random.default_rng(0)
    for number, ((_, model), trace) in enumerate(zip(session.lanes, session.traces, strict=True)):
        planes = arrays[f"{number}.log_odds_steps"].astype(np.int64)
        flips = np.flatnonzero(trace.flipped)
        assert planes.shape == (4, len(flips) + 1, 200)
        folded = (planes * 256 ** np.arange(4)[:, None, None]).sum(axis=0)
        log_odds = STEP * np.cumsum(np.where(folded % 2, -(folded + 1) // 2, folded // 2), axis=0)
        for row in rng.choice(len(log_odds), 4):
            k = flips[row - 1] + 1 if row else 0
            for j in rng.choice(200, 5):
                terms = model.log_odds_terms(trace.x, trace.latents(int(k)), int(j))
                assert abs(log_odds[row, j] - terms.log_odds) < 1e-5
                assert abs(arrays[f"{number}.prior"][0, j] - terms.prior) < 1e-9
                assert abs(arrays[f"{number}.evidence"][0, j] - terms.evidence.sum()) < 1e-9
                assert abs(arrays[f"{number}.alone"][j] - terms.alone.sum()) < 1e-9


LONG: dict[str, dict[str, Any]] = {
    "two layers": {
        "model_name": "lrbn-200-200-mnist",
        "rival_name": "lrbn-200-200-mnist-likeliest",
        "algorithm": "gibbs",
        "rival_algorithm": "gibbs",
    },
    "two layers, annealed": {
        "model_name": "lrbn-200-200-mnist",
        "rival_name": "lrbn-200-200-mnist-likeliest",
        "algorithm": "annealed",
        "rival_algorithm": "annealed",
    },
    "one layer": {
        "model_name": "lrbn-200-mnist-strokes",
        "rival_name": "lrbn-200-mnist-flat",
        "algorithm": "annealed",
        "rival_algorithm": "gibbs",
    },
}


@pytest.mark.parametrize("limit", [export.LIMIT, 0], ids=["with room for weights", "without"])
@pytest.mark.parametrize(
    "how",
    [pytest.param(how, marks=pytest.mark.slow if name == "two layers" else ()) for name, how in LONG.items()],
    ids=LONG,
)
def test_a_page_with_long_traces_brings_the_terms_of_every_decision_and_says_how_far_off_others_are(
    how, limit, monkeypatch
):
    monkeypatch.setattr(export, "LIMIT", limit)
    session = Session(**how)
    shape = session.dataset.image_shape
    page = replay_html(session.models, shape, lanes_of(session), words_of(session))
    assert (export.data_size(page) <= limit) == bool(limit), "terms are not dropped for want of room"
    _, weights = unpack(blocks(page)[1])
    meta, arrays = unpack(blocks(page)[2])
    rng = np.random.default_rng(0)
    for number, ((_, model), trace) in enumerate(zip(session.lanes, session.traces, strict=True)):
        mine = {name[2:]: array for name, array in arrays.items() if name.startswith(f"{number}.")}
        assert "log_odds_steps" not in mine, "there is no room for all states"
        unit, deep = trace.unit, len(model.layers) > 1
        prior, evidence = mine["prior"][0, unit], mine["evidence"][0, unit]
        log_odds = trace.log_odds.astype(np.float32).astype(float)
        if deep:
            assert "log_odds" not in mine, "they would travel twice"
            log_odds, above, below = _decoded(mine["decided_steps"], trace)
            prior = np.where(unit < 200, above, prior)
            evidence = np.where(unit < 200, evidence, below)
        others = log_odds - prior - evidence - mine["alone"][unit] + FINE * mine["others_fine"]
        for k in rng.choice(trace.n_visits, 200, replace=False):
            terms = model.log_odds_terms(trace.x, trace.latents(trace.decided_on(int(k) + 1)), int(unit[k]))
            exact = terms.prior, terms.evidence.sum(), terms.others.sum(), terms.log_odds
            found = prior[k], evidence[k], others[k], log_odds[k]
            for ours, theirs in zip(found, exact, strict=True):
                assert abs(ours - theirs) <= 4 * FINE
                assert f"{ours:+.2f}".replace("-0.00", "+0.00") == f"{theirs:+.2f}".replace("-0.00", "+0.00")
        owner = meta["lanes"].index(
            next(each for each in meta["lanes"] if each["model"] == meta["lanes"][number]["model"])
        )
        off, worst = meta["lanes"][number]["off"], 0.0
        for k in rng.choice(trace.n_visits, 12):
            h = trace.latents(int(k)).astype(float)
            for layer, (W, b, _) in enumerate(model.layers):
                name = f"{owner}.{{}}{layer or ''}"
                coarse = (weights[name.format("W")] * weights[name.format("scale")][:, None]).T.astype(float)
                own = h[200 * layer : 200 * layer + 200]
                error = _others(coarse, b, own) - _others(np.asarray(W), b, own)
                worst = max(worst, np.abs(error).max())
        assert 0 < worst <= off + 1e-3
        assert off < 4 * worst, "of twelve states; of all, it is the largest"


def _decoded(planes: np.ndarray, trace: ICMTrace) -> np.ndarray:
    """What the player makes of `decided_steps`: log-odds, prior and evidence of each visit's unit."""
    folded = (planes.astype(np.int64) * 256 ** np.arange(4)[:, None, None]).sum(axis=0)
    steps = np.where(folded % 2, -(folded + 1) // 2, folded // 2)
    newest: dict[int, int] = {}
    for k, unit in enumerate(trace.unit.tolist()):
        if unit in newest:
            steps[:, k] += steps[:, newest[unit]]
        newest[unit] = k
    return (steps + 0.5) * FINE


def _others(W: np.ndarray, b: np.ndarray, h: np.ndarray) -> np.ndarray:
    """The others' term of every unit, by the formula."""
    rest = (W @ h + b)[:, None] - W * h
    alone = np.logaddexp(0, b[:, None] + W) - np.logaddexp(0, b)[:, None]
    return (np.logaddexp(0, rest) - np.logaddexp(0, rest + W) + alone).sum(axis=0)


def test_few_blocks_are_compressed_as_well_as_can_be(monkeypatch):
    """That takes the time of an export; which levels to try is seen from quick looks."""
    tried = []
    as_text = export.as_text

    def counted(block, *how):
        tried.append(len(block))
        return as_text(block, *how)

    monkeypatch.setattr(export, "as_text", counted)
    for how in LONG.values():
        session = Session(**how)
        tried.clear()
        replay_html(session.models, session.dataset.image_shape, lanes_of(session), words_of(session))
        assert sum(size > 250_000 for size in tried) <= 7, tried


def test_the_data_of_the_largest_page_stay_within_the_limit():
    session = Session()
    session.look_for_basins()
    while session.search.busy:
        time.sleep(0.01)
    optima = basins_of(session)
    page = replay_html(
        session.models, session.dataset.image_shape, lanes_of(session), words_of(session), optima
    )
    assert export.data_size(page) <= export.LIMIT
    assert blocks(page)[3] == optima != b""


def test_a_whole_page_has_the_weights_of_the_page_however_long_it_is():
    session = Session()
    shape = session.dataset.image_shape
    page = replay_html(session.models, shape, lanes_of(session), words_of(session), whole=True)
    assert export.LIMIT < export.data_size(page) < 3_000_000
    assert blocks(page)[1] == pack_models(session.models, shape)
    assert "0.log_odds_steps" not in unpack(blocks(page)[2])[1], "the page finds them itself"


def test_a_title_cannot_break_out_of_the_page(session):
    words = words_of(session) | {"title": "</title><script>alert(1)</script>"}
    page = replay_html(session.models, session.dataset.image_shape, lanes_of(session), words)
    assert "<script>alert" not in page


def test_the_npz_is_the_trace(session, tmp_path):
    (tmp_path / "trace.npz").write_bytes(saved_npz(session.traces[0]))
    back = ICMTrace.load(tmp_path / "trace.npz")
    for name in ("x", "h0", "unit", "after", "log_odds", "log_joint", "W"):
        np.testing.assert_array_equal(getattr(back, name), getattr(session.traces[0], name))
    assert "W" in np.load(io.BytesIO(saved_npz(session.traces[0])), allow_pickle=False)
