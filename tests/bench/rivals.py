"""Images that the benches of rivals train on, choose settings on, and measure; options that they share."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import lrbn_viz
from lrbn_viz.studies.reproduce.augment import Augmentation
from lrbn_viz.training import Training
from tools.weights.train import images

DATA = ("mnist", "caltech101_silhouettes", "ocr_letters")
N_HELD_OUT = 1000


class Images(NamedTuple):
    """Images of a data set, (n, n_v) uint8 in {0, 1}, and how the first ones are changed at every visit."""

    train_X: NDArray[np.uint8]
    held_out: NDArray[np.uint8]
    test_X: NDArray[np.uint8]
    augment: Augmentation | None


def images_of(name: str, shifts: int = 0, mirror: bool = False) -> Images:
    """Return the images of a data set; the last 1,000 training images of MNIST are held out.

    Of the other data sets a tenth of the training images, at most 2,000, drawn at random as for the shipped
    models.
    """
    data = lrbn_viz.load_dataset(name)
    augment = Augmentation(data.image_shape, shifts, mirror) if shifts or mirror else None
    if name == "mnist":
        X = data.train_X
        return Images(X[:-N_HELD_OUT], X[-N_HELD_OUT:], data.test_X, augment)
    return Images(*images(name), augment)


class Preset(NamedTuple):
    """How a rival learns a data set."""

    passes: int
    settings: dict[str, Any]
    bound: float
    """Nats of test images to reach."""
    shifts: int = 0
    """Pixels by which training images are moved at most."""
    mirror: bool = False
    """Whether half of them are mirrored."""


def add_options(parser: argparse.ArgumentParser, judged: int = 500) -> None:
    """Add the options that all of these benches have."""
    parser.add_argument("--data", choices=DATA, default="mnist", help="data set to learn")
    parser.add_argument("--passes", type=int, help="in the place of the preset's")
    parser.add_argument("--shifts", type=int, help="pixels by which training images are moved at most")
    parser.add_argument("--mirror", type=int, choices=(0, 1), help="whether half of them are mirrored")
    parser.add_argument("--judged", type=int, default=judged, help="test images, the first ones; 0: none")
    parser.add_argument("--every", type=int, default=1, help="judge held-out images after so many passes")
    parser.add_argument("--set", nargs="*", default=[], help="other settings, as name=number")


def chosen(options: argparse.Namespace, preset: Preset) -> Preset:
    """Return the preset with what the command line says in its place."""
    changes = {name: json.loads(value) for name, value in (each.split("=") for each in options.set)}
    given = {name: getattr(options, name) for name in ("passes", "shifts", "mirror")}
    given = {name: value for name, value in given.items() if value is not None}
    return preset._replace(settings={**preset.settings, **changes}, **given)


def training_of(system: Any, batch_size: int, data: Images, passes: int) -> Training[Any]:
    """Return the run of a preset."""
    return Training(
        system,
        data.train_X,
        n_iter=passes,
        batch_size=batch_size,
        rng=np.random.default_rng(0),
        augment=data.augment,
    )


def judged(training: Training[Any], every: int, held_out: NDArray) -> Iterator[tuple[Any, float]]:
    """Train; yield what is known of held-out images after each so many passes, and after the last.

    Yields
    ------
    figures : dict
        As the system's ``validate`` and ``estimate`` name them.
    seconds : float
        CPU seconds so far, without what judging took.
    """
    spent, began = 0.0, time.process_time()
    for state, _ in training:
        if training.over or (training.passes.is_integer() and training.passes % every == 0):
            spent += time.process_time() - began
            rng = np.random.default_rng(1)
            system: Any = training.acting
            found = system.validate(state, held_out, rng) | system.estimate(state, held_out, rng)
            yield found, spent
            began = time.process_time()
