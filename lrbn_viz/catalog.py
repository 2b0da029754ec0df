"""The models to train, the data sets and the trained models that users are offered, by name."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib.resources import as_file, files
from itertools import takewhile
from types import MappingProxyType
from typing import Any, BinaryIO, Literal, overload

from lrbn_viz.core.fields import Field, Several, each_layer, fields_of
from lrbn_viz.core.model import Model, named_layers
from lrbn_viz.datasets import DATASETS
from lrbn_viz.estimators import (
    DBM,
    DBN,
    LRBN,
    NVIL,
    RBM,
    RWS,
    VIMCO,
    MeanFieldSBN,
    VariationalBayesSBN,
    WakeSleep,
    read_model,
)
from lrbn_viz.estimators.noisy_or import NoisyOrNetwork
from lrbn_viz.io.storage import LOCAL, Budget

__all__ = [
    "DATASETS",
    "PRETRAINED",
    "SYSTEMS",
    "UNITS",
    "Kind",
    "PretrainedInfo",
    "factorised",
    "kinds",
    "load_model",
    "measured",
    "pretrained",
    "system_of",
    "trainable",
]


def __dir__() -> list[str]:
    return sorted(__all__)


UNITS = ("n_components", "n_top")
"""Names that forms and runs have for the number of latents of each layer, the lowest first."""
_OF_THE_KIND = ("layer_by_layer",)
"""Settings that are those of the kind, and not chosen in a form."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of model that users are offered: an estimator, with a number of layers.

    Call it with settings for an untrained model. An estimator takes the latents of all layers as one setting;
    a kind takes the latents of each by their own name, one of `UNITS`, as a form has a field for each.

    Attributes
    ----------
    estimator : type
    n_layers : int
        Layers of latents, where the estimator has any number; else 1.
    defaults : mapping from a setting to its value
        Settings that differ from the estimator's defaults.
    """

    estimator: type[Any]
    n_layers: int = 1
    defaults: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the estimator, and the number of layers, where it has a choice and there are several."""
        layers = f" of {self.n_layers} layers" if self.n_layers > 1 else ""
        how = ", layer by layer" if self.defaults.get("layer_by_layer") else ""
        return f"{self.estimator.__name__}{layers}{how}"

    @property
    def _units(self) -> Several | None:
        """Setting of the latents of all layers, where the estimator takes them together."""
        found = fields_of(self.estimator).get(UNITS[0])
        return found if isinstance(found, Several) else None

    def __call__(self, n_components: Any = None, **settings: Any) -> Any:
        """Return an untrained model with these settings; `n_components` may be the latents of all layers."""
        given = {**self.defaults, **settings}
        if n_components is not None:
            given[UNITS[0]] = n_components
        fields = {name: field for name, field in self.fields.items() if name in UNITS}
        if len(fields) > 1 and len(each_layer(given.get(UNITS[0], 0))) == 1:
            given[UNITS[0]] = tuple(given.pop(name, field.default) for name, field in fields.items())
        return self.estimator(**given)

    @cached_property
    def model(self) -> Any:
        """Return an untrained model with the default settings, which says what the kind's models can do."""
        return self()

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Settings that apply, by name, with this kind's defaults; the units of each layer are one.

        A value of each layer is one for all of them.
        """
        declared = {
            name: replace(each, default=self.defaults.get(name, each.default))
            for name, each in fields_of(self.estimator).items()
        }
        fixed = {UNITS[0]: (1,) * self.n_layers} if self._units else {}
        fixed |= {name: declared[name].default for name in _OF_THE_KIND if name in declared}
        while True:  # a setting that does not apply is as good as fixed: others depend on it
            given = {name: each.given(fixed) for name, each in declared.items()}
            never = {name: declared[name].default for name, each in given.items() if each is None}
            if never.keys() <= fixed.keys():
                break
            fixed |= never
        found: dict[str, Field] = {}
        for name, each in given.items():
            if name == UNITS[0] and isinstance(each, Several):
                found |= zip(UNITS, each.parts or self._of_each(each), strict=False)
            elif each is not None:
                found[name] = (
                    replace(each.of, default=each.default, when=each.when)
                    if isinstance(each, Several)
                    else each
                )
        return MappingProxyType(found)

    def _of_each(self, units: Several) -> tuple[Field, ...]:
        """Return the fields of the latents of each layer, of an estimator that has any number of layers."""
        alone = replace(units.of, default=units.default)
        if self.n_layers == 1:
            return (alone,)
        lowest = replace(alone, help="How many binary causes the lower layer has (n_h).")
        return (lowest, *(replace(alone, label=_UPPER, help=_GENERATE),) * (self.n_layers - 1))

    def includes(self, model: Any) -> bool:
        """Return whether a model is of this kind."""
        if type(model) is not self.estimator:
            return False
        units = self._units
        so = all(getattr(model, name, False) == self.defaults.get(name, False) for name in _OF_THE_KIND)
        fits = units is None or bool(units.parts) or len(each_layer(model.n_components)) == self.n_layers
        return so and fits and not hasattr(model, "classes_")

    def settings_of(self, model: Any) -> dict[str, Any]:
        """Return the settings of a model of this kind by the names that the kind has for them."""
        found = model.get_params()
        if self._units is not None:
            found |= zip(UNITS, self._units.each(found[UNITS[0]]), strict=False)
        return {name: found[name] for name in self.fields}


_UPPER = "Upper latent units"
_GENERATE = "Latent units of the upper layer, which generate the lower ones."
# Five passes of 4,000 digits: a bound 20 nats higher than with the defaults of one layer.
_BAYES_OF_TWO: dict[str, Any] = {"learning_rate_end": 0.003, "momentum": 0.5, "n_sweeps": 1}

SYSTEMS: dict[str, Kind] = {
    "LRBN": Kind(LRBN),
    "RBM": Kind(RBM),
    "RWS": Kind(RWS),
    "Wake-sleep": Kind(WakeSleep),
    "VIMCO": Kind(VIMCO),
    "NVIL": Kind(NVIL),
    "Two-layer LRBN": Kind(LRBN, 2),
    "Two-layer RWS": Kind(RWS, 2),
    "Two-layer wake-sleep": Kind(WakeSleep, 2),
    "Two-layer VIMCO": Kind(VIMCO, 2),
    "Two-layer NVIL": Kind(NVIL, 2),
    "DBN": Kind(DBN),
    "DBM": Kind(DBM),
    "Mean-field SBN": Kind(MeanFieldSBN),
    "VB-SBN": Kind(VariationalBayesSBN),
    "Two-layer VB-SBN": Kind(VariationalBayesSBN, 2, _BAYES_OF_TWO),
    "Noisy-or network": Kind(NoisyOrNetwork),
}
"""The registry of models: a line for each kind, read by everybody. A key names the kind in forms and runs;
the estimator declares what its models can do, and their hyper-parameters."""
_LAYER_BY_LAYER = Kind(LRBN, 2, {"layer_by_layer": True})


def kinds() -> dict[str, Kind]:
    """Return all kinds of models that files may hold, by their names."""
    return {kind.name: kind for kind in (*SYSTEMS.values(), _LAYER_BY_LAYER)}


def system_of(model: Any) -> str | None:
    """Return the key in `SYSTEMS` of a model's kind; None where no run trains such models."""
    return next((name for name, kind in SYSTEMS.items() if kind.includes(model)), None)


