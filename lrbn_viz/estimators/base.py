"""Common base of LRBN and RBM as scikit-learn estimators: training, files, and checks of public methods."""

from __future__ import annotations

import inspect
import json
import os
import re
from abc import abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import chain
from typing import Any, ClassVar, Self, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.metadata_routing import UNUSED
from sklearn.utils.validation import check_is_fitted, validate_data

from lrbn_viz.chunks import BLOCK_ROWS, Pool, Streamed
from lrbn_viz.core.fields import Several, check_fields, declare, each_layer, fields_of
from lrbn_viz.core.model import Imputed, LayerParams, Model, named_layers
from lrbn_viz.core.names import check_names, names_as_text, names_of_columns, take_columns, with_names
from lrbn_viz.core.system import System
from lrbn_viz.core.trace import FitStep
from lrbn_viz.core.validation import (
    check_choice,
    check_image,
    check_images,
    check_integer,
    check_latent_batch,
    generator,
    unknown_in,
)
from lrbn_viz.estimators.parameters import alone_or_all, lowest_layer
from lrbn_viz.io.storage import write_npz
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.inference import kind_of
from lrbn_viz.lrbn.kernel_params import KernelParams, prepare_params
from lrbn_viz.training import Training, check_unplanned
from lrbn_viz.training.checkpoint import with_checkpoints
from lrbn_viz.training.fitting import Run, SingleRun
from lrbn_viz.training.progress import with_bar
from lrbn_viz.training.settings import BATCH_SIZE, BINARIZE, N_ITER, RANDOM_STATE, VALIDATION_SIZE

VISIBLE = get_args(model.Visible)
PROBABILITIES, STATES = "probabilities", "states"
"""Methods of :meth:`LatentModel.transform` of every model, beside its own kinds of inference."""


class KernelParamsCache:
    """Kernel parameters of a layer, computed on first use and omitted from copies and files."""

    def __init__(self, params: LayerParams, visible: Any) -> None:
        self._params, self._visible = params, visible
        self._made: dict[type, KernelParams] = {}

    def get(self, dtype: type = np.float64) -> KernelParams:
        """Return it in the given precision."""
        if dtype not in self._made:
            self._made[dtype] = prepare_params(self._params, self._visible, dtype)
        return self._made[dtype]

    def __getstate__(self):
        return {"_params": self._params, "_visible": self._visible, "_made": {}}


class NeedsStepCount(AttributeError, ValueError):
    """Error for a method that is not available with settings that need the number of steps in advance.

    An AttributeError, so that ``hasattr`` says it beforehand; a ValueError, as of a setting that cannot be.
    """


def _dtype_of(X: Any) -> np.dtype:
    """Return the type of the numbers of an array, a sparse matrix, a table or nested lists."""
    return X.dtype if hasattr(X, "dtype") else np.asarray(X).dtype


def column_names(X: Any) -> NDArray[np.object_] | None:
    """Return the names of the columns of a table (n_v,), by scikit-learn's rules; None where it has none.

    Raises
    ------
    TypeError
        Some of the names are text and others are not.
    """
    if isinstance(X, np.ndarray):
        return None
    reader = BaseEstimator()  # validate_data writes what it finds to an estimator; the model stays as it is
    validate_data(reader, X, skip_check_array=True, ensure_2d=False)
    return getattr(reader, "feature_names_in_", None)


_FITTED = """
history_ : list of FitStep
    Every step of training since it began, or was resumed; empty where the parameters were given.
n_iter_ : int
    Passes over the images, of all stages together; 0 where the parameters were given.
n_features_in_ : int
    Pixels of an image.
feature_names_in_ : (n_v,) object
    Names of the columns that :meth:`fit` saw; only where all were text.
provenance_ : dict
    How the model was trained; only of one that was read from a file.
latent_names_, visible_names_ : tuple of str
    Names of the units, as given to :meth:`name_units`; of visible units else those of the columns that
    :meth:`fit` saw; else empty."""
_SECTION = re.compile(r"\n\n(?=[^\n]+\n-{3,}\n)")
_ATTRIBUTES = "Attributes\n----------"


