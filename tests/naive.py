"""Slow and obviously right: the paper's equations evaluated directly, to check the engine against.

Nothing here imports the engine. Parameters come as any object with attributes ``W`` (n_v, n_h), ``b`` (n_v,)
and ``d`` (n_h,); `visible` is "bernoulli", "gaussian" or "noisy-or"; log-probabilities are in nats. A
conditional is obtained by evaluating the joint twice, the posterior by listing all ``2**n_h`` states, a
gradient by moving one parameter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray


class Params(NamedTuple):
    """Weights (n_v, n_h), offsets (n_v,) and prior log-odds (n_h,) of one layer."""

    W: NDArray[np.float64]
    b: NDArray[np.float64]
    d: NDArray[np.float64]


class Visit(NamedTuple):
    """One visit of one latent: the fields of a row of the engine's trace."""

    unit: int
    after: int
    flipped: bool
    log_odds: float
    log_joint: float
    sweep: int


class Posterior(NamedTuple):
    """P(h | x) by enumeration; `states` (2**n_h, n_h) and `probabilities` (2**n_h,) row by row."""

    states: NDArray[np.uint8]
    probabilities: NDArray[np.float64]
    log_joints: NDArray[np.float64]
    log_evidence: float
    marginals: NDArray[np.float64]
    covariance: NDArray[np.float64]
    map_state: NDArray[np.uint8]
    map_log_joint: float


def softplus(a: float) -> float:
    """``log(1 + exp(a))`` without overflow."""
    return max(a, 0.0) + math.log1p(math.exp(-abs(a)))


def sigmoid(a: float) -> float:
    """``1 / (1 + exp(-a))`` without overflow."""
    return 1 / (1 + math.exp(-a)) if a >= 0 else math.exp(a) / (1 + math.exp(a))


def activations(params, h: ArrayLike) -> list[float]:
    """``a_i = sum_j w_ij h_j + b_i``, each sum correctly rounded."""
    on = np.flatnonzero(np.asarray(h))
    return [math.fsum([b, *row[on]]) for row, b in zip(params.W, params.b, strict=True)]


def log_prior(params, h: ArrayLike) -> float:
    """``log P(h) = d'h - sum_j softplus(d_j)``: independent Bernoulli latents (equation 1)."""
    return math.fsum(d * on - softplus(d) for d, on in zip(params.d, np.asarray(h), strict=True))


def log_likelihood(params, visible: str, x: ArrayLike, h: ArrayLike) -> float:
    """``log P(x | h)``: Bernoulli (equation 2), unit-variance Gaussian (equation 5) or noisy-or visibles."""
    pairs = zip(np.asarray(x, dtype=float), activations(params, h), strict=True)
    if visible == "bernoulli":
        return math.fsum(xi * a - softplus(a) for xi, a in pairs)
    if visible == "noisy-or":
        return math.fsum(math.log(1.0 - math.exp(-a)) if xi else -a for xi, a in pairs)
    return math.fsum(-0.5 * (xi - a) ** 2 - 0.5 * math.log(2 * math.pi) for xi, a in pairs)


def log_joint(params, visible: str, x: ArrayLike, h: ArrayLike) -> float:
    """``log P(x, h)``, normalised (equations 3 and 6)."""
    return log_likelihood(params, visible, x, h) + log_prior(params, h)


def with_unit(h: ArrayLike, j: int, value: int) -> NDArray[np.uint8]:
    """A copy of `h` with unit j set."""
    copy = np.array(h, dtype=np.uint8)
    copy[j] = value
    return copy


def log_odds(params, visible: str, x: ArrayLike, h: ArrayLike, j: int) -> float:
    """``logit P(h_j = 1 | x, h_-j)``: the joint evaluated twice."""
    return log_joint(params, visible, x, with_unit(h, j, 1)) - log_joint(
        params, visible, x, with_unit(h, j, 0)
    )


def log_odds_by_softplus(params, x: ArrayLike, h: ArrayLike, j: int) -> float:
    """The Bernoulli conditional term by term: nothing is lost between two large joints."""
    terms = [float(params.d[j])]
    for xi, w, a in zip(np.asarray(x), params.W[:, j], activations(params, with_unit(h, j, 0)), strict=True):
        terms += [float(xi) * float(w), -softplus(math.fsum([a, w])), softplus(a)]
    return math.fsum(terms)


def states(n_h: int) -> Iterator[NDArray[np.uint8]]:
    """All ``2**n_h`` latent states, the last unit changing fastest."""
    for bits in itertools.product((0, 1), repeat=n_h):
        yield np.array(bits, dtype=np.uint8)


