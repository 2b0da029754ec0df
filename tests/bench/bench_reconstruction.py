"""Wrong pixels on the whole MNIST test set: ``python tests/bench/bench_reconstruction.py [--images N]
[--check]``.
"""

from __future__ import annotations

import argparse
import sys
import time

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.evaluation import reconstruction_error

FIGURES = [
    # model, inference, bound in pixels that an issue of the project set
    ("lrbn-200-mnist-flat", {"method": "icm"}, 7.0),
    ("lrbn-200-mnist-flat", {"method": "annealed"}, 3.0),
    ("lrbn-200-mnist-learned", {"method": "icm"}, None),
    ("lrbn-200-mnist-learned", {"method": "annealed"}, None),
    ("rbm-200-mnist", {}, None),
]


def main() -> int:
    """Print the figures; return 1 when ``--check`` finds a bound missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=10_000, help="test images, from the first")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    options = parser.parse_args()
    X = load_dataset("mnist").test_X[: options.images]
    missed = 0
    print(f"MNIST, first {len(X):,} test images, threshold at 0.5: mean wrong pixels of 784")
    for name, how, bound in FIGURES:
        started = time.perf_counter()
        error = reconstruction_error(pretrained(name), X, **how)
        text = "" if bound is None else f"   bound {bound}   {'met' if error.mean() <= bound else 'MISSED'}"
        missed += bound is not None and error.mean() > bound
        print(
            f"{name:24} {how.get('method', 'exact MAP'):10} {error.mean():7.3f} "
            f"+- {error.std() / len(X) ** 0.5:.3f}   {time.perf_counter() - started:6.1f} s{text}"
        )
    return int(options.check and missed > 0)


if __name__ == "__main__":
    sys.exit(main())
