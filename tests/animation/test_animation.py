"""Moving pictures: the right frames, in every format, and what is refused."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from covering import slow_but
from PIL import Image, ImageSequence

from lrbn_viz import LRBN, cli, export_animation, factorised, load_dataset, pretrained
from lrbn_viz.io.theme import LIGHT
from lrbn_viz.studies.runs import LaneConfig, Run, RunConfig
from lrbn_viz.studies.runs.retraining import trained_again
from lrbn_viz.view.animation.runs import animate_run
from lrbn_viz.view.animation.settings import Settings
from lrbn_viz.view.animation.stage import number, signed, thinned
from lrbn_viz.view.animation.traces import animate_traces, caption, changes, state_in_words

SMALL = Settings(size=(320, 180), n_frames=12)


@pytest.fixture(scope="module")
def traces():
    model, x = pretrained("lrbn-12-digits"), load_dataset("digits").test_X[0]
    return [model.map_trace(x, init="zeros"), factorised(model).map_trace(x)]


def frames_of(path: Path) -> list[np.ndarray]:
    with Image.open(path) as image:
        return [np.asarray(each.convert("RGB")) for each in ImageSequence.Iterator(image)]


def milliseconds(path: Path) -> list[float]:
    with Image.open(path) as image:
        return [each.convert("RGB").info["duration"] for each in ImageSequence.Iterator(image)]


@pytest.mark.parametrize("ending", slow_but(["webp", "apng"], ["webp", "png", "apng"]))
@pytest.mark.parametrize("lanes", slow_but([2], [1, 2]))
def test_each_change_is_a_frame_and_the_last_one_stays(traces, tmp_path, ending, lanes):
    path, shown = tmp_path / f"made.{ending}", traces[:lanes]
    size = animate_traces(path, shown, title="a digit", settings=Settings(size=(320, 180)))
    assert size == path.stat().st_size
    frames = frames_of(path)
    assert len(frames) == len(changes(shown))
    assert {frame.shape for frame in frames} == {(180, 320, 3)}
    assert len({frame.tobytes() for frame in frames}) == len(frames), "no two are alike"
    assert milliseconds(path) == [125.0] * (len(frames) - 1) + [2500.0]


def test_changes_are_the_flips_with_start_and_end(traces):
    trace = traces[0]
    flips = (np.flatnonzero(trace.flipped) + 1).tolist()
    assert changes([trace]).tolist() == sorted({0, trace.n_visits, *flips})


def test_frames_are_thinned_evenly_and_the_ends_stay():
    few = thinned(np.arange(1000), 11)
    assert few[0] == 0
    assert few[-1] == 999
    assert len(few) == 11
    assert np.ptp(np.diff(few)) <= 1
    assert thinned(np.arange(5), 11).tolist() == [0, 1, 2, 3, 4]


def test_captions_say_what_the_trace_holds(traces):
    trace = traces[0]
    wrong = trace.wrong_pixels()
    assert caption(trace, 0) == "The start"
    for visit in trace:
        words = caption(trace, visit.k)
        verb, state = "turns" if visit.flipped else "stays", "on" if visit.after else "off"
        assert words == f"Visit {visit.k}, sweep {visit.sweep + 1}: unit {visit.unit} {verb} {state}"
        assert f"log P(x, h) {number(visit.log_joint)} nats" in state_in_words(trace, visit.k, wrong)
        assert f"{int(wrong[visit.k])} wrong pixel" in state_in_words(trace, visit.k, wrong)
    assert state_in_words(traces[1], 1, traces[1].wrong_pixels()).startswith("log P*(x, h)")


def test_numbers_have_a_true_minus_and_no_zero_below_zero():
    assert number(-1.25, 2) == "\N{MINUS SIGN}1.25"
    assert number(-0.01) == "0.0"


def test_weights_are_orange_above_zero_and_blue_below():
    shown = signed(LIGHT, np.array([2.0, 0.0, -2.0]))
    colours = ["#" + bytes(colour).hex() for colour in shown]
    assert colours == [LIGHT["plus"], LIGHT["ground"], LIGHT["minus"]]


@pytest.mark.parametrize("model", ["lrbn", "deep", "means", "gaussian", "particles"])
def test_every_kind_of_trace_is_drawn(model, tmp_path):
    data = load_dataset("digits", binary=model != "gaussian")
    X = data.train_X[:60]
    made = {
        "lrbn": lambda: LRBN(6, n_iter=1, random_state=0).fit(X),
        "deep": lambda: LRBN((5, 3), layer_by_layer=True, n_iter=1, random_state=0).fit(X),
        "means": lambda: pretrained("lrbn-12-digits"),
        "gaussian": lambda: LRBN(6, n_iter=1, visible="gaussian", random_state=0).fit(X),
        "particles": lambda: pretrained("lrbn-12-digits-recognition"),
    }[model]()
    method = {"means": "mean-field", "particles": "particles"}.get(model)
    x = data.test_X[1]
    trace = made.trace(x, method)
    path = tmp_path / "made.webp"
    animate_traces(path, [trace], settings=SMALL)
    assert 2 <= len(frames_of(path)) <= SMALL.n_frames
    words = [
        caption(trace, k) + state_in_words(trace, k, trace.wrong_pixels()) for k in (0, 1, trace.n_visits)
    ]
    assert all("nan" not in each for each in words)
    if model == "gaussian":
        assert "squared error" in words[1]
    if model == "means":
        assert "bound on log P(x)" in words[1]
    if model == "particles":
        assert "of the weight" in words[1]
        assert "estimate of log P(x)" in words[1]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"size": "huge"}, "size must be one of"),
        ({"size": (100, 5000)}, "from 160 to 3840"),
        ({"frames_per_second": 0}, "frames_per_second must be"),
        ({"n_frames": 1}, "n_frames must be"),
        ({"theme": "blue"}, "theme must be"),
    ],
)
def test_settings_out_of_range_are_refused(traces, tmp_path, wrong, said):
    with pytest.raises(ValueError, match=said):
        export_animation(tmp_path / "made.webp", traces[0], **wrong)
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_drawn_is_refused_and_nothing_written(traces, tmp_path):
    trace = traces[0]
    with pytest.raises(ValueError, match="ends in"):
        export_animation(tmp_path / "made.gif", trace)
    with pytest.raises(ValueError, match=r"image_shape of 64 pixels; got 3 x 3"):
        export_animation(tmp_path / "made.webp", trace, image_shape=(3, 3))
    with pytest.raises(ValueError, match="not square"):
        export_animation(tmp_path / "made.webp", LRBN(4, n_iter=1).fit(np.eye(12)).map_trace(np.eye(12)[0]))
    other = pretrained("lrbn-12-digits").map_trace(load_dataset("digits").test_X[1])
    with pytest.raises(ValueError, match="of one image"):
        export_animation(tmp_path / "made.webp", trace, other)
    with pytest.raises(OSError, match="nowhere"):
        export_animation(tmp_path / "nowhere" / "made.webp", trace)
    with pytest.raises(ValueError, match="1 to 2 traces; got 0"):
        export_animation(tmp_path / "made.webp")
    assert not list(tmp_path.iterdir())


def test_an_export_of_something_else_than_traces_says_how_to_call_it(traces, tmp_path):
    model = pretrained("lrbn-12-digits")
    with pytest.raises(TypeError, match=r"expected traces after the path, .*; got LRBN, ndarray\. Call"):
        export_animation(tmp_path / "made.webp", model, traces[0].x)  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match=r"got PosixPath|got WindowsPath"):  # the wrong way round
        export_animation(traces[0], tmp_path / "made.webp")  # pyright: ignore[reportArgumentType]
    assert not list(tmp_path.iterdir())


def test_the_public_function_passes_on_each_of_its_arguments(traces, tmp_path):
    how = {"image_shape": (8, 8), "title": "a digit", "names": ("ICM", "factorised")}
    told: list[tuple[int, int]] = []
    size = export_animation(
        tmp_path / "public.png", *traces, **how, size=(320, 180), frames_per_second=4, n_frames=3,
        theme="dark", progress=lambda *each: told.append(each),
    )  # fmt: skip
    settings = Settings((320, 180), 4, 3, theme="dark")
    animate_traces(tmp_path / "made.png", traces, **how, settings=settings)
    assert (tmp_path / "public.png").read_bytes() == (tmp_path / "made.png").read_bytes()
    assert size == (tmp_path / "made.png").stat().st_size
    assert told[-1] == (3, 3)


def test_mp4_without_ffmpeg_says_what_to_do(traces, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ValueError, match=r"needs ffmpeg.*\.webp"):
        export_animation(tmp_path / "made.mp4", traces[0])


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="needs ffmpeg")
def test_mp4_lasts_as_long_as_the_frames(traces, tmp_path):
    path = tmp_path / "made.mp4"
    export_animation(path, traces[0], size=(320, 180), frames_per_second=8)
    asked = ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries",
             "stream=codec_name,width,height,duration", "-of", "csv=p=0", str(path)]  # fmt: skip
    codec, width, height, seconds = subprocess.check_output(asked, text=True).strip().split(",")
    assert (codec, width, height) == ("h264", "320", "180")
    lasts = (len(changes(traces[:1])) - 1) / 8 + 2.5
    assert abs(float(seconds) - lasts) < 0.1


def test_an_animation_is_stopped_by_its_progress(traces, tmp_path):
    def progress(done: int, total: int) -> None:
        assert total == len(changes(traces))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        animate_traces(tmp_path / "made.webp", traces, settings=SMALL, progress=progress)
    assert not list(tmp_path.iterdir())


# -- training


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 8}), "RBM": LaneConfig("RBM", {"n_components": 6})}
    folder = tmp_path_factory.mktemp("runs") / "one"
    found = Run(RunConfig("digits", lanes, n_iter=2, validation_size=30), load_dataset("digits"), folder)
    found.start()
    found.job.join()
    assert found.job.status == "done"
    return found


def test_a_run_is_drawn_moment_by_moment(run, tmp_path):
    seen = []
    path = tmp_path / "made.png"
    animate_run(path, run, settings=SMALL, progress=lambda *told: seen.append(told))
    frames = frames_of(path)
    steps = {step for lane in run.lanes.values() for step in [*lane.history.steps, lane.training.step]}
    assert len(frames) == min(len(steps), SMALL.n_frames)
    assert not np.array_equal(frames[0], frames[-1])
    assert seen[-1][0] == seen[-1][1], "progress ends at its end"


def test_a_stored_run_is_trained_once_more_bit_for_bit(run):
    again = trained_again(run.folder)
    for name, lane in run.lanes.items():
        ours = again.lanes[name].training
        assert ours.step == lane.training.step
        weights = [each.system.weights(each.state) for each in (ours, lane.training)]
        np.testing.assert_array_equal(weights[0], weights[1])
    assert len(again.lanes["LRBN"].history.steps) > 1


def test_a_run_whose_settings_changed_is_refused(tmp_path):
    lanes = {"LRBN": LaneConfig("LRBN", {"n_components": 5, "learning_rate": 0.1})}
    run = Run(RunConfig("digits", lanes, n_iter=1), load_dataset("digits"), tmp_path / "one")
    run.advance(10)
    while run.job.status == "running":
        pass
    run.change("LRBN", learning_rate=0.01)
    run.start()
    run.job.join()
    with pytest.raises(ValueError, match="training again does not reproduce"):
        trained_again(tmp_path / "one")


# -- on the command line


def test_a_saved_trace_an_address_and_a_run_become_files(traces, run, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    traces[0].save("trace.npz")
    small = ["--size", "small", "--frames", "5"]
    assert cli.main(["animate", "trace.npz", "--out", "a.webp", *small]) == 0
    address = "http://localhost:5006/?model=lrbn-12-digits&image=3&nonsense=1"
    assert cli.main(["animate", address, "--out", "b.png", *small]) == 0
    assert "nonsense" in capsys.readouterr().err
    monkeypatch.setenv("LRBN_VIZ_RUNS", str(run.folder.parent))
    assert cli.main(["animate", "one", "--out", "c.webp", *small]) == 0
    assert [len(frames_of(Path(name))) for name in ("a.webp", "b.png", "c.webp")] == [
        len(changes(traces[:1])),
        5,
        5,
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "no trace"),
        (["lost.npz"], "lost.npz"),
        (["image=1", "--out", "a.gif"], "ends in"),
        (["image=1", "--speed", "1000"], "frames_per_second"),
        (
            ["?model=nope"],
            "as the page would show something else: model: there is no model called 'nope' here",
        ),
        (
            ["http://localhost:5006/?model=lrbn-12-digits&image=360"],
            "a whole number from 0 to 359, got 360",
        ),
    ],
)
def test_what_cannot_be_animated_is_a_message(arguments, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["animate", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
