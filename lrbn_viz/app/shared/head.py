"""Resources that a page of the explorer loads first: the libraries it uses, and nothing else.

Panel's own template lists the files of all models that were ever imported: tables, charts, editors. This one
lists what these pages need, by addresses that the browser keeps (`server.files`), and what they will ask for
next, so that it arrives while libraries are read. If no server caches files, Panel's own list is used.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bokeh.server
import panel as pn
import panel_material_ui
from bokeh.model import DataModel
from panel.io.resources import Resources

from lrbn_viz.app.shared.server.files import KEPT, PLACE, kept_address, referred
from lrbn_viz.app.shared.server.headers import GuardedTemplate
from lrbn_viz.view.player.source import module_text

SCRIPT, STYLE = "text/javascript", "text/css"
HEAD = "lrbn_head"
"""Name of the template's variable."""

_BOKEH = Path(bokeh.server.__file__).parent / "static" / "js"
_PANEL = Path(pn.__file__).parent / "dist"
_MATERIAL = Path(panel_material_ui.__file__).parent / "dist"
_CORE, *_PLUGINS = _BOKEH / "bokeh.min.js", _BOKEH / "bokeh-widgets.min.js", _PANEL / "panel.min.js"
_BUNDLE = _MATERIAL / "panel-material-ui.bundle.js"
_FONTS = _MATERIAL / "panel-material-ui.bundle.css"
_FONT = re.compile(r'url\("\./([\w.-]+\.woff2)"\) format\("woff2"\)(?:,url\("[^"]+"\) format\("woff"\))?')

# They hold no value of a page: the policy of the page's answer names them by their hashes.
_SCHEME = module_text("app/shared/js/scheme.js")  # its text, no address: nothing is drawn before it has run
_ASK = """{
      const addresses = JSON.parse(document.getElementById("lrbn-asked").textContent);
      window.lrbnAsked = new Map(addresses.map((address) => [address, fetch(address)]));
      for (const answer of window.lrbnAsked.values()) answer.catch(() => {}); // whoever reads it will say so
    }"""

TEMPLATE = GuardedTemplate(
    """{% extends base %}
{% block preamble %}{{ super() }}
    <script>{{ lrbn_scheme }}</script>
{% endblock %}
{% block css_resources %}{% if lrbn_head %}
    <link rel="stylesheet" href="{{ lrbn_head.fonts }}">
{% else %}{{ super() }}{% endif %}{% endblock %}
{% block js_resources %}{% if lrbn_head %}
    <link rel="modulepreload" href="{{ lrbn_head.bundle }}" data-instead-of="{{ lrbn_head.bundle_name }}">
{% for address in lrbn_head.modules() %}
    <link rel="modulepreload" href="{{ address }}">
{% endfor %}
    <script type="application/json" id="lrbn-asked">{{ lrbn_head.blocks() | tojson }}</script>
    <script>{{ lrbn_ask }}</script>
{% for kind, address in lrbn_head.scripts %}
    <script type="{{ kind }}" src="{{ address }}" defer></script>
{% endfor %}
{% else %}{{ super() }}{% endif %}{% endblock %}
"""
)
TEMPLATE.globals["lrbn_scheme"], TEMPLATE.globals["lrbn_ask"] = TEMPLATE.own_scripts = _SCHEME, _ASK


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
    _look_for_no_other_styles()
    return Head(document)


@functools.cache
def _look_for_no_other_styles() -> None:
    """Skip Panel's collection of all style sheets for a page that lists its own: a quarter of that page's
    time.
    """
    collect = getattr(Resources, "extra_resources", None)
    if collect is None:
        return

    @functools.wraps(collect)
    def extra_resources(self: Resources, resources: Any, resource_type: Any) -> None:
        document = pn.state.curdoc
        if document is None or not document.template_variables.get(HEAD):
            collect(self, resources, resource_type)

    Resources.extra_resources = extra_resources


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
