"""Traces and models on disk: what comes back is what went in, and a damaged file is a clear error."""

import dataclasses
import pickle
import zipfile

import numpy as np
import pytest
from engine.cases import VISIBLES, random_case

from lrbn_viz import LRBN, RBM, ICMTrace, load_model
from lrbn_viz.core.trace import NAMES, Visit

pytestmark = pytest.mark.nojit


def some_trace(visible: str = "bernoulli") -> ICMTrace:
    case = random_case(visible, 20, 6, seed=1)
    return case.model().map_trace(case.x, init="random", temperature=[1.0], random_state=0)


@pytest.fixture
def without_pickle(monkeypatch):
    """Call a function while unpickling anything is an error."""

    def refuse(*args, **kwargs):
        raise AssertionError("something was unpickled")

    def call(function, *args):
        with monkeypatch.context() as patch:
            patch.setattr(pickle, "load", refuse)
            patch.setattr(pickle, "loads", refuse)
            return function(*args)

    return call


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_trace_comes_back_from_its_file_bit_for_bit_without_pickle(visible, tmp_path, without_pickle):
    trace = some_trace(visible)
    trace.save(tmp_path / "trace.npz")
    loaded = without_pickle(ICMTrace.load, tmp_path / "trace.npz")
    for field in dataclasses.fields(ICMTrace):
        before, after = getattr(trace, field.name), getattr(loaded, field.name)
        if isinstance(before, np.ndarray):
            assert (after.dtype, after.shape) == (before.dtype, before.shape)
            assert after.tobytes() == before.tobytes()
        else:
            assert (after, type(after)) == (before, type(before))
    assert list(loaded) == list(trace)
    np.testing.assert_array_equal(loaded.reconstruction(3), trace.reconstruction(3))
    with zipfile.ZipFile(tmp_path / "trace.npz") as archive:
        assert all(name.endswith(".npy") for name in archive.namelist())
    np.load(tmp_path / "trace.npz", allow_pickle=False)


def test_saving_leaves_one_file_under_the_name_it_was_given(tmp_path):
    some_trace().save(tmp_path / "no_suffix")
    assert [path.name for path in tmp_path.iterdir()] == ["no_suffix"]
    assert ICMTrace.load(str(tmp_path / "no_suffix")).n_h == 6


def test_saving_that_fails_leaves_the_old_file_and_no_debris(tmp_path, monkeypatch):
    path = tmp_path / "trace.npz"
    some_trace().save(path)
    before = path.read_bytes()

    def fail(file, **arrays):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="disk full"):
        some_trace("gaussian").save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def maker_traces(visible: str) -> dict[tuple[str, bool], ICMTrace]:
    """One trace of each kind of model, by what it says of itself."""
    case = random_case(visible, 20, 6, seed=1)
    deep = LRBN.from_layers([case.params, random_case("bernoulli", 6, 3).params], visible)  # pyright: ignore[reportArgumentType]
    return {
        ("lrbn", False): case.model().map_trace(case.x),
        ("lrbn", True): case.model().map_trace(case.x, temperature=[9.0] * 4, random_state=0),
        ("rbm", False): RBM.from_params(*case.params, visible=visible).map_trace(case.x),  # pyright: ignore[reportArgumentType]
        ("deep", False): deep.map_trace(case.x),
        ("deep", True): deep.map_trace(case.x, temperature=[1.0], random_state=0),
    }


@pytest.mark.parametrize("visible", VISIBLES)
def test_a_trace_says_which_model_made_it_and_whether_states_were_drawn(visible, tmp_path):
    for (model, sampled), trace in maker_traces(visible).items():
        trace.save(tmp_path / "trace.npz")
        loaded = ICMTrace.load(tmp_path / "trace.npz")
        assert (trace.model, trace.sampled) == (loaded.model, loaded.sampled) == (model, sampled)


