"""Tables whose columns are quantities of their own, such as people's: what is 0 and 1, and what is asked."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from forged import gzip_bomb
from hypothesis import given
from hypothesis import strategies as st

from lrbn_viz import read_dataset
from lrbn_viz.datasets.own import OwnImages, RefusedData, decode_own, limits, make_dataset
from lrbn_viz.datasets.own.columns import ColumnsNeeded
from lrbn_viz.datasets.own.make import split_rows
from lrbn_viz.datasets.own.tables import list_columns

rng = np.random.default_rng(0)
N = 40
AGE = rng.integers(18, 90, N)
SMOKES, DRINKS = rng.integers(0, 2, (2, N))
SEX = np.array(["male", "female"])[rng.integers(0, 2, N)]
OUTCOME = np.array(["healthy", "ill", "unknown"])[np.arange(N) % 3]
PAIRS = [
    ("no", "yes"),
    ("No", "Yes"),
    ("NO", "YES"),
    ("false", "true"),
    ("FALSE", "TRUE"),
    ("n", "y"),
    ("N", "Y"),
]
PEOPLE: dict[str, Any] = {
    "id": rng.permutation(900)[:N],
    "age": AGE,
    "smoker": np.array(["no", "yes"])[SMOKES],
    "drinks": np.array(["n", "y"])[DRINKS],
    "sex": SEX,
    "outcome": OUTCOME,
}


def table(columns: Mapping[str, Any], separator: str = ",", header: bool = True) -> bytes:
    rows = [list(columns)] if header else []
    rows += [list(row) for row in zip(*columns.values(), strict=True)]
    return "".join(separator.join(map(str, row)) + "\n" for row in rows).encode()


def people(*without: str, **others: Any) -> dict[str, Any]:
    return {name: cells for name, cells in {**PEOPLE, **others}.items() if name not in without}


def read(content: bytes, filename: str = "people.csv", **how: Any) -> OwnImages:
    return decode_own(content, filename, limits(), **how)


def classes_of(own: OwnImages) -> list[str] | None:
    return None if own.y is None else [own.class_names[label] for label in own.y]


def test_a_table_of_people_is_read_by_its_columns_names():
    data = read_dataset(
        table(PEOPLE), filename="people.csv", labels="outcome", thresholds={"age": 40, "sex": "female"}
    )
    assert (data.image_shape, data.class_names) == ((1, 4), ("healthy", "ill", "unknown"))
    own = read(table(PEOPLE), labels="outcome", thresholds={"age": 40, "sex": "female"})
    X = np.c_[AGE >= 40, SMOKES, DRINKS, SEX == "female"]
    np.testing.assert_array_equal(own.X, X)
    assert classes_of(own) == OUTCOME.tolist()
    assert own.columns == ("age", "smoker", "drinks", "sex")
    assert own.notes == (
        "Column 1 numbers the lines and is left out.",
        "Classes are from column 6, outcome (healthy, ill, unknown, healthy, ill, ...).",
        "Column 2, age is 1 from 40 on.",
        "Column 3, smoker is 1 for yes.",
        "Column 4, drinks is 1 for y.",
        "Column 5, sex is 1 for female.",
    )
    assert data.description.endswith(f". {' '.join(own.notes)}"), "who opens it later sees how it was made"
    np.testing.assert_array_equal(
        np.sort(np.r_[data.train_X, data.test_X] @ [8, 4, 2, 1]), np.sort(X @ [8, 4, 2, 1])
    )


def test_columns_are_named_by_number_as_well_and_may_be_left_out():
    content = table(PEOPLE)
    by_name = read(content, labels="outcome", columns=["age", "smoker"], thresholds={"age": 40})
    by_number = read(content, labels=-1, columns=[0, 1], thresholds={0: 40})
    for own in (by_name, by_number):
        np.testing.assert_array_equal(own.X, np.c_[AGE >= 40, SMOKES])
        assert classes_of(own) == OUTCOME.tolist()
    without = read(content, columns=["smoker", "drinks"])
    np.testing.assert_array_equal(without.X, np.c_[SMOKES, DRINKS])
    assert without.y is None, "no other column is called as classes are"
    assert read(content, columns=["age", "smoker"], thresholds={"age": 40}).y is None, "it was chosen"
    named = read(table(people("outcome", label=OUTCOME)), columns=["smoker", "drinks"])
    assert classes_of(named) == OUTCOME.tolist()
    with_ids = read(content, columns=["id", "smoker"], thresholds={"id": 500})
    np.testing.assert_array_equal(with_ids.X, np.c_[PEOPLE["id"] >= 500, SMOKES])
    order = read(content, columns=["drinks", "smoker"])
    assert order.columns == ("smoker", "drinks"), "as in the file"


@pytest.mark.parametrize("pair", PAIRS, ids=" ".join)
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_words_of_yes_and_no_are_1_and_0(pair, header, separator):
    bits = rng.integers(0, 2, (30, 4))
    words = np.array(pair)[bits]
    content = table({name: words[:, n] for n, name in enumerate("abcd")}, separator, header)
    own = read(content)
    np.testing.assert_array_equal(own.X, bits)
    assert own.y is None
    mixed = table({"age": AGE[:30], **{name: words[:, n] for n, name in enumerate("abc")}}, separator, header)
    np.testing.assert_array_equal(read(mixed, thresholds={0: 40}).X, np.c_[AGE[:30] >= 40, bits[:, :3]])


def test_one_column_of_words_is_the_class_and_one_that_is_not_yes_or_no_is_before_them():
    one = read(table({"age": AGE, "smoker": PEOPLE["smoker"]}))
    assert classes_of(one) == PEOPLE["smoker"].tolist()
    several = read(table(people("sex")), thresholds={"age": 40})
    assert classes_of(several) == OUTCOME.tolist()
    np.testing.assert_array_equal(several.X, np.c_[AGE >= 40, SMOKES, DRINKS])


def test_words_that_could_be_classes_or_causes_are_asked_about_and_each_answer_is_taken():
    content = table(PEOPLE)
    with pytest.raises(ColumnsNeeded) as caught:
        read(content)
    asked = (
        f"people.csv holds words in column 5, sex ({SEX[0]}, ...) and column 6, outcome (healthy, ...); "
        "expected numbers, or yes and no, in all columns but that of the classes. "
    )
    assert str(caught.value) == (
        f"{asked}Say which column holds the classes (labels='sex'), which word is 1 (thresholds={{'sex': "
        f"{str(SEX[0])!r}}}), or which columns to read (columns=[...])."
    )
    assert caught.value.on_page == (
        f"{asked}Choose the column of the classes, and for each other column of words the word that is 1, or "
        "leave it out."
    )
    meanwhile = read(content, lenient=True)
    assert (meanwhile.question, meanwhile.columns, meanwhile.y) == (
        caught.value.on_page, ("age", "smoker", "drinks"), None,
    )  # fmt: skip
    sex = read(content, labels="sex", columns=["age", "smoker", "drinks"])
    assert classes_of(sex) == SEX.tolist()
    thresholds = {"sex": "FEMALE", "outcome": "ill"}
    words = read(content, labels=None, thresholds=thresholds, columns=["sex", "outcome"])
    np.testing.assert_array_equal(words.X, np.c_[SEX == "female", OUTCOME == "ill"])
    with pytest.raises(ColumnsNeeded, match=r"holds words in column 5, sex .*labels='sex'"):
        read(content, labels="outcome")
    nameless = table(people("id"), header=False)
    with pytest.raises(ColumnsNeeded, match=r"words in column 4 .* and column 5 .*\(labels=3\)"):
        read(nameless)
    np.testing.assert_array_equal(read(nameless, labels=4, thresholds={3: "male"}).X[:, 3], SEX == "male")


def test_words_that_are_all_different_are_no_classes_unless_it_is_said():
    names, dates = (
        [f"P{n:03}" for n in range(N)],
        [f"2026-{n // 28 + 1:02}-{n % 28 + 1:02}" for n in range(N)],
    )
    times, amounts = (
        [f"{date} 10:{n:02}" for n, date in enumerate(dates)],
        [f"{1000 + n} EUR" for n in range(N)],
    )
    for cells in (names, dates, times, amounts):
        content = table({"who": cells, **people("id", "age", "sex", "outcome")})
        with pytest.raises(ColumnsNeeded, match=r"holds words in column 1, who .*labels='who'"):
            read(content)
        own = read(content, columns=["smoker", "drinks"])
        np.testing.assert_array_equal(own.X, np.c_[SMOKES, DRINKS])
        assert own.notes == ("Column 2, smoker is 1 for yes.", "Column 3, drinks is 1 for y.")
        assert classes_of(read(content, labels="who")) == cells
        with pytest.raises(ColumnsNeeded, match=r"column 2, sex .* and column 1, who .*labels='sex'"):
            read(table({"who": cells, "sex": SEX, "smoker": PEOPLE["smoker"]}), labels=None)
    both = read(table({"a": PEOPLE["smoker"], "b": PEOPLE["smoker"][::-1]}), labels=None)
    assert both.notes == ("Column 1, a and column 2, b are 1 for yes.",)


def test_numbers_on_scales_of_their_own_are_asked_about_unless_they_are_standardised():
    weight = np.round(rng.normal(70, 9, N), 1)
    for columns, named in (
        ({"age": AGE, "smoker": PEOPLE["smoker"], "drinks": PEOPLE["drinks"]}, r"age \(\d+ to \d+\);"),
        ({"age": AGE, "weight": weight, "height": weight + 100}, r"age .*; weight .* and height .*;"),
    ):
        content = table(columns)
        with pytest.raises(ColumnsNeeded, match=rf"no common scale: {named}.*thresholds={{'age': [\d.]+}}"):
            read_dataset(content, filename="people.csv", labels=None)
        data = read_dataset(content, filename="people.csv", labels=None, binary=False)
        np.testing.assert_allclose(data.train_X.std(axis=0), 1)
        cuts = {name: float(np.median(cells)) for name, cells in columns.items() if cells.dtype.kind != "U"}
        cut = read_dataset(content, filename="people.csv", labels=None, thresholds=cuts)
        assert set(np.unique(cut.train_X)) == {0, 1}
        assert np.ptp(cut.train_X, axis=0).all()
    ratings = {name: rng.integers(1, 6, N) for name in ("taste", "smell", "price")}
    own = read(table(ratings), labels=None)
    assert make_dataset(own, threshold=0.5).image_shape == (1, 3), "one scale for all"


@pytest.mark.parametrize(
    ("row", "column", "cell", "how", "message"),
    [
        (30, "smoker", "maybe", {}, "line 32, column 3 of people.csv holds 'maybe'; expected yes or no"),
        (7, "age", "inf", {}, "line 9, column 2 of people.csv holds 'inf'; expected a number"),
        (7, "age", "old", {}, "line 9, column 2 of people.csv holds 'old'; expected a number"),
        (39, "outcome", "", {}, "line 41, column 6 of people.csv holds no label"),
        (39, "outcome", "NA", {}, "line 41, column 6 of people.csv holds no label"),
        (0, "age", 20, {"thresholds": {"sex": "femal"}}, "no line of people.csv holds 'femal' in column 5"),
        (0, "age", 20, {"thresholds": {"sexes": "m"}}, "no column 'sexes'; expected one of its own"),
        (0, "age", 20, {"thresholds": {9: 1}}, "thresholds = 9, but .* 5 columns; expected -5 to 4"),
        (0, "age", 20, {"columns": [9]}, r"columns = 9, but people.csv has 5 columns"),
        (0, "age", 20, {"columns": ["size"]}, r"no column 'size'"),
        (0, "age", 20, {"columns": [], "thresholds": {}}, "holds labels only"),
        (0, "age", 20, {"thresholds": {"outcome": "ill"}}, "column 6, outcome of .* which is not read"),
        (0, "age", 20, {"columns": ["sex"]}, "column 2, age of people.csv, which is not read"),
    ],
)  # fmt: skip
def test_a_cell_or_a_choice_that_cannot_be_is_an_error_in_words(row, column, cell, how, message):
    cells = PEOPLE[column].astype(object)
    cells[row] = cell
    usual = {"labels": "outcome", "thresholds": {"age": 40, "sex": "female"}}
    with pytest.raises(RefusedData, match=message):
        read(table(people(**{column: cells})), **{**usual, **how})


@pytest.mark.parametrize("word", ["", "?", "NA", "n/a", "NaN", "null", "<NA>", "#N/A"])
def test_an_empty_cell_or_a_word_for_it_is_a_value_that_is_not_known(word):
    usual: dict[str, Any] = {"labels": "outcome", "thresholds": {"age": 40, "sex": "female"}}
    whole = make_dataset(read(table(people()), **usual))
    cells = {name: PEOPLE[name].astype(object) for name in ("age", "smoker", "drinks", "sex")}
    for n, name in enumerate(cells):
        cells[name][3 * n + 1 :: 7] = word
    own = read(table(people(**cells)), **usual)
    missing = np.stack([cells[name] == word for name in cells if name in own.columns], axis=1)
    assert own.columns == ("age", "smoker", "drinks", "sex")
    np.testing.assert_array_equal(np.isnan(own.X), missing)
    assert own.n_unknown == missing.sum() > 10
    data = make_dataset(own)
    assert data.n_unknown == own.n_unknown
    assert f"{own.n_unknown} of {own.X.size} values not known" in data.description
    for part, full in ((data.train_X, whole.train_X), (data.test_X, whole.test_X)):
        np.testing.assert_array_equal(part, np.where(np.isnan(part), np.nan, full))
    listed = list_columns(table(people(**cells)), "people.csv", limits())
    assert [each.kind for each in listed] == ["numbers", "yes or no", "yes or no", "words", "words"]
    assert word not in {each for column in listed for each in column.words}


def test_statistics_and_thresholds_are_of_what_is_known():
    X = np.random.default_rng(0).normal(3.0, 2.0, (80, 4))
    X[np.random.default_rng(1).random(X.shape) < 0.3] = np.nan
    rows = [["" if np.isnan(value) else repr(float(value)) for value in row] for row in X]
    content = ("red,green,blue,dark\n" + "\n".join(map(",".join, rows))).encode()
    data = read_dataset(content, filename="t.csv", labels=None, binary=False)
    np.testing.assert_allclose(np.nanmean(data.train_X, axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(np.nanstd(data.train_X, axis=0), 1)
    cut = read_dataset(
        content,
        filename="t.csv",
        labels=None,
        thresholds=dict.fromkeys(("red", "green", "blue", "dark"), 3.0),
    )
    own = read(content, labels=None)
    values = data.to_intensity(data.train_X) * (own.high - own.low) + own.low
    np.testing.assert_array_equal(cut.train_X, np.where(np.isnan(values), np.nan, values >= 3))
    np.testing.assert_allclose(data.from_intensity(data.to_intensity(data.train_X)), data.train_X)
    np.testing.assert_array_equal(cut.from_intensity(cut.to_intensity(cut.train_X)), cut.train_X)


def test_a_column_without_values_and_one_with_values_for_testing_only_are_refused_by_name():
    cells = {name: [str(n % 2) for n in range(40)] for name in ("cough", "fever", "rash")}
    cells["cough"] = ["0", "1"] * 20
    cells["fever"] = ["NA"] * 40
    with pytest.raises(RefusedData, match="column 2, fever: no row has a value there; expected some known"):
        read(table(cells), labels=None)
    cells["fever"] = [str(n % 2) for n in range(40)]
    whole = make_dataset(read(table(cells), labels=None), seed=3)
    _, test, _ = split_rows(read(table(cells), labels=None), 0.2, 3)
    assert len(test) == len(whole.test_X) == 8
    cells["fever"] = ["0" if n in test else "NA" for n in range(40)]
    with pytest.raises(
        RefusedData, match="fever: the only rows with a value there are set aside for testing"
    ):
        read_dataset(table(cells), filename="t.csv", labels=None, seed=3)
    cells["fever"] = ["NA" if n in test else "0" for n in range(40)]
    assert np.isnan(read_dataset(table(cells), filename="t.csv", labels=None, seed=3).test_X[:, 1]).all()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (
            {"columns": "age"},
            "columns must be a list of names or numbers of columns, or None for all; got 'age'",
        ),
        ({"columns": 3}, "columns must be a list .*; got 3"),
        ({"thresholds": 0.5}, "thresholds must be a dictionary .*; got 0.5"),
        ({"thresholds": {"age": None}}, "threshold of 'age' is None; expected a number, at or above"),
        ({"thresholds": {"age": float("nan")}}, "threshold of 'age' is nan; expected a number"),
        ({"thresholds": {"age": True}}, "threshold of 'age' is True; expected a number"),
        ({"thresholds": {"sex": " "}}, "threshold of 'sex' is ' '; expected"),
    ],
)
def test_a_setting_of_another_kind_is_refused_in_words(how, message):
    with pytest.raises(ValueError, match=message):
        read_dataset(table(PEOPLE), filename="people.csv", **how)


def test_a_gap_in_a_column_is_no_fault_where_it_is_left_out():
    cells = PEOPLE["age"].astype(object)
    cells[5] = ""
    own = read(table(people(age=cells)), labels="outcome", columns=["smoker", "drinks"])
    np.testing.assert_array_equal(own.X, np.c_[SMOKES, DRINKS])


@st.composite
def tables_of_people(draw: st.DrawFn) -> tuple[bytes, dict[str, Any], np.ndarray, list[str]]:
    """Draw a table, the settings that read it, and what they make of it."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(20, 40))
    columns: dict[str, Any] = {}
    thresholds: dict[str, Any] = {}
    X = []
    for number in range(draw(st.integers(2, 6))):
        kind = draw(st.sampled_from(["numbers", "fractions", "yes or no", "words", "left out"]))
        name = f"{draw(st.sampled_from(['age', 'of', 'Größe']))} {'abcdef'[number]}"
        bits = rng.integers(0, 2, n)
        if kind == "left out":
            columns[name] = np.array(["x", "", "7"])[rng.integers(0, 3, n)]
            continue
        if kind == "yes or no":
            pair = draw(st.sampled_from(PAIRS))
            cells = np.array(pair)[bits]
        elif kind == "words":
            cells = np.array(["red", "green", "blue"])[rng.integers(0, 3, n)]
            cells[rng.integers(n)] = "green"
            thresholds[name] = "Green"
            bits = (cells == "green").astype(int)
        else:
            cells = rng.integers(-50, 50, n) if kind == "numbers" else rng.normal(size=n).round(2)
            thresholds[name] = draw(st.sampled_from(cells.tolist()))
            bits = (cells >= thresholds[name]).astype(int)
        columns[name] = cells
        X.append((name, bits))
    columns["kind"] = np.array(["good", "bad"])[np.arange(n) % 2]
    separator = draw(st.sampled_from(",;\t|"))
    how = {"labels": "kind", "columns": [name for name, _ in X], "thresholds": thresholds}
    values = np.array([bits for _, bits in X]).T if X else np.empty((n, 0))
    return table(columns, separator), how, values, columns["kind"].tolist()


