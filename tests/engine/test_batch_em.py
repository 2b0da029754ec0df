"""Hard EM in whole passes: what a pass is made of, and that cutting images into pieces changes no bit."""

from typing import Any

import naive
import numpy as np
import pytest
from engine.cases import VISIBLES

from lrbn_viz import LRBN, load_dataset
from lrbn_viz.chunks import BLOCK_ROWS, Here, PoolLost, Streamed
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.lrbn.model import log_joint
from lrbn_viz.training import Training
from lrbn_viz.training.checkpoint import load_checkpoint

E_STEPS = {
    "icm": {},
    "fair coins": {"init": "random"},
    "annealed": {"e_step": "annealed", "warm_sweeps": 3},
    "gibbs": {"e_step": "gibbs", "warm_sweeps": 2},
    "kept chains": {"e_step": "gibbs", "warm_sweeps": 1, "persistent": True},
    "weighted": {"likelihood_weight": 2.0},
}


def images(visible, n=2 * BLOCK_ROWS + 300):
    X = load_dataset("digits").train_X
    X = X[np.arange(n) % len(X)]
    if visible == "bernoulli":
        return X
    return X - X.mean(axis=0) + np.random.default_rng(0).normal(0, 0.3, X.shape)


def model(visible: Any = "bernoulli", **settings: Any):
    how: Any = {"n_iter": 3, "validation_size": 0, "random_state": 0, **settings}
    return LRBN(7, schedule="batch", visible=visible, **how)


def fresh(begun):
    return LRBN(**begun.get_params())


def assert_same(one, other):
    for a, b in zip(one.layers[0], other.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)
    assert [step.metrics for step in one.history_] == [step.metrics for step in other.history_]


@pytest.mark.parametrize("visible", VISIBLES)
@pytest.mark.parametrize("how", E_STEPS)
def test_pieces_of_any_number_of_grains_give_the_same_bits(visible, how):
    X, begun = images(visible), model(visible, **E_STEPS[how])
    one = fresh(begun).fit(X)
    for span in (2, 8):
        assert_same(one, fresh(begun).fit(X, pool=Here(span)))


def passes(system, X, n=2, **how):
    run = Training(system, X, n_iter=n, batch_size=10, rng=np.random.default_rng(0), **how)
    for _, event in run:
        yield run, event


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_pass_infers_all_images_and_then_learns_from_all_of_them(visible):
    X = images(visible, BLOCK_ROWS + 50)
    system = model(visible, m_tolerance=1e-9, m_visits=100, ridge=2.0).make_system()
    for run, event in passes(system, X):
        old, new = run.before.params, run.state.params
        seen = HardEM.infer(system, old, X.astype(float), np.random.default_rng(0), "icm", dtype=np.float32)
        H = seen.H.astype(float)
        assert event.metrics["log_joint"] == pytest.approx(log_joint(old, visible, X, H).mean(), rel=1e-10)
        assert event.metrics["flips"] == seen.flips.mean()
        assert event.metrics["units_on"] == pytest.approx(H.mean())
        share = (H.sum(axis=0) + 1) / (len(H) + 2)
        np.testing.assert_allclose(new.d, np.log(share / (1 - share)), rtol=1e-12)
        a = H @ old.W.T + old.b
        if visible == "gaussian":
            W, b = naive.gaussian_m_step(X, H, 2.0, 0.0)
            np.testing.assert_allclose(new.W, W, atol=1e-8)
            np.testing.assert_allclose(new.b, b, atol=1e-8)
            wrong, residual = ((X - a) ** 2).sum(), X - a
        else:
            for i in (0, 10, 63):
                _, slope = naive.logistic_objective(X[:, i], H, new.W[i], new.b[i], 2.0)
                assert np.abs(slope).max() <= 1e-9 * len(X)
            wrong, residual = ((a > 0) != (X > 0)).sum(), 1 / (1 + np.exp(-a)) - X
        assert event.metrics["wrong_pixels"] == pytest.approx(wrong / len(X))
        parts = [residual.T @ H, residual.sum(axis=0), H.sum(axis=0) - len(X) / (1 + np.exp(-old.d))]
        if visible == "bernoulli":  # of what the M-step minimises
            parts[0], parts[1] = parts[0] + 2.0 * old.W, parts[1] + 1 / (1 + np.exp(-old.b)) - 0.5
        norm = np.sqrt(sum(np.square(part / len(X)).sum() for part in parts))
        assert event.metrics["gradient_norm"] == pytest.approx(norm)