def _document_fitted(cls: type) -> None:
    """Add the attributes of fitted models to a class's docstring: `params_` as it or a base says."""
    if "__doc__" not in vars(cls) or cls.__doc__ is None:
        return
    head, *sections = _SECTION.split(inspect.cleandoc(cls.__doc__))
    own = [section for section in sections if section.startswith(_ATTRIBUTES)]
    said = own[0].removeprefix(_ATTRIBUTES).rstrip() if own else ""
    if "params_ :" not in said:
        bases = (base.__doc__ or "" for base in cls.__mro__[1:] if issubclass(base, LatentModel))
        found = (re.search(r"^params_ :.*\n(?: +.*\n)+", text, re.MULTILINE) for text in bases)
        said = next((f"\n{each[0].rstrip()}" for each in found if each), "") + said
    sections = [_ATTRIBUTES + said + _FITTED, *(each for each in sections if each not in own)]
    cls.__doc__ = "\n\n".join([head, *sections]) + "\n"


@dataclass(eq=False, repr=False, kw_only=True)
class LatentModel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator, Model):
    """Base of every model as a scikit-learn estimator: training, files, and checked images."""

    # Latents are what these work on: nothing that a pipeline could pass on beside the images.
    __metadata_request__inverse_transform: ClassVar = {"H": UNUSED}
    __metadata_request__split: ClassVar = {"H": UNUSED}

    binarize: float | None = declare(BINARIZE)
    batch_size: int = declare(BATCH_SIZE, 20)
    n_iter: int = declare(N_ITER, 10)
    validation_size: int = declare(VALIDATION_SIZE, 100)
    random_state: Any = declare(RANDOM_STATE)
    patience = cast("int | None", None)
    """No early stopping, unless a kind declares it as a setting."""

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        _document_fitted(cls)
        if "map_trace" in vars(cls):
            cls.map_trace = with_names(cls.map_trace)

    def fit(self, X: ArrayLike, y: Any = None, **how: Any):
        """Train; options as :meth:`fit_steps`."""
        for _ in self.fit_steps(X, y, **how):
            pass
        return self

    def check_settings(self) -> None:
        """Raise TypeError or ValueError, in words, for a setting that cannot be."""
        check_fields(self)
        if self.binarize is not None and self.visible != "bernoulli":
            raise ValueError(
                f'binarize must be None with visible="{self.visible}", which takes real numbers; got '
                f'{self.binarize!r}. Leave it out, or use visible="bernoulli".'
            )
        self._check_together()

    def _check_together(self) -> None:
        """Raise ValueError, in words, for settings that contradict each other."""
        self.make_system()

    def _shared_with(self, system: Any) -> dict[str, Any]:
        """Return the settings that the dataclass of a system has too, by name."""
        settings, names = self.get_params(), (each.name for each in fields(system))
        return {name: settings[name] for name in names if name in settings}

    def check_images(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return images as the fitted model sees them: checked and binarized; shape (n, n_v).

        NaN stands for a value that is not known, in models with `takes_unknown`.

        Raises
        ------
        NotFittedError
            The model has no parameters yet.
        TypeError, ValueError
            `X` is no batch of such images, or a table whose columns are not those of :meth:`fit`, in their
            order.
        """
        check_is_fitted(self)
        self._check_columns(X)
        n_v, name = self.n_features_in_, type(self).__name__
        return check_images(X, self.visible, n_v, name, self.binarize, self.takes_unknown)

    def _to_learn(self, X: ArrayLike, n_v: int | None = None) -> NDArray[np.float64]:
        """Return checked and binarized images to learn from, of `n_v` pixels if given; (n, n_v)."""
        return check_images(X, self.visible, n_v, type(self).__name__, self.binarize, self.learns_unknown)

    def _whole(self, images: NDArray, what: str) -> NDArray:
        """Return checked images; raise ValueError, in words, if not all of them is known."""
        if unknown_in(images) is not None:
            raise ValueError(
                f"X contains NaN, values that are not known; {what} of this {type(self).__name__} expects "
                "whole images. Fill them in with impute, or use an LRBN."
            )
        return images

    def check_image(self, x: ArrayLike) -> NDArray[np.float64]:
        """Return one flattened image as :meth:`check_images` returns a batch; shape (n_v,)."""
        check_is_fitted(self)
        row: Any = x
        if hasattr(row, "to_frame") and hasattr(row, "index"):  # of a table of pandas, with the names
            self._check_columns(row.to_frame().T)
        return check_image(x, self.visible, self.n_features_in_, self.binarize, self.takes_unknown)

    def _check_columns(self, X: Any) -> None:
        """Raise ValueError, in scikit-learn's words, for a table with other columns than :meth:`fit` saw.

        The package passes images that it has checked on as arrays. These have no names, and no warning says
        so.
        """
        if column_names(X) is not None:
            validate_data(self, X, reset=False, skip_check_array=True, ensure_2d=False)

    def _set_columns(self, n_v: int, names: NDArray[np.object_] | None) -> None:
        """Take over the number of the columns that were fitted, and their names if they have any."""
        self.n_features_in_ = n_v
        take_columns(self, names)

    @property
    def _n_features_out(self) -> int:
        return self.n_latents_

    def transform(self, X: ArrayLike, *, method: str | None = None, **options: Any) -> NDArray:
        """Return the inferred latents of each image, all layers beside each other; (n, n_latents_).

        Parameters
        ----------
        X : (n, n_v) array, table or sparse matrix
        method : str, optional
            "probabilities": ``P(h_j = 1 | x)``. Exact for an RBM, and for an LRBN, of any number of layers,
            with up to 16 latents; for a larger LRBN, and for a DBM, the means of mean field; for models
            with a recognition network, also a DBN, the means of their usual inference. "states": the
            likelier state of each latent by the usual inference. Or one of the model's own ``methods``.
            None: the first of these, or "probabilities" where there are none, as for an RBM.
        **options
            Of "probabilities", where mean field finds them, ``n_sweeps``; else as :meth:`infer` takes them.

        Returns
        -------
        (n, n_latents_) array
            States are uint8. Probabilities are float32 where `X` is, else float64.
        """
        if self.takes_unknown and not self.learns_unknown:  # as a step of a pipeline, fitted on such images
            self._whole(self.check_images(X), "transform, as fit,")
        chosen = next(iter(self.methods), PROBABILITIES) if method is None else method
        check_choice(chosen, "method", tuple(dict.fromkeys([*self.methods, PROBABILITIES, STATES])))
        if chosen == PROBABILITIES:
            found = np.hstack(self._probabilities(X, **options))
        elif chosen == STATES:
            found = (np.hstack(self.infer(X, **options)) > 0.5).astype(np.uint8)
        else:
            found = np.hstack(self.infer(X, method=chosen, **options))
        single = found.dtype.kind == "f" and _dtype_of(X) == np.float32
        return found.astype(np.float32) if single else found

    def _probabilities(self, X: ArrayLike, **options: Any) -> tuple[NDArray, ...]:
        """Return P(h_j = 1 | x) of each layer's latents, (n, n_h) each: the means that inference gives.

        Overridden where inference gives states.
        """
        return self.infer(X, **options)

    def inverse_transform(self, H: ArrayLike) -> NDArray[np.float64]:
        """Return the mean of x given latent states, or their probabilities; of the lowest layer, (n, n_v).

        Parameters
        ----------
        H : (n, n_latents_)
            Units of all layers, the lowest first.

        Returns
        -------
        (n, n_v) float64
            A table with the names of :meth:`fit` if `H` is a table of pandas and `set_output` asks for such.
        """
        low, states = self.layers[0], check_latent_batch(H, self.n_latents_)
        return self._as_table(self.units.mean(model.activation(low, states[:, : low.n_h])), H)

    def save(
        self,
        path: str | os.PathLike,
        *,
        dtype: type = np.float64,
        provenance: Mapping[str, Any] | None = None,
    ):
        """Write settings and parameters to a ``.npz`` file, atomically.

        Parameters
        ----------
        path : path
        dtype : float64, float32 or float16
            Precision in which the parameters are stored.
        provenance : mapping, optional
            How the model was trained; readable as ``provenance_`` once loaded.
        """
        check_is_fitted(self)
        if np.dtype(dtype).kind != "f":
            raise ValueError(f"dtype must be float64, float32 or float16; got {np.dtype(dtype)}.")
        write_npz(path, self.head_of_file(provenance) | self._named() | self._arrays(dtype))

    def head_of_file(self, provenance: Mapping[str, Any] | None = None) -> dict[str, str]:
        """Return the kind, the settings and the provenance, as a file of :meth:`save` holds them."""
        provenance = dict(provenance) if provenance is not None else getattr(self, "provenance_", {})
        settings = {name: value for name, value in self.get_params().items() if name != "random_state"}
        settings["n_components"] = alone_or_all(settings["n_components"])
        return {
            "kind": type(self).__name__,
            "settings": json.dumps(settings, default=np.generic.item),
            "provenance": json.dumps(provenance),
        }

    def _named(self) -> dict[str, str]:
        """Return the names of units and columns for a file: empty if there are none."""
        found = names_as_text(self.latent_names_, self.visible_names_)
        if hasattr(self, "feature_names_in_"):
            found["columns"] = json.dumps(list(self.feature_names_in_))
        return found

    def name_units(self, latents: Sequence[str] = (), visibles: Sequence[str] = ()):
        """Name the units of a fitted model; the names are stored in its file.

        Parameters
        ----------
        latents, visibles : sequence of str
            A name for each unit, or none at all; visible units without any are called what the columns of
            the table were that the model was fitted to.

        Raises
        ------
        ValueError
            There are more names than units, or fewer; a name is no text of 1 to 60 printable characters, or
            two units have the same name.
        """
        self.latent_names_ = check_names(latents, self.n_latents_, "latent")
        given = check_names(visibles, self.n_visible_)
        self.visible_names_ = given or names_of_columns(getattr(self, "feature_names_in_", ()))
        return self

    def named_as(self, other: Any):
        """Take over the names that another model of the same sizes has for its units and its table's columns.

        Parameters
        ----------
        other : LatentModel
        """
        self._set_columns(self.n_features_in_, getattr(other, "feature_names_in_", None))
        return self.name_units(other.latent_names_, other.visible_names_)

    def __sklearn_is_fitted__(self) -> bool:
        return self.is_fitted

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        states = next(iter(self.methods), "") == "icm"
        tags.transformer_tags.preserves_dtype = [] if states else ["float64", "float32"]
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.learns_unknown
        tags.non_deterministic = False
        return tags

    # -- for subclasses
    # ----------------------------------------------------------------------------------------------

    @abstractmethod
    def make_system(self) -> System[Any]:
        """Return the training system, with the current settings."""

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of the arrays that a file of a model with such settings holds beside W, b and d.

        By name. One with None in it has as many dimensions, and `from_params` checks the rest.
        """
        return {}

    def state_from(self, params: Any, rng: np.random.Generator) -> Any:
        """Return a training state that begins at given parameters; the parameters themselves if there is no
        more.
        """
        return params

    @abstractmethod
    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return one figure per image in nats, higher is better.

        Normalised, so that it compares models of one kind, whatever their sizes and settings: each kind says
        what its figure is.
        """

    @classmethod
    def _params_of(cls, state: Any) -> Any:
        """Return the parameters of a state of training: its W, b and d."""
        return LayerParams(*(np.asarray(getattr(state, name), np.float64) for name in LayerParams._fields))

    # -- training
    # ----------------------------------------------------------------------------------------------------

    def fit_steps(
        self,
        X: ArrayLike,
        y: Any = None,
        *,
        checkpoint: str | os.PathLike | None = None,
        checkpoint_seconds: float = 30.0,
        verbose: bool = False,
        pool: Pool | None = None,
    ) -> Generator[FitStep, None, None]:
        """Train step by step: a generator of :class:`~lrbn_viz.core.trace.FitStep`.

        After each step ``params_`` holds the current parameters. Stop by not asking for more.

        Parameters
        ----------
        X : (n, n_v) array or table, or Streamed
            Images, one flattened image per row; names of a table's columns are kept. NaN is not known, in
            models with `learns_unknown`. Those of a
            :class:`~lrbn_viz.chunks.Streamed` are read piece by piece, for training in whole passes; its
            first ones are held out for validation.
        y : (n,) array, optional
            Class of each image, of a model that learns classes; others do not use it.
        checkpoint : path, optional
            Written every `checkpoint_seconds`; if it is there, the run goes on from it, bit for bit as if it
            had never been left (``history_`` then begins there). Removed once training is done. Needs a
            whole number as `random_state`.
        verbose : bool
            Show a bar on standard error: how far training is, and how long the rest takes.
        pool : Pool, optional
            Where whole passes run, such as a :class:`lrbn_viz.cluster.Cluster`; this process when None. The
            result is the same.

        Raises
        ------
        PoolLost
            The cluster is lost. A `checkpoint` holds the last complete pass.
        ValueError
            `X`, `y` or a setting cannot be; or `checkpoint` is damaged, or of a run with others.
        FileNotFoundError
            There is no folder for `checkpoint`.
        """
        self.check_settings()
        if checkpoint is not None:
            check_integer(self.random_state, "random_state", 0)
        rng, names = generator(self.random_state), column_names(X)
        run = self._begin(X, y, rng, pool)
        self.history_ = []
        shown = with_bar(run, verbose)
        for step in with_checkpoints(shown, checkpoint, checkpoint_seconds, run.save, run.resume):
            event = run.numbered(step)
            self.adopt(run.state)
            self._set_columns(self.n_features_in_, names)  # not before: until then the model is as it was
            self.history_.append(event)
            self.n_iter_ = run.n_passes
            yield event
        self.adopt(run.state)
        self._set_columns(self.n_features_in_, names)
        self._rng = rng
        self.n_iter_ = run.n_passes

    def _begin(self, X: ArrayLike, y: Any, rng: np.random.Generator, pool: Pool | None) -> Run:
        """Return the run that trains the model, before its first step."""
        system = self.make_system()
        if pool is not None:
            system = system.with_pool(pool)
        images, validation, seen = self._split(X, system, rng)
        steps = Training(
            system,
            images,
            n_iter=self.n_iter,
            batch_size=self.batch_size,
            rng=rng,
            validation=validation,
            patience=None if validation is None else self._early_stop,
        )
        return SingleRun(steps, {"kind": type(self).__name__, **self.get_params()}, seen)

    @property
    def _early_stop(self) -> int | None:
        """Passes without a better score after which training ends; None: it does not end early."""
        return self.patience

    def _split(
        self, X: ArrayLike, system: System[Any], rng: np.random.Generator
    ) -> tuple[Any, NDArray | None, NDArray]:
        """Return the images to learn from, those held out, and those by which a data set is known."""
        if isinstance(X, Streamed):
            if not system.full_batch:
                raise ValueError(
                    f"streamed images require full-batch training, but {type(self).__name__} "
                    'learns from minibatches. Use LRBN(schedule="batch"), or give an array.'
                )
            checked = partial(
                check_images, visible=self.visible, binarize=self.binarize, unknown=self.learns_unknown
            )
            X = replace(X, check=checked)
            n = min(self.validation_size, len(X) // 10)
            known = X.part(0, max(n, BLOCK_ROWS)).read()
            return X.part(n, len(X)), known[:n] if n else None, known
        X = self._to_learn(X)
        n = min(self.validation_size, len(X) // 10)
        order = rng.permutation(len(X)) if n else np.arange(len(X))
        whole = self.visible == "bernoulli" and unknown_in(X) is None
        X = np.ascontiguousarray(X[order], np.uint8) if whole else X[order]
        return X[n:], X[:n] if n else None, X

    @property
    def partial_fit(self) -> Callable[..., Self]:
        """Method ``partial_fit(X, y=None)``: train on one pass over further images, and return the model.

        Training continues from the current parameters. Settings that depend on how many passes there will be
        are for :meth:`fit`; with these there is no such method, and ``hasattr`` says so. Models that learn in
        stages, each for a share of the passes, never have it.

        Raises
        ------
        NeedsStepCount
            A setting, or the kind of model, needs the number of passes in advance.
        """
        try:
            self.check_settings()
        except (TypeError, ValueError):
            return self._partial_fit  # the call says which setting cannot be
        try:
            check_unplanned(self.make_system(), "partial_fit")
        except ValueError as error:
            raise NeedsStepCount(*error.args) from None
        return self._partial_fit

    def _partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Train on one pass over further images, from the current parameters on, and return the model.

        Parameters
        ----------
        X : (n, n_v) array or table
            Images, one flattened image per row.
        y : object
            Not used.
        """
        self.check_settings()
        fitted = hasattr(self, "params_")
        n_v = self.n_features_in_ if fitted else None
        names = column_names(X)
        if fitted:
            self._check_columns(X)
        X = self._to_learn(X, n_v)
        if not hasattr(self, "_rng"):
            self._rng = generator(self.random_state)
        if not fitted:
            self._set_columns(X.shape[1], names)
            self.history_ = []
        state = getattr(self, "_state", None)
        if state is None and fitted:
            state = self.state_from(self.params_, self._rng)
        steps = Training(
            self.make_system(), X, n_iter=1, batch_size=self.batch_size, rng=self._rng, state=state
        )
        for state, event in steps:
            self.adopt(state)
            self.history_.append(event)
        self.n_iter_ = getattr(self, "n_iter_", 0) + 1
        return self

    def adopt(self, state: Any) -> None:
        """Take over the parameters of a state of training."""
        self._state = state
        self._set_params(self._params_of(state))

    def _set_params(self, params: Any) -> None:
        self.params_, layers = params, self._layers_in(params)
        self.n_features_in_ = layers[0].n_v
        self._kernel_params = [
            KernelParamsCache(layer, kind_of(n, self.visible)) for n, layer in enumerate(layers)
        ]

    @classmethod
    def _layers_in(cls, params: Any) -> tuple[LayerParams, ...]:
        """Return the layers by which such parameters generate images, the lowest first."""
        return (params,) if isinstance(params, LayerParams) else params

    @property
    def layers(self) -> tuple[LayerParams, ...]:
        """W, b and d of each layer, the lowest first; the units below an upper one are the latents below."""
        check_is_fitted(self, "params_")
        return self._layers_in(self.params_)

    def _prepared(self, dtype: type = np.float64) -> list[KernelParams]:
        """Return the kernel parameters of each layer, computed once."""
        check_is_fitted(self, "params_")
        return [cache.get(dtype) for cache in self._kernel_params]

    @classmethod
    def from_params(
        cls,
        W: ArrayLike,
        b: ArrayLike,
        d: ArrayLike,
        visible: model.Visible = "bernoulli",
        **more: Any,
    ):
        """Return a model with given parameters, of as many layers as they have.

        Parameters
        ----------
        W : (n_v, n_h) array
        b : (n_v,) array
        d : (n_h,) array
            Prior log-odds of the latents, or their biases; with a layer above offsets, to which it adds.
        visible : {"bernoulli", "gaussian"}
        **more
            The other arrays of such a model, by name, and any other setting of the class. Of an upper layer
            U, (n_h, n_top), its weights, and e, (n_top,), the prior log-odds or biases of its latents; of a
            third one W3 and d3, and so on. Of a recognition network, whose log-odds are ``V'x + c``, V, (n_v,
            n_h), and c, (n_h,); of a second layer's V2 and c2, and so on. Of learned variances of Gaussian
            visibles z, (n_v,), their logarithms; with ``variance="learned"`` and no z all variances are 1.
            Of weights that are means `variance`, (n_v, n_h), their variances, above 0, of a second layer
            `variance2`, and so on, and `n_images`, the number of images from which they were learned:
            training that goes on weighs the prior by it.

        Raises
        ------
        TypeError
            An array is missing, or there is no such setting.
        ValueError
            Shapes do not fit each other, or a value cannot be.
        """
        return cls._made_of(cls._completed(lowest_layer(W, b, d), more), visible, more)

    @classmethod
    def _completed(cls, low: LayerParams, given: dict[str, Any]) -> Any:
        """Return the parameters with a checked lowest layer; their other arrays are taken out of `given`."""
        return low

    @classmethod
    def _sizes_of(cls, params: Any) -> dict[str, Any]:
        """Return the settings that say how many latents such parameters have, by name."""
        return {"n_components": alone_or_all([layer.n_h for layer in cls._layers_in(params)])}

    @classmethod
    def _each_layer(cls, n_components: Any) -> tuple[Any, ...]:
        """Return the latents of each layer, the lowest first, that a value of the setting means."""
        field = fields_of(cls)["n_components"]
        return field.each(n_components) if isinstance(field, Several) else each_layer(n_components)

    def sizes_of(self, params: Any) -> list[int]:
        """Return the visible units of such parameters, and the latents of each layer, the lowest first."""
        sizes = [each_layer(n) for n in self._sizes_of(params).values()]
        return [self._layers_in(params)[0].n_v, *chain(*sizes)]

    @classmethod
    def _made_of(
        cls,
        params: Any,
        visible: model.Visible,
        settings: dict[str, Any],
        sizes: Mapping[str, Any] | None = None,
    ):
        """Return a model with parameters that are checked, as :meth:`from_params` does.

        `sizes` are the settings that say how many latents it has; those of the parameters when None.
        """
        check_choice(visible, "visible", VISIBLE)
        for name, n in (sizes or cls._sizes_of(params)).items():
            if cls._each_layer(settings.get(name, n)) != each_layer(n):
                many = isinstance(n, tuple)
                has = (
                    f"layers of {n} latents are given" if many else f"W has {n} columns, one per latent unit"
                )
                raise ValueError(f"{name} is {settings[name]} but {has}; leave {name} out.")
            settings[name] = n
        own: Any = {"visible": visible, **settings}
        made = cls(**own)
        made.check_settings()
        made._set_params(params)
        made.history_ = []
        made.n_iter_ = 0
        return made

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other parameters of its layers, the lowest first.

        Arrays beside those of its layers are kept.
        """
        if len(layers) != len(self.layers):
            raise ValueError(f"expected parameters of {len(self.layers)} layers, got {len(layers)}.")
        given: dict[str, Any] = self._by_name() | named_layers(layers)
        return self.from_params(**given, visible=self.visible).named_as(self)

    # -- what every model answers
    # ------------------------------------------------------------------------------------

    def most_probable(self, H: ArrayLike) -> NDArray:
        """Return ``argmax_x P(x | h)``: uint8 images for Bernoulli units, means for Gaussian ones.

        If `H` holds latents of several layers beside each other, the lowest layer decides.
        """
        low = self.layers[0]
        return self.units.most_probable(model.activation(low, np.asarray(H)[..., : low.n_h]))

    def reconstruct(self, X: ArrayLike, **options: Any) -> NDArray:
        """Return ``argmax_x P(x | h*)`` for each image; `options` are passed to :meth:`infer`.

        uint8 images for Bernoulli units, means for Gaussian ones; shape (n, n_v).
        """
        return self.most_probable(np.hstack(self.infer(X, **options)))

    def impute(
        self, X: ArrayLike, *, values: Imputed = "most probable", **options: Any
    ) -> NDArray[np.float64]:
        """Return images in which what is not known is filled in, given the latents inferred from the rest.

        Parameters
        ----------
        X : (n, n_v) array or table
            NaN is not known.
        values : {"most probable", "mean"}
            ``argmax P(x_i | h*)`` of each unknown value, or its mean, a probability for Bernoulli units.
        **options
            Passed to :meth:`infer`, of a DBN to `posterior`.

        Returns
        -------
        (n, n_v) float64
            A table like `X` if `X` is a table of pandas and `set_output` asks for such.
        """
        check_choice(values, "values", get_args(Imputed))
        images, H = self.check_images(X), self._to_impute(X, **options)
        found = self.most_probable(H) if values == "most probable" else self.inverse_transform(H)
        return self._as_table(np.where(np.isnan(images), found, images), X)

    def _to_impute(self, X: ArrayLike, **options: Any) -> NDArray:
        """Return the latents from which :meth:`impute` fills in, all layers beside each other."""
        return np.hstack(self.infer(X, **options))

    def _shown(self, images: NDArray) -> NDArray:
        """Return checked images as traces hold them: uint8 if they are binary and known as a whole."""
        whole = self.visible == "bernoulli" and unknown_in(images) is None
        return images.astype(np.uint8) if whole else images

    def _as_table(self, images: NDArray, like: Any) -> Any:
        """Return images as a table of pandas with the rows of `like`, where `set_output` asks for tables.

        `like` is such a table, and the model was fitted on one, by whose columns they are named.
        """
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        wanted = (own or get_config()["transform_output"]) == "pandas"
        if not (wanted and hasattr(like, "iloc") and hasattr(self, "feature_names_in_")):
            return images
        return type(like)(images, index=like.index, columns=self.feature_names_in_)

    def sample(self, n_samples: int = 1, random_state: Any = None) -> NDArray:
        """Draw images as the system does that trains it, a chain's in as many sweeps; (n_samples, n_v)."""
        check_is_fitted(self, "params_")
        rng = generator(random_state)
        n = check_integer(n_samples, "n_samples", 1)
        return self.make_system().sample(self.state_from(self.params_, rng), n, rng)

    def score(self, X: ArrayLike, y: Any = None) -> float:
        """Return the mean of :meth:`score_samples`, nats per image; higher is better.

        :meth:`score_samples` defines the figure, and says with which others it can be compared.
        """
        return float(self.score_samples(X).mean())

    def _by_name(self) -> dict[str, NDArray]:
        """Return all arrays of the parameters, as files and :meth:`from_params` name them."""
        return named_layers(self.layers)

    def _arrays(self, dtype: type) -> dict[str, NDArray]:
        return {name: np.asarray(value, dtype) for name, value in self._by_name().items()}

    @property
    def is_fitted(self) -> bool:
        """True if the model has parameters."""
        return hasattr(self, "params_")
