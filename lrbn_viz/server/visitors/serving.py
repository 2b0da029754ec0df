"""Modes of serving the explorer, to its owner or to others, and their secrets."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from typing import Any

from lrbn_viz.app.visitors.limits import NO_LIMITS, Limits
from lrbn_viz.app.visitors.local import SHARED_VARIABLE
from lrbn_viz.app.visitors.who import Visitor
from lrbn_viz.io.storage import runs_folder
from lrbn_viz.server.visitors.tokens import server_secret

SECRET_VARIABLE = "LRBN_VIZ_SECRET"
"""Environment variable with the secret that visitors' tokens are signed with; without it one is stored."""
KEY_VARIABLE = "LRBN_VIZ_LECTURER_KEY"
"""Environment variable with the lecturer's secret; without it one is drawn at each start."""
LIMITS_VARIABLE = "LRBN_VIZ_LIMITS"
"""Environment variable with limits other than the usual ones, such as ``runs=5,units=500``."""
_MIN_KEY_LENGTH = 12


@dataclass(frozen=True)
class Serving:
    """Settings by which a server keeps visitors apart.

    Attributes
    ----------
    shared : bool or None
        True if visitors are not distinguished; None: the user of this machine, with a server for it alone,
        has everything, and any other visitor what is theirs.
    lecturer_key : str
        A visitor who has it sees all runs.
    limits : Limits
        Limits of every visitor who is not the owner.
    framed : bool
        True if pages of other sites may show the explorer in a frame.
    """

    shared: bool | None = None
    lecturer_key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    limits: Limits = field(default_factory=Limits)
    framed: bool = False

    def limits_of(self, visitor: Visitor) -> Limits:
        """Return the limits of a visitor."""
        return NO_LIMITS if visitor.is_owner else self.limits

    def secret(self) -> bytes:
        """Return the key that signs tokens."""
        given = os.environ.get(SECRET_VARIABLE, "")
        return given.encode() if given else server_secret(runs_folder())

    def has_lecturer_key(self, key: bytes) -> bool:
        """Return whether a text is the lecturer's secret."""
        return secrets.compare_digest(key, self.lecturer_key.encode())


def serving_of_environment() -> Serving:
    """Return the settings of serving from environment variables.

    Raises
    ------
    ValueError
        One of them cannot be meant.
    """
    said = os.environ.get(SHARED_VARIABLE, "")
    if said not in ("", "0", "1"):
        raise ValueError(f"{SHARED_VARIABLE} must be 0 or 1, got {said[:40]!r}.")
    key = os.environ.get(KEY_VARIABLE, "")
    if key and len(key) < _MIN_KEY_LENGTH:
        raise ValueError(f"{KEY_VARIABLE} must have at least {_MIN_KEY_LENGTH} characters, got {len(key)}.")
    more: dict[str, Any] = {"lecturer_key": key} if key else {}
    limits = [text for text in os.environ.get(LIMITS_VARIABLE, "").split(",") if text.strip()]
    return Serving(None if not said else said == "1", limits=Limits().with_values(limits), **more)


_chosen: list[Serving] = []


def serve_as(how: Serving) -> None:
    """Settle how this process serves; before its first page."""
    _chosen[:] = [how]


def serving() -> Serving:
    """Return the settings of this process: as they were set, or from the environment."""
    if not _chosen:
        serve_as(serving_of_environment())
    return _chosen[0]
