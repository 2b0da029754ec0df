"""What becomes of a model's weights: means, errors, bounds and words, of a model that gives known numbers."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from lrbn_viz.chunks import LOCAL_POOL, ROWS
from lrbn_viz.core.model import NotOffered
from lrbn_viz.measure import (
    ais_bracket,
    bounded_log_likelihood,
    importance_bracket,
    log_likelihood,
    raise_bracket,
    reconstruction_error,
)
from lrbn_viz.measure import bracket as bracketing
from lrbn_viz.measure import likelihood as estimating
from lrbn_viz.measure.likelihood import LogLikelihood, part_of

pytestmark = pytest.mark.nojit
ALL = ("exact", "map_bound", "csl", "variational", "ais", "raise", "importance")


class Known:
    """A stand-in for a model: each image is one number, and all that is asked of it is a sum of numbers."""

    visible = "bernoulli"
    n_visible_ = 1
    layer_sizes_: tuple[int, ...] = (25,)
    methods: Any = MappingProxyType({"icm": None, "gibbs": None})
    pooled_methods: frozenset[str] = frozenset({"icm"})

    def __init__(self, graph: str = "directed", n_latents: int = 25, likelihoods=ALL, **more: Any) -> None:
        self.graph, self.n_latents_, self.likelihoods = graph, n_latents, likelihoods
        self.sums_out_latents, self.log_z = False, None
        self.asked: list[Any] = []
        self.__dict__.update(more)

    def check_images(self, X: Any) -> Any:
        return np.asarray(X, float)

    def sample_joint(self, n: int, rng: Any) -> Any:
        rng.random()
        return np.arange(n, dtype=np.uint8)[:, None], ("latents", n)

    def annealed_weights(self, X, n_temperatures, rng, *, posterior=None, progress=None):
        self.asked.append(("ais", X.dtype, n_temperatures, posterior))
        if progress is not None:
            progress(0.5)
            progress(1.0)
        chain = np.arange(len(X)) % 2
        return -X[:, 0] - 3.0 + 0.5 * chain + (0.0 if posterior is None else 1.0 + X[:, 0])

    def reverse_weights(self, X, n_temperatures, rng, *, progress=None):
        self.asked.append(("raise", n_temperatures))
        if progress is not None:
            progress(1.0)
        return -X[:, 0] - 8.0

    def annealed_normaliser(self, n_temperatures, n_chains, rng, progress=None):
        self.asked.append(("normaliser", n_temperatures, n_chains))
        if progress is not None:
            progress(1.0)
        return 2.0 + 0.1 * (np.arange(n_chains) % 2)

    def reversed_normaliser(self, H, n_temperatures, rng):
        self.asked.append(("back", H, n_temperatures))
        return 2.5 + 0.1 * np.arange(H[1])

    def log_marginal(self, X):
        return -2.0 * X[:, 0]

    def log_normaliser(self):
        return self.log_z

    def variational_bound(self, X):
        return -3.0 * X[:, 0]

    def map_states(self, X, n_sweeps, rng):
        return n_sweeps

    def joint(self, X, H):
        return -X[:, 0] - (H if isinstance(H, int) else 0.25)

    def proposal(self, X, n_sweeps, rng):
        return n_sweeps

    def proposal_log_q(self, proposal, H):
        return -4.0

    def reconstruct(self, X, **how):
        self.asked.append(how)
        return np.asarray(X, float) + 2.0 * (np.arange(np.shape(X)[1]) % 2)


X = np.array([[0.0], [1.0], [4.0]])


def known(*how: Any, **more: Any) -> Any:
    return Known(*how, **more)


def drawn(model, X, proposal, n_samples, rng, progress=None):
    """Stand in for importance sampling: weights that differ by 1 from draw to draw."""
    if progress is not None:
        progress(1.0)
    return -X[:, 0] - proposal + np.arange(n_samples)[:, None] * 1.0


def error_of(weights: Any) -> float:
    """The delta method's error of the mean over images of the logarithm of the mean weight."""
    w = np.exp(weights)
    errors = w.std(axis=0, ddof=1) / (w.mean(axis=0) * np.sqrt(len(w)))
    return float(np.sqrt((errors**2).sum()) / len(errors))