def test_offsets_begin_at_the_mean_image_and_a_flat_prior_stays():
    X = images("bernoulli")
    system = model(prior="flat").make_system()
    first = system.init(X, np.random.default_rng(0)).params
    begun = HardEM(7).init(X, np.random.default_rng(0)).params
    for one, other in zip(first, begun, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    *_, (run, _) = passes(system, X)
    np.testing.assert_array_equal(run.state.params.d, 0.0)


@pytest.mark.parametrize("visible", VISIBLES)
def test_with_kept_latents_and_icm_no_pass_lowers_what_is_climbed(visible):
    """Coordinate ascent: ICM never lowers the log joint, nor does an M-step, less its penalties."""
    X, ridge, climbed = images(visible), 1.0, []
    system = model(visible, persistent=True, m_tolerance=1e-8, m_visits=100, ridge=ridge).make_system()
    for run, event in passes(system, X, 8):
        old = run.before.params
        penalty = 0.5 * ridge * np.square(old.W).sum()
        if visible == "bernoulli":
            penalty += (np.logaddexp(0, old.b) - old.b / 2).sum()
        penalty += (np.logaddexp(0, old.d) + np.logaddexp(0, -old.d)).sum()  # of the prior of P(h_j = 1)
        climbed.append(len(X) * event.metrics["log_joint"] - penalty)
    assert (np.diff(climbed[1:]) > -1e-3).all()  # the first pass begins from other latents
    assert climbed[-1] > climbed[1] + 1.0


def test_chains_go_on_where_they_were_and_are_remembered():
    X = images("bernoulli")
    system = model(e_step="gibbs", warm_sweeps=1, persistent=True).make_system()
    kept = []
    for run, _ in passes(system, X, 2):
        assert set(np.unique(run.memory)) <= {0, 1}
        kept.append(run.memory.copy())
    *_, (again, _) = passes(system, X, 1, memory=kept[0], state=system.from_params(run.before.params))
    assert (again.memory == kept[1]).mean() > (kept[0] == kept[1]).mean() - 0.2
    assert not np.array_equal(again.memory, kept[0])


def test_a_run_that_is_resumed_ends_with_the_same_bits(tmp_path):
    X, path = images("bernoulli"), tmp_path / "run"
    how = model(e_step="gibbs", warm_sweeps=1, persistent=True, n_iter=4, validation_size=100)
    whole = fresh(how).fit(X)
    steps = fresh(how).fit_steps(X, checkpoint=path, checkpoint_seconds=0.0)
    next(steps)
    next(steps)
    next(steps)
    del steps
    assert load_checkpoint(path).lanes == ("run",)
    again = fresh(how).fit(X, checkpoint=path)
    for a, b in zip(whole.layers[0], again.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)


class Failing(Here):
    """A pool that is lost when it is given the n-th task of some name."""

    def __init__(self, name, n):
        super().__init__()
        self.name, self.left = name, n

    def submit(self, what, function, *args):
        self.left -= what == self.name
        if not self.left:
            raise PoolLost("the pool is lost.")
        return super().submit(what, function, *args)


@pytest.mark.parametrize("phase", ["e_step", "m_step"])
def test_where_the_pool_is_lost_a_checkpoint_holds_the_last_pass_and_the_run_goes_on_from_it(phase, tmp_path):
    X, path = images("bernoulli"), tmp_path / "run"
    how = model(e_step="gibbs", warm_sweeps=1, persistent=True)
    whole = fresh(how).fit(X)
    in_the_second_pass = {"e_step": 5, "m_step": 4}[phase]
    with pytest.raises(PoolLost, match=r"the pool is lost.*holds the last whole pass: the same call goes on"):
        fresh(how).fit(X, checkpoint=path, pool=Failing(phase, in_the_second_pass))
    again = fresh(how).fit(X, checkpoint=path)
    assert [step.epoch for step in again.history_] == [1, 2]
    for a, b in zip(whole.layers[0], again.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)
    with pytest.raises(PoolLost, match="No checkpoint was asked for"):
        fresh(how).fit(X, pool=Failing(phase, 1))


@pytest.mark.parametrize("visible", VISIBLES)
def test_images_of_a_folder_are_learned_from_as_an_array_is(visible, tmp_path):
    X = images(visible)
    for number, part in enumerate(np.array_split(X, [100, 1500, 1501])):
        np.save(tmp_path / f"{number}.npy", part)
    streamed = Streamed.folder(tmp_path)
    assert streamed.shape == X.shape
    np.testing.assert_array_equal(streamed.part(90, 1600).part(5, 1505).read(), X[95:1595])
    begun = model(visible)
    assert_same(fresh(begun).fit(X), fresh(begun).fit(streamed, pool=Here(2)))


def test_streamed_images_are_binarized_and_held_out_and_checked_where_they_are_read():
    X = images("bernoulli")
    grey = X * 0.8 + 0.1
    begun = model(validation_size=200)
    one = model(validation_size=200, binarize=0.5).fit(Streamed(grey))
    assert_same(one, fresh(begun).fit(Streamed(X)))
    assert one.history_[0].metrics["validation_score"] < 0
    with pytest.raises(ValueError, match=r"X holds values from .*; Bernoulli units expect 0 and 1 only"):
        fresh(begun).fit(Streamed(grey))
    with pytest.raises(ValueError, match="streamed images require full-batch training, but LRBN learns"):
        LRBN(7).fit(Streamed(X))


def test_bad_folders_are_refused_in_words(tmp_path):
    with pytest.raises(ValueError, match=r"expected files \*.npy in .*, got none"):
        Streamed.folder(tmp_path)
    np.save(tmp_path / "a.npy", np.zeros((3, 4)))
    np.save(tmp_path / "b.npy", np.zeros((3, 5)))
    with pytest.raises(ValueError, match=r"hold images of \[4, 5\] pixels; expected one number"):
        Streamed.folder(tmp_path)
    np.save(tmp_path / "b.npy", np.zeros(3))
    with pytest.raises(ValueError, match="holds an array of shape"):
        Streamed.folder(tmp_path)


@pytest.mark.parametrize(
    "settings",
    [
        {"momentum": 0.5},
        {"decay_steps": 10.0},
        {"learning_rate_end": 0.01},
        {"weight_decay": 0.1},
        {"m_step": "gradient"},
        {"nonnegative": True},
    ],
    ids=str,
)
def test_settings_of_minibatches_are_refused_in_words(settings):
    (name,) = settings
    with pytest.raises(ValueError, match=f'{name}.*schedule="minibatch"'):
        model(**settings).fit(images("bernoulli", 50))


def test_a_pool_is_for_whole_passes_and_so_is_no_change_of_images_from_visit_to_visit():
    X = images("bernoulli", 50)
    with pytest.raises(ValueError, match="pool is for training in whole passes; HardEM learns minibatch"):
        LRBN(7).fit(X, pool=Here())
    with pytest.raises(ValueError, match="augment changes images of a minibatch"):
        Training(
            model().make_system(), X, n_iter=1, batch_size=10, rng=np.random.default_rng(0),
            augment=lambda images, rng: images,
        )  # fmt: skip


def test_partial_fit_is_one_pass_and_early_stopping_restores_the_best():
    X = images("bernoulli")
    begun = model(n_iter=1)
    one = fresh(begun).fit(X)
    other = fresh(begun).partial_fit(X)
    for a, b in zip(one.layers[0], other.layers[0], strict=True):
        np.testing.assert_array_equal(a, b)
    stopped = model(n_iter=100, validation_size=200, patience=2).fit(X)
    assert "restored" in stopped.history_[-1].metrics
    assert stopped.n_iter_ < 100


def test_parameters_can_be_averaged_over_the_last_passes():
    X = images("bernoulli")
    steps = model(n_iter=4, average=0.5)
    seen = [steps.layers[0] for _ in steps.fit_steps(X)]
    np.testing.assert_allclose(steps.layers[0].W, (seen[2].W + seen[3].W) / 2, rtol=1e-12)
    assert steps.history_[-1].metrics["averaged"] == 2.0
