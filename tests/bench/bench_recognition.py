"""Time an epoch of a sigmoid belief network with a recognition network against its own dense products.

784 visibles and 200 latents in each layer, as published. The products are those of one step, in the shapes
and the order in which the step takes them, by NumPy's BLAS in single precision into arrays that are there
already, on one thread, as the step takes them. Of binary units that are rarely on, a step sums the listed
rows instead. Runs alternate, so that other load falls on both; the ratio is the median over rounds.

    python tests/bench/bench_recognition.py [--check] [--images 5000] [--rounds 5]
    python tests/bench/bench_recognition.py --train NVIL [--data mnist] [--passes 110] [--judged 500]

Mean field goes from latent to latent, which no dense product does. With the quadratic bound a visit counts as
the three products that have its multiplications: what its change does to activations, what is left of the
pixels, and the pixels' precision. The tilted bound is held against its exponentials alone, by NumPy; this is
printed and has no bound.

With --check the exit status is 1 if an epoch takes more than the bound times its products. With --train a
model of 200 latents learns thresholded images, and log P(x) of test images is estimated; settings and passes
were chosen on held-out training images of MNIST, on which passes are judged. On OCR letters NVIL of two
layers takes 250 passes.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rivals import DATA, Images, images_of

import lrbn_viz
from lrbn_viz.catalog import Kind
from lrbn_viz.kernels.numerics import one_blas_thread
from lrbn_viz.measure import log_likelihood
from lrbn_viz.rivals.sbn.mean_field import FieldSystem, MeanFieldSystem
from lrbn_viz.rivals.sbn.nvil import NVILSystem
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.rivals.sbn.system import NetworkSystem, RecognitionSystem
from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

N_H = 200
BATCH_SIZE = 100
BOUND = 1.5

SYSTEMS: dict[str, RecognitionSystem] = {
    "RWS, K = 5": RWSSystem(N_H),
    "RWS, K = 5, Adam": RWSSystem(N_H, optimiser="adam"),
    "RWS, K = 50, Adam": RWSSystem(N_H, optimiser="adam", n_particles=50),
    "VIMCO, K = 5": VIMCOSystem(N_H),
    "VIMCO, K = 50": VIMCOSystem(N_H, n_particles=50),
    "wake-sleep": WakeSleepSystem(N_H),
    "NVIL": NVILSystem(N_H),
    "RWS, K = 5, two layers": RWSSystem((N_H, N_H)),
    "VIMCO, K = 5, two layers": VIMCOSystem((N_H, N_H)),
    "wake-sleep, two layers": WakeSleepSystem((N_H, N_H)),
    "NVIL, two layers": NVILSystem((N_H, N_H)),
}
FIELDS: dict[str, FieldSystem] = {
    "mean field, tilted bound": MeanFieldSystem(N_H),
    "variational Bayes": VariationalBayesSystem(N_H),
    "variational Bayes, two layers": VariationalBayesSystem((N_H, N_H)),
}
PLAIN_STEPS: dict[str, Any] = {
    "optimiser": "momentum",
    "momentum": 0.0,
    "batch_size": 20,
    "learning_rate": 4.0,
    "learning_rate_end": 0.02,
}

RECIPES: dict[str, tuple[Any, dict[str, Any]]] = {
    "RWS": (
        Kind(lrbn_viz.RWS, 2),
        {"optimiser": "adam", "momentum": 0.9, "learning_rate": 0.004, "learning_rate_end": 0.0002},
    ),
    "NVIL": (
        lrbn_viz.NVIL,
        {
            "optimiser": "adam",
            "momentum": 0.9,
            "learning_rate": 0.003,
            "learning_rate_end": 0.0002,
            "recognition_rate": 1.0,
        },
    ),
    "VIMCO": (lrbn_viz.VIMCO, {"learning_rate": 0.003, "learning_rate_end": 0.0002}),
    "Two-layer RWS": (
        Kind(lrbn_viz.RWS, 2),
        {"optimiser": "adam", "momentum": 0.9, "learning_rate": 0.004, "learning_rate_end": 0.0002},
    ),
    "Two-layer NVIL": (
        Kind(lrbn_viz.NVIL, 2),
        {
            "optimiser": "adam",
            "momentum": 0.9,
            "learning_rate": 0.003,
            "learning_rate_end": 0.0002,
            "recognition_rate": 1.0,
        },
    ),
    "Mean field": (lrbn_viz.MeanFieldSBN, {**PLAIN_STEPS, "n_sweeps": 1}),
    "Variational Bayes": (lrbn_viz.VariationalBayesSBN, {**PLAIN_STEPS, "sparse": False}),
}


def epoch_here(system: NetworkSystem, X: NDArray[np.uint8]) -> float:
    """Return the seconds of one epoch of training, without the first state."""
    rng = np.random.default_rng(0)
    state = system.init(X, rng)
    start = time.perf_counter()
    for first in range(0, len(X), BATCH_SIZE):
        state, _ = system.step(state, X[first : first + BATCH_SIZE], rng)
    return time.perf_counter() - start


def epoch_of_products(system: RecognitionSystem, X: NDArray[np.uint8]) -> float:
    """Return the seconds of an epoch's dense products alone, of each layer in turn."""
    lowest = _products(system, len(X), BATCH_SIZE, X.shape[1], BATCH_SIZE * system.n_particles)
    # of an upper layer the images are the states that are drawn below it, one particle of each
    rows = BATCH_SIZE * system.n_particles
    return lowest + sum(_products(system, len(X), rows, N_H, rows) for _ in system.sizes[1:])


