"""Every kernel of the package against its formula in plain NumPy, on models so small that it takes seconds.

A compiler, a processor or a damaged cache can make a kernel compute something else than its source says. Each
test here calls kernels as the package does, on several threads and on one, and compares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.doctor import oracles
from lrbn_viz.doctor.oracles import Params, draw_params
from lrbn_viz.doctor.report import Finding
from lrbn_viz.kernels import numerics
from lrbn_viz.kernels.numerics import PARALLEL_LOCK, Twins, fixed
from lrbn_viz.kernels.ways import Ways

SIZES = (37, 6)
"""Visibles, which end within a vector of any processor, and latents."""
VISIBLES = ("bernoulli", "gaussian")
DRAWS, CHAINS = 6000, 1500
"""Numbers of draws and chains of tests that compare frequencies with probabilities."""


class Differs(Exception):
    """A kernel gave something else than its formula."""


def same(what: str, found: ArrayLike, expected: ArrayLike, tolerance: float = 1e-9) -> None:
    """Compare numbers, relative to their size where that is above 1.

    Raises
    ------
    Differs
        They are further apart than `tolerance`, or not of one shape.
    """
    one, other = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if one.shape != other.shape:
        raise Differs(f"{what}: expected the shape {other.shape}, got {one.shape}")
    apart = np.abs(one - other) / np.maximum(1.0, np.abs(other))
    worst = float(apart.max(initial=0.0)) if not np.isnan(apart).any() else math.inf
    if not worst <= tolerance:
        raise Differs(f"{what}: off by {worst:.2g}, at most {tolerance:.2g} allowed")


def near(what: str, draws: NDArray, probability: ArrayLike) -> None:
    """Compare how often draws (n, ...) are 1 with their probability, within five standard errors.

    Raises
    ------
    Differs
        They are further apart.
    """
    p = np.asarray(probability, dtype=float)
    error = np.sqrt(p * (1 - p) / len(draws))
    if not (np.abs(draws.mean(axis=0) - p) <= 5 * error + 1e-6).all():
        raise Differs(f"{what}: sampled frequencies differ from the probabilities")


def _images(n: int, visible: str = "bernoulli", n_v: int = SIZES[0]) -> NDArray:
    rng = np.random.default_rng(5)
    return (
        rng.integers(0, 2, (n, n_v)).astype(np.uint8) if visible == "bernoulli" else rng.normal(size=(n, n_v))
    )


def _model(visible: Any, params: Params) -> Any:
    from lrbn_viz.estimators.lrbn import LRBN

    return LRBN.from_params(*params, visible=visible, init="zeros", max_sweeps=100)


def _on_threads_and_alone(what: str, compute: Callable[[], tuple[Any, ...]]) -> None:
    """Compare what a computation gives on all threads and on one, bit by bit."""
    least, ways = numerics.MIN_THREADED_WORK, numerics.WAYS
    numerics.MIN_THREADED_WORK, numerics.WAYS = 1, Ways(PARALLEL_LOCK)  # of which none has been slow so far
    try:
        together = compute()
    finally:
        numerics.MIN_THREADED_WORK, numerics.WAYS = least, ways
    with PARALLEL_LOCK:  # a kernel that finds the threads taken runs on one
        alone = compute()
    for one, other in zip(together, alone, strict=True):
        same(f"{what}, on threads and on one", one, other, 0.0)


def _both(kernel: Twins) -> Iterator[Callable[..., None]]:
    with PARALLEL_LOCK:
        yield from kernel


def scalars() -> None:
    """Compare functions of one number, and random streams."""
    from lrbn_viz.kernels.numerics import (
        errors_along,
        mixed_uniform,
        next_uniform,
        scalar_sigmoid,
        scalar_softplus,
    )

    numbers = np.array([-800.0, -30.0, -1.5, 0.0, 0.3, 2.0, 40.0, 800.0])
    same("sigmoid", [scalar_sigmoid(a) for a in numbers], oracles.sigmoid(numbers), 1e-14)
    same("softplus", [scalar_softplus(a) for a in numbers], oracles.softplus(numbers), 1e-14)
    golden = 0x9E3779B97F4A7C15
    stream = np.array([12345, 2**63 + 7], np.uint64)
    drawn = [next_uniform(stream, 1) for _ in range(4)]
    same("random stream", drawn, [oracles.split_mix(2**63 + 7 + k * golden) for k in range(1, 5)], 0.0)
    same("mixed bits", mixed_uniform(np.uint64(99)), oracles.split_mix(99), 0.0)
    params, target = draw_params(*SIZES), _images(1)[0] - 0.5
    h, unit, after = np.array([1, 0, 1, 0, 0, 1], np.uint8), np.array([1, 2]), np.array([1, 0], np.uint8)
    H = np.array([h, h, h])
    H[1:, 1], H[2:, 2] = 1, 0
    a = H @ params.W.T + params.b
    for squared, expected in (
        (True, ((a - target) ** 2).sum(axis=1)),
        (False, ((a > 0) != (target > 0)).sum(axis=1)),
    ):
        errors = np.empty(3)
        rows, begun = np.ascontiguousarray(params.W.T), params.b.copy()
        states = h.astype(np.float64), unit, after.astype(np.float64)
        errors_along(rows, *states, target, squared, begun, errors)
        same("errors along a trace", errors, expected)


def elementary() -> None:
    """Compare exp and log."""
    from lrbn_viz.kernels.simd.math import exp, exp32, log
    from lrbn_viz.rivals.rbm.draw import sigmoid32

    numbers = np.linspace(-80.0, 80.0, 1601)
    same("exp", [exp(x) / math.exp(x) for x in numbers], np.ones(1601), 2e-15)
    same("exp32", [exp32(np.float32(x)) / math.exp(np.float32(x)) for x in numbers], np.ones(1601), 6e-7)
    same("log", [log(x) for x in np.exp(numbers)], np.log(np.exp(numbers)), 2e-15)
    same("sigmoid32", [sigmoid32(np.float32(x)) for x in numbers], oracles.sigmoid(numbers), 6e-7)


def traces() -> None:
    """Compare the log-odds and the joint of every visit, in every order, with the joint evaluated twice."""
    params = draw_params(*SIZES)
    for visible in VISIBLES:
        model, x = _model(visible, params), _images(1, visible)[0]
        for order in ("sequential", "random", "greedy", "parallel"):
            trace = model.map_trace(x, order=order, init="zeros", max_sweeps=6, random_state=0)
            for k in range(trace.n_visits):
                before, after = trace.latents(k), trace.latents(k + 1)
                start = trace.latents(k - k % SIZES[1]) if order == "parallel" else before
                j = int(trace.unit[k])
                what = f"{visible} {order} trace"
                same(what, trace.log_odds[k], oracles.log_odds(params, visible, x, start, j), 1e-8)
                same(what, trace.log_joint[k], oracles.log_joint(params, visible, x, after), 1e-8)


def batches() -> None:
    """Compare where batches end, from every start, and their log-odds."""
    params = draw_params(*SIZES)
    zeros = np.zeros(SIZES[1], np.uint8)
    for visible in VISIBLES:
        model, X = _model(visible, params), _images(9, visible)
        ends = [oracles.sequential_icm(params, visible, x, zeros) for x in X]
        same(f"{visible} batch", model.transform(X), ends, 0.0)
        alone = [[oracles.log_odds(params, visible, x, zeros, j) > 0 for j in range(SIZES[1])] for x in X]
        for x, h in zip(X, np.array(alone, np.uint8), strict=True):
            same(f"{visible} start", model.map_trace(x, init="conditional").h0, h, 0.0)
        evidence = (
            X @ params.W + params.d
            if visible == "bernoulli"
            else ((X - params.b) @ params.W - 0.5 * (params.W**2).sum(axis=0) + params.d)
        )
        for x, z in zip(X, evidence, strict=True):
            same(f"{visible} start", model.map_trace(x, init="paper").h0, z > 0, 0.0)
        H = np.random.default_rng(1).integers(0, 2, (9, SIZES[1])).astype(np.uint8)
        odds = [
            [oracles.log_odds(params, visible, x, h, j) for j in range(SIZES[1])]
            for x, h in zip(X, H, strict=True)
        ]
        same(f"{visible} log-odds", model.conditional_log_odds(X, [H])[0], odds, 1e-8)
        _on_threads_and_alone(f"{visible} batch", lambda model=model, X=X: (model.transform(X),))


def evidence() -> None:
    """Compare the part of the log-odds that other latents do not change, in single precision."""
    from lrbn_viz.lrbn.kernel_params import prepare_params
    from lrbn_viz.lrbn.model import make_params
    from lrbn_viz.lrbn.start import fixed_log_odds

    params, X = draw_params(SIZES[0], 21), _images(19).astype(float)
    made = make_params(*params)
    prepared = prepare_params(made, "bernoulli", np.float32)

    def fixed() -> tuple[NDArray]:
        return (fixed_log_odds(made, "bernoulli", prepared, X),)

    same("evidence", fixed()[0], X @ params.W + params.d, 1e-5)
    _on_threads_and_alone("evidence", fixed)


def exact() -> None:
    """Compare the posterior over all states, interactions, and mean field's fixed point."""
    from lrbn_viz.measure.divergence import approximations
    from lrbn_viz.measure.explanation import exact_posterior, explain_away

    for visible in VISIBLES:
        params = draw_params(9, 5, 0.6)
        model, x = _model(visible, params), _images(1, visible, 9)[0]
        joints = oracles.log_joint(params, visible, x, oracles.states(5))
        p = np.exp(joints - np.logaddexp.reduce(joints))
        found = exact_posterior(model, x)
        same(f"{visible} posterior", found.probabilities, p, 1e-10)
        same(f"{visible} evidence", found.log_evidence, np.logaddexp.reduce(joints), 1e-10)
        h = np.zeros(5, np.uint8)
        pairs = np.zeros((5, 5))
        for j in range(5):
            for k in range(5):
                if j != k:
                    on = h.copy()
                    on[k] = 1
                    pairs[j, k] = oracles.log_odds(params, visible, x, on, j) - oracles.log_odds(
                        params, visible, x, h, j
                    )
        same(f"{visible} interactions", explain_away(model, x, h), pairs, 1e-8)
        q = approximations(model, x, h, posterior=found, n_samples=20, burn_in=1)["mean_field"].marginals
        H = oracles.states(5)
        for j in range(5):
            others = np.prod(np.where(H == 1, q, 1 - q), axis=1) / np.where(H[:, j] == 1, q[j], 1 - q[j])
            odds = (others * joints * (2.0 * H[:, j] - 1.0)).sum()
            same(f"{visible} mean field", q[j], oracles.sigmoid(odds), 1e-4)


