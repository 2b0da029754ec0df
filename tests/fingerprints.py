"""``python -m tests.fingerprints``: hashes of all that each kind of model learns, infers and draws.

A change of structure must not change a bit of them. With ``--write FILE`` they are stored; with ``--compare
FILE`` each that differs is named, and the exit status is 1. Bits depend on the processor and on BLAS: compare
on one machine, before and after the change.

Arrays are hashed without their names and as a set, so that they may be named and arranged anew.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from lrbn_viz import load_dataset
from lrbn_viz.catalog import kinds
from tests.tiny_models import tiny, with_random_parameters

N_IMAGES, N_JUDGED = 300, 12


def arrays_in(value: Any) -> Iterator[np.ndarray]:
    """Yield the arrays and numbers of nested tuples, lists, mappings and data classes."""
    if isinstance(value, np.ndarray | np.generic | int | float | bool):
        yield np.asarray(value)
    elif isinstance(value, dict):
        yield from (array for each in value.values() for array in arrays_in(each))
    elif isinstance(value, tuple | list):
        yield from (array for each in value for array in arrays_in(each))
    elif hasattr(value, "__dict__"):
        yield from arrays_in(vars(value))


def fingerprint(value: Any) -> str:
    """Return a hash of the set of all arrays in a value."""
    found = set()
    for array in arrays_in(value):
        content = f"{array.shape} {array.dtype}".encode() + np.ascontiguousarray(array).tobytes()
        found.add(hashlib.sha256(content).hexdigest())
    return hashlib.sha256(" ".join(sorted(found)).encode()).hexdigest()[:16]


def trained(kind: Any, X: np.ndarray) -> tuple[Any, list[float]]:
    """Return a model after a few passes, and the figures of its last step that are no seconds."""
    model = tiny(kind, n_iter=4).fit(X)
    return model, sorted(model.history_[-1].metrics.values())


def asked(model: Any, X: np.ndarray) -> Iterator[tuple[str, Any]]:
    """Yield what a model answers, by the name of the question."""
    yield "log_joint", model.log_joint(X, tuple((each > 0.5).astype(np.uint8) for each in model.infer(X)))
    for method in model.methods or (None,):
        how = {} if method is None else {"method": method}
        yield f"infer {method}", model.infer(X, **how)
        yield f"reconstruct {method}", model.reconstruct(X, **how)
    for method in model.trace_methods:
        yield f"trace {method}", model.trace(X[0], method, random_state=3, clamp={1: 1})
    yield "transform", model.transform(X, method="probabilities")
    yield "score_samples", model.score_samples(X)
    yield "exact_posterior", model.exact_posterior(X[0])
    yield "log_odds", model.conditional_log_odds(X, model.map_states(X, 3, np.random.default_rng(0)))
    proposal = model.proposal(X, 3, np.random.default_rng(0))
    yield "proposal", (proposal, model.draw_proposal(proposal, np.random.default_rng(0)))
    yield "interactions", model.interactions(X[0], np.ones(model.n_latents_, np.uint8))
    yield "sample", model.sample(7, random_state=5)
    if model.supports_restarts:
        yield "climb", model.climb(X[0], np.eye(model.n_latents_, dtype=np.uint8))
    if model.graph == "directed":
        yield "sample_joint", model.sample_joint(7, np.random.default_rng(1))
    if model.graph == "directed" and "ais" in model.likelihoods:
        yield "annealed_weights", model.annealed_weights(X, 5, np.random.default_rng(2))


def fingerprints() -> dict[str, str]:
    """Return all hashes, by kind and question."""
    X = load_dataset("bars").train_X[:N_IMAGES]
    found = {}
    for name, kind in kinds().items():
        learned, figures = trained(kind, X)
        found[f"{name}: parameters"] = fingerprint(learned.params_)
        found[f"{name}: figures"] = fingerprint(figures)
        # few steps leave weights small: random ones make units explain away
        for question, answer in asked(with_random_parameters(kind, X, seed=1), X[:N_JUDGED]):
            found[f"{name}: {question}"] = fingerprint(answer)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--compare", type=Path)
    options = parser.parse_args()
    found = fingerprints()
    if options.write:
        options.write.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    before = json.loads(options.compare.read_text(encoding="utf-8")) if options.compare else found
    changed = sorted(name for name in before.keys() | found if before.get(name) != found.get(name))
    print(f"{len(found)} fingerprints, {len(changed)} of them changed", *changed, sep="\n")
    return bool(changed)


if __name__ == "__main__":
    sys.exit(main())
