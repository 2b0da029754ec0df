"""Train one rival for as many CPU seconds as a target allows, and print its nats as they rise.

    python tests/bench/bench_curve.py RBM [--data caltech101_silhouettes] [--seconds 900] [--every 60]

Held-out images choose: settings are the best of those that were tried on them, and of one run the parameters
with which they are likeliest are what is kept. After each so many CPU seconds of training the curve has the
nats of held-out and of as many training images. Judging takes no part of the budget. At the end the first
test images are judged once, between bounds. All seconds are the process's own, whatever else the machine
does; each step keeps to one thread, so that waiting for others costs none. AIS of an RBM errs upwards, the
bound of a deep Boltzmann machine as far as its log Z does.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rivals import DATA, Images, images_of, training_of

from lrbn_viz.catalog import SYSTEMS, load_model
from lrbn_viz.kernels.numerics import on_one_thread
from lrbn_viz.measure import bounded_log_likelihood, log_likelihood


class Curve(NamedTuple):
    """How a rival learns a data set, and how it is judged on the way."""

    passes: int
    """The learning rate reaches its end after these."""
    settings: dict[str, Any]
    judged_by: dict[str, Any]
    """What `log_likelihood` is asked for."""
    n_judged: int = 400
    """Held-out images, and training images: the first ones."""
    mirror: bool = True
    shifts: int = 0


_BY_Z: dict[str, Any] = {"method": "ais", "n_temperatures": 3000}
_BOLTZMANN: dict[str, Any] = {"batch_size": 100, "learning_rate_end": 0.001}
_ADAM: dict[str, Any] = {"optimiser": "adam", "momentum": 0.9, "batch_size": 100, "learning_rate_end": 0.0002}
_BY_AIS: dict[str, Any] = {"method": "ais", "n_temperatures": 500}
CALTECH: dict[str, Curve] = {
    "RBM": Curve(
        4000,
        {**_BOLTZMANN, "learning_rate": 0.05, "gradient": "enhanced", "n_particles": 100},
        _BY_Z,
        shifts=1,
    ),
    "DBN": Curve(
        3300,
        {
            **_BOLTZMANN,
            "n_top": 200,
            "learning_rate": 0.1,
            "first_share": 0.15,
            "up_down_share": 0.7,
            "n_particles": 200,
        },
        {"method": "importance", "n_samples": 100, "n_temperatures": 3000},
        shifts=1,
    ),
    "DBM": Curve(
        2000,
        {
            **_BOLTZMANN,
            "n_top": 200,
            "learning_rate": 0.1,
            "first_share": 0.2,
            "second_share": 0.1,
            "n_particles": 400,
            "weight_decay": 0.0002,
        },
        {"method": "variational", "n_temperatures": 3000},
        shifts=1,
    ),
    "NVIL": Curve(
        4000,
        {**_ADAM, "learning_rate": 0.01, "learning_rate_end": 0.0001, "centre_inputs": True},
        _BY_AIS,
        100,
    ),
    "RWS": Curve(80, {**_ADAM, "learning_rate": 0.004}, _BY_AIS, 100),
    "Wake-sleep": Curve(175, {**_ADAM, "learning_rate": 0.003}, _BY_AIS, 100),
    "VIMCO": Curve(100, {**_ADAM, "learning_rate": 0.003}, _BY_AIS, 100),
    "Two-layer RWS": Curve(60, {**_ADAM, "n_top": 200, "learning_rate": 0.004}, _BY_AIS, 100),
    "Two-layer wake-sleep": Curve(130, {**_ADAM, "n_top": 200, "learning_rate": 0.003}, _BY_AIS, 100),
    "Two-layer VIMCO": Curve(75, {**_ADAM, "n_top": 200, "learning_rate": 0.003}, _BY_AIS, 100),
}
"""By the system's key in the catalogue."""


