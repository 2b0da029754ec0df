"""JavaScript holds no formula of a model: kernels do, or functions that are translated from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "lrbn_viz"
MATHEMATICS = re.compile(r"Math\.(?:exp|expm1|log|log1p|log2|log10|tanh|cosh|sinh|pow|LN2)\b")
"""What the formulas of the models are made of; drawings seldom need it."""
DEFINED = re.compile(
    r"\b(?:function|const|let|get|set)\s+\w*(?:sigmoid|softplus|logit|logSumExp|logAddExp)", re.I
)
"""A definition of a function that kernels have."""
COMMENT = re.compile(r"/\*.*?\*/|(?<!:)//[^\n]*", re.S)

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
}
"""Files that may compute so, and why."""


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


def test_every_exception_is_one():
    sources = _sources()
    assert not [name for name in EXCEPTIONS if not _computes(sources.get(name, ""))]


def test_a_formula_is_found_and_a_comment_is_none():
    assert _computes("const p = Math.exp(a);")
    assert _computes("export const sigmoid = (z) => 1 / (1 + z);")
    assert not _computes(COMMENT.sub("", "// Math.exp(a)\nimport {sigmoid} from './units.js'; sigmoid(1);"))
