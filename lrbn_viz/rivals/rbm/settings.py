"""Settings for training an RBM, in addition to those of all models, and requirements on its images."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lrbn_viz.core.fields import Choice, Flag, Integer
from lrbn_viz.training.settings import COUNT, MAX_STEPS_FORM

METHOD = Choice(
    "Training algorithm",
    None,
    "The chains of the gradient persist (PCD), or begin at the data (CD).",
    details="PCD: Tieleman, 2008. CD: Hinton, 2002.",
    choices={"pcd": "PCD", "cd": "CD"},
)
GRADIENT = Choice(
    "Gradient",
    None,
    "The plain gradient, or one that does not depend on what is called on and what off.",
    details='"enhanced": covariance of x and h under the data minus that under the model (Cho, Raiko and '
    'Ilin, 2011). "centred": of x and h minus moving averages of their means (Melchior, Fischer and Wiskott, '
    "2016).",
    choices={"standard": "standard", "centred": "centred", "enhanced": "enhanced"},
    fixed="The moving average is part of a run: begin a new one to change the gradient.",
)
VARIANCE = Choice(
    "Variance of a pixel",
    None,
    "The variance of each pixel given the latents is 1, or learned with the weights.",
    details="Learned ones begin at 1 and stay at or above 0.01. They divide the gradients of W and b, which "
    "therefore want a smaller learning rate. Cho, Ilin and Raiko, 2011.",
    choices={"fixed": "1", "learned": "learned"},
    fixed="The variances are part of the model: begin a new run to change what they are.",
    when=({"visible": ("gaussian",)},),
)
GIBBS_STEPS = Integer(
    "Gibbs steps",
    "sweeps per minibatch",
    "Block Gibbs sweeps of the chains: k of CD-k and PCD-k.",
    bounds=COUNT,
    form_most=MAX_STEPS_FORM,
)
ADAPTIVE_RATE = Flag(
    "Adaptive learning rate",
    None,
    "At each minibatch the rate is multiplied by 0.99, 1 or 1.01, whichever makes the next one likeliest.",
    details="It begins at the learning rate, and falls with it where that falls; far too large a rate is not "
    "found back from. Log Z is judged by the chains' images. Cho, Raiko and Ilin, 2011.",
    fixed="What the last step began from is part of a run: begin a new one to change it.",
    when=({"method": ("pcd",)},),
)
PERSISTENT_CHAINS = Integer(
    "Persistent chains",
    None,
    "Number of persistent chains; CD has one for each image of a minibatch.",
    bounds=COUNT,
    fixed="The number of chains is part of a run: begin a new one to change it.",
    when=({"method": ("pcd",)},),
    in_form=False,
)
TEMPERATURES = Integer(
    "Temperatures",
    None,
    "Chains of parallel tempering in the place of each persistent chain; 1: no tempering.",
    details="Evenly spaced inverse temperatures from 1 to 0; the published number is 11. Each takes as long "
    "as the chain alone. Desjardins et al., 2010; Cho, Raiko and Ilin, 2010.",
    bounds=COUNT,
    form_most=1000,
    fixed="The number of chains is part of a run: begin a new one to change it.",
    when=({"method": ("pcd",)},),
)
SAMPLE_SWEEPS = Integer(
    "Gibbs sweeps per sample",
    None,
    "Gibbs sweeps from the persistent chains to a returned sample.",
    bounds=COUNT,
    in_form=False,
)


def checked_images(X: NDArray, visible: str, n_v: int | None = None) -> NDArray:
    """Return X as (n, n_v) contiguous uint8 in {0, 1}, or float32 for Gaussian visibles.

    Raises
    ------
    ValueError, TypeError
        X contains other values, or images of a number of pixels other than `n_v`.
    """
    X = np.asarray(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(
            f"X has shape {X.shape}; expected (n, n_v), one flattened image per row, at least one"
        )
    if n_v is not None and X.shape[1] != n_v:
        raise ValueError(
            f"X has {X.shape[1]} columns but the model has n_v = {n_v}; pass one flattened image per row"
        )
    if X.dtype.kind not in "biuf":
        raise TypeError(f"X has dtype {X.dtype}; expected numbers")
    if visible == "gaussian":
        if not np.isfinite(X).all():
            raise ValueError("X holds NaN or infinity; expected finite numbers: fill or drop missing pixels")
        return np.ascontiguousarray(X, np.float32)
    binary = X.dtype == bool or (X.max() <= 1 if X.dtype == np.uint8 else bool(np.isin(X, (0, 1)).all()))
    if not binary:
        raise ValueError('X holds values other than 0 and 1; threshold it, or use visible="gaussian"')
    return np.ascontiguousarray(X, np.uint8)
