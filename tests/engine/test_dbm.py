"""The deep Boltzmann machine: probabilities, bounds and gradients against enumeration, and its stages."""

from __future__ import annotations

import math
from itertools import chain
from typing import NamedTuple

import naive
import numpy as np
import pytest

from lrbn_viz import DBM, RBM, load_dataset, load_model
from lrbn_viz.core.model import LayerParams, NotOffered
from lrbn_viz.io.storage import UnreadableFile
from lrbn_viz.measure import log_likelihood, raise_bracket
from lrbn_viz.rivals.dbm import model as dbm
from lrbn_viz.rivals.dbm.system import FIRST, SECOND, TOGETHER, DBMState, DBMSystem
from lrbn_viz.rivals.rbm.model import free_energy, log_partition
from lrbn_viz.training import Training

N_V, N_H, N_TOP = 4, 3, 3
IMAGES = np.array(list(naive.states(N_V)))


class Both(NamedTuple):
    """Parameters of both layers by name, as the naive formulas read them."""

    W: np.ndarray
    b: np.ndarray
    d: np.ndarray
    U: np.ndarray
    e: np.ndarray

    @property
    def pair(self) -> tuple[LayerParams, LayerParams]:
        return LayerParams(self.W, self.b, self.d), LayerParams(self.U, self.d, self.e)


def layers(seed: int = 0, n_v: int = N_V, n_h: int = N_H, n_top: int = N_TOP, scale: float = 0.8):
    """Random parameters of both layers, exact in single precision."""
    rng = np.random.default_rng(seed)
    shapes = ((n_v, n_h), (n_v,), (n_h,), (n_h, n_top), (n_top,))
    return Both(*(rng.normal(0, scale, s).astype(np.float32).astype(np.float64) for s in shapes))


def image(seed: int = 0, n_v: int = N_V) -> np.ndarray:
    return np.random.default_rng([seed, 1]).integers(0, 2, n_v).astype(np.uint8)


def model_of(params: Both, **how) -> DBM:
    return DBM.from_params(*params[:3], U=params.U, e=params.e, **how)


def state_of(params: Both, **how) -> tuple[DBMSystem, DBMState]:
    system = DBMSystem(len(params.d), n_top=len(params.e), **how)
    return system, system.resume(params.pair, np.random.default_rng(0))


def slopes(function, params: Both, name: str, step: float = 1e-5) -> np.ndarray:
    """Return central differences of a function of parameters in those of one name."""
    slope = np.zeros(getattr(params, name).shape)
    for index in np.ndindex(slope.shape):
        sides = []
        for sign in (1, -1):
            moved = getattr(params, name).copy()
            moved[index] += sign * step
            sides.append(function(params._replace(**{name: moved})))
        slope[index] = (sides[0] - sides[1]) / (2 * step)
    return slope


# -- probabilities


@pytest.mark.parametrize("scale", [0.5, 3.0])
def test_joint_marginal_and_normaliser_are_sums_over_all_states(scale):
    for seed in range(2):
        params, x = layers(seed, scale=scale), image(seed)
        model = model_of(params)
        for h in naive.states(N_H):
            for g in naive.states(N_TOP):
                expected = naive.log_joint_of_dbm(params, x, h, g)
                assert model.log_joint(x[None], np.hstack([h, g])[None])[0] == pytest.approx(
                    expected, abs=1e-9
                )
        assert model.log_marginal(x[None] * 1.0)[0] == pytest.approx(
            naive.log_evidence_of_dbm(params, x), abs=1e-9
        )
        assert model.log_normaliser() == pytest.approx(naive.log_partition_of_dbm(params), abs=1e-9)


def test_probabilities_of_all_images_sum_to_one():
    found = log_likelihood(model_of(layers()), IMAGES, method="exact")
    assert found.bound == "exact"
    assert math.fsum(np.exp(found.values)) == pytest.approx(1.0, abs=1e-12)


def test_without_an_upper_layer_it_is_the_rbm_below():
    params = layers(1)._replace(U=np.zeros((N_H, N_TOP)))
    expected = log_likelihood(RBM.from_params(*params[:3]), IMAGES, method="exact").values
    model = model_of(params)
    np.testing.assert_allclose(log_likelihood(model, IMAGES, method="exact").values, expected, atol=1e-9)
    # then mean field is exact
    np.testing.assert_allclose(
        log_likelihood(model, IMAGES, method="variational").values, expected, atol=1e-9
    )


