"""Bad settings, states and parameters at every public edge: an error that says what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from engine.refusals import B, Bad, D, H, W, X, assert_refused, h0, lrbn, rbm, x
from sklearn.exceptions import NotFittedError

from lrbn_viz import LRBN, RBM, exact_posterior, explain_away, load_model, log_odds_terms, pretrained

pytestmark = pytest.mark.nojit


def inference_table() -> list[Bad]:
    """Settings of one inference."""
    wrong: list[tuple[dict[str, Any], Any, str, str]] = [
        ({"order": "zigzag"}, ValueError, "'sequential', 'random', 'greedy', 'parallel'", "'zigzag'"),
        ({"order": 3}, ValueError, "'sequential'", "got 3"),
        ({"temperature": -1}, ValueError, "number >= 0", "got -1"),
        ({"temperature": np.nan}, ValueError, "number >= 0", "got nan"),
        ({"temperature": np.inf}, ValueError, "number >= 0", "got inf"),
        ({"temperature": [1.0, -0.5]}, ValueError, "number >= 0.*sequence", "-0.5"),
        ({"temperature": [[1.0]]}, ValueError, "number >= 0.*sequence", r"\[\[1.0\]\]"),
        ({"temperature": None}, ValueError, "number >= 0", "None"),
        ({"temperature": "hot"}, ValueError, "number >= 0", "hot"),
        ({"temperature": 1j}, (ValueError, TypeError), "number >= 0", "1j"),
        ({"order": "greedy", "temperature": 1.0}, ValueError, "use temperature=0", "greedy"),
        ({"max_sweeps": -1}, ValueError, "at least 0", "-1"),
        ({"max_sweeps": 2.5}, TypeError, "integer", "2.5"),
        ({"max_sweeps": "3"}, TypeError, "integer", "'3'"),
        ({"init": "zeroes"}, ValueError, "'conditional', 'paper', 'zeros', 'random'.*array of 3", "'zeroes'"),
        ({"init": [0, 1]}, ValueError, r"\(3,\)", r"\(2,\)"),
        ({"init": np.zeros((1, 3))}, ValueError, r"\(3,\)", r"\(1, 3\)"),
        ({"init": [0, 1, 2]}, ValueError, "0 and 1", "other than"),
        ({"init": [0, 1, 0.5]}, ValueError, "0 and 1", "other than"),
        ({"init": [0, 1, np.nan]}, ValueError, "0 and 1", "other than"),
        ({"init": ["a", "b", "c"]}, ValueError, "expected numbers", "<U1"),
        ({"init": 3}, ValueError, r"\(3,\)", r"\(\)"),
        ({"clamp": [1]}, TypeError, "map units to states", "list"),
        ({"clamp": {3: 1}}, ValueError, "0 to 2", "got 3"),
        ({"clamp": {-1: 1}}, ValueError, "0 to 2", "got -1"),
        ({"clamp": {1: 2}}, ValueError, "0 to 1", "got 2"),
        ({"clamp": {"a": 1}}, TypeError, "integer", "'a'"),
        ({"random_state": -1}, ValueError, "at least 0", "-1"),
        ({"random_state": "seed"}, TypeError, "integer", "'seed'"),
    ]
    table = [
        Bad(f"map_trace: {how}", lambda how=how: lrbn().map_trace(x, **how), error, expected, got)
        for how, error, expected, got in wrong
    ]
    for name in ("transform", "reconstruct"):
        table += [
            Bad(f"{name}: {how}", lambda n=name, how=how: getattr(lrbn(), n)(X, **how), error, expected, got)
            for how, error, expected, got in [
                ({"method": "mcmc"}, ValueError, "'icm', 'annealed', 'gibbs'", "'mcmc'"),
                ({"method": 3}, ValueError, "'icm'", "got 3"),
                ({"n_sweeps": 0}, ValueError, "at least 1", "got 0"),
                ({"n_sweeps": -5}, ValueError, "at least 1", "-5"),
                ({"n_sweeps": 2.5}, TypeError, "integer", "2.5"),
                ({"random_state": -1}, ValueError, "at least 0", "-1"),
            ]
        ]
    return table


def latents_table() -> list[Bad]:
    """Whatever takes latent states, a unit or a position in a trace."""
    model, rival = lrbn(), rbm()
    decode, joint, terms = model.inverse_transform, model.log_joint, log_odds_terms
    rows = [
        (decode, (np.zeros((2, 4)),), ValueError, r"\(n, 3\)", r"\(2, 4\)"),
        (decode, ([0, 1, 0],), ValueError, r"\(n, 3\)", r"\(3,\)"),
        (decode, (H[:0],), ValueError, r"\(n, 3\)", r"\(0, 3\)"),
        (decode, ([[0, 1, 2]],), ValueError, "states", "outside 0 to 1"),
        (decode, ([[0, 1, np.nan]],), ValueError, "states", "outside 0 to 1"),
        (decode, ([["a", "b", "c"]],), ValueError, "expected numbers", "<U1"),
        (rival.inverse_transform, (np.zeros((2, 4)),), ValueError, r"\(n, 3\)", r"\(2, 4\)"),
        (joint, (X, H[:3]), ValueError, r"\(4, 3\)", r"\(3, 3\)"),
        (joint, (X, H + 0.5), ValueError, "0 and 1", "other than"),
        (rival.log_joint, (X, H[:3]), ValueError, r"\(4, 3\)", r"\(3, 3\)"),
        (explain_away, (model, x, [0, 1]), ValueError, r"\(3,\)", r"\(2,\)"),
        (explain_away, (model, x, [0, 1, 2]), ValueError, "0 and 1", "other than"),
        (terms, (model, x, h0, 3), ValueError, "0 to 2", "got 3"),
        (terms, (model, x, h0, -1), ValueError, "0 to 2", "got -1"),
        (terms, (model, x, h0, 1.0), TypeError, "integer", "1.0"),
        (terms, (model, x, [0, 1], 0), ValueError, r"\(3,\)", r"\(2,\)"),
    ]
    table = [
        Bad(f"{f.__name__}: row {n}", lambda f=f, given=given: f(*given), error, expected, got)
        for n, (f, given, error, expected, got) in enumerate(rows)
    ]
    table.append(Bad("latents: 1.5", lambda: model().map_trace(x).latents(1.5), TypeError, "integer", "1.5"))
    for size, error, expected, got in [
        (0, ValueError, "at least 1", "got 0"),
        (-1, ValueError, "at least 1", "got -1"),
        (1.5, TypeError, "integer", "1.5"),
        ("3", TypeError, "integer", "'3'"),
    ]:
        for name, model in (("LRBN", lrbn), ("RBM", rbm)):
            table.append(
                Bad(f"{name}.sample: {size}", lambda m=model, n=size: m().sample(n), error, expected, got)
            )
    return table


def settings_table() -> list[Bad]:
    """Settings of the estimators, which scikit-learn wants checked in fit."""
    shared: list[tuple[dict[str, Any], type[Exception], str, str]] = [
        ({"n_components": 0}, ValueError, "at least 1", "got 0"),
        ({"n_components": -2}, ValueError, "at least 1", "got -2"),
        ({"n_components": 2.0}, TypeError, "integer", "2.0"),
        ({"n_components": True}, TypeError, "integer", "True"),
        ({"n_components": "3"}, TypeError, "n_components must be", "'3'"),
        ({"visible": "poisson"}, ValueError, "'bernoulli', 'gaussian'", "'poisson'"),
        ({"learning_rate": 0}, ValueError, "above 0", "got 0"),
        ({"learning_rate": -0.1}, ValueError, "above 0", "-0.1"),
        ({"learning_rate": np.nan}, ValueError, "above 0", "nan"),
        ({"learning_rate": np.inf}, ValueError, "finite|below", "inf"),
        ({"learning_rate": "fast"}, TypeError, "number", "'fast'"),
        ({"decay_steps": 0}, ValueError, "above 0", "got 0"),
        ({"batch_size": 0}, ValueError, "at least 1", "got 0"),
        ({"batch_size": 2.5}, TypeError, "integer", "2.5"),
        ({"n_iter": 0}, ValueError, "at least 1", "got 0"),
        ({"n_iter": -1}, ValueError, "at least 1", "-1"),
        ({"validation_size": -1}, ValueError, "at least 0", "-1"),
        ({"patience": 0}, ValueError, "at least 1", "got 0"),
        ({"random_state": -1}, ValueError, "at least 0", "-1"),
        ({"random_state": "seed"}, TypeError, "integer", "'seed'"),
    ]
    lrbn_only: list[tuple[dict[str, Any], type[Exception], str, str]] = [
        ({"prior": "flatt"}, ValueError, "'learned', 'flat'", "'flatt'"),
        ({"init": "ones"}, ValueError, "'conditional', 'paper', 'zeros', 'random'", "'ones'"),
        ({"e_step": "em"}, ValueError, "'icm', 'annealed', 'gibbs'", "'em'"),
        ({"m_step": "newton"}, ValueError, "'auto', 'gradient', 'closed_form'", "'newton'"),
        ({"m_step": "closed_form"}, ValueError, 'use "gradient"', "closed_form"),
        ({"momentum": 1.0}, ValueError, "below 1", "1.0"),
        ({"momentum": -0.5}, ValueError, "at least 0", "-0.5"),
        ({"learning_rate_end": 0}, ValueError, "above 0", "got 0"),
        ({"learning_rate_end": "slow"}, TypeError, "number", "'slow'"),
        ({"learning_rate_end": 0.1, "decay_steps": 9}, ValueError, "give one of them", "decay_steps = 9"),
        ({"weight_decay": -1}, ValueError, "at least 0", "-1"),
        ({"weight_decay": np.inf}, ValueError, "finite|below", "inf"),
        ({"average": 1.0}, ValueError, "below 1", "1.0"),
        ({"average": -0.1}, ValueError, "average must be at least 0", "-0.1"),
        ({"average": True}, TypeError, "number", "True"),
        ({"max_sweeps": 0}, ValueError, "at least 1", "got 0"),
        ({"warm_sweeps": 0}, ValueError, "at least 1", "got 0"),
        ({"warm_up": 0}, ValueError, "above 0", "got 0"),
        ({"hottest": 0}, ValueError, "above 0", "got 0"),
        ({"hottest": np.inf}, ValueError, "finite|below", "inf"),
        ({"coldest": -1}, ValueError, "above 0", "-1"),
        ({"hottest": 0.1, "coldest": 3.0}, ValueError, "coldest", "3"),
        ({"likelihood_weight": 0}, ValueError, "above 0", "got 0"),
        ({"likelihood_weight": np.inf}, ValueError, "finite|below", "inf"),
        ({"likelihood_weight": None}, TypeError, "number", "None"),
        ({"persistent": "yes"}, TypeError, "True or False", "'yes'"),
        ({"ridge": 0}, ValueError, "above 0", "got 0"),
        ({"ridge": np.inf}, ValueError, "finite|below", "inf"),
    ]
    rbm_only: list[tuple[dict[str, Any], type[Exception], str, str]] = [
        ({"method": "ml"}, ValueError, "'pcd', 'cd'", "'ml'"),
        ({"n_gibbs": 0}, ValueError, "at least 1", "got 0"),
        ({"weight_decay": -1}, ValueError, "at least 0", "-1"),
        ({"n_sample_sweeps": 0}, ValueError, "at least 1", "got 0"),
    ]
    table = []
    for family, rows in ((LRBN, shared + lrbn_only), (RBM, shared + rbm_only)):
        for how, error, expected, got in rows:
            name = f"{family.__name__}({how})"
            table.append(Bad(name, lambda f=family, how=how: f(**how).fit(X), error, expected, got))
            table.append(
                Bad(
                    f"{name}.partial_fit",
                    lambda f=family, how=how: f(**how).partial_fit(X),
                    error,
                    expected,
                    got,
                )
            )
    return table


def params_table() -> list[Bad]:
    """Parameters given by hand, and names and files of models."""
    spoiled = {name: a.copy() for name, a in (("W", W), ("b", B), ("d", D))}
    for a in spoiled.values():
        a[-1] = np.nan
    table = []
    for family in (LRBN, RBM):
        make: Any = family.from_params
        rows = [
            ("NaN in W", lambda m=make: m(spoiled["W"], B, D), ValueError, "finite", "W holds NaN"),
            ("NaN in b", lambda m=make: m(W, spoiled["b"], D), ValueError, "finite", "b holds NaN"),
            ("NaN in d", lambda m=make: m(W, B, spoiled["d"]), ValueError, "finite", "d holds NaN"),
            ("infinity", lambda m=make: m(W, B + np.inf, D), ValueError, "finite", "infinity"),
            ("W of one dimension", lambda m=make: m(B, B, D), ValueError, r"\(n_v, n_h\)", r"\(6,\)"),
            ("W transposed", lambda m=make: m(W.T, B, D), ValueError, r"\(3,\).*n_v = 3", r"\(6,\)"),
            ("short b", lambda m=make: m(W, B[:5], D), ValueError, r"\(6,\).*n_v = 6", r"\(5,\)"),
            ("short d", lambda m=make: m(W, B, D[:2]), ValueError, r"\(3,\).*n_h = 3", r"\(2,\)"),
            ("no pixels", lambda m=make: m(W[:0], B[:0], D), ValueError, r"\(n_v, n_h\)", r"\(0, 3\)"),
            ("no latents", lambda m=make: m(W[:, :0], B, D[:0]), ValueError, r"\(n_v, n_h\)", r"\(6, 0\)"),
            ("nothing", lambda m=make: m(None, B, D), ValueError, r"\(n_v, n_h\)", "W has shape"),
            ("a word", lambda m=make: m("W", B, D), ValueError, "expected", "W"),
            ("complex", lambda m=make: m(W * 1j, B, D), ValueError, "real", "complex"),
            ("ragged", lambda m=make: m([[1, 2], [1]], B, D), ValueError, "expected", "W"),
            ("visible", lambda m=make: m(W, B, D, visible="poisson"), ValueError, "'bernoulli'", "'poisson'"),
            ("setting", lambda m=make: m(W, B, D, colour=1), TypeError, "unexpected", "colour"),
            ("a value", lambda m=make: m(W, B, D, batch_size=0), ValueError, "at least 1", "got 0"),
            ("size", lambda m=make: m(W, B, D, n_components=5), (ValueError, TypeError), "n_components", "."),
        ]  # fmt: skip
        table += [Bad(f"{family.__name__}.from_params: {name}", *rest) for name, *rest in rows]
    return [
        *table,
        Bad("pretrained", lambda: pretrained("nope"), ValueError, "expected one of.*lrbn-200", "'nope'"),
        Bad("load_model: a folder", lambda: load_model("."), ValueError, r"save\(\)", r"\."),
    ]  # fmt: skip


TABLE = [*inference_table(), *latents_table(), *settings_table(), *params_table()]


@pytest.mark.parametrize("bad", TABLE, ids=[bad.name for bad in TABLE])
def test_bad_input_is_an_error_that_says_what_was_expected_and_what_came(bad):
    # Inside: A public function checks its input, and a private kernel loops.
    assert_refused(bad)


@pytest.mark.parametrize("family", [LRBN, RBM])
@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.transform(X),
        lambda m: m.reconstruct(X),
        lambda m: m.inverse_transform(H),
        lambda m: m.log_joint(X, H),
        lambda m: m.score_samples(X),
        lambda m: m.sample(1),
        lambda m: m.map_trace(x),
        lambda m: m.posterior(X) if isinstance(m, RBM) else m.stepper(x),
    ],
    ids=[
        "transform",
        "reconstruct",
        "inverse_transform",
        "log_joint",
        "score_samples",
        "sample",
        "map_trace",
        "other",
    ],
)
def test_a_model_that_was_never_fitted_says_so(family, call):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        call(family())


@pytest.mark.parametrize("family", [LRBN, RBM])
def test_a_model_that_was_never_fitted_cannot_be_explained(family):
    for call in (
        lambda m: exact_posterior(m, x),
        lambda m: explain_away(m, x, h0),
        lambda m: log_odds_terms(m, x, h0, 0),
    ):
        with pytest.raises(ValueError, match="no parameters yet; fit it, or load one"):
            call(family())


def test_weights_cannot_be_saved_as_integers(tmp_path):
    with pytest.raises((ValueError, TypeError), match="float"):
        lrbn().save(tmp_path / "model.npz", dtype=int)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_fit_leaves_the_old_parameters():
    model = lrbn()
    with pytest.raises(ValueError, match="expecting 6"):
        model.partial_fit(X[:, :5])
    np.testing.assert_array_equal(model.layers[0].W, W)
    assert model.transform(X).shape == (4, 3)
