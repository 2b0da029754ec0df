"""Every kind of model passes the checks of scikit-learn, and takes and returns tables as it prescribes."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from covering import capabilities, cover, slow_but
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.estimator_checks import (
    check_dataframe_column_names_consistency,
    check_estimator,
    check_global_output_transform_pandas,
    check_set_output_transform,
    check_set_output_transform_pandas,
    check_transformer_get_feature_names_out_pandas,
)
from tiny_models import sizes_of, tiny

from lrbn_viz import load_model, with_recognition
from lrbn_viz.catalog import Kind, factorised, kinds, trainable
from lrbn_viz.estimators.field import MeanField
from lrbn_viz.estimators.recognition import OnePass
from lrbn_viz.measure import log_likelihood, reconstruction_error
from lrbn_viz.rivals.sbn.weighted import ImageStreams, mean_weights

KINDS = kinds()
IN_TURN = "LRBN of 2 layers, layer by layer"
GREY = {name: kind for name, kind in KINDS.items() if capabilities(kind)["grey"]}
ANSWERS = ("fit_steps", "transform", "infer", "reconstruct", "score_samples")


def usual_of(kind: Kind) -> Any:
    """Return the usual inference of a kind with a recognition network; None of others."""
    return getattr(kind.estimator, "usual", None)


FEW = cover(
    KINDS,
    lambda name: {
        type(usual_of(KINDS[name])).__qualname__,
        KINDS[name].model.several_layers,
        *(getattr(KINDS[name].estimator, answer).__qualname__ for answer in ANSWERS),
    },
)
"""Kinds whose classes have together every way of training, inferring and scoring that any kind has."""
WIDTH = 6


def table(n: int = 40, seed: int = 0) -> pd.DataFrame:
    """Return binary images as a table with names of columns."""
    X = np.random.default_rng(seed).integers(0, 2, (n, WIDTH))
    return pd.DataFrame(X, columns=[f"pixel {i}" for i in range(WIDTH)])


def quick(name: str, **settings: Any) -> Any:
    return tiny(KINDS[name], **{"n_iter": 2, **settings})


def failures(results: list[dict[str, Any]]) -> dict[str, str]:
    return {
        each["check_name"]: repr(each["exception"])
        for each in results
        if each["status"] not in ("passed", "skipped")
    }


def assert_all_checks_pass(model: Any) -> None:
    results = check_estimator(model, on_fail=None, on_skip=None)
    assert failures(results) == {}
    assert len(results) > 40
    # The check that is skipped needs an environment variable of SciPy before its first import.
    assert {each["check_name"] for each in results if each["status"] == "skipped"} <= {
        "check_array_api_input"
    }


@pytest.mark.parametrize("name", slow_but(FEW, KINDS))
def test_every_check_of_scikit_learn_passes_once_a_kind_binarizes(name):
    assert_all_checks_pass(quick(name, binarize=0.0))


@pytest.mark.parametrize("name", slow_but(FEW, GREY))
def test_every_check_of_scikit_learn_passes_with_gaussian_units(name):
    assert_all_checks_pass(quick(name, visible="gaussian"))


# -- columns by name


@pytest.mark.parametrize("name", slow_but(FEW, KINDS))
def test_columns_are_known_by_name_as_scikit_learn_checks_it(name):
    check_dataframe_column_names_consistency(name, quick(name, binarize=0.0))


ASKED = ("transform", "infer", "reconstruct", "score", "score_samples", "recognise", "posterior")
ASKED_TOO = ("transform_top", "upper_layer_gap", "gamma", "predict", "predict_proba", "partial_fit")


@pytest.mark.parametrize("name", KINDS)
def test_whatever_takes_images_refuses_a_table_with_its_columns_in_another_order(name):
    X = table()
    classes = np.arange(len(X)) % 2
    model = quick(name).fit(X, classes)
    assert list(model.feature_names_in_) == list(X.columns)
    swapped = X[X.columns[::-1]]
    asked = [each for each in (*ASKED, *ASKED_TOO) if hasattr(model, each)]
    assert {"transform", "infer", "reconstruct", "score", "score_samples"} <= {*asked}
    H = model.transform(X) > 0.5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for each in asked:
            with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
                getattr(model, each)(swapped)
        with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
            model.log_joint(swapped, H)
        with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
            model.map_trace(swapped.iloc[0])
        with pytest.raises(ValueError, match="Feature names unseen at fit time:\n- other"):
            model.transform(X.rename(columns={"pixel 2": "other"}))
        # The table itself, an array and a single row are taken as they are.
        np.testing.assert_array_equal(model.transform(X), model.transform(X.to_numpy()))
        assert model.log_joint(X, H).shape == (len(X),)
        assert model.map_trace(X.iloc[0]).n_visits > 0


@pytest.mark.parametrize("name", KINDS)
def test_names_of_columns_are_in_the_file_of_a_model_and_go_with_the_next_fit(name, tmp_path):
    X = table()
    model = quick(name).fit(X)
    model.save(tmp_path / "model.npz")
    loaded = load_model(tmp_path / "model.npz")
    assert list(loaded.feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="must be in the same order"):
        loaded.transform(X[X.columns[::-1]])
    renamed = X.rename(columns=str.upper)
    assert list(model.fit(renamed).feature_names_in_) == list(renamed.columns)
    assert not hasattr(model.fit(X.to_numpy()), "feature_names_in_")
    assert not hasattr(clone(loaded), "feature_names_in_")


@pytest.mark.parametrize("name", KINDS)
def test_figures_of_a_table_are_those_of_its_array_without_a_warning(name):
    X = table()
    model = quick(name).fit(X)
    swapped = X[X.columns[::-1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for method in ("exact", "map_bound", "importance"):
            if method in model.likelihoods:
                found = [log_likelihood(model, x, method=method, n_samples=5) for x in (X, X.to_numpy())]
                np.testing.assert_array_equal(found[0].values, found[1].values)
                with pytest.raises(ValueError, match="must be in the same order"):
                    log_likelihood(model, swapped, method=method, n_samples=5)
        np.testing.assert_array_equal(
            reconstruction_error(model, X), reconstruction_error(model, X.to_numpy())
        )


@pytest.mark.parametrize("name", KINDS)
def test_a_model_with_other_parameters_has_the_names_of_columns_and_units(name):
    X = table()
    model = quick(name, n_iter=1).fit(X)
    units = [f"cause {n}" for n in range(model.n_latents_)]
    model.name_units(units, [*X.columns])
    again = model.with_layers(model.layers)
    assert list(again.feature_names_in_) == list(X.columns)
    assert (again.latent_names_, again.visible_names_) == (tuple(units), tuple(X.columns))
    assert not hasattr(quick(name, n_iter=1).fit(X.to_numpy()).with_layers(model.layers), "feature_names_in_")


@pytest.mark.parametrize(("name", "read"), [("LRBN", factorised), (IN_TURN, trainable), ("RBM", trainable)])
def test_the_same_weights_read_as_another_kind_have_the_names_of_columns_and_units(name, read):
    X = table()
    model = quick(name, n_iter=1).fit(X)
    units = [f"cause {n}" for n in range(model.n_latents_)]
    found = read(model.name_units(units, [*X.columns]))
    assert list(found.feature_names_in_) == list(X.columns)
    assert (found.latent_names_, found.visible_names_) == (tuple(units), tuple(X.columns))
    with pytest.raises(ValueError, match="must be in the same order"):
        found.transform(X[X.columns[::-1]])


def test_a_recognition_network_for_a_model_has_its_names_of_columns():
    X = table()
    model = quick("LRBN").fit(X)
    assert list(with_recognition(model, X, n_iter=1).feature_names_in_) == list(X.columns)
    with pytest.raises(ValueError, match="must be in the same order"):
        with_recognition(model, X[X.columns[::-1]], n_iter=1)


def test_a_fit_that_fails_leaves_the_names_of_columns_as_they_were():
    X = table()
    model = quick("LRBN").fit(X)
    grey = X.rename(columns=str.upper) * 0.5
    with pytest.raises(ValueError, match="Bernoulli units expect 0 and 1 only"):
        model.fit(grey)
    assert list(model.feature_names_in_) == list(X.columns)
    with pytest.raises(TypeError, match="only supported if all input features have string names"):
        model.fit(X.rename(columns={"pixel 0": 0}))
    assert list(model.feature_names_in_) == list(X.columns)


def test_a_file_whose_names_of_columns_do_not_fit_is_refused(tmp_path):
    X, path = table(), tmp_path / "model.npz"
    model = quick("LRBN").fit(X)
    for names in (["a"], [*"abcde", 6]):
        model.feature_names_in_ = np.array(names, object)
        model.save(path)
        with pytest.raises(ValueError, match="is damaged: expected names of 6 columns"):
            load_model(path)


# -- tables as output


@pytest.mark.filterwarnings("ignore:X has feature names, but")  # the checks fit arrays and transform tables
@pytest.mark.parametrize("name", slow_but(FEW, KINDS))
def test_the_container_of_the_output_is_as_scikit_learn_checks_it(name):
    model = quick(name, binarize=0.0)
    for check in (
        check_set_output_transform,
        check_set_output_transform_pandas,
        check_global_output_transform_pandas,
        check_transformer_get_feature_names_out_pandas,
    ):
        check(name, clone(model))


@pytest.mark.parametrize("name", KINDS)
def test_a_table_is_returned_by_transform_alone_and_by_every_method_of_it(name):
    X = table()
    model = quick(name).fit(X)
    usual, methods = model.transform(X), (*model.methods, "probabilities", "states")
    plain = {method: model.transform(X, method=method) for method in methods}
    rest: dict[str, Any] = {
        "reconstruct": model.reconstruct(X),
        "score_samples": model.score_samples(X),
    }
    model.set_output(transform="pandas")
    again: Any = clone(model)
    for H in (model.transform(X), again.fit_transform(X)):
        assert isinstance(H, pd.DataFrame)
        assert list(H.columns) == list(model.get_feature_names_out())
        pd.testing.assert_index_equal(H.index, X.index)
        np.testing.assert_array_equal(H.to_numpy(), usual)
    for method, expected in plain.items():
        found = model.transform(X, method=method)
        assert isinstance(found, pd.DataFrame)
        np.testing.assert_array_equal(found.to_numpy(), expected)
    for part in model.infer(X):
        assert isinstance(part, np.ndarray)
    for asked in ("reconstruct", "score_samples"):
        found = getattr(model, asked)(X)
        assert isinstance(found, np.ndarray)
        np.testing.assert_array_equal(found, rest[asked])


@pytest.mark.parametrize("name", KINDS)
def test_missing_cells_of_a_table_are_filled_in_by_name_whatever_type_its_columns_have(name):
    X = table()
    model = quick(name).fit(X)
    holes = X.astype(float).mask(np.random.default_rng(0).random(X.shape) < 0.3)
    assert model.takes_unknown
    filled = model.impute(holes)
    assert isinstance(filled, np.ndarray)
    np.testing.assert_array_equal(filled[holes.notna()], holes.to_numpy()[holes.notna()])
    assert np.isfinite(filled).all()
    with pytest.raises(ValueError, match=r"feature names|columns"):
        model.impute(holes[holes.columns[::-1]])
    for other in (
        holes.astype("Int64"),
        holes.astype("boolean"),
        holes.astype(object).where(holes.notna(), None),
    ):
        np.testing.assert_array_equal(model.impute(other), filled)
    allowed = model.__sklearn_tags__().input_tags.allow_nan
    assert allowed == model.learns_unknown
    if allowed:
        learned = quick(name).fit(holes)
        assert list(learned.feature_names_in_) == list(X.columns)
        np.testing.assert_array_equal(learned.layers[0].W, quick(name).fit(holes.to_numpy()).layers[0].W)
        np.testing.assert_array_equal(learned.score_samples(holes), learned.score_samples(holes.to_numpy()))
        assert np.isfinite(learned.score_samples(holes)).all()
        assert learned.transform(holes).shape == (len(X), model.n_latents_)
    else:
        with pytest.raises(ValueError, match="NaN"):
            quick(name).fit(holes)
    model.set_output(transform="pandas")
    H: Any = model.transform(X)
    for found, expected in (
        (model.impute(holes), filled),
        (model.inverse_transform(H), model.inverse_transform(H.to_numpy())),
    ):
        assert isinstance(found, pd.DataFrame)
        assert list(found.columns) == list(X.columns)
        pd.testing.assert_index_equal(found.index, X.index)
        np.testing.assert_array_equal(found.to_numpy(), expected)
    assert isinstance(model.impute(holes.to_numpy()), np.ndarray), "no names came"


# -- rows by themselves


@pytest.mark.parametrize("name", KINDS)
def test_the_figures_of_an_image_do_not_depend_on_what_stands_beside_it(name):
    rng = np.random.default_rng(0)
    X: NDArray = rng.integers(0, 2, (120, 40))
    X[100] = X[3]
    sizes = sizes_of(KINDS[name], 30, 20)
    if "n_top" in KINDS[name].fields:  # also of a DBN, whose upper layer is no layer that inference visits
        sizes["n_top"] = 20
    model = KINDS[name](**sizes, n_iter=3, random_state=0).fit(X)
    # Mean field runs in single precision.
    how: dict[str, Any] = {"rtol": 1e-5 if isinstance(usual_of(KINDS[name]), MeanField) else 1e-9}
    order = rng.permutation(len(X))
    for asked in (model.score_samples, model.transform):
        found = asked(X)
        np.testing.assert_allclose(asked(X[order]), found[order], **how)
        np.testing.assert_allclose(np.concatenate([asked(x[None]) for x in X[::10]]), found[::10], **how)
        np.testing.assert_allclose(found[100], found[3], **how)


SCORED_BY_DRAWS = [name for name, kind in KINDS.items() if isinstance(usual_of(kind), OnePass)]


@pytest.mark.parametrize("name", SCORED_BY_DRAWS)
def test_a_score_by_draws_approaches_log_p_of_the_image_as_they_grow_in_number(name):
    model, X = quick(name), table(5).to_numpy()
    model.fit(table())
    images = model.check_images(X)
    found = mean_weights(model, images, 20_000)
    np.testing.assert_allclose(found, model.log_marginal(images), atol=0.05)
    few = np.mean([mean_weights(model, images[[k]], 20) for k in range(5)])
    assert model.score(X) == pytest.approx(few, abs=1e-9)


def test_the_numbers_of_an_image_are_uniform_and_depend_on_its_pixels_alone():
    X = np.array([[0.0, 1.0], [1.0, 0.0], [-0.0, 1.0]])
    found = ImageStreams(X).random((3 * 5_000, 4)).reshape(3, -1)
    assert 0.0 <= found.min() < found.max() < 1.0
    for numbers in found:
        counts, _ = np.histogram(numbers, 20, (0, 1))
        assert np.abs(counts - 1_000).max() < 5 * np.sqrt(1_000)
    np.testing.assert_array_equal(found[0], found[2])
    assert abs(np.corrcoef(found[0], found[1])[0, 1]) < 0.03
    one = ImageStreams(X[[1]])
    halves = [one.random((2_500, 4)).ravel() for _ in range(2)]
    np.testing.assert_array_equal(np.concatenate(halves), found[1])


# -- further passes


@pytest.mark.parametrize("name", KINDS)
def test_further_passes_are_offered_unless_they_need_to_know_how_many_there_are(name):
    model = quick(name)
    if hasattr(model, "partial_fit"):
        assert model.partial_fit(table()) is model
        assert model.n_iter_ == 1
        with pytest.raises(ValueError, match="must be in the same order"):
            model.partial_fit(table()[table().columns[::-1]])
    elif hasattr(type(model), "partial_fit"):
        with pytest.raises(ValueError, match="needs a known number of steps, which partial_fit leaves"):
            _ = model.partial_fit
        # of layers that learn in turn each stage takes its own passes
        assert model.make_system().needs_step_count or name == IN_TURN
