"""What users are offered, by name: models to train, data sets, and trained models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

from lrbn_viz.datasets import DATASETS
from lrbn_viz.estimators import LRBN, RBM, DeepLRBN, load_model

__all__ = ["DATASETS", "PRETRAINED", "SYSTEMS", "PretrainedInfo", "pretrained"]

SYSTEMS: dict[str, type[LRBN] | type[RBM]] = {"LRBN": LRBN, "RBM": RBM}
"""Models that can be trained."""


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
        Latent units, of all layers.
    rival : str or None
        Name of the model of the other kind on the same data, to compare with.
    n_layers : int
        Layers of latents; a model of several is a :class:`~lrbn_viz.DeepLRBN`.
    """

    name: str
    title: str
    dataset: str
    system: str
    n_h: int
    rival: str | None = None
    n_layers: int = 1


PRETRAINED: dict[str, PretrainedInfo] = {
    info.name: info
    for info in (
        PretrainedInfo(
            "lrbn-200-mnist-flat", "LRBN-200, flat prior", "mnist5k", "LRBN", 200, "rbm-200-mnist"
        ),
        PretrainedInfo(
            "lrbn-200-mnist-learned", "LRBN-200, learned prior", "mnist5k", "LRBN", 200, "rbm-200-mnist"
        ),
        PretrainedInfo(
            "lrbn-200-200-mnist", "LRBN-200-200, two layers", "mnist5k", "LRBN", 400, "rbm-200-mnist", 2
        ),
        PretrainedInfo(
            "lrbn-200-200-mnist-likeliest",
            "LRBN-200-200, likeliest",
            "mnist5k",
            "LRBN",
            400,
            "rbm-200-mnist",
            2,
        ),
        PretrainedInfo("rbm-200-mnist", "RBM-200", "mnist5k", "RBM", 200, "lrbn-200-mnist-flat"),
        PretrainedInfo(
            "lrbn-200-200-ocr", "LRBN-200-200, OCR letters", "ocr_letters", "LRBN", 400, "rbm-200-ocr", 2
        ),
        PretrainedInfo(
            "lrbn-200-ocr-flat", "LRBN-200, OCR letters", "ocr_letters", "LRBN", 200, "rbm-200-ocr"
        ),
        PretrainedInfo("rbm-200-ocr", "RBM-200, OCR letters", "ocr_letters", "RBM", 200),
        PretrainedInfo(
            "lrbn-200-200-caltech",
            "LRBN-200-200, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-200-caltech",
            2,
        ),
        PretrainedInfo(
            "lrbn-200-200-caltech-likeliest",
            "LRBN-200-200, likeliest, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-200-caltech",
            2,
        ),
        PretrainedInfo(
            "lrbn-400-caltech-flat",
            "LRBN-400, Caltech silhouettes",
            "caltech101_silhouettes",
            "LRBN",
            400,
            "rbm-400-caltech",
        ),
        PretrainedInfo(
            "rbm-200-caltech", "RBM-200, Caltech silhouettes", "caltech101_silhouettes", "RBM", 200
        ),
        PretrainedInfo(
            "rbm-400-caltech", "RBM-400, Caltech silhouettes", "caltech101_silhouettes", "RBM", 400
        ),
        PretrainedInfo("lrbn-12-digits", "LRBN-12, 8x8 digits", "digits", "LRBN", 12, "rbm-12-digits"),
        PretrainedInfo("lrbn-16-digits", "LRBN-16, 8x8 digits", "digits", "LRBN", 16, "rbm-16-digits"),
        PretrainedInfo("rbm-12-digits", "RBM-12, 8x8 digits", "digits", "RBM", 12, "lrbn-12-digits"),
        PretrainedInfo("rbm-16-digits", "RBM-16, 8x8 digits", "digits", "RBM", 16, "lrbn-16-digits"),
    )
}
"""Trained models in the package."""


@lru_cache(maxsize=len(PRETRAINED))
def pretrained(name: str) -> LRBN | RBM | DeepLRBN:
    """Return a trained model that comes with the package; the same object each time.

    Raises
    ------
    ValueError
        When there is no such model.
    """
    if name not in PRETRAINED:
        raise ValueError(f"no pretrained model is called {name!r}; expected one of {', '.join(PRETRAINED)}.")
    with as_file(files("lrbn_viz") / "weights" / f"{name}.npz") as path:
        return load_model(path)
