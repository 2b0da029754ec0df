"""The language of claims: arithmetic and comparisons over facts of the two lanes, and nothing else.

A claim is written as Python writes an expression, and read by Python's own parser; it is never run by Python.
Each node is one of a few kinds that `evaluate` knows, so that a file can neither call nor reach anything.
"""

from __future__ import annotations

import ast
import operator
import warnings
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

MAX_CLAIM_LENGTH = 400
"""Characters of a claim."""
MAX_NODES = 120
MAX_DEPTH = 12
MAX_IMAGES = 200
"""Test images that a mean or a count is over, at most."""
MAX_DIGITS = 6
_MAX_NUMBER = 1e9  # a number of a claim; also what keeps products small

LANES: Mapping[str, str] = MappingProxyType(
    {
        "lane0": "the upper lane, as the step leaves it",
        "lane1": "the lower lane, as the step leaves it",
        "before0": "the upper lane, while the question is asked",
        "before1": "the lower lane, while the question is asked",
    }
)
"""Names of lanes, and what they are."""

FACTS: Mapping[str, str] = MappingProxyType(
    {
        "falls": "visits that lowered log P(x, h), more than rounding does",
        "converged": "whether inference ended by itself",
        "log_joint": "log P(x, h) at the end, nats",
        "log_joint_start": "log P(x, h) at the start, nats",
        "lowest": "the lowest log P(x, h) on the way, nats",
        "highest": "the highest log P(x, h) on the way, nats",
        "deepest_fall": "the most that log P(x, h) lost on the way of the highest before, nats",
        "wrong_pixels": "wrong pixels at the end",
        "wrong_start": "wrong pixels at the start",
        "n_visits": "visits",
        "n_flips": "visits that changed a unit",
        "n_sweeps": "sweeps",
        "turns_off": "visits that turned a unit off",
        "turns_on": "visits that turned a unit on",
        "n_on": "units on at the end",
        "n_on_start": "units on at the start",
        "n_units": "units",
        "n_ink": "pixels of ink in the image",
        "n_unknown": "pixels of the image that are not known",
        "n_drawn": "pixels that are more probably ink than not, given the units at the end",
        "best_log_joint": "log P(x, h) of the best state of all, nats; of small models",
        "p_best": "P(h | x) of the best state of all; of small models",
        "p_reached": "P(h | x) of the state at the end; of small models",
    }
)
"""Facts of a lane, by name: ``lane0.falls``."""

OF_LEARNED: Mapping[str, str] = MappingProxyType(
    {
        "n_dead": "units that are on for none of the held-out images",
        "wrong_held": "wrong pixels of a held-out image, in the mean",
        "wrong_apart": "the same if each unit decides by itself",
        "score": "the validation score of the held-out images, nats",
    }
)
"""Facts of a model that learns, in a lesson of a live page: ``lane0.n_dead``."""

AT_VISIT: Mapping[str, str] = MappingProxyType(
    {
        "unit_at": "the unit visited",
        "log_odds_at": "on which the visit decided, nats",
        "prior_at": "its part from the prior, nats",
        "evidence_at": "its part from the image, nats",
        "alone_at": "its part that the unit costs by itself, nats",
        "others_at": "its part from the units that were on, nats",
        "on_at": "units on after the visit",
        "log_joint_at": "log P(x, h) after the visit, nats",
        "wrong_at": "wrong pixels after the visit",
    }
)
"""Facts of a lane at a visit, from 1: ``others_at(lane0, 9)``."""

OF_UNIT: Mapping[str, str] = MappingProxyType(
    {
        "is_on": "whether a unit is on at the end",
        "was_on": "whether a unit is on at the start",
        "p_on": "P(the unit is on | x), over all states; of small models",
        "best_on": "whether a unit is on in the best state of all; of small models",
        "turned_off_at": "the first visit that turns a unit off; 0 where none does",
    }
)
"""Facts of a unit in a lane: ``is_on(lane0, 92)``."""

OF_PAIR: Mapping[str, str] = MappingProxyType(
    {"interaction": "by how much the one unit changes the log-odds of the other at the end, nats"}
)
"""Facts of two units in a lane: ``interaction(lane0, 0, 1)``."""

OF_TWO: Mapping[str, str] = MappingProxyType(
    {
        "changed": "units that end otherwise in the one lane than in the other",
        "turned_on": "units on at the end of the second lane, and not of the first",
        "turned_off": "units on at the end of the first lane, and not of the second",
    }
)
"""Facts of two lanes: ``changed(before0, lane0)``."""

