"""Train the models that come with the package: ``python -m tools.weights.train [NAME ...]``.

The larger LRBNs, of one layer or two, follow recipes of ``lrbn-viz reproduce``; the small models and the
RBMs, which it does not train, have theirs here. MNIST models learn from the training set without the images
of ``mnist5k``, so that what the explorer shows by default was never seen in training. Settings were chosen
on the last 2,000 of the shuffled training images, which are held out here as well; the test set is only
reported. Weights are stored in half precision, and every figure is measured after rounding.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.catalog import load_model
from lrbn_viz.core.model import Model
from lrbn_viz.datasets import DATASETS as ALL_DATASETS
from lrbn_viz.datasets import load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.estimators import DBM, DBN, LRBN, NVIL, RBM, RWS, MeanFieldSBN, with_recognition
from lrbn_viz.kernels.clock import cpu_seconds_without_compiling, seconds_without_compiling
from lrbn_viz.kernels.numerics import keep_to_one_thread
from lrbn_viz.measure import extent, log_likelihood, reconstruction_error
from lrbn_viz.measure.ladder import ladder
from lrbn_viz.studies.reproduce.augment import Augmentation
from lrbn_viz.studies.reproduce.recipes import DATASETS, one_layer
from lrbn_viz.studies.reproduce.recipes import RECIPES as REPRODUCED
from lrbn_viz.studies.reproduce.recipes import Recipe as Configuration
from lrbn_viz.studies.reproduce.train import dead_units, model_of, training_of
from lrbn_viz.training import Training
from lrbn_viz.training.progress import with_bar
from tools.weights import FOLDER

N_VALIDATION = 2000
N_UNDIRECTED = 10_000
"""Temperatures of a model with a log Z to be found: by 3,000, RBMs' nats are 0.5 to 1.1 too high."""


class Recipe(NamedTuple):
    """Recipe of one model: its class, its data set and its settings; on all training images, or some.

    Attributes
    ----------
    stages : tuple of dict
        Of a model that learns in several stages, what takes the place of the settings in each: it goes on
        from the parameters and chains that the one before has left. `shifts` and `mirror` say how training
        images are changed at every visit; see :class:`~lrbn_viz.studies.reproduce.augment.Augmentation`.
    """

    face: type[LRBN] | type[RBM] | type[DBM] | type[DBN] | type[RWS] | type[NVIL] | type[MeanFieldSBN]
    dataset: str
    settings: dict[str, Any]
    n_images: int | None = None
    stages: tuple[dict[str, Any], ...] = ()


class Staged(NamedTuple):
    """A model trained in stages, as ``lrbn-viz reproduce`` trains: its data set and its configuration."""

    dataset: str
    how: Configuration

    @property
    def settings(self) -> dict[str, Any]:
        """The configuration, as a file keeps it."""
        return self.how._asdict()


def _reproduced(data: str, config: str) -> Staged:
    """One of the configurations that ``lrbn-viz reproduce`` knows."""
    return Staged(DATASETS[data], REPRODUCED[data][config])


class Amortised(NamedTuple):
    """A recognition network for a shipped model, whose W, b and d it leaves as they are.

    Attributes
    ----------
    of : str
        Name of the model.
    dataset : str
    settings : dict
        Arguments of :func:`~lrbn_viz.with_recognition`.
    """

    of: str
    dataset: str
    settings: dict[str, Any]


class Planted(NamedTuple):
    """A model that is not trained: the parameters that drew a planted data set, whose causes have names."""

    dataset: str

    @property
    def settings(self) -> dict[str, Any]:
        """Nothing is set for training that does not take place."""
        return {}


