"""A run that is left anywhere and taken up again is the run that was never left, bit for bit."""

import functools
import os

import numpy as np
import pytest
from covering import slow_but
from forked import forked, program

from lrbn_viz.lrbn.deep.staged import StagedHardEM
from lrbn_viz.lrbn.hard_em import HardEM
from lrbn_viz.rivals.dbm.system import DBMSystem
from lrbn_viz.rivals.dbn.system import DBNSystem
from lrbn_viz.rivals.rbm.system import RBMSystem
from lrbn_viz.rivals.sbn.mean_field import MeanFieldSystem
from lrbn_viz.rivals.sbn.nvil import NVILSystem
from lrbn_viz.rivals.sbn.rws import RWSSystem
from lrbn_viz.rivals.sbn.variational_bayes import VariationalBayesSystem
from lrbn_viz.rivals.sbn.vimco import VIMCOSystem
from lrbn_viz.rivals.sbn.wake_sleep import WakeSleepSystem
from lrbn_viz.training import Training, race
from lrbn_viz.training.checkpoint import load_checkpoint, save_checkpoint

pytestmark = pytest.mark.nojit

SYSTEMS = {
    "icm": HardEM(5),
    "annealed": HardEM(5, e_step="annealed", warm_sweeps=3, momentum=0.5, decay_steps=10),
    "gibbs": HardEM(5, e_step="gibbs", warm_sweeps=2),
    "gaussian": HardEM(4, visible="gaussian", m_step="closed_form"),
    "two layers": StagedHardEM((5, 4), average=0.2, learning_rate_end=0.01, momentum=0.5),
    "two layers by Gibbs": StagedHardEM((5, 4), e_step="gibbs", warm_sweeps=2, prior="warmed", warm_up=2),
    "two layers, gaussian": StagedHardEM((4, 3), visible="gaussian", scheme="three layers"),
    "pcd": RBMSystem(5, n_particles=7),
    "cd": RBMSystem(5, visible="gaussian", method="cd", learning_rate=0.01),
    "enhanced": RBMSystem(5, n_particles=7, gradient="enhanced", learning_rate_end=0.01),
    "centred": RBMSystem(5, n_particles=7, gradient="centred", weight_decay=1e-3),
    "rws": RWSSystem(5, n_particles=3),
    "rws by adam": RWSSystem(5, n_particles=2, optimiser="adam", phases="wake", learning_rate_end=0.01),
    "wake-sleep": WakeSleepSystem(5, decay_steps=10),
    "vimco": VIMCOSystem(5, n_particles=3),
    "nvil": NVILSystem(5, n_baseline=4),
    "nvil of two layers": NVILSystem((5, 4), n_baseline=4),
    "rws, centred": RWSSystem(5, n_particles=3, centre_inputs=True),
    "wake-sleep, centred": WakeSleepSystem(5, optimiser="adam", centre_inputs=True),
    "vimco of two layers, centred": VIMCOSystem((5, 4), n_particles=3, centre_inputs=True),
    "rws of two layers": RWSSystem((5, 4), n_particles=2, optimiser="adam"),
    "dbn": DBNSystem(5, n_top=4, n_particles=7),
    "dbn by cd": DBNSystem(5, n_top=9, method="cd", gradient="centred", learning_rate_end=None),
    "dbm": DBMSystem(5, n_top=4, n_particles=7, learning_rate_end=0.01),
    "mean field": MeanFieldSystem(5),
    "variational bayes": VariationalBayesSystem(5),
    "variational bayes of two layers": VariationalBayesSystem((5, 4)),
    "learned variance": RBMSystem(
        5, visible="gaussian", variance="learned", learning_rate=0.01, adaptive_rate=True, average=0.5
    ),
    "tempered": RBMSystem(5, n_particles=4, n_temperatures=3, gradient="enhanced"),
}


def images(name, n=30):
    rng = np.random.default_rng(1)
    grey = getattr(SYSTEMS[name], "visible", "bernoulli") == "gaussian"
    return rng.normal(size=(n, 9)) if grey else rng.integers(0, 2, (n, 9), np.uint8)


def make(name, **how):
    X = images(name)
    settings = {"n_iter": 4, "batch_size": 8, "validation": X[:6], "patience": 3} | how
    return Training(SYSTEMS[name], X[6:], rng=np.random.default_rng(5), **settings)


def leaves(state):
    if isinstance(state, tuple):
        return [leaf for part in state for leaf in leaves(part)]
    return [np.asarray(state)]


