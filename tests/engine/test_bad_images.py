"""Images of the wrong kind, at every function that takes images: an error that says what to do."""

from __future__ import annotations

import numpy as np
import pytest
from engine.refusals import N_V, Bad, H, X, assert_refused, gaussian, h0, lrbn, rbm, x

from lrbn_viz import LRBN, RBM, exact_posterior, explain_away, log_odds_terms

pytestmark = pytest.mark.nojit


def with_value(value: float) -> np.ndarray:
    """Four real-valued images, one value of which is replaced."""
    images = np.zeros((4, N_V))
    images[2, 3] = value
    return images


class Sparse:
    """What scipy's sparse matrices look like from outside."""

    shape = (4, N_V)

    def toarray(self):
        return X


def images_table() -> list[Bad]:
    """Whatever takes a batch of images, each with each kind of wrong batch."""
    wrong = [
        ("one image without its batch", x, ValueError, r"\(n, n_v\).*x\[None\]", r"\(6,\)"),
        (
            "images as such",
            X.reshape(4, 2, 3),
            ValueError,
            r"\(n, n_v\).*X\.reshape\(len\(X\), -1\)",
            r"\(4, 2, 3\)",
        ),
        ("no images", X[:0], ValueError, "minimum of 1", r"0 sample"),
        ("wrong width", X[:, :5], ValueError, "expecting 6 .*n_v = 6", "5 features"),
        ("no pixels", X[:, :0], ValueError, "minimum of 1", r"0 feature"),
        ("values between 0 and 1", X * 0.5, ValueError, "expect 0 and 1 only. Threshold", "0.0 to 0.5"),
        ("grey levels", X * 255, ValueError, "expect 0 and 1 only", "0 to 255"),
        ("negative values", -X.astype(int), ValueError, "expect 0 and 1 only", "-1 to 0"),
        ("words", [["a"] * N_V], ValueError, "expected numbers", "dtype <U1"),
        ("objects", [[{}] * N_V], TypeError, "number", "objects"),
        ("complex numbers", X * 1j, ValueError, "expected real numbers", "complex128"),
        ("dates", X.astype("M8[s]"), ValueError, "expected numbers", "datetime64"),
        ("nothing", None, ValueError, r"\(n, n_v\)", r"\(\)"),
        ("rows of different lengths", [[1, 0], [1]], ValueError, r"X.*expected", "X"),
    ]
    calls = {
        "LRBN.transform": lambda images: lrbn().transform(images),
        "LRBN.reconstruct": lambda images: lrbn().reconstruct(images),
        "LRBN.log_joint": lambda images: lrbn().log_joint(images, H),
        "LRBN.score_samples": lambda images: lrbn().score_samples(images),
        "LRBN.partial_fit": lambda images: lrbn().partial_fit(images),
        "RBM.transform": lambda images: rbm().transform(images),
        "RBM.posterior": lambda images: rbm().posterior(images),
        "RBM.reconstruct": lambda images: rbm().reconstruct(images),
        "RBM.log_joint": lambda images: rbm().log_joint(images, H),
        "RBM.score_samples": lambda images: rbm().score_samples(images),
        "RBM.partial_fit": lambda images: rbm().partial_fit(images),
    }
    table = [
        Bad(f"{where}: {name}", lambda call=call, value=value: call(value), error, expected, got)
        for where, call in calls.items()
        for name, value, error, expected, got in wrong
    ]
    fits = {"LRBN.fit": LRBN, "RBM.fit": RBM}
    table += [
        Bad(f"{where}: {name}", lambda f=family, value=value: f(3).fit(value), error, expected, got)
        for where, family in fits.items()
        for name, value, error, expected, got in wrong
        if name != "wrong width"
    ]
    table += [
        Bad(
            f"gaussian {name}: {value}",
            lambda c=call, v=value: c(with_value(v)),
            ValueError,
            "finite",
            "contains infinity" if np.isinf(value) and "RBM." not in name else "NaN or inf",
        )
        for name, call in {
            "fit": lambda images: LRBN(3, visible="gaussian").fit(images),
            "partial_fit": lambda images: gaussian().partial_fit(images),
            "transform": lambda images: gaussian().transform(images),
            "log_joint": lambda images: gaussian().log_joint(images, H),
            "RBM.fit": lambda images: RBM(3, visible="gaussian").fit(images),
            "bernoulli transform": lambda images: lrbn().transform(images),
        }.items()
        for value in ((np.nan,) if "RBM." in name else ()) + (np.inf, -np.inf)  # an LRBN learns around NaN
    ]
    return table


def image_table() -> list[Bad]:
    """Whatever takes one image."""
    wrong = [
        ("a batch", X, ValueError, r"\(6,\).*ravel", r"\(4, 6\)"),
        ("wrong width", x[:5], ValueError, "expecting 6 .*n_v = 6", "5 features"),
        ("empty", [], ValueError, "minimum of 1", "0 feature"),
        ("infinity", [np.inf] * N_V, ValueError, "finite", "infinity"),
        ("non-binary", x * 2.0, ValueError, "expect 0 and 1 only", "0.0 to 2.0"),
        ("words", ["a"] * N_V, ValueError, "expected numbers", "<U1"),
        ("a number", 3, ValueError, r"\(6,\)", r"\(\)"),
        ("nothing", None, ValueError, r"\(6,\)", r"\(\)"),
        ("objects", [{}] * N_V, TypeError, "number", "objects"),
    ]
    calls = {
        "LRBN.map_trace": lambda image: lrbn().map_trace(image),
        "LRBN.stepper": lambda image: lrbn().stepper(image),
        "RBM.map_trace": lambda image: rbm().map_trace(image),
        "exact_posterior": lambda image: exact_posterior(lrbn(), image),
        "explain_away": lambda image: explain_away(lrbn(), image, h0),
        "log_odds_terms": lambda image: log_odds_terms(lrbn(), image, h0, 0),
    }
    return [
        Bad(f"{where}: {name}", lambda call=call, value=value: call(value), error, expected, got)
        for where, call in calls.items()
        for name, value, error, expected, got in wrong
    ]


TABLE = [*images_table(), *image_table()]


@pytest.mark.parametrize("bad", TABLE, ids=[bad.name for bad in TABLE])
def test_images_of_the_wrong_kind_are_refused_with_a_message_that_helps(bad):
    assert_refused(bad)
