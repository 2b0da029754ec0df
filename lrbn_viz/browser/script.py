"""Kernels' inner functions of numbers as JavaScript, for the player.

The player works where no WebAssembly may run: on served pages, whose policy allows it on the live page only,
in notebooks whose host forbids it, and in files that replay a trace. What it computes of a decision is
therefore translated from Python's source, function by function.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from lrbn_viz.kernels.numerics import scalar_sigmoid, scalar_softplus
from lrbn_viz.kernels.particles import joined_squares, moved_mean
from lrbn_viz.kernels.posterior import probability_of
from lrbn_viz.kernels.units import (
    KINDS,
    alone_of,
    by_others,
    evidence_of,
    log_on,
    mean_of,
    raised_by,
    share_off,
    share_on,
)

FUNCTIONS = (
    *(scalar_sigmoid, scalar_softplus, mean_of, log_on, raised_by, by_others),
    *(evidence_of, alone_of, share_on, share_off, probability_of, moved_mean, joined_squares),
)
"""What the player calls, each after what it calls itself."""

_OPERATORS: dict[type, tuple[str, int]] = {
    ast.Add: ("+", 4),
    ast.Sub: ("-", 4),
    ast.Mult: ("*", 5),
    ast.Div: ("/", 5),
    ast.Gt: (">", 3),
    ast.GtE: (">=", 3),
    ast.Lt: ("<", 3),
    ast.LtE: ("<=", 3),
    ast.Eq: ("===", 3),
}
"""Operators, and how strongly each binds."""
_MARKED = re.compile(r"(?::\w+:)?`+~?([^`]*)`+")
"""Names and code in a docstring."""
_BUILT_IN = {"abs", "max", "min"}
_MATHEMATICS = {"exp", "expm1", "log", "log1p"}
_CONDITION, _UNARY, _WHOLE = 1, 6, 9  # how strongly others bind


def script(functions: Sequence[Any] = FUNCTIONS) -> str:
    """Return a module of JavaScript with these compiled functions, and the numbers of the kinds of units.

    Raises
    ------
    ValueError
        A function contains more than conditions, arithmetic and mathematics of numbers.
    """
    names = {function.py_func.__name__ for function in functions}
    kinds = ", ".join(f'"{name}": {number}' for name, number in KINDS.items())
    parts = [
        "// Written by lrbn_viz/browser/build.py: functions of numbers in lrbn_viz/kernels.",
        f"export const KINDS = {{{kinds}}};",
        *(_function(function.py_func, names) for function in functions),
    ]
    return "\n\n".join(parts) + "\n"


def _function(function: Any, names: set[str]) -> str:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = [each.arg for each in tree.args.args]
    said = _MARKED.sub(r"\1", inspect.getdoc(function) or "")
    comment = "\n".join(f"// {line}".rstrip() for line in said.splitlines())
    types = " ".join(f"@param {{number}} {name}" for name in arguments)
    lines = [line for statement in tree.body for line in _statement(statement, names)]
    head = f"export function {_camel(tree.name)}({', '.join(arguments)}) {{"
    body = textwrap.indent("\n".join(lines), "  ")
    return f"{comment}\n/** {types} @returns {{number}} */\n{head}\n{body}\n}}"


def _statement(node: ast.stmt, names: set[str]) -> list[str]:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return []
        case ast.Return(value=ast.expr() as value):
            return [f"return {_value(value, names)};"]
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            text = _value(value, names)
            return [] if text == name else [f"const {name} = {text};"]  # a type alone, which are all one
        case ast.If(test=test, body=[only], orelse=[]):
            (line,) = _statement(only, names)
            return [f"if ({_value(test, names)}) {line}"]
    raise ValueError(f"expected a return, an assignment or a condition, got {ast.unparse(node)!r}.")


def _value(node: ast.expr, names: set[str], within: int = 0) -> str:
    """Return an expression, in brackets if what surrounds it binds more strongly."""
    text, binds = _written(node, names)
    return f"({text})" if binds < within else text


def _written(node: ast.expr, names: set[str]) -> tuple[str, int]:
    match node:
        case ast.Constant(value=int() | float() as value):
            return f"{value:g}" if value == int(value) else repr(value), _WHOLE
        case ast.Name(id=name):
            return name, _WHOLE
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return f"-{_value(operand, names, _UNARY + 1)}", _UNARY
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=2)):
            base = _value(left, names, _WHOLE)
            return f"{base} * {base}", 5
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            sign, binds = _OPERATORS[type(operator)]
            return f"{_value(left, names, binds)} {sign} {_value(right, names, binds + 1)}", binds
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _OPERATORS:
            sign, binds = _OPERATORS[type(operator)]
            return f"{_value(left, names, binds + 1)} {sign} {_value(right, names, binds + 1)}", binds
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [_value(each, names, _CONDITION + 1) for each in (test, body, orelse)]
            return "{} ? {} : {}".format(*parts), _CONDITION
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np"), attr="float64"), args=[only]):
            return _written(only, names)  # as all numbers of JavaScript are
        case ast.Call(func=called, args=arguments, keywords=[]):
            inside = ", ".join(_value(each, names) for each in arguments)
            return f"{_called(called, names)}({inside})", _WHOLE
    raise ValueError(f"expected arithmetic or mathematics of numbers, got {ast.unparse(node)!r}.")


def _called(node: ast.expr, names: set[str]) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id="math"), attr=name) if name in _MATHEMATICS:
            return f"Math.{name}"
        case ast.Name(id=name) if name in _BUILT_IN:
            return f"Math.{name}"
        case ast.Name(id=name) if name in names:
            return _camel(name)
    raise ValueError(f"expected a function that is translated, too, got {ast.unparse(node)!r}.")


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)
