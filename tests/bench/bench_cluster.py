"""Two single-threaded workers against one, and whole passes against minibatches in as many E-step sweeps.

``python tests/bench/bench_cluster.py [--images N] [--passes N] [--only NAME] [--check]``. Efficiency is the
time of one worker by twice that of two, on MNIST and a shipped model; every round times both, by turns, and
the best of each counts. Needs an otherwise idle machine of two cores: bounds are for one. ``CPU`` figures say
what two workers compute together, by what one does: what other work on the machine cannot change much.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from figures import Figure, report
from numpy.typing import NDArray

from lrbn_viz import LRBN, load_dataset, pretrained
from lrbn_viz.chunks import Streamed
from lrbn_viz.cluster import Cluster
from lrbn_viz.lrbn.batch_em import BatchEM
from lrbn_viz.lrbn.logistic import PIXELS, Piece, evaluate
from lrbn_viz.measure import log_likelihood
from lrbn_viz.training import Training

N_IMAGES = 60_000
N_ANNEALED = 10_000
N_ROUNDS = 3
MODEL = "lrbn-200-mnist-learned"
SAMPLED: dict[str, Any] = {"e_step": "gibbs", "warm_sweeps": 1, "persistent": True}
"""How the qualities of both schedules are compared: one sweep of each image a pass."""
VISITS = 10
"""Of all images by an M-step, as many as are usual."""
NETWORK = 1.25e9
"""Bytes a second that a worker receives, assumed: 10 Gbit."""
SCHEDULES: dict[str, dict[str, Any]] = {
    "minibatch": {"learning_rate": 2.0, "learning_rate_end": 0.05},
    "batch": {},
}
"""Rates of minibatches are the best of eight on 500 other held-out images, after 15 passes over 20,000: -80.6
nats, where a rate of 0.25 throughout has -84.5. Of whole passes over 10,000, 10 visits are better than 3, and
a ridge of 1 is better than 10.
"""
N_MEASURED = 500
"""Held-out training images of which log P(x) is estimated."""


def images() -> NDArray[np.uint8]:
    """Return MNIST's training images."""
    return load_dataset("mnist").train_X


def cpu_seconds(cluster: Cluster) -> float:
    """Return what the processes of all workers have computed so far."""
    return sum(cluster._client.run(time.process_time).values())


