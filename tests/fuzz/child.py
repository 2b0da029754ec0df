"""The process that inputs run in: jobs come by its standard input; how far it is, by its standard output.

``N 12`` before input 12, ``W 12`` on the way to the first, ``F {...}`` if it failed, ``D {...}`` at the end.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import re
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fuzz.harness import Target, generator, targets

_GUARD = 4 * 10**9  # bytes of address space beyond what the process has


def peak_memory() -> int:
    """Return the most memory held since `forget_peak`, bytes; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    found = re.search(r"VmHWM:\s*(\d+) kB", status)
    return int(found[1]) * 1024 if found else 0


def forget_peak() -> None:
    """Let `peak_memory` begin anew."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def _guard_the_machine() -> None:
    """Let an allocation fail that would take far more than any input may."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (now + _GUARD, hard))


class _Job:
    def __init__(
        self, target: Target, say: Callable[[str, Any], None], cpu_seconds: float, memory: int
    ) -> None:
        self.target, self.say = target, say
        self.most_cpu_seconds, self.most_memory = cpu_seconds, memory
        self.outcomes: Counter[str] = Counter()
        self.cpu_seconds, self.memory = 0.0, 0

    def one(self, number: int, make: Callable[[], Any], *, valid: bool = False) -> None:
        """Make and run one input; `valid` ones must not be refused."""
        self.say("N", number)
        try:
            made = make()
        except Exception as error:
            what = f"{type(error).__name__} while the input was made"
            self._fault(what, "".join(traceback.format_exception(error)))
            return
        forget_peak()
        memory, cpu = peak_memory(), time.process_time()
        try:
            self.target.run(made)
        except Exception as error:
            cpu = time.process_time() - cpu
            self._error(error, valid)
        except BaseException as error:  # SystemExit, KeyboardInterrupt from within
            self._fault(f"{type(error).__name__} went out", traceback.format_exc())
        else:
            cpu = time.process_time() - cpu
            self.outcomes["accepted"] += not valid
        memory = peak_memory() - memory
        if valid:  # may compile kernels
            return
        self.cpu_seconds, self.memory = max(self.cpu_seconds, cpu), max(self.memory, memory)
        if cpu > self.most_cpu_seconds:
            what = f"more than {self.most_cpu_seconds:g} s"
            self._fault(what, f"It took {cpu:.1f} s of CPU time. {_shown(made)}")
        if memory > self.most_memory:
            what = f"more than {self.most_memory / 1e6:g} MB"
            self._fault(what, f"It took {memory / 1e6:.0f} MB. {_shown(made)}")

    def _error(self, error: Exception, valid: bool) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        own = os.sep + "lrbn_viz" + os.sep
        documented = type(error) in self.target.errors and own in frames[-1].filename
        if documented and not valid:
            self.outcomes[type(error).__name__] += 1
            words = str(error)
            if not 20 <= len(words) <= 2000 or not all(part.isprintable() for part in words.split("\n")):
                where = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}"
                self._fault(f"{type(error).__name__} at {where} that nobody can read", repr(words[:3000]))
            return
        last = next((frame for frame in reversed(frames) if own in frame.filename), frames[-1])
        where = f"{Path(last.filename).name}:{last.lineno}"
        if type(error) in self.target.errors and not valid:
            what = f"{type(error).__name__} not raised by this package, but within {where}"
        else:
            what = f"{type(error).__name__} at {where}" + " of a valid input" * valid
        self._fault(what, "".join(traceback.format_exception(error)))

    def _fault(self, what: str, text: str) -> None:
        self.say("F", {"what": what, "text": text[-4000:]})


def _shown(made: Any) -> str:
    text = repr(made)
    return f"The input: {text[:200]}{' ...' * (len(text) > 200)}"


@functools.cache
def _prepared(module: str, name: str) -> tuple[Target, Any]:
    target = targets([module])[name][1]
    return target, tuple(target.corpus())


def _work(job: dict[str, Any], say: Callable[[str, Any], None]) -> None:
    target, corpus = _prepared(job["module"], job["name"])
    running = _Job(target, say, job["cpu_seconds"], job["memory"])
    for valid in corpus:
        running.one(-1, lambda valid=valid: valid, valid=True)
    _guard_the_machine()
    forget_peak()
    before = peak_memory()
    if target.make is not None:
        make = target.make
        for number in range(job["start"], job["end"]):
            running.one(
                number, lambda number=number: make(generator(target.name, job["seed"], number), corpus)
            )
    else:
        _draw(target, job, running)
    forget_peak()
    if peak_memory() - before > running.most_memory:
        what = f"all inputs together hold more than {running.most_memory / 1e6:g} MB"
        say("F", {"what": what, "text": ""})
    found = {"outcomes": running.outcomes, "cpu_seconds": running.cpu_seconds, "memory": running.memory}
    say("D", found)


def _draw(target: Target, job: dict[str, Any], running: _Job) -> None:
    """Run the inputs of a strategy as they are drawn; those before the start are drawn only, because each
    depends on those before.
    """
    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis.internal.conjecture import providers

    # It draws constants of modules that have been imported by then, which are not the same in each process.
    found: Any = providers
    found._get_local_constants = lambda: found._local_constants

    assert target.strategy is not None
    numbers = iter(range(job["end"]))

    def take(made: Any) -> None:
        number = next(numbers)
        if number >= job["start"]:
            running.one(number, lambda: made)
        elif number % 100 == 0:
            running.say("W", number)

    draws = settings(
        max_examples=job["end"],
        phases=[Phase.generate],
        database=None,
        deadline=None,
        derandomize=False,
        suppress_health_check=[*HealthCheck.__members__.values()],
    )
    draws(seed(job["seed"])(given(target.strategy())(take)))()


def main() -> None:
    """Take jobs until there are no more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is not ours to say

    def say(kind: str, what: Any) -> None:
        out.write(f"{kind} {json.dumps(what)}\n")
        out.flush()

    for line in sys.stdin:
        _work(json.loads(line), say)


if __name__ == "__main__":
    main()