def load_model(source: str | os.PathLike | BinaryIO, *, budget: Budget = LOCAL) -> Any:
    """Read a model that ``save`` wrote, of any kind that the catalogue holds.

    Parameters
    ----------
    source : path or binary file
    budget : Budget
        What reading may cost in bytes and seconds; :mod:`lrbn_viz.io.storage` says more.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When the file is damaged, too large or holds something else.

    Examples
    --------
    >>> import lrbn_viz
    >>> lrbn_viz.pretrained("lrbn-2-alarm").save("alarm.npz")
    >>> lrbn_viz.load_model("alarm.npz").latent_names_
    ('burglary', 'earthquake')
    """
    return read_model(source, {kind.estimator.__name__: kind.estimator for kind in kinds().values()}, budget)


def trainable(model: Any) -> Any:
    """Return a model as one of `SYSTEMS`: itself, or of layers that learned in turn one that learns in a run.

    Its parameters are the same, and so are the settings that both have.

    Raises
    ------
    ValueError
        No system learns such a model.
    """
    if system_of(model) is not None:
        return model
    if type(model) is not LRBN or len(model.layers) > 2 or hasattr(model, "classes_"):
        what = f"{len(model.layers)} layers{', the last of classes' if hasattr(model, 'classes_') else ''}"
        raise ValueError(
            f"the model is {type(model).__name__} of {what}; expected one of {', '.join(SYSTEMS)}, without "
            "classes. Choose another."
        )
    left_out = {"visible", "n_components", "layer_by_layer", "average", "weight_decay", "n_iter"}
    settings = {name: value for name, value in model.get_params().items() if name not in left_out}
    return LRBN.from_params(**named_layers(model.layers), visible=model.visible, **settings).named_as(model)


