"""``python -m tests.house``: print figures of the package's structure, each beside its limit.

Rooms are the folders directly below ``lrbn_viz``; modules that lie beside them are loose. An arrow means
that a module of one imports a module of another. Two places are alike if six lines in a row have the same
shape: the same tokens but for names, strings and numbers. With ``--check``, as the gate calls it, it fails if
a figure is above its limit. A change that lowers a figure lowers its limit, too.
"""

from __future__ import annotations

import argparse
import inspect
import io
import keyword
import token
import tokenize
from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from pathlib import Path
from typing import Any

from tests.architecture import PACKAGE, contracts, graph

N_ALIKE = 6
"""Lines in a row that two places share at least."""
MOST_PLACES = 8
"""Places in which the same lines stand before they are an idiom, and no repetition."""
FREE = {token.NAME: "n", token.STRING: "s", token.NUMBER: "0"}
BLANK = {
    token.COMMENT,
    token.NL,
    token.NEWLINE,
    token.INDENT,
    token.DEDENT,
    token.ENCODING,
    token.ENDMARKER,
}


def structure() -> dict[str, int]:
    """Return the numbers of rooms, loose modules, and arrows between these."""
    first = graph().find_children("lrbn_viz")
    rooms = {name for name in first if (PACKAGE / name.partition(".")[2]).is_dir()}
    owner = {module: ".".join(module.split(".")[:2]) for module in graph().modules if module != "lrbn_viz"}
    arrows = {
        (owner[module], owner[other])
        for module in owner
        for other in graph().find_modules_directly_imported_by(module)
        if other in owner and owner[other] != owner[module]
    }
    return {
        "rooms": len(rooms),
        "loose modules": len(first - rooms),
        "arrows": len(arrows),
        "arrows between rooms": sum(set(arrow) <= rooms for arrow in arrows),
    }


def _token(each: tokenize.TokenInfo) -> str:
    return each.string if keyword.iskeyword(each.string) else FREE.get(each.type, each.string)


def shapes(source: str) -> list[tuple[int, str]]:
    """Return the shape of each line of code, with its number: no docstrings, imports or lone brackets."""
    lines: dict[int, list[tokenize.TokenInfo]] = defaultdict(list)
    statement_begins = True
    skipped = False
    for each in tokenize.generate_tokens(io.StringIO(source).readline):
        if each.type == token.NEWLINE:
            statement_begins, skipped = True, False
        if each.type in BLANK:
            continue
        if statement_begins:
            skipped = each.type == token.STRING or each.string in ("import", "from")
            statement_begins = False
        if not skipped:
            lines[each.start[0]].append(each)
    found = []
    for number, tokens in sorted(lines.items()):
        shape = " ".join(_token(each) for each in tokens)
        if any(character.isalnum() for character in shape):
            found.append((number, shape))
    return found


def alike(folder: Path) -> list[tuple[str, int, str, int]]:
    """Return pairs of files that share six lines of one shape, with the first lines of the first such run."""
    places: dict[tuple[str, ...], list[tuple[str, int]]] = defaultdict(list)
    for path in sorted(folder.rglob("*.py")):
        lines = shapes(path.read_text(encoding="utf-8"))
        name = path.relative_to(folder).as_posix()
        for begin in range(len(lines) - N_ALIKE + 1):
            window = lines[begin : begin + N_ALIKE]
            places[tuple(shape for _, shape in window)].append((name, window[0][0]))
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for where in places.values():
        if len(where) <= MOST_PLACES:
            for (one, at), (other, also) in combinations(where, 2):
                if one != other:
                    found.setdefault((one, other), (at, also))
    return [(one, at, other, also) for (one, other), (at, also) in sorted(found.items())]


def lines_of(*folders: str) -> int:
    """Return the lines of Python in folders of the package."""
    paths = (path for folder in folders for path in (PACKAGE / folder).rglob("*.py"))
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def kinds() -> Mapping[str, Any]:
    """Return the kinds of models of the catalogue: an estimator, with a number of layers."""
    from lrbn_viz import catalog

    return catalog.kinds()


def ancestors() -> dict[str, int]:
    """Return how many classes of our own each estimator has above it."""

    def ours(kind: Any) -> list[type]:
        return [base for base in inspect.getmro(kind)[1:] if base.__module__.startswith("lrbn_viz")]

    return {kind.__name__: len(ours(kind)) for kind in {each.estimator for each in kinds().values()}}


def figures() -> dict[str, int]:
    """Return all figures, by what they count."""
    lines = lines_of("estimators", "rivals")
    return {
        **structure(),
        "import contracts": len(contracts()),
        "pairs of files with six lines alike": len(alike(PACKAGE)),
        "lines of estimators and rivals": lines,
        "lines of estimators and rivals, for each kind": -(-lines // len(kinds())),
        "ancestors of an estimator": max(ancestors().values()),
    }


LIMITS = {
    "rooms": 16,
    "loose modules": 5,
    "arrows": 99,
    "arrows between rooms": 68,
    "import contracts": 15,
    "pairs of files with six lines alike": 180,
    "lines of estimators and rivals, for each kind": 691,
    "ancestors of an estimator": 4,
}
"""Of all lines together there is no limit, since another model is no fault."""


def main() -> int:
    """Print the figures; return 1 if one is above its limit and this is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.house", description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where a figure is above its limit")
    parser.add_argument("--pairs", action="store_true", help="print the places that are alike")
    asked = parser.parse_args()
    found = figures()
    print(f"{'':41} {'figure':>8} {'limit':>8}")
    for what, number in found.items():
        print(f"{what:41} {number:8,} {LIMITS.get(what, '-'):>8}")
    if asked.pairs:
        for one, at, other, also in alike(PACKAGE):
            print(f"{one}:{at} ~ {other}:{also}")
    above = [what for what, number in found.items() if number > LIMITS.get(what, number)]
    if asked.check and above:
        print(f"above the limit: {', '.join(above)}. Merge what is alike, or take out what is not needed.")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
