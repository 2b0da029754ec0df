"""The engine's double precision against long double: large models, weights up to 1,000, many visits.

A sum of n terms in double precision is wrong by some ``n eps`` of the sum of their sizes. So the bound of
each figure is stated in units of what its terms weigh, not of the figure: terms that cancel leave a small
figure of a large error.
"""

from __future__ import annotations

import numpy as np
import pytest
from engine.cases import VISIBLES, Case, random_case
from numpy.typing import NDArray

from lrbn_viz import exact_posterior

LONG = np.longdouble
BOUND = 64 * np.finfo(np.float64).eps
"""Of the weight of the terms: sums of 784 terms that err at random come to 28 eps."""


def softplus(a: NDArray) -> NDArray:
    return np.maximum(a, LONG(0)) + np.log1p(np.exp(-np.abs(a)))


class Reference:
    """Log joint and log-odds of one image in long double, each with the weight of its terms."""

    def __init__(self, case: Case) -> None:
        self.visible = case.visible
        self.W, self.b, self.d = (np.asarray(array, LONG) for array in case.params)
        self.x = np.asarray(case.x, LONG)

    def _terms(self, a: NDArray) -> list[NDArray]:
        if self.visible == "bernoulli":
            return [self.x * a, -softplus(a)]
        return [-((self.x - a) ** 2) / 2, np.full_like(a, -np.log(2 * LONG(np.pi)) / 2)]

    def log_joint(self, h: NDArray) -> tuple[float, float]:
        a = self.W[:, h == 1].sum(axis=1) + self.b
        terms = [*self._terms(a), self.d * h, -softplus(self.d)]
        inside = np.abs(self.W[:, h == 1]).sum() + np.abs(self.b).sum()  # what an activation is summed of
        return float(sum(term.sum() for term in terms)), float(sum(np.abs(t).sum() for t in terms) + inside)

    def log_odds(self, h: NDArray, j: int) -> tuple[float, float]:
        on, off = h.copy(), h.copy()
        on[j], off[j] = 1, 0
        rest = self.W[:, off == 1].sum(axis=1) + self.b
        with_j = rest + self.W[:, j]
        if self.visible == "bernoulli":
            terms = [self.x * self.W[:, j], softplus(rest), -softplus(with_j)]
        else:
            terms = [self.x * self.W[:, j], rest**2 / 2, -(with_j**2) / 2]
        inside = np.abs(self.W[:, off == 1]).sum() + np.abs(self.b).sum()
        value = self.d[j] + sum(term.sum() for term in terms)
        return float(value), float(np.abs(self.d[j]) + sum(np.abs(t).sum() for t in terms) + inside)


@pytest.mark.skipif(np.finfo(LONG).nmant <= np.finfo(np.float64).nmant, reason="no long double here")
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize(
    ("n_v", "n_h", "scale"),
    [(1, 1, 1.0), (7, 3, 1000.0), (784, 200, 0.05), (784, 200, 1.0), (784, 200, 1000.0), (50, 2000, 0.3)],
)
def test_every_figure_of_a_trace_is_that_of_long_double(visible, n_v, n_h, scale):
    case = random_case(visible, n_v, n_h, seed=n_h, scale=scale)
    reference = Reference(case)
    trace = case.model(max_sweeps=3).map_trace(case.x, init=case.h0, temperature=0.7, random_state=0)
    h, worst = trace.h0.copy(), 0.0
    # The log joint is that of the start and all gains since: it keeps the rounding of its heaviest terms.
    heaviest = reference.log_joint(h)[1]
    for k in range(trace.n_visits):
        j = int(trace.unit[k])
        looked_at = k % max(1, trace.n_visits // 150) == 0 or k == trace.n_visits - 1
        if looked_at:
            value, weight = reference.log_odds(h, j)
            worst = max(worst, abs(trace.log_odds[k] - value) / weight)
        h[j] = trace.after[k]
        if looked_at:
            value, weight = reference.log_joint(h)
            heaviest = max(heaviest, weight)
            worst = max(worst, abs(trace.log_joint[k] - value) / heaviest)
    assert worst < BOUND, worst / BOUND
    print(f"{visible} {n_v}x{n_h} {scale}: {worst / np.finfo(np.float64).eps:.1f} eps")


@pytest.mark.skipif(np.finfo(LONG).nmant <= np.finfo(np.float64).nmant, reason="no long double here")
@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("scale", [0.1, 1.0, 30.0])
def test_the_evidence_of_an_enumeration_is_that_of_long_double(visible, scale):
    case = random_case(visible, 40, 10, seed=3, scale=scale)
    reference = Reference(case)
    states = ((np.arange(2**10)[:, None] >> np.arange(10)) & 1).astype(np.uint8)
    found = [reference.log_joint(h) for h in states]
    joints = np.array([value for value, _ in found], LONG)
    best = joints.max()
    evidence = float(best + np.log(np.exp(joints - best).sum()))
    exact = exact_posterior(case.model(), case.x)
    assert abs(exact.log_evidence - evidence) < BOUND * max(weight for _, weight in found)