def posterior(params, visible: str, x: ArrayLike) -> Posterior:
    """P(h | x) and what follows from it, by enumeration."""
    H = np.array(list(states(len(params.d))))
    joints = np.array([log_joint(params, visible, x, h) for h in H])
    top = joints.max()
    evidence = top + math.log(math.fsum(np.exp(joints - top)))
    p = np.exp(joints - evidence)
    marginals = p @ H
    centred = H - marginals
    best = int(joints.argmax())
    return Posterior(
        H, p, joints, evidence, marginals, centred.T @ (p[:, None] * centred), H[best], float(joints[best])
    )


def interaction(params, visible: str, x: ArrayLike, h: ArrayLike, j: int, k: int) -> float:
    """How much turning unit k on changes the log-odds of unit j, others as in `h`: a second difference."""
    on = log_odds(params, visible, x, with_unit(h, k, 1), j)
    return on - log_odds(params, visible, x, with_unit(h, k, 0), j)


def starts(params, visible: str, x: ArrayLike, init: str) -> NDArray[np.uint8]:
    """The deterministic starts. "paper": equations 11, 12; "conditional": each unit with all others off."""
    n_h = len(params.d)
    zeros = np.zeros(n_h, np.uint8)
    if init == "zeros":
        return zeros
    if init == "conditional":
        return np.array([log_odds(params, visible, x, zeros, j) > 0 for j in range(n_h)], dtype=np.uint8)
    assert init == "paper"
    h = zeros.copy()
    for j in range(n_h):
        w = params.W[:, j]
        if visible == "bernoulli":
            logit = math.fsum([*(w * np.asarray(x)), params.d[j]])
        else:
            logit = math.fsum([*(w * (np.asarray(x) - params.b)), params.d[j], *(-0.5 * w**2)])
        h[j] = logit > 0
    return h


def likelier(log_odds_on: float, state: int, tolerance: float = 1e-9) -> int:
    """The likelier state of a unit; on a tie (within rounding) the one it has (equation 10)."""
    if state == 0:
        return int(log_odds_on > tolerance)
    return int(not log_odds_on < -tolerance)


