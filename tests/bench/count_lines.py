"""Count the executable lines of the package: ``python tests/bench/count_lines.py --rev HEAD~1``.

An executable line is one on which a statement begins, docstrings left out: blank lines, comments, and how a
long statement is broken do not count. Files are taken as git has them at a revision, or as they lie in the
working tree.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("lrbn_viz", "apps")


def count(source: str) -> int:
    """Return how many lines of a file a statement begins on, docstrings left out."""
    statements = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt))
    return len({node.lineno for node in statements if not _is_text(node)})


def _is_text(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def sources(rev: str | None) -> Iterator[tuple[str, str]]:
    """Yield the path and the text of every Python file of the package, at a revision or as it lies here."""
    if rev is None:
        for path in (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    else:
        for name in _git("ls-tree", "-r", "--name-only", rev, *FOLDERS).splitlines():
            if name.endswith(".py"):
                yield name, _git("show", f"{rev}:{name}")


def by_room(rev: str | None) -> Counter[str]:
    """Return the executable lines of each folder, or module, right below the package."""
    rooms: Counter[str] = Counter()
    for name, source in sources(rev):
        rooms["/".join(name.split("/")[:2])] += count(source)
    return rooms


def main() -> None:
    """Print the counts of the working tree and, beside them, of a revision."""
    parser = argparse.ArgumentParser(description="Count the executable lines of each room.")
    parser.add_argument("--rev", metavar="COMMIT", help="a revision to count as well, such as HEAD~1")
    rev = parser.parse_args().rev
    now, before = by_room(None), by_room(rev) if rev else Counter[str]()
    print(f"{'':<28}{'now':>8}" + (f"{rev:>12}" if rev else ""))
    for room in ("all", *sorted(now | before, key=lambda room: -now[room])):
        figures = (rooms.total() if room == "all" else rooms[room] for rooms in (now, before))
        print(f"{room:<28}" + "".join(f"{n:>{8 + 4 * at},}" for at, n in enumerate(figures) if rev or not at))


if __name__ == "__main__":
    main()
