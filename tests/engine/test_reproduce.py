"""The reproduction: left anywhere it ends the same, and what is reported is never called measured."""

import json
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from forked import forked, program

from lrbn_viz import cli, load_dataset
from lrbn_viz.measure import log_likelihood, reconstruction_error
from lrbn_viz.studies.reproduce import measure, report, run, stages
from lrbn_viz.studies.reproduce.budgets import QUICK
from lrbn_viz.studies.reproduce.recipes import RECIPES, quick, stages_of
from lrbn_viz.studies.reproduce.report import likeliest
from lrbn_viz.studies.reproduce.reported import NATS, WRONG_PIXELS
from lrbn_viz.studies.reproduce.run import Reproduction
from lrbn_viz.studies.reproduce.split import split
from lrbn_viz.studies.reproduce.store import DamagedResult, FolderInUse
from lrbn_viz.studies.reproduce.train import begins_with

CONFIGS = ("paper", "likelihood")


def read_report(folder):
    """What ``report.json`` in a run's folder says."""
    return json.loads((folder / "report.json").read_text(encoding="utf-8"))


def reproduction(folder, **how):
    """A quick one on small digits that stand in for the letters."""
    settings = {"fast": True, "dataset": load_dataset("digits"), "only": CONFIGS, "checkpoint_seconds": 0.0}
    return Reproduction("ocr", folder, **(settings | how))


@pytest.fixture(autouse=True)
def no_charts(monkeypatch):
    """Reports without charts, which take the most time: `whole` has drawn them."""
    monkeypatch.setattr(report, "_write_figures", lambda run: {})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """One that was never left, and the moments that it went through."""
    made = reproduction(tmp_path_factory.mktemp("whole"))
    return made, list(made.steps())


def same_numbers(report):
    """What a report says, without what time took and what differs by machine."""
    report = json.loads(json.dumps(report))
    for results in [report["measured"][config] for config in report["measured"]]:
        for stage in results.values():
            del stage["seconds"]
    del report["pixels"]["seconds"], report["machine"], report["tables"]["times"]
    return report


def assert_same(made, expected):
    for name in expected.results:
        left, right = made.results[name].arrays, expected.results[name].arrays
        assert set(left) == set(right)
        for part in left:
            assert left[part].dtype == right[part].dtype
            np.testing.assert_array_equal(left[part], right[part])
    reports = [same_numbers(read_report(each.store.folder)) for each in (made, expected)]
    assert reports[0] == reports[1]


# -- a whole run


def test_a_run_leaves_a_report_with_all_its_figures_and_models(whole):
    made, moments = whole
    folder = made.store.folder
    assert {moment.stage.name for moment in moments} == {stage.name for stage in made.stages}
    text = (folder / "report.md").read_text(encoding="utf-8")
    pictures = re.findall(r"!\[[^]]+\]\(figures/(\w+\.\w+)\)", text)
    assert sorted(pictures) == [
        "csl.svg",
        "filters.png",
        "frontier.svg",
        "reconstructions.png",
        "samples.png",
    ]
    for picture in pictures:
        beginning = {".png": b"\x89PNG", ".svg": b"<?xml"}[picture[-4:]]
        assert (folder / "figures" / picture).read_bytes().startswith(beginning)
    assert "Not finished" not in text
    assert "quick run" in text
    assert sorted(path.name for path in (folder / "models").iterdir()) == ["likelihood.npz", "paper.npz"]
    assert not list(folder.rglob("*.partial"))
    assert not list(folder.rglob("*.checkpoint"))


def test_the_measured_figures_are_those_of_the_public_estimators(whole):
    made, _ = whole
    model, X = made.model("likelihood"), made.data.test_X
    wrong = reconstruction_error(model, X, method="icm")
    found = made.figures("likelihood", "reconstruction")["icm"]
    assert found["mean"] == wrong.mean()
    assert found["dead_units"] == [int((~model.transform(X).any(axis=0)).sum())]
    ais = log_likelihood(model, measure.some(X, QUICK.ais_images), n_temperatures=QUICK.temperatures(1))
    assert made.figures("likelihood", "ais")["mean"] == ais.mean
    csl = made.figures("likelihood", "csl")
    assert np.shape(csl["curve"]["means"]) == (QUICK.csl_repetitions, len(csl["curve"]["n_samples"]))
    assert csl["n_images"] == len(X)


