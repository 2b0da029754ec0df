"""The kernels that browsers get, and how each takes its arguments.

A kernel reaches the browser by its line in :func:`entries`. Types of arguments are those of NumPy; all arrays
are C-ordered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lrbn_viz.browser.arguments import Tuple
from lrbn_viz.browser.compiler import Entry
from lrbn_viz.kernels.numerics import errors_along, scalar_sigmoid
from lrbn_viz.kernels.simd.math import HIGHEST, LOWEST, exp, log
from lrbn_viz.kernels.simd.odds import LANES
from lrbn_viz.lrbn.batch_kernel import fill_log_odds
from lrbn_viz.lrbn.deep.trace import log_joint_of_layer
from lrbn_viz.lrbn.exact import enumerate_joints
from lrbn_viz.lrbn.icm import Record, update_latents
from lrbn_viz.lrbn.kernel_params import (
    FLOOR,
    REFRESH,
    TOLERANCE,
    KernelParams,
    fill_factors,
    fill_gram,
    limits_of,
)
from lrbn_viz.lrbn.means import visits as means
from lrbn_viz.lrbn.regression import activate_image
from lrbn_viz.lrbn.start import begin, choose_start, place_image
from lrbn_viz.lrbn.state import InferenceState
from lrbn_viz.rivals.rbm.trace import Machine, Visits, place_visible, visit_independent
from lrbn_viz.rivals.sbn.model import fill_thresholds

ROW, ROWS = "f8[:]", "f8[:, :]"

PARAMS = Tuple(
    KernelParams,
    {
        "gaussian": "?",
        "W": ROWS,
        "factor": ROWS,
        "weight": ROW,
        "b": ROW,
        "d": ROW,
        "chunk": "i8[:]",
        "whole": "?[:]",
        "gram": ROWS,
        "rows": ROWS,
        "n_together": "i8",
        "n_v": "i8",
        "refresh": "i8",
        "floor": "f8",
        "tolerance": "f8",
    },
)
STATE = Tuple(
    InferenceState,
    {
        "latent": "u1[:, :]",
        "evidence": ROWS,
        "base": ROW,
        "activation": ROWS,
        "on": ROWS,
        "off": ROWS,
        "coupling": ROWS,
        "squares": ROWS,
        "since_refresh": "i8[:]",
        "saturated": "?[:]",
        "partly": "?[:]",
        "unknown": "?[:, :]",
        "stream": "u8[:]",
    },
)
RECORD = Tuple(
    Record,
    {
        "unit": "i4[:]",
        "after": "u1[:]",
        "flipped": "?[:]",
        "log_odds": ROW,
        "log_joint": ROW,
        "sweep": "i4[:]",
    },
)
MACHINE = Tuple(Machine, {"gaussian": "?", "rows": ROWS, "b": ROW, "d": ROW, "precision": ROW})
VISITS = Tuple(Visits, {"unit": "i4[:]", "after": "u1[:]", "log_odds": ROW, "log_joint": ROW})
MEANS_PARAMS = Tuple(
    means.MeansParams,
    {
        "kinds": "i8[:]",
        "first": "i8[:]",
        "n_v": "i8",
        "weights": ROW,
        "bias": ROW,
        "exact": "?",
        "experts": ROWS,
        "offsets": ROW,
        "log_joints": ROW,
    },
)
MEANS_STATE = Tuple(means.MeansState, {"units": ROWS, "tilts": ROWS, "upper": ROW, "sums": ROW})
MEANS_RECORD = Tuple(
    means.MeansRecord,
    {"unit": "i4[:]", "after": ROW, "flipped": "?[:]", "log_odds": ROW, "bound": ROW, "sweep": "i4[:]"},
)
TUPLES = (PARAMS, STATE, RECORD, MACHINE, VISITS, MEANS_PARAMS, MEANS_STATE, MEANS_RECORD)
"""Named tuples of the kernels' arguments, by which JavaScript knows their fields."""


