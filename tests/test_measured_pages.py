"""The documentation's tables are those of what was measured."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lrbn_viz.catalog import PRETRAINED, annealed_of, annealed_sweeps, measured
from lrbn_viz.studies.reproduce.report import likeliest, notes
from lrbn_viz.studies.reproduce.reported import NATS
from tests.measured_pages import (
    DATASETS,
    LRBN_REPORTS,
    PAGES,
    PLACE,
    REPORTS,
    TABLES,
    nats_of,
    rivals_of_report,
    written,
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_tables_that_its_files_give(page):
    text = page.read_text(encoding="utf-8")
    assert PLACE.search(text)
    assert written(text) == text, "run python -m tests.measured_pages --write"


def test_each_table_stands_on_a_page():
    found = {place[2] for page in PAGES for place in PLACE.finditer(page.read_text(encoding="utf-8"))}
    assert found == TABLES.keys()


def test_each_rival_of_the_package_stands_at_the_beginning_of_its_report_with_its_figures():
    for name, report in LRBN_REPORTS.items():
        beginning = report.read_text(encoding="utf-8").split("\n### ")[0]
        dataset = DATASETS[{folder: title for title, folder in REPORTS.items()}[name]]
        rivals = [model for model, info in PRETRAINED.items() if info.dataset == dataset]
        for model in rivals:
            assert model.startswith("lrbn") or f"`{model}`" in beginning
    found = measured("dbn-200-200-caltech")
    said = rivals_of_report("caltech")
    assert "`rbm-200-caltech-likeliest`" not in said, "the first paragraph has it"
    for figure in (
        f"{found['wrong pixels']['recognition']:.2f} pixels wrong on {found['wrong pixels']['images']:,} ",
        f"between {found['nats']['low']:.1f} and {found['nats']['high']:.1f} nats on the first "
        f"{found['nats']['images']}.",
        f"estimated from {found['nats']['images of the bracket']} images.",
    ):
        assert figure in said


def test_nats_whose_bounds_are_far_apart_are_an_interval():
    near = {"value": -85.47, "low": -85.47, "high": -85.13}
    far = {"value": -75.09, "low": -77.63, "high": -75.09}
    open_ = {"value": -75.09, "low": -75.09, "high": None}
    assert nats_of(near) == ["-85.5", "-85.5", "-85.1"]
    assert nats_of(far) == ["between -77.6 and -75.1", "-77.6", "-75.1"]
    assert nats_of(open_) == ["about -75.1", "", ""]


def test_no_sentence_about_wrong_pixels_says_more_than_is_measured():
    """Each model stands with those that its own figures put it with."""
    text = TABLES["beside_rbm"]().replace("\n  ", " ")
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(lines) == 3
    seen = 0
    for line in lines:
        limit = measured(line.split("`")[1])["wrong pixels"]["exact MAP"]
        for group in re.split(r"[.;] (?=Fewer|fewer|Not|not)", line)[1:]:
            for name in re.findall(r"`([\w-]+)` \(", group):
                counts = measured(name)["wrong pixels"]
                point = annealed_of(measured(name))
                assert point is not None
                by_icm, annealed = counts["icm"] < limit, point["wrong pixels"] < limit
                true = "fewer by icm" if by_icm else "fewer by annealing only" if annealed else "not fewer"
                assert group.split(":")[0].lower() == true, name
                seen += 1
    assert seen >= 8


# -- one annealed figure for each model, with its sweeps

ROOT = Path(__file__).parents[1]
NOTES = "### Notes: what else was tried"
"""Heading of the part of a report whose figures are of other models, on held-out images."""
SPEAKS = re.compile(r"pixels? wrong|wrong pixels?")
FIGURE = re.compile(r"(?<![\w.-])\d+\.\d+")


def texts() -> Iterator[tuple[str, str]]:
    """All pages and lessons, without what is written from the measured figures."""
    for path in (
        *ROOT.glob("*.md"), *ROOT.glob("paper/*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/howto/*.md"),
        *ROOT.glob("docs/reproduction/*/*.md"), *ROOT.glob("lrbn_viz/view/lessons/*.md"),
    ):  # fmt: skip
        yield str(path.relative_to(ROOT)), PLACE.sub("", path.read_text(encoding="utf-8")).split(NOTES)[0]
    for path in ROOT.glob("notebooks/*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        words = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        yield path.name, "\n\n".join(words)


def quoted(text: str) -> list[str]:
    """The sentences of a text that quote a number of wrong pixels by annealing."""
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    sentences = re.split(r"(?<=[.;?!])\s", " ".join(lines))
    return [
        each for each in sentences if "anneal" in each.lower() and SPEAKS.search(each) and FIGURE.search(each)
    ]


def unnamed_columns(text: str) -> list[str]:
    """The columns of annealed figures without their number of sweeps, there or in the note below."""
    found = []
    for block in re.finditer(r"^\|.*\n\|[ :|-]+\n(?:\|.*\n)+\n?(.*)", text, re.M):
        head = block[0].splitlines()[0]
        cells = [cell for cell in head.split("|") if "anneal" in cell and "codes" not in cell]
        named = re.search(r"[Aa]nneal.* by [\d,]+ sweeps", block[1])
        found += [cell.strip() for cell in cells if not named and not re.search(r"[\d,]+ sweeps", cell)]
    return found


def test_no_page_quotes_an_annealed_figure_but_the_measured_one_with_its_sweeps():
    seen = dict(texts())
    assert len(seen) > 40
    assert {name: found for name, text in seen.items() if (found := quoted(text))} == {}
    assert {name: found for name, text in seen.items() if (found := unnamed_columns(text))} == {}


def test_a_page_that_quotes_another_figure_is_found():
    other = "The LRBN makes fewer pixels wrong: 6.03 annealed and 10.50 by ICM."
    assert quoted(f"Before.\n{other} After it.") == [other]
    assert unnamed_columns("| model | annealed |\n| --- | ---: |\n| a | 1.2 |\n\nA note.\n") == ["annealed"]
    assert not unnamed_columns("| model | annealed, 400 sweeps |\n| --- | ---: |\n| a | 1.2 |\n\nA note.\n")


def test_the_quoted_number_of_sweeps_is_the_largest_at_which_all_models_have_all_test_images(monkeypatch):
    def model(points):
        found = {str(n): {"wrong pixels": float(n), "images": images} for n, images in points.items()}
        return {"wrong pixels": {"icm": 9.0, "images": 500}, "annealed": found}

    models = {"a": model({200: 500, 1000: 500, 4000: 500}), "b": model({200: 500, 1000: 500, 4000: 100})}
    models["c"] = {"wrong pixels": {"exact MAP": 9.0, "images": 500}}
    monkeypatch.setattr("lrbn_viz.catalog._stored", lambda name: {"models": models})
    assert annealed_sweeps() == 1000
    points = {name: annealed_of(found) for name, found in models.items()}
    assert points["a"] == {"wrong pixels": 1000.0, "images": 500}
    assert points["c"] is None
    models["b"]["annealed"]["1000"]["images"] = 100
    assert annealed_sweeps() == 200


def test_every_page_writes_the_quoted_number_of_sweeps_beside_its_annealed_figures():
    sweeps = f"annealed, {annealed_sweeps():,} sweeps"
    assert f"| {sweeps} |" in TABLES["mnist_systems"]()
    assert sweeps in TABLES["reproduced"]()
    assert f"{annealed_sweeps():,} sweeps of annealing" in TABLES["beside_rbm"]()
    for row in TABLES["reproduced"]().splitlines()[2:5]:
        for name, wrong in re.findall(r"`([\w-]+)`: ([\d.]+) \(", row):
            point = annealed_of(measured(name))
            assert point is not None
            assert float(wrong) == pytest.approx(point["wrong pixels"], abs=0.0051)


# -- the first words of each report


def bounds(name: str) -> str:
    """The interval of a shipped model's nats, in words."""
    found = measured(name)["nats"]
    assert found["images"] == 200, "the first 200, as the sentences say"
    return f"between {found['low']:.1f} and {found['high']:.1f}"


