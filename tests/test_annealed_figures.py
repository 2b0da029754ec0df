"""Wrong pixels over sweeps of annealing: what is measured, stored, and left for the next time."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from lrbn_viz import pretrained
from lrbn_viz.catalog import annealed_points, measured
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.measure import reconstruction_error
from tools.weights import annealed, measure
from tools.weights.train import images

NAME = "lrbn-12-digits"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys) -> Any:
    """The command, with a file of its own in which nothing but the first mean is known."""
    found = dict(measured(NAME))
    whole = {"wrong pixels": found["annealed"][str(ANNEALED_SWEEPS)]["wrong pixels"], "standard error": None}
    found["annealed"] = {str(ANNEALED_SWEEPS): {**whole, "images": found["wrong pixels"]["images"]}}
    path = tmp_path / "measured.json"
    path.write_text(json.dumps({"models": {NAME: found, "rbm-12-digits": measured("rbm-12-digits")}}))
    monkeypatch.setattr(measure, "PATH", path)

    def command(*options: str) -> tuple[dict[str, Any], str]:
        monkeypatch.setattr("sys.argv", ["annealed", NAME, *options])
        annealed.main()
        return json.loads(path.read_text())["models"], capsys.readouterr().out

    return command


def test_a_mean_of_all_images_and_the_change_on_some_give_the_mean_after_more_sweeps():
    """The estimate is unbiased, and as far off as its standard error says."""
    rng = np.random.default_rng(0)
    n_test, n, repeats = 400, 40, 400
    found = []
    for _ in range(repeats):
        before = rng.gamma(4.0, 3.0, n_test)
        after = 0.8 * before + rng.normal(0.0, 1.0, n_test)
        found.append(annealed.point(float(before.mean()), before[:n], after[:n], n_test))
    means, errors = (np.array([each[key] for each in found]) for key in ("wrong pixels", "standard error"))
    assert means.mean() == pytest.approx(0.8 * 12.0, abs=4 * means.std() / repeats**0.5)
    assert errors.mean() == pytest.approx(means.std(ddof=1), rel=0.15)
    alone = after[:n].std(ddof=1) / n**0.5
    assert errors.mean() < 0.6 * alone, "fewer images would be needed without the mean of all"


def test_of_all_images_it_is_their_mean_and_its_standard_error():
    before, after = np.array([3, 5, 4, 8]), np.array([2, 5, 3, 6])
    found = annealed.point(99.0, before, after, 4)
    assert found == {"wrong pixels": 4.0, "standard error": round(after.std(ddof=1) / 2, 4), "images": 4}


def test_each_point_is_stored_and_the_same_command_goes_on_where_it_was_stopped(run, monkeypatch):
    first, said = run("--sweeps", "200", "30", "--images", "12", "--plan")
    assert "2 points are missing" in said
    assert list(first[NAME]["annealed"]) == ["200"]
    _, _, X = images("digits")
    few = X[:12]
    before, after = (
        reconstruction_error(pretrained(NAME), few, method="annealed", n_sweeps=n) for n in (200, 30)
    )

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        real = annealed.measure
        patched.setattr(
            annealed, "measure", lambda todo, *rest: stopped() if todo.sweeps == 200 else real(todo, *rest)
        )
        with pytest.raises(KeyboardInterrupt):
            run("--sweeps", "200", "30", "--images", "12")
    models, said = run("--sweeps", "200", "30", "--images", "12")
    assert said.count(" sweeps: {") == 2, "each point is measured once, by one of both commands"
    points = models[NAME]["annealed"]
    known = first[NAME]["annealed"]["200"]["wrong pixels"]
    assert list(points) == ["30", "200"]
    expected = annealed.point(known, before, after, len(X))
    assert {key: points["30"][key] for key in expected} == expected
    assert points["200"]["wrong pixels"] == known
    assert points["200"]["standard error"] == pytest.approx(before.std(ddof=1) / len(X) ** 0.5, abs=1e-4)
    assert (points["200"]["images"], points["30"]["images"]) == (len(X), 12)
    assert annealed_points(models[NAME])[30] == (expected["wrong pixels"], expected["standard error"])
    assert models["rbm-12-digits"] == measured("rbm-12-digits"), "other models stay as they are"
    _, said = run("--sweeps", "200", "30", "--images", "12")
    assert said.startswith("0 points are missing")
    _, said = run("--sweeps", "200", "30", "--images", "13", "--plan")
    assert said.startswith("2 points are missing"), "more images are another measurement"


def test_a_number_of_images_that_gives_no_standard_error_is_refused(run, capsys):
    with pytest.raises(SystemExit):
        run("--images", "1")
    assert "expected at least 2 images" in capsys.readouterr().err


def test_every_model_that_can_be_annealed_has_its_first_point_of_all_test_images():
    for name in annealed.can_anneal():
        found = measured(name)
        first = found["annealed"][str(ANNEALED_SWEEPS)]
        assert first["images"] == found["wrong pixels"]["images"]
        assert list(found["annealed"]) == sorted(found["annealed"], key=int)
        for point in found["annealed"].values():
            assert point["images"] <= first["images"]
            assert point["standard error"] is None or point["standard error"] >= 0
    assert set(annealed.can_anneal()) >= {"lrbn-200-mnist-flat", "rws-200-mnist"}