def _products(system: RecognitionSystem, n_images: int, n: int, n_v: int, rows: int) -> float:
    """Return the seconds of the products of one layer, with so many images of a minibatch and particles."""
    rng = np.random.default_rng(0)
    W, V, along = (rng.normal(0, 0.1, (n_v, N_H)).astype(np.float32) for _ in range(3))
    images = rng.integers(0, 2, (n, n_v)).astype(np.float32)
    dreams = rng.integers(0, 2, (BATCH_SIZE, n_v)).astype(np.float32)
    H = rng.integers(0, 2, (rows, N_H)).astype(np.float32)
    signal, z = (rng.integers(0, 2, (n, N_H)).astype(np.float32) for _ in range(2))
    dreamt, dreamt_z = (rng.integers(0, 2, (BATCH_SIZE, N_H)).astype(np.float32) for _ in range(2))
    U = (
        rng.normal(0, 0.1, (n_v, system.n_baseline)).astype(np.float32)
        if isinstance(system, NVILSystem)
        else None
    )
    units, along_U = np.empty((n, 0), np.float32), None
    if U is not None:
        units, along_U = np.empty((n, U.shape[1]), np.float32), np.empty_like(U)
    a, dreamt_a = np.empty((rows, n_v), np.float32), np.empty((BATCH_SIZE, n_v), np.float32)
    start = time.perf_counter()
    with one_blas_thread():
        for _ in range(0, n_images, BATCH_SIZE):
            np.matmul(images, V, out=z)
            np.matmul(H, W.T, out=a)
            np.matmul(a.T, H, out=along)
            if system.wakes:
                np.matmul(images.T, signal, out=along)
            if system.sleeps:
                np.matmul(dreamt, W.T, out=dreamt_a)
                np.matmul(dreams, V, out=dreamt_z)
                np.matmul(dreams.T, dreamt, out=along)
            if U is not None:
                np.matmul(images, U, out=units)
                np.matmul(images.T, units, out=along_U)
    return time.perf_counter() - start


def epoch_of_work(system: FieldSystem, X: NDArray[np.uint8]) -> float:
    """Return the seconds of an epoch's multiplications as dense products, or of its exponentials alone."""
    return sum(_work(system, len(X), n_v) for n_v in (X.shape[1], *(N_H for _ in system.sizes[1:])))


def _work(system: FieldSystem, n_images: int, n_v: int) -> float:
    """Return the seconds of one layer of so many units."""
    rng = np.random.default_rng(0)
    n, sweeps = BATCH_SIZE, system.n_sweeps
    images = rng.random((n, n_v), np.float32)
    W, along = (rng.random((n_v, N_H), np.float32) for _ in range(2))
    Q, a = rng.random((n, N_H), np.float32), np.empty((n, n_v), np.float32)
    start = time.perf_counter()
    with one_blas_thread():
        for _ in range(0, n_images, BATCH_SIZE):
            np.matmul(images, W, out=Q)
            np.matmul(images.T, Q, out=along)
            if isinstance(system, MeanFieldSystem):
                for _ in range(2 * sweeps + 2):  # sweeps, moments before each and at the end, the gradient
                    for image in images:
                        np.exp(np.multiply(W, image[0], out=along), out=along)
                continue
            # Mean activations; both parts of their variances, before each sweep and at the end; visits.
            for _ in range(1 + 2 * (sweeps + 1) + sweeps):
                np.matmul(Q, W.T, out=a)
            # Visits; what gamma has of the variances of weights.
            for _ in range(3 * sweeps):
                np.matmul(images, W, out=Q)
            for _ in range(3):
                np.matmul(images.T, Q, out=along)
    return time.perf_counter() - start


