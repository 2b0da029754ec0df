"""Transfer of a file from the browser in pieces, each sent after the one before has been received.

Messages are therefore small: the page stays responsive, and the websocket's limit does not matter. Pieces are
written to a temporary file; ``sending.js`` is the browser side. A thread reads the complete file.
"""

from __future__ import annotations

import base64
import logging
import tempfile
from abc import abstractmethod
from concurrent.futures import Future
from typing import Any, BinaryIO

import param

from lrbn_viz.io.constants import PIECE_BYTES

MAX_PIECE = 2 * (4 * PIECE_BYTES // 3)
"""Largest number of base64 characters in a piece: twice the size that ``sending.js`` sends."""

_log = logging.getLogger(__name__)


class Transfer:
    """One file, filled piece by piece.

    Parameters
    ----------
    size : int
        Announced size, bytes.

    Attributes
    ----------
    received : int
        Bytes received so far.

    Raises
    ------
    OSError
        No temporary file can be written.
    """

    def __init__(self, size: int) -> None:
        self.size, self.received = size, 0
        self._file: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this

    @property
    def whole(self) -> bool:
        """True if the file is complete."""
        return self.received == self.size

    def take(self, at: int, piece: bytes | str) -> bool:
        """Append the next piece; any other piece is ignored, such as one that was sent twice.

        Parameters
        ----------
        at : int
            Position of its first byte in the file.
        piece : bytes, or str in base64

        Returns
        -------
        bool
            True if it was appended.

        Raises
        ------
        OSError
            The disk is full.
        """
        if isinstance(piece, str):
            try:
                piece = base64.b64decode(piece, validate=True)
            except ValueError:  # invalid base64
                return False
        if at != self.received or not piece or at + len(piece) > self.size:
            return False
        self._file.write(piece)
        self.received += len(piece)
        return True

    def open(self) -> BinaryIO:
        """Return the open file, positioned at its beginning."""
        self._file.seek(0)
        return self._file

    def content(self) -> bytes:
        """Return the content of the whole file."""
        return self.open().read()


class FileReceiver(param.Parameterized):
    """A visitor's file: received in pieces, then read by a thread; `poll` takes over the result."""

    _transfer: Transfer | None = None
    _work: Future[Any] | None = None
    _name = ""

    def _set(self, **values: Any) -> None:
        with param.edit_constant(self):
            self.param.update(**values)

    @abstractmethod
    def _receive(self, transfer: Transfer) -> None:
        """Report how much of the file has arrived, and start reading it once it is complete."""

    @abstractmethod
    def _take_over(self, found: Any) -> None:
        """Take over the result of the thread; raise ValueError if it is invalid."""

    @abstractmethod
    def _refuse(self, words: str, error: Exception) -> None:
        """Report why the file was not read."""

    def _expect(self, name: str, size: int) -> bool:
        """Prepare for a file of `size` bytes; return whether it can be stored."""
        self._name = name
        try:
            self._transfer = Transfer(size)
        except OSError as error:
            self._turn_away(error)
        return self._transfer is not None

    def _turn_away(self, error: OSError) -> None:
        self._transfer = None
        self._refuse(f"The server cannot take files in now ({error.strerror}). Try again later.", error)

    def take(self, at: int, piece: bytes | str) -> None:
        """Append the piece that begins at byte `at`, as bytes or in base64; ignore any but the next one."""
        transfer = self._transfer
        try:
            if transfer is not None and transfer.take(at, piece):
                self._receive(transfer)
        except OSError as error:
            self._turn_away(error)

    def _forget(self) -> None:
        if self._work is not None:
            self._work.cancel()  # if it has not begun
        self._transfer = self._work = None

    def poll(self) -> None:
        """Take over the thread's result, if there is one; every error is reported in words."""
        work = self._work
        if work is None or not work.done():
            return
        self._work = None
        try:
            self._take_over(work.result())
        except ValueError as error:
            self._refuse(str(error), error)
        except MemoryError as error:
            self._refuse(f"There is not enough memory for {self._name} now. Use a smaller file.", error)
        except Exception as error:  # an unexpected error must not leave the page waiting
            _log.exception("a visitor's file, %r", self._name)
            words = f"{self._name} was not read because of an error in the program ({type(error).__name__})"
            self._refuse(f"{words}; the server's log has the details. Choose another file.", error)
