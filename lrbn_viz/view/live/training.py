"""What a live page needs that trains models: a run to begin with, the code of its worker, and the kernels.

The page trains two models side by side on one data set, from parameters that Python draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.browser.module import module
from lrbn_viz.catalog import SYSTEMS
from lrbn_viz.core.fields import Field, fields_of, in_words
from lrbn_viz.core.model import Model
from lrbn_viz.core.system import System
from lrbn_viz.datasets import Dataset
from lrbn_viz.datasets.dataset import image_title, title_of
from lrbn_viz.studies.runs import RunConfig
from lrbn_viz.view.player.packing import pack_models
from lrbn_viz.view.player.source import module_text
from lrbn_viz.view.player.wire import pack, unpack

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "lrbn": (
        "n_h", "prior", "warm_up", "learning_rate", "learning_rate_end", "average", "momentum",
        "decay_steps", "weight_decay", "decay_b", "nonnegative", "start", "e_step", "max_sweeps",
        "warm_sweeps", "hottest", "coldest", "likelihood_weight",
    ),
    "rbm": (
        "n_h", "method", "gradient", "n_gibbs", "learning_rate", "learning_rate_end", "average",
        "decay_steps", "weight_decay", "n_sample_sweeps",
    ),
    "rws": (
        "n_h", "n_particles", "phases", "learning_rate", "learning_rate_end", "average", "decay_steps",
        "momentum", "generative_rate", "recognition_rate",
    ),
}  # fmt: skip
"""Settings of a system that a browser has, by the name that its JavaScript gives to the way of learning."""
RATES = (1.0, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01)
"""Learning rates that a page offers, per step."""
PRIORS = ("flat", "learned")
"""Priors of an LRBN that a page offers."""
KINDS = {"LRBN": "lrbn", "RBM": "rbm"}
SEED = 0


Describe = Callable[[str, str, Model], dict[str, Any]]
MAX_WEIGHTS_WHOLE = 20_000
"""Initial weights, of both models, above which a page carries them rounded to half precision."""


@dataclass(frozen=True)
class Course:
    """A run that a page offers: settings of both models, by their kinds, and of the run.

    Attributes
    ----------
    about : str
        A sentence on what it shows.
    lanes : mapping from a kind to its settings
    n_iter : int
        Passes over all training images.
    batch_size : int
    """

    about: str
    lanes: Mapping[str, Mapping[str, Any]]
    n_iter: int
    batch_size: int = 20


COURSES: Mapping[str, Course] = {
    "digits": Course(
        "The LRBN's weights are at or above 0: its units become parts of digits. With a learned prior half "
        "of them die: choose it, and press Reset.",
        {
            "LRBN": {
                "n_components": 32,
                "prior": "flat",
                "init": "zeros",
                "learning_rate": 0.5,
                "weight_decay": 0.003,
                "nonnegative": True,
            },
            "RBM": {"n_components": 32, "gradient": "enhanced", "n_gibbs": 3, "learning_rate": 0.2},
        },
        n_iter=80,
    ),
    "bars": Course(
        "Every image is made of a few of 16 bars, with noise. 16 of the LRBN's units become these bars; with "
        "its learned prior the others die.",
        {
            "LRBN": {
                "n_components": 20,
                "prior": "learned",
                "init": "zeros",
                "e_step": "gibbs",
                "warm_sweeps": 5,
                "learning_rate": 0.5,
                "weight_decay": 0.001,
                "nonnegative": True,
            },
            "RBM": {"n_components": 20, "gradient": "enhanced", "learning_rate": 0.1},
        },
        n_iter=60,
    ),
    "mnist5k": Course(
        "The LRBN's weights are at or above 0: its units become strokes of digits. A minute of training is "
        "enough to see them.",
        {
            "LRBN": {
                "n_components": 100,
                "prior": "flat",
                "init": "zeros",
                "learning_rate": 0.5,
                "weight_decay": 0.003,
                "nonnegative": True,
            },
            "RBM": {
                "n_components": 100,
                "gradient": "centred",
                "n_gibbs": 3,
                "learning_rate": 0.1,
                "weight_decay": 0.001,
            },
        },
        n_iter=30,
    ),
}
"""What pages train, by data set.

