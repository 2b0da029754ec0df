"""Methods of directed models of several layers: inference as in a DeepLRBN, however the model was learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.chunks import ROWS, Pool, map_images
from lrbn_viz.core.model import ANNEALED_SWEEPS, PassInput, TraceMethod, draw_binary
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_integer, generator
from lrbn_viz.estimators.base import ImageModel, KernelParamsCache
from lrbn_viz.estimators.layered import METHODS, TRACE_METHODS, Layered
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import model
from lrbn_viz.lrbn.deep.inference import Layers, infer_deep, kind_of, log_joint_deep
from lrbn_viz.lrbn.deep.trace import trace_deep
from lrbn_viz.lrbn.kernel_params import KernelParams
from lrbn_viz.lrbn.traced import cooling

Method = Literal["icm", "annealed"]


class SeveralLayers(Layered, ImageModel):
    """A directed model whose every layer generates the one below it by a regression; it may have several."""

    several_layers: ClassVar[bool] = True
    draws_passes: ClassVar[bool] = True
    methods: ClassVar[Mapping[str, str]] = {name: METHODS[name] for name in get_args(Method)}
    pooled_methods: ClassVar[frozenset[str]] = frozenset(get_args(Method))
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {
        name: TRACE_METHODS[name] for name in ("icm", "icm-random", "gibbs", "annealed")
    }

    # -- parameters

    def _set_layers(self, layers: Layers) -> None:
        """Take over the parameters of each layer, the lowest first."""
        self._layers = layers
        self.n_features_in_ = layers[0].n_v
        self._kernel_params = [
            KernelParamsCache(params, kind_of(n, self.visible)) for n, params in enumerate(layers)
        ]

    @property
    def layers(self) -> Layers:
        """W, b and d of each layer, the lowest first; the units below an upper one are the latents below."""
        check_is_fitted(self, "_layers")
        return self._layers

    # -- inference, reconstruction, passes

    def infer(
        self,
        X: ArrayLike,
        *,
        method: Method = "icm",
        n_sweeps: int = ANNEALED_SWEEPS,
        top: NDArray[np.uint8] | None = None,
        random_state: Any = 0,
        pool: Pool | None = None,
    ) -> tuple[NDArray, ...]:
        """Return the jointly inferred states of all layers, lowest first; (n, n_h) uint8 each.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"icm", "annealed"}
        n_sweeps : int
            Sweeps of annealing.
        top : (n, n_h) uint8, optional
            Observed states of the top layer.
        random_state : int, Generator or None
        pool : Pool, optional
            Where pieces of images are inferred, such as a :class:`lrbn_viz.cluster.Cluster`; this process
            when None. The states are the same.
        """
        images = self.check_images(X)
        check_choice(method, "method", get_args(Method))
        check_integer(n_sweeps, "n_sweeps", 1)
        rows = ROWS if top is None else len(images)
        how = (self, method, n_sweeps, top)
        parts = map_images(SeveralLayers._states, images, generator(random_state), *how, rows=rows, pool=pool)
        return tuple(np.concatenate(layer) for layer in zip(*parts, strict=True))

    @staticmethod
    def _states(
        images: NDArray,
        rng: np.random.Generator,
        self: SeveralLayers,
        method: Method,
        n_sweeps: int,
        top: NDArray[np.uint8] | None,
    ) -> tuple[NDArray[np.uint8], ...]:
        """Return the states of a piece of checked images, one array per layer."""
        layers = self.layers
        start: Any = self.init
        if method == "annealed":
            # as with one layer, single precision is enough on the way
            fast = self._prepared(np.float32)
            warm = cooling(n_sweeps)
            start = infer_deep(layers, self.visible, fast, images, start, warm, 0, rng, top=top).H
        how = (start, np.zeros(0), self.max_sweeps, rng)
        return infer_deep(layers, self.visible, self._prepared(), images, *how, top=top).H

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
        layers = self.layers
        check_integer(layer, "layer", 1, len(layers))
        H = self.infer(X, **how)[layer - 1]
        for below in range(layer - 1, 0, -1):
            H = model.most_probable_visible(layers[below], "bernoulli", H)
        return model.most_probable_visible(layers[0], self.visible, H)

    def joint(self, X: NDArray, H: tuple[NDArray, ...]) -> NDArray[np.float64]:
        """Return ``log P(x, h^1, ..., h^L)`` of each row, nats; `H` holds one array per layer."""
        return log_joint_deep(self.layers, self.visible, X, H)

    def draw_pass(self, given: PassInput) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return a draw from the prior, the top layer first: each layer generates the one below it."""
        numbers = self.split(given.uniforms)
        drawn: list[NDArray[np.uint8]] = []
        used: list[NDArray[np.float64]] = []
        a, begin = self.layers[-1].d, self.n_latents_
        for layer, u in zip(reversed(self.layers), reversed(numbers), strict=True):
            begin -= len(u)
            used.insert(0, sigmoid(a))
            drawn.insert(0, draw_binary(u, used[0], given.held, begin))
            a = layer.W @ drawn[0] + layer.b
        return np.hstack(drawn), np.hstack(used)

    def best_log_joint(self, a: NDArray, prior: NDArray) -> NDArray:
        """Return ``max_x log P(x, h)`` from the lowest ``a = W h + b`` and the latents' own ``log P(h)``."""
        if self.visible == "bernoulli":
            return -softplus(-np.abs(a)).sum(axis=-1) + prior
        return prior - 0.5 * self.n_visible_ * model.LOG_2PI

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
            Order of the units of a layer within a sweep.
        temperature : float or sequence of float
            0 is ICM, 1 Gibbs sampling. A sequence gives one sweep at each temperature, and then ICM.
        max_sweeps : int, optional
            Bound on the sweeps (after a sequence of temperatures: of ICM).
        clamp : mapping from unit to state, optional
            Latents that are held, such as ``{3: 1}``.
        random_state : int, Generator or None
            Seed of random starts, orders and temperatures.
        """
        how = (init, order, ("sequential", "random"), temperature, max_sweeps, clamp, random_state)
        return trace_deep(self.layers, self.visible, self._prepared(), *self._visits(x, *how))

    def _prepared(self, dtype: type = np.float64) -> list[KernelParams]:
        """Return the kernel parameters of each layer, computed once."""
        check_is_fitted(self, "_layers")
        return [cache.get(dtype) for cache in self._kernel_params]
