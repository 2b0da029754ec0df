"""Fuzzing: many damaged and forged inputs to one function, of which only documented errors may come.

A target lies in a file ``target_*.py`` of this folder, in its list ``TARGETS``; it is found by that name.
Inputs run in a child process (`child`), so that a crash of the interpreter, a hang or a rush of memory is
seen and belongs to the very input. Input n of seed s is always the same, whatever ran before it, so no input
is stored: a failure names target, seed and number, and
``python -m tests.fuzz --target T --seed S --only N`` repeats it.

Bounds of one input:

- 2 s of CPU time of the process, which a busy machine does not lengthen; and 60 s by the clock, for what
  hangs.
- 500 MB of memory beyond what the process had before: the peak of its resident set (``VmHWM``, set back
  before every input; Linux only). A limit on its address space (``RLIMIT_AS``: 4 GB) saves the machine.
- An error is documented if its type is one of the target's, exactly (a UnicodeDecodeError is a ValueError
  that nobody wrote), and if it is raised in this package, and not by a library that was handed something odd.
  Its message has 20 to 2,000 characters, all of which can be printed.
"""

from __future__ import annotations

import functools
import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LOCAL_POOL = Path(__file__).resolve().parent


class Bounds(NamedTuple):
    """What an input may take.

    Attributes
    ----------
    cpu_seconds : float
        Of its process.
    memory : int
        Bytes beyond what the process had before.
    clock_seconds : float
        By the clock, until it counts as hanging.
    """

    cpu_seconds: float = 2.0
    memory: int = 500 * 10**6
    clock_seconds: float = 60.0


BOUNDS = Bounds()
START_SECONDS = 300.0  # imports, and the first compilation of kernels
MOST_FAULTS = 8  # different ones, after which a run ends
MOST_DEATHS = 10  # of the process, likewise: each start of another takes a second


@dataclass(frozen=True)
class Target:
    """One function that takes what it did not make.

    Attributes
    ----------
    name : str
    run : callable
        Takes one input, which it must not change. What it writes goes into :func:`scratch`.
    errors : tuple of exception types
        That are documented, each by its exact type.
    corpus : callable
        Returns valid inputs, small ones: `run` must take each without any error, which is checked first.
        Called once in a process, so it may prepare what `run` needs.
    make : callable, optional
        From a random generator and the corpus to one input.
    strategy : callable, optional
        Instead of `make`: returns the Hypothesis strategy of the inputs.
    """

    name: str
    run: Callable[[Any], object]
    errors: tuple[type[BaseException], ...] = ()
    corpus: Callable[[], Sequence[Any]] = tuple
    make: Callable[[np.random.Generator, Sequence[Any]], Any] | None = None
    strategy: Callable[[], Any] | None = None

    def __post_init__(self) -> None:
        assert (self.make is None) != (self.strategy is None), f"{self.name}: give make or strategy"


@dataclass(frozen=True)
class Fault:
    """What went wrong with one input."""

    number: int  # -1: a valid input, or the start
    what: str  # on one line; equal for equal faults
    text: str = ""  # the traceback, or what the child printed last


@dataclass
class Result:
    """What became of the inputs of one target."""

    target: str
    seed: int
    n_inputs: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)  # "accepted", or the type of a documented error
    faults: dict[str, list[Fault]] = field(default_factory=dict)  # by `what`
    cpu_seconds: float = 0.0  # of the slowest input
    memory: int = 0  # of the largest, bytes
    deaths: int = 0  # of the process

    def add(self, fault: Fault) -> None:
        self.faults.setdefault(fault.what, []).append(fault)

    def __str__(self) -> str:
        made = ", ".join(f"{n:,} {what}" for what, n in self.outcomes.most_common())
        lines = [
            f"{self.target}: {self.n_inputs:,} inputs of seed {self.seed}: {made or 'none ended'}; "
            f"at most {self.cpu_seconds:.2f} s and {self.memory / 1e6:.0f} MB"
        ]
        for what, faults in self.faults.items():
            first = faults[0]
            again = f'python -m tests.fuzz --target "{self.target}" --seed {self.seed} --only {first.number}'
            lines += [
                f"  FAILED: {what} ({len(faults):,} inputs; the first is {first.number})",
                f"    repeat: {again}",
            ]
            lines += ["    " + line for line in first.text.splitlines()[-14:]]
        return "\n".join(lines)


