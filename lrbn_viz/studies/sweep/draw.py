"""Choice of the combinations of a space that are tried, by Optuna's samplers.

Its pruner for successive halving decides as results arrive, so that it depends on how fast workers are; rungs
are therefore waited for in :mod:`lrbn_viz.studies.sweep.run`. Only who imports this module needs ``optuna``.
"""

from __future__ import annotations

import json
from typing import Any

from lrbn_viz.core.extras import missing_extra
from lrbn_viz.studies.sweep.space import Axis, Space

try:
    import optuna
except ModuleNotFoundError as missing:
    raise missing_extra("cluster", "a sweep needs", missing) from missing

_TRIES = 1000
"""Draws without a new combination after which a space is taken to have no more."""


def drawn(space: Space) -> list[dict[str, Any]]:
    """Return the settings of all trials, by their numbers; no two are equal.

    Raises
    ------
    ValueError
        The space has not as many combinations as were asked for.
    """
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    try:
        return _drawn(space)
    finally:
        optuna.logging.set_verbosity(verbosity)


def _drawn(space: Space) -> list[dict[str, Any]]:
    axes = space.axes
    if space.method == "grid":
        places = {name: list(range(len(axis.choices))) for name, axis in axes.items()}
        sampler: Any = optuna.samplers.GridSampler(places, seed=space.seed)
        n = int(space.size)
    else:
        sampler, n = optuna.samplers.RandomSampler(seed=space.seed), space.trials or 0
    study = optuna.create_study(sampler=sampler)
    distributions = {name: _distribution(axis) for name, axis in axes.items()}
    found: dict[str, dict[str, Any]] = {}
    tries = 0
    while len(found) < n:
        params = study.ask(distributions).params
        settings = {
            name: axis.choices[params[name]] if axis.choices else params[name] for name, axis in axes.items()
        }
        tries = 0 if found.setdefault(json.dumps(settings), settings) is settings else tries + 1
        if tries > _TRIES:
            raise ValueError(
                f"trials is {n}, but only {len(found)} combinations were found in {tries:,} more draws, and "
                'none is tried twice; take fewer, or method = "grid".'
            )
    return list(found.values())


def _distribution(axis: Axis) -> Any:
    if axis.choices:  # by their places: Optuna takes no lists
        return optuna.distributions.CategoricalDistribution(range(len(axis.choices)))
    if axis.whole:
        return optuna.distributions.IntDistribution(int(axis.low), int(axis.high), log=axis.log)
    return optuna.distributions.FloatDistribution(axis.low, axis.high, log=axis.log)