def test_drawn_images_are_bracketed(whole):
    found = whole[0].figures("likelihood", "bracket")
    assert found["lower"]["mean"] < found["upper"]["mean"] + 3 * found["width"]["standard_error"]


def test_the_report_as_json_says_what_the_run_knows(whole):
    made, _ = whole
    found = read_report(made.store.folder)
    assert found["measured"]["paper"]["csl"]["figures"] == made.figures("paper", "csl")
    assert found["settings"]["recipes"]["paper"]["layers"] == list(made.recipes["paper"].layers)
    assert found["reported"]["nats"] == [row._asdict() for row in NATS["ocr"]]
    assert found["aims"]["chosen"]["together"] == "paper"  # the only one of two layers
    report = (made.store.folder / "report.md").read_text(encoding="utf-8")
    assert found["notes"].startswith("- ")
    assert "of a single training run with one seed**" in report.partition(found["notes"])[0][-700:]
    assert json.loads(json.dumps(found)) == found


# -- left and resumed


@pytest.mark.parametrize("share", [pytest.param(0.05, marks=pytest.mark.slow), 0.45, 0.8])
def test_a_run_left_at_any_moment_goes_on_to_the_same_models_and_report(whole, share, tmp_path):
    expected, moments = whole
    left_after = int(share * len(moments))
    begun = reproduction(tmp_path)
    steps = begun.steps()
    for _ in range(left_after):
        next(steps)
    steps.close()
    resumed = reproduction(tmp_path)
    rest = [moment for moment in resumed.steps() if not moment.found]
    done_before = sum(moment.share == 1.0 for moment in moments[:left_after])
    assert [m.stage.name for m in rest if m.share == 1.0] == [s.name for s in expected.stages[done_before:]]
    # No step of training is made twice.
    assert len(rest) == len(moments) - left_after
    assert_same(resumed, expected)


KILLED = """
import sys
from pathlib import Path
from lrbn_viz import load_dataset
from lrbn_viz.studies.reproduce.report import likeliest
from lrbn_viz.studies.reproduce.run import Reproduction
data, configs = load_dataset("digits"), ("paper", "likelihood")
made = Reproduction("ocr", sys.argv[1], fast=True, dataset=data, only=configs, checkpoint_seconds=0.0)
for number, moment in enumerate(made.steps()):
    if number == 20:
        print(moment.stage.name, moment.share, flush=True)
        sys.stdin.read()
"""


@pytest.mark.slow
def test_a_run_whose_process_is_killed_goes_on_to_the_same_models_and_report(whole, tmp_path):
    expected, moments = whole
    with forked(program(KILLED, str(tmp_path))) as process:
        stage, share = process.stdout.readline().split()
        process.kill()
        assert process.wait() < 0
    assert (stage, float(share)) == (moments[20].stage.name, moments[20].share)
    assert 0 < float(share) < 1
    resumed = reproduction(tmp_path)
    list(resumed.steps())
    assert_same(resumed, expected)


def test_a_folder_in_which_another_process_works_is_refused_until_that_ends(tmp_path, small_letters, capsys):
    with forked(program(KILLED, str(tmp_path))) as process:
        process.stdout.readline()  # it is in the middle of training, and stays there
        before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
        asked = ["reproduce", "ocr", "--quick", "--only", "paper", "--output", str(tmp_path)]
        assert cli.main(asked) == 1
        said = capsys.readouterr().err
        assert f"expected {tmp_path} to be free, but process {process.pid} is working in it" in said
        with pytest.raises(FolderInUse, match="choose another folder"):
            next(reproduction(tmp_path).steps())
        assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
        process.kill()
        process.wait()
    # the file is still there, but nobody holds it
    assert (tmp_path / ".lock").exists()
    steps = reproduction(tmp_path).steps()
    assert next(steps).found
    with pytest.raises(FolderInUse, match=f"process {os.getpid()} "):
        next(reproduction(tmp_path).steps())
    steps.close()
    next(reproduction(tmp_path).steps())


def test_finished_stages_are_not_run_again(whole, monkeypatch):
    made, _ = whole
    before = {path: path.stat().st_mtime_ns for path in (made.store.folder / "stages").iterdir()}

    def never(*_):
        raise AssertionError("a finished stage was run again")

    monkeypatch.setattr(stages, "training_of", never)
    monkeypatch.setattr(measure, "pixels", never)
    monkeypatch.setattr(measure, "MEASURES", dict.fromkeys(measure.MEASURES, never))
    again = reproduction(made.store.folder)
    assert all(moment.found for moment in again.steps())
    assert {path: path.stat().st_mtime_ns for path in (made.store.folder / "stages").iterdir()} == before


