"""Any address opens a page, and all that is ignored of it is named."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from app.explorers import explorer
from bokeh.document import Document
from panel.io.state import set_curdoc

from lrbn_viz.app.address import NAMES, SETTINGS, Address, read_address, shortened, write_page
from lrbn_viz.app.compare.state import CompareState
from lrbn_viz.app.generate.state import GenerateState
from lrbn_viz.app.inference.state import Session
from lrbn_viz.app.lessons.state import LessonRun
from lrbn_viz.app.shared.location import location_of
from lrbn_viz.app.shared.query import MAX_NAMES, MAX_QUERY_LENGTH, query_of
from lrbn_viz.app.shared.typed import any_number, quoted, whole_number
from lrbn_viz.app.sweeps.state import SweepsState

PAGES = ("inference", "train", "generate", "compare", "lessons", "sweeps")
NUMBERS = (
    "image",
    "seed",
    "visit",
    "moment",
    "chain_image",
    "draw_seed",
    "passes",
    "walk_at",
    "pass",
    "pass_step",
    "step",
    "compare_images",
    "compare_seed",
)
# What says nothing wrong when it is empty.
TEXTS = (
    *(
        "drawn",
        "from",
        "clamp",
        "rival_from",
        "rival_clamp",
        "unit",
        "hide",
        "present",
        "generator_clamp",
        "generator_beside_clamp",
        "systems",
        "highlight",
    ),
    "too_long",
)


def read(query: str) -> Address:
    return read_address(query, PAGES)


def ignored(query: str) -> str:
    [sentence] = read(query).ignored
    return sentence


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("9" * 5000, "5,000 digits"),
        ("-" + "1" * 400, "'-1111"),
        ("1e999", "'1e999'"),
        ("nan", "'nan'"),
        ("inf", "'inf'"),
        ("１２", "'１２'"),
        ("²", "'²'"),
        ("true", "'true'"),
        ("1_000", "'1_000'"),
        ("", "nothing"),
        ("4294967296", "4294967296"),
    ],
)
def test_a_number_that_is_none_is_named_with_what_was_expected(name: str, text: str, got: str) -> None:
    sentence = ignored(f"?{name}={text}")
    assert sentence.startswith(f"{name}: expected a whole number from ")
    assert got in sentence
    assert len(sentence) < 300
    assert read(f"?{name}={text}").states == read("").states


def test_the_sentence_says_what_is_used_instead() -> None:
    assert ignored("?seed=" + "9" * 5000) == (
        "seed: expected a whole number from 0 to 2,147,483,647, got 5,000 digits; 0 is used."
    )


@pytest.mark.parametrize("name", [*sorted(NAMES), "page", "unheard_of"])
def test_bytes_that_are_no_text_are_named(name: str) -> None:
    assert ignored(f"?{name}=%ff").startswith(f"{name}: ")


@pytest.mark.parametrize("name", [*sorted(NAMES), "page"])
@pytest.mark.parametrize("text", ["%00", "%00" * 5000, "%0a", "x" * 15_000, "%ed%a0%80", "<script>", "../.."])
def test_text_that_fits_nothing_is_named_in_few_words(name: str, text: str) -> None:
    sentence = ignored(f"?{name}={text}")
    assert sentence.startswith(f"{name}: ")
    assert len(sentence) < 500
    assert "\0" not in sentence


@pytest.mark.parametrize("name", [*sorted(NAMES), "page", "too_long"])
def test_an_empty_setting_is_named_unless_it_means_nothing(name: str) -> None:
    assert bool(read(f"?{name}=").ignored) is (name not in TEXTS or name == "too_long")


def test_a_name_that_comes_twice_is_looked_at_once_and_named() -> None:
    address = read("?seed=3&seed=4&seed=%ff")
    assert address.states["inference"]["seed"] == 3
    assert address.ignored == ["seed: given 3 times; only the first is used."]


def test_names_that_no_page_has_are_named() -> None:
    assert read("?fbclid=1&=2&%ff=3&%e2%82%ac=4").ignored == [
        "The link has a setting whose name is not UTF-8; it is ignored.",
        "fbclid: no page has a setting of this name; it is ignored.",
        "nothing: no page has a setting of this name; it is ignored.",
        "'€': no page has a setting of this name; it is ignored.",
    ]
    assert read("?theme=dark").ignored == []


@pytest.mark.parametrize(
    ("query", "sentences"),
    [
        (
            "page=compare&passes=3",
            ["passes: a setting of the Generate page; it has no effect on the Compare page."],
        ),
        (
            "page=train&walk=best&passes=3&highlight=rbm-200-mnist-likeliest",
            [
                "passes, walk: settings of the Generate page; they have no effect on the Train page.",
                "highlight: a setting of the Compare page; it has no effect on the Train page.",
            ],
        ),
        ("passes=3", ["passes: a setting of the Generate page; it has no effect on the Inference page."]),
        ("step=2", ["step: a setting of the Lessons page; it has no effect on the Inference page."]),
        (
            "page=generate&model=lrbn-12-digits",
            ["model: a setting of the Inference page; it has no effect on the Generate page."],
        ),
        ("page=generate&theme=dark&hide=pages", []),
        ("page=lessons&lesson=start&step=2", []),
        ("lesson=start&step=2&theme=dark", []),
        (
            "?page=compare&passes=0",
            [
                "Some of this link was ignored:",
                "passes: expected a whole number from 1 to 240, got 0; 24 are drawn.",
            ],
        ),
    ],
)
def test_a_setting_of_another_page_is_named_once_with_the_page_where_it_works(
    query: str, sentences: list[str]
) -> None:
    assert explorer(query).notices.texts == sentences


@pytest.mark.parametrize("page", PAGES)
def test_an_address_that_a_page_has_written_has_no_setting_of_another_page(page: str) -> None:
    shown = explorer(f"page={page}&model=lrbn-12-digits&image=3&seed=1&visit=2&units=number")
    assert shown.notices.texts == []
    assert explorer(shown.address_now()).notices.texts == []


def test_thousands_of_settings_are_not_looked_at() -> None:
    address = read("&".join(f"x{n}=1" for n in range(5000)))
    assert "The link has 5,000 settings" in address.ignored[0]
    assert len(address.ignored) == 1 + MAX_NAMES
    assert len(address.words) < 15
    assert address.words[-1] == f"So were {1 + MAX_NAMES - 10} more of its settings."


def test_a_model_that_was_in_training_is_said_to_be_gone() -> None:
    address = read("?model=live:mnist5k-20261122-101010%20LRBN,%20before%20step%2012")
    assert address.ignored == [
        "model: 'mnist5k-20261122-101010 LRBN, before step 12' belongs to a session that has ended; "
        "lrbn-200-mnist-flat is shown."
    ]
    assert "model_name" not in address.states["inference"]
    address = read("?model=lrbn-12-digits&rival=live:mine.npz")
    assert address.ignored == [
        "rival: 'mine.npz' belongs to a session that has ended; the model that belongs beside it is shown."
    ]
    assert address.states["inference"]["rival_name"] == "rbm-12-digits"


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("model=lrbn-200-200-ocr", "model: lrbn-200-200-ocr comes with the package, but its images"),
        (
            "page=generate&generator=lrbn-200-200-ocr",
            "generator: lrbn-200-200-ocr comes with the package, but",
        ),
        (
            "rival=factorised:lrbn-200-ocr-flat",
            "rival: factorised:lrbn-200-ocr-flat comes with the package, but",
        ),
        ("data=ocr_letters", "data: its images (OCR letters) are not at hand"),
        ("page=compare&compare_data=ocr_letters", "compare_data: its images (OCR letters) are not at hand"),
        (
            "page=compare&systems=lrbn-200-200-ocr",
            "systems: lrbn-200-200-ocr comes with the package, but its",
        ),
    ],
)
def test_a_shipped_model_without_its_images_is_said_to_be_shipped_and_how_to_get_them(
    query: str, sentence: str, monkeypatch, tmp_path
) -> None:
    monkeypatch.delenv("LRBN_VIZ_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    said = ignored(query)
    assert said.startswith(sentence)
    command = "the command lrbn-viz datasets --download ocr_letters fetches them"
    assert f"(OCR letters) are not at hand: {command}; " in said
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    elsewhere = f"without LRBN_VIZ_DATA, whose folder lacks them, {command}; "
    assert f"(OCR letters) are not at hand: {elsewhere}" in ignored(query)
    assert str(tmp_path) not in ignored(query)
    assert ignored("model=nothing").startswith("model: there is no model called 'nothing' here")


def test_a_page_and_a_run_are_read_and_what_is_none_is_named() -> None:
    assert read("?page=train&preset=warmed").states["train"] == {"preset": "warmed"}
    assert read("?page=train&preset=x").ignored[0].startswith("preset: expected one of small, flat, ")
    assert read("?page=train&run=mnist5k-20261122-101010&moment=7")[:2] == (
        "train",
        {
            "inference": {},
            "train": {"run_name": "mnist5k-20261122-101010", "cursor": 7},
            "generate": {},
            "compare": {},
            "lessons": {},
            "sweeps": {},
        },
    )
    address = read("?page=kitchen&run=..")
    assert (address.page, address.states["train"]) == ("", {})
    assert address.ignored == [
        "page: expected one of inference, train, generate, compare, lessons, sweeps, got 'kitchen'; "
        "inference is shown.",
        "run: expected the name of a run, got '..'; no run is opened.",
    ]


def test_the_table_and_the_states_of_the_pages_agree_on_parameters_and_defaults() -> None:
    from lrbn_viz.app.train.state import TrainState

    states = {
        "inference": Session,
        "train": TrainState,
        "generate": GenerateState,
        "compare": CompareState,
        "lessons": LessonRun,
        "sweeps": SweepsState,
    }
    assert list(SETTINGS) == list(PAGES)
    for page, rows in SETTINGS.items():
        for row in rows:
            assert row.default == states[page].param[row.parameter].default, row.name


def test_a_page_is_written_by_the_table_it_is_read_by() -> None:
    for page, rows in SETTINGS.items():
        state: Any = SimpleNamespace(**{row.parameter: row.default for row in rows})
        if page == "inference":
            state = Session()
        values = {row.name: row.value(state) for row in rows if not row.unless(state)}
        written = {name: str(value) for name, value in values.items() if value != ""}
        assert write_page(page, state) == (written if page == "inference" else {})
        assert not read("?" + urlencode(write_page(page, state))).ignored


def test_a_run_of_which_the_server_knows_nothing_is_said_so_without_its_folders(tmp_path) -> None:
    from lrbn_viz.studies.runs.registry import RunRegistry

    registry = RunRegistry(tmp_path)
    try:
        with pytest.raises(FileNotFoundError, match="There is no run called nope on this server") as found:
            registry.resume("nope", lambda config: pytest.fail("no run has this configuration"))
        assert str(tmp_path) not in str(found.value)
    finally:
        registry.close()


@pytest.mark.parametrize("query", ["?a=b?c=d#e", "?seed=" + "9" * 5000, "?seed=[1", "??", "?#", "?seed=²"])
def test_the_address_bar_takes_any_address(query: str) -> None:
    with set_curdoc(Document()):
        location = location_of("http", "localhost:5006", f"/explorer{query}")
        assert (location.pathname, location.hostname, location.port) == ("/explorer", "localhost", "5006")
        location.search = query[:1] + "seed=" + "9" * 5000
        assert location_of("http", "a:b:c", "/x").pathname == "/x"


def test_an_address_that_is_too_long_leads_to_one_that_names_what_was_left_out() -> None:
    text = "".join(np.random.default_rng(0).choice(list("abcdefgh"), 60_000))
    short = shortened(f"?page=train&drawn={text}&seed=3&zzz={text}")
    assert len(short) < MAX_QUERY_LENGTH
    address = read(short)
    assert (address.page, address.states["inference"]["seed"]) == ("train", 3)
    assert address.ignored == ["The link had more than 16,000 characters; left out: drawn."]
    assert len(shortened("&".join(f"x{n}=1" for n in range(20_000)))) < MAX_QUERY_LENGTH


def test_the_query_of_a_request_comes_back_whole() -> None:
    assert query_of({"seed": [b"3", b"\xff"], "\xe9": [b""]}) == "seed=3&seed=%FF&%E9="


def test_text_is_quoted_shortly() -> None:
    assert [quoted(""), quoted("12"), quoted("ab"), quoted("1" * 41)] == [
        "nothing",
        "12",
        "'ab'",
        "41 digits",
    ]
    assert quoted("x" * 50) == f"'{'x' * 40}'... (50 characters)"


def test_numbers_are_read_as_they_are_typed() -> None:
    assert [whole_number(text, -5, 5) for text in ("-5", "+5", "0", "-0", "0" * 5000 + "3")] == [
        -5,
        5,
        0,
        0,
        3,
    ]
    assert any_number(" 1,000 ") == 1000
    assert any_number("9007199254740993") == 9007199254740993
    assert any_number("-1e-3") == -0.001
    assert any_number("inf") == float("inf")
    for text in ("", "nan", "1e999", "-" + "1" * 400, "１２", "1_0", "0x10", "true", "1e", ".", "--1", "∞"):
        with pytest.raises(ValueError, match="expected a number"):
            any_number(text)