def train(
    method: str,
    data: Images,
    passes: int,
    n_judged: int,
    seconds: float | None = None,
    held_out: bool = False,
    changes: Mapping[str, Any] = MappingProxyType({}),
    checkpoint: Path | None = None,
) -> None:
    """Train by the best recipe that is known, and print its bounds on the way and its nats at the end."""
    kind, settings = RECIPES[method]
    model: Any = kind(N_H, **{"batch_size": BATCH_SIZE, **settings, **changes})
    training = Training(
        model.make_system(),
        data.train_X,
        n_iter=passes,
        batch_size=model.batch_size,
        rng=np.random.default_rng(0),
        validation=data.held_out,
        augment=data.augment,
    )
    spent = 0.0
    if checkpoint is not None and checkpoint.exists():
        found = load_checkpoint(checkpoint)
        training.restore(found.snapshot("run", training.state))
        spent = found.config["seconds"]
        model.adopt(training.state)
    began = time.process_time() - spent
    for state, event in training:
        figures = event.metrics
        if "validation_score" in figures:
            model.adopt(state)
            one = figures.get("validation_variational_bound")
            print(
                f"pass {event.epoch + 1}, {time.process_time() - began:.0f} CPU s: {kind.score_title} "
                f"{figures['validation_score']:.2f}"
                + ("" if one is None else f", of one particle {one:.2f}")
                + f", {figures['validation_wrong_pixels']:.1f} px",
                flush=True,
            )
            if checkpoint is not None:
                save_checkpoint(
                    checkpoint, {"run": training}, {"seconds": time.process_time() - began, "of": str(model)}
                )
        if seconds is not None and time.process_time() - began > seconds:
            break
    if held_out:
        X = data.held_out[:n_judged]
        print("held-out images:", log_likelihood(model, X, method="ais", n_temperatures=1000), flush=True)
        return
    X = data.test_X[:n_judged]
    print(log_likelihood(model, X, method="importance", n_samples=1000), flush=True)
    print(log_likelihood(model, X, method="ais", n_temperatures=1000, n_chains=4), flush=True)


def main() -> int:
    """Run the comparison and print it."""
    parser = argparse.ArgumentParser(description="Time recognition networks against their dense products.")
    parser.add_argument(
        "--check", action="store_true", help=f"exit with 1 above {BOUND:g} times the products"
    )
    parser.add_argument("--images", type=int, default=5000, help="images per epoch")
    parser.add_argument("--rounds", type=int, default=5, help="epochs of each, alternating")
    parser.add_argument("--train", choices=RECIPES, help="train this one, and estimate its nats")
    parser.add_argument("--data", choices=DATA, default="mnist", help="data set of --train")
    parser.add_argument("--passes", type=int, default=110, help="of --train")
    parser.add_argument(
        "--shifts", type=int, default=0, help="pixels by which training images are moved at most"
    )
    parser.add_argument("--mirror", action="store_true", help="mirror half of the training images")
    parser.add_argument("--judged", type=int, default=500, help="test images of --train, the first ones")
    parser.add_argument("--seconds", type=float, help="CPU seconds of --train, at most")
    parser.add_argument(
        "--held-out", action="store_true", help="judge --train on held-out images, to choose settings"
    )
    parser.add_argument("--checkpoint", type=Path, help="file that --train writes, and goes on from")
    parser.add_argument("--only", default="", help="time only systems whose name holds this")
    parser.add_argument("--set", nargs="*", default=[], help="other settings of --train, as name=number")
    options = parser.parse_args()
    if options.train:
        changes = {name: json.loads(value) for name, value in (each.split("=") for each in options.set)}
        how = (options.seconds, options.held_out, changes, options.checkpoint)
        data = images_of(options.data, options.shifts, options.mirror)
        train(options.train, data, options.passes, options.judged, *how)
        return 0

    train_X = lrbn_viz.load_dataset("mnist5k").train_X
    X = np.ascontiguousarray(np.resize(train_X, (options.images, train_X.shape[1])))
    print(f"{len(X)} images, {X.shape[1]} visibles, {N_H} latents in each layer, minibatches of {BATCH_SIZE}")
    slow = []
    for name, system in SYSTEMS.items():
        if options.only not in name:
            continue
        for run in (epoch_here, epoch_of_products):  # compiles, and wakes BLAS
            run(system, X[: 2 * BATCH_SIZE])
        times = [(epoch_here(system, X), epoch_of_products(system, X)) for _ in range(options.rounds)]
        here, products = np.median(times, axis=0)
        ratio = float(np.median([mine / alone for mine, alone in times]))
        print(f"{name}: epoch {here:.3f} s, its products {products:.3f} s: {ratio:.2f} times")
        if ratio > BOUND:
            slow.append(f"{name}: {ratio:.2f}")
    for name, field in FIELDS.items():
        if options.only not in name:
            continue
        for run in (epoch_here, epoch_of_work):
            run(field, X[: 2 * BATCH_SIZE])
        times = [(epoch_here(field, X), epoch_of_work(field, X)) for _ in range(options.rounds)]
        here, alone = np.median(times, axis=0)
        ratio = float(np.median([mine / other for mine, other in times]))
        tilted = isinstance(field, MeanFieldSystem)
        what = "exponentials" if tilted else "products"
        print(f"{name}: epoch {here:.3f} s, as many {what} alone {alone:.3f} s: {ratio:.2f} times")
        if ratio > BOUND and not tilted:
            slow.append(f"{name}: {ratio:.2f}")
    if slow and options.check:
        print(f"above the bound of {BOUND:g}: {', '.join(slow)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
