"""What the tests of bad input share: small models, good input to spoil, and how a refusal is judged."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from engine.cases import random_case

from lrbn_viz import RBM

N_V, N_H = 6, 3
BERNOULLI, GAUSSIAN = random_case("bernoulli", N_V, N_H), random_case("gaussian", N_V, N_H)
W, B, D = BERNOULLI.params
x, h0 = BERNOULLI.x, BERNOULLI.h0
X = np.stack([x, 1 - x, x, x])
H = np.zeros((4, N_H))


def lrbn() -> Any:
    return BERNOULLI.model()


def gaussian() -> Any:
    return GAUSSIAN.model()


def rbm() -> Any:
    return RBM.from_params(W, B, D)


class Bad(NamedTuple):
    """A call that must fail: what it must raise and, as regular expressions, what the message must say."""

    name: str
    call: Callable[[], Any]
    error: type[Exception] | tuple[type[Exception], ...]
    expected: str
    got: str


def assert_refused(bad: Bad) -> None:
    """Make the call and check the kind of error and what its message says."""
    with pytest.raises(bad.error) as raised:
        bad.call()
    message = str(raised.value)
    assert re.search(bad.expected, message, re.DOTALL), message
    assert re.search(bad.got, message, re.DOTALL), message
