"""The glossary on "?": every term that explains itself, each with its equation, by keys alone."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Page, expect
from ui.journeys import open_page, state

from lrbn_viz.io.glossary import EQUATIONS, TERMS


def test_the_help_leads_to_every_term_and_each_term_to_its_equation_by_keys(page: Page, serve_app, seen):
    open_page(page, f"{serve_app.url}?model=lrbn-12-digits&visit=5")
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Keyboard").get_by_role("button", name="glossary").focus()
    page.keyboard.press("Enter")
    glossary = page.get_by_role("dialog", name="Glossary")
    expect(glossary).to_be_visible()
    shown = glossary.locator("dl").evaluate(
        """(list) => [...list.querySelectorAll("dt")].map((term) => {
          const said = term.nextElementSibling, button = said.querySelector("button");
          return [term.dataset.word, term.textContent, said.firstChild.textContent, button?.textContent];
        })"""
    )
    assert [name for _, name, *_ in shown] == sorted((term.name for term in TERMS.values()), key=str.lower)
    for key, name, text, equation in shown:
        term = TERMS[key]
        assert (name, text) == (term.name, term.text)
        number = EQUATIONS[term.equation].number if term.equation else None
        assert equation == (f"equation {number}" if number and number[0].isdigit() else number)

    asked = {}
    equations = page.get_by_role("dialog", name="Equations")
    for number in range(sum(bool(each[3]) for each in shown)):
        if number:  # the first has the focus when the list opens
            page.keyboard.press("Tab")
        focused = page.evaluate(
            "() => lrbnPlayers[0].root.getRootNode().activeElement.getAttribute('aria-label')"
        )
        page.keyboard.press("Enter")
        expect(equations.locator("[data-asked]")).to_be_focused()
        asked[focused] = equations.locator("[data-asked] h3 b").text_content()
        page.keyboard.press("ArrowRight")  # is for the list, not for the trace below it
        page.keyboard.press("Escape")
        expect(equations).to_be_hidden()
        expect(glossary).to_be_visible()
    assert asked == {f"{name}: {equation}": equation for _, name, _, equation in shown if equation}
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(glossary).to_be_hidden()
    assert state(page)["k"] == 5
    seen.assert_clean()
