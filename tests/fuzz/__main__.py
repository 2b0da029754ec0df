"""``python -m tests.fuzz --inputs 50000``: many inputs to one target, or to all."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fuzz.harness import Runner, targets


def main() -> int:
    """Run what is asked for; return 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--inputs", type=int, default=2000, help="inputs per target (default: %(default)s)")
    parser.add_argument("--target", action="append", help="only this one, or those whose names begin so")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="only the input of this number")
    parser.add_argument("--list", action="store_true", help="list the targets")
    asked = parser.parse_args()
    known = targets()
    names = [name for name in known if not asked.target or name.startswith(tuple(asked.target))]
    if asked.list or not names:
        print("\n".join(known))
        return 0 if asked.list else 2
    failed = []
    with Runner() as runner:
        for name in names:
            start = last = time.monotonic()

            def progress(n: int, name: str = name) -> None:
                nonlocal last
                if sys.stderr.isatty() and time.monotonic() - last > 0.2:
                    last = time.monotonic()
                    print(f"\r{name}: {n:,} of {asked.inputs:,}", end="", file=sys.stderr, flush=True)

            result = runner.fuzz(
                known[name][0], name, inputs=asked.inputs, seed=asked.seed, only=asked.only, progress=progress
            )
            if sys.stderr.isatty():
                print("\r\033[K", end="", file=sys.stderr)
            print(f"{result}; {time.monotonic() - start:.0f} s in all", flush=True)
            failed += [name] if result.faults else []
    if failed:
        print(f"FAILED: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