def timed(cluster: Cluster, work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that work takes, and those that the workers compute."""
    computed, began = cpu_seconds(cluster), time.perf_counter()
    work()
    return time.perf_counter() - began, cpu_seconds(cluster) - computed


def compared(title: str, bound: float, rounds: dict[int, list[tuple[float, float]]]) -> Iterator[Figure]:
    """Return the efficiency of two workers; `rounds` hold what :func:`timed` found of one and of two."""
    best = {n: np.min(times, axis=0) for n, times in rounds.items()}
    yield Figure(f"seconds of {title}, one worker", best[1][0])
    yield Figure(f"seconds of {title}, two workers", best[2][0])
    yield Figure(f"efficiency of two workers, {title}", best[1][0] / (2 * best[2][0]), bound, at_least=True)
    yield Figure(f"CPU of two workers by CPU of one, {title}", best[2][1] / best[1][1])


def efficiency(n: int) -> Iterator[Figure]:
    """Time the E-step by ICM and a whole pass, from the parameters of a shipped model."""
    X, params = images()[:n], pretrained(MODEL).layers[0]
    phases = {"an E-step": 0.85, "a whole pass": 0.75}
    rounds: dict[str, dict[int, list[tuple[float, float]]]] = {name: {1: [], 2: []} for name in phases}
    with Cluster(n_workers=1) as one, Cluster(n_workers=2) as two:
        runs = {}
        for n_workers, cluster in ((1, one), (2, two)):
            system = BatchEM(params.n_h).with_pool(cluster)
            rng, state = np.random.default_rng(0), system.from_params(params)
            run = Training(system, X, n_iter=10**6, batch_size=1, rng=rng, state=state)
            next(run)  # places the images, and loads the kernels
            runs[n_workers] = cluster, system, run
        for _ in range(N_ROUNDS):
            for n_workers, (cluster, system, run) in runs.items():
                state = run.state

                def infer(system=system, state=state) -> None:
                    system.infer_all(state.params, X, 0)

                rounds["an E-step"][n_workers].append(timed(cluster, infer))
                run.state = state = system.from_params(params)
                rounds["a whole pass"][n_workers].append(timed(cluster, lambda run=run: next(run)))
    for name, bound in phases.items():
        yield from compared(f"{name} of {len(X):,}", bound if n == N_IMAGES else 0.0, rounds[name])


def annealing(n: int) -> Iterator[Figure]:
    """Time AIS by a chain of 100 temperatures for each image, and see that its values are the same."""
    X, model = images()[:n], pretrained(MODEL)
    rounds: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    found = []
    how: Any = {"method": "ais", "n_temperatures": 100}
    for n_workers in (1, 2):
        with Cluster(n_workers=n_workers) as cluster:
            log_likelihood(model, X[:10], **how, pool=cluster)  # loads the kernels
            for _ in range(N_ROUNDS):
                rounds[n_workers].append(
                    timed(cluster, lambda: found.append(log_likelihood(model, X, **how, pool=cluster).values))
                )
    found.append(log_likelihood(model, X, **how).values)
    differ = sum(not np.array_equal(found[0], other) for other in found)
    yield Figure("runs of AIS whose values are not those of this process", differ, 0.0)
    yield from compared(f"AIS of {n:,}", 0.9 if n == N_ANNEALED else 0.0, rounds)


def quality(n: int, passes: int) -> Iterator[Figure]:
    """Train by both schedules in as many sweeps, and measure images that neither has seen."""
    X = images()
    held_out = X[-N_MEASURED:]
    measured = {}
    for schedule, more in SCHEDULES.items():
        how: Any = {"schedule": schedule, "n_iter": passes, "validation_size": 0, "random_state": 0}
        model = LRBN(200, **how, **SAMPLED, **more)
        began = time.perf_counter()
        model.fit(X[: min(n, len(X) - N_MEASURED)])
        seconds = time.perf_counter() - began
        last = [step.metrics["log_joint"] for step in model.history_ if step.epoch == passes - 1]
        nats = log_likelihood(model, held_out, method="ais", n_temperatures=1000)
        measured[schedule] = np.mean(last), nats.mean
        told = f"{schedule}, {passes} passes over {n:,}"
        yield Figure(f"seconds, {told}", seconds)
        yield Figure(f"log P(x, h) of training images and sampled codes, {told}", measured[schedule][0])
        yield Figure(f"log P(x) of held-out images by AIS, {told}", measured[schedule][1])
    behind = np.subtract(measured["minibatch"], measured["batch"])
    yield Figure("nats by which whole passes are behind, log P(x, h)", behind[0])
    yield Figure("nats by which whole passes are behind, log P(x)", behind[1], 1.0)


class Virtual:
    """Binary images that are made when they are asked for, 1,024 at a time: as many as are wanted."""

    def __init__(self, n: int, n_v: int = 784) -> None:
        self.shape = n, n_v
        self.parts = np.random.default_rng(0).integers(8, 128, (2, n_v), dtype=np.uint8)

    def __getitem__(self, rows: slice) -> NDArray[np.uint8]:
        """Return rows, whose first is a multiple of 1,024."""
        first, last, _ = rows.indices(self.shape[0])
        made = []
        for begin in range(first, last, 1024):
            rng = np.random.default_rng(begin)
            n = min(1024, last - begin)
            on = self.parts[rng.integers(0, 2, n)]
            made.append((rng.integers(0, 256, on.shape, dtype=np.uint8) < on).astype(np.uint8))
        return np.concatenate(made)


def streamed(gigabytes: float, limit: float) -> Iterator[Figure]:
    """Learn from one pass over images of which no worker holds more than its piece."""
    images = Streamed(Virtual(int(gigabytes * 1e9 / 784)))
    told = f"{gigabytes:g} GB, workers of {limit:g} GB"
    with Cluster(n_workers=2, memory_limit=f"{limit} GB", span=16) as cluster:
        model = LRBN(8, schedule="batch", n_iter=1, m_visits=2, validation_size=0, random_state=0)
        began = time.perf_counter()
        model.fit(images, pool=cluster)
        yield Figure(f"seconds of a pass over {told}", time.perf_counter() - began)
        most = max(cluster.peak_bytes.values()) / 1e9
        yield Figure(f"GB that a worker held at most, {told}", most, limit)


def cost() -> Iterator[Figure]:
    """Measure what an image costs in one thread, and what that makes of passes on clusters."""
    X, params = images()[:8192], pretrained(MODEL).layers[0]
    n, blocks = len(X), -(-params.n_v // PIXELS)
    seconds = {}
    for name, how in {"ICM": {}, "one Gibbs sweep": SAMPLED}.items():
        system = BatchEM(params.n_h, **how)
        codes: list[Any] = []
        seconds[name] = min(
            cpu_of(lambda s=system, c=codes: c.append(s.infer_all(params, X, 0))) for _ in range(3)
        )
        yield Figure(f"CPU microseconds of an image's E-step, {name}", 1e6 * seconds[name] / n)
    cuts = system.placed.of(X, "bernoulli")[1]
    pieces = [Piece(own, *each) for own, each in zip(codes[-1][1], cuts[blocks // 2], strict=True)]
    theta = np.zeros((params.n_h + 1, PIXELS))
    middle = slice(blocks // 2 * PIXELS, (blocks // 2 + 1) * PIXELS)
    theta[:-1], theta[-1] = params.W[middle].T, params.b[middle]
    visit = min(cpu_of(lambda: evaluate(pieces, theta, 1.0)) for _ in range(5))
    yield Figure(
        f"CPU microseconds of an image's part in a visit of the M-step, {PIXELS} pixels", 1e6 * visit / n
    )
    code = -(-params.n_h // 8)
    yield Figure("bytes of an image's code, which go to each worker", code)
    yield Figure("megabytes of the parameters, which go to each worker and back", 8e-6 * params.W.size)
    for size in (10**5, 10**6, 10**7, 10**8, 10**9):
        for workers in (1, 10, 100, 1000):
            e_step = seconds["ICM"] / n * size / workers
            # each block is one worker's: more workers than blocks wait
            m_step = visit / n * size * VISITS * -(-blocks // workers)
            exchange = size * code / NETWORK if workers > 1 else 0.0
            told = f"E-step {e_step:.3g}, exchange {exchange:.3g}, M-step {m_step:.3g} s"
            title = f"extrapolated: {size:.0e} images, {workers} workers ({told})"
            yield Figure(title, e_step + exchange + m_step)


def cpu_of(work: Callable[[], object]) -> float:
    """Return the seconds that this process computes for some work, on one thread."""
    began = time.process_time()
    work()
    return time.process_time() - began


def main() -> int:
    """Print all figures; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=N_IMAGES, help="only 60,000 have bounds of efficiency")
    parser.add_argument("--annealed", type=int, default=N_ANNEALED, help="images of AIS")
    parser.add_argument("--passes", type=int, default=10, help="passes of each schedule")
    parser.add_argument("--gigabytes", type=float, default=20.0, help="of images that are streamed")
    parser.add_argument("--limit", type=float, default=2.0, help="gigabytes of a worker, for these")
    parser.add_argument("--only", choices=("cost", "efficiency", "annealing", "quality", "streamed"))
    parser.add_argument("--check", action="store_true", help="exit with 1 where a bound is missed")
    arguments = parser.parse_args()
    groups = {
        "cost": cost,
        "efficiency": lambda: efficiency(arguments.images),
        "annealing": lambda: annealing(arguments.annealed),
        "quality": lambda: quality(arguments.images, arguments.passes),
        "streamed": lambda: streamed(arguments.gigabytes, arguments.limit),
    }
    asked = [arguments.only] if arguments.only else list(groups)
    return report((groups[name]() for name in asked), arguments.check)


if __name__ == "__main__":
    sys.exit(main())
