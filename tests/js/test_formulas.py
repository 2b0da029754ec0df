"""JavaScript holds no formula of a model: kernels do, or functions that are translated from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "lrbn_viz"
MATHEMATICS = re.compile(r"Math\.(?:exp|expm1|log|log1p|log2|log10|tanh|cosh|sinh|pow|sqrt|LN2)\b")
"""What the formulas of the models are made of; drawings seldom need it."""
DEFINED = re.compile(
    r"\b(?:function|const|let|get|set)\s+\w*(?:sigmoid|softplus|logit|logSumExp|logAddExp)", re.I
)
"""A definition of a function that kernels have."""
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.S)

ELEMENTS = re.compile(
    r"[\w\])]\s*[-+*/]=?\s*\b[a-z][\w.]*\[\w+\](?!\s*[:=(])|\b[a-z][\w.]*\[\w+\]\s*[-+*/]\s*[\w(]"
)
"""Arithmetic with elements of arrays, which in the engine is a formula of images or of units; names of
constant tables have capitals.
"""

EXCEPTIONS: Mapping[str, str] = {
    "view/generate/js/walk.js": "digits of a number, so that both ends of an axis differ",
    "app/sweeps/js/axes.js": "an axis with a logarithmic scale",
    "view/board/js/board.js": "an axis that grows in steps",
    "app/upload/js/upload.js": "heights of the bars of a histogram",
    "browser/js/formulas.js": "translated from Python by lrbn_viz/browser/script.py",
    "browser/js/random.js": "NumPy's normal numbers, of which it has no kernel",
    "browser/js/memory.js": "sizes of arrays are powers of two",
    "view/player/js/format.js": "steps of an axis, and digits of numbers",
    "view/player/js/interactions.js": "second differences as products of translated shares, with a logarithm "
    "for many pixels; Python takes them by flips, and js/replay.test.js compares both",
    "view/player/js/player.js": "the nearest one of speeds that double",
    "view/player/js/picture.js": "the size of a picture that a browser can hold",
    "view/player/js/why.js": "as many units in a row as rows",
    "view/live/js/own_table.js": "the side of a square image",
    "view/generate/js/passes.js": "how far a sample of real-valued images is from the one before",
}
"""Files that may compute so, and why."""

OF_ELEMENTS: Mapping[str, str] = {
    "browser/js/likelihood.js": "differences of two estimates",
    "browser/js/lrbn.js": "the part of the joint that other layers have",
    "browser/js/random.js": "NumPy's normal numbers, of which it has no kernel",
    "browser/js/training.js": "sums of parameters, of which an average is taken",
}
"""Files of the engine that may compute with elements of arrays, and why."""


def _sources() -> Mapping[str, str]:
    """Return all JavaScript of the package but for bundles, without comments, by path."""
    paths = (path for path in PACKAGE.rglob("*.js") if "bundles" not in path.relative_to(PACKAGE).parts)
    return {
        path.relative_to(PACKAGE).as_posix(): COMMENT.sub("", path.read_text(encoding="utf-8"))
        for path in paths
    }


def _computes(source: str) -> bool:
    return bool(MATHEMATICS.search(source) or DEFINED.search(source))


def test_javascript_holds_no_formula_of_a_model_but_where_a_reason_is_given():
    found = {name for name, source in _sources().items() if _computes(source)}
    assert found <= set(EXCEPTIONS), "move the formula into a kernel, or say what is drawn by it"


def test_the_engine_of_the_browser_adds_up_nothing_itself():
    found = {name for name, source in _sources().items() if name.startswith("browser/js/")}
    found = {name for name in found - {"browser/js/formulas.js"} if ELEMENTS.search(_sources()[name])}
    assert found <= set(OF_ELEMENTS), "move the sum into a kernel"


def test_every_exception_is_one():
    sources = _sources()
    assert not [name for name in EXCEPTIONS if not _computes(sources.get(name, ""))]
    assert not [name for name in OF_ELEMENTS if not ELEMENTS.search(sources.get(name, ""))]


def test_a_formula_is_found_and_a_comment_is_none():
    assert _computes("const p = Math.exp(a);")
    assert _computes("export const sigmoid = (z) => 1 / (1 + z);")
    assert ELEMENTS.search("a.map((mean, i) => mean + noise[i])")
    assert ELEMENTS.search("a.map((above, j) => said[j] + above)")
    assert not ELEMENTS.search("const [first] = layers, x = images[i];")
    assert not _computes(COMMENT.sub("", "// Math.exp(a)\nimport {sigmoid} from './units.js'; sigmoid(1);"))