SMALL_LRBN = {
    "e_step": "gibbs",
    "init": "zeros",
    "warm_sweeps": 10,
    "learning_rate": 0.2,
    "decay_steps": 2000.0,
    "n_iter": 60,
}
# The image is weighed half as much again: fewer wrong pixels, at no lower likelihood of held-out images.
SMALL_STROKES = {
    "nonnegative": True,
    "e_step": "gibbs",
    "init": "zeros",
    "warm_sweeps": 5,
    "likelihood_weight": 1.5,
    "learning_rate": 1.0,
    "learning_rate_end": 0.02,
    "average": 0.3,
    "batch_size": 50,
    "n_iter": 100,
}
# A prior that is held at first keeps every unit in use while parts are still shared out: learned from the
# start, it leaves more than a quarter of them dead. Chains that are kept from pass to pass sample better than
# short ones from all off, if an image is seen again soon: fewer images, seen more often, make fewer pixels
# wrong than all images seen ten times, and more nats.
STROKES: dict[str, Any] = {
    "n_components": 200,
    "nonnegative": True,
    "prior": "warmed",
    "warm_up": 3456.0,
    "e_step": "gibbs",
    "init": "zeros",
    "persistent": True,
    "warm_sweeps": 2,
    "likelihood_weight": 2.0,
    "learning_rate": 1.2,
    "learning_rate_end": 0.03,
    "average": 0.3,
    "batch_size": 50,
    "n_iter": 24,
}
# The enhanced gradient and many passes at a rate that falls far. At higher rates the chains cannot keep up:
# AIS and RAISE then disagree.
BEST_RBM: dict[str, Any] = {"gradient": "enhanced", "batch_size": 100, "learning_rate_end": 0.001}
# Caltech has few images: at twice this rate the likelihood of training images rises, and others' does not.
CALTECH_RBM: dict[str, Any] = {**BEST_RBM, "learning_rate": 0.05, "n_components": 200, "n_particles": 100}
_MOVED: dict[str, Any] = {"shifts": 1, "mirror": True}
# Images that are moved and mirrored at each visit halve the gap to training images, and pay in long runs
# alone.
LONG_RBM: tuple[dict[str, Any], ...] = ({**_MOVED, "n_iter": 6000},)
# The rivals' settings were chosen by the bound or the estimate that each has of held-out images: bench_dbn,
# bench_dbm and bench_recognition of tests/bench print it, pass by pass.
DEEP_BELIEF: dict[str, Any] = {
    "n_components": (200, 200),
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "first_share": 0.4,
    "up_down_share": 0.3,
    "up_down_rate": 1.0,
    "n_iter": 140,
}
# In many passes the up-down algorithm gains most: greedy learning takes few of them.
CALTECH_DBN: dict[str, Any] = {
    **DEEP_BELIEF,
    "n_particles": 200,
    "first_share": 0.15,
    "up_down_share": 0.7,
    "n_iter": 3300,
}
DEEP_BOLTZMANN: dict[str, Any] = {
    "n_components": (200, 200),
    "batch_size": 100,
    "learning_rate": 0.1,
    "learning_rate_end": 0.001,
    "n_iter": 90,
}
ADAM: dict[str, Any] = {
    "n_components": 200,
    "batch_size": 100,
    "optimiser": "adam",
    "momentum": 0.9,
    "learning_rate_end": 0.0002,
    "n_iter": 110,
}
# Plain steps of small minibatches: Adam at its usual rate leaves far too small weights.
MEAN_FIELD: dict[str, Any] = {
    "n_components": 200,
    "batch_size": 20,
    "optimiser": "momentum",
    "momentum": 0.0,
    "learning_rate": 4.0,
    "learning_rate_end": 0.02,
    "n_sweeps": 1,
    "n_iter": 5,
}
PLAIN_RBM: dict[str, Any] = {
    "gradient": "standard",
    "learning_rate": 0.05,
    "batch_size": 20,
    "n_particles": 20,
}
SMALL_RBM = {**PLAIN_RBM, "decay_steps": 2000.0, "n_iter": 60}
GREY = {"n_components": 40, "visible": "gaussian"}
GREY_RBM = {**PLAIN_RBM, "decay_steps": 4000.0, "n_iter": 200}

# Of the three methods, each at three rates, the one whose prediction is nearest to the posterior, by the mean
# KL(q || p) of validation images: 1.39 nats at this rate in 100 passes of 10 particles; 1.41 awake and 1.51
# asleep at their best.
RECOGNITION: dict[str, Any] = {
    "method": "bound",
    "n_particles": 30,
    "learning_rate": 0.03,
    "learning_rate_end": 0.001,
    "n_iter": 200,
}