def test_log_odds_of_every_unit_are_differences_of_the_joint():
    params, x = layers(2, scale=2.0), image(2)
    model = model_of(params)
    for h in naive.states(N_H + N_TOP):
        odds = np.hstack(model.conditional_log_odds(x[None] * 1.0, model.split(h[None])))[0]
        for j in range(N_H + N_TOP):
            on, off = (
                naive.log_joint_of_dbm(params, x, *np.split(naive.with_unit(h, j, s), [N_H])) for s in (1, 0)
            )
            assert odds[j] == pytest.approx(on - off, abs=1e-9)
            assert model.log_odds_terms(x * 1.0, h, j).log_odds == pytest.approx(on - off, abs=1e-9)


# -- mean field and its bound


def test_the_bound_is_the_sum_over_all_states_below_the_evidence_and_the_joint_itself_at_states():
    for seed in range(3):
        params, x = layers(seed, scale=1.5), image(seed)
        exact = naive.log_evidence_of_dbm(params, x)
        for q in np.random.default_rng(seed).random((4, N_H + N_TOP)):
            lower, upper = np.split(q, [N_H])
            found = dbm.bound(params.pair, x[None], dbm.Means(lower[None], upper[None]))[0]
            assert found == pytest.approx(naive.bound_of_dbm(params, x, lower, upper), abs=1e-9)
            assert found <= exact + 1e-9
            moved = dbm.LayerMeans(params.pair, x, q)
            assert moved.bound() == pytest.approx(found, abs=1e-9)
            for j in (1, N_H + 1):
                moved.move(j, 0.3)
                after = moved.bound()
                moved.refresh()
                assert moved.bound() == pytest.approx(after, abs=1e-9)
        h, g = image(seed, N_H), image(seed + 9, N_TOP)
        at = dbm.bound(params.pair, x[None], dbm.Means(h[None] * 1.0, g[None] * 1.0))[0]
        assert at == pytest.approx(naive.log_joint_of_dbm(params, x, h, g), abs=1e-9)


def test_mean_field_ends_where_the_naive_one_does_and_no_update_lowers_the_bound():
    for seed in range(3):
        params, x = layers(seed, scale=1.5), image(seed)
        X = x[None] * 1.0
        lower = [naive.sigmoid(2 * (params.W[:, j] @ x) + params.d[j]) for j in range(N_H)]
        upper = [naive.sigmoid(params.U[:, k] @ lower + params.e[k]) for k in range(N_TOP)]
        bounds = []
        for n in (0, 1, 2, 3, 40):
            expected = naive.mean_field_of_dbm(params, x, lower, upper, n)
            found = dbm.mean_field(params.pair, X, n)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_allclose(one[0], other, atol=1e-12)
            bounds.append(dbm.bound(params.pair, X, found)[0])
        assert (np.diff(bounds) > -1e-9).all()
        assert bounds[-1] <= naive.log_evidence_of_dbm(params, x)


def test_a_trace_climbs_the_bound_to_a_slope_of_zero():
    for seed in range(3):
        params, x = layers(seed, scale=1.5), image(seed)
        model = model_of(params)
        trace = model.map_trace(x, n_sweeps=500)
        assert trace.means
        assert trace.converged
        assert not trace.normalised
        assert (np.diff([trace.log_joint0, *trace.log_joint]) > -1e-9).all()
        assert trace.log_joint[-1] <= naive.log_evidence_of_dbm(params, x)
        ends = trace.latents(trace.n_visits)
        after = naive.mean_field_of_dbm(params, x, ends[:N_H], ends[N_H:], 1)
        np.testing.assert_allclose(np.hstack(after), ends, atol=2e-3)
        begun = model.map_trace(x, n_sweeps=0, guess=True)
        np.testing.assert_allclose(
            begun.latents(N_H + N_TOP), np.hstack(dbm.mean_field(params.pair, x[None] * 1.0, 0))[0]
        )


