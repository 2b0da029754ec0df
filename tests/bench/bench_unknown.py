"""What it costs, and what it is worth, that an LRBN takes pixels that are not known (NaN).

    python tests/bench/bench_unknown.py [--only speed bars findings digits halves] [--check]

speed: CPU time on one thread of inference of 600 digits, and of the same with half of the pixels not known;
the same, unchecked, for random models of both kinds and several sizes.
bars: 24 units learn from bars, and from bars of which 30 % of the pixels are not known; how many are found.
findings: 12 units learn from the table of findings, whole and with 20 % of the cells missing; how many of the
six illnesses are found, and the cosine of each one's weights with those that drew the data.
digits: log P of whole held-out digits by models that learned from whole ones, from digits of which a third of
the pixels was not known, and from these with the unknown pixels off.
halves: wrong pixels of the lower half of 1,000 test digits, filled in from the upper one.
With --check the exit status is 1 if a bound is broken. Where less is known, latents are less sure, and
sampling flips more of them: the flips of Gibbs sampling are printed.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numba import set_num_threads
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from threadpoolctl import threadpool_limits

from lrbn_viz import LRBN, load_dataset, pretrained
from lrbn_viz.lrbn.batch_kernel import infer_batch
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.measure import log_likelihood

MOST_SLOWER = 1.15
"""Largest ratio of the time of inference of half-known images to that of whole ones."""
MOST_SEARCHED = 1.05
"""Largest ratio of the time of inference of whole images that could have unknown pixels to that of bytes."""
LEAST_WEIGHT = 2.0
"""Nats by which a unit turns on the pixels that it draws."""
LEAST_COSINE = 0.8
"""Cosine of the weights of a unit with those of a cause, from which on the cause is found."""
CAUSES: dict[str, Any] = {
    "nonnegative": True,
    "e_step": "gibbs",
    "init": "zeros",
    "learning_rate": 1.0,
    "learning_rate_end": 0.02,
    "average": 0.3,
    "n_iter": 40,
    "patience": None,
}
"""Settings by which causes that only add are learned: those of the recipe for strokes, from a table."""
REPETITIONS = 9
N_IMAGES = 600
N_TRACES = 20
N_HALVES = 1000
N_DRAWS = 30
N_MEASURED = 200


def hidden(X: NDArray, share: float, seed: int = 0) -> NDArray[np.float64]:
    """Return images of which a share of the pixels, drawn for each, is not known."""
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def least_seconds(*calls: Callable[[], Any]) -> list[float]:
    """Return the least CPU time of each call, made in turn, after one of each that compiles."""
    for call in calls:
        call()
    seconds = []
    for _ in range(REPETITIONS):
        for call in calls:
            begun = time.process_time()
            call()
            seconds.append(time.process_time() - begun)
    return np.reshape(seconds, (REPETITIONS, len(calls))).min(axis=0).tolist()


def print_ratios(name: str, seconds: list[float]) -> list[float]:
    """Print the time of whole images and, for each other one, its ratio to that; return the ratios."""
    ratios = [other / seconds[0] for other in seconds[1:]]
    print(f"{name:36} {1e6 * seconds[0]:10.1f} {' '.join(f'{ratio:12.2f}' for ratio in ratios)}", flush=True)
    return ratios


def speed() -> bool:
    """Compare inference of whole and of half-known images."""
    set_num_threads(1)
    model, X = pretrained("lrbn-200-mnist-learned"), load_dataset("mnist5k").train_X[:N_IMAGES]
    whole, half = X.astype(np.float64), hidden(X, 0.5)
    print(
        f"{'lrbn-200-mnist-learned, one thread':36} {'us an image':>10} {'half known':>12} {'in bytes':>12}"
    )
    rows: dict[str, dict[str, Any]] = {
        "ICM": {},
        "annealed, 20 sweeps": {"method": "annealed", "n_sweeps": 20},
        "Gibbs, 20 sweeps": {"method": "gibbs", "n_sweeps": 20},
    }
    with threadpool_limits(1):
        ratios = [
            print_ratios(
                name,
                [
                    seconds / N_IMAGES
                    for seconds in least_seconds(*(partial(model.infer, Z, **how) for Z in (whole, half, X)))
                ],
            )
            for name, how in rows.items()
        ]
        traces = [partial(trace_all, model, Z[:N_TRACES]) for Z in (whole, half, X)]
        ratios.append(print_ratios("traces of ICM", [t / N_TRACES for t in least_seconds(*traces)]))
        slower, searched = (max(column) for column in ((r[0] for r in ratios), (1 / r[1] for r in ratios)))
        speed_by_size()
    flips = [
        infer_batch(
            model.layers[0], "bernoulli", prepare_params(model.layers[0], "bernoulli"), Z, "zeros",
            np.ones(20), 0, np.random.default_rng(0),
        ).flips.mean()
        for Z in (whole, half)
    ]  # fmt: skip
    print(f"flips of an image in 20 sweeps of Gibbs sampling: {flips[0]:.0f} and {flips[1]:.0f}")
    print(f"largest ratio of half-known images to whole ones: {slower:.2f}; bound {MOST_SLOWER}")
    print(f"largest of whole images that may be unknown to bytes: {searched:.2f}; bound {MOST_SEARCHED}")
    return slower <= MOST_SLOWER and searched <= MOST_SEARCHED


def trace_all(model: LRBN, X: NDArray, **how: Any) -> None:
    """Record the inference of each image by itself."""
    for x in X:
        model.map_trace(x, **how)


def speed_by_size() -> None:
    """Print the same for random models of both kinds and several sizes.

    Half-known images take more or fewer sweeps of ICM than whole ones; both numbers are printed. Gaussian
    units that are all known need no pixel in a visit, by a matrix ``W'W`` that all images share. Images that
    have each a pattern of their own cannot share one: a visit then takes a product over all pixels, and
    images of 784 pixels several times as long.
    """
    print(f"{'random models, a pattern of pixels:':36} {'us an image':>10} {'of each':>12} {'of all':>12}")
    for kind, n_v, n_h in itertools.product(("bernoulli", "gaussian"), (64, 784), (30, 200, 400)):
        rng = np.random.default_rng(0)
        W = rng.normal(0, 1.0 if kind == "bernoulli" else 0.35, (n_v, n_h)) * (rng.random((n_v, n_h)) < 0.2)
        b = np.full(n_v, -2.0 if kind == "bernoulli" else 0.0)
        model = LRBN.from_layers([(W, b, np.full(n_h, -2.0))], kind, init="zeros")
        X = np.asarray(model.sample(N_IMAGES, random_state=0), np.float64)
        one = X.copy()
        one[:, np.random.default_rng(1).random(n_v) < 0.5] = np.nan
        versions = X, hidden(X, 0.5), one
        name = f"{kind} {n_v} x {n_h}"
        gibbs: dict[str, Any] = {"method": "gibbs", "n_sweeps": 20}
        calls = [partial(model.infer, Z, **gibbs) for Z in versions]
        print_ratios(f"{name}, Gibbs", [t / N_IMAGES for t in least_seconds(*calls)])
        sweeps = [np.mean([model.map_trace(x).n_visits for x in Z[:N_TRACES]]) / n_h for Z in versions]
        calls = [partial(model.infer, Z) for Z in versions]
        print_ratios(
            f"{name}, ICM, {' '.join(f'{s:.1f}' for s in sweeps)} sweeps",
            [t / N_IMAGES for t in least_seconds(*calls)],
        )
        calls = [partial(trace_all, model, Z[:N_TRACES]) for Z in versions]
        print_ratios(f"{name}, traces of ICM", [t / N_TRACES for t in least_seconds(*calls)])


def lines_of(model: LRBN, side: int) -> int:
    """Return how many of the 2 side bars are the filter of some unit."""
    found = set()
    for on in model.layers[0].W.T.reshape(-1, side, side) > LEAST_WEIGHT:
        lines = [(axis, int(line)) for axis in (0, 1) for line in np.flatnonzero(on.all(axis=axis))]
        if len(lines) == 1:
            found.add(lines[0])
    return len(found)


def bars() -> bool:
    """Count the bars that are found in whole images, and in images that are known in part."""
    data = load_dataset("bars")
    how: dict[str, Any] = {"e_step": "gibbs", "init": "zeros", "learning_rate": 1.0, "n_iter": 20}
    found: dict[str, list[int]] = {"whole images": [], "30 % not known": []}
    for seed in range(4):
        for name, X in zip(found, (data.train_X, hidden(data.train_X, 0.3)), strict=True):
            model = LRBN(24, nonnegative=True, patience=None, random_state=seed, **how).fit(X)
            found[name].append(lines_of(model, data.image_shape[0]))
    for name, numbers in found.items():
        print(f"bars found of 16, {name}, seeds 0 to 3: {', '.join(map(str, numbers))}", flush=True)
    whole, part = found.values()
    return sum(part) >= sum(whole)


def cosines_of(model: LRBN, W: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the cosine of each planted column of W (n_v, n_causes) with the unit that is matched to it.

    Each unit is matched to one cause at most, so that the sum of the cosines is largest.
    """
    unit = np.maximum(np.linalg.norm(model.layers[0].W, axis=0), 1e-12)
    cosines = (W / np.linalg.norm(W, axis=0)).T @ (model.layers[0].W / unit)
    return cosines[linear_sum_assignment(-cosines)]


