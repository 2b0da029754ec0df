"""How Sphinx builds the documentation: `lrbn-viz docs` does it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the package that the pages speak of
sys.path.insert(0, str(Path(__file__).resolve().parent))  # the extensions

import lrbn_viz

project = "lrbn_viz"
author = "lrbn_viz developers"
release = version = lrbn_viz.__version__
language = "en"

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.linkcode",
    "numpydoc",
    "myst_nb",
    "extension.mathml",
    "extension.equations",
    "extension.generated",
    "extension.links",
]
exclude_patterns = ["_build", "_templates", "extension"]
templates_path = ["_templates"]

# -- pages
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
highlight_language = "text"
myst_update_mathjax = False
nb_execution_mode = "off"  # extension/executed.py runs the notebooks, as the tests do
nb_ipywidgets_js = {}  # widgets' scripts would come from another host
html_math_renderer = "mathml"
# Reports are written by `lrbn-viz reproduce`, whose tables have headings of the third level throughout.
suppress_warnings = ["myst.header"]

# -- the API
default_role = "code"
autosummary_generate = True
# Dask is for who has a cluster: the reference is built without it.
autodoc_mock_imports = [name for name in ("dask", "distributed") if find_spec(name) is None]
autodoc_typehints = "none"  # docstrings say types, shapes and units
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

# -- the site
html_theme = "pydata_sphinx_theme"
html_title = "lrbn_viz"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path: list[str] = []
html_show_sourcelink = False
html_copy_source = False
html_context = {"default_mode": "auto"}
html_sidebars = {"index": []}  # beside all others are the pages of their section
html_theme_options = {
    "navigation_with_keys": False,
    "show_prev_next": False,
    "header_links_before_dropdown": 6,  # the sections
    # beside players there is no room for it
    "secondary_sidebar_items": {"notebooks/*": [], "notebooks": ["page-toc"], "[!n]*": ["page-toc"]},
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_show_sphinx = False
copyright = "lrbn_viz developers, BSD-3-Clause"
