"""Blocks of bytes that the players of a notebook share: code, kernels, and the weights of each set of models.

A block is a widget of its own, which players name in their state. So it travels to the browser once, and is
once in a saved notebook, however many players refer to it.
"""

from __future__ import annotations

import gzip
import hashlib

import anywidget
import traitlets


def compressed(block: bytes) -> bytes:
    """Return bytes as they travel; none stay none."""
    return gzip.compress(block, 6, mtime=0) if block else b""


class Block(anywidget.AnyWidget):
    """Bytes under the name of their digest.

    Attributes
    ----------
    content : bytes
        Compressed.
    digest : str
        Of what they are open.
    """

    _esm = "export default {};"

    content = traitlets.Bytes(b"").tag(sync=True)
    digest = traitlets.Unicode("").tag(sync=True)

    def unpacked(self) -> bytes:
        """Return the bytes, open."""
        return gzip.decompress(self.content)


_SHARED: dict[str, Block] = {}


def shared(block: bytes) -> Block:
    """Return the widget that holds these bytes, the same for the same bytes.

    In marimo each call returns another: there a widget ends with the cell that made it.
    """
    digest = hashlib.sha256(block).hexdigest()[:32]
    known = _SHARED.get(digest)
    if known is None or known.comm is None:  # None: it was closed
        known = Block(content=compressed(block), digest=digest)
        if type(known.comm).__module__.partition(".")[0] != "marimo":
            _SHARED[digest] = known
    return known
