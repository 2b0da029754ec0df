"""Sigmoid belief networks of two layers of latents with a recognition network: what all methods share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.core.fields import declare
from lrbn_viz.core.model import LayerParams, Model, TraceMethod
from lrbn_viz.core.trace import ICMTrace
from lrbn_viz.core.validation import check_choice, check_numbers
from lrbn_viz.estimators.layered import METHODS
from lrbn_viz.estimators.recognition import RECOGNITION, TRACES, WithRecognition
from lrbn_viz.estimators.several_layers import SeveralLayers
from lrbn_viz.kernels.numerics import sigmoid, softplus
from lrbn_viz.lrbn import model
from lrbn_viz.rivals.sbn.model import (
    DeepSBNParams,
    SBNParams,
    deep_recognition_trace,
    make_deep_params,
    make_params,
    recognition_log_odds,
)
from lrbn_viz.rivals.sbn.settings import TOP_UNITS
from lrbn_viz.rivals.sbn.system import SBNState


@dataclass(eq=False, repr=False)
class DeepRecognition(WithRecognition, SeveralLayers):
    """A sigmoid belief network of two layers with a recognition network; a method names its system.

    Attributes
    ----------
    params_ : DeepSBNParams
        W (n_v, n_h), b (n_v,), d (n_h,), U (n_h, n_top), e (n_top,) of the generative network; V (n_v, n_h),
        c (n_h,), V2 (n_h, n_top), c2 (n_top,) of the other.
    """

    methods: ClassVar[Mapping[str, str]] = {
        RECOGNITION: "recognition network",
        **{name: METHODS[name] for name in SeveralLayers.methods},
    }
    trace_methods: ClassVar[Mapping[str, TraceMethod]] = {**TRACES, **SeveralLayers.trace_methods}
    mean_field_bound: ClassVar[str] = "layers"

    n_components: int = declare(
        TOP_UNITS, 200, label="Latent units", help="How many binary causes the lower layer has (n_h)."
    )
    _: KW_ONLY
    n_top: int = declare(TOP_UNITS, 200)

    # -- parameters

    @classmethod
    def from_params(
        cls,
        W: ArrayLike,
        b: ArrayLike,
        d: ArrayLike,
        visible: model.Visible = "bernoulli",
        *,
        V: ArrayLike,
        c: ArrayLike,
        U: ArrayLike,
        e: ArrayLike,
        V2: ArrayLike,
        c2: ArrayLike,
        **settings: Any,
    ):
        """Return a model with given parameters.

        Parameters
        ----------
        W : (n_v, n_h) array
        b : (n_v,) array
        d : (n_h,) array
            Offsets of the lower latents, whose log-odds are ``U g + d``.
        visible : {"bernoulli"}
        V : (n_v, n_h) array
            Weights of the recognition network of the lower layer, whose log-odds are ``V'x + c``.
        c : (n_h,) array
        U : (n_h, n_top) array
            Weights of the upper layer.
        e : (n_top,) array
            Prior log-odds of the upper latents.
        V2 : (n_h, n_top) array
            Weights of the recognition network of the upper layer, whose log-odds are ``V2'h + c2``.
        c2 : (n_top,) array
        **settings
            Any other setting of the class.
        """
        arrays = (check_numbers(a, name) for a, name in ((W, "W"), (b, "b"), (d, "d")))
        lower = make_params(model.make_params(*arrays), check_numbers(V, "V"), check_numbers(c, "c"))
        given = ((U, "U"), (e, "e"), (V2, "V2"), (c2, "c2"))
        params = make_deep_params(lower, *(check_numbers(a, name) for a, name in given))
        return cls._made_of(params, visible, settings)

    @classmethod
    def more_shapes(
        cls, layer: LayerParams, settings: Mapping[str, Any]
    ) -> dict[str, tuple[int | None, ...]]:
        """Return the shapes of the arrays beside W, b and d; as many upper latents as the file has."""
        upper = {"U": (layer.n_h, None), "e": (None,), "V2": (layer.n_h, None), "c2": (None,)}
        return {"V": (layer.n_v, layer.n_h), "c": (layer.n_h,), **upper}

    def with_layers(self, layers: Sequence[LayerParams]) -> Model:
        """Return a model of this kind with other generative networks; the recognition networks are kept."""
        low, high = layers
        own = self.networks
        kept = {"V": own.V, "c": own.c, "V2": own.V2, "c2": own.c2}
        return self.from_params(low.W, low.b, high.b, self.visible, U=high.W, e=high.d, **kept).named_as(self)

    @staticmethod
    def _params_of(state: SBNState) -> DeepSBNParams:
        return DeepSBNParams(*(np.asarray(array, np.float64) for array in (*state[:5], *state.upper)))

    def _set_params(self, params: Any) -> None:
        self.params_ = params
        self._set_layers(params.layers)

    @property
    def networks(self) -> DeepSBNParams:
        """Parameters of all networks."""
        check_is_fitted(self, "params_")
        found: Any = self.params_
        return found

    # -- inference

    def guesses(self, X: NDArray) -> tuple[NDArray[np.float64], ...]:
        """Return the log-odds of q(h | x), and of q(g | h) at the means of h; (n, n_h) and (n, n_top)."""
        lower = recognition_log_odds(self.networks.lower, X)
        return lower, recognition_log_odds(self.networks.upper, sigmoid(lower))

    def infer(self, X: ArrayLike, *, method: str = RECOGNITION, **how: Any) -> tuple[NDArray, ...]:
        """Return the latents inferred for each image, of the lower and of the upper layer.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"recognition", "icm", "annealed"}
            "recognition" gives the means of q(h | x), and those of q(g | h) given these, float64. The others
            give states, uint8, as DeepLRBN's do.
        **how
            ``n_sweeps`` and ``random_state``, as DeepLRBN takes them.
        """
        check_choice(method, "method", tuple(self.methods))
        if method == RECOGNITION:
            return tuple(sigmoid(odds) for odds in self.guesses(self.check_images(X)))
        asked: Any = method
        return SeveralLayers.infer(self, X, method=asked, **how)

    @property
    def recognition_layers(self) -> tuple[SBNParams, ...]:
        """Parameters of both networks of the lower and of the upper layer."""
        return self.networks.lower, self.networks.upper

    def _states_trace(self, x: ArrayLike, **how: Any) -> ICMTrace:
        return SeveralLayers.map_trace(self, x, **how)

    def _means_trace(
        self, x: NDArray[np.uint8], start: NDArray, held: Mapping[int, int], n_sweeps: int
    ) -> ICMTrace:
        return deep_recognition_trace(self.networks, x, start, held, n_sweeps)

    # -- probabilities

    def draw_proposal(
        self, log_odds: Sequence[NDArray[np.float64]], rng: np.random.Generator
    ) -> tuple[tuple[NDArray[np.uint8], ...], NDArray[np.float64]]:
        """Draw from ``q(h | x) q(g | h)``, the upper latents given the lower ones that are drawn."""
        (lower,), log_q = super().draw_proposal(log_odds[:1], rng)
        upper = recognition_log_odds(self.networks.upper, lower.astype(np.float64))
        G = (rng.random(upper.shape) < sigmoid(upper)).astype(np.uint8)
        return (lower, G), log_q + (G * upper - softplus(upper)).sum(axis=1)
