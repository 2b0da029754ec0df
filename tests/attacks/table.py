"""The table of attacks for the documentation: ``python tests/attacks/table.py`` tries all, and prints it.

``--write`` puts it into the page on visitors. The exit status is 1 where an attack succeeds, or none would.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from attacks.attempts import ATTACKS, FORGERIES, Attempt, succeeds
from attacks.conftest import APART, ROOT, SHARED, world

PAGE = ROOT / "docs" / "visitors.md"
BEGIN, END = "<!-- attacks begin -->\n", "<!-- attacks end -->\n"
HEAD = "| attack | action | visitors kept apart | control |\n| --- | --- | --- | --- |\n"


def first_line(attempt: Attempt) -> str:
    """Return what is tried."""
    return (attempt.__doc__ or "").strip().splitlines()[0]


def row(attempt: Attempt, apart: bool, proof: str) -> str:
    """Return a line of the table."""
    title = attempt.__name__.replace("_", " ")
    return f"| {title} | {first_line(attempt)} | {'succeeds' if apart else 'fails'} | {proof} |\n"


def expected() -> str:
    """Return the table as it is where all is well."""
    rows = [row(attempt, False, "succeeds with `--shared`") for attempt in ATTACKS]
    return HEAD + "".join(rows + [row(attempt, False, proof_of(genuine)) for attempt, genuine in FORGERIES])


def proof_of(genuine: Attempt) -> str:
    """Return the words for a genuine act that succeeds."""
    return f"the genuine act succeeds: {first_line(genuine)[0].lower()}{first_line(genuine)[1:-1]}"


def tried() -> Iterator[str]:
    """Try all, and yield the lines of the table."""
    yield HEAD
    with (
        tempfile.TemporaryDirectory() as one,
        tempfile.TemporaryDirectory() as two,
        world(Path(one), *APART) as apart,
        world(Path(two), *SHARED) as shared,
    ):
        for attempt in ATTACKS:
            proof = "succeeds with `--shared`" if succeeds(attempt, shared, patient=True) else "**none**"
            yield row(attempt, succeeds(attempt, apart), proof)
            apart.leave()
            shared.leave()
        for attempt, genuine in FORGERIES:
            found = succeeds(attempt, apart)
            yield row(
                attempt, found, proof_of(genuine) if succeeds(genuine, apart, patient=True) else "**none**"
            )
            apart.leave()


def main() -> int:
    """Print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into the page")
    arguments = parser.parse_args()
    table = ""
    for line in tried():
        print(line, end="", flush=True)
        table += line
    if arguments.write:
        text = PAGE.read_text(encoding="utf-8")
        before, after = text.partition(BEGIN)[0], text.partition(END)[2]
        PAGE.write_text(before + BEGIN + table + END + after, encoding="utf-8")
    return 0 if table == expected() else 1


if __name__ == "__main__":
    sys.exit(main())