def judge(model: Any, data: Images, curve: Curve) -> tuple[float, float]:
    """Return the mean nats of held-out and of training images."""
    n = min(curve.n_judged, len(data.held_out))
    X = np.concatenate([data.held_out[:n], data.train_X[:n]])
    values = log_likelihood(model, X, **curve.judged_by).values
    return float(values[:n].mean()), float(values[n:].mean())


def steps_of(training: Any) -> Iterator[Any]:
    """Make the steps of a run, each on one thread."""
    steps = iter(training)
    while True:
        with on_one_thread():
            step = next(steps, None)
        if step is None:
            return
        yield step


def learn(
    model: Any, data: Images, curve: Curve, seconds: float, every: float, keep: Path | None = None
) -> None:
    """Train, print the curve, and leave the model the parameters that held-out images like best.

    The file `keep` has the best so far at any time.
    """
    training = training_of(model.make_system(), model.batch_size, data, curve.passes)
    best, kept, spent, due = -np.inf, training.state, 0.0, every
    began = time.process_time()
    for state, _ in steps_of(training):
        done = spent + time.process_time() - began
        if done < due and done < seconds and not training.over:
            continue
        spent, due = done, due + every
        model.adopt(state)
        held_out, train = judge(model, data, curve)
        if held_out > best:
            best, kept = held_out, state
            if keep is not None:
                model.save(keep)
        print(
            f"{spent:.0f} CPU s, pass {training.passes:.0f}: held out {held_out:.2f} nats, training images "
            f"{train:.2f}",
            flush=True,
        )
        if spent >= seconds:
            break
        began = time.process_time()
    model.adopt(kept)


def measure(model: Any, X: NDArray, n_bracket: int, n_temperatures: int) -> None:
    """Print the nats of images, and bounds."""
    found = bounded_log_likelihood(model, X, n_bracket, n_temperatures=n_temperatures)
    print(f"{len(X)} test images: {found.estimate}, by {found.by}, {n_temperatures} temperatures")
    for bound, what in ((found.lower, found.lower_is), (found.upper, found.upper_is)):
        if bound is not None:
            print(f"    {bound:.2f}: {what}")


def main() -> None:
    """Train, and print figures on the way and at the end."""
    parser = argparse.ArgumentParser(description="Train a rival of 200 latents in each layer, and judge it.")
    parser.add_argument("system", choices=CALTECH, help="key of the catalogue")
    parser.add_argument("--data", choices=DATA, default=DATA[1], help="data set to learn")
    parser.add_argument("--seconds", type=float, default=900.0, help="CPU seconds of training at most")
    parser.add_argument("--every", type=float, default=60.0, help="CPU seconds between judgements")
    parser.add_argument("--passes", type=int, help="in the place of the preset's")
    parser.add_argument("--mirror", type=int, choices=(0, 1), help="whether half of the images are mirrored")
    parser.add_argument("--shifts", type=int, help="pixels by which training images are moved at most")
    parser.add_argument("--set", nargs="*", default=[], help="other settings, as name=number")
    parser.add_argument("--judged", type=int, default=0, help="test images, the first ones; 0: none")
    parser.add_argument("--bracket", type=int, default=100, help="images that the bounds' width is of")
    parser.add_argument("--temperatures", type=int, default=10_000, help="of test images")
    parser.add_argument("--keep", type=Path, help="file for the model; one that is there is judged as it is")
    options = parser.parse_args()

    curve = CALTECH[options.system]
    given = {name: getattr(options, name) for name in ("passes", "mirror", "shifts")}
    curve = curve._replace(**{name: value for name, value in given.items() if value is not None})
    changes = {name: json.loads(value) for name, value in (each.split("=") for each in options.set)}
    data = images_of(options.data, curve.shifts, bool(curve.mirror))
    face: Any = SYSTEMS[options.system]
    if options.keep is not None and options.keep.exists():
        model = load_model(options.keep)
    else:
        model = face(200, **{**curve.settings, **changes})
        learn(model, data, curve, options.seconds, options.every, options.keep)
    if options.judged:
        measure(model, data.test_X[: options.judged], options.bracket, options.temperatures)


if __name__ == "__main__":
    main()
