"""Parsing of links: settings by name, and messages about invalid ones. No widgets here.

People type, cut and mail links. Invalid settings are left out and named, and never raise an error.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, urlencode

from lrbn_viz.app.shared.typed import quoted

MAX_QUERY_LENGTH = 16_000
"""Largest number of characters in a query: the session's token contains it, and has to fit into a header."""

MAX_NAMES = 100
"""Largest number of settings that are read from a query."""


class Reading(NamedTuple):
    """The settings of a link, and its errors."""

    found: dict[str, Any]
    """Parameters by name."""
    ignored: list[str]
    """One sentence for each setting that was left out: its name, the reason, and the value used instead."""


class Query:
    """The settings of a link, each read once.

    Parameters
    ----------
    query : str
        The query, with or without its ``?``.

    Attributes
    ----------
    texts : dict
        Values by name; the first value of a repeated name.
    found : dict
        Values that `take` has read.
    ignored : list of str
        One sentence for each error.
    """

    def __init__(self, query: str) -> None:
        self.texts: dict[str, str] = {}
        self._no_utf8: set[str] = set()
        self.found: dict[str, Any] = {}
        self.ignored: list[str] = []
        # in Latin-1 every character is one byte, so that invalid UTF-8 is found name by name
        plain = quote(query.removeprefix("?"), safe="%&=+;,/?:@!$'()*~", errors="surrogatepass")
        pairs = parse_qsl(plain, keep_blank_values=True, encoding="latin-1")
        if len(pairs) > MAX_NAMES:
            self.ignored.append(
                f"The link has {len(pairs):,} settings; those after the first {MAX_NAMES} are ignored."
            )
        counts: dict[str, int] = {}
        for raw_name, raw_value in pairs[:MAX_NAMES]:
            try:
                name = raw_name.encode("latin-1").decode()
            except UnicodeDecodeError:
                self.ignored.append("The link has a setting whose name is not UTF-8; it is ignored.")
                continue
            counts[name] = counts.get(name, 0) + 1
            if counts[name] > 1:
                continue
            try:
                self.texts[name] = raw_value.encode("latin-1").decode()
            except UnicodeDecodeError:
                self.texts[name] = ""
                self._no_utf8.add(name)
        for name, count in counts.items():
            if count > 1:
                self.ignored.append(f"{_short(name)}: given {count} times; only the first is used.")

    def take(self, name: str, parameter: str, read: Callable[[str], Any], instead: str) -> None:
        """Read one setting into `found`, if the link contains it.

        Parameters
        ----------
        name : str
            Name in the link.
        parameter : str
            Key in `found`.
        read : callable
            Function from the text to the value; ValueError for an invalid text.
        instead : str
            Description of the value used for an invalid text, such as ``"0 is used"``.
        """
        if name not in self.texts:
            return
        try:
            if name in self._no_utf8:
                raise ValueError("expected text in UTF-8")
            self.found[parameter] = read(self.texts[name])
        except ValueError as error:
            self.leave_out(name, parameter, str(error), instead)

    def leave_out(self, name: str, parameter: str, why: str, instead: str) -> None:
        """Remove a setting from `found`, and add a sentence about it."""
        self.found.pop(parameter, None)
        self.ignored.append(f"{name}: {why.rstrip('.')}; {instead}.")

    @property
    def reading(self) -> Reading:
        """The settings that were found, and those that were ignored."""
        return Reading(self.found, self.ignored)


def _short(name: str) -> str:
    """Return a name, shortened for the beginning of a sentence."""
    return name if name.isidentifier() and len(name) <= 40 else quoted(name)


def one_of(text: str, choices: Collection[str]) -> str:
    """Return `text` if it is one of the choices; raise ValueError otherwise."""
    if text not in choices:
        raise ValueError(f"expected one of {', '.join(choices)}, got {quoted(text)}")
    return text


def unknown_names(query: Query, known: Collection[str]) -> list[str]:
    """Return a sentence for each unknown setting."""
    return [
        f"{_short(name)}: no page has a setting of this name; it is ignored."
        for name in query.texts
        if name not in known
    ]


def query_of(arguments: Mapping[str, Sequence[bytes]]) -> str:
    """Return the query string of arguments as Tornado gives them: names in Latin-1, values in bytes."""
    pairs = [(name.encode("latin-1"), value) for name, values in arguments.items() for value in values]
    return urlencode(pairs)
