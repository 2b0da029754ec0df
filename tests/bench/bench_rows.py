"""Train one row of `lrbn-viz reproduce` for its CPU seconds with other settings, and judge held-out images.

    python tests/bench/bench_rows.py caltech RBM-4000 [--seconds 30] [--set learning_rate=0.005 batch_size=20]

What a row learns with is chosen by this: it is trained as the command trains it, and held-out images are
judged, never test images. Annealing errs upwards where log Z is annealed, RAISE downwards: of settings that
leave these far apart both figures count.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from lrbn_viz.datasets import load_dataset
from lrbn_viz.measure import bounded_log_likelihood
from lrbn_viz.studies.reproduce.plan import cases
from lrbn_viz.studies.reproduce.recipes import DATASETS
from lrbn_viz.studies.reproduce.split import split
from lrbn_viz.studies.reproduce.systems import SETTINGS_BY_SIZE
from lrbn_viz.studies.reproduce.timed import plan_for, run_of, spend


def main() -> None:
    """Train, and print what it took and what held-out images have."""
    parser = argparse.ArgumentParser(description="Try settings of one row of a report on held-out images.")
    parser.add_argument("data", choices=DATASETS, help="data set, by the command's name")
    parser.add_argument("row", help='row of the report, such as "RBM-4000"')
    parser.add_argument("--seconds", type=float, default=30.0, help="CPU seconds of training")
    parser.add_argument("--set", nargs="*", default=[], help="settings, as name=value")
    parser.add_argument("--seed", type=int, default=0, help="of the training")
    parser.add_argument("--judged", type=int, default=100, help="held-out images, the first ones")
    parser.add_argument("--bracket", type=int, default=20, help="images that the bounds' width is of")
    parser.add_argument("--temperatures", type=int, default=300, help="of the annealing")
    options = parser.parse_args()

    wanted = [case for case in cases(options.data, False, ["threshold"]) if case.row == options.row]
    if not wanted:
        parser.error(f"{options.data} has no row {options.row}")
    (case,) = wanted
    key = (case.system, options.data, case.sizes)
    given = {name: json.loads(value) for name, value in (each.split("=") for each in options.set)}
    SETTINGS_BY_SIZE[key] = SETTINGS_BY_SIZE.get(key, {}) | given
    data = split(load_dataset(DATASETS[options.data]))
    planned = plan_for(case, options.data, data, options.seconds, options.seed)
    run: Any = run_of(case, options.data, data, planned, options.seed)
    *_, spent = spend(run, options.seconds)
    print(f"{given}: {planned['passes']} passes, {spent:.1f} CPU s, {run.progress:.0%} done", flush=True)
    began, X = time.process_time(), data.validation_X[: options.judged]
    found = bounded_log_likelihood(
        run.model(), X, options.bracket, n_temperatures=options.temperatures, random_state=0
    )
    took = time.process_time() - began
    print(
        f"    {len(X)} held-out images: {found.estimate.mean:.2f} nats, from {found.lower:.2f} to "
        f"{found.upper:.2f}, {options.temperatures} temperatures, judged in {took:.0f} CPU s",
        flush=True,
    )


if __name__ == "__main__":
    main()
