"""Requests that come from the machine that serves them."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from bokeh.settings import settings

SHARED_VARIABLE = "LRBN_VIZ_SHARED"
"""Environment variable: 1 separates no visitors, 0 all of them; by default those from other machines."""
_FORWARDED = ("X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Forwarded", "Via")
"""Headers by which a proxy declares that it passes a request on."""


def is_local(host: str) -> bool:
    """Return whether a host, with or without a port, is this machine by one of its own names."""
    name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_forwarded(request: Any) -> bool:
    """Return whether a proxy declares that it passes this request on."""
    return any(name in request.headers for name in _FORWARDED)


def comes_from_here(request: Any) -> bool:
    """Return whether a request was made on this machine, to this machine, without a declared proxy."""
    return (
        is_local(f"[{request.remote_ip}]" if ":" in (request.remote_ip or "") else request.remote_ip or "")
        and is_local(request.host)
        and not is_forwarded(request)
    )


def origins_are_local(origins: Iterable[str]) -> bool:
    """Return whether a server accepts websockets from pages of this machine only; `origins` are its own."""
    return all(is_local(origin) for origin in settings.allowed_ws_origin() or origins)
