"""Wrong pixels of the shipped models on whole test sets: ``python tests/bench/bench_reconstruction.py
[--images N] [--only MODEL ...] [--check]``.

Two layers are annealed for as many sweeps as ``lrbn-viz reproduce`` does it, which takes minutes.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any, NamedTuple

from lrbn_viz import load_dataset, pretrained
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.measure import reconstruction_error
from lrbn_viz.studies.reproduce.budgets import BUDGETS
from lrbn_viz.studies.reproduce.recipes import DATASETS
from lrbn_viz.studies.reproduce.reported import GOALS


class Row(NamedTuple):
    """A shipped model, an inference, and the bound in pixels that an issue of the project set, if any."""

    model: str
    dataset: str
    how: dict[str, Any]
    bound: float | None = None


ROWS = [
    Row("lrbn-200-mnist-flat", "mnist", {"method": "icm"}, 7.0),
    Row("lrbn-200-mnist-flat", "mnist", {"method": "annealed"}, 3.0),
    Row("lrbn-200-mnist-learned", "mnist", {"method": "icm"}),
    Row("lrbn-200-mnist-learned", "mnist", {"method": "annealed"}),
    Row("lrbn-200-mnist-strokes", "mnist", {"method": "icm"}),
    Row("lrbn-200-mnist-strokes", "mnist", {"method": "annealed"}, 16.0),
    Row("rbm-200-mnist-likeliest", "mnist", {}),
    Row("lrbn-400-caltech-flat", "caltech101_silhouettes", {"method": "icm"}),
    Row("lrbn-400-caltech-flat", "caltech101_silhouettes", {"method": "annealed"}, GOALS["caltech"].pixels),
    Row("lrbn-200-ocr-flat", "ocr_letters", {"method": "icm"}),
    Row("lrbn-200-ocr-flat", "ocr_letters", {"method": "annealed"}, GOALS["ocr"].pixels),
]
for _name, _dataset in DATASETS.items():
    _long = {"method": "annealed", "n_sweeps": BUDGETS[_name].annealed_sweeps}
    ROWS += [
        Row(f"lrbn-200-200-{_name}", _dataset, {"method": "icm"}),
        Row(f"lrbn-200-200-{_name}", _dataset, _long, GOALS[_name].together[0]),
    ]


def main() -> int:
    """Print the figures; return 1 when ``--check`` finds a bound missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=None, help="test images, from the first; else all")
    parser.add_argument("--only", nargs="+", metavar="MODEL", help="these models only")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    options = parser.parse_args()
    missed = 0
    print("test images, threshold at 0.5: mean wrong pixels; annealed over so many sweeps")
    for name, dataset, how, bound in ROWS:
        if options.only and name not in options.only:
            continue
        X = load_dataset(dataset).test_X[: options.images]
        started = time.perf_counter()
        error = reconstruction_error(pretrained(name), X, **how)
        text = "" if bound is None else f"   bound {bound}   {'met' if error.mean() <= bound else 'MISSED'}"
        missed += bound is not None and error.mean() > bound
        sweeps = f" {how.get('n_sweeps', ANNEALED_SWEEPS):,}" if how.get("method") == "annealed" else ""
        print(
            f"{name:24} {len(X):6,} images  {how.get('method', 'exact MAP') + sweeps:14} {error.mean():7.3f} "
            f"+- {error.std() / len(X) ** 0.5:.3f}   {time.perf_counter() - started:6.1f} s{text}",
            flush=True,
        )
    return int(options.check and missed > 0)


if __name__ == "__main__":
    sys.exit(main())