def test_a_mean_weight_has_its_size_and_error():
    far = np.array([0.0, 900.0, -900.0])
    weights = np.random.default_rng(0).normal(size=(7, 3)) + far
    values, size, error = estimating._mean_weight(weights)
    w = np.exp(weights - far)
    np.testing.assert_allclose(values, np.log(w.mean(axis=0)) + far, rtol=1e-12)
    np.testing.assert_allclose(size, w.sum(axis=0) ** 2 / (w**2).sum(axis=0))
    assert error == pytest.approx(error_of(np.log(w)))
    _, _, alone = estimating._mean_weight(weights[:1])
    assert np.isnan(alone)
    two = estimating._mean_weight(weights[:2, :1])
    assert two[2] == pytest.approx(error_of(np.log(w)[:2, :1]))


@pytest.mark.parametrize("bound", ["exact", "lower", "upper", "neither"])
def test_an_estimate_says_what_it_is(bound):
    found = LogLikelihood(np.array([-1.0, -2.0, -6.0]), "ais", bound, 0.125)
    assert found.mean == -3.0
    assert found.standard_error == pytest.approx(np.std([-1, -2, -6], ddof=1) / np.sqrt(3))
    sign = {"exact": "=", "lower": ">=", "upper": "<=", "neither": "~"}[bound]
    assert str(found) == (
        f"log P(x) {sign} -3.00 nats (ais, 3 images, standard error 1.53, of which the estimator's own 0.125)"
    )
    assert LogLikelihood(np.array([-1.0, -2.0]), "ais", bound).standard_error == pytest.approx(0.5)
    assert LogLikelihood(np.array([-1.0]), "ais", bound).standard_error == 0.0
    assert LogLikelihood(np.array([-1.0]), "ais", bound).estimator_error == 0.0


def test_a_parts_progress_is_told_as_the_wholes():
    told: list[float] = []
    report = part_of(told.append, 0.25, 0.5)
    assert report is not None
    for part in (0.0, 0.5, 1.0):
        report(part)
    assert told == [0.25, 0.5, 0.75]
    assert part_of(None, 0.0, 1.0) is None


def test_annealing_of_each_image_is_the_mean_of_its_chains():
    model, told = known(), []
    found: Any = log_likelihood(model, X, n_temperatures=7, n_chains=2, random_state=5, progress=told.append)
    weights = -X[:, 0] - 3.0 + np.array([[0.0], [0.5]])
    np.testing.assert_allclose(found.values, np.log(np.exp(weights).mean(axis=0)))
    assert found.estimator_error == pytest.approx(error_of(weights))
    assert (found.method, found.bound) == ("ais", "lower")
    assert found.settings == {"n_temperatures": 7, "n_chains": 2, "random_state": 5}
    assert model.asked == [("ais", np.float64, 7, None)]
    assert told == [0.5, 1.0]
    np.testing.assert_allclose(
        found.effective_sample_size, np.exp(weights).sum(0) ** 2 / np.exp(2 * weights).sum(0)
    )
    many = known()
    log_likelihood(many, np.zeros((ROWS + 1, 1)), n_chains=2)
    assert len(many.asked) == 3, "as many chains at a time as images"
    log_likelihood(many, np.zeros((2, 1)), n_chains=ROWS + 1)
    assert len(many.asked) == 5, "one image at least"


def test_defaults_are_those_of_the_documentation():
    model = known()
    found: Any = log_likelihood(model, X)
    assert found.settings == {"n_temperatures": 1000, "n_chains": 1, "random_state": 0}