def test_a_held_latent_is_not_visited_and_every_method_of_a_lane_takes_it():
    model = model_of(layers(3))
    for method in model.trace_methods:
        for held in (1, N_H + 1):
            trace = model.trace(image(3), method, clamp={held: 1}, init="conditional", random_state=0)
            assert not (trace.unit == held).any()
            assert trace.latents(trace.n_visits)[held] == 1


def test_the_gap_tells_whether_the_upper_layer_says_anything_of_an_image():
    params = layers(4, scale=0.3)
    assert model_of(params._replace(U=np.zeros((N_H, N_TOP)))).upper_layer_gap(
        IMAGES
    ).mean() == pytest.approx(0)
    # a unit that is always on says the same of all images, as a bias does
    constant = model_of(params._replace(e=np.full(N_TOP, 40.0)))
    assert abs(constant.upper_layer_gap(IMAGES).mean()) < 1e-6
    told = params._replace(
        W=np.full((N_V, N_H), 2.0),
        b=np.full(N_V, 0.0),
        d=np.full(N_H, -7.0),
        U=np.full((N_H, N_TOP), 2.0),
        e=np.full(N_TOP, -3.0),
    )
    assert model_of(told).upper_layer_gap(IMAGES).mean() > 0.1


# -- estimators


def test_annealing_is_right_on_average_and_errs_as_it_says():
    params, x, n = layers(5, scale=1.2), image(5), 4000
    model, rng = model_of(params), np.random.default_rng(0)
    exact, log_z = naive.log_evidence_of_dbm(params, x), naive.log_partition_of_dbm(params)
    X = np.tile(x * 1.0, (n, 1))
    for found, truth in (
        (model.annealed_weights(X, 3, rng), exact),
        (model.annealed_normaliser(3, n, rng), log_z),
    ):
        sampled = np.exp(found - truth)
        assert abs(sampled.mean() - 1) < 4 * sampled.std() / math.sqrt(n)
        assert found.mean() < truth + 4 * found.std() / math.sqrt(n)


def test_raise_is_right_on_average_over_all_images_and_between_the_bounds():
    params, n = layers(6, scale=0.6), 400
    model = model_of(params)
    X = np.repeat(IMAGES * 1.0, n, axis=0)
    weights = np.exp(model.reverse_weights(X, 5, np.random.default_rng(0))).reshape(len(IMAGES), n)
    # of the annealing model, whose probabilities sum to 1
    error = math.sqrt((weights.var(axis=1) / n).sum())
    assert weights.mean(axis=1).sum() == pytest.approx(1.0, abs=4 * error)
    exact = log_likelihood(model, IMAGES, method="exact")
    drawn = model.sample(300, random_state=1)
    truth = log_likelihood(model, drawn, method="exact").mean
    found = raise_bracket(model, drawn, n_temperatures=50)
    assert found.lower.mean < truth + 0.05
    assert found.lower.mean > truth - 1.0
    assert found.upper.mean == pytest.approx(truth, abs=0.3)
    assert exact.bound == "exact"


def test_each_estimate_is_named_for_what_it_is():
    small = model_of(layers(7))
    exact = log_likelihood(small, IMAGES, method="exact").mean
    variational = log_likelihood(small, IMAGES, method="variational")
    assert variational.bound == "lower"
    assert variational.mean < exact
    many = log_likelihood(small, IMAGES, method="importance", n_samples=300)
    assert many.bound == "lower"
    assert variational.mean < many.mean < exact + 0.02
    assert log_likelihood(small, IMAGES, method="ais").bound == "upper"
    large = model_of(layers(8, n_v=12, n_h=22, n_top=21, scale=0.2))
    X = np.random.default_rng(0).integers(0, 2, (5, 12))
    assert large.log_normaliser() is None
    found = {
        m: log_likelihood(large, X, method=m, n_temperatures=200)
        for m in ("variational", "ais", "importance")
    }
    assert {each.bound for each in found.values()} == {"neither"}
    assert found["variational"].mean < found["ais"].mean + 0.1
    assert found["ais"].mean == pytest.approx(found["importance"].mean, abs=0.2)
    assert log_likelihood(large, X, method="raise", n_chains=20).mean == pytest.approx(
        found["ais"].mean, abs=0.5
    )
    with pytest.raises(ValueError, match="expected one of at most 20 latents, got 22 and 21"):
        log_likelihood(large, X, method="exact")
    with pytest.raises(NotOffered, match="no exact samples"):
        large.annealed_weights(X * 1.0, 5, np.random.default_rng(0), posterior=())


