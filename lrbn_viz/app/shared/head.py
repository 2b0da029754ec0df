"""The template of the explorer's pages: the files that they load first, and their own inline scripts.

Panel lists the files of all imported models: tables, charts, editors. A host that keeps files lists only
those that these pages need (`Host.head`), and preloads those that they request next.
"""

from __future__ import annotations

from typing import Any

from jinja2 import Template

from lrbn_viz.app.host import host
from lrbn_viz.view.player.source import module_text

HEAD = "lrbn_head"
"""Name of the template's variable."""

# They contain no values of a page: the content security policy names them by their hashes.
_SCHEME = module_text("app/shared/js/scheme.js")  # inline, as nothing may be drawn before it has run
_ASK = """{
      const addresses = JSON.parse(document.getElementById("lrbn-asked").textContent);
      window.lrbnAsked = new Map(addresses.map((address) => [address, fetch(address)]));
      for (const answer of window.lrbnAsked.values()) answer.catch(() => {}); // whoever reads it will say so
    }"""


class PageTemplate(Template):
    """A page's template that tells the host which inline scripts are the page's own.

    Attributes
    ----------
    own_scripts : tuple of str
        Inline scripts of this template.
    """

    own_scripts: tuple[str, ...] = ()

    def render(self, *args: Any, **kwargs: Any) -> str:
        """Render the template, and register the page with the host."""
        html = super().render(*args, **kwargs)
        host().note_scripts(html, self.own_scripts, dict(*args, **kwargs))
        return html


TEMPLATE = PageTemplate(
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
