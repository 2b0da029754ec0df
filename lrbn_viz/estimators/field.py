"""Sigmoid belief networks that learn from means of their latents as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lrbn_viz.core.fields import declare, fields_of
from lrbn_viz.core.model import LayerParams, TraceMethod
from lrbn_viz.core.validation import check_choice
from lrbn_viz.estimators.recognition import TRACES, Recognition, TraceKind
from lrbn_viz.lrbn.means.moments import Moments
from lrbn_viz.rivals.sbn.mean_field import EVALUATION_SWEEPS, FieldSystem
from lrbn_viz.rivals.sbn.optimiser import Optimiser
from lrbn_viz.rivals.sbn.system import SBNState

_FIELD = fields_of(FieldSystem)
MEAN_FIELD: Literal["mean-field"] = "mean-field"
BOUND_TITLE = f"bound on log P(x) of held-out images, {EVALUATION_SWEEPS} sweeps of mean field"
"""Title of a validation score, in words, without the name of its bound."""


@dataclass(eq=False, repr=False, kw_only=True)
class FieldNetwork(Recognition):
    """A sigmoid belief network that learns from means of its latents; a method names its system."""

    system: ClassVar[type[FieldSystem]]

    score_name: ClassVar[str] = "mean-field bound"
    score_title: ClassVar[str] = f"{BOUND_TITLE}, by Jaakkola's and Jordan's bound"
    usual_trace: ClassVar[TraceKind] = MEAN_FIELD
    methods: ClassVar[Mapping[str, str]] = {MEAN_FIELD: "mean field", **Recognition.methods}

    optimiser: Optimiser = declare(_FIELD["optimiser"])
    learning_rate: float = declare(_FIELD["learning_rate"])
    momentum: float = declare(_FIELD["momentum"])
    n_sweeps: int = declare(_FIELD["n_sweeps"])

    @property
    def trace_methods(self) -> Mapping[str, TraceMethod]:
        """Kinds of inference that `trace` records, the usual one first."""
        return {MEAN_FIELD: TRACES[MEAN_FIELD], **super().trace_methods}

    @property
    def mean_field_bound(self) -> str:
        """Bound by which traces of means are measured."""
        return "layers" if self.several_layers else "quadratic"

    def infer(self, X: ArrayLike, *, method: str = MEAN_FIELD, **options: Any) -> tuple[NDArray, ...]:
        """Return the latents inferred for each image, of each layer; (n, n_h) each.

        Parameters
        ----------
        X : (n, n_v) array
        method : {"mean-field", "recognition", "icm", "annealed", "gibbs"}
            "mean-field" gives the means after sweeps of mean field from the recognition network's prediction,
            "recognition" the prediction, float64 both. The others give states, uint8, as an LRBN's do.
        **options
            ``n_sweeps``, ``random_state`` and ``pool``, as LRBN takes them; "mean-field" takes ``n_sweeps``.
        """
        check_choice(method, "method", tuple(self.methods))
        if method == MEAN_FIELD:
            return self.split(self._means(X, int(options.get("n_sweeps", EVALUATION_SWEEPS)))[0])
        return super().infer(X, method=method, **options)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the bound on log P(x) after sweeps of mean field, nats; (n,).

        It compares networks of the same kind on the same images: how far the bound is below log P(x) depends
        on what bounds it.
        """
        return self._means(X, EVALUATION_SWEEPS)[1]

    def proposal(self, X: NDArray, n_sweeps: int, rng: np.random.Generator) -> tuple[NDArray, ...]:
        """Return the log-odds of the means of each layer, which no annealing improves."""
        q = self._means(X, EVALUATION_SWEEPS)[0]
        return self.split(np.log(q) - np.log1p(-q))

    def moments_of(self, layer: LayerParams, x: NDArray, q: NDArray) -> Moments:
        """Return the moments under means of the latents, with the bound of Jaakkola and Jordan."""
        return Moments(layer, x, q)

    def _means(self, X: ArrayLike, n_sweeps: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return means (n, n_latents_), which are never 0 or 1, and bounds (n,) of images."""
        images = self.check_images(X)
        Q, bounds = self.make_system().means(self._judged(), images, n_sweeps)
        return Q.astype(np.float64), bounds

    def _judged(self) -> SBNState:
        """Return a state of the networks alone, of which means are asked."""
        return self.make_system().resume(self.recognition_layers, np.random.default_rng(0))

    def make_system(self) -> FieldSystem:
        """Return the training system, with the current settings."""
        found: Any = super().make_system()
        return found