@pytest.mark.parametrize("log_z", [None, 1.5])
@pytest.mark.parametrize("method", ["ais", "variational", "importance"])
def test_what_is_unnormalised_is_made_normal_exactly_or_by_annealing(monkeypatch, method: Any, log_z):
    monkeypatch.setattr(estimating.sampling, "importance", drawn)
    model = known("undirected", log_z=log_z)
    found: Any = log_likelihood(
        model, X, method=method, n_samples=4, n_temperatures=7, n_chains=3, n_sweeps=2
    )
    z = 2.0 + 0.1 * (np.arange(100) % 2)
    own, error = {
        "ais": (-X[:, 0] - 3.0 + 0.5 * (np.arange(9).reshape(3, 3).T % 2), 0.0),
        "variational": (-3.0 * X[:, 0][None], 0.0),
        "importance": (-X[:, 0] - 2.0 + np.arange(4)[:, None], 0.0),
    }[method]
    error = 0.0 if method == "variational" else error_of(own)
    value = np.log(np.exp(own).mean(axis=0))
    if log_z is None:
        of_z = np.log(np.exp(z).mean())
        np.testing.assert_allclose(found.values, value - of_z)
        assert found.bound == "neither"
        assert found.estimator_error == pytest.approx(np.hypot(error, error_of(z[:, None])))
        assert found.settings["log_partition"] == pytest.approx(of_z)
        assert found.settings["n_chains"] == 100
        assert found.settings["n_temperatures"] == 7
    else:
        np.testing.assert_allclose(found.values, value - 1.5)
        assert found.bound == "lower"
        assert found.estimator_error == pytest.approx(error)
        assert found.settings["log_partition"] == 1.5
    assert found.method == method


def test_where_latents_are_summed_out_only_the_normaliser_is_annealed():
    model, told = known("undirected", sums_out_latents=True), []
    found: Any = log_likelihood(model, X, n_temperatures=9, n_chains=150, progress=told.append)
    z = 2.0 + 0.1 * (np.arange(150) % 2)
    np.testing.assert_allclose(found.values, -2.0 * X[:, 0] - np.log(np.exp(z).mean()))
    assert (found.method, found.bound, told) == ("ais", "upper", [1.0])
    assert found.estimator_error == pytest.approx(error_of(z[:, None]))
    assert found.settings == {
        "n_temperatures": 9, "n_chains": 150, "random_state": 0,
        "log_partition": pytest.approx(np.log(np.exp(z).mean())),
    }  # fmt: skip
    assert model.asked == [("normaliser", 9, 150)]


def test_a_directed_model_needs_no_normaliser(monkeypatch):
    monkeypatch.setattr(estimating.sampling, "importance", drawn)
    method: Any
    for method, value in (("variational", -3.0 * X[:, 0]), ("map_bound", -X[:, 0] - 2.0)):
        found: Any = log_likelihood(known(), X, method=method, n_sweeps=2)
        np.testing.assert_allclose(found.values, value)
        assert (found.bound, "log_partition" in found.settings) == ("lower", False)
    found: Any = log_likelihood(known(), X, method="importance", n_sweeps=2)
    assert found.settings == {"n_samples": 200, "n_sweeps": 2, "random_state": 0}
    back = log_likelihood(known(), X, method="raise", n_temperatures=4)
    np.testing.assert_allclose(back.values, -X[:, 0] - 8.0)
    assert (back.method, back.bound) == ("raise", "lower")


def test_the_exact_value_is_less_the_normaliser_or_says_what_is_missing():
    found: Any = log_likelihood(known(log_z=1.5), X, method="exact")
    np.testing.assert_allclose(found.values, -2.0 * X[:, 0] - 1.5)
    assert (found.bound, found.estimator_error, found.settings) == ("exact", 0.0, {})
    with pytest.raises(ValueError, match=r"at most 20 units; .* n_v = 1 and n_h = 25. Use method=\"ais\""):
        log_likelihood(known(), X, method="exact")