def regression() -> None:
    """Compare the M-step: gradient, fit and step."""
    from lrbn_viz.lrbn.model import make_params
    from lrbn_viz.lrbn.regression import binary_activation, regress

    params = draw_params(133, 6)
    X = _images(20, n_v=133).astype(float)
    H = np.random.default_rng(2).integers(0, 2, (20, 6)).astype(float)
    made = make_params(*params)
    a = H @ params.W.T + params.b
    same("activations", binary_activation(made, H), a, 1e-11)
    found = regress(made, X, H, 0.9, 0.5)
    residual = X - oracles.sigmoid(a)
    W, b, d = residual.T @ H / 20, residual.mean(axis=0), (H - oracles.sigmoid(params.d)).mean(axis=0)
    for name, one, other in zip("Wbd", found.gradient, (W, b, d), strict=True):
        same(f"gradient of {name}", one, other, 1e-10)
    same("step", found.updated, 0.9 * params.W + 0.5 * W, 1e-10)
    same("fit", found.fit[0], (X * a - oracles.softplus(a)).sum(axis=1), 1e-9)
    same("wrong pixels", found.fit[1], ((a > 0) != (X > 0)).sum(axis=1), 0.0)
    _on_threads_and_alone("M-step", lambda: (*regress(made, X, H).gradient, binary_activation(made, H)))


def whole_passes() -> None:
    """Compare the M-step over all images: value and gradient of a block of pixels."""
    from lrbn_viz.lrbn.logistic import PIXELS, Piece, evaluate

    rng = np.random.default_rng(3)
    X, H = rng.integers(0, 2, (70, PIXELS)), rng.integers(0, 2, (70, 11))
    theta, ridge = rng.normal(0, 1, (12, PIXELS)), 0.5
    pieces = [Piece(*(np.packbits(each, axis=1, bitorder="little") for each in (H, X)))]
    found = evaluate(pieces, theta, ridge)
    W, b = theta[:-1], theta[-1]
    a = H @ W + b
    p = oracles.sigmoid(a)
    loss = (oracles.softplus(a) - X * a).sum(axis=0)
    value = loss + 0.5 * ridge * np.square(W).sum(axis=0) + oracles.softplus(b) - 0.5 * b
    slope = np.vstack([H.T @ (p - X) + ridge * W, (p - X).sum(axis=0) + oracles.sigmoid(b) - 0.5])
    same("loss of all images", found.loss, loss, 1e-9)
    same("value of all images", found.value, value, 1e-9)
    same("gradient of all images", found.gradient, slope, 1e-10)
    same("curvature", found.curvature, (p * (1 - p)).sum(axis=0), 1e-10)
    same("wrong pixels of all images", found.wrong, ((a > 0) != (X > 0)).sum(axis=0), 0.0)
    _on_threads_and_alone("M-step over all images", lambda: tuple(evaluate(pieces, theta, ridge)))


