"""Headers by which browsers forbid foreign scripts, guessing of types, and frames of other sites.

A page may run the scripts of its own server and the inline scripts that its template is known to have, which
the policy names by their hashes. Nothing else that gets into a page runs. Exceptions, each with its reason:

- ``style-src 'unsafe-inline'``: BokehJS and the Material components write style elements and attributes while
  the page runs, with values that are computed there. A style runs no script, and loads nothing from outside.
- ``img-src data: blob:``: pictures of the pages are drawn by the browser itself.
- ``script-src blob:`` and ``worker-src blob:``: Panel writes the module that draws a component while the page
  runs, and so does the live page. Only a script that runs already can make such an address.

Nothing else is allowed to scripts: no ``unsafe-inline``, no ``unsafe-eval``, no other host.
"""

from __future__ import annotations

import base64
import functools
import os
import re
from hashlib import sha256
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary, WeakSet

from bokeh.core.templates import MACROS
from jinja2 import Template
from tornado.httputil import HTTPConnection

from lrbn_viz.app.host import current_request
from lrbn_viz.server.traffic.answers import Answer, before_sending

EMBED = "LRBN_VIZ_EMBED"
"""Environment variable: origins whose pages may show the explorer in a frame, with spaces between."""

_PLAIN = {
    "X-Content-Type-Options": "nosniff",
    # Links hold what a visitor has drawn: they are nobody else's business.
    "Referrer-Policy": "same-origin",
    "Permissions-Policy": ", ".join(
        f"{feature}=()"
        for feature in (
            "accelerometer", "camera", "display-capture", "geolocation", "gyroscope", "hid",
            "magnetometer", "microphone", "midi", "payment", "publickey-credentials-get", "serial", "usb",
        )
    ),
}  # fmt: skip
_NAME = r"(?:\*\.)?[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
_ORIGIN = re.compile(rf"https?://(?:{_NAME}|\[[0-9A-Fa-f:]+\])(?::\d{{1,5}})?")
_INLINE = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL | re.IGNORECASE)


class HeaderSettings(NamedTuple):
    """Settings of the security headers of a process's servers.

    Attributes
    ----------
    embed : tuple of str
        Origins whose pages may show these pages in a frame, beside this server's own.
    all_pages : bool
        True if every page of the process is the explorer's or a part of its server, so that none may run
        scripts that are not known. Otherwise pages of other applications may run what they like.
    """

    embed: tuple[str, ...] = ()
    all_pages: bool = False


def read_origins(text: str) -> tuple[str, ...]:
    """Return the origins in a text.

    Raises
    ------
    ValueError
        One is none, such as an address with a path.
    """
    origins = tuple(text.split())
    for origin in origins:
        if not _ORIGIN.fullmatch(origin):
            raise ValueError(
                f"expected an origin such as https://moodle.example.org, got {origin!r}; "
                "leave out what follows the host and the port."
            )
    return origins


_settings: HeaderSettings | None = None  # until `guard` is called
_known: WeakKeyDictionary[Any, tuple[str, ...]] = WeakKeyDictionary()  # hashes of scripts, by connection
_guarded: WeakSet[Any] = WeakSet()


def guard(embed: tuple[str, ...] | None = None, *, all_pages: bool = False) -> None:
    """Guard the answers of this process's servers from now on.

    Parameters
    ----------
    embed : tuple of str, optional
        As in `HeaderSettings`; what the environment says by default.
    all_pages : bool
        As in `HeaderSettings`.

    Raises
    ------
    ValueError
        The environment names an origin that is none.
    """
    global _settings
    allowed = read_origins(os.environ.get(EMBED, "")) if embed is None else embed
    _settings = HeaderSettings(allowed, all_pages)
    before_sending(_set_headers)


def policy(*scripts: str) -> str:
    """Return the content security policy of a page.

    Parameters
    ----------
    *scripts : str
        Sources of scripts that it may run beside its server's own: ``"blob:"``, those of `script_hashes`.
    """
    return "; ".join(
        (
            "default-src 'none'",
            " ".join(("script-src 'self'", *scripts)),
            "worker-src 'self' blob:",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "manifest-src 'self'",
            "form-action 'self'",
            "base-uri 'self'",
            _frames(),
        )
    )


def script_hashes(html: str) -> dict[str, str]:
    """Return the inline scripts of a page, by the sources that name them in a policy."""
    found = {}
    for script in _INLINE.finditer(html):
        attributes = script["attributes"].lower()
        if "src=" not in attributes and "json" not in attributes:  # JSON is data, which no browser runs
            digest = base64.b64encode(sha256(script["text"].encode()).digest()).decode()
            found[f"'sha256-{digest}'"] = script["text"]
    return found


def note_scripts(html: str, own_scripts: tuple[str, ...], context: dict[str, Any]) -> None:
    """Note the hashes of a page's own scripts, for the answer that it goes out with.

    They are `own_scripts`, those of the template that its template extends, and the one by which Bokeh
    begins. Whatever else is in the page, such as a value with a script in it, is not named and does not run.

    Parameters
    ----------
    html : str
        The page, filled in.
    own_scripts : tuple of str
        Inline scripts of its template.
    context : dict
        What it was filled in with.
    """
    connection = page_connection()
    if connection is None:
        return
    known = {_bare(text) for text in own_scripts} | _scripts_of(context.get("base"))
    known |= {_bare(text) for text in script_hashes(str(context.get("plot_script", ""))).values()}
    scripts = script_hashes(html)
    _known[connection] = tuple(source for source, text in scripts.items() if _bare(text) in known)


@functools.cache
def _scripts_of(base: Template | None) -> frozenset[str]:
    """Return the inline scripts of a template with nothing filled in."""
    html = "" if base is None else base.render(docs=[], roots=[], macros=MACROS, plot_script="")
    return frozenset(_bare(text) for text in script_hashes(html).values())


def _bare(text: str) -> str:
    """Return a script without the indentation that a template adds."""
    return "\n".join(line.strip() for line in text.strip().splitlines())


def page_connection() -> Any:
    """Return the connection on which the current page is asked for; None where no server's is."""
    connection = getattr(current_request(), "connection", None)
    return connection if isinstance(connection, HTTPConnection) else None


def _frames() -> str:
    return " ".join(("frame-ancestors 'self'", *(_settings.embed if _settings else ())))


def _set_headers(answer: Answer) -> None:
    """Add to an answer what it does not say yet."""
    settings = _settings or HeaderSettings()
    scripts = _known.pop(answer.request.connection, None)
    if scripts is not None:
        _guarded.add(answer.application)
    if not settings.all_pages and answer.application not in _guarded:
        return  # another application's server in this process
    headers = dict(_PLAIN)
    if scripts is not None or settings.all_pages:
        headers["Content-Security-Policy"] = policy("blob:", *(scripts or ()))
    else:
        headers["Content-Security-Policy"] = f"object-src 'none'; base-uri 'self'; {_frames()}"
    if not settings.embed:  # it cannot name another origin; browsers that read `frame-ancestors` ignore it
        headers["X-Frame-Options"] = "SAMEORIGIN"
    for name, value in headers.items():
        if name not in answer.headers:
            answer.headers[name] = value
