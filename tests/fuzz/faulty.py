"""Targets that fail on purpose, each in a way that the harness must see; they are not found on their own."""

from __future__ import annotations

import ctypes
import json
import os
import time
from typing import Any

import numpy as np
from fuzz.harness import Bounds, Target
from hypothesis import strategies

from lrbn_viz.datasets.own import RefusedData, limits

AT = 7
BOUNDS = Bounds(cpu_seconds=0.5, memory=50 * 10**6, clock_seconds=60.0)
"""That these are held to: what goes beyond one of them is to be far from another, also on a busy machine."""
held: list[Any] = []


def _number(rng: np.random.Generator, corpus: Any) -> int:
    return int(rng.integers(2**40))


def _nth(name: str, what: Any, errors: tuple[type[BaseException], ...] = ()) -> Target:
    """Return a target that does `what` at input `AT`: the number that its generator draws there is known."""
    from fuzz.harness import generator

    wanted = _number(generator(name, 0, AT), ())
    return Target(name, lambda made: what() if made == wanted else None, errors, make=_number)


def _crash() -> None:
    ctypes.string_at(0)


def _spin() -> None:
    end = time.process_time() + 1.5 * BOUNDS.cpu_seconds
    while time.process_time() < end:
        pass


def _documented() -> None:
    limits(-1)


TARGETS = [
    _nth("a crash", _crash),
    _nth("a hang", lambda: time.sleep(60)),
    _nth("an exit", lambda: os._exit(3)),
    _nth("much time", _spin),
    _nth("much memory", lambda: np.ones(BOUNDS.memory + 10**7, np.uint8).sum()),
    _nth("too much memory", lambda: np.ones(6 * 10**9, np.uint8).sum()),
    _nth("a leak", lambda: held.append([np.ones(BOUNDS.memory // 2 + 10**7, np.uint8) for _ in range(2)])),
    _nth("an error", lambda: {}["nothing"], (RefusedData,)),
    _nth("a documented error", _documented, (ValueError,)),
    _nth("an error of a subclass", lambda: b"\xff".decode(), (ValueError,)),
    _nth("an error of a library", lambda: json.loads("["), (json.JSONDecodeError,)),
    Target("a bad corpus", lambda made: limits(made), (ValueError,), lambda: [-1], _number),
    Target(
        "a strategy",
        lambda made: limits(-1) if len(made) == 3 else None,
        (RefusedData,),
        strategy=lambda: strategies.lists(strategies.integers(), max_size=20),
    ),
]