@pytest.mark.slow
def test_a_layer_that_another_configuration_has_learned_is_not_learned_again(tmp_path):
    alone = reproduction(tmp_path / "alone", only=("paper",))
    beside = reproduction(tmp_path / "beside", only=("paper-200", "paper"))
    stages = {}
    for made in (alone, beside):
        made.run()
    for moment in reproduction(tmp_path / "again", only=("paper-200", "paper")).steps():
        stages.setdefault(moment.stage.name, []).append(moment.share)
    assert stages["paper.training"][0] > 1 / 3, "begins with its second of three stages"
    assert stages["paper-200.training"][0] < 1 / 3
    left, right = (made.results["paper.training"] for made in (alone, beside))
    assert right.figures == {**left.figures, "begun_with": "paper-200"}
    for name, array in left.arrays.items():
        np.testing.assert_array_equal(right.arrays[name], array)
    report = (tmp_path / "beside" / "report.md").read_text(encoding="utf-8")
    assert "begins with all stages of `paper-200`" in report


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        (
            "mnist",
            {("paper", "paper-200"), ("both", "pixels"), ("likeliest", "pixels"), ("likeliest", "both")},
        ),
        ("ocr", {("paper", "paper-200"), ("likeliest", "both")}),
        ("caltech", {("paper", "paper-200"), ("likeliest", "both")}),
    ],
)
def test_which_configurations_begin_with_another_one(name, pairs):
    known = RECIPES[name]
    assert {(a, b) for a in known for b in known if begins_with(known[a], known[b])} == pairs


def test_the_report_keeps_what_the_folder_holds_of_other_configurations(whole, tmp_path):
    made, _ = whole
    folder = tmp_path / "copy"
    shutil.copytree(made.store.folder, folder)
    more = reproduction(folder, only=["pixels"])
    assert {moment.stage.config for moment in more.steps() if not moment.found} == {"pixels"}
    before, after = (read_report(each.store.folder)["measured"] for each in (made, more))
    assert list(after) == ["paper", "pixels", "likelihood"]
    assert {config: after[config] for config in before} == before
    assert "Not finished" not in (folder / "report.md").read_text(encoding="utf-8")


def test_only_what_depends_on_a_changed_setting_is_run_again(whole):
    made, _ = whole
    plans = {
        "csl": reproduction(made.store.folder, budget=QUICK._replace(csl_samples=300)),
        "seed": reproduction(made.store.folder, seed=1),
        "images": reproduction(made.store.folder, fast=False, recipes=made.recipes, budget=QUICK),
    }
    old = {stage.name: stage.key for stage in made.stages}
    changed = {what: {s.name for s in plan.stages if s.key != old[s.name]} for what, plan in plans.items()}
    assert changed["csl"] == {"paper.csl", "likelihood.csl"}
    assert changed["seed"] == changed["images"] == set(old)


# -- what is damaged or wrong


@pytest.mark.parametrize("damage", ["cut", "flipped"])
def test_a_damaged_stage_is_refused_by_name(whole, damage, tmp_path):
    folder = tmp_path / "copy"
    shutil.copytree(whole[0].store.folder, folder)
    path = folder / "stages" / "likelihood.ais.result"
    content = bytearray(path.read_bytes())
    if damage == "cut":
        del content[-40:]
    else:
        content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(DamagedResult, match=r"likelihood\.ais\.result.*Remove it"):
        list(reproduction(folder, only=["likelihood"]).steps())
    path.unlink()
    again = reproduction(folder, only=["likelihood"])
    assert [moment.stage.name for moment in again.steps() if not moment.found] == ["likelihood.ais"]


def test_a_damaged_checkpoint_is_refused_by_name(tmp_path):
    steps = reproduction(tmp_path, only=["likelihood"]).steps()
    for _ in range(4):
        next(steps)
    steps.close()
    (path,) = (tmp_path / "stages").glob("*.checkpoint")
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(DamagedResult, match=re.escape(path.name)):
        list(reproduction(tmp_path, only=["likelihood"]).steps())


# -- reported and measured


