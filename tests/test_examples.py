"""Each public function and class has an example in its docstring, and the example says what happens."""

from __future__ import annotations

import doctest

import pytest

import lrbn_viz
from lrbn_viz import chunks, cluster, measure, notebook, plots

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
ROOMS = {"lrbn_viz": lrbn_viz, "measure": measure, "plots": plots, "notebook": notebook, "chunks": chunks}
"""All modules of the reference but `cluster`, whose example starts processes."""
NAMES = [(room, name) for room, module in ROOMS.items() for name in module.__all__]


def assert_the_example_runs(words: str | None, name: str) -> None:
    example = doctest.DocTestParser().get_doctest(words or "", {}, name, None, None)
    assert any(step.want for step in example.examples), f"{name} has no example that shows a result"
    assert not any(doctest.SKIP in step.options for step in example.examples), f"{name} skips its example"
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize(("room", "name"), NAMES)
def test_the_example_of_a_public_name_runs_and_gives_what_it_says(room, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))  # what comes with the package is enough
    assert_the_example_runs(getattr(ROOMS[room], name).__doc__, name)


@pytest.mark.slow
def test_the_example_of_the_cluster_runs_and_gives_what_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path))
    assert cluster.__all__ == ["Cluster"]
    assert_the_example_runs(cluster.Cluster.__doc__, "Cluster")


@pytest.mark.parametrize(
    "words", ["", "Words.", ">>> 1 + 1\n3", ">>> 1 + 1  # doctest: +SKIP\n2", ">>> x = 1"]
)
def test_an_example_that_is_missing_skipped_or_wrong_is_a_failure(words):
    with pytest.raises(AssertionError):
        assert_the_example_runs(words, "anything")