def annealing() -> None:
    """Compare annealed importance sampling with the sum over all states, within five standard errors."""
    from lrbn_viz.lrbn.ais import log_weights, schedule
    from lrbn_viz.lrbn.model import make_params

    for visible in VISIBLES:
        params, x = draw_params(7, 4), _images(1, visible, 7)
        betas = schedule(8)

        def weigh(
            params: Params = params, x: NDArray = x, visible: Any = visible, betas: NDArray = betas
        ) -> NDArray:
            layers = (make_params(*params),)
            return log_weights(layers, visible, np.repeat(x, CHAINS, axis=0), betas, np.random.default_rng(0))

        ratio = np.exp(weigh() - oracles.log_evidence(params, visible, x[0]))
        if not abs(ratio.mean() - 1.0) <= 5 * ratio.std() / math.sqrt(CHAINS) + 1e-9:
            raise Differs(f"{visible} annealing: its mean weight is {ratio.mean():.3f} times P(x)")
        _on_threads_and_alone(f"{visible} annealing", lambda weigh=weigh: (weigh(),))


def boltzmann_machine() -> None:
    """Compare the RBM's means, draws and gradients."""
    from lrbn_viz.rivals.rbm import centring, gradient, kernels

    params = draw_params(*SIZES)
    W, b, d = (array.astype(np.float32) for array in params)
    X, V = fixed(_images(9)), _images(12)[9:]
    means = [oracles.sigmoid(Z @ params.W + params.d) for Z in (X, V)]
    keep, rate = np.float32(0.5), np.float32(0.3)
    both = np.concatenate(means).astype(np.float32)
    new = (
        keep * params.W + rate * (X.T @ means[0] / 9 - V.T @ means[1] / 3),
        params.b + rate * (X.mean(0) - V.mean(0)),
        params.d + rate * (means[0].mean(0) - means[1].mean(0)),
    )
    with PARALLEL_LOCK:
        for threads in (True, False):
            same("latent means", kernels.latent_means(W, d, X, threads), means[0], 1e-5)
            same("latent fields", kernels.latent_fields(W, d, X, threads), X @ params.W + params.d, 1e-5)
            for name, one, other in zip(
                "Wbd", gradient.ascend(W, b, d, X, V, both, rate, keep, threads), new, strict=False
            ):
                same(f"gradient of {name}", one, other, 1e-5)
            H = np.repeat(oracles.states(SIZES[1])[5:7], DRAWS, axis=0)
            drawn = kernels.sample_visible(W, b, H, np.uint64(9), threads)
            for part, h in ((drawn[:DRAWS], H[0]), (drawn[DRAWS:], H[-1])):
                near("visibles", part, oracles.sigmoid(params.W @ h + params.b))
            p = np.tile(np.array([0.0, 0.1, 0.5, 1.0], np.float32), (DRAWS, 1))
            near("latents", kernels.sample_bernoulli(p, np.uint64(3), threads), p[0])
    # A centred step is a plain one, of x - mu and h - lam.
    mu, lam = both[0, :1].repeat(SIZES[0]), both[1]
    x, v, p, q = X - mu, V - mu, means[0] - lam, means[1] - lam
    same("means of rows", centring.mean_rows(X), X.mean(axis=0), 1e-6)
    parts = (X.mean(0), V.mean(0), means[0].mean(0), means[1].mean(0))
    phases = centring.Phases(*(part.astype(np.float32) for part in parts))
    centres = centring.Centres(mu, lam)
    centres_of_step: Any = centring.centres_of_step
    centre: Any = centring.centre  # of a compiled function nobody knows the arguments
    with PARALLEL_LOCK:
        for threads in (True, False):
            centred = [array.astype(np.float32) for array in new]
            centre(W, keep, rate, phases, centres, *centred, threads)
            same("centred step", centred[0], keep * params.W + rate * (x.T @ p / 9 - v.T @ q / 3), 1e-5)
    moved = centres_of_step(centring.KINDS["centred"], phases, centres, np.float32(0.25))
    same("centres", moved.mu, mu + 0.25 * (phases.x_data - mu), 1e-6)
    # A whole step: what it learns is what its own fantasies give.
    keys = np.arange(1, 3, dtype=np.uint64)
    chains = np.random.default_rng(3).integers(0, 2, (3, SIZES[1])).astype(np.uint8)
    plain = (centring.KINDS["standard"], centring.NO_CENTRES, np.float32(0))
    _, fantasies, *stepped = gradient.sgd_step(
        W, b, d, fixed(X), chains, True, keys, rate, keep, *plain, False
    )
    q = oracles.sigmoid(fantasies @ params.W + params.d)
    expected = keep * params.W + rate * (X.T @ means[0] / 9 - fantasies.T @ q / len(fantasies))
    same("step of contrastive divergence", stepped[0], expected, 1e-5)


