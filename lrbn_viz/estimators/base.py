"""What LRBN and RBM share as scikit-learn estimators: training, files, and the checks at the edge."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.checkpoint import check_same_run, fingerprint, kept_on_disk, load_checkpoint, save_checkpoint
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.lrbn.operands import Operands, prepare
from lrbn_viz.system import System
from lrbn_viz.trace import FitStep, save_arrays
from lrbn_viz.training import Training, check_unplanned
from lrbn_viz.validation import (
    check_choice,
    check_images,
    check_integer,
    check_latent_batch,
    check_numbers,
    check_positive,
    generator,
)

VISIBLE = get_args(model.Visible)


class OperandCache:
    """A model's kernel operands, made when first needed and left out of copies and files."""

    def __init__(self, params: LRBNParams, visible: Any) -> None:
        self._params, self._visible = params, visible
        self._made: dict[type, Operands] = {}

    def get(self, dtype: type = np.float64) -> Operands:
        """Return the operands in the given precision."""
        if dtype not in self._made:
            self._made[dtype] = prepare(self._params, self._visible, dtype)
        return self._made[dtype]

    def __getstate__(self):
        return {"_params": self._params, "_visible": self._visible, "_made": {}}


class LatentModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, ABC):
    """What LRBN and RBM have in common: training, files, and the checks at the edge."""

    n_components: int
    visible: Any
    learning_rate: float
    provenance_: dict[str, Any]
    batch_size: int
    n_iter: int
    validation_size: int
    patience: int | None
    random_state: Any

    # -- for subclasses
    # ----------------------------------------------------------------------------------------------

    @abstractmethod
    def _system(self) -> System:
        """Return what trains, with the current settings."""

    @abstractmethod
    def _resume(self, params: LRBNParams, rng: np.random.Generator) -> Any:
        """Return a state of training that begins at given parameters."""

    @abstractmethod
    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return one figure per image in nats, higher is better."""

    @staticmethod
    @abstractmethod
    def _params_of(state: Any) -> LRBNParams:
        """Return the parameters of a state of training."""

    # -- training
    # ----------------------------------------------------------------------------------------------------

    def _check_settings(self) -> None:
        check_integer(self.n_components, "n_components", 1)
        check_choice(self.visible, "visible", VISIBLE)
        check_positive(self.learning_rate, "learning_rate")
        check_integer(self.batch_size, "batch_size", 1)
        check_integer(self.n_iter, "n_iter", 1)
        check_integer(self.validation_size, "validation_size", 0)
        if self.patience is not None:
            check_integer(self.patience, "patience", 1)

    def fit_steps(
        self,
        X: ArrayLike,
        *,
        checkpoint: str | os.PathLike | None = None,
        checkpoint_seconds: float = 30.0,
    ) -> Iterator[FitStep]:
        """Train step by step: a generator of :class:`~lrbn_viz.trace.FitStep`.

        After each step ``params_`` holds the current parameters. Stop by not asking for more.

        Parameters
        ----------
        X : (n, n_v) array
            Images, one flattened image per row.
        checkpoint : path, optional
            Written every `checkpoint_seconds`; if it is there, the run goes on from it, bit for bit as if it
            had never been left (``history_`` then begins there). Removed once training is done. Needs a
            whole number as `random_state`.

        Raises
        ------
        ValueError
            `X` or a setting cannot be; or `checkpoint` is damaged, or of a run with others.
        FileNotFoundError
            There is no folder for `checkpoint`.
        """
        self._check_settings()
        if checkpoint is not None:
            check_integer(self.random_state, "random_state", 0)
        X = check_images(X, self.visible)
        rng = generator(self.random_state)
        n_validation = min(self.validation_size, len(X) // 10)
        order = rng.permutation(len(X)) if n_validation else np.arange(len(X))
        X = np.ascontiguousarray(X[order], np.uint8) if self.visible == "bernoulli" else X[order]
        self.n_features_in_ = X.shape[1]
        self.history_: list[FitStep] = []
        steps = Training(
            self._system(),
            X[n_validation:],
            n_iter=self.n_iter,
            batch_size=self.batch_size,
            rng=rng,
            validation=X[:n_validation] if n_validation else None,
            patience=self.patience if n_validation else None,
        )
        told: dict[str, Any] = {"kind": type(self).__name__, **self.get_params()}
        if checkpoint is not None:
            told["images"] = fingerprint(X)

        def save(path: str | os.PathLike) -> None:
            save_checkpoint(path, {"run": steps}, {"settings": told})

        def resume(path: str | os.PathLike) -> None:
            found = load_checkpoint(path)
            check_same_run(path, told, found.config.get("settings", {}))
            steps.restore(found.snapshot("run", steps.state))

        for state, event in kept_on_disk(steps, checkpoint, checkpoint_seconds, save, resume):
            self._adopt(state)
            self.history_.append(event)
            yield event
        self._adopt(steps.state)
        self._rng = rng
        self.n_iter_ = steps.epoch

    def fit(self, X: ArrayLike, y: Any = None, **how: Any):
        """Train on images from scratch; `y` is ignored, `how` as in :meth:`fit_steps`."""
        for _ in self.fit_steps(X, **how):
            pass
        return self

    def partial_fit(self, X: ArrayLike, y: Any = None):
        """Train on one pass over further images, going on from the current parameters.

        Settings that depend on how many passes there will be are for :meth:`fit`.
        """
        self._check_settings()
        fitted = hasattr(self, "params_")
        X = check_images(X, self.visible, self.n_features_in_ if fitted else None, type(self).__name__)
        if not hasattr(self, "_rng"):
            self._rng = generator(self.random_state)
        if not fitted:
            self.n_features_in_ = X.shape[1]
            self.history_ = []
        state = getattr(self, "_state", None)
        if state is None and fitted:
            state = self._resume(self.params_, self._rng)
        check_unplanned(self._system(), "partial_fit")
        steps = Training(self._system(), X, n_iter=1, batch_size=self.batch_size, rng=self._rng, state=state)
        for state, event in steps:
            self._adopt(state)
            self.history_.append(event)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        return self

    def _adopt(self, state: Any) -> None:
        self._state = state
        self._set_params(self._params_of(state))

    def _set_params(self, params: LRBNParams) -> None:
        self.params_ = params
        self.n_features_in_ = params.n_v
        self._operands = OperandCache(params, self.visible)

    @property
    def n_latents_(self) -> int:
        """Latent units."""
        return self.params_.n_h

    @classmethod
    def from_params(
        cls, W: ArrayLike, b: ArrayLike, d: ArrayLike, visible: model.Visible = "bernoulli", **settings
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
        b : (n_v,) array
        d : (n_h,) array
        visible : {"bernoulli", "gaussian"}
        **settings
            Any other setting of the class.
        """
        arrays = (check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d")))
        params = model.make_params(*arrays)
        check_choice(visible, "visible", VISIBLE)
        if settings.setdefault("n_components", params.n_h) != params.n_h:
            raise ValueError(
                f"n_components is {settings['n_components']} but W has {params.n_h} columns, one per latent "
                "unit; leave n_components out."
            )
        own: Any = {"visible": visible, **settings}
        made = cls(**own)
        made._check_settings()
        made._set_params(params)
        made.history_ = []
        made.n_iter_ = 0
        return made

    # -- what every model answers
    # ------------------------------------------------------------------------------------

    @property
    def _n_features_out(self) -> int:
        return self.params_.n_h

    def _images(self, X: ArrayLike) -> NDArray[np.float64]:
        check_is_fitted(self, "params_")
        return check_images(X, self.visible, self.params_.n_v, type(self).__name__)

    def inverse_transform(self, H: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of x given each row of latent states; shape (n, n_v)."""
        check_is_fitted(self, "params_")
        return model.visible_mean(self.params_, self.visible, check_latent_batch(H, self.params_.n_h))

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean of ``score_samples``, nats per image; higher is better."""
        return float(self.score_samples(X).mean())

    def save(
        self,
        path: str | os.PathLike,
        *,
        dtype: type = np.float64,
        provenance: Mapping[str, Any] | None = None,
    ):
        """Write settings and parameters to a ``.npz`` file, whole or not at all.

        Parameters
        ----------
        path : path
        dtype : float64, float32 or float16
            Precision in which the parameters are stored.
        provenance : mapping, optional
            How the model was trained; readable as ``provenance_`` once loaded.
        """
        check_is_fitted(self, "params_")
        if np.dtype(dtype).kind != "f":
            raise ValueError(f"dtype must be float64, float32 or float16; got {np.dtype(dtype)}.")
        story = dict(provenance) if provenance is not None else getattr(self, "provenance_", {})
        settings = {k: v for k, v in self.get_params().items() if k != "random_state"}
        save_arrays(
            path,
            {"kind": type(self).__name__, "settings": json.dumps(settings), "provenance": json.dumps(story)}
            | {name: np.asarray(value, dtype) for name, value in self.params_._asdict().items()},
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "params_")

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        tags.non_deterministic = False
        return tags
