"""The log of a server: lines with a level, a time and one id for each session, as text or as JSON.

A line holds no path of this machine, and of addresses no query, in which is what a visitor drew. A session's
own id, by which it could be joined, is in no line: a name that is made from it stands for it.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from hashlib import blake2b
from typing import Any, ClassVar, TextIO

from panel.io.state import state

from lrbn_viz.io.privacy import redact
from lrbn_viz.server.traffic.observed import OBSERVED

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
MAX_MESSAGE_LENGTH = 4000
"""Characters of a message; what is longer is cut."""

_KEY = secrets.token_bytes(16)  # of this process: nobody can tell from a name which id it stands for
_QUERY = re.compile(r"(/[\w./-]*)\?\S*")
_ID = re.compile(r"\b[A-Za-z0-9_-]{40,}(?:\.[A-Za-z0-9_-]+)*")


def session_name(session_id: str) -> str:
    """Return the name of a session in the log: 12 letters and digits that do not give its id away."""
    return blake2b(session_id.encode(), digest_size=6, key=_KEY).hexdigest()


def fit_to_log(text: str) -> str:
    """Return a text without what is private, without queries and without what may be a token."""
    text = _ID.sub("...", _QUERY.sub(r"\1", redact(text)))
    return text if len(text) <= MAX_MESSAGE_LENGTH else text[:MAX_MESSAGE_LENGTH] + " ..."


class _Line(logging.Formatter):
    """A line of text."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line, and its traceback below."""
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
        words = fit_to_log(record.getMessage())
        session = getattr(record, "session", "")
        line = f"{when} {record.levelname.lower()} {record.name}{f' [{session}]' if session else ''}: {words}"
        if record.exc_info:
            line += "\n" + fit_to_log(self.formatException(record.exc_info))
        return line


class _Json(logging.Formatter):
    """A line of JSON."""

    fields: ClassVar[tuple[str, ...]] = ("time", "level", "logger", "session", "message", "error")

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as an object on one line."""
        when = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        error = self.formatException(record.exc_info) if record.exc_info else ""
        values: list[Any] = [
            f"{when}.{int(record.msecs):03d}Z",
            record.levelname.lower(),
            record.name,
            getattr(record, "session", ""),
            fit_to_log(record.getMessage()),
            fit_to_log(error),
        ]
        found = {name: value for name, value in zip(self.fields, values, strict=True) if value}
        return json.dumps(found, ensure_ascii=False)


def _name_session(record: logging.LogRecord) -> bool:
    """Add to a record whose session it is of."""
    document: Any = state.curdoc
    context = None if document is None else document.session_context
    record.session = "" if context is None else session_name(str(context.id))
    return True


class _Counting(logging.Handler):
    """Counts errors that were logged."""

    def emit(self, record: logging.LogRecord) -> None:
        """Count it; answers are counted elsewhere."""
        if record.name != "tornado.access":
            OBSERVED.count_error("log")


def write_logs(form: str = "text", level: str = "info", stream: TextIO | None = None) -> None:
    """Write everything that this process logs to `stream`, as lines of this form.

    Parameters
    ----------
    form : str
        One of `FORMATS`.
    level : str
        One of `LEVELS`; what is below is dropped.
    stream : file, optional
        Standard error by default.
    """
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json() if form == "json" else _Line())
    handler.addFilter(_name_session)
    handler.setLevel(level.upper())
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.addHandler(_Counting(logging.ERROR))
    root.setLevel(level.upper())
    for name in ("bokeh", "panel", "tornado", "tornado.access", "lrbn_viz"):  # these print by themselves else
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(level.upper())
    if level == "info":  # two lines for each look at the clock, of each page
        logging.getLogger("panel.io.callbacks").setLevel("WARNING")
    logging.getLogger("numba").setLevel("WARNING")  # its notes fill a page for each kernel
