"""Accuracy of a linear classifier on a model's codes, compared with that on the pixels."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.model import ANNEALED_SWEEPS, Model, Progress
from lrbn_viz.core.validation import Interval, check_choice, check_integer, check_number, dense

CHUNK = 500
"""Images that are encoded between two reports of progress."""


@dataclass(frozen=True)
class RepresentationQuality:
    """Accuracy of a linear classifier on test images.

    Attributes
    ----------
    accuracy : float
        Accuracy from the codes, 0 to 1.
    pixel_accuracy : float or None
        Accuracy from the pixels, by the same classifier; None if it was not requested.
    standard_error : float
        Standard error of `accuracy`, from the number of test images.
    converged : bool
        True if the classifiers reached their optimum within `max_iter`.
    settings : dict
        Layer, inference, classifier and numbers of images, as used.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, digits = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits")
    >>> of = digits.train_X[:300], digits.train_y[:300], digits.test_X, digits.test_y
    >>> found = lrbn_viz.measure.representation_quality(model, *of, pixels=False)
    >>> found.pixel_accuracy is None, found.converged, 0 < found.accuracy < 1
    (True, True, True)
    """

    accuracy: float
    pixel_accuracy: float | None
    standard_error: float
    converged: bool
    settings: dict[str, Any] = field(default_factory=dict)


def representation_quality(
    model: Model,
    X: ArrayLike,
    y: ArrayLike,
    X_test: ArrayLike,
    y_test: ArrayLike,
    *,
    layer: int | None = None,
    method: str | None = None,
    n_sweeps: int = ANNEALED_SWEEPS,
    C: float = 1.0,
    max_iter: int = 300,
    pixels: bool = True,
    random_state: int = 0,
    progress: Progress | None = None,
) -> RepresentationQuality:
    """Train a linear classifier on codes of images, and return its accuracy on those of other images.

    Parameters
    ----------
    model : Model
    X, X_test : (n, n_v), (n_test, n_v) arrays
        Images to learn the classifier from, and to judge it by.
    y, y_test : (n,), (n_test,) arrays
        Their classes.
    layer : int, optional
        Latents that make up the code, 1 for the lowest; those of all layers beside each other when None.
    method : str, optional
        How the latents are inferred, one of the model's ``methods``; the usual one when None. Where there are
        none, as for an RBM, inference is exact either way.
    n_sweeps : int
        Sweeps of annealing.
    C : float
        Inverse strength of the classifier's L2 penalty.
    max_iter : int
        Bound on the classifier's steps.
    pixels : bool
        True if the pixels are classified as well, for comparison.
    random_state : int
        Seed of the inference.
    progress : callable, optional
        Called with the share that is done.

    Returns
    -------
    RepresentationQuality

    Raises
    ------
    TypeError, ValueError
        Images do not fit the model, classes are not one per image or fewer than two, or a setting is out of
        range.

    Examples
    --------
    >>> import lrbn_viz
    >>> model, digits = lrbn_viz.pretrained("lrbn-12-digits"), lrbn_viz.load_dataset("digits")
    >>> found = lrbn_viz.measure.representation_quality(
    ...     model, digits.train_X[:300], digits.train_y[:300], digits.test_X, digits.test_y
    ... )
    >>> found.accuracy < found.pixel_accuracy  # twelve latents say less of a digit than its 64 pixels
    True
    """
    train, test = model.check_images(X), model.check_images(X_test)
    labels, test_labels = _classes(y, train, "y"), _classes(y_test, test, "y_test")
    if len(np.unique(labels)) < 2:
        raise ValueError(f"y must hold at least two classes to tell apart; got only {labels[0]!r}.")
    if method is None or not model.methods:
        method = next(iter(model.methods), "exact")
    else:
        check_choice(method, "method", tuple(model.methods))
    check_integer(n_sweeps, "n_sweeps", 1)
    check_integer(max_iter, "max_iter", 1)
    check_integer(random_state, "random_state", 0)
    check_number(C, "C", Interval(0, closed="neither"))
    if layer is not None:
        check_integer(layer, "layer", 1, len(model.layer_sizes_))
    total, done = len(train) + len(test), 0

    how = {"method": method, "n_sweeps": n_sweeps, "random_state": random_state} if model.methods else {}

    def encode(given: Any) -> NDArray:
        nonlocal done
        images = np.asarray(given)
        codes = []
        for first in range(0, len(images), CHUNK):
            H = model.infer(images[first : first + CHUNK], **how)
            codes.append(np.hstack(H) if layer is None else H[layer - 1])
            done += len(codes[-1])
            if progress is not None:
                progress(0.6 * done / total)
        return np.concatenate(codes)

    accuracy, converged = linear_accuracy(
        encode(dense(X)), labels, encode(dense(X_test)), test_labels, C=C, max_iter=max_iter
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
        "n_sweeps": n_sweeps if method in ("annealed", "gibbs") else 0,
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
    """Return the accuracy of logistic regression on test rows, and whether it converged.

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
