"""The mutants of a module: its source with one thing changed that a test should notice."""

from __future__ import annotations

import ast
import fnmatch
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import cosmic_ray.mutating
import cosmic_ray.plugins
from cosmic_ray.ast import ast_nodes, get_ast

# Of each operator's eleven replacements the nearest: what kills these kills the others. Decorators stay as
# they are: without the JIT its own do nothing.
CHOSEN = (
    "ReplaceBinaryOperator_Add_Sub",
    "ReplaceBinaryOperator_Sub_Add",
    "ReplaceBinaryOperator_Mul_Div",
    "ReplaceBinaryOperator_Div_Mul",
    "ReplaceBinaryOperator_FloorDiv_Mul",
    "ReplaceBinaryOperator_Mod_FloorDiv",
    "ReplaceBinaryOperator_Pow_Mul",
    "ReplaceBinaryOperator_RShift_LShift",
    "ReplaceBinaryOperator_LShift_RShift",
    "ReplaceBinaryOperator_BitOr_BitAnd",
    "ReplaceBinaryOperator_BitAnd_BitOr",
    "ReplaceBinaryOperator_BitXor_BitOr",
    "ReplaceComparisonOperator_Eq_NotEq",
    "ReplaceComparisonOperator_NotEq_Eq",
    "ReplaceComparisonOperator_Lt_LtE",
    "ReplaceComparisonOperator_Lt_GtE",
    "ReplaceComparisonOperator_LtE_Lt",
    "ReplaceComparisonOperator_LtE_Gt",
    "ReplaceComparisonOperator_Gt_GtE",
    "ReplaceComparisonOperator_Gt_LtE",
    "ReplaceComparisonOperator_GtE_Gt",
    "ReplaceComparisonOperator_GtE_Lt",
    "ReplaceComparisonOperator_Is_IsNot",
    "ReplaceComparisonOperator_IsNot_Is",
    "ReplaceUnaryOperator_Delete_*",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "ZeroIterationForLoop",
)


@dataclass(frozen=True)
class Mutant:
    """One change of a module.

    Attributes
    ----------
    module, line
        Where: the file's path in the project, and the line of the change (1, ...).
    statement
        The line on which the statement that is changed begins to run: of ``if (`` the condition's first.
    before, after
        That line without and with the change, without indentation.
    nth
        Which of those that read alike it is, in the order of the file (0, ...).
    source
        The whole changed source.
    """

    module: str
    line: int
    statement: int
    before: str
    after: str
    nth: int
    source: str

    @property
    def name(self) -> tuple[str, str, str, int]:
        """What it is known by when other lines of the file have moved."""
        return self.module, self.before, self.after, self.nth


def mutants(root: Path, module: str) -> list[Mutant]:
    """Return the mutants of a module (its path in the project), in the order of its lines."""
    source = (root / module).read_text(encoding="utf-8")
    same, statements, decorators = _meaning(source), _statements(source), _decorators(source)
    found: list[tuple[int, str, str, str]] = []
    for line, changed in _changes(source):
        meaning = "" if line in decorators else _meaning(changed)
        if meaning and meaning != same:  # a change of an annotation alone means nothing when the module runs
            before, after = source.splitlines(), changed.splitlines()
            at = next(i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b)
            found.append((line, before[at].strip(), after[at].strip(), changed))
    found.sort(key=lambda change: change[:3])
    counts: dict[tuple[str, str], int] = {}
    made = []
    for line, before, after, changed in found:
        nth = counts[before, after] = counts.get((before, after), -1) + 1
        made.append(Mutant(module, line, statements.get(line, line), before, after, nth, changed))
    return made


def _changes(source: str) -> Iterator[tuple[int, str]]:
    tree = get_ast(source)
    for name in cosmic_ray.plugins.operator_names():
        if not any(fnmatch.fnmatch(name.rpartition("/")[2], chosen) for chosen in CHOSEN):
            continue
        operator = cosmic_ray.plugins.get_operator(name)()
        positions = [at for node in ast_nodes(tree) for at in operator.mutation_positions(node)]
        for occurrence, (start, _) in enumerate(positions):
            changed = cosmic_ray.mutating.mutate_code(source, operator, occurrence)
            if changed is not None:
                yield start[0], changed


def _statements(source: str) -> dict[int, int]:
    """Return the line on which the innermost statement of each line begins to run."""
    found: dict[int, int] = {}
    run = sorted(_lines_run(compile(source, "", "exec", dont_inherit=True)))
    for node in ast.walk(ast.parse(source)):  # the outer ones first
        if isinstance(node, ast.stmt):
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            found.update(dict.fromkeys(lines, next((line for line in run if line in lines), node.lineno)))
    return found


def _lines_run(code: CodeType) -> set[int]:
    """Return the lines that the interpreter says it runs: not that of a bracket before a condition."""
    lines = {line for _, _, line in code.co_lines() if line}
    return lines.union(*(_lines_run(each) for each in code.co_consts if isinstance(each, CodeType)))


def _decorators(source: str) -> set[int]:
    """Return the lines of decorators."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    lines = [
        range(one.lineno, (one.end_lineno or one.lineno) + 1) for node in nodes for one in node.decorator_list
    ]
    return {line for some in lines for line in some}


class _Bare(ast.NodeTransformer):
    """Takes annotations away: they are read by people and checkers."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant("")
        return self.generic_visit(node)


def _meaning(source: str) -> str:
    """What a source does; empty where it is none: ``{**options}`` may have been taken for a power."""
    try:
        return ast.dump(_Bare().visit(ast.parse(source)))
    except SyntaxError:
        return ""
