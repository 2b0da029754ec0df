"""How fast is inference? ``python tests/bench/bench_icm.py [--images N] [--check]``.

One sweep visits every latent of one image once: 784 Bernoulli visible units, 200 latents. All forms run in
one process on the same images from the same start, in turn, and the ratios are medians over the rounds.
``--check`` fails when a bound is missed.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable

import numpy as np

from lrbn_viz import LRBN, load_dataset, pretrained
from lrbn_viz.lrbn.icm import infer_batch, make_field
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.lrbn.operands import prepare

N_SWEEPS = 4


def numpy_sweeps(params: LRBNParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
    """ICM as a NumPy user would write it: cached activations, vectorised over the batch and the pixels."""
    H = np.zeros((len(X), params.n_h), np.uint8)
    a = np.tile(params.b, (len(X), 1))
    evidence = X @ params.W + params.d
    for _ in range(n_sweeps):
        for j in range(params.n_h):
            w = params.W[:, j]
            without = a - np.outer(H[:, j], w)
            explained = (np.logaddexp(0, without + w) - np.logaddexp(0, without)).sum(axis=1)
            H[:, j] = evidence[:, j] > explained
            a = without + np.outer(H[:, j], w)
    return H


def torch_sweeps(params: LRBNParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
    """The same in PyTorch, single precision, all cores."""
    torch = importlib.import_module("torch")  # optional, so nothing may name it at the top

    with torch.inference_mode():
        W, b, d = (torch.tensor(np.ascontiguousarray(p), dtype=torch.float32) for p in params)
        x = torch.tensor(X, dtype=torch.float32)
        H = torch.zeros(len(X), params.n_h)
        a = b.repeat(len(X), 1)
        evidence = x @ W + d
        rows = W.T.contiguous()
        for _ in range(n_sweeps):
            for j in range(params.n_h):
                w = rows[j]
                without = torch.addr(a, H[:, j], w, alpha=-1)
                explained = torch.nn.functional.softplus(without + w) - torch.nn.functional.softplus(without)
                H[:, j] = (evidence[:, j] > explained.sum(dim=1)).float()
                a = torch.addr(without, H[:, j], w)
        return H.numpy().astype(np.uint8)


def engine_sweeps(dtype: type) -> Callable[[LRBNParams, np.ndarray, int], np.ndarray]:
    """The batched kernel at temperature 0, without early stopping: exactly `n_sweeps` sweeps."""

    def run(params: LRBNParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
        # A temperature too low for any draw to differ from ICM keeps the kernel from stopping once converged.
        cold = np.full(n_sweeps, 1e-12)
        operands = prepare(params, "bernoulli", dtype)
        rng = np.random.default_rng(0)
        return infer_batch(params, "bernoulli", operands, X, "zeros", cold, 0, rng).H

    return run


def shipped() -> LRBNParams:
    """Return parameters of a trained model."""
    model = pretrained("lrbn-200-mnist-flat")
    assert isinstance(model, LRBN)
    return model.params_


def traced_against_untraced(rounds: int) -> float:
    """Return the median cost of a recorded inference over that of the same visits unrecorded."""
    from lrbn_viz.lrbn.stepping import Stepper
    from lrbn_viz.lrbn.sweeps import _infer_one

    params = shipped()
    operands = prepare(params, "bernoulli")
    X = load_dataset("mnist5k").test_X[:40].astype(float)
    ratios = []
    for _ in range(rounds + 1):
        recorded = unrecorded = 0.0
        visits = [0, 0]
        for x in X:
            stepper = Stepper(
                params,
                "bernoulli",
                operands,
                x,
                "conditional",
                "sequential",
                np.zeros(50),
                {},
                np.random.default_rng(0),
            )
            started = time.perf_counter()
            stepper.run()
            recorded += time.perf_counter() - started
            visits[0] += stepper.trace().n_visits
            field = make_field(
                params, "bernoulli", operands, x[None], "conditional", np.random.default_rng(0)
            )
            started = time.perf_counter()
            visits[1] += _infer_one(operands, field, 0, np.zeros(0), 50)[0]
            unrecorded += time.perf_counter() - started
        assert visits[0] == visits[1], "both must make the same visits"
        ratios.append(recorded / unrecorded)
    return float(np.median(ratios[1:]))


def main() -> int:
    """Print the figures; return 1 when ``--check`` finds a bound missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=256, help="images in the batch")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which medians are taken")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    options = parser.parse_args()

    params = shipped()
    X = load_dataset("mnist5k").train_X[: options.images].astype(float)
    forms: dict[str, tuple[Callable, int]] = {
        "engine, float64": (engine_sweeps(np.float64), len(X)),
        "engine, float32": (engine_sweeps(np.float32), len(X)),
        "NumPy, float64": (numpy_sweeps, min(len(X), 32)),
    }
    if importlib.util.find_spec("torch"):
        forms["PyTorch, float32"] = (torch_sweeps, len(X))
    else:
        print("PyTorch is not installed: its form is left out")

    expected = numpy_sweeps(params, X[:32], N_SWEEPS)
    for name, (form, _) in forms.items():
        agree = (form(params, X[:32], N_SWEEPS) == expected).mean()
        print(f"{name:18} agrees with NumPy in {agree:.4%} of the states")
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(options.rounds):
        for name, (form, n) in forms.items():
            started = time.perf_counter()
            form(params, X[:n], N_SWEEPS)
            times[name].append((time.perf_counter() - started) / n / N_SWEEPS * 1e6)
    for name, values in times.items():
        print(f"{name:18} {np.median(values):10,.1f} us per sweep and image (least {min(values):,.1f})")

    ratio = {
        name: float(np.median(np.array(times[name]) / np.array(times["engine, float64"]))) for name in forms
    }
    traced = traced_against_untraced(options.rounds)
    figures: list[tuple[str, float, float, str]] = [
        ("NumPy / engine float64", ratio["NumPy, float64"], 120, ">=")
    ]
    if "PyTorch, float32" in ratio:
        figures.append(("PyTorch / engine float64", ratio["PyTorch, float32"], 8, ">="))
    figures.append(("traced / untraced", traced, 1.5, "<="))
    missed = 0
    for name, value, bound, sign in figures:
        fine = value >= bound if sign == ">=" else value <= bound
        missed += not fine
        print(f"{name:26} {value:8.2f}   bound {sign} {bound}   {'met' if fine else 'MISSED'}")
    return int(options.check and missed > 0)


if __name__ == "__main__":
    sys.exit(main())