Of the RBM's settings (gradient, chains, rate; of mnist5k 31, with weight decay) that were tried, these have
nearly the fewest wrong pixels of the last 200 training images, and nearly the best pseudo-likelihood.
"""


OWN = Course(
    "Each row is an observation, each column a variable that is on or off. The LRBN's units become causes of "
    "what is on together.",
    {kind: {**settings, "n_components": 8} for kind, settings in COURSES["bars"].lanes.items()},
    n_iter=40,
)
"""What a page trains on a table that its visitor opens.

Of the settings that were tried on 3,000 rows of `findings`, for three seeds each, these have the filters most
like the causes that were planted.
"""


ABOUT_PICTURES = (
    "Each picture is scaled to 16 x 16 pixels of ink or none. The LRBN's weights are at or above 0: its "
    "units become parts of pictures."
)


class Arrangement(NamedTuple):
    """A run of a page that a lesson shows.

    Attributes
    ----------
    dataset : str
        Whose course it is.
    settings : list of dict
        Of each lane, those that differ from the course's.
    epochs : int
        How many it has learned.
    """

    dataset: str
    settings: list[dict[str, Any]]
    epochs: int


def arranged(query: str) -> Arrangement | None:
    """Return the run that an address shows, such as ``?page=train&data=digits&epochs=20&lrbn.prior=flat``.

    None if it is not about training. The settings are those that a page offers.

    Raises
    ------
    ValueError
        It names what no page offers.
    """
    asked = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True))
    if asked.pop("page", "") != "train":
        return None
    name, epochs = asked.pop("data", ""), asked.pop("epochs", "")
    course = COURSES.get(name)
    if course is None or not epochs.isdecimal() or int(epochs) > course.n_iter:
        words = f"{', '.join(COURSES)} and epochs of its run"
        raise ValueError(f"expected data= and epochs=, with one of {words}; got {name!r} and {epochs!r}.")
    settings: list[dict[str, Any]] = []
    for kind, own in course.lanes.items():
        values = _offered(own)
        chosen = {each: asked.pop(f"{kind.lower()}.{each}", "") for each in values}
        found = {
            each: [value for value in values[each] if str(value).removesuffix(".0") == text]
            for each, text in chosen.items()
            if text
        }
        for each, fitting in found.items():
            if not fitting:
                offered = ", ".join(map(str, values[each]))
                raise ValueError(f"expected {kind.lower()}.{each} to be {offered}; got {chosen[each]!r}.")
        settings.append({each: fitting[0] for each, fitting in found.items() if fitting[0] != own[each]})
    if asked:
        raise ValueError(f"expected settings that a page offers, got {', '.join(asked)}.")
    return Arrangement(name, settings, int(epochs))


def _offered(settings: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the values of the settings that may be changed while a model learns."""
    rates: list[Any] = sorted({*RATES, settings["learning_rate"]}, reverse=True)
    return {"learning_rate": rates, **({"prior": list(PRIORS)} if "prior" in settings else {})}


def settings_of(system: System[Any], kind: str) -> dict[str, Any]:
    """Return a system's settings as a browser reads them: infinity, which JSON has not, is null."""
    shown = {name: getattr(system, name) for name in SETTINGS[kind]}
    return {name: None if value == np.inf else value for name, value in shown.items()}


def check_trains(data: Dataset) -> Course:
    """Return what a page trains on a data set's images.

    Raises
    ------
    ValueError
        It trains on others.
    """
    course = COURSES.get(data.name)
    if course is None or not data.binary:
        raise ValueError(
            f"a live page trains on {', '.join(COURSES)}, of pixels that are on or off; got {data.name}. "
            "Choose a model of one of these, such as lrbn-16-digits, or train in the explorer."
        )
    return course


def training_blocks(data: Dataset, describe: Describe, *, first: bool = True) -> dict[str, bytes]:
    """Return the blocks of a page that trains on a data set's images.

    ``train``: its JavaScript; ``trainer``: that of its worker; ``learning``: the kernels that this calls;
    ``run``: where the run begins, as `pack` writes it. `describe` returns the description of a model
    for the page's session, from its name, its title and itself; with `first` the page opens with the run.

    Raises
    ------
    ValueError
        As :func:`check_trains`.
    """
    return {
        "train": module_text("view/live/js/train.js").encode(),
        "trainer": module_text("view/live/js/run_worker.js").encode(),
        "learning": module("learning"),
        "run": _packed_run(data, check_trains(data), describe, first=first),
    }


