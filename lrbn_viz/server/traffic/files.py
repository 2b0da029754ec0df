"""Files that a browser asks for once: an address names what is in it, so it need never be asked for again.

Libraries, the components' scripts and the shipped models' weights leave the server in this way: packed once,
and kept by the browser from then on.
"""

from __future__ import annotations

import asyncio
import functools
import gzip
from concurrent.futures import Future
from hashlib import blake2b
from typing import Any, NamedTuple

import panel as pn
from tornado.httputil import HTTPConnection
from tornado.web import GZipContentEncoding, HTTPError, RequestHandler

from lrbn_viz.io.background import Executor

PLACE = "lrbn_viz/kept"
"""Path of the files below the server's own prefix."""
LEVEL = 6
_PAGE_BYTES = 2**16  # of an answer that is packed anew each time, at most


class KeptFile(NamedTuple):
    """A file, packed.

    Attributes
    ----------
    packed : Future of bytes
        Its content as gzip packs it.
    kind : str
        Its media type.
    """

    packed: Future[bytes]
    kind: str


@functools.lru_cache(maxsize=32)
def _digest(content: bytes) -> str:
    """Return the digest of a content for its address; a page asks for the same few again and again."""
    return blake2b(content, digest_size=16).hexdigest()


class KeptFiles:
    """Files by what is in them, held for as long as the process runs: only for what a package brings."""

    def __init__(self) -> None:
        self._files: dict[str, KeptFile] = {}
        self._packer = Executor("packing")  # zlib lets others work meanwhile

    def keep(self, content: bytes, name: str, kind: str) -> str:
        """Hold a file and return its address, below the server's prefix.

        Parameters
        ----------
        content : bytes
        name : str
            What the address ends with, for people who read it: letters, digits, dots, dashes and underscores.
        kind : str
            Media type, such as ``"text/javascript"``.
        """
        digest = _digest(content)
        if digest not in self._files:
            self._files[digest] = KeptFile(self._packer.submit(gzip.compress, content, LEVEL, mtime=0), kind)
        return f"{PLACE}/{digest}/{name}"

    def find(self, digest: str) -> KeptFile | None:
        """Return the file of this digest, if it is held."""
        return self._files.get(digest)


KEPT = KeptFiles()
"""The files of this process."""


class KeptFileHandler(RequestHandler):
    """Handler that sends a file for the browser's permanent cache."""

    async def get(self, digest: str) -> None:
        """Send the file of this digest."""
        file = KEPT.find(digest)
        if file is None:
            raise HTTPError(404)
        packed = await asyncio.wrap_future(file.packed)
        self.set_header("Content-Type", file.kind)
        self.set_header("Cache-Control", "public, max-age=31536000, immutable")
        self.set_header("Vary", "Accept-Encoding")
        self.set_header("X-Content-Type-Options", "nosniff")
        if "gzip" in self.request.headers.get("Accept-Encoding", ""):
            self.set_header("Content-Encoding", "gzip")
            self.write(packed)
        else:
            self.write(gzip.decompress(packed))

    async def head(self, digest: str) -> None:
        """Answer as to GET, without the file itself."""
        await self.get(digest)

    def compute_etag(self) -> None:
        """Return no tag: the file is requested only once."""


class PackedPages(GZipContentEncoding):
    """Compresses answers that are made for each request, such as pages, but not large files, which would be
    compressed each time.
    """

    def transform_first_chunk(self, status_code: int, headers: Any, chunk: bytes, finishing: bool) -> Any:
        """Pack the answer if it is small, and of a kind that shrinks."""
        if "Content-Encoding" in headers or int(headers.get("Content-Length", len(chunk))) > _PAGE_BYTES:
            self._gzipping = False  # the chunks that follow are left as they are, too
            return status_code, headers, chunk
        return super().transform_first_chunk(status_code, headers, chunk, finishing)


ROUTES = [(rf"/{PLACE}/([0-9a-f]+)/[\w.-]+", KeptFileHandler)]
"""Handlers by address below a server's prefix."""


def kept_address(content: bytes, name: str, kind: str) -> str | None:
    """Return the address at which the current page can request a file.

    None if it could not be requested: in a notebook, in a document without a server, under another server.
    """
    document: Any = pn.state.curdoc
    context = None if document is None else document.session_context
    if context is None or getattr(context, "server_context", None) is None:
        return None
    by_tornado = isinstance(getattr(context.request, "connection", None), HTTPConnection)
    if not by_tornado:
        return None
    return f"{pn.state.rel_path or '.'}/{KEPT.keep(content, name, kind)}"