_PLAIN: dict[str, tuple[Callable[..., Any], int, int]] = {  # with the fewest and the most arguments
    "abs": (abs, 1, 1),
    "min": (min, 2, 4),
    "max": (max, 2, 4),
    "round": (round, 1, 2),
}
OVER_IMAGES: Mapping[str, str] = MappingProxyType(
    {
        "mean": "the mean of a number over the first test images",
        "count": "on how many of the first test images something is so",
    }
)
"""Facts of many images: ``mean(lane0.wrong_pixels, 200)``."""

_OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class ClaimError(ValueError):
    """Error for a claim that cannot be read or answered: the message says what was expected and received."""


class Claim(NamedTuple):
    """A claim, and the line of its file."""

    text: str
    line: int
    tree: ast.expr


class World(Protocol):
    """Facts that claims are about. Each method raises `ClaimError` if it cannot answer."""

    def fact(self, lane: str, name: str) -> float | bool:
        """Return one of `FACTS` of a lane, or of `OF_LEARNED`."""
        ...

    def at_visit(self, lane: str, name: str, visit: int) -> float | int:
        """Return one of `AT_VISIT` of a lane."""
        ...

    def of_unit(self, lane: str, name: str, unit: int) -> float | bool:
        """Return one of `OF_UNIT` of a lane."""
        ...

    def of_pair(self, lane: str, name: str, unit: int, other: int) -> float:
        """Return one of `OF_PAIR` of a lane."""
        ...

    def of_two(self, name: str, first: str, second: str) -> int:
        """Return one of `OF_TWO`."""
        ...

    def on_image(self, row: int) -> World:
        """Return the same of another test image."""
        ...


def read_claim(text: str) -> ast.expr:
    """Return the syntax tree of a claim, each node of a known kind.

    Raises
    ------
    ClaimError
        It is too long or too deep, or says something else than claims can.
    """
    if len(text) > MAX_CLAIM_LENGTH:
        raise ClaimError(
            f"expected a claim of at most {MAX_CLAIM_LENGTH} characters, got {len(text):,}; split it."
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd numbers and escapes, for whoever programs
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ClaimError(
            f"expected a claim such as lane0.falls == 0, got {_shown(text)} ({_short(error)})."
        ) from None
    if sum(1 for _ in ast.walk(tree)) > MAX_NODES:
        raise ClaimError(f"expected a claim of at most {MAX_NODES} parts, got more; split it.")
    if _check(tree, MAX_DEPTH, over_images=False) != "number":
        raise ClaimError(f"expected something that is true or false, got {_shown(text)}; compare it.")
    return tree


def _short(error: BaseException) -> str:
    return str(error).partition(" (")[0] or type(error).__name__


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _check(node: ast.AST, room: int, over_images: bool) -> str:
    """Return whether a node is a ``"lane"`` or a ``"number"``; anything else raises an error."""
    if room == 0:
        raise ClaimError(f"expected a claim nested at most {MAX_DEPTH} deep, got a deeper one; split it.")

    def number(part: ast.AST) -> None:
        if _check(part, room - 1, over_images) != "number":
            raise ClaimError(f"expected a number, got the lane {ast.unparse(part)}; ask it for a fact.")

    def lane(part: ast.AST) -> None:
        if _check(part, room - 1, over_images) != "lane":
            raise ClaimError(f"expected one of {', '.join(LANES)}, got {_shown(ast.unparse(part))}.")

    match node:
        case ast.BoolOp(values=values):
            for part in values:
                number(part)
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            number(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            number(left)
            number(right)
        case ast.Compare(left=left, ops=ops, comparators=comparators) if all(
            type(op) in _OPERATORS for op in ops
        ):
            for part in (left, *comparators):
                number(part)
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as value) if abs(value) <= _MAX_NUMBER:
            pass
        case ast.Name(id=name) if name in LANES:
            return "lane"
        case ast.Attribute(value=ast.Name(id=name), attr=fact) if name in LANES:
            if fact not in (known := {**FACTS, **OF_LEARNED}):
                raise ClaimError(f"expected {name}. and one of {', '.join(known)}; got {fact}.")
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            if name in _PLAIN:
                _, fewest, most = _PLAIN[name]
                _count(name, arguments, fewest, most)
                for part in arguments:
                    number(part)
                if name == "round" and len(arguments) == 2:
                    _whole(arguments[1], 0, MAX_DIGITS, "digits")
            elif name in AT_VISIT or name in OF_UNIT:
                _count(name, arguments, 2, 2)
                lane(arguments[0])
                _whole(arguments[1], 0, 10**6, "the visit" if name in AT_VISIT else "the unit")
            elif name in OF_PAIR:
                _count(name, arguments, 3, 3)
                lane(arguments[0])
                for part in arguments[1:]:
                    _whole(part, 0, 10**6, "the unit")
            elif name in OF_TWO:
                _count(name, arguments, 2, 2)
                for part in arguments:
                    lane(part)
            elif name in OVER_IMAGES and not over_images:
                _count(name, arguments, 2, 2)
                if _check(arguments[0], room - 1, over_images=True) != "number":
                    raise ClaimError(f"expected {name}(a fact of a lane, images), got a lane.")
                _whole(arguments[1], 1, MAX_IMAGES, "images")
            elif name in OVER_IMAGES:
                raise ClaimError(f"expected no {name} within another, got one; split the claim.")
            else:
                known = [*_PLAIN, *AT_VISIT, *OF_UNIT, *OF_PAIR, *OF_TWO, *OVER_IMAGES]
                raise ClaimError(f"expected one of {', '.join(known)}, got {_shown(name)}.")
        case _:
            raise ClaimError(
                f"expected numbers, facts of lanes (lane0.falls), + - * /, comparisons, and, or, not; got "
                f"{_shown(ast.unparse(node))}."
            )
    return "number"


def _count(name: str, arguments: list[ast.expr], fewest: int, most: int) -> None:
    if not fewest <= len(arguments) <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise ClaimError(f"expected {wanted} arguments of {name}, got {len(arguments)}.")


def _whole(node: ast.AST, least: int, most: int, what: str) -> None:
    fits = (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int)
        and not isinstance(node.value, bool)
        and least <= node.value <= most
    )
    if not fits:
        got = _shown(ast.unparse(node))
        raise ClaimError(f"expected a whole number from {least:,} to {most:,} for {what}, got {got}.")


