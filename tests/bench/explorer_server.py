"""The server that `bench_explorer.py` starts: ``panel serve`` that answers questions about itself.

Every line on standard input is answered by one line on standard output, ``ANSWER`` and JSON. The end of
standard input ends the server, so that none outlives its bench.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import signal
import socket
import sys
import threading
import time
from typing import Any


def resident_bytes() -> int:
    """Return this process's resident memory, what could be given back to the system given back."""
    gc.collect()
    with contextlib.suppress(
        OSError, AttributeError
    ):  # another C library gives nothing back: flatters nobody
        ctypes.CDLL("libc.so.6").malloc_trim(0)
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def living(*names: str) -> dict[str, int]:
    """Count the objects of the classes named that something still holds."""
    gc.collect()
    counts = dict.fromkeys(names, 0)
    for thing in gc.get_objects():
        name = type(thing).__name__
        if name in counts:
            counts[name] += 1
    return counts


def nodelay() -> list[bool]:
    """Return for every open websocket whether TCP_NODELAY is set on its socket."""
    from bokeh.server.views.ws import WSHandler

    flags = []
    for thing in gc.get_objects():
        if isinstance(thing, WSHandler) and thing.ws_connection is not None:
            connection: Any = thing.ws_connection
            if connection.stream.closed():
                continue
            flags.append(bool(connection.stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
    return flags


def answer(question: str) -> Any:
    """Answer one of the questions that the bench asks."""
    if question == "cpu":
        return {"cpu": time.process_time(), "clock": time.perf_counter()}
    if question == "memory":
        return {
            "bytes": resident_bytes(),
            "living": living("Session", "ServerSession", "PeriodicCallback", "TracePlayer"),
            "threads": sorted(thread.name for thread in threading.enumerate()),
        }
    if question == "nodelay":
        return nodelay()
    raise ValueError(f"expected cpu, memory or nodelay, got {question!r}.")


def answer_all() -> None:
    """Answer until standard input ends, then end the server."""
    for line in sys.stdin:
        print("ANSWER", json.dumps(answer(line.strip())), flush=True)
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=answer_all, name="answers", daemon=True).start()
    from panel.command import main

    sys.argv[:1] = ["panel", "serve"]
    main()