def assert_same(left, right):
    for one, other in zip(leaves(left), leaves(right), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


@functools.cache
def whole(name):
    """All of a run that nothing interrupts."""
    return list(make(name))


@pytest.mark.parametrize("name", SYSTEMS)
@pytest.mark.parametrize("left_after", slow_but([1, 3, 11], [0, 1, 3, 4, 11]))
def test_a_run_restored_from_its_file_goes_on_as_if_never_left(name, left_after, tmp_path):
    expected = whole(name)
    begun = make(name)
    for _ in range(left_after):
        next(begun)
    save_checkpoint(tmp_path / "run.ckpt", {"lane": begun}, {"name": name})
    found = load_checkpoint(tmp_path / "run.ckpt")
    assert found.config == {"name": name}
    resumed = make(name, state=begun.system.init(begun.X, np.random.default_rng(99)))
    resumed.restore(found.snapshot("lane", resumed.state))
    rest = list(resumed)
    assert len(rest) == len(expected) - left_after
    for (state, event), (same, as_before) in zip(rest, expected[left_after:], strict=True):
        assert_same(state, same)
        assert event._replace(seconds=0.0) == as_before._replace(seconds=0.0)


def test_a_snapshot_is_not_changed_by_what_follows_it_and_can_be_branched_from_twice():
    run = make("pcd")
    for _ in range(4):
        next(run)
    kept = run.snapshot()
    ends = []
    for _ in range(2):
        branch = make("pcd")
        branch.restore(kept)
        ends.append(list(branch)[-1][0])
    assert_same(*ends)
    assert_same(ends[0], list(run)[-1][0])


def test_runs_in_a_race_see_the_same_minibatches_and_stay_level():
    runs = {
        name: Training(
            SYSTEMS[name],
            images(name),
            n_iter=3,
            batch_size=8,
            rng=np.random.default_rng(seed),
            shuffler=np.random.default_rng(7),
        )
        for seed, name in enumerate(("icm", "pcd"))
    }
    rows: dict[str, list] = {name: [] for name in runs}
    for name, _, event in race(runs):
        rows[name].append(runs[name].rows.tolist())
        assert len(rows[name]) == event.step
        assert abs(runs["icm"].step - runs["pcd"].step) <= 1
    assert rows["icm"] == rows["pcd"]
    assert len(rows["icm"]) == 12


def test_a_race_by_seconds_gives_each_lane_its_share_and_ends_with_the_budget():
    runs = {
        name: Training(
            SYSTEMS[name],
            images(name),
            n_iter=10**6,
            batch_size=8,
            rng=np.random.default_rng(0),
            max_seconds=0.2,
        )
        for name in ("icm", "pcd")
    }
    longest = max(event.seconds for _, _, event in race(runs, by="seconds"))
    assert all(0.2 <= run.seconds <= 0.2 + longest for run in runs.values())
    assert all(run.over and run.progress == 1.0 for run in runs.values())


def test_patience_that_has_run_out_stays_so_after_a_restart():
    run = make("icm", n_iter=50, patience=1)
    steps = len(list(run))
    assert steps < 50 * 3
    again = make("icm", n_iter=50, patience=1)
    again.restore(run.snapshot())
    assert list(again) == []


def test_a_snapshot_of_other_images_is_refused():
    run = make("icm")
    next(run)
    other = Training(SYSTEMS["icm"], images("icm", 90), n_iter=1, batch_size=8, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="24 images, this run has 90"):
        other.restore(run.snapshot())


@pytest.mark.parametrize("damage", ["cut", "flip", "other", "none"])
def test_a_damaged_checkpoint_is_refused_by_name(damage, tmp_path):
    path = tmp_path / "run.ckpt"
    save_checkpoint(path, {"lane": make("icm")}, {})
    content = bytearray(path.read_bytes())
    if damage == "cut":
        content = content[:-100]
    elif damage == "flip":
        content[len(content) // 2] ^= 1
    elif damage == "other":
        content = bytearray(b"PK something else")
    else:
        path.unlink()
        with pytest.raises(FileNotFoundError, match=r"run\.ckpt does not exist"):
            load_checkpoint(path)
        return
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"run\.ckpt is (damaged|no checkpoint)"):
        load_checkpoint(path)


def test_a_checkpoint_of_another_system_or_lane_is_refused(tmp_path):
    save_checkpoint(tmp_path / "run.ckpt", {"lane": make("pcd")}, {})
    found = load_checkpoint(tmp_path / "run.ckpt")
    with pytest.raises(ValueError, match="another model wrote it"):
        found.snapshot("lane", make("icm").state)
    with pytest.raises(ValueError, match="holds 'lane'; got lane 'rbm'"):
        found.snapshot("rbm", make("pcd").state)


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    path = tmp_path / "run.ckpt"
    run = make("icm")
    save_checkpoint(path, {"lane": run}, {})
    before = path.read_bytes()
    next(run)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        save_checkpoint(path, {"lane": run}, {})
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["run.ckpt"]


WRITER = """
import sys
from engine.test_resume import make
from lrbn_viz.training.checkpoint import save_checkpoint
run = make("icm", n_iter=10**6, patience=None)
for _ in run:
    save_checkpoint(sys.argv[1], {"lane": run}, {})
    print(run.step, flush=True)
"""


def test_a_writer_killed_at_any_moment_leaves_a_whole_checkpoint(tmp_path):
    path = tmp_path / "run.ckpt"
    for wait in (3, 8):
        with forked(program(WRITER, str(path))) as writer:
            for _ in range(wait):
                said = writer.stdout.readline()
            writer.kill()
            writer.wait()
        run = make("icm", n_iter=10**6, patience=None)
        snapshot = load_checkpoint(path).snapshot("lane", run.state)
        assert snapshot.step >= int(said)
        expected = make("icm", n_iter=10**6, patience=None)
        for _ in range(snapshot.step):
            next(expected)
        run.restore(snapshot)
        assert_same(next(run)[0], next(expected)[0])
