"""Check a visitor's run against the server's limits before it starts."""

from __future__ import annotations

from lrbn_viz.app.visitors.limits import Limits
from lrbn_viz.studies.runs import RunConfig
from lrbn_viz.studies.runs.estimate import estimate, layer_sizes


def excess(limits: Limits, config: RunConfig, n_v: int, n_images: int) -> dict[str, str]:
    """Return the limits that a run exceeds, in words, by the path of the form's field that can reduce it."""
    found: dict[str, str] = {}
    for number, lane in enumerate(config.lanes.values()):
        for name, units in layer_sizes(lane).items():
            if units > limits.units:
                found[f"{number}.{name}"] = limits.words("units", units)
    if n_images > limits.images:
        found["dataset"] = limits.words("images", n_images)
    taken = estimate(config, n_v, n_images)
    if taken.bytes / 2**20 > limits.run_mib:
        found.setdefault("0.n_components", limits.words("run_mib", taken.bytes / 2**20))
    if taken.seconds > limits.run_seconds:
        found["amount"] = limits.words("run_seconds", taken.seconds)
    return found
