"""What a linear classifier can tell from a model's codes, beside what it can tell from the pixels."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.estimators import LRBN, RBM, DeepLRBN
from lrbn_viz.validation import check_choice, check_integer, check_positive

Inference = Literal["icm", "annealed"]
Progress = Callable[[float], None]

CHUNK = 500
"""Images that are encoded between two reports of progress."""


@dataclass(frozen=True)
class RepresentationQuality:
    """Shares of test images whose class a linear classifier names rightly.

    Attributes
    ----------
    accuracy : float
        From the codes, 0 to 1.
    pixel_accuracy : float or None
        From the pixels themselves, by the same classifier; None if it was not asked for.
    standard_error : float
        Of `accuracy`, from the number of test images.
    converged : bool
        Whether the classifiers reached their optimum within `max_iter`.
    settings : dict
        Layer, inference, classifier and numbers of images, as used.
    """

    accuracy: float
    pixel_accuracy: float | None
    standard_error: float
    converged: bool
    settings: dict[str, Any] = field(default_factory=dict)


def representation_quality(
    model: LRBN | RBM | DeepLRBN,
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    *,
    layer: int | None = None,
    method: Inference = "icm",
    n_sweeps: int = 200,
    C: float = 1.0,
    max_iter: int = 300,
    pixels: bool = True,
    random_state: int = 0,
    progress: Progress | None = None,
) -> RepresentationQuality:
    """Train a linear classifier on codes of images, and name its accuracy on those of others.

    Parameters
    ----------
    model : LRBN, DeepLRBN or RBM
    X, X_test : (n, n_v), (n_test, n_v) arrays
        Images to learn the classifier from, and to judge it by.
    y, y_test : (n,), (n_test,) arrays
        Their classes.
    layer : int, optional
        Latents that make up the code, 1 for the lowest; those of all layers beside each other when None.
    method : {"icm", "annealed"}
        How the latents are inferred; an RBM's are exact either way.
    n_sweeps : int
        Of annealing.
    C : float
        Inverse strength of the classifier's L2 penalty.
    max_iter : int
        Bound on the classifier's steps.
    pixels : bool
        Whether the pixels are classified as well, for comparison.
    random_state : int
        Seed of the inference.
    progress : callable, optional
        Told the share that is done.

    Returns
    -------
    RepresentationQuality

    Raises
    ------
    TypeError, ValueError
        Images do not fit the model, classes are not one per image or fewer than two, or a setting is out of
        range.
    """
    train, test = model._images(X), model._images(X_test)
    labels, test_labels = _classes(y, train, "y"), _classes(y_test, test, "y_test")
    if len(np.unique(labels)) < 2:
        raise ValueError(f"y must hold at least two classes to tell apart; got only {labels[0]!r}.")
    check_choice(method, "method", get_args(Inference))
    check_integer(n_sweeps, "n_sweeps", 1)
    check_integer(max_iter, "max_iter", 1)
    check_integer(random_state, "random_state", 0)
    check_positive(C, "C")
    if layer is not None:
        check_integer(layer, "layer", 1, len(model._layers()) if not isinstance(model, RBM) else 1)
    total, told = len(train) + len(test), 0

    def encode(images: NDArray) -> NDArray[np.uint8]:
        nonlocal told
        codes = []
        for first in range(0, len(images), CHUNK):
            codes.append(_codes(model, images[first : first + CHUNK], layer, method, n_sweeps, random_state))
            told += len(codes[-1])
            if progress is not None:
                progress(0.6 * told / total)
        return np.concatenate(codes)

    accuracy, converged = linear_accuracy(
        encode(train), labels, encode(test), test_labels, C=C, max_iter=max_iter
    )
    pixel_accuracy = None
    if pixels:
        if progress is not None:
            progress(0.8)
        pixel_accuracy, also = linear_accuracy(train, labels, test, test_labels, C=C, max_iter=max_iter)
        converged = converged and also
    if progress is not None:
        progress(1.0)
    settings = {
        "layer": "all" if layer is None else layer,
        "method": method,
        "n_sweeps": n_sweeps if method == "annealed" else 0,
        "C": float(C),
        "max_iter": max_iter,
        "n_train": len(train),
        "n_test": len(test),
    }
    error = float(np.sqrt(accuracy * (1.0 - accuracy) / len(test)))
    return RepresentationQuality(accuracy, pixel_accuracy, error, converged, settings)


def linear_accuracy(
    X: NDArray, y: NDArray, X_test: NDArray, y_test: NDArray, *, C: float = 1.0, max_iter: int = 300
) -> tuple[float, bool]:
    """Return the share of test rows whose class logistic regression names rightly, and if it converged.

    Parameters
    ----------
    X, X_test : (n, n_features), (n_test, n_features)
    y, y_test : (n,), (n_test,)
    C, max_iter
        As in :func:`representation_quality`.
    """
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    classifier = LogisticRegression(C=C, max_iter=max_iter)
    with warnings.catch_warnings():
        # Said by the second value that is returned.
        warnings.simplefilter("ignore", ConvergenceWarning)
        classifier.fit(X.astype(np.float64), y)
    converged = int(np.max(classifier.n_iter_)) < max_iter
    return float(np.mean(classifier.predict(X_test.astype(np.float64)) == y_test)), converged


def _codes(
    model: LRBN | RBM | DeepLRBN, X: NDArray, layer: int | None, method: Inference, n_sweeps: int, seed: int
) -> NDArray[np.uint8]:
    if isinstance(model, RBM):
        return model.transform(X)
    how: dict[str, Any] = {"method": method, "n_sweeps": n_sweeps, "random_state": seed}
    if isinstance(model, DeepLRBN) and layer is not None:
        return model.infer(X, **how)[layer - 1]
    return model.transform(X, **how)


def _classes(y: ArrayLike, X: NDArray, name: str) -> NDArray:
    """Return one class per image."""
    labels = np.asarray(y)
    if labels.shape != (len(X),):
        raise ValueError(
            f"{name} has shape {labels.shape}; expected ({len(X)},), the class of each image. "
            "Pass one label per row."
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError(
            f"{name} contains NaN or infinity; expected the class of each image. Drop such rows."
        )
    return labels
