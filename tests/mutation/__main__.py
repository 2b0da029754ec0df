"""``python -m tests.mutation``: how many changes of the engine its tests notice."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutation import report
from mutation.mutants import Mutant, mutants
from mutation.runner import ROOT, Outcome, load_libraries, run, trace

MODULES = (
    "lrbn_viz/lrbn/model.py",
    "lrbn_viz/lrbn/state.py",
    "lrbn_viz/lrbn/icm.py",
    "lrbn_viz/lrbn/batch_kernel.py",
    "lrbn_viz/lrbn/ais.py",
    "lrbn_viz/lrbn/exact.py",
    "lrbn_viz/rivals/rbm/partition.py",
    "lrbn_viz/measure/bracket.py",
    "lrbn_viz/measure/likelihood.py",
    "lrbn_viz/measure/reconstruction.py",
    "lrbn_viz/training/checkpoint.py",
)
"""Model, conditional, ICM, batch kernel, AIS, exact sums, AIS and RAISE of RBMs, evaluation, checkpoints."""
FIRST = 6
"""Tests that a mutant meets before all others; most are killed by them."""
PATIENCE = 5.0  # times as long as without the change may a test take, and 20 s more


class Trial:
    """The mutants of one module and the tests that run its lines.

    Parameters
    ----------
    module
        Its path in the project.
    plain
        What `runner.trace` found of the code as it is.
    """

    def __init__(self, module: str, plain: Outcome) -> None:
        self.module, self.seconds = module, plain.seconds
        self.lines, self.slow = plain.lines.get(module, {}), plain.slow
        self.kills: dict[str, int] = {}

    def tests(self, mutant: Mutant) -> list[str]:
        """Return the tests that run the mutant's line, those first that killed most, then the quickest.

        Slow ones stand at the end: they are asked for what the gate's tests let live.
        """
        chosen = [test for test, lines in self.lines.items() if mutant.statement in lines]
        if "" in chosen:  # it runs when the module is imported
            chosen = list(self.lines)
        chosen = [test for test in chosen if test]
        return sorted(
            chosen,
            key=lambda test: (test in self.slow, -self.kills.get(test, 0), self.seconds.get(test, 0.0)),
        )

    def __call__(self, mutant: Mutant) -> tuple[Outcome, bool]:
        """Return what the tests said of a mutant, and whether it took slow ones to say so."""
        tests = self.tests(mutant)
        if not tests:
            return Outcome(), False  # no test runs it
        limits = {test: 20.0 + PATIENCE * self.seconds.get(test, 0.0) for test in tests}
        n_gate = sum(test not in self.slow for test in tests)
        outcome, asked_slow = Outcome(), False
        # A few first: pytest reads every file that it is given a test of before it runs any.
        for some in (tests[: min(FIRST, n_gate)], tests[min(FIRST, n_gate) : n_gate], tests[n_gate:]):
            if some and outcome.killed_by is None:
                outcome = run(self.module, mutant.source, {test: limits[test] for test in some})
                asked_slow = some[0] in self.slow
        if outcome.killed_by:
            self.kills[outcome.killed_by] = self.kills.get(outcome.killed_by, 0) + 1
        return outcome, asked_slow and outcome.killed_by is not None


def main() -> int:
    """Test the mutants that are asked for; return 1 where one survives that is not in the list."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--module", action="append", help="only this file, or those whose paths hold this")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the modules and how many mutants each has")
    parser.add_argument("--write", action="store_true", help="write the figures into docs/mutation.md")
    asked = parser.parse_args()
    modules = [name for name in MODULES if not asked.module or any(part in name for part in asked.module)]
    if asked.list or not modules:
        for name in MODULES:
            print(f"{len(mutants(ROOT, name)):5d} {name}")
        return 0 if asked.list else 2
    load_libraries()
    plain = trace(modules)
    if plain.killed_by is not None:
        print(f"the tests do not pass on the code as it is: {plain.killed_by}", file=sys.stderr)
        return 2
    known, scores, news = report.survivors(), {}, []
    for module in modules:
        trial, made = Trial(module, plain), mutants(ROOT, module)
        start, lived, late = time.monotonic(), [], []
        with ThreadPoolExecutor(asked.jobs) as pool:
            judged = zip(made, pool.map(trial, made), strict=True)
            for number, (mutant, (outcome, took_slow)) in enumerate(judged, 1):
                if took_slow:
                    late.append(mutant)
                    print(
                        f"{module}:{mutant.line}: {mutant.before}\n    is killed by slow tests alone as:"
                        f" {mutant.after}",
                        flush=True,
                    )
                if outcome.killed_by is None:
                    lived.append(mutant)
                    if mutant.name not in known:
                        news.append(mutant)
                        print(
                            f"{module}:{mutant.line}: {mutant.before}\n    survives as: {mutant.after}",
                            flush=True,
                        )
                if sys.stderr.isatty():
                    left = (time.monotonic() - start) / number * (len(made) - number)
                    print(
                        f"\r{number} of {len(made)}, {left:.0f} s left ", end="", file=sys.stderr, flush=True
                    )
        same = sum(mutant.name in known and known[mutant.name].same for mutant in lived)
        scores[module] = report.Score(len(made), len(lived), same, len(late))
        print(f"{module}: {scores[module]} in {time.monotonic() - start:.0f} s", flush=True)
        if asked.write:  # each as it is known: all take hours
            report.write(scores)
    return 1 if news else 0


if __name__ == "__main__":
    raise SystemExit(main())
