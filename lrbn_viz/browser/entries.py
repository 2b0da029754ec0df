"""The kernels that browsers get, and how each takes its arguments.

A kernel reaches the browser by its line in :func:`entries`, or, if it trains, in :func:`learning`, and if it
measures, in :func:`measuring`. Types of arguments are those of NumPy; all arrays are C-ordered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lrbn_viz.browser.arguments import Tuple
from lrbn_viz.browser.compiler import Entry
from lrbn_viz.browser.likelihood import (
    begin_machines,
    draw_latents,
    draw_uniforms,
    draw_visibles,
    fill_betas,
    fill_fields,
    fill_free_energies,
    fill_offsets,
    mean_weight,
    move_chains,
    place_chains,
    summarise,
    weigh_chains,
    weigh_machines,
)
from lrbn_viz.browser.lrbn import infer_images, learn_alone, measure_alone
from lrbn_viz.browser.networks import (
    Uniforms,
    dream_alone,
    generate_alone,
    recognise_alone,
    rws_step_alone,
)
from lrbn_viz.browser.rbm import decode_alone, encode_alone, gibbs_alone, predict_alone, step_alone
from lrbn_viz.kernels import posterior
from lrbn_viz.kernels.numerics import errors_along, errors_of_means
from lrbn_viz.kernels.particles import draw_layer, means_along, weigh_along
from lrbn_viz.kernels.passes import add_noise, fill_draws
from lrbn_viz.kernels.paths import flip_along
from lrbn_viz.kernels.simd.math import HIGHEST, LOWEST, exp, log
from lrbn_viz.kernels.simd.odds import GROUP, LANES
from lrbn_viz.kernels.steps import first_averaged, rate_at, share_done, weigh
from lrbn_viz.kernels.units import fill_terms
from lrbn_viz.lrbn.ais import POWER
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
from lrbn_viz.lrbn.regression import (
    PRIORS,
    GradientSteps,
    Rows,
    activate_image,
    fill_means,
)
from lrbn_viz.lrbn.start import begin, choose_starts, place_images
from lrbn_viz.lrbn.state import InferenceState
from lrbn_viz.lrbn.traced import fill_cooling
from lrbn_viz.rivals.rbm.centring import KINDS, Centres
from lrbn_viz.rivals.rbm.model import MAX_ENUMERATED
from lrbn_viz.rivals.rbm.partition import N_CHAINS, N_SWEEPS
from lrbn_viz.rivals.rbm.trace import Machine, Visits, place_visible, visit_independent
from lrbn_viz.rivals.sbn.model import LayerNetworks, fill_thresholds

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
LAYER = Tuple(Rows, {"rows": ROWS, "b": ROW, "d": ROW})
STEPS = Tuple(
    GradientSteps,
    {
        "learning_rate": "f8",
        "decay_b": "?",
        "decay_steps": "f8",
        "prior": "i8",
        "weight_decay": "f8",
        "nonnegative": "?",
        "warm_up": "f8",
        "momentum": "f8",
    },
)

NETWORKS = Tuple(LayerNetworks, {"W": "f4[:, :]", "b": "f4[:]", "d": "f4[:]", "V": "f4[:, :]", "c": "f4[:]"})
UNIFORMS = Tuple(Uniforms, dict.fromkeys(("H", "dreamt_H", "dreamt_X"), "f4[:, :]"))
CENTRES = Tuple(Centres, {"mu": "f4[:]", "lam": "f4[:]"})


def _single(of: Tuple, *fields: str) -> Tuple:
    """Return a tuple of kernels in single precision, of which some arrays then are."""
    return of._replace(fields={**of.fields, **dict.fromkeys(fields, "f4[:, :]")}, suffix="32")


PARAMS_32 = _single(PARAMS, "W", "factor", "rows")
PARAMS_32 = PARAMS_32._replace(fields={**PARAMS_32.fields, "b": "f4[:]"})
STATE_32 = _single(STATE, "activation", "on", "off")
TUPLES = (
    PARAMS,
    STATE,
    RECORD,
    MACHINE,
    VISITS,
    MEANS_PARAMS,
    MEANS_STATE,
    MEANS_RECORD,
    LAYER,
    STEPS,
    CENTRES,
    NETWORKS,
    UNIFORMS,
    PARAMS_32,
    STATE_32,
)
"""Named tuples of the kernels' arguments, by which JavaScript knows their fields."""


