"""What `load_dataset` returns, against the published figures and bytes, and the planted truth."""

import gzip
import hashlib
import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from lrbn_viz.datasets import DATA_VARIABLE, DATASETS, load_dataset, mnist5k_rows_in_mnist
from lrbn_viz.datasets.decode import _python2_shuffle

NEED_FILES = ["mnist5k", "mnist", "caltech101_silhouettes", "ocr_letters"]
ALL_NAMES = [
    "digits",
    "mnist5k",
    "mnist",
    "caltech101_silhouettes",
    "ocr_letters",
    "bars",
    "alarm",
    "findings",
]


@pytest.fixture
def data_folder(monkeypatch):
    """The folder of published files, its variable set; the test is skipped where there is none."""
    named = os.environ.get(DATA_VARIABLE)
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data" / "original"
    if not folder.is_dir():
        pytest.skip(f"no folder of published data files: set {DATA_VARIABLE}")
    monkeypatch.setenv(DATA_VARIABLE, str(folder))
    return folder


@pytest.fixture(
    params=[pytest.param(name, marks=pytest.mark.slow) if name == "mnist" else name for name in ALL_NAMES]
)
def name(request):
    """Every data set's name in turn."""
    if request.param in NEED_FILES:
        request.getfixturevalue("data_folder")
    return request.param


def test_every_data_set_is_what_its_entry_says(name):
    data, info = load_dataset(name), DATASETS[name]
    n_v = info.image_shape[0] * info.image_shape[1]
    assert data.info is info
    assert data.name == info.name == name
    assert data.image_shape == info.image_shape
    assert data.is_table == info.is_table
    assert data.n_v == n_v
    assert data.train_X.shape == (info.n_train, n_v)
    assert data.test_X.shape == (info.n_test, n_v)
    assert data.train_y.shape == (info.n_train,)
    assert data.test_y.shape == (info.n_test,)
    assert len(data.class_names) == len(set(data.class_names)) == info.n_classes
    assert all(isinstance(class_name, str) for class_name in data.class_names)
    for y in (data.train_y, data.test_y):
        assert y.dtype == np.int64
        assert y.min() >= 0
        assert y.max() < info.n_classes
    assert "\n" not in info.description
    assert info.needs_files == (name in NEED_FILES)


def test_binary_images_are_contiguous_read_only_uint8_zeros_and_ones(name):
    data = load_dataset(name)
    assert data.binary
    assert data.mean is None
    for X in (data.train_X, data.test_X):
        assert X.dtype == np.uint8
        assert X.flags.c_contiguous
        assert set(np.unique(X)) == {0, 1}
        with pytest.raises(ValueError, match="read-only"):
            X[0, 0] = 1


def test_a_second_load_returns_the_same_arrays(name):
    assert load_dataset(name) is load_dataset(name)