def test_a_stepper_says_so_of_the_visits_made_so_far():
    case = random_case("bernoulli", 20, 6, seed=1)
    far = 1 - case.model().map_trace(case.x).latents(0)  # so that the first sweep changes something
    stepper = case.model().stepper(case.x, init=far, temperature=[0.0, 1.0], random_state=0)
    for n_visits, sampled in ((0, False), (6, False), (1, True)):
        stepper.advance(n_visits)
        assert stepper.trace().sampled == sampled


def test_iterating_a_trace_gives_immutable_events_and_a_trace_has_no_assignable_fields():
    trace = some_trace()
    events = list(trace)
    assert len(events) == len(trace) == trace.n_visits
    assert all(isinstance(event, Visit) for event in events)
    assert [event.k for event in events] == list(range(1, trace.n_visits + 1))
    assert {type(value) for value in events[0]} == {int, bool, float}
    with pytest.raises(AttributeError):
        events[0].after = 1  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(dataclasses.FrozenInstanceError):
        trace.converged = True  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("k", [-1, 10**6])
def test_a_state_outside_the_trace_is_an_index_error_that_says_the_range(k):
    trace = some_trace()
    for function in (trace.latents, trace.reconstruction, trace.log_joint_at):
        with pytest.raises(IndexError, match=rf"k = {k} .* expected 0 .* to {trace.n_visits}"):
            function(k)


def damaged(kind: str, path, trace: ICMTrace) -> None:
    """Write a file that is wrong in one way."""
    trace.save(path)
    whole = path.read_bytes()
    if kind == "cut short":
        path.write_bytes(whole[: len(whole) // 2])
    elif kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("not a trace")
    elif kind == "garbled":
        middle = len(whole) // 3
        path.write_bytes(whole[:middle] + bytes(200) + whole[middle + 200 :])
    elif kind == "a pickle":
        path.write_bytes(pickle.dumps({"unit": 1}))
    elif kind == "an array of objects":
        np.savez(path, kind=np.array([{"a": 1}], dtype=object))
    elif kind == "another kind":
        np.savez(path, kind="SomethingElse")
    elif kind == "no kind":
        np.savez(path, unit=np.zeros(3))
    elif kind == "an unknown model":
        arrays = dict(np.load(path))
        arrays["model"] = np.array("transformer")
        np.savez(path, **arrays)
    elif kind == "lengths that differ":
        arrays = dict(np.load(path))
        np.savez(path, **arrays | {"log_odds": arrays["log_odds"][:-1]})
    elif kind == "a unit out of range":
        arrays = dict(np.load(path))
        np.savez(path, **arrays | {"unit": arrays["unit"] + 100})
    elif kind == "an array instead of an archive":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))


DAMAGES = (
    "cut short", "empty", "text", "garbled", "a pickle", "an array of objects", "another kind", "no kind",
    "an unknown model", "lengths that differ",
    "a unit out of range", "an array instead of an archive",
)  # fmt: skip


@pytest.mark.parametrize("kind", DAMAGES)
def test_a_damaged_trace_file_is_an_error_that_names_it(kind, tmp_path):
    path = tmp_path / "broken.npz"
    damaged(kind, path, some_trace())
    with pytest.raises(ValueError, match=r"broken\.npz"):
        ICMTrace.load(path)


def test_a_trace_file_that_lacks_an_array_is_an_error_that_names_both(tmp_path):
    some_trace().save(tmp_path / "trace.npz")
    arrays = dict(np.load(tmp_path / "trace.npz"))
    assert arrays.keys() - {"kind"} == {field.name for field in dataclasses.fields(ICMTrace)} - {*NAMES}
    for name in arrays.keys() - {"kind"}:
        np.savez(tmp_path / "lacks.npz", **{other: arrays[other] for other in arrays if other != name})
        with pytest.raises(ValueError, match=rf"lacks\.npz lacks '{name}'; it was not written whole"):
            ICMTrace.load(tmp_path / "lacks.npz")


