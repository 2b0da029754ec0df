"""A covering design: few pairs that show together what all pairs show.

A rule for every ordered pair of n kinds of models asks n**2 times. What two models do beside each other
depends less on which they are than on what each can do, so most pairs repeat one another. The gate tries a
cover of them and the nightly every pair: `pairs_for_the_gate` marks the others slow.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeVar, get_args, get_origin, get_type_hints

import pytest

from lrbn_viz.catalog import Kind
from lrbn_viz.core.fields import Choice
from lrbn_viz.core.model import Model

T = TypeVar("T")


def cover(candidates: Iterable[T], shown: Callable[[T], Iterable[Hashable]]) -> list[T]:
    """Return few of the candidates that show together all that any of them shows, in their order.

    Greedy: next comes the candidate that shows most of what is missing, of several the first. Such a cover is
    at most 1 + ln(most facts of a candidate) times as large as the smallest.

    Parameters
    ----------
    shown : callable
        Returns the facts that trying a candidate would show.
    """
    candidates, bits = list(candidates), dict[Hashable, int]()
    facts = [
        sum(bits.setdefault(fact, 1 << len(bits)) for fact in set(shown(candidate)))
        for candidate in candidates
    ]
    missing, taken = (1 << len(bits)) - 1, []
    waiting = [(-known.bit_count(), n) for n, known in enumerate(facts)]
    heapq.heapify(waiting)
    while missing:
        gain, n = heapq.heappop(waiting)
        now = -(facts[n] & missing).bit_count()
        if now > gain:  # it shows less than when it was put here; so may the others, but none of them more
            heapq.heappush(waiting, (now, n))
        else:
            taken.append(n)
            missing &= ~facts[n]
    return [candidates[n] for n in sorted(taken)]


def capabilities(kind: Kind) -> dict[str, Hashable]:
    """Return what a kind of model can do, by name; read from what an untrained model of it declares.

    These are all flags and choices that :class:`lrbn_viz.core.model.Model` declares for classes, so that a
    new one counts at once, and beside them whether the kind learns grey images, what can be chosen for its
    traces, and its usual inference, which ends in states or in means.
    """
    declared = {
        name: get_args(hint)[0]
        for name, hint in get_type_hints(Model).items()
        if get_origin(hint) is ClassVar
    }
    found: dict[str, Hashable] = {
        name: getattr(kind.model, name)
        for name, type_ in declared.items()
        if type_ is bool or get_origin(type_) is Literal
    }
    visible = kind.fields["visible"]
    assert isinstance(visible, Choice)
    return found | {
        "grey": "gaussian" in visible.choices,
        "trace_options": kind.model.trace_options,
        "usual": next(iter(kind.model.trace_methods)),
    }


def beside(left: str, right: str, can: Mapping[str, Mapping[str, Hashable]]) -> Iterator[Hashable]:
    """Yield what a pair of kinds shows, given what each kind can do.

    That is: each kind on its side; each kind beside a partner with each capability of the other; each
    capability on the left beside each on the right; and, of a kind beside itself, each of its capabilities.
    """
    yield "left", left
    yield "right", right
    for one, other in ((left, right), (right, left)):
        yield from ((one, capability) for capability in can[other].items())
    yield from ((mine, theirs) for mine in can[left].items() for theirs in can[right].items())
    if left == right:
        yield from (("itself", capability) for capability in can[left].items())


def square(names: Sequence[str]) -> list[tuple[str, str]]:
    """Return all ordered pairs of names, each beside itself too."""
    return [(left, right) for left in names for right in names]


def covering_pairs(kinds: Mapping[str, Kind]) -> list[tuple[str, str]]:
    """Return few ordered pairs of kinds that show what all pairs show, as `beside` says it."""
    can = {name: capabilities(kind) for name, kind in kinds.items()}
    return cover(square(list(can)), lambda pair: beside(*pair, can))


def slow_but(kept: Collection[T], values: Iterable[T]) -> list[Any]:
    """Return values as parameters of a test, marked slow but for those that the gate keeps."""
    return [pytest.param(value, marks=() if value in kept else pytest.mark.slow) for value in values]


def pairs_for_the_gate(kinds: Mapping[str, Kind]) -> list[Any]:
    """Return all ordered pairs as parameters of a test; those outside the cover are marked slow."""
    few = set(covering_pairs(kinds))
    return [
        pytest.param(*pair, id="-".join(pair), marks=() if pair in few else pytest.mark.slow)
        for pair in square(list(kinds))
    ]


def kinds_for_the_gate(kinds: Mapping[str, Kind]) -> list[Any]:
    """Return all kinds as parameters of a test; those outside a cover of all capabilities are marked slow."""
    few = set(cover(kinds, lambda name: capabilities(kinds[name]).items()))
    return slow_but(few, kinds)
