"""The recipe for conda-forge asks for what pyproject.toml asks for, and is of this version."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import lrbn_viz

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RECIPE = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
NAMES = {"matplotlib-base": "matplotlib", "prometheus_client": "prometheus-client"}
"""Packages that have another name there."""


def test_it_asks_for_the_same_packages_of_the_same_versions():
    asked = [
        re.sub(r"^[\w-]+", lambda found: NAMES.get(found[0], found[0]), one)
        for one in RECIPE["requirements"]["run"]
    ]
    expected = [one.replace(">=", " >=") for one in PROJECT["dependencies"]]
    assert asked == [f"python {PROJECT['requires-python']}", *expected]


def test_it_is_of_this_version_and_has_the_same_command():
    assert RECIPE["context"] == {"name": PROJECT["name"], "version": lrbn_viz.__version__}
    (command,) = RECIPE["build"]["python"]["entry_points"]
    assert dict([command.split(" = ")]) == PROJECT["scripts"]
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert RECIPE["build"]["noarch"] == "python"