@dataclass(frozen=True)
class PretrainedInfo:
    """A trained model that comes with the package; ``pretrained(name).provenance_`` says how it was trained.

    Attributes
    ----------
    name, title : str
        Its name in code and on the page.
    dataset : str
        Data set whose images it takes.
    system : str
        Its key in ``SYSTEMS``.
    n_h : int
        Latent units, of all layers that inference visits.
    rival : str or None
        Name of the model of the other kind on the same data, to compare with; else the same weights,
        factorised.
    n_layers : int
        Layers of latents.
    binary : bool
        Whether its images are binary; else they are standardised, ``load_dataset(dataset, binary=False)``.
    image : int
        Row of the test image that shows best what the model does: the one that is shown first.
    """

    name: str
    title: str
    dataset: str
    system: str
    n_h: int
    rival: str | None = None
    n_layers: int = 1
    binary: bool = True
    image: int = 0

    @property
    def layers(self) -> str:
        """Latents of each layer, such as "200-200", as its name has them."""
        return "-".join(takewhile(str.isdigit, self.name.split("-")[1:]))

    @property
    def kind(self) -> Kind:
        """Kind of the model."""
        return _LAYER_BY_LAYER if self.system == "LRBN" and self.n_layers > 1 else SYSTEMS[self.system]


