"""The explorer, served by a process that begins at once."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.error import HTTPError
from urllib.request import urlopen

from forked import Forked, command, forked

SECONDS = 120.0
"""For the first answer of a server, at most."""


class Served(NamedTuple):
    """A server of the explorer.

    Attributes
    ----------
    url : str
        Where it says that it is, without a slash at the end.
    printed : list of str
        Its lines so far: those that it prints before it answers, and later ones as they come.
    process : Forked
    """

    url: str
    printed: list[str]
    process: Forked


@contextmanager
def served(*options: str, warm_up: bool = False, **environment: str) -> Iterator[Served]:
    """Serve the explorer by ``lrbn-viz serve`` with these options, on a free port unless they name one.

    Parameters
    ----------
    warm_up : bool
        Whether its first page has it read all kernels, as usual; else each is read when it is needed.
    environment
        Variables beside those of this process.
    """
    port = () if "--port" in options else ("--port", "0")
    words = ("serve", "--no-show", *port, *options)
    with forked(command(*words, warm_up=warm_up), **environment) as process:
        printed: list[str] = []
        found = None
        for line in process.stdout:
            printed.append(line.rstrip("\n"))
            if found := re.search(r"Launching server at (\S+)", line):
                break
        assert found is not None, "the explorer did not start:\n" + "\n".join(printed)
        # It prints on: nobody must keep it waiting.
        reader = threading.Thread(target=_read, args=(process, printed), daemon=True)
        reader.start()
        try:
            url = found[1].rstrip("/")
            _wait_for_an_answer(url)
            yield Served(url, printed, process)
        finally:
            process.kill()
            reader.join()


def _read(process: Forked, printed: list[str]) -> None:
    for line in process.stdout:
        printed.append(line.rstrip("\n"))


def _wait_for_an_answer(url: str) -> None:
    end = time.monotonic() + SECONDS
    while True:
        try:
            urlopen(f"{url}/health/live", timeout=SECONDS).close()
            return
        except HTTPError:  # an answer, too
            return
        except OSError:
            assert time.monotonic() < end, f"{url} does not answer"
            time.sleep(0.05)


class ServedClass(NamedTuple):
    """A class that is served.

    Attributes
    ----------
    base : str
        Address of the class, with a slash at the end.
    board : str
        That of the lecturer's board.
    notes : str
        That of the lecturer's notes; empty without a plan.
    """

    base: str
    board: str
    notes: str

    @property
    def live(self) -> str:
        """The address of the live page."""
        return f"{self.base}live.html"

    @property
    def key(self) -> str:
        """The lecturer's key."""
        return self.board.rpartition("key=")[2]


@contextmanager
def served_class(*options: str) -> Iterator[ServedClass]:
    """Serve a class, with further options."""
    with served("--class", *options) as found:
        printed = "\n".join(found.printed)
        addresses = [
            re.search(rf"{words} +(\S+)", printed) for words in ("class opens", "You open", "Your notes")
        ]
        base, board, notes = ("" if each is None else each[1] for each in addresses)
        assert base
        assert board
        yield ServedClass(base, board, notes)
