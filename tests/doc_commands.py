"""``python tests/doc_commands.py [PAGE ...]``: run the `lrbn-viz` commands of README and docs.

Those of the named pages, or of all, in an empty folder, by the script of the environment that runs this. A
server is asked for its first page and ended. `NOT_RUN` has those that are left out. Fails if one fails.
"""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from unittest import mock

from doc_blocks import PAGES, README, ROOT, commands

SCRIPT = Path(sys.executable).with_name("lrbn-viz")
LIMIT_S = 900.0
"""Time limit of a command, and of a server until it answers, seconds: the first ones compile kernels."""
NOT_RUN = {
    "lrbn-viz COMMAND ": "stands for every command; `lrbn-viz --help` lists them",
    "lrbn-viz docs": "needs a checkout",
    "lrbn-viz datasets --download ": "needs a network",
    "lrbn-viz reproduce ": "takes hours; `--quick --seconds 1` is run",
    "lrbn-viz lessons check ": "is about a folder of the reader's own",
}
"""Beginnings of commands that are not run, and why."""
RUN = ("lrbn-viz reproduce mnist --quick --seconds 1",)
"""Exceptions: these are run."""
FILES = {"users.json": '{"teacher": "a long password"}'}
"""What a command reads that a reader has written before."""


def reason(command: str) -> str:
    """Return why a command is not run; empty if it is."""
    if command.startswith(RUN):
        return ""
    return next((why for beginning, why in NOT_RUN.items() if f"{command} ".startswith(beginning)), "")


def documented(pages: list[str]) -> list[str]:
    """Return the commands of pages, or of README and all pages, each once."""
    texts = {"README.md": README, **PAGES}
    found = [
        " ".join(each.split())
        for page in pages or texts
        for line in commands(texts[page])
        for each in line.split(" && ")
        if each.startswith("lrbn-viz ")
    ]
    return list(dict.fromkeys(found))


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def answers(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until a server answers without an error of its own; False if it ends, or if time is up."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=60):
                return True
        except urllib.error.HTTPError as refused:
            return refused.code < 500
        except OSError:
            time.sleep(0.2)
    return False


def serves(words: list[str], out: Path) -> bool:
    """Start a server, ask it for its first page, and end it; return whether it answered."""
    port = free_port()
    prefix = words[words.index("--prefix") + 1] if "--prefix" in words else ""
    with out.open("wb") as log:
        process = subprocess.Popen(
            [str(SCRIPT), *words, "--no-show", "--port", str(port)], stdout=log, stderr=subprocess.STDOUT
        )
        try:
            return answers(f"http://127.0.0.1:{port}{prefix}/", process)
        finally:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def runs(command: str, out: Path) -> bool:
    """Run a command in the current folder; return whether it did what it is for."""
    words = shlex.split(command)[1:]
    if words[0] == "serve":
        return serves(words, out)
    with out.open("wb") as log:
        done = subprocess.run([str(SCRIPT), *words], stdout=log, stderr=subprocess.STDOUT, timeout=LIMIT_S)
    return done.returncode == 0


def main(pages: list[str]) -> int:
    """Run the commands of pages; return 1 if one fails."""
    failed, before = [], Path.cwd()
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as log:
        kept = {f"LRBN_VIZ_{what}": str(Path(log, what.lower())) for what in ("RUNS", "SWEEPS")}
        os.chdir(folder)
        for name, text in FILES.items():
            Path(name).write_text(text, encoding="utf-8")
        example = Path("examples", "sweep.toml")
        example.parent.mkdir()
        example.write_bytes((ROOT / example).read_bytes())
        try:
            for command in documented(pages):
                if why := reason(command):
                    print(f"-- {command}: not run, {why}", flush=True)
                    continue
                start, out = time.monotonic(), Path(log, "out")
                with mock.patch.dict(os.environ, kept):  # and not among the user's own
                    ran = runs(command, out)
                print(f"-- {command}: {time.monotonic() - start:.0f} s", flush=True)
                if not ran:
                    print(out.read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
                    failed.append(command)
        finally:
            os.chdir(before)
    print("every command ran" if not failed else "FAILED: " + ", ".join(failed))
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