RECIPES: dict[str, Recipe | Staged | Amortised | Planted] = {
    "lrbn-200-mnist-flat": Recipe(LRBN, "mnist", one_layer(REPRODUCED["mnist"]["pixels"])),
    "lrbn-200-mnist-learned": Recipe(LRBN, "mnist", one_layer(REPRODUCED["mnist"]["likelihood"])),
    "lrbn-200-200-mnist": _reproduced("mnist", "both"),
    "lrbn-200-200-mnist-likeliest": _reproduced("mnist", "likeliest"),
    "lrbn-200-mnist-strokes": Recipe(LRBN, "mnist", STROKES, n_images=12_000),
    "rbm-200-mnist-likeliest": Recipe(RBM, "mnist", {**BEST_RBM, "learning_rate": 0.1, "n_iter": 150}),
    "dbm-200-200-mnist": Recipe(DBM, "mnist", DEEP_BOLTZMANN),
    "dbn-200-200-mnist": Recipe(DBN, "mnist", DEEP_BELIEF),
    "rws-200-mnist": Recipe(RWS, "mnist", {**ADAM, "learning_rate": 0.004}),
    "nvil-200-mnist": Recipe(NVIL, "mnist", {**ADAM, "learning_rate": 0.003, "recognition_rate": 1.0}),
    "meanfield-200-mnist": Recipe(MeanFieldSBN, "mnist", MEAN_FIELD),
    "lrbn-200-200-ocr": _reproduced("ocr", "both"),
    "lrbn-200-200-ocr-likeliest": _reproduced("ocr", "likeliest"),
    "lrbn-200-ocr-flat": Recipe(LRBN, "ocr_letters", one_layer(REPRODUCED["ocr"]["pixels"])),
    "lrbn-200-ocr-strokes": Recipe(LRBN, "ocr_letters", STROKES, n_images=12_000),
    "rbm-200-ocr-likeliest": Recipe(RBM, "ocr_letters", {**BEST_RBM, "learning_rate": 0.2, "n_iter": 600}),
    "lrbn-200-200-caltech": _reproduced("caltech", "both"),
    "lrbn-200-200-caltech-likeliest": _reproduced("caltech", "likeliest"),
    "lrbn-400-caltech-flat": _reproduced("caltech", "wide"),
    "rbm-200-caltech-likeliest": Recipe(RBM, "caltech101_silhouettes", CALTECH_RBM, stages=LONG_RBM),
    "dbn-200-200-caltech": Recipe(DBN, "caltech101_silhouettes", CALTECH_DBN, stages=(_MOVED,)),
    "lrbn-12-digits": Recipe(LRBN, "digits", {"n_components": 12, **SMALL_LRBN}),
    "lrbn-12-digits-recognition": Amortised("lrbn-12-digits", "digits", RECOGNITION),
    "lrbn-16-digits": Recipe(LRBN, "digits", {"n_components": 16, **SMALL_LRBN}),
    "lrbn-16-digits-strokes": Recipe(LRBN, "digits", {"n_components": 16, **SMALL_STROKES}),
    "rbm-12-digits": Recipe(RBM, "digits", {"n_components": 12, **SMALL_RBM}),
    "rbm-16-digits": Recipe(RBM, "digits", {"n_components": 16, **SMALL_RBM}),
    "lrbn-40-digits-grey": Recipe(LRBN, "digits", {**GREY, "e_step": "gibbs", "init": "zeros", "n_iter": 60}),
    "rbm-40-digits-grey": Recipe(RBM, "digits", {**GREY, **GREY_RBM}),
    "lrbn-2-alarm": Planted("alarm"),
    "lrbn-6-findings": Planted("findings"),
    "lrbn-16-bars": Planted("bars"),
}


