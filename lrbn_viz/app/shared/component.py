"""Base class of components whose browser side sends messages or sets values."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import param
from bokeh.models import UIElement
from panel.config import config
from panel.custom import JSComponent
from panel.io import state
from panel.io.notebook import patch_inline_stylesheets
from panel.io.state import set_curdoc

from lrbn_viz.app.host import host
from lrbn_viz.app.shared.messages import Kinds, read_message
from lrbn_viz.app.shared.notices import notices_of

if TYPE_CHECKING:
    from bokeh.document import Document
    from bokeh.events import Event

_log = logging.getLogger(__name__)


@contextmanager
def report_errors_on_page(what: str, log: bool = True) -> Iterator[None]:
    """Report errors on the current page and by one line in the log, so that the page continues to work.

    Parameters
    ----------
    what : str
        Current action, such as ``"showing the image"``.
    log : bool
        True: write a line to the log; False if the error was logged already.
    """
    try:
        yield
    except Exception as error:
        host().count_error("message")
        if log:
            _log.exception("error while %s", what)
        notices_of(state.curdoc).add(
            f"Something went wrong on the server while {what} ({type(error).__name__}). The page goes on. "
            "If it looks wrong, reload it."
        )


class InlineStyles:
    """Mixin that writes style sheets into child models in a notebook cell, also into later children.

    To be inherited before a component of Panel. Panel 1.9 writes style sheets into what a cell shows first,
    but not where a page is a widget. There, and of children that a component gets later, they would be
    requested from another host.
    """

    def get_root(self, doc: Any = None, comm: Any = None, preprocess: bool = True) -> Any:
        """Return the model of a page that is drawn, as Panel does."""
        root = super().get_root(doc, comm, preprocess)  # pyright: ignore[reportAttributeAccessIssue]
        _inline_styles([root], doc)
        return root

    def _get_child_model(self, child: Any, doc: Any, root: Any, parent: Any, comm: Any) -> tuple[Any, Any]:
        made = super()._get_child_model(child, doc, root, parent, comm)  # pyright: ignore[reportAttributeAccessIssue]
        models, old = made
        listed = models if isinstance(models, list) else [models]
        _inline_styles([model for model in listed if model and model not in old], doc)
        return models, old


def _inline_styles(models: list[Any], doc: Document | None) -> None:
    """Write style sheets into models, and into all within them, where no server has them."""
    if config.inline and (doc is None or doc.session_context is None):
        for model in models:
            for part in model.select({"type": UIElement}):
                patch_inline_stylesheets(part)


class Component(JSComponent):
    """A component whose browser side sends messages.

    A subclass declares in `kinds` what may come. A message of another kind, or with a field missing, too
    many, of another type or out of its bounds, is ignored without a line in the log. An error in an answer
    ends in words on the page and one line in the log.

    Parameters
    ----------
    answers : mapping
        Functions by kind of message, called with its values in the order of `kinds`. A kind without a
        function is ignored.

    Attributes
    ----------
    live : bool
        True if the page is complete, so that messages and changes arrive. Until then the browser keeps its
        messages.
    """

    live = param.Boolean(default=False)

    _render_policy = "manual"

    kinds: ClassVar[Kinds] = {}
    # By kind, the field that distinguishes messages: of frequent equal ones only the newest is processed.
    newest_of: ClassVar[Mapping[str, str]] = {}
    # Parameters that the browser may set; a browser can try to set any, so values are checked here too.
    set_by_browser: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, answers: Mapping[str, Callable[..., None]] | None = None, **params: Any) -> None:
        super().__init__(**params)
        self._answers = dict(answers or {})
        unknown = self._answers.keys() - self.kinds.keys()
        if unknown:
            raise ValueError(
                f"expected answers to {', '.join(self.kinds)}, got {', '.join(sorted(unknown))}."
            )
        state.onload(self._go_live)

    def _go_live(self) -> None:
        self.live = True

    @classmethod
    @functools.cache
    def _render_esm(cls, compiled: bool | Literal["compiling"] = True, server: bool = False) -> str:
        # Panel would compute the indentation of 100 kB again for each page.
        return super()._render_esm(compiled, server)

    def _get_properties(self, doc: Document | None) -> dict[str, Any]:
        """Replace the script by its address if a server keeps the file."""
        properties = super()._get_properties(doc)
        address = host().kept_address(str(self._esm).encode(), f"{type(self).__name__}.js", "text/javascript")
        return properties if address is None else {**properties, "bundle": "url", "esm": address}

    def _process_bokeh_event(self, doc: Document, event: Event) -> None:
        # Panel also updates its busy state, which these pages do not show: a third of a message's cost.
        with set_curdoc(doc), host().time_message(type(self).__name__):
            self._process_event(event)

    def _handle_msg(self, data: Any) -> None:
        message = read_message(data, self.kinds, self)
        answer = self._answers.get(message[0]) if message else None
        if message is None or answer is None:
            return
        kind, values = message

        def go() -> None:
            with report_errors_on_page(f'answering "{kind}"'):
                answer(*values)

        host().answer(state.curdoc, (id(self), kind, data.get(self.newest_of.get(kind, ""))), go)

    def _process_events(self, events: dict[str, Any]) -> None:
        """Set the parameters that the browser sent, if it may set them and they are valid."""
        valid = {name: value for name, value in events.items() if self._may_set(name, value)}
        if valid:
            with report_errors_on_page(f"changing {' and '.join(valid)}", log=False):  # written by Panel
                super()._process_events(valid)

    def _may_set(self, name: str, value: object) -> bool:
        if name not in self.set_by_browser:
            return False
        try:
            self.param[name]._validate(value)  # noqa: SLF001 - Param has no other way to ask without setting
        except (TypeError, ValueError):
            return False
        return not isinstance(value, bool) or isinstance(self.param[name], param.Boolean)

    def tell(self, content: bytes) -> None:
        """Send bytes to the browser side."""
        self._send_msg(content)
