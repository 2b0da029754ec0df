"""What a deep model answers once it has parameters: inference, reconstruction, samples, classes, its file."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep import Layers, infer_deep, kind_of, log_joint_deep, sample_deep, trace_deep
from lrbn_viz.lrbn.operands import prepare
from lrbn_viz.lrbn.stepping import cooling
from lrbn_viz.trace import ICMTrace, save_arrays
from lrbn_viz.validation import (
    check_choice,
    check_image,
    check_images,
    check_integer,
    check_latent_batch,
    generator,
)

Method = Literal["icm", "annealed"]


class DeepAnswers(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Everything that needs no more than ``layers_`` (and ``classes_``)."""

    visible: Any
    init: Any
    max_sweeps: int
    layers_: Layers
    classes_: NDArray
    provenance_: dict[str, Any]

    def _layers(self) -> Layers:
        check_is_fitted(self, "layers_")
        return self.layers_

    def _images(self, X: ArrayLike) -> NDArray[np.float64]:
        return check_images(X, self.visible, self._layers()[0].n_v, type(self).__name__)

    def infer(
        self,
        X: ArrayLike,
        *,
        method: Method = "icm",
        n_sweeps: int = 200,
        top: NDArray[np.uint8] | None = None,
        random_state: Any = 0,
    ) -> tuple[NDArray[np.uint8], ...]:
        """Return the jointly inferred states of all layers, lowest first; (n, n_h) uint8 each.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"icm", "annealed"}
        n_sweeps : int
            Of annealing.
        top : (n, n_h) uint8, optional
            Observed states of the top layer.
        random_state : int, Generator or None
        """
        layers, images = self._layers(), self._images(X)
        check_choice(method, "method", get_args(Method))
        warm = cooling(check_integer(n_sweeps, "n_sweeps", 1)) if method == "annealed" else np.zeros(0)
        operands = [prepare(p, kind_of(layer, self.visible)) for layer, p in enumerate(layers)]
        rng = generator(random_state)
        how = (self.init, warm, self.max_sweeps, rng)
        return infer_deep(layers, self.visible, operands, images, *how, top=top).H

    def transform(self, X: ArrayLike, **how: Any) -> NDArray[np.uint8]:
        """Return the states of all layers beside each other, lowest first; `how` as in :meth:`infer`."""
        return np.hstack(self.infer(X, **how))

    @property
    def _n_features_out(self) -> int:
        return sum(params.n_h for params in self._layers())

    def inverse_transform(self, H: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of x given rows of states of all layers; only the lowest layer's count."""
        layers = self._layers()
        checked = check_latent_batch(H, self._n_features_out)
        return model.visible_mean(layers[0], self.visible, checked[:, : layers[0].n_h])

    def reconstruct(self, X: ArrayLike, *, layer: int = 1, **how: Any) -> NDArray:
        """Return ``argmax_x P(x | h*)``, from the jointly inferred states of a layer downwards.

        Parameters
        ----------
        layer : int
            1 decodes the lowest latents themselves; a higher layer is first decoded to the most probable
            states of the layers below it.
        **how
            As in :meth:`infer`.
        """
        layers = self._layers()
        check_integer(layer, "layer", 1, len(layers))
        H = self.infer(X, **how)[layer - 1]
        for below in range(layer - 1, 0, -1):
            H = model.most_probable_visible(layers[below], "bernoulli", H)
        return model.most_probable_visible(layers[0], self.visible, H)

    def log_joint(self, X: ArrayLike, H: Sequence[NDArray]) -> NDArray[np.float64]:
        """Return ``log P(x, h^1, ..., h^L)`` of each row, nats; `H` holds one array per layer."""
        return log_joint_deep(self._layers(), self.visible, self._images(X), H)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``max_h log P(x, h)`` as ICM finds it, nats: a bound below ``log P(x)``."""
        return self.log_joint(X, self.infer(X))

    def score(self, X: ArrayLike, y: ArrayLike | None = None) -> float:
        """Return the share of right classes if there are any and `y` is given, else the mean bound."""
        if y is not None and hasattr(self, "classes_"):
            return float((self.predict(X) == np.asarray(y)).mean())
        return float(self.score_samples(X).mean())

    def sample(self, n: int = 1, random_state: Any = None) -> NDArray:
        """Draw n images by ancestral sampling, layer by layer; shape (n, n_v)."""
        return sample_deep(self._layers(), self.visible, check_integer(n, "n", 1), generator(random_state))[0]

    def map_trace(
        self, x: ArrayLike, *, temperature: Sequence[float] = (), random_state: Any = None
    ) -> ICMTrace:
        """Record the joint inference of one image: a sweep over all layers at each temperature, then ICM.

        Units are numbered through all layers, the lowest first.
        """
        layers = self._layers()
        x = check_image(x, self.visible, layers[0].n_v)
        shown = x.astype(np.uint8) if self.visible == "bernoulli" else x
        warm = np.asarray(temperature, np.float64)
        return trace_deep(
            layers, self.visible, shown, self.init, warm, self.max_sweeps, generator(random_state)
        )

    def _class_scores(self, X: ArrayLike, **how: Any) -> NDArray[np.float64]:
        """``max_h log P(x, h, t)`` for each class t, (n, n_classes): every class is tried as the target."""
        check_is_fitted(self, "classes_")
        scores = np.empty((len(self._images(X)), len(self.classes_)))
        for c in range(len(self.classes_)):
            top = np.zeros(scores.shape, np.uint8)
            top[:, c] = 1
            scores[:, c] = self.log_joint(X, self.infer(X, top=top, **how))
        return scores

    def predict(self, X: ArrayLike, **how: Any) -> NDArray:
        """Return the class of the most probable joint state of each image; `how` as in :meth:`infer`."""
        best = self._class_scores(X, **how).argmax(axis=1)
        return self.classes_[best]

    def predict_proba(self, X: ArrayLike, **how: Any) -> NDArray[np.float64]:
        """Return probabilities of the classes, proportional to ``max_h P(x, h, t)``; (n, n_classes)."""
        scores = self._class_scores(X, **how)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    # -- files

    def save(
        self, path: str | os.PathLike, *, dtype: type = np.float64, provenance: dict[str, Any] | None = None
    ) -> None:
        """Write settings and parameters to a ``.npz`` file, whole or not at all; see ``LRBN.save``."""
        layers = self._layers()
        if np.dtype(dtype).kind != "f":
            raise ValueError(f"dtype must be float64, float32 or float16; got {np.dtype(dtype)}.")
        story = provenance if provenance is not None else getattr(self, "provenance_", {})
        settings = {k: v for k, v in self.get_params().items() if k not in ("random_state", "layer_sizes")}
        arrays = {
            f"{name}{layer}": np.asarray(array, dtype)
            for layer, params in enumerate(layers)
            for name, array in params._asdict().items()
        }
        if hasattr(self, "classes_"):
            arrays["classes"] = self.classes_
        told = {"kind": "DeepLRBN", "settings": json.dumps(settings), "provenance": json.dumps(story)}
        save_arrays(path, told | {"n_layers": np.array(len(layers))} | arrays)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "layers_")
