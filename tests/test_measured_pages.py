"""The documentation's tables are those of what was measured."""

from __future__ import annotations

import re

import pytest

from lrbn_viz.catalog import measured
from tests.measured_pages import PAGES, PLACE, TABLES, nats_of, written


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_the_tables_that_its_files_give(page):
    text = page.read_text(encoding="utf-8")
    assert PLACE.search(text)
    assert written(text) == text, "run python -m tests.measured_pages --write"


def test_each_table_stands_on_a_page():
    found = {place[2] for page in PAGES for place in PLACE.finditer(page.read_text(encoding="utf-8"))}
    assert found == TABLES.keys()


def test_nats_whose_bounds_are_far_apart_are_an_interval():
    near = {"value": -85.47, "low": -85.47, "high": -85.13}
    far = {"value": -75.09, "low": -77.63, "high": -75.09}
    open_ = {"value": -75.09, "low": -75.09, "high": None}
    assert nats_of(near) == ["-85.5", "-85.5", "-85.1"]
    assert nats_of(far) == ["between -77.6 and -75.1", "-77.6", "-75.1"]
    assert nats_of(open_) == ["about -75.1", "", ""]


def test_no_sentence_about_wrong_pixels_says_more_than_is_measured():
    """Each model stands with those that its own figures put it with."""
    lines = TABLES["beside_rbm"]().replace("\n  ", " ").splitlines()
    assert len(lines) == 3
    seen = 0
    for line in lines:
        limit = measured(line.split("`")[1])["wrong pixels"]["exact MAP"]
        for group in re.split(r"[.;] (?=Fewer|fewer|Not|not)", line)[1:]:
            for name in re.findall(r"`([\w-]+)` \(", group):
                counts = measured(name)["wrong pixels"]
                by_icm, annealed = counts["icm"] < limit, counts["annealed"] < limit
                true = "fewer by icm" if by_icm else "fewer by annealing only" if annealed else "not fewer"
                assert group.split(":")[0].lower() == true, name
                seen += 1
    assert seen >= 8