def test_an_estimate_is_the_bound_less_the_normaliser():
    for n_h, n_top in ((3, 3), (12, 11)):
        params = layers(9, n_v=12, n_h=n_h, n_top=n_top, scale=0.4)
        system, state = state_of(params)
        X = np.random.default_rng(1).integers(0, 2, (40, 12), np.uint8)
        found = system.estimate(state, X, np.random.default_rng(0))
        assert found["log_partition"] == pytest.approx(log_partition(dbm.joined(params.pair)), abs=0.15)
        expected = model_of(params).variational_bound(X * 1.0).mean() - found["log_partition"]
        assert found["variational_bound"] == pytest.approx(expected, abs=1e-4)
        gap = system.validate(state, X, np.random.default_rng(0))["upper_layer_gap"]
        assert gap == pytest.approx(model_of(params).upper_layer_gap(X).mean(), abs=1e-3)


def test_whether_layer_2_is_used_is_said_only_once_both_layers_have_learned_together():
    """In the first stages it has not learned, or not within the model: that it is not used is not known."""
    X = np.random.default_rng(1).integers(0, 2, (40, N_V), np.uint8)
    system = DBMSystem(N_H, n_top=N_TOP, first_share=0.4, second_share=0.2)
    run = Training(system, X, n_iter=10, batch_size=10, rng=np.random.default_rng(0), validation=X)
    judged = [event.metrics for _, event in run if "validation_score" in event.metrics]
    said = [(found["stage"], "validation_upper_layer_gap" in found) for found in judged]
    assert said == [(FIRST, False)] * 4 + [(SECOND, False)] * 2 + [(TOGETHER, True)] * 4


def test_samples_have_the_probabilities_of_the_model():
    params, n = layers(10), 20_000
    X = model_of(params, n_sample_sweeps=30).sample(n, random_state=1)
    codes = np.bincount(X @ (1 << np.arange(N_V)[::-1]), minlength=len(IMAGES))
    p = np.exp(log_likelihood(model_of(params), IMAGES, method="exact").values)
    assert (np.abs(codes - n * p) < 4.5 * np.sqrt(n * p * (1 - p))).all()


# -- gradients


def test_a_step_together_is_that_of_the_bound_less_the_normaliser():
    params, x, n = layers(11, scale=0.6), image(11), 40_000
    how = {"gradient": "standard", "n_particles": n, "n_gibbs": 40, "learning_rate": 0.1, "stage": TOGETHER}
    system, state = state_of(params, **how)
    after, figures = system.step(state, np.tile(x, (n, 1)), np.random.default_rng(1))
    assert figures["stage"] == TOGETHER
    lower, upper = (part[0] for part in dbm.mean_field(params.pair, x[None] * 1.0, system.n_updates))

    def objective(moved: Both) -> float:
        bound = dbm.bound(moved.pair, x[None] * 1.0, dbm.Means(lower[None], upper[None]))[0]
        return float(bound) - log_partition(dbm.joined(moved.pair))

    for name in Both._fields:
        found = (getattr(after, name) - getattr(state, name)) / 0.1
        np.testing.assert_allclose(found, slopes(objective, params, name), atol=5 / math.sqrt(n))


