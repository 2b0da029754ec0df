"""Measure the models that come with the package: ``python -m tools.weights.measure [NAME ...]``.

The Compare page reads its figures from ``measured.json``, which this program writes: nats of the first test
images, bounded from both sides; how much the latents depend on each other under the posterior; wrong pixels
and CPU seconds of training. ``tools.weights.annealed`` adds wrong pixels over sweeps of annealing. The last
two are read from a model's file, if it contains them. CPU seconds that it does not contain are measured by
training once more (``--training``); nothing else of that run is kept. Models are measured as they are
stored, rounded.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from lrbn_viz.catalog import PRETRAINED, pretrained
from lrbn_viz.core.model import ANNEALED_SWEEPS
from lrbn_viz.io.storage import write_atomic
from lrbn_viz.measure.figures import dependence_figures, nats_figures
from lrbn_viz.studies.reproduce.machine import machine
from tools.weights import FOLDER
from tools.weights.train import N_UNDIRECTED, RECIPES, images, learn

PATH = FOLDER / "measured.json"
N_IMAGES = 200
"""Test images whose nats are estimated: the first ones."""
N_BRACKET = 50
"""Images that chains run back from."""
N_FIRST = 200
"""Images of a first training that nothing is kept of: it compiles the kernels, whose time does not count."""
N_POSTERIORS = 10
"""Number of test images whose posterior is examined: the first ones."""
N_SWEEPS = 150
"""Sweeps of each Gibbs chain, after a third as many that do not count."""


def figures(name: str, n_temperatures: int) -> dict[str, Any]:
    """Return the figures of one model, rounded; `n_temperatures` for each layer of a directed model."""
    model, told = pretrained(name), pretrained(name).provenance_
    steps = n_temperatures * len(model.layers) if model.graph == "directed" else N_UNDIRECTED
    _, _, test = images(RECIPES[name].dataset)
    wrong = dict(told["wrong pixels, test"])
    annealed = wrong.pop("annealed", None)
    found: dict[str, Any] = {
        "nats": nats_figures(model, test[:N_IMAGES], N_BRACKET, n_temperatures=steps),
        "dependence": dependence_figures(model, test[:N_POSTERIORS], N_SWEEPS),
        "wrong pixels": {**wrong, "images": len(test)},
        "CPU seconds": told.get("CPU seconds"),
    }
    if annealed is not None:
        of_all = {"wrong pixels": annealed, "standard error": None, "images": len(test)}
        found["annealed"] = {str(ANNEALED_SWEEPS): of_all}
    return json.loads(json.dumps(found), parse_float=lambda text: round(float(text), 4))


def _quoted(found: dict[str, Any], n_sweeps: str) -> float | None:
    return found.get("annealed", {}).get(n_sweeps, {}).get("wrong pixels")


def stored() -> dict[str, Any]:
    """Return what is stored: ``machine``, and ``models`` with the figures of each by its name."""
    return json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {"models": {}}


def store(name: str, found: dict[str, Any]) -> None:
    """Store figures of a model, beside the others that it has."""
    known = stored()["models"]  # by now another process may have written to it
    known[name] = {**known.get(name, {}), **found}
    in_order = {each: known[each] for each in PRETRAINED if each in known}
    text = json.dumps({"machine": machine(), "models": in_order}, indent=1)
    write_atomic(PATH, f"{text}\n".encode())


def main() -> None:
    """Measure the named models, or all of binary images."""
    names = [name for name, info in PRETRAINED.items() if info.binary]
    parser = argparse.ArgumentParser(description="Measure the models that come with the package.")
    parser.add_argument("names", nargs="*", choices=[[], *names], help="models; all when none is named")
    parser.add_argument(
        "--temperatures",
        type=int,
        default=1000,
        help="steps of each annealing chain, for each layer of a directed model",
    )
    parser.add_argument(
        "--training", action="store_true", help="train once more where CPU seconds are not known"
    )
    arguments = parser.parse_args()
    for name in arguments.names or names:
        before = stored()["models"].get(name, {})
        started = time.perf_counter()
        if arguments.training:
            found = before
            if found.get("CPU seconds") is None:
                learn(name, N_FIRST)
                found["CPU seconds"] = round(learn(name).cpu_seconds, 1)
        else:
            found = figures(name, arguments.temperatures)
            if found["CPU seconds"] is None:
                found["CPU seconds"] = before.get("CPU seconds")
        of_all = str(ANNEALED_SWEEPS)
        if _quoted(before, of_all) == _quoted(found, of_all):  # the same model: its points are true
            found.pop("annealed", None)
        store(name, found)
        print(f"{name}: {found} ({time.perf_counter() - started:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
