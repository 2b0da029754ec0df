"""Every system trains live beside any other, as the form of the Train page makes them, and at its bounds."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from covering import cover, pairs_for_the_gate

from lrbn_viz import load_dataset
from lrbn_viz.app.train.blocks import run_block
from lrbn_viz.app.train.form import UNITS, form_fields
from lrbn_viz.app.train.form_state import FormState
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import Integer
from lrbn_viz.studies.runs import Run, RunConfig
from lrbn_viz.studies.runs.registry import LiveRun
from lrbn_viz.view.player.wire import unpack

BATCH = 250
SMALL = {"n_components": "3", "n_top": "2", "n_sample_sweeps": "2", "n_particles": "3"}
"""Where a form has them: what a run costs, beside its steps, is its probes."""


def typed(*systems: str) -> RunConfig:
    """The run that the form means once these systems are chosen in it, with stages that all come at once."""
    form = FormState()
    form.choose_preset("small")
    form.edit("budget", "passes")
    for lane, system in enumerate(systems):
        form.edit(f"{lane}.system", system)
        for name, text in SMALL.items():
            form.edit(f"{lane}.{name}", text)
        for name in form.form.lanes[lane].texts:
            if name.endswith("_share"):
                form.edit(f"{lane}.{name}", "0.33")
    form.edit("batch_size", str(BATCH))
    form.edit("amount", "1")
    assert not form.messages
    return form.config()


def trained(config: RunConfig) -> Run:
    run = Run(config, load_dataset("digits"), probe_seconds=1000.0, checkpoint_seconds=1000.0)
    run.start()
    assert run.job.join(240)
    assert run.job.status == "done", run.job.error
    return run


def arrays(run: Run, lane: int) -> dict[str, Any]:
    training = list(run.lanes.values())[lane].training
    return training.system.parameters(training.state)


KNOWN: dict[str, dict[str, Any]] = {}


def alone(config: RunConfig, name: str) -> dict[str, Any]:
    """What a lane's model learns with none beside it; made when first asked for."""
    only = replace(config, lanes={name: config.lanes[name]})
    key = repr(config.lanes[name])
    if key not in KNOWN:
        KNOWN[key] = arrays(trained(only), 0)
    return KNOWN[key]


def at_the_bounds(system: str) -> FormState:
    """A form with one model of the largest sizes that its fields take."""
    form = FormState()
    form.choose_preset("small")
    form.edit("budget", "passes")
    form.edit("1.system", "none")
    form.edit("0.system", system)
    fields = form_fields(system)
    for name in UNITS:
        if isinstance(field := fields.get(name), Integer):
            form.edit(f"0.{name}", str(field.form_most))
    return form


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_is_taken_at_the_forms_bounds_or_it_is_said_why_not(system):
    form = at_the_bounds(system)
    if "n_top" in form_fields(system):
        assert form.messages.keys() == {"0.n_top"}
        assert "expected at most 30,000,000 weights in a model, got 100,640,000" in form.messages["0.n_top"]
        with pytest.raises(ValueError, match="take fewer latent units"):
            form.config()
        form.edit("0.n_top", "100")
    assert not form.messages
    (lane,) = form.config().lanes.values()
    assert lane.settings["n_components"] == 10_000


# One of each: what would fail at these sizes is an array too large, and each layer's are alike.
STARTING = cover(
    SYSTEMS,
    lambda name: (
        ("layers", SYSTEMS[name].model.several_layers),
        ("factorised", SYSTEMS[name].model.factorised),
    ),
)


@pytest.mark.parametrize(
    "system", [pytest.param(name, marks=() if name in STARTING else pytest.mark.slow) for name in SYSTEMS]
)
def test_a_system_starts_at_the_forms_bounds(system):
    form = at_the_bounds(system)
    if form.messages:
        form.edit("0.n_top", "100")  # nobody can wait for more in a test
    for name in ("n_sample_sweeps", "n_particles"):
        form.edit(f"0.{name}", SMALL[name])
    assert not form.messages
    run = Run(form.config(), load_dataset("digits"))
    run.advance(1)
    end = time.monotonic() + 300
    while run.job.status == "running":
        assert time.monotonic() < end
        time.sleep(0.01)
    (lane,) = run.lanes.values()
    assert (lane.error, lane.training.step) == (None, 1)
    run.stop()


@pytest.mark.parametrize(("left", "right"), pairs_for_the_gate(SYSTEMS))
def test_a_system_learns_beside_any_other_what_it_learns_alone(left, right):
    config = typed(left, right)
    run = trained(config)
    for lane, (name, record) in enumerate(run.lanes.items()):
        assert record.error is None
        assert record.training.step == math.ceil(len(record.training.X) / BATCH) >= 4
        assert len(record.probe.pictures) == len(record.training.system.picture_rows)
        for part, array in alone(config, name).items():
            np.testing.assert_array_equal(arrays(run, lane)[part], array)
    meta, sent = unpack(run_block(LiveRun("pair", run), {}))
    assert [lane["system"] for lane in meta["lanes"]] == [left, right]
    assert len({lane["title"] for lane in meta["lanes"]}) == 2
    assert sent["0.filters"].shape == sent["1.filters"].shape == (3, 64)