def entries() -> Mapping[str, Entry]:
    """Return the kernels that browsers get, by the names that JavaScript calls them."""
    on = {"params": PARAMS, "state": STATE}
    layer = {"rows": ROWS, "b": ROW}
    return _means_entries() | {
        "fill_factors": _entry(
            fill_factors,
            W=ROWS,
            **dict.fromkeys(("limits", "lanes", "tops"), ROW),
            factor=ROWS,
            chunk="i8[:]",
            whole="?[:]",
            weight=ROW,
        ),
        "fill_gram": _entry(fill_gram, rows=ROWS, gram=ROWS),
        "place_image": _entry(place_image, **on, x=ROW, prior=ROW),
        "choose_start": _entry(choose_start, **on, paper="?"),
        "begin": _entry(begin, **on),
        "update_latents": _entry(
            update_latents,
            **on,
            order="i8",
            units="i4[:, :]",
            temperatures=ROW,
            at_once=ROW,
            total=ROW,
            cursor="i8[:]",
            record=RECORD,
            n_visits="i8",
        ),
        "fill_log_odds": _entry(fill_log_odds, **on, log_odds=ROWS),
        "enumerate_joints": _entry(enumerate_joints, **on, log_joints=ROW),
        "place_visible": _entry(place_visible, machine=MACHINE, x=ROW, fixed=ROW),
        "visit_independent": _entry(
            visit_independent,
            machine=MACHINE,
            x=ROW,
            fixed=ROW,
            u=ROW,
            h="u1[:]",
            total=ROW,
            cursor="i8[:]",
            visits=VISITS,
            n_visits="i8",
        ),
        "activate_image": _entry(activate_image, **layer, h="u1[:]", a=ROW),
        "log_joint_of_layer": _entry(
            log_joint_of_layer, gaussian="?", **layer, d=ROW, below=ROW, latent="u1[:]", top="?", a=ROW
        ),
        "errors_along": _entry(
            errors_along,
            rows=ROWS,
            h=ROW,
            unit="i4[:]",
            after=ROW,
            target=ROW,
            squared="?",
            a=ROW,
            errors=ROW,
        ),
    }


def _means_entries() -> dict[str, Entry]:
    """Return the kernels of mean field."""
    on = {"params": MEANS_PARAMS, "state": MEANS_STATE}
    return {
        "scalar_sigmoid": _entry(scalar_sigmoid, a="f8"),
        "fill_thresholds": _entry(fill_thresholds, rows=ROWS, b=ROW, d=ROW, log_odds=ROW),
        "pass_up": _entry(
            means.pass_up,
            rows=ROWS,
            offset=ROW,
            below=ROW,
            scale="f8",
            held=ROW,
            log_odds=ROW,
            means=ROW,
        ),
        "begin_means": _entry(means.begin_means, **on),
        "update_means": _entry(
            means.update_means,
            **on,
            units="i4[:]",
            guess=ROW,
            n_sweeps="i8",
            most=ROW,
            cursor="i8[:]",
            record=MEANS_RECORD,
            n_visits="i8",
        ),
    }


def _entry(kernel: Any, **arguments: Any) -> Entry:
    """Return the entry of a kernel; a function that is compiled for several threads has one for one."""
    return Entry(kernel[1] if isinstance(kernel, tuple) else kernel, arguments)


def constants() -> dict[str, Any]:
    """Return the numbers that JavaScript gives to kernels; JSON values."""
    double = np.dtype(np.float64)
    return {
        "lanes": LANES,
        "limits": limits_of(double).tolist(),
        "refresh": REFRESH[double],
        "floor": FLOOR[double],
        "tolerance": TOLERANCE[double],
        "means": {
            "kinds": {
                "linear": means.LINEAR,
                "gaussian": means.GAUSSIAN,
                "quadratic": means.QUADRATIC,
                "tilted": means.TILTED,
            },
            "scratch": means.SCRATCH,
        },
    }


def _exp(x: float) -> float:
    """Return ``exp(x)``, 0 and infinity where a library's is: a mean of 0 is not the least normal number."""
    if LOWEST <= x <= HIGHEST:
        return exp(x)
    half = exp(0.5 * x)
    return half * half


def _log(x: float) -> float:
    return log(x)


def _log1p(x: float) -> float:
    """Return ``log(1 + x)``, with what rounding takes off the sum."""
    u = 1.0 + x
    return log(u) - ((u - 1.0) - x) / u


MATHEMATICS: Mapping[str, tuple[Any, int]] = {"exp": (_exp, 1), "log": (_log, 1), "log1p": (_log1p, 1)}
"""What stands in for functions of a processor's library: a function, and the number of its arguments."""