def test_the_curve_of_csl_is_of_each_repetition(monkeypatch):
    asked = []

    def conservative(model, X, sizes, rng, progress=None):
        asked.append(sizes)
        offset = float(len(asked))
        curve = -X[:, 0] - offset + np.arange(len(sizes))[:, None] * (1.0 + 0.5 * offset)
        if progress is not None:
            progress(1.0)
        return curve, np.full(len(X), 10.0 * offset)

    monkeypatch.setattr(estimating.sampling, "conservative", conservative)
    told: list[float] = []
    found: Any = log_likelihood(
        known(), X, method="csl", n_samples=1000, n_repetitions=4, progress=told.append
    )
    assert asked == [[100, 1000]] * 4
    np.testing.assert_allclose(found.values, -X[:, 0] - 2.5 + 2.25)
    assert found.curve is not None
    assert found.curve[0].tolist() == [100, 1000]
    offsets = np.arange(1.0, 5.0)
    means = -X.mean() - np.stack([offsets, offsets - 1.0 - 0.5 * offsets], axis=1)
    np.testing.assert_allclose(found.curve[1], means)
    assert found.estimator_error == pytest.approx(np.std(0.5 * offsets, ddof=1) / 2.0)
    np.testing.assert_allclose(found.effective_sample_size, 25.0)
    np.testing.assert_allclose(told, [0.25, 0.5, 0.75, 1.0])
    assert found.settings == {"n_samples": 1000, "n_repetitions": 4, "random_state": 0}
    assert (found.method, found.bound) == ("csl", "lower")
    once = log_likelihood(known(), X, method="csl", n_samples=50)
    assert asked[-1] == [50]
    assert np.isnan(once.estimator_error)
    two = log_likelihood(known(), X, method="csl", n_samples=50, n_repetitions=2)
    assert two.estimator_error == pytest.approx(np.std([1, 2], ddof=1) / np.sqrt(2))
    log_likelihood(known(), X, method="csl")
    assert asked[-1] == [100, 1000, 10_000, 100_000]
    log_likelihood(known(), X, method="csl", n_samples=2 * 10**9)
    assert asked[-1] == [*(10**power for power in range(2, 9)), 2 * 10**9]
    log_likelihood(known(), X, method="csl", n_samples=110)
    assert asked[-1] == [100, 110]


def test_all_images_share_the_samples_of_csl_wherever_they_are_drawn(monkeypatch):
    calls = []

    def conservative(model, X, sizes, rng, progress=None):
        calls.append(len(X))
        return np.full((len(sizes), len(X)), rng.random()), np.arange(len(X)) * 1.0

    monkeypatch.setattr(estimating.sampling, "conservative", conservative)
    images = np.zeros((ROWS + 3, 1))
    here = log_likelihood(known(), images, method="csl", n_samples=500)
    assert calls == [ROWS + 3]
    there: Any = log_likelihood(known(), images, method="csl", n_samples=500, pool=LOCAL_POOL)
    assert calls[1:] == [ROWS, 3]
    np.testing.assert_array_equal(here.values, there.values)
    assert len(set(there.values)) == 1
    assert np.shape(there.effective_sample_size) == (ROWS + 3,)


def test_importance_sampling_goes_in_pieces_and_says_its_defaults(monkeypatch):
    monkeypatch.setattr(estimating.sampling, "importance", drawn)
    found: Any = log_likelihood(model=known(), X=np.ones((ROWS + 3, 1)), method="importance", n_samples=4)
    assert found.settings == {"n_samples": 4, "n_sweeps": 0, "random_state": 0}
    np.testing.assert_allclose(found.values, np.full(ROWS + 3, np.log(np.exp(np.arange(4.0)).mean()) - 1.0))


def test_a_seed_is_told_as_it_was_given():
    assert estimating.seed_setting(None) is None
    assert estimating.seed_setting(7) == 7
    assert estimating.seed_setting(np.int64(7)) == 7
    assert estimating.seed_setting(np.random.default_rng(0)) == "given"


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"n_temperatures": 0}, "n_temperatures"), ({"n_chains": 0}, "n_chains"),
        ({"n_repetitions": 0}, "n_repetitions"), ({"n_sweeps": -1}, "n_sweeps"),
        ({"n_samples": 0}, "n_samples"), ({"method": "raise"}, "one of 'exact', 'ais'; got 'raise'"),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_said(how, words):
    with pytest.raises(ValueError, match=words):
        log_likelihood(known(likelihoods=("exact", "ais")), X, **how)
    fine: dict[str, Any] = {
        "n_temperatures": 1,
        "n_chains": 1,
        "n_repetitions": 1,
        "n_sweeps": 0,
        "n_samples": 1,
    }
    log_likelihood(known(likelihoods=("exact", "ais")), X, **fine)


