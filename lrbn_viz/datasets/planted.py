"""Three data sets drawn from a known model, to compare what is inferred or learned with the truth.

All are drawn from the sigmoid belief network of the product: P(h_j = 1) = sigmoid(d_j),
P(x_i = 1 | h) = sigmoid(b_i + sum_j W_ij h_j).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.datasets.raw import PlantedCauses, RawImages


def bars() -> RawImages:
    """Images of 8x8 pixels, training (2000, 64) and test (500, 64), made of 8 horizontal and 8 vertical bars.

    Every bar is present with probability 1/8, so two on average. A pixel under no bar is on with probability
    0.0067 (log-odds -5), under one bar with 0.9933 (+5), and where two bars cross the second has almost
    nothing left to explain.
    """
    side = 8
    W = np.zeros((side, side, 2 * side))
    for line in range(side):
        W[line, :, line] = 10.0
        W[:, line, side + line] = 10.0
    W = W.reshape(side * side, 2 * side)
    b = np.full(side * side, -5.0)
    d = np.full(2 * side, _log_odds(1 / side))
    pixels = tuple(f"row {r}, column {c}" for r in range(side) for c in range(side))
    causes = tuple(f"{way} {line}" for way in ("row", "column") for line in range(side))
    train, test, truth = _draw(W, b, d, 2000, 500, pixels, causes, seed=8)
    train_y, test_y = (H.sum(axis=1, dtype=np.int64) for H in (truth.train_H, truth.test_H))
    names = tuple(f"{n} bar{'' if n == 1 else 's'}" for n in range(len(d) + 1))
    return RawImages(train, train_y, test, test_y, 1, names, planted=truth)


def alarm() -> RawImages:
    """Two causes of one effect: a burglary or an earthquake sets off the alarm; the radio reports the latter.

    Training (1000, 2) and test (250, 2) rows of (alarm, radio report); latents (burglary, earthquake), each
    with probability 0.1. The alarm rings with probability 0.05 by itself, 0.95 after either cause. Hearing it
    raises the burglary from 0.10 to 0.43; the report of an earthquake then explains the alarm and takes it
    back to 0.11.
    """
    quiet, ringing = _log_odds(0.05), _log_odds(0.95)
    W = np.array([[ringing - quiet, ringing - quiet], [0.0, _log_odds(0.9) - _log_odds(0.01)]])
    b = np.array([quiet, _log_odds(0.01)])
    d = np.full(2, _log_odds(0.1))
    visibles, causes = ("alarm", "radio report"), ("burglary", "earthquake")
    train, test, truth = _draw(W, b, d, 1000, 250, visibles, causes, seed=2)
    train_y, test_y = (H @ np.array([1, 2], dtype=np.int64) for H in (truth.train_H, truth.test_H))
    names = ("neither", "burglary", "earthquake", "both")
    return RawImages(train, train_y, test, test_y, 1, names, planted=truth)


ILLNESSES = {
    "cold": 0.2,
    "flu": 0.1,
    "hay fever": 0.15,
    "bronchitis": 0.1,
    "stomach bug": 0.1,
    "migraine": 0.12,
}
"""Probability of each illness of `findings`; invented, as are those of the findings."""

FINDINGS: dict[str, tuple[float, dict[str, float]]] = {
    "runny nose": (0.03, {"cold": 0.85, "flu": 0.5, "hay fever": 0.9, "bronchitis": 0.2}),
    "sneezing": (0.03, {"cold": 0.7, "flu": 0.2, "hay fever": 0.9}),
    "itchy eyes": (0.02, {"hay fever": 0.85}),
    "sore throat": (0.02, {"cold": 0.7, "flu": 0.6, "hay fever": 0.1, "bronchitis": 0.2}),
    "cough": (0.03, {"cold": 0.6, "flu": 0.8, "bronchitis": 0.95}),
    "wheezing": (0.01, {"hay fever": 0.2, "bronchitis": 0.75}),
    "fever": (0.01, {"cold": 0.1, "flu": 0.9, "bronchitis": 0.35, "stomach bug": 0.5}),
    "chills": (0.01, {"flu": 0.8, "stomach bug": 0.4}),
    "aching limbs": (0.02, {"cold": 0.2, "flu": 0.9, "stomach bug": 0.3}),
    "tiredness": (
        0.1,
        {"cold": 0.5, "flu": 0.9, "hay fever": 0.3, "bronchitis": 0.5, "stomach bug": 0.6, "migraine": 0.5},
    ),
    "headache": (0.05, {"cold": 0.3, "flu": 0.7, "hay fever": 0.15, "stomach bug": 0.3, "migraine": 0.95}),
    "nausea": (0.01, {"flu": 0.2, "stomach bug": 0.9, "migraine": 0.6}),
    "diarrhoea": (0.01, {"stomach bug": 0.85}),
    "light hurts": (0.01, {"migraine": 0.85}),
}
"""Each finding of `findings`: its probability in the healthy, and in each illness alone that it shows."""


def findings() -> RawImages:
    """Findings in people, of whom some have one of six illnesses or several: a table of yes and no.

    Training (6000, 14), of which the last 1,000 rows are for validation, and test (1000, 14) rows of
    `FINDINGS`; the latents are `ILLNESSES`. The numbers are invented and no medical advice: they are such
    that illnesses share findings. In a model of log-odds, those that two illnesses add to a finding are
    summed.
    """
    illnesses = tuple(ILLNESSES)
    b = np.array([_log_odds(alone) for alone, _ in FINDINGS.values()])
    W = np.array(
        [
            [_log_odds(signs.get(illness, alone)) - _log_odds(alone) for illness in illnesses]
            for alone, signs in FINDINGS.values()
        ]
    )
    d = np.array([_log_odds(probability) for probability in ILLNESSES.values()])
    train, test, truth = _draw(W, b, d, 6000, 1000, tuple(FINDINGS), illnesses, seed=6)
    names = ("healthy", *illnesses, "several")
    train_y, test_y = (
        np.select([H.sum(axis=1) == 0, H.sum(axis=1) == 1], [0, 1 + H.argmax(axis=1)], len(names) - 1)
        for H in (truth.train_H, truth.test_H)
    )
    return RawImages(train, train_y, test, test_y, 1, names, validation_start=5000, planted=truth)


def _log_odds(probability: float) -> float:
    return float(np.log(probability / (1 - probability)))


def _draw(
    W: NDArray[np.float64],
    b: NDArray[np.float64],
    d: NDArray[np.float64],
    n_train: int,
    n_test: int,
    visible_names: tuple[str, ...],
    latent_names: tuple[str, ...],
    seed: int,
) -> tuple[NDArray[np.uint8], NDArray[np.uint8], PlantedCauses]:
    """Ancestral samples: the causes from the prior, then the visibles given the causes."""
    # RandomState, not Generator: its streams are frozen, so that the data are the same under every NumPy
    # version.
    random_state = np.random.RandomState(seed)
    n = n_train + n_test
    H = (random_state.random_sample((n, len(d))) < 1 / (1 + np.exp(-d))).astype(np.uint8)
    X = (random_state.random_sample((n, len(b))) < 1 / (1 + np.exp(-(H @ W.T + b)))).astype(np.uint8)
    causes = PlantedCauses(W, b, d, H[:n_train], H[n_train:], visible_names, latent_names)
    return X[:n_train], X[n_train:], causes