def targets(modules: Sequence[str] | None = None) -> dict[str, tuple[str, Target]]:
    """Return all targets by name, each with its module."""
    if modules is None:
        modules = sorted(f"fuzz.{path.stem}" for path in LOCAL_POOL.glob("target_*.py"))
    found: dict[str, tuple[str, Target]] = {}
    for module in modules:
        for target in importlib.import_module(module).TARGETS:
            assert target.name not in found, f"two targets have the name {target.name!r}"
            found[target.name] = (module, target)
    return found


@functools.cache
def scratch() -> Path:
    """Return a folder of this process for a target's files, to be asked for by `run` or `corpus`.

    It goes with the child, however that ends. A module that makes a folder when it is imported leaves it
    behind: pytest imports all targets for their names.
    """
    return Path(tempfile.mkdtemp())


def generator(name: str, seed: int, number: int) -> np.random.Generator:
    """Return the random numbers of one input."""
    return np.random.default_rng([seed, number, *name.encode()])


class Runner:
    """A child process that runs inputs, started when it is needed and again when it has died."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[str] | None = None
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fuzz(
        self,
        module: str,
        name: str,
        *,
        inputs: int,
        seed: int = 0,
        only: int | None = None,
        progress: Callable[[int], None] = lambda n: None,
        bounds: Bounds = BOUNDS,
    ) -> Result:
        """Run inputs 0 to `inputs` - 1 of a target, or only the one of number `only`."""
        result = Result(name, seed)
        at, end = (0, inputs) if only is None else (only, only + 1)
        while at < end and len(result.faults) < MOST_FAULTS and result.deaths < MOST_DEATHS:
            at = self._batch(module, name, seed, at, end, result, progress, bounds)
        return result

    def _batch(
        self,
        module: str,
        name: str,
        seed: int,
        start: int,
        end: int,
        result: Result,
        progress: Callable[[int], None],
        bounds: Bounds,
    ) -> int:
        """Run inputs until the last, or until the child dies; return the number to go on with."""
        child = self._ready()
        job = {"module": module, "name": name, "seed": seed, "start": start, "end": end}
        job |= {"cpu_seconds": bounds.cpu_seconds, "memory": bounds.memory}
        assert child.stdin is not None
        child.stdin.write(json.dumps(job) + "\n")
        child.stdin.flush()
        at, patience = -1, START_SECONDS
        while True:
            try:
                line = self._lines.get(timeout=patience)
            except queue.Empty:
                self.close()
                result.add(Fault(at, f"no end after {patience:.0f} s by the clock"))
                break
            if line is None:  # the child is gone
                code = child.wait()
                result.add(Fault(at, f"the process died (exit {code})", self._last_words()))
                self.close()
                break
            kind, _, rest = line.partition(" ")
            if kind == "N":
                at = int(rest)
                if at >= 0:
                    patience = bounds.clock_seconds
                    result.n_inputs += 1
                    progress(result.n_inputs)
            elif kind == "W":
                continue
            elif kind == "F":
                said = json.loads(rest)
                result.add(Fault(at, said["what"], said["text"]))
                if len(result.faults) >= MOST_FAULTS:
                    self.close()
                    return end
            else:  # done
                said = json.loads(rest)
                result.outcomes.update(said["outcomes"])
                result.cpu_seconds = max(result.cpu_seconds, said["cpu_seconds"])
                result.memory = max(result.memory, said["memory"])
                return end
        result.deaths += 1
        return at + 1 if at >= 0 else end  # what fails before its first input will fail again

    def _ready(self) -> subprocess.Popen[str]:
        if self._child is not None and self._child.poll() is None:
            return self._child
        self.close()
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-")
        # One thread each: CPU time is then the time that one input takes, and many children do not crowd.
        one = dict.fromkeys(
            ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
        )
        paths = [str(LOCAL_POOL.parent), str(LOCAL_POOL.parent.parent), os.environ.get("PYTHONPATH", "")]
        environment = os.environ | one | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
        # Whatever a dying child leaves behind goes with the folder.
        environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._folder.name)
        with open(Path(self._folder.name) / "stderr", "wb") as errors:
            child = subprocess.Popen(
                [sys.executable, "-X", "faulthandler", "-m", "fuzz.child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                env=environment,
            )
        lines: queue.Queue[str | None] = queue.Queue()

        def read() -> None:
            assert child.stdout is not None
            for line in child.stdout:
                lines.put(line.rstrip("\n"))
            lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        self._child, self._lines = child, lines
        return child

    def _last_words(self) -> str:
        assert self._folder is not None
        printed = (Path(self._folder.name) / "stderr").read_text(encoding="utf-8", errors="replace")
        return printed[-3000:]

    def close(self) -> None:
        """End the child, and remove what it left."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    pipe.close()
            self._child = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