PRETRAINED: dict[str, PretrainedInfo] = {
    info.name: info
    for info in (
        PretrainedInfo(
            "lrbn-200-mnist-flat", "LRBN-200, flat prior", "mnist5k", "LRBN", 200, "rbm-200-mnist-likeliest"
        ),
        PretrainedInfo(
            "lrbn-200-mnist-learned",
            "LRBN-200, learned prior",
            "mnist5k",
            "LRBN",
            200,
            "rbm-200-mnist-likeliest",
        ),
        PretrainedInfo(
            "lrbn-200-200-mnist",
            "LRBN-200-200, two layers",
            "mnist5k",
            "LRBN",
            400,
            "rbm-200-mnist-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-200-mnist-likeliest",
            "LRBN-200-200, likeliest",
            "mnist5k",
            "LRBN",
            400,
            "rbm-200-mnist-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-mnist-strokes", "LRBN-200, strokes", "mnist5k", "LRBN", 200, "rbm-200-mnist-likeliest"
        ),
        PretrainedInfo("dbn-200-200-mnist", "DBN-200-200", "mnist5k", "DBN", 200, "rbm-200-mnist-likeliest"),
        PretrainedInfo(
            "dbm-200-200-mnist", "DBM-200-200", "mnist5k", "DBM", 400, "rbm-200-mnist-likeliest", 2
        ),
        PretrainedInfo("rws-200-mnist", "SBN-200, by RWS", "mnist5k", "RWS", 200, "rbm-200-mnist-likeliest"),
        PretrainedInfo(
            "nvil-200-mnist", "SBN-200, by NVIL", "mnist5k", "NVIL", 200, "rbm-200-mnist-likeliest"
        ),
        PretrainedInfo(
            "meanfield-200-mnist",
            "SBN-200, by mean field",
            "mnist5k",
            "Mean-field SBN",
            200,
            "rbm-200-mnist-likeliest",
        ),
        PretrainedInfo("rbm-200-mnist-likeliest", "RBM-200", "mnist5k", "RBM", 200, "lrbn-200-mnist-flat"),
        PretrainedInfo(
            "lrbn-200-200-ocr",
            "LRBN-200-200, OCR letters",
            "ocr_letters",
            "LRBN",
            400,
            "rbm-200-ocr-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-200-ocr-likeliest",
            "LRBN-200-200, likeliest, OCR letters",
            "ocr_letters",
            "LRBN",
            400,
            "rbm-200-ocr-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-ocr-flat", "LRBN-200, OCR letters", "ocr_letters", "LRBN", 200, "rbm-200-ocr-likeliest"
        ),
        PretrainedInfo(
            "lrbn-200-ocr-strokes",
            "LRBN-200, strokes of OCR letters",
            "ocr_letters",
            "LRBN",
            200,
            "rbm-200-ocr-likeliest",
        ),
        PretrainedInfo("rbm-200-ocr-likeliest", "RBM-200, OCR letters", "ocr_letters", "RBM", 200),
        PretrainedInfo(
            "lrbn-200-200-caltech",
            "LRBN-200-200, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-200-caltech-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-200-caltech-likeliest",
            "LRBN-200-200, likeliest, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-200-caltech-likeliest",
            2,
        ),
        PretrainedInfo(
            "lrbn-400-caltech-flat",
            "LRBN-400, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-200-caltech-likeliest",
        ),
        PretrainedInfo(
            "dbn-200-200-caltech",
            "DBN-200-200, Caltech silhouettes",
            "caltech101_silhouettes",
            "DBN",
            200,
            "rbm-200-caltech-likeliest",
        ),
        PretrainedInfo(
            "rbm-200-caltech-likeliest", "RBM-200, Caltech silhouettes", "caltech101_silhouettes", "RBM", 200
        ),
        PretrainedInfo("lrbn-12-digits", "LRBN-12, 8x8 digits", "digits", "LRBN", 12, "rbm-12-digits"),
        PretrainedInfo(
            "lrbn-12-digits-recognition",
            "LRBN-12, 8x8 digits, with a recognition network",
            "digits",
            "NVIL",
            12,
            "lrbn-12-digits",
        ),
        PretrainedInfo("lrbn-16-digits", "LRBN-16, 8x8 digits", "digits", "LRBN", 16, "rbm-16-digits"),
        PretrainedInfo(
            "lrbn-16-digits-strokes", "LRBN-16, strokes of 8x8 digits", "digits", "LRBN", 16, "rbm-16-digits"
        ),
        PretrainedInfo("rbm-12-digits", "RBM-12, 8x8 digits", "digits", "RBM", 12, "lrbn-12-digits"),
        PretrainedInfo("rbm-16-digits", "RBM-16, 8x8 digits", "digits", "RBM", 16, "lrbn-16-digits"),
        PretrainedInfo(
            "lrbn-40-digits-grey",
            "LRBN-40, grey 8x8 digits",
            "digits",
            "LRBN",
            40,
            "rbm-40-digits-grey",
            binary=False,
        ),
        PretrainedInfo(
            "rbm-40-digits-grey",
            "RBM-40, grey 8x8 digits",
            "digits",
            "RBM",
            40,
            "lrbn-40-digits-grey",
            binary=False,
        ),
        # the alarm and the report of an earthquake, which explains it
        PretrainedInfo("lrbn-2-alarm", "Two causes, one alarm", "alarm", "LRBN", 2, image=12),
        # fever and headache, which bronchitis and migraine explain, and flu less
        PretrainedInfo(
            "lrbn-6-findings", "Six illnesses and their findings", "findings", "LRBN", 6, image=24
        ),
        # three columns that cross a row
        PretrainedInfo("lrbn-16-bars", "16 planted bars", "bars", "LRBN", 16, image=15),
    )
}
"""Trained models in the package."""


