"""A TCP proxy whose line can be cut, closed or silent, between a browser and a server of the same machine."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

PASS, CLOSED, SWALLOW = "pass", "closed", "swallow"


def free_port() -> int:
    """Return a port of this machine that nobody uses, for a server whose port is known before it starts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """Passes bytes between a port of its own and a server's.

    Parameters
    ----------
    target : int
        Port of the server on this machine, which need not be there yet.

    Attributes
    ----------
    port : int
        The proxy's own.
    mode : str
        ``"pass"``; ``"closed"``: connections are closed and new ones refused; ``"swallow"``: connections stay
        open, new ones are accepted, and no byte arrives.
    swallowed : int
        New connections since the line is silent.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.mode = PASS
        self.swallowed = 0
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._lock = threading.Lock()
        self._listener = self._listen(0)
        self.port: int = self._listener.getsockname()[1]

    def _listen(self, port: int) -> socket.socket:
        listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()
        return listener

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                near, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        far = socket.socket()
        pair = (near, far)
        with self._lock:
            self._pairs.add(pair)
        try:
            self.swallowed += self.mode == SWALLOW
            if self.mode == PASS:
                far.connect(("127.0.0.1", self.target))
                back = threading.Thread(target=self._pump, args=(far, near, pair), daemon=True)
                back.start()
            self._pump(near, far, pair)
        except OSError:
            self._drop(pair)

    def _pump(self, source: socket.socket, sink: socket.socket, pair: tuple[socket.socket, ...]) -> None:
        """Pass bytes on; a connection from which one was taken away never passes any again."""
        broken = False
        with suppress(OSError):
            while data := source.recv(65536):
                broken = broken or self.mode != PASS
                if not broken:
                    sink.sendall(data)
        if not broken and self.mode == PASS:
            self._drop(pair)

    def _drop(self, pair: tuple[socket.socket, ...]) -> None:
        with self._lock:
            self._pairs.discard(pair)  # type: ignore[arg-type]
        for each in pair:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut(self, mode: str) -> None:
        """Cut the line: ``"closed"`` or ``"swallow"``."""
        self.mode = mode
        self.swallowed = 0
        if mode == CLOSED:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._drop_all()

    def mend(self) -> None:
        """Let bytes pass again, those of new connections; the old ones are lost."""
        before, self.mode = self.mode, PASS
        if before == CLOSED:
            self._listener = self._listen(self.port)

    def _drop_all(self) -> None:
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            self._drop(pair)

    def close(self) -> None:
        """End all connections."""
        with suppress(OSError):
            self._listener.close()
        self._drop_all()
