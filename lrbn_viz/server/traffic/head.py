"""Resources that a page of the explorer loads first: the libraries it uses, and nothing else.

By addresses that the browser keeps (`files`). If the installed packages have other files than expected,
Panel's own list is used.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bokeh.server
import panel as pn
import panel_material_ui
from bokeh.model import DataModel

from lrbn_viz.app.shared.head import HEAD
from lrbn_viz.app.shared.weights import referred
from lrbn_viz.server.traffic.files import KEPT, PLACE, kept_address
from lrbn_viz.view.player.source import module_text

SCRIPT, STYLE = "text/javascript", "text/css"

_BOKEH = Path(bokeh.server.__file__).parent / "static" / "js"
_PANEL = Path(pn.__file__).parent / "dist"
_MATERIAL = Path(panel_material_ui.__file__).parent / "dist"
_CORE, *_PLUGINS = _BOKEH / "bokeh.min.js", _BOKEH / "bokeh-widgets.min.js", _PANEL / "panel.min.js"
_BUNDLE = _MATERIAL / "panel-material-ui.bundle.js"
_FONTS = _MATERIAL / "panel-material-ui.bundle.css"
_FONT = re.compile(r'url\("\./([\w.-]+\.woff2)"\) format\("woff2"\)(?:,url\("[^"]+"\) format\("woff"\))?')


class Head:
    """Resources of one page, requested by its template when it is filled in.

    Parameters
    ----------
    document : bokeh.document.Document

    Attributes
    ----------
    scripts : list of (str, str)
        Type and address of each script, in the order in which they run.
    bundle, bundle_name : str
        Address of the Material components, and the name by which Panel asks for them.
    fonts : str
        Address of the style sheet with the fonts.
    """

    def __init__(self, document: Any) -> None:
        self._document = document
        self.scripts = [(kind, _address(content, name, SCRIPT)) for kind, name, content in _scripts()]
        self.bundle, self.bundle_name = _address(_content(_BUNDLE), _BUNDLE.name, SCRIPT), _BUNDLE.name
        self.fonts = _address(_fonts(), _FONTS.name, STYLE)

    def modules(self) -> list[str]:
        """Return the addresses of the scripts of the page's components."""
        return sorted({esm for model in self._document.models if PLACE in (esm := getattr(model, "esm", ""))})

    def blocks(self) -> list[str]:
        """Return the addresses of the files that the page's components will ask for."""
        told = [model for model in self._document.models if isinstance(model, DataModel)]
        values = [value for model in told for value in model.properties_with_values().values()]
        return sorted({address for value in values for address in referred(value)})


def lean_head(document: Any) -> Head | None:
    """Return what a document's page loads; None where no server keeps files for it."""
    if kept_address(b"", "nothing", SCRIPT) is None or not all(
        path.is_file() for path in (_CORE, *_PLUGINS, _BUNDLE, _FONTS)
    ):
        return None
    return Head(document)


def own_files_alone(collect: Callable[..., None]) -> Callable[..., None]:
    """Return Panel's collection of the files of all components, made to skip pages that list their own: it
    takes a third of such a page's time.
    """

    @functools.wraps(collect)
    def extra_resources(self: Any, resources: Any, resource_type: Any) -> None:
        document = pn.state.curdoc
        if document is None or not document.template_variables.get(HEAD):
            collect(self, resources, resource_type)

    return extra_resources


@functools.cache
def _content(path: Path) -> bytes:
    return path.read_bytes()


def _scripts() -> Iterator[tuple[str, str, bytes]]:
    """Yield type, name and content of the scripts that run before anything is shown."""
    yield SCRIPT, _CORE.name, _content(_CORE)
    yield "module", "libraries.js", module_text("app/shared/js/libraries.js").encode()
    for path in _PLUGINS:
        yield SCRIPT, path.name, _content(path)


@functools.cache
def _fonts() -> bytes:
    """Return the style sheet with the fonts, its files beside it; browsers of today read woff2."""

    def beside(found: re.Match[str]) -> str:
        address = KEPT.keep((_MATERIAL / found[1]).read_bytes(), found[1], "font/woff2")
        return f'url("../{address.removeprefix(PLACE + "/")}") format("woff2")'

    return _FONT.sub(beside, _FONTS.read_text(encoding="utf-8")).encode()


def _address(content: bytes, name: str, kind: str) -> str:
    address = kept_address(content, name, kind)
    assert address is not None
    return address