# Names by class, so that an editor completes them and knows the class; a test compares them to PRETRAINED.
LRBNName = Literal[
    "lrbn-200-mnist-flat",
    "lrbn-200-mnist-learned",
    "lrbn-200-mnist-strokes",
    "lrbn-200-ocr-flat",
    "lrbn-200-ocr-strokes",
    "lrbn-400-caltech-flat",
    "lrbn-12-digits",
    "lrbn-16-digits",
    "lrbn-16-digits-strokes",
    "lrbn-40-digits-grey",
    "lrbn-2-alarm",
    "lrbn-6-findings",
    "lrbn-16-bars",
    "lrbn-200-200-mnist",
    "lrbn-200-200-mnist-likeliest",
    "lrbn-200-200-ocr",
    "lrbn-200-200-ocr-likeliest",
    "lrbn-200-200-caltech",
    "lrbn-200-200-caltech-likeliest",
]
DBNName = Literal[
    "dbn-200-200-mnist",
    "dbn-200-200-caltech",
]
DBMName = Literal["dbm-200-200-mnist",]
RWSName = Literal["rws-200-mnist",]
NVILName = Literal[
    "nvil-200-mnist",
    "lrbn-12-digits-recognition",
]
MeanFieldSBNName = Literal["meanfield-200-mnist",]
RBMName = Literal[
    "rbm-200-mnist-likeliest",
    "rbm-200-ocr-likeliest",
    "rbm-200-caltech-likeliest",
    "rbm-12-digits",
    "rbm-16-digits",
    "rbm-40-digits-grey",
]


@overload
def pretrained(name: LRBNName) -> LRBN: ...
@overload
def pretrained(name: DBNName) -> DBN: ...
@overload
def pretrained(name: DBMName) -> DBM: ...
@overload
def pretrained(name: RWSName) -> RWS: ...
@overload
def pretrained(name: NVILName) -> NVIL: ...
@overload
def pretrained(name: MeanFieldSBNName) -> MeanFieldSBN: ...
@overload
def pretrained(name: RBMName) -> RBM: ...
@overload
def pretrained(name: str) -> Any: ...
def pretrained(name: str) -> Any:
    """Return a trained model that comes with the package; the same object each time.

    Parameters
    ----------
    name : str
        One of ``lrbn_viz.catalog.PRETRAINED``.

    Raises
    ------
    ValueError
        When there is no such model.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> model.n_visible_, model.n_latents_
    (64, 16)
    """
    if name not in PRETRAINED:
        raise ValueError(f"no pretrained model is called {name!r}; expected one of {', '.join(PRETRAINED)}.")
    return _shipped(name)


@lru_cache(maxsize=len(PRETRAINED))
def _shipped(name: str) -> Any:
    with as_file(files("lrbn_viz") / "weights" / f"{name}.npz") as path:
        return load_model(path)


@lru_cache(maxsize=2)
def _stored(name: str) -> dict[str, Any]:
    path = files("lrbn_viz") / "weights" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))


