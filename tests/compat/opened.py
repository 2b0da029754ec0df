"""What opening each stored thing gives, as plain values.

``make.py`` asked an older version with these functions and stored the answers; the tests ask this version.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz import LRBN, RBM, DeepLRBN, ICMTrace, load_dataset, load_model

DATA = Path(__file__).with_name("data")
"""``stored.zip`` holds what older versions wrote and, in ``expected.npz``, arrays of what it opened with."""

Values = dict[str, Any]
"""Arrays and JSON values by name."""


def digits(visible: str = "bernoulli", side: int = 8) -> tuple[NDArray, NDArray]:
    """Return 160 images, whole or their middle, and their classes.

    Grey ones are binary ones scaled by sums of powers of two: the same bits on every machine.
    """
    data = load_dataset("digits")
    edge = (8 - side) // 2
    X = data.train_X[:160].reshape(-1, 8, 8)[:, edge : 8 - edge, edge : 8 - edge].reshape(160, side * side)
    if visible == "bernoulli":
        return X, data.train_y[:160]
    return X * 1.5 - 0.5 + 0.125 * (np.arange(side * side) % 7), data.train_y[:160]


def parameters(model: Any) -> list[NDArray]:
    """Return the parameters of a model, of all layers."""
    layers = model.params_ if isinstance(model, DeepLRBN) else [model.params_]
    return [np.asarray(array) for layer in layers for array in layer]


def digest(arrays: list[NDArray]) -> str:
    """Return a sum over the bits of arrays."""
    total = hashlib.sha256()
    for array in arrays:
        total.update(f"{array.shape} {array.dtype.str} ".encode() + np.ascontiguousarray(array).tobytes())
    return total.hexdigest()[:16]


# -- models


def model(path: Path) -> Values:
    """Return what a stored model is and what it predicts for six images."""
    found: Values = {}
    loaded = load_model(path)
    X = digits(loaded.visible)[0][:6]
    found["kind"] = type(loaded).__name__
    found["settings"] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in loaded.get_params().items()
        if name != "random_state"
    }
    found["provenance"] = loaded.provenance_
    found["digest"] = digest(parameters(loaded))
    H = found["transform"] = np.hstack(loaded.infer(X))  # an RBM's transform gave states then
    found["inverse_transform"] = loaded.inverse_transform(H)
    found["reconstruct"] = loaded.reconstruct(X)
    # what an RBM's score was then: log P(x) up to a constant
    found["score_samples"] = loaded.log_marginal(X) if isinstance(loaded, RBM) else loaded.score_samples(X)
    if isinstance(loaded, RBM) and loaded.n_particles is None:
        loaded.set_params(n_particles=loaded.batch_size)  # what None was then
    found["sample"] = loaded.sample(4, random_state=3)
    if isinstance(loaded, RBM):
        found["posterior"] = loaded.posterior(X)
    if isinstance(loaded, LRBN):
        found["annealed"] = loaded.transform(X, method="annealed", n_sweeps=20, random_state=1)
        found["gibbs"] = loaded.transform(X, method="gibbs", n_sweeps=5, random_state=1)
    if isinstance(loaded, DeepLRBN):
        found["log_joint"] = loaded.log_joint(X, loaded.infer(X))
        found["annealed"] = loaded.transform(X, method="annealed", n_sweeps=20, random_state=1)
        if hasattr(loaded, "classes_"):
            found["predict"] = loaded.predict(X)
            found["predict_proba"] = loaded.predict_proba(X)
    else:
        found["log_joint"] = loaded.log_joint(X, 1 - H)
    return found


# -- traces

ANNEALING = (2.0, 1.0, 0.5)

TRACES: dict[str, tuple[str, Values]] = {
    **{
        f"{name}-{order}": (name, {"order": order, "init": "zeros", "max_sweeps": 8, "random_state": 4})
        for name in ("lrbn-flat", "lrbn-gaussian")
        for order in ("sequential", "random", "greedy", "parallel")
    },
    "lrbn-flat-gibbs": ("lrbn-flat", {"temperature": 1.0, "max_sweeps": 5, "random_state": 4}),
    "lrbn-flat-annealed": ("lrbn-flat", {"temperature": ANNEALING, "random_state": 4}),
    "lrbn-learned-held": ("lrbn-learned", {"clamp": {0: 1, 3: 0}, "init": "paper"}),
    "rbm": ("rbm", {}),
    "rbm-gaussian": ("rbm-gaussian", {}),
    "deep-sequential": ("deep", {"init": "zeros"}),
    "deep-random": ("deep", {"order": "random", "init": "random", "random_state": 4}),
    "deep-gibbs": ("deep", {"temperature": 1.0, "max_sweeps": 5, "random_state": 4}),
}
"""By name of the trace: the stored model that made it, and how; of image 7."""


def traced(name: str, models: Path) -> ICMTrace:
    """Make a trace with the stored model in the folder `models`."""
    of, options = TRACES[name]
    loaded = load_model(models / f"{of}.npz")
    return loaded.map_trace(digits(loaded.visible)[0][7], **options)


def trace(found: ICMTrace) -> Values:
    """Return what a trace says, and what follows from it."""
    middle = found.n_visits // 2
    return {
        "digest": digest([found.x, found.W, found.b, found.d, found.h0]),
        "unit": found.unit,
        "after": found.after,
        "flipped": found.flipped,
        "sweep": found.sweep,
        "log_odds": found.log_odds,
        "log_joint": np.append(found.log_joint0, found.log_joint),
        "converged": bool(found.converged),
        "visible": str(found.visible),
        "model": str(found.model),
        "sampled": bool(found.sampled),
        "latents": np.array([found.latents(k) for k in (0, middle, found.n_visits)]),
        "reconstruction": found.reconstruction(middle),
        "wrong_pixels": found.wrong_pixels(),
    }


# -- training left half-way


class Fit(NamedTuple):
    """A run of training that was left."""

    make: Callable[[], Any]
    """Makes the estimator, or what `lrbn_viz.reproduce` trains."""
    left: tuple[int, ...]
    """Steps after which it was left."""
    visible: str = "bernoulli"
    with_classes: bool = False


SHORT: Values = {"batch_size": 20, "validation_size": 20, "random_state": 5}


def _recipe(data: str, name: str) -> Any:
    from lrbn_viz.reproduce.recipes import RECIPES, quick
    from lrbn_viz.reproduce.train import training_of

    X = digits(side=6)[0]
    return training_of(quick(RECIPES[data][name]), X[:80], X[80:100], 5, (6, 6))


FITS: dict[str, Fit] = {
    "lrbn-flat": Fit(lambda: LRBN(6, prior="flat", momentum=0.5, n_iter=3, **SHORT), (10,)),
    "lrbn-gibbs": Fit(
        lambda: LRBN(
            6,
            prior="warmed",
            warm_up=5,
            init="zeros",
            e_step="gibbs",
            warm_sweeps=2,
            persistent=True,
            average=0.5,
            learning_rate_end=0.01,
            weight_decay=1e-3,
            likelihood_weight=2.0,
            n_iter=3,
            **SHORT,
        ),
        (4, 17),
    ),
    "lrbn-annealed": Fit(
        lambda: LRBN(6, e_step="annealed", warm_sweeps=3, init="random", decay_steps=50, n_iter=3, **SHORT),
        (10,),
    ),
    "lrbn-closed-form": Fit(lambda: LRBN(6, visible="gaussian", n_iter=3, **SHORT), (10,), "gaussian"),
    "lrbn-gaussian-gradient": Fit(
        lambda: LRBN(6, visible="gaussian", m_step="gradient", learning_rate=0.02, n_iter=3, **SHORT),
        (10,),
        "gaussian",
    ),
    "rbm-pcd": Fit(
        lambda: RBM(6, gradient="standard", n_particles=7, learning_rate=0.05, n_iter=3, **SHORT), (10,)
    ),
    "rbm-cd": Fit(
        lambda: RBM(
            6,
            visible="gaussian",
            method="cd",
            gradient="standard",
            n_particles=20,
            n_gibbs=2,
            learning_rate=0.01,
            weight_decay=1e-3,
            n_iter=3,
            **SHORT,
        ),
        (10,),
        "gaussian",
    ),
    # 16 steps of the first layer, 16 of the second, 8 of both
    "deep-joint": Fit(lambda: DeepLRBN((6, 4), n_iter=2, n_fine_tune=1, **SHORT), (5, 20, 35)),
    "deep-three-layers": Fit(
        lambda: DeepLRBN((6, 5, 4), scheme="three layers", n_iter=1, n_fine_tune=1, **SHORT), (27,)
    ),
    "deep-gaussian": Fit(
        lambda: DeepLRBN((6, 4), visible="gaussian", n_iter=1, n_fine_tune=1, **SHORT), (12,), "gaussian"
    ),
    "deep-classes": Fit(
        lambda: DeepLRBN((6,), e_step="gibbs", persistent=True, n_iter=2, n_fine_tune=1, **SHORT),
        (20, 35),
        with_classes=True,
    ),
    "recipe-paper": Fit(lambda: _recipe("mnist", "paper"), (6,)),
    # with copies of each image and chains that are kept, and begun again for a stage
    "recipe-likeliest": Fit(lambda: _recipe("caltech", "likeliest"), (90, 202)),
}


def steps(name: str, path: Path) -> Generator[list[NDArray], None, None]:
    """Train, from the checkpoint at `path` if there is one; the parameters after each step, and at the end.

    Before each step but the first the checkpoint is written.
    """
    fit = FITS[name]
    made, (X, y) = fit.make(), digits(fit.visible, 6)
    if hasattr(made, "fit_steps"):
        targets = (y,) if fit.with_classes else ()
        for _ in made.fit_steps(X, *targets, checkpoint=path, checkpoint_seconds=0.0):
            yield parameters(made)
        yield parameters(made)
        return
    if path.exists():
        made.resume(path)
    for _ in made:
        yield [array for state in made.state for array in state.params]
        made.save(path)
    yield [array for state in made.layers for array in state.params]


def resumed(name: str, path: Path) -> Values:
    """Return the parameters after the next three steps from a checkpoint, and at the end of training."""
    found = list(steps(name, path))
    values: Values = {"n_steps": len(found), "digests": [digest(each) for each in [*found[:3], found[-1]]]}
    for at, arrays in {"third": found[2], "end": found[-1]}.items():
        values |= {f"{at}.{n}": array for n, array in enumerate(arrays)}
    return values


# -- runs


def advance(run: Any, n: int) -> None:
    """Let every lane of a run make n steps."""
    run.advance(n * len(run.lanes))
    while run.job.status == "running":
        time.sleep(0.002)


def stored(folder: Path) -> Values:
    """Return what the list of stored runs says."""
    from lrbn_viz.runs import stored_runs

    return {
        run.name: {
            "config": None if run.config is None else run.config.to_json(),
            "began": run.began if run.config else 0,
            "bytes": run.bytes,
            "readable": not run.error,
        }
        for run in stored_runs(folder)
    }


def run(folder: Path) -> Values:
    """Return where a stored run stands, and its models after three more steps and at the end."""
    from lrbn_viz.runs import Run

    own = (folder / "dataset").exists()
    found = Run.resume(folder, None if own else load_dataset("digits"), checkpoint_seconds=1e9)
    values: Values = {
        "step": found.step,
        "images": digest([found.dataset.train_X, found.dataset.test_X]),
        "data": [found.dataset.name, found.dataset.description, list(found.dataset.class_names)],
        "n_iter": {},
        "digests": [],
    }
    for name, lane in found.lanes.items():
        values |= {f"{name}.{curve}": np.array(points.points()) for curve, points in lane.curves.items()}

    def take(at: str) -> None:
        for name in found.lanes:
            arrays = parameters(found.model(name))
            values["digests"].append(digest(arrays))
            values.update({f"{name}.{at}.{n}": array for n, array in enumerate(arrays)})

    take("stored")
    advance(found, 3)
    take("third")
    found.start()
    found.job.join(60)
    take("end")
    values["n_iter"] = {name: found.model(name).n_iter_ for name in found.lanes}
    return values


# -- links

PAGES = ("inference", "train", "generate")


def link(query: str) -> Values:
    """Return the settings that a link opens a page with, by their names in links, and what is seen then."""
    from lrbn_viz.app.address import SETTINGS, read_address
    from lrbn_viz.app.generate.state import GenerateState
    from lrbn_viz.app.inference.state import Session

    address = read_address(query, PAGES)
    session = Session(**address.states["inference"])
    generation = GenerateState(**address.states["generate"])
    train = {row.name: address.states["train"].get(row.parameter, row.default) for row in SETTINGS["train"]}
    values: Values = {"page": address.page, **train}
    values["ignored"] = sorted({sentence.split(":")[0] for sentence in address.ignored})
    for page, state in (("inference", session), ("generate", generation)):
        values[page] = {row.name: row.value(state) for row in SETTINGS[page]}
        values[page] |= {"rival": state.rival_name, "data": state.dataset_name}
    values["image"] = digest([session.x])
    values["visits"] = [digest([t.h0, t.unit, t.after]) for t in session.traces]
    values["joints"] = np.array([t.log_joint_at(t.n_visits) for t in session.traces])
    values["drawn"] = [digest([passes.X, passes.H]) for passes in generation.drawn]
    values["nearest"] = [digest([near.row]) for near in generation.nearest]
    return values
