"""A first start compiles each kernel once for each precision; a second finds all in Numba's cache on disk."""

from __future__ import annotations

import json
import re
from collections import defaultdict

from engine.cases import with_jit
from forked import finish, program

# Counts what Numba compiles, inner functions included, while the script does what the explorer and a
# short training do.
SCRIPT = """
import json
from numba import njit
from numba.core import event

compiled = []

class Recorder(event.Listener):
    def on_start(self, event):
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        compiled.append((name, [str(kind) for kind in event.data["args"]]))
    def on_end(self, event):
        pass

with event.install_listener("numba:compile", Recorder()):
    import numpy as np
    import lrbn_viz

    rng = np.random.default_rng(0)
    digits = lrbn_viz.load_dataset("digits")
    images = digits.train_X[:60]
    real = lrbn_viz.load_dataset("digits", binary=False).train_X[:60]
    for visible, X in (("bernoulli", images), ("gaussian", real)):
        for kind in (lrbn_viz.LRBN, lrbn_viz.RBM):
            model = kind(n_components=6, visible=visible, n_iter=2, random_state=0).fit(X)
            model.reconstruct(X)
            model.sample(3, random_state=0)
            model.map_trace(X[0])
        model = lrbn_viz.LRBN(n_components=6, visible=visible, n_iter=1, random_state=0).fit(X)
        for method in ("icm", "annealed", "gibbs"):
            model.transform(X, method=method)
        for order in ("sequential", "random", "greedy", "parallel"):
            model.map_trace(X[0], order=order, random_state=0)
        model.map_trace(X[0], init="random", temperature=1.0, random_state=0)
        h = model.transform(X[:1])[0]
        lrbn_viz.exact_posterior(model, X[0])
        lrbn_viz.explain_away(model, X[0], h)
        lrbn_viz.log_odds_terms(model, X[0], h, 0)
    needed = list(compiled)
    compiled.clear()
    njit(lambda x: x + 1)(1)  # never cached, so that an empty list means something
print(json.dumps({"needed": needed, "control": compiled}))
"""


READ_OR_WRITTEN = {"_list_columns", "_list_part", "_pack_images", "mean_rows"}
"""Short ones that take images, which may not be written, as well as fantasies, which were just drawn."""


def _start() -> list[tuple[str, list[str]]]:
    """Run `SCRIPT` in a process of its own; return the functions that it had to compile, with their types."""
    report = json.loads(finish(program(SCRIPT), seconds=600.0).splitlines()[-1])
    assert [name for name, _ in report["control"]] == ["__main__.<lambda>"]
    return [(name, kinds) for name, kinds in report["needed"]]


def _without_needless_types(kind: str) -> str:
    """Return a type as it would be without what makes Numba compile once more and no kernel needs."""
    kind = re.sub(r"Literal\[(int|bool)\]\(\w+\)", r"\1", kind).replace("readonly ", "")
    return re.sub(r"^u?int\d*$", "int", kind)


@with_jit("nothing is compiled with the JIT off")
def test_a_kernel_is_compiled_once_for_each_precision_and_a_second_process_compiles_nothing():
    # Where the cache is empty, as in the gate's first step, this is all that the script needs.
    types: dict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for name, kinds in _start():
        if name.startswith("lrbn_viz.") and name.rpartition(".")[2] not in READ_OR_WRITTEN:
            types[name, *map(_without_needless_types, kinds)].append(kinds)
    assert [variants for variants in types.items() if len(variants[1]) > 1] == []
    assert _start() == []