def measured(name: str) -> dict[str, Any]:
    """Return the figures of a trained model of the package, from ``tools/weights/measure.py``.

    Nats of test images and the bounds they lie between, wrong pixels by the usual inference and by annealing
    over some numbers of sweeps, CPU seconds of training, dependence of the latents under the posterior. Empty
    where a model was not measured, as those of grey images.
    """
    return _stored("measured")["models"].get(name, {})


def annealed_sweeps() -> int:
    """Return the sweeps of annealing whose wrong pixels are quoted: one number for all models.

    It is the largest at which each model that can be annealed was measured on all test images.
    """
    known = _stored("measured")["models"].values()
    whole = [
        {
            int(n)
            for n, point in found["annealed"].items()
            if point["images"] == found["wrong pixels"]["images"]
        }
        for found in known
        if "annealed" in found
    ]
    return max(set.intersection(*whole))


def annealed_of(figures: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the wrong pixels of a model after the quoted number of sweeps; None where it has none.

    Parameters
    ----------
    figures : mapping
        Those of a model, as `measured` returns them.
    """
    return figures.get("annealed", {}).get(str(annealed_sweeps()))


def annealed_points(figures: Mapping[str, Any]) -> dict[int, tuple[float, float]]:
    """Return wrong pixels per test image and their standard error by the number of sweeps of annealing.

    Points whose standard error is not known are left out. `figures` are those of `annealed_of`.
    """
    points = {int(n): point for n, point in figures.get("annealed", {}).items()}
    return {
        n: (point["wrong pixels"], point["standard error"])
        for n, point in sorted(points.items())
        if point["standard error"] is not None
    }


def measured_starts(name: str) -> dict[str, Any]:
    """Return the mean result of ICM from each start of a trained model (``tools/weights/starts.py``).

    ``"starts"`` has the mean log P(x, h) at the end, ``"errors"``, and the mean gain over the first start;
    ``"annealed"`` the same of annealing, with its sweeps, ``"chosen"`` the start that the model is opened
    with. Empty where a model has no choice of starts.
    """
    return _stored("starts").get(name, {})


def usual_start(name: str) -> str:
    """Return the start with which a trained model opens; empty if it has no choice of starts."""
    return measured_starts(name).get("chosen", "")


def starts_in_words(name: str) -> str:
    """Return the mean result of each start of a trained model as a sentence for pages, or an empty text."""
    found = measured_starts(name)
    if not found:
        return ""
    titles = PRETRAINED[name].kind.model.starts
    means = {titles[start]: each["log_joint"] for start, each in found["starts"].items()}
    said = ", ".join(f"{nats:.1f} from {title}" for title, nats in means.items())
    return (
        f"Mean log P(x, h) at the end of ICM on {found['images']} training images, in nats: {said}. "
        f"Annealing over {found['annealed']['sweeps']} sweeps ends at {found['annealed']['log_joint']:.1f}."
    ).replace("-", "\u2212")


def factorised(model: Model) -> RBM:
    """Return the RBM that has the W, b and d of a model: the same weights, factorised.

    Given x each latent decides alone, by the prior and the evidence: what the others already explain does not
    count. Beside the model itself this shows what explaining away does, and nothing else. The RBM was not
    trained: its log joint is an RBM's, up to a constant log Z, and not comparable to the model's.

    Parameters
    ----------
    model : Model
        One that `has_rbm_parameters`: an LRBN of one layer.

    Raises
    ------
    NotOffered
        The model has no such weights, or is an RBM already.

    Examples
    --------
    >>> import lrbn_viz
    >>> model = lrbn_viz.pretrained("lrbn-16-bars")
    >>> other = lrbn_viz.factorised(model)
    >>> type(other).__name__, bool((other.layers[0].W == model.layers[0].W).all())
    ('RBM', True)
    """
    if not model.has_rbm_parameters:
        model.refuse("factorised reading of its weights", "that takes W, b and d of a single directed layer")
    return RBM.from_params(*model.layers[0], visible=model.visible).named_as(model)