def test_annealing_both_ways_is_of_the_same_images():
    model, told = known(), []
    found = ais_bracket(model, 4, n_temperatures=6, random_state=2, progress=told.append)
    own = np.arange(4.0)
    np.testing.assert_allclose(found.lower.values, -own - 3.0 + 0.5 * (own % 2))
    np.testing.assert_allclose(found.upper.values, -2.0 + 0.5 * (own % 2))
    np.testing.assert_allclose(found.width, 1.0 + own)
    assert [(a[0], a[2], a[3]) for a in model.asked] == [("ais", 6, None), ("ais", 6, ("latents", 4))]
    assert model.asked[0][1] == np.float64
    assert told == [0.25, 0.5, 0.75, 1.0]
    for side, bound in ((found.lower, "lower"), (found.upper, "upper")):
        assert (side.method, side.bound) == ("ais", bound)
        assert side.settings == {"n_temperatures": 6, "n_chains": 1, "random_state": 2}
        assert np.isnan(side.estimator_error)
        np.testing.assert_array_equal(side.effective_sample_size, np.ones(4))
    error = np.std([1, 2, 3, 4], ddof=1) / 2.0
    assert str(found) == (
        f"{found.lower.mean:.2f} <= log P(x) <= {found.upper.mean:.2f} nats (ais both ways, 4 images drawn "
        f"from the model, width 2.50, its standard error {error:.2f})"
    )
    assert "standard error 0.00" in str(ais_bracket(known(), 1))
    assert "standard error 0.50" in str(ais_bracket(known(), 2))
    assert ais_bracket(known()).lower.settings == {"n_temperatures": 1000, "n_chains": 1, "random_state": 0}
    assert len(ais_bracket(known()).X) == 100
    assert len(ais_bracket(known(), 1, n_temperatures=1).X) == 1
    wrong: dict[str, Any]
    for wrong in ({"n_images": 0}, {"n_temperatures": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            ais_bracket(known(), **wrong)
    with pytest.raises(NotOffered, match=r"expected a directed model.*got Known. Use raise_bracket"):
        ais_bracket(known("undirected"))


def test_raise_and_ais_of_the_normaliser_stand_on_either_side():
    model, told = known("undirected", sums_out_latents=True), []
    found = raise_bracket(
        model=model, X=X, n_temperatures=6, n_chains=2, random_state=2, progress=told.append
    )
    z = 2.0 + 0.1 * (np.arange(100) % 2)
    np.testing.assert_allclose(found.lower.values, -X[:, 0] - 8.0)
    np.testing.assert_allclose(found.upper.values, -2.0 * X[:, 0] - np.log(np.exp(z).mean()))
    assert model.asked == [("raise", 6), ("normaliser", 6, 100)]
    assert told == [0.5, 1.0]
    np.testing.assert_array_equal(found.X, X)
    spread = found.width.std(ddof=1) / np.sqrt(3)
    assert str(found).endswith(
        f"(raise and ais, 3 images, width {found.width.mean():.2f}, its standard error "
        f"{np.hypot(spread, found.upper.estimator_error):.2f})"
    )
    assert found.lower.settings["random_state"] == 2
    plain = raise_bracket(known("undirected", sums_out_latents=True), X)
    assert plain.lower.settings == {"n_temperatures": 1000, "n_chains": 1, "random_state": 0}
    with pytest.raises(NotOffered, match=r"expected an undirected model.*got Known. Use ais_bracket"):
        raise_bracket(known(likelihoods=("ais",)), X)


def test_importance_sampling_is_bounded_with_the_latents_that_an_image_was_drawn_from(monkeypatch):
    monkeypatch.setattr(bracketing, "importance", drawn)
    model, told = known("mixed"), []
    both, log_z = importance_bracket(
        model, 4, n_samples=3, n_temperatures=6, random_state=2, progress=told.append
    )
    own, z = np.arange(4.0), 2.0 + 0.1 * (np.arange(100) % 2)
    back = 2.5 + 0.1 * own
    assert log_z.lower == pytest.approx(np.log(np.exp(z).mean()))
    assert log_z.upper == pytest.approx(back.mean())
    assert log_z.error == pytest.approx(back.std(ddof=1) / 2.0)
    weights = -own + np.arange(3.0)[:, None]
    np.testing.assert_allclose(both.lower.values, np.log(np.exp(weights).mean(0)) - back.mean())
    weights[0] = -own - 0.25 + 4.0
    np.testing.assert_allclose(both.upper.values, np.log(np.exp(weights).mean(0)) - log_z.lower)
    assert told == [0.2, 0.5, 1.0]
    assert model.asked == [("back", ("latents", 4), 6), ("normaliser", 6, 100)]
    for side, bound in ((both.lower, "lower"), (both.upper, "upper")):
        assert (side.method, side.bound) == ("importance", bound)
        assert side.settings == {"n_samples": 3, "n_temperatures": 6, "random_state": 2}
        np.testing.assert_array_equal(side.effective_sample_size, np.full(4, 3.0))
    assert both.lower.estimator_error == log_z.error
    assert np.isnan(both.upper.estimator_error)
    assert "(importance sampling both ways, 4 images drawn from the model, width" in str(both)
    more = known("mixed")
    importance_bracket(more, 120, n_samples=2)
    assert more.asked[1] == ("normaliser", 1000, 120), "a chain for each drawn image"
    assert np.isnan(importance_bracket(known("mixed"), 1, n_samples=2)[1].error)
    two = importance_bracket(known("mixed"), 2, n_samples=2, n_temperatures=1)[1]
    assert two.error == pytest.approx(0.1 / 2.0)
    usual = importance_bracket(known("mixed"))[0]
    assert len(usual.X) == 100
    assert usual.lower.settings == {"n_samples": 1000, "n_temperatures": 1000, "random_state": 0}
    wrong: dict[str, Any]
    for wrong in ({"n_images": 0}, {"n_samples": 1}, {"n_temperatures": 0}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            importance_bracket(known("mixed"), **wrong)


def bounded(model: Any, n_bracket: int = 2, **how: Any):
    told: list[float] = []
    found = bounded_log_likelihood(model, X, n_bracket, random_state=2, progress=told.append, **how)
    return found, told


def test_a_small_model_is_enumerated():
    for n_latents in (1, 20):
        found, _ = bounded(known(n_latents=n_latents, log_z=0.5))
        assert (found.by, found.lower_is, found.upper_is) == ("enumeration", "exact", "exact")
        assert found.lower == found.upper == found.estimate.mean == pytest.approx(-2.0 * X.mean() - 0.5)
    assert bounded(known(n_latents=21))[0].by == "AIS"
    assert bounded(known(n_latents=20, likelihoods=("ais",)))[0].by == "AIS"


def test_a_directed_model_is_as_much_above_ais_as_its_bracket_is_wide():
    model = known()
    found, told = bounded(model, n_temperatures=6)
    assert (found.by, found.lower_is, found.upper_is) == ("AIS", bracketing.BELOW, bracketing.DRAWN)
    assert found.lower == found.estimate.mean
    assert found.upper == pytest.approx(found.estimate.mean + 1.5)
    np.testing.assert_allclose(told, [0.3, 0.6, 0.7, 0.8, 0.9, 1.0])
    assert [a[2] for a in model.asked] == [6, 6, 6]
    usual = known()
    default = bounded_log_likelihood(model=usual, X=X)
    assert default.estimate.settings["random_state"] == 0
    assert [a[2] for a in usual.asked] == [1000] * 3
    assert usual.asked[-1][3] == ("latents", 50)
    assert bracketing._mean_width(np.array([-2.0, 1.0])) == 0.0
    assert bracketing._mean_width(np.array([-1.0, 2.0])) == 0.5


@pytest.mark.parametrize("sums_out", [True, False])
def test_an_undirected_model_is_as_much_below_ais_as_raise_is(sums_out):
    model = known("undirected", sums_out_latents=sums_out)
    found, told = bounded(model)
    assert (found.by, found.lower_is) == ("AIS of log Z", bracketing.BACK)
    assert found.upper_is == (bracketing.OF_Z if sums_out else bracketing.OF_BOTH)
    assert found.upper == found.estimate.mean
    width = (found.estimate.values[:2] - (-X[:2, 0] - 8.0)).mean()
    assert found.lower == pytest.approx(found.estimate.mean - width)
    assert told[-1] == pytest.approx(1.0)
    assert told == sorted(told)


def test_where_neither_applies_importance_sampling_is_bounded(monkeypatch):
    monkeypatch.setattr(estimating.sampling, "importance", drawn)
    monkeypatch.setattr(bracketing, "importance", drawn)
    monkeypatch.setattr(bracketing, "N_SAMPLES", 6)
    exactly, _ = bounded(known("mixed", likelihoods=("importance",), log_z=0.5))
    assert (exactly.by, exactly.lower_is) == ("importance sampling", bracketing.SAMPLED)
    assert (exactly.lower, exactly.upper, exactly.upper_is) == (exactly.estimate.mean, None, None)
    model = known("mixed", likelihoods=("importance",))
    found, told = bounded(model, 4)
    assert found.by == "importance sampling, log Z by AIS"
    assert (found.lower_is, found.upper_is) == (bracketing.FROM_ABOVE_Z, bracketing.WITH_ITS_OWN)
    both, log_z = importance_bracket(known("mixed"), 4, n_samples=6, random_state=2)
    width = max(both.width.mean() - (log_z.upper - log_z.lower), 0.0)
    summed = found.estimate.mean + found.estimate.settings["log_partition"]
    assert found.lower == pytest.approx(summed - log_z.upper)
    assert found.upper == pytest.approx(summed - log_z.lower + width)
    assert found.estimate.settings["n_samples"] == 6
    assert told[-1] == pytest.approx(1.0)
    narrow, _ = bounded(known("mixed", likelihoods=("importance",), joint=lambda X, H: -X[:, 0] - 50.0), 4)
    assert narrow.upper == pytest.approx(summed - log_z.lower), "no less than nothing is left open"


def test_reconstruction_errors_are_wrong_pixels_or_squared_distances():
    images = np.zeros((3, 5))
    model = known()
    np.testing.assert_array_equal(reconstruction_error(model, images), [2, 2, 2])
    real = known(visible="gaussian")
    np.testing.assert_array_equal(reconstruction_error(model=real, X=images + 1.0), [8.0, 8.0, 8.0])
    real.reconstruct = lambda X: X + 3.0
    np.testing.assert_array_equal(reconstruction_error(real, images + 1.0), [45.0, 45.0, 45.0])
    assert model.asked == [{}]
    deep = known(layer_sizes_=(4, 3))
    reconstruction_error(deep, images, layer=2, method="gibbs", n_sweeps=3)
    reconstruction_error(deep, images)
    assert deep.asked == [{"layer": 2, "method": "gibbs", "n_sweeps": 3}, {"layer": 1}]
    with pytest.raises(ValueError, match="layer must be 1 for a model of one layer; got 2"):
        reconstruction_error(model, images, layer=2)
    with pytest.raises(ValueError, match="of this Known is exact: method must be left out, got 'icm'"):
        reconstruction_error(known(methods={}), images, method="icm")


def test_what_takes_a_pool_itself_is_given_it_and_all_else_goes_in_pieces():
    images = np.zeros((ROWS + 3, 5))
    own = known()
    reconstruction_error(own, images, pool=LOCAL_POOL)
    reconstruction_error(own, images, pool=LOCAL_POOL, method="icm")
    assert own.asked == [{"pool": LOCAL_POOL}, {"pool": LOCAL_POOL, "method": "icm"}]
    pieces = known()
    found = reconstruction_error(pieces, images, pool=LOCAL_POOL, method="gibbs")
    assert pieces.asked == [{"method": "gibbs"}] * 2
    np.testing.assert_array_equal(found, np.full(len(images), 2))
    exact = known(methods={})
    reconstruction_error(exact, images, pool=LOCAL_POOL)
    assert exact.asked == [{}, {}]