def test_the_first_stages_are_steps_of_rbms_with_two_copies_of_the_units_further_out():
    params, n = layers(12, scale=0.5), 40_000
    how = {"gradient": "standard", "n_particles": n, "n_gibbs": 40, "learning_rate": 0.1}
    X = np.tile(IMAGES[5], (n, 1)).astype(np.uint8)
    system = DBMSystem(N_H, n_top=N_TOP, **how)
    begun = system.resume(params.pair, np.random.default_rng(0))._replace(stage=FIRST)
    first, _ = system.step(begun, X, np.random.default_rng(2))

    def of_first(moved: Both) -> float:
        twice = LayerParams(np.vstack([moved.W] * 2), np.tile(moved.b, 2), moved.d)
        return float(-free_energy(twice, np.tile(IMAGES[5], 2))) - log_partition(twice)

    for name, copies in (("W", 2), ("b", 2)):
        found = (getattr(first, name) - getattr(begun, name)) / 0.1
        np.testing.assert_allclose(found * copies, slopes(of_first, params, name), atol=8 / math.sqrt(n))
    along_d = (first.d_first - begun.d_first) / 0.1
    np.testing.assert_allclose(along_d, slopes(of_first, params, "d"), atol=5 / math.sqrt(n))
    np.testing.assert_array_equal(first.U, begun.U)
    np.testing.assert_allclose(first.d, 0.5 * (first.d_first + first.d_second), atol=1e-7)

    second_of = DBMSystem(N_H, n_top=N_TOP, stage=SECOND, **how)
    begun = begun._replace(stage=SECOND)
    second, _ = second_of.step(begun, X, np.random.default_rng(3))
    seen = [naive.sigmoid(2 * (params.W[:, j] @ IMAGES[5]) + params.d[j]) for j in range(N_H)]

    def of_second(moved: Both) -> float:
        twice = LayerParams(np.hstack([moved.U] * 2), moved.d, np.tile(moved.e, 2))
        told = math.fsum(
            p * -float(free_energy(twice, h))
            for p, h in zip(naive.product(seen), naive.states(N_H), strict=True)
        )
        return told - log_partition(twice)

    for name in ("U", "e"):
        found = (getattr(second, name) - getattr(begun, name)) / 0.1
        np.testing.assert_allclose(found * 2, slopes(of_second, params, name), atol=8 / math.sqrt(n))
    along_d = (second.d_second - begun.d_second) / 0.1
    np.testing.assert_allclose(along_d, slopes(of_second, params, "d"), atol=5 / math.sqrt(n))
    np.testing.assert_array_equal(second.W, begun.W)


# -- stages


def test_stages_follow_each_other_and_the_rate_falls_within_each():
    system = DBMSystem(
        5,
        first_share=0.5,
        second_share=0.3,
        learning_rate=0.1,
        learning_rate_end=0.001,
        together_rate=0.5,
    )
    shares = (0.0, 0.25, 0.499999, 0.5, 0.65, 0.799999, 0.8, 1.0)
    found = [(system.at_progress(share).stage, system.at_progress(share).learning_rate) for share in shares]
    assert [stage for stage, _ in found] == [FIRST] * 3 + [SECOND] * 3 + [TOGETHER] * 2
    rates = [0.1, 0.01, 0.001, 0.1, 0.01, 0.001, 0.05, 0.0005]
    np.testing.assert_allclose([rate for _, rate in found], rates, rtol=1e-3)


