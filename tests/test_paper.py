"""The paper on the software: its form, its references, its figures, and what it says of measurements."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from lrbn_viz.catalog import PRETRAINED, measured
from lrbn_viz.studies.reproduce.reported import GOALS
from tests.measured_pages import DATASETS, PLACE, REPORTS, pixels_of, systems_of

PAPER = Path(__file__).resolve().parents[1] / "paper"
TEXT = (PAPER / "paper.md").read_text(encoding="utf-8")
BIBLIOGRAPHY = (PAPER / "paper.bib").read_text(encoding="utf-8")
_, HEAD, BODY = TEXT.split("---\n", 2)


def test_its_head_has_the_fields_that_the_journal_asks_for():
    head = yaml.safe_load(HEAD)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} <= head.keys()
    assert head["bibliography"] == "paper.bib"
    assert {each["affiliation"] for each in head["authors"]} <= {
        each["index"] for each in head["affiliations"]
    }


def test_its_sections_are_those_of_the_journal_and_it_is_not_too_long():
    headings = re.findall(r"^# (.+)$", BODY, re.MULTILINE)
    assert headings[:4] == ["Summary", "Statement of need", "State of the field", "Software design"]
    assert headings[-1] == "References"
    words = len(PLACE.sub("", BODY).split())
    assert 500 < words < 1_000


def test_each_reference_is_cited_and_each_citation_has_its_reference():
    cited = set(re.findall(r"@(\w+)", BODY))
    assert cited == set(re.findall(r"^@\w+\{(\w+),$", BIBLIOGRAPHY, re.MULTILINE))
    entries = re.split(r"^@", BIBLIOGRAPHY, flags=re.MULTILINE)[1:]
    for entry in entries:
        assert {"author", "title", "year"} <= set(re.findall(r"^  (\w+) = \{", entry, re.MULTILINE)), entry


def test_each_figure_exists_and_is_referred_to():
    figures = re.findall(r"^!\[.+\\label\{(fig:\w+)\}\]\((.+)\)$", BODY, re.MULTILINE)
    assert len(figures) == 2
    for label, path in figures:
        assert (PAPER / path).stat().st_size > 10_000
        assert f"\\autoref{{{label}}}" in BODY


def test_its_text_holds_no_figure_but_those_of_the_table():
    """Numbers with digits after the point come from the stored measurements alone."""
    assert re.findall(r"\d+\.\d+", PLACE.sub("", BODY)) == []


def lrbns(title: str) -> list[str]:
    return [name for name, info in systems_of(DATASETS[title]).items() if info.system.endswith("LRBN")]


def test_the_cell_that_was_not_reproduced_is_the_one_that_is_named():
    met = {}
    for title in DATASETS:
        pixels, nats = GOALS[REPORTS[title]].together
        both = []
        for name in lrbns(title):
            _, _, annealed = pixels_of(name)
            both.append((annealed is not None and annealed <= pixels, measured(name)["nats"]["low"] >= nats))
        met[title] = any(one and other for one, other in both)
        assert any(one for one, _ in both)
        assert any(other for _, other in both)
    assert met == {"MNIST": True, "Caltech": False, "OCR letters": True}
    assert "On Caltech 101 silhouettes no model that we trained reached" in " ".join(BODY.split())


def test_what_it_says_of_likelihoods_beside_an_rbm_is_measured():
    def bounds(name: str) -> tuple[float, float]:
        found = measured(name)["nats"]
        return found["low"], found["value"] if found["high"] is None else found["high"]

    likelier = {}
    for title, dataset in DATASETS.items():
        (rbm,) = [n for n, info in PRETRAINED.items() if info.dataset == dataset and info.system == "RBM"]
        low, high = bounds(rbm)
        others = [bounds(name) for name in lrbns(title)]
        likelier[title] = all(low > other for _, other in others)
        assert likelier[title] or any(other > high for other, _ in others)
    assert likelier == {"MNIST": True, "Caltech": False, "OCR letters": True}