@given(tables_of_people())
def test_every_column_becomes_what_its_setting_says(found):
    content, how, X, kinds = found
    if not X.size or (X[0] == X).all():
        return
    own = read(content, **how)
    np.testing.assert_array_equal(own.X, X)
    assert classes_of(own) == kinds


def test_words_of_a_file_stand_in_a_question_on_one_line_and_are_listed_whole():
    long = [f"{'a' * 60}\x0c{n % 3}" for n in range(N)]
    content = table({"age": AGE, "word": long, "sex": SEX})
    with pytest.raises(ColumnsNeeded, match=r"words in column 2, word \(a{20}, \.\.\.\)"):
        read(content)
    word = list_columns(content, "people.csv", limits())[1].words[0]
    own = read(content, labels="sex", columns=[1], thresholds={1: word})
    np.testing.assert_array_equal(own.X[:, 0], np.arange(N) % 3 == 0)
    with pytest.raises(ColumnsNeeded, match=r"words in column 1, a \(x\?y, "):
        read(table({"a": ["x\x0cy"] * 20 + ["b"] * 20, "sex": SEX}))


def test_the_list_of_columns_says_what_each_holds():
    listed = list_columns(table(PEOPLE), "people.csv", limits())
    assert [(each.number, each.title, each.kind) for each in listed] == [
        (0, "age", "numbers"), (1, "smoker", "yes or no"), (2, "drinks", "yes or no"), (3, "sex", "words"),
        (4, "outcome", "words"),
    ]  # fmt: skip
    assert (listed[0].low, listed[0].high) == (AGE.min(), AGE.max())
    assert listed[0].first == ", ".join(map(str, AGE[:3]))
    assert set(listed[3].words) == {"male", "female"}
    assert all(each.separate for each in listed)
    pixels = list_columns(table({f"p{n}": rng.integers(0, 9, N) for n in range(9)}), "a.csv", limits())
    assert len(pixels) == 9
    assert not any(each.separate for each in pixels)
    assert list_columns(table({f"p{n}": rng.integers(0, 9, N) for n in range(61)}), "a.csv", limits()) == ()