def entries() -> Mapping[str, Entry]:
    """Return the kernels of inference, by the names that JavaScript calls them."""
    on = {"params": PARAMS, "state": STATE}
    layer = {"rows": ROWS, "b": ROW}
    return _means_entries() | {
        **_placing(on, ROWS),
        "fill_gram": _entry(fill_gram, rows=ROWS, gram=ROWS),
        **_tracing(on),
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
        "fill_terms": _entry(
            fill_terms, kind="i8", **dict.fromkeys(("w", "b", "x", "a", "evidence", "alone", "others"), ROW)
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
        "fill_draws": _entry(fill_draws, means=ROWS, uniforms=ROWS, states="u1[:, :]"),
        "add_noise": _entry(add_noise, means=ROWS, normals=ROWS, precision=ROW, X=ROWS),
        "flip_along": _entry(
            flip_along,
            **dict.fromkeys(("directed", "best"), "?"),
            first="i8[:]",
            **dict.fromkeys(("weights", "bias"), ROW),
            h="u1[:]",
            a=ROW,
            units="i4[:]",
            log_joint=ROW,
        ),
        **_particle_entries(),
        **_posterior_entries(),
    }


def _particle_entries() -> Mapping[str, Entry]:
    """Return the kernels of importance-weighted particles."""
    bits = "u1[:, :]"
    filled: dict[str, str] = {"z": ROW, "p": ROW, "H": bits, "log_q": ROW}
    return {
        "draw_layer": _entry(draw_layer, V=ROWS, c=ROW, below=bits, held=ROW, u=ROWS, **filled),
        "weigh_along": _entry(weigh_along, log_weights=ROW, estimates=ROW, shares=ROW),
        "means_along": _entry(means_along, H=bits, shares=ROW, means=ROWS),
        "errors_of_means": _errors(),
    }


def _errors() -> Entry:
    """Return what counts wrong pixels, of inference and of held-out images in training."""
    return _entry(errors_of_means, rows=ROWS, b=ROW, means=ROWS, targets=ROWS, squared="?", a=ROW, errors=ROW)


def _posterior_entries() -> Mapping[str, Entry]:
    """Return the kernels of distributions over all states of few latents."""
    joints: dict[str, str] = {"log_joints": ROW}
    of: dict[str, str] = {**joints, "log_evidence": "f8"}
    distances: dict[str, str] = {"kl": ROW, "variation": ROW}
    return {
        "normalise": _entry(posterior.normalise, **joints, top="f8", p=ROW),
        "fill_moments": _entry(
            posterior.fill_moments, q=ROW, rest=ROW, part=ROW, marginals=ROW, covariance=ROWS
        ),
        "fill_product": _entry(posterior.fill_product, on=ROW, q=ROW),
        "fill_feed_forward": _entry(posterior.fill_feed_forward, **joints, on=ROW),
        "fill_apart": _entry(posterior.fill_apart, rows=ROWS, d=ROW, x=ROW, on=ROW),
        "turn_round": _entry(posterior.turn_round, **joints, turned=ROW),
        "ascend": _entry(
            posterior.ascend, **joints, q=ROW, max_sweeps="i8", tolerance="f8", expected=ROW, weights=ROW
        ),
        "measure_distance": _entry(posterior.measure_distance, **of, p=ROW, q=ROW, distance=ROW),
        "distances_of_states": _entry(
            posterior.distances_of_states, **of, unit="i4[:]", after="u1[:]", code="i8", **distances
        ),
        "distances_of_means": _entry(
            posterior.distances_of_means, **of, p=ROW, on=ROW, unit="i4[:]", after=ROW, q=ROW, **distances
        ),
        "distances_of_particles": _entry(
            posterior.distances_of_particles, **of, code="i4[:]", place="i4[:]", share=ROW, q=ROW, **distances
        ),
        "enumerate_independent": _entry(
            posterior.enumerate_independent, rows=ROWS, b=ROW, d=ROW, x=ROW, said=ROW, a=ROW, **joints
        ),
        "expected_visibles": _entry(
            posterior.expected_visibles, kind="i8", rows=ROWS, b=ROW, p=ROWS, a=ROW, on=ROWS
        ),
    }


def learning() -> Mapping[str, Entry]:
    """Return the kernels of training, and of the batches of images that it infers.

    The names of those in single precision end in 32.
    """
    double, single = (
        {**_placing(on, rows), "infer_images": _batch(on)}
        for on, rows in (
            ({"params": PARAMS, "state": STATE}, ROWS),
            ({"params": PARAMS_32, "state": STATE_32}, "f4[:, :]"),
        )
    )
    return {
        **double,
        **_tracing({"params": PARAMS, "state": STATE}),
        **{f"{name}32": each for name, each in single.items()},
        "learn_alone": _entry(
            learn_alone,
            old=LAYER,
            X=ROWS,
            H="u1[:, :]",
            steps=STEPS,
            step="i8",
            **dict.fromkeys(("gradient", "velocity", "new"), LAYER),
            figures=ROW,
        ),
        "measure_alone": _entry(measure_alone, of=LAYER, X=ROWS, H="u1[:, :]", figures=ROW),
        "fill_means": _entry(fill_means, gaussian="?", rows=ROWS, b=ROW, H="u1[:, :]", means=ROWS),
        "fill_draws": entries()["fill_draws"],
        "fill_cooling": _entry(fill_cooling, hottest="f8", coldest="f8", temperatures=ROW),
        "share_done": _entry(share_done, n_done="i8", n_steps="i8"),
        "first_averaged": _entry(first_averaged, average="f8", n_steps="i8"),
        "rate_at": _entry(rate_at, share="f8", first="f8", last="f8"),
        "weigh": _entry(weigh, values=ROW, weight="f8", weighted=ROW),
        "errors_of_means": _errors(),
        **_rbm(),
        **_rws(),
    }


def measuring() -> Mapping[str, Entry]:
    """Return the kernels that measure log P(x), and draw samples."""
    on, single = {"params": PARAMS, "state": STATE}, {"params": PARAMS_32, "state": STATE_32}
    counts: dict[str, str] = {"visits": "i8[:]", "flips": "i8[:]", "converged": "?[:]"}
    bits = "u1[:, :]"
    start: dict[str, str] = {"start_b": ROW, "start_d": ROW}
    alike, learns = entries(), learning()
    return {
        **_placing(on, ROWS),
        **{f"{name}32": each for name, each in _placing(single, "f4[:, :]").items()},
        **{name: alike[name] for name in ("enumerate_joints", "normalise", "enumerate_independent")},
        **{name: learns[name] for name in ("infer_images32", "fill_means", "fill_draws", "gibbs_alone")},
        "draw_uniforms": _entry(draw_uniforms, generator="u8[:]", out=ROWS),
        "summarise": _entry(summarise, values=ROW, found=ROW),
        "mean_weight": _entry(mean_weight, log_weights=ROW, found=ROW),
        "fill_betas": _entry(fill_betas, power="i8", betas=ROW),
        "place_chains": _entry(place_chains, **single, evidence=ROWS, base=ROW),
        "weigh_chains": _entry(
            weigh_chains, **single, evidence=ROWS, base=ROW, fresh="?", share="f8", likelihood=ROW, total=ROW
        ),
        "move_chains": _entry(move_chains, **single, evidence=ROWS, prior=ROWS, beta="f8", **counts),
        "fill_fields": _entry(fill_fields, weights=ROWS, offsets=ROW, states=bits, fields=ROWS),
        "fill_free_energies": _entry(fill_free_energies, b=ROW, X=bits, fields=ROWS, totals=ROW),
        "fill_offsets": _entry(fill_offsets, states=bits, offsets=ROW),
        "begin_machines": _entry(begin_machines, b=ROW, d=ROW, uniforms=ROWS, X=bits, total=ROW),
        "weigh_machines": _entry(
            weigh_machines, b=ROW, **start, before="f8", beta="f8", X=bits, fields=ROWS, total=ROW
        ),
        "draw_latents": _entry(draw_latents, start_d=ROW, beta="f8", fields=ROWS, uniforms=ROWS, H=bits),
        "draw_visibles": _entry(
            draw_visibles, b=ROW, start_b=ROW, beta="f8", sums=ROWS, uniforms=ROWS, X=bits
        ),
    }


MODULES: Mapping[str, Callable[[], Mapping[str, Entry]]] = {
    "kernels": entries,
    "learning": learning,
    "measuring": measuring,
}
"""What each module holds: a page that infers need not carry what one that learns or measures does."""


def _placing(on: dict[str, Any], rows: str) -> dict[str, Entry]:
    """Return what prepares a layer and images for inference, in the precision of its rows of weights."""
    return {
        "fill_factors": _entry(
            fill_factors,
            W=rows,
            **dict.fromkeys(("limits", "lanes", "tops"), ROW),
            factor=rows,
            chunk="i8[:]",
            whole="?[:]",
            weight=ROW,
        ),
        "place_images": _entry(place_images, **on, X=ROWS, prior=ROWS),
        "choose_starts": _entry(choose_starts, **on, paper="?"),
    }


def _tracing(on: dict[str, Any]) -> dict[str, Entry]:
    """Return what infers an image with a record of its visits."""
    return {
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
    }


def _batch(on: dict[str, Any]) -> Entry:
    """Return what infers a batch of images."""
    return _entry(
        infer_images,
        **on,
        temperatures=ROW,
        max_sweeps="i8",
        visits="i8[:]",
        flips="i8[:]",
        converged="?[:]",
    )


def _means_entries() -> dict[str, Entry]:
    """Return the kernels of mean field."""
    on = {"params": MEANS_PARAMS, "state": MEANS_STATE}
    return {
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


def _rbm() -> dict[str, Entry]:
    """Return what trains a Bernoulli RBM, and samples from it."""
    rows, row, bits = "f4[:, :]", "f4[:]", "u1[:, :]"
    chain = {"W": rows, "b": row, "d": row}
    return {
        "step_alone": _entry(
            step_alone,
            **chain,
            X=bits,
            particles=bits,
            persistent="?",
            keys="u8[:]",
            **dict.fromkeys(("learning_rate", "decay_steps", "weight_decay"), "f8"),
            step="i8",
            kind="i8",
            centres=CENTRES,
            figures=ROW,
        ),
        "gibbs_alone": _entry(gibbs_alone, **chain, H=bits, keys="u8[:]", X=bits),
        "encode_alone": _entry(encode_alone, W=rows, d=row, X=bits, H=bits),
        "decode_alone": _entry(decode_alone, W=rows, b=row, H=bits, means=ROWS),
        "predict_alone": _entry(predict_alone, **chain, X=bits, pixels="i8[:]", fields=ROW, totals=ROW),
    }


def _rws() -> dict[str, Entry]:
    """Return what trains a sigmoid belief network with its recognition network."""
    rows = "f4[:, :]"
    return {
        "rws_step_alone": _entry(
            rws_step_alone,
            **dict.fromkeys(("of", "mean", "gradient"), NETWORKS),
            X=rows,
            uniforms=UNIFORMS,
            n_each="i8",
            **dict.fromkeys(("wakes", "sleeps"), "?"),
            **dict.fromkeys(("learning_rate", "decay_steps", "momentum"), "f8"),
            **dict.fromkeys(("generative_rate", "recognition_rate"), "f8"),
            step="i8",
            figures=ROW,
        ),
        "recognise_alone": _entry(recognise_alone, of=NETWORKS, X=rows, means=rows),
        "generate_alone": _entry(generate_alone, of=NETWORKS, H=rows, means=ROWS),
        "dream_alone": _entry(dream_alone, of=NETWORKS, uniforms=UNIFORMS),
    }


def constants() -> dict[str, Any]:
    """Return the numbers that JavaScript gives to kernels; JSON values."""

    def of(dtype: Any) -> dict[str, Any]:
        return {
            "limits": limits_of(dtype).tolist(),
            "refresh": REFRESH[dtype],
            "floor": FLOOR[dtype],
            "tolerance": TOLERANCE[dtype],
        }

    return {
        "lanes": LANES,
        "group": GROUP,
        "gradients": KINDS,
        "priors": PRIORS,
        "annealing": {
            "power": POWER,
            "n_chains": N_CHAINS,
            "n_sweeps": N_SWEEPS,
            "max_enumerated": MAX_ENUMERATED,
        },
        "precisions": {"f8": of(np.dtype(np.float64)), "f4": of(np.dtype(np.float32))},
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


def _expm1(x: float) -> float:
    """Return ``exp(x) - 1``, with what rounding takes off the exponential."""
    if x < LOWEST:
        return -1.0
    half = exp(0.5 * x)
    if x > HIGHEST:
        return half * half
    u = exp(x)
    if u == 1.0:
        return x
    return (u - 1.0) * x / log(u) if abs(x) < 1.0 else u - 1.0


MATHEMATICS: Mapping[str, tuple[Any, int]] = {
    "exp": (_exp, 1),
    "expm1": (_expm1, 1),
    "log": (_log, 1),
    "log1p": (_log1p, 1),
}
"""What stands in for functions of a processor's library: a function, and the number of its arguments."""