def test_where_no_final_rate_is_given_the_rate_falls_to_a_tenth_within_each_stage():
    system = DBMSystem(5, first_share=0.5, second_share=0.25, learning_rate=0.2)
    rates = [system.at_progress(share).learning_rate for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    np.testing.assert_allclose(rates, [0.2, 0.2 / math.sqrt(10.0), 0.2, 0.2, 0.02])


def test_each_stage_learns_what_it_says():
    X = np.random.default_rng(0).integers(0, 2, (40, 9), np.uint8)
    changed = {FIRST: "Wbd", SECOND: "dUe", TOGETHER: "WbdUe"}
    state = DBMSystem(5, n_top=4, n_particles=7).init(X, np.random.default_rng(1))
    for stage in changed:
        system = DBMSystem(5, n_top=4, n_particles=7, stage=stage)
        following, figures = system.step(state, X, np.random.default_rng(3))
        assert figures["stage"] == following.stage == stage
        old, new = system.parameters(state), system.parameters(following)
        assert {name for name in old if not np.array_equal(old[name], new[name])} == set(changed[stage])
        assert system.gradient_norm(state, following) > 0
        again = system.with_parameters(following, new)
        for name, array in system.parameters(again).items():
            np.testing.assert_array_equal(array, new[name])
        state = following


def test_a_longer_budget_goes_back_to_no_stage():
    X = np.random.default_rng(0).integers(0, 2, (40, 9), np.uint8)
    run = Training(DBMSystem(5, n_top=4), X, n_iter=6, batch_size=10, rng=np.random.default_rng(0))
    stages = [state.stage for state, _ in run]
    assert stages == sorted(stages)
    assert set(stages) == {FIRST, SECOND, TOGETHER}
    run.n_iter = 20
    assert {state.stage for state, _ in run} == {TOGETHER}


@pytest.mark.parametrize("stage", [FIRST, SECOND, TOGETHER])
def test_a_step_that_leaves_the_finite_numbers_is_refused(stage):
    huge = layers()._replace(W=np.full((N_V, N_H), 1e38), U=np.full((N_H, N_TOP), 1e38))
    system = DBMSystem(N_H, n_top=N_TOP, stage=stage, learning_rate=1e38)
    state = system.resume(huge.pair, np.random.default_rng(0))._replace(stage=stage)
    with (
        np.errstate(over="ignore", invalid="ignore"),
        pytest.raises(FloatingPointError, match="not finite after step 1"),
    ):
        system.step(state, IMAGES.astype(np.uint8), np.random.default_rng(0))


# -- settings and files


def test_settings_that_cannot_be_are_refused_in_words():
    with pytest.raises(ValueError, match="leave no steps in which all layers learn together"):
        DBM(first_share=0.7, second_share=0.3).check_settings()
    with pytest.raises(ValueError, match=r"n_components is \(1, 2\) but layers of .* latents are given"):
        model_of(layers(), n_components=(1, 2))
    with pytest.raises(ValueError, match=r"U has shape \(3, 3\); expected \(3, 2\)"):
        model_of(layers()._replace(e=np.zeros(2)))
    with pytest.raises(ValueError, match="U holds NaN"):
        model_of(layers()._replace(U=np.full((N_H, N_TOP), np.nan)))
    with pytest.raises(ValueError, match="first_share needs a known number of steps"):
        DBM((4, 3)).partial_fit(IMAGES)
    with pytest.raises(ValueError, match="visible"):
        DBM(visible="gaussian").check_settings()
    with pytest.raises(ValueError, match="layer"):
        model_of(layers()).reconstruct(IMAGES, layer=2)


def test_a_file_holds_both_layers(tmp_path):
    model = model_of(layers(14))
    model.save(tmp_path / "dbm.npz")
    again = load_model(tmp_path / "dbm.npz")
    assert isinstance(again, DBM)
    assert again.n_components == (N_H, N_TOP)
    for one, other in zip(chain(*again.layers), chain(*model.layers), strict=True):
        np.testing.assert_array_equal(one, other)
    arrays = dict(np.load(tmp_path / "dbm.npz"))
    for wrong in ({"U": np.zeros((N_H + 1, N_TOP))}, {"e": np.zeros(N_TOP + 1)}, {"U": np.zeros(3)}):
        np.savez(tmp_path / "wrong.npz", **{**arrays, **wrong})
        with pytest.raises(UnreadableFile):
            load_model(tmp_path / "wrong.npz")


def test_a_number_of_latents_alone_is_that_of_each_layer(tmp_path):
    model = DBM(3, n_iter=1, random_state=0).fit(load_dataset("digits").train_X[:100])
    assert model.layer_sizes_ == (3, 3)
    model.save(tmp_path / "dbm.npz")
    assert load_model(tmp_path / "dbm.npz").n_components == (3, 3)


def test_training_that_is_left_goes_on_bit_for_bit_from_its_checkpoint(tmp_path):
    X = load_dataset("digits").train_X[:200]
    path = tmp_path / "run.ckpt"

    def make() -> DBM:
        return DBM((6, 5), n_iter=5, batch_size=20, first_share=0.4, second_share=0.3, random_state=0)

    whole = make().fit(X)
    for stop in (7, 25, 40):  # one in each stage
        steps = make().fit_steps(X, checkpoint=path, checkpoint_seconds=0)
        for _ in range(stop):
            next(steps)
        del steps  # as who leaves the loop does
        again = make().fit(X, checkpoint=path)
        for one, other in zip(chain(*again.layers), chain(*whole.layers), strict=True):
            np.testing.assert_array_equal(one, other)