def tables_of(text):
    """Return (heading cells, rows of cells) of every Markdown table."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines())
        found.append((head, rows))
    return found


def test_reported_and_measured_figures_never_share_a_column(whole):
    folder = whole[0].store.folder
    published = {f"{row.value:.2f}" for row in (*WRONG_PIXELS["ocr"], *NATS["ocr"])}
    columns = {"reported": set(), "measured": set()}
    for head, rows in tables_of((folder / "report.md").read_text(encoding="utf-8")):
        for position, name in enumerate(head):
            source = name.partition(":")[0]
            if source in columns:
                columns[source] |= {row[position] for row in rows if row[position]}
    assert columns["reported"] == published
    assert columns["measured"]
    assert not columns["measured"] & published


def test_every_column_of_figures_has_one_source_in_json_too(whole):
    report = read_report(whole[0].store.folder)
    for table in report["tables"].values():
        for position, column in enumerate(table["columns"]):
            cells = [row[position] for row in table["rows"] if row[position] is not None]
            kinds = {"label": str, "reported": float, "measured": (dict, list)}[column["source"]]
            assert all(isinstance(cell, kinds) for cell in cells), (table["title"], column)
            assert column["source"] == "label" or column["name"].startswith(f"{column['source']}: ")


# -- the recipes as they are


@pytest.mark.parametrize(
    ("name", "config"), [(name, config) for name, recipes in RECIPES.items() for config in recipes]
)
def test_every_recipe_can_be_trained(name, config):
    recipe = RECIPES[name][config]
    X = np.random.default_rng(0).integers(0, 2, (12, 30), np.uint8)
    training = stages.training_of(recipe, X, X[:4], 0, (5, 6))
    step = next(training)
    assert np.isfinite(step.event.metrics["log_joint"])
    parts = [*recipe.layers, *([recipe.fine_tune] if recipe.fine_tune else [])]
    assert len(training.stages) == sum(len(stages_of(part)) for part in parts) * recipe.n_rounds
    assert json.loads(json.dumps(recipe._asdict()))["layers"] == list(recipe.layers)


@pytest.mark.parametrize("name", RECIPES)
def test_the_papers_plain_recipe_is_as_the_paper_says(name):
    recipe = RECIPES[name]["paper"]
    assert [layer["n_h"] for layer in recipe.layers] == [200, 200]
    assert {layer["learning_rate"] for layer in recipe.layers} == {0.25}
    assert {layer["e_step"] for layer in recipe.layers} == {"icm"}
    assert (recipe.batch_size, recipe.n_stop) == (20, 100)
    assert recipe.patience is not None


def test_nothing_held_out_and_no_test_image_is_trained_on():
    data = load_dataset("digits")
    parts = split(data)
    rows = [{(*x, label) for x, label in zip(X.tolist(), y.tolist(), strict=True)} for X, y in (
        (parts.train_X, parts.train_y), (parts.validation_X, parts.validation_y), (data.train_X, data.train_y)
    )]  # fmt: skip
    assert rows[0] | rows[1] == rows[2]
    assert len(parts.train_X) + len(parts.validation_X) == len(data.train_X)
    assert len(parts.validation_X) == 143
    assert parts.test_X is data.test_X


# -- the command


@pytest.fixture
def small_letters(monkeypatch):
    monkeypatch.setattr(run, "load_dataset", lambda name, **how: load_dataset("digits", **how))


def test_the_command_says_how_far_it_is_and_where_the_report_lies(small_letters, tmp_path, capsys):
    command = ["reproduce", "ocr", "--quick", "--only", "pixels", "--output", str(tmp_path)]
    assert cli.main(command) == 0
    said = capsys.readouterr()
    assert said.out == f"{tmp_path / 'report.md'}\n"
    lines = said.err.splitlines()
    assert len(lines) == 2 + len(measure.MEASURES)
    assert all(re.search(r": done in [\d.]+ s; about .* left$", line) for line in lines)
    assert lines[-1].endswith("about 0 s left")
    assert cli.main(command) == 0
    assert all("finished before" in line for line in capsys.readouterr().err.splitlines())


def test_an_unknown_configuration_is_answered_with_those_there_are(small_letters, tmp_path, capsys):
    assert cli.main(["reproduce", "ocr", "--only", "pixel", "--output", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "'pixel'" in said
    assert all(config in said for config in RECIPES["ocr"])


def test_a_folder_that_cannot_be_written_is_named(small_letters, tmp_path, capsys):
    (tmp_path / "taken").write_text("a file")
    assert cli.main(["reproduce", "ocr", "--quick", "--output", str(tmp_path / "taken")]) == 1
    said = capsys.readouterr().err
    assert str(tmp_path / "taken") in said
    assert "--output" in said


def test_missing_data_are_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("LRBN_VIZ_DATA", str(tmp_path / "data"))
    assert cli.main(["reproduce", "ocr", "--quick", "--output", str(tmp_path / "out")]) == 1
    assert "letter.data" in capsys.readouterr().err


class Diverging:
    """A run that is stored once and then diverges."""

    seconds = progress = 0.5

    def __iter__(self):
        yield
        raise FloatingPointError("log P(x, h) became nan at step 3: training diverged.")

    def save(self, path, *_):
        path.write_bytes(b"where it stands")


def test_training_that_diverges_leaves_what_the_others_gave_and_the_exit_status_1(
    small_letters, tmp_path, monkeypatch, capsys
):
    made, bad = stages.training_of, quick(RECIPES["ocr"]["pixels"])
    monkeypatch.setattr(
        stages, "training_of", lambda one, *how: Diverging() if one == bad else made(one, *how)
    )
    defaults = Reproduction.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "checkpoint_seconds", 0.0)
    command = ["reproduce", "ocr", "--quick", "--only", "pixels", "warmed", "--output", str(tmp_path)]
    assert cli.main(command) == 1
    said = capsys.readouterr()
    assert "pixels, training: diverged, and is left out: log P(x, h) became nan" in said.err
    assert "lrbn-viz: training diverged: pixels; the report has the others" in said.err
    assert said.out.strip() == str(tmp_path / "report.md")
    names = {path.name for path in (tmp_path / "stages").iterdir() if not path.name.startswith(".")}
    assert "warmed.training.result" in names
    assert not [name for name in names if name.startswith("pixels.") and name != "pixels.result"]
    assert not [name for name in names if name.endswith("checkpoint")]
    assert not (tmp_path / "models" / "pixels.npz").exists()
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "- `pixels`: log P(x, h) became nan at step 3: training diverged." in text
    assert "Not finished" not in text
    found = json.loads((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert found["diverged"] == {"pixels": "log P(x, h) became nan at step 3: training diverged."}
    assert found["measured"]["pixels"] == {}
    rows = {row[0]: row for row in found["tables"]["reconstruction"]["rows"]}
    assert rows["LRBN, `pixels`"][4:] == 4 * ["diverged"]
    assert isinstance(rows["LRBN, `warmed`"][5], dict)
    monkeypatch.setattr(stages, "training_of", made)
    assert cli.main(command) == 0, "with other settings, or a mended engine, it is trained"
    assert "Training diverged" not in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_a_damaged_file_ends_the_command_with_its_name(small_letters, tmp_path, capsys):
    (tmp_path / "stages").mkdir()
    (tmp_path / "stages" / "pixels.result").write_bytes(b"something else")
    assert cli.main(["reproduce", "ocr", "--quick", "--output", str(tmp_path)]) == 1
    assert "pixels.result" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["mnist", "caltech", "ocr"])
def test_a_report_says_first_who_is_likeliest_by_the_figures_of_its_tables(name):
    root = Path(__file__).resolve().parents[2]
    report = (root / "docs" / "reproduction" / name / "report.md").read_text(encoding="utf-8")
    said = likeliest(name)
    assert report.split("\n\n")[1] == said
    (aim,) = (line.split("|") for line in report.splitlines() if line.startswith("| likeliest |"))
    icm, annealed, nats = (float(cell.split("±")[0]) for cell in aim[5:8])
    model = f"`rbm-200-{name}-likeliest`"
    page = (root / "docs" / "results.md").read_text(encoding="utf-8")
    table = page.split("| `pretrained(...)` | wrong pixels | nats by AIS |")[1].split("\n\n")[0]
    (rbm,) = (line.split("|") for line in table.splitlines() if line.startswith(f"| {model}"))
    wrong, by_ais, seconds = (rbm[at].strip() for at in (2, 3, 5))
    words = " ".join(said.split())
    for figure in (f"{nats:.1f} nats", f"has {by_ais}.", f"{icm:.2f} by ICM"):
        assert figure in words.replace(" pixels wrong by ICM", " by ICM")
    assert f"{annealed:.2f} " not in words, "annealed figures stand in tables, with their sweeps"
    assert f"({model}, {seconds} CPU seconds" in words
    assert f"the RBM {wrong} in one pass" in words
    assert ("an LRBN, of what" in words) is (nats > float(by_ais)), "whoever has more nats comes first"