def icm(
    params,
    visible: str,
    x: ArrayLike,
    h0: ArrayLike,
    order: str = "sequential",
    max_sweeps: int = 50,
    permutations: Iterable[Sequence[int] | NDArray] = (),
) -> tuple[list[Visit], NDArray[np.uint8], bool]:
    """Iterated conditional modes from `h0` by whole sweeps, until a sweep changes nothing.

    "sequential" visits units 0 to n_h - 1, "random" follows `permutations` (one per sweep), "parallel"
    decides every unit from the state at the sweep's start, "greedy" flips the unit that gains most until none
    gains (its sweep count is the visit count divided by n_h). Returns the visits, the end state, and whether
    it converged.
    """
    h = np.array(h0, dtype=np.uint8)
    n_h = len(h)
    visits: list[Visit] = []

    def visit(j: int, value: float, sweep: int) -> bool:
        before = h[j]
        h[j] = likelier(value, before)
        joint = log_joint(params, visible, x, h)
        visits.append(Visit(j, int(h[j]), bool(h[j] != before), value, joint, sweep))
        return bool(h[j] != before)

    if order == "greedy":
        for count in range(max_sweeps * n_h):
            odds = [log_odds(params, visible, x, h, j) for j in range(n_h)]
            gains = [value if state == 0 else -value for value, state in zip(odds, h, strict=True)]
            best, gain = -1, 0.0
            for j, here in enumerate(gains):
                if here > gain + 1e-9:
                    best, gain = j, here
            if best < 0:
                return visits, h, True
            visit(best, odds[best], count // n_h)
        return visits, h, False
    shuffled = iter(permutations)
    for sweep in range(max_sweeps):
        units = list(next(shuffled)) if order == "random" else list(range(n_h))
        start = h.copy()
        changed = False
        for j in units:
            seen = start if order == "parallel" else h
            changed |= visit(j, log_odds(params, visible, x, seen, j), sweep)
        if not changed:
            return visits, h, True
    return visits, h, False


def after_sweep(
    params, visible: str, x: ArrayLike, probabilities: NDArray[np.float64], temperature: float
) -> NDArray[np.float64]:
    """The exact distribution over all states after one sequential sweep of single-unit draws.

    `probabilities` (2**n_h,) is the distribution before it, in the order of :func:`states`. Each visit
    redraws its unit from ``sigmoid(log_odds / temperature)``; temperature 0 takes the likelier state.
    """
    H = list(states(len(params.d)))
    index = {h.tobytes(): n for n, h in enumerate(H)}
    p = np.array(probabilities)
    for j in range(len(params.d)):
        moved = np.zeros_like(p)
        for n, h in enumerate(H):
            value = log_odds(params, visible, x, h, j)
            on = likelier(value, h[j]) if temperature == 0 else sigmoid(value / temperature)
            moved[index[with_unit(h, j, 1).tobytes()]] += p[n] * on
            moved[index[with_unit(h, j, 0).tobytes()]] += p[n] * (1 - on)
        p = moved
    return p


def after_schedule(
    params, visible: str, x: ArrayLike, h0: ArrayLike, temperatures: Iterable[float]
) -> NDArray:
    """The exact distribution over states after one sweep at each temperature, starting from `h0`."""
    H = list(states(len(params.d)))
    p = np.array([float((h == np.asarray(h0)).all()) for h in H])
    for temperature in temperatures:
        p = after_sweep(params, visible, x, p, temperature)
    return p


def mean_log_joint(params, visible: str, X: ArrayLike, H: ArrayLike) -> float:
    """The mean over the batch of ``log P(x, h)``: what one M-step raises (equation 14 at fixed states)."""
    pairs = list(zip(np.asarray(X), np.asarray(H), strict=True))
    return math.fsum(log_joint(params, visible, x, h) for x, h in pairs) / len(pairs)


def gradient(params, visible: str, X: ArrayLike, H: ArrayLike, step: float = 1e-5) -> Params:
    """Central differences of :func:`mean_log_joint` in every parameter."""
    gradients = []
    for position, values in enumerate(params[:3]):
        slope = np.zeros(values.shape)
        for index in np.ndindex(values.shape):
            sides = []
            for sign in (1, -1):
                moved = [np.array(a) for a in params[:3]]
                moved[position][index] += sign * step
                sides.append(mean_log_joint(Params(*moved), visible, X, H))
            slope[index] = (sides[0] - sides[1]) / (2 * step)
        gradients.append(slope)
    return Params(*gradients)


def log_guess(params, x: ArrayLike, h: ArrayLike) -> float:
    """``log q(h | x)`` of a recognition network: independent latents with log-odds ``V'x + c``."""
    x = np.asarray(x, dtype=float)
    odds = [math.fsum([c, *(column * x)]) for column, c in zip(params.V.T, params.c, strict=True)]
    return math.fsum(z * on - softplus(z) for z, on in zip(odds, np.asarray(h), strict=True))


def log_weight(params, x: ArrayLike, h: ArrayLike) -> float:
    """``log P(x, h) - log q(h | x)``: its exponential is P(x) in the mean over q."""
    return log_joint(params, "bernoulli", x, h) - log_guess(params, x, h)


def expected_bound(params, x: ArrayLike, n_particles: int) -> float:
    """The mean of ``log (1/K) sum_k w_k`` over all K-tuples of draws from q(h | x)."""
    drawn = [(math.exp(log_guess(params, x, h)), log_weight(params, x, h)) for h in states(len(params.d))]
    terms = []
    for chosen in itertools.product(drawn, repeat=n_particles):
        probability = math.prod(p for p, _ in chosen)
        terms.append(probability * math.log(math.fsum(math.exp(w) for _, w in chosen) / n_particles))
    return math.fsum(terms)


def log_joint_of_two(params, x: ArrayLike, h: ArrayLike, g: ArrayLike) -> float:
    """log P(x, h, g) of a sigmoid belief network of two layers: each generates the one below it."""
    return log_likelihood(params.lower, "bernoulli", x, h) + log_joint(params.upper, "bernoulli", h, g)


def log_guess_of_two(params, x: ArrayLike, h: ArrayLike, g: ArrayLike) -> float:
    """log q(h | x) + log q(g | h)."""
    return log_guess(params.lower, x, h) + log_guess(params.upper, h, g)


def expected_bound_of_two(params, x: ArrayLike, n_particles: int) -> float:
    """The mean of ``log (1/K) sum_k w_k`` over all K-tuples of draws from q(h | x) q(g | h)."""
    drawn = []
    for h, g in itertools.product(list(states(len(params.d))), list(states(len(params.e)))):
        log_q = log_guess_of_two(params, x, h, g)
        drawn.append((math.exp(log_q), math.exp(log_joint_of_two(params, x, h, g) - log_q)))
    terms = []
    for chosen in itertools.product(drawn, repeat=n_particles):
        probability = math.prod(p for p, _ in chosen)
        terms.append(probability * math.log(math.fsum(w for _, w in chosen) / n_particles))
    return math.fsum(terms)


def log_prior_of_top(params, h: ArrayLike) -> float:
    """log P(h) + log Z under the RBM on top of a deep belief network: a sum over all upper states."""
    h, n_h, n_top = np.asarray(h), *np.shape(params.U)
    terms = []
    for g in states(n_top):
        energy = math.fsum(params.U[j, k] * h[j] * g[k] for j in range(n_h) for k in range(n_top))
        biases = math.fsum(params.d[j] * h[j] for j in range(n_h))
        terms.append(energy + biases + math.fsum(params.e[k] * g[k] for k in range(n_top)))
    return float(np.logaddexp.reduce(terms))


def log_joint_of_top(params, x: ArrayLike, h: ArrayLike) -> float:
    """log P(x, h) + log Z of a deep belief network."""
    return log_likelihood(params, "bernoulli", x, h) + log_prior_of_top(params, h)


def log_joint_of_dbm(params, x: ArrayLike, h: ArrayLike, g: ArrayLike) -> float:
    """log P(x, h, g) + log Z of a deep Boltzmann machine of two layers, term by term."""
    x, h, g = (np.asarray(part, dtype=float) for part in (x, h, g))
    terms = [params.W[i, j] * x[i] * h[j] for i in range(len(x)) for j in range(len(h))]
    terms += [params.U[j, k] * h[j] * g[k] for j in range(len(h)) for k in range(len(g))]
    return math.fsum([*terms, *(params.b * x), *(params.d * h), *(params.e * g)])


def log_evidence_of_dbm(params, x: ArrayLike) -> float:
    """log P(x) + log Z of a deep Boltzmann machine: a sum over all states of both layers."""
    n_h, n_top = np.shape(params.U)
    joints = [log_joint_of_dbm(params, x, h, g) for h in states(n_h) for g in states(n_top)]
    return float(np.logaddexp.reduce(joints))


def log_partition_of_dbm(params) -> float:
    """log Z of a deep Boltzmann machine: a sum over all states of all units."""
    return float(np.logaddexp.reduce([log_evidence_of_dbm(params, x) for x in states(len(params.b))]))


def bound_of_dbm(params, x: ArrayLike, lower: ArrayLike, upper: ArrayLike) -> float:
    """The variational bound on log P(x) + log Z for independent latents: a sum over all states of both."""
    terms = []
    for p_h, h in zip(product(lower), states(len(np.asarray(lower))), strict=True):
        for p_g, g in zip(product(upper), states(len(np.asarray(upper))), strict=True):
            if p_h * p_g > 0:
                terms.append(p_h * p_g * (log_joint_of_dbm(params, x, h, g) - math.log(p_h * p_g)))
    return math.fsum(terms)


def mean_field_of_dbm(
    params, x: ArrayLike, lower: ArrayLike, upper: ArrayLike, n_updates: int
) -> tuple[NDArray, NDArray]:
    """Mean field of a deep Boltzmann machine, unit by unit: each layer's means, lower ones first."""
    x, lower, upper = np.asarray(x, dtype=float), np.array(lower, float), np.array(upper, float)
    for _ in range(n_updates):
        for j in range(len(lower)):
            lower[j] = sigmoid(math.fsum([params.d[j], *(params.W[:, j] * x), *(params.U[j] * upper)]))
        for k in range(len(upper)):
            upper[k] = sigmoid(math.fsum([params.e[k], *(params.U[:, k] * lower)]))
    return lower, upper


def mean_entropy_and_prior(params, q: ArrayLike) -> float:
    """``E log P(h)`` and the entropy of independent latents with means q, together."""
    both = [(float(p), 1.0 - float(p)) for p in np.asarray(q)]
    entropy = -math.fsum(p * math.log(p) for pair in both for p in pair if p > 0)
    return entropy + math.fsum(p * d - softplus(d) for (p, _), d in zip(both, params.d, strict=True))


def tilted_bound(params, x: ArrayLike, q: ArrayLike, tilts: ArrayLike) -> float:
    """The bound of Saul, Jaakkola and Jordan on log P(x), every expectation a sum over all states."""
    drawn = [
        (math.prod(p if on else 1.0 - p for p, on in zip(np.asarray(q), h, strict=True)), h)
        for h in states(len(params.d))
    ]
    terms = []
    for i, (x_i, tilt) in enumerate(zip(np.asarray(x), np.asarray(tilts), strict=True)):
        values = [(p, activations(params, h)[i]) for p, h in drawn]
        mean = math.fsum(p * a for p, a in values)
        low = math.fsum(p * math.exp(-tilt * a) for p, a in values)
        high = math.fsum(p * math.exp((1.0 - tilt) * a) for p, a in values)
        terms.append((float(x_i) - tilt) * mean - math.log(low + high))
    return math.fsum(terms) + mean_entropy_and_prior(params, q)


def quadratic_bound(params, x: ArrayLike, q: ArrayLike, variances: ArrayLike) -> float:
    """The bound of Jaakkola and Jordan at the best xi, with unsure weights; sums over all states.

    `variances` (n_v, n_h) of independent weights whose means are W.
    """
    drawn = [
        (math.prod(p if on else 1.0 - p for p, on in zip(np.asarray(q), h, strict=True)), h)
        for h in states(len(params.d))
    ]
    terms = []
    for i, (x_i, row) in enumerate(zip(np.asarray(x), np.asarray(variances), strict=True)):
        values = [(p, activations(params, h)[i], math.fsum(row * h)) for p, h in drawn]
        mean = math.fsum(p * a for p, a, _ in values)
        xi = math.sqrt(math.fsum(p * (a * a + v) for p, a, v in values))
        terms.append((float(x_i) - 0.5) * mean + 0.5 * xi - softplus(xi))
    return math.fsum(terms) + mean_entropy_and_prior(params, q)


def log_prior_of_offsets(b: ArrayLike) -> float:
    """Return the log-likelihood that offsets give one image with all units on and one with all off."""
    return -math.fsum(softplus(a) + softplus(-a) for a in np.asarray(b, np.float64))


def gaussian_m_step(X: ArrayLike, H: ArrayLike, ridge: float, ridge_on_b: float) -> tuple[NDArray, NDArray]:
    """W and b that minimise ``sum ||x - W h - b||^2 + ridge ||W||^2 + ridge_on_b ||b||^2``, by least squares.

    The penalties are rows of data that ask for zero weights. Returns W (n_v, n_h) and b (n_v,).
    """
    X, H = np.asarray(X, dtype=float), np.asarray(H, dtype=float)
    n, n_h = H.shape
    design = np.hstack([H, np.ones((n, 1))])
    wishes = np.diag(np.sqrt([ridge] * n_h + [ridge_on_b]))
    solution = np.linalg.lstsq(
        np.vstack([design, wishes]), np.vstack([X, np.zeros((n_h + 1, X.shape[1]))]), rcond=None
    )[0]
    return solution[:n_h].T, solution[n_h]


def logistic_objective(
    X: ArrayLike, H: ArrayLike, w: ArrayLike, b: float, ridge: float
) -> tuple[float, list[float]]:
    """Return what the M-step of whole passes minimises for one pixel `X` (n,), and its gradient, b last.

    The pixel's negative log-likelihood, half the ridge times the squares of the weights, and one image
    without latents that is half on.
    """
    weights = [float(each) for each in np.asarray(w)]
    value = 0.5 * ridge * sum(each * each for each in weights) + softplus(b) - 0.5 * b
    gradient = [ridge * each for each in weights] + [sigmoid(b) - 0.5]
    for x, h in zip(np.asarray(X), np.asarray(H), strict=True):
        a = b + sum(each for each, on in zip(weights, h, strict=True) if on)
        value += softplus(a) - float(x) * a
        residual = sigmoid(a) - float(x)
        for j, on in enumerate(h):
            gradient[j] += residual if on else 0.0
        gradient[-1] += residual
    return value, gradient


def product(on: ArrayLike) -> list[float]:
    """Probabilities of all states, in the order of :func:`states`, of latents that are on independently."""
    return [
        math.prod(float(p) if bit else 1 - float(p) for p, bit in zip(np.asarray(on), h, strict=True))
        for h in states(len(np.asarray(on)))
    ]


def divergence(q: Sequence[float], log_p: ArrayLike) -> float:
    """``sum q log(q / p)`` in nats, state by state; a state that q excludes adds nothing."""
    pairs = zip(q, np.asarray(log_p, dtype=float), strict=True)
    return math.fsum(a * (math.log(a) - b) for a, b in pairs if a > 0)


def total_variation(q: Iterable[float], p: Iterable[float]) -> float:
    """Half the sum of absolute differences, which is the largest difference in any event's probability."""
    return math.fsum(abs(a - b) for a, b in zip(q, p, strict=True)) / 2