def particles() -> None:
    """Compare what networks with particles draw, weigh and learn."""
    from lrbn_viz.rivals.sbn import kernels

    params, V = draw_params(*SIZES), draw_params(*SIZES, seed=1)
    n, K = 4, 3
    X = _images(n).astype(np.float32)
    rng = np.random.default_rng(4)
    z = (X @ V.W + V.d).astype(np.float32)
    c, d, b = (array.astype(np.float32) for array in (V.d, params.d, params.b))
    U = rng.random((n * K, SIZES[1])).astype(np.float32)
    H = (np.repeat(oracles.sigmoid(z), K, axis=0) > U).astype(np.float32)
    g, s = rng.normal(size=(2, n, K)).astype(np.float32)
    normaliser = oracles.softplus(z).sum(axis=1) - oracles.softplus(params.d).sum()
    a = H @ params.W.T
    with PARALLEL_LOCK:
        for which in (0, 1):
            odds, means, sums = (X @ V.W).astype(np.float32), np.empty_like(z), np.empty(n)
            kernels.guess[which](odds, c, means, sums)
            same("guess", means, oracles.sigmoid(z), 1e-5)
            same("guess", sums, oracles.softplus(z).sum(axis=1), 1e-5)
            drawn = U.copy()
            kernels.draw[which](z, K, drawn)
            same("draws", drawn, H, 0.0)
            residual, weights = a.astype(np.float32), np.empty(n * K)
            kernels.weigh[which](residual, b, X, H, d, z, normaliser, K, weights)
            expected = [
                oracles.log_joint(params, "bernoulli", X[r // K], H[r])
                - (H[r] * z[r // K] - oracles.softplus(z[r // K])).sum()
                for r in range(n * K)
            ]
            same("weights", weights, expected, 2e-5)
            same("residuals", residual, X.repeat(K, axis=0) - oracles.sigmoid(a + params.b), 1e-5)
            shared, signal = H.copy(), np.empty_like(z)
            kernels.credit[which](shared, g, s, means, K, signal)
            same("credit", shared, H * g.reshape(-1, 1), 1e-6)
            parts = s[..., None] * (H.reshape(n, K, -1) - means[:, None])
            same("credit", signal, parts.sum(axis=1), 1e-5)
    in_rows, in_columns = np.zeros(X.shape, np.int32), np.zeros(X.T.shape, np.int32)
    rows, columns = np.zeros(n, np.int64), np.zeros(SIZES[0], np.int64)
    kernels.list_on(X, float(X.size), in_rows, rows, in_columns, columns)
    out = np.empty(z.shape, np.float32)
    kernels.sum_listed(in_rows, rows, V.W.astype(np.float32), out)
    same("sums of rows", out, X @ V.W, 1e-5)
    less = V.W.astype(np.float32)
    kernels.subtract_outer(less, V.W[:, 0].astype(np.float32), V.d.astype(np.float32))
    same("centred weights", less, V.W - np.outer(V.W[:, 0], V.d), 1e-5)
    value, slope, first, second, new, new_first, new_second = rng.random((7, 11)).astype(np.float32)
    mean = first + 0.1 * (slope - first)
    small = [np.float32(number) for number in (0.1, 0.05, 1.5, 1e-6)]
    total = kernels.momentum_step(value, slope, first, small[0], small[1], new, new_first)
    same("momentum", new, value + 0.05 * mean, 1e-6)
    same("momentum", total, new.sum(), 1e-5)
    shares = np.array([0.1, 0.2], np.float32)
    adam_step: Any = kernels.adam_step
    adam_step(value, slope, first, second, shares, *small[1:], new, new_first, new_second)
    root = 1.5 * np.sqrt(second + 0.2 * (slope**2 - second)) + 1e-6
    same("Adam", new, value + 0.05 * mean / root, 1e-5)


def mean_field() -> None:
    """Compare both bounds of mean field at given means, and that a sweep raises them."""
    from lrbn_viz.rivals.sbn.beliefs import first_beliefs
    from lrbn_viz.rivals.sbn.mean_field import MeanFieldSystem
    from lrbn_viz.rivals.sbn.model import LayerNetworks
    from lrbn_viz.rivals.sbn.particles import as_floats
    from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem

    params, V = draw_params(*SIZES), draw_params(*SIZES, seed=1)
    X = _images(5)
    start = np.random.default_rng(6).uniform(0.05, 0.95, (5, SIZES[1])).astype(np.float32)
    networks = LayerNetworks(*params, V.W, V.d)
    for system in (MeanFieldSystem(SIZES[1]), VariationalBayesSystem(SIZES[1])):
        state = system.resume((networks,), np.random.default_rng(0))
        tilted = isinstance(system, MeanFieldSystem)
        if not tilted:
            state = state._replace(posterior=tuple(first_beliefs(*SIZES, 5)))
        images = as_floats(X, system.work)
        field = system.infer(state, images, (start.copy(),), 0)
        for m in range(5):
            q = field.Q[m].astype(float)
            bound = (
                oracles.tilted_bound(params, X[m], q, field.rest[2][m].astype(float))
                if tilted
                else oracles.quadratic_bound(params, X[m], q)
            )
            same("bound of mean field", field.bounds[m], bound, 3e-5)
        if tilted:
            along = system.slopes(state, images, field)[0].astype(float)
            _slope_of_tilted(params, X, field, along)
        before = field.bounds.copy()
        ends = system.infer(state, images, (start.copy(),), 30)
        if not (ends.bounds > before).all():
            raise Differs("mean field: its sweeps do not raise the bound")

        def bounds(system: Any = system, state: Any = state, images: NDArray = images) -> tuple[NDArray, ...]:
            found = system.infer(state, images, (start.copy(),), 2)
            slopes = system.slopes(state, images, found)
            return (found.Q.copy(), found.bounds.copy(), *(np.array(each) for each in slopes))

        _on_threads_and_alone("mean field", bounds)


def _slope_of_tilted(params: Params, X: NDArray, field: Any, along: NDArray) -> None:
    """Compare a few slopes of the tilted bound in W with differences."""
    tilts = field.rest[2].astype(float)
    for i, j in ((0, 0), (20, 3), (36, 5)):
        sides = []
        for step in (1e-4, -1e-4):
            W = params.W.copy()
            W[i, j] += step
            moved = params._replace(W=W)
            sides.append(
                np.mean(
                    [
                        oracles.tilted_bound(moved, x, q.astype(float), t)
                        for x, q, t in zip(X, field.Q, tilts, strict=True)
                    ]
                )
            )
        same("slope of mean field", along[i, j], (sides[0] - sides[1]) / 2e-4, 2e-4)


def means_of_one_image() -> None:
    """Compare each bound of mean field of an image, its log-odds with slopes, and where its visits end."""
    from lrbn_viz.lrbn.means import moments as means
    from lrbn_viz.lrbn.means.trace import guess_trace, passed_up
    from lrbn_viz.lrbn.means.visits import TILT
    from lrbn_viz.rivals.dbm.model import LayerMeans
    from lrbn_viz.rivals.dbn.model import DBNParams, TopMoments
    from lrbn_viz.rivals.sbn.model import LayerNetworks, fill_thresholds

    params, above = draw_params(*SIZES), draw_params(SIZES[1], 3, seed=1)
    x, q = _images(1)[0].astype(float), np.random.default_rng(6).uniform(0.05, 0.95, SIZES[1] + 3)
    networks = LayerNetworks(*params, params.W, params.d)
    low = networks.generative
    high = low._replace(W=above.W, b=params.d, d=above.d)
    lower, upper = np.split(q, SIZES[1:])
    H = oracles.states(SIZES[1])
    joints = oracles.log_joint(params, "bernoulli", x, H)
    log_joints = np.empty(len(H))
    log_joints[H.astype(int) @ (1 << np.arange(SIZES[1]))] = joints
    joint = np.prod(np.where(H == 1, lower, 1 - lower), axis=1) @ joints
    prior = oracles.entropy_and_prior(params, lower)
    entropy = prior - float((lower * params.d - oracles.softplus(params.d)).sum())
    quadratic = oracles.quadratic_bound(params, x, lower)
    mean, variance = params.W @ lower + params.b, params.W**2 @ (lower * (1 - lower))
    gaussian = -0.5 * float(((x - mean) ** 2 + variance + math.log(2 * math.pi)).sum()) + prior
    activations = above.W.T @ lower + above.d
    entropy_above = oracles.entropy_and_prior(above, upper) + oracles.softplus(above.d).sum()
    linked = x @ (params.W @ lower + params.b) + params.d @ lower + lower @ above.W @ upper
    tilted = means.TiltedMoments(low, x, lower)
    tilts = tilted.kernel_arguments[1].tilts[TILT]
    found: dict[str, tuple[means.LayerMoments, float]] = {
        "quadratic": (means.Moments(low, x, lower), quadratic),
        "gaussian": (means.GaussianMoments(low, x, lower), gaussian),
        "tilted": (tilted, oracles.tilted_bound(params, x, lower, tilts)),
        "exact": (means.ExactMoments(low, x, lower, log_joints), joint + entropy),
        "layers": (
            means.LayerMoments([low, high], x, q),
            quadratic
            - prior
            + entropy
            + oracles.quadratic_bound(Params(above.W, params.d, above.d), lower, upper),
        ),
        "RBM above": (
            TopMoments(DBNParams(networks, high), x, lower),
            quadratic + oracles.softplus(params.d).sum() + oracles.softplus(activations).sum(),
        ),
        "undirected": (LayerMeans((low, high), x, q), linked + entropy + entropy_above),
    }
    for kind, (moments, bound) in found.items():
        same(f"{kind} bound of one image", moments.bound(), bound, 1e-8)
        before, odds = moments.q[2], moments.log_odds(2)
        sides = []
        for step in (1e-4, -1e-4):
            moments.move(2, before + step)
            sides.append(moments.bound())
        moments.move(2, before)
        slope = (sides[0] - sides[1]) / 2e-4 + math.log(before / (1.0 - before))
        same(f"{kind} log-odds of one image", odds, slope, 1e-4)
        trace = guess_trace(None, moments, {}, 500, "directed")
        if not (np.diff(trace.log_joint) > -1e-9).all():
            raise Differs(f"{kind} mean field of one image: a visit lowers the bound")
        odds = [moments.log_odds(j) for j in range(len(moments.q))]
        same(f"{kind} means of one image", moments.q, oracles.sigmoid(np.array(odds)), 2e-3)
    same("pass up", passed_up(params.W, params.d, x, {})[0], x @ params.W + params.d)
    thresholds = np.empty(SIZES[1])
    fill_thresholds(np.ascontiguousarray(params.W.T), params.b, params.d, thresholds)
    alone = (oracles.softplus(params.b[:, None]) - oracles.softplus(params.b[:, None] + params.W)).sum(axis=0)
    same("thresholds", thresholds, params.d + alone)


def known_in_part() -> None:
    """Compare traces and batches of images whose pixels are known in part with those of the known pixels."""
    from lrbn_viz.estimators.rbm import RBM
    from lrbn_viz.lrbn.batch_kernel import infer_batch
    from lrbn_viz.lrbn.kernel_params import prepare_params
    from lrbn_viz.lrbn.model import make_params

    params, zeros = draw_params(*SIZES), np.zeros(SIZES[1], np.uint8)
    unknown = np.arange(SIZES[0]) % 3 == 1
    seen = ~unknown
    part = Params(params.W[seen], params.b[seen], params.d)
    for visible in VISIBLES:
        model, X = _model(visible, params), np.where(unknown, np.nan, _images(16, visible))
        for init in ("zeros", "conditional", "paper"):
            trace = model.map_trace(X[0], init=init, max_sweeps=6)
            for k in range(trace.n_visits):
                what, x, after = f"{visible} trace of a part", X[0][seen], trace.latents(k + 1)
                odds = oracles.log_odds(part, visible, x, trace.latents(k), int(trace.unit[k]))
                same(what, trace.log_odds[k], odds, 1e-8)
                same(what, trace.log_joint[k], oracles.log_joint(part, visible, x, after), 1e-8)
        ends = [oracles.sequential_icm(part, visible, x[seen], zeros) for x in X]
        same(f"{visible} batch of parts", model.transform(X), ends, 0.0)
        alone = [[oracles.log_odds(part, visible, x[seen], zeros, j) > 0 for j in range(SIZES[1])] for x in X]
        made, none = make_params(*params), np.random.default_rng(0)
        prepared = prepare_params(made, visible)
        for n in (3, len(X)):  # few, whose terms are summed for each, and many
            start = infer_batch(made, visible, prepared, X[:n], "conditional", np.zeros(0), 0, none).H
            same(f"{visible} starts of parts", start, np.array(alone, np.uint8)[:n], 0.0)
    # so many visits that these images are inferred by a W'W of their own
    wide = draw_params(700, SIZES[1], 0.05)
    X = np.random.default_rng(3).normal(size=(8, 700))
    X[:, ::5] = np.nan
    made, rest = make_params(*wide), np.arange(700) % 5 > 0
    known = Params(wide.W[rest], wide.b[rest], wide.d)
    prepared = prepare_params(made, "gaussian")
    found = infer_batch(made, "gaussian", prepared, X, "zeros", np.zeros(100), 50, np.random.default_rng(0))
    ends = [oracles.sequential_icm(known, "gaussian", x[rest], zeros) for x in X]
    same("batch of one pattern", found.H, ends, 0.0)

    x = np.where(unknown, np.nan, _images(1)[0])
    trace = RBM.from_params(*params).map_trace(x)

    def joint(h: NDArray) -> float:
        a = params.W @ h + params.b
        return float(np.where(unknown, oracles.softplus(a), np.nan_to_num(x) * a).sum() + params.d @ h)

    for k in range(trace.n_visits):
        off, on = trace.latents(k), trace.latents(k)
        off[trace.unit[k]], on[trace.unit[k]] = 0, 1
        same("RBM's trace of a part", trace.log_odds[k], joint(on) - joint(off), 1e-8)
        same("RBM's trace of a part", trace.log_joint[k], joint(trace.latents(k + 1)), 1e-8)


def several_layers() -> None:
    """Compare the joint after every visit to two layers with its factors."""
    from lrbn_viz.estimators.lrbn import LRBN

    low, high = draw_params(*SIZES), draw_params(SIZES[1], 3, seed=1)
    above = Params(high.W, low.d, high.d)
    for visible in VISIBLES:
        model: Any = LRBN.from_params(*low, visible, U=high.W, e=high.d)
        x = _images(1, visible)[0]
        trace = model.map_trace(x, init="zeros", max_sweeps=4)
        for k in range(trace.n_visits + 1):
            h, g = np.split(trace.latents(k), [SIZES[1]])
            first = oracles.log_joint(low, visible, x, h) - float((h * low.d - oracles.softplus(low.d)).sum())
            same(
                f"{visible} joint of two layers",
                trace.log_joint_at(k),
                first + oracles.log_joint(above, "bernoulli", h, g),
                1e-8,
            )


def steps() -> None:
    """Compare steps along a gradient, their rates, and what is drawn on the way."""
    from lrbn_viz.kernels.passes import add_noise, fill_draws
    from lrbn_viz.lrbn.hard_em import HardEM
    from lrbn_viz.lrbn.model import make_params
    from lrbn_viz.lrbn.regression import activate_image, fill_means
    from lrbn_viz.lrbn.traced import cooling

    params, X = draw_params(*SIZES), _images(9).astype(float)
    H = np.random.default_rng(2).integers(0, 2, (9, SIZES[1])).astype(float)
    a = H @ params.W.T + params.b
    residual = X - oracles.sigmoid(a)
    slope = residual.T @ H / 9, residual.mean(axis=0), (H - oracles.sigmoid(params.d)).mean(axis=0)
    system = HardEM(
        n_h=SIZES[1],
        momentum=0.5,
        weight_decay=0.1,
        decay_b=True,
        prior="warmed",
        warm_up=2.0,
        decay_steps=8.0,
    )
    state = system.from_params(make_params(*params))._replace(step=3)
    rate = 0.25 / (1.0 + 3 / 8.0)
    new, _ = system.learn(state, X, H)
    keep, rates = 1.0 - 0.1 * rate, (rate, rate, 0.5 * rate)
    for name, one, old, gain, own in zip("Wbd", new.params, params, slope, rates, strict=True):
        same(f"step of {name}", one, (1.0 if name == "d" else keep) * old + own * gain, 1e-10)
    rows, states = np.ascontiguousarray(params.W.T), H.astype(np.uint8)
    means, drawn, one = np.empty(a.shape), np.empty(a.shape, np.uint8), np.empty(SIZES[0])
    uniforms = np.random.default_rng(3).random(a.shape)
    fill_means(False, rows, params.b, states, means)
    same("means given latents", means, oracles.sigmoid(a), 1e-12)
    activate_image(rows, params.b, states[0], one)
    same("activations of an image", one, a[0], 1e-12)
    fill_draws(means, uniforms, drawn)
    same("draws", drawn, uniforms < means, 0.0)
    precision, images = np.random.default_rng(4).uniform(0.5, 2.0, SIZES[0]), np.empty(a.shape)
    add_noise(means, uniforms, precision, images)
    same("draws around means", images, means + uniforms * precision**-0.5, 1e-12)
    same("temperatures", cooling(7, 3.0, 0.1), np.geomspace(3.0, 0.1, 7), 1e-12)


def sizes_of_steps() -> None:
    """Compare the rates of steps, what they keep, and which of them are averaged."""
    from lrbn_viz.kernels import steps as sizes
    from lrbn_viz.rivals.rbm.centring import CENTRED, STANDARD, share_of_latest
    from lrbn_viz.rivals.sbn.kernels import share_of_gradient

    same("rate that halves", sizes.falling_rate(0.4, 10.0, 30), 0.1, 1e-12)
    shares = [sizes.share_done(step, 5) for step in range(6)]
    same("shares of a run", shares, [0.0, 0.25, 0.5, 0.75, 1.0, 1.0], 1e-12)
    rates = [sizes.rate_at(share, 0.4, 0.025) for share in shares[:5]]
    same("rate that falls to an end", rates, np.geomspace(0.4, 0.025, 5), 1e-12)
    same("steps before those averaged", [sizes.first_averaged(s, 8) for s in (0.25, 1.0, 0.01)], [6, 0, 7])
    same("share that is kept", sizes.kept_share(0.5, 0.1), 0.95, 1e-12)
    odds = np.random.default_rng(4).normal(0, 3, (2, 5))
    same("log-odds for a weighted likelihood", sizes.weighed(odds, 1.5), odds / 1.5, 1e-12)
    means = [share_of_latest(CENTRED, step) for step in (0, 1, 500)]
    same("shares of moving averages", [*means, share_of_latest(STANDARD, 3)], [1.0, 0.5, 0.01, 1.0], 1e-12)
    same("share of a new gradient", share_of_gradient(0.9), 0.1, 1e-12)


def distances() -> None:
    """Compare distributions over all states, their distances from a posterior, and means under them."""
    from lrbn_viz.kernels import posterior as kernels
    from lrbn_viz.kernels.units import KINDS

    params, x, n_h = draw_params(9, 5, 0.6), _images(1, n_v=9)[0].astype(float), 5
    rows, H = np.ascontiguousarray(params.W.T), oracles.states(n_h)
    places = H.astype(int) @ (1 << np.arange(n_h))
    joints, log_joints = oracles.log_joint(params, "bernoulli", x, H), np.empty(2**n_h)
    log_joints[places] = joints
    evidence = oracles.log_evidence(params, "bernoulli", x)
    p = np.exp(log_joints - evidence)

    def apart(q: NDArray) -> list[float]:
        some = q > 0
        kl = (q[some] * (np.log(q[some]) - log_joints[some] + evidence)).sum()
        return [float(kl), float(0.5 * np.abs(q - p).sum())]

    unit, after = np.array([1, 3, 1]), np.array([1, 1, 0], np.uint8)
    kl, variation, q = np.empty(4), np.empty(4), np.empty(2**n_h)
    kernels.distances_of_states(log_joints, evidence, unit, after, 4, kl, variation)
    for k, code in enumerate((4, 6, 14, 12)):
        same("distances of states", [kl[k], variation[k]], apart(np.eye(2**n_h)[code]), 1e-9)
    on, values = np.linspace(0.1, 0.9, n_h), np.array([0.3, 0.8, 0.6])
    begun = on.copy()
    kernels.distances_of_means(log_joints, evidence, p, on, unit, values, q, kl, variation)
    for k in range(4):
        if k:
            begun[unit[k - 1]] = values[k - 1]
        product = np.empty(2**n_h)
        product[places] = np.prod(np.where(H == 1, begun, 1 - begun), axis=1)
        same("distances of means", [kl[k], variation[k]], apart(product), 1e-9)
    code, place, shares = np.array([3, 9]), np.array([0, 1, 0, 1]), np.array([1.0, 0.5, 0.25, 0.125])
    kernels.distances_of_particles(log_joints, evidence, code, place, shares, np.empty(2), kl, variation)
    mixed = np.zeros(2**n_h)
    for k in range(4):
        mixed *= 1.0 - shares[k]
        mixed[code[place[k]]] += shares[k]
        same("distances of particles", [kl[k], variation[k]], apart(mixed), 1e-9)
    turned = np.empty(2**n_h)
    kernels.turn_round(log_joints, turned)
    same("latents from the last one down", turned[H[:, ::-1].astype(int) @ (1 << np.arange(n_h))], joints)
    a, marginals = params.b + H @ params.W.T, np.empty(n_h)
    causes = np.abs(rows), np.abs(params.b)
    for kind, given, mean in (
        ("bernoulli", (rows, params.b), oracles.sigmoid(a)),
        ("gaussian", (rows, params.b), a),
        ("noisy-or", causes, 1.0 - np.exp(-causes[1] - H @ causes[0])),
    ):
        found = np.empty((1, 9))
        kernels.expected_visibles(KINDS[kind], *given, p[None], np.empty(9), found)
        same(f"expected {kind} units", found[0], p[places] @ mean, 1e-9)
    x[2] = np.nan
    seen = ~np.isnan(x)
    kernels.fill_apart(rows, params.d, x, marginals)
    same("each latent by itself", marginals, oracles.sigmoid(params.d + x[seen] @ params.W[seen]))
    kernels.enumerate_independent(rows, params.b, params.d, x, np.empty(n_h), np.empty(9), q)
    undirected = H @ params.d + np.where(seen, np.nan_to_num(x) * a, oracles.softplus(a)).sum(axis=1)
    same("an RBM's states", q[places], undirected, 1e-9)


def particles_of_an_image() -> None:
    """Compare the particles of one image and what their weights give one after another."""
    from lrbn_viz.kernels.numerics import errors_of_means
    from lrbn_viz.kernels.particles import draw_layer, means_along, sizes_along, weigh_along

    params, rng = draw_params(*SIZES), np.random.default_rng(8)
    x, n = _images(1), 40
    u, log_q, H = rng.random((n, SIZES[1])), np.zeros(n), np.empty((n, SIZES[1]), np.uint8)
    held = np.where(np.arange(SIZES[1]) == 2, 50.0, np.nan)
    scratch = np.empty(SIZES[1]), np.empty(SIZES[1])
    draw_layer(np.ascontiguousarray(params.W), params.d, x, held, u, scratch[0], scratch[1], H, log_q)
    z = np.where(np.isnan(held), x[0] @ params.W + params.d, held)
    same("particles", H, u < oracles.sigmoid(z), 0.0)
    same("log q of particles", log_q, (H * z - oracles.softplus(z)).sum(axis=1))
    log_weights, estimates, shares = rng.normal(0, 3, n), np.empty(n), np.empty(n)
    weigh_along(log_weights, estimates, shares)
    sums = np.logaddexp.accumulate(log_weights)
    same("estimates of log P(x)", estimates, sums - np.log(np.arange(1, n + 1)))
    same("shares of particles", shares, np.exp(log_weights - sums))
    means = np.empty((n, SIZES[1]))
    means_along(H, shares, means)
    sizes_along(shares, estimates)
    squares = np.logaddexp.accumulate(2.0 * log_weights)
    same("effective sample sizes", estimates, np.exp(2.0 * sums - squares))
    weights = np.exp(log_weights)[:, None]
    same("means of particles", means, np.cumsum(weights * H, axis=0) / np.cumsum(weights, axis=0))
    a, target = means @ params.W.T + params.b, x[0].astype(float)
    target[3] = np.nan
    errors, known = np.empty(n), ~np.isnan(target)
    for squared, wanted in ((True, (a - target) ** 2), (False, (a > 0) != (target > 0))):
        rows = np.ascontiguousarray(params.W.T)
        errors_of_means(rows, params.b, means, target[None], squared, np.empty(SIZES[0]), errors)
        same("errors of means", errors, wanted[:, known].sum(axis=1))
        images = a[:1:-1].copy()  # of each of these means its own
        errors_of_means(rows, params.b, means[2:], images, squared, np.empty(SIZES[0]), errors[2:])
        each = (a[2:] - images) ** 2 if squared else (a[2:] > 0) != (images > 0)
        same("errors of several images", errors[2:], each.sum(axis=1))


def terms() -> None:
    """Compare the terms of a decision, of every kind of visible units, with the two joints."""
    from lrbn_viz.kernels import units

    rng = np.random.default_rng(4)
    w, b, rest, x = (np.abs(rng.normal(0.5, 1.0, 20)) for _ in range(4))

    def log_p(kind: str, x: NDArray, a: NDArray) -> NDArray:
        if kind == "bernoulli":
            return x * a - oracles.softplus(a)
        return -0.5 * (x - a) ** 2 if kind == "gaussian" else np.where(x > 0.5, np.log1p(-np.exp(-a)), -a)

    for kind, number in units.KINDS.items():
        values = x if kind == "gaussian" else (x > 1.0).astype(float)
        found = np.empty((3, 20))
        units.fill_terms(number, w, b, values, b + rest, *found)
        change = log_p(kind, values, b + rest + w) - log_p(kind, values, b + rest)
        same(f"terms of {kind} units", found.sum(axis=0), change)
        one = [units.mean_of(number, a) for a in b]
        mean = {"bernoulli": oracles.sigmoid(b), "gaussian": b, "noisy-or": 1.0 - np.exp(-b)}[kind]
        same(f"means of {kind} units", one, mean)
        if kind == "bernoulli":
            rise = oracles.softplus(b + w) - oracles.softplus(b)
        else:
            rise = w * b + 0.5 * w**2 if kind == "gaussian" else w
        raised = [units.raised_by(number, a, weight) for a, weight in zip(b, w, strict=True)]
        same(f"log normaliser of {kind} units", raised, rise)
        if kind == "gaussian":
            continue
        for value in (0.0, 1.0):
            # log(1 - s + s f) plus what x gives is the change of the log-likelihood
            on = np.array([units.share_on(number, value, a) for a in b])
            off = np.array([units.share_off(number, value, a) for a in b])
            factor = np.exp(w) if kind == "bernoulli" else np.exp(-w)
            of_x = value * w if kind == "bernoulli" else (value - 1.0) * w
            sign = -1.0 if kind == "bernoulli" else 1.0
            change = log_p(kind, np.full(20, value), b + w) - log_p(kind, np.full(20, value), b)
            same(f"shares of {kind} units", sign * np.log(off + on * factor) + of_x, change)


def paths() -> None:
    """Compare the codes between two, each one flip further, with the joint of each and its best image."""
    from lrbn_viz.kernels.paths import flip_along

    params, upper = draw_params(*SIZES), draw_params(SIZES[1], 4)
    start = np.array([1, 0, 1, 1, 0, 0, 1, 0, 0, 1], np.uint8)
    for directed, layers in ((False, [params]), (True, [params]), (True, [params, upper])):
        sizes = [SIZES[0], *(len(layer.d) for layer in layers)]
        first = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        weights = np.concatenate([layer.W.T.ravel() for layer in layers])
        bias = np.concatenate([*(layer.b for layer in layers), layers[-1].d])

        def joint(code: NDArray, directed: bool = directed, layers: Any = layers) -> float:
            a = params.W @ code[: SIZES[1]] + params.b
            total = (-oracles.softplus(-np.abs(a)) if directed else np.maximum(a, 0.0)).sum()
            h = code[: SIZES[1]]
            for layer in layers[1:]:
                odds, h = layer.W @ code[SIZES[1] :] + layer.b, code[SIZES[1] :]
                total += (code[: SIZES[1]] * odds - oracles.softplus(odds)).sum()
            return total + h @ layers[-1].d - directed * oracles.softplus(layers[-1].d).sum()

        for best in (False, True):
            h = start[: first[-1] - first[1]].copy()
            units, found = np.arange(len(h), dtype=np.int32), np.empty(len(h) + 1)
            flip_along(directed, best, first, weights, bias, h.copy(), np.empty(first[-1]), units, found)
            same("the units of a path", np.sort(units), np.arange(len(h)))
            if not best:
                same("units by number", units, np.arange(len(h)))
            for step, unit in enumerate(units):
                same("the joint on a path", found[step], joint(h))
                if best:
                    reached = [joint(np.where(np.arange(len(h)) == j, 1 - h, h)) for j in units[step:]]
                    same("the best flip", reached[0], max(reached))
                h[unit] = 1 - h[unit]
            same("the joint at the end of a path", found[-1], joint(h))


def horseshoe() -> None:
    """Compare the prior of weights with its Bessel functions, and what images say of weights, with sums."""
    from scipy.special import k0e, k1e

    from lrbn_viz.kernels.numerics import run_kernel
    from lrbn_viz.rivals.sbn.beliefs import first_beliefs
    from lrbn_viz.rivals.sbn.horseshoe import renew_use

    rng = np.random.default_rng(7)
    W, rate, use, added = (rng.uniform(0.01, 2.0, SIZES).astype(np.float32) for _ in range(4))
    beliefs = first_beliefs(*SIZES, 50)._replace(rate=rate, use=use, column_rate=np.arange(0.5, SIZES[1]))
    variance = beliefs.variance
    double = 2.0 * rate.astype(float)
    squares = W.astype(float) ** 2 + variance
    root = np.sqrt(double * squares)
    means = k1e(root) / k0e(root) / root

    def fitted() -> tuple[NDArray, ...]:
        return beliefs.fitted(W, variance)[2:]

    shrinkage, new_rate, column_rate, _ = fitted()
    same("shrinkage of the horseshoe", shrinkage, means * double, 1e-6)
    same("rates of the horseshoe", new_rate, 1.0 / (means * squares + beliefs.column_rate), 1e-6)
    same(
        "rate of a column", column_rate, 0.5 * (SIZES[0] + 1) / (new_rate.sum(axis=0, dtype=float) + 1), 1e-6
    )
    _on_threads_and_alone("horseshoe", fitted)

    kept, share, n_images = np.float32(0.9), np.float32(0.1 / 8), np.float32(50)

    def renewed() -> tuple[NDArray, ...]:
        after, sums = use.copy(), np.empty((SIZES[0], 2), np.float32)
        run_kernel(renew_use, W.size, W, shrinkage, added, kept, share, n_images, after, sums)
        return after, sums

    after, sums = renewed()
    same("what images say of weights", after, kept * use + share * added, 1e-6)
    new_variance = 1.0 / (shrinkage + n_images * after)
    same("sum of standard deviations", sums[:, 0], np.sqrt(new_variance).sum(axis=1), 1e-5)
    same("weights near 0", sums[:, 1], (4 * new_variance > W**2).sum(axis=1), 0.0)
    _on_threads_and_alone("what images say of weights", renewed)


TESTS: dict[str, Callable[[], None]] = {
    "numbers": scalars,
    "exp and log": elementary,
    "traces": traces,
    "batches": batches,
    "evidence": evidence,
    "pixels not known": known_in_part,
    "several layers": several_layers,
    "steps": steps,
    "sizes of steps": sizes_of_steps,
    "posterior": exact,
    "M-step": regression,
    "M-step over all images": whole_passes,
    "annealing": annealing,
    "undirected layers": boltzmann_machine,
    "particles": particles,
    "mean field": mean_field,
    "means of one image": means_of_one_image,
    "distances": distances,
    "particles of one image": particles_of_an_image,
    "terms of a decision": terms,
    "paths between codes": paths,
    "prior of weights": horseshoe,
}
"""Tests by name; together they run every kernel."""


def self_test() -> Iterator[Finding]:
    """Run every test, and say of each whether its kernels compute what they should."""
    for name, test in TESTS.items():
        part = f"kernels {name}"
        try:
            test()
        except Differs as error:
            yield Finding(part, "wrong", f"{error}. Delete the kernel cache, and run this again.")
        except Exception as error:  # whatever it is, it is to be in the report
            yield Finding(part, "wrong", f"they do not run: {type(error).__name__}: {error}")
        else:
            yield Finding(part, "ok", "as their formulas say")