def findings() -> bool:
    """Count the illnesses that are found in a whole table, and in one with missing cells."""
    data = load_dataset("findings")
    truth = data.planted
    assert truth is not None
    print(f"{'cosine of weights':22} {'seed':>4} {' '.join(f'{name:>11}' for name in truth.latent_names)}")
    n_found = []
    for name, X in (("whole table", data.train_X), ("20 % missing", hidden(data.train_X, 0.2))):
        for seed in range(4):
            cosines = cosines_of(LRBN(12, random_state=seed, **CAUSES).fit(X), truth.W)
            n_found.append(int((cosines > LEAST_COSINE).sum()))
            shown = " ".join(f"{cosine:11.2f}" for cosine in cosines)
            print(
                f"{name:22} {seed:4} {shown}, found {n_found[-1]} of {len(cosines)}",
                flush=True,
            )
    print(f"found in all: {sum(n_found)} of {len(n_found) * truth.W.shape[1]}; bound: 5 of 6 each time")
    return min(n_found) >= 5


def digits() -> bool:
    """Compare log P of whole held-out images by what models learned from."""
    data = load_dataset("mnist5k")
    X, test = data.train_X[:-N_MEASURED], data.train_X[-N_MEASURED:]
    third = hidden(X, 1 / 3)
    means = {}
    for name, images in {"whole": X, "a third not known": third, "a third off": np.nan_to_num(third)}.items():
        model = LRBN(200, e_step="gibbs", n_iter=20, validation_size=0, random_state=0).fit(images)
        found = log_likelihood(model, test, method="ais", n_temperatures=1000)
        means[name] = found.mean
        print(f"learned from {name:18}: log P(x) {found.mean:8.2f} nats, AIS of {N_MEASURED} held-out images")
        sys.stdout.flush()
    whole, part, off = means.values()
    print(f"a third not known: {whole - part:.2f} nats below whole images, {part - off:.2f} above one off")
    return part > off + 5.0


