"""Time a pass of each system on all threads and on one: what each is charged where seconds are CPU seconds.

    python tests/bench/bench_threads.py [--images 2000] [--rounds 3]

Threads of OpenMP spin while they wait for the next kernel. A system that goes back and forth between kernels
and products of one BLAS thread pays for both threads all the time. `lrbn-viz reproduce`, whose budgets are
CPU seconds, therefore keeps each step of training to one thread. Minima over rounds, which alternate.
"""

from __future__ import annotations

import argparse
import math
import time
from types import SimpleNamespace
from typing import Any

from lrbn_viz import load_dataset
from lrbn_viz.studies.reproduce.systems import STAGED, USUAL, Case
from lrbn_viz.studies.reproduce.timed import rows, run_of, spend


def main() -> None:
    """Time each system, and print it."""
    parser = argparse.ArgumentParser(description="CPU seconds of training on all threads and on one.")
    parser.add_argument("--images", type=int, default=2000, help="images of a pass of MNIST")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    data: Any = SimpleNamespace(train_X=load_dataset("mnist5k").train_X)
    planned = {"passes": [1], "images": options.images}
    for system, sizes in rows("mnist"):
        if max(sizes) > USUAL or (len(sizes) > 1 and system in STAGED):
            continue
        case, times = Case(system, sizes, "threshold"), []
        for _ in range(1 + options.rounds):  # the first one compiles
            run, began = run_of(case, "mnist", data, planned, 0), time.process_time()
            for _ in run:
                pass
            everyone = time.process_time() - began
            *_, alone = spend(run_of(case, "mnist", data, planned, 0), math.inf)
            times.append((everyone, alone))
        everyone, alone = (min(each) for each in zip(*times[1:], strict=True))
        print(f"{case.row}: {everyone:.3f} CPU s on all threads, {alone:.3f} on one: {everyone / alone:.2f}")


if __name__ == "__main__":
    main()