def evaluate(node: ast.expr, world: World) -> Any:
    """Return the value of an expression that `read_claim` has accepted, in a world.

    Raises
    ------
    ClaimError
        The world cannot tell it, or it divides by zero.
    """
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            return all(evaluate(part, world) for part in values)
        case ast.BoolOp(values=values):
            return any(evaluate(part, world) for part in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not evaluate(operand, world)
        case ast.UnaryOp(operand=operand):
            return -evaluate(operand, world)
        case ast.BinOp(left=left, op=op, right=right):
            try:
                return _OPERATORS[type(op)](evaluate(left, world), evaluate(right, world))
            except ZeroDivisionError:
                raise ClaimError(f"{ast.unparse(node)} divides by zero.") from None
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            values = [evaluate(part, world) for part in (left, *comparators)]
            pairs = zip(ops, values, values[1:], strict=False)
            return all(_OPERATORS[type(op)](a, b) for op, a, b in pairs)
        case ast.Constant(value=value):
            return value
        case ast.Attribute(value=ast.Name(id=lane), attr=name):
            return world.fact(lane, name)
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments, world)
        case _:
            raise ClaimError(f"{ast.unparse(node)} is nothing that a claim says.")


def _call(name: str, arguments: list[ast.expr], world: World) -> Any:
    def lane(at: int) -> str:
        part = arguments[at]
        return part.id if isinstance(part, ast.Name) else ""

    if name in OVER_IMAGES:
        n = evaluate(arguments[1], world)
        values = [float(evaluate(arguments[0], world.on_image(row))) for row in range(n)]
        return sum(values) / n if name == "mean" else sum(1 for value in values if value)
    if name in AT_VISIT:
        return world.at_visit(lane(0), name, evaluate(arguments[1], world))
    if name in OF_UNIT:
        return world.of_unit(lane(0), name, evaluate(arguments[1], world))
    if name in OF_PAIR:
        return world.of_pair(lane(0), name, evaluate(arguments[1], world), evaluate(arguments[2], world))
    if name in OF_TWO:
        return world.of_two(name, lane(0), lane(1))
    return _PLAIN[name][0](*(evaluate(part, world) for part in arguments))


def difference(node: ast.expr, world: World) -> str:
    """Return the value of each side of a claim's comparisons, for a claim that is not true."""
    sides = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            for side in (part.left, *part.comparators):
                if not isinstance(side, ast.Constant):
                    sides[ast.unparse(side)] = evaluate(side, world)
    if not sides and isinstance(node, ast.Attribute | ast.Call):
        sides[ast.unparse(node)] = evaluate(node, world)
    for part in ast.walk(node):
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            sides[ast.unparse(part.operand)] = evaluate(part.operand, world)
    return ", ".join(f"{side} is {_number(value)}" for side, value in sides.items())


def _number(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