@pytest.mark.parametrize("kind", DAMAGES[:8])
def test_a_damaged_model_file_is_an_error_that_names_it(kind, tmp_path):
    path = tmp_path / "broken.npz"
    damaged(kind, path, some_trace())
    with pytest.raises(ValueError, match=r"broken\.npz"):
        load_model(path)


def test_a_missing_file_is_an_error_that_names_it(tmp_path):
    for load in (ICMTrace.load, load_model):
        with pytest.raises(FileNotFoundError, match=r"nowhere\.npz does not exist"):
            load(tmp_path / "nowhere.npz")


def test_a_model_file_is_no_trace_and_a_trace_file_no_model(tmp_path):
    some_trace().save(tmp_path / "trace.npz")
    random_case("bernoulli", 5, 3).model().save(tmp_path / "model.npz")
    with pytest.raises(ValueError, match=r"model\.npz holds LRBN; expected ICMTrace"):
        ICMTrace.load(tmp_path / "model.npz")
    with pytest.raises(ValueError, match=r"trace\.npz holds ICMTrace; expected LRBN or RBM"):
        load_model(tmp_path / "trace.npz")


@pytest.mark.parametrize("family", [LRBN, RBM])
@pytest.mark.parametrize("visible", VISIBLES)
def test_a_model_comes_back_from_its_file_bit_for_bit(family, visible, tmp_path, without_pickle):
    case = random_case(visible, 20, 6, seed=2)
    settings = {"batch_size": 7, "n_iter": 3, "learning_rate": 0.125, "patience": None}
    settings |= {"init": "paper", "prior": "flat", "max_sweeps": 9} if family is LRBN else {"n_gibbs": 2}
    model = family.from_params(*case.params, visible=visible, **settings)
    model.save(tmp_path / "model.npz", provenance={"trained on": "nothing", "passes": 3})
    loaded = without_pickle(load_model, tmp_path / "model.npz")
    assert type(loaded) is family
    assert loaded.get_params() == model.get_params()
    for before, after in zip(model.layers[0], loaded.layers[0], strict=True):
        assert (after.dtype, after.shape) == (before.dtype, before.shape)
        np.testing.assert_array_equal(after, before)
    assert loaded.provenance_ == {"trained on": "nothing", "passes": 3}
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (9, 20)) if visible == "bernoulli" else rng.normal(size=(9, 20))
    np.testing.assert_array_equal(loaded.transform(X), model.transform(X))
    np.testing.assert_array_equal(loaded.sample(3, random_state=1), model.sample(3, random_state=1))
    # Saved again it keeps its story.
    loaded.save(tmp_path / "again.npz")
    assert load_model(tmp_path / "again.npz").provenance_ == loaded.provenance_


@pytest.mark.parametrize("family", [LRBN, RBM])
@pytest.mark.parametrize("visible", VISIBLES)
def test_a_fitted_model_can_be_saved_loaded_and_trained_on(family, visible, tmp_path):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (40, 9)) if visible == "bernoulli" else rng.normal(size=(40, 9))
    model = family(4, visible=visible, n_iter=2, random_state=0).fit(X)
    model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.layers[0].W, model.layers[0].W)
    loaded.partial_fit(X)
    assert not np.array_equal(loaded.layers[0].W, model.layers[0].W)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.transform(X), model.transform(X))


def test_a_smaller_precision_is_stored_as_asked(tmp_path):
    case = random_case("bernoulli", 50, 6, seed=4)
    for dtype in (np.float32, np.float16):
        case.model().save(tmp_path / "model.npz", dtype=dtype)
        loaded = load_model(tmp_path / "model.npz")
        assert loaded.layers[0].W.dtype == np.float64
        np.testing.assert_array_equal(loaded.layers[0].W, case.params.W.astype(dtype).astype(float))


def test_a_model_without_parameters_cannot_be_saved(tmp_path):
    with pytest.raises(ValueError, match="not fitted"):
        LRBN().save(tmp_path / "model.npz")
    assert list(tmp_path.iterdir()) == []