def test_standardised_images_have_mean_0_and_deviation_1_and_map_back_to_the_same_pixels(name):
    binary, real = load_dataset(name), load_dataset(name, binary=False)
    assert not real.binary
    assert real.mean is not None
    assert real.scale is not None
    for X in (real.train_X, real.test_X):
        assert X.dtype == np.float64
        assert np.isfinite(X).all()
    constant = real.train_X.std(axis=0) < 1e-6
    np.testing.assert_allclose(real.train_X.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(real.train_X.std(axis=0)[~constant], 1, atol=1e-9)
    np.testing.assert_array_equal(real.scale[constant], 1)
    np.testing.assert_array_equal(real.train_X[:, constant], 0)
    np.testing.assert_array_equal(real.train_y, binary.train_y)
    np.testing.assert_array_equal(real.test_y, binary.test_y)
    full = {"digits": 16, "mnist": 255, "mnist5k": 255}.get(name, 1)
    published = real.to_intensity(real.test_X) * full
    np.testing.assert_allclose(published, np.round(published), atol=1e-9)
    np.testing.assert_array_equal(np.round(published) >= (full + 1) // 2, binary.test_X == 1)
    np.testing.assert_allclose(
        real.from_intensity(real.to_intensity(real.test_X[:5])), real.test_X[:5], atol=1e-9
    )
    np.testing.assert_array_equal(binary.from_intensity(real.to_intensity(real.test_X)), binary.test_X)


@pytest.mark.parametrize("name", ["digits", "mnist5k", "bars"])
def test_pixels_drawn_once_are_the_same_each_time_and_follow_their_intensity(name):
    drawn, plain = load_dataset(name, binarize="stochastic"), load_dataset(name)
    assert load_dataset(name, binarize="stochastic") is drawn
    assert drawn.binary
    assert drawn.train_X.dtype == np.uint8
    assert set(np.unique(drawn.train_X)) == {0, 1}
    np.testing.assert_array_equal(drawn.train_y, plain.train_y)
    grey = load_dataset(name, binary=False)
    p = np.clip(grey.to_intensity(grey.train_X), 0, 1)
    sure = (p < 1e-9) | (p > 1 - 1e-9)
    np.testing.assert_array_equal(drawn.train_X[sure], plain.train_X[sure])
    wrong = drawn.train_X.mean(axis=0) - p.mean(axis=0)
    error = np.sqrt((p * (1 - p)).mean(axis=0) / len(p))
    assert (np.abs(wrong) < 5 * error + 1e-9).all()
    assert sure.all() == (name == "bars")


def test_pixels_are_not_drawn_of_images_that_stay_grey():
    with pytest.raises(ValueError, match="leave one out"):
        load_dataset("digits", binary=False, binarize="stochastic")
    with pytest.raises(ValueError, match="binarize must be one of 'threshold', 'stochastic'"):
        load_dataset("digits", binarize=cast(Any, "dynamic"))


def test_some_pixels_are_constant_so_that_the_test_above_covers_them():
    real = load_dataset("digits", binary=False)
    assert (real.train_X == 0).all(axis=0).sum() >= 1


def test_to_intensity_refuses_a_wrong_width():
    with pytest.raises(ValueError, match=r"expected images of 64 values, got an array of shape \(63,\)"):
        load_dataset("digits").to_intensity(np.zeros(63))


@pytest.mark.parametrize("unknown", ["mnst", "", None, 3])
def test_an_unknown_name_lists_the_names(unknown):
    with pytest.raises(ValueError, match=", ".join(ALL_NAMES)):
        load_dataset(unknown)


def test_the_default_is_mnist5k():
    assert load_dataset() is load_dataset("mnist5k")


# Published: sizes, mean pixel of training and test images, nats per test image under independent pixels.
FIGURES = {
    "mnist": (60_000, 10_000, 0.132258, 0.134229, -205.847),
    "caltech101_silhouettes": (6_364, 2_307, 0.545684, 0.539015, -375.814),
    "ocr_letters": (42_152, 10_000, 0.219908, 0.218735, -63.737),
}


@pytest.mark.parametrize("published", FIGURES)
def test_sizes_mean_pixels_and_log_likelihoods_are_the_published_ones(published, data_folder):
    n_train, n_test, train_mean, test_mean, log_likelihood = FIGURES[published]
    data = load_dataset(published)
    assert len(data.train_X) == n_train
    assert len(data.test_X) == n_test
    assert data.train_X.mean() == pytest.approx(train_mean, abs=5e-7)
    assert data.test_X.mean() == pytest.approx(test_mean, abs=5e-7)
    p = (data.train_X.sum(axis=0, dtype=np.float64) + 1) / (n_train + 2)
    nats = np.where(data.test_X == 1, np.log(p), np.log1p(-p)).sum(axis=1).mean()
    assert nats == pytest.approx(log_likelihood, abs=5e-4)


def test_mnist_is_in_its_published_order_with_ink_from_byte_128(data_folder):
    data = load_dataset("mnist")
    for part, X, y in (("train", data.train_X, data.train_y), ("t10k", data.test_X, data.test_y)):
        images = gzip.decompress((data_folder / f"{part}-images-idx3-ubyte.gz").read_bytes())
        labels = gzip.decompress((data_folder / f"{part}-labels-idx1-ubyte.gz").read_bytes())
        assert (np.frombuffer(images, np.uint8, offset=16).reshape(-1, 784) >= 128).tobytes() == X.tobytes()
        assert list(labels[8:]) == y.tolist()
    assert data.train_y[:5].tolist() == [5, 0, 4, 1, 9]
    assert data.validation_start is None


def test_caltech_is_train_then_validation_with_row_major_images_and_background_1(data_folder):
    from scipy.io import loadmat

    data = load_dataset("caltech101_silhouettes")
    mat = loadmat(data_folder / "caltech101_silhouettes_28_split1.mat")
    assert data.validation_start == 4_100
    assert len(data.train_X) - data.validation_start == 2_264
    for X, y, part in (
        (data.train_X[:4_100], data.train_y[:4_100], "train"),
        (data.train_X[4_100:], data.train_y[4_100:], "val"),
        (data.test_X, data.test_y, "test"),
    ):
        for row in (0, 17, len(X) - 1):
            np.testing.assert_array_equal(X[row].reshape(28, 28).T.ravel(), mat[f"{part}_data"][row])
        np.testing.assert_array_equal(y + 1, mat[f"{part}_labels"].ravel())
    assert data.info.one_means == "background"
    border = data.train_X.reshape(-1, 28, 28)[:, 0, 0]
    assert border.mean() > 0.9
    assert data.class_names[:2] == ("Airplanes Side 2", "Faces 2")


def test_ocr_rows_are_the_published_lines_in_the_published_shuffle(data_folder):
    order = _python2_shuffle(52_152, 12345)
    assert order[:5] == [8110, 9346, 20302, 2071, 22904]
    lines = gzip.decompress((data_folder / "letter.data.gz").read_bytes()).decode().splitlines()
    data = load_dataset("ocr_letters")
    assert data.validation_start == 32_152
    X, y = np.concatenate([data.train_X, data.test_X]), np.concatenate([data.train_y, data.test_y])
    for row in (0, 1, 32_151, 32_152, 42_151, 42_152, 52_151):
        fields = lines[order[row]].split("\t")
        assert X[row].tolist() == [int(pixel) for pixel in fields[6:134]]
        assert data.class_names[y[row]] == fields[1]


def test_digits_threshold_is_half_of_full_ink_and_the_split_holds_every_image_once():
    from sklearn.datasets import load_digits

    data = load_dataset("digits")
    X, y = load_digits(return_X_y=True)
    rows = [bytes([label]) + row.tobytes() for row, label in zip((X >= 8).astype(np.uint8), y, strict=True)]
    split = [
        bytes([label]) + row.tobytes()
        for X, y in ((data.train_X, data.train_y), (data.test_X, data.test_y))
        for row, label in zip(X, y, strict=True)
    ]
    assert sorted(split) == sorted(rows)
    assert np.bincount(data.test_y).tolist() == [36] * 10


def test_mnist5k_is_the_first_500_training_images_of_each_digit_stratified(data_folder):
    data, mnist = load_dataset("mnist5k"), load_dataset("mnist")
    assert np.bincount(data.train_y).tolist() == [400] * 10
    assert np.bincount(data.test_y).tolist() == [100] * 10
    y = np.concatenate([data.train_y, data.test_y])
    for digit in range(10):
        split = np.concatenate([data.train_X, data.test_X])[y == digit]
        first = mnist.train_X[mnist.train_y == digit][:500]
        assert sorted(map(bytes, split)) == sorted(map(bytes, first))


@pytest.mark.parametrize(
    ("fixed", "sha256"),
    [
        ("digits", "735888f81b9e37b811d2545901660edae503f1eb1eb6e28acaebd8878a82ac00"),
        ("mnist5k", "0ff0e17364f5280a23153468b110a448a0e60e407823d9ca6580f9e2bdcb236f"),
        ("bars", "cd4bc75e756c4a7b291a37b2fe9daf5980ffc1a59eb862c81e4a14b99207617b"),
        ("alarm", "79382c0712d3568e40071d34f9b49219bdc534b8cf4fa8a9420192b7e5e83980"),
        ("findings", "817ad71c125a39d61ee72776ce62f11ed63f57abd9912e1ba5fecdf018600eb1"),
    ],
)
def test_splits_and_planted_draws_never_change(fixed, sha256):
    data = load_dataset(fixed)
    arrays = (data.train_X, data.train_y, data.test_X, data.test_y)
    assert hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest() == sha256


def test_the_mask_finds_all_of_mnist5k_and_leaves_no_image_of_it_unmasked(data_folder):
    mask = mnist5k_rows_in_mnist()
    images = gzip.decompress((data_folder / "train-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((data_folder / "train-labels-idx1-ubyte.gz").read_bytes())
    mnist = np.frombuffer(images, np.uint8, offset=16).reshape(60_000, 784)
    y = np.frombuffer(labels, np.uint8, offset=8)
    first = [row for digit in range(10) for row in np.flatnonzero(y == digit)[:500]]
    published = {mnist[row].tobytes() for row in first}
    assert mask.shape == (60_000,)
    assert mask.dtype == bool
    assert len(published) == 5_000
    assert published <= {image.tobytes() for image in mnist[mask]}
    equal = np.array([image.tobytes() in published for image in mnist])
    assert equal.sum() == 5_000
    assert mask[equal].all()
    binary, mnist5k = load_dataset("mnist").train_X, load_dataset("mnist5k")
    seen = {image.tobytes() for image in binary[~mask]}
    assert not any(image.tobytes() in seen for X in (mnist5k.train_X, mnist5k.test_X) for image in X)
    assert mask.sum() == 5_003  # three more are equal only once binarised


def sigmoid(a):
    return 1 / (1 + np.exp(-a))


@pytest.mark.parametrize("name", ["bars", "alarm", "findings"])
def test_planted_images_follow_the_planted_model(name):
    data = load_dataset(name)
    truth = data.planted
    assert truth is not None
    n_v, n_h = truth.W.shape
    assert (n_v,) == truth.b.shape == (data.n_v,)
    assert (n_h,) == truth.d.shape
    assert len(truth.visible_names) == n_v
    assert len(truth.latent_names) == n_h
    for X, H in ((data.train_X, truth.train_H), (data.test_X, truth.test_H)):
        assert H.dtype == np.uint8
        assert H.shape == (len(X), n_h)
        # Four standard errors of a sum of independent draws.
        p = np.broadcast_to(sigmoid(truth.d), H.shape)
        assert (np.abs((H - p).sum(axis=0)) < 4 * np.sqrt((p * (1 - p)).sum(axis=0))).all()
        q = sigmoid(H @ truth.W.T + truth.b)
        assert abs((X - q).sum()) < 4 * np.sqrt((q * (1 - q)).sum())
        assert np.abs(X - q).mean() < (2 * q * (1 - q)).mean() + 0.01
    with pytest.raises(ValueError, match="read-only"):
        truth.W[0, 0] = 0


def test_a_bar_inks_its_own_line_and_labels_count_the_bars():
    data = load_dataset("bars")
    truth = data.planted
    assert truth is not None
    for j, latent in enumerate(truth.latent_names):
        line = np.zeros((8, 8), dtype=bool)
        if latent.startswith("row"):
            line[j] = True
        else:
            line[:, j - 8] = True
        np.testing.assert_array_equal(truth.W[:, j].reshape(8, 8) > 0, line)
    np.testing.assert_array_equal(data.train_y, truth.train_H.sum(axis=1))
    assert data.class_names[:3] == ("0 bars", "1 bar", "2 bars")


def test_in_alarm_a_report_of_the_earthquake_explains_the_burglary_away():
    data = load_dataset("alarm")
    truth = data.planted
    assert truth is not None
    H = np.array(list(itertools.product((0, 1), repeat=2)))
    prior = np.where(H == 1, sigmoid(truth.d), 1 - sigmoid(truth.d)).prod(axis=1)
    p = sigmoid(H @ truth.W.T + truth.b)
    heard = prior * p[:, 0]
    reported = heard * p[:, 1]
    assert (heard @ H[:, 0]) / heard.sum() == pytest.approx(0.431, abs=5e-4)
    assert (reported @ H[:, 0]) / reported.sum() == pytest.approx(0.113, abs=5e-4)
    states = {"neither": (0, 0), "burglary": (1, 0), "earthquake": (0, 1), "both": (1, 1)}
    for h, label in zip(truth.train_H, data.train_y, strict=True):
        assert states[data.class_names[label]] == tuple(h)


def test_importing_the_data_sets_imports_no_heavy_library_nor_does_reading_mnist5k(data_folder):
    program = (
        "import sys; import lrbn_viz.datasets as d;"
        "heavy = ['pooch', 'sklearn', 'scipy', 'pandas', 'panel', 'bokeh'];"
        "print([m for m in heavy if m in sys.modules]);"
        "d.load_dataset('mnist5k'); d.load_dataset('bars'); print([m for m in heavy if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "[]"]