def images(dataset: str, binary: bool = True) -> tuple[NDArray, NDArray, NDArray]:
    """Return training, validation and test images of a recipe's data set, binary or standardised."""
    data = load_dataset(dataset, binary=binary)
    X = data.train_X
    if dataset == "mnist":
        X = X[~mnist5k_rows_in_mnist()]
    n_validation = min(N_VALIDATION, len(X) // 10)
    order = np.random.default_rng(5).permutation(len(X))
    return X[order[:-n_validation]], X[order[-n_validation:]], data.test_X


def errors(model: Model, X: NDArray) -> dict[str, float]:
    """Return the mean reconstruction error, by every inference that the model has."""
    usual = "exact MAP" if model.factorised else next(iter(model.methods or model.trace_methods))
    methods: dict[str, dict[str, Any]] = {usual: {}}
    if "annealed" in model.methods:
        methods["annealed"] = {"method": "annealed"}
    return {name: float(reconstruction_error(model, X, **how).mean()) for name, how in methods.items()}


def rungs(model: Model, X: NDArray) -> dict[str, float]:
    """Return the mean KL(q || P(h | x)) of each approximation of the posterior that the ladder has, nats."""
    found = [ladder(model, x).rungs for x in X]
    return {name: round(float(np.mean([each[name].kl for each in found])), 3) for name in found[0]}


def figures_of_parts(model: LRBN, X: NDArray, image_shape: tuple[int, int]) -> dict[str, float]:
    """Return the figures required of a model of parts, on held-out images: nats, dead units, filters.

    The nats are by AIS of the first 1,000 images. A unit is dead that is on in none of the annealed states.
    Pixels and spread are medians of the filters' extent, and of the images' own.
    """
    nats = log_likelihood(model, X[:1000])
    H = model.transform(X, method="annealed")
    found = {
        "nats by AIS": nats.mean,
        "its standard error": nats.standard_error,
        "dead units": dead_units(H),
        "units on": float(H.sum(axis=1).mean()),
    }
    for whose, rows in (("filter", model.layers[0].W.T), ("image", X)):
        for what, values in extent(rows, image_shape)._asdict().items():
            found[f"{what}, {whose}"] = float(np.median(values))
    return {name: round(value, 3) for name, value in found.items()}


def bracket(model: RBM, X: NDArray) -> dict[str, float]:
    """Return the nats of an RBM, and their errors: exact where a layer can be enumerated, else bracketed.

    AIS is of all images, its bracket with RAISE of the first 100.
    """
    if model.log_normaliser() is not None:
        exact = log_likelihood(model, X, method="exact")
        found = {"exact": exact.mean, "standard error": exact.standard_error}
    else:
        ais = log_likelihood(model, X, method="ais", n_temperatures=N_UNDIRECTED)
        below = log_likelihood(model, X[:100], method="raise", n_temperatures=N_UNDIRECTED)
        found = {
            "AIS": ais.mean,
            "standard error": ais.standard_error,
            "of log Z": ais.estimator_error,
            "AIS of the first 100": float(ais.values[:100].mean()),
            "RAISE of the first 100": below.mean,
            "standard error of their difference": float((ais.values[:100] - below.values).std(ddof=1) / 10),
        }
    return {name: round(value, 3) for name, value in found.items()}


class Learned(NamedTuple):
    """A model that a recipe has just made: its settings, on how many images, and what that took.

    Seconds are by the clock; CPU seconds are those of all threads together. Neither counts the compilation
    of kernels.
    """

    model: Any
    settings: dict[str, Any]
    n_images: int
    seconds: float
    cpu_seconds: float


def learn(name: str, n_images: int | None = None) -> Learned:
    """Train one model by its recipe, on all of its images or on the first ones, and store nothing."""
    recipe = RECIPES[name]
    training, validation, _ = images(recipe.dataset, recipe.settings.get("visible") != "gaussian")
    if isinstance(recipe, Recipe):
        training = training[: recipe.n_images]
    training = training[:n_images]
    started, worked = seconds_without_compiling(), cpu_seconds_without_compiling()
    if isinstance(recipe, Staged):
        model, settings = _train_stages(recipe, training, validation)
    elif isinstance(recipe, Amortised):
        model = with_recognition(load_model(FOLDER / f"{recipe.of}.npz"), training, **recipe.settings)
        settings = {"of": recipe.of, **recipe.settings, **model.get_params()}
    elif isinstance(recipe, Planted):
        model, settings = _plant(recipe)
    else:
        model, settings = _train_one(recipe, training)
    took = seconds_without_compiling() - started, cpu_seconds_without_compiling() - worked
    return Learned(model, settings, len(training), *took)


def train(name: str) -> None:
    """Train one model, store it and print its figures."""
    recipe = RECIPES[name]
    binary = recipe.settings.get("visible") != "gaussian"
    print(f"{name}:")
    model, settings, n_images, seconds, cpu = learn(name)
    _, validation, test = images(recipe.dataset, binary)
    planted = isinstance(recipe, Planted)
    provenance: dict[str, Any] = {
        "data": f"{recipe.dataset}: "
        + ("not learned: the parameters that drew the " if planted else "")
        + f"{n_images:,} training images"
        + (", none of them in mnist5k" if recipe.dataset == "mnist" else ""),
        "settings": settings,
        **({} if planted else {"seconds": round(seconds), "CPU seconds": round(cpu)}),
        "script": "python -m tools.weights.train " + name,
    }
    path = FOLDER / f"{name}.npz"
    dtype = np.float64 if planted else np.float16  # what is planted is exact, and small
    model.save(path, dtype=dtype, provenance=provenance)
    stored = load_model(path)
    figure = "wrong pixels" if binary else "squared error"
    for split, X in (("validation", validation), ("test", test)):
        provenance[f"{figure}, {split}"] = errors(stored, X)
        if isinstance(recipe, Amortised):
            provenance[f"nats from the posterior, {split}"] = rungs(stored, X)
        if stored.graph == "undirected" and stored.factorised and binary and split == "test":
            provenance[f"nats, {split}"] = bracket(stored, X)
        if getattr(stored, "nonnegative", False):
            shape = ALL_DATASETS[recipe.dataset].image_shape
            provenance[f"parts, {split}"] = figures_of_parts(stored, X, shape)
    model.save(path, dtype=dtype, provenance=provenance)
    print(f"\n{name}: {provenance}")


def _train_one(recipe: Recipe, X: NDArray) -> tuple[Any, dict[str, Any]]:
    """Return a trained model of one layer, and its settings."""
    settings = {"random_state": 0, "validation_size": 0, **recipe.settings}
    if "patience" in recipe.face().get_params():  # training in stages has none
        settings["patience"] = None
    model = recipe.face(**settings)
    if not recipe.stages:
        return model.fit(X, verbose=True), model.get_params()
    rng, state = np.random.default_rng(settings["random_state"]), None
    for stage in recipe.stages:
        how = dict(stage)
        changes = Augmentation(
            ALL_DATASETS[recipe.dataset].image_shape, how.pop("shifts", 0), how.pop("mirror", False)
        )
        model = recipe.face(**{**settings, **how})
        training: Training[Any] = Training(
            model.make_system(),
            X,
            n_iter=model.n_iter,
            batch_size=model.batch_size,
            rng=rng,
            state=state,
            augment=changes if changes.shifts or changes.mirror else None,
        )
        for _ in with_bar(training, verbose=True):
            pass
        state = training.state
        model.adopt(state)
    return model, {**settings, "stages": list(recipe.stages)}


def _plant(recipe: Planted) -> tuple[LRBN, dict[str, Any]]:
    """Return the model that drew a planted data set, with the names of its units, and its settings."""
    truth = load_dataset(recipe.dataset).planted
    assert truth is not None
    model = LRBN.from_params(truth.W, truth.b, truth.d)
    return model.name_units(truth.latent_names, truth.visible_names), model.get_params()


def _train_stages(recipe: Staged, X: NDArray, validation: NDArray) -> tuple[LRBN, dict[str, Any]]:
    """Return a model that is trained as the reproduction does it, and the configuration."""
    how = recipe.how
    run = training_of(how, X, validation, 0, ALL_DATASETS[recipe.dataset].image_shape)
    for _ in with_bar(run, verbose=True):
        pass
    return model_of(how, [state.params for state in run.layers]), recipe.settings


def main() -> None:
    """Train the named models, or all."""
    parser = argparse.ArgumentParser(description="Train the models that come with the package.")
    parser.add_argument(
        "names", nargs="*", choices=[[], *RECIPES], help="models to train; all when none is named"
    )
    arguments = parser.parse_args()
    keep_to_one_thread()  # threads that spin while they wait would count as CPU seconds of training
    for name in arguments.names or RECIPES:
        train(name)


if __name__ == "__main__":
    main()
