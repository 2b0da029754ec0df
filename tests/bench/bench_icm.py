"""How fast is inference? ``python tests/bench/bench_icm.py [--images N] [--check]``.

One sweep visits every latent of one image once: 784 Bernoulli visible units, 200 latents. All forms run in
one process on the same images from the same start, in turn.
``--check`` fails when a bound is missed.

The peak is that of fused multiply-adds in single precision on all threads that Numba uses, as the same
process measures it: a loop over registers that reads no memory. A matrix product of the BLAS library would be
a less true one: it reads memory too, and runs on threads of its own. A visit takes two multiply-adds per
pixel. All is taken at its best over the rounds, as other work on the machine only ever slows it down.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from figures import Figure, report
from llvmlite import ir
from numba import get_num_threads, njit, prange, types
from numba.core import cgutils
from numba.extending import intrinsic

from lrbn_viz import LRBN, load_dataset, pretrained
from lrbn_viz.core.model import LayerParams
from lrbn_viz.lrbn.batch_kernel import infer_batch, run_sweeps
from lrbn_viz.lrbn.kernel_params import prepare_params
from lrbn_viz.lrbn.start import make_state
from lrbn_viz.lrbn.traced import Stepper

N_SWEEPS = 4
N_REGISTERS, N_LANES = 16, 16
"""Of the peak's loop: enough for a multiply-add to be ready whenever a unit is free; 512 bits each."""


@intrinsic
def _multiply_add_loop(typingctx, n, factor):
    """``x = x * factor + factor`` n times, in each lane of N_REGISTERS registers."""

    def generate(context, builder, signature, args):
        vector = ir.VectorType(ir.FloatType(), N_LANES)
        undefined, zeros = ir.Constant(vector, ir.Undefined), ir.VectorType(ir.IntType(32), N_LANES)
        one = builder.insert_element(undefined, args[1], ir.Constant(ir.IntType(32), 0))
        factors = builder.shuffle_vector(one, undefined, ir.Constant(zeros, [0] * N_LANES))
        registers = []
        for k in range(N_REGISTERS):
            begin = ir.Constant(vector, [float(k)] * N_LANES)
            registers.append(cgutils.alloca_once_value(builder, builder.fadd(factors, begin)))
        with cgutils.for_range(builder, args[0]):
            for register in registers:
                old = builder.load(register, typ=vector)
                scaled = builder.fmul(old, factors, flags=["contract"])
                builder.store(builder.fadd(scaled, factors, flags=["contract"]), register)
        total = builder.load(registers[0], typ=vector)
        for register in registers[1:]:
            total = builder.fadd(total, builder.load(register, typ=vector))
        return builder.extract_element(total, ir.Constant(ir.IntType(32), 0))

    return types.float32(types.int64, types.float32), generate


# An intrinsic takes its first argument, the typing context, from numba.
_multiply_adds: Any = _multiply_add_loop


@njit(parallel=True)
def _on_all_threads(n, factor, n_threads, sums):
    for k in prange(n_threads):
        sums[k] = _multiply_adds(n, factor)


def peak(n: int = 100_000) -> float:
    """Multiply-adds a second, one short measurement."""
    n_threads = get_num_threads()
    sums = np.empty(n_threads, np.float32)
    started = time.perf_counter()
    _on_all_threads(n, np.float32(0.5), n_threads, sums)
    return n * N_REGISTERS * N_LANES * n_threads / (time.perf_counter() - started)


