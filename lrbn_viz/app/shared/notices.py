"""One-time notices of a page: errors in a link, failed actions. No widgets here."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, ref

import param

MAX_SENTENCES = 12
"""Largest number of sentences that a page shows at once; the oldest are removed."""

_MAX_SENTENCE_LENGTH = 600  # characters of a sentence

# Weak keys and values, as notices refer to the page whose document is the key.
_of_documents: WeakKeyDictionary[Any, ref[Notices]] = WeakKeyDictionary()


class Notices(param.Parameterized):
    """Sentences that stay on one page until they are dismissed."""

    texts = param.List(default=[], item_type=str, constant=True, doc="The oldest first.")

    def add(self, *texts: str) -> None:
        """Show more sentences; one that is shown already stays where it is."""
        cut = [
            text if len(text) <= _MAX_SENTENCE_LENGTH else text[: _MAX_SENTENCE_LENGTH - 1] + "…"
            for text in texts
        ]
        self._set(list(dict.fromkeys([*self.texts, *cut]))[-MAX_SENTENCES:])

    def dismiss(self) -> None:
        """Remove all sentences from the page."""
        self._set([])

    def _set(self, texts: list[str]) -> None:
        if texts != self.texts:
            with param.edit_constant(self):
                self.texts = texts


def notices_of(document: Any) -> Notices:
    """Return the notices of a page by its Bokeh document; without any, notices that are not shown."""
    known = _of_documents.get(document) if document is not None else None
    return (known() if known is not None else None) or Notices()


def notices_for(document: Any) -> Notices:
    """Make the notices of a page, to which the component that shows them holds the reference."""
    notices = Notices()
    if document is not None:
        _of_documents[document] = ref(notices)
    return notices
