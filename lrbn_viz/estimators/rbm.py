"""RBM as a scikit-learn estimator: a thin face over :class:`lrbn_viz.baselines.rbm.RBMSystem`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from lrbn_viz.baselines import rbm
from lrbn_viz.estimators.base import LatentModel
from lrbn_viz.lrbn import exact, model
from lrbn_viz.lrbn.model import LRBNParams
from lrbn_viz.trace import ICMTrace
from lrbn_viz.validation import (
    check_choice,
    check_image,
    check_integer,
    check_latents,
    check_positive,
    generator,
)


class RBM(LatentModel):
    """Restricted Boltzmann machine, learned by contrastive divergence: the rival whose latents do not explain
    away.

    Parameters
    ----------
    n_components : int
        Latent units, n_h.
    visible : {"bernoulli", "gaussian"}
    method : {"pcd", "cd"}
        Persistent chains, or chains started at the data.
    n_gibbs : int
        Gibbs steps per update.
    learning_rate : float
    decay_steps : float
        Minibatches after which the learning rate has halved.
    weight_decay : float
        L2 shrinkage of W.
    batch_size : int
        Images per minibatch.
    n_iter : int
        Passes over the images.
    n_particles : int or None
        Persistent chains; as many as `batch_size` when None.
    n_sample_sweeps : int
        Gibbs sweeps to a returned sample.
    validation_size, patience
        As in :class:`LRBN`; the score is the pseudo-likelihood.
    random_state : int, Generator or None

    Attributes
    ----------
    params_ : LRBNParams
        W (n_v, n_h), b (n_v,), d (n_h,).
    history_ : list of FitStep
    """

    def __init__(
        self,
        n_components: int = 200,
        *,
        visible: model.Visible = "bernoulli",
        method: rbm.Method = "pcd",
        n_gibbs: int = 1,
        learning_rate: float = 0.05,
        decay_steps: float = float("inf"),
        weight_decay: float = 0.0,
        batch_size: int = 20,
        n_iter: int = 10,
        n_particles: int | None = None,
        n_sample_sweeps: int = 200,
        validation_size: int = 100,
        patience: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.visible = visible
        self.method = method
        self.n_gibbs = n_gibbs
        self.learning_rate = learning_rate
        self.decay_steps = decay_steps
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.n_particles = n_particles
        self.n_sample_sweeps = n_sample_sweeps
        self.validation_size = validation_size
        self.patience = patience
        self.random_state = random_state

    def _check_settings(self) -> None:
        super()._check_settings()
        check_choice(self.method, "method", get_args(rbm.Method))
        check_integer(self.n_gibbs, "n_gibbs", 1)
        if self.n_particles is not None:
            check_integer(self.n_particles, "n_particles", 1)
        check_integer(self.n_sample_sweeps, "n_sample_sweeps", 1)
        check_positive(self.decay_steps, "decay_steps", infinite=True)
        check_positive(self.weight_decay, "weight_decay", zero=True)

    def _system(self) -> rbm.RBMSystem:
        settings = self.get_params()
        shared = {f.name: settings[f.name] for f in fields(rbm.RBMSystem) if f.name in settings}
        shared["n_particles"] = self.n_particles or self.batch_size
        return rbm.RBMSystem(n_h=self.n_components, **shared)

    def _resume(self, params: LRBNParams, rng: np.random.Generator) -> rbm.RBMState:
        return self._system().resume(params, rng)

    @staticmethod
    def _params_of(state: rbm.RBMState) -> LRBNParams:
        return LRBNParams(*(np.asarray(p, np.float64) for p in (state.W, state.b, state.d)))

    def posterior(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return the exact ``P(h_j = 1 | x)`` of each latent; shape (n, n_h)."""
        X = self._images(X)
        return rbm.posterior(self.params_, X)

    def transform(self, X: ArrayLike) -> NDArray[np.uint8]:
        """Return the exact MAP state of each image's latents, one by one; shape (n, n_h) uint8."""
        X = self._images(X)
        return (rbm.log_odds(self.params_, X) > 0).astype(np.uint8)

    def reconstruct(self, X: ArrayLike) -> NDArray:
        """Return ``argmax_x P(x | h*)``: uint8 images for Bernoulli units, means for Gaussian ones."""
        H = self.transform(X)
        return model.most_probable_visible(self.params_, self.visible, H)

    def log_joint(self, X: ArrayLike, H: ArrayLike) -> NDArray[np.float64]:
        """Return ``log P(x, h) + log Z`` of each pair of rows, nats: *not* normalised. Equation: (4), (7)."""
        X = self._images(X)
        return rbm.log_joint(self.params_, X, check_latents(H, (len(X), self.params_.n_h), "H"), self.visible)

    def score_samples(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return ``log P(x) + log Z``, minus the free energy, nats: *not* normalised."""
        X = self._images(X)
        return -rbm.free_energy(self.params_, X, self.visible)

    def sample(self, n: int = 1, random_state: Any = None) -> NDArray:
        """Draw n images, each from a Gibbs chain of its own of `n_sample_sweeps` sweeps; shape (n, n_v)."""
        check_is_fitted(self, "params_")
        rng = generator(random_state)
        system = self._system()
        return system.sample(system.resume(self.params_, rng), check_integer(n, "n", 1), rng)

    def map_trace(self, x: ArrayLike) -> ICMTrace:
        """Return the factorised inference of one image: one visit per latent, after which nothing changes.

        The trace starts with all latents off. Its ``log_joint`` is not normalised.
        """
        check_is_fitted(self, "params_")
        x = check_image(x, self.visible, self.params_.n_v)
        return rbm.map_trace(
            self.params_, x.astype(np.uint8) if self.visible == "bernoulli" else x, self.visible
        )

    # -- for lrbn_viz.explanation
    # ------------------------------------------------------------------------------------

    def _exact_posterior(self, x: NDArray) -> exact.ExactPosterior:
        params = self.params_
        if params.n_h > exact.MAX_EXACT:
            raise ValueError(
                f"exact_posterior enumerates 2**n_h states: expected n_h <= {exact.MAX_EXACT}, "
                f"got {params.n_h}. An RBM's posterior factorises: posterior(X) is exact at any size."
            )
        H = exact.states(params.n_h)
        return exact.summarise(rbm.log_joint(params, x[None], H, self.visible))

    def _interactions(self, h: NDArray) -> NDArray[np.float64]:
        return np.zeros((len(h), len(h)))

    def _log_odds_terms(self, x: NDArray, h: NDArray, j: int) -> exact.LogOddsTerms:
        w = self.params_.W[:, j]
        return exact.LogOddsTerms(float(self.params_.d[j]), w * x, np.zeros(len(x)))
