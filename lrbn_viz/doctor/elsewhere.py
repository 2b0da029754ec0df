"""Parts that call kernels, examined in another process, which is ended when its time is up.

On a new machine kernels are compiled first, for minutes; and what compiles or runs them wrongly can end the
process that does.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from lrbn_viz.doctor.report import Finding

POLL_SECONDS = 0.1
"""Interval at which the results of the other process are polled, seconds."""
COMPILE = "lrbn-viz compile compiles all of them, once, for some minutes; then run this again."


SCRIPT = """
import json, sys
from lrbn_viz.doctor.examine import PARTS

for each in PARTS[sys.argv[1]]():
    print(json.dumps(each.plain()), flush=True)
"""


def examine_elsewhere(part: str, seconds: float) -> Iterator[Finding]:
    """Yield the findings of another process on a part, as they are found, for a limited number of seconds."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    end = monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        written, said = Path(folder, "found"), Path(folder, "said")
        with written.open("wb") as output, said.open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, "-c", SCRIPT, part], stdout=output, stderr=errors, env=environment
            )
        try:
            n, status = 0, None
            while status is None and monotonic() < end:
                status = _wait(process)
                lines = written.read_text(encoding="utf-8").split("\n")[:-1]  # the last is not whole
                yield from (Finding(**json.loads(line)) for line in lines[n:])
                n = len(lines)
        finally:
            process.kill()
            process.wait()
        if status is None:
            words = (
                f"time was up after {n} were looked at: where kernels are not compiled yet, that comes first."
            )
            yield Finding(part, "warning", f"{words} {COMPILE}")
        elif status != 0:
            last = said.read_text(encoding="utf-8", errors="replace").strip().rpartition("\n")[2]
            yield Finding(part, "wrong", f"the process ended with status {status} after {n}: {last}")


def _wait(process: subprocess.Popen[bytes]) -> int | None:
    """Return the status of a process that ends soon; else None."""
    try:
        return process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return None