def row_of(page: str, *cells: str) -> list[str]:
    """The cells of the first row of a page's tables that begins with these."""
    lines = (ROOT / "docs" / page).read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| ")]
    return next(row for row in rows if tuple(row[: len(cells)]) == cells)


def sentences_with_figures(name: str) -> list[str]:
    """What the first words of a report say in figures, each written from the table or file that has it."""
    lrbn, rbm = f"lrbn-200-200-{name}-likeliest", f"rbm-200-{name}-likeliest"
    of_rbm = row_of("results.md", f"`{rbm}`")
    by_raise, by_ais = (float(nats) for nats in of_rbm[3].split(", "))
    aim = row_of(f"reproduction/{name}/report.md", "likeliest")
    icm, nats = (aim[at].split("±")[0].strip() for at in (4, 6))
    said = [
        f"the likeliest LRBN, of 200-200 latents, has {float(nats):.1f} nats",
        f"`{rbm}`, {measured(rbm)['CPU seconds']} CPU seconds of training) has {of_rbm[2]}.",
        f"{icm} by ICM",
        f"the RBM {measured(rbm)['wrong pixels']['exact MAP']:.2f} in one pass",
    ]
    below, first = f"{by_ais - by_raise:.1f}", "the first 100 images"
    if name == "caltech":
        (quotes,) = (each for each in NATS[name] if (each.model, each.size) == ("RBM", "4000"))
        field, belief = (
            row_of("reproduction/caltech/systems.md", *cells)[4]
            for cells in (("Mean-field SBN", "200"), ("DBN", "200-200"))
        )
        tried = " ".join(notes("caltech").split())
        nvil = re.search(
            r"at (\d+), training images [-\d.]+\. Measured once, by 1,000 temperatures, the first 1,000 test "
            r"images have (-[\d.]+)",
            tried,
        )
        assert nvil
        return [
            *(each.replace(" by ICM", " pixels wrong by ICM") for each in said),
            f"RAISE of {first} is {below} below",
            f"the paper quotes {quotes.value:.1f} for an RBM of 4,000 latents",
            f"comes nearest after 30 CPU seconds: {field} on 200 of these images",
            f"of 200-200 {belief} (`lrbn-viz reproduce caltech --only systems --seconds 30`)",
            f"after {nvil[1]} CPU seconds, {nvil[2]} on the first 1,000",
        ]
    said.append(f"on {first} RAISE, which errs downwards, gives the RBM {below} nats less than AIS")
    if name == "ocr":
        return [
            *(each.replace(" by ICM", " pixels wrong by ICM") for each in said),
            f"`{lrbn}`, {measured(lrbn)['CPU seconds']} CPU seconds of training in all",
            f"On the first 200 of these images it has {bounds(lrbn)} nats and the RBM {bounds(rbm)}",
        ]
    dbn, dbm = "dbn-200-200-mnist", "dbm-200-200-mnist"
    return [
        *said,
        f"(`{dbn}`, {measured(dbn)['CPU seconds']} CPU seconds) has {bounds(dbn)} on the first 200 images, "
        f"on which the LRBN has {bounds(lrbn)}, the RBM {bounds(rbm)}",
        f"(`{dbm}`, {measured(dbm)['CPU seconds']} CPU seconds) {bounds(dbm)} (",
    ]


@pytest.mark.parametrize("name", list(LRBN_REPORTS))
def test_every_figure_in_the_first_words_of_a_report_is_that_of_its_source(name):
    words = " ".join(likeliest(name).split())
    for said in sentences_with_figures(name):
        assert said in words
        words = words.replace(said, "", 1)
    sizes = r"`[^`]+`|\b200-200\b|\bof 200 latents\b|\bnetwork of 200\b(?!-)"
    assert re.findall(r"[^ ]*\d[^ ]*", re.sub(sizes, "", words)) == [], "figures that no source holds"
