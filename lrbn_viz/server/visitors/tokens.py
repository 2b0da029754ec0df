"""Tokens that only this server can make: they identify a visitor, and the lecturer.

A token is ``kind.id.expiry.signature``, where the signature is the HMAC-SHA256 of the rest with the server's
secret. It identifies a visitor and grants nothing by itself: ownership is checked at every act.
"""

from __future__ import annotations

import base64
import hmac
import logging
import os
import re
import secrets
import time
from contextlib import suppress
from hashlib import blake2b, sha256
from pathlib import Path
from typing import NamedTuple

_log = logging.getLogger(__name__)

LIFE_SECONDS = 180 * 86400.0
"""Seconds after which a visitor who does not return is forgotten."""
FOLDER = ".visitors"
"""Folder of the secret, in the folder of runs: whoever moves the runs moves the secret of their owners too.
"""
_ID = re.compile(r"[a-z0-9-]{1,80}")
_MAX_TOKEN_LENGTH = 400  # characters of a token


class Token(NamedTuple):
    """Contents of a valid token.

    Attributes
    ----------
    id : str
    expiry : float
        Seconds since 1970.
    """

    id: str
    expiry: float


class Signer:
    """Makes and reads tokens.

    Parameters
    ----------
    secret : bytes
        At least 16 of them.

    Attributes
    ----------
    tag : str
        Names the secret without telling it, so that two servers of one host keep cookies apart.
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 16:
            raise ValueError(f"expected a secret of at least 16 bytes, got {len(secret)}.")
        self._secret = secret
        self.tag = blake2b(b"tag" + secret, digest_size=4).hexdigest()

    def sign(self, kind: str, name: str, expiry: float) -> str:
        """Return the token of a kind, such as "visitor", that names somebody until `expiry`."""
        said = f"{kind}.{name}.{int(expiry)}"
        return f"{said}.{self._signature(said)}"

    def read(self, kind: str, token: str, now: float | None = None) -> Token | None:
        """Return what a token of this kind says; None for one that is altered, late or another server's."""
        said, _, signature = token.rpartition(".")
        parts = said.split(".")
        if len(token) > _MAX_TOKEN_LENGTH or not token.isascii() or len(parts) != 3:
            return None
        if not hmac.compare_digest(signature, self._signature(said)):
            return None
        if parts[0] != kind or not _ID.fullmatch(parts[1]) or not parts[2].isdecimal():
            return None
        expiry = float(parts[2])
        return Token(parts[1], expiry) if (time.time() if now is None else now) < expiry else None

    def alias(self, kind: str, name: str) -> str:
        """Return an id that represents a name without revealing it, such as that of a logged-in user."""
        return f"{kind}-{hmac.new(self._secret, f'{kind}:{name}'.encode(), sha256).hexdigest()[:24]}"

    def session_secret(self) -> bytes:
        """Return the secret that Bokeh signs session ids with."""
        return hmac.new(self._secret, b"sessions", sha256).hexdigest().encode()

    def _signature(self, said: str) -> str:
        digest = hmac.new(self._secret, said.encode(), sha256).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def new_id() -> str:
    """Return the id of a new visitor, which cannot be guessed."""
    return secrets.token_hex(12)


def server_secret(runs: Path) -> bytes:
    """Return the secret of the servers of a folder of runs, created if there is none.

    Visitors keep their runs while it stays. If it cannot be stored, it lasts as long as this program.
    """
    path = runs / FOLDER / "secret"
    fresh = secrets.token_hex(32).encode()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        partial = path.with_name(f"{secrets.token_hex(8)}.partial")
        descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(fresh)
            with suppress(FileExistsError):  # whole, and only where there is none: two may begin at once
                os.link(partial, path)
        finally:
            partial.unlink(missing_ok=True)
        found = path.read_bytes()
    except OSError as error:
        _log.warning("the visitors' secret cannot be stored in %s: %s", path.parent.name, error.strerror)
        return fresh
    return found if len(found) >= 16 else fresh