def mean_of_draws(model: Any, X: NDArray) -> NDArray[np.float64]:
    """Return the mean of x over draws of the latents from their posterior, each from a chain of its own."""
    how: dict[str, Any] = {"method": "gibbs", "n_sweeps": 100}
    draws = (np.hstack(model.infer(X, random_state=seed, **how)) for seed in range(N_DRAWS))
    return np.mean([model.inverse_transform(H) for H in draws], axis=0)


def halves() -> bool:
    """Print wrong pixels of the lower half of test digits, filled in from the upper one."""
    data = load_dataset("mnist5k")
    X = data.test_X[:N_HALVES].astype(np.float64)
    seen = X.copy()
    lower = np.arange(X.shape[1]) >= X.shape[1] // 2
    seen[:, lower] = np.nan
    mean = (data.train_X.mean(axis=0) > 0.5)[None].repeat(len(X), axis=0)
    filled: dict[str, Callable[[], NDArray]] = {"mean image": lambda: mean}
    for name in ("lrbn-200-mnist-learned", "lrbn-200-200-mnist-likeliest"):
        model: Any = pretrained(name)
        filled[f"{name}, annealed"] = lambda m=model: m.impute(seen, method="annealed", n_sweeps=200)
        filled[f"{name}, Gibbs"] = lambda m=model: mean_of_draws(m, seen) > 0.5
    rbm: Any = pretrained("rbm-200-mnist-likeliest")
    filled["rbm-200-mnist-likeliest, Gibbs"] = lambda: rbm.impute(seen, n_sweeps=1000)
    wrong = {}
    for name, fill in filled.items():
        errors = (fill()[:, lower] != X[:, lower]).sum(axis=1)
        wrong[name] = errors.mean()
        error = errors.std(ddof=1) / np.sqrt(len(errors))
        print(
            f"{name:42} {wrong[name]:7.2f} wrong of {lower.sum()} pixels, standard error {error:.2f}",
            flush=True,
        )
    return max(list(wrong.values())[1:]) < wrong["mean image"]


PARTS: dict[str, Callable[[], bool]] = {
    "speed": speed,
    "bars": bars,
    "findings": findings,
    "digits": digits,
    "halves": halves,
}


def main() -> int:
    """Run the parts that are asked for."""
    parser = argparse.ArgumentParser(description="Measure inference and learning from what is known in part.")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="which parts")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is broken")
    options = parser.parse_args()
    held = [PARTS[name]() for name in options.only]
    return int(options.check and not all(held))


if __name__ == "__main__":
    sys.exit(main())
