"""Each public function and class has an example in its docstring, and the example says what happens."""

from __future__ import annotations

import doctest

import pytest

import lrbn_viz

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("name", lrbn_viz.__all__)
def test_the_example_of_a_public_name_runs_and_gives_what_it_says(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))  # what comes with the package is enough
    words = getattr(lrbn_viz, name).__doc__
    example = doctest.DocTestParser().get_doctest(words, {}, name, None, None)
    assert any(step.want for step in example.examples), f"{name} has no example that shows a result"
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)