def numpy_sweeps(params: LayerParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
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


def torch_sweeps(params: LayerParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
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


def engine_sweeps(dtype: type) -> Callable[[LayerParams, np.ndarray, int], np.ndarray]:
    """The batched kernel at temperature 0, without early stopping: exactly `n_sweeps` sweeps."""

    def run(params: LayerParams, X: np.ndarray, n_sweeps: int) -> np.ndarray:
        # A temperature too low for any draw to differ from ICM keeps the kernel from stopping once converged.
        cold = np.full(n_sweeps, 1e-12)
        kernel_params = prepare_params(params, "bernoulli", dtype)
        rng = np.random.default_rng(0)
        return infer_batch(params, "bernoulli", kernel_params, X, "zeros", cold, 0, rng).H

    return run


def shipped() -> LayerParams:
    """Return parameters of a trained model."""
    model = pretrained("lrbn-200-mnist-flat")
    assert isinstance(model, LRBN)
    return model.layers[0]


def traced_against_untraced(rounds: int) -> float:
    """Return the cost of a recorded inference over that of the same visits by the kernel of whole batches.

    Of each image the least time of all rounds counts: one inference takes a tenth of a millisecond.
    """
    params = shipped()
    kernel_params = prepare_params(params, "bernoulli")
    X = load_dataset("mnist5k").test_X[:40].astype(float)
    rng = np.random.default_rng(0)
    least = np.full((2, len(X)), np.inf)
    for _ in range(5 * rounds):
        for m, x in enumerate(X):
            stepper = Stepper(
                params, "bernoulli", kernel_params, x, "conditional", "sequential", np.zeros(50), {}, rng
            )
            started = time.perf_counter()
            stepper.run()
            recorded = time.perf_counter() - started
            state = make_state(params, "bernoulli", kernel_params, x[None], "conditional", rng)
            visits, flips = np.zeros((2, 1), np.int64)
            started = time.perf_counter()
            run_sweeps(kernel_params, state, np.zeros(0), 50, visits, flips, np.zeros(1, np.bool_))
            unrecorded = time.perf_counter() - started
            assert visits[0] == stepper.trace().n_visits, "both must make the same visits"
            least[:, m] = np.minimum(least[:, m], (recorded, unrecorded))
    return float(least[0].sum() / least[1].sum())


def main() -> int:
    """Print the figures; return 1 when ``--check`` finds a bound missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=256, help="images in the batch")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of which the best counts")
    parser.add_argument("--check", action="store_true", help="exit with 1 when a bound is missed")
    options = parser.parse_args()

    params = shipped()
    X = load_dataset("mnist5k").train_X[: options.images].astype(float)
    # NumPy's time of a sweep depends neither on the sweep nor, from some 30 on, on the number of images.
    forms: dict[str, tuple[Callable, int, int]] = {
        "engine, float64": (engine_sweeps(np.float64), len(X), N_SWEEPS),
        "engine, float32": (engine_sweeps(np.float32), len(X), N_SWEEPS),
        "NumPy, float64": (numpy_sweeps, min(len(X), 32), 1),
    }
    if importlib.util.find_spec("torch"):
        forms["PyTorch, float32"] = (torch_sweeps, len(X), N_SWEEPS)
    else:
        print("PyTorch is not installed: its form is left out")

    expected = numpy_sweeps(params, X[:32], N_SWEEPS)
    for name, (form, _, _) in forms.items():
        agree = (form(params, X[:32], N_SWEEPS) == expected).mean()
        print(f"{name:18} agrees with NumPy in {agree:.4%} of the states")
    peak()  # compiles
    peaks: list[float] = []
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(options.rounds):
        for name, (form, n, n_sweeps) in forms.items():
            peaks += [peak() for _ in range(20)]  # half a millisecond each
            for _ in range(3 if name.startswith("NumPy") else 30):
                started = time.perf_counter()
                form(params, X[:n], n_sweeps)
                times[name].append((time.perf_counter() - started) / n / n_sweeps * 1e6)
    least = {name: min(values) for name, values in times.items()}
    for name, values in times.items():
        print(f"{name:18} {np.median(values):10,.1f} us per sweep and image (least {least[name]:,.1f})")
    traced = traced_against_untraced(options.rounds)
    multiply_adds = 2 * params.n_v * params.n_h
    highest = max(peaks)
    print(f"peak: {highest / 1e9:,.0f} G multiply-adds/s, {multiply_adds / highest * 1e6:.2f} us per sweep")
    share = multiply_adds / (least["engine, float32"] * 1e-6) / highest

    def ratio(slow: str, fast: str) -> float:
        return least[slow] / least[fast]

    found = [
        Figure("share of the multiply-add peak, float32", share, 1 / 3, at_least=True),
        Figure("NumPy / engine, float32", ratio("NumPy, float64", "engine, float32"), 300, at_least=True),
        Figure("NumPy / engine, float64", ratio("NumPy, float64", "engine, float64"), 170, at_least=True),
    ]
    if "PyTorch, float32" in forms:
        found.append(
            Figure("PyTorch / engine, float64", ratio("PyTorch, float32", "engine, float64"), 8, True)
        )
    found.append(Figure("traced / untraced", traced, 1.5))
    return report([found], options.check)


if __name__ == "__main__":
    sys.exit(main())