def _offers(fields: Mapping[str, Field], settings: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the settings that may be changed while a model learns, with their values and what these say."""
    return [
        {
            "name": name,
            "label": fields[name].label.lower(),
            "values": [[value, fields[name].text(value)] for value in offered],
        }
        for name, offered in _offered(settings).items()
    ]


def _packed_run(data: Dataset, course: Course, describe: Describe, *, first: bool) -> bytes:
    """Pack the images, the settings and the initial parameters of a run."""
    X = np.asarray(data.train_X > 0.5, np.uint8)
    n_held = min(RunConfig.validation_size, len(X) // 5)  # as a run of the Train page
    train, held = X[:-n_held], X[-n_held:]
    lanes, arrays, described = _begun(course, train, data.image_shape, describe)
    arrays |= {"images": np.packbits(train, axis=1), "held": np.packbits(held, axis=1)}
    meta = {
        "dataset": data.name,
        "title": title_of(data.name),
        "training_image": image_title(data.name, "training", table=data.is_table),
        "about": course.about,
        "image_shape": list(data.image_shape),
        "variables": data.variables,
        "n_train": len(train),
        "n_held": len(held),
        "batch_size": course.batch_size,
        "n_iter": course.n_iter,
        "seed": SEED,
        "lanes": lanes,
        "models": described,
        "own": _own(describe),
        "first": first,
    }
    return pack(meta, arrays)


def _begun(
    course: Course, X: NDArray[np.uint8], image_shape: tuple[int, int], describe: Describe
) -> tuple[list[dict[str, Any]], dict[str, NDArray], dict[str, Any]]:
    """Return the lanes of a run on images, its initial parameters, and the models for the player."""
    arrays: dict[str, NDArray] = {}
    lanes, models = [], {}
    for number, (name, settings) in enumerate(course.lanes.items()):
        kind = SYSTEMS[name]
        model = kind(batch_size=course.batch_size, **settings)
        system = model.make_system()
        state = system.init(X, np.random.default_rng([SEED, 1]))
        model.adopt(state)
        models[name] = model
        if hasattr(state, "particles"):
            arrays[f"{number}.particles"] = state.particles
        if hasattr(system, "predicted_pixels"):
            arrays[f"{number}.predicted"] = system.predicted_pixels(X.shape[1]).astype(np.uint16)
        shown = settings_of(system, KINDS[name])
        lanes.append(
            {
                "kind": KINDS[name],
                "title": name,
                "words": in_words(settings, fields_of(type(model))),
                "settings": shown,
                "offers": _offers(kind.fields, shown),
                "e_step": settings.get("e_step", ""),
                "n_h": model.n_latents_,
                "per_pass": -(-len(X) // course.batch_size),
                "score": kind.model.score_title,
                "score_name": kind.model.score_name,
                "rows": [row._asdict() for row in system.picture_rows],
                # the Inference view begins as the E-step of training does
                "info": (info := describe(name, name, model)) | {"opens_from": info["usual_start"]},
            }
        )
    described, parameters = unpack(pack_models(models, image_shape, exact=True))
    large = sum(model.layers[0].W.size for model in models.values()) > MAX_WEIGHTS_WHOLE
    for name, array in parameters.items():
        arrays[name] = np.asarray(array, np.float16 if large and name.endswith(".W") else np.float64)
    return lanes, arrays, described


def _own(describe: Describe) -> dict[str, Any]:
    """Return the run on a visitor's table, whose sizes and initial parameters the page fills in."""
    lanes, arrays, described = _begun(OWN, np.zeros((1, 2), np.uint8), (1, 2), describe)
    for number, lane in enumerate(lanes):
        lane["n_particles"] = len(arrays.get(f"{number}.particles", ()))
        lane["predicts"] = f"{number}.predicted" in arrays
    about = {"about": OWN.about, "about_pictures": ABOUT_PICTURES}
    settings = {**about, "batch_size": OWN.batch_size, "n_iter": OWN.n_iter}
    return {**settings, "lanes": lanes, "models": described["models"]}
