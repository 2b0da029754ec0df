"""The glossary: what Python reads of it is what pages show, and it names the paper's equations."""

from __future__ import annotations

import re
from pathlib import Path

from lrbn_viz.io.glossary import EQUATIONS, NAME, TERMS

ROOT = Path(__file__).resolve().parents[1]
INSIDE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WORDS = ("explain-away", "icm", "sweep", "visit", "nats", "conditional", "theorem", "lrbn")
BARS = ("prior", "evidence", "alone", "others", "log-odds")


def numbers(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\d+", text)}


def test_every_term_says_what_it_means_and_leads_to_an_equation_of_the_list():
    assert {*WORDS, *BARS} <= TERMS.keys()
    for key, term in TERMS.items():
        assert term.name, key
        assert 40 < len(term.text) < 260, key
        assert term.text.endswith("."), key
        assert term.equation is None or term.equation in EQUATIONS, key
    assert all(TERMS[key].equation for key in (*WORDS, *BARS))
    assert NAME in TERMS["lrbn"].name


def test_the_equations_that_the_architecture_gives_a_home_are_in_the_list():
    rows = re.findall(r"^\| ([\d, ]+) \| .* \| `[\w.]+` \|$", INSIDE, re.MULTILINE)
    homes = set().union(*map(numbers, rows))
    assert len(homes) > 15
    listed = [equation for equation in EQUATIONS.values() if equation.number[0].isdigit()]
    assert homes <= set().union(*(numbers(equation.number) for equation in listed))
    first = [int(equation.number.split(",")[0]) for equation in listed]
    assert first == sorted(first), "in the paper's order"


def test_what_inference_and_starts_are_called_in_addresses_is_explained():
    from lrbn_viz.catalog import SYSTEMS

    for system in (kind.model for kind in SYSTEMS.values()):
        assert system.trace_methods.keys() <= TERMS.keys()
    assert {"conditional", "paper"} <= SYSTEMS["LRBN"].model.starts.keys() & TERMS.keys()


def test_the_javascript_names_no_term_that_is_not_there():
    """Those that it computes are held to the glossary where they are computed."""
    scripts = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lrbn_viz").rglob("*.js"))
    named = set(re.findall(r'glossary\.word\("([\w-]+)"', scripts))
    assert named >= {"theorem", "nats", "visit", "sweep", "explain-away"}
    assert named <= TERMS.keys()
