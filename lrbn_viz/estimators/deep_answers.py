"""What a deep model answers once it has parameters: inference, reconstruction, samples, classes, its file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.estimators.base import OperandCache
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.deep import (
    Layers,
    infer_deep,
    kind_of,
    log_joint_deep,
    prior_from_above,
    sample_deep,
)
from lrbn_viz.lrbn.deep_trace import apart, trace_deep
from lrbn_viz.lrbn.operands import Operands
from lrbn_viz.lrbn.stepping import cooling, schedule
from lrbn_viz.trace import ICMTrace, save_arrays
from lrbn_viz.validation import (
    check_choice,
    check_clamp,
    check_image,
    check_images,
    check_integer,
    check_latent_batch,
    check_latents,
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
        check_integer(n_sweeps, "n_sweeps", 1)
        rng = generator(random_state)
        start: Any = self.init
        if method == "annealed":
            # as with one layer, single precision is enough on the way
            fast = self._prepared(np.float32)
            warm = cooling(n_sweeps)
            start = infer_deep(layers, self.visible, fast, images, start, warm, 0, rng, top=top).H
        how = (start, np.zeros(0), self.max_sweeps, rng)
        return infer_deep(layers, self.visible, self._prepared(), images, *how, top=top).H

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
        self,
        x: ArrayLike,
        *,
        init: model.Start | ArrayLike | None = None,
        order: Literal["sequential", "random"] = "sequential",
        temperature: float | Sequence[float] = 0.0,
        max_sweeps: int | None = None,
        clamp: Mapping[int, int] | None = None,
        random_state: Any = None,
    ) -> ICMTrace:
        """Record the joint inference of one image: sweeps over all layers, from the lowest up.

        Units are numbered through all layers, the lowest first.

        Parameters
        ----------
        x : (n_v,) array
            One flattened image.
        init : {"conditional", "paper", "zeros", "random"} or (n_latents_,) array, optional
            The start, of all layers; the model's own when None.
        order : {"sequential", "random"}
            Of the units of a layer within a sweep.
        temperature : float or sequence of float
            0 is ICM, 1 Gibbs sampling. A sequence gives one sweep at each temperature, and then ICM.
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM).
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        """
        layers = self._layers()
        x = check_image(x, self.visible, layers[0].n_v)
        shown = x.astype(np.uint8) if self.visible == "bernoulli" else x
        check_choice(order, "order", ("sequential", "random"))
        sweeps = check_integer(self.max_sweeps if max_sweeps is None else max_sweeps, "max_sweeps", 0)
        temperatures = schedule(temperature, sweeps)
        held = check_clamp(clamp, self.n_latents_)
        chosen = self.init if init is None else init
        start: Any = chosen
        if isinstance(chosen, str):
            check_choice(chosen, "init", get_args(model.Start))
        else:
            start = check_latents(chosen, (self.n_latents_,), "init")
        rng = generator(random_state)
        return trace_deep(
            layers, self.visible, self._prepared(), shown, start, order, temperatures, held, rng
        )

    def _prepared(self, dtype: type = np.float64) -> list[Operands]:
        """What the kernels need of each layer, made once."""
        layers = self._layers()
        if getattr(self, "_operands_of", None) is not layers:
            self._operands = [
                OperandCache(params, kind_of(n, self.visible)) for n, params in enumerate(layers)
            ]
            self._operands_of = layers
        return [cache.get(dtype) for cache in self._operands]

    # -- for lrbn_viz.explanation

    def _interactions(self, h: NDArray) -> NDArray[np.float64]:
        layers = self._layers()
        first = np.cumsum([0, *(params.n_h for params in layers)])
        found = np.zeros((len(h), len(h)))
        for n, (params, operands, part) in enumerate(
            zip(layers, self._prepared(), apart(layers, h), strict=True)
        ):
            here = slice(first[n], first[n + 1])
            found[here, here] = exact.interactions(params, kind_of(n, self.visible), operands, part)
            if n:
                # Between two layers the second difference of the joint is the weight itself, in any state.
                below = slice(first[n - 1], first[n])
                found[below, here], found[here, below] = params.W, params.W.T
        return found

    def _log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> exact.LogOddsTerms:
        layers, n = self._layers(), 0
        parts = apart(layers, h)
        while j >= layers[n].n_h:
            j, n = j - layers[n].n_h, n + 1
        prior = prior_from_above(layers, [part[None] for part in parts], n)
        params = layers[n] if prior is None else layers[n]._replace(d=prior[0])
        below = x if n == 0 else parts[n - 1].astype(np.float64)
        return exact.decompose(params, kind_of(n, self.visible), below, parts[n], j)

    @property
    def n_latents_(self) -> int:
        """Latent units of all layers together."""
        return sum(params.n_h for params in self._layers())

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
