"""A second start compiles nothing: every kernel it needs is found in Numba's cache on disk."""

from __future__ import annotations

import json

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
        compiled.append(str(event.data["dispatcher"].py_func.__qualname__))
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


def _start() -> list[str]:
    """Run `SCRIPT` in a process of its own; return the names of the functions that it had to compile."""
    report = json.loads(finish(program(SCRIPT), seconds=600.0).splitlines()[-1])
    assert report["control"] == ["<lambda>"]
    return report["needed"]


@with_jit("nothing is compiled with the JIT off")
def test_the_second_process_compiles_nothing():
    _start()  # the cache is the one that all tests of this run share, so this is cheap after them
    assert _start() == []