# -- packed tables


@pytest.mark.parametrize("ending", ["csv", "tsv", "txt", "CSV"])
def test_a_packed_table_is_read_as_it_is_unpacked(ending):
    content = table({f"p{n}": rng.integers(0, 256, N) for n in range(9)}, "\t")
    plain = read(content, f"digits.{ending}")
    half = content.index(b"\n", len(content) // 2) + 1
    parts = gzip.compress(content[:half]) + gzip.compress(content[half:])
    for packed in (gzip.compress(content), parts):
        own = read(packed, f"digits.{ending}.gz")
        np.testing.assert_array_equal(own.X, plain.X)
        assert own.name == "digits"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(table(PEOPLE))[:-9], "a.csv.gz is damaged: expected a whole gzip file"),
        (
            table(PEOPLE),
            "a.csv.gz does not have the format that its name gives: expected a gzip file, got other data",
        ),
        (
            gzip.compress(b"PK\x03\x04"),
            "a.csv.gz does not have the format that its name gives: expected a table .*got a zip archive",
        ),
        (gzip_bomb(300 * 2**20), "would take 256.0 MiB decompressed; expected at most 256.0 MiB"),
        (gzip.compress(b""), "a.csv.gz holds no lines"),
    ],
    ids=["cut short", "not packed", "another kind", "a bomb", "nothing"],
)
def test_a_packed_table_that_is_none_is_refused_in_words(content, message):
    with pytest.raises(RefusedData, match=message):
        read(content, "a.csv.gz")
